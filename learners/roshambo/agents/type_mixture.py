"""Model access: play against one of a known population, without being told which.

A copy of each known bot, a *type*, is asked what it would throw where the opponent stands. Bayes'
rule weighs the types by how well their copies have forecast so far, and the best reply to the
mixture is thrown. What a type draws at random its copies draw anew; several of them vote, and how
much a vote is worth is learned in the match.
"""

from collections.abc import Callable, Mapping

import numpy as np

from gametheory_core.arguments import require_function, require_instance, require_integer
from gametheory_core.arrays import FloatArray
from gametheory_core.errors import InvalidArgument
from learners.roshambo.matches.matches import NUM_THROWS, Bot, Throws
from learners.streams import named_stream

PRIOR = (3.0, 0.5, 0.5)  # pseudo-counts: the vote is right, or the throw after it, or the other


class TypeMixture:
    """A bot that replies to a Bayesian mixture of known bots.

    Args:
        population: Makes the known bots, by name. They are asked with the opponent's throws as
            their own, whatever they would have thrown before.
        copies: Of each, with draws of their own.

    Raises:
        InvalidArgument: If the population is empty or makes no bots, or there is no copy.

    Source: :cite:`albrecht2013game`, with one step of lookahead.

    >>> from functools import partial
    >>> from learners.roshambo import play_match
    >>> class Cycle:
    ...     def __init__(self, step): self.step = step
    ...     def reset(self, seed): pass
    ...     def throw(self, own, other): return (self.step * len(own)) % 3
    >>> known = {f"by {step}": partial(Cycle, step) for step in range(3)}
    >>> play_match(TypeMixture(known), Cycle(2), throws=100, seeds=(1, 2)).returns[0] > 90
    True
    """

    def __init__(self, population: Mapping[str, Callable[[], Bot]], *, copies: int = 3) -> None:
        require_integer(copies, name="copies", low=1)
        remedy = 'Give a mapping from names, {"rock": Rock}.'
        require_instance(population, Mapping, name="population", remedy=remedy)
        if not population:
            raise InvalidArgument(needs="a bot or more in the population", found="it is empty")
        for name, maker in population.items():
            require_function(maker, name=f"population[{name!r}]", remedy="Give what makes the bot.")
        self._copies = [[make() for _ in range(copies)] for make in population.values()]
        for name, own in zip(population, self._copies, strict=True):
            if not isinstance(own[0], Bot):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise InvalidArgument(needs=f"a bot from population[{name!r}]", found=f"{own[0]!r}")
        self._all = np.arange(len(self._copies))
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Forget everything, and begin a match.

        Args:
            seed: Of what copies draw.
        """
        stream = named_stream(seed, "type_mixture")
        for copy in (copy for own in self._copies for copy in own):
            copy.reset(int(stream.integers(1, 2**31)))
        num_types, num_copies = len(self._copies), len(self._copies[0])
        self._evidence = np.zeros(num_types)  # logarithms
        self._counts = np.tile(PRIOR, (num_types, num_copies + 1, 1))
        self._vote = self._votes = np.zeros(num_types, dtype=np.int64)
        self._forecasts = np.full((num_types, NUM_THROWS), 1 / NUM_THROWS)

    @property
    def weights(self) -> FloatArray:
        """How likely each type is now, in the order of the population."""
        weights = np.exp(self._evidence - self._evidence.max())
        return weights / weights.sum()

    def throw(self, own: Throws, other: Throws) -> int:
        """Return the next throw after the throws so far; both grow by one from call to call."""
        if len(other):
            self._learn(int(other[-1]))
        asked = [[copy.throw(other, own) for copy in copies] for copies in self._copies]
        ballots = (np.array(asked)[:, :, None] == np.arange(NUM_THROWS)).sum(axis=1)
        self._vote, self._votes = ballots.argmax(axis=1), ballots.max(axis=1)
        counts = self._counts[self._all, self._votes]
        shifts = (np.arange(NUM_THROWS) - self._vote[:, None]) % NUM_THROWS
        self._forecasts = np.take_along_axis(counts, shifts, 1) / counts.sum(axis=1, keepdims=True)
        likely = self.weights @ self._forecasts
        return int((np.roll(likely, 1) - np.roll(likely, -1)).argmax())

    def _learn(self, thrown: int) -> None:
        """Weigh the types by what they gave the throw, and their votes by whether it was right."""
        self._evidence += np.log(self._forecasts[:, thrown])
        shift = (thrown - self._vote) % NUM_THROWS
        self._counts[self._all, self._votes, shift] += 1
