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
from solvers.correlated.normal_form import correlated_payoff_vertices as correlated_payoff_vertices
