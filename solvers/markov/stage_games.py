"""Backward induction over stage games: what is played at each time and state, the last time first.

With a horizon, and everybody seeing the state, what comes after a stage is settled before the stage
is solved: payoffs of its joint actions are rewards plus values of what comes after. What each stage
plays makes the concept: an equilibrium, a commitment, or a mediator's recommendations. No promise
binds later stages.
"""

from fractions import Fraction
from math import ceil, log2
from typing import Any, cast

from gametheory_core import POSG, MixedProfile, NormalFormGame, UnsupportedGame, expected_payoffs
from gametheory_core.arrays import ZERO, to_fraction
from gametheory_core.certificates import StageStackelbergCertificate, certify_stage_stackelberg
from gametheory_core.certificates.incentives import LinearObjective
from gametheory_core.certificates.markov_perfect import (
    MarkovCorrelatedCertificate,
    MarkovPerfectCertificate,
    certify_markov_correlated,
    certify_markov_perfect,
)
from gametheory_core.certificates.wording import rationals
from gametheory_core.games.markov_view import MarkovView, View
from gametheory_core.strategies import MarkovCorrelation, MarkovProfile
from gametheory_core.strategies.markov import Lottery, pure_lottery
from solvers.concepts import Concept, Objective, objective_for
from solvers.correlated.normal_form import correlated_equilibrium
from solvers.markov.stage_induction import (
    Induction,
    Play,
    not_converged,
    over_all_actions,
    over_all_joint_actions,
    stage_equilibrium,
    stage_view,
    time_left,
)
from solvers.requirements import (
    a_horizon,
    a_posg,
    require_instance,
    require_integer,
    seen_state,
    two_players,
)
from solvers.solution import UNLIMITED, Budget, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver
from solvers.stackelberg.commitment import strong_stackelberg

TWO = 2
MOST_MEASURED = 2_000_000  # rows of stages and words of numbers, of what a budget leaves unfinished
WORD = 64

Lotteries = tuple[tuple[Lottery, ...], ...]  # of all players, by state


@solver(
    Answers(Concept.MARKOV_PERFECT, rank=10, takes=(a_horizon, seen_state)),
    takes=(a_posg,),
    unit="stages",
    because="a horizon, and all see the state: an equilibrium of each stage, from the end",
    page="markov-games",
)
def stage_nash_induction(
    game: POSG | View,
    *,
    tolerance: float | Fraction | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[MarkovProfile, MarkovPerfectCertificate]:
    """Find a Markov-perfect equilibrium of a game with a horizon: an equilibrium at every stage.

    In each stage the first pure equilibrium in the order of actions is played; if there is none and
    two players have a choice, minimax strategies where their payoffs sum to a constant, else the
    equilibrium that Lemke and Howson's method finds from the first label.

    Args:
        game: Any number of players, all of whom see the state; with a horizon.
        tolerance: Largest gain by deviating, in payoff units, for which values are rounded before
            they are carried on. Default: all is exact, for which numbers may grow long.

    Returns:
        One row for each time. From no time and state on does a player gain; with constant-sum
        rewards, the payoffs are the value of the game.

    Raises:
        UnsupportedGame: If a player does not see the state, there are too many stages, or one of
            three or more players with a choice has no pure equilibrium; names it.
        NotConverged: If the budget ends first; ``best`` takes first actions at the stages not
            reached, and is None where many stages or long numbers would take long to measure.

    Sources: :cite:`maskin2001markov`, :cite:`shapley1953stochastic`.

    >>> from gametheory_core.catalog import fish_war
    >>> solution = stage_nash_induction(fish_war(fishers=2, stock=6, rounds=3))
    >>> solution.payoffs
    (Fraction(6, 1), Fraction(6, 1))
    """
    view = stage_view(game)
    meter = open_meter(budget, on_iteration, total=view.num_stages)
    grid = None if tolerance is None else _grid(view, to_fraction(tolerance))

    def settle(state: int, stage: NormalFormGame) -> Play:
        profile = stage_equilibrium(stage, budget=time_left(meter))
        if profile is None:
            raise UnsupportedGame(
                needs="a pure equilibrium in each stage in which three or more players have a "
                "choice",
                found=f"in state {view.game.states[state]!r} there is none. "
                "stage_correlated_induction takes such games",
            )
        return _played(view, state, stage, profile)

    found = Induction(view, meter, grid).run(settle)
    rows = found.rows(lambda play: play.play)
    if found.is_complete:
        profile = MarkovProfile(rows, is_stationary=False)
        certificate = certify_markov_perfect(
            view,
            profile,
            tolerance=ZERO if tolerance is None else to_fraction(tolerance),
            values=tuple(found.values),
        )
        return Solution(profile, certificate.payoffs, certificate, meter.record())
    if not _is_measured_soon(view, rows):
        raise not_converged(meter)
    profile = MarkovProfile(_first_actions(view, rows), is_stationary=False)
    measured = certify_markov_perfect(view, profile, tolerance=None)
    best = Solution(profile, measured.payoffs, measured, meter.record())
    raise not_converged(meter, "with first actions at the stages not reached.", best)


@solver(
    Answers(Concept.STAGE_STACKELBERG, rank=10, takes=(a_horizon, two_players, seen_state)),
    takes=(a_posg,),
    unit="stages",
    because="a horizon, and both see the state: the best commitment in each stage, from the end",
    page="markov-games",
)
def stage_stackelberg_induction(
    game: POSG | View,
    *,
    leader: int | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[MarkovProfile, StageStackelbergCertificate]:
    """Let a leader commit at best at each stage, for that stage alone, exactly.

    Ties of the follower break for the leader. A commitment to a whole policy, as
    ``markov_stackelberg`` finds, may earn more, for it binds later stages too.

    Args:
        game: Two players who both see the state; with a horizon.
        leader: Who commits: 0 or 1. Default: the ``leader`` of a view that has one; else 0.

    Returns:
        One row for each time: commitments and best responses.

    Raises:
        UnsupportedGame: If there are not two players who see the state, or too many stages.
        NotConverged: If the budget ends first.

    Source: M. Simaan and J. B. Cruz (1973), "Additional aspects of the Stackelberg strategy in
        nonzero-sum games", Journal of Optimization Theory and Applications 11, 613-626.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> dilemma = RepeatedGame.of("prisoners_dilemma", rounds=3, recall=1)
    >>> stage_stackelberg_induction(dilemma).payoffs
    (Fraction(3, 1), Fraction(3, 1))
    """
    leader = cast("int", getattr(game, "leader", 0)) if leader is None else leader
    require_integer(leader, name="leader", low=0, high=1)
    view = stage_view(game)
    if view.num_players != TWO:
        raise UnsupportedGame(
            needs="two players, a leader and a follower",
            found=f"{view.game!r} has {view.num_players}. stage_correlated_induction takes any "
            "number",
        )
    meter = open_meter(budget, on_iteration, total=view.num_stages)

    def commit(state: int, stage: NormalFormGame) -> Play:
        found = strong_stackelberg(stage, leader=leader, budget=time_left(meter))
        return _played(view, state, stage, found.profile, found.certificate.multipliers)

    found = Induction(view, meter).run(commit)
    if not found.is_complete:
        raise not_converged(meter)
    profile = MarkovProfile(found.rows(lambda play: play.play), is_stationary=False)
    certificate = certify_stage_stackelberg(
        view, profile, leader=leader, multipliers=found.rows(lambda play: play.proof)
    )
    return Solution(profile, certificate.payoffs, certificate, meter.record())


@solver(
    Answers(Concept.MARKOV_CORRELATED, rank=10, takes=(a_horizon, seen_state)),
    takes=(a_posg,),
    unit="stages",
    because="a horizon, and all see the state: a correlated equilibrium of each stage, from "
    "the end",
    page="markov-games",
)
def stage_correlated_induction(
    game: POSG | View,
    *,
    objective: Objective | LinearObjective = Objective.LARGEST_WELFARE,
    player: int | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[MarkovCorrelation, MarkovCorrelatedCertificate]:
    """Find a mediator whom to obey at every time and state is best, whatever came before: exactly.

    In each stage, the correlated equilibrium with the most of an objective is recommended, given
    what comes after. (Over all stages together a mediator may do better: by recommending less
    now for the sake of more later, or by threats.)

    Args:
        game: Any number of players, all of whom see the state; with a horizon.
        objective: What is preferred in each stage, in words or as weights.
        player: Whose payoff an objective in words is about. Default: the first player's.

    Returns:
        The certificate says that disobeying never gains; not that the objective is largest.

    Raises:
        UnsupportedGame: If a player does not see the state, or there are too many stages.
        NotConverged: If the budget ends first.

    Source: :cite:`aumann1974subjectivity`.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> evenings = RepeatedGame.of("battle_of_the_sexes", rounds=2, recall=0)
    >>> sum(stage_correlated_induction(evenings).payoffs)
    Fraction(10, 1)
    """
    view = stage_view(game)
    count = view.num_players
    if player is not None:
        require_integer(player, name="player", low=0, high=count - 1)
    wanted = objective_for(LinearObjective, objective, player, num_players=count)
    require_instance(wanted, LinearObjective, name="objective")
    meter = open_meter(budget, on_iteration, total=view.num_stages)

    def recommend(state: int, stage: NormalFormGame) -> Play:
        solution = correlated_equilibrium(stage, objective=wanted, budget=time_left(meter))
        return Play(over_all_joint_actions(view, state, solution.profile), solution.payoffs)

    found = Induction(view, meter).run(recommend)
    if not found.is_complete:
        raise not_converged(meter)
    profile = MarkovCorrelation(found.rows(lambda play: play.play, None))
    certificate = certify_markov_correlated(view, profile)
    return Solution(profile, certificate.payoffs, certificate, meter.record())


def _played(
    view: MarkovView, state: int, stage: NormalFormGame, profile: MixedProfile, proof: Any = ()
) -> Play:
    values = rationals(expected_payoffs(stage, profile))
    return Play(over_all_actions(view, state, profile.strategies), values, proof)


def _grid(view: MarkovView, tolerance: Fraction) -> int:
    """Return a power of two so fine that rounding at each time stays within the tolerance."""
    times = max(1, len(view.layers))
    return 1 << max(
        0,
        ceil(log2(4 * times))
        - (tolerance.numerator.bit_length() - 1)
        + tolerance.denominator.bit_length(),
    )


def _is_measured_soon(view: MarkovView, rows: tuple[Lotteries, ...]) -> bool:
    """Tell whether what these lotteries pay is found in about a second, by the bits of numbers."""
    kernel = view.game.transition_kernel
    scale = view.game.discount.denominator * kernel.scaled.denominator
    drawn = sum(max((_bits(own) for own in row), default=0) for row in rows)
    words = 1 + (len(view.layers) * (scale - 1).bit_length() + drawn) // WORD
    joint = max((view.stage_rows(state).size for state in view.acting.tolist()), default=0)
    return view.num_stages * joint * words <= MOST_MEASURED


def _bits(lotteries: tuple[Lottery, ...]) -> int:
    return sum(max((x.denominator - 1).bit_length() for x in own) for own in lotteries)


def _first_actions(view: MarkovView, rows: tuple[Lotteries, ...]) -> tuple[Lotteries, ...]:
    """Fill in the first legal actions where a stage has not been reached."""
    filled: list[Lotteries] = []
    for layer, row in zip(view.layers, rows, strict=True):
        own = list(row)
        for state in layer.tolist():
            own[state] = own[state] or tuple(
                pure_lottery(legal[0], len(labels))
                for legal, labels in zip(view.legal[state], view.game.actions, strict=True)
            )
        filled.append(tuple(own))
    return tuple(filled)
