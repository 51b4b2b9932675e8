"""Questions that play of a POSG or an AEC game asks, and whether the answers are steady."""

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any, NamedTuple

from gametheory_core.distributions import Distribution
from gametheory_core.errors import LawBroken
from gametheory_core.evaluation.returns import Rules
from gametheory_core.games.checked_rules import Question
from gametheory_core.games.information_states import NULL
from gametheory_core.games.rules import AEC, POSG
from gametheory_core.games.tree_table import CHANCE
from gametheory_core.testing.rule_walk import Graph


def broken(game: Rules, what: str) -> LawBroken:
    """Return the refusal of a game."""
    return LawBroken(f"{game.title or repr(game)}: {what}")


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

    Whoever asks, and in whatever order, gets what was answered first, or ``LawBroken``.
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
                raise broken(self._watched, f"{question}: needs True or False, but is {found!r}.")
            before = self._known.setdefault(question, found)
            if before is not found and _regardless_of_order(before) != _regardless_of_order(found):
                raise broken(
                    self._watched,
                    f"{question}: needs the same answer to the same question, but is {before!r} "
                    f"and then {found!r}.",
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
