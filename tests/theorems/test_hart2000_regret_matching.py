"""Hart and Mas-Colell 2000: on every sequence of payoffs, regret matching's regret is small.

Regrets are against the player's own mixed strategy (full information). With ``r_t`` the vectors of
instantaneous regret, the largest cumulative regret is at most ``sqrt(sum |r_t|^2)``, hence at most
``span * sqrt(actions * T)``: Blackwell's condition, that ``r_t`` is orthogonal to the positive part
of the sum so far, holds exactly. Quantified over random sequences and over an opponent who picks
each payoff vector knowing the strategy; in rational arithmetic, squares compared, without
tolerance. The same bound holds for the memory of regret matching+ (Tammelin 2014), which is at
least the regret.

Why it matters (regret): The simplest rule without parameters has regret that grows with the root of
time, against anybody.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core.arrays import exact_array
from gametheory_core.distributions import ONE, ZERO
from gametheory_core.testing import normal_form_games, rationals
from solvers import regret_matching
from solvers.dynamics import regret_matching_plus
from solvers.local_rules import BestReply, RegretMatching, RegretMatchingPlus
from tests.sample_sizes import examples

theorem = pytest.mark.theorem(
    source="Hart and Mas-Colell 2000",
    statement="the external regret of regret matching is at most the root of the summed squares "
    "of its regret vectors, on every sequence of payoffs",
)


@st.composite
def payoff_sequences(draw):
    count = draw(st.integers(1, 4))
    vector = st.lists(rationals(), min_size=count, max_size=count)
    return draw(st.lists(vector, min_size=1, max_size=8))


def spiteful(strategy):
    """Pay one for the action that is played least: what a player least expects."""
    least = min(range(len(strategy)), key=lambda action: strategy[action])
    return [ONE if action == least else ZERO for action in range(len(strategy))]


def learn(rule, choose, count, steps):
    """Return cumulative regrets, the memory, and the summed squares of regret vectors."""
    memory = exact_array([0] * count)
    strategy = exact_array([ONE / count] * count)
    regrets, squares = exact_array([0] * count), ZERO
    for step in range(steps):
        payoffs = exact_array(choose(step, strategy))
        instant = payoffs - payoffs @ strategy
        regrets = regrets + instant
        squares += sum(r * r for r in instant.tolist())
        memory = rule.remember(memory, payoffs, strategy)
        strategy = rule.strategy(memory, strategy, step + 1)
    return regrets, memory, squares


@theorem
@pytest.mark.parametrize("rule", [RegretMatching(), RegretMatchingPlus()])
@given(payoff_sequences())
def test_regret_is_bounded_on_every_sequence(rule, sequence):
    regrets, memory, squares = learn(
        rule, lambda step, _: sequence[step], len(sequence[0]), len(sequence)
    )
    assert max(ZERO, *regrets) ** 2 <= squares
    assert max(ZERO, *memory) ** 2 <= squares
    assert all(m >= r for m, r in zip(memory, regrets, strict=True))


@theorem
@pytest.mark.parametrize("rule", [RegretMatching(), RegretMatchingPlus()])
@pytest.mark.parametrize("count", [2, 3])
def test_regret_is_bounded_against_a_spiteful_opponent(rule, count):
    steps = 9
    regrets, memory, squares = learn(rule, lambda _, strategy: spiteful(strategy), count, steps)
    assert max(memory.tolist()) ** 2 <= squares <= count * steps
    assert max(regrets.tolist()) ** 2 <= squares


@theorem
@pytest.mark.parametrize("rule", [RegretMatching(), RegretMatchingPlus()])
@pytest.mark.parametrize("count", [2, 3, 7])
def test_regret_stays_bounded_for_long_in_floats(rule, count):
    """A thousand steps; exact strategies would have astronomically long denominators."""
    memory, strategy, squares = np.zeros(count), np.full(count, 1 / count), 0.0
    for step in range(1000):
        payoffs = (np.arange(count) == np.argmin(strategy)).astype(float)
        instant = payoffs - payoffs @ strategy
        squares += instant @ instant
        memory = rule.remember(memory, payoffs, strategy)
        strategy = rule.strategy(memory, strategy, step + 1)
        assert memory.max() ** 2 <= squares * (1 + 1e-9)


@theorem
@pytest.mark.parametrize("function", [regret_matching, regret_matching_plus])
@examples(15)
@given(normal_form_games(num_players=(1, 3), max_actions=3), st.integers(1, 300))
def test_certified_regrets_are_bounded(function, game, steps):
    """The functions themselves, of all players at once; floats play, exact averages are judged."""
    claim = function(game, steps=steps).coarse_correlated
    claim.verify()
    for own, actions, regret in zip(
        game.exact_payoffs, game.num_actions, claim.regrets, strict=True
    ):
        span = own.max() - own.min()
        assert max(ZERO, regret) ** 2 * steps <= span**2 * actions * (1 + Fraction(1, 10**9))


@theorem
@given(payoff_sequences())
def test_blackwell_condition_holds_exactly(sequence):
    rule, count = RegretMatching(), len(sequence[0])
    memory = exact_array([0] * count)
    strategy = exact_array([ONE / count] * count)
    for step, payoffs in enumerate(map(exact_array, sequence)):
        positive = [max(m, ZERO) for m in memory.tolist()]
        instant = (payoffs - payoffs @ strategy).tolist()
        assert sum(m * r for m, r in zip(positive, instant, strict=True)) == 0
        memory = rule.remember(memory, payoffs, strategy)
        strategy = rule.strategy(memory, strategy, step + 1)


@theorem
def test_twin_best_replies_to_the_past_have_linear_regret():
    """Without mixing the bound fails: following the leader is fooled at every step."""
    steps = 40
    regrets, _, squares = learn(BestReply(), lambda _, strategy: spiteful(strategy), 2, steps)
    assert max(regrets.tolist()) ** 2 > squares
    assert max(regrets.tolist()) >= steps // 2 - 1
