from solvers.many_players.best_equilibrium import best_of_all_equilibria as best_of_all_equilibria
from solvers.many_players.logit import LogitBranch as LogitBranch
from solvers.many_players.logit import logit_homotopy as logit_homotopy
from solvers.many_players.polynomial_supports import PolynomialEquilibria as PolynomialEquilibria
from solvers.many_players.polynomial_supports import (
    polynomial_support_enumeration as polynomial_support_enumeration,
)
from solvers.many_players.pure_equilibria import pure as pure
from solvers.many_players.quantal import QuantalResponse as QuantalResponse
from solvers.many_players.quantal import quantal_response as quantal_response
from solvers.many_players.quantal_estimation import RationalityEstimate as RationalityEstimate
from solvers.many_players.quantal_estimation import estimate_rationality as estimate_rationality
from solvers.many_players.two_mixers import two_mixing as two_mixing
