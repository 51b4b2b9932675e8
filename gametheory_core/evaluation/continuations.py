"""What a deviator collects after each trigger, and the best way to go on from there."""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import scaled_integers
from gametheory_core.evaluation.mixture_plans import MixturePlans, Numbers
from gametheory_core.evaluation.triggers import START, Triggers
from gametheory_core.strategies.sequence_form import PlayerSequences

INT64_BITS = 62


@dataclass(frozen=True, eq=False)
class Collected:
    """Payoffs of one player by trigger and own sequence; numerators over one denominator.

    Attributes:
        alone (num_triggers): Own sequence -> what is collected at its ends of play by a deviator
            who plays it after the trigger; triggers that no profile leads to are empty.
        obeyed (num_sequences): What is collected at each sequence's ends of play by obeying.
        by_profile (num_profiles): What obeying collects in each profile.
    """

    triggers: Triggers
    alone: list[dict[int, Any]]
    obeyed: list[Any]
    by_profile: list[Any]
    denominator: int


@dataclass(frozen=True, eq=False)
class Continuation:
    """The best continuation: its value, and the action at each own information set below."""

    value: Any
    actions: dict[int, int]


def collected(plans: MixturePlans, triggers: Triggers) -> Collected:
    """Add up a player's payoffs over profiles and ends of play."""
    form, player = plans.form, triggers.own.player
    chance = scaled_integers(form.chance_weight)
    payoffs = scaled_integers(form.game.exact_terminal_payoffs[:, player])
    stakes = _shortest(chance.numerators * payoffs.numerators, plans)
    sequences = form.terminal_sequences[player]
    codes, cell = np.unique(
        triggers.pair_trigger * triggers.own.num_sequences + sequences[triggers.pair_terminal],
        return_inverse=True,
    )
    sums = np.zeros(len(codes), dtype=stakes.dtype)
    obeyed = np.zeros(triggers.own.num_sequences, dtype=stakes.dtype)
    by_profile: list[Any] = []
    is_met = triggers.weights != 0
    for k in range(plans.num_profiles):
        worth, is_live = _worth(plans, player, stakes, k)
        met = np.flatnonzero(is_live[triggers.pair_terminal] & is_met[k][triggers.pair_trigger])
        weights = triggers.weights[k][triggers.pair_trigger[met]]
        np.add.at(sums, cell.ravel()[met], worth[triggers.pair_terminal[met]] * weights)
        live = np.flatnonzero(is_live)
        paid = worth[live] * plans.plans[player][k, sequences[live]]
        np.add.at(obeyed, sequences[live], paid)
        by_profile.append(sum(paid.tolist()))
    denominator = plans.denominator * chance.denominator * payoffs.denominator
    alone = _by_trigger(triggers, codes, sums)
    return Collected(triggers, alone, obeyed.tolist(), by_profile, denominator)


def best_continuation(own: PlayerSequences, place: int, values: dict[int, Any]) -> Continuation:
    """Find the best way to go on from an own information set, or from the start.

    Args:
        place: Index of the own information set, or ``START``.
        values: Own sequence -> what is collected at its ends of play. Zero where it is left out.
    """
    first, parents = own.first_sequence.tolist(), own.parent_sequence.tolist()
    values, actions = dict(values), dict[int, int]()
    for k in reversed(scope(own, place)):
        options = [values.get(s, 0) for s in range(first[k], first[k + 1])]
        best = max(options)
        actions[k] = options.index(best)
        if k == place:
            return Continuation(best, actions)
        if best:
            values[parents[k]] = values.get(parents[k], 0) + best
    return Continuation(values.get(0, 0), actions)


def scope(own: PlayerSequences, place: int) -> list[int]:
    """Return the own information sets at and below one, in order of first visit."""
    if place == START:
        return list(range(len(own.infosets)))
    first, parents = own.first_sequence.tolist(), own.parent_sequence.tolist()
    found, below = [place], set(range(first[place], first[place + 1]))
    for k in range(place + 1, len(parents)):
        if parents[k] in below:
            found.append(k)
            below.update(range(first[k], first[k + 1]))
    return found


def _worth(
    plans: MixturePlans, player: int, stakes: Numbers, profile: int
) -> tuple[Numbers, NDArray[np.bool_]]:
    """Return what each end of play is worth with the others' plans, and where they allow it."""
    worth = stakes * plans.factors[profile]
    is_live = stakes != 0
    for other, sequences in enumerate(plans.form.terminal_sequences):
        if other != player:
            weights = plans.plans[other][profile, sequences]
            is_live &= weights != 0
            worth = worth * weights
    return worth, is_live


def _shortest(stakes: Numbers, plans: MixturePlans) -> Numbers:
    """Use machine integers where no sum can overflow: pure plans, whose factors add up to one."""
    is_pure = all(own.dtype == np.int64 for own in plans.plans)
    largest = sum(map(abs, cast("list[int]", stakes.tolist()))) * plans.denominator
    is_whole = all(type(factor) is int for factor in plans.factors)
    if is_pure and is_whole and largest.bit_length() < INT64_BITS:
        return stakes.astype(np.int64)
    return stakes


def _by_trigger(
    triggers: Triggers, codes: NDArray[np.int64], sums: Numbers
) -> list[dict[int, Any]]:
    alone: list[dict[int, Any]] = [{} for _ in triggers.places]
    which, sequences = np.divmod(codes, triggers.own.num_sequences)
    rows = zip(which.tolist(), sequences.tolist(), sums.tolist(), strict=True)
    for trigger, sequence, value in rows:
        if value:
            alone[trigger][sequence] = value
    return alone
