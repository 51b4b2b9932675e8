"""Games whose pages are opened in a browser, some of them with labels that try to get out."""

from fractions import Fraction

import pytest

from gametheory_core import Chance, Decision, NormalFormGame, Terminal, from_sketch, load_game
from solvers import Budget
from solvers.explorer import explore

EVIL = "</script><script>window.hacked = true</script><img src=x onerror='window.hacked = true'>"


def evil_matrix():
    long = "a label that is so long that no table has room for it on one line, and says so"
    return NormalFormGame.bimatrix(
        [[Fraction(10**40 + 1, 3**50), -1], ["1/7", 2]],
        [[1, 0], [0, 1]],
        players=[EVIL, "日本 ünï"],
        actions=[[EVIL, long], [EVIL, "é"]],
        title=EVIL,
    )


def evil_tree():
    after = Decision(1, "", {EVIL: Terminal([0, 0])})
    first = Decision(0, EVIL, {EVIL: Terminal([Fraction(1, 10**25), 1]), "ü": after})
    drawn = {EVIL: (Fraction(1, 3), first), "b": (Fraction(2, 3), Terminal([3, 1]))}
    return from_sketch(Chance(drawn), players=(EVIL, "B"), title=EVIL)


def large_matrix():
    payoffs = [[(7 * a * a + 13 * b * b + a * b) % 97 for b in range(100)] for a in range(100)]
    return NormalFormGame.bimatrix(payoffs, [row[::-1] for row in payoffs], title="large")


GAMES = {
    "evil matrix": evil_matrix,
    "evil tree": evil_tree,
    "large matrix": large_matrix,
    "four players": lambda: NormalFormGame.from_payoffs([[[[[0] * 5] * 4] * 2] * 2] * 4),
    "one player": lambda: NormalFormGame.from_payoffs([[3, 1, 2]]),
}


ENDLESS = ("large matrix", "centipede:rounds=40")  # of which not all equilibria are found


@pytest.fixture(scope="package")
def pages(tmp_path_factory):
    """Return the game of a name, and the file of its page, which is made once."""
    folder, made = tmp_path_factory.mktemp("pages"), {}

    def page_of(name):
        if name not in made:
            game = GAMES.get(name, lambda: load_game(name))()
            path = folder / f"{len(made)}.html"
            budget = Budget(seconds=4 if name in ENDLESS else 100)
            made[name] = (game, explore(game, budget=budget).save(path))
        return made[name]

    return page_of


@pytest.fixture
def opened(browser, pages):
    """Open the page of a game."""

    def open_page(name, **options):
        game, path = pages(name)
        browser.errors.clear()
        browser.requests.clear()
        browser.open(path, **options)
        return game

    return open_page
