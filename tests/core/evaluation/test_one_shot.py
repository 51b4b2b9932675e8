"""One-shot deviations: each choice is compared with the profile, everything after it the same."""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import evaluation
from gametheory_core.catalog import load
from gametheory_core.strategies.trembles import infoset_nodes
from gametheory_core.testing import behavioral_profiles, extensive_form_games


@given(st.data())
def test_gains_are_regrets_over_the_reach_of_the_information_set(data):
    """By Bayes' rule, a gain is the counterfactual regret divided by everybody else's reach."""
    game = data.draw(extensive_form_games())
    profile = data.draw(behavioral_profiles(game))
    nodes = infoset_nodes(game)
    reach = [
        evaluation.counterfactual_reach(game, profile, player=i) for i in range(game.num_players)
    ]
    weights = [[reach[game.infosets[s].player][v] for v in where] for s, where in enumerate(nodes)]
    assume(all(any(own) for own in weights))
    beliefs = tuple(tuple(w / sum(own) for w in own) for own in weights)
    expected = {}
    for player in range(game.num_players):
        values = evaluation.counterfactual_values(game, profile, player=player)
        for s, regrets in zip(values.infosets, values.regrets, strict=True):
            for action, regret in enumerate(regrets):
                if regret > 0:
                    expected[s, action] = regret / sum(weights[s])
    found = evaluation.one_shot_deviations(game, profile, beliefs=beliefs)
    assert {(d.infoset, d.action): d.gain for d in found} == expected
    assert [(d.infoset, d.action) for d in found] == sorted(expected)
    assert all(d.player == game.infosets[d.infoset].player for d in found)


@given(st.data())
def test_perfect_information_compares_children_of_every_node(data):
    game = data.draw(extensive_form_games(perfect_information=True))
    profile = data.draw(behavioral_profiles(game))

    def value(node, player):
        if game.node_infoset[node] < 0:
            return game.exact_terminal_payoffs[game.terminals.tolist().index(node), player]
        infoset = game.infosets[game.node_infoset[node]]
        mix = infoset.probabilities or profile.probabilities[game.node_infoset[node]]
        first = game.first_child[node]
        return sum(p * value(first + a, player) for a, p in enumerate(mix))

    expected = []
    for s, (node,) in enumerate(infoset_nodes(game)):
        mover = game.infosets[s].player
        for action in range(len(game.infosets[s].actions)):
            gain = value(game.first_child[node] + action, mover) - value(node, mover)
            if gain > 0:
                expected.append((s, (node,), action, gain))
    found = evaluation.one_shot_deviations(game, profile)
    assert [(d.infoset, d.nodes, d.action, d.gain) for d in found] == expected


def guessing():
    """Bob guesses what Ann did; Ann may stay out, and then is paid nothing."""
    guess = {
        a: gt.Decision(1, "asked", {b: gt.Terminal([-1, int(a == b)]) for b in "ab"}) for a in "ab"
    }
    return gt.from_sketch(
        gt.Decision(0, "start", {**guess, "out": gt.Terminal([0, 0])}), players=("Ann", "Bob")
    )


def test_beliefs_follow_bayes_where_play_comes():
    game = guessing()
    profile = type(gt.uniform_behavior(game))(
        ([Fraction(1, 6), Fraction(1, 3), Fraction(1, 2)], [Fraction(1), Fraction(0)])
    )
    (stays, guesses) = evaluation.one_shot_deviations(game, profile)
    assert (stays.player, stays.action, stays.gain) == (0, 2, Fraction(1, 2))
    assert (guesses.player, guesses.action, guesses.gain) == (1, 1, Fraction(1, 3))
    assert guesses.nodes == (1, 2)


def test_beliefs_are_needed_where_play_never_comes():
    game = guessing()
    profile = gt.pure_behavior(game, (2, 0))
    with pytest.raises(gt.InvalidStrategy, match="has none at information set 'asked' of player 2"):
        evaluation.one_shot_deviations(game, profile)
    one, none = Fraction(1), Fraction(0)
    assert evaluation.one_shot_deviations(game, profile, beliefs=((one,), (one, none))) == ()
    (found,) = evaluation.one_shot_deviations(game, profile, beliefs=((one,), (none, one)))
    assert (found.nodes, found.action, found.gain) == ((2,), 1, 1)


@pytest.mark.parametrize(
    ("beliefs", "message"),
    [
        (((Fraction(1),),), "at each of 2 information sets"),
        (((Fraction(1),), (Fraction(1),)), "of 2 nodes that sum to 1 at information set 'asked'"),
        (((Fraction(1),), (Fraction(1), Fraction(1))), "but got .1, 1."),
        (((Fraction(1),), (Fraction(2), Fraction(-1))), "but got .2, -1."),
    ],
)
def test_beliefs_that_do_not_fit_are_refused(beliefs, message):
    game = guessing()
    with pytest.raises(gt.InvalidStrategy, match=message):
        evaluation.one_shot_deviations(game, gt.uniform_behavior(game), beliefs=beliefs)


def test_profiles_and_games_that_do_not_fit_are_refused():
    with pytest.raises(gt.InvalidStrategy, match="at each of 6 information sets"):
        evaluation.one_shot_deviations(load("centipede"), gt.uniform_behavior(guessing()))


def test_float_profile_means_a_rational_one():
    game = guessing()
    profile = gt.uniform_behavior(game)
    assert evaluation.one_shot_deviations(
        game, profile.to_float()
    ) == evaluation.one_shot_deviations(game, profile)
