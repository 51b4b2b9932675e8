"""Matches of bots for repeated rock-paper-scissors: our compiled loop and OpenSpiel's two ways.

A number is CPU seconds of one match of so many throws, the minimum over the rounds; ours is the
mean of many, as one is too short to be measured. OpenSpiel's bots are compiled, too; its loop of
Python asks each for a throw and applies both to the state, as its own evaluation of these bots
does. Bots of one row do the same, but for forecasters: those of each side that are nearest.
"""

from functools import partial
from typing import Any

from learners.roshambo import embedded_population, play_match
from tests.benchmarks.measure import Row, interleaved

LOOP = "OpenSpiel: bots in C++, loop in Python"
ADAPTER = "`play_match` of `OpenSpielBot`s"
PAIRS = {  # our two bots, and OpenSpiel's
    "a reply to the last throw, and a cycle": (("beat", "cycle_up"), ("copybot", "rotatebot")),
    "a reply to the last throw, and random": (("beat", "uniform"), ("copybot", "randbot")),
    "two forecasters": (("rotations", "match_both"), ("iocainebot", "phasenbott")),
}


def ours(names: tuple[str, str], throws: int, *, matches: int = 1) -> Any:
    """Return a function that plays matches of two bots, and returns what the first is paid."""
    first, second = (embedded_population()[name]() for name in names)

    def played() -> int:
        for _ in range(matches):
            match = play_match(first, second, throws=throws, seeds=(1, 2))
        return match.returns[0]

    return played


def by_loop(names: tuple[str, str], throws: int) -> float:
    """Play a match as OpenSpiel does."""
    import pyspiel

    game = pyspiel.load_game(f"repeated_game(stage_game=matrix_rps(),num_repetitions={throws})")
    bots = [pyspiel.make_roshambo_bot(player, name, throws) for player, name in enumerate(names)]
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_actions([bot.step(state) for bot in bots])
    return state.returns()[0]


def by_adapter(names: tuple[str, str], throws: int) -> Any:
    """Return a function that plays matches of two bots through our adapter."""
    from learners.adapters import OpenSpielBot

    first, second = (OpenSpielBot(name, throws=throws) for name in names)
    return lambda: play_match(first, second, throws=throws, seeds=(1, 2)).returns[0]


def rows(*, throws: int = 1000, matches: int = 100, rounds: int = 20) -> list[Row]:
    """Measure each pair of bots."""
    found: list[Row] = []
    for task, (own, theirs) in PAIRS.items():
        best = interleaved(
            {
                "ours": ours(own, throws, matches=matches),
                LOOP: partial(by_loop, theirs, throws),
                ADAPTER: by_adapter(theirs, throws),
            },
            rounds=rounds,
        )
        named = f"{task}: {throws:,} throws"
        found += [Row(named, best["ours"] / matches, peer, best[peer]) for peer in (LOOP, ADAPTER)]
    return found
