"""Pages: one file that loads nothing, holds what solvers prove, and refuses what it cannot show."""

import json
import re
from fractions import Fraction

import pytest

from gametheory_core import (
    InvalidArgument,
    NormalFormGame,
    UnsupportedGame,
    certify_nash,
    load_game,
    pure_profile,
)
from gametheory_core.formats import parse_json, verified_certificates
from solvers import Budget, Concept, Solution, SolutionSet, minimax, pure, solve, vertex_enumeration
from solvers.explorer import explore
from solvers.explorer.command import main
from solvers.explorer.page import MOST_BYTES, file_name
from solvers.solution import RunRecord

EVIL = "</script><script>window.hacked = true</script><img src=x onerror='window.hacked = true'>"


def data_of(page):
    """What the page's scripts read."""
    found = re.search(
        r'<script type="application/json" id="data">(.*?)</script>', page.html, re.DOTALL
    )
    return json.loads(found.group(1))


def answer_files(page):
    """The answers of a page as files, the game put back into each."""
    data = data_of(page)
    for answer in data["answers"]:
        solutions = [{k: v for k, v in own.items() if k != "table"} for own in answer["solutions"]]
        game = {**answer["game"], "record": data["game"]}
        yield {**answer, "game": game, "solutions": solutions}


@pytest.mark.parametrize(
    "name",
    ["battle_of_the_sexes", "matching_pennies", "one_card_poker", "selten_horse", "degenerate"],
)
def test_all_answers_of_a_page_are_verified_without_it(name):
    files = list(answer_files(explore(name)))
    assert len(files) >= 2
    for record in files:
        certificates = verified_certificates(parse_json(json.dumps(record), name="page"))
        assert len(certificates) >= len(record["solutions"])


def test_all_equilibria_are_in_the_page():
    (answer,) = (
        own
        for own in data_of(explore("coordination:size=3"))["answers"]
        if own["concept"] == "all-nash"
    )
    assert len(answer["solutions"]) == 7
    assert answer["complete"] is True


def test_a_page_loads_nothing_from_elsewhere():
    html = explore("kuhn_poker").html
    assert re.findall(r"""(?:src|href)\s*=\s*["']""", html) == []
    assert "default-src 'none'" in html
    for word in (
        "@import",
        "fetch(",
        "XMLHttpRequest",
        "innerHTML",
        "insertAdjacentHTML",
        "document.write",
    ):
        assert word not in html
    assert set(re.findall(r"https?://[^\s\"'<>]+", html)) == {"http://www.w3.org/2000/svg"}


def test_labels_cannot_end_the_element_that_they_stand_in():
    game = NormalFormGame.zero_sum(
        [[1, 0], [0, 1]], players=[EVIL, "b"], actions=[[EVIL, "x"]] * 2, title=EVIL
    )
    html = explore(game).html
    assert html.count("<script") == 2
    assert "<img" not in html
    assert data_of(explore(game))["game"]["players"][0] == EVIL


def test_the_same_call_gives_the_same_page():
    pages = [re.sub(r'"seconds":[0-9.e-]+', "", explore("chicken").html) for _ in range(2)]
    assert pages[0] == pages[1]


def test_given_solutions_are_shown_instead_of_new_ones():
    game = load_game("chicken")
    found = vertex_enumeration(game)
    assert [own["concept"] for own in data_of(explore(game, solutions=found))["answers"]] == [
        "all-nash"
    ]
    one = data_of(explore(game, solutions=[found.equilibria[0], solve(game, "correlated")]))[
        "answers"
    ]
    assert [(own["concept"], own["complete"]) for own in one] == [
        ("nash", None),
        ("correlated", None),
    ]
    for record in answer_files(explore(game, solutions=found)):
        assert len(verified_certificates(parse_json(json.dumps(record), name="page"))) == 4


def test_given_minimax_strategies_keep_what_they_prove():
    game = load_game("matching_pennies")
    (answer,) = data_of(explore(game, solutions=minimax(game)))["answers"]
    assert answer["concept"] == "minimax"


def test_a_given_set_may_be_of_pure_equilibria_alone():
    game = load_game("chicken")
    certificate = certify_nash(game, pure_profile(game, (0, 1)))
    run = RunRecord("by hand", 0.0)
    own = Solution(certificate.profile, certificate.payoffs, certificate, run)
    (answer,) = data_of(
        explore(game, solutions=SolutionSet(game, (own,), False, "one", None, run))
    )["answers"]
    assert (answer["complete"], answer["evidence"]) == (False, "one")


def test_all_pure_equilibria_are_not_shown_as_all():
    game = load_game("chicken")
    page = explore(game, solutions=pure(game))
    (record,) = answer_files(page)
    assert (record["concept"], record["complete"], len(record["solutions"])) == (
        "pure-nash",
        True,
        2,
    )
    assert len(verified_certificates(parse_json(json.dumps(record), name="page"))) == 3


def test_named_concepts_are_asked_beside_given_solutions():
    game = load_game("matching_pennies")
    page = explore(game, solutions=minimax(game), concepts=[Concept.CORRELATED])
    assert [own["concept"] for own in data_of(page)["answers"]] == ["minimax", "correlated"]


def test_answers_that_are_no_profile_come_as_tables():
    (answer,) = data_of(explore("prisoners_dilemma", concepts=["dominance"]))["answers"]
    assert answer["solutions"][0]["table"]["columns"][0] == "player"


def test_what_the_budget_leaves_out_is_said():
    page = explore("kuhn_poker", budget=Budget(seconds=0))
    assert page.notes
    assert all("time was up" in own for own in page.notes)
    assert data_of(page)["notes"] == list(page.notes)


def test_a_game_without_a_solver_can_still_be_looked_at():
    page = explore("absent_minded_driver")
    assert data_of(page)["answers"] == []
    assert data_of(page)["perfect_recall"] is False
    assert "No solver takes this game" in page.notes[0]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("repeated_prisoners_dilemma", "extensive-form"),
        ("guarded_targets", "normal-form"),
        ("goofspiel:cards=3", "extensive-form"),
    ],
)
def test_rules_and_bayesian_games_become_trees_and_matrices(name, kind):
    assert data_of(explore(name, budget=Budget(seconds=2)))["game"]["kind"] == kind


def test_rules_that_are_too_long_are_refused_with_what_helps():
    with pytest.raises(UnsupportedGame, match=r"40,000 nodes.*stop_posg.*--horizon"):
        explore("iterated_stag_hunt")


@pytest.mark.parametrize("given", [3, None, NormalFormGame])
def test_what_is_no_game_is_refused(given):
    with pytest.raises(InvalidArgument, match="needs a game"):
        explore(given)


def test_solutions_of_another_game_are_refused():
    with pytest.raises(InvalidArgument, match="solutions of the game that is explored"):
        explore("chicken", solutions=solve(load_game("stag_hunt"), "nash"))
    with pytest.raises(InvalidArgument, match="as solvers return them"):
        explore("chicken", solutions=[3])


def test_an_unfitting_concept_is_refused():
    with pytest.raises(UnsupportedGame, match="sequential"):
        explore("chicken", concepts=["sequential"])


def test_a_game_that_no_page_holds_is_refused_with_its_size():
    large = [[Fraction(10**40 + a, 3**20 + b) for b in range(220)] for a in range(220)]
    with pytest.raises(UnsupportedGame, match=r"at most 5,000,000 bytes.*iterated_dominance"):
        explore(NormalFormGame.zero_sum(large), budget=Budget(seconds=0))


def test_a_tree_of_ten_thousand_nodes_stays_below_five_megabytes():
    page = explore("leduc_poker", concepts=["nash", "sequential"])
    assert len(data_of(page)["game"]["node_infoset"]) > 9_000
    assert len(data_of(page)["answers"]) == 2
    assert len(page.html.encode()) < MOST_BYTES


def test_an_answer_that_does_not_fit_is_left_out_and_said(monkeypatch):
    monkeypatch.setattr("solvers.explorer.game_page.MOST_BYTES", 4_000)
    page = explore("kuhn_poker", concepts=["nash"], budget=Budget(seconds=20))
    assert data_of(page)["answers"] == []
    assert page.notes == ("The answer to nash is left out, because the page would be too large.",)


def test_names_of_files_are_plain():
    assert [file_name(own) for own in ("Prisoner's dilemma", "日本", "a" * 99)] == [
        "prisoner-s-dilemma",
        "game",
        "a" * 60,
    ]


def test_pages_are_named_as_pages(tmp_path):
    with pytest.raises(InvalidArgument, match=r"ends in \.html"):
        explore("chicken").save(tmp_path / "x.pdf")


def test_a_page_shows_itself_in_a_notebook():
    page = explore("chicken")
    assert page._repr_html_().startswith("<iframe srcdoc=")
    assert "<script" not in page._repr_html_()
    assert repr(page) == f"ExplorerPage('chicken', {len(page.html.encode()):,} bytes)"


# The command


def test_the_command_writes_a_file_and_says_where(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["chicken"]) == 0
    assert capsys.readouterr().out.startswith("wrote chicken-explorer.html (")
    assert main(["chicken", "-o", "own.html", "--concept", "nash", "--budget", "5"]) == 0
    pages = [
        (tmp_path / name).read_text(encoding="utf-8")
        for name in ("chicken-explorer.html", "own.html")
    ]
    assert all(own.startswith("<!DOCTYPE html>") for own in pages)


def test_the_command_opens_a_browser_if_asked(tmp_path, monkeypatch, capsys):
    opened = []
    monkeypatch.setattr("webbrowser.open", lambda url: bool(opened.append(url)))
    assert main(["chicken", "-o", str(tmp_path / "a.html"), "--open"]) == 0
    assert opened == [(tmp_path / "a.html").as_uri()]
    assert "no browser was found" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["."], "is a folder"),
        (["chicken", "--budget", "-1"], "seconds of at least 0"),
        (["chicken", "--concept", "nix"], "needs a concept"),
        (["chicken", "-o", "/nowhere/a.html"], "can be written"),
        (["no_such_game"], "needs the name of a game"),
    ],
)
def test_the_command_refuses_on_one_line(arguments, words, capsys):
    assert main(arguments) == 2
    told = capsys.readouterr().err
    assert words in told
    assert told.count("\n") == 1


def test_the_command_notes_what_is_left_out(tmp_path, capsys):
    assert main(["kuhn_poker", "--budget", "0", "-o", str(tmp_path / "k.html")]) == 0
    assert "note: The time was up" in capsys.readouterr().err
