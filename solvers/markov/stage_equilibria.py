"""One equilibrium of a stage game, by a fixed rule."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from gametheory_core.arrays import ONE, ZERO, ExactArray, freeze
from gametheory_core.certificates.wording import rationals
from gametheory_core.evaluation.payoffs import expected_payoffs
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import is_constant_sum
from gametheory_core.strategies.markov_policies import Lottery
from gametheory_core.strategies.mixed import MixedProfile
from solvers.bimatrix.lemke_howson import lemke_howson
from solvers.many_players.pure import stable_cells
from solvers.solution import UNLIMITED, Budget
from solvers.zero_sum.minimax import minimax

TWO = 2


@dataclass(frozen=True)
class StageEquilibrium:
    """An equilibrium of a stage game and what it pays.

    Attributes:
        lotteries: Of each player.
        profile: The same, as a profile of the stage game.
    """

    lotteries: tuple[Lottery, ...]
    values: tuple[Fraction, ...]
    profile: MixedProfile


def stage_equilibrium(
    stage: NormalFormGame, *, budget: Budget = UNLIMITED
) -> StageEquilibrium | None:
    """Return the first pure equilibrium, else one of two players; None if more have a choice.

    Of two players whose payoffs sum to a constant, minimax strategies; else what Lemke and Howson's
    method finds from the first label.

    Raises:
        NotConverged: If the budget ends first.
    """
    cells = np.argwhere(stable_cells(stage))
    if len(cells):
        chosen = cells[0].tolist()
        strategies = [_pure(a, count) for a, count in zip(chosen, stage.num_actions, strict=True)]
    else:
        choosing = [i for i, count in enumerate(stage.num_actions) if count > 1]
        if len(choosing) != TWO:  # one player alone has a best action
            return None
        found = _between_two(stage, choosing, budget)
        strategies = [_pure(0, 1)] * stage.num_players
        for player, own in zip(choosing, found.strategies, strict=True):
            strategies[player] = own
    profile = MixedProfile(tuple(strategies))
    return StageEquilibrium(
        tuple(tuple(own.tolist()) for own in profile.strategies),
        rationals(expected_payoffs(stage, profile)),
        profile,
    )


def _between_two(stage: NormalFormGame, choosing: list[int], budget: Budget) -> MixedProfile:
    shape = (TWO, *(stage.num_actions[i] for i in choosing))
    smaller = NormalFormGame.from_payoffs(
        freeze(stage.exact_payoffs[choosing].reshape(shape)),
    )
    if is_constant_sum(smaller):
        return minimax(smaller, budget=budget).profile
    return lemke_howson(smaller, budget=budget).profile


def _pure(action: int, count: int) -> ExactArray:
    strategy = np.full(count, ZERO, dtype=object)
    strategy[action] = ONE
    return freeze(strategy)
