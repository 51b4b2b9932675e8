"""Bounds on commitment in iterated games: by frontiers, beside one program over histories.

No other library bounds or searches commitments in Markov games. The peer is what one would write
first: one linear program whose variables are histories, in floats by HiGHS through scipy,
exponential in the number of rounds; its time includes writing the program, as ours includes the
view of the game. Ours is exact. CPU seconds, the minimum over the rounds.
"""

from gametheory_core.catalog import ORDINAL_GAMES, iterated_game
from gametheory_core.leaders import leader_view
from solvers.leaders import commitment_upper_bound
from tests.benchmarks.measure import Row, interleaved
from tests.solvers.leaders.announced_commitment import announced_value

PEER = "scipy, one program over histories, floats"
DILEMMA = "prisoners_dilemma"


def view_of(name, rounds):
    """View an iterated game from its leader's side."""
    return leader_view(iterated_game(ORDINAL_GAMES[name](), rounds=rounds))


def ours(name: str, rounds: int) -> float:
    """Return the bound; exact, then rounded."""
    return float(commitment_upper_bound(view_of(name, rounds)).upper_bound)


def ours_verified(name: str, rounds: int) -> None:
    """Verify the bound once more, as a third party would."""
    commitment_upper_bound(view_of(name, rounds)).verify()


def by_histories(name: str, rounds: int) -> float:
    """Return the bound in floats."""
    return announced_value(view_of(name, rounds))


def rows(*, lengths: tuple[int, ...] = (3, 4, 5, 6), rounds: int = 3) -> list[Row]:
    """Measure the dilemma by its length."""
    found: list[Row] = []
    for length in lengths:
        best = interleaved(
            {
                "bound": lambda length=length: ours(DILEMMA, length),
                "bound, verified": lambda length=length: ours_verified(DILEMMA, length),
                PEER: lambda length=length: by_histories(DILEMMA, length),
            },
            rounds=rounds,
        )
        theirs = best.pop(PEER)
        found += [
            Row(f"{name}, iterated dilemma, {length} rounds", seconds, PEER, theirs)
            for name, seconds in best.items()
        ]
    return found
