"""Bayes' rule over known bots: weights by hand, votes, and what is refused."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from learners.roshambo import TypeMixture, play_match
from learners.roshambo.agents.type_mixture import PRIOR


class Plan:
    """Throws what a list says, over and over."""

    def __init__(self, *plan):
        self.plan = plan

    def reset(self, seed):
        pass

    def throw(self, own, other):
        return self.plan[len(own) % len(self.plan)]


class Dice:
    """Throws at random."""

    def reset(self, seed):
        self.rng = np.random.default_rng(seed)

    def throw(self, own, other):
        return int(self.rng.integers(3))


class LoyalToItself:
    """Throws what beats its own last throw, whatever it would have thrown."""

    def reset(self, seed):
        pass

    def throw(self, own, other):
        return (int(own[-1]) + 1) % 3 if len(own) else 0


plans = st.lists(st.integers(0, 2), min_size=1, max_size=5).map(tuple)


@given(st.lists(plans, min_size=1, max_size=4), st.lists(st.integers(0, 2), max_size=12))
def test_weights_are_those_of_bayes_rule(known, thrown):
    """Each type forecasts by its own counts of right, next and other throws."""
    bot = TypeMixture({str(k): partial(Plan, *p) for k, p in enumerate(known)}, copies=1)
    bot.reset(1)
    own = []
    for t in range(len(thrown) + 1):
        own.append(bot.throw(own[:t], thrown[:t]))
    likelihoods = []
    for plan in known:
        counts, product = list(PRIOR), 1.0
        for t, actual in enumerate(thrown):
            shift = (actual - plan[t % len(plan)]) % 3
            product *= counts[shift] / sum(counts)
            counts[shift] += 1
        likelihoods.append(product)
    assert bot.weights == pytest.approx(np.array(likelihoods) / sum(likelihoods))


@given(plans, st.integers(0, 5))
def test_a_known_bot_is_beaten_after_a_few_throws(plan, seed):
    others = {"rock": partial(Plan, 0), "up": partial(Plan, 0, 1, 2), "down": partial(Plan, 2, 1)}
    bot = TypeMixture({**others, "it": partial(Plan, *plan)})
    assert play_match(bot, Plan(*plan), throws=120, seeds=(seed, 0)).returns[0] >= 90


def test_copies_are_asked_with_what_was_really_thrown():
    bot = TypeMixture({"it": LoyalToItself, "rock": partial(Plan, 0)}, copies=2)
    match = play_match(bot, Plan(1, 2, 0), throws=60, seeds=(1, 2))
    assert match.returns[0] >= 55  # the opponent begins with another throw than the type


def test_votes_of_dice_are_worth_nothing():
    bot = TypeMixture({"dice": Dice}, copies=3)
    match = play_match(bot, Dice(), throws=3000, seeds=(3, 4))
    assert abs(match.returns[0]) < 5 * np.sqrt(2 / 3 * 3000)
    assert np.abs(bot._forecasts - 1 / 3).max() < 0.1


def test_a_match_is_the_same_again():
    bot = TypeMixture({"dice": Dice, "rock": partial(Plan, 0)})
    first = play_match(bot, Dice(), throws=200, seeds=(5, 6))
    again = play_match(bot, Dice(), throws=200, seeds=(5, 6))
    assert (first.histories == again.histories).all()


@pytest.mark.parametrize(
    ("population", "copies", "message"),
    [
        ({}, 1, "a bot or more"),
        (None, 1, "population to be of type Mapping"),
        ([Dice], 1, "population to be of type Mapping"),
        ({"rock": partial(Plan, 0)}, 0, "copies"),
        ({"rock": Plan(0)}, 1, "population\\['rock'\\]"),
        ({"rock": dict}, 1, "a bot from population\\['rock'\\]"),
    ],
)
def test_what_is_no_population_is_refused(population, copies, message):
    with pytest.raises(gt.InvalidArgument, match=message):
        TypeMixture(population, copies=copies)
