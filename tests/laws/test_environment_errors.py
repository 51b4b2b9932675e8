"""Right environments fail the check no more often than its level says.

Environments are exports of games drawn at random, in which nearly everything is left to chance.
``python -m tests.laws.test_environment_errors [games [level [episodes]]]`` counts failures.
"""

import sys

import numpy as np
import pytest

pytest.importorskip("pettingzoo")

from joblib import Parallel, delayed
from rich.console import Console
from rich.progress import track
from scipy.stats import beta, binom

from gametheory_core.adapters import aec_env, parallel_env
from gametheory_core.adapters.pettingzoo import one_hot
from gametheory_core.conversions import aec_to_tabular, posg_to_tabular
from gametheory_core.errors import LawBroken
from gametheory_core.games import CHANCE, NULL
from gametheory_core.testing import check_environment
from tests.core.conversions.changed_rules import changed
from tests.theorems.random_rules import RandomAEC, RandomPOSG, drawn_law

ALMOST_SURE = 1e-9  # a right check fails these tests at most so often


def game_of(seed):
    """Draw a POSG from an even seed; from an odd one an AEC game in which players soon move."""
    if not seed % 2:
        players, horizon = 2 + seed // 2 % 2, 3 + seed // 4 % 4
        return RandomPOSG(seed, players, correlated=bool(seed // 2 % 2), horizon=horizon)
    game = RandomAEC(seed, horizon=4 + seed // 2 % 2)

    def next_player(state, mover, action, after):
        if mover == CHANCE:
            return drawn_law((0, 1), "turn", seed, state, after)
        return game.next_player(state, mover, action, after)

    return changed(game, next_player=next_player)


def complaint(seed, *, level, episodes):
    """Return what the check says of a right environment; "" if nothing, None without a turn."""
    game = game_of(seed)
    is_posg = seed % 2 == 0
    table = (posg_to_tabular if is_posg else aec_to_tabular)(game).target
    seen = list(dict.fromkeys((NULL, *(o for own in table.observations for o in own))))
    encoding = one_hot(seen)

    def make():
        return (parallel_env if is_posg else aec_env)(
            game, encoding=encoding, actions=table.actions
        )

    try:
        check_environment(
            make,
            game,
            rng=np.random.default_rng(seed),
            read_observation=lambda _, array: seen[array.argmax()],
            episodes=episodes,
            replays=3,
            first_seed=10**6 * seed,
            level=level,
        )
    except LawBroken as error:
        return str(error)
    return ""


def failures(seeds, **options):
    """Count the right environments that fail."""
    found = Parallel(n_jobs=2, return_as="generator")(
        delayed(complaint)(seed, **options) for seed in seeds
    )
    return sum(map(bool, track(found, total=len(seeds), disable=not sys.stderr.isatty())))


@pytest.mark.parametrize("seed", [*range(9), 100, 110])
def test_right_environments_pass(seed):
    assert complaint(seed, level=ALMOST_SURE, episodes=200) == ""


def test_last_observations_that_are_not_shown_are_no_draws():
    assert complaint(58, level=1e-6, episodes=100) == ""


@pytest.mark.slow
def test_a_thousand_right_environments_fail_as_seldom_as_the_level_says():
    level = 0.05
    failed = failures(range(1000), level=level, episodes=200)
    assert binom.sf(failed - 1, 1000, level) > ALMOST_SURE


if __name__ == "__main__":
    given = (*sys.argv[1:], *("1000", "0.05", "200")[len(sys.argv) - 1 :])
    count, level, episodes = int(given[0]), float(given[1]), int(given[2])
    failed = failures(range(count), level=level, episodes=episodes)
    most = beta.ppf(0.95, failed + 1, count - failed)
    Console().print(
        f"{failed} of {count} right environments fail at level {level}, {episodes} episodes each; "
        f"with confidence 95 % at most a share of {most:.4f} does."
    )
