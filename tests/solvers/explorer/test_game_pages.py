"""Pages in a real browser: what is clicked, typed and pressed, and the numbers that stand there."""

import io
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from gametheory_core import NormalFormGame, deviation_gains, expected_payoffs
from gametheory_core.evaluation import action_payoffs
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.mixed import MixedProfile, supports
from solvers import solve
from tests.solvers.explorer.conftest import GAMES

ROOT = Path(__file__).parents[3]
FIELD = "[data-vector='{}'] tr:nth-child({}) input[type=text]"
CELL = "Number(own.dataset.cell)"
KNOWN = (
    *("chicken", "rock_paper_scissors", "nine_equilibria", "one_card_poker", "kuhn_poker"),
    *("selten_horse", "leduc_poker", "absent_minded_driver", "guarded_targets"),
    "centipede:rounds=40",
)


def number(text):
    return Fraction(text.replace("−", "-").removesuffix(" ★"))


def profile_in(browser, game):
    """The profile that the fields show."""
    fields = "[...own.querySelectorAll('input[type=text]')].map((field) => field.value)"
    vectors = tuple([*map(Fraction, row)] for row in browser.each("fieldset.strategy", fields))
    kind = MixedProfile if isinstance(game, NormalFormGame) else BehavioralProfile
    return kind(vectors).of(game)


def shown(browser, name):
    """A column of the table of payoffs."""
    return tuple(map(number, browser.texts(f".payoff-table td.{name}")))


def checked_profile(browser, game):
    """Compare payoffs, best responses and gains with those of the core; return the profile."""
    profile = profile_in(browser, game)
    payoffs, gains = expected_payoffs(game, profile), deviation_gains(game, profile)
    assert shown(browser, "payoff") == tuple(payoffs)
    assert shown(browser, "gain") == tuple(gains)
    best = tuple(own + gain for own, gain in zip(payoffs, gains, strict=True))
    assert shown(browser, "best") == best
    assert browser.texts("#verdict")[0].startswith("A Nash equilibrium") == (max(gains) == 0)
    return profile


@pytest.mark.parametrize("name", [*KNOWN, *GAMES])
def test_pages_open_without_errors_and_ask_for_nothing(opened, browser, name):
    game = opened(name)
    assert browser.errors == []
    assert [own.partition(":")[0] for own in browser.requests] == ["file"]
    assert browser.run("window.hacked ?? null") is None
    assert browser.texts("h1") == [game.title or "Untitled game"]
    assert browser.count("h2") >= 4


@pytest.mark.parametrize(
    "name", ["chicken", "nine_equilibria", "rock_paper_scissors", "kuhn_poker", "selten_horse"]
)
def test_each_equilibrium_can_be_chosen_and_is_what_the_solver_found(opened, browser, name):
    game = opened(name)
    answer = solve(game, "all-nash")
    assert browser.count("[data-concept=all-nash] input") == len(answer.solutions)
    for k, solution in enumerate(answer.solutions):
        browser.click(f"input[value='0-{k}']")
        assert checked_profile(browser, game) == solution.profile
        assert browser.texts(".statement") == [f"Certified: {solution.certificate.statement}."]


def test_supports_are_highlighted_in_the_matrix(opened, browser):
    game = opened("nine_equilibria")
    for k, solution in enumerate(solve(game, "all-nash").solutions):
        browser.click(f"input[value='0-{k}']")
        one, two, three = supports(solution.profile)
        played = sorted(4 * a + 2 * b + c for a in one for b in two for c in three)
        assert sorted(browser.each("td.played", CELL)) == played
        assert len(set(browser.texts("tbody th.action.played .name"))) == len(one)


def test_pure_equilibria_are_framed_and_best_responses_underlined(opened, browser):
    opened("chicken")
    assert browser.each("td.equilibrium", CELL) == [1, 2]
    assert browser.count(".payoff.best") == 4


def test_what_is_typed_is_computed_exactly(opened, browser):
    game = opened("rock_paper_scissors")
    browser.type(FIELD.format(0, 1), "1/7")
    browser.type(FIELD.format(1, 2), "0.95")
    profile = checked_profile(browser, game)
    assert profile.strategies[0].tolist() == [Fraction(1, 7), Fraction(3, 7), Fraction(3, 7)]
    for player in (0, 1):
        pays = browser.texts(f"[data-vector='{player}'] td.number")
        values = action_payoffs(game, profile, player=player).tolist()
        assert list(map(number, pays)) == values
        assert [text.endswith("★") for text in pays] == [own == max(values) for own in values]
    assert browser.each("input[value=own]", "own.checked") == [True]


def test_what_is_typed_at_an_information_set_is_computed_exactly(opened, browser):
    game = opened("kuhn_poker")
    browser.click("#uniform")
    browser.type(FIELD.format(4, 1), "2/9")
    profile = checked_profile(browser, game)
    assert profile.probabilities[4].tolist() == [Fraction(2, 9), Fraction(7, 9)]


@pytest.mark.parametrize("text", ["2", "-1/2", "x", "1/0", ""])
def test_what_is_no_probability_is_refused_where_it_stands(opened, browser, text):
    game = opened("chicken")
    before, field = profile_in(browser, game), FIELD.format(0, 1)
    change = f"own.value = {json.dumps(text)}, own.dispatchEvent(new Event('change'))"
    browser.first(field, change)
    assert browser.first(field, "own.getAttribute('aria-invalid')") == "true"
    assert "from 0 to 1" in browser.first(field, "own.validationMessage")
    browser.click("input[value='0-1']")
    browser.click("input[value='0-0']")
    assert profile_in(browser, game) == before
    assert browser.first(field, "own.getAttribute('aria-invalid')") is None


def test_sliders_move_by_keys_in_hundredths(opened, browser):
    game = opened("rock_paper_scissors")
    browser.click("#uniform")
    browser.first("[data-vector='0'] input[type=range]", "own.focus()")
    browser.press("ArrowRight", "ArrowRight")
    moved = checked_profile(browser, game).strategies[0].tolist()
    assert moved == [Fraction(n, 100) for n in (35, 33, 32)]
    browser.press("End")
    assert checked_profile(browser, game).strategies[0].tolist() == [1, 0, 0]
    browser.press("Home")
    assert checked_profile(browser, game).strategies[0][0] == 0


def test_solutions_are_chosen_by_keys(opened, browser):
    game = opened("chicken")
    browser.first("input[value='0-0']", "own.focus()")
    browser.press("ArrowDown")
    assert checked_profile(browser, game) == solve(game, "all-nash").solutions[1].profile


def test_correlated_answers_shade_joint_actions(opened, browser):
    game = opened("chicken")
    (solution,) = solve(game, "correlated").solutions
    browser.click("[data-concept=correlated] input")
    joint = sorted(2 * a + b for a, b in solution.profile.joint_actions)
    assert sorted(browser.each("td.played", CELL)) == joint
    assert shown(browser, "payoff") == solution.payoffs
    assert browser.texts(".payoff-table td.gain") == ["–", "–"]
    browser.click("input[value='0-0']")
    checked_profile(browser, game)
    assert browser.count("td.played") == 1


def test_a_click_into_the_plot_moves_the_profile(opened, browser):
    game = opened("battle_of_the_sexes")
    assert browser.count("#replies .dot") == 3
    browser.click("#replies .frame", across=0.25, down=0.6)
    profile = checked_profile(browser, game)
    assert [float(own[0]) for own in profile.strategies] == pytest.approx([0.25, 0.4], abs=0.011)


def test_a_click_into_the_simplex_moves_the_profile(opened, browser):
    game = opened("rock_paper_scissors")
    assert browser.count(".simplex") == 2
    assert browser.count(".simplex[data-player='0'] .region") == 3
    browser.click(".simplex[data-player='1'] .corner", down=2.5)
    profile = checked_profile(browser, game)
    assert profile.strategies[1][0] > Fraction(4, 5)
    assert set(profile.strategies[0]) == {Fraction(1, 3)}


def test_the_saved_file_is_verified_as_the_page_says(opened, browser, tmp_path, monkeypatch):
    opened("battle_of_the_sexes")
    browser.save_downloads(tmp_path)
    browser.click("#save")
    (command,), (snippet,) = browser.texts("#command"), browser.texts("#snippet")
    python, *words, name = command.split()
    assert python == "python"
    browser.wait_for(tmp_path / name)
    ran = subprocess.run(
        [sys.executable, *words, name],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdout", told := io.StringIO())
    exec(snippet, {})  # noqa: S102 what the page tells the reader to run
    assert told.getvalue().count("verified: ") == 4  # three equilibria, and that these are all


def test_the_file_can_be_looked_at(opened, browser):
    opened("chicken")
    browser.click("summary")
    browser.settle()
    (text,) = browser.texts("pre.file")
    assert json.loads(text)["schema"] == "gametheory-core/solution/1"
