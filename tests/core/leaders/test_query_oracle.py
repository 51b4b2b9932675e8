"""Query oracles: laws of halting states, graphs of all answers, malformed and endless ones."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, InvalidGame, UnsupportedGame
from gametheory_core.distributions import point_mass, uniform
from gametheory_core.leaders import HALT, halting_states
from gametheory_core.leaders.query_oracle import checked_oracle, query_graph
from tests.core.leaders.scripted_oracle import Scripted
from tests.sample_sizes import examples

COIN = Scripted(
    {"start": "o", "again": "o"},
    {
        ("start", "a"): uniform(["again", "done"]),
        ("start", "b"): point_mass("end"),
        ("again", "a"): point_mass("done"),
        ("again", "b"): point_mass("end"),
    },
)
LOOP = Scripted(
    {"start": "o", "here": "o", "there": "p", "below": "o"},
    {
        ("start", "a"): point_mass("here"),
        ("start", "b"): point_mass("end"),
        ("here", "a"): point_mass("there"),
        ("here", "b"): point_mass("end"),
        ("there", "a"): point_mass("here"),
        ("there", "b"): point_mass("below"),
        ("below", "a"): point_mass("end"),
        ("below", "b"): point_mass("end"),
    },
)


def test_law_of_halting_states_adds_up_over_chance():
    assert dict(halting_states(COIN, lambda _: "a")) == {"done": Fraction(1)}
    mixed = Scripted(COIN.queries, COIN.after, first=uniform(["start", "end"]))
    assert dict(halting_states(mixed, lambda _: "b")) == {"end": Fraction(1)}
    chance = Scripted({"start": "o"}, {("start", "a"): uniform("xyy")})
    assert dict(halting_states(chance, lambda _: "a")) == {"x": Fraction(1, 3), "y": Fraction(2, 3)}


def test_answers_are_asked_for_by_observation():
    assert dict(halting_states(COIN, {"o": "b"}.get)) == {"end": 1}


def test_graph_counts_queries():
    graph = query_graph(COIN, lambda _: ("a", "b"), max_states=10)
    assert graph.querying == ("start", "again")
    assert set(graph.halting) == {"done", "end"}
    assert (graph.fewest, graph.most) == (1, 2)


def test_graph_of_an_oracle_that_asks_nothing():
    graph = query_graph(Scripted({}, {}), lambda _: ("a",), max_states=1)
    assert graph == type(graph)((), ("start",), 0, 0)


@examples(100)
@given(st.data(), st.integers(1, 8))
def test_most_queries_of_random_acyclic_oracles(data, size):
    """Arrows go upwards, so the longest way is found by plain recursion."""
    after = {
        (z, a): point_mass(data.draw(st.integers(z + 1, size))) for z in range(size) for a in "ab"
    }
    oracle = Scripted(dict.fromkeys(range(size), "o"), after, first=point_mass(0))

    def longest(z):
        return 0 if z == size else 1 + max(longest(after[z, a].items[0][0]) for a in "ab")

    def shortest(z):
        return 0 if z == size else 1 + min(shortest(after[z, a].items[0][0]) for a in "ab")

    graph = query_graph(oracle, lambda _: ("a", "b"), max_states=100)
    assert (graph.fewest, graph.most) == (shortest(0), longest(0))


def test_loop_is_refused_with_a_state_on_it():
    with pytest.raises(
        UnsupportedGame,
        match=r"in state '(here|there)' it asks about '[op]' and may be back there after 2 queries",
    ):
        query_graph(LOOP, lambda _: ("a", "b"), max_states=100)


def test_loop_that_legal_answers_avoid_is_no_loop():
    assert query_graph(LOOP, lambda _: ("b",), max_states=100).most == 1


def test_endless_querying_is_refused_with_what_is_asked():
    with pytest.raises(UnsupportedGame, match=r"max_queries = 7 .* asks about '[op]' once more"):
        halting_states(LOOP, lambda _: "a", max_queries=7)


def test_as_many_queries_as_allowed_are_answered():
    assert dict(halting_states(COIN, lambda _: "a", max_queries=2)) == {"done": 1}
    with pytest.raises(UnsupportedGame, match="max_queries = 1 queries, but in state 'again'"):
        halting_states(COIN, lambda _: "a", max_queries=1)


def test_too_many_states_are_refused_with_the_depth():
    class Counting:
        def start(self):
            return point_mass(0)

        def query(self, _):
            return "o"

        def answer(self, state, _):
            return point_mass(state + 1)

        follower_policy = None

    with pytest.raises(UnsupportedGame, match="max_states = 5 states, but it has more within 5"):
        query_graph(Counting(), lambda _: ("a",), max_states=5)


@pytest.mark.parametrize(
    ("oracle", "message"),
    [
        (Scripted({}, {}, first="start"), r"start\(\): needs a Distribution, but is 'start'"),
        (Scripted({"start": ["o"]}, {}), r"query\('start'\): needs an observation .* \['o'\]"),
        (
            Scripted({"start": "o"}, {("start", "a"): "end"}),
            r"answer\('start', 'a'\): needs a Distribution, but is 'end'",
        ),
    ],
)
def test_malformed_answer_is_refused(oracle, message):
    with pytest.raises(InvalidGame, match=message):
        halting_states(oracle, lambda _: "a")


def test_what_is_no_oracle_is_refused():
    with pytest.raises(
        InvalidArgument, match="halting_states: needs a query oracle .* lacks start"
    ):
        halting_states(object(), str)
    with pytest.raises(InvalidArgument, match="is a class: call it"):
        checked_oracle(Scripted, "here")


def test_policies_come_as_lotteries():
    checked = checked_oracle(Scripted({}, {}, {"start": "policy", "other": uniform("xy")}), "here")
    assert checked.follower_policy("start") == point_mass("policy")
    assert checked.follower_policy("other") == uniform("xy")
    assert checked_oracle(checked, "again") is checked
    assert repr(HALT) == "HALT"


class Doubling:
    """Draws one bit after each query, and remembers all."""

    def start(self):
        return point_mass(())

    def query(self, state):
        return HALT if len(state) == 4 else "o"

    def answer(self, state, _):
        return uniform(((*state, 0), (*state, 1)))

    follower_policy = None


def test_states_that_multiply_are_refused_with_their_number():
    assert len(halting_states(Doubling(), lambda _: "a", max_states=1 + 2 + 4 + 8 + 16)) == 16
    with pytest.raises(
        UnsupportedGame,
        match=r"at most max_states = 30 states, but after 15 states in 3 queries, 16 or more",
    ):
        halting_states(Doubling(), lambda _: "a", max_states=30)
