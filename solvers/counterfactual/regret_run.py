"""What a run of counterfactual regret minimization reports, and what it returns with its proof."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.arrays import FloatArray
from gametheory_core.certificates.extensive_correlated import ExtensiveCorrelatedCertificate
from gametheory_core.certificates.minimax import MinimaxCertificate
from gametheory_core.certificates.nash import NashCertificate, certify_nash
from gametheory_core.certificates.wording import rationals
from gametheory_core.evaluation.payoffs import expected_payoffs
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import require_tree
from gametheory_core.strategies.behavioral import BehavioralProfile
from solvers.counterfactual.plan_profiles import behavior_of_totals, rational_profile
from solvers.counterfactual.regret_state import RegretState, require_own_state
from solvers.counterfactual.sequence_tables import SequenceTables, sequence_tables
from solvers.solution import RunRecord, Solution

Evidence: TypeAlias = MinimaxCertificate | ExtensiveCorrelatedCertificate


@dataclass(frozen=True, eq=False)
class RegretProgress:
    """What a run reports while it goes on; has the attributes of ``Progress``, and the state.

    Attributes:
        done: Steps played in this call.
        total: Steps to play in this call, at most.
        unit: "steps".
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
        checked_steps, checked_epsilons: Numbers of steps after which the tolerance was looked at,
            and epsilons as floats saw them.
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
    >>> from solvers.counterfactual.counterfactual_regret import counterfactual_regret
    >>> run = counterfactual_regret(load_game("kuhn_poker"), steps=50)
    >>> average_profile(run.game, run.state) == run.average
    True
    """
    tables = _tables_of(game, state)
    return rational_profile(tables, behavior_of_totals(tables, state.totals, state.behavior))


def current_profile(game: ExtensiveFormGame, state: RegretState) -> BehavioralProfile:
    """Return what would be played next; rational.

    Args:
        game: What was played.
        state: Of a run on that game, however it ended.

    Raises:
        InvalidArgument: If the state is of another game.

    >>> from gametheory_core import load_game
    >>> from solvers.counterfactual.counterfactual_regret import counterfactual_regret
    >>> run = counterfactual_regret(load_game("kuhn_poker"), steps=50)
    >>> current_profile(run.game, run.state) == run.last
    True
    """
    return rational_profile(_tables_of(game, state), state.behavior)


def _tables_of(game: ExtensiveFormGame, state: RegretState) -> SequenceTables:
    require_tree(game)
    require_own_state(game, state, name="state")
    return sequence_tables(game)
