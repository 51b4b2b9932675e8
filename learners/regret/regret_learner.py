"""Everybody minimizes regret in a repeated normal form; where that leads, judged by the core."""

from collections.abc import Mapping, Sequence
from enum import Enum
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import (
    require_instance,
    require_integer,
    require_member,
)
from gametheory_core.certificates.correlated import (
    CorrelatedCertificate,
    certify_coarse_correlated,
    certify_correlated,
)
from gametheory_core.certificates.nash import NashCertificate, certify_nash
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.information_states import InformationState, last_observation
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.labels import shown_players
from gametheory_core.strategies.correlated import CorrelatedDistribution, correlated_distribution
from gametheory_core.strategies.policies import Policy, PolicyProfile, policy_from
from learners.batch import Snapshot
from learners.draws import drawn_actions
from learners.policies import lottery_of
from learners.regret.bandit import Exp3
from learners.regret.contexts import num_recalled, recalled
from learners.regret.minimizer import LocalMinimizer, Minimizer
from learners.regret.stage import Stage
from learners.regret.states import State, copied, rows_of, with_rows
from learners.streams import generator_state, restore_generator
from solvers.local_rules import BestReply, Hedge, RegretMatching, RegretMatchingPlus
from solvers.rounding import rational_distribution

AnyMinimizer: TypeAlias = Minimizer | Exp3 | RegretMatching | RegretMatchingPlus | Hedge | BestReply


class Feedback(Enum):
    """What players learn from; the value says it in words."""

    EXPECTED = "what each action earns against the others' strategies: no chance at all"
    DRAWN = "what each action earns against the actions that the others drew"


class Output(Enum):
    """Which strategies a learner returns; the value says it in words."""

    AVERAGE = "averages over all steps so far"
    LAST = "what would be played next"


class RegretLearner:
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

    >>> from learners.training import train
    >>> game = NormalFormGame.bimatrix([[2, -1], [-1, 1]], [[-2, 1], [1, -1]])
    >>> learner = RegretLearner(game, minimizer=RegretMatchingPlus(), rng=np.random.default_rng(1))
    >>> learned = train(learner, iterations=10)
    >>> float(learner.nash().epsilon) < 0.05  # both play the first action 2 times in 5
    True
    """

    def __init__(
        self,
        game: NormalFormGame,
        *,
        minimizer: AnyMinimizer | Sequence[AnyMinimizer],
        rng: np.random.Generator,
        feedback: Feedback = Feedback.EXPECTED,
        recall: int = 0,
        plays: int = 1,
        steps: int = 100,
        output: Output = Output.AVERAGE,
    ) -> None:
        require_instance(game, NormalFormGame, name="game")
        require_member(feedback, Feedback, name="feedback")
        require_member(output, Output, name="output")
        require_integer(recall, name="recall", low=0)
        require_integer(plays, name="plays", low=1)
        require_integer(steps, name="steps", low=1)
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
            logs = np.log(np.where(own > 0, own, 1.0))
            paid = (self._totals - before).mean(axis=0) @ self._stage.payoffs[player]
            metrics[f"payoff/{label}"] = float(paid) / self._steps
            metrics[f"regret/{label}"] = float(self.average_regrets(player).mean())
            metrics[f"entropy/{label}"] = float(-(own * logs).sum(axis=1).mean()) + 0.0
        return metrics

    def _step(self) -> None:
        rows = self._rows()
        strategies = [self._strategies(i, rows) for i in range(self._game.num_players)]
        for sums, own in zip(self._sums, strategies, strict=True):
            sums[rows] += own
        if self._feedback is Feedback.EXPECTED:
            joint = self._stage.joint_law(strategies)
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
            raise InvalidArgument(
                needs="steps played",
                found="has none",
                remedy="Improve first.",
            )
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
            return lottery_of(labels, table[context])

        return policy_from(act)

    def snapshot(self) -> Snapshot:
        """Return all that is needed to go on exactly from here."""
        return {
            "states": {str(i): copied(state) for i, state in enumerate(self._states)},
            "sums": {str(i): own.copy() for i, own in enumerate(self._sums)},
            "totals": self._totals.copy(),
            "seen": self._seen.copy(),
            "rng": generator_state(self._rng),
        }

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of a learner made with the same options."""
        players = range(self._game.num_players)
        self._states = [copied(snapshot["states"][str(i)]) for i in players]
        self._sums = [np.array(snapshot["sums"][str(i)]) for i in players]
        self._totals = np.array(snapshot["totals"])
        self._seen = np.array(snapshot["seen"])
        restore_generator(self._rng, snapshot["rng"])


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
