"""PettingZoo: POSGs and AEC games as its environments, and its environments as AEC rules.

``parallel_env`` and ``aec_env`` sample a game exactly by its laws, behind PettingZoo's interfaces;
``rules_from_pettingzoo`` reads an environment as a game that can be converted, solved and checked.
"""

from gametheory_core.adapters.pettingzoo_parallel import PosgEnv, RawStep, parallel_env
from gametheory_core.adapters.pettingzoo_replay import ArrayLabel, Ending, Position, View, label_of
from gametheory_core.adapters.pettingzoo_rules import EnvironmentRules, rules_from_pettingzoo
from gametheory_core.adapters.pettingzoo_spaces import (
    IllegalActions,
    Masks,
    ObservationEncoding,
    one_hot,
)
from gametheory_core.adapters.pettingzoo_turns import RawTurn, TurnsEnv, aec_env

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
