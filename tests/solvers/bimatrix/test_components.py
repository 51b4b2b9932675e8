"""Components of equilibria: maximal, connected, complete, on generic and degenerate games."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.catalog import load, random_game
from solvers import Budget, nash_components, vertex_enumeration

FEW_VALUES = st.sampled_from([-1, 0, 0, 1])


@st.composite
def degenerate_games(draw, largest=4):
    m, n = draw(st.integers(1, largest)), draw(st.integers(1, largest))
    tables = st.lists(st.lists(FEW_VALUES, min_size=n, max_size=n), min_size=m, max_size=m)
    return gt.NormalFormGame.bimatrix(draw(tables), draw(tables))


def is_equilibrium(game, x, y):
    vectors = (np.array(side, dtype=object) for side in (x, y))
    return gt.certify_nash(game, gt.MixedProfile(tuple(vectors))).epsilon == 0


def mixture(strategies, rng):
    """A random mixture with all of them in it."""
    weights = [int(w) for w in rng.integers(1, 9, len(strategies))]
    return tuple(
        sum((Fraction(w, sum(weights)) * s[a] for w, s in zip(weights, strategies, strict=True)))
        for a in range(len(strategies[0]))
    )


def shape(subset):
    return frozenset(subset.first), frozenset(subset.second)


def by_brute_force(game):
    """Try all sets of extreme strategies of player 0; join what shares an equilibrium."""
    profiles = [solution.profile for solution in vertex_enumeration(game).equilibria]
    xs, ys = ({tuple(p.strategies[i].tolist()) for p in profiles} for i in (0, 1))
    fits = {(x, y): is_equilibrium(game, x, y) for x in xs for y in ys}
    shapes = set()
    for size in range(1, len(xs) + 1):
        for chosen in combinations(sorted(xs), size):
            second = frozenset(y for y in ys if all(fits[x, y] for x in chosen))
            first = frozenset(x for x in xs if all(fits[x, y] for y in second))
            if second and first == frozenset(chosen):
                shapes.add((first, second))
    classes = []
    for one in shapes:
        near = [c for c in classes if any(one[0] & other[0] and one[1] & other[1] for other in c)]
        classes = [c for c in classes if c not in near] + [{one}.union(*near)]
    return {frozenset(c) for c in classes}


def found_by(game):
    found = nash_components(game)
    found.certificate.verify()
    found.extreme.completeness.verify()
    for component in found.components:
        order = [(subset.first, subset.second) for subset in component.subsets]
        assert order == sorted(order, reverse=True)
    return found


@given(degenerate_games(largest=3))
def test_subsets_and_components_are_those_of_brute_force(game):
    found = found_by(game)
    assert {frozenset(map(shape, c.subsets)) for c in found.components} == by_brute_force(game)
    assert found.are_points == all(component.is_point for component in found.components)


@given(degenerate_games(), st.integers(0, 2**32 - 1))
def test_mixtures_within_a_subset_are_equilibria_and_across_subsets_some_are_not(game, seed):
    rng = np.random.default_rng(seed)
    subsets = found_by(game).subsets
    for subset in subsets:
        for _ in range(3):
            assert is_equilibrium(game, mixture(subset.first, rng), mixture(subset.second, rng))
    for one, other in combinations(subsets, 2):
        joined = product(one.first + other.first, one.second + other.second)
        assert not all(is_equilibrium(game, x, y) for x, y in joined)


@given(degenerate_games())
def test_every_extreme_equilibrium_is_in_exactly_one_component(game):
    found = found_by(game)
    pairs = [
        {(x, y) for subset in c.subsets for x in subset.first for y in subset.second}
        for c in found.components
    ]
    everything = {
        tuple(tuple(s.tolist()) for s in solution.profile.strategies)
        for solution in found.extreme.equilibria
    }
    assert set().union(*pairs) == everything
    assert sum(map(len, pairs)) == len(everything)


@pytest.mark.parametrize("seed", range(5))
def test_equilibria_of_generic_games_are_points(seed):
    found = found_by(random_game((5, 4), rng=np.random.default_rng(seed)))
    assert found.are_points
    assert len(found.components) == len(found.extreme.equilibria) == len(found.subsets)


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("battle_of_the_sexes", [[1], [1], [1]]),
        ("indifference:size=3", [[9]]),
        ("degenerate", [[2, 2, 2, 2, 2, 2], [1]]),
        ("coordination:size=3", [[1]] * 7),
    ],
)
def test_known_games(name, sizes):
    """For each component, how many extreme equilibria its subsets have."""
    found = found_by(load(name))
    assert [[len(s.profiles) for s in c.subsets] for c in found.components] == sizes


def test_segments_of_different_lengths_meet():
    """The column player does not care in the first row, and likes the first column in the other.

    The row player likes the first row while the first column is played often enough.
    """
    game = gt.NormalFormGame.bimatrix([[1, 0], [0, 2]], [[0, 0], [1, 0]])
    found = found_by(game)
    (component,) = found.components
    (subset,) = component.subsets
    assert subset.first == ((1, 0),)
    assert set(subset.second) == {(1, 0), (Fraction(2, 3), Fraction(1, 3))}


def test_components_come_in_the_order_of_extreme_equilibria():
    found = found_by(load("degenerate"))
    first = [tuple(s.tolist()) for s in found.extreme.equilibria[0].profile.strategies]
    assert any(first[0] in s.first and first[1] in s.second for s in found.components[0].subsets)
    assert nash_components(load("degenerate")).certificate == found.certificate


@pytest.mark.parametrize("budget", [Budget(iterations=3), Budget(seconds=0.0)])
def test_budget_ends_with_the_extreme_equilibria_so_far(budget):
    game = load("degenerate")
    with pytest.raises(gt.NotConverged, match="needs all maximal Nash subsets, but the") as caught:
        nash_components(game, budget=budget)
    for solution in caught.value.best.equilibria:
        solution.certificate.verify()


def test_budget_counts_subsets_too():
    game = load("degenerate")
    vertices = vertex_enumeration(game).run.iterations
    with pytest.raises(gt.NotConverged, match="ended when it found 3 subsets") as caught:
        nash_components(game, budget=Budget(iterations=vertices + 3))
    assert caught.value.best.is_complete
    assert nash_components(game, budget=Budget(iterations=vertices + 7)).run.iterations == (
        vertices + 7
    )


def test_progress_is_reported():
    reports = []
    nash_components(load("degenerate"), on_iteration=reports.append)
    assert reports[-1].unit == "vertices and subsets"


def test_other_games_are_refused():
    with pytest.raises(gt.UnsupportedGame, match="nash_components: needs two players, but"):
        nash_components(gt.NormalFormGame.from_payoffs(np.zeros((3, 2, 2, 2), dtype=int)))
    with pytest.raises(gt.UnsupportedGame, match="nash_components: needs a normal-form game"):
        nash_components(gt.from_sketch(gt.Terminal([0, 0]), players=("Alice", "Bob")))
