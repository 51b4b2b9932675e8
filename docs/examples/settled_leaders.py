"""When leaders settle: Meta-RL, inner loops and ES on the twelve iterated games, over many seeds.

``python docs/examples/settled_leaders.py FILE`` prints the table of ``docs/meta-rl.md`` from what a
FILE of JSON lines has; ``--seeds 200-399`` makes and adds what it lacks, a line for each method,
game and seed. A run settles at the environment step from which on the greedy pair stays a
stationary Stackelberg equilibrium, by exact numbers; it is given up after 200,000 steps (ES-MD:
600,000).
"""

import argparse
import json
from pathlib import Path

import numpy as np

from gametheory_core import load_game
from gametheory_core.leaders import leader_view
from learners.leaders import (
    Answers,
    Fitness,
    InnerLoopQOptions,
    LeaderEvolutionOptions,
    LeaderPPOOptions,
    MeanDynamicsOptions,
    MetaStackelberg,
    Queries,
    stackelberg_values,
)
from learners.streams import named_stream
from learners.studies.oracles_followers.settings import stage_games

GAMES = stage_games()
SMALL = LeaderPPOOptions(episodes=20)  # chosen on seeds 1500 to 1511: larger batches settle later
SHEPHERD = LeaderEvolutionOptions(fitness=Fitness.LEARNING)
METHODS = {
    "Meta-RL": ({}, 0),  # the default, for as long as it is meant to take
    "inner loop, 10": ({"follower": InnerLoopQOptions(episodes=10), "leader": SMALL}, 200_000),
    "inner loop, 30": ({"follower": InnerLoopQOptions(episodes=30), "leader": SMALL}, 200_000),
    "inner loop, 100": ({"follower": InnerLoopQOptions(episodes=100), "leader": SMALL}, 200_000),
    "ES-MD": (
        {
            "follower": MeanDynamicsOptions(),
            "leader": SHEPHERD,
            "answers": Answers.FRESH,
            "queries": Queries.HIDDEN,
        },
        600_000,
    ),
}


def view_of(game):
    """Return the view of an iterated game of ten rounds."""
    return leader_view(load_game(f"iterated_{game}:rounds=10"))


def settled(method, game, seed):
    """Return when a run settles, or None."""
    options, most = METHODS[method]
    view = view_of(game)
    value = stackelberg_values(view).stationary
    learner = MetaStackelberg(view, **options, rng=named_stream(seed, "learner"))
    found = None
    for _ in range(most or learner.iterations):
        metrics = learner.improve()
        is_solved = metrics.get("greedy return/leader") == value
        if not (is_solved and metrics.get("regret/follower") == 0):
            found = None
        elif found is None:
            found = int(metrics["environment steps"])
        if most and learner.environment_steps >= most:
            break
    return found


def records(path):
    """Return what a file has: method, game and seed -> step or None."""
    lines = path.read_text().splitlines() if path.exists() else []
    return {
        (own["method"], own["game"], seed): step
        for own in map(json.loads, lines)
        for seed, step in enumerate(own["settled"], start=own["first"])
    }


def add(path, seeds, methods):
    """Make the runs that a file lacks, a line for each method and game."""
    known = records(path)
    for method in methods:
        for game in GAMES:
            if (method, game, seeds[0]) in known:
                continue
            found = [settled(method, game, seed) for seed in seeds]
            line = {"method": method, "game": game, "first": seeds[0], "settled": found}
            with path.open("a") as file:
                file.write(json.dumps(line) + "\n")


def cell(steps):
    """Write how many settle, and the median and 95 % of those steps."""
    settling = np.array([step for step in steps if step is not None])
    if len(settling) < len(steps) / 2:
        return f"{len(settling)} of {len(steps)}"
    median, late = np.quantile(settling, [0.5, 0.95], method="higher")
    missing = "" if len(settling) == len(steps) else f" ({len(steps) - len(settling)} never)"
    return f"{median:,} / {late:,}{missing}"


def table(known):
    """Return the table of the documentation."""
    methods = [own for own in METHODS if any(own == method for method, _, _ in known)]
    lines = [f"| game | {' | '.join(methods)} |", f"|---|{'--:|' * len(methods)}"]
    for game in GAMES:
        cells = [
            cell([step for (m, g, _), step in known.items() if (m, g) == (method, game)])
            for method in methods
        ]
        lines.append(f"| {game.replace('_', ' ')} | {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path, nargs="?", help="of JSON lines")
    parser.add_argument("--seeds", help="FIRST-LAST, to be made where the file lacks them")
    parser.add_argument("--method", action="append", choices=METHODS, help="this one only")
    options = parser.parse_args()
    if options.file is None:
        print("the dilemma, seed 200, settles after", settled("Meta-RL", "prisoners_dilemma", 200))
    else:
        if options.seeds:
            first, last = map(int, options.seeds.split("-"))
            add(options.file, range(first, last + 1), options.method or METHODS)
        print(table(records(options.file)))
