"""Van Damme 1984: quasi-perfect equilibria are sequential, and perfect in the normal form.

In two-player games perfection in the normal form means that neither strategy is weakly dominated,
not even by a mixed one. On generated trees, exactly, without tolerance; dominance is
decided by a linear program over the pure plans. Twins: a sequential equilibrium in a dominated
strategy is not quasi-perfect, whatever the trembles; a profile that is perfect in the normal form
may play badly after the own exit.

Why it matters (trees): It is the reason to prefer quasi-perfect equilibria: they are sensible in
the tree and in the normal form at once.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import strategies
from gametheory_core.arrays import scaled_integers
from gametheory_core.certificates import certify_quasi_perfect, certify_sequential
from gametheory_core.testing import PayoffKind, extensive_form_games
from solvers import quasi_perfect
from solvers._programs.exact import solve_exactly
from solvers._programs.linear import LinearProgram

theorem = pytest.mark.theorem(
    source="van Damme 1984",
    statement="A quasi-perfect equilibrium is sequential, and no strategy of it is weakly "
    "dominated.",
)

KINDS = (PayoffKind.DEGENERATE, PayoffKind.RATIONAL)


def most_gained_for_free(table, mixed):
    """The largest total gain over a mixed row strategy of one that is nowhere worse; 0 if none."""
    integers = scaled_integers(table).numerators
    shares = scaled_integers(mixed)
    kept = shares.numerators @ integers  # times the denominator of the shares
    count, width = integers.shape
    rows = np.repeat(np.arange(width + 1), count).astype(np.int32)
    columns = np.tile(np.arange(count), width + 1).astype(np.int32)
    values = np.concatenate([-(integers * shares.denominator).T.ravel(), np.ones(count, dtype=int)])
    used = np.flatnonzero(values)
    program = LinearProgram(
        objective=integers.sum(axis=1) * shares.denominator,
        rows=rows[used],
        columns=columns[used],
        values=values[used].astype(object),
        bounds=np.array([*(-kept), 1], dtype=object),
        is_equation=np.arange(width + 1) == width,
        is_free=np.zeros(count, dtype=bool),
    )
    return solve_exactly(program, None).value - kept.sum()


def dominated_players(tree, profile):
    conversion = gt.extensive_to_normal(tree)
    mixed = conversion.correspondence.to_target(profile)
    first, second = conversion.target.exact_payoffs
    tables = (first, second.T)
    return [
        player
        for player, (table, own) in enumerate(zip(tables, mixed.strategies, strict=True))
        if most_gained_for_free(table, own)
    ]


@theorem
@given(extensive_form_games(num_players=(2, 2), kinds=KINDS))
def test_quasi_perfect_equilibria_are_sequential_and_undominated(tree):
    assume(strategies.chance_excludes_no_infoset(tree))
    certificate = quasi_perfect(tree).certificate
    sequential = certify_sequential(tree, certificate.trembles)
    sequential.verify()
    assert sequential.profile == certificate.profile
    assert not dominated_players(tree, certificate.profile)


def careless():
    """Ann and Bob choose at once; Ann's second action is never better and once worse."""
    payoffs = {"safe": (0, 1), "careless": (0, 0)}
    ways = {
        a: gt.Decision(1, "Bob", {b: gt.Terminal([v, -v]) for b, v in zip("lr", row, strict=True)})
        for a, row in payoffs.items()
    }
    return gt.from_sketch(gt.Decision(0, "Ann", ways), players=("Ann", "Bob"))


@theorem
@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 3), st.integers(1, 3))
def test_a_sequential_equilibrium_in_a_dominated_strategy_is_not_quasi_perfect(a, b, m, n):
    """Twin: not every sequential equilibrium is one."""
    tree = careless()
    dominated = gt.pure_behavior(tree, (1, 0))
    assert gt.certify_minimax(tree, dominated).epsilon == 0
    slips = [*[0] * m, Fraction(a, 10)], [*[0] * n, Fraction(b, 10)]
    stays = [[1, *(-c for c in slip[1:])] for slip in slips]
    trembles = strategies.trembling_profile(tree, [[slips[0], stays[0]], [stays[1], slips[1]]])
    assert certify_sequential(tree, trembles).profile == dominated
    assert dominated_players(tree, dominated) == [0]
    with pytest.raises(gt.CertificateRejected, match="'safe' gains about .* over 'careless'"):
        certify_quasi_perfect(tree, trembles)


@theorem
def test_a_profile_that_is_perfect_in_the_normal_form_may_play_badly_after_the_own_exit():
    """Twin: nor is every profile that the normal form finds perfect."""
    second = gt.Decision(0, "went on", {"good": gt.Terminal([-1, 1]), "bad": gt.Terminal([-2, 2])})
    tree = gt.from_sketch(
        gt.Decision(0, "start", {"stop": gt.Terminal([0, 0]), "go on": second}),
        players=("Ann", "Bob"),
    )
    senseless = gt.pure_behavior(tree, (0, 1))
    assert not dominated_players(tree, senseless)
    trembles = strategies.uniform_trembles(tree, senseless)
    with pytest.raises(gt.CertificateRejected, match="'good' gains about 1 over 'bad'"):
        certify_quasi_perfect(tree, trembles)
    with pytest.raises(gt.CertificateRejected, match="action 'good', .* gains 1 over the profile"):
        certify_sequential(tree, trembles)
