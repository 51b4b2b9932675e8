"""What is worth doing off the path of play: under beliefs, under trembles, where nobody comes.

*Prospects* are what a player can earn from an information set on, given beliefs. The others and
chance continue as the profile says; the player may change their own choice there and at all own
information sets after it. With perfect recall the best way is found by one sweep over them.

At an information set that play never comes to, an equilibrium need not say anything sensible:
solvers complete the profile there with what is at hand. Where the mover's own choices exclude it,
nothing that is done there can ever matter; where others' do, it is a threat or a promise that
nobody has put to the test.

Against trembling opponents own sequences earn polynomials, kept as rows of integers. Multiplying
all by one positive number changes no comparison, so coefficients are integers, and
rows compare as words do: the first difference decides for all small epsilon > 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import lcm
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ZERO, scaled_integers
from gametheory_core.evaluation.payoffs import player_reach
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import require_tree
from gametheory_core.strategies import Assessment, BehavioralProfile, SequenceForm, TremblingProfile
from gametheory_core.strategies.behavioral import check_behavioral_profile
from gametheory_core.strategies.sequences import PlayerSequences, chance_reach
from gametheory_core.strategies.trembles import Polynomial, infoset_nodes


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
        """What the best way of continuing earns more; at least 0."""
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


@dataclass(frozen=True)
class UnreachedInfoset:
    """An information set of reach probability zero. Several causes may hold, each alone enough.

    Attributes:
        infoset: Index in the game.
        by_own: Whether the mover's own earlier choices exclude it.
        by_others: Whether the other players' choices do (chance's left out).
        by_chance: Whether only chance moves of probability zero lead there.
    """

    infoset: int
    by_own: bool
    by_others: bool
    by_chance: bool


def unreached_infosets(
    game: ExtensiveFormGame, profile: BehavioralProfile
) -> tuple[UnreachedInfoset, ...]:
    """Name the information sets of players that play does not come to, in the game's order.

    Without perfect recall, or where causes differ from node to node, a set may be unreached though
    no single cause excludes all of its nodes; then all three are False.

    >>> from gametheory_core import load_game, pure_behavior
    >>> ace = load_game("guess_the_ace")
    >>> for unreached in unreached_infosets(ace, pure_behavior(ace, (0, 0))):
    ...     print(ace.infosets[unreached.infoset].label, unreached.by_own, unreached.by_others)
    asked False True
    """
    require_tree(game)
    check_behavioral_profile(game, profile)
    chance = chance_reach(game) != 0
    own = np.array([player_reach(game, profile, player=i) != 0 for i in range(game.num_players)])
    others = np.array([np.delete(own, i, axis=0).all(axis=0) for i in range(game.num_players)])
    nodes = np.flatnonzero(game.node_player >= 0)
    movers = game.node_player[nodes]

    def is_possible(lets_through: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Tell for each information set whether one of its nodes is let through."""
        possible = np.zeros(game.num_decision_infosets, dtype=bool)
        possible[game.node_infoset[nodes[lets_through]]] = True
        return possible

    by_own = ~is_possible(own[movers, nodes])
    by_others = ~is_possible(others[movers, nodes])
    by_chance = ~is_possible(chance[nodes])
    reached = is_possible((own & chance).all(axis=0)[nodes])
    return tuple(
        UnreachedInfoset(s, bool(by_own[s]), bool(by_others[s]), bool(by_chance[s]))
        for s in np.flatnonzero(~reached).tolist()
    )


Coefficients: TypeAlias = list[int]  # from the constant on


@dataclass(frozen=True)
class TremblingPayoffs:
    """One player's prospects where the others tremble.

    Attributes:
        collected: For each own sequence: what plays that end with it pay, weighted by the reach of
            all others, up to the common factor ``scale``; rows of one length.
        scale: Positive; ``collected`` is that many times what others' plans give in payoff units.
    """

    player: int
    collected: list[Coefficients]
    scale: int


def trembling_payoffs(
    form: SequenceForm, trembles: TremblingProfile, *, player: int
) -> TremblingPayoffs:
    """Collect a player's payoffs under each own sequence, against the others' polynomial plans.

    Args:
        trembles: Fits the game (trusted here).
    """
    game = form.game
    payoffs = scaled_integers(game.exact_terminal_payoffs[:, player])
    chance = scaled_integers(form.chance_weight)
    others = [own for own in range(game.num_players) if own != player]
    plans, factors = zip(*map(_integer_plan, trembles.weights), strict=True)
    merged: dict[tuple[int, ...], int] = {}
    paid = (payoffs.numerators * chance.numerators).tolist()
    places = form.terminal_sequences[[player, *others]].T.tolist()
    for place, amount in zip(map(tuple, places), paid, strict=True):
        merged[place] = merged.get(place, 0) + amount
    width = 1 + sum(max(len(weight) for weight in plans[other]) - 1 for other in others)
    collected = [[0] * width for _ in range(form.players[player].num_sequences)]
    for (own, *ends), amount in merged.items():
        if amount:
            row = collected[own]
            weights = [plans[other][end] for other, end in zip(others, ends, strict=True)]
            for order, coefficient in enumerate(reduce(_product, weights, [amount])):
                row[order] += coefficient
    scale = payoffs.denominator * chance.denominator
    for other in others:
        scale *= factors[other]
    return TremblingPayoffs(player, collected, scale)


def _integer_plan(weights: Sequence[Polynomial]) -> tuple[list[Coefficients], int]:
    factor = lcm(*{c.denominator for weight in weights for c in weight})
    plan = [[c.numerator * (factor // c.denominator) for c in weight] for weight in weights]
    return plan, factor


def _product(first: Coefficients, second: Coefficients) -> Coefficients:
    if len(first) == 1:
        return [first[0] * b for b in second]
    product = [0] * (len(first) + len(second) - 1)
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            product[i + j] += a * b
    return product
