"""Nash certificates: nobody gains more than epsilon by deviating; epsilon 0 is equilibrium."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, cast

from gametheory_core.certificates.certificate import (
    Game,
    Profile,
    at_most,
    rationals,
    require_claim,
    require_exact_profile,
)
from gametheory_core.certificates.declared_types import require_declared_types
from gametheory_core.errors import CertificateRejected, UnsupportedGame
from gametheory_core.evaluation.best_response import best_response
from gametheory_core.evaluation.payoffs import (
    expected_payoffs,
    expected_value,
    largest_value,
    scaled_action_payoffs,
)
from gametheory_core.games.kinds import require_matrix_or_tree
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile
from gametheory_core.strategies.profiles import check_profile


@dataclass(frozen=True)
class NashCertificate:
    """The claim that each player's best deviation gains exactly ``deviation_gains[player]``.

    Attributes:
        game: Trees need perfect recall of every player.
        profile: Rational.
        payoffs: Expected payoff of each player.
        deviation_gains: Best-response value minus own payoff, for each player; payoff units.
    """

    kind: ClassVar[str] = "nash"
    game: Game
    profile: Profile
    payoffs: tuple[Fraction, ...]
    deviation_gains: tuple[Fraction, ...]

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

    def verify(self) -> None:
        """Recompute payoffs and gains exactly.

        Raises:
            CertificateRejected: If the profile does not fit, a player forgets, or a number differs
                from the claim.
        """
        require_declared_types(self)
        require_exact_profile(self.game, self.profile, kind=self.kind)
        try:
            found = certify_nash(self.game, self.profile)
        except UnsupportedGame as error:
            raise CertificateRejected(f"nash certificate: {error}") from None
        require_claim("payoffs", claimed=self.payoffs, found=found.payoffs, kind=self.kind)
        require_claim(
            "deviation gains",
            claimed=self.deviation_gains,
            found=found.deviation_gains,
            kind=self.kind,
        )


def certify_nash(game: Game, profile: Profile) -> NashCertificate:
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
    require_matrix_or_tree(game, function="certify_nash")
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
