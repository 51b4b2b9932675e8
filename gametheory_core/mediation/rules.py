"""Mediated games from rules: functions that say what a step does, or a listing of all steps."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias, cast

import numpy as np

from gametheory_core.arguments import (
    as_tuple,
    check_labels,
    require_function,
    require_instance,
    require_integer,
)
from gametheory_core.arrays import exact_array, reads_decimals
from gametheory_core.conversions.tabular import explore
from gametheory_core.distributions import Distribution
from gametheory_core.errors import InvalidGame, named
from gametheory_core.games.checked_rules import Question, checked_rewards
from gametheory_core.games.listings import (
    listed_actions,
    listed_law,
    listed_question,
    refuse_idle_rows,
    require_player,
)
from gametheory_core.games.table_content import KernelRows, Numbering, check_distinct, permuted_rows
from gametheory_core.mediation.game import MediatedGame, actions_as_tuples

MAX_STATES = 200_000

LegalActions: TypeAlias = Callable[[Any, int], Sequence[Hashable]]
Play: TypeAlias = Callable[[Any, int, Any], tuple[Any, Any]]
Step: TypeAlias = tuple[Any, Any]


@reads_decimals
def mediated_game(
    *,
    players: Sequence[str],
    horizon: int,
    initial: object,
    actions: Sequence[Sequence[Hashable]] | LegalActions,
    play: Play,
    is_terminal: Callable[[Any], bool] | None = None,
    discount: object = 1,
    title: str = "",
    decimals: bool = False,  # noqa: ARG001 read by the decorator
    max_states: int = MAX_STATES,
) -> MediatedGame:
    """Build a mediated game from functions, following play from its start.

    Args:
        horizon: How many steps are played, at least 1. States met only after the last step have no
            rows.
        initial (Distribution, or {state: weight}): The distribution of the first state.
        actions: For each player its actions as a leader, the same everywhere; or
            ``actions(state, leader)``, with the leader as a number from 0. Nothing, for every
            leader, means that play has ended.
        play: ``play(state, leader, action)`` returns ``(rewards, law)``: a tuple with what each
            player gets after all have responded, and the distribution of the next state, a
            ``Distribution`` or ``{state: weight}``.
        is_terminal: Tells whether play has ended in a state. Default: where nobody has an action.
        discount (number): In [0, 1].
        decimals: Whether a float means the shortest decimal that is read as it (0.1 as 1/10).
        max_states: The largest number of states to follow.

    Raises:
        InvalidArgument: If the horizon or ``max_states`` is no number of at least 1.
        InvalidGame: If an answer is malformed; names the question.
        UnsupportedGame: If more than ``max_states`` states can be reached.

    >>> dilemma = mediated_game(
    ...     players=["Ann", "Bob"],
    ...     horizon=4,
    ...     initial={"start": 1},
    ...     actions=[["C", "D"], ["C", "D"]],
    ...     play=lambda state, leader, action: (
    ...         tuple({"C": (2, 1), "D": (3, -2)}[action][i != leader] for i in range(2)),
    ...         {"start": 1},
    ...     ),
    ... )
    >>> [str(r) for r in dilemma.rewards[dilemma.row(0, 1, 1)]]
    ['-2', '3']
    """
    owner = "mediated_game"
    labels = check_labels(as_tuple(players, name="players"), kind="player", owner=owner)
    for name, function in (("play", play), ("is_terminal", is_terminal or _never)):
        require_function(function, name=name)
    for name, number in (("horizon", horizon), ("max_states", max_states)):
        require_integer(number, name=name, low=1)
    fixed = None if callable(actions) else listed_actions(actions_as_tuples(actions), labels)
    table = _MediatedTable(
        labels,
        cast("LegalActions", actions) if fixed is None else _everywhere(fixed),
        play,
        _never if is_terminal is None else is_terminal,
        tuple(Numbering() for _ in labels),
    )
    for numbering, own in zip(table.actions, fixed or ((),) * len(labels), strict=True):
        for action in own:
            numbering.number(action)
    first = listed_law(initial, Question("initial"))
    explore(
        [table.states.number(state) for state, _ in first],
        table.expand,
        horizon=int(horizon),
        most=int(max_states),
        needs=f"at most {named('max_states')} = {max_states:,} states",
        whose=repr(title),
        unit="steps",
        stop="horizon=...",
    )
    return table.freeze(first, horizon=int(horizon), discount=discount, title=title)


def list_mediated_game(
    *,
    players: Sequence[str],
    horizon: int,
    initial: object,
    steps: Mapping[Any, Step],
    discount: object = 1,
    title: str = "",
    decimals: bool = False,
) -> MediatedGame:
    """Build a mediated game from a dictionary of all its steps.

    Args:
        players, horizon, initial, discount, title, decimals: As for ``mediated_game``.
        steps: (state, leader, action) -> (rewards, distribution of the next state), with the leader
            as a number from 0. A state that starts no key is terminal.

    Raises:
        InvalidGame: If an entry is malformed, or about a state that play cannot reach within the
            horizon; names it.

    >>> choice = list_mediated_game(
    ...     players=["Ann", "Bob"],
    ...     horizon=1,
    ...     initial={"start": 1},
    ...     steps={
    ...         ("start", 0, "left"): ((2, 1), {"end": 1}),
    ...         ("start", 1, "right"): ((1, 2), {"end": 1}),
    ...     },
    ... )
    >>> choice.states, choice.actions
    (('start', 'end'), (('left',), ('right',)))
    """
    owner = "list_mediated_game"
    labels = check_labels(as_tuple(players, name="players"), kind="player", owner=owner)
    require_instance(steps, Mapping, name="steps")
    own: dict[tuple[Any, int], list[Any]] = {}
    for key in steps:
        asked = listed_question("steps", key, 3)
        state, leader, action = key
        require_player(leader, labels, asked)
        own.setdefault((state, leader), []).append(action)
    asked_for: set[tuple[str, Hashable]] = set()

    def play(state: Any, leader: int, action: Any) -> Step:
        asked_for.add(("steps", (state, leader, action)))
        return steps[state, leader, action]

    game = mediated_game(
        players=labels,
        horizon=horizon,
        initial=initial,
        actions=lambda state, leader: own.get((state, leader), ()),
        play=play,
        discount=discount,
        title=title,
        decimals=decimals,
    )
    refuse_idle_rows([("steps", key) for key in steps], asked_for)
    return game


def _everywhere(fixed: tuple[tuple[Hashable, ...], ...]) -> LegalActions:
    return lambda _, leader: fixed[leader]


def _never(_: Any) -> bool:
    return False


@dataclass
class _MediatedTable:
    """The game under construction."""

    players: tuple[str, ...]
    legal: LegalActions
    play: Play
    is_terminal: Callable[[Any], bool]
    actions: tuple[Numbering, ...]
    states: Numbering = field(default_factory=Numbering)
    keys: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    laws: KernelRows = field(default_factory=KernelRows)
    rewards: list[tuple[Fraction, ...]] = field(default_factory=list[tuple[Fraction, ...]])

    def expand(self, state: int) -> list[int]:
        """Store what every leader may do in a state, and return the states it leads to."""
        label = self.states.things[state]
        if self.is_terminal(label):
            return []
        reached: dict[int, None] = {}
        for leader, player in enumerate(self.players):
            asked = Question("actions", (label, leader))
            legal = as_tuple(self.legal(label, leader), where=str(asked), name="actions")
            own = check_distinct(legal, kind=f"actions of {player!r}", owner=str(asked))
            for action in own:
                rewards, law = self._step(label, leader, action)
                entries = [(self.states.number(after), weight) for after, weight in law]
                self.keys.append((state, leader, self.actions[leader].number(action)))
                self.laws.add(entries)
                self.rewards.append(rewards)
                reached.update((after, None) for after, _ in entries)
        return list(reached)

    def _step(
        self, label: Any, leader: int, action: Any
    ) -> tuple[tuple[Fraction, ...], Distribution[Any]]:
        asked = Question("play", (label, leader, action))
        answer = cast("object", self.play(label, leader, action))
        if not isinstance(answer, tuple) or len(cast("tuple[Any, ...]", answer)) != 2:
            raise InvalidGame(
                needs="a pair of rewards and distribution of the next state",
                found=f"is {answer!r}",
                where=asked,
            )
        rewards, law = cast("Step", answer)
        return checked_rewards(rewards, self.players, asked), listed_law(law, asked)

    def freeze(
        self, first: Distribution[Any], *, horizon: int, discount: object, title: str
    ) -> MediatedGame:
        """Return the game, rows sorted by key."""
        most = max((len(own.things) for own in self.actions), default=1)
        keys = np.array(
            [(s * len(self.players) + leader) * most + a for s, leader, a in self.keys],
            dtype=np.int64,
        )
        order = np.argsort(keys, kind="stable")
        kernel, _ = permuted_rows(self.laws.freeze(), order)
        initial = KernelRows()
        initial.add([(self.states.number(state), weight) for state, weight in first])
        rewards = [self.rewards[row] for row in order.tolist()]
        return MediatedGame(
            players=self.players,
            states=tuple(self.states.things),
            actions=tuple(tuple(own.things) for own in self.actions),
            initial_kernel=initial.freeze(),
            row_key=keys[order],
            transition_kernel=kernel,
            rewards=exact_array(rewards),
            horizon=horizon,
            discount=cast("Fraction", discount),
            title=title,
        )
