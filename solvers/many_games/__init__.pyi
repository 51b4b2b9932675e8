from solvers.many_games.answers import ManyAnswers as ManyAnswers
from solvers.many_games.solving import solve_many as solve_many
