"""The picture of the cycle shows every mover and every follower, and how often."""

from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace

import pytest

from gametheory_core import UnsupportedGame
from gametheory_core.catalog import RandomOrderTeam, ReversingOrder
from gametheory_core.conversions import aec_to_tabular
from gametheory_core.distributions import point_mass
from gametheory_core.games import stop_aec, turn_shares
from tests.core.figures.drawing import drawer, require_apart

drawn = drawer("gametheory_core.figures.cycle", "draw_cycle")


NUMBERS = "numbers: who moves next, as shares of all reachable moves that do not end play"
DASHED = "dashed: some of the mover's moves end play"


def parts_of(axes):
    from matplotlib.patches import Circle, FancyArrowPatch

    circles = [patch for patch in axes.patches if isinstance(patch, Circle)]
    arrows = [patch for patch in axes.patches if isinstance(patch, FancyArrowPatch)]
    assert len(circles) + len(arrows) == len(axes.patches)
    return circles, arrows


def is_dashed(arrow):
    return arrow.get_linestyle() != "solid"


def test_random_order_team_is_drawn_whole():
    axes = drawn(RandomOrderTeam())
    circles, arrows = parts_of(axes)
    assert (len(circles), len(arrows)) == (3, 6)
    *texts, caption = (text.get_text() for text in axes.texts)
    assert sorted(texts) == ["1/2", "1/2", "chance", "end", "end", "player\n1", "player\n2"]
    assert caption.split("\n") == [NUMBERS, DASHED]
    assert axes.get_title() == "Team in random order"


def test_chance_is_on_top_and_players_follow_clockwise():
    circles, _ = parts_of(drawn(ReversingOrder()))
    centres = [tuple(round(c, 6) for c in circle.center) for circle in circles]
    assert centres == [(0, 1), (1, 0), (0, -1), (-1, 0)]


def test_arrows_are_the_positive_shares_and_as_wide():
    game = stop_aec(ReversingOrder(), moves=4)
    shares = turn_shares(aec_to_tabular(game).target)
    _, arrows = parts_of(drawn(game))
    widths = sorted(arrow.get_linewidth() for arrow in arrows if not is_dashed(arrow))
    expected = sorted(0.8 + 2.2 * float(share) for share in shares.ravel() if share)
    assert widths == pytest.approx(expected)
    assert len(widths) > 4


def test_sure_follower_needs_no_number():
    texts = [text.get_text() for text in drawn(stop_aec(RandomOrderTeam(), moves=2)).texts]
    assert "1" not in texts


def test_awkward_shares_are_shown_in_per_cent():
    texts = [text.get_text() for text in drawn(stop_aec(ReversingOrder(), moves=6)).texts]
    assert any(text.endswith("%") for text in texts)
    assert not any("/" in text and len(text) > 5 for text in texts)


@pytest.mark.parametrize(("seats", "shares"), [(3, 6), (4, 12)])
def test_no_two_texts_overlap(seats, shares):
    boxes = require_apart(drawn(ReversingOrder(seats=seats)).texts)
    assert len(boxes) == 1 + seats + shares + seats + 1  # movers, shares, ends, caption


@dataclass(frozen=True)
class Patience:
    """One player moves three times in a row."""

    title: str = "Patience"
    players: tuple[str, ...] = ("Ann",)
    discount: Fraction = Fraction(1)
    horizon: int | None = None
    initial_state: int = 0

    def observation(self, player, state):
        return point_mass(state)

    def legal_actions(self, player, observation):
        return ("wait",)

    def is_terminal(self, state):
        return state == 4

    def move(self, player, state, action):
        return state + 1

    def chance(self, state):
        return point_mass(1)

    def reward(self, state, mover, action, next_state):
        return point_mass((0,))

    def next_player(self, state, mover, action, next_state):
        return point_mass(0)


@dataclass(frozen=True)
class ChanceEnds(Patience):
    """Chance, and nobody else, ends play, at once."""

    def is_terminal(self, state):
        return state == 1


def test_mover_who_moves_again_gets_a_loop_that_stays_in_the_picture():
    axes = drawn(Patience())
    _, (entry, loop, _) = parts_of(axes)
    (low, high), box = axes.get_ylim(), loop.get_path().get_extents()
    assert low < box.y0 < box.y1 < -1  # below the only player, who stands at the bottom
    assert entry.get_path().get_extents().y1 < high


def test_way_to_the_end_and_loop_of_one_mover_keep_apart():
    axes = drawn(Patience())
    _, (_, loop, end) = parts_of(axes)
    assert not loop.get_window_extent().overlaps(end.get_window_extent())
    word, mover = ([t for t in axes.texts if t.get_text() == text] for text in ("end", "Ann"))
    assert word[0].get_color() == "#0072B2"
    assert not word[0].get_window_extent().overlaps(mover[0].get_window_extent())


def test_only_movers_of_whom_a_move_ends_play_have_a_way_to_the_end():
    axes = drawn(Patience())
    _, arrows = parts_of(axes)
    assert [is_dashed(arrow) for arrow in arrows] == [False, False, True]
    colors = {text.get_color() for text in axes.texts if text.get_text() == "end"}
    assert colors == {"#0072B2"}  # the player's, and not chance's grey


def test_chance_that_ends_play_has_a_way_to_the_end():
    axes = drawn(ChanceEnds())
    assert [text.get_text() for text in axes.texts] == ["end", "chance", "Ann", DASHED]
    assert axes.texts[0].get_color() == "#5F6368"


def test_caption_is_silent_on_what_is_not_in_the_picture():
    assert drawn(Patience()).texts[-1].get_text() == DASHED
    stopped = stop_aec(Patience(), moves=2)
    assert drawn(stopped).texts[-1].get_text() == "play stops after 2 moves at the latest"
    captions = [text.get_text() for text in drawn(stop_aec(Patience(), moves=1)).texts]
    assert captions[-1] == "play stops after 1 move at the latest"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_texts_stay_in_the_picture(seats):
    axes = drawn(stop_aec(ReversingOrder(seats=seats), moves=4))
    picture = axes.figure.bbox
    for text in axes.texts:
        box = text.get_window_extent()
        assert picture.x0 < box.x0 < box.x1 < picture.x1
        assert picture.y0 < box.y0 < box.y1 < picture.y1


def test_long_title_is_cut_to_what_fits():
    axes = drawn(Patience(title="W" * 90))
    assert axes.get_title() == "W" * 25 + "…" + "W" * 24


def test_budget_is_passed_on():
    with pytest.raises(UnsupportedGame, match="at most max_states = 2 "):
        drawn(RandomOrderTeam(), max_states=2)


def test_draw_cycle_refuses_crowds():
    with pytest.raises(UnsupportedGame, match="at most 8 players .* 'Crowd' has 9"):
        drawn(SimpleNamespace(title="Crowd", players=("",) * 9))
