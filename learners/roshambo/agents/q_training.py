"""Tabular Q-learning by the last joint throws, against a population or a copy that learns, too.

Against a population, each match's opponent is drawn from it. With ``v`` the values of own throws
after a history ``h``, that of the last throw ``a`` moves by ``step_size * (r + discount * max v(h')
- v(h)_a)``, ``r`` what it was paid and ``h'`` the history after it; nothing follows the last throw.

Source: :cite:`lanctot2023population`, section 4.1 and appendix A.2; the rule is that of
``learners.tabular.QLearning``.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from gametheory_core.arguments import require_function, require_integer, require_number
from gametheory_core.errors import InvalidArgument
from learners.roshambo.agents.q_table import MOST_RECALLED, QTable
from learners.roshambo.matches.histories import MatchClock, Uniforms
from learners.roshambo.matches.matches import NUM_THROWS, Throws, play_match
from learners.roshambo.tournaments.evaluation import Maker, match_seeds
from learners.schedules import Linear, Schedule, as_schedule, as_step_schedule
from learners.streams import named_stream

if TYPE_CHECKING:
    from learners._kernels.history_values import HistoryValues, QRule

FEWEST_SLOTS = 4096
EXPLORATION = Linear(0.5, 0.2, steps=1_000_000)


def train_q_table(
    population: Mapping[str, Maker],
    *,
    recall: int,
    episodes: int,
    seed: int,
    throws: int = 1000,
    step_size: float | Schedule = 0.02,
    exploration: float | Schedule = EXPLORATION,
    discount: float = 0.99,
) -> QTable:
    """Learn against bots of a population, each match against one that is drawn.

    Args:
        population: Makes the bots, by name; each is made once.
        recall: How many joint throws are recalled, from 0 to 18.
        episodes: Matches.
        seed: Of all of them.
        throws: In a match.
        step_size: By throws made so far, as it stands when a match begins.
        exploration: The chance of a throw at random, likewise.
        discount: From 0 to 1.

    Raises:
        InvalidArgument: If an option makes no sense.

    A table takes from 64 to 128 bytes for each history that was met; a throw takes some
    microseconds and what the bot takes.

    >>> from functools import partial
    >>> class Rotate:
    ...     def reset(self, seed): pass
    ...     def throw(self, own, other): return len(own) % 3
    >>> from learners.roshambo.agents import QBot
    >>> table = train_q_table({"rotate": Rotate}, recall=1, episodes=60, seed=1, throws=100)
    >>> play_match(QBot(table), Rotate(), throws=100, seeds=(1, 2)).returns[0] > 95
    True
    """
    _require_population(population)
    _require_sizes(episodes, seed, throws)
    learner = _Learner(recall, discount, step_size, exploration)
    bots = [make() for make in population.values()]
    opponents = named_stream(seed, "q_learning").integers(len(bots), size=episodes).tolist()
    for episode, number in enumerate(opponents):
        learner.make_room(throws)
        seeds = match_seeds(seed, number, episode)
        match = play_match(learner, bots[number], throws=throws, seeds=seeds)
        learner.finish(*match.histories[:, -1].tolist())
    return learner.learned()


def train_q_table_by_copy(
    *,
    recall: int,
    episodes: int,
    seed: int,
    throws: int = 1000,
    step_size: float | Schedule = 0.02,
    exploration: float | Schedule = EXPLORATION,
    discount: float = 0.99,
) -> QTable:
    """Learn against another learner of the same kind, with a table of its own.

    Args:
        recall, episodes, seed, throws, step_size, exploration, discount: As for ``train_q_table``;
            both learners' alike.

    Returns:
        The first learner's table.

    Raises:
        InvalidArgument: If an option makes no sense.

    >>> train_q_table_by_copy(recall=1, episodes=9, seed=1, throws=100).values.shape
    (10, 3)
    """
    _require_sizes(episodes, seed, throws)
    first, second = (_Learner(recall, discount, step_size, exploration) for _ in range(2))
    stream = named_stream(seed, "q_learning_by_copy")
    for episode in range(episodes):
        first.make_room(throws)
        second.make_room(throws)
        rule = first.rule(episode * throws)
        first.kernel.play_copies(first.table, second.table, rule, stream.random((2, throws)))
    return first.learned()


def _require_sizes(episodes: int, seed: int, throws: int) -> None:
    for name, value, low in (("episodes", episodes, 1), ("seed", seed, 0), ("throws", throws, 1)):
        require_integer(value, name=name, low=low)


def _require_population(population: Mapping[str, Maker]) -> None:
    if not population:
        raise InvalidArgument(needs="a bot or more in the population", found="it is empty")
    for name, maker in population.items():
        require_function(maker, name=f"population[{name!r}]", remedy="Give what makes the bot.")


class _Learner:
    """A bot that learns from match to match."""

    def __init__(
        self,
        recall: int,
        discount: float,
        step_size: float | Schedule,
        exploration: float | Schedule,
    ) -> None:
        from learners._kernels import history_values as kernel  # noqa: PLC0415 loads numba

        require_integer(recall, name="recall", low=0, high=MOST_RECALLED)
        require_number(discount, name="discount", low=0, high=1)
        self._step_size = as_step_schedule(step_size, high=1)
        self._exploration = as_schedule(exploration, name="exploration", low=0, high=1)
        self._recall, self._discount = recall, float(discount)
        self._made = 0  # throws
        self.kernel, self.table = kernel, _empty_table(FEWEST_SLOTS)

    def rule(self, made: int) -> "QRule":
        """Return how values are learned after so many throws."""
        rate, epsilon = self._step_size.at(made), self._exploration.at(made)
        return self.kernel.QRule(self._recall, float(rate), self._discount, float(epsilon))

    def reset(self, seed: int) -> None:
        self._clock = MatchClock()
        self._numbers = Uniforms(named_stream(seed, "q_learning"))
        self._rule = self.rule(self._made)

    def throw(self, own: Throws, other: Throws) -> int:
        last_own, last_other = self._clock.tick(own, other)
        self._made += 1
        draw = self._numbers.next()
        if not len(own):
            return self.kernel.throw_first(self.table, self._rule, draw)
        return self.kernel.throw_next(self.table, self._rule, last_own, last_other, draw)

    def make_room(self, throws: int) -> None:
        """See to it that a match leaves half of the slots free."""
        needed = 2 * (int(self.table.now[self.kernel.USED]) + throws)
        if needed > len(self.table.keys):
            table = _empty_table(1 << needed.bit_length())
            self.kernel.move_all(self.table, table)
            self.table = table

    def finish(self, own: int, other: int) -> None:
        """Learn from the last throws of a match."""
        self.kernel.learn_last(self.table, self._rule, own, other)

    def learned(self) -> QTable:
        """Return what has been learned."""
        keys, values, _ = self.table
        slots = np.flatnonzero(keys)
        slots = slots[np.argsort(keys[slots])]
        return QTable(self._recall, keys[slots], values[slots])


def _empty_table(slots: int) -> "HistoryValues":
    from learners._kernels.history_values import HistoryValues  # noqa: PLC0415 loads numba

    return HistoryValues(
        keys=np.zeros(slots, dtype=np.int64),
        values=np.zeros((slots, NUM_THROWS)),
        now=np.zeros(3, dtype=np.int64),
    )
