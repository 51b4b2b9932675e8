"""Lemke's method on the sequence form: exact equilibria of every tree, degenerate ones too."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.catalog import load, random_tree
from gametheory_core.strategies import RealizationPlan
from gametheory_core.testing import PayoffKind, behavioral_profiles, extensive_form_games
from solvers import Budget, sequence_form_lcp
from solvers.trees import complementarity as module

SMALL = {"num_players": (2, 2), "max_depth": 6, "max_moves": 14}


@given(st.data())
def test_every_prior_leads_to_an_exact_equilibrium(data):
    game = data.draw(extensive_form_games(**SMALL))
    prior = data.draw(behavioral_profiles(game))
    solution = sequence_form_lcp(game, prior=prior)
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0
    assert solution.payoffs == gt.certify_nash(game, solution.profile).payoffs


@given(extensive_form_games(kinds=(PayoffKind.DEGENERATE,), **SMALL), st.integers(0, 2))
def test_degenerate_trees_end(game, which):
    """Payoffs of -1, 0 and 1, and priors with and without zeros: ties everywhere."""
    counts = [len(s.actions) for s in game.infosets[: game.num_decision_infosets]]
    pure = gt.pure_behavior(game, [min(which, n - 1) for n in counts])
    for prior in (None, pure):
        assert sequence_form_lcp(game, prior=prior).certificate.epsilon == 0


@given(st.data())
def test_floats_take_over_at_any_point(data):
    """From every basis on the way floats end at an exact equilibrium, or say that they do not."""
    game = data.draw(extensive_form_games(**SMALL))
    after = data.draw(st.integers(-1, 300))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "LONGEST_IN_INTEGERS", after)
        solution = sequence_form_lcp(game, prior=data.draw(behavioral_profiles(game)))
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0


@pytest.mark.parametrize("game", ["kuhn_poker", "one_card_poker", 6, 7])
def test_floats_agree_with_integers_on_a_longer_path(monkeypatch, game):
    """In one-card poker folding, which the second player never sees, is mixed with raising."""
    tree = load(game) if isinstance(game, str) else random_tree_of_seed(game)
    exact = sequence_form_lcp(tree)
    assert exact.run.iterations > 3
    monkeypatch.setattr(module, "LONGEST_IN_INTEGERS", -1)
    monkeypatch.setattr(module, "step", None)  # floats need no help
    assert sequence_form_lcp(tree).profile == exact.profile


def test_numbers_beyond_floats_are_left_to_integers(monkeypatch):
    monkeypatch.setattr(module, "LONGEST_IN_INTEGERS", -1)
    pays = {("a", "c"): (10**400, 1), ("a", "d"): (0, 2), ("b", "d"): (1, 0), ("b", "c"): (0, 1)}
    second = {a: gt.Decision(1, "unseen", {b: gt.Terminal(pays[a, b]) for b in "cd"}) for a in "ab"}
    game = gt.from_sketch(gt.Decision(0, "first", second), players=("Ann", "Bob"))
    solution = sequence_form_lcp(game)
    assert solution.certificate.epsilon == 0
    assert 0 < solution.profile.probabilities[1][0] < Fraction(1, 10**399)


def test_wrong_floats_are_put_right(monkeypatch):
    """What floats find is certified; if it is no equilibrium, integers go on."""

    def wrong(form, _basic):
        pure = gt.pure_behavior(form.game, [0] * form.game.num_decision_infosets)
        return tuple(RealizationPlan(i, _weights(form, pure, i)) for i in range(2))

    game = load("kuhn_poker")
    monkeypatch.setattr(module, "LONGEST_IN_INTEGERS", -1)
    for answer in (wrong, lambda _form, _basic: None):
        monkeypatch.setattr(module, "plans_on", answer)
        assert sequence_form_lcp(game).certificate.epsilon == 0


def _weights(form, profile, player):
    from gametheory_core.strategies import realization_plan

    return realization_plan(form, profile, player=player).weights


def random_tree_of_seed(seed):
    return random_tree(rng=np.random.default_rng(seed), depth=6)


def battle():
    """Ann sees nothing of Bob's choice; both want to meet, at different places."""
    paid = {("ballet", "ballet"): [2, 1], ("boxing", "boxing"): [1, 2]}
    second = {
        a: gt.Decision(
            1, "unseen", {b: gt.Terminal(paid.get((a, b), [0, 0])) for b in ("ballet", "boxing")}
        )
        for a in ("ballet", "boxing")
    }
    return gt.from_sketch(gt.Decision(0, "first", second), players=("Ann", "Bob"))


def test_prior_chooses_among_equilibria():
    game = battle()
    found = {
        sequence_form_lcp(game, prior=gt.pure_behavior(game, (a, b))).payoffs
        for a in range(2)
        for b in range(2)
    }
    assert {(2, 1), (1, 2)} <= found
    assert sequence_form_lcp(game, prior=gt.uniform_behavior(game).to_float()).payoffs in found


def test_payoffs_of_every_size_stay_exact():
    huge, tiny = 10**30, Fraction(1, 3**40)
    second = {
        a: gt.Decision(
            1, "unseen", {b: gt.Terminal([x, y]) for b, x, y in zip("cd", *row, strict=True)}
        )
        for a, row in {"a": ((huge, 0), (0, tiny)), "b": ((0, tiny), (tiny, 0))}.items()
    }
    game = gt.from_sketch(gt.Decision(0, "first", second), players=("Ann", "Bob"))
    solution = sequence_form_lcp(game)
    assert solution.certificate.epsilon == 0
    assert solution.profile.probabilities[1].tolist() == [
        tiny / (huge + tiny),
        huge / (huge + tiny),
    ]


@pytest.mark.parametrize(
    "root",
    [
        gt.Terminal([1, 2]),
        gt.Chance({"a": ("1/3", gt.Terminal([1, 0])), "b": ("2/3", gt.Terminal([0, 1]))}),
        gt.Decision(0, "only", {"one way": gt.Terminal([1, 1])}),
        gt.Decision(1, "alone", {"x": gt.Terminal([0, 1]), "y": gt.Terminal([5, 2])}),
    ],
)
def test_trees_with_little_to_choose(root):
    game = gt.from_sketch(root, players=("Ann", "Bob"))
    solution = sequence_form_lcp(game)
    assert solution.certificate.epsilon == 0
    solution.certificate.verify()


@pytest.mark.parametrize("worth", [-1, 10**9])
@pytest.mark.parametrize("pivots", [0, 1, 2, 5])
def test_budget_ends_with_the_point_of_the_path(monkeypatch, pivots, worth):
    monkeypatch.setattr(module, "LONGEST_IN_INTEGERS", worth)
    game = load("kuhn_poker")
    with pytest.raises(
        gt.NotConverged, match=f"ended after {pivots} pivots with epsilon"
    ) as caught:
        sequence_form_lcp(game, budget=Budget(iterations=pivots))
    best = caught.value.best
    best.certificate.verify()
    assert best.certificate.epsilon > 0
    assert best.run.iterations == pivots
    if not pivots:
        assert best.profile == gt.uniform_behavior(game)


@pytest.mark.parametrize("pivots", range(2, 6))
def test_budget_that_ends_in_floats_reports_the_point_of_the_exact_path(monkeypatch, pivots):
    def point(worth):
        monkeypatch.setattr(module, "LONGEST_IN_INTEGERS", worth)
        with pytest.raises(gt.NotConverged, match=f"ended after {pivots} pivots") as caught:
            sequence_form_lcp(load("kuhn_poker"), budget=Budget(iterations=pivots))
        return caught.value.best.profile

    exact, rounded = point(10**9), point(-1)
    for one, other in zip(exact.probabilities, rounded.probabilities, strict=True):
        assert one.astype(float) == pytest.approx(other.astype(float), abs=1e-9)


def test_tolerance_is_met(monkeypatch):
    monkeypatch.setattr(module, "LONGEST_IN_INTEGERS", -1)
    solution = sequence_form_lcp(load("kuhn_poker"), tolerance=1e-6)
    assert solution.certificate.epsilon <= Fraction(1e-6)
    solution.certificate.verify()


def test_trees_too_large_are_refused_with_the_estimate():
    with pytest.raises(
        gt.UnsupportedGame, match=r"5\.281 KiB of .* 13 and 13 seq.*at most 4\.883 KiB"
    ):
        sequence_form_lcp(load("kuhn_poker"), budget=Budget(memory=5_000))


def test_priors_of_other_trees_are_refused():
    with pytest.raises(gt.InvalidStrategy, match="sequence_form_lcp: prior: .* 12 information"):
        sequence_form_lcp(load("kuhn_poker"), prior=gt.uniform_behavior(battle()))
