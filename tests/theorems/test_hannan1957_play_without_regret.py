"""Play without regret is near coarse equilibrium, and near Nash equilibrium in zero-sum games.

Folklore since Hannan 1957 (see Cesa-Bianchi and Lugosi 2006, sections 7.2 and 7.4). Let players use
any strategies for ``T`` steps, and let epsilon be the largest average external regret. Then

- empirical play is an epsilon-coarse correlated equilibrium, with *exactly* this epsilon;
- in two-player zero-sum games, the average strategies' deviation gains add up to the sum of both
  average regrets, so the averages are a (regret_0 + regret_1)-Nash equilibrium.

Quantified over games and over arbitrary sequences of strategies, and for regret matching itself;
rational arithmetic, no tolerance.

Why it matters (regret): Every statement about where learning leads rests on this identity between
regret and deviation gains.
"""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.arrays import exact_array
from gametheory_core.certificates import certify_coarse_correlated
from gametheory_core.distributions import ZERO
from gametheory_core.evaluation import action_payoffs, external_regret
from gametheory_core.testing import mixed_profiles, normal_form_games, zero_sum_games
from solvers import regret_matching
from solvers.dynamics import regret_matching_plus
from solvers.local_rules import RegretMatching
from tests.sample_sizes import examples

theorem = pytest.mark.theorem(
    source="Hannan 1957; Cesa-Bianchi and Lugosi 2006, sections 7.2 and 7.4",
    statement="empirical play is an epsilon-coarse correlated equilibrium with epsilon the "
    "largest average regret; in two-player zero-sum games the averages are near Nash",
)


@st.composite
def plays(draw, games):
    game = draw(games)
    return game, draw(st.lists(mixed_profiles(game), min_size=1, max_size=6))


def average_regrets(game, sequence):
    found = []
    for player in range(game.num_players):
        total = exact_array([0] * game.num_actions[player])
        for profile in sequence:
            payoffs = action_payoffs(game, profile, player=player)
            total = total + (payoffs - payoffs @ profile.strategies[player])
        found.append(max(total.tolist()) / len(sequence))
    return found


def empirical(game, sequence):
    table = np.full(game.num_actions, ZERO, dtype=object)
    for profile in sequence:
        for joint in product(*map(range, game.num_actions)):
            weight = Fraction(1, len(sequence))
            for own, action in zip(profile.strategies, joint, strict=True):
                weight *= own[action]
            table[joint] += weight
    return gt.correlated_distribution(table)


@theorem
@given(plays(normal_form_games(num_players=(1, 3), max_actions=3)))
def test_regrets_of_empirical_play_are_the_average_regrets(case):
    game, sequence = case
    regrets = average_regrets(game, sequence)
    certificate = certify_coarse_correlated(game, empirical(game, sequence))
    certificate.verify()
    assert list(certificate.regrets) == regrets
    assert certificate.epsilon == max(ZERO, *regrets)


@theorem
@given(plays(zero_sum_games()))
def test_zero_sum_averages_gain_what_both_regret(case):
    game, sequence = case
    regrets = average_regrets(game, sequence)
    certificate = gt.certify_nash(game, empirical(game, sequence).marginals)
    assert sum(certificate.deviation_gains) == sum(regrets)
    assert certificate.epsilon <= sum(regrets)


@theorem
@examples(20)
@given(game=zero_sum_games(), steps=st.integers(1, 40))
def test_regret_matching_bounds_both_certificates(game, steps):
    play = regret_matching(game, steps=steps)
    spans = [float(own.max() - own.min()) for own in game.payoffs]
    limits = [
        span * (count / steps) ** 0.5 for span, count in zip(spans, game.num_actions, strict=True)
    ]
    assert float(play.coarse_correlated.epsilon) <= max(limits) + 1e-9
    assert float(play.nash.epsilon) <= sum(limits) + 1e-9


@theorem
def test_twin_general_sum_averages_stay_far_from_nash():
    """Shapley's game: regrets vanish, but regret matching's marginals keep a gain of a sixth."""
    game = gt.load_game("shapley_cycle")
    start = gt.MixedProfile((np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.2, 0.6])))
    play = regret_matching(game, initial=start, steps=30_000)
    play.nash.verify()
    assert play.coarse_correlated.epsilon <= Fraction(1, 1000)
    assert play.nash.epsilon >= Fraction(1, 6)


@theorem
def test_twin_three_player_zero_sum_averages_need_not_be_nash():
    """Two of the three agree perfectly by taking turns; independent averages lose that.

    The third player, who has one action, pays the others one when they match.
    """
    match = np.array([[1, 0], [0, 1]])
    game_payoffs = np.stack([match, match, -2 * match])[..., None]
    game = gt.NormalFormGame.from_payoffs(game_payoffs)
    taking_turns = gt.correlated_distribution([[["2/3"], [0]], [[0], ["1/3"]]])
    assert certify_coarse_correlated(game, taking_turns).epsilon == 0
    assert gt.certify_nash(game, taking_turns.marginals).epsilon > 0


@theorem
def test_twin_last_iterates_do_not_settle_even_in_zero_sum_games():
    """Averages are needed: in matching pennies the strategies themselves keep cycling."""
    game = gt.load_game("matching_pennies")
    start = gt.MixedProfile((np.array([0.75, 0.25]), np.array([0.5, 0.5])))
    play = regret_matching(game, initial=start, steps=4_000)
    assert play.nash.epsilon <= Fraction(1, 20)
    late = play.trajectories[0][-100:, 0]
    assert late.max() - late.min() > 0.5


@theorem
def test_twin_play_with_regret_is_not_near_coarse_equilibrium():
    game = gt.load_game("prisoners_dilemma")
    cooperation = gt.MixedProfile((exact_array([1, 0]), exact_array([1, 0])))
    assert average_regrets(game, [cooperation] * 3) == [2, 2]
    assert certify_coarse_correlated(game, empirical(game, [cooperation] * 3)).epsilon == 2


@theorem
def test_exact_regret_matching_play_has_exactly_its_average_regret():
    """The whole chain in rationals: rule, empirical play and certificate."""
    game = gt.load_game("chicken")
    strategies = [exact_array(["1/3", "2/3"]), exact_array(["1/2", "1/2"])]
    memories = [exact_array([0, 0]), exact_array([0, 0])]
    sequence = []
    for step in range(6):
        profile = gt.MixedProfile(tuple(strategies))
        sequence.append(profile)
        for player in range(2):
            payoffs = action_payoffs(game, profile, player=player)
            memories[player] = RegretMatching().remember(
                memories[player], payoffs, strategies[player]
            )
        for player in range(2):
            strategies[player] = RegretMatching().strategy(
                memories[player], strategies[player], step + 1
            )
    distribution = empirical(game, sequence)
    for player in range(2):
        expected = max(memories[player].tolist()) / len(sequence)
        assert external_regret(game, distribution, player=player) == expected


@theorem
def test_regret_matching_plus_reaches_the_value_of_a_game_without_pure_solution():
    game = gt.NormalFormGame.zero_sum([[2, -1], [-1, 1]])
    play = regret_matching_plus(game, steps=20_000, tolerance=0.02)
    assert abs(play.nash.payoffs[0] - Fraction(1, 5)) <= Fraction(2, 100)
