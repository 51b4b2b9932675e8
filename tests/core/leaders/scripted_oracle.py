"""An oracle that says what it is told to say, malformed answers too."""

from dataclasses import dataclass
from typing import Any

from gametheory_core.distributions import point_mass
from gametheory_core.leaders import HALT


@dataclass(frozen=True)
class Scripted:
    """States are "start" and what ``after`` leads to; those without a query halt.

    Attributes
    ----------
    queries : dict
        State -> observation.
    after : dict
        (state, answer) -> law of the next state.
    policies : dict
        State -> follower policy.
    first : object
        What ``start`` returns.
    """

    queries: Any
    after: Any
    policies: Any = None
    first: Any = point_mass("start")  # noqa: RUF009  (it is frozen)

    def __hash__(self):
        return hash(repr(self))

    def start(self):
        return self.first

    def query(self, state, /):
        return self.queries.get(state, HALT)

    def answer(self, state, action, /):
        return self.after[state, action]

    def follower_policy(self, state, /):
        return self.policies[state]
