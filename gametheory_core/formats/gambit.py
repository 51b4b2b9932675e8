"""Gambit's files: trees in ``.efg``, normal forms in ``.nfg``.

    EFG 2 R "title" { "P1" "P2" } "comment"
    c "node" 1 "infoset" { "red" 1/2 "black" 1/2 } 0
    p "node" 1 1 "infoset" { "raise" "fold" } 0
    t "node" 1 "outcome" { 1, -1 }

The numbers after ``p`` are player and information set, the last number of a node its outcome (0 for
none). The label and actions of an information set, and the label and payoffs of an outcome, may be
left out after their first mention. Outcomes may hang on any node; payoffs add up along a play.

Gambit's ``.nfg`` files: normal-form games, with payoffs cell by cell or by outcomes.

    NFG 1 R "title" { "P1" "P2" } { { "a" "b" } { "c" "d" } } "comment"
    { { "outcome 1" 3 0 } { "outcome 2" 1/2 0.25 } ... }     (outcome version only)
    numbers: all players' payoffs of each cell; or the outcome of each cell, 0 for nothing

The first player's action varies fastest.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from gametheory_core.arguments import numbered_labels
from gametheory_core.arrays import ZERO, ExactArray
from gametheory_core.errors import InvalidGame
from gametheory_core.formats.gambit_text import (
    RECOVERING,
    RENAMING,
    DuplicateLabels,
    Reader,
    numbered_until_new,
    quoted,
)
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.tree_table import (
    CHANCE,
    NO_OUTCOME,
    InformationSet,
    Outcome,
    breadth_first_order,
)
from gametheory_core.recovered_numbers import recovered_decimals


@dataclass
class _Tree:
    """What has been read, nodes in preorder."""

    players: tuple[str, ...]
    recover: bool = False
    infosets: list[InformationSet] = field(default_factory=list[InformationSet])
    infoset_index: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])
    written_actions: list[list[str]] = field(default_factory=list[list[str]])
    labels_used: dict[int, dict[str, int]] = field(default_factory=dict[int, dict[str, int]])
    outcomes: list[Outcome] = field(default_factory=list[Outcome])
    outcome_index: dict[int, int] = field(default_factory=dict[int, int])
    node_infoset: list[int] = field(default_factory=list[int])
    node_outcome: list[int] = field(default_factory=list[int])
    node_labels: list[str] = field(default_factory=list[str])


def parse_efg(
    content: str,
    *,
    name: str = "text",
    duplicates: DuplicateLabels = DuplicateLabels.REFUSE,
    recover: bool = False,
) -> ExtensiveFormGame:
    """Read a game from the text of an ``.efg`` file.

    Args:
        name: What messages call the file.
        duplicates: What to do when two things share a label.
        recover: Whether probabilities of chance that are rounded decimals become the simple
            fractions that sum to one: ``recovered_numbers.recovered_decimals`` says which.

    Raises:
        MalformedFile: With line and column, what was expected and what was found.

    >>> parse_efg('EFG 2 R "" { "A" } p "" 1 1 "" { "l" "r" } 0 t "" 1 { 1 } t "" 2 { 0.5 }')
    ExtensiveFormGame('', 1 player, 3 nodes, 1 information set)
    """
    reader = Reader(content, name=name, duplicates=duplicates)
    title, players = reader.header("EFG", version="2")
    if reader.at_text:
        reader.text("a comment")
    tree = _Tree(players, recover)
    _read_nodes(reader, tree)
    reader.finish()
    return _game(tree, title)


def _read_nodes(reader: Reader, tree: _Tree) -> None:
    open_branches = 1
    while open_branches:
        kind = reader.word(
            ("c", "p", "t"), f"a node ('c', 'p' or 't'; {open_branches} more are needed)"
        )
        tree.node_labels.append(reader.text("the name of the node in quotes"))
        open_branches -= 1
        if kind == "t":
            tree.node_infoset.append(-1)
        else:
            player = CHANCE
            if kind == "p":
                expected = "the number of a player"
                player = reader.integer(expected, least=1, most=len(tree.players)) - 1
            index = _read_infoset(reader, tree, player)
            tree.node_infoset.append(index)
            open_branches += len(tree.infosets[index].actions)
        tree.node_outcome.append(_read_outcome(reader, tree))


def _read_infoset(reader: Reader, tree: _Tree, player: int) -> int:
    mark = reader.mark()
    number = reader.integer("the number of an information set", least=0)
    label = reader.text("a label") if reader.at_text else ""
    index = tree.infoset_index.get((player, number))
    if not reader.at_brace("{"):
        if index is None:
            reader.fail(f"'{{' and the actions of information set {number}, mentioned first here")
        return index
    actions, written = _read_actions(reader, is_chance=player == CHANCE)
    probabilities = None if written is None else _probabilities(written, recover=tree.recover)
    if index is not None:
        _check_same(reader, tree, index, actions, probabilities, mark)
        return index
    owner = "chance" if player == CHANCE else f"player {player + 1}"
    place = f"information set {number} of {owner}"
    try:
        infoset = InformationSet(
            player,
            number,
            _infoset_label(reader, tree, player, label, number),
            reader.labels(actions, kind="action", owner=place),
            probabilities,
        )
    except InvalidGame as error:
        can_recover = written is not None and _probabilities(written, recover=True) != probabilities
        reader.complain(error.changed(remedy=RECOVERING) if can_recover else error, mark=mark)
    index = tree.infoset_index[player, number] = len(tree.infosets)
    tree.infosets.append(infoset)
    tree.written_actions.append(actions)
    return index


def _read_actions(reader: Reader, *, is_chance: bool) -> tuple[list[str], list[str] | None]:
    """Return actions, and the probabilities of chance as they are written."""
    if not is_chance:
        return reader.texts("action names"), None
    actions: list[str] = []
    written: list[str] = []
    reader.brace("{", "before the actions of chance")
    while not reader.at_brace("}"):
        actions.append(reader.text("an action of chance in quotes, or '}'"))
        reader.number(f"the probability of {actions[-1]!r}")
        written.append(reader.taken)
    reader.brace("}", "after the actions of chance")
    return actions, written


def _probabilities(written: list[str], *, recover: bool) -> tuple[Fraction, ...]:
    found = recovered_decimals(written) if recover and written else None
    return tuple(map(Fraction, written)) if found is None else found


def _infoset_label(reader: Reader, tree: _Tree, player: int, label: str, number: int) -> str:
    if player == CHANCE:
        return label
    used = tree.labels_used.setdefault(player, {})
    first = used.get(label) if label else None
    if first is None:
        used[label] = number
        return label
    if reader.duplicates is DuplicateLabels.REFUSE:
        raise InvalidGame(
            needs="a label of its own",
            found=f"{label!r} also names information set {first}",
            remedy=RENAMING,
            where=f"information set {number} of player {player + 1}",
        )
    new = numbered_until_new(label, used)
    used[new] = number
    return new


def _check_same(
    reader: Reader,
    tree: _Tree,
    index: int,
    actions: list[str],
    probabilities: tuple[Fraction, ...] | None,
    mark: int,
) -> None:
    known = tree.infosets[index]
    place = f"information set {known.number}"
    if actions != tree.written_actions[index]:
        found = f"they are {actions} here and were {tree.written_actions[index]} before"
        needs = "the same actions at all its nodes"
        reader.complain(InvalidGame(needs=needs, found=found, where=place), mark=mark)
    if probabilities != known.probabilities:
        here, before = (
            ", ".join(map(str, weights or ())) for weights in (probabilities, known.probabilities)
        )
        error = InvalidGame(
            needs="the same probabilities at all its nodes",
            found=f"they are {here} here and were {before} before",
            where=f"{place} of chance",
        )
        reader.complain(error, mark=mark)


def _read_outcome(reader: Reader, tree: _Tree) -> int:
    mark = reader.mark()
    number = reader.integer("the number of an outcome, or 0", least=0)
    label = reader.text("a label") if reader.at_text else ""
    index = tree.outcome_index.get(number)
    if not reader.at_brace("{"):
        if number == 0:
            return NO_OUTCOME
        if index is None:
            reader.fail(f"'{{' and the payoffs of outcome {number}, mentioned first here")
        return index
    payoffs = reader.numbers("payoffs", length=len(tree.players))
    if number == 0:
        error = InvalidGame(found="outcome 0 stands for no payoff, but has payoffs", where="")
        reader.complain(error, mark=mark)
    if index is None:
        index = tree.outcome_index[number] = len(tree.outcomes)
        tree.outcomes.append(Outcome(payoffs, label))
    elif tree.outcomes[index].payoffs != payoffs:
        here, before = (", ".join(map(str, p)) for p in (payoffs, tree.outcomes[index].payoffs))
        error = InvalidGame(
            needs="the same payoffs everywhere",
            found=f"they are {here} here and were {before} before",
            where=f"outcome {number}",
        )
        reader.complain(error, mark=mark)
    return index


def _game(tree: _Tree, title: str) -> ExtensiveFormGame:
    counts = [len(tree.infosets[s].actions) if s >= 0 else 0 for s in tree.node_infoset]
    order = breadth_first_order(counts)
    labels = tuple(tree.node_labels[v] for v in order) if any(tree.node_labels) else ()
    return ExtensiveFormGame(
        players=tree.players,
        infosets=tuple(tree.infosets),
        node_infoset=np.array(tree.node_infoset, dtype=np.int32)[order],
        outcomes=tuple(tree.outcomes),
        node_outcome=np.array(tree.node_outcome, dtype=np.int32)[order],
        node_labels=labels,
        title=title,
    )


def format_efg(game: ExtensiveFormGame) -> str:
    """Write a game as the text of an ``.efg`` file, numbers as rationals."""
    players = " ".join(map(quoted, game.players))
    lines = [f"EFG 2 R {quoted(game.title)} {{ {players} }}"]
    infoset_texts = [_infoset_text(infoset) for infoset in game.infosets]
    outcome_texts = [
        f"{index + 1} {quoted(outcome.label)} {{ {', '.join(map(str, outcome.payoffs))} }}"
        for index, outcome in enumerate(game.outcomes)
    ]
    for node in _preorder(game):
        infoset, outcome = int(game.node_infoset[node]), int(game.node_outcome[node])
        label = quoted(game.node_labels[node]) if game.node_labels else '""'
        paid = outcome_texts[outcome] if outcome != NO_OUTCOME else "0"
        if infoset < 0:
            lines.append(f"t {label} {paid}")
        else:
            kind = "c" if game.infosets[infoset].player == CHANCE else "p"
            lines.append(f"{kind} {label} {infoset_texts[infoset]} {paid}")
    return "\n".join(lines) + "\n"


def _infoset_text(infoset: InformationSet) -> str:
    if infoset.probabilities is None:
        actions = " ".join(map(quoted, infoset.actions))
        owner = f"{infoset.player + 1} "
    else:
        pairs = zip(infoset.actions, infoset.probabilities, strict=True)
        actions = " ".join(f"{quoted(action)} {probability}" for action, probability in pairs)
        owner = ""
    return f"{owner}{infoset.number} {quoted(infoset.label)} {{ {actions} }}"


def _preorder(game: ExtensiveFormGame) -> Iterator[int]:
    first, count = game.first_child.tolist(), game.num_children.tolist()
    pending = [0]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(range(first[node] + count[node] - 1, first[node] - 1, -1))


MOST_PLAYERS = 63  # numpy arrays have at most 64 axes


def parse_nfg(
    content: str, *, name: str = "text", duplicates: DuplicateLabels = DuplicateLabels.REFUSE
) -> NormalFormGame:
    """Read a game from the text of a ``.nfg`` file.

    Args:
        name: What messages call the file.
        duplicates: What to do when two things share a label.

    Raises:
        MalformedFile: With line and column, what was expected and what was found.

    >>> parse_nfg('NFG 1 R "" { "A" "B" } { 1 2 } 1/3 0 0 0.1').exact_payoffs[1, 0, 1]
    Fraction(1, 10)
    """
    reader = Reader(content, name=name, duplicates=duplicates)
    title, players = reader.header("NFG", version="1")
    if len(players) > MOST_PLAYERS:
        reader.fail(f"at most {MOST_PLAYERS} players before", found=f"{len(players)}")
    actions = _actions(reader, len(players))
    if reader.at_text:
        reader.text("a comment")
    shape = tuple(len(labels) for labels in actions)
    num_cells = int(np.prod(shape, dtype=object))
    if reader.at_brace("{"):
        cells = _cells_by_outcome(reader, num_cells, len(players))
    else:
        cells = [
            [
                reader.number(f"payoff of player {i + 1} in cell {cell + 1} of {num_cells}")
                for i in range(len(players))
            ]
            for cell in range(num_cells)
        ]
    reader.finish()
    flat = np.empty((num_cells, len(players)), dtype=object)
    for cell, payoffs in enumerate(cells):
        flat[cell] = payoffs
    payoffs = flat.reshape((*shape[::-1], len(players))).T
    return NormalFormGame(players, actions, payoffs, title)


def _actions(reader: Reader, num_players: int) -> tuple[tuple[str, ...], ...]:
    reader.brace("{", "before the strategies")
    actions: list[tuple[str, ...]] = []
    for player in range(num_players):
        owner = f"player {player + 1}"
        if reader.at_brace("{"):
            labels = reader.texts(f"strategies of {owner}")
            if not labels:
                reader.fail(f"at least one strategy of {owner}")
            actions.append(reader.labels(labels, kind="strategy", owner=owner))
        else:
            what = f"the number of strategies of {owner}, no more than there are numbers to come"
            count = reader.integer(what, least=1, most=max(1, reader.words_left))
            actions.append(numbered_labels(count))
    reader.brace("}", f"after the strategies of {num_players} players")
    return tuple(actions)


def _cells_by_outcome(reader: Reader, num_cells: int, num_players: int) -> list[list[Fraction]]:
    outcomes: list[list[Fraction]] = [[ZERO] * num_players]
    reader.brace("{", "before the outcomes")
    while not reader.at_brace("}"):
        reader.brace("{", f"before outcome {len(outcomes)}, or '}}' after the last")
        if reader.at_text:
            reader.text("the name of the outcome")
        outcomes.append(
            [
                reader.number(f"payoff of player {i + 1} in outcome {len(outcomes)}")
                for i in range(num_players)
            ]
        )
        reader.brace("}", f"after {num_players} payoffs")
    reader.brace("}", "after the outcomes")
    return [
        outcomes[
            reader.integer(
                f"the outcome of cell {cell + 1} of {num_cells}", least=0, most=len(outcomes) - 1
            )
        ]
        for cell in range(num_cells)
    ]


def format_nfg(game: NormalFormGame) -> str:
    """Write a game as the text of a ``.nfg`` file, payoff version, numbers as rationals."""
    players = " ".join(map(quoted, game.players))
    actions = " ".join("{ " + " ".join(map(quoted, own)) + " }" for own in game.actions)
    cells: ExactArray = game.exact_payoffs.T.reshape(-1, game.num_players)
    rows = "\n".join(" ".join(map(str, cell)) for cell in cells)
    return f"NFG 1 R {quoted(game.title)} {{ {players} }}\n\n{{ {actions} }}\n\n{rows}\n"
