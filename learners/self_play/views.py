"""How one policy plays from every seat: the numbers that observations have for it.

Where seats differ, a policy is one table for each of them, end to end. In a match that is the same
from both seats, both read one table, by windows with the own action first.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import as_tuple
from gametheory_core.catalog.repeated import RepeatedGame
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from learners.batch import BatchedEnvironment
from learners.batches.game import BatchedGame
from learners.batches.sight import Sees
from learners.matches.match_forms import MatchForm, match_form


@dataclass(frozen=True, eq=False)
class SeatViews:
    """The numbers that each seat's observations have for a policy of all seats.

    Attributes:
        numbers (O_seat,): For each seat, the policy's number of each observation.
        num_observations: Of the policy.
        form: Of a match that is the same from both seats; None elsewhere.
    """

    numbers: tuple[NDArray[np.int64], ...]
    num_observations: int
    form: MatchForm | None = None

    def first_seen(self, number: int) -> tuple[int, int]:
        """Return a seat, the first, and the observation that a number stands for there."""
        for seat, own in enumerate(self.numbers):
            found = np.flatnonzero(own == number)
            if found.size:
                return seat, int(found[0])
        raise InvalidArgument(needs="the number of an observation", found=f"got {number}")


def seat_views(environment: BatchedEnvironment, *, shared: bool | None = None) -> SeatViews:
    """Return how one policy sees a game from all seats.

    Args:
        environment: With numbered observations.
        shared: Whether both seats of a match read one table; by default where it is the same from
            both.

    Raises:
        UnsupportedGame: If it is asked of seats that differ.
    """
    form = None if shared is False else _even_match(environment)
    if form is not None and isinstance(environment, BatchedGame):
        return _match_views(environment, form)
    if shared:
        raise UnsupportedGame(
            needs="a match that is the same from both seats, seen by last observations",
            found=f"got {getattr(getattr(environment, 'game', None), 'title', 'another game')!r}",
            remedy="Leave shared out.",
        )
    starts = np.cumsum([0, *environment.num_observations])
    numbers = tuple(
        np.arange(count) + start
        for count, start in zip(environment.num_observations, starts[:-1], strict=True)
    )
    return SeatViews(numbers, int(starts[-1]))


def _even_match(environment: BatchedEnvironment) -> MatchForm | None:
    """Return the match that is played, if both seats are alike in it."""
    game: Any = getattr(environment, "game", None)
    kind = getattr(getattr(environment, "sight", None), "arrays", None)
    if kind is None or _sees(environment) is not Sees.LAST:
        return None
    try:
        form = match_form(game)
    except UnsupportedGame:
        return None
    is_even = form.actions[0] == form.actions[1] and (form.points == -form.points.T).all()
    return form if is_even and _pays_alike(game) and form.recall == game.recall else None


def _pays_alike(game: Any) -> bool:
    """Tell whether both seats are paid the same for the same; leads alone may hide that."""
    if not isinstance(game, RepeatedGame):
        return True
    own, other = game.stage.exact_payoffs
    return bool((own == other.T).all())


def _sees(environment: Any) -> Sees:
    """Return what numbers stand for: last observations have the game's own labels."""
    is_last = environment.observation_labels == environment.table.observations
    return Sees.LAST if is_last else Sees.HISTORY


def _match_views(environment: BatchedGame, form: MatchForm) -> SeatViews:
    """Return the windows' numbers, own actions first, of what each seat sees."""
    actions = {label: k for k, label in enumerate(form.actions[0])}
    count = len(actions)
    numbers: list[NDArray[np.int64]] = []
    for seat, labels in enumerate(environment.observation_labels):
        own: list[int] = []
        for label in labels:
            joint = as_tuple(label, name="window") if form.recall else ()
            codes = [actions[pair[seat]] * count + actions[pair[1 - seat]] for pair in joint]
            own.append(form.number_of(codes))
        numbers.append(np.array(own, dtype=np.int64))
    return SeatViews(tuple(numbers), form.num_windows, form)
