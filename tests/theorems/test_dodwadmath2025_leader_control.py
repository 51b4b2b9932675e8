"""States that only the leader moves are moved by nobody, if all move at once and any may lead.

Dodwadmath and Maghsudi 2025 let the next state depend on the leader's action alone, whoever leads.
Where player 0 leads with ``a``, the law of the next state is the same for all actions of player 1,
also for every ``b`` with which player 1 could lead; where 1 leads with ``b``, for all actions of
player 0. So all pairs of such actions share one law. Checked on all deterministic transitions of
two players with two actions each, and all ways to allow actions to leaders. With reactions that may
move the state, or rules that know who leads, nothing of this holds.

Why it matters (mediation): It shows that the paper's assumption on who moves the state leaves only
trivial dynamics when all act at once, so that leaders have to be a part of the rules.
"""

from itertools import combinations, product

import pytest

from gametheory_core import UnsupportedGame
from gametheory_core.games import list_posg
from gametheory_core.mediation import StateControl, mediate, mediated_game

theorem = pytest.mark.theorem(
    source="Dodwadmath and Maghsudi 2025",
    statement="Where any player of a POSG may lead, a leader alone moves the state nowhere.",
)
JOINTS = tuple(product("ab", repeat=2))
ALLOWED = [set(c) for size in (1, 2) for c in combinations("ab", size)]


def steering(after):
    """One step, without rewards; ``after[joint]`` is where a joint action leads."""
    return list_posg(
        players=["Ann", "Bob"],
        actions=["ab", "ab"],
        initial={"start": 1},
        transitions={("start", joint): {after[joint]: 1} for joint in JOINTS},
        observations={(joint, after[joint]): {(after[joint],) * 2: 1} for joint in JOINTS},
        initial_observations={"start": {("start", "start"): 1}},
        horizon=1,
    )


def led(after, allowed, control):
    """The mediated game if leaders may do what is allowed and the other does the same."""

    def respond(_state, leader, action):
        return (action,) if action in allowed[leader] else None

    return mediate(steering(after), responses=respond, control=control).target


def cases():
    for ends in product(["left", "right"], repeat=4):
        for allowed in product(ALLOWED, repeat=2):
            yield dict(zip(JOINTS, ends, strict=True)), allowed


def reached(game):
    """Where the steps of a game lead, a set."""
    return {game.states[s] for s in game.transition_kernel.outcome.tolist()}


def accepted():
    found = []
    for after, allowed in cases():
        try:
            found.append((after, allowed, led(after, allowed, StateControl.LEADER)))
        except UnsupportedGame as error:
            assert "depend on the leader's action alone" in str(error)  # noqa: PT017  (or accepted)
    return found


@theorem
def test_state_that_the_leader_alone_moves_goes_one_way():
    found = accepted()
    assert 20 < len(found) < 144
    for _, _, game in found:
        assert len(reached(game)) == 1


@theorem
def test_actions_with_which_nobody_can_lead_may_go_elsewhere():
    assert any(len(set(after.values())) == 2 for after, _, _ in accepted())


@theorem
def test_without_control_by_the_leader_alone_steps_go_both_ways():
    both = [
        reached(led(after, allowed, StateControl.EVERYBODY)) == {"left", "right"}
        for after, allowed in cases()
    ]
    assert 0 < sum(both) < len(both)


@theorem
def test_without_simultaneous_moves_leaders_move_the_state():
    game = mediated_game(
        players=["Ann", "Bob"],
        horizon=1,
        initial={"start": 1},
        actions=[["a", "b"]] * 2,
        play=lambda _state, leader, action: ((0, 0), {(leader, action): 1}),
    )
    assert len(reached(game)) == 4
