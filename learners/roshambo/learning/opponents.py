"""Bots at play in many matches at once: compiled ones in one loop, others one by one.

Of a bot that is not compiled there is one object for each match under way. Bots of OpenSpiel draw
from one stream of a process, which is good enough to train against, but not the same again.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_function, require_instance, shown
from gametheory_core.errors import InvalidArgument
from gametheory_core.memory import require_memory
from learners.roshambo.bots.compiled_bot import CompiledBot
from learners.roshambo.matches.matches import NUM_THROWS, Bot
from learners.snapshots import Kept

Maker: TypeAlias = Callable[[], Bot]


class PopulationAtPlay(Kept):
    """The bots of a population in ``matches`` matches, all at the same throw.

    Args:
        population: Makes the bots, by name.

    Attributes:
        nobody: The place that says of a match that no bot is in it.
        places (E,): Which bot plays each match.

    Raises:
        InvalidArgument: If the population is empty, or what it makes is no bot.
    """

    KEPT = ("places", "_seeds", "_floats", "_ints")

    def __init__(self, population: Mapping[str, Maker], *, matches: int) -> None:
        self.names = tuple(population)
        self._makers = tuple(population.values())
        bots = [_made(name, maker) for name, maker in population.items()]
        if not bots:
            raise InvalidArgument(needs="a bot or more in the population", found="it is empty")
        self._bots = bots
        self._compiled = {k: bot for k, bot in enumerate(bots) if isinstance(bot, CompiledBot)}
        nothing = np.zeros(0, dtype=np.int64)
        seats = {k: bot.seat(nothing, nothing) for k, bot in self._compiled.items()}
        self.nobody = len(bots)
        self._sizes = np.zeros((len(bots) + 1, 3), dtype=np.int64)
        for k, seat in seats.items():
            self._sizes[k] = [len(part) for part in seat[:3]]
        widest = self._sizes.max(axis=0).tolist()
        require_memory(
            8 * (len(bots) * widest[0] + matches * (widest[1] + widest[2])),
            what=f"the memories of bots in {matches} matches",
        )
        self._rules = np.zeros((len(bots), widest[0]))
        for k, seat in seats.items():
            self._rules[k, : self._sizes[k, 0]] = seat.rules
        self._floats = np.zeros((matches, widest[1]))
        self._ints = np.zeros((matches, widest[2]), dtype=np.int64)
        self.places = np.zeros(matches, dtype=np.int64)
        self._seeds = np.zeros(matches, dtype=np.int64)
        self._idle: dict[int, list[Bot]] = {k: [bot] for k, bot in enumerate(bots)}
        self._playing: dict[int, tuple[int, Bot]] = {}  # match -> place, bot
        self._load()

    def _load(self) -> None:
        """Compile all throws, or load them."""
        from learners.roshambo.bots import many_matches  # noqa: PLC0415 loads numba

        self._loop = many_matches.throw_everywhere
        self._addresses = np.full(self.nobody + 1, many_matches.ABSENT, dtype=np.int64)
        for k, bot in self._compiled.items():
            self._addresses[k] = bot.address

    def begin(self, places: NDArray[np.int64], seeds: NDArray[np.int64]) -> None:
        """Begin all matches anew.

        Args:
            places (E,): Which bot of the population plays, or ``nobody``.
            seeds (E,): With which it is reset.
        """
        self.places, self._seeds = places.copy(), seeds.copy()
        self._seat_others()
        for e, (place, seed) in enumerate(zip(places.tolist(), seeds.tolist(), strict=True)):
            bot = self._compiled.get(place)
            if bot is not None:
                bot.reset(seed)
                seat = bot.seat(self.places, self.places)  # any histories
                self._floats[e, : len(seat.floats)] = seat.floats
                self._ints[e, : len(seat.ints)] = seat.ints

    def _seat_others(self) -> None:
        """Give each match of a bot that is not compiled an object, reset with the match's seed."""
        for place, bot in self._playing.values():
            self._idle[place].append(bot)
        self._playing = {}
        for e, place in enumerate(self.places.tolist()):
            if place not in self._compiled and place != self.nobody:
                idle = self._idle[place]
                bot = idle.pop() if idle else _made(self.names[place], self._makers[place])
                bot.reset(int(self._seeds[e]))
                self._playing[e] = place, bot

    def throws(self, own: NDArray[np.int64], other: NDArray[np.int64], t: int) -> NDArray[np.int64]:
        """Return throw ``t`` of the bot in each match; 0 where there is nobody.

        Args:
            own, other (E, K): Throws of the bots and of whom they meet; ``t`` of them are made.

        Raises:
            InvalidArgument: If one of them is no throw.
        """
        thrown = np.zeros(len(self.places), dtype=np.int64)
        wrong = self._loop(
            self.places, self._addresses, self._sizes, self._rules, self._floats, self._ints,
            own, other, t, thrown,
        )  # fmt: skip
        if wrong >= 0:
            self._refuse(int(self.places[wrong]), t, thrown[wrong])
        for e, (place, bot) in self._playing.items():
            found: Any = bot.throw(_view(own[e, :t]), _view(other[e, :t]))
            if not isinstance(found, int | np.integer) or not 0 <= found < NUM_THROWS:
                self._refuse(place, t, found)
            thrown[e] = found
        return thrown

    def _refuse(self, place: int, t: int, found: Any) -> None:
        raise InvalidArgument(
            needs=f"0, 1 or 2 as throw {t} of {self.names[place]!r}", found=f"got {shown(found)}"
        )

    def take_up(self, own: NDArray[np.int64], other: NDArray[np.int64], t: int) -> None:
        """Bring bots that are not compiled to throw ``t`` of restored matches, by asking again."""
        self._seat_others()
        for e, (_, bot) in self._playing.items():
            for made in range(t):
                bot.throw(_view(own[e, :made]), _view(other[e, :made]))


def _made(name: str, maker: Maker) -> Bot:
    require_function(maker, name=f"population[{name!r}]", remedy="Give what makes the bot.")
    bot = maker()
    if not isinstance(bot, CompiledBot):
        remedy = "Give a class with reset(seed) and throw(own, other)."
        require_instance(bot, Bot, name=f"population[{name!r}]()", remedy=remedy)
    return bot


def _view(history: NDArray[np.int64]) -> NDArray[np.int64]:
    seen = history.view()
    seen.flags.writeable = False
    return seen
