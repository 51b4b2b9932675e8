"""POSGs as parallel environments: exact laws, ends, masks, arrays, bad input."""

import copy
import pickle
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from gymnasium.spaces import Box

from gametheory_core import (
    InvalidArgument,
    InvalidGame,
    UnsupportedGame,
    load_game,
    uniform_policies,
)
from gametheory_core.adapters import (
    IllegalActions,
    Masks,
    ObservationEncoding,
    parallel_env,
    pettingzoo_plays,
)
from gametheory_core.catalog import RandomOrderTeam, RepeatedGame, Tiger
from gametheory_core.evaluation import posg_trajectories
from gametheory_core.games import NULL, PosgPlay, Step, stop_posg
from tests.core.adapters.enumerated_draws import exact_law
from tests.core.adapters.small_games import Corridor, OverAtOnce


def scripted(monkeypatch, rng):
    monkeypatch.setattr(pettingzoo_plays, "np_random", lambda seed: (rng, seed))


def numbers_of(env, infos, agent):
    return np.flatnonzero(infos[agent]["action_mask"]).tolist()


def to_the_right(env):
    right = [own.index("right") for own in env._interface.actions]
    return dict(zip(env.possible_agents, right, strict=True))


def uniform_play(env, rng):
    """Play legal actions evenly, told by the masks alone; return what happened."""
    actions = {a: env._interface.actions[i] for i, a in enumerate(env.possible_agents)}
    _, infos = env.reset(seed=0)
    steps = []
    while env.agents:
        before = env.raw
        legal = {agent: numbers_of(env, infos, agent) for agent in env.agents}
        chosen = {a: own[rng.integers(len(own))] for a, own in legal.items()}
        *_, infos = env.step(chosen)
        joint = tuple(actions[a][k] for a, k in chosen.items())
        steps.append(Step(before.state, before.observations, joint, env.raw.rewards))
    return PosgPlay(tuple(steps), env.raw.state)


@pytest.mark.parametrize(
    "game",
    [Tiger(horizon=1), Corridor(horizon=1), Corridor(horizon=2), stop_posg(Tiger(), steps=1)],
    ids=["tiger", "corridor 1", "corridor 2", "stopped"],
)
def test_plays_have_exactly_the_law_of_the_game(monkeypatch, game):
    env = parallel_env(game)

    def sample(rng):
        scripted(monkeypatch, rng)
        return uniform_play(env, rng)

    assert exact_law(sample) == dict(posg_trajectories(game, uniform_policies(game)).items)


def test_returns_over_many_seeds_agree_with_the_exact_law():
    """Pearson's statistic of 2000 seeds; 60 is beyond the 1e-8 quantile for up to 12 degrees."""
    game, env = Corridor(horizon=1), parallel_env(Corridor(horizon=1))
    exact, seen = Counter(), Counter()
    for play, weight in posg_trajectories(game, uniform_policies(game)):
        exact[play.steps[-1].rewards, play.final_state] += weight
    chooser = np.random.default_rng(1)
    for seed in range(2000):
        _, infos = env.reset(seed=seed)
        env.step({a: chooser.choice(numbers_of(env, infos, a)) for a in env.agents})
        seen[env.raw.rewards, env.raw.state] += 1
    assert set(seen) == set(exact)
    assert sum((seen[x] - 2000 * float(w)) ** 2 / (2000 * float(w)) for x, w in exact.items()) < 60


def test_terminal_state_terminates_and_shows_nothing_more():
    env = parallel_env(Corridor(horizon=9))
    for seed in range(20):
        env.reset(seed=seed)
        while env.agents:
            observations, rewards, terminations, truncations, infos = env.step(to_the_right(env))
        if env.raw.state == 2:
            break
    assert env.raw.state == 2
    assert terminations == {"player_0": True, "player_1": True}
    assert truncations == {"player_0": False, "player_1": False}
    assert rewards == {"player_0": 0.25, "player_1": 1.0}
    assert env.raw.rewards == (Fraction(1, 4), 1)
    assert env.raw.observations == (NULL, NULL)
    assert all(array.tolist().index(1) == 0 for array in observations.values())
    assert all(not info["action_mask"].any() for info in infos.values())
    assert env.agents == []


@pytest.mark.parametrize("max_cycles", [1, 2, 5])
def test_horizon_truncates_and_shows_what_is_next(max_cycles):
    env = parallel_env(RepeatedGame.of("matching_pennies", rounds=3), max_cycles=max_cycles)
    env.reset(seed=0)
    count = min(3, max_cycles)
    for step in range(1, count + 1):
        observations, _, terminations, truncations, infos = env.step({"player_0": 0, "player_1": 1})
        assert all(info["action_mask"].any() == (step < count) for info in infos.values())
        assert set(truncations.values()) == {step == count}
        assert set(terminations.values()) == {False}
    assert env.raw.observations[0] == (("heads", "tails"),)
    assert observations["player_0"].tolist().index(1) != 0


def test_terminal_state_at_the_horizon_terminates_only():
    env = parallel_env(Corridor(horizon=1))
    ends = set()
    for seed in range(60):
        env.reset(seed=seed)
        *_, terminations, truncations, _ = env.step(to_the_right(env))
        ends.add((env.raw.state == 2, terminations["player_0"], truncations["player_0"]))
    assert ends == {(True, True, False), (False, False, True)}


def test_flags_are_bool_and_rewards_float():
    env = parallel_env(Tiger())
    env.reset(seed=0)
    _, rewards, terminations, truncations, infos = env.step({"player_0": 0, "player_1": 2})
    for agent in env.possible_agents:
        assert type(terminations[agent]) is bool
        assert type(truncations[agent]) is bool
        assert type(rewards[agent]) is float
        assert type(infos[agent]) is dict


@pytest.mark.parametrize("masks", Masks)
def test_masks_show_the_legal_actions(masks):
    env = parallel_env(Corridor(), masks=masks)
    states = set()
    for seed in range(20):
        observations, infos = env.reset(seed=seed)
        states.add(env.raw.state)
        for i, agent in enumerate(env.agents):
            shown = observations if masks is Masks.IN_OBSERVATIONS else infos
            mask = shown[agent]["action_mask"]
            legal = env.game.legal_actions(i, env.raw.observations[i])
            labels = env._interface.actions[i]
            assert [labels[k] for k in np.flatnonzero(mask)] == sorted(legal, key=labels.index)
            assert env.observation_space(agent).contains(observations[agent])
            assert mask.dtype == np.int8
    assert states == {0, 1}


def test_observations_are_different_unit_vectors_shared_by_players():
    env = parallel_env(RepeatedGame.of("rock_paper_scissors", rounds=2))
    encode = env._interface.encoding.encode
    found = {}
    for own in {seen for seen, _ in reachable(env)}:
        found[own] = tuple(encode(0, own))
        assert found[own] == tuple(encode(1, own))
        assert sum(found[own]) == 1
    assert len(set(found.values())) == len(found) == 10  # nothing played yet, and 9 joint actions


@pytest.mark.parametrize("masks", Masks)
def test_each_agent_sees_the_own_observation(masks):
    env = parallel_env(Tiger(horizon=5), masks=masks)
    encode = env._interface.encoding.encode
    different = 0
    for seed in range(10):
        observations, _ = env.reset(seed=seed)
        while True:
            different += len(set(env.raw.observations)) > 1
            for i, agent in enumerate(env.possible_agents):
                shown = observations[agent]
                array = shown if masks is Masks.IN_INFOS else shown["observation"]
                assert np.array_equal(array, encode(i, env.raw.observations[i]))
            if not env.agents:
                break
            observations, *_ = env.step({"player_0": 0, "player_1": 0})
    assert different


def test_list_of_live_agents_is_the_callers_to_change():
    env = parallel_env(Tiger())
    env.reset(seed=0)
    env.agents.clear()
    env.reset(seed=0)
    assert env.agents == env.possible_agents == ["player_0", "player_1"]


def reachable(env):
    for first in range(3):
        for second in range(3):
            env.reset(seed=0)
            yield env.raw.observations
            env.step({"player_0": first, "player_1": second})
            yield env.raw.observations


def test_arrays_handed_out_are_new_each_time():
    env = parallel_env(Corridor(horizon=4))
    first, infos = env.reset(seed=3)
    again, _ = env.reset(seed=3)
    assert all(np.array_equal(first[a], again[a]) for a in env.agents)
    for agent in env.agents:
        first[agent][:] = 7
        infos[agent]["action_mask"][:] = 7
    later, later_infos = env.reset(seed=3)
    for agent in env.agents:
        assert np.array_equal(again[agent], later[agent])
        assert later_infos[agent]["action_mask"].max() == 1


def test_array_of_an_encoding_is_copied():
    kept = np.zeros(2, dtype=np.float32)
    encoding = ObservationEncoding(Box(0, 1, (2,), np.float32), lambda player, seen: kept)
    env = parallel_env(Tiger(), encoding=encoding)
    observations, _ = env.reset(seed=0)
    assert not np.shares_memory(observations["player_0"], kept)
    assert not np.shares_memory(observations["player_0"], observations["player_1"])


def test_encoding_and_actions_spare_tabulating():
    """A walk without end in either direction has no finite table."""

    class Walk(Corridor):
        def is_terminal(self, state):
            return False

        def transition(self, state, joint_action):
            raise AssertionError("asked for before any step")

    encoding = ObservationEncoding(
        Box(0, 99, (1,), np.int64), lambda player, seen: np.array([0 if seen is NULL else seen])
    )
    env = parallel_env(Walk(horizon=None), encoding=encoding, actions=(("left", "right"),) * 2)
    observations, _ = env.reset(seed=0)
    assert observations["player_0"].tolist() == [env.raw.state]


def test_same_seed_same_play_and_no_seed_goes_on():
    game = Tiger(horizon=3)

    def trace(env, seed):
        env.reset(seed=seed)
        out = [env.raw]
        while env.agents:
            env.step({"player_0": 0, "player_1": 0})
            out.append(env.raw)
        return out

    env, other = parallel_env(game), parallel_env(game)
    plays = [trace(env, 5), *(trace(env, None) for _ in range(8))]
    assert plays == [trace(other, 5), *(trace(other, None) for _ in range(8))]
    assert len({tuple(play) for play in plays}) > 1
    assert trace(env, 5) == plays[0]


@pytest.mark.parametrize(
    "duplicate",
    [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))],
    ids=["copy", "pickle"],
)
def test_environment_can_be_duplicated_in_mid_play(duplicate):
    env = parallel_env(Tiger(horizon=6))
    env.reset(seed=11)
    listen = {"player_0": 0, "player_1": 0}
    env.step(listen)
    other = duplicate(env)
    for _ in range(5):
        assert env.step(listen)[1:4] == other.step(listen)[1:4]
        assert env.raw == other.raw


def test_render_says_where_play_stands():
    env = parallel_env(RepeatedGame.of("matching_pennies"), render_mode="ansi")
    env.reset(seed=0)
    env.step({"player_0": 0, "player_1": 1})
    assert env.render() == "after step 1: state (('heads', 'tails'),), rewards (-1, 1)"
    quiet = parallel_env(RepeatedGame.of("matching_pennies"))
    assert quiet.render() is None
    assert quiet.close() is None


def test_numpy_integers_are_actions():
    env = parallel_env(RepeatedGame.of("matching_pennies"))
    env.reset(seed=0)
    rewards = env.step({"player_0": np.int64(1), "player_1": np.array(1)})[1]
    assert rewards == {"player_0": 1.0, "player_1": -1.0}


@pytest.mark.parametrize("number", [2, -1, 0.0, "0", None, True, float("nan"), np.array([0])])
def test_action_out_of_space_is_refused_and_play_stands(number):
    env = parallel_env(RepeatedGame.of("matching_pennies"))
    env.reset(seed=0)
    before = env.raw
    with pytest.raises(InvalidArgument, match=r"whole number in 0\.\.1 as action of 'player_1'"):
        env.step({"player_0": 0, "player_1": number})
    assert env.raw == before
    assert env.agents == ["player_0", "player_1"]


def corridor_at_its_left_end(**options):
    env = parallel_env(Corridor(), **options)
    for seed in range(50):
        env.reset(seed=seed)
        if env.raw.state == 0:
            break
    return env, env._interface.actions[0].index("left")


def test_illegal_action_is_refused_with_the_legal_ones():
    env, left = corridor_at_its_left_end()
    with pytest.raises(InvalidArgument, match=r"one of \('right',\), but got \d, which is 'left'"):
        env.step({"player_0": left, "player_1": 0})


def test_illegal_action_may_mean_the_first_legal_one():
    env, left = corridor_at_its_left_end(illegal_actions=IllegalActions.FIRST_LEGAL)
    right = env._interface.actions[1].index("right")
    twin = copy.deepcopy(env)
    env.step({"player_0": left, "player_1": right})
    twin.step({"player_0": 1 - left, "player_1": right})
    assert env.raw == twin.raw


@pytest.mark.parametrize("actions", [{}, {"player_0": 0}, dict.fromkeys("ab", 0)])
def test_step_needs_an_action_of_each_agent(actions):
    env = parallel_env(Tiger())
    env.reset(seed=0)
    with pytest.raises(InvalidArgument, match="needs an action of each of the agents"):
        env.step(actions)


@pytest.mark.parametrize("actions", [None, 0, [0, 0]])
def test_step_needs_a_mapping_from_agents_to_actions(actions):
    env = parallel_env(Tiger())
    env.reset(seed=0)
    before = env.raw
    with pytest.raises(
        InvalidArgument, match=r"needs a mapping from each of the agents \['player_0"
    ):
        env.step(actions)
    assert env.raw == before


def test_step_needs_a_play():
    env = parallel_env(RepeatedGame.of("matching_pennies"))
    both = {"player_0": 0, "player_1": 0}
    with pytest.raises(InvalidArgument, match=r"Call reset\(\) first"):
        env.step(both)
    env.reset(seed=0)
    env.step(both)
    with pytest.raises(InvalidArgument, match=r"Call reset\(\) if play is over"):
        env.step(both)


def test_game_that_may_be_over_at_reset_is_refused():
    with pytest.raises(UnsupportedGame, match="initial state 2 is terminal"):
        parallel_env(OverAtOnce())
    with pytest.raises(UnsupportedGame, match="horizon is 0"):
        parallel_env(Tiger(), max_cycles=0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_cycles": -1}, "whole number of steps"),
        ({"render_mode": "human"}, "needs None or 'ansi'"),
        ({"masks": "observations"}, "a member of Masks as masks, but got 'obs"),
        ({"masks": 7}, "as masks, but got 7. Choose one of Masks.IN_INFOS"),
        ({"illegal_actions": "x"}, "a member of IllegalActions as illegal_actions, but got"),
        ({"encoding": 3}, r"ObservationEncoding, but got 3 .* Give an ObservationEncoding\."),
        ({"actions": [("listen",)]}, "each of 2 players, but lists 1"),
        ({"actions": 3}, r"^parallel_env: needs actions to be a sequence, but got 3"),
        ({"actions": [("listen",), 3]}, "needs each of actions to be a sequence, but got 3"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(InvalidArgument, match=message):
        parallel_env(Tiger(), **options)


def test_rules_that_answer_wrongly_are_refused_by_what_was_asked():
    class Broken(Corridor):
        def initial(self):
            return {0: 1}

    with pytest.raises(InvalidGame, match=r"initial\(\): needs a Distribution"):
        parallel_env(Broken())


@pytest.mark.parametrize(
    ("game", "remedy"),
    [
        (RandomOrderTeam(), r"Use aec_env, or carry it over with aec_to_posg\(game\)\.target"),
        (load_game("kuhn_poker"), r"with aec_to_posg\(extensive_to_aec\(game\)\.target\)\.target"),
        (load_game("chicken"), r"with normal_to_posg\(game\)\.target"),
        (Tiger, "Make one: call it"),
    ],
)
def test_other_games_are_sent_elsewhere(game, remedy):
    with pytest.raises(UnsupportedGame, match=rf"^parallel_env: needs a POSG, .* {remedy}"):
        parallel_env(game)


@pytest.mark.parametrize("seed", ["x", -1, 1.5, True])
def test_seeds_that_are_no_whole_numbers_are_refused(seed):
    message = rf"^PosgEnv\.reset: needs seed to be an integer of at least 0, but got {seed!r}"
    with pytest.raises(InvalidArgument, match=message):
        parallel_env(Tiger()).reset(seed=seed)


def test_seeds_may_be_integers_of_numpy():
    env = parallel_env(Tiger())
    draws = [env.reset(seed=seed) and env.raw.state for seed in (7, np.int64(7))]
    assert draws[0] == draws[1]


def test_refusals_name_the_environment():
    env = parallel_env(Tiger())
    with pytest.raises(InvalidArgument, match=r"^PosgEnv: needs a play, but there is none"):
        _ = env.raw
    env.reset(seed=0)
    with pytest.raises(InvalidArgument, match=r"^PosgEnv\.step: needs a whole number in 0\.\.2"):
        env.step({"player_0": 7, "player_1": 0})


def test_game_too_large_to_tabulate_is_refused():
    with pytest.raises(UnsupportedGame, match="max_states = 3"):
        parallel_env(Tiger(), max_states=3)


def test_encoding_out_of_its_space_is_refused():
    encoding = ObservationEncoding(Box(0, 1, (2,), np.float32), lambda player, seen: np.ones(2))
    env = parallel_env(Tiger(), encoding=encoding)
    with pytest.raises(InvalidArgument, match=r"encoding of NULL.*float64"):
        env.reset(seed=0)


def test_legal_action_missing_from_the_list_is_refused():
    env = parallel_env(Tiger(), actions=[("listen",), ("listen", "open left", "open right")])
    with pytest.raises(InvalidArgument, match=r"'open left' is legal\. List it in actions"):
        env.reset(seed=0)
