from learners.roshambo.agents.language_model import LanguageModelBot as LanguageModelBot
from learners.roshambo.agents.language_model import NGramScorer as NGramScorer
from learners.roshambo.agents.language_model import Scorer as Scorer
from learners.roshambo.agents.n_gram import NGram as NGram
from learners.roshambo.agents.q_table import QBot as QBot
from learners.roshambo.agents.q_table import QTable as QTable
from learners.roshambo.agents.q_training import train_q_table as train_q_table
from learners.roshambo.agents.regret_bot import RegretBot as RegretBot
