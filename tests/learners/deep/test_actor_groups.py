"""Actors at play: what is written down is what was met."""

import numpy as np
import pytest

from gametheory_core.catalog import RepeatedGame, kuhn_poker
from learners import AtHorizon, batched
from learners.deep import Device, NetworkShape, Recurrence, Sharing
from learners.deep.actors import LegalActions
from learners.deep.agents import NO_ACTION
from learners.deep.lessons import reread
from learners.deep.policy_learning import PolicyLearner
from learners.deep.rollouts import first_episodes, rollout_buffer
from learners.protocol import EpisodeTally
from tests.learners.continuing import SilentRules
from tests.learners.deep.own_turn_games import Alternating


class Playing(PolicyLearner):
    """One that only plays."""

    def _learn(self, actor, optimizer, met):
        return {}


def learning(environment, *, recurrence=Recurrence.NONE, at_horizon=AtHorizon.ENDS, **options):
    return Playing(
        environment,
        learns=None,
        others=None,
        network=NetworkShape(hidden=(8,), recurrence=recurrence, memory_size=6),
        has_values=True,
        step_size=0.01,
        discount=None,
        at_horizon=at_horizon,
        device=Device.CPU,
        rng=np.random.default_rng(5),
        **{"sharing": Sharing.SEPARATE, **options},
    )


@pytest.mark.parametrize("recurrence", list(Recurrence))
@pytest.mark.parametrize("sharing", list(Sharing))
def test_networks_read_lessons_as_they_read_play(recurrence, sharing):
    """Log probabilities and values of a rollout in the middle of episodes are found again."""
    for environment in (batched(kuhn_poker(), episodes=5, seed=1), Alternating(num_episodes=5)):
        group = learning(environment, recurrence=recurrence, sharing=sharing).group
        group.play(2)
        for actor, met in zip(group.actors, group.play(9), strict=True):
            buffer = rollout_buffer(
                actor, met, advantages=np.zeros(met.rewards.shape), counts=met.acts[:-1]
            )
            assert buffer.is_real.sum() == met.acts[:-1].sum() > 0
            found, real = reread(actor, buffer), buffer.is_real
            assert np.allclose(found.played.chosen[real], buffer.log_shares[real], atol=1e-5)
            assert np.allclose(found.values[real], buffer.values[real], atol=1e-5)


@pytest.mark.parametrize("sharing", list(Sharing))
def test_networks_that_stand_still_say_the_same(sharing):
    """Moments read beforehand and as they come: equal but for rounding, and equally drawn."""
    for at_horizon in AtHorizon:
        met = []
        for few in (0, 4):
            game = RepeatedGame.of("prisoners_dilemma", rounds=1000)
            environment = batched(game, episodes=20, seed=1, horizon=3)
            group = learning(environment, sharing=sharing, at_horizon=at_horizon).group
            for actor in group.actors:
                if not few:
                    actor.stand_still = lambda: None
            met.append(group.play(8)[-1])
        for name in ("actions", "observations", "acts"):
            assert np.array_equal(getattr(met[0], name), getattr(met[1], name))
        for name in ("log_shares", "values", "beyond"):
            assert np.allclose(getattr(met[0], name), getattr(met[1], name), atol=1e-5)


@pytest.mark.parametrize("recurrence", [Recurrence.NONE, Recurrence.LSTM])
def test_policies_say_what_the_networks_play(recurrence):
    """Along played episodes, the exact policy gives each action its probability."""
    environment = batched(RepeatedGame.of("prisoners_dilemma", rounds=3), episodes=4, seed=1)
    whole = learning(environment, recurrence=recurrence)
    for actor in whole.group.actors:  # away from uniform
        own = actor.policy.snapshot()
        actor.policy.restore({name: 3.0 * value for name, value in own.items()})
    policies = whole.policies()
    labels = environment.action_labels
    seen = environment.observation_labels
    for player, met in enumerate(whole.group.play(3)):
        for lane in range(4):
            state = ()
            for t in range(3):
                state = (*state, seen[player][met.observations[t, lane]])
                action = labels[player][met.actions[t, lane]]
                share = float(policies[player][state][action])
                assert share == pytest.approx(np.exp(met.log_shares[t, lane]), abs=1e-6)
                state = (*state, action)


def test_episodes_cut_by_the_horizon_are_looked_beyond_if_asked():
    game = RepeatedGame.of("prisoners_dilemma", rounds=1000)
    for at_horizon in AtHorizon:
        environment = batched(game, episodes=4, seed=1, horizon=3)
        group = learning(environment, at_horizon=at_horizon).group
        (met, _) = group.play(7)
        assert met.is_over[:, 0].tolist() == [False, False, True] * 2 + [False]
        if at_horizon is AtHorizon.ENDS:
            assert not met.beyond.any()
        else:
            assert not met.beyond[~met.is_over].any()
            assert (met.beyond[met.is_over] != 0).all()


def test_actions_before_are_forgotten_where_episodes_end():
    environment = Alternating(num_episodes=2)
    group = learning(environment, recurrence=Recurrence.GRU).group
    (met, _) = group.play(6)
    begins = np.concatenate([[[True, True]], met.is_over[:-1]])
    assert (met.previous[begins] == NO_ACTION).all()
    # Player "first" acted at the first of three moments, so the third shows that action.
    for t, lane in np.argwhere(met.acts[:-1] & ~begins):
        if met.observations[t, lane, 0] == 2:
            remembered = met.previous[t, lane]
            began = t >= 2
            assert remembered == (met.actions[t - 2, lane] if began else remembered)


def test_each_place_plays_out_its_first_episode():
    environment = Alternating(num_episodes=4)
    group = learning(environment).group
    (met, _) = group.play_out(max_steps=50)
    assert len(met.rewards) == 3  # the longest has three moves
    assert met.is_over[1].tolist() == [False, True, False, True]
    assert first_episodes(met.is_over).sum(axis=0).tolist() == [3, 2, 3, 2]


def test_tally_counts_finished_episodes_only():
    environment = Alternating(num_episodes=2)
    tally = EpisodeTally(environment.players, 2)
    environment.reset()
    ones, zeros = np.ones((2, 2), dtype=np.int64), np.zeros((2, 2), dtype=np.int64)
    tally.add(environment.step(zeros))
    assert tally.metrics() == {}
    tally.add(environment.step(ones))  # the second episode ends after two moves
    metrics = tally.metrics()
    assert metrics == {"return/first": 1.0, "return/second": 1.0, "length": 2.0}
    assert tally.metrics() == {}
    tally.add(environment.step(zeros))
    assert tally.metrics() == {"return/first": 2.0, "return/second": 1.0, "length": 3.0}


def test_legal_actions_are_known_or_remembered():
    game = batched(kuhn_poker(), episodes=2, seed=1)
    known = LegalActions(game)
    for player in range(2):
        for number in range(game.num_observations[player]):
            assert np.array_equal(known.after(player, number), game.legal[player][number])
    environment = Alternating(num_episodes=2)
    remembered = LegalActions(environment)
    shown = environment.observe(1, (1,))[-1]
    assert remembered.after(1, shown).tolist() == [True, True, True]
    remembered.note(environment.reset())
    assert remembered.after(1, shown).tolist() == [True, True, False]
    fresh = LegalActions(environment)
    fresh.restore(remembered.snapshot())
    assert fresh.after(1, shown).tolist() == [True, True, False]


def test_numbered_observations_are_remembered_with_their_legal_actions():
    game = batched(kuhn_poker(), episodes=200, seed=1)
    group = learning(SilentRules(game)).group
    met = [set(), set()]
    for _ in range(6):
        turn = group._turn
        for player in range(2):
            met[player] |= set(turn.observations[turn.acts[:, player], player].tolist())
        group.play(1)
    for player in range(2):
        assert len(met[player]) > 3
        for number in met[player]:
            assert np.array_equal(group.legality.after(player, number), game.legal[player][number])
    assert not all(group.legality.after(0, number).all() for number in met[0])
