"""Pictures of learning and of tournaments, drawn with matplotlib: each function returns axes."""

import importlib

from gametheory_core.extensions import lazily

importlib.import_module("gametheory_core.figures")  # which says what to install if need be
__getattr__, __dir__, __all__ = lazily(__name__, __file__)
