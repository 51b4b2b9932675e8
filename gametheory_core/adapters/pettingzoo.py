"""POSGs and AEC games as PettingZoo's environments, and its environments as AEC rules.

``parallel_env`` and ``aec_env`` sample a game exactly by its distributions: in the first all agents
act in each step, in the second one at a time, chance moving in between. ``rules_from_pettingzoo``
reads an environment as a game that can be converted, solved and checked.
"""

from gametheory_core.adapters.views import ArrayLabel, View, label_of
from gametheory_core.errors import not_installed

try:
    from gametheory_core.adapters.pettingzoo_parallel import PosgEnv, RawStep, parallel_env
    from gametheory_core.adapters.pettingzoo_rules import EnvironmentRules, rules_from_pettingzoo
    from gametheory_core.adapters.pettingzoo_spaces import (
        IllegalActions,
        Masks,
        ObservationEncoding,
        one_hot,
    )
    from gametheory_core.adapters.pettingzoo_turns import RawTurn, TurnsEnv, aec_env
    from gametheory_core.adapters.pettingzoo_walk import Ending, Position
except ImportError as error:  # pragma: no cover - the test suite has it
    package = str(error.name).partition(".")[0]
    raise not_installed("adapters.pettingzoo", package, extra="interop") from error

__all__ = [
    "ArrayLabel",
    "Ending",
    "EnvironmentRules",
    "IllegalActions",
    "Masks",
    "ObservationEncoding",
    "PosgEnv",
    "Position",
    "RawStep",
    "RawTurn",
    "TurnsEnv",
    "View",
    "aec_env",
    "label_of",
    "one_hot",
    "parallel_env",
    "rules_from_pettingzoo",
]
