"""Bosansky and Cermak's (2015) mixed-integer program for commitment in trees, in floats, by HiGHS.

Columns are the probabilities of ends of play, the leader's weights of sequences, the follower's
(integers), what the follower gets below each own information set, and what each sequence of the
follower falls short of the best by, which the big constant exceeds.
"""

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array

from gametheory_core import ExtensiveFormGame
from gametheory_core.strategies import sequence_form
from gametheory_core.strategies.sequences import PlayerSequences


def payoff_by_program(game: ExtensiveFormGame, *, leader: int = 0) -> float:
    """Return what the leader gets from an optimal commitment, ties broken for the leader."""
    form = sequence_form(game)
    own, other = form.players[leader], form.players[1 - leader]
    at_end = form.terminal_sequences[[leader, 1 - leader]]
    chance = form.chance_weight.astype(np.float64)
    gains, prizes = (game.terminal_payoffs[:, i] * chance for i in (leader, 1 - leader))
    ends, sets = len(chance), len(other.infosets)
    sizes = [ends, own.num_sequences, other.num_sequences, 1 + sets, other.num_sequences]
    end, lead, follow, value, slack = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    rows = _Rows()
    for start, player in ((lead, own), (follow, other)):
        rows.add([(start, 1.0)], 1.0, 1.0)
        for k, parent in enumerate(player.parent_sequence):
            below = range(player.first_sequence[k], player.first_sequence[k + 1])
            rows.add([(start + parent, -1.0), *((start + s, 1.0) for s in below)], 0.0, 0.0)
    for z in range(ends):
        rows.add([(end + z, 1.0), (lead + at_end[0, z], -1.0)], -np.inf, 0.0)
        rows.add([(end + z, 1.0), (follow + at_end[1, z], -1.0)], -np.inf, 0.0)
    rows.add([(end + z, chance[z]) for z in range(ends)], 1.0, 1.0)
    ends_at = _ends_at(other)
    most = 1.0 + np.abs(prizes).sum()
    for s in range(other.num_sequences):
        under = [(value + 1 + k, -1.0) for k in np.flatnonzero(other.parent_sequence == s)]
        paid = [(lead + at_end[0, z], -prizes[z]) for z in np.flatnonzero(at_end[1] == s)]
        terms = [(value + ends_at[s], 1.0), (slack + s, -1.0), *under, *paid]
        rows.add(terms, 0.0, 0.0)
        rows.add([(slack + s, 1.0), (follow + s, most)], -np.inf, most)
    low, high = np.zeros(sum(sizes)), np.ones(sum(sizes))
    low[value:slack], high[value:] = -np.inf, np.inf
    whole = np.zeros(sum(sizes))
    whole[follow:value] = 1
    objective = np.zeros(sum(sizes))
    objective[:ends] = -gains
    found = milp(
        objective,
        integrality=whole,
        bounds=Bounds(low, high),
        constraints=rows.constraint(sum(sizes)),
    )
    return -float(found.fun)


def _ends_at(own: PlayerSequences) -> list[int]:
    """Return for each sequence 0 if it is empty, else one more than its own information set."""
    counts = np.diff(own.first_sequence)
    return [0, *np.repeat(np.arange(1, len(counts) + 1), counts).tolist()]


class _Rows:
    """Constraints under construction."""

    def __init__(self) -> None:
        self.terms: list[tuple[int, int, float]] = []
        self.low: list[float] = []
        self.high: list[float] = []

    def add(self, terms: list[tuple[int, float]], low: float, high: float) -> None:
        """Append one row; terms of one column add up."""
        self.terms += [(len(self.low), column, factor) for column, factor in terms]
        self.low.append(low)
        self.high.append(high)

    def constraint(self, num_columns: int) -> LinearConstraint:
        """Return all rows."""
        rows, columns, factors = zip(*self.terms, strict=True)
        shape = (len(self.low), num_columns)
        return LinearConstraint(
            coo_array((factors, (rows, columns)), shape=shape).tocsr(), self.low, self.high
        )
