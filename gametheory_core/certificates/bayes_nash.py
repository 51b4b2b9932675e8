"""Bayes-Nash certificates: the leader, and each type of the follower, play best replies.

A profile of a Bayesian game is a *Bayes-Nash equilibrium* (Harsanyi 1967-68) if the leader, who
does not see the type, cannot earn more on average over the prior, and no type can earn more. Types
are drawn with positive probability, so that it is the same to ask that no plan for all types earns
more before the draw.

Completeness: a list of all *extreme* ones, of which every Bayes-Nash equilibrium is a mixture. What
an action earns is linear in the other side's strategies, and a pair is an equilibrium if and only
if all that is played on one side is a best reply to the other. So both products of simplices are
cut into parts where the same replies are best, and their vertices are paired.
"""

from fractions import Fraction
from itertools import accumulate, pairwise, product

import numpy as np

from gametheory_core.arguments import number_of
from gametheory_core.arrays import as_exact, object_array, scaled_integers
from gametheory_core.certificates.claim import (
    Checkable,
    CheckableFact,
    claim,
    claimed,
    gains_statement,
    largest_gain,
    not_the_same_set,
)
from gametheory_core.certificates.reply_partitions import Point, Rows, Side
from gametheory_core.certificates.wording import require_exact_profile
from gametheory_core.evaluation.payoffs import bayesian_payoffs
from gametheory_core.games.bayesian import BayesianGame
from gametheory_core.games.kinds import require_bayesian
from gametheory_core.strategies.mixed import MixedProfile, check_mixed_profile

KIND = "bayes-nash"


def certify_bayes_nash(game: BayesianGame, profile: MixedProfile) -> "BayesNashCertificate":
    """Measure a profile of a Bayesian game exactly and state the result as a certificate.

    Args:
        profile: The leader's strategy, then one for each type; a float one is measured as the
            rational profile it means.

    Raises:
        InvalidStrategy: If the profile does not fit the game.

    >>> from gametheory_core import load_game, uniform_profile
    >>> patrol = load_game("house_patrol")
    >>> certify_bayes_nash(patrol, uniform_profile(patrol)).epsilon
    Fraction(1, 2)
    """
    require_bayesian(game)
    check_mixed_profile(game, profile)
    exact = profile.to_exact()
    require_exact_profile(game, exact, kind=KIND)
    leader, *types = map(as_exact, exact.strategies)
    own = sum(
        (
            p * (one.exact_payoffs[0] @ strategy)
            for p, one, strategy in zip(game.prior, game.games, types, strict=True)
        ),
        np.zeros(1, dtype=object),
    )
    best = [max(own), *(max(leader @ one.exact_payoffs[1]) for one in game.games)]
    payoffs = bayesian_payoffs(game, exact)
    gains = tuple(Fraction(high - paid) for high, paid in zip(best, payoffs, strict=True))
    return BayesNashCertificate(game, exact, payoffs, gains)


@claim(KIND, measure=certify_bayes_nash, proves=("nash", "all-nash"))
class BayesNashCertificate(Checkable):
    """The claim that the leader, and each type, gain exactly ``deviation_gains`` by deviating.

    Attributes:
        profile: Rational: the leader's strategy, then one for each type.
        payoffs: What the leader gets on average over the prior, then what each type gets.
        deviation_gains: Best-response value minus own payoff, of the leader and of each type;
            payoff units.
    """

    game: BayesianGame
    profile: MixedProfile
    payoffs: tuple[Fraction, ...] = claimed()
    deviation_gains: tuple[Fraction, ...] = claimed()
    epsilon = largest_gain

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        who = "neither the leader nor any type of the follower"
        return gains_statement(self, "Bayes-Nash equilibrium", who=who)


def certify_bayes_nash_completeness(game: BayesianGame) -> "BayesNashCompletenessCertificate":
    """List all extreme Bayes-Nash equilibria and state that these are all.

    Meant for checking: simple, not fast. Time grows exponentially with the number of types.

    >>> from gametheory_core import load_game
    >>> len(certify_bayes_nash_completeness(load_game("house_patrol")).profiles)
    8
    """
    require_bayesian(game)
    leader, types = _sides(game)
    pairs = product(leader.points(), types.points())
    found = [(x, y) for x, y in pairs if x.played <= y.best and y.played <= x.best]
    isolated = [(x, y) for x, y in found if not any((x is v) != (y is w) for v, w in found)]
    return BayesNashCompletenessCertificate(
        game,
        tuple(_profile(types, x, y) for x, y in found),
        tuple(_profile(types, x, y) for x, y in isolated),
    )


@claim("bayes-nash-completeness", measure=certify_bayes_nash_completeness, completes=("all-nash",))
class BayesNashCompletenessCertificate(CheckableFact):
    """The claim that ``profiles`` are all extreme Bayes-Nash equilibria of the game.

    Attributes:
        profiles: Rational and different, in any order.
        isolated: Those of them near which there is no other equilibrium.
    """

    game: BayesianGame
    profiles: tuple[MixedProfile, ...] = claimed(fault=not_the_same_set)
    isolated: tuple[MixedProfile, ...] = claimed(fault=not_the_same_set)

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        count = number_of(len(self.profiles), "profile")
        return (
            f"complete: {count}, {len(self.isolated)} of them isolated, and every Bayes-Nash "
            "equilibrium is a mixture of these, for the leader and for the types together"
        )


def _sides(game: BayesianGame) -> tuple[Side, Side]:
    """Return the leader's side and the types', payoffs as integers."""
    weighted = [p * one.exact_payoffs[0] for p, one in zip(game.prior, game.games, strict=True)]
    replies = tuple(_rows(one.exact_payoffs[1].T) for one in game.games)
    ends = list(accumulate(game.num_actions[1:], initial=0))
    blocks = tuple(range(first, stop) for first, stop in pairwise(ends))
    return (
        Side((range(game.num_actions[0]),), replies),
        Side(blocks, (_rows(np.concatenate(weighted, axis=1)),)),
    )


def _rows(table: np.ndarray) -> Rows:
    whole = scaled_integers(object_array(table.ravel().tolist())).numerators
    return list(map(tuple, whole.reshape(table.shape).tolist()))


def _profile(types: Side, x: Point, y: Point) -> MixedProfile:
    parts = [x.weights, *(y.weights[block.start : block.stop] for block in types.blocks)]
    return MixedProfile(
        tuple(object_array([Fraction(w, sum(part)) for w in part]) for part in parts)
    )
