"""Properties of tables of POSGs and AEC games, each decided with a witness.

Like ``games.properties`` for matrices and trees. The table says what play can reach, so the
decisions are about all plays, within the horizon if there is one.

They are decided on the graph of positions: where play can go next, and who moves after whom.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, product
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.arguments import shortened_text, text_of
from gametheory_core.arrays import ONE, ZERO, ExactArray, freeze
from gametheory_core.games.properties import HOLDS, Verdict
from gametheory_core.games.table_content import Kernel, spread
from gametheory_core.games.tables import TabularAEC, TabularPOSG

Table: TypeAlias = TabularPOSG | TabularAEC
Position: TypeAlias = tuple[int, int]  # state and signal of a POSG, state and mover of an AEC game


def successors(game: Table) -> dict[Position, tuple[Position, ...]]:
    """Return, for each position where somebody moves, those to which one step or move may lead.

    A position is a state and a signal (POSG), or a state and a mover (AEC game), by number. Of a
    POSG with a horizon, positions at which nobody acts any more are left out.
    """
    return _posg_graph(game) if isinstance(game, TabularPOSG) else _aec_graph(game)


def _posg_graph(game: TabularPOSG) -> dict[Position, tuple[Position, ...]]:
    frontier = list(dict.fromkeys(_first_pairs(game)))
    graph: dict[Position, tuple[Position, ...]] = {}
    depth = 0
    while frontier and (game.horizon is None or depth < game.horizon):
        for pair in frontier:
            graph[pair] = tuple(dict.fromkeys(_next_pairs(game, *pair)))
        found = dict.fromkeys(pair for here in frontier for pair in graph[here])
        frontier = [pair for pair in found if pair not in graph]
        depth += 1
    return graph


def _first_pairs(game: TabularPOSG) -> Iterator[Position]:
    for state in game.initial_kernel.outcome.tolist():
        if not game.terminal[state]:
            yield from _pairs(game, state, int(game.initial_signal_row[state]))


def _next_pairs(game: TabularPOSG, state: int, signal: int) -> Iterator[Position]:
    seen = game.signals[signal].tolist()
    for joint in product(*(game.legal[i][o] for i, o in enumerate(seen))):
        code = sum(a * stride for a, stride in zip(joint, game.strides, strict=True))
        entries = game.transition_kernel.row(int(game.find_transitions(state, code)))
        after = game.transition_kernel.outcome[entries].tolist()
        rows = game.entry_signal_row[entries].tolist()
        for following, row in zip(after, rows, strict=True):
            if not game.terminal[following]:
                yield from _pairs(game, following, row)


def _pairs(game: TabularPOSG, state: int, row: int) -> Iterator[Position]:
    for signal in game.signal_kernel.outcome[game.signal_kernel.row(row)].tolist():
        yield state, signal


def _aec_graph(game: TabularAEC) -> dict[Position, tuple[Position, ...]]:
    graph: dict[Position, dict[Position, None]] = {}
    places = zip(game.row_state.tolist(), game.row_mover.tolist(), strict=True)
    for row, place in enumerate(places):
        targets = graph.setdefault(place, {})
        entries = game.transition_kernel.row(row)
        after = game.transition_kernel.outcome[entries].tolist()
        for state, turn in zip(after, game.entry_turn_row[entries].tolist(), strict=True):
            if turn >= 0:
                movers = game.turn_kernel.outcome[game.turn_kernel.row(turn)].tolist()
                targets.update(dict.fromkeys((state, mover) for mover in movers))
    return {place: tuple(targets) for place, targets in graph.items()}


def longest_play(game: TabularPOSG) -> int | None:
    """Return how many steps play takes at most; None if it need not end.

    >>> from gametheory_core.catalog import SteadyPay
    >>> from gametheory_core.conversions import posg_to_tabular
    >>> longest_play(posg_to_tabular(SteadyPay()).target)
    2
    """
    if game.horizon is not None:
        return game.horizon
    steps, endless = _longest_ways(successors(game))
    return None if endless else max(steps.values(), default=0)


def _longest_ways(
    following: dict[Position, tuple[Position, ...]],
) -> tuple[dict[Position, int], dict[Position, int]]:
    """Return how late each position may come, from 1, and those on cycles or behind them."""
    entered = dict.fromkeys(following, 0)
    for target in chain.from_iterable(following.values()):
        entered[target] += 1
    steps = dict.fromkeys(following, 1)
    free = [position for position, count in entered.items() if not count]
    while free:
        position = free.pop()
        del entered[position]
        for target in following[position]:
            steps[target] = max(steps[target], steps[position] + 1)
            entered[target] -= 1
            if not entered[target]:
                free.append(target)
    return steps, entered


LONGEST = 80  # characters of a label in a reason
_DRAWN = {
    "first": "the first state",
    "observations": "what is observed",
    "rewards": "what is paid",
    "turns": "the next mover",
}


def has_zero_sum_rewards(game: Table) -> Verdict:
    """Decide whether the players' rewards sum to zero at every step; the witness is their row."""
    for row, rewards in _paid(game):
        total = sum(rewards)
        if total:
            return Verdict(False, f"rewards {_vector(rewards)} sum to {total}, not 0", (row,))
    return HOLDS


def has_common_rewards(game: Table) -> Verdict:
    """Decide whether all players always receive the same; the witness is a row of rewards."""
    for row, rewards in _paid(game):
        if len(set(rewards)) > 1:
            return Verdict(False, f"rewards {_vector(rewards)} differ", (row,))
    return HOLDS


def has_deterministic_moves(game: Table) -> Verdict:
    """Decide whether nothing is drawn: first state, next states, observations, rewards, turns.

    The witness is the row of the kernel in which several outcomes are possible.
    """
    for name, kernel in _draws(game):
        several = np.flatnonzero(kernel.sizes > 1)
        if several.size:
            row = int(several[0])
            reason = f"{_drawn(game, name, row)} may be any of {kernel.sizes[row]}"
            return Verdict(False, reason, (row,))
    return HOLDS


def is_fully_observed(game: TabularPOSG) -> Verdict:
    """Decide whether each player's last observation says the state: a Markov game.

    The witness is a player, an observation, and two states that the player cannot tell apart.
    """
    return _tells_states_apart(
        game,
        (
            (state, player, seen)
            for state, signal in successors(game)
            for player, seen in enumerate(game.signals[signal].tolist())
        ),
    )


def sees_the_state(game: TabularAEC) -> Verdict:
    """Decide whether what a mover sees says the state: perfect information.

    The witness is a player, an observation, and two states that the player cannot tell apart.
    """
    kernel = game.observation_kernel
    return _tells_states_apart(
        game,
        (
            (*divmod(key, len(game.players)), seen)
            for row, key in enumerate(game.observation_key.tolist())
            for seen in kernel.outcome[kernel.row(row)].tolist()
        ),
    )


def has_independent_observations(game: TabularPOSG) -> Verdict:
    """Decide whether players' observations are independent, given the action and what follows.

    The witness is a row of ``signal_kernel`` that is no product of its marginals.
    """
    for row in range(game.signal_kernel.num_rows):
        law = game.signal_kernel.law(row, lambda signal: tuple(game.signals[signal].tolist()))
        marginals: list[dict[int, Any]] = [{} for _ in game.players]
        for seen, weight in law:
            for own, o in zip(marginals, seen, strict=True):
                own[o] = own.get(o, 0) + weight
        for seen in product(*marginals):
            alone = ONE
            for own, o in zip(marginals, seen, strict=True):
                alone *= own[o]
            if law[seen] != alone:
                labels = zip(game.observations, seen, strict=True)
                shown = ", ".join(_shown(own[o]) for own, o in labels)
                reason = f"({shown}) has chance {law[seen]} together, {alone} if independent"
                return Verdict(False, reason, (row,))
    return HOLDS


def is_turn_based(game: TabularPOSG) -> Verdict:
    """Decide whether at most one player at a time has a choice.

    The witness is a state and two players who both choose there.
    """
    for state, signal in successors(game):
        seen = game.signals[signal].tolist()
        active = [i for i, o in enumerate(seen) if len(game.legal[i][o]) > 1]
        if len(active) > 1:
            first, second = (repr(game.players[i]) for i in active[:2])
            where = _shown(game.states[state])
            reason = f"players {first} and {second} both choose in state {where}"
            return Verdict(False, reason, (state, *active[:2]))
    return HOLDS


def has_fixed_turns(game: TabularAEC) -> Verdict:
    """Decide whether each mover is always followed by the same mover; else witness all three."""
    row, _ = spread(game.transition_kernel.sizes)
    followers: dict[int, int] = {}
    for mover, turn in zip(game.row_mover[row].tolist(), game.entry_turn_row.tolist(), strict=True):
        if turn < 0:
            continue
        for following in game.turn_kernel.outcome[game.turn_kernel.row(turn)].tolist():
            other = followers.setdefault(mover, following)
            if other != following:
                labels = (*map("player {!r}".format, game.players), "chance")  # chance is -1
                names = [labels[j] for j in (mover, other, following)]
                reason = f"{names[0]} is followed by {names[1]} and also by {names[2]}"
                return Verdict(False, reason, (mover, other, following))
    return HOLDS


def always_ends(game: Table) -> Verdict:
    """Decide whether play stops after boundedly many steps or moves, whatever happens.

    The witness is a state to which play can come back.
    """
    if game.horizon is not None:
        return HOLDS
    following = successors(game)
    _, endless = _longest_ways(following)
    if not endless:
        return HOLDS
    state = _on_a_cycle(endless, following)
    return Verdict(False, f"play can come back to state {_shown(game.states[state])}", (state,))


def _on_a_cycle(left: Iterable[Position], following: dict[Position, tuple[Position, ...]]) -> int:
    """Return a state on a cycle: walk backwards among the positions left, until one comes again."""
    kept = dict.fromkeys(left)
    before = {target: place for place in kept for target in following[place] if target in kept}
    place = next(iter(kept))
    walked: set[Position] = set()
    while place not in walked:
        walked.add(place)
        place = before[place]
    return place[0]


def _paid(game: Table) -> Iterator[tuple[int, tuple[Any, ...]]]:
    used = game.entry_reward if isinstance(game, TabularPOSG) else game.reward_kernel.outcome
    for row in np.unique(used).tolist():
        yield row, tuple(game.reward_vectors[row].tolist())


def _draws(game: Table) -> Iterator[tuple[str, Kernel]]:
    if isinstance(game, TabularPOSG):
        yield "first", game.initial_kernel
        yield "next", game.transition_kernel
        yield "observations", game.signal_kernel
        return
    yield "next", game.transition_kernel
    yield "observations", game.observation_kernel
    yield "rewards", game.reward_kernel
    yield "turns", game.turn_kernel


def _drawn(game: Table, name: str, row: int) -> str:
    if name in _DRAWN:
        return _DRAWN[name]
    state = _shown(game.states[game.row_state[row]])
    if isinstance(game, TabularAEC):
        return f"the state that chance draws in state {state}"
    action = _shown(game.joint_action(int(game.row_key[row]) % game.num_joint_actions))
    return f"the state after {action} in state {state}"


def _tells_states_apart(game: Table, views: Iterable[tuple[int, int, int]]) -> Verdict:
    """Find two states in which a player sees the same; views are state, player and observation."""
    met: dict[Position, int] = {}
    for state, player, seen in views:
        other = met.setdefault((player, seen), state)
        if other != state:
            label = _shown(game.observations[player][seen])
            states = f"{_shown(game.states[other])} and in state {_shown(game.states[state])}"
            reason = f"player {game.players[player]!r} sees {label} in state {states}"
            return Verdict(False, reason, (player, seen, other, state))
    return HOLDS


def _vector(rewards: tuple[Any, ...]) -> str:
    return "(" + ", ".join(map(str, rewards)) + ")"


def _shown(label: Any) -> str:
    return shortened_text(text_of(label), most=LONGEST)


def turn_shares(game: TabularAEC) -> ExactArray:
    """Return how often each mover follows each mover, over the positions and actions of a table.

    Every action at every position counts once, chance's outcomes by their probability. Moves that
    end play are left out.

    Returns:
        (N + 1, N + 1): Entry ``[j + 1, k + 1]`` is the share of mover ``k`` among those who follow
        mover ``j``;
            chance is mover -1. A row sums to one, or is zero if play never continues after ``j``.

    >>> from gametheory_core.catalog import RandomOrderTeam
    >>> from gametheory_core.conversions import aec_to_tabular
    >>> str(turn_shares(aec_to_tabular(RandomOrderTeam()).target)[0, 1])
    '1/2'
    """
    counts = np.full((len(game.players) + 1,) * 2, ZERO, dtype=object)
    transitions, turns = game.transition_kernel, game.turn_kernel
    for row, mover in enumerate(game.row_mover.tolist()):
        entries = transitions.row(row)
        weights = transitions.weight[entries].tolist()
        followers = game.entry_turn_row[entries].tolist()
        for weight, turn_row in zip(weights, followers, strict=True):
            if turn_row >= 0:
                for follower, chance in turns.law(turn_row, int):
                    counts[mover + 1, follower + 1] += weight * chance
    totals = counts.sum(axis=1, keepdims=True)
    totals[totals == 0] = ONE
    return freeze(counts / totals)
