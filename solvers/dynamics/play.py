"""Plays: what a dynamics of repeated play did, where it arrived, and a proof of that.

A dynamics moves mixed strategies step by step. Its *empirical play* is how often each joint action
was played, or the average of its probabilities; the marginals of that are the *average* strategies.
What is certified is measured afterwards on the rational distribution that is returned, whatever the
dynamics was.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from gametheory_core.arrays import FloatArray, freeze
from gametheory_core.certificates.correlated import CorrelatedCertificate, certify_coarse_correlated
from gametheory_core.certificates.equilibrium import NashCertificate, certify_nash
from gametheory_core.certificates.wording import at_most
from gametheory_core.errors import InvalidArgument, NotConverged, UnsupportedGame
from gametheory_core.evaluation.deviations import epsilon
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import is_constant_sum
from gametheory_core.memory import require_memory
from gametheory_core.strategies.correlated import (
    CorrelatedDistribution,
    correlated_distribution,
    product_distribution,
)
from gametheory_core.strategies.mixed import MixedProfile
from solvers.requirements import require_instance, require_integer, require_profile
from solvers.rounding import rational_distribution
from solvers.solution import Meter, RunRecord, Solution

DRAWN = ", actions drawn"  # marks the settings of a play with rng
FIRST_STEPS = 1_000  # before it is doubled, where a tolerance alone says when to stop
BYTES_PER_JOINT_ACTION = 600  # when empirical play is certified
MOST_STEPS = 1_000_000_000  # regrets fall no further in floats
BATCH_SECONDS = 0.05  # between two looks at the time, if it is limited
PROBABLE_ROUNDING = 1e-12  # a distance in shares of the payoff span that floats cannot judge


@dataclass(frozen=True, eq=False)
class PlayState:
    """Where a play stands: all that is needed to go on with it.

    Attributes:
        game: What is played.
        dynamics: By what, with its settings.
        steps: Steps played.
        memory: What players remember, one number an action, player after player; read-only.
        strategies: What they will play next, in the same order; read-only.
        totals: Summed probabilities, or counts, of the joint actions played; read-only.
    """

    game: NormalFormGame
    dynamics: str
    steps: int
    memory: FloatArray
    strategies: FloatArray
    totals: FloatArray

    def __post_init__(self) -> None:
        for name in ("memory", "strategies", "totals"):
            object.__setattr__(self, name, freeze(getattr(self, name).copy()))


@dataclass
class PlayWork:
    """A play in motion; arrays are modified in place. Lives inside a single call."""

    steps: int
    memory: FloatArray
    strategies: FloatArray
    totals: FloatArray


@dataclass(frozen=True)
class Dynamics:
    """A way to move strategies.

    Attributes:
        settings: The function's name and what it was given, which a play that goes on must share.
        fresh: Returns memory and strategies before the first step.
        advance: Plays a number of steps.
    """

    settings: str
    fresh: Callable[[], tuple[FloatArray, FloatArray]]
    advance: Callable[[PlayWork, int], None]


@dataclass(frozen=True, eq=False)
class Play:
    """What a dynamics did and where it arrived.

    Attributes:
        game: What was played.
        sampled_steps: Numbers of steps after which the trajectories were sampled, the start
            included.
        trajectories (samples, actions): For each player, the strategy to be played next.
        average_trajectories (samples, actions): For each player, the average of all strategies (or
            share of actions) played so far.
        last: The last iterate; rational.
        empirical: Empirical play; exactly the counts, where actions were counted.
        nash: Of the average strategies: in two-player zero-sum games they approach equilibrium if
            no player has regret; elsewhere they need not.
        coarse_correlated: Of empirical play: its regrets are the players' average regrets.
        promises_nash: Whether ``nash`` is what the dynamics is judged by: two players,
            constant-sum.
        state: Give it as ``start`` to go on.
        run: How it was got.
    """

    game: NormalFormGame
    sampled_steps: "np.ndarray[tuple[int, ...], np.dtype[np.int64]]"
    trajectories: tuple[FloatArray, ...]
    average_trajectories: tuple[FloatArray, ...]
    last: MixedProfile
    empirical: CorrelatedDistribution
    nash: NashCertificate
    coarse_correlated: CorrelatedCertificate
    promises_nash: bool
    state: PlayState
    run: RunRecord

    @property
    def solution(self) -> Solution[CorrelatedDistribution, CorrelatedCertificate]:
        """Empirical play as coarse correlated; of the averages, where these approach Nash."""
        certificate = self.coarse_correlated
        if self.promises_nash:
            certificate = certify_coarse_correlated(self.game, product_distribution(self.average))
        return Solution(certificate.distribution, certificate.payoffs, certificate, self.run)

    @property
    def average(self) -> MixedProfile:
        """The average strategies: the marginals of empirical play, exactly."""
        return self.empirical.marginals

    @property
    def curve(self) -> tuple[tuple[int, float], ...]:
        """The largest gain left by the averages, in payoff units, as ``draw_convergence`` takes it.

        A pair of steps and gain for each sample after the start. Averages of games that are not
        two-player constant-sum need not come near an equilibrium.
        """
        profiles = map(MixedProfile, zip(*self.average_trajectories, strict=True))
        gains = (max(0.0, float(epsilon(self.game, profile))) for profile in profiles)
        found = zip(self.sampled_steps.tolist(), gains, strict=True)
        return tuple((steps, gain) for steps, gain in found if steps)

    @property
    def certificate(self) -> NashCertificate | CorrelatedCertificate:
        """What was reached: near Nash for two-player constant-sum games, else near coarse."""
        return self.nash if self.promises_nash else self.coarse_correlated

    @property
    def epsilon(self) -> Fraction:
        """The certificate's epsilon, in payoff units; what a tolerance bounds."""
        return self.certificate.epsilon


@dataclass(frozen=True)
class PlayRequest:
    """What is asked of a dynamics: the options that all of them share.

    Attributes:
        steps: Steps to play, at most, if there is a tolerance; None for as many as it takes.
        tolerance: Epsilon that is good enough, in payoff units.
        samples: How often trajectories are sampled and the tolerance is looked at.
        start: Where to go on.
        initial: Strategies of the first step.
        rng: Draws actions.
    """

    steps: int | None
    tolerance: float | None
    samples: int
    start: PlayState | None
    initial: MixedProfile | None = None
    rng: np.random.Generator | None = None


def run_play(game: NormalFormGame, dynamics: Dynamics, request: PlayRequest, meter: Meter) -> Play:
    """Play, sample, and certify.

    Raises:
        InvalidArgument: If an option has a value it cannot have, or ``start`` belongs to another
            play.
        UnsupportedGame: If payoffs are so large that their sums over all steps may be no floats.
        NotConverged: If the tolerance was not met, or the budget ended; ``best`` is the play so
            far.
    """
    if request.rng is not None:
        dynamics = replace(dynamics, settings=dynamics.settings + DRAWN)
    _check_request(game, dynamics, request)
    _check_sums(game, request)
    require_memory(
        BYTES_PER_JOINT_ACTION * math.prod(game.num_actions),
        what=f"the exact shares and payoffs of the joint actions of {game!r}",
    )
    work = _start(game, dynamics, request.start)
    promises_nash = _may_be_constant_sum(game) and bool(is_constant_sum(game))
    samples: list[tuple[int, FloatArray, FloatArray]] = [_sample(game, work)]
    leg = FIRST_STEPS if request.steps is None else request.steps
    target = work.steps + leg
    while not meter.is_exhausted:
        if work.steps >= target:
            if request.steps is not None or work.steps > MOST_STEPS:
                break
            leg *= 2
            target += leg
        size = math.ceil(leg / request.samples)
        count = meter.at_most(min(size, target - work.steps))
        meter.step(_advance(dynamics, work, count, meter))
        samples.append(_sample(game, work))
        if request.tolerance is not None and _may_be_done(
            game, work, request.tolerance, promises_nash=promises_nash
        ):
            play = _play(game, dynamics, work, samples, meter, promises_nash=promises_nash)
            if play.epsilon <= Fraction(request.tolerance):
                return play
    play = _play(game, dynamics, work, samples, meter, promises_nash=promises_nash)
    if request.tolerance is not None and play.epsilon > Fraction(request.tolerance):
        raise NotConverged(
            needs=f"an epsilon of at most {request.tolerance}",
            found=f"after {work.steps} steps it is {at_most(play.epsilon)}",
            remedy="Play more steps, from start=error.best.state.",
            best=play,
        )
    if request.tolerance is None and work.steps < target:
        raise NotConverged(
            needs=f"{request.steps} steps",
            found=f"the budget ended {target - work.steps} before that",
            remedy="Go on from start=error.best.state.",
            best=play,
        )
    return play


def player_views(game: NormalFormGame, flat: FloatArray) -> list[FloatArray]:
    """Return each player's part of a vector that lists all players' actions; shares memory."""
    views: list[FloatArray] = []
    first = 0
    for count in game.num_actions:
        views.append(flat[first : first + count])
        first += count
    return views


def action_payoff_vectors(game: NormalFormGame, strategies: list[FloatArray]) -> list[FloatArray]:
    """Return what each player's actions earn in expectation; weights need not sum to one."""
    if len(strategies) == 2:
        rows, columns = strategies
        return [game.payoffs[0] @ columns, rows @ game.payoffs[1]]
    return [
        _contracted(game.payoffs[player], strategies, player) for player in range(len(strategies))
    ]


def first_strategies(game: NormalFormGame, initial: MixedProfile | None) -> FloatArray:
    """Return the strategies of the first step, all players' end to end; uniform by default."""
    if initial is None:
        return np.concatenate([np.full(count, 1.0 / count) for count in game.num_actions])
    return np.concatenate([own.astype(np.float64) for own in initial.strategies])


def payoff_span(game: NormalFormGame, player: int) -> float:
    """Return the difference of a player's extreme payoffs, or 1 if they are all equal."""
    own = game.payoffs[player]
    return float(own.max()) - float(own.min()) or 1.0


def _contracted(tensor: FloatArray, strategies: list[FloatArray], player: int) -> FloatArray:
    for axis in reversed(range(len(strategies))):
        if axis != player:
            tensor = np.moveaxis(tensor, axis, -1) @ strategies[axis]
    return tensor


def _check_request(game: NormalFormGame, dynamics: Dynamics, request: PlayRequest) -> None:
    tolerance, start = request.tolerance, request.start
    require_integer(request.samples, name="samples", low=1)
    if request.steps is not None or tolerance is None:
        require_integer(request.steps, name="steps", low=1)
    require_profile(request.initial, game, name="initial")
    if start is None:
        return
    if request.initial is not None:
        raise InvalidArgument(
            needs="either start or initial",
            found="got both",
            remedy="Leave initial out to go on from start, or start to begin a new play.",
        )
    remedy = "Give the state of an earlier play: start=play.state."
    require_instance(start, PlayState, name="start", remedy=remedy)
    if start.game != game:
        raise InvalidArgument(
            needs=f"a start from a play of {game!r}", found=f"it is from {start.game!r}"
        )
    if start.dynamics.removesuffix(DRAWN) == dynamics.settings.removesuffix(DRAWN) and (
        start.dynamics != dynamics.settings
    ):
        was, what = ("with", "Give one") if request.rng is None else ("without", "Leave it out")
        raise InvalidArgument(
            needs=f"a start from a play {'without' if request.rng is None else 'with'} rng, as is "
            "asked for",
            found=f"it was played {was} one",
            remedy=f"{what} to go on.",
        )
    if start.dynamics != dynamics.settings:
        raise InvalidArgument(
            needs=f"a start from a play of {dynamics.settings}",
            found=f"it is from {start.dynamics}",
            remedy="Give initial=play.last to begin a new play there.",
        )


def _check_sums(game: NormalFormGame, request: PlayRequest) -> None:
    steps = (request.steps or MOST_STEPS) + (request.start.steps if request.start else 0)
    for player, own in enumerate(game.payoffs):
        span = payoff_span(game, player)
        if not math.isfinite(max(span, float(np.abs(own).max())) * 2.0 * steps):
            raise UnsupportedGame(
                needs=f"payoffs that add up to finite floats over {steps} steps",
                found=f"those of player {game.players[player]!r} go from {own.min():.3g} to "
                f"{own.max():.3g}, a span of "
                f"{at_most(Fraction(own.max()) - Fraction(own.min()))}",
                remedy="Rescale the payoffs.",
            )


def _may_be_constant_sum(game: NormalFormGame) -> bool:
    """Tell whether floats leave it open; the exact test takes long on large games."""
    if game.num_players != 2:
        return False
    sums = game.payoffs[0] + game.payoffs[1]
    return bool(np.ptp(sums) <= PROBABLE_ROUNDING * np.abs(game.payoffs).max())


def _advance(dynamics: Dynamics, work: PlayWork, count: int, meter: Meter) -> int:
    """Play that many steps, or until the time is over; return how many. Modifies ``work``."""
    if meter.seconds_left is None:
        dynamics.advance(work, count)
        return count
    played, batch = 0, 1
    while played < count and (not played or meter.seconds_left):
        batch = min(batch, count - played)
        before = meter.seconds
        dynamics.advance(work, batch)
        played += batch
        batch = 2 * batch if meter.seconds - before < BATCH_SECONDS / 2 else max(1, batch // 2)
    return played


def _start(game: NormalFormGame, dynamics: Dynamics, start: PlayState | None) -> PlayWork:
    if start is None:
        memory, strategies = dynamics.fresh()
        return PlayWork(0, memory, strategies, np.zeros(game.num_actions))
    return PlayWork(start.steps, start.memory.copy(), start.strategies.copy(), start.totals.copy())


def _sample(game: NormalFormGame, work: PlayWork) -> tuple[int, FloatArray, FloatArray]:
    """Return the number of steps, the strategies, and the averages (at first, the strategies)."""
    strategies = work.strategies.copy()
    if not work.steps:
        return 0, strategies, strategies
    shares = work.totals / work.totals.sum()
    axes = range(game.num_players)
    averages = [shares.sum(axis=tuple(j for j in axes if j != i)) for i in axes]
    return work.steps, strategies, np.concatenate(averages)


def _may_be_done(
    game: NormalFormGame, work: PlayWork, tolerance: float, *, promises_nash: bool
) -> bool:
    """Tell whether the tolerance seems met, up to what rounding may hide."""
    shares = work.totals / work.totals.sum()
    regrets: list[float] = []
    for player in range(game.num_players):
        own = game.payoffs[player]
        others = shares.sum(axis=player)
        table = np.moveaxis(own, player, -1)
        best = np.tensordot(others, table, axes=others.ndim).max()
        regrets.append(float(best - (shares * own).sum()))
    rounding = max(payoff_span(game, i) for i in range(game.num_players)) * PROBABLE_ROUNDING
    # in constant-sum games the gains of the averages have the same sum, so none exceeds it
    found = max(regrets) if not promises_nash else max(*_gains(game, shares))
    return found <= tolerance + rounding


def _gains(game: NormalFormGame, shares: FloatArray) -> tuple[float, float]:
    first, second = shares.sum(axis=1), shares.sum(axis=0)
    rows, columns = game.payoffs[0] @ second, first @ game.payoffs[1]
    return float(rows.max() - first @ rows), float(columns.max() - columns @ second)


def _play(
    game: NormalFormGame,
    dynamics: Dynamics,
    work: PlayWork,
    samples: list[tuple[int, FloatArray, FloatArray]],
    meter: Meter,
    *,
    promises_nash: bool,
) -> Play:
    last = MixedProfile(tuple(map(rational_distribution, player_views(game, work.strategies))))
    empirical = _empirical(game, work)
    stacks = [np.array([sample[column] for sample in samples]) for column in (1, 2)]
    cuts = np.cumsum(game.num_actions)[:-1]
    current, average = (tuple(map(freeze, np.split(stack, cuts, axis=1))) for stack in stacks)
    return Play(
        game=game,
        sampled_steps=freeze(np.array([sample[0] for sample in samples])),
        trajectories=current,
        average_trajectories=average,
        last=last,
        empirical=empirical,
        nash=certify_nash(game, empirical.marginals),
        coarse_correlated=certify_coarse_correlated(game, empirical),
        promises_nash=promises_nash,
        state=PlayState(
            game, dynamics.settings, work.steps, work.memory, work.strategies, work.totals
        ),
        run=meter.record(),
    )


def _empirical(game: NormalFormGame, work: PlayWork) -> CorrelatedDistribution:
    """Return shares of what was played, or of what is played next where nothing was."""
    played = work.totals if work.steps else _product(player_views(game, work.strategies))
    return shares_of(game, played)


def shares_of(game: NormalFormGame, totals: FloatArray) -> CorrelatedDistribution:
    """Return exact shares of counts of joint actions, or rounded shares of summed probabilities."""
    flat = totals.ravel()
    if np.array_equal(flat, np.rint(flat)):
        counts = [int(value) for value in flat.tolist()]
        whole = sum(counts)
        shares = np.array([Fraction(count, whole) for count in counts], dtype=object)
    else:
        shares = rational_distribution(flat)
    return correlated_distribution(shares.reshape(game.num_actions))


def _product(strategies: list[FloatArray]) -> FloatArray:
    product = strategies[0]
    for own in strategies[1:]:
        product = np.multiply.outer(product, own)
    return product
