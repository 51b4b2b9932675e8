"""Prospects at information sets are what brute force over pure ways of going on finds."""

from hypothesis import assume, given
from hypothesis import strategies as st

from gametheory_core import Decision, Terminal, from_sketch, pure_behavior, strategies
from gametheory_core.evaluation.off_path import prospects
from gametheory_core.testing import behavioral_profiles, extensive_form_games
from tests.core.naive_refinements import sequential_gains


@given(
    extensive_form_games(max_moves=6).flatmap(
        lambda tree: st.tuples(st.just(tree), behavioral_profiles(tree))
    )
)
def test_gains_are_those_of_the_best_way_on(drawn):
    tree, profile = drawn
    assume(strategies.chance_excludes_no_infoset(tree))
    form = strategies.sequence_form(tree)
    assessment = strategies.limit_assessment(form, strategies.uniform_trembles(tree, profile))
    found = prospects(form, assessment)
    assert [each.infoset for each in found] == list(range(tree.num_decision_infosets))
    assert [each.gain for each in found] == sequential_gains(tree, profile, assessment.beliefs)


def test_an_action_is_worth_what_the_best_own_play_after_it_earns():
    """The profile errs twice in a row; at the first place both errors are mended."""
    second = Decision(0, "second", {"bad": Terminal([-1]), "good": Terminal([2])})
    tree = from_sketch(
        Decision(0, "first", {"stop": Terminal([1]), "go on": second}), players=("Ann",)
    )
    first, last = prospects(
        strategies.sequence_form(tree),
        strategies.Assessment(pure_behavior(tree, (1, 0)), ((1,), (1,))),
    )
    assert (first.value, first.action_values, first.gain) == (-1, (1, 2), 3)
    assert (last.value, last.action_values, last.gain) == (-1, (-1, 2), 3)
