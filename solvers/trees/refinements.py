"""Quasi-perfect equilibria of two players: best replies everywhere to opponents who tremble.

Plans of two players are bounded below by ``x[s] >= epsilon**(number of own actions in s)``. An
equilibrium of the game so perturbed gives, at *every* information set, as little weight as it may
to each action that is no best reply to the other's plan; as epsilon vanishes, so does the share of
such actions. Hence the limit is quasi-perfect (Miltersen and Sorensen 2010). Where payoffs sum to a
constant, a linear program finds one: ``plan_program`` of the sequence form with lower bounds on its
variables, which are player 0's plan, and on its multipliers, which are player 1's. Where they do
not, Lemke's path with the same bounds does.
"""

from gametheory_core import ExtensiveFormGame, NotConverged, UnsupportedGame
from gametheory_core.certificates.refinements import QuasiPerfectCertificate, certify_quasi_perfect
from gametheory_core.games.properties import is_constant_sum
from gametheory_core.strategies import BehavioralProfile
from gametheory_core.strategies.sequences import PlayerSequences, SequenceForm, sequence_form
from gametheory_core.strategies.trembles import TremblingProfile, require_possible_infosets
from solvers._programs.perturbed import UNBOUNDED, PerturbedProgram, float_start, solve_perturbed
from solvers.concepts import Concept
from solvers.requirements import a_tree, perfect_recall, two_players
from solvers.solution import UNLIMITED, Budget, BudgetOver, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver
from solvers.trees.perturbed_path import follow_perturbed_path
from solvers.trees.sequence_program import plan_program

MOST_COEFFICIENTS = 5_000_000  # of the plans, all players together; takes about a gigabyte


@solver(
    Answers(Concept.QUASI_PERFECT, rank=10),
    takes=(a_tree, two_players, perfect_recall),
    unit="pivots",
    because="two players: plans that err with a symbol for how rarely, by a linear program or a "
    "path of pivots",
    page="refinements",
)
def quasi_perfect(
    game: ExtensiveFormGame, *, budget: Budget = UNLIMITED, on_iteration: OnIteration | None = None
) -> Solution[BehavioralProfile, QuasiPerfectCertificate]:
    """Find a quasi-perfect equilibrium of a two-player tree.

    It is an equilibrium that plays well everywhere, also where play should not have come: against
    opponents who make mistakes, however rarely, every action it plays is a best reply.

    Args:
        game: Two players, perfect recall, any payoffs; chance excludes no information set.
        budget: Iterations are pivots. Time is looked at while the program is written, within the
            float solve, and between exact pivots; the certificate is not limited.
        on_iteration: Called after each phase, and after each exact pivot.

    Returns:
        The certificate holds the trembles, two polynomial plans, and checks van Damme's definition.

    Raises:
        NotConverged: If the budget ends first; ``best`` is None, as nothing less is worth having.

    Where payoffs sum to a constant, the linear program is that of ``sequence_form_lp``; its
    right-hand sides and costs are polynomials of a degree up to the number of own moves in a play.
    Elsewhere the path is that of ``sequence_form_lcp`` from the uniform prior, whose number of
    pivots can be exponential in the size of the tree.

    Source: :cite:`miltersen2010computing`.

    >>> from gametheory_core import load_game
    >>> solution = quasi_perfect(load_game("guess_the_ace"))
    >>> [str(p) for p in solution.profile.probabilities[1]]  # of guessing ace, and other
    ['0', '1']
    """
    meter = open_meter(budget, on_iteration)
    form = required_form(game)
    certificate = certify_quasi_perfect(game, perfect_trembles(form, meter=meter))
    return Solution(certificate.profile, certificate.payoffs, certificate, meter.record())


def required_form(game: ExtensiveFormGame) -> SequenceForm:
    """Return the sequence form of a tree in which trembles come everywhere.

    Raises:
        UnsupportedGame: If chance excludes an information set, or the tree is so deep that its
            polynomial plans do not fit; says how many coefficients there would be.
    """
    require_possible_infosets(game)
    form = sequence_form(game)
    lengths = [sequence_lengths(own) for own in form.players]
    count = sum(len(own) * (1 + max(own)) for own in lengths)
    if count > MOST_COEFFICIENTS:
        raise UnsupportedGame(
            needs=f"plans of at most {MOST_COEFFICIENTS:,} coefficients",
            found=f"these may have {count:,}: up to {max(map(max, lengths))} own moves in a play",
            remedy="Use sequence_form_lp or backward_induction, and certify_sequential with "
            "trembles of your own.",
        )
    return form


def perfect_trembles(form: SequenceForm, *, meter: Meter) -> TremblingProfile:
    """Solve the perturbed game of two players: trembles whose limit is quasi-perfect."""
    try:
        if is_constant_sum(form.game):
            return _optimal_trembles(form, meter)
        floors = [sequence_lengths(own) for own in form.players]
        return follow_perturbed_path(form, floors, meter=meter)
    except BudgetOver:
        raise NotConverged(
            needs="plans that are optimal for all small epsilon",
            found=f"the budget ended after {meter.iterations} pivots",
            remedy="Give a larger budget.",
        ) from None


def _optimal_trembles(form: SequenceForm, meter: Meter) -> TremblingProfile:
    def tick(steps: int) -> None:
        meter.step(steps)
        meter.require_more()

    tick(0)
    perturbed = perturbed_program(form)
    basis = float_start(
        perturbed,
        time_limit=lambda: meter.seconds_left,
        pivot_limit=lambda: meter.iterations_left,
        tick=tick,
    )
    optimum = solve_perturbed(perturbed, basis, tick=tick)
    first, second = (own.num_sequences for own in form.players)
    return TremblingProfile((optimum.primal[:first], optimum.dual[:second]))


def perturbed_program(form: SequenceForm) -> PerturbedProgram:
    """Bound both plans of the sequence form's program below by powers of epsilon."""
    program = plan_program(form)
    first, second = map(sequence_lengths, form.players)
    rest_columns = [UNBOUNDED] * (program.num_columns - len(first))
    rest_rows = [UNBOUNDED] * (program.num_rows - len(second))
    return PerturbedProgram(program, (*first, *rest_columns), (*second, *rest_rows))


def sequence_lengths(own: PlayerSequences) -> list[int]:
    """Return the number of own actions in each sequence."""
    lengths = [0]
    for k, parent in enumerate(own.parent_sequence.tolist()):
        count = int(own.first_sequence[k + 1] - own.first_sequence[k])
        lengths += [lengths[parent] + 1] * count
    return lengths
