"""The picture of leader policies shows each policy once, its returns, and which are best."""

from fractions import Fraction

import pytest

from gametheory_core import InvalidArgument, NormalFormGame, UnsupportedGame, leaders, load_game
from gametheory_core.catalog import iterated_game

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


def drawn(view, **options):
    import matplotlib.pyplot as plt

    from gametheory_core.leaders import draw_leader_policies

    axes = draw_leader_policies(view, **options)
    axes.figure.canvas.draw()
    plt.close(axes.figure)
    return axes


def is_caption(text):
    return text.get_text().startswith("digits: ")


def boxes(axes):
    """Return (policy, returns, frame) by the place of the box."""
    texts = [text for text in axes.texts if not is_caption(text)]
    out = {}
    for patch in axes.patches:
        box = patch.get_path().get_extents()
        inside = [
            text.get_text()
            for text in sorted(texts, key=lambda text: -text.get_position()[1])
            if box.contains(*text.get_position())
        ]
        assert len(inside) == 2
        out[inside[0]] = (inside[1], patch.get_linestyle(), patch.get_linewidth())
    return out


def caption(axes):
    (text,) = (text.get_text() for text in axes.texts if is_caption(text))
    return text.replace("\n", " ")


@pytest.mark.parametrize("kind", leaders.FollowerClass)
def test_boxes_hold_the_policies_and_their_returns(kind):
    view = leaders.leader_view(load_game("iterated_hero:rounds=4"))
    shown = boxes(drawn(view, follower_class=kind, ties=leaders.FollowerTies.WEAK))
    assert len(shown) == 32
    for policy in leaders.leader_policies(view):
        own, other = leaders.follower_response(
            view, policy, follower_class=kind, ties=leaders.FollowerTies.WEAK
        ).returns
        written = shown[leaders.leader_to_text(view, policy)][0].replace("\N{MINUS SIGN}", "-")
        assert written == f"{own} / {other}"


def test_best_policies_have_thick_frames_and_dead_ends_dashed_ones():
    view = leaders.leader_view(load_game("iterated_prisoners_dilemma"))
    axes = drawn(view)
    shown = boxes(axes)
    thick = {text for text, (_, _, width) in shown.items() if width > 2}
    dashed = {text for text, (_, style, _) in shown.items() if style in ("--", "dashed")}
    assert thick == {"10101"}
    returns = {
        leaders.leader_to_text(view, p): leaders.follower_response(view, p).returns[0]
        for p in leaders.leader_policies(view)
    }

    def neighbors(text):
        return [text[:k] + "10"[int(text[k])] + text[k + 1 :] for k in range(5)]

    assert dashed == {
        text
        for text, value in returns.items()
        if text not in thick and all(returns[other] <= value for other in neighbors(text))
    }
    assert dashed
    assert "dashed: no single change is better" in caption(axes)


def test_lines_link_policies_that_differ_once_and_rise_by_a_row():
    axes = drawn(leaders.leader_view(load_game("iterated_prisoners_dilemma")))
    assert len(axes.lines) == 5 * 2**4
    for line in axes.lines:
        low, high = line.get_ydata()
        assert 0 < high - low < 1.25
    dark = [line for line in axes.lines if line.get_alpha() > 0.5]
    assert 0 < len(dark) < 80


def test_boxes_do_not_overlap_and_letters_fit():
    axes = drawn(leaders.leader_view(load_game("iterated_prisoners_dilemma")))
    frames = [patch.get_window_extent() for patch in axes.patches]
    for k, one in enumerate(frames):
        assert not any(one.overlaps(other) for other in frames[:k])
    for text in axes.texts:
        if not is_caption(text):
            place = text.get_window_extent()
            assert any(
                frame.x0 <= place.x0 and place.x1 <= frame.x1 and frame.y0 <= place.y0
                for frame in frames
            )


def test_caption_fits_the_figure_and_explains_the_digits():
    axes = drawn(leaders.leader_view(load_game("iterated_modified_prisoners_dilemma")))
    assert caption(axes).startswith("digits: the action after nothing | C | D (0: C, 1: D); below:")
    (text,) = (text for text in axes.texts if is_caption(text))
    whole = axes.figure.bbox
    place = text.get_window_extent()
    assert whole.x0 <= place.x0
    assert place.x1 <= whole.x1
    assert axes.get_title() == "Modified prisoner's dilemma, 10 rounds"


def test_three_actions_make_three_rows_of_a_chain():
    stage = NormalFormGame.bimatrix(
        [[0], [Fraction(1, 3)], [2]], [[0], [0], [0]], actions=("abc", "x")
    )
    axes = drawn(leaders.leader_view(iterated_game(stage, rounds=1)))
    shown = boxes(axes)
    assert [shown[f"{k}---"][0] for k in range(3)] == ["0 / 0", "1/3 / 0", "2 / 0"]
    assert len(axes.lines) == 2
    assert [text for text, (_, _, width) in shown.items() if width > 2] == ["2---"]


def test_axes_given_are_drawn_on():
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots()
    assert drawn(leaders.leader_view(load_game("iterated_chicken:rounds=1")), ax=axes) is axes
    plt.close(figure)
    assert set(boxes(axes)) == {"0----", "1----"}


def test_too_many_policies_are_refused_with_the_limit():
    stage = NormalFormGame.bimatrix([[0] * 2] * 3, [[0] * 2] * 3, actions=("abc", "xy"))
    view = leaders.leader_view(iterated_game(stage, rounds=2))
    with pytest.raises(UnsupportedGame, match=r"at most 64 leader policies .* has 2,187 in"):
        drawn(view)
    with pytest.raises(InvalidArgument, match="draw_leader_policies: needs view to be of type"):
        drawn(view.game)


def test_picture_needs_no_policy_to_differ():
    """All returns alike: all policies are best, none is a dead end."""
    stage = NormalFormGame.bimatrix([[1, 1]] * 2, [[1, 1]] * 2, actions=("ab", "xy"))
    view = leaders.leader_view(iterated_game(stage, rounds=2))
    axes = drawn(view)
    assert all(width > 2 for _, _, width in boxes(axes).values())
    assert "dashed" not in caption(axes)
    assert leaders.leader_to_text(view, leaders.leader_from_text(view, "01010")) in boxes(axes)
