"""The sequence form of a two-player tree as a complementarity problem with a path to follow.

With ``A`` and ``B`` (sequences of player 0 x sequences of player 1) what the players are paid,
``E x = e`` and ``F y = f`` the constraints on their plans, and a *prior* ``(s, t)``, let the weight
``z`` go from 1 to 0 (von Stengel, van den Elzen and Talman 2002):

    E x = e (1 - z),   x >= 0,   r = E'p - A (y + t z)  >= 0,   x'r = 0,
    F y = f (1 - z),   y >= 0,   c = F'q - B'(x + s z)  >= 0,   y'c = 0.

So ``(x + s z, y + t z)`` is a pair of plans of which ``x`` and ``y`` hold best replies only: at
``z = 1`` it is the prior, at ``z = 0`` an equilibrium. The empty sequences are always played, and
are left out; ``p`` and ``q`` are solved for.

Each row states that a *basic* variable plus a linear form in the others is a constant. Rows are
sparse, with integer coefficients, known up to a positive factor. At the start ``z = 1``, basic are
the best replies to the prior, which have weight 0, and the slacks ``r`` and ``c`` of the rest.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from gametheory_core.arrays import scaled_integers
from gametheory_core.evaluation.collected_payoffs import merged_payoffs
from gametheory_core.strategies.sequences import PlayerSequences, RealizationPlan, SequenceForm

RIGHT = -1  # where a row has its constant

Row = dict[int, int]  # variable -> coefficient; what is not there is zero


@dataclass(frozen=True)
class Start:
    """The rows at ``z = 1``, where a path starts.

    Variables ``0 .. size - 1`` are sequences of player 0, then of player 1, the empty ones left
    out; ``size + k`` is the slack of sequence ``k``; ``2 * size`` is at first ``1 - z``, later
    ``z``.

    Attributes:
        rows: One for each basic variable, whose own coefficient is 1.
        basic: The basic variable of each row.
        size: Number of sequences, the empty ones left out.
        order: The variables that are basic here, by falling size of their infinitesimals: constants
            are taken to have the infinitesimal of the row's basic variable added, which breaks
            every tie. Slacks come first, so that replies to the prior are unique, then sequences,
            later ones before earlier ones.
        units: What slacks of each sequence are measured in, so that coefficients in floats are near
            1.
    """

    rows: list[Row]
    basic: list[int]
    size: int
    order: tuple[int, ...]
    units: list[int]

    @property
    def weight(self) -> int:
        """The variable of the prior's weight."""
        return 2 * self.size


@dataclass(frozen=True)
class _Side:
    """One player's part: sequence ``k`` is variable ``shift + k``."""

    own: PlayerSequences
    shift: int
    payoffs: list[dict[int, int]]  # of own sequence, by the opponent's sequence
    replies: list[int]  # best reply to the prior at each own information set, as a sequence
    parents: list[int]  # sequence before each own information set

    def sequences_at(self, k: int) -> range:
        return range(int(self.own.first_sequence[k]), int(self.own.first_sequence[k + 1]))


def start_of(form: SequenceForm, prior: tuple[RealizationPlan, RealizationPlan]) -> Start:
    """Lay out the rows at the prior.

    Args:
        form: Of two players.
        prior: Exact.
    """
    counts = [own.num_sequences - 1 for own in form.players]
    shifts = (-1, counts[0] - 1)
    size = sum(counts)
    weight = 2 * size
    plans = [scaled_integers(plan.weights) for plan in prior]
    sides: list[_Side] = []
    for i, own in enumerate(form.players):
        payoffs = payoff_table(form, i)
        other = plans[1 - i].numerators.tolist()
        replies = _best_replies(own, [_paid(row, other) for row in payoffs])
        parents: list[int] = own.parent_sequence.tolist()
        sides.append(_Side(own, shifts[i], payoffs, replies, parents))
    rows, basic = _reply_rows(sides, weight)
    order = tuple(reversed(basic))
    units: list[int] = []
    for side, other, plan in ((sides[0], sides[1], plans[1]), (sides[1], sides[0], plans[0])):
        slacks = _slack_rows(side, other, plan.numerators.tolist(), plan.denominator)
        rows += slacks.rows
        basic += slacks.basic
        units += slacks.units
    return Start(rows, basic, size, (*basic[len(order) :], *order), units)


def payoff_table(form: SequenceForm, player: int) -> list[dict[int, int]]:
    """Return a player's payoffs by own and the opponent's sequence, times a positive number."""
    own, other = form.players[player], form.players[1 - player]
    labels = [own.node_sequence, other.node_sequence]
    merged = merged_payoffs(form.game, player=player, node_labels=labels)
    paid = cast("list[int]", merged.numerators.tolist())
    divisor = math.gcd(*paid) or 1
    table: list[dict[int, int]] = [{} for _ in range(own.num_sequences)]
    for s, t, value in zip(*(label.tolist() for label in merged.labels), paid, strict=True):
        table[s][t] = value // divisor
    return table


def _paid(row: dict[int, int], weights: Sequence[int]) -> int:
    return sum(value * weights[t] for t, value in row.items())


def _best_replies(own: PlayerSequences, paid: list[int]) -> list[int]:
    """Choose the best sequence at each information set, the last sets first."""
    replies = [0] * len(own.infosets)
    for k in reversed(range(len(replies))):
        start, stop = int(own.first_sequence[k]), int(own.first_sequence[k + 1])
        best = max(range(start, stop), key=paid.__getitem__)
        replies[k] = best
        paid[int(own.parent_sequence[k])] += paid[best]
    return replies


def _reply_rows(sides: Sequence[_Side], weight: int) -> tuple[list[Row], list[int]]:
    """State each reply's weight: that of its parent, less those of the actions beside it."""
    rows: list[Row] = []
    basic: list[int] = []
    for side in sides:
        known: dict[int, Row] = {0: {weight: 1}}
        for k, parent in enumerate(side.parents):
            reply = side.replies[k]
            form = dict(known.get(parent, {side.shift + parent: 1}))
            for s in side.sequences_at(k):
                if s != reply:
                    form[side.shift + s] = -1
            known[reply] = form
            basic.append(side.shift + reply)
            rows.append({basic[-1]: 1, **{v: -value for v, value in form.items()}})
    return rows, basic


@dataclass(frozen=True)
class _Slacks:
    """Rows of one player's slacks, and the unit of each of the player's sequences."""

    rows: list[Row]
    basic: list[int]
    units: list[int]


def _slack_rows(side: _Side, other: _Side, prior: list[int], whole: int) -> _Slacks:
    """State the slack of each sequence that is no reply: what the reply beside it pays more.

    Slacks are counted in units of one over ``whole``, the denominator of the prior.
    """
    size = len(side.payoffs) + len(other.payoffs) - 2
    onward = [_against(other, row, prior, whole, 2 * size) for row in side.payoffs]
    rows: list[Row] = []
    basic: list[int] = []
    units = [1] * len(side.payoffs)
    for k in reversed(range(len(side.replies))):
        reply, sequences = side.replies[k], side.sequences_at(k)
        unit = max(abs(value) for s in sequences for value in onward[s].values() or (1,))
        units[sequences.start : sequences.stop] = [unit] * len(sequences)
        best = onward[reply]
        best[size + side.shift + reply] = 1
        for s in sequences:
            if s != reply:
                row = _sum(onward[s], best, -1)
                row[RIGHT] = -row.get(RIGHT, 0)
                basic.append(size + side.shift + s)
                row[basic[-1]] = 1
                rows.append(row)
        onward[side.parents[k]] = _sum(onward[side.parents[k]], best)
    return _Slacks(rows, basic, units[1:])


def _against(
    other: _Side, entries: dict[int, int], prior: list[int], whole: int, weight: int
) -> Row:
    """Write what a sequence collects at ends of play as a linear form in nonbasic variables."""
    certain = entries.get(0, 0) * whole
    hoped = _paid(entries, prior) - certain
    sums = {t: value * whole for t, value in entries.items() if t}
    form: Row = {RIGHT: certain + hoped, weight: -hoped}
    for k in reversed(range(len(other.replies) if sums else 0)):
        value = sums.pop(other.replies[k], 0)
        if value:
            for t in other.sequences_at(k):
                if t != other.replies[k]:
                    sums[t] = sums.get(t, 0) - value
            parent = other.parents[k]
            if parent:
                sums[parent] = sums.get(parent, 0) + value
            else:
                form[weight] += value
    form.update({other.shift + t: value for t, value in sums.items()})
    return {v: value for v, value in form.items() if value}


def _sum(form: Row, more: Row, factor: int = 1) -> Row:
    out = dict(form)
    for v, value in more.items():
        out[v] = out.get(v, 0) + factor * value
    return {v: value for v, value in out.items() if value}
