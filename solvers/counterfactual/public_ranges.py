"""Counterfactual regret minimization over ranges: trees of any size whose secrets are hands.

In a public-state game each history is met once, by all hands of both players at once (their
*ranges*). Each hand learns there as its information set does in the tree, and the numbers are those
of ``counterfactual_regret`` on the tree, up to rounding; but time and memory follow histories times
hands, not pairs of hands.

What is certified is the average as a realization plan in integers, by best responses in integers.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType

from gametheory_core.certificates.public_minimax import (
    PublicMinimaxCertificate,
    certify_public_minimax,
)
from gametheory_core.evaluation.public_payoffs import size_bound
from gametheory_core.games.kinds import require_public_state
from gametheory_core.games.public_histories import play_bytes, public_history, public_layout
from gametheory_core.games.public_states import PublicStateGame, end_payoffs
from gametheory_core.memory import require_memory
from gametheory_core.strategies.public_plans import MACHINE_BITS, PublicProfile, public_behavior
from solvers.concepts import Concept
from solvers.counterfactual.full_width import MOST_STEPS, SHARE, SPARSE_GROWTH
from solvers.counterfactual.public_engine import PublicEngine, PublicWork
from solvers.counterfactual.regret_rules import Averaging, RegretRule, UpdateOrder, regret_settings
from solvers.counterfactual.regret_run import (
    BATCH_SECONDS,
    CHECK_GROWTH,
    GO_ON,
    PROBABLE_ROUNDING,
    RegretState,
    check_start,
    next_check,
    require_arrival,
)
from solvers.local_rules import RegretMatchingPlus
from solvers.requirements import Kind, require_integer
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, RunRecord, Solution
from solvers.solver import Answers, open_meter, solver

STEPS = 1_000  # unless told otherwise
MOST_PART_BITS = 50  # of the whole that plans divide: floats hold its parts
FEWEST_PART_BITS = 24  # with fewer, sums are left to Python's integers

a_public_state_game = Kind(
    "a public-state game", lambda game: isinstance(game, PublicStateGame), require_public_state
)


@dataclass(frozen=True, eq=False)
class PublicRun:
    """Where a run over ranges arrived, and what is proved of it.

    Attributes:
        game: What was played.
        certificate: Of the average.
        curve: How epsilon fell with steps, as floats saw it when they looked, in payoff units.
        state: Give it as ``start`` to go on.
        run: How it was got.
    """

    game: PublicStateGame
    certificate: PublicMinimaxCertificate
    curve: tuple[tuple[int, float], ...]
    state: RegretState
    run: RunRecord

    @property
    def epsilon(self) -> Fraction:
        """The certificate's epsilon, in payoff units; what a tolerance bounds."""
        return self.certificate.epsilon

    @property
    def payoffs(self) -> tuple[Fraction, ...]:
        """Expected payoff of each player."""
        return self.certificate.payoffs

    @cached_property
    def solution(self) -> Solution[PublicProfile, PublicMinimaxCertificate]:
        """What is certified."""
        return Solution(self.certificate.profile, self.payoffs, self.certificate, self.run)

    def behavior(self, history: Sequence[str] = ()) -> dict[str, dict[str, Fraction]]:
        """Return what each hand does after a history: hand -> action -> probability.

        Args:
            history: Labels of moves and of chance so far.

        Raises:
            InvalidArgument: If there is no such history.
            InvalidStrategy: If no player moves there.
        """
        layout = public_layout(self.game)
        number = public_history(self.game, layout, history)
        return public_behavior(self.game, layout, self.certificate.profile, number)


def a_thousandth_of_the_payoffs(game: PublicStateGame) -> float:
    """Return what play without regret reaches in seconds to minutes, in payoff units."""
    payoffs = [payoff for one in game.situations for payoff in end_payoffs(one.end)]
    return SHARE * (float(max(payoffs) - min(payoffs)) or 1.0)


UNTIL_DONE = MappingProxyType({"tolerance": a_thousandth_of_the_payoffs, "steps": 10**9})


@solver(
    Answers(Concept.MINIMAX, rank=45, default=UNTIL_DONE),
    Answers(Concept.NASH, rank=94, default=UNTIL_DONE),
    takes=(a_public_state_game,),
    unit="steps",
    because="play without regret over ranges of hands, certified to an epsilon",
    page="ranges",
)
def range_counterfactual_regret(
    game: PublicStateGame,
    *,
    rule: RegretRule | None = None,
    updates: UpdateOrder | None = None,
    average: Averaging | float | None = None,
    steps: int | None = None,
    tolerance: float | None = None,
    start: RegretState | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> PublicRun:
    """Play a public-state game over ranges of hands without regret, and certify the average.

    Args:
        game: Of any size that fits: memory is reckoned before anything is laid out.
        rule, updates, average: As for ``counterfactual_regret``.
        steps: Steps to play, 1,000 by default; with a tolerance the most to play, 1,000,000 by
            default. In a step each player learns once.
        tolerance: Stop as soon as ``run.epsilon`` is certified to be at most this, in payoff units.
        start: Go on from the ``state`` of an earlier run with the same options.
        budget: Time is looked at between steps, or every few hundredths of a second.
        on_iteration: Called as often.

    Returns:
        ``certificate`` bounds the value of the game from both sides, exactly.

    Raises:
        InvalidArgument: If an option has a value it cannot have, or ``start`` is of another run.
        UnsupportedGame: If the run needs more memory than the cap; says how much.
        NotConverged: If the tolerance was not met, or the budget ended; ``best`` is the run so far,
            its ``state`` included.

    Any exception, a keyboard interrupt included, has the state in its attribute ``state``. A step
    takes time linear in histories times hands, and hands times terms of the deal; ends of play
    with a ``PayoffTable`` take that of its entries.

    Sources:
        :cite:`johanson2011accelerating`.
        :cite:`tammelin2014solving`.

    >>> from gametheory_core.catalog import kuhn_poker_ranges
    >>> run = range_counterfactual_regret(kuhn_poker_ranges(cards=1000), tolerance=0.01)
    >>> run.epsilon <= 0.01
    True
    """
    if steps is None:
        steps = STEPS if tolerance is None else MOST_STEPS
    require_integer(steps, name="steps", low=1)
    meter = open_meter(budget, on_iteration, total=steps)
    settings = regret_settings(
        RegretMatchingPlus() if rule is None else rule, updates, average, meets_two=True
    )
    require_memory(
        play_bytes(game),
        what=f"play over ranges in the {game.num_histories:,} histories of {game!r}",
        remedy="Choose smaller parameters.",
    )
    check_start(game, sum(game.num_sequences), settings, start)
    engine = PublicEngine(game, public_layout(game), settings)
    play = _Play(engine, tolerance, meter, engine.start(start))
    target = play.steps + steps
    try:
        run = play.until(target)
    except BaseException as error:
        error.__dict__["state"] = engine.state(play.work)
        raise
    require_arrival(run, steps=steps, target=target, tolerance=tolerance, remedy=GO_ON)
    return run


def part_bits(game: PublicStateGame) -> int:
    """Return how fine plans are: the logarithm of the parts of one whole.

    As fine as floats, or so that machine integers still hold all sums of payoffs.
    """
    bits = min(MOST_PART_BITS, MACHINE_BITS - size_bound(game, 1).bit_length())
    return bits if bits >= FEWEST_PART_BITS else MOST_PART_BITS


@dataclass
class _Play:
    """A run in motion. Lives inside one call."""

    engine: PublicEngine
    tolerance: float | None
    meter: Meter
    work: PublicWork
    curve: list[tuple[int, float]] = field(default_factory=list[tuple[int, float]])

    @property
    def steps(self) -> int:
        return int(self.work.played[0])

    def until(self, target: int) -> PublicRun:
        """Play to a number of steps, or until the tolerance is met or the budget ends."""
        tolerance = self.tolerance
        growth = SPARSE_GROWTH if tolerance is None else CHECK_GROWTH
        rounding = PROBABLE_ROUNDING * self.engine.unit
        while self.steps < target and not self.meter.is_exhausted:
            self._advance(min(target, next_check(self.steps, growth)))
            found = max(0.0, self.engine.width(self.work))
            self.curve.append((self.steps, found))
            if tolerance is not None and found - rounding <= tolerance:
                certificate = self._certificate()
                if certificate.epsilon <= Fraction(tolerance):
                    return self._arrived(certificate)
        return self._arrived(self._certificate())

    def _advance(self, stop: int) -> None:
        """Play until ``stop`` or the end of the budget, and report after each batch."""
        meter, batch = self.meter, 1
        while self.steps < stop and not meter.is_exhausted:
            before, count = meter.seconds, meter.at_most(min(batch, stop - self.steps))
            self.engine.advance(self.work, count)
            is_quick = meter.seconds - before < BATCH_SECONDS / 2
            batch = 2 * batch if is_quick else max(1, batch // 2)
            meter.step(count)

    def _certificate(self) -> PublicMinimaxCertificate:
        engine = self.engine
        profile = engine.whole_plans(self.work.arrays.totals, parts=1 << part_bits(engine.game))
        return certify_public_minimax(engine.game, profile, layout=engine.layout)

    def _arrived(self, certificate: PublicMinimaxCertificate) -> PublicRun:
        state = self.engine.last_state(self.work)
        curve = tuple(self.curve)
        return PublicRun(self.engine.game, certificate, curve, state, self.meter.record())
