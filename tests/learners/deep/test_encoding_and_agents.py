"""Who learns, who shares a network, what each sees, and how actions are drawn."""

import numpy as np
import pytest

from gametheory_core import InvalidArgument, UnsupportedGame
from gametheory_core.catalog import RepeatedGame
from learners import batched
from learners.deep import Sharing
from learners.deep.agents import (
    agents_of,
    checked_others,
    draw_actions,
    lanes_of,
    marks_of,
    others_actions,
    players_actions,
    uniform_behavior,
)
from tests.learners.deep.own_turn_games import Alternating


def three():
    return batched(RepeatedGame.of("matching_pennies", rounds=2), episodes=3, seed=1)


def agents(environment, **options):
    chosen = {"learns": None, "sharing": Sharing.SEPARATE, "remembers_actions": False, **options}
    return agents_of(environment, **chosen)


def test_players_are_separate_or_share():
    environment = three()
    assert [agent.players for agent in agents(environment)] == [(0,), (1,)]
    (shared,) = agents(environment, sharing=Sharing.SHARED)
    assert shared.players == (0, 1)
    assert shared.name == "Even+Odd"
    assert shared.encoding.num_marks == 2
    assert agents(environment, learns=[1])[0].encoding.num_marks == 0
    (remembering,) = agents(environment, learns=[0], remembers_actions=True)
    assert remembering.encoding.num_previous == 3  # two actions, or none yet


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"learns": []}, "number of at least one player"),
        ({"learns": [0, 0]}, "each named once"),
        ({"learns": [2]}, "from 0 to 1"),
        ({"learns": 0}, "learns to be a sequence"),
        ({"sharing": "shared"}, "member of Sharing"),
    ],
)
def test_bad_roles_are_refused(options, complaint):
    with pytest.raises(InvalidArgument, match=complaint):
        agents(three(), **options)


def test_numbers_and_features_do_not_share():
    environment = Alternating()
    environment.num_observations = (4, 0)
    environment.num_features = (0, 3)
    with pytest.raises(UnsupportedGame, match="see numbers all, or features all"):
        agents(environment, sharing=Sharing.SHARED)


def test_lanes_are_players_within_episodes():
    environment = Alternating(num_episodes=3)
    (agent,) = agents(environment, sharing=Sharing.SHARED)
    turn = environment.reset()
    lanes = lanes_of(agent, turn)
    assert lanes.acts.tolist() == [True, False, False, True, True, False]
    assert lanes.legal.tolist()[0] == [True, True, False]
    assert lanes.legal.tolist()[1] == [True, True, True]  # does not act: all, so never none
    assert lanes.observations.shape == (6, 3)
    assert lanes.observations[3].tolist() == turn.observations[1, 1].tolist()
    assert marks_of(agent, 6).tolist() == [0, 1, 0, 1, 0, 1]
    assert players_actions(agent, np.arange(6)).tolist() == [[0, 1], [2, 3], [4, 5]]


def test_an_action_of_probability_zero_is_never_drawn():
    class Highest:
        """Draws the largest number below one, where rounding is most dangerous."""

        def random(self, size):
            return np.full(size, 1 - 2**-53)

    shares = np.array([[0.3, 0.7, 0.0], [0.1, 0.2, 0.7], [1.0, 0.0, 0.0]])
    shares = np.concatenate([shares, shares * (1 + 2**-52)])
    assert draw_actions(shares, Highest()).tolist() == [1, 2, 0, 1, 2, 0]
    rng = np.random.default_rng(1)
    many = np.tile([0.0, 0.25, 0.0, 0.75], (20_000, 1))
    counts = np.bincount(draw_actions(many, rng), minlength=4)
    assert counts[[0, 2]].tolist() == [0, 0]
    assert abs(counts[1] - 5000) < 5 * np.sqrt(20_000 * 3 / 16)  # five deviations


def test_others_play_as_given_or_evenly():
    environment = three()
    turn = environment.reset()
    (agent,) = agents(environment, learns=[0])
    tails = checked_others(
        environment, (agent,), {1: lambda seen, legal: np.tile([0.0, 1.0], (len(seen), 1))}
    )
    drawn = others_actions(tails, environment, turn, np.random.default_rng(1))
    assert drawn.tolist() == [[0, 1]] * 3
    even = checked_others(environment, (agent,), None)
    assert even == {1: uniform_behavior}
    legal = np.array([[True, True, False], [False, True, False]])
    assert uniform_behavior(np.zeros(2), legal).tolist() == [[0.5, 0.5, 0.0], [0.0, 1.0, 0.0]]


def test_others_are_shown_what_they_see_where_they_act():
    environment, shown = Alternating(num_episodes=5), []

    def spy(seen, legal):
        shown.append((seen.tolist(), legal.tolist()))
        return uniform_behavior(seen, legal)

    others_actions({1: spy}, environment, environment.reset(), np.random.default_rng(1))
    assert shown == [([[1.0, 1.0, -1.0]] * 2, [[True, True, False]] * 2)]  # episodes 1 and 3


@pytest.mark.parametrize(
    ("others", "complaint"),
    [
        ({0: uniform_behavior}, "players who do not learn"),
        ({5: uniform_behavior}, "players who do not learn"),
        ({1: "uniform"}, r"others\[1\] to be a function"),
        ([uniform_behavior], "others to be of type Mapping, but got .*Give {player: function}"),
    ],
)
def test_bad_others_are_refused(others, complaint):
    environment = three()
    with pytest.raises(InvalidArgument, match=complaint):
        checked_others(environment, agents(environment, learns=[0]), others)


@pytest.mark.parametrize(
    ("shares", "complaint"),
    [
        (np.full((3, 3), 0.5), r"shape \(3, 2\) of how 'Odd' plays"),
        (np.full((3, 2), np.nan), "finite probabilities"),
        (np.array([[1.5, -0.5]] * 3), "at least 0"),
        (np.full((3, 2), 0.4), "sum to 1 of how 'Odd' plays, but those in row 0 sum to 0.8"),
    ],
)
def test_what_others_play_is_checked(shares, complaint):
    environment = three()
    others = {1: lambda seen, legal: shares}
    with pytest.raises(InvalidArgument, match=complaint):
        others_actions(others, environment, environment.reset(), np.random.default_rng(1))


def test_others_may_not_do_what_is_not_legal():
    environment = Alternating(num_episodes=4)
    others = {1: lambda seen, legal: np.full(legal.shape, 1 / 3)}
    with pytest.raises(InvalidArgument, match="0 where not legal, of how 'second' plays"):
        others_actions(others, environment, environment.reset(), np.random.default_rng(1))
