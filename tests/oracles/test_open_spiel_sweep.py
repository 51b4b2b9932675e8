"""OpenSpiel's games are read as OpenSpiel plays them, and docs/open-spiel.md says which."""

import pytest

pytestmark = pytest.mark.peer
pyspiel = pytest.importorskip("pyspiel")
MOST_QUICK = 700  # nodes
MOST_GROWTH = 50  # MiB, of a game that is refused


@pytest.fixture(scope="module")
def written():
    """The lines of the page, if it is of this OpenSpiel."""
    from importlib.metadata import version

    from tests.oracles.open_spiel_sweep import PAGE

    text = PAGE.read_text(encoding="utf-8")
    if f"OpenSpiel {version('open_spiel')} " not in text:
        pytest.skip("the page is of another version of OpenSpiel")
    return text.splitlines()


def check(findings, written):
    from tests.oracles.open_spiel_sweep import row

    assert [(found.game, found.fault) for found in findings if found.fault] == []
    stale = [row(found) for found in findings if row(found) not in written]
    assert stale == [], "run: python -m tests.oracles.open_spiel_sweep"


def test_quick_games_are_read_as_the_page_says(written):
    """Those with few nodes, and those that are refused."""
    from tests.oracles.open_spiel_sweep import game_names, shown, sweep

    names = {shown(name): name for name in game_names()}
    cells = [line.split(" | ") for line in written if line.startswith("| `")]
    sizes = {row[0].removeprefix("| "): row[1].replace(",", "") for row in cells}
    quick = [
        names[name]
        for name, size in sizes.items()
        if size.startswith("needs") or (size.isdigit() and int(size) <= MOST_QUICK)
    ]
    assert len(quick) > 100
    findings = sweep(quick)
    assert [found.game for found in findings] == quick
    check(findings, written)


@pytest.mark.slow
def test_all_games_are_read_as_the_page_says(written):
    from tests.oracles.open_spiel_comparison import LAID_OUT
    from tests.oracles.open_spiel_sweep import game_names, page, sweep

    findings = sweep(game_names())
    check(findings, written)
    assert page(findings).splitlines() == written
    refused = {found.game: found.growth for found in findings if found.tree != LAID_OUT}
    assert {game: grown for game, grown in refused.items() if grown > MOST_GROWTH} == {}


def test_page_has_every_game_that_open_spiel_registers(written):
    from tests.oracles.open_spiel_sweep import game_names

    names = {name.partition("(")[0] for name in game_names()}
    rows = [line.split("`")[1] for line in written if line.startswith("| `")]
    assert {name.partition("(")[0] for name in rows} == names
    theirs = {n for n in pyspiel.registered_names() if not n.startswith(("crooked", "ours_"))}
    assert theirs <= names


@pytest.mark.parametrize(
    ("oddity", "how"), [("crash", "SIGSEGV"), ("abort", "SIGABRT"), ("broken text", "")]
)
def test_end_of_the_process_inside_open_spiel_names_the_game_and_the_history(oddity, how):
    from tests.oracles.open_spiel_sweep import sweep

    game = f"crooked(oddity={oddity})"
    imports = ("open_spiel.python.games", "tests.core.adapters.crooked_game")
    odd, after = sweep([game, "kuhn_poker"], imports=imports)
    assert odd.game == game
    if how:
        assert odd.fault == f"OpenSpiel ends the process with {how}, after [0, 0, 0]"
    else:
        assert odd.tree.startswith("needs answers from OpenSpiel, but it fails after [0]: ZeroDiv")
    assert (after.game, after.fault) == ("kuhn_poker", "")
