"""Answers to many games at once, as arrays; each is an ordinary solution when it is asked for."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import FloatArray
from solvers.concepts import Concept
from solvers.many_games.batch import Batch
from solvers.many_games.forms import Floats, Form
from solvers.solution import Solution, SolutionSet, solution_of

Found: TypeAlias = Any  # a Solution, a SolutionSet, or a record that has a solution

WORD = 64


def solutions_in(found: Found) -> tuple[Solution[Any, Any], ...]:
    """Return the solutions of a set, or the one that a result is or has."""
    if isinstance(found, SolutionSet):
        return cast("SolutionSet[Any, Any]", found).equilibria
    return (cast("Solution[Any, Any]", solution_of(found)),)


@dataclass(frozen=True, eq=False)
class ManyAnswers:
    """Exact answers to many games, in the order of the games.

    ``answers[i]`` is what the solver of one game returns for game ``i``.

    Attributes:
        concept: What was asked for.
        algorithm: The solver of one game that says the same.
        payoffs (num_games, num_players, *num_actions): As they were given; read-only. Of zero-sum
            games given by matrices, the row player's alone.
        counts (num_games,): How many answers each game has.
        games (num_answers,): Whose answer each is, in increasing order.
        strategies: For each player (num_answers, num_actions), the floats next to the exact
            probabilities, up to two units in the last place. Of correlated equilibria one array,
            of joint actions; of dominance 1 where an action stays, else 0.
        weights: The same exactly, with one axis more, (..., words): integers, proportional to the
            probabilities, of words of 64 bits, the lowest first. All zero where ``found_apart``.
        expected_payoffs (num_answers, num_players): Up to rounding; infinite or NaN where payoffs
            are too large for floats. Of dominance there are none.
        found_apart (num_games,): Games that were solved one by one, since their numbers were too
            long, or several answers are, or may be, equally good.
    """

    concept: Concept
    algorithm: str
    payoffs: NDArray[Any]
    counts: NDArray[np.int64]
    games: NDArray[np.int64]
    strategies: Floats
    weights: tuple[NDArray[np.uint64], ...]
    expected_payoffs: FloatArray
    found_apart: NDArray[np.bool_]
    _batch: Batch
    _form: Form
    _apart: Mapping[int, Found]
    _rebuild: Callable[["ManyAnswers", int], Found]

    def __len__(self) -> int:
        return len(self.counts)

    def __getitem__(self, index: int) -> Found:
        """Return the answer to one game, with its certificate.

        Raises:
            InvalidArgument: If there is no game of that number.
        """
        number = self._number(index)
        return self._apart.get(number) or self._rebuild(self, number)

    def __iter__(self) -> Iterator[Found]:
        return map(self.__getitem__, range(len(self)))

    def __repr__(self) -> str:
        apart = int(self.found_apart.sum())
        size = " x ".join(map(str, self._batch.num_actions))
        return (
            f"ManyAnswers({self.concept} of {len(self):,} games of {size} actions: "
            f"{len(self.games):,} answers, {apart:,} games solved one by one)"
        )

    def _number(self, index: int) -> int:
        require_integer(
            index,
            name="index",
            low=-len(self),
            high=len(self) - 1,
            remedy="It numbers a game, from 0, or from the end; the arrays take slices.",
        )
        return int(index) % len(self)

    def game(self, index: int) -> Any:
        """Return one game as a normal form."""
        return self._batch.game(self._number(index))

    def exact(self, index: int) -> list[Any]:
        """Return the exact answers to one game: profiles, distributions, or sets of actions."""
        number = self._number(index)
        if number in self._apart:
            return [own.profile for own in solutions_in(self._apart[number])]
        first, last = np.searchsorted(self.games, [number, number + 1]).tolist()
        return [
            self._form.exact([_integers(own[entry]) for own in self.weights])
            for entry in range(first, last)
        ]

    def verify(self) -> None:
        """Check every answer again in exact arithmetic, by code that shares nothing with solvers.

        Arrays have to belong together, floats to be next to what is exact. Equilibria are checked
        from the definition, many at once. That lists of them are complete, and that commitments
        are the best, is checked game by game, which takes far longer.

        Raises:
            CertificateRejected: Names a game whose answer is wrong.
        """
        from solvers.many_games.checks import Claims, verify_answers  # noqa: PLC0415 knows this

        verify_answers(Claims(self, self._batch, self._form, self._apart))


def _integers(weights: NDArray[np.uint64]) -> NDArray[Any]:
    """Return numbers of several words (..., words) as integers, Python's where they are long."""
    in_use = 1 + max((k for k in range(weights.shape[-1]) if weights[..., k].any()), default=0)
    if in_use == 1 and not (weights[..., 0] >> np.uint64(WORD - 6)).any():
        return weights[..., 0].astype(np.int64)
    whole = weights[..., 0].astype(object)
    for k in range(1, in_use):
        whole = whole + (weights[..., k].astype(object) << (WORD * k))
    return whole
