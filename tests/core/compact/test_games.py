"""Compact games as records: what constructors read, and what they refuse."""

import pickle
from dataclasses import replace
from fractions import Fraction
from itertools import count

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, InvalidGame, UnsupportedGame, compact
from gametheory_core.compact.anonymous import num_count_vectors
from gametheory_core.memory import memory_limit

PAIR = ([[1, 2], [3, 4]], [[5, 6], [7, 8]])


@given(
    st.one_of(
        compact.polymatrix_games(),
        compact.graphical_games(),
        compact.congestion_games(),
        compact.anonymous_games(),
    )
)
def test_a_pickle_is_the_same_game(game):
    copy = pickle.loads(pickle.dumps(game))
    assert copy == game
    assert hash(copy) == hash(game)


def test_an_edge_the_other_way_round_is_the_same_edge():
    turned = tuple(np.transpose(part).tolist() for part in reversed(PAIR))
    assert compact.PolymatrixGame.from_edges({(0, 1): PAIR}) == compact.PolymatrixGame.from_edges(
        {(1, 0): turned}
    )


def test_payoffs_of_an_edge_are_laid_out_as_said():
    game = compact.PolymatrixGame.from_edges({(0, 2): PAIR, (0, 1): ([[0], [9]], [[0], [-9]])})
    assert game.edges.tolist() == [[0, 1], [0, 2]]
    assert game.bimatrix(1).astype(int).tolist() == list(PAIR)
    assert game.num_actions == (2, 1, 2)
    assert game.neighbors == ((1, 2), (0,), (0,))


def test_floats_mean_what_they_are_or_decimals():
    edges = {(0, 1): (np.array([[0.1]]), np.array([[0.5]]))}
    assert compact.PolymatrixGame.from_edges(edges).exact_payoffs[0] == Fraction(0.1)
    tenth = compact.PolymatrixGame.from_edges(edges, decimals=True).exact_payoffs[0]
    assert tenth == Fraction(1, 10)


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ({(0, 0): PAIR}, "a pair of two players' numbers"),
        ({(0, -1): PAIR}, "a pair of two players' numbers"),
        ({"ab": PAIR}, "a pair of two players' numbers"),
        ({(0, 1): PAIR, (1, 0): PAIR}, "each pair of players once"),
        ({(0, 1): ([[1, 2]], [[1], [2]])}, "two matrices of one shape"),
        ({(0, 1): PAIR, (1, 2): ([[1]], [[1]])}, "player 2 has 2 on edge"),
        ({(0, 1): ([[float("nan")]], [[1]])}, "finite number"),
        ({}, "at least one player"),
        (
            {(0, 1): {((1, 2), (3, 4)): 0, ((5, 6), (7, 8)): 0}},
            "a pair of matrices.*edge .0, 1. has {",
        ),
        ({(0, 1): (*PAIR, PAIR[0])}, "a pair of matrices"),
        ({(0, 10**12): PAIR}, "players up to 1000000000000, and none names player 1"),
    ],
)
def test_edges_that_make_no_game_are_refused(edges, message):
    with pytest.raises(InvalidGame, match=message):
        compact.PolymatrixGame.from_edges(edges)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"edges": [(1, 0)]}, "edges \\(i, j\\) with 0 <= i < j <= 1"),
        ({"edges": [(0, 2)]}, "edges \\(i, j\\)"),
        ({"edges": [(0, 1), (0, 1)]}, "each once"),
        ({"edges": [(0.5, 1)]}, "pairs of numbers of players"),
        ({"given_payoffs": [1, 2, 3]}, "8 payoffs, two for each pair"),
        ({"actions": (("a", "b"),)}, "action labels for each of 2 players"),
        ({"actions": (("a", "b"), ())}, "player 2 has none"),
        ({"actions": (("a", "a"), ("a", "b"))}, "'a'"),
        ({"players": ("x", "x")}, "'x'"),
    ],
)
def test_parts_that_do_not_fit_are_refused(changes, message):
    parts = {
        "players": ("x", "y"),
        "actions": (("a", "b"),) * 2,
        "edges": [(0, 1)],
        "given_payoffs": list(range(8)),
    }
    assert compact.PolymatrixGame(**parts).num_edges == 1
    with pytest.raises(InvalidGame, match=message):
        compact.PolymatrixGame(**{**parts, **changes})


@pytest.mark.parametrize(
    ("neighbors", "tables", "message"),
    [
        ([(1,), (0,)], [[1, 2]], "a neighborhood for each of 1 players"),
        ([(1,), ()], [[[1, 2]], [1]], "shape \\(1, 1\\) for player 1"),
        ([(0,), ()], [[[1]], [1]], "without the player"),
        ([(2,), ()], [[[1]], [1]], "neighbors from 0 to 1"),
        ([()], [[]], "a table over own actions"),
        ([], [], "at least one player"),
    ],
)
def test_tables_that_make_no_graphical_game_are_refused(neighbors, tables, message):
    with pytest.raises(InvalidGame, match=message):
        compact.GraphicalGame.from_tables(neighbors, tables)


def test_a_table_is_read_in_the_order_of_neighbors():
    table = np.arange(12).reshape(2, 3, 2)
    game = compact.GraphicalGame.from_tables([(1, 2), (), ()], [table, [0, 0, 0], [0, 0]])
    assert game.table(0).astype(int).tolist() == table.tolist()
    assert compact.pure_payoffs(game, (1, 2, 0))[0] == table[1, 2, 0]


@pytest.mark.parametrize(
    ("delays", "actions", "options", "message"),
    [
        ({"r": [1]}, {"a": ["r"]}, {"num_players": 2}, "a delay for each number of users"),
        ({"r": [1]}, {"a": ["q"]}, {"num_players": 1}, "action 'a' uses 'q'"),
        ({"r": [1]}, {"a": ["r"]}, {}, "nothing says it"),
        ({"r": [1]}, [{"a": ["r"]}], {"num_players": 2}, "actions says 1, num_players says 2"),
        ({"r": [1]}, {"a": ["r", "r"]}, {"num_players": 1}, "each once"),
        (
            {"r": [1]},
            {"a": ["r"]},
            {"num_players": 0},
            "num_players to be an integer of at least 1",
        ),
        ({"r": [1]}, [{}], {}, "at least one action"),
        ({"r": {1: 5}}, [{"a": ["r"]}], {}, "delays as a sequence.*'r' has {1: 5}"),
        ({"r": "5"}, [{"a": ["r"]}], {}, "delays as a sequence.*'r' has '5'"),
        ({"r": {5}}, [{"a": ["r"]}], {}, "delays as a sequence"),
        ({"r": 5}, [{"a": ["r"]}], {}, "delays as a sequence.*'r' has 5"),
    ],
)
def test_delays_that_make_no_game_are_refused(delays, actions, options, message):
    with pytest.raises((InvalidGame, InvalidArgument), match=message):
        compact.CongestionGame.from_delays(delays, actions, **options)


def test_delays_may_be_functions_and_sequences():
    game = compact.CongestionGame.from_delays(
        {"r": lambda users: users**2, "s": [1, "1/2"]}, {"a": ["r"], "b": ["s"]}, num_players=2
    )
    assert game.exact_delays.tolist() == [[1, 4], [1, Fraction(1, 2)]]


@pytest.mark.parametrize(("total", "kinds"), [(0, 1), (3, 1), (3, 2), (4, 3), (2, 4)])
def test_count_vectors_are_counted_and_in_order(total, kinds):
    vectors = list(compact.count_vectors(total, kinds))
    assert len(vectors) == num_count_vectors(total, kinds)
    assert vectors == sorted(set(vectors))
    assert {sum(vector) for vector in vectors} == {total}


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ((("x", "y"), (), [[[1]]]), "at least one action"),
        ((("x", "y"), ("a", "b"), [[[1, 2]]]), "payoffs of shape \\(1, 2, 2\\)"),
        ((("x", "y"), ("a",), [[[1]], [[1]], [[1]]]), "payoffs of shape"),
    ],
)
def test_tables_that_make_no_anonymous_game_are_refused(parts, message):
    with pytest.raises(InvalidGame, match=message):
        compact.AnonymousGame(*parts)


def _must_not_be_asked(*_):
    raise AssertionError("asked for a payoff")


@pytest.mark.parametrize(
    ("players", "actions", "message"),
    [
        (200, 5, "343,425,250 numbers, one for each of 68,685,050 counts of 199 others over 5"),
        (10**9, 2, "2,000,000,000 numbers"),
        (10**30, 3, r"over 2\^199 numbers"),
    ],
)
def test_tables_that_do_not_fit_are_refused_before_a_function_is_asked(players, actions, message):
    refused = pytest.raises(UnsupportedGame, match=rf"needs .* of memory for {message}")
    with memory_limit(2**30), refused:
        compact.AnonymousGame.from_function(
            _must_not_be_asked, actions="abcde"[:actions], num_players=players
        )


def test_delays_that_do_not_fit_are_refused_before_a_function_is_asked():
    refused = pytest.raises(UnsupportedGame, match="2,000,000,000 numbers, a delay of each of 2")
    with memory_limit(2**30), refused:
        compact.CongestionGame.from_delays(
            {"r": _must_not_be_asked, "s": _must_not_be_asked}, {"a": ["r"]}, num_players=10**9
        )


def test_two_hundred_players_of_two_actions_fit():
    game = compact.AnonymousGame.from_function(
        lambda own, others: others[own], actions="ab", num_players=200
    )
    assert game.table(0)[0].tolist() == list(range(200))


def test_edges_to_players_that_there_are_not_are_refused_at_once():
    with pytest.raises(InvalidGame, match="between players from 0 to 1, but one names player 2"):
        compact.PolymatrixGame.from_edges({(0, 2): ([[1]], [[1]])}, players=("A", "B"))
    with pytest.raises(InvalidGame, match="between players from 0 to 1, but one names player 1000"):
        compact.PolymatrixGame.from_edges({(0, 10**12): ([[1]], [[1]])}, players=("A", "B"))


def test_actions_say_how_many_players_there_are():
    game = compact.PolymatrixGame.from_edges(
        {(0, 1): ([[1]], [[1]])}, actions=(("a",), ("b",), ("c", "d"))
    )
    assert game.num_actions == (1, 1, 2)


def test_endless_delays_are_refused():
    with pytest.raises(InvalidGame, match="from 1 to 2, but resource 'r' has more"):
        compact.CongestionGame.from_delays({"r": count()}, {"a": ["r"]}, num_players=2)


def test_a_game_without_resources_costs_nothing():
    game = compact.CongestionGame.from_delays({}, {"stay": []}, num_players=2)
    assert compact.pure_payoffs(game, (0, 0)) == (0, 0)


def test_identity_is_of_all_fields_but_the_title():
    pays = [[1, 0], [0, 1]]
    edges = compact.PolymatrixGame.from_edges(
        {(0, 1): (pays, pays)}, players=("A", "B", "C"), actions=[("x", "y")] * 3
    )
    near = compact.GraphicalGame.from_tables([(1,), (2,), (0,)], [pays] * 3)
    roads = compact.CongestionGame.from_delays(
        {"r": [1, 2], "s": [1, 2]}, {"a": ["r"], "b": ["s"]}, num_players=2
    )
    others = compact.AnonymousGame.from_function(
        lambda own, others: others[own], actions=("a", "b"), num_players=3
    )
    for game, changed in (
        (edges, {"edges": [[0, 2]]}),
        (edges, {"given_payoffs": edges.given_payoffs + 1}),
        (near, {"neighbors": ((2,), (2,), (0,))}),
        (near, {"actions": (("1", "2"), ("1", "2"), ("1", "3"))}),
        (roads, {"uses": (((0,), (1,)), ((1,), (0,)))}),
        (roads, {"resources": ("r", "t")}),
        (roads, {"given_delays": roads.given_delays + 1}),
        (others, {"labels": ("a", "c")}),
        (others, {"players": ("A", "B", "C")}),
    ):
        assert replace(game, **changed) != game
        assert replace(game, **changed).digest != game.digest
        assert replace(game, title="another") == game
        assert hash(replace(game, title="another")) == hash(game)
