"""Trees of OpenSpiel's games: sizes, information sets and values are OpenSpiel's."""

import importlib
import subprocess
import sys
from fractions import Fraction
from itertools import count

import numpy as np
import pytest

import gametheory_core as gt
from gametheory_core.catalog import load
from gametheory_core.games import count_nodes, has_perfect_information, has_perfect_recall, lay_out
from gametheory_core.memory import memory_limit
from solvers import sequence_form_lp

pytestmark = pytest.mark.peer
pyspiel = pytest.importorskip("pyspiel")

STATED = [  # OpenSpiel says what players know
    "kuhn_poker",
    "leduc_poker",
    "tiny_hanabi",
    "matrix_rps",
    "goofspiel(num_cards=3,imp_info=True,points_order=descending)",
    "goofspiel(num_cards=3,imp_info=True,points_order=random)",
    "goofspiel(num_cards=2,players=3)",
    "liars_dice(numdice=1,dice_sides=3)",
    "oshi_zumo(coins=3,size=1,horizon=4)",
]
REMEMBERED = [  # it only says what they see
    "repeated_game(stage_game=matrix_pd(),num_repetitions=3)",
    "pig(winscore=4,horizon=4)",
    "deep_sea",
    "markov_soccer(horizon=3)",
    "laser_tag(horizon=1)",
    "pathfinding(horizon=3,grid=A.a)",
    "hanabi(players=2,colors=1,ranks=2,hand_size=1,max_information_tokens=1,max_life_tokens=1)",
    "start_at(history=1;1,game=deep_sea(size=3))",
]


def tree_of(name, **options):
    from gametheory_core.adapters import open_spiel_tree

    return open_spiel_tree(name, **options)


@pytest.mark.parametrize("name", STATED)
def test_nodes_and_information_sets_are_open_spiels(name):
    from tests.core.adapters.spiel_values import turn_based_counts

    tree = tree_of(name)
    count, known = turn_based_counts(name)
    assert tree.num_nodes == count
    assert tree.num_decision_infosets == len(known)


@pytest.mark.parametrize("name", [*STATED, *REMEMBERED])
def test_uniform_play_is_worth_what_open_spiel_says(name):
    from tests.core.adapters.spiel_values import uniform_value

    tree = tree_of(name)
    value = gt.expected_payoffs(tree, gt.uniform_behavior(tree)).astype(float)
    assert value.tolist() == pytest.approx(uniform_value(name), abs=1e-12)


@pytest.mark.parametrize("name", [*STATED, *REMEMBERED])
def test_players_forget_nothing(name):
    assert has_perfect_recall(tree_of(name))


def test_players_of_an_imperfect_recall_game_forget():
    assert not has_perfect_recall(tree_of("liars_dice_ir(numdice=1,dice_sides=3)"))


def test_perfect_information_stays_perfect():
    assert has_perfect_information(tree_of("nim(pile_sizes=2;2)"))


def test_those_who_act_at_once_do_not_see_each_other():
    tree = tree_of("matrix_rps")
    assert tree.num_nodes == 1 + 3 + 9
    assert [len(infoset.actions) for infoset in tree.infosets] == [3, 3]


@pytest.mark.parametrize(
    ("theirs", "ours", "value"),
    [
        ("kuhn_poker", "kuhn_poker", Fraction(-1, 18)),
        ("liars_dice(numdice=1,dice_sides=2)", "liars_dice:sides=2", None),
    ],
)
def test_game_value_is_that_of_our_catalogue_exactly(theirs, ours, value):
    values = [
        sequence_form_lp(game).certificate.game_value for game in (tree_of(theirs), load(ours))
    ]
    assert values[0] == values[1]
    assert value is None or values[0] == value
    assert isinstance(values[0], Fraction)


def test_simultaneous_game_value_is_exact():
    name = "goofspiel(num_cards=3,imp_info=True,points_order=descending)"
    assert sequence_form_lp(tree_of(name)).certificate.game_value == 0


def test_step_rewards_add_up_to_the_returns_of_each_play():
    name = "repeated_game(stage_game=matrix_pd(),num_repetitions=2)"
    tree = tree_of(name)
    returns = []
    stack = [pyspiel.load_game(name).new_initial_state()]
    while stack:
        state = stack.pop()
        if state.is_terminal():
            returns.append(tuple(state.returns()))
            continue
        for row in (0, 1):
            for column in (0, 1):
                child = state.clone()
                child.apply_actions([row, column])
                stack.append(child)
    assert sorted(map(tuple, tree.exact_terminal_payoffs.tolist())) == sorted(returns)
    assert len(tree.outcomes) < len(set(returns))  # stage payoffs are stored, not their sums


def test_rewards_are_exact_and_paid_once():
    """Each of two steps costs 1/10; OpenSpiel's rewards say so again at moves of chance."""
    tree = tree_of("coop_box_pushing(horizon=2)")
    assert gt.expected_payoffs(tree, gt.uniform_behavior(tree)).tolist() == [Fraction(-1, 5)] * 2


def test_budget_counts_nodes_exactly():
    assert tree_of("kuhn_poker", max_nodes=58).num_nodes == 58
    with pytest.raises(
        gt.UnsupportedGame, match=r"max_nodes = 57 nodes.*at least 58 nodes.* 3 moves"
    ):
        tree_of("kuhn_poker", max_nodes=57)


def test_budget_stops_a_huge_game_at_once():
    with pytest.raises(
        gt.UnsupportedGame, match=r"needs at most max_nodes = 1,000 nodes, but go\("
    ):
        tree_of("go(board_size=9)", max_nodes=1_000)


@pytest.mark.parametrize(
    "name", ["chess", "gomoku", "go", "repeated_game(stage_game=matrix_rps(),num_repetitions=9)"]
)
def test_states_are_made_of_expanded_nodes_alone(name, monkeypatch):
    """Nodes that wait are counted, and have no state yet."""
    from gametheory_core.adapters import open_spiel

    made = []
    for function in ("apply_choice", "apply_choices"):
        apply = getattr(open_spiel, function)
        counted = lambda *given, apply=apply: made.append(apply(*given))  # noqa: E731
        monkeypatch.setattr(open_spiel, function, counted)
    with pytest.raises(gt.UnsupportedGame, match=r"max_nodes = 500 nodes.* at least \d+ nodes"):
        tree_of(name, max_nodes=500)
    assert 0 < len(made) < 500


@pytest.mark.parametrize("name", ["go", "chess", "gomoku", "maedn", "battleship"])
def test_refusal_of_a_huge_game_takes_little_memory(name):
    """The process is a new one, whose memory nothing else has grown."""
    script = (
        "import resource, gametheory_core as gt\n"
        "from gametheory_core.adapters import open_spiel_tree\n"
        "used = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024\n"
        "open_spiel_tree('kuhn_poker')\n"
        "start = used()\n"
        "try:\n"
        f"    open_spiel_tree({name!r}, max_nodes=5_000)\n"
        "except gt.UnsupportedGame:\n"
        "    print(used() - start)\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert int(ran.stdout) < 50  # MiB


def test_refusal_for_memory_names_the_game(monkeypatch):
    growing = count(step=2**20)
    monkeypatch.setattr("gametheory_core.memory.resident_memory", lambda: next(growing))
    with (
        memory_limit(2**20),
        pytest.raises(
            gt.UnsupportedGame, match=r"1 MiB of memory for the tree of .*chess\(.*memory_limit"
        ),
    ):
        tree_of("chess")


@pytest.mark.parametrize("name", [*STATED[3:], *REMEMBERED])
def test_states_made_anew_from_earlier_ones_are_the_same(name, monkeypatch):
    from gametheory_core.adapters import open_spiel

    tree = tree_of(name)
    monkeypatch.setattr(open_spiel, "KEPT", 3)
    assert tree_of(name) == tree


@pytest.mark.parametrize("name", REMEMBERED)
def test_digests_tell_memories_apart(name, monkeypatch):
    from gametheory_core.adapters import open_spiel

    tree = tree_of(name)
    monkeypatch.setattr(open_spiel, "LONGEST_MEMORY", 0)
    digested = tree_of(name)
    assert (digested.node_infoset == tree.node_infoset).all()
    assert has_perfect_recall(digested)
    longest = max(len(own.label) for own in tree.infosets)
    seen_once = max(len(own.label.split(", '")[-1]) for own in tree.infosets)
    assert max(len(own.label) for own in digested.infosets) <= max(longest, seen_once + 40)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("crossword", r"crossword\(\): needs answers .* after \[\]: SpielError: LegalActions"),
        (
            "crooked(oddity=broken move)",
            r"broken move.* after \[0, 0, 0\]: ZeroDivisionError: move",
        ),
    ],
)
def test_exception_inside_open_spiel_names_the_game_and_the_history(name, words):
    importlib.import_module("tests.core.adapters.crooked_game")
    with pytest.raises(gt.UnsupportedGame, match=words):
        tree_of(name)


def test_progress_is_told():
    told = []
    tree_of("first_sealed_auction(max_value=11)", on_iteration=told.append)
    assert told == [10_000]


def test_game_without_a_name_is_a_tree_too():
    tree = tree_of(pyspiel.create_matrix_game([[1, 2]], [[3, 0.5]]))
    assert tree.exact_terminal_payoffs.tolist() == [[1, 3], [2, Fraction(1, 2)]]


def test_early_payment_is_kept():
    importlib.import_module("tests.core.adapters.crooked_game")
    tree = tree_of("crooked(oddity=early payment)")
    assert set(tree.exact_terminal_payoffs[:, 0].tolist()) == {6, 4}


@pytest.mark.parametrize("name", [*STATED, *REMEMBERED])
def test_rules_are_those_of_the_tree(name):
    from gametheory_core.adapters import open_spiel_tree_rules

    rules = open_spiel_tree_rules(name)
    tree = lay_out(
        rules.root, expand=rules.expand, players=rules.players, title=f"OpenSpiel's {rules.name}"
    )
    assert tree_of(name) == tree
    assert tree.title == rules.title
    assert count_nodes(rules).nodes == tree.num_nodes


@pytest.mark.parametrize("name", ["kuhn_poker", "goofspiel(num_cards=3)", "deep_sea"])
def test_positions_are_told_apart_by_what_happened(name):
    from gametheory_core.adapters import open_spiel_tree_rules

    rules, met = open_spiel_tree_rules(name), set()
    stack = [(rules.root, open_spiel_tree_rules(pyspiel.load_game(name)).root)]
    while stack:
        one, other = stack.pop()
        assert one == other
        assert hash(one) == hash(other)
        assert one not in met
        met.add(one)
        if not isinstance(node := rules.expand(one), gt.Terminal):
            pairs = zip(node.children.values(), rules.expand(other).children.values(), strict=True)
            chance = isinstance(node, gt.Chance)
            stack += [(a[1], b[1]) if chance else (a, b) for a, b in pairs]
    assert len(met) == count_nodes(rules).nodes
    assert rules == open_spiel_tree_rules(name)
    assert rules != open_spiel_tree_rules("tiny_hanabi")
    assert hash(rules) == hash(open_spiel_tree_rules(name))


def test_the_state_that_others_are_copied_from_is_kept():
    """Copies of morpion_solitaire's states point into the first one, and crash without it."""
    from gametheory_core.adapters import open_spiel_tree_rules

    rules = open_spiel_tree_rules("morpion_solitaire")
    assert rules.root.state is rules.root.state
    position = rules.root
    for _ in range(3):
        position = next(iter(rules.expand(position).children.values()))
    replayed = rules.game.new_initial_state()
    for action in position.events:
        replayed.apply_action(action)
    words = [replayed.action_to_string(0, action) for action in replayed.legal_actions()]
    assert list(rules.expand(position).children) == words


def test_rules_of_a_huge_game_can_be_played():
    from gametheory_core.adapters import open_spiel_tree_rules

    rules, rng = open_spiel_tree_rules("goofspiel(imp_info=True)"), np.random.default_rng(4)
    position, moves = rules.root, 0
    while not isinstance(node := rules.expand(position), gt.Terminal):
        children = list(node.children.values())
        chosen = children[int(rng.integers(len(children)))]
        position = chosen[1] if isinstance(node, gt.Chance) else chosen
        moves += 1
    assert moves == 13 + 12 * 2 - 1  # prizes but the last, and both players' cards but the last
    assert sum(node.payoffs) == 0


def test_budget_is_a_positive_integer():
    with pytest.raises(
        gt.InvalidArgument, match="open_spiel_tree: needs max_nodes to be an integer"
    ):
        tree_of("kuhn_poker", max_nodes=0)


def test_thirds_are_thirds_if_they_sum_to_one():
    lottery = next(s for s in tree_of("kuhn_poker").infosets if len(s.actions) == 3)
    assert lottery.probabilities == (Fraction(1, 3),) * 3
