"""Bots that minimize regret: in each context of their own, or over experts.

What the other threw says what each own throw would have earned, so that any minimizer of full
information can be a bot. With *recall* ``R`` it has an instance for each of the last ``R`` joint
throws, and one for the first ``R`` throws; with *experts* it has one, over the nine that
``learners.regret.contexts.history_advice`` lists.

Source: :cite:`lanctot2023population`, section 4.4.
"""

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from gametheory_core.arguments import require_instance, require_integer
from gametheory_core.errors import InvalidArgument
from learners.regret.contexts import num_recalled
from learners.regret.minimizer import LocalMinimizer
from learners.regret.reductions import BlumMansour, StronglyAdaptive
from learners.roshambo.matches.histories import MatchClock, Uniforms
from learners.roshambo.matches.matches import NUM_THROWS, Throws
from learners.streams import named_stream
from solvers.dynamics.repeated_play import coded_rules

if TYPE_CHECKING:
    from learners._kernels.regret_throws import RegretArrays, RegretRule

NUM_EXPERTS = 9
MOST_RECALLED = 5  # 9^5 contexts are 59 thousand


class RegretBot:
    """A bot that draws its throws from what a regret minimizer plays.

    Regrets are those of the mixed action, not of the throw that was drawn. Memory is that of one
    match, and there are no experts and contexts together.

    Args:
        minimizer: ``LocalMinimizer(rule)``, ``BlumMansour`` of one, or ``StronglyAdaptive`` of
            either, with ``low`` at most -1 and ``high`` at least 1.
        recall: How many joint throws make a context, at most 5.
        experts: Whether actions are nine experts.

    Raises:
        InvalidArgument: If the minimizer is another one, its utilities have other limits, or recall
            makes no sense; by ``throw``, if histories are not those of a match that goes on.

    >>> from learners.regret import LocalMinimizer
    >>> from learners.roshambo import play_match
    >>> from solvers.local_rules import RegretMatching
    >>> class Rotate:
    ...     def reset(self, seed): pass
    ...     def throw(self, own, other): return len(own) % 3
    >>> bots = [RegretBot(LocalMinimizer(RegretMatching()), recall=R) for R in (0, 1)]
    >>> found = [play_match(bot, Rotate(), throws=200, seeds=(1, 2)).returns[0] for bot in bots]
    >>> abs(found[0]) < 30, found[1] > 150
    (True, True)
    """

    def __init__(self, minimizer: Any, *, recall: int = 0, experts: bool = False) -> None:
        require_integer(recall, name="recall", low=0, high=MOST_RECALLED)
        require_instance(experts, bool, name="experts")
        if experts and recall:
            raise InvalidArgument(
                needs="experts, who look back by themselves, or contexts",
                found=f"got experts and recall={recall}",
                remedy="Leave one out.",
            )
        self.minimizer, self.recall, self.experts = minimizer, recall, experts
        self._form = _form(minimizer)
        self._size = NUM_EXPERTS if experts else NUM_THROWS
        self._rule = _rule(self._form, recall)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Forget everything, and begin a match.

        Args:
            seed: Of what throws are drawn by.
        """
        self._clock = MatchClock()
        self._numbers = Uniforms(named_stream(seed, "regret_bot"))
        contexts = num_recalled(NUM_THROWS**2, self.recall)
        self._arrays = _fresh(self._form, contexts, self._size, self.recall)

    def throw(self, own: Throws, other: Throws) -> int:
        """Return the next throw after the throws so far; both grow by one from call to call."""
        last_own, last_other = self._clock.tick(own, other)
        return _kernel()(self._arrays, self._rule, last_own, last_other, self._numbers.next())

    def mixed_action(self) -> tuple[float, float, float]:
        """Return the mixed action that the last throw was drawn from."""
        rock, paper, scissors = self._arrays.chances.tolist()
        return rock, paper, scissors


@cache
def _kernel() -> Any:
    from learners._kernels.regret_throws import throw_next  # noqa: PLC0415 loads numba

    return throw_next


@dataclass(frozen=True)
class _Form:
    """What the parts of a minimizer are: a local rule, in copies and levels.

    Attributes:
        swaps: Whether there is a copy an action.
        adaptive: What has levels; None if there is one only.
    """

    local: LocalMinimizer
    swaps: bool
    adaptive: StronglyAdaptive | None


def _form(minimizer: Any) -> _Form:
    adaptive = minimizer if isinstance(minimizer, StronglyAdaptive) else None
    inner = adaptive.base if adaptive is not None else minimizer
    swaps = isinstance(inner, BlumMansour)
    local = inner.base if isinstance(inner, BlumMansour) else inner
    if not isinstance(local, LocalMinimizer):
        raise InvalidArgument(
            needs="a LocalMinimizer, BlumMansour of one, or StronglyAdaptive of either",
            found=f"got {getattr(minimizer, 'name', None) or type(minimizer).__name__}",
            remedy="Give minimizer=LocalMinimizer(RegretMatching()).",
        )
    if adaptive is not None and not (adaptive.low <= -1 and adaptive.high >= 1):
        raise InvalidArgument(
            needs="utilities from -1 to 1, what a throw earns",
            found=f"the minimizer takes those from {adaptive.low} to {adaptive.high}",
            remedy="Give StronglyAdaptive(low=-1, high=1).",
        )
    return _Form(local, swaps, adaptive)


def _rule(form: _Form, recall: int) -> "RegretRule":
    from learners._kernels.regret_throws import RegretRule  # noqa: PLC0415 loads numba

    code, rates, decay = coded_rules((form.local.rule,))
    adaptive = form.adaptive
    span = 0.0 if adaptive is None else adaptive.high - adaptive.low
    return RegretRule(code, float(rates[0]), float(decay), recall, float(span))


def _fresh(form: _Form, contexts: int, size: int, recall: int) -> "RegretArrays":
    """Return the arrays of a minimizer that learned nothing."""
    from learners._kernels.regret_throws import CONTEXT, NOBODY, OTHER, OWN, RegretArrays  # noqa: PLC0415 loads numba

    levels = 1 if form.adaptive is None else form.adaptive.levels
    shape = (contexts, levels, size if form.swaps else 1, size)
    weights = np.zeros((contexts, levels))
    weights[:, 0] = 1.0 if form.adaptive is None else form.adaptive.rates[0]
    counts = np.zeros(5, dtype=np.int64)
    counts[[OWN, OTHER]] = NOBODY
    counts[CONTEXT] = contexts - 1 if recall else 0
    return RegretArrays(
        copies=np.stack([np.zeros(shape), np.full(shape, 1.0 / size)]),
        levels=np.full((contexts, levels, size), 1.0 / size),
        weights=weights,
        mixed=np.full((contexts, size), 1.0 / size),
        steps=np.zeros(contexts, dtype=np.int64),
        counts=counts,
        chances=np.full(NUM_THROWS, 1.0 / NUM_THROWS),
    )
