"""Assessments: a behavioral profile, and what movers believe where play should not have come.

A *belief* is a lottery over the nodes of an information set. An assessment is *consistent* if it is
the limit of completely mixed profiles and of the beliefs that Bayes' rule gives with them (Kreps
and Wilson 1982). Trembles give such a limit: reach probabilities are products of weights, so only
their leading terms matter.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from gametheory_core.arrays import ZERO
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.properties import HOLDS, Verdict
from gametheory_core.games.tree_table import describe_infoset
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.sequence_form import SequenceForm, chance_reach
from gametheory_core.strategies.trembles import (
    LeadingTerm,
    TremblingProfile,
    leading_terms,
    limit_profile,
)


@dataclass(frozen=True)
class Assessment:
    """A profile and beliefs.

    Attributes:
        profile: Rational.
        beliefs: ``beliefs[s]`` over the nodes ``infoset_nodes(game)[s]`` of each information set of
            players.
    """

    profile: BehavioralProfile
    beliefs: tuple[tuple[Fraction, ...], ...]


def infoset_nodes(game: ExtensiveFormGame) -> tuple[tuple[int, ...], ...]:
    """Return the nodes of each information set of players, in breadth-first order."""
    nodes: list[list[int]] = [[] for _ in range(game.num_decision_infosets)]
    for node in np.flatnonzero(game.node_player >= 0).tolist():
        nodes[game.node_infoset[node]].append(node)
    return tuple(map(tuple, nodes))


def chance_excludes_no_infoset(game: ExtensiveFormGame) -> Verdict:
    """Decide whether every information set of players has a node that chance lets play come to.

    The witness is the index of an information set that only chance moves of probability zero
    lead to: whatever players do, Bayes' rule says nothing there.
    """
    possible = np.zeros(len(game.infosets) + 1, dtype=bool)
    possible[game.node_infoset[chance_reach(game) != 0]] = True
    excluded = np.flatnonzero(~possible[: game.num_decision_infosets])
    if not excluded.size:
        return HOLDS
    infoset = int(excluded[0])
    where = describe_infoset(game.infosets[infoset])
    return Verdict(False, f"only chance moves of probability 0 lead to {where}", (infoset,))


def require_possible_infosets(game: ExtensiveFormGame) -> None:
    """Refuse a game in which chance excludes an information set.

    Raises:
        UnsupportedGame: Names the information set.
    """
    verdict = chance_excludes_no_infoset(game)
    if not verdict:
        raise UnsupportedGame(
            needs="information sets that chance does not exclude",
            found=verdict.reason,
            remedy="Leave out chance moves of probability 0.",
        )


def limit_assessment(form: SequenceForm, trembles: TremblingProfile) -> Assessment:
    """Return the profile and the beliefs that trembles tend to; consistent by construction.

    Args:
        form: Of any number of players.

    Raises:
        InvalidStrategy: If the weights are no completely mixed plans of the game.
        UnsupportedGame: If chance excludes an information set.

    >>> from gametheory_core import load_game, pure_behavior, sequence_form
    >>> from gametheory_core.strategies.trembles import uniform_trembles
    >>> horse = load_game("selten_horse")
    >>> trembles = uniform_trembles(horse, pure_behavior(horse, (1, 1, 0)))
    >>> beliefs = limit_assessment(sequence_form(horse), trembles).beliefs
    >>> [str(belief) for belief in beliefs[2]]  # player 1 or player 2 has trembled
    ['1/2', '1/2']
    """
    require_possible_infosets(form.game)
    profile = limit_profile(form, trembles)
    return Assessment(profile, tuple(map(_belief, others_reach(form, trembles))))


def others_reach(form: SequenceForm, trembles: TremblingProfile) -> list[list[LeadingTerm | None]]:
    """Return how small the reach of each node of each information set is, the mover left out.

    None stands for nodes that chance excludes. All nodes of an information set have the same own
    sequence, so that own weights would change all of them alike.
    """
    game, terms = form.game, leading_terms(trembles)
    reach = chance_reach(game)
    found: list[list[LeadingTerm | None]] = []
    for infoset, nodes in zip(
        game.infosets[: game.num_decision_infosets], infoset_nodes(game), strict=True
    ):
        others = [(own, terms[own.player]) for own in form.players if own.player != infoset.player]
        found.append([])
        for node in nodes:
            term = LeadingTerm(0, reach[node]) if reach[node] else None
            for own, weights in others:
                term = term and term * weights[own.node_sequence[node]]
            found[-1].append(term)
    return found


def total_reach(terms: list[LeadingTerm | None]) -> LeadingTerm:
    """Add up the terms of the lowest order; at least one is none of chance's (trusted here)."""
    possible = [term for term in terms if term]
    order = min(term.order for term in possible)
    return LeadingTerm(order, sum((t.coefficient for t in possible if t.order == order), ZERO))


def _belief(terms: list[LeadingTerm | None]) -> tuple[Fraction, ...]:
    """Share belief among the nodes of the lowest order."""
    total = total_reach(terms)
    return tuple(
        term.coefficient / total.coefficient if term and term.order == total.order else ZERO
        for term in terms
    )
