import numpy as np
import pytest

from gametheory_core import InvalidArgument, UnsupportedGame
from gametheory_core.catalog import RepeatedGame, kuhn_poker
from gametheory_core.evaluation import policy_nash_conv, return_gains
from learners import AtHorizon, Sees, batched, train
from learners.deep import ActorCritic, NetworkShape, Recurrence, Reinforce
from tests.learners.deep.decision_problems import layered_problem
from tests.learners.deep.own_turn_games import bandit, recall_game

SMALL = NetworkShape((16,))
GRU = NetworkShape((16,), recurrence=Recurrence.GRU, memory_size=16)
DILEMMA = RepeatedGame.of("prisoners_dilemma", rounds=3)


def learner_of(game, *, episodes=64, seed=1, sees=Sees.LAST, **options):
    environment = batched(game, episodes=episodes, seed=seed, sees=sees)
    options = {"network": SMALL, "steps": 6, "step_size": 0.01} | options
    return ActorCritic(environment, rng=np.random.default_rng(seed), **options)


@pytest.mark.parametrize(
    ("seed", "options"),
    [(1, {}), (2, {"lag": 4}), (3, {"lag": 2, "largest_trace": 0.5, "trace": 0.9})],
)
def test_random_decision_problems_are_solved(seed, options):
    """Of what could be gained at first, more than 2, less than a hundredth is left, exactly."""
    game = layered_problem(seed)
    learner = learner_of(game, **options)
    assert return_gains(game, learner.policies())[0] > 2
    learned = train(learner, iterations=150)
    assert return_gains(game, learned.policies)[0] < 0.02


def test_players_find_what_all_should_do_in_a_dilemma():
    learned = train(learner_of(DILEMMA, learns=(1, 0)), iterations=80)
    assert policy_nash_conv(DILEMMA, learned.policies) < 0.05
    assert {"loss/policy/player 1", "loss/policy/player 2"} <= set(learned.metrics[-1])


def test_a_player_who_takes_turns_learns_a_best_response_in_poker():
    learner = learner_of(kuhn_poker(), sees=Sees.HISTORY, learns=(1,))
    rules = learner.group.environment.rules
    before = return_gains(rules, learner.policies())[1]
    learned = train(learner, iterations=150)
    assert before > 0.5
    assert return_gains(rules, learned.policies)[1] < 0.05


@pytest.mark.parametrize("kind", [ActorCritic, Reinforce])
def test_weight_on_entropy_keeps_the_policy_mixed(kind):
    """Without it actions become nearly certain; with much of it they stay nearly uniform."""
    left = {}
    for weight in (0.0, 5.0):
        play, rng = batched(bandit(), episodes=64, seed=1), np.random.default_rng(1)
        learner = kind(play, network=SMALL, step_size=0.05, entropy_weight=weight, rng=rng)
        left[weight] = train(learner, iterations=100).metrics[-1]["entropy"]
    assert left[0.0] < 0.5
    assert left[5.0] > 0.9


@pytest.mark.parametrize("lag", [0, 2])
def test_a_memory_finds_what_no_other_policy_can(lag):
    """Only who remembers the cue gets more than a half."""
    learned = train(learner_of(recall_game(), network=GRU, lag=lag, step_size=0.02), iterations=80)
    assert learned.metrics[-1]["return/guesser"] > 0.95


def test_without_a_lag_ratios_are_one_and_with_it_they_are_not():
    ratios = [
        [
            train(learner_of(DILEMMA, lag=lag), iterations=8).metrics[k]["ratio/player 1"]
            for k in range(8)
        ]
        for lag in (0, 3)
    ]
    assert ratios[0] == pytest.approx([1] * 8, abs=1e-5)
    assert ratios[1][0] == pytest.approx(1, abs=1e-5)
    assert np.abs(np.array(ratios[1][1:]) - 1).max() > 1e-3


def test_the_policy_that_plays_is_that_of_so_many_updates_ago():
    learner = learner_of(layered_problem(1), lag=2)
    actor = learner.group.actors[0]
    played, learned = [], []
    play = learner.group.play

    def watched(steps):
        played.append(actor.policy.snapshot())
        return play(steps)

    learner.group.play = watched
    for _ in range(5):
        learned.append(actor.policy.snapshot())
        learner.improve()
    for update, seen in enumerate(played):
        expected = learned[max(0, update - 2)]
        assert all((seen[name] == expected[name]).all() for name in expected)
    assert any((played[4][name] != learned[4][name]).any() for name in learned[4])


def test_the_step_without_a_lag_is_that_of_the_policy_gradient():
    """Weights change as by a direct computation of A2C's loss on the same rollout."""
    import torch

    learner = learner_of(layered_problem(2), steps=4, max_gradient_norm=None, step_size=1e-3)
    twin = learner_of(layered_problem(2), steps=4, max_gradient_norm=None, step_size=1e-3)
    (met,) = twin.group.play(4)
    actor = twin.group.actors[0]
    returns = np.zeros_like(met.rewards)
    ahead = met.values[-1]
    for t in reversed(range(4)):
        ahead = met.rewards[t] + 0.9 * np.where(met.is_over[t], met.beyond[t], ahead)
        returns[t] = ahead
    advantages = torch.from_numpy((returns - met.values[:-1]).astype(np.float32))
    rows = torch.from_numpy(met.observations[:-1])

    weights = {
        which: {
            name: torch.from_numpy(value).requires_grad_()
            for name, value in network.snapshot().items()
        }
        for which, network in actor.networks.items()
    }

    def outputs(which):
        own = weights[which]
        return torch.tanh(own["rows.weight"][rows]) @ own["output.weight"].T + own["output.bias"]

    logits = outputs("policy").masked_fill(~torch.from_numpy(met.legal), -torch.inf)
    actions = torch.from_numpy(met.actions)[..., None]
    scores = torch.log_softmax(logits, dim=-1).gather(-1, actions)[..., 0]
    values = outputs("value")[..., 0]
    error = 0.5 * (values - torch.from_numpy(returns.astype(np.float32))).square()
    (-(scores * advantages).mean() + 0.5 * error.mean()).backward()
    learner.improve()
    moments = learner._optimizers[0].snapshot()["first"]
    for own, first in zip(weights.values(), moments, strict=True):
        assert own.keys() == first.keys()
        for name, direct in own.items():  # Adam's first moment is a tenth of the gradient
            assert first[name] / 0.1 == pytest.approx(direct.grad.numpy(), abs=1e-6)
            assert direct.grad.abs().max() > 1e-4


def test_values_after_a_cut_episode_count_if_asked():
    """Targets at a cut are the reward, or that and the value of what was seen last."""
    game = RepeatedGame.of("prisoners_dilemma", rounds=1)
    for at_horizon in AtHorizon:
        learner = learner_of(game, at_horizon=at_horizon, discount=0.5)
        met = learner.group.play(1)[0]
        assert met.beyond.any() == (at_horizon is AtHorizon.CONTINUES)


def test_senseless_options_are_refused_by_name():
    for options, name in (
        ({"steps": 0}, "steps"),
        ({"lag": -1}, "lag"),
        ({"trace": 1.1}, "trace"),
        ({"largest_ratio": 0.0}, "largest_ratio"),
        ({"largest_trace": -1.0}, "largest_trace"),
        ({"value_weight": -1.0}, "value_weight"),
        ({"entropy_weight": np.nan}, "entropy_weight"),
        ({"max_gradient_norm": 0.0}, "max_gradient_norm"),
        ({"step_size": 0.0}, "step_size"),
        ({"discount": 2.0}, "discount"),
        ({"learns": ()}, "learn"),
    ):
        with pytest.raises(InvalidArgument, match=name):
            learner_of(DILEMMA, **options)
    with pytest.raises(UnsupportedGame, match="Give more steps"):
        learner_of(kuhn_poker(), sees=Sees.HISTORY, learns=(1,), steps=1, episodes=2).improve()
