from solvers import compact as compact
from solvers import counterfactual as counterfactual
from solvers import dynamics as dynamics
from solvers import leaders as leaders
from solvers import mediation as mediation
from solvers import populations as populations
from solvers.answer import Answer as Answer
from solvers.answering import solve as solve
from solvers.bimatrix.components import nash_components as nash_components
from solvers.bimatrix.equilibrium_program import mixed_integer as mixed_integer
from solvers.bimatrix.pivoting import lemke_howson as lemke_howson
from solvers.bimatrix.supports import support_enumeration as support_enumeration
from solvers.bimatrix.tree_equilibria import extensive_best_nash as extensive_best_nash
from solvers.bimatrix.vertices import vertex_enumeration as vertex_enumeration
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
from solvers.correlated.normal_form import correlated_equilibrium as correlated_equilibrium
from solvers.counterfactual.full_width import counterfactual_regret as counterfactual_regret
from solvers.counterfactual.monte_carlo import (
    monte_carlo_counterfactual_regret as monte_carlo_counterfactual_regret,
)
from solvers.dominance.elimination import iterated_dominance as iterated_dominance
from solvers.dynamics.fictitious import fictitious_play as fictitious_play
from solvers.dynamics.regrets import regret_matching as regret_matching
from solvers.many_games.solving import solve_many as solve_many
from solvers.many_players.logit import logit_homotopy as logit_homotopy
from solvers.many_players.polynomial_supports import (
    polynomial_support_enumeration as polynomial_support_enumeration,
)
from solvers.many_players.pure_equilibria import pure as pure
from solvers.many_players.quantal import quantal_response as quantal_response
from solvers.markov.shapley import shapley_value_iteration as shapley_value_iteration
from solvers.populations.averaging import nash_averaging as nash_averaging
from solvers.populations.rank import alpha_rank as alpha_rank
from solvers.reduced_normal_form import all_through_normal_form as all_through_normal_form
from solvers.reduced_normal_form import one_through_normal_form as one_through_normal_form
from solvers.solution import UNLIMITED as UNLIMITED
from solvers.solution import Budget as Budget
from solvers.solution import Progress as Progress
from solvers.solution import Solution as Solution
from solvers.solution import SolutionSet as SolutionSet
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
from solvers.trees.complementarity import sequence_form_lcp as sequence_form_lcp
from solvers.trees.induction import backward_induction as backward_induction
from solvers.trees.linear_program import sequence_form_lp as sequence_form_lp
from solvers.trees.refinements import quasi_perfect as quasi_perfect
from solvers.trees.sequential import sequential_equilibrium as sequential_equilibrium
from solvers.trees.subgames import subgame_perfect as subgame_perfect
from solvers.zero_sum.entropy import max_entropy as max_entropy
from solvers.zero_sum.matrix_games import minimax as minimax

__version__: str
