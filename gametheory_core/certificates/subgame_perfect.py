"""Subgame-perfect certificates: in no subgame does any player gain more than epsilon by deviating.

Every subgame is checked from the definition: the profile's payoffs in it, and the value of each
player's best response to it there. With perfect information there is a shorter way to see that
epsilon is 0: a profile is an equilibrium in every subgame if and only if no *one-shot deviation*
gains (the one-shot deviation principle), so that at each decision node no child may give the mover
more.
"""

from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import shown
from gametheory_core.arrays import ZERO, is_rational
from gametheory_core.certificates.claim import (
    claim,
    claim_answer,
    claimed,
    verify_claim,
)
from gametheory_core.certificates.wording import at_most, rationals, require_exact_profile, written
from gametheory_core.errors import CertificateRejected, InvalidArgument, UnsupportedGame
from gametheory_core.evaluation.subgame_deviations import (
    SubgameDeviations,
    payoffs_from_nodes,
    subgame_deviations,
)
from gametheory_core.games.extensive_form import ExtensiveFormGame, path_to
from gametheory_core.games.kinds import require_tree
from gametheory_core.games.properties import has_perfect_information, shortened
from gametheory_core.games.tree_table import describe_infoset
from gametheory_core.strategies.behavioral import BehavioralProfile

KIND = "subgame-perfect"


def _measure(
    game: ExtensiveFormGame, profile: BehavioralProfile, epsilon: Fraction
) -> "SubgamePerfectCertificate":
    return certify_subgame_perfect(game, profile, tolerance=max(epsilon, ZERO))


@claim(KIND, measure=_measure, proves=("nash", "subgame-perfect"))
class SubgamePerfectCertificate:
    """The claim that a profile is an equilibrium in every subgame, or an epsilon-equilibrium.

    Attributes:
        game: Perfect recall; any number of players, and chance.
        profile: Rational.
        payoffs: Expected payoff of each player from the root; payoff units.
        epsilon: The largest gain of any player from a deviation in any subgame; payoff units.
    """

    kind: ClassVar[str]
    game: ExtensiveFormGame
    profile: BehavioralProfile
    payoffs: tuple[Fraction, ...] = claimed()
    epsilon: Fraction = claimed(default=ZERO, is_given=True)
    verify = verify_claim
    answer = claim_answer

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        if not self.epsilon:
            return (
                "a subgame-perfect equilibrium: no player gains anything by deviating at any node"
            )
        return (
            "an epsilon-equilibrium of every subgame: in none does a player gain more than "
            f"epsilon = {at_most(self.epsilon)}"
        )


def certify_subgame_perfect(
    game: ExtensiveFormGame, profile: BehavioralProfile, *, tolerance: Fraction | None = ZERO
) -> SubgamePerfectCertificate:
    """Check a rational profile in every subgame and state what it pays as a certificate.

    Args:
        game: Perfect recall, any number of players. Without subgames but itself, this is about Nash
            equilibria.
        profile: Rational.
        tolerance: Largest gain accepted, in payoff units; None accepts any. Default: 0.

    Raises:
        CertificateRejected: If a deviation gains more (names where), a player forgets, or the
            profile does not fit.

    Time and memory are linear in the number of nodes, for each player.

    >>> from gametheory_core import load_game, pure_behavior
    >>> centipede = load_game("centipede:rounds=2")
    >>> certificate = certify_subgame_perfect(centipede, pure_behavior(centipede, (0, 0)))
    >>> [str(payoff) for payoff in certificate.payoffs]
    ['2', '0']
    """
    require_tree(game)
    if tolerance is not None and not (is_rational(tolerance) and tolerance >= 0):
        raise InvalidArgument(
            needs="a tolerance of at least 0 as a Fraction, or None to measure any gain",
            found=f"got {shown(tolerance)}",
        )
    require_exact_profile(game, profile, kind=KIND)
    if has_perfect_information(game):
        values = payoffs_from_nodes(game, profile)
        gains = _one_shot_gains(game, values)
        if not gains.size:
            return SubgamePerfectCertificate(game, profile, rationals(values[0]))
        if tolerance == 0:
            raise _gains_at_node(game, values, int(gains[0]))
    try:
        found = subgame_deviations(game, profile)
    except UnsupportedGame as error:
        raise CertificateRejected(f"{KIND} certificate: {error}") from None
    epsilon = max([ZERO, *rationals(found.gains.ravel())])
    if tolerance is not None and epsilon > tolerance:
        raise _gains_in_subgame(game, found, epsilon, tolerance)
    return SubgamePerfectCertificate(game, profile, rationals(found.payoffs[0]), epsilon)


def _one_shot_gains(game: ExtensiveFormGame, values: NDArray[Any]) -> NDArray[np.intp]:
    """Return the nodes that pay the mover before them more than what the mover plays."""
    parent = game.parent[1:]
    children = 1 + np.flatnonzero(game.node_player[parent] >= 0)
    parent = game.parent[children]
    mover = game.node_player[parent]
    return children[np.flatnonzero(values[children, mover] > values[parent, mover])]


def _gains_at_node(
    game: ExtensiveFormGame, values: NDArray[Any], child: int
) -> CertificateRejected:
    node = int(game.parent[child])
    player = int(game.node_player[node])
    infoset = game.infosets[game.node_infoset[node]]
    action = child - int(game.first_child[node])
    return CertificateRejected(
        needs="no gain at any node",
        found=f"at {describe_infoset(infoset)} action {infoset.actions[action]!r} pays "
        f"{written(values[child, player])}, while the profile gets "
        f"{written(values[node, player])}",
        remedy="Do not use this answer.",
        where=f"{KIND} certificate",
    )


def _gains_in_subgame(
    game: ExtensiveFormGame, found: SubgameDeviations, epsilon: Fraction, tolerance: Fraction
) -> CertificateRejected:
    k, player = (int(i) for i in np.argwhere(found.gains == epsilon)[0])
    root = int(found.roots[k])
    where = f"the subgame after {shortened(path_to(game, root))}" if root else "the whole tree"
    return CertificateRejected(
        needs=f"no gain above {written(tolerance)} in any subgame",
        found=f"in {where} player {game.players[player]!r} gains {written(epsilon)} over "
        f"{written(found.payoffs[k, player])} by a best response",
        remedy="Do not use this answer.",
        where=f"{KIND} certificate",
    )
