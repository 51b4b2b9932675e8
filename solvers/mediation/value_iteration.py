"""JAM value iteration: agents and a mediator update in turn, each by an exact best response.

One round: agents 0, 1, ... replace what they do as leaders by a best response to the others and to
the mediator; then the mediator picks leaders anew, for returns as fair as can be. With policies on
histories nothing changes after at most as many rounds as there are steps.
Rounds end when one changes nothing or leads back to earlier policies, or with the budget.
"""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

import numpy as np

from gametheory_core.errors import (
    CertificateRejected,
    InvalidArgument,
    InvalidStrategy,
    NotConverged,
)
from gametheory_core.mediation.certificate import MediatedCertificate, certify_mediated
from gametheory_core.mediation.fairness import EndRule, Fairness, FairnessKind, MediatorStage
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.histories import Memory, mediated_histories
from gametheory_core.mediation.policies import (
    MediatedProfile,
    check_mediated_profile,
    random_mediated_profile,
)
from gametheory_core.mediation.values import MediatorIncentives
from solvers.concepts import Concept
from solvers.mediation.state import (
    InitialPolicies,
    Policies,
    agent_nodes,
    given_tables,
    greedy_actions,
    profile_of,
    require_known_past,
    start_fairness,
    with_agent_update,
    with_mediator_update,
)
from solvers.mediation.tables import MediatedTables, integer_tables
from solvers.mediation.updates import (
    AgentTies,
    Choose,
    Indices,
    MediatorTies,
    agent_chooser,
    mediator_chooser,
)
from solvers.requirements import Kind, require_instance
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, RunRecord, Solution
from solvers.solver import Answers, open_meter, solver

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
    run = meter.record()  # with the time that certifying took
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


def _equilibrium(found: MediatedRounds) -> Solution[MediatedProfile, MediatedCertificate]:
    """Return the certified fixed point, or say why there is none."""
    if found.solution is not None:
        return found.solution
    ended = {
        RoundsStatus.FIXED: ("that of frozen actions is none", "Leave freeze_unselected out."),
        RoundsStatus.CYCLE: (
            f"after {len(found.trace)} rounds a cycle of {found.period} began again",
            "Break ties in another way, start elsewhere, or let agents know the history.",
        ),
        RoundsStatus.OPEN: (f"{RoundsStatus.OPEN.value}", "Give a larger budget."),
    }
    why, remedy = ended[found.status]
    raise NotConverged(needs="a fixed point that is an equilibrium", found=why, remedy=remedy)


a_mediated_game = Kind(
    "a mediated game",
    lambda game: isinstance(game, MediatedGame),
    remedy="mediate(game, responses=...) makes one, if its followers are naive.",
)


@solver(
    Answers(Concept.MEDIATED, rank=10, read=_equilibrium),
    takes=(a_mediated_game,),
    unit="rounds",
    because="agents and a mediator answer each other exactly until a round changes nothing",
    page="fair-leaders",
)
def jam_value_iteration(
    game: MediatedGame,
    *,
    fairness: Fairness | FairnessKind = FairnessKind.MINIMUM,
    stage: MediatorStage = MediatorStage.FULL,
    end_rule: EndRule = EndRule.HISTORY_IDEAL,
    memory: Memory = Memory.HISTORY,
    agent_ties: AgentTies = AgentTies.KEEP,
    mediator_ties: MediatorTies = MediatorTies.FIRST,
    initial: InitialPolicies | MediatedProfile = InitialPolicies.SELFISH,
    freeze_unselected: bool = False,
    rng: np.random.Generator | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> MediatedRounds:
    """Let agents and mediator answer each other exactly until a round changes nothing.

    Args:
        fairness: What the mediator maximizes. A kind stands for itself; Gini weights then fall
            evenly from who has least.
        stage: ``NAIVE``: for returns to come, knowing the step and state alone, as all agents then
            do. ``PRE_FINAL``: for all returns, past ones included. ``FULL``: and with transfers
            among the agents at the end.
        end_rule: Which transfers, at stage ``FULL``.
        memory: What agents may depend on; with ``STEP``, nothing may be drawn in the game.
        agent_ties, mediator_ties: Which of several best choices to take. Results depend on it.
        initial: Where to start. The mediator answers selfish and fair agents before the first
            round.
        freeze_unselected: Whether agents change their actions only where they are picked, as
            learners without exploration do. A fixed point then need be no equilibrium, and has no
            certificate if not.
        rng: For what is drawn: random ties, random policies.
        budget: Iterations are rounds. Time is looked at between rounds, and before certifying: if
            that would take longer than what is left, the status is ``OPEN``. A round, or the
            certificate, that has begun is finished.
        on_iteration: Called after each round.

    Returns:
        ``status`` says whether a fixed point was reached; ``solution`` then has its certificate.

    Raises:
        InvalidArgument: If an option is malformed, or the measure of fairness cannot judge the
            returns.
        UnsupportedGame: If the nodes are too many; transfers are wanted and nobody knows which step
            is the last; or agents know the step alone and something is drawn.

    With ``Memory.HISTORY`` the status is ``FIXED`` after at most ``horizon + 1`` rounds, whatever
    the game, stage, start and ties: what happens at the last step is settled after one round, at
    the one before after two, and so on. The fixed point is subgame perfect. How fair it is may
    depend on ties and start. With ``Memory.STEP`` there may be cycles, and no equilibrium at all.

    Source: :cite:`dodwadmath2025fair`, section 4.2.

    >>> from gametheory_core.mediation import mediated_chicken
    >>> found = jam_value_iteration(mediated_chicken())
    >>> found.status.name, str(found.start_value), str(found.fairness)
    ('FIXED', '18', '24')
    """
    _check(agent_ties, mediator_ties, initial, rng)
    measure = _measure(game, fairness)
    require_instance(measure, Fairness, name="fairness")
    incentives = MediatorIncentives(measure, stage, end_rule)
    meter = open_meter(budget, on_iteration)
    tables = integer_tables(game, incentives)
    if stage is MediatorStage.NAIVE:
        memory = Memory.STEP
    require_known_past(tables, memory)
    nodes = agent_nodes(tables, memory)
    choosers = _choosers(tables, nodes, agent_ties, rng)
    pick = mediator_chooser(mediator_ties, steps=tables.steps, players=game.num_players, rng=rng)
    policies = _initial(tables, nodes, memory, initial, pick, rng)
    return run_rounds(RoundRules(tables, choosers, pick, freeze_unselected), policies, meter)


def _measure(game: MediatedGame, fairness: Fairness | FairnessKind) -> Fairness:
    if not isinstance(fairness, FairnessKind):
        return fairness
    if fairness is not FairnessKind.GINI:
        return Fairness(fairness)
    ranks = range(game.num_players, 0, -1)
    return Fairness(fairness, tuple(Fraction(rank, sum(ranks)) for rank in ranks))


def _check(
    agent_ties: AgentTies, mediator_ties: MediatorTies, initial: object, rng: object
) -> None:
    require_instance(initial, (InitialPolicies, MediatedProfile), name="initial")
    draws = (AgentTies.RANDOM, MediatorTies.RANDOM, InitialPolicies.RANDOM)
    if rng is None and any(option in draws for option in (agent_ties, mediator_ties, initial)):
        raise InvalidArgument(
            needs="rng for random ties or policies",
            found="got None",
            remedy="Give rng=numpy.random.default_rng(seed).",
        )


def _choosers(
    tables: MediatedTables, nodes: list[Indices], ties: AgentTies, rng: np.random.Generator | None
) -> list[Choose]:
    game = tables.game
    sizes = [int(own.max()) + 1 for own in nodes]
    return [
        agent_chooser(ties, sizes=sizes, choices=game.max_actions, rng=rng) for _ in game.players
    ]


def _initial(
    tables: MediatedTables,
    nodes: list[Indices],
    memory: Memory,
    initial: InitialPolicies | MediatedProfile,
    pick: Choose,
    rng: np.random.Generator | None,
) -> Policies:
    """Return the policies before the first round."""
    game, mediator = tables.game, tables.histories.memory
    if initial is InitialPolicies.RANDOM and rng is not None:
        initial = random_mediated_profile(game, rng=rng, agents=memory, mediator=mediator)
    if isinstance(initial, MediatedProfile):
        _check_initial(game, initial, memory, mediator)
        actions, leaders = given_tables(initial, game.num_players)
        return Policies(memory, actions, leaders, nodes)
    histories = mediated_histories(game, memory=memory)
    actions = greedy_actions(histories, initial, tables.incentives.fairness)
    nobody = [np.zeros(len(step.past), dtype=np.int64) for step in tables.steps]
    return with_mediator_update(tables, Policies(memory, actions, nobody, nodes), pick)


def _check_initial(
    game: MediatedGame, profile: MediatedProfile, agents: Memory, mediator: Memory
) -> None:
    if (profile.agents, profile.mediator) != (agents, mediator):
        raise InvalidStrategy(
            needs=f"initial policies that remember {agents.value} (agents) and {mediator.value} "
            "(mediator)",
            found=f"they remember {profile.agents.value} and {profile.mediator.value}",
            remedy="Give others, or set stage and memory to fit.",
        )
    check_mediated_profile(game, profile)
