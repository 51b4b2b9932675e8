"""Exact models: what they are made from, and what is refused."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gametheory_core import InvalidArgument
from learners.roshambo.bots import Automaton, automaton, embedded_bot, embedded_bots
from learners.roshambo.bots.automata import from_recall, from_sequence, point

ONE = [[1, 0, 0]]
HERE = np.zeros((1, 3, 3), dtype=int)


@settings(deadline=None, max_examples=30)
@given(
    recall=st.integers(0, 2),
    own=st.booleans(),
    other=st.booleans(),
    seed=st.integers(0, 99),
    length=st.integers(0, 8),
)
def test_recall_keeps_the_last_throws_of_those_it_looks_at(recall, own, other, seed, length):
    asked = []

    def rule(mine, theirs):
        asked.append((mine, theirs))
        return point(len(asked))

    model = from_recall(recall, rule, own=own, other=other)
    x, y = np.random.default_rng(seed).integers(3, size=(2, length)).tolist()
    state = 0
    for a, b in zip(x, y, strict=True):
        state = model.successors[state, a, b]
    window = [tuple(h[::-1][:recall]) if kept else () for h, kept in ((x, own), (y, other))]
    if own or other:
        assert asked[state] == tuple(window)
    width = (1, 3, 9)[own + other]
    assert model.num_states == sum(width**k for k in range(recall + 1))


def test_a_sequence_begins_again():
    model = from_sequence([point(2), (Fraction(1, 2), Fraction(1, 2), 0)])
    assert model.strategies.tolist() == [[0, 0, 1], [Fraction(1, 2), Fraction(1, 2), 0]]
    assert (model.successors == np.array([1, 0])[:, None, None]).all()


def test_a_model_is_exact_and_cannot_be_changed():
    for recipe in embedded_bots():
        if recipe.family.automaton is None:
            continue
        model = automaton(embedded_bot(recipe.name))
        assert all(type(chance) is Fraction for chance in model.strategies.ravel())
        assert (model.strategies.sum(axis=1) == 1).all()
        assert not model.strategies.flags.writeable
        assert not model.successors.flags.writeable


def test_at_least_thirty_bots_have_a_model_and_others_say_why_not():
    bots = [embedded_bot(recipe.name) for recipe in embedded_bots()]
    unbounded = [bot for bot in bots if bot.recipe.family.automaton is None]
    assert len(bots) - len(unbounded) >= 30
    for bot in unbounded:
        assert bot.recipe.family.unbounded
        with pytest.raises(InvalidArgument, match=f"finitely many states, but {bot.name} "):
            automaton(bot)
    with pytest.raises(InvalidArgument, match="type CompiledBot"):
        automaton("copy")


@pytest.mark.parametrize(
    ("strategies", "successors", "needs"),
    [
        ([[1, 0]], HERE, "3 chances"),
        (ONE, np.zeros((2, 3, 3), dtype=int), "3 x 3 successors"),
        (np.zeros((0, 3)), np.zeros((0, 3, 3), dtype=int), "for each state"),
        ([[Fraction(1, 3)] * 2 + [0]], HERE, "those of state 0 are 1/3, 1/3, 0"),
        ([[2, -1, 0]], HERE, "chances that sum to 1"),
        (ONE, HERE + 1, "from 0 to 0"),
        (ONE, HERE - 1, "from 0 to 0"),
        ([[0.1, 0.2, 0.6]], HERE, r"chances that sum to 1, but those of state 0 are 0.1, 0.2, 0.6"),
        ([[math.nan, 0, 1]], HERE, "3 chances for each state, as .* got nan"),
        ([[math.inf, 0, 0]], HERE, "3 chances for each state, as .* got inf"),
        ([["x", 0, 1]], HERE, "3 chances for each state, as .* got 'x'"),
        ([[1, 0, 0], [1, 0]], HERE, "3 chances for each state"),
        (3, HERE, "3 chances and 3 x 3 successors"),
        (ONE, 4, "3 chances and 3 x 3 successors"),
        ([], [], "3 chances and 3 x 3 successors"),
        (ONE, HERE + 0.5, "3 x 3 successors for each state, as integers"),
        (ONE, [[[0, 0, 0], [0]]], "3 x 3 successors for each state, as integers"),
        (ONE, [[["a"] * 3] * 3], "3 x 3 successors for each state, as integers"),
    ],
)
def test_what_is_no_automaton_is_refused(strategies, successors, needs):
    with pytest.raises(InvalidArgument, match=needs):
        Automaton(strategies, successors)


@pytest.mark.parametrize("recall", [-1, 1.5, None, True])
def test_a_recall_that_is_no_number_is_refused(recall):
    with pytest.raises(InvalidArgument, match="recall to be an integer of at least 0"):
        from_recall(recall, lambda own, other: point(0))


@pytest.mark.parametrize("chances", [None, 5, (1, 0), (1, 0, 0, 0), (1,)])
def test_a_rule_that_gives_no_distribution_is_refused(chances):
    with pytest.raises(InvalidArgument, match="3 chances for each state, but state 0 has"):
        from_recall(1, lambda own, other: chances)
    with pytest.raises(InvalidArgument, match="rule to be a function"):
        from_recall(1, chances)


def test_floats_off_by_rounding_are_scaled():
    assert sum(map(Fraction, (0.1, 0.2, 0.7))) != 1
    own = Automaton(np.array([[0.1, 0.2, 0.7]], dtype=object), np.zeros((1, 3, 3), dtype=np.int64))
    assert sum(own.strategies[0]) == 1
