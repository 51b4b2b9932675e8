"""Learning to lead a trade in Space Invaders, as in the paper: first a follower, then the leader.

Phase 1: a follower learns against leaders who name anything, all answers equally likely; what the
leader says about the bullet at hand is part of what she sees. Phase 2: she is frozen, and the
leader learns against her.
"""

from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from typing import cast

import numpy as np

from gametheory_core.arguments import require_instance
from gametheory_core.catalog.trade import BilateralTrade
from gametheory_core.games.rules import POSG
from gametheory_core.leaders.view import leader_view
from gametheory_core.strategies.policies import PolicyProfile
from learners.adapters.space_invaders import AtariConsole, Console
from learners.adapters.traded_invaders import (
    BUYER,
    SELLER,
    Account,
    AnyAnswer,
    Decider,
    Gunner,
    InvadersOptions,
    Seat,
    invaders_trade,
)
from learners.batch import Snapshot
from learners.findings import Appraisal, Finding, Standing
from learners.frozen import FrozenPolicy, frozen
from learners.leaders.trade_learners import FrozenSeat, TradeLearner, TradeQ
from learners.options import Count, checked
from learners.protocol import Judge, Plays, learner
from learners.rows import RowBatch
from learners.snapshots import require_fitting
from learners.streams import streams_under
from solvers.leaders.deterministic import markov_stackelberg


class Leads(Enum):
    """Who commits first."""

    SELLER = SELLER
    BUYER = BUYER


def _standard_error(sample: list[float]) -> float:
    """Return that of the mean; 0 of a single number, of which nothing is known."""
    return float(np.std(sample, ddof=1) / np.sqrt(len(sample))) if len(sample) > 1 else 0.0


def _appraise(learned: "InvadersTrade", options: object) -> Appraisal:
    del options
    return learned.appraisal()


@learner(plays=Plays.RULES, judge=Judge(reads=(), appraise=_appraise))
@checked
class InvadersTrade:
    """Learn to lead bilateral trade of bullets in Space Invaders, on an emulated Atari 2600.

    Args:
        game: A ``BilateralTrade``: number of bullets, prices, what hits pay, and how many shots of
            scripted gunners are aimed. Its steps and arrivals are those of the model only: here
            bullets come at random frames.
        leads: Who commits first.
        follower: Of phase 1.
        leader: Of phase 2.
        play: How an episode goes; ``TradeQ`` needs a scripted gunner.
        machines: Played side by side.
        judged_by: Episodes by which the learned pair is judged.
        rom: Path of the ROM of Space Invaders; by default that of ale-py.
        rng: All chance.

    Raises:
        MissingDependency: If the emulator, the ROM, or for networks torch, is not there.
        InvalidArgument: If it is another game, or an option makes no sense.

    Metrics, of the episodes that ended and of what happened in the iteration: "return/seller",
    "return/buyer", "trade rate" (of all bullets), "price" (mean, of those sold),
    "hit rate/seller", "hit rate/buyer", "phase", and under "learner/..." those of the learner.

    Source: :cite:`gerstgrasser2023oracles`, section 4.1 and appendix G.

    See ``docs/bilateral-trade.md``.

    >>> from gametheory_core import load_game
    >>> InvadersTrade(load_game("tiger"), rng=np.random.default_rng(1))
    Traceback (most recent call last):
        ...
    gametheory_core.errors.InvalidArgument: InvadersTrade: needs game to be of type \
BilateralTrade, but got Tiger(horizon=3, discount=Fraction(1, 1)) (type Tiger). Give \
bilateral_trade() of the catalogue.
    """

    name = "Meta-RL in Space Invaders"

    def __init__(
        self,
        game: POSG,
        *,
        leads: Leads = Leads.SELLER,
        follower: TradeLearner = TradeQ(),  # noqa: B008 frozen
        leader: TradeLearner = TradeQ(iterations=6, step_size=0.1),  # noqa: B008 frozen
        play: InvadersOptions = InvadersOptions(),  # noqa: B008 frozen
        machines: Count = 2,
        judged_by: Count = 20,
        rom: str = "",
        rng: np.random.Generator,
    ) -> None:
        require_instance(
            game,
            BilateralTrade,
            name="game",
            remedy="Give bilateral_trade() of the catalogue.",
            where="InvadersTrade",
        )
        self._game = cast("BilateralTrade", game)
        self._leads = leads
        self._play, self._machines, self._rom = play, machines, rom
        self._judged_by = judged_by
        self._account = Account()
        self._rngs = streams_under(rng, "follower", "leader")
        *seeds, self._judging = (int(own.integers(2**31)) for own in streams_under(
            rng, "first episodes", "second episodes", "judging"))  # fmt: skip
        self._preparation, self._leading = follower.iterations, leader.iterations
        led, leading = 1 - leads.value, leads.value
        self._led_by_any = self._seated(led, AnyAnswer(), seeds[0])
        self._follower = follower.on(self._led_by_any, self._rngs[0])
        self._response = FrozenSeat(self._has_moves, self._policy_of_follower())
        self._followed = self._seated(leading, self._response, seeds[1])
        self._leader = leader.on(self._followed, self._rngs[1])
        self._made = 0

    @property
    def _has_moves(self) -> bool:
        return self._play.gunner is Gunner.LEARNED

    def _policy_of_follower(self) -> FrozenPolicy:
        return frozen(self._follower, self._led_by_any)

    def _seated(self, player: int, other: Decider, seed: int) -> RowBatch:
        """Return machines on which a player sits opposite another."""
        seat = Seat(self._game, player, self._leads.value, other, self._play, self._account)
        return invaders_trade(seat, episodes=self._machines, seed=seed, console=self._console)

    def _console(self) -> Console:
        return AtariConsole(mode=self._play.mode, rom=self._rom or None)

    @property
    def iterations(self) -> int:
        """How many iterations are meant to be made, both phases together."""
        return self._preparation + self._leading

    def improve(self) -> Mapping[str, float]:
        """Make one iteration: of the follower until she is prepared, then of the leader."""
        self._account.clear()
        is_first = self._made < self._preparation
        found = (self._follower if is_first else self._leader).improve()
        self._made += 1
        if self._made == self._preparation:
            self._response.policy = self._policy_of_follower()
        own = {f"learner/{name}": value for name, value in found.items()}
        return own | self._account.metrics() | {"phase": 1.0 if is_first else 2.0}

    def policies(self) -> PolicyProfile:
        """Return what both learned, the seller's first, each of its own seat."""
        pair = (self._leader.policies()[0], self._follower.policies()[0])
        return pair if self._leads is Leads.SELLER else pair[::-1]

    def played(self, episodes: int) -> Account:
        """Play the learned leader against the learned follower, with chance of its own."""
        leader = FrozenSeat(self._has_moves, frozen(self._leader, self._followed))
        response = FrozenSeat(self._has_moves, self._policy_of_follower())
        account = Account()
        seat = Seat(self._game, self._leads.value, self._leads.value, response, self._play, account)
        batch = invaders_trade(seat, episodes=1, seed=self._judging, console=self._console)
        rng = np.random.Generator(np.random.PCG64(self._judging))
        turn = batch.reset()
        while len(account.episodes) < episodes:
            action = leader.choose(turn.observations[0, 0], turn.legal[0, 0], rng)
            turn = batch.step(np.array([[action]]))
        return account

    def appraisal(self) -> Appraisal:
        """Judge by episodes what was learned, beside what the exact game says."""
        samples = self.played(self._judged_by).samples()
        sampled = [
            Finding(name, float(np.mean(own)), Standing.SAMPLED, _standard_error(own))
            for name, own in samples.items()
        ]
        model = markov_stackelberg(leader_view(self._game, leader=self._leads.value))
        exact = [
            Finding(f"model return/{who}", Fraction(value), Standing.EXACT)
            for who, value in zip(self._game.players, model.payoffs, strict=True)
        ]
        return Appraisal(
            self._game.title,
            f"SAMPLED, an estimate from {self._judged_by:,} episodes of Space Invaders; what the "
            "follower could gain is unknown. The model is the exact game, solved",
            (*sampled, *exact),
        )

    def snapshot(self) -> Snapshot:
        """Return all that is needed to go on exactly from here."""
        return {
            "iterations": self._made,
            "follower": self._follower.snapshot(),
            "leader": self._leader.snapshot(),
        }

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of a learner made with the same options."""
        require_fitting(snapshot, dict.fromkeys(("iterations", "follower", "leader")))
        self._follower.restore(snapshot["follower"])
        self._made = snapshot["iterations"]
        self._response.policy = self._policy_of_follower()  # whom episodes under way are met by
        self._leader.restore(snapshot["leader"])
        self._account.clear()
