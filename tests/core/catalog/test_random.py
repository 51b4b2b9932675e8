"""Random games keep the properties they promise, draw after draw."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, catalog
from gametheory_core.games import CHANCE, has_perfect_recall, is_zero_sum
from tests.sample_sizes import many

SEEDS = st.integers(0, 2**32 - 1)


def generator(seed=0):
    return np.random.default_rng(seed)


@given(SEEDS, st.lists(st.integers(1, 3), min_size=1, max_size=4))
def test_payoffs_are_integers_in_the_range(seed, sizes):
    game = catalog.random_game(sizes, rng=generator(seed), payoff_range=(-2, 3))
    assert game.num_actions == tuple(sizes)
    assert set(game.exact_payoffs.ravel().tolist()) <= set(range(-2, 4))


def test_both_ends_of_the_range_are_drawn():
    payoffs = catalog.random_game((20, 20), rng=generator(), payoff_range=(-2, 3)).exact_payoffs
    assert set(payoffs.ravel().tolist()) == set(range(-2, 4))
    assert set(
        catalog.random_degenerate_game((9, 9), rng=generator()).exact_payoffs.ravel().tolist()
    ) == {-1, 0, 1}


@given(SEEDS, st.integers(1, 5), st.integers(1, 5))
def test_zero_sum_and_symmetric_games_are(seed, rows, columns):
    assert is_zero_sum(catalog.random_zero_sum_game(rows, columns, rng=generator(seed)))
    first, second = catalog.random_symmetric_game(rows, rng=generator(seed)).exact_payoffs
    assert np.array_equal(first, second.T)


@many
@given(SEEDS, st.integers(0, 6), st.integers(1, 3), st.booleans())
def test_trees_have_perfect_recall_and_keep_their_bounds(seed, depth, max_actions, zero_sum):
    game = catalog.random_tree(
        rng=generator(seed), depth=depth, max_actions=max_actions, zero_sum=zero_sum
    )
    assert has_perfect_recall(game)
    assert len(game.level_offset) - 2 <= depth
    assert all(len(infoset.actions) <= max_actions for infoset in game.infosets)
    assert set(game.exact_terminal_payoffs[:, 0].tolist()) <= set(range(-10, 11))
    if zero_sum:
        assert is_zero_sum(game)


def test_trees_are_not_trivial():
    """Among 40 draws: chance moves, hidden moves, both players, payoffs that do not sum to zero."""
    games = [catalog.random_tree(rng=generator(seed), depth=5) for seed in range(40)]
    assert any(infoset.player == CHANCE for game in games for infoset in game.infosets)
    hidden = [
        np.bincount(game.node_infoset[game.node_player >= 0]).max(initial=0) for game in games
    ]
    assert sum(count > 1 for count in hidden) >= 10
    assert sum({0, 1} <= set(game.node_player.tolist()) for game in games) >= 20
    assert not all(is_zero_sum(game) for game in games)


def test_one_seed_gives_one_game():
    assert catalog.random_tree(rng=generator(7)) == catalog.random_tree(rng=generator(7))
    assert catalog.random_game((3, 3), rng=generator(7)) != catalog.random_game(
        (3, 3), rng=generator(8)
    )


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: catalog.random_game((), rng=generator()), r"got \(\)"),
        (lambda: catalog.random_game((2, 0), rng=generator()), r"got \(2, 0\)"),
        (lambda: catalog.random_game((2,), rng=generator(), payoff_range=(1, 0)), r"got \(1, 0\)"),
        (lambda: catalog.random_zero_sum_game(0, 2, rng=generator()), "got 0 x 2"),
        (lambda: catalog.random_symmetric_game(0, rng=generator()), "got 0"),
        (lambda: catalog.random_tree(rng=generator(), depth=-1), "depth=-1"),
        (lambda: catalog.random_tree(rng=generator(), max_actions=0), "max_actions=0"),
    ],
)
def test_impossible_request_is_refused(draw, message):
    with pytest.raises(InvalidArgument, match=message):
        draw()
