"""Trees in a real browser: folded and unfolded by mouse and keys, large ones bit by bit."""

import pytest

from solvers import solve

NODE = "Number(own.dataset.node)"
ITEMS = "[role=treeitem]"
PICKED = "Number(own.dataset.vector)"


def focused(browser):
    """The node that has the focus."""
    return browser.each(":focus", NODE)[0]


def press_button(browser, words):
    browser.each("button", f"own.textContent === {words!r} && own.click()")


def test_trees_are_walked_and_folded_by_keys(opened, browser):
    game = opened("one_card_poker")
    browser.first(f"{ITEMS}[tabindex='0']", "own.focus()")
    assert focused(browser) == 0
    assert browser.count(ITEMS) == game.num_nodes
    browser.press("ArrowRight")
    assert focused(browser) == 1
    browser.press("ArrowDown", "ArrowUp")
    assert focused(browser) == 1
    browser.press("ArrowLeft")
    assert browser.first(":focus", "own.getAttribute('aria-expanded')") == "false"
    assert browser.count(ITEMS) < game.num_nodes
    browser.press("ArrowLeft")
    assert focused(browser) == 0
    browser.press("ArrowRight", " ")
    assert browser.count(ITEMS) == game.num_nodes
    browser.press("End")
    assert game.node_infoset[focused(browser)] == -1
    browser.press("Home")
    assert focused(browser) == 0


def test_one_node_takes_the_tab_key(opened, browser):
    opened("kuhn_poker")
    assert browser.count(f"{ITEMS}[tabindex='0']") == 1
    browser.first(f"{ITEMS}[tabindex='0']", "own.focus()")
    browser.press("ArrowDown", "ArrowDown", "ArrowLeft")
    assert browser.count(f"{ITEMS}[tabindex='0']") == 1


def test_mouse_and_enter_pick_the_information_set(opened, browser):
    game = opened("one_card_poker")
    browser.click("[data-node='3'].node rect", across=0.2)
    s = int(game.node_infoset[3])
    assert browser.each("fieldset.picked", PICKED) == [s]
    alike = [v for v in range(game.num_nodes) if game.node_infoset[v] == s]
    assert sorted(browser.each(".node.picked", NODE)) == alike
    browser.press("Home", "ArrowRight", "Enter")
    assert browser.each("fieldset.picked", PICKED) == [int(game.node_infoset[1])]


def test_a_button_folds_what_is_behind_a_box(opened, browser):
    game = opened("one_card_poker")
    browser.click("[data-node='1'].node .fold")
    assert browser.count(ITEMS) < game.num_nodes
    browser.click("[data-node='1'].node .fold")
    assert browser.count(ITEMS) == game.num_nodes


def test_what_is_played_is_drawn_thick_and_can_be_unfolded_alone(opened, browser):
    game = opened("one_card_poker")
    profile = solve(game, "all-nash").solutions[0].profile
    thick = browser.each(".edge.played", NODE)
    chance = [1, 2]
    played = [
        int(game.first_child[v]) + a
        for v in range(game.num_nodes)
        if 0 <= game.node_infoset[v] < game.num_decision_infosets
        for a, share in enumerate(profile.probabilities[game.node_infoset[v]])
        if share
    ]
    assert sorted(thick) == sorted([*chance, *played])
    press_button(browser, "Unfold what is played")
    assert set(browser.each(ITEMS, NODE)) >= set(played)


def test_information_sets_are_joined(opened, browser):
    opened("selten_horse")
    assert browser.count(".link") == 1  # across two columns
    opened("kuhn_poker")
    assert browser.count(".link") == 12  # each of two nodes in one column


def test_large_trees_are_unfolded_bit_by_bit(opened, browser):
    game = opened("leduc_poker")
    first = browser.count(ITEMS)
    assert 10 < first < 200
    browser.click(f"{ITEMS}[aria-expanded=false] rect", across=0.3)
    assert first < browser.count(ITEMS) < first + 20
    press_button(browser, "Unfold all")
    assert 500 < browser.count(ITEMS) <= 3000
    assert f"of {game.num_nodes:,} nodes" in "".join(browser.texts("[role=status]"))
    assert browser.count("#infoset option") == game.num_decision_infosets
    assert browser.errors == []


def test_large_trees_say_that_numbers_are_rounded(opened, browser):
    game = opened("leduc_poker")
    assert "floating point" in " ".join(browser.texts(".note"))
    payoffs = [float(own) for own in solve(game, "nash").solutions[0].payoffs]
    texts = browser.texts(".payoff-table td.payoff")
    numbers = [float(text.lstrip("≈").replace("−", "-")) for text in texts]
    assert numbers == pytest.approx(payoffs, rel=1e-3)
    assert browser.texts("#verdict")[0].endswith("nobody gains by deviating, up to rounding.")


def test_the_information_set_of_a_large_tree_is_chosen_from_a_list(opened, browser):
    opened("leduc_poker")
    browser.first("#infoset", "own.value = '500', own.dispatchEvent(new Event('change'))")
    assert browser.each("fieldset.strategy", PICKED) == [500]


def test_players_who_forget_get_payoffs_and_no_best_responses(opened, browser):
    opened("absent_minded_driver")
    assert browser.texts(".payoff-table td.gain") == ["–"]
    assert "imperfect recall" in browser.texts("#verdict")[0]


def test_a_tree_of_ten_thousand_nodes_opens_soon(opened, browser):
    """Two seconds on a machine that does nothing else; a multiple of that on one that does."""
    opened("leduc_poker")
    assert float(browser.first("html", "own.dataset.ready")) < 20_000
