"""Matches of a learner with itself, among those against bots."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gametheory_core import InvalidArgument
from gametheory_core.testing import binomial_tail
from learners import QLearning
from learners.deep import DQN, ActorCritic, NetworkShape, Recurrence, Sharing
from learners.frozen import frozen
from learners.roshambo import (
    PolicyBot,
    PopulationPlay,
    Recall,
    Shows,
    embedded_population,
    evaluate_policy,
    play_match,
)
from tests.learners.continuing import assert_continues
from tests.learners.roshambo.simple_bots import Copying, Drawn, Scripted

EVERYBODY = embedded_population()
BOTS = {name: EVERYBODY[name] for name in ("cycle_up", "drawn_markov", "moody")}
MIXED = {**BOTS, "drawn": Drawn, "copying": Copying}
THROWS = 12


def play_of(self_play, *, bots=MIXED, episodes=8, seed=1, throws=THROWS, **options):
    return PopulationPlay(
        bots, episodes=episodes, seed=seed, throws=throws, self_play=self_play, **options
    )


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 2**32), st.sampled_from([0.2, 0.5, 1.0]))
def test_both_seats_play_each_other_or_each_a_bot(seed, self_play):
    """Where the label says itself, it is one match; elsewhere two, as ``play_match`` plays them."""
    play = play_of(self_play, seed=seed, recall=Recall(2))
    actions = np.random.default_rng(seed).integers(0, 3, size=(THROWS, 8, 2))
    turns = [play.reset()]
    met, seeds = play.labels(), play.opponents.snapshot()["seeds"].reshape(8, 2)
    turns += [play.step(own) for own in actions]
    paid = sum(turn.rewards for turn in turns)
    for e, labels in enumerate(met):
        scripts = [Scripted(actions[:, e, seat]) for seat in range(2)]
        is_itself = labels == len(MIXED)
        assert is_itself.all() == is_itself.any()
        for seat in range(2):
            bot = scripts[1 - seat] if is_itself[0] else list(MIXED.values())[labels[seat]]()
            alone = play_match(scripts[seat], bot, throws=THROWS, seeds=(0, int(seeds[e, seat])))
            assert paid[e, seat] == alone.returns[0]
            last = alone.histories[:, -2:][:, ::-1].T.ravel()
            seen = turns[-1].final_observations[e, seat]
            assert seen.tolist() == np.eye(3)[last].ravel().tolist()


@pytest.mark.parametrize("self_play", [0.1, 0.2, 0.7])
def test_itself_is_met_as_often_as_it_is_said_and_bots_alike_otherwise(self_play):
    play, drawn = play_of(self_play, bots=BOTS, episodes=500, throws=1), []
    for _ in range(6):
        play.reset()
        drawn.append(play.labels())
    met = np.concatenate(drawn)
    itself = int((met[:, 0] == len(BOTS)).sum())
    tails = (
        binomial_tail(itself, 3000, self_play),
        binomial_tail(3000 - itself, 3000, 1 - self_play),
    )
    assert min(tails) > 1e-6
    left = 2 * (3000 - itself)
    for bot in range(len(BOTS)):
        count = int((met == bot).sum())
        assert (
            min(binomial_tail(count, left, 1 / 3), binomial_tail(left - count, left, 2 / 3)) > 1e-6
        )


def test_without_self_play_there_is_one_seat_and_nothing_changes():
    """Chance is drawn as ever: the same bots, the same seeds."""
    plain, none = PopulationPlay(MIXED, episodes=8, seed=1, throws=THROWS), play_of(0.0)
    assert none.players == ("learner",)
    assert none.num_labels == len(MIXED)
    for own in (plain, none):
        own.reset()
    for name, value in plain.snapshot().items():
        assert str(none.snapshot()[name]) == str(value)
    assert (none.labels() < len(MIXED)).all()


def test_with_nothing_else_no_bot_is_asked():
    class Untouchable(Drawn):
        def throw(self, own, other):
            raise AssertionError

    play = play_of(1.0, bots={"it": Untouchable, "too": Untouchable})
    play.reset()
    turn = play.step(np.tile([0, 1], (8, 1)))
    assert turn.rewards.tolist() == [[-1.0, 1.0]] * 8
    assert (play.labels() == 2).all()


def test_every_reward_of_a_match_with_itself_is_anothers_loss():
    play = play_of(0.5, episodes=64)
    play.reset()
    with_itself = play.labels()[:, 0] == play.opponents.nobody
    sums = np.zeros(64)
    for _ in range(THROWS):
        paid = play.step(np.random.default_rng(3).integers(0, 3, (64, 2))).rewards
        assert not paid[with_itself].sum(axis=1).any()
        sums += np.abs(paid.sum(axis=1))
    assert sums[~with_itself].any()


LSTM = NetworkShape((8,), recurrence=Recurrence.LSTM, memory_size=8)
LEARNERS = {
    "tables": (QLearning, Shows.NUMBER, {}),
    "values": (DQN, Shows.BITS, {"steps": 5, "batch_size": 8, "warm_up": 8}),
    "two": (ActorCritic, Shows.BITS, {"network": LSTM, "steps": 5}),
    "one": (ActorCritic, Shows.BITS, {"network": LSTM, "steps": 5, "sharing": Sharing.SHARED}),
    "one by numbers": (
        ActorCritic,
        Shows.NUMBER,
        {"network": NetworkShape((8,)), "steps": 5, "sharing": Sharing.SHARED},
    ),
}


@pytest.mark.parametrize("kind", LEARNERS)
def test_any_learner_meets_itself_goes_on_and_enters_matches(kind, tmp_path):
    made, shows, options = LEARNERS[kind]

    def make():
        play = play_of(0.5, bots=BOTS, episodes=4, recall=Recall(1, shows))
        return made(play, rng=np.random.default_rng(1), **options)

    assert_continues(make, tmp_path)
    learner, recall = make(), Recall(1, shows)
    learner.improve()
    policy = frozen(learner, play_of(0.5, bots=BOTS, recall=recall))
    scores = evaluate_policy(policy, BOTS, recall=recall, matches=2, seed=1, throws=THROWS)
    assert np.abs(scores.returns).max() <= THROWS
    alone = play_match(PolicyBot(policy, recall=recall), Drawn(), throws=THROWS, seeds=(1, 2))
    assert abs(alone.returns[0]) <= THROWS


@pytest.mark.parametrize("chance", [-0.1, 1.5, float("nan"), "half"])
def test_a_chance_out_of_its_range_is_refused(chance):
    with pytest.raises(InvalidArgument, match="self_play"):
        play_of(chance)
