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
LEAST_SECONDS = 1e-5  # that certifying takes for each node and leader


class RoundsStatus(Enum):
    """How a run of updates ended."""

    FIXED = "a round changed nothing"
    CYCLE = "a round led back to earlier policies"
    OPEN = "the budget ended first"  # perhaps after the last round, but before its certificate


@dataclass(frozen=True)
class MediatedRounds:
    """What rounds of updates did.

    Attributes:
        solution: The certified fixed point; None if there is none.
        profile: The policies after the last round.
        start_value: How fair the returns of the first policies are.
        trace: The same after each update: a row for each round, with a number for each agent in
            turn, and then the mediator.
        period: Rounds of the cycle, if there is one.
        run: Iterations are rounds, the one that changed nothing included. Seconds count certifying.
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

    Attributes:
        choosers: How each agent breaks ties.
        pick: How the mediator does.
        freezes: Whether agents keep their actions where they are not picked.
    """

    tables: MediatedTables
    choosers: list[Choose]
    pick: Choose
    freezes: bool


def require_known_past(tables: MediatedTables, memory: Memory, *, function: str) -> None:
    """Refuse plans for steps under a mediator who knows more, where states are drawn.

    Raises:
        UnsupportedGame: Names the game.
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
    profile, certificate = profile_of(rules.tables, policies), None
    if status is RoundsStatus.FIXED:
        if _is_too_late(rules, meter):
            status = RoundsStatus.OPEN
        else:
            certificate = _certificate(rules, profile)
    run = meter.record(NAME)  # with the time that certifying took
    solution = certificate and Solution(profile, certificate.returns, certificate, run)
    return MediatedRounds(status, solution, profile, start_value, tuple(trace), period, run)


def _is_too_late(rules: RoundRules, meter: Meter) -> bool:
    """Tell whether certifying would surely take longer than what is left of the time limit."""
    left = meter.seconds_left
    least = rules.tables.histories.num_nodes * rules.tables.game.num_players * LEAST_SECONDS
    return left is not None and least > left


def _round(rules: RoundRules, policies: Policies) -> tuple[Policies, tuple[Fraction, ...]]:
    values: list[Fraction] = []
    for agent, choose in enumerate(rules.choosers):
        policies = with_agent_update(rules.tables, policies, agent, choose, freezes=rules.freezes)
        values.append(start_fairness(rules.tables, policies))
    policies = with_mediator_update(rules.tables, policies, rules.pick)
    return policies, (*values, start_fairness(rules.tables, policies))


def _certificate(rules: RoundRules, profile: MediatedProfile) -> MediatedCertificate | None:
    """Certify a fixed point; without exploration it may be no equilibrium, and has no proof."""
    game, incentives = rules.tables.game, rules.tables.incentives
    try:
        return certify_mediated(game, profile, incentives=incentives)
    except CertificateRejected:
        if rules.freezes:
            return None
        raise
