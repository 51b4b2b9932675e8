"""Minimax strategies of public-state games, proved by best responses in integers.

Player 0's plan ``x`` guarantees ``lower``, what it gets against the best of all responses, and
player 1's ``y`` concedes ``upper``. The value of the game lies between the two. Both are computed
over histories and ranges of hands, never over the tree, exactly: plans are integers, and so are all
sums. Nothing is shared with the solver but how sequences are numbered.
"""

from fractions import Fraction
from typing import Any, ClassVar

from gametheory_core.arguments import require_instance
from gametheory_core.certificates.claim import (
    Checkable,
    bounds_middle,
    bounds_statement,
    bounds_width,
    claim,
    claimed,
)
from gametheory_core.evaluation.public_payoffs import best_response_total, sequence_payoffs
from gametheory_core.games.kinds import require_public_state
from gametheory_core.games.public_histories import PublicLayout, public_layout
from gametheory_core.games.public_states import PublicStateGame
from gametheory_core.strategies.public_plans import PublicProfile, require_plan


def certify_public_minimax(
    game: PublicStateGame, profile: PublicProfile, *, layout: PublicLayout | None = None
) -> "PublicMinimaxCertificate":
    """Measure what both plans guarantee, exactly, and state it as a certificate.

    Args:
        profile: Realization plans of both players.
        layout: Of the game, if it is known.

    Raises:
        InvalidArgument, InvalidStrategy: If the game or a plan is none.
        UnsupportedGame: If the histories need more memory than the cap.

    >>> import numpy as np
    >>> from gametheory_core.catalog import kuhn_poker_ranges
    >>> game = kuhn_poker_ranges(cards=3)
    >>> always_first = np.array([1, *[1, 0] * 6])
    >>> profile = PublicProfile((always_first, always_first))
    >>> certificate = certify_public_minimax(game, profile)
    >>> str(certificate.lower), str(certificate.upper)
    ('-1', '1')
    """
    require_public_state(game)
    require_instance(profile, PublicProfile, name="profile", remedy="Use PublicProfile(plans).")
    layout = layout or public_layout(game)
    plans = profile.plans
    for player, plan in enumerate(plans):
        require_plan(layout, plan, hands=game.num_hands[player], player=player)
    bounds: list[Fraction] = []
    for player, plan in ((1, plans[0]), (0, plans[1])):
        payoffs = sequence_payoffs(game, layout, plan, player=player)
        best = best_response_total(game, layout, payoffs, player=player)
        bounds.append(Fraction(best, _parts(game, plan)))
    return PublicMinimaxCertificate(game, profile, -bounds[0], bounds[1])


def _parts(game: PublicStateGame, plan: Any) -> int:
    """Return how many parts of the integers are one unit of payoff."""
    return game.deals[0].total * game.payoff_parts * int(plan[0])


@claim("public-minimax", measure=certify_public_minimax, proves=("nash", "minimax"))
class PublicMinimaxCertificate(Checkable):
    """The claim that the value of a public-state game lies in ``[lower, upper]``.

    Attributes:
        game: What the claim is about.
        profile: Realization plans of both players.
        lower, upper: Guaranteed payoff of player 0, and the most player 1's plan concedes.
    """

    kind: ClassVar[str]
    game: PublicStateGame
    profile: PublicProfile
    lower: Fraction = claimed()
    upper: Fraction = claimed()
    epsilon = bounds_width
    game_value = bounds_middle
    statement = bounds_statement

    @property
    def payoffs(self) -> tuple[Fraction, ...]:
        """What the plans pay against each other, exactly."""
        first, second = self.profile.plans
        layout = public_layout(self.game)
        gained = sequence_payoffs(self.game, layout, second, player=0).astype(object)
        value = Fraction(int(gained @ first.astype(object)), _parts(self.game, second))
        return value / int(first[0]), -value / int(first[0])
