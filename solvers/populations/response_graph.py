"""Response graphs: from each joint action, every change of action by one player, and its gain.

For one population in a symmetric game, states are actions that all members play, and a mutant
gains the difference between what it and a resident get when they meet.
"""

from dataclasses import dataclass

import numpy as np

from gametheory_core.arrays import ExactArray, NumberArray
from gametheory_core.certificates.alpha_rank import Populations, ranked_states
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.correlated import JointAction
from solvers._programs.markov_chains import Moves


@dataclass(frozen=True, eq=False)
class ResponseGraph:
    """Who may move where.

    Attributes:
        states: In lexicographic order.
        moves: All changes of one player's action, both ways.
        gains (moves,): What the one who changes gains, in payoff units.
    """

    states: tuple[JointAction, ...]
    moves: Moves
    gains: ExactArray

    @property
    def signs(self) -> "np.ndarray[tuple[int, ...], np.dtype[np.int64]]":
        """Signs of the gains: 1, 0 or -1."""
        return (self.gains > 0).astype(np.int64) - (self.gains < 0).astype(np.int64)


def response_graph(game: NormalFormGame, populations: Populations) -> ResponseGraph:
    """Build the response graph of a game.

    Raises:
        UnsupportedGame: If there is one population, but the game is not symmetric with two players.
    """
    states = ranked_states(game, populations)
    payoffs = game.exact_payoffs
    if populations is Populations.ONE:
        gains = payoffs[0].T - payoffs[0]  # [resident, mutant]
        sources, targets = np.nonzero(~np.eye(len(states), dtype=bool))
        return _graph(states, [sources], [targets], [gains[sources, targets]])
    numbers = np.arange(len(states)).reshape(game.num_actions)
    found: tuple[list[NumberArray], ...] = ([], [], [])
    for player, count in enumerate(game.num_actions):
        places = np.moveaxis(numbers, player, -1).reshape(-1, count)
        own = np.moveaxis(payoffs[player], player, -1).reshape(-1, count)
        before, after = np.nonzero(~np.eye(count, dtype=bool))
        found[0].append(places[:, before].ravel())
        found[1].append(places[:, after].ravel())
        found[2].append((own[:, after] - own[:, before]).ravel())
    return _graph(states, *found)


def _graph(
    states: tuple[JointAction, ...],
    sources: list[NumberArray],
    targets: list[NumberArray],
    gains: list[NumberArray],
) -> ResponseGraph:
    moves = Moves(
        len(states),
        np.concatenate(sources).astype(np.int32),
        np.concatenate(targets).astype(np.int32),
    )
    return ResponseGraph(states, moves, np.concatenate(gains))
