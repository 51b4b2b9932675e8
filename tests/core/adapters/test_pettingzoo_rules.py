"""Environments as rules: the same plays, whatever the environment, or a refusal that shows why."""

from collections import Counter, defaultdict
from fractions import Fraction

import numpy as np
import pytest
from gymnasium.spaces import Box
from pettingzoo import AECEnv
from pettingzoo.utils.conversions import parallel_to_aec

from gametheory_core import (
    InvalidArgument,
    InvalidGame,
    UnsupportedGame,
    adapters,
    uniform_policies,
)
from gametheory_core.adapters import pettingzoo_walk
from gametheory_core.adapters.environment_snapshots import Snapshots
from gametheory_core.adapters.pettingzoo import ArrayLabel
from gametheory_core.catalog import RepeatedGame, ReversingOrder
from gametheory_core.conversions import aec_to_tabular, posg_to_aec
from gametheory_core.evaluation import aec_trajectories
from gametheory_core.games import AWAY, CHANCE, IDLE, NULL
from gametheory_core.testing import check_aec
from tests.core.adapters import scripted_environments as environments

GOOD = [
    environments.Sticks,
    environments.MaskedInObservation,
    environments.Unmasked,
    environments.RebuiltWhenCopied,
    environments.RebuiltReadyWhenCopied,
    environments.NeverCopied,
    environments.OneForAllCopies,
    environments.OnePileForAllCopies,
    environments.ForgottenWhenCopied,
    environments.Dealt,
    environments.PaysWhenLeaving,
]


def played(env, seed, actions):
    """Play actions in a new environment through its own interface; return turns, and returns."""
    env.reset(seed=seed)
    script, turns = iter(actions), []
    handed = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        handed[agent] += reward
        if terminated or truncated:
            env.step(None)
            continue
        action = next(script, None)
        if action is None:
            break
        mask = info.get("action_mask")
        if isinstance(observation, dict):
            observation, mask = observation["observation"], observation["action_mask"]
        space = env.action_space(agent)
        legal = [k + space.start for k in range(space.n) if mask is None or mask[k]]
        turns.append((agent, observation.tolist(), legal, action))
        env.step(action)
    return turns, handed, not env.agents


def all_plays(rules):
    return aec_trajectories(rules, uniform_policies(rules))


@pytest.mark.parametrize("make", GOOD)
def test_every_play_of_the_rules_is_the_environments(make):
    rules = adapters.rules_from_pettingzoo(make(), seeds=(3, 8))
    count = 0
    for play, _ in all_plays(rules):
        moves = [m for m in play.moves if m.mover != CHANCE and m.observation is not AWAY]
        turns, handed, over = played(make(), play.final_state.seed, [move.action for move in moves])
        assert over
        assert turns == [
            (
                rules.players[move.mover],
                move.observation.observation.array().tolist(),
                list(move.observation.legal),
                move.action,
            )
            for move in moves
        ]
        total = [sum(rewards) for rewards in zip(*(m.rewards for m in play.moves), strict=True)]
        assert total == [handed[agent] for agent in rules.players]
        count += 1
    assert count > 7


def test_agent_who_is_out_has_one_turn_in_which_it_is_away():
    rules = adapters.rules_from_pettingzoo(environments.Sticks(size=9))
    start = rules.chance("start").items[0][0]
    position = start
    for action in (2, 1, 1, 2):  # Ann takes 2 twice
        position = rules.move(position.mover, position, action)
    assert position.mover == 0
    assert rules.observation(0, position).items == ((AWAY, 1),)
    assert rules.legal_actions(0, AWAY) == (IDLE,)
    position = rules.move(0, position, IDLE)
    for mover in (1, 2, 1):
        assert position.mover == mover
        position = rules.move(mover, position, 1)
    assert position.ending is adapters.Ending.TERMINATED
    assert position.rewards == (0, 1, Fraction(-1, 2))
    check_aec(aec_to_tabular(rules).target, rng=np.random.default_rng(0), num_profiles=1)


def test_limit_ends_play_as_a_truncation():
    rules = adapters.rules_from_pettingzoo(environments.Sticks(size=9, limit=2))
    endings = {play.final_state.ending for play, _ in all_plays(rules)}
    assert endings == {adapters.Ending.TRUNCATED}
    rules = adapters.rules_from_pettingzoo(environments.Sticks(size=3, limit=2))
    assert {play.final_state.ending for play, _ in all_plays(rules)} == set(adapters.Ending)


@pytest.mark.parametrize("unlucky", ["ann_0", "bob_0", "cyd_0"])
def test_play_cut_off_for_one_is_a_truncation(unlucky):
    rules = adapters.rules_from_pettingzoo(environments.CutOffForOne(unlucky))
    endings = {play.final_state.ending for play, _ in all_plays(rules)}
    assert endings == {adapters.Ending.TRUNCATED}


def test_chance_draws_the_seed_evenly_and_nobody_sees_it():
    """Of twelve seeds, some deal the same: they lead to one position."""
    rules = adapters.rules_from_pettingzoo(environments.Dealt(), seeds=range(12))
    dealt = Counter(3 + int(np.random.default_rng(seed).integers(100)) % 4 for seed in range(12))
    law = rules.chance("start")
    piles = {int(position.view.observation.array()[0]): weight for position, weight in law}
    assert piles == {pile: Fraction(count, 12) for pile, count in dealt.items()}
    assert len(law) == len(dealt) == 4


def told(rules):
    """The law of all that is said in play, of which position is which nothing."""
    law = defaultdict(Fraction)
    for play, weight in all_plays(rules):
        moves = [(m.mover, m.observation, m.action, m.rewards) for m in play.moves]
        law[*moves, play.final_state.ending] += weight
    return law


@pytest.mark.parametrize("make", GOOD)
def test_positions_told_apart_by_snapshots_lead_to_the_same_plays(make, monkeypatch):
    by_snapshots = adapters.rules_from_pettingzoo(make(), seeds=(3, 8, 9))
    first = told(by_snapshots)
    monkeypatch.setattr(Snapshots, "take", None)
    by_histories = adapters.rules_from_pettingzoo(make(), seeds=(3, 8, 9))
    assert by_histories.walker.snapshots is None
    assert told(by_histories) == first
    is_copied = make not in {environments.NeverCopied, environments.ForgottenWhenCopied}
    assert (by_snapshots.walker.snapshots is not None) == is_copied


def test_plays_that_lead_to_the_same_are_one_position():
    """Ann and Bob take 1 and 2, or 2 and 1, of a pile that shows itself alone."""
    rules = adapters.rules_from_pettingzoo(environments.Forgiving())
    start = rules.chance("start").items[0][0]
    one_two = rules.move(1, rules.move(0, start, 1), 2)
    two_one = rules.move(1, rules.move(0, start, 2), 1)
    assert one_two == two_one
    assert hash(one_two) == hash(two_one)
    assert one_two.history != two_one.history
    assert one_two != rules.move(1, rules.move(0, start, 1), 1)


def test_rules_satisfy_the_protocol_and_can_be_tabulated():
    rules = adapters.rules_from_pettingzoo(environments.Sticks(size=4))
    table = aec_to_tabular(rules).target
    assert table.players == ("ann_0", "bob_0", "cyd_0")
    plays = {len(play.moves): weight for play, weight in all_plays(rules)}
    assert plays.keys() == {3, 4, 5}  # chance, then two to four turns
    again = aec_trajectories(table, uniform_policies(table))
    assert dict(again.items) == dict(all_plays(rules).items)


def test_labels_read_well():
    rules = adapters.rules_from_pettingzoo(environments.Sticks())
    assert repr(rules) == (
        "EnvironmentRules(title='sticks_v0', players=('ann_0', 'bob_0', 'cyd_0'), seeds=(0,))"
    )
    position = rules.chance("start").items[0][0]
    assert repr(position.view) == "View(observation=int64[2](5 0), legal=(1, 2))"


def test_few_kept_copies_change_nothing(monkeypatch):
    full = dict(all_plays(adapters.rules_from_pettingzoo(environments.Sticks())).items)
    monkeypatch.setattr(pettingzoo_walk, "_KEPT_BYTES", 1)
    assert dict(all_plays(adapters.rules_from_pettingzoo(environments.Sticks())).items) == full


def test_rules_do_not_follow_a_copied_environment():
    env = environments.Sticks()
    rules = adapters.rules_from_pettingzoo(env)
    before = dict(all_plays(rules).items)
    env.reset()
    env.step(2)
    env.size = 7
    assert dict(all_plays(rules).items) == before


def encoding_of_arrays():
    def encode(player, seen):
        return np.zeros(2, dtype=np.int64) if seen is NULL else seen.observation.array()

    return adapters.ObservationEncoding(Box(0, 99, (2,), np.int64), encode)


@pytest.mark.parametrize("size", [5, 9])
def test_environment_made_of_the_rules_plays_as_the_first(size):
    env = environments.Sticks(size)
    rules = adapters.rules_from_pettingzoo(environments.Sticks(size))
    twin = adapters.aec_env(rules, encoding=encoding_of_arrays(), actions=[(1, 2)] * 3)
    rng = np.random.default_rng(0)
    for _ in range(20):
        env.reset(seed=0)
        twin.reset()
        handed, own = [0.0] * 3, [0.0] * 3
        while env.agents:
            observation, reward, terminated, truncated, info = env.last()
            own_observation, own_reward, *own_ends, own_info = twin.last()
            handed[seat(env)] += reward
            own[seat(twin)] += own_reward
            assert seat(env) == seat(twin)
            assert own_ends == [terminated, truncated]
            if terminated or truncated:
                env.step(None)
                twin.step(None)
                continue
            assert np.array_equal(observation, own_observation)
            assert np.array_equal(info["action_mask"], own_info["action_mask"])
            number = rng.choice(np.flatnonzero(info["action_mask"]))
            env.step(number + 1)
            twin.step(number)
        assert handed == own
        assert any(handed)


def seat(env):
    return env.possible_agents.index(env.agent_selection)


@pytest.mark.parametrize("turns", ["canonical", "of PettingZoo"])
def test_rules_of_an_environment_of_rules_have_the_law_of_the_first(turns):
    """Rules, environment, rules: chance apart, nothing changes where nothing is drawn."""
    repeated = RepeatedGame.of("rock_paper_scissors", rounds=2)
    game = posg_to_aec(repeated).target
    first_env = adapters.aec_env(game)
    actions = first_env._interface.actions
    env = first_env if turns == "canonical" else parallel_to_aec(adapters.parallel_env(repeated))
    rules = adapters.rules_from_pettingzoo(env)

    def law(some, label):
        out = defaultdict(Fraction)
        for play, weight in all_plays(some):
            rewards = [sum(r) for r in zip(*(m.rewards for m in play.moves), strict=True)]
            own = [(m.mover, label(m)) for m in play.moves if m.mover != CHANCE]
            out[*own, *rewards] += weight
        return out

    first = law(game, lambda move: move.action)
    assert law(rules, lambda move: actions[move.mover][move.action]) == first
    assert len(first) == 81
    start = rules.chance("start").items[0][0]
    assert len({rules.move(0, start, action).view for action in range(3)}) == 1  # still hidden


def test_environment_that_draws_is_one_game_for_each_seed():
    rules = adapters.rules_from_pettingzoo(
        adapters.aec_env(ReversingOrder(seats=2)), seeds=range(12), plays=2
    )
    openings = {position.view for position, _ in rules.chance("start")}
    assert len(openings) == 3  # as many as there are hands
    assert isinstance(next(iter(openings)).observation, ArrayLabel)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            environments.UnseededObservation,
            r"after reset\(seed=0\) and actions \(\) ann_0 has View",
        ),
        (environments.RememberedRewards, r"actions \(\d.*\) rewards are .*, then \("),
        (environments.RememberedOrder, "it is the turn of bob_0, then of cyd_0"),
        (environments.RememberedEnd, r"turn of \w+, then of nobody"),
        (environments.NothingLegal, r"of which some are legal, .* 'ann_0' is \[0, 0\]"),
        (environments.SetsObserved, "type set"),
        (environments.AnyNumber, "needs Discrete actions, but those of 'ann_0' are Box"),
        (environments.Strangers, "it is the turn of 'dan_0'"),
    ],
)
def test_environment_that_is_no_game_is_refused_with_the_witness(make, message):
    with pytest.raises(UnsupportedGame, match=message):
        adapters.rules_from_pettingzoo(make())


def test_more_plays_find_faults_in_corners():
    adapters.rules_from_pettingzoo(environments.UnseededInACorner(), plays=1)
    with pytest.raises(UnsupportedGame, match=r"actions \(2, 1\) cyd_0 has"):
        adapters.rules_from_pettingzoo(environments.UnseededInACorner(), plays=20)


def test_tabulating_replays_every_move():
    rules = adapters.rules_from_pettingzoo(environments.UnseededInACorner(), plays=1)
    with pytest.raises(InvalidGame, match="needs the same state each time"):
        aec_to_tabular(rules)


def test_long_plays_are_replayed_up_to_max_turns():
    class Counted(environments.NeverCopied):
        steps = 0

        def step(self, action):
            self.steps += 1
            self.greed = dict.fromkeys(self.greed, 0)  # so that nobody leaves
            super().step(action)

    env = Counted()
    env.size = env.limit = 500
    adapters.rules_from_pettingzoo(env, plays=1, max_turns=10)
    assert env.steps <= 40  # once to see, once to replay, half again for a copy


def test_reward_that_is_no_number_is_refused():
    with pytest.raises(InvalidGame, match=r"reward of '\w+': needs a finite number.*nan"):
        adapters.rules_from_pettingzoo(environments.BottomlessReward())


@pytest.mark.parametrize("name", ["terminations", "truncations", "infos"])
def test_missing_entry_is_named(name):
    class Forgetful(environments.Sticks):
        def step(self, action):
            super().step(action)
            setattr(self, name, {})

    message = rf"needs an entry of 'bob_0' in {name}, but after actions \(\d,\) there are those"
    with pytest.raises(UnsupportedGame, match=message):
        adapters.rules_from_pettingzoo(Forgetful())


def test_environment_over_at_reset_is_a_game_without_moves():
    rules = adapters.rules_from_pettingzoo(environments.OverAtReset())
    ((play, _),) = all_plays(rules)
    assert play.final_state.ending is adapters.Ending.TRUNCATED
    assert len(play.moves) == 1


def test_parallel_environment_is_sent_elsewhere():
    env = adapters.parallel_env(RepeatedGame.of("matching_pennies"))
    with pytest.raises(InvalidArgument, match="needs an AECEnv, but got PosgEnv"):
        adapters.rules_from_pettingzoo(env)


def test_environment_without_listed_agents_is_refused():
    with pytest.raises(UnsupportedGame, match="lists none"):
        adapters.rules_from_pettingzoo(AECEnv())


@pytest.mark.parametrize(
    ("options", "needs"),
    [
        ({"seeds": ()}, "different whole numbers, at least one"),
        ({"seeds": (1, 1)}, "different whole numbers"),
        ({"seeds": 3}, "different whole numbers"),
        ({"seeds": ("a",)}, "each of seeds to be an integer"),
        ({"seeds": (-1,)}, "each of seeds to be"),
        ({"plays": 0}, "plays"),
        ({"plays": 1.5}, "plays"),
        ({"max_turns": 0}, "max_turns"),
    ],
)
def test_bad_options_are_refused(options, needs):
    with pytest.raises(InvalidArgument, match=needs):
        adapters.rules_from_pettingzoo(environments.Sticks(), **options)


def test_rules_that_are_read_obey_the_laws_of_rules():
    rules = adapters.rules_from_pettingzoo(environments.Sticks(size=3))
    check_aec(rules, rng=np.random.default_rng(0))


def test_observation_is_the_movers_only():
    rules = adapters.rules_from_pettingzoo(environments.Sticks())
    start = rules.chance("start").items[0][0]
    with pytest.raises(InvalidArgument, match="needs the player whose turn it is"):
        rules.observation(1, start)
