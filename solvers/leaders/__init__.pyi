from solvers.leaders.commitment_bound import BoundMethod as BoundMethod
from solvers.leaders.commitment_bound import commitment_upper_bound as commitment_upper_bound
from solvers.leaders.deception import Deception as Deception
from solvers.leaders.deception import deceiving_leader as deceiving_leader
from solvers.leaders.deterministic import markov_stackelberg as markov_stackelberg
from solvers.leaders.deterministic_optima import LeaderOptima as LeaderOptima
from solvers.leaders.deterministic_optima import (
    markov_stackelberg_optima as markov_stackelberg_optima,
)
from solvers.leaders.leader_flow import FlowEnd as FlowEnd
from solvers.leaders.leader_flow import LeaderFlow as LeaderFlow
from solvers.leaders.leader_flow import Parametrization as Parametrization
from solvers.leaders.leader_flow import hidden_query_flow as hidden_query_flow
from solvers.leaders.leader_flow import queried_flow as queried_flow
from solvers.leaders.learning_oracles import DeployedPolicy as DeployedPolicy
from solvers.leaders.learning_oracles import GreedyTies as GreedyTies
from solvers.leaders.learning_oracles import LearningQueries as LearningQueries
from solvers.leaders.learning_oracles import WeightedQueries as WeightedQueries
from solvers.leaders.learning_oracles import (
    multiplicative_weights_queries as multiplicative_weights_queries,
)
from solvers.leaders.learning_oracles import q_learning_queries as q_learning_queries
from solvers.leaders.query_oracles import AdaptiveQueries as AdaptiveQueries
from solvers.leaders.query_oracles import ContextualQueries as ContextualQueries
from solvers.leaders.query_oracles import Question as Question
from solvers.leaders.query_oracles import TreeQueries as TreeQueries
from solvers.leaders.query_oracles import adaptive_queries as adaptive_queries
from solvers.leaders.query_oracles import contextual_queries as contextual_queries
from solvers.leaders.stochastic_commitment import (
    stochastic_markov_commitment as stochastic_markov_commitment,
)
from solvers.leaders.stochastic_stackelberg import (
    stochastic_markov_stackelberg as stochastic_markov_stackelberg,
)
from solvers.mediation.other_leaders import OrderedPlay as OrderedPlay
