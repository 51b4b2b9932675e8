"""A batch of episodes: what it shows, what it refuses, and that it goes on exactly."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.catalog import RandomOrderTeam, RepeatedGame
from gametheory_core.conversions import extensive_to_aec, posg_from_tables
from gametheory_core.distributions import point_mass
from gametheory_core.games import IDLE
from gametheory_core.testing import aecs, extensive_form_games, policy_profiles, posgs
from learners import QLearning, Sees, Steps, batched, mean_returns
from learners.batches import policy_table, rollouts, stacked
from learners.batches.play_table import exact_cuts
from learners.environment import environment_of
from tests.sample_sizes import examples

GAMES = st.one_of(
    posgs(max_states=3, max_horizon=3), aecs(max_states=3, max_horizon=5), extensive_form_games()
)
SEEDS = st.integers(0, 2**40)
FIELDS = (
    "observations", "legal", "acts", "rewards", "is_terminal", "is_truncated", "final_observations"
)  # fmt: skip


def acting(turn, rng):
    """Return random legal actions."""
    return (turn.legal * rng.random(turn.legal.shape)).argmax(-1)


def same(first, second):
    return all(np.array_equal(getattr(first, f), getattr(second, f)) for f in FIELDS)


@examples(15)
@given(st.data(), GAMES, SEEDS, st.sampled_from((1, 3, 8)))
def test_recorded_plays_are_those_of_a_batch_of_any_size_given_their_actions(
    data, game, seed, size
):
    rules = extensive_to_aec(game).target if hasattr(game, "infosets") else game
    profile = data.draw(policy_profiles(rules))
    plays = rollouts(game, profile, episodes=10, seed=seed)
    play = batched(game, episodes=size, seed=seed, sees=Sees.HISTORY)
    turn = play.reset()
    episode, step = np.arange(size), np.zeros(size, dtype=int)
    ended = 0
    while ended < 10 and (episode < 10).any():
        known = episode < 10
        k, t = np.minimum(episode, 9), np.where(known, step, 0)
        assert (plays.observations[k, t] == turn.observations)[known].all()
        assert ((plays.actions[k, t] >= 0) == turn.acts)[known].all()
        actions = np.maximum(plays.actions[k, t], 0)
        actions[~known] = acting(turn, np.random.default_rng(0))[~known]
        turn = play.step(actions)
        assert (plays.rewards[k, t] == turn.rewards)[known].all()
        last = plays.lengths[k] == step + 1
        assert (turn.is_over == last)[known].all()
        assert (turn.is_terminal == (last & plays.is_terminal[k]))[known].all()
        over = turn.is_over
        ended += int((over & known).sum())
        episode, step = np.where(over, episode + size, episode), np.where(over, 0, step + 1)
    assert ended == 10


@examples(15)
@given(GAMES, SEEDS, st.sampled_from(list(Sees)))
def test_numbers_agree_with_observe(game, seed, sees):
    try:
        play = batched(game, episodes=4, seed=seed, sees=sees)
    except gt.UnsupportedGame:
        assert sees is Sees.TIMED  # a game without end
        return
    rng = np.random.default_rng(seed)
    turn = play.reset()
    pasts = [[() for _ in play.players] for _ in range(4)]
    plain = batched(game, episodes=4, seed=seed)  # shows what was observed last
    observed = plain.reset()
    for _ in range(12):
        for e, i in zip(*np.nonzero(turn.acts), strict=True):
            label = plain.observation_labels[i][observed.observations[e, i]]
            pasts[e][i] = (*pasts[e][i], label)
            shown = play.observe(int(i), pasts[e][i])
            assert shown[-1] == turn.observations[e, i]
            assert len(shown) == (len(pasts[e][i]) + 1) // 2
            assert np.array_equal(play.legal[i][shown[-1]], turn.legal[e, i, : play.num_actions[i]])
            if sees is Sees.HISTORY:
                assert play.observation_labels[i][shown[-1]] == pasts[e][i]
        actions = acting(turn, rng)
        for e, i in zip(*np.nonzero(turn.acts), strict=True):
            pasts[e][i] = (*pasts[e][i], play.action_labels[i][actions[e, i]])
        turn, observed = play.step(actions), plain.step(actions)
        for e in np.flatnonzero(turn.is_over):
            pasts[e] = [() for _ in play.players]


@examples(20)
@given(GAMES, SEEDS, st.integers(0, 5), st.integers(1, 5))
def test_a_snapshot_goes_on_exactly_in_another_batch(game, seed, before, after):
    play = batched(game, episodes=3, seed=seed)
    turn = play.reset()
    rng = np.random.default_rng(seed)
    for _ in range(before):
        turn = play.step(acting(turn, rng))
    kept = play.snapshot()
    chosen = []
    wanted = []
    for _ in range(after):
        chosen.append(acting(turn, rng))
        turn = play.step(chosen[-1])
        wanted.append(turn)
    other = batched(game, episodes=3, seed=seed)
    other.restore(kept)
    assert all(same(other.step(a), w) for a, w in zip(chosen, wanted, strict=True))
    play.restore(kept)  # what was kept is a copy, so that going on did not change it
    assert all(same(play.step(a), w) for a, w in zip(chosen, wanted, strict=True))


def test_same_seed_same_returns_whatever_the_threads():
    game = RepeatedGame.of("rock_paper_scissors", rounds=3)
    one, two = (
        mean_returns(game, gt.uniform_policies(game), episodes=20_000, seed=4, threads=threads)
        for threads in (1, 2)
    )
    assert np.array_equal(one.means, two.means)
    assert np.array_equal(one.standard_errors, two.standard_errors)
    other = mean_returns(game, gt.uniform_policies(game), episodes=20_000, seed=5)
    assert not np.array_equal(one.means, other.means)


@pytest.mark.parametrize("episodes", [2, 7])
def test_standard_errors_are_those_of_the_recorded_plays(episodes):
    """Of a sample: the spread is divided by one less than the number of plays."""
    game = RepeatedGame.of("prisoners_dilemma", rounds=3)
    policies = gt.uniform_policies(game)
    found = mean_returns(game, policies, episodes=episodes, seed=4)
    earned = rollouts(game, policies, episodes=episodes, seed=4).rewards.sum(axis=1)
    missed = earned - earned.mean(axis=0)
    variances = (missed**2).sum(axis=0) / (episodes - 1)
    assert (variances > 0).all()
    assert found.means == pytest.approx(earned.mean(axis=0))
    assert found.standard_errors == pytest.approx(np.sqrt(variances / episodes))


def test_in_games_of_turns_the_mover_acts_alone_and_chance_is_part_of_a_step():
    play = batched(gt.load_game("kuhn_poker"), episodes=64, seed=1)
    turn = play.reset()
    assert (turn.acts == [True, False]).all()
    bet = play.action_labels[0].index("bet")
    turn = play.step(np.array([[bet, -7]] * 64))  # what the other would do is not looked at
    assert (turn.acts == [False, True]).all()
    fold = play.action_labels[1].index("fold")
    turn = play.step(np.array([[-7, fold]] * 64))
    assert turn.is_terminal.all()
    assert (turn.rewards == [1, -1]).all()
    assert (turn.acts == [True, False]).all()  # the next episode


def test_a_horizon_truncates_and_a_terminal_state_terminates():
    game = RepeatedGame.of("matching_pennies", rounds=None)
    play = batched(game, episodes=2, seed=1, horizon=2)
    play.reset()
    assert not play.step(np.zeros((2, 2), dtype=int)).is_over.any()
    turn = play.step(np.array([[0, 0], [1, 1]]))
    assert turn.is_truncated.all()
    assert not turn.is_terminal.any()
    labels = [play.observation_labels[0][o] for o in turn.final_observations[:, 0]]
    assert labels == [(("heads", "heads"),), (("tails", "tails"),)]
    assert (turn.observations == 0).all()  # a new episode
    assert play.horizon == 2
    turns = batched(RandomOrderTeam(), episodes=2, seed=1)
    turns.reset()
    turns.step(np.zeros((2, 2), dtype=int))
    turn = turns.step(np.zeros((2, 2), dtype=int))
    assert turn.is_terminal.all()
    assert not turn.is_truncated.any()


def _alone(follows, shows, reward=1, *, initial, **options):
    """One player who can only go on, from a state to the law of the next one; each is shown."""
    joint = ("go",)
    moves = [(state, after) for state, law in follows.items() for after in law]
    return posg_from_tables(
        players=["A"],
        actions=[joint],
        initial=initial,
        initial_observations={state: {(shows[state],): 1} for state in initial},
        observations={(joint, after): {(shows[after],): 1} for _, after in moves},
        transitions={(state, joint): law for state, law in follows.items()},
        rewards={(state, joint, after): (reward,) for state, after in moves},
        **options,
    )


TWO_MOVES = _alone({0: {1: 1}, 1: {2: 1}}, {0: 0, 1: 1, 2: 2}, initial={0: 1}, terminal=[2])


@pytest.mark.parametrize(
    ("game", "horizon", "is_terminal"),
    [
        (TWO_MOVES, 2, True),
        (TWO_MOVES, 1, False),
        (gt.load_game("kuhn_poker"), 4, True),  # chance moves twice, one bets, the other calls
        (gt.load_game("kuhn_poker"), 3, False),
    ],
)
def test_what_the_rules_end_at_the_horizon_is_not_cut(game, horizon, is_terminal):
    play = environment_of(game, rng=np.random.default_rng(1), horizon=horizon)
    one = play.reset()
    while not one.is_over:
        one = play.step({i: one.legal_actions[i][-1] for i in one.movers})
    assert (one.is_terminal, one.is_truncated) == (is_terminal, not is_terminal)
    plays = batched(game, episodes=3, seed=1, horizon=horizon)
    turn = plays.reset()
    while not turn.is_over.any():
        turn = plays.step(turn.legal.shape[2] - 1 - turn.legal[:, :, ::-1].argmax(axis=2))
    assert turn.is_terminal.tolist() == [is_terminal] * 3
    assert turn.is_truncated.tolist() == [not is_terminal] * 3


def test_the_discount_is_the_rules_own():
    game = RepeatedGame.of("prisoners_dilemma", rounds=3, discount=Fraction(1, 2))
    play = batched(game, episodes=1, seed=1)
    assert play.discount == 0.5
    always = [np.tile([0.0, 1.0], (n, 1)) for n in play.num_observations]
    assert mean_returns(play, always, episodes=2, seed=1).means.tolist() == [1.75, 1.75]
    assert rollouts(play, always, episodes=2, seed=1).returns.tolist() == [[1.75, 1.75]] * 2


@pytest.mark.parametrize("is_stacked", [False, True])
def test_timed_numbers_tell_rounds_apart(is_stacked):
    game = RepeatedGame.of("matching_pennies", rounds=3)
    if is_stacked:
        plays = [environment_of(game, rng=np.random.default_rng(1))]
        play = stacked(plays, action_labels=(("heads", "tails"),) * 2, sees=Sees.TIMED)
    else:
        play = batched(game, episodes=1, seed=1, sees=Sees.TIMED)
    shown = [play.reset().observations[0, 0]]
    shown += [play.step(np.zeros((1, 2), dtype=int)).observations[0, 0] for _ in range(2)]
    heads = (("heads", "heads"),)
    assert [play.observation_labels[0][k] for k in shown] == [(0, ()), (1, heads), (2, heads)]
    again = play.observe(0, ((), "heads", heads if not is_stacked else (), "heads", heads))
    middle = (1, ()) if is_stacked else (1, heads)
    assert [play.observation_labels[0][k] for k in again] == [(0, ()), middle, (2, heads)]
    assert batched(game, episodes=1, seed=1).observation_labels[0][1] == heads


def test_histories_that_are_too_many_are_refused_with_their_number():
    game = RepeatedGame.of("rock_paper_scissors", rounds=10)
    with pytest.raises(gt.UnsupportedGame, match="more than 1,000 within 4 moves"):
        batched(game, episodes=1, seed=1, sees=Sees.HISTORY, max_states=1000)


def test_times_without_end_are_refused():
    endless = RepeatedGame.of("rock_paper_scissors", rounds=None)
    with pytest.raises(gt.UnsupportedGame, match="needs plays of limited length to number times"):
        batched(endless, episodes=1, seed=1, sees=Sees.TIMED)
    with pytest.raises(gt.UnsupportedGame, match="episode 0 goes on after 1,000,000 steps"):
        mean_returns(endless, gt.uniform_policies(endless), episodes=1, seed=1, sees=Sees.LAST)


def test_illegal_actions_are_refused_by_label_and_change_nothing():
    play = batched(gt.load_game("kuhn_poker"), episodes=3, seed=1)
    play.reset()
    before = play.snapshot()
    fold = play.action_labels[0].index("fold")
    with pytest.raises(gt.InvalidArgument, match="'Player 1' in row 2 gives 2, which is 'fold'"):
        play.step(np.array([[0, 0], [0, 0], [fold, 0]]))
    with pytest.raises(gt.InvalidArgument, match=r"in row 1 gives -1\. Legal after"):
        play.step(np.array([[0, 0], [-1, 0], [0, 0]]))
    assert np.array_equal(before["whole"], play.snapshot()["whole"])


def test_bad_calls_are_refused():
    game = RepeatedGame.of("matching_pennies")
    play = batched(game, episodes=2, seed=1)
    with pytest.raises(
        gt.InvalidArgument, match=r"needs episodes to play, but has none\. Call reset"
    ):
        play.step(np.zeros((2, 2), dtype=int))
    play.reset()
    with pytest.raises(gt.InvalidArgument, match=r"needs integers of shape \(2, 2\)"):
        play.step(np.zeros((2, 3), dtype=int))
    with pytest.raises(gt.InvalidArgument, match="needs integers"):
        play.step(np.zeros((2, 2)))
    with pytest.raises(gt.InvalidArgument, match="never sees 'nothing'"):
        play.observe(0, ("nothing",))
    with pytest.raises(gt.InvalidArgument, match="player to be an integer from 0 to 1"):
        play.observe(2, ((),))
    with pytest.raises(gt.InvalidArgument, match="needs a snapshot of 2 episodes"):
        play.restore(batched(game, episodes=3, seed=1).snapshot())
    with pytest.raises(gt.InvalidArgument, match="with seed 1 "):
        play.restore(batched(game, episodes=2, seed=2).snapshot())
    with pytest.raises(gt.InvalidArgument, match="episodes to be an integer of at least 1"):
        batched(game, episodes=0, seed=1)
    with pytest.raises(gt.InvalidArgument, match="seed to be an integer of at least 0"):
        batched(game, episodes=1, seed=-1)
    with pytest.raises(gt.InvalidArgument, match="needs a member of Sees"):
        batched(game, episodes=1, seed=1, sees="last")
    with pytest.raises(gt.InvalidArgument, match="needs a POSG, an AEC game or a tree"):
        batched(gt.load_game("matching_pennies"), episodes=1, seed=1)


def test_a_snapshot_of_another_game_horizon_or_sight_is_refused():
    game = RepeatedGame.of("prisoners_dilemma", rounds=3)
    other = RepeatedGame.of("stag_hunt", rounds=3)
    kept = batched(game, episodes=2, seed=1).snapshot()
    for play in (
        batched(other, episodes=2, seed=1),
        batched(RepeatedGame.of("prisoners_dilemma", rounds=4), episodes=2, seed=1),
        batched(game, episodes=2, seed=1, horizon=2),
        batched(game, episodes=2, seed=1, sees=Sees.TIMED),
        batched(game, episodes=2, seed=1, sees=Sees.HISTORY),
    ):
        with pytest.raises(gt.InvalidArgument, match="restore: needs a snapshot of a batch of"):
            play.restore(kept)
    batched(game, episodes=2, seed=1).restore(kept)


@pytest.mark.parametrize(
    "change", [None, {}, {"whole": 1}, {"whole": np.zeros((2, 14)), "paid": np.zeros((2, 3))}]
)
def test_what_is_no_snapshot_of_a_batch_is_refused(change):
    play = batched(RepeatedGame.of("prisoners_dilemma", rounds=3), episodes=2, seed=1)
    with pytest.raises(gt.InvalidArgument, match="restore: needs a snapshot of 2 episodes"):
        play.restore(change)
    with pytest.raises(gt.InvalidArgument, match="restore: needs a snapshot of 2 episodes"):
        play.restore({**play.snapshot(), "paid": np.zeros(3)})


@examples(25)
@given(GAMES, st.sampled_from([Sees.LAST, Sees.TIMED]))
def test_information_states_of_numbers_are_some_that_play_can_reach(game, sees):
    try:
        play = batched(game, episodes=1, seed=0, sees=sees)
    except gt.UnsupportedGame:
        return  # a game without end
    whole = batched(game, episodes=1, seed=0, sees=Sees.HISTORY)
    for i, own in enumerate(play.information_states):
        assert set(own.values()) <= set(whole.information_states[i].values())
        for number, known in own.items():
            assert play.observe(i, known)[-1] == number


def _forking():
    """Two ways begin unlike, look alike in the middle, and one of them goes on."""
    follows = {"s": "m", "t": "n", "m": "end", "n": "late", "late": "end"}
    return _alone(
        {state: {after: 1} for state, after in follows.items()},
        {"s": "a", "t": "b", "m": "X", "n": "X", "late": "Y", "end": "Y"},
        initial={"s": Fraction(1, 2), "t": Fraction(1, 2)},
        terminal=["end"],
        horizon=3,
    )


@pytest.mark.parametrize("sees", [Sees.LAST, Sees.TIMED])
def test_an_information_state_is_of_one_play_where_several_meet(sees):
    known = batched(_forking(), episodes=1, seed=1, sees=sees).information_states[0].values()
    assert ("b", "go", "X", "go", "Y") in known
    assert ("a", "go", "X", "go", "Y") not in known

    def policy_of(state):
        return point_mass("go") if state[0] == "b" or len(state) < 5 else None

    policy = {state: policy_of(state) for state in known}
    table = policy_table(batched(_forking(), episodes=1, seed=1, sees=sees), 0, policy)
    assert table.sum(axis=1).tolist() == [1.0] * len(table)


class Endless:
    """One player moves for ever."""

    title, players, discount, horizon = "endless", ("A",), Fraction(1), None
    initial_state = "start"

    def observation(self, player, state):
        return point_mass("seen")

    def legal_actions(self, player, observation):
        return ("go",)

    def is_terminal(self, state):
        return False

    def move(self, player, state, action):
        return state

    def chance(self, state):
        return point_mass("moving")

    def reward(self, state, mover, action, after):
        return point_mass((Fraction(1),))

    def next_player(self, state, mover, action, after):
        return point_mass(0)


def test_turns_of_endless_games_are_numbered_up_to_the_horizon():
    play = batched(Endless(), episodes=1, seed=1, sees=Sees.TIMED, horizon=50)
    shown = [int(play.reset().observations[0, 0])]
    turn = play.step(np.zeros((1, 1), dtype=int))
    while not turn.is_over[0]:
        shown.append(int(turn.observations[0, 0]))
        turn = play.step(np.zeros((1, 1), dtype=int))
    assert shown == list(range(len(shown)))
    assert len(shown) == 49  # chance moves once
    with pytest.raises(gt.UnsupportedGame, match="may go on without end. Give a horizon"):
        batched(Endless(), episodes=1, seed=1, sees=Sees.TIMED)


@pytest.mark.parametrize("sees", list(Sees))
def test_tables_of_policies_are_policies_even_where_play_never_comes(sees):
    game = gt.load_game("kuhn_poker")
    play = batched(game, episodes=1, seed=1, sees=sees)
    tables = [policy_table(play, i, p) for i, p in enumerate(gt.uniform_policies(play.rules))]
    reached = sum(map(len, play.information_states))
    assert (reached < sum(map(len, tables))) == (sees is Sees.TIMED)
    for i, table in enumerate(tables):
        assert ((table > 0) == play.legal[i]).all()
    assert mean_returns(play, tables, episodes=5, seed=1).episodes == 5
    learner = QLearning(
        play, rng=np.random.default_rng(1), learns=(0,), others={1: tables[1]}, iteration=Steps(3)
    )
    learner.improve()


@pytest.mark.parametrize("player", [-1, 2, 0.5, "1"])
def test_tables_of_policies_need_a_player(player):
    game = gt.load_game("kuhn_poker")
    play = batched(game, episodes=1, seed=1)
    with pytest.raises(gt.InvalidArgument, match="policy_table: needs player"):
        policy_table(play, player, gt.uniform_policies(play.rules)[0])


def test_tables_that_are_no_policies_are_refused():
    game = batched(gt.load_game("kuhn_poker"), episodes=1, seed=1)
    good = [policy_table(game, i, p) for i, p in enumerate(gt.uniform_policies(game.rules))]
    for spoil, match in (
        (lambda t: t * 2, "sum to 1"),
        (lambda t: t[:3], "shape"),
        (lambda t: np.full_like(t, 1 / t.shape[1]), "over legal actions"),
        (lambda t: t * np.nan, "needs probabilities"),
    ):
        with pytest.raises(gt.InvalidStrategy, match=match):
            mean_returns(game, [spoil(good[0]), good[1]], episodes=1, seed=1)
    with pytest.raises(gt.InvalidStrategy, match="needs a policy for each of 2 players, but got 1"):
        mean_returns(game, good[:1], episodes=1, seed=1)
    with pytest.raises(gt.InvalidArgument, match="needs sees and horizon where the batch is made"):
        mean_returns(game, good, episodes=1, seed=1, horizon=2)
    assert mean_returns(game, good, episodes=1, seed=1).episodes == 1


def test_who_never_acts_has_one_observation_and_one_action():
    lonely = batched(_spectator(), episodes=2, seed=1, sees=Sees.HISTORY)
    assert lonely.action_labels == (("go",), (IDLE,))
    assert lonely.num_observations == (1, 1)
    lonely.reset()
    assert lonely.step(np.zeros((2, 2), dtype=int)).rewards.tolist() == [[1.0, 2.0]] * 2


def _spectator():
    return gt.from_sketch(gt.Decision(0, "only", {"go": gt.Terminal([1, 2])}), players=["A", "B"])


@given(st.lists(st.integers(1, 50), min_size=1, max_size=20))
def test_cuts_are_exact_to_the_last_bit(weights):
    total = sum(weights)
    law = np.array([Fraction(w, total) for w in weights], dtype=object)
    cuts = [int(c) for c in exact_cuts(np.array([0, len(law)]), law)]
    shares = [b - a for a, b in zip([0, *cuts[:-1]], cuts, strict=True)]
    assert cuts[-1] == 2**63
    assert all(
        abs(Fraction(s, 2**63) - w) < Fraction(1, 2**63) for s, w in zip(shares, law, strict=True)
    )


def _paying(pay):
    """Two steps that pay as a fair coin says, so much or nothing."""
    law = {"on": Fraction(1, 2), "off": Fraction(1, 2)}
    shown = {"on": "seen", "off": "seen"}
    return _alone({"on": law}, shown, pay, initial={"on": 1}, terminal=["off"], horizon=2)


def test_rewards_larger_than_floats_are_refused():
    game = _paying(10**400)
    with pytest.raises(gt.UnsupportedGame, match="batched: needs rewards that floats.*rescale_rew"):
        batched(game, episodes=1, seed=1)
    plays = [environment_of(game, rng=np.random.default_rng(1))]
    one = stacked(plays, action_labels=(("go",),))
    one.reset()
    with pytest.raises(gt.UnsupportedGame, match="stacked: needs rewards that floats.*rescale_rew"):
        one.step(np.zeros((1, 1), dtype=int))


@pytest.mark.parametrize("episodes", [1, 200])
def test_means_of_returns_near_the_largest_float_are_floats(episodes):
    small, large = (
        mean_returns(_paying(pay), gt.uniform_policies(_paying(1)), episodes=episodes, seed=1)
        for pay in (1, 2**1022)
    )
    assert large.means.tolist() == (small.means * 2.0**1022).tolist()
    assert large.standard_errors.tolist() == (small.standard_errors * 2.0**1022).tolist()


def test_returns_larger_than_floats_are_refused():
    game = _paying(10**308)
    with pytest.raises(
        gt.UnsupportedGame, match="mean_returns: needs returns that floats can hold"
    ):
        mean_returns(game, gt.uniform_policies(game), episodes=20, seed=1)


def test_policies_that_are_none_are_refused_by_name():
    game = RepeatedGame.of("prisoners_dilemma", rounds=2)
    with pytest.raises(
        gt.InvalidArgument, match="rollouts: needs policies to be a sequence, but got"
    ):
        rollouts(game, None, episodes=1, seed=1)
    for wrong in ((3, 4), [[[0.5, 0.5]]] * 2):
        with pytest.raises(
            gt.InvalidStrategy, match="needs tables of probabilities as arrays, or po"
        ):
            rollouts(game, wrong, episodes=1, seed=1)
    profile = gt.uniform_policies(game)
    plays = rollouts(game, (policy for policy in profile), episodes=3, seed=1)
    assert np.array_equal(plays.actions, rollouts(game, profile, episodes=3, seed=1).actions)


def test_what_is_no_information_state_is_refused():
    play = batched(RepeatedGame.of("prisoners_dilemma", rounds=2), episodes=1, seed=1)
    with pytest.raises(
        gt.InvalidArgument, match="observe: needs information_state to be a sequence"
    ):
        play.observe(0, None)
    with pytest.raises(gt.InvalidArgument, match=r"never sees \[\]"):
        play.observe(0, ([],))
