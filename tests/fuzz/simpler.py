"""Make a failing game small: take away what the failure does not need, while it stays.

A game is exchanged for the first simpler one that still fails, until none does or time is up.
Normal forms lose actions and players, and trees lose moves, choices and nodes; then numbers become
zero, one, or shorter. Other games are kept as they are: their generators make small ones.
"""

import time
from fractions import Fraction

import numpy as np

import gametheory_core as gt
from tests.core.naive_trees import written


def simplest(game, fails, *, seconds=60.0):
    """Return the smallest game found for which ``fails(game)`` still holds."""
    end = time.monotonic() + seconds
    while True:
        for smaller in simpler(game):
            if time.monotonic() > end:
                return game
            if fails(smaller):
                game = smaller
                break
        else:
            return game


def simpler(game):
    """Yield valid games that are simpler, the boldest changes first."""
    if isinstance(game, gt.NormalFormGame):
        changes = changed_tables(game.given_payoffs)
        build = gt.NormalFormGame.from_payoffs
    elif isinstance(game, gt.ExtensiveFormGame):
        root = written(game)
        changes = (
            (part, range(game.num_players)) for part in changed_trees(root, game.num_players)
        )
        changes = [*changes, *without_a_player(root, game.num_players)]

        def build(changed):
            part, players = changed
            return gt.from_sketch(part, players=[f"P{i + 1}" for i in players])
    else:
        return
    for change in changes:
        try:
            yield build(change)
        except gt.GameTheoryError:  # a change that leaves no game
            continue


def shorter(value):
    """Yield numbers that are simpler than one."""
    exact = Fraction(value)
    for other in (
        0,
        1,
        -1,
        round(exact),
        exact.limit_denominator(10),
        exact / 10**20,
        exact * 10**20,
    ):
        if length(other) < length(exact):
            yield type(value)(other) if isinstance(value, float) else Fraction(other)


def length(value):
    """How much there is to write of a number, and whether it is the simplest of its length."""
    exact = Fraction(value)
    return len(str(exact.numerator)) + len(str(exact.denominator)), abs(exact), exact < 0


def changed_tables(table):
    """Yield tables (player, actions...) with an action or a player less, or simpler numbers."""
    for axis in range(1, table.ndim):
        for action in range(table.shape[axis]):
            if table.shape[axis] > 1:
                yield np.delete(table, action, axis=axis)
            elif table.ndim > 2:
                yield np.delete(np.take(table, action, axis=axis), axis - 1, axis=0)
    if table.dtype != object:
        yield np.array([Fraction(x) for x in table.ravel()], dtype=object).reshape(table.shape)
    for change in (round, lambda x: Fraction(x).limit_denominator(10)):
        plain = np.array([Fraction(change(x)) for x in table.ravel()], dtype=object)
        if (plain != table.ravel()).any():
            yield plain.reshape(table.shape)
    for place in np.ndindex(table.shape):
        for other in shorter(table[place]):
            changed = table.copy()
            changed[place] = other
            yield changed


def changed_trees(node, num_players):
    """Yield nested trees in which one part is simpler."""
    if isinstance(node, gt.Terminal):
        for i, value in enumerate(node.payoffs):
            for other in shorter(value):
                yield gt.Terminal([*node.payoffs[:i], other, *node.payoffs[i + 1 :]])
        return
    yield gt.Terminal([Fraction(0)] * num_players)
    below = children(node)
    yield from below.values()
    if any(node.payoffs):
        yield like(node, below, payoffs=())
    if isinstance(node, gt.Chance) and len(below) > 1:
        for kept in (list(below)[:-1], list(below)[1:]):
            yield gt.Chance({a: (Fraction(1, len(kept)), below[a]) for a in kept}, node.payoffs)
    for action, child in below.items():
        for other in changed_trees(child, num_players):
            yield like(node, below | {action: other})
    if isinstance(node, gt.Decision):
        for action in list(below)[1:]:
            yield without_choice(node, (node.player, node.infoset), action)


def children(node):
    """The nodes below, by label."""
    if isinstance(node, gt.Decision):
        return dict(node.children)
    return {a: child for a, (_, child) in node.children.items()}


def like(node, below, payoffs=None):
    """A node with others below it."""
    paid = node.payoffs if payoffs is None else payoffs
    if isinstance(node, gt.Decision):
        return gt.Decision(node.player, node.infoset, below, paid)
    return gt.Chance({a: (node.children[a][0], child) for a, child in below.items()}, paid)


def without_choice(node, infoset, action):
    """A tree in which an action is gone wherever its information set is."""
    if isinstance(node, gt.Terminal):
        return node
    below = {a: without_choice(child, infoset, action) for a, child in children(node).items()}
    if isinstance(node, gt.Decision) and (node.player, node.infoset) == infoset:
        below.pop(action)
    return like(node, below)


def without_a_player(root, num_players):
    """Yield (tree, players left) where one player has no move any more, and is left out."""
    for gone in range(num_players if num_players > 1 else 0):
        if not moves(root, gone):
            yield left_out(root, gone), range(num_players - 1)


def moves(node, player):
    """Whether a player moves anywhere."""
    if isinstance(node, gt.Terminal):
        return False
    is_own = isinstance(node, gt.Decision) and node.player == player
    return is_own or any(moves(child, player) for child in children(node).values())


def left_out(node, gone):
    """A tree without the payoffs of a player, and later players counted down."""
    paid = [value for i, value in enumerate(node.payoffs) if i != gone]
    if isinstance(node, gt.Terminal):
        return gt.Terminal(paid)
    below = {a: left_out(child, gone) for a, child in children(node).items()}
    if isinstance(node, gt.Decision):
        return gt.Decision(node.player - (node.player > gone), node.infoset, below, paid)
    return like(node, below, payoffs=paid)
