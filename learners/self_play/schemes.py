"""Self-play schemes: whom the live policy meets, and who is kept."""

from dataclasses import dataclass
from inspect import signature
from typing import Any

from gametheory_core.errors import InvalidArgument
from learners.self_play.gates import Append, Gate, Gating, KeepLatest, RollingWindow
from learners.self_play.sampling import (
    DeltaLimitUniform,
    DeltaUniform,
    MetaGame,
    Naive,
    Number,
    PastUniform,
    PolicySampling,
    PresentAndPast,
    Prioritized,
    Sampling,
)


@dataclass(frozen=True)
class SelfPlayScheme:
    """A scheme: a policy sampling distribution and a gate.

    Attributes:
        sampling: Whom the live policy meets.
        gate: Who is kept.

    Source: :cite:`hernandez2019selfplay`, section III.

    >>> SelfPlayScheme(DeltaUniform("1/2"), Append())
    SelfPlayScheme(sampling=DeltaUniform(delta=Fraction(1, 2)), gate=Append())
    """

    sampling: Sampling
    gate: Gating

    def __post_init__(self) -> None:
        for name, looks_at, what in (
            ("sampling", "opponents", "a policy sampling distribution, such as DeltaUniform()"),
            ("gate", "outcomes", "a gate, such as Append()"),
        ):
            given: Any = getattr(self, name)
            law = None if isinstance(given, type) else getattr(given, "law", None)
            if law is None or looks_at not in signature(law).parameters:  # both kinds have one
                raise InvalidArgument(
                    needs=f"{name} to be {what}", found=f"got {given!r}", where="SelfPlayScheme"
                )


def naive() -> SelfPlayScheme:
    """The live policy meets itself, and nothing else is kept.

    >>> naive().gate
    KeepLatest()
    """
    return SelfPlayScheme(Naive(), KeepLatest())


def delta_uniform(delta: Number = 0) -> SelfPlayScheme:
    """Opponents are uniform over the latest policies; all are kept.

    >>> delta_uniform("1/3").sampling
    DeltaUniform(delta=Fraction(1, 3))
    """
    return SelfPlayScheme(DeltaUniform(delta), Append())


def delta_limit_uniform(delta: Number = 0) -> SelfPlayScheme:
    """Opponents are uniform over the latest policies in the long run; all are kept.

    >>> delta_limit_uniform(0.5).sampling
    DeltaLimitUniform(delta=Fraction(1, 2))
    """
    return SelfPlayScheme(DeltaLimitUniform(delta), Append())


def psro(gate: Gate | None = None, sampling: PolicySampling | None = None) -> SelfPlayScheme:
    """Opponents are drawn from the meta-game's solution; who beats it is kept.

    >>> psro().gate
    RollingWindow(share=Fraction(18, 25), matches=50)
    """
    given: Any = (sampling or MetaGame(), gate or RollingWindow())
    return SelfPlayScheme(*given)


def fictitious() -> SelfPlayScheme:
    """Opponents are uniform over past policies; all are kept.

    >>> fictitious()
    SelfPlayScheme(sampling=PastUniform(), gate=Append())
    """
    return SelfPlayScheme(PastUniform(), Append())


def prioritized() -> SelfPlayScheme:
    """Opponents are past policies that the live one loses to; all are kept.

    >>> prioritized().sampling.power
    2
    """
    return SelfPlayScheme(Prioritized(), Append())


def present_and_past(present: Number = "4/5") -> SelfPlayScheme:
    """Opponents are the live policy in four of five episodes, else a past one; all are kept.

    >>> present_and_past().sampling
    PresentAndPast(present=Fraction(4, 5))
    """
    return SelfPlayScheme(PresentAndPast(present), Append())
