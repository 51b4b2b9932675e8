"""Rounds of updates: until one changes nothing, or leads back, or the budget ends."""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from gametheory_core.certificates.mediated import MediatedCertificate, certify_mediated
from gametheory_core.errors import CertificateRejected, UnsupportedGame
from gametheory_core.games.mediated_histories import Memory
from gametheory_core.strategies.mediated_policies import MediatedProfile
from solvers.mediated.integer_tables import MediatedTables
from solvers.mediated.state import (
    Policies,
    profile_of,
    start_fairness,
    with_agent_update,
    with_mediator_update,
)
from solvers.mediated.ties import Choose
from solvers.solution import Meter, RunRecord, Solution

NAME = "jam_value_iteration"


class RoundsStatus(Enum):
    """How a run of updates ended."""

    FIXED = "a round changed nothing"
    CYCLE = "a round led back to earlier policies"
    OPEN = "the budget ended first"


@dataclass(frozen=True)
class MediatedRounds:
    """What rounds of updates did.

    Attributes
    ----------
    status : RoundsStatus
    solution : Solution or None
        The certified fixed point; None if there is none.
    profile : MediatedProfile
        The policies after the last round.
    start_value : Fraction
        How fair the returns of the first policies are.
    trace : tuple of tuples of Fraction
        The same after each update: a row for each round, with a number for each agent in turn, and
        then the mediator.
    period : int or None
        Rounds of the cycle, if there is one.
    run : RunRecord
        Iterations are rounds, the one that changed nothing included.
    """

    status: RoundsStatus
    solution: Solution[MediatedProfile, MediatedCertificate] | None
    profile: MediatedProfile
    start_value: Fraction
    trace: tuple[tuple[Fraction, ...], ...]
    period: int | None
    run: RunRecord

    @property
    def values(self) -> tuple[Fraction, ...]:
        """How fair the returns are at the start and after each round."""
        return (self.start_value, *(row[-1] for row in self.trace))

    @property
    def fairness(self) -> Fraction:
        """How fair the returns of the last policies are."""
        return self.values[-1]


@dataclass(frozen=True)
class RoundRules:
    """What all rounds have in common.

    Attributes
    ----------
    tables : MediatedTables
    choosers : list of functions
        How each agent breaks ties.
    pick : function
        How the mediator does.
    freezes : bool
        Whether agents keep their actions where they are not picked.
    """

    tables: MediatedTables
    choosers: list[Choose]
    pick: Choose
    freezes: bool


def require_known_past(tables: MediatedTables, memory: Memory, *, function: str) -> None:
    """Refuse plans for steps under a mediator who knows more, where states are drawn.

    Raises
    ------
    UnsupportedGame
        Names the game.
    """
    if memory is not tables.histories.memory and not tables.game.is_deterministic:
        raise UnsupportedGame(
            f"{function}: needs agents that remember returns, or a game in which nothing is drawn, "
            f"but {tables.game!r} draws states: a plan for steps cannot react to them. Use "
            "memory=Memory.HISTORY."
        )


def run_rounds(rules: RoundRules, policies: Policies, meter: Meter) -> MediatedRounds:
    """Go round until nothing changes, policies return, or the budget ends."""
    start_value = start_fairness(rules.tables, policies)
    seen = {policies.content: 0}
    trace: list[tuple[Fraction, ...]] = []
    status, period = RoundsStatus.OPEN, None
    while status is RoundsStatus.OPEN and not meter.is_exhausted:
        policies, values = _round(rules, policies)
        trace.append(values)
        met = seen.setdefault(policies.content, len(trace))
        if met == len(trace) - 1:
            status = RoundsStatus.FIXED
        elif met < len(trace):
            status, period = RoundsStatus.CYCLE, len(trace) - met
        meter.step()
    profile, run = profile_of(rules.tables, policies), meter.record(NAME)
    solution = _solution(rules, profile, run) if status is RoundsStatus.FIXED else None
    return MediatedRounds(status, solution, profile, start_value, tuple(trace), period, run)


def _round(rules: RoundRules, policies: Policies) -> tuple[Policies, tuple[Fraction, ...]]:
    values: list[Fraction] = []
    for agent, choose in enumerate(rules.choosers):
        policies = with_agent_update(rules.tables, policies, agent, choose, freezes=rules.freezes)
        values.append(start_fairness(rules.tables, policies))
    policies = with_mediator_update(rules.tables, policies, rules.pick)
    return policies, (*values, start_fairness(rules.tables, policies))


def _solution(
    rules: RoundRules, profile: MediatedProfile, run: RunRecord
) -> Solution[MediatedProfile, MediatedCertificate] | None:
    """Certify a fixed point; without exploration it may be no equilibrium, and has no proof."""
    game, incentives = rules.tables.game, rules.tables.incentives
    try:
        certificate = certify_mediated(game, profile, incentives=incentives)
    except CertificateRejected:
        if rules.freezes:
            return None
        raise
    return Solution(profile, certificate.returns, certificate, run)
