"""Which certificate proves which concept: what a solution file may call its answers."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from gametheory_core.arrays import NumberArray
from gametheory_core.certificates.certificate import Certificate
from gametheory_core.certificates.completeness import CompletenessCertificate
from gametheory_core.certificates.correlated import CorrelatedCertificate
from gametheory_core.certificates.dominance import Dominance, DominanceCertificate
from gametheory_core.certificates.extensive_correlated import ExtensiveCorrelatedCertificate
from gametheory_core.certificates.extensive_stackelberg_frontiers import CommitmentKind
from gametheory_core.certificates.incentives import CorrelatedKind
from gametheory_core.certificates.max_entropy_correlated import MaxEntropyCorrelatedCertificate
from gametheory_core.certificates.max_gini_correlated import MaxGiniCorrelatedCertificate
from gametheory_core.certificates.pure_completeness import PureCompletenessCertificate
from gametheory_core.evaluation.triggers import ExtensiveCorrelation
from gametheory_core.formats.game_records import Game
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.mixed import MixedProfile
from gametheory_core.strategies.sequence_form import realization_plan, sequence_form

Completeness = CompletenessCertificate | PureCompletenessCertificate

PROVED_BY: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "nash": ("nash", "minimax", "subgame-perfect"),
        "all-nash": ("nash", "isolated-equilibrium"),
        "pure-nash": ("nash",),
        "best-nash": ("optimal-equilibrium",),
        "nash-components": ("nash-components", "nash"),
        "minimax": ("minimax", "zero-sum-markov"),
        "max-entropy": ("max-entropy",),
        "dominance": ("dominance",),
        "weak-dominance": ("dominance",),
        "correlated": ("correlated", "max-entropy-correlated", "max-gini-correlated"),
        "coarse-correlated": (
            "correlated",
            "max-entropy-correlated",
            "max-gini-correlated",
            "extensive-correlated",
        ),
        "correlated-payoffs": ("correlated-payoffs",),
        "quantal-response": ("nash",),
        "stackelberg": (
            "stackelberg",
            "weak-stackelberg",
            "bayesian-stackelberg",
            "pure-followers",
            "security",
            "extensive-stackelberg",
            "perfect-information-commitment",
        ),
        "correlated-commitment": ("correlated-commitment", "extensive-correlated-commitment"),
        "subgame-perfect": ("subgame-perfect",),
        "sequential": ("sequential",),
        "quasi-perfect": ("quasi-perfect",),
        "extensive-form-correlated": ("extensive-correlated",),
        "extensive-form-coarse-correlated": ("extensive-correlated",),
        "alpha-rank": ("alpha-rank",),
        "markov-stackelberg": ("markov-stackelberg",),
        "markov-commitment": ("stochastic-commitment",),
        "markov-perfect": ("markov-perfect",),
        "markov-correlated": ("markov-correlated",),
        "stage-stackelberg": ("stage-stackelberg",),
        "mediated": ("mediated",),
    }
)


def not_proved(concept: str, certificate: Certificate) -> str:
    """Say why a certificate does not prove what was asked for, or return ""."""
    kinds = PROVED_BY[concept]
    if certificate.kind not in kinds:
        return f"only {' or '.join(kinds)} proves what was asked for"
    further = _FURTHER.get(concept)
    return "" if further is None else further(certificate)


def not_proved_complete(concept: str, game: Game, proof: Completeness) -> str:
    """Say why a certificate does not prove a list of answers to be complete, or return ""."""
    by_pure = isinstance(proof, PureCompletenessCertificate)
    if concept == "pure-nash":
        return (
            "" if by_pure else "only pure-completeness proves that all pure equilibria are listed"
        )
    if concept != "all-nash":
        return f"no list is asked for by {concept}"
    if by_pure and len(game.players) > 1:
        return "only completeness proves a list of all equilibria"
    return ""


def _is_pure(certificate: Certificate) -> str:
    """Ask for pure strategies; where own actions exclude an information set, anything will do."""
    game, profile = certificate.game, getattr(certificate, "profile", None)
    lotteries: tuple[NumberArray, ...] = ()
    if isinstance(profile, MixedProfile):
        lotteries = profile.strategies
    elif isinstance(game, ExtensiveFormGame) and isinstance(profile, BehavioralProfile):
        form = sequence_form(game)
        lotteries = tuple(
            realization_plan(form, profile, player=i).weights for i in range(game.num_players)
        )
    if all(weight in (0, 1) for lottery in lotteries for weight in lottery.tolist()):
        return ""
    return "this equilibrium is not pure"


def _is_kind(kind: CorrelatedKind, certificate: Certificate) -> str:
    if isinstance(
        certificate,
        CorrelatedCertificate | MaxEntropyCorrelatedCertificate | MaxGiniCorrelatedCertificate,
    ):
        found = certificate.correlated_kind
        return "" if found is kind else f"this is about {found.value} equilibria"
    return ""


def _is_coarse(certificate: Certificate) -> str:
    if isinstance(certificate, ExtensiveCorrelatedCertificate):
        return _is_in_trees(ExtensiveCorrelation.NORMAL_FORM_COARSE, certificate)
    return _is_kind(CorrelatedKind.COARSE, certificate)


def _is_in_trees(kind: ExtensiveCorrelation, certificate: Certificate) -> str:
    if isinstance(certificate, ExtensiveCorrelatedCertificate):
        found = certificate.correlation
        return "" if found is kind else f"this is about {found.value} equilibria"
    return ""


def _is_dominance(strength: Dominance, certificate: Certificate) -> str:
    if isinstance(certificate, DominanceCertificate) and certificate.dominance is not strength:
        return f"this is about {certificate.dominance.value} dominance"
    return ""


def _is_any_commitment(certificate: Certificate) -> str:
    is_pure = getattr(certificate, "commitment", None) is CommitmentKind.PURE
    return "this is about pure commitments only" if is_pure else ""


_FURTHER: Mapping[str, Callable[[Certificate], str]] = MappingProxyType(
    {
        "pure-nash": _is_pure,
        "correlated": lambda certificate: _is_kind(CorrelatedKind.CORRELATED, certificate),
        "coarse-correlated": _is_coarse,
        "extensive-form-correlated": lambda certificate: _is_in_trees(
            ExtensiveCorrelation.EXTENSIVE, certificate
        ),
        "extensive-form-coarse-correlated": lambda certificate: _is_in_trees(
            ExtensiveCorrelation.EXTENSIVE_COARSE, certificate
        ),
        "stackelberg": _is_any_commitment,
        "dominance": lambda certificate: _is_dominance(Dominance.STRICT, certificate),
        "weak-dominance": lambda certificate: _is_dominance(Dominance.WEAK, certificate),
    }
)
