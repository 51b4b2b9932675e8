"""Properties of tables of POSGs and AEC games: decisions and witnesses."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import NormalFormGame, conversions
from gametheory_core.catalog import load
from gametheory_core.games import has_perfect_information, is_zero_sum
from gametheory_core.games.rule_properties import (
    always_ends,
    has_common_rewards,
    has_deterministic_moves,
    has_fixed_turns,
    has_independent_observations,
    has_zero_sum_rewards,
    is_fully_observed,
    is_turn_based,
    sees_the_state,
    successors,
)


def posg(name):
    game = load(name)
    rules = conversions.normal_to_posg(game).target if isinstance(game, NormalFormGame) else game
    return conversions.posg_to_tabular(rules).target


def aec(name):
    return conversions.aec_to_tabular(load(name)).target


def walk(name):
    """The AEC game that walks a tree, and the tree."""
    tree = load(name)
    return conversions.aec_to_tabular(conversions.extensive_to_aec(tree).target).target, tree


def no_horizon(table):
    return replace(table, horizon=None)


CASES = [
    (has_zero_sum_rewards, posg("repeated_matching_pennies:rounds=2"), ""),
    (has_zero_sum_rewards, posg("prisoners_dilemma"), "rewards (3, 3) sum to 6, not 0"),
    (has_zero_sum_rewards, aec("random_order_team"), "sum to 2, not 0"),
    (has_common_rewards, aec("random_order_team"), ""),
    (has_common_rewards, posg("tiger"), ""),
    (has_common_rewards, posg("prisoners_dilemma"), "rewards (0, 5) differ"),
    (has_deterministic_moves, posg("prisoners_dilemma"), ""),
    (has_deterministic_moves, posg("tiger"), "the first state may be any of 2"),
    (
        has_deterministic_moves,
        replace(posg("tiger"), initial_kernel=posg("steady_pay").initial_kernel),
        "the state after (listen, open left) in state left may be any of 2",
    ),
    (has_deterministic_moves, posg("public_coin"), "what is observed may be any of 2"),
    (has_deterministic_moves, aec("random_order_team"), "the next mover may be any of 2"),
    (has_deterministic_moves, aec("fair_payment"), "what is paid may be any of 2"),
    (
        has_deterministic_moves,
        walk("one_card_poker")[0],
        "the state that chance draws in state 0 may be any of 2",
    ),
    (is_fully_observed, posg("repeated_prisoners_dilemma"), ""),
    (is_fully_observed, posg("tiger"), "'1' sees null in state left and in state right"),
    (sees_the_state, walk("centipede")[0], ""),
    (sees_the_state, walk("kuhn_poker")[0], "'Player 1' sees J in state 1 and in state 2"),
    (
        sees_the_state,
        aec("reversing_order"),
        "player '1' sees ((plain, skip), (2, 2, 2), 1) in state",
    ),
    (has_independent_observations, posg("private_coins"), ""),
    (
        has_independent_observations,
        posg("public_coin"),
        "(heads, heads) has chance 1/2 together, 1/4 if independent",
    ),
    (is_turn_based, posg("listen_wait_guess"), ""),
    (is_turn_based, posg("tiger"), "players '1' and '2' both choose in state left"),
    (
        has_fixed_turns,
        conversions.aec_to_tabular(conversions.posg_to_aec(posg("tiger")).target).target,
        "",
    ),
    (
        has_fixed_turns,
        aec("random_order_team"),
        "chance is followed by player '1' and also by player '2'",
    ),
    (always_ends, aec("random_order_team"), ""),
    (always_ends, posg("tiger"), ""),  # by its horizon
    (always_ends, posg("prisoners_dilemma"), ""),  # by its terminal state
    (always_ends, no_horizon(posg("tiger")), "play can come back to state "),
    (
        always_ends,
        no_horizon(
            conversions.aec_to_tabular(
                conversions.posg_to_aec(no_horizon(posg("tiger"))).target
            ).target
        ),
        "play can come back to state (",
    ),
]


@pytest.mark.parametrize(
    ("decide", "table", "reason"), CASES, ids=[f"{c[0].__name__}-{k}" for k, c in enumerate(CASES)]
)
def test_property_is_decided_with_its_reason(decide, table, reason):
    verdict = decide(table)
    assert bool(verdict) == (not reason)
    assert reason in verdict.reason
    assert bool(verdict.witness) == bool(reason)


@pytest.mark.parametrize("name", ["one_card_poker", "kuhn_poker", "centipede", "beer_quiche"])
def test_trees_and_the_aec_games_that_walk_them_agree(name):
    table, tree = walk(name)
    assert bool(sees_the_state(table)) == bool(has_perfect_information(tree))
    if is_zero_sum(tree):
        assert has_zero_sum_rewards(table)
    assert always_ends(table)


def test_states_of_a_witness_really_look_the_same():
    table = posg("tiger")
    player, seen, first, second = is_fully_observed(table).witness
    pairs = successors(table)
    for state in (first, second):
        signals = [o for s, o in pairs if s == state]
        assert seen in table.signals[signals, player]
    assert first != second


def test_state_to_which_play_comes_back_is_reached_from_itself():
    table = no_horizon(posg("tiger"))
    (state,) = always_ends(table).witness
    graph = successors(table)
    frontier = {pair for here in graph for pair in graph[here] if here[0] == state}
    met = set()
    while frontier:
        met |= frontier
        frontier = {pair for here in frontier for pair in graph[here]} - met
    assert state in {s for s, _ in met}


def lasso():
    """States 0 -> 1 -> 2 -> 1: the first is left for good."""
    table = posg("steady_pay")
    kernel = table.transition_kernel
    count = 3
    return replace(
        table,
        horizon=None,
        states=("start", "tick", "tock"),
        terminal=np.zeros(count, dtype=bool),
        initial_signal_row=np.array([0, -1, -1], dtype=np.int32),
        row_key=np.arange(count),
        transition_kernel=type(kernel)(
            np.arange(count + 1), np.array([1, 2, 1]), np.array([kernel.weight[0]] * count)
        ),
        entry_reward=np.zeros(count, dtype=np.int32),
        entry_signal_row=np.zeros(count, dtype=np.int32),
    )


def test_state_that_is_left_for_good_is_no_witness():
    assert always_ends(lasso()).reason.endswith(("state tick", "state tock"))


def test_state_after_a_cycle_is_no_witness():
    """Play begins in the tail, which ends, or in the loop, which may go on or into the tail."""
    table, half = posg("steady_pay"), Fraction(1, 2)
    kernel = type(table.transition_kernel)
    looping = replace(
        table,
        horizon=None,
        states=("tail", "loop", "over"),
        terminal=np.array([False, False, True]),
        initial_kernel=kernel(np.array([0, 2]), np.array([0, 1]), np.array([half, half])),
        initial_signal_row=np.array([0, 0, -1], dtype=np.int32),
        row_key=np.arange(2),
        transition_kernel=kernel(
            np.array([0, 1, 3]), np.array([2, 1, 0]), np.array([2 * half, half, half])
        ),
        entry_reward=np.zeros(3, dtype=np.int32),
        entry_signal_row=np.array([-1, 0, 0], dtype=np.int32),
    )
    assert always_ends(looping).witness == (1,)


def test_positions_stop_at_the_horizon():
    unlimited = successors(lasso())
    assert [state for state, _ in unlimited] == [0, 1, 2]
    stopped = successors(replace(lasso(), horizon=1))
    assert [state for state, _ in stopped] == [0]
