"""All pure equilibria of compact games, against their normal forms."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NotConverged, UnsupportedGame, compact, load_game
from gametheory_core.testing import PayoffKind
from solvers import Budget, pure, solve
from solvers.compact import compact_pure
from tests.solvers.compact.compact_cases import random_graphical

GRAPHS = st.one_of(
    compact.polymatrix_games(kinds=tuple(PayoffKind)),
    compact.graphical_games(kinds=tuple(PayoffKind)),
)
CROWDS = st.one_of(compact.congestion_games(), compact.anonymous_games())


@given(GRAPHS)
def test_graphs_have_the_pure_equilibria_of_their_normal_forms(game):
    found = compact_pure(game)
    found.completeness.verify()
    listed = pure(compact.compact_to_normal(game))
    assert [own.profile for own in found.equilibria] == [own.profile for own in listed.equilibria]


@given(
    st.one_of(
        compact.polymatrix_games(num_players=(5, 7), max_actions=2),
        compact.graphical_games(num_players=(5, 7), max_actions=2, max_neighbors=4),
    )
)
def test_larger_graphs_have_them_too(game):
    listed = pure(compact.compact_to_normal(game))
    found = compact_pure(game)
    assert [own.profile for own in found.equilibria] == [own.profile for own in listed.equilibria]


@pytest.mark.parametrize("seed", range(40))
def test_random_neighborhoods_have_those_of_their_normal_forms(seed):
    game = random_graphical(4 + seed % 4, seed=seed)
    listed = pure(compact.compact_to_normal(game))
    found = compact_pure(game)
    assert [own.profile for own in found.equilibria] == [own.profile for own in listed.equilibria]


@given(CROWDS)
def test_counts_are_complete(game):
    found = compact_pure(game)
    found.completeness.verify()
    listed = {own.profile for own in pure(compact.compact_to_normal(game)).equilibria}
    assert {own.profile for own in found.equilibria} <= listed
    assert bool(listed) == bool(found.equilibria)


def independent_sets(players):
    """How many maximal independent sets a ring has (Perrin's numbers)."""
    numbers = [3, 0, 2]
    while len(numbers) <= players:
        numbers.append(numbers[-2] + numbers[-3])
    return numbers[players]


@pytest.mark.parametrize("players", [5, 12, 20])
def test_long_rings_have_as_many_as_maximal_independent_sets(players):
    found = compact_pure(load_game(f"public_good_on_ring:players={players}"))
    assert len(found.equilibria) == independent_sets(players)


def test_a_hundred_players_without_a_pure_equilibrium():
    """The first two of a long ring of coordination play matching pennies besides."""
    edges = {(i, i + 1): ([[1, 0], [0, 1]], [[1, 0], [0, 1]]) for i in range(1, 99)}
    edges[0, 1] = ([[9, -9], [-9, 9]], [[-9, 9], [9, -9]])
    found = compact_pure(compact.PolymatrixGame.from_edges(edges))
    assert found.is_complete
    assert not found.equilibria


def test_sixty_drivers_are_counted():
    found = compact_pure(load_game("braess:players=60"))
    assert found.is_complete
    assert len(found.equilibria) == 4
    found.completeness.verify()


def test_too_many_spreads_are_refused_before_they_are_listed():
    wide = compact.CongestionGame.from_delays(
        {f"r{k}": [1] * 60 for k in range(8)},
        {f"a{k}": [f"r{k}"] for k in range(8)},
        num_players=60,
    )
    for concept in ("pure-nash", "price-of-anarchy"):
        with pytest.raises(UnsupportedGame, match=r"860,\d\d\d,\d\d\d|at most 1,000,000 spreads"):
            solve(wide, concept)
    assert solve(wide).algorithm == "best_response_path"


@pytest.mark.parametrize(
    "name", ["public_good_on_ring:players=12", "braess:players=4", "el_farol:players=9"]
)
def test_a_budget_that_ends_leaves_what_was_found(name):
    with pytest.raises(NotConverged, match="all choices to be tried") as caught:
        compact_pure(load_game(name), budget=Budget(iterations=3))
    best = caught.value.best
    assert not best.is_complete
    assert best.completeness is None
    for own in best.equilibria:
        own.certificate.verify()


def test_a_game_without_pure_equilibrium_says_so():
    game = compact.GraphicalGame.from_tables([(1,), (0,)], [[[1, -1], [-1, 1]], [[-1, 1], [1, -1]]])
    with pytest.raises(UnsupportedGame, match="a pure equilibrium, but .* has none"):
        solve(game)


def test_a_limit_on_time_holds_for_the_proofs_too():
    """Thousands of equilibria are found in the time in which some hundred are certified."""
    game = load_game("public_good_on_ring:players=60")
    began = time.perf_counter()
    with pytest.raises(NotConverged, match="the budget ended") as caught:
        compact_pure(game, budget=Budget(seconds=0.5))
    assert time.perf_counter() - began < 3
    for found in caught.value.best.equilibria[:3]:
        found.certificate.verify()
