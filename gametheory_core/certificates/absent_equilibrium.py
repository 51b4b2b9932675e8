"""Certificates that no equilibrium avoids some actions: a proof by cases, each of them empty."""

from typing import ClassVar

from gametheory_core.certificates.claim import (
    claim,
    verify_claim,
)
from gametheory_core.certificates.equilibrium_bounds import (
    Case,
    Label,
    Leaf,
    absent_actions,
    case_without,
    cases_of,
    check_labels,
    check_proof,
)
from gametheory_core.certificates.optimal_equilibrium import named
from gametheory_core.errors import CertificateRejected
from gametheory_core.games.normal_form import NormalFormGame

KIND = "absent-equilibrium"


def certify_absent_equilibrium(
    game: NormalFormGame,
    unplayed: tuple[Label, ...],
    questions: tuple[Label | None, ...],
    leaves: tuple[Leaf, ...],
) -> "AbsentEquilibriumCertificate":
    """Check that every case is empty, and state that no equilibrium avoids some actions.

    Raises:
        CertificateRejected: If a case may have an equilibrium, or the proof has a gap.
    """
    if game.num_players != 2:
        raise CertificateRejected(needs="two players", where=f"{KIND} certificate")
    check_labels(game, unplayed, kind=KIND)
    check_proof(game, questions, leaves, kind=KIND)
    for case, leaf in cases_of(case_without(unplayed), questions, leaves, kind=KIND):
        if not _is_empty(game, case, leaf):
            raise CertificateRejected(
                f"{KIND} certificate: nothing shows that there is no equilibrium where "
                f"{_named(game, case.unplayed)} unplayed and {_named(game, case.played)} played."
            )
    return AbsentEquilibriumCertificate(game, unplayed, questions, leaves)


@claim(KIND, measure=certify_absent_equilibrium)
class AbsentEquilibriumCertificate:
    """The claim that every equilibrium of the game plays one of some actions.

    Attributes:
        game: Two players.
        unplayed: No equilibrium leaves all of these unplayed.
        questions: The proof by cases, in preorder: an action that is unplayed (first) or played;
            None for a leaf.
        leaves: In the order of the ``None`` entries; each shows that its case has no equilibrium.
    """

    kind: ClassVar[str]
    game: NormalFormGame
    unplayed: tuple[Label, ...]
    questions: tuple[Label | None, ...]
    leaves: tuple[Leaf, ...]
    verify = verify_claim
    answer = None
    payoffs = ()
    epsilon = None

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        return f"there is no Nash equilibrium without {named(self.game, self.unplayed)}"


def _is_empty(game: NormalFormGame, case: Case, leaf: Leaf) -> bool:
    """Tell whether a played action, or all actions of a player, are never played."""
    absent = absent_actions(game, case, leaf, kind=KIND)
    if any(label.action in case.played[label.player] for label in absent):
        return True
    return not all(
        any(Label(player, action) not in absent for action in case.possible(player, count))
        for player, count in enumerate(game.num_actions)
    )


def _named(game: NormalFormGame, actions: tuple[frozenset[int], frozenset[int]]) -> str:
    labels = tuple(Label(player, a) for player in range(2) for a in sorted(actions[player]))
    return f"{named(game, labels)} are" if labels else "nothing is"
