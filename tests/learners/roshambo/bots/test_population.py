"""The population: who is in it, who is held out, and that the page says so."""

import re
import zlib
from pathlib import Path

import numpy as np
import pytest

from gametheory_core import InvalidArgument
from learners.roshambo import embedded_population, held_out_bots
from learners.roshambo.bots import CompiledBot, embedded_bot, embedded_bots
from learners.roshambo.bots.population import HELD_OUT_SEED

DOCS = Path(__file__).parents[4] / "docs"
PAGE = (DOCS / "roshambo.md").read_text(encoding="utf-8")


def test_each_bot_has_a_name_of_its_own_and_says_what_it_does():
    recipes = embedded_bots()
    names = [recipe.name for recipe in recipes]
    assert len(set(names)) == len(names) == len(embedded_population()) >= 40
    assert len({recipe.idea for recipe in recipes}) == len(recipes)
    assert len({recipe.family.name for recipe in recipes}) >= 20
    for name, maker in embedded_population().items():
        bot = maker()
        assert isinstance(bot, CompiledBot)
        assert bot.name == name
        assert bot is not maker()
    with pytest.raises(InvalidArgument, match="name of an embedded bot, but got 'nobody'"):
        embedded_bot("nobody")


def test_held_out_bots_are_those_of_the_draw():
    """By the formula on the page: the smallest of numbers that belong to names."""
    assert f"seed {HELD_OUT_SEED}" in PAGE
    lots = {}
    for name in embedded_population():
        key = [zlib.crc32(part.encode()) for part in ("held out", name)]
        seeds = np.random.SeedSequence(HELD_OUT_SEED, spawn_key=key)
        lots[name] = np.random.Generator(np.random.PCG64(seeds)).random()
    expected = sorted(sorted(lots, key=lambda name: lots[name])[:24])
    assert list(held_out_bots()) == expected
    assert len(set(expected)) == 24


def test_the_page_has_each_bot_and_says_who_is_held_out():
    table = PAGE.partition("### Who is in it")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)`( \*)? \| (.*?) \| .*\|$", table, re.MULTILINE)
    assert [(name, idea) for name, _, idea in rows] == [(r.name, r.idea) for r in embedded_bots()]
    assert sorted(name for name, star, _ in rows if star) == list(held_out_bots())


def test_sources_are_in_the_list_of_references():
    known = set(re.findall(r"^@\w+\{(\w+),", (DOCS / "references.bib").read_text(), re.MULTILINE))
    cited = {key for recipe in embedded_bots() for key in recipe.source}
    assert len(cited) > 15
    assert cited <= known
