"""Single environments side by side as a batch: for games that are too large to tabulate."""

from collections.abc import Hashable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import as_tuple, require_integer, require_member
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.games.rules import InformationState
from learners.batch import Snapshot
from learners.batches.play_table import float_rewards
from learners.batches.sight import Sees
from learners.environment import Environment, Turn
from learners.rows import Frame, Moment, Row, RowBatch

Labels: TypeAlias = Sequence[Sequence[Any]]

MOST_OBSERVATIONS = 10_000


def stacked(
    environments: Sequence[Environment],
    *,
    action_labels: Labels,
    observation_labels: Labels | None = None,
    sees: Sees = Sees.LAST,
    max_observations: int = MOST_OBSERVATIONS,
) -> RowBatch:
    """Make a batch of single environments, each playing one of the episodes.

    Args:
        environments: Of one game, each with random numbers of its own.
        action_labels: For each player, the action that each number stands for.
        observation_labels: For each player, what the first numbers of observations stand for (by
            ``sees``: observations, (turn, observation), or information states). Others get the next
            numbers, in the order in which they are met.
        sees: What is numbered.
        max_observations: The number of different observations of each player, ``num_observations``;
            at least as many as are given.

    Returns:
        Satisfies ``BatchedEnvironment``. Its snapshots replay the plays that are under way; a new
        batch that is to go on from one needs the ``observation_labels`` of the old.

    Raises:
        InvalidArgument: If there is no environment, or labels are not given for each player.
        UnsupportedGame: During play, if something is seen or may be done that has no number, or a
            reward is larger than any float.

    >>> from gametheory_core import load_game
    >>> from learners.environment import environment_of
    >>> from learners import named_stream
    >>> game = load_game("kuhn_poker")
    >>> plays = [environment_of(game, rng=named_stream(1, "play", k)) for k in range(3)]
    >>> labels = ("check", "bet", "fold", "call")
    >>> batch = stacked(plays, action_labels=(labels, labels))
    >>> batch.reset().acts.tolist()
    [[True, False], [True, False], [True, False]]
    """
    plays = as_tuple(environments, name="environments")
    require_member(sees, Sees, name="sees")
    require_integer(max_observations, name="max_observations", low=1)
    if not plays:
        raise InvalidArgument(needs="at least one environment", found="got none")
    first = plays[0]
    count = len(first.players)
    given: Any = [()] * count if observation_labels is None else observation_labels
    for name, labels in (("action_labels", action_labels), ("observation_labels", given)):
        if len(labels) != count:
            raise InvalidArgument(
                needs=f"{name} for each of {count} players", found=f"got {len(labels)}"
            )
    numbering = _Numbering(first.players, sees, tuple(map(tuple, given)), most=max_observations)
    frame = Frame(
        players=first.players,
        num_observations=numbering.sizes,
        num_features=(0,) * count,
        action_labels=tuple(map(tuple, action_labels)),
        discount=float(first.discount),
        horizon=first.horizon,
    )
    rows: list[Row] = [_PlayRow(play, frame.action_labels, numbering) for play in plays]
    return RowBatch(frame, rows, numbering.observe, labels=numbering.labels)


class _Numbering:
    """Numbers of what players see, given beforehand or as it is met."""

    def __init__(
        self,
        players: tuple[str, ...],
        sees: Sees,
        labels: tuple[tuple[Hashable, ...], ...],
        *,
        most: int,
    ) -> None:
        self._players = players
        self._sees = sees
        self._most = most
        self._numbers: list[dict[Any, int]] = [
            {label: k for k, label in enumerate(own)} for own in labels
        ]
        self.sizes = tuple(max(most, len(own)) for own in labels)

    def number(self, player: int, known: InformationState) -> int:
        """Return the number of what was seen last, a new one if there is room."""
        label: Any = known
        if self._sees is not Sees.HISTORY:
            label = known[-1] if self._sees is Sees.LAST else (len(known) // 2, known[-1])
        numbers = self._numbers[player]
        found = numbers.get(label)
        if found is None:
            if len(numbers) >= self._most:
                raise UnsupportedGame(
                    needs="a number for everything that is seen",
                    found=f"{self._players[player]!r} sees {label!r}, and there are only "
                    f"{len(numbers):,} numbers",
                    remedy="Give it in observation_labels, or raise max_observations.",
                )
            found = numbers[label] = len(numbers)
        return found

    def observe(self, player: int, information_state: InformationState) -> NDArray[np.int64]:
        """Return the number shown at each observation of an information state, in order."""
        ends = range(1, len(information_state) + 1, 2)
        numbers = [self.number(player, information_state[:end]) for end in ends]
        return np.array(numbers, dtype=np.int64)

    def labels(self) -> tuple[tuple[Any, ...], ...]:
        """Return what has numbers, in their order."""
        return tuple(map(tuple, self._numbers))


class _PlayRow:
    """One environment as a row of a batch."""

    def __init__(
        self,
        play: Environment,
        action_labels: tuple[tuple[Hashable, ...], ...],
        numbering: _Numbering,
    ) -> None:
        self._play = play
        self._labels = action_labels
        self._index = [{label: k for k, label in enumerate(own)} for own in action_labels]
        self._numbering = numbering
        self._turn: Turn | None = None

    def begin(self) -> Moment:
        """Begin a play."""
        return self._moment(self._play.reset())

    def act(self, actions: NDArray[np.int64]) -> Moment:
        """Let the movers act."""
        movers = self._turn.movers if self._turn is not None else ()
        chosen = {i: self._labels[i][int(actions[i])] for i in movers}
        return self._moment(self._play.step(chosen))

    def _moment(self, turn: Turn) -> Moment:
        self._turn = turn
        players = range(len(self._labels))
        return Moment(
            observations=tuple(
                self._numbering.number(i, _seen(past)) if past else 0
                for i, past in enumerate(turn.information_states)
            ),
            legal=tuple(self._legal(i, turn) for i in players),
            acts=tuple(i in turn.movers for i in players),
            rewards=tuple(float_rewards(turn.rewards, where="stacked").tolist()),
            is_terminal=turn.is_terminal,
            is_truncated=turn.is_truncated,
        )

    def _legal(self, player: int, turn: Turn) -> NDArray[np.bool_]:
        """Return what a player may do; anything for one who is not to act."""
        if player not in turn.movers:
            return np.ones(len(self._labels[player]), dtype=np.bool_)
        legal = np.zeros(len(self._labels[player]), dtype=np.bool_)
        for action in turn.legal_actions[player]:
            place = self._index[player].get(action)
            if place is None:
                raise UnsupportedGame(
                    needs="a number for every action",
                    found=f"{self._play.players[player]!r} may do {action!r}",
                    remedy="Give it in action_labels.",
                )
            legal[place] = True
        return legal

    def snapshot(self) -> Snapshot:
        """Return how the play came to where it is."""
        return self._play.snapshot()

    def restore(self, snapshot: Snapshot) -> Moment | None:
        """Go back to a snapshot."""
        turn = self._play.restore(snapshot)
        return None if turn is None else self._moment(turn)


def _seen(past: InformationState) -> InformationState:
    """Return an information state up to the last observation, without an action after it."""
    return past if len(past) % 2 else past[:-1]
