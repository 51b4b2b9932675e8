"""Lanctot, Waugh, Zinkevich and Bowling 2009, lemma 1: sampled regrets are unbiased.

For every profile, the expectation of what one traversal adds to a player's regrets is the
counterfactual regrets, for external and outcome sampling; what it adds to totals is the strategy
times own reach, times a number that no strategy enters. All ways the draws can come out are listed
with their probabilities, on generated trees of one to three players, in rationals, without
tolerance. Twins: own actions that are never drawn; no division by the probability of being drawn;
counting visits of three players' external traversals.

Why it matters (counterfactual): Sampling changes the variance of regrets and not their mean: what
makes Monte Carlo CFR right.
"""

from collections import defaultdict
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import BehavioralProfile, Decision, Terminal, from_sketch, uniform_behavior
from gametheory_core.evaluation import counterfactual_reach, counterfactual_values, player_reach
from gametheory_core.games import player_infosets
from gametheory_core.strategies.sequences import chance_reach
from gametheory_core.testing import behavioral_profiles, extensive_form_games
from solvers.counterfactual.sampled_positions import Positions, TreeAsRules, action_labels
from solvers.counterfactual.sampled_traversals import (
    Memories,
    averaging_walk,
    external_traversal,
    outcome_traversal,
)

theorem = pytest.mark.theorem(
    source="Lanctot, Waugh, Zinkevich and Bowling 2009, lemma 1",
    statement="Sampled counterfactual regrets are, in expectation, the counterfactual regrets.",
)
EXPLORATION = Fraction(3, 5)
small_trees = extensive_form_games(num_players=(1, 3), max_depth=3, max_moves=5)


class Undecided(Exception):
    """A draw that the script does not say the outcome of."""


class ScriptedDraws:
    """Draws that come out as a script says, and the probability that they do."""

    def __init__(self, script):
        self.script = list(script)
        self.probability = Fraction(1)

    def _choose(self, weights):
        if not self.script:
            raise Undecided([k for k, weight in enumerate(weights) if weight])
        chosen = self.script.pop(0)
        self.probability *= weights[chosen]
        return chosen

    def chance(self, visit):
        return self._choose(visit.weights)

    def action(self, probabilities):
        return self._choose(probabilities)

    def uniform(self, count):
        return self._choose([Fraction(1, count)] * count)


def memories_of(game, profile):
    """Return empty memories that play the profile."""
    infosets = game.infosets[: game.num_decision_infosets]
    positions = Positions(
        TreeAsRules(game),
        number=lambda exact: exact,
        keys=[(s.player, k) for k, s in enumerate(infosets)],
        actions=list(map(action_labels, infosets)),
    )
    zeros = [[[Fraction(0)] * len(s.actions) for s in infosets] for _ in range(2)]
    memories = Memories(positions, *zeros)
    memories.strategies = [vector.tolist() for vector in profile.probabilities]
    return memories


def outcomes_of(game, profile, traversal):
    """Yield the probability and the memories of each way the draws can come out."""
    scripts = [()]
    while scripts:
        script = scripts.pop()
        draws, memories = ScriptedDraws(script), memories_of(game, profile)
        try:
            traversal(memories, draws)
        except Undecided as undecided:
            scripts.extend((*script, chosen) for chosen in undecided.args[0])
        else:
            yield draws.probability, memories


def expected(game, profile, traversal, *, of):
    """Return the expectation of a memory, by information set."""
    total = defaultdict(Fraction)
    whole = Fraction(0)
    for probability, memories in outcomes_of(game, profile, traversal):
        whole += probability
        for infoset, vector in enumerate(getattr(memories, of)):
            for action, number in enumerate(vector):
                total[infoset, action] += probability * number
    assert whole == 1
    return total


def true_regrets(game, profile, player):
    values = counterfactual_values(game, profile, player=player)
    return {
        (infoset, action): regret
        for infoset, regrets in zip(values.infosets, values.regrets, strict=True)
        for action, regret in enumerate(regrets.tolist())
    }


def assert_unbiased(game, profile, player, traversal):
    found = expected(game, profile, traversal, of="regrets")
    true = true_regrets(game, profile, player)
    assert all(number == true.get(place, 0) for place, number in found.items())
    assert found.keys() >= true.keys()


@theorem
@given(data=st.data())
def test_external_sampling_is_unbiased(data):
    game = data.draw(small_trees)
    profile = data.draw(behavioral_profiles(game))
    for player in range(game.num_players):
        assert_unbiased(
            game,
            profile,
            player,
            lambda memories, draws, i=player: external_traversal(memories, i, draws),
        )


@theorem
@given(data=st.data())
def test_outcome_sampling_is_unbiased(data):
    game = data.draw(small_trees)
    profile = data.draw(behavioral_profiles(game))
    for player in range(game.num_players):
        assert_unbiased(
            game,
            profile,
            player,
            lambda memories, draws, i=player: outcome_traversal(memories, i, draws, EXPLORATION),
        )


def strategies_by_own_reach(game, profile, player, others_reach):
    """Return own reach times strategy, times ``others_reach`` summed at each information set."""
    own = player_reach(game, profile, player=player)
    weights = {}
    for infoset in player_infosets(game, player):
        nodes = (game.node_infoset == infoset).nonzero()[0]
        for action, probability in enumerate(profile.probabilities[infoset]):
            weights[infoset, action] = own[nodes[0]] * probability * sum(others_reach[nodes])
    return weights


def assert_proportional(found, true):
    assert found.keys() >= true.keys()
    assert all(number == true.get(place, 0) for place, number in found.items())


@theorem
@given(data=st.data())
def test_walks_count_strategies_in_proportion_to_own_reach(data):
    """The factor is the reach of the others' even play, which no strategy enters."""
    game = data.draw(small_trees)
    profile = data.draw(behavioral_profiles(game))
    even = uniform_behavior(game)
    for player in range(game.num_players):
        found = expected(
            game,
            profile,
            lambda memories, draws, i=player: averaging_walk(memories, i, draws),
            of="totals",
        )
        factor = counterfactual_reach(game, even, player=player)
        assert_proportional(found, strategies_by_own_reach(game, profile, player, factor))


@theorem
@given(data=st.data())
def test_for_two_players_external_traversals_of_the_other_do_so(data):
    """The factor is chance's reach, since all of the other's actions are followed."""
    game = data.draw(extensive_form_games(num_players=(2, 2), max_depth=3, max_moves=5))
    profile = data.draw(behavioral_profiles(game))
    for player in range(2):
        found = expected(
            game,
            profile,
            lambda memories, draws, i=1 - player: external_traversal(
                memories, i, draws, is_averaging=True
            ),
            of="totals",
        )
        true = strategies_by_own_reach(game, profile, player, chance_reach(game))
        assert_proportional(found, true)


def choice_game():
    """One player chooses between 4 and 0, and plays the bad choice for sure."""
    tree = Decision(0, "s", {"good": Terminal([4]), "bad": Terminal([0])})
    return from_sketch(tree, players=("A",))


def played(good):
    return BehavioralProfile(([Fraction(good), 1 - Fraction(good)],))


@theorem
def test_without_exploration_actions_not_played_are_never_learned_about():
    game, profile = choice_game(), played(0)

    def unexplored(memories, draws):
        outcome_traversal(memories, 0, draws, Fraction(0))

    found = expected(game, profile, unexplored, of="regrets")
    assert true_regrets(game, profile, 0) == {(0, 0): 4, (0, 1): 0}
    assert found == {(0, 0): 0, (0, 1): 0}


@theorem
def test_without_division_by_the_probability_of_being_drawn_regrets_are_biased():
    game, profile = choice_game(), played("1/4")

    def traversal(memories, draws):
        outcome_traversal(memories, 0, draws, EXPLORATION)
        for vector in memories.regrets:  # every draw is an own one here
            vector[:] = [number * draws.probability for number in vector]

    found = expected(game, profile, traversal, of="regrets")
    assert true_regrets(game, profile, 0) == {(0, 0): 3, (0, 1): -1}
    # good is drawn with probability 2/5, and then the regrets are (3, -1)
    assert found == {(0, 0): Fraction(6, 5), (0, 1): Fraction(-2, 5)}


@theorem
def test_with_three_players_external_traversals_count_what_the_third_lets_by():
    """Player 0's strategy would weigh more in iterations in which player 2 lets play come there."""
    after = Decision(0, "s", {"a": Terminal([0, 0, 0]), "b": Terminal([1, 0, 0])})
    tree = Decision(2, "door", {"open": after, "shut": Terminal([0, 0, 0])})
    game = from_sketch(tree, players=("A", "B", "C"))
    counted = []
    for opened in (Fraction(1, 4), Fraction(3, 4)):
        profile = BehavioralProfile(([Fraction(1), Fraction(0)], [opened, 1 - opened]))

        def traversal(memories, draws):
            external_traversal(memories, 1, draws, is_averaging=True)

        counted.append(expected(game, profile, traversal, of="totals")[0, 0])
    assert counted == [Fraction(1, 4), Fraction(3, 4)]
