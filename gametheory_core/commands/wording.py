"""Refusals of the library in the words of the command line, which has options for its arguments."""

from collections.abc import Mapping
from types import MappingProxyType

# What refusals call an argument, and the option that sets it.
SIZES: Mapping[str, str] = MappingProxyType(
    {
        "max_states": "--max-states",
        "max_nodes": "--max-nodes",
        "max_profiles = ": "--max-profiles = ",
        ", or raise max_profiles": ", or raise --max-profiles",
    }
)
HORIZON: Mapping[str, str] = MappingProxyType(
    {
        "stop_posg": "--horizon N",
        "stop_aec": "--horizon N",
        "horizon=...": "--horizon N",
        "shorter horizon": "shorter horizon (--horizon N)",
        "a horizon": "--horizon N",
    }
)
CONVERT_FIRST: Mapping[str, str] = MappingProxyType(
    {"stop_posg": "convert --horizon N", "stop_aec": "convert --horizon N"}
)
