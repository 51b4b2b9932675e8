"""Kuhn 1953, after Zermelo 1913: perfect information has an equilibrium in pure strategies.

Backward induction finds one that is an equilibrium in every subgame. Checked on trees of up to
three players, with chance, ties and payments on the way; in rationals, without tolerance.

Why it matters (trees): Games of perfect information are solved in one pass, without mixing.
"""

from itertools import product

import pytest
from hypothesis import given

import gametheory_core as gt
from gametheory_core.certificates import certify_subgame_perfect
from solvers import backward_induction
from tests.solvers.trees.trees import recursive_payoffs, sketches, tree_of

theorem = pytest.mark.theorem(
    source="Kuhn 1953", statement="Backward induction yields a pure subgame-perfect equilibrium."
)


def pure_profiles(game):
    counts = [range(len(s.actions)) for s in game.infosets[: game.num_decision_infosets]]
    return [gt.pure_behavior(game, actions) for actions in product(*counts)]


def subtrees(sketch):
    yield sketch
    for child in getattr(sketch, "children", {}).values():
        yield from subtrees(child[1] if isinstance(child, tuple) else child)


@theorem
@given(sketches(depth=3))
def test_backward_induction_is_an_equilibrium_of_every_subgame(sketch):
    for subtree in subtrees(sketch):
        game = tree_of(subtree)
        solution = backward_induction(game)
        assert gt.certify_nash(game, solution.profile).epsilon == 0
        assert solution.payoffs == recursive_payoffs(subtree)
    backward_induction(tree_of(sketch)).certificate.verify()


@theorem
@given(sketches(num_players=2, depth=2))
def test_subgame_perfect_profiles_are_those_that_are_nash_in_every_subgame(sketch):
    """The one-shot deviation principle, for the pure profiles of a small tree."""
    game = tree_of(sketch, 2)
    for profile in pure_profiles(game)[:64]:
        is_nash_everywhere = all(
            gt.certify_nash(*restricted(game, profile, subtree)).epsilon == 0
            for subtree in subtrees(sketch)
        )
        assert is_accepted(game, profile) == is_nash_everywhere


def restricted(game, profile, subtree):
    """A subgame, and the profile in it; information sets keep their labels."""
    subgame = tree_of(subtree, 2)
    infosets = game.infosets[: game.num_decision_infosets]
    known = {s.label: v for s, v in zip(infosets, profile.probabilities, strict=True)}
    own = subgame.infosets[: subgame.num_decision_infosets]
    return subgame, gt.BehavioralProfile(tuple(known[s.label] for s in own))


def is_accepted(game, profile):
    try:
        certify_subgame_perfect(game, profile)
    except gt.CertificateRejected:
        return False
    return True


@theorem
def test_nash_twin_is_not_subgame_perfect():
    """Entry deterrence: the threat to fight keeps the entrant out, but is empty."""
    answer = gt.Decision(
        1, "entered", {"fight": gt.Terminal([-1, 0]), "share": gt.Terminal([1, 1])}
    )
    game = gt.from_sketch(
        gt.Decision(0, "start", {"out": gt.Terminal([0, 2]), "in": answer}),
        players=("Entrant", "Incumbent"),
    )
    threat = gt.pure_behavior(game, (0, 0))
    assert gt.certify_nash(game, threat).epsilon == 0
    with pytest.raises(gt.CertificateRejected, match="'share' pays 1, while the profile gets 0"):
        certify_subgame_perfect(game, threat)
    assert backward_induction(game).payoffs == (1, 1)


@theorem
def test_imperfect_information_twin_has_no_pure_equilibrium():
    """Matching pennies, one after the other but blind."""
    game = gt.from_sketch(
        gt.Decision(
            0,
            "",
            {
                a: gt.Decision(
                    1, "", {b: gt.Terminal([1, -1] if a == b else [-1, 1]) for b in "HT"}
                )
                for a in "HT"
            },
        ),
        players=("Ann", "Bob"),
    )
    assert all(gt.certify_nash(game, profile).epsilon > 0 for profile in pure_profiles(game))
    with pytest.raises(gt.UnsupportedGame, match="needs perfect information"):
        backward_induction(game)
