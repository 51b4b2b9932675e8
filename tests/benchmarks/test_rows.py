"""Every suite runs on tiny sizes and compares what it names. Nothing is timed."""

import contextlib
import importlib
import shutil

import pytest

SPIEL, GAMBIT, QUANTECON, CVXPY = "pyspiel", "pygambit", "quantecon", "cvxpy"
BASELINES, GYMNASIUM = "stable_baselines3", "gymnasium"
JPSRO = "open_spiel.python.algorithms.jpsro"

# suite, function, arguments, how many rows, the peers that it needs
CASES = [
    ("bayesian", "rows", {"sizes": ((2, 2), (1, 3)), "patrol": "house_patrol", "small": (2, 2)}, 7,
     (SPIEL, CVXPY)),
    ("bimatrix", "path_rows", {"size": 4, "count": 2}, 3, (QUANTECON,)),
    ("bimatrix", "welfare_rows", {"size": 4, "count": 1}, 1, ()),
    ("commands", "rows", {}, 3, ()),
    ("compact", "rows", {"sizes": ((5, 2, 2),), "small": (3, 2, 2)}, 6, (GAMBIT,)),
    ("correlated", "rows", {"shapes": ((3, 3),), "even_shapes": ((3, 3),)}, 6, (JPSRO,)),
    ("counterfactual_regret", "step_rows", {"title": "kuhn_poker", "steps": 2}, 2, (SPIEL,)),
    ("deep_learners", "rows", {"steps": 64}, 3, (BASELINES,)),
    ("dominance", "rows", {"sizes": (3,)}, 6, (QUANTECON, GAMBIT)),
    ("enumeration", "float_rows", {"size": 3, "count": 2}, 1, (QUANTECON,)),
    ("environments", "rows", {"episodes": 2, "batch": 8}, 10, ("pygame", SPIEL)),
    ("extensive_correlated", "rows", {"depth": 2, "games": ("kuhn_poker",)}, 3, (SPIEL,)),
    ("extensive_stackelberg", "tree_rows", {"trees": ((4, 13),)}, 3, (SPIEL, CVXPY)),
    ("extensive_stackelberg", "opposed_rows", {"games": ("kuhn_poker",)}, 2, ()),
    ("jam_q_learning", "rows", {"episodes": 200}, 3, ()),
    ("many_games", "rows", {"count": 20, "peers": 2}, 16, (QUANTECON,)),
    ("many_players", "rows", {"pure_shapes": ((2, 2, 2),), "logit_shapes": ((2, 2),),
                              "all_shapes": ((2, 2),), "count": 1}, 8, (GAMBIT,)),
    ("markov_games", "rows", {"field": (2, 4), "tolerance": 10.0, "steps": 1}, 4, ()),
    ("markov_stackelberg", "rows", {"large": False}, 2, ()),
    ("matches", "rows", {"agents": 2, "growth": 5}, 2, ()),
    ("max_entropy", "rows", {"size": 3, "growth": 3, "families": ("ties", "late")}, 6,
     (SPIEL, CVXPY)),
    ("mediated", "rows", {"players": (2,)}, 6, ()),
    ("meta_learning", "rows", {"episodes": 20}, 2, (GYMNASIUM,)),
    ("monte_carlo", "game_rows", {"title": "Kuhn poker", "iterations": 20}, 4, (SPIEL,)),
    ("parallel_work", "rows", {"iterations": 1000, "sides": 2, "steps": 1000, "types": 3,
                               "length": 2, "splits": 2}, 5, ()),
    ("policy_gradients", "rows", {"lengths": (3,), "calls": 2}, 2, ()),
    ("policy_optimization", "rows", {"batches": (64,)}, 1, (BASELINES,)),
    ("populations", "rows", {"size": 3, "steps": 20}, 5, (SPIEL, QUANTECON)),
    ("ranges", "step_rows", {"title": "Leduc poker", "steps": 2}, 2, (SPIEL,)),
    ("refinements", "rows", {"games": ("kuhn_poker", "one_card_poker")}, 4, ()),
    ("regret_minimizers", "rows", {"batch": 4, "steps": 2, "plays": 2}, 5, ()),
    ("roshambo_bots", "rows", {"throws": 1000}, 6, (SPIEL,)),
    ("security", "rows", {"small": (3, 1), "middle": (4, 2), "large": (5, 2), "actions": 2}, 4, ()),
    ("self_play", "rows", {"tables": 2, "episodes": 4, "steps": 4, "peer_steps": 4,
                           "iterations": 1}, 2, (SPIEL,)),
    ("sequence_form_lcp", "rows", {"sizes": ((4, 2),)}, 4, (GAMBIT,)),
    ("stackelberg", "rows", {"size": 3}, 9, (SPIEL, CVXPY)),
    ("stochastic_commitment", "rows", {"lengths": (2,)}, 2, ()),
    ("stochastic_stackelberg", "rows", {"seeds": (0,)}, 1, ()),
    ("tabular_learners", "game_rows", {"title": "Kuhn poker", "steps": 5}, 2, (SPIEL,)),
    ("tree_evaluation", "game_rows", {"title": "kuhn_poker", "calls": 1}, 3, (SPIEL,)),
    ("tree_layout", "rows", {}, 8, (SPIEL, GAMBIT)),
    ("zero_sum", "matrix_rows", {"size": 5}, 4, (QUANTECON, "nashpy")),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.peer
@pytest.mark.filterwarnings("ignore")  # the peers' own
@pytest.mark.parametrize(
    ("suite", "function", "arguments", "count", "peers"),
    CASES,
    ids=[f"{case[0]}-{case[1]}" for case in CASES],
)
def test_a_suite_compares_each_task_once(suite, function, arguments, count, peers, tmp_path):
    for peer in peers:
        pytest.importorskip(peer, exc_type=ImportError)
    module = importlib.import_module(f"tests.benchmarks.{suite}")
    if suite == "tree_layout":
        arguments = {"games": module.SMALL}
    with contextlib.chdir(tmp_path):
        found = getattr(module, function)(**arguments, rounds=1)
    assert len({(row.task, row.peer_name) for row in found}) == len(found) >= count
    assert all(row.ours > 0 and row.peer > 0 for row in found)


@pytest.mark.peer
def test_enumeration_is_compared_with_lrsnash_too():
    pytest.importorskip(QUANTECON)
    if shutil.which("lrsnash") is None:
        pytest.skip("lrsnash is not installed")
    from tests.benchmarks.enumeration import size_rows

    assert len(size_rows(3, count=2, rounds=1, gambit_rounds=0)) == 3


def test_games_beyond_trees_are_measured():
    from tests.benchmarks.ranges import large_table

    *_, line = large_table((("kuhn_poker_ranges(cards=5)", 3),)).splitlines()
    assert line.startswith("| Kuhn poker with 5 cards | 181 | 42 |")


@pytest.mark.peer
def test_small_and_exact_games_are_compared(monkeypatch):
    pytest.importorskip(QUANTECON)
    pytest.importorskip("nashpy")
    from tests.benchmarks import zero_sum

    monkeypatch.setattr(zero_sum, "REPETITIONS", 2)
    assert len(zero_sum.small_rows()) == 2
    assert len(zero_sum.exact_rows(4, rounds=1)) == 1


@pytest.mark.peer
def test_layouts_of_one_tree_are_of_one_size(monkeypatch):
    pytest.importorskip(GAMBIT)
    pytest.importorskip(SPIEL)
    from tests.benchmarks import models

    monkeypatch.setattr(models, "ROUNDS", 2)
    assert models.open_spiel_visit() == 121 == len(list(models.gambit_tree().nodes))
    assert [row.peer_name[:5] for row in models.layout_rows()] == ["our A", "OpenS", "Gambi"]


def test_pages_open_beside_the_smallest_one(browser):
    from tests.benchmarks import explorer

    assert len(explorer.rows(games=("one_card_poker",), rounds=1)) == 1


def test_pictures_of_trees_are_laid_out_in_little_memory():
    from tests.benchmarks import tree_layout

    dice = tree_layout.SMALL["liar's dice, 1 die of 3 sides"][0]
    peak, laid_out, derived = tree_layout.bytes_per_node(dice)
    assert laid_out < derived < 100
    assert laid_out < peak
    assert tree_layout.memory_table(tree_layout.SMALL).count("\n") == 3
