"""Pictures, drawn with matplotlib: each function takes a finished object and returns the axes."""

import importlib

from gametheory_core.errors import not_installed

try:
    importlib.import_module("matplotlib")
except ImportError as error:
    raise not_installed("figures", "matplotlib", extra="figures") from error

from gametheory_core.extensions import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__)
