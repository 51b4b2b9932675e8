"""Zero-sum trees by one linear program over realization plans.

With ``A`` (sequences of player 0 x sequences of player 1) the chance-weighted payoffs of player 0,
``E x = e`` and ``F y = f`` the constraints on the plans, player 0 solves

    max  v[empty]   subject to   E x = e,   x >= 0,
    v[I(s)] - sum over J with parent(J) = s of v[J]  <=  (A'x)[s]   for every sequence s of player 1

where ``I(s)`` is the information set at which ``s`` ends and ``v`` is what player 1 concedes from
there on. The multipliers of these rows are an optimal plan of player 1.
"""

import math
from functools import partial

import numpy as np

from gametheory_core.arrays import NumberArray, is_exact, scaled_integers
from gametheory_core.certificates.minimax import MinimaxCertificate
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.strategies.behavioral import BehavioralProfile, uniform_behavior
from gametheory_core.strategies.realization import RealizationPlan, behavioral_profile
from gametheory_core.strategies.sequence_form import PlayerSequences, SequenceForm, sequence_form
from solvers._programs.linear import LinearProgram
from solvers.requirements import (
    require_constant_sum,
    require_perfect_recall,
    require_tree,
    require_two_players,
)
from solvers.rounding import rational_distribution
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Solution
from solvers.zero_sum.certified_program import (
    MinimaxTask,
    integer_array,
    solve_certified,
)

NAME = "sequence_form_lp"

Triples = dict[tuple[int, int], int]  # (row, column) -> coefficient


def sequence_form_lp(
    game: ExtensiveFormGame,
    *,
    tolerance: float | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[BehavioralProfile, MinimaxCertificate]:
    """Find minimax behavioral strategies of a two-player constant-sum tree.

    A float solve finds the basis, an exact rational solve of that basis the strategies.

    Parameters
    ----------
    game : ExtensiveFormGame
        Two players, constant-sum, perfect recall.
    tolerance : float, optional
        Width of the interval around the value that is good enough, in payoff units. Default: the
        value is wanted exactly.
    budget : Budget
        Iterations are simplex pivots. Time is looked at between the phases, within the float solve,
        and between exact pivots.
    on_iteration : function, optional
        Called after each phase, and after each exact pivot.

    Returns
    -------
    Solution[BehavioralProfile, MinimaxCertificate]
        Without a tolerance, ``certificate.epsilon`` is 0. Behavior that the player's own strategy
        rules out is uniform.

    Raises
    ------
    UnsupportedGame
        If a requirement fails; the message has the witness.
    NotConverged
        If the budget ends first; ``best`` is the best certified solution so far.

    Notes
    -----
    The program has a row and a column for about each sequence, and a coefficient for each pair of
    sequences that meet at an end of play: it is linear in the size of the tree.

    References
    ----------
    .. [1] D. Koller, N. Megiddo, B. von Stengel (1996), "Efficient computation of equilibria for
       extensive two-person games", Games and Economic Behavior 14, 247-259.

    Examples
    --------
    >>> from gametheory_core.games.sketch import Decision, Terminal, from_sketch
    >>> pennies = Decision(0, "", {
    ...     a: Decision(1, "", {b: Terminal([2, -2] if a == b else [-1, 1]) for b in "HT"})
    ...     for a in "HT"})
    >>> solution = sequence_form_lp(from_sketch(pennies, players=("Even", "Odd")))
    >>> solution.certificate.game_value, solution.certificate.epsilon
    (Fraction(1, 2), Fraction(0, 1))
    """
    require_tree(game, function=NAME)
    require_two_players(game, function=NAME)
    require_constant_sum(game, function=NAME)
    require_perfect_recall(game, function=NAME)
    meter = Meter(budget, "pivots", on_iteration)
    form = sequence_form(game)
    program = plan_program(form)
    task = MinimaxTask(
        function=NAME,
        game=game,
        float_program=lambda: program,
        exact_program=lambda: program,
        profile_of=partial(_profile, form),
        fallback=partial(uniform_behavior, game),
    )
    return solve_certified(task, tolerance=tolerance, meter=meter)


def plan_program(form: SequenceForm) -> LinearProgram:
    """Write player 0's program with integers: columns ``x``, then ``v[empty]``, then ``v[J]``.

    Rows are player 1's sequences, then the constraints on player 0's plan.
    """
    own, opponent = form.players
    entries = _merged_payoffs(form)
    root = own.num_sequences
    ends_at, parents = _ends_and_parents(opponent)
    for sequence, k in enumerate(ends_at):
        entries[sequence, root + k] = 1
    for k, parent in enumerate(parents, start=1):
        entries[parent, root + k] = -1
    first_constraint = opponent.num_sequences
    ends_at, parents = _ends_and_parents(own)
    for sequence, k in enumerate(ends_at):
        entries[first_constraint + k, sequence] = 1
    for k, parent in enumerate(parents, start=1):
        entries[first_constraint + k, parent] = -1
    num_rows = first_constraint + 1 + len(own.infosets)
    num_columns = root + 1 + len(opponent.infosets)
    places = sorted(entries)
    return LinearProgram(
        objective=integer_array([int(j == root) for j in range(num_columns)]),
        rows=np.array([row for row, _ in places], dtype=np.int32),
        columns=np.array([column for _, column in places], dtype=np.int32),
        values=integer_array([entries[place] for place in places]),
        bounds=integer_array([int(i == first_constraint) for i in range(num_rows)]),
        is_equation=np.arange(num_rows) >= first_constraint,
        is_free=np.arange(num_columns) >= root,
    )


def _merged_payoffs(form: SequenceForm) -> Triples:
    """Return ``-A'`` in integers: plays with equal pairs of sequences are added up.

    The common factor is dropped: it scales ``v`` and leaves the plans alone.
    """
    chance = scaled_integers(form.chance_weight).numerators
    payoffs = scaled_integers(form.game.exact_terminal_payoffs[:, 0]).numerators
    entries: Triples = {}
    own, opponent = form.terminal_sequences.tolist()
    for row, column, paid in zip(opponent, own, (chance * payoffs).tolist(), strict=True):
        entries[row, column] = entries.get((row, column), 0) - paid
    divisor = math.gcd(*entries.values()) or 1
    return {place: value // divisor for place, value in entries.items() if value}


def _ends_and_parents(own: PlayerSequences) -> tuple[list[int], list[int]]:
    """Return where each sequence ends (k + 1: k-th own information set), and the sets' parents."""
    counts = np.diff(own.first_sequence)
    ends = np.repeat(np.arange(1, len(counts) + 1), counts).tolist()
    return [0, *ends], own.parent_sequence.tolist()


def _profile(form: SequenceForm, primal: NumberArray, dual: NumberArray) -> BehavioralProfile:
    weights = [
        values[: own.num_sequences]
        for own, values in zip(form.players, (primal, dual), strict=True)
    ]
    if is_exact(primal):
        plans = (RealizationPlan(0, weights[0]), RealizationPlan(1, weights[1]))
        return behavioral_profile(form, plans)
    return BehavioralProfile(
        tuple(
            rational_distribution(values[start:stop])
            for own, values in zip(form.players, weights, strict=True)
            for start, stop in zip(own.first_sequence[:-1], own.first_sequence[1:], strict=True)
        )
    )
