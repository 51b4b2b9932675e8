from solvers.zero_sum.entropy import max_entropy as max_entropy
from solvers.zero_sum.matrix_games import minimax as minimax
from solvers.zero_sum.oracle_rounds import DoubleOracleRun as DoubleOracleRun
from solvers.zero_sum.oracle_rounds import OracleRound as OracleRound
from solvers.zero_sum.oracles import double_oracle as double_oracle
from solvers.zero_sum.oracles import implicit_double_oracle as implicit_double_oracle
