"""What a learner learned, as a bot: a table of mixed actions by window, or a network."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_instance, require_integer, shown
from gametheory_core.errors import InvalidArgument
from learners.frozen import FrozenPolicy
from learners.roshambo.matches.matches import NUM_THROWS, Throws
from learners.roshambo.matches.recall import Recall, Shows
from learners.streams import drawn_actions, named_stream

NO_ACTION = -1
_MISFITS = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)


class PolicyAtPlay:
    """A frozen policy in ``E`` matches at once, with what it remembers of each.

    Args:
        policy: As ``learners.frozen.frozen`` returns it.
        recall: What it sees.
        matches: At once.
        greedy: Whether the likeliest throw is always made, the first of equal ones; else throws are
            drawn.

    Raises:
        InvalidArgument: If the policy is one of another game, or of another recall.
    """

    def __init__(
        self, policy: FrozenPolicy, recall: Recall, *, matches: int, greedy: bool = False
    ) -> None:
        require_instance(recall, Recall, name="recall", remedy="Give Recall(3), for one.")
        self._policy, self._greedy = policy, greedy
        self._legal = np.ones((matches, NUM_THROWS), dtype=np.bool_)
        self._width = 0 if isinstance(policy, np.ndarray) else _width(policy)
        _require_fitting(policy, recall)
        self.begin()

    def begin(self) -> None:
        """Forget everything."""
        self._previous = np.full(len(self._legal), NO_ACTION, dtype=np.int64)
        self._memory = np.zeros((len(self._legal), self._width), dtype=np.float32)

    def throws(self, seen: NDArray[Any], rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the next throw in each match, by what is seen of it: (E,) or (E, features)."""
        if isinstance(self._policy, np.ndarray):
            shares: NDArray[np.float64] = self._policy[seen]
        else:
            shares, self._memory = self._policy.shares(
                seen, self._previous, self._legal, self._memory
            )
        if self._greedy:
            self._previous = shares.argmax(axis=1)
        else:
            self._previous = drawn_actions(shares, rng.random(len(shares)))
        return self._previous


class PolicyBot:
    """A bot that plays what was learned; it learns no more.

    Args:
        policy: As ``learners.frozen.frozen(learner, environment)`` returns it.
        recall: What the learner saw: ``environment.recall``.
        greedy: Whether it always makes the likeliest throw, the first of equal ones; else it draws.

    Raises:
        InvalidArgument: If the policy is one of another game, or of another recall.

    >>> from learners.roshambo import play_match
    >>> from learners.roshambo.bots import embedded_bot
    >>> always_paper = np.array([[0.0, 1.0, 0.0]] * 10)
    >>> bot = PolicyBot(always_paper, recall=Recall(1, Shows.NUMBER))
    >>> play_match(bot, embedded_bot("cycle_up"), throws=9, seeds=(1, 2)).returns
    (0, 0)
    """

    def __init__(self, policy: FrozenPolicy, *, recall: Recall, greedy: bool = False) -> None:
        self._play = PolicyAtPlay(policy, recall, matches=1, greedy=greedy)
        self._recall = recall
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Forget everything, and begin a match."""
        require_integer(seed, name="seed", low=0)
        self._rng = named_stream(seed, "policy bot")
        self._play.begin()

    def throw(self, own: Throws, other: Throws) -> int:
        """Return the next throw; what has a memory must be asked for every throw in turn."""
        first = max(0, len(own) - self._recall.throws)
        histories = np.array([[own[first:]], [other[first:]]], dtype=np.int64)
        return int(self._play.throws(self._recall.seen(histories), self._rng)[0])


def _width(policy: Any) -> int:
    if not hasattr(policy, "shares") or not hasattr(policy, "memory_width"):
        raise InvalidArgument(
            needs="a frozen policy, a table or a network",
            found=f"got {shown(policy)}",
            remedy="Use learners.frozen.frozen(learner, environment).",
        )
    return policy.memory_width


def _require_fitting(policy: Any, recall: Recall) -> None:
    """Refuse what was not learned by seeing such windows."""
    if isinstance(policy, np.ndarray):
        wanted = (recall.num_observations, NUM_THROWS)
        found: Any = policy.shape
        if recall.shows is Shows.NUMBER and found == wanted:
            return
        needs = f"a table of {wanted[0]} windows and 3 throws" if wanted[0] else "a network"
        raise InvalidArgument(
            needs=f"{needs}, for a recall of {recall.throws} shown as {recall.shows.name.lower()}",
            found=f"got a table of shape {found}",
            remedy="Give the recall that it was learned with.",
        )
    blank = recall.seen(np.zeros((2, 1, 0), dtype=np.int64))
    previous = np.full(1, NO_ACTION, dtype=np.int64)
    memory = np.zeros((1, policy.memory_width), dtype=np.float32)
    try:
        shares, _ = policy.shares(blank, previous, np.ones((1, NUM_THROWS), np.bool_), memory)
        found = shares.shape
    except _MISFITS as error:
        found = type(error).__name__
    if found != (1, NUM_THROWS):
        raise InvalidArgument(
            needs=f"a network of three throws that reads a recall of {recall.throws} shown as "
            f"{recall.shows.name.lower()}",
            found=f"asked for one match it gives {found}",
            remedy="Give the recall that it was learned with.",
        )
