"""What a player can earn from an information set on, given beliefs about where play is.

The others and chance go on as the profile says; the player may change the own choice there and at
all own information sets after it. With perfect recall the best way is found by one sweep over them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from gametheory_core.arrays import ZERO
from gametheory_core.strategies.assessment import Assessment, infoset_nodes
from gametheory_core.strategies.sequence_form import PlayerSequences, SequenceForm


@dataclass(frozen=True)
class Prospect:
    """Prospects at one information set; payoff units.

    Attributes:
        infoset: Index in the game.
        value: What the profile earns from there on.
        action_values: What each action earns, followed by the best own play.
    """

    infoset: int
    value: Fraction
    action_values: tuple[Fraction, ...]

    @property
    def gain(self) -> Fraction:
        """What the best way of going on earns more; at least 0."""
        return max(self.action_values) - self.value


@dataclass(frozen=True)
class _Tree:
    """A tree as plain lists, one entry a node; quicker to walk than arrays.

    Attributes:
        infosets, first_child, num_children, actions: As in the game.
        movers: As ``game.node_player``.
        shares: Probability of each flat action, chance's included.
        payoffs: Of each terminal node, for each player.
    """

    infosets: list[int]
    first_child: list[int]
    num_children: list[int]
    actions: list[int]
    movers: list[int]
    shares: list[Fraction]
    payoffs: dict[int, list[Fraction]]


def prospects(form: SequenceForm, assessment: Assessment) -> list[Prospect]:
    """Compute the prospects at every information set of players, in the game's order.

    Args:
        assessment: Rational; fits the game (trusted here).

    Time is linear in the number of nodes, times the number of own moves in a play.
    """
    game, flat = form.game, assessment.profile.flat.tolist()
    tree = _Tree(
        infosets=game.node_infoset.tolist(),
        first_child=game.first_child.tolist(),
        num_children=game.num_children.tolist(),
        actions=game.node_action.tolist(),
        movers=game.node_player.tolist(),
        shares=[*flat, *game.exact_chance_probabilities[len(flat) :].tolist()],
        payoffs=dict(
            zip(game.terminals.tolist(), game.exact_terminal_payoffs.tolist(), strict=True)
        ),
    )
    sequences = [own.node_sequence.tolist() for own in form.players]
    found: list[Prospect] = []
    for infoset, nodes in enumerate(infoset_nodes(game)):
        own = form.players[game.infosets[infoset].player]
        start = [pair for pair in zip(nodes, assessment.beliefs[infoset], strict=True) if pair[1]]
        collected, later = _collected(tree, sequences[own.player], own.player, start)
        later.discard(infoset)
        found.append(_prospect(own, assessment, infoset, collected, later))
    return found


def _prospect(
    own: PlayerSequences,
    assessment: Assessment,
    infoset: int,
    collected: dict[int, Fraction],
    later: set[int],
) -> Prospect:
    """Sweep the later own information sets, last to first, twice: at best, and as the profile."""
    best, kept = dict(collected), collected
    for index in sorted(later, reverse=True):
        at = _at(own, assessment, index, best, kept)
        parent = int(own.parent_sequence[index - own.infosets.start])
        best[parent] = best.get(parent, ZERO) + max(at.action_values)
        kept[parent] = kept.get(parent, ZERO) + at.value
    return _at(own, assessment, infoset, best, kept)


def _at(
    own: PlayerSequences,
    assessment: Assessment,
    infoset: int,
    best: dict[int, Fraction],
    kept: dict[int, Fraction],
) -> Prospect:
    k = infoset - own.infosets.start
    sequences = range(own.first_sequence[k], own.first_sequence[k + 1])
    probabilities = assessment.profile.probabilities[infoset].tolist()
    value = sum(
        (p * kept.get(s, ZERO) for p, s in zip(probabilities, sequences, strict=True) if p), ZERO
    )
    return Prospect(infoset, value, tuple(best.get(s, ZERO) for s in sequences))


def _collected(
    tree: _Tree, sequence: list[int], player: int, start: Sequence[tuple[int, Fraction]]
) -> tuple[dict[int, Fraction], set[int]]:
    """Return payoffs by own sequence, weighted by belief and others, and own sets on the way."""
    collected: dict[int, Fraction] = {}
    met: set[int] = set()
    waiting = list(start)
    while waiting:
        node, weight = waiting.pop()
        infoset = tree.infosets[node]
        if infoset < 0:
            place = sequence[node]
            paid = weight * tree.payoffs[node][player]
            collected[place] = collected.get(place, ZERO) + paid
            continue
        first = tree.first_child[node]
        children = range(first, first + tree.num_children[node])
        if tree.movers[node] == player:
            met.add(infoset)
            waiting += [(child, weight) for child in children]
            continue
        for child in children:
            share = tree.shares[tree.actions[child]]
            if share:
                waiting.append((child, weight * share))
    return collected, met
