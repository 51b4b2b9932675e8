"""Nash certificates: nobody gains more than epsilon by deviating; epsilon 0 is equilibrium.

Minimax certificates: both sides of a two-player constant-sum game, bounded from its strategies.

Player 0's strategy guarantees ``lower``, player 1's holds player 0 down to ``upper``; the value of
the game lies between, and is known exactly when the two meet.
"""

from fractions import Fraction
from typing import ClassVar, cast

from gametheory_core.certificates.claim import (
    answer_payoffs,
    claim,
    claim_answer,
    claimed,
    verify_claim,
)
from gametheory_core.certificates.wording import at_least, at_most, rationals
from gametheory_core.errors import UnsupportedGame
from gametheory_core.evaluation.deviations import best_response
from gametheory_core.evaluation.payoffs import (
    expected_payoffs,
    expected_value,
    largest_value,
    scaled_action_payoffs,
)
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import require_matrix_or_tree
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import is_constant_sum, payoff_sum
from gametheory_core.strategies.behavioral import BehavioralProfile, Game, Profile, check_profile
from gametheory_core.strategies.mixed import MixedProfile
from gametheory_core.strategies.sequence_form import realization_plan, sequence_form


def certify_nash(game: Game, profile: Profile) -> "NashCertificate":
    """Measure a profile exactly and state the result as a certificate.

    A float profile is measured as the rational profile it means.

    Args:
        profile: Exact or float; of the game.

    Raises:
        InvalidStrategy: If the profile does not fit the game.
        UnsupportedGame: If a player of a tree lacks perfect recall.

    >>> from gametheory_core.games.normal_form import NormalFormGame
    >>> from gametheory_core.strategies.mixed import uniform_profile
    >>> pennies = NormalFormGame.zero_sum([[1, -1], [-1, 1]])
    >>> certify_nash(pennies, uniform_profile(pennies)).epsilon
    Fraction(0, 1)
    """
    require_matrix_or_tree(game)
    check_profile(game, profile)
    exact = profile.to_exact()
    if isinstance(game, NormalFormGame):
        mixed = cast("MixedProfile", exact)
        values = [scaled_action_payoffs(game, mixed, player=i) for i in range(game.num_players)]
        payoffs = tuple(map(expected_value, values, mixed.strategies))
        responses = tuple(map(largest_value, values))
    else:
        payoffs = rationals(expected_payoffs(game, exact))
        responses = tuple(
            cast("Fraction", best_response(game, exact, player=i).value)
            for i in range(game.num_players)
        )
    gains = tuple(best - own for best, own in zip(responses, payoffs, strict=True))
    return NashCertificate(game=game, profile=exact, payoffs=payoffs, deviation_gains=gains)


def _not_pure(certificate: "NashCertificate") -> str:
    """Ask for pure strategies; where own actions exclude an information set, anything will do."""
    game, profile = certificate.game, certificate.profile
    if isinstance(game, ExtensiveFormGame):
        form, behavior = sequence_form(game), cast("BehavioralProfile", profile)
        strategies = tuple(
            realization_plan(form, behavior, player=i).weights for i in range(game.num_players)
        )
    else:
        strategies = cast("MixedProfile", profile).strategies
    if all(weight in (0, 1) for strategy in strategies for weight in strategy.tolist()):
        return ""
    return "this equilibrium is not pure"


@claim(
    "nash",
    measure=certify_nash,
    proves=("nash", "all-nash", "nash-components", "quantal-response"),
    proves_if={"pure-nash": _not_pure},
)
class NashCertificate:
    """The claim that each player's best deviation gains exactly ``deviation_gains[player]``.

    Attributes:
        game: Trees need perfect recall of every player.
        profile: Rational.
        payoffs: Expected payoff of each player.
        deviation_gains: Best-response value minus own payoff, for each player; payoff units.
    """

    kind: ClassVar[str]
    game: Game
    profile: Profile
    payoffs: tuple[Fraction, ...] = claimed()
    deviation_gains: tuple[Fraction, ...] = claimed()
    verify = verify_claim
    answer = claim_answer

    @property
    def epsilon(self) -> Fraction:
        """The largest deviation gain; 0 for an exact equilibrium."""
        return max(self.deviation_gains)

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        if not self.epsilon:
            return (
                "a Nash equilibrium: no player gains anything by deviating (epsilon = 0, exactly)"
            )
        return (
            "an epsilon-Nash equilibrium: no player gains more than epsilon = "
            f"{at_most(self.epsilon)}"
        )


def certify_minimax(game: Game, profile: Profile) -> "MinimaxCertificate":
    """Measure what both strategies guarantee, exactly, and state it as a certificate.

    Args:
        profile: Exact or float; of the game.

    Raises:
        InvalidStrategy: If the profile does not fit the game.
        UnsupportedGame: If the game has not two players, is not constant-sum, or lacks perfect
            recall.

    >>> from gametheory_core import load_game, uniform_profile
    >>> pennies = load_game("matching_pennies")
    >>> certificate = certify_minimax(pennies, uniform_profile(pennies))
    >>> str(certificate.game_value), str(certificate.epsilon)
    ('0', '0')
    """
    require_matrix_or_tree(game)
    if game.num_players != 2:
        raise UnsupportedGame(needs="two players", found=f"{game!r} has {game.num_players}")
    constant = is_constant_sum(game)
    if not constant:
        raise UnsupportedGame(needs="a constant-sum game", found=constant.reason)
    check_profile(game, profile)
    exact = profile.to_exact()
    conceded, taken = (_best_payoff(game, exact, player) for player in (0, 1))
    return MinimaxCertificate(
        game=game, profile=exact, lower=payoff_sum(game) - taken, upper=conceded
    )


@claim("minimax", measure=certify_minimax, proves=("nash", "minimax"))
class MinimaxCertificate:
    """The claim that the value of the game lies in ``[lower, upper]``.

    Attributes:
        game: Two players, constant-sum; a tree needs perfect recall.
        profile: Rational; the strategies that guarantee the bounds.
        lower, upper: Guaranteed payoff of player 0, and the most player 1's strategy concedes.
    """

    kind: ClassVar[str]
    game: Game
    profile: Profile
    lower: Fraction = claimed()
    upper: Fraction = claimed()
    verify = verify_claim
    answer = claim_answer
    payoffs = answer_payoffs

    @property
    def epsilon(self) -> Fraction:
        """Width of the interval; bounds every deviation gain, 0 for an exact solution."""
        return self.upper - self.lower

    @property
    def payoff_sum(self) -> Fraction:
        """What the two payoffs add up to; 0 in a zero-sum game."""
        return payoff_sum(self.game)

    @property
    def game_value(self) -> Fraction:
        """The value of the game to player 0: exact if ``epsilon`` is 0, else the midpoint."""
        return (self.lower + self.upper) / 2

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        low, high = at_least(self.lower), at_most(self.upper)
        if low == high:
            return f"minimax strategies: the value of the game is {low}, exactly"
        return f"the value of the game lies between {low} and {high}"


def _best_payoff(game: Game, profile: Profile, player: int) -> Fraction:
    """Return what a best response earns; in tables by comparing integers."""
    if isinstance(game, NormalFormGame):
        check_profile(game, profile)
        mixed = cast("MixedProfile", profile)
        return largest_value(scaled_action_payoffs(game, mixed, player=player))
    return cast("Fraction", best_response(game, profile, player=player).value)
