"""Search for a sequential equilibrium of several players: simple play, explained by mistakes.

Looked at are profiles in which all choices are pure, then those in which two players mix two
actions each, at one information set each; their shares solve two linear equations. Ways to places
that play does not reach are told apart by the mistakes on them; the weights of these ways that make
the profile best form a polytope, of which vertices and their mean are tried. ``consistent_beliefs``
then looks for the sizes of mistakes that explain the weights at all places together.

The search is not complete: there may be equilibria with more mixing only. What it finds is
certified.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import chain, combinations, islice, product
from math import prod
from operator import and_
from typing import TypeAlias

from gametheory_core import ExtensiveFormGame
from gametheory_core.arrays import ONE, ZERO
from gametheory_core.games.tree_table import CHANCE
from gametheory_core.strategies.sequences import chance_reach
from gametheory_core.strategies.trembles import LeadingTerm, infoset_nodes
from solvers._programs.reply_vertices import Replies, Side, vertices
from solvers.trees.consistent_beliefs import Slip, Way, Weights, slips_for

Play: TypeAlias = dict[int, dict[int, Fraction]]  # shares of actions played, by information set
Tick: TypeAlias = Callable[[], None]  # once for each choice looked at; may raise to stop

MOST_PROFILES = 100_000
MOST_WEIGHTS = 1000  # combinations tried for one profile


@dataclass(frozen=True)
class Explained:
    """Play, and the sizes of mistakes that matter to beliefs."""

    play: Play
    slips: dict[Slip, LeadingTerm]


def search_assessment(game: ExtensiveFormGame, *, tick: Tick) -> Explained | None:
    """Look for a sequential equilibrium; None if the search ends without one.

    Args:
        game: Perfect recall; chance excludes no information set.
    """
    tree = _tree(game)
    for play in islice(chain(_pure(tree, tick), _mixed(tree, tick)), MOST_PROFILES):
        found = _explained(tree, play)
        if found is not None:
            return found
    return None


@dataclass(frozen=True, eq=False)
class _Tree:
    """A tree as lists.

    Attributes:
        nodes: Of each information set of players, those that chance does not exclude.
        steps: What players chose on the way to each node: information sets and actions.
        chance: Product of chance's probabilities on the way to each node.
        infosets, players: Of each node; the player of chance and of ends is below 0.
        children: Of each node, in the order of actions.
        payoffs: Of each end.
    """

    game: ExtensiveFormGame
    nodes: list[tuple[int, ...]]
    steps: list[tuple[Slip, ...]]
    chance: list[Fraction]
    infosets: list[int]
    players: list[int]
    children: list[range]
    payoffs: dict[int, list[Fraction]]

    def num_actions(self, infoset: int) -> int:
        return len(self.game.infosets[infoset].actions)


def _tree(game: ExtensiveFormGame) -> _Tree:
    chance = chance_reach(game).tolist()
    first, counts = game.first_child.tolist(), game.num_children.tolist()
    children = [range(f, f + n) for f, n in zip(first, counts, strict=True)]
    infosets, players = game.node_infoset.tolist(), game.node_player.tolist()
    steps: list[tuple[Slip, ...]] = [()] * game.num_nodes
    for node, below in enumerate(children):
        for action, child in enumerate(below):
            own = () if players[node] == CHANCE else ((infosets[node], action),)
            steps[child] = steps[node] + own
    return _Tree(
        game=game,
        nodes=[tuple(v for v in nodes if chance[v]) for nodes in infoset_nodes(game)],
        steps=steps,
        chance=chance,
        infosets=infosets,
        players=players,
        children=children,
        payoffs=dict(
            zip(game.terminals.tolist(), game.exact_terminal_payoffs.tolist(), strict=True)
        ),
    )


def _pure(tree: _Tree, tick: Tick) -> Iterator[Play]:
    """List pure profiles, the last choices first, that some belief makes best at each place."""
    depth = [min(len(tree.steps[v]) for v in nodes) for nodes in tree.nodes]
    order = sorted(range(len(depth)), key=lambda s: -depth[s])

    def extend(k: int, play: Play) -> Iterator[Play]:
        if k == len(order):
            yield dict(play)
            return
        infoset = order[k]
        for action in _sensible(tree, play, infoset):
            tick()
            yield from extend(k + 1, {**play, infoset: {action: ONE}})

    return extend(0, {})


def _sensible(tree: _Tree, play: Play, infoset: int) -> list[int]:
    """List the actions that are best for some belief, or all if later play is not decided yet."""
    actions = list(range(tree.num_actions(infoset)))
    nodes = tree.nodes[infoset]
    try:
        earned = {
            a: {v: _value(tree, play, tree.children[v][a], infoset) for v in nodes} for a in actions
        }
    except KeyError:
        return actions
    found = [vertex.best for vertex in vertices(Side((nodes,), (earned,)))]
    return [a for a in actions if any(a in best for best in found)]


def _value(tree: _Tree, play: Play, node: int, infoset: int) -> Fraction:
    """Return what the mover at an information set expects from a node on."""
    below = tree.children[node]
    if not below:
        return tree.payoffs[node][tree.game.infosets[infoset].player]
    at = tree.infosets[node]
    if tree.players[node] == CHANCE:
        shares = dict(enumerate(tree.game.infosets[at].probabilities or ()))
    else:
        shares = play[at]
    return sum((p * _value(tree, play, below[a], infoset) for a, p in shares.items() if p), ZERO)


def _mixed(tree: _Tree, tick: Tick) -> Iterator[Play]:
    """List profiles in which two players mix two actions each, at one information set each."""
    everywhere = range(len(tree.nodes))
    for places in combinations(everywhere, 2):
        players = {tree.game.infosets[s].player for s in places}
        if len(players) < 2:
            continue
        rest = [s for s in everywhere if s not in places]
        pairs = [list(combinations(range(tree.num_actions(s)), 2)) for s in places]
        choices = [range(tree.num_actions(s)) for s in rest]
        for mixed in product(*pairs):
            for actions in product(*choices):
                tick()
                play = {s: {a: ONE} for s, a in zip(rest, actions, strict=True)}
                shares = [
                    _indifference(tree, play, (places[i], mixed[i]), (places[1 - i], mixed[1 - i]))
                    for i in range(2)
                ]
                if all(0 < p < 1 for p in shares):
                    for (other, pair), p in zip(
                        ((places[1], mixed[1]), (places[0], mixed[0])), shares, strict=True
                    ):
                        play[other] = {pair[0]: p, pair[1]: 1 - p}
                    yield play


def _indifference(
    tree: _Tree, play: Play, own: tuple[int, Slip], other: tuple[int, Slip]
) -> Fraction:
    """Return the share of the other's first action that makes own actions equally good; 0 if none.

    What they differ by is linear in that share.
    """
    infoset, actions = own
    place, pair = other
    gaps: list[Fraction] = []
    for chosen in pair:
        known = {**play, place: {chosen: ONE}}
        gaps.append(
            sum(
                (
                    _reach(tree, known, v, besides=infoset)
                    * sign
                    * _value(tree, known, tree.children[v][a], infoset)
                    for v in tree.nodes[infoset]
                    for a, sign in zip(actions, (1, -1), strict=True)
                ),
                ZERO,
            )
        )
    first, second = gaps
    return second / (second - first) if first != second else ZERO


def _reach(tree: _Tree, play: Play, node: int, *, besides: int) -> Fraction:
    """Return how likely a node is but for the choices of the mover at an information set."""
    player = tree.game.infosets[besides].player
    return tree.chance[node] * prod(
        (
            play[s].get(a, ZERO)
            for s, a in tree.steps[node]
            if tree.game.infosets[s].player != player
        ),
        start=ONE,
    )


@dataclass(frozen=True, eq=False)
class _Place:
    """Information sets to which ways lead that differ by the same mistakes.

    Attributes:
        rows: What each action earns with each way, of all these information sets.
        played: Actions, numbered on.
    """

    rows: list[Replies]
    played: list[int]


def _explained(tree: _Tree, play: Play) -> Explained | None:
    """Return mistakes with which a profile is best everywhere; None if none are found."""
    places = _places(tree, play)
    options: list[list[Weights]] = []
    for ways, place in places.items():
        side = Side((tuple(range(len(ways))),), tuple(place.rows))
        found = [v.shares for v in vertices(side) if v.best.issuperset(place.played)]
        if not found:
            return None
        if len(found) > 1:
            sums = [sum((each.get(j, ZERO) for each in found), ZERO) for j in range(len(ways))]
            found.append({j: total / len(found) for j, total in enumerate(sums) if total})
        options.append([{ways[j]: share for j, share in each.items()} for each in found])
    for weights in islice(product(*options), MOST_WEIGHTS):
        slips = slips_for(list(places), weights)
        if slips is not None:
            return Explained(play, slips)
    return None


def _places(tree: _Tree, play: Play) -> dict[tuple[Way, ...], _Place]:
    """Sort information sets by the mistakes that tell the ways there apart.

    Where play comes without mistakes, no other way counts.
    """
    places: dict[tuple[Way, ...], _Place] = {}
    number = 0
    for infoset, nodes in enumerate(tree.nodes):
        ways: dict[Way, list[int]] = {}
        for v in nodes:
            slips = [(s, a) for s, a in tree.steps[v] if a not in play[s]]
            ways.setdefault(tuple(sorted(slips)), []).append(v)
        if () in ways:
            ways = {(): ways[()]}
        common = reduce(and_, map(Counter, ways))
        keys = sorted(ways)
        kept = tuple(tuple(sorted((Counter(way) - common).elements())) for way in keys)
        place = places.setdefault(kept, _Place([], []))
        rows: Replies = {}
        for a in range(tree.num_actions(infoset)):
            if a in play[infoset]:
                place.played.append(number)
            rows[number] = {
                j: sum((_weighted(tree, play, v, a, infoset) for v in ways[way]), ZERO)
                for j, way in enumerate(keys)
            }
            number += 1
        place.rows.append(rows)
    return places


def _weighted(tree: _Tree, play: Play, node: int, action: int, infoset: int) -> Fraction:
    """Return what an action earns at a node, times how likely the node is but for mistakes."""
    shares = (play[s].get(a, ONE) for s, a in tree.steps[node])
    onward = _value(tree, play, tree.children[node][action], infoset)
    return tree.chance[node] * prod(shares, start=ONE) * onward
