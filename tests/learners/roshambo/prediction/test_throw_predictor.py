"""Networks that forecast throws, bots that reply to them, and what is made of both."""

import pickle
from functools import partial

import numpy as np
import pytest

import gametheory_core as gt
from learners.roshambo import agents_named, evaluate_bot, play_match, tournament
from learners.roshambo.bots import embedded_bot
from learners.roshambo.prediction import (
    BackOff,
    Effort,
    Figure4,
    MatchSource,
    PredictionBot,
    PredictorOptions,
    ThrowPredictor,
    bot_of_checkpoint,
    figure_4,
    figure_8,
    load_predictor,
    score_forecasts,
    table_2,
    train_predictor,
)
from learners.snapshots import load_snapshot, save_snapshot

TINY = PredictorOptions(memories=(6, 5), layers=(4,), window=8, matches=6, batch=5, step_size=0.02)
QUICK = PredictorOptions(memories=(16,), layers=(), matches=8, batch=8, step_size=0.03)


def bots(*names):
    return {name: partial(embedded_bot, name) for name in names}


@pytest.fixture(scope="module")
def of_cycles():
    """A predictor of two cycles, that play against one at random."""
    source = MatchSource(bots("cycle_up", "cycle_down"), bots("uniform"), throws=40, seed=1)
    predictor = ThrowPredictor(QUICK)
    train_predictor(predictor, source, frames=25_000)
    return predictor


def same(first, second):
    """Whether two snapshots are equal, bit for bit."""
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(same(first[k], second[k]) for k in first)
    if isinstance(first, list | tuple):
        return len(first) == len(second) and all(map(same, first, second))
    if isinstance(first, np.ndarray):
        return first.dtype == second.dtype and first.tobytes() == second.tobytes()
    return first == second


def test_the_paper_has_as_many_parameters():
    assert ThrowPredictor().num_parameters == 57_539  # 57.5 thousand
    assert ThrowPredictor(TINY).num_parameters == 4 * 6 * 13 + 4 * 5 * 12 + 6 * 4 + 5 * 3


def test_cycles_are_forecast_surely(of_cycles):
    """Which of the two it is shows in the second throw; from the third on all are right."""
    source = MatchSource(bots("cycle_up", "cycle_down"), bots("uniform"), throws=200, seed=9)
    found = score_forecasts({"": of_cycles}, source)[""]
    spans = found.by_position()
    assert all(spans[edge][0] == 1 for edge in spans if edge >= 5)
    assert found.cross_entropy < 0.05


def test_an_untrained_network_finds_all_throws_about_as_likely():
    thrown = np.zeros((1, 20), dtype=np.int8)
    assert np.abs(ThrowPredictor().forecasts(thrown, thrown) - 1 / 3).max() < 0.02


def test_throw_by_throw_the_forecasts_are_those_of_the_whole_match():
    predictor = ThrowPredictor(TINY)  # two memories, of different sizes
    train_predictor(predictor, MatchSource(bots("copy"), bots("uniform"), throws=24), frames=5000)
    rng = np.random.default_rng(1)
    own, other = rng.integers(3, size=(2, 1, 30)).astype(np.int8)
    whole = predictor.forecasts(own, other)[0]
    assert np.ptp(whole, axis=0).min() > 0.1
    forecast = predictor.first()
    for t in range(30):
        assert np.allclose(forecast.probabilities, whole[t], rtol=0, atol=1e-5)
        forecast = predictor.after(forecast, int(own[0, t]), int(other[0, t]))


def test_training_goes_on_bit_for_bit_from_a_checkpoint(tmp_path):
    source = MatchSource(bots("uniform", "copy", "markov_1"), throws=24, seed=3)
    whole = ThrowPredictor(TINY)
    curve = train_predictor(whole, source, frames=6 * 24 * 5)
    file = tmp_path / "half.zip"
    first = train_predictor(ThrowPredictor(TINY), source, frames=6 * 24 * 2, checkpoint=file)
    later = ThrowPredictor(TINY)
    rest = train_predictor(later, source, frames=6 * 24 * 5, checkpoint=file)
    assert (*first, *rest) == curve
    assert len(first) == 2
    assert same(whole.snapshot(), later.snapshot())
    assert same(whole.snapshot(), load_snapshot(file))
    assert same(load_predictor(file).snapshot(), whole.snapshot())


def test_ctrl_c_keeps_the_last_whole_block(tmp_path):
    class Interrupts(MatchSource):
        """Is stopped in its fourth block."""

        def drawn(self, block, *, matches):
            if block == 3:
                raise KeyboardInterrupt
            return super().drawn(block, matches=matches)

    file = tmp_path / "stopped.zip"
    players = bots("copy", "uniform")
    stopped = ThrowPredictor(TINY)
    source = Interrupts(players, throws=24, seed=3)
    with pytest.raises(KeyboardInterrupt, match="^$"):
        train_predictor(stopped, source, frames=10**6, checkpoint=file)
    plain = MatchSource(players, throws=24, seed=3)
    expected = ThrowPredictor(TINY)
    train_predictor(expected, plain, frames=3 * 6 * 24)
    assert same(load_snapshot(file), expected.snapshot())
    assert same(stopped.snapshot(), expected.snapshot())


def test_a_step_that_is_cut_short_leaves_nothing(monkeypatch):
    """Ctrl-C between two steps of a block: what the first of them learned is undone."""
    source = MatchSource(bots("copy", "uniform"), throws=24, seed=3)
    predictor, expected = ThrowPredictor(TINY), ThrowPredictor(TINY)
    train_predictor(expected, source, frames=6 * 24)
    learn, asked = predictor._network.learn, []

    def cut(*given):
        asked.append(1)
        if len(asked) == 6:
            raise KeyboardInterrupt
        return learn(*given)

    monkeypatch.setattr(predictor._network, "learn", cut)
    with pytest.raises(KeyboardInterrupt, match="^$"):
        train_predictor(predictor, source, frames=10**6)
    assert same(predictor.snapshot(), expected.snapshot())


def test_progress_is_told_block_by_block():
    source = MatchSource(bots("copy"), throws=24, seed=3)
    told = []
    train_predictor(ThrowPredictor(TINY), source, frames=300, on_round=told.append)
    assert [(each.frames, each.of) for each in told] == [(144, 300), (288, 300), (432, 300)]
    assert all(0 < each.cross_entropy < 3 and 0 <= each.accuracy <= 1 for each in told)


def test_a_bot_beats_what_its_predictor_forecasts(of_cycles):
    for name in ("cycle_up", "cycle_down"):
        match = play_match(PredictionBot(of_cycles), embedded_bot(name), throws=100, seeds=(1, 2))
        assert match.outcomes[5:].tolist() == [1] * 95


def test_replies_are_to_the_forecast(of_cycles):
    bot = PredictionBot(of_cycles)
    match = play_match(bot, embedded_bot("markov_1"), throws=60, seeds=(1, 2))
    own, other = match.histories.astype(np.int8)
    shares = of_cycles.forecasts(other[None], own[None])[0]
    for t in range(60):
        worth = [shares[t, (r - 1) % 3] - shares[t, (r + 1) % 3] for r in range(3)]
        assert worth[own[t]] > max(worth) - 1e-5
    assert bot.forecast() == pytest.approx(shares[59], abs=1e-5)


def test_where_the_edge_is_small_throws_are_random():
    fresh = ThrowPredictor(TINY)  # to whom all is about as likely
    careful, bold = PredictionBot(fresh, least_edge=0.2), PredictionBot(fresh)
    for bot, kinds in ((careful, 3), (bold, 1)):
        firsts = set()
        for seed in range(30):
            bot.reset(seed)
            firsts.add(bot.throw([], []))
        assert len(firsts) == kinds


def test_a_checkpoint_plays_in_evaluations_and_tournaments(of_cycles, tmp_path):
    file = tmp_path / "cycles.zip"
    save_snapshot(file, of_cycles.snapshot())
    maker = partial(bot_of_checkpoint, file)
    others = bots("cycle_up", "cycle_down")
    scores = evaluate_bot(maker, others, matches=2, seed=1, throws=50)
    assert scores.means.min() > 43
    agents = agents_named([str(file)], others)
    assert list(agents) == ["cycles"]
    found = tournament(pickle.loads(pickle.dumps(agents)), others, episodes=1, seed=1, throws=50)
    assert found.returns.min() > 43
    assert found.forfeits == ()
    digest = agents["cycles"].source
    save_snapshot(file, ThrowPredictor(TINY).snapshot())
    assert agents_named([str(file)], {})["cycles"].source != digest


EFFORT = Effort(TINY, frames=300, matches=2, throws=24)


def test_table_2_is_made_of_the_scores_of_each_side():
    players = bots("cycle_up", "copy", "uniform", "markov_1")
    splits = [("copy", "uniform"), ("markov_1",)]
    baselines = {"counts": BackOff(1)}
    found = table_2(players, splits, seed=2, effort=EFFORT, baselines=baselines)
    assert found.means.shape == (2, 2, 2)
    assert found.forecasters == ("predictor", "counts")
    source = MatchSource(players, throws=24, seed=2)
    scores = score_forecasts(baselines, source, matches=2)["counts"]
    known, out = ("cycle_up", "markov_1"), ("copy", "uniform")
    assert found.accuracy[1, 0, 0, 1] == scores.among(known, out).accuracy
    assert found.accuracy[1, 0, 1, 0] == scores.among(out, known).accuracy
    assert (found.accuracy[0] != found.accuracy[1]).any()
    lines = found.to_csv().splitlines()
    assert len(lines) == 9
    assert lines[6].startswith("counts,training,held out,")
    one = table_2(players, splits[:1], seed=2, effort=EFFORT)
    assert (one.errors_of_means[0] == one.errors[0, 0]).all()
    assert np.allclose(one.accuracy[0, 0], found.accuracy[0, 0])


def test_a_table_that_was_stopped_goes_on_from_its_folder(tmp_path):
    players = bots("cycle_up", "copy", "uniform")
    told = []
    for _ in range(2):
        table_2(
            players,
            [("copy",)],
            seed=2,
            effort=EFFORT,
            folder=tmp_path,
            on_round=lambda name, made: told.append(name),
        )
    assert told == ["table-2-split-0"] * 3  # the second time nothing is learned
    assert [path.name for path in tmp_path.iterdir()] == ["table-2-split-0.zip"]


def test_figures_are_drawn_and_written_with_their_data(tmp_path):
    pytest.importorskip("matplotlib")
    from learners.figures import write_figure_4, write_figure_8

    players = bots("cycle_up", "copy", "markov_1")
    own = figure_4(players, seed=2, effort=EFFORT)
    both = figure_8(players, own, seed=2, effort=EFFORT)
    assert own.accuracy.shape == (3, 3)
    assert (both.individual == own.right.mean(axis=(1, 2))).all()
    assert both.attainable[:2].tolist() == [1, pytest.approx(1, abs=0.05)]
    assert np.isnan(both.attainable[2])
    for write, found, name in ((write_figure_4, own, "4"), (write_figure_8, both, "8")):
        picture, table = write(found, tmp_path)
        assert picture.read_bytes()[1:4] == b"PNG"
        assert table.name == f"figure-{name}.csv"
        assert table.read_text() == found.to_csv()
        again = picture.read_bytes()
        write(found, tmp_path)
        assert picture.read_bytes() == again
    assert own.to_csv().splitlines()[0] == "bot,cycle_up,copy,markov_1"


def history_twice():
    bot = PredictionBot(ThrowPredictor(TINY))
    bot.throw([], [])
    bot.throw([], [])


def no_throw():
    bot = PredictionBot(ThrowPredictor(TINY))
    bot.throw([], [])
    bot.throw([0], [3])


def other_matches():
    predictor = ThrowPredictor(TINY)
    for seed in (1, 2):
        train_predictor(predictor, MatchSource(bots("copy"), throws=24, seed=seed), frames=1)


def other_options():
    ThrowPredictor(TINY).restore(ThrowPredictor(QUICK).snapshot())


PLAYERS = bots("copy", "beat")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: PredictorOptions(window=0), "window"),
        (lambda: PredictorOptions(memories=()), "a memory or more"),
        (lambda: PredictorOptions(layers=(0,)), "layers"),
        (lambda: PredictorOptions(memories=(10**6,)), "parameters"),
        (lambda: PredictorOptions(step_size=0.0), "step_size"),
        (lambda: PredictorOptions(seed=-1), "seed"),
        (lambda: ThrowPredictor("large"), "options"),
        (lambda: ThrowPredictor(TINY).restore({}), "a snapshot of a throw predictor"),
        (other_options, "memories"),
        (other_matches, "seed of 1"),
        (lambda: train_predictor("it", SOURCE, frames=1), "predictor"),
        (lambda: train_predictor(ThrowPredictor(TINY), "it", frames=1), "source"),
        (lambda: train_predictor(ThrowPredictor(TINY), SOURCE, frames=0), "frames"),
        (lambda: PredictionBot("it"), "predictor"),
        (lambda: PredictionBot(ThrowPredictor(TINY), least_edge=2), "least_edge"),
        (history_twice, "two histories of 1 throws"),
        (no_throw, "throws of 0, 1 and 2"),
        (lambda: agents_named(["nowhere.zip"], {}), "nowhere.zip"),
        (lambda: table_2(PLAYERS, [], seed=1, effort=EFFORT), "splits"),
        (lambda: table_2(PLAYERS, [("nobody",)], seed=1, effort=EFFORT), "'nobody' is none"),
        (lambda: table_2(PLAYERS, [()], seed=1, effort=EFFORT), "0 are held out"),
        (lambda: table_2(PLAYERS, [tuple(PLAYERS)], seed=1, effort=EFFORT), "2 are held out"),
        (
            lambda: table_2(
                PLAYERS, [("copy",)], seed=1, effort=EFFORT, baselines={"predictor": BackOff(1)}
            ),
            "not called 'predictor'",
        ),
        (
            lambda: figure_8(PLAYERS, Figure4(("copy",), np.ones((1, 1, 2))), seed=1),
            "figure 4 of the same bots",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(call, words):
    with pytest.raises(gt.InvalidArgument, match=words):
        call()


SOURCE = MatchSource(PLAYERS, throws=24)


def test_other_files_are_no_checkpoints(tmp_path):
    file = tmp_path / "other.zip"
    save_snapshot(file, {"step": 1})
    with pytest.raises(gt.InvalidArgument, match="checkpoint of a throw predictor"):
        load_predictor(file)
    file.write_bytes(b"PK and nothing more")
    with pytest.raises(gt.MalformedFile, match="snapshot"):
        agents_named([str(file)], {})


@pytest.mark.parametrize("is_known", [True, False])
def test_the_legend_names_what_is_drawn(is_known):
    figure = pytest.importorskip("matplotlib.figure").Figure()
    from learners.figures.predictability import draw_accuracy_comparison
    from learners.roshambo.prediction import Figure8

    ones = np.ones(2)
    best = np.array([1.0, np.nan]) if is_known else np.full(2, np.nan)
    found = Figure8(("copy", "whims"), ones, 0 * ones, ones, 0 * ones, best)
    legend = draw_accuracy_comparison(found, ax=figure.add_subplot()).get_legend()
    names = [text.get_text() for text in legend.get_texts()]
    assert ("attainable" in names) == is_known
    assert len(names) == 2 + is_known
