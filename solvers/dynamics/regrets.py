"""Regret matching, regret matching+ and Hedge, played by everyone against everyone.

A player's *external regret* is what the best single action would have earned beyond what was
earned. Each rule bounds it by a constant times the root of the number of steps, whatever the others
do. So empirical play comes near the coarse correlated equilibria, and in two-player zero-sum games
the average strategies come near equilibrium.
"""

import math
from types import MappingProxyType

import numpy as np

from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile
from solvers.concepts import Concept
from solvers.dynamics.play import (
    Dynamics,
    Play,
    PlayRequest,
    PlayState,
    first_strategies,
    payoff_span,
    run_play,
)
from solvers.dynamics.repeated_play import RepeatedPlay
from solvers.local_rules import Hedge, LocalRule, RegretMatching, RegretMatchingPlus
from solvers.requirements import a_normal_form, require_number
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration
from solvers.solver import Answers, open_meter, solver

SHARE = 1e-3  # of the payoff span: what plain play reaches in seconds


def a_thousandth_of_the_span(game: NormalFormGame) -> float:
    """Return what plain play reaches in seconds, in payoff units."""
    return SHARE * (float(np.ptp(game.payoffs)) or 1.0)


UNTIL_DONE = MappingProxyType({"tolerance": a_thousandth_of_the_span, "steps": None})


@solver(
    Answers(Concept.COARSE_CORRELATED, rank=50, default=UNTIL_DONE),
    takes=(a_normal_form,),
    unit="steps",
    because="play without regret: its empirical play is certified to an epsilon",
    page="dynamics",
)
def regret_matching(
    game: NormalFormGame,
    *,
    steps: int | None = 10_000,
    tolerance: float | None = None,
    initial: MixedProfile | None = None,
    rng: np.random.Generator | None = None,
    samples: int = 200,
    start: PlayState | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Play:
    """Play in proportion to positive regrets, and certify where that leads.

    Args:
        game: Any number of players.
        steps: Steps to play; at most so many if there is a tolerance.
        tolerance: Stop as soon as ``play.epsilon`` is certified to be at most this, in payoff
            units.
        initial: Strategies of the first step; default uniform.
        rng: Draw actions and learn from the others' actions. Default: learn from the others' mixed
            strategies, without chance.
        samples: How often trajectories are sampled and the tolerance is looked at.
        start: Go on from the ``state`` of an earlier play.
        budget: Iterations are steps. A limit on time is looked at every few hundredths of a second;
            what has been played is then certified exactly, however long that takes.
        on_iteration: Called at each sample.

    Returns:
        ``certificate`` is of the average strategies for two-player constant-sum games, else of
        empirical play as a coarse correlated equilibrium.

    Raises:
        UnsupportedGame: If the game is a tree, or payoffs are so large that floats cannot add them
            up.
        InvalidArgument: If an option has a value it cannot have, or ``start`` belongs to another
            play.
        NotConverged: If the tolerance was not met, or the budget ended; ``best`` is the play so
            far.

    After ``T`` steps a player's regret is at most ``sqrt(sum of squared regret vectors)``, no more
    than ``span * sqrt(actions * T)``. A step takes time linear in the size of the payoff tensor, or
    in the number of actions if they are drawn.

    Source: :cite:`hart2000simple`.

    >>> from gametheory_core import load_game
    >>> play = regret_matching(load_game("battle_of_the_sexes"), steps=500)
    >>> play.epsilon <= 0.1
    True
    """
    rules = (RegretMatching(),) * game.num_players
    request = PlayRequest(steps, tolerance, samples, start, initial, rng)
    meter = open_meter(budget, on_iteration)
    return _run(game, "regret_matching", rules, request, meter)


@solver(takes=(a_normal_form,), unit="steps", page="dynamics")
def regret_matching_plus(
    game: NormalFormGame,
    *,
    steps: int | None = 10_000,
    tolerance: float | None = None,
    initial: MixedProfile | None = None,
    rng: np.random.Generator | None = None,
    samples: int = 200,
    start: PlayState | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Play:
    """Play in proportion to regrets that never fall below zero, and certify where that leads.

    Args:
        game: Any number of players.
        steps, tolerance, initial, rng, samples, start, budget, on_iteration: As for
            ``regret_matching``.

    Returns:
        ``state.memory`` is at least the cumulative regrets.

    Raises: As ``regret_matching``.

    Source: :cite:`tammelin2014solving`.

    >>> game = NormalFormGame.zero_sum([[2, -1], [-1, 1]])
    >>> regret_matching_plus(game, tolerance=0.05).epsilon <= 0.05
    True
    """
    rules = (RegretMatchingPlus(),) * game.num_players
    request = PlayRequest(steps, tolerance, samples, start, initial, rng)
    meter = open_meter(budget, on_iteration)
    return _run(game, "regret_matching_plus", rules, request, meter)


@solver(takes=(a_normal_form,), unit="steps", page="dynamics")
def hedge(
    game: NormalFormGame,
    *,
    rate: float | None = None,
    steps: int | None = 10_000,
    tolerance: float | None = None,
    initial: MixedProfile | None = None,
    rng: np.random.Generator | None = None,
    samples: int = 200,
    start: PlayState | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Play:
    """Play in proportion to exponentials of regrets, and certify where that leads.

    Args:
        game: Any number of players.
        rate: Constant learning rate, in 1 / payoff units. Default:
            ``sqrt(8 log(actions) / t) / span`` at step ``t``, for each player's own number of
            actions and payoff span.
        steps, tolerance, initial, rng, samples, start, budget, on_iteration: As for
            ``regret_matching``.

    Returns:
        As for ``regret_matching``.

    Raises: As ``regret_matching``.

    Sources:
        :cite:`freund1997decision`.
        :cite:`cesabianchi2006prediction`, theorem 2.3, for the default rate.

    >>> game = NormalFormGame.zero_sum([[2, -1], [-1, 1]])
    >>> hedge(game, steps=2000).epsilon <= 0.1
    True
    """
    if rate is not None:
        require_number(rate, name="rate", above=0, remedy="It is in 1 / payoff units.")
    rules = tuple(
        Hedge(math.sqrt(8 * math.log(count)) / payoff_span(game, player))
        if rate is None
        else Hedge(rate, decay=0.0)
        for player, count in enumerate(game.num_actions)
    )
    settings = "hedge" if rate is None else f"hedge(rate={rate!r})"
    request = PlayRequest(steps, tolerance, samples, start, initial, rng)
    meter = open_meter(budget, on_iteration)
    return _run(game, settings, rules, request, meter)


def _run(
    game: NormalFormGame,
    settings: str,
    rules: tuple[LocalRule, ...],
    request: PlayRequest,
    meter: Meter,
) -> Play:
    dynamics = Dynamics(
        settings=settings,
        fresh=lambda: (np.zeros(sum(game.num_actions)), first_strategies(game, request.initial)),
        advance=RepeatedPlay(game, rules, request.rng).advance,
    )
    return run_play(game, dynamics, request, meter)
