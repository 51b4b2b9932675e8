"""Sizes of trees: counted by shapes and by walking, and estimated from plays."""

import numpy as np
import pytest

from gametheory_core import Decision, InvalidArgument, Terminal, catalog
from gametheory_core.games import count_nodes, lay_out, probe_nodes
from gametheory_core.games.tree_layout import TreeSize
from tests.core.games.test_tree_layout import RULES
from tests.core.naive_trees import rules_of


def unshaped(rules):
    """The same rules without their ``shape_key``."""
    return rules_of(rules.expand, root=rules.root, players=rules.players)


@pytest.mark.parametrize("rules", RULES, ids=repr)
def test_counts_are_those_of_the_tree_at_every_depth(rules):
    """So a ``shape_key`` tells apart what differs in shape."""
    tree = lay_out(rules.root, expand=rules.expand, players=rules.players)
    levels = tuple(np.diff(tree.level_offset).tolist())
    assert count_nodes(rules) == TreeSize(tree.num_nodes, is_exact=True, levels=levels)
    assert count_nodes(unshaped(rules)) == count_nodes(rules)


@pytest.mark.parametrize("rules", RULES, ids=repr)
def test_positions_are_hashable_and_rules_are_values(rules):
    copy = type(rules)(**{name: getattr(rules, name) for name in type(rules).__match_args__})
    assert copy == rules
    assert hash(copy) == hash(rules)
    assert {rules.root: 1}[copy.root] == 1


def test_a_shape_key_makes_counting_quick():
    """Goofspiel's 13 cards: product formula, one node a bid, the last cards play themselves."""
    nodes, width = 1, 1
    for left in range(13, 1, -1):
        nodes += width * left + width * left**2
        width *= left**2
    assert count_nodes(catalog.GoofspielRules(13)).nodes == nodes


def test_counting_stops_when_there_are_too_many_nodes():
    stopped = count_nodes(catalog.PhantomTicTacToeRules(), max_nodes=1_000_000)
    assert not stopped.is_exact
    assert 1_000_000 < stopped.nodes < 19_934_533_171  # all of them
    assert sum(stopped.levels) < stopped.nodes
    assert str(stopped) == f"at least {stopped.nodes:,} nodes"


def test_a_bound_above_the_size_leaves_the_count_exact():
    """Also where a part of the tree was looked at first."""
    rules = catalog.PhantomTicTacToeRules(2, 3, 3)
    assert count_nodes(rules, max_nodes=358_645) == count_nodes(rules)
    assert count_nodes(unshaped(catalog.OshiZumoRules(7)), max_nodes=9_203).nodes == 9_203
    stopped = count_nodes(unshaped(catalog.OshiZumoRules(7)), max_nodes=9_202)
    assert stopped == TreeSize(9_203, is_exact=True, levels=stopped.levels)


def test_counting_goes_on_while_it_is_cheap():
    assert count_nodes(catalog.GoofspielRules(13), max_nodes=10).is_exact
    assert str(count_nodes(catalog.GoofspielRules(7), max_nodes=10)) == "47,506,635 nodes"


def test_one_node_is_a_tree():
    over = rules_of(lambda _: Terminal([0]))
    assert count_nodes(over) == TreeSize(1, is_exact=True, levels=(1,))
    assert probe_nodes(over, rng=np.random.default_rng(0)).nodes == 1


@pytest.mark.parametrize(
    "rules",
    [
        catalog.KuhnRules(4, 3),
        catalog.LiarsDiceRules(3),
        catalog.OshiZumoRules(5),
        catalog.PhantomTicTacToeRules(2, 3, 2),
    ],
    ids=repr,
)
def test_estimate_is_near_the_count(rules):
    estimate = probe_nodes(rules, probes=4_000, rng=np.random.default_rng(7))
    exact = count_nodes(rules).nodes
    assert estimate.probes == 4_000
    assert 0 < estimate.standard_error < 0.2 * exact
    assert abs(estimate.nodes - exact) < 4 * estimate.standard_error


def test_estimate_is_exact_where_all_plays_look_alike():
    estimate = probe_nodes(catalog.GoofspielRules(5), probes=2, rng=np.random.default_rng(0))
    assert (estimate.nodes, estimate.standard_error) == (26_931, 0)


def test_estimate_weighs_plays_by_how_unlikely_they_are():
    """Five nodes: an end at once, or one more choice."""

    def expand(position):
        ends = position.startswith("a") or len(position) == 2
        return Terminal([0]) if ends else Decision(0, position, {a: position + a for a in "ab"})

    lopsided = rules_of(expand, root="")
    assert count_nodes(lopsided).nodes == 5
    estimate = probe_nodes(lopsided, probes=10_000, rng=np.random.default_rng(3))
    assert estimate.nodes == pytest.approx(5, abs=0.1)  # plays are worth 3 or 7
    assert estimate.standard_error == pytest.approx(0.02, rel=0.1)


def test_numbers_are_checked():
    with pytest.raises(InvalidArgument, match="count_nodes: needs max_nodes to be an integer"):
        count_nodes(catalog.KuhnRules(), max_nodes=0)
    with pytest.raises(InvalidArgument, match="probe_nodes: needs probes to be an integer"):
        probe_nodes(catalog.KuhnRules(), probes=1, rng=np.random.default_rng(0))


def test_few_positions_are_looked_at_where_a_part_shows_that_there_are_too_many():
    rules = catalog.LiarsDiceRules(sides=100)
    looked_at = []

    class Watched:
        """Rules that note what they are asked."""

        root, players, title = rules.root, rules.players, rules.title
        shape_key = staticmethod(rules.shape_key)

        @staticmethod
        def expand(position):
            looked_at.append(position)
            return rules.expand(position)

    size = count_nodes(Watched(), max_nodes=10_000_000)
    assert not size.is_exact
    assert size.nodes > 10_000_000
    assert len(looked_at) < 25_000  # of 10^62 nodes, and more than 10^5 shapes
