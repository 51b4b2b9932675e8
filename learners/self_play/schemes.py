"""Self-play schemes: whom the live policy meets, and who is kept."""

from dataclasses import dataclass

from learners.options import require_kind
from learners.self_play.by_age import (
    DeltaLimitUniform,
    DeltaUniform,
    Naive,
    PastUniform,
    PresentAndPast,
)
from learners.self_play.by_results import MetaGame, Prioritized
from learners.self_play.gates import Append, Gate, KeepLatest, RollingWindow
from learners.self_play.sampling import Number, PolicySampling


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

    sampling: PolicySampling
    gate: Gate

    def __post_init__(self) -> None:
        for name, family, what in (
            ("sampling", PolicySampling, "a policy sampling distribution, such as DeltaUniform()"),
            ("gate", Gate, "a gate, such as Append()"),
        ):
            require_kind(getattr(self, name), family, name=name, what=what, where="SelfPlayScheme")


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
    sampling = MetaGame() if sampling is None else sampling
    return SelfPlayScheme(sampling, RollingWindow() if gate is None else gate)


def fictitious() -> SelfPlayScheme:
    """Opponents are uniform over past policies; all are kept.

    >>> fictitious()
    SelfPlayScheme(sampling=PastUniform(), gate=Append())
    """
    return SelfPlayScheme(PastUniform(), Append())


def prioritized() -> SelfPlayScheme:
    """Opponents are past policies that the live one loses to; all are kept.

    >>> prioritized().sampling == Prioritized(power=2)
    True
    """
    return SelfPlayScheme(Prioritized(), Append())


def present_and_past(present: Number = "4/5") -> SelfPlayScheme:
    """Opponents are the live policy in four of five episodes, else a past one; all are kept.

    >>> present_and_past().sampling
    PresentAndPast(present=Fraction(4, 5))
    """
    return SelfPlayScheme(PresentAndPast(present), Append())
