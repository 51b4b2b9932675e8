from solvers.trees.bayesian import bayes_nash as bayes_nash
from solvers.trees.bayesian import bayes_nash_enumeration as bayes_nash_enumeration
from solvers.trees.complementarity import sequence_form_lcp as sequence_form_lcp
from solvers.trees.induction import backward_induction as backward_induction
from solvers.trees.linear_program import sequence_form_lp as sequence_form_lp
from solvers.trees.oracle_sequences import (
    sequence_form_double_oracle as sequence_form_double_oracle,
)
from solvers.trees.refinements import quasi_perfect as quasi_perfect
from solvers.trees.sequential import sequential_equilibrium as sequential_equilibrium
from solvers.trees.signaling import signaling_equilibria as signaling_equilibria
from solvers.trees.subgames import subgame_perfect as subgame_perfect
