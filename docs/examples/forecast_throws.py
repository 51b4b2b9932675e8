"""How predictable the embedded bots are: table 2 and figures 4 and 8, on a small scale.

Without arguments a minute part of it is run. With a folder, some four minutes of one core: all that
``docs/roshambo-prediction.md`` shows is made again, and written there with ``record.json``.
"""

import json
import sys
import time
from dataclasses import asdict
from functools import partial
from pathlib import Path

import torch

from learners.figures import write_figure_4, write_figure_8
from learners.roshambo import embedded_population, evaluate_bot, held_out_bots
from learners.roshambo.prediction import (
    BackOff,
    Effort,
    MatchSource,
    MixedForecasts,
    PredictorOptions,
    bot_of_checkpoint,
    figure_4,
    figure_8,
    load_predictor,
    score_forecasts,
    table_2,
)

SEED = 20261126
PAPER = [[0.6914, 0.6735], [0.5780, 0.5565]]  # by bot and co-player: training, held out
BOTS = (
    "long_cycle",
    "uniform",
    "half_rock",
    "copy",
    "conditional_response",
    "drawn_table_2",
    "majority_of_five",
    "markov_2",
    "match_both",
    "rotations",
    "q_joint_1",
    "whims",
)
COUNTS = {f"back-off {order}": BackOff(order) for order in (0, 1, 2, 3)}
STEP_SIZE = 5e-3  # of 2e-3 and 5e-3, by bots that are not held out


def table(population, out, effort, folder):
    """Return table 2 for one split, as it is written down."""
    found = table_2(population, [out], seed=SEED, effort=effort, baselines=COUNTS, folder=folder)
    (folder / "table-2.csv").write_text(found.to_csv(), encoding="utf-8")
    return {
        name: {"accuracy": means.round(4).tolist(), "standard error": errors.round(4).tolist()}
        for name, means, errors in zip(
            found.forecasters, found.means, found.errors_of_means, strict=True
        )
    }


def figures(population, effort, folder):
    """Make figures 4 and 8, and return means over bots."""
    own = figure_4(population, seed=SEED, effort=effort)
    both = figure_8(population, own, seed=SEED, effort=effort)
    write_figure_4(own, folder)
    write_figure_8(both, folder)
    return {"individual": float(both.individual.mean()), "one": float(both.population.mean())}


def forecasters(population, effort, folder):
    """Return how well all forecast some bots that are not held out, also by position."""
    rivals = {
        "predictor": load_predictor(folder / "table-2-split-0.zip"),
        **COUNTS,
        "mixture": MixedForecasts(),
    }
    source = MatchSource(population, throws=effort.throws, seed=SEED)
    scores = score_forecasts(rivals, source, matches=effort.matches)
    return {
        name: {
            "accuracy": [own.accuracy, own.accuracy_error],
            "cross-entropy": [own.cross_entropy, own.cross_entropy_error],
            "accuracy from position": {k: v[0] for k, v in own.by_position().items()},
        }
        for name, own in scores.items()
    }


def play(population, effort, folder):
    """Return what replies to the predictor are paid by bots that are not held out."""
    maker = partial(bot_of_checkpoint, folder / "table-2-split-0.zip")
    scores = evaluate_bot(maker, population, matches=2, seed=SEED, throws=effort.throws)
    return {
        "population return": [scores.population_return, scores.population_return_error],
        "exploitability": scores.within_population_exploitability,
        "nemesis": scores.nemesis,
    }


def main(folder: Path, *, whole: bool) -> None:
    torch.set_num_threads(1)
    everybody = embedded_population()
    out = held_out_bots() if whole else ("copy",)
    known = {name: everybody[name] for name in everybody if name not in out}
    if whole:
        learns = Effort(PredictorOptions(step_size=STEP_SIZE), frames=4_600_000, matches=2)
        each = Effort(learns.options, frames=384_000, matches=2)
    else:
        tiny = PredictorOptions(memories=(8,), layers=(), matches=8, batch=16, step_size=0.02)
        learns = each = Effort(tiny, frames=5_000, matches=2, throws=60)
        everybody = {name: everybody[name] for name in BOTS[:4]}
        known = {name: everybody[name] for name in BOTS[:3]}
    some = {name: known[name] for name in BOTS if name in known}
    begun = time.process_time()
    record = {
        "seed": SEED,
        "table 2": {
            "effort": asdict(learns) | {"device": "cpu"},
            "held out": list(out),
            "paper": PAPER,
            "here": table(everybody, out, learns, folder),
        },
        "figures 4 and 8": {
            "effort": asdict(each) | {"device": "cpu"},
            "bots": list(some),
            "accuracy": figures(some, each, folder),
        },
    }
    record["seconds of table 2 and the figures"] = round(time.process_time() - begun)
    record["forecasters of these bots"] = forecasters(some, each, folder)
    record["play against bots that are not held out"] = play(known, each, folder)
    text = json.dumps(record, indent=1)
    (folder / "record.json").write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]), whole=True)
    else:
        from tempfile import TemporaryDirectory

        with TemporaryDirectory() as place:
            main(Path(place), whole=False)
