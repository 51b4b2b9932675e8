"""Gymnasium environments as batches: the same episodes, whatever the batch; exact resumption."""

import gymnasium
import numpy as np
import pytest

from gametheory_core import InvalidArgument, UnsupportedGame, uniform_policies
from gametheory_core.adapters import to_gymnasium
from gametheory_core.catalog import RandomOrderTeam, RepeatedGame, Tiger
from gametheory_core.conversions import aec_to_posg
from learners.adapters import from_gymnasium
from learners.adapters.replays import episode_seed


def cart_pole():
    return gymnasium.make("CartPole-v1")


def frozen_lake():
    return gymnasium.make("FrozenLake-v1", is_slippery=True)


def action_of(episode, step):
    return (episode * 7 + step * 3) % 2


@pytest.mark.parametrize("size", [1, 3])
def test_episodes_are_gymnasiums_own_whatever_the_batch(size):
    batch = from_gymnasium(cart_pole, episodes=size, seed=5)
    turn = batch.reset()
    episode, step, done = np.arange(size), np.zeros(size, dtype=int), 0
    found = {}
    while done < 6:
        for e in range(size):
            found.setdefault(episode[e], []).append(turn.observations[e, 0])
        actions = np.array([[action_of(k, t)] for k, t in zip(episode, step, strict=True)])
        turn = batch.step(actions)
        assert (turn.rewards == 1).all()
        for e in np.flatnonzero(turn.is_over):
            found[episode[e]].append(turn.final_observations[e, 0])
            done += 1
        step = np.where(turn.is_over, 0, step + 1)
        episode = np.where(turn.is_over, episode + size, episode)
    env = cart_pole()
    for k in range(3):
        seen = [env.reset(seed=episode_seed(5, k))[0]]
        over = False
        while not over:
            observation, _, ended, cut, _ = env.step(action_of(k, len(seen) - 1))
            seen.append(observation)
            over = ended or cut
        assert np.array_equal(np.array(found[k]), np.array(seen))


def test_discrete_observations_are_numbers():
    batch = from_gymnasium(frozen_lake, episodes=2, seed=5)
    assert batch.num_observations == (16,)
    assert batch.num_features == (0,)
    assert batch.num_actions == (4,)
    assert batch.horizon == 100
    turn = batch.reset()
    assert turn.observations.tolist() == [[0], [0]]
    assert turn.observations.dtype == np.int64
    assert batch.observe(0, (0, 2, 4)).tolist() == [0, 4]


def test_other_observations_are_features():
    batch = from_gymnasium(cart_pole, episodes=2, seed=5)
    assert batch.num_features == (4,)
    assert batch.num_observations == (0,)
    shown = batch.reset().observations[0, 0]
    assert batch.observe(0, (shown, 1, shown)).shape == (2, 4)


@pytest.mark.parametrize("make", [cart_pole, frozen_lake])
def test_a_snapshot_within_episodes_goes_on_exactly_in_another_batch(make):
    batch = from_gymnasium(make, episodes=3, seed=5)
    batch.reset()
    rng = np.random.default_rng(0)
    actions = rng.integers(batch.num_actions[0], size=(60, 3, 1))
    for a in actions[:20]:
        batch.step(a)
    kept = batch.snapshot()
    wanted = [batch.step(a) for a in actions[20:]]
    other = from_gymnasium(make, episodes=3, seed=5)
    other.restore(kept)
    for a, turn in zip(actions[20:], wanted, strict=True):
        found = other.step(a)
        for name in ("observations", "final_observations", "rewards", "is_terminal"):
            assert np.array_equal(getattr(found, name), getattr(turn, name))


class Unseeded(gymnasium.Env):
    """An environment that draws from what nobody seeds."""

    observation_space = gymnasium.spaces.Box(0, 1, (1,), np.float64)
    action_space = gymnasium.spaces.Discrete(2, start=3)

    def __init__(self):
        self.rng = np.random.default_rng()

    def reset(self, *, seed=None, options=None):
        return self.rng.random(1), {}

    def step(self, action):
        assert action in (3, 4)
        return self.rng.random(1), float(action), False, False, {}


def test_environments_that_cannot_be_resumed_are_refused_on_going_back():
    batch = from_gymnasium(Unseeded, episodes=1, seed=5)
    batch.reset()
    assert batch.action_labels == ((3, 4),)
    assert batch.step(np.array([[1]])).rewards.tolist() == [[4.0]]
    with pytest.raises(InvalidArgument, match="whose episodes follow from seed and actions"):
        batch.restore(batch.snapshot())


class Ending(gymnasium.Env):
    """An environment whose first step ends or cuts its episodes, as told."""

    observation_space = action_space = gymnasium.spaces.Discrete(2)

    def __init__(self, *, ended, cut):
        self.ended, self.cut = ended, cut

    def reset(self, *, seed=None, options=None):
        return 0, {}

    def step(self, action):
        return 1, 0.0, self.ended, self.cut, {}


@pytest.mark.parametrize(
    ("ended", "cut", "is_terminal", "is_truncated"),
    [
        (True, False, True, False),
        (False, True, False, True),
        (True, True, True, False),  # what has ended is not to go on, cut or not
        (False, False, False, False),
    ],
)
def test_an_episode_that_ends_is_not_truncated(ended, cut, is_terminal, is_truncated):
    batch = from_gymnasium(lambda: Ending(ended=ended, cut=cut), episodes=2, seed=1)
    batch.reset()
    turn = batch.step(np.zeros((2, 1), dtype=int))
    assert turn.is_terminal.tolist() == [is_terminal] * 2
    assert turn.is_truncated.tolist() == [is_truncated] * 2


def test_our_own_games_come_back_with_their_masks():
    game = Tiger(horizon=3)
    batch = from_gymnasium(
        lambda: to_gymnasium(game, others=uniform_policies(game)[1:]), episodes=4, seed=1
    )
    turn = batch.reset()
    for _ in range(3):
        assert turn.legal.any(axis=-1).all()
        turn = batch.step(turn.legal.argmax(-1))
    assert turn.is_truncated.all()


def test_masks_refuse_illegal_actions():
    game = aec_to_posg(RandomOrderTeam()).target  # players who are not to move must idle
    batch = from_gymnasium(
        lambda: to_gymnasium(game, others=uniform_policies(game)[1:]), episodes=1, seed=1
    )
    turn = batch.reset()
    bad = int(np.flatnonzero(~turn.legal[0, 0])[0])
    with pytest.raises(InvalidArgument, match="in row 0 gives"):
        batch.step(np.array([[bad]]))


def test_what_cannot_be_read_is_refused():
    with pytest.raises(UnsupportedGame, match="needs Discrete actions"):
        from_gymnasium(lambda: gymnasium.make("Pendulum-v1"), episodes=1, seed=1)
    with pytest.raises(InvalidArgument, match="needs make to be a function"):
        from_gymnasium(cart_pole(), episodes=1, seed=1)
    with pytest.raises(InvalidArgument, match="what make returns to be of type Env"):
        from_gymnasium(lambda: RepeatedGame.of("matching_pennies"), episodes=1, seed=1)
    batch = from_gymnasium(cart_pole, episodes=1, seed=1)
    batch.reset()
    other = from_gymnasium(cart_pole, episodes=1, seed=2)
    other.reset()
    with pytest.raises(InvalidArgument, match="needs a snapshot with seed 1, but its seed is 2"):
        batch.restore(other.snapshot())
