"""One cap on memory: where it comes from, who may set it, and what asks for more is told."""

import subprocess
import sys

import pytest

import gametheory_core as gt
from gametheory_core import memory
from gametheory_core.memory import (
    SHARE,
    UNKNOWN,
    default_cap,
    growth_limit,
    in_units,
    memory_cap,
    memory_limit,
    require_memory,
)


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine of 4,000 bytes, whose container has a folder of its own."""
    monkeypatch.setattr(memory, "GROUP", tmp_path)
    monkeypatch.setattr(memory.os, "sysconf", lambda name: 40 if name.endswith("PAGES") else 100)
    return tmp_path


def test_default_is_a_quarter_of_the_machine(machine):
    assert SHARE == 4
    assert default_cap.__wrapped__() == 1_000


@pytest.mark.parametrize("name", ["memory.max", "memory/memory.limit_in_bytes"])
def test_container_may_have_less(machine, name):
    (machine / "memory").mkdir()
    (machine / name).write_text("800\n")
    assert default_cap.__wrapped__() == 200


@pytest.mark.parametrize("limit", ["max\n", f"{2**63 - 4096}\n", ""])
def test_container_without_a_limit_leaves_all(machine, limit):
    (machine / "memory.max").write_text(limit)
    assert default_cap.__wrapped__() == 1_000


def test_where_nobody_knows_a_guess_is_taken(machine, monkeypatch):
    def unknown(name):
        raise ValueError(name)

    monkeypatch.setattr(memory.os, "sysconf", unknown)
    assert default_cap.__wrapped__() == UNKNOWN // SHARE


def test_limit_holds_inside_and_no_longer():
    before = memory_cap()
    with memory_limit(1_000):
        with memory_limit(2_000):
            assert memory_cap() == 2_000
        with memory_limit(None):
            assert memory_cap() == 1_000
    assert memory_cap() == before


def test_what_fits_exactly_is_not_refused():
    with memory_limit(1_000):
        require_memory(1_000, what="a table")
        with pytest.raises(
            gt.UnsupportedGame, match="1001 bytes .* a table, but at most 1000 bytes"
        ):
            require_memory(1_001, what="a table")


def test_growth_is_refused_from_the_cap_on(monkeypatch):
    held = iter([5_000, 6_000, 6_001])
    monkeypatch.setattr(memory, "resident_memory", lambda: next(held))
    with memory_limit(1_000):
        require_room = growth_limit(what="a tree", remedy="Cut it.")
    require_room()
    words = (
        r"at most 1000 bytes of memory for a tree, but it takes more. Cut it. Or .* memory_limit"
    )
    with pytest.raises(gt.UnsupportedGame, match=words):
        require_room()


@pytest.mark.parametrize("limit", [0, -1, 1.5, True, "1G"])
def test_limits_are_whole_numbers_of_bytes(limit):
    with pytest.raises(gt.InvalidArgument, match="whole number of bytes"), memory_limit(limit):
        pass


LARGE = """
from gametheory_core.memory import resident_memory
before = resident_memory()
held = bytearray(b"1") * 100_000_000
print(resident_memory() - before)
"""


def test_a_large_array_is_seen_in_what_the_process_holds():
    """In a process of its own: one that has freed much grows no more."""
    command = [sys.executable, "-c", LARGE]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True)
    assert int(ran.stdout) > 90_000_000


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 bytes"), (1_536, "1.5 KiB"), (2**31, "2 GiB"), (1e300, "more than")]
)
def test_bytes_are_written_with_units(count, text):
    assert in_units(count).startswith(text)
