"""Refinements by brute force over pure ways of going on, play by play, at one small epsilon."""

from fractions import Fraction
from itertools import product
from math import prod

from gametheory_core import BehavioralProfile
from gametheory_core.games import CHANCE
from gametheory_core.strategies import sequence_form, value_at
from tests.core.naive_trees import histories, plays


def profile_at(game, trembles, epsilon):
    """The completely mixed profile of trembles at a number."""
    vectors = []
    for own, plan in zip(sequence_form(game).players, trembles.weights, strict=True):
        values = [value_at(weight, epsilon) for weight in plan]
        for k, parent in enumerate(own.parent_sequence):
            local = values[own.first_sequence[k] : own.first_sequence[k + 1]]
            vectors.append([value / values[parent] for value in local])
    return BehavioralProfile(tuple(vectors))


def probability(game, profile, step):
    infoset, action = step
    record = game.infosets[infoset]
    return (record.probabilities if record.player == CHANCE else profile.probabilities[infoset])[
        action
    ]


def after(history, infoset):
    """The choices of a play from an information set on; None if it does not come there."""
    places = [place for place, step in enumerate(history.steps) if step[0] == infoset]
    return history.steps[places[0] :] if places else None


def ways_on(game, infoset):
    """List the pure ways in which the mover can go on from an information set."""
    player = game.infosets[infoset].player
    own = {infoset}
    for play in plays(game):
        own |= {s for s, _ in after(play, infoset) or () if game.infosets[s].player == player}
    choices = [range(len(game.infosets[s].actions)) for s in sorted(own)]
    return [dict(zip(sorted(own), ways, strict=True)) for ways in product(*choices)]


def earned(game, infoset, own, others, weights):
    """What the mover earns from an information set on, its nodes having the given weights.

    ``own`` tells the probability of an own choice, ``others`` is a profile.
    """
    player, total = game.infosets[infoset].player, Fraction(0)
    for play in plays(game):
        onward = after(play, infoset)
        if onward is None:
            continue
        node = next(v for v in play.above if game.node_infoset[v] == infoset)
        shares = [
            own(step)
            if game.infosets[step[0]].player == player
            else probability(game, others, step)
            for step in onward
        ]
        total += weights[node] * prod(shares) * play.paid[player]
    return total


def gain(game, infoset, profile, others, weights):
    """How much more the best pure way of going on earns than the profile's own."""
    kept = earned(
        game, infoset, lambda step: profile.probabilities[step[0]][step[1]], others, weights
    )
    best = max(
        earned(
            game, infoset, lambda step, way=way: Fraction(way[step[0]] == step[1]), others, weights
        )
        for way in ways_on(game, infoset)
    )
    return best - kept


def reach_weights(game, profile, infoset, *, without_own):
    """Reach probabilities of the nodes of an information set."""
    player = game.infosets[infoset].player
    return {
        history.node: prod(
            (
                probability(game, profile, step)
                for step in history.steps
                if not (without_own and game.infosets[step[0]].player == player)
            ),
            start=Fraction(1),
        )
        for history in histories(game)
        if history.infoset == infoset
    }


def quasi_perfect_gains(game, limit, trembled):
    """For each information set, what deviations from it on gain against trembling opponents."""
    return [
        gain(game, s, limit, trembled, reach_weights(game, trembled, s, without_own=True))
        for s in range(game.num_decision_infosets)
    ]


def sequential_gains(game, profile, beliefs):
    """For each information set, what deviations from it on gain, given beliefs."""
    found = []
    for s in range(game.num_decision_infosets):
        nodes = [v for v in range(game.num_nodes) if game.node_infoset[v] == s]
        found.append(gain(game, s, profile, profile, dict(zip(nodes, beliefs[s], strict=True))))
    return found


def bayes_beliefs(game, profile):
    """Beliefs of a completely mixed profile."""
    found = []
    for s in range(game.num_decision_infosets):
        weights = list(reach_weights(game, profile, s, without_own=False).values())
        found.append([weight / sum(weights) for weight in weights])
    return found
