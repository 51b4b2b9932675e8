"""Free memory is read from the machine and from the limit of its container."""

import pytest

from gametheory_core.games import tree_layout as module
from gametheory_core.games.tree_layout import UNKNOWN, free_memory


@pytest.fixture
def machine(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(module, "GROUP", tmp_path)
    return tmp_path


def test_machine_says_what_is_available(machine):
    (machine / "meminfo").write_text("MemTotal: 9000 kB\nMemFree: 1 kB\nMemAvailable:    5000 kB\n")
    assert free_memory() == 5000 * 1024


@pytest.mark.parametrize(("used", "free"), [("400000", 600_000), ("2000000", 1)])
def test_container_may_leave_less(machine, used, free):
    (machine / "meminfo").write_text("MemAvailable: 5000 kB\n")
    (machine / "memory.max").write_text("1000000\n")
    (machine / "memory.current").write_text(f"{used}\n")
    assert free_memory() == free


def test_container_without_a_limit_leaves_all(machine):
    (machine / "meminfo").write_text("MemAvailable: 5000 kB\n")
    (machine / "memory.max").write_text("max\n")
    (machine / "memory.current").write_text("400000\n")
    assert free_memory() == 5000 * 1024


def test_where_nobody_knows_a_guess_is_taken(machine, monkeypatch):
    monkeypatch.delattr(module.os, "sysconf")
    assert free_memory() == UNKNOWN


def test_this_machine_has_some():
    assert 2**20 < free_memory() < 2**50
