"""How fair the grid can be at most: a bound that no play exceeds, and that two players reach."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from gametheory_core import InvalidArgument, UnsupportedGame, mediation
from gametheory_core.mediation.catalog import COLLECT, HEADINGS, MOVES, WAIT, GridState
from gametheory_core.mediation.fairness import Fairness, FairnessKind
from learners.mediation import ResourceGrid
from learners.mediation.grid_bounds import (
    _after,
    _places,
    fairness_bound,
    fewest_steps,
    is_bound_reached,
)
from learners.mediation.resource_grid import Colors

RULES = mediation.ResourceGridRules(size=3, steps=1000, collections=1, has_both_colors=False)


def number_of(size, agents):
    """Return the place of ``fewest_steps``: pairs on different cells, in order."""
    places = [
        (row, column, heading)
        for row, column in product(range(size), repeat=2)
        for heading in range(len(HEADINGS))
    ]
    pairs = [(a, b) for a in places for b in places if a[:2] != b[:2]]
    return pairs.index(tuple((*cell, heading) for cell, heading in agents))


def steps_by_rules(state):
    """Search forward with the explicit rules until green is collected."""
    frontier, seen, steps = [state], {state.agents}, 0
    while frontier:
        steps += 1
        later = []
        for one in frontier:
            for joint in product((*MOVES, COLLECT), MOVES):
                after = RULES.transition(one, (*joint, WAIT)).items[0][0]
                if after.collected:
                    return steps
                if after.agents not in seen:
                    seen.add(after.agents)
                    later.append(replace(after, steps=0))
        frontier = later
    return None


@pytest.mark.parametrize("seed", range(4))
def test_fewest_steps_are_those_of_a_search_by_the_rules(seed):
    rng = np.random.default_rng(seed)
    cells = [divmod(int(cell), 3) for cell in rng.permutation(9)[:4]]
    agents = tuple((cell, int(rng.integers(4))) for cell in cells[:2])
    state = GridState(("blue", "green"), agents, tuple(cells[2:]), leader=0)
    goal = cells[3][0] * 3 + cells[3][1]
    assert fewest_steps(3)[goal, number_of(3, agents)] == steps_by_rules(state)


@pytest.mark.parametrize("seed", range(3))
def test_pairs_of_places_follow_each_other_as_by_the_rules(seed):
    """All that leader and helper can do together leads where the rules lead, for ten pairs."""
    leader, helper = _places(9)
    after = _after(3, leader, helper)
    rng = np.random.default_rng(seed)
    for pair in rng.integers(len(leader), size=10):
        agents = tuple(
            (divmod(int(place) // 4, 3), int(place) % 4) for place in (leader[pair], helper[pair])
        )
        wanted = set()
        for first, second in product((*MOVES, COLLECT), MOVES):
            one = [*agents]
            for agent, move in ((0, first), (1, second)):
                one[agent] = RULES._after_move(one, agent, move)
            wanted.add(number_of(3, tuple(one)))
        assert set(after[pair].tolist()) == wanted


def test_slowest_collection_takes_thirteen_steps_on_the_full_grid():
    """Ten cells to walk, two turns, and to collect: nobody stands in the way of two players."""
    assert fewest_steps(6).max() == 10 + 2 + 1


@pytest.mark.parametrize(("steps", "is_reached"), [(26, True), (25, False)])
def test_bound_is_reached_if_twice_the_slowest_collection_fits(steps, is_reached):
    assert is_bound_reached(mediation.ResourceGridRules(steps=steps)) == is_reached


@pytest.mark.parametrize("colors", Colors, ids=lambda own: own.name.lower())
@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_play_is_fairer_than_the_bound(players, colors):
    """Drawn play on a small grid, much of which collects all it may."""
    grid = ResourceGrid(
        colors=colors, players=players, size=3, steps=60, collections=2,
        episodes=300, rng=np.random.default_rng(players),
    )  # fmt: skip
    rng = np.random.default_rng(0)
    turn = grid.reset()
    while not turn.is_over.all():
        turn = grid.pick(rng.integers(players, size=300))
        moves = rng.integers(4, size=(300, players))
        turn = grid.step(np.where(rng.random((300, players)) < 0.4, 4, moves))
    lowest = turn.past.min(axis=1)
    bound = fairness_bound(grid.rules())
    assert lowest.max() <= bound
    assert lowest.max() == 8  # so that with two or four players the bound is met
    assert bound == 8


@pytest.mark.parametrize(
    ("fairness", "bound"),
    [
        (Fairness(FairnessKind.GINI, weights=("3/4", "1/4")), 8.0),
        (Fairness(FairnessKind.NASH), 64.0),
    ],
)
def test_other_measures_have_bounds(fairness, bound):
    assert fairness_bound(mediation.ResourceGridRules(), fairness=fairness) == bound


def test_more_players_and_larger_grids_are_refused():
    with pytest.raises(UnsupportedGame, match="two players"):
        is_bound_reached(mediation.ResourceGridRules(num_agents=3))
    with pytest.raises(InvalidArgument, match="size"):
        fewest_steps(7)
