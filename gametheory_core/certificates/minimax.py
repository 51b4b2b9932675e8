"""Minimax certificates: both sides of a two-player constant-sum game, bounded from its strategies.

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
from gametheory_core.certificates.wording import at_least, at_most
from gametheory_core.errors import UnsupportedGame
from gametheory_core.evaluation.deviations import best_response
from gametheory_core.evaluation.payoffs import largest_value, scaled_action_payoffs
from gametheory_core.games.kinds import require_matrix_or_tree
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import is_constant_sum, payoff_sum
from gametheory_core.strategies.behavioral import Game, Profile, check_profile
from gametheory_core.strategies.mixed import MixedProfile


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
