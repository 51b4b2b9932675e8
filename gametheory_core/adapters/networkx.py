"""Trees, AEC games and best replies as graphs of networkx, exact numbers kept as attributes."""

from enum import Enum
from typing import Any, cast

import numpy as np

from gametheory_core.arguments import require_integer, require_member
from gametheory_core.conversions.tabular import aec_to_tabular
from gametheory_core.errors import UnsupportedGame, not_installed
from gametheory_core.games.checked_rules import require_aec_members
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import require_normal_form, require_tree
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.rules import AEC, NULL
from gametheory_core.games.tables import TabularAEC
from gametheory_core.games.tree_table import CHANCE

try:
    import networkx as nx
except ImportError as error:
    raise not_installed("adapters.networkx", "networkx", extra="interop") from error

MAX_STATES = 10_000
MAX_JOINT_ACTIONS = 10_000
CHANCE_LABEL = "chance"
END = None  # the mover where play has ended


class Replies(Enum):
    """Which changes of one player's action are drawn; the value says it in words."""

    BEST = "those to a best response, where it earns more"
    BETTER = "all that earn more"


def tree_graph(game: ExtensiveFormGame) -> Any:
    """Return a game tree as a directed graph.

    Returns:
        Nodes are the numbers of the game's nodes, in order, the root being 0. Each has ``player``
        (label of the mover, ``"chance"``, or ``""`` at the end), ``infoset`` (its label, or
        ``#number`` if it has none, or ``""``), ``payoffs`` (a tuple of ``Fraction``: what is paid
        on reaching the node; empty for nothing) and, if nodes are named, ``label``. Edges have
        ``action`` and, after chance, ``probability`` (``Fraction``).

    Raises:
        MissingDependency: On import, if networkx is not installed.

    >>> from gametheory_core.catalog import load
    >>> graph = tree_graph(load("kuhn_poker"))
    >>> graph.nodes[0]["player"], graph.edges[0, 1]["action"], str(graph.edges[0, 1]["probability"])
    ('chance', 'JQ', '1/6')
    """
    require_tree(game)
    graph = nx.DiGraph(title=game.title)
    for node, (index, outcome) in enumerate(
        zip(game.node_infoset.tolist(), game.node_outcome.tolist(), strict=True)
    ):
        player, infoset = ("", "") if index < 0 else _named(game, index)
        payoffs = game.outcomes[outcome].payoffs if outcome >= 0 else ()
        named = {"label": game.node_labels[node]} if game.node_labels else {}
        graph.add_node(node, player=player, infoset=infoset, payoffs=payoffs, **named)
    for node, index in enumerate(game.node_infoset.tolist()):
        if index >= 0:
            infoset = game.infosets[index]
            first = int(game.first_child[node])
            for position, action in enumerate(infoset.actions):
                chance = infoset.probabilities
                known = {} if chance is None else {"probability": chance[position]}
                graph.add_edge(node, first + position, action=action, **known)
    return graph


def _named(game: ExtensiveFormGame, index: int) -> tuple[str, str]:
    infoset = game.infosets[index]
    player = CHANCE_LABEL if infoset.player == CHANCE else game.players[infoset.player]
    return player, infoset.label or f"#{infoset.number}"


def aec_state_graph(game: AEC, *, max_states: int = MAX_STATES) -> Any:
    """Return the positions that play can reach, and the moves between them, as a directed graph.

    Args:
        max_states: Refuse games with more positions.

    Returns:
        Nodes are pairs (state, mover), the start first, with ``mover`` -1 for chance and None where
        play has ended; each has ``player`` (label of the mover, ``"chance"`` or ``""``). Edges have
        ``player``, ``action`` (``NULL`` for chance) and ``probability`` (``Fraction``): that this
        action leads to this state and mover. Positions at which a horizon stops play have no edges.

    Raises:
        UnsupportedGame: If it is no AEC game, or there are more than ``max_states`` positions.
        InvalidGame: If the rules answer something malformed.
        MissingDependency: On import, if networkx is not installed.

    >>> from gametheory_core.catalog import RandomOrderTeam
    >>> graph = aec_state_graph(RandomOrderTeam())
    >>> graph.out_degree(next(iter(graph)))
    2
    """
    require_aec_members(game, "aec_state_graph")
    table = aec_to_tabular(game, max_states=max_states).target
    graph = nx.MultiDiGraph(title=game.title)
    _add_position(
        graph, table, table.initial_index, END if table.terminal[table.initial_index] else CHANCE
    )
    for row in range(len(table.row_key)):
        state, mover = int(table.row_state[row]), int(table.row_mover[row])
        code = int(table.row_key[row]) % table.most_actions
        action = NULL if mover == CHANCE else table.actions[mover][code]
        start = _add_position(graph, table, state, mover)
        entries = table.transition_kernel.row(row)
        for entry in range(entries.start, entries.stop):
            after = int(table.transition_kernel.outcome[entry])
            weight = table.transition_kernel.weight[entry]
            for follower, chance in _followers(table, int(table.entry_turn_row[entry])):
                end = _add_position(graph, table, after, follower)
                player = _mover_label(table, mover)
                graph.add_edge(
                    start, end, player=player, action=action, probability=weight * chance
                )
    return graph


def _followers(table: TabularAEC, turn_row: int) -> list[tuple[int | None, Any]]:
    if turn_row < 0:
        return [(END, 1)]
    return list(table.turn_kernel.law(turn_row, int))


def _add_position(graph: Any, table: TabularAEC, state: int, mover: int | None) -> tuple[Any, Any]:
    position = (table.states[state], mover)
    graph.add_node(position, player=_mover_label(table, mover))
    return position


def _mover_label(table: TabularAEC, mover: int | None) -> str:
    if mover is None:
        return ""
    return CHANCE_LABEL if mover == CHANCE else table.players[mover]


def best_response_graph(
    game: NormalFormGame,
    *,
    replies: Replies = Replies.BEST,
    max_joint_actions: int = MAX_JOINT_ACTIONS,
) -> Any:
    """Return the joint actions of a game, and how single players improve on them, as a graph.

    Where no edge leads on, nobody gains by changing: these are the pure equilibria. Walks along
    edges are best-response or better-response dynamics; a game whose better-response graph has no
    cycle has the finite improvement property.

    Args:
        game: Any number of players.
        replies: Best replies only, or all better ones.
        max_joint_actions: Refuse games with more joint actions.

    Returns:
        Nodes are joint actions, by number, from 0; each has ``actions`` (their labels), ``payoffs``
        (a tuple of ``Fraction``) and ``is_equilibrium``. Edges have ``player`` (label of who
        changes), ``action`` (label of the new one) and ``gain`` (``Fraction``).

    Raises:
        UnsupportedGame: If there are more than ``max_joint_actions``.
        MissingDependency: On import, if networkx is not installed.

    >>> from gametheory_core.catalog import load
    >>> graph = best_response_graph(load("prisoners_dilemma"))
    >>> [node for node in graph if not graph.out_degree(node)]
    [(1, 1)]
    >>> graph.edges[(0, 0), (1, 0)]["action"], str(graph.edges[(0, 0), (1, 0)]["gain"])
    ('defect', '2')
    """
    require_normal_form(game)
    require_member(replies, Replies, name="replies")
    require_integer(max_joint_actions, name="max_joint_actions", low=1)
    size = game.given_payoffs[0].size
    if size > max_joint_actions:
        raise UnsupportedGame(
            needs=f"at most max_joint_actions = {max_joint_actions:,}",
            found=f"{game!r} has {size:,}",
            remedy="Raise max_joint_actions, or eliminate dominated actions first.",
        )
    graph = nx.DiGraph(title=game.title)
    payoffs = game.exact_payoffs
    for cell in np.ndindex(*game.num_actions):
        actions = tuple(own[a] for own, a in zip(game.actions, cell, strict=True))
        graph.add_node(cell, actions=actions, payoffs=tuple(payoffs[(slice(None), *cell)]))
    for cell in np.ndindex(*game.num_actions):
        for player in range(game.num_players):
            _add_replies(graph, game, cell, player, replies)
        graph.nodes[cell]["is_equilibrium"] = not graph.out_degree(cell)
    return graph


def _add_replies(
    graph: Any, game: NormalFormGame, cell: tuple[int, ...], player: int, replies: Replies
) -> None:
    line = (player, *cell[:player], slice(None), *cell[player + 1 :])
    earned = cast("list[Any]", game.exact_payoffs[line].tolist())
    now, best = earned[cell[player]], max(earned)
    for action, payoff in enumerate(earned):
        if payoff > now and (replies is Replies.BETTER or payoff == best):
            graph.add_edge(
                cell,
                (*cell[:player], action, *cell[player + 1 :]),
                player=game.players[player],
                action=game.actions[player][action],
                gain=payoff - now,
            )
