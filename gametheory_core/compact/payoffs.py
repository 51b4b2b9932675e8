"""What profiles of compact games pay, exactly, and without walking over joint actions.

With the others' strategies fixed, what each action earns is

- in a polymatrix game a sum over edges,
- in a graphical game an average over the actions of neighbors,
- in a congestion game a sum over resources of average delays, where the number of other users is a
  sum of independent coins: its distribution has the coefficients of the product of ``u_j + w_j z``
  with ``w_j`` the probability that ``j`` uses the resource and ``u_j`` the rest,
- in an anonymous game an average over counts, by the same product in as many unknowns as actions.

Numbers are integers over one denominator throughout.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, repeat
from operator import mul
from types import MappingProxyType
from typing import Any

import numpy as np

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import ExactArray, ScaledIntegers, object_array, scaled_integers
from gametheory_core.compact.anonymous import AnonymousGame, Counts, count_vectors
from gametheory_core.compact.congestion import CongestionGame
from gametheory_core.compact.graphical import GraphicalGame
from gametheory_core.compact.kinds import CompactGame, require_compact
from gametheory_core.compact.polymatrix import PolymatrixGame, edge_table
from gametheory_core.errors import InvalidStrategy
from gametheory_core.evaluation.deviations import BestResponse
from gametheory_core.evaluation.payoffs import expected_value
from gametheory_core.strategies.mixed import MixedProfile, check_mixed_profile, chosen_actions

Weights = list[list[int]]  # of each player's actions, over one denominator of that player
Values = tuple[ScaledIntegers, ...]  # what each player's actions earn


def compact_payoffs(game: CompactGame, profile: MixedProfile) -> tuple[Fraction, ...]:
    """Return each player's expected payoff, exactly; floats count as the rationals they mean.

    Raises:
        InvalidStrategy: If the profile does not fit the game.

    >>> from gametheory_core import compact, load_game, uniform_profile
    >>> ring = load_game("ring_of_pennies:players=5")
    >>> [str(payoff) for payoff in compact.compact_payoffs(ring, uniform_profile(ring))]
    ['0', '0', '0', '0', '0']
    """
    exact = _exact(game, profile)
    return tuple(map(expected_value, action_values(game, exact), exact.strategies))


def compact_best_response(game: CompactGame, profile: MixedProfile, *, player: int) -> BestResponse:
    """Find a pure best response of one player to the others' strategies, the first among equals.

    Args:
        profile: Only the other players' strategies matter.

    Raises:
        InvalidStrategy: If the profile does not fit the game.
        InvalidArgument: If there is no such player.

    >>> from gametheory_core import compact, load_game, uniform_profile
    >>> roads = load_game("pigou:players=4")
    >>> compact.compact_best_response(roads, uniform_profile(roads), player=0)
    BestResponse(player=0, value=Fraction(-5, 2), actions=(0,))
    """
    exact = _exact(game, profile)
    require_integer(player, name="player", low=0, high=game.num_players - 1)
    values = action_values(game, exact)[player]
    numerators = values.numerators.tolist()
    action = numerators.index(max(numerators))
    return BestResponse(player, Fraction(numerators[action], values.denominator), (action,))


def _exact(game: CompactGame, profile: MixedProfile) -> MixedProfile:
    require_compact(game)
    check_mixed_profile(game, profile)
    return profile.to_exact()


def action_values(game: CompactGame, profile: MixedProfile) -> Values:
    """Return what each action of each player earns against the others, for an exact profile."""
    scaled = [scaled_integers(strategy) for strategy in profile.strategies]
    weights = [own.numerators.tolist() for own in scaled]
    return _MIXED[type(game)](game, weights, [own.denominator for own in scaled])


def _polymatrix(game: PolymatrixGame, weights: Weights, wholes: list[int]) -> Values:
    whole = math.lcm(*wholes)
    vectors = [
        object_array([w * (whole // own) for w in row])
        for row, own in zip(weights, wholes, strict=True)
    ]
    payoffs = game.scaled_payoffs
    sums: list[Any] = [np.zeros(n, dtype=object) for n in game.num_actions]
    for edge, (i, j) in enumerate(game.edges.tolist()):
        first, second = edge_table(game, payoffs.numerators, edge)
        sums[i] = sums[i] + first @ vectors[j]
        sums[j] = sums[j] + vectors[i] @ second
    return tuple(ScaledIntegers(own, payoffs.denominator * whole) for own in sums)


def _graphical(game: GraphicalGame, weights: Weights, wholes: list[int]) -> Values:
    found: list[ScaledIntegers] = []
    for i, near in enumerate(game.neighbors):
        table = scaled_integers(game.table(i))
        total: Any = table.numerators
        for j in reversed(near):
            total = total @ object_array(weights[j])
        denominator = table.denominator * math.prod(wholes[j] for j in near)
        found.append(ScaledIntegers(total, denominator))
    return tuple(found)


def _congestion(game: CongestionGame, weights: Weights, wholes: list[int]) -> Values:
    delays = scaled_integers(game.given_delays)
    rows: list[list[int]] = delays.numerators.tolist()
    coins: list[list[int]] = []  # how likely each player uses each resource
    for row, uses in zip(weights, game.uses, strict=True):
        own = [0] * game.num_resources
        for weight, used in zip(row, uses, strict=True):
            for r in used:
                own[r] += weight
        coins.append(own)
    totals = [
        _product([(whole - own[r], own[r]) for own, whole in zip(coins, wholes, strict=True)])
        for r in range(game.num_resources)
    ]
    found: list[ScaledIntegers] = []
    everybody = math.prod(wholes)
    known: dict[Any, Any] = {}  # who plays alike faces the same others
    for i, uses in enumerate(game.uses):
        costs: dict[int, int] = {}
        for r in {r for used in uses for r in used}:
            key = (r, wholes[i], coins[i][r])
            if key not in known:
                others = _quotient(totals[r], wholes[i] - coins[i][r], coins[i][r])
                known[key] = sum(map(int.__mul__, others, rows[r]))
            costs[r] = known[key]
        key = (uses, wholes[i], *costs.values())
        if key not in known:
            numerators = object_array([-sum(costs[r] for r in used) for used in uses])
            known[key] = ScaledIntegers(numerators, delays.denominator * everybody // wholes[i])
        found.append(known[key])
    return tuple(found)


def _product(factors: Sequence[tuple[int, int]]) -> list[int]:
    """Return the coefficients of the product of all ``u + w z``, the lowest first.

    A power is known by the binomial theorem; the other factors are multiplied one by one.
    """
    most, power = _most_frequent(factors)
    spread = _spread_alike(power, most)
    out = [spread.get((power - c, c), 0) for c in range(power + 1)]
    for u, w in factors:
        if (u, w) != most:
            out = [u * a + w * b for a, b in zip([*out, 0], [0, *out], strict=True)]
    return out


def _quotient(product: list[int], u: int, w: int) -> list[int]:
    """Divide a polynomial by a factor ``u + w z`` that it has."""
    if not u:
        return [c // w for c in product[1:]]
    out: list[int] = []
    before = 0
    for c in product[:-1]:
        before = (c - w * before) // u
        out.append(before)
    return out


def _anonymous(game: AnonymousGame, weights: Weights, wholes: list[int]) -> Values:
    chances: dict[Counts, list[tuple[int, int]]] = {}
    known: dict[Counts, ScaledIntegers] = {}
    places = game.places
    everybody = math.prod(wholes)
    found: list[ScaledIntegers] = []
    for i, own in enumerate(weights):
        alike = (wholes[i], *own)  # who plays alike faces the same others
        if alike not in chances:
            spread = _spread([row for j, row in enumerate(weights) if j != i], len(own))
            chances[alike] = [(places[counts], weight) for counts, weight in spread.items()]
        key = (0 if game.is_symmetric else i, *alike)
        if key not in known:
            table = scaled_integers(game.table(i))
            numerators = object_array(
                [sum(w * row[place] for place, w in chances[alike]) for row in table.numerators]
            )
            known[key] = ScaledIntegers(numerators, table.denominator * everybody // wholes[i])
        found.append(known[key])
    return tuple(found)


def _spread(others: Weights, kinds: int) -> dict[Counts, int]:
    """Return how likely each count vector is, over the product of the denominators."""
    rows = [tuple(row) for row in others]
    most, power = _most_frequent(rows) if rows else ((1,) * kinds, 0)
    spread = _spread_alike(power, most)
    for row in rows:
        if row == most:
            continue
        after: dict[Counts, int] = {}
        for counts, weight in spread.items():
            for a, own in enumerate(row):
                if own:
                    more = (*counts[:a], counts[a] + 1, *counts[a + 1 :])
                    after[more] = after.get(more, 0) + weight * own
        spread = after
    return spread


def _most_frequent(rows: Sequence[Counts]) -> tuple[Counts, int]:
    """Return what stands there most often, and how often."""
    return Counter(rows).most_common(1)[0]


def _spread_alike(power: int, row: Counts) -> dict[Counts, int]:
    """Return the same of so many players who play alike, by the multinomial theorem."""
    played = [a for a, own in enumerate(row) if own]
    if len(played) == 1:
        counts = tuple(power if own else 0 for own in row)
        return {counts: row[played[0]] ** power}
    factorials = list(accumulate(range(1, power + 1), mul, initial=1))
    powers = [list(accumulate(repeat(row[a], power), mul, initial=1)) for a in played]
    spread: dict[Counts, int] = {}
    for split in count_vectors(power, len(played)):
        counts = [0] * len(row)
        weight = factorials[power] // math.prod(factorials[c] for c in split)
        for a, own, c in zip(played, powers, split, strict=True):
            counts[a] = c
            weight *= own[c]
        spread[tuple(counts)] = weight
    return spread


_MIXED: Mapping[type[Any], Callable[..., Values]] = MappingProxyType(
    {
        PolymatrixGame: _polymatrix,
        GraphicalGame: _graphical,
        CongestionGame: _congestion,
        AnonymousGame: _anonymous,
    }
)


# Pure profiles


def pure_payoffs(game: CompactGame, actions: Sequence[int]) -> tuple[Fraction, ...]:
    """Return what each player gets where player ``i`` plays ``actions[i]``.

    Raises:
        InvalidStrategy: If there is not one action of its own for each player.

    >>> from gametheory_core import compact, load_game
    >>> [str(cost) for cost in compact.pure_payoffs(load_game("pigou:players=4"), (0, 0, 1, 1))]
    ['-2', '-2', '-4', '-4']
    """
    require_compact(game)
    chosen = joint_action_of(game, actions)
    return tuple(pure_values(game, chosen, i)[action] for i, action in enumerate(chosen))


def joint_action_of(game: CompactGame, actions: Sequence[int]) -> tuple[int, ...]:
    """Return an action of each player, after checking that each has it."""
    chosen = chosen_actions(actions, game.num_players, of="players", remedy="Number them from 0.")
    for i, (action, count) in enumerate(zip(chosen, game.num_actions, strict=True)):
        if not 0 <= action < count:
            raise InvalidStrategy(
                needs=f"an action of player {i + 1} in 0..{count - 1}", found=f"got {action}"
            )
    return chosen


def pure_values(game: CompactGame, actions: tuple[int, ...], player: int) -> list[Fraction]:
    """Return what each action of one player earns where the others play pure actions."""
    return _PURE[type(game)](game, actions, player)


def _pure_polymatrix(game: PolymatrixGame, actions: Counts, player: int) -> list[Fraction]:
    total: Any = np.full(game.num_actions[player], Fraction(0), dtype=object)
    for edge in np.flatnonzero((game.edges == player).any(axis=1)).tolist():
        i, j = game.edges[edge].tolist()
        first, second = game.bimatrix(edge)
        total = total + (first[:, actions[j]] if player == i else second[actions[i]])
    return total.tolist()


def _pure_graphical(game: GraphicalGame, actions: Counts, player: int) -> list[Fraction]:
    around = tuple(actions[j] for j in game.neighbors[player])
    row: ExactArray = game.table(player)[(slice(None), *around)]
    return row.tolist()


def loads(game: CongestionGame, actions: Sequence[int]) -> list[int]:
    """Return how many players use each resource."""
    found = [0] * game.num_resources
    for uses, action in zip(game.uses, actions, strict=True):
        for r in uses[action]:
            found[r] += 1
    return found


def _pure_congestion(game: CongestionGame, actions: Counts, player: int) -> list[Fraction]:
    others = loads(game, actions)
    for r in game.uses[player][actions[player]]:
        others[r] -= 1
    delays = game.exact_delays
    return [-sum((delays[r, others[r]] for r in used), Fraction(0)) for used in game.uses[player]]


def _pure_anonymous(game: AnonymousGame, actions: Counts, player: int) -> list[Fraction]:
    counts = [0] * len(game.labels)
    for i, action in enumerate(actions):
        counts[action] += i != player
    return game.table(player)[:, game.places[tuple(counts)]].tolist()


_PURE: Mapping[type[Any], Callable[..., list[Fraction]]] = MappingProxyType(
    {
        PolymatrixGame: _pure_polymatrix,
        GraphicalGame: _pure_graphical,
        CongestionGame: _pure_congestion,
        AnonymousGame: _pure_anonymous,
    }
)
