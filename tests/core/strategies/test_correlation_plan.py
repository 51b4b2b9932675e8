"""Correlation plans: relevant pairs, consistency, and the plan of a mixture, by brute force."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidStrategy, UnsupportedGame, load_game, strategies
from gametheory_core.strategies import correlation_plans as module
from gametheory_core.strategies.correlation_plans import CorrelationPlan
from gametheory_core.testing import behavioral_profiles, extensive_form_games
from tests.core.naive_trees import histories

TREES = extensive_form_games(num_players=(2, 2), max_moves=7)


def relevant_by_paths(game):
    """List pairs of sequences whose last information sets are met on one path, one by one."""
    form = strategies.sequence_form(game)
    met = set()
    for history in histories(game):
        on_path = [step[0] for step in history.steps]
        on_path += [history.infoset] if history.infoset >= 0 else []
        met |= set(product(on_path, on_path))
    found = set()
    for s, t in product(*(range(own.num_sequences) for own in form.players)):
        ends = [infoset_of(own, x) for own, x in zip(form.players, (s, t), strict=True)]
        if None in ends or tuple(ends) in met:
            found.add((s, t))
    return found


def infoset_of(own, sequence):
    for k in range(len(own.infosets)):
        if own.first_sequence[k] <= sequence < own.first_sequence[k + 1]:
            return own.infosets[k]
    return None


@given(TREES)
def test_relevant_pairs_are_those_that_paths_join(game):
    pairs = strategies.sequence_pairs(game)
    listed = list(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True))
    assert listed == sorted(relevant_by_paths(game))
    assert pairs.index(pairs.first, pairs.second).tolist() == list(range(pairs.num_pairs))


@given(st.data())
def test_plans_of_mixtures_are_products_that_are_consistent(data):
    game = data.draw(TREES)
    profiles = [data.draw(behavioral_profiles(game)) for _ in range(2)]
    mixture = strategies.behavioral_mixture(profiles, weights=["1/3", "2/3"])
    plan = strategies.correlation_plan(game, mixture)  # checks the equations
    form = plan.pairs.form
    for pair, (s, t) in enumerate(zip(plan.pairs.first, plan.pairs.second, strict=True)):
        expected = sum(
            weight
            * strategies.realization_plan(form, profile, player=0).weights[s]
            * strategies.realization_plan(form, profile, player=1).weights[t]
            for weight, profile in zip(mixture.weights, mixture.profiles, strict=True)
        )
        assert plan.weights[pair] == expected


def test_weights_that_break_an_equation_are_refused():
    pairs = strategies.sequence_pairs(load_game("one_card_poker"))
    weights = np.full(pairs.num_pairs, Fraction(0), dtype=object)
    with pytest.raises(InvalidStrategy, match="needs 15 weights, but has 14"):
        CorrelationPlan(pairs, weights[:-1])
    with pytest.raises(InvalidStrategy, match="weight 1 on the pair of empty sequences"):
        CorrelationPlan(pairs, weights)
    weights[0] = Fraction(1)
    with pytest.raises(InvalidStrategy, match="they sum to 0, not 1"):
        CorrelationPlan(pairs, weights)


def test_other_than_two_players_have_no_pairs():
    with pytest.raises(UnsupportedGame, match="needs two players, but .* has 3"):
        strategies.sequence_pairs(load_game("selten_horse"))


def test_pairs_are_counted_before_they_are_listed():
    game = load_game("kuhn_poker")  # 97 pairs, 25 of which have an empty sequence
    assert strategies.sequence_pairs(game, max_pairs=72).num_pairs == 97
    with pytest.raises(
        UnsupportedGame, match=r"at most 71 pairs of sequences .* at least 72\. Try"
    ):
        strategies.sequence_pairs(game, max_pairs=71)


@given(TREES)
def test_copies_are_dropped_on_the_way(game):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MERGED", 1)
        merged = strategies.sequence_pairs(game)
    pairs = strategies.sequence_pairs(game)
    assert np.array_equal(merged.connected, pairs.connected)
    assert np.array_equal(merged.first, pairs.first)
    assert np.array_equal(merged.second, pairs.second)


def test_a_long_tree_is_refused_on_the_way(monkeypatch):
    """Not all pairs are found before there are known to be too many."""
    monkeypatch.setattr(module, "MERGED", 1_000)
    game = load_game("centipede:rounds=300")  # 150 x 150 information sets on one path, 2 actions
    with pytest.raises(UnsupportedGame, match=r"at most 2,000 pairs .* at least (4|5|6),\d{3}\."):
        strategies.sequence_pairs(game, max_pairs=2_000)
