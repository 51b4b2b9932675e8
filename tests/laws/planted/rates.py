"""Which planted bugs are found, by the check and by the published tests of the interfaces.

``python -m tests.laws.planted.rates [episodes [every]]`` prints a table by class, for every k-th;
of all it takes an hour.
"""

import contextlib
import io
import sys
import warnings
from collections import Counter

import numpy as np
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from rich.console import Console
from rich.progress import track
from rich.table import Table

from gametheory_core.testing import check_environment
from tests.laws.planted.bugs import PLANTED_BUGS
from tests.laws.planted.records import BugClass, Kind

MOST_MOVES = 60
SEED_TESTS = 10  # their luck varies


def complaint(record, *, episodes):
    """Return what the check says of an environment; "" if nothing."""
    try:
        check_environment(
            record.make_env,
            record.model,
            rng=np.random.default_rng(0),
            read_observation=record.read_observation,
            write_action=record.write_action,
            episodes=episodes,
            replays=12,
            max_moves=MOST_MOVES,
        )
    except Exception as error:  # noqa: BLE001 a bug may be any error
        return f"{type(error).__name__}: {error}"
    return ""


def is_found_elsewhere(bug):
    """Tell whether the tests of PettingZoo or Gymnasium find a bug."""
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            if bug.kind is Kind.GYMNASIUM:
                check_env(bug.make_env(), skip_render_check=True)
            elif bug.kind is Kind.AEC:
                api_test(bug.make_env(), num_cycles=100)
                for _ in range(SEED_TESTS):
                    seed_test(bug.make_env, num_cycles=100)
            else:
                parallel_api_test(bug.make_env(), num_cycles=100)
                for _ in range(SEED_TESTS):
                    parallel_seed_test(bug.make_env, num_cycles=100)
    except Exception:  # noqa: BLE001 a bug may be any error
        return True
    return False


def main():
    """Print how many bugs of each class are found."""
    episodes, every = (*map(int, sys.argv[1:]), *(2000, 1)[len(sys.argv) - 1 :])
    planted, ours, theirs = Counter(), Counter(), Counter()
    missed = []
    for bug in track([bug for bug in PLANTED_BUGS if not bug.disputable][::every]):
        planted[bug.class_] += 1
        theirs[bug.class_] += is_found_elsewhere(bug)
        found = complaint(bug, episodes=episodes)
        ours[bug.class_] += bool(found)
        if not found:
            missed.append(bug)
    table = Table("class", "planted", "found", "found by the interfaces' own tests")
    for each in BugClass:
        table.add_row(each.value, *(str(n[each]) for n in (planted, ours, theirs)))
    table.add_row("all", *(str(n.total()) for n in (planted, ours, theirs)))
    console = Console(width=120)
    console.print(table)
    for bug in missed:
        console.print(f"missed: {bug.name}: {bug.says}")


if __name__ == "__main__":
    main()
