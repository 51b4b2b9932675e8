"""All games with planted bugs, and all the bugs.

A bug has all that a checker is given: ``make_env``, ``model``, ``read_observation`` and
``write_action``. Without the bug the same game is in ``right.RIGHT_ENVS``.
"""

from tests.laws.planted import (
    burglar,
    convoys,
    hints,
    hunt,
    potato,
    prospecting,
    prospecting_turns,
    shifts,
    skirmish,
    slope,
    watches,
)
from tests.laws.planted.records import planted_in

GAMES = tuple(
    file.GAME
    for file in (
        prospecting,
        skirmish,
        convoys,
        potato,
        hunt,
        hints,
        prospecting_turns,
        slope,
        burglar,
        shifts,
        watches,
    )
)
PLANTED_BUGS = tuple(bug for game in GAMES for bug in planted_in(game))
