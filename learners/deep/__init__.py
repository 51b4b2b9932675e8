"""Learners with neural networks; needs torch."""

from importlib.util import find_spec

from gametheory_core.errors import MissingDependency
from learners.learner import declare_learners
from learners.loading import offered

__all__, __getattr__ = offered(__name__, __file__)  # pyright: ignore[reportUnsupportedDunderAll]

declare_learners(
    __name__,
    {
        "Reinforce": "reinforce",
        "PPO": "ppo",
        "DQN": "dqn",
        "ActorCritic": "actor_critic",
    },
)

if find_spec("torch") is None:
    raise MissingDependency(
        "learners.deep: needs torch, but it is not installed. "
        "Run pip install 'gametheory-core[deep]'."
    )
