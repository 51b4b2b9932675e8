"""Dominance certificates: which actions were eliminated by what, and why the others stay.

An action is *strictly* dominated by a (mixed) strategy of its player that earns more against every
joint action of the others, *weakly* if it never earns less and somewhere more. An action for which
there is a belief about the others, correlated if there are several, to which it is a best response
is not strictly dominated by any mixed strategy. If it is the only best response, or the belief
excludes nothing, it is not weakly dominated either (Pearce 1984, lemmas 3 and 4).
"""

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any, ClassVar

from gametheory_core.certificates.claim import (
    claim,
    claim_answer,
    claimed,
    verify_claim,
)
from gametheory_core.certificates.dominance_checks import (
    KIND,
    ActionSets,
    Claim,
    after_round,
    explained,
)
from gametheory_core.certificates.dominance_steps import (
    Dominance,
    DominatedBy,
    Elimination,
    Survival,
)
from gametheory_core.errors import CertificateRejected
from gametheory_core.games.normal_form import NormalFormGame

__all__ = [
    "ActionSets",
    "Dominance",
    "DominanceCertificate",
    "DominatedBy",
    "Elimination",
    "Survival",
    "certify_dominance",
]


def certify_dominance(
    game: NormalFormGame,
    *,
    dominance: Dominance,
    dominated_by: DominatedBy,
    eliminations: Sequence[Elimination],
    survivals: Sequence[Survival] = (),
) -> "DominanceCertificate":
    """Check eliminations and reasons to stay, and state what they prove.

    Args:
        game: Any number of players.
        dominance: Strict or weak.
        dominated_by: Pure or mixed strategies.
        eliminations: In order, rounds numbered from 1.
        survivals: About the game that is left; each action at most once.

    Raises:
        CertificateRejected: If a strategy does not dominate, or a belief does not protect.

    >>> from fractions import Fraction
    >>> dilemma = NormalFormGame.symmetric([[3, 0], [5, 1]])
    >>> certify_dominance(
    ...     dilemma,
    ...     dominance=Dominance.STRICT,
    ...     dominated_by=DominatedBy.PURE,
    ...     eliminations=[Elimination(0, 0, 1, (1,), (Fraction(1),))],
    ... ).survivors
    ((1,), (0, 1))
    """
    claim = Claim(game, dominance, dominated_by)
    _require_kinds(dominance, dominated_by)
    actions: ActionSets = tuple(tuple(range(count)) for count in game.num_actions)
    for number, group in enumerate(_rounds(eliminations), start=1):
        if group[0].round_number != number:
            raise CertificateRejected(
                needs="rounds numbered from 1 in order",
                found=f"round {group[0].round_number!r} stands where {number} should",
                where=f"{KIND} certificate",
            )
        actions = after_round(claim, actions, group)
    num_explained = explained(claim, actions, survivals)
    return DominanceCertificate(
        game=game,
        dominance=dominance,
        dominated_by=dominated_by,
        eliminations=tuple(eliminations),
        survivors=actions,
        survivals=tuple(survivals),
        is_complete=num_explained == sum(map(len, actions)),
    )


def _only(strength: Dominance) -> Callable[[Any], str]:
    def refuse(certificate: Any) -> str:
        found = certificate.dominance
        return "" if found is strength else f"this is about {found.value} dominance"

    return refuse


def _not_proved(claims_all: bool, proves_all: bool) -> str:  # noqa: FBT001
    """Say that reasons are missing; a proof of more than is claimed will do."""
    return "True, but gives no reason for some of the actions that are left" * (
        claims_all and not proves_all
    )


@claim(
    KIND,
    measure=certify_dominance,
    answer="survivors",
    proves_if={"dominance": _only(Dominance.STRICT), "weak-dominance": _only(Dominance.WEAK)},
)
class DominanceCertificate:
    """The claim that eliminations were right and that the listed actions cannot be eliminated.

    Attributes:
        game: Any number of players.
        dominance: Strict or weak.
        dominated_by: Pure or mixed strategies.
        eliminations: In order.
        survivors: The actions of each player that are left.
        survivals: Actions that are undominated in what is left, with their reasons.
        is_complete: Whether every action that is left is among them: nothing more can be
            eliminated.
    """

    kind: ClassVar[str]
    game: NormalFormGame
    dominance: Dominance
    dominated_by: DominatedBy
    eliminations: tuple[Elimination, ...]
    survivors: ActionSets = claimed()
    survivals: tuple[Survival, ...]
    is_complete: bool = claimed(fault=_not_proved)
    verify = verify_claim
    answer = claim_answer
    payoffs = ()
    epsilon = None

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        before, after = (
            " x ".join(map(str, counts))
            for counts in (self.game.num_actions, map(len, self.survivors))
        )
        rest = (
            "; nothing more can be eliminated"
            if self.is_complete
            else f"; {len(self.survivals)} of them are proved undominated"
        )
        return (
            f"{self.dominance.value} dominance by {self.dominated_by.value} leaves {after} of "
            f"{before} actions{rest}"
        )


def _require_kinds(dominance: object, dominated_by: object) -> None:
    if not (isinstance(dominance, Dominance) and isinstance(dominated_by, DominatedBy)):
        raise CertificateRejected(
            needs="members of Dominance and DominatedBy",
            found=f"says {dominance!r} and {dominated_by!r}",
            where=f"{KIND} certificate",
        )


def _rounds(eliminations: Sequence[Elimination]) -> list[list[Elimination]]:
    return [list(group) for _, group in groupby(eliminations, key=lambda e: e.round_number)]
