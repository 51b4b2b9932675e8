"""What inductions over stage games have in common: times backwards, states one by one.

A stage game has many equilibria; a fixed rule picks the one that is played.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from gametheory_core import CorrelatedDistribution, NotConverged, UnsupportedGame
from gametheory_core.arrays import ZERO, ExactArray, NumberArray, exact_array, freeze
from gametheory_core.conversions import markov_view
from gametheory_core.evaluation.stages import stage_game, stage_payoffs
from gametheory_core.games import POSG, NormalFormGame, is_constant_sum, longest_play
from gametheory_core.games.kinds import require_posg
from gametheory_core.games.markov_view import MarkovView, View
from gametheory_core.strategies import MixedProfile, pure_profile
from gametheory_core.strategies.markov import Lottery
from solvers.bimatrix.pivoting import lemke_howson
from solvers.many_players.pure_equilibria import stable_cells
from solvers.solution import UNLIMITED, Budget, Meter
from solvers.zero_sum.matrix_games import minimax

MAX_STAGES = 200_000
MOST_BITS = 20_000  # of a value that is carried on exactly


@dataclass(frozen=True)
class Play:
    """How a stage is solved.

    Attributes:
        play: Distributions of all players, or of joint actions; over all actions, legal or not.
        values: What it pays, with what comes after.
        proof: What a certificate says of it besides.
    """

    play: Any
    values: tuple[Fraction, ...]
    proof: Any = ()


@dataclass(frozen=True)
class Found:
    """What is played and paid, by time and state; None where no stage was solved.

    Values are those of all times only where all stages are solved.
    """

    plays: list[list[Play | None]]
    values: list[tuple[tuple[Fraction, ...], ...]]
    is_complete: bool

    def rows(self, read: Callable[[Play], Any], nothing: Any = ()) -> tuple[tuple[Any, ...], ...]:
        """Return what is read off each stage, by time and state; nothing where none was solved."""
        return tuple(
            tuple(nothing if play is None else read(play) for play in own) for own in self.plays
        )


@dataclass(frozen=True)
class Induction:
    """One run: values rounded to multiples of ``1 / grid``, if there is one."""

    view: MarkovView
    meter: Meter
    grid: int | None = None

    def run(self, solve: Callable[[int, NormalFormGame], Play]) -> Found:
        """Solve all stages, the last time first; equal stages of a time are solved once."""
        view = self.view
        after: ExactArray = np.full((view.num_states, view.num_players), ZERO, dtype=object)
        plays: list[list[Play | None]] = []
        values: list[tuple[tuple[Fraction, ...], ...]] = []
        for layer in reversed(view.layers):
            if layer.size and self.meter.is_exhausted:  # nor are earlier times reached
                plays.append([None] * view.num_states)
                continue
            paid = stage_payoffs(view, after)
            after = np.full(after.shape, ZERO, dtype=object)
            row: list[Play | None] = [None] * view.num_states
            known: dict[Any, Play] = {}
            for state in layer.tolist():
                if self.meter.is_exhausted:
                    break
                stage = stage_game(view, state, paid)
                key = (view.legal[state], tuple(stage.exact_payoffs.ravel().tolist()))
                try:
                    known[key] = known[key] if key in known else solve(state, stage)
                except NotConverged:  # the time ended within a stage
                    break
                row[state] = known[key]
                after[state] = self._rounded(known[key])
                self.meter.step()
            plays.append(row)
            acting = set(layer.tolist())
            values.append(
                tuple(tuple(own) if s in acting else () for s, own in enumerate(after.tolist()))
            )
        is_complete = self.meter.iterations == view.num_stages
        return Found(plays[::-1], values[::-1], is_complete)

    def _rounded(self, play: Play) -> list[Fraction]:
        if self.grid is not None:
            return [Fraction(round(value * self.grid), self.grid) for value in play.values]
        bits = max(value.denominator.bit_length() for value in play.values)
        if bits > MOST_BITS:
            raise UnsupportedGame(
                needs=f"values of at most {MOST_BITS:,} bits to go on exactly",
                found=f"one has {bits:,} after {self.meter.iterations:,} of {self.meter.total:,} "
                "stages",
                remedy="Give a tolerance (stage_nash_induction), or a shorter horizon.",
            )
        return list(play.values)


def stage_view(game: POSG | View) -> MarkovView:
    """Return the view of a game with a horizon, and not too many stages (refused if not).

    A game that always ends is stopped after its longest play, which changes nothing.
    """
    require_posg(game)
    view = markov_view(game)
    horizon = view.game.horizon
    if horizon is None and (longest := longest_play(view.game)) is not None:
        view, horizon = MarkovView(replace(view.game, horizon=longest)), longest
    if horizon is None:
        raise UnsupportedGame(
            needs="a horizon, or play that always ends",
            found=f"{view.game!r} has neither",
            remedy="Stop it: stop_posg(game, steps=...); shapley_value_iteration takes discounted "
            "zero-sum games without one.",
        )
    if horizon > MAX_STAGES or view.num_stages > MAX_STAGES:
        number = horizon if horizon > MAX_STAGES else view.num_stages
        raise UnsupportedGame(
            needs=f"at most {MAX_STAGES:,} stages, pairs of a time and a state",
            found=f"{view.game!r} has at least {number:,}",
            remedy="Give a shorter horizon, or let it be discounted and endless: "
            "certify_markov_perfect judges stationary profiles.",
        )
    return view


def over_all_actions(
    view: MarkovView, state: int, strategies: Sequence[NumberArray]
) -> tuple[Lottery, ...]:
    """Return distributions over legal actions as ones over all actions."""
    both: list[Lottery] = []
    for player, own in enumerate(strategies):
        weights = [ZERO] * len(view.game.actions[player])
        for action, weight in zip(view.legal[state][player], own.tolist(), strict=True):
            weights[action] = weight
        both.append(tuple(weights))
    return tuple(both)


def over_all_joint_actions(
    view: MarkovView, state: int, law: CorrelatedDistribution
) -> CorrelatedDistribution:
    """Return the same distribution over all joint actions, legal or not."""
    legal = view.legal[state]
    pairs = sorted(
        (tuple(own[a] for own, a in zip(legal, joint, strict=True)), weight)
        for joint, weight in zip(law.joint_actions, law.probabilities, strict=True)
    )
    return CorrelatedDistribution(
        tuple(map(len, view.game.actions)),
        tuple(joint for joint, _ in pairs),
        tuple(weight for _, weight in pairs),
    )


def time_left(meter: Meter) -> Budget:
    """Return what is left of a budget for one stage, whose steps are of another kind."""
    return Budget(seconds=meter.seconds_left)


def not_converged(meter: Meter, note: str = "", best: object = None) -> NotConverged:
    """Say that the budget has ended before the first time was reached."""
    end = f" or use the exception's best, {note}" if best is not None else ""
    return NotConverged(
        needs=f"all {meter.total} stages",
        found=f"the budget ended after {meter.iterations}",
        remedy=f"Give a larger budget{',' if end else '.'}{end}",
        best=best,
    )


TWO = 2


def stage_equilibrium(stage: NormalFormGame, *, budget: Budget = UNLIMITED) -> MixedProfile | None:
    """Return the first pure equilibrium, else one of two players; None if more have a choice.

    Of two players whose payoffs sum to a constant, minimax strategies; else what Lemke and Howson's
    method finds from the first label.
    """
    cells = np.argwhere(stable_cells(stage))
    if len(cells):
        return pure_profile(stage, cells[0].tolist())
    choosing = [i for i, count in enumerate(stage.num_actions) if count > 1]
    if len(choosing) != TWO:  # one player alone has a best action
        return None
    shape = (TWO, *(stage.num_actions[i] for i in choosing))
    smaller = NormalFormGame.from_payoffs(freeze(stage.exact_payoffs[choosing].reshape(shape)))
    solve = minimax if is_constant_sum(smaller) else lemke_howson
    strategies = [exact_array([1])] * stage.num_players
    for player, own in zip(choosing, solve(smaller, budget=budget).profile.strategies, strict=True):
        strategies[player] = own
    return MixedProfile(tuple(strategies))
