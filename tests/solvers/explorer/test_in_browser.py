"""Pages in a real browser: what is clicked, typed and pressed, and what then stands there."""

import io
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from gametheory_core import (
    Chance,
    Decision,
    ExtensiveFormGame,
    NormalFormGame,
    Terminal,
    deviation_gains,
    expected_payoffs,
    from_sketch,
    load_game,
)
from gametheory_core.evaluation import action_payoffs
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.mixed import MixedProfile, supports
from solvers import Budget, solve
from solvers.explorer import explore

EVIL = "</script><script>window.hacked = true</script><img src=x onerror='window.hacked = true'>"
IMAGES = Path(__file__).parents[3] / "docs" / "images"


def evil_matrix():
    long = "a label that is so long that no table has room for it on one line, and says so"
    third = [[Fraction(10**40 + 1, 3**50), -1], ["1/7", 2]]
    return NormalFormGame.bimatrix(
        third, [[1, 0], [0, 1]], players=[EVIL, "日本 ünï"], actions=[[EVIL, long], [EVIL, "é"]], title=EVIL
    )


def evil_tree():
    again = {EVIL: Terminal([Fraction(1, 10**25), 1]), "ü": Decision(1, "", {EVIL: Terminal([0, 0])})}
    nodes = {EVIL: (Fraction(1, 3), Decision(0, EVIL, again)), "b": (Fraction(2, 3), Terminal([3, 1]))}
    return from_sketch(Chance(nodes), players=(EVIL, "B"), title=EVIL)


def large_matrix():
    payoffs = [[(7 * a * a + 13 * b * b + a * b) % 97 for b in range(100)] for a in range(100)]
    return NormalFormGame.bimatrix(payoffs, [row[::-1] for row in payoffs], title="large")


GAMES = {
    "evil matrix": evil_matrix,
    "evil tree": evil_tree,
    "large matrix": large_matrix,
    "wide": lambda: NormalFormGame.from_payoffs([[[[[0] * 5] * 4] * 2] * 2] * 4),
    "alone": lambda: NormalFormGame.from_payoffs([[3, 1, 2]]),
}


@pytest.fixture(scope="module")
def opened(browser, tmp_path_factory):
    """Open the page of a game, which is made once."""
    folder, made = tmp_path_factory.mktemp("pages"), {}

    def open_page(name, **options):
        if name not in made:
            game = GAMES.get(name, lambda: load_game(name))()
            path = folder / f"{len(made)}.html"
            made[name] = (game, explore(game, budget=Budget(seconds=4)).save(path))
        game, path = made[name]
        browser.errors.clear()
        browser.requests.clear()
        browser.open(path, **options)
        return game

    return open_page


def number(text):
    return Fraction(text.replace("−", "-").removesuffix(" ★"))


def profile_in(browser, game):
    """The profile that the fields show."""
    rows = browser.run(
        "[...document.querySelectorAll('fieldset.strategy')].map((own) => "
        "[...own.querySelectorAll('input[type=text]')].map((field) => field.value))"
    )
    vectors = tuple([Fraction(own) for own in row] for row in rows)
    kind = MixedProfile if isinstance(game, NormalFormGame) else BehavioralProfile
    return kind(vectors).of(game)


def shown_payoffs(browser, name):
    return tuple(map(number, browser.texts(f".payoff-table td.{name}")))


def check_numbers(browser, game):
    """Compare payoffs, best responses and gains with those of the core; return the profile."""
    profile = profile_in(browser, game)
    payoffs, gains = expected_payoffs(game, profile), deviation_gains(game, profile)
    assert shown_payoffs(browser, "payoff") == tuple(payoffs)
    assert shown_payoffs(browser, "gain") == tuple(gains)
    best = [own + gain for own, gain in zip(payoffs, gains, strict=True)]
    assert list(shown_payoffs(browser, "best")) == best
    verdict = browser.texts("#verdict")[0]
    assert verdict.startswith("A Nash equilibrium") == (max(gains) == 0)
    return profile


@pytest.mark.parametrize(
    "name",
    ["chicken", "rock_paper_scissors", "nine_equilibria", "one_card_poker", "kuhn_poker", "selten_horse",
     "leduc_poker", "absent_minded_driver", "guarded_targets", "centipede:rounds=40", *GAMES],
)  # fmt: skip
def test_pages_open_without_errors_and_ask_for_nothing(opened, browser, name):
    game = opened(name)
    assert browser.errors == []
    assert [own for own in browser.requests if not own.startswith("file:")] == []
    assert len(browser.requests) == 1
    assert browser.run("window.hacked ?? null") is None
    assert browser.texts("h1") == [game.title or "Untitled game"]
    assert len(browser.texts("h2")) >= 4


@pytest.mark.parametrize("name", ["chicken", "nine_equilibria", "rock_paper_scissors", "kuhn_poker", "selten_horse"])
def test_each_equilibrium_can_be_chosen_and_is_what_the_solver_found(opened, browser, name):
    game = opened(name)
    answer = solve(game, "all-nash")
    assert browser.run("document.querySelectorAll('[data-concept=all-nash] input').length") == len(answer.solutions)
    for number_, solution in enumerate(answer.solutions):
        browser.click(f"input[value='0-{number_}']")
        assert check_numbers(browser, game) == solution.profile
        assert browser.texts(".statement") == [f"Certified: {solution.certificate.statement}."]


def test_supports_are_highlighted_in_the_matrix(opened, browser):
    game = opened("nine_equilibria")
    for k, solution in enumerate(solve(game, "all-nash").solutions):
        browser.click(f"input[value='0-{k}']")
        own = supports(solution.profile)
        cells = browser.run("[...document.querySelectorAll('td.played')].map((own) => Number(own.dataset.cell))")
        assert sorted(cells) == sorted(4 * a + 2 * b + c for a in own[0] for b in own[1] for c in own[2])
        assert len(set(browser.texts("tbody th.action.played .name"))) == len(own[0])


def test_pure_equilibria_are_framed_and_best_responses_underlined(opened, browser):
    opened("chicken")
    framed = browser.run("[...document.querySelectorAll('td.equilibrium')].map((own) => Number(own.dataset.cell))")
    assert framed == [1, 2]
    assert len(browser.texts(".payoff.best")) == 4


def test_what_is_typed_is_computed_exactly(opened, browser):
    game = opened("rock_paper_scissors")
    browser.type("[data-vector='0'] tr:nth-child(1) input[type=text]", "1/7")
    browser.type("[data-vector='1'] tr:nth-child(2) input[type=text]", "0.95")
    profile = check_numbers(browser, game)
    assert profile.strategies[0].tolist() == [Fraction(1, 7), Fraction(3, 7), Fraction(3, 7)]
    for player in (0, 1):
        pays = browser.texts(f"[data-vector='{player}'] td.number")
        values = action_payoffs(game, profile, player=player).tolist()
        assert list(map(number, pays)) == values
        assert [text.endswith("★") for text in pays] == [own == max(values) for own in values]
    assert browser.run("document.querySelector('input[value=own]').checked")


def test_what_is_typed_at_an_information_set_is_computed_exactly(opened, browser):
    game = opened("kuhn_poker")
    browser.click("#uniform")
    browser.type("[data-vector='4'] tr:nth-child(1) input[type=text]", "2/9")
    profile = check_numbers(browser, game)
    assert profile.probabilities[4].tolist() == [Fraction(2, 9), Fraction(7, 9)]


@pytest.mark.parametrize("text", ["2", "-1/2", "x", "1/0", ""])
def test_what_is_no_probability_is_refused_where_it_stands(opened, browser, text):
    game = opened("chicken")
    before = profile_in(browser, game)
    field = "[data-vector='0'] tr:nth-child(1) input[type=text]"
    browser.run(f"(() => {{ const own = document.querySelector({json.dumps(field)});"
                f"own.value = {json.dumps(text)}; own.dispatchEvent(new Event('change')); }})()")  # fmt: skip
    assert browser.run(f"document.querySelector({json.dumps(field)}).getAttribute('aria-invalid')") == "true"
    told = browser.run(f"document.querySelector({json.dumps(field)}).validationMessage")
    assert "from 0 to 1" in told
    browser.click("input[value='0-1']")
    browser.click("input[value='0-0']")
    assert profile_in(browser, game) == before


def test_sliders_move_by_keys_in_hundredths(opened, browser):
    game = opened("rock_paper_scissors")
    browser.click("#uniform")
    browser.run("document.querySelector('[data-vector=\"0\"] input[type=range]').focus()")
    browser.press("ArrowRight", "ArrowRight")
    profile = check_numbers(browser, game)
    assert profile.strategies[0].tolist() == [Fraction(n, 100) for n in (35, 33, 32)]
    browser.press("End")
    assert check_numbers(browser, game).strategies[0].tolist() == [1, 0, 0]
    browser.press("Home")
    assert sum(check_numbers(browser, game).strategies[0]) == 1


def test_correlated_answers_shade_joint_actions(opened, browser):
    game = opened("chicken")
    (solution,) = solve(game, "correlated").solutions
    browser.click("[data-concept=correlated] input")
    cells = browser.run("[...document.querySelectorAll('td.played')].map((own) => Number(own.dataset.cell))")
    assert sorted(cells) == sorted(2 * a + b for a, b in solution.profile.joint_actions)
    assert shown_payoffs(browser, "payoff") == solution.payoffs
    browser.click("input[value='0-0']")
    check_numbers(browser, game)
    assert len(browser.texts("td.played")) == 1


def test_a_click_into_the_plot_moves_the_profile(opened, browser):
    game = opened("battle_of_the_sexes")
    assert browser.run("document.querySelectorAll('#replies .dot').length") == 3
    browser.click("#replies .frame", across=0.25, down=0.6)
    profile = check_numbers(browser, game)
    assert [float(own[0]) for own in profile.strategies] == pytest.approx([0.25, 0.4], abs=0.011)


def test_a_click_into_the_simplex_moves_the_profile(opened, browser):
    game = opened("rock_paper_scissors")
    assert browser.run("document.querySelectorAll('.simplex').length") == 2
    assert browser.run("document.querySelectorAll('.simplex[data-player=\"0\"] .region').length") == 3
    browser.click(".simplex[data-player='1'] .corner:nth-of-type(4)", down=-0.6)
    profile = check_numbers(browser, game)
    assert max(profile.strategies[1]) > Fraction(4, 5)
    assert set(profile.strategies[0]) == {Fraction(1, 3)}


# Trees


def at(browser):
    """The node that has the focus."""
    return browser.run("Number(document.activeElement.dataset.node ?? -1)")


def test_trees_are_walked_and_folded_by_keys(opened, browser):
    game = opened("one_card_poker")
    browser.run("document.querySelector('[role=treeitem][tabindex=\"0\"]').focus()")
    assert at(browser) == 0
    everything = len(browser.texts("[role=treeitem]"))
    assert everything == game.num_nodes
    browser.press("ArrowRight")
    assert at(browser) == 1
    browser.press("ArrowDown", "ArrowUp")
    assert at(browser) == 1
    browser.press("ArrowLeft")
    assert browser.run("document.activeElement.getAttribute('aria-expanded')") == "false"
    assert len(browser.texts("[role=treeitem]")) < everything
    browser.press("ArrowLeft")
    assert at(browser) == 0
    browser.press("ArrowRight", " ")
    assert len(browser.texts("[role=treeitem]")) == everything
    browser.press("End")
    assert game.node_infoset[at(browser)] == -1
    browser.press("Home")
    assert at(browser) == 0


def test_enter_picks_the_information_set(opened, browser):
    game = opened("one_card_poker")
    browser.run("document.querySelector('[data-node=\"3\"]').focus()")
    browser.click("[data-node='3'] rect", across=0.2)
    s = int(game.node_infoset[3])
    assert browser.run("Number(document.querySelector('fieldset.picked').dataset.vector)") == s
    alike = browser.run("[...document.querySelectorAll('.node.picked')].map((own) => Number(own.dataset.node))")
    assert sorted(alike) == [v for v in range(game.num_nodes) if game.node_infoset[v] == s]
    browser.run("document.querySelector('[data-node=\"1\"]').focus()")
    browser.press("Home", "ArrowRight", "Enter")
    assert browser.run("Number(document.querySelector('fieldset.picked').dataset.vector)") == int(game.node_infoset[1])


def test_large_trees_are_unfolded_bit_by_bit(opened, browser):
    game = opened("leduc_poker")
    first = len(browser.texts("[role=treeitem]"))
    assert 10 < first < 200
    browser.click("[data-node='40'] rect" if browser.run("!!document.querySelector('[data-node=\"40\"]')")
                  else "[role=treeitem][aria-expanded=false] rect", across=0.3)  # fmt: skip
    assert first < len(browser.texts("[role=treeitem]")) < first + 20
    browser.run("[...document.querySelectorAll('button')].find((own) => own.textContent === 'Unfold all').click()")
    assert 500 < len(browser.texts("[role=treeitem]")) <= 3000
    assert f"of {game.num_nodes:,} nodes" in "".join(browser.texts("[role=status]"))
    assert browser.run("document.querySelectorAll('#infoset option').length") == game.num_decision_infosets
    assert browser.errors == []


def test_large_trees_say_that_numbers_are_rounded(opened, browser):
    game = opened("leduc_poker")
    assert "floating point" in " ".join(browser.texts(".note"))
    own = solve(game, "nash").solutions[0]
    texts = browser.texts(".payoff-table td.payoff")
    assert [float(text.lstrip("≈").replace("−", "-")) for text in texts] == pytest.approx(
        list(map(float, own.payoffs)), rel=1e-3
    )
    assert browser.texts("#verdict") == ["A Nash equilibrium: nobody gains by deviating, up to rounding."]


def test_players_who_forget_get_payoffs_and_no_best_responses(opened, browser):
    opened("absent_minded_driver")
    assert browser.texts(".payoff-table td.gain") == ["–"]
    assert "imperfect recall" in browser.texts("#verdict")[0]


# Proofs


def test_the_saved_file_is_verified_as_the_page_says(opened, browser, tmp_path, monkeypatch):
    opened("battle_of_the_sexes")
    browser.save_downloads(tmp_path)
    browser.click("#save")
    (command,), (snippet,) = browser.texts("#command"), browser.texts("#snippet")
    name = command.split()[-1]
    browser.wait_for(tmp_path / name)
    ran = subprocess.run([sys.executable, *command.split()[1:]], cwd=tmp_path, capture_output=True, text=True, check=False,
                         env={"PYTHONPATH": str(Path(__file__).parents[3])})  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    monkeypatch.chdir(tmp_path)
    told = io.StringIO()
    monkeypatch.setattr(sys, "stdout", told)
    exec(snippet, {})  # noqa: S102 what the page tells the reader to run
    assert told.getvalue().count("verified: ") == 4  # three equilibria, and that these are all


def test_the_file_can_be_looked_at(opened, browser):
    opened("chicken")
    browser.click("summary")
    browser.settle()
    (text,) = browser.texts("pre.file")
    assert json.loads(text)["schema"] == "gametheory-core/solution/1"


# Looks


@pytest.mark.parametrize("name", ["chicken", "kuhn_poker", "nine_equilibria", "evil matrix", "evil tree"])
@pytest.mark.parametrize("width", [1280, 700, 380])
def test_nothing_is_wider_than_the_window(opened, browser, name, width):
    opened(name, width=width)
    assert browser.run("document.documentElement.scrollWidth") <= width
    cut = browser.run(
        "[...document.querySelectorAll('.strategy, .payoff-table, .answers')]"
        ".filter((own) => own.scrollWidth > own.clientWidth + 1).length"
    )
    assert cut == 0


@pytest.mark.parametrize("name", ["kuhn_poker", "evil tree", "selten_horse", "leduc_poker"])
def test_nodes_of_trees_do_not_overlap_and_hold_their_texts(opened, browser, name):
    opened(name)
    boxes = browser.run(
        "[...document.querySelectorAll('.node')].map((own) => ['rect', ':scope > text'].map((part) => {"
        "const box = own.querySelector(part).getBoundingClientRect();"
        "return [box.left, box.top, box.right, box.bottom]; }))"
    )
    for k, (rect, text) in enumerate(boxes):
        assert text[0] >= rect[0] and text[2] <= rect[2]
        for other, _ in boxes[k + 1 :]:
            apart = rect[2] <= other[0] or other[2] <= rect[0] or rect[3] <= other[1] or other[3] <= rect[1]
            assert apart


@pytest.mark.parametrize("name", ["kuhn_poker", "evil tree", "leduc_poker"])
def test_labels_of_branches_end_before_the_next_box(opened, browser, name):
    opened(name)
    gaps = browser.run(
        "[...document.querySelectorAll('.edge')].map((own) => document.querySelector("
        "`.node[data-node='${own.dataset.node}'] rect`).getBoundingClientRect().left"
        " - own.querySelector('text').getBoundingClientRect().right)"
    )
    assert min(gaps) > 0


CONTRAST = """(() => {
    const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const light = (color) => {
        pen.fillStyle = color;
        pen.fillRect(0, 0, 1, 1);
        return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3).map((c) => c / 255)
            .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
            .reduce((sum, c, k) => sum + c * [0.2126, 0.7152, 0.0722][k], 0);
    };
    const back = (own) => {
        for (; own; own = own.parentElement) {
            const color = getComputedStyle(own).backgroundColor;
            if (!/, 0\\)$/.test(color)) return color;
        }
        return "white";
    };
    return [...document.querySelectorAll("p, th, td.number, .payoff, .player, legend, .choice span, button, figcaption")]
        .map((own) => [light(getComputedStyle(own).color), light(back(own))].sort())
        .map(([dark, bright]) => (bright + 0.05) / (dark + 0.05));
})()"""


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", ["nine_equilibria", "one_card_poker"])
def test_text_stands_out_from_its_background(opened, browser, name, dark):
    """A contrast of 4.5 is what WCAG 2.2 asks for, success criterion 1.4.3."""
    opened(name, dark=dark)
    browser.settle()
    assert min(browser.run(CONTRAST)) >= 4.5


def test_everything_that_can_be_used_has_a_name_and_takes_the_focus(opened, browser):
    opened("nine_equilibria")
    names = browser.run(
        "[...document.querySelectorAll('input, select, button')].map((own) =>"
        "own.getAttribute('aria-label') ?? own.closest('label')?.textContent ?? own.textContent)"
    )
    assert all(own.strip() for own in names)
    reached = set()
    browser.run("document.activeElement?.blur()")
    for _ in range(40):
        browser.press("Tab")
        kind, outline = browser.run("[document.activeElement.tagName + (document.activeElement.type ?? ''),"
                                    "getComputedStyle(document.activeElement).outlineStyle]")  # fmt: skip
        reached.add(kind)
        assert kind == "BODY" or outline != "none"
    assert {"INPUTradio", "INPUTrange", "INPUTtext", "BUTTONbutton", "FIGURE", "SUMMARY"} <= reached


def test_paper_shows_all_and_no_controls(opened, browser):
    opened("kuhn_poker")
    browser.media(paper=True)
    for selector in (".controls", "input[type=range]", "details"):
        assert browser.run(f"getComputedStyle(document.querySelector('{selector}')).display") == "none"
    for box in (".scroll", ".strategies"):
        high, inside = browser.run(f"(() => {{ const own = document.querySelector('{box}');"
                                   "return [own.clientHeight, own.scrollHeight]; })()")  # fmt: skip
        assert inside <= high + 1
    assert browser.pdf().startswith(b"%PDF")


def pixels(png):
    images = pytest.importorskip("PIL.Image")
    numpy = pytest.importorskip("numpy")
    image = images.open(io.BytesIO(png)).convert("L")
    return image, lambda own: numpy.asarray(own.resize((32, 20)), dtype=float)


def test_the_picture_of_the_documentation_is_what_the_page_looks_like(opened, browser):
    """Fonts differ from machine to machine, so pictures are compared in 32 x 20 grey squares."""
    opened("battle_of_the_sexes", width=1200, height=760)
    browser.settle()
    shown, small = pixels(browser.screenshot(whole=False))
    kept, _ = pixels((IMAGES / "explorer.png").read_bytes())
    assert abs(small(shown) - small(kept)).mean() < 6  # of 255


def test_dark_pages_are_dark_and_light_ones_light(opened, browser):
    for dark in (False, True):
        opened("chicken", dark=dark)
        browser.settle()
        _, small = shot = pixels(browser.screenshot(whole=False))
        assert (small(shot[0]).mean() < 100) == dark


def test_a_tree_of_ten_thousand_nodes_opens_soon(opened, browser):
    """Two seconds on a machine that does nothing else; many times that on one that does."""
    game = opened("leduc_poker")
    assert isinstance(game, ExtensiveFormGame)
    assert float(browser.run("document.documentElement.dataset.ready")) < 20_000
