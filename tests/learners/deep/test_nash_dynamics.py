"""Regularized Nash dynamics: unbiased pushes, the rests they lead to, and what is refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, NormalFormGame, UnsupportedGame
from gametheory_core.catalog import RepeatedGame
from gametheory_core.conversions import normal_to_posg
from gametheory_core.evaluation import policy_nash_conv
from learners import batched
from learners.deep import NetworkShape, Recurrence, RegularizedNashDynamics, Sharing
from learners.deep.losses import mixed
from learners.deep.nash_dynamics import estimated_advantages, replicator_pushes
from learners.roshambo import PopulationPlay, Recall, Shows, embedded_population
from learners.schedules import Linear
from solvers import quantal_response
from tests.learners.continuing import assert_continues

TABLE = NetworkShape(())
ROCK_PAYS = NormalFormGame.zero_sum([[0, -2, 1], [2, 0, -1], [-1, 1, 0]])  # Nash: 1/4, 1/4, 1/2
PENNIES = NormalFormGame.zero_sum([[3, -1], [-1, 1]])  # Nash: 1/3, 2/3
UPDATES = 400


def learner_of(game, *, episodes=256, seed=1, **options):
    rules = normal_to_posg(game).target if isinstance(game, NormalFormGame) else game
    given_options = {
        "network": TABLE,
        "steps": 1,
        "regularization": 0.5,
        "anchor_every": 50,
        "step_size": Linear(0.05, 0.002, UPDATES),
        "largest_logit": 4.0,
        "max_gradient_norm": None,
        **options,
    }
    play = batched(rules, episodes=episodes, seed=seed)
    return RegularizedNashDynamics(play, rng=np.random.default_rng(seed), **given_options)


def played(game, updates=UPDATES, **options):
    """Return what all could gain together, at ten moments of a training, and the last learner."""
    rules, learner, gains = normal_to_posg(game).target, learner_of(game, **options), []
    for made in range(1, updates + 1):
        learner.improve()
        if made % (updates // 10) == 0:
            gains.append(float(policy_nash_conv(rules, learner.policies())))
    return gains, learner


def probabilities(learner, seat):
    actor = learner.group.actors[seat]
    logits = actor.policy.snapshot()["rows.weight"][0].astype(float)
    weights = np.exp(logits - logits.max())
    return weights / weights.sum()


# What is estimated


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32), st.integers(2, 5), st.booleans())
def test_advantages_are_estimated_without_bias(seed, actions, some_illegal):
    """Over all actions that may be played, as often as they are, whatever the value is."""
    rng = np.random.default_rng(seed)
    legal = np.ones(actions, dtype=bool)
    legal[-1] = not some_illegal
    shares = np.where(legal, rng.dirichlet(np.ones(actions)) + 0.01, 0.0)
    shares /= shares.sum()
    paid, costs, value = rng.normal(size=actions), rng.normal(size=actions) * legal, rng.normal()
    total = np.zeros(actions)
    for action in np.flatnonzero(legal):
        found = estimated_advantages(
            mixed(np.log(np.where(legal, shares, 1.0)), legal, np.array(action)),
            costs,
            np.array(action),
            np.array(paid[action] - costs[action] - value),
        )
        total += shares[action] * found
    worth = paid - costs
    expected = worth - shares @ worth
    # what is not legal is given some number: nothing is pushed there
    assert total[legal] == pytest.approx(expected[legal], abs=1e-9)


def test_pushes_are_cut_and_never_lead_further_away():
    legal = np.array([[True, True, True, False]])
    logits = np.array([[3.0, -3.0, 0.0, 50.0]])
    cuts = {"largest_advantage": 2.0, "largest_logit": 1.0}
    outward = replicator_pushes(logits, np.array([[1.0, -1.0, 5.0, 9.0]]), legal, **cuts)
    assert outward.tolist() == [[0.0, 0.0, 2.0, 0.0]]
    inward = replicator_pushes(logits, np.array([[-1.0, 1.0, -5.0, 9.0]]), legal, **cuts)
    assert inward.tolist() == [[-1.0, 1.0, -2.0, 0.0]]


@pytest.mark.parametrize("sharing", list(Sharing))
def test_rewards_of_the_regularized_game_sum_to_zero(sharing):
    """Each is paid less for what the anchor does less often, and the other's loss."""
    learner = learner_of(ROCK_PAYS, sharing=sharing, steps=3)
    for _ in range(3):
        learner.improve()
    met = learner.group.play(3)
    found = learner._regularized(met)
    raw, paid = (
        np.stack([own.rewards.reshape(3, 256, -1) for own in given_], axis=-1).reshape(3, 256, 2)
        for given_ in (met, found)
    )
    assert np.abs(paid.sum(axis=-1)).max() < 1e-12
    logs = []
    for seat in range(2):
        k = 0 if sharing is Sharing.SHARED else seat
        own = met[k].log_shares.reshape(3, 256, -1)[..., seat - k]
        anchor = -np.log(3)  # as the first policy, nearly
        logs.append(own - anchor)
    assert paid[..., 0] - raw[..., 0] == pytest.approx(0.5 * (logs[1] - logs[0]), abs=0.02)
    assert np.abs(paid - raw).max() > 0.05


# Where it leads


@pytest.mark.parametrize("game", [ROCK_PAYS, PENNIES], ids=["rock", "pennies"])
def test_last_policies_come_to_equilibrium(game):
    gains, _ = played(game)
    assert gains[0] > 0.1
    assert max(gains[-2:]) < 0.15


@pytest.mark.parametrize("game", [ROCK_PAYS, PENNIES], ids=["rock", "pennies"])
def test_twin_without_the_regularization_they_circle(game):
    gains, _ = played(game, regularization=0.0)
    assert min(gains[-5:]) > 0.3


@pytest.mark.parametrize("game", [ROCK_PAYS, PENNIES], ids=["rock", "pennies"])
def test_with_an_anchor_that_stays_they_rest_at_the_logit_equilibrium(game):
    """Payoffs less ``eta`` times the divergence from even mixing: precision ``1 / eta``."""
    gains, learner = played(game, anchor_every=10**6, regularization=1.0)
    expected = quantal_response(game, rationality=1.0).profile.strategies
    for seat in range(2):
        theirs = np.array([float(p) for p in expected[seat]])
        assert probabilities(learner, seat) == pytest.approx(theirs, abs=0.04)
    assert gains[-1] > 0.2


@pytest.mark.parametrize("regularization", [0.5, 0.0])
def test_in_repeated_play_a_rock_thrower_comes_back_to_even_mixing(regularization):
    """Twin: without the regularization they circle."""
    bots = {"uniform": embedded_population()["uniform"]}
    play = PopulationPlay(
        bots, episodes=128, seed=1, recall=Recall(1, Shows.NUMBER), throws=20, self_play=1.0
    )
    learner = RegularizedNashDynamics(
        play,
        network=TABLE,
        steps=10,
        regularization=regularization,
        anchor_every=40,
        discount=0.5,
        max_gradient_norm=None,
        step_size=Linear(0.05, 0.002, 160),
        rng=np.random.default_rng(1),
    )
    for actor in learner.group.actors:
        own = actor.policy.snapshot()
        own["rows.weight"][:, 0] += 2.0
        actor.policy.restore(own)
    assert learner.frozen().max() > 0.7
    for _ in range(100):
        learner.improve()
    likeliest = learner.frozen().max(axis=1)
    assert likeliest.mean() < 0.4 if regularization else likeliest.mean() > 0.45


# Anchors, and going on


def test_the_anchor_is_moved_after_so_many_updates():
    learner = learner_of(PENNIES, anchor_every=3, episodes=8)
    moved = []
    for _ in range(7):
        before = learner._anchors[0].snapshot()["rows.weight"]
        learner.improve()
        after = learner._anchors[0].snapshot()["rows.weight"]
        moved.append(not np.array_equal(before, after))
        if moved[-1]:
            assert np.array_equal(after, learner.group.actors[0].policy.snapshot()["rows.weight"])
    assert moved == [False, False, True, False, False, True, False]


@pytest.mark.parametrize("sharing", list(Sharing))
def test_training_goes_on_bit_for_bit(sharing, tmp_path):
    game = RepeatedGame.of("matching_pennies", rounds=3)

    def make():
        return learner_of(game, episodes=4, steps=2, anchor_every=2, sharing=sharing)

    assert_continues(make, tmp_path)


# Refusals


def test_games_that_are_not_of_two_who_oppose_each_other_are_refused():
    bots = embedded_population()
    alone = PopulationPlay({"moody": bots["moody"]}, episodes=2, seed=1)
    with pytest.raises(UnsupportedGame, match="two players.*there are 1.*self_play = 1"):
        RegularizedNashDynamics(alone, rng=np.random.default_rng(1))
    dilemma = learner_of(RepeatedGame.of("prisoners_dilemma", rounds=2))
    with pytest.raises(UnsupportedGame, match="needs a zero-sum game, but a step paid"):
        dilemma.improve()
    mixed = PopulationPlay(bots, episodes=64, seed=1, self_play=0.5)
    with pytest.raises(UnsupportedGame, match="self_play = 1: no match against bots"):
        RegularizedNashDynamics(mixed, rng=np.random.default_rng(1)).improve()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"network": NetworkShape((8,), recurrence=Recurrence.GRU)}, "without a memory.*got.*gru"),
        ({"regularization": -1.0}, "regularization of at least 0"),
        ({"anchor_every": 0}, "anchor_every"),
        ({"largest_logit": 0.0}, "largest_logit"),
        ({"largest_advantage": 0.0}, "largest_advantage"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, said):
    with pytest.raises(InvalidArgument, match=said):
        learner_of(PENNIES, **options)
