"""A machine for tests that shows what the emulator does in the places of memory that are read.

Six rows of six invaders stand still; ships move a place a frame, one shot of each player rises by
one a frame, and takes the lowest invader of its column if it meets one. Fire has to be pressed
anew.
"""

import numpy as np

from learners.adapters.invaders_gunner import HIT, PITCH
from learners.adapters.space_invaders import (
    BARREL,
    BLOCK_X,
    FIRE,
    LEFT,
    LEFT_FIRE,
    NO_SHOT,
    RIGHT,
    RIGHT_FIRE,
    ROWS,
    SHIPS,
    SHOT_X,
    SHOT_Y,
)

MUZZLE, BLOCK_Y = 85, 60


class ToyConsole:
    def __init__(self, *, over_after=None, **ignored):
        self.over_after = over_after
        self.restart()

    def restart(self):
        self.ram = np.zeros(128, dtype=np.uint8)
        self.ram[ROWS : ROWS + 6] = 63
        self.ram[BLOCK_X] = 23
        self.ram[[SHIPS, SHIPS + 1]] = 36, 117
        self.ram[[SHOT_Y, SHOT_Y + 1]] = NO_SHOT
        self.frames = 0
        self.held = [False, False]

    @property
    def is_over(self):
        return self.over_after is not None and self.frames >= self.over_after

    def memory(self):
        return self.ram

    def advance(self, moves):
        self.frames += 1
        points = [self._rise(player) for player in (0, 1)]
        for player, move in enumerate(moves):
            here = int(self.ram[SHIPS + player])
            was_held, self.held[player] = self.held[player], move in (FIRE, LEFT_FIRE, RIGHT_FIRE)
            is_pressed = self.held[player] and not was_held
            if is_pressed and self.ram[SHOT_Y + player] == NO_SHOT:
                self.ram[SHOT_Y + player] = MUZZLE
                self.ram[SHOT_X + player] = here + BARREL
            step = (move in (RIGHT, RIGHT_FIRE)) - (move in (LEFT, LEFT_FIRE))
            self.ram[SHIPS + player] = min(117, max(35, here + step))
        return points

    def _rise(self, player):
        if self.ram[SHOT_Y + player] == NO_SHOT:
            return 0
        self.ram[SHOT_Y + player] -= 1
        if self.ram[SHOT_Y + player] > BLOCK_Y:
            return 0
        self.ram[SHOT_Y + player] = NO_SHOT
        column, beyond = divmod(int(self.ram[SHOT_X + player]) - int(self.ram[BLOCK_X]), PITCH)
        for row in range(6):
            if beyond in HIT and 0 <= column < 6 and self.ram[ROWS + row] >> column & 1:
                self.ram[ROWS + row] &= ~(1 << column) & 255
                return 5 * (row + 1)
        return 0
