"""Harsanyi transform and expanded security games: payoffs agree by hand and by law."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import gametheory_core as gt
from gametheory_core.conversions import (
    bayesian_normal,
    harsanyi_transform,
    security_to_bayesian,
    security_to_normal,
)
from gametheory_core.conversions.bayesian_normal import coverages
from gametheory_core.errors import LawBroken
from gametheory_core.evaluation.payoffs import bayesian_payoffs
from gametheory_core.testing import check_bayesian

OWN, OTHERS = [[[2, 4], [1, 3]], [[5, 0, 1], [6, 7, 8]]], [[[1, 0], [0, 1]], [[0, 1, 2], [3, 4, 5]]]
GAME = gt.BayesianGame.from_payoffs(OWN, OTHERS, prior=["1/3", "2/3"], types=("a", "b"))


def test_plans_pay_what_their_actions_pay_on_average():
    conversion = harsanyi_transform(GAME)
    table = conversion.target.exact_payoffs
    for row, (place, (b, c)) in product(range(2), enumerate(product(range(2), range(3)))):
        for player, payoffs in enumerate((OWN, OTHERS)):
            expected = Fraction(payoffs[0][row][b] + 2 * payoffs[1][row][c], 3)
            assert table[player, row, place] == expected
    assert conversion.target.actions[1][4] == "'a': '2' 'b': '2'"
    assert conversion.correspondence.plans[4] == (1, 1)


def test_what_has_no_name_is_numbered_from_one():
    game = gt.BayesianGame.from_payoffs(
        OWN,
        OTHERS,
        prior=["1/3", "2/3"],
        types=("", "b"),
        follower_actions=(("", ""), ("", "", "z")),
    )
    names = harsanyi_transform(game).target.actions[1]
    assert names == tuple(
        f"#1: #{b + 1} 'b': {own}" for b in range(2) for own in ("#1", "#2", "'z'")
    )


def test_law_holds_for_the_catalogue():
    for name in ("house_patrol", "house_patrol:types=1", "house_patrol:houses=2,length=1,types=4"):
        check_bayesian(gt.load_game(name), rng=np.random.default_rng(0))


def test_law_notices_a_wrong_transform(monkeypatch):
    def forgetful(game, *, max_profiles):
        uneven = replace(game, prior=game.prior[::-1])
        wrong = bayesian_normal.harsanyi_transform(uneven, max_profiles=max_profiles).target
        right = bayesian_normal.harsanyi_transform(game, max_profiles=max_profiles)
        return replace(right, target=wrong)

    monkeypatch.setattr("gametheory_core.testing.laws.harsanyi_transform", forgetful)
    with pytest.raises(
        LawBroken, match="every source profile pays what its image .* the source has"
    ):
        check_bayesian(GAME, rng=np.random.default_rng(0))


def test_profiles_travel_both_ways():
    carry = harsanyi_transform(GAME).correspondence
    for profile in (gt.uniform_profile(GAME), gt.pure_profile(GAME, (1, 0, 2))):
        assert carry.to_source(carry.to_target(profile)) == profile
    floats = gt.uniform_profile(GAME).to_float()
    assert not carry.to_target(floats).is_exact


def test_outcomes_name_the_type_that_was_drawn():
    outcome = harsanyi_transform(GAME).correspondence.outcome_to_source((1, 5))
    assert outcome.items == (((0, 1, 1), Fraction(1, 3)), ((1, 1, 2), Fraction(2, 3)))


def test_outcomes_pay_on_average_what_their_joint_action_pays():
    rng = np.random.default_rng(3)
    for sizes in ((2, 2), (1, 3), (3, 1, 2), (2, 2, 2, 1)):
        leader = [rng.integers(-9, 10, (sizes[0], n)) for n in sizes[1:]]
        follower = [rng.integers(-9, 10, table.shape) for table in leader]
        parts = rng.integers(1, 5, len(leader)).tolist()
        prior = [Fraction(part, sum(parts)) for part in parts]
        conversion = harsanyi_transform(gt.BayesianGame.from_payoffs(leader, follower, prior=prior))
        paid = conversion.target.exact_payoffs
        for joint in np.ndindex(paid.shape[1:]):
            outcomes = conversion.correspondence.outcome_to_source(joint)
            average = sum(
                weight * conversion.source.games[t].exact_payoffs[:, row, action]
                for (t, row, action), weight in outcomes
            )
            assert average.tolist() == paid[:, *joint].tolist()


@pytest.mark.parametrize("outcome", [(0,), (2, 0), (0, 6), (-1, 0)])
def test_outcomes_out_of_range_are_refused(outcome):
    with pytest.raises(gt.InvalidArgument, match=r"row and a plan of \(2, 6\)"):
        harsanyi_transform(GAME).correspondence.outcome_to_source(outcome)


def test_profiles_of_other_games_are_refused():
    carry = harsanyi_transform(GAME).correspondence
    wrong = gt.MixedProfile(([1, 0], [1, 0]))
    for function in (carry.to_target, carry.to_source, lambda p: bayesian_payoffs(GAME, p)):
        with pytest.raises(gt.InvalidStrategy, match="needs strategies over"):
            function(wrong)


def test_plans_are_counted_before_they_are_built():
    game = gt.load_game("house_patrol:types=12,houses=6")
    with pytest.raises(gt.UnsupportedGame, match=r"at most max_profiles = 1,000,000 joint actions"):
        harsanyi_transform(game)


def test_one_type_keeps_its_labels():
    game = gt.load_game("house_patrol:types=1")
    assert harsanyi_transform(game).target == game.games[0]


def test_leader_gets_the_average_and_types_what_they_get():
    profile = gt.pure_profile(GAME, (1, 0, 2))
    assert bayesian_payoffs(GAME, profile) == (Fraction(1 + 2 * 8, 3), 0, 5)


# Security games


def test_coverages_are_all_sets_that_the_resources_allow():
    game = gt.load_game("guarded_targets:targets=4,resources=2")
    assert coverages(game) == (
        (),
        (0,),
        (1,),
        (2,),
        (3,),
        (0, 1),
        (0, 2),
        (0, 3),
        *[(1, 2), (1, 3), (2, 3)],
    )


def test_expanded_payoffs_look_only_at_the_attacked_target():
    game = gt.load_game("guarded_targets:targets=3,resources=2,types=2")
    expanded = security_to_bayesian(game)
    assert expanded.follower_actions == (game.targets, game.targets)
    for row, coverage in enumerate(coverages(game)):
        for t, i in product(range(2), range(3)):
            for player in range(2):
                paid = expanded.games[t].exact_payoffs[player, row, i]
                assert paid == game.exact_payoffs[t, player, int(i in coverage), i]


def test_several_types_have_no_plain_normal_form():
    with pytest.raises(
        gt.UnsupportedGame, match=r"harsanyi_transform\(security_to_bayesian\(game\)\)"
    ):
        security_to_normal(gt.load_game("guarded_targets:types=2"))


def test_coverages_are_counted_before_they_are_built():
    with pytest.raises(
        gt.UnsupportedGame, match=r"max_coverages = 20,000 .* Use security_stackelberg"
    ):
        security_to_normal(gt.load_game("guarded_targets:targets=1000,resources=100"))
