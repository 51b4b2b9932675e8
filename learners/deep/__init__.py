"""Learners with neural networks; needs torch."""

from importlib.util import find_spec

from gametheory_core.errors import not_installed
from gametheory_core.extensions import lazily
from learners.protocol import declare_learners

__getattr__, __dir__, __all__ = lazily(__name__, __file__)

declare_learners(
    __name__,
    {
        "Reinforce": "reinforce",
        "PPO": "ppo",
        "DQN": "dqn",
        "ActorCritic": "actor_critic",
        "RegularizedNashDynamics": "nash_dynamics",
    },
)

if find_spec("torch") is None:
    raise not_installed("learners.deep", "torch", extra="deep")
