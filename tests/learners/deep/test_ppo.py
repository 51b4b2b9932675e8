"""PPO finds exact optima of small problems, judged by the core."""

import dataclasses
from fractions import Fraction

import numpy as np
import pytest
import torch

from gametheory_core import (
    InvalidArgument,
    UnsupportedGame,
    evaluation,
    expected_returns,
    policy_from,
)
from gametheory_core.catalog import RepeatedGame, kuhn_poker
from gametheory_core.distributions import point_mass
from learners import Linear, assess, batched, train
from learners.deep import PPO, NetworkShape, Recurrence, Sharing
from learners.deep.ppo import normalized
from learners.deep.rollouts import rollout_buffer
from tests.learners.deep.own_turn_games import LEFT, RIGHT, Alternating, bandit, chain, recall_game

SMALL = NetworkShape(hidden=(16,))


def ppo(environment, *, seed=1, **options):
    options = {"network": SMALL, "minibatches": 1, **options}
    return PPO(environment, rng=np.random.default_rng(seed), **options)


def most_likely(policy):
    """Play only what a policy plays most often."""
    return policy_from(
        lambda seen: point_mass(max(policy[seen].items, key=lambda item: item[1])[0])
    )


@pytest.mark.parametrize(("game", "optimum"), [(bandit(), 3), (chain(), Fraction(729, 100))])
def test_small_problems_are_solved_exactly(game, optimum):
    """The optimum is 3/2 + 4/4 + 2/4, the best of one context being barred, and 10 (9/10)^3."""
    learner = ppo(batched(game, episodes=32, seed=1), steps=8, step_size=0.01)
    learned = train(learner, iterations=60)
    assert evaluation.best_response_returns(game, learned.policies)[0] == optimum
    assert evaluation.return_gains(game, learned.policies)[0] < Fraction(1, 20)
    greedy = tuple(map(most_likely, learned.policies))
    assert expected_returns(game, greedy)[0] == optimum


@pytest.mark.parametrize("recurrence", [Recurrence.GRU, Recurrence.LSTM])
def test_a_memory_solves_what_needs_one(recurrence):
    game = recall_game(waits=2)
    shape = NetworkShape(hidden=(16,), recurrence=recurrence, memory_size=16)
    environment = batched(game, episodes=32, seed=1)
    learner = ppo(environment, steps=12, step_size=0.01, network=shape)
    learned = train(learner, iterations=40)
    assert evaluation.best_response_returns(game, learned.policies)[0] == 1
    assert evaluation.return_gains(game, learned.policies)[0] < Fraction(1, 20)


def test_without_a_memory_a_half_is_all():
    """Exactly a half, whatever is learned: no table of last observations returns more."""
    game = recall_game(waits=2)
    environment = batched(game, episodes=32, seed=1)
    learned = train(ppo(environment, steps=12, step_size=0.01), iterations=10)
    assert expected_returns(game, learned.policies)[0] == Fraction(1, 2)
    tables = [
        {LEFT: point_mass(LEFT), RIGHT: point_mass(LEFT), "nothing": point_mass(said)}
        for said in (LEFT, RIGHT)
    ]
    assert {evaluation.memoryless_returns(game, [table])[0] for table in tables} == {Fraction(1, 2)}


@pytest.mark.parametrize("sharing", list(Sharing))
def test_a_dilemma_is_defected_in_by_all(sharing):
    game = RepeatedGame.of("prisoners_dilemma", rounds=2)
    environment = batched(game, episodes=32, seed=1)
    learner = ppo(environment, steps=8, step_size=0.01, sharing=sharing)
    before = evaluation.policy_nash_conv(game, learner.policies())
    learned = train(learner, iterations=30)
    assert evaluation.policy_nash_conv(game, learned.policies) < Fraction(1, 20) < before


def test_a_best_response_to_a_fixed_player_is_learned():
    game = RepeatedGame.of("rock_paper_scissors")
    environment = batched(game, episodes=64, seed=1)
    paper = {1: lambda seen, legal: np.tile([0.25, 0.5, 0.25], (len(seen), 1))}
    learner = ppo(environment, steps=4, step_size=0.01, learns=[0], others=paper)
    learned = train(learner, iterations=40)
    assert expected_returns(game, learned.policies)[0] > Fraction(23, 100)  # scissors win a quarter
    assert evaluation.return_gains(game, learned.policies)[0] < Fraction(1, 50)


def test_poker_players_come_nearer_to_equilibrium():
    """Turns, private cards, a policy with memory; the core certifies how far from equilibrium."""
    poker = kuhn_poker()
    environment = batched(poker, episodes=128, seed=1)
    learner = ppo(
        environment,
        steps=8,
        step_size=Linear(0.01, 0.0, steps=60),
        network=NetworkShape(hidden=(16,), recurrence=Recurrence.GRU, memory_size=8),
        entropy_weight=0.2,
    )
    before = evaluation.policy_nash_conv(environment.rules, learner.policies())
    learned = train(learner, iterations=60)
    found = assess(poker, learned.policies)
    for certificate in found.certificates:
        certificate.verify()
    assert {certificate.kind for certificate in found.certificates} == {"nash", "minimax"}
    after = evaluation.policy_nash_conv(environment.rules, learned.policies)
    assert found["nash_conv"] == after < before * Fraction(2, 3)


def test_turns_and_features_are_learned():
    """Each of two players in turn learns the action of its own that pays it."""
    environment = Alternating(num_episodes=16)
    learner = ppo(environment, steps=12, step_size=0.01)
    metrics = train(learner, iterations=40).metrics[-1]
    assert metrics["length"] == 3.0
    assert metrics["return/first"] > 1.8  # moves first and third
    assert metrics["return/second"] > 0.9
    first, second = learner.policies()
    assert first[2,][LEFT] > Fraction(19, 20)
    assert second[1,][RIGHT] > Fraction(19, 20)
    assert dict(second[1,].items).keys() == {LEFT, RIGHT}  # what is barred is not played


def test_learning_stops_where_the_policy_has_gone_far():
    game = bandit()
    found = {}
    for limit in (None, 1e-6):
        environment = batched(game, episodes=64, seed=1)
        learner = ppo(environment, steps=4, step_size=0.02, epochs=10, max_divergence=limit)
        for _ in range(3):
            metrics = learner.improve()
        found[limit] = metrics["divergence"]
    assert found[1e-6] < found[None] / 20


def test_a_weight_on_entropy_keeps_policies_mixed():
    found = {}
    for weight in (0.0, 5.0):
        environment = batched(bandit(), episodes=64, seed=1)
        learner = ppo(environment, steps=2, step_size=0.02, entropy_weight=weight)
        found[weight] = train(learner, iterations=25).metrics[-1]["entropy"]
    most = (3 * np.log(3) + np.log(2)) / 4  # two actions in one context of weight a quarter
    assert found[0.0] < 0.5 < 0.99 * most < found[5.0] <= most + 0.05


def test_advantages_are_normalized_without_the_padding():
    group = ppo(batched(recall_game(waits=2), episodes=4, seed=1)).group
    (met,) = group.play(6)
    rng = np.random.default_rng(2)
    counts = met.acts[:-1] & (np.arange(6)[:, None] < [6, 5, 4, 1])
    buffer = rollout_buffer(
        ppo(
            batched(recall_game(waits=2), episodes=4, seed=1),
            network=NetworkShape(hidden=(4,), recurrence=Recurrence.GRU),
        ).group.actors[0],
        dataclasses.replace(met, policy_memory=torch.zeros(4, 64)),
        advantages=7 + 5 * rng.normal(size=met.rewards.shape),
        counts=counts,
    )
    assert not buffer.is_real.all()
    own = normalized(buffer).advantages[buffer.is_real]
    assert own.mean().item() == pytest.approx(0, abs=1e-6)
    assert own.std().item() == pytest.approx(1, abs=1e-5)


def test_normalizing_makes_units_of_payoff_matter_less():
    """The loss of a policy is in deviations of the advantages, not in payoff units."""
    losses = {}
    for normalizes in (True, False):
        environment = batched(bandit(), episodes=64, seed=1)
        learner = ppo(environment, steps=4, normalizes_advantages=normalizes, epochs=1)
        losses[normalizes] = abs(learner.improve()["loss/policy"])
    assert losses[True] < 1e-3 < losses[False]  # at the old policy it is minus their mean


def test_rollouts_too_short_for_turns_are_refused():
    learner = ppo(Alternating(num_episodes=1), steps=1)
    with pytest.raises(UnsupportedGame, match="Give more steps"):
        learner.improve()


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"steps": 0}, "steps"),
        ({"step_size": 0}, "step_size"),
        ({"discount": 1.5}, "discount"),
        ({"trace": 2}, "trace"),
        ({"clip": 0}, "clip"),
        ({"value_clip": -1}, "value_clip"),
        ({"value_weight": -1}, "value_weight"),
        ({"entropy_weight": float("nan")}, "entropy_weight"),
        ({"epochs": 0}, "epochs"),
        ({"minibatches": 1.5}, "minibatches"),
        ({"max_divergence": 0}, "max_divergence"),
        ({"max_gradient_norm": 0}, "max_gradient_norm"),
        ({"at_horizon": "ends"}, "AtHorizon"),
        ({"device": "cpu"}, "Device"),
        ({"network": (64, 64)}, "network"),
        ({"rng": 1}, "rng"),
    ],
)
def test_bad_options_are_refused_by_name(options, complaint):
    with pytest.raises(InvalidArgument, match=f"PPO: .*{complaint}"):
        PPO(Alternating(), **{"rng": np.random.default_rng(1), **options})


def test_policies_stay_as_they_were():
    learner = ppo(Alternating(), steps=6, step_size=0.1)
    kept = learner.policies()
    fresh = ppo(Alternating(), steps=6, step_size=0.1).policies()
    learner.improve()
    assert kept[0][0,] == fresh[0][0,]
    assert learner.policies()[0][0,] != fresh[0][0,]


def test_torch_global_generator_is_left_alone():
    before = torch.random.get_rng_state()
    ppo(Alternating(), steps=6).improve()
    assert torch.equal(torch.random.get_rng_state(), before)
