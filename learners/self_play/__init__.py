"""Self-play: schemes as data, menageries of frozen policies, and one learner that meets them."""

from gametheory_core.extensions import lazily
from learners.protocol import declare_learners

__getattr__, __dir__, __all__ = lazily(__name__, __file__)

declare_learners(__name__, {"SelfPlay": "self_play", "PopulationTraining": "population"})
