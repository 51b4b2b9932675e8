"""``solve_many``: exact answers to many small games at once.

The numbers of each game are integers of as many words as a bound on determinants proves enough, so
that nothing overflows; what needs too many is solved by the solver of one game. Games do not touch
one another: answers depend neither on how many there are, nor on the number of threads.
"""

import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import cache
from math import prod
from typing import Any

import numpy as np

from gametheory_core.arguments import require_integer, shown
from gametheory_core.errors import InvalidArgument, NotConverged, named
from gametheory_core.memory import (
    MORE,
    in_units,
    memory_cap,
    memory_limit,
    require_memory,
    resident_memory,
)
from solvers.concepts import Concept
from solvers.many_games.answers import ManyAnswers
from solvers.many_games.batch import Batch, read_batch
from solvers.many_games.forms import SETS
from solvers.many_games.parts import Done, Task, joined, solve_part
from solvers.many_games.roads import ROADS, Road
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration

AT_ONCE = 2_048  # games that one call of a loop solves
PART_SECONDS = 0.1  # of a part where the budget has an end
GROWTH = 8  # of a part beside the one before
TINY = 1e-9
FEW_WORDS = 2  # of a weight
WORD_BYTES = 8
TWICE = 2  # while parts are joined
PART_BYTES = 2**25  # of the payoffs in a part, which are copied some times


def solve_many(
    payoffs: object,
    concept: str = Concept.NASH,
    *,
    leader: int | None = None,
    initial_label: int | None = None,
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
            all extreme ones; ``"pure-nash"``, for any number of players; ``"minimax"``;
            ``"stackelberg"`` for the best commitment, as ``strong_stackelberg``; ``"correlated"``
            for the equilibrium of largest welfare; ``"dominance"`` for what is left by strict
            dominance.
        leader: Who commits; only for ``"stackelberg"``. Default: 0.
        initial_label: Which label is dropped first; only for ``"nash"``. Default: 0.
        workers: Threads; the answers do not depend on them.
        budget: Iterations are games. A limit on time is looked at every tenth of a second, or after
            each game that takes longer.
        on_iteration: Called after each few thousand games, where time is limited more often.

    Returns:
        Arrays of exact weights and of floats; ``answers[i]`` is the solution of game ``i`` with its
        certificate.

    Raises:
        InvalidGame: If the payoffs are no such array; or not finite, with the number of the game.
        InvalidArgument: If there is no such concept here, leader, label or number of threads.
        UnsupportedGame: If a game is not what the concept needs, with its number; or the arrays
            would not fit into memory.
        NotConverged: If the budget or memory ends first; ``best`` has the answers to the first
            games.

    Sources: as of the solvers of one game.

    >>> answers = solve_many([[[[3, 0], [5, 1]], [[3, 5], [0, 1]]], [[[2, 0], [0, 1]]] * 2])
    >>> [answer.payoffs for answer in answers]
    [(Fraction(1, 1), Fraction(1, 1)), (Fraction(2, 1), Fraction(2, 1))]
    >>> answers.verify()
    """
    road = _road_to(concept)
    _load(concept)
    meter = Meter(budget, "games", on_iteration)
    with memory_limit(budget.memory):
        batch = read_batch(payoffs, is_zero_sum=road.is_zero_sum)
        players = batch.payoffs.shape[1]
        if players != 2 and not (road.takes_more or road.is_zero_sum):
            raise InvalidArgument(
                needs=f"two players for {concept}",
                found=f"the shape of the payoffs is {batch.payoffs.shape}, of {players} players",
                remedy='Stack payoffs as (games, 2, m, n); "pure-nash" takes any number of '
                "players.",
                argument="payoffs",
            )
        require_integer(workers, name="workers", low=1)
        given = {"leader": leader, "initial_label": initial_label}
        task = Task(Concept(concept), road, _options(concept, road, batch, given), batch)
        _require_room(road, batch)
        meter.total = len(batch)
        return _all_joined(task, workers, meter)


@cache
def _load(concept: str) -> None:
    """Solve the smallest game, so that no call counts the memory of compiled code as its own."""
    road = ROADS[concept]
    batch = read_batch(np.zeros((1, 2, 1, 1)), is_zero_sum=road.is_zero_sum)
    solve_part(Task(Concept(concept), road, dict.fromkeys(road.options, 0), batch), range(1))


def _all_joined(task: Task, workers: int, meter: Meter) -> ManyAnswers:
    """Solve all parts and put them together, or those that time and memory allow."""
    batch = task.batch
    parts: list[Done] = []
    held = 0  # bytes
    for done in _solved(task, workers, meter):
        parts.append(done)
        meter.step(len(done.part.found_apart))
        held += done.num_bytes
        needed = resident_memory() + held + done.num_bytes  # twice while joined, and another part
        meter.is_out_of_memory |= needed > meter.most_resident
        if meter.is_exhausted and meter.iterations < len(batch):
            break
    else:
        return joined(task, batch, parts)
    best = joined(task, batch.part(0, meter.iterations), parts)
    parts.clear()
    raise _ended(meter, best)


def _ended(meter: Meter, best: ManyAnswers) -> NotConverged:
    """Say what ended the work first: memory, or else the budget."""
    solved = f"{meter.iterations:,}"
    found = f"the budget ended after {solved}"
    remedy = "Give a larger budget, or use the exception's best, the answers so far."
    if meter.is_out_of_memory:
        cap = in_units(meter.budget.memory or memory_cap())
        found = f"memory ended after {solved}: at most {cap} may be taken"
        remedy = (
            "Solve them in several calls, or use the exception's best, the answers so far. Or "
            f"allow more: {named(MORE)}."
        )
    return NotConverged(
        needs=f"answers to {meter.total:,} games", found=found, remedy=remedy, best=best
    )


def _road_to(concept: object) -> Road:
    if not isinstance(concept, str) or concept not in ROADS:
        raise InvalidArgument(
            needs="a concept that many games are solved for",
            found=f"got {shown(concept)}",
            remedy=f"Choose from: {', '.join(ROADS)}. For others, call solve for each game.",
            argument="concept",
        )
    return ROADS[concept]


def _options(
    concept: str, road: Road, batch: Batch, given: Mapping[str, int | None]
) -> dict[str, Any]:
    """Return the options that the concept knows; refuse others where they are given."""
    most = {"leader": 1, "initial_label": sum(batch.num_actions) - 1}
    found: dict[str, Any] = {}
    for name, value in given.items():
        if value is not None:
            require_integer(value, name=name, low=0, high=most[name])
            if name not in road.options:
                raise InvalidArgument(
                    needs=f"an option that {concept} knows",
                    found=f"{name} is {value}",
                    remedy="Leave it out.",
                    argument=name,
                )
        if name in road.options:
            found[name] = value or 0
    return found


def _require_room(road: Road, batch: Batch) -> None:
    """Refuse what would take more memory than there is, with one answer to each game."""
    numbers = sum(map(prod, road.form.shapes(batch.num_actions)))
    words = 1 if road.words is None or road.form is SETS else FEW_WORDS
    answer = numbers * (1 + words) + batch.payoffs.shape[1] + 1  # floats, weights, payoffs, game
    each = batch.payoffs[:1].nbytes + TWICE * WORD_BYTES * answer
    size = " x ".join(map(str, batch.num_actions))
    require_memory(
        len(batch) * each,
        what=f"the answers to {len(batch):,} games of {size} actions",
        remedy="Solve them in several calls.",
    )


def _solved(task: Task, workers: int, meter: Meter) -> Iterator[Done]:
    """Solve consecutive parts, and yield them in order.

    Where time is limited, parts grow from one game to what takes a fraction of a second, so that
    the limit is not passed by much; the answers do not depend on it.
    """
    is_timed = meter.budget.seconds is not None
    at_once = min(workers, os.cpu_count() or 1)  # parts: what waits for a processor is not timed
    games, context = len(task.batch), copy_context()  # with the limit on memory

    def solve(place: range) -> Done:
        return context.copy().run(solve_part, task, place)

    pool = ThreadPoolExecutor(workers) if workers > 1 else None
    run = map if pool is None else pool.map
    most = max(1, min(AT_ONCE, PART_BYTES // max(1, task.batch.payoffs[:1].nbytes)))
    size, start = (1 if is_timed else most), 0
    try:
        while start < max(games, 1):
            left = meter.at_most(games - start)
            stop = start + (min(left, size * at_once) if is_timed else left)
            began = meter.seconds
            firsts = range(start, max(stop, 1), size)
            yield from run(solve, [range(first, min(first + size, stop)) for first in firsts])
            each = (meter.seconds - began) / max(1, min(size, stop - start))
            size = max(1, min(most, size * GROWTH, int(PART_SECONDS / max(each, TINY))))
            start = max(stop, 1)
    finally:
        if pool is not None:
            pool.shutdown(cancel_futures=True)
