"""Security games: what is refused, what is kept, and what makes two games the same."""

from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import InvalidArgument, InvalidGame, SecurityGame, load_game

TABLES = {
    "defender_uncovered": [-5, -2],
    "defender_covered": [1, 0],
    "attacker_uncovered": [5, 2],
    "attacker_covered": [-1, "-1/3"],
}


def build(*, resources=1, targets=None, types=None, prior=None, **tables):
    labels = {"targets": targets, "types": types, "prior": prior}
    return SecurityGame.from_payoffs(resources=resources, **labels, **{**TABLES, **tables})


def test_tables_are_where_the_record_says():
    game = build(attacker_uncovered=[[5, 2], [7, 8]], types=("bold", "shy"))
    assert (game.num_targets, game.num_types, game.resources) == (2, 2, 1)
    assert game.players == ("Defender", "Attacker")
    assert game.num_players == 2
    assert game.prior == (Fraction(1, 2), Fraction(1, 2))
    shy = game.exact_payoffs[1].tolist()
    assert shy == [[[-5, -2], [1, 0]], [[7, 8], [-1, Fraction(-1, 3)]]]
    assert "2 targets, 1 resources, 2 types" in repr(game)


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: build(resources=3), "from 0 to the number of targets, 2, but got 3"),
        (lambda: build(resources=-1), "but got -1"),
        (lambda: build(resources=1.0), "but got 1.0"),
        (lambda: build(resources=True), "but got True"),
        (lambda: build(defender_covered=[1, -3]), "target '2' gives -3 covered and -2 uncovered"),
        (lambda: build(attacker_covered=[6, 0]), "attacker at most as much .* '1' gives 6"),
        (lambda: build(attacker_covered=[0]), r"needs 2 numbers in attacker_covered"),
        (lambda: build(attacker_covered=[[0, 0]] * 2, defender_covered=[[0, 0]] * 3), "3 rows"),
        (lambda: build(attacker_covered=[]), "number for each target in attacker_covered"),
        (lambda: build(attacker_covered=["x", 0]), r"attacker_covered: entry \(0,\)"),
        (lambda: build(targets=("a", "a")), "different target labels"),
        (lambda: build(targets=("a",)), "there are 1 targets"),
        (lambda: build(prior=["1/2", "1/2"]), "2 probabilities"),
        (lambda: build(prior=[2]), "needs prior probabilities that sum to 1, but they sum to 2"),
    ],
)
def test_malformed_games_are_refused(make, complaint):
    with pytest.raises(InvalidGame, match=complaint):
        make()


def test_floats_stay_floats_unless_a_rational_is_among_them():
    floats = {name: np.array(row, dtype=float) for name, row in TABLES.items() if name[0] == "d"}
    whole = {name: np.array([0.1, 0.2]) for name in ("attacker_uncovered", "attacker_covered")}
    assert build(**floats, **whole).given_payoffs.dtype == np.float64
    mixed = build(**floats)
    assert mixed.exact_payoffs[0, 1, 1, 1] == Fraction(-1, 3)


@pytest.mark.parametrize(
    "other",
    [
        lambda: build(resources=2),
        lambda: build(targets=("a", "b")),
        lambda: build(defender_covered=[1, 1]),
        lambda: build(types=("bold",)),
        lambda: None,
    ],
)
def test_any_difference_makes_another_game(other):
    assert build() != other()


@pytest.mark.parametrize(
    ("name", "text"),
    [("guarded_targets", t) for t in ("targets=0", "resources=7", "resources=-1", "types=0")]
    + [("house_patrol", t) for t in ("houses=1", "length=4", "types=13")],
)
def test_catalogue_refuses_sizes_out_of_range(name, text):
    with pytest.raises(InvalidArgument, match=f"{name}: needs"):
        load_game(f"{name}:{text}")
