"""What learners take to follow where a horizon cuts an episode."""

from enum import Enum


class AtHorizon(Enum):
    """What follows the last step before an episode is cut; the value says it in words.

    With ``GOES_ON``, what follows is valued by what a player sees at the cut. Where players take
    turns, nobody sees anything new there: it is valued by what each saw last, the observation just
    acted on. That is right only where it tells as much as the next one would. Else cut so late that
    little is missed.
    """

    ENDS = "nothing: the horizon is a rule of the game, as where values are judged"
    GOES_ON = "as much as after any other step: the horizon is a convenience of the simulation"
