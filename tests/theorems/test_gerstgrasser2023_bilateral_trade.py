"""Gerstgrasser and Parkes 2023, section 4.1: what committing to a price is worth.

A bullet is worth ``s`` to the seller who finds it and ``v`` to the buyer; prices are 0, 1/k, ...,
1, and ``N`` bullets are used in expectation. (1) A seller who leads sells at the highest price of
at most ``v`` and returns ``N max(s, price)``; a buyer who leads pays the lowest price of at least
``s`` and returns ``N max(0, v - price)``; "at most" and "at least" are strict if ties are broken
against the leader. (2) If the buyer does not see the price and ``v < 1``, no equilibrium has any
trade: without commitment both return ``(N s, 0)``. (3) Then a mixed price of mean ``v`` earns all
gains from trade, and nothing earns more. The twins: if ``v = 1``, or the buyer names the highest
price that she pays, there are equilibria with trade, and she turns down all but the low prices of
a mixed one.

Why it matters (followers): The value of committing to a price is known in closed form, so that what
a learner of prices earns can be judged.
"""

from fractions import Fraction
from math import comb

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from gametheory_core import NormalFormGame
from gametheory_core.catalog import BilateralTrade, Buying
from gametheory_core.catalog.trade import SHOOT, WAIT, is_trade
from gametheory_core.distributions import distribution, point_mass
from gametheory_core.evaluation import expected_payoffs
from gametheory_core.leaders import (
    FollowerClass,
    FollowerTies,
    follower_response,
    leader_policy,
    leader_view,
)
from solvers import vertex_enumeration
from solvers.leaders import commitment_upper_bound, markov_stackelberg
from solvers.markov import stage_nash_induction

SOURCE = "Gerstgrasser and Parkes 2023"
led = pytest.mark.theorem(
    source=SOURCE, statement="Who leads a bilateral trade takes its gains, up to one price."
)
unled = pytest.mark.theorem(
    source=SOURCE, statement="Without commitment nothing is traded at a price unseen."
)
mixed = pytest.mark.theorem(
    source=SOURCE, statement="A mixed price unseen earns all gains from trade."
)
SELLER, BUYER = 0, 1
percents = st.integers(0, 100)
protocols = st.sampled_from(Buying)
unseen, named = st.just(Buying.YES_OR_NO), st.just(Buying.HIGHEST_PRICE)
below_one = st.integers(0, 99)  # what a hit pays the buyer, so that v < 1


@st.composite
def trades(draw, buying=protocols, buyer=percents):
    return BilateralTrade(
        draw(buying),
        bullets=draw(st.integers(1, 2)),
        steps=draw(st.integers(1, 4)),
        prices=draw(st.integers(1, 5)),
        arrival=draw(percents),
        hits=draw(percents),
        seller=draw(percents),
        buyer=draw(buyer),
    )


def bullets_used(game):
    """E min(bullets, Binomial(steps, arrival))."""
    chance = Fraction(game.arrival, 100)
    return sum(
        min(game.bullets, k) * comb(game.steps, k) * chance**k * (1 - chance) ** (game.steps - k)
        for k in range(game.steps + 1)
    )


def earned_by_bullet(game, leader, ties):
    """What a bullet earns a leader, by the closed form."""
    own, other = game.worths
    strong = ties is FollowerTies.STRONG
    prices = [Fraction(price) for price in game.price_list]
    if leader == SELLER:
        return max([own] + [p for p in prices if p < other or (strong and p == other)])
    return max([0] + [other - p for p in prices if p > own or (strong and p == own)])


def stage(game):
    """The stage in which a bullet is offered, as a normal form."""
    here, after = (0, True), (0, False)
    actions = [game.legal_actions(player, here) for player in (SELLER, BUYER)]
    paid = [[game.reward(here, (a, b), after) for b in actions[1]] for a in actions[0]]
    tables = [[[cell[i] for cell in row] for row in paid] for i in (SELLER, BUYER)]
    return NormalFormGame.bimatrix(*tables, actions=actions)


def traded(game, profile):
    """The probability that the bullet is sold."""
    rows, columns = (
        dict(zip(own, strategy, strict=True))
        for own, strategy in zip(game.actions, profile.strategies, strict=True)
    )
    return sum(x * y for a, x in rows.items() for b, y in columns.items() if is_trade(a, b))


def equilibria(game):
    found = vertex_enumeration(stage(game))
    assert found.is_complete
    return [each.profile for each in found.equilibria]


@led
@given(trades(), st.sampled_from(FollowerTies), st.sampled_from(FollowerClass))
def test_a_seller_who_leads_sells_at_the_buyers_worth(game, ties, follower_class):
    found = markov_stackelberg(game, ties=ties, follower_class=follower_class)
    found.certificate.verify()
    assert found.payoffs[0] == bullets_used(game) * earned_by_bullet(game, SELLER, ties)


@led
@given(trades(named), st.sampled_from(FollowerTies))
def test_a_buyer_who_leads_pays_the_sellers_worth(game, ties):
    found = markov_stackelberg(game, leader=BUYER, ties=ties)
    found.certificate.verify()
    assert found.payoffs[1] == bullets_used(game) * earned_by_bullet(game, BUYER, ties)


@led
@given(trades(unseen, below_one))
def test_unless_the_buyer_sees_no_price(game):
    """Who says yes to any price is asked the highest."""
    assert markov_stackelberg(game, leader=BUYER).payoffs[1] == 0


@unled
@given(trades(unseen, below_one))
def test_no_stage_equilibrium_has_any_trade(game):
    found = equilibria(game)
    assert found
    for profile in found:
        assert traded(stage(game), profile) == 0
        assert tuple(expected_payoffs(stage(game), profile)) == (game.worths[0], 0)


@unled
@given(trades(unseen, below_one))
def test_a_markov_perfect_seller_shoots_all_bullets(game):
    found = stage_nash_induction(game)
    found.certificate.verify()
    assert tuple(found.payoffs) == (bullets_used(game) * game.worths[0], 0)


@unled
def test_unless_the_bullet_is_worth_the_highest_price():
    game = BilateralTrade(Buying.YES_OR_NO, hits=100)
    assert any(traded(stage(game), profile) == 1 for profile in equilibria(game))


@unled
@settings(suppress_health_check=[HealthCheck.filter_too_much])
@given(trades(named))
def test_unless_the_buyer_names_a_highest_price(game):
    """Then each leader's payoff is the best of an equilibrium, if trade gains anything."""
    assume(game.worths[0] < game.worths[1])
    assume(any(game.worths[0] < Fraction(p) < game.worths[1] for p in game.price_list))
    payoffs = [expected_payoffs(stage(game), profile) for profile in equilibria(game)]
    for leader in (SELLER, BUYER):
        best = max(each[leader] for each in payoffs)
        assert best == earned_by_bullet(game, leader, FollowerTies.STRONG)


def at_mean_worth(view, game):
    """A seller who names 0 or 1 with mean v; he shoots if a bullet is worth more to himself."""
    own, other = game.worths
    names = {SHOOT: 1} if own > other else {"0": 1 - other, "1": other}
    offer = distribution({price: weight for price, weight in names.items() if weight})
    acting = [o for k, o in enumerate(view.game.observations[SELLER]) if view.leader_actions(k)]
    return leader_policy(view, {o: offer if o[1] else point_mass(WAIT) for o in acting})


@mixed
@given(trades(unseen))
def test_a_price_of_mean_worth_earns_all_that_can_be_earned(game):
    view = leader_view(game)
    policy = at_mean_worth(view, game)
    value = bullets_used(game) * max(game.worths)
    assert follower_response(view, policy).returns[0] == value
    bound = commitment_upper_bound(view)
    bound.verify()
    assert bound.upper_bound == value


@mixed
def test_unless_the_buyer_may_turn_down_high_prices():
    game = BilateralTrade(Buying.HIGHEST_PRICE)
    view = leader_view(game)
    response = follower_response(view, at_mean_worth(view, game))
    own, other = game.worths
    assert response.returns[0] == bullets_used(game) * other * own  # she buys at 0 only
    assert markov_stackelberg(view).payoffs[0] > response.returns[0]
