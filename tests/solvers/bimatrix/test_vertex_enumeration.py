"""Vertex enumeration: complete and exact on generic, degenerate, tiny and extreme games."""

import time
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame, NotConverged, Terminal, UnsupportedGame, from_sketch
from gametheory_core.catalog import load
from gametheory_core.certificates import certify_completeness
from gametheory_core.memory import memory_limit
from gametheory_core.strategies import supports
from solvers import UNLIMITED, Budget, support_enumeration, vertex_enumeration
from solvers.bimatrix import vertices as vertex_traversal
from solvers.bimatrix import word_traversal
from solvers.bimatrix.best_response_polytopes import (
    best_response_polytopes,
    leaving_row,
    most_vertices,
    pivot,
    strategy_of,
)
from solvers.bimatrix.extreme_equilibria import extreme_equilibria
from solvers.bimatrix.vertices import traverse_in_integers
from solvers.bimatrix.word_traversal import OutOfReach, traverse_in_words
from solvers.dominance.reduction import unreduced
from solvers.solution import Meter
from tests.sample_sizes import many

RICH = st.fractions(min_value=-9, max_value=9, max_denominator=12)
POOR = st.sampled_from([-1, 0, 1])

# Two dual cyclic polytopes, labelled so that 75 pairs of vertices have all labels: more than any
# other known 6 x 6 game (von Stengel 1999, "New maximal numbers of equilibria in bimatrix games").
DUAL_CYCLIC = NormalFormGame.bimatrix(
    [
        [-180, 72, -333, 297, -153, 270],
        [-30, 17, -33, 42, -3, 20],
        [-81, 36, -126, 126, -36, 90],
        [90, -36, 126, -126, 36, -81],
        [20, -3, 42, -33, 17, -30],
        [270, -153, 297, -333, 72, -180],
    ],
    [
        [-180, -81, -30, 20, 90, 270],
        [-333, -126, -33, 42, 126, 297],
        [72, 36, 17, -3, -36, -153],
        [-153, -36, -3, 17, 36, 72],
        [297, 126, 42, -33, -126, -333],
        [270, 90, 20, -30, -81, -180],
    ],
)


@st.composite
def bimatrix_games(draw, payoffs, largest=5):
    m, n = draw(st.integers(1, largest)), draw(st.integers(1, largest))
    tables = st.lists(st.lists(payoffs, min_size=n, max_size=n), min_size=m, max_size=m)
    return NormalFormGame.bimatrix(draw(tables), draw(tables))


def profiles(equilibria):
    return [solution.profile for solution in equilibria.equilibria]


def assert_complete_and_exact(game):
    found = vertex_enumeration(game)
    for solution in found.equilibria:
        solution.certificate.verify()
        assert solution.certificate.epsilon == 0
        assert solution.payoffs == solution.certificate.payoffs
    assert found.is_complete
    assert len(found.equilibria) >= 1
    assert profiles(found) == profiles(support_enumeration(game))
    assert set(profiles(found)) == set(certify_completeness(game).profiles)
    assert found.completeness.profiles == tuple(profiles(found))


@many
@given(bimatrix_games(RICH, largest=4))
def test_vertex_enumeration_equals_two_independent_enumerations_on_rich_games(game):
    assert_complete_and_exact(game)


@many
@given(bimatrix_games(POOR))
def test_vertex_enumeration_equals_two_independent_enumerations_on_degenerate_games(game):
    assert_complete_and_exact(game)


@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (4, 1), (2, 5)])
def test_vertex_enumeration_takes_every_shape(shape):
    rng = np.random.default_rng(5)
    for spread in (0, 1, 9):
        assert_complete_and_exact(
            NormalFormGame.from_payoffs(rng.integers(-spread, spread + 1, (2, *shape)))
        )


@pytest.mark.parametrize("n", range(1, 8))
def test_coordination_has_an_equilibrium_for_each_set_of_actions(n):
    identity = np.eye(n, dtype=int)
    found = vertex_enumeration(NormalFormGame.bimatrix(identity, identity))
    played = [supports(profile) for profile in profiles(found)]
    assert len(set(played)) == len(played) == 2**n - 1
    assert all(rows == columns for rows, columns in played)


@pytest.mark.parametrize("n", range(1, 8))
def test_game_of_no_consequence_has_every_pure_profile_and_no_other(n):
    zero = np.zeros((n, n), dtype=int)
    found = vertex_enumeration(NormalFormGame.bimatrix(zero, zero))
    played = {supports(profile) for profile in profiles(found)}
    assert played == {((i,), (j,)) for i in range(n) for j in range(n)}
    assert len(found.equilibria) == n * n


def test_dual_cyclic_game_has_75_equilibria():
    found = vertex_enumeration(DUAL_CYCLIC)
    assert len(found.equilibria) == 75
    found.completeness.verify()


def test_payoffs_are_exact_at_any_scale():
    """Affine changes of payoffs, however large or small, move no equilibrium."""
    rng = np.random.default_rng(11)
    rows, columns = rng.integers(-5, 6, (2, 4, 4)).astype(object)
    huge, tiny = Fraction(10**300), Fraction(1, 10**300)
    plain = NormalFormGame.bimatrix(rows.tolist(), columns.tolist())
    scaled = NormalFormGame.bimatrix(
        (rows * huge + 1).tolist(), (columns * tiny - Fraction(1, 3)).tolist()
    )
    assert profiles(vertex_enumeration(scaled)) == profiles(vertex_enumeration(plain))


def test_float_payoffs_are_the_dyadic_numbers_they_are():
    """0.1 + 0.2 is not 0.3: in floats the first row is better by one bit, and alone is played."""
    game = NormalFormGame.bimatrix(np.array([[0.1 + 0.2], [0.3]]), np.array([[0.0], [0.0]]))
    assert [supports(profile) for profile in profiles(vertex_enumeration(game))] == [((0,), (0,))]


def test_difference_below_float_resolution_counts():
    nearly = 1 + Fraction(1, 10**40)
    game = NormalFormGame.bimatrix([[nearly, 0], [1, 0]], [[0, -1], [0, -1]])
    assert [supports(profile) for profile in profiles(vertex_enumeration(game))] == [((0,), (0,))]


def vertices_of(traversal):
    assert traversal.is_complete
    return {
        labels: strategy_of(traversal.table.weights(vertex)).tolist()
        for vertex, labels in enumerate(traversal.table.labels.tolist())
    }


def assert_same_vertices(game):
    for polytope in best_response_polytopes(game):
        meters = Meter(UNLIMITED, "vertices"), Meter(UNLIMITED, "vertices")
        known = vertices_of(traverse_in_integers(polytope, meters[0]))
        found = vertices_of(traverse_in_words(polytope, meters[1]))
        assert found == known
        assert meters[0].iterations == meters[1].iterations
        assert 0 < len(found) < most_vertices(polytope)


@many
@given(bimatrix_games(POOR, largest=6))
def test_words_visit_the_same_vertices_on_degenerate_games(game):
    assert_same_vertices(game)


@pytest.mark.parametrize(("shape", "spread"), [((10, 10), 100), ((9, 12), 3), ((12, 5), 10**4)])
def test_words_visit_the_same_vertices_on_large_games(shape, spread):
    """Numbers far beyond 64 bits, and more vertices than the arrays first have room for."""
    rng = np.random.default_rng(7)
    assert_same_vertices(
        NormalFormGame.from_payoffs(rng.integers(-spread, spread + 1, (2, *shape)))
    )


def test_words_break_ties_among_large_numbers():
    """Replies that are averages of others tie where those do, at ratios of rounded estimates."""
    rng = np.random.default_rng(23)
    for _ in range(4):
        rows, columns = 2 * rng.integers(-5_000, 5_000, (2, 8, 8))
        for replies in (rows, columns.T):
            replies[5:] = (replies[:3] + replies[1:4]) // 2
        assert_same_vertices(NormalFormGame.bimatrix(rows, columns))


def test_words_make_room_as_they_go(monkeypatch):
    monkeypatch.setattr(word_traversal, "FIRST_ROOM", 4)
    rng = np.random.default_rng(17)
    for spread in (1, 50):
        payoffs = rng.integers(-spread, spread + 1, (2, 8, 8))
        assert_same_vertices(NormalFormGame.from_payoffs(payoffs))


def test_words_are_right_or_give_up_as_numbers_grow():
    rng = np.random.default_rng(19)
    outcomes = []
    for digits in np.linspace(3, 9, 25):
        spread = int(10**digits)
        game = NormalFormGame.from_payoffs(rng.integers(-spread, spread + 1, (2, 6, 6)))
        for polytope in best_response_polytopes(game):
            try:
                traversal = traverse_in_words(polytope, Meter(UNLIMITED, "vertices"))
            except OutOfReach:
                outcomes.append(False)
                continue
            outcomes.append(True)
            known = traverse_in_integers(polytope, Meter(UNLIMITED, "vertices"))
            assert vertices_of(traversal) == vertices_of(known)
    assert 10 < sum(outcomes) < 40


def test_words_give_up_on_numbers_too_large_and_integers_take_over():
    rng = np.random.default_rng(3)
    game = NormalFormGame.from_payoffs(rng.integers(-(10**14), 10**14, (2, 5, 5)))
    meter = Meter(UNLIMITED, "vertices")
    for polytope in best_response_polytopes(game):
        with pytest.raises(OutOfReach, match="do not fit words"):
            traverse_in_words(polytope, meter)
    assert meter.iterations == 0
    assert_complete_and_exact(game)


def test_more_labels_than_bits_in_a_word():
    rng = np.random.default_rng(13)
    game = NormalFormGame.from_payoffs(rng.integers(-9, 10, (2, 2, 70)))
    assert_complete_and_exact(game)


@pytest.mark.parametrize("traverse", [traverse_in_integers, traverse_in_words])
def test_traversal_keeps_to_the_budget_and_says_so(traverse):
    rng = np.random.default_rng(7)
    payoffs = rng.integers(-100, 101, (2, 10, 10))
    polytope = best_response_polytopes(NormalFormGame.from_payoffs(payoffs))[0]
    meter = Meter(Budget(iterations=100), "vertices")
    traversal = traverse(polytope, meter)
    assert meter.iterations == 100
    assert not traversal.is_complete
    assert 0 < len(traversal.table.labels) <= 100
    everything = traverse(polytope, Meter(UNLIMITED, "vertices"))
    assert everything.is_complete
    assert set(traversal.table.labels.tolist()) < set(everything.table.labels.tolist())


def test_traversal_looks_at_the_time_between_the_edges_of_a_vertex(monkeypatch):
    """A vertex with 400 edges takes minutes, each edge a good part of a second."""
    edges = []

    def counted(*args, **options):
        edges.append(options["column"])
        return leaving_row(*args, **options)

    monkeypatch.setattr(vertex_traversal, "leaving_row", counted)
    polytope = best_response_polytopes(DUAL_CYCLIC)[0]
    budget = Budget(seconds=0.2)
    meter = Meter(budget, "vertices", lambda _: time.sleep(0.3))
    assert not traverse_in_integers(polytope, meter).is_complete
    assert meter.iterations == 1
    assert not edges


def test_vertices_that_wait_have_no_tableaus_yet(monkeypatch):
    """Tableaus take the memory; one is made for a vertex when it is visited."""
    pivots = []

    def counted(*args, **options):
        pivots.append(options["column"])
        return pivot(*args, **options)

    monkeypatch.setattr(vertex_traversal, "pivot", counted)
    polytope = best_response_polytopes(DUAL_CYCLIC)[0]
    traverse_in_integers(polytope, Meter(Budget(iterations=5), "vertices"))
    assert len(pivots) <= 5


def test_words_give_up_where_memory_ends(monkeypatch):
    monkeypatch.setattr(word_traversal, "BATCH", 8)
    payoffs = np.random.default_rng(7).integers(-100, 101, (2, 9, 9))
    polytope = best_response_polytopes(NormalFormGame.from_payoffs(payoffs))[0]
    assert traverse_in_words(polytope, Meter(UNLIMITED, "vertices")).is_complete
    meter = Meter(UNLIMITED, "vertices")
    with memory_limit(600_000), pytest.raises(OutOfReach, match="do not fit words"):
        traverse_in_words(polytope, meter)


def test_degenerate_games_are_solved_where_memory_ends(monkeypatch):
    """Reverse search takes over, and decides every vertex exactly."""
    game = NormalFormGame.from_payoffs(np.random.default_rng(2).integers(0, 3, (2, 6, 6)))
    known = profiles(vertex_enumeration(game))
    monkeypatch.setattr(vertex_traversal, "WORTH_LOADING", 1)
    by_words = vertex_enumeration(game)
    assert "lexicographic" in by_words.evidence
    monkeypatch.setattr(word_traversal, "memory_cap", lambda: 2_000)
    in_reverse = vertex_enumeration(game)
    assert "reverse search" in in_reverse.evidence
    assert set(profiles(by_words)) == set(profiles(in_reverse)) == set(known)


@pytest.mark.parametrize("budget", [Budget(iterations=150), Budget(seconds=0.0)])
def test_budget_ends_with_the_certified_equilibria_so_far(budget):
    with pytest.raises(
        NotConverged, match="needs all extreme equilibria, but the budget ended"
    ) as caught:
        vertex_enumeration(DUAL_CYCLIC, budget=budget)
    best = caught.value.best
    assert not best.is_complete
    assert best.completeness is None
    assert "vertices were visited" in best.evidence
    assert set(profiles(best)) < set(profiles(vertex_enumeration(DUAL_CYCLIC)))
    assert best.equilibria  # at the least what is quick to find
    for solution in best.equilibria:
        solution.certificate.verify()
        assert solution.certificate.epsilon == 0


def test_progress_is_reported():
    reports = []
    found = vertex_enumeration(DUAL_CYCLIC, on_iteration=reports.append)
    assert reports[-1].done == found.run.iterations == 2 * 112
    assert reports[-1].unit == "vertices"


def test_three_players_are_refused():
    game = load("nine_equilibria")
    with pytest.raises(UnsupportedGame, match="vertex_enumeration: needs two players, but"):
        vertex_enumeration(game)


def test_tree_is_refused():
    tree = from_sketch(Terminal([0, 0]), players=("Alice", "Bob"))
    with pytest.raises(UnsupportedGame, match="vertex_enumeration: needs a normal-form game"):
        vertex_enumeration(tree)


def test_certifying_stops_soon_after_the_budget():
    """Pairs may outnumber vertices by far, so the time limit counts for them too."""
    game = load("indifference:size=9")
    polytopes = best_response_polytopes(game)
    with pytest.raises(NotConverged, match="61 pairs of vertices were not certified") as caught:
        extreme_equilibria(
            unreduced(game),
            polytopes,
            tuple(
                traverse_in_integers(polytope, Meter(UNLIMITED, "vertices")).table
                for polytope in polytopes
            ),
            meter=Meter(Budget(seconds=0.0), "vertices"),
            method="",
            unfinished="",
        )
    assert len(caught.value.best.equilibria) == 20
