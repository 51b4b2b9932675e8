"""AEC games as turn-taking environments: exact laws, rewards in time, ends, masks, bad input."""

import copy
from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest

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
    aec_env,
    parallel_env,
    pettingzoo_plays,
    pettingzoo_turns,
)
from gametheory_core.catalog import RandomOrderTeam, RepeatedGame, ReversingOrder, Tiger
from gametheory_core.conversions import posg_to_aec
from gametheory_core.evaluation import aec_trajectories
from gametheory_core.games import CHANCE, NULL, stop_aec
from tests.core.adapters.enumerated_draws import exact_law
from tests.core.adapters.small_games import (
    Corridor,
    Wheel,
    WheelForever,
    WheelOverAtOnce,
    WheelSpunFirst,
)


def uniform_play(env, rng):
    """Play legal actions evenly, told by the masks; return turns with what was paid after each."""
    env.reset(seed=0)
    turns = []
    for agent in env.agent_iter():
        _, _, terminated, truncated, info = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        raw = env.raw
        legal = np.flatnonzero(info["action_mask"]).tolist()
        number = legal[rng.integers(len(legal))]
        env.step(number)
        action = env._interface.actions[raw.mover][number]
        assert env.possible_agents[raw.mover] == agent
        turns.append((raw.state, raw.mover, raw.observations[raw.mover], action, env.raw.rewards))
    return (*turns, env.raw.state)


def as_turns(play, num_players):
    """Return a play as turns: chance's rewards belong to the turn before, the first's to it."""
    turns, owed = [], (Fraction(0),) * num_players
    for move in play.moves:
        paid = tuple(map(Fraction, move.rewards))
        if move.mover == CHANCE and not turns:
            owed = tuple(a + b for a, b in zip(owed, paid, strict=True))
        elif move.mover == CHANCE:
            *turn, before = turns[-1]
            turns[-1] = (*turn, tuple(a + b for a, b in zip(before, paid, strict=True)))
        else:
            paid = tuple(a + b for a, b in zip(owed, paid, strict=True))
            owed = (Fraction(0),) * num_players
            turns.append((move.state, move.mover, move.observation, move.action, paid))
    return (*turns, play.final_state)


@pytest.mark.parametrize(
    "game",
    [
        RandomOrderTeam(),
        stop_aec(ReversingOrder(seats=2), moves=4),
        stop_aec(Wheel(), moves=4),
        posg_to_aec(Corridor(horizon=1)).target,
    ],
    ids=["team", "reversing", "wheel", "corridor"],
)
def test_plays_have_exactly_the_law_of_the_game(monkeypatch, game):
    env = aec_env(game)
    exact = defaultdict(Fraction)
    for play, weight in aec_trajectories(game, uniform_policies(game)):
        exact[as_turns(play, len(game.players))] += weight

    def sample(rng):
        monkeypatch.setattr(pettingzoo_plays, "np_random", lambda seed: (rng, seed))
        return uniform_play(env, rng)

    assert exact_law(sample) == exact


def test_last_has_what_was_paid_since_the_own_last_turn():
    """Sum of all ``last()`` rewards is the return, prizes before the first turn counted."""
    env = aec_env(Wheel())
    rng = np.random.default_rng(2)
    waits = 0
    for seed in range(40):
        env.reset(seed=seed)
        total = dict.fromkeys(env.agents, 0.0)
        paid = dict.fromkeys(env.agents, Fraction(0))
        handed = dict.fromkeys(env.agents, 0.0)
        assert env.last()[1] == 0
        for agent in env.agent_iter():
            _, reward, terminated, truncated, info = env.last()
            assert reward == total[agent]
            handed[agent] += reward
            waits += any(total[other] for other in env.agents if other != agent)
            total[agent] = 0.0
            if terminated or truncated:
                env.step(None)
                continue
            env.step(rng.choice(np.flatnonzero(info["action_mask"])))
            for i, other in enumerate(env.possible_agents):
                total[other] += env.rewards[other]
                paid[other] += env.raw.rewards[i]
        assert handed == {a: float(p) for a, p in paid.items()}
    assert waits


def test_horizon_of_three_steps_makes_eight_turns():
    env = aec_env(posg_to_aec(RepeatedGame.of("matching_pennies", rounds=3)).target)
    env.reset(seed=0)
    turns = []
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        turns.append((agent, reward, terminated, truncated))
        env.step(None if truncated else 0)
    assert [agent for agent, *_ in turns] == ["player_0", "player_1"] * 4
    assert [reward for _, reward, *_ in turns] == [0, 0, 1, -1, 1, -1, 1, -1]
    assert [flags for *_, a, b in turns for flags in [(a, b)]] == [(False, False)] * 6 + [
        (False, True)
    ] * 2
    assert env.agents == []


def test_terminal_state_terminates_everyone_even_without_a_turn():
    env = aec_env(Wheel())
    env.reset(seed=0)
    while not any(env.terminations.values()):
        env.step(env._interface.actions[env.raw.mover].index("pass"))
    assert env.terminations == dict.fromkeys(env.possible_agents, True)
    assert env.truncations == dict.fromkeys(env.possible_agents, False)
    assert env.raw.mover == CHANCE
    assert env.raw.observations == (NULL, NULL, NULL)
    for remaining in (2, 1, 0):
        env.step(None)
        assert len(env.agents) == len(env.infos) == len(env.rewards) == remaining


def test_max_moves_counts_chance_and_truncates():
    env = aec_env(RandomOrderTeam(), max_moves=2)  # chance, then one player
    env.reset(seed=0)
    env.step(0)
    assert env.truncations == {"player_0": True, "player_1": True}
    assert env.terminations == {"player_0": False, "player_1": False}
    assert env.raw.moves == 2


def test_others_see_what_they_saw_at_their_own_last_turn():
    env = aec_env(ReversingOrder(seats=3))
    env.reset(seed=1)
    assert env.observe("player_1").tolist().index(1) == 0
    assert not env.infos["player_1"]["action_mask"].any()
    first = env.observe("player_0")
    env.step(np.flatnonzero(env.infos["player_0"]["action_mask"])[0])
    assert env.agent_selection != "player_0"
    assert np.array_equal(env.observe("player_0"), first)
    assert not env.infos["player_0"]["action_mask"].any()


@pytest.mark.parametrize("masks", Masks)
def test_masks_show_the_legal_actions(masks):
    env = aec_env(ReversingOrder(seats=2), masks=masks)
    found = set()
    for seed in range(30):
        env.reset(seed=seed)
        observation, *_, info = env.last()
        mask = (observation if masks is Masks.IN_OBSERVATIONS else info)["action_mask"]
        legal = {env._interface.actions[0][k] for k in np.flatnonzero(mask)}
        assert legal == set(env.raw.state.hands[0])
        assert env.observation_space("player_0").contains(observation)
        found.add(frozenset(legal))
    assert len(found) == 3


@pytest.mark.parametrize("masks", Masks)
def test_each_agent_sees_the_own_observation(masks):
    env = aec_env(ReversingOrder(seats=3), masks=masks)
    encode = env._interface.encoding.encode
    different = 0
    for seed in range(10):
        env.reset(seed=seed)
        while not any(env.terminations.values()):
            for i, agent in enumerate(env.possible_agents):
                shown = env.observe(agent)
                array = shown if masks is Masks.IN_INFOS else shown["observation"]
                assert np.array_equal(array, encode(i, env.raw.observations[i]))
            hands = env.raw.state.hands
            different += len(set(env.raw.observations)) > 2
            assert env.raw.observations[env.raw.mover][0] == hands[env.raw.mover]
            env.step(env._interface.actions[env.raw.mover].index(hands[env.raw.mover][0]))
    assert different


def test_arrays_handed_out_are_new_each_time():
    env = aec_env(ReversingOrder(seats=2))
    env.reset(seed=0)
    kept = env.observe("player_0").copy()
    env.observe("player_0")[:] = 9
    assert np.array_equal(env.observe("player_0"), kept)


def test_canonical_turns_and_pettingzoo_turns_pay_alike():
    """Two ways from a POSG to turns: Theorem 1 of the PettingZoo paper, and its library's own."""
    from pettingzoo.utils.conversions import parallel_to_aec

    game = RepeatedGame.of("rock_paper_scissors", rounds=3)
    script = [0, 1, 2, 2, 1, 0]
    histories = []
    for env in (aec_env(posg_to_aec(game).target), parallel_to_aec(parallel_env(game))):
        env.reset(seed=0)
        choices, seen = iter(script), []
        for agent in env.agent_iter():
            _, reward, terminated, truncated, _ = env.last()
            seen.append((agent, reward, terminated, truncated))
            env.step(None if terminated or truncated else next(choices))
        histories.append(seen)
    assert histories[0] == histories[1]
    assert len(histories[0]) == 8


def test_same_seed_same_play_and_no_seed_goes_on():
    def trace(env, seed):
        env.reset(seed=seed)
        out = [env.raw]
        while not any(env.terminations.values()):
            env.step(np.flatnonzero(env.infos[env.agent_selection]["action_mask"])[0])
            out.append(env.raw)
        return tuple(out)

    env, other = aec_env(ReversingOrder(seats=3)), aec_env(ReversingOrder(seats=3))
    plays = [trace(env, 4), *(trace(env, None) for _ in range(5))]
    assert plays == [trace(other, 4), *(trace(other, None) for _ in range(5))]
    assert len(set(plays)) > 1


def test_reset_in_the_middle_of_dead_steps_forgets_them():
    env = aec_env(RandomOrderTeam())
    env.reset(seed=0)
    env.step(0)
    env.step(0)
    env.step(None)
    env.reset(seed=0)
    first = env.agent_selection
    env.step(0)
    assert env.agent_selection != first
    assert env.agents == ["player_0", "player_1"]
    env.step(0)
    env.step(None)
    env.step(None)
    assert env.agents == []


def test_environment_can_be_copied_in_mid_play():
    env = aec_env(posg_to_aec(Tiger(horizon=2)).target)
    env.reset(seed=11)
    env.step(0)
    other = copy.deepcopy(env)
    for _ in range(3):
        env.step(0)
        other.step(0)
        assert env.raw == other.raw


def test_render_says_where_play_stands():
    env = aec_env(RandomOrderTeam(), render_mode="ansi")
    env.reset(seed=0)
    mover = env.agent_selection
    assert env.render() == f"after move 1: state 'ready', {mover} to move, rewards (0, 0)"
    env.step(0)
    env.step(1)
    assert env.render() == "after move 3: state 'over', play is over, rewards (1, 1)"
    quiet = aec_env(RandomOrderTeam())
    assert quiet.render() is None
    assert quiet.close() is None


@pytest.mark.parametrize("number", [2, -1, 0.0, "0", None, True])
def test_action_out_of_space_is_refused_and_play_stands(number):
    env = aec_env(RandomOrderTeam())
    env.reset(seed=0)
    before = env.raw
    with pytest.raises(InvalidArgument, match=r"whole number in 0\.\.1 as action of 'player_"):
        env.step(number)
    assert env.raw == before


def test_illegal_action_is_refused():
    env = aec_env(ReversingOrder(seats=2))
    env.reset(seed=0)
    illegal = int(np.flatnonzero(env.infos["player_0"]["action_mask"] == 0)[0])
    with pytest.raises(InvalidArgument, match="needs a legal action of 'player_0'"):
        env.step(illegal)


def test_illegal_action_may_mean_the_first_legal_one():
    env = aec_env(ReversingOrder(seats=2), illegal_actions=IllegalActions.FIRST_LEGAL)
    env.reset(seed=0)
    second = env.raw.state.hands[0][1]
    mask = env.infos["player_0"]["action_mask"]
    env.step(int(np.flatnonzero(mask == 0)[0]))
    assert env.raw.state.hands[0] == (second,)


def test_step_needs_a_play():
    env = aec_env(RandomOrderTeam())
    with pytest.raises(InvalidArgument, match=r"Call reset\(\) first"):
        env.step(0)
    env.reset(seed=0)
    for action in (0, 0, None, None):
        env.step(action)
    with pytest.raises(InvalidArgument, match="play is over"):
        env.step(None)


def test_dead_agent_takes_none_only():
    env = aec_env(RandomOrderTeam(), max_moves=2)
    env.reset(seed=0)
    env.step(0)
    with pytest.raises(ValueError, match="only valid action is None"):
        env.step(0)


@pytest.mark.parametrize("game", [WheelOverAtOnce(), stop_aec(Wheel(), moves=0)])
def test_game_over_before_anyone_acts_is_refused(game):
    with pytest.raises(UnsupportedGame, match="over in state .* before anyone acts"):
        aec_env(game)


@pytest.mark.parametrize("max_moves", [0, 1, 2, 3])
def test_horizon_that_chance_alone_may_reach_is_refused(max_moves):
    """Chance may spin thrice before the first turn."""
    with pytest.raises(UnsupportedGame, match="before anyone acts"):
        aec_env(WheelSpunFirst(), max_moves=max_moves)
    aec_env(WheelSpunFirst(), max_moves=max_moves + 4)


def test_play_that_ends_in_a_loop_of_chance_is_refused_at_reset():
    """The loop's states are known after one round, long before the horizon."""
    env = aec_env(WheelForever(), max_moves=40)
    with pytest.raises(UnsupportedGame, match=r"^TurnsEnv\.reset: .* before anyone acts"):
        env.reset(seed=0)


def test_chance_that_moves_for_ever_is_refused(monkeypatch):
    monkeypatch.setattr(pettingzoo_turns, "MAX_CHANCE_MOVES", 50)
    env = aec_env(WheelForever())
    with pytest.raises(
        UnsupportedGame, match=r"^TurnsEnv\.reset: .*chance moved 50 times in a row"
    ):
        env.reset(seed=0)


@pytest.mark.parametrize(
    ("game", "remedy"),
    [
        (Tiger(), r"Use parallel_env, or carry it over with posg_to_aec\(game\)\.target"),
        (load_game("kuhn_poker"), r"with extensive_to_aec\(game\)\.target"),
        (load_game("chicken"), r"with posg_to_aec\(normal_to_posg\(game\)\.target\)\.target"),
    ],
)
def test_other_games_are_sent_elsewhere(game, remedy):
    with pytest.raises(UnsupportedGame, match=rf"^aec_env: needs an AEC game, .* {remedy}"):
        aec_env(game)


@pytest.mark.parametrize("seed", ["x", -1])
def test_seeds_that_are_no_whole_numbers_are_refused(seed):
    message = rf"^TurnsEnv\.reset: needs seed to be an integer of at least 0, but got {seed!r}"
    with pytest.raises(InvalidArgument, match=message):
        aec_env(RandomOrderTeam()).reset(seed=seed)


def test_rules_that_answer_wrongly_are_refused_by_what_was_asked():
    class Broken(Wheel):
        def chance(self, state):
            return ("turn", 0)

    with pytest.raises(InvalidGame, match=r"chance\(\('deal', 0\)\).*needs a Distribution"):
        aec_env(Broken())


def test_bad_options_are_refused():
    with pytest.raises(InvalidArgument, match="whole number of steps"):
        aec_env(RandomOrderTeam(), max_moves=-1)
    with pytest.raises(InvalidArgument, match="aec_env: needs actions to be a sequence, but got 3"):
        aec_env(RandomOrderTeam(), actions=3)
    with pytest.raises(InvalidArgument, match="needs None or 'ansi'"):
        aec_env(RandomOrderTeam(), render_mode="human")
    with pytest.raises(InvalidArgument, match="a member of Masks as masks"):
        aec_env(RandomOrderTeam(), masks="observations")
    with pytest.raises(InvalidArgument, match="a member of IllegalActions as ill"):
        aec_env(RandomOrderTeam(), illegal_actions="x")
