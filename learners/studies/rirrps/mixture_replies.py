"""What a mixture of tables can be beaten by, bounded from both sides.

A responder to a mixture sees windows and has to guess who was drawn. An exact best response looks
at the whole past, and would walk through some ``9^9`` of them. So:

- *from above*: a responder who is told the draw wins ``sum_i p_i v_i``, with ``v_i`` the best
  response's win rate against member ``i``; nobody does better;
- *from below*: a responder who looks at clock, window and lead wins what it wins. It starts with
  what is best given how often each member is met in each place if one throws evenly. Then, from the
  last round to the first, in each place it does what is best given how often each member is met
  there by what it did, and given what it does later. Each match passes one place a round, so no
  round makes it worse.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray, as_float
from gametheory_core.catalog.repeated import RirRPS
from learners.matches.best_replies import match_reply
from learners.matches.match_forms import MatchForm, match_form

PASSES = 2


@dataclass(frozen=True)
class ReplyBounds:
    """Between which win rates the best response to a mixture is."""

    low: float
    high: float


def mixture_reply(
    game: RirRPS, tables: list[FloatArray], weights: FloatArray, *, passes: int = PASSES
) -> ReplyBounds:
    """Bound the best win rate against a mixture of tables.

    Args:
        tables: By window, own actions first, as for ``match_reply``.
        weights: Of sum one.
        passes: How often the responder is improved.

    >>> uniform = np.full((820, 3), 1 / 3)
    >>> found = mixture_reply(RirRPS(), [uniform, uniform], np.array([0.5, 0.5]))
    >>> round(found.low, 9), round(found.high, 9)
    (0.5, 0.5)
    """
    members = np.flatnonzero(weights > 0)
    chances = weights[members]
    form = match_form(game)
    replies = [match_reply(game, tables[k]) for k in members]
    high = float(chances @ np.array([float(own.win_rate) for own in replies]))
    opponents = np.stack([as_float(tables[k])[form.mirrored] for k in members])
    anywhere = _reached(form, opponents, chances, None)
    low, actions = _improved(form, opponents, anywhere, anywhere)
    for _ in range(passes):
        reach = _reached(form, opponents, chances, actions)
        low, actions = _improved(form, opponents, reach, anywhere)
    return ReplyBounds(low, max(low, high))


def _own_window(form: MatchForm, played: int, opponents: FloatArray) -> FloatArray:
    length = min(played, form.recall)
    return opponents[:, form.starts[length] : form.starts[length + 1]]


def _reached(
    form: MatchForm,
    opponents: FloatArray,
    chances: FloatArray,
    actions: list[NDArray[np.int32]] | None,
) -> list[FloatArray]:
    """Return how likely each member is met at each place, by rounds: (members, windows, leads).

    Args:
        actions: Of the responder; None for one who throws evenly.
    """
    own, other = form.points.shape
    half = form.rounds * form.most
    now = np.zeros((len(opponents), 1, 2 * half + 1))
    now[:, 0, half] = chances
    found: list[FloatArray] = []
    for played in range(form.rounds - 1):
        found.append(now)
        share = _own_window(form, played, opponents)
        windows = now.shape[1]
        is_full = played >= form.recall
        after = np.zeros((len(now), windows if is_full else windows * form.num_joint, 2 * half + 1))
        for mine in range(own):
            chosen = now / own if actions is None else now * (actions[played] == mine)
            for theirs in range(other):
                moved = np.roll(chosen * share[:, :, theirs, None], form.points[mine, theirs], 2)
                if is_full:  # the oldest joint action is forgotten
                    moved = moved.reshape(len(now), form.num_joint, -1, 2 * half + 1).sum(axis=1)
                after[:, mine * other + theirs :: form.num_joint] += moved
        now = after
    return [*found, now]


def _improved(
    form: MatchForm, opponents: FloatArray, reach: list[FloatArray], anywhere: list[FloatArray]
) -> tuple[float, list[NDArray[np.int32]]]:
    """Return what the improved responder wins, and what it does.

    Args:
        reach: Of the responder that is improved.
        anywhere: Of one who throws evenly: counts where the other is never.
    """
    own, other = form.points.shape
    half = form.rounds * form.most
    ends = (np.sign(np.arange(-half, half + 1)) + 1) / 2
    values = np.broadcast_to(ends, (len(opponents), form.num_joint**form.recall, 2 * half + 1))
    better: list[NDArray[np.int32]] = []
    for played in reversed(range(form.rounds)):
        share = _own_window(form, played, opponents)
        windows = np.arange(share.shape[1]) * form.num_joint
        worth = np.zeros((own, len(opponents), share.shape[1], 2 * half + 1))
        for mine in range(own):
            for theirs in range(other):
                code = mine * other + theirs
                ahead = values[:, (windows + code) % values.shape[1]]
                ahead = np.roll(ahead, -form.points[mine, theirs], axis=2)
                worth[mine] += share[:, :, theirs, None] * ahead
        is_met = reach[played].sum(axis=0) > 0
        marks = (worth * np.where(is_met, reach[played], anywhere[played])).sum(axis=1)
        chosen = marks.argmax(axis=0)
        better.append(chosen.astype(np.int32))
        values = np.take_along_axis(worth, chosen[None, None], axis=0)[0]
    return float(reach[0][:, 0, half] @ values[:, 0, half]), better[::-1]
