"""Deviations from a mediator in a tree: what each player could gain, exactly.

A *deviation* names triggers; from the first of them that is met, the player continues alone, by a
best response to how the others are recommended to play, given what is known at the trigger. With
``dev(t)`` the value of that continuation and ``obey`` what obeying collects, the best deviation is
found from the last information set to the first: at each trigger, the larger of ``dev(t)`` and
of obeying now and deviating later, perhaps. All values are weighted by the probability that play
gets there, so gains are in payoff units from the start of play.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.arguments import require_instance, require_member
from gametheory_core.arrays import ZERO
from gametheory_core.errors import InvalidStrategy
from gametheory_core.evaluation.triggers import (
    START,
    Collected,
    ExtensiveCorrelation,
    MixturePlans,
    as_fraction,
    best_continuation,
    collected,
    mixture_plans,
    scope,
    triggers_of,
)
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import require_tree
from gametheory_core.games.properties import require_perfect_recall
from gametheory_core.strategies.correlated import BehavioralMixture, check_mixture
from gametheory_core.strategies.correlation_plans import end_of_sequence
from gametheory_core.strategies.sequences import PlayerSequences, sequence_form

__all__ = [
    "Choice",
    "ExtensiveCorrelation",
    "ExtensiveDeviations",
    "PlayerDeviation",
    "TriggerDeviation",
    "distance_to",
    "mixture_payoffs",
]

Choice: TypeAlias = tuple[int, int]  # index of an information set in the game, and an action


@dataclass(frozen=True)
class TriggerDeviation:
    """A deviation with one trigger, and its best continuation.

    Attributes:
        player: Who deviates.
        infoset: Where, as an index into the game's information sets; None for the start of play.
        recommended: What the player has been told by then: information sets with actions.
        continuation: What the player then does where the continuation leads: information sets with
            actions.
        gain: Over obeying throughout; payoff units, from the start of play. Negative if obeying is
            better.
    """

    player: int
    infoset: int | None
    recommended: tuple[Choice, ...]
    continuation: tuple[Choice, ...]
    gain: Fraction


@dataclass(frozen=True)
class PlayerDeviation:
    """The best that a player can do against a mediator.

    Attributes:
        gain: Of the best deviation, with any number of triggers; at least 0.
        best_trigger: The single trigger that gains most; None for a player who never moves.
    """

    player: int
    gain: Fraction
    best_trigger: TriggerDeviation | None


@dataclass(frozen=True)
class ExtensiveDeviations:
    """How far a mixture is from an equilibrium of some kind.

    Attributes:
        payoffs: Of each player who obeys.
    """

    kind: ExtensiveCorrelation
    payoffs: tuple[Fraction, ...]
    players: tuple[PlayerDeviation, ...]

    @property
    def epsilon(self) -> Fraction:
        """The largest gain of a deviation; 0 for an exact equilibrium."""
        return max(deviation.gain for deviation in self.players)

    @property
    def total(self) -> Fraction:
        """The sum of all players' largest gains."""
        return sum((deviation.gain for deviation in self.players), ZERO)

    @property
    def witness(self) -> TriggerDeviation | None:
        """The single trigger that gains most; None if no player moves."""
        found = [own.best_trigger for own in self.players if own.best_trigger is not None]
        return max(found, key=lambda deviation: deviation.gain, default=None)


def distance_to(
    game: ExtensiveFormGame, mixture: BehavioralMixture, *, kind: ExtensiveCorrelation
) -> ExtensiveDeviations:
    """Measure how far a mixture is from the correlated equilibria of a kind, exactly.

    Args:
        game: Perfect recall; any number of players, and chance.
        mixture: What the mediator draws from.
        kind: When players decide whether to obey. Whole plans need a mixture of pure profiles.

    Returns:
        ``epsilon`` is the distance, ``witness`` a deviation.

    Raises:
        UnsupportedGame: If the game is no tree, or a player forgets.
        InvalidStrategy: If the mixture does not fit the game, or is to be told as whole plans and
            is not pure.

    A deviator gets no recommendations after the trigger (Gordon, Greenwald and Marks 2008). Time is
    linear in profiles times pairs of a terminal history with a trigger on its path.

    Sources:
        B. von Stengel and F. Forges (2008), "Extensive-form correlated equilibrium: definition and
            computational complexity", Mathematics of Operations Research 33, 1002-1022.
        G. Farina, T. Bianchi and T. Sandholm (2020), "Coarse correlation in extensive-form games",
            AAAI.

    >>> from gametheory_core import load_game, uniform_behavior
    >>> from gametheory_core.strategies import behavioral_mixture
    >>> kuhn = load_game("kuhn_poker")
    >>> uniform = behavioral_mixture([uniform_behavior(kuhn)])
    >>> str(distance_to(kuhn, uniform, kind=ExtensiveCorrelation.EXTENSIVE).epsilon)
    '13/24'
    """
    require_tree(game)
    require_member(kind, ExtensiveCorrelation, name="kind")
    plans = _plans(game, mixture)
    if kind is ExtensiveCorrelation.NORMAL_FORM:
        _require_pure(mixture)
    found = [_player_deviation(plans, i, kind) for i in range(game.num_players)]
    return ExtensiveDeviations(
        kind, tuple(payoff for payoff, _ in found), tuple(deviation for _, deviation in found)
    )


def mixture_payoffs(game: ExtensiveFormGame, mixture: BehavioralMixture) -> tuple[Fraction, ...]:
    """Return each player's expected payoff when all obey, exactly."""
    require_tree(game)
    plans = _plans(game, mixture)
    start = ExtensiveCorrelation.NORMAL_FORM_COARSE
    found = [collected(plans, triggers_of(plans, i, start)) for i in range(game.num_players)]
    return tuple(as_fraction(sum(own.by_profile), own.denominator) for own in found)


def _plans(game: ExtensiveFormGame, mixture: BehavioralMixture) -> MixturePlans:
    require_instance(mixture, BehavioralMixture, name="mixture")
    check_mixture(game, mixture)
    require_perfect_recall(
        game, remedy="Measure a CorrelatedDistribution on extensive_to_normal(game).target instead."
    )
    return mixture_plans(sequence_form(game), mixture)


def _require_pure(mixture: BehavioralMixture) -> None:
    if not mixture.is_pure:
        raise InvalidStrategy(
            needs="pure profiles where players are told whole plans",
            found="the mixture has one that mixes",
            remedy="Expand it into pure profiles, or choose another kind.",
        )


def _player_deviation(
    plans: MixturePlans, player: int, kind: ExtensiveCorrelation
) -> tuple[Fraction, PlayerDeviation]:
    found = collected(plans, triggers_of(plans, player, kind))
    own, places = found.triggers.own, found.triggers.places
    payoff = sum(found.by_profile)
    alone = [
        best_continuation(own, place, values).value
        for place, values in zip(places, found.alone, strict=True)
    ]
    followed = _followed(found, kind)
    best = _best_value(found, kind, alone, followed) - payoff
    trigger = None
    if own.infosets:
        gains = [dev - obey for dev, obey in zip(alone, followed, strict=True)]
        trigger = _described(plans, found, kind, gains)
    gain = as_fraction(best, found.denominator)
    return as_fraction(payoff, found.denominator), PlayerDeviation(player, gain, trigger)


def _followed(found: Collected, kind: ExtensiveCorrelation) -> list[Any]:
    """Return what obeying collects below each trigger."""
    own = found.triggers.own
    if kind is ExtensiveCorrelation.NORMAL_FORM:
        told = found.triggers.weights.T != 0
        return [sum(found.by_profile[k] for k in np.flatnonzero(row)) for row in told]
    below = list(found.obeyed)
    first, parents = own.first_sequence.tolist(), own.parent_sequence.tolist()
    at_place = [0] * len(parents)
    for k in reversed(range(len(parents))):
        at_place[k] = sum(below[first[k] : first[k + 1]])
        below[parents[k]] += at_place[k]
    if kind is ExtensiveCorrelation.EXTENSIVE:
        return below[1:]
    return at_place if kind is ExtensiveCorrelation.EXTENSIVE_COARSE else below[:1]


def _best_value(
    found: Collected, kind: ExtensiveCorrelation, alone: list[Any], followed: list[Any]
) -> Any:
    """Return what the best deviation gets, with as many triggers as it likes."""
    if kind in (ExtensiveCorrelation.NORMAL_FORM, ExtensiveCorrelation.NORMAL_FORM_COARSE):
        return sum(map(max, alone, followed))
    own, values = found.triggers.own, list(found.obeyed)
    first, parents = own.first_sequence.tolist(), own.parent_sequence.tolist()
    is_seen = kind is ExtensiveCorrelation.EXTENSIVE
    for k in reversed(range(len(parents))):
        start, stop = first[k], first[k + 1]
        if is_seen:
            here = sum(map(max, values[start:stop], alone[start - 1 : stop - 1]))
        else:
            here = max(sum(values[start:stop]), alone[k])
        values[parents[k]] += here
    return values[0]


def _described(
    plans: MixturePlans, found: Collected, kind: ExtensiveCorrelation, gains: list[Any]
) -> TriggerDeviation:
    own = found.triggers.own
    trigger = gains.index(max(gains))
    place = found.triggers.places[trigger]
    best = best_continuation(own, place, found.alone[trigger])
    if kind is ExtensiveCorrelation.NORMAL_FORM:
        profile = int(np.flatnonzero(found.triggers.weights[:, trigger])[0])
        told = np.flatnonzero(plans.plans[own.player][profile])[1:].tolist()
    elif kind is ExtensiveCorrelation.EXTENSIVE:
        told = _prefixes(own, trigger + 1)
    else:
        told = [] if place == START else _prefixes(own, int(own.parent_sequence[place]))
    return TriggerDeviation(
        player=own.player,
        infoset=None if place == START else own.infosets[place],
        recommended=tuple(_choice(own, s) for s in told),
        continuation=_continued(own, place, best.actions),
        gain=as_fraction(gains[trigger], found.denominator),
    )


def _continued(own: PlayerSequences, place: int, actions: dict[int, int]) -> tuple[Choice, ...]:
    """Keep the actions at information sets to which the continuation itself leads."""
    reached = {0} if place == START else {int(own.parent_sequence[place])}
    kept: list[Choice] = []
    for k in scope(own, place):
        if int(own.parent_sequence[k]) in reached:
            kept.append((own.infosets[k], actions[k]))
            reached.add(int(own.first_sequence[k]) + actions[k])
    return tuple(kept)


def _prefixes(own: PlayerSequences, sequence: int) -> list[int]:
    """Return the nonempty prefixes of an own sequence, itself included, shortest first."""
    ends_at, found = end_of_sequence(own), list[int]()
    while sequence > 0:
        found.append(sequence)
        sequence = int(own.parent_sequence[ends_at[sequence]])
    return found[::-1]


def _choice(own: PlayerSequences, sequence: int) -> Choice:
    place = int(end_of_sequence(own)[sequence])
    return own.infosets[place], sequence - int(own.first_sequence[place])
