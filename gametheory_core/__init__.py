"""Formal games, verified conversions and certificates. Everything here runs on numpy alone."""

from gametheory_core.certificates.absent_equilibrium import AbsentEquilibriumCertificate
from gametheory_core.certificates.alpha_rank import AlphaRankCertificate, Populations
from gametheory_core.certificates.bayesian_stackelberg import BayesianStackelbergCertificate
from gametheory_core.certificates.claim import Certificate
from gametheory_core.certificates.completeness import CompletenessCertificate, certify_completeness
from gametheory_core.certificates.components import NashComponentsCertificate
from gametheory_core.certificates.correlated import (
    CorrelatedCertificate,
    PayoffFloor,
    certify_coarse_correlated,
    certify_correlated,
)
from gametheory_core.certificates.correlated_commitment import CorrelatedCommitmentCertificate
from gametheory_core.certificates.correlated_payoffs import CorrelatedPayoffsCertificate
from gametheory_core.certificates.dominance import Dominance, DominanceCertificate, DominatedBy
from gametheory_core.certificates.equilibrium_bounds import Label
from gametheory_core.certificates.extensive_correlated import (
    ExtensiveCorrelatedCertificate,
    certify_extensive_correlated,
)
from gametheory_core.certificates.extensive_correlated_commitment import (
    ExtensiveCorrelatedCommitmentCertificate,
)
from gametheory_core.certificates.extensive_stackelberg import ExtensiveStackelbergCertificate
from gametheory_core.certificates.extensive_stackelberg_frontiers import (
    CommitmentKind,
    PerfectInformationCommitmentCertificate,
)
from gametheory_core.certificates.incentives import CorrelatedKind, IncentivePrice
from gametheory_core.certificates.isolated_equilibrium import IsolatedEquilibriumCertificate
from gametheory_core.certificates.linear_objective import LinearObjective
from gametheory_core.certificates.markov_correlated import (
    MarkovCorrelatedCertificate,
    certify_markov_correlated,
)
from gametheory_core.certificates.markov_perfect import (
    MarkovPerfectCertificate,
    certify_markov_perfect,
)
from gametheory_core.certificates.max_entropy import MaxEntropyCertificate
from gametheory_core.certificates.max_entropy_correlated import MaxEntropyCorrelatedCertificate
from gametheory_core.certificates.max_gini_correlated import MaxGiniCorrelatedCertificate
from gametheory_core.certificates.minimax import MinimaxCertificate, certify_minimax
from gametheory_core.certificates.nash import NashCertificate, certify_nash
from gametheory_core.certificates.optimal_equilibrium import (
    EquilibriumObjective,
    OptimalEquilibriumCertificate,
)
from gametheory_core.certificates.pure_completeness import PureCompletenessCertificate
from gametheory_core.certificates.pure_followers import PureFollowersCertificate
from gametheory_core.certificates.quasi_perfect import (
    QuasiPerfectCertificate,
    certify_quasi_perfect,
)
from gametheory_core.certificates.security import SecurityCertificate
from gametheory_core.certificates.sequential import SequentialCertificate, certify_sequential
from gametheory_core.certificates.stackelberg import StackelbergCertificate
from gametheory_core.certificates.stage_stackelberg import StageStackelbergCertificate
from gametheory_core.certificates.subgame_perfect import (
    SubgamePerfectCertificate,
    certify_subgame_perfect,
)
from gametheory_core.certificates.tree_objective import TreeObjective
from gametheory_core.certificates.weak_stackelberg import WeakStackelbergCertificate
from gametheory_core.certificates.zero_sum_markov import (
    ZeroSumMarkovCertificate,
    certify_zero_sum_markov,
)
from gametheory_core.conversions.aec_extensive import aec_to_extensive
from gametheory_core.conversions.aec_posg import aec_to_posg
from gametheory_core.conversions.bayesian_normal import (
    harsanyi_transform,
    security_to_bayesian,
    security_to_normal,
)
from gametheory_core.conversions.canonical_tree import canonical_tree, separate_chance
from gametheory_core.conversions.clock import clock_leak
from gametheory_core.conversions.conversion import Conversion, Correspondence, Preserved
from gametheory_core.conversions.dispatch import add_dispatch
from gametheory_core.conversions.extensive_aec import extensive_to_aec
from gametheory_core.conversions.extensive_normal import extensive_to_normal
from gametheory_core.conversions.from_tables import aec_from_tables, posg_from_tables
from gametheory_core.conversions.normal_posg import (
    normal_to_extensive,
    normal_to_posg,
    posg_to_normal,
)
from gametheory_core.conversions.posg_aec import posg_to_aec
from gametheory_core.conversions.posg_aec_factored import posg_to_aec_factored
from gametheory_core.conversions.posg_extensive import posg_to_extensive
from gametheory_core.conversions.restriction import restrict_actions
from gametheory_core.conversions.tabular import aec_to_tabular, markov_view, posg_to_tabular
from gametheory_core.distributions import (
    Distribution,
    distribution,
    point_mass,
    product,
    push_forward,
    uniform,
)
from gametheory_core.errors import (
    CertificateRejected,
    GameTheoryError,
    InfeasibleProgram,
    InvalidArgument,
    InvalidGame,
    InvalidStrategy,
    MalformedFile,
    MissingDependency,
    NotConverged,
    NumericalFailure,
    UnboundedProgram,
    UnsupportedGame,
)
from gametheory_core.evaluation.deviations import (
    BestResponse,
    best_response,
    deviation_gains,
    epsilon,
    exploitability,
    nash_conv,
)
from gametheory_core.evaluation.extensive_deviations import distance_to
from gametheory_core.evaluation.infoset_deviations import (
    InfosetDeviation,
    ReachStatus,
    deviation_rows,
    infoset_deviations,
)
from gametheory_core.evaluation.off_path import UnreachedInfoset, unreached_infosets
from gametheory_core.evaluation.payoffs import (
    action_payoffs,
    expected_payoffs,
    outcome_distribution,
    payoff_rows,
    reach_probabilities,
)
from gametheory_core.evaluation.regrets import external_regret, internal_regret, swap_regret
from gametheory_core.evaluation.returns import (
    best_response_returns,
    expected_returns,
    policy_nash_conv,
    return_gains,
)
from gametheory_core.evaluation.subgame_deviations import (
    OneShotDeviation,
    one_shot_deviations,
    subgame_deviations,
)
from gametheory_core.evaluation.trajectories import (
    aec_trajectories,
    memoryless_returns,
    posg_trajectories,
)
from gametheory_core.evaluation.triggers import ExtensiveCorrelation
from gametheory_core.formats.files import read_game, write_game
from gametheory_core.games.bayesian import BayesianGame
from gametheory_core.games.extensive_form import TERMINAL, ExtensiveFormGame
from gametheory_core.games.information_states import IDLE, NULL
from gametheory_core.games.markov_view import MarkovView
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import (
    Verdict,
    has_perfect_information,
    has_perfect_recall,
    is_absent_minded,
    is_constant_sum,
    is_zero_sum,
)
from gametheory_core.games.reward_changes import rescale_rewards, shape_rewards
from gametheory_core.games.rules import (
    AEC,
    POSG,
    AecPlay,
    Move,
    PosgPlay,
    Step,
    stop_aec,
    stop_posg,
)
from gametheory_core.games.security import SecurityGame
from gametheory_core.games.subgames import subgame, subgame_roots
from gametheory_core.games.tables import TabularAEC, TabularPOSG
from gametheory_core.games.tree_draft import Chance, Decision, Terminal, from_sketch, lay_out
from gametheory_core.games.tree_layout import count_nodes, lay_out_rules, probe_nodes
from gametheory_core.games.tree_rules import TreeRules
from gametheory_core.games.tree_table import CHANCE, InformationSet, Outcome
from gametheory_core.loading import load_game
from gametheory_core.strategies.assessment import Assessment
from gametheory_core.strategies.behavioral import (
    BehavioralProfile,
    pure_behavior,
    uniform_behavior,
)
from gametheory_core.strategies.correlated import (
    BehavioralMixture,
    CorrelatedDistribution,
    behavioral_mixture,
    correlated_distribution,
    correlated_payoffs,
    draw_recommendations,
    product_distribution,
)
from gametheory_core.strategies.coverage import CoverageLottery
from gametheory_core.strategies.markov_policies import (
    MarkovCorrelation,
    MarkovProfile,
    markov_policies,
    markov_profile,
    uniform_markov_profile,
)
from gametheory_core.strategies.mixed import MixedProfile, pure_profile, supports, uniform_profile
from gametheory_core.strategies.policies import (
    Policy,
    policy_from,
    reactive,
    uniform_policies,
)
from gametheory_core.strategies.sequence_form import (
    RealizationPlan,
    SequenceForm,
    behavioral_profile,
    realization_plan,
    sequence_form,
)
from gametheory_core.strategies.trembles import (
    TremblingProfile,
    trembling_profile,
    uniform_trembles,
)

__all__ = [
    "AEC",
    "CHANCE",
    "IDLE",
    "NULL",
    "POSG",
    "TERMINAL",
    "AbsentEquilibriumCertificate",
    "AecPlay",
    "AlphaRankCertificate",
    "Assessment",
    "BayesianGame",
    "BayesianStackelbergCertificate",
    "BehavioralMixture",
    "BehavioralProfile",
    "BestResponse",
    "Certificate",
    "CertificateRejected",
    "Chance",
    "CommitmentKind",
    "CompletenessCertificate",
    "Conversion",
    "CorrelatedCertificate",
    "CorrelatedCommitmentCertificate",
    "CorrelatedDistribution",
    "CorrelatedKind",
    "CorrelatedPayoffsCertificate",
    "Correspondence",
    "CoverageLottery",
    "Decision",
    "Distribution",
    "Dominance",
    "DominanceCertificate",
    "DominatedBy",
    "EquilibriumObjective",
    "ExtensiveCorrelatedCertificate",
    "ExtensiveCorrelatedCommitmentCertificate",
    "ExtensiveCorrelation",
    "ExtensiveFormGame",
    "ExtensiveStackelbergCertificate",
    "GameTheoryError",
    "IncentivePrice",
    "InfeasibleProgram",
    "InformationSet",
    "InfosetDeviation",
    "InvalidArgument",
    "InvalidGame",
    "InvalidStrategy",
    "IsolatedEquilibriumCertificate",
    "Label",
    "LinearObjective",
    "MalformedFile",
    "MarkovCorrelatedCertificate",
    "MarkovCorrelation",
    "MarkovPerfectCertificate",
    "MarkovProfile",
    "MarkovView",
    "MaxEntropyCertificate",
    "MaxEntropyCorrelatedCertificate",
    "MaxGiniCorrelatedCertificate",
    "MinimaxCertificate",
    "MissingDependency",
    "MixedProfile",
    "Move",
    "NashCertificate",
    "NashComponentsCertificate",
    "NormalFormGame",
    "NotConverged",
    "NumericalFailure",
    "OneShotDeviation",
    "OptimalEquilibriumCertificate",
    "Outcome",
    "PayoffFloor",
    "PerfectInformationCommitmentCertificate",
    "Policy",
    "Populations",
    "PosgPlay",
    "Preserved",
    "PureCompletenessCertificate",
    "PureFollowersCertificate",
    "QuasiPerfectCertificate",
    "ReachStatus",
    "RealizationPlan",
    "SecurityCertificate",
    "SecurityGame",
    "SequenceForm",
    "SequentialCertificate",
    "StackelbergCertificate",
    "StageStackelbergCertificate",
    "Step",
    "SubgamePerfectCertificate",
    "TabularAEC",
    "TabularPOSG",
    "Terminal",
    "TreeObjective",
    "TreeRules",
    "TremblingProfile",
    "UnboundedProgram",
    "UnreachedInfoset",
    "UnsupportedGame",
    "Verdict",
    "WeakStackelbergCertificate",
    "ZeroSumMarkovCertificate",
    "action_payoffs",
    "add_dispatch",
    "aec_from_tables",
    "aec_to_extensive",
    "aec_to_posg",
    "aec_to_tabular",
    "aec_trajectories",
    "behavioral_mixture",
    "behavioral_profile",
    "best_response",
    "best_response_returns",
    "canonical_tree",
    "certify_coarse_correlated",
    "certify_completeness",
    "certify_correlated",
    "certify_extensive_correlated",
    "certify_markov_correlated",
    "certify_markov_perfect",
    "certify_minimax",
    "certify_nash",
    "certify_quasi_perfect",
    "certify_sequential",
    "certify_subgame_perfect",
    "certify_zero_sum_markov",
    "clock_leak",
    "correlated_distribution",
    "correlated_payoffs",
    "count_nodes",
    "deviation_gains",
    "deviation_rows",
    "distance_to",
    "distribution",
    "draw_recommendations",
    "epsilon",
    "expected_payoffs",
    "expected_returns",
    "exploitability",
    "extensive_to_aec",
    "extensive_to_normal",
    "external_regret",
    "from_sketch",
    "harsanyi_transform",
    "has_perfect_information",
    "has_perfect_recall",
    "infoset_deviations",
    "internal_regret",
    "is_absent_minded",
    "is_constant_sum",
    "is_zero_sum",
    "lay_out",
    "lay_out_rules",
    "load_game",
    "markov_policies",
    "markov_profile",
    "markov_view",
    "memoryless_returns",
    "nash_conv",
    "normal_to_extensive",
    "normal_to_posg",
    "one_shot_deviations",
    "outcome_distribution",
    "payoff_rows",
    "point_mass",
    "policy_from",
    "policy_nash_conv",
    "posg_from_tables",
    "posg_to_aec",
    "posg_to_aec_factored",
    "posg_to_extensive",
    "posg_to_normal",
    "posg_to_tabular",
    "posg_trajectories",
    "probe_nodes",
    "product",
    "product_distribution",
    "pure_behavior",
    "pure_profile",
    "push_forward",
    "reach_probabilities",
    "reactive",
    "read_game",
    "realization_plan",
    "rescale_rewards",
    "restrict_actions",
    "return_gains",
    "security_to_bayesian",
    "security_to_normal",
    "separate_chance",
    "sequence_form",
    "shape_rewards",
    "stop_aec",
    "stop_posg",
    "subgame",
    "subgame_deviations",
    "subgame_roots",
    "supports",
    "swap_regret",
    "trembling_profile",
    "uniform",
    "uniform_behavior",
    "uniform_markov_profile",
    "uniform_policies",
    "uniform_profile",
    "uniform_trembles",
    "unreached_infosets",
    "write_game",
]
