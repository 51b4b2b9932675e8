"""Rummery and Niranjan 1994: SARSA under a policy that is held learns what that policy is worth.

On random decision problems, with the uniform policy held, the values after the first observation
are compared with the exact returns of the core: of the policy that takes an action first and plays
uniformly from then on.

Why it matters (learning): On-policy learners learn what a policy is worth, which is what policy
improvement needs.
"""

from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import expected_returns, policy_from
from gametheory_core.distributions import point_mass, uniform
from learners import EpsilonGreedy, FixedPolicy, PerVisit, QLearning, Sarsa, Sees, Steps, batched
from tests.learners.tabular.small_games import RandomDecisions

theorem = pytest.mark.theorem(
    source="Rummery and Niranjan 1994",
    statement="SARSA under a fixed policy learns the exact values of that policy.",
)


def first_values(game):
    """Exact values of the first actions, if play is uniform afterwards."""
    out = []
    for action in game.legal_actions(0, 0):

        def act(seen, first=action):
            return point_mass(first) if len(seen) == 1 else uniform(game.legal_actions(0, seen[-1]))

        out.append(expected_returns(game, (policy_from(act),))[0])
    return out


def learned_first_values(kind, game, seed, *, by_table=False, **options):
    play = batched(game, episodes=64, seed=seed, sees=Sees.TIMED)
    evenly_legal = play.legal[0] / play.legal[0].sum(axis=1, keepdims=True)
    held = FixedPolicy(evenly_legal) if by_table else EpsilonGreedy(1.0)
    learner = kind(
        play,
        rng=np.random.default_rng(seed),
        exploration=held,
        step_size=PerVisit(1.0),
        iteration=Steps(1500),
        **options,
    )
    learner.improve()
    first = play.observation_labels[0].index((0, 0))
    labels = play.action_labels[0]
    return [learner.values(0)[first, labels.index(a)] for a in game.legal_actions(0, 0)]


@theorem
@pytest.mark.parametrize("expected", [False, True])
@pytest.mark.parametrize("by_table", [False, True])
def test_values_are_those_of_the_policy(expected, by_table):
    """Seeds 0 to 3; 32,000 episodes, so five standard errors of returns below 30 are below 1."""
    for seed in range(4):
        game = RandomDecisions(seed)
        exact = first_values(game)
        found = learned_first_values(Sarsa, game, seed, by_table=by_table, expected=expected)
        assert np.allclose(found, np.array(exact, dtype=float), atol=0.35)


@theorem
def test_off_policy_twin_learns_another_policys_values():
    """Q-learning from the same play learns what the best policy is worth: more."""
    surplus = Fraction(0)
    for seed in range(4):
        game = RandomDecisions(seed)
        found = learned_first_values(QLearning, game, seed)
        differences = np.array(found) - np.array(first_values(game), dtype=float)
        assert (differences > -0.35).all()
        surplus = max(surplus, differences.max())
    assert surplus > 2
