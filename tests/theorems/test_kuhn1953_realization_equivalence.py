"""Kuhn 1953: with perfect recall, mixed and behavioral strategies do the same.

Why it matters (trees): A lottery at each information set is as good as a lottery over whole plans,
as long as nobody forgets: the ground on which all solvers for trees stand.
"""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import testing
from gametheory_core.evaluation import outcome_distribution
from gametheory_core.games import has_perfect_recall, is_absent_minded
from gametheory_core.strategies import are_realization_equivalent

mixed_to_behavioral = pytest.mark.theorem(
    source="Kuhn 1953, theorem 4",
    statement="With perfect recall each mixed strategy has an equivalent behavioral one.",
)
behavioral_to_mixed = pytest.mark.theorem(
    source="Kuhn 1953",
    statement="Unless a player is absent-minded, behavioral strategies are mixed strategies.",
)


def law_of_plans(conversion, mixed):
    """The law of ends of play, one joint plan after another: independent of the conversion's way
    of carrying strategies."""
    game = conversion.source
    law = dict.fromkeys(game.terminals.tolist(), Fraction(0))
    counts = conversion.target.num_actions
    for joint in product(*map(range, counts)):
        weight = Fraction(1)
        for strategy, plan in zip(mixed.strategies, joint, strict=True):
            weight *= strategy[plan]
        if weight:
            for node, share in conversion.correspondence.outcome_to_source(joint):
                law[node] += weight * share
    return list(law.values())


@mixed_to_behavioral
@given(st.data())
def test_every_mixed_strategy_has_an_equivalent_behavioral_one(data):
    game = data.draw(testing.extensive_form_games())
    conversion = gt.extensive_to_normal(game)
    mixed = data.draw(testing.mixed_profiles(conversion.target))
    behavioral = conversion.correspondence.to_source(mixed)
    # against every pure opponent: swap in one mixed strategy at a time
    for player in range(game.num_players):
        joint = [data.draw(st.integers(0, n - 1)) for n in conversion.target.num_actions]
        against = gt.pure_profile(conversion.target, joint).strategies
        one = gt.MixedProfile((*against[:player], mixed.strategies[player], *against[player + 1 :]))
        carried = conversion.correspondence.to_source(one)
        assert outcome_distribution(game, carried).tolist() == law_of_plans(conversion, one)
    assert outcome_distribution(game, behavioral).tolist() == law_of_plans(conversion, mixed)


@behavioral_to_mixed
@given(st.data())
def test_every_behavioral_strategy_is_mixed_even_without_recall(data):
    game = data.draw(testing.forgetful_games().filter(lambda tree: not is_absent_minded(tree)))
    conversion = gt.extensive_to_normal(game)
    behavioral = data.draw(testing.behavioral_profiles(game))
    mixed = conversion.correspondence.to_target(behavioral)
    assert outcome_distribution(game, behavioral).tolist() == law_of_plans(conversion, mixed)


@mixed_to_behavioral
@given(st.data())
def test_there_and_back_reaches_the_same_ends_against_everybody(data):
    game = data.draw(testing.extensive_form_games())
    correspondence = gt.extensive_to_normal(game).correspondence
    profile = data.draw(testing.behavioral_profiles(game))
    again = correspondence.to_source(correspondence.to_target(profile))
    assert are_realization_equivalent(game, profile, again)


@mixed_to_behavioral
@given(st.data())
def test_equilibria_are_carried_both_ways(data):
    game = data.draw(testing.extensive_form_games())
    conversion = gt.extensive_to_normal(game)
    mixed = data.draw(testing.mixed_profiles(conversion.target))
    behavioral = conversion.correspondence.to_source(mixed)
    assert gt.epsilon(game, behavioral) == gt.epsilon(conversion.target, mixed)


FORGETTER = gt.from_sketch(
    gt.Decision(
        0,
        "first",
        {
            first: gt.Decision(
                0, "second", {b: gt.Terminal([int(first == b)]) for b in ("left", "right")}
            )
            for first in ("left", "right")
        },
    ),
    players=("Forgetter",),
)


@mixed_to_behavioral
def test_without_recall_a_mixed_strategy_may_have_no_behavioral_form():
    """Twin: half (left, left), half (right, right) matches surely; behavior matches at most so
    if pure, and never reaches both ends equally often without the others."""
    assert not has_perfect_recall(FORGETTER)
    conversion = gt.extensive_to_normal(FORGETTER)
    assert conversion.target.actions[0] == (
        "left / left", "left / right", "right / left", "right / right",
    )  # fmt: skip
    half = Fraction(1, 2)
    law = law_of_plans(conversion, gt.MixedProfile(([half, 0, 0, half],)))
    assert law == [half, 0, 0, half]
    with pytest.raises(gt.UnsupportedGame, match=r"to_source: needs perfect recall.*forgets at"):
        conversion.correspondence.to_source(gt.MixedProfile(([half, 0, 0, half],)))
    # behavioral laws are products: [pq, p(1-q), (1-p)q, (1-p)(1-q)], so ad = bc; here 1/4 != 0
    for p in (Fraction(k, 8) for k in range(9)):
        for q in (Fraction(k, 8) for k in range(9)):
            a, b, c, d = outcome_distribution(
                FORGETTER, gt.BehavioralProfile(([p, 1 - p], [q, 1 - q]))
            )
            assert a * d == b * c
    assert law[0] * law[3] != law[1] * law[2]


DRIVER = gt.from_sketch(
    gt.Decision(
        0,
        "crossing",
        {
            "exit": gt.Terminal([0]),
            "go": gt.Decision(0, "crossing", {"exit": gt.Terminal([4]), "go": gt.Terminal([1])}),
        },
    ),
    players=("Driver",),
)


@behavioral_to_mixed
def test_an_absent_minded_driver_behaves_like_no_lottery_over_plans():
    """Twin (Piccione and Rubinstein 1997): plans earn 0 or 1, behavior up to 4/3."""
    assert is_absent_minded(DRIVER)
    best = gt.BehavioralProfile(([Fraction(1, 3), Fraction(2, 3)],))
    assert gt.expected_payoffs(DRIVER, best).tolist() == [Fraction(4, 3)]
    with pytest.raises(gt.UnsupportedGame, match=r"'crossing' of player 1 is met at"):
        gt.extensive_to_normal(DRIVER)
