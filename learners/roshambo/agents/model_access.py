"""The agent that knows all bots of OpenSpiel; apart, since it needs OpenSpiel."""

from learners.adapters.open_spiel_roshambo import open_spiel_population
from learners.roshambo.agents.type_mixture import TypeMixture


def knows_open_spiel() -> TypeMixture:
    """Return the mixture over OpenSpiel's bots.

    >>> len(knows_open_spiel().weights)
    43
    """
    return TypeMixture(open_spiel_population())
