from gametheory_core.certificates.reduced_game import Reduction as Reduction
from solvers.dominance.elimination import DominanceReduction as DominanceReduction
from solvers.dominance.elimination import DominanceVerdict as DominanceVerdict
from solvers.dominance.elimination import is_strictly_dominated as is_strictly_dominated
from solvers.dominance.elimination import is_weakly_dominated as is_weakly_dominated
from solvers.dominance.elimination import iterated_dominance as iterated_dominance
from solvers.dominance.reduction import reduce_game as reduce_game
from solvers.dominance.search import Pace as Pace
