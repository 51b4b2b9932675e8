"""What the sources of the catalogue's compact games say about them."""

from fractions import Fraction

import pytest

from gametheory_core import InvalidArgument, compact, load_game, uniform_profile


@pytest.mark.parametrize("players", [3, 4, 7])
def test_coins_are_an_equilibrium_on_the_ring(players):
    ring = load_game(f"ring_of_pennies:players={players}")
    assert compact.certify_compact(ring, uniform_profile(ring)).epsilon == 0


def test_evaders_and_inspectors_are_zero_sum():
    game = load_game("security_ring:evaders=2,inspectors=1,exits=3")
    assert compact.is_constant_sum_polymatrix(game)
    for watched in range(3):
        left = [-(watched + 1) if e == watched else 1 for e in (0, 2)]
        payoffs = compact.pure_payoffs(game, (0, 2, watched))
        assert tuple(payoffs) == (*left, -sum(left))


def test_equilibria_of_the_public_good_are_maximal_independent_sets():
    game = load_game("public_good_on_ring:players=6")
    for profile in compact.certify_all_pure(game).profiles:
        buys = [strategy[0] == 1 for strategy in profile.strategies]
        for i, own in enumerate(buys):
            assert own != (buys[i - 1] or buys[(i + 1) % 6])


def test_the_shortcut_makes_everybody_worse_off():
    game = load_game("braess:players=4")
    worst = compact.pure_payoffs(game, (2, 2, 2, 2))
    assert set(worst) == {Fraction(-8)}
    assert set(compact.pure_payoffs(game, (0, 0, 1, 1))) == {Fraction(-6)}
    through = [own for own in compact.certify_all_pure(game).profiles if own.strategies[0][2] == 1]
    assert through


def test_long_ways_are_an_equilibrium_of_the_affine_triangle():
    game = load_game("affine_triangle")
    costs = [compact.social_cost(game, (action,) * 3) for action in (0, 1)]
    assert costs == [6, 15]


def test_as_many_go_as_there_are_seats():
    (profile,) = compact.certify_all_pure(load_game("el_farol:players=9,seats=5")).profiles
    assert sum(strategy[0] for strategy in profile.strategies) == 5


@pytest.mark.parametrize(
    "name",
    [
        "ring_of_pennies:players=2",
        "security_ring:exits=1",
        "public_good_on_ring:players=2",
        "pigou:players=0",
        "braess:players=0",
        "el_farol:players=4,seats=4",
    ],
)
def test_too_few_are_refused(name):
    with pytest.raises(InvalidArgument, match="players|exits|seats"):
        load_game(name)
