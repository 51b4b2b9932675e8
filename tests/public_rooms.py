"""The packages that say what they make public."""

import importlib
import pkgutil
from types import ModuleType


def public_rooms(*roots: str) -> list[ModuleType]:
    """Return the packages of these names, and all packages in them, that have a list of names."""
    tops = [importlib.import_module(root) for root in roots]
    inside = [
        importlib.import_module(module.name)
        for top in tops
        for module in pkgutil.iter_modules(top.__path__, f"{top.__name__}.")
        if module.ispkg
    ]
    return [room for room in (*tops, *inside) if hasattr(room, "__all__")]
