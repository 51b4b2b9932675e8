"""Pure equilibria on a graph by constraint search: each neighborhood allows best replies only.

Every player has a set of actions that it may still take. An action goes as soon as it is no best
reply to anything that its neighbors may do, and as soon as no player next to it could reply best
where it is taken. In a graphical game this is read off the table; in a polymatrix game action ``a``
stays if for each ``b``

    sum over neighbors j of  max over c that j may take of  (A_ij[a, c] - A_ij[b, c])  >= 0,

which is necessary, and exact once neighbors have one action each. When nothing more goes, the
player with fewest actions left tries each of them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import scaled_integers
from gametheory_core.compact import GraphicalGame, PolymatrixGame
from solvers.compact.polymatrix_tableau import tables_of

Domains = list[NDArray[np.intp]]  # actions that each player may take, in ascending order
WORD = 2**61


@dataclass(frozen=True, eq=False)
class Rule:
    """What a player's wish to reply best says about a neighborhood.

    Attributes:
        members: The player, then its neighbors.
        narrowed: Takes what the members may do; returns what each may do if the player replies
            best.
    """

    members: tuple[int, ...]
    narrowed: Callable[[Domains], Domains]


def stable_on_graph(
    game: PolymatrixGame | GraphicalGame, tick: Callable[[], None]
) -> Iterator[tuple[int, ...]]:
    """Yield the joint actions in which all reply best.

    Args:
        tick: Called before each choice is tried; may raise to stop.
    """
    rules = _graphical_rules(game) if isinstance(game, GraphicalGame) else _polymatrix_rules(game)
    touching: list[list[int]] = [[] for _ in game.players]
    for k, rule in enumerate(rules):
        for i in rule.members:
            touching[i].append(k)
    waiting: list[tuple[Domains, list[int]]] = [
        ([np.arange(n) for n in game.num_actions], list(range(len(rules))))
    ]
    while waiting:
        domains, due = waiting.pop()
        if not _narrow(rules, touching, domains, due):
            continue
        open_players = [i for i, own in enumerate(domains) if len(own) > 1]
        if not open_players:
            yield tuple(int(own[0]) for own in domains)
            continue
        chosen = min(open_players, key=lambda i: len(domains[i]))
        for action in reversed(domains[chosen].tolist()):
            tick()
            tried = [np.array([action]) if i == chosen else own for i, own in enumerate(domains)]
            waiting.append((tried, list(touching[chosen])))


def _narrow(rules: list[Rule], touching: list[list[int]], domains: Domains, due: list[int]) -> bool:
    """Apply rules until nothing changes; false if a player has nothing left. In place."""
    queued = set(due)
    while due:
        k = due.pop()
        queued.discard(k)
        rule = rules[k]
        after = rule.narrowed([domains[i] for i in rule.members])
        for i, own in zip(rule.members, after, strict=True):
            if not len(own):
                return False
            if len(own) < len(domains[i]):
                domains[i] = own
                fresh = [other for other in touching[i] if other not in queued and other != k]
                due += fresh
                queued.update(fresh)
    return True


def _graphical_rules(game: GraphicalGame) -> list[Rule]:
    rules: list[Rule] = []
    for i, near in enumerate(game.neighbors):
        numbers = scaled_integers(game.table(i)).numerators
        best = np.array(numbers == numbers.max(axis=0, keepdims=True), dtype=bool)
        rules.append(Rule((i, *near), _read_off(best)))
    return rules


def _read_off(best: NDArray[np.bool_]) -> Callable[[Domains], Domains]:
    def narrowed(domains: Domains) -> Domains:
        part = best[np.ix_(*domains)]
        axes = range(part.ndim)
        return [
            own[part.any(axis=tuple(k for k in axes if k != axis))]
            for axis, own in enumerate(domains)
        ]

    return narrowed


def _polymatrix_rules(game: PolymatrixGame) -> list[Rule]:
    tables = tables_of(game)
    rules: list[Rule] = []
    for i, own in enumerate(tables.paid):
        largest = max((abs(v) for t in own.values() for row in t for v in row), default=0)
        kind: Any = np.int64 if 2 * largest * max(1, len(own)) < WORD else object
        near = sorted(own)
        leads = []
        for j in near:
            table = np.array(own[j], dtype=kind)
            leads.append(table[:, None, :] - table[None, :, :])  # a over b, by what j does
        rules.append(Rule((i, *near), _added_up(leads, game.num_actions[i])))
    return rules


def _added_up(leads: list[Any], count: int) -> Callable[[Domains], Domains]:
    def narrowed(domains: Domains) -> Domains:
        own, others = domains[0], domains[1:]
        parts = [lead[own][:, :, dom] for lead, dom in zip(leads, others, strict=True)]
        most = [part.max(axis=2) for part in parts]
        total: Any = sum(most, np.zeros((len(own), count), dtype=np.int64))
        kept = np.array((total >= 0).all(axis=1), dtype=bool)
        found = [own[kept]]
        for part, high, dom in zip(parts, most, others, strict=True):
            room = part + (total - high)[:, :, None]
            found.append(dom[np.array((room[kept] >= 0).all(axis=1).any(axis=0), dtype=bool)])
        return found

    return narrowed
