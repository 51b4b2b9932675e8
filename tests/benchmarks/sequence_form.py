"""Zero-sum trees solved exactly: ours beside programs over the sequence form in other libraries.

Ours starts from the laid-out tree and includes the exact solution and its certificate. OpenSpiel
builds dense matrices from its rules and solves them in floats, here by HiGHS, since the solver that
it asks for is no longer installed with it; with six sides its matrices of liar's dice would take 5
GB each. Gambit starts from its own tree; on Leduc it needs over a minute in floats, and with three
sides of liar's dice over a minute in rationals, so that these are left out. Trees of up to half a
million sequences are measured by ``docs/examples/tree_sizes.py``.
"""

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from gametheory_core import ExtensiveFormGame
from gametheory_core.catalog import goofspiel, kuhn_poker, leduc_poker, liars_dice
from gametheory_core.conversions import separate_chance
from gametheory_core.formats import format_efg
from gametheory_core.strategies import sequence_form
from solvers import sequence_form_lp
from solvers._programs.linear import LinearProgram, solve_float
from solvers.trees.sequence_program import sequence_program
from tests.benchmarks.measure import Row, interleaved

SPIEL = "OpenSpiel sequence_form_lp, floats by HiGHS"
GAMBIT, GAMBIT_FLOATS = "Gambit lp_solve, rationals", "Gambit lp_solve, floats"
HIGHS = "HiGHS on our program, floats, no proof"


def ours(tree: ExtensiveFormGame) -> float:
    """Return the value; exact and certified, then rounded."""
    return float(sequence_form_lp(tree).certificate.game_value)


def ours_to_a_tolerance(tree: ExtensiveFormGame) -> float:
    """Return the middle of an interval of at most 1e-8 around the value."""
    return float(sequence_form_lp(tree, tolerance=1e-8).certificate.game_value)


def by_highs(program: LinearProgram) -> float:
    """Return the objective of the program in floats."""
    return float(solve_float(program).primal @ program.objective)


@contextmanager
def highs_for_open_spiel() -> Iterator[None]:
    """Let OpenSpiel's program be solved by HiGHS."""
    import cvxpy

    solve = cvxpy.Problem.solve
    cvxpy.Problem.solve = lambda problem, *_args, **_options: solve(problem, solver="HIGHS")
    try:
        yield
    finally:
        cvxpy.Problem.solve = solve


def by_open_spiel(name: str) -> float:
    """Return the value in floats."""
    import pyspiel
    from open_spiel.python.algorithms import sequence_form_lp as program

    with highs_for_open_spiel():
        return float(program.solve_zero_sum_game(pyspiel.load_game(name))[0])


def gambit_tree(tree: ExtensiveFormGame) -> Any:
    """Give a tree to Gambit."""
    import pygambit

    return pygambit.read_efg(io.StringIO(format_efg(separate_chance(tree).target)))


def by_gambit(tree: Any, *, rational: bool) -> float:
    """Return the value."""
    import pygambit

    (profile,) = pygambit.nash.lp_solve(tree, rational=rational).equilibria
    return float(profile.payoff(next(iter(tree.players))))


def small_contenders() -> dict[str, tuple[ExtensiveFormGame, dict[str, Callable[[], float]]]]:
    """Return trees by name, each with the peers that solve it in reasonable time."""
    kuhn, leduc, dice = kuhn_poker(), leduc_poker(), liars_dice(sides=3)
    kuhn_peer, dice_peer = gambit_tree(kuhn), gambit_tree(dice)
    return {
        "Kuhn poker": (
            kuhn,
            {
                SPIEL: partial(by_open_spiel, "kuhn_poker"),
                GAMBIT: partial(by_gambit, kuhn_peer, rational=True),
                GAMBIT_FLOATS: partial(by_gambit, kuhn_peer, rational=False),
            },
        ),
        "liar's dice, 3 sides": (
            dice,
            {
                SPIEL: partial(by_open_spiel, "liars_dice(numdice=1,dice_sides=3)"),
                GAMBIT_FLOATS: partial(by_gambit, dice_peer, rational=False),
            },
        ),
        "Leduc poker": (leduc, {SPIEL: partial(by_open_spiel, "leduc_poker")}),
    }


def large_contenders() -> dict[str, tuple[ExtensiveFormGame, dict[str, Callable[[], float]]]]:
    """Return the trees that only our own program in floats solves, or one peer slowly."""
    dice = liars_dice(sides=5)
    spiel = partial(by_open_spiel, "liars_dice(numdice=1,dice_sides=5)")
    found = {"liar's dice, 5 sides": (dice, {SPIEL: spiel})}
    for name, tree in (
        ("Leduc poker, 6 ranks", leduc_poker(ranks=6)),
        ("goofspiel, 5 cards", goofspiel(cards=5)),
        ("liar's dice, 6 sides", liars_dice(sides=6)),
        ("liar's dice, 2 dice of 3 sides", liars_dice(sides=3, dice=2)),
        ("Kuhn poker, 100 cards", kuhn_poker(cards=100)),
    ):
        floats = sequence_program(sequence_form(tree)).floats
        found[name] = (tree, {HIGHS: partial(by_highs, floats)})
    return found


def rows(*, rounds: int = 3) -> list[Row]:
    """Measure small trees beside all peers, large ones beside what is left."""
    found: list[Row] = []
    for name, (tree, peers) in {**small_contenders(), **large_contenders()}.items():
        best = interleaved({"ours": partial(ours, tree), **peers}, rounds=rounds)
        task = f"{name}: exact solution and certificate"
        found += [Row(task, best["ours"], peer, best[peer]) for peer in peers]
    tree = liars_dice(sides=6)
    best = interleaved({"1e-8": partial(ours_to_a_tolerance, tree)}, rounds=rounds)
    exact = [row for row in found if row.task.startswith("liar's dice, 6 sides")]
    task = "liar's dice, 6 sides: an interval of 1e-8, certified"
    return [*found, Row(task, best["1e-8"], "ours, exactly", exact[0].ours)]
