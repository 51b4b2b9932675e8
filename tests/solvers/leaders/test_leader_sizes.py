"""What no certificate could be checked for is refused before anything is searched."""

from dataclasses import replace

import pytest

from gametheory_core import UnsupportedGame
from gametheory_core.catalog import iterated_prisoners_dilemma
from gametheory_core.leaders import leader_view
from solvers.leaders import layers as leader_sizes
from solvers.leaders import markov_stackelberg
from solvers.leaders.layers import problem_size


def test_tables_too_large_for_a_leaf_are_refused(monkeypatch):
    game = iterated_prisoners_dilemma(rounds=2)
    monkeypatch.setattr(leader_sizes, "MOST_CELLS", 40)
    assert markov_stackelberg(game).certificate.epsilon == 0
    monkeypatch.setattr(leader_sizes, "MOST_CELLS", 39)
    with pytest.raises(UnsupportedGame, match=r"at most 39 cells of state.* has 40\. No leader"):
        markov_stackelberg(game)


def test_as_many_steps_as_responses_may_have_are_refused(monkeypatch):
    """Where one bound is cheap, the steps alone may be too many for the follower's response."""
    view = leader_view(iterated_prisoners_dilemma(rounds=2))
    long = replace(view.game, horizon=200_000)
    monkeypatch.setattr(leader_sizes, "MOST_WORK", 10**15)
    with pytest.raises(UnsupportedGame, match=r"markov_stackelberg: .* 200,000 steps over 40 cel"):
        markov_stackelberg(long)


def test_numbers_of_undiscounted_games_in_integers_do_not_grow():
    view = leader_view(iterated_prisoners_dilemma(rounds=100_000))
    cells, words = problem_size(view)
    assert (cells, words) == (view.tables.successor.size * 100_000, 1)
