"""Pure equilibria of compact games from their definition, for checking lists of them.

On a graph players are given actions one after the other; as soon as all neighbors of a player have
one, its own must be a best reply. In a congestion game counts of each class are walked over. In an
anonymous game so are the counts ``c`` of all players: player ``i`` may take action ``a`` if it is a
best reply to ``c`` less one ``a``, and by Hall's theorem players fit the counts if for each set of
actions no more players are confined to it than it has places.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from gametheory_core.compact.anonymous import AnonymousGame, Counts, count_vectors
from gametheory_core.compact.congestion import CongestionGame
from gametheory_core.compact.graphical import GraphicalGame
from gametheory_core.compact.kinds import CompactGame
from gametheory_core.compact.payoffs import pure_values
from gametheory_core.compact.polymatrix import PolymatrixGame
from gametheory_core.compact.potential import is_stable, joint_action, loads_of, spreads


def stable_actions(game: CompactGame) -> Iterator[tuple[int, ...]]:
    """Yield the joint actions in which nobody gains, the first of those that differ by names."""
    if isinstance(game, CongestionGame):
        for spread in spreads(game):
            if is_stable(game, spread, loads_of(game, spread)):
                yield joint_action(game, spread)
    elif isinstance(game, AnonymousGame):
        for counts in count_vectors(game.num_players, len(game.labels)):
            fitting = _first_fitting(_choices(game, counts), counts)
            if fitting is not None:
                yield fitting
    else:
        yield from _searched(game)


def _searched(game: PolymatrixGame | GraphicalGame) -> Iterator[tuple[int, ...]]:
    """Give actions to players in order, and look at each as soon as its neighbors have theirs."""
    order = _order(game)
    places = {player: place for place, player in enumerate(order)}
    due: list[list[int]] = [[] for _ in order]
    for i, near in enumerate(game.neighbors):
        due[max(places[j] for j in (i, *near))].append(i)
    actions = [0] * game.num_players
    left: list[Iterator[int]] = [iter(range(game.num_actions[order[0]]))]
    while left:
        depth = len(left) - 1
        action = next(left[-1], None)
        if action is None:
            left.pop()
            continue
        actions[order[depth]] = action
        if not all(_is_best(game, actions, i) for i in due[depth]):
            continue
        if depth + 1 == len(order):
            yield tuple(actions)
        else:
            left.append(iter(range(game.num_actions[order[depth + 1]])))


def _order(game: PolymatrixGame | GraphicalGame) -> list[int]:
    """Return the players, those first that complete neighborhoods which are begun."""
    order: list[int] = []
    waiting = [{i, *near} for i, near in enumerate(game.neighbors)]
    while len(order) < game.num_players:
        unfinished = min((own for own in waiting if own), key=len, default=None)
        new = sorted(unfinished or set(range(game.num_players)) - set(order))
        order += new
        for own in waiting:
            own.difference_update(new)
    return order


def _is_best(game: CompactGame, actions: Sequence[int], player: int) -> bool:
    values = pure_values(game, tuple(actions), player)
    return values[actions[player]] == max(values)


def _choices(game: AnonymousGame, counts: Counts) -> list[frozenset[int]]:
    """Return, for each player, the actions that are best replies where the counts are these."""
    found: dict[int, frozenset[int]] = {}
    for row in range(1 if game.is_symmetric else game.num_players):
        table, own = game.table(row), set[int]()
        for a, count in enumerate(counts):
            if count:
                place = game.places[(*counts[:a], count - 1, *counts[a + 1 :])]
                if table[a, place] == max(table[:, place]):
                    own.add(a)
        found[row] = frozenset(own)
    return [found[0 if game.is_symmetric else i] for i in range(game.num_players)]


def _first_fitting(choices: list[frozenset[int]], counts: Counts) -> tuple[int, ...] | None:
    """Give each player the first of its choices with which the rest still fits the counts."""
    if not _fits(choices, counts):
        return None
    rest, actions = list(counts), list[int]()
    for i, own in enumerate(choices):
        for action in sorted(own):
            rest[action] -= 1
            if rest[action] >= 0 and _fits(choices[i + 1 :], rest):
                actions.append(action)
                break
            rest[action] += 1
    return tuple(actions)


def _fits(choices: Sequence[frozenset[int]], counts: Sequence[int]) -> bool:
    """Tell whether players can be given choices of theirs so that the counts come out."""
    kinds = range(len(counts))
    several = (set(own) for size in kinds for own in combinations(kinds, size))
    return all(
        sum(own <= confined for own in choices) <= sum(counts[a] for a in confined)
        for confined in several
    ) and sum(counts) == len(choices)
