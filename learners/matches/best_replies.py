"""The best response to a table in a match, exactly: backward over rounds, windows and leads.

The responder remembers all windows, so that the number of rounds played and the lead are known,
although no window shows them. With ``y`` the opponent's table and lead ``d`` after ``t`` rounds,

    V(T, w, d) = 1 if d > 0, 1/2 if d = 0, else 0
    V(t, w, d) = max_a sum_b y(w, b) V(t + 1, w + (a, b), d + points(a, b))

The best response *by a table of windows*, to an opponent who is known, is another matter: its owner
forgets, choices after one window are tied together, and no backward recursion finds it.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import NumberArray, is_exact, scaled_integers
from gametheory_core.distributions import Distribution, point_mass
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.rules import InformationState
from gametheory_core.memory import require_memory
from gametheory_core.strategies.policies import Policy, policy_from
from learners.matches.match_forms import (
    MatchForm,
    MatchGame,
    TableOrPolicy,
    checked_table,
    match_form,
)


@dataclass(frozen=True, eq=False)
class MatchReply:
    """A best response in a match.

    Attributes:
        form: The match as the responder sees it.
        win_rate: How often it wins, ties counting half; exact if the opponent's table is.
        actions: For each number of rounds played, the first best action for each window of that
            length, in order, and lead, from ``-rounds * most`` up.
    """

    form: MatchForm
    win_rate: Fraction | float
    actions: tuple[NDArray[np.int32], ...]

    @property
    def policy(self) -> Policy:
        """The response as a policy of information states."""
        return policy_from(self._act)

    def _act(self, seen: InformationState) -> Distribution[Any]:
        form = self.form
        own, other = form.actions
        codes: list[int] = []
        for window in seen[2::2]:
            pair = window[-1] if form.seat == 0 else window[-1][::-1]
            codes.append(own.index(pair[0]) * len(other) + other.index(pair[1]))
        recalled = codes[max(0, len(codes) - form.recall) :]
        row = form.number_of(recalled) - int(form.starts[len(recalled)])
        lead = form.rounds * form.most + int(form.points.ravel()[codes].sum())
        return point_mass(own[int(self.actions[len(codes)][row, lead])])


def match_reply(game: MatchGame, opponent: TableOrPolicy, *, seat: int = 0) -> MatchReply:
    """Find a best response to a table, among all policies of information states.

    Args:
        game: RirRPS, or a repeated game as ``match_form`` takes it, with a recall of at least 1.
        opponent: By window, own actions first, or a policy of the last window.
        seat: Where the responder sits.

    Raises:
        UnsupportedGame: If players see nothing, so that leads stay unknown; or as for
            ``match_form``.
        InvalidStrategy: As for ``policy_table``.

    >>> from gametheory_core.catalog import RirRPS
    >>> rock_mostly = np.tile([Fraction(2, 3), Fraction(1, 6), Fraction(1, 6)], (820, 1))
    >>> str(match_reply(RirRPS(), rock_mostly).win_rate)
    '39161779/40310784'
    """
    form = match_form(game, seat=seat)
    if not game.recall:
        raise UnsupportedGame(
            needs="players who see at least the last joint action",
            found=f"in {game.title} they see nothing, and do not know the lead",
            remedy="Give a recall of at least 1.",
        )
    leads = 2 * form.rounds * form.most + 1
    require_memory(
        (4 * form.rounds + 8 * form.num_joint) * form.num_joint**form.recall * leads,
        what=f"best actions of {form.rounds} rounds for {leads} leads after each window",
    )
    theirs = match_form(game, seat=1 - seat)
    table = checked_table(theirs, opponent, name="opponent")[form.mirrored]
    if not is_exact(table):
        value, actions = _backward(form, table)
        return MatchReply(form, value / 2, actions)
    scaled = scaled_integers(table)
    value, actions = _backward(form, scaled.numerators)
    return MatchReply(form, Fraction(value, 2 * scaled.denominator**form.rounds), actions)


def _backward(form: MatchForm, replies: NumberArray) -> tuple[Any, tuple[NDArray[np.int32], ...]]:
    """Return twice the value, and best actions; ``replies`` may be multiples of probabilities."""
    own, other = form.points.shape
    half = form.rounds * form.most
    last = np.sign(np.arange(-half, half + 1)).astype(replies.dtype) + 1
    values = np.tile(last, (form.num_joint**form.recall, 1))
    actions: list[NDArray[np.int32]] = []
    for played in reversed(range(form.rounds)):
        length = min(played, form.recall)
        chances = replies[form.starts[length] : form.starts[length + 1]]
        windows = np.arange(len(chances)) * form.num_joint
        worth = np.zeros((own, len(chances), len(last)), dtype=replies.dtype)
        for code, lead in enumerate(form.points.ravel().tolist()):
            mine, theirs = divmod(code, other)
            ahead = np.roll(values[(windows + code) % len(values)], -lead, axis=1)
            worth[mine] += chances[:, theirs, None] * ahead
        actions.append(worth.argmax(axis=0).astype(np.int32))
        values = worth.max(axis=0)
    return values[0, half], tuple(reversed(actions))
