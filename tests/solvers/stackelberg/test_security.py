"""Security games: the compact answer is the expanded game's, and the lottery can be drawn."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from gametheory_core import MixedProfile, SecurityGame, expected_payoffs
from gametheory_core.conversions import security_to_bayesian, security_to_normal
from gametheory_core.conversions.bayesian_normal import coverages
from solvers import bayesian_stackelberg, security_stackelberg, strong_stackelberg
from tests.sample_sizes import many
from tests.solvers.stackelberg.leader_games import security_games


def earned(solution):
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0
    assert solution.payoffs[0] == solution.certificate.defender_payoff
    return solution.payoffs[0]


def random_game(seed, targets, resources, highest):
    rng = np.random.default_rng(seed)
    loss, covered = rng.integers(-highest, highest + 1, (2, targets))
    relief, width = rng.integers(0, highest + 1, (2, targets))
    return SecurityGame.from_payoffs(
        resources=resources,
        defender_uncovered=loss.tolist(),
        defender_covered=(loss + relief).tolist(),
        attacker_covered=covered.tolist(),
        attacker_uncovered=(covered + width).tolist(),
    )


@many
@given(security_games())
def test_value_is_that_of_the_expanded_game(game):
    expanded = strong_stackelberg(security_to_normal(game))
    assert earned(security_stackelberg(game)) == expanded.payoffs[0]


@given(security_games())
def test_lottery_played_in_the_expanded_game_earns_the_same(game):
    solution = security_stackelberg(game)
    expanded = security_to_normal(game)
    places = {coverage: place for place, coverage in enumerate(coverages(game))}
    strategy = np.full(len(places), Fraction(0), dtype=object)
    lottery = solution.profile
    for coverage, probability in zip(lottery.coverages, lottery.probabilities, strict=True):
        strategy[places[coverage]] += probability
    target = [Fraction(int(i == solution.certificate.target)) for i in range(game.num_targets)]
    profile = MixedProfile((strategy, np.array(target, dtype=object)))
    assert tuple(expected_payoffs(expanded, profile)) == solution.payoffs


@given(security_games(most_targets=4, most_types=2))
def test_several_types_are_solved_in_the_expanded_game(game):
    solution = bayesian_stackelberg(security_to_bayesian(game))
    solution.certificate.verify()
    if game.num_types == 1:
        assert solution.payoffs[0] == earned(security_stackelberg(game))


@pytest.mark.parametrize(
    ("resources", "payoffs", "value", "target"),
    [
        # covering both so that the attacker is indifferent: 5 (1-p) - p = 2 p - (1-p), p = 2/3
        (1, ([-5, -2], [0, 0], [-1, -1], [5, 2]), Fraction(-4, 3), 1),
        (0, ([-5, -2], [0, 0], [-1, -1], [5, 2]), -5, 0),
        (2, ([-5, -2], [0, 0], [-1, -1], [5, 2]), 0, 0),
        # the attacker does not mind the guard: all spare guards stand there
        (1, ([-4, -9], [8, 0], [3, 1], [3, 2]), 8, 0),
        # a guarded target that the attacker still prefers
        (2, ([-5, -2, -9], [1, 0, 0], [7, -1, -1], [9, 2, 2]), 1, 0),
        (1, ([0], [0], [0], [0]), 0, 0),
    ],
)
def test_small_games(resources, payoffs, value, target):
    names = ("defender_uncovered", "defender_covered", "attacker_covered", "attacker_uncovered")
    tables = dict(zip(names, payoffs, strict=True))
    game = SecurityGame.from_payoffs(resources=resources, **tables)
    solution = security_stackelberg(game)
    assert earned(solution) == value
    assert solution.certificate.target == target
    assert strong_stackelberg(security_to_normal(game)).payoffs[0] == value


@pytest.mark.parametrize(("targets", "resources", "highest"), [(200, 30, 10), (1000, 100, 1000)])
def test_large_games_come_with_short_lotteries(targets, resources, highest):
    solution = security_stackelberg(random_game(0, targets, resources, highest))
    earned(solution)
    assert 1 < len(solution.profile.coverages) <= targets + 1
    assert max(map(len, solution.profile.coverages)) == resources


def test_float_payoffs_are_exact():
    tables = np.sort(np.random.default_rng(1).standard_normal((4, 60)), axis=0)
    names = ("attacker_covered", "defender_uncovered", "attacker_uncovered", "defender_covered")
    game = SecurityGame.from_payoffs(resources=7, **dict(zip(names, tables, strict=True)))
    earned(security_stackelberg(game))


@pytest.mark.parametrize("scale", ["1e-300", "1/3", "1e300"])
def test_units_of_payoffs_do_not_matter(scale):
    game = random_game(3, 12, 4, 9)
    factor = Fraction(scale)
    scaled = SecurityGame(game.targets, game.resources, game.exact_payoffs * factor)
    assert earned(security_stackelberg(scaled)) == earned(security_stackelberg(game)) * factor
