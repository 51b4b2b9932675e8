"""What a table may take is read from the machine, the limit of its container, and the user."""

import pytest

from gametheory_core import InvalidArgument, UnsupportedGame
from gametheory_core import memory as module
from gametheory_core.memory import UNKNOWN, memory_cap, memory_left, memory_limit, require_memory


@pytest.fixture
def machine(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(module, "GROUP", tmp_path)
    return tmp_path


def test_the_cap_is_a_quarter_of_the_machine(machine):
    text = "MemTotal: 8000 kB\nMemFree: 1 kB\nMemAvailable:    5000 kB\n"
    (machine / "meminfo").write_text(text)
    assert memory_cap() == memory_left() == 2000 * 1024
    (machine / "meminfo").write_text(text.replace("5000", "1500"))
    assert (memory_cap(), memory_left()) == (2000 * 1024, 1500 * 1024)


@pytest.mark.parametrize(
    ("used", "left"), [("400000", 250_000), ("900000", 100_000), ("2000000", 1)]
)
def test_a_container_may_leave_less(machine, used, left):
    (machine / "meminfo").write_text("MemTotal: 8000 kB\nMemAvailable: 5000 kB\n")
    (machine / "memory.max").write_text("1000000\n")
    (machine / "memory.current").write_text(f"{used}\n")
    assert (memory_cap(), memory_left()) == (250_000, left)


def test_a_container_without_a_limit_leaves_all(machine):
    (machine / "meminfo").write_text("MemTotal: 8000 kB\nMemAvailable: 5000 kB\n")
    (machine / "memory.max").write_text("max\n")
    (machine / "memory.current").write_text("400000\n")
    assert memory_left() == 2000 * 1024


def test_where_nobody_knows_a_guess_is_taken(machine, monkeypatch):
    monkeypatch.delattr(module.os, "sysconf")
    assert memory_cap() == UNKNOWN // 4


def test_this_machine_has_some():
    assert 2**20 < memory_left() <= memory_cap() < 2**50


def test_what_is_said_holds_inside_and_innermost():
    usual = memory_cap()
    with memory_limit(5000):
        with memory_limit(None):
            assert memory_cap() == 5000
        with memory_limit(10**15):
            assert memory_cap() == 10**15
            assert memory_left() < 10**15  # no machine has it
        assert memory_left() == 5000
    assert memory_cap() == usual


@pytest.mark.parametrize("wrong", [0, -1, 1.5, "1 GB", True])
def test_a_limit_is_a_number_of_bytes(wrong):
    with pytest.raises(InvalidArgument, match="memory"), memory_limit(wrong):
        pass


def test_a_table_that_is_too_large_is_refused():
    with memory_limit(3 * 2**20):
        require_memory(3 * 2**20, what="a table", remedy="Take a smaller one.")
        with pytest.raises(UnsupportedGame, match=r"3\.5 MiB.*a table.*at most 3 MiB.*memory="):
            require_memory(7 * 2**19, what="a table", remedy="Take a smaller one.")
