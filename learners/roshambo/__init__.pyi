from learners.roshambo.automaton_matches import MatchValue as MatchValue
from learners.roshambo.automaton_matches import match_value as match_value
from learners.roshambo.best_replies import BestReply as BestReply
from learners.roshambo.best_replies import best_reply as best_reply
from learners.roshambo.bots import CompiledBot as CompiledBot
from learners.roshambo.bots import embedded_population as embedded_population
from learners.roshambo.bots import held_out_bots as held_out_bots
from learners.roshambo.context_mixing import ContextMixing as ContextMixing
from learners.roshambo.entrants import agents_named as agents_named
from learners.roshambo.entrants import population_named as population_named
from learners.roshambo.evaluation import evaluate_bot as evaluate_bot
from learners.roshambo.external_exploitability import Exploiter as Exploiter
from learners.roshambo.external_exploitability import (
    ExternalExploitability as ExternalExploitability,
)
from learners.roshambo.external_exploitability import (
    external_exploitability as external_exploitability,
)
from learners.roshambo.matches import Bot as Bot
from learners.roshambo.matches import Match as Match
from learners.roshambo.matches import play_match as play_match
from learners.roshambo.payoff_tables import PayoffTable as PayoffTable
from learners.roshambo.payoff_tables import Standing as Standing
from learners.roshambo.policy_bots import PolicyBot as PolicyBot
from learners.roshambo.policy_scores import evaluate_policy as evaluate_policy
from learners.roshambo.population_play import PopulationPlay as PopulationPlay
from learners.roshambo.recall import Recall as Recall
from learners.roshambo.recall import Shows as Shows
from learners.roshambo.scores import PopulationScores as PopulationScores
from learners.roshambo.scores import largest_mean_bias as largest_mean_bias
from learners.roshambo.tournaments import Forfeit as Forfeit
from learners.roshambo.tournaments import Tournament as Tournament
from learners.roshambo.tournaments import tournament as tournament
from learners.roshambo.type_mixture import TypeMixture as TypeMixture
