"""Trees laid out from rules: equal to breadth first, with few positions kept; none too large."""

from dataclasses import dataclass, field

import pytest
from hypothesis import given

import gametheory_core as gt
from gametheory_core import catalog
from gametheory_core.games import lay_out, lay_out_rules, tree_layout
from gametheory_core.memory import memory_limit
from gametheory_core.testing import extensive_form_games
from tests.core.naive_trees import nested, rules_of, written

END = gt.Terminal([0, 0])
RULES = [
    catalog.KuhnRules(),
    catalog.KuhnRules(14),
    catalog.KuhnRules(4, 3),
    catalog.LeducRules(),
    catalog.LeducRules(2, 3, 1, catalog.Suits.HIDDEN),
    catalog.LeducRules(3, 2, 1, catalog.Suits.HIDDEN),
    catalog.LeducRules(4, 1, 0, catalog.Suits.HIDDEN),
    catalog.LiarsDiceRules(3),
    catalog.LiarsDiceRules(2, dice=2),
    catalog.GoofspielRules(1, catalog.Prizes.RANDOM),
    catalog.GoofspielRules(
        4, catalog.Prizes.ASCENDING, catalog.Bids.HIDDEN, catalog.Payment.POINT_DIFFERENCE
    ),
    catalog.GoofspielRules(3, catalog.Prizes.RANDOM, catalog.Bids.OPEN),
    catalog.OshiZumoRules(4),
    catalog.OshiZumoRules(3, min_bid=0, horizon=3),
    catalog.PhantomTicTacToeRules(2, 3, 2),
]


def breadth_first(rules):
    return lay_out(rules.root, expand=rules.expand, players=rules.players, title=rules.title)


def assert_same(game, expected):
    assert game == expected
    assert game.infosets == expected.infosets
    assert game.exact_terminal_payoffs.tolist() == expected.exact_terminal_payoffs.tolist()
    assert (game.title, game.players) == (expected.title, expected.players)


@pytest.mark.parametrize("rules", RULES, ids=repr)
def test_catalogue_is_laid_out_as_breadth_first(rules):
    assert_same(lay_out_rules(rules), breadth_first(rules))


@given(extensive_form_games())
def test_any_tree_is_laid_out_as_breadth_first(game):
    rules = nested(written(game), game.players)
    assert_same(lay_out_rules(rules), breadth_first(rules))


def test_information_sets_are_numbered_breadth_first():
    """Depth first, the left branch's deep set is met before the right branch's shallow one."""
    deep = gt.Decision(1, "far", {"x": END, "y": END})
    left = gt.Decision(0, "left", {"on": deep})
    right = gt.Decision(1, "near", {"x": END, "y": END})
    again = gt.Decision(0, "top", {"a": gt.Decision(0, "left", {"on": END})})
    rules = nested(gt.Chance({"l": ("1/3", left), "r": ("1/3", right), "c": ("1/3", again)}))
    game = lay_out_rules(rules)
    numbers = {s.label: s.number for s in game.infosets if s.player == 1}
    assert numbers == {"near": 1, "far": 2}
    assert_same(game, breadth_first(rules))


def test_information_sets_with_equal_actions_share_them_in_memory():
    game = lay_out_rules(catalog.LiarsDiceRules(3))
    known = {}
    shared = [known.setdefault(s.actions, s.actions) is s.actions for s in game.infosets]
    assert all(shared)
    assert len(known) < len(shared)


class Alive:
    """A position that counts how many of its kind live."""

    now = most = 0

    def __init__(self, depth):
        self.depth = depth
        Alive.now += 1
        Alive.most = max(Alive.most, Alive.now)

    def __del__(self):
        Alive.now -= 1


@dataclass
class Words:
    """All words of a length over two letters."""

    length: int
    title: str = "Words"
    players: tuple[str, ...] = ("Ann",)
    expanded: int = field(default=0, init=False)

    @property
    def root(self):
        return Alive(0)

    def expand(self, position):
        self.expanded += 1
        if position.depth == self.length:
            return gt.Terminal([1])
        return gt.Decision(0, position.depth, {a: Alive(position.depth + 1) for a in "ab"})


def test_only_positions_beside_one_path_are_kept():
    Alive.most = Alive.now
    rules = Words(12)
    assert lay_out_rules(rules).num_nodes == rules.expanded == 2**13 - 1
    assert Alive.most - Alive.now <= 3 * 12


def test_depth_is_no_limit():
    def expand(position):
        on = {"on": position + 1}
        return gt.Decision(0, position, on) if position < 20_000 else gt.Terminal([0])

    told = []
    assert lay_out_rules(rules_of(expand), on_iteration=told.append).num_nodes == 20_001
    assert told == [10_000, 20_000]


def test_tree_without_shapes_is_refused_once_it_is_too_large():
    rules = Words(30)
    with pytest.raises(
        gt.UnsupportedGame,
        match=r"at most max_nodes = 1,000 nodes, but 'Words' has at least 1,00[12] nodes.*sample",
    ):
        lay_out_rules(rules, max_nodes=1_000)
    assert rules.expanded <= 1_002


def test_tree_of_just_the_size_is_laid_out():
    assert lay_out_rules(Words(3), max_nodes=15).num_nodes == 15
    assert lay_out_rules(catalog.KuhnRules(), max_nodes=55).num_nodes == 55
    with pytest.raises(gt.UnsupportedGame, match="has at least 15 nodes"):
        lay_out_rules(Words(3), max_nodes=14)
    with pytest.raises(gt.UnsupportedGame, match="'Kuhn poker' has 55 nodes"):
        lay_out_rules(catalog.KuhnRules(), max_nodes=54)


@pytest.mark.parametrize(
    ("rules", "size"),
    [
        (
            catalog.GoofspielRules(13, catalog.Prizes.RANDOM),
            "467,636,402,489,661,937,228,710,604,696 nodes",
        ),
        (catalog.LiarsDiceRules(6, dice=5), "139,425,509,223,484,840,063,394,611 nodes"),
        (catalog.PhantomTicTacToeRules(), r"at least 1\d,\d\d\d,\d\d\d nodes"),
    ],
    ids=repr,
)
def test_huge_trees_of_the_catalogue_are_refused_before_they_are_built(rules, size, monkeypatch):
    monkeypatch.setattr(tree_layout, "_walk", None)  # would fail if building began
    with pytest.raises(gt.UnsupportedGame, match=f"{size}.*smaller parameters.*Monte-Carlo"):
        lay_out_rules(rules)


def test_tree_that_needs_more_memory_than_the_cap_is_refused():
    with pytest.raises(gt.UnsupportedGame, match=r"memory for 50 nodes at 400 bytes.*55 nodes"):
        lay_out_rules(catalog.KuhnRules(), max_bytes=20_000)
    assert lay_out_rules(catalog.KuhnRules(), max_bytes=22_000).num_nodes == 55
    with (
        memory_limit(15_000),
        pytest.raises(gt.UnsupportedGame, match=r"memory for 37 nodes.*raise max_bytes"),
    ):
        lay_out_rules(catalog.KuhnRules())


@pytest.mark.parametrize("limits", [{"max_nodes": 0}, {"max_nodes": 1.5}, {"max_bytes": 0}])
def test_limits_are_positive_integers(limits):
    with pytest.raises(
        gt.InvalidArgument, match=f"lay_out_rules: needs {next(iter(limits))} to be"
    ):
        lay_out_rules(catalog.KuhnRules(), **limits)
