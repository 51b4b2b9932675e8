"""The bots for repeated rock-paper-scissors that OpenSpiel comes with.

They are 43 programs, most of them entries of the first international programming competition. All
draw from the one stream of random numbers that C keeps for a process, so a match is the same again
only if nothing else draws in between: play matches of these bots one at a time in a process.
"""

import ctypes
import importlib
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

from numpy.typing import NDArray

from gametheory_core.arguments import require_integer
from gametheory_core.errors import InvalidArgument, not_installed

try:
    pyspiel: Any = importlib.import_module("pyspiel")  # compiled, and tells no types
except ImportError as error:  # pragma: no cover - the test suite has it
    raise not_installed("learners.adapters", "open_spiel", extra="interop") from error

FEWEST_THROWS = 1000  # with less, greenberg writes beyond its memory
THROWS = (0, 1, 2)


def open_spiel_bots() -> tuple[str, ...]:
    """Return the names of OpenSpiel's bots, in alphabetical order.

    >>> len(open_spiel_bots()), open_spiel_bots()[:2]
    (43, ('actr_lag2_decay', 'adddriftbot2'))
    """
    return tuple(pyspiel.roshambo_bot_names())


def open_spiel_population(
    *, throws: int = FEWEST_THROWS
) -> dict[str, Callable[[], "OpenSpielBot"]]:
    """Return what makes each of OpenSpiel's bots, by name.

    Args:
        throws: As for ``OpenSpielBot``.

    >>> len(open_spiel_population())
    43
    """
    return {name: partial(OpenSpielBot, name, throws=throws) for name in open_spiel_bots()}


class OpenSpielBot:
    """A bot of OpenSpiel's, for matches of up to so many throws.

    Args:
        name: One of ``open_spiel_bots()``.
        throws: The most in a match; bots are told it.

    Raises:
        InvalidArgument: If OpenSpiel has no such bot; by ``throw``, if histories are not those of a
            match that goes on, or are longer.
        MissingDependency: If OpenSpiel is not installed.

    Seeds are those of ``srandom`` in C, modulo 2^32; 0 and 1 are one. Where two such bots meet,
    the seed of the one that is reset last counts.

    >>> from learners.roshambo import play_match
    >>> match = play_match(OpenSpielBot("copybot"), OpenSpielBot("rotatebot"), seeds=(1, 2))
    >>> match.returns
    (1, -1)
    """

    def __init__(self, name: str, *, throws: int = FEWEST_THROWS) -> None:
        if name not in open_spiel_bots():
            raise InvalidArgument(
                needs="the name of a bot of OpenSpiel's",
                found=f"got {name!r}",
                remedy="See open_spiel_bots().",
            )
        require_integer(throws, name="throws", low=1)
        self.name = name
        self.throws = max(throws, FEWEST_THROWS)
        self._game = _repeated(self.throws)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Make the bot anew, and then set the stream that all bots of a process draw from."""
        self._bot = pyspiel.make_roshambo_bot(0, self.name, self.throws)
        self._state = self._game.new_initial_state()
        self._answered = 0  # throws
        ctypes.CDLL(None).srandom(ctypes.c_uint(seed))

    def throw(self, own: Sequence[int] | NDArray[Any], other: Sequence[int] | NDArray[Any]) -> int:
        """Return the next throw after the throws so far; both grow by one from call to call."""
        made = len(own)
        if made != self._answered or len(other) != made or made == self.throws:
            raise InvalidArgument(
                needs=f"two histories of {self._answered} throws, of {self.throws - 1} at most",
                found=f"they have {made} and {len(other)}",
                remedy="Call reset(seed) before another match, or give throws=.",
            )
        if made > 0:
            last = [own[-1], other[-1]]
            if last[0] not in THROWS or last[1] not in THROWS:
                raise InvalidArgument(needs="throws of 0, 1 and 2", found=f"the last are {last}")
            self._state.apply_actions(last)
        self._answered += 1
        return int(self._bot.step(self._state))

    def return_against(self, other: "OpenSpielBot", *, throws: int, seeds: tuple[int, int]) -> int:
        """Return what a match against another such bot pays; OpenSpiel plays it, twice as fast.

        ``play_match`` pays the same. Both bots stay as they are: others are made for the match.

        Raises:
            InvalidArgument: If the match is longer than the bots are for.
        """
        most = min(self.throws, other.throws)
        require_integer(throws, name="throws", low=1, high=most)
        bots = [
            pyspiel.make_roshambo_bot(seat, own.name, own.throws)
            for seat, own in enumerate((self, other))
        ]
        state = _repeated(throws).new_initial_state()
        ctypes.CDLL(None).srandom(ctypes.c_uint(seeds[1]))
        return int(pyspiel.evaluate_bots(state, bots, 0)[0])

    def __reduce__(self) -> tuple[Any, ...]:
        return _made, (self.name, self.throws)


@cache
def _repeated(throws: int) -> Any:
    return pyspiel.load_game(f"repeated_game(stage_game=matrix_rps(),num_repetitions={throws})")


def _made(name: str, throws: int) -> OpenSpielBot:
    return OpenSpielBot(name, throws=throws)
