"""Policies that OpenSpiel found on games of ours, as profiles that we can measure and certify.

OpenSpiel's tables say, by the text of an information state, how likely each number of an action is:
``policy.to_dict()`` of its policies in Python, ``policy.policy_table()`` of those in C++.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from operator import index
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.adapters.open_spiel_play import PlayedGame
from gametheory_core.adapters.open_spiel_rules_walk import RulesWalk
from gametheory_core.adapters.open_spiel_states import SpielGame
from gametheory_core.adapters.open_spiel_walks import TreeWalk
from gametheory_core.arguments import (
    described,
    is_finite_number,
    number_of,
    require_instance,
    shown,
)
from gametheory_core.arrays import FloatArray
from gametheory_core.distributions import Distribution, distribution
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.rules import InformationState
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.policies import Policy, PolicyProfile, policy_from

Table: TypeAlias = Mapping[str, Sequence[tuple[int, float]]]

ROUNDING = 1e-6  # how far from 1 the probabilities of a text may sum
_SOURCES = "Give policy.to_dict() of a policy in Python, or policy.policy_table() of one in C++."


def profile_from_open_spiel(game: SpielGame, table: Table) -> BehavioralProfile:
    """Return the behavior in a tree that a table of OpenSpiel's describes.

    Args:
        game: Made from a tree by ``to_open_spiel``.
        table: Text of an information state -> pairs of an action's number and its probability,
            zero if left out. Sums that differ from 1 by at most 1e-6 are taken for rounded.

    Returns:
        A float profile of the tree, the probabilities divided by their sum; uniform where the table
        has nothing.

    Raises:
        InvalidArgument: If the game was not made from a tree, the table has a text that is none of
            its information sets', or what are no probabilities of its actions.

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
        InvalidArgument: If the game was not made from rules, or the table has what are no
            probabilities; where these are of actions that are not legal, when the policy is asked.

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
    require_instance(table, Mapping, name="table", remedy=_SOURCES)
    return {str(text).rpartition("\n")[2]: _row(text, pairs) for text, pairs in table.items()}


def _row(text: object, pairs: Any) -> dict[int, float]:
    """Return the probability of each action's number, after checking that they are some."""
    try:
        row = {index(action): share for action, share in dict(pairs).items()}
    except (TypeError, ValueError):
        row = {}
    shares = list(row.values())
    are_shares = all(is_finite_number(share) and share >= 0 for share in shares)
    if not isinstance(text, str) or not are_shares or abs(sum(shares) - 1) > ROUNDING:
        raise InvalidArgument(
            needs="texts of information states, each with pairs of an action's number and its "
            f"probability, which sum to 1 up to {ROUNDING:g}",
            found=f"table has {shown(pairs)} for {text!r}",
            remedy=_SOURCES,
        )
    return row


def _shares(given: dict[int, float] | None, count: int) -> FloatArray:
    if given is None:
        return np.full(count, 1 / count)
    strange = [action for action, share in given.items() if share and not 0 <= action < count]
    if strange:
        raise InvalidArgument(
            needs=f"probabilities of legal actions, which are {number_of(count, 'action')} here",
            found=f"table gives {given[strange[0]]} to number {strange[0]}",
            remedy="Actions are numbered from 0 in the order of the legal ones.",
        )
    shares = np.array([given.get(action, 0.0) for action in range(count)], dtype=np.float64)
    return shares / shares.sum()


def _not_made_from(game: object, source: str, other: str) -> InvalidArgument:
    return InvalidArgument(
        needs=f"a game that to_open_spiel made from {source}",
        found=f"got {described(game)}",
        remedy=f"See {other}." if isinstance(game, PlayedGame) else "",
    )
