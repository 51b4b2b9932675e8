"""Hypothesis strategies for Markov games, in which everybody sees the state, and for profiles.

A game shrinks to one state, one action each, one step and zero rewards.
"""

from fractions import Fraction
from itertools import product
from typing import Any

from gametheory_core.arrays import ONE, ZERO
from gametheory_core.conversions.from_tables import posg_from_tables
from gametheory_core.games.markov_view import MarkovView
from gametheory_core.strategies.markov_policies import Lottery, MarkovProfile
from gametheory_core.testing.generators import Draw, PayoffKind, payoffs_of_kind, st
from gametheory_core.testing.rule_generators import CERTAIN, WEIGHTS

HORIZON_DISCOUNTS = (ONE, Fraction(9, 10), Fraction(1, 2), ZERO)
STOP_CHANCES = (Fraction(1, 2), Fraction(1, 10))
STOPPED = "stopped"
ENDLESS_DISCOUNTS = (Fraction(1, 2), Fraction(9, 10), ZERO)


@st.composite
def markov_games(
    draw: Draw,
    *,
    num_players: tuple[int, int] = (1, 3),
    max_states: int = 3,
    max_actions: int = 2,
    max_horizon: int | None = 3,
    zero_sum: bool = False,
    stopping: bool = False,
    kinds: tuple[PayoffKind, ...] = (PayoffKind.DEGENERATE, PayoffKind.RATIONAL),
) -> MarkovView:
    """Draw Markov games with a number of players in ``num_players`` (low, high).

    At most ``max_states`` states, the first not terminal; in each state 1 to ``max_actions`` legal
    actions of each player. Laws have at most two outcomes, with denominators up to 4. The horizon
    is 1 to ``max_horizon`` and the discount 1, 9/10, 1/2 or 0; with ``max_horizon=None`` there is
    no horizon and the discount is below 1. If ``stopping``, each step also ends play by a chance of
    1/2 or 1/10, in a state of its own, and the discount may be 1 in any case. Rewards are of one of
    ``kinds``; ``zero_sum`` makes two-player games unless ``num_players`` says else.
    """
    count = draw(st.integers(*((2, 2) if zero_sum and num_players == (1, 3) else num_players)))
    states = [f"s{k}" for k in range(draw(st.integers(1, max_states)))]
    ends = {s for s in states[1:] if draw(st.sampled_from([False, False, True]))}
    actions = ["abcdefgh"[:max_actions]] * count
    legal = {
        (i, s): actions[i][: draw(st.integers(1, max_actions))]
        for s in states
        if s not in ends
        for i in range(count)
    }
    stop = draw(st.sampled_from(STOP_CHANCES)) if stopping else ZERO
    if stop:
        ends.add(STOPPED)
    payoff = payoffs_of_kind(draw(st.sampled_from(kinds)))
    first = draw(_laws(states))
    if ends.issuperset(first):
        first = {states[0]: ONE}
    transitions: dict[Any, Any] = {}
    rewards: dict[Any, Any] = {}
    waiting = [s for s in first if s not in ends]
    met = set(waiting)
    while waiting:
        state = waiting.pop()
        for joint in product(*(legal[i, state] for i in range(count))):
            law = {after: (1 - stop) * weight for after, weight in draw(_laws(states)).items()}
            transitions[state, joint] = law = law | ({STOPPED: stop} if stop else {})
            for after in law:
                rewards[state, joint, after] = _rewards(draw, payoff, count, zero_sum=zero_sum)
            fresh = [after for after in law if after not in met and after not in ends]
            met.update(fresh)
            waiting.extend(fresh)
    entered = {(joint, after) for (_, joint), law in transitions.items() for after in law}
    reached = met | set(first) | {after for _, after in entered}
    game = posg_from_tables(
        players=tuple(f"player {i + 1}" for i in range(count)),
        actions=actions,
        initial=first,
        transitions=transitions,
        rewards=rewards,
        observations={pair: {(pair[1],) * count: 1} for pair in entered if pair[1] not in ends},
        initial_observations={s: {(s,) * count: 1} for s in first if s not in ends},
        legal_actions={key: tuple(own) for key, own in legal.items() if key[1] in met},
        terminal=sorted(ends & reached),
        discount=draw(
            st.sampled_from(
                ENDLESS_DISCOUNTS if max_horizon is None and not stopping else HORIZON_DISCOUNTS
            )
        ),
        horizon=None if max_horizon is None else draw(st.integers(1, max_horizon)),
    )
    return MarkovView(game)


@st.composite
def markov_profiles(draw: Draw, view: MarkovView, *, stationary: bool = False) -> MarkovProfile:
    """Draw profiles of a game: exact lotteries by state, and by time unless ``stationary``."""
    layers = [view.acting] if stationary else view.layers
    rounds = []
    for layer in layers:
        row: list[tuple[Lottery, ...]] = [()] * view.num_states
        for state in layer.tolist():
            row[state] = tuple(
                draw(_lotteries(own, len(labels)))
                for own, labels in zip(view.legal[state], view.game.actions, strict=True)
            )
        rounds.append(tuple(row))
    return MarkovProfile(tuple(rounds), is_stationary=stationary)


@st.composite
def _laws(draw: Draw, outcomes: list[str]) -> dict[str, Fraction]:
    first = draw(st.sampled_from(outcomes))
    weights = draw(st.sampled_from(WEIGHTS if len(outcomes) > 1 else CERTAIN))
    if len(weights) == 1:
        return {first: ONE}
    second = draw(st.sampled_from([x for x in outcomes if x != first]))
    return {first: weights[0], second: weights[1]}


@st.composite
def _lotteries(draw: Draw, legal: tuple[int, ...], count: int) -> Lottery:
    law = draw(_laws(list(map(str, legal))))
    return tuple(law.get(str(action), ZERO) for action in range(count))


def _rewards(
    draw: Draw,
    payoff: "st.SearchStrategy[Any]",
    count: int,
    *,
    zero_sum: bool,
) -> tuple[Fraction, ...]:
    drawn = [Fraction(draw(payoff)) for _ in range(count)]
    if zero_sum:
        drawn[-1] = -sum(drawn[:-1], ZERO)
    return tuple(drawn)
