"""One player of a POSG behind Gymnasium's interface: its own checker, exact laws, refusals."""

import subprocess
import sys
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from gametheory_core import (
    InvalidArgument,
    UnsupportedGame,
    expected_returns,
    policy_from,
    uniform_policies,
)
from gametheory_core.adapters import IllegalActions, to_gymnasium
from gametheory_core.catalog import (
    Cleanup,
    RepeatedGame,
    Resolution,
    Tiger,
    iterated_prisoners_dilemma,
)
from gametheory_core.distributions import point_mass
from gametheory_core.evaluation import posg_trajectories
from gametheory_core.games import AWAY, NULL, stop_posg
from gametheory_core.leaders import StationaryFollower, leader_problem, leader_view
from gametheory_core.testing import binomial_tail
from tests.core.adapters.enumerated_draws import exact_law
from tests.core.adapters.small_games import Corridor
from tests.core.leaders.scripted_oracle import Scripted
from tests.laws.test_presence_laws import posg

CORRIDOR = Corridor(horizon=3)


def promise(rounds):
    """The problem of a leader who is asked once, and whose follower then does as was answered."""
    view = leader_view(iterated_prisoners_dilemma(rounds=rounds))
    copy = {a: StationaryFollower((k,) * 5) for k, a in enumerate("CD")}
    oracle = Scripted({"start": ()}, {("start", a): point_mass(a) for a in "CD"}, copy)
    return leader_problem(view, oracle).target


def others_of(game, player=0):
    policies = uniform_policies(game)
    return (*policies[:player], *policies[player + 1 :])


def make(game, *, player=0, **options):
    return to_gymnasium(game, player=player, others=others_of(game, player), **options)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    "game",
    [
        RepeatedGame.of("rock_paper_scissors", rounds=3),
        RepeatedGame.of("chicken", rounds=2, recall=0),
    ],
    ids=["rock_paper_scissors", "nothing to see"],
)
def test_passes_the_checker_of_gymnasium(game, player):
    check_env(make(game, player=player), skip_render_check=True)


@pytest.mark.parametrize(
    "game", [CORRIDOR, Tiger(horizon=4), promise(3)], ids=["corridor", "tiger", "promise"]
)
def test_passes_the_checker_if_illegal_actions_are_taken(game):
    env = make(game, illegal_actions=IllegalActions.FIRST_LEGAL)
    check_env(env, skip_render_check=True)


class WithRandomNumbers:
    """Plays an environment with scripted draws; the agent draws uniformly too."""

    def __init__(self, game, player):
        self.game, self.player = game, player

    def __call__(self, rng):
        env = make(self.game, player=self.player)
        env.np_random = rng
        _, info = env.reset()
        total, factor = Fraction(0), Fraction(1)
        over = False
        while not over:
            legal = info["legal_actions"]
            label = legal[rng.integers(len(legal))] if len(legal) > 1 else legal[0]
            _, reward, ended, cut, info = env.step(env.action_labels.index(label))
            total += factor * Fraction(reward)  # the rewards of this game are binary fractions
            factor *= self.game.discount
            over = ended or cut
        return env.situation.information_states[self.player], total


@pytest.mark.parametrize("player", [0, 1])
def test_law_of_episodes_is_exact(player):
    """All that the draws may be is tried: pasts and returns have exactly the game's law."""
    game = Corridor(horizon=2)
    law = exact_law(WithRandomNumbers(game, player))
    mean = sum(weight * total for (_, total), weight in law.items())
    assert mean == expected_returns(game, uniform_policies(game))[player]
    assert sum(law.values()) == 1
    expected = Counter()
    for play, weight in posg_trajectories(game, uniform_policies(game)):
        actions = tuple(step.actions[player] for step in play.steps)
        expected[actions] += weight
    found = Counter()
    for (past, _), weight in law.items():
        found[past[1::2]] += weight
    assert found == expected


def test_frequencies_are_those_of_the_game():
    """Each first state is drawn as often as stated; a right law fails with chance below 1e-6."""
    env = make(CORRIDOR)
    env.reset(seed=20230)
    draws = 2000
    starts = Counter(env.reset()[1]["observation"] for _ in range(draws))
    for state, weight in CORRIDOR.initial():
        assert binomial_tail(starts[state], draws, float(weight)) > 1e-6 / 2


def rollout(env, seed):
    chooser = np.random.default_rng(seed)
    number, info = env.reset(seed=seed)
    out, over = [int(number)], False
    while not over:
        action = chooser.choice(np.flatnonzero(info["action_mask"]))
        number, reward, ended, cut, info = env.step(action)
        out += [int(number), reward, ended, cut]
        over = ended or cut
    return out


def test_seed_repeats_the_episode():
    episodes = [rollout(make(CORRIDOR), seed) for seed in range(12)]
    assert episodes == [rollout(make(CORRIDOR), seed) for seed in range(12)]
    assert len(set(map(tuple, episodes))) > 3


def test_labels_masks_and_numbers_agree():
    env = make(CORRIDOR)
    for seed in range(6):
        number, info = env.reset(seed=seed)
        assert info["action_labels"] == env.action_labels
        assert info["observation_labels"][number] == info["observation"]
        masked = [
            a for a, legal in zip(env.action_labels, info["action_mask"], strict=True) if legal
        ]
        assert masked == sorted(info["legal_actions"], key=env.action_labels.index)
        assert env.observation_space.contains(number)


def test_ends_terminate_and_the_horizon_truncates():
    ended = set()
    for seed in range(40):
        *_, number, _, terminated, truncated = rollout(env := make(CORRIDOR), seed)
        assert terminated != truncated
        assert (env.observation_labels[number] is NULL) == terminated
        ended.add(terminated)
        assert (env.situation.steps == 3) or terminated
    assert ended == {True, False}


def test_leader_problem_can_be_played():
    env = to_gymnasium(promise(2))
    _, info = env.reset(seed=0)
    assert info["observation"] == ()
    queries = env.step(0)
    assert queries[1] == 0
    rewards = [env.step(1)[1] for _ in range(2)]
    assert rewards == [0, 0]  # who said C is trusted, and defects
    assert env.situation.state[0] == "play"


def test_illegal_action_is_refused_or_replaced():
    game = stop_posg(CORRIDOR, steps=3)
    strict, lenient = make(game), make(game, illegal_actions=IllegalActions.FIRST_LEGAL)
    left = strict.action_labels.index("left")
    seed = next(s for s in range(50) if strict.reset(seed=s)[1]["observation"] == 0)
    strict.reset(seed=seed)
    with pytest.raises(InvalidArgument, match=r"legal action, one of \('right',\), .* is 'left'"):
        strict.step(left)
    lenient.reset(seed=seed)
    lenient.step(left)
    assert lenient.situation.information_states[0][1] == "right"


@pytest.mark.parametrize("action", [-1, 2, 0.5, "left", None, True])
def test_no_action_is_refused(action):
    env = make(CORRIDOR)
    env.reset(seed=0)
    with pytest.raises(InvalidArgument, match=r"whole number in 0\.\.1"):
        env.step(action)


def test_step_without_a_play_is_refused():
    env = make(CORRIDOR)
    with pytest.raises(InvalidArgument, match="needs a play, but has none"):
        env.step(0)
    rollout(env, 0)
    with pytest.raises(InvalidArgument, match="but it is over"):
        env.step(0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"player": 2}, "player to be an integer from 0 to 1"),
        ({"others": ()}, "each of the 1 other players, but others has 0"),
        ({"others": 3}, "others to be a sequence"),
        ({"others": {0: 3}}, r"whose numbers are \[1\], but others has \[0\]. The agent is 0, "),
        ({"others": {}}, r"whose numbers are \[1\], but others has \[\]"),
        ({"others": {1: 3}}, "each of others to be a policy"),
        ({"illegal_actions": "refuse"}, "needs a member of IllegalActions"),
    ],
)
def test_bad_option_is_refused(options, message):
    with pytest.raises(InvalidArgument, match=message):
        to_gymnasium(CORRIDOR, **{"others": others_of(CORRIDOR), **options})


@pytest.mark.parametrize("player", [0, 1, 2])
def test_others_may_be_given_by_their_numbers(player):
    """In any order: each number is of the player who plays that policy."""
    game = Cleanup(Resolution.FIXED, agents=3)
    policies = [
        policy_from(lambda _, act=act: point_mass(act)) for act in ("clean", "wait", "clean")
    ]
    named = {i: policies[i] for i in (2, 1, 0) if i != player}
    as_tuple = tuple(policies[i] for i in range(3) if i != player)
    envs = [to_gymnasium(game, player=player, others=own) for own in (named, as_tuple)]
    first, second = (rollout(env, 7) for env in envs)
    assert str(first) == str(second)


def test_play_that_is_over_at_its_start_is_refused():
    with pytest.raises(UnsupportedGame, match="step in every play, but the horizon is 0"):
        make(stop_posg(CORRIDOR, steps=0))


RELAY = posg(rewards={0: (1, 0), 1: (2, 3), 2: (0, 4)})


@pytest.mark.parametrize("player", [0, 1])
def test_episode_begins_when_the_agent_joins_and_terminates_when_it_leaves(player):
    others = uniform_policies(RELAY)[1 - player : 2 - player]
    env = to_gymnasium(RELAY, player=player, others=others)
    _, info = env.reset(seed=0)
    assert info["observation"] == "ab"[player]
    go = info["action_labels"].index("go")
    assert env.step(go)[1:4] == ((1, False, False), (3, False, False))[player]
    *paid, info = env.step(go)[1:]
    assert paid == ([2, True, False], [4, True, False])[player]
    assert info["observation"] is (AWAY, NULL)[player]
    with pytest.raises(InvalidArgument, match="it is over"):
        env.step(go)


def test_player_who_never_joins_is_refused():
    alone = posg(views=[("a", AWAY), ("a", AWAY)])
    env = to_gymnasium(alone, player=1, others=uniform_policies(alone)[:1])
    with pytest.raises(UnsupportedGame, match="plays that 'Bob' joins.*1,000 plays"):
        env.reset(seed=0)


@pytest.mark.parametrize("policy", [3, None, "heads", ["heads"]])
def test_others_that_are_no_policies_are_refused(policy):
    with pytest.raises(InvalidArgument, match="^to_gymnasium: needs each of others to be a policy"):
        to_gymnasium(Tiger(), others=[policy])


@pytest.mark.parametrize("seed", ["x", -1])
def test_seeds_that_are_no_whole_numbers_are_refused(seed):
    message = rf"^PlayerEnv\.reset: needs seed to be an integer of at least 0, but got {seed!r}"
    with pytest.raises(InvalidArgument, match=message):
        make(Tiger()).reset(seed=seed)


def test_missing_package_is_named_with_the_extra_that_brings_it():
    code = (
        "import sys\n"
        "sys.modules['gymnasium'] = None\n"
        "from gametheory_core.errors import MissingDependency\n"
        "try:\n    import gametheory_core.adapters.gymnasium\n"
        "except MissingDependency as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(
        "adapters.gymnasium: needs gymnasium. Run: pip install 'gametheory-core[interop]' "
    )
