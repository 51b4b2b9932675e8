"""When a run counts as a success: exact numbers of its judgment, each within its bound.

A table such as ``{"regret_stationary": 0, "leader_value": ">= 5.5"}``: the name of a number, and
what it is compared with. A bare number asks for equality. Numbers are read as they are written, so
that ``0.1`` is one tenth.
"""

import operator
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from gametheory_core.errors import InvalidArgument
from learners.experiments.typed_values import joined, nearest, read_value
from learners.findings import Standing
from learners.protocol import Learner, declaration_of

RELATIONS: Mapping[str, Callable[[Fraction, Fraction], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
    "=": operator.eq,
}
_CONDITION = re.compile(r"\s*(<=|>=|<|>|=|)\s*(.*?)\s*", re.DOTALL)


@dataclass(frozen=True)
class Condition:
    """A bound on a number of the judgment.

    >>> Condition("regret", "<=", Fraction(1, 10)).holds(Fraction(0))
    True
    """

    name: str
    relation: str
    bound: Fraction

    def holds(self, value: Fraction) -> bool:
        """Tell whether a number is within it."""
        return RELATIONS[self.relation](value, self.bound)

    def __str__(self) -> str:
        return f"{self.name} {self.relation} {self.bound}"


def conditions_of(table: Mapping[str, Any], *, path: str = "success") -> tuple[Condition, ...]:
    """Read what a table asks for.

    Args:
        path: For messages.

    Raises:
        InvalidArgument: If an entry is no number, nor a comparison with one; names the key.

    >>> [str(own) for own in conditions_of({"fairness": 24, "nash_conv": "<= 0.1"})]
    ['fairness = 24', 'nash_conv <= 1/10']
    """
    return tuple(_condition(name, entry, joined(path, name)) for name, entry in table.items())


def _condition(name: str, entry: Any, path: str) -> Condition:
    relation, written = "=", entry
    if isinstance(entry, str) and (parts := _CONDITION.fullmatch(entry)):
        relation, written = parts[1] or "=", parts[2]
    try:
        return Condition(name, relation, read_value(written, Fraction, path=path))
    except InvalidArgument as error:
        raise InvalidArgument(
            needs='a number, or a comparison with one such as "<= 0.1" or ">= 1/3"',
            found=error.found,
            where=path,
        ) from None


Appraises = Callable[[], Any]  # -> an Appraisal of the learner


def judged_numbers(
    learner: Learner, appraise: Appraises, *, names: Collection[str]
) -> dict[str, Fraction]:
    """Return what a learner is judged, exactly, by the names asked for.

    Args:
        appraise: Called if a name is not among the measures that the learner's judge declares.

    Raises:
        InvalidArgument: If a name is of nothing that can be judged exactly; lists what is.
        UnsupportedGame: If the game is too large for it.
    """
    measures = declaration_of(type(learner)).judge.measures
    found = {name: measures[name](learner) for name in names if name in measures}
    rest = [name for name in names if name not in measures]
    if rest:
        findings = appraise().findings
        exact = {own.name: own for own in findings if own.standing is not Standing.SAMPLED}
        for name in rest:
            if name not in exact:
                _refuse_name(name, [*measures, *exact], [own.name for own in findings])
        found |= {name: Fraction(exact[name].value) for name in rest}
    return {name: found[name] for name in names}


def _refuse_name(name: str, exact: list[str], findings: list[str]) -> None:
    is_sampled = name in findings
    names = f"Exact are {', '.join(exact)}." if exact else "Nothing is judged exactly here."
    raise InvalidArgument(
        needs="the name of a number that is judged exactly",
        found=f"{name!r} is sampled" if is_sampled else f"there is no {name!r}",
        remedy=f"{'' if is_sampled else nearest(name, exact)}{names}",
        where="success",
    )
