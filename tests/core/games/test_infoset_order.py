"""Information sets are stored by player, chance last, however few there are."""

from gametheory_core import Chance, Decision, Terminal, from_sketch
from gametheory_core.games import CHANCE


def test_chance_comes_last_when_the_mover_has_a_high_number():
    move = Decision(2, "", {"a": Terminal([1, 2, 3])})
    game = from_sketch(Chance({"only": (1, move)}), players=("Ann", "Bob", "Cat"))
    assert [infoset.player for infoset in game.infosets] == [2, CHANCE]
    assert game.num_decision_infosets == 1


def test_information_sets_come_by_their_first_node_not_their_last():
    def move(infoset):
        return Decision(0, infoset, {"a": Terminal([0])})

    lottery = {label: ("1/3", move(label[0])) for label in ("x1", "y1", "x2")}
    game = from_sketch(Chance(lottery), players=("Ann",))
    assert [(s.label, s.number) for s in game.infosets[:2]] == [("x", 1), ("y", 2)]
    assert game.node_infoset.tolist() == [2, 0, 1, 0, -1, -1, -1]
