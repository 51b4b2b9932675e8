"""A certificate declares once: what its proof is given, and what it claims to follow.

``claim`` makes a frozen dataclass of a class. Its fields are *given*, inputs of the proof such as
the game, a profile or multipliers, or ``claimed()``, numbers that follow from these. From the
fields follows all else: ``verify`` measures the given ones again and compares the claimed ones
exactly; files hold the fields by their types; and forging tests change each of them in turn.

>>> from fractions import Fraction
>>> from gametheory_core import NormalFormGame
>>> def certify_largest(game):
...     return Largest(game, max(game.exact_payoffs[0].ravel()))
>>> @claim("largest", measure=certify_largest)
... class Largest(Checkable):
...     game: NormalFormGame
...     payoff: Fraction = claimed()
>>> game = NormalFormGame.zero_sum([[1, -1], [-1, 2]])
>>> certify_largest(game).verify()
>>> Largest(game, Fraction(3)).verify()
Traceback (most recent call last):
gametheory_core.errors.CertificateRejected: largest certificate: claims payoff 3, but the exact \
value is 2. Do not use this answer.
"""

import importlib
import operator
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, ClassVar, Protocol, TypeVar, cast, dataclass_transform

from gametheory_core.arguments import shown
from gametheory_core.arrays import is_rational
from gametheory_core.certificates.declared_types import require_declared_types
from gametheory_core.certificates.wording import (
    at_least,
    at_most,
    exactly,
    rationals,
    rejecting,
    written,
)
from gametheory_core.errors import CertificateRejected, GameTheoryError
from gametheory_core.evaluation.extensive_deviations import mixture_payoffs
from gametheory_core.evaluation.payoffs import bayesian_payoffs, expected_payoffs
from gametheory_core.extensions import load_rooms
from gametheory_core.games.bayesian import BayesianGame
from gametheory_core.games.table_content import by_constructor
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.correlated import (
    BehavioralMixture,
    CorrelatedDistribution,
    correlated_payoffs,
)
from gametheory_core.strategies.mixed import MixedProfile

Class = TypeVar("Class", bound=type[Any])
Proofs = Mapping[str, Callable[[Any], str]]  # why a concept is not proved after all, or ""

OWN = "gametheory_core.certificates"  # whose modules declare claims
SEATS = frozenset({"player", "leader"})  # fields that are numbers of players
NOT_AS_MADE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)  # in a measure


class Certificate(Protocol):
    """A checkable claim.

    Attributes:
        kind: Name of the claim, as in files: ``"nash"``, ``"minimax"``, ...
    """

    kind: ClassVar[str]

    @property
    def game(self) -> Any:
        """The game the claim is about."""
        ...

    @property
    def statement(self) -> str:
        """The claim in one sentence, with its numbers."""
        ...

    @property
    def answer(self) -> Any:
        """What the claim is about: a profile, distribution, surviving actions, ...; or None."""
        ...

    @property
    def payoffs(self) -> tuple[Fraction, ...]:
        """What the answer pays, exactly; nothing where it is not a way to play.

        For each player; in a Bayesian game for the leader, then for each type of the follower.
        """
        ...

    @property
    def epsilon(self) -> Fraction | None:
        """How far the answer may be from an exact one; None for claims that hold or do not."""
        ...

    def verify(self) -> None:
        """Check the claim in exact arithmetic.

        Raises:
            CertificateRejected: If a claimed number is not what the given fields prove; names it.
        """
        ...


@dataclass(frozen=True)
class Declaration:
    """What is declared of a certificate.

    Attributes:
        certificate: The class.
        measure: Takes the given fields, by name, and returns the certificate that they prove.
        answer: The field that holds what the claim is about; "" for none.
        proves: By concept, what else it takes: returns why a certificate does not prove it, or "".
        completes: The same, for being all answers to a concept.
        given, claimed: Names of the fields.
    """

    certificate: type[Any]
    measure: Callable[..., Certificate]
    answer: str
    proves: Proofs
    completes: Proofs
    given: tuple[str, ...]
    claimed: tuple[str, ...]


_DECLARED: dict[str, Declaration] = {}
_FORMER: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {}


def _unequal(ours: object, theirs: object) -> str:
    if ours == theirs:
        return ""
    return f"{written(ours)}, but the exact value is {written(theirs)}"


def not_the_same_set(ours: tuple[Any, ...], theirs: tuple[Any, ...]) -> str:
    """Say which entry stands twice, does not belong or is missing, in whatever order; or ""."""
    known, seen = set(theirs), set[Any]()
    for entry in ours:
        if entry in seen:
            return f"with {written(entry)} listed twice"
        if entry not in known:
            return f"with {written(entry)}, which is not one of the {len(theirs)} that there are"
        seen.add(entry)
    missing = [entry for entry in theirs if entry not in seen]
    return f"without {written(missing[0])}, which is missing" if missing else ""


CLAIMED: Mapping[str, Any] = MappingProxyType(  # metadata of a claimed field of a record inside
    {"claimed": True, "given": False, "fault": _unequal}
)


def claimed(
    *, default: Any = MISSING, is_given: bool = False, fault: Callable[[Any, Any], str] = _unequal
) -> Any:
    """Declare a field that follows from the given ones.

    Args:
        default: For files that were written before the field was known.
        is_given: Whether the measure takes it too, as where a record holds both kinds of numbers.
        fault: Says what is wrong with a claimed value, given the one found, or ""; by default any
            difference is.
    """
    return field(default=default, metadata={**CLAIMED, "given": is_given, "fault": fault})


@dataclass_transform(frozen_default=True, field_specifiers=(claimed, field))
def claim(
    kind: str,
    *,
    measure: Callable[..., Certificate],
    answer: str = "profile",
    proves: Sequence[str] = (),
    proves_if: Proofs | None = None,
    completes: Sequence[str] = (),
    completes_if: Proofs | None = None,
    formerly: Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]] | None = None,
) -> Callable[[Class], Class]:
    """Make a class a certificate.

    Args:
        kind: Name in files; a second class of that name replaces the first.
        measure: Takes the given fields, by name, and returns the certificate that they prove;
            raises an error of this package where they prove none.
        answer: The field that holds what the claim is about.
        proves: Concepts that it proves.
        proves_if: By concept, what says why a certificate does not prove it after all, or "".
        completes, completes_if: The same, for proofs that ``profiles`` are all answers.
        formerly: By a kind that older files hold, what makes its record one of this kind.
    """

    def declare(certificate: Class) -> Class:
        certificate.kind = kind
        certificate.__repr__ = _shown_fields  # pyright: ignore[reportAttributeAccessIssue]
        made = dataclass(frozen=True)(certificate)
        _fill_in(made)
        known = fields(made)
        _DECLARED[kind] = Declaration(
            made,
            measure,
            answer if answer in {f.name for f in known} else "",
            MappingProxyType({**dict.fromkeys(proves, _nothing_else), **(proves_if or {})}),
            MappingProxyType({**dict.fromkeys(completes, _nothing_else), **(completes_if or {})}),
            tuple(f.name for f in known if f.metadata.get("given", True)),
            tuple(f.name for f in known if f.metadata.get("claimed")),
        )
        _FORMER.update(formerly or {})
        return made

    return declare


def _shown_fields(certificate: Any) -> str:
    """Return the fields, long ones cut short: exact numbers may have thousands of digits."""
    words = (f"{own.name}={shown(getattr(certificate, own.name))}" for own in fields(certificate))
    return f"{type(certificate).__name__}({', '.join(words)})"


def _nothing_else(_certificate: object) -> str:
    return ""


def declaration(certificate: Certificate | type[Certificate]) -> Declaration:
    """Return what is declared of a certificate, or of a class of certificates."""
    return _DECLARED[certificate.kind]


def declarations() -> Mapping[str, Declaration]:
    """Return what is declared of all kinds of certificates, by kind.

    Modules that declare claims are imported now, those of rooms of their own too.
    """
    for module in pkgutil.iter_modules(importlib.import_module(OWN).__path__, f"{OWN}."):
        importlib.import_module(module.name)
    load_rooms()
    return MappingProxyType(_DECLARED)


def former_kinds() -> Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]]:
    """Return what rewrites records of kinds that are parts of others now, by kind."""
    declarations()
    return MappingProxyType(_FORMER)


def verify_claim(certificate: Any) -> None:
    """Measure the given fields again, from games and profiles made anew, and compare claimed ones.

    Raises:
        CertificateRejected: If a field holds something of another type than declared, a player
            does not play, the given fields prove nothing, or a claimed one is not what they prove;
            names it.
    """
    try:
        _verify(certificate)
    except GameTheoryError:
        raise
    except NOT_AS_MADE as error:
        raise CertificateRejected(
            needs="records as their constructors make them",
            found=f"one was changed afterwards: measuring it ended with {type(error).__name__}, "
            f"{error}",
            where=f"{certificate.kind} certificate",
        ) from error


def _verify(certificate: Certificate) -> None:
    declared = declaration(certificate)
    with rejecting(certificate.kind):
        made: dict[int, Any] = {}
        given = {name: made_anew(getattr(certificate, name), made) for name in declared.given}
    require_declared_types(certificate)
    _require_players(certificate)
    with rejecting(certificate.kind):
        found = declared.measure(**given)
    _compare(certificate, found, certificate.kind)


def made_anew(value: Any, made: dict[int, Any]) -> Any:
    """Put games and profiles through their constructors again; the same one for the same one.

    So what has been changed past a constructor is refused or measured, and nothing that a record
    remembers of itself (a ``cached_property``) is believed, nor what one inside it remembers.
    """
    if id(value) in made:
        return made[id(value)]
    if type(value) is tuple:
        entries = cast("tuple[Any, ...]", value)
        anew = tuple(made_anew(entry, made) for entry in entries)
        result = value if all(map(operator.is_, anew, entries)) else anew
    elif getattr(type(value), "__reduce__", None) is by_constructor:
        kind, contents = by_constructor(value)
        result = kind(*(made_anew(each, made) for each in contents))
    else:
        return value
    made[id(value)] = result
    return result


def _require_players(certificate: Any) -> None:
    """Reject a ``player`` or ``leader`` that does not play; -1 would index the last one."""
    for name in SEATS & {each.name for each in fields(certificate)}:
        number, last = getattr(certificate, name), len(certificate.game.players) - 1
        if not 0 <= number <= last:
            raise CertificateRejected(
                needs=f"a {name} from 0 to {last}",
                found=f"got {number}",
                where=f"{certificate.kind} certificate",
            )


def _compare(claimed_record: Any, found_record: Any, kind: str) -> None:
    """Reject the first claimed field that differs; records inside may have claimed fields too."""
    for each in fields(claimed_record):
        if not each.metadata.get("claimed"):
            continue
        ours, theirs = getattr(claimed_record, each.name), getattr(found_record, each.name)
        if type(ours) is type(theirs) and _has_claims(ours):
            _compare(ours, theirs, kind)
            continue
        fault = each.metadata["fault"](ours, theirs)
        if fault:
            name = each.name.replace("_", " ")
            raise CertificateRejected(found=f"claims {name} {fault}", where=f"{kind} certificate")


def compare_bounds(certificate: Any, found: Any) -> None:
    """Reject bounds that are not the rationals found, where types were not checked."""
    for name in ("lower", "upper"):
        ours, theirs = getattr(certificate, name), getattr(found, name)
        if not is_rational(ours) or ours != theirs:
            raise CertificateRejected(
                found=f"claims {name} {written(ours)}, but the exact value is {written(theirs)}",
                where=f"{certificate.kind} certificate",
            )


def _has_claims(record: object) -> bool:
    return is_dataclass(record) and any(each.metadata.get("claimed") for each in fields(record))


class Checkable:
    """What all classes of certificates have besides their fields."""

    kind: ClassVar[str]
    verify = verify_claim

    @property
    def answer(self: Any) -> Any:
        """What the claim is about; None if it is about no answer."""
        name = declaration(self).answer
        return getattr(self, name) if name else None


class CheckableFact(Checkable):
    """A certificate of no way to play: it pays nothing, and it holds or does not."""

    payoffs: tuple[Fraction, ...] = ()
    epsilon = None


@property
def answer_payoffs(certificate: Any) -> tuple[Fraction, ...]:
    """What the answer pays, exactly; nothing where it is not a way to play."""
    game, answer = certificate.game, certificate.answer
    if isinstance(answer, CorrelatedDistribution):
        return correlated_payoffs(game, answer)
    if isinstance(answer, BehavioralMixture):
        return mixture_payoffs(game, answer)
    if isinstance(game, BayesianGame):
        return bayesian_payoffs(game, cast("MixedProfile", answer))
    if isinstance(answer, MixedProfile | BehavioralProfile):
        return rationals(expected_payoffs(game, answer))
    return ()


@property
def largest_gain(certificate: Any) -> Fraction:
    """The largest deviation gain; 0 for an exact equilibrium."""
    return max(certificate.deviation_gains)


def gains_statement(certificate: Any, name: str, *, who: str = "no player") -> str:
    """Say that nobody gains by deviating from an equilibrium, or by how much at most."""
    if certificate.epsilon:
        return f"an epsilon-{name}: {who} gains more than epsilon = {at_most(certificate.epsilon)}"
    article = "an" if name[0] in "aeiou" else "a"
    return f"{article} {name}: {who} gains anything by deviating (epsilon = 0, exactly)"


@property
def bounds_width(certificate: Any) -> Fraction:
    """Width of the interval; bounds every deviation gain, 0 for an exact solution."""
    return certificate.upper - certificate.lower


@property
def bounds_middle(certificate: Any) -> Fraction:
    """The value of the game to player 0: exact if ``epsilon`` is 0, else the midpoint."""
    return (certificate.lower + certificate.upper) / 2


@property
def bounds_statement(certificate: Any) -> str:
    """The claim in one sentence."""
    if certificate.lower == certificate.upper:
        return f"minimax strategies: the value of the game is {exactly(certificate.lower)}"
    low, high = at_least(certificate.lower), at_most(certificate.upper)
    return f"the value of the game lies between {low} and {high}"


@property
def commitment_gap(certificate: Any) -> Fraction:
    """How much more another commitment may earn at most; 0 for an optimal one."""
    return certificate.upper_bound - certificate.leader_payoff


@property
def payoffs_in_order(certificate: Any) -> tuple[Fraction, ...]:
    """What leader and follower get, in the order of the players."""
    both = certificate.leader_payoff, certificate.follower_payoff
    return both[:: 1 - 2 * certificate.leader]


def rivals_bound(
    certificate: Any, rivals: str = "no commitment", *, ties: str = " (ties break for the leader)"
) -> str:
    """Say that others earn no more than a commitment, or what they earn at most."""
    if certificate.epsilon:
        return f"{rivals} gets more than {at_most(certificate.upper_bound)}"
    return f"{rivals} gets more{ties}"


@property
def commitment_statement(certificate: Any) -> str:
    """The claim in one sentence."""
    name = certificate.game.players[certificate.leader]
    earned = f"player {name!r} commits and gets {exactly(certificate.leader_payoff)}"
    return f"{earned}; {rivals_bound(certificate)}"


def _fill_in(certificate: type[Any]) -> None:
    """Give a class what follows from its declaration, where it says nothing itself."""
    for name, value in (
        ("verify", verify_claim),
        ("answer", Checkable.answer),
        ("payoffs", answer_payoffs),
        ("epsilon", None),
        ("statement", _statement),
    ):
        if not hasattr(certificate, name) and name not in certificate.__annotations__:
            setattr(certificate, name, value)


@property
def _statement(certificate: Any) -> str:
    """The claimed fields, in words."""
    names = declaration(certificate).claimed
    return ", ".join(f"{name.replace('_', ' ')} {getattr(certificate, name)}" for name in names)
