"""Subgame-perfect certificates: at no node does changing the action there gain anything.

In a finite tree of perfect information that is enough: a profile is an equilibrium in every
subgame if and only if no *one-shot deviation* gains (the one-shot deviation principle). So each
node's payoffs are computed bottom up, and at each decision node no child may give the mover more.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ONE, ZERO, ExactArray
from gametheory_core.certificates.certificate import (
    rationals,
    require_claim,
    require_exact_profile,
    written,
)
from gametheory_core.certificates.declared_types import require_declared_types
from gametheory_core.errors import CertificateRejected
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.information_sets import describe_infoset
from gametheory_core.games.properties import has_perfect_information
from gametheory_core.strategies.behavioral import BehavioralProfile

KIND = "subgame-perfect"


@dataclass(frozen=True)
class SubgamePerfectCertificate:
    """The claim that a profile is an equilibrium in every subgame.

    Attributes
    ----------
    game : ExtensiveFormGame
        Perfect information; any number of players, and chance.
    profile : BehavioralProfile
        Rational.
    payoffs : tuple of Fraction
        Expected payoff of each player from the root; payoff units.
    """

    kind: ClassVar[str] = KIND
    game: ExtensiveFormGame
    profile: BehavioralProfile
    payoffs: tuple[Fraction, ...]

    @property
    def epsilon(self) -> Fraction:
        """The largest gain from a deviation in any subgame: always 0."""
        return ZERO

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        return "a subgame-perfect equilibrium: no player gains anything by deviating at any node"

    def verify(self) -> None:
        """Recompute every node's payoffs, and check every one-shot deviation, exactly.

        Raises
        ------
        CertificateRejected
            If a deviation gains, the tree lacks perfect information, or the payoffs differ.
        """
        require_declared_types(self)
        found = certify_subgame_perfect(self.game, self.profile)
        require_claim("payoffs", claimed=self.payoffs, found=found.payoffs, kind=KIND)


def certify_subgame_perfect(
    game: ExtensiveFormGame, profile: BehavioralProfile
) -> SubgamePerfectCertificate:
    """Check a rational profile at every node and state its payoffs as a certificate.

    Parameters
    ----------
    game : ExtensiveFormGame
        Perfect information, any number of players.
    profile : BehavioralProfile
        Exact or float.

    Raises
    ------
    CertificateRejected
        If the profile is not subgame perfect (names information set and action), or does not fit.

    Notes
    -----
    Time and memory are linear in the number of nodes.

    Examples
    --------
    >>> from gametheory_core import load_game, pure_behavior
    >>> centipede = load_game("centipede:rounds=2")
    >>> certificate = certify_subgame_perfect(centipede, pure_behavior(centipede, (0, 0)))
    >>> [str(payoff) for payoff in certificate.payoffs]
    ['2', '0']
    """
    require_exact_profile(game, profile, kind=KIND)
    verdict = has_perfect_information(game)
    if not verdict:
        raise CertificateRejected(
            f"{KIND} certificate: needs perfect information, but {verdict.reason}."
        )
    values = _node_payoffs(game, profile)
    _require_no_gain(game, values)
    return SubgamePerfectCertificate(game, profile, rationals(values[0]))


def _node_payoffs(game: ExtensiveFormGame, profile: BehavioralProfile) -> ExactArray:
    """Return each player's expected payoff from each node on, (num_nodes, num_players).

    What inner outcomes paid on the way counts too: it is part of every play below.
    """
    weights = game.exact_chance_probabilities.copy()
    weights[: len(profile.flat)] = profile.flat
    is_sure = np.array([w == ONE for w in weights.tolist()], dtype=bool)
    values = np.empty((game.num_nodes, game.num_players), dtype=object)
    values[game.terminals] = game.exact_terminal_payoffs
    for start, stop in _levels_from_the_end(game):
        inner = start + np.flatnonzero(game.node_infoset[start:stop] >= 0)
        if not inner.size:
            continue
        first = game.first_child[inner]
        children = slice(int(first[0]), int(first[-1] + game.num_children[inner[-1]]))
        actions = game.node_action[children]
        shares = values[children].copy()
        unsure = np.flatnonzero(~is_sure[actions])
        shares[unsure] *= weights[actions[unsure], None]
        values[inner] = np.add.reduceat(shares, first - first[0], axis=0)
    return values


def _levels_from_the_end(game: ExtensiveFormGame) -> list[tuple[int, int]]:
    offsets: list[int] = game.level_offset.tolist()
    return list(pairwise(offsets))[::-1]


def _require_no_gain(game: ExtensiveFormGame, values: NDArray[Any]) -> None:
    parent = game.parent[1:]
    children = 1 + np.flatnonzero(game.node_player[parent] >= 0)
    parent = game.parent[children]
    mover = game.node_player[parent]
    gains = np.flatnonzero(values[children, mover] > values[parent, mover])
    if gains.size:
        child, node, player = (int(group[gains[0]]) for group in (children, parent, mover))
        infoset = game.infosets[game.node_infoset[node]]
        action = child - int(game.first_child[node])
        raise CertificateRejected(
            f"{KIND} certificate: needs no gain at any node, but at {describe_infoset(infoset)} "
            f"action {infoset.actions[action]!r} pays "
            f"{written(values[child, player])}, while the profile gets "
            f"{written(values[node, player])}. Do not use this answer."
        )
