"""Forecasters: none sees what is to come, counts by hand, and nobody beats what is attainable."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import gametheory_core as gt
from learners.roshambo.bots import automaton, embedded_bot
from learners.roshambo.prediction import (
    BackOff,
    MatchSource,
    MixedForecasts,
    PredictorOptions,
    ThrowPredictor,
    TrueForecasts,
    attainable_scores,
    score_forecasts,
    split_bots,
    train_predictor,
)
from learners.roshambo.prediction.forecasts import points
from learners.roshambo.prediction.watched_matches import seen_before, windows_of

THROWS = 60
RANDOM = ("half_rock", "conditional_response", "never_twice", "drawn_table_1", "outcome_cycler")


def bots(*names):
    return {name: partial(embedded_bot, name) for name in names}


class Leak:
    """Forecasts the throw that comes: what none can that sees the past alone."""

    def forecasts(self, own, other):
        return np.eye(3)[own]


FORECASTERS = {
    "frequencies": BackOff(0),
    "back-off": BackOff(3),
    "mixture": MixedForecasts(),
    "network": ThrowPredictor(PredictorOptions(memories=(8, 4), layers=(5,))),
    "truth": TrueForecasts(automaton(embedded_bot("drawn_automaton"))),
}
histories = arrays(np.int8, (2, 2, 12), elements=st.integers(0, 2))


def sees_the_future(forecaster, thrown, changed, t):
    """Whether forecasts up to a throw change with that throw and those after it."""
    mixed = np.concatenate([thrown[..., :t], changed[..., t:]], axis=-1)
    first, second = (forecaster.forecasts(*each)[:, : t + 1] for each in (thrown, mixed))
    return not np.allclose(first, second, rtol=0, atol=1e-6)


@pytest.mark.parametrize("name", FORECASTERS)
@given(thrown=histories, changed=histories, t=st.integers(0, 11))
def test_forecasts_depend_on_the_past_alone(name, thrown, changed, t):
    assert not sees_the_future(FORECASTERS[name], thrown, changed, t)


def test_a_leak_of_the_future_is_seen():
    zeros = np.zeros((2, 1, 5), dtype=np.int8)
    assert sees_the_future(Leak(), zeros, zeros + 1, 3)


@pytest.mark.parametrize("name", FORECASTERS)
@given(thrown=histories)
def test_matches_are_forecast_each_for_itself(name, thrown):
    """A batch gives what its matches give one by one."""
    together = FORECASTERS[name].forecasts(*thrown)
    for k in range(2):
        alone = FORECASTERS[name].forecasts(*thrown[:, k : k + 1])
        assert np.allclose(together[k], alone[0], rtol=0, atol=1e-6)
    assert np.allclose(together.sum(axis=-1), 1)


@given(
    thrown=arrays(np.int8, (2, 12), elements=st.integers(0, 2)),
    order=st.integers(0, 5),
    weight=st.floats(0.1, 3),
)
def test_back_off_is_what_a_plain_count_gives(thrown, order, weight):
    found = BackOff(order, weight=weight).forecasts(thrown[:1], thrown[1:])[0]
    both = list(zip(*thrown.tolist(), strict=True))
    for t in range(12):
        shares = np.full(3, 1 / 3)
        for k in range(min(order, t) + 1):
            counts = np.zeros(3)
            for s in range(k, t):
                if both[s - k : s] == both[t - k : t]:
                    counts[both[s][0]] += 1
            shares = (counts + weight * shares) / (counts.sum() + weight)
        assert np.allclose(found[t], shares)


def excess(forecaster, source, true):
    """By how much more than anybody can expect throws are forecast, and how many there are."""
    count = source.num_judged(matches=3)
    block = source.judged(0, count, matches=3)
    right = points(forecaster.forecasts(block.own, block.other), block.own)[0]
    best = true.forecasts(block.own, block.other).max(axis=-1)
    return (right - best).mean(), right.size


@pytest.mark.parametrize("name", RANDOM)
def test_nobody_forecasts_an_automaton_better_than_it_knows_itself(name):
    """Hoeffding: by chance once in 10^9; a forecaster that sees the future does."""
    true = TrueForecasts(automaton(embedded_bot(name)))
    source = MatchSource(bots(name), bots("rotations", "uniform", name), throws=1000, seed=4)
    network = ThrowPredictor(PredictorOptions(memories=(8,), layers=(), matches=8, step_size=0.02))
    train_predictor(network, source, frames=16000)
    for forecaster in (network, BackOff(2), true):
        more, throws = excess(forecaster, source, true)
        assert np.exp(-2 * throws * max(more, 0) ** 2) > 1e-9
    more, throws = excess(Leak(), source, true)
    assert np.exp(-2 * throws * more**2) < 1e-9


@pytest.mark.parametrize("name", RANDOM)
def test_attainable_scores_are_the_averages_of_the_true_forecasts(name):
    other = "win_stay_lose_either"
    model, co_player = automaton(embedded_bot(name)), automaton(embedded_bot(other))
    source = MatchSource(bots(name), bots(other), throws=THROWS, seed=3)
    block = source.judged(0, 300, matches=300)
    shares = TrueForecasts(model).forecasts(block.own, block.other)
    entropies = -(shares * np.log(np.where(shares > 0, shares, 1))).sum(axis=-1)
    found = attainable_scores(model, co_player, throws=THROWS)
    for mean, drawn in (
        (found.accuracy, shares.max(axis=-1).mean(axis=1)),
        (found.cross_entropy, entropies.mean(axis=1)),
    ):
        assert abs(mean - drawn.mean()) <= 5 * drawn.std() / np.sqrt(len(drawn)) + 1e-9


@pytest.mark.parametrize("name", ["cycle_down", "long_cycle", "square_free"])
def test_what_draws_nothing_is_attained_surely(name):
    model = automaton(embedded_bot(name))
    found = attainable_scores(model, automaton(embedded_bot("uniform")), throws=30)
    assert found.accuracy == pytest.approx(1)
    assert found.cross_entropy == pytest.approx(0)


def test_scores_are_means_over_what_was_thrown():
    source = MatchSource(bots("half_rock", "copy"), bots("uniform"), throws=30, seed=2)
    found = score_forecasts({"leak": Leak(), "one": BackOff(1)}, source, matches=5)
    assert found["leak"].accuracy == 1
    assert found["leak"].cross_entropy == 0
    assert found["leak"].accuracy_error == 0
    one = found["one"]
    block = source.judged(0, 10, matches=5)
    right, entropy = points(BackOff(1).forecasts(block.own, block.other), block.own)
    assert one.accuracy == pytest.approx(right.mean())
    assert one.cross_entropy == pytest.approx(entropy.mean())
    assert one.by_bot()["copy"][0] == pytest.approx(right[5:].mean())
    assert one.by_bot()["copy"][1] == pytest.approx(right[5:].mean(axis=1).std(ddof=1) / np.sqrt(5))
    assert list(one.by_position()) == [0, 1, 5, 10, 20]
    assert one.by_position()[5][0] == pytest.approx(right[:, 5:10].mean())
    assert one.among(("copy",), ("uniform",)).accuracy == pytest.approx(right[5:].mean())


def test_errors_are_as_large_as_scores_spread():
    """Over seeds, scores less their expectation have about the standard error that is told."""
    expected = attainable_scores(
        automaton(embedded_bot("drawn_table_1")), automaton(embedded_bot("uniform")), throws=20
    ).accuracy
    model = TrueForecasts(automaton(embedded_bot("drawn_table_1")))
    off = []
    for seed in range(60):
        source = MatchSource(bots("drawn_table_1"), bots("uniform"), throws=20, seed=seed)
        found = score_forecasts({"": model}, source, matches=20)[""]
        off.append((found.accuracy - expected) / found.accuracy_error)
    assert abs(np.mean(off)) < 5 / np.sqrt(60)
    assert 0.7 < np.std(off) < 1.5


def test_matches_are_the_same_by_number_and_name():
    several = MatchSource(bots("uniform", "half_rock"), throws=20, seed=5)
    alone = MatchSource(bots("half_rock"), throws=20, seed=5)
    whole = several.judged(0, 12, matches=3)
    assert (several.judged(4, 7, matches=3).own == whole.own[4:7]).all()
    assert (alone.judged(0, 3, matches=3).other == whole.other[9:]).all()
    first, again, next_one = (several.drawn(n, matches=8).own for n in (3, 3, 4))
    assert (first == again).all()
    assert (first != next_one).any()
    drawn = several.drawn(0, matches=12)
    assert (drawn.own != whole.own).any()
    assert set(drawn.bots.tolist()) == set(drawn.co_players.tolist()) == {0, 1}


def test_windows_are_consecutive_throws_with_what_came_before():
    source = MatchSource(bots("uniform"), throws=11, seed=5)
    matches = source.drawn(0, matches=2)
    windows = windows_of(matches, length=5)
    assert windows.seen.shape == (5, 4, 6)
    assert windows.came.shape == (5, 4)
    seen = seen_before(matches.own, matches.other)
    for window in range(4):
        match, begin = window // 2, 5 * (window % 2)
        assert (windows.came[:, window] == matches.own[match, begin : begin + 5]).all()
        assert (windows.seen[:, window] == seen[match, begin : begin + 5]).all()
    assert seen[0, 0].sum() == 0
    assert (seen[:, 1:].sum(axis=-1) == 2).all()
    assert (seen[0, 1:, :3].argmax(axis=-1) == matches.own[0, :-1]).all()
    assert (seen[0, 1:, 3:].argmax(axis=-1) == matches.other[0, :-1]).all()


def test_bots_are_split_in_all_ways():
    found = {split_bots(["a", "b", "c"], held_out=2, seed=seed) for seed in range(60)}
    assert found == {("a", "b"), ("a", "c"), ("b", "c")}


class Wrong:
    """Forecasts what a test says."""

    def __init__(self, row):
        self.row = row

    def forecasts(self, own, other):
        return np.broadcast_to(self.row, (*own.shape, len(self.row)))


SOURCE = MatchSource(bots("uniform"), throws=8)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: MatchSource({}), "a bot or more in bots"),
        (lambda: MatchSource(bots("uniform"), {}), "a bot or more in co_players"),
        (lambda: MatchSource({"it": embedded_bot("uniform")}), r"bots\['it'\]"),
        (lambda: MatchSource(bots("uniform"), throws=0), "throws"),
        (lambda: MatchSource(bots("uniform"), seed=-1), "seed"),
        (lambda: split_bots(["a", "b"], held_out=2, seed=1), "held_out"),
        (lambda: BackOff(6), "order"),
        (lambda: BackOff(1, weight=0.0), "weight"),
        (lambda: score_forecasts({}, SOURCE), "a forecaster or more"),
        (lambda: score_forecasts({"x": Leak()}, SOURCE, matches=1), "matches"),
        (lambda: score_forecasts({"x": Wrong([0.5, 0.5])}, SOURCE), r"of shape.*from x"),
        (lambda: score_forecasts({"x": Wrong([0.5, 0.5, 0.5])}, SOURCE), "distributions from x"),
        (lambda: score_forecasts({"x": Wrong([1.5, -0.5, 0])}, SOURCE), "distributions from x"),
        (lambda: windows_of(SOURCE.drawn(0, matches=1), length=9), "length"),
        (lambda: TrueForecasts("copy"), "automaton"),
        (lambda: attainable_scores(automaton(embedded_bot("copy")), "copy"), "co_player"),
    ],
)
def test_what_makes_no_sense_is_refused(call, words):
    with pytest.raises(gt.InvalidArgument, match=words):
        call()


def test_bots_that_are_not_compiled_are_watched_too():
    pytest.importorskip("pyspiel")
    from learners.adapters import open_spiel_population

    everybody = open_spiel_population(throws=30)
    players = {name: everybody[name] for name in ("rotatebot", "randbot")}
    source = MatchSource(players, bots("copy"), throws=30, seed=1)
    first, again = (source.judged(0, 4, matches=2).own for _ in range(2))
    assert (first == again).all()
    assert score_forecasts({"": BackOff(1)}, source)[""].by_bot()["rotatebot"][0] > 0.8
