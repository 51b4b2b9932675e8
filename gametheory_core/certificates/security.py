"""Security certificates: what a coverage earns, and that no coverage earns more.

Let ``u_i`` and ``c_i`` be what the attacker gets from target ``i`` uncovered and covered, and ``m``
the number of resources. To hold the attacker down to ``v``, target ``i`` must be covered at least

    needed_i(v) = (u_i - v) / (u_i - c_i)   of the time, if u_i > v.

So *no coverage holds the attacker below* ``v`` if some ``c_k >= v``, or if ``sum_i needed_i(v)`` is
at least ``m``: that takes one sum to check. A target ``t`` is then attacked only if ``u_t >= v``,
and only while it is covered at most ``needed_t(v)`` of the time, which bounds what the defender
gets there. Where cover is all the same to the attacker, ``u_t = c_t``, the bound on the cover of
``t`` is what the other targets leave: ``m - sum over i of needed_i(u_t)``, or 1.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import cast

from gametheory_core.arguments import number_of
from gametheory_core.arrays import ZERO, scaled_integers
from gametheory_core.certificates.claim import Checkable, claim, claimed
from gametheory_core.certificates.declared_types import require_declared_arguments
from gametheory_core.certificates.wording import at_most, exactly, rejecting, written
from gametheory_core.errors import CertificateRejected
from gametheory_core.games.bayesian import ATTACKER, COVERED, DEFENDER, UNCOVERED, SecurityGame
from gametheory_core.strategies.mixed import CoverageLottery, check_coverage

KIND = "security"


def certify_security(
    game: SecurityGame, lottery: CoverageLottery, *, target: int, attacker_value: Fraction
) -> "SecurityCertificate":
    """Measure a coverage and the bound that an attacker's value proves, and state both.

    Args:
        game: One type of attacker.
        target: A best one to attack; of several, the defender's favorite.
        attacker_value: Below which no coverage holds the attacker.

    Raises:
        CertificateRejected: If something does not fit the game, the target is not the defender's
            favorite among the best, or the value is not proved.

    >>> game = SecurityGame.from_payoffs(
    ...     resources=1, defender_covered=[0, 0], defender_uncovered=[-5, -2],
    ...     attacker_covered=[-1, -1], attacker_uncovered=[5, 2],
    ... )
    >>> always_first = CoverageLottery(((0,),), (1,))
    >>> certify_security(
    ...     game, always_first, target=1, attacker_value=Fraction(1)
    ... ).epsilon
    Fraction(2, 3)
    """
    require_declared_arguments(SecurityCertificate, **locals())
    if game.num_types != 1:
        raise CertificateRejected(
            needs="one type of attacker", found=f"{game!r} has {game.num_types}"
        )
    with rejecting(KIND):
        check_coverage(game, lottery)
    if target not in range(game.num_targets):
        raise CertificateRejected(
            needs=f"a target from 0 to {game.num_targets - 1}", found=f"got {target!r}"
        )
    tables = _tables(game)
    cover, total = lottery.cover(game.num_targets), lottery.total
    _require_favorite_target(game, tables, cover, total, target)
    scale = total * tables.scale
    return SecurityCertificate(
        game,
        lottery,
        target,
        Fraction(_payoff(tables, DEFENDER, target, cover[target], total), scale),
        Fraction(_payoff(tables, ATTACKER, target, cover[target], total), scale),
        attacker_value,
        _bound(game, tables, attacker_value),
    )


@claim(KIND, measure=certify_security, answer="lottery", proves=("stackelberg",))
class SecurityCertificate(Checkable):
    """The claim that a coverage earns ``defender_payoff``, and none more than ``upper_bound``.

    Ties of the attacker break for the defender.

    Attributes:
        game: One type of attacker.
        lottery: Which targets are covered together, how often.
        target: What is attacked.
        defender_payoff, attacker_payoff: What they get; payoff units.
        attacker_value: No coverage holds the attacker below this; proves the bound.
        upper_bound: No coverage earns the defender more; equals ``defender_payoff`` in an optimal
            solution.
    """

    game: SecurityGame
    lottery: CoverageLottery
    target: int
    defender_payoff: Fraction = claimed()
    attacker_payoff: Fraction = claimed()
    attacker_value: Fraction
    upper_bound: Fraction = claimed()

    @property
    def epsilon(self) -> Fraction:
        """How much more another coverage may earn at most; 0 for an optimal one."""
        return self.upper_bound - self.defender_payoff

    @property
    def payoffs(self) -> tuple[Fraction, ...]:
        """What defender and attacker get."""
        return (self.defender_payoff, self.attacker_payoff)

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        return (
            f"the defender's lottery of {number_of(len(self.lottery.weights), 'coverage')} leads "
            f"the attacker to {self.game.targets[self.target]!r} and earns "
            f"{exactly(self.defender_payoff)}; none earns more than {at_most(self.upper_bound)}"
        )


@dataclass(frozen=True)
class _Tables:
    """Payoffs as integers over ``scale``: ``payoffs[player][covered][target]``."""

    payoffs: list[list[list[int]]]
    scale: int


def _tables(game: SecurityGame) -> _Tables:
    scaled = scaled_integers(game.exact_payoffs[0])
    return _Tables(cast("list[list[list[int]]]", scaled.numerators.tolist()), scaled.denominator)


def _payoff(tables: _Tables, player: int, target: int, cover: int, total: int) -> int:
    """Return a payoff, times ``total`` and the scale, of a target covered ``cover / total``."""
    uncovered = tables.payoffs[player][UNCOVERED][target]
    return uncovered * (total - cover) + tables.payoffs[player][COVERED][target] * cover


def _require_favorite_target(
    game: SecurityGame, tables: _Tables, cover: list[int], total: int, target: int
) -> None:
    values = [_payoff(tables, ATTACKER, i, part, total) for i, part in enumerate(cover)]
    best = max(values)
    if values[target] < best:
        raise CertificateRejected(
            needs="a best target for the attacker",
            found=f"{game.targets[target]!r} gives less than {game.targets[values.index(best)]!r}",
        )
    earned = _payoff(tables, DEFENDER, target, cover[target], total)
    for i, value in enumerate(values):
        if value == best and _payoff(tables, DEFENDER, i, cover[i], total) > earned:
            raise CertificateRejected(
                needs="the defender's favorite among best targets",
                found=f"{game.targets[i]!r} gives the defender more than {game.targets[target]!r}",
            )


def _bound(game: SecurityGame, tables: _Tables, value: Fraction) -> Fraction:
    """Return what a proved attacker's value leaves the defender at most."""
    unit = value * tables.scale
    covered = tables.payoffs[ATTACKER][COVERED]
    if max(covered) < unit and _needed(tables, unit) < game.resources:
        raise CertificateRejected(
            found=f"claims that no coverage holds the attacker below {written(value)}, but "
            f"{game.resources} resources suffice for that"
        )
    left: dict[int, Fraction] = {}
    best: tuple[int, int] | None = None  # a fraction, never reduced
    for t, free in enumerate(tables.payoffs[ATTACKER][UNCOVERED]):
        width = free - covered[t]
        if free < unit:
            continue
        if width:
            share = (free * unit.denominator - unit.numerator, width * unit.denominator)
        else:
            if free not in left:
                left[free] = game.resources - _needed(tables, Fraction(free))
            if left[free] < ZERO:
                continue
            share = (left[free].numerator, left[free].denominator)
        if share[0] > share[1]:
            share = (1, 1)
        top = _payoff(tables, DEFENDER, t, *share)
        if best is None or top * best[1] > best[0] * share[1]:
            best = (top, share[1])
    if best is None:
        raise CertificateRejected(
            found=f"claims that the attacker gets at least {written(value)}, but no target pays "
            "that much"
        )
    return Fraction(best[0], best[1] * tables.scale)


def _needed(tables: _Tables, unit: Fraction) -> Fraction:
    """Return how many resources hold the attacker down to a value, in integer units.

    Only targets that cover can hold down count; others are dealt with by the caller.
    """
    pairs = zip(*tables.payoffs[ATTACKER], strict=True)
    wanted = [(free, free - held) for free, held in pairs if free > unit and free > held]
    common = lcm(*(width for _, width in wanted))
    total = sum(
        (free * unit.denominator - unit.numerator) * (common // width) for free, width in wanted
    )
    return Fraction(total, common * unit.denominator)
