"""Williams 1992: REINFORCE's estimate is the gradient of the expected return, on average.

Means of sampled estimates on random POSGs (hidden states, correlated observations, discount 1/2,
random ends) against the exact gradient, one z test a coordinate, corrected by Holm over all
coordinates of all games of a test: a right implementation fails a test with probability about
1e-6 (normal tails; 20,000 episodes), 1e-5 in all. Twins must be rejected at the same level.

Why it matters (learning): It is what entitles a learner that only samples to say that it climbs the
expected return.
"""

import math

import numpy as np
import pytest

from gametheory_core.testing import holm
from learners import batched, exact_gradient
from learners.advantages import (
    Credit,
    StepWeights,
    credited_returns,
    episode_advantages,
    step_weights,
)
from learners.gradients import place_table, reinforce_gradient, softmax_policy
from learners.gradients.learner import play_episodes
from learners.gradients.softmax import cell_sums, score_sum
from learners.gradients.updates import Samples, clipped_gradient
from tests.theorems.hidden_state_games import hidden_state_game

LEVEL, EPISODES, GAMES = 1e-6, 20_000, range(4)
unbiased = pytest.mark.theorem(
    source="Williams 1992, theorem 1",
    statement="The mean of REINFORCE's estimates is the gradient of the expected return, with any "
    "baseline that does not depend on the action.",
)
first_step = pytest.mark.theorem(
    source="Schulman et al. 2017",
    statement="At the old policy the gradient of the clipped surrogate is that of REINFORCE.",
)


class Played:
    """A game played by random policies: the rollout, and the exact gradient of a player."""

    def __init__(self, seed):
        game = hidden_state_game(seed)
        rng = np.random.default_rng(seed)
        places = place_table(game)
        self.player = seed % 2
        self.discount = float(game.discount)
        self.tables = [
            softmax_policy(rng.normal(size=places.legal(i).shape), places.legal(i)) for i in (0, 1)
        ]
        self.exact = exact_gradient(places, self.tables, player=self.player).logits
        play = batched(game, episodes=EPISODES, seed=seed)
        rollout = play_episodes(play, self.tables, rng=rng)
        self.policy = self.tables[self.player]
        self.acts = rollout.acts[:, :, self.player]
        self.seen = rollout.observations[:, :, self.player]
        self.did = rollout.actions[:, :, self.player]
        self.rewards = rollout.rewards[:, :, self.player]

    def credited(self, credit=Credit.TO_GO, weights=StepWeights.DISCOUNTED):
        return credited_returns(
            self.rewards, discount=self.discount, credit=credit, weights=weights
        )

    def weights(self):
        return step_weights(len(self.rewards), discount=self.discount, kind=StepWeights.DISCOUNTED)

    def estimates(self, worths):
        """One estimate an episode, (E, O, A)."""
        rows, columns = self.policy.shape
        episode = np.broadcast_to(np.arange(EPISODES), self.acts.shape)[self.acts]
        sums = cell_sums(
            (EPISODES * rows, columns),
            episode * rows + self.seen[self.acts],
            self.did[self.acts],
            np.broadcast_to(worths, self.acts.shape)[self.acts],
        )
        return score_sum(self.policy, sums.reshape(EPISODES, rows, columns))

    def p_values(self, worths):
        """Two-sided normal tails of the means, a coordinate each that varies."""
        found = self.estimates(worths)
        spread = found.std(axis=0) / math.sqrt(EPISODES)
        varies = spread > 0
        assert (abs(self.exact[~varies]) < 1e-12).all()
        z = (found.mean(axis=0) - self.exact)[varies] / spread[varies]
        return [math.erfc(abs(x) / math.sqrt(2)) for x in z.tolist()]


@pytest.fixture(scope="module")
def played():
    return [Played(seed) for seed in GAMES]


def smallest(played, worths):
    """The smallest p-value after correction over all games and coordinates."""
    return min(holm([p for own in played for p in own.p_values(worths(own))]))


def rival_baseline(own):
    """A function of the observation alone, fixed beforehand."""
    return np.array([3.0, -7.0])[own.seen]


def followed_by(own):
    """What each observation *and action* was followed by on average."""
    worths = own.credited() / own.weights()
    shape = own.policy.shape
    cells = [own.seen[own.acts], own.did[own.acts]]
    sums = cell_sums(shape, *cells, worths[own.acts])
    counts = cell_sums(shape, *cells, np.ones(own.acts.sum()))
    return (sums / np.maximum(counts, 1))[own.seen, own.did]


@unbiased
@pytest.mark.parametrize("credit", Credit)
def test_estimates_are_unbiased(played, credit):
    assert smallest(played, lambda own: own.credited(credit)) > LEVEL


@unbiased
def test_estimates_are_unbiased_with_a_baseline(played):
    found = smallest(played, lambda own: own.credited() - own.weights() * rival_baseline(own))
    assert found > LEVEL


@unbiased
def test_generalized_advantages_without_shortcut_are_unbiased(played):
    """With trace 1 they are returns to go less the baseline, whatever values are believed."""

    def worths(own):
        advantages = episode_advantages(
            own.rewards, rival_baseline(own), own.acts, discount=own.discount, trace=1.0
        )
        return own.weights() * advantages

    assert smallest(played, worths) > LEVEL
    for own in played:
        expected = own.credited() - own.weights() * rival_baseline(own)
        assert worths(own)[own.acts] == pytest.approx(expected[own.acts], abs=1e-12)


@unbiased
def test_good_baseline_lowers_the_variance(played):
    """What observations are followed by on average, whatever the action."""
    for own in played:
        worths = own.credited() / own.weights()
        counts = np.bincount(own.seen[own.acts], minlength=2)
        means = np.bincount(own.seen[own.acts], worths[own.acts], 2) / np.maximum(counts, 1)
        with_baseline = own.estimates(own.credited() - own.weights() * means[own.seen])
        assert with_baseline.var(axis=0).sum() < own.estimates(own.credited()).var(axis=0).sum()


@unbiased
def test_twin_a_baseline_that_depends_on_the_action_is_biased(played):
    found = smallest(played, lambda own: own.credited() - own.weights() * followed_by(own))
    assert found < LEVEL


@unbiased
def test_twin_steps_that_count_alike_are_biased(played):
    assert smallest(played, lambda own: own.credited(weights=StepWeights.EQUAL)) < LEVEL


@first_step
def test_first_direction_of_the_surrogate(played):
    for own in played:
        worths = own.credited()[own.acts]
        samples = Samples(own.seen[own.acts], own.did[own.acts], worths)
        estimate = reinforce_gradient(own.policy, samples, episodes=EPISODES)
        assert estimate == pytest.approx(own.estimates(own.credited()).mean(axis=0), abs=1e-9)
        surrogate = clipped_gradient(own.policy, own.policy, samples, clip=0.2)
        assert surrogate * len(worths) / EPISODES == pytest.approx(estimate, abs=1e-12)


@first_step
def test_twin_away_from_the_old_policy_the_surrogate_has_another_gradient(played):
    for own in played:
        samples = Samples(own.seen[own.acts], own.did[own.acts], own.credited()[own.acts])
        uniform = softmax_policy(np.zeros_like(own.policy), own.policy > 0)
        estimate = reinforce_gradient(uniform, samples, episodes=len(samples.actions))
        away = clipped_gradient(uniform, own.policy, samples, clip=0.2)
        assert abs(away - estimate).max() > 0.01
