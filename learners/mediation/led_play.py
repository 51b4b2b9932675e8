"""Played episodes of a mediated game: values learned so far, chance, and the calls to the loops.

What ``JamQLearning`` and the learners without a mediator have in common.

A mediated game laid out for learning: nodes of all steps in one row, numbers as floats.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import shown_players
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.mediation.fairness import (
    FairnessKind,
    MediatorStage,
    check_fairness,
    end_transfers,
    require_known_ends,
)
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.histories import (
    HistoryLayer,
    MediatedHistories,
    Memory,
    mediated_histories,
    node_map,
)
from gametheory_core.mediation.policies import MediatedProfile
from gametheory_core.mediation.values import MediatorIncentives
from learners._kernels.jam import (
    FIRST_DRAWS,
    GINI,
    MINIMUM,
    NASH,
    ORDER,
    LedRules,
    LedTable,
    LedTotals,
    LedValues,
    fairest,
    play_led,
)
from learners.batch import Snapshot
from learners.schedules import Schedule
from learners.streams import generator_state, restore_generator


@dataclass(frozen=True, eq=False)
class LedGame:
    """A mediated game for learners.

    Attributes:
        histories: The nodes that the mediator tells apart.
        agents: What agents know.
        first: Where the nodes of each step begin in the row of all; one more at the end.
        agent_first: The same for the agents' nodes.
        table: Arrays for ``learners._kernels.jam``.
    """

    game: MediatedGame
    incentives: MediatorIncentives
    histories: MediatedHistories
    agents: Memory
    first: tuple[int, ...]
    agent_first: tuple[int, ...]
    table: LedTable


def led_game(game: MediatedGame, incentives: MediatorIncentives, *, memory: Memory) -> LedGame:
    """Lay out a game.

    Args:
        incentives: At stage ``NAIVE`` the mediator knows step and state alone, and so do the
            agents.
        memory: What agents know at the other stages.

    Raises:
        InvalidArgument: If the measure of fairness is for another number of players.
        UnsupportedGame: If the nodes are too many, or transfers are wanted and nobody knows which
            step is the last.
    """
    check_fairness(incentives.fairness, game.num_players)
    is_naive = incentives.stage is MediatorStage.NAIVE
    known = Memory.STEP if is_naive else Memory.HISTORY
    agents = Memory.STEP if is_naive else memory
    histories = mediated_histories(game, memory=known)
    first = _starts([layer.num_nodes for layer in histories.layers])
    maps = node_map(histories, agents)
    agent_first = _starts([int(own.max()) + 1 for own in maps])
    try:
        table = _table(histories, incentives, first, (maps, agent_first))
    except OverflowError:
        raise UnsupportedGame(
            needs="returns that floats can hold",
            found=f"those of {game!r} are too large",
            remedy="Divide all rewards by one number.",
        ) from None
    return LedGame(game, incentives, histories, agents, first, agent_first, table)


def _table(
    histories: MediatedHistories,
    incentives: MediatorIncentives,
    first: tuple[int, ...],
    agents: tuple[list[NDArray[np.int64]], tuple[int, ...]],
) -> LedTable:
    game = histories.game
    maps, agent_first = agents
    forgets = histories.memory is Memory.STEP  # then what is still to come is all that counts
    worth = 1.0 if forgets else float(game.discount)
    return LedTable(
        start=np.array(histories.start, dtype=np.int64),
        start_chance=np.cumsum(np.array(game.initial_kernel.weight.tolist(), dtype=np.float64)),
        child=_children(histories, first),
        chance=_chances(histories),
        legal=_stacked(histories, lambda layer: layer.row >= 0),
        rewards=_rewards(histories),
        transfers=_transfers(histories, incentives),
        past=_stacked(histories, lambda layer: layer.returns / float(histories.denominator)),
        present=np.repeat([worth**t for t in range(len(histories.layers))], np.diff(first)),
        agent_node=np.concatenate(
            [own + start for own, start in zip(maps, agent_first[:-1], strict=True)]
            or [np.zeros(0)]
        ).astype(np.int64),
    )


def fairness_numbers(incentives: MediatorIncentives, players: int) -> tuple[int, Any]:
    """Return the kernel's number of a measure of fairness, and its weights."""
    fairness = incentives.fairness
    kinds = {FairnessKind.MINIMUM: MINIMUM, FairnessKind.GINI: GINI, FairnessKind.NASH: NASH}
    given = fairness.weights or fairness.disagreement or (0,) * players
    return kinds[fairness.kind], np.array([float(number) for number in given])


def _starts(sizes: list[int]) -> tuple[int, ...]:
    return (0, *np.cumsum(sizes, dtype=np.int64).tolist())


def _stacked(
    histories: MediatedHistories, part: Callable[[HistoryLayer], NDArray[Any]]
) -> NDArray[Any]:
    """Return an array of every layer, one after the other, as float64 or bool."""
    game = histories.game
    found = [np.asarray(part(layer)) for layer in histories.layers]
    if not found:
        return np.zeros((0, game.num_players), dtype=np.float64)
    whole = np.concatenate(found)
    return np.ascontiguousarray(whole if whole.dtype == bool else whole.astype(np.float64))


def _children(histories: MediatedHistories, first: tuple[int, ...]) -> NDArray[np.int64]:
    found = [
        np.where(layer.child >= 0, layer.child + after, -1)
        for layer, (_, after) in zip(histories.layers, pairwise(first), strict=True)
    ]
    return np.concatenate(found).astype(np.int64)


def _chances(histories: MediatedHistories) -> NDArray[np.float64]:
    """Return cumulative chances of the outcomes of each step, 1 from the last one on."""
    kernel = histories.game.transition_kernel
    sizes = kernel.sizes
    chances = np.zeros((len(sizes), max(sizes.tolist(), default=1)))
    filled = np.arange(chances.shape[1]) < sizes[:, None]
    chances[filled] = np.array(kernel.weight.tolist(), dtype=np.float64)
    cumulative = np.cumsum(chances, axis=1)
    cumulative[np.arange(chances.shape[1]) >= sizes[:, None] - 1] = 1.0
    return _stacked(histories, lambda layer: cumulative[layer.row])


def _rewards(histories: MediatedHistories) -> NDArray[np.float64]:
    rewards = histories.game.rewards.astype(np.float64)
    return _stacked(
        histories, lambda layer: np.where((layer.row >= 0)[..., None], rewards[layer.row], 0.0)
    )


def _transfers(histories: MediatedHistories, incentives: MediatorIncentives) -> NDArray[np.float64]:
    """Return what moves among the agents after each step; nothing without a full mediator."""
    game = histories.game
    shape = (game.num_players, game.max_actions, game.num_players)
    found = np.zeros((histories.num_nodes, *shape))
    if incentives.stage is not MediatorStage.FULL:
        return found
    require_known_ends(game, rule=incentives.end_rule)
    node = 0
    for step, layer in enumerate(histories.layers):
        for place in range(layer.num_nodes):
            _write_transfers(found[node], histories, layer, (step, place), incentives)
            node += 1
    return found


def _write_transfers(
    found: NDArray[np.float64],
    histories: MediatedHistories,
    layer: HistoryLayer,
    where: tuple[int, int],
    incentives: MediatorIncentives,
) -> None:
    step, place = where
    for leader in range(histories.game.num_players):
        ends = (layer.row[place, leader] >= 0) & (layer.child[place, leader] < 0).all(axis=-1)
        if not ends.any():
            continue
        moved = end_transfers(
            histories.game,
            fairness=incentives.fairness,
            rule=incentives.end_rule,
            step=step,
            state=int(layer.states[place]),
            returns=histories.returns(step, place),
            leader=leader,
        )
        for action, vector in moved.items():
            found[leader, action] = [float(part) for part in vector]


class LedPlay:
    """Episodes being played and learned from; modified by ``play``."""

    def __init__(
        self,
        led: LedGame,
        *,
        picker: int,
        order: tuple[int, ...],
        step_size: float,
        exploration: Schedule,
        all_explore: bool,
        rng: np.random.Generator,
    ) -> None:
        self.led = led
        self._exploration = exploration
        self.rng = rng
        self.episodes = 0
        game = led.game
        nodes, players = led.first[-1], game.num_players
        measure, weights = fairness_numbers(led.incentives, players)
        self._rules = LedRules(
            picker=picker,
            order=np.array(order, dtype=np.int64),
            measure=measure,
            weights=weights,
            discount=float(game.discount),
            step_size=step_size,
            learning=0,
            all_explore=all_explore,
        )
        self._values = LedValues(
            agents=np.zeros((led.agent_first[-1], players, game.max_actions)),
            mediator=np.zeros((nodes, players, players)),
            votes=np.zeros((nodes, players, players)),
        )

    def draws(self, episodes: int) -> NDArray[np.float64]:
        """Draw the uniform numbers of some episodes."""
        steps, players = len(self.led.histories.layers), self.led.game.num_players
        return self.rng.random((episodes, steps + 1, FIRST_DRAWS + 2 * players))

    def play(self, episodes: int, learning: int) -> dict[str, float]:
        """Play, let one learner or everybody (-1) learn, and return metrics."""
        players = self.led.game.num_players
        totals = LedTotals(
            returns=np.zeros(players),
            transfers=np.zeros(players),
            errors=np.zeros(2),
            updates=np.zeros(2),
            fairness=np.zeros(1),
            steps=np.zeros(1),
        )
        done = self.episodes
        rates = np.array([self._exploration.at(done + k) for k in range(episodes)])
        play_led(
            self.led.table,
            self._rules._replace(learning=learning),
            self._values,
            totals,
            rates,
            self.draws(episodes),
        )
        self.episodes += episodes
        return _metrics(self.led, totals, episodes, float(rates[-1]))

    # What was learned

    def agent_values(self) -> NDArray[np.float64]:
        """Return what agents expect if they lead, (agents' nodes, agents, actions), a copy."""
        return self._values.agents.copy()

    def mediator_values(self) -> NDArray[np.float64]:
        """Return what everybody is still to get by leader, (nodes, leaders, players), a copy."""
        return self._values.mediator.copy()

    def vote_values(self) -> NDArray[np.float64]:
        """Return what voters expect by candidate, (nodes, voters, candidates), a copy."""
        return self._values.votes.copy()

    def actions(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """Return what agents would do at each of their nodes: the first of the best actions."""
        table, values = self.led.table, self._values.agents
        legal = np.zeros(values.shape, dtype=bool)
        legal[table.agent_node] = table.legal
        best = np.where(legal, values, -np.inf).argmax(axis=2)
        return tuple(
            tuple(map(tuple, best[start:end].tolist()))
            for start, end in pairwise(self.led.agent_first)
        )

    def leaders(self) -> tuple[tuple[int, ...], ...]:
        """Return whom a mediator or an order picks at each node."""
        first, rules = self.led.first, self._rules
        scores = np.empty(self.led.game.num_players)
        found: list[tuple[int, ...]] = []
        for step, (start, end) in enumerate(pairwise(first)):
            ordered = int(rules.order[step % len(rules.order)]) if rules.picker == ORDER else -1
            found.append(
                tuple(
                    ordered
                    if ordered >= 0
                    else int(fairest(self.led.table, rules, self._values, node, scores))
                    for node in range(start, end)
                )
            )
        return tuple(found)

    def profile(self) -> MediatedProfile:
        """Return what agents and who picks would do without exploring."""
        led = self.led
        return MediatedProfile(self.actions(), self.leaders(), led.agents, led.histories.memory)

    # Checkpoints

    def snapshot(self) -> dict[str, Any]:
        """Return all that changes, as copies."""
        return {
            "game": self.led.game.digest,
            "episodes": self.episodes,
            "agents": self._values.agents.copy(),
            "mediator": self._values.mediator.copy(),
            "votes": self._values.votes.copy(),
            "rng": generator_state(self.rng),
        }

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot.

        Raises:
            InvalidArgument: If it is of another game, or of learners with other nodes.
        """
        sizes = [np.shape(snapshot[name]) for name in ("agents", "mediator", "votes")]
        if snapshot["game"] != self.led.game.digest or sizes != [own.shape for own in self._values]:
            raise InvalidArgument(
                needs=f"a snapshot of {self.led.game!r} with the same stage and memory",
                found="it is of another game or other nodes",
                remedy="Make the learner with the options of the one that was stopped.",
                where="restore",
            )
        for own, name in zip(self._values, ("agents", "mediator", "votes"), strict=True):
            own[...] = snapshot[name]
        self.episodes = int(snapshot["episodes"])
        restore_generator(self.rng, dict(snapshot["rng"]))


def _metrics(led: LedGame, totals: Any, episodes: int, rate: float) -> dict[str, float]:
    names = shown_players(led.game.players)
    found = {
        f"return/{name}": float(total) / episodes
        for name, total in zip(names, totals.returns, strict=True)
    }
    found["fairness"] = float(totals.fairness[0]) / episodes
    found["length"] = float(totals.steps[0]) / episodes
    found["transfers"] = float(totals.transfers.sum()) / episodes
    found["exploration"] = rate
    for name, error, count in zip(("agents", "picks"), totals.errors, totals.updates, strict=True):
        if count:
            found[f"error/{name}"] = float(error / count)
    return found
