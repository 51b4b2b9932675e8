"""The context mixer: against a plain reference, against easy bots, and what it may depend on."""

import math
import pickle

import numpy as np
import pytest

from gametheory_core import InvalidArgument
from learners._kernels import mixing_tables
from learners._kernels.elementary import dot, exponentials, logarithms
from learners._kernels.mixing_cells import best_reply, look_up, put_back, rank, ranking, teach
from learners._kernels.mixing_mixers import mix_by_shares, teach_shares
from learners.roshambo import ContextMixing, play_match
from tests.learners.roshambo import reference
from tests.learners.roshambo.reference import Reference, update
from tests.learners.roshambo.simple_bots import Copying, Drawn, Scripted

RNG = np.random.default_rng(1)
DRAWN = RNG.integers(3, size=400).tolist()
NOISE = RNG.random(400)


def throws(rule, count, noise=0.0):
    """Own throws at random, and the other's by a rule of (t, x, y), with some noise."""
    x, y = DRAWN[:count], []
    for t in range(count):
        y.append(int(rule(t, x, y)) % 3 if NOISE[t] >= noise else int(NOISE[t] * 1e6) % 3)
    return x, y


HISTORIES = {
    "random": throws(lambda t, x, y: NOISE[t] * 999, 70),
    "still": throws(lambda t, x, y: 2, 40),
    "clock": throws(lambda t, x, y: t * t + t // 4, 70),
    "counters": throws(lambda t, x, y: x[t - 1] + 1 if t else 0, 100, noise=0.2),
    "off by itself": throws(lambda t, x, y: y[t - 1] + x[t - 1] - x[t - 2] if t > 1 else 1, 70),
    "frequencies": throws(lambda t, x, y: max(range(3), key=x[:t].count) + 1, 90, noise=0.1),
}


def compare(x, y):
    bot, slow = ContextMixing(), Reference()
    bot.reset(1)
    for t in range(len(x)):
        bot.throw(x[:t], y[:t])
        assert bot.forecast() == pytest.approx(slow.forecast(), abs=1e-9), t
        slow.learn(x[t], y[t])
    assert len(slow.P) == mixing_tables.NUM_EXPERTS == 633


@pytest.mark.parametrize("name", HISTORIES)
def test_forecasts_are_those_of_the_plain_reference(name):
    compare(*HISTORIES[name])


@pytest.mark.slow
@pytest.mark.parametrize("noise", [0.0, 0.05, 0.5])
def test_forecasts_are_those_of_the_plain_reference_in_longer_matches(noise):
    compare(*throws(lambda t, x, y: x[t - 1] + y[t - 3] * (t % 5) if t > 2 else t, 400, noise))


def test_replies_are_best_and_drawn_where_none_is_much_better():
    x, y = HISTORIES["counters"]
    bot, drawn = ContextMixing(), 0
    other = ContextMixing()
    bot.reset(1)
    other.reset(2)
    for t in range(len(x)):
        thrown, again = bot.throw(x[:t], y[:t]), other.throw(x[:t], y[:t])
        p = bot.forecast()
        gains = [p[a - 1] - p[(a + 1) % 3] for a in range(3)]
        if max(gains) >= 0.02:
            assert gains[thrown] == max(gains)
            assert thrown == again
        drawn += thrown != again
    assert drawn > 0  # at least the first throws


@pytest.mark.parametrize(
    ("bot", "least"),
    [
        (Scripted([0]), 990),
        (Scripted([0, 1, 2]), 985),
        (Scripted([0, 0, 1, 2, 2, 1, 1]), 960),
        (Copying(), 980),
    ],
)
def test_easy_bots_lose_nearly_every_throw(bot, least):
    assert play_match(ContextMixing(), bot, seeds=(1, 2)).returns[0] >= least


def test_who_throws_at_random_is_paid_nothing_on_average():
    paid = [play_match(ContextMixing(), Drawn(), seeds=(s, s)).returns[0] for s in range(6)]
    assert abs(np.mean(paid)) < 4 * math.sqrt(2000 / 3 / len(paid))


def test_matches_are_the_same_again_by_seeds_alone():
    bot, other = ContextMixing(), ContextMixing()
    first = play_match(bot, other, throws=150, seeds=(1, 2)).histories
    play_match(bot, Drawn(), throws=40, seeds=(5, 6))
    assert (play_match(bot, other, throws=150, seeds=(1, 2)).histories == first).all()
    assert (play_match(ContextMixing(), bot, throws=150, seeds=(1, 2)).histories == first).all()
    assert (play_match(bot, other, throws=150, seeds=(3, 2)).histories != first).any()


def test_a_throw_depends_only_on_throws_before_it():
    x, y = HISTORIES["counters"]
    for cut in (0, 1, 37):
        found = []
        for later in range(3):
            bot = ContextMixing()
            bot.reset(4)
            after = [later] * (len(y) - cut)
            own, other = x[:cut] + after, y[:cut] + after[::-1]
            found.append([bot.throw(own[:t], other[:t]) for t in range(cut + 1)])
        assert found[0] == found[1] == found[2]


def test_a_bot_goes_on_after_it_was_pickled():
    x, y = HISTORIES["clock"]
    bot = ContextMixing()
    for t in range(40):
        bot.throw(x[:t], y[:t])
    copy = pickle.loads(pickle.dumps(bot))
    for t in range(40, 70):
        assert bot.throw(x[:t], y[:t]) == copy.throw(x[:t], y[:t])
        assert bot.forecast() == copy.forecast()


def test_matches_may_be_longer_than_there_is_room_at_first(monkeypatch):
    forecasts = []
    x, y = HISTORIES["counters"]
    for capacity in (1024, 4):
        monkeypatch.setattr("learners.roshambo.agents.context_mixing.FIRST_CAPACITY", capacity)
        bot = ContextMixing()
        forecasts.append([(bot.throw(x[:t], y[:t]), bot.forecast()) for t in range(len(x))])
    assert forecasts[0] == forecasts[1]


@pytest.mark.parametrize(
    ("own", "other"), [([3], [0]), ([0], [-1]), ([0.5], [0]), (["0"], [1]), ([None], [1])]
)
def test_what_is_no_throw_is_refused(own, other):
    bot = ContextMixing()
    bot.throw([], [])
    with pytest.raises(InvalidArgument, match="throws of 0, 1 and 2"):
        bot.throw(own, other)


@pytest.mark.parametrize(("own", "other"), [([0], [0, 1]), ([0, 1], [0, 1]), ([], []), ([], [0])])
def test_histories_that_do_not_go_on_are_refused(own, other):
    bot = ContextMixing()
    bot.throw([], [])
    with pytest.raises(InvalidArgument, match="two histories of 1 throws"):
        bot.throw(own, other)


# Parts


@pytest.mark.parametrize("reference", range(3))
def test_a_cell_follows_an_exponential_window(reference):
    cells, slow = np.zeros(12), [[1 / 3] * 3, 0]
    cells[4:7] = 1 / 3  # the second of three
    spots, limits = np.array([4 + (0, 2, 1)[reference]]), np.array([10.0])
    forecasts, counts, rates = tuple(np.zeros((3, 1))), np.zeros(1), np.zeros(1)
    for t in range(300):
        symbol = 0 if t < 100 else DRAWN[t]
        look_up(cells, spots, forecasts, counts, rates)
        found = [float(p[0]) for p in forecasts]
        assert found == pytest.approx(np.roll(slow[0], reference), abs=1e-12)
        assert sum(found) == pytest.approx(1)
        assert counts[0] == min(t, 10)
        teach(forecasts, rates, (symbol + reference) % 3)
        put_back(cells, spots, forecasts, counts, limits)
        update(slow, symbol, 10)
    assert min(found) > 0.0029
    assert (cells[[0, 1, 2, 3, 8, 9, 10, 11]] == 0).all()


def test_rankings_and_replies_are_the_reference_s_and_turn_with_the_scores():
    for scores in np.ndindex(6, 6, 6):
        for count in (0, 0.5, 1, 20):
            q = np.array(scores, dtype=float)
            category, r = ranking(q, count)
            assert (category, r) == reference.canon(list(q), count)
            references, keys = np.zeros((2, 1), dtype=np.int64)
            rank(tuple(q[:, None]), np.array([float(count)]), references, keys)
            assert (keys[0], references[0]) == (category, r)
            turned = ranking(np.roll(q, 1), count)
            assert turned == (category, (r + 1) % 3 if category else 0)
        best = best_reply(q)
        assert best == reference.br(list(q))
        assert q[best - 1] - q[(best + 1) % 3] == max(q[a - 1] - q[(a + 1) % 3] for a in range(3))


def test_buckets_are_those_of_the_reference():
    buckets = mixing_tables.BUCKETS.tolist()
    assert buckets == [reference.bucket(n) for n in range(201)]


@pytest.mark.parametrize("given_back", [1e-9, 1e-3, 1e-1])
@pytest.mark.parametrize("changes", [0, 1, 3])
def test_bayesian_mixers_lose_little_to_the_best_sequence_of_experts(given_back, changes):
    """The bound of Herbster and Warmuth for shares that are given back to all alike."""
    experts, throws = mixing_tables.NUM_EXPERTS, 200
    shares, mixed, rng = np.full(experts, 1 / experts), np.zeros(3), np.random.default_rng(5)
    lost = best = 0.0
    for t in range(throws):
        symbol, forecasts = DRAWN[t], rng.dirichlet([1, 1, 1], experts).T.copy()
        leader = t * (changes + 1) // throws
        forecasts[:, leader] = 0.05
        forecasts[symbol, leader] = 0.9
        mix_by_shares(shares, forecasts, mixed)
        lost -= math.log(mixed[symbol])
        best -= math.log(0.9)
        teach_shares(shares, forecasts[symbol].copy(), given_back)
        assert shares.sum() == pytest.approx(1)
        assert shares.min() >= given_back / experts
    bound = best + (changes + 1) * math.log(experts) - changes * math.log(given_back)
    assert best < lost <= bound - (throws - 1) * math.log(1 - given_back)


@pytest.mark.parametrize("size", [1, 7, 8, 633])
def test_elementary_functions_are_accurate(size):
    numbers = np.exp(np.linspace(-600, 600, size))
    low, high, found = np.zeros((3, size))
    logarithms(numbers.view(np.int64), found, low, low.view(np.int64), high, high.view(np.int64))
    assert found == pytest.approx(np.log(numbers), rel=1e-11, abs=1e-11)
    powers = np.linspace(-690, 690, size)
    exponentials(powers, found, found.view(np.int64), low, low.view(np.int64))
    assert found == pytest.approx(np.exp(powers), rel=1e-11)
    exponentials(powers - 3000, found, found.view(np.int64), low, low.view(np.int64))
    assert (found == found[0]).all()
    assert 0 < found[0] < 1e-300
    assert dot(powers, numbers) == pytest.approx(float(powers @ numbers))


def test_experts_are_of_the_families_that_are_documented():
    tables = mixing_tables
    assert tables.NUM_BASES == 38
    assert [sum(len(limits) for _, limits in family) for family in tables.FAMILIES] == [
        76 + 100 + 27,
        152,
        28,
        18,
        36,
        48,
        54,
    ]
    assert tables.NUM_CALIBRATED == 76 + 18
