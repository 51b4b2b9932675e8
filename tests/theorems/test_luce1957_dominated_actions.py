"""Luce and Raiffa 1957, section 5.5: strictly dominated actions are played in no equilibrium.

So iterated elimination leaves the equilibria what they are. Checked on random games, in rationals:
two-player games keep all extreme equilibria, games of more players all pure ones, and all mixed
ones where dominated actions and copies were planted. What is left after weak elimination has
equilibria of the game, but perhaps not all.

Why it matters (dominance): Removing strictly dominated actions loses no equilibrium, which is why
games may be reduced before they are solved.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import (
    CertificateRejected,
    MixedProfile,
    NormalFormGame,
    certify_nash,
    expected_payoffs,
    pure_profile,
)
from gametheory_core.catalog import load
from gametheory_core.certificates import (
    Dominance,
    EquilibriumObjective,
    certify_all_equilibria,
    certify_optimal_equilibrium,
)
from gametheory_core.certificates.support_cells import ALONE
from gametheory_core.certificates.support_solutions import SupportSolution
from gametheory_core.strategies import supports
from gametheory_core.testing import PayoffKind, normal_form_games
from solvers import (
    iterated_dominance,
    mixed_integer,
    polynomial_support_enumeration,
    pure,
    vertex_enumeration,
)
from solvers.bimatrix import equilibrium_program
from solvers.dominance.reduction import unreduced
from solvers.many_players import support_search
from tests.planted_games import with_dominated_and_copies, with_idle_players, without_planted
from tests.sample_sizes import examples

theorem = pytest.mark.theorem(
    source="Luce and Raiffa 1957",
    statement="Iterated strict dominance loses no equilibrium and adds none.",
)

KINDS = (PayoffKind.GENERIC, PayoffKind.DEGENERATE, PayoffKind.RATIONAL)


def profiles(equilibria):
    return {solution.profile for solution in equilibria.equilibria}


def carried_back(reduction, solver):
    to_source = reduction.restriction.correspondence.to_source
    return {to_source(profile) for profile in profiles(solver(reduction.reduced))}


@theorem
@given(normal_form_games(num_players=(2, 2), max_actions=4, kinds=KINDS))
def test_extreme_equilibria_are_those_of_what_is_left(game):
    reduction = iterated_dominance(game)
    assert carried_back(reduction, vertex_enumeration) == profiles(vertex_enumeration(game))


@theorem
@given(normal_form_games(num_players=(3, 3), kinds=KINDS))
def test_pure_equilibria_of_three_players_are_those_of_what_is_left(game):
    reduction = iterated_dominance(game)
    assert carried_back(reduction, pure) == profiles(pure(game))


def are_close(one, other):
    """Irrational equilibria are told by the middles of their boxes."""
    return all(
        max(abs(own - theirs)) <= Fraction(1, 10**9)
        for own, theirs in zip(one.strategies, other.strategies, strict=True)
    )


def listed_without_reductions(game):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(support_search, "reduce_in_time", lambda game, _: unreduced(game))
        found = polynomial_support_enumeration(game).found
    assert not (found.completeness and found.completeness.eliminations)
    return found


def are_the_same(ours, theirs):
    """Whether two lists of profiles hold the same, up to the middles of boxes."""
    return all(
        any(are_close(one, other) for other in others)
        for every, others in ((ours, theirs), (theirs, ours))
        for one in every
    )


@theorem
@examples(30)
@given(
    st.sampled_from([(2, 2, 2), (3, 2, 2), (2, 2, 2, 2)]),
    st.integers(0, 2**32 - 1),
    st.integers(0, 2),
    st.integers(0, 2),
)
def test_planted_actions_leave_all_equilibria_of_several_players(shape, seed, dominated, copies):
    rng = np.random.default_rng(seed)
    base = NormalFormGame.from_payoffs(rng.integers(-99, 100, (len(shape), *shape)))
    game, origins = with_dominated_and_copies(rng, base, dominated=dominated, copies=copies)
    found = polynomial_support_enumeration(game).found
    expected = listed_without_reductions(base)
    assert found.is_complete == expected.is_complete
    if found.is_complete:
        found.completeness.verify()
    carried = {without_planted(p, origins, shape) for p in profiles(found)}
    assert None not in carried
    assert are_the_same(carried, profiles(expected))


@theorem
@examples(15)
@given(st.integers(0, 2**32 - 1))
def test_search_of_the_whole_game_finds_what_is_left(seed):
    rng = np.random.default_rng(seed)
    base = NormalFormGame.from_payoffs(rng.integers(-99, 100, (3, 2, 2, 2)))
    game, _ = with_dominated_and_copies(rng, base, dominated=2, copies=0)
    found = polynomial_support_enumeration(game).found
    whole = listed_without_reductions(game)
    assert found.is_complete == whole.is_complete
    assert are_the_same(profiles(found), profiles(whole))


@theorem
@examples(40)
@given(
    normal_form_games(num_players=(2, 2), kinds=KINDS),
    st.integers(0, 2**32 - 1),
    st.integers(0, 5),
    st.integers(0, 2),
)
def test_extreme_equilibria_of_two_are_found_among_players_without_a_choice(
    game, seed, dominated, copies
):
    rng = np.random.default_rng(seed)
    larger, origins, seats = with_idle_players(
        rng, game.exact_payoffs, dominated=dominated, copies=copies
    )
    found = vertex_enumeration(larger)
    found.completeness.verify()
    shape = [max(own) + 1 for own in origins]
    carried = [without_planted(profile, origins, shape) for profile in profiles(found)]
    assert None not in carried
    pairs = {MixedProfile(tuple(p.strategies[seat] for seat in seats)) for p in carried}
    assert pairs == profiles(vertex_enumeration(game))


@theorem
@examples(40)
@given(
    normal_form_games(num_players=(2, 2), kinds=KINDS),
    st.integers(0, 2**32 - 1),
    st.sampled_from(EquilibriumObjective),
)
def test_the_best_equilibrium_is_that_of_what_is_left(base, seed, objective):
    rng = np.random.default_rng(seed)
    game, origins = with_dominated_and_copies(rng, base, dominated=3, copies=0)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(equilibrium_program, "LARGEST_UNLESS_SEEN", 0)  # by programs, if small too
        best = mixed_integer(game, objective=objective)
    best.certificate.verify()
    assert best.certificate.eliminations
    assert best.certificate.score == mixed_integer(base, objective=objective).certificate.score
    assert without_planted(best.profile, origins, base.num_actions) is not None


@theorem
@pytest.mark.parametrize("objective", EquilibriumObjective)
def test_the_best_equilibrium_of_the_travelers_is_the_only_one(objective):
    game = load("travelers_dilemma")
    best = mixed_integer(game, objective=objective)
    best.certificate.verify()
    assert supports(best.profile) == ((0,), (0,))


@theorem
def test_weak_twin_of_the_best_equilibrium_is_no_proof():
    """Both get 1 by their first actions, else nothing; the second ones are an equilibrium too."""
    game = NormalFormGame.bimatrix([[1, 0], [0, 0]], [[1, 0], [0, 0]])
    weak = iterated_dominance(game, dominance=Dominance.WEAK).certificate.eliminations
    with pytest.raises(CertificateRejected, match="is not strictly dominated by the strategy"):
        certify_optimal_equilibrium(
            game,
            pure_profile(game, (0, 0)),
            objective=EquilibriumObjective.LEAST_WELFARE,
            eliminations=weak,
        )
    least = mixed_integer(game, objective=EquilibriumObjective.LEAST_WELFARE)
    assert least.certificate.value == 0


@theorem
@given(normal_form_games(num_players=(2, 2), max_actions=4, kinds=KINDS))
def test_weak_elimination_adds_no_equilibrium(game):
    reduction = iterated_dominance(game, dominance=Dominance.WEAK)
    for profile in carried_back(reduction, vertex_enumeration):
        assert certify_nash(game, profile).epsilon == 0


@theorem
def test_weak_twin_loses_an_equilibrium():
    game = NormalFormGame.bimatrix([[1, 0], [0, 0]], [[1, 0], [0, 0]])
    reduction = iterated_dominance(game, dominance=Dominance.WEAK)
    assert reduction.survivors == ((0,), (0,))
    assert certify_nash(game, pure_profile(game, (1, 1))).epsilon == 0


@theorem
def test_weak_twin_of_three_players_loses_an_equilibrium_and_is_no_proof():
    """All get 1 if all play their first action, and else nothing."""
    payoffs = np.zeros((3, 2, 2, 2), dtype=int)
    payoffs[:, 0, 0, 0] = 1
    game = NormalFormGame.from_payoffs(payoffs)
    reduction = iterated_dominance(game, dominance=Dominance.WEAK)
    assert reduction.survivors == ((0,), (0,), (0,))
    assert certify_nash(game, pure_profile(game, (1, 1, 1))).epsilon == 0
    only = SupportSolution(((0,),) * 3, ((Fraction(1),),) * 3, Fraction(0), ())
    with pytest.raises(CertificateRejected, match="is not strictly dominated by the strategy"):
        certify_all_equilibria(
            game, [only], [(ALONE, 0)], eliminations=reduction.certificate.eliminations
        )


@theorem
def test_best_joint_outcome_twin_is_no_equilibrium_and_may_go():
    """Only equilibria are safe: what both like better than the equilibrium is not."""
    dilemma = load("prisoners_dilemma")
    assert iterated_dominance(dilemma).survivors == ((1,), (1,))
    together, apart = (pure_profile(dilemma, (action, action)) for action in (0, 1))
    assert certify_nash(dilemma, together).epsilon > 0
    assert certify_nash(dilemma, apart).epsilon == 0
    liked, left = expected_payoffs(dilemma, together), expected_payoffs(dilemma, apart)
    assert all(more > less for more, less in zip(liked, left, strict=True))
