"""Figure 3: queries in play, and hidden ones. Figure 4: a leader who knows which are queries."""

from learners.studies.curves import curve_files, curves_of
from learners.studies.oracles_followers.iterated_games import value_levels
from learners.studies.oracles_followers.settings import settings
from learners.studies.registry import Files, Request


def make_figure_3(request: Request) -> Files:
    """Make figure 3."""
    own = settings().queries
    return curve_files("figure-3", curves_of(own, request), own.axes)


def make_figure_4(request: Request) -> Files:
    """Make figure 4."""
    own = settings().flagged
    levels = value_levels(own, request)
    return curve_files("figure-4", curves_of(own, request), own.axes, levels=levels)
