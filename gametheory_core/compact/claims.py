"""Certificates of compact games: equilibria, all pure ones, and the price of anarchy.

An equilibrium of a compact game is checked in time polynomial in its size: the payoffs of each
player's actions against the others come from ``action_values``, which never walks over joint
actions.
"""

from fractions import Fraction

from gametheory_core.arguments import number_of
from gametheory_core.certificates.claim import (
    Checkable,
    CheckableFact,
    claim,
    claimed,
    gains_statement,
    largest_gain,
    not_the_same_set,
)
from gametheory_core.certificates.wording import rejecting
from gametheory_core.compact.congestion import CongestionGame
from gametheory_core.compact.kinds import CompactGame, require_compact
from gametheory_core.compact.payoffs import action_values, compact_payoffs
from gametheory_core.compact.potential import (
    cost_of_loads,
    is_stable,
    loads_of,
    social_cost,
    spreads,
)
from gametheory_core.compact.stable_profiles import stable_actions
from gametheory_core.errors import CertificateRejected, UnsupportedGame
from gametheory_core.evaluation.payoffs import expected_value, largest_value
from gametheory_core.strategies.mixed import MixedProfile, check_mixed_profile, pure_profile

KIND = "compact-nash"


def certify_compact(game: CompactGame, profile: MixedProfile) -> "CompactNashCertificate":
    """Measure a profile of a compact game exactly and state the result as a certificate.

    Args:
        profile: One strategy for each player; a float one is measured as the rational profile it
            means.

    Raises:
        InvalidStrategy: If the profile does not fit the game.

    >>> from gametheory_core import compact, load_game, uniform_profile
    >>> ring = load_game("ring_of_pennies:players=5")
    >>> compact.certify_compact(ring, uniform_profile(ring)).epsilon
    Fraction(0, 1)
    """
    require_compact(game)
    check_mixed_profile(game, profile)
    exact = profile.to_exact()
    measured: dict[tuple[Fraction | int, ...], tuple[Fraction, Fraction]] = {}
    found: list[tuple[Fraction, Fraction]] = []
    values = action_values(game, exact)
    for own, strategy in zip(values, exact.strategies, strict=True):
        key = (id(own), *strategy.tolist())  # players who are alike share their values
        if key not in measured:
            payoff = expected_value(own, strategy)
            measured[key] = payoff, largest_value(own) - payoff
        found.append(measured[key])
    payoffs, gains = (tuple(each) for each in zip(*found, strict=True))
    return CompactNashCertificate(game, exact, payoffs, gains)


def _not_pure(certificate: "CompactNashCertificate") -> str:
    played = (w for strategy in certificate.profile.strategies for w in strategy.tolist())
    return "" if all(w in (0, 1) for w in played) else "this equilibrium is not pure"


def _not_alike(certificate: "CompactNashCertificate") -> str:
    first, *others = (strategy.tolist() for strategy in certificate.profile.strategies)
    return "" if all(own == first for own in others) else "players do not all play alike"


@claim(
    KIND,
    measure=certify_compact,
    proves=("nash",),
    proves_if={"pure-nash": _not_pure, "symmetric-nash": _not_alike},
)
class CompactNashCertificate(Checkable):
    """The claim that each player's best deviation gains exactly ``deviation_gains[player]``.

    Attributes:
        profile: Rational.
        payoffs: Expected payoff of each player.
        deviation_gains: Best-response value minus own payoff, for each player; payoff units.
    """

    game: CompactGame
    profile: MixedProfile
    payoffs: tuple[Fraction, ...] = claimed()
    deviation_gains: tuple[Fraction, ...] = claimed()
    epsilon = largest_gain

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        name = f"Nash equilibrium of {number_of(len(self.game.players), 'player')}"
        return gains_statement(self, name, who="nobody")


def certify_all_pure(game: CompactGame) -> "CompactPureCertificate":
    """List the pure equilibria and state that these are all.

    In congestion games players with the same actions, and in anonymous games all players, may be
    exchanged; of the equilibria that differ only so the first one is listed, in which earlier
    players take earlier actions.

    Meant for checking: simple, not fast. Graphs are searched from player to player, in time that
    can be exponential; counts are walked over.

    >>> from gametheory_core import compact, load_game
    >>> len(compact.certify_all_pure(load_game("pigou:players=4")).profiles)
    2
    """
    require_compact(game)
    profiles = tuple(pure_profile(game, actions) for actions in stable_actions(game))
    return CompactPureCertificate(game, profiles)


@claim("compact-pure", measure=certify_all_pure, completes=("pure-nash",))
class CompactPureCertificate(CheckableFact):
    """The claim that ``profiles`` are all pure equilibria, up to exchanging players who are alike.

    Attributes:
        profiles: Rational and pure, in any order.
    """

    game: CompactGame
    profiles: tuple[MixedProfile, ...] = claimed(fault=not_the_same_set)

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        if not self.profiles:
            return "complete: the game has no pure equilibrium"
        count = number_of(len(self.profiles), "profile")
        return f"complete: {count}, and every pure equilibrium is one of them{_alike(self.game)}"


def _alike(game: CompactGame) -> str:
    """Say which equilibria count as one."""
    if isinstance(game, CongestionGame):
        return " after players with the same actions change places"
    return "" if hasattr(game, "neighbors") else " after players change places"


def certify_anarchy(
    game: CongestionGame, optimal: MixedProfile, best: MixedProfile, worst: MixedProfile
) -> "AnarchyCertificate":
    """Measure what the best and the worst pure equilibrium cost, beside the least possible.

    Args:
        game: Costs of all players together are at least 0, and not 0 at the optimum.
        optimal, best, worst: Pure profiles: one of least cost, and equilibria of least and of
            largest cost.

    Raises:
        UnsupportedGame: If the least cost is not positive, so that there is no ratio.
        CertificateRejected: If a profile is not what it is given as.

    Meant for checking: every spread of players over actions is looked at.

    >>> from gametheory_core import compact, load_game, pure_profile
    >>> roads = load_game("pigou:players=2")
    >>> joints = (0, 1), (0, 1), (0, 0)
    >>> found = compact.certify_anarchy(roads, *(pure_profile(roads, joint) for joint in joints))
    >>> str(found.price_of_anarchy)
    '4/3'
    """
    require_compact(game, CongestionGame)
    found = [(cost_of_loads(game, loads_of(game, spread)), spread) for spread in spreads(game)]
    least = min(cost for cost, _ in found)
    stable = [cost for cost, s in found if is_stable(game, s, loads_of(game, s))]
    require_positive(least)
    wanted = (least, min(stable), max(stable))
    for profile, cost, name in zip(
        (optimal, best, worst), wanted, ("optimal", "best", "worst"), strict=True
    ):
        _require_cost(game, profile, cost, name)
    return AnarchyCertificate(
        game, optimal, best, worst, *wanted, wanted[2] / least, wanted[1] / least
    )


def require_positive(least: Fraction) -> None:
    """Refuse a least cost that nothing can be divided by."""
    if least <= 0:
        raise UnsupportedGame(
            needs="positive costs of all players together, for a ratio",
            found=f"the least is {least}",
            remedy="Add a constant to the delays of resources that everybody uses.",
        )


def _require_cost(game: CongestionGame, profile: MixedProfile, cost: Fraction, name: str) -> None:
    """Reject a profile that is not pure, has another cost or, unless optimal, is not stable."""
    with rejecting("price-of-anarchy"):
        measured = certify_compact(game, profile)
    if not profile.is_exact or _not_pure(measured):
        raise CertificateRejected(
            needs=f"an exact pure profile as {name}", found="it mixes or holds floats"
        )
    paid = social_cost(game, [own.tolist().index(1) for own in profile.strategies])
    if paid != cost or (name != "optimal" and measured.epsilon):
        raise CertificateRejected(
            needs=f"{name} to be a profile that costs {cost}"
            f"{'' if name == 'optimal' else ', in equilibrium'}",
            found=f"it costs {paid} and somebody gains {measured.epsilon}",
        )


@claim("price-of-anarchy", measure=certify_anarchy, answer="worst", proves=("price-of-anarchy",))
class AnarchyCertificate(Checkable):
    """The claim that pure equilibria cost at least and at most so many times the optimum.

    Attributes:
        optimal, best, worst: Pure profiles that cost so much; the last two are equilibria.
        least_cost, best_cost, worst_cost: What all players pay together.
        price_of_anarchy, price_of_stability: Worst and best equilibrium, over the optimum.
    """

    game: CongestionGame
    optimal: MixedProfile
    best: MixedProfile
    worst: MixedProfile
    least_cost: Fraction = claimed()
    best_cost: Fraction = claimed()
    worst_cost: Fraction = claimed()
    price_of_anarchy: Fraction = claimed()
    price_of_stability: Fraction = claimed()
    epsilon = None

    @property
    def payoffs(self) -> tuple[Fraction, ...]:
        """What the worst equilibrium pays each player."""
        return compact_payoffs(self.game, self.worst)

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        return (
            f"the worst pure equilibrium costs {self.price_of_anarchy} times the optimum of "
            f"{self.least_cost}, and the best one {self.price_of_stability} times"
        )
