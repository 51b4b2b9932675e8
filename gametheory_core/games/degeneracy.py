"""Degeneracy of bimatrix games: more pure best responses than actions in the support.

Fix the mixing player. If some mixed strategy ``x`` is a witness, then so is a vertex of the set of
strategies on its support against which its best responses stay best: the support can only shrink,
the best responses only grow. A vertex is the only solution of a square system: as many best
responses made equal as there are actions in the support. So all square systems are solved, and each
solution that is a strategy has its best responses counted.
"""

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import Verdict

MAX_SYSTEMS = 50_000


def is_degenerate(game: NormalFormGame, *, max_systems: int = MAX_SYSTEMS) -> Verdict:
    """Decide whether some mixed strategy has more pure best responses than its support has actions.

    Where it is, the reason shows such a strategy, and the witness is the mixing player followed by
    the best responses of the other.

    Args:
        game: Two players.
        max_systems: How many linear systems to solve at most for each player.

    Raises:
        UnsupportedGame: If the game has not two players, or is so large that ``max_systems`` may be
            exceeded.

    An m x n game takes up to ``binomial(m + n, n)`` systems of up to min(m, n) equations for each
    player, in integer arithmetic: seconds for 8 x 8.

    Source: von Stengel, "Computing equilibria for two-person games", Handbook of Game Theory 3
        (2002), definition 2.6.

    >>> bool(is_degenerate(NormalFormGame.symmetric([[2, 0], [0, 1]])))
    False
    >>> is_degenerate(NormalFormGame.bimatrix([[1], [1]], [[0], [0]])).witness
    (1, 0, 1)
    """
    if game.num_players != 2:
        raise UnsupportedGame(needs="two players", found=f"{game!r} has {game.num_players}")
    systems = math.comb(sum(game.num_actions), game.num_actions[0]) - 1
    if systems > max_systems:
        raise UnsupportedGame(
            needs=f"at most max_systems = {max_systems:,} linear systems a player",
            found=f"{game!r} may take {systems:,}",
            remedy="Raise max_systems.",
        )
    tables = [scaled.numerators for scaled in game.scaled_payoffs]
    for mixing, rows in enumerate((tables[1].tolist(), tables[0].T.tolist())):
        for strategy, responses in _vertices(rows):
            if len(responses) > len(strategy):
                return _witness(game, mixing, strategy, responses)
    return Verdict(False)


def _vertices(rows: list[list[int]]) -> Iterator[tuple[dict[int, Fraction], list[int]]]:
    """List mixed strategies that square systems give, each with all its best responses.

    ``rows[a][b]`` is what the responding player gets for ``b`` against ``a``.
    """
    for size in range(1, min(len(rows), len(rows[0])) + 1):
        for support in combinations(range(len(rows)), size):
            used = [rows[a] for a in support]
            for responses in combinations(_undominated(used), size):
                weights = _equalising(used, responses)
                if weights is None or min(weights) <= 0:
                    continue
                values = [
                    sum(w * row[b] for w, row in zip(weights, used, strict=True))
                    for b in range(len(rows[0]))
                ]
                best, total = max(values), sum(weights)
                strategy = {a: Fraction(w, total) for a, w in zip(support, weights, strict=True)}
                # whether or not the chosen responses are best, those that are can be counted
                yield strategy, [b for b, value in enumerate(values) if value == best]


def _undominated(rows: list[list[int]]) -> list[int]:
    """Drop responses that another pure one beats everywhere: they are never best."""
    columns = list(zip(*rows, strict=True))
    return [
        b
        for b, column in enumerate(columns)
        if not any(all(x > y for x, y in zip(other, column, strict=True)) for other in set(columns))
    ]


def _equalising(rows: list[list[int]], responses: tuple[int, ...]) -> list[int] | None:
    """Solve for weights, up to scale, that make the responses pay the same; None if not unique.

    The system has one equation fewer than unknowns, so its solution line comes from elimination
    without fractions (Bareiss 1968); the sum of the weights must not vanish.
    """
    size = len(rows)
    first = responses[0]
    system = [[row[b] - row[first] for row in rows] for b in responses[1:]]
    system.append([1] * size)
    system = [[*equation, 0] for equation in system]
    system[-1][-1] = 1
    previous = 1
    for k in range(size):
        pivot = next((i for i in range(k, size) if system[i][k]), None)
        if pivot is None:
            return None
        system[k], system[pivot] = system[pivot], system[k]
        head = system[k]
        for i, equation in enumerate(system):
            if i != k:
                system[i] = [
                    (head[k] * x - equation[k] * y) // previous
                    for x, y in zip(equation, head, strict=True)
                ]
        previous = head[k]
    sign = 1 if previous > 0 else -1
    return [sign * equation[-1] for equation in system]


def _witness(
    game: NormalFormGame, mixing: int, strategy: dict[int, Fraction], responses: list[int]
) -> Verdict:
    other = 1 - mixing
    shown = ", ".join(f"{game.actions[mixing][a]!r}: {w}" for a, w in strategy.items())
    named = ", ".join(repr(game.actions[other][b]) for b in responses)
    return Verdict(
        True,
        f"the strategy {{{shown}}} of player {game.players[mixing]!r}, with {len(strategy)} in its "
        f"support, has {len(responses)} best responses of player {game.players[other]!r}: {named}",
        (mixing, *responses),
    )
