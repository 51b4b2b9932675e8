"""Rosenthal 1973: congestion games have pure equilibria.

Who changes its action gains exactly what the potential, the sum of the delays that users met when
they came, loses. So the joint action of least potential is an equilibrium, and best replies in turn
end at one. Checked on generated games, with delays that need not rise, and of players with
different actions.

Why it matters (compact): Drivers who choose the quickest road one after the other come to rest, for
any delays that depend on numbers alone.
"""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import certify_nash, compact, pure_profile
from gametheory_core.games import exact_potential
from solvers.compact import best_response_path, compact_pure

theorem = pytest.mark.theorem(
    source="Rosenthal 1973",
    statement="Congestion games have an exact potential, and so a pure equilibrium.",
)


@theorem
@given(compact.congestion_games())
def test_the_potential_is_that_of_the_normal_form(game):
    normal = compact.compact_to_normal(game)
    found, first = exact_potential(normal), (0,) * game.num_players
    for joint in product(*map(range, game.num_actions)):
        lost = compact.rosenthal_potential(game, first) - compact.rosenthal_potential(game, joint)
        assert found[joint] == lost


@theorem
@given(st.data(), compact.congestion_games())
def test_best_replies_in_turn_end_at_a_pure_equilibrium(data, game):
    joint = [data.draw(st.integers(0, count - 1)) for count in game.num_actions]
    path = best_response_path(game, start=pure_profile(game, joint))
    normal = compact.compact_to_normal(game)
    assert certify_nash(normal, path.solution.profile).epsilon == 0


@theorem
def test_twin_of_delays_that_depend_on_who_comes():
    """One of two drivers likes company and the other does not: they go round for ever."""
    alone, together = -1, -2
    flees = [[together, alone], [alone, together]]
    follows = [[alone, together], [together, alone]]
    game = compact.PolymatrixGame.from_edges({(0, 1): (flees, follows)})
    assert best_response_path(game).repeats is not None
    assert not compact_pure(game).equilibria
