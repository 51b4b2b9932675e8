"""Situations that play of a POSG or an AEC game can reach, and which follow upon which.

On the way: whether the answers are steady, and whether what one player sees tells which actions
another has.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import permutations, product
from typing import Any, NamedTuple, TypeAlias

from gametheory_core.conversions.dispatch import choices, followers
from gametheory_core.distributions import Distribution
from gametheory_core.errors import LawBroken, UnsupportedGame, named
from gametheory_core.evaluation.returns import Rules
from gametheory_core.games.checked_rules import Question
from gametheory_core.games.rules import AEC, NULL, POSG
from gametheory_core.games.tree_table import CHANCE

Situation: TypeAlias = tuple[Any, Any]  # state, with the joint observation or the mover
Graph: TypeAlias = dict[Situation, tuple[Situation, ...]]

MAX_STATES = 20_000


def posg_situations(game: POSG, *, max_states: int = MAX_STATES) -> Graph:
    """Return each pair of a state and a joint observation on which players act, and what follows.

    Only what play can reach within the horizon, if there is one.

    Raises:
        UnsupportedGame: If there are more than ``max_states``.
    """

    def following(situation: Situation) -> Iterable[Situation]:
        state, seen = situation
        for joint in product(*(game.legal_actions(i, o) for i, o in enumerate(seen))):
            for after, _ in game.transition(state, joint):
                if not game.is_terminal(after):
                    for shown, _ in game.observation(joint, after):
                        yield after, shown

    first = [
        (state, seen)
        for state, _ in game.initial()
        if not game.is_terminal(state)
        for seen, _ in game.initial_observation(state)
    ]
    return _graph(first, following, game.horizon, max_states)


def aec_situations(game: AEC, *, max_states: int = MAX_STATES) -> Graph:
    """Return each pair of a state and the mover there, and what follows.

    Raises:
        UnsupportedGame: If there are more than ``max_states``.
    """

    def following(situation: Situation) -> Iterable[Situation]:
        for action in choices(game, *situation):
            yield from followers(game, *situation, action)

    ended = game.is_terminal(game.initial_state)
    first = [] if ended else [(game.initial_state, CHANCE)]
    return _graph(first, following, game.horizon, max_states)


def recurring_situation(graph: Graph) -> Situation | None:
    """Return a situation to which play can come back, or None if all play ends."""
    waiting = dict.fromkeys(graph, 0)
    for followers_of in graph.values():
        for after in followers_of:
            waiting[after] += 1
    free = [situation for situation, count in waiting.items() if not count]
    while free:
        situation = free.pop()
        del waiting[situation]
        for after in graph[situation]:
            waiting[after] -= 1
            if not waiting[after]:
                free.append(after)
    return _on_a_cycle(graph, waiting) if waiting else None


def _on_a_cycle(graph: Graph, left: Iterable[Situation]) -> Situation:
    """Walk back from a situation that has not been freed until one is met again."""
    kept = set(left)
    before = {after: s for s in kept for after in graph[s] if after in kept}
    situation = next(iter(left))
    met: set[Situation] = set()
    while situation not in met:
        met.add(situation)
        situation = before[situation]
    return situation


def _graph(
    first: list[Situation],
    following: Callable[[Situation], Iterable[Situation]],
    horizon: int | None,
    max_states: int,
) -> Graph:
    graph: Graph = {}
    frontier = list(dict.fromkeys(first))
    depth = 0
    while frontier and (horizon is None or depth < horizon):
        for situation in frontier:
            graph[situation] = tuple(dict.fromkeys(following(situation)))
        if len(graph) > max_states:
            raise UnsupportedGame(
                needs=f"at most {named('max_states')} = {max_states:,} situations",
                found="there are more",
                remedy=f"Stop the game earlier ({named('stop_posg')}, {named('stop_aec')}), or "
                f"raise {named('max_states')}.",
            )
        found = {after: None for situation in frontier for after in graph[situation]}
        frontier = [after for after in found if after not in graph]
        depth += 1
    reached: Graph = {}
    for situation, after in graph.items():
        reached[situation] = tuple(s for s in after if s in graph)
    return reached


def broken(game: Rules, found: str, *, needs: str = "") -> LawBroken:
    """Return the refusal of a game."""
    return LawBroken(needs=needs, found=found, where=game.title or repr(game))


ANSWERS = frozenset(
    {
        "initial",
        "initial_observation",
        "transition",
        "observation",
        "legal_actions",
        "is_terminal",
        "reward",
        "move",
        "chance",
        "next_player",
    }
)


class Watched:
    """Rules that remember their answers, and refuse to answer the same question differently.

    The player who asks, and in whatever order, gets what was answered first, or ``LawBroken``.
    """

    def __init__(self, game: Rules) -> None:
        self._watched = game
        self._known: dict[Question, Any] = {}

    def __getattr__(self, name: str) -> Any:
        answer = getattr(self._watched, name)
        return self._asking(name, answer) if name in ANSWERS else answer

    def __repr__(self) -> str:
        return repr(self._watched)

    def _asking(self, name: str, answer: Callable[..., Any]) -> Callable[..., Any]:
        def ask(*arguments: Any) -> Any:
            question, found = Question(name, arguments), answer(*arguments)
            if name == "is_terminal" and not isinstance(found, bool):
                raise broken(self._watched, f"{question}: needs True or False, but is {found!r}")
            before = self._known.setdefault(question, found)
            if before is not found and _regardless_of_order(before) != _regardless_of_order(found):
                raise broken(
                    self._watched,
                    f"{question}: needs the same answer to the same question, but is {before!r} "
                    f"and then {found!r}",
                )
            return found

        return ask


def _regardless_of_order(answer: Any) -> Any:
    return dict(answer.items) if isinstance(answer, Distribution) else answer


class Asked(NamedTuple):
    """A question that play asks."""

    question: Question
    answer: Callable[..., Any]


def ask_again(questions: Iterable[Asked]) -> None:
    """Ask watched rules all questions in order, and then backwards."""
    asked = list(questions)
    for question, answer in (*asked, *reversed(asked)):
        answer(*question.arguments)


def posg_questions(game: POSG, graph: Graph) -> Iterator[Asked]:
    """Yield what play of a POSG asks, situation by situation."""
    yield Asked(Question("initial"), game.initial)
    for state, _ in game.initial():
        yield Asked(Question("is_terminal", (state,)), game.is_terminal)
        if not game.is_terminal(state):
            yield Asked(Question("initial_observation", (state,)), game.initial_observation)
    for state, seen in graph:
        own = [(i, o) for i, o in enumerate(seen)]
        for pair in own:
            yield Asked(Question("legal_actions", pair), game.legal_actions)
        for joint in product(*(game.legal_actions(*pair) for pair in own)):
            yield Asked(Question("transition", (state, joint)), game.transition)
            for after, _ in game.transition(state, joint):
                yield Asked(Question("is_terminal", (after,)), game.is_terminal)
                yield Asked(Question("reward", (state, joint, after)), game.reward)
                if not game.is_terminal(after):
                    yield Asked(Question("observation", (joint, after)), game.observation)


def aec_questions(game: AEC, graph: Graph) -> Iterator[Asked]:
    """Yield what play of an AEC game asks, situation by situation."""
    yield Asked(Question("is_terminal", (game.initial_state,)), game.is_terminal)
    for state, mover in graph:
        yield from _turn_questions(game, state, mover)
        for action, after in _steps(game, state, mover):
            moved = (state, mover, action, after)
            yield Asked(Question("is_terminal", (after,)), game.is_terminal)
            yield Asked(Question("reward", moved), game.reward)
            if not game.is_terminal(after):
                yield Asked(Question("next_player", moved), game.next_player)


def _turn_questions(game: AEC, state: Any, mover: int) -> Iterator[Asked]:
    if mover == CHANCE:
        yield Asked(Question("chance", (state,)), game.chance)
        return
    yield Asked(Question("observation", (mover, state)), game.observation)
    for seen, _ in game.observation(mover, state):
        yield Asked(Question("legal_actions", (mover, seen)), game.legal_actions)
        for action in game.legal_actions(mover, seen):
            yield Asked(Question("move", (mover, state, action)), game.move)


def _steps(game: AEC, state: Any, mover: int) -> list[tuple[Any, Any]]:
    if mover == CHANCE:
        return [(NULL, after) for after, _ in game.chance(state)]
    seen = game.observation(mover, state)
    legal = dict.fromkeys(a for o, _ in seen for a in game.legal_actions(mover, o))
    return [(action, game.move(mover, state, action)) for action in legal]


Known = tuple[Situation, tuple[Any, ...]]  # where a set of legal actions occurs, and the set


def require_private_actions(game: POSG, graph: Graph) -> None:
    """Refuse a POSG in which a player's last observation tells another's legal actions.

    Args:
        graph: Its situations.

    Raises:
        LawBroken: If after two own last observations a player must hold different sets of legal
            actions of another to be possible; with both observations, and the situation in which a
            set occurs that is impossible after the other.
    """
    for player, other in permutations(range(len(game.players)), 2):
        possible: dict[Any, dict[frozenset[Any], Known]] = {}
        for state, seen in graph:
            legal = game.legal_actions(other, seen[other])
            after = possible.setdefault(seen[player], {})
            after.setdefault(frozenset(legal), ((state, seen), legal))
        for own, elsewhere in permutations(possible, 2):
            for legal_set, (situation, legal) in possible[own].items():
                if legal_set not in possible[elsewhere]:
                    raise broken(
                        game,
                        "private actions must not be told, but when "
                        f"{game.players[player]!r} sees {own!r}, {game.players[other]!r} may have "
                        f"{legal!r} (in state {situation[0]!r}), and never when it is "
                        f"{elsewhere!r}",
                    )
