"""A gunner for Space Invaders who reads the machine's memory: where to stand, and when to fire.

An invader of column ``j`` is hit by a shot whose place is 3 to 6 beyond ``block + 16 j``, unless a
shield is between. Counted over shots at every place: with all shields whole, 557 of 557 such shots
hit, and 2 of 110 from below a shield did.
"""

import numpy as np

from gametheory_core.arguments import require_integer
from learners.adapters.space_invaders import (
    BARREL,
    BLOCK_X,
    FIRE,
    LEFT,
    NOTHING,
    RIGHT,
    ROWS,
    SHIPS,
    Memory,
)

COLUMNS, PITCH = 6, 16
HIT = range(3, 7)  # of a shot beyond its column's place
SHIELDS = (*range(44, 52), *range(76, 84), *range(108, 116))  # places of shots that they stop
PLACES = range(35, 118)  # of ships
SHELTERS = (43, 107)  # places of ships below a shield, one for each player


def gunner_move(memory: Memory, player: int, *, has_bullet: bool, slips: bool = False) -> int:
    """Return a move of the joystick: to an invader and fire, or to a shelter without bullets.

    Args:
        player: 0 or 1.
        slips: Fires at once, wherever the ship is.

    >>> memory = np.zeros(128, dtype=np.uint8)
    >>> memory[ROWS], memory[BLOCK_X], memory[SHIPS] = 0b100, 23, 50  # one invader, at 23 + 32
    >>> gunner_move(memory, 0, has_bullet=True) == FIRE
    True
    """
    require_integer(player, name="player", low=0, high=1, where="gunner_move")
    here = int(memory[SHIPS + player])
    if not has_bullet:
        return _towards(SHELTERS[player], here)
    if slips or hits_from(memory, here):
        return FIRE
    places = [place for place in PLACES if hits_from(memory, place)]
    return _towards(min(places, key=lambda place: abs(place - here), default=here), here)


def hits_from(memory: Memory, place: int) -> bool:
    """Tell whether a shot of a ship at a place would hit an invader, if none moved."""
    shot = place + BARREL
    column, beyond = divmod(shot - int(memory[BLOCK_X]), PITCH)
    if shot in SHIELDS or beyond not in HIT or not 0 <= column < COLUMNS:
        return False
    return bool(np.bitwise_or.reduce(memory[ROWS : ROWS + COLUMNS]) >> column & 1)


def _towards(place: int, here: int) -> int:
    if place == here:
        return NOTHING
    return RIGHT if place > here else LEFT
