from learners.deep.action_values import ValueOptions as ValueOptions
from learners.deep.actor_critic import ActorCritic as ActorCritic
from learners.deep.dqn import DQN as DQN
from learners.deep.networks import NetworkShape as NetworkShape
from learners.deep.ppo import PPO as PPO
from learners.deep.reinforce import Reinforce as Reinforce
