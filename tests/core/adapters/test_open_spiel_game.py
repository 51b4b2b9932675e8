"""What OpenSpiel sees of our games: words, arrays, rewards, names, files; and what is refused."""

import copy
import importlib
import pickle
import subprocess
import sys
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import Chance, Decision, NormalFormGame, Terminal, from_sketch, load_game
from gametheory_core.catalog import KuhnRules, RepeatedGame
from gametheory_core.distributions import point_mass, uniform
from gametheory_core.errors import InvalidArgument, InvalidGame, UnsupportedGame
from gametheory_core.games import CHANCE, NULL
from tests.core.adapters.small_games import Corridor

pytestmark = pytest.mark.peer
pyspiel = pytest.importorskip("pyspiel")
spiel_games = importlib.import_module("tests.core.adapters.spiel_games")


def made(game, **options):
    from gametheory_core.adapters import to_open_spiel

    return to_open_spiel(game, **options)


def states_of(game):
    """Return all states, those who act at once put in turn by OpenSpiel."""
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    found = [game.new_initial_state()]
    for state in found:
        found += [] if state.is_terminal() else map(state.child, state.legal_actions())
    return found


def play(game, *actions):
    state = game.new_initial_state()
    for action in actions:
        if isinstance(action, list):
            state.apply_actions(action)
        else:
            state.apply_action(action)
    return state


@pytest.mark.parametrize("name", list(spiel_games.GAMES))
def test_arrays_are_equal_where_texts_are(name):
    texts = {}
    for state in states_of(made(spiel_games.GAMES[name])):
        if state.is_player_node():
            array = tuple(state.information_state_tensor())
            assert texts.setdefault(array, state.information_state_string()) == (
                state.information_state_string()
            )
    assert len(set(texts.values())) == len(texts) > 0


@pytest.mark.parametrize("name", [*spiel_games.TREES, *spiel_games.AECS])
def test_who_waits_knows_what_no_mover_knows(name):
    game = made(spiel_games.GAMES[name])
    movers, others = set(), set()
    for state in states_of(game):
        for player in range(game.num_players()):
            is_mover = state.current_player() == player
            (movers if is_mover else others).add(state.information_state_string(player))
    assert movers
    assert others
    assert not movers & others


def test_players_with_equal_labels_are_told_apart():
    second = Decision(1, "same", {b: Terminal([0, 0]) for b in "xy"})
    tree = from_sketch(Decision(0, "same", dict.fromkeys("xy", second)), players=("A", "B"))
    texts = [s.information_state_string() for s in states_of(made(tree)) if s.is_player_node()]
    assert texts == ["p0: 'same'", "p1: 'same'", "p1: 'same'"]


def test_a_label_that_looks_like_a_number_is_not_that_number():
    unnamed, named = (
        Decision(0, label, {"": Terminal([k]), "#1": Terminal([0])})
        for k, label in ((1, ""), (2, "#1"))
    )
    game = made(from_sketch(Chance({"l": ("1/2", unnamed), "r": ("1/2", named)}), players=("A",)))
    texts = {s.information_state_string() for s in states_of(game) if s.is_player_node()}
    assert texts == {"p0: #1", "p0: '#1'"}
    state = play(game, 0)
    assert [state.action_to_string(a) for a in state.legal_actions()] == ["#1", "'#1'"]


class Alike(Corridor):
    """A corridor in which two observations, and two histories, look alike."""

    def initial_observation(self, state):
        return uniform(((state, 1), (state, "1"), (state, "1' '1")))

    def legal_actions(self, player, observation):
        return ("left", "right")


def test_observations_that_look_alike_are_told_apart():
    game = made(Alike(horizon=1))
    seen = {play(game, k).information_state_string(1) for k, _ in play(game).chance_outcomes()}
    assert len(seen) == 3


def test_observations_are_what_was_seen_last():
    game = made(load_game("repeated_matching_pennies:rounds=3"))
    states = [play(game, *rest) for rest in ([[0, 1]], [[1, 1], [0, 1]])]
    first, second = (state.observation_string(0) for state in states)
    assert first == second == "p0: '((heads, tails))'"
    assert states[0].observation_tensor(0) == states[1].observation_tensor(0)
    assert states[0].information_state_string(0) != states[1].information_state_string(0)
    assert states[1].observation_string(0) == second  # asked after the information state
    assert play(game).observation_string(0) == "p0: '()'"


def test_nothing_is_observed_in_trees_but_information_sets():
    told = made(load_game("kuhn_poker")).get_type()
    assert told.provides_information_state_tensor
    assert not told.provides_observation_string
    assert not told.provides_observation_tensor


def test_large_arrays_are_left_out(monkeypatch):
    from gametheory_core.adapters import open_spiel_observers

    game = RepeatedGame.of("matching_pennies", rounds=40)
    monkeypatch.setattr(open_spiel_observers, "MAX_TENSOR", 100)
    told = made(game).get_type()
    assert told.provides_information_state_string
    assert told.provides_observation_tensor
    assert not told.provides_information_state_tensor
    pyspiel.random_sim_test(made(game), num_sims=2, serialize=False, verbose=False)


def test_rewards_are_discounted_and_count_what_chance_pays_since_players_acted():
    corridor = Corridor(horizon=2, discount=Fraction(1, 2))
    table = spiel_games.tree_of(corridor)
    game = made(corridor)
    ends = set()
    waiting = [(play(game), np.zeros(2))]
    while waiting:
        state, earned = waiting.pop()
        if not state.is_chance_node():
            earned = earned + state.rewards()
            assert earned.tolist() == pytest.approx(state.returns(), abs=1e-12)
        if state.is_terminal():
            ends.add(tuple(state.returns()))
            continue
        joint = (
            [[a] for a in state.legal_actions()]
            if state.is_chance_node()
            else ([[a, b] for a in state.legal_actions(0) for b in state.legal_actions(1)])
        )
        for actions in joint:
            child = state.clone()
            child.apply_actions(actions) if len(actions) > 1 else child.apply_action(*actions)
            waiting.append((child, earned))
    assert ends == set(map(tuple, table.terminal_payoffs.tolist()))


def test_payments_before_the_end_make_it_a_game_of_rewards():
    models = {
        name: made(spiel_games.GAMES[name]).get_type().reward_model
        for name in ("paid early", "kuhn", "one shot", "repeated")
    }
    rewards, terminal = pyspiel.GameType.RewardModel.REWARDS, pyspiel.GameType.RewardModel.TERMINAL
    assert list(models.values()) == [rewards, terminal, terminal, rewards]


@dataclass(frozen=True)
class Counter:
    """A POSG without a horizon: it counts up to ``most``, or forever."""

    most: int | None = None
    title: str = "Counter"
    players: tuple = ("A",)
    discount: Fraction = Fraction(1)
    horizon: int | None = None

    def initial(self):
        return point_mass(0)

    def initial_observation(self, state):
        return point_mass((state,))

    def legal_actions(self, player, observation):
        return ("on",)

    def is_terminal(self, state):
        return state == self.most

    def transition(self, state, joint_action):
        return point_mass(state + 1)

    def observation(self, joint_action, state):
        return point_mass((state,))

    def reward(self, state, joint_action, next_state):
        return (1,)


@dataclass(frozen=True)
class Tip(Counter):
    """Two steps after which nothing is seen; who goes the second way first is paid for it."""

    most: int = 2

    def observation(self, joint_action, state):
        return point_mass((NULL,))

    def legal_actions(self, player, observation):
        return ("on", "paid") if observation == 0 else ("on",)

    def reward(self, state, joint_action, next_state):
        return (int(joint_action == ("paid",)),)


def test_payments_before_the_end_are_noted_on_every_way_to_a_position():
    """The first way there is not paid."""
    assert made(Tip()).get_type().reward_model == pyspiel.GameType.RewardModel.REWARDS


def test_outcomes_of_probability_zero_are_left_out():
    ends = {k: Decision(0, str(k), {"a": Terminal([k]), "b": Terminal([0])}) for k in range(4)}
    weights = (0, "1/3", 0, "2/3")
    tree = from_sketch(
        Chance({str(k): (w, ends[k]) for k, w in enumerate(weights)}), players=("A",)
    )
    game = made(tree)
    state = play(game)
    assert state.chance_outcomes() == [(0, 1 / 3), (1, 2 / 3)]
    assert [state.action_to_string(a) for a in state.legal_actions()] == ["1", "3"]
    assert game.max_utility() == 3.0
    assert made(replace_payoff(tree, 2, 99)).max_utility() == 3.0  # it cannot be reached


def replace_payoff(tree, old, new):
    outcomes = [
        replace(o, payoffs=(Fraction(new),)) if o.payoffs == (old,) else o for o in tree.outcomes
    ]
    return replace(tree, outcomes=tuple(outcomes))


def test_probabilities_that_floats_cannot_hold_stay_positive():
    tiny = Fraction(1, 10**400)
    move = Decision(0, "h", {"a": Terminal([0]), "b": Terminal([1])})
    tree = from_sketch(Chance({"rare": (tiny, move), "else": (1 - tiny, move)}), players=("A",))
    assert play(made(tree)).chance_outcomes() == [(0, 5e-324), (1, 1.0)]


def test_bounds_of_constant_payoffs_differ_as_open_spiel_wants():
    tree = from_sketch(Decision(0, "h", {a: Terminal([5, 5]) for a in "ab"}), players=("A", "B"))
    game = made(tree)
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (5, 10, 10)


def test_matrix_games_are_open_spiels_own():
    dilemma = load_game("prisoners_dilemma")
    game = made(dilemma)
    assert isinstance(game, pyspiel.MatrixGame)
    assert np.array_equal([game.row_utilities(), game.col_utilities()], dilemma.payoffs)
    assert [game.row_action_name(k) for k in (0, 1)] == list(dilemma.actions[0])


@pytest.mark.parametrize("shape", [(3,), (2, 3, 2)])
def test_matrices_of_other_numbers_of_players_are_tensor_games(shape):
    payoffs = np.arange(len(shape) * np.prod(shape)).reshape(len(shape), *shape)
    game = made(NormalFormGame.from_payoffs(payoffs))
    assert isinstance(game, pyspiel.TensorGame)
    assert tuple(game.shape()) == shape
    assert np.array_equal(
        [np.reshape(game.player_utilities(i), shape) for i in range(len(shape))], payoffs
    )


def test_a_registered_game_is_loaded_by_its_name():
    kuhn = load_game("kuhn_poker")
    game = made(kuhn, name="ours_by_name")
    assert pyspiel.load_game("ours_by_name") is game
    assert made(load_game("kuhn_poker"), name="ours_by_name") is game
    assert str(game) == "ours_by_name()"
    matrix = made(load_game("chicken"), name="ours_matrix")
    pyspiel.random_sim_test(matrix, num_sims=3, serialize=True, verbose=False)
    again = pickle.loads(pickle.dumps(matrix))
    assert np.array_equal(again.row_utilities(), matrix.row_utilities())


@pytest.mark.parametrize(
    ("game", "name"),
    [
        (load_game("kuhn_poker"), "gametheory_core_kuhn_poker"),
        (load_game("chicken"), "gametheory_core_chicken"),
        (Corridor(horizon=2), "gametheory_core_corridor"),
        (NormalFormGame.from_payoffs(np.zeros((2, 2, 2))), "gametheory_core_matrix_game"),
        (
            replace(load_game("kuhn_poker"), title="\N{GREEK SMALL LETTER PI}"),
            "gametheory_core_tree",
        ),
    ],
)
def test_games_without_a_name_are_named_by_title_or_kind(game, name):
    assert str(made(game)) == f"{name}()"


def test_names_that_are_taken_are_refused():
    made(load_game("kuhn_poker"), name="ours_taken")
    with pytest.raises(InvalidArgument, match="'ours_taken' is another game's, 'Kuhn poker'"):
        made(load_game("leduc_poker"), name="ours_taken")
    with pytest.raises(InvalidArgument, match="'kuhn_poker' is a game of OpenSpiel's"):
        made(load_game("kuhn_poker"), name="kuhn_poker")


@pytest.mark.parametrize("name", ["", "a b", "a(b=1)", "gametheory_core_kuhn", "1st", "ä"])
def test_names_that_open_spiel_cannot_read_are_refused(name):
    with pytest.raises(InvalidArgument, match="needs a name of letters, digits and underscores"):
        made(load_game("kuhn_poker"), name=name)


def test_a_name_that_is_no_text_is_refused():
    with pytest.raises(InvalidArgument, match="name to be of type str"):
        made(load_game("kuhn_poker"), name=3)


def test_games_without_a_move_are_refused():
    over = from_sketch(Chance({"a": (1, Terminal([1]))}), players=("A",), title="Over")
    with pytest.raises(UnsupportedGame, match="needs a move of a player, but in Over nobody"):
        made(over)
    with pytest.raises(UnsupportedGame, match="nobody ever moves"):
        made(Corridor(horizon=0))


def test_large_games_are_refused_by_name():
    with pytest.raises(UnsupportedGame, match=r"max_positions = 10 .* Raise max_positions"):
        made(load_game("kuhn_poker"), max_positions=10)
    assert made(load_game("kuhn_poker"), max_positions=55).max_game_length() == 3
    with pytest.raises(InvalidArgument, match="max_positions"):
        made(load_game("kuhn_poker"), max_positions=0)


@pytest.mark.parametrize(
    "game",
    [
        Corridor(horizon=None),  # which is discounted
        Corridor(horizon=None, discount=Fraction(1)),
        load_game("stopping_pennies"),
        load_game("soccer"),
    ],
    ids=repr,
)
def test_endless_games_are_refused_at_once(game):
    """Play comes back to where it was, which no discount ends."""
    with pytest.raises(UnsupportedGame, match="needs plays that end, but in .* they come back"):
        made(game, max_positions=1_000)


@dataclass(frozen=True)
class Glances(Counter):
    """Two act twice; in between each sees what ``who`` did: the other, or oneself."""

    who: int = 1
    players: tuple = ("A", "B")
    most: int = 2

    def initial_observation(self, state):
        return point_mass((NULL, NULL))

    def legal_actions(self, player, observation):
        return ("left", "right")

    def observation(self, joint_action, state):
        return point_mass((joint_action[self.who], joint_action[1 - self.who]))

    def reward(self, state, joint_action, next_state):
        return (0, 1)


@pytest.mark.parametrize(("who", "is_perfect"), [(1, True), (0, False)])
def test_information_is_perfect_if_players_see_what_they_did_not_do(who, is_perfect):
    found = made(Glances(who=who)).get_type().information
    assert (found == pyspiel.GameType.Information.PERFECT_INFORMATION) == is_perfect


def test_games_that_end_by_themselves_need_no_horizon():
    game = made(Counter(30))
    assert (game.max_game_length(), game.min_utility()) == (30, 30.0)


def test_games_that_go_on_and_on_are_refused():
    with pytest.raises(UnsupportedGame, match="needs at most max_positions = 1,000"):
        made(Counter(None), max_positions=1_000)


@dataclass(frozen=True)
class Detour:
    """An AEC game: chance, or the player, makes the second move; the third pays 1.

    What comes after the second move is the same in the same state, but for the discount.
    """

    title: str = "Detour"
    players: tuple = ("A",)
    discount: Fraction = Fraction(1, 2)
    horizon: int | None = 9
    initial_state: int = 0

    def observation(self, player, state):
        return point_mass(state)

    def legal_actions(self, player, observation):
        return ("go",)

    def is_terminal(self, state):
        return state == 3

    def move(self, player, state, action):
        return state + 1

    def chance(self, state):
        return point_mass(state + 1)

    def reward(self, state, mover, action, next_state):
        return point_mass((int(next_state == 3),))

    def next_player(self, state, mover, action, next_state):
        return uniform((CHANCE, 0)) if next_state == 1 else point_mass(0)


def test_bounds_tell_discounts_apart_where_all_else_is_the_same():
    game = made(Detour())
    assert (game.min_utility(), game.max_utility()) == (0.5, 1.0)


def test_payoffs_too_large_for_floats_are_refused():
    tree = from_sketch(
        Decision(0, "h", {"a": Terminal([10**400]), "b": Terminal([0])}), players=("A",)
    )
    with pytest.raises(InvalidGame, match="needs numbers below 1.8e308"):
        made(tree)


@pytest.mark.parametrize(
    ("game", "remedy"),
    [
        (3, "load_game reads one"),
        ("kuhn_poker", "load_game reads one"),
        (Corridor, "the class Corridor"),
        (KuhnRules(), r"Use lay_out_rules\(rules\)"),
        (load_game("house_patrol"), r"harsanyi_transform\(game\).target"),
        (load_game("guarded_targets"), r"security_to_normal\(game\)"),
    ],
)
def test_what_is_no_game_is_refused(game, remedy):
    with pytest.raises((UnsupportedGame, InvalidArgument), match=f"to_open_spiel: .*{remedy}"):
        made(game)


def test_illegal_actions_are_refused():
    game = made(load_game("kuhn_poker"))
    with pytest.raises(InvalidArgument, match=r"needs legal actions, but got \[6\] where"):
        play(game, 6)
    with pytest.raises(InvalidArgument, match=r"got \[2\] where there are \[2\]"):
        play(game, 0, 2)
    with pytest.raises(InvalidArgument, match=r"got \[0, 5\] where there are \[2, 2\]"):
        play(made(RepeatedGame.of("matching_pennies")), [0, 5])


def test_parameters_of_observers_are_refused():
    with pytest.raises(InvalidArgument, match="no parameters of observers"):
        made(load_game("kuhn_poker")).make_py_observer(None, {"a": 1})


def test_copies_of_states_go_their_own_ways():
    state = play(made(load_game("kuhn_poker")), 0)
    twin = state.clone()
    assert twin.place is state.place  # nothing is copied, nor found anew
    twin.apply_action(1)
    assert str(state) == "0"
    assert str(twin) == "0 1"
    assert state.current_player() == 0
    assert str(copy.deepcopy(twin)) == "0 1"


@pytest.mark.parametrize("name", ["kuhn", "corridor", "wheel"])
def test_games_without_a_name_are_pickled_whole(name):
    """Another process plays on from the state of a game that it has never seen."""
    game = made(spiel_games.GAMES[name])
    state = play(game, 0)
    program = (
        "import pickle, sys; state = pickle.load(sys.stdin.buffer); n = state.num_players();"
        "state.apply_actions([0] * n) if state.is_simultaneous_node() else state.apply_action(0);"
        "print(state, '|', state.returns(), state.get_game())"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], input=pickle.dumps(state), capture_output=True, check=True
    )
    state.apply_actions([0, 0]) if state.is_simultaneous_node() else state.apply_action(0)
    assert found.stdout.decode().strip() == f"{state} | {state.returns()} {game}"
    assert made(spiel_games.GAMES[name]).get_type() == pickle.loads(pickle.dumps(game)).get_type()


def test_a_process_with_registered_games_ends_well():
    program = (
        "from gametheory_core import load_game; from gametheory_core.adapters import to_open_spiel;"
        "to_open_spiel(load_game('kuhn_poker'), name='ours'); "
        "to_open_spiel(load_game('chicken'), name='matrix')"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_places_that_are_not_kept_are_found_anew(monkeypatch):
    from gametheory_core.adapters import open_spiel_play

    game = made(load_game("kuhn_poker"))
    kept = [(str(s), s.returns(), s.legal_actions()) for s in states_of(game)]
    assert game.num_kept == 54
    monkeypatch.setattr(open_spiel_play, "KEPT_PLACES", 0)
    game = made(load_game("kuhn_poker"))
    assert kept == [(str(s), s.returns(), s.legal_actions()) for s in states_of(game)]
    assert game.num_kept == 0


def test_nothing_seen_is_something_that_was_seen():
    """``NULL`` is a sight like others; before the first one a player knows nothing at all."""
    game = made(load_game("tiger:horizon=1"))
    assert play(game).information_state_string(0) == "p0:"
    assert play(game, 0).information_state_string(0) == f"p0: {str(NULL.value)!r}"
