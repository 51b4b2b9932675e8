"""Call every solver again and again on small games, in shuffled order; print what came out.

``python -m tests.solvers.repeated_calls SEED SECONDS MOST`` calls each solver on each game it takes
for some seconds, or MOST times, mixed with all others. What is printed maps each solver and game to
the digests of its answers: one digest, if the same call gives the same answer.
"""

import enum
import hashlib
import inspect
import json
import random
import sys
import time
from collections.abc import Mapping
from dataclasses import fields, is_dataclass

import numpy as np

import solvers
from gametheory_core import GameTheoryError, NormalFormGame, UnsupportedGame, load_game
from gametheory_core.conversions import posg_to_tabular
from gametheory_core.games import is_rules_of_posg
from gametheory_core.leaders import LeaderView

NAMES = [
    "battle_of_the_sexes",
    "shapley_cycle",
    "chicken",
    "matching_pennies",
    "irrational_equilibrium",
    "commitment_example",
    "kuhn_poker",
    "beer_quiche",
    "selten_horse",
    "centipede:rounds=3",
    "house_patrol",
    "guarded_targets",
    "iterated_hero",
    "mediated_chicken",
    "stopping_pennies",
]
REQUIRED = {"alpha": 0.1, "rationality": 1.0, "temperature": 0.5, "exploration": 1e-6}
REQUIRED |= {"player": 0, "action": 0, "rounds": 20, "episodes": 20, "rate": 0.5}
OPTIONS = {"steps": 200}  # the same learning, for a shorter time
GAMES = ("game", "view", "rules")  # names of first parameters
UNLIKE = {"seconds"}  # what differs from call to call, and is said to


def solvers_of_games():
    """List the public functions that need a game and a few numbers: name -> function."""
    found = {}
    for name in dir(solvers):
        function = getattr(solvers, name)
        if inspect.isfunction(function):
            first, *others = inspect.signature(function).parameters.values()
            needed = {other.name for other in others if other.default is other.empty}
            if first.name in GAMES and needed <= set(REQUIRED):
                found[name] = function
    return found


def family():
    """Return small games of every kind, and random matrices where roads meet."""
    games = {}
    for name in NAMES:
        game = load_game(name)
        games[name] = posg_to_tabular(game).target if is_rules_of_posg(game) else game
    rng = np.random.default_rng(5)
    games["floats 4 x 4"] = NormalFormGame.from_payoffs(rng.random((2, 4, 4)))
    games["ties 4 x 3"] = NormalFormGame.zero_sum(rng.integers(-1, 2, (4, 3)))
    games["zero-sum 5 x 5"] = NormalFormGame.zero_sum(rng.random((5, 5)))
    return games


def calls_of(games):
    """Pair solvers with the games they answer about: (solver, game) -> a call."""
    calls = {}
    for name, function in solvers_of_games().items():
        parameters = inspect.signature(function).parameters
        options = {key: value for key, value in (REQUIRED | OPTIONS).items() if key in parameters}
        if "rng" in parameters and name.startswith("monte_carlo"):
            options["rng"] = 1
        for title, game in games.items():
            if next(iter(parameters)) == "view":
                try:
                    given = LeaderView(game, leader=0)
                except (GameTheoryError, AttributeError, TypeError):
                    continue
            else:
                given = game
            calls[name, title] = (function, given, options)
    return calls


def answered(call):
    """Return a digest of the answer or refusal; None if such games are not taken."""
    function, game, options = call
    if "rng" in options:
        options = options | {"rng": np.random.default_rng(options["rng"])}
    try:
        answer = function(game, **options)
    except (UnsupportedGame, AttributeError, TypeError):  # the last two: games of another world
        return None
    except GameTheoryError as error:
        answer = (type(error).__name__, getattr(error, "best", None))
    return hashlib.blake2b(repr(plain(answer)).encode(), digest_size=8).hexdigest()


def plain(value):
    """Write an answer as exact text, without the time it took."""
    if isinstance(value, float | np.floating):
        return float(value).hex()
    if isinstance(value, np.ndarray):
        return (value.shape, [plain(entry) for entry in value.ravel().tolist()])
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, Mapping):
        return [(plain(key), plain(entry)) for key, entry in value.items()]
    if isinstance(value, tuple | list):
        return [plain(entry) for entry in value]
    if isinstance(value, set | frozenset):
        return sorted(repr(plain(entry)) for entry in value)
    if is_dataclass(value):
        names = [field.name for field in fields(value) if field.name not in UNLIKE]
        return (type(value).__name__, [(name, plain(getattr(value, name))) for name in names])
    text = repr(value)
    return type(value).__name__ if " at 0x" in text else text


def digests(calls, *, seed, seconds, most):
    """Make all calls, many times each, in an order drawn from the seed."""
    draw = random.Random(seed)  # noqa: S311 of orders
    order = sorted(calls)
    draw.shuffle(order)
    found = {}
    repeated = []
    for key in order:
        start = time.perf_counter()
        digest = answered(calls[key])
        if digest is not None:
            found[key] = {digest}
            count = max(2, int(seconds / (time.perf_counter() - start)))
            repeated += [key] * int(min(most, count) - 1)
    draw.shuffle(repeated)
    for key in repeated:
        found[key].add(answered(calls[key]))
    return {" / ".join(key): sorted(own) for key, own in sorted(found.items())}


if __name__ == "__main__":
    numbers = dict(zip(("seed", "seconds", "most"), map(float, sys.argv[1:]), strict=True))
    json.dump(digests(calls_of(family()), **numbers), sys.stdout)
