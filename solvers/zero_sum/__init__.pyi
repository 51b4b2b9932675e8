from solvers.zero_sum.entropy import max_entropy as max_entropy
from solvers.zero_sum.matrix_games import minimax as minimax
