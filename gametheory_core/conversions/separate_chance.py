"""Chance nodes told apart: each its own information set, as some programs want them.

Chance nodes with one lottery share an information set here, which saves memory and means nothing.
Gambit reads shared sets as chance forgetting, and then refuses to solve for want of perfect recall.
"""

from typing import TypeAlias

import numpy as np

from gametheory_core.conversions.conversion import Conversion, Identity, Preserved
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.information_sets import CHANCE, InformationSet
from gametheory_core.games.properties import has_perfect_recall
from gametheory_core.strategies.behavioral import BehavioralProfile

SeparateChance: TypeAlias = Conversion[
    ExtensiveFormGame, ExtensiveFormGame, BehavioralProfile, BehavioralProfile
]
PLAIN = frozenset(
    {
        Preserved.PAYOFFS_TO_TARGET,
        Preserved.PAYOFFS_TO_SOURCE,
        Preserved.OUTCOMES_TO_TARGET,
        Preserved.OUTCOMES_TO_SOURCE,
    }
)


def separate_chance(game: ExtensiveFormGame) -> SeparateChance:
    """Give every chance node an information set of its own, numbered in order of the nodes.

    Returns:
        Profiles, nodes and all that is computed from them stay as they are.

    >>> from gametheory_core import load_game
    >>> leduc = load_game("leduc_poker")
    >>> len(leduc.infosets), len(separate_chance(leduc).target.infosets)
    (958, 1093)
    """
    first = game.num_decision_infosets
    nodes = np.flatnonzero(game.node_player == CHANCE)
    drawn = [game.infosets[index] for index in game.node_infoset[nodes].tolist()]
    separate = tuple(
        InformationSet(CHANCE, number, "", infoset.actions, infoset.probabilities)
        for number, infoset in enumerate(drawn, start=1)
    )
    node_infoset = game.node_infoset.copy()
    node_infoset[nodes] = first + np.arange(len(nodes))
    target = ExtensiveFormGame(
        game.players,
        (*game.infosets[:first], *separate),
        node_infoset,
        game.outcomes,
        game.node_outcome,
        game.node_labels,
        game.title,
    )
    preserves = frozenset(Preserved) if has_perfect_recall(game) else PLAIN
    return Conversion(game, target, Identity(), preserves)
