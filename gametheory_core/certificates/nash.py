"""Nash certificates: nobody gains more than epsilon by deviating; epsilon 0 is equilibrium."""

from fractions import Fraction
from typing import ClassVar, cast

from gametheory_core.certificates.claim import (
    claim,
    claim_answer,
    claimed,
    verify_claim,
)
from gametheory_core.certificates.wording import at_most, rationals
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
