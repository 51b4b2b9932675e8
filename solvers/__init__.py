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
from solvers.correlated.extensive_form import extensive_form_correlated_equilibrium
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
    "AlphaRank",
    "AlphaRankLimit",
    "Answer",
    "Averaging",
    "BayesianMethod",
    "Budget",
    "Concept",
    "DiscountedRegretMatching",
    "DominanceReduction",
    "DominanceVerdict",
    "EloRatings",
    "EvaluationTables",
    "Hedge",
    "Iterate",
    "LaidOutAverage",
    "LogitBranch",
    "Match",
    "NashAverage",
    "NashComponents",
    "Objective",
    "Order",
    "Pace",
    "PayoffPolygon",
    "PerformanceCurve",
    "Play",
    "PlayState",
    "PolynomialEquilibria",
    "PredictiveRegretMatchingPlus",
    "Progress",
    "QuantalResponse",
    "RegretMatching",
    "RegretMatchingPlus",
    "RegretProgress",
    "RegretRun",
    "RegretState",
    "RunRecord",
    "SampledPlay",
    "Sampling",
    "SamplingState",
    "Solution",
    "SolutionSet",
    "TieRule",
    "UpdateOrder",
    "all_through_normal_form",
    "alpha_rank",
    "alpha_rank_limit",
    "average_profile",
    "backward_induction",
    "batch_elo",
    "bayesian_stackelberg",
    "bipartite_meta_game",
    "certified_average",
    "correlated_commitment",
    "correlated_equilibrium",
    "correlated_payoff_vertices",
    "counterfactual_regret",
    "current_profile",
    "evaluation_matrix",
    "evaluation_tables",
    "extensive_correlated_commitment",
    "extensive_form_correlated_equilibrium",
    "extensive_stackelberg",
    "fictitious_play",
    "float_best_response",
    "float_deviation_gains",
    "float_exploitability",
    "float_nash_conv",
    "hedge",
    "is_strictly_dominated",
    "is_weakly_dominated",
    "iterated_dominance",
    "laid_out_average",
    "lemke_howson",
    "logit_homotopy",
    "max_entropy",
    "max_entropy_correlated_equilibrium",
    "max_gini_correlated_equilibrium",
    "meta_game",
    "minimax",
    "mixed_integer",
    "monte_carlo_counterfactual_regret",
    "nash_averaging",
    "nash_averaging_against_tasks",
    "nash_components",
    "one_through_normal_form",
    "online_elo",
    "perfect_information_commitment",
    "polynomial_support_enumeration",
    "projected_replicator",
    "pure",
    "pure_followers_stackelberg",
    "quantal_response",
    "quasi_perfect",
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
    "strong_stackelberg",
    "subgame_perfect",
    "support_enumeration",
    "vertex_enumeration",
    "weak_stackelberg",
    "win_rates_from_wins",
]
