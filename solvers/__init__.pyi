from solvers.answering import Answer as Answer
from solvers.answering import solve as solve
from solvers.bimatrix.components import NashComponents as NashComponents
from solvers.bimatrix.components import nash_components as nash_components
from solvers.bimatrix.lemke_howson import lemke_howson as lemke_howson
from solvers.bimatrix.mixed_integer import mixed_integer as mixed_integer
from solvers.bimatrix.support_enumeration import support_enumeration as support_enumeration
from solvers.bimatrix.vertex_enumeration import vertex_enumeration as vertex_enumeration
from solvers.concepts import Concept as Concept
from solvers.concepts import Objective as Objective
from solvers.correlated.even_equilibria import (
    max_entropy_correlated_equilibrium as max_entropy_correlated_equilibrium,
)
from solvers.correlated.even_equilibria import (
    max_gini_correlated_equilibrium as max_gini_correlated_equilibrium,
)
from solvers.correlated.extensive_form import (
    extensive_form_correlated_equilibrium as extensive_form_correlated_equilibrium,
)
from solvers.correlated.normal_form import PayoffPolygon as PayoffPolygon
from solvers.correlated.normal_form import correlated_equilibrium as correlated_equilibrium
from solvers.correlated.normal_form import (
    correlated_payoff_vertices as correlated_payoff_vertices,
)
from solvers.counterfactual.best_response import float_best_response as float_best_response
from solvers.counterfactual.best_response import float_deviation_gains as float_deviation_gains
from solvers.counterfactual.best_response import float_exploitability as float_exploitability
from solvers.counterfactual.best_response import float_nash_conv as float_nash_conv
from solvers.counterfactual.counterfactual_regret import (
    counterfactual_regret as counterfactual_regret,
)
from solvers.counterfactual.monte_carlo import (
    monte_carlo_counterfactual_regret as monte_carlo_counterfactual_regret,
)
from solvers.counterfactual.regret_rules import Averaging as Averaging
from solvers.counterfactual.regret_rules import DiscountedRegretMatching as DiscountedRegretMatching
from solvers.counterfactual.regret_rules import Iterate as Iterate
from solvers.counterfactual.regret_rules import (
    PredictiveRegretMatchingPlus as PredictiveRegretMatchingPlus,
)
from solvers.counterfactual.regret_rules import UpdateOrder as UpdateOrder
from solvers.counterfactual.regret_run import RegretProgress as RegretProgress
from solvers.counterfactual.regret_run import RegretRun as RegretRun
from solvers.counterfactual.regret_run import RegretState as RegretState
from solvers.counterfactual.regret_run import average_profile as average_profile
from solvers.counterfactual.regret_run import current_profile as current_profile
from solvers.counterfactual.reply_tables import EvaluationTables as EvaluationTables
from solvers.counterfactual.reply_tables import evaluation_tables as evaluation_tables
from solvers.counterfactual.sampled_play import LaidOutAverage as LaidOutAverage
from solvers.counterfactual.sampled_play import SampledPlay as SampledPlay
from solvers.counterfactual.sampled_play import Sampling as Sampling
from solvers.counterfactual.sampled_play import SamplingState as SamplingState
from solvers.counterfactual.sampled_play import certified_average as certified_average
from solvers.counterfactual.sampled_play import laid_out_average as laid_out_average
from solvers.dominance.iterated_dominance import DominanceReduction as DominanceReduction
from solvers.dominance.iterated_dominance import DominanceVerdict as DominanceVerdict
from solvers.dominance.iterated_dominance import is_strictly_dominated as is_strictly_dominated
from solvers.dominance.iterated_dominance import is_weakly_dominated as is_weakly_dominated
from solvers.dominance.iterated_dominance import iterated_dominance as iterated_dominance
from solvers.dominance.search import Pace as Pace
from solvers.dynamics.fictitious_play import Order as Order
from solvers.dynamics.fictitious_play import fictitious_play as fictitious_play
from solvers.dynamics.fictitious_play import smoothed_fictitious_play as smoothed_fictitious_play
from solvers.dynamics.play import Play as Play
from solvers.dynamics.play import PlayState as PlayState
from solvers.dynamics.regret_matching import hedge as hedge
from solvers.dynamics.regret_matching import regret_matching as regret_matching
from solvers.dynamics.regret_matching import regret_matching_plus as regret_matching_plus
from solvers.dynamics.replicator import projected_replicator as projected_replicator
from solvers.dynamics.replicator import replicator as replicator
from solvers.local_rules import Hedge as Hedge
from solvers.local_rules import RegretMatching as RegretMatching
from solvers.local_rules import RegretMatchingPlus as RegretMatchingPlus
from solvers.local_rules import TieRule as TieRule
from solvers.many_players.logit_homotopy import LogitBranch as LogitBranch
from solvers.many_players.logit_homotopy import logit_homotopy as logit_homotopy
from solvers.many_players.polynomial_supports import PolynomialEquilibria as PolynomialEquilibria
from solvers.many_players.polynomial_supports import (
    polynomial_support_enumeration as polynomial_support_enumeration,
)
from solvers.many_players.pure import pure as pure
from solvers.many_players.quantal_response import QuantalResponse as QuantalResponse
from solvers.many_players.quantal_response import quantal_response as quantal_response
from solvers.markov.shapley import shapley_value_iteration as shapley_value_iteration
from solvers.markov.stage_games import stage_correlated_induction as stage_correlated_induction
from solvers.markov.stage_games import stage_nash_induction as stage_nash_induction
from solvers.markov.stage_games import stage_stackelberg_induction as stage_stackelberg_induction
from solvers.populations.alpha_rank import AlphaRank as AlphaRank
from solvers.populations.alpha_rank import alpha_rank as alpha_rank
from solvers.populations.alpha_rank_limit import AlphaRankLimit as AlphaRankLimit
from solvers.populations.alpha_rank_limit import alpha_rank_limit as alpha_rank_limit
from solvers.populations.elo import EloRatings as EloRatings
from solvers.populations.elo import Match as Match
from solvers.populations.elo import batch_elo as batch_elo
from solvers.populations.elo import online_elo as online_elo
from solvers.populations.meta_game import PerformanceCurve as PerformanceCurve
from solvers.populations.meta_game import bipartite_meta_game as bipartite_meta_game
from solvers.populations.meta_game import evaluation_matrix as evaluation_matrix
from solvers.populations.meta_game import meta_game as meta_game
from solvers.populations.meta_game import relative_performance_curve as relative_performance_curve
from solvers.populations.meta_game import (
    relative_population_performance as relative_population_performance,
)
from solvers.populations.meta_game import win_rates_from_wins as win_rates_from_wins
from solvers.populations.nash_averaging import NashAverage as NashAverage
from solvers.populations.nash_averaging import nash_averaging as nash_averaging
from solvers.populations.nash_averaging import (
    nash_averaging_against_tasks as nash_averaging_against_tasks,
)
from solvers.reduced_normal_form import all_through_normal_form as all_through_normal_form
from solvers.reduced_normal_form import one_through_normal_form as one_through_normal_form
from solvers.solution import UNLIMITED as UNLIMITED
from solvers.solution import Budget as Budget
from solvers.solution import Progress as Progress
from solvers.solution import RunRecord as RunRecord
from solvers.solution import Solution as Solution
from solvers.solution import SolutionSet as SolutionSet
from solvers.stackelberg.bayesian import BayesianMethod as BayesianMethod
from solvers.stackelberg.bayesian import bayesian_stackelberg as bayesian_stackelberg
from solvers.stackelberg.commitment import correlated_commitment as correlated_commitment
from solvers.stackelberg.commitment import strong_stackelberg as strong_stackelberg
from solvers.stackelberg.commitment import weak_stackelberg as weak_stackelberg
from solvers.stackelberg.extensive_commitment import (
    extensive_correlated_commitment as extensive_correlated_commitment,
)
from solvers.stackelberg.extensive_commitment import extensive_stackelberg as extensive_stackelberg
from solvers.stackelberg.extensive_perfect_information import (
    perfect_information_commitment as perfect_information_commitment,
)
from solvers.stackelberg.pure_followers import (
    pure_followers_stackelberg as pure_followers_stackelberg,
)
from solvers.stackelberg.security import security_stackelberg as security_stackelberg
from solvers.trees.backward_induction import backward_induction as backward_induction
from solvers.trees.refinements import quasi_perfect as quasi_perfect
from solvers.trees.refinements import sequential_equilibrium as sequential_equilibrium
from solvers.trees.sequence_form_lcp import sequence_form_lcp as sequence_form_lcp
from solvers.trees.sequence_form_lp import sequence_form_lp as sequence_form_lp
from solvers.trees.subgame_perfect import subgame_perfect as subgame_perfect
from solvers.zero_sum.max_entropy import max_entropy as max_entropy
from solvers.zero_sum.minimax import minimax as minimax
