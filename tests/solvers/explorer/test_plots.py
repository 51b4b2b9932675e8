"""Best responses as they are drawn: regions of the simplex, and the lines of 2 x 2 games."""

import itertools
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gametheory_core import NormalFormGame, load_game
from gametheory_core.evaluation import action_payoffs
from gametheory_core.formats import game_record
from gametheory_core.strategies.mixed import MixedProfile
from gametheory_core.testing.generators import mixed_profiles
from tests.page_scripts import run_scripts

SCRIPTS = ["arithmetic", "elements", "matrix_game", "plots"]
FEW = settings(max_examples=15)
TWO_BY_TWO = st.lists(st.integers(-3, 3), min_size=8, max_size=8)


def run(script, told):
    return run_scripts("solvers.explorer", SCRIPTS, script, told)


def replies(game, player, profile):
    """The best responses of a player."""
    values = action_payoffs(game, profile, player=player).tolist()
    return {action for action, value in enumerate(values) if value == max(values)}


def is_inside(point, region):
    """Whether a point of the simplex is in a convex polygon whose corners are in order."""
    sides = []
    for (x, y, _), (to_x, to_y, _) in zip(region, [*region[1:], region[0]], strict=True):
        sides.append((to_x - x) * (point[1] - y) - (to_y - y) * (point[0] - x))
    return min(sides) >= -1e-9 or max(sides) <= 1e-9


@FEW
@given(data=st.data())
def test_regions_are_where_an_action_is_a_best_response(data):
    actions = data.draw(st.integers(1, 4))
    numbers = st.lists(st.integers(-4, 4), min_size=6 * actions, max_size=6 * actions)
    flat = data.draw(numbers)
    game = NormalFormGame.from_payoffs(
        [
            [
                flat[k * 3 * actions + a * actions : k * 3 * actions + (a + 1) * actions]
                for a in range(3)
            ]
            for k in (0, 1)
        ]
    )
    payoffs = [[int(game.exact_payoffs[1, a, b]) for a in range(3)] for b in range(actions)]
    regions = run("given.map((_, b) => replyRegion(given, b))", payoffs)
    profile = data.draw(mixed_profiles(game))
    point = [float(share) for share in profile.strategies[0]]
    best = replies(game, 1, profile)
    for b, region in enumerate(regions):
        if b in best:
            assert is_inside(point, region)
        elif len(region) > 2 and not is_flat(region):
            assert not is_inside(point, region) or is_close(game, profile, b)


def is_flat(region):
    (x, y, _), *others = region
    crosses = [
        abs((a - x) * (d - y) - (b - y) * (c - x)) for a, b, _ in others for c, d, _ in others
    ]
    return max(crosses) < 1e-9


def is_close(game, profile, action):
    values = action_payoffs(game, profile, player=1).tolist()
    return max(values) - values[action] < Fraction(1, 10**6)


@FEW
@given(payoffs=TWO_BY_TWO, percent=st.integers(0, 100))
def test_lines_of_two_by_two_games_are_best_responses(payoffs, percent):
    game = NormalFormGame.from_payoffs(
        [[payoffs[4 * k : 4 * k + 2], payoffs[4 * k + 2 : 4 * k + 4]] for k in (0, 1)]
    )
    paths = run("[0, 1].map((player) => replyPath(matrixGame(given), player))", game_record(game))
    share = Fraction(percent, 100)
    for player, path in enumerate(paths):
        strategies = [[share, 1 - share]] * 2
        best = replies(game, player, MixedProfile(tuple(strategies)))
        if path.get("area"):
            assert best == {0, 1}
            continue
        drawn = heights(path["points"], float(share))
        assert all(best == {0, 1} or 1 - height in best for height in drawn if height in (0, 1))
        assert {1 - height for height in drawn if height in (0, 1)} >= best


def heights(points, q):
    """Ends of the drawn line above a place, as shares of the first action."""
    found = set()
    for (x, y), (to_x, to_y) in itertools.pairwise(points):
        if min(x, to_x) - 1e-12 <= q <= max(x, to_x) + 1e-12:
            found |= {y, to_y}
    return found


@pytest.mark.parametrize(
    "name", ["battle_of_the_sexes", "matching_pennies", "chicken", "prisoners_dilemma"]
)
def test_lines_begin_and_end_at_the_edges(name):
    paths = run(
        "[0, 1].map((player) => replyPath(matrixGame(given), player))", game_record(load_game(name))
    )
    for path in paths:
        assert (path["points"][0][0], path["points"][-1][0]) == (0, 1)
