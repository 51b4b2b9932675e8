"""Hendon, Jacobsen and Sloth 1996: it is enough to look at one-shot deviations.

In trees of perfect information, a profile is an equilibrium of every subgame if and only if no
one-shot deviation gains. With perfect recall and consistent beliefs, nobody gains from any way of
going on if and only if no one-shot deviation gains. In rationals, without tolerance. Twins: the
principle fails with absence of mind, with forgotten choices, and with beliefs that are not carried
on; and a Nash equilibrium may leave a one-shot deviation that gains where play never comes.

Why it matters (trees): Verifying an equilibrium of a tree takes one pass over information sets
instead of a search over plans.
"""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import strategies
from gametheory_core.evaluation import one_shot_deviations, subgame_deviations
from gametheory_core.evaluation.off_path import prospects
from gametheory_core.testing import behavioral_profiles, extensive_form_games

theorem = pytest.mark.theorem(
    source="Hendon, Jacobsen and Sloth 1996",
    statement="Nobody gains by any deviation if and only if nobody gains by a single one.",
)

ROUNDS = 12


def improved(game, profile, beliefs_of):
    """Take up one-shot deviations that gain, all at once, a few times; often none is left."""
    for _ in range(ROUNDS):
        found = one_shot_deviations(game, profile, beliefs=beliefs_of(profile))
        if not found:
            break
        vectors = list(profile.probabilities)
        for deviation in found:
            count = len(vectors[deviation.infoset])
            vectors[deviation.infoset] = [Fraction(a == deviation.action) for a in range(count)]
        profile = gt.BehavioralProfile(tuple(vectors))
    return profile


@theorem
@given(st.data())
def test_perfect_information_no_single_deviation_gains_iff_none_does_in_any_subgame(data):
    game = data.draw(extensive_form_games(perfect_information=True, max_depth=5, max_moves=12))
    profile = data.draw(behavioral_profiles(game))
    if data.draw(st.booleans()):
        profile = improved(game, profile, lambda _: None)
    gains = subgame_deviations(game, profile).gains
    found = one_shot_deviations(game, profile)
    event(f"gains: {bool(found)}")
    assert bool(found) == bool(gains.any())


@theorem
@given(st.data())
def test_consistent_beliefs_no_single_deviation_gains_iff_no_way_of_going_on_does(data):
    game = data.draw(extensive_form_games(max_depth=5, max_moves=10))
    assume(strategies.chance_excludes_no_infoset(game))
    form = strategies.sequence_form(game)

    def beliefs_of(profile):
        return strategies.limit_assessment(form, strategies.uniform_trembles(game, profile)).beliefs

    profile = data.draw(behavioral_profiles(game))
    if data.draw(st.booleans()):
        profile = improved(game, profile, beliefs_of)
    beliefs = beliefs_of(profile)
    found = one_shot_deviations(game, profile, beliefs=beliefs)
    event(f"gains: {bool(found)}")
    ways = prospects(form, strategies.Assessment(profile, beliefs))
    assert bool(found) == any(way.gain for way in ways)


@theorem
def test_nash_equilibrium_may_leave_a_single_deviation_that_gains():
    """Twin: off the path of play an equilibrium asks nothing."""
    answer = gt.Decision(
        1, "entered", {"fight": gt.Terminal([-1, 0]), "share": gt.Terminal([1, 1])}
    )
    game = gt.from_sketch(
        gt.Decision(0, "start", {"out": gt.Terminal([0, 2]), "in": answer}),
        players=("Entrant", "Incumbent"),
    )
    threat = gt.pure_behavior(game, (0, 0))
    assert gt.certify_nash(game, threat).epsilon == 0
    (found,) = one_shot_deviations(game, threat)
    assert (found.player, found.infoset, found.action, found.gain) == (1, 1, 1, 1)


def best_payoff(game):
    """Return the most that the only player gets by a pure profile."""
    counts = [range(len(s.actions)) for s in game.infosets[: game.num_decision_infosets]]
    return max(
        gt.expected_payoffs(game, gt.pure_behavior(game, actions))[0]
        for actions in product(*counts)
    )


@theorem
def test_with_absence_of_mind_single_deviations_see_too_little():
    """Twin: one exit is passed only with both: leaving always is bad, but alone none helps."""
    second = gt.Decision(0, "an exit", {"leave": gt.Terminal([0]), "go on": gt.Terminal([2])})
    root = gt.Decision(0, "an exit", {"leave": gt.Terminal([1]), "go on": second})
    game = gt.from_sketch(root, players=("Driver",))
    leaves = gt.pure_behavior(game, (0,))
    assert one_shot_deviations(game, leaves) == ()
    assert gt.expected_payoffs(game, leaves)[0] == 1 < best_payoff(game) == 2


@theorem
def test_with_a_forgotten_choice_single_deviations_see_too_little():
    """Twin: two changes that only pay together."""
    paid = {("L", "L"): 1, ("R", "R"): 2}
    second = {
        a: gt.Decision(0, "forgotten", {b: gt.Terminal([paid.get((a, b), 0)]) for b in "LR"})
        for a in "LR"
    }
    game = gt.from_sketch(gt.Decision(0, "start", second), players=("Ann",))
    poor = gt.pure_behavior(game, (0, 0))
    assert one_shot_deviations(game, poor) == ()
    assert gt.expected_payoffs(game, poor)[0] == 1 < best_payoff(game) == 2


@theorem
def test_with_beliefs_that_are_not_carried_on_single_deviations_see_too_little():
    """Twin: sure of one color before entering, of the other after: then no bet seems worth it."""

    def after(color):
        bets = {b: gt.Terminal([3 if b == color else -3]) for b in ("red", "black")}
        return gt.Decision(
            0, "unseen", {"stop": gt.Terminal([0]), "enter": gt.Decision(0, "entered", bets)}
        )

    root = gt.Chance({color: ("1/2", after(color)) for color in ("red", "black")})
    game = gt.from_sketch(root, players=("Ann",))
    profile = gt.pure_behavior(game, (0, 1))  # stop; bet on black
    red, black = (Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))
    assert one_shot_deviations(game, profile, beliefs=(red, black)) == ()
    ways = prospects(strategies.sequence_form(game), strategies.Assessment(profile, (red, black)))
    assert [way.gain for way in ways] == [3, 0]
