"""Trees changed in a place or two: a new tree comes back, and the old one stays.

A place is named by its history, the actions that lead there from the root, as ``path_to`` gives
them. New parts are written as sketches, of ``Decision``, ``Chance`` and ``Terminal`` records; their
information sets are those of the old tree where player and label are the same.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias, cast

import numpy as np

from gametheory_core.arguments import as_tuple, require_number, shown
from gametheory_core.arrays import ONE, ZERO, to_fraction
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.extensive_form import ExtensiveFormGame, path_to
from gametheory_core.games.kinds import require_tree
from gametheory_core.games.tree_draft import Chance, Decision, Node, Sketch, Terminal, lay_out
from gametheory_core.games.tree_table import CHANCE, NO_OUTCOME, InformationSet

History: TypeAlias = Sequence[str]
Follows: TypeAlias = Sketch | Callable[[tuple[str, ...]], Sketch]
Move: TypeAlias = Decision[Any] | Chance[Any]


@dataclass(frozen=True)
class _Unnamed:
    """What is known at an information set that no label tells from others."""

    index: int
    label: str

    def __str__(self) -> str:
        return self.label


def set_subtree(game: ExtensiveFormGame, history: History, subtree: Sketch) -> ExtensiveFormGame:
    """Return the tree with something else at a place: more moves, fewer, or other payoffs.

    Args:
        history: Actions from the root to the place; empty for the root.
        subtree: What is there instead.

    Raises:
        InvalidArgument: If no node is there; says how far the history leads.
        InvalidGame: If the new part does not fit, such as other actions at a known information set.

    Information sets are numbered anew; labels of nodes and outcomes stay where nodes do.

    >>> from gametheory_core import Decision, Terminal, from_sketch
    >>> entry = Decision(0, "entrant", {"out": Terminal([0, 2]), "in": Terminal([1, 1])})
    >>> market = from_sketch(entry, players=("Entrant", "Incumbent"))
    >>> fight = Decision(1, "incumbent", {"fight": Terminal([-1, -1]), "share": Terminal([1, 1])})
    >>> set_subtree(market, ["in"], fight).num_nodes
    5
    """
    if not isinstance(subtree, Decision | Chance | Terminal):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidArgument(
            needs="a Decision, a Chance or a Terminal as subtree", found=f"got {shown(subtree)}"
        )
    place = _node_at(game, history)
    return _edited(game, place=place, subtree=subtree)


def add_action(
    game: ExtensiveFormGame,
    history: History,
    action: str,
    follows: Follows,
    *,
    probability: object = None,
) -> ExtensiveFormGame:
    """Return the tree with one more action at an information set, or at a move of chance.

    Args:
        history: Actions from the root to a node of the information set.
        action: Its label; it comes last.
        follows: What it leads to at each node of the set, or a function of a node's history that
            returns that.
        probability: Of an action of chance; the others keep their proportions. Chance's move is
            changed at this node alone.

    Raises:
        InvalidArgument: If play is over there, the action is there already, or a probability is
            missing, or given for a player's action.

    >>> from gametheory_core import Decision, Terminal, from_sketch
    >>> coins = Decision(0, "", {side: Terminal([1, -1]) for side in "HT"})
    >>> game = from_sketch(coins, players=("Row", "Column"))
    >>> add_action(game, [], "edge", Terminal([0, 0])).infosets[0].actions
    ('H', 'T', 'edge')
    """
    place, known = _move_at(game, history)
    if action in known.actions:
        raise InvalidArgument(
            needs=f"a new action at {_spelled(history)}",
            found=f"{action!r} is one of {', '.join(known.actions)}",
        )
    if known.player == CHANCE:
        share = ZERO if probability is None else to_fraction(probability, where="probability")
        require_number(share, name="probability", above=0, below=1)
    elif probability is None:
        share = ONE
    else:
        raise InvalidArgument(
            needs="a probability for moves of chance only",
            found=f"{game.players[known.player]!r} moves at {_spelled(history)}",
        )

    def revise(node: int, old: Move) -> Move:
        then = follows(path_to(game, node)) if callable(follows) else follows
        if isinstance(old, Decision):
            return replace(old, children={**old.children, action: then})
        return Chance({**_scaled(old, ONE - share), action: (share, then)})

    return _edited(game, place=place, revise=revise)


def remove_action(game: ExtensiveFormGame, history: History, action: str) -> ExtensiveFormGame:
    """Return the tree without an action and what follows it, at all nodes of an information set.

    Args:
        history: Actions from the root to a node of the information set. A move of chance is changed
            at this node alone, to its distribution given that the action does not happen.

    Raises:
        InvalidArgument: If there is no such action, or nothing else can happen.

    >>> from gametheory_core import Decision, Terminal, from_sketch
    >>> coins = Decision(0, "", {side: Terminal([1, -1]) for side in ("H", "T", "edge")})
    >>> remove_action(from_sketch(coins, players=("Row", "Column")), [], "edge").num_nodes
    3
    """
    place, known = _move_at(game, history)
    if action not in known.actions:
        raise InvalidArgument(
            needs=f"an action at {_spelled(history)}, {', '.join(known.actions)}",
            found=f"got {action!r}",
        )
    certain = dict(zip(known.actions, known.probabilities or (), strict=False)).get(action) == 1
    if certain or len(known.actions) == 1:
        raise InvalidArgument(
            needs="something else that can happen",
            found=f"{action!r} is all there is at {_spelled(history)}",
            remedy="Replace the whole move by set_subtree.",
        )

    def revise(node: int, old: Move) -> Move:
        del node
        kept: dict[str, Any] = {own: old.children[own] for own in old.children if own != action}
        if isinstance(old, Decision):
            return replace(old, children=kept)
        left = sum((Fraction(cast("Fraction", share)) for share, _ in kept.values()), Fraction(0))
        return Chance(_scaled(Chance(kept), 1 / left))

    return _edited(game, place=place, revise=revise)


def relabel(
    game: ExtensiveFormGame,
    *,
    players: Mapping[str, str] | None = None,
    infosets: Mapping[str, str] | None = None,
    actions: Mapping[str | tuple[str, str], str] | None = None,
    title: str | None = None,
) -> ExtensiveFormGame:
    """Return the tree with other names; nothing else changes.

    Args:
        players, infosets: Old label -> new label.
        actions: Old label, wherever it is, or ``(information set, old label)`` -> new label.

    Raises:
        InvalidArgument: If nothing has an old label, or two information sets have it that are
            named with an action.
        InvalidGame: If players, or actions of one information set, would have one label.

    >>> from gametheory_core import Decision, Terminal, from_sketch
    >>> coins = Decision(0, "toss", {side: Terminal([1, -1]) for side in "HT"})
    >>> game = from_sketch(coins, players=("1", "2"))
    >>> named = relabel(game, players={"1": "Row"}, actions={"H": "heads", ("toss", "T"): "tails"})
    >>> named.players, named.infosets[0].actions
    (('Row', '2'), ('heads', 'tails'))
    """
    require_tree(game)
    given = {"players": players, "infosets": infosets, "actions": actions}
    for name, names in given.items():
        if names is not None and not isinstance(names, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidArgument(
                needs=f"{name} as old label -> new label", found=f"got {shown(names)}"
            )
    new_players, new_sets = dict(players or {}), dict(infosets or {})
    new_actions: dict[Any, str] = {**(actions or {})}
    pairs = [(own.label, action) for own in game.infosets for action in own.actions]
    _refuse_unknown("player", new_players, game.players)
    _refuse_unknown("information set", new_sets, [own.label for own in game.infosets])
    _refuse_unknown("action", new_actions, [*(action for _, action in pairs), *pairs])
    for label in (old for old in new_actions if isinstance(old, tuple)):
        if pairs.count(label) > 1:
            raise InvalidArgument(
                needs="an information set that one player has by this name",
                found=f"{pairs.count(label)} are called {label[0]!r}",
                remedy="Name them apart first, in the sketch or the file.",
            )

    def renamed(own: InformationSet) -> InformationSet:
        labels = tuple(
            new_actions.get((own.label, action), new_actions.get(action, action))
            for action in own.actions
        )
        return replace(own, label=new_sets.get(own.label, own.label), actions=labels)

    return replace(
        game,
        players=tuple(new_players.get(own, own) for own in game.players),
        infosets=tuple(map(renamed, game.infosets)),
        title=game.title if title is None else title,
    )


def _edited(
    game: ExtensiveFormGame,
    *,
    place: int,
    subtree: Sketch | None = None,
    revise: Callable[[int, Move], Move] | None = None,
) -> ExtensiveFormGame:
    """Lay the tree out again, with a sketch at a place, or with its information set revised."""
    names = [(own.player, own.label) for own in game.infosets]
    counts = {name: names.count(name) for name in set(names)}
    index = int(game.node_infoset[place])
    is_chance = index >= 0 and game.infosets[index].player == CHANCE
    before: list[int] = []  # which of the old nodes each new one was; -1 for none

    def expand(position: Any) -> Node[Any]:
        is_new = not isinstance(position, int) or (subtree is not None and position == place)
        before.append(-1 if is_new else position)
        if is_new:
            return cast("Node[Any]", subtree if isinstance(position, int) else position)
        node = _as_before(game, position, counts)
        if revise is None or isinstance(node, Terminal):
            return node
        is_meant = position == place if is_chance else game.node_infoset[position] == index
        return revise(position, node) if is_meant else node

    new = lay_out(0, expand=expand, players=game.players, title=game.title)
    return _with_labels(game, new, np.array(before))


def _as_before(
    game: ExtensiveFormGame, node: int, counts: Mapping[tuple[int, str], int]
) -> Node[Any]:
    """Return what happens at a node of the old tree, without what is paid there.

    Args:
        counts: How often a player's label is used.
    """
    index = int(game.node_infoset[node])
    if index < 0:
        return Terminal(())
    known = game.infosets[index]
    first = int(game.first_child[node])
    children = range(first, first + len(known.actions))
    if known.probabilities is not None:
        pairs = zip(known.probabilities, children, strict=True)
        return Chance(dict(zip(known.actions, pairs, strict=True)))
    is_named = bool(known.label) and counts[known.player, known.label] == 1
    key = known.label if is_named else _Unnamed(index, known.label)
    return Decision(known.player, key, dict(zip(known.actions, children, strict=True)))


def _with_labels(
    game: ExtensiveFormGame, new: ExtensiveFormGame, before: np.ndarray
) -> ExtensiveFormGame:
    """Return the new tree with the outcomes, and labels of nodes, that the old one had."""
    kept = np.where(before >= 0, game.node_outcome[before], NO_OUTCOME)
    others = np.where(kept == NO_OUTCOME, new.node_outcome, NO_OUTCOME)
    used_old, used_new = (sorted({*own.tolist()} - {NO_OUTCOME}) for own in (kept, others))
    places = {("old", own): k for k, own in enumerate(used_old)}
    places |= {("new", own): len(used_old) + k for k, own in enumerate(used_new)}
    node_outcome = [
        places.get(("old", old), places.get(("new", other), NO_OUTCOME))
        for old, other in zip(kept.tolist(), others.tolist(), strict=True)
    ]
    labels = game.node_labels
    return replace(
        new,
        outcomes=(*(game.outcomes[k] for k in used_old), *(new.outcomes[k] for k in used_new)),
        node_outcome=np.array(node_outcome, dtype=np.int32),
        node_labels=tuple(labels[k] if k >= 0 else "" for k in before) if labels else (),
    )


def _scaled(move: Chance[Any], factor: Fraction) -> dict[str, tuple[Fraction, Any]]:
    return {
        action: (factor * Fraction(cast("Fraction", share)), child)
        for action, (share, child) in move.children.items()
    }


def _node_at(game: ExtensiveFormGame, history: History) -> int:
    """Return the node that a history leads to.

    Raises:
        InvalidArgument: If it leads nowhere; says which actions there are.
    """
    require_tree(game)
    node = 0
    for k, action in enumerate(as_tuple(history, name="history")):
        index = int(game.node_infoset[node])
        actions = game.infosets[index].actions if index >= 0 else ()
        if action not in actions:
            raise InvalidArgument(
                needs=f"an action that can be taken at {_spelled(history[:k])}, "
                f"{', '.join(map(repr, actions)) or 'where play is over'}",
                found=f"got {action!r}",
            )
        node = int(game.first_child[node]) + actions.index(action)
    return node


def _move_at(game: ExtensiveFormGame, history: History) -> tuple[int, InformationSet]:
    place = _node_at(game, history)
    index = int(game.node_infoset[place])
    if index < 0:
        raise InvalidArgument(
            needs=f"a move at {_spelled(history)}",
            found="play is over there",
            remedy="Put one there by set_subtree.",
        )
    return place, game.infosets[index]


def _spelled(history: History) -> str:
    return " ".join(map(repr, history)) or "the root"


def _refuse_unknown(kind: str, given: Mapping[Any, str], known: Sequence[Any]) -> None:
    for label in given:
        if label not in known:
            names = ", ".join(dict.fromkeys(map(repr, known)))
            raise InvalidArgument(
                needs=f"the label of an old {kind}: {names}", found=f"got {label!r}"
            )
