"""``check``: laws of games of every kind, with a witness and exit code 1 where one is broken."""

from dataclasses import dataclass, fields, replace
from fractions import Fraction

import numpy as np
import pytest

import gametheory_core as gt
from gametheory_core import conversions
from gametheory_core.__main__ import main
from gametheory_core.catalog import FairCoins, catalog
from gametheory_core.commands import arguments, check
from gametheory_core.commands.check import in_part
from gametheory_core.games import stop_posg
from tests.laws.impossible_branch import IMPOSSIBLE


def checked(capsys, *arguments, code=0):
    assert main(["check", *arguments]) == code
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


SLOW = {
    "leduc_poker",
    "liars_dice",
    "goofspiel",
    "kuhn_poker",
    "pursuit_paid_before",
    "pursuit_paid_after",
    "reversing_order",
}


NAMES = [name for name in catalog() if name not in SLOW]


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow if k % 4 else ()) for k, n in enumerate(NAMES)]
)
def test_games_of_the_catalogue_obey(capsys, name):
    shown = checked(capsys, name, "--max-nodes", "165")
    assert shown.count("passed") >= 3
    assert "broken" not in shown


def test_matrix_and_tree_say_which_laws_were_run(capsys):
    matrix = checked(capsys, "chicken")
    assert "the tree is the same game" in matrix
    tree = checked(capsys, "one_card_poker")
    assert "as an AEC game and back, the same tree" in tree
    assert "the normal form is the same game" in tree
    assert "not checked" not in matrix + tree


def test_trees_with_branches_to_which_chance_never_leads_obey(capsys, tmp_path):
    file = tmp_path / "impossible.json"
    gt.write_game(IMPOSSIBLE, file)
    assert "broken" not in checked(capsys, str(file))


def test_law_that_cannot_be_checked_says_why(capsys):
    shown = checked(capsys, "forgetful_bit")
    assert "not checked" in shown
    assert "needs perfect recall" in shown


@pytest.mark.parametrize(
    ("name", "convert"),
    [("tiger", conversions.posg_to_tabular), ("random_order_team", conversions.aec_to_tabular)],
)
def test_file_is_checked_like_its_game(capsys, tmp_path, name, convert):
    path = tmp_path / "game.json"
    gt.write_game(convert(gt.load_game(name)).target, path)
    assert checked(capsys, str(path), "--seed", "3") == checked(capsys, name, "--seed", "3")


def test_title_says_where_rules_were_stopped(capsys):
    assert "stopped after 1 step(s)" in checked(capsys, "tiger")
    assert "stopped" not in checked(capsys, "tiger:horizon=1")
    assert "stopped" not in checked(capsys, "random_order_team")


def test_what_was_left_out_is_said_with_the_reason_and_the_way(capsys):
    shown = checked(capsys, "tiger")
    whole = gt.posg_to_extensive(gt.load_game("tiger")).target.num_nodes
    assert (
        "Not all was checked: after 1 step(s) the tree of plays would have more than "
        "--max-nodes = 300 nodes. Raise --max-nodes to follow plays further; "
        f"all of it has {whole:,}."
    ) in shown
    moves = checked(capsys, "random_order_team", "--max-nodes", "8")
    assert "after 2 move(s) the tree of plays would have more than --max-nodes = 8 nodes" in moves
    for name in ("tiger:horizon=1", "random_order_team", "chicken", "one_card_poker"):
        assert "Not all" not in checked(capsys, name)


def test_posg_without_horizon_that_surely_ends_is_checked_whole(capsys, tmp_path):
    path = tmp_path / "team.json"
    game = conversions.aec_to_posg(
        conversions.aec_to_tabular(gt.load_game("random_order_team")).target
    ).target
    gt.write_game(conversions.label_by_text(conversions.posg_to_tabular(game).target).target, path)
    shown = checked(capsys, str(path))
    assert "stopped" not in shown
    assert "Not all" not in shown
    assert "Not all was checked: after" in checked(capsys, str(path), "--max-nodes", "20")


def test_posg_that_stands_still_is_followed_for_the_most_steps(capsys, tmp_path, monkeypatch):
    path = tmp_path / "endless.json"
    table = conversions.posg_to_tabular(
        gt.load_game("repeated_matching_pennies:rounds=1,recall=0")
    ).target
    gt.write_game(replace(table, horizon=None), path)
    monkeypatch.setattr(check, "MOST_STEPS", 2)
    shown = checked(capsys, str(path))
    assert "Not all was checked: plays are followed for at most 2 step(s)." in shown


def test_laws_that_cannot_be_checked_name_no_argument(capsys):
    shown = " ".join(checked(capsys, "leduc_poker:ranks=2").replace("│", " ").split())
    assert "not checked" in shown
    assert "max_profiles" not in shown


@pytest.mark.parametrize("word", ["-1", "0"])
def test_budget_below_one_is_refused(capsys, word):
    with pytest.raises(SystemExit, match="2"):
        main(["check", "tiger", f"--max-nodes={word}"])
    assert "needs a whole number of at least 1, but got" in capsys.readouterr().err


@pytest.mark.parametrize("max_nodes", [150, 500, 12_000])
def test_rules_are_stopped_as_late_as_the_budget_allows(max_nodes):
    table = in_part(gt.load_game("tiger"), max_nodes=max_nodes)
    assert gt.posg_to_extensive(table).target.num_nodes <= max_nodes
    if table.horizon < 3:
        longer = gt.posg_to_extensive(
            stop_posg(gt.load_game("tiger"), steps=table.horizon + 1)
        ).target
        assert longer.num_nodes > max_nodes


def test_aec_games_are_stopped_as_late_as_the_budget_allows():
    game = gt.load_game("reversing_order")
    whole = gt.aec_to_extensive(game).target.num_nodes
    assert in_part(game, max_nodes=whole).horizon is None
    part = in_part(game, max_nodes=whole - 1)
    assert part.horizon is not None
    assert conversions.count_aec_nodes(part, max_nodes=whole) < whole


def test_game_too_large_after_one_step_is_refused(capsys):
    with pytest.raises(gt.InvalidArgument, match="needs --max-nodes above 10, because the tree of"):
        in_part(gt.load_game("tiger"), max_nodes=10)
    assert main(["check", "tiger", "--max-nodes", "10"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1


def richer(game):
    """The same table with one reward more."""
    rewards = np.array(game.reward_vectors)
    rewards[game.entry_reward[0], 0] += Fraction(1, 7)
    return replace(game, reward_vectors=rewards)


def test_conversion_that_changes_a_reward_is_broken_with_its_witness(capsys, monkeypatch):
    honest = check.posg_to_aec

    def crooked(game):
        return replace(honest(game), target=honest(richer(game)).target)

    monkeypatch.setattr(check, "posg_to_aec", crooked)
    shown = checked(capsys, "repeated_prisoners_dilemma", code=1)
    assert shown.count("broken") == 1
    assert "every source profile pays what" in " ".join(shown.replace("│", " ").split())


def test_claim_of_a_simulation_to_keep_best_responses_is_broken(capsys, monkeypatch):
    """The clock of the team game, found by the law: the POSG lets the second mover know."""
    honest = check.aec_to_posg

    def boast(game):
        return replace(honest(game), preserves=frozenset(conversions.Preserved))

    assert "broken" not in checked(capsys, "random_order_team")
    monkeypatch.setattr(check, "aec_to_posg", boast)
    shown = checked(capsys, "random_order_team", code=1)
    assert shown.count("broken") == 1
    assert "deviation gains of a profile and of its image" in " ".join(
        shown.replace("│", " ").split()
    )


def test_tree_that_comes_back_changed_is_broken(capsys, monkeypatch):
    other = gt.load_game("kuhn_poker:cards=2")
    honest = check.extensive_to_aec
    monkeypatch.setattr(check, "extensive_to_aec", lambda _: honest(other))
    shown = checked(capsys, "one_card_poker", code=1)
    assert "must come back as" in " ".join(shown.replace("│", " ").split())


def test_file_that_reads_back_otherwise_is_broken(capsys, monkeypatch):
    honest = check.game_from
    monkeypatch.setattr(check, "game_from", lambda record: richer(honest(record)))
    shown = checked(capsys, "tiger:horizon=1", code=1)
    assert shown.count("broken") == 1
    assert "must read back the same" in " ".join(shown.replace("│", " ").split())


@dataclass(frozen=True)
class Forgetful(FairCoins):
    """Fair coins whose rules say something else each second time they are asked."""

    def reward(self, state, joint_action, next_state):
        asked.append(joint_action)
        return (Fraction(len(asked) % 2),) * 2


asked = []


def test_rules_that_answer_unsteadily_are_broken(capsys, monkeypatch):
    honest = gt.load_game("public_coin")
    settings = {field.name: getattr(honest, field.name) for field in fields(honest) if field.init}
    rules = Forgetful(**settings)
    monkeypatch.setattr(arguments, "load_game", lambda *_, **__: rules)
    shown = checked(capsys, "public_coin", code=1)
    assert shown.count("broken") == 1
    assert "answers are steady" in " ".join(shown.split("broken", maxsplit=1)[0].split())


def test_seed_that_is_no_number_is_refused(capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["check", "tiger", "--seed", "x"])
    assert "needs a whole number of at least 0, but got 'x'" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["no_such_game", "none.json"])
def test_unknown_game_is_refused(capsys, name):
    assert main(["check", name]) == 2
    assert capsys.readouterr().err.count("\n") == 1
