"""All equilibria of games that are reduced first: the same set as without, and of larger games."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import CertificateRejected, NormalFormGame, NotConverged
from gametheory_core.catalog import load
from gametheory_core.certificates import CompletenessCertificate
from gametheory_core.certificates.dominance import Elimination
from gametheory_core.formats import parse_json, verified_certificates
from solvers import Budget, nash_components, solve, support_enumeration, vertex_enumeration
from solvers.bimatrix.best_response_polytopes import best_response_polytopes
from solvers.bimatrix.extreme_equilibria import extreme_equilibria
from solvers.bimatrix.vertices import traverse_in_integers
from solvers.dominance.reduction import unreduced
from solvers.solution import UNLIMITED, Meter
from tests.planted_games import with_idle_players
from tests.sample_sizes import examples

ROCK_PAPER_SCISSORS = [[0, 1, -1], [-1, 0, 1], [1, -1, 0]]
SIX_BLOCKS = np.kron(np.eye(6, dtype=int), ROCK_PAPER_SCISSORS)


def enumerated(game):
    """All extreme equilibria from the polytopes of the whole game."""
    polytopes = best_response_polytopes(game)
    meter = Meter(UNLIMITED, "vertices")
    tables = tuple(traverse_in_integers(each, meter).table for each in polytopes)
    found = extreme_equilibria(
        unreduced(game), polytopes, tables, meter=meter, method="", unfinished=""
    )
    return profiles(found)


def profiles(found):
    listed = [solution.profile for solution in found.equilibria]
    assert len(set(listed)) == len(listed)
    return set(listed)


@st.composite
def matrices(draw, *, most=4, values=3):
    rows, columns = draw(st.integers(1, most)), draw(st.integers(1, most))
    entries = st.lists(st.integers(0, values - 1), min_size=columns, max_size=columns)
    return np.array(draw(st.lists(entries, min_size=rows, max_size=rows)))


@st.composite
def copied_games(draw):
    """Rows and columns that stand twice, up to terms that change no best reply."""
    first = draw(matrices(most=3))
    second = draw(st.permutations(range(first.size)))
    second = np.array(second).reshape(first.shape) % 3
    rows, columns = (
        draw(st.lists(st.integers(0, k - 1), min_size=1, max_size=4)) for k in first.shape
    )
    cells = np.ix_(rows, columns)
    own = np.array(draw(st.lists(st.integers(0, 2), min_size=len(rows), max_size=len(rows))))
    other = np.array(
        draw(st.lists(st.integers(0, 2), min_size=len(columns), max_size=len(columns)))
    )
    return NormalFormGame.bimatrix(first[cells] + other, second[cells] + own[:, None])


@st.composite
def strategically_zero_sum_games(draw):
    table = draw(matrices())
    alpha, beta = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    rows = np.array(draw(st.lists(st.integers(-2, 2), min_size=len(table), max_size=len(table))))
    columns = np.arange(table.shape[1]) % 3
    return NormalFormGame.bimatrix(alpha * table + columns, -beta * table + rows[:, None])


@examples(60)
@given(st.one_of(copied_games(), strategically_zero_sum_games()))
def test_list_is_that_of_the_polytopes_of_the_whole_game(game):
    found = vertex_enumeration(game)
    assert profiles(found) == enumerated(game)
    found.completeness.verify()
    assert profiles(support_enumeration(game)) == enumerated(game)


@examples(40)
@given(st.one_of(copied_games(), strategically_zero_sum_games()))
def test_components_are_those_that_are_certified(game):
    nash_components(game).certificate.verify()


def test_twin_in_which_interests_are_common_is_not_zero_sum():
    """Alpha A - beta B may have no interaction left as well: then nobody's loss is a gain."""
    game = NormalFormGame.symmetric([[2, 0], [0, 1]])
    assert len(vertex_enumeration(game).equilibria) == 3


def test_twin_that_is_a_copy_for_its_own_player_only_is_kept():
    game = NormalFormGame.bimatrix([[1, 1], [1, 1]], [[1, 0], [0, 1]])
    assert profiles(vertex_enumeration(game)) == enumerated(game)
    assert "left" not in vertex_enumeration(game).evidence


def test_zero_sum_game_of_twenty_actions_has_its_whole_set():
    table = np.random.default_rng(3).integers(-50, 50, (20, 20))
    rows, columns = np.arange(20)[:, None] % 7, np.arange(20) % 5
    plain = vertex_enumeration(NormalFormGame.zero_sum(table))
    assert len(plain.equilibria) == 1
    plain.completeness.verify()
    scaled = NormalFormGame.bimatrix(3 * table + columns, -5 * table + rows)
    found = vertex_enumeration(scaled)
    found.completeness.verify()
    assert profiles(found) == profiles(plain)


def test_faces_of_optimal_strategies_are_multiplied():
    """Six games of value 0 side by side: either player may play in any of them."""
    game = NormalFormGame.zero_sum(SIX_BLOCKS)
    found = vertex_enumeration(game)
    assert len(found.equilibria) == 36
    found.completeness.verify()
    third = Fraction(1, 3)
    for solution in found.equilibria:
        assert all(sorted(own)[-3:] == [third] * 3 for own in solution.profile.strategies)
    (component,) = nash_components(game).components
    assert [(len(s.first), len(s.second)) for s in component.subsets] == [(6, 6)]


def test_missing_vertex_of_a_face_is_named():
    game = NormalFormGame.zero_sum(SIX_BLOCKS)
    complete = vertex_enumeration(game).completeness
    with pytest.raises(CertificateRejected, match="which is missing"):
        CompletenessCertificate(game, complete.profiles[1:], ()).verify()


def test_budget_ends_the_search_for_optimal_strategies():
    game = NormalFormGame.zero_sum(np.random.default_rng(3).integers(-50, 50, (20, 20)))
    with pytest.raises(NotConverged, match="there may be more") as caught:
        vertex_enumeration(game, budget=Budget(iterations=0))
    assert not caught.value.best.is_complete


@pytest.mark.parametrize("solver", [vertex_enumeration, support_enumeration])
def test_travelers_have_one_equilibrium(solver):
    game = load("travelers_dilemma:highest=40")
    found = solver(game)
    (solution,) = found.equilibria
    assert solution.payoffs == (2, 2)
    assert len(found.completeness.eliminations) == 2 * 38
    found.completeness.verify()


def test_no_budget_is_too_small_to_see_that_two_of_four_players_choose():
    rng = np.random.default_rng(5)
    game, *_ = with_idle_players(rng, rng.integers(-9, 10, (2, 3, 3)), dominated=2, copies=1)
    for budget in (Budget(seconds=0.0), Budget(iterations=0), Budget(seconds=0.0, iterations=1)):
        with pytest.raises(NotConverged, match="budget") as caught:
            vertex_enumeration(game, budget=budget)
        assert all(s.certificate.epsilon == 0 for s in caught.value.best.equilibria)


def test_elimination_that_is_not_right_is_rejected():
    game = NormalFormGame.symmetric([[2, 0], [0, 1]])
    complete = vertex_enumeration(game).completeness.profiles
    wrong = (Elimination(0, 1, 1, (0,), (Fraction(1),)),)
    with pytest.raises(CertificateRejected, match="is not strictly dominated by the strategy"):
        CompletenessCertificate(game, complete, wrong).verify()


def test_weak_elimination_is_rejected():
    """It may lose equilibria: here that in the second actions."""
    game = NormalFormGame.bimatrix([[1, 0], [0, 0]], [[1, 0], [0, 0]])
    complete = vertex_enumeration(game).completeness
    assert not complete.eliminations
    weak = (Elimination(0, 1, 1, (0,), (Fraction(1),)),)
    with pytest.raises(CertificateRejected, match="is not strictly dominated by the strategy"):
        CompletenessCertificate(game, complete.profiles[:1], weak).verify()


def test_file_with_eliminations_is_read_and_verified():
    answer = solve(load("prisoners_dilemma"), "all-nash")
    text = json.dumps(answer.to_record())
    *_, proof = verified_certificates(parse_json(text, name="answer"))
    assert proof.eliminations == answer.completeness.eliminations != ()
