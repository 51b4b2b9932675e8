"""The next mover need not see the new state: a trivial chance move after each chance move decides.

Adding those dispatch steps makes the law of the next mover a function of the state before and the
action alone, as printed; contracting them gives the law of plays back, and the same tree. Random
AEC games whose next mover depends on what chance has just drawn. Twin: read without the new state,
and without dispatch, the printed next-agent function makes another game.

Why it matters (models): It repairs a definition that cannot be implemented as printed: who moves
next may depend on what chance has just drawn.
"""

from dataclasses import dataclass
from fractions import Fraction

import pytest

from gametheory_core import UnsupportedGame, aec_to_extensive, expected_returns
from gametheory_core.catalog import seen_choice
from gametheory_core.conversions import add_dispatch, canonical_tree
from gametheory_core.conversions.dispatch import Dispatched
from gametheory_core.distributions import Distribution, point_mass, push_forward
from gametheory_core.evaluation import aec_trajectories
from gametheory_core.games import CHANCE, NULL, stop_aec
from tests.theorems.random_rules import ENDED, RandomAEC, seeded_policies

theorem = pytest.mark.theorem(
    source="Terry et al. 2021, definition 3",
    statement="A next mover who depends on what chance drew can be dispatched one step later.",
)


@dataclass(frozen=True)
class Finite:
    """A random AEC game that ends by itself after some moves, so that no horizon cuts it."""

    game: RandomAEC
    length: int
    horizon: int | None = None

    @property
    def title(self):
        return self.game.title

    @property
    def players(self):
        return self.game.players

    @property
    def discount(self):
        return Fraction(1)

    @property
    def initial_state(self):
        return (self.game.initial_state, 0)

    def observation(self, player, state):
        return self.game.observation(player, state[0])

    def legal_actions(self, player, observation):
        return self.game.legal_actions(player, observation)

    def is_terminal(self, state):
        return state[0] == ENDED or state[1] == self.length

    def move(self, player, state, action):
        return (self.game.move(player, state[0], action), state[1] + 1)

    def chance(self, state):
        return push_forward(self.game.chance(state[0]), lambda after: (after, state[1] + 1))

    def reward(self, state, mover, action, next_state):
        return self.game.reward(state[0], mover, action, next_state[0])

    def next_player(self, state, mover, action, next_state):
        return self.game.next_player(state[0], mover, action, next_state[0])


def random_games():
    return [Finite(RandomAEC(seed, 1 + seed % 2), 3) for seed in range(12)]


@theorem
def test_contracting_the_dispatch_gives_the_law_back():
    tried = 0
    for game in random_games():
        conversion = add_dispatch(game)
        profile = seeded_policies(game, seed=game.game.seed)
        image = aec_trajectories(conversion.target, profile)
        back = conversion.correspondence.outcome_to_source
        law = dict(push_forward(image, lambda play, back=back: next(iter(back(play)))[0]))
        assert law == dict(aec_trajectories(game, profile))
        tried += len(law) > 1
    assert tried == 12


@theorem
def test_the_next_mover_does_not_see_the_new_state():
    asked = 0
    for game in random_games():
        dispatched = Dispatched(game)
        for state in (("play", (0, 0)), ("dispatch", (0, 0), (1, 1)), ("play", (1, 1))):
            laws = [
                dispatched.next_player(state, CHANCE, NULL, after) for after in (0, "any", None)
            ]
            assert len({tuple(law) for law in laws}) == 1
            asked += 1
        law = dispatched.next_player(("play", (1, 1)), 0, "a", None)
        assert law == dispatched.next_player(("play", (1, 1)), 0, "a", "any")
    assert asked == 36


@theorem
def test_trees_are_equal_once_contracted():
    for game in random_games()[:6]:
        first = aec_to_extensive(game).target
        second = aec_to_extensive(add_dispatch(game).target).target
        assert first.num_nodes <= second.num_nodes
        profile = seeded_policies(game, seed=1)
        paid = expected_returns(game, profile).tolist()
        assert expected_returns(add_dispatch(game).target, profile).tolist() == paid
    game = seen_choice()
    first = canonical_tree(aec_to_extensive(game).target).target
    assert canonical_tree(aec_to_extensive(add_dispatch(game).target).target).target == first


@dataclass(frozen=True)
class Called(RandomAEC):
    """Chance calls a player, who is then the one to move, and is paid for it."""

    initial_state: object = "start"

    def observation(self, player, state):
        return point_mass(NULL)

    def chance(self, state):
        half = Fraction(1, 2)
        return Distribution(((0, half), (1, half)))

    def move(self, player, state, action):
        return (ENDED, state, player)

    def is_terminal(self, state):
        return isinstance(state, tuple)

    def reward(self, state, mover, action, next_state):
        if mover == CHANCE:
            return point_mass((0, 0))
        return point_mass((1, 1) if state == mover else (0, 0))

    def next_player(self, state, mover, action, next_state):
        return point_mass(next_state)


class CalledUnseen(Called):
    """The same with the law of the next mover given the state before, as it is printed."""

    def next_player(self, state, mover, action, next_state):
        half = Fraction(1, 2)
        return Distribution(((0, half), (1, half)))


@theorem
def test_unless_the_printed_function_is_read_without_dispatch():
    profile = seeded_policies(Called(0), seed=0)
    assert expected_returns(Called(0), profile).tolist() == [1, 1]
    assert expected_returns(add_dispatch(Called(0)).target, profile).tolist() == [1, 1]
    assert expected_returns(CalledUnseen(0), profile).tolist() == [Fraction(1, 2)] * 2


@theorem
def test_unless_moves_are_counted():
    """A discount or a horizon would count the dispatch steps too: refused."""
    with pytest.raises(UnsupportedGame, match="needs discount 1 and no horizon"):
        add_dispatch(RandomAEC(0, discount=Fraction(1, 2)))
    with pytest.raises(UnsupportedGame, match="horizon 3"):
        add_dispatch(stop_aec(RandomAEC(0), moves=3))
