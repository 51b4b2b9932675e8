"""A run of counterfactual regret minimization: where it stands, what it reports and returns."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from gametheory_core import (
    BehavioralProfile,
    ExtensiveFormGame,
    InvalidArgument,
    NotConverged,
    expected_payoffs,
)
from gametheory_core.arguments import shown
from gametheory_core.arrays import FloatArray, freeze
from gametheory_core.certificates import MinimaxCertificate, NashCertificate, certify_nash
from gametheory_core.certificates.extensive_correlated import ExtensiveCorrelatedCertificate
from gametheory_core.certificates.wording import at_most, rationals
from gametheory_core.games.kinds import require_tree
from gametheory_core.games.public_states import PublicStateGame
from solvers.counterfactual.regret_rules import RegretSettings
from solvers.counterfactual.sequence_tables import (
    SequenceTables,
    behavior_of_totals,
    rational_profile,
    sequence_tables,
)
from solvers.requirements import require_instance
from solvers.solution import RunRecord, Solution

Played: TypeAlias = ExtensiveFormGame | PublicStateGame

FIRST_CHECK = 8  # steps before the tolerance is looked at first
CHECK_GROWTH = 1.1  # between looks; at most so much more is played than needed
BATCH_SECONDS = 0.05  # between two reports, if steps are quicker
PROBABLE_ROUNDING = 1e-12  # a distance in multiples of the largest payoff that floats cannot judge
GO_ON = "Give more steps or a larger budget; start=error.best.state goes on from here."


@dataclass(frozen=True, eq=False)
class RegretState:
    """Where a run stands. It can be pickled, and holds no game, only the digest of one.

    Vectors are over all players' sequences, player after player, as ``sequence_form(game)`` numbers
    them; the entries of empty sequences mean nothing but in ``totals``.

    Attributes:
        game_digest: ``game.digest`` of what is played.
        settings: Rule, updates and weights of the average.
        steps: Steps played.
        memory: What players remember of each action: regrets, as multiples of a power of two near
            the game's largest payoff; read-only.
        behavior: Probabilities of actions in the next step; read-only.
        totals: Realization plans of all steps, weighted and added up; read-only.
        iterate_steps (iterates,): Steps whose behavior was recorded: a bounded number of them,
            evenly spread. Recorded only where averages prove nothing: unless the game is two-player
            constant-sum.
        iterates (iterates, sequences): The behavior recorded; read-only.
    """

    game_digest: str
    settings: str
    steps: int
    memory: FloatArray
    behavior: FloatArray
    totals: FloatArray
    iterate_steps: "np.ndarray[tuple[int], np.dtype[np.int64]]"
    iterates: FloatArray

    def __post_init__(self) -> None:
        for name in ("memory", "behavior", "totals", "iterate_steps", "iterates"):
            given = getattr(self, name)  # copied, unless it can no longer be changed
            object.__setattr__(self, name, freeze(given.copy() if given.flags.writeable else given))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by the constructor, so that arrays are read-only again on the other side."""
        return (RegretState, tuple(getattr(self, own.name) for own in fields(self)))


def require_own_state(game: Played, state: RegretState, *, name: str) -> None:
    """Refuse what is not a state of this game, with both digests."""
    remedy = f"Give the state of an earlier run: {name}=run.state."
    require_instance(state, RegretState, name=name, remedy=remedy)
    if state.game_digest != game.digest:
        raise InvalidArgument(
            needs=f"the state of a run on {game!r} with digest {game.digest[:12]}...",
            found=f"it is of a game with digest {state.game_digest[:12]}...",
            remedy="Begin a new run.",
        )


def check_start(
    game: Played, num_sequences: int, settings: RegretSettings, start: RegretState | None
) -> None:
    """Refuse a state of another game, of another run, or with arrays that do not fit."""
    if start is None:
        return
    require_own_state(game, start, name="start")
    if start.settings != settings.text:
        raise InvalidArgument(
            needs=f"a start from a run with {settings.text}",
            found=f"it is from one with {start.settings}",
            remedy="Give the same options, or leave start out.",
        )
    shapes = [start.memory.shape, start.behavior.shape, start.totals.shape]
    if shapes != [(num_sequences,)] * 3 or start.iterates.shape[1:] != (num_sequences,):
        raise InvalidArgument(
            needs=f"a start with vectors of {num_sequences} entries",
            found=f"their shapes are {shapes}",
            remedy="Leave start out to begin a new run.",
        )


def next_check(steps: int, growth: float) -> int:
    """Return when the tolerance is looked at next; it depends on the number of steps alone."""
    following = FIRST_CHECK
    while following <= steps:
        following = max(following + FIRST_CHECK, int(following * growth))
    return following


def require_arrival(
    run: Any, *, steps: int, target: int, tolerance: float | None, remedy: str
) -> None:
    """Refuse a run that ended before its tolerance was met or its steps were played.

    Args:
        run: Has an ``epsilon`` and a ``state``.
        steps, target: Wanted, and the number of the last step.

    Raises:
        NotConverged: ``best`` is the run.
    """
    if tolerance is not None and run.epsilon > Fraction(tolerance):
        raise NotConverged(
            needs=f"an epsilon of at most {shown(tolerance)}",
            found=f"after {run.state.steps} steps it is {at_most(run.epsilon)}",
            remedy=remedy,
            best=run,
        )
    if tolerance is None and run.state.steps < target:
        raise NotConverged(
            needs=f"{steps} steps",
            found=f"the budget ended {target - run.state.steps} before that",
            remedy="Give a larger budget; start=error.best.state goes on from here.",
            best=run,
        )


Evidence: TypeAlias = MinimaxCertificate | ExtensiveCorrelatedCertificate


@dataclass(frozen=True, eq=False)
class RegretProgress:
    """What a run reports while it goes on: what ``Progress`` tells of steps, and the state.

    Attributes:
        epsilon: What the answer would leave to gain, as floats see it, when last looked at; payoff
            units.
        state: Give it as ``start`` to go on from here.
    """

    done: int
    total: int | None
    unit: str
    epsilon: float | None
    state: RegretState


OnRegretIteration: TypeAlias = Callable[[RegretProgress], None]


@dataclass(frozen=True, eq=False)
class RegretRun:
    """Where a run of counterfactual regret minimization arrived, and what is proved of it.

    Attributes:
        game: What was played.
        profile: The answer, the average or the last iterate as asked for; rational.
        certificate: Of ``profile`` if the game is two-player constant-sum. Else of recorded play,
            as a coarse correlated equilibrium; of ``profile`` alone if the last iterate was asked
            for.
        checked_steps, checked_epsilons: Numbers of steps after which epsilon was looked at, more
            apart as steps go on, and what floats saw: a curve, see ``curve``.
        state: Give it as ``start`` to go on.
        run: How it was got.
    """

    game: ExtensiveFormGame
    profile: BehavioralProfile
    certificate: Evidence
    checked_steps: "np.ndarray[tuple[int], np.dtype[np.int64]]"
    checked_epsilons: FloatArray
    state: RegretState
    run: RunRecord

    @cached_property
    def solution(self) -> Solution[Any, Evidence]:
        """What is certified: the profile, or recorded play as a mixture of profiles."""
        return Solution(self.certificate.answer, self.payoffs, self.certificate, self.run)

    @property
    def curve(self) -> tuple[tuple[int, float], ...]:
        """How epsilon fell with steps, in payoff units, as ``draw_convergence`` takes it."""
        found = zip(self.checked_steps.tolist(), self.checked_epsilons.tolist(), strict=True)
        return tuple((steps, max(0.0, epsilon)) for steps, epsilon in found)

    @property
    def epsilon(self) -> Fraction:
        """The certificate's epsilon, in payoff units; what a tolerance bounds."""
        return self.certificate.epsilon

    @cached_property
    def payoffs(self) -> tuple[Fraction, ...]:
        """Expected payoff of each player, by what ``certificate`` is of."""
        if isinstance(self.certificate, ExtensiveCorrelatedCertificate):
            return self.certificate.payoffs
        return rationals(expected_payoffs(self.game, self.profile))

    @cached_property
    def average(self) -> BehavioralProfile:
        """The average of what was played, by realization plans; rational."""
        return average_profile(self.game, self.state)

    @cached_property
    def last(self) -> BehavioralProfile:
        """What would be played next; rational."""
        return current_profile(self.game, self.state)

    @cached_property
    def nash(self) -> NashCertificate:
        """What deviations from ``profile`` gain: measured, and nothing that the run promises."""
        return certify_nash(self.game, self.profile)


def average_profile(game: ExtensiveFormGame, state: RegretState) -> BehavioralProfile:
    """Return the weighted average of what was played, by realization plans; rational.

    Args:
        game: What was played.
        state: Of a run on that game, however it ended. Where floats cannot hold the probability
            that a player comes to an information set, the last behavior is taken.

    Raises:
        InvalidArgument: If the state is of another game.

    >>> from gametheory_core import load_game
    >>> from solvers import counterfactual_regret
    >>> run = counterfactual_regret(load_game("kuhn_poker"), steps=50)
    >>> average_profile(run.game, run.state) == run.average
    True
    """
    tables = _tables_of(game, state)
    return rational_profile(tables, behavior_of_totals(tables, state.totals, state.behavior))


def current_profile(game: ExtensiveFormGame, state: RegretState) -> BehavioralProfile:
    """Return what would be played next; rational. Arguments as in ``average_profile``.

    >>> from gametheory_core import load_game
    >>> from solvers import counterfactual_regret
    >>> run = counterfactual_regret(load_game("kuhn_poker"), steps=50)
    >>> current_profile(run.game, run.state) == run.last
    True
    """
    return rational_profile(_tables_of(game, state), state.behavior)


def _tables_of(game: ExtensiveFormGame, state: RegretState) -> SequenceTables:
    require_tree(game)
    require_own_state(game, state, name="state")
    return sequence_tables(game)
