"""Compact games refuse in our own words whatever is no game, no profile and no number of one."""

from dataclasses import fields

import pytest

from gametheory_core import compact, load_game, pure_profile, uniform_profile
from tests.wrong_values import python_errors

PENNIES = [[1, 0], [0, 1]]
LEFT_AND_RIGHT = (("left", "right"), ("left", "right"))
GAMES = [
    compact.PolymatrixGame.from_edges({(0, 1): (PENNIES, PENNIES), (1, 2): (PENNIES, PENNIES)}),
    load_game("public_good_on_ring:players=3"),
    load_game("pigou:players=3"),
    load_game("el_farol:players=4,seats=2"),
]
ROADS = GAMES[2]
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)


@each_game
def test_fields_are_checked(game):
    right = [getattr(game, field.name) for field in fields(game)]
    assert python_errors(type(game), right) == []


@pytest.mark.parametrize(
    ("build", "right", "options"),
    [
        (
            compact.PolymatrixGame.from_edges,
            [{(0, 1): (PENNIES, PENNIES)}],
            {"players": ("A", "B"), "actions": LEFT_AND_RIGHT},
        ),
        (
            compact.GraphicalGame.from_tables,
            [[(1,), (0,)], [PENNIES, PENNIES]],
            {"players": ("A", "B"), "actions": LEFT_AND_RIGHT},
        ),
        (
            compact.CongestionGame.from_delays,
            [{"r": [1, 2]}, {"a": ["r"]}],
            {"players": ("A", "B"), "num_players": 2},
        ),
        (
            compact.AnonymousGame.from_function,
            [lambda _own, _others: 1],
            {"actions": ("a", "b"), "num_players": 2, "players": ("A", "B")},
        ),
        (compact.PolymatrixGame.from_edges, [{(0, 1): (PENNIES, PENNIES)}], {"decimals": False}),
        (lambda pair: compact.PolymatrixGame.from_edges({(0, 1): pair}), [(PENNIES, PENNIES)], {}),
        (lambda one: compact.PolymatrixGame.from_edges({(0, 1): (one, PENNIES)}), [PENNIES], {}),
        (lambda used: compact.CongestionGame.from_delays({"r": [1]}, [{"a": used}]), [["r"]], {}),
        (lambda own: compact.CongestionGame.from_delays({"r": [1]}, [own]), [{"a": ["r"]}], {}),
        (lambda costs: compact.CongestionGame.from_delays({"r": costs}, [{"a": ["r"]}]), [[1]], {}),
    ],
)
def test_what_builds_a_game_checks_its_arguments(build, right, options):
    assert python_errors(build, right, options) == []


@each_game
def test_profiles_players_and_actions_are_checked(game):
    profile = uniform_profile(game)
    joint = (0,) * game.num_players
    found = [
        *python_errors(compact.compact_payoffs, [game, profile]),
        *python_errors(compact.certify_compact, [game, profile]),
        *python_errors(compact.compact_best_response, [game, profile], {"player": 0}),
        *python_errors(compact.pure_payoffs, [game, joint]),
        *python_errors(compact.compact_to_normal, [game], {"max_profiles": 1000}),
        *python_errors(compact.certify_all_pure, [game]),
    ]
    assert found == []


@pytest.mark.parametrize(
    "read", [GAMES[0].bimatrix, GAMES[1].table, GAMES[3].table], ids=["edge", "graph", "counts"]
)
def test_numbers_of_players_and_edges_are_checked(read):
    assert python_errors(read, [0]) == []


def test_functions_of_one_kind_of_game_check_it():
    stable = pure_profile(ROADS, (0, 0, 1))
    worst = pure_profile(ROADS, (0, 0, 0))
    found = [
        *python_errors(compact.rosenthal_potential, [ROADS, (0, 0, 1)]),
        *python_errors(compact.social_cost, [ROADS, (0, 0, 1)]),
        *python_errors(compact.certify_anarchy, [ROADS, stable, stable, worst]),
        *python_errors(compact.is_constant_sum_polymatrix, [GAMES[0]]),
        *python_errors(compact.is_constant_sum_polymatrix, [GAMES[0]], wrong=[int]),
        *python_errors(compact.is_polymatrix, [load_game("chicken")]),
        *python_errors(compact.normal_to_polymatrix, [load_game("chicken")]),
    ]
    assert found == []


def test_count_vectors_are_of_numbers():
    def first(total, kinds):
        return next(compact.count_vectors(total, kinds))

    assert python_errors(first, [2, 2]) == []


def test_count_vectors_of_many_kinds_are_no_deep_recursion():
    assert len(list(compact.count_vectors(1, 5_000))) == 5_000
