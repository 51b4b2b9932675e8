"""Monderer and Shapley 1996: potential games have pure equilibria, and improvements end.

Where one function gains whatever a player gains who changes its action, it is largest at a pure
equilibrium, and rises along every path of improvements, so that none comes back. Such a function
exists if and only if movers gain nothing around cycles of four steps. Checked on generated games.

Why it matters (compact): Players who improve one at a time, in any order, settle.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import certify_nash, load_game, pure_profile
from gametheory_core.games import exact_potential, is_potential_game
from gametheory_core.testing import potential_games
from solvers import pure

theorem = pytest.mark.theorem(
    source="Monderer and Shapley 1996",
    statement="Potential games have pure equilibria, and paths of improvements end.",
)


def improvements(game, joint):
    """Yield the joint actions that a player would change to."""
    for player, count in enumerate(game.num_actions):
        for action in range(count):
            after = (*joint[:player], action, *joint[player + 1 :])
            if game.exact_payoffs[player][after] > game.exact_payoffs[player][joint]:
                yield after


@theorem
@given(potential_games())
def test_the_largest_potential_is_a_pure_equilibrium(game):
    potential = exact_potential(game)
    joint = np.unravel_index(int(np.argmax(potential)), potential.shape)
    assert certify_nash(game, pure_profile(game, map(int, joint))).epsilon == 0


@theorem
@given(st.data(), potential_games())
def test_paths_of_improvements_rise_and_end(data, game):
    potential = exact_potential(game)
    joint = tuple(data.draw(st.integers(0, count - 1)) for count in game.num_actions)
    for _ in range(potential.size):
        better = list(improvements(game, joint))
        if not better:
            break
        after = data.draw(st.sampled_from(better))
        assert potential[after] > potential[joint]
        joint = after
    assert not list(improvements(game, joint))


@theorem
def test_twin_with_a_cycle():
    """Matching pennies: movers gain around the cycle, improvements go round, nothing is stable."""
    pennies = load_game("matching_pennies")
    assert not is_potential_game(pennies)
    joint, seen = (0, 0), []
    while joint not in seen:
        seen.append(joint)
        (joint,) = improvements(pennies, joint)
    assert len(seen) == 4
    assert not pure(pennies).equilibria
