from learners.leaders.commitments import LearnedCommitment as LearnedCommitment
from learners.leaders.commitments import StackelbergGap as StackelbergGap
from learners.leaders.commitments import assess_leader as assess_leader
from learners.leaders.commitments import judge_commitment as judge_commitment
from learners.leaders.commitments import stackelberg_gap as stackelberg_gap
from learners.leaders.commitments import stackelberg_values as stackelberg_values
from learners.leaders.contextual_gradients import (
    ContextualPolicyGradientOptions as ContextualPolicyGradientOptions,
)
from learners.leaders.contextual_gradients import ContextualPPOOptions as ContextualPPOOptions
from learners.leaders.encounters import Meeting as Meeting
from learners.leaders.invaders_leader import InvadersTrade as InvadersTrade
from learners.leaders.invaders_leader import Leads as Leads
from learners.leaders.judging import JudgedFollowers as JudgedFollowers
from learners.leaders.judging import judge_followers as judge_followers
from learners.leaders.knowing_followers import ExactFollower as ExactFollower
from learners.leaders.knowing_followers import ExactResponseOptions as ExactResponseOptions
from learners.leaders.knowing_followers import InnerLoopWeightsOptions as InnerLoopWeightsOptions
from learners.leaders.mean_dynamics import MeanDynamicsOptions as MeanDynamicsOptions
from learners.leaders.meta_stackelberg import MetaStackelberg as MetaStackelberg
from learners.leaders.network_followers import ContextualNetworkOptions as ContextualNetworkOptions
from learners.leaders.network_leader import LeaderDQNOptions as LeaderDQNOptions
from learners.leaders.offers import Answers as Answers
from learners.leaders.offers import Deployment as Deployment
from learners.leaders.offers import Queries as Queries
from learners.leaders.q_followers import ContextualQOptions as ContextualQOptions
from learners.leaders.q_followers import InnerLoopQOptions as InnerLoopQOptions
from learners.leaders.responding_follower import RespondingFollower as RespondingFollower
from learners.leaders.softmax_leaders import Fitness as Fitness
from learners.leaders.softmax_leaders import LeaderEvolutionOptions as LeaderEvolutionOptions
from learners.leaders.softmax_leaders import (
    LeaderPolicyGradientOptions as LeaderPolicyGradientOptions,
)
from learners.leaders.softmax_leaders import LeaderPPOOptions as LeaderPPOOptions
from learners.leaders.stage import Stage as Stage
from learners.leaders.trade_learners import TradePPO as TradePPO
from learners.leaders.trade_learners import TradeQ as TradeQ
