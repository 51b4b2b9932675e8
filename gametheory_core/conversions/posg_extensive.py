"""POSGs to trees: the players of a step move in order, unseen, then chance draws.

An information set is a player's information state, so the tree has perfect recall, and policies of
the POSG are behavioral strategies of the tree by the same keys.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.arguments import distinct_texts, text_of
from gametheory_core.arrays import ZERO
from gametheory_core.conversions.conversion import Conversion, Preserved, TreeOfPlays, TreePolicies
from gametheory_core.conversions.tabular import MAX_STATES, posg_to_tabular
from gametheory_core.conversions.unrolling import (
    END,
    LAST,
    MANY_STEPS,
    MOST_COUNTED,
    START,
    WITHIN,
    Draw,
    Knowledge,
    Unrolled,
    count_nodes,
    unroll,
)
from gametheory_core.errors import InvalidArgument, UnsupportedGame, named, refusing_as
from gametheory_core.games import ExtensiveFormGame, TabularPOSG, longest_play
from gametheory_core.games.checked_rules import checked_posg
from gametheory_core.games.extensive_form import choices_to
from gametheory_core.games.rules import NULL, POSG, InformationState, PosgPlay, Step, stop_posg
from gametheory_core.games.tree_table import CHANCE, NO_OUTCOME, InformationSet, Outcome
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.policies import PolicyProfile

MAX_NODES = 10_000_000

PosgToExtensive: TypeAlias = Conversion[POSG, ExtensiveFormGame, PolicyProfile, BehavioralProfile]


def posg_to_extensive(
    game: POSG,
    *,
    horizon: int | None = None,
    max_nodes: int = MAX_NODES,
    max_states: int = MAX_STATES,
    on_iteration: Callable[[int], None] | None = None,
) -> PosgToExtensive:
    """Carry a POSG to the tree of its plays.

    Args:
        horizon: Number of steps; by default the game's own, or as many as it takes to end surely.
        max_nodes: The largest tree to build; nodes are counted first.
        max_states: The largest table to build on the way.
        on_iteration: Called with the number of nodes made so far.

    Returns:
        Its source is the game, stopped at the horizon if one is given. Preserves everything.

    Raises:
        InvalidArgument: If play need not end, and there is no horizon.
        UnsupportedGame: If there would be more nodes than ``max_nodes``; says how many.

    Time and memory are linear in the number of nodes: about a microsecond and 150 bytes each
    where the POSG has few states; 240 bytes once ``exact_terminal_payoffs`` have been asked for.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> posg_to_extensive(RepeatedGame.of("matching_pennies")).target.num_nodes
    7
    """
    source, table, steps = table_to_unroll(
        game, horizon=horizon, max_nodes=max_nodes, max_states=max_states
    )
    unrolled = unroll(table, horizon=steps, on_iteration=on_iteration)
    target, orders = _tree(table, unrolled)
    plays = TreeOfPlays(
        table,
        target,
        lambda: _policies(table, unrolled.knowledge, orders),
        lambda node: _replay(table, target, unrolled.draws, node),
    )
    return Conversion(source, target, plays, frozenset(Preserved))


def table_to_unroll(
    game: POSG, *, horizon: int | None, max_nodes: int, max_states: int = MAX_STATES
) -> tuple[POSG, TabularPOSG, int]:
    """Return a game, stopped if a horizon is given, its table and steps, if its tree is small.

    Cheap: nodes are counted, not made.

    Raises:
        InvalidArgument: If play need not end, and there is no horizon.
        UnsupportedGame: If there would be more nodes than ``max_nodes``; says how many.
    """
    _ = checked_posg(game, "posg_to_extensive")  # refuses what is no POSG
    with refusing_as("posg_to_extensive"):
        asked = game if horizon is None else stop_posg(game, steps=horizon)
    title = repr(game.title or game)
    table = _small_table(asked, title, max_nodes=max_nodes, max_states=max_states)
    steps = longest_play(table)
    if steps is None:
        raise InvalidArgument(
            needs=f"a horizon, because play of {title} need not end by itself",
            remedy=f"Give {named('horizon=...')}, a number of steps.",
        )
    table = replace(table, horizon=steps)
    size = count_nodes(table, horizon=steps, enough=max_nodes)
    if size > max_nodes:
        more = " or more" if size > MOST_COUNTED or steps > MANY_STEPS else ""
        found = f"{title} with {steps} steps has {size:,.0f}{more}"
        raise _too_large(found, max_nodes)
    return asked, table, steps


def _small_table(game: POSG, title: str, *, max_nodes: int, max_states: int) -> TabularPOSG:
    """Tabulate a game, giving up once its tree is too large: each pair is a node at least."""
    most = min(max_nodes, max_states)
    try:
        return posg_to_tabular(game, max_states=most).target
    except UnsupportedGame as error:
        if error.argument == "max_states" and most < max_states:
            raise _too_large(f"{title} has more", max_nodes) from None
        raise


def _too_large(found: str, max_nodes: int) -> UnsupportedGame:
    return UnsupportedGame(
        needs=f"at most {named('max_nodes')} = {max_nodes:,} nodes",
        found=found,
        remedy=f"Give a {named('shorter horizon')}, or raise {named('max_nodes')}.",
    )


def _policies(
    game: TabularPOSG, knowledge: tuple[Knowledge, ...], orders: tuple[Any, ...]
) -> TreePolicies:
    """Return what each information set is called in the rules.

    Args:
        knowledge: The information states of each player.
        orders: Which of them the player's information sets are, in order of first visit.
    """
    keys: list[tuple[int, InformationState]] = []
    actions: list[tuple[Any, ...]] = []
    for player, (known, order) in enumerate(zip(knowledge, orders, strict=True)):
        states = _information_states(game, player, known)
        labels = game.actions[player]
        for k in order.tolist():
            keys.append((player, states[k]))
            actions.append(tuple(labels[a] for a in game.legal[player][known.observation[k]]))
    return TreePolicies(tuple(keys), tuple(actions))


def _tree(game: TabularPOSG, tree: Unrolled) -> tuple[ExtensiveFormGame, tuple[Any, ...]]:
    """Write an unrolled tree as a game, information sets in order of first visit."""
    infosets: list[InformationSet] = []
    node_infoset = np.full(len(tree.kind), -1, dtype=np.int32)
    orders: list[Any] = []
    for player, known in enumerate(tree.knowledge):
        nodes = np.flatnonzero(tree.kind == player)
        order, place = _first_visits(tree.item[nodes])
        node_infoset[nodes] = len(infosets) + place
        orders.append(order)
        names = _names(game, player, known)
        texts = distinct_texts(game.actions[player])
        legal = [tuple(texts[a] for a in own) for own in game.legal[player]]
        infosets.extend(
            InformationSet(player, number, names[k], legal[known.observation[k]])
            for number, k in enumerate(order.tolist(), start=1)
        )
    drawn = 0
    for kind, draw in enumerate(tree.draws):
        nodes = np.flatnonzero(tree.kind == len(game.players) + kind)
        order, place = _first_visits(tree.item[nodes])
        node_infoset[nodes] = len(infosets) + place
        for row in order.tolist():
            drawn += 1
            infosets.append(_chance(game, draw, row, drawn))
    outcomes, node_outcome = _outcomes(game, tree.paid)
    target = ExtensiveFormGame(
        game.players, tuple(infosets), node_infoset, outcomes, node_outcome, title=game.title
    )
    return target, tuple(orders)


def _first_visits(items: Any) -> tuple[Any, Any]:
    """Return the different items in order of first visit, and the place of each in that order."""
    unique, first, inverse = np.unique(items, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return unique[order], rank[inverse]


def _chance(game: TabularPOSG, draw: Draw, row: int, number: int) -> InformationSet:
    entries = draw.kernel.row(row)
    pairs = zip(draw.kernel.outcome[entries].tolist(), draw.signal[entries].tolist(), strict=True)
    labels = [
        game.states[s] if o == END else (game.states[s], *game.joint_observation(o))
        for s, o in pairs
    ]
    weights = tuple(draw.kernel.weight[entries].tolist())
    return InformationSet(CHANCE, number, "", distinct_texts(labels), weights)


def _names(game: TabularPOSG, player: int, known: Knowledge) -> list[str]:
    """Name information states by what was seen and done, leaving out what says nothing."""
    actions = ["", *(f" {text_of(a)}" for a in game.actions[player])]
    seen = ["" if o is NULL else f" {text_of(o)}" for o in game.observations[player]]
    names: list[str] = []
    columns = (column.tolist() for column in known)
    for before, action, observation in zip(*columns, strict=True):
        past = names[before] if before >= 0 else ""
        names.append(past + actions[action + 1] + seen[observation])
    names = [name.lstrip() or "start" for name in names]
    if len(set(names)) < len(names):
        return list(map(repr, _information_states(game, player, known)))
    return names


def _information_states(game: TabularPOSG, player: int, known: Knowledge) -> list[InformationState]:
    actions, seen = game.actions[player], game.observations[player]
    states: list[InformationState] = []
    columns = (column.tolist() for column in known)
    for before, action, observation in zip(*columns, strict=True):
        past = (*states[before], actions[action]) if before >= 0 else ()
        states.append((*past, seen[observation]))
    return states


def _outcomes(game: TabularPOSG, paid: Any) -> tuple[tuple[Outcome, ...], Any]:
    """Return the different discounted reward vectors, and which is paid at each node."""
    codes, place = np.unique(paid, return_inverse=True)
    outcomes: list[Outcome] = []
    number: dict[tuple[Fraction, ...], int] = {(ZERO,) * len(game.players): NO_OUTCOME}
    indices: list[int] = []
    for code in codes.tolist():
        if code < 0:
            indices.append(NO_OUTCOME)
            continue
        step, reward = divmod(code, len(game.reward_vectors))
        vector = tuple((game.reward_vectors[reward] * game.discount**step).tolist())
        if vector not in number:
            number[vector] = len(outcomes)
            outcomes.append(Outcome(vector))
        indices.append(number[vector])
    return tuple(outcomes), np.array(indices, dtype=np.int32)[place]


def _replay(
    game: TabularPOSG, tree: ExtensiveFormGame, draws: tuple[Draw, Draw, Draw], node: int
) -> PosgPlay:
    path = [child for _, child in reversed(choices_to(tree, node))]
    horizon = int(game.horizon or 0)

    def drawn(kind: int, row: int) -> tuple[int, int, int]:
        draw = draws[kind]
        choice = path.pop() if draw.kernel.sizes[row] > 1 else 0
        entry = int(draw.kernel.start[row]) + choice
        return int(draw.kernel.outcome[entry]), int(draw.signal[entry]), int(draw.reward[entry])

    state, signal, _ = drawn(START, 0)
    steps: list[Step] = []
    while signal != END:
        seen = game.signals[signal].tolist()
        chosen = [game.legal[i][o][path.pop()] for i, o in enumerate(seen)]
        code = sum(a * stride for a, stride in zip(chosen, game.strides, strict=True))
        kind = LAST if len(steps) + 1 == horizon else WITHIN
        after, following, reward = drawn(kind, int(game.find_transitions(state, code)))
        rewards = tuple(game.reward_vectors[reward].tolist())
        observed = game.joint_observation(signal)
        steps.append(Step(game.states[state], observed, game.joint_action(code), rewards))
        state, signal = after, following
    return PosgPlay(tuple(steps), game.states[state])
