"""Answers about Markov games and mediated games as rows of plain tables."""

from collections.abc import Hashable, Iterator
from fractions import Fraction
from typing import Any, TypeAlias, cast

from gametheory_core.games.information_states import Blank
from gametheory_core.games.leader_view import LeaderView
from gametheory_core.games.mediated import MediatedGame
from gametheory_core.games.mediated_histories import Memory, mediated_histories
from gametheory_core.games.tabular_posg import TabularPOSG
from gametheory_core.labels import shown_players
from gametheory_core.strategies.leader_commitments import LeaderCommitment
from gametheory_core.strategies.leader_policies import (
    DeterministicLeader,
    StochasticLeader,
    TimedFollower,
)
from gametheory_core.strategies.markov_policies import MarkovCorrelation, MarkovProfile
from gametheory_core.strategies.mediated_policies import MediatedProfile

Row: TypeAlias = tuple[str | Fraction, ...]


def label_text(label: Hashable) -> str:
    """Write a label for people: tuples in parentheses, of one entry without.

    >>> label_text((("cooperate", "defect"),))
    '(cooperate, defect)'
    """
    if isinstance(label, tuple):
        parts = [label_text(part) for part in cast("tuple[Hashable, ...]", label)]
        return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"
    return label.name.lower() if isinstance(label, Blank) else str(label)


def commitment_rows(game: TabularPOSG, leader: int, answer: LeaderCommitment) -> Iterator[Row]:
    """Yield player, time, what is seen, and the action; of a plan in time, where play comes."""
    view = LeaderView(game, leader)
    names = shown_players(game.players)
    for seen, action in enumerate(answer.leader_policy.actions):
        if action >= 0:
            yield (names[leader], "always", *_choice(game, leader, seen, action))
    follower, policy = view.follower, answer.follower_policy
    if isinstance(policy, TimedFollower):
        for time, state, action in _played(view, answer.leader_policy, policy):
            taken = label_text(game.actions[follower][action])
            yield (names[follower], str(time), label_text(game.states[state]), taken)
        return
    for seen, action in enumerate(policy.actions):
        if action >= 0:
            yield (names[follower], "always", *_choice(game, follower, seen, action))


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


def _choice(game: TabularPOSG, player: int, seen: int, action: int) -> tuple[str, str]:
    observation = game.observations[player][seen]
    return label_text(observation), label_text(game.actions[player][action])


def lottery_rows(game: TabularPOSG, leader: int, answer: StochasticLeader) -> Iterator[Row]:
    """Yield player, what is seen, action and probability."""
    name = shown_players(game.players)[leader]
    for seen, lottery in enumerate(answer.lotteries):
        for action, weight in enumerate(lottery):
            if weight:
                yield (name, *_choice(game, leader, seen, action), weight)


def markov_rows(game: TabularPOSG, answer: MarkovProfile) -> Iterator[Row]:
    """Yield time, state, player, action and probability."""
    names = shown_players(game.players)
    for time, row in enumerate(answer.lotteries):
        when = "always" if answer.is_stationary else str(time)
        for state, lotteries in enumerate(row):
            for player, lottery in enumerate(lotteries):
                for action, weight in enumerate(lottery):
                    if weight:
                        taken = label_text(game.actions[player][action])
                        where = label_text(game.states[state])
                        yield (when, where, names[player], taken, weight)


def correlation_rows(game: TabularPOSG, answer: MarkovCorrelation) -> Iterator[Row]:
    """Yield time, state, joint action and probability."""
    for time, row in enumerate(answer.distributions):
        for state, drawn in enumerate(row):
            if drawn is None:
                continue
            for joint, weight in zip(drawn.joint_actions, drawn.probabilities, strict=True):
                taken = zip(game.actions, joint, strict=True)
                actions = ", ".join(label_text(own[a]) for own, a in taken)
                yield (str(time), label_text(game.states[state]), actions, weight)


def mediated_rows(game: MediatedGame, answer: MediatedProfile) -> Iterator[Row]:
    """Yield step, state, returns so far, leader and action, wherever play comes.

    Where agents know the step alone and the mediator more, both tables are followed side by side.
    """
    fine = mediated_histories(game, memory=answer.mediator)
    coarse = mediated_histories(game, memory=answer.agents)
    names = shown_players(game.players)
    reached: Any = dict.fromkeys(
        (node, other) for node, other in zip(fine.start, coarse.start, strict=True) if node >= 0
    )
    for step, (layer, other_layer) in enumerate(zip(fine.layers, coarse.layers, strict=True)):
        following: Any = {}
        for node, other in reached:
            leader = answer.leaders[step][node]
            action = answer.actions[step][other][leader]
            state = game.states[layer.states[node]]
            known = fine.memory is Memory.HISTORY
            so_far = ", ".join(map(str, fine.returns(step, node))) if known else "-"
            taken = label_text(game.actions[leader][action])
            yield (str(step), label_text(state), so_far, names[leader], taken)
            nodes = layer.child[node, leader, action].tolist()
            others = other_layer.child[other, leader, action].tolist()
            following |= dict.fromkeys(
                pair for pair in zip(nodes, others, strict=True) if pair[0] >= 0
            )
        reached = following
