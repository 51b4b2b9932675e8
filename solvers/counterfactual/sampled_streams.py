"""Monte-Carlo counterfactual regret in independent streams, which any number of workers can share.

Each stream learns by itself. Their averages are mixed as realization plans, or their sums pooled.
"""

from dataclasses import replace
from functools import partial
from typing import Any, cast

import numpy as np

from gametheory_core import NotConverged
from gametheory_core.games import ExtensiveFormGame
from solvers.counterfactual.monte_carlo import (
    MOST_INFOSETS,
    check_start,
    monte_carlo_counterfactual_regret,
)
from solvers.counterfactual.sampled_play import SampledStreams, Sampling, SamplingState, Source
from solvers.counterfactual.samplers import SamplerRequest, known_infosets, new_sampler
from solvers.requirements import a_tree_or_its_rules, require_integer, require_number
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration
from solvers.solver import open_meter, solver
from solvers.streams import Advance, advance_streams, generators_for, shares
from solvers.workers import processes_for

FIRST_ROUND = 100  # iterations of each stream


@solver(takes=(a_tree_or_its_rules,), unit="iterations", page="parallel-work")
def monte_carlo_streams(
    rules: Source,
    *,
    iterations: int = 10_000,
    streams: int = 4,
    sampling: Sampling = Sampling.EXTERNAL,
    exploration: float = 0.6,
    rng: np.random.Generator | None = None,
    start: tuple[SamplingState, ...] | None = None,
    max_infosets: int = MOST_INFOSETS,
    jobs: int | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> SampledStreams:
    """Learn averages in independent streams of sampled traversals, with any number of workers.

    Args:
        rules: As for ``monte_carlo_counterfactual_regret``; sent to workers.
        iterations: Of all streams together; divided as evenly as can be.
        streams: Independent runs. More of them let more workers help; each learns from fewer
            iterations.
        sampling, exploration: As for ``monte_carlo_counterfactual_regret``.
        rng: Begets the random numbers of the streams: a function of its seed, and of how many it
            begot before.
        start: Go on from the ``states`` of an earlier run, in place of ``rng``, to the last bit.
        max_infosets: Of each stream.
        jobs: Workers at once; -1 for one a processor; changes nothing but the time. Default: as
            ``joblib.parallel_config`` has it, which may name workers on other machines; without
            one, no other process is started.
        budget: A limit on iterations is one on all together.
        on_iteration: Called each time a stream ends a round.

    Returns:
        Not certified. ``certified_average`` proves what the mixture of the streams' averages leaves
        to gain; ``pooled`` is the average without a tree.

    Raises:
        InvalidArgument: If ``start`` belongs to another run, or ``rng`` cannot beget others.
        NotConverged: If the budget ended, or ``max_infosets`` were exceeded; ``best`` is what the
            streams have so far.
        WorkerLost: If the worker of a stream was killed each time that it was tried.

    Any exception, a keyboard interrupt included, has the streams after their last rounds in its
    attribute ``state``. Other errors are those of ``monte_carlo_counterfactual_regret``.

    In two-player zero-sum games with perfect recall the mixture leaves no more to gain than the
    streams do on average. A stream of ``n`` iterations leaves about ``1 / root of n``, so that
    streams divide time, and not the error, by the number of workers.

    Source: :cite:`lanctot2009monte`, section 3, for each stream.

    >>> from gametheory_core.catalog import KuhnRules
    >>> rng = np.random.default_rng(7)
    >>> found = monte_carlo_streams(KuhnRules(), iterations=2000, streams=4, rng=rng)
    >>> [state.iterations for state in found.states], round(found.pooled.policy[0, "Q"]["bet"], 1)
    ([500, 500, 500, 500], 0.0)
    """
    request = SamplerRequest(sampling, exploration, max_infosets)
    for name, value in (("iterations", iterations), ("max_infosets", max_infosets)):
        require_integer(value, name=name, low=1)
    require_number(exploration, name="exploration", above=0, high=1)
    if jobs is not None:
        processes_for(jobs)
    states = _first_states(rules, request, streams, rng, start)
    meter = open_meter(budget, on_iteration, total=iterations)
    advance = Advance(
        call=partial(_advanced, rules, request),
        done=lambda state: state.iterations,
        packed=_packed,
        unpacked=partial(_unpacked, rules),
        first_round=FIRST_ROUND,
    )
    try:
        steps = shares(meter.at_most(iterations), streams)
        advance_streams(states, steps, advance, jobs=jobs, meter=meter)
    except BaseException as error:
        error.__dict__["state"] = tuple(states)
        raise
    found = SampledStreams(tuple(states), meter.record())
    _check_done(found, meter, iterations, max_infosets)
    return found


def _first_states(
    rules: Source,
    request: SamplerRequest,
    streams: int,
    rng: np.random.Generator | None,
    start: tuple[SamplingState, ...] | None,
) -> list[SamplingState]:
    generators = generators_for(streams, rng, start)
    if generators is None:
        given = list(start or ())
        for state in given:
            check_start(rules, request, state)
        return given
    begin = new_sampler(rules, request, None, iterations=1).state
    return [begin(own) for own in generators]


def _advanced(
    rules: Source, request: SamplerRequest, packed: SamplingState, count: int, budget: Budget
) -> SamplingState:
    """Advance a stream, wherever this is called."""
    try:
        play = monte_carlo_counterfactual_regret(
            rules,
            iterations=count,
            sampling=request.sampling,
            exploration=request.exploration,
            max_infosets=request.max_infosets,
            start=_unpacked(rules, packed),
            budget=budget,
        )
    except NotConverged as error:
        play = error.best
    return _packed(play.state)


def _packed(state: SamplingState) -> SamplingState:
    """Leave out what the other side knows: what is played, and what a tree says of itself."""
    light = replace(state, source=cast("Any", None))
    if isinstance(state.source, ExtensiveFormGame):
        return replace(light, infosets=(), actions=())
    return light


def _unpacked(rules: Source, packed: SamplingState) -> SamplingState:
    if isinstance(rules, ExtensiveFormGame):
        infosets, actions = known_infosets(rules)
        return replace(packed, source=rules, infosets=infosets, actions=actions)
    return replace(packed, source=rules)


def _check_done(found: SampledStreams, meter: Meter, iterations: int, most: int) -> None:
    met = max(len(state.infosets) for state in found.states)
    if met > most:
        raise NotConverged(
            needs=f"at most max_infosets = {most:,}",
            found=f"a stream met {met:,}",
            remedy="Raise max_infosets, or give rules whose information sets tell less apart.",
            best=found,
            state=found.states,
        )
    if meter.iterations < iterations:
        raise NotConverged(
            needs=f"{iterations:,} iterations",
            found=f"the budget ended {iterations - meter.iterations:,} before that",
            remedy="Give a larger budget; start=error.best.states goes on from here.",
            best=found,
            state=found.states,
        )
