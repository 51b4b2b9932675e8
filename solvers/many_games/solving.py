"""``solve_many``: exact answers to many small games at once.

The numbers of each game are integers of as many words as a bound on determinants proves enough, so
that nothing overflows; what needs too many is solved by the solver of one game. Games do not touch
one another: answers depend neither on how many there are, nor on the number of threads.
"""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import freeze
from gametheory_core.certificates.completeness import CompletenessCertificate
from gametheory_core.certificates.equilibrium import certify_minimax, certify_nash
from gametheory_core.errors import GameTheoryError, InvalidArgument, NotConverged
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.memory import require_memory
from solvers.concepts import Concept
from solvers.many_games.answers import Found, ManyAnswers, solutions_in
from solvers.many_games.batch import (
    MOST_WORDS,
    NOTHING,
    Batch,
    numbers_of,
    read_batch,
    words_needed,
)
from solvers.many_games.roads import ROADS, Order, Part, Road
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, RunRecord, Solution, SolutionSet

AT_ONCE = 2_048  # games that one call of a loop solves
BYTES_PER_WORD = 24  # of a weight, with its float, and twice while parts are joined
FEW_WORDS = 4


def solve_many(
    payoffs: object,
    concept: str = Concept.NASH,
    *,
    leader: int = 0,
    initial_label: int = 0,
    workers: int = 1,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> ManyAnswers:
    """Solve many small games of one size at once, each exactly.

    Args:
        payoffs (num_games, num_players, *num_actions): Any numbers that numpy reads; floats are
            taken as the rationals they are. For ``"minimax"`` also (num_games, m, n), what the row
            player gets.
        concept: ``"nash"`` for one equilibrium, as ``lemke_howson`` finds it; ``"all-nash"`` for
            all extreme ones; ``"minimax"``; ``"stackelberg"`` for the best commitment, as
            ``strong_stackelberg``; ``"pure-nash"``, for any number of players.
        leader: Who commits; only for ``"stackelberg"``.
        initial_label: Which label is dropped first; only for ``"nash"``.
        workers: Threads; the answers do not depend on them.
        budget: Iterations are games.
        on_iteration: Called after each few thousand games.

    Returns:
        Arrays of exact weights and of floats; ``answers[i]`` is the solution of game ``i`` with its
        certificate.

    Raises:
        InvalidGame: If the payoffs are no such array; or not finite, with the number of the game.
        InvalidArgument: If there is no such concept here, leader, label or number of threads.
        UnsupportedGame: If a game is not what the concept needs, with its number; or the arrays
            would not fit into memory.
        NotConverged: If the budget ends first; ``best`` has the answers to the first games.

    Sources: as of the solvers of one game.

    >>> answers = solve_many([[[[3, 0], [5, 1]], [[3, 5], [0, 1]]], [[[2, 0], [0, 1]]] * 2])
    >>> [answer.payoffs for answer in answers]
    [(Fraction(1, 1), Fraction(1, 1)), (Fraction(2, 1), Fraction(2, 1))]
    >>> answers.verify()
    """
    road = _road_to(concept)
    batch = read_batch(payoffs, is_zero_sum=road.is_zero_sum)
    players = batch.payoffs.shape[1]
    if players != 2 and not (road.takes_more or road.is_zero_sum):
        raise InvalidArgument(
            needs=f"two players for {concept}",
            found=f"the shape of the payoffs is {batch.payoffs.shape}, of {players} players",
            remedy='Stack payoffs as (games, 2, m, n); "pure-nash" takes any number of players.',
            argument="payoffs",
        )
    if road.solver == "lemke_howson":
        most = sum(batch.num_actions) - 1
        require_integer(initial_label, name="initial_label", low=0, high=most)
    require_integer(leader, name="leader", low=0, high=1)
    require_integer(workers, name="workers", low=1)
    options = {"leader": leader, "initial_label": initial_label}
    given = {name: options[name] for name in road.options}
    task = _Task(Concept(concept), road, given, batch)
    _require_room(batch)
    meter = Meter(budget, "games", on_iteration, total=len(batch))
    parts: list[_Done] = []
    for done in _solved(task, workers):
        parts.append(done)
        meter.step(len(done.part.found_apart))
        if meter.is_exhausted and meter.iterations < len(batch):
            raise NotConverged(
                needs=f"answers to {len(batch):,} games",
                found=f"the budget ended after {meter.iterations:,}",
                remedy="Give a larger budget, or use the exception's best, the answers so far.",
                best=_joined(task, batch.part(0, meter.iterations), parts),
            )
    return _joined(task, batch, parts)


@dataclass(frozen=True, eq=False)
class _Task:
    """What is solved, and how."""

    concept: Concept
    road: Road
    options: Mapping[str, Any]
    batch: Batch

    def solve_one(self, game: NormalFormGame) -> Found:
        """Call the solver of one game."""
        import solvers  # noqa: PLC0415 its names are loaded when they are used

        return cast("Found", getattr(solvers, self.road.solver)(game, **self.options))


class _Done(NamedTuple):
    """Some games solved, and those of them that were solved one by one."""

    part: Part
    apart: dict[int, Found]
    expected: NDArray[np.float64]


def _road_to(concept: object) -> Road:
    if not isinstance(concept, str) or concept not in ROADS:
        raise InvalidArgument(
            needs="a concept that many games are solved for",
            found=f"got {concept!r}",
            remedy=f"Choose from: {', '.join(ROADS)}. For others, call solve for each game.",
            argument="concept",
        )
    return ROADS[concept]


def _order(task: _Task, batch: Batch) -> Order:
    """Tell which games the loop takes, and the words that the longest of them needs."""
    fits = np.ones(len(batch), dtype=np.bool_)
    numbers = NOTHING
    words = 1
    if task.road.is_zero_sum and batch.payoffs.shape[1] == 2:
        is_zero_sum = batch.payoffs[:, 0] == -batch.payoffs[:, 1]
        fits &= is_zero_sum.reshape(len(batch), -1).all(axis=1)
    if task.road.needs_words and (batch.are_objects or not task.road.takes_size(batch.num_actions)):
        fits[:] = False
    elif task.road.needs_words:
        numbers = numbers_of(batch)
        needed = words_needed(numbers, min(batch.num_actions))
        fits &= needed <= MOST_WORDS
        words = int(needed[fits].max(initial=1))
    return Order(batch, numbers, fits, words, task.options)


def _require_room(batch: Batch) -> None:
    """Refuse what would take more memory than there is, if all numbers have a few words."""
    each = sum(batch.num_actions) * FEW_WORDS * BYTES_PER_WORD
    size = " x ".join(map(str, batch.num_actions))
    require_memory(
        len(batch) * each,
        what=f"the answers to {len(batch):,} games of {size} actions",
        remedy="Solve them in several calls.",
    )


def _solved(task: _Task, workers: int) -> Iterator[_Done]:
    """Solve consecutive parts, and yield them in order."""
    starts = range(0, max(len(task.batch), 1), AT_ONCE)
    if workers == 1:
        yield from map(partial(_solve_part, task), starts)
        return
    pool = ThreadPoolExecutor(workers)
    try:
        yield from pool.map(partial(_solve_part, task), starts)
    finally:
        pool.shutdown(cancel_futures=True)


def _solve_part(task: _Task, start: int) -> _Done:
    """Solve some games by the loop, and the others one by one."""
    own = task.batch.part(start, start + AT_ONCE)
    order = _order(task, own)
    part = task.road.loop(order) if order.fits.any() else _no_answers(own)
    found: dict[int, Found] = {}
    for index in np.flatnonzero(part.found_apart).tolist():
        try:
            found[index] = task.solve_one(own.game(index))
        except GameTheoryError as error:
            raise error.changed(found=f"game {start + index}: {error.found}") from None
    if found:
        part = _with_others(part, found)
    moved = replace(part, games=part.games + start)
    apart = {start + index: answer for index, answer in found.items()}
    return _Done(moved, apart, _expected(own, part))


def _no_answers(batch: Batch) -> Part:
    nobody = range(len(batch.num_actions))
    return Part(
        np.zeros(0, dtype=np.int64),
        tuple(np.zeros((0, batch.num_actions[player])) for player in nobody),
        tuple(np.zeros((0, batch.num_actions[player], 1), np.uint64) for player in nobody),
        np.ones(len(batch), dtype=np.bool_),
    )


def _with_others(part: Part, found: dict[int, Found]) -> Part:
    """Write answers that were found one by one among the others."""
    kept = ~part.found_apart[part.games]
    games = [part.games[kept]]
    strategies = [[side[kept]] for side in part.strategies]
    for index, answer in found.items():
        for solution in solutions_in(answer):
            games.append(np.array([index]))
            for player, floats in enumerate(solution.profile.to_float().strategies):
                strategies[player].append(floats[np.newaxis])
    whole = np.concatenate(games)
    order = np.argsort(whole, kind="stable")
    more = len(whole) - len(games[0])
    return Part(
        whole[order],
        tuple(np.concatenate(side)[order] for side in strategies),
        tuple(
            np.concatenate([side[kept], np.zeros((more, *side.shape[1:]), side.dtype)])[order]
            for side in part.weights
        ),
        part.found_apart,
    )


def _joined(task: _Task, batch: Batch, parts: list[_Done]) -> ManyAnswers:
    games = np.concatenate([done.part.games for done in parts])
    players = range(len(batch.num_actions))
    strategies = tuple(np.concatenate([done.part.strategies[i] for done in parts]) for i in players)
    weights = tuple(_stacked([done.part.weights[i] for done in parts]) for i in players)
    for array in (games, *strategies, *weights):
        freeze(array)
    return ManyAnswers(
        concept=task.concept,
        algorithm=task.road.solver,
        payoffs=batch.payoffs,
        counts=freeze(np.bincount(games, minlength=len(batch))),
        games=games,
        strategies=strategies,
        weights=weights,
        expected_payoffs=freeze(np.concatenate([done.expected for done in parts])),
        found_apart=freeze(np.concatenate([done.part.found_apart for done in parts])),
        _batch=batch,
        _apart={index: answer for done in parts for index, answer in done.apart.items()},
        _rebuild=partial(_rebuilt, task),
    )


def _stacked(weights: list[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    """Join weights, all of as many words as the longest."""
    words = max(_in_use(own) for own in weights)
    whole = np.zeros((sum(map(len, weights)), weights[0].shape[1], words), dtype=np.uint64)
    start = 0
    for own in weights:
        own_words = min(words, own.shape[-1])
        whole[start : start + len(own), :, :own_words] = own[..., :own_words]
        start += len(own)
    return whole


def _in_use(weights: NDArray[np.uint64]) -> int:
    words = weights.shape[-1]
    while words > 1 and not weights[..., words - 1].any():
        words -= 1
    return words


def _expected(batch: Batch, part: Part) -> NDArray[np.float64]:
    """Return what the strategies pay, in floats."""
    values = batch.payoffs.astype(np.float64)[part.games]
    for own in reversed(part.strategies):
        values = (values * own.reshape(len(own), *[1] * (values.ndim - 2), -1)).sum(axis=-1)
    return values if values.shape[1] == len(batch.num_actions) else np.hstack([values, -values])


def _rebuilt(task: _Task, answers: ManyAnswers, index: int) -> Found:
    """Return the answer to one game with its certificate, from the exact weights if they do."""
    game = answers.game(index)
    run = RunRecord(answers.algorithm, 0.0)
    if task.concept in (Concept.STACKELBERG, Concept.PURE_NASH):  # its proof needs more
        return task.solve_one(game)
    profiles = answers.profiles(index)
    if task.concept is Concept.MINIMAX:
        proof = certify_minimax(game, profiles[0])
        return Solution(profiles[0], proof.payoffs, proof, run)
    proofs = [certify_nash(game, profile) for profile in profiles]
    solutions = tuple(
        Solution(profile, proof.payoffs, proof, run)
        for profile, proof in zip(profiles, proofs, strict=True)
    )
    if task.concept is Concept.NASH:
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
