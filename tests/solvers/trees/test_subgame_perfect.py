"""Subgame-perfect equilibria: an equilibrium in every subgame, whatever solves its piece."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.catalog import load
from gametheory_core.games import subgame, subgame_roots
from gametheory_core.strategies import restricted_profile
from gametheory_core.testing import extensive_form_games
from solvers import Budget, backward_induction, subgame_perfect
from solvers.trees import subgames as module


@given(extensive_form_games(max_depth=6, max_moves=14))
def test_answer_is_an_equilibrium_of_every_subgame(game):
    solution = subgame_perfect(game)
    solution.certificate.verify()
    worst = Fraction(0)
    for root in subgame_roots(game).tolist():
        part = subgame(game, root)
        claim = gt.certify_nash(part.game, restricted_profile(part, solution.profile))
        worst = max(worst, claim.epsilon)
    assert solution.certificate.epsilon == worst
    if game.num_players < 3:
        assert worst == 0


@given(extensive_form_games(perfect_information=True))
def test_perfect_information_is_left_to_backward_induction(game):
    assert subgame_perfect(game).profile == backward_induction(game).profile


def pennies(players, stake=1, *, fair=True):
    """Two of several players guess at once; the others are paid nothing."""
    first, second = players

    def paid(a, b):
        payoffs = [0, 0, 0]
        payoffs[first] = stake if a == b else -stake
        payoffs[second] = -payoffs[first] if fair else payoffs[first] // 2
        return gt.Terminal(payoffs)

    return gt.Decision(
        first,
        ("guess", first),
        {a: gt.Decision(second, ("blind", second), {b: paid(a, b) for b in "HT"}) for a in "HT"},
    )


@pytest.mark.parametrize(
    ("fair", "solver"), [(True, "sequence_form_lp"), (False, "sequence_form_lcp")]
)
def test_two_players_of_several_play_a_piece_by_the_sequence_form(monkeypatch, fair, solver):
    """Cat decides whether Bob and Ann play; which solver they need depends on their payoffs."""
    calls = []
    for name in ("sequence_form_lp", "sequence_form_lcp"):
        solve = getattr(module, name)
        monkeypatch.setattr(
            module, name, lambda g, s=solve, n=name, **k: calls.append((n, g.players)) or s(g, **k)
        )
    tree = gt.Decision(
        2, "c", {"play": pennies((1, 0), 2, fair=fair), "not": gt.Terminal([0, 0, -1])}
    )
    game = gt.from_sketch(tree, players=("Ann", "Bob", "Cat"))
    solution = subgame_perfect(game)
    assert calls == [(solver, ("Ann", "Bob"))]
    assert solution.certificate.epsilon == 0
    assert solution.payoffs[2] == 0


def three_at_once(*, stay_away):
    """Three choose at once; without a pure equilibrium if the third chases the crowd."""

    def paid(a, b, c):
        crowd = (a == b) + (b == c) - (a == c)
        return gt.Terminal([1 - 2 * (a == b), 2 * (a == b) - 1, crowd if stay_away else 1])

    def third(a, b):
        return gt.Decision(2, "third", {c: paid(a, b, c) for c in "HT"})

    def second(a):
        return gt.Decision(1, "second", {b: third(a, b) for b in "HT"})

    return gt.Decision(0, "first", {a: second(a) for a in "HT"})


def test_three_players_mix_through_the_reduced_normal_form():
    tree = gt.Decision(
        1, "start", {"play": three_at_once(stay_away=True), "not": gt.Terminal([0, -2, 0])}
    )
    game = gt.from_sketch(tree, players=("Ann", "Bob", "Cat"))
    solution = subgame_perfect(game)
    solution.certificate.verify()
    assert solution.certificate.epsilon <= Fraction(3, 10**9)
    assert solution.profile.probabilities[1].tolist() == [1, 0]  # Bob would rather play


def test_three_players_with_a_pure_equilibrium_get_it():
    solution = subgame_perfect(load("selten_horse"))
    assert solution.certificate.epsilon == 0
    assert all(set(v.tolist()) <= {0, 1} for v in solution.profile.probabilities)


def test_equilibrium_that_floats_miss_is_not_promised(monkeypatch):
    """A poor answer from the logit branch is measured, and refused beyond the tolerance."""
    from gametheory_core import uniform_profile

    class Poor:
        def __init__(self, game):
            self.solution = type("Limit", (), {"profile": uniform_profile(game)})

    tree = three_at_once(stay_away=True)
    tree.children["H"].children["H"].children["H"] = gt.Terminal([-1, 3, 1])
    game = gt.from_sketch(tree, players=("Ann", "Bob", "Cat"))
    monkeypatch.setattr(module, "logit_homotopy", lambda game, **_: Poor(game))
    with pytest.raises(
        gt.NotConverged, match="needs gains of at most .* found a player who"
    ) as caught:
        subgame_perfect(game)
    best = caught.value.best
    assert best.certificate.epsilon > 0
    best.certificate.verify()
    assert subgame_perfect(game, tolerance=10).certificate == best.certificate


def test_moves_of_a_single_action_need_no_player():
    """Cat's only action is a move of chance in the piece of the two others."""
    paid = {(a, b): gt.Terminal([1, -1, 0] if a == b else [-1, 1, 0]) for a in "HT" for b in "HT"}
    tree = gt.Decision(
        0,
        "a",
        {
            a: gt.Decision(2, "c", {"on": gt.Decision(1, "b", {b: paid[a, b] for b in "HT"})})
            for a in "HT"
        },
    )
    game = gt.from_sketch(tree, players=("Ann", "Bob", "Cat"))
    assert subgame_perfect(game).profile.probabilities[2].tolist() == [1]


def test_tree_of_one_node_and_chance_alone():
    end = gt.from_sketch(gt.Terminal([1, "1/3"]), players=("Ann", "Bob"))
    assert subgame_perfect(end).payoffs == (1, Fraction(1, 3))
    coin = gt.Chance({"H": ("1/3", gt.Terminal([1])), "T": ("2/3", gt.Terminal([0]))})
    assert subgame_perfect(gt.from_sketch(coin, players=("Ann",))).payoffs == (Fraction(1, 3),)


@given(st.data())
def test_budget_ends_with_a_measured_profile(data):
    game = data.draw(extensive_form_games(max_depth=5, max_moves=12))
    needed = subgame_perfect(game).run.iterations
    limit = data.draw(st.integers(0, needed - 1))
    with pytest.raises(gt.NotConverged, match=f"the budget ended after {limit}") as caught:
        subgame_perfect(game, budget=Budget(iterations=limit))
    caught.value.best.certificate.verify()
    assert subgame_perfect(game, budget=Budget(iterations=needed)).run.iterations == needed


def test_budget_in_seconds_reaches_the_solver_of_a_piece():
    with pytest.raises(gt.NotConverged, match="needs all 1 subgames, but the budget ended after 0"):
        subgame_perfect(load("kuhn_poker"), budget=Budget(seconds=0))


def test_deep_and_wide_trees_are_taken_apart_quickly():
    """A chain of 150 games of matching pennies, each after a decision to go on."""
    root = gt.Terminal([0, 0, 0])
    for k in range(150):
        inner = pennies((0, 1))
        first = gt.Decision(
            0,
            ("guess", k),
            {a: gt.Decision(1, ("blind", k), d.children) for a, d in inner.children.items()},
        )
        root = gt.Decision(2, ("go", k), {"on": root, "play": first})
    game = gt.from_sketch(root, players=("Ann", "Bob", "Cat"))
    solution = subgame_perfect(game)
    assert solution.run.iterations == 300
    assert solution.certificate.epsilon == 0


def test_too_many_plans_of_three_players_are_refused_with_the_place():
    def blind(depth, past):
        if depth == 0:
            return gt.Terminal(np.eye(3, dtype=int)[sum(past) % 3].tolist())
        mover = depth % 3
        seen = past[:-2]  # all but the last two moves
        return gt.Decision(
            mover, (depth, seen), {str(a): blind(depth - 1, (*past, a)) for a in range(2)}
        )

    play = gt.Decision(0, "start", {"in": blind(9, ()), "out": gt.Terminal([0, 0, 0])})
    message = r"subgame_perfect: .* the subgame after \('in',\) is played by 3: .*joint plans"
    with pytest.raises(gt.UnsupportedGame, match=message):
        subgame_perfect(gt.from_sketch(play, players=("Ann", "Bob", "Cat")))
