"""What learners take to follow where a horizon cuts an episode."""

from enum import Enum


class AtHorizon(Enum):
    """What follows the last step before an episode is cut; the value says it in words."""

    ENDS = "nothing: the horizon is a rule of the game, as where values are judged"
    GOES_ON = "as much as after any other step: the horizon is a convenience of the simulation"
