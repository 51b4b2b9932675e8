"""Policies as tables over numbered observations, and as the cuts from which actions are drawn."""

from collections.abc import Sequence
from itertools import accumulate
from math import lcm
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import as_tuple, require_integer, shown
from gametheory_core.errors import InvalidStrategy
from gametheory_core.probabilities import allowed_miss
from gametheory_core.strategies.policies import Policy, action_lottery
from learners.batches.game import BatchedGame

TableOrPolicy: TypeAlias = NDArray[np.floating[Any]] | Policy

WHOLE = 2**63  # random numbers are below it


def policy_table(game: BatchedGame, player: int, policy: Policy) -> NDArray[np.float64]:
    """Return an exact policy as probabilities over the player's numbered observations.

    Args:
        policy: Asked at one information state for each number, the first that was met: give a batch
            with ``Sees.HISTORY`` if it looks at more than the number tells.

    Returns:
        (num_observations, num_actions): Uniform over legal actions in rows that play cannot reach,
        so that it is a policy.

    Raises:
        InvalidArgument: If there is no such player.
        InvalidStrategy: If the policy says nothing, or plays an illegal action, at one of them.

    >>> from gametheory_core import uniform_policies
    >>> from gametheory_core.catalog import RepeatedGame
    >>> from learners.batches import batched
    >>> game = RepeatedGame.of("matching_pennies", rounds=1)
    >>> policy_table(batched(game, episodes=1, seed=1), 0, uniform_policies(game)[0])[0].tolist()
    [0.5, 0.5]
    """
    require_integer(player, name="player", low=0, high=len(game.players) - 1)
    legal = game.legal[player]
    table = legal / legal.sum(axis=1, keepdims=True)
    for number, chances in _lotteries(game, player, policy):
        table[number] = 0.0
        for action, weight in chances:
            table[number, action] = float(weight)
    return table


def policy_cuts(
    game: BatchedGame, policies: Sequence[TableOrPolicy]
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return the cuts of all players' policies, end to end, and where each player's rows start.

    Raises:
        InvalidStrategy: If there is not one policy a player, or a table is no policy.
    """
    given = as_tuple(policies, name="policies", remedy="Give one a player.")
    if len(given) != len(game.players):
        raise InvalidStrategy(
            needs=f"a policy for each of {len(game.players)} players",
            found=f"got {len(given)}",
            remedy="Give tables of probabilities, or policies.",
        )
    most = max(game.num_actions)
    parts: list[NDArray[np.uint64]] = []
    for player, policy in enumerate(given):
        cuts = (
            _table_cuts(game, player, policy)
            if isinstance(policy, np.ndarray)
            else _exact_cuts(game, player, checked_policy(policy))
        )
        parts.append(np.pad(cuts, ((0, 0), (0, most - cuts.shape[1])), constant_values=WHOLE))
    return np.concatenate(parts), np.cumsum([0, *map(len, parts)]).astype(np.int64)


def checked_policy(policy: Any) -> Policy:
    """Refuse what does not say what to do at an information state.

    Raises:
        InvalidStrategy: Says what does.
    """
    if isinstance(policy, Sequence) or not hasattr(policy, "__getitem__"):
        raise InvalidStrategy(
            needs="tables of probabilities as arrays, or policies that tell what to do at an "
            "information state",
            found=f"got {shown(policy)} (type {type(policy).__name__}). np.array makes a table of "
            "lists; policy_from(function) makes a policy",
        )
    return policy


def _lotteries(game: BatchedGame, player: int, policy: Policy) -> list[tuple[int, Any]]:
    """Return what a policy does at each number that play can reach: (action, exact weight)."""
    index = {label: k for k, label in enumerate(game.action_labels[player])}
    found: list[tuple[int, Any]] = []
    for number, known in game.information_states[player].items():
        chances = action_lottery(game.rules, player, policy, known)
        found.append((number, [(index[action], weight) for action, weight in chances]))
    return found


def _exact_cuts(game: BatchedGame, player: int, policy: Policy) -> NDArray[np.uint64]:
    shape = (game.num_observations[player], game.num_actions[player])
    cuts = np.full(shape, WHOLE, dtype=np.uint64)
    for number, chances in _lotteries(game, player, policy):
        weights = [0] * shape[1]
        whole = lcm(*(w.denominator for _, w in chances))
        for action, weight in chances:
            weights[action] = weight.numerator * (whole // weight.denominator)
        cuts[number] = [-(-(s * WHOLE) // whole) for s in accumulate(weights)]
    return cuts


def _table_cuts(
    game: BatchedGame, player: int, table: NDArray[np.floating[Any]]
) -> NDArray[np.uint64]:
    name = game.players[player]
    shape = (game.num_observations[player], game.num_actions[player])
    if table.shape != shape:
        raise InvalidStrategy(
            needs=f"probabilities of shape {shape} for {name!r}, one row for each observation",
            found=f"got shape {table.shape}",
        )
    values = table.astype(np.float64)
    sums = values.sum(axis=1)
    bad = ~np.isfinite(values).all(axis=1) | (values < 0).any(axis=1)
    bad |= np.abs(sums - 1) > allowed_miss(table.dtype, shape[1])
    bad |= ((values > 0) & ~game.legal[player]).any(axis=1)
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        labels = game.action_labels[player]
        legal = [labels[a] for a in np.flatnonzero(game.legal[player][row])]
        raise InvalidStrategy(
            needs="probabilities over legal actions that sum to 1",
            found=f"{name!r} has {values[row].tolist()} after "
            f"{game.observation_labels[player][row]!r}, where {legal} are legal of {labels!r}",
        )
    shares = np.cumsum(values, axis=1) / sums[:, None]
    cuts = (np.minimum(shares, 1.0) * float(WHOLE)).astype(np.uint64)
    last = shape[1] - 1 - np.argmax(values[:, ::-1] > 0, axis=1)  # the last that is ever played
    cuts[np.arange(shape[1]) >= last[:, None]] = WHOLE
    return cuts
