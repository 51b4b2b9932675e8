"""Sequential equilibria of more than two players: searched by subgames, proved by trembles."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

import gametheory_core as gt
from gametheory_core.catalog import load
from gametheory_core.games.properties import has_perfect_information
from gametheory_core.strategies.trembles import LeadingTerm
from gametheory_core.testing import extensive_form_games
from solvers import Budget, sequential_equilibrium, solve
from solvers.trees.assessments import search_assessment
from solvers.trees.consistent_beliefs import slips_for
from tests.core.naive_refinements import bayes_beliefs, profile_at, sequential_gains
from tests.solvers.trees.layered_trees import layered_tree


def drawn(seed):
    players = 3 + seed % 2
    return layered_tree(np.random.default_rng(seed), players=players, levels=players)


def distance(tree, certificate, epsilon):
    """How far trembles and their Bayes beliefs are from the assessment."""
    near = profile_at(tree, certificate.trembles, epsilon)
    pairs = [
        *zip(certificate.beliefs, bayes_beliefs(tree, near), strict=True),
        *zip(certificate.profile.probabilities, near.probabilities, strict=True),
    ]
    return max(abs(a - b) for limits, values in pairs for a, b in zip(limits, values, strict=True))


def test_assessments_of_three_and_four_players_hold_by_brute_force():
    """No pure way of going on gains anywhere, and trembles come near as epsilon vanishes."""
    found = hidden = 0
    for seed in range(24):
        tree = drawn(seed)
        try:
            certificate = sequential_equilibrium(tree, budget=Budget(iterations=20_000)).certificate
        except gt.NotConverged:
            continue
        certificate.verify()
        found += 1
        hidden += any(len(belief) > 1 for belief in certificate.beliefs)
        assert not any(sequential_gains(tree, certificate.profile, certificate.beliefs))
        distances = [distance(tree, certificate, Fraction(1, 10**n)) for n in (3, 6, 9)]
        assert distances[0] >= 100 * distances[1] >= 10000 * distances[2]
    assert found > 20
    assert hidden > 16


@given(extensive_form_games(num_players=(3, 3), max_depth=5, max_moves=14))
def test_chance_and_subgames_of_fewer_players_make_no_difference(tree):
    try:
        certificate = sequential_equilibrium(tree, budget=Budget(iterations=5_000)).certificate
    except (gt.NotConverged, gt.UnsupportedGame):  # chance may exclude an information set
        return
    certificate.verify()
    assert not any(sequential_gains(tree, certificate.profile, certificate.beliefs))


def test_selten_s_horse_does_not_threaten():
    """Selten 1975: player 3, asked by mistake, answers so that players 1 and 2 go on."""
    (answer,) = solve(load("selten_horse"), "sequential").solutions
    answer.certificate.verify()
    first, second, third = answer.profile.probabilities
    assert (first.tolist(), second.tolist()) == ([0, 1], [0, 1])
    assert third[0] <= Fraction(1, 4)  # of L


def meeting(*, match, differ):
    """Three players each go left or right at once; Ann and Bob play pennies if Cat is left.

    Ann is paid twice as much for meeting on the left.
    """

    def cat(a, b):
        met = match * (1 + (a == "l")) * (a == b)
        ways = {"left": (met, differ * (a != b), 1), "right": (0, 0, 0)}
        return gt.Decision(2, "Cat", {way: gt.Terminal(paid) for way, paid in ways.items()})

    def bob(a):
        return gt.Decision(1, "Bob", {b: cat(a, b) for b in "lr"})

    return gt.from_sketch(
        gt.Decision(0, "Ann", {a: bob(a) for a in "lr"}), players=("Ann", "Bob", "Cat")
    )


def test_two_of_three_players_mix():
    solution = sequential_equilibrium(meeting(match=1, differ=1))
    solution.certificate.verify()
    assert [list(map(str, v)) for v in solution.profile.probabilities] == [
        ["1/2", "1/2"],
        ["1/3", "2/3"],
        ["1", "0"],
    ]


def test_where_all_three_mix_nothing_is_claimed():
    """Each wants to differ from the next one, more so on the right: a cycle of odd length."""
    weights = {"l": 1, "r": 2}

    def cat(a, b):
        def paid(c):
            return [weights[a] * (a != b), weights[b] * (b != c), weights[c] * (c != a)]

        return gt.Decision(2, "Cat", {c: gt.Terminal(paid(c)) for c in "lr"})

    def bob(a):
        return gt.Decision(1, "Bob", {b: cat(a, b) for b in "lr"})

    tree = gt.from_sketch(
        gt.Decision(0, "Ann", {a: bob(a) for a in "lr"}), players=("Ann", "Bob", "Cat")
    )
    with pytest.raises(gt.NotConverged, match="at most two choices .* found none in") as caught:
        sequential_equilibrium(tree)
    assert caught.value.best is None


def test_subgames_of_one_two_and_three_players_are_put_together():
    """Dan chooses among a game of three, pennies and a choice of his own."""
    pennies = {"l": 1, "r": -1}

    def ann(b):
        return {
            a: gt.Terminal([pennies[b] * pennies[a], -pennies[b] * pennies[a], 0, 2]) for a in "lr"
        }

    duel = gt.Decision(1, "duel", {b: gt.Decision(0, "answer", ann(b)) for b in "lr"})
    alone = gt.Decision(
        3, "alone", {"good": gt.Terminal([0, 0, 0, 3]), "bad": gt.Terminal([0] * 4)}
    )
    deal = {c: gt.Terminal([1, 1, 1, paid]) for c, paid in (("c", 1), ("d", 0))}
    third = gt.Decision(2, "third", {**deal})
    second = gt.Decision(1, "second", {"on": third, "stop": gt.Terminal([2, 2, 2, 0])})
    first = gt.Decision(0, "first", {"on": second, "over": third})
    tree = gt.from_sketch(
        gt.Decision(3, "start", {"three": first, "two": duel, "one": alone}),
        players=("Ann", "Bob", "Cat", "Dan"),
    )
    solution = sequential_equilibrium(tree)
    solution.certificate.verify()
    assert list(map(str, solution.payoffs)) == ["0", "0", "0", "3"]
    duel_shares = {tuple(map(str, v)) for v in solution.profile.probabilities if len(v) == 2}
    assert ("1/2", "1/2") in duel_shares


def test_one_player_with_hidden_chance():
    guess = gt.Decision(0, "guess", {"x": gt.Terminal([2]), "y": gt.Terminal([0])})
    other = gt.Decision(0, "guess", {"x": gt.Terminal([0]), "y": gt.Terminal([5])})
    tree = gt.from_sketch(gt.Chance({"x": ("1/2", guess), "y": ("1/2", other)}), players=("Ann",))
    assert not has_perfect_information(tree)
    solution = sequential_equilibrium(tree)
    solution.certificate.verify()
    assert solution.profile == gt.pure_behavior(tree, (1,))


def test_the_budget_ends_the_search():
    with pytest.raises(gt.NotConverged, match="the budget ended after 1 steps"):
        sequential_equilibrium(load("selten_horse"), budget=Budget(iterations=1))


A, B, C = (0, 1), (1, 1), (2, 1)


def test_ways_believed_in_have_the_least_order_and_their_shares():
    half = Fraction(1, 2)
    found = slips_for([((A,), (B, C))], [{(A,): half / 2, (B, C): 3 * half / 2}])
    assert found[A].order == found[B].order + found[C].order
    assert found[B].coefficient * found[C].coefficient / found[A].coefficient == 3
    assert slips_for([((A,), (A, B))], [{(A, B): Fraction(1)}]) is None  # never likelier
    rarer = slips_for([((A,), (B,))], [{(B,): Fraction(1)}])
    assert rarer[A].order > rarer[B].order


def test_places_that_share_mistakes_must_agree():
    even, odd = ({(A,): Fraction(n, 4), (B,): Fraction(4 - n, 4)} for n in (2, 1))
    ways = ((A,), (B,))
    assert slips_for([ways, ways], [even, odd]) is None
    agreed = slips_for([ways, ways], [odd, odd])
    assert agreed[B].coefficient == 3 * agreed[A].coefficient
    linked = slips_for([ways, ((B,), (C,))], [odd, {(B,): Fraction(1)}])
    assert linked[C].order > linked[B].order == linked[A].order
    assert isinstance(linked[C], LeadingTerm)


def test_a_search_without_mistakes_needs_none():
    found = search_assessment(meeting(match=0, differ=0), tick=lambda: None)
    assert all(len(shares) == 1 for shares in found.play.values())
