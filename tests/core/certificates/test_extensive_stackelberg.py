"""Commitment certificates of trees: any weights bound soundly, and no forgery passes."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.catalog import random_tree
from gametheory_core.certificates import certify_extensive_stackelberg
from gametheory_core.certificates.extensive_stackelberg_bounds import (
    LEAF,
    DeviationWeight,
    ReplyCase,
    SequenceTransfer,
    leaves_of,
    reply_bound,
    sequence_payoffs_of,
)
from gametheory_core.testing import extensive_form_games
from solvers import extensive_stackelberg, strong_stackelberg

ANY_LEAF = (ReplyCase(LEAF),)
NUMBERS = st.fractions(-3, 3, max_denominator=3)


def two_step_game():
    """Bob moves, Ann may see it and answers, Bob moves again."""
    last = gt.Decision(1, "end", {"a": gt.Terminal([4, 1]), "b": gt.Terminal([0, 2])})
    ann = gt.Decision(0, "ann", {"x": last, "y": gt.Terminal([2, 3])})
    return gt.from_sketch(
        gt.Decision(1, "start", {"in": ann, "out": gt.Terminal([1, 1])}), players=("A", "B")
    )


@st.composite
def flows(draw, payoffs):
    """Deviations that are flows: a behavior below each trigger, times a weight."""
    other, found = payoffs.other, []
    bounds, parents = other.first_sequence.tolist(), other.parent_sequence.tolist()
    for k in range(len(parents)):
        for trigger in range(bounds[k], bounds[k + 1]):
            pending = [(k, draw(st.fractions(0, 3, max_denominator=3)))]
            while pending:
                here, weight = pending.pop()
                actions = range(bounds[here], bounds[here + 1])
                shares = [draw(st.integers(0, 2)) for _ in actions]
                shares[0] += not any(shares)
                for t, share in zip(actions, shares, strict=True):
                    part = weight * Fraction(share, sum(shares))
                    if part:
                        found.append(DeviationWeight(trigger, t, part))
                        pending += [(c, part) for c, parent in enumerate(parents) if parent == t]
    return tuple(found)


@st.composite
def bounded_games(draw):
    game = draw(extensive_form_games(num_players=(2, 2), max_depth=4, max_moves=7))
    payoffs = sequence_payoffs_of(game, leader=draw(st.sampled_from([0, 1])))
    places = [
        SequenceTransfer(k, s, draw(NUMBERS))
        for k in range(len(payoffs.other.infosets))
        for s in range(payoffs.own.num_sequences)
        if draw(st.booleans())
    ]
    return game, payoffs, ReplyCase(LEAF, draw(flows(payoffs)), tuple(places))


@given(bounded_games())
def test_any_flows_and_transfers_bound_the_value(drawn):
    game, payoffs, leaf = drawn
    normal = gt.extensive_to_normal(game).target
    value = strong_stackelberg(normal, leader=payoffs.leader).payoffs[payoffs.leader]
    assert reply_bound(payoffs, {}, leaf) >= value


@given(bounded_games(), st.data())
def test_a_branch_bounds_the_value_by_its_worst_case(drawn, data):
    game, payoffs, leaf = drawn
    normal = gt.extensive_to_normal(game).target
    value = strong_stackelberg(normal, leader=payoffs.leader).payoffs[payoffs.leader]
    other = payoffs.other
    places = range(len(other.infosets))
    asked = data.draw(st.lists(st.sampled_from(places), unique=True, max_size=2)) if places else []
    counts = [int(other.first_sequence[k + 1] - other.first_sequence[k]) for k in asked]
    cases = [dict(zip(asked, actions, strict=True)) for actions in product(*map(range, counts))]
    assert max(reply_bound(payoffs, case, leaf) for case in cases) >= value


def solved():
    return extensive_stackelberg(random_tree(rng=np.random.default_rng(9), depth=5)).certificate


def rejected(certificate, match):
    with pytest.raises(gt.CertificateRejected, match=match):
        certificate.verify()


def test_claims_that_differ_are_rejected():
    found = solved()
    found.verify()
    less = found.upper_bound - Fraction(1, 1000)
    rejected(replace(found, upper_bound=less), "claims upper bound")
    rejected(replace(found, leader_payoff=found.upper_bound + 1), "claims leader payoff")


def test_dropping_what_proves_the_bound_is_noticed():
    found = solved()
    bare = tuple(ReplyCase(case.branching) for case in found.cases)
    rejected(replace(found, cases=bare), "claims upper bound")
    leaf = next(k for k, case in enumerate(found.cases) if case.deviations)
    doubled = tuple(
        DeviationWeight(item.trigger, item.sequence, 2 * item.weight)
        for item in found.cases[leaf].deviations[:1]
    )
    cut = replace(found.cases[leaf], deviations=doubled + found.cases[leaf].deviations[1:])
    rejected(
        replace(found, cases=(*found.cases[:leaf], cut, *found.cases[leaf + 1 :])),
        "go on as they began|claims upper bound",
    )


def test_trees_of_cases_must_be_whole():
    found = solved()
    rejected(replace(found, cases=found.cases[:-1]), "are left open")
    rejected(replace(found, cases=(*found.cases, ReplyCase(LEAF))), "goes on after its end")
    root = found.cases[0].branching
    assert root >= 0
    rejected(replace(found, cases=(ReplyCase(root), *found.cases)), "at most once on a way")
    rejected(replace(found, cases=(ReplyCase(1000), *found.cases)), "needs branches on")


@pytest.mark.parametrize(
    ("deviation", "match"),
    [
        (DeviationWeight(1, 1, Fraction(-1)), "of at least 0"),
        (DeviationWeight(0, 1, Fraction(1)), "needs deviations from sequences"),
        (DeviationWeight(1, 0, Fraction(1)), "needs deviations from sequences"),
        (DeviationWeight(99, 1, Fraction(1)), "needs deviations from sequences"),
        (DeviationWeight(1, 1, Fraction(1)), "go on as they began"),
        (DeviationWeight(1, 3, Fraction(1)), "go on as they began"),
        (DeviationWeight(3, 1, Fraction(1)), "go on as they began"),
    ],
)
def test_deviations_must_be_flows(deviation, match):
    payoffs = sequence_payoffs_of(two_step_game(), leader=0)
    with pytest.raises(gt.CertificateRejected, match=match):
        reply_bound(payoffs, {}, ReplyCase(LEAF, (deviation,)))


def test_deviations_stand_once_each():
    payoffs = sequence_payoffs_of(two_step_game(), leader=0)
    twice = (DeviationWeight(2, 2, Fraction(1)),) * 2
    with pytest.raises(gt.CertificateRejected, match="each once"):
        reply_bound(payoffs, {}, ReplyCase(LEAF, twice))


@pytest.mark.parametrize(("infoset", "sequence"), [(-1, 0), (2, 0), (0, -1), (0, 3)])
def test_transfers_must_be_in_the_game(infoset, sequence):
    payoffs = sequence_payoffs_of(two_step_game(), leader=0)
    leaf = ReplyCase(LEAF, (), (SequenceTransfer(infoset, sequence, Fraction(1)),))
    with pytest.raises(gt.CertificateRejected, match="needs transfers at"):
        reply_bound(payoffs, {}, leaf)


def test_bound_never_exceeds_the_largest_payoff():
    payoffs = sequence_payoffs_of(two_step_game(), leader=0)
    assert reply_bound(payoffs, {}, ReplyCase(LEAF)) == 4


def test_leaves_know_what_is_fixed_on_the_way():
    payoffs = sequence_payoffs_of(two_step_game(), leader=0)
    cases = (ReplyCase(0), ReplyCase(1), *ANY_LEAF * 3)
    found = [fixed for fixed, _ in leaves_of(payoffs, cases)]
    assert found == [{0: 0, 1: 0}, {0: 0, 1: 1}, {0: 1}]


def played(*choices):
    return gt.BehavioralProfile(tuple([int(a == choice) for a in range(2)] for choice in choices))


def test_response_must_be_best_and_the_leaders_favorite():
    game = two_step_game()
    certify_extensive_stackelberg(game, played(1, 0, 0), leader=0, cases=ANY_LEAF)
    with pytest.raises(
        gt.CertificateRejected, match="which pays the follower 3, but this one pays 1"
    ):
        certify_extensive_stackelberg(game, played(1, 1, 0), leader=0, cases=ANY_LEAF)
    tie = gt.from_sketch(
        gt.Decision(1, "", {"l": gt.Terminal([1, 0]), "r": gt.Terminal([2, 0])}), players=("A", "B")
    )
    certify_extensive_stackelberg(tie, played(1), leader=0, cases=ANY_LEAF)
    with pytest.raises(gt.CertificateRejected, match="pays the leader 2, but this one pays 3/2"):
        certify_extensive_stackelberg(tie, gt.uniform_behavior(tie), leader=0, cases=ANY_LEAF)


def test_other_games_are_rejected():
    three = gt.from_sketch(
        gt.Decision(0, "", {"l": gt.Terminal([1, 0, 0])}), players=("A", "B", "C")
    )
    with pytest.raises(gt.CertificateRejected, match="needs two players"):
        certify_extensive_stackelberg(three, gt.uniform_behavior(three), leader=0, cases=ANY_LEAF)
    with pytest.raises(gt.CertificateRejected, match="a leader 0 or 1"):
        certify_extensive_stackelberg(two_step_game(), played(1, 0, 0), leader=2, cases=ANY_LEAF)
    last = {a: gt.Decision(0, "2", {b: gt.Terminal([int(a == b), 0]) for b in "LR"}) for a in "LR"}
    forgets = gt.from_sketch(gt.Decision(0, "1", last), players=("A", "B"))
    with pytest.raises(gt.CertificateRejected, match="needs perfect recall"):
        certify_extensive_stackelberg(
            forgets, gt.uniform_behavior(forgets), leader=0, cases=ANY_LEAF
        )


def test_statement_says_what_is_proved():
    exact = solved()
    assert exact.statement.endswith("no commitment gets more (ties break for the leader)")
    loose = certify_extensive_stackelberg(exact.game, exact.profile, leader=0, cases=ANY_LEAF)
    assert "no commitment gets more than" in loose.statement
