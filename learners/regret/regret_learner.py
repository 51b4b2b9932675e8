"""Everybody minimizes regret in a repeated normal form; where that leads, judged by the core.

A normal form whose payoffs are asked for in many plays at once.
"""

from collections.abc import Mapping, Sequence
from enum import Enum
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_instance, require_integer, shown_players
from gametheory_core.certificates.correlated import (
    CorrelatedCertificate,
    certify_coarse_correlated,
    certify_correlated,
)
from gametheory_core.certificates.equilibrium import NashCertificate, certify_nash
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.rules import InformationState, last_observation
from gametheory_core.strategies.correlated import CorrelatedDistribution, correlated_distribution
from gametheory_core.strategies.policies import Policy, PolicyProfile, policy_from
from learners.options import Count, CountFromZero, checked
from learners.policies import entropies, mixed_action
from learners.protocol import Plays, learner
from learners.regret.bandit import Exp3, Output
from learners.regret.contexts import num_recalled, recalled
from learners.regret.minimizer import LocalMinimizer, Minimizer, State, rows_of, with_rows
from learners.snapshots import Kept
from learners.streams import drawn_actions
from solvers.local_rules import BestReply, Hedge, RegretMatching, RegretMatchingPlus
from solvers.rounding import rational_distribution

LARGEST_PAYOFF = 2.0**1000


class Stage:
    """Payoffs of a normal form, joint actions numbered in C order.

    Raises:
        UnsupportedGame: If payoffs are too large to be added up as floats.

    Attributes:
        payoffs (players, joint actions)
    """

    def __init__(self, game: NormalFormGame) -> None:
        self._game = game
        counts = np.array(game.num_actions)
        self.payoffs: NDArray[np.float64] = np.asarray(game.payoffs, dtype=np.float64).reshape(
            game.num_players, -1
        )
        largest = np.abs(self.payoffs).max(initial=0.0)
        if not largest < LARGEST_PAYOFF:  # infinite ones, too
            raise UnsupportedGame(
                needs="payoffs below 2^1000, so that sums of regrets are finite floats",
                found=f"the largest is {largest:.3g}",
                remedy="Rescale them.",
            )
        self._strides = np.append(np.cumprod(counts[:0:-1])[::-1], 1).astype(np.int64)

    @property
    def num_joint(self) -> int:
        """Number of joint actions."""
        return self.payoffs.shape[1]

    @cached_property
    def numbers(self) -> dict[tuple[object, ...], int]:
        """The number of each joint action, by labels."""
        shape = self._game.num_actions
        labels = self._game.actions
        return {
            tuple(own[a] for own, a in zip(labels, index, strict=True)): number
            for number, index in enumerate(np.ndindex(*shape))
        }

    def joint(self, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the number of each play's joint action; ``actions`` is (plays, players)."""
        return actions @ self._strides

    def against(self, player: int, actions: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return what each of a player's actions earns against the others', (plays, actions)."""
        stride = self._strides[player]
        others = self.joint(actions) - actions[:, player] * stride
        own = np.arange(self._game.num_actions[player]) * stride
        return self.payoffs[player][others[:, None] + own]

    def joint_distribution(self, strategies: list[NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return how likely each joint action is, (plays, joint actions)."""
        chances = strategies[0]
        for own in strategies[1:]:
            chances = (chances[:, :, None] * own[:, None, :]).reshape(len(chances), -1)
        return chances

    def expected(self, strategies: list[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
        """Return what actions earn against strategies, (plays, actions) a player."""
        return [self._expected(player, strategies) for player in range(len(strategies))]

    def _expected(self, player: int, strategies: list[NDArray[np.float64]]) -> NDArray[np.float64]:
        count = self._game.num_actions[player]
        alone = [own if i != player else np.ones_like(own) for i, own in enumerate(strategies)]
        weighted = self.joint_distribution(alone) * self.payoffs[player]
        return self._by_action(player, weighted, count)

    def _by_action(
        self, player: int, values: NDArray[np.float64], count: int
    ) -> NDArray[np.float64]:
        """Add up what is given by joint action, (plays, joint actions), by own action."""
        stride = int(self._strides[player])
        return values.reshape(len(values), -1, count, stride).sum(axis=(1, 3))

    def deviation_sums(self, player: int, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what always playing an action would have earned more, (plays, actions)."""
        count, stride = self._game.num_actions[player], int(self._strides[player])
        others = totals.reshape(len(totals), -1, count, stride).sum(axis=2, keepdims=True)
        own = self.payoffs[player].reshape(1, -1, count, stride)
        earned = (totals * self.payoffs[player]).sum(axis=1, keepdims=True)
        return (others * own).sum(axis=(1, 3)) - earned


AnyMinimizer: TypeAlias = Minimizer | Exp3 | RegretMatching | RegretMatchingPlus | Hedge | BestReply


class Feedback(Enum):
    """What players learn from; the value says it in words."""

    EXPECTED = "what each action earns against the others' strategies: no chance at all"
    DRAWN = "what each action earns against the actions that the others drew"


@learner(plays=Plays.GAME)
@checked
class RegretLearner(Kept):
    """A minimizer a player, in repeated play of a normal form, several plays at once.

    With ``recall`` ``R`` above 0 players have a minimizer for each of the last ``R`` joint actions.
    Minimizers of type ``Exp3`` see what they were paid and nothing else.

    Args:
        game: What is played, over and over.
        minimizer: Local rules of ``solvers.local_rules``, ``BlumMansour``, ``StronglyAdaptive``,
            ``Exp3``.
        rng: Draws actions; not used with ``Feedback.EXPECTED``.
        feedback: ``EXPECTED`` needs recall 0, and no ``Exp3``.
        recall: How many joint actions players look back.
        plays: Independent plays at once. The first is the one whose policies are returned.
        steps: Of play in one iteration.
        output: What ``policies`` returns.

    Raises:
        InvalidArgument: If an option makes no sense.
        UnsupportedGame: If recall makes too many contexts.

    Metrics: "payoff/<player>", mean payoff of a step in the iteration; "regret/<player>", external
    regret a step since the beginning, mean over plays: epsilon of empirical play as a coarse
    correlated equilibrium is the largest of a play's; "entropy/<player>", of what is played next.

    Sources:
        :cite:`hart2000simple`.
        :cite:`foster1997calibrated`.

    >>> from learners import train
    >>> game = NormalFormGame.bimatrix([[2, -1], [-1, 1]], [[-2, 1], [1, -1]])
    >>> learner = RegretLearner(game, minimizer=RegretMatchingPlus(), rng=np.random.default_rng(1))
    >>> learned = train(learner, iterations=10)
    >>> float(learner.nash().epsilon) < 0.05  # both play the first action 2 times in 5
    True
    """

    KEPT = ("_states", "_sums", "_totals", "_seen", "_rng")

    def __init__(
        self,
        game: NormalFormGame,
        *,
        minimizer: AnyMinimizer | Sequence[AnyMinimizer],
        rng: np.random.Generator,
        feedback: Feedback = Feedback.EXPECTED,
        recall: CountFromZero = 0,
        plays: Count = 1,
        steps: Count = 100,
        output: Output = Output.AVERAGE,
    ) -> None:
        require_instance(game, NormalFormGame, name="game")
        self._game, self._rng = game, rng
        self._minimizers = _minimizers(minimizer, game)
        self._feedback, self._output = feedback, output
        self._recall, self._plays, self._steps = recall, plays, steps
        if feedback is Feedback.EXPECTED:
            _require_no_draws(self._minimizers, recall)
        self._stage = Stage(game)
        joint = self._stage.num_joint
        self._num_contexts = num_recalled(joint, recall)
        batch = plays * self._num_contexts
        self._states: list[State] = [
            own.start(batch, count)
            for own, count in zip(self._minimizers, game.num_actions, strict=True)
        ]
        self._sums = [np.zeros((batch, count)) for count in game.num_actions]
        self._totals = np.zeros((plays, joint))
        self._seen = np.full((plays, recall), -1, dtype=np.int64)

    @property
    def name(self) -> str:
        """Names of the minimizers."""
        return " against ".join(dict.fromkeys(own.name for own in self._minimizers))

    def improve(self) -> Mapping[str, float]:
        """Play some steps; see the notes for what it returns."""
        before = self._totals.copy()
        for _ in range(self._steps):
            self._step()
        metrics: dict[str, float] = {}
        rows = self._rows()
        for player, label in enumerate(shown_players(self._game.players)):
            own = self._strategies(player, rows)
            paid = (self._totals - before).mean(axis=0) @ self._stage.payoffs[player]
            metrics[f"payoff/{label}"] = float(paid) / self._steps
            metrics[f"regret/{label}"] = float(self.average_regrets(player).mean())
            metrics[f"entropy/{label}"] = float(entropies(own).mean())
        return metrics

    def _step(self) -> None:
        rows = self._rows()
        strategies = [self._strategies(i, rows) for i in range(self._game.num_players)]
        for sums, own in zip(self._sums, strategies, strict=True):
            sums[rows] += own
        if self._feedback is Feedback.EXPECTED:
            joint = self._stage.joint_distribution(strategies)
            self._totals += joint
            utilities = self._stage.expected(strategies)
            self._states = [
                own.observe(state, earned)
                for own, state, earned in zip(
                    self._all_informed(), self._states, utilities, strict=True
                )
            ]
            return
        actions = self._draw(strategies)
        joint = self._stage.joint(actions)
        self._totals[np.arange(self._plays), joint] += 1.0
        for player, minimizer in enumerate(self._minimizers):
            part = self._part(player, rows)
            if isinstance(minimizer, Exp3):
                paid = self._stage.payoffs[player][joint]
                after = minimizer.observe_own(part, actions[:, player], paid)
            else:
                earned = self._stage.against(player, actions)
                after = minimizer.observe(part, earned)
            whole = self._states[player]
            self._states[player] = with_rows(whole, rows, after) if self._recall else after
        if self._recall:
            self._seen = np.concatenate([self._seen[:, 1:], joint[:, None]], axis=1)

    def _all_informed(self) -> list[Minimizer]:
        return [own for own in self._minimizers if not isinstance(own, Exp3)]

    def _rows(self) -> NDArray[np.int64]:
        """Return the row of each play's current context."""
        offsets = np.arange(self._plays) * self._num_contexts
        if not self._recall:
            return offsets
        powers = self._stage.num_joint ** np.arange(self._recall)[::-1]
        is_full = (self._seen >= 0).all(axis=1)
        return offsets + np.where(is_full, self._seen @ powers, self._num_contexts - 1)

    def _strategies(self, player: int, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        return self._minimizers[player].strategies(self._part(player, rows))

    def _part(self, player: int, rows: NDArray[np.int64]) -> State:
        """Return the state of some contexts; without recall each play has a single one."""
        return rows_of(self._states[player], rows) if self._recall else self._states[player]

    def _draw(self, strategies: list[NDArray[np.float64]]) -> NDArray[np.int64]:
        numbers = self._rng.random((self._plays, len(strategies)))
        drawn = [drawn_actions(own, numbers[:, player]) for player, own in enumerate(strategies)]
        return np.stack(drawn, axis=1)

    # What it led to

    def average_regrets(self, player: int = 0) -> NDArray[np.float64]:
        """Return a player's external regret a step, measured on empirical play; shape (plays,)."""
        played = self._totals.sum(axis=1)
        gains = self._stage.deviation_sums(player, self._totals).max(axis=1)
        return gains / np.maximum(played, 1.0)

    def empirical_play(self, play: int = 0) -> CorrelatedDistribution:
        """Return how often each joint action was played: exactly, where actions were drawn."""
        require_integer(play, name="play", low=0, high=self._plays - 1)
        totals = self._totals[play]
        if not totals.any():
            raise InvalidArgument(needs="steps played", found="has none", remedy="Improve first.")
        if self._feedback is Feedback.DRAWN:
            whole = int(totals.sum())
            shares = np.array([Fraction(int(count), whole) for count in totals], dtype=object)
        else:
            shares = rational_distribution(totals)
        return correlated_distribution(shares.reshape(self._game.num_actions))

    def coarse_correlated(self, play: int = 0) -> CorrelatedCertificate:
        """Certify empirical play as a coarse correlated equilibrium."""
        return certify_coarse_correlated(self._game, self.empirical_play(play))

    def correlated(self, play: int = 0) -> CorrelatedCertificate:
        """Certify empirical play as a correlated equilibrium."""
        return certify_correlated(self._game, self.empirical_play(play))

    def nash(self, play: int = 0) -> NashCertificate:
        """Certify the marginals of empirical play as a Nash equilibrium."""
        return certify_nash(self._game, self.empirical_play(play).marginals)

    def policies(self) -> PolicyProfile:
        """Return policies of the first play, exact, for ``RepeatedGame`` of the same recall.

        They look at the last observation; contexts never met are played as they would be next.
        """
        rows = np.arange(self._num_contexts)
        profile: list[Policy] = []
        for player, sums in enumerate(self._sums):
            table = self._strategies(player, rows)[: self._num_contexts]
            if self._output is Output.AVERAGE:
                whole = sums[rows].sum(axis=1, keepdims=True)
                table = np.where(whole > 0, sums[rows] / np.where(whole > 0, whole, 1.0), table)
            profile.append(self._policy(player, table))
        return tuple(profile)

    def _policy(self, player: int, table: NDArray[np.float64]) -> Policy:
        labels = self._game.actions[player]
        numbers = self._stage.numbers

        def act(information_state: InformationState) -> Any:
            context = 0
            if self._recall:
                seen = tuple(numbers[joint] for joint in last_observation(information_state))
                context = recalled(self._stage.num_joint, self._recall, seen)
            return mixed_action(labels, table[context])

        return policy_from(act)


def _minimizers(
    given: AnyMinimizer | Sequence[AnyMinimizer], game: NormalFormGame
) -> tuple[Minimizer | Exp3, ...]:
    players = game.num_players
    chosen = list(given) if isinstance(given, Sequence) else [given] * players
    if len(chosen) != players:
        raise InvalidArgument(
            needs=f"a minimizer for each of {players} players, or one for all",
            found=f"got {len(chosen)}",
        )
    return tuple(
        LocalMinimizer(own)
        if isinstance(own, RegretMatching | RegretMatchingPlus | Hedge | BestReply)
        else own
        for own in chosen
    )


def _require_no_draws(minimizers: tuple[Minimizer | Exp3, ...], recall: int) -> None:
    if recall or any(isinstance(own, Exp3) for own in minimizers):
        what = f"recall is {recall}" if recall else "a minimizer is Exp3, which sees own payoffs"
        raise InvalidArgument(
            needs=f"actions to be drawn, since {what}",
            found=f"feedback is {Feedback.EXPECTED}",
            remedy="Give feedback=Feedback.DRAWN.",
        )
