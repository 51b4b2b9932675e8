"""One play at a time: exact laws, exact rewards, refusals, and going on exactly.

Each comparison with a law rejects a right one with probability at most ``LEVEL``; all are seeded.
"""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, UnsupportedGame, load_game, testing
from gametheory_core.catalog import RandomOrderTeam, RepeatedGame
from gametheory_core.conversions import extensive_to_aec
from gametheory_core.distributions import draw, point_mass
from gametheory_core.games import AWAY, CHANCE, IDLE
from learners import Sees, batched, named_stream
from learners.batches import stacked
from learners.environment import environment_of
from tests.learners.batches.plays import exact_law, rounded
from tests.sample_sizes import examples

LEVEL = 1e-9
EPISODES = 150
SEEDS = st.integers(0, 2**40)
GAMES = st.one_of(
    testing.posgs(max_states=3, max_horizon=3),
    testing.aecs(max_states=3, max_horizon=5),
    testing.extensive_form_games(),
)


def played(environment, profile, rng):
    """Play once; return the play in the words of ``exact_law``."""
    turn = environment.reset()
    steps, first = [], turn.rewards
    while not turn.is_over:
        state, before = environment.state, turn
        actions = {i: draw(profile[i][turn.information_states[i]], rng) for i in turn.movers}
        turn = environment.step(actions)
        done = tuple(
            (before.information_states[i], actions[i]) if i in actions else None
            for i in range(len(environment.players))
        )
        paid = turn.rewards if steps else [a + b for a, b in zip(first, turn.rewards, strict=True)]
        steps.append((state, done, rounded(paid)))
    if not steps:
        nobody = (None,) * len(environment.players)
        steps = [(environment.state, nobody, rounded(first))]
    return tuple(steps), environment.state


@examples(25)
@given(st.data(), GAMES, SEEDS)
def test_plays_have_the_law_of_the_rules(data, game, seed):
    rules = extensive_to_aec(game).target if hasattr(game, "infosets") else game
    profile = data.draw(testing.policy_profiles(rules))
    law = {}
    for (steps, end), weight in exact_law(rules, profile).items():
        nobody = (None,) * len(rules.players)
        words = (((end, nobody, (0.0,) * len(nobody)),), end) if steps is None else (steps, end)
        law[words] = law.get(words, 0) + weight
    rng = np.random.default_rng(seed)
    environment = environment_of(game, rng=rng)
    counts = Counter(played(environment, profile, rng) for _ in range(EPISODES))
    assert set(counts) <= set(law)
    for play, weight in law.items():
        assert testing.binomial_tail(counts[play], EPISODES, float(weight)) * len(law) > LEVEL


def test_rewards_and_information_states_are_exact():
    game = RepeatedGame.of("prisoners_dilemma", rounds=2)
    play = environment_of(game, rng=np.random.default_rng(0))
    turn = play.reset()
    assert turn.movers == (0, 1)
    assert turn.information_states == (((),), ((),))
    turn = play.step({0: "defect", 1: "cooperate"})
    assert turn.rewards == tuple(
        game.reward((), ("defect", "cooperate"), (("defect", "cooperate"),))
    )
    assert turn.information_states[1] == ((), "cooperate", (("defect", "cooperate"),))
    turn = play.step({0: "defect", 1: "defect"})
    assert turn.is_truncated
    assert not turn.is_terminal
    assert turn.movers == ()
    assert turn.legal_actions == ((), ())


def test_trees_are_played_in_turns_to_their_end():
    play = environment_of(load_game("kuhn_poker"), rng=np.random.default_rng(0))
    assert play.reset().movers == (0,)
    turn = play.step({0: "bet"})
    assert turn.movers == (1,)
    assert turn.legal_actions[0] == ()
    turn = play.step({1: "fold"})
    assert turn.is_terminal
    assert turn.rewards == (1, -1)


def test_a_horizon_of_the_caller_truncates():
    endless = RepeatedGame.of("matching_pennies", rounds=None)
    play = environment_of(endless, rng=np.random.default_rng(0), horizon=1)
    play.reset()
    assert play.step({0: "heads", 1: "tails"}).is_truncated
    assert play.horizon == 1
    turns = environment_of(RandomOrderTeam(), rng=np.random.default_rng(0), horizon=2)
    first = turns.reset()
    assert turns.step({first.movers[0]: first.legal_actions[first.movers[0]][0]}).is_truncated


def test_wrong_steps_are_refused_by_label():
    play = environment_of(load_game("kuhn_poker"), rng=np.random.default_rng(0))
    with pytest.raises(InvalidArgument, match="needs a play, but has none"):
        play.step({0: "bet"})
    play.reset()
    with pytest.raises(
        InvalidArgument, match=r"legal action of 'Player 1', one of \('check', 'bet'\), but got 'x'"
    ):
        play.step({0: "x"})
    with pytest.raises(InvalidArgument, match=r"of each of \['Player 1'\].* of \['Player 2'\]"):
        play.step({1: "bet"})
    with pytest.raises(InvalidArgument, match=r"got them of \['Player 1', 'Player 2'\]"):
        play.step({0: "bet", 1: "call"})
    play.step({0: "bet"})
    play.step({1: "fold"})
    with pytest.raises(InvalidArgument, match="goes on, but it is over"):
        play.step({0: "bet"})


def test_what_cannot_be_played_is_refused():
    with pytest.raises(InvalidArgument, match="needs a POSG, an AEC game or a tree"):
        environment_of(load_game("matching_pennies"), rng=np.random.default_rng(0))
    with pytest.raises(InvalidArgument, match="needs rng to be of type Generator"):
        environment_of(load_game("kuhn_poker"), rng=3)


@examples(20)
@given(GAMES, SEEDS, st.integers(0, 4), st.integers(1, 4))
def test_stacked_environments_go_on_exactly_from_a_snapshot(game, seed, before, after):
    rules = extensive_to_aec(game).target if hasattr(game, "infosets") else game
    known = batched(game, episodes=1, seed=0)

    def made(labels=None):
        plays = [environment_of(game, rng=named_stream(seed, "play", k)) for k in range(3)]
        return stacked(plays, action_labels=known.action_labels, observation_labels=labels)

    batch = made()
    rng = np.random.default_rng(seed)
    turn = batch.reset()
    for _ in range(before):
        turn = batch.step((turn.legal * rng.random(turn.legal.shape)).argmax(-1))
    kept, labels = batch.snapshot(), batch.observation_labels
    chosen, wanted = [], []
    for _ in range(after):
        chosen.append((turn.legal * rng.random(turn.legal.shape)).argmax(-1))
        turn = batch.step(chosen[-1])
        wanted.append(turn)
    other = made(labels)
    other.restore(kept)
    for actions, turn in zip(chosen, wanted, strict=True):
        found = other.step(actions)
        for name in ("observations", "legal", "acts", "rewards", "is_terminal", "is_truncated"):
            assert np.array_equal(getattr(found, name), getattr(turn, name)), name
    assert rules.players == batch.players


@examples(15)
@given(testing.posgs(max_states=3, max_horizon=3), SEEDS)
def test_stacked_environments_show_what_observe_says(game, seed):
    known = batched(game, episodes=1, seed=0)
    for sees in Sees:
        plays = [environment_of(game, rng=named_stream(seed, "play", k)) for k in range(2)]
        batch = stacked(plays, action_labels=known.action_labels, sees=sees)
        turn = batch.reset()
        for _ in range(4):
            for e, play in enumerate(plays):
                now = play._turn()
                for i in now.movers:
                    shown = batch.observe(i, now.information_states[i])
                    assert shown[-1] == turn.observations[e, i]
                    assert len(shown) == (len(now.information_states[i]) + 1) // 2
                    legal = np.flatnonzero(turn.legal[e, i])
                    labels = [known.action_labels[i][a] for a in legal]
                    assert sorted(labels) == sorted(now.legal_actions[i])
            turn = batch.step(turn.legal.argmax(-1))


class Gift:
    """Chance gives one before the only move, which pays two."""

    title, players, discount, horizon, initial_state = "gift", ("A",), Fraction(1), None, "start"

    def observation(self, player, state):
        return point_mass("seen")

    def legal_actions(self, player, observation):
        return ("go",)

    def is_terminal(self, state):
        return state == "over"

    def move(self, player, state, action):
        return "over"

    def chance(self, state):
        return point_mass("given")

    def reward(self, state, mover, action, after):
        return point_mass((1 if mover == CHANCE else 2,))

    def next_player(self, state, mover, action, after):
        return point_mass(0)


def test_first_steps_of_stacked_environments_pay_what_fell_due_before():
    plays = [environment_of(Gift(), rng=np.random.default_rng(k)) for k in range(2)]
    batch = stacked(plays, action_labels=(("go",),))
    assert batch.reset().rewards.tolist() == [[0], [0]]
    for _ in range(3):  # an episode each, the first of which reset() began
        assert batch.step(np.zeros((2, 1), dtype=int)).rewards.tolist() == [[3], [3]]


def test_stacked_environments_refuse_what_has_no_number():
    def plays():
        return [
            environment_of(load_game("kuhn_poker"), rng=np.random.default_rng(k)) for k in (0, 1)
        ]

    labels = (("check", "bet", "fold", "call"),) * 2
    with pytest.raises(InvalidArgument, match="needs at least one environment"):
        stacked([], action_labels=labels)
    with pytest.raises(InvalidArgument, match="needs action_labels for each of 2 players"):
        stacked(plays(), action_labels=labels[:1])
    small = stacked(plays(), action_labels=labels, max_observations=1)
    with pytest.raises(UnsupportedGame, match="there are only 1 numbers"):
        _ = [small.reset() for _ in range(20)]
    with pytest.raises(UnsupportedGame, match="may do 'check'. Give it in action_labels"):
        stacked(plays(), action_labels=(("bet",),) * 2).reset()
    batch = stacked(plays(), action_labels=labels)
    with pytest.raises(InvalidArgument, match="needs episodes to play, but has none"):
        batch.step(np.zeros((2, 2), dtype=int))
    batch.reset()
    with pytest.raises(InvalidArgument, match="in row 1 gives 2, which is 'fold'. Legal are"):
        batch.step(np.array([[0, 0], [2, 0]]))
    with pytest.raises(InvalidArgument, match="numbered as they were"):
        stacked(plays(), action_labels=labels).restore(batch.snapshot())
    with pytest.raises(InvalidArgument, match="needs a snapshot of 1 episodes, but got one of 2"):
        stacked(plays()[:1], action_labels=labels).restore(batch.snapshot())


@pytest.mark.parametrize("wrong", [np.array([0, 1]), np.array(["defect"]), ["defect"], None])
def test_steps_refuse_what_is_no_action(wrong):
    play = environment_of(RepeatedGame.of("prisoners_dilemma"), rng=np.random.default_rng(1))
    play.reset()
    with pytest.raises(InvalidArgument, match="step: needs actions"):
        play.step(wrong)
    with pytest.raises(InvalidArgument, match="step: needs a legal action of '1', one of"):
        play.step({0: wrong, 1: "defect"})


def test_players_who_are_away_idle_while_others_play():
    game = load_game("overlapping_generations")
    env = environment_of(game, rng=np.random.default_rng(0))
    turn, away = env.reset(), 0
    while not turn.is_over:
        for past, legal in zip(turn.information_states, turn.legal_actions, strict=True):
            assert (past[-1] is AWAY) == (legal == (IDLE,))
            away += past[-1] is AWAY
        turn = env.step({player: turn.legal_actions[player][-1] for player in turn.movers})
    assert away == 6
    play = batched(game, episodes=2, seed=0)
    play.reset()
    assert play.action_labels[3] == (IDLE, "keep", "give")
