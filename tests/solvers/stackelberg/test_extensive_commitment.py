"""Commitment in trees: equal to the reduced normal form, exact, and honest about what lacks."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.catalog import load, random_tree
from gametheory_core.testing import PayoffKind, extensive_form_games
from solvers import Budget, extensive_stackelberg, strong_stackelberg
from solvers.stackelberg import extensive_commitment

LEADERS = st.sampled_from([0, 1])
BOTH = ("Ann", "Bob")
BRANCHING = [(9, 0), (62, 1)]  # random trees of five moves in which recommendations help


def earned(solution, leader):
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0
    assert solution.payoffs[leader] == solution.certificate.leader_payoff
    return solution.payoffs[leader]


def value_by_normal_form(game, leader):
    return strong_stackelberg(gt.extensive_to_normal(game).target, leader=leader).payoffs[leader]


def branching_tree(seed):
    return random_tree(rng=np.random.default_rng(seed), depth=5)


@given(
    extensive_form_games(num_players=(2, 2), max_depth=5, max_moves=14, kinds=tuple(PayoffKind)),
    LEADERS,
)
def test_value_is_that_of_the_reduced_normal_form(game, leader):
    found = earned(extensive_stackelberg(game, leader=leader), leader)
    assert found == value_by_normal_form(game, leader)


@pytest.mark.parametrize(("seed", "leader"), BRANCHING)
def test_value_is_right_where_cases_are_needed(seed, leader):
    solution = extensive_stackelberg(branching_tree(seed), leader=leader)
    assert len(solution.certificate.cases) > 1
    assert earned(solution, leader) == value_by_normal_form(branching_tree(seed), leader)


@pytest.mark.parametrize("seed", [2, 4, 6, 10, 14, 32, 37, 51])
def test_value_is_right_in_deeper_trees_full_of_ties(seed):
    game = random_tree(rng=np.random.default_rng(seed), depth=6, payoff_range=(-2, 2))
    normal = gt.extensive_to_normal(game, max_profiles=30_000).target
    expected = strong_stackelberg(normal).payoffs[0]
    assert earned(extensive_stackelberg(game), 0) == expected


def test_ties_break_for_the_leader_also_after_chance():
    answer = {"l": gt.Terminal([1, 0]), "r": gt.Terminal([5, 0])}
    game = gt.from_sketch(
        gt.Chance(
            {"h": ("1/3", gt.Decision(1, "h", answer)), "t": ("2/3", gt.Decision(1, "t", answer))}
        ),
        players=BOTH,
    )
    assert earned(extensive_stackelberg(game), 0) == 5
    assert earned(extensive_stackelberg(game, leader=1), 1) == 0


def test_threats_count_where_play_never_comes():
    """The incumbent threatens to fight, the entrant stays out, and no fight takes place."""
    fight = {"fight": gt.Terminal([-1, -1]), "share": gt.Terminal([1, 1])}
    entry = gt.Decision(1, "", {"out": gt.Terminal([3, 0]), "in": gt.Decision(0, "entered", fight)})
    game = gt.from_sketch(entry, players=("Incumbent", "Entrant"))
    solution = extensive_stackelberg(game)
    assert earned(solution, 0) == 3
    fights = solution.profile.probabilities[0][0]
    assert fights >= Fraction(1, 2)  # enough to keep the entrant out


def test_inner_payoffs_count():
    paid = gt.Decision(
        1, "b", {"l": gt.Terminal([1, 1]), "r": gt.Terminal([0, 2])}, payoffs=(10, 20)
    )
    game = gt.from_sketch(
        gt.Decision(0, "a", {"go": paid, "stop": gt.Terminal([9, 0])}), players=BOTH
    )
    assert extensive_stackelberg(game).payoffs == (10, 22)


@pytest.mark.parametrize("leader", [0, 1])
@pytest.mark.parametrize(
    "sketch",
    [
        gt.Terminal([3, 4]),
        gt.Decision(0, "", {"l": gt.Terminal([3, 4]), "r": gt.Terminal([2, 5])}),
        gt.Decision(1, "", {"l": gt.Terminal([3, 4]), "r": gt.Terminal([2, 3])}),
        gt.Decision(0, "", {"only": gt.Decision(1, "", {"one": gt.Terminal([3, 4])})}),
        gt.Chance({"never": (0, gt.Terminal([9, 9])), "ever": (1, gt.Terminal([3, 4]))}),
    ],
    ids=["one node", "only Ann moves", "only Bob moves", "no choice", "a move without chance"],
)
def test_small_trees_are_solved(sketch, leader):
    game = gt.from_sketch(sketch, players=BOTH)
    assert earned(extensive_stackelberg(game, leader=leader), leader) == value_by_normal_form(
        game, leader
    )


@pytest.mark.parametrize("factor", ["1e-12", "1e12", "1e40", "1/3"])
def test_scale_of_payoffs_does_not_matter(factor):
    def scaled(game):
        unit = Fraction(factor)

        def node(v):
            if game.node_infoset[v] < 0:
                payoffs = game.exact_terminal_payoffs[np.searchsorted(game.terminals, v)]
                return gt.Terminal([payoff * unit for payoff in payoffs])
            infoset = game.infosets[game.node_infoset[v]]
            children = {
                label: node(int(game.first_child[v]) + a) for a, label in enumerate(infoset.actions)
            }
            if infoset.player < 0:
                pairs = zip(infoset.probabilities, children.items(), strict=True)
                return gt.Chance({label: (p, child) for p, (label, child) in pairs})
            return gt.Decision(infoset.player, infoset.label, children)

        return gt.from_sketch(node(0), players=BOTH)

    game = branching_tree(9)
    value = extensive_stackelberg(game).payoffs[0]
    assert earned(extensive_stackelberg(scaled(game)), 0) == value * Fraction(factor)


def test_poker_commitment_earns_the_value_of_the_game():
    poker = load("kuhn_poker")
    assert earned(extensive_stackelberg(poker), 0) == Fraction(-1, 18)
    assert earned(extensive_stackelberg(poker, leader=1), 1) == Fraction(1, 18)


@pytest.mark.parametrize("limit", range(6))
def test_ended_budget_leaves_a_certified_interval(limit):
    with pytest.raises(gt.NotConverged, match=f"the budget ended after {limit} linear") as caught:
        extensive_stackelberg(branching_tree(9), budget=Budget(iterations=limit))
    found = caught.value.best.certificate
    found.verify()
    assert found.leader_payoff <= Fraction(16, 15) <= found.upper_bound
    assert found.epsilon > 0


def test_no_time_at_all_still_leaves_an_interval():
    with pytest.raises(gt.NotConverged, match="needs an optimal commitment") as caught:
        extensive_stackelberg(branching_tree(9), budget=Budget(seconds=0))
    caught.value.best.certificate.verify()


def test_other_games_and_leaders_are_refused():
    with pytest.raises(gt.InvalidArgument, match="extensive_stackelberg: needs leader"):
        extensive_stackelberg(load("kuhn_poker"), leader=2)
    with pytest.raises(gt.UnsupportedGame, match="extensive_stackelberg"):
        extensive_stackelberg(gt.extensive_to_normal(load("kuhn_poker")).target)
    with pytest.raises(gt.UnsupportedGame, match="needs two players.*pure_followers_stackelberg"):
        extensive_stackelberg(load("selten_horse"))


@pytest.mark.parametrize("forgetful", [0, 1])
def test_forgetting_of_either_player_is_refused(forgetful):
    last = {
        a: gt.Decision(forgetful, "again", {b: gt.Terminal([int(a == b), 0]) for b in "LR"})
        for a in "LR"
    }
    game = gt.from_sketch(gt.Decision(forgetful, "first", last), players=BOTH)
    match = f"needs perfect recall, but player '{BOTH[forgetful]}' forgets.*extensive_to_normal"
    with pytest.raises(gt.UnsupportedGame, match=match):
        extensive_stackelberg(game)


def test_large_trees_are_refused_with_an_estimate(monkeypatch):
    monkeypatch.setattr(extensive_commitment, "MOST_NUMBERS", 100)
    with pytest.raises(gt.UnsupportedGame, match=r"at most 100 columns and rows, but .* pairs of"):
        extensive_stackelberg(load("kuhn_poker"))
