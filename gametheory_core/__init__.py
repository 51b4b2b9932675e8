"""Formal games, verified conversions and certificates. Everything here runs on numpy alone."""

from gametheory_core.certificates.absent_equilibrium import AbsentEquilibriumCertificate
from gametheory_core.certificates.alpha_rank import AlphaRankCertificate, Populations
from gametheory_core.certificates.bayesian_stackelberg import BayesianStackelbergCertificate
from gametheory_core.certificates.claim import Certificate
from gametheory_core.certificates.completeness import (
    CompletenessCertificate,
    NashComponentsCertificate,
    PureCompletenessCertificate,
    certify_completeness,
)
from gametheory_core.certificates.correlated import (
    CorrelatedCertificate,
    PayoffFloor,
    certify_coarse_correlated,
    certify_correlated,
)
from gametheory_core.certificates.correlated_commitment import (
    CorrelatedCommitmentCertificate,
    ExtensiveCorrelatedCommitmentCertificate,
)
from gametheory_core.certificates.correlated_payoffs import CorrelatedPayoffsCertificate
from gametheory_core.certificates.dominance import Dominance, DominanceCertificate, DominatedBy
from gametheory_core.certificates.equilibrium import (
    MinimaxCertificate,
    NashCertificate,
    certify_minimax,
    certify_nash,
)
from gametheory_core.certificates.equilibrium_bounds import Label
from gametheory_core.certificates.extensive_correlated import (
    ExtensiveCorrelatedCertificate,
    certify_extensive_correlated,
)
from gametheory_core.certificates.extensive_stackelberg import ExtensiveStackelbergCertificate
from gametheory_core.certificates.extensive_stackelberg_frontiers import (
    CommitmentKind,
    PerfectInformationCommitmentCertificate,
)
from gametheory_core.certificates.incentives import CorrelatedKind, Evenness, IncentivePrice
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
from gametheory_core.certificates.markov_stackelberg import MarkovStackelbergCertificate
from gametheory_core.certificates.markov_stackelberg_optima import (
    MarkovStackelbergOptimaCertificate,
)
from gametheory_core.certificates.max_entropy import MaxEntropyCertificate
from gametheory_core.certificates.mediated import MediatedCertificate, certify_mediated
from gametheory_core.certificates.optimal_equilibrium import (
    EquilibriumObjective,
    OptimalEquilibriumCertificate,
)
from gametheory_core.certificates.pure_followers import PureFollowersCertificate
from gametheory_core.certificates.refinements import (
    QuasiPerfectCertificate,
    SequentialCertificate,
    certify_quasi_perfect,
    certify_sequential,
)
from gametheory_core.certificates.security import SecurityCertificate
from gametheory_core.certificates.stackelberg import StackelbergCertificate
from gametheory_core.certificates.stage_stackelberg import StageStackelbergCertificate
from gametheory_core.certificates.stochastic_commitment import (
    CommitmentBoundCertificate,
    StochasticCommitmentCertificate,
)
from gametheory_core.certificates.subgame_perfect import (
    SubgamePerfectCertificate,
    certify_subgame_perfect,
)
from gametheory_core.certificates.weak_stackelberg import WeakStackelbergCertificate
from gametheory_core.certificates.zero_sum_markov import (
    ZeroSumMarkovCertificate,
    certify_zero_sum_markov,
)
from gametheory_core.conversions.aec_extensive import aec_to_extensive
from gametheory_core.conversions.aec_from_tables import aec_from_tables
from gametheory_core.conversions.aec_posg import aec_to_posg
from gametheory_core.conversions.bayesian_normal import harsanyi_transform
from gametheory_core.conversions.canonical_tree import canonical_tree
from gametheory_core.conversions.clock import clock_leak
from gametheory_core.conversions.conversion import Conversion, Correspondence, Preserved
from gametheory_core.conversions.dispatch import add_dispatch
from gametheory_core.conversions.extensive_aec import extensive_to_aec
from gametheory_core.conversions.extensive_normal import extensive_to_normal
from gametheory_core.conversions.leader_problem import leader_problem
from gametheory_core.conversions.leader_view import leader_view
from gametheory_core.conversions.markov_view import markov_view
from gametheory_core.conversions.mediated_rules import list_mediated_game, mediated_game
from gametheory_core.conversions.naive_responses import naive_responses
from gametheory_core.conversions.normal_posg import (
    normal_to_extensive,
    normal_to_posg,
    posg_to_normal,
)
from gametheory_core.conversions.posg_aec import posg_to_aec
from gametheory_core.conversions.posg_aec_factored import posg_to_aec_factored
from gametheory_core.conversions.posg_extensive import posg_to_extensive
from gametheory_core.conversions.posg_from_tables import posg_from_tables
from gametheory_core.conversions.posg_mediated import StateControl, mediate
from gametheory_core.conversions.restriction import restrict_actions
from gametheory_core.conversions.security_bayesian import security_to_bayesian, security_to_normal
from gametheory_core.conversions.separate_chance import separate_chance
from gametheory_core.conversions.tabular_aec import aec_to_tabular
from gametheory_core.conversions.tabular_posg import posg_to_tabular
from gametheory_core.distributions import (
    Distribution,
    distribution,
    evenly,
    independently,
    push_forward,
    surely,
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
from gametheory_core.evaluation.best_response import BestResponse, best_response
from gametheory_core.evaluation.deviations import (
    deviation_gains,
    epsilon,
    exploitability,
    nash_conv,
)
from gametheory_core.evaluation.end_transfers import EndRule, MediatorStage, end_transfers
from gametheory_core.evaluation.extensive_deviations import distance_to
from gametheory_core.evaluation.fairness import MINIMUM, Fairness, FairnessKind, fairness_value
from gametheory_core.evaluation.first_mover import FirstMoverAdvantage, is_first_mover_advantage
from gametheory_core.evaluation.follower_responses import (
    FollowerClass,
    FollowerResponse,
    FollowerTies,
    follower_response,
    leader_returns,
    response_returns,
)
from gametheory_core.evaluation.infoset_deviations import (
    InfosetDeviation,
    ReachStatus,
    deviation_rows,
    infoset_deviations,
)
from gametheory_core.evaluation.leader_gradients import (
    LeaderGradient,
    expected_reinforce,
    leader_gradient,
    queried_gradient,
)
from gametheory_core.evaluation.mediated_recursion import MediatorIncentives
from gametheory_core.evaluation.mediated_trajectories import mediated_trajectories
from gametheory_core.evaluation.mediated_values import (
    full_values,
    mediated_fairness,
    mediated_returns,
    truncated_values,
)
from gametheory_core.evaluation.memoryless_returns import memoryless_returns
from gametheory_core.evaluation.one_shot import OneShotDeviation, one_shot_deviations
from gametheory_core.evaluation.oracle_returns import oracle_response, oracle_returns
from gametheory_core.evaluation.outcomes import outcome_distribution, reach_probabilities
from gametheory_core.evaluation.payoff_rows import payoff_rows
from gametheory_core.evaluation.payoffs import action_payoffs, expected_payoffs
from gametheory_core.evaluation.policy_best_response import best_response_returns
from gametheory_core.evaluation.regrets import external_regret, internal_regret, swap_regret
from gametheory_core.evaluation.returns import expected_returns, policy_nash_conv, return_gains
from gametheory_core.evaluation.sampled_queries import sampled_query_returns
from gametheory_core.evaluation.stationary_followers import num_stationary_followers
from gametheory_core.evaluation.subgame_deviations import subgame_deviations
from gametheory_core.evaluation.trajectories import aec_trajectories, posg_trajectories
from gametheory_core.evaluation.triggers import ExtensiveCorrelation
from gametheory_core.evaluation.unreached import UnreachedInfoset, unreached_infosets
from gametheory_core.formats.files import read_game, write_game
from gametheory_core.games.aec import AEC, stop_aec
from gametheory_core.games.bayesian import BayesianGame
from gametheory_core.games.extensive_form import TERMINAL, ExtensiveFormGame
from gametheory_core.games.information_sets import CHANCE, InformationSet, Outcome
from gametheory_core.games.information_states import IDLE, NULL
from gametheory_core.games.leader_view import LeaderView
from gametheory_core.games.markov_view import MarkovView
from gametheory_core.games.mediated import MediatedGame
from gametheory_core.games.mediated_histories import Memory, mediated_histories
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.plays import AecPlay, Move, PosgPlay, Step
from gametheory_core.games.posg import POSG, stop_posg
from gametheory_core.games.properties import (
    Verdict,
    has_perfect_information,
    has_perfect_recall,
    is_absent_minded,
    is_constant_sum,
    is_zero_sum,
)
from gametheory_core.games.query_display import QueryDisplay
from gametheory_core.games.query_oracle import HALT, Halting, QueryOracle
from gametheory_core.games.reward_changes import rescale_rewards, shape_rewards
from gametheory_core.games.security import SecurityGame
from gametheory_core.games.sketch import Chance, Decision, Terminal, from_sketch, lay_out
from gametheory_core.games.subgames import subgame, subgame_roots
from gametheory_core.games.tabular_aec import TabularAEC
from gametheory_core.games.tabular_posg import TabularPOSG
from gametheory_core.games.tree_layout import lay_out_rules
from gametheory_core.games.tree_rules import TreeRules
from gametheory_core.games.tree_size import count_nodes, probe_nodes
from gametheory_core.loading import load_game
from gametheory_core.strategies.assessment import Assessment
from gametheory_core.strategies.behavioral import (
    BehavioralProfile,
    pure_behavior,
    uniform_behavior,
)
from gametheory_core.strategies.correlated import (
    CorrelatedDistribution,
    correlated_distribution,
    correlated_payoffs,
    product_distribution,
)
from gametheory_core.strategies.coverage import CoverageLottery
from gametheory_core.strategies.leader_behavior import to_policy
from gametheory_core.strategies.leader_commitments import LeaderCommitment
from gametheory_core.strategies.leader_policies import (
    DeterministicLeader,
    MemoizedLeader,
    PlannedFollower,
    StationaryFollower,
    StochasticLeader,
    TimedFollower,
    leader_policies,
    leader_policy,
    num_leader_policies,
)
from gametheory_core.strategies.leader_text import leader_from_text, leader_to_text
from gametheory_core.strategies.markov_policies import (
    MarkovCorrelation,
    MarkovProfile,
    markov_policies,
    markov_profile,
    uniform_markov_profile,
)
from gametheory_core.strategies.mediated_policies import (
    MediatedProfile,
    mediated_plan,
    random_mediated_profile,
)
from gametheory_core.strategies.mixed import MixedProfile, pure_profile, supports, uniform_profile
from gametheory_core.strategies.mixture import (
    BehavioralMixture,
    behavioral_mixture,
    draw_recommendations,
)
from gametheory_core.strategies.policies import (
    Policy,
    policy_from,
    reactive,
    uniform_policies,
)
from gametheory_core.strategies.realization import (
    RealizationPlan,
    behavioral_profile,
    realization_plan,
)
from gametheory_core.strategies.sequence_form import SequenceForm, sequence_form
from gametheory_core.strategies.trembles import (
    TremblingProfile,
    trembling_profile,
    uniform_trembles,
)

__all__ = [
    "AEC",
    "CHANCE",
    "HALT",
    "IDLE",
    "MINIMUM",
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
    "CommitmentBoundCertificate",
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
    "DeterministicLeader",
    "Distribution",
    "Dominance",
    "DominanceCertificate",
    "DominatedBy",
    "EndRule",
    "EquilibriumObjective",
    "Evenness",
    "ExtensiveCorrelatedCertificate",
    "ExtensiveCorrelatedCommitmentCertificate",
    "ExtensiveCorrelation",
    "ExtensiveFormGame",
    "ExtensiveStackelbergCertificate",
    "Fairness",
    "FairnessKind",
    "FirstMoverAdvantage",
    "FollowerClass",
    "FollowerResponse",
    "FollowerTies",
    "GameTheoryError",
    "Halting",
    "IncentivePrice",
    "InfeasibleProgram",
    "InformationSet",
    "InfosetDeviation",
    "InvalidArgument",
    "InvalidGame",
    "InvalidStrategy",
    "IsolatedEquilibriumCertificate",
    "Label",
    "LeaderCommitment",
    "LeaderGradient",
    "LeaderView",
    "LinearObjective",
    "MalformedFile",
    "MarkovCorrelatedCertificate",
    "MarkovCorrelation",
    "MarkovPerfectCertificate",
    "MarkovProfile",
    "MarkovStackelbergCertificate",
    "MarkovStackelbergOptimaCertificate",
    "MarkovView",
    "MaxEntropyCertificate",
    "MediatedCertificate",
    "MediatedGame",
    "MediatedProfile",
    "MediatorIncentives",
    "MediatorStage",
    "MemoizedLeader",
    "Memory",
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
    "PlannedFollower",
    "Policy",
    "Populations",
    "PosgPlay",
    "Preserved",
    "PureCompletenessCertificate",
    "PureFollowersCertificate",
    "QuasiPerfectCertificate",
    "QueryDisplay",
    "QueryOracle",
    "ReachStatus",
    "RealizationPlan",
    "SecurityCertificate",
    "SecurityGame",
    "SequenceForm",
    "SequentialCertificate",
    "StackelbergCertificate",
    "StageStackelbergCertificate",
    "StateControl",
    "StationaryFollower",
    "Step",
    "StochasticCommitmentCertificate",
    "StochasticLeader",
    "SubgamePerfectCertificate",
    "TabularAEC",
    "TabularPOSG",
    "Terminal",
    "TimedFollower",
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
    "certify_mediated",
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
    "end_transfers",
    "epsilon",
    "evenly",
    "expected_payoffs",
    "expected_reinforce",
    "expected_returns",
    "exploitability",
    "extensive_to_aec",
    "extensive_to_normal",
    "external_regret",
    "fairness_value",
    "follower_response",
    "from_sketch",
    "full_values",
    "harsanyi_transform",
    "has_perfect_information",
    "has_perfect_recall",
    "independently",
    "infoset_deviations",
    "internal_regret",
    "is_absent_minded",
    "is_constant_sum",
    "is_first_mover_advantage",
    "is_zero_sum",
    "lay_out",
    "lay_out_rules",
    "leader_from_text",
    "leader_gradient",
    "leader_policies",
    "leader_policy",
    "leader_problem",
    "leader_returns",
    "leader_to_text",
    "leader_view",
    "list_mediated_game",
    "load_game",
    "markov_policies",
    "markov_profile",
    "markov_view",
    "mediate",
    "mediated_fairness",
    "mediated_game",
    "mediated_histories",
    "mediated_plan",
    "mediated_returns",
    "mediated_trajectories",
    "memoryless_returns",
    "naive_responses",
    "nash_conv",
    "normal_to_extensive",
    "normal_to_posg",
    "num_leader_policies",
    "num_stationary_followers",
    "one_shot_deviations",
    "oracle_response",
    "oracle_returns",
    "outcome_distribution",
    "payoff_rows",
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
    "product_distribution",
    "pure_behavior",
    "pure_profile",
    "push_forward",
    "queried_gradient",
    "random_mediated_profile",
    "reach_probabilities",
    "reactive",
    "read_game",
    "realization_plan",
    "rescale_rewards",
    "response_returns",
    "restrict_actions",
    "return_gains",
    "sampled_query_returns",
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
    "surely",
    "swap_regret",
    "to_policy",
    "trembling_profile",
    "truncated_values",
    "uniform_behavior",
    "uniform_markov_profile",
    "uniform_policies",
    "uniform_profile",
    "uniform_trembles",
    "unreached_infosets",
    "write_game",
]
