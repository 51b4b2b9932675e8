"""Reductions keep all equilibria, for any number of players, and what they take away is proved."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import MixedProfile, NormalFormGame, certify_nash, uniform_profile
from gametheory_core.catalog import load
from gametheory_core.certificates.dominance import DominatedBy
from gametheory_core.testing import PayoffKind, normal_form_games
from solvers import pure
from solvers.dominance import reduce_game
from tests.sample_sizes import examples

GAMES = normal_form_games(num_players=(2, 3), kinds=(PayoffKind.DEGENERATE, PayoffKind.RATIONAL))


@st.composite
def games_with_copies(draw):
    """Games whose actions stand several times, up to terms that change no best reply."""
    game = draw(GAMES)
    chosen = [
        draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=3)) for n in game.num_actions
    ]
    payoffs = game.exact_payoffs[np.ix_(range(game.num_players), *chosen)]
    shape = payoffs.shape[1:]
    terms = [
        np.array(draw(st.integers(0, 99)) * np.arange(np.prod(shape)) % 7).reshape(shape)
        for _ in shape
    ]
    shifted = [
        table + term.take([0], axis=player)
        for player, (table, term) in enumerate(zip(payoffs, terms, strict=True))
    ]
    return NormalFormGame.from_payoffs(np.array(shifted, dtype=object))


def cells(equilibria):
    return {solution.profile for solution in equilibria.equilibria}


@examples(40)
@given(st.one_of(GAMES, games_with_copies()), st.sampled_from(list(DominatedBy)))
def test_pure_equilibria_are_those_of_what_is_left(game, dominated_by):
    reduction = reduce_game(game, dominated_by=dominated_by)
    carried = [own for p in cells(pure(reduction.target)) for own in reduction.expansions(p)]
    assert set(carried) == cells(pure(game))
    assert len(carried) == len(set(carried))
    assert len(carried) == sum(map(reduction.num_expansions, cells(pure(reduction.target))))
    reduction.certificate.verify()
    gone = [
        set(range(n)) - set(s)
        for n, s in zip(game.num_actions, reduction.certificate.survivors, strict=True)
    ]
    for own, classes, count in zip(gone, reduction.copies, game.num_actions, strict=True):
        assert sorted([*own, *(a for each in classes for a in each)]) == list(range(count))


@examples(40)
@given(games_with_copies())
def test_epsilon_of_what_is_carried_back_is_that_of_what_is_left(game):
    """Copies are merged and dominated actions are gone: deviations to either gain no more."""
    reduction = reduce_game(game)
    profile = uniform_profile(reduction.target)
    carried = reduction.carry_back(profile)
    left = certify_nash(reduction.target, profile).epsilon
    if not reduction.eliminations:
        assert certify_nash(game, carried).epsilon == left
    assert (certify_nash(game, carried).epsilon == 0) == (left == 0)


def are_copies(game, left, player, one, other):
    """Tell by the definition whether it matters to nobody which of two actions is played."""
    cells = np.ix_(*([one] if j == player else own for j, own in enumerate(left)))
    same = np.ix_(*([other] if j == player else own for j, own in enumerate(left)))
    gaps = [table[cells] - table[same] for table in game.exact_payoffs]
    spreads = [gap.max(axis=j) - gap.min(axis=j) for j, gap in enumerate(gaps)]
    return not gaps[player].any() and not any(spread.any() for spread in spreads)


@examples(40)
@given(games_with_copies())
def test_classes_are_those_of_the_definition(game):
    reduction = reduce_game(game)
    left = reduction.certificate.survivors
    for player, classes in enumerate(reduction.copies):
        place = {action: k for k, own in enumerate(classes) for action in own}
        for one, other in combinations(left[player], 2):
            assert (place[one] == place[other]) == are_copies(game, left, player, one, other)


def test_actions_that_stand_twice_are_found():
    base = load("shapley_cycle")
    payoffs = base.exact_payoffs[:, [0, 1, 2, 0]][:, :, [2, 0, 1, 2]]
    reduction = reduce_game(NormalFormGame.from_payoffs(payoffs))
    assert reduction.target.num_actions == (3, 3)
    assert reduction.copies == (((0, 3), (1,), (2,)), ((0, 3), (1,), (2,)))
    assert not reduction.eliminations
    assert reduction.num_expansions(uniform_profile(reduction.target)) == 4


def test_nothing_is_taken_away_where_there_is_nothing():
    game = load("rock_paper_scissors")
    reduction = reduce_game(game)
    assert reduction.is_trivial
    assert reduction.target is game
    profile = uniform_profile(game)
    assert list(reduction.expansions(profile)) == [profile]


def test_weakly_dominated_action_stays():
    """It may be played in an equilibrium, as here where both play it."""
    game = NormalFormGame.bimatrix([[1, 0], [0, 0]], [[1, 0], [0, 0]])
    assert reduce_game(game).is_trivial


def test_action_that_others_tell_apart_is_no_copy():
    game = NormalFormGame.bimatrix([[1, 1], [1, 1]], [[1, 0], [0, 1]])
    assert reduce_game(game).is_trivial


@pytest.mark.parametrize("dominated_by", list(DominatedBy))
def test_mixtures_dominate_where_asked(dominated_by):
    game = NormalFormGame.bimatrix([[4, 0], [0, 4], [1, 1]], [[2, 1], [1, 2], [0, 3]])
    left = reduce_game(game, dominated_by=dominated_by).target.num_actions
    assert left == ((2, 2) if dominated_by is DominatedBy.MIXED else (3, 2))


def test_profile_of_what_is_left_is_played_by_the_first_copies():
    game = NormalFormGame.bimatrix([[1, 0, 1], [0, 1, 0]], [[1, 0, 1], [0, 1, 0]])
    reduction = reduce_game(game)
    assert reduction.copies == (((0,), (1,)), ((0, 2), (1,)))
    half = np.array([Fraction(1, 2), Fraction(1, 2)], dtype=object)
    carried = reduction.carry_back(MixedProfile((half, half)))
    assert [own.tolist() for own in carried.strategies] == [[half[0]] * 2, [half[0], half[0], 0]]
