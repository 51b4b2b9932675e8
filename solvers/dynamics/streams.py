"""Drawn play in independent streams, which any number of workers can share, and their pooled play.

Counts of joint actions are added, exactly. A player's regret for an action is linear in empirical
play, so that the largest regret, the maximum of linear functions, is convex: pooled play leaves at
most as much to regret as its streams do on average, in any game. Of the product of its marginals
that holds in two-player zero-sum games, and not elsewhere.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from types import NoneType
from typing import Any

import numpy as np

from gametheory_core.arguments import require_function
from gametheory_core.certificates.correlated import CorrelatedCertificate, certify_coarse_correlated
from gametheory_core.certificates.equilibrium import NashCertificate, certify_nash
from gametheory_core.errors import InvalidArgument, NotConverged
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import is_constant_sum
from gametheory_core.strategies.correlated import CorrelatedDistribution
from gametheory_core.strategies.mixed import MixedProfile
from solvers.dynamics.play import Play, PlayState, shares_of
from solvers.dynamics.regrets import regret_matching
from solvers.requirements import a_normal_form, require_instance, require_integer
from solvers.solution import UNLIMITED, Budget, OnIteration, RunRecord
from solvers.solver import open_meter, solver
from solvers.streams import Advance, advance_streams, generator_at, generators_for, shares
from solvers.workers import processes_for

FIRST_ROUND = 1_000  # steps of each stream


@dataclass(frozen=True)
class DrawnStream:
    """Where one stream stands.

    Attributes:
        state: Of its play; None before the first step.
        generator: State of its random numbers, as numpy writes it.
    """

    state: PlayState | None
    generator: Mapping[str, Any]

    @property
    def steps(self) -> int:
        """Steps played."""
        return 0 if self.state is None else self.state.steps


@dataclass(frozen=True, eq=False)
class PooledPlay:
    """What independent streams of a drawn dynamics played together.

    Attributes:
        streams: Give them as ``start`` to go on.
        empirical: Share of each joint action in the steps of all streams, exactly.
        certificate: Of the average strategies as an equilibrium, in two-player constant-sum games;
            elsewhere of ``empirical`` as a coarse correlated equilibrium.
        run: How it was got.
    """

    game: NormalFormGame
    streams: tuple[DrawnStream, ...]
    empirical: CorrelatedDistribution
    certificate: NashCertificate | CorrelatedCertificate
    run: RunRecord

    @property
    def average(self) -> MixedProfile:
        """The average strategies: the marginals of empirical play, exactly."""
        return self.empirical.marginals

    @property
    def epsilon(self) -> Fraction:
        """The certificate's epsilon, in payoff units."""
        return self.certificate.epsilon


@solver(takes=(a_normal_form,), unit="steps", page="parallel-work")
def play_streams(
    game: NormalFormGame,
    *,
    dynamics: Callable[..., Play] = regret_matching,
    steps: int = 10_000,
    streams: int = 4,
    rng: np.random.Generator | None = None,
    start: tuple[DrawnStream, ...] | None = None,
    jobs: int | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> PooledPlay:
    """Play a dynamics in independent streams, with any number of workers, and pool what was played.

    Args:
        game: Any number of players.
        dynamics: One that draws actions: ``regret_matching``, ``regret_matching_plus``, ``hedge``,
            ``smoothed_fictitious_play``, with options by ``functools.partial``.
        steps: Of all streams together; divided as evenly as can be.
        streams: Independent plays. More of them let more workers help; each learns from fewer
            steps.
        rng: Begets the random numbers of the streams: a function of its seed, and of how many it
            begot before.
        start: Go on from the ``streams`` of an earlier run, in place of ``rng``, to the last bit.
        jobs: Workers at once; -1 for one a processor; changes nothing but the time. Default: as
            ``joblib.parallel_config`` has it, which may name workers on other machines; without
            one, no other process is started.
        budget: A limit on iterations is one on all steps together.
        on_iteration: Called each time a stream ends a round.

    Returns:
        Pooled play, certified.

    Raises:
        InvalidArgument: If a dynamics cannot draw, or ``start`` belongs to another run.
        NotConverged: If the budget ended; ``best`` is what was played so far.
        WorkerLost: If the worker of a stream was killed each time that it was tried.

    Any exception, a keyboard interrupt included, has the streams after their last rounds in its
    attribute ``state``. The largest average regret is at most the streams' mean.

    Source: :cite:`hart2000simple`, for regret matching.

    >>> from gametheory_core import load_game
    >>> rng = np.random.default_rng(7)
    >>> found = play_streams(load_game("matching_pennies"), steps=4000, streams=4, rng=rng)
    >>> found.epsilon < 0.1, [own.steps for own in found.streams]
    (True, [1000, 1000, 1000, 1000])
    """
    require_integer(steps, name="steps", low=1)
    if jobs is not None:
        processes_for(jobs)
    _check_dynamics(dynamics)
    own = _first_streams(streams, rng, start)
    meter = open_meter(budget, on_iteration, total=steps)
    advance = Advance(
        call=partial(_advanced, game, dynamics),
        done=lambda stream: stream.steps,
        packed=lambda stream: stream,
        unpacked=lambda stream: stream,
        first_round=FIRST_ROUND,
    )
    try:
        granted = shares(meter.at_most(steps), streams)
        advance_streams(own, granted, advance, jobs=jobs, meter=meter)
    except BaseException as error:
        error.__dict__["state"] = tuple(own)
        raise
    record = meter.record()
    found = None
    if played := [stream.state for stream in own if stream.state is not None]:
        empirical = shares_of(game, np.sum([state.totals for state in played], axis=0))
        certificate = (
            certify_nash(game, empirical.marginals)
            if game.num_players == 2 and is_constant_sum(game)
            else certify_coarse_correlated(game, empirical)
        )
        found = PooledPlay(game, tuple(own), empirical, certificate, record)
    if found is None or record.iterations < steps:
        raise NotConverged(
            needs=f"{steps} steps",
            found=f"the budget ended {steps - record.iterations} before that",
            remedy="Give a larger budget; start=error.state goes on from here.",
            best=found,
            state=tuple(own),
        )
    return found


def _check_dynamics(dynamics: Callable[..., Play]) -> None:
    remedy = "Give regret_matching, or a partial of it."
    require_function(dynamics, name="dynamics", remedy=remedy)
    try:
        options = set(inspect.signature(dynamics).parameters)
    except ValueError:  # of what is not written in Python
        options = set[str]()
    if not {"rng", "start", "steps"} <= options:
        raise InvalidArgument(
            needs="a dynamics that draws actions: with the options rng, start and steps",
            found=f"{getattr(dynamics, '__name__', dynamics)!r:.60} has not all of these",
            remedy=remedy,
            argument="dynamics",
        )


def _first_streams(
    streams: int, rng: np.random.Generator | None, start: tuple[DrawnStream, ...] | None
) -> list[DrawnStream]:
    generators = generators_for(streams, rng, start)
    if generators is None:
        given = list(start or ())
        for stream in given:
            require_instance(stream, DrawnStream, name="start", remedy="Give found.streams.")
            require_instance(stream.state, (PlayState, NoneType), name="the state of a stream")
            generator_at(stream.generator)
        return given
    return [DrawnStream(None, own.bit_generator.state) for own in generators]


def _advanced(
    game: NormalFormGame,
    dynamics: Callable[..., Play],
    stream: DrawnStream,
    count: int,
    budget: Budget,
) -> DrawnStream:
    """Advance a stream, wherever this is called."""
    generator = generator_at(stream.generator)
    try:
        play = dynamics(
            game, steps=count, rng=generator, samples=1, start=stream.state, budget=budget
        )
    except NotConverged as error:
        play = error.best
    return DrawnStream(play.state, generator.bit_generator.state)
