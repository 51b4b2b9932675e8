"""Online play without regret: many independent decision makers at once, whatever they face."""

from gametheory_core.extensions import lazily
from learners.protocol import declare_learners

__getattr__, __dir__, __all__ = lazily(__name__, __file__)

declare_learners(__name__, {"RegretLearner": "regret_learner", "BanditLearner": "bandit"})
