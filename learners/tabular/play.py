"""Play: all seats act, the environment steps, and the rule learns from what is complete."""

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import shown_players
from gametheory_core.errors import InvalidArgument, InvalidStrategy
from gametheory_core.strategies.policies import Policy, PolicyProfile
from learners.batch import AtHorizon, BatchedEnvironment, BatchTurn
from learners.batches.game import BatchedGame
from learners.options import Share, checked
from learners.policies import table_policy
from learners.protocol import EpisodeTally
from learners.snapshots import Kept
from learners.tabular.rules import (
    Arrival,
    Corrections,
    Iteration,
    Needs,
    Others,
    Rule,
    Seat,
    Steps,
    checked_options,
)
from learners.tabular.values import ValueRule

RuleKind = TypeVar("RuleKind", bound=Rule)
MOST_STEPS = 4096  # in one call of compiled code, which nobody can interrupt
FEW_STEPS = 32
NO_LIMIT = 2**62


@checked
class TabularLearner(Kept, Generic[RuleKind]):
    """A rule at play: what all tabular learners have in common.

    One step: the environment moves; each learner's completed transitions are learned from; then
    next actions are drawn, one uniform number per episode and player. A rule that waits for next
    actions learns after the draw.

    Args:
        make_rule: The seats of the players who learn -> their rule.
        rng, discount, at_horizon, iteration, learns, others: As for ``QLearning``.
    """

    name: str
    EPISODES = ("_environment", "_rng", "_tally", "_errors", "_updates", "_turn", "_actions")
    KEPT = (*EPISODES, "rule", "_seats", "steps")
    UNCHECKED = ("environment", "rng", "turn", "_update", "update")  # or of no fixed shape

    def __init__(
        self,
        environment: BatchedEnvironment,
        make_rule: Callable[[tuple[Seat, ...]], RuleKind],
        *,
        rng: np.random.Generator,
        discount: Share | None,
        at_horizon: AtHorizon,
        iteration: Iteration,
        learns: tuple[int, ...] | None,
        others: Others | None,
    ) -> None:
        from learners._kernels.value_updates import draw  # noqa: PLC0415 loads numba

        options = checked_options(
            environment,
            discount=discount,
            at_horizon=at_horizon,
            iteration=iteration,
            learns=learns,
            others=others,
        )
        self._environment = environment
        self._options = options
        self._seats = tuple(Seat(environment, i, options) for i in range(len(environment.players)))
        self.rule = make_rule(tuple(self._seats[i] for i in options.learns))
        self._compiled = (
            (environment, self.rule)
            if isinstance(environment, BatchedGame)
            and not options.others
            and isinstance(self.rule, ValueRule)
            and self.rule.is_mostly_greedy
            else None
        )
        self._rng = rng
        self._draw = draw
        self._turn: BatchTurn | None = None
        shape = (environment.num_episodes, len(self._seats))
        self._actions = np.zeros(shape, dtype=np.int64)
        self._labels = shown_players(environment.players)
        self._tally = EpisodeTally(self._labels, environment.num_episodes)
        self._errors = np.zeros(len(self._seats))  # sums of absolute errors since the last report
        self._updates = np.zeros(len(self._seats), dtype=np.int64)
        self.steps = 0

    # Iterations

    def improve(self) -> Mapping[str, float]:
        """Make one iteration; the notes of each learner say what it returns."""
        if self._turn is None:
            self._open(self._environment.reset())
        iteration = self._options.iteration
        first = self.steps
        is_by_steps = isinstance(iteration, Steps)
        while True:
            made = self.steps - first if is_by_steps else self._tally.finished
            if made >= iteration.count:
                break
            if self._compiled is None:
                self._step()
            else:
                self._play_on(*self._compiled, left=iteration.count - made, is_by_steps=is_by_steps)
        metrics = self._tally.metrics()
        for player in self._options.learns:
            label = self._labels[player]
            if self._updates[player]:
                metrics[f"error/{label}"] = float(self._errors[player] / self._updates[player])
            metrics.update(self.rule.metrics(self._seats[player], label, self.steps))
        self._errors[:], self._updates[:] = 0.0, 0
        return metrics

    def _open(self, turn: BatchTurn) -> None:
        everybody = np.ones(len(self._actions), dtype=np.bool_)
        for seat in self._seats:
            legal = seat.legal_now(turn)
            if seat.player in self._options.learns:
                self.rule.begin(seat, everybody, self.steps)
            self._choose(seat, turn, legal)
            seat.begin(turn, self._actions[:, seat.player])
        self._turn = turn

    def _step(self) -> None:
        turn = self._environment.step(self._actions)
        self._tally.add(turn)
        is_over = turn.is_over
        any_over = bool(is_over.any())
        for seat in self._seats:
            legal = seat.legal_now(turn)
            if seat.player in self._options.learns:
                self._learn_and_choose(seat, turn, legal, is_over if any_over else None)
                seat.begin(turn, self._actions[:, seat.player])
            else:
                self._choose(seat, turn, legal)
        self._turn = turn
        self.steps += 1

    def _play_on(
        self, environment: BatchedGame, rule: ValueRule, *, left: int, is_by_steps: bool
    ) -> None:
        """Make steps in compiled code, at most so many, or until so many episodes end."""
        from learners._kernels.learned_play import TallyArrays, play_on  # noqa: PLC0415 loads numba

        if is_by_steps:
            count, episodes = min(left, MOST_STEPS), NO_LIMIT
        else:  # few steps for few episodes: what is scheduled is laid out for all of them
            count = min(FEW_STEPS * (1 + left // environment.num_episodes), MOST_STEPS)
            episodes = left
        rates, power, levels = rule.scheduled(self.steps, count)
        turn, ended = environment.new_turn(), np.zeros(2, dtype=np.int64)
        self.steps += play_on(
            *environment.arrays,
            turn,
            self._actions,
            tuple(seat.arrays(rule.held_by(seat)) for seat in self._seats),
            TallyArrays(*self._tally.under_way(), ended, self._errors, self._updates),
            self._rng,
            rates,
            power,
            levels,
            (self._options.discount, self._options.at_horizon is AtHorizon.ENDS, episodes),
        )
        self._tally.count(*ended.tolist())
        self._turn = BatchTurn(*turn)

    def _learn_and_choose(
        self,
        seat: Seat,
        turn: BatchTurn,
        legal: NDArray[np.bool_],
        is_over: NDArray[np.bool_] | None,
    ) -> None:
        needs, moves = self.rule.needs, seat.complete(turn)
        following = np.zeros((0, 0))
        if needs is not Needs.NOTHING:
            following = self._following(seat, moves.next_observation)
        arrival = Arrival(moves, turn, self.steps, following)
        if needs is not Needs.ACTION:
            self._note(seat, self.rule.learn(seat, arrival))
        if is_over is not None:
            self.rule.begin(seat, is_over, self.steps)
        self._choose(seat, turn, legal)
        if needs is Needs.ACTION:
            on = np.flatnonzero(~turn.is_over)
            following[on] = 0.0
            following[on, self._actions[on, seat.player]] = 1.0
            self._note(seat, self.rule.learn(seat, arrival))

    def _following(self, seat: Seat, seen: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return what would be drawn from if play continued, before new episodes begin."""
        return self.rule.probabilities(seat, seen, seat.legal[seen], self.steps).copy()

    def _note(self, seat: Seat, corrections: Corrections) -> None:
        self._errors[seat.player] += corrections.total
        self._updates[seat.player] += corrections.count

    def _choose(self, seat: Seat, turn: BatchTurn, legal: NDArray[np.bool_]) -> None:
        seen = turn.observations[:, seat.player]
        if seat.player in self._options.learns:
            probabilities = self.rule.probabilities(seat, seen, legal, self.steps)
        elif seat.player in self._options.others:
            probabilities = self._options.others[seat.player][seen]
        else:
            probabilities = legal / np.maximum(1, legal.sum(axis=1, keepdims=True))
        acts = turn.acts[:, seat.player]
        wrong = (probabilities > 0) & ~legal & acts[:, None]
        if wrong.any():
            self._refuse_illegal(seat, seen, wrong)
        drawn = np.empty(len(seen), dtype=np.int64)
        self._draw(probabilities, self._rng.random(len(seen)), drawn)
        self._actions[:, seat.player] = drawn

    def _refuse_illegal(
        self, seat: Seat, seen: NDArray[np.int64], wrong: NDArray[np.bool_]
    ) -> None:
        episode, action = (int(k) for k in np.argwhere(wrong)[0])
        label = self._environment.action_labels[seat.player][action]
        raise InvalidStrategy(
            needs="legal actions",
            found=f"at observation {int(seen[episode])} it may play action {action}, {label!r}, "
            "which is not legal",
            remedy="Put 0 there.",
            where=f"policy of {self._environment.players[seat.player]!r}",
        )

    # What was learned

    def policies(self) -> PolicyProfile:
        """Return what learners learned, the others' policies as they are; all exact."""
        return self.policies_by(self.rule.strategy)

    def policies_by(self, table_of: Callable[[Seat], NDArray[np.float64]]) -> PolicyProfile:
        """Return exact policies, those of learners by tables (O, A) of probabilities."""
        return tuple(self._policy(seat, table_of) for seat in self._seats)

    def _policy(self, seat: Seat, table_of: Callable[[Seat], NDArray[np.float64]]) -> Policy:
        if seat.player in self._options.learns:
            table = table_of(seat).copy()
        elif seat.player in self._options.others:
            table = self._options.others[seat.player]
        else:
            table = seat.legal / np.maximum(1, seat.legal.sum(axis=1, keepdims=True))
        return table_policy(self._environment, seat.player, table)

    def frozen(self) -> NDArray[np.float64]:
        """Return how the first learner plays now, without exploring, for good; shape (O, A)."""
        return self.rule.strategy(self._seats[self._options.learns[0]]).copy()

    def values(self, player: int = 0) -> NDArray[np.float64]:
        """Return a copy of what a learner believes each action is worth, shape (O, A)."""
        return self.rule.values(self._learning(player))

    def played(self, player: int = 0) -> NDArray[np.float64]:
        """Return how a learner plays each episode, exploration included, shape (E, O, A)."""
        return self.rule.played(self._learning(player), self.steps)

    def _learning(self, player: int) -> Seat:
        if player not in self._options.learns:
            raise InvalidArgument(
                needs=f"a player who learns, of {self._options.learns}", found=f"got {player!r}"
            )
        return self._seats[player]
