"""Learners: strategies by sampling, judged by the same certificates as the solvers.

Networks are in ``learners.deep`` (they need torch), experiments from files in
``learners.experiments``, environments of other libraries in ``learners.adapters``.
"""

from learners.assessment.findings import Standing
from learners.assessment.play import ActsOn, assess, assess_by_sampling
from learners.batch import AtHorizon, BatchedEnvironment, BatchTurn
from learners.batches import (
    BatchedGame,
    MeanReturns,
    Rollouts,
    Sees,
    batched,
    features,
    mean_returns,
    policy_table,
    rollouts,
    stacked,
)
from learners.environment import Environment, GameEnvironment, Turn, environment_of
from learners.gradients.exact import PolicyGradient, exact_gradient
from learners.gradients.tabular_ppo import TabularPPO
from learners.gradients.tabular_reinforce import TabularReinforce
from learners.leaders.assessment import assess_leader
from learners.leaders.commitments import (
    LearnedCommitment,
    StackelbergGap,
    judge_commitment,
    stackelberg_gap,
)
from learners.leaders.contextual_gradients import ContextualPolicyGradient, ContextualPPO
from learners.leaders.exact_follower import ExactResponse
from learners.leaders.inner_loop_weights import InnerLoopWeights
from learners.leaders.meta_stackelberg import MetaStackelberg
from learners.leaders.network_leader import LeaderDQN
from learners.leaders.offers import Answers, Deployment, Queries
from learners.leaders.q_followers import ContextualQ, InnerLoopQ
from learners.leaders.responding_follower import RespondingFollower
from learners.leaders.softmax_leaders import LeaderEvolution, LeaderPolicyGradient, LeaderPPO
from learners.learner import Learner
from learners.mediation.assessment import assess_mediated
from learners.mediation.jam_q_learning import Explorers, JamQLearning, Updates
from learners.mediation.resource_grid import ResourceGrid
from learners.mediation.selfish_leaders import Selection, SelfishLeaders
from learners.policies import lottery_of, observed_policy
from learners.regret.bandit import BanditLearner, Exp3, Output, exp3_for
from learners.regret.minimizer import LocalMinimizer
from learners.regret.reductions import BlumMansour, StronglyAdaptive
from learners.regret.regret_learner import Feedback, RegretLearner
from learners.schedules import Constant, Exponential, Linear, PerVisit
from learners.snapshots import load_snapshot, save_snapshot
from learners.streams import named_stream
from learners.tabular import (
    Boltzmann,
    DoubleQLearning,
    Episodes,
    EpsilonGreedy,
    FixedPolicy,
    MonteCarloControl,
    ParameterNoise,
    QLearning,
    Sarsa,
    Steps,
    Visits,
    WolfPHC,
)
from learners.training import Diverged, Learned, LearningProgress, train

__all__ = [
    "ActsOn",
    "Answers",
    "AtHorizon",
    "BanditLearner",
    "BatchTurn",
    "BatchedEnvironment",
    "BatchedGame",
    "BlumMansour",
    "Boltzmann",
    "Constant",
    "ContextualPPO",
    "ContextualPolicyGradient",
    "ContextualQ",
    "Deployment",
    "Diverged",
    "DoubleQLearning",
    "Environment",
    "Episodes",
    "EpsilonGreedy",
    "ExactResponse",
    "Exp3",
    "Explorers",
    "Exponential",
    "Feedback",
    "FixedPolicy",
    "GameEnvironment",
    "InnerLoopQ",
    "InnerLoopWeights",
    "JamQLearning",
    "LeaderDQN",
    "LeaderEvolution",
    "LeaderPPO",
    "LeaderPolicyGradient",
    "Learned",
    "LearnedCommitment",
    "Learner",
    "LearningProgress",
    "Linear",
    "LocalMinimizer",
    "MeanReturns",
    "MetaStackelberg",
    "MonteCarloControl",
    "Output",
    "ParameterNoise",
    "PerVisit",
    "PolicyGradient",
    "QLearning",
    "Queries",
    "RegretLearner",
    "ResourceGrid",
    "RespondingFollower",
    "Rollouts",
    "Sarsa",
    "Sees",
    "Selection",
    "SelfishLeaders",
    "StackelbergGap",
    "Standing",
    "Steps",
    "StronglyAdaptive",
    "TabularPPO",
    "TabularReinforce",
    "Turn",
    "Updates",
    "Visits",
    "WolfPHC",
    "assess",
    "assess_by_sampling",
    "assess_leader",
    "assess_mediated",
    "batched",
    "environment_of",
    "exact_gradient",
    "exp3_for",
    "features",
    "judge_commitment",
    "load_snapshot",
    "lottery_of",
    "mean_returns",
    "named_stream",
    "observed_policy",
    "policy_table",
    "rollouts",
    "save_snapshot",
    "stacked",
    "stackelberg_gap",
    "train",
]
