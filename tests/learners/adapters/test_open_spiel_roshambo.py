"""OpenSpiel's bots: the same match by the same seeds, returns as published, refusals."""

import pickle
from functools import partial

import pytest

from gametheory_core import InvalidArgument
from learners.adapters import OpenSpielBot, open_spiel_bots, open_spiel_population
from learners.roshambo import evaluate_bot, play_match
from tests.learners.roshambo.simple_bots import Scripted

BOTS = open_spiel_bots()
SCRIPT = [0, 1, 2, 2, 0, 1, 1, 1, 0, 2, 2, 2, 0]
# Published mean returns of pairs in which nothing is drawn, so that each match ends alike:
# open_spiel/data/paper_data/pbe_rrps in OpenSpiel's repository.
CERTAIN = {
    ("copybot", "debruijn81"): 1,
    ("copybot", "freqbot2"): 600,
    ("copybot", "multibot"): -997,
    ("copybot", "rotatebot"): 1,
    ("debruijn81", "textbot"): 23,
    ("freqbot2", "pibot"): -30,
    ("multibot", "rockbot"): 999,
    ("pibot", "textbot"): -81,
    ("rockbot", "pibot"): 11,
    ("boom", "freqbot2"): 753,
    ("boom", "rockbot"): 997,
}


@pytest.mark.parametrize(("pair", "published"), CERTAIN.items())
def test_returns_of_certain_pairs_are_those_that_are_published(pair, published):
    first, second = map(OpenSpielBot, pair)
    assert play_match(first, second, seeds=(5, 6)).returns[0] == published


@pytest.mark.parametrize("name", BOTS)
def test_matches_are_the_same_again_by_the_seed_alone(name):
    bot = OpenSpielBot(name)
    first = play_match(bot, Scripted(SCRIPT), throws=120, seeds=(7, 0)).histories
    play_match(bot, Scripted([1]), throws=30, seeds=(8, 0))
    again = play_match(bot, Scripted(SCRIPT), throws=120, seeds=(7, 0)).histories
    fresh = play_match(OpenSpielBot(name), Scripted(SCRIPT), throws=120, seeds=(7, 0)).histories
    assert (first == again).all()
    assert (first == fresh).all()


def test_seeds_matter_but_0_and_1_are_one():
    found = [
        play_match(OpenSpielBot("randbot"), Scripted([0]), throws=50, seeds=(s, 0)).histories
        for s in (0, 1, 2)
    ]
    assert (found[0] == found[1]).all()
    assert (found[0] != found[2]).any()


def test_bots_do_what_they_are_known_for():
    rock, rotate, copy = (OpenSpielBot(name) for name in ("rockbot", "rotatebot", "copybot"))
    match = play_match(rock, rotate, throws=9, seeds=(1, 1))
    assert match.histories.tolist() == [[0] * 9, [0, 1, 2] * 3]
    thrown = play_match(copy, Scripted(SCRIPT), throws=9, seeds=(1, 1)).histories
    assert (thrown[0, 1:] == (thrown[1, :-1] + 1) % 3).all()  # it throws what beats the last one


def test_short_and_long_matches_do_no_harm():
    greenberg = OpenSpielBot("greenberg", throws=10)  # is made for 1,000
    play_match(greenberg, Scripted(SCRIPT), throws=10, seeds=(1, 1))
    longer = OpenSpielBot("iocainebot", throws=1300)
    play_match(longer, Scripted(SCRIPT), throws=1300, seeds=(1, 1))


def test_a_pickled_bot_is_a_new_one_of_its_kind():
    bot = pickle.loads(pickle.dumps(OpenSpielBot("rockbot", throws=2000)))
    assert bot.name == "rockbot"
    assert play_match(bot, Scripted([2]), throws=2000, seeds=(1, 1)).returns == (2000, -2000)


def test_what_is_no_match_of_a_bot_is_refused():
    with pytest.raises(InvalidArgument, match="name of a bot"):
        OpenSpielBot("nobody")
    with pytest.raises(InvalidArgument, match="throws"):
        OpenSpielBot("rockbot", throws=0)
    bot = OpenSpielBot("rockbot")
    bot.throw([], [])
    with pytest.raises(InvalidArgument, match="two histories of 1 throws"):
        bot.throw([], [])
    with pytest.raises(InvalidArgument, match="throws of 0, 1 and 2"):
        bot.throw([0], [3])
    with pytest.raises(InvalidArgument, match="999 at most"):
        play_match(OpenSpielBot("rockbot"), Scripted([0]), throws=1001, seeds=(1, 1))


def test_results_do_not_depend_on_processes():
    population = {name: open_spiel_population()[name] for name in ("randbot", "shofar")}
    agent = partial(OpenSpielBot, "markov5")
    found = [
        evaluate_bot(agent, population, matches=2, seed=1, throws=60, jobs=jobs).returns
        for jobs in (1, 2)
    ]
    assert (found[0] == found[1]).all()


@pytest.mark.parametrize("throws", [1000, 300])
@pytest.mark.parametrize("name", ["greenberg", "shofar", "randbot", "sunNervebot"])
def test_a_match_that_open_spiel_plays_pays_what_ours_does(name, throws):
    for other in ("shofar", "iocainebot", name):
        first, second = OpenSpielBot(name), OpenSpielBot(other)
        found = [first.return_against(second, throws=throws, seeds=(3, 8)) for _ in range(2)]
        assert found == [play_match(first, second, throws=throws, seeds=(3, 8)).returns[0]] * 2


def test_a_match_longer_than_its_bots_is_refused():
    short, long = OpenSpielBot("rockbot"), OpenSpielBot("randbot", throws=2000)
    assert short.throws == 1000
    assert long.return_against(OpenSpielBot("rockbot", throws=2000), throws=1500, seeds=(1, 2))
    with pytest.raises(InvalidArgument, match="throws to be an integer from 1 to 1000"):
        long.return_against(short, throws=1500, seeds=(1, 2))
