"""Elo: one number an agent, whose differences predict win rates.

    P(i beats j) = 1 / (1 + 10^((rating[j] - rating[i]) / 400))

Online, ratings move after each match by a gain times the surprise. In one batch, ratings maximize
the likelihood of all matches (Bradley and Terry 1952): every agent's expected score then equals its
actual score. One number cannot hold a cycle: agents that beat each other in turn get one rating,
and copies of an agent move the ratings of all others.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from gametheory_core.arrays import FloatArray, as_float, freeze, number_array
from gametheory_core.errors import InvalidArgument, InvalidGame, NotConverged
from solvers.requirements import as_tuple, require_instance, require_integer, require_number
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, RunRecord
from solvers.solver import open_meter, solver

INITIAL_RATING = 1500.0
GAIN = 32.0
MATCH_REMEDY = "Give Match(first=0, second=1, score=1.0) records."
SCALE = 400.0 / np.log(10.0)  # rating points in one unit of log odds
LARGEST_STEP = 5.0  # of Newton's method, in log odds
MOST_STEPS = 500  # far more than are ever needed where floats can meet the tolerance


@dataclass(frozen=True)
class Match:
    """Two agents met.

    Attributes:
        first, second: Who, from 0; different.
        score: Of the first: 1 for a win, 1/2 for a draw, 0 for a loss.
    """

    first: int
    second: int
    score: float


@dataclass(frozen=True, eq=False)
class EloRatings:
    """Ratings of agents.

    Attributes:
        ratings (agents,): Read-only.
        residual: For a batch: the largest difference between an agent's expected and actual score,
            in games.
        run: How they were got.
    """

    ratings: FloatArray
    residual: float | None
    run: RunRecord

    @property
    def expected_win_rates(self) -> FloatArray:
        """What the ratings predict, shape (agents, agents)."""
        return freeze(_win_rates(self.ratings / SCALE))


def online_elo(
    matches: Iterable[Match],
    *,
    num_agents: int,
    initial: float = INITIAL_RATING,
    gain: float = GAIN,
) -> EloRatings:
    """Rate agents match after match.

    Args:
        matches: In order of play.
        num_agents: At least 1.
        initial: Everyone's first rating.
        gain: Points that a fully unexpected result moves; the winner gets what the loser pays.

    Returns:
        Their sum stays ``num_agents * initial``, up to rounding.

    Raises:
        InvalidArgument: If a match is impossible, or an option has a value it cannot have.

    Source: :cite:`elo1978rating`.

    >>> online_elo([Match(0, 1, 1.0)], num_agents=2).ratings.tolist()
    [1516.0, 1484.0]
    """
    require_integer(num_agents, name="num_agents", low=1)
    require_number(initial, name="initial")
    require_number(gain, name="gain", above=0)
    played = as_tuple(matches, name="matches", remedy=MATCH_REMEDY)
    meter = Meter(UNLIMITED, "matches", algorithm="online_elo")
    ratings = [float(initial)] * num_agents
    for match in played:
        _check_match(match, num_agents)
        ahead = (ratings[match.first] - ratings[match.second]) / SCALE
        moved = gain * (match.score - float(_logistic(np.array(ahead))))
        ratings[match.first] += moved
        ratings[match.second] -= moved
        meter.step()
    return EloRatings(freeze(np.array(ratings)), None, meter.record())


@solver(unit="Newton steps", page="populations")
def batch_elo(
    wins: object,
    *,
    initial: float = INITIAL_RATING,
    tolerance: float = 1e-9,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> EloRatings:
    """Rate agents by the likelihood of all their matches at once.

    Args:
        wins (agents, agents): ``wins[i][j]``: how often ``i`` beat ``j``, or win rates for equally
            many matches. The diagonal is ignored.
        initial: Mean of the ratings.
        tolerance: Largest accepted difference between expected and actual scores, as a share of all
            matches.
        budget: Iterations are Newton steps.
        on_iteration: Called after each of them.

    Returns:
        The only ratings of greatest likelihood with this mean.

    Raises:
        InvalidGame: If the table is not square, or a count is negative; or if no finite ratings are
            most likely, since some agents never lost a match to any of the others.
        NotConverged: If the tolerance is not met within the budget; ``best`` holds the ratings so
            far.

    The likelihood is strictly concave up to a common shift, and has a maximum if and only if no
    group of agents was never beaten from outside [2]_. Newton's method, with steps cut back.

    Sources:
        :cite:`bradley1952rank`.
        :cite:`ford1957solution`.

    >>> ratings = batch_elo([[0, 10], [1, 0]]).ratings
    >>> round(float(ratings[0] - ratings[1]))
    400
    """
    require_number(initial, name="initial")
    counts = _checked_wins(wins)
    _refuse_unbeaten(counts)
    meter = open_meter(budget, on_iteration)
    total = counts.sum() or 1.0
    met = counts + counts.T
    strengths = np.zeros(len(counts))
    residual = _surprise(counts, met, strengths)
    while (
        np.abs(residual).max() > tolerance * total
        and not meter.is_exhausted
        and meter.iterations < MOST_STEPS
    ):
        strengths = _newton_step(counts, met, strengths, residual)
        residual = _surprise(counts, met, strengths)
        meter.step()
    ratings = EloRatings(
        freeze(initial + SCALE * strengths), float(np.abs(residual).max()), meter.record()
    )
    if not np.abs(residual).max() <= tolerance * total:
        raise NotConverged(
            needs=f"scores within {tolerance} of all matches",
            found=f"they miss by {float(np.abs(residual).max() / total):.3g}",
            remedy="Give a larger budget or tolerance.",
            best=ratings,
        )
    return ratings


def _newton_step(
    counts: FloatArray, met: FloatArray, strengths: FloatArray, residual: FloatArray
) -> FloatArray:
    """Return better strengths of mean 0: a Newton step, halved until the likelihood grows."""
    rates = _win_rates(strengths)
    weights = met * rates * rates.T
    np.fill_diagonal(weights, 0.0)
    information = np.diag(weights.sum(axis=1)) - weights
    # the matrix is singular along the common shift, which a constant matrix fills
    step = np.linalg.solve(information + weights.max(), residual)
    step *= min(1.0, LARGEST_STEP / (np.abs(step).max() or 1.0))
    before = _log_likelihood(counts, strengths)
    for _ in range(30):
        if _log_likelihood(counts, strengths + step) >= before:
            break
        step /= 2
    improved = strengths + step
    return improved - improved.mean()


def _surprise(counts: FloatArray, met: FloatArray, strengths: FloatArray) -> FloatArray:
    """Return actual less expected scores: the slope of the likelihood."""
    return counts.sum(axis=1) - (met * _win_rates(strengths)).sum(axis=1)


def _log_likelihood(counts: FloatArray, strengths: FloatArray) -> float:
    ahead = strengths[:, None] - strengths[None, :]
    return float(-(counts * np.logaddexp(0.0, -ahead)).sum())


def _win_rates(strengths: FloatArray) -> FloatArray:
    return _logistic(strengths[:, None] - strengths[None, :])


def _logistic(ahead: FloatArray) -> FloatArray:
    return np.exp(-np.logaddexp(0.0, -ahead))


def _checked_wins(wins: object) -> FloatArray:
    given = number_array(wins, where="batch_elo: wins")
    if given.ndim != 2 or given.shape[0] != given.shape[1] or not given.size:
        raise InvalidGame(
            needs="a square table, agents against agents", found=f"its shape is {given.shape}"
        )
    counts = as_float(given).copy()
    np.fill_diagonal(counts, 0.0)
    for i, j in np.argwhere(counts < 0).tolist():
        raise InvalidGame(needs="counts of at least 0", found=f"wins[{i}][{j}] is {given[i, j]}")
    return counts


def _refuse_unbeaten(counts: FloatArray) -> None:
    """Refuse a table in which a group of agents never lost to any other agent."""
    import networkx as nx  # noqa: PLC0415 takes time to load

    beaten_by = nx.DiGraph()
    beaten_by.add_nodes_from(range(len(counts)))
    losers, winners = np.nonzero(counts.T)
    beaten_by.add_edges_from(zip(losers.tolist(), winners.tolist(), strict=True))
    groups = nx.condensation(beaten_by)
    if groups.number_of_nodes() <= 1:
        return
    unbeaten = next(node for node in groups.nodes if groups.out_degree(node) == 0)
    members = sorted(groups.nodes[unbeaten]["members"])
    raise InvalidGame(
        needs="every group of agents to lose at least once to the others",
        found=f"{members} never did, so their ratings would be infinite",
        remedy="Play more matches, or add a small count to every pair.",
    )


def _check_match(match: Match, num_agents: int) -> None:
    require_instance(match, Match, name="each match", remedy=MATCH_REMEDY)
    require_integer(match.first, name="the first agent of a match")
    require_integer(match.second, name="the second agent of a match")
    require_number(match.score, name="score of a match", low=0, high=1)
    known = range(num_agents)
    if match.first not in known or match.second not in known or match.first == match.second:
        raise InvalidArgument(
            needs=f"matches between two different agents from 0 to {num_agents - 1}",
            found=f"got {match}",
        )
