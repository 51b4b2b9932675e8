"""Players who come and go, as PettingZoo's agents: in the list, paid, ended and removed in time."""

import warnings
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.utils.conversions import parallel_to_aec

from gametheory_core import UnsupportedGame, expected_returns, uniform_policies
from gametheory_core.adapters import (
    IllegalActions,
    Masks,
    aec_env,
    parallel_env,
    rules_from_pettingzoo,
)
from gametheory_core.conversions import aec_to_posg, aec_to_tabular, posg_to_aec
from gametheory_core.distributions import point_mass
from gametheory_core.evaluation import aec_trajectories, best_response_returns
from gametheory_core.games import AWAY, CHANCE, NULL
from gametheory_core.games.rules import from_inner
from gametheory_core.testing import PayoffKind, aecs_with_absences, check_aec, posgs_with_absences
from tests.laws.test_presence_laws import aec, posg
from tests.sample_sizes import examples


def in_turns(game):
    return posg_to_aec(game).target


WHOLE = (PayoffKind.DEGENERATE,)
SEEDS = st.integers(0, 2**16)
TURNS = aecs_with_absences() | posgs_with_absences().map(in_turns)
NEVER_JOINED = "No agents present but not all possible_agents are terminated or truncated"
# Rewards are paid at all times at which somebody is there
RELAY = posg(rewards={0: (1, 0), 1: (2, 3), 2: (0, 4)})
LEAVER_IN_TURNS = aec(
    views=["a", "b", "a", AWAY, "a", AWAY], rewards={0: (1, 0), 2: (0, 5), 4: (3, 0)}
)


@contextmanager
def where_somebody_acts():
    """Leave out games that may be over before anyone acts: PettingZoo has none."""
    try:
        yield
    except UnsupportedGame as refusal:
        assume("in every play" not in str(refusal))
        raise


def seeded(env):
    """The environment with all action spaces seeded: PettingZoo seeds those of ``agents`` only."""
    for i, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(i)
    return env


def test_agents_of_a_relay_come_and_go():
    env = parallel_env(RELAY)
    seen, infos = env.reset(seed=0)
    assert env.agents == [*seen] == [*infos] == ["player_0"]
    seen, rewards, ended, cut, infos = env.step({"player_0": 0})
    assert env.agents == [*seen] == [*infos] == ["player_0", "player_1"]
    assert rewards == {"player_0": 1, "player_1": 0}
    assert not any([*ended.values(), *cut.values()])
    seen, rewards, ended, cut, infos = env.step({"player_0": 0, "player_1": 0})
    assert rewards == {"player_0": 2, "player_1": 3}
    assert ended == {"player_0": True, "player_1": False}
    assert not any(cut.values())
    assert env.observation_space("player_0").contains(seen["player_0"])
    assert not infos["player_0"]["action_mask"].any()
    assert env.agents == ["player_1"]
    seen, rewards, ended, _, _ = env.step({"player_1": 0})
    assert [*seen] == ["player_1"]
    assert rewards == {"player_1": 4}
    assert ended == {"player_1": True}
    assert env.agents == []


def test_agent_that_leaves_in_turns_has_its_dead_step_first():
    env = aec_env(LEAVER_IN_TURNS)
    env.reset(seed=0)
    story = []
    for agent in env.agent_iter():
        _, reward, ended, _, _ = env.last()
        story.append((agent, reward, ended, tuple(env.agents)))
        env.step(None if ended else 0)
    both = ("player_0", "player_1")
    assert story == [
        ("player_0", 0, False, both),
        ("player_1", 0, False, both),
        ("player_0", 1, False, both),
        ("player_1", 5, True, both),
        ("player_0", 0, False, ("player_0",)),
        ("player_0", 3, True, ("player_0",)),
    ]


def test_who_joins_late_in_turns_is_no_agent_before():
    env = aec_env(aec())
    env.reset(seed=0)
    met = []
    for agent in env.agent_iter():
        met.append((agent, tuple(env.agents)))
        env.step(None if env.last()[2] else 0)
    assert met[:3] == [
        ("player_0", ("player_0",)),
        ("player_0", ("player_0",)),
        ("player_1", ("player_0", "player_1")),
    ]


def test_who_is_out_before_the_first_turn_was_an_agent_from_the_start():
    env = aec_env(aec(views=["a", AWAY, "a", AWAY], rewards={0: (0, -2)}))
    env.reset(seed=0)
    assert env.agents == ["player_0", "player_1"]
    env.step(0)
    assert env.agent_selection == "player_1"
    assert env.last()[1:4] == (-2, True, False)


@examples(15)
@given(TURNS)
@where_somebody_acts()
def test_drawn_turns_pass_api_test_and_seed_test(game):
    api_test(aec_env(game), num_cycles=20)
    seed_test(lambda: seeded(aec_env(game)), num_cycles=20)


@examples(15)
@given(posgs_with_absences())
@where_somebody_acts()
def test_drawn_steps_pass_all_tests_of_pettingzoo(game):
    def make(**options):
        env = parallel_env(game, illegal_actions=IllegalActions.FIRST_LEGAL, **options)
        return seeded(env)

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=NEVER_JOINED)
        parallel_api_test(make(), num_cycles=20)
        parallel_api_test(make(masks=Masks.IN_OBSERVATIONS), num_cycles=20)
    parallel_seed_test(make, num_cycles=20)
    api_test(parallel_to_aec(make()), num_cycles=20)
    seed_test(lambda: parallel_to_aec(make()), num_cycles=20)


@examples(30)
@given(TURNS, SEEDS)
@where_somebody_acts()
def test_agents_in_turns_get_all_that_is_paid_and_end_once(game, seed):
    env = aec_env(game)
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    handed = dict.fromkeys(env.possible_agents, 0.0)
    paid = [Fraction(0)] * len(game.players)  # the first turn's rewards come with its step
    ended = []
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, info = env.last()
        assert env.observation_space(agent).contains(seen)
        handed[agent] += reward
        if terminated or truncated:
            ended.append(agent)
            env.step(None)
            continue
        env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        paid = [a + b for a, b in zip(paid, env.raw.rewards, strict=True)]
    assert len(set(ended)) == len(ended)
    assert [*handed.values()] == pytest.approx([*map(float, paid)])


@examples(30)
@given(posgs_with_absences(), SEEDS)
@where_somebody_acts()
def test_agents_are_those_who_are_there_and_get_all_that_is_paid(game, seed):
    env = parallel_env(game)
    rng = np.random.default_rng(seed)
    _, infos = env.reset(seed=seed)
    num_players = len(game.players)
    paid = [Fraction(0)] * num_players
    handed = dict.fromkeys(env.possible_agents, 0.0)
    while env.agents:
        seen = env.raw.observations
        assert env.agents == [f"player_{i}" for i in range(num_players) if seen[i] is not AWAY]
        legal = {a: np.flatnonzero(infos[a]["action_mask"]) for a in env.agents}
        before = env.agents
        acts = {agent: int(rng.choice(own)) for agent, own in legal.items()}
        _, rewards, ended, cut, infos = env.step(acts)
        for agent, reward in rewards.items():
            handed[agent] += reward
        paid = [a + b for a, b in zip(paid, env.raw.rewards, strict=True)]
        gone = [agent for agent in before if ended[agent] or cut[agent]]
        assert gone == [agent for agent in before if agent not in env.agents]
    assert [*handed.values()] == pytest.approx([*map(float, paid)])


def test_rewards_while_away_are_refused():
    env = parallel_env(posg(rewards={0: (0, 1)}))
    env.reset(seed=0)
    with pytest.raises(UnsupportedGame, match="player_1 has not joined yet and is paid 1"):
        env.step({"player_0": 0})


def test_who_is_paid_and_out_before_anyone_acts_is_paid_with_the_first_step():
    views = [AWAY, "b", AWAY, "b"]
    env = aec_env(aec(views=views, rewards={("start", CHANCE, NULL, 0): (1, 0)}))
    env.reset(seed=0)
    assert env.agents == ["player_0", "player_1"]
    env.step(0)
    assert env.agent_selection == "player_0"
    assert env.last()[1:4] == (1, True, False)


def test_coming_back_is_refused():
    env = parallel_env(posg(views=[("a", "b"), (AWAY, "b"), ("c", "b")]))
    env.reset(seed=0)
    env.step({"player_0": 0, "player_1": 0})
    with pytest.raises(UnsupportedGame, match="do not come back.*player_0"):
        env.step({"player_1": 0})


def test_play_with_nobody_there_is_refused():
    env = parallel_env(posg(views=[("a", "b"), (AWAY, AWAY)]))
    env.reset(seed=0)
    with pytest.raises(UnsupportedGame, match="somebody there while play goes on.*state 1"):
        env.step({"player_0": 0, "player_1": 0})


def test_late_player_of_a_game_without_a_table_is_refused_when_it_joins():
    tabulated = aec_env(aec())._interface
    env = aec_env(aec(), encoding=tabulated.encoding, actions=tabulated.actions)
    env.reset(seed=0)
    env.step(0)
    env.step(None)
    with pytest.raises(UnsupportedGame, match="player_1 sees AWAY first and joins then"):
        env.step(0)


def test_player_who_is_away_has_no_action_in_the_space():
    assert parallel_env(RELAY).action_space("player_0").n == 1


def test_steps_made_of_turns_have_the_agents_of_the_turns():
    env = parallel_env(aec_to_posg(aec()).target)
    env.reset(seed=0)
    counts = []
    while env.agents:
        players = [int(agent[-1]) for agent in env.agents]
        legal = [env._legal(i, env.raw.observations)[0] for i in players]
        numbers = [env._interface.actions[i].index(a) for i, a in zip(players, legal, strict=True)]
        env.step(dict(zip(env.agents, numbers, strict=True)))
        counts.append(len(env.agents))
    assert counts == [1, 1, 1, 1, 1, 1, 2, 2, 1, 1, 1, 1, 0]


@dataclass(frozen=True)
class Sure:
    """An AEC game in which the first outcome of each draw comes, without a discount."""

    game: object
    title = from_inner("title")
    players = from_inner("players")
    horizon = from_inner("horizon")
    initial_state = from_inner("initial_state")
    legal_actions = from_inner("legal_actions")
    is_terminal = from_inner("is_terminal")
    move = from_inner("move")
    discount = Fraction(1)

    def observation(self, *asked):
        return sure(self.game.observation(*asked))

    def chance(self, *asked):
        return sure(self.game.chance(*asked))

    def reward(self, *asked):
        return sure(self.game.reward(*asked))

    def next_player(self, *asked):
        return sure(self.game.next_player(*asked))


def sure(law):
    return point_mass(law.items[0][0])


def turns_and_payments(game, label):
    """The law of what is done by those who are there, and paid, under uniform play."""
    law = defaultdict(Fraction)
    for play, weight in aec_trajectories(game, uniform_policies(game)):
        there = [m for m in play.moves if m.mover != CHANCE and m.observation is not AWAY]
        paid = [sum(m.rewards[i] for m in play.moves) for i in range(len(game.players))]
        law[(*((m.mover, label(m)) for m in there), *paid)] += weight
    return law


@examples(15)
@given(
    aecs_with_absences(num_players=(2, 2), kinds=WHOLE).map(Sure)
    | posgs_with_absences(num_players=(2, 2), kinds=WHOLE).map(in_turns).map(Sure)
)
@where_somebody_acts()
def test_game_exported_and_read_again_is_the_game(game):
    env = aec_env(game)
    actions = env._interface.actions
    read = rules_from_pettingzoo(env, plays=1)
    assert turns_and_payments(read, lambda m: actions[m.mover][m.action]) == turns_and_payments(
        game, lambda m: m.action
    )
    best = best_response_returns(game, uniform_policies(game))
    assert best_response_returns(read, uniform_policies(read)).tolist() == best.tolist()
    check_aec(aec_to_tabular(read).target, rng=np.random.default_rng(0), num_profiles=1, moves=2)


def test_late_and_early_agents_are_away_in_the_rules_that_are_read():
    rules = rules_from_pettingzoo(aec_env(aec()))
    ((play, _),) = aec_trajectories(rules, uniform_policies(rules)).items
    story = [(m.mover, m.observation is AWAY) for m in play.moves if m.mover != CHANCE]
    assert story == [
        (1, True),  # joins later
        (0, False), (0, False), (1, False),
        (0, True),  # has left
        (1, False),
    ]  # fmt: skip


def test_what_is_paid_in_the_move_that_leads_away_is_in_the_rules_that_are_read():
    rules = rules_from_pettingzoo(aec_env(LEAVER_IN_TURNS))
    assert expected_returns(rules, uniform_policies(rules)).tolist() == [4, 5]
