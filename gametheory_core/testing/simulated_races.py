"""Race conditions of simulators, found by sampling: renaming agents before or after a step.

The exact law is in ``races``; here two samples are compared by chi-square.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Generic, TypeAlias, TypeVar

import numpy as np

from gametheory_core.errors import InvalidArgument, LawBroken
from gametheory_core.games.posg import JointAction
from gametheory_core.testing.races import Permutation, Relabel, rename_agents, unchanged
from gametheory_core.testing.statistics import TwoSamples, compare_samples, holm

State = TypeVar("State", bound=Hashable)
Simulate: TypeAlias = Callable[
    [State, JointAction, np.random.Generator], tuple[State, Sequence[float]]
]


@dataclass(frozen=True)
class RaceTest(Generic[State]):
    """How far apart renaming before and after a simulated step are.

    Attributes:
        state, joint_action, permutation: As in ``Race``.
        samples: Chi-square, its p-value, and the effect size.
        corrected_p_value: For the number of tests, by Holm's method.
    """

    state: State
    joint_action: JointAction
    permutation: Permutation
    samples: TwoSamples
    corrected_p_value: float


def check_simulator_equivariance(
    simulate: Simulate[State],
    cases: Iterable[tuple[State, JointAction]],
    *,
    relabel: Relabel,
    relabel_action: Relabel | None = None,
    rng: np.random.Generator,
    draws: int = 400,
    level: float = 1e-6,
) -> tuple[RaceTest[State], ...]:
    """Check that a simulator treats its agents alike, by sampling.

    At each case and permutation two samples are compared: steps with agents renamed after, and
    before. Laws are compared and not paths, since a right random order breaks ties by other draws.

    Args:
        simulate: (state, joint action, rng) -> (next state, rewards), all hashable.
        relabel, relabel_action: As in ``find_race``.
        draws: Of each of the two samples.
        level: Probability, about, with which a right simulator fails; all tests together.

    Returns:
        One for each case and permutation.

    Raises:
        LawBroken: With the case furthest apart, its chi-square, p-value and effect size.
        InvalidArgument: If ``draws`` is no whole number of at least 1.

    >>> def lucky_dip(state, joint_action, rng):
    ...     lucky = rng.integers(2)
    ...     return state, tuple(int(agent == lucky) for agent in range(2))
    >>> (test,) = check_simulator_equivariance(
    ...     lucky_dip,
    ...     [("shop", ("dip", "dip"))],
    ...     relabel=lambda permutation, state: state,
    ...     rng=np.random.default_rng(0),
    ... )
    >>> test.samples.degrees
    1
    """
    if isinstance(draws, bool) or not isinstance(draws, int) or draws < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidArgument(
            f"check_simulator_equivariance: needs at least 1 draw, but got {draws!r}."
        )
    rename_action = relabel_action or unchanged
    found: list[tuple[State, JointAction, Permutation, TwoSamples]] = []
    for state, joint_action in cases:
        for p in permutations(range(len(joint_action))):
            if p == tuple(sorted(p)):
                continue
            after: Counter[Hashable] = Counter()
            before: Counter[Hashable] = Counter()
            renamed = rename_agents(p, [rename_action(p, a) for a in joint_action])
            for _ in range(draws):
                following, rewards = simulate(state, joint_action, rng)
                after[relabel(p, following), rename_agents(p, rewards)] += 1
                following, rewards = simulate(relabel(p, state), renamed, rng)
                before[following, tuple(rewards)] += 1
            found.append((state, joint_action, p, compare_samples(after, before)))
    corrected = holm([samples.p_value for *_, samples in found])
    tests = tuple(RaceTest(*case, p) for case, p in zip(found, corrected, strict=True))
    worst = min(tests, key=lambda test: test.corrected_p_value, default=None)
    if worst is not None and worst.corrected_p_value <= level:
        raise LawBroken(
            f"check_simulator_equivariance: needs agents treated alike, but at state "
            f"{worst.state!r} with actions {worst.joint_action!r}, agents renamed "
            f"{worst.permutation!r}, {draws} steps renamed after and {draws} before differ: "
            f"chi-square {worst.samples.statistic:.1f} with {worst.samples.degrees} degrees of "
            f"freedom, p = {worst.corrected_p_value:.1e} corrected for {len(tests)} tests, effect "
            f"size {worst.samples.effect:.2f} of at most 1."
        )
    return tests
