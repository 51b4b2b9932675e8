"""Lists of all equilibria: true ones pass, and none that misses or repeats an equilibrium does."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gametheory_core import CertificateRejected, NormalFormGame
from gametheory_core.catalog import load
from gametheory_core.certificates import certify_all_equilibria
from gametheory_core.certificates.reduced_game import checked_reduction
from gametheory_core.certificates.support_cells import (
    ALONE,
    EXCLUDED,
    HALVE,
    is_excluded,
    whole_cell,
)
from gametheory_core.certificates.support_solutions import is_alone, require_solution
from gametheory_core.evaluation import action_payoffs
from gametheory_core.evaluation.support_rows import DifferenceTables, at_corners
from gametheory_core.formats import Checked, certificate_from, certificate_record
from gametheory_core.testing import PayoffKind, normal_form_games
from solvers import polynomial_support_enumeration
from tests.planted_games import with_dominated_and_copies
from tests.sample_sizes import examples, many

SHAPES = [(2, 2, 2), (3, 2, 2), (2, 2, 2, 2), (3, 3), (2, 3, 3)]
GENERIC = (PayoffKind.GENERIC, PayoffKind.FLOAT)


def proof_of(shape, seed):
    rng = np.random.default_rng(seed)
    game = NormalFormGame.from_payoffs(rng.integers(-99, 100, (len(shape), *shape)))
    return polynomial_support_enumeration(game).found.completeness


def certified_anew(proof, *, solutions=None, steps=None):
    return certify_all_equilibria(
        proof.game,
        proof.solutions if solutions is None else solutions,
        proof.steps if steps is None else steps,
        eliminations=proof.eliminations,
        merges_copies=proof.merges_copies,
    )


def tables_left(proof):
    """Differences in what is left of the game that a proof is about."""
    reduction = checked_reduction(proof.game, proof.eliminations, merges_copies=proof.merges_copies)
    return DifferenceTables(reduction.target)


def changed_steps(steps, rng):
    """Change, drop, repeat or exchange a step; or change a number in one."""
    steps = [list(step) for step in steps]
    at = rng.randrange(len(steps))
    kind = rng.randrange(5)
    if kind == 0:
        del steps[at]
    elif kind == 1:
        steps.insert(at, list(rng.choice(steps)))
    elif kind == 2:
        other = rng.randrange(len(steps))
        steps[at], steps[other] = steps[other], steps[at]
    elif kind == 3:
        place = rng.randrange(len(steps[at]))
        steps[at][place] += rng.choice([-2, -1, 1, 2, 10**6, -(10**9)])
    else:
        place = rng.randrange(len(steps[at]))
        steps[at][place] = -steps[at][place]
    return tuple(map(tuple, steps))


@examples(40)
@given(st.sampled_from(SHAPES), st.integers(0, 10**6), st.randoms(use_true_random=False))
def test_steps_that_are_changed_prove_the_same_or_nothing(shape, seed, rng):
    proof = proof_of(shape, seed)
    assume(proof is not None)
    proof.verify()
    for _ in range(8):
        changed = changed_steps(proof.steps, rng)
        try:
            found = certified_anew(proof, steps=changed)
        except CertificateRejected:
            continue
        assert set(found.profiles) == set(proof.profiles)


@examples(40)
@given(st.sampled_from(SHAPES), st.integers(0, 10**6), st.randoms(use_true_random=False))
def test_no_equilibrium_can_be_left_out(shape, seed, rng):
    """Without one solution, its cells have to be excluded, whatever the weights."""
    proof = proof_of(shape, seed)
    assume(proof is not None)
    equilibria = [n for n, s in enumerate(proof.solutions) if _played(s) in _listed(proof)]
    gone = rng.choice(equilibria)
    rows = tables_left(proof).rows(proof.solutions[gone].supports)
    weights = [rng.randint(-5, 5) for _ in rows.actions]
    weights = [abs(w) if r >= rows.num_equations else w for r, w in enumerate(weights)]
    steps = tuple(
        (EXCLUDED, *weights)
        if step == (ALONE, gone)
        else (ALONE, step[1] - 1)
        if step[0] == ALONE and step[1] > gone and len(step) == 2
        else step
        for step in proof.steps
    )
    solutions = (*proof.solutions[:gone], *proof.solutions[gone + 1 :])
    with pytest.raises(CertificateRejected, match="unproved"):
        certified_anew(proof, solutions=solutions, steps=steps)


def _played(solution):
    return tuple(map(tuple, solution.point))


def _listed(proof):
    return {
        tuple(tuple(p for p in own if p) for own in profile.strategies)
        for profile in proof.profiles
    }


def test_an_equilibrium_cannot_be_listed_twice():
    proof = polynomial_support_enumeration(load("irrational_equilibrium")).found.completeness
    (solution,) = proof.solutions
    point = tuple((a + solution.radius / 8, b - solution.radius / 8) for a, b in solution.point)
    twice = (solution, replace(solution, point=point))
    with pytest.raises(CertificateRejected, match="two solutions .* whose boxes meet"):
        certify_all_equilibria(proof.game, twice, proof.steps)
    with pytest.raises(CertificateRejected, match="claims profiles with .* listed twice"):
        replace(proof, profiles=proof.profiles * 2).verify()
    with pytest.raises(CertificateRejected, match="which is missing"):
        replace(proof, profiles=()).verify()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"radius": Fraction(-1)}, "the radius is negative"),
        ({"radius": Fraction(0)}, "the point is no solution"),
        ({"radius": Fraction(1, 10**60)}, "Krawczyk's condition fails"),
        ({"radius": Fraction(2)}, "Krawczyk's condition fails|does not tell"),
        ({"inverse": ()}, "the inverse is not of 3 x 3 numbers"),
        ({"point": ((Fraction(1), Fraction(1)),) * 3}, "do not sum to 1"),
        ({"supports": ((0, 1), (0, 1), (0, 2))}, "none of the game's"),
        ({"supports": ((0, 1), (0, 1), ())}, "none of the game's"),
        ({"supports": ((1, 0), (0, 1), (0, 1))}, "none of the game's"),
    ],
)
def test_solutions_are_checked(change, message):
    proof = polynomial_support_enumeration(load("irrational_equilibrium")).found.completeness
    (solution,) = proof.solutions
    with pytest.raises(CertificateRejected, match=message):
        certify_all_equilibria(proof.game, (replace(solution, **change),), proof.steps)


PENNIES = load("matching_pennies")


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ((), "step 0 is not about an action"),
        (((0, 2, 0),), "step 0 is not about an action"),
        (((0, 0, 5),), "step 0 is not about an action"),
        (((1, 0, 0, 1),), "drops an action that is not shown to be worse"),
        (((1, 0, 0, 7),), "drops an action that is not shown to be worse"),
        (((0, 0, 0), (0, 0, 1)), "not open"),
        (((HALVE, 0, 0, 1),), "step 0 is not|not open"),
    ],
)
def test_steps_about_supports_are_checked(steps, message):
    with pytest.raises(CertificateRejected, match=message):
        certify_all_equilibria(PENNIES, (), steps)


def test_nothing_is_excluded_where_there_is_nothing_to_combine():
    """A single profile is left, and no action that could earn more."""
    game = load("prisoners_dilemma")
    proof = polynomial_support_enumeration(game).found.completeness
    assert proof.eliminations
    assert proof.steps == ((ALONE, 0),)
    with pytest.raises(CertificateRejected, match="is excluded, unproved"):
        certified_anew(proof, solutions=(), steps=((EXCLUDED,),))


def with_last(steps, *last):
    """Replace what the proof for matching pennies says of its only supports."""
    return (*steps[:-1], *last)


@pytest.mark.parametrize(
    ("last", "message"),
    [
        (((EXCLUDED, 1, 1),), "is excluded, unproved"),
        (((EXCLUDED, 1),), "says nothing about a cell"),
        (((ALONE, 1),), "said to hold solution 1 only, unproved"),
        (((ALONE, -1),), "unproved|says nothing"),
        (((HALVE, 0, 0, 0), (ALONE, 0), (ALONE, 0)), "halves no edge"),
        (((HALVE, 0, 0, 2), (ALONE, 0), (ALONE, 0)), "halves no edge"),
        (((HALVE, 0, 0, 1), (ALONE, 0)), "says nothing about a cell"),
        (((ALONE, 0), (ALONE, 0)), "comes after all supports are done"),
    ],
)
def test_steps_about_cells_are_checked(last, message):
    proof = polynomial_support_enumeration(PENNIES).found.completeness
    assert proof.steps[-1] == (ALONE, 0)
    certify_all_equilibria(
        PENNIES, proof.solutions, with_last(proof.steps, (HALVE, 0, 0, 1), (ALONE, 0), (ALONE, 0))
    )
    with pytest.raises(CertificateRejected, match=message):
        certify_all_equilibria(PENNIES, proof.solutions, with_last(proof.steps, *last))


def halved_at_random(cell, rng, times):
    for _ in range(times):
        player = rng.choice([j for j, own in enumerate(cell.corners) if len(own) > 1])
        kept, moved = rng.sample(range(len(cell.corners[player])), 2)
        cell = cell.halved(player, kept, moved)
    return cell


@many
@given(normal_form_games(num_players=(2, 3), max_actions=3), st.randoms(use_true_random=False))
def test_an_excluded_cell_holds_no_equilibrium(game, rng):
    """At points of the cell that play all supported actions, the combination is below 0."""
    supports = tuple(
        tuple(sorted(rng.sample(range(n), rng.randint(1, n)))) for n in game.num_actions
    )
    rows = DifferenceTables(game).rows(supports)
    assume(any(len(own) > 1 for own in supports))
    cell = halved_at_random(whole_cell(supports), rng, rng.randint(0, 4))
    for _ in range(10):
        weights = [rng.randint(-2, 2) for _ in rows.actions]
        if not is_excluded(rows, cell, weights):
            continue
        for _ in range(10):
            shares = [[rng.choice([0, 0, 1, 3]) for _ in own] for own in cell.corners]
            point = [
                np.array([[sum(s * c for s, c in zip(part, col, strict=True)) for col in cols]])
                for part, own in zip(shares, cell.corners, strict=True)
                for cols in [list(zip(*own, strict=True))]
            ]
            if all((own > 0).all() for own in point):
                values = at_corners(rows.values, [own.astype(object) for own in point]).ravel()
                assert sum(w * v for w, v in zip(weights, values, strict=True)) < 0


def test_a_combination_that_is_0_where_all_play_excludes_nothing():
    """Twins: the row is 0 on a side that no full support lies on, or on one that it does."""
    game = NormalFormGame.bimatrix([[1, 0], [0, 0]], [[0, 0], [0, 0]])
    supports = ((0, 1), (0, 1))
    rows = DifferenceTables(game).rows(supports)  # of the row player: 1 at the first column, 0
    cell = whole_cell(supports)
    assert is_excluded(rows, cell, [-1, 0])  # 0 only where the second column is played alone
    inside = cell.halved(1, 1, 0).halved(1, 0, 1)  # away from that side: all below 0
    assert is_excluded(rows, inside, [-1, 0])
    flat = NormalFormGame.bimatrix([[1, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0]])
    rows = DifferenceTables(flat).rows(((0, 1), (1, 2)))
    assert not is_excluded(rows, whole_cell(((0, 1), (1, 2))), [-1, 0, 0])


def two_roots():
    """Two players' rows of 2 x 2 x 2 are bilinear: two solutions, in one cell."""
    game = load("nine_equilibria")
    supports = ((0, 1),) * 3
    rows = DifferenceTables(game).rows(supports)
    found = polynomial_support_enumeration(game).found.completeness
    return rows, [s for s in found.solutions if s.supports == supports]


@many
@given(st.lists(st.fractions(-3, 3, max_denominator=50), min_size=9, max_size=9), st.booleans())
def test_a_cell_with_two_solutions_is_never_said_to_hold_one(entries, is_near):
    rows, solutions = two_roots()
    assert len(solutions) >= 2
    base = np.array(solutions[0].inverse, dtype=object)
    matrix = np.array(entries, dtype=object).reshape(3, 3)
    inverse = base * (1 + matrix / 50) if is_near else matrix
    one = replace(solutions[0], inverse=tuple(map(tuple, inverse.tolist())))
    assert not is_alone(rows, whole_cell(rows.supports).lowest(), one)


@given(normal_form_games(num_players=(3, 3), max_actions=2, kinds=GENERIC))
def test_boxes_of_solutions_hold_one(game):
    """A box that holds is one whose equations change sign across it, in every unknown."""
    proof = polynomial_support_enumeration(game).found.completeness
    assume(proof is not None)
    tables = tables_left(proof)
    for solution in proof.solutions:
        rows = tables.rows(solution.supports)
        assert not require_solution(rows, solution)
        if not solution.radius:
            continue
        inverse = np.array([[float(v) for v in row] for row in solution.inverse])
        for signs in product((-1, 1), repeat=len(inverse)):
            steps = iter(signs)
            point = [
                (own[0] - shift, own[1] + shift) if len(own) == 2 else own
                for own in solution.point
                for shift in [next(steps) * solution.radius if len(own) == 2 else 0]
            ]
            values = at_corners(
                rows.values[: len(inverse)], [np.array([own], dtype=object) for own in point]
            ).ravel()
            moved = [
                sum(Fraction(y) * v for y, v in zip(row, values, strict=True))
                for row in solution.inverse
            ]
            assert all(s * m > 0 for s, m in zip(signs, moved, strict=True))


def test_a_proof_survives_a_file():
    proof = proof_of((2, 3, 2), 5)
    record = certificate_record(proof)
    read = certificate_from(Checked(record, "", "file"))
    read.verify()
    assert read == proof


def test_profiles_have_no_index_exactly_where_an_unplayed_action_is_tied():
    """Copies of played actions are tied with them, whatever weight they get in a profile."""
    kinds = Counter()
    for seed in range(30):
        rng = np.random.default_rng(seed)
        shape = ((2, 2), (2, 3), (3, 3))[seed % 3]
        drawn = NormalFormGame.from_payoffs(rng.integers(-9, 10, (2, *shape)))
        game, _ = with_dominated_and_copies(rng, drawn, dominated=1, copies=seed % 2)
        proof = polynomial_support_enumeration(game).found.completeness
        for profile, index in zip(proof.profiles, proof.indices, strict=True) if proof else ():
            is_tied = False
            for player, own in enumerate(profile.strategies):
                values = action_payoffs(game, profile, player=player)
                unplayed = [value for value, weight in zip(values, own, strict=True) if not weight]
                is_tied |= max(values) in unplayed
            assert (index is None) == is_tied
            kinds[is_tied] += 1
    assert min(kinds[True], kinds[False]) > 10
