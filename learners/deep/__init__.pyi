from learners.deep.action_values import ValueOptions as ValueOptions
from learners.deep.dqn import DQN as DQN
from learners.deep.networks import NetworkShape as NetworkShape
from learners.deep.policy_gradients import ActorCritic as ActorCritic
from learners.deep.policy_gradients import Reinforce as Reinforce
from learners.deep.ppo import PPO as PPO
