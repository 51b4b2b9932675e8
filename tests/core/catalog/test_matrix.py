"""Matrix games: claimed numbers of equilibria and paths, by brute force over polytope vertices.

Labels 0..m-1 say "row not played", m..m+n-1 "column is a best reply", and the other way round in
the column player's polytope. A pair of vertices with all labels is an extreme equilibrium, or the
pair of zeros.
"""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from gametheory_core import MixedProfile, certify_nash, pure_profile, uniform_profile
from gametheory_core.catalog import load
from gametheory_core.games import is_zero_sum


def solve(rows, right):
    """Return the solution of a square rational system, or None if it is singular."""
    work = [[*row, value] for row, value in zip(rows, right, strict=True)]
    size = len(work)
    for column in range(size):
        pivot = next((i for i in range(column, size) if work[i][column]), None)
        if pivot is None:
            return None
        work[column], work[pivot] = work[pivot], work[column]
        head = work[column][column]
        work[column] = [entry / head for entry in work[column]]
        for i in range(size):
            if i != column and work[i][column]:
                factor = work[i][column]
                work[i] = [a - factor * b for a, b in zip(work[i], work[column], strict=True)]
    return tuple(row[-1] for row in work)


def vertices(matrix):
    """Return {vertex of {x >= 0, x matrix <= 1}: indices of its tight constraints}."""
    count = len(matrix)
    rows = [[Fraction(-int(i == j)) for j in range(count)] for i in range(count)]
    rows += [list(column) for column in zip(*matrix, strict=True)]
    right = [Fraction(0)] * count + [Fraction(1)] * (len(rows) - count)
    found = {}
    for basis in combinations(range(len(rows)), count):
        point = solve([rows[k] for k in basis], [right[k] for k in basis])
        if point is None or point in found:
            continue
        slack = [
            r - sum(map(lambda a, b: a * b, row, point)) for row, r in zip(rows, right, strict=True)
        ]
        if min(slack) >= 0:
            found[point] = frozenset(k for k, value in enumerate(slack) if value == 0)
    return found


def polytopes(game):
    """Return the vertices of both polytopes with labels, payoffs shifted to be positive."""
    positive = [(table - table.min() + 1) for table in game.exact_payoffs]
    m, n = game.num_actions
    first = vertices(positive[1].tolist())
    second = vertices(positive[0].T.tolist())
    turned = {
        point: frozenset(m + k if k < n else k - n for k in tight)
        for point, tight in second.items()
    }
    return first, turned


def complete_pairs(first, second, missing=()):
    """Return pairs of vertices that have all labels, but perhaps the missing one."""
    size = len(next(iter(first))) + len(next(iter(second)))
    wanted = set(range(size)) - set(missing)
    return [(x, y) for x in first for y in second if wanted <= first[x] | second[y]]


def extreme_equilibria(game):
    first, second = polytopes(game)
    pairs = complete_pairs(first, second)
    profiles = [
        MixedProfile(tuple([v / sum(point) for v in point] for point in pair))
        for pair in pairs
        if any(pair[0]) and any(pair[1])
    ]
    assert len(profiles) == len(pairs) - 1  # all but the zeros
    for profile in profiles:
        assert certify_nash(game, profile).epsilon == 0
    return profiles


@pytest.mark.parametrize(
    ("specification", "count"),
    [
        ("matching_pennies", 1),
        ("rock_paper_scissors", 1),
        ("prisoners_dilemma", 1),
        ("battle_of_the_sexes", 3),
        ("chicken", 3),
        ("stag_hunt", 3),
        ("commitment_example", 1),
        ("shapley_cycle", 1),
        ("shapley_lemke_howson", 3),
        ("degenerate", 7),
        *((f"coordination:size={n}", 2**n - 1) for n in (1, 2, 3, 4)),  # Quint and Shubik 1997
        *((f"indifference:size={n}", n * n) for n in (1, 2, 3)),
        ("von_stengel:size=2", 3),
        ("von_stengel:size=4", 15),
        ("von_stengel:size=6", 75),  # von Stengel 1999, abstract
    ],
)
def test_number_of_extreme_equilibria(specification, count):
    assert len(extreme_equilibria(load(specification))) == count


@pytest.mark.parametrize(
    ("specification", "nondegenerate"),
    [
        ("von_stengel:size=6", True),
        ("shapley_lemke_howson", True),
        ("shapley_cycle", True),
        ("degenerate", False),
        ("indifference", False),
    ],
)
def test_vertices_have_one_label_a_dimension_only_if_nondegenerate(specification, nondegenerate):
    simple = all(
        len(labels) == len(point)
        for polytope in polytopes(load(specification))
        for point, labels in polytope.items()
    )
    assert simple == nondegenerate


def path_end(first, second, start, label):
    """Follow the path of pairs that miss one label at most, from one end to the other."""
    pairs = complete_pairs(first, second, (label,))

    def neighbors(pair):
        x, y = pair
        return [
            (u, v)
            for u, v in pairs
            if (u == x and len(second[v] & second[y]) == len(y) - 1)
            or (v == y and len(first[u] & first[x]) == len(x) - 1)
        ]

    before, here = None, start
    while True:
        onward = [pair for pair in neighbors(here) if pair != before]
        if not onward:
            return here
        assert len(onward) == 1
        before, here = here, onward[0]


def test_lemke_howson_paths_reach_one_of_three_equilibria_even_when_chained():
    """Each path is followed in the polytopes' graphs, with no pivoting code involved."""
    first, second = polytopes(load("shapley_lemke_howson"))
    zeros = ((0, 0, 0), (0, 0, 0))
    reached, waiting = {zeros}, [zeros]
    while waiting:
        here = waiting.pop()
        for label in range(6):
            end = path_end(first, second, here, label)
            if end not in reached:
                reached.add(end)
                waiting.append(end)
    assert len(complete_pairs(first, second)) == 4
    assert len(reached) == 2


def test_shapley_cycle_has_the_uniform_equilibrium_and_circulating_best_replies():
    """From each cell the dissatisfied player moves; Shapley 1964 lets the moves run round."""
    game = load("shapley_cycle")
    assert certify_nash(game, uniform_profile(game)).epsilon == 0
    cell, visited = (0, 0), []
    for turn in range(6):
        visited.append(cell)
        row, column = cell
        if turn % 2 == 0:
            cell = (row, int(np.argmax(game.payoffs[1][row])))
        else:
            cell = (int(np.argmax(game.payoffs[0][:, column])), column)
    assert cell == (0, 0)
    assert len(set(visited)) == 6


def test_commitment_pays_more_than_the_equilibrium():
    """2 in equilibrium, 3 by a pure commitment, 7/2 by a mixed one (Conitzer, Sandholm 2006)."""
    game = load("commitment_example")
    assert certify_nash(game, pure_profile(game, (1, 0))).epsilon == 0
    lottery = np.array([Fraction(1, 2)] * 2)
    leader, follower = (lottery @ table for table in game.exact_payoffs)
    assert follower[0] == follower[1]
    assert leader.tolist() == [Fraction(3, 2), Fraction(7, 2)]
    assert game.exact_payoffs[0][0][np.argmax(game.payoffs[1][0])] == 3


@pytest.mark.parametrize(
    "name", ["matching_pennies", "rock_paper_scissors", "indifference", "chicken"]
)
def test_only_zero_sum_games_are_zero_sum(name):
    assert bool(is_zero_sum(load(name))) == (name != "chicken")


def test_prisoners_dilemma_and_chicken_order_their_payoffs():
    """Temptation > reward > punishment > sucker; in chicken the crash is worst of all."""
    (reward, sucker), (temptation, punishment) = load("prisoners_dilemma").payoffs[0]
    assert temptation > reward > punishment > sucker
    (reward, sucker), (temptation, crash) = load("chicken").payoffs[0]
    assert temptation > reward > sucker > crash


def test_travelers_undercut_each_other_by_one():
    """Best reply to any claim but the lowest is the next lower one: Basu 1994."""
    payoffs = load("travelers_dilemma").payoffs[0]
    assert payoffs.shape == (99, 99)
    assert payoffs.argmax(axis=0).tolist() == [0, *range(98)]
    assert (payoffs[98, 98], payoffs[97, 98], payoffs[98, 97], payoffs[0, 0]) == (100, 101, 97, 2)


def test_degenerate_game_has_a_segment_of_equilibria_and_pure_ties():
    """A pure strategy of each has two best replies; midway between two equilibria lies another."""
    game = load("degenerate")
    rows, columns = game.exact_payoffs
    assert rows[:, 0].tolist().count(max(rows[:, 0])) == 2
    assert columns[0].tolist().count(max(columns[0])) == 2
    pairs = [profile.strategies for profile in extreme_equilibria(game)]
    segments = [
        MixedProfile((x, (y + z) / 2))
        for (x, y), (other, z) in combinations(pairs, 2)
        if x.tolist() == other.tolist()
    ]
    assert any(certify_nash(game, middle).epsilon == 0 for middle in segments)
