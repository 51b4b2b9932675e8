from learners.roshambo.context_mixing import ContextMixing as ContextMixing
from learners.roshambo.evaluation import evaluate_bot as evaluate_bot
from learners.roshambo.matches import Bot as Bot
from learners.roshambo.matches import Match as Match
from learners.roshambo.matches import play_match as play_match
from learners.roshambo.scores import PopulationScores as PopulationScores
