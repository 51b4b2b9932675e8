"""Figure 3: queries in play, and hidden ones."""

from learners.studies.curves import curve_files, curves_of
from learners.studies.oracles_followers.settings import settings
from learners.studies.registry import Files, Request


def make_figure(request: Request) -> Files:
    """Make figure 3."""
    own = settings().queries
    return curve_files("figure-3", curves_of(own, request), own.axes)
