from solvers.populations.averaging import NashAverage as NashAverage
from solvers.populations.averaging import nash_averaging as nash_averaging
from solvers.populations.averaging import (
    nash_averaging_against_tasks as nash_averaging_against_tasks,
)
from solvers.populations.elo import EloRatings as EloRatings
from solvers.populations.elo import Match as Match
from solvers.populations.elo import batch_elo as batch_elo
from solvers.populations.elo import online_elo as online_elo
from solvers.populations.leading_averages import LeadingAverages as LeadingAverages
from solvers.populations.leading_averages import leading_nash_averages as leading_nash_averages
from solvers.populations.rank import AlphaRank as AlphaRank
from solvers.populations.rank import alpha_rank as alpha_rank
from solvers.populations.rank_limit import AlphaRankLimit as AlphaRankLimit
from solvers.populations.rank_limit import alpha_rank_limit as alpha_rank_limit
from solvers.populations.resampled_matches import NashBootstrap as NashBootstrap
from solvers.populations.resampled_matches import nash_bootstrap as nash_bootstrap
from solvers.populations.win_rates import PerformanceCurve as PerformanceCurve
from solvers.populations.win_rates import bipartite_meta_game as bipartite_meta_game
from solvers.populations.win_rates import evaluation_matrix as evaluation_matrix
from solvers.populations.win_rates import meta_game as meta_game
from solvers.populations.win_rates import relative_performance_curve as relative_performance_curve
from solvers.populations.win_rates import (
    relative_population_performance as relative_population_performance,
)
from solvers.populations.win_rates import win_rates_from_wins as win_rates_from_wins
