"""Bounds on what commitments in a two-player tree earn: by cases, deviations and transfers.

The leader's plan ``x`` and the follower's pure plan ``r`` are sets of sequences. With payoffs
``L(s, t)`` and ``F(s, t)``, chance folded in, of the leader's sequence ``s`` and the follower's
``t``, both get what is summed over the pairs that they play. Three kinds of numbers bound the
leader's payoff over all commitments with a best reply, ties broken for the leader.

*Cases.* A branch asks which action the follower's plan takes at one information set; a plan that
does not reach it falls under every answer. So the largest bound of a leaf holds.

*Deviations.* A follower who was told the sequence ``t``, ending at the information set ``I``, may
leave the plan there and play a strategy of its own below. A best reply gains nothing by that. So
for any weight at least 0 of each such strategy, the bound may add weight times (what obeying below
``I`` pays less what the strategy pays). The weights of one trigger form a flow: a whole behavior
below ``I``, times its weight.

*Transfers.* If a plan reaches ``I`` it plays one action there. So for the leader's sequence ``s``
any amount may be added where ``s`` meets the sequence that leads to ``I``, and taken away where
``s`` meets each of the sequences that end at ``I``.

Then the bound lets the leader answer each sequence of the follower on its own, and picks the
follower's plan for which these sums are largest: two sweeps up a tree. It holds for *any* weights
and transfers, and no other bound of this kind is better than the one that the dual of the linear
program of correlated commitment gives (Cermak et al. 2016).
"""

import heapq
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from gametheory_core.arrays import ZERO, scaled_integers
from gametheory_core.certificates.wording import written
from gametheory_core.errors import CertificateRejected
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.strategies.sequences import PlayerSequences, sequence_form

LEAF = -1

Table = list[dict[int, int]]  # for each sequence of the follower: leader's sequence -> number
Fixed = Mapping[int, int]  # the follower's information set (position) -> action


@dataclass(frozen=True)
class DeviationWeight:
    """How often a follower who was told ``trigger`` plays ``sequence`` instead.

    Attributes:
        trigger: A sequence of the follower, from 1; the deviation starts where it ends.
        sequence: A sequence of the follower that ends there or below.
        weight: At least 0; the leader's payoff units per unit of the follower's.
    """

    trigger: int
    sequence: int
    weight: Fraction


@dataclass(frozen=True)
class SequenceTransfer:
    """An amount moved from after an information set of the follower to before it.

    Attributes:
        infoset: Position among the follower's information sets.
        sequence: A sequence of the leader.
        amount: The leader's payoff units; of any sign.
    """

    infoset: int
    sequence: int
    amount: Fraction


@dataclass(frozen=True)
class ReplyCase:
    """A node of the tree of cases.

    Attributes:
        branching: Position of the follower's information set that is asked about, one child for
            each of its actions; -1 at a leaf.
        deviations: Of a leaf; those left out are 0.
        transfers: Of a leaf; those left out are 0.
    """

    branching: int
    deviations: tuple[DeviationWeight, ...] = ()
    transfers: tuple[SequenceTransfer, ...] = ()


@dataclass(frozen=True, eq=False)
class SequencePayoffs:
    """A two-player tree seen from the leader, in integers.

    Attributes:
        own, other: Of the leader and of the follower.
        own_payoffs, other_payoffs: For each sequence of the follower, and each of the leader that
            meets it at an end of play: payoffs of leader and follower weighted by chance, times the
            scale. Zeros are left out.
        own_scale, other_scale: Positive.
        most: The largest payoff of the leader that chance allows.
    """

    game: ExtensiveFormGame
    leader: int
    own: PlayerSequences
    other: PlayerSequences
    own_payoffs: Table
    other_payoffs: Table
    own_scale: int
    other_scale: int
    most: Fraction


def sequence_payoffs_of(game: ExtensiveFormGame, *, leader: int) -> SequencePayoffs:
    """Sum up what each pair of sequences pays; two players with perfect recall (refused if not)."""
    form = sequence_form(game)
    own, other = form.players[leader], form.players[1 - leader]
    sequences = [form.terminal_sequences[player].tolist() for player in (leader, 1 - leader)]
    tables: list[Table] = []
    scales: list[int] = []
    for player in (leader, 1 - leader):
        paid = scaled_integers(form.chance_weight * game.exact_terminal_payoffs[:, player])
        table: Table = [{} for _ in range(other.num_sequences)]
        for s, t, value in zip(*sequences, paid.numerators.tolist(), strict=True):
            if value:
                table[t][s] = table[t].get(s, 0) + value
        tables.append([{s: value for s, value in row.items() if value} for row in table])
        scales.append(paid.denominator)
    ends = zip(game.exact_terminal_payoffs[:, leader], form.chance_weight, strict=True)
    most = max(payoff for payoff, weight in ends if weight)
    return SequencePayoffs(
        game=game,
        leader=leader,
        own=own,
        other=other,
        own_payoffs=tables[0],
        other_payoffs=tables[1],
        own_scale=scales[0],
        other_scale=scales[1],
        most=most,
    )


def reply_bound(payoffs: SequencePayoffs, fixed: Fixed, leaf: ReplyCase) -> Fraction:
    """Bound what commitments earn whose best reply plays the fixed actions where it can.

    Args:
        fixed: Position of an information set of the follower -> action.
        leaf: Deviations and transfers.

    Raises:
        CertificateRejected: If deviations are no flow of nonnegative weights, or something is out
            of range.
    """
    units = [item.weight for item in leaf.deviations], [item.amount for item in leaf.transfers]
    unit = lcm(*(value.denominator for values in units for value in values))
    scale = payoffs.own_scale * payoffs.other_scale * unit
    flows = _flows(payoffs, leaf)
    table = _deviation_table(payoffs, flows, unit)
    _add_transfers(payoffs, table, leaf, scale)
    return min(payoffs.most, Fraction(_largest_total(payoffs, table, fixed), scale))


def leaves_of(
    payoffs: SequencePayoffs, cases: tuple[ReplyCase, ...]
) -> Iterator[tuple[dict[int, int], ReplyCase]]:
    """Walk over the leaves of a tree of cases in preorder, with the actions fixed on the way.

    Raises:
        CertificateRejected: If the tree is not whole, goes on after its end, or asks what it has
            asked before.
    """
    other = payoffs.other
    waiting: list[dict[int, int]] = [{}]
    for case in cases:
        if not waiting:
            raise CertificateRejected(found="the tree of cases goes on after its end")
        fixed = waiting.pop()
        k = case.branching
        if k == LEAF:
            yield fixed, case
            continue
        if not 0 <= k < len(other.infosets) or k in fixed:
            raise CertificateRejected(
                needs="branches on the follower's information sets 0 to "
                f"{len(other.infosets) - 1}, "
                "each at most once on a way",
                found=f"one is on {written(k)}",
            )
        count = int(other.first_sequence[k + 1] - other.first_sequence[k])
        waiting += [{**fixed, k: action} for action in reversed(range(count))]
    if waiting:
        raise CertificateRejected(
            needs="a whole tree of cases", found=f"{len(waiting)} are left open"
        )


def _flows(payoffs: SequencePayoffs, leaf: ReplyCase) -> dict[int, dict[int, Fraction]]:
    """Sort deviations by trigger, and reject what is no behavior below it times a weight."""
    count = payoffs.other.num_sequences
    flows: dict[int, dict[int, Fraction]] = {}
    for item in leaf.deviations:
        flow = flows.setdefault(item.trigger, {})
        if not (0 < item.trigger < count and 0 < item.sequence < count) or item.sequence in flow:
            raise CertificateRejected(
                needs="deviations from sequences of the follower to others, each once",
                found=f"one is from {written(item.trigger)} to {written(item.sequence)}",
            )
        if item.weight < 0:
            raise CertificateRejected(
                needs="weights of deviations of at least 0", found=f"one is {written(item.weight)}"
            )
        flow[item.sequence] = item.weight
    for trigger, flow in flows.items():
        _require_flow(payoffs.other, trigger, flow)
    return flows


def _require_flow(other: PlayerSequences, trigger: int, flow: dict[int, Fraction]) -> None:
    ends = _ends(other)
    children = _children(other)
    start = ends[trigger]
    touched = {ends[sequence] for sequence in flow}
    touched.update(k for sequence in flow for k in children[sequence])
    for k in touched - {start}:
        first, stop = int(other.first_sequence[k]), int(other.first_sequence[k + 1])
        arriving = flow.get(int(other.parent_sequence[k]), ZERO)
        leaving = sum((flow.get(sequence, ZERO) for sequence in range(first, stop)), ZERO)
        if arriving != leaving:
            raise CertificateRejected(
                needs="deviations that go on as they began",
                found=f"from sequence {trigger} the weight {written(arriving)} arrives at the "
                f"follower's information set {k}, and {written(leaving)} leaves it",
            )


def _deviation_table(
    payoffs: SequencePayoffs, flows: dict[int, dict[int, Fraction]], unit: int
) -> Table:
    """Add to the leader's payoffs what obeying gains over deviations, times the common scale."""
    other = payoffs.other
    ends = _ends(other)
    table: Table = []
    obeyed: list[int] = []  # the weight of all triggers on the way to a sequence
    for sequence in range(other.num_sequences):
        flow = flows.get(sequence, {})
        above = obeyed[int(other.parent_sequence[ends[sequence]])] if sequence else 0
        own = range(0)
        if flow:
            k = ends[sequence]
            own = range(int(other.first_sequence[k]), int(other.first_sequence[k + 1]))
        obeyed.append(above + sum(_times(flow.get(s, ZERO), unit) for s in own))
        row = {
            s: value * payoffs.other_scale * unit
            for s, value in payoffs.own_payoffs[sequence].items()
        }
        if obeyed[-1]:
            _add(row, payoffs.other_payoffs[sequence], obeyed[-1] * payoffs.own_scale)
        for instead, weight in flow.items():
            _add(row, payoffs.other_payoffs[instead], -_times(weight, unit) * payoffs.own_scale)
        table.append(row)
    return table


def _add(row: dict[int, int], other: dict[int, int], factor: int) -> None:
    for s, value in other.items():
        row[s] = row.get(s, 0) + factor * value


def _add_transfers(payoffs: SequencePayoffs, table: Table, leaf: ReplyCase, scale: int) -> None:
    other = payoffs.other
    for item in leaf.transfers:
        in_range = 0 <= item.infoset < len(other.infosets)
        if not in_range or not 0 <= item.sequence < payoffs.own.num_sequences:
            raise CertificateRejected(
                needs="transfers at information sets of the follower, of sequences of the leader",
                found=f"one is at {written(item.infoset)}, of {written(item.sequence)}",
            )
        k, amount = item.infoset, _times(item.amount, scale)
        before = table[int(other.parent_sequence[k])]
        before[item.sequence] = before.get(item.sequence, 0) + amount
        for after in table[int(other.first_sequence[k]) : int(other.first_sequence[k + 1])]:
            after[item.sequence] = after.get(item.sequence, 0) - amount


def _largest_total(payoffs: SequencePayoffs, table: Table, fixed: Fixed) -> int:
    """Sweep up the follower's tree: fixed actions go with what leads to them, others compete."""
    other = payoffs.other
    below = [0] * other.num_sequences
    leader_ends = _ends(payoffs.own)
    for k in reversed(range(len(other.infosets))):
        first, stop = int(other.first_sequence[k]), int(other.first_sequence[k + 1])
        parent = int(other.parent_sequence[k])
        if k in fixed or stop - first == 1:
            played = first + fixed.get(k, 0)
            _add(table[parent], table[played], 1)
            below[parent] += below[played]
        else:
            below[parent] += max(
                _best_answer(payoffs.own, leader_ends, table[sequence]) + below[sequence]
                for sequence in range(first, stop)
            )
    return _best_answer(payoffs.own, leader_ends, table[0]) + below[0]


def _best_answer(own: PlayerSequences, ends: list[int], row: dict[int, int]) -> int:
    """Return the largest sum of numbers over the sequences that one plan of the leader plays."""
    total = dict(row)
    queue = [-ends[sequence] for sequence in total if sequence]
    heapq.heapify(queue)
    done = len(own.infosets)
    while queue:
        k = -heapq.heappop(queue)
        if k == done:
            continue
        done = k
        first, stop = int(own.first_sequence[k]), int(own.first_sequence[k + 1])
        parent = int(own.parent_sequence[k])
        best = max(total.get(sequence, 0) for sequence in range(first, stop))
        total[parent] = total.get(parent, 0) + best
        if parent:
            heapq.heappush(queue, -ends[parent])
    return total.get(0, 0)


def _ends(own: PlayerSequences) -> list[int]:
    """Return where each sequence ends, as a position of an information set; -1 for the empty."""
    bounds = own.first_sequence.tolist()
    ends = [-1] * own.num_sequences
    for k in range(len(own.infosets)):
        ends[bounds[k] : bounds[k + 1]] = [k] * (bounds[k + 1] - bounds[k])
    return ends


def _children(own: PlayerSequences) -> list[list[int]]:
    """Return the positions of the information sets to which each sequence leads."""
    children: list[list[int]] = [[] for _ in range(own.num_sequences)]
    for k, parent in enumerate(own.parent_sequence.tolist()):
        children[parent].append(k)
    return children


def _times(value: Fraction, factor: int) -> int:
    """Multiply by a multiple of the denominator."""
    return value.numerator * (factor // value.denominator)
