"""Meta-RL with default options on random iterated games: how often it finds the value.

``python docs/examples/random_iterated_games.py`` learns a few; with ``--games 200-399`` so many of
each kind, and prints JSON as ``python -m learners rates`` does. A game's number is the seed of its
payoffs, integers from -1000 to 1000, and of the learner. A success is a gap and a regret of 0, both
stationary, exactly.
"""

import argparse
import json

import numpy as np

from gametheory_core import NormalFormGame
from gametheory_core.catalog import Shown, iterated_game
from gametheory_core.leaders import leader_view
from learners import train
from learners.experiments import binomial_interval
from learners.leaders import MetaStackelberg, stackelberg_gap
from learners.streams import named_stream

KINDS = {
    "two actions, both remembered": (2, Shown.ALL),
    "three actions, the other's remembered": (3, Shown.OTHERS),
}


def random_view(kind, number):
    """Return a game of ten rounds with random payoffs."""
    actions, shown = KINDS[kind]
    rng = np.random.default_rng(number)
    payoffs = [rng.integers(-1000, 1001, size=(actions, actions)).tolist() for _ in range(2)]
    return leader_view(iterated_game(NormalFormGame.bimatrix(*payoffs), rounds=10, memory=shown))


def judged(kind, number):
    """Return the gap and the regret of what is learned, both stationary."""
    view = random_view(kind, number)
    learner = MetaStackelberg(view, rng=named_stream(number, "learner"))
    train(learner, iterations=learner.iterations)
    found = stackelberg_gap(view, learner)
    return found.gap_stationary, found.judged.regret_stationary


def rate(kind, numbers):
    """Return what is printed of one kind."""
    found = {number: judged(kind, number) for number in numbers}
    failed = [number for number, (gap, regret) in found.items() if gap or regret]
    good = len(numbers) - len(failed)
    interval = binomial_interval(good, len(numbers))
    return {
        "game": kind,
        "seeds": f"{numbers[0]}-{numbers[-1]}",
        "runs": len(numbers),
        "successes": good,
        "interval": [interval.low, interval.high],
        "failed": failed,
        "regretted": sum(regret != 0 for _, regret in found.values()),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", default="200-201", help="FIRST-LAST")
    first, last = map(int, parser.parse_args().games.split("-"))
    print(json.dumps([rate(kind, range(first, last + 1)) for kind in KINDS], indent=2))
