from solvers.bimatrix.components import NashComponents as NashComponents
from solvers.bimatrix.components import nash_components as nash_components
from solvers.bimatrix.enumeration_state import EnumerationState as EnumerationState
from solvers.bimatrix.equilibrium_program import mixed_integer as mixed_integer
from solvers.bimatrix.pivoting import lemke_howson as lemke_howson
from solvers.bimatrix.supports import support_enumeration as support_enumeration
from solvers.bimatrix.tree_equilibria import extensive_best_nash as extensive_best_nash
from solvers.bimatrix.vertices import vertex_enumeration as vertex_enumeration
