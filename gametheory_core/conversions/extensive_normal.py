"""Trees to normal form over reduced plans, and Kuhn's way back to behavioral strategies.

A *reduced plan* names an action at every own information set that the plan itself does not rule
out; the others show as ``*``. A player who forgets gets full plans, an action everywhere: the
payoffs are the same, and products of behavioral probabilities are still mixed strategies, but a
mixed strategy need not have a behavioral form (Kuhn 1953).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.arrays import ONE, NumberArray, freeze
from gametheory_core.conversions.conversion import Conversion, Preserved
from gametheory_core.conversions.plans import (
    PlayerPlans,
    compatible_terminals,
    count_plans,
    plan_labels,
    plan_payoffs,
    player_plans,
)
from gametheory_core.distributions import Distribution
from gametheory_core.errors import InvalidArgument, UnsupportedGame, named
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import (
    has_perfect_information,
    has_perfect_recall,
    is_absent_minded,
)
from gametheory_core.strategies.behavioral import BehavioralProfile, check_behavioral_profile
from gametheory_core.strategies.mixed import MixedProfile, check_mixed_profile
from gametheory_core.strategies.sequence_form import chance_reach, local_probabilities

MAX_PROFILES = 1_000_000
MAX_BYTES = 4_000_000_000  # of terminal histories each plan allows, as truth values and as floats
BYTES_OF_A_FLOAT = 8

ExtensiveToNormal: TypeAlias = Conversion[
    ExtensiveFormGame, NormalFormGame, BehavioralProfile, MixedProfile
]


@dataclass(frozen=True, eq=False)
class PlanCorrespondence:
    """Behavioral strategies as distributions over plans, and back.

    Attributes:
        game: The tree.
        target: Its normal form; action ``p`` of player ``i`` is row ``p`` of ``plans[i].actions``.
        plans: One for each player.
    """

    game: ExtensiveFormGame
    target: NormalFormGame
    plans: tuple[PlayerPlans, ...]

    def to_target(self, profile: BehavioralProfile) -> MixedProfile:
        """Give each plan the product of its actions' probabilities; exact on exact profiles.

        Raises:
            InvalidStrategy: If the profile does not fit the tree.
        """
        check_behavioral_profile(self.game, profile)
        return MixedProfile(tuple(_plan_probabilities(own, profile) for own in self.plans))

    def to_source(self, profile: MixedProfile) -> BehavioralProfile:
        """Play each action as often as the plans that choose it; uniform where none gets.

        Raises:
            InvalidStrategy: If the profile does not fit the normal form.
            UnsupportedGame: If a player forgets; the message has the witness.
        """
        check_mixed_profile(self.target, profile)
        recall = has_perfect_recall(self.game)
        if not recall:
            raise UnsupportedGame(
                needs="perfect recall",
                found=recall.reason,
                remedy="A mixed strategy of a player who forgets may have no behavioral form.",
            )
        vectors: list[NumberArray] = []
        for own, strategy in zip(self.plans, profile.strategies, strict=True):
            for k, infoset in enumerate(own.infosets):
                weights = np.zeros(len(self.game.infosets[infoset].actions), dtype=strategy.dtype)
                reached = np.flatnonzero(own.actions[:, k] >= 0)
                np.add.at(weights, own.actions[reached, k], strategy[reached])
                vectors.append(local_probabilities(weights))
        return BehavioralProfile(tuple(vectors))

    def outcome_to_source(self, outcome: Any) -> Distribution[Any]:
        """Return the distribution of terminal nodes under a joint plan, a tuple of positions.

        Raises:
            InvalidArgument: If it is no joint action of the normal form.
        """
        counts = self.target.num_actions
        fits = len(outcome) == len(counts)
        if not fits or any(not 0 <= p < n for p, n in zip(outcome, counts, strict=True)):
            raise InvalidArgument(
                needs=f"one plan each of {counts}",
                found=f"got {outcome!r}",
            )
        live = np.ones(len(self.game.terminals), dtype=bool)
        for own, plan in zip(self.plans, outcome, strict=True):
            live &= compatible_terminals(self.game, own)[plan]
        weights = chance_reach(self.game)[self.game.terminals]
        ends = np.flatnonzero(live & (weights > 0))
        return Distribution(tuple((int(self.game.terminals[t]), weights[t]) for t in ends))


def extensive_to_normal(
    game: ExtensiveFormGame,
    *,
    max_profiles: int = MAX_PROFILES,
    on_iteration: Callable[[int], None] | None = None,
) -> ExtensiveToNormal:
    """Carry a tree to its reduced normal form, with exact payoffs.

    Args:
        game: Any number of players, with chance. Players who forget get full plans.
        max_profiles: The largest number of joint plans to build; they are counted first.
        on_iteration: Called with the number of matrix products so far, after each; may raise to
            stop.

    Returns:
        With perfect recall it preserves payoffs, outcomes, best responses and equilibria both ways;
        without, payoffs and outcomes of behavioral profiles.

    Raises:
        UnsupportedGame: If some player is absent-minded, there are more joint plans than
            ``max_profiles``, or the tables of plans and terminal histories would take more than 4
            GB.

    Plans are exponentially many in the number of information sets. Time is the number of joint
    plans times that of terminal nodes.

    Source: :cite:`kuhn1953extensive`.

    >>> from gametheory_core.games.tree_rules import Decision, Terminal
    >>> from gametheory_core.games.tree_draft import from_sketch
    >>> entry = Decision(0, "", {"out": Terminal([0, 2]), "in": Decision(1, "", {
    ...     "fight": Terminal([-1, -1]), "share": Terminal([1, 1])})})
    >>> tree = from_sketch(entry, players=("Entrant", "Incumbent"))
    >>> extensive_to_normal(tree).target.actions
    (('out', 'in'), ('fight', 'share'))
    """
    absent = is_absent_minded(game)
    if absent:
        raise UnsupportedGame(
            needs="players who know whether they have moved",
            found=absent.reason,
            remedy="A behavioral strategy there is no lottery over plans.",
        )
    _check_size(game, max_profiles)
    plans = tuple(player_plans(game, i) for i in range(game.num_players))
    target = NormalFormGame.from_payoffs(
        plan_payoffs(game, plans, on_iteration=on_iteration),
        players=game.players,
        actions=[plan_labels(game, own) for own in plans],
        title=game.title,
    )
    kept = {Preserved.PAYOFFS_TO_TARGET, Preserved.OUTCOMES_TO_TARGET}
    preserves = frozenset(Preserved if has_perfect_recall(game) else kept)
    return Conversion(game, target, PlanCorrespondence(game, target, plans), preserves)


def too_many_plans(game: ExtensiveFormGame, *, max_profiles: int = MAX_PROFILES) -> str:
    """Say what a normal form would need and a tree has; "" if the tree is small enough.

    >>> from gametheory_core.catalog.index import load
    >>> too_many_plans(load("kuhn_poker"))
    ''
    """
    counts = [count_plans(game, i) for i in range(game.num_players)]
    if math.prod(counts) > max_profiles:
        shown = " x ".join(f"{n:,}" if n < 10**12 else f"1e{int(math.log10(n))}" for n in counts)
        most = f"{named('max_profiles = ')}{max_profiles:,}"
        return f"at most {most} joint plans, but {game!r} has {shown}"
    memory = sum(counts) * (game.num_nodes + BYTES_OF_A_FLOAT * len(game.terminals))
    if memory > MAX_BYTES:
        return (
            f"tables of plans and terminal histories up to {MAX_BYTES / 1e9:.0f} GB, but those of "
            f"{game!r} would take {memory / 1e9:,.0f} GB"
        )
    return ""


def _check_size(game: ExtensiveFormGame, max_profiles: int) -> None:
    missing = too_many_plans(game, max_profiles=max_profiles)
    if missing:
        raise UnsupportedGame(needs=missing, remedy=_without_plans(game))


def _without_plans(game: ExtensiveFormGame) -> str:
    """Name what takes large trees of this kind."""
    if not has_perfect_recall(game):
        return f"Solve a smaller tree{named(', or raise max_profiles')}."
    if game.num_players == 1 or has_perfect_information(game):
        return f"Use subgame_perfect, which needs no plans{named(', or raise max_profiles')}."
    if game.num_players == 2:
        return f"Use sequence_form_lcp, which needs no plans{named(', or raise max_profiles')}."
    return (
        "No exact solver takes a tree of this size with three players and more; "
        "counterfactual_regret gives a certified coarse correlated equilibrium (on the command "
        "line: --concept coarse-correlated)."
    )


def _plan_probabilities(own: PlayerPlans, profile: BehavioralProfile) -> NumberArray:
    share = np.empty(len(own.actions), dtype=object if profile.is_exact else np.float64)
    share[:] = ONE if profile.is_exact else 1.0
    for k, infoset in enumerate(own.infosets):
        reached = np.flatnonzero(own.actions[:, k] >= 0)
        share[reached] *= profile.probabilities[infoset][own.actions[reached, k]]
    return freeze(share)
