"""Policy gradients: softmax policies in tables, by sampling and exactly."""

from learners.learner import declare_learners
from learners.loading import offered

__all__, __getattr__ = offered(__name__, __file__)  # pyright: ignore[reportUnsupportedDunderAll]

declare_learners(
    __name__,
    {
        "TabularReinforce": "tabular_reinforce",
        "TabularPPO": "tabular_ppo",
    },
)
