"""Single exact responses in a mediated game: of one agent, or of the mediator."""

from gametheory_core.errors import InvalidArgument
from gametheory_core.evaluation.end_transfers import MediatorStage
from gametheory_core.evaluation.mediated_recursion import MediatorIncentives
from gametheory_core.games.mediated import MediatedGame
from gametheory_core.games.mediated_histories import Memory
from gametheory_core.strategies.mediated_policies import MediatedProfile, check_mediated_profile
from solvers.mediated.integer_tables import MediatedTables, integer_tables
from solvers.mediated.rounds import require_known_past
from solvers.mediated.starts import given_tables
from solvers.mediated.state import (
    Policies,
    agent_nodes,
    profile_of,
    with_agent_update,
    with_mediator_update,
)
from solvers.mediated.ties import first, kept
from solvers.requirements import require_instance, require_integer


def leading_response(
    game: MediatedGame,
    profile: MediatedProfile,
    *,
    agent: int,
    incentives: MediatorIncentives,
) -> MediatedProfile:
    """Return the profile in which one agent leads as well as it can, at every node.

    Args:
        profile: What the others do, and whom the mediator picks. The agent's own actions stay where
            they are among the best.
        incentives: Which transfers the agent counts.

    Raises:
        InvalidArgument: If there is no such agent.
        InvalidStrategy: If the profile does not fit the game.
        UnsupportedGame: As ``jam_value_iteration``.

    >>> from gametheory_core.catalog.mediated import mediated_chicken
    >>> all_swerve = MediatedProfile(actions=(((1, 1),),), leaders=((0,),))
    >>> incentives = MediatorIncentives()
    >>> game = mediated_chicken(rounds=1)
    >>> leading_response(game, all_swerve, agent=1, incentives=incentives).actions
    (((1, 2),),)
    """
    name = "leading_response"
    require_instance(game, MediatedGame, function=name, name="game")
    require_integer(agent, function=name, name="agent", low=0, high=game.num_players - 1)
    tables, policies = _laid_out(game, profile, incentives, function=name)
    require_known_past(tables, policies.memory, function=name)
    found = with_agent_update(tables, policies, agent, kept, freezes=False)
    return profile_of(tables, found)


def mediator_response(
    game: MediatedGame, profile: MediatedProfile, *, incentives: MediatorIncentives
) -> MediatedProfile:
    """Return the profile in which the mediator picks the fairest leader at every node.

    Picks are made from the end backwards, each given the later ones. Where nothing is drawn and the
    mediator remembers returns, no plan is fairer; else another plan may be.

    Args:
        profile: What the agents do; of equally fair leaders the first is picked.
        incentives: The measure of fairness.

    Raises:
        InvalidArgument: If the measure cannot judge the returns.
        InvalidStrategy: If the profile does not fit the game.

    >>> from gametheory_core.catalog.mediated import mediated_chicken
    >>> mixed = MediatedProfile(actions=(((1, 2),),), leaders=((0,),))
    >>> incentives = MediatorIncentives()
    >>> mediator_response(mediated_chicken(rounds=1), mixed, incentives=incentives).leaders
    ((1,),)
    """
    name = "mediator_response"
    require_instance(game, MediatedGame, function=name, name="game")
    tables, policies = _laid_out(game, profile, incentives, function=name)
    return profile_of(tables, with_mediator_update(tables, policies, first))


def _laid_out(
    game: MediatedGame, profile: MediatedProfile, incentives: MediatorIncentives, *, function: str
) -> tuple[MediatedTables, Policies]:
    require_instance(incentives, MediatorIncentives, function=function, name="incentives")
    check_mediated_profile(game, profile)
    if (profile.mediator is Memory.STEP) is not (incentives.stage is MediatorStage.NAIVE):
        raise InvalidArgument(
            f"{function}: needs stage NAIVE for a mediator that knows the step alone, and no other "
            f"one, but the stage is {incentives.stage.name} and it knows {profile.mediator.value}."
        )
    tables = integer_tables(game, incentives, memory=profile.mediator)
    actions, leaders = given_tables(profile, game.num_players)
    nodes = agent_nodes(tables, profile.agents)
    return tables, Policies(profile.agents, actions, leaders, nodes)
