"""Any parameter of any game of the catalogue is answered or refused, soon and in little memory."""

import json
import subprocess
import sys

import pytest

from gametheory_core import InvalidArgument, catalog, load_game

# One process for all, since most of the time is what Python takes to start. A request may take so
# many seconds of processor time and so many bytes.
ASKING = """
import json, resource, signal
from gametheory_core import GameTheoryError, catalog

SECONDS, BYTES = 4.0, 2**30  # twice what is promised: other work slows a machine down
TEXTS = ("1000000000", "1000000", "1000", "0", "-1", "0.5", "word", "", "9" * 5000)
OBJECTS = (10**5000, 10**9, 10**6, -1, 0.5, float("nan"), None, True, "word", "", [])


class TooLong(Exception):
    pass


def stop(*_):
    raise TooLong


def faults(name, key, value, build):
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        build()
    except GameTheoryError:
        pass
    except BaseException as error:
        return [f"{name}:{key}={str(type(value))}: {type(error).__name__}: {error}"]
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return []


signal.signal(signal.SIGVTALRM, stop)
entries = catalog.catalog()
catalog.load("pigou")
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + BYTES, used + BYTES))
asked, found = 0, []
for name, entry in entries.items():
    for key in entry.parameters:
        for text in TEXTS:
            asked += 1
            found += faults(name, key, text, lambda: catalog.load(f"{name}:{key}={text}"))
        for value in OBJECTS:
            found += faults(name, key, value, lambda: entry.build(**{key: value}))
print(json.dumps([asked, found]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of resources are those of Linux")
def test_any_value_of_any_parameter_is_answered_or_refused():
    ran = subprocess.run(
        [sys.executable, "-c", ASKING], capture_output=True, text=True, timeout=600, check=True
    )
    asked, faults = json.loads(ran.stdout)
    parameters = sum(len(entry.parameters) for entry in catalog.catalog().values())
    assert asked == 9 * parameters > 800
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    ("specification", "message"),
    [
        ("ring_of_pennies:players=1000000000", "at most 1,000,000 numbers.* ask for 8,000,000,000"),
        ("security_ring:exits=1000", "ask for 24,000,000"),
        ("pigou:players=1000000", "ask for 2,000,000. Choose smaller"),
        ("oshi_zumo:coins=1000", "coins to be an integer from 1 to 100"),
    ],
)
def test_what_is_too_large_is_refused_with_its_size(specification, message):
    with pytest.raises(InvalidArgument, match=message):
        load_game(specification)


def test_what_fits_is_made():
    assert load_game("ring_of_pennies:players=1000").num_players == 1000
    assert load_game("el_farol:players=10000").num_players == 10000
