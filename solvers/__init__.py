"""Solvers: plain functions from a game to a certified solution."""

from solvers.answering import Answer, solve
from solvers.best_equilibrium.mixed_integer import mixed_integer
from solvers.bimatrix.components import NashComponents, nash_components
from solvers.bimatrix.lemke_howson import lemke_howson
from solvers.bimatrix.support_enumeration import support_enumeration
from solvers.bimatrix.vertex_enumeration import vertex_enumeration
from solvers.concepts import Concept
from solvers.correlated.even_equilibria import (
    max_entropy_correlated_equilibrium,
    max_gini_correlated_equilibrium,
)
from solvers.correlated.extensive_form import (
    extensive_form_correlated_equilibrium,
)
from solvers.correlated.normal_form import correlated_equilibrium
from solvers.correlated.payoff_polygon import PayoffPolygon, correlated_payoff_vertices
from solvers.counterfactual.best_response import (
    float_best_response,
    float_deviation_gains,
    float_exploitability,
    float_nash_conv,
)
from solvers.counterfactual.certified_average import (
    LaidOutAverage,
    certified_average,
    laid_out_average,
)
from solvers.counterfactual.counterfactual_regret import counterfactual_regret
from solvers.counterfactual.monte_carlo import monte_carlo_counterfactual_regret
from solvers.counterfactual.regret_rules import (
    Averaging,
    DiscountedRegretMatching,
    Iterate,
    PredictiveRegretMatchingPlus,
    UpdateOrder,
)
from solvers.counterfactual.regret_run import (
    RegretProgress,
    RegretRun,
    average_profile,
    current_profile,
)
from solvers.counterfactual.regret_state import RegretState
from solvers.counterfactual.reply_tables import EvaluationTables, evaluation_tables
from solvers.counterfactual.sampled_play import SampledPlay, Sampling, SamplingState
from solvers.dominance.iterated_dominance import (
    DominanceReduction,
    DominanceVerdict,
    is_strictly_dominated,
    is_weakly_dominated,
    iterated_dominance,
)
from solvers.dominance.search import Pace
from solvers.dynamics.fictitious_play import (
    Order,
    fictitious_play,
    smoothed_fictitious_play,
)
from solvers.dynamics.play import Play, PlayState
from solvers.dynamics.regret_matching import hedge, regret_matching, regret_matching_plus
from solvers.dynamics.replicator import projected_replicator, replicator
from solvers.leaders.adaptive_queries import AdaptiveQueries, adaptive_queries
from solvers.leaders.commitment_bound import BoundMethod, commitment_upper_bound
from solvers.leaders.contextual_queries import ContextualQueries, contextual_queries
from solvers.leaders.deceiving_leader import Deception, deceiving_leader
from solvers.leaders.flow_steps import FlowEnd, LeaderFlow, Parametrization
from solvers.leaders.leader_flow import hidden_query_flow, queried_flow
from solvers.leaders.learning_queries import GreedyTies, LearningQueries, q_learning_queries
from solvers.leaders.markov_stackelberg import markov_stackelberg
from solvers.leaders.markov_stackelberg_optima import LeaderOptima, markov_stackelberg_optima
from solvers.leaders.question_tree import Question, TreeQueries
from solvers.leaders.stochastic_commitment import stochastic_markov_commitment
from solvers.leaders.weighted_queries import (
    DeployedPolicy,
    WeightedQueries,
    multiplicative_weights_queries,
)
from solvers.local_rules import Hedge, RegretMatching, RegretMatchingPlus, TieRule
from solvers.many_players.logit_homotopy import LogitBranch, logit_homotopy
from solvers.many_players.polynomial_supports import (
    PolynomialEquilibria,
    polynomial_support_enumeration,
)
from solvers.many_players.pure import pure
from solvers.many_players.quantal_response import QuantalResponse, quantal_response
from solvers.markov.shapley import shapley_value_iteration
from solvers.markov.stage_games import (
    stage_correlated_induction,
    stage_nash_induction,
    stage_stackelberg_induction,
)
from solvers.mediated.fair_optimum import FairPlay, fair_optimum
from solvers.mediated.jam_value_iteration import jam_value_iteration
from solvers.mediated.leader_orders import OrderedPlay, ordered_leaders
from solvers.mediated.responses import leading_response, mediator_response
from solvers.mediated.rounds import MediatedRounds, RoundsStatus
from solvers.mediated.starts import InitialPolicies
from solvers.mediated.ties import AgentTies, MediatorTies
from solvers.mediated.votes import VotedPlay, voted_leaders
from solvers.objectives import Objective
from solvers.populations.alpha_rank import AlphaRank, alpha_rank
from solvers.populations.alpha_rank_limit import AlphaRankLimit, alpha_rank_limit
from solvers.populations.elo import EloRatings, Match, batch_elo, online_elo
from solvers.populations.meta_game import (
    PerformanceCurve,
    bipartite_meta_game,
    evaluation_matrix,
    meta_game,
    relative_performance_curve,
    relative_population_performance,
    win_rates_from_wins,
)
from solvers.populations.nash_averaging import (
    NashAverage,
    nash_averaging,
    nash_averaging_against_tasks,
)
from solvers.reduced_normal_form import all_through_normal_form, one_through_normal_form
from solvers.refinements.quasi_perfect import quasi_perfect
from solvers.refinements.sequential import sequential_equilibrium
from solvers.solution import (
    UNLIMITED,
    Budget,
    Progress,
    RunRecord,
    Solution,
    SolutionSet,
)
from solvers.stackelberg.bayesian import BayesianMethod, bayesian_stackelberg
from solvers.stackelberg.commitment import strong_stackelberg, weak_stackelberg
from solvers.stackelberg.correlated_commitment import correlated_commitment
from solvers.stackelberg.extensive_commitment import extensive_stackelberg
from solvers.stackelberg.extensive_correlated_commitment import extensive_correlated_commitment
from solvers.stackelberg.extensive_perfect_information import perfect_information_commitment
from solvers.stackelberg.pure_followers import pure_followers_stackelberg
from solvers.stackelberg.security import security_stackelberg
from solvers.trees.backward_induction import backward_induction
from solvers.trees.sequence_form_lcp import sequence_form_lcp
from solvers.trees.sequence_form_lp import sequence_form_lp
from solvers.trees.subgame_perfect import subgame_perfect
from solvers.zero_sum.max_entropy import max_entropy
from solvers.zero_sum.minimax import minimax

__all__ = [
    "UNLIMITED",
    "AdaptiveQueries",
    "AgentTies",
    "AlphaRank",
    "AlphaRankLimit",
    "Answer",
    "Averaging",
    "BayesianMethod",
    "BoundMethod",
    "Budget",
    "Concept",
    "ContextualQueries",
    "Deception",
    "DeployedPolicy",
    "DiscountedRegretMatching",
    "DominanceReduction",
    "DominanceVerdict",
    "EloRatings",
    "EvaluationTables",
    "FairPlay",
    "FlowEnd",
    "GreedyTies",
    "Hedge",
    "InitialPolicies",
    "Iterate",
    "LaidOutAverage",
    "LeaderFlow",
    "LeaderOptima",
    "LearningQueries",
    "LogitBranch",
    "Match",
    "MediatedRounds",
    "MediatorTies",
    "NashAverage",
    "NashComponents",
    "Objective",
    "Order",
    "OrderedPlay",
    "Pace",
    "Parametrization",
    "PayoffPolygon",
    "PerformanceCurve",
    "Play",
    "PlayState",
    "PolynomialEquilibria",
    "PredictiveRegretMatchingPlus",
    "Progress",
    "QuantalResponse",
    "Question",
    "RegretMatching",
    "RegretMatchingPlus",
    "RegretProgress",
    "RegretRun",
    "RegretState",
    "RoundsStatus",
    "RunRecord",
    "SampledPlay",
    "Sampling",
    "SamplingState",
    "Solution",
    "SolutionSet",
    "TieRule",
    "TreeQueries",
    "UpdateOrder",
    "VotedPlay",
    "WeightedQueries",
    "adaptive_queries",
    "all_through_normal_form",
    "alpha_rank",
    "alpha_rank_limit",
    "average_profile",
    "backward_induction",
    "batch_elo",
    "bayesian_stackelberg",
    "bipartite_meta_game",
    "certified_average",
    "commitment_upper_bound",
    "contextual_queries",
    "correlated_commitment",
    "correlated_equilibrium",
    "correlated_payoff_vertices",
    "counterfactual_regret",
    "current_profile",
    "deceiving_leader",
    "evaluation_matrix",
    "evaluation_tables",
    "extensive_correlated_commitment",
    "extensive_form_correlated_equilibrium",
    "extensive_stackelberg",
    "fair_optimum",
    "fictitious_play",
    "float_best_response",
    "float_deviation_gains",
    "float_exploitability",
    "float_nash_conv",
    "hedge",
    "hidden_query_flow",
    "is_strictly_dominated",
    "is_weakly_dominated",
    "iterated_dominance",
    "jam_value_iteration",
    "laid_out_average",
    "leading_response",
    "lemke_howson",
    "logit_homotopy",
    "markov_stackelberg",
    "markov_stackelberg_optima",
    "max_entropy",
    "max_entropy_correlated_equilibrium",
    "max_gini_correlated_equilibrium",
    "mediator_response",
    "meta_game",
    "minimax",
    "mixed_integer",
    "monte_carlo_counterfactual_regret",
    "multiplicative_weights_queries",
    "nash_averaging",
    "nash_averaging_against_tasks",
    "nash_components",
    "one_through_normal_form",
    "online_elo",
    "ordered_leaders",
    "perfect_information_commitment",
    "polynomial_support_enumeration",
    "projected_replicator",
    "pure",
    "pure_followers_stackelberg",
    "q_learning_queries",
    "quantal_response",
    "quasi_perfect",
    "queried_flow",
    "regret_matching",
    "regret_matching_plus",
    "relative_performance_curve",
    "relative_population_performance",
    "replicator",
    "security_stackelberg",
    "sequence_form_lcp",
    "sequence_form_lp",
    "sequential_equilibrium",
    "shapley_value_iteration",
    "smoothed_fictitious_play",
    "solve",
    "stage_correlated_induction",
    "stage_nash_induction",
    "stage_stackelberg_induction",
    "stochastic_markov_commitment",
    "strong_stackelberg",
    "subgame_perfect",
    "support_enumeration",
    "vertex_enumeration",
    "voted_leaders",
    "weak_stackelberg",
    "win_rates_from_wins",
]
