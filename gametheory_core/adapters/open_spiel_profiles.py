"""Policies that OpenSpiel found on games of ours, as profiles that we can measure and certify.

OpenSpiel's tables say, by the text of an information state, how likely each number of an action is:
``policy.to_dict()`` of its policies in Python, ``policy.policy_table()`` of those in C++.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.adapters.open_spiel_play import PlayedGame
from gametheory_core.adapters.open_spiel_rules_walk import RulesWalk
from gametheory_core.adapters.open_spiel_states import SpielGame
from gametheory_core.adapters.open_spiel_walks import TreeWalk
from gametheory_core.arguments import described, number_of
from gametheory_core.arrays import FloatArray
from gametheory_core.distributions import Distribution, distribution
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.rules import InformationState
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.policies import Policy, PolicyProfile, policy_from

Table: TypeAlias = Mapping[str, Sequence[tuple[int, float]]]


def profile_from_open_spiel(game: SpielGame, table: Table) -> BehavioralProfile:
    """Return the behavior in a tree that a table of OpenSpiel's describes.

    Args:
        game: Made from a tree by ``to_open_spiel``.
        table: Text of an information state -> pairs of an action's number and its probability.

    Returns:
        A float profile of the tree; uniform where the table has nothing.

    Raises:
        InvalidArgument: If the game was not made from a tree, the table has a text that is none of
            its information sets', or no probabilities.

    >>> from gametheory_core import load_game
    >>> from gametheory_core.adapters import to_open_spiel
    >>> kuhn = to_open_spiel(load_game("kuhn_poker"))
    >>> profile = profile_from_open_spiel(kuhn, {"p0: 'J'": [(0, 0.75), (1, 0.25)]})
    >>> profile.probabilities[0].tolist(), profile.probabilities[1].tolist()
    ([0.75, 0.25], [0.5, 0.5])
    """
    walk = game.walk if isinstance(game, PlayedGame) else None
    if not isinstance(walk, TreeWalk):
        raise _not_made_from(game, "a tree", "policies_from_open_spiel")
    tree, known = walk.game, _by_text(table)
    texts = {
        seen: game.encoder.text(player, (seen,), recall=True)
        for player, own in enumerate(game.facts.sights)
        for seen in own
    }
    if strange := known.keys() - texts.values():
        raise InvalidArgument(
            needs="texts of information sets of the game",
            found=f"{min(strange)!r} is none of {tree.title or 'its'}'s",
        )
    sizes = [len(infoset.actions) for infoset in tree.infosets[: tree.num_decision_infosets]]
    return BehavioralProfile(
        tuple(_shares(known.get(texts.get(s, "")), size) for s, size in enumerate(sizes))
    )


def policies_from_open_spiel(game: SpielGame, table: Table) -> PolicyProfile:
    """Return the policies in a POSG or an AEC game that a table of OpenSpiel's describes.

    Args:
        game: Made from rules by ``to_open_spiel``. The table may be of what OpenSpiel's
            ``convert_to_turn_based`` makes of it.
        table: As for ``profile_from_open_spiel``.

    Returns:
        Exact policies: the floats, divided by their sum; uniform where the table has nothing.

    Raises:
        InvalidArgument: If the game was not made from rules.

    >>> from gametheory_core.adapters import to_open_spiel
    >>> from gametheory_core.catalog import Tiger
    >>> from gametheory_core.games import NULL
    >>> tiger = to_open_spiel(Tiger(horizon=2))
    >>> first, _ = policies_from_open_spiel(tiger, {"p0: 'null'": [(0, 1.0), (1, 0.0), (2, 0.0)]})
    >>> first[NULL,].items
    (('listen', Fraction(1, 1)),)
    """
    walk = game.walk if isinstance(game, PlayedGame) else None
    if not isinstance(walk, RulesWalk):
        raise _not_made_from(game, "rules of a POSG or an AEC game", "profile_from_open_spiel")
    known = _by_text(table)
    return tuple(_policy(game, walk, player, known) for player in range(len(walk.players)))


def _policy(
    game: PlayedGame, walk: RulesWalk, player: int, known: dict[str, dict[int, float]]
) -> Policy:
    def act(information_state: InformationState) -> Distribution[Any]:
        *past, seen = information_state
        legal, given = walk.game.legal_actions(player, seen), None
        if game.facts.sights[player].keys() >= set(information_state[::2]):
            numbered = (*walk.numbered(player, past), seen)
            given = known.get(game.encoder.text(player, numbered, recall=True))
        shares = _shares(given, len(legal))
        exact = [Fraction(share) for share in shares.tolist()]
        return distribution({a: w / sum(exact) for a, w in zip(legal, exact, strict=True) if w})

    return policy_from(act)


def _by_text(table: Table) -> dict[str, dict[int, float]]:
    """Return the table without the line that ``convert_to_turn_based`` puts before a text."""
    return {text.rpartition("\n")[2]: dict(pairs) for text, pairs in table.items()}


def _shares(given: dict[int, float] | None, count: int) -> FloatArray:
    if given is None:
        return np.full(count, 1 / count)
    shares = np.array([given.get(action, 0.0) for action in range(count)], dtype=np.float64)
    if not (shares >= 0).all() or not 0 < shares.sum() < np.inf:
        raise InvalidArgument(
            needs="probabilities of legal actions, not all zero",
            found=f"got {given} for {number_of(count, 'action')}",
        )
    return shares / shares.sum()


def _not_made_from(game: object, source: str, other: str) -> InvalidArgument:
    return InvalidArgument(
        needs=f"a game that to_open_spiel made from {source}",
        found=f"got {described(game)}",
        remedy=f"See {other}." if isinstance(game, PlayedGame) else "",
    )
