"""Figure 7: with and without a threat after the last step, a player learns to lead in Chicken.

The mediator has the first player lead whenever it has not more than the second one, who always goes
straight. The first player learns by Q-learning on what it has seen paid.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray
from gametheory_core.mediation.catalog import mediated_chicken
from gametheory_core.mediation.fairness import MINIMUM, EndRule, end_transfers
from gametheory_core.mediation.histories import mediated_histories
from learners.mediation.led_batch import ANNEALED
from learners.streams import named_stream
from learners.studies.curves import Axes, Curve, curve_files, grid_curve
from learners.studies.fair_leaders.settings import EndOfPlay, settings
from learners.studies.registry import Files, Request

THREATS: Mapping[str, EndRule | None] = {
    "no threat": None,
    "threat by all returns": EndRule.HISTORY_IDEAL,
    "threat by the last step": EndRule.STEP_IDEAL,
}
AXES = Axes(y="brakes", x_label="episodes", y_label="seeds that brake")
STRAIGHT, BRAKE = "straight", "brake"


@dataclass(frozen=True)
class Chicken:
    """The game as the first player meets it, by step.

    Attributes:
        leads (nodes,): Whether it leads.
        paid (nodes, actions): To it, what moves after the last step counted; where the second
            player leads, whatever the action.
        follows (nodes, actions): The next node.
    """

    leads: tuple[NDArray[np.bool_], ...]
    paid: tuple[FloatArray, ...]
    follows: tuple[NDArray[np.int64], ...]
    brake: int


@cache
def chicken(rule: EndRule | None) -> Chicken:
    """Return the game of the experiment."""
    game = mediated_chicken()
    histories = mediated_histories(game)
    straight, brake = (game.actions[0].index(name) for name in (STRAIGHT, BRAKE))
    last = len(histories.layers) - 1
    leads, paid, follows = [], [], []
    for step, layer in enumerate(histories.layers):
        shape = (layer.num_nodes, len(game.actions[0]))
        own, after = np.zeros(shape), np.zeros(shape, dtype=np.int64)
        is_first = np.zeros(layer.num_nodes, dtype=bool)
        for node in range(layer.num_nodes):
            returns = histories.returns(step, node)
            leader = int(returns[0] > returns[1])
            is_first[node] = not leader
            moved = (
                end_transfers(
                    game, fairness=MINIMUM, rule=rule, step=step, state=int(layer.states[node]),
                    returns=returns, leader=leader,
                )
                if rule is not None and step == last
                else {}
            )  # fmt: skip
            for action in range(shape[1]):
                done = action if not leader else straight
                reward = game.rewards[layer.row[node, leader, done]][0]
                own[node, action] = float(reward + (moved[done][0] if moved else 0))
                after[node, action] = layer.child[node, leader, done][0]
        leads.append(is_first)
        paid.append(own)
        follows.append(after)
    return Chicken(tuple(leads), tuple(paid), tuple(follows), brake)


def braking(rule: EndRule | None, options: EndOfPlay, *, episodes: int, seed: int) -> FloatArray:
    """Return at which steps the greedy player leads and brakes, shape (points, steps).

    >>> found = braking(None, settings().end_of_play, episodes=2000, seed=1)
    >>> found.shape, float(found[-1, -1])
    ((80, 4), 0.0)
    """
    game, rng = chicken(rule), named_stream(seed, "end of play")
    steps = len(game.paid)
    values = [np.zeros_like(own) for own in game.paid]
    looks = np.unique(np.linspace(1, episodes, options.points).astype(int))
    found: list[list[float]] = []
    for episode in range(1, episodes + 1):
        explores = rng.random(steps) < ANNEALED.at(episode)
        tries = rng.integers(values[0].shape[1], size=steps)
        moves = _played(game, values, explores, tries)
        ahead = 0.0
        for step, node, action in reversed(moves):
            ahead += game.paid[step][node, action]
            if game.leads[step][node]:
                own = values[step][node]
                own[action] += options.step_size * (ahead - own[action])
                ahead = float(own.max())
        if episode in looks:
            path = _played(game, values, np.zeros(steps, dtype=bool), tries)
            found.append([float(game.leads[t][n] and a == game.brake) for t, n, a in path])
    return np.array(found)


def _played(
    game: Chicken, values: list[FloatArray], explores: NDArray[np.bool_], tries: NDArray[np.int64]
) -> list[tuple[int, int, int]]:
    """Return step, node and action of an episode; the action counts where the player leads."""
    node, moves = 0, list[tuple[int, int, int]]()
    for step, after in enumerate(game.follows):
        action = int(tries[step] if explores[step] else values[step][node].argmax())
        moves.append((step, node, action))
        node = int(after[node, action])
    return moves


def make_figure(request: Request) -> Files:
    """Make figure 7."""
    options = settings().end_of_play
    seeds = request.seeds or range(options.seeds)
    episodes = request.scaled(options.episodes, least=options.points)
    at = np.unique(np.linspace(1, episodes, options.points).astype(int)).astype(float)
    curves: list[Curve] = []
    for done, (words, rule) in enumerate(THREATS.items()):
        request.on_progress(f"figure 7: {words}", done, len(THREATS))
        runs = np.array([braking(rule, options, episodes=episodes, seed=own) for own in seeds])
        curves += [
            grid_curve(words, f"step {step + 1}", at, runs[:, :, step])
            for step in range(runs.shape[2])
        ]
    return curve_files("figure-7", curves, AXES)
