"""How pages look: nothing overlaps or is cut, text stands out, paper has all, pictures agree."""

import io
from itertools import combinations
from pathlib import Path

import pytest

KEPT = Path(__file__).parents[3] / "docs" / "images" / "explorer.png"
BOX = "(({left, top, right, bottom}) => [left, top, right, bottom])(own.getBoundingClientRect())"
LABELS = "p, th, td.number, .payoff, .player, legend, .choice span, button, figcaption"
CONTRASTS = """((labels) => {
    const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const light = (color) => {
        pen.fillStyle = color;
        pen.fillRect(0, 0, 1, 1);
        return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3).map((c) => c / 255)
            .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
            .reduce((sum, c, k) => sum + c * [0.2126, 0.7152, 0.0722][k], 0);
    };
    const behind = (own) => {
        for (; own; own = own.parentElement) {
            const color = getComputedStyle(own).backgroundColor;
            if (!/, 0\\)$/.test(color)) return color;
        }
        return "white";
    };
    return [...document.querySelectorAll(labels)]
        .map((own) => [light(getComputedStyle(own).color), light(behind(own))])
        .map((pair) => pair.sort((a, b) => a - b))
        .map(([dark, bright]) => (bright + 0.05) / (dark + 0.05));
})"""
FOR_DASHES = 22  # pixels beside a box, where the lines of information sets run
GREY_LEVELS = (
    6  # of 255, by which pictures may differ on average: fonts are not the same everywhere
)


@pytest.mark.parametrize(
    "name", ["chicken", "kuhn_poker", "nine_equilibria", "evil matrix", "evil tree"]
)
@pytest.mark.parametrize("width", [1280, 700, 380])
def test_nothing_is_wider_than_the_window(opened, browser, name, width):
    opened(name, width=width)
    assert browser.first("html", "own.scrollWidth") <= width
    inner = browser.each(".strategy, .payoff-table, .answers", "own.scrollWidth - own.clientWidth")
    assert max(inner) <= 1


@pytest.mark.parametrize("name", ["kuhn_poker", "evil tree", "selten_horse", "leduc_poker"])
def test_nodes_of_trees_do_not_overlap_and_hold_their_texts(opened, browser, name):
    opened(name)
    boxes, texts = browser.each(".node > rect", BOX), browser.each(".node > text", BOX)
    assert len(boxes) > 5
    for box, text in zip(boxes, texts, strict=True):
        assert box[0] <= text[0]
        assert text[2] <= box[2]
    for (left, top, right, bottom), other in combinations(boxes, 2):
        is_beside = right <= other[0] or other[2] <= left
        assert is_beside or bottom <= other[1] or other[3] <= top


@pytest.mark.parametrize("name", ["kuhn_poker", "evil tree", "leduc_poker"])
def test_labels_of_branches_end_before_the_next_box(opened, browser, name):
    opened(name)
    nodes = browser.each(".node", "own.dataset.node")
    left = dict(zip(nodes, (box[0] for box in browser.each(".node > rect", BOX)), strict=True))
    edges = browser.each(".edge", "own.dataset.node")
    labels = browser.each(".edge text", BOX)
    assert len(edges) == len(nodes) - 1
    for node, label in zip(edges, labels, strict=True):
        assert label[2] < left[node] - FOR_DASHES


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", ["nine_equilibria", "one_card_poker"])
def test_text_stands_out_from_its_background(opened, browser, name, dark):
    """A contrast of 4.5 is what WCAG 2.2 asks for, success criterion 1.4.3."""
    opened(name, dark=dark)
    browser.settle()
    found = browser.run(f"{CONTRASTS}({LABELS!r})")
    assert len(found) > 30
    assert min(found) >= 4.5


def test_everything_that_can_be_used_has_a_name_and_shows_its_focus(opened, browser):
    opened("nine_equilibria")
    name = "own.getAttribute('aria-label') ?? own.closest('label')?.textContent ?? own.textContent"
    names = browser.each("input, select, button", name)
    assert all(own.strip() for own in names)
    reached = set()
    for _ in range(40):
        browser.press("Tab")
        told = "[own.tagName + (own.type ?? ''), getComputedStyle(own).outlineStyle]"
        for kind, outline in browser.each(":focus", told):
            assert outline != "none"
            reached.add(kind)
    kinds = {"INPUTradio", "INPUTrange", "INPUTtext", "BUTTONbutton", "FIGURE", "SUMMARY"}
    assert kinds <= reached


def test_paper_shows_all_and_no_controls(opened, browser):
    opened("kuhn_poker")
    browser.media(paper=True)
    hidden = browser.each(".controls, input[type=range], details", "getComputedStyle(own).display")
    assert set(hidden) == {"none"}
    inner = browser.each(".scroll, .strategies, .choices", "own.scrollHeight - own.clientHeight")
    assert max(inner) <= 1
    assert browser.pdf().startswith(b"%PDF")


def grey_squares(png):
    """A picture as 32 x 20 squares of grey."""
    image = pytest.importorskip("PIL.Image").open(io.BytesIO(png)).convert("L")
    return pytest.importorskip("numpy").asarray(image.resize((32, 20)), dtype=float)


def test_the_picture_of_the_documentation_is_what_the_page_looks_like(opened, browser):
    opened("battle_of_the_sexes", width=1200, height=760)
    browser.settle()
    shown = grey_squares(browser.screenshot(whole=False))
    assert abs(shown - grey_squares(KEPT.read_bytes())).mean() < GREY_LEVELS


def test_another_profile_makes_another_picture(opened, browser):
    opened("battle_of_the_sexes", width=1200, height=760)
    browser.settle()
    before = grey_squares(browser.screenshot(whole=False))
    browser.click("input[value='0-2']")
    browser.run("scrollTo(0, 0)")
    browser.settle()
    assert abs(grey_squares(browser.screenshot(whole=False)) - before).max() > 3 * GREY_LEVELS


@pytest.mark.parametrize("dark", [False, True])
def test_pages_are_as_dark_as_the_system(opened, browser, dark):
    opened("chicken", dark=dark)
    browser.settle()
    assert (grey_squares(browser.screenshot(whole=False)).mean() < 100) == dark
