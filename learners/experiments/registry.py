"""The learners that a file can ask for, by name; each is imported when it is first made.

What may be chosen about a learner is read off its constructor: first the environment or the game,
then keyword-only options with type hints; ``rng`` is given by the run, not by the file.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, get_type_hints

from gametheory_core.errors import InvalidArgument
from learners.experiments.typed_values import (
    joined,
    member_name,
    nearest,
    read_value,
    refuse_unknown,
    shown_hint,
)
from learners.protocol import LEARNERS, declaration_of, defined_at, load_rooms

load_rooms()


@dataclass(frozen=True)
class Option:
    """Something that may be chosen about a learner.

    Attributes:
        accepts: What a file may say, in words.
        default: As Python writes it; empty if there is none.
    """

    name: str
    accepts: str
    default: str


def learner_class(name: str, *, path: str = "learner", table: Mapping[str, str] = LEARNERS) -> Any:
    """Return the class of a learner.

    Args:
        path: For messages: the file and the key.
        table: Name -> ``module:class``; by default all learners of this package.

    Raises:
        InvalidArgument: If there is no such learner; names the nearest.

    >>> learner_class("QLearning").__name__
    'QLearning'
    """
    if name not in table:
        raise InvalidArgument(
            found=f"unknown learner {name!r}",
            remedy=f"{nearest(name, table)}Learners are {', '.join(sorted(table))}.",
            where=path,
        )
    return defined_at(table[name])


def options_of(learner: Callable[..., Any]) -> tuple[Option, ...]:
    """Return what may be chosen about a learner.

    >>> [option.name for option in options_of(learner_class("QLearning"))][:2]
    ['step_size', 'exploration']
    """
    hints = _hints(learner)
    return tuple(
        Option(name, shown_hint(hints[name]), _shown_default(parameter.default))
        for name, parameter in _parameters(learner).items()
    )


def read_options(
    learner: Callable[..., Any], table: Mapping[str, Any], *, path: str
) -> dict[str, Any]:
    """Return the options in a table as the types that the constructor asks for.

    Args:
        learner (class)
        table: As ``tomllib`` gives it.
        path: For messages.

    Raises:
        InvalidArgument: If a key is unknown or missing, or a value does not fit.
    """
    known = _parameters(learner)
    hints = _hints(learner)
    refuse_unknown(table, known, path=path)
    for name, parameter in known.items():
        if parameter.default is parameter.empty and name not in table:
            raise InvalidArgument(
                needs="a value", found="has none", remedy="Add it.", where=joined(path, name)
            )
    return {
        name: read_value(value, hints[name], path=joined(path, name))
        for name, value in table.items()
    }


def _parameters(learner: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    return {
        name: parameter
        for name, parameter in inspect.signature(learner).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY and name != "rng"
    }


def _shown_default(default: object) -> str:
    if default is inspect.Parameter.empty:
        return ""
    return repr(member_name(default)) if isinstance(default, Enum) else repr(default)


def _hints(learner: Any) -> dict[str, Any]:
    """Return the types of arguments; one named for type checkers only is a class of that name."""
    unknown: dict[str, Any] = {}
    while True:
        try:
            made = learner.__init__ if inspect.isclass(learner) else learner
            return get_type_hints(made, localns=dict(unknown))
        except NameError as error:
            name = str(error.name)
            unknown[name] = type(name, (), {})


def refuse_idle_options(made: type, assessment: Any, *, path: str) -> None:
    """Refuse options of judging that a learner's judge does not read.

    Args:
        made: The learner.
        assessment (AssessmentConfig)
        path: Of its table, for messages.

    Raises:
        InvalidArgument: Names the key, and those that are read.
    """
    judge = declaration_of(made).judge
    if judge.is_exact_only and member_name(assessment.method) == "sampled":
        raise InvalidArgument(
            needs=f'"exact" or "not" for {made.__name__}, which is judged by definition and not '
            "by episodes",
            found='got "sampled"',
            remedy="Leave it out.",
            where=joined(path, "method"),
        )
    for option in fields(assessment):
        name, value = option.name, getattr(assessment, option.name)
        if name != "method" and name not in judge.reads and value != option.default:
            shown = member_name(value) if isinstance(value, Enum) else value
            raise InvalidArgument(
                needs="a judge that reads it",
                found=f"{made.__name__} is judged without it, and got {shown}",
                remedy=f"Leave it out; what is read is {', '.join(('method', *judge.reads))}.",
                where=joined(path, name),
            )
