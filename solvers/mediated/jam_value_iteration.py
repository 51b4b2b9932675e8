"""JAM value iteration: agents and a mediator update in turn, each by an exact best response.

One round: agents 0, 1, ... replace what they do as leaders by a best response to the others and to
the mediator; then the mediator picks leaders anew, for returns as fair as can be. With policies on
histories nothing changes after at most as many rounds as there are steps.
"""

import numpy as np

from gametheory_core.errors import (
    InvalidArgument,
    InvalidStrategy,
)
from gametheory_core.evaluation.end_transfers import EndRule, MediatorStage
from gametheory_core.evaluation.fairness import MINIMUM, Fairness
from gametheory_core.evaluation.mediated_recursion import MediatorIncentives
from gametheory_core.games.mediated import MediatedGame
from gametheory_core.games.mediated_histories import Memory, mediated_histories
from gametheory_core.strategies.mediated_policies import (
    MediatedProfile,
    check_mediated_profile,
    random_mediated_profile,
)
from solvers.mediated.integer_tables import MediatedTables, integer_tables
from solvers.mediated.rounds import NAME, MediatedRounds, RoundRules, require_known_past, run_rounds
from solvers.mediated.starts import InitialPolicies, given_tables, greedy_actions
from solvers.mediated.state import (
    Policies,
    agent_nodes,
    with_mediator_update,
)
from solvers.mediated.ties import (
    AgentTies,
    Choose,
    Indices,
    MediatorTies,
    agent_chooser,
    mediator_chooser,
)
from solvers.requirements import require_generator, require_instance, require_member
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration


def jam_value_iteration(
    game: MediatedGame,
    *,
    fairness: Fairness = MINIMUM,
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
        fairness: What the mediator maximizes.
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

    >>> from gametheory_core.catalog.mediated import mediated_chicken
    >>> found = jam_value_iteration(mediated_chicken())
    >>> found.status.name, str(found.start_value), str(found.fairness)
    ('FIXED', '18', '24')
    """
    _check(game, memory, agent_ties, mediator_ties, initial, freeze_unselected, rng)
    incentives = _incentives(fairness, stage, end_rule)
    meter = Meter(budget, "rounds", on_iteration)
    tables = integer_tables(game, incentives)
    if stage is MediatorStage.NAIVE:
        memory = Memory.STEP
    require_known_past(tables, memory, function=NAME)
    nodes = agent_nodes(tables, memory)
    choosers = _choosers(tables, nodes, agent_ties, rng)
    pick = mediator_chooser(mediator_ties, steps=tables.steps, players=game.num_players, rng=rng)
    policies = _initial(tables, nodes, memory, initial, pick, rng)
    return run_rounds(RoundRules(tables, choosers, pick, freeze_unselected), policies, meter)


def _incentives(fairness: Fairness, stage: MediatorStage, end_rule: EndRule) -> MediatorIncentives:
    require_instance(fairness, Fairness, function=NAME, name="fairness")
    require_member(stage, MediatorStage, function=NAME, name="stage")
    require_member(end_rule, EndRule, function=NAME, name="end_rule")
    return MediatorIncentives(fairness, stage, end_rule)


def _check(
    game: object,
    memory: object,
    agent_ties: object,
    mediator_ties: object,
    initial: object,
    freeze_unselected: object,
    rng: object,
) -> None:
    require_instance(game, MediatedGame, function=NAME, name="game")
    require_member(memory, Memory, function=NAME, name="memory")
    require_member(agent_ties, AgentTies, function=NAME, name="agent_ties")
    require_member(mediator_ties, MediatorTies, function=NAME, name="mediator_ties")
    require_instance(initial, (InitialPolicies, MediatedProfile), function=NAME, name="initial")
    require_instance(freeze_unselected, bool, function=NAME, name="freeze_unselected")
    require_generator(rng, function=NAME)
    draws = (AgentTies.RANDOM, MediatorTies.RANDOM, InitialPolicies.RANDOM)
    if rng is None and any(option in draws for option in (agent_ties, mediator_ties, initial)):
        raise InvalidArgument(
            f"{NAME}: needs rng for random ties or policies, but got None. Give "
            "rng=numpy.random.default_rng(seed)."
        )


def _choosers(
    tables: MediatedTables,
    nodes: list[Indices],
    ties: AgentTies,
    rng: np.random.Generator | None,
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
            f"{NAME}: needs initial policies that remember {agents.value} (agents) and "
            f"{mediator.value} (mediator), but they remember {profile.agents.value} and "
            f"{profile.mediator.value}. Give others, or set stage and memory to fit."
        )
    check_mediated_profile(game, profile)
