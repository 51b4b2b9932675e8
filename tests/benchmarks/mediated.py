"""Rounds of agents and mediator on the paper's eight games: ours beside plain recursion.

No library has mediated games, so the peer is the update written down with dictionaries and
``Fraction`` (``plain_mediated``), which does without a certificate. Ours includes the certificate,
and is measured with it verified once more, too.
"""

from fractions import Fraction

from gametheory_core import mediation
from solvers.mediation import jam_value_iteration
from tests.benchmarks.measure import Row, interleaved
from tests.benchmarks.plain_mediated import PlainRounds

PEER = "dictionaries and Fractions, no certificate"
MAKERS = (
    mediation.mediated_prisoners_dilemma,
    mediation.mediated_chicken,
    mediation.resource_collection_one_color,
    mediation.resource_collection_two_colors,
)


def eight_games(*, players: tuple[int, ...] = (2, 4)) -> list[mediation.MediatedGame]:
    """Build the games of the paper, for each number of players."""
    return [make(players=count) for count in players for make in MAKERS]


def ours(games: list[mediation.MediatedGame]) -> list[Fraction]:
    """Return how fair each limit is, certified."""
    return [jam_value_iteration(game).fairness for game in games]


def ours_verified(games: list[mediation.MediatedGame]) -> None:
    """Verify each certificate once more, as a third party would."""
    for game in games:
        found = jam_value_iteration(game).solution
        if found is not None:
            found.certificate.verify()


def by_recursion(games: list[mediation.MediatedGame]) -> list[Fraction]:
    """Return the same by plain recursion."""
    return [PlainRounds(game).run()[-1][-1] for game in games]


def rows(*, players: tuple[int, ...] = (2, 4), rounds: int = 2) -> list[Row]:
    """Measure all games together, and each of the two large ones."""
    games = eight_games(players=players)
    tasks = {
        f"{len(games)} games together": games,
        "dilemma of most players": [mediation.mediated_prisoners_dilemma(players=players[-1])],
        "Chicken of most players": [mediation.mediated_chicken(players=players[-1])],
    }
    found: list[Row] = []
    for task, chosen in tasks.items():
        best = interleaved(
            {
                "certified": lambda chosen=chosen: ours(chosen),
                "certified and verified": lambda chosen=chosen: ours_verified(chosen),
                PEER: lambda chosen=chosen: by_recursion(chosen),
            },
            rounds=rounds,
        )
        peer = best.pop(PEER)
        found += [Row(f"{task}, {name}", seconds, PEER, peer) for name, seconds in best.items()]
    return found
