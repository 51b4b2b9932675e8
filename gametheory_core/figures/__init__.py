"""Pictures, drawn with matplotlib: each function takes a finished object and returns the axes."""

import importlib

from gametheory_core.errors import MissingDependency

try:
    importlib.import_module("matplotlib")
except ImportError as error:
    message = "figures: needs matplotlib. Run: pip install 'gametheory-core[figures]'"
    raise MissingDependency(message) from error

from gametheory_core.extensions import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__)
