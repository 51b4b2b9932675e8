"""How matches between tables end, exactly: play followed forward over windows and leads.

Where a match stands is the number of rounds played, the window and the lead: 35,812 states of
RirRPS, before the last repetition. Tables of rationals give rationals, by the recursion below on
whole numbers; tables of floats are followed in compiled code.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import as_tuple
from gametheory_core.arrays import (
    ExactArray,
    NumberArray,
    as_float,
    freeze,
    is_exact,
    scaled_integers,
)
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from learners.matches.match_forms import (
    MatchForm,
    MatchGame,
    TableOrPolicy,
    checked_table,
    match_form,
)

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class MatchOutcomes:
    """How likely a match ends how on points, for the player in the first seat.

    Attributes:
        win, tie, loss: Exact if both tables are, else floats.
    """

    win: Fraction | float
    tie: Fraction | float
    loss: Fraction | float

    @property
    def win_rate(self) -> Fraction | float:
        """How often the first player wins, after the coin."""
        return (1 + self.win - self.loss) / 2


def match_outcomes(game: MatchGame, first: TableOrPolicy, second: TableOrPolicy) -> MatchOutcomes:
    """Return how likely the first player has more points than the second, as many, or fewer.

    Args:
        game: RirRPS, or a repeated game as ``match_form`` takes it.
        first, second: Tables by window, own actions first, or policies of the last window. Exact
            tables give exact chances.

    Raises:
        UnsupportedGame, InvalidStrategy: As for ``match_form`` and ``policy_table``.

    >>> from gametheory_core import uniform_policies
    >>> from gametheory_core.catalog import RirRPS
    >>> str(match_outcomes(RirRPS(), *uniform_policies(RirRPS())).tie)
    '8953/59049'
    """
    form = match_form(game)
    own = checked_table(form, first, name="first")
    other = checked_table(match_form(game, seat=1), second, name="second")
    if is_exact(own) and is_exact(other):
        win, tie, loss = _followed(form, own, other)
        return MatchOutcomes(win, tie, loss)
    found = _compiled(form, [own], [other], np.zeros((1, 2), dtype=np.int64))[0]
    return MatchOutcomes(*found.tolist())


def win_rates(
    game: MatchGame,
    population: Sequence[TableOrPolicy],
    opponents: Sequence[TableOrPolicy] | None = None,
) -> NumberArray:
    """Return how often each policy of a population wins a match against each other.

    Args:
        game: As for ``match_outcomes``; if no opponents are given, the same from both seats.
        population: Tables by window, own actions first, or policies that sit in the first seat.
        opponents: Who sits in the second seat; the population itself, from either seat, if None.

    Returns:
        (population, opponents): Ties count half. Exact if all tables are. Within a population
        ``W[i, j] + W[j, i] = 1`` and ``W[i, i] = 1/2``, as ``meta_game`` wants it.

    Raises:
        InvalidArgument: If there is nobody in a population.
        UnsupportedGame: If seats differ and no opponents are given; else as for ``match_form``.
        InvalidStrategy: As for ``policy_table``; says whose table it is.

    Two tables of RirRPS take a fifth of a millisecond in floats, about a second exactly.

    >>> from gametheory_core.catalog import RirRPS
    >>> rock, paper = (np.tile(row, (820, 1)) for row in ([1, 0, 0], [0, 1, 0]))
    >>> win_rates(RirRPS(), [rock, paper])[0, 1]
    Fraction(0, 1)
    """
    form = match_form(game)
    own = _tables(form, population, "population")
    if opponents is not None:
        other = _tables(match_form(game, seat=1), opponents, "opponents")
        pairs = np.argwhere(np.ones((len(own), len(other)), dtype=np.bool_))
        return freeze(_rates(form, own, other, pairs).reshape(len(own), len(other)))
    _require_same_seats(form)
    pairs = np.stack(np.triu_indices(len(own), 1), axis=1)
    found = _rates(form, own, own, pairs)
    rates = np.full((len(own),) * 2, HALF, dtype=object)
    rates = rates if found.dtype == object else rates.astype(np.float64)
    rates[pairs[:, 0], pairs[:, 1]] = found
    rates[pairs[:, 1], pairs[:, 0]] = 1 - found
    return freeze(rates)


def _tables(form: MatchForm, given: Sequence[TableOrPolicy], name: str) -> list[NumberArray]:
    listed = as_tuple(given, name=name, remedy="Give a list of tables or policies.")
    if not listed:
        raise InvalidArgument(needs=f"somebody in {name}", found="got nobody")
    return [checked_table(form, one, name=f"{name}[{k}]") for k, one in enumerate(listed)]


def _require_same_seats(form: MatchForm) -> None:
    own, other = form.actions
    if own != other or (form.points != -form.points.T).any():
        raise UnsupportedGame(
            needs="a game that is the same from both seats",
            found=f"in {form.game.title} they differ",
            remedy="Give opponents, too.",
        )


def _rates(
    form: MatchForm, own: list[NumberArray], other: list[NumberArray], pairs: NDArray[np.int64]
) -> NumberArray:
    """Return the win rate of each pair: exact if all tables are."""
    if all(map(is_exact, own + other)):
        exact = [_followed(form, own[i], other[j]) for i, j in pairs.tolist()]
        return np.array([(1 + win - loss) / 2 for win, _, loss in exact], dtype=object)
    found = _compiled(form, own, other, pairs)
    return found[:, 0] + found[:, 1] / 2


def _compiled(
    form: MatchForm, own: list[NumberArray], other: list[NumberArray], pairs: NDArray[np.int64]
) -> NDArray[np.float64]:
    from learners._kernels import match_outcomes as kernel  # noqa: PLC0415 loads numba

    found = np.empty((len(pairs), 3))
    firsts = np.stack([as_float(table) for table in own])
    seconds = np.stack([as_float(table) for table in other])[:, form.mirrored]
    kernel.outcomes(form.arrays, firsts, seconds, pairs, found)
    return found


def _followed(form: MatchForm, own: ExactArray, other: ExactArray) -> tuple[Fraction, ...]:
    """Return the exact chances of a win, a tie and a loss: whole numbers over one denominator."""
    first, second = scaled_integers(own), scaled_integers(other[form.mirrored])
    chances = (first.numerators[:, :, None] * second.numerators[:, None, :]).reshape(
        -1, form.num_joint
    )
    half = form.rounds * form.most
    reach = np.zeros((1, 2 * half + 1), dtype=object)
    reach[0, half] = 1
    for played in range(form.rounds):
        length = min(played, form.recall)
        now = chances[form.starts[length] : form.starts[length + 1]]
        moves = enumerate(form.points.ravel().tolist())
        moved = np.stack(
            [np.roll(reach, lead, axis=1) * now[:, code, None] for code, lead in moves], axis=1
        )
        if played < form.recall:
            reach = moved.reshape(-1, reach.shape[1])
        else:  # the oldest joint action is forgotten
            reach = moved.reshape(form.num_joint, *reach.shape).sum(axis=0)
    leads = reach.sum(axis=0)
    whole = (first.denominator * second.denominator) ** form.rounds
    sums = (leads[half + 1 :].sum(), leads[half], leads[:half].sum())
    return tuple(Fraction(int(part), whole) for part in sums)
