"""POSGs and AEC games as trees: perfect recall, and the same values by every road.

The tree of a POSG within a horizon has perfect recall; profiles pay in it what they pay in the POSG
(discounted), and gain by deviation what they gain there; its value is the value of the tree of the
AEC game, which is laid out by other code, and of the normal form over all plans. Random zero-sum
POSGs, in rationals. Twin: the printed AEC game with its queue in sight has another tree, of another
value.

Why it matters (models): Solvers for trees may be asked about POSGs and AEC games, and their answers
carried back.
"""

from itertools import product

import pytest

import gametheory_core as gt
from gametheory_core import evaluation
from gametheory_core.catalog import RepeatedGame
from gametheory_core.conversions import posg_to_aec, posg_to_normal
from gametheory_core.distributions import point_mass
from gametheory_core.games import NULL, has_perfect_recall, stop_aec, stop_posg
from solvers import minimax, sequence_form_lp
from tests.theorems.printed_constructions import QueueInSight, game_value
from tests.theorems.random_rules import ACTIONS, SEEN, RandomAEC, RandomPOSG, seeded_policies

theorem = pytest.mark.theorem(
    source="Terry et al. 2021, and Osborne and Rubinstein 1994",
    statement="The tree of a POSG has perfect recall, and the POSG's plays, returns and value.",
)


def random_posgs(seeds):
    return [
        stop_posg(RandomPOSG(seed, players), steps=2) for seed in range(seeds) for players in (1, 2)
    ]


def law_of_plays(conversion, behavior):
    law = {}
    tree = conversion.target
    ends = evaluation.outcome_distribution(tree, behavior).tolist()
    for node, weight in zip(tree.terminals.tolist(), ends, strict=True):
        if weight:
            for play, share in conversion.correspondence.outcome_to_source(node):
                law[play] = law.get(play, 0) + weight * share
    return law


def require_same(game, conversion, profile, law):
    tree = conversion.target
    assert has_perfect_recall(tree)
    behavior = conversion.correspondence.to_target(profile)
    assert law_of_plays(conversion, behavior) == law
    assert (
        gt.expected_payoffs(tree, behavior).tolist() == gt.expected_returns(game, profile).tolist()
    )
    assert (
        gt.deviation_gains(tree, behavior).tolist()
        == evaluation.return_gains(game, profile).tolist()
    )
    assert gt.nash_conv(tree, behavior) == evaluation.policy_nash_conv(game, profile)
    back = conversion.correspondence.to_source(behavior)
    assert conversion.correspondence.to_target(back) == behavior
    assert gt.expected_returns(game, back).tolist() == gt.expected_returns(game, profile).tolist()


@theorem
def test_trees_of_posgs_have_their_plays_returns_and_gains():
    for game in random_posgs(10):
        profile = seeded_policies(game, seed=game.game.seed)
        law = dict(evaluation.posg_trajectories(game, profile))
        require_same(game, gt.posg_to_extensive(game), profile, law)


@theorem
def test_trees_of_aec_games_have_their_plays_returns_and_gains():
    for seed in range(5):
        game = stop_aec(RandomAEC(seed, 1 + seed % 3), moves=3)
        profile = seeded_policies(game, seed=seed)
        law = dict(evaluation.aec_trajectories(game, profile))
        require_same(game, gt.aec_to_extensive(game), profile, law)


@theorem
def test_one_policy_dictionary_serves_all_three_unchanged():
    for game in random_posgs(6):
        tree = gt.posg_to_extensive(game)
        policies = seeded_policies(game, seed=7)
        tables = tree.correspondence.to_source(tree.correspondence.to_target(policies))
        assert all(isinstance(table, dict) for table in tables)
        turns = posg_to_aec(game).target
        paid = gt.expected_returns(game, tables).tolist()
        assert paid == gt.expected_returns(turns, tables).tolist()
        behavior = tree.correspondence.to_target(tables)
        assert paid == gt.expected_payoffs(tree.target, behavior).tolist()
        other = gt.aec_to_extensive(turns)
        behavior = other.correspondence.to_target(tables)
        assert paid == gt.expected_payoffs(other.target, behavior).tolist()


@theorem
def test_values_are_one_by_every_road():
    """The trees of the POSG and of its AEC game, and the normal form over all plans."""
    for seed in range(6):
        game = stop_posg(RandomPOSG(seed, zero_sum=True), steps=2)
        value = game_value(gt.posg_to_extensive(game).target)
        assert game_value(gt.aec_to_extensive(posg_to_aec(game).target).target) == value
        short = stop_posg(game, steps=1)
        normal = minimax(posg_to_normal(short).target).certificate
        assert normal.game_value == game_value(gt.posg_to_extensive(short).target)


class Unannounced(RandomPOSG):
    """Nothing is seen before the first action, and all actions are legal."""

    def initial_observation(self, state):
        return point_mass((NULL, NULL))

    def legal_actions(self, player, observation):
        return ACTIONS


@theorem
def test_value_is_that_of_all_pure_policies():
    """32 policies each: two steps, and an action for each first action and observation after it."""
    known = [(NULL,), *((NULL, done, seen) for done in ACTIONS for seen in SEEN)]
    pure = [
        {key: point_mass(action) for key, action in zip(known, chosen, strict=True)}
        for chosen in product(ACTIONS, repeat=len(known))
    ]
    for seed in (0, 2):
        game = stop_posg(Unannounced(seed, zero_sum=True), steps=2)
        paid = [[gt.expected_returns(game, (x, y))[0] for y in pure] for x in pure]
        value = minimax(gt.NormalFormGame.zero_sum(paid)).certificate.game_value
        assert value == game_value(gt.posg_to_extensive(game).target)


@theorem
def test_equilibria_are_carried_both_ways():
    for seed in range(6):
        game = stop_posg(RandomPOSG(seed, zero_sum=True), steps=2)
        conversion = gt.posg_to_extensive(game)
        solution = sequence_form_lp(conversion.target)
        policies = conversion.correspondence.to_source(solution.profile)
        assert evaluation.policy_nash_conv(game, policies) == 0
        assert evaluation.policy_nash_conv(posg_to_aec(game).target, policies) == 0
        again = conversion.correspondence.to_target(policies)
        assert gt.nash_conv(conversion.target, again) == 0


@theorem
def test_unless_the_queue_is_in_sight():
    pennies = RepeatedGame.of("matching_pennies", rounds=1, recall=0)
    assert game_value(gt.posg_to_extensive(pennies).target) == 0
    assert game_value(gt.aec_to_extensive(QueueInSight(pennies)).target) == -1
