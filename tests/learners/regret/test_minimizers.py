"""Minimizers in batches: equal to single decision makers, pure, refusing what makes no sense."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, UnsupportedGame
from learners import Exp3
from learners.regret import BlumMansour, LocalMinimizer, StronglyAdaptive, exp3_for
from learners.regret.contexts import (
    SILENT,
    advised_strategies,
    contextual_observe,
    contextual_strategies,
    expert_utilities,
    history_advice,
    num_recalled,
    recalled,
)
from learners.regret.minimizer import copied
from solvers.local_rules import BestReply, Hedge, RegretMatching, RegretMatchingPlus, TieRule

RULES = [
    RegretMatching(),
    RegretMatchingPlus(),
    Hedge(rate=0.7),
    Hedge(rate=0.3, decay=0.0),
    BestReply(),
    BestReply(ties=TieRule.REPEAT),
]
MINIMIZERS = [
    *map(LocalMinimizer, RULES),
    BlumMansour(),
    BlumMansour(LocalMinimizer(Hedge(rate=1.0))),
    StronglyAdaptive(low=-5, high=5, levels=5),
    StronglyAdaptive(BlumMansour(), low=-5, high=5, levels=4),
]
SEEDS = st.integers(0, 10**6)


def name_of(minimizer):
    return minimizer.name


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_rows_follow_the_local_rule(rule):
    """The same numbers as ``solvers.local_rules``, to rounding."""
    rng = np.random.default_rng(4)
    minimizer = LocalMinimizer(rule)
    state = minimizer.start(5, 3)
    memory, strategies = np.zeros((5, 3)), np.full((5, 3), 1 / 3)
    for step in range(1, 40):
        utilities = rng.integers(-2, 3, size=(5, 3)).astype(float)
        state = minimizer.observe(state, utilities)
        for i in range(5):
            memory[i] = rule.remember(memory[i], utilities[i], strategies[i])
            strategies[i] = rule.strategy(memory[i], strategies[i], step)
        assert minimizer.strategies(state) == pytest.approx(strategies, abs=1e-9)


@pytest.mark.parametrize("minimizer", MINIMIZERS, ids=name_of)
def test_batches_are_independent_and_states_are_left_alone(minimizer):
    rng = np.random.default_rng(2)
    whole, alone = minimizer.start(3, 3), minimizer.start(1, 3)
    for _ in range(20):
        utilities = rng.integers(-4, 5, size=(3, 3)).astype(float)
        before = copied(whole)
        after = minimizer.observe(whole, utilities)
        assert repr(before) == repr(dict(whole))
        whole, alone = after, minimizer.observe(alone, utilities[1:2])
        played = minimizer.strategies(whole)
        assert played.sum(axis=1) == pytest.approx(1.0)
        assert (played >= 0).all()
        assert played[1].tolist() == minimizer.strategies(alone)[0].tolist()


@pytest.mark.parametrize("minimizer", MINIMIZERS, ids=name_of)
def test_contexts_are_decision_makers_of_their_own(minimizer):
    rng = np.random.default_rng(8)
    state, alone = minimizer.start(4, 2), [minimizer.start(1, 2) for _ in range(4)]
    for _ in range(15):
        contexts = rng.permutation(4)[:2]
        utilities = rng.normal(size=(2, 2)).clip(-5, 5)
        state = contextual_observe(minimizer, state, contexts, utilities)
        for own, context in zip(utilities, contexts, strict=True):
            alone[context] = minimizer.observe(alone[context], own[None])
        found = contextual_strategies(minimizer, state, np.arange(4))
        single = np.concatenate([minimizer.strategies(one) for one in alone])
        assert found.tolist() == single.tolist()


@given(st.integers(2, 5), st.integers(1, 3))
def test_recalled_contexts_are_all_different(joint, recall):
    full = np.ndindex(*(joint,) * recall)
    numbers = {recalled(joint, recall, seen) for seen in full}
    assert numbers == set(range(joint**recall))
    assert recalled(joint, recall, (0,) * (recall - 1)) == joint**recall
    assert num_recalled(joint, recall) == joint**recall + 1
    assert recalled(joint, recall, (joint - 1,) * (recall + 2)) == joint**recall - 1


def test_too_many_contexts_are_refused():
    with pytest.raises(UnsupportedGame, match=r"num_recalled: needs at most 10,000,000 contexts"):
        num_recalled(9, 8)


def test_history_advice_by_hand():
    """Own rock, opponent's paper: repeat either, beat either, lose to either."""
    found = history_advice(np.array([0]), np.array([1]))[0].tolist()
    assert found == [0, 1, 2, 1, 0, 2, 1, 0, 2]


@given(SEEDS)
def test_experts_earn_what_their_action_earns(seed):
    rng = np.random.default_rng(seed)
    own, other = rng.integers(-1, 3, size=(2, 6))
    advice = history_advice(own, other)
    weights = rng.dirichlet(np.ones(9), size=6)
    utilities = rng.normal(size=(6, 3))
    played = advised_strategies(weights, advice, actions=3)
    assert played.sum(axis=1) == pytest.approx(1.0)
    earned = expert_utilities(weights, advice, utilities)
    speaks = advice != SILENT
    assert (earned[speaks] == np.take_along_axis(utilities, advice.clip(0), axis=1)[speaks]).all()
    # a silent expert is said to have earned what was earned
    mean = (played * utilities).sum(axis=1, keepdims=True)
    assert earned[~speaks] == pytest.approx(np.broadcast_to(mean, earned.shape)[~speaks])


def test_silent_experts_are_not_learned_about():
    """At the first step the six are silent: regret matching then plays the actions evenly."""
    minimizer = LocalMinimizer(RegretMatching())
    state = minimizer.start(1, 9)
    advice = history_advice(np.array([-1]), np.array([-1]))
    weights = minimizer.strategies(state)
    assert advised_strategies(weights, advice, actions=3) == pytest.approx(np.full((1, 3), 1 / 3))
    earned = expert_utilities(weights, advice, np.array([[3.0, 0.0, 0.0]]))
    assert earned[0].tolist() == pytest.approx([3.0, 0, 0, 1, 1, 1, 1, 1, 1])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: LocalMinimizer(RegretMatching()).start(0, 2),
            "batch to be an integer of at least 1",
        ),
        (lambda: BlumMansour().start(1, 0), "BlumMansour.start: needs actions"),
        (
            lambda: Exp3(exploration=1.5),
            "Exp3: needs a finite exploration of at least 0 and at most",
        ),
        (lambda: Exp3(exploration=0.5, rate=0.0), "Exp3: needs a finite rate above 0"),
        (lambda: Exp3(exploration=0.5, low=1.0), "Exp3: needs a finite high above 1.0"),
        (lambda: exp3_for(0, 2), "exp3_for: needs steps"),
        (lambda: StronglyAdaptive(levels=0), "StronglyAdaptive: needs levels"),
        (lambda: StronglyAdaptive(low=2.0), "StronglyAdaptive: needs a finite high above 2.0"),
    ],
)
def test_senseless_options_are_refused(call, words):
    with pytest.raises(InvalidArgument, match=words):
        call()


@pytest.mark.parametrize("minimizer", MINIMIZERS, ids=name_of)
def test_utilities_that_do_not_fit_are_refused(minimizer):
    state = minimizer.start(2, 3)
    with pytest.raises(InvalidArgument, match=r"needs utilities of shape \(2, 3\)"):
        minimizer.observe(state, np.zeros((2, 2)))
    with pytest.raises(
        InvalidArgument, match=r"finite utilities, but decision maker 1 got \[.*nan"
    ):
        minimizer.observe(state, np.array([[0.0, 0, 0], [0.0, np.nan, 0]]))


def test_payoffs_out_of_range_are_refused():
    adaptive, bandit = StronglyAdaptive(), Exp3(exploration=0.1)
    with pytest.raises(InvalidArgument, match=r"utilities from 0.0 to 1.0, but decision maker 0"):
        adaptive.observe(adaptive.start(1, 2), np.array([[0.0, 2.0]]))
    with pytest.raises(InvalidArgument, match=r"payoffs from 0.0 to 1.0, but decision maker 1"):
        bandit.observe_own(bandit.start(2, 2), np.array([0, 1]), np.array([0.5, -0.1]))
