"""The best equilibrium of a bimatrix game, by branch and bound with a proof that can be checked.

The mixed-integer program of Sandholm, Gilpin and Conitzer (2005) asks of each action whether it is
played. HiGHS solves it as it stands to propose an equilibrium of few actions. The tree itself is
searched here, with a far tighter relaxation: correlated play with known best replies (see
``equilibrium_relaxation``). On random games of 20 x 20 about a hundred linear programs do what
takes HiGHS thousands of nodes; and their multipliers, made exact where that matters, are a proof by
cases that the core checks by itself. Strictly dominated actions are unplayed before the first case.

The mixed-integer program has for each player's action a probability ``p`` and a binary ``q``, 1
where the action is unplayed; with ``u`` what a best reply earns, ``r`` how much less the action
earns, and ``R`` the most it can:

    p <= 1 - q,   0 <= r <= R q,   sum p = 1.

So an action is unplayed or a best reply. Payoffs are floats, each player's in [0, 1].
"""

from dataclasses import dataclass
from typing import cast

import numpy as np

from gametheory_core.arrays import FloatArray
from gametheory_core.certificates.dominance import Elimination
from gametheory_core.certificates.equilibrium import certify_nash
from gametheory_core.certificates.equilibrium_bounds import Case, Label, case_without
from gametheory_core.certificates.optimal_equilibrium import (
    AbsentEquilibriumCertificate,
    EquilibriumObjective,
    OptimalEquilibriumCertificate,
    certify_optimal_equilibrium,
    named,
)
from gametheory_core.certificates.wording import at_most
from gametheory_core.errors import InfeasibleProgram, InvalidArgument, NotConverged
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile, supports
from solvers._programs.mixed_integer import MixedIntegerProgram, solve_mixed_integer
from solvers.bimatrix.equilibrium_cases import Search, new_search, offer, proof_of, try_actions
from solvers.bimatrix.equilibrium_search import branch_and_bound
from solvers.bimatrix.pivoting import lemke_howson
from solvers.concepts import Concept, chosen_player
from solvers.dominance.reduction import without_dominated
from solvers.requirements import (
    a_normal_form,
    as_tuple,
    require_instance,
    require_integer,
    two_players,
)
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver
from solvers.zero_sum.certified_program import dense_program

LARGEST_UNLESS_SEEN = 144  # joint actions: there, all cases take some milliseconds


@dataclass(frozen=True, eq=False)
class Proposal:
    """What branch and bound proposes.

    Attributes:
        actions: Each player's actions whose binary variable says that they are played.
        value: The objective there.
    """

    actions: tuple[tuple[int, ...], tuple[int, ...]]
    value: float


def propose(
    payoffs: tuple[FloatArray, FloatArray],
    *,
    payoff_weights: tuple[float, float] = (0.0, 0.0),
    unplayed_weight: float = 0.0,
    time_limit: float | None = None,
) -> Proposal | None:
    """Maximise weighted payoffs, and the weighted number of unplayed actions, over equilibria.

    Args:
        payoffs (m, n): Each player's, in [0, 1].
        time_limit: Seconds.

    Returns:
        None if HiGHS finds no equilibrium; a proposal may be wrong by rounding.
    """
    program = equilibrium_program(
        payoffs, payoff_weights=payoff_weights, unplayed_weight=unplayed_weight
    )
    found = solve_mixed_integer(program, time_limit=time_limit)
    if found.primal is None:
        return None
    num_rows, num_columns = payoffs[0].shape
    size = num_rows + num_columns
    is_played = found.primal[size : 2 * size] < 0.5
    rows, columns = is_played[:num_rows], is_played[num_rows:]
    return Proposal(
        (tuple(np.flatnonzero(rows).tolist()), tuple(np.flatnonzero(columns).tolist())), found.value
    )


def equilibrium_program(
    payoffs: tuple[FloatArray, FloatArray],
    *,
    payoff_weights: tuple[float, float],
    unplayed_weight: float,
) -> MixedIntegerProgram:
    """Write the program: columns ``p`` of both players, ``q`` of both, then ``u`` of both."""
    num_rows, num_columns = payoffs[0].shape
    size = num_rows + num_columns
    earned = np.zeros((size, size))  # what each action earns against the probabilities p
    earned[:num_rows, num_rows:] = payoffs[0]
    earned[num_rows:, :num_rows] = payoffs[1].T
    is_column = np.arange(size) >= num_rows
    best = np.array([~is_column, is_column], dtype=float).T  # u of the action's player
    most = np.concatenate(
        [
            (payoffs[0].max(axis=0) - payoffs[0]).max(axis=1),
            (payoffs[1].max(axis=1)[:, None] - payoffs[1]).max(axis=0),
        ]
    )
    zero, identity = np.zeros((size, size)), np.eye(size)
    blocks = [
        [identity, identity, np.zeros((size, 2))],
        [earned, zero, -best],
        [-earned, -np.diag(most), best],
        [best.T, np.zeros((2, size)), np.zeros((2, 2))],
    ]
    table = np.block(blocks)
    is_equation = np.arange(len(table)) >= 3 * size
    kinds = np.arange(2 * size + 2) // size
    relaxation = dense_program(
        table,
        np.array([0.0] * size + [unplayed_weight] * size + list(payoff_weights), dtype=float),
        bounds=np.concatenate([np.ones(size), np.zeros(2 * size), np.ones(2)]),
        is_equation=is_equation,
        is_free=kinds == 2,
    )
    return MixedIntegerProgram(relaxation, is_binary=kinds == 1)


OptimalSolution = Solution[MixedProfile, OptimalEquilibriumCertificate]


@solver(
    Answers(Concept.BEST_NASH, rank=10),
    takes=(a_normal_form, two_players),
    unit="linear programs",
    because="two players: branch and bound over what is played, with a proof that none is better",
    page="nash",
)
def mixed_integer(
    game: NormalFormGame,
    *,
    objective: EquilibriumObjective = EquilibriumObjective.LARGEST_WELFARE,
    player: int | None = None,
    unplayed: tuple[Label, ...] = (),
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> OptimalSolution:
    """Find the Nash equilibrium of a bimatrix game that is best for an objective, and prove it.

    Args:
        game: Two players; degenerate games too.
        objective: What to make large or small: the sum of payoffs, one player's payoff, or the
            number of actions that are played.
        player: Whose payoff, for the objectives about one player's. Default: the first's.
        unplayed: Actions that must not be played: ``(Label(player=0, action=2),)``.
        budget: Iterations are linear programs.
        on_iteration: Called after each linear program.

    Returns:
        An exact equilibrium; the certificate's epsilon is 0: none without the actions ruled out is
        better.

    Raises:
        InvalidArgument: If the objective, the player, or an action does not exist.
        InfeasibleProgram: If no equilibrium avoids the actions ruled out; ``witness`` proves it.
        NotConverged: If the budget ends first; ``best`` is the best equilibrium found, and its
            certificate says how much better another one may be at most. None if not even one was
            found.

    Deciding whether an equilibrium of a given welfare exists is NP-hard. A relaxation has ``m n``
    variables and at most ``m (m - 1) + n (n - 1)`` rows.

    Sources:
        T. Sandholm, A. Gilpin, V. Conitzer (2005), "Mixed-integer programming methods for finding
            Nash equilibria", AAAI-05, 495-501.
        I. Gilboa, E. Zemel (1989), "Nash and correlated equilibria: some complexity
            considerations", Games and Economic Behavior 1, 80-93.

    >>> game = NormalFormGame.bimatrix([[3, 0], [0, 2]], [[2, 0], [0, 3]])
    >>> mixed_integer(game, objective=EquilibriumObjective.LEAST_WELFARE).certificate.value
    Fraction(12, 5)
    """
    unplayed = _checked(game, unplayed)
    whose = chosen_player(objective, player) or 0
    meter = open_meter(budget, on_iteration)
    left = Budget(seconds=meter.seconds_left)
    eliminations = without_dominated(
        game, left, largest_unless_seen=LARGEST_UNLESS_SEEN
    ).eliminations
    start = case_without((*unplayed, *(Label(each.player, each.action) for each in eliminations)))
    search = new_search(game, objective=objective, player=whose, start=start, meter=meter)
    offer(search, _first(game, unplayed, eliminations, start, meter))
    counts_few = objective is EquilibriumObjective.SMALLEST_SUPPORT
    if counts_few and not unplayed and not meter.is_exhausted:
        _try_few_actions(search)
    branch_and_bound(search)
    return _finished(search, unplayed, eliminations)


def _try_few_actions(search: Search) -> None:
    """Try what HiGHS proposes to play, of the actions that are not dominated."""
    rows, columns = (
        np.array(search.start.possible(player, count))
        for player, count in enumerate(search.game.num_actions)
    )
    left = search.payoffs[0][np.ix_(rows, columns)], search.payoffs[1][np.ix_(rows, columns)]
    proposal = propose(left, unplayed_weight=1.0, time_limit=search.meter.seconds_left)
    if proposal is not None:
        own, other = proposal.actions
        try_actions(search, (tuple(rows[list(own)].tolist()), tuple(columns[list(other)].tolist())))


def _checked(game: NormalFormGame, unplayed: tuple[Label, ...]) -> tuple[Label, ...]:
    remedy = "Give unplayed=(Label(player=0, action=2),)."
    labels = as_tuple(unplayed, name="unplayed", remedy=remedy)
    for label in labels:
        require_instance(label, Label, name="each of unplayed", remedy=remedy)
        require_integer(label.player, name="the player of a Label")
        require_integer(label.action, name="the action of a Label")
        if label.player not in (0, 1) or not 0 <= label.action < game.num_actions[label.player]:
            raise InvalidArgument(
                needs=f"unplayed actions of {game!r}",
                found=f"got {label}",
                remedy="Players and actions count from 0.",
            )
    return labels


def _first(
    game: NormalFormGame,
    unplayed: tuple[Label, ...],
    eliminations: tuple[Elimination, ...],
    start: Case,
    meter: Meter,
) -> MixedProfile:
    """Return some equilibrium without the actions ruled out, or prove that there is none."""
    try:
        found = lemke_howson(game, budget=Budget(meter.seconds_left)).profile
    except NotConverged as error:
        raise _without_any(meter) from error
    played = supports(found)
    if not any(label.action in played[label.player] for label in unplayed):
        return found
    search = new_search(
        game,
        objective=EquilibriumObjective.LARGEST_SUPPORT,
        player=0,
        start=start,
        meter=meter,
        stops_at_first=True,
    )
    branch_and_bound(search)
    if search.best is not None:
        return search.best
    if meter.is_exhausted:
        raise _without_any(meter)
    proof = proof_of(search)
    raise InfeasibleProgram(
        needs=f"an equilibrium without {named(game, unplayed)}",
        found="there is none; the exception's witness proves it",
        remedy="Rule out fewer actions.",
        witness=AbsentEquilibriumCertificate(
            game, unplayed, proof.questions, proof.leaves, eliminations
        ),
    )


def _without_any(meter: Meter) -> NotConverged:
    return NotConverged(
        needs="an equilibrium to start with",
        found=f"the budget ended before, after {meter.iterations} linear programs",
    )


def _finished(
    search: Search, unplayed: tuple[Label, ...], eliminations: tuple[Elimination, ...]
) -> OptimalSolution:
    best, proof = cast("MixedProfile", search.best), proof_of(search)
    certificate = certify_optimal_equilibrium(
        search.game,
        best,
        objective=search.objective,
        player=search.player,
        unplayed=unplayed,
        questions=proof.questions,
        leaves=proof.leaves,
        eliminations=eliminations,
    )
    payoffs = certify_nash(search.game, best).payoffs
    solution = Solution(best, payoffs, certificate, search.meter.record())
    if certificate.epsilon:
        raise NotConverged(
            needs="the best equilibrium",
            found=f"the budget ended after {search.meter.iterations} linear programs with one that "
            f"another may surpass by {at_most(certificate.epsilon)}",
            remedy="Give a larger budget, or use the exception's best.",
            best=solution,
        )
    return solution
