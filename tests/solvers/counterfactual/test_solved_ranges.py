"""Public-state games at home: ``solve``, tables, the command line and files."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import CertificateRejected, NotConverged, UnsupportedGame, load_game
from gametheory_core.__main__ import main as core_main
from gametheory_core.catalog import kuhn_poker_ranges, leduc_poker_ranges
from gametheory_core.certificates import certify_public_minimax
from gametheory_core.formats import parse_json, verified_certificates
from gametheory_core.games import Deal, Paid, PublicMove, public_state_game
from gametheory_core.games.public_histories import play_bytes
from gametheory_core.memory import memory_limit
from gametheory_core.strategies import PublicProfile
from solvers import Budget, minimax, solve
from solvers.__main__ import main
from solvers.concepts import Concept
from solvers.counterfactual import range_counterfactual_regret
from solvers.counterfactual.public_ranges import a_thousandth_of_the_payoffs
from solvers.results.tables import answer_table
from tests.public_games import Listed, random_plans, random_public_game
from tests.sample_sizes import examples


@pytest.mark.parametrize("concept", [Concept.MINIMAX, Concept.NASH])
def test_solve_certifies_a_thousandth_of_the_largest_difference(concept):
    answer = solve("leduc_poker_ranges", concept)
    (solution,) = answer.solutions
    solution.certificate.verify()
    assert answer.algorithm == "range_counterfactual_regret"
    assert answer.is_complete is None
    assert 0 < solution.certificate.epsilon <= Fraction(26, 1000)  # at stake: 13 chips each
    assert solution.payoffs == solution.certificate.payoffs


def test_the_default_tolerance_is_a_share_of_what_is_at_stake():
    assert a_thousandth_of_the_payoffs(leduc_poker_ranges()) == pytest.approx(0.026)
    assert a_thousandth_of_the_payoffs(kuhn_poker_ranges()) == pytest.approx(0.004)


def test_a_game_that_pays_always_the_same_is_solved():
    nodes = {(): PublicMove(0, {"a": (0,), "b": (1,)}), (0,): Paid(3), (1,): Paid(3)}
    game = public_state_game(Listed(Deal([[1]], [[1]]), nodes, (("x",), ("y",))))
    certificate = solve(game).solutions[0].certificate
    assert (certificate.epsilon, certificate.game_value) == (0, 3)


def test_a_tolerance_of_one_s_own_is_kept():
    answer = solve("kuhn_poker_ranges:cards=5", tolerance=1e-4)
    assert answer.solutions[0].certificate.epsilon <= Fraction(1, 10**4)


def test_when_time_is_up_the_best_so_far_is_certified_and_can_go_on():
    with pytest.raises(NotConverged, match="needs an epsilon of at most 0.0001") as caught:
        solve("leduc_poker_ranges", tolerance=1e-4, budget=Budget(iterations=3))
    (best,) = caught.value.best.solutions
    best.certificate.verify()
    assert best.certificate.epsilon > 1e-4


def test_an_interrupt_hands_out_the_state_from_which_solve_goes_on():
    def stop(progress):
        assert progress.unit == "steps"
        if progress.done >= 10:
            raise KeyboardInterrupt

    game = leduc_poker_ranges()
    with pytest.raises(KeyboardInterrupt, match="^$") as caught:
        solve(game, tolerance=0.02, on_iteration=stop)
    state = caught.value.state
    assert state.steps >= 10
    whole = range_counterfactual_regret(game, steps=state.steps + 5)
    again = range_counterfactual_regret(game, steps=5, start=state)
    assert again.certificate == whole.certificate
    assert solve(game, tolerance=0.02, start=state).solutions[0].certificate.epsilon <= 0.02


@pytest.mark.parametrize("concept", sorted({*map(str, Concept)} - {"minimax", "nash"}))
def test_other_concepts_are_refused_with_what_may_be_asked_and_the_tree(concept):
    with pytest.raises(UnsupportedGame, match="You may ask for minimax, nash") as caught:
        solve("kuhn_poker_ranges", concept)
    assert "public_to_extensive(game)" in caught.value.remedy


def test_what_needs_another_kind_names_the_tree(capsys):
    with pytest.raises(UnsupportedGame, match=r"Small ones have a tree: public_to_extensive"):
        minimax(kuhn_poker_ranges())
    assert core_main(["draw", "kuhn_poker_ranges", "kuhn.svg"]) == 2
    assert "Draw its tree, if it is small: first gametheory convert" in capsys.readouterr().err


def test_memory_is_asked_for_before_anything_is_laid_out():
    with pytest.raises(UnsupportedGame, match="GiB of memory for play over ranges"):
        solve("liars_dice_ranges:sides=20")
    game = leduc_poker_ranges()
    with memory_limit(play_bytes(game) - 1), pytest.raises(UnsupportedGame, match="MiB of memory"):
        solve(game)


# Tables


@examples(30)
@given(seed=st.integers(0, 10**6))
def test_tables_list_what_hands_do_and_count_what_they_leave_out(seed):
    game = random_public_game(seed)
    profile = random_plans(game, seed)
    full, support = answer_table(game, profile), answer_table(game, profile, full=False)
    assert support == full.support()
    for count in (0, 1, 5, len(support.rows), 10**6):
        assert answer_table(game, profile, top=count) == full.top(count)
        assert answer_table(game, profile, full=False, top=count) == support.top(count)
    sums = {}
    for player, hand, after, _, probability in full.rows:
        sums[player, hand, after] = sums.get((player, hand, after), 0) + probability
    assert set(sums.values()) <= {1}
    assert len({row[:4] for row in full.rows}) == len(full.rows)


def test_a_table_shows_only_hands_that_come():
    game = kuhn_poker_ranges(cards=3)
    profile = PublicProfile((np.array([1, *[0, 1] * 3, *[0] * 6]), np.array([1, *[0, 1] * 6])))
    certify_public_minimax(game, profile).verify()
    table = answer_table(game, profile)  # the first player bets, and never meets a bet
    assert [row[:4] for row in table.rows[:2]] == [
        ("Player 1", "J", "the deal", "check"),
        ("Player 1", "J", "the deal", "bet"),
    ]
    assert {row[2] for row in table.rows if row[0] == "Player 1"} == {"the deal"}
    assert {row[2] for row in table.rows if row[0] == "Player 2"} == {"check", "bet"}
    assert table.support().left_out == 9


def test_of_a_table_that_does_not_fit_the_first_rows_can_be_had():
    run = range_counterfactual_regret(kuhn_poker_ranges(cards=1000), steps=1)
    with memory_limit(2**20):
        with pytest.raises(UnsupportedGame, match=r"a table of 8,000 rows.*--top N"):
            run.solution.table()
        assert len(run.solution.table(top=60).rows) == 60
        assert "7,980 more rows" in str(run.solution)


# The command line, and files


def test_files_are_verified_and_forgeries_are_not(tmp_path, capsys):
    assert main(["kuhn_poker_ranges", "--format", "json"]) == 0
    text = capsys.readouterr().out
    (tmp_path / "answer.json").write_text(text, encoding="utf-8")
    assert core_main(["verify", str(tmp_path / "answer.json")]) == 0
    assert "verified: the value of the game lies between" in capsys.readouterr().out
    record = json.loads(text)
    shown = record["solutions"][0]["profile"]["plans"]
    shown[0] = shown[0].replace("1", "2", 1)
    with pytest.raises(CertificateRejected, match="to show what is certified"):
        verified_certificates(parse_json(json.dumps(record), name="forged"))


def test_a_file_of_a_game_is_solved(tmp_path, capsys):
    path = str(tmp_path / "game.json")
    assert core_main(["convert", "liars_dice_ranges:sides=2", path]) == 0
    capsys.readouterr()
    assert main([path, "--top", "3"]) == 0
    shown = capsys.readouterr().out
    assert "Player 1  1     the deal" in shown
    assert "more rows are not shown" in shown
    assert "verified" in shown


def test_small_games_are_converted_to_trees_and_large_ones_refused(tmp_path, capsys):
    path = str(tmp_path / "game.efg")
    assert core_main(["convert", "kuhn_poker_ranges", path]) == 0
    assert load_game(path).num_nodes == 55
    assert core_main(["convert", "kuhn_poker_ranges", str(tmp_path / "game.nfg")]) == 0
    capsys.readouterr()
    assert core_main(["convert", "leduc_poker_ranges:ranks=60", path]) == 2
    refused = capsys.readouterr().err
    assert "--max-nodes = 1,000,000 nodes" in refused
    assert "126,592,201 nodes" in refused


def test_describe_says_what_a_game_stands_for_and_takes(capsys):
    assert core_main(["describe", "liars_dice_ranges:sides=10"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for line in (
        "kind: public-state game (whole ranges of hands play against each other)",
        "hands: 10, 10",
        "public states: 2,097,151 histories, of 79 situations",
        "nodes: 209,715,101 in the tree that is never built",
        "sequences: 10,485,751, 10,485,751",
        "memory: 1.625 GiB to play over ranges and prove",
        "zero-sum: yes",
    ):
        assert line in lines
    assert core_main(["describe", "liars_dice_ranges:sides=10", "--json"]) == 0
    sizes = json.loads(capsys.readouterr().out)["sizes"]
    assert sizes["nodes"] == 209_715_101
    assert sizes["memory"] == play_bytes(load_game("liars_dice_ranges:sides=10"))


def test_time_that_is_up_is_said_and_the_best_is_shown(capsys):
    assert main(["leduc_poker_ranges:ranks=20", "--time-limit", "0", "--top", "2"]) == 3
    captured = capsys.readouterr()
    assert "verified: the value of the game lies between" in captured.out
    assert "Give a larger --time-limit; what was found and certified is shown." in captured.err
