"""Batched matches against a population are the matches that ``play_match`` plays, one by one."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, UnsupportedGame
from gametheory_core.memory import memory_limit
from gametheory_core.testing import binomial_tail
from learners import QLearning
from learners.roshambo import PopulationPlay, Recall, Shows, embedded_population, play_match
from tests.learners.continuing import assert_continues
from tests.learners.roshambo.simple_bots import Copying, Drawn, Scripted

EVERYBODY = embedded_population()
COMPILED = {
    name: EVERYBODY[name]
    for name in ("cycle_up", "never_twice", "drawn_markov", "tree_joint", "rotations", "moody")
}
THROWS = 30


class Plain:
    """A compiled bot that is asked for each throw."""

    def __init__(self, name):
        self.bot = COMPILED[name]()

    def reset(self, seed):
        self.bot.reset(seed)

    def throw(self, own, other):
        assert not getattr(own, "flags", np.zeros(1).flags).owndata
        return self.bot.throw(own, other)


def plain(names):
    return {name: lambda name=name: Plain(name) for name in names}


def played(play, actions):
    """Return turns of a script, actions (T, E), and the seeds that bots had in the first match."""
    turns = [play.reset()]
    seeds = play.opponents.snapshot()
    turns += [play.step(own[:, None]) for own in actions]
    return turns, seeds


def script(steps, episodes, seed=0):
    return np.random.default_rng(seed).integers(0, 3, size=(steps, episodes))


@settings(deadline=None, max_examples=10)
@given(st.integers(0, 2**32), st.integers(1, 9))
def test_matches_are_those_that_are_played_one_by_one(seed, episodes):
    population = {**COMPILED, "drawn": Drawn, "copying": Copying}
    play = PopulationPlay(population, episodes=episodes, seed=seed, throws=THROWS)
    for match in range(2):  # the second is played over what is left of the first
        actions = script(THROWS, episodes, seed + match)
        turns, met = played(play, actions)
        paid = sum(turn.rewards[:, 0] for turn in turns)
        for e, (place, own) in enumerate(zip(met["places"], met["seeds"], strict=True)):
            bot = list(population.values())[place]()
            alone = play_match(Scripted(actions[:, e]), bot, throws=THROWS, seeds=(0, int(own)))
            assert paid[e] == alone.returns[0]
            last = alone.histories[:, -3:][:, ::-1].T.ravel()
            assert turns[-1].final_observations[e, 0].tolist() == np.eye(3)[last].ravel().tolist()


def test_compiled_bots_play_as_they_do_when_asked_for_each_throw():
    whole, asked = (
        PopulationPlay(population, episodes=12, seed=3, throws=THROWS, recall=Recall(2))
        for population in (COMPILED, plain(COMPILED))
    )
    actions = script(2 * THROWS + 7, 12)
    for one, other in zip(played(whole, actions)[0], played(asked, actions)[0], strict=True):
        for name, array in vars(one).items():
            assert np.array_equal(array, vars(other)[name])


def test_matches_end_after_their_throws_and_others_begin():
    play = PopulationPlay(COMPILED, episodes=3, seed=1, throws=4, recall=Recall(2))
    turns, _ = played(play, script(9, 3))
    assert [turn.is_truncated.all() for turn in turns] == [k in (4, 8) for k in range(10)]
    assert not any(turn.is_terminal.any() for turn in turns)
    for turn in (turns[0], turns[4], turns[8]):
        assert not turn.observations.any()
    assert turns[4].final_observations.sum(axis=2).tolist() == [[4]] * 3
    assert turns[5].observations.sum(axis=2).tolist() == [[2]] * 3


def test_bots_are_met_as_often_as_their_weights_say():
    population = {name: COMPILED[name] for name in ("cycle_up", "never_twice", "moody")}
    weights = {"cycle_up": 3, "moody": 1}
    play = PopulationPlay(population, episodes=400, seed=5, throws=1, weights=weights)
    met = Counter()
    for _ in range(5):
        play.reset()
        met.update(play.opponents.snapshot()["places"].tolist())
    assert met[1] == 0
    assert binomial_tail(met[2], 2000, 0.25) > 1e-6
    even = PopulationPlay(population, episodes=400, seed=5, throws=1)
    even.reset()
    assert min(Counter(even.opponents.snapshot()["places"].tolist()).values()) > 90


def test_bots_that_are_named_are_met():
    play = PopulationPlay(COMPILED, episodes=6, seed=1)
    play.reset_against(np.arange(6))
    assert play.opponents.snapshot()["places"].tolist() == list(range(6))


@pytest.mark.parametrize("population", [COMPILED, plain(COMPILED)], ids=["compiled", "asked"])
def test_training_goes_on_in_the_midst_of_matches(population, tmp_path):
    def make():
        window = Recall(1, Shows.NUMBER)
        play = PopulationPlay(population, episodes=4, seed=2, throws=130, recall=window)
        return QLearning(play, rng=np.random.default_rng(1))

    assert_continues(make, tmp_path)


def test_learners_of_tables_ask_for_numbers():
    play = PopulationPlay(COMPILED, episodes=2, seed=1)
    with pytest.raises(UnsupportedGame, match="needs numbered observations"):
        QLearning(play, rng=np.random.default_rng(1))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"population": {}}, "a bot or more in the population, but it is empty"),
        ({"population": [Drawn]}, "population.*Give makers by name"),
        ({"population": {"it": Drawn()}}, "population.*Give what makes the bot"),
        ({"population": {"it": object}}, r"population\['it'\].*reset\(seed\)"),
        ({"episodes": 0}, "episodes"),
        ({"throws": 0}, "throws"),
        ({"seed": -1}, "seed"),
        ({"recall": 3}, r"recall.*Give Recall\(3\)"),
        ({"weights": {"nobody": 1}}, "names of bots of the population, but got 'nobody'"),
        ({"weights": {"moody": -1}}, r"weights\['moody'\]"),
        ({"weights": {"moody": 0}}, "a weight above 0"),
    ],
)
def test_what_makes_no_sense_is_refused(options, said):
    given_options = {"population": COMPILED, "episodes": 2, "seed": 1, **options}
    with pytest.raises(InvalidArgument, match=said):
        PopulationPlay(given_options.pop("population"), **given_options)


def test_memories_that_do_not_fit_are_refused():
    with memory_limit(10_000), pytest.raises(UnsupportedGame, match="memories of bots in 1000"):
        PopulationPlay(COMPILED, episodes=1000, seed=1)


@pytest.mark.parametrize("bot", [Scripted([0, 7]), Scripted([0, -1])])
def test_a_bot_that_throws_something_else_is_named(bot):
    play = PopulationPlay({"strange": lambda: bot}, episodes=1, seed=1)
    play.reset()
    play.step(np.array([[0]]))
    with pytest.raises(InvalidArgument, match="0, 1 or 2 as throw 1 of 'strange', but got"):
        play.step(np.array([[0]]))


@pytest.mark.parametrize("actions", [[[3]], [[-1]], [[0.5]], [0]])
def test_an_action_that_is_no_throw_is_refused(actions):
    play = PopulationPlay(COMPILED, episodes=1, seed=1)
    play.reset()
    with pytest.raises(InvalidArgument, match="throws of 0, 1 and 2|integers of shape"):
        play.step(np.array(actions))


def test_play_begins_with_a_reset():
    play = PopulationPlay(COMPILED, episodes=1, seed=1)
    with pytest.raises(InvalidArgument, match="needs episodes to play"):
        play.step(np.array([[0]]))


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"population": {"moody": EVERYBODY["moody"]}}, "against 6 bots, but it is of another"),
        ({"throws": 11}, "shape"),
        ({"episodes": 3}, "shape"),
    ],
)
def test_a_snapshot_of_other_play_is_refused(other, said):
    options = {"population": COMPILED, "episodes": 2, "seed": 1, "throws": 9}
    changed = {**options, **other}
    play = PopulationPlay(options.pop("population"), **options)
    with pytest.raises(InvalidArgument, match=said):
        play.restore(PopulationPlay(changed.pop("population"), **changed).snapshot())
