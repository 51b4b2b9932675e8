"""Cai et al. 2016: equilibria of zero-sum polymatrix games are optima of a linear program.

In a polymatrix game whose payoffs sum to a constant over all players, the least sum of
best-response values is that constant, and it is attained exactly at the equilibria (for games that
are zero-sum on each edge, Daskalakis and Papadimitriou 2009). Single edges need not sum to
anything. Checked on generated games of up to four players, in rationals, with payoffs moved from
edge to edge.

Why it matters (compact): Minimax theory, and its linear program, hold for networks of any number of
players who compete in pairs.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import MixedProfile, UnsupportedGame, compact
from gametheory_core.testing import mixed_profiles
from solvers._programs.exact import solve_exactly
from solvers.compact import polymatrix_lcp, zero_sum_polymatrix
from solvers.compact.polymatrix_program import program_of

theorem = pytest.mark.theorem(
    source="Cai et al. 2016",
    statement="Equilibria of zero-sum polymatrix games are the optima of one linear program.",
)
GAMES = compact.zero_sum_polymatrix_games()


def best_values(game, profile):
    """What best replies earn, added up over all players."""
    players = range(game.num_players)
    return sum(compact.compact_best_response(game, profile, player=i).value for i in players)


def constant_of(game):
    return sum(compact.pure_payoffs(game, (0,) * game.num_players))


@theorem
@given(GAMES)
def test_the_optimum_is_an_equilibrium_and_attains_the_constant(game):
    solution = zero_sum_polymatrix(game)
    assert solution.certificate.epsilon == 0
    assert best_values(game, solution.profile) == constant_of(game)


@theorem
@given(st.data(), GAMES)
def test_no_profile_has_less_and_only_equilibria_have_as_little(data, game):
    profile = data.draw(mixed_profiles(game))
    excess = best_values(game, profile) - constant_of(game)
    assert excess >= 0
    assert (excess == 0) == (compact.certify_compact(game, profile).epsilon == 0)


@theorem
@given(GAMES)
def test_equilibria_found_in_other_ways_are_optima(game):
    assert best_values(game, polymatrix_lcp(game).profile) == constant_of(game)


@theorem
def test_general_sum_twin_whose_optimum_is_no_equilibrium():
    """One column is better whatever happens; the program mixes both to hold rows down."""
    rows, columns = [[1, 0], [0, 1]], [[1, 0], [1, 0]]
    game = compact.PolymatrixGame.from_edges({(0, 1): (rows, columns)})
    optimum = solve_exactly(program_of(game), None).primal
    profile = MixedProfile((optimum[:2], optimum[2:4]))
    assert compact.certify_compact(game, profile).epsilon > 0
    with pytest.raises(UnsupportedGame, match="sum to a constant"):
        zero_sum_polymatrix(game)
