"""Isolation certificates: boxes with exactly one equilibrium pass, all others are rejected."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import certificates
from gametheory_core.catalog import load
from gametheory_core.certificates.isolated_equilibrium import _System
from gametheory_core.distributions import ONE, ZERO
from gametheory_core.testing import PayoffKind, mixed_profiles, normal_form_games
from solvers import support_enumeration
from tests.sample_sizes import examples

TENTH = Fraction(1, 10)
PENNIES = load("matching_pennies")
IRRATIONAL = load("irrational_equilibrium")
# the roots, to eight digits
NEAR = gt.MixedProfile(
    tuple(
        np.array([Fraction(p), 1 - Fraction(p)], dtype=object)
        for p in ("0.61923258", "0.47980422", "0.37882534")
    )
)


def test_box_around_an_irrational_equilibrium_is_certified():
    certificate = certificates.certify_isolated_equilibrium(
        IRRATIONAL, NEAR, radius=Fraction(1, 10**4)
    )
    certificate.verify()
    middle = NEAR.strategies[1][0]
    low, high = middle - certificate.radius, middle + certificate.radius

    def polynomial(p):  # of which (sqrt(601) - 13) / 24 is the positive root
        return 12 * p**2 + 13 * p - 9

    assert polynomial(low) < 0 < polynomial(high)


def test_statement_names_supports_and_radius():
    certificate = certificates.certify_isolated_equilibrium(
        PENNIES, gt.uniform_profile(PENNIES), radius=TENTH
    )
    assert "supports ((0, 1), (0, 1))" in certificate.statement
    assert "within 0.1" in certificate.statement


def test_strict_pure_equilibrium_needs_no_equations():
    dilemma = load("prisoners_dilemma")
    certificate = certificates.certify_isolated_equilibrium(
        dilemma, gt.pure_profile(dilemma, (1, 1)), radius=TENTH
    )
    assert certificate.preconditioner == ()


@pytest.mark.parametrize(
    ("game", "profile", "radius", "problem"),
    [
        ("matching_pennies", "uniform", Fraction(0), "needs a positive radius"),
        ("matching_pennies", "uniform", Fraction(1, 2), "needs positive probabilities"),
        ("matching_pennies", "pure", TENTH, "needs unused actions to earn strictly less"),
        ("coordination:size=2", "pure", TENTH, None),
        ("indifference", "pure", TENTH, "needs unused actions to earn strictly less"),
        ("indifference", "uniform", TENTH, "are singular"),
        ("chicken", "uniform", TENTH, "needs Krawczyk's condition"),
    ],
)
def test_boxes_that_do_not_hold_one_equilibrium_are_rejected(game, profile, radius, problem):
    built = load(game)
    middle = gt.uniform_profile(built) if profile == "uniform" else gt.pure_profile(built, (0, 0))
    if problem is None:
        certificates.certify_isolated_equilibrium(built, middle, radius=radius).verify()
        return
    with pytest.raises(gt.CertificateRejected, match=problem):
        certificates.certify_isolated_equilibrium(built, middle, radius=radius)


def test_box_that_misses_the_equilibrium_is_rejected():
    with pytest.raises(gt.CertificateRejected, match="needs Krawczyk's condition"):
        certificates.certify_isolated_equilibrium(IRRATIONAL, NEAR, radius=Fraction(1, 10**9))


def test_float_profile_is_rejected():
    with pytest.raises(gt.CertificateRejected, match="needs a rational profile"):
        certificates.certify_isolated_equilibrium(
            PENNIES, gt.uniform_profile(PENNIES).to_float(), radius=TENTH
        )


def test_forged_preconditioners_are_rejected():
    honest = certificates.certify_isolated_equilibrium(
        PENNIES, gt.uniform_profile(PENNIES), radius=TENTH
    )
    zero = tuple(tuple(Fraction(0) for _ in row) for row in honest.preconditioner)
    with pytest.raises(gt.CertificateRejected, match="needs Krawczyk's condition"):
        replace(honest, preconditioner=zero).verify()
    with pytest.raises(gt.CertificateRejected, match="needs a preconditioner of 2 x 2"):
        replace(honest, preconditioner=honest.preconditioner[:1]).verify()


def test_both_ends_of_the_derivatives_count():
    """With the inverse of their upper ends, the lower ends alone would look like a contraction."""
    radius = Fraction(3, 50)
    system = _System(IRRATIONAL, NEAR, radius)
    upper = [
        [high / system.unit(player, system.box) for _, high in row]
        for (player, _), row in zip(system.unknowns, system.derivatives(system.box), strict=True)
    ]
    rows = tuple(tuple(map(Fraction, row)) for row in np.linalg.inv(np.array(upper)).tolist())
    with pytest.raises(gt.CertificateRejected, match="needs Krawczyk's condition"):
        certificates.IsolatedEquilibriumCertificate(IRRATIONAL, NEAR, radius, rows).verify()


@examples(150)
@given(data=st.data())
def test_no_certificate_of_a_two_player_game_without_such_an_equilibrium(data):
    """What is certified is found again: solve the linear equations of the supports exactly."""
    kinds = (PayoffKind.DEGENERATE, PayoffKind.RATIONAL)
    game = data.draw(normal_form_games(num_players=(2, 2), kinds=kinds))
    equilibria = [solution.profile for solution in support_enumeration(game).equilibria]
    profile = data.draw(st.sampled_from(equilibria) | mixed_profiles(game))
    profile = moved(profile, data.draw(st.sampled_from([Fraction(0), Fraction(1, 50), TENTH])))
    radius = data.draw(st.sampled_from([Fraction(1, 3), TENTH, Fraction(1, 100)]))
    try:
        certificate = certificates.certify_isolated_equilibrium(game, profile, radius=radius)
    except gt.CertificateRejected:
        return
    exact = newton_step(certificate)
    assert gt.certify_nash(game, exact).epsilon == 0
    distances = [abs(a - b) for p, q in zip_strict(exact, profile) for a, b in zip_lists(p, q)]
    assert max(distances) <= radius * max(game.num_actions)


def moved(profile, share):
    """Give the first supported action of each player this share of the second one's weight."""
    strategies = []
    for own in profile.strategies:
        strategy, played = own.copy(), np.flatnonzero(own)
        if len(played) > 1:
            strategy[played[0]] += share * own[played[1]]
            strategy[played[1]] -= share * own[played[1]]
        strategies.append(strategy)
    return gt.MixedProfile(tuple(strategies))


def newton_step(certificate: certificates.IsolatedEquilibriumCertificate) -> gt.MixedProfile:
    """Solve ``v_a = v_first`` and sums of 1 for both players by elimination in rationals."""
    game, profile = certificate.game, certificate.profile
    supports = [np.flatnonzero(own).tolist() for own in profile.strategies]
    strategies = []
    for opponent in (0, 1):
        player = 1 - opponent
        table = game.exact_payoffs[player] if player == 0 else game.exact_payoffs[player].T
        own, theirs = supports[player], supports[opponent]
        rows = [[table[a, b] - table[own[0], b] for b in theirs] + [0] for a in own[1:]]
        rows.append([Fraction(1)] * len(theirs) + [Fraction(1)])
        solution = eliminated(rows)
        strategy = np.full(game.num_actions[opponent], Fraction(0), dtype=object)
        strategy[theirs] = solution
        strategies.append(strategy)
    return gt.MixedProfile(tuple(strategies))


def eliminated(rows):
    size = len(rows)
    assert all(len(row) == size + 1 for row in rows)
    for column in range(size):
        pivot = next(i for i in range(column, size) if rows[i][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [value / rows[column][column] for value in rows[column]]
        for i in range(size):
            if i != column:
                factor = rows[i][column]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[column], strict=True)]
    return [row[-1] for row in rows]


def zip_strict(first, second):
    return zip(first.strategies, second.strategies, strict=True)


def zip_lists(first, second):
    return zip(first.tolist(), second.tolist(), strict=True)


def test_one_player_with_a_best_action():
    game = gt.NormalFormGame.from_payoffs([[1, 3, 2]])
    certificates.certify_isolated_equilibrium(
        game, gt.pure_profile(game, (1,)), radius=TENTH
    ).verify()


@st.composite
def boxes_with_points(draw):
    """Draw a game of three or four players, a profile, a radius, and a profile in the box."""
    shape = draw(st.sampled_from([(3, 2, 3), (2, 3, 2), (2, 2, 2, 2)]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    game = gt.NormalFormGame.from_payoffs(rng.integers(-9, 10, (len(shape), *shape)))
    radius = Fraction(1, 40)
    middle, point = [], []
    for count in shape:
        weights = rng.integers(3, 9, count).tolist()
        own = np.array([Fraction(w, sum(weights)) for w in weights], dtype=object)
        shift = [radius * draw(st.sampled_from([-1, 0, 1])) for _ in range(count - 1)]
        moved_own = own + np.array([-sum(shift, Fraction(0)), *shift], dtype=object)
        middle.append(own)
        point.append(moved_own)
    return _System(game, gt.MixedProfile(tuple(middle)), radius), point


@given(boxes_with_points())
def test_bounds_hold_at_points_of_the_box(drawn):
    """Derivatives and gains, straight from the definition, lie between their bounds."""
    system, point = drawn
    box = system.box
    for own, bounds, unit in zip(point, box.numerators, box.denominators, strict=True):
        pairs = zip(own * unit, bounds.values(), strict=True)
        assert all(low <= p <= high for p, (low, high) in pairs)

    def earned(player, action, strategies):
        table = system.game.exact_payoffs[player].take(action, axis=player)
        others = [own for i, own in enumerate(strategies) if i != player]
        for own in reversed(others):
            table = table @ own
        return table

    for (player, action), row in zip(system.unknowns, system.derivatives(box), strict=True):
        unit = system.unit(player, box)
        gain = earned(player, action, point) - earned(player, 0, point)
        low, high = system.difference(player, action, box, {})
        assert low <= gain * unit <= high
        for (opponent, by), (least, most) in zip(system.unknowns, row, strict=True):
            step = [own.copy() for own in point]
            step[opponent][by] += 1
            step[opponent][0] -= 1
            slope = earned(player, action, step) - earned(player, 0, step) - gain
            assert least <= slope * unit <= most


@given(boxes_with_points(), st.data())
def test_weighed_intervals_reach_from_the_least_to_the_most_of_their_ends(drawn, data):
    system, _ = drawn
    unknowns = system.unknowns[:4]
    count = len(unknowns)
    ends = data.draw(
        st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 9)), min_size=count, max_size=count)
    )
    intervals = [(low, low + width) for low, width in ends]
    fractions = st.fractions(-3, 3, max_denominator=5)
    weights = data.draw(st.lists(fractions, min_size=count, max_size=count))
    units = [system.unit(player, system.box) for player, _ in unknowns]
    sums = [
        sum(
            (w * Fraction(v, u) for w, v, u in zip(weights, values, units, strict=True)),
            Fraction(0),
        )
        for values in product(*intervals)
    ]
    rest = len(system.unknowns) - count
    found = system._combined(
        [*weights, *[Fraction(0)] * rest], [*intervals, *[(0, 0)] * rest], system.box
    )
    assert found == (min(sums), max(sums))


@pytest.mark.parametrize("share", [Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(1)])
def test_box_with_two_equilibria_is_rejected(share):
    """Both totally mixed equilibria of the game lie in the box."""
    game = load("nine_equilibria")
    ends = [
        (Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)),
        (Fraction(1, 4), Fraction(1, 2), Fraction(1, 3)),
    ]

    def mixed(firsts):
        return gt.MixedProfile(tuple(np.array([p, 1 - p], dtype=object) for p in firsts))

    assert all(gt.certify_nash(game, mixed(end)).epsilon == 0 for end in ends)
    middle = mixed([share * a + (1 - share) * b for a, b in zip(*ends, strict=True)])
    radius = max(abs(a - b) for a, b in zip(*ends, strict=True)) * max(share, 1 - share)
    with pytest.raises(gt.CertificateRejected, match="needs|are singular"):
        certificates.certify_isolated_equilibrium(game, middle, radius=radius)


HUGE = Fraction(10) ** 400
NAN = float("nan")


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"radius": HUGE}, "needs positive probabilities on the box"),
        ({"radius": -HUGE}, "needs a positive radius"),
        ({"preconditioner": ((HUGE, ZERO), (ZERO, ONE))}, "is mapped to 1.07e.400"),
        ({"radius": NAN}, "needs a Fraction of Python integers as radius"),
        ({"preconditioner": ((NAN, NAN), (NAN, NAN))}, r"as preconditioner\[0\]\[0\]"),
    ],
)
def test_huge_entries_and_no_numbers_are_rejected(changes, complaint):
    thirds = gt.MixedProfile(((Fraction(1, 3), Fraction(2, 3)),) * 2)
    forged = certificates.IsolatedEquilibriumCertificate(
        PENNIES, thirds, TENTH, ((ZERO, ONE), (ONE, ZERO))
    )
    with pytest.raises(gt.CertificateRejected, match=complaint):
        replace(forged, **changes).verify()


def test_a_huge_radius_is_proved_and_stated_where_nothing_is_unknown():
    game = gt.NormalFormGame.bimatrix([[3, 0], [5, 1]], [[3, 5], [0, 1]])
    certificate = certificates.certify_isolated_equilibrium(
        game, gt.pure_profile(game, (1, 1)), radius=HUGE
    )
    assert "within 1.00e+400 of" in certificate.statement
