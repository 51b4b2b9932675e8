"""Parts of many games: those that the loop takes, the others one by one, and all together."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import freeze
from gametheory_core.certificates.completeness import CompletenessCertificate
from gametheory_core.certificates.equilibrium import certify_minimax, certify_nash
from gametheory_core.errors import GameTheoryError
from gametheory_core.games.normal_form import NormalFormGame
from solvers.concepts import Concept
from solvers.many_games.answers import Found, ManyAnswers, solutions_in
from solvers.many_games.batch import MOST_WORDS, Batch, Numbers, as_floats, numbers_of
from solvers.many_games.loops import Order, Part
from solvers.many_games.roads import Road
from solvers.solution import RunRecord, Solution, SolutionSet

PAID_AT_ONCE = 2**22  # bytes of payoffs, a game's once for each answer
_NONE = np.zeros(0, dtype=np.int64)
_NOTHING = Numbers(_NONE, _NONE.astype(np.int32), _NONE, _NONE)


@dataclass(frozen=True, eq=False)
class Task:
    """What is solved, and how."""

    concept: Concept
    road: Road
    options: Mapping[str, Any]
    batch: Batch

    def solve_one(self, game: NormalFormGame) -> Found:
        """Call the solver of one game."""
        import solvers  # noqa: PLC0415 its names are loaded when they are used

        return getattr(solvers, self.road.solver)(game, **self.options)


class Done(NamedTuple):
    """Some games solved, and those of them that were solved one by one."""

    part: Part
    apart: dict[int, Found]
    expected_payoffs: NDArray[np.float64]

    @property
    def num_bytes(self) -> int:
        """Of the arrays that are joined."""
        own = self.part
        arrays = (own.games, own.found_apart, *own.strategies, *own.weights, self.expected_payoffs)
        return sum(array.nbytes for array in arrays)


def solve_part(task: Task, place: range) -> Done:
    """Solve consecutive games by the loop, and the others one by one.

    Raises:
        GameTheoryError: What the solver of one game refuses; names the game.
    """
    start = place.start
    own = task.batch.part(start, place.stop)
    order = _order(task, own)
    part = task.road.loop(order) if order.fits.any() else _no_answers(task, own)
    found: dict[int, Found] = {}
    for index in np.flatnonzero(part.found_apart).tolist():
        try:
            found[index] = task.solve_one(own.game(index))
        except GameTheoryError as error:
            raise error.changed(found=f"game {start + index}: {error.found}") from None
    if found:
        part = _with_others(task, part, found)
    moved = replace(part, games=part.games + start)
    apart = {start + index: answer for index, answer in found.items()}
    return Done(moved, apart, _expected(task, own, part))


def _order(task: Task, batch: Batch) -> Order:
    """Tell which games the loop takes, and the words that the longest of them needs."""
    road = task.road
    fits = np.ones(len(batch), dtype=np.bool_)
    if road.words is None:
        return Order(batch, _NOTHING, fits, 1, task.options)
    rows, columns = batch.num_actions
    if not road.takes_size(rows, columns):
        return Order(batch, _NOTHING, ~fits, 1, task.options)
    batch, fits = batch.in_words()
    if road.is_zero_sum and not batch.are_matrices:
        is_zero_sum = batch.payoffs[:, 0] == -batch.payoffs[:, 1]
        fits &= is_zero_sum.all(axis=(1, 2))
    numbers = numbers_of(batch)
    needed = road.words(numbers, rows, columns)
    fits &= needed <= MOST_WORDS
    return Order(batch, numbers, fits, int(needed[fits].max(initial=1)), task.options)


def _no_answers(task: Task, batch: Batch) -> Part:
    shapes = task.road.form.shapes(batch.num_actions)
    return Part(
        np.zeros(0, dtype=np.int64),
        tuple(np.zeros((0, *shape)) for shape in shapes),
        tuple(np.zeros((0, *shape, 1), dtype=np.uint64) for shape in shapes),
        np.ones(len(batch), dtype=np.bool_),
    )


def _with_others(task: Task, part: Part, found: dict[int, Found]) -> Part:
    """Write answers that were found one by one among the others."""
    kept = ~part.found_apart[part.games]
    each = [
        (index, task.road.form.floats(solution.profile, task.batch.num_actions))
        for index, answer in found.items()
        for solution in solutions_in(answer)
    ]
    games = np.concatenate([part.games[kept], np.array([index for index, _ in each], dtype=int)])
    order = np.argsort(games, kind="stable")
    strategies = tuple(
        np.concatenate([own[kept], *(floats[i][np.newaxis] for _, floats in each)])[order]
        for i, own in enumerate(part.strategies)
    )
    weights = tuple(
        np.concatenate([own[kept], np.zeros((len(each), *own.shape[1:]), own.dtype)])[order]
        for own in part.weights
    )
    return Part(games[order], strategies, weights, part.found_apart)


def _expected(task: Task, batch: Batch, part: Part) -> NDArray[np.float64]:
    """Return what the answers pay, in floats."""
    payoffs = as_floats(batch.payoffs)
    if batch.are_matrices:
        payoffs = np.concatenate([payoffs, -payoffs], axis=1)
    found: list[NDArray[np.float64]] = []
    at_once = max(1, PAID_AT_ONCE // max(1, payoffs[:1].nbytes))
    with np.errstate(invalid="ignore"):  # infinity times zero
        for start in range(0, max(1, len(part.games)), at_once):
            entries = slice(start, start + at_once)
            own = tuple(each[entries] for each in part.strategies)
            found.append(task.road.form.expected(own, payoffs, part.games[entries]))
    return np.concatenate(found)


def joined(task: Task, batch: Batch, parts: list[Done]) -> ManyAnswers:
    """Put the answers to consecutive parts of a batch together."""
    arrays = range(len(parts[0].part.strategies))
    games = freeze(np.concatenate([done.part.games for done in parts]))
    return ManyAnswers(
        concept=task.concept,
        algorithm=task.road.solver,
        payoffs=batch.payoffs,
        counts=freeze(np.bincount(games, minlength=len(batch))),
        games=games,
        strategies=tuple(
            freeze(np.concatenate([done.part.strategies[i] for done in parts])) for i in arrays
        ),
        weights=tuple(_stacked([done.part.weights[i] for done in parts]) for i in arrays),
        expected_payoffs=freeze(np.concatenate([done.expected_payoffs for done in parts])),
        found_apart=freeze(np.concatenate([done.part.found_apart for done in parts])),
        _batch=batch,
        _form=task.road.form,
        _apart={index: answer for done in parts for index, answer in done.apart.items()},
        _rebuild=partial(_rebuilt, task),
    )


def _stacked(weights: list[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    """Join weights, all of as many words as the longest."""
    words = max(map(_in_use, weights))
    whole = np.zeros((sum(map(len, weights)), *weights[0].shape[1:-1], words), dtype=np.uint64)
    start = 0
    for own in weights:
        least = min(words, own.shape[-1])
        whole[start : start + len(own), ..., :least] = own[..., :least]
        start += len(own)
    return freeze(whole)


def _in_use(weights: NDArray[np.uint64]) -> int:
    words = weights.shape[-1]
    while words > 1 and not weights[..., words - 1].any():
        words -= 1
    return words


def _rebuilt(task: Task, answers: ManyAnswers, index: int) -> Found:
    """Return the answer to one game with its certificate, from the exact weights if they do."""
    game = answers.game(index)
    if not task.road.is_rebuilt:  # its certificate needs more
        return task.solve_one(game)
    profiles = answers.exact(index)
    certify: Any = certify_minimax if task.concept is Concept.MINIMAX else certify_nash
    proofs = [certify(game, profile) for profile in profiles]
    run = RunRecord(answers.algorithm, 0.0)
    solutions = tuple(
        Solution(profile, proof.payoffs, proof, run)
        for profile, proof in zip(profiles, proofs, strict=True)
    )
    if task.concept is not Concept.ALL_NASH:
        return solutions[0]
    return SolutionSet(
        game=game,
        equilibria=solutions,
        is_complete=True,
        evidence="all extreme equilibria: every vertex of the two best-response polytopes was "
        "compared with the other side for a full set of labels",
        completeness=CompletenessCertificate(game, tuple(profiles)),
        run=run,
    )
