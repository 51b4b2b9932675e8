"""Training: iterations of a learner, watched, stopped where they break, continued exactly."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from gametheory_core.arguments import require_integer, shown
from gametheory_core.errors import InvalidArgument, NotConverged
from gametheory_core.strategies.policies import PolicyProfile
from learners.batch import Snapshot
from learners.protocol import Learner
from solvers.solution import UNLIMITED, Budget, Meter, Progress, RunRecord

Metrics: TypeAlias = Mapping[str, float]
_LEARNERS_HAVE = ("name", "improve", "policies", "snapshot", "restore")


@dataclass(frozen=True)
class LearningProgress(Progress):
    """What training reports after each iteration.

    Attributes:
        metrics: What the learner says of the iteration.
    """

    metrics: Metrics


OnLearning: TypeAlias = Callable[[LearningProgress], None]


@dataclass(frozen=True, eq=False)
class Learned:
    """What training left.

    Attributes:
        policies: One a player, exact, keyed by information state; a certificate says what they are
            worth.
        metrics: What each iteration reported: the learning curve.
        iterations: Iterations of the learner in all, earlier runs included.
        snapshot: ``learner.restore(snapshot)`` goes on from here.
        run: How it was got.
    """

    policies: PolicyProfile
    metrics: tuple[Metrics, ...]
    iterations: int
    snapshot: Snapshot
    run: RunRecord

    def __repr__(self) -> str:
        last = dict(self.metrics[-1]) if self.metrics else {}
        return f"Learned(by {self.run.algorithm}: {self.iterations} iterations, last {last})"


class Diverged(NotConverged):
    """A quantity of a run became infinite or no number.

    Attributes:
        quantity: Which.
        best: The run as it stood at its last good snapshot; the learner has been put back there.
    """

    def __init__(self, text: str = "", *, quantity: str, best: Learned, **fields: Any) -> None:
        super().__init__(text, best=best, **fields)
        self.quantity = quantity


def train(
    learner: Learner,
    *,
    iterations: int,
    keep_every: int = 100,
    on_keep: Callable[[Snapshot, tuple[Metrics, ...]], None] | None = None,
    start: Learned | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnLearning | None = None,
) -> Learned:
    """Let a learner improve, and keep what it takes to go on.

    Args:
        iterations: How many to make in all; with ``start``, those made before count.
        keep_every: A snapshot is kept after so many iterations, to fall back on.
        on_keep: Called with each kept snapshot and the metrics so far, to write them down, for one.
        start: Go on from an earlier run, bit for bit as if it had not been stopped.
        on_iteration: Called with a ``LearningProgress`` after each iteration.

    Raises:
        Diverged: If a metric is infinite or no number; carries the run at its last good snapshot.
        InvalidArgument: If it is no learner, or an option makes no sense.

    Any other exception, an interruption included, leaves the run at its last kept snapshot in the
    exception's attribute ``best``.

    >>> import numpy as np
    >>> from gametheory_core.catalog import RepeatedGame
    >>> from learners import QLearning, batched
    >>> play = batched(RepeatedGame.of("prisoners_dilemma", rounds=3), episodes=8, seed=1)
    >>> half = train(QLearning(play, rng=np.random.default_rng(1)), iterations=10)
    >>> afresh = QLearning(play, rng=np.random.default_rng(1))
    >>> train(afresh, iterations=20, start=half).iterations
    20
    """
    require_learner(learner)
    require_integer(iterations, name="iterations", low=0)
    require_integer(keep_every, name="keep_every", low=1)
    meter = Meter(budget, "iterations", total=iterations, algorithm=learner.name)
    training = _Training(learner, start, meter)
    try:
        while training.made < iterations and not training.meter.is_exhausted:
            training.improve()
            if on_iteration is not None:
                on_iteration(
                    LearningProgress(
                        training.made, iterations, "iterations", metrics=training.metrics[-1]
                    )
                )
            if training.made % keep_every == 0:
                training.keep()
                if on_keep is not None:
                    on_keep(training.kept.snapshot, training.kept.metrics)
    except Diverged:
        raise
    except BaseException as error:
        error.__dict__["best"] = training.kept
        raise
    training.keep()
    return training.kept


def require_learner(learner: object) -> None:
    """Refuse what lacks something that learners have."""
    missing = [name for name in _LEARNERS_HAVE if not hasattr(learner, name)]
    if missing or isinstance(learner, type):
        what = f"the class {learner.__name__}" if isinstance(learner, type) else shown(learner)
        lacks = f", which lacks {', '.join(missing)}" * bool(missing)
        raise InvalidArgument(
            needs="a learner",
            found=f"got {what}{lacks}",
            remedy="Make one, such as QLearning(batched(game, episodes=64, seed=1), rng=...).",
        )


class _Training:
    """A run in progress: its learner, its curve, and the last good snapshot."""

    def __init__(self, learner: Learner, start: Learned | None, meter: Meter) -> None:
        self.learner = learner
        self.meter = meter
        self.metrics: list[Metrics] = []
        self.made = 0
        if start is not None:
            learner.restore(start.snapshot)
            self.metrics.extend(start.metrics)
            self.made = start.iterations
        self.kept = self._now()

    def improve(self) -> None:
        metrics = dict(self.learner.improve())
        broken = next((name for name, value in metrics.items() if not math.isfinite(value)), None)
        if broken is not None:
            self.learner.restore(self.kept.snapshot)
            raise Diverged(
                needs="finite numbers",
                found=f"{broken!r} became {metrics[broken]} in iteration {self.made + 1}",
                remedy="The learner stands again where it was after iteration "
                f"{self.kept.iterations} (error.best); make its steps smaller.",
                where=self.learner.name,
                quantity=broken,
                best=self.kept,
            )
        self.metrics.append(metrics)
        self.made += 1
        self.meter.step()

    def keep(self) -> None:
        self.kept = self._now()

    def _now(self) -> Learned:
        return Learned(
            policies=self.learner.policies(),
            metrics=tuple(self.metrics),
            iterations=self.made,
            snapshot=self.learner.snapshot(),
            run=self.meter.record(),
        )
