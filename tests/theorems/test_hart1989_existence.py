"""Hart and Schmeidler 1989: correlated equilibria exist, without a fixed-point theorem.

By the duality of linear programs it is enough that no prices ``y >= 0`` on swaps make every joint
action lose: for any prices there are independent lotteries under which the swaps, weighed by their
prices, gain nothing on average. Each player's lottery is the one that random swapping at the rates
``y`` leaves unchanged. Checked for generated games and prices, in rationals, without tolerance.

Why it matters (correlation): Correlated equilibria need only linear algebra to exist, hence only
linear programs to be found.
"""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import MixedProfile, NormalFormGame
from gametheory_core.certificates import CorrelatedKind, IncentivePrice
from gametheory_core.certificates.incentives import incentive_charges
from gametheory_core.errors import InfeasibleProgram
from gametheory_core.strategies import product_distribution
from gametheory_core.testing import PayoffKind, normal_form_games, rationals
from solvers import correlated_equilibrium

theorem = pytest.mark.theorem(
    source="Hart and Schmeidler 1989",
    statement="Every finite game has a correlated equilibrium, by linear duality alone.",
)
GAMES = normal_form_games(num_players=(1, 4), max_actions=3, kinds=tuple(PayoffKind))


def unchanged_lottery(rates):
    """The stationary lottery of positive swapping rates, by the Markov chain tree theorem."""
    count = len(rates)
    weights = []
    for root in range(count):
        others = [a for a in range(count) if a != root]
        total = Fraction(0)
        for targets in product(range(count), repeat=len(others)):
            leads = dict(zip(others, targets, strict=True))
            if all(reaches(root, a, leads) for a in others):
                total += np.prod([rates[a][b] for a, b in leads.items()], initial=Fraction(1))
        weights.append(total)
    return [weight / sum(weights) for weight in weights]


def reaches(root, start, leads):
    seen = set()
    while start != root:
        if start in seen:
            return False
        seen.add(start)
        start = leads[start]
    return True


def expected_charge(game, prices, profile):
    charges = incentive_charges(game, CorrelatedKind.CORRELATED, prices)
    weights = product_distribution(profile).tensor
    return sum((weights * charges.numerators).ravel().tolist()) / charges.denominator


def drawn_prices(data, game):
    return tuple(
        IncentivePrice(player, a, b, data.draw(rationals(low=1)))
        for player, count in enumerate(game.num_actions)
        for a, b in product(range(count), repeat=2)
        if a != b
    )


def lotteries(game, prices):
    tables = [[[Fraction(0)] * count for _ in range(count)] for count in game.num_actions]
    for entry in prices:
        tables[entry.player][entry.recommended][entry.played] = entry.price
    return MixedProfile(tuple(np.array(unchanged_lottery(rates), dtype=object) for rates in tables))


@theorem
@given(st.data(), GAMES)
def test_no_prices_make_every_joint_action_lose(data, game):
    prices = drawn_prices(data, game)
    assert expected_charge(game, prices, lotteries(game, prices)) == 0


@theorem
@given(GAMES)
def test_an_equilibrium_exists(game):
    certificate = correlated_equilibrium(game).certificate
    certificate.verify()
    assert certificate.epsilon == 0


@theorem
def test_twin_other_lotteries_may_lose():
    """The lotteries must be the ones that swapping leaves unchanged."""
    game = NormalFormGame.symmetric([[3, 0], [5, 1]])
    prices = (IncentivePrice(0, 0, 1, Fraction(1)), IncentivePrice(0, 1, 0, Fraction(3)))
    uniform = MixedProfile(tuple(np.array([Fraction(1, 2)] * 2, dtype=object) for _ in range(2)))
    assert expected_charge(game, prices, uniform) != 0


@theorem
def test_twin_other_inequalities_may_have_no_solution():
    """Only incentives to obey can always be met: a floor on payoffs cannot."""
    game = NormalFormGame.symmetric([[3, 0], [5, 1]])
    with pytest.raises(InfeasibleProgram, match="no correlated equilibrium pays more than 1") as no:
        correlated_equilibrium(game, payoff_floors={0: 2})
    no.value.witness.verify()
