"""Listings: answers of rules written down by hand, one for each question, and what they mention.

``ListedPOSG`` and ``ListedAEC`` are rules written by hand, every answer listed in a dictionary.
"""

from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any, Generic, TypeAlias, TypeVar, cast

from gametheory_core.arguments import check_labels
from gametheory_core.arrays import ZERO, reads_decimals
from gametheory_core.distributions import Distribution, point_mass, push_forward
from gametheory_core.errors import InvalidGame
from gametheory_core.games.checked_rules import (
    Question,
    checked_movers,
    checked_rewards,
    checked_signals,
)
from gametheory_core.games.rules import NULL, JointAction, Rewards
from gametheory_core.games.table_content import check_discount, check_distinct
from gametheory_core.games.tree_table import CHANCE
from gametheory_core.probabilities import exact_weights

Answer = TypeVar("Answer")


@dataclass(frozen=True, eq=False, repr=False)
class Listing(Generic[Answer]):
    """Answers by key, as a dictionary that cannot change; equal whatever the order.

    Attributes:
        items: Keys are different.
    """

    items: tuple[tuple[Hashable, Answer], ...]

    @cached_property
    def _index(self) -> dict[Hashable, Answer]:
        return dict(self.items)

    def get(self, key: Hashable) -> Answer | None:
        """Return the answer, or None."""
        return self._index.get(key)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._index)

    def __len__(self) -> int:
        return len(self.items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Listing) and self._index == cast("Any", other)._index

    def __hash__(self) -> int:
        return hash(frozenset(self._index))

    def __repr__(self) -> str:
        return repr({key: written(answer) for key, answer in self.items})


def written(answer: object) -> object:
    """Return an answer as one writes it: distributions as dictionaries, numbers as text."""
    if isinstance(answer, Distribution):
        law = cast("Distribution[Any]", answer)
        return {_without_fractions(x): _number(w) for x, w in law}
    return _without_fractions(answer)


def _without_fractions(value: object) -> object:
    if isinstance(value, tuple):
        entries = cast("tuple[object, ...]", value)
        if entries and all(isinstance(entry, Fraction) for entry in entries):
            return tuple(_number(cast("Fraction", entry)) for entry in entries)
    return value


def _number(number: Fraction) -> int | str:
    return int(number) if number.denominator == 1 else str(number)


def listed_law(weights: object, asked: Question) -> Distribution[Any]:
    """Return a distribution written as ``{outcome: weight}``, checked to sum to one."""
    if isinstance(weights, Distribution):
        return cast("Distribution[Any]", weights)
    if not isinstance(weights, Mapping):
        raise InvalidGame(needs="{outcome: weight, ...}", found=f"is {weights!r}", where=asked)
    listed = cast("Mapping[Any, object]", weights)
    exact = exact_weights(listed, listed.values(), owner=str(asked))
    return Distribution(tuple((x, w) for x, w in zip(listed, exact, strict=True) if w))


def _unchecked(law: Distribution[Any], _asked: Question) -> Distribution[Any]:
    return law


def listed_laws(
    table: Mapping[Any, object],
    name: str,
    *,
    key_parts: int,
    check: Callable[[Distribution[Any], Question], Distribution[Any]] = _unchecked,
) -> Listing[Distribution[Any]]:
    """Return the distributions of a table; a key of one part is the part itself, not a tuple."""
    asked = [(key, listed_question(name, key, key_parts)) for key in table]
    return Listing(tuple((key, check(listed_law(table[key], q), q)) for key, q in asked))


def listed_question(name: str, key: Any, key_parts: int) -> Question:
    """Return the question that a key answers, after checking that it has all its parts."""
    if key_parts == 1:
        return Question(name, (key,))
    if not isinstance(key, tuple) or len(cast("tuple[Any, ...]", key)) != key_parts:
        raise InvalidGame(needs=f"keys of {key_parts} parts", found=f"has {key!r}", where=name)
    return Question(name, cast("tuple[Any, ...]", key))


def listed_legal(
    table: Mapping[Any, Any], name: str, actions: Sequence[Sequence[Hashable]], players: Any
) -> Listing[tuple[Any, ...]]:
    """Return legal actions by (player, ...) in the players' order, checked to be the players'."""
    for key, own in table.items():
        asked = listed_question(name, key, 2)
        require_player(key[0], players, asked)
        strange = [action for action in own if action not in actions[key[0]]]
        if strange or not own or len(set(own)) != len(own):
            raise InvalidGame(
                needs=f"different actions of {players[key[0]]!r}, at least one of "
                f"{tuple(actions[key[0]])!r}",
                found=f"is {tuple(own)!r}",
                where=asked,
            )
    ordered = {key: tuple(a for a in actions[key[0]] if a in own) for key, own in table.items()}
    return Listing(tuple(ordered.items()))


def require_player(player: object, players: Sequence[str], asked: Question) -> None:
    """Refuse a number that is no player's."""
    if player not in range(len(players)):
        raise InvalidGame(
            needs=f"a player in 0..{len(players) - 1}", found=f"names {player!r}", where=asked
        )


def listed_actions(
    actions: Sequence[Sequence[Hashable]], players: Sequence[str]
) -> tuple[tuple[Hashable, ...], ...]:
    """Return each player's actions, after checking that there are some, all different."""
    if len(actions) != len(players):
        raise InvalidGame(
            needs=f"actions for each of {len(players)} players", found=f"has {len(actions)}"
        )
    listed = tuple(
        check_distinct(tuple(own), kind=f"actions of {label!r}")
        for label, own in zip(players, actions, strict=True)
    )
    for label, own in zip(players, listed, strict=True):
        if not own:
            raise InvalidGame(needs=f"at least one action of {label!r}", found="has none")
    return listed


def refuse_idle_rows(
    rows: Iterable[tuple[str, Hashable]], asked: Container[tuple[str, Hashable]]
) -> None:
    """Refuse a row, (table, key), that answers no question that play asks."""
    for name, key in rows:
        if (name, key) not in asked:
            raise InvalidGame(
                needs="rows that play can reach",
                found=f"{name}[{key!r}] is never asked",
                remedy="Look for a misspelt label, or leave the row out.",
            )


def answer_of(listing: Listing[Answer], key: Hashable, name: str, key_parts: int) -> Answer:
    """Return a listed answer."""
    found = listing.get(key)
    if found is None:
        question = listed_question(name, key, key_parts)
        raise InvalidGame(
            needs="an answer",
            found="none is listed",
            remedy=f"Add the row {key!r}.",
            where=question,
        )
    return found


@dataclass(frozen=True, repr=False, kw_only=True)
class ListedRules:
    """What listings of both kinds hold.

    Attributes:
        actions: Of each player.
        legal: By (player, observation); all actions where nothing is listed.
    """

    players: tuple[str, ...]
    actions: tuple[tuple[Hashable, ...], ...]
    legal: Listing[tuple[Any, ...]]
    terminal: frozenset[Hashable]
    discount: Fraction
    horizon: int | None
    title: str

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]:
        """Return what a player may do."""
        return self.legal.get((player, observation)) or self.actions[player]

    def is_terminal(self, state: Any) -> bool:
        """Tell whether play has ended."""
        return state in self.terminal

    def _repr_pretty_(self, printer: Any, _cycle: bool) -> None:  # noqa: FBT001  (IPython's name)
        """Show the call also where IPython or Hypothesis print the game."""
        printer.text(repr(self))

    def __repr__(self) -> str:
        """Return the call that builds the game, leaving out what is as by default."""
        first, *own = [field.name for field in fields(self)][len(fields(ListedRules)) :]
        arguments = {
            "players": self.players,
            "actions": self.actions,
            first.replace("first", "initial"): written(getattr(self, first)),
            **{k: value for k in own if (value := getattr(self, k)) or k != "rewards"},
            "legal_actions": self.legal or None,
            "terminal": tuple(sorted(self.terminal, key=repr)) or None,
            "discount": None if self.discount == 1 else str(self.discount),
            "horizon": self.horizon,
            "title": self.title or None,
        }
        shown = [f"{key}={value!r}" for key, value in arguments.items() if value is not None]
        return f"{type(self).__name__.replace('Listed', 'list_').lower()}({', '.join(shown)})"


@dataclass(frozen=True, repr=False, kw_only=True)
class ListedPOSG(ListedRules):
    """The rules of a POSG, listed; ``list_posg`` builds and checks it, and is what repr shows.

    Attributes:
        first: The distribution of the first state.
        transitions: By (state, joint action).
        rewards: By (state, joint action, next state); zero where nothing is listed.
        observations: By (joint action, state); None if nobody ever sees anything.
        initial_observations: By state.
    """

    first: Distribution[Any]
    transitions: Listing[Distribution[Any]]
    rewards: Listing[tuple[Fraction, ...]]
    observations: Listing[Distribution[Any]] | None
    initial_observations: Listing[Distribution[Any]] | None

    def initial(self) -> Distribution[Any]:
        """Return the distribution of the first state."""
        return self.first

    def initial_observation(self, state: Any) -> Distribution[tuple[Any, ...]]:
        """Return the joint distribution of what players see before the first action."""
        if self.initial_observations is None or state in self.terminal:
            return point_mass((NULL,) * len(self.players))
        return answer_of(self.initial_observations, state, "initial_observations", 1)

    def transition(self, state: Any, joint_action: JointAction) -> Distribution[Any]:
        """Return the distribution of the next state."""
        return answer_of(self.transitions, (state, joint_action), "transitions", 2)

    def observation(self, joint_action: JointAction, state: Any) -> Distribution[tuple[Any, ...]]:
        """Return the joint distribution of observations after an action, on entering a state."""
        if self.observations is None:
            return point_mass((NULL,) * len(self.players))
        return answer_of(self.observations, (joint_action, state), "observations", 2)

    def reward(self, state: Any, joint_action: JointAction, next_state: Any) -> Rewards:
        """Return what each player receives for a step."""
        nothing = (ZERO,) * len(self.players)
        return self.rewards.get((state, joint_action, next_state)) or nothing


@reads_decimals
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
    legal_in_states: Mapping[Any, Any] | None = None,
    terminal: Iterable[Hashable] = (),
    discount: object = 1,
    horizon: int | None = None,
    title: str = "",
    decimals: bool = False,  # noqa: ARG001 read by the decorator
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
    labels = check_labels(players, kind="player")
    listed = listed_actions(actions, labels)
    ends = frozenset(terminal)
    laws = listed_laws(transitions, "transitions", key_parts=2)
    for key in laws:
        _check_row(key, listed, ends)
    paid = tuple(
        (key, checked_rewards(vector, labels, listed_question("rewards", key, 3)))
        for key, vector in (rewards or {}).items()
    )

    def signals(law: object, asked: Question) -> Distribution[Any]:
        return checked_signals(law, labels, asked)

    game = ListedPOSG(
        players=labels,
        actions=listed,
        first=listed_law(initial, Question("initial")),
        transitions=laws,
        rewards=Listing(paid),
        observations=None
        if observations is None
        else listed_laws(observations, "observations", key_parts=2, check=signals),
        initial_observations=None
        if initial_observations is None
        else listed_laws(initial_observations, "initial_observations", key_parts=1, check=signals),
        legal=listed_legal(legal_actions or {}, "legal_actions", listed, labels),
        terminal=ends,
        discount=check_discount(discount),
        horizon=horizon,
        title=title,
    )
    starts = ((s, o) for s, _ in game.initial() for o, _ in game.initial_observation(s))
    return _by_observation(game, legal_in_states, starts, legal_actions)


def _check_row(key: Any, actions: Any, terminal: frozenset[Hashable]) -> None:
    state, joint = key
    asked = Question("transitions", (state, joint))
    _refuse_terminal(asked, state, terminal)
    labels = cast("tuple[Any, ...]", joint) if isinstance(joint, tuple) else ()
    if len(labels) != len(actions) or any(
        a not in own for a, own in zip(labels, actions, strict=True)
    ):
        raise InvalidGame(
            needs=f"an action of each of {len(actions)} players",
            found=f"has {joint!r}",
            remedy=f"Actions are {actions!r}.",
            where=asked,
        )


@dataclass(frozen=True, repr=False, kw_only=True)
class ListedAEC(ListedRules):
    """The rules of an AEC game, listed; ``list_aec`` builds and checks it, and is what repr shows.

    Attributes:
        initial_state (hashable)
        chances: By state: the distribution of the next state when chance moves.
        moves: By (player, state, action): the next state.
        turns: By (state, mover, action, next state): who moves next.
        rewards: By (state, mover, action, next state); zero where nothing is listed.
        observations: By (player, state); None if nobody ever sees anything.
    """

    initial_state: Any
    chances: Listing[Distribution[Any]]
    moves: Listing[Any]
    turns: Listing[Distribution[Any]]
    rewards: Listing[Distribution[Any]]
    observations: Listing[Distribution[Any]] | None

    def observation(self, player: int, state: Any) -> Distribution[Any]:
        """Return the distribution of what the mover sees."""
        if self.observations is None:
            return point_mass(NULL)
        return answer_of(self.observations, (player, state), "observations", 2)

    def move(self, player: int, state: Any, action: Any) -> Any:
        """Return the one state to which a player's action leads."""
        return answer_of(self.moves, (player, state, action), "moves", 3)

    def chance(self, state: Any) -> Distribution[Any]:
        """Return the distribution of the next state when the environment moves."""
        return answer_of(self.chances, state, "chances", 1)

    def reward(self, state: Any, mover: int, action: Any, next_state: Any) -> Distribution[Rewards]:
        """Return the joint distribution of rewards for a move."""
        listed = self.rewards.get((state, mover, action, next_state))
        return point_mass((ZERO,) * len(self.players)) if listed is None else listed

    def next_player(
        self, state: Any, mover: int, action: Any, next_state: Any
    ) -> Distribution[int]:
        """Return the distribution of who moves next."""
        return answer_of(self.turns, (state, mover, action, next_state), "turns", 4)


@reads_decimals
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
    legal_in_states: Mapping[Any, Any] | None = None,
    terminal: Iterable[Hashable] = (),
    discount: object = 1,
    horizon: int | None = None,
    title: str = "",
    decimals: bool = False,  # noqa: ARG001 read by the decorator
) -> ListedAEC:
    """List the rules of an AEC game; the arguments are those of ``aec_from_tables``.

    Only what each row says is checked here. Whether rows are missing or superfluous is checked by
    ``aec_from_tables``, which follows play.

    Raises:
        InvalidGame: If a row is malformed; names it.

    >>> from gametheory_core.games import CHANCE, NULL
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
    labels = check_labels(players, kind="player")
    listed = listed_actions(actions, labels)
    ends = frozenset(terminal)
    for key, after in moves.items():
        _check_move(key, after, listed, labels, ends)
    laws = listed_laws(chances, "chances", key_parts=1)
    for state in laws:
        _refuse_terminal(Question("chances", (state,)), state, ends)
    game = ListedAEC(
        players=labels,
        actions=listed,
        initial_state=initial_state,
        chances=laws,
        moves=Listing(tuple(moves.items())),
        turns=listed_laws(
            turns, "turns", key_parts=4, check=lambda law, asked: checked_movers(law, labels, asked)
        ),
        rewards=_listed_rewards(rewards or {}, labels),
        observations=None
        if observations is None
        else listed_laws(observations, "observations", key_parts=2),
        legal=listed_legal(legal_actions or {}, "legal_actions", listed, labels),
        terminal=ends,
        discount=check_discount(discount),
        horizon=horizon,
        title=title,
    )
    return _by_observation(game, legal_in_states, [(initial_state, CHANCE)], legal_actions)


def _listed_rewards(
    rewards: Mapping[Any, Any], players: Sequence[str]
) -> Listing[Distribution[Any]]:
    """Return distributions of rewards; a mere tuple is paid surely."""
    laws = {key: {paid: 1} if isinstance(paid, tuple) else paid for key, paid in rewards.items()}

    def check(law: Distribution[Any], asked: Question) -> Distribution[Any]:
        return push_forward(law, lambda paid: checked_rewards(paid, players, asked))

    return listed_laws(laws, "rewards", key_parts=4, check=check)


def _check_move(
    key: Any, after: Any, actions: Any, players: Sequence[str], terminal: frozenset[Hashable]
) -> None:
    asked = listed_question("moves", key, 3)
    player, state, action = key
    require_player(player, players, asked)
    _refuse_terminal(asked, state, terminal)
    if action not in actions[player]:
        raise InvalidGame(
            needs=f"an action of {players[player]!r}, one of {actions[player]!r}",
            found=f"has {action!r}",
            where=asked,
        )
    if isinstance(after, Distribution | Mapping):
        count = len(cast("Mapping[Any, Any]", after))
        raise InvalidGame(
            needs="one next state",
            found=f"lists a law of {count}: {after!r}",
            remedy="Let chance move next and draw.",
            where=asked,
        )


def _refuse_terminal(asked: Question, state: Hashable, terminal: frozenset[Hashable]) -> None:
    if state in terminal:
        raise InvalidGame(
            needs="a state in which play continues",
            found=f"{state!r} is terminal",
            remedy="Leave the row out, or the state out of terminal.",
            where=asked,
        )


Place: TypeAlias = tuple[Any, Any]  # state, and the joint observation (POSG) or the mover (AEC)
ListedT = TypeVar("ListedT", ListedPOSG, ListedAEC)


def _by_observation(
    game: ListedT, in_states: Mapping[Any, Any] | None, starts: Iterable[Place], given: object
) -> ListedT:
    """Take legal actions listed by (player, state), refusing those that tell what is hidden."""
    if in_states is None:
        return game
    if given is not None:
        raise InvalidGame(
            needs="legal_actions or legal_in_states", found="got both", remedy="Leave one out."
        )
    listed = listed_legal(in_states, "legal_in_states", game.actions, game.players)
    look = _posg_place if isinstance(game, ListedPOSG) else _aec_place
    found: dict[tuple[int, Any], tuple[Any, tuple[Any, ...]]] = {}
    waiting = list(starts)
    met = set(waiting)
    asked: set[tuple[str, Hashable]] = set()
    while waiting:
        state, what = waiting.pop()
        if game.is_terminal(state):
            continue
        legal = [listed.get((i, state)) or own for i, own in enumerate(game.actions)]
        seen, following = look(game, state, what, legal)
        for player, observation in seen:
            asked.add(("legal_in_states", (player, state)))
            now = (state, legal[player])
            before = found.setdefault((player, observation), now)
            _refuse_telling(game.players[player], observation, before, now)
        fresh = set(following) - met
        met |= fresh
        waiting.extend(fresh)
    refuse_idle_rows((("legal_in_states", key) for key in listed), asked)
    return replace(game, legal=Listing(tuple((key, own) for key, (_, own) in found.items())))


def _posg_place(game: Any, state: Any, seen: Any, legal: Any) -> tuple[Any, Iterator[Place]]:
    """Return who sees what, and where play goes next."""
    return enumerate(seen), (
        (after, observed)
        for joint in product(*legal)
        for after, _ in game.transition(state, joint)
        if not game.is_terminal(after)
        for observed, _ in game.observation(joint, after)
    )


def _aec_place(game: Any, state: Any, mover: Any, legal: Any) -> tuple[Any, Iterator[Place]]:
    if mover == CHANCE:
        seen, steps = [], [(NULL, after) for after, _ in game.chance(state)]
    else:
        seen = [(mover, observed) for observed, _ in game.observation(mover, state)]
        steps = [(action, game.move(mover, state, action)) for action in legal[mover]]
    return seen, (
        (after, turn)
        for action, after in steps
        if not game.is_terminal(after)
        for turn, _ in game.next_player(state, mover, action, after)
    )


def _refuse_telling(
    player: str,
    seen: object,
    before: tuple[object, tuple[Any, ...]],
    now: tuple[object, tuple[Any, ...]],
) -> None:
    """Refuse legal actions that differ between states in which the player sees the same."""
    if before[1] != now[1]:
        raise InvalidGame(
            needs="legal actions that follow from the player's own observation",
            found=f"{player!r} sees {seen!r} in state {before[0]!r}, with {before[1]!r}, and in "
            f"state {now[0]!r}, with {now[1]!r}",
            remedy="Show the difference.",
        )
