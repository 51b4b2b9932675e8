"""The moving parts of a run on a public-state game: tables for the loops, arrays in motion.

All arrays are over sequences of both players end to end, numbered as in ``games.public_histories``,
so that the loops of trees serve, and a run's state is that of trees.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import as_float, freeze, object_array
from gametheory_core.games.public_histories import PublicLayout, PublicMoves
from gametheory_core.games.public_states import PayoffTable, PublicStateGame, Showdown, end_payoffs
from gametheory_core.strategies.public_plans import PublicProfile
from solvers._kernels.public_regret import EQUAL, TABLE, PublicEnds, Side
from solvers._kernels.treeplex import Forest
from solvers._kernels.treeplex_regret import PREDICTED_REGRETS, RegretArrays
from solvers.counterfactual.regret_rules import RegretSettings
from solvers.counterfactual.regret_run import RegretState


@dataclass
class PublicWork:
    """A run in motion; arrays are modified in place. Lives inside a single call.

    Attributes:
        played (1,): Number of steps.
    """

    played: NDArray[np.int64]
    arrays: RegretArrays


@dataclass(frozen=True, eq=False)
class PublicEngine:
    """What moves a run, and measures it in floats.

    Attributes:
        game, layout: What is played.
        settings: How the run goes.
    """

    game: PublicStateGame
    layout: PublicLayout
    settings: RegretSettings

    @cached_property
    def unit(self) -> float:
        """A power of two near the largest payoff: dividing by it rounds nothing.

        What loops see are such multiples, times weights of hands as the integers they are: where
        actions are worth the same, they see no difference, and floats round nothing for long.
        """
        amounts = [p for one in self.game.situations for p in end_payoffs(one.end)]
        largest = float(np.abs(as_float(object_array(amounts))).max(initial=0.0))
        return math.ldexp(1.0, math.frexp(largest)[1] - 1) if largest else 1.0

    @property
    def _share(self) -> float:
        """What one is, of the numbers that loops see; payoff units."""
        return self.unit / self.game.deals[0].total

    @cached_property
    def forest(self) -> Forest:
        """How sequences hang together, as the loops read it."""
        pairs = [_treeplex(self.layout.moves[p], self.game.num_hands[p]) for p in (0, 1)]
        lasts = [[np.array([count])] for count in self.layout.num_sequences]
        firsts = [own for pair, last in zip(pairs, lasts, strict=True) for own in (pair[0], *last)]
        counts = [0, *(len(parents) for _, parents in pairs)]
        return Forest(
            freeze(np.concatenate(firsts).astype(np.uint32)),
            freeze(np.concatenate([parents for _, parents in pairs]).astype(np.uint32)),
            freeze(np.cumsum(counts)),
            freeze(np.cumsum([0, *self.layout.num_sequences])),
        )

    @cached_property
    def ends(self) -> PublicEnds:
        """What ends of play pay, as the loops read it, payoffs as multiples of ``unit``."""
        game, layout = self.game, self.layout
        comparisons: dict[object, int] = {}
        tables: dict[object, int] = {}
        compared = np.full(len(game.situations), EQUAL, dtype=np.int32)
        paid = np.zeros((len(game.situations), 3))
        for k, one in enumerate(game.situations):
            if isinstance(one.end, Showdown):
                compared[k] = comparisons.setdefault(one.end.strengths, len(comparisons))
            if isinstance(one.end, PayoffTable):
                compared[k] = TABLE - tables.setdefault(one.end.payoffs, len(tables))
            elif one.end is not None:
                paid[k] = [float(p) / self.unit for p in end_payoffs(one.end)]
        matrices = np.array([*tables], dtype=np.float64).reshape(-1, *game.num_hands) / self.unit
        same = _same_of_all(game)
        sides = [self._side(p, list(comparisons), paid, matrices) for p in (0, 1)]
        deals = np.array([one.deal for one in game.situations], dtype=np.int32)
        situations = freeze(layout.situation[layout.ends])
        return PublicEnds(situations, freeze(deals), freeze(compared), freeze(same), *sides)

    def _side(self, player: int, comparisons: list[Any], paid: Any, matrices: Any) -> Side:
        game, layout = self.game, self.layout
        terms = max(len(deal.first) for deal in game.deals)
        factors = np.zeros((len(game.deals), terms, game.num_hands[player]))
        for k, deal in enumerate(game.deals):
            own = (deal.first, deal.second)[player]
            factors[k, : len(own)] = own
        shape = (len(comparisons), game.num_hands[player])
        order, below, upto = (np.zeros(shape, dtype=np.int32) for _ in range(3))
        alike = np.zeros((len(comparisons), min(game.num_hands)), dtype=np.int32)
        for k, strengths in enumerate(comparisons):
            own, other = np.array(strengths[player]), np.array(strengths[1 - player])
            ranked = np.sort(other)
            order[k] = np.argsort(own, kind="stable")
            below[k] = np.searchsorted(ranked, own, side="left")
            upto[k] = np.searchsorted(ranked, own, side="right")
            both = alike.shape[1]
            alike[k] = 1 - np.sign(own[:both] - other[:both])
        if player == 1:
            paid, matrices = -paid[:, ::-1], -matrices.transpose(0, 2, 1)
        arrays = (factors, order, below, upto, alike, np.ascontiguousarray(paid))
        tables = np.ascontiguousarray(matrices)
        return Side(layout.start[player], layout.stride[player], *map(freeze, (*arrays, tables)))

    def start(self, state: RegretState | None) -> PublicWork:
        """Return a run at its beginning, or where a state has left it."""
        size = sum(self.layout.num_sequences)
        forecasts = self.settings.numbers(1.0).kind == PREDICTED_REGRETS
        if state is None:
            behavior, memory, totals = self._uniform(), np.zeros(size), np.zeros(size)
        else:
            behavior, memory, totals = (
                own.copy() for own in (state.behavior, state.memory, state.totals)
            )
        plans = np.empty(size)
        self.loop("write_plans")(self.forest, behavior, plans)
        room = np.zeros(size), np.zeros(size if forecasts else 1)
        played = np.array([state.steps if state else 0])
        return PublicWork(played, RegretArrays(memory, behavior, plans, totals, *room))

    def state(self, work: PublicWork) -> RegretState:
        """Return where a run stands; copies what can still be changed."""
        size = len(work.arrays.memory)
        nothing = np.zeros(0, dtype=np.int64), np.zeros((0, size))
        own = (work.arrays.memory, work.arrays.behavior, work.arrays.totals)
        steps = int(work.played[0])
        return RegretState(self.game.digest, self.settings.text, steps, *own, *nothing)

    def last_state(self, work: PublicWork) -> RegretState:
        """Return where a run stands that does not go on: nothing is copied."""
        for own in (work.arrays.memory, work.arrays.behavior, work.arrays.totals):
            freeze(own)
        return self.state(work)

    @cached_property
    def room(self) -> NDArray[np.float64]:
        """Room for the loops to work in."""
        return np.zeros((3, max(self.game.num_hands) + 1))

    def advance(self, work: PublicWork, count: int) -> None:
        """Play ``count`` steps; ``work`` is modified in place."""
        numbers = self.settings.numbers(self._share)
        step = self.loop("advance_public")
        step(self.forest, self.ends, work.arrays, numbers, self.room, work.played, count)

    def width(self, work: PublicWork) -> float:
        """Return the epsilon of the average as floats see it; payoff units."""
        totals, gradient = work.arrays.totals, work.arrays.gradient
        respond, found = self.loop("public_response"), 0.0
        for player in (0, 1):
            earned = respond(self.forest, self.ends, totals, gradient, self.room, player)
            found += earned / totals[self.forest.first_entry[1 - player]]
        return float(found) * self._share

    def whole_plans(self, totals: NDArray[np.float64], *, parts: int) -> PublicProfile:
        """Return the average as realization plans in parts of one whole."""
        found: list[NDArray[np.int64]] = []
        for player, size in enumerate(self.layout.num_sequences):
            plan = np.zeros(size, dtype=np.int64)
            plan[0] = parts
            self.loop("write_whole_plan")(self.forest, totals, plan, player)
            found.append(freeze(plan))
        return PublicProfile((found[0], found[1]))

    def loop(self, name: str) -> Any:
        """Return a compiled loop."""
        return getattr(import_module("solvers._kernels.compiled_twins"), name)

    def _uniform(self) -> NDArray[np.float64]:
        behavior = np.ones(sum(self.layout.num_sequences))
        for player, moves in enumerate(self.layout.moves):
            counts = moves.actions * self.game.num_hands[player]
            start = int(self.forest.first_entry[player]) + 1
            own = behavior[start : start + int(counts.sum())]
            own[:] = np.repeat(1.0 / moves.actions, counts)
        return behavior


def _same_of_all(game: PublicStateGame) -> NDArray[np.float64]:
    """Return the part of deals that hands of one number have; no entries if none has any."""
    longest = max(len(deal.same) for deal in game.deals)
    same = np.zeros((len(game.deals), longest))
    for k, deal in enumerate(game.deals):
        same[k, : len(deal.same)] = deal.same
    return same


def _treeplex(moves: PublicMoves, hands: int) -> tuple[Any, Any]:
    """Return the first sequence and the one above of each information set, hand after hand."""
    hand = np.arange(hands)
    first = moves.base[:, None] + hand * moves.actions[:, None]
    parent = moves.start[:, None] + hand * moves.stride[:, None]
    return first.ravel(), parent.ravel()
