"""The linear program of correlated equilibria in trees, over correlation plans (two players).

With ``x`` the plan, ``u`` payoffs above the player's least times chance, a trigger ``t`` at an own
information set ``I``, and ``v[t, J]`` the value of going on alone at ``J``,

    maximise   sum over ends z of play of f(z) x[pair(z)]   subject to consistency,   x, v >= 0,
    sum over ends z with own sequence J b of u(z) x[t, other's sequence at z]
        + sum over J' that follow J b of v[t, J']   <=  v[t, J]     for every action b, J below t,
    v[t, I]  <=  sum over ends z after t of u(z) x[pair(z)]         obeying is as good as that.

Rows: the empty pair, consistency, then trigger by trigger the continuations and obedience. Where
consistency is not enough, columns for all pure profiles come last, and the equations say that ``x``
is a lottery over them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core import ExtensiveFormGame, UnsupportedGame
from gametheory_core.arrays import ZERO, ExactArray, scaled_integers
from gametheory_core.certificates.extensive_correlated import (
    ActionFlow,
    ConsistencyMultiplier,
    DeviationPrice,
    payoffs_from_least,
    plans_as_sequences,
)
from gametheory_core.certificates.incentives import LinearObjective, values_at_ends
from gametheory_core.evaluation.triggers import START, ExtensiveCorrelation, ends_and_places, scope
from gametheory_core.strategies.correlation_plans import SequencePairs
from gametheory_core.strategies.sequences import PlayerSequences, SequenceForm
from solvers._programs.linear import LinearProgram

Plans = NDArray[np.bool_]

MOST_ENTRIES = 2_000_000  # nonzero coefficients


@dataclass(frozen=True, eq=False)
class TriggerRows:
    """One trigger's part of the program.

    Attributes:
        place: Own information set, or ``START``.
        sequence: What the deviator has played, and has been told.
        inside: Own information sets at and below the trigger; their values have columns in this
            order.
        first_column, first_row: Where columns and rows of the trigger begin.
        num_rows: The last one is obedience.
    """

    player: int
    place: int
    sequence: int
    inside: tuple[int, ...]
    first_column: int
    first_row: int
    num_rows: int


@dataclass(frozen=True, eq=False)
class CorrelationProgram:
    """The program, and what its parts mean.

    Attributes:
        program: In integers.
        row_spans, column_spans: Largest payoffs, which come near 1 when rows are divided and values
            multiplied by them.
        units: Payoff units of a player's rows: exact coefficient = payoff * unit.
        objective_unit: Of the exact objective.
        plans (num_plans, num_sequences): Of both players, where profiles have columns.
    """

    pairs: SequencePairs
    kind: ExtensiveCorrelation
    triggers: tuple[TriggerRows, ...]
    program: LinearProgram
    row_spans: list[int]
    column_spans: list[int]
    units: tuple[int, int]
    objective_unit: int
    plans: tuple[Plans, Plans] | None

    @property
    def first_profile(self) -> int:
        """Where the columns of profiles begin; the second player's plan changes fastest."""
        return self.pairs.num_pairs + sum(len(trigger.inside) for trigger in self.triggers)


def correlation_program(
    pairs: SequencePairs,
    kind: ExtensiveCorrelation,
    objective: LinearObjective,
    *,
    by_profiles: bool,
) -> CorrelationProgram:
    """Write the program down, with columns for all pure profiles or without.

    Raises:
        UnsupportedGame: If it would be too large; the message has the estimate.
        InvalidArgument: If the objective does not fit the game.
    """
    plans = None
    if by_profiles:
        plans = (plans_as_sequences(pairs.form, 0), plans_as_sequences(pairs.form, 1))
    entries = 3 * pairs.num_pairs + _incentive_entries(pairs.form, kind)
    if plans is not None:
        first, second = (np.count_nonzero(own, axis=0) for own in plans)
        entries += int(first[pairs.first] @ second[pairs.second])
    _require_at_most(entries, pairs.form.game, "about")
    num_equations = 1 + (pairs.num_pairs if plans else pairs.consistency.num_rows)
    triggers = _triggers(pairs, kind, num_equations)
    stakes = [payoffs_from_least(pairs.form, player) for player in range(2)]
    scaled = scaled_integers(_objective(pairs, objective))
    num_values = sum(len(trigger.inside) for trigger in triggers)
    costs = [*scaled.numerators.tolist(), *[0] * num_values]
    table = _Table([], [], [])
    if plans is None:
        _add_consistency(table, pairs)
    else:
        _add_profiles(table, pairs, plans, len(costs))
        costs += [0] * (len(plans[0]) * len(plans[1]))
    row_spans, column_spans = [1] * num_equations, [1] * len(costs)
    for trigger in triggers:
        numerators = stakes[trigger.player].numerators
        _add_trigger(table, pairs, trigger, numerators)
        span = max(numerators.tolist()) or 1
        row_spans += [span] * trigger.num_rows
        stop = trigger.first_column + len(trigger.inside)
        column_spans[trigger.first_column : stop] = [span] * len(trigger.inside)
    return CorrelationProgram(
        pairs,
        kind,
        triggers,
        _integer_program(table, num_equations, costs),
        row_spans,
        column_spans,
        (stakes[0].denominator, stakes[1].denominator),
        scaled.denominator,
        plans,
    )


def deviation_prices(
    solved: CorrelationProgram, multipliers: Sequence[Fraction]
) -> tuple[DeviationPrice, ...]:
    """Return the positive multipliers of incentives as prices in payoff units."""
    found: list[DeviationPrice] = []
    for trigger in solved.triggers:
        own = solved.pairs.form.players[trigger.player]
        unit = Fraction(solved.units[trigger.player], solved.objective_unit)
        price = multipliers[trigger.first_row + trigger.num_rows - 1] * unit
        if price > 0:
            found.append(_price(own, solved.kind, trigger, price, multipliers, unit))
    return tuple(found)


def consistency_multipliers(
    solved: CorrelationProgram, multipliers: Sequence[Fraction]
) -> tuple[ConsistencyMultiplier, ...]:
    """Return the multipliers of the equations that are not zero; none with profiles."""
    if solved.plans is not None:
        return ()
    rows = solved.pairs.consistency
    unit = solved.objective_unit
    return tuple(
        ConsistencyMultiplier(
            int(rows.player[row]),
            int(rows.infoset[row]),
            int(rows.opponent_sequence[row]),
            multipliers[1 + row] / unit,
        )
        for row in range(rows.num_rows)
        if multipliers[1 + row]
    )


@dataclass(frozen=True, eq=False)
class _Table:
    """Coefficients being written: rows, columns and integers."""

    rows: list[Any]
    columns: list[Any]
    values: list[Any]

    def add(self, rows: object, columns: object, values: object) -> None:
        row, column, value = np.broadcast_arrays(
            np.asarray(rows, dtype=np.int64),
            np.asarray(columns, dtype=np.int64),
            np.asarray(values, dtype=object),
        )
        self.rows.append(row.ravel())
        self.columns.append(column.ravel())
        self.values.append(value.ravel())


def require_few_incentives(form: SequenceForm, kind: ExtensiveCorrelation) -> None:
    """Refuse trees whose incentives alone fill the program, before pairs are listed."""
    _require_at_most(_incentive_entries(form, kind), form.game, "at least")


def _require_at_most(entries: int, game: ExtensiveFormGame, nearly: str) -> None:
    if entries > MOST_ENTRIES:
        raise UnsupportedGame(
            needs=f"a linear program of at most {MOST_ENTRIES:,} coefficients",
            found=f"{game!r} has {nearly} {entries:,}",
            remedy="Try counterfactual_regret, whose average play is nearly a normal-form coarse "
            "correlated equilibrium.",
        )


def _incentive_entries(form: SequenceForm, kind: ExtensiveCorrelation) -> int:
    entries = 0
    for own in form.players:
        sequences = form.terminal_sequences[own.player]
        if kind is ExtensiveCorrelation.NORMAL_FORM_COARSE:
            entries += 2 * len(sequences) + 2 * own.num_sequences
            continue
        counts = np.diff(own.first_sequence)
        copies = counts if kind is ExtensiveCorrelation.EXTENSIVE else np.ones_like(counts)
        ends, places = ends_and_places(own, sequences)
        entries += int(copies[places].sum()) + len(ends)
        _, above = ends_and_places(own, np.arange(1, own.num_sequences, dtype=np.int32))
        entries += 2 * int(copies[above].sum())
    return entries


def _triggers(
    pairs: SequencePairs, kind: ExtensiveCorrelation, row: int
) -> tuple[TriggerRows, ...]:
    """Number rows and columns of all triggers, from a row on."""
    found: list[TriggerRows] = []
    column = pairs.num_pairs
    for own in pairs.form.players:
        counts = np.diff(own.first_sequence)
        for place, sequence in _places_and_sequences(own, kind):
            inside = tuple(scope(own, place))
            num_rows = 1 + int(counts[list(inside)].sum())
            found.append(TriggerRows(own.player, place, sequence, inside, column, row, num_rows))
            column += len(inside)
            row += num_rows
    return tuple(found)


def _places_and_sequences(
    own: PlayerSequences, kind: ExtensiveCorrelation
) -> list[tuple[int, int]]:
    if kind is ExtensiveCorrelation.NORMAL_FORM_COARSE:
        return [(START, 0)] if own.infosets else []
    if kind is ExtensiveCorrelation.EXTENSIVE_COARSE:
        return list(enumerate(own.parent_sequence.tolist()))
    ends = enumerate(pairwise(own.first_sequence.tolist()))
    return [(place, sequence) for place, own in ends for sequence in range(*own)]


def _add_consistency(table: _Table, pairs: SequencePairs) -> None:
    rows = pairs.consistency
    table.add(0, 0, 1)
    table.add(1 + rows.child_row, rows.child_pair, 1)
    table.add(1 + np.arange(rows.num_rows), rows.parent_pair, -1)


def _add_profiles(
    table: _Table, pairs: SequencePairs, plans: tuple[Plans, Plans], first_column: int
) -> None:
    """Say that the plan is a lottery over pure profiles."""
    one, other = plans
    table.add(0, first_column + np.arange(len(one) * len(other)), 1)
    table.add(1 + np.arange(pairs.num_pairs), np.arange(pairs.num_pairs), 1)
    for place, plan in enumerate(one):
        held = np.flatnonzero(plan[pairs.first])
        rivals, which = np.nonzero(other[:, pairs.second[held]])
        columns = first_column + place * len(other) + rivals
        table.add(1 + held[which], columns, -1)


def _add_trigger(
    table: _Table, pairs: SequencePairs, trigger: TriggerRows, stakes: ExactArray
) -> None:
    own = pairs.form.players[trigger.player]
    first, parents = own.first_sequence, own.parent_sequence
    both = pairs.form.terminal_sequences.astype(np.int64)
    sequences, others = both[trigger.player], both[1 - trigger.player]
    row_of = np.full(own.num_sequences, -1, dtype=np.int64)
    column_of = np.full(len(own.infosets), -1, dtype=np.int64)
    row = trigger.first_row
    for place, k in enumerate(trigger.inside):
        count = int(first[k + 1] - first[k])
        row_of[first[k] : first[k + 1]] = np.arange(row, row + count)
        column_of[k] = trigger.first_column + place
        table.add(np.arange(row, row + count), column_of[k], -1)
        row += count
    if trigger.place == START:
        row_of[0] = row  # obedience takes what is collected without a move, and first values
    for k in trigger.inside:
        if k != trigger.place:
            table.add(row_of[parents[k]], column_of[k], 1)
    if trigger.place != START:
        table.add(row, column_of[trigger.place], 1)
    below = np.flatnonzero(row_of[sequences] >= 0)
    same = np.full(len(below), trigger.sequence, dtype=np.int64)
    columns = (same, others[below]) if trigger.player == 0 else (others[below], same)
    table.add(row_of[sequences[below]], pairs.index(*columns), stakes[below])
    obedient = np.flatnonzero(_after(own, trigger)[sequences])
    table.add(row, pairs.terminal_pair[obedient], -stakes[obedient])


def _after(own: PlayerSequences, trigger: TriggerRows) -> NDArray[np.bool_]:
    """Tell which own sequences obeying may end with after a trigger."""
    after = np.zeros(own.num_sequences, dtype=bool)
    first = own.first_sequence
    if trigger.place == START:
        after[:] = True
    elif own.parent_sequence[trigger.place] == trigger.sequence:
        after[first[trigger.place] : first[trigger.place + 1]] = True
    else:
        after[trigger.sequence] = True
    for k in trigger.inside:
        if after[own.parent_sequence[k]]:
            after[first[k] : first[k + 1]] = True
    return after


def _objective(pairs: SequencePairs, objective: LinearObjective) -> ExactArray:
    worth = np.full(pairs.num_pairs, ZERO, dtype=object)
    values = values_at_ends(pairs.form.game, objective)
    np.add.at(worth, pairs.terminal_pair, pairs.form.chance_weight * values)
    return worth


def _integer_program(table: _Table, num_equations: int, costs: list[int]) -> LinearProgram:
    """Merge equal places."""
    num_rows, num_columns = 1 + int(max(rows.max() for rows in table.rows if rows.size)), len(costs)
    codes = np.concatenate(table.rows) * num_columns + np.concatenate(table.columns)
    places, which = np.unique(codes, return_inverse=True)
    sums = np.zeros(len(places), dtype=object)
    np.add.at(sums, which.ravel(), np.concatenate(table.values))
    used = np.flatnonzero(sums)
    rows, columns = np.divmod(places[used], num_columns)
    return LinearProgram(
        objective=np.array(costs, dtype=object),
        rows=rows.astype(np.int32),
        columns=columns.astype(np.int32),
        values=np.array([int(value) for value in sums[used].tolist()], dtype=object),
        bounds=np.array([1] + [0] * (num_rows - 1), dtype=object),
        is_equation=np.arange(num_rows) < num_equations,
        is_free=np.zeros(num_columns, dtype=bool),
    )


def _price(
    own: PlayerSequences,
    kind: ExtensiveCorrelation,
    trigger: TriggerRows,
    price: Fraction,
    multipliers: Sequence[Fraction],
    unit: Fraction,
) -> DeviationPrice:
    """Complete the weights of a continuation so that they flow down the tree.

    Multipliers may lose weight where a value is zero; any action may take it there, as payoffs
    above the least one only make a deviation dearer.
    """
    flow = [ZERO] * own.num_sequences
    flow[0] = price if trigger.place == START else ZERO
    row, flows = trigger.first_row, list[ActionFlow]()
    for k in trigger.inside:
        start, stop = int(own.first_sequence[k]), int(own.first_sequence[k + 1])
        due = price if k == trigger.place else flow[int(own.parent_sequence[k])]
        here = [multipliers[row + a] * unit for a in range(stop - start)]
        here[0] += due - sum(here, ZERO)
        flow[start:stop] = here
        row += stop - start
        flows += [ActionFlow(own.infosets[k], a, w) for a, w in enumerate(here) if w]
    is_seen = kind is ExtensiveCorrelation.EXTENSIVE
    return DeviationPrice(
        player=own.player,
        infoset=None if trigger.place == START else own.infosets[trigger.place],
        recommended=trigger.sequence - int(own.first_sequence[trigger.place]) if is_seen else None,
        price=price,
        flows=tuple(flows),
    )
