"""Generators keep what their docstrings promise, reach the corners, and shrink to small games."""

import subprocess
import sys
from fractions import Fraction

import pytest
from hypothesis import find as smallest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import testing
from gametheory_core.arrays import is_exact
from gametheory_core.games import (
    CHANCE,
    NO_OUTCOME,
    has_perfect_information,
    has_perfect_recall,
    is_absent_minded,
    is_zero_sum,
)
from gametheory_core.strategies import supports
from tests.core.naive_trees import plays
from tests.sample_sizes import to_reach, to_shrink

KINDS = st.sampled_from(list(testing.PayoffKind))


@given(testing.rationals(low=-2, high=3, max_denominator=5))
def test_rationals_stay_in_their_range(value):
    assert isinstance(value, Fraction)
    assert -2 <= value <= 3
    assert value.denominator <= 5


@given(st.data())
def test_normal_forms_have_the_sizes_and_numbers_asked_for(data):
    kind = data.draw(KINDS)
    game = data.draw(testing.normal_form_games(num_players=(2, 3), max_actions=2, kinds=(kind,)))
    assert 2 <= game.num_players <= 3
    assert max(game.num_actions) <= 2
    assert is_exact(game.given_payoffs) == (kind is not testing.PayoffKind.FLOAT)
    limit = {testing.PayoffKind.DEGENERATE: 1, testing.PayoffKind.RATIONAL: 10}.get(kind, 1000)
    assert all(abs(value) <= limit for value in game.exact_payoffs.flat)
    if kind is testing.PayoffKind.RATIONAL:
        assert all(value.denominator <= 6 for value in game.exact_payoffs.flat)
    elif kind is not testing.PayoffKind.FLOAT:
        assert all(value.denominator == 1 for value in game.exact_payoffs.flat)


@given(st.data())
def test_zero_sum_and_symmetric_games_are_so_for_every_kind(data):
    kind = data.draw(KINDS)
    assert is_zero_sum(data.draw(testing.zero_sum_games(kinds=(kind,))))
    rows, columns = data.draw(testing.symmetric_games(kinds=(kind,))).exact_payoffs
    assert rows.tolist() == columns.T.tolist()


@given(testing.extensive_form_games(max_depth=3, max_moves=5))
def test_trees_keep_their_sizes_and_perfect_recall(game):
    assert has_perfect_recall(game)
    assert 1 <= game.num_players <= 3
    assert max(len(play.steps) for play in plays(game)) <= 3
    assert game.num_nodes - len(game.terminals) <= 5
    assert all(len(s.actions) <= 3 for s in game.infosets)


@given(
    testing.extensive_form_games(zero_sum=True),
    testing.extensive_form_games(perfect_information=True),
)
def test_options_of_trees_hold(zero_sum, open_tree):
    assert zero_sum.num_players == 2
    assert is_zero_sum(zero_sum)
    assert has_perfect_information(open_tree)


@given(st.data())
def test_profiles_fit_and_are_exact_or_float_as_asked(data):
    table, tree = data.draw(testing.normal_form_games()), data.draw(testing.extensive_form_games())
    for floats in (False, True):
        mixed = data.draw(testing.mixed_profiles(table, floats=floats))
        behavior = data.draw(testing.behavioral_profiles(tree, floats=floats))
        assert tuple(map(len, mixed.strategies)) == table.num_actions
        assert len(behavior.probabilities) == tree.num_decision_infosets
        assert mixed.is_exact != floats
        assert behavior.is_exact != floats or not behavior.probabilities


@pytest.mark.parametrize(
    ("games", "corner", "num_nodes"),
    [
        (testing.extensive_form_games(), lambda g: bool(g.num_decision_infosets), 2),
        (testing.extensive_form_games(), lambda g: not has_perfect_information(g), 5),
        (testing.extensive_form_games(), lambda g: not is_zero_sum(g), 2),
        (
            testing.extensive_form_games(),
            lambda g: any(0 in s.probabilities for s in g.infosets if s.player == CHANCE),
            3,
        ),
        (
            testing.extensive_form_games(),
            lambda g: bool((g.node_outcome[g.node_infoset >= 0] != NO_OUTCOME).any()),
            2,
        ),
        (testing.forgetful_games(), lambda g: not has_perfect_recall(g), 3),
        (testing.forgetful_games(), lambda g: bool(is_absent_minded(g)), 3),
    ],
    ids=[
        "a decision",
        "hidden moves",
        "payoffs that do not cancel",
        "an impossible chance move",
        "an inner outcome",
        "forgetting",
        "absence of mind",
    ],
)
@pytest.mark.parametrize("search", [to_reach, pytest.param(to_shrink, marks=pytest.mark.slow)])
def test_corners_of_the_space_of_trees_are_reached_and_shrink(games, corner, num_nodes, search):
    found = smallest(games, corner, settings=search)
    assert search is to_reach or found.num_nodes <= num_nodes + 1


def test_forgetting_without_absence_of_mind_is_reached():
    found = smallest(
        testing.forgetful_games(),
        lambda g: not has_perfect_recall(g) and not is_absent_minded(g),
        settings=to_reach,  # shrinking it takes half a minute
    )
    assert found.num_decision_infosets >= 2


def test_pure_and_sparse_profiles_are_reached():
    draws = testing.normal_form_games(num_players=(2, 2), max_actions=3).flatmap(
        testing.mixed_profiles
    )

    def is_sparse(profile):
        sizes = [len(own) for own in supports(profile)]
        counts = [len(own) for own in profile.strategies]
        return sizes == [1, 2] and counts == [3, 3]

    assert smallest(draws, is_sparse, settings=to_reach).is_exact


def test_without_hypothesis_the_message_says_what_to_install():
    program = (
        "import sys; sys.modules['hypothesis'] = None\n"
        "from gametheory_core.errors import MissingDependency\n"
        "try:\n    import gametheory_core.testing.generators\n"
        "except MissingDependency as error:\n    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True
    )
    assert done.stderr == ""
    assert "pip install 'gametheory-core[laws]'" in done.stdout
