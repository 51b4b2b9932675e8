"""A mediator without memory of returns has an operator that is no contraction.

Section 12 of Dodwadmath and Maghsudi 2025 claims that it is one. One state and two leaders, each
paid 1 for leading, refute it: there is no fixed point at any discount between 0 and 1, iteration
ends in a cycle of two, and close values can have images as far apart as one likes. On a finite
horizon nothing of this matters, as values are computed backwards.

Why it matters (mediation): A claim of convergence without a horizon is refuted, which is why the
library's solver asks for a horizon.
"""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core.mediation import MINIMUM, Fairness, FairnessKind, paid_leadership
from solvers.mediation import RoundsStatus, jam_value_iteration
from tests.sample_sizes import examples
from tests.theorems.mediated_operators import distance, fairest, mediator_operator

SOURCE = "Dodwadmath and Maghsudi 2025"
refuted = pytest.mark.theorem(
    source=SOURCE, statement="Values of a mediator without memory need have no fixed point."
)
MEAN = Fairness(FairnessKind.GINI, weights=("1/2", "1/2"))
DISCOUNTS = st.fractions(Fraction(1, 10), Fraction(9, 10), max_denominator=10)
ALONE = {0: (0, 0)}  # in the only state, each leader's only action


def updated(game, values, fairness=MINIMUM):
    return mediator_operator(game, fairness, ALONE, values)


def wages(discount=Fraction(9, 10)):
    return replace(paid_leadership(), discount=discount)


def values_if_picked(leader, discount):
    """The only values that stay the same if the next leader is always this one."""
    forever = 1 / (1 - discount)
    ahead = [forever if i == leader else Fraction(0) for i in range(2)]
    return {0: [tuple((i == j) + discount * ahead[j] for j in range(2)) for i in range(2)]}


@refuted
@given(DISCOUNTS)
def test_no_values_stay_the_same_at_any_discount(discount):
    for leader in range(2):
        values = values_if_picked(leader, discount)
        assert fairest(MINIMUM, values[0]) == 1 - leader
        assert updated(wages(discount), values) != values


@refuted
def test_the_values_of_the_example_are_as_printed_here():
    assert values_if_picked(0, Fraction(9, 10)) == {0: [(10, 0), (9, 1)]}


@refuted
@examples(10)
@given(DISCOUNTS, st.tuples(*[st.integers(-3, 3)] * 4))
def test_iteration_tends_to_a_cycle_of_two_from_everywhere(discount, start):
    values = {0: [start[:2], start[2:]]}
    cycle = two_cycle(discount)
    for _ in range(120):
        values = updated(wages(discount), values)
    bound = 20 * discount**80
    assert min(distance(values, phase) for phase in cycle) <= bound
    gap = distance(*cycle)
    assert gap == discount / (1 + discount)
    assert distance(values, updated(wages(discount), values)) >= gap - 2 * bound


def two_cycle(discount):
    """Values when the two lead in turn for ever, before each of them."""
    first, second = 1 / (1 - discount**2), discount / (1 - discount**2)
    phases = []
    for ahead in ((first, second), (second, first)):
        phases.append(
            {0: [tuple((i == j) + discount * ahead[j] for j in range(2)) for i in range(2)]}
        )
    return phases


@refuted
@examples(20)
@given(DISCOUNTS)
def test_values_of_taking_turns_are_a_cycle(discount):
    one, other = two_cycle(discount)
    assert updated(wages(discount), one) == other
    assert updated(wages(discount), other) == one


@refuted
def test_close_values_have_distant_images():
    """The ratio of distances is 9 * 10^7 here, and larger for closer values."""
    first = {0: [(0, 1), (1, 0)]}
    second = {0: [(0, 1), (1, Fraction(1, 10**8))]}
    images = [updated(wages(), values) for values in (first, second)]
    assert distance(*images) / distance(first, second) == 9 * 10**7


@refuted
def test_without_a_future_there_is_a_fixed_point():
    values = {0: [(1, 0), (0, 1)]}
    assert updated(wages(Fraction(0)), values) == values


@refuted
@examples(20)
@given(DISCOUNTS)
def test_with_a_mean_for_fairness_there_is_a_fixed_point(discount):
    values = values_if_picked(0, discount)
    assert updated(wages(discount), values, MEAN) == values


@refuted
def test_with_memory_and_an_end_rounds_come_to_rest_and_share_the_wages():
    found = jam_value_iteration(replace(paid_leadership(rounds=6), discount=Fraction(1)))
    assert found.status is RoundsStatus.FIXED
    assert found.fairness == 3
