"""Triggers: where a player may stop obeying a mediator, and the ends of play that this touches.

The player obeys until the *trigger*, and then follows a continuation without the mediator. What is
known then decides which deviations there are:

- before play, nothing; the trigger is the start,
- at an information set ``I`` before its recommendation is seen; it has the weight of parent(I),
- at ``I`` when ``a`` has been recommended there; it has the weight of the sequence ``I a``,
- before play, the whole reduced plan.
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from gametheory_core.evaluation.mixture_plans import MixturePlans, Numbers
from gametheory_core.strategies.sequence_form import PlayerSequences

START = -1  # the place of a trigger that is not at an information set


class ExtensiveCorrelation(Enum):
    """When a player decides whether to obey; the value names the equilibrium."""

    NORMAL_FORM_COARSE = "normal-form coarse correlated"  # before play, knowing nothing
    EXTENSIVE_COARSE = "extensive-form coarse correlated"  # before each recommendation
    EXTENSIVE = "extensive-form correlated"  # after each recommendation
    NORMAL_FORM = "normal-form correlated"  # before play, told the whole plan


@dataclass(frozen=True, eq=False)
class Triggers:
    """The triggers of one player.

    Attributes:
        own: Of the player.
        places (num_triggers,): Own information set where the trigger is, or ``START``.
        weights (num_profiles, num_triggers): The player's own part of the probability that play
            gets to the trigger.
        pair_terminal, pair_trigger (num_pairs,): Each end of play with each trigger from which it
            can be reached.
    """

    own: PlayerSequences
    places: list[int]
    weights: Numbers
    pair_terminal: NDArray[np.int64]
    pair_trigger: NDArray[np.int64]


def triggers_of(plans: MixturePlans, player: int, kind: ExtensiveCorrelation) -> Triggers:
    """List a player's triggers; for whole plans, those of the mixture (pure, trusted)."""
    own, weights = plans.form.players[player], plans.plans[player]
    num_ends = plans.form.terminal_sequences.shape[1]
    if kind is ExtensiveCorrelation.NORMAL_FORM_COARSE:
        everywhere = np.arange(num_ends, dtype=np.int64)
        return Triggers(own, [START], weights[:, :1], everywhere, np.zeros_like(everywhere))
    if kind is ExtensiveCorrelation.NORMAL_FORM:
        distinct, which = np.unique(weights.astype(np.int64), axis=0, return_inverse=True)
        told = which.reshape(-1, 1) == np.arange(len(distinct))
        pairs = np.divmod(np.arange(num_ends * len(distinct)), max(1, len(distinct)))
        return Triggers(own, [START] * len(distinct), told.astype(np.int64), *pairs)
    ends, places = ends_and_places(own, plans.form.terminal_sequences[player])
    if kind is ExtensiveCorrelation.EXTENSIVE_COARSE:
        where = list(range(len(own.infosets)))
        return Triggers(own, where, weights[:, own.parent_sequence], ends, places)
    first = own.first_sequence.astype(np.int64)
    counts = np.diff(first)
    copies = counts[places]
    within = np.arange(copies.sum()) - np.repeat(np.cumsum(copies) - copies, copies)
    sequences = np.repeat(first[places], copies) + within
    where = np.repeat(np.arange(len(counts)), counts).tolist()
    return Triggers(own, where, weights[:, 1:], np.repeat(ends, copies), sequences - 1)


def end_of_sequence(own: PlayerSequences) -> NDArray[np.int64]:
    """Return the own information set at which each sequence ends, ``START`` for the empty one."""
    counts = np.diff(own.first_sequence)
    return np.concatenate([[START], np.repeat(np.arange(len(counts)), counts)]).astype(np.int64)


def ends_and_places(
    own: PlayerSequences, sequences: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pair each end of play, given by own sequences, with each own information set on its path."""
    ends_at = end_of_sequence(own)
    terminals = np.arange(len(sequences), dtype=np.int64)
    current = sequences.astype(np.int64)
    found: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
    while True:
        moved = current > 0
        terminals, current = terminals[moved], current[moved]
        if not len(current):
            break
        found.append((terminals, ends_at[current]))
        current = own.parent_sequence[ends_at[current]].astype(np.int64)
    if not found:
        return terminals, terminals
    return (
        np.concatenate([ends for ends, _ in found]),
        np.concatenate([places for _, places in found]),
    )
