"""Solvers: plain functions from a game to a certified solution."""

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
from solvers.correlated.normal_form import coarse_correlated_equilibrium, correlated_equilibrium
from solvers.correlated.payoff_polygon import PayoffPolygon, correlated_payoff_vertices
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
from solvers.local_rules import TieRule
from solvers.many_players.logit_homotopy import LogitBranch, logit_homotopy
from solvers.many_players.polynomial_supports import (
    PolynomialEquilibria,
    polynomial_support_enumeration,
)
from solvers.many_players.pure import pure
from solvers.many_players.quantal_response import QuantalResponse, quantal_response
from solvers.populations.alpha_rank import AlphaRank, alpha_rank
from solvers.populations.alpha_rank_limit import AlphaRankLimit, alpha_rank_limit
from solvers.populations.elo import EloRatings, Match, batch_elo, online_elo
from solvers.populations.meta_game import (
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
from solvers.solution import UNLIMITED, Budget, EquilibriumSet, Progress, RunRecord, Solution
from solvers.solve import Answer, solve
from solvers.stackelberg.bayesian import BayesianMethod, bayesian_stackelberg
from solvers.stackelberg.commitment import strong_stackelberg, weak_stackelberg
from solvers.stackelberg.correlated_commitment import correlated_commitment
from solvers.stackelberg.pure_followers import pure_followers_stackelberg
from solvers.stackelberg.security import security_stackelberg
from solvers.trees.backward_induction import backward_induction
from solvers.trees.sequence_form_lp import sequence_form_lp
from solvers.zero_sum.max_entropy import max_entropy
from solvers.zero_sum.minimax import minimax

__all__ = [
    "UNLIMITED",
    "AlphaRank",
    "AlphaRankLimit",
    "Answer",
    "BayesianMethod",
    "Budget",
    "Concept",
    "DominanceReduction",
    "DominanceVerdict",
    "EloRatings",
    "EquilibriumSet",
    "LogitBranch",
    "Match",
    "NashAverage",
    "NashComponents",
    "Order",
    "Pace",
    "PayoffPolygon",
    "Play",
    "PlayState",
    "PolynomialEquilibria",
    "Progress",
    "QuantalResponse",
    "RunRecord",
    "Solution",
    "TieRule",
    "alpha_rank",
    "alpha_rank_limit",
    "backward_induction",
    "batch_elo",
    "bayesian_stackelberg",
    "bipartite_meta_game",
    "coarse_correlated_equilibrium",
    "correlated_commitment",
    "correlated_equilibrium",
    "correlated_payoff_vertices",
    "evaluation_matrix",
    "fictitious_play",
    "hedge",
    "is_strictly_dominated",
    "is_weakly_dominated",
    "iterated_dominance",
    "lemke_howson",
    "logit_homotopy",
    "max_entropy",
    "max_entropy_correlated_equilibrium",
    "max_gini_correlated_equilibrium",
    "meta_game",
    "minimax",
    "mixed_integer",
    "nash_averaging",
    "nash_averaging_against_tasks",
    "nash_components",
    "online_elo",
    "polynomial_support_enumeration",
    "projected_replicator",
    "pure",
    "pure_followers_stackelberg",
    "quantal_response",
    "regret_matching",
    "regret_matching_plus",
    "relative_performance_curve",
    "relative_population_performance",
    "replicator",
    "security_stackelberg",
    "sequence_form_lp",
    "smoothed_fictitious_play",
    "solve",
    "strong_stackelberg",
    "support_enumeration",
    "vertex_enumeration",
    "weak_stackelberg",
    "win_rates_from_wins",
]
