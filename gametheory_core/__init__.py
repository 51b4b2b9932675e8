"""Formal games, verified conversions and certificates. Everything here runs on numpy alone."""

from gametheory_core.certificates.certificate import Certificate
from gametheory_core.certificates.completeness import CompletenessCertificate, certify_completeness
from gametheory_core.certificates.minimax import MinimaxCertificate, certify_minimax
from gametheory_core.certificates.nash import NashCertificate, certify_nash
from gametheory_core.certificates.pure_completeness import PureCompletenessCertificate
from gametheory_core.certificates.stackelberg import StackelbergCertificate
from gametheory_core.certificates.subgame_perfect import (
    SubgamePerfectCertificate,
    certify_subgame_perfect,
)
from gametheory_core.certificates.weak_stackelberg import WeakStackelbergCertificate
from gametheory_core.conversions.extensive_normal import extensive_to_normal
from gametheory_core.distributions import Distribution, distribution, push_forward
from gametheory_core.errors import (
    CertificateRejected,
    GameTheoryError,
    InvalidArgument,
    InvalidGame,
    InvalidStrategy,
    MalformedFile,
    MissingDependency,
    NotConverged,
    UnsupportedGame,
)
from gametheory_core.evaluation.best_response import BestResponse, best_response
from gametheory_core.evaluation.deviations import (
    deviation_gains,
    epsilon,
    exploitability,
    nash_conv,
)
from gametheory_core.evaluation.outcomes import outcome_distribution, reach_probabilities
from gametheory_core.evaluation.payoffs import action_payoffs, expected_payoffs
from gametheory_core.formats.files import read_game, write_game
from gametheory_core.games.extensive_form import TERMINAL, ExtensiveFormGame
from gametheory_core.games.information_sets import CHANCE, InformationSet, Outcome
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import (
    Verdict,
    has_perfect_information,
    has_perfect_recall,
    is_absent_minded,
    is_constant_sum,
    is_zero_sum,
)
from gametheory_core.games.sketch import Chance, Decision, Terminal, from_sketch, lay_out
from gametheory_core.loading import load_game
from gametheory_core.strategies.behavioral import (
    BehavioralProfile,
    pure_behavior,
    uniform_behavior,
)
from gametheory_core.strategies.mixed import MixedProfile, pure_profile, supports, uniform_profile
from gametheory_core.strategies.realization import (
    RealizationPlan,
    behavioral_profile,
    realization_plan,
)
from gametheory_core.strategies.sequence_form import SequenceForm, sequence_form

__all__ = [
    "CHANCE",
    "TERMINAL",
    "BehavioralProfile",
    "BestResponse",
    "Certificate",
    "CertificateRejected",
    "Chance",
    "CompletenessCertificate",
    "Decision",
    "Distribution",
    "ExtensiveFormGame",
    "GameTheoryError",
    "InformationSet",
    "InvalidArgument",
    "InvalidGame",
    "InvalidStrategy",
    "MalformedFile",
    "MinimaxCertificate",
    "MissingDependency",
    "MixedProfile",
    "NashCertificate",
    "NormalFormGame",
    "NotConverged",
    "Outcome",
    "PureCompletenessCertificate",
    "RealizationPlan",
    "SequenceForm",
    "StackelbergCertificate",
    "SubgamePerfectCertificate",
    "Terminal",
    "UnsupportedGame",
    "Verdict",
    "WeakStackelbergCertificate",
    "action_payoffs",
    "behavioral_profile",
    "best_response",
    "certify_completeness",
    "certify_minimax",
    "certify_nash",
    "certify_subgame_perfect",
    "deviation_gains",
    "distribution",
    "epsilon",
    "expected_payoffs",
    "exploitability",
    "extensive_to_normal",
    "from_sketch",
    "has_perfect_information",
    "has_perfect_recall",
    "is_absent_minded",
    "is_constant_sum",
    "is_zero_sum",
    "lay_out",
    "load_game",
    "nash_conv",
    "outcome_distribution",
    "pure_behavior",
    "pure_profile",
    "push_forward",
    "reach_probabilities",
    "read_game",
    "realization_plan",
    "sequence_form",
    "supports",
    "uniform_behavior",
    "uniform_profile",
    "write_game",
]
