"""POSGs written by hand: every answer of the rules listed in a dictionary."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

from gametheory_core.arrays import ZERO
from gametheory_core.distributions import Distribution, surely
from gametheory_core.errors import InvalidGame
from gametheory_core.games.information_states import NULL
from gametheory_core.games.listings import (
    Listing,
    answer_of,
    listed_actions,
    listed_law,
    listed_laws,
    listed_legal,
    listed_question,
    listed_signals,
    written,
    written_call,
)
from gametheory_core.games.posg import JointAction, Rewards
from gametheory_core.games.rule_answers import Question, checked_rewards
from gametheory_core.games.table_content import check_discount
from gametheory_core.labels import check_labels


@dataclass(frozen=True, repr=False)
class ListedPOSG:
    """The rules of a POSG, listed; ``list_posg`` builds and checks it, and is what repr shows.

    Attributes:
        actions: Of each player.
        first: The law of the first state.
        transitions: By (state, joint action).
        rewards: By (state, joint action, next state); zero where nothing is listed.
        observations: By (joint action, state); None if nobody ever sees anything.
        initial_observations: By state.
        legal: By (player, observation); all actions where nothing is listed.
    """

    players: tuple[str, ...]
    actions: tuple[tuple[Hashable, ...], ...]
    first: Distribution[Any]
    transitions: Listing[Distribution[Any]]
    rewards: Listing[tuple[Fraction, ...]]
    observations: Listing[Distribution[Any]] | None
    initial_observations: Listing[Distribution[Any]] | None
    legal: Listing[tuple[Any, ...]]
    terminal: frozenset[Hashable]
    discount: Fraction
    horizon: int | None
    title: str

    def initial(self) -> Distribution[Any]:
        """Return the law of the first state."""
        return self.first

    def initial_observation(self, state: Any) -> Distribution[tuple[Any, ...]]:
        """Return the joint law of what players see before the first action."""
        if self.initial_observations is None or state in self.terminal:
            return surely((NULL,) * len(self.players))
        return answer_of(self.initial_observations, state, "initial_observations", 1)

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]:
        """Return what a player may do."""
        return self.legal.get((player, observation)) or self.actions[player]

    def is_terminal(self, state: Any) -> bool:
        """Tell whether play has ended."""
        return state in self.terminal

    def transition(self, state: Any, joint_action: JointAction) -> Distribution[Any]:
        """Return the law of the next state."""
        return answer_of(self.transitions, (state, joint_action), "transitions", 2)

    def observation(self, joint_action: JointAction, state: Any) -> Distribution[tuple[Any, ...]]:
        """Return the joint law of observations after an action, on entering a state."""
        if self.observations is None:
            return surely((NULL,) * len(self.players))
        return answer_of(self.observations, (joint_action, state), "observations", 2)

    def reward(self, state: Any, joint_action: JointAction, next_state: Any) -> Rewards:
        """Return what each player receives for a step."""
        nothing = (ZERO,) * len(self.players)
        return self.rewards.get((state, joint_action, next_state)) or nothing

    def _repr_pretty_(self, printer: Any, _cycle: bool) -> None:  # noqa: FBT001  (IPython's name)
        """Show the call also where IPython or Hypothesis print the game."""
        printer.text(repr(self))

    def __repr__(self) -> str:
        return written_call(
            "list_posg",
            {
                "players": self.players,
                "actions": self.actions,
                "initial": written(self.first),
                "transitions": self.transitions,
                "rewards": self.rewards if len(self.rewards) else None,
                "observations": self.observations,
                "initial_observations": self.initial_observations,
                "legal_actions": self.legal if len(self.legal) else None,
                "terminal": tuple(sorted(self.terminal, key=repr)) or None,
                "discount": None if self.discount == 1 else str(self.discount),
                "horizon": self.horizon,
                "title": self.title or None,
            },
        )


def list_posg(
    *,
    players: Sequence[str],
    actions: Sequence[Sequence[Hashable]],
    initial: Mapping[Any, object],
    transitions: Mapping[Any, object],
    rewards: Mapping[Any, Any] | None = None,
    observations: Mapping[Any, object] | None = None,
    initial_observations: Mapping[Any, object] | None = None,
    legal_actions: Mapping[Any, Any] | None = None,
    terminal: Iterable[Hashable] = (),
    discount: object = 1,
    horizon: int | None = None,
    title: str = "",
) -> ListedPOSG:
    """List the rules of a POSG; the arguments are those of ``posg_from_tables``.

    Only what each row says is checked here. Whether rows are missing or superfluous is checked by
    ``posg_from_tables``, which follows play.

    Raises:
        InvalidGame: If a row is malformed; names it.

    >>> game = list_posg(
    ...     players=["Ann"],
    ...     actions=[["stay", "go"]],
    ...     initial={"home": 1},
    ...     transitions={
    ...         ("home", ("stay",)): {"home": 1},
    ...         ("home", ("go",)): {"home": "1/3", "away": "2/3"},
    ...     },
    ...     rewards={("home", ("go",), "away"): (5,)},
    ...     terminal=["away"],
    ... )
    >>> game.transition("home", ("go",))["away"]
    Fraction(2, 3)
    """
    owner = "list_posg"
    labels = check_labels(players, kind="player", owner=owner)
    listed = listed_actions(actions, labels, owner=owner)
    ends = frozenset(terminal)
    laws = listed_laws(transitions, "transitions", key_parts=2)
    for key in laws:
        _check_row(key, listed, ends)
    paid: list[tuple[Hashable, tuple[Fraction, ...]]] = []
    for key, vector in (rewards or {}).items():
        paid.append((key, checked_rewards(vector, labels, listed_question("rewards", key, 3))))
    return ListedPOSG(
        labels,
        listed,
        listed_law(initial, Question("initial")),
        laws,
        Listing(tuple(paid)),
        None
        if observations is None
        else listed_signals(observations, "observations", labels, key_parts=2),
        None
        if initial_observations is None
        else listed_signals(initial_observations, "initial_observations", labels, key_parts=1),
        listed_legal(legal_actions or {}, "legal_actions", listed, labels),
        ends,
        check_discount(discount),
        horizon,
        title,
    )


def _check_row(key: Any, actions: Any, terminal: frozenset[Hashable]) -> None:
    state, joint = key
    asked = Question("transitions", (state, joint))
    if state in terminal:
        raise InvalidGame(
            f"{asked}: needs a state in which play goes on, but {state!r} is terminal. Leave the "
            "row out, or the state out of terminal."
        )
    labels = cast("tuple[Any, ...]", joint) if isinstance(joint, tuple) else ()
    if len(labels) != len(actions) or any(
        a not in own for a, own in zip(labels, actions, strict=True)
    ):
        raise InvalidGame(
            f"{asked}: needs an action of each of {len(actions)} players, but has {joint!r}. "
            f"Actions are {actions!r}."
        )
