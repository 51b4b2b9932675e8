"""Space Invaders for two players on an emulated Atari 2600, each shot paid for with a bullet.

Who has no bullet has its fire button released. Where things are is read from the machine's memory:
a shot leaves the ship of the player who pressed fire, and begins at the ship's place plus 5; hits
are points of an invader, 5 to 30. The 200 that a player gets when the other dies are no hit.

Source: :cite:`gerstgrasser2023oracles`, appendix G.
"""

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_integer
from gametheory_core.errors import InvalidArgument, not_installed

Memory = NDArray[np.uint8]

NOTHING, FIRE, RIGHT, LEFT, RIGHT_FIRE, LEFT_FIRE = 0, 1, 3, 4, 11, 12  # of the joystick
MOVES = (NOTHING, FIRE, RIGHT, LEFT, RIGHT_FIRE, LEFT_FIRE)
MOVE_LABELS = ("nothing", "fire", "right", "left", "right and fire", "left and fire")
RELEASED = {FIRE: NOTHING, RIGHT_FIRE: RIGHT, LEFT_FIRE: LEFT}

FIRST_MODE, LAST_MODE = 33, 64  # for two players
# Places in the 128 bytes of memory
ROWS, BLOCK_X, SHIPS, SHOT_Y, SHOT_X = 0x12, 0x1A, 0x1C, 0x55, 0x57
NO_SHOT = 246
MUZZLE_Y = 83  # a shot is at least as low in the two frames after it was fired
BARREL = 5  # from a ship's place to where its shot is
BONUS = 200


class Console(Protocol):
    """A machine that plays Space Invaders for two."""

    def restart(self) -> None:
        """Begin a game, always the same."""
        ...

    def advance(self, moves: Sequence[int]) -> Sequence[int]:
        """Play a frame; return the points that each player made."""
        ...

    def memory(self) -> Memory:
        """Return the 128 bytes, to be read before the next frame."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        ...


class AtariConsole:
    """The emulator of ``multi-agent-ale-py``, with the ROM that ``ale-py`` brings or a file.

    Args:
        mode: 33 to 64.
        rom: Path of the ROM. Default: that of ale-py.

    Raises:
        MissingDependency: If the emulator or the ROM is not there; says how to get it.
        InvalidArgument: If the mode is not for two players, or there is no such file.
    """

    def __init__(self, *, mode: int = FIRST_MODE, rom: str | Path | None = None) -> None:
        require_integer(mode, name="mode", low=FIRST_MODE, high=LAST_MODE, where="AtariConsole")
        path = rom_path(rom)
        machine = _emulator()
        machine.setInt(b"random_seed", 1)  # draws nothing: repeated actions are switched off
        machine.setFloat(b"repeat_action_probability", 0.0)
        machine.loadROM(str(path))
        machine.setMode(mode)
        machine.reset_game()
        self._machine = machine
        self._begun = machine.cloneSystemState()
        self._memory: Memory = np.zeros(128, dtype=np.uint8)

    def restart(self) -> None:
        """Begin a game, always the same."""
        self._machine.restoreSystemState(self._begun)
        self._machine.act((NOTHING, NOTHING))  # until a frame is played, the old memory is shown

    def advance(self, moves: Sequence[int]) -> Sequence[int]:
        """Play a frame; return the points that each player made."""
        return self._machine.act(moves).tolist()

    def memory(self) -> Memory:
        """Return the 128 bytes, overwritten by the next call."""
        return self._machine.getRAM(self._memory)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._machine.game_over())

    def __del__(self) -> None:
        begun = getattr(self, "_begun", None)
        if begun is not None:
            self._machine.deleteState(begun)


def rom_path(rom: str | Path | None = None) -> Path:
    """Return where the ROM of Space Invaders is.

    Raises:
        InvalidArgument: If there is no such file.
        MissingDependency: If no file is given and ale-py, which brings the ROM, is not there.
    """
    if rom is not None:
        if not Path(rom).is_file():
            raise InvalidArgument(
                needs="the ROM of Space Invaders, a file of 4,096 bytes",
                found=f"{rom} is not there",
                remedy="Leave rom out to use the one that ale-py brings.",
                argument="rom",
            )
        return Path(rom)
    found = importlib.util.find_spec("ale_py")
    places = [] if found is None else list(found.submodule_search_locations or ())
    for place in places:
        path = Path(place) / "roms" / "space_invaders.bin"
        if path.is_file():
            return path
    what = "the ROM that ale-py brings, ale_py/roms/space_invaders.bin"
    missing = not_installed("space invaders", what, extra="atari")
    raise missing.changed(remedy=f"{missing.remedy} Or give rom=, a file.")


def _emulator() -> Any:
    try:
        from multi_agent_ale_py import ALEInterface  # noqa: PLC0415  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise not_installed("space invaders", "multi-agent-ale-py", extra="atari") from error
    ALEInterface.setLoggerMode("error")
    return ALEInterface()


@dataclass(frozen=True)
class Outcome:
    """What happened in a frame, to each player.

    Attributes:
        fired: Whether its shot left.
        hits: Whether it shot an invader.
    """

    fired: tuple[bool, bool]
    hits: tuple[bool, bool]


class Battle:
    """A game in which each shot takes a bullet.

    Attributes:
        bullets: What each player has; may be changed between frames.
        memory: As it is now.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self.bullets = [0, 0]
        self.memory: Memory = np.zeros(128, dtype=np.uint8)

    def begin(self) -> None:
        """Begin a game, with nobody having bullets."""
        self._console.restart()
        self.bullets = [0, 0]
        self.memory = self._console.memory().copy()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._console.is_over

    def frame(self, moves: Sequence[int]) -> Outcome:
        """Play a frame; fire buttons of players without bullets are released."""
        pressed = [
            move if self.bullets[i] else RELEASED.get(move, move) for i, move in enumerate(moves)
        ]
        before = self.memory
        points = self._console.advance(pressed)
        self.memory = self._console.memory().copy()
        fired = shooters(before, self.memory, pressed)
        for i, has_fired in enumerate(fired):
            self.bullets[i] -= has_fired
        hits = (points[0] % BONUS > 0, points[1] % BONUS > 0)
        return Outcome(fired, hits)


def shooters(before: Memory, after: Memory, pressed: Sequence[int]) -> tuple[bool, bool]:
    """Tell who has fired, by two frames' memory and what was pressed.

    A shot is new if its slot was empty and it is still low; where slots are swapped, it was low in
    the other one. It is of the player at whose ship it began.
    """
    fired = [False, False]
    for slot in (0, 1):
        height = int(after[SHOT_Y + slot])
        if before[SHOT_Y + slot] != NO_SHOT or not MUZZLE_Y <= height < NO_SHOT:
            continue
        if MUZZLE_Y <= before[SHOT_Y + 1 - slot] < NO_SHOT and after[SHOT_Y + 1 - slot] == NO_SHOT:
            continue
        press = [i for i in (0, 1) if pressed[i] in RELEASED and not fired[i]]
        if press:
            place = int(after[SHOT_X + slot]) - BARREL
            fired[min(press, key=lambda i: abs(int(before[SHIPS + i]) - place))] = True
    return fired[0], fired[1]
