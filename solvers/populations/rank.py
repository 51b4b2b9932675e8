"""Alpha-rank: rank joint actions by how long evolving populations dwell on them.

A mutant in a population of ``m`` that gains ``d`` takes over with probability

    (1 - exp(-alpha d)) / (1 - exp(-alpha m d)),    1 / m if d = 0.

The Markov chain of such takeovers has one stationary distribution (Omidshafiei et al. 2019). As
selection gets infinitely strong, only signs of gains matter: see ``alpha_rank_limit``.

The *response graph* has, from each joint action, every change of action by one player, and its
gain. For one population in a symmetric game, states are actions that all members play, and a mutant
gains the difference between what it and a resident get when they meet.
"""

import math
from dataclasses import dataclass

import numpy as np

from gametheory_core.arrays import ExactArray, FloatArray, NumberArray, as_float, freeze
from gametheory_core.certificates.alpha_rank import Populations, ranked_states
from gametheory_core.errors import NotConverged, UnsupportedGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.memory import require_memory
from gametheory_core.strategies.correlated import JointAction
from solvers._programs.markov_chains import Moves, balance_residual, float_stationary
from solvers.requirements import a_normal_form, require_integer, require_number
from solvers.solution import UNLIMITED, Budget, OnIteration, RunRecord
from solvers.solver import open_meter, solver

BYTES_PER_MOVE = 300  # with its exact gain and its place in a graph


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
    others = sum(game.num_actions) - game.num_players
    moves = math.prod(game.num_actions) * others
    if populations is Populations.ONE:
        moves = math.prod(game.num_actions[:1]) ** 2
    require_memory(
        BYTES_PER_MOVE * moves,
        what=f"the {moves:,} moves between joint actions of {game!r}",
        remedy="Remove dominated actions.",
    )
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


MOST_STATES = 5_000  # a sparse factorization of them takes about a minute, and gigabytes
NEGLIGIBLE = 1e-9  # residual of a float distribution, as a share of the largest rate


@dataclass(frozen=True, eq=False)
class AlphaRank:
    """A ranking at a finite strength of selection, in floats.

    Attributes:
        game: What is played.
        populations: Who evolves.
        states: What is ranked; of equals, for one population.
        distribution (states,): How long each state prevails; read-only.
        moves: Between which states.
        probabilities (moves,): Of each move; what is missing to one stays. Read-only.
        residual: Largest net flow into a state, measured afterwards in floats, as a share of the
            largest probability of a move.
        run: How it was got.
    """

    game: NormalFormGame
    populations: Populations
    states: tuple[JointAction, ...]
    distribution: FloatArray
    moves: Moves
    probabilities: FloatArray
    residual: float
    run: RunRecord

    @property
    def transition_matrix(self) -> FloatArray:
        """Probabilities of all moves, shape (states, states): row to column."""
        matrix = np.zeros((len(self.states),) * 2)
        matrix[self.moves.sources, self.moves.targets] = self.probabilities
        np.fill_diagonal(matrix, 1.0 - matrix.sum(axis=1))
        return freeze(matrix)

    @property
    def ranking(self) -> tuple[JointAction, ...]:
        """States from the most to the least prevalent; equals in lexicographic order."""
        return tuple(self.states[i] for i in np.argsort(-self.distribution, kind="stable"))


@solver(takes=(a_normal_form,), unit="states", page="populations")
def alpha_rank(
    game: NormalFormGame,
    *,
    alpha: float,
    population_size: int = 50,
    populations: Populations = Populations.ONE_EACH,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> AlphaRank:
    """Rank joint actions at a finite strength of selection.

    Args:
        game: Any number of players; symmetric with two for one population.
        alpha: Strength of selection, in 1 / payoff units; from 0, for none.
        population_size: Members of each population, at least 2.
        populations: One population for each player, or one for all.
        budget: Iterations are states eliminated; a sparse factorization counts as one.
        on_iteration: Called before each of them.

    Returns:
        Floats; its residual is measured.

    Raises:
        UnsupportedGame: If the game is a tree, not symmetric for one population, or has more than
            5,000 states.
        NotConverged: If the budget ends first, without a ``best``; or if the measured residual is
            more than 1e-9: then ``best`` is the ranking.

    Rates are kept as logarithms and states are eliminated without subtractions, so that strong
    selection does not cost accuracy. Time grows with the cube of the number of states, memory with
    its square; from 2,000 states on a sparse factorization is used.

    Sources:
        :cite:`omidshafiei2019alpha`.
        :cite:`grassmann1985regenerative`.

    >>> from gametheory_core import load_game
    >>> ranked = alpha_rank(load_game("prisoners_dilemma"), alpha=10)
    >>> ranked.ranking[0]
    (1, 1)
    """
    remedy = "It is in 1 / payoff units. Use alpha_rank_limit for infinitely strong selection."
    require_number(alpha, name="alpha", low=0, remedy=remedy)
    require_integer(population_size, name="population_size", low=2)
    meter = open_meter(budget, on_iteration)
    _require_size(game, populations)

    def tick() -> None:
        if meter.is_exhausted:
            raise NotConverged(
                needs="all states eliminated",
                found=f"the budget ended after {meter.iterations}",
                remedy="Give a larger budget, or remove dominated actions.",
            )
        meter.step()

    graph = response_graph(game, populations)
    # each state has equally many moves, all equally likely to be tried
    tried = len(graph.moves.sources) / len(graph.states)
    takeovers = _log_takeovers(alpha * as_float(graph.gains), population_size)
    distribution = float_stationary(graph.moves, takeovers, tick)
    probabilities = np.exp(takeovers) / max(tried, 1.0)
    residual = balance_residual(graph.moves, probabilities, distribution)
    ranked = AlphaRank(
        game=game,
        populations=populations,
        states=graph.states,
        distribution=freeze(distribution),
        moves=graph.moves,
        probabilities=freeze(probabilities),
        residual=residual,
        run=meter.record(),
    )
    if not residual <= NEGLIGIBLE:
        raise NotConverged(
            needs=f"a residual of at most {NEGLIGIBLE}",
            found=f"it is {residual:.3g}",
            remedy="Use alpha_rank_limit, or a smaller alpha.",
            best=ranked,
        )
    return ranked


def _require_size(game: NormalFormGame, populations: Populations) -> None:
    one = populations is Populations.ONE
    states = game.num_actions[0] if one else math.prod(game.num_actions)
    if states > MOST_STATES:
        raise UnsupportedGame(
            needs=f"at most {MOST_STATES:,} states",
            found=f"{game!r} has {states:,}",
            remedy="Remove dominated actions, or rank a smaller population.",
        )


def _log_takeovers(strength: FloatArray, size: int) -> FloatArray:
    """Return logarithms of takeover probabilities, accurate for all strengths ``alpha * gain``."""
    distance = np.abs(strength)
    neutral = distance * size < np.finfo(np.float64).eps
    safe = np.where(neutral, 1.0, distance)
    ratio = np.log(-np.expm1(-safe)) - np.log(-np.expm1(-size * safe))
    against = np.where(strength < 0, (size - 1) * safe, 0.0)
    return np.where(neutral, -math.log(size), ratio - against)
