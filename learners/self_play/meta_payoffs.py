"""Meta-games of several players, by playing: what each snapshot earns among which others.

Seats are taken in all orders alike, so that the meta-game is symmetric: ``payoffs[a, b, c]`` is the
mean return of ``a`` among ``b`` and ``c``, in whatever order these are named.
"""

from itertools import combinations_with_replacement, permutations

import numpy as np

from gametheory_core.arrays import FloatArray, freeze
from gametheory_core.errors import UnsupportedGame
from learners.batches.game import BatchedGame
from learners.batches.sampled_play import plays_of
from learners.frozen import Table

MOST_PLAYERS = 5  # who sit in 120 orders
MOST_ENTRIES = 1_000_000


def grown_payoffs(
    environment: BatchedGame,
    known: FloatArray | None,
    tables: list[list[Table]],
    *,
    matches: int,
    seed: int,
) -> FloatArray:
    """Return the payoffs of a menagerie with one more, the last.

    Args:
        known (M - 1, ...): One axis a player; None for nobody.
        tables: For each of the ``M`` snapshots, how it plays in each seat, (O, A).
        matches: Episodes of each set of agents, rounded up to so many in each order of seats.
        seed: Of the episodes.

    Returns:
        (M, ...): Entries that are known are not sampled again.

    Raises:
        UnsupportedGame: If there are too many players, or entries.
    """
    players, count = len(environment.players), len(tables)
    if players > MOST_PLAYERS or count**players > MOST_ENTRIES:
        raise UnsupportedGame(
            needs=f"at most {MOST_PLAYERS} players, and {MOST_ENTRIES:,} entries of a meta-game",
            found=f"{count} snapshots and {players} players make {float(count) ** players:,.0f}",
            remedy="Take a scheme that needs no payoffs, such as DeltaUniform.",
        )
    payoffs = np.zeros((count,) * players)
    if known is not None:
        payoffs[(slice(0, count - 1),) * players] = known
    for others in combinations_with_replacement(range(count), players - 1):
        agents = (*others, count - 1)
        earned = _mean_returns(environment, agents, tables, matches=matches, seed=seed)
        for order in permutations(range(players)):
            payoffs[tuple(agents[k] for k in order)] = earned[agents[order[0]]]
    return freeze(payoffs)


def _mean_returns(
    environment: BatchedGame,
    agents: tuple[int, ...],
    tables: list[list[Table]],
    *,
    matches: int,
    seed: int,
) -> dict[int, float]:
    """Return what each of some agents earns among the others, all orders of seats alike."""
    orders = list(permutations(range(len(agents))))
    episodes = -(-matches // len(orders))
    sums = np.zeros(len(agents))
    for number, order in enumerate(orders):
        key = np.random.SeedSequence((seed, number, *agents)).generate_state(1)[0]
        seated = [tables[agents[place]][seat] for seat, place in enumerate(order)]
        returns, _ = plays_of(environment, seated, seed=int(key)).returns(episodes, 1)
        sums[list(order)] += returns.mean(axis=0)
    means = sums / len(orders)
    names = np.array(agents)
    return {agent: float(means[names == agent].mean()) for agent in set(agents)}
