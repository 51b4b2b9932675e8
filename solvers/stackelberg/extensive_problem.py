"""A two-player tree seen from the leader, and the linear program of one case.

A *case* fixes the follower's actions at some information sets. Its program lets the leader send the
follower recommendations, with ``p(s, t)`` how often the leader plays the sequence ``s`` while the
follower is told ``t`` (Cermak et al. 2016): fixed actions need no telling, so that sequences known
to be played together are one *class*. With ``L`` and ``F`` the payoffs,

    max  sum of L(s, t) p(s, t) + floor q    over  p, q >= 0  with  p(empty, empty) + q = 1,
    p(s, t) = sum over actions a at I of p(s a, t)     at the leader's information sets I after s,
    p(s, t) = sum over actions a at J of p(s, t a)     at the follower's open ones J after t,
    o[t] = sum of F(s, t) p(s, t) + sum over u that continue t by one action of o[u],
    v[t, K] >= sum of F(s, u) p(s, t) + sum over K' after u of v[t, K']    for u ending at K,
    o[t] >= v[t, J]                                                        for t ending at J,

with ``v`` for each trigger ``t`` and each information set ``K`` of the follower at or below that
where ``t`` ends: obeying pays at least what the best deviation does. Pairs ``(s, t)`` are those
that end on one path. The outside option ``q`` keeps the program feasible. If all is fixed, this is
the program over the leader's plans to which the fixed plan is a best reply.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from gametheory_core.certificates.extensive_stackelberg_bounds import (
    Fixed,
    SequencePayoffs,
    sequence_payoffs_of,
)
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.memory import require_memory
from gametheory_core.strategies.sequences import PlayerSequences
from solvers._programs.linear import LinearProgram

EXCLUDED = -1
EMPTY = 0

BYTES_PER_MEETING = 400  # in all sets and lists of them


@dataclass(frozen=True, eq=False)
class CommitmentProblem:
    """A tree from the leader's side.

    Attributes:
        meetings: For each information set of the follower, the leader's that lie on a path with it.
    """

    payoffs: SequencePayoffs
    meetings: list[list[int]]

    @cached_property
    def own_span(self) -> int:
        """How far the leader's payoffs may lie apart, in integers; at least 1."""
        return _largest(self.payoffs.own_payoffs)

    @cached_property
    def other_span(self) -> int:
        """The same of the follower's payoffs."""
        return _largest(self.payoffs.other_payoffs)

    @cached_property
    def units(self) -> list[int]:
        """A power of two near the largest sum of the follower's payoffs from each sequence on.

        What obeying and deviating pay is near in size.
        """
        sums = [sum(map(abs, row.values())) for row in self.payoffs.other_payoffs]
        for t in reversed(range(1, len(sums))):
            sums[int(self.payoffs.other.parent_sequence[self.ends[t]])] += sums[t]
        return [1 << max(total.bit_length() - 1, 0) for total in sums]

    @cached_property
    def ends(self) -> list[int]:
        """Where each sequence of the follower ends; -1 for the empty one."""
        return sequence_ends(self.payoffs.other)

    @cached_property
    def children(self) -> list[list[int]]:
        """The follower's information sets to which each of its sequences leads."""
        other = self.payoffs.other
        children: list[list[int]] = [[] for _ in range(other.num_sequences)]
        for k, parent in enumerate(other.parent_sequence.tolist()):
            children[parent].append(k)
        return children

    def actions(self, k: int) -> range:
        """Return the follower's sequences that end at an information set."""
        first = self.payoffs.other.first_sequence
        return range(int(first[k]), int(first[k + 1]))

    def own_actions(self, i: int) -> range:
        """Return the leader's sequences that end at an information set."""
        first = self.payoffs.own.first_sequence
        return range(int(first[i]), int(first[i + 1]))

    def from_on(self, k: int) -> list[int]:
        """Return the follower's information sets at or below one, each after those above."""
        found = [k]
        for here in found:
            found += [below for t in self.actions(here) for below in self.children[t]]
        return found


@dataclass(frozen=True, eq=False)
class CaseProgram:
    """The program of a case with the meaning of its rows and columns.

    Attributes:
        program: Values are in the units of ``own_payoffs``.
        units (num_columns,): Powers of two that columns are near in size.
        classes: The class of each sequence of the follower, -1 if the case excludes it. A class is
            named by its first sequence.
        columns: (class, leader's sequence) -> column.
        obedience: (trigger, sequence played instead) -> row.
        transfers: (follower's information set, leader's sequence) -> row.
    """

    program: LinearProgram
    units: list[int]
    classes: list[int]
    columns: dict[tuple[int, int], int]
    obedience: dict[tuple[int, int], int]
    transfers: dict[tuple[int, int], int]

    @property
    def for_floats(self) -> LinearProgram:
        """The same program in columns of size near 1: floats would lose small coefficients.

        It has the same rows and bases, and the same values of pairs.
        """
        units = np.array(self.units, dtype=object)
        values = self.program.values * units[self.program.columns]
        return replace(self.program, values=values)


def commitment_problem(game: ExtensiveFormGame, *, leader: int) -> CommitmentProblem:
    """Look at a two-player tree of perfect recall from the leader's side."""
    payoffs = sequence_payoffs_of(game, leader=leader)
    own, other = payoffs.own, payoffs.other
    meetings: list[set[int]] = [set() for _ in other.infosets]
    for i, k in _on_one_path(game, own, other):
        meetings[k].add(i)
    for k, i in _on_one_path(game, other, own):
        meetings[k].add(i)
    return CommitmentProblem(payoffs, [sorted(found) for found in meetings])


def _on_one_path(
    game: ExtensiveFormGame, mover: PlayerSequences, other: PlayerSequences
) -> set[tuple[int, int]]:
    """Return the mover's information sets, each with those of the other that lie above a node."""
    nodes = np.flatnonzero(game.node_player == mover.player)
    here = (game.node_infoset[nodes] - mover.infosets.start).tolist()
    ends, found = sequence_ends(other), set[tuple[int, int]]()
    for k, sequence in set(zip(here, other.node_sequence[nodes].tolist(), strict=True)):
        above = sequence
        while above:
            found.add((k, ends[above]))
            above = int(other.parent_sequence[ends[above]])
        require_memory(
            BYTES_PER_MEETING * len(found),
            what=f"{len(found):,} pairs of information sets on one path of {game!r}",
        )
    return found


def sequence_ends(own: PlayerSequences) -> list[int]:
    """Return the position of the information set where each sequence ends; -1 for the empty one."""
    counts = np.diff(own.first_sequence)
    return [-1, *np.repeat(np.arange(len(counts)), counts).tolist()]


def classes_of(problem: CommitmentProblem, fixed: Fixed) -> list[int]:
    """Return the class of each sequence of the follower in a case."""
    other = problem.payoffs.other
    classes = [EMPTY] * other.num_sequences
    for k, parent in enumerate(other.parent_sequence.tolist()):
        actions = problem.actions(k)
        action = fixed.get(k, EXCLUDED if len(actions) > 1 else 0)
        for a, sequence in enumerate(actions):
            if classes[parent] == EXCLUDED or action not in (EXCLUDED, a):
                classes[sequence] = EXCLUDED
            else:
                classes[sequence] = sequence if action == EXCLUDED else classes[parent]
    return classes


def open_infosets(problem: CommitmentProblem, classes: list[int]) -> list[int]:
    """Return the follower's information sets at which a case leaves the action open."""
    firsts = [problem.actions(k) for k in range(len(problem.meetings))]
    return [k for k, own in enumerate(firsts) if len(own) > 1 and classes[own[0]] == own[0]]


def num_pairs(problem: CommitmentProblem) -> int:
    """Count the pairs of sequences that the program of no fixed action has columns for."""
    own = problem.payoffs.own
    counts = np.diff(own.first_sequence)
    meeting = [1 + int(counts[met].sum()) for met in problem.meetings]
    inner = sum(size * len(problem.actions(k)) for k, size in enumerate(meeting))
    return own.num_sequences + inner


def num_deviations(problem: CommitmentProblem) -> int:
    """Count the rows that compare obeying with deviations, with no action fixed."""
    other = problem.payoffs.other
    below = [0] * len(other.infosets)
    for k in reversed(range(len(other.infosets))):
        actions = problem.actions(k)
        below[k] = len(actions) + sum(below[c] for t in actions for c in problem.children[t])
    return sum(len(problem.actions(k)) * size for k, size in enumerate(below))


def case_program(problem: CommitmentProblem, fixed: Fixed, *, floor: int) -> CaseProgram:
    """Write the program of a case.

    Args:
        fixed: Position of an information set of the follower -> action.
        floor: What the outside option pays.
    """
    payoffs = problem.payoffs
    classes = classes_of(problem, fixed)
    columns = _pair_columns(problem, classes)
    objective = [0] * len(columns)
    for t, row in enumerate(payoffs.own_payoffs):
        if classes[t] != EXCLUDED:
            for s, value in row.items():
                objective[columns[classes[t], s]] += value
    rows = _Rows(columns)
    (outside,) = rows.new_columns([0], units=[1]).values()
    whole = rows.add({columns[EMPTY, 0]: 1, outside: 1})
    _add_leader_rows(problem, rows)
    transfers = _add_follower_rows(problem, classes, rows)
    obedience = _add_obedience(problem, classes, rows)
    objective += [floor] + [0] * (rows.num_columns - outside - 1)
    program = LinearProgram(
        objective=np.array(objective, dtype=object),
        rows=np.array(rows.rows, dtype=np.int32),
        columns=np.array(rows.columns, dtype=np.int32),
        values=np.array(rows.values, dtype=object),
        bounds=np.array([int(i == whole) for i in range(len(rows.is_equation))], dtype=object),
        is_equation=np.array(rows.is_equation, dtype=bool),
        is_free=np.arange(rows.num_columns) > outside,
    )
    return CaseProgram(program, rows.units, classes, columns, obedience, transfers)


@dataclass
class _Rows:
    """Rows under construction; lives inside one call."""

    pairs: dict[tuple[int, int], int]
    rows: list[int] = field(default_factory=list[int])
    columns: list[int] = field(default_factory=list[int])
    values: list[int] = field(default_factory=list[int])
    is_equation: list[bool] = field(default_factory=list[bool])
    units: list[int] = field(default_factory=list[int])

    def __post_init__(self) -> None:
        self.units = [1] * len(self.pairs)

    @property
    def num_columns(self) -> int:
        """Number of columns so far."""
        return len(self.units)

    def new_columns(self, names: Iterable[int], *, units: list[int]) -> dict[int, int]:
        """Add a column for each name."""
        columns = {name: self.num_columns + n for n, name in enumerate(names)}
        self.units += units
        return columns

    def add(self, entries: dict[int, int], *, is_equation: bool = True) -> int:
        """Add a row and return its index."""
        row = len(self.is_equation)
        self.rows += [row] * len(entries)
        self.columns += entries.keys()
        self.values += entries.values()
        self.is_equation.append(is_equation)
        return row


def _pair_columns(problem: CommitmentProblem, classes: list[int]) -> dict[tuple[int, int], int]:
    own = problem.payoffs.own
    pairs = [(EMPTY, s) for s in range(own.num_sequences)]
    for t in sorted(set(classes) - {EMPTY, EXCLUDED}):
        pairs.append((t, 0))
        pairs += [(t, s) for i in problem.meetings[problem.ends[t]] for s in problem.own_actions(i)]
    return {pair: column for column, pair in enumerate(pairs)}


def _add_leader_rows(problem: CommitmentProblem, rows: _Rows) -> None:
    own = problem.payoffs.own
    starts = {int(own.first_sequence[i]): i for i in range(len(own.infosets))}
    for t, s in rows.pairs:
        if s in starts:  # once for each information set of a class
            i = starts[s]
            entries = {rows.pairs[t, action]: 1 for action in problem.own_actions(i)}
            entries[rows.pairs[t, int(own.parent_sequence[i])]] = -1
            rows.add(entries)


def _add_follower_rows(
    problem: CommitmentProblem, classes: list[int], rows: _Rows
) -> dict[tuple[int, int], int]:
    parents = problem.payoffs.other.parent_sequence.tolist()
    found: dict[tuple[int, int], int] = {}
    for k in open_infosets(problem, classes):
        told = classes[parents[k]]
        met = [s for i in problem.meetings[k] for s in problem.own_actions(i)]
        for s in [0, *met]:
            entries = {rows.pairs[t, s]: 1 for t in problem.actions(k)}
            entries[rows.pairs[told, s]] = -1
            found[k, s] = rows.add(entries)
    return found


def _add_obedience(
    problem: CommitmentProblem, classes: list[int], rows: _Rows
) -> dict[tuple[int, int], int]:
    """Add rows for each trigger; where actions are fixed, those at the start suffice."""
    parents = problem.payoffs.other.parent_sequence.tolist()
    triggers = [
        t
        for t, told in enumerate(classes)
        if t and told != EXCLUDED and EMPTY in (told - t, parents[problem.ends[t]])
    ]
    obeying = _add_obeying(problem, classes, rows)
    deviating = {t: _deviation_values(problem, t, rows) for t in triggers}
    found: dict[tuple[int, int], int] = {}
    for t in triggers:
        columns = deviating[t]
        for k, column in columns.items():  # its value there, against what each action leads to
            for u in problem.actions(k):
                entries = {column: -1, **{columns[below]: 1 for below in problem.children[u]}}
                pay = problem.payoffs.other_payoffs[u].items()
                entries.update({rows.pairs[classes[t], s]: paid for s, paid in pay})
                found[t, u] = rows.add(entries, is_equation=False)
        rows.add({columns[problem.ends[t]]: 1, obeying[t]: -1}, is_equation=False)
    return found


def _add_obeying(problem: CommitmentProblem, classes: list[int], rows: _Rows) -> dict[int, int]:
    """Add columns, with a row each, for what obeying pays from each sequence on."""
    told = [t for t, own_class in enumerate(classes) if t and own_class != EXCLUDED]
    columns = rows.new_columns(told, units=[problem.units[t] for t in told])
    for t, column in columns.items():
        pay = problem.payoffs.other_payoffs[t].items()
        entries = {rows.pairs[classes[t], s]: paid for s, paid in pay}
        below = [u for k in problem.children[t] for u in problem.actions(k)]
        entries.update({columns[u]: 1 for u in below if u in columns})
        entries[column] = -1
        rows.add(entries)
    return columns


def _deviation_values(problem: CommitmentProblem, trigger: int, rows: _Rows) -> dict[int, int]:
    """Add columns for what the best deviation pays at each information set it may reach."""
    infosets = problem.from_on(problem.ends[trigger])
    units = [max(problem.units[t] for t in problem.actions(k)) for k in infosets]
    return rows.new_columns(infosets, units=units)


def _largest(table: list[dict[int, int]]) -> int:
    return max((abs(value) for row in table for value in row.values()), default=1) or 1
