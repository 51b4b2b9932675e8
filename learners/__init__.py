"""Learners: strategies by sampling, judged by the same certificates as the solvers.

Networks are in ``learners.deep`` (they need torch), experiments from files in
``learners.experiments``, environments of other libraries in ``learners.adapters``.
"""

from learners.assessment.findings import Standing
from learners.assessment.leaders import assess_leader
from learners.assessment.mediators import assess_mediated
from learners.assessment.play import ActsOn, assess
from learners.assessment.sampling import assess_by_sampling
from learners.batch import BatchedEnvironment, BatchTurn
from learners.batched import (
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
from learners.checkpoints import load_snapshot, save_snapshot
from learners.environment import Environment, GameEnvironment, Turn, environment_of
from learners.gradients.exact import PolicyGradient, exact_gradient
from learners.gradients.tabular_ppo import TabularPPO
from learners.gradients.tabular_reinforce import TabularReinforce
from learners.horizon import AtHorizon
from learners.learner import Learner
from learners.mediation.jam_q_learning import Explorers, JamQLearning, Updates
from learners.mediation.resource_grid import ResourceGrid
from learners.mediation.selfish_leaders import Selection, SelfishLeaders
from learners.policies import lottery_of, observed_policy
from learners.regret.adaptive import StronglyAdaptive
from learners.regret.bandit import Exp3, exp3_for
from learners.regret.bandit_learner import BanditLearner
from learners.regret.minimizer import LocalMinimizer
from learners.regret.regret_learner import Feedback, Output, RegretLearner
from learners.regret.swap import BlumMansour
from learners.schedules import Constant, Exponential, Linear, PerVisit
from learners.stackelberg.commitments import LearnedCommitment, judge_commitment
from learners.stackelberg.contextual_gradients import ContextualPolicyGradient, ContextualPPO
from learners.stackelberg.contextual_q import ContextualQ
from learners.stackelberg.evolution_leader import LeaderEvolution
from learners.stackelberg.exact_follower import ExactResponse
from learners.stackelberg.inner_loop_q import InnerLoopQ
from learners.stackelberg.inner_loop_weights import InnerLoopWeights
from learners.stackelberg.meta_stackelberg import MetaStackelberg
from learners.stackelberg.network_leader import LeaderDQN
from learners.stackelberg.options import Answers, Deployment, Queries
from learners.stackelberg.softmax_leaders import LeaderPolicyGradient, LeaderPPO
from learners.stackelberg.stackelberg_gap import StackelbergGap, stackelberg_gap
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
from learners.tabular.responding_follower import RespondingFollower
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
