"""How far play is followed: limits, horizons, and the longest play."""

import pytest

from gametheory_core import UnsupportedGame, posg_to_extensive
from gametheory_core.conversions import posg_from_tables
from gametheory_core.conversions.tabular import explore
from gametheory_core.games import longest_play


def followed(start, graph, *, horizon=None, most=100):
    met = []

    def expand(place):
        met.append(place)
        return graph(place)

    explore(
        start,
        expand,
        horizon=horizon,
        most=most,
        needs="places",
        whose="the test",
        unit="steps",
        stop="stop",
    )
    return met


def test_each_place_is_expanded_once_and_the_horizon_ends_it():
    assert followed([0], lambda n: [(n + 1) % 3, n]) == [0, 1, 2]
    assert followed([0], lambda n: [n + 1], horizon=3) == [0, 1, 2]
    assert followed([], lambda n: [n]) == []


def test_places_at_the_horizon_do_not_count():
    """Three are expanded; the thousand beyond the last step are not."""
    graph = {0: [1], 1: [2], 2: range(1000)}
    assert followed([0], graph.__getitem__, horizon=3, most=3) == [0, 1, 2]


def test_too_many_places_are_refused_within_a_step():
    with pytest.raises(
        UnsupportedGame, match="needs places, but the test has more than 3 within 1 steps"
    ):
        followed([0], lambda n: range(n + 1, n + 9), most=3)


def one_player(ways, **options):
    """Return a game in which the action names the next state."""
    actions = tuple(sorted({after for _, after in ways}))
    states = sorted({before for before, _ in ways})
    return posg_from_tables(
        players=("walker",),
        actions=(actions,),
        initial={"a": 1},
        transitions={(s, (t,)): {t: 1} for s, t in ways},
        observations={((t,), t): {(t,): 1} for _, t in ways if t in states},
        initial_observations={"a": {("a",): 1}},
        legal_actions={(0, s): tuple(t for b, t in ways if b == s) for s in states},
        **options,
    )


@pytest.mark.parametrize("order", [1, -1])
def test_the_longest_play_counts_where_shorter_ways_lead_to_the_same_place(order):
    ways = [("a", "aa"), ("aa", "d"), ("a", "b"), ("b", "c"), ("c", "d"), ("d", "end")]
    ways += [("a", "x"), ("x", "d"), ("a", "d")]  # short ways before and after the long one
    game = one_player(ways[::order], terminal=("end",))
    assert longest_play(game) == 4
    assert posg_to_extensive(game).source is game
    assert posg_to_extensive(game).target == posg_to_extensive(game, horizon=9).target


def test_play_that_can_come_back_has_no_longest():
    ways = [("a", "b"), ("b", "a"), ("b", "end")]
    assert longest_play(one_player(ways, terminal=("end",))) is None


def test_long_plays_without_a_choice_are_counted_without_walking_them():
    """There are 10^9 + 1 nodes; nearly all are known once steps repeat."""
    steady = one_player([("a", "a")], horizon=10**9)
    with pytest.raises(UnsupportedGame, match=r"steps has 1,000,000,000 or more"):
        posg_to_extensive(steady)
    assert posg_to_extensive(one_player([("a", "a")], horizon=3000)).target.num_nodes == 3001


def test_long_plays_that_change_are_walked_to_their_end():
    """Many steps make a node each, and then play ends: no bound may be read from the rate."""
    ways = [(str(n) if n else "a", str(n + 1)) for n in range(1500)]
    game = one_player(ways, terminal=("1500",), horizon=10**9)
    assert posg_to_extensive(game).target.num_nodes == 1501
