"""The graph of a query oracle: all states that some answers lead to, refused if it has a cycle."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gametheory_core.arguments import shown
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.query_oracle import HALT, CheckedOracle, QueryOracle, checked_oracle


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

    >>> from gametheory_core.distributions import surely
    >>> class AskUntilYes:
    ...     def start(self):
    ...         return surely(0)
    ...     def query(self, state):
    ...         return HALT if state in ("yes", 3) else "really?"
    ...     def answer(self, state, action):
    ...         return surely("yes" if action == "yes" else state + 1)
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
                f"{owner}: needs an oracle of at most max_states = {max_states:,} states, but it "
                f"has more within {depth[waiting[-1]]} queries, such as "
                f"{shown(waiting[-1])}. Ask less, raise max_states, or give max_states=None, with "
                "which states are made only as play meets them."
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
        f"{owner}: needs an oracle that halts whatever it is told, but in state {shown(state)} it "
        f"asks about {oracle.query(state)!r} and may be back there after {length} "
        f"{'query' if length == 1 else 'queries'}. Count the queries in the state."
    )
