"""Forecasts of a bot's next throw: learned, counted, the best there are; and replies to them."""

from gametheory_core.extensions import lazily

__getattr__, __dir__, __all__ = lazily(
    __name__,
    __file__,
    optional={
        "predictability": "torch",
        "prediction_bot": "torch",
        "throw_predictor": "torch",
        "training": "torch",
    },
)
