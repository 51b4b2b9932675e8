"""Every bot throws as its plain twin does, throw for throw; automata have its distributions."""

from fractions import Fraction
from itertools import pairwise
from math import isqrt

import numpy as np
import pytest

from learners.roshambo import play_match
from learners.roshambo.bots import CompiledBot, automaton, embedded_bots
from tests.learners.roshambo.bots import plain_bots as plain
from tests.learners.roshambo.simple_bots import Copying, Drawn, Scripted

RECIPES = {recipe.name: recipe for recipe in embedded_bots()}
FINITE = [name for name, recipe in RECIPES.items() if recipe.family.automaton is not None]
UNBOUNDED = [name for name in RECIPES if name not in FINITE]
OPPONENTS = {
    "random": (Drawn(), 80),
    "cycle": (Scripted([0, 1, 1, 2, 0]), 60),
    "copy": (Copying(), 60),
    "skewed": (Scripted([1, 1, 0, 1, 1, 1, 2]), 100),
}


def distribution(recipe, x, y):
    return plain.DISTRIBUTIONS[recipe.family.name](x, y, **recipe.parameters)


def histories(seed, length):
    return np.random.default_rng(seed).integers(3, size=(2, length)).tolist()


def at(model, x, y):
    """The distribution after histories."""
    state = 0
    for own, other in zip(x, y, strict=True):
        state = model.successors[state, own, other]
    return model.strategies[state].tolist()


@pytest.mark.parametrize("opponent", OPPONENTS)
@pytest.mark.parametrize("name", UNBOUNDED)
def test_a_bot_throws_as_its_plain_twin(name, opponent):
    recipe, (other, throws) = RECIPES[name], OPPONENTS[opponent]
    x, y = play_match(CompiledBot(recipe), other, throws=throws, seeds=(5, 6)).histories.tolist()
    rule, rng = plain.THROWS[recipe.family.name], plain.Stream(5)
    more = {"memo": {}} if recipe.family.name in plain.REMEMBERING else {}
    twin = [rule(x[:t], y[:t], rng, **recipe.parameters, **more) for t in range(throws)]
    assert twin == x


@pytest.mark.parametrize("opponent", ["beat", "loser_shifts", "negative_recency"])
def test_a_hill_climber_tells_winning_from_losing_for_long(opponent):
    """Its average policy shows in nothing else, and late."""
    recipe, other, rng = RECIPES["wolf"], CompiledBot(RECIPES[opponent]), plain.Stream(5)
    x, y = play_match(CompiledBot(recipe), other, throws=400, seeds=(5, 6)).histories.tolist()
    assert [plain.wolf(x[:t], y[:t], rng, **recipe.parameters) for t in range(400)] == x


@pytest.mark.parametrize("name", FINITE)
def test_an_automaton_throws_by_its_own_distributions(name):
    """With numbers drawn only where no throw is certain."""
    model = automaton(CompiledBot(RECIPES[name]))
    match = play_match(CompiledBot(RECIPES[name]), Drawn(), throws=200, seeds=(8, 9))
    x, y = match.histories.tolist()
    rng, state = plain.Stream(8), 0
    for own, other in zip(x, y, strict=True):
        assert plain.throw_by(model.strategies[state], rng) == own
        state = model.successors[state, own, other]


@pytest.mark.parametrize(
    "name", [name for name in FINITE if RECIPES[name].family.name in plain.DISTRIBUTIONS]
)
def test_the_distributions_of_an_automaton_are_those_of_the_plain_twin(name):
    model = automaton(CompiledBot(RECIPES[name]))
    for length in (0, 1, 2, 3, 5, 9, 30):
        for seed in range(20):
            x, y = histories(seed, length)
            expected = list(map(Fraction, distribution(RECIPES[name], x, y)))
            assert at(model, x, y) == expected


def thrown(name):
    model = automaton(CompiledBot(RECIPES[name]))
    assert (
        model.successors == (np.arange(model.num_states)[:, None, None] + 1) % model.num_states
    ).all()
    return [row.index(1) for row in model.strategies.tolist()]


@pytest.mark.parametrize(("name", "order"), [("de_bruijn_3", 3), ("de_bruijn_5", 5)])
def test_a_de_bruijn_cycle_has_every_word_once(name, order):
    cycle = thrown(name)
    words = {tuple((cycle * 2)[i : i + order]) for i in range(len(cycle))}
    assert len(words) == len(cycle) == 3**order
    assert cycle[:order] == [0] * order


def test_nothing_is_said_twice_in_a_row():
    word = thrown("square_free")
    assert len(word) == 729
    for length in range(1, 200):
        for i in range(len(word) - 2 * length + 1):
            assert word[i : i + length] != word[i + length : i + 2 * length]


def test_digits_are_those_of_constants():
    # pi in base 3 is 10.010211012222..., from the sequence A004602
    assert thrown("digits_of_pi")[:12] == [0, 1, 0, 2, 1, 1, 0, 1, 2, 2, 2, 2]
    digits = thrown("digits_of_root_two")
    scaled = isqrt(2 * 9 ** len(digits))
    whole = []
    for _ in digits:
        scaled, digit = divmod(scaled, 3)
        whole.insert(0, digit)
    assert digits == whole
    assert scaled == 1


def test_drawn_tables_depend_on_what_they_look_at():
    table = automaton(CompiledBot(RECIPES["drawn_table_2"]))
    assert table.num_states == 1 + 9 + 81
    assert len({tuple(row) for row in table.strategies.tolist()}) > 70
    x, y = histories(1, 12)
    assert at(table, x, y) == at(table, x[-2:], y[-2:]) != at(table, x[-1:], y[-1:])
    machine = automaton(CompiledBot(RECIPES["drawn_automaton"]))
    assert machine.num_states == 12
    reached = {0}
    for _ in range(12):
        reached |= set(machine.successors[sorted(reached)].ravel().tolist())
    assert len(reached) > 6


def test_each_bot_is_another():
    found = {}
    for name, recipe in RECIPES.items():
        key = tuple(
            play_match(CompiledBot(recipe), other, throws=60, seeds=(3, 4)).histories[0].tobytes()
            for other, _ in OPPONENTS.values()
        )
        assert key not in found, (name, found.get(key))
        found[key] = name
    assert all(a != b for a, b in pairwise(found))
