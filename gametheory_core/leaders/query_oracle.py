"""Query oracles: followers that learn of a leader's policy only by asking what it does.

An oracle is an automaton with states ``z``. In a state it either queries the leader's action after
an observation ``q(z)`` and moves by the answer, or it halts with a follower policy. Randomized
oracles draw the next state. A state holds all that the oracle knows: answers so far, a learner's
table, the number of rounds left. The graph of an oracle has all states that some answers lead to;
one with a cycle is refused.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, Protocol, cast

from gametheory_core.arguments import shown
from gametheory_core.arrays import ZERO
from gametheory_core.distributions import Distribution, point_mass
from gametheory_core.errors import InvalidArgument, InvalidGame, UnsupportedGame, named
from gametheory_core.games.checked_rules import Question, checked_law

MAX_QUERIES = 10_000
MAX_ORACLE_STATES = 20_000  # a few seconds for learners, who compute most

_MEMBERS = ("start", "query", "answer", "follower_policy")


class Halting(Enum):
    """What an oracle says instead of a query when it has its follower policy."""

    HALT = "halt"

    def __repr__(self) -> str:
        return self.name


HALT = Halting.HALT


class QueryOracle(Protocol):
    """A follower oracle with query access to the leader's policy, over hashable states.

    Any object with these members is one; a frozen dataclass also has equality, a hash and a repr,
    which leader problems rely on.
    """

    def start(self) -> Distribution[Any]:
        """Return the distribution of the first state."""
        ...

    def query(self, state: Any, /) -> Any:
        """Return the leader's observation to ask about, or ``HALT``."""
        ...

    def answer(self, state: Any, action: Any, /) -> Distribution[Any]:
        """Return the distribution of the next state, given the leader's action."""
        ...

    def follower_policy(self, state: Any, /) -> Any:
        """Return the policy in a halting state; a ``Distribution`` is drawn from once."""
        ...


@dataclass(frozen=True)
class CheckedOracle:
    """An oracle whose answers are checked; follower policies always come as a distribution."""

    oracle: QueryOracle

    def start(self) -> Distribution[Any]:
        """Return the distribution of the first state."""
        return checked_law(self.oracle.start(), Question("start"))

    def query(self, state: Any, /) -> Any:
        """Return the leader's observation to ask about, or ``HALT``."""
        asked = self.oracle.query(state)
        try:
            hash(asked)
        except TypeError:
            raise InvalidGame(
                needs="an observation of the leader or HALT",
                found=f"gives {asked!r} (type {type(asked).__name__}), which is not hashable",
                remedy="Use a tuple.",
                where=Question("query", (state,)),
            ) from None
        return asked

    def answer(self, state: Any, action: Any, /) -> Distribution[Any]:
        """Return the distribution of the next state."""
        return checked_law(self.oracle.answer(state, action), Question("answer", (state, action)))

    def follower_policy(self, state: Any, /) -> Distribution[Any]:
        """Return the distribution of the follower policy in a halting state."""
        policy = self.oracle.follower_policy(state)
        if isinstance(policy, Distribution):
            return cast("Distribution[Any]", policy)
        return point_mass(policy)


def checked_oracle(oracle: QueryOracle, owner: str) -> CheckedOracle:
    """Return the oracle with its answers checked; ``owner`` names the caller in refusals.

    Raises:
        InvalidArgument: If it lacks a member of ``QueryOracle``, or is a class.
    """
    if isinstance(oracle, CheckedOracle):
        return oracle
    missing = [name for name in _MEMBERS if not hasattr(oracle, name)]
    if isinstance(oracle, type) or missing:
        lacks = "is a class: call it" if isinstance(oracle, type) else f"lacks {missing[0]}"
        raise InvalidArgument(
            needs=f"a query oracle with {', '.join(_MEMBERS)}",
            found=f"{oracle!r} {lacks}",
            where=owner,
        )
    return CheckedOracle(oracle)


def halting_states(
    oracle: QueryOracle,
    answer: Callable[[Any], Any],
    *,
    max_queries: int = MAX_QUERIES,
    max_states: int = MAX_ORACLE_STATES,
) -> Distribution[Any]:
    """Return the distribution of the state in which an oracle halts, for a function that answers.

    Args:
        answer: The leader's observation -> the leader's action.
        max_queries: The most queries to answer.
        max_states: The most states to meet, counted anew after each query: where states are drawn,
            their number may grow by a factor with each.

    Raises:
        InvalidGame: If the oracle answers something malformed.
        UnsupportedGame: If it continues after ``max_queries`` queries, or meets more states.

    >>> from gametheory_core.distributions import point_mass
    >>> class AskTwice:
    ...     def start(self):
    ...         return point_mass(())
    ...     def query(self, state):
    ...         return HALT if len(state) == 2 else f"question {len(state) + 1}"
    ...     def answer(self, state, action):
    ...         return point_mass((*state, action))
    ...     def follower_policy(self, state):
    ...         return None
    >>> halting_states(AskTwice(), str.upper).items[0][0]
    ('QUESTION 1', 'QUESTION 2')
    """
    checked = checked_oracle(oracle, "halting_states")
    halted: dict[Any, Fraction] = {}
    law = dict(checked.start())
    queries, met = 0, len(law)
    while law:  # states after the same number of queries, each with its probability
        following: dict[Any, Fraction] = {}
        for state, weight in law.items():
            asked = checked.query(state)
            if asked is HALT:
                halted[state] = halted.get(state, ZERO) + weight
                continue
            if queries == max_queries:
                raise UnsupportedGame(
                    needs=f"an oracle that halts within max_queries = {max_queries:,} queries",
                    found=f"in state {shown(state)} it asks about {asked!r} once more",
                    remedy="Count the queries in the state, or raise max_queries.",
                )
            for after, share in checked.answer(state, answer(asked)):
                following[after] = following.get(after, ZERO) + weight * share
            if met + len(following) > max_states:
                raise UnsupportedGame(
                    needs=f"an oracle that meets at most {named('max_states')} = {max_states:,} "
                    "states",
                    found=f"after {met:,} states in {queries:,} queries, {len(following):,} or "
                    "more "
                    "come after the next one",
                    remedy="Where states are drawn, they multiply: ask less (a learner: by fewer "
                    f"episodes), let fewer states differ, or raise {named('max_states')}.",
                )
        law = following
        met += len(law)
        queries += 1
    return Distribution(tuple(halted.items()))


@dataclass(frozen=True)
class QueryGraph:
    """What an oracle may ask, whatever it is told.

    Attributes:
        querying, halting: Its states, in the order first met.
        fewest, most: Numbers of queries before it halts.
    """

    querying: tuple[Any, ...]
    halting: tuple[Any, ...]
    fewest: int
    most: int


def query_graph(
    oracle: QueryOracle,
    answers: Callable[[Any], tuple[Any, ...]],
    *,
    max_states: int,
    owner: str = "query_graph",
) -> QueryGraph:
    """Follow an oracle through all answers.

    Args:
        answers: The leader's observation -> the actions that may be answered.
        max_states: The most states to look at.
        owner: Who asks, for refusals.

    Raises:
        UnsupportedGame: If there are more states, or answers exist on which the oracle never halts;
            with a witness.

    >>> from gametheory_core.distributions import point_mass
    >>> class AskUntilYes:
    ...     def start(self):
    ...         return point_mass(0)
    ...     def query(self, state):
    ...         return HALT if state in ("yes", 3) else "really?"
    ...     def answer(self, state, action):
    ...         return point_mass("yes" if action == "yes" else state + 1)
    ...     def follower_policy(self, state):
    ...         return None
    >>> graph = query_graph(AskUntilYes(), lambda asked: ("yes", "no"), max_states=100)
    >>> graph.querying, graph.halting, graph.fewest, graph.most
    ((0, 1, 2), ('yes', 3), 1, 3)
    """
    checked = checked_oracle(oracle, owner)
    first = tuple(state for state, _ in checked.start())
    after, halting, depth = _explored(checked, answers, first, max_states, owner)
    most = _longest(checked, after, owner)
    return QueryGraph(tuple(after), tuple(halting), min(depth[z] for z in halting), most)


def _explored(
    oracle: CheckedOracle,
    answers: Callable[[Any], tuple[Any, ...]],
    first: tuple[Any, ...],
    max_states: int,
    owner: str,
) -> tuple[dict[Any, tuple[Any, ...]], list[Any], dict[Any, int]]:
    after: dict[Any, tuple[Any, ...]] = {}
    halting: list[Any] = []
    depth = dict.fromkeys(first, 0)
    waiting = list(depth)
    for state in waiting:  # grows while it is read: breadth first
        if len(waiting) > max_states:
            raise UnsupportedGame(
                needs=f"an oracle of at most {named('max_states')} = {max_states:,} states",
                found=f"it has more within {depth[waiting[-1]]} queries, such as "
                f"{shown(waiting[-1])}",
                remedy="Ask less, raise max_states, or give max_states=None, with which states are "
                "made only as play meets them.",
                where=owner,
            )
        asked = oracle.query(state)
        if asked is HALT:
            halting.append(state)
            continue
        reached = dict.fromkeys(
            following for action in answers(asked) for following, _ in oracle.answer(state, action)
        )
        after[state] = tuple(reached)
        for following in reached:
            if following not in depth:
                depth[following] = depth[state] + 1
                waiting.append(following)
    return after, halting, depth


def _longest(oracle: CheckedOracle, after: dict[Any, tuple[Any, ...]], owner: str) -> int:
    """Return the most queries on any way, taking states off the graph once nothing leads there."""
    arrows = dict.fromkeys(after, 0)
    for reached in after.values():
        for state in reached:
            if state in arrows:
                arrows[state] += 1
    free = [state for state, count in arrows.items() if not count]
    longest = dict.fromkeys(after, 1)
    done = 0
    for state in free:
        done += 1
        for following in after[state]:
            if following in arrows:
                longest[following] = max(longest[following], longest[state] + 1)
                arrows[following] -= 1
                if not arrows[following]:
                    free.append(following)
    if done < len(after):
        _refuse_cycle(oracle, after, {z for z, count in arrows.items() if count}, owner)
    return max(longest.values(), default=0)


def _refuse_cycle(
    oracle: CheckedOracle, after: dict[Any, tuple[Any, ...]], left: set[Any], owner: str
) -> None:
    """Walk backwards among states that something still leads to, until one comes again."""
    before = {z: state for state in after if state in left for z in after[state] if z in left}
    state = next(z for z in after if z in left)
    path: dict[Any, None] = {}
    while state not in path:
        path[state] = None
        state = before[state]
    length = len(path) - list(path).index(state)
    raise UnsupportedGame(
        needs="an oracle that halts whatever it is told",
        found=f"in state {shown(state)} it asks about {oracle.query(state)!r} and may be back "
        "there "
        f"after {length} {'query' if length == 1 else 'queries'}",
        remedy="Count the queries in the state.",
        where=owner,
    )


class QueryDisplay(Enum):
    """How much the leader can tell queries from play; the value says it in words.

    Only ``AS_PLAY`` makes every memoryless deterministic policy *invariant*: it plays as it
    answered. With the others the leader may promise one thing and do another.
    """

    AS_PLAY = "a query is the observation alone, as in play"
    FLAGGED = "observations come as (is it a query?, observation)"
    COUNTED = "observations come as (number of steps before, observation)"
