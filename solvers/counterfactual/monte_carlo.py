"""Monte-Carlo counterfactual regret minimization: learn a tree from sampled plays.

At each information set a local rule, regret matching, learns from regrets that are estimated on a
sample of the tree. The tree need not be built: rules are expanded where sampling comes to.
"""

import math
from collections.abc import Mapping
from typing import cast

import numpy as np

from gametheory_core import InvalidArgument, NotConverged, UnsupportedGame
from gametheory_core.arguments import as_tuple, require_member, shown
from solvers.counterfactual.sampled_play import SampledPlay, Sampling, SamplingState, Source
from solvers.counterfactual.samplers import Sampler, SamplerRequest, new_sampler
from solvers.requirements import (
    a_tree_or_its_rules,
    require_instance,
    require_integer,
    require_number,
)
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration
from solvers.solver import open_meter, solver
from solvers.streams import generator_at

MOST_INFOSETS = 5_000_000
REPORTS = 100
BATCH_SECONDS = 0.05  # between two looks at the time, and for interrupts


@solver(takes=(a_tree_or_its_rules,), unit="iterations", page="monte-carlo")
def monte_carlo_counterfactual_regret(
    rules: Source,
    *,
    iterations: int = 10_000,
    sampling: Sampling = Sampling.EXTERNAL,
    exploration: float = 0.6,
    rng: np.random.Generator | None = None,
    start: SamplingState | None = None,
    max_infosets: int = MOST_INFOSETS,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> SampledPlay:
    """Learn an average policy from sampled traversals of a tree, which need not be built.

    Args:
        rules: Any number of players, any payoffs. A built tree is sampled in compiled code; rules
            are checked where they are visited. ``aec_tree_rules`` and ``open_spiel_tree_rules``
            give more.
        iterations: Each lets every player learn from one traversal.
        sampling: ``EXTERNAL`` learns more from an iteration; ``OUTCOME`` is faster, and alone
            possible where own actions are too many to follow them all.
        exploration: For ``Sampling.OUTCOME``: probability of drawing an own action evenly; above 0,
            at most 1.
        rng: Draws everything; moves on.
        start: Go on from the ``state`` of an earlier play, in place of ``rng``: the result is, to
            the last bit, what one longer run would have given.
        max_infosets: Stop when more information sets have been met than memory is meant for.
        budget: A limit on time is looked at every few hundredths of a second, also within a
            traversal of rules; one that is not finished in time does not count.
        on_iteration: Called about a hundred times, or every few hundredths of a second if that is
            more often.

    Returns:
        An average policy, labelled as not certified. ``certified_average`` proves what it leaves to
        gain.

    Raises:
        InvalidGame: If the rules contradict themselves where they were visited: other actions at
            the same information set, chances that do not sum to one, payoffs of the wrong number.
        UnsupportedGame: If payoffs are so large that floats cannot add them up.
        InvalidArgument: If ``start`` belongs to another run.
        NotConverged: If the budget ended, or ``max_infosets`` were exceeded; ``best`` is the play
            so far.

    Any exception, a keyboard interrupt included, has the state after the last batch in its
    attribute ``state``.

    In two-player zero-sum games with perfect recall the average approaches equilibrium, as the
    root of the number of iterations; in other games it need not. An iteration takes time linear in
    the nodes visited: for external sampling all combinations of own actions, for outcome sampling
    one play. Memory holds two numbers for each action that was met.

    Source: :cite:`lanctot2009monte`, section 3.

    >>> from gametheory_core.catalog import KuhnRules
    >>> rng = np.random.default_rng(7)
    >>> play = monte_carlo_counterfactual_regret(KuhnRules(), iterations=2000, rng=rng)
    >>> play.statement[:22], round(play.policy[0, "Q"]["bet"], 1)
    ('sampled, not certified', 0.0)
    """
    request = SamplerRequest(sampling, exploration, max_infosets)
    _check(request, iterations, rng, start)
    if start is not None:
        check_start(rules, request, start)
    meter = open_meter(budget, on_iteration, total=iterations)
    generator = generator_at(cast("SamplingState", start).generator) if rng is None else rng
    sampler = new_sampler(rules, request, start, iterations=iterations)
    _run(sampler, generator, iterations, meter, max_infosets)
    play = SampledPlay(sampler.state(generator), meter.record())
    if not np.isfinite(play.state.regrets).all():
        raise UnsupportedGame(
            needs="payoffs whose sampled regrets add up to finite floats",
            found=f"after {play.state.iterations} iterations they do not",
            remedy="Rescale the payoffs.",
        )
    _check_done(play, meter, iterations, max_infosets)
    return play


def _check(
    request: SamplerRequest,
    iterations: int,
    rng: np.random.Generator | None,
    start: SamplingState | None,
) -> None:
    require_integer(iterations, name="iterations", low=1)
    require_integer(request.max_infosets, name="max_infosets", low=1)
    require_number(request.exploration, name="exploration", above=0, high=1)
    if (rng is None) == (start is None):
        raise InvalidArgument(
            needs="either rng, to begin, or start, to go on with its random numbers",
            found=f"got {'neither' if rng is None else 'both'}",
            remedy="Give rng=numpy.random.default_rng(seed).",
        )


def check_start(rules: object, request: SamplerRequest, start: SamplingState) -> None:
    """Refuse to go on from what is no state of this play."""
    remedy = "Give the state of an earlier play: start=play.state."
    require_instance(start, SamplingState, name="start", remedy=remedy)
    require_instance(start.generator, Mapping, name="generator", remedy=remedy)
    if not start.generator:
        raise InvalidArgument(
            needs="a start with random numbers of its own",
            found="it is pooled from several streams",
            remedy="Give monte_carlo_streams(start=found.states).",
        )
    if start.source != rules:
        raise InvalidArgument(
            needs=f"a start from a play of {rules!r}", found=f"it is from {shown(start.source)}"
        )
    _check_fit(start)
    if (start.sampling, start.exploration) != (request.sampling, request.exploration):
        raise InvalidArgument(
            needs=f"a start with {request.sampling} and exploration {request.exploration}",
            found=f"it is from a play with {start.sampling} and {shown(start.exploration)}",
            remedy="Give these to go on.",
        )


def _check_fit(start: SamplingState) -> None:
    """Refuse a state with vectors of other lengths than its information sets have actions."""
    require_member(start.sampling, Sampling, name="sampling")
    require_number(start.exploration, name="exploration", low=0, high=1)
    require_integer(start.iterations, name="iterations", low=0)
    lists = (start.infosets, start.actions)
    fits = all(isinstance(own, tuple) for own in (*lists, *as_tuple(start.actions, name="actions")))
    fits = fits and len(start.infosets) == len(start.actions)
    shape = (sum(map(len, start.actions)) if fits else -1,)
    for name, vector in (("regrets", start.regrets), ("totals", start.totals)):
        if vector.dtype != np.float64 or vector.shape != shape:
            raise InvalidArgument(
                needs=f"a start with {name} of floats, one for each action of its information sets",
                found=f"it has {vector.dtype} of shape {vector.shape}, and actions "
                f"{shown(start.actions)} at {shown(start.infosets)}",
                remedy="Give the state of an earlier play as it was.",
                argument="start",
            )


def _run(
    sampler: Sampler, generator: np.random.Generator, iterations: int, meter: Meter, most: int
) -> None:
    limit = meter.budget.iterations
    target = iterations if limit is None else min(iterations, limit)
    size, batch = math.ceil(iterations / REPORTS), 1
    try:
        while meter.iterations < target and not meter.is_exhausted and sampler.num_infosets <= most:
            before = meter.seconds
            count = min(batch, size, target - meter.iterations)
            sampler.advance(generator, count, lambda: meter.seconds_left == 0.0)
            meter.step(sampler.done - meter.iterations)
            batch = 2 * batch if meter.seconds - before < BATCH_SECONDS / 2 else max(1, batch // 2)
    except BaseException as error:
        error.__dict__["state"] = sampler.state(generator)
        raise


def _check_done(play: SampledPlay, meter: Meter, iterations: int, most: int) -> None:
    if len(play.state.infosets) > most:
        raise NotConverged(
            needs=f"at most max_infosets = {most:,}",
            found=f"met {len(play.state.infosets):,} in {play.state.iterations:,} iterations, "
            f"about {play.state.num_bytes // 2**20:,} MiB",
            remedy="Raise max_infosets, or give rules whose information sets tell less apart.",
            best=play,
        )
    if meter.iterations < iterations:
        way_out = "Give a larger budget; start=error.best.state goes on from here."
        if not meter.iterations and play.state.sampling is Sampling.EXTERNAL:
            way_out = (
                "Not one was finished: give a larger budget, or sampling=Sampling.OUTCOME, which "
                "does not follow all own moves."
            )
        raise NotConverged(
            needs=f"{iterations:,} iterations",
            found=f"the budget ended {iterations - meter.iterations:,} before that",
            remedy=way_out,
            best=play,
        )
