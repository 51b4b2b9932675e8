"""Minimax strategies of public-state games, proved by best responses in integers.

Player 0's plan ``x`` guarantees ``lower``, what it gets against the best of all responses, and
player 1's ``y`` concedes ``upper``. The value of the game lies between the two. Both are computed
over histories and ranges of hands, never over the tree, exactly: plans are integers, and so are all
sums. Nothing is shared with the solver but how sequences are numbered.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, TypeAlias, cast

from numpy.typing import NDArray

from gametheory_core.arguments import require_instance, shown
from gametheory_core.arrays import freeze
from gametheory_core.certificates.claim import (
    bounds_middle,
    bounds_statement,
    bounds_width,
    compare_bounds,
    made_anew,
)
from gametheory_core.certificates.wording import rejecting
from gametheory_core.errors import InvalidStrategy
from gametheory_core.evaluation.public_payoffs import best_response_total, sequence_payoffs
from gametheory_core.games.public_histories import PublicLayout, public_layout
from gametheory_core.games.public_states import PublicStateGame
from gametheory_core.games.table_content import by_constructor
from gametheory_core.strategies.public_plans import require_plan

Plans: TypeAlias = tuple[NDArray[Any], NDArray[Any]]


def certify_public_minimax(
    game: PublicStateGame, plans: Plans, *, layout: PublicLayout | None = None
) -> "PublicMinimaxCertificate":
    """Measure what both plans guarantee, exactly, and state it as a certificate.

    Args:
        plans: Realization plans of both players, as ``strategies.public_plans`` has them.
        layout: Of the game, if it is known.

    Raises:
        InvalidArgument, InvalidStrategy: If the game or a plan is none.
        UnsupportedGame: If the histories need more memory than the cap.

    >>> import numpy as np
    >>> from gametheory_core.catalog import kuhn_poker_ranges
    >>> game = kuhn_poker_ranges(cards=3)
    >>> always_first = np.array([1, *[1, 0] * 6])
    >>> certificate = certify_public_minimax(game, (always_first, always_first))
    >>> str(certificate.lower), str(certificate.upper)
    ('-1', '1')
    """
    require_instance(game, PublicStateGame, name="game")
    require_instance(plans, tuple, name="plans", remedy="Give (of player 0, of player 1).")
    if len(plans) != 2:  # one of each player
        raise InvalidStrategy(needs="plans of two players", found=f"got {shown(plans)}")
    layout = layout or public_layout(game)
    for player, plan in enumerate(plans):
        require_plan(layout, plan, hands=game.num_hands[player], player=player)
    bounds: list[Fraction] = []
    for player, plan in ((1, plans[0]), (0, plans[1])):
        payoffs = sequence_payoffs(game, layout, plan, player=player)
        best = best_response_total(game, layout, payoffs, player=player)
        bounds.append(Fraction(best, _parts(game, plan)))
    kept = tuple(freeze(plan.copy()) if plan.flags.writeable else plan for plan in plans)
    return PublicMinimaxCertificate(game, cast("Plans", kept), -bounds[0], bounds[1])


def _parts(game: PublicStateGame, plan: Any) -> int:
    """Return how many parts of the integers are one unit of payoff."""
    return game.deals[0].total * game.payoff_parts * int(plan[0])


@dataclass(frozen=True, eq=False)
class PublicMinimaxCertificate:
    """The claim that the value of a public-state game lies in ``[lower, upper]``.

    Attributes:
        game: What the claim is about.
        plans: Realization plans of both players; integers.
        lower, upper: Guaranteed payoff of player 0, and the most player 1's plan concedes.
    """

    kind: ClassVar[str] = "public-minimax"
    game: PublicStateGame
    plans: Plans
    lower: Fraction
    upper: Fraction
    epsilon = bounds_width
    game_value = bounds_middle
    statement = bounds_statement
    __reduce__ = by_constructor

    @property
    def answer(self) -> Plans:
        """The plans."""
        return self.plans

    @cached_property
    def payoffs(self) -> tuple[Fraction, ...]:
        """What the plans pay against each other, exactly."""
        first, second = self.plans
        layout = public_layout(self.game)
        gained = sequence_payoffs(self.game, layout, second, player=0).astype(object)
        value = Fraction(int(gained @ first.astype(object)), _parts(self.game, second))
        return value / int(first[0]), -value / int(first[0])

    def verify(self) -> None:
        """Compute the best responses anew, and compare.

        Raises:
            CertificateRejected: If a bound is not what the plans prove.
        """
        with rejecting(self.kind):
            found = certify_public_minimax(made_anew(self.game, {}), self.plans)
        compare_bounds(self, found)
