"""Best replies to automata and matches of two, against enumeration in rationals."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from learners.roshambo import best_reply, match_value, play_match
from learners.roshambo.bots import (
    Automaton,
    automaton,
    embedded_bot,
    from_recall,
    from_sequence,
    point,
)
from learners.roshambo.exact.automaton_matches import value_bounds
from learners.roshambo.exact.best_replies import UNIT, reply_bounds

THROWS = 4
UNIFORM = from_recall(0, lambda own, other: (Fraction(1, 3),) * 3)


@st.composite
def automata(draw, *, most_states=3, is_drawn=True):
    states = draw(st.integers(1, most_states))
    rows = []
    for _ in range(states):
        if is_drawn:
            parts = draw(st.lists(st.integers(0, 5), min_size=3, max_size=3).filter(any))
        else:
            parts = list(point(draw(st.integers(0, 2))))
        rows.append([Fraction(part, sum(parts)) for part in parts])
    after = draw(st.lists(st.integers(0, states - 1), min_size=9 * states, max_size=9 * states))
    return Automaton(np.array(rows, dtype=object), np.array(after).reshape(states, 3, 3))


def paid(own, other):
    return (0, 1, -1)[(own - other) % 3]


def most_by_enumeration(opponent, throws):
    """The recursion in rationals, written for one state at a time."""

    @cache
    def value(left, state):
        if left == 0:
            return Fraction(0)
        row = opponent.strategies[state]
        return max(sum(row[b] * gain(left, state, a, b) for b in range(3)) for a in range(3))

    def gain(left, state, mine, theirs):
        after = int(opponent.successors[state, theirs, mine])
        return paid(mine, theirs) + value(left - 1, after)

    return value(throws, 0)


def value_by_enumeration(first, second, throws):
    """Every history of a match, weighed by its chance."""

    def value(left, one, two):
        if left == 0:
            return Fraction(0)
        total = Fraction(0)
        for mine, theirs in product(range(3), repeat=2):
            chance = first.strategies[one][mine] * second.strategies[two][theirs]
            if chance:
                after = first.successors[one, mine, theirs], second.successors[two, theirs, mine]
                total += chance * (paid(mine, theirs) + value(left - 1, *map(int, after)))
        return total

    return value(throws, 0, 0)


@given(automata(), st.integers(1, 6))
def test_bounds_hold_the_most_that_can_be_earned(opponent, throws):
    reply = best_reply(opponent, throws=throws)
    reply.verify()
    exact = most_by_enumeration(opponent, throws)
    assert reply.lower <= exact <= reply.upper
    assert reply.upper - reply.lower <= Fraction(6 * throws, UNIT)
    assert exact >= 0  # random throws earn nothing from anybody


@given(automata(most_states=6, is_drawn=False), st.integers(1, 60))
def test_who_draws_nothing_is_answered_exactly(opponent, throws):
    reply = best_reply(opponent, throws=throws)
    assert reply.lower == reply.upper == most_by_enumeration(opponent, throws)


@given(automata(), automata(), st.integers(1, THROWS))
def test_values_of_matches_are_those_of_all_histories(first, second, throws):
    value = match_value(first, second, throws=throws)
    value.verify()
    exact = value_by_enumeration(first, second, throws)
    assert value.lower <= exact <= value.upper
    assert value.upper - value.lower <= Fraction(6 * throws, UNIT)
    turned = match_value(second, first, throws=throws)
    assert turned.lower <= -exact <= turned.upper
    assert value.lower <= best_reply(second, throws=throws).upper


@given(automata(), st.integers(1, 30))
def test_uniform_play_earns_nothing_and_gives_nothing(other, throws):
    for value in (match_value(UNIFORM, other, throws=throws), best_reply(UNIFORM, throws=throws)):
        assert value.lower <= 0 <= value.upper
        assert value.upper - value.lower <= Fraction(6 * throws, UNIT)


@pytest.mark.parametrize("name", ["cycle_up", "de_bruijn_5", "square_free"])
def test_a_reply_earns_its_value_when_played(name):
    bot = embedded_bot(name)
    reply = best_reply(automaton(bot), throws=200)
    assert play_match(reply.bot(), bot, throws=200, seeds=(1, 2)).returns[0] == reply.lower
    assert reply.lower == reply.upper


def test_a_reply_to_a_bot_that_draws_earns_its_value_on_average():
    bot = embedded_bot("conditional_response")
    reply = best_reply(automaton(bot), throws=100)
    own = reply.bot()
    paid = [play_match(own, bot, throws=100, seeds=(1, s)).returns[0] for s in range(1, 401)]
    error = np.std(paid, ddof=1) / 20
    assert abs(np.mean(paid) - float(reply.lower)) < 5 * error


def test_large_denominators_are_exact_too():
    tiny = Fraction(1, 10**30)
    nearly = from_recall(1, lambda own, other: (1 - tiny, tiny, Fraction(0)))
    reply = best_reply(nearly, throws=50)
    reply.verify()
    exact = 50 * (1 - tiny)  # paper beats rock, and ties else
    assert reply.lower <= exact <= reply.upper
    value = match_value(nearly, from_sequence([point(1)]), throws=50)
    assert value.lower <= -exact <= value.upper


def test_products_of_denominators_do_not_overflow():
    """Each alone fits a word with the potential; together they do not, and nonsense would pass."""
    first = from_recall(0, lambda own, other: (Fraction(2002, 2003), Fraction(1, 2003), 0))
    second = from_recall(0, lambda own, other: (0, Fraction(1, 2011), Fraction(2010, 2011)))
    exact = Fraction(2002 * 2010 - 2002 - 2010, 2003 * 2011)
    potential = np.array([[2**46 + 12345], [0]])
    lower, upper = value_bounds(first, second, potential)
    assert lower == upper == exact
    value = match_value(first, second, throws=2000)
    assert value.lower <= 2000 * exact <= value.upper


@given(st.data())
def test_forged_claims_are_rejected(data):
    reply = best_reply(data.draw(automata()), throws=5)
    name = data.draw(st.sampled_from(["lower", "upper"]))
    change = data.draw(st.sampled_from([-1, 1])) * Fraction(1, UNIT**2)
    with pytest.raises(gt.CertificateRejected, match=f"claims {name}"):
        replace(reply, **{name: getattr(reply, name) + change}).verify()
    value = match_value(reply.opponent, data.draw(automata()), throws=5)
    with pytest.raises(gt.CertificateRejected, match=f"claims {name}"):
        replace(value, **{name: getattr(value, name) + change}).verify()


@given(automata(), st.data())
def test_any_potential_and_choices_prove_true_bounds(opponent, data):
    """Twin of the solver: nonsense proves bounds that hold, and are wide."""
    throws, states = 3, opponent.num_states
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    potential = rng.integers(-(2**34), 2**34, (throws + 1, states))
    potential[-1] = 0
    lower, upper = reply_bounds(opponent, rng.integers(0, 3, (throws, states)), potential)
    assert lower <= most_by_enumeration(opponent, throws) <= upper


@pytest.mark.parametrize("size", [2**48, 2**62, 2**63 - 1, -(2**48), -(2**62), -(2**63)])
def test_potentials_beyond_words_prove_nothing(size):

    rock = from_recall(0, lambda own, other: point(0))
    potential = np.array([[size]] * 3 + [[0]])
    with pytest.raises(gt.CertificateRejected, match="a potential below 2.48"):
        reply_bounds(rock, np.ones((3, 1), dtype=np.int8), potential)
    with pytest.raises(gt.CertificateRejected, match="a potential below 2.48"):
        value_bounds(rock, rock, potential)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"potential": np.ones((4, 1), dtype=np.int64)}, "0 after the last throw"),
        ({"potential": np.zeros((3, 1), dtype=np.int64)}, "integer potential of shape"),
        ({"potential": np.zeros((4, 1))}, "integer potential of shape"),
        ({"throws": 2}, "choices for 2 throws"),
        ({"actions": np.full((3, 1), 3, dtype=np.int8)}, "throws of 0, 1 and 2"),
        ({"actions": np.zeros((3, 2), dtype=np.int8)}, "integer actions of shape"),
    ],
)
def test_what_is_no_proof_is_rejected(change, message):
    reply = best_reply(UNIFORM, throws=3)
    with pytest.raises(gt.CertificateRejected, match=message):
        replace(reply, **change).verify()


@pytest.mark.parametrize("solve", [best_reply, lambda o, **k: match_value(o, UNIFORM, **k)])
def test_bad_input_is_refused(solve):
    with pytest.raises(gt.InvalidArgument, match="Automaton"):
        solve(embedded_bot("copy"))
    with pytest.raises(gt.InvalidArgument, match="throws"):
        solve(UNIFORM, throws=0)
    with pytest.raises(gt.InvalidArgument, match="throws to be an integer from 1 to 65535"):
        solve(UNIFORM, throws=65536)


PAPER = from_sequence([point(1)])


@pytest.mark.parametrize("solve", [best_reply, lambda o, **k: match_value(PAPER, o, **k)])
def test_the_longest_match_is_proved(solve):
    found = solve(from_sequence([point(0)]), throws=65535)
    found.verify()
    assert found.lower == found.upper == 65535
