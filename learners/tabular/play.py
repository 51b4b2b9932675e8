"""Play: all seats act, the environment steps, and the rule learns from what is complete."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_instance
from gametheory_core.errors import InvalidArgument, InvalidStrategy
from gametheory_core.labels import shown_players
from gametheory_core.strategies.policies import Policy, PolicyProfile
from learners.batch import BatchedEnvironment, BatchTurn, Snapshot
from learners.policies import observed_policy
from learners.snapshots import require_fitting
from learners.streams import generator_state, restore_generator
from learners.tabular.options import PlayOptions, Steps
from learners.tabular.rules import Arrival, Corrections, Needs, Rule
from learners.tabular.seats import Seat
from learners.tabular.tallies import Tallies

_CHECKED_ELSEWHERE = ("environment", "generator", "turn", "update")  # or of no fixed shape
_TURN = tuple(field.name for field in fields(BatchTurn))


def seats_of(environment: BatchedEnvironment, options: PlayOptions) -> tuple[Seat, ...]:
    """Return a seat for each player, those who do not learn included."""
    return tuple(Seat(environment, i, options) for i in range(len(environment.players)))


class TabularPlay:
    """A rule at play: what all tabular learners are inside.

    One step: the environment moves; each learner's completed transitions are learned from; then
    next actions are drawn, one uniform number an episode and player. A rule that waits for next
    actions learns after the draw.
    """

    def __init__(
        self,
        environment: BatchedEnvironment,
        rule: Rule,
        seats: tuple[Seat, ...],
        *,
        options: PlayOptions,
        rng: np.random.Generator,
    ) -> None:
        from learners._kernels.action_lotteries import draw  # noqa: PLC0415 loads numba

        require_instance(rng, np.random.Generator, name="rng")
        self._environment = environment
        self._rule = rule
        self._seats = seats
        self._options = options
        self._rng = rng
        self._draw = draw
        self._turn: BatchTurn | None = None
        self._actions = np.zeros((environment.num_episodes, len(seats)), dtype=np.int64)
        self._tallies = Tallies(shown_players(environment.players), environment.num_episodes)
        self.steps = 0

    # Iterations

    def improve(self) -> Mapping[str, float]:
        """Make one iteration."""
        if self._turn is None:
            self._open(self._environment.reset())
        iteration = self._options.iteration
        first = self.steps
        is_by_steps = isinstance(iteration, Steps)
        while (self.steps - first if is_by_steps else self._tallies.ended) < iteration.count:
            self._step()
        metrics = dict(self._tallies.report())
        for player in self._options.learns:
            label = shown_players(self._environment.players)[player]
            metrics.update(self._rule.metrics(self._seats[player], label, self.steps))
        return metrics

    def _open(self, turn: BatchTurn) -> None:
        everybody = np.ones(len(self._actions), dtype=np.bool_)
        for seat in self._seats:
            legal = seat.legal_now(turn)
            if seat.player in self._options.learns:
                self._rule.begin(seat, everybody, self.steps)
            self._choose(seat, turn, legal)
            seat.begin(turn, self._actions[:, seat.player])
        self._turn = turn

    def _step(self) -> None:
        turn = self._environment.step(self._actions)
        self._tallies.count(turn)
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

    def _learn_and_choose(
        self,
        seat: Seat,
        turn: BatchTurn,
        legal: NDArray[np.bool_],
        is_over: NDArray[np.bool_] | None,
    ) -> None:
        arrival = Arrival(seat.complete(turn), turn, self.steps)
        needs = self._rule.needs
        following = None if needs is Needs.NOTHING else self._following(seat, arrival)
        if needs is not Needs.ACTION:
            self._note(seat, self._rule.learn(seat, arrival, following))
        if is_over is not None:
            self._rule.begin(seat, is_over, self.steps)
        self._choose(seat, turn, legal)
        if following is not None and needs is Needs.ACTION:
            on = np.flatnonzero(~turn.is_over)
            following[on] = 0.0
            following[on, self._actions[on, seat.player]] = 1.0
            self._note(seat, self._rule.learn(seat, arrival, following))

    def _following(self, seat: Seat, arrival: Arrival) -> NDArray[np.float64]:
        """Return what would be drawn from if play went on, before new episodes begin."""
        seen = arrival.moves.next_observation
        return self._rule.lotteries(seat, seen, seat.legal[seen], self.steps).copy()

    def _note(self, seat: Seat, corrections: Corrections) -> None:
        self._tallies.add_error(seat.player, corrections.total, corrections.count)

    def _choose(self, seat: Seat, turn: BatchTurn, legal: NDArray[np.bool_]) -> None:
        seen = turn.observations[:, seat.player]
        if seat.player in self._options.learns:
            lotteries = self._rule.lotteries(seat, seen, legal, self.steps)
        elif seat.player in self._options.others:
            lotteries = self._options.others[seat.player][seen]
        else:
            lotteries = legal / np.maximum(1, legal.sum(axis=1, keepdims=True))
        acts = turn.acts[:, seat.player]
        wrong = (lotteries > 0) & ~legal & acts[:, None]
        if wrong.any():
            self._refuse_illegal(seat, seen, wrong)
        drawn = np.empty(len(seen), dtype=np.int64)
        self._draw(lotteries, self._rng.random(len(seen)), drawn)
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
        """Return exact policies of all players."""
        return self.policies_by(self._rule.strategy)

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
        return observed_policy(self._environment, seat.player, _last_row_of(table))

    def values(self, player: int) -> NDArray[np.float64]:
        """Return a copy of what a learner believes each action is worth, shape (O, A)."""
        return self._rule.values(self._learning(player))

    def played(self, player: int) -> NDArray[np.float64]:
        """Return how a learner plays each episode, exploration included, shape (E, O, A)."""
        return self._rule.played(self._learning(player), self.steps)

    def _learning(self, player: int) -> Seat:
        if player not in self._options.learns:
            raise InvalidArgument(
                needs=f"a player who learns, of {self._options.learns}", found=f"got {player!r}"
            )
        return self._seats[player]

    # Snapshots

    def snapshot(self) -> Snapshot:
        """Return all that is needed to go on exactly from here."""
        turn = self._turn
        return {
            "environment": self._environment.snapshot(),
            "generator": generator_state(self._rng),
            "rule": self._rule.snapshot(),
            "seats": tuple(seat.snapshot() for seat in self._seats),
            "tallies": self._tallies.snapshot(),
            "turn": None if turn is None else {k: getattr(turn, k).copy() for k in _TURN},
            "actions": self._actions.copy(),
            "steps": self.steps,
        }

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot.

        Raises:
            InvalidArgument: If it is of a learner with other options.
        """
        require_fitting(snapshot, self.snapshot(), ignored=_CHECKED_ELSEWHERE)
        self._environment.restore(snapshot["environment"])
        restore_generator(self._rng, dict(snapshot["generator"]))
        self._rule.restore(snapshot["rule"])
        for seat, own in zip(self._seats, snapshot["seats"], strict=True):
            seat.restore(own)
        self._tallies.restore(snapshot["tallies"])
        turn = snapshot["turn"]
        self._turn = None if turn is None else BatchTurn(**{k: turn[k].copy() for k in turn})
        self._actions = np.array(snapshot["actions"])
        self.steps = int(snapshot["steps"])


def _last_row_of(table: NDArray[np.float64]) -> Callable[[NDArray[Any]], NDArray[np.float64]]:
    return lambda seen: table[int(seen[-1])]
