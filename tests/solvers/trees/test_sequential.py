"""Sequential equilibria: by trembles where payoffs are opposed, else by backward induction."""

import re
from fractions import Fraction
from time import process_time

import pytest

from gametheory_core import Chance, Decision, NotConverged, Terminal, UnsupportedGame, from_sketch
from gametheory_core.catalog import load
from solvers import Budget, backward_induction, sequential_equilibrium


def test_beliefs_of_guess_the_ace_are_those_of_the_deck():
    for cards in (3, 52):
        solution = sequential_equilibrium(load(f"guess_the_ace:cards={cards}"))
        solution.certificate.verify()
        assert solution.certificate.beliefs[1] == (Fraction(1, cards), Fraction(cards - 1, cards))
        assert solution.profile.probabilities[1].tolist() == [0, 1]


@pytest.mark.parametrize("name", ["kuhn_poker", "one_card_poker", "liars_dice:sides=3"])
def test_zero_sum_trees(name):
    game = load(name)
    solution = sequential_equilibrium(game)
    solution.certificate.verify()
    assert solution.run.algorithm == "sequential_equilibrium"
    assert len(solution.certificate.beliefs) == game.num_decision_infosets


def test_perfect_information_of_any_number_of_players():
    answer = Decision(2, "Carl", {"l": Terminal([1, 2, 3]), "r": Terminal([3, 2, 1])})
    weather = Chance({"sun": ("1/3", answer), "rain": ("2/3", Terminal([0, 0, 0]))})
    tree = from_sketch(
        Decision(1, "Bob", {"go": weather, "wait": Terminal([1, "1/2", 1])}),
        players=("Ann", "Bob", "Carl"),
    )
    solution = sequential_equilibrium(tree)
    solution.certificate.verify()
    assert solution.profile == backward_induction(tree).profile
    assert solution.certificate.beliefs == ((1,), (1,))
    assert solution.payoffs == (Fraction(1, 3), Fraction(2, 3), 1)


def test_a_budget_that_ends_in_backward_induction_has_a_message_of_its_own():
    message = (
        "sequential_equilibrium: needs an action and a belief at every information set, but the "
        "budget ended after 3 levels of the tree. Give a larger budget."
    )
    with pytest.raises(NotConverged, match=f"^{re.escape(message)}$") as caught:
        sequential_equilibrium(load("centipede"), budget=Budget(iterations=3))
    assert caught.value.best is None


def test_time_is_looked_at_while_plans_are_multiplied():
    game = load("centipede:rounds=800")
    before = process_time()
    with pytest.raises(NotConverged, match="the budget ended after [0-9]+ levels"):
        sequential_equilibrium(game, budget=Budget(seconds=0.5))
    assert process_time() - before < 2  # the plans alone take several seconds


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (load("selten_horse"), "two players, .* has 3"),
        (load("beer_quiche"), "a constant sum .* sum to 4, not 1"),
        (load("centipede:rounds=4000"), "at most 5,000,000 coefficients"),
        (
            from_sketch(
                Chance(
                    {"x": (0, Decision(0, "never", {"a": Terminal([1])})), "y": (1, Terminal([0]))}
                ),
                players=("Ann",),
            ),
            "only chance moves of probability 0 lead to information set 'never'",
        ),
    ],
)
def test_what_is_not_taken_is_refused_with_a_witness(game, message):
    with pytest.raises(UnsupportedGame, match=f"^sequential_equilibrium: .*{message}"):
        sequential_equilibrium(game)
