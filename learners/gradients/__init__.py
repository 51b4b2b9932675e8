"""Policy gradients: softmax policies in tables, by sampling and exactly."""

from gametheory_core.extensions import lazily
from learners.protocol import declare_learners

__getattr__, __dir__, __all__ = lazily(__name__, __file__)

declare_learners(__name__, {"TabularReinforce": "tabular", "TabularPPO": "tabular"})
