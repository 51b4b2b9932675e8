"""AEC games written by hand: every answer of the rules listed in a dictionary."""

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
    listed_laws,
    listed_legal,
    listed_question,
    require_player,
    written_call,
)
from gametheory_core.games.posg import Rewards
from gametheory_core.games.rule_answers import Question, checked_movers, checked_rewards
from gametheory_core.games.table_content import check_discount
from gametheory_core.labels import check_labels


@dataclass(frozen=True, repr=False)
class ListedAEC:
    """The rules of an AEC game, listed; ``list_aec`` builds and checks it, and is what repr shows.

    Attributes:
        actions: Of each player.
        initial_state (hashable)
        chances: By state: the law of the next state when chance moves.
        moves: By (player, state, action): the next state.
        turns: By (state, mover, action, next state): who moves next.
        rewards: By (state, mover, action, next state); zero where nothing is listed.
        observations: By (player, state); None if nobody ever sees anything.
        legal: By (player, observation); all actions where nothing is listed.
    """

    players: tuple[str, ...]
    actions: tuple[tuple[Hashable, ...], ...]
    initial_state: Any
    chances: Listing[Distribution[Any]]
    moves: Listing[Any]
    turns: Listing[Distribution[Any]]
    rewards: Listing[Distribution[Any]]
    observations: Listing[Distribution[Any]] | None
    legal: Listing[tuple[Any, ...]]
    terminal: frozenset[Hashable]
    discount: Fraction
    horizon: int | None
    title: str

    def observation(self, player: int, state: Any) -> Distribution[Any]:
        """Return the law of what the mover sees."""
        if self.observations is None:
            return surely(NULL)
        return answer_of(self.observations, (player, state), "observations", 2)

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]:
        """Return what a player may do."""
        return self.legal.get((player, observation)) or self.actions[player]

    def is_terminal(self, state: Any) -> bool:
        """Tell whether play has ended."""
        return state in self.terminal

    def move(self, player: int, state: Any, action: Any) -> Any:
        """Return the one state to which a player's action leads."""
        return answer_of(self.moves, (player, state, action), "moves", 3)

    def chance(self, state: Any) -> Distribution[Any]:
        """Return the law of the next state when the environment moves."""
        return answer_of(self.chances, state, "chances", 1)

    def reward(self, state: Any, mover: int, action: Any, next_state: Any) -> Distribution[Rewards]:
        """Return the joint law of rewards for a move."""
        listed = self.rewards.get((state, mover, action, next_state))
        return surely((ZERO,) * len(self.players)) if listed is None else listed

    def next_player(
        self, state: Any, mover: int, action: Any, next_state: Any
    ) -> Distribution[int]:
        """Return the law of who moves next."""
        return answer_of(self.turns, (state, mover, action, next_state), "turns", 4)

    def _repr_pretty_(self, printer: Any, _cycle: bool) -> None:  # noqa: FBT001  (IPython's name)
        """Show the call also where IPython or Hypothesis print the game."""
        printer.text(repr(self))

    def __repr__(self) -> str:
        return written_call(
            "list_aec",
            {
                "players": self.players,
                "actions": self.actions,
                "initial_state": self.initial_state,
                "chances": self.chances,
                "moves": self.moves,
                "turns": self.turns,
                "rewards": self.rewards if len(self.rewards) else None,
                "observations": self.observations,
                "legal_actions": self.legal if len(self.legal) else None,
                "terminal": tuple(sorted(self.terminal, key=repr)) or None,
                "discount": None if self.discount == 1 else str(self.discount),
                "horizon": self.horizon,
                "title": self.title or None,
            },
        )


def list_aec(
    *,
    players: Sequence[str],
    actions: Sequence[Sequence[Hashable]],
    initial_state: Any,
    chances: Mapping[Any, object],
    moves: Mapping[Any, Any],
    turns: Mapping[Any, object],
    rewards: Mapping[Any, Any] | None = None,
    observations: Mapping[Any, object] | None = None,
    legal_actions: Mapping[Any, Any] | None = None,
    terminal: Iterable[Hashable] = (),
    discount: object = 1,
    horizon: int | None = None,
    title: str = "",
) -> ListedAEC:
    """List the rules of an AEC game; the arguments are those of ``aec_from_tables``.

    Only what each row says is checked here. Whether rows are missing or superfluous is checked by
    ``aec_from_tables``, which follows play.

    Raises:
        InvalidGame: If a row is malformed; names it.

    >>> from gametheory_core.games.information_sets import CHANCE
    >>> from gametheory_core.games.information_states import NULL
    >>> game = list_aec(
    ...     players=["Ann"],
    ...     actions=[["stop"]],
    ...     initial_state="start",
    ...     chances={"start": {"ready": 1}},
    ...     moves={(0, "ready", "stop"): "over"},
    ...     turns={("start", CHANCE, NULL, "ready"): {0: 1}},
    ...     rewards={("ready", 0, "stop", "over"): (5,)},
    ...     terminal=["over"],
    ... )
    >>> game.move(0, "ready", "stop")
    'over'
    """
    owner = "list_aec"
    labels = check_labels(players, kind="player", owner=owner)
    listed = listed_actions(actions, labels, owner=owner)
    ends = frozenset(terminal)
    for key, after in moves.items():
        _check_move(key, after, listed, labels, ends)
    laws = listed_laws(chances, "chances", key_parts=1)
    for state in laws:
        _refuse_terminal(Question("chances", (state,)), state, ends)
    order = listed_laws(turns, "turns", key_parts=4)
    for key, law in order.items:
        checked_movers(law, labels, listed_question("turns", key, 4))
    return ListedAEC(
        labels,
        listed,
        initial_state,
        laws,
        Listing(tuple(moves.items())),
        order,
        _listed_rewards(rewards or {}, labels),
        None if observations is None else listed_laws(observations, "observations", key_parts=2),
        listed_legal(legal_actions or {}, "legal_actions", listed, labels),
        ends,
        check_discount(discount),
        horizon,
        title,
    )


def _listed_rewards(
    rewards: Mapping[Any, Any], players: Sequence[str]
) -> Listing[Distribution[Any]]:
    """Return laws of rewards; a mere tuple is paid surely."""
    laws = {key: {paid: 1} if isinstance(paid, tuple) else paid for key, paid in rewards.items()}
    exact: list[tuple[Hashable, Distribution[Any]]] = []
    for key, law in listed_laws(laws, "rewards", key_parts=4).items:
        asked = listed_question("rewards", key, 4)
        vectors = tuple((checked_rewards(paid, players, asked), w) for paid, w in law)
        exact.append((key, Distribution(vectors)))
    return Listing(tuple(exact))


def _check_move(
    key: Any, after: Any, actions: Any, players: Sequence[str], terminal: frozenset[Hashable]
) -> None:
    asked = listed_question("moves", key, 3)
    player, state, action = key
    require_player(player, players, asked)
    _refuse_terminal(asked, state, terminal)
    if action not in actions[player]:
        raise InvalidGame(
            f"{asked}: needs an action of {players[player]!r}, one of {actions[player]!r}, but has "
            f"{action!r}."
        )
    if isinstance(after, Distribution | Mapping):
        count = len(cast("Mapping[Any, Any]", after))
        raise InvalidGame(
            f"{asked}: needs one next state, but lists a law of {count}: {after!r}. Let chance "
            "move next and draw."
        )


def _refuse_terminal(asked: Question, state: Hashable, terminal: frozenset[Hashable]) -> None:
    if state in terminal:
        raise InvalidGame(
            f"{asked}: needs a state in which play goes on, but {state!r} is terminal. Leave the "
            "row out, or the state out of terminal."
        )
