"""Realization plans of public-state games, as integers in parts of one whole.

A plan gives each sequence of a player, as ``games.public_histories`` numbers them, the probability
that the player plays along it; as an integer it is a multiple of ``1 / plan[0]``. The actions of a
hand sum to exactly what comes to them. So no probabilities are multiplied, and sums of payoffs stay
integers of known size.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import shown
from gametheory_core.arrays import freeze
from gametheory_core.errors import InvalidStrategy
from gametheory_core.games.public_histories import (
    PublicLayout,
    PublicMoves,
    history_labels,
    public_layout,
)
from gametheory_core.games.public_states import PublicStateGame
from gametheory_core.games.table_content import by_constructor

BLOCK_ENTRIES = 2**16  # sequences that are looked at once: the cache holds them
MACHINE_BITS = 63
PLAYED = 0.7  # of actions that are drawn, how many are played
LEAST_WEIGHT = 1e-9  # of the others, which rounds to nothing


@dataclass(frozen=True, eq=False)
class PublicProfile:
    """How both players play a public-state game: realization plans in integers.

    Attributes:
        plans: Of each player, a vector over sequences, in parts of its first entry; read-only.
            Whether they are plans of a game, ``require_plan`` says.

    >>> import numpy as np
    >>> once = np.array([2, 1, 1])
    >>> PublicProfile((once, once)) == PublicProfile((once, once + 0))
    True
    """

    plans: tuple[NDArray[Any], NDArray[Any]]
    __reduce__ = by_constructor

    def __post_init__(self) -> None:
        plans: Any = self.plans
        if not isinstance(plans, tuple) or len(plans) != 2 or not all(map(_is_integral, plans)):  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
            raise InvalidStrategy(
                needs="a vector of integers for each of two players", found=f"got {shown(plans)}"
            )
        kept = (freeze(own.copy()) if own.flags.writeable else own for own in self.plans)
        object.__setattr__(self, "plans", tuple(kept))

    @property
    def is_exact(self) -> bool:
        """Always."""
        return True

    def to_exact(self) -> "PublicProfile":
        """Return the profile."""
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PublicProfile) and all(
            map(np.array_equal, self.plans, other.plans)
        )

    def __hash__(self) -> int:
        return hash(tuple((len(plan), int(plan.max())) for plan in self.plans))

    def __repr__(self) -> str:
        return f"PublicProfile({' and '.join(f'{len(own):,}' for own in self.plans)} sequences)"


def _is_integral(plan: Any) -> bool:
    """Tell whether something is a vector of integers, of any size."""
    return (
        isinstance(plan, np.ndarray)
        and plan.ndim == 1
        and len(plan) > 0
        and (
            plan.dtype.kind in "iu"
            or (plan.dtype == object and all(type(part) is int for part in plan.tolist()))
        )
    )


def require_plan(layout: PublicLayout, plan: Any, *, hands: int, player: int) -> NDArray[Any]:
    """Refuse what is no realization plan of a player.

    Args:
        plan: A vector of integers, of any size, as ``PublicProfile`` holds them.
        hands: Number of hands of the player.

    Raises:
        InvalidStrategy: Names a sequence.
    """
    size = layout.num_sequences[player]
    if plan.shape != (size,) or plan[0] <= 0 or plan.min() < 0:
        raise InvalidStrategy(
            needs=f"a plan of {size:,} integers of at least 0 for player {player}, the first "
            "positive",
            found=f"got {shown(plan)}",
        )
    moves = layout.moves[player]
    most = int(plan[0]) * int(moves.actions.max(initial=1))
    kind: Any = np.int64 if most.bit_length() <= MACHINE_BITS and plan.max() <= plan[0] else object
    for block in blocks_of_moves(moves, hands):
        own = plan[block.sequences].astype(kind).sum(axis=-1)  # which does not wrap
        bad = np.argwhere(own != plan[block.parents])
        if len(bad):
            move, hand = bad[0].tolist()
            raise InvalidStrategy(
                needs="actions that sum to what comes to them",
                found=f"hand {hand} comes to history {block.history[move]} with "
                f"{plan[block.parents][move, hand]} parts and goes on with {own[move, hand]}",
                witness=(int(block.history[move]), hand),
            )
    return plan


@dataclass(frozen=True, eq=False)
class MoveBlock:
    """Some moves of equally many actions.

    Attributes:
        history (moves,): Where.
        sequences (moves, hands, actions): Of each hand.
        parents (moves, hands): The sequences that lead there.
    """

    history: Any
    sequences: Any
    parents: Any


def move_block(moves: PublicMoves, chosen: Any, *, hands: int, actions: int) -> MoveBlock:
    """Return some moves of a player, by their places among all."""
    hand = np.arange(hands)
    firsts = moves.base[chosen][:, None] + hand * actions
    parents = moves.start[chosen][:, None] + hand * moves.stride[chosen][:, None]
    return MoveBlock(moves.history[chosen], firsts[:, :, None] + np.arange(actions), parents)


def blocks_of_moves(moves: PublicMoves, hands: int) -> Iterator[MoveBlock]:
    """Go over the moves of a player, many at once, those after most own moves first."""
    order = np.lexsort((moves.actions, moves.depth))[::-1]
    same = (np.diff(moves.depth[order]) == 0) & (np.diff(moves.actions[order]) == 0)
    for group in np.split(order, np.flatnonzero(~same) + 1) if len(order) else ():
        actions = int(moves.actions[group[0]])
        size = max(1, BLOCK_ENTRIES // (hands * actions))
        for start in range(0, len(group), size):
            yield move_block(moves, group[start : start + size], hands=hands, actions=actions)


def random_public_profile(
    game: PublicStateGame, *, rng: np.random.Generator, whole: int = 10**6
) -> PublicProfile:
    """Draw realization plans, some actions never played.

    Args:
        whole: Parts that plans divide.

    >>> import numpy as np
    >>> from gametheory_core.catalog import kuhn_poker_ranges
    >>> random_public_profile(kuhn_poker_ranges(), rng=np.random.default_rng(1))
    PublicProfile(13 and 13 sequences)
    """
    layout = public_layout(game)
    plans: list[Any] = []
    for moves, hands in zip(layout.moves, game.num_hands, strict=True):
        plan = np.zeros(1 + hands * int(moves.actions.sum()), dtype=np.int64)
        plan[0] = whole
        for block in reversed(list(blocks_of_moves(moves, hands))):
            arriving, shape = plan[block.parents], block.sequences.shape
            weights = rng.random(shape) * (rng.random(shape) < PLAYED) + LEAST_WEIGHT
            shares = weights / weights.sum(axis=-1, keepdims=True)
            parts = np.floor(arriving[..., None] * shares).astype(np.int64)
            parts[..., 0] += arriving - parts.sum(axis=-1)
            plan[block.sequences] = parts
        plans.append(plan)
    return PublicProfile((plans[0], plans[1]))


def public_behavior(
    game: PublicStateGame, layout: PublicLayout, profile: PublicProfile, history: int
) -> dict[str, dict[str, Fraction]]:
    """Return what each hand does after a history, by labels: of the player who moves there.

    Hands that never come there by their own play are left out.

    Args:
        history: Its number in the layout.

    Raises:
        InvalidStrategy: If no player moves there.
    """
    one = game.situations[int(layout.situation[history])]
    if one.mover not in (0, 1):
        seen = history_labels(game, layout, history)
        raise InvalidStrategy(
            needs="a history after which a player moves", found=f"after {seen} none does"
        )
    moves, hands, plan = layout.moves[one.mover], game.hands[one.mover], profile.plans[one.mover]
    move = np.searchsorted(moves.history, [history])
    block = move_block(moves, move, hands=len(hands), actions=len(one.labels))
    arriving, going = plan[block.parents[0]].tolist(), plan[block.sequences[0]].tolist()
    return {
        hand: {label: Fraction(part, whole) for label, part in zip(one.labels, parts, strict=True)}
        for hand, whole, parts in zip(hands, arriving, going, strict=True)
        if whole
    }
