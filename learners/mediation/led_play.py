"""Played episodes of a mediated game: values learned so far, chance, and the calls to the loops.

What ``JamQLearning`` and the learners without a mediator have in common.
"""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.errors import InvalidArgument
from gametheory_core.labels import shown_players
from gametheory_core.mediation.policies import MediatedProfile
from learners._kernels.jam import (
    FIRST_DRAWS,
    ORDER,
    LedRules,
    LedTotals,
    LedValues,
    fairest,
    play_led,
)
from learners.batch import Snapshot
from learners.mediation.led_tables import LedGame, fairness_numbers
from learners.schedules import Schedule
from learners.streams import generator_state, restore_generator


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
