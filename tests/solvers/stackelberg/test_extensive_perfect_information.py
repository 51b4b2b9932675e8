"""Commitment under perfect information: equal to branch and bound, and to brute force if pure."""

from time import process_time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
import solvers
from gametheory_core.catalog import load
from gametheory_core.certificates import CommitmentKind
from gametheory_core.testing import PayoffKind, extensive_form_games

LEADERS = st.sampled_from([0, 1])
open_trees = extensive_form_games(
    num_players=(2, 2),
    perfect_information=True,
    has_chance=False,
    max_depth=5,
    max_moves=14,
    kinds=tuple(PayoffKind),
)


def earned(game, leader, commitment=CommitmentKind.BEHAVIORAL):
    solution = solvers.perfect_information_commitment(game, leader=leader, commitment=commitment)
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0
    assert solution.payoffs[leader] == solution.certificate.leader_payoff
    return solution.payoffs[leader]


def best_pure_commitment(game, leader):
    """Every plan of the leader, answered by every plan of the follower."""
    payoffs = gt.extensive_to_normal(game).target.exact_payoffs
    payoffs = payoffs if leader == 0 else payoffs.transpose(0, 2, 1)
    rows = zip(payoffs[leader].tolist(), payoffs[1 - leader].tolist(), strict=True)
    return max(
        max(own for own, other in zip(mine, theirs, strict=True) if other == max(theirs))
        for mine, theirs in rows
    )


@given(open_trees, LEADERS)
def test_value_is_that_of_branch_and_bound(game, leader):
    assert (
        earned(game, leader) == solvers.extensive_stackelberg(game, leader=leader).payoffs[leader]
    )


@given(open_trees, LEADERS)
def test_pure_value_is_that_of_all_plans(game, leader):
    assert earned(game, leader, CommitmentKind.PURE) == best_pure_commitment(game, leader)


def test_three_outcomes_may_have_to_be_mixed():
    """A promise below holds a first follower's node, one above a second."""
    low = gt.Decision(0, "low", {"a": gt.Terminal([6, 0]), "b": gt.Terminal([0, 4])})
    inner = gt.Decision(1, "inner", {"in": low, "out": gt.Terminal([-9, 1])})
    upper = gt.Decision(0, "upper", {"c": inner, "d": gt.Terminal([1, 5])})
    game = gt.from_sketch(
        gt.Decision(1, "outer", {"in": upper, "out": gt.Terminal([-9, 2])}), players=("A", "B")
    )
    assert earned(game, 0) == solvers.extensive_stackelberg(game).payoffs[0]
    solution = solvers.perfect_information_commitment(game)
    assert sum(0 < p < 1 for lottery in solution.profile.probabilities for p in lottery) == 4


def test_long_trees_are_no_problem():
    game = load("centipede:rounds=300")
    assert earned(game, 0) >= solvers.backward_induction(game).payoffs[0]


@pytest.mark.parametrize("kind", list(CommitmentKind))
def test_one_node_pays_what_it_pays(kind):
    game = gt.from_sketch(gt.Terminal([3, 4]), players=("A", "B"))
    assert earned(game, 1, kind) == 4


def test_budget_counts_nodes():
    game = load("centipede:rounds=2")
    with pytest.raises(
        gt.NotConverged, match=f"needs all {game.num_nodes} nodes.* after 2"
    ) as caught:
        solvers.perfect_information_commitment(game, budget=solvers.Budget(iterations=2))
    assert caught.value.best is None


def wide_tree(leaves):
    """Every end is better than some average of two others; nothing can be left out."""
    ends = {str(i): gt.Terminal([-i * i, i]) for i in range(leaves)}
    return gt.from_sketch(gt.Decision(0, "", ends), players=("A", "B"))


@pytest.mark.parametrize("kind", list(CommitmentKind))
def test_time_is_looked_at_within_wide_nodes(kind):
    game = wide_tree(2000)
    before = process_time()
    with pytest.raises(gt.NotConverged, match="all 2001 nodes, but the budget ended"):
        solvers.perfect_information_commitment(
            game, commitment=kind, budget=solvers.Budget(seconds=0.3)
        )
    assert process_time() - before < 2  # many seconds, were it only looked at between nodes


def test_wide_nodes_are_quick():
    rng = np.random.default_rng(0)
    ends = {str(i): gt.Terminal(rng.integers(-(10**6), 10**6, 2).tolist()) for i in range(1000)}
    game = gt.from_sketch(gt.Decision(0, "", ends), players=("A", "B"))
    before = process_time()
    assert earned(game, 0) == max(game.exact_terminal_payoffs[:, 0])
    assert process_time() - before < 3  # minutes, were all pairs of ends mixed
