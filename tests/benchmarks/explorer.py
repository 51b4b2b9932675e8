"""Pages to explore: how soon a browser shows them, beside a page of the smallest game.

Seconds of the clock, from the beginning of navigation until the page says that it is ready.
"""

import tempfile
from pathlib import Path

from gametheory_core import load_game
from solvers.explorer import explore
from tests.benchmarks.measure import Row
from tests.browser import CHROMIUM, Browser

SMALLEST = "matching_pennies"
GAMES = ("kuhn_poker", "liars_dice", "leduc_poker", "leduc_poker:ranks=4")


def rows(*, games: tuple[str, ...] = GAMES, rounds: int = 7) -> list[Row]:
    """Open each page in turn with the smallest; nothing where there is no Chromium."""
    if not CHROMIUM:
        return []
    found: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: Path(folder) / f"{k}.html" for k, name in enumerate((SMALLEST, *games))}
        for name, path in paths.items():
            explore(name, concepts=["nash"]).save(path)
        browser = Browser(Path(folder) / "profile")
        try:
            for name in games:
                own = min(_seconds(browser, paths[name]) for _ in range(rounds))
                least = min(_seconds(browser, paths[SMALLEST]) for _ in range(rounds))
                size = paths[name].stat().st_size / 1e6
                task = f"page of {load_game(name)!r}, {size:.2f} MB"
                found.append(Row(task, own, f"page of {SMALLEST}", least))
        finally:
            browser.close()
    return found


def _seconds(browser: Browser, path: Path) -> float:
    browser.open(path)
    return float(browser.first("html", "own.dataset.ready")) / 1000
