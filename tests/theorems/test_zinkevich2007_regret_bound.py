"""Zinkevich et al. 2007, theorems 3 and 4: regret in a tree is at most that at information sets.

For every sequence of profiles of a tree with perfect recall, a player's regret (what the best
single plan would have earned more) is at most the sum over own information sets of the largest
positive counterfactual regret. If regret matching chooses the actions, the largest regret at a set
after ``T`` steps is at most ``span * sqrt(actions * T)``, so the whole regret is at most ``span *
(own information sets) * sqrt(most actions * T)``. In rationals, after every step, on generated
trees of one to three players; the steps are those of a node by node reference. Twins: a player who
forgets has regret and no regret anywhere, and following the leader at information sets breaks the
bound.

Why it matters (counterfactual): Regret in a tree can be minimized at each information set alone:
the whole idea of CFR.
"""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import Decision, Terminal, expected_payoffs, from_sketch, pure_behavior
from gametheory_core.distributions import ZERO
from gametheory_core.evaluation import counterfactual_values, sequence_payoffs
from gametheory_core.strategies import player_sequences
from gametheory_core.testing import behavioral_profiles, extensive_form_games
from solvers.counterfactual import UpdateOrder
from solvers.local_rules import RegretMatching
from tests.solvers.counterfactual.regret_reference import Reference

theorem = pytest.mark.theorem(
    source="Zinkevich, Johanson, Bowling and Piccione 2007",
    statement="A player's regret in a tree is at most the sum of positive counterfactual regrets, "
    "which regret matching keeps below span * information sets * sqrt(actions * steps).",
)


def total_regret(game, profiles, player):
    """Return what the best plan against all profiles would have earned more, exactly."""
    own = player_sequences(game, player)
    earned = sum(sequence_payoffs(game, profile, player=player) for profile in profiles)
    for k in reversed(range(len(own.infosets))):
        start, stop = own.first_sequence[k], own.first_sequence[k + 1]
        earned[own.parent_sequence[k]] += max(earned[start:stop])
    return earned[0] - sum(expected_payoffs(game, profile)[player] for profile in profiles)


def local_regrets(game, profiles, player):
    """Return the largest positive cumulative regret at each own information set, exactly."""
    found = [counterfactual_values(game, profile, player=player).regrets for profile in profiles]
    return [max(ZERO, *sum(at_infoset)) for at_infoset in zip(*found, strict=True)]


@theorem
@given(st.data())
def test_regret_is_at_most_the_sum_of_positive_counterfactual_regrets(data):
    tree = data.draw(extensive_form_games())
    count = data.draw(st.integers(1, 4))
    profiles = [data.draw(behavioral_profiles(tree)) for _ in range(count)]
    for player in range(tree.num_players):
        assert total_regret(tree, profiles, player) <= sum(local_regrets(tree, profiles, player))


@theorem
@given(extensive_form_games(max_moves=7))
def test_regret_matching_keeps_the_bound_after_every_step(tree):
    reference = Reference(tree, RegretMatching(), UpdateOrder.SIMULTANEOUS, power=0)
    for steps in range(1, 6):
        reference.step()
        for player in range(tree.num_players):
            own = player_sequences(tree, player)
            payoffs = tree.exact_terminal_payoffs[:, player]
            span = max(payoffs) - min(payoffs)
            actions = [len(tree.infosets[s].actions) for s in own.infosets]
            local = local_regrets(tree, reference.played, player)
            for regret, count in zip(local, actions, strict=True):
                assert regret**2 <= span**2 * count * steps
            whole = max(ZERO, total_regret(tree, reference.played, player))
            bound = span**2 * len(actions) ** 2 * max(actions, default=0) * steps
            assert whole**2 <= bound


def forgetful_pair():
    """One player moves twice and forgets the first move: right twice is best, but only twice."""
    paid = {"left": {"left": 1, "right": 0}, "right": {"left": 1, "right": 2}}
    second = {a: Decision(0, "second", {b: Terminal([paid[a][b]]) for b in paid[a]}) for a in paid}
    return from_sketch(Decision(0, "first", second), players=("Forgetful",))


@theorem
def test_without_recall_there_may_be_regret_and_none_at_information_sets():
    tree = forgetful_pair()
    left = pure_behavior(tree, (0, 0))
    assert local_regrets(tree, [left], 0) == [0, 0]
    best = expected_payoffs(tree, pure_behavior(tree, (1, 1)))[0]
    assert best - expected_payoffs(tree, left)[0] == 1


@theorem
def test_following_the_leader_at_information_sets_breaks_the_bound():
    """Ann follows her leader and always meets the other side of Bob's coin, who alternates."""
    children = {a: Decision(1, "", {b: Terminal([int(a == b), 0]) for b in "HT"}) for a in "HT"}
    tree = from_sketch(Decision(0, "", children), players=("Ann", "Bob"))
    profiles, earned = [], [Fraction(1, 4), Fraction(0)]  # a small lead, which then changes
    for _ in range(40):
        leader = int(earned[1] > earned[0])
        profiles.append(pure_behavior(tree, (leader, 1 - leader)))
        earned[1 - leader] += 1
    regret = total_regret(tree, profiles, 0)
    assert regret == sum(local_regrets(tree, profiles, 0)) == 20
    assert regret**2 > 2 * len(profiles)  # span 1, one information set, two actions
