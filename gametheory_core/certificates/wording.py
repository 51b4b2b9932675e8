"""How certificates word their numbers: in full, or a short bound on the right side."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import cast

from gametheory_core.arguments import shown
from gametheory_core.arrays import NumberArray, is_rational
from gametheory_core.errors import CertificateRejected, GameTheoryError, InvalidArgument
from gametheory_core.games.bayesian import BayesianGame
from gametheory_core.strategies.behavioral import Game, Profile, check_profile
from gametheory_core.strategies.mixed import MixedProfile, check_mixed_profile

LONGEST_NUMBER = 40  # characters of a rational in a statement
BITS_A_DIGIT = 4  # at most
MOST_BITS = 2048  # of a number that is written in full where claims differ
ROUGH_DIGITS = 3
SHORT_DIGITS = 17  # of what stands for a longer one


def rationals(values: NumberArray | Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Return the entries of an exact array as a tuple."""
    return tuple(cast("Fraction", value) for value in values)


@contextmanager
def rejecting(kind: str) -> Generator[None]:
    """Let refusals inside reject a certificate of the kind, and rejections name it."""
    name = f"{kind} certificate"
    try:
        yield
    except GameTheoryError as error:
        if not isinstance(error, CertificateRejected):
            where = ": ".join(filter(None, (name, str(error.where))))
            raise error.changed(CertificateRejected, where=where) from None
        if not error.is_placed:
            error.where = name
            error.is_placed = True
        raise


def require_exact_profile(game: Game | BayesianGame, profile: Profile, *, kind: str) -> None:
    """Reject a profile that is not rational or does not fit the game."""
    with rejecting(kind):
        if isinstance(game, BayesianGame):
            check_mixed_profile(game, cast("MixedProfile", profile))
        else:
            check_profile(game, profile)
    if not profile.is_exact:
        raise CertificateRejected(
            needs="a rational profile",
            found="it holds floats",
            remedy="Use profile.to_exact().",
            where=f"{kind} certificate",
        )


def require_gain_tolerance(tolerance: Fraction | None) -> None:
    """Refuse what is neither None nor a rational of at least 0."""
    if tolerance is not None and not (is_rational(tolerance) and tolerance >= 0):
        raise InvalidArgument(
            needs="a tolerance of at least 0 as a Fraction, or None to measure any gain",
            found=f"got {shown(tolerance)}",
        )


def at_most(value: Fraction) -> str:
    """Write a rational, or a short number just above it where nobody would read it all."""
    return _short(value, ROUND_CEILING)


def at_most_roughly(value: Fraction) -> str:
    """Write a number of three digits that is just above a rational, or equal to it."""
    return _decimal(value, ROUND_CEILING, digits=ROUGH_DIGITS).lower()


def at_least(value: Fraction) -> str:
    """Write a rational, or a short number just below it where nobody would read it all."""
    return _short(value, ROUND_FLOOR)


def nearly(value: Fraction) -> str:
    """Write a rational, or what it is about where nobody would read it all."""
    return str(value) if _is_short(value) else f"about {at_least(value)}"


def attained(value: Fraction, *, is_small: bool = False) -> str:
    """Write a rational, or what it is at least (small: at most) where nobody would read it all.

    That it is rounded is said, since a bound alone would look as if the number were unknown.
    """
    if _is_short(value):
        return str(value)
    if is_small:
        return f"at most {at_most(value)} (known exactly, rounded up here)"
    return f"at least {at_least(value)} (known exactly, rounded down here)"


def exactly(value: Fraction, *, is_small: bool = False) -> str:
    """Write a rational and that it is exact, or a bound as ``attained`` does."""
    text = attained(value, is_small=is_small)
    return f"{text}, exactly" if _is_short(value) else text


def _short(value: Fraction, rounding: str) -> str:
    if _is_short(value):
        return str(value)
    return _decimal(value, rounding, digits=SHORT_DIGITS)


def _decimal(value: Fraction, rounding: str, *, digits: int) -> str:
    context = Context(prec=digits, rounding=rounding, Emin=MIN_EMIN, Emax=MAX_EMAX)
    return str(context.divide(Decimal(value.numerator), Decimal(value.denominator)))


def _is_short(value: Fraction) -> bool:
    return _bits(value) <= LONGEST_NUMBER * BITS_A_DIGIT and len(str(value)) <= LONGEST_NUMBER


def _bits(value: Fraction) -> int:
    return max(int(value.numerator).bit_length(), int(value.denominator).bit_length())


def written(value: object) -> str:
    """Write a claim in full, but for numbers of which Python refuses to write all digits."""
    if isinstance(value, tuple):
        return "(" + ", ".join(map(written, cast("tuple[object, ...]", value))) + ")"
    if isinstance(value, MixedProfile):
        return " x ".join(written(tuple(strategy.tolist())) for strategy in value.strategies)
    if isinstance(value, Fraction) and _bits(value) > MOST_BITS:
        return f"about {at_least(value)}"
    try:
        return str(value)
    except ValueError:  # Python refuses to write all digits
        return f"{type(value).__name__} with a number of thousands of digits"
