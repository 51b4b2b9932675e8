"""All equilibria of small games, against other methods, and what is left undecided."""

import time
import tracemalloc
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, NormalFormGame, NotConverged, UnsupportedGame
from gametheory_core.catalog import load
from gametheory_core.games import is_degenerate
from gametheory_core.strategies import supports
from gametheory_core.testing import PayoffKind, normal_form_games
from solvers import Budget, logit_homotopy, polynomial_support_enumeration, pure, vertex_enumeration
from solvers.dominance import reduce_game
from tests.planted_games import merged, planted, regular_supports


def profiles(answer):
    return {solution.profile for solution in answer.found.equilibria}


def check(answer):
    for solution, isolated in zip(answer.found.equilibria, answer.isolated, strict=True):
        solution.certificate.verify()
        if isolated is None:
            proof = answer.found.completeness
            assert solution.certificate.epsilon == 0 or (proof and proof.merges_copies)
        else:
            isolated.verify()
            assert isolated.profile == solution.profile


@given(normal_form_games(num_players=(2, 2), kinds=(PayoffKind.GENERIC, PayoffKind.FLOAT)))
def test_same_equilibria_as_vertex_enumeration(game):
    assume(not is_degenerate(game))
    answer = polynomial_support_enumeration(game)
    check(answer)
    assert answer.found.is_complete
    assert profiles(answer) == {s.profile for s in vertex_enumeration(game).equilibria}
    assert all(isolated is not None for isolated in answer.isolated)


@given(normal_form_games(num_players=(2, 2), max_actions=2))
def test_extreme_equilibria_of_degenerate_games_are_found_or_undecided(game):
    """Where nothing is undecided, no extreme equilibrium is missing."""
    answer = polynomial_support_enumeration(game)
    check(answer)
    extreme = {s.profile for s in vertex_enumeration(game).equilibria}
    missing = extreme - profiles(answer)
    open_supports = {box.supports for box in answer.undecided}
    assert all(supports(profile) in open_supports for profile in missing)
    assert answer.found.is_complete == (not answer.undecided)


def candidates_of_two_by_two_by_two(game):
    """All isolated solutions in floats: pure, one or two pure players, and a quadratic.

    With ``x, y, z`` the chances of first actions, a player's gain of the first action is
    ``c + c_1 p + c_2 q + c_12 p q`` in the two others' chances.
    """
    payoffs = game.payoffs
    gains = [payoffs[i].take(0, axis=i) - payoffs[i].take(1, axis=i) for i in range(3)]
    # coefficients of 1, p, q, pq; gain = sum of table[a, b] over corners
    coefficients = [
        (g[1, 1], g[0, 1] - g[1, 1], g[1, 0] - g[1, 1], g[0, 0] - g[0, 1] - g[1, 0] + g[1, 1])
        for g in gains
    ]
    yield from product((0.0, 1.0), repeat=3)
    for fixed, value in product(range(3), (0.0, 1.0)):  # two mix: linear
        i, j = (k for k in range(3) if k != fixed)
        point = [0.0, 0.0, 0.0]
        point[fixed] = value
        for player, other in ((i, j), (j, i)):
            c = coefficients[player]
            rest = sorted({0, 1, 2} - {player})
            slope = (c[1] if rest[0] == other else c[2]) + c[3] * value
            start = c[0] + (c[2] if rest[0] == other else c[1]) * value
            point[other] = -start / slope
        yield tuple(point)
    (a, b, c, d), (e, f, g, h), (k, m, n, o) = [tuple(map(float, own)) for own in coefficients]
    # player 0: a + b y + c z + d y z = 0, so z = -(a + b y) / (c + d y)
    # player 2: k + m x + n y + o x y = 0, so x = -(k + n y) / (m + o y)
    # player 1: e + f x + g z + h x z = 0
    top_z, low_z = np.poly1d([-b, -a]), np.poly1d([d, c])
    top_x, low_x = np.poly1d([-n, -k]), np.poly1d([o, m])
    quadratic = e * low_x * low_z + f * top_x * low_z + g * top_z * low_x + h * top_x * top_z
    for y in quadratic.roots:
        if abs(y.imag) < 1e-12:
            yield tuple(
                float(v)
                for v in (top_x(y.real) / low_x(y.real), y.real, top_z(y.real) / low_z(y.real))
            )


def equilibria_of_two_by_two_by_two(game):
    found = []
    for point in candidates_of_two_by_two_by_two(game):
        if not all(-1e-12 <= p <= 1 + 1e-12 for p in point):
            continue
        strategies = [np.array([p, 1 - p]) for p in point]
        values = [
            np.einsum("abc,b,c->a", game.payoffs[0], *strategies[1:]),
            np.einsum("abc,a,c->b", game.payoffs[1], strategies[0], strategies[2]),
            np.einsum("abc,a,b->c", game.payoffs[2], *strategies[:2]),
        ]
        if all(v.max() - v @ own < 1e-6 for v, own in zip(values, strategies, strict=True)):
            found.append(point)
    return found


@pytest.mark.parametrize("seed", range(60))
def test_same_equilibria_as_a_quadratic_equation(seed):
    rng = np.random.default_rng(seed)
    game = NormalFormGame.from_payoffs(rng.standard_normal((3, 2, 2, 2)))
    answer = polynomial_support_enumeration(game)
    check(answer)
    assert answer.found.is_complete
    ours = sorted([float(s[0]) for s in p.strategies] for p in profiles(answer))
    theirs = sorted(map(list, equilibria_of_two_by_two_by_two(game)))
    assert len(ours) == len(theirs)
    np.testing.assert_allclose(ours, theirs, atol=1e-7)


def test_nine_equilibria_are_found_exactly():
    answer = polynomial_support_enumeration(load("nine_equilibria"))
    check(answer)
    assert answer.found.is_complete
    assert len(profiles(answer)) == 9
    assert all(solution.certificate.epsilon == 0 for solution in answer.found.equilibria)
    sizes = sorted(sum(map(len, supports(profile))) for profile in profiles(answer))
    assert sizes == [3, 3, 3, 3, 5, 5, 5, 6, 6]


def test_only_equilibrium_is_irrational():
    answer = polynomial_support_enumeration(load("irrational_equilibrium"))
    check(answer)
    (solution,) = answer.found.equilibria
    assert answer.found.is_complete
    assert 0 < solution.certificate.epsilon <= Fraction(3, 10**12)
    assert answer.isolated[0].radius <= Fraction(1, 100)


def test_what_proves_an_equilibrium_is_its_box_where_it_is_irrational():
    for name in ("irrational_equilibrium", "nine_equilibria"):
        answer = polynomial_support_enumeration(load(name))
        shown = answer.solution
        shown.completeness.verify()
        for plain, isolated, proved in zip(
            answer.found.equilibria, answer.isolated, shown.equilibria, strict=True
        ):
            proved.certificate.verify()
            assert proved.profile == plain.profile
            expected = isolated if plain.certificate.epsilon else plain.certificate
            assert proved.certificate == expected


def test_accuracy_of_irrational_equilibria_can_be_chosen():
    tolerance = Fraction(1, 10**50)
    answer = polynomial_support_enumeration(load("irrational_equilibrium"), tolerance=tolerance)
    assert 0 < answer.found.equilibria[0].certificate.epsilon <= tolerance


@pytest.mark.parametrize("shape", [(3, 3, 3), (2, 2, 2, 2), (2, 4, 3), (2, 2, 2, 2, 2)])
def test_larger_games_hold_what_other_solvers_find(shape):
    rng = np.random.default_rng(len(shape))
    game = NormalFormGame.from_payoffs(rng.integers(-(10**6), 10**6, (len(shape), *shape)))
    answer = polynomial_support_enumeration(game)
    check(answer)
    assert answer.found.is_complete
    assert len(profiles(answer)) % 2 == 1
    assert {s.profile for s in pure(game).equilibria} <= profiles(answer)
    limit = np.concatenate(logit_homotopy(game).solution.profile.to_float().strategies)
    ours = [np.concatenate(profile.to_float().strategies) for profile in profiles(answer)]
    assert min(np.max(np.abs(own - limit)) for own in ours) < 1e-9


@given(normal_form_games(num_players=(1, 3), max_actions=2))
def test_degenerate_games_are_reported_honestly(game):
    answer = polynomial_support_enumeration(game, cells_per_support=500)
    check(answer)
    assert answer.found.is_complete == (not answer.undecided)
    assert len(profiles(answer)) == len(answer.found.equilibria)
    assert {s.profile for s in pure(game).equilibria} <= profiles(answer)
    limit = logit_homotopy(game).solution
    reduction = reduce_game(game)
    known = {merged(reduction, profile.strategies) for profile in profiles(answer)}
    found = merged(reduction, limit.profile.strategies)
    if limit.certificate.epsilon == 0 and found not in known:
        assert supports(limit.profile) in {box.supports for box in answer.undecided}


def test_continuum_is_left_undecided_in_a_box():
    """Against the first column the rows tie, and the column player is content with any mixture."""
    game = NormalFormGame.bimatrix([[1, 0], [1, 5]], [[1, 0], [1, 1]])
    answer = polynomial_support_enumeration(game)
    assert not answer.found.is_complete
    (box,) = [box for box in answer.undecided if box.supports == ((0, 1), (0,))]
    assert box.lowest[0].tolist() == [0, 0]
    assert box.highest[0].tolist() == [1, 1]
    assert "supports ((0, 1), (0,)), probabilities [0..1, 0..1] x [1..1]" in answer.found.evidence


def test_what_is_undecided_is_told_in_actions_of_the_game():
    game = NormalFormGame.bimatrix([[-9, -9], [1, 0], [1, 5]], [[7, 8], [1, 0], [1, 1]])
    answer = polynomial_support_enumeration(game)
    assert ((1, 2), (0,)) in {box.supports for box in answer.undecided}


def test_dominated_actions_are_worse_on_the_whole_box():
    """The third row earns a millionth less than even play of the others."""
    loss = Fraction(-1, 10**6)
    rows = [[1, -1], [-1, 1], [loss, loss]]
    answer = polynomial_support_enumeration(NormalFormGame.zero_sum(rows))
    assert len(answer.found.completeness.eliminations) == 1
    assert answer.isolated[0] is not None
    check(answer)


def test_singular_isolated_equilibrium_is_left_undecided():
    """Gains y - z, (2x - 1)(2z - 1) and x - y of first actions vanish at x = y = z = 1/2, twice."""
    payoffs = np.zeros((3, 2, 2, 2), dtype=int)
    for x, y, z in product((0, 1), repeat=3):
        cell = (1 - x, 1 - y, 1 - z)  # first action is value 1
        payoffs[(0, *cell)] = x * (y - z)
        payoffs[(1, *cell)] = y * (4 * x * z - 2 * x - 2 * z + 1)
        payoffs[(2, *cell)] = z * (x - y)
    answer = polynomial_support_enumeration(
        NormalFormGame.from_payoffs(payoffs), cells_per_support=2_000
    )
    assert ((0, 1), (0, 1), (0, 1)) in {box.supports for box in answer.undecided}
    (box,) = [b for b in answer.undecided if b.supports == ((0, 1), (0, 1), (0, 1))]
    for low, high in zip(box.lowest, box.highest, strict=True):
        assert low[0] <= 0.5 <= high[0]


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_scale_of_payoffs_does_not_matter(scale):
    rng = np.random.default_rng(11)
    payoffs = rng.standard_normal((3, 2, 3, 2))
    plain = polynomial_support_enumeration(NormalFormGame.from_payoffs(payoffs))
    scaled = polynomial_support_enumeration(NormalFormGame.from_payoffs(payoffs * scale))
    assert scaled.found.is_complete
    assert [supports(s.profile) for s in scaled.found.equilibria] == [
        supports(s.profile) for s in plain.found.equilibria
    ]


def test_one_player_takes_the_best_action():
    answer = polynomial_support_enumeration(NormalFormGame.from_payoffs([[1, 3, 2]]))
    assert answer.found.is_complete
    assert [supports(s.profile) for s in answer.found.equilibria] == [((1,),)]
    tied = polynomial_support_enumeration(NormalFormGame.from_payoffs([[1, 3, 3]]))
    assert [supports(s.profile) for s in tied.found.equilibria] == [((1,),), ((2,),)]
    assert tied.found.completeness.merges_copies


def test_budget_ends_with_the_equilibria_so_far():
    game = load("irrational_equilibrium")
    with pytest.raises(NotConverged, match="the budget ended after") as caught:
        polynomial_support_enumeration(game, budget=Budget(iterations=1))
    assert not caught.value.best.found.is_complete
    assert "budget ended" in caught.value.best.found.evidence


@pytest.mark.parametrize("shape", [(6, 6, 6, 6), (6, 6, 6, 6, 6)])
def test_time_limit_and_memory_hold_where_supports_are_many(shape):
    """There are a billion support profiles of five players with six actions."""
    rng = np.random.default_rng(3)
    game = NormalFormGame.from_payoffs(rng.standard_normal((len(shape), *shape)))
    tracemalloc.start()
    started = time.process_time()
    with pytest.raises(NotConverged, match="support profiles, but the budget ended") as caught:
        polynomial_support_enumeration(game, budget=Budget(seconds=0.5))
    spent = time.process_time() - started
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert spent < 3
    assert peak < 200e6
    assert {s.profile for s in pure(game).equilibria} <= profiles(caught.value.best)


def test_time_limit_holds_while_pure_equilibria_are_certified():
    game = NormalFormGame.from_payoffs(np.zeros((5, 4, 4, 4, 4, 4)))
    with pytest.raises(NotConverged, match="after 0 cells with 100 equilibria"):
        polynomial_support_enumeration(game, budget=Budget(seconds=0.0))


def test_few_cells_leave_more_undecided():
    answer = polynomial_support_enumeration(load("irrational_equilibrium"), cells_per_support=1)
    assert not answer.found.is_complete
    assert answer.undecided


def test_large_games_ask_for_a_budget():
    payoffs = np.random.default_rng(0).standard_normal((3, 6, 6, 6))
    with pytest.raises(UnsupportedGame, match="has 250,047 support profiles, more than 20,000"):
        polynomial_support_enumeration(NormalFormGame.from_payoffs(payoffs))
    payoffs = np.concatenate([payoffs, payoffs[:, :1]], axis=1)
    with pytest.raises(UnsupportedGame, match="profiles, without dominated actions and copies, mo"):
        polynomial_support_enumeration(NormalFormGame.from_payoffs(payoffs))


def test_no_cells_are_refused():
    with pytest.raises(
        InvalidArgument, match="needs cells_per_support to be an integer of at least 1"
    ):
        polynomial_support_enumeration(load("chicken"), cells_per_support=0)


@given(st.integers(0, 10**6))
def test_relabelled_games_have_relabelled_equilibria(seed):
    rng = np.random.default_rng(seed)
    payoffs = rng.integers(-1000, 1001, (3, 2, 2, 3))
    order = rng.permutation(3)
    plain = polynomial_support_enumeration(NormalFormGame.from_payoffs(payoffs))
    turned = polynomial_support_enumeration(NormalFormGame.from_payoffs(payoffs[..., order]))
    assert turned.found.is_complete == plain.found.is_complete
    if plain.found.is_complete:
        assert len(turned.found.equilibria) == len(plain.found.equilibria)


@pytest.mark.parametrize(("gap", "is_complete"), [(Fraction(1, 10**20), True), (0, False)])
def test_conflicting_wishes_are_told_apart_exactly(gap, is_complete):
    """The first player may mix only if the others' bounds on the chances leave room."""
    half = Fraction(1, 2)
    payoffs = np.full((3, 2, 2, 2), Fraction(0), dtype=object)
    payoffs[1, 0, 1], payoffs[1, 1, 1] = half + gap, -half + gap  # asks x >= 1/2 + gap
    payoffs[2, 0, :, 1], payoffs[2, 1, :, 1] = -half, half  # asks x <= 1/2
    payoffs[0, 0, 1], payoffs[0, 1, 1] = 1, 0  # any change by the others ends the indifference
    payoffs[0, :, 0, 1] = [1, 0]
    answer = polynomial_support_enumeration(NormalFormGame.from_payoffs(payoffs))
    mixed = ((0, 1), (0,), (0,))
    assert (mixed not in {box.supports for box in answer.undecided}) is is_complete


@pytest.mark.parametrize("exponent", [0, 3, 8, 15])
@pytest.mark.parametrize("shape", [(2, 2, 2), (2, 3, 2), (3, 3, 3), (2, 2, 2, 2), (3, 3)])
def test_planted_equilibria_are_found_at_every_scale(shape, exponent):
    """Probabilities and payoffs go over up to 30 powers of ten; the list is complete, by proof."""
    rng = np.random.default_rng([exponent, *shape])
    for _ in range(3):
        game, planted_profile = planted(rng, shape, regular_supports(rng, shape), exponent=exponent)
        answer = polynomial_support_enumeration(game)
        check(answer)
        assert answer.found.is_complete
        answer.found.completeness.verify()
        assert any(are_close(planted_profile, profile) for profile in profiles(answer))


@pytest.mark.parametrize("exponent", [0, 3])
@pytest.mark.parametrize(
    "planted_supports",
    [((0, 1), (0, 1), (1,)), ((0, 1), (0, 1), (2,)), ((0, 1), (0, 1), (1,), (0,))],
    ids=str,
)
def test_planted_equilibria_at_which_all_actions_tie_are_found(planted_supports, exponent):
    """They solve the equations of larger supports too, with probabilities of 0; none is sought."""
    shape = tuple(1 + max(own) for own in planted_supports)
    for seed in range(3):
        rng = np.random.default_rng([seed, exponent, *shape])
        game, planted_profile = planted(rng, shape, planted_supports, exponent=exponent, gap=0)
        answer = polynomial_support_enumeration(game, budget=Budget(seconds=20))
        check(answer)
        assert answer.found.is_complete
        assert any(are_close(planted_profile, profile) for profile in profiles(answer))


def test_a_continuum_that_ends_at_a_zero_is_left_open_in_time():
    """Two actions face three, and a third player's unplayed action ties at one of the mixtures."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        supports = ((0, 1), (0, 1, 2), (2,))
        game, _ = planted(rng, (2, 3, 3), supports, exponent=0, gap=0)
        answer = polynomial_support_enumeration(game, budget=Budget(seconds=20))
        check(answer)
        assert not answer.found.is_complete


def test_an_irrational_equilibrium_at_which_an_unplayed_action_ties_is_left_open_in_time():
    """No box tells a tie from a gain: that is said, within a second, not sought again and again.

    The fourth player's second action gains, against the first one, what the first player's does.
    """
    undecided = 0
    for seed in range(1, 8):
        payoffs = np.random.default_rng(seed).integers(-30, 31, (4, 2, 2, 2, 2))
        gains = payoffs[0, 0, ..., 0] - payoffs[0, 1, ..., 0]
        payoffs[3, ..., 1] = payoffs[3, ..., 0] + gains
        game = NormalFormGame.from_payoffs(payoffs)
        answer = polynomial_support_enumeration(game, budget=Budget(seconds=20))
        check(answer)
        undecided += not answer.found.is_complete
    assert undecided


def are_close(one, other):
    return all(
        abs(a - b) <= Fraction(1, 10**9) * max(a, b)
        for own, theirs in zip(one.strategies, other.strategies, strict=True)
        for a, b in zip(own, theirs, strict=True)
    )


@pytest.mark.parametrize("reward", [2, 100, 10**6, 10**12, 10**30])
def test_a_risk_worth_a_tiny_chance_has_three_equilibria(reward):
    """Safe pays 1, risky the reward if another plays risky: all safe, all risky, and a mixture."""
    payoffs = np.zeros((3, 2, 2, 2), dtype=object)
    for cell in product((0, 1), repeat=3):
        for player in range(3):
            others = sum(cell) - cell[player]
            payoffs[(player, *cell)] = 1 if cell[player] == 0 else reward * (others > 0)
    answer = polynomial_support_enumeration(NormalFormGame.from_payoffs(payoffs))
    check(answer)
    assert answer.found.is_complete
    answer.found.completeness.verify()
    assert len(profiles(answer)) == 3
    chances = [
        strategy[1] for p in profiles(answer) for strategy in p.strategies if 0 < strategy[1] < 1
    ]
    assert len(chances) == 3
    exact = Fraction(1, reward)  # chance that another one plays risky: 1 - (1 - p)^2
    assert all(abs(1 - (1 - p) ** 2 - exact) <= exact / 10**9 for p in chances)


def test_a_continuum_is_named_by_its_ends():
    """The row player is indifferent; the column player stays as long as bottom is likely enough."""
    game = NormalFormGame.bimatrix([[1, 5], [1, 0]], [[0, 1], [3, 0]])
    answer = polynomial_support_enumeration(game)
    (box,) = answer.undecided
    assert box.supports == ((0, 1), (0,))
    ends = [answer.found.equilibria[number].profile for number in box.segment]
    assert sorted(p.strategies[0].tolist() for p in ends) == [
        [Fraction(0), Fraction(1)],
        [Fraction(3, 4), Fraction(1, 4)],
    ]
    assert "a continuum between equilibria" in answer.found.evidence


@pytest.mark.parametrize(("shape", "cells"), [((2, 2, 2), 41), ((3, 2, 3), 30)])
def test_few_cells_suffice(shape, cells):
    """The numbers are those of a family of drawn games, and a tenth."""
    payoffs = [
        np.random.default_rng(seed).integers(-50, 51, (3, *shape))
        for seed in range(8 if shape == (2, 2, 2) else 1)
    ]
    found = [polynomial_support_enumeration(NormalFormGame.from_payoffs(own)) for own in payoffs]
    assert sum(answer.found.run.iterations for answer in found) <= cells * 11 // 10
