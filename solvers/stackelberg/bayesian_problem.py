"""A Bayesian game seen from the leader: payoffs in integers, and the programs over commitments.

A *response function* gives each type an action; in a partial one some types are open. The program
of a partial response function bounds what commitments answered like that can earn:

    max  sum over fixed t of  x.L_t[:, b_t]  +  what open types can add at most
    subject to  x.(F_t[:, c] - F_t[:, b_t]) <= 0  for fixed t and all c,  sum x + s = 1,  x, s >= 0,

with ``L_t`` weighed by the prior, and the outside option ``s`` paid a floor, so that a solution
always exists. An open type adds at most ``x.max_b L_t[:, b]``; this is the *loose* relaxation. In
the *tight* one ``x`` is split among its answers, ``x = sum_b z_tb`` with ``z_tb >= 0``, and

    adds  sum_b z_tb.L_t[:, b]   with   z_tb.(F_t[:, c] - F_t[:, b]) <= 0  for all b and c.

It is DOBSS's program (Paruchuri et al. 2008) with ``q`` between 0 and 1 and, for the big constant,
the convex hull of each type's choices.
"""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from math import lcm
from typing import Any, cast

import numpy as np

from gametheory_core.arrays import ExactArray, FloatArray, scaled_integers
from gametheory_core.games.bayesian import BayesianGame
from solvers._programs.linear import LinearProgram
from solvers.stackelberg.leader_problem import best_pure_strategy, favorite_answers

OPEN = -1
Responses = tuple[int, ...]


class Relaxation(Enum):
    """What open types may add to a bound."""

    LOOSE = "the best payoff in each row: few variables"
    TIGHT = "the convex hull of each type's answers: a variable for each action of each type"


@dataclass(frozen=True, eq=False)
class BayesianProblem:
    """A Bayesian game from the leader's side.

    Attributes:
        own (leader's actions, actions of type t): The leader's payoffs weighed by the prior, times
            ``own_scale``.
        own_scale: Positive.
        others: Each type's payoffs times its ``others_scale``, less the least for the same leader's
            action.
        others_scale: Positive.
        own_span: How far the leader's sums over types may lie apart, at least 1.
    """

    game: BayesianGame
    own: tuple[ExactArray, ...]
    own_scale: int
    others: tuple[ExactArray, ...]
    others_scale: tuple[int, ...]
    own_span: int

    @property
    def num_actions(self) -> int:
        """Number of the leader's actions."""
        return len(self.own[0])

    @property
    def counts(self) -> tuple[int, ...]:
        """Number of actions of each type."""
        return self.game.num_actions[1:]


@dataclass(frozen=True, eq=False)
class TypedCommitment:
    """A commitment, what it earns, and how each type answers.

    Attributes:
        value: The leader's payoff, averaged over the prior.
        strategy: The leader's.
        responses: Each type's best response, ties broken for the leader.
    """

    value: Fraction
    strategy: ExactArray
    responses: Responses


@dataclass(frozen=True, eq=False)
class ResponseProgram:
    """A linear program with the meaning of its rows and columns.

    Attributes:
        program: Columns: the leader's strategy, the outside option, then splits of it.
        preferences: For each of the first rows: type, answer and rival that it compares.
    """

    program: LinearProgram
    preferences: tuple[tuple[int, int, int], ...]


def bayesian_problem(game: BayesianGame) -> BayesianProblem:
    """Look at a Bayesian game from the leader's side."""
    weighed = [
        scaled_integers(one.exact_payoffs[0] * p)
        for p, one in zip(game.prior, game.games, strict=True)
    ]
    others = [scaled_integers(one.exact_payoffs[1]) for one in game.games]
    scale = lcm(*(table.denominator for table in weighed))
    own = tuple(table.numerators * (scale // table.denominator) for table in weighed)
    spans = [int(table.max()) - int(table.min()) for table in own]
    return BayesianProblem(
        game=game,
        own=own,
        own_scale=scale,
        others=tuple(
            table.numerators - table.numerators.min(axis=1, keepdims=True) for table in others
        ),
        others_scale=tuple(table.denominator for table in others),
        own_span=max(sum(spans), 1),
    )


def favorite_responses(problem: BayesianProblem, strategy: ExactArray) -> TypedCommitment:
    """Answer a commitment with the leader's favorites among each type's best responses."""
    found = favorite_answers(problem.own, problem.others, strategy)
    return TypedCommitment(found.earned / problem.own_scale, strategy, found.answers)


def best_pure_commitment(problem: BayesianProblem) -> TypedCommitment:
    """Find the best commitment to one action."""
    return favorite_responses(problem, best_pure_strategy(problem.own, problem.others))


def response_program(
    problem: BayesianProblem, responses: Responses, relaxation: Relaxation, *, floor: int
) -> ResponseProgram:
    """Write the program of a partial response function; its value is in the units of ``own``.

    Args:
        responses: An action for each type, or -1 for an open one.
        floor: What the outside option pays.
    """
    size = problem.num_actions
    gains = np.zeros(size + 1, dtype=object)
    gains[size] = floor
    objective: list[Any] = [gains]
    blocks = _Blocks()
    splits: list[tuple[int, int]] = []  # type, first column
    width = size + 1
    for t, answer in enumerate(responses):
        own, others = problem.own[t], problem.others[t]
        if answer != OPEN:
            gains[:size] += own[:, answer]
            blocks.compare(others, t, answer, first_column=0)
        elif relaxation is Relaxation.LOOSE:
            gains[:size] += own.max(axis=1)
        else:
            splits.append((t, width))
            for b in range(own.shape[1]):
                objective.append(own[:, b])
                blocks.compare(others, t, b, first_column=width)
                width += size
    preferences = tuple(blocks.preferences)
    num_preferences = len(preferences)
    for t, first in splits:
        for a in range(size):
            columns = [a, *range(first + a, first + a + size * problem.counts[t], size)]
            blocks.add(columns, [-1] + [1] * problem.counts[t])
    blocks.add(range(size + 1), [1] * (size + 1))
    bounds = np.zeros(blocks.num_rows, dtype=object)
    bounds[-1] = 1
    program = LinearProgram(
        objective=np.concatenate(objective),
        rows=np.array(blocks.rows, dtype=np.int32),
        columns=np.array(blocks.columns, dtype=np.int32),
        values=np.array(blocks.values, dtype=object),
        bounds=bounds,
        is_equation=np.arange(blocks.num_rows) >= num_preferences,
        is_free=np.zeros(width, dtype=bool),
    )
    return ResponseProgram(program, preferences)


def added_by_types(
    problem: BayesianProblem, responses: Responses, relaxation: Relaxation, primal: FloatArray
) -> list[float]:
    """Return, for each open type, how much more it adds in a float solution than its true answer.

    Zero for fixed types.
    """
    size = problem.num_actions
    strategy = primal[:size]
    excess: list[float] = []
    first = size + 1
    for t, answer in enumerate(responses):
        if answer != OPEN:
            excess.append(0.0)
            continue
        own = cast("FloatArray", (problem.own[t] / problem.own_span).astype(np.float64))
        if relaxation is Relaxation.LOOSE:
            claimed = strategy @ own.max(axis=1)
        else:
            count = problem.counts[t]
            split = primal[first : first + size * count].reshape(count, size)
            claimed = (split * own.T).sum()
            first += size * count
        span = max(int(problem.others[t].max()), 1)
        reply = int(np.argmax(strategy @ (problem.others[t] / span).astype(np.float64)))
        excess.append(float(claimed - strategy @ own[:, reply]))
    return excess


class _Blocks:
    """Rows under construction; lives inside one call."""

    def __init__(self) -> None:
        self.rows: list[int] = []
        self.columns: list[int] = []
        self.values: list[Any] = []
        self.preferences: list[tuple[int, int, int]] = []
        self.num_rows = 0

    def add(self, columns: Any, values: Any) -> None:
        """Add one row."""
        self.rows += [self.num_rows] * len(columns)
        self.columns += columns
        self.values += values
        self.num_rows += 1

    def compare(self, others: ExactArray, t: int, answer: int, *, first_column: int) -> None:
        """Add ``z.(F[:, rival] - F[:, answer]) <= 0`` for all rivals of an answer."""
        for rival in range(others.shape[1]):
            if rival != answer:
                gains = others[:, rival] - others[:, answer]
                used = np.flatnonzero(gains)
                self.add((used + first_column).tolist(), gains[used].tolist())
                self.preferences.append((t, answer, rival))
