"""What this room adds to ``solve`` and the command line: its solvers, and tables of commitments."""

from collections.abc import Iterator

from gametheory_core.arguments import shown_players
from gametheory_core.games.tables import TabularPOSG
from gametheory_core.leaders.policies import (
    DeterministicLeader,
    LeaderCommitment,
    StochasticLeader,
    TimedFollower,
)
from gametheory_core.leaders.view import LeaderView
from solvers.leaders import (
    commitment_bound,
    deterministic,
    deterministic_optima,
    leader_flow,
    stochastic_commitment,
    stochastic_stackelberg,
)
from solvers.results.tables import PROBABILITY, Row, choice_text, label_text, table_of

SOLVERS = (
    commitment_bound,
    deterministic,
    deterministic_optima,
    leader_flow,
    stochastic_commitment,
    stochastic_stackelberg,
)


@table_of(LeaderCommitment, columns=("player", "time", "sees", "action"))
def commitment_rows(game: TabularPOSG, answer: LeaderCommitment, leader: int) -> Iterator[Row]:
    """Yield player, time, what is seen, and the action; of a plan in time, where play comes."""
    view = LeaderView(game, leader)
    names = shown_players(game.players)
    for seen, action in enumerate(answer.leader_policy.actions):
        if action >= 0:
            yield (names[leader], "always", *choice_text(game, leader, seen, action))
    follower, policy = view.follower, answer.follower_policy
    if isinstance(policy, TimedFollower):
        for time, state, action in _played(view, answer.leader_policy, policy):
            taken = label_text(game.actions[follower][action])
            yield (names[follower], str(time), label_text(game.states[state]), taken)
        return
    for seen, action in enumerate(policy.actions):
        if action >= 0:
            yield (names[follower], "always", *choice_text(game, follower, seen, action))


def _played(
    view: LeaderView, leader: DeterministicLeader, follower: TimedFollower
) -> Iterator[tuple[int, int, int]]:
    """Yield time, state and the follower's action wherever play comes."""
    states = sorted({state for state, _ in view.initial})
    for time, row in enumerate(follower.actions):
        acting = [state for state in states if row[state] >= 0]
        following: set[int] = set()
        for state in acting:
            yield time, state, row[state]
            own = leader.actions[view.leader_observation[state]]
            following |= {after for after, _ in view.step(state, own, row[state]).next}
        states = sorted(following)


@table_of(StochasticLeader, columns=("player", "sees", "action", PROBABILITY))
def lottery_rows(game: TabularPOSG, answer: StochasticLeader, leader: int) -> Iterator[Row]:
    """Yield player, what is seen, action and probability."""
    name = shown_players(game.players)[leader]
    for seen, lottery in enumerate(answer.lotteries):
        for action, weight in enumerate(lottery):
            if weight:
                yield (name, *choice_text(game, leader, seen, action), weight)
