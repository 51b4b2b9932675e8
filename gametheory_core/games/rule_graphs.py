"""Where play can go next: the graph of positions of a table."""

from collections.abc import Iterator
from itertools import product
from typing import TypeAlias

from gametheory_core.games.tabular_aec import TabularAEC
from gametheory_core.games.tabular_posg import TabularPOSG

Table: TypeAlias = TabularPOSG | TabularAEC
Position: TypeAlias = tuple[int, int]  # state and signal of a POSG, state and mover of an AEC game


def successors(game: Table) -> dict[Position, tuple[Position, ...]]:
    """Return, for each position where somebody moves, those to which one step or move may lead.

    A position is a state and a signal (POSG), or a state and a mover (AEC game), by number. Of a
    POSG with a horizon, positions at which nobody acts any more are left out.

    >>> from gametheory_core.catalog.payments import fair_payment
    >>> from gametheory_core.conversions.tabular_aec import aec_to_tabular
    >>> successors(aec_to_tabular(fair_payment()).target)
    {(0, -1): ((1, 0),), (1, 0): ()}
    """
    return _posg_graph(game) if isinstance(game, TabularPOSG) else _aec_graph(game)


def _posg_graph(game: TabularPOSG) -> dict[Position, tuple[Position, ...]]:
    frontier = list(dict.fromkeys(_first_pairs(game)))
    graph: dict[Position, tuple[Position, ...]] = {}
    depth = 0
    while frontier and (game.horizon is None or depth < game.horizon):
        for pair in frontier:
            graph[pair] = tuple(dict.fromkeys(_next_pairs(game, *pair)))
        found = dict.fromkeys(pair for here in frontier for pair in graph[here])
        frontier = [pair for pair in found if pair not in graph]
        depth += 1
    return graph


def _first_pairs(game: TabularPOSG) -> Iterator[Position]:
    for state in game.initial_kernel.outcome.tolist():
        if not game.terminal[state]:
            yield from _pairs(game, state, int(game.initial_signal_row[state]))


def _next_pairs(game: TabularPOSG, state: int, signal: int) -> Iterator[Position]:
    seen = game.signals[signal].tolist()
    for joint in product(*(game.legal[i][o] for i, o in enumerate(seen))):
        code = sum(a * stride for a, stride in zip(joint, game.strides, strict=True))
        entries = game.transition_kernel.row(int(game.find_transitions(state, code)))
        after = game.transition_kernel.outcome[entries].tolist()
        rows = game.entry_signal_row[entries].tolist()
        for following, row in zip(after, rows, strict=True):
            if not game.terminal[following]:
                yield from _pairs(game, following, row)


def _pairs(game: TabularPOSG, state: int, row: int) -> Iterator[Position]:
    for signal in game.signal_kernel.outcome[game.signal_kernel.row(row)].tolist():
        yield state, signal


def _aec_graph(game: TabularAEC) -> dict[Position, tuple[Position, ...]]:
    graph: dict[Position, dict[Position, None]] = {}
    places = zip(game.row_state.tolist(), game.row_mover.tolist(), strict=True)
    for row, place in enumerate(places):
        targets = graph.setdefault(place, {})
        entries = game.transition_kernel.row(row)
        after = game.transition_kernel.outcome[entries].tolist()
        for state, turn in zip(after, game.entry_turn_row[entries].tolist(), strict=True):
            if turn >= 0:
                movers = game.turn_kernel.outcome[game.turn_kernel.row(turn)].tolist()
                targets.update(dict.fromkeys((state, mover) for mover in movers))
    return {place: tuple(targets) for place, targets in graph.items()}


def longest_play(game: TabularPOSG) -> int | None:
    """Return how many steps play takes at most; None if it need not end.

    >>> from gametheory_core.catalog.payments import SteadyPay
    >>> from gametheory_core.conversions.tabular_posg import posg_to_tabular
    >>> longest_play(posg_to_tabular(SteadyPay()).target)
    2
    """
    if game.horizon is not None:
        return game.horizon
    following = successors(game)
    entered = dict.fromkeys(following, 0)
    for targets in following.values():
        for target in targets:
            entered[target] += 1
    steps = dict.fromkeys(following, 1)
    free = [position for position, count in entered.items() if not count]
    settled = 0
    while free:
        position = free.pop()
        settled += 1
        for target in following[position]:
            steps[target] = max(steps[target], steps[position] + 1)
            entered[target] -= 1
            if not entered[target]:
                free.append(target)
    return max(steps.values(), default=0) if settled == len(following) else None
