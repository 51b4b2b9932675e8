"""Max-entropy certificates: optimal strategies, and a bound on how much entropy they lack.

Let player i's payoffs be ``u`` and the value of the game to player i be ``v``. An optimal strategy
``q`` earns at least ``v`` against every mixed strategy ``z`` of the opponent, so that for every
weight ``w >= 0``

    H(q)  <=  H(q) + w (sum_a q_a u(a, z) - v)  <=  ln sum_a exp(w (u(a, z) - v)),

where the right-hand side is the maximum over all distributions (Gibbs). It only grows if ``v`` is
replaced by a lower bound. With the right ``z`` and ``w`` it is the largest entropy of an optimal
strategy: they are the Lagrange multipliers ``w z`` of that problem.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from gametheory_core.arrays import ZERO, ScaledIntegers
from gametheory_core.certificates.claim import (
    Checkable,
    answer_payoffs,
    bounds_middle,
    bounds_width,
    claim,
    claimed,
)
from gametheory_core.certificates.wording import at_least, at_most, at_most_roughly, written
from gametheory_core.errors import InvalidArgument
from gametheory_core.evaluation.payoffs import largest_value, scaled_action_payoffs
from gametheory_core.evaluation.regrets import Enclosure, entropy_enclosure, log_sum_exp_enclosure
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import payoff_sum, require_two_player_constant_sum
from gametheory_core.strategies.mixed import MixedProfile, check_mixed_profile


def certify_max_entropy(
    game: NormalFormGame,
    profile: MixedProfile,
    *,
    opposition: MixedProfile,
    weights: Sequence[Fraction],
) -> "MaxEntropyCertificate":
    """Measure what both strategies guarantee and how much entropy they may lack.

    Args:
        game: Two players, constant-sum.
        profile: Exact or float; of the game.
        opposition: Exact or float; each player's bound is got by playing against the other's
            strategy here.
        weights: One for each player, at least 0. Any are sound; those of the maximum make bounds
            tight.

    Raises:
        InvalidStrategy: If a profile does not fit the game.
        InvalidArgument: If a weight is missing, negative, or no ``Fraction``.
        UnsupportedGame: If the game has not two players, or is not constant-sum.

    >>> from gametheory_core import load_game, uniform_profile
    >>> pennies = load_game("matching_pennies")
    >>> even = uniform_profile(pennies)
    >>> certificate = certify_max_entropy(
    ...     pennies, even, opposition=even, weights=(Fraction(0), Fraction(0))
    ... )
    >>> float(certificate.entropies[0].lower), certificate.entropy_gap < Fraction(1, 10**24)
    (0.6931471805599453, True)
    """
    require_two_player_constant_sum(game)
    check_mixed_profile(game, profile)
    check_mixed_profile(game, opposition)
    _check_weights(weights)
    exact, against = profile.to_exact(), opposition.to_exact()
    symmetric = is_symmetric_table(game)
    conceded = largest_value(scaled_action_payoffs(game, exact, player=0))
    if symmetric and _is_symmetric(exact):
        taken = conceded
    else:
        taken = largest_value(scaled_action_payoffs(game, exact, player=1))
    total = payoff_sum(game)
    values = (total / 2, total / 2) if symmetric else (total - taken, total - conceded)
    first = _entropy_gap(game, exact, against, weights[0], 0, values[0])
    if symmetric and weights[0] == weights[1] and _is_symmetric(exact) and _is_symmetric(against):
        second = first
    else:
        second = _entropy_gap(game, exact, against, weights[1], 1, values[1])
    return MaxEntropyCertificate(
        game=game,
        profile=exact,
        lower=total - taken,
        upper=conceded,
        entropy_gaps=(first, second),
        opposition=against,
        weights=tuple(weights),
    )


def _too_small(ours: tuple[Fraction, ...], theirs: tuple[Fraction, ...]) -> str:
    """Say which gap is not proved; larger ones than what is proved will do."""
    if len(ours) != len(theirs):
        return f"for {len(ours)} players, but there are {len(theirs)}"
    for gap, proved in zip(ours, theirs, strict=True):
        if not gap >= proved:
            return f"of at most {at_most(gap)} nats, but what is proved is {at_most(proved)}"
    return ""


@claim("max-entropy", measure=certify_max_entropy, proves=("max-entropy",))
class MaxEntropyCertificate(Checkable):
    """The claim that strategies are optimal, and that no optimal ones have much more entropy.

    Attributes:
        game: Two players, constant-sum.
        profile: Rational; the strategies the claim is about.
        lower, upper: Guaranteed payoff of player 0, and the most player 1's strategy concedes.
        entropy_gaps: For each player: no optimal strategy has more entropy than the one in
            ``profile`` plus this, in nats.
        opposition: Rational; each player's bound is got by playing against the other's strategy
            here.
        weights: At least 0; how much that payoff counts in each player's bound, in nats per payoff
            unit.
    """

    game: NormalFormGame
    profile: MixedProfile
    lower: Fraction = claimed()
    upper: Fraction = claimed()
    entropy_gaps: tuple[Fraction, ...] = claimed(fault=_too_small)
    opposition: MixedProfile
    weights: tuple[Fraction, ...]
    payoffs = answer_payoffs
    epsilon = bounds_width
    game_value = bounds_middle

    @property
    def entropy_gap(self) -> Fraction:
        """The larger of both players' gaps, in nats."""
        return max(self.entropy_gaps)

    @property
    def entropies(self) -> tuple[Enclosure, ...]:
        """The entropy of each player's strategy, in nats, between two rationals."""
        return tuple(map(entropy_enclosure, self.profile.strategies))

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        low, high = at_least(self.lower), at_most(self.upper)
        value = f"is {low}, exactly" if low == high else f"lies between {low} and {high}"
        return (
            f"minimax strategies of nearly greatest entropy: the value of the game {value}, and "
            f"no optimal strategy has more than {at_most_roughly(self.entropy_gap)} nats more "
            "entropy"
        )


def is_symmetric_table(game: NormalFormGame) -> bool:
    """Tell whether a two-player game looks exactly the same from both seats.

    If it is constant-sum too, its value is half the sum.
    """
    if game.num_actions[0] != game.num_actions[1]:
        return False
    first, second = game.scaled_floats
    if first is None or second is None:
        return bool(np.array_equal(game.given_payoffs[0], game.given_payoffs[1].T))
    return first.denominator == second.denominator and bool(
        np.array_equal(first.numerators, second.numerators.T)
    )


def _entropy_gap(
    game: NormalFormGame,
    profile: MixedProfile,
    opposition: MixedProfile,
    weight: Fraction,
    player: int,
    value: Fraction,
) -> Fraction:
    """Bound how much more entropy an optimal strategy of the player can have.

    ``value`` is a lower bound on what the game is worth to the player.
    """
    earned = scaled_action_payoffs(game, opposition, player=player)
    factor = weight.numerator * value.denominator
    offset = weight.numerator * value.numerator * earned.denominator
    exponents = ScaledIntegers(
        earned.numerators * factor - offset,
        weight.denominator * value.denominator * earned.denominator,
    )
    most = log_sum_exp_enclosure(exponents).upper
    return max(ZERO, most - entropy_enclosure(profile.strategies[player]).lower)


def _is_symmetric(profile: MixedProfile) -> bool:
    first, second = profile.strategies
    return bool(np.array_equal(first, second))


def _check_weights(weights: Sequence[object]) -> None:
    if len(weights) != 2 or not all(isinstance(w, Fraction) and w >= 0 for w in weights):
        raise InvalidArgument(
            needs="two weights, Fractions of at least 0", found=f"got {written(tuple(weights))}"
        )
