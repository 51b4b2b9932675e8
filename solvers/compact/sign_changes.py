"""Symmetric equilibria between two actions: where both earn the same, between two signs.

All ``n`` players mix alike, and take the first action with probability ``p``. What it earns more
than the second one against the ``n - 1`` others is a polynomial,

    D(p) = sum over c of binomial(n - 1, c) p^c (1 - p)^(n - 1 - c) d(c),

with ``d(c)`` the difference where ``c`` others take the first action. That all take the second is
an equilibrium if ``D(0) <= 0``, that all take the first if ``D(1) >= 0``. Else ``D`` falls from a
positive to a negative number, and between is a root: all earn the same by both actions. Intervals
are cut at simple fractions, and all signs are exact, so that simple roots are met.
"""

from collections.abc import Callable
from fractions import Fraction

from gametheory_core.arrays import ONE, ZERO, exact_array, scaled_integers
from gametheory_core.certificates.wording import at_most
from gametheory_core.compact import (
    AnonymousGame,
    CompactNashCertificate,
    CongestionGame,
    certify_compact,
)
from gametheory_core.errors import NotConverged, UnsupportedGame
from gametheory_core.strategies.mixed import MixedProfile
from solvers.compact.requirements import a_counting_game, players_alike, two_actions
from solvers.concepts import Concept
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver

SHARE = Fraction(1, 10**9)  # of the largest difference between the actions
MOST_PLAYERS = 5_000
CERTIFICATE_CUTS = 12  # that take as long as a certificate
EDGE = 16  # part of an interval in which cuts are not made


@solver(
    Answers(Concept.SYMMETRIC_NASH, rank=10),
    takes=(a_counting_game, players_alike, two_actions),
    unit="cuts",
    because="players are alike and have two actions: all mix so that both earn the same",
    page="compact-games",
)
def symmetric_equilibrium(
    game: AnonymousGame | CongestionGame,
    *,
    tolerance: float | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[MixedProfile, CompactNashCertificate]:
    """Find an equilibrium in which all players mix two actions alike.

    Args:
        game: Anonymous or congestion; the same for all players.
        tolerance: Largest deviation gain accepted, in payoff units. Default: 1e-9 times the largest
            difference between what the two actions pay.

    Returns:
        Epsilon is 0 where all take one action, and where a root with a small denominator is met.

    Raises:
        NotConverged: If the budget ends first; ``best`` is the best so far.
        UnsupportedGame: If more than 5,000 players mix: that would take minutes.

    A cut takes time quadratic in players, for integers grow with them.

    Source: :cite:`nash1951noncooperative`: symmetric games have symmetric equilibria.

    >>> from gametheory_core import load_game
    >>> solution = symmetric_equilibrium(load_game("el_farol:players=3,seats=1"))
    >>> str(solution.profile.strategies[0][0]), solution.certificate.epsilon <= 1e-8
    ('5741/19601', True)
    """
    meter = open_meter(budget, on_iteration)
    accepted = Fraction(tolerance or 0)
    chance = _pure_end(game)
    if chance is None:
        _require_size(game)
        difference, largest = _differences(game)
        accepted = SHARE * largest if tolerance is None else accepted
        chance = _chance(difference, accepted, meter)
    strategy = exact_array([chance, 1 - chance])
    certificate = certify_compact(game, MixedProfile((strategy,) * game.num_players))
    found = Solution(certificate.profile, certificate.payoffs, certificate, meter.record())
    epsilon = certificate.deviation_gains[0]  # of all alike
    if epsilon > accepted:
        raise NotConverged(
            needs=f"an epsilon of at most {at_most(accepted)}",
            found=f"after {meter.iterations} cuts it is {at_most(epsilon)}",
            remedy="Give a larger budget, or a larger tolerance.",
            best=found,
        )
    return found


def _require_size(game: AnonymousGame | CongestionGame) -> None:
    """Refuse so many players that cuts and the certificate would take minutes."""
    if game.num_players > MOST_PLAYERS:
        raise UnsupportedGame(
            needs=f"at most {MOST_PLAYERS:,} players where they mix, for integers have more digits "
            "than there are players",
            found=f"there are {game.num_players:,}",
            remedy="Take fewer players.",
        )


def _pure_end(game: AnonymousGame | CongestionGame) -> Fraction | None:
    """Return 0 or 1 if it is an equilibrium that all take the second action, or the first."""
    if _gain(game, 0) <= 0:
        return ZERO
    return ONE if _gain(game, game.num_players - 1) >= 0 else None


def _gain(game: AnonymousGame | CongestionGame, count: int) -> Fraction:
    """Return what the first action earns more than the second where ``count`` others take it."""
    if isinstance(game, AnonymousGame):
        first, second = game.table(0)[:, count].tolist()
        return first - second
    first, second = game.uses[0]
    rest = game.num_players - 1 - count
    costs = [
        sum((game.exact_delays[r, count * (r in first) + rest * (r in second)] for r in own), ZERO)
        for own in (first, second)
    ]
    return costs[1] - costs[0]


def _differences(
    game: AnonymousGame | CongestionGame,
) -> tuple[Callable[[Fraction], Fraction], Fraction]:
    """Return ``D``, and the largest absolute value of ``d``."""
    others = game.num_players - 1
    scaled = scaled_integers(exact_array([_gain(game, c) for c in range(others + 1)]))
    numerators = scaled.numerators.tolist()
    weighted: list[int] = []
    ways = 1
    for c, number in enumerate(numerators):
        weighted.append(ways * number)
        ways = ways * (others - c) // (c + 1)

    def difference(chance: Fraction) -> Fraction:
        one, other = chance.numerator, chance.denominator - chance.numerator
        total, power = 0, 1
        for number in reversed(weighted):  # from p^(n-1) down, by powers of 1 - p
            total = total * one + number * power
            power *= other
        return Fraction(total, scaled.denominator * chance.denominator**others)

    return difference, Fraction(max(map(abs, numerators)), scaled.denominator)


def _chance(
    difference: Callable[[Fraction], Fraction], accepted: Fraction, meter: Meter
) -> Fraction:
    """Return with which probability all take the first action, as near as asked for.

    Where time is limited, some is left for the certificate of what was found.
    """
    low, high, best, least = ZERO, ONE, ZERO, difference(ZERO)
    reserve = 0.0  # seconds
    while least > accepted and not meter.is_exhausted:
        left = meter.seconds_left
        if left is not None and left < reserve:
            break
        began = meter.seconds
        edge = (high - low) / EDGE
        cut = simplest_between(low + edge, high - edge)
        found = difference(cut)
        gain = (1 - cut) * found if found > 0 else -cut * found
        if gain < least:
            best, least = cut, gain
        low, high = (cut, high) if found > 0 else (low, cut)
        meter.step()
        reserve = CERTIFICATE_CUTS * (meter.seconds - began)
    return best


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """Return the fraction of least denominator in an interval of positive numbers.

    >>> str(simplest_between(Fraction(31, 100), Fraction(36, 100)))
    '1/3'
    """
    whole = -(-low.numerator // low.denominator)  # the least integer that is not below
    if whole <= high:
        return Fraction(whole)
    return whole - 1 + 1 / simplest_between(1 / (high - whole + 1), 1 / (low - whole + 1))
