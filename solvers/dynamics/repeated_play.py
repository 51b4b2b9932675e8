"""Repeated play by local rules: everyone sees what own actions earned, remembers, and replies.

The first steps run in numpy, later ones in compiled loops: a short play never waits for the
compiler, and which way a step runs depends on its number alone, so that a play that was interrupted
goes on exactly as one that was not.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gametheory_core.arrays import FloatArray
from gametheory_core.games.normal_form import NormalFormGame
from solvers.dynamics.play import PlayWork, action_payoff_vectors, player_views
from solvers.local_rules import BestReply, Hedge, LocalRule, RegretMatchingPlus, TieRule

if TYPE_CHECKING:
    from solvers._kernels.repeated_play import PlayTable

NUMPY_STEPS = 5_000  # about as long as loading the compiled loops takes
MOST_EXACT = 2.0**20  # integer payoffs up to this add up exactly for 2**33 steps


@dataclass(frozen=True)
class RepeatedPlay:
    """Players with local rules.

    Attributes:
        game: What they play.
        rules: One for each player, all of one kind.
        rng: Where actions are drawn from; None if players see expected payoffs of mixed strategies.
        is_alternating: For ``BestReply``: whether each player sees what those before have just
            chosen.
    """

    game: NormalFormGame
    rules: tuple[LocalRule, ...]
    rng: np.random.Generator | None = None
    is_alternating: bool = False

    def advance(self, work: PlayWork, count: int) -> None:
        """Play ``count`` steps; ``work`` is modified in place."""
        early = min(count, max(0, NUMPY_STEPS - work.steps))
        for _ in range(early):
            self._step(work)
            work.steps += 1
        if count > early:
            self._advance_compiled(work, count - early)
            work.steps += count - early

    def _step(self, work: PlayWork) -> None:
        memories = player_views(self.game, work.memory)
        strategies = player_views(self.game, work.strategies)
        if self.rng is None:
            played = [own.copy() for own in strategies]
        else:
            numbers = self.rng.random(len(strategies))
            played = [
                drawn_action(own, float(number))
                for own, number in zip(strategies, numbers, strict=True)
            ]
        add_joint(work.totals, played)
        earned = action_payoff_vectors(self.game, played)
        for player, rule in enumerate(self.rules):
            if self.is_alternating and player:
                earned = action_payoff_vectors(self.game, played)
            own = strategies[player]
            memories[player][:] = rule.remember(memories[player], earned[player], own)
            own[:] = rule.strategy(memories[player], own, work.steps + 1)
            if self.is_alternating:
                played[player] = own

    def _advance_compiled(self, work: PlayWork, count: int) -> None:
        from solvers._kernels.repeated_play import (  # noqa: PLC0415 loads numba
            ALTERNATING,
            SIMULTANEOUS,
            PlayArrays,
            play_drawn,
            play_mixed,
            play_pure,
        )

        table = _table(self.game)
        arrays = PlayArrays(work.memory, work.strategies, work.totals.reshape(-1))
        code, rates, decay = coded_rules(self.rules)
        if isinstance(self.rules[0], BestReply):
            order = ALTERNATING if self.is_alternating else SIMULTANEOUS
            play_pure(table, arrays, code, order, count)
        elif self.rng is None:
            play_mixed(table, arrays, code, rates, decay, work.steps, count)
        else:
            draws = self.rng.random((count, len(self.rules)))
            play_drawn(table, arrays, code, rates, decay, work.steps, draws)


def add_joint(totals: FloatArray, played: list[FloatArray]) -> None:
    """Add the product of strategies to ``totals``, which is modified in place."""
    product = played[0]
    for own in played[1:]:
        product = product[..., None] * own
    totals += product


def integer_play_game(game: NormalFormGame) -> NormalFormGame:
    """Return the game with each player's payoffs as integers, if that keeps sums of them exact.

    Positive factors change no best reply, and exact sums keep ties ties.
    """
    wholes: list[list[int]] = [own.numerators.ravel().tolist() for own in game.scaled_payoffs]
    units = [math.gcd(*whole) or 1 for whole in wholes]
    reduced = [[n // unit for n in whole] for whole, unit in zip(wholes, units, strict=True)]
    if max(abs(n) for whole in reduced for n in whole) > MOST_EXACT:
        return game
    return NormalFormGame.from_payoffs(np.array(reduced).reshape(game.given_payoffs.shape))


def drawn_action(strategy: FloatArray, number: float) -> FloatArray:
    """Return the pure strategy that a uniform number draws."""
    action = min(int(np.searchsorted(np.cumsum(strategy), number, side="right")), len(strategy) - 1)
    while strategy[action] == 0.0:  # the sum may have been rounded below the number
        action -= 1
    pure = np.zeros(len(strategy))
    pure[action] = 1.0
    return pure


def _table(game: NormalFormGame) -> "PlayTable":
    from solvers._kernels.repeated_play import PlayTable  # noqa: PLC0415 loads numba

    counts = np.array(game.num_actions, dtype=np.int64)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    strides = np.append(np.cumprod(counts[:0:-1])[::-1], 1).astype(np.int64)
    return PlayTable(game.payoffs.reshape(len(counts), -1), offsets, strides)


def coded_rules(rules: tuple[LocalRule, ...]) -> tuple[int, FloatArray, float]:
    """Return the kernel's name of the rules, their rates, and how these decay."""
    from solvers._kernels import repeated_play as codes  # noqa: PLC0415 loads numba

    rates = np.array([rule.rate if isinstance(rule, Hedge) else 1.0 for rule in rules])
    match rules[0]:
        case Hedge(decay=decay):
            return codes.EXPONENTIAL, rates, decay
        case RegretMatchingPlus():
            return codes.REGRET_MATCHING_PLUS, rates, 0.0
        case BestReply(ties=TieRule.FIRST):
            return codes.BEST_REPLY, rates, 0.0
        case BestReply():
            return codes.REPEATED_REPLY, rates, 0.0
        case _:
            return codes.REGRET_MATCHING, rates, 0.0
