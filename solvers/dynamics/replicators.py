"""Replicator dynamics: shares of actions grow at the rate by which they beat the average.

With ``u`` the payoffs of a player's actions against the others' strategies ``x``,

    dx/dt = x (u - x.u) + mutation (1/actions - x)

for each player. In logarithms the first term is a bounded, smooth flow ``d(log x)/dt = u`` up to
normalization, so that shares stay positive however small they get; the second has a solution in
closed form. A step takes half of the second, all of the first by the classical Runge-Kutta method,
and half of the second again.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gametheory_core.arrays import FloatArray
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile
from solvers.dynamics.play import (
    Dynamics,
    Play,
    PlayRequest,
    PlayState,
    PlayWork,
    action_payoff_vectors,
    first_strategies,
    payoff_span,
    player_views,
    run_play,
)
from solvers.dynamics.repeated_play import add_joint
from solvers.local_rules import exponential_shares
from solvers.requirements import a_normal_form, require_number
from solvers.solution import UNLIMITED, Budget, OnIteration
from solvers.solver import open_meter, solver

DEFAULT_STEP = 0.1  # in units of 1 / payoff span


@solver(takes=(a_normal_form,), unit="steps", page="dynamics")
def replicator(
    game: NormalFormGame,
    *,
    initial: MixedProfile | None = None,
    mutation: float = 0.0,
    step_size: float | None = None,
    steps: int | None = 1_000,
    tolerance: float | None = None,
    samples: int = 200,
    start: PlayState | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Play:
    """Follow the replicator dynamics of all players, and certify where its time average leads.

    Args:
        game: Any number of players.
        initial: Where to start; default uniform. Actions that start at 0 stay at 0, but for
            mutation.
        mutation: Rate at which shares are replaced by uniform ones, in payoff units; 0 for none.
        step_size: Time of a step, in 1 / payoff units; default 0.1 / the largest payoff span.
        steps: Steps to take; at most so many if there is a tolerance.
        tolerance: Stop as soon as ``play.epsilon`` is certified to be at most this, in payoff
            units.
        samples: How often trajectories are sampled and the tolerance is looked at.
        start: Go on from the ``state`` of an earlier play.
        budget: Iterations are steps. A limit on time is looked at every few hundredths of a second;
            what has been played is then certified exactly, however long that takes.
        on_iteration: Called at each sample.

    Returns:
        ``last`` is the point reached; averages are over the points at which steps began.

    Raises: As ``regret_matching``.

    The error of a path is of fourth order in the step size, of second order with mutation.

    Sources:
        :cite:`taylor1978evolutionary`.
        :cite:`hofbauer1998evolutionary`, chapters 7 and 10.

    >>> from gametheory_core import load_game
    >>> play = replicator(load_game("prisoners_dilemma"), steps=500)
    >>> round(float(play.last.strategies[0][1]), 3)
    1.0
    """
    size = _step_size(game, step_size)
    require_number(mutation, name="mutation", low=0)
    flow = _Replicator(game, size, mutation)
    settings = f"replicator(mutation={mutation!r}, step_size={size!r})"
    dynamics = Dynamics(settings, lambda: flow.fresh(initial), flow.advance)
    request = PlayRequest(steps, tolerance, samples, start, initial)
    return run_play(game, dynamics, request, open_meter(budget, on_iteration))


@solver(takes=(a_normal_form,), unit="steps", page="dynamics")
def projected_replicator(
    game: NormalFormGame,
    *,
    exploration: float,
    initial: MixedProfile | None = None,
    step_size: float | None = None,
    steps: int | None = 1_000,
    tolerance: float | None = None,
    samples: int = 200,
    start: PlayState | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Play:
    """Follow replicator steps, projected so that every action keeps a least probability.

    After each Euler step, every strategy moves to the nearest one whose probabilities are all at
    least ``exploration`` divided by the number of actions.

    Args:
        game: Any number of players.
        exploration: Between 0 and 1: the share that is reserved for exploring.
        initial, step_size, steps, tolerance, samples, start, budget, on_iteration: As for
            ``replicator``; ``initial`` is projected first.

    Returns:
        The floor keeps strategies, and so the certificate, away from pure equilibria.

    Raises: As ``regret_matching``.

    Source: :cite:`lanctot2017unified`, section 3.1.

    >>> from gametheory_core import load_game
    >>> play = projected_replicator(load_game("prisoners_dilemma"), exploration=0.1, steps=500)
    >>> round(float(play.last.strategies[0][0]), 6)
    0.05
    """
    size = _step_size(game, step_size)
    require_number(exploration, name="exploration", low=0, high=1)
    flow = _ProjectedReplicator(game, size, exploration)
    settings = f"projected_replicator(exploration={exploration!r}, step_size={size!r})"
    dynamics = Dynamics(settings, lambda: flow.fresh(initial), flow.advance)
    request = PlayRequest(steps, tolerance, samples, start, initial)
    return run_play(game, dynamics, request, open_meter(budget, on_iteration))


def project_to_floor(point: FloatArray, floor: float) -> FloatArray:
    """Return the nearest probability vector whose entries are all at least ``floor``.

    Args:
        point (actions,): Any real numbers.
        floor: From 0 to 1 / actions.

    The nearest point is ``max(point - shift, floor)`` for the one shift that makes the sum 1; only
    the largest entries stay above the floor.
    """
    above = point - floor
    room = 1.0 - floor * len(point)
    shift = (above.sum() - room) / len(point)
    if above.min() >= shift:  # all entries stay above the floor
        return floor + (above - shift)
    falling = np.sort(above)[::-1]
    shifts = (np.cumsum(falling) - room) / np.arange(1, len(point) + 1)
    kept = np.flatnonzero(falling - shifts > 0)
    shift = shifts[kept[-1]] if len(kept) else falling[0]
    return floor + np.maximum(above - shift, 0.0)


@dataclass(frozen=True)
class _Replicator:
    """The flow; a play's memory holds the logarithms of shares, up to a constant a player."""

    game: NormalFormGame
    step_size: float
    mutation: float

    def fresh(self, initial: MixedProfile | None) -> tuple[FloatArray, FloatArray]:
        """Return logarithms and shares before the first step."""
        strategies = first_strategies(self.game, initial)
        return _logarithms(strategies), strategies

    def advance(self, work: PlayWork, count: int) -> None:
        """Take ``count`` steps; ``work`` is modified in place."""
        for _ in range(count):
            add_joint(work.totals, player_views(self.game, work.strategies))
            if self.mutation:
                self._mutate(work)
            work.memory[:] = _runge_kutta(self._growth, work.memory, self.step_size)
            work.strategies[:] = self._shares(work.memory)
            if self.mutation:
                self._mutate(work)
            work.steps += 1

    def _mutate(self, work: PlayWork) -> None:
        kept = float(np.exp(-self.mutation * self.step_size / 2))
        for own in player_views(self.game, work.strategies):
            own[:] = kept * own + (1.0 - kept) / len(own)
        work.memory[:] = _logarithms(work.strategies)

    def _growth(self, logarithms: FloatArray) -> FloatArray:
        shares = player_views(self.game, self._shares(logarithms))
        payoffs = action_payoff_vectors(self.game, shares)
        return np.concatenate([u - u @ own for u, own in zip(payoffs, shares, strict=True)])

    def _shares(self, logarithms: FloatArray) -> FloatArray:
        return np.concatenate(
            [exponential_shares(own) for own in player_views(self.game, logarithms)]
        )


@dataclass(frozen=True)
class _ProjectedReplicator:
    """Euler steps with a floor; a play's memory is not used."""

    game: NormalFormGame
    step_size: float
    exploration: float

    def fresh(self, initial: MixedProfile | None) -> tuple[FloatArray, FloatArray]:
        """Return zeros, and the projected shares before the first step."""
        strategies = first_strategies(self.game, initial)
        for own in player_views(self.game, strategies):
            own[:] = project_to_floor(own, self.exploration / len(own))
        return np.zeros_like(strategies), strategies

    def advance(self, work: PlayWork, count: int) -> None:
        """Take ``count`` steps; ``work`` is modified in place."""
        for _ in range(count):
            shares = player_views(self.game, work.strategies)
            add_joint(work.totals, shares)
            payoffs = action_payoff_vectors(self.game, shares)
            for own, earned in zip(shares, payoffs, strict=True):
                moved = own + self.step_size * own * (earned - earned @ own)
                own[:] = project_to_floor(moved, self.exploration / len(own))
            work.steps += 1


def _runge_kutta(
    slope: Callable[[FloatArray], FloatArray], point: FloatArray, step: float
) -> FloatArray:
    first = slope(point)
    second = slope(point + step / 2 * first)
    third = slope(point + step / 2 * second)
    fourth = slope(point + step * third)
    return point + step / 6 * (first + 2 * second + 2 * third + fourth)


def _logarithms(shares: FloatArray) -> FloatArray:
    logarithms = np.full(len(shares), -np.inf)
    return np.log(shares, out=logarithms, where=shares > 0)


def _step_size(game: NormalFormGame, step_size: float | None) -> float:
    if step_size is None:
        return DEFAULT_STEP / max(payoff_span(game, i) for i in range(game.num_players))
    require_number(step_size, name="step_size", above=0, remedy="In 1 / payoff units.")
    return step_size
