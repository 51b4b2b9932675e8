"""Hypothesis strategies for mediated games and measures of fairness, shrinking to small ones."""

from fractions import Fraction
from typing import Any

from gametheory_core.distributions import Distribution
from gametheory_core.mediation.fairness import Fairness, FairnessKind
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.rules import mediated_game
from gametheory_core.testing.generators import Draw, PayoffKind, payoffs_of_kind, st
from gametheory_core.testing.rule_generators import CERTAIN, DISCOUNTS, WEIGHTS

LARGEST_WEIGHT = 5


@st.composite
def mediated_games(
    draw: Draw,
    *,
    num_players: tuple[int, int] = (2, 3),
    max_states: int = 3,
    max_actions: int = 3,
    max_horizon: int = 4,
    deterministic: bool | None = None,
    kinds: tuple[PayoffKind, ...] = (PayoffKind.DEGENERATE, PayoffKind.RATIONAL),
    discounts: tuple[Fraction, ...] = DISCOUNTS,
    lowest: int | None = None,
) -> MediatedGame:
    """Draw mediated games with a number of players in ``num_players`` (low, high).

    One to ``max_states`` states; play begins in the first, which is no end of play, or with some
    probability in the second; for each player 1 to ``max_actions`` actions, of which one may be
    missing in a state. If ``deterministic`` nothing is drawn in play; if it is False the start and
    steps may have two outcomes, with denominators up to 4; None means either. The horizon is 1 to
    ``max_horizon``. Rewards are of one of ``kinds``; if ``lowest`` is given, whole numbers from
    there to ``lowest + 9`` instead. The discount is one of ``discounts``.
    """
    sure = draw(st.booleans()) if deterministic is None else deterministic
    count = draw(st.integers(*num_players))
    states = list(range(draw(st.integers(1, max_states))))
    actions = ["abcdefgh"[: draw(st.integers(1, max_actions))] for _ in range(count)]
    ends = {state: state > 0 and draw(st.sampled_from([False, False, True])) for state in states}
    rewards = (
        payoffs_of_kind(draw(st.sampled_from(kinds)))
        if lowest is None
        else st.integers(lowest, lowest + 9)
    )
    missing: dict[tuple[int, int], Any] = {}

    def legal(state: int, leader: int) -> tuple[str, ...]:
        own = actions[leader]
        if len(own) > 1 and (state, leader) not in missing:
            missing[state, leader] = draw(st.sampled_from([None, None, *own]))
        return tuple(action for action in own if action != missing.get((state, leader)))

    def play(_state: int, _leader: int, _action: str) -> tuple[Any, Distribution[int]]:
        paid = tuple(Fraction(draw(rewards)) for _ in range(count))
        return paid, _law(draw, draw(st.permutations(states)), sure=sure)

    return mediated_game(
        players=[f"player {i + 1}" for i in range(count)],
        horizon=draw(st.integers(1, max_horizon)),
        initial=_law(draw, states, sure=sure),
        actions=legal,
        play=play,
        is_terminal=ends.__getitem__,
        discount=draw(st.sampled_from(discounts)),
    )


def _law(draw: Draw, states: list[int], *, sure: bool) -> Distribution[int]:
    """Draw a law of the first state listed, unless ``sure`` sometimes also of the second."""
    weights = draw(st.sampled_from(WEIGHTS)) if len(states) > 1 and not sure else CERTAIN[0]
    return Distribution(tuple(zip(states[: len(weights)], weights, strict=True)))


@st.composite
def gini_weights(draw: Draw, *, num_players: int, strict: bool = False) -> tuple[Fraction, ...]:
    """Draw weights that do not increase and sum to 1; ``strict`` ones decrease and are positive."""
    low = int(strict)
    steps = draw(
        st.lists(st.integers(low, LARGEST_WEIGHT), min_size=num_players, max_size=num_players)
    )
    weights = [sum(steps[k:]) for k in range(num_players)]
    weights = weights if weights[0] else [1] * num_players
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


@st.composite
def fairness_measures(draw: Draw, *, num_players: int, nash: bool = True) -> Fairness:
    """Draw a measure of fairness for a number of players; without ``nash``, one of any returns."""
    kinds = [kind for kind in FairnessKind if nash or kind is not FairnessKind.NASH]
    kind = draw(st.sampled_from(kinds))
    if kind is FairnessKind.GINI:
        return Fairness(kind, weights=draw(gini_weights(num_players=num_players)))
    return Fairness(kind)
