"""One-shot deviations: what a single other choice gains, everything else as the profile says.

In a finite tree of perfect information a profile is an equilibrium of every subgame if and only if
no one-shot deviation gains anything. With imperfect information the mover weighs the nodes of the
information set by *beliefs*; with perfect recall and consistent beliefs, no one-shot deviation
gains if and only if no way of going on does (Hendon, Jacobsen and Sloth 1996).
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from gametheory_core.arrays import ONE, ZERO, ExactArray
from gametheory_core.errors import InvalidStrategy
from gametheory_core.evaluation.outcomes import reach_probabilities
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.information_sets import describe_infoset
from gametheory_core.games.kinds import require_tree
from gametheory_core.strategies.assessment import infoset_nodes
from gametheory_core.strategies.behavioral import BehavioralProfile, check_behavioral_profile

Beliefs = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True)
class OneShotDeviation:
    """A single choice that gains.

    Attributes:
        player: Who gains.
        infoset: Where, as an index into the game's information sets.
        nodes: The nodes of the information set that the mover holds possible.
        action: What to play there, from 0.
        gain: What it pays more than the profile from there on; payoff units, above 0.
    """

    player: int
    infoset: int
    nodes: tuple[int, ...]
    action: int
    gain: Fraction


def one_shot_deviations(
    game: ExtensiveFormGame, profile: BehavioralProfile, *, beliefs: Beliefs | None = None
) -> tuple[OneShotDeviation, ...]:
    """List all one-shot deviations that gain, with what they gain.

    Args:
        game: Any number of players; recall does not matter for the list, but for what it means.
        profile: Exact or float; a float profile is taken for the rational one that it means.
        beliefs: ``beliefs[s]`` over the nodes of each information set of players, as in an
            ``Assessment``. Default: by Bayes' rule where play comes, and the one node of
            information sets with one.

    Returns:
        In the order of the game's information sets and actions; empty if none gains.

    Raises:
        InvalidStrategy: If the profile or the beliefs do not fit, or play never comes to an
            information set of several nodes and there are no beliefs; names it.

    Time and memory are linear in the number of nodes.

    Source: E. Hendon, H. J. Jacobsen, B. Sloth (1996), "The one-shot-deviation principle for
        sequential rationality", Games and Economic Behavior 12, 274-282.

    >>> from gametheory_core import load_game, pure_behavior
    >>> centipede = load_game("centipede:rounds=2")
    >>> generous = pure_behavior(centipede, (1, 1))  # both pass
    >>> found = one_shot_deviations(centipede, generous)
    >>> [(deviation.player, deviation.action, str(deviation.gain)) for deviation in found]
    [(1, 0, '1')]
    """
    require_tree(game, function="one_shot_deviations")
    check_behavioral_profile(game, profile)
    exact = profile.to_exact()
    nodes = infoset_nodes(game)
    weights = _bayes(game, exact, nodes) if beliefs is None else _checked(game, beliefs, nodes)
    values = payoffs_from_nodes(game, exact)
    return tuple(
        deviation
        for infoset, (where, believed) in enumerate(zip(nodes, weights, strict=True))
        for deviation in _gains_at(game, infoset, where, believed, values)
    )


def payoffs_from_nodes(game: ExtensiveFormGame, profile: BehavioralProfile) -> ExactArray:
    """Return each player's expected payoff from each node on, (num_nodes, num_players).

    What inner outcomes paid on the way counts too: it is part of every play below. The profile is
    exact and fits (trusted here).
    """
    weights = game.exact_chance_probabilities.copy()
    weights[: len(profile.flat)] = profile.flat
    is_sure = np.array([w == ONE for w in weights.tolist()], dtype=bool)
    values = np.empty((game.num_nodes, game.num_players), dtype=object)
    values[game.terminals] = game.exact_terminal_payoffs
    for start, stop in list(pairwise(game.level_offset.tolist()))[::-1]:
        inner = start + np.flatnonzero(game.node_infoset[start:stop] >= 0)
        if not inner.size:
            continue
        first = game.first_child[inner]
        children = slice(int(first[0]), int(first[-1] + game.num_children[inner[-1]]))
        actions = game.node_action[children]
        shares = values[children].copy()
        unsure = np.flatnonzero(~is_sure[actions])
        shares[unsure] *= weights[actions[unsure], None]
        values[inner] = np.add.reduceat(shares, first - first[0], axis=0)
    return values


def _gains_at(
    game: ExtensiveFormGame,
    infoset: int,
    nodes: tuple[int, ...],
    believed: tuple[Fraction, ...],
    values: ExactArray,
) -> list[OneShotDeviation]:
    own = game.infosets[infoset]
    possible = [(v, b) for v, b in zip(nodes, believed, strict=True) if b]
    where = tuple(v for v, _ in possible)
    found: list[OneShotDeviation] = []
    for action in range(len(own.actions)):
        changes = (
            b * (values[game.first_child[v] + action, own.player] - values[v, own.player])
            for v, b in possible
        )
        gain = sum(changes, ZERO)
        if gain > 0:
            found.append(OneShotDeviation(own.player, infoset, where, action, gain))
    return found


def _bayes(
    game: ExtensiveFormGame, profile: BehavioralProfile, nodes: tuple[tuple[int, ...], ...]
) -> Beliefs:
    reach: Any = None
    found: list[tuple[Fraction, ...]] = []
    for infoset, where in enumerate(nodes):
        if len(where) == 1:
            found.append((ONE,))
            continue
        if reach is None:
            reach = reach_probabilities(game, profile)
        visits = [reach[v] for v in where]
        total = sum(visits, ZERO)
        if not total:
            raise InvalidStrategy(
                "one_shot_deviations: needs beliefs where play never comes, but has none at "
                f"{describe_infoset(game.infosets[infoset])}, which has {len(where)} nodes. Give "
                "beliefs, such as those of an Assessment."
            )
        found.append(tuple(visit / total for visit in visits))
    return tuple(found)


def _checked(
    game: ExtensiveFormGame, beliefs: Beliefs, nodes: tuple[tuple[int, ...], ...]
) -> Beliefs:
    if len(beliefs) != len(nodes):
        raise InvalidStrategy(
            f"one_shot_deviations: needs beliefs at each of {len(nodes)} information sets of "
            f"{game!r}, but has them at {len(beliefs)}."
        )
    for infoset, (where, believed) in enumerate(zip(nodes, beliefs, strict=True)):
        if len(believed) != len(where) or min(believed) < 0 or sum(believed, ZERO) != 1:
            raise InvalidStrategy(
                f"one_shot_deviations: needs probabilities of {len(where)} nodes that sum to 1 at "
                f"{describe_infoset(game.infosets[infoset])}, but got "
                f"({', '.join(map(str, believed))})."
            )
    return beliefs
