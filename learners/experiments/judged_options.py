"""Which options of judging mean something to a learner: others are refused, not passed over."""

from dataclasses import fields
from enum import Enum
from typing import Any

from gametheory_core.errors import InvalidArgument
from learners.experiments.typed_values import joined, member_name

_OF_COMMITMENTS = ("follower_class",)
_OF_POLICIES = ("acts_on", "max_nodes", "episodes")  # a file may keep those of both methods
_OF_DRAWN_LEADERS = ("max_nodes",)


def refuse_idle_options(learner: Any, assessment: Any, *, path: str) -> None:
    """Refuse options of judging that a learner's judge does not read.

    Args:
        learner (class)
        assessment (AssessmentConfig)
        path: Of its table, for messages.

    Raises:
        InvalidArgument: Names the key, and those that are read.
    """
    read = _options_of(learner)
    if read != _OF_POLICIES and member_name(assessment.method) == "sampled":
        raise InvalidArgument(
            needs=f'"exact" or "not" for {learner.__name__}, which is judged by definition and '
            "not by episodes",
            found='got "sampled"',
            remedy="Leave it out.",
            where=joined(path, "method"),
        )
    for option in fields(assessment):
        name, value = option.name, getattr(assessment, option.name)
        if name != "method" and name not in read and value != option.default:
            shown = member_name(value) if isinstance(value, Enum) else value
            raise InvalidArgument(
                needs="a judge that reads it",
                found=f"{learner.__name__} is judged without it, and got {shown}",
                remedy=f"Leave it out; what is read is {', '.join(('method', *read))}.",
                where=joined(path, name),
            )


def _options_of(learner: Any) -> tuple[str, ...]:
    """Return what is read for a learner: of commitments, of mediation, or of policies."""
    if hasattr(learner, "commitment"):
        return _OF_COMMITMENTS
    if hasattr(learner, "profile"):
        return ()
    return _OF_DRAWN_LEADERS if hasattr(learner, "play") else _OF_POLICIES
