"""Correlation plans: what two players' joint distribution does to pairs of sequences (two players).

The pair ``(s, t)`` has the probability that both players' plans, drawn together, choose all actions
of ``s`` and of ``t``. Only *relevant* pairs matter: one sequence is empty, or the information sets
where they end lie on one path of the tree. Any distribution over pairs of plans satisfies

    plan[empty, empty] = 1,   plan >= 0,
    sum over a at I of plan[I a, t] = plan[parent(I), t]     for every own I and relevant t,

and the same with players exchanged: the *consistency* equations. Without chance moves every
solution is such a distribution; with them some solutions are not (von Stengel and Forges 2008).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ZERO, ExactArray, as_exact, freeze
from gametheory_core.errors import InvalidStrategy, UnsupportedGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import require_tree
from gametheory_core.memory import require_memory
from gametheory_core.strategies.correlated import BehavioralMixture, check_mixture
from gametheory_core.strategies.sequences import (
    PlayerSequences,
    SequenceForm,
    realization_plan,
    sequence_form,
)

Indices = NDArray[np.int64]

MAX_PAIRS = 20_000_000
BYTES_PER_PAIR = 150  # while they are listed
MERGED = 100_000  # pairs of information sets found before copies are dropped
EMPTY = 0  # the empty sequence, and the pair of both


@dataclass(frozen=True, eq=False)
class ConsistencyRows:
    """The equations of consistency, the first player's first.

    Attributes:
        player, infoset, opponent_sequence (num_rows,): Whose actions are summed, at which own
            information set (an index into the game's), with which sequence of the other.
        parent_pair (num_rows,): The pair that the sum equals.
        child_row, child_pair (num_entries,): The pairs that are summed; sorted by row.
    """

    player: Indices
    infoset: Indices
    opponent_sequence: Indices
    parent_pair: Indices
    child_row: Indices
    child_pair: Indices

    @property
    def num_rows(self) -> int:
        """Number of equations."""
        return len(self.player)


@dataclass(frozen=True, eq=False)
class SequencePairs:
    """The relevant pairs of sequences of a game of two players, in lexicographic order.

    Attributes:
        connected (num_connected, 2): Own information sets of both players (from 0 each) that lie on
            one path.
        first, second (num_pairs,): The sequences of both players; pair 0 is that of the empty ones.
    """

    form: SequenceForm
    connected: Indices
    first: Indices
    second: Indices

    @property
    def num_pairs(self) -> int:
        """Number of relevant pairs."""
        return len(self.first)

    @cached_property
    def terminal_pair(self) -> Indices:
        """The pair of each terminal history, shape (num_terminals,)."""
        first, second = self.form.terminal_sequences
        return freeze(self.index(first, second))

    def index(self, first: NDArray[np.integer], second: NDArray[np.integer]) -> Indices:
        """Return where pairs stand; they have to be relevant."""
        codes = self._code(first.astype(np.int64), second.astype(np.int64))
        return np.searchsorted(self._codes, codes).astype(np.int64)

    @cached_property
    def consistency(self) -> ConsistencyRows:
        """The equations that every distribution over pairs of plans satisfies."""
        parts = [_rows_of(self, player) for player in range(2)]
        shift = parts[0].num_rows
        children = np.concatenate([parts[0].child_row, parts[1].child_row + shift])
        joined = {
            name: np.concatenate([getattr(part, name) for part in parts])
            for name in ("player", "infoset", "opponent_sequence", "parent_pair", "child_pair")
        }
        return ConsistencyRows(child_row=children, **joined)

    @cached_property
    def _codes(self) -> Indices:
        return self._code(self.first, self.second)

    def _code(self, first: Indices, second: Indices) -> Indices:
        return first * self.form.players[1].num_sequences + second


def sequence_pairs(game: ExtensiveFormGame, *, max_pairs: int = MAX_PAIRS) -> SequencePairs:
    """List the relevant pairs of sequences.

    Args:
        game: Two players, perfect recall.
        max_pairs: The largest number of pairs to list; they are counted before they are listed.

    Raises:
        UnsupportedGame: If there are not two players, a player forgets, or there are more pairs
            than ``max_pairs``.

    >>> from gametheory_core import load_game
    >>> sequence_pairs(load_game("kuhn_poker")).num_pairs
    97
    """
    require_tree(game)
    if game.num_players != 2:
        raise UnsupportedGame(
            needs="two players",
            found=f"{game!r} has {game.num_players}",
            remedy="Use mixtures of profiles, which any number of players have.",
        )
    form = sequence_form(game)
    connected = _connected(form, max_pairs)
    codes = _relevant_codes(form, connected)
    first, second = np.divmod(codes, form.players[1].num_sequences)
    return SequencePairs(form, freeze(connected), freeze(first), freeze(second))


@dataclass(frozen=True, eq=False)
class CorrelationPlan:
    """Probabilities of the relevant pairs of sequences, exact.

    Attributes:
        weights (num_pairs,): Read-only; they satisfy the equations of consistency.
    """

    pairs: SequencePairs
    weights: ExactArray

    def __post_init__(self) -> None:
        weights = as_exact(self.weights)
        object.__setattr__(self, "weights", weights)
        if len(weights) != self.pairs.num_pairs:
            raise InvalidStrategy(
                needs=f"{self.pairs.num_pairs} weights", found=f"has {len(weights)}"
            )
        if weights[EMPTY] != 1 or min(weights) < 0:
            raise InvalidStrategy(
                needs="weight 1 on the pair of empty sequences and none below 0",
                found=f"it has {weights[EMPTY]}, and the least weight is {min(weights)}",
            )
        rows = self.pairs.consistency
        totals = np.full(rows.num_rows, ZERO, dtype=object)
        np.add.at(totals, rows.child_row, weights[rows.child_pair])
        bad = np.flatnonzero(totals != weights[rows.parent_pair])
        if bad.size:
            raise InvalidStrategy(
                needs="weights that add up",
                found=f"at information set index {rows.infoset[bad[0]]}, with sequence "
                f"{rows.opponent_sequence[bad[0]]} of the other player, they sum to "
                f"{totals[bad[0]]}, not {weights[rows.parent_pair[bad[0]]]}",
            )


def correlation_plan(game: ExtensiveFormGame, mixture: BehavioralMixture) -> CorrelationPlan:
    """Return the correlation plan of a mixture.

    Args:
        game: Two players, perfect recall.

    Raises:
        UnsupportedGame: If there are not two players, or a player forgets.
        InvalidStrategy: If the mixture does not fit the game.

    >>> from gametheory_core import load_game, uniform_behavior
    >>> from gametheory_core.strategies import behavioral_mixture
    >>> poker = load_game("one_card_poker")
    >>> plan = correlation_plan(poker, behavioral_mixture([uniform_behavior(poker)]))
    >>> str(plan.weights[-1])
    '1/4'
    """
    pairs = sequence_pairs(game)
    check_mixture(game, mixture)
    weights = np.full(pairs.num_pairs, ZERO, dtype=object)
    for weight, profile in zip(mixture.weights, mixture.profiles, strict=True):
        first, second = (realization_plan(pairs.form, profile, player=i).weights for i in range(2))
        weights += weight * (first[pairs.first] * second[pairs.second])
    return CorrelationPlan(pairs, freeze(weights))


def _connected(form: SequenceForm, max_pairs: int) -> Indices:
    """List the information sets of both players that lie on one path, sorted."""
    game = form.game
    starts = np.array([own.infosets.start for own in form.players])
    waiting = 0  # rows found since they were last merged
    found = [np.zeros((0, 2), dtype=np.int64)]
    nodes = np.flatnonzero(game.node_player >= 0)
    above = game.parent[nodes]
    while True:
        inside = above >= 0
        nodes, above = nodes[inside], above[inside]
        if not len(nodes):
            break
        meets = game.node_player[nodes] + game.node_player[above] == 1
        meets &= np.minimum(game.node_player[nodes], game.node_player[above]) == 0
        infosets = game.node_infoset[np.stack([nodes[meets], above[meets]], axis=1)]
        found.append(np.unique(np.sort(infosets.astype(np.int64), axis=1), axis=0))
        waiting += len(found[-1])
        if waiting > max(MERGED, len(found[0])):
            found, waiting = [np.unique(np.concatenate(found), axis=0)], 0
            _require_few_pairs(form, found[0] - starts, max_pairs)
        above = game.parent[above]
    connected = np.unique(np.concatenate(found), axis=0) - starts
    _require_few_pairs(form, connected, max_pairs)
    return connected


def _require_few_pairs(form: SequenceForm, connected: Indices, max_pairs: int) -> None:
    """Count the pairs of sequences that end at information sets on one path."""
    first, second = (np.diff(own.first_sequence).astype(np.int64) for own in form.players)
    count = int(first[connected[:, 0]] @ second[connected[:, 1]])
    if count > max_pairs:
        raise UnsupportedGame(
            needs=f"at most {max_pairs:,} pairs of sequences that meet on a path",
            found=f"{form.game!r} has at least {count:,}",
            remedy="Try counterfactual_regret, which lists none.",
        )
    require_memory(
        BYTES_PER_PAIR * count,
        what=f"the {count:,} pairs of sequences of {form.game!r} that meet on a path",
        remedy="Try counterfactual_regret, which lists none.",
    )


def _relevant_codes(form: SequenceForm, connected: Indices) -> Indices:
    """Return the codes of all relevant pairs, sorted."""
    one, other = form.players
    counts = [np.diff(own.first_sequence).astype(np.int64) for own in form.players]
    rows, columns = counts[0][connected[:, 0]], counts[1][connected[:, 1]]
    sizes = rows * columns
    within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    row, column = np.divmod(within, np.repeat(columns, sizes))
    first = np.repeat(one.first_sequence[connected[:, 0]].astype(np.int64), sizes) + row
    second = np.repeat(other.first_sequence[connected[:, 1]].astype(np.int64), sizes) + column
    width = other.num_sequences
    return np.unique(
        np.concatenate(
            [
                np.arange(width, dtype=np.int64),
                np.arange(one.num_sequences, dtype=np.int64) * width,
                first * width + second,
            ]
        )
    )


def _rows_of(pairs: SequencePairs, player: int) -> ConsistencyRows:
    own, other = pairs.form.players[player], pairs.form.players[1 - player]
    sequences = (pairs.first, pairs.second)
    places = np.flatnonzero(sequences[player] > EMPTY)
    place = end_of_sequence(own)[sequences[player][places]]
    codes = place * other.num_sequences + sequences[1 - player][places]
    rows, row = np.unique(codes, return_inverse=True)
    infoset, opposite = np.divmod(rows, other.num_sequences)
    parents = own.parent_sequence[infoset]
    order = np.argsort(row.ravel(), kind="stable")
    return ConsistencyRows(
        player=np.full(len(rows), player, dtype=np.int64),
        infoset=infoset + own.infosets.start,
        opponent_sequence=opposite,
        parent_pair=pairs.index(*((parents, opposite) if player == 0 else (opposite, parents))),
        child_row=row.ravel()[order].astype(np.int64),
        child_pair=places[order].astype(np.int64),
    )


def end_of_sequence(own: PlayerSequences) -> Indices:
    """Return the player's information set at which each sequence ends; -1 for the empty one."""
    counts = np.diff(own.first_sequence)
    return np.concatenate([[-1], np.repeat(np.arange(len(counts)), counts)]).astype(np.int64)
