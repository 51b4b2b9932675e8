"""All pairs of OpenSpiel's bots as played here, against the published table.

``recorded_pairs.json`` is of ``tournament --all --episodes 125 --seed 20261130``, without halves.
"""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from learners.adapters import open_spiel_population
from learners.roshambo import PayoffTable, tournament
from tests.learners.roshambo.published_table import published_table

RECORD = Path(__file__).with_name("recorded_pairs.json")
SEED = 20261130
PAIRS = [  # a deterministic one, one that consumes draws when made, a slow one, one of rare turns
    ("rotatebot", "copybot"),
    ("shofar", "randbot"),
    ("greenberg", "switchbot"),
    ("freqbot2", "russrocker4"),
]


@cache
def recorded():
    return PayoffTable.from_json(RECORD.read_text(encoding="utf-8"), name=RECORD.name)


@pytest.mark.parametrize(("agent", "bot"), PAIRS)
def test_recorded_cells_are_played_again(agent, bot):
    table, everybody = recorded(), open_spiel_population()
    found = tournament(
        {agent: everybody[agent]}, {bot: everybody[bot]}, episodes=table.matches, seed=SEED
    )
    assert found.table.means[0, 0] == table.means_of(agent)[bot]


def test_recorded_means_are_the_published_ones_up_to_chance():
    published, table = published_table(), recorded()
    assert (table.agents, table.bots) == (published.agents, published.bots)
    errors, gaps = table.standard_errors, table.means - published.means
    is_sure = errors == 0
    assert 30 < is_sure.sum() < 100
    assert np.abs(gaps[is_sure]).max() < 1e-3
    inflated = np.sqrt(1 + table.matches / published.matches)
    z = gaps[~is_sure] / (errors[~is_sure] * inflated)
    assert abs(z.mean()) < 0.1
    assert 0.92 < (np.abs(z) < 1.96).mean() < 0.97
    assert np.abs(z).max() < 5
    assert 0.95 < z.std() < 1.05


def test_recorded_population_returns_are_the_published_ones():
    published, table = published_table(), recorded()
    for agent in table.agents:
        own, theirs = table.standing(agent), published.standing(agent)
        gap = own.population_return - theirs.population_return
        assert abs(gap) < 4 * own.standard_error * np.sqrt(1 + table.matches / published.matches)
    best = [own.agent for own in table.ranking()[:2]]
    assert best == ["greenberg", "iocainebot"]
