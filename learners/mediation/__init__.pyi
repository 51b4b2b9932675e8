from learners.mediation.jam_networks import DeepJamQLearning as DeepJamQLearning
from learners.mediation.jam_q_learning import Explorers as Explorers
from learners.mediation.jam_q_learning import JamQLearning as JamQLearning
from learners.mediation.jam_q_learning import Updates as Updates
from learners.mediation.resource_grid import ResourceGrid as ResourceGrid
from learners.mediation.selfish_leaders import Selection as Selection
from learners.mediation.selfish_leaders import SelfishLeaders as SelfishLeaders
from learners.mediation.turns import assess_mediated as assess_mediated
