"""What players could gain by deviating in each subgame, from the definition.

A player's best response in a subgame consists of choices before any smaller subgame is reached,
and of best responses in the smaller subgames, whose information sets are others. So one sweep from
the last subgame to the first finds the best-response values of all, with

    best(I) = max over a of  g[I a] + sum of best(J) over own J that follow I a,

where ``g[s]`` is collected at terminal histories, and at smaller subgames of known best value,
weighted by the reach of the others *from the start of the subgame*.

A *one-shot* deviation changes a single choice, everything else as the profile says. In a finite
tree of perfect information a profile is an equilibrium of every subgame if and only if no one-shot
deviation gains anything. With imperfect information the mover weighs the nodes of the information
set by *beliefs*; with perfect recall and consistent beliefs, no one-shot deviation gains if and
only if no way of continuing does (Hendon, Jacobsen and Sloth 1996).
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from gametheory_core.arrays import ONE, ZERO, ExactArray, IntArray, freeze
from gametheory_core.errors import InvalidStrategy
from gametheory_core.evaluation.payoffs import node_payoffs, reach_probabilities
from gametheory_core.games.extensive_form import ExtensiveFormGame, player_infosets
from gametheory_core.games.kinds import require_tree
from gametheory_core.games.properties import require_perfect_recall
from gametheory_core.games.subgames import innermost_roots, subgame_roots
from gametheory_core.games.tree_table import describe_infoset
from gametheory_core.strategies.behavioral import BehavioralProfile, check_behavioral_profile
from gametheory_core.strategies.trembles import infoset_nodes

Beliefs = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True)
class OneShotDeviation:
    """A single choice that gains.

    Attributes:
        player: Who gains.
        infoset: Where, as an index into the game's information sets.
        nodes: The nodes of the information set that the mover holds possible.
        action: What to play there, from 0.
        gain: What it pays more than the profile from there on; payoff units, above 0.
    """

    player: int
    infoset: int
    nodes: tuple[int, ...]
    action: int
    gain: Fraction


def one_shot_deviations(
    game: ExtensiveFormGame, profile: BehavioralProfile, *, beliefs: Beliefs | None = None
) -> tuple[OneShotDeviation, ...]:
    """List all one-shot deviations that gain, with what they gain.

    Args:
        game: Any number of players; recall does not matter for the list, but for what it means.
        profile: Exact or float; a float profile is taken for the rational one that it means.
        beliefs: ``beliefs[s]`` over the nodes of each information set of players, as in an
            ``Assessment``. Default: by Bayes' rule where play comes, and the one node of
            information sets with one.

    Returns:
        In the order of the game's information sets and actions; empty if none gains.

    Raises:
        InvalidStrategy: If the profile or the beliefs do not fit, or play never comes to an
            information set of several nodes and there are no beliefs; names it.

    Time and memory are linear in the number of nodes.

    Source: E. Hendon, H. J. Jacobsen, B. Sloth (1996), "The one-shot-deviation principle for
        sequential rationality", Games and Economic Behavior 12, 274-282.

    >>> from gametheory_core import load_game, pure_behavior
    >>> centipede = load_game("centipede:rounds=2")
    >>> generous = pure_behavior(centipede, (1, 1))  # both pass
    >>> found = one_shot_deviations(centipede, generous)
    >>> [(deviation.player, deviation.action, str(deviation.gain)) for deviation in found]
    [(1, 0, '1')]
    """
    require_tree(game)
    check_behavioral_profile(game, profile)
    exact = profile.to_exact()
    nodes = infoset_nodes(game)
    weights = _bayes(game, exact, nodes) if beliefs is None else _checked(game, beliefs, nodes)
    values = node_payoffs(game, exact)
    return tuple(
        deviation
        for infoset, (where, believed) in enumerate(zip(nodes, weights, strict=True))
        for deviation in _gains_at(game, infoset, where, believed, values)
    )


def _gains_at(
    game: ExtensiveFormGame,
    infoset: int,
    nodes: tuple[int, ...],
    believed: tuple[Fraction, ...],
    values: ExactArray,
) -> list[OneShotDeviation]:
    own = game.infosets[infoset]
    possible = [(v, b) for v, b in zip(nodes, believed, strict=True) if b]
    where = tuple(v for v, _ in possible)
    found: list[OneShotDeviation] = []
    for action in range(len(own.actions)):
        changes = (
            b * (values[game.first_child[v] + action, own.player] - values[v, own.player])
            for v, b in possible
        )
        gain = sum(changes, ZERO)
        if gain > 0:
            found.append(OneShotDeviation(own.player, infoset, where, action, gain))
    return found


def _bayes(
    game: ExtensiveFormGame, profile: BehavioralProfile, nodes: tuple[tuple[int, ...], ...]
) -> Beliefs:
    reach: Any = None
    found: list[tuple[Fraction, ...]] = []
    for infoset, where in enumerate(nodes):
        if len(where) == 1:
            found.append((ONE,))
            continue
        if reach is None:
            reach = reach_probabilities(game, profile)
        visits = [reach[v] for v in where]
        total = sum(visits, ZERO)
        if not total:
            raise InvalidStrategy(
                needs="beliefs where play never comes",
                found=f"has none at {describe_infoset(game.infosets[infoset])}, which has "
                f"{len(where)} nodes",
                remedy="Give beliefs, such as those of an Assessment.",
            )
        found.append(tuple(visit / total for visit in visits))
    return tuple(found)


def _checked(
    game: ExtensiveFormGame, beliefs: Beliefs, nodes: tuple[tuple[int, ...], ...]
) -> Beliefs:
    if len(beliefs) != len(nodes):
        raise InvalidStrategy(
            needs=f"beliefs at each of {len(nodes)} information sets of {game!r}",
            found=f"has them at {len(beliefs)}",
        )
    for infoset, (where, believed) in enumerate(zip(nodes, beliefs, strict=True)):
        if len(believed) != len(where) or min(believed) < 0 or sum(believed, ZERO) != 1:
            raise InvalidStrategy(
                needs=f"probabilities of {len(where)} nodes that sum to 1 at "
                f"{describe_infoset(game.infosets[infoset])}",
                found=f"got ({', '.join(map(str, believed))})",
            )
    return beliefs


@dataclass(frozen=True, eq=False)
class SubgameDeviations:
    """Payoffs and deviation gains in every subgame.

    Attributes:
        roots (num_subgames,): Where subgames start, from ``subgame_roots``; the first is the whole
            tree.
        payoffs (num_subgames, num_players): Expected payoffs of the profile from there on; what was
            paid on the way counts too.
        gains (num_subgames, num_players): Best-response value in the subgame minus that payoff; at
            least 0.
    """

    roots: IntArray
    payoffs: ExactArray
    gains: ExactArray


def subgame_deviations(game: ExtensiveFormGame, profile: BehavioralProfile) -> SubgameDeviations:
    """Compute every player's deviation gain in every subgame, exactly.

    Args:
        game: Perfect recall, any number of players.
        profile: Exact or float; a float profile is taken for the rational one that it means.

    Raises:
        InvalidStrategy: If the profile does not fit the game.
        UnsupportedGame: If a player forgets; names what.

    Time and memory are linear in the number of nodes, for each player.

    >>> from gametheory_core import load_game, pure_behavior
    >>> centipede = load_game("centipede:rounds=2")
    >>> found = subgame_deviations(centipede, pure_behavior(centipede, (0, 1)))
    >>> [[str(gain) for gain in own] for own in found.gains]  # in both subgames somebody gains
    [['2', '0'], ['0', '1']]
    """
    require_tree(game)
    check_behavioral_profile(game, profile)
    require_perfect_recall(
        game, remedy="A player who forgets cannot be checked by a sweep over the tree."
    )
    exact = profile.to_exact()
    roots = subgame_roots(game)
    owner = innermost_roots(game, roots)
    payoffs = node_payoffs(game, exact)[roots]
    columns = [_best_values(game, exact, roots, owner, i) for i in range(game.num_players)]
    best = np.empty(payoffs.shape, dtype=object)
    for player, column in enumerate(columns):
        best[:, player] = column
    return SubgameDeviations(roots, freeze(payoffs), freeze(best - payoffs))


@dataclass(frozen=True)
class _Ways:
    """How nodes are reached within the smallest subgame that they are in, or that holds them.

    Attributes:
        arrival (num_nodes,): Reach by the others, from the start of the subgame that the
            parent is in.
        last (num_nodes,): The player's flat action last played in that subgame; -1 for none.
    """

    arrival: ExactArray
    last: np.ndarray


def _ways(
    game: ExtensiveFormGame, profile: BehavioralProfile, owner: IntArray, player: int
) -> _Ways:
    shares = game.exact_chance_probabilities.copy()
    shares[: len(profile.flat)] = profile.flat
    own = game.node_player == player
    starts = owner == np.arange(game.num_nodes)
    arrival = np.empty(game.num_nodes, dtype=object)
    arrival[0] = ONE
    last = np.full(game.num_nodes, -1, dtype=np.int64)
    for start, stop in pairwise(game.level_offset[1:].tolist()):
        parent = game.parent[start:stop]
        actions = game.node_action[start:stop]
        afresh = starts[parent]
        reach, step = arrival[parent], shares[actions]
        reach[afresh], step[own[parent]] = ONE, ONE
        arrival[start:stop] = reach * step
        before = np.where(afresh, -1, last[parent])
        last[start:stop] = np.where(own[parent], actions, before)
    return _Ways(arrival, last)


def _best_values(
    game: ExtensiveFormGame,
    profile: BehavioralProfile,
    roots: IntArray,
    owner: IntArray,
    player: int,
) -> list[object]:
    """Return a player's best-response value in every subgame, against the others' profile.

    Values are collected in slots: one for each flat action, then one for each subgame.
    """
    ways = _ways(game, profile, owner, player)
    subgame_slot = dict(zip(roots.tolist(), range(len(roots)), strict=True))
    num_actions = int(game.action_offset[-1])
    slots: list[object] = [ZERO] * (num_actions + len(roots))

    def slot_before(node: int) -> int:
        """Return where a subgame, or a terminal history, pays into."""
        if ways.last[node] >= 0:
            return int(ways.last[node])
        return num_actions + subgame_slot[int(owner[game.parent[node]])]

    paid = game.exact_terminal_payoffs[:, player]
    for node, payoff in zip(game.terminals.tolist(), paid.tolist(), strict=True):
        if node == 0:
            return [payoff]
        if ways.arrival[node]:
            slots[slot_before(node)] += ways.arrival[node] * payoff
    first_node = _first_nodes(game, player)
    events = [(node, 1, s) for s, node in first_node.items()]
    events += [(node, 0, k) for k, node in enumerate(roots.tolist())]
    for node, is_infoset, index in sorted(events, reverse=True):  # from the last to the first
        if is_infoset:
            start, stop = game.action_offset[index], game.action_offset[index + 1]
            best = max(slots[start:stop])  # pyright: ignore[reportArgumentType]
            follows = node != 0 and owner[node] != node
            slots[slot_before(node) if follows else num_actions + subgame_slot[node]] += best
        elif node and ways.arrival[node]:
            slots[slot_before(node)] += ways.arrival[node] * slots[num_actions + index]
    return slots[num_actions:]


def _first_nodes(game: ExtensiveFormGame, player: int) -> dict[int, int]:
    own = player_infosets(game, player)
    nodes = np.flatnonzero(game.node_player == player)
    infosets, first = np.unique(game.node_infoset[nodes], return_index=True)
    found = dict(zip(infosets.tolist(), nodes[first].tolist(), strict=True))
    return {s: found[s] for s in own}
