"""Information sets that play misses are named, with all causes, as play by play shows."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import BehavioralProfile, InvalidStrategy, pure_behavior
from gametheory_core.catalog import load
from gametheory_core.evaluation import UnreachedInfoset, unreached_infosets
from gametheory_core.games import CHANCE
from gametheory_core.testing import behavioral_profiles, extensive_form_games, forgetful_games
from tests.core.naive_refinements import probability
from tests.core.naive_trees import histories


def naive(game, profile):
    found = []
    for s, record in enumerate(game.infosets[: game.num_decision_infosets]):
        missed = [
            {
                "own" if mover == record.player else "chance" if mover == CHANCE else "others"
                for mover, step in ((game.infosets[t].player, (t, a)) for t, a in history.steps)
                if probability(game, profile, step) == 0
            }
            for history in histories(game)
            if history.infoset == s
        ]
        if all(missed):
            causes = set.intersection(*missed)
            found.append(
                UnreachedInfoset(s, "own" in causes, "others" in causes, "chance" in causes)
            )
    return tuple(found)


@given(
    st.one_of(extensive_form_games(), forgetful_games()).flatmap(
        lambda tree: st.tuples(st.just(tree), behavioral_profiles(tree))
    )
)
def test_causes_are_those_of_each_play(drawn):
    tree, profile = drawn
    found = unreached_infosets(tree, profile)
    assert found == naive(tree, profile)
    assert all(type(flag) is bool for each in found for flag in (each.by_own, each.by_others))


def test_floats_will_do():
    ace = load("guess_the_ace")
    (asked,) = unreached_infosets(ace, pure_behavior(ace, (0, 0)).to_float())
    assert (asked.by_own, asked.by_others, asked.by_chance) == (False, True, False)
    half = Fraction(1, 2)
    assert unreached_infosets(ace, BehavioralProfile(([half, half], [half, half]))) == ()


def test_profiles_of_other_games_are_refused():
    with pytest.raises(InvalidStrategy, match="needs probabilities at each of 2"):
        unreached_infosets(load("guess_the_ace"), BehavioralProfile(()))
