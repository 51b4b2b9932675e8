"""Oracles written out as trees of questions, and the one that asks nothing."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from gametheory_core.distributions import Distribution, surely
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.query_oracle import HALT
from gametheory_core.strategies.leader_policies import (
    SimpleFollower,
    StationaryFollower,
    TimedFollower,
)


@dataclass(frozen=True)
class Question:
    """A query, and what follows each answer.

    Attributes:
        observation: What is asked about.
    """

    observation: Hashable
    after: tuple[tuple[Hashable, "QuestionTree"], ...]


QuestionTree: TypeAlias = "Question | SimpleFollower"


@dataclass(frozen=True)
class TreeQueries:
    """A query oracle whose states are the nodes of a tree.

    It asks one question after another; a leaf is the follower's policy. A leaf alone asks nothing:
    a follower who knows the answers without asking. That is how *hidden* queries look to the
    leader: the problem holds for the one leader policy to which the leaf responds.

    Whether it meets condition 1 of Lemma 1 depends on the leaves, which need be no best responses.
    Condition 2 it meets: Theorem 1 holds with this oracle in the place of ``E``.

    >>> polite, firm = StationaryFollower((0,)), StationaryFollower((1,))
    >>> oracle = TreeQueries(ask("met", {"hello": polite, "go away": firm}))
    >>> oracle.query(oracle.root), oracle.answer(oracle.root, "hello").items[0][0] == polite
    ('met', True)
    """

    root: QuestionTree

    def start(self) -> Distribution[QuestionTree]:
        """Return the root."""
        return surely(self.root)

    def query(self, state: QuestionTree, /) -> Any:
        """Ask the question at a node; halt at a leaf."""
        return state.observation if isinstance(state, Question) else HALT

    def answer(self, state: Question, action: Any, /) -> Distribution[QuestionTree]:
        """Go down to the node after an answer.

        Raises:
            InvalidArgument: If the tree has none.
        """
        for answered, following in state.after:
            if answered == action:
                return surely(following)
        raise InvalidArgument(
            f"TreeQueries: needs a branch for each answer about {state.observation!r}, but has "
            f"none for {action!r}. Branches are {[answered for answered, _ in state.after]!r}."
        )

    def follower_policy(self, state: SimpleFollower, /) -> SimpleFollower:
        """Return the leaf."""
        return state


def ask(observation: Hashable, after: Mapping[Hashable, QuestionTree]) -> Question:
    """Write a question, with what follows each answer.

    Raises:
        InvalidArgument: If something else than a question or a follower policy follows an answer.

    >>> ask("met", {"hello": StationaryFollower((0,))}).after[0][0]
    'hello'
    """
    for action, following in after.items():
        if not isinstance(following, Question | StationaryFollower | TimedFollower):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidArgument(
                f"ask: needs a Question, TimedFollower or StationaryFollower after each answer, "
                f"but {following!r} follows {action!r}."
            )
    return Question(observation, tuple(after.items()))
