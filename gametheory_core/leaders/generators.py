"""Hypothesis strategies for two-player games with a leader, and for policies of both players.

Both players observe a function of the state.
"""

from fractions import Fraction
from itertools import product
from typing import Any

from gametheory_core.arrays import ONE
from gametheory_core.conversions.from_tables import posg_from_tables
from gametheory_core.leaders.policies import (
    DeterministicLeader,
    MemoizedLeader,
    StationaryFollower,
    StochasticLeader,
    TimedFollower,
)
from gametheory_core.leaders.view import LeaderView, leader_view
from gametheory_core.testing.generators import Draw, st

DISCOUNTS = (ONE, Fraction(9, 10), Fraction(1, 2))
PARTS = (1, 2, 3)  # relative weights of outcomes of laws
LARGEST_REWARD = 5


@st.composite
def leader_games(
    draw: Draw,
    *,
    max_states: int = 4,
    max_observations: int = 3,
    max_actions: int = 3,
    max_horizon: int = 4,
    leader: int | None = None,
    stochastic: bool = True,
    terminal: bool = True,
) -> LeaderView:
    """Draw two-player games with a leader.

    There are 2 to ``max_states`` states (fewer if play cannot reach them), for each player 1 to
    ``max_observations`` observations and 1 to ``max_actions`` actions, all of them legal or, now
    and then, one missing or one alone after an observation. Laws have at most three outcomes, with
    denominators up to 9; if not ``stochastic`` they are certain. The last state may be terminal,
    though play does not surely begin there. Rewards are integers from -5 to 5, the horizon is 1 to
    ``max_horizon``, the discount 1, 9/10 or 1/2. The leader is player 0 or 1 unless said.
    """
    states = list(range(draw(st.integers(2, max_states))))
    ends = {states[-1]} if terminal and draw(st.sampled_from([False, False, True])) else set[int]()
    sizes = st.sampled_from(range(max_actions, 0, -1))  # large ones first: they reach more states
    actions = [tuple("abcdef"[: draw(sizes)]) for _ in range(2)]
    seen = [tuple("uvwxyz"[: draw(st.integers(1, max_observations))]) for _ in range(2)]
    shown = {s: tuple(draw(st.sampled_from(own)) for own in seen) for s in states}
    legal = {(i, o): draw(_legal(actions[i])) for i in range(2) for o in seen[i]}
    number = st.integers(-LARGEST_REWARD, LARGEST_REWARD)
    transitions: dict[Any, Any] = {}
    rewards: dict[Any, Any] = {}
    first = draw(_laws(states, stochastic=stochastic))
    if ends.issuperset(first):
        first = {states[0]: ONE}
    waiting = [s for s in first if s not in ends]
    met = set(waiting)
    while waiting:
        state = waiting.pop()
        for joint in product(*(legal[i, o] for i, o in enumerate(shown[state]))):
            law = transitions[state, joint] = draw(_laws(states, stochastic=stochastic))
            for after in law:
                rewards[state, joint, after] = (draw(number), draw(number))
                if after not in met and after not in ends:
                    met.add(after)
                    waiting.append(after)
    reached = met | set(first) | {after for law in transitions.values() for after in law}
    game = posg_from_tables(
        players=("leader", "follower"),
        actions=actions,
        initial=first,
        transitions=transitions,
        rewards=rewards,
        observations={
            (joint, after): {shown[after]: 1}
            for (_, joint), law in transitions.items()
            for after in law
            if after not in ends
        },
        initial_observations={s: {shown[s]: 1} for s in first if s not in ends},
        legal_actions={
            (i, o): own for (i, o), own in legal.items() if any(shown[s][i] == o for s in met)
        },
        terminal=sorted(ends & reached),
        discount=draw(st.sampled_from(DISCOUNTS)),
    )
    who = draw(st.integers(0, 1)) if leader is None else leader
    return leader_view(game, leader=who, horizon=draw(st.sampled_from(range(1, max_horizon + 1))))


def _legal(actions: tuple[str, ...]) -> "st.SearchStrategy[tuple[str, ...]]":
    fewer = [tuple(a for a in actions if a != left_out) for left_out in actions]
    if len(actions) == 1:
        return st.just(actions)
    return st.sampled_from([actions, actions, actions, *fewer, actions[-1:]])


@st.composite
def _laws(draw: Draw, states: list[int], *, stochastic: bool) -> dict[int, Fraction]:
    size = draw(st.integers(1, min(3, len(states)))) if stochastic else 1
    chosen = draw(st.lists(st.sampled_from(states), min_size=size, max_size=size, unique=True))
    parts = [draw(st.sampled_from(PARTS)) for _ in chosen]
    return {s: Fraction(part, sum(parts)) for s, part in zip(chosen, parts, strict=True)}


@st.composite
def deterministic_leaders(draw: Draw, view: LeaderView) -> DeterministicLeader:
    """Draw deterministic policies of a leader."""
    choices = _choices(view, view.leader)
    return DeterministicLeader(tuple(draw(st.sampled_from(own or (-1,))) for own in choices))


@st.composite
def stochastic_leaders(draw: Draw, view: LeaderView) -> StochasticLeader:
    """Draw policies of a leader who draws afresh, with denominators up to ``3 n`` for n actions."""
    count = len(view.game.actions[view.leader])
    lotteries: list[tuple[Fraction, ...]] = []
    for legal in _choices(view, view.leader):
        parts = {a: draw(st.sampled_from((1, 0, 2, 3))) for a in legal}
        if legal and not any(parts.values()):
            parts[legal[0]] = 1
        total = sum(parts.values())
        lotteries.append(
            tuple(Fraction(parts.get(a, 0), total) for a in range(count)) if legal else ()
        )
    return StochasticLeader(tuple(lotteries))


@st.composite
def memoized_leaders(draw: Draw, view: LeaderView) -> MemoizedLeader:
    """Draw leaders with up to three plans."""
    plans = draw(st.lists(deterministic_leaders(view), min_size=1, max_size=3, unique=True))
    parts = [draw(st.sampled_from(PARTS)) for _ in plans]
    return MemoizedLeader(tuple(plans), tuple(Fraction(part, sum(parts)) for part in parts))


@st.composite
def timed_followers(draw: Draw, view: LeaderView) -> TimedFollower:
    """Draw time-aware policies of a follower."""
    by_state = [
        view.follower_actions(o) if o >= 0 else (-1,) for o in view.follower_observation.tolist()
    ]
    return TimedFollower(
        tuple(tuple(draw(st.sampled_from(own)) for own in by_state) for _ in range(view.horizon))
    )


@st.composite
def stationary_followers(draw: Draw, view: LeaderView) -> StationaryFollower:
    """Draw stationary policies of a follower."""
    choices = _choices(view, view.follower)
    return StationaryFollower(tuple(draw(st.sampled_from(own or (-1,))) for own in choices))


def _choices(view: LeaderView, player: int) -> list[tuple[int, ...]]:
    actions = view.leader_actions if player == view.leader else view.follower_actions
    return [actions(o) for o in range(len(view.game.observations[player]))]
