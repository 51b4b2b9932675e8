"""Returns of memoryless policies in POSGs, by the law of the state alone.

A player without memory acts on the last observation, so that states and joint observations suffice
where ``expected_returns`` must tell whole plays apart: time is linear in the number of steps.
"""

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, TypeAlias, cast

from gametheory_core.arrays import ONE, ZERO, ExactArray, exact_array
from gametheory_core.distributions import Distribution
from gametheory_core.errors import UnsupportedGame
from gametheory_core.evaluation.trajectories import MAX_PLAYS, refuse_endless
from gametheory_core.games.checked_rules import checked_posg
from gametheory_core.games.posg import POSG
from gametheory_core.strategies.policies import reactive
from gametheory_core.strategies.remembered import Lottery, remembered, remembered_lotteries

ReactiveTable: TypeAlias = Mapping[Hashable, Distribution[Any]]
Place: TypeAlias = tuple[Any, tuple[Any, ...]]  # state, joint observation


def memoryless_returns(
    game: POSG, tables: Sequence[ReactiveTable], *, max_states: int = MAX_PLAYS
) -> ExactArray:
    """Return each player's expected discounted return, shape (num_players,), exact.

    Args:
        game: With a horizon, or sure to end.
        tables: For each player: last observation -> ``Distribution`` over actions.
        max_states: The most pairs of state and joint observation at a time.

    Raises:
        InvalidStrategy: If a table says nothing where it is asked, or plays an illegal action.
        UnsupportedGame: If there are too many pairs, or play does not end.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from gametheory_core.distributions import evenly
    >>> from gametheory_core.games.information_states import NULL
    >>> game = RepeatedGame.of("prisoners_dilemma", rounds=1000, recall=0)
    >>> coin = {NULL: evenly(["cooperate", "defect"])}
    >>> [str(value) for value in memoryless_returns(game, [coin, coin])]
    ['2250', '2250']
    """
    rules = remembered(checked_posg(game, "memoryless_returns"))
    lottery = remembered_lotteries(rules, tuple(map(reactive, tables)))
    total = [ZERO] * len(rules.players)
    law = _first_places(rules)
    step, factor = 0, ONE
    while law:
        law, paid = _after_a_step(rules, lottery, law, goes_on=step + 1 != rules.horizon)
        total = [before + factor * own for before, own in zip(total, paid, strict=True)]
        if len(law) > max_states:
            raise UnsupportedGame(
                f"memoryless_returns: needs at most max_states = {max_states:,} pairs of state and "
                f"joint observation at a time, but after {step + 1} steps there are {len(law):,}. "
                "Give a shorter horizon (stop_posg), or raise max_states."
            )
        if law and rules.horizon is None:
            refuse_endless("memoryless_returns", step)
        step, factor = step + 1, factor * rules.discount
    return exact_array(total)


def _first_places(rules: POSG) -> dict[Place, Fraction]:
    law: dict[Place, Fraction] = {}
    for state, weight in rules.initial():
        if not rules.is_terminal(state) and rules.horizon != 0:
            for seen, share in rules.initial_observation(state):
                law[state, seen] = weight * share
    return law


def _after_a_step(
    rules: POSG, lottery: Lottery, law: dict[Place, Fraction], *, goes_on: bool
) -> tuple[dict[Place, Fraction], list[Fraction]]:
    """Return the law of where play goes on, and what the step pays each player on average."""
    following: dict[Place, Fraction] = {}
    total = [ZERO] * len(rules.players)
    for (state, seen), weight in law.items():
        for choice in product(*(lottery(i, (o,)) for i, o in enumerate(seen))):
            actions = tuple(a for a, _ in choice)
            played = prod((share for _, share in choice), start=weight)
            for after, odds in rules.transition(state, actions):
                moved = played * odds
                paid = cast("tuple[Fraction, ...]", rules.reward(state, actions, after))
                for i, reward in enumerate(paid):
                    total[i] += moved * reward
                if goes_on and not rules.is_terminal(after):
                    for new, share in rules.observation(actions, after):
                        key = (after, new)
                        following[key] = following.get(key, ZERO) + moved * share
    return following, total
