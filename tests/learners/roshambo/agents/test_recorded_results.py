"""The page of the agents shows what was recorded, and nothing else."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(ROOT / "docs" / "examples" / "roshambo_agents.py"))


def test_page_has_the_table_of_the_recorded_matches(script):
    lines = list(script["table"](script["results"]()))
    page = (ROOT / "docs" / "roshambo-agents.md").read_text(encoding="utf-8")
    assert "\n".join(lines) in page
    assert len(lines) > 20


def test_scores_are_those_of_the_evaluation(script, tmp_path, monkeypatch):
    """Sums and sums of squares give what ``PopulationScores`` gives."""
    from learners.roshambo import PopulationScores

    returns = {"a": [3, -1, 4, 1, -5], "b": [9, 2, -6, 5, 3], "c": [-5, -8, 9, -7, -9]}
    lines = [",".join(script["COLUMNS"])]
    for bot, paid in returns.items():
        cells = ("x", "", 1, len(paid), bot, sum(paid), sum(p * p for p in paid), sum(paid[::2]))
        lines.append(",".join(map(str, cells)))
    file = tmp_path / "agents.csv"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    monkeypatch.setitem(script["results"].__globals__, "DATA", file)
    scores = PopulationScores(tuple(returns), list(returns.values()))
    assert script["results"]()["x"].tolist() == pytest.approx(
        [
            scores.population_return,
            scores.population_return_error,
            scores.within_population_exploitability,
            scores.cross_fitted_exploitability,
        ]
    )
