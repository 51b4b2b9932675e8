"""Float tables over sequences: sweeps over them find what the core finds node by node."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.catalog import leduc_poker
from gametheory_core.evaluation import sequence_payoffs
from gametheory_core.strategies import realization_plan
from gametheory_core.testing import PayoffKind, behavioral_profiles, extensive_form_games
from solvers._kernels.treeplex import (
    best_response_sweep,
    gradient_against,
    plan_of_behavior,
    sparse_product,
)
from solvers.counterfactual.sequence_tables import sequence_tables

KINDS = tuple(PayoffKind)
trees = extensive_form_games(num_players=(1, 3), kinds=KINDS)


def plans(tables, behavior):
    flat = np.empty(tables.num_sequences)
    for player, treeplex in enumerate(tables.treeplexes):
        plan_of_behavior(treeplex, tables.own(behavior, player), tables.own(flat, player))
    return flat


def gradients(tables, behavior, player):
    """Return the player's gradient from all tables that there are."""
    flat = plans(tables, behavior)
    found = [np.empty(len(tables.own(flat, player)))]
    gradient_against(tables.ends, player, flat, tables.offsets, found[0])
    if tables.payoffs:
        found.append(np.empty_like(found[0]))
        sparse_product(tables.payoffs[player], tables.own(flat, 1 - player), found[1])
    return found


@given(st.data())
def test_plans_gradients_and_best_responses_are_the_cores(data):
    tree = data.draw(trees)
    profile = data.draw(behavioral_profiles(tree))
    tables = sequence_tables(tree)
    behavior = tables.behavior(profile)
    flat = plans(tables, behavior)
    for player, treeplex in enumerate(tables.treeplexes):
        exact = realization_plan(tables.form, profile, player=player).weights
        assert tables.own(flat, player) == pytest.approx(exact.astype(float), abs=1e-15)
        collected = sequence_payoffs(tree, profile, player=player).astype(np.float64)
        for gradient in gradients(tables, behavior, player):
            assert gradient == pytest.approx(collected, rel=1e-12, abs=1e-10)
        best = best_response_sweep(treeplex, gradients(tables, behavior, player)[0])
        response = gt.best_response(tree, profile, player=player)
        assert best == pytest.approx(float(response.value), rel=1e-12, abs=1e-10)


@given(extensive_form_games(num_players=(2, 2), kinds=KINDS))
def test_equal_pairs_are_merged_and_zeros_left_out(tree):
    tables = sequence_tables(tree)
    for player, rows in enumerate(tables.payoffs):
        counts = np.diff(rows.first_entry)
        assert len(counts) == tables.form.players[player].num_sequences
        row_of = np.repeat(np.arange(len(counts)), counts)
        pairs = list(zip(row_of.tolist(), rows.columns.tolist(), strict=True))
        assert pairs == sorted(set(pairs))
        assert np.all(rows.values != 0.0)
        assert len(rows.values) <= len(tree.terminals)


def test_tables_are_read_only_and_keep_the_numbering_of_the_core():
    tables = sequence_tables(leduc_poker())
    arrays = [*tables.treeplexes[0], *tables.payoffs[1], *tables.ends, tables.offsets]
    assert not any(array.flags.writeable for array in arrays)
    assert tables.treeplexes[1].first_sequence is tables.form.players[1].first_sequence
    assert tables.payoffs[0].columns.dtype == tables.payoffs[1].columns.dtype == np.int32
    assert len(tables.payoffs[0].values) == 4920  # 5520 ends, 600 of them split pots


def test_behavior_has_a_one_before_each_players_actions():
    tree = gt.from_sketch(
        gt.Decision(1, "only", {"a": gt.Terminal([0, 1]), "b": gt.Terminal([0, 2])}),
        players=("A", "B"),
    )
    tables = sequence_tables(tree)
    assert tables.behavior(gt.uniform_behavior(tree)).tolist() == [1.0, 1.0, 0.5, 0.5]


def test_a_tree_of_one_node_has_empty_sequences_only():
    tables = sequence_tables(gt.from_sketch(gt.Terminal([3, -3]), players=("A", "B")))
    assert tables.num_sequences == 2
    assert tables.payoffs[1].values.tolist() == [-3.0]


def test_payoffs_too_large_for_floats_are_refused():
    huge = gt.from_sketch(
        gt.Decision(0, "", {"a": gt.Terminal([10**400, 0]), "b": gt.Terminal([0, 0])}),
        players=("A", "B"),
    )
    with pytest.raises(gt.InvalidGame, match="Rescale the payoffs"):
        sequence_tables(huge)
