"""Information sets are stored by player, chance last, however few there are."""

from gametheory_core.games.information_sets import CHANCE
from gametheory_core.games.sketch import Chance, Decision, Terminal, from_sketch


def test_chance_comes_last_when_the_mover_has_a_high_number():
    move = Decision(2, "", {"a": Terminal([1, 2, 3])})
    game = from_sketch(Chance({"only": (1, move)}), players=("Ann", "Bob", "Cat"))
    assert [infoset.player for infoset in game.infosets] == [2, CHANCE]
    assert game.num_decision_infosets == 1
