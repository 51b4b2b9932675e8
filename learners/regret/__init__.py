"""Online play without regret: many independent decision makers at once, whatever they face."""

from learners.learner import declare_learners
from learners.loading import offered

__all__, __getattr__ = offered(__name__, __file__)  # pyright: ignore[reportUnsupportedDunderAll]

declare_learners(
    __name__,
    {
        "RegretLearner": "regret_learner",
        "BanditLearner": "bandit",
    },
)
