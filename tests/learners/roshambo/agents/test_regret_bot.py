"""Regret bots: compiled loops against the minimizers themselves, seeds, refusals."""

import pickle
from functools import partial

import numpy as np
import pytest

from gametheory_core import InvalidArgument
from learners.regret import BlumMansour, Exp3, LocalMinimizer, StronglyAdaptive
from learners.regret.contexts import (
    advised_strategies,
    contextual_observe,
    contextual_strategies,
    expert_utilities,
    history_advice,
    num_recalled,
    recalled,
)
from learners.roshambo import play_match
from learners.roshambo.agents import RegretBot
from solvers.local_rules import BestReply, Hedge, RegretMatching, RegretMatchingPlus, TieRule
from tests.learners.roshambo.simple_bots import Copying, Drawn, Scripted

PLAIN, PLUS = LocalMinimizer(RegretMatching()), LocalMinimizer(RegretMatchingPlus())
HEDGE = LocalMinimizer(Hedge(0.7))
PAYOFFS = np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])  # own, other
MINIMIZERS = [
    PLAIN,
    PLUS,
    HEDGE,
    LocalMinimizer(BestReply()),
    LocalMinimizer(BestReply(TieRule.REPEAT)),
    BlumMansour(),
    BlumMansour(HEDGE),
    StronglyAdaptive(low=-1, high=1),
    StronglyAdaptive(HEDGE, low=-2, high=3, levels=3),
    StronglyAdaptive(BlumMansour(), low=-1, high=1, levels=1),
]
SIGHTS = [{"recall": 0}, {"recall": 1}, {"recall": 2}, {"experts": True}]


class Slow:
    """The same by pure functions of states, one row a context."""

    def __init__(self, minimizer, *, recall=0, experts=False):
        self.minimizer, self.recall, self.experts = minimizer, recall, experts
        self.state = minimizer.start(num_recalled(9, recall), 9 if experts else 3)
        self.seen, self.last = (), (-1, -1)

    def mixed_action(self):
        self.context = np.array([recalled(9, self.recall, self.seen)])
        self.weights = contextual_strategies(self.minimizer, self.state, self.context)
        if not self.experts:
            return self.weights[0]
        own, other = np.array(self.last).reshape(2, 1)
        self.advice = history_advice(own, other)
        return advised_strategies(self.weights, self.advice, actions=3)[0]

    def learn(self, own, other):
        earned = PAYOFFS[None, :, other]
        if self.experts:
            earned = expert_utilities(self.weights, self.advice, earned)
        self.state = contextual_observe(self.minimizer, self.state, self.context, earned)
        self.seen += (3 * own + other,)
        self.last = own, other


@pytest.mark.parametrize("sight", SIGHTS, ids=str)
@pytest.mark.parametrize("minimizer", MINIMIZERS, ids=lambda m: m.name)
def test_mixed_actions_are_those_of_the_minimizer(minimizer, sight):
    """Against one who sees what is thrown every third time, so that histories come again."""
    rng = np.random.default_rng(5)
    bot, slow = RegretBot(minimizer, **sight), Slow(minimizer, **sight)
    bot.reset(1)
    own, other = [], []
    for t in range(70):
        thrown = bot.throw(own, other)
        assert bot.mixed_action() == pytest.approx(slow.mixed_action(), abs=1e-12), t
        assert bot.mixed_action()[thrown] > 0
        reply = (thrown + 1) % 3 if t % 3 else int(rng.integers(3))
        slow.learn(thrown, reply)
        own.append(thrown)
        other.append(reply)


def test_throws_are_drawn_from_the_mixed_action():
    """How often each throw is more often than its probabilities add up to, in standard errors."""
    bot, other = RegretBot(HEDGE), np.random.default_rng(1).integers(3, size=1000).tolist()
    own, excess, variance = [], np.zeros(3), np.zeros(3)
    bot.reset(1)
    for t in range(1000):
        own.append(bot.throw(own, other[:t]))
        p = np.array(bot.mixed_action())
        excess += (np.arange(3) == own[-1]) - p
        variance += p * (1 - p)
    assert variance.min() > 20
    assert (np.abs(excess) < 4 * np.sqrt(variance)).all()


@pytest.mark.parametrize(
    ("sight", "opponent", "least"),
    [
        ({"recall": 0}, partial(Scripted, [1]), 990),
        ({"recall": 1}, partial(Scripted, [0, 1, 2]), 975),
        ({"recall": 2}, partial(Scripted, [0, 0, 1, 1, 2]), 900),
        ({"experts": True}, partial(Scripted, [0, 1, 2]), 975),
        ({"experts": True}, Copying, 975),
    ],
)
def test_habits_within_its_sight_are_beaten(sight, opponent, least):
    for minimizer in (PLAIN, PLUS, BlumMansour()):
        bot = RegretBot(minimizer, **sight)
        assert play_match(bot, opponent(), seeds=(1, 2)).returns[0] > least


def test_twin_habits_beyond_its_sight_are_not():
    bot = RegretBot(PLUS, recall=1)
    assert play_match(bot, Scripted([0, 0, 1, 1, 2]), seeds=(1, 2)).returns[0] < 800


def test_matches_are_the_same_again_by_the_seed_alone():
    bot = RegretBot(BlumMansour(), recall=1)
    first = play_match(bot, Drawn(), throws=99, seeds=(3, 1)).histories
    play_match(bot, Drawn(), throws=40, seeds=(5, 6))
    assert (play_match(bot, Drawn(), throws=99, seeds=(3, 1)).histories == first).all()
    assert (play_match(bot, Drawn(), throws=99, seeds=(4, 1)).histories != first).any()


def test_a_bot_continues_after_it_was_pickled():
    bot = RegretBot(StronglyAdaptive(low=-1, high=1), experts=True)
    own, other = [0, 1, 2, 2], [1, 1, 0, 2]
    for t in range(4):
        bot.throw(own[:t], other[:t])
    copy = pickle.loads(pickle.dumps(bot))
    assert bot.throw(own, other) == copy.throw(own, other)
    assert bot.mixed_action() == copy.mixed_action()


@pytest.mark.parametrize(
    ("minimizer", "options", "match"),
    [
        (RegretMatching(), {}, "a LocalMinimizer, BlumMansour of one"),
        (Exp3(0.1), {}, "a LocalMinimizer, BlumMansour of one"),
        (BlumMansour(StronglyAdaptive()), {}, "a LocalMinimizer, BlumMansour of one"),
        (StronglyAdaptive(), {}, "utilities from -1 to 1"),
        (StronglyAdaptive(low=-1, high=0.5), {}, "utilities from -1 to 1"),
        (PLAIN, {"recall": -1}, "recall"),
        (PLAIN, {"recall": 6}, "recall"),
        (PLAIN, {"recall": 1.0}, "recall"),
        (PLAIN, {"experts": 1}, "experts"),
        (PLAIN, {"experts": True, "recall": 1}, "or contexts"),
    ],
)
def test_options_that_make_no_sense_are_refused(minimizer, options, match):
    with pytest.raises(InvalidArgument, match=match):
        RegretBot(minimizer, **options)


@pytest.mark.parametrize(
    ("own", "other", "match"),
    [
        ([], [], "two histories of 1 throws"),
        ([0], [0, 1], "two histories of 1 throws"),
        ([3], [0], "throws of 0, 1 and 2"),
        ([0], ["R"], "throws of 0, 1 and 2"),
    ],
)
def test_histories_that_make_no_sense_are_refused(own, other, match):
    bot = RegretBot(PLAIN)
    bot.throw([], [])
    with pytest.raises(InvalidArgument, match=match):
        bot.throw(own, other)
