"""Sequential equilibria: strategies and beliefs that make sense at every information set.

In two-player constant-sum trees the trembles that make a profile quasi-perfect also give beliefs
with which it is sequential (van Damme 1984). In trees of perfect information each belief is sure,
and backward induction finds a sequential equilibrium of any number of players.
"""

from gametheory_core.certificates.refinements import SequentialCertificate, certify_sequential
from gametheory_core.errors import NotConverged
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.properties import HOLDS, Verdict, has_perfect_information
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.sequence_form import sequence_form
from gametheory_core.strategies.trembles import (
    TremblingProfile,
    require_possible_infosets,
    uniform_trembles,
)
from solvers.concepts import Concept
from solvers.refinements.quasi_perfect import (
    perfect_trembles,
    require_few_coefficients,
    required_form,
)
from solvers.requirements import Requirement, a_tree, constant_sum, perfect_recall, two_players
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Progress, Solution
from solvers.solver import Answers, open_meter, solver
from solvers.trees.backward_induction import backward_induction

NAME = "sequential_equilibrium"


def _open_or_constant_sum(game: ExtensiveFormGame) -> Verdict:
    if has_perfect_information(game):
        return HOLDS
    needed = (two_players, constant_sum, perfect_recall)
    verdicts = (requirement.test(game) for requirement in needed)
    return next((verdict for verdict in verdicts if not verdict), HOLDS)


open_or_constant_sum = Requirement(
    "perfect information, or two players, a constant sum and perfect recall",
    _open_or_constant_sum,
    perfect_recall.remedy,
)


@solver(
    Answers(Concept.SEQUENTIAL, rank=10),
    takes=(a_tree, open_or_constant_sum),
    unit="steps",
    because="an equilibrium with beliefs, rational at every information set, from vanishing "
    "mistakes",
    page="refinements",
)
def sequential_equilibrium(
    game: ExtensiveFormGame,
    *,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[BehavioralProfile, SequentialCertificate]:
    """Find a sequential equilibrium: an equilibrium with beliefs, rational wherever play may be.

    Args:
        game: Perfect information, any number of players; or two players, constant-sum, perfect
            recall. Chance excludes no information set.
        budget: Iterations are levels of the tree (perfect information) or simplex pivots. The
            certificate, which multiplies polynomials and is slow in deep trees, is not limited in
            time.
        on_iteration: Called as ``backward_induction`` or ``quasi_perfect`` does.

    Returns:
        ``certificate.assessment`` has profile and beliefs, ``certificate.trembles`` the completely
        mixed strategies that explain them.

    Raises:
        UnsupportedGame: If a requirement fails; the message has the witness. To check an assessment
            of another game, use ``certify_sequential``.
        NotConverged: If the budget ends first; ``best`` is None, as nothing less is worth having.

    Source: D. M. Kreps, R. Wilson (1982), "Sequential equilibria", Econometrica 50, 863-894.

    >>> from gametheory_core import load_game
    >>> certificate = sequential_equilibrium(load_game("guess_the_ace")).certificate
    >>> [str(belief) for belief in certificate.beliefs[1]]  # it is the ace one time in 52
    ['1/52', '51/52']
    """
    meter = open_meter(budget, on_iteration)
    if has_perfect_information(game):
        require_possible_infosets(game)
        require_few_coefficients(sequence_form(game))
        trembles = _backward_induction(game, meter)
    else:
        form = required_form(game)
        trembles = perfect_trembles(form, meter=meter)
    certificate = certify_sequential(game, trembles)
    return Solution(certificate.profile, certificate.payoffs, certificate, meter.record())


def _backward_induction(game: ExtensiveFormGame, meter: Meter) -> TremblingProfile:
    """Let everyone tremble alike around the profile of backward induction."""

    def tick() -> None:
        if meter.seconds_left == 0.0:
            raise _ended(meter)

    def count(progress: Progress) -> None:
        meter.iterations = progress.done
        if meter.on_iteration is not None:
            meter.on_iteration(progress)

    try:
        found = backward_induction(game, budget=meter.left, on_iteration=count)
    except NotConverged as error:  # what is best so far has no beliefs
        raise _ended(meter) from error
    trembles = uniform_trembles(game, found.profile, tick=tick)
    tick()
    return trembles


def _ended(meter: Meter) -> NotConverged:
    return NotConverged(
        needs="an action and a belief at every information set",
        found=f"the budget ended after {meter.iterations} levels of the tree",
        remedy="Give a larger budget.",
    )
