"""Bayesian games to normal form (Harsanyi 1968): the follower plans an action for every type.

The follower's actions there are *plans*, functions from types to actions. A plan pays what its
actions pay, averaged over the prior.

Small security games become Bayesian games with every set of covered targets written out.
"""

import math
from dataclasses import dataclass
from itertools import combinations, product
from math import comb
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.arguments import label_or_number, require_integer
from gametheory_core.arrays import ONE, ZERO, ExactArray, NumberArray, as_exact, as_float, freeze
from gametheory_core.conversions.conversion import Conversion, Preserved
from gametheory_core.distributions import Distribution
from gametheory_core.errors import InvalidArgument, UnsupportedGame, named
from gametheory_core.games.bayesian import COVERED, UNCOVERED, BayesianGame, SecurityGame
from gametheory_core.games.kinds import require_bayesian, require_security
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile, check_mixed_profile

MAX_PROFILES = 1_000_000

HarsanyiTransform: TypeAlias = Conversion[BayesianGame, NormalFormGame, MixedProfile, MixedProfile]


@dataclass(frozen=True, eq=False)
class TypePlans:
    """Strategies of each type as distributions over plans, and back.

    Attributes:
        target: Column ``k`` is ``plans[k]``.
        plans: For each plan, the action of each type; the last type's varies fastest.
    """

    source: BayesianGame
    target: NormalFormGame
    plans: tuple[tuple[int, ...], ...]

    def to_target(self, profile: MixedProfile) -> MixedProfile:
        """Give each plan the product of its actions' probabilities."""
        check_mixed_profile(self.source, profile)
        leader, *types = (as_exact(strategy) for strategy in profile.to_exact().strategies)
        weights = np.array([ONE], dtype=object)
        for strategy in types:
            weights = np.multiply.outer(weights, strategy).ravel()
        exact = MixedProfile((leader, weights))
        return exact if profile.is_exact else MixedProfile(tuple(map(as_float, exact.strategies)))

    def to_source(self, profile: MixedProfile) -> MixedProfile:
        """Play each action of a type as often as the plans that choose it."""
        check_mixed_profile(self.target, profile)
        leader, weights = profile.strategies
        shape = self.source.num_actions[1:]
        table = weights.reshape(shape)
        marginals = [
            table.sum(axis=tuple(other for other in range(len(shape)) if other != t))
            for t in range(len(shape))
        ]
        return MixedProfile((leader, *marginals))

    def outcome_to_source(self, outcome: Any) -> Distribution[tuple[int, int, int]]:
        """Return the distribution of type, row and follower's action under a row and a plan."""
        counts = self.target.num_actions
        if len(outcome) != 2 or any(not 0 <= a < n for a, n in zip(outcome, counts, strict=True)):
            raise InvalidArgument(needs=f"a row and a plan of {counts}", found=f"got {outcome!r}")
        row, plan = outcome
        return Distribution(
            tuple(
                ((t, row, self.plans[plan][t]), probability)
                for t, probability in enumerate(self.source.prior)
            )
        )


def harsanyi_transform(
    game: BayesianGame, *, max_profiles: int = MAX_PROFILES
) -> HarsanyiTransform:
    """Carry a Bayesian game to the normal form in which the follower plans for every type.

    Args:
        max_profiles: The largest number of joint actions to build; they are counted first.

    Returns:
        Profiles of the Bayesian game hold the leader's strategy, then one for each type. Payoffs
        are those of leader and follower before the type is drawn.

    Raises:
        UnsupportedGame: If there are more joint actions than ``max_profiles``: plans multiply with
            every type.

    Source: :cite:`harsanyi1968bayesian`, Part II.

    >>> from gametheory_core import load_game
    >>> game = load_game("house_patrol")
    >>> harsanyi_transform(game).target.num_actions
    (6, 9)
    """
    require_bayesian(game)
    require_integer(max_profiles, name="max_profiles", low=1)
    counts = game.num_actions
    if math.prod(counts) > max_profiles:
        shown = " x ".join(map(str, counts))
        raise UnsupportedGame(
            needs=f"at most {named('max_profiles = ')}{max_profiles:,} joint actions",
            found=f"{game!r} has {shown}, plans for every type",
            remedy="Use bayesian_stackelberg, which needs no plans"
            f"{named(', or raise max_profiles')}.",
        )
    plans = tuple(product(*map(range, counts[1:])))
    target = NormalFormGame.from_payoffs(
        _payoffs(game),
        players=game.players,
        actions=(game.leader_actions, [_plan_label(game, plan) for plan in plans]),
        title=game.title,
    )
    kept = frozenset(Preserved) - {Preserved.BEST_RESPONSES, Preserved.NASH}  # of types, not one
    return Conversion(game, target, TypePlans(game, target, plans), kept)


def _payoffs(game: BayesianGame) -> ExactArray:
    first, *others = game.num_actions
    total = np.full((2, first, *others), ZERO, dtype=object)
    for t, (probability, one) in enumerate(zip(game.prior, game.games, strict=True)):
        shape = [1] * len(others)
        shape[t] = others[t]
        total = total + (one.exact_payoffs * probability).reshape((2, first, *shape))
    return freeze(total.reshape(2, first, -1))


def _plan_label(game: BayesianGame, plan: tuple[int, ...]) -> str:
    if game.num_types == 1:
        return game.follower_actions[0][plan[0]]
    return " ".join(
        f"{label_or_number(label, t + 1)}: {label_or_number(own[action], action + 1)}"
        for t, (label, own, action) in enumerate(
            zip(game.types, game.follower_actions, plan, strict=True)
        )
    )


MAX_COVERAGES = 20_000


def security_to_bayesian(game: SecurityGame, *, max_coverages: int = MAX_COVERAGES) -> BayesianGame:
    """Write a security game as a Bayesian game, in which the defender leads.

    Args:
        max_coverages: The largest number of sets of covered targets to build; they are counted
            first.

    Returns:
        The leader's actions are ``coverages(game)``, the actions of each type the targets.

    Raises:
        UnsupportedGame: If there are more coverages than ``max_coverages``.

    >>> from gametheory_core import load_game
    >>> security_to_bayesian(load_game("guarded_targets:targets=4,resources=2")).num_actions
    (11, 4)
    """
    require_security(game)
    require_integer(max_coverages, name="max_coverages", low=1)
    sets = coverages(game, max_coverages=max_coverages)
    is_covered = np.zeros((len(sets), game.num_targets), dtype=bool)
    for row, coverage in enumerate(sets):
        is_covered[row, list(coverage)] = True
    labels = [_coverage_label(game, coverage) for coverage in sets]
    tables = [_table(of_type, is_covered) for of_type in game.given_payoffs]
    return BayesianGame(
        game.types,
        game.prior,
        tuple(
            NormalFormGame.from_payoffs(
                table, players=game.players, actions=(labels, game.targets), title=game.title
            )
            for table in tables
        ),
        game.title,
    )


def security_to_normal(game: SecurityGame, *, max_coverages: int = MAX_COVERAGES) -> NormalFormGame:
    """Write a security game with one type of attacker as a normal form.

    Args:
        game: One type of attacker.
        max_coverages: The largest number of sets of covered targets to build; they are counted
            first.

    Returns:
        The defender's actions are ``coverages(game)``, the attacker's the targets.

    Raises:
        UnsupportedGame: If there are several types, or more coverages than ``max_coverages``.

    >>> from gametheory_core import load_game
    >>> security_to_normal(load_game("guarded_targets:targets=3,resources=1")).actions[0]
    ('none', 'gate 1', 'gate 2', 'gate 3')
    """
    require_security(game)
    require_integer(max_coverages, name="max_coverages", low=1)
    if game.num_types != 1:
        raise UnsupportedGame(
            needs="one type of attacker",
            found=f"{game!r} has {game.num_types}",
            remedy="Use harsanyi_transform(security_to_bayesian(game)).target.",
        )
    return security_to_bayesian(game, max_coverages=max_coverages).games[0]


def coverages(
    game: SecurityGame, *, max_coverages: int = MAX_COVERAGES
) -> tuple[tuple[int, ...], ...]:
    """List the sets of targets that the resources can cover, small sets first."""
    count = sum(comb(game.num_targets, size) for size in range(game.resources + 1))
    if count > max_coverages:
        raise UnsupportedGame(
            needs=f"at most max_coverages = {max_coverages:,} sets of targets",
            found=f"{game!r} has {count:,}",
            remedy="Use security_stackelberg, which needs no list, or raise max_coverages.",
        )
    sizes = range(game.resources + 1)
    return tuple(
        coverage for size in sizes for coverage in combinations(range(game.num_targets), size)
    )


def _table(payoffs: NumberArray, is_covered: np.ndarray) -> NumberArray:
    """Return the payoffs of one type, shape (2, coverages, targets)."""
    return np.where(is_covered, payoffs[:, None, COVERED], payoffs[:, None, UNCOVERED])


def _coverage_label(game: SecurityGame, coverage: tuple[int, ...]) -> str:
    names = [game.targets[i] or label_or_number("", i + 1) for i in coverage]
    return " + ".join(names) or "none"
