"""Walk the rules of a game by asking them, and add up returns by definition: slow and plain.

Nothing here uses the library's own tables, conversions or evaluation.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from gametheory_core.games import CHANCE, NULL


@dataclass(frozen=True)
class Step:
    """One step of a POSG, or one move of an AEC game (``seen`` and ``action`` are the mover's)."""

    state: Any
    seen: Any
    action: Any
    next_state: Any
    rewards: tuple[Any, ...]
    mover: int = CHANCE
    next_movers: frozenset[int] = frozenset()


def posg_steps(game: Any, *, limit: int = 100_000) -> list[Step]:
    """Every step that play can take within the horizon, each once."""
    frontier = {(s, o) for s, _ in game.initial() for o, _ in game.initial_observation(s)}
    known: set[Any] = set()
    steps: list[Step] = []
    depth = 0
    while frontier - known and (game.horizon is None or depth < game.horizon):
        fresh = frontier - known
        known |= fresh
        assert len(known) <= limit
        frontier = set()
        depth += 1
        for state, seen in fresh:
            if game.is_terminal(state):
                continue
            for joint in product(*(game.legal_actions(i, o) for i, o in enumerate(seen))):
                for after, _ in game.transition(state, joint):
                    rewards = game.reward(state, joint, after)
                    steps.append(Step(state, seen, joint, after, rewards))
                    frontier |= {(after, o) for o, _ in game.observation(joint, after)}
    return steps


def aec_steps(game: Any, *, limit: int = 100_000) -> list[Step]:
    """Every move that play can make, each once for each reward vector."""
    waiting: list[tuple[Any, int]] = [(game.initial_state, CHANCE)]
    known = set(waiting)
    steps: list[Step] = []
    while waiting:
        state, mover = waiting.pop()
        for seen, action, after in _moves(game, state, mover):
            following = frozenset[int]()
            if not game.is_terminal(after):
                law = game.next_player(state, mover, action, after)
                following = frozenset(player for player, _ in law)
            steps.extend(
                Step(state, seen, action, after, rewards, mover, following)
                for rewards, _ in game.reward(state, mover, action, after)
            )
            fresh = {(after, player) for player in following} - known
            known |= fresh
            waiting.extend(fresh)
        assert len(known) <= limit
    return steps


def _moves(game: Any, state: Any, mover: int) -> Iterator[tuple[Any, Any, Any]]:
    if mover == CHANCE:
        for after, _ in game.chance(state):
            yield NULL, NULL, after
        return
    for seen, _ in game.observation(mover, state):
        for action in game.legal_actions(mover, seen):
            yield seen, action, game.move(mover, state, action)


def posg_returns(game: Any, policies: Sequence[Any]) -> tuple[Fraction, ...]:
    """Expected discounted returns; a policy is a function from information state to a law."""
    totals = [Fraction(0)] * len(game.players)
    plays = [
        (w * v, s, tuple((o,) for o in seen))
        for s, w in game.initial()
        for seen, v in game.initial_observation(s)
    ]
    factor = Fraction(1)
    for _ in range(game.horizon if game.horizon is not None else 10**9):
        plays = [play for play in plays if not game.is_terminal(play[1])]
        if not plays:
            break
        following = []
        for weight, state, memories in plays:
            laws = [policy(memory) for policy, memory in zip(policies, memories, strict=True)]
            for choices in product(*laws):
                joint = tuple(action for action, _ in choices)
                chosen = weight
                for _, w in choices:
                    chosen *= w
                for after, w in game.transition(state, joint):
                    for i, reward in enumerate(game.reward(state, joint, after)):
                        totals[i] += factor * chosen * w * reward
                    for seen, v in game.observation(joint, after):
                        longer = tuple(
                            (*m, a, o) for m, a, o in zip(memories, joint, seen, strict=True)
                        )
                        following.append((chosen * w * v, after, longer))
        plays = following
        factor *= game.discount
    return tuple(totals)


def aec_returns(game: Any, policies: Sequence[Any]) -> tuple[Fraction, ...]:
    """Expected undiscounted returns of an AEC game that ends by itself."""
    totals = [Fraction(0)] * len(game.players)
    plays = [(Fraction(1), game.initial_state, CHANCE, ((),) * len(game.players))]
    while plays:
        weight, state, mover, memories = plays.pop()
        options: list[tuple[Fraction, Any, Any, Any]] = []
        if mover == CHANCE:
            options = [(w, NULL, after, memories) for after, w in game.chance(state)]
        else:
            for seen, v in game.observation(mover, state):
                memory = (*memories[mover], seen)
                for action, w in policies[mover](memory):
                    longer = (*memories[:mover], (*memory, action), *memories[mover + 1 :])
                    options.append((v * w, action, game.move(mover, state, action), longer))
        for w, action, after, longer in options:
            for rewards, v in game.reward(state, mover, action, after):
                for i, reward in enumerate(rewards):
                    totals[i] += weight * w * v * reward
            if not game.is_terminal(after):
                plays.extend(
                    (weight * w * v, after, following, longer)
                    for following, v in game.next_player(state, mover, action, after)
                )
    return tuple(totals)
