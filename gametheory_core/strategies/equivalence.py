"""Realization equivalence: strategies that nobody can tell apart by where play goes."""

from gametheory_core.arrays import is_exact
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.realization import realization_plan
from gametheory_core.strategies.sequence_form import sequence_form

FLOAT_TOLERANCE = 1e-9


def are_realization_equivalent(
    game: ExtensiveFormGame, profile: BehavioralProfile, other: BehavioralProfile
) -> bool:
    """Tell whether each player's strategies lead to the same ends against every opponent.

    They do when they give every sequence of own actions the same probability: behavior at
    information sets that the strategy itself rules out does not matter. Floats may differ by 1e-9.

    Raises:
        InvalidStrategy: If a profile does not fit the game.
        UnsupportedGame: If a player lacks perfect recall.

    A sequence all of whose ends chance never reaches is compared too, which makes the test finer
    than outcomes there.
    """
    form = sequence_form(game)
    for player in range(game.num_players):
        first = realization_plan(form, profile, player=player).weights
        second = realization_plan(form, other, player=player).weights
        exact = is_exact(first) and is_exact(second)
        if max(abs(first - second)) > (0 if exact else FLOAT_TOLERANCE):
            return False
    return True
