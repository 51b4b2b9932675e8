"""The laws notice games whose derived numbers were tampered with."""

import numpy as np
import pytest

from gametheory_core import Chance, NormalFormGame, Terminal, from_sketch
from gametheory_core.arrays import exact_array
from gametheory_core.errors import LawBroken
from gametheory_core.testing import check_normal_form, check_tree


def pennies():
    return NormalFormGame.zero_sum([[1, -1], [-1, 1]])


def coin():
    ends = {"h": ("1/2", Terminal([1])), "t": ("1/2", Terminal([0]))}
    return from_sketch(Chance(ends), players=("Ann",))


def test_writable_arrays_break_the_law():
    game = pennies()
    game.__dict__["payoffs"] = np.array(game.payoffs)
    with pytest.raises(LawBroken, match="arrays must be read-only"):
        check_normal_form(game, rng=np.random.default_rng(0))


def test_wrong_payoffs_break_the_law():
    game = pennies()
    game.__dict__["scaled_payoffs"] = game.scaled_payoffs[::-1]
    with pytest.raises(LawBroken, match="payoffs are averages over joint actions"):
        check_normal_form(game, rng=np.random.default_rng(0))


def test_chances_that_leak_break_the_law():
    game = coin()
    game.__dict__["exact_chance_probabilities"] = exact_array(["1/2", "1/3"])
    with pytest.raises(LawBroken, match="children share their parent's reach"):
        check_tree(game, rng=np.random.default_rng(0))


def test_another_identity_after_pickling_breaks_the_law():
    game = pennies()
    game.__dict__["digest"] = "not its own"
    with pytest.raises(LawBroken, match="must equal its pickled copy"):
        check_normal_form(game, rng=np.random.default_rng(0))
