"""The live policy sits where it is said, meets who is said, and is paid and shown what is its own.

Play is written down by the game's side, and told again by brute force: who did what in each turn of
each episode, what that paid, and who was ahead in the end.
"""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import InvalidArgument, NormalFormGame
from gametheory_core.catalog import RepeatedGame, RirRPS, fish_war, kuhn_poker, leduc_poker, truel
from gametheory_core.conversions import normal_to_posg
from gametheory_core.testing import binomial_tail
from learners import Sees, batched
from learners.batch import features
from learners.frozen import frozen
from learners.matches import match_form
from learners.self_play.live_play import LivePlay
from learners.self_play.opponents import LIVE, Opponents
from learners.self_play.views import seat_views
from tests.learners.continuing import SilentRules
from tests.learners.deep.own_turn_games import Alternating
from tests.learners.self_play.recorded_play import (
    Counting,
    Recorder,
    circled,
    episodes_of,
    live_play,
    number_of,
    played,
)

GAMES = {
    "kuhn": kuhn_poker,
    "kuhn of three": lambda: kuhn_poker(cards=4, players=3),
    "leduc": lambda: leduc_poker(ranks=2, raises=1),
    "fish war": fish_war,
    "truel": truel,
    "shared": lambda: RirRPS(repetitions=3, recall=1),
    "pennies": lambda: RepeatedGame.of("matching_pennies", rounds=3),
    "dilemma": lambda: RepeatedGame.of("prisoners_dilemma", rounds=3),
    "uneven": lambda: (
        normal_to_posg(NormalFormGame.bimatrix([[3, 0, 1]] * 2, [[1, 2, 0]] * 2)).target
    ),
}
SHARED = {"shared", "dilemma"}  # both seats read one table
EPISODES, STEPS = 8, 40


def environment(name, *, episodes=EPISODES, **options):
    return Recorder(batched(GAMES[name](), episodes=episodes, seed=3, **options))


def shown_number(name, recorder, seat, observation):
    """Return the number of an observation for the live policy: offsets, or own actions first."""
    if name not in SHARED:
        return number_of(recorder, seat, observation)
    label = recorder.observation_labels[seat][int(observation)]
    if label == ():
        return 0
    names = recorder.action_labels[0]
    ((first, second),) = label
    own, other = (first, second) if seat == 0 else (second, first)
    return 1 + len(names) * names.index(own) + names.index(other)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seat", [None, 1])
def test_everything_is_as_play_told_again_says(name, seat):
    recorder = environment(name)
    play, tables = live_play(recorder, seat=seat)
    shown, done = played(play, STEPS)
    results = play.results()
    told = episodes_of(recorder)
    assert len(told) == len(results.seats) > EPISODES
    players = range(len(recorder.players))
    for k, (lane, episode) in enumerate(told):
        live = int(results.seats[k])
        assert seat is None or live == seat
        others = [i for i in players if i != live]
        who = dict(zip(others, results.opponents[k].tolist(), strict=True))
        for t, joint, paid in zip(episode.turns, episode.done, episode.paid, strict=True):
            turn = recorder.turns[t]
            assert shown[t].acts[lane, 0] == turn.acts[lane, live]
            number = shown_number(name, recorder, live, turn.observations[lane, live])
            assert shown[t].observations[lane, 0] == number
            assert (shown[t].legal[lane, 0] == turn.legal[lane, live]).all()
            assert shown[t + 1].rewards[lane, 0] == paid[live]
            for i in players:
                if not turn.acts[lane, i]:
                    continue
                if i == live:
                    assert joint[i] == done[t][lane]
                else:
                    seen = shown_number(name, recorder, i, turn.observations[lane, i])
                    assert joint[i] == tables[who[i]][seen].argmax()
        last = recorder.turns[episode.turns[-1] + 1]
        final = shown_number(name, recorder, live, last.final_observations[lane, live])
        assert shown[episode.turns[-1] + 1].final_observations[lane, 0] == final
        total = np.sum(episode.paid, axis=0)
        assert results.returns[k] == pytest.approx(total[live])
        points = [0.5 + 0.5 * np.sign(round(total[live] - total[i], 9)) for i in others]
        assert results.points[k].tolist() == points
        assert results.outcomes[k] == Fraction(round(2 * sum(points)), 2 * len(others))
    if seat is None:
        assert set(results.seats.tolist()) == set(players)
    assert len({who for row in results.opponents.tolist() for who in row}) == 4
    assert len(play.results().seats) == 0


@pytest.mark.parametrize("name", GAMES)
def test_turns_end_when_the_games_do_and_begin_with_nothing_paid(name):
    recorder = environment(name)
    play, _ = live_play(recorder)
    shown, _ = played(play, STEPS)
    assert (shown[0].rewards == 0).all()
    for own, turn in zip(shown, recorder.turns, strict=True):
        assert (own.is_terminal == turn.is_terminal).all()
        assert (own.is_truncated == turn.is_truncated).all()
        goes_on = ~turn.is_over
        assert (own.final_observations[goes_on] == own.observations[goes_on]).all()
    assert (play.num_episodes, play.players) == (EPISODES, ("live",))
    assert play.discount == recorder.discount
    assert play.horizon == recorder.horizon


def test_cut_episodes_are_over_too():
    recorder = environment("dilemma", horizon=2)
    play, _ = live_play(recorder)
    shown, _ = played(play, 6)
    assert shown[2].is_truncated.all()
    assert play.horizon == 2
    assert len(play.results().seats) == 3 * EPISODES


@pytest.mark.parametrize("name", ["kuhn", "leduc", "fish war", "truel", "uneven"])
def test_tables_say_what_is_legal_in_each_seat(name):
    recorder = environment(name)
    play, _ = live_play(recorder)
    ((table),) = play.legal
    start = 0
    for seat, own in enumerate(recorder.legal):
        assert (table[start : start + len(own), : own.shape[1]] == own).all()
        assert not table[start : start + len(own), own.shape[1] :].any()
        start += recorder.num_observations[seat]
    assert table.shape == (play.num_observations[0], play.num_actions[0])


@pytest.mark.parametrize("name", ["kuhn", "fish war"])
def test_features_carry_the_seat_and_networks_their_own_memory(name):
    inner = batched(GAMES[name](), episodes=EPISODES, seed=3)
    recorder = Recorder(features(inner))
    play, kept = live_play(recorder, views="features")
    shown, done = played(play, STEPS)
    results, told = play.results(), episodes_of(recorder)
    players = len(recorder.players)
    width = max(recorder.num_features)
    assert play.num_features == (width + players,)
    assert play.num_observations == (0,)
    assert play.legal == ()
    for k, (lane, episode) in enumerate(told):
        live = int(results.seats[k])
        others = [i for i in range(players) if i != live]
        who = dict(zip(others, results.opponents[k].tolist(), strict=True))
        moves, before = Counter(), dict.fromkeys(others, -1)
        for t, joint in zip(episode.turns, episode.done, strict=True):
            turn = recorder.turns[t]
            seen = shown[t].observations[lane, 0]
            assert (seen[:width] == turn.observations[lane, live]).all()
            assert seen[width:].tolist() == np.eye(players)[live].tolist()
            for i in others:
                if turn.acts[lane, i]:
                    number = kept[who[i]].kind + moves[i] + before[i]
                    assert joint[i] == circled(turn.legal[lane, i], number)
                    moves[i], before[i] = moves[i] + 1, int(joint[i])
            if turn.acts[lane, live]:
                assert joint[live] == done[t][lane]


def test_features_of_another_length_are_filled_up():
    play, _ = live_play(Alternating(num_episodes=4), views="features")
    assert play.num_features == (3 + 2,)
    short = play.marked(np.array([[1.0, 2.0]], dtype=np.float32), 0)
    assert short.tolist() == [[1.0, 2.0, 0.0, 1.0, 0.0]]
    shown, _ = played(play, 6)
    assert shown[0].observations.shape == (4, 1, 5)
    assert set(map(tuple, shown[0].observations[:, 0, 3:].tolist())) <= {(1.0, 0.0), (0.0, 1.0)}


@pytest.mark.parametrize("with_network", [False, True])
def test_tables_that_do_not_know_what_is_legal_do_nothing_else(with_network):
    """An even table of Kuhn poker would call where nobody has bet."""
    recorder = Recorder(SilentRules(batched(kuhn_poker(), episodes=EPISODES, seed=3)))
    play, _ = live_play(recorder)
    assert play.legal == ()
    even = np.full((play.num_observations[0], play.num_actions[0]), 1 / play.num_actions[0])
    blind = np.tile(np.eye(play.num_actions[0])[0], (len(even), 1))
    for place in range(4):
        play.opponents.put(place, even if place % 2 else blind)
    if with_network:
        play.opponents.put(3, Counting(3))
    played(play, STEPS)
    for turn, joint in zip(recorder.turns[:-1], recorder.joint, strict=True):
        lanes, seats = np.nonzero(turn.acts)
        assert turn.legal[lanes, seats, joint[lanes, seats]].all()


def test_matches_from_seat_one_are_those_from_seat_zero_mirrored():
    """Two fixed tables see, do and are paid the same, wherever the live one sits."""
    game = RirRPS(repetitions=4, recall=2)
    rng = np.random.default_rng(2)
    own, other = np.eye(3)[rng.integers(3, size=(2, match_form(game).num_windows))]
    seen = []
    for seat in (0, 1):
        environment = batched(game, episodes=1, seed=1)
        play, _ = live_play(environment, count=0, seat=seat)
        play.opponents.put(LIVE, other)
        turn, moments = play.reset(), []
        for _ in range(4):
            action = int(own[turn.observations[0, 0]].argmax())
            moments.append((int(turn.observations[0, 0]), action))
            turn = play.step(np.array([[action]]))
        seen.append((moments, int(turn.final_observations[0, 0])))
    assert seen[0] == seen[1]


def test_seats_are_drawn_evenly_and_others_independently_with_replacement():
    """In 12,000 episodes of three players; each test errs once in 10^6 runs of the right code."""
    game = fish_war(rounds=1)
    recorder = batched(game, episodes=1000, seed=3)
    shares = np.array([0.5, 0.3, 0.2])
    rng = np.random.default_rng(4)

    def draw(count):
        return rng.choice(3, size=(count, 2), p=shares)

    play, _ = live_play(recorder, count=2, draw=draw)
    played(play, 12)
    results = play.results()
    total = len(results.seats)
    assert total == 12_000
    for seat in range(3):
        count = int((results.seats == seat).sum())
        assert binomial_tail(count, total, 1 / 3) > 1e-6
    pairs = Counter(map(tuple, results.opponents.tolist()))
    for i, p in enumerate(shares):
        for j, q in enumerate(shares):
            assert binomial_tail(pairs[i, j], total, float(p * q)) > 1e-6
    for seat in range(3):
        own = results.opponents[results.seats == seat]
        assert binomial_tail(int((own[:, 0] == 0).sum()), len(own), 0.5) > 1e-6


def test_sums_that_differ_by_rounding_are_ties():
    """Both are paid 1/10, 2/10 and 3/10, in another order."""
    stage = NormalFormGame.bimatrix(
        [["1/10", 0, 0], [0, "2/10", 0], [0, 0, "3/10"]],
        [["3/10", 0, 0], [0, "2/10", 0], [0, 0, "1/10"]],
    )
    assert 0.1 + 0.2 + 0.3 != 0.3 + 0.2 + 0.1
    game = RepeatedGame(stage, rounds=3)
    play, _ = live_play(batched(game, episodes=2, seed=1), count=0)
    turn = play.reset()
    views = seat_views(play.environment)
    table = np.zeros((views.num_observations, 3))
    for seat, labels in enumerate(play.environment.observation_labels):
        for k, label in enumerate(labels):
            action = stage.actions[seat].index(label[0][seat]) + 1 if label else 0
            table[views.numbers[seat][k], action % 3] = 1.0
    play.opponents.put(LIVE, table)
    for _ in range(3):
        turn = play.step(table[turn.observations[:, 0]].argmax(axis=1)[:, None])
    assert play.results().points.tolist() == [[0.5], [0.5]]


def test_play_that_has_not_begun_or_other_shapes_are_refused():
    play, _ = live_play(environment("kuhn"))
    with pytest.raises(InvalidArgument, match=r"needs episodes to play, but has none. Call reset"):
        play.step(np.zeros((EPISODES, 1), dtype=np.int64))
    play.reset()
    with pytest.raises(InvalidArgument, match=rf"needs integers of shape \({EPISODES}, 1\)"):
        play.step(np.zeros((EPISODES, 2), dtype=np.int64))


@pytest.mark.parametrize("name", ["kuhn", "fish war", "shared"])
def test_play_goes_on_from_a_snapshot(name):
    play, _ = live_play(batched(GAMES[name](), episodes=EPISODES, seed=3))
    again, _ = live_play(batched(GAMES[name](), episodes=EPISODES, seed=3), seed=0)
    shown, _ = played(play, 7)
    kept = play.snapshot()
    played(again, 3)
    again.restore(kept)
    rng = np.random.default_rng(8)
    place = np.random.default_rng(9).integers(4, size=(10_000, len(play.environment.players) - 1))
    for own in (play, again):
        left = place.copy()
        own._draw = lambda count, left=left: left[:count]
    turn = shown[-1]
    for _ in range(15):
        own = np.array([[circled(row, int(rng.integers(99)))] for row in turn.legal[:, 0]])
        turn, other = play.step(own), again.step(own)
        assert (turn.observations == other.observations).all()
        assert (turn.rewards == other.rewards).all()
    one, two = play.results(), again.results()
    for part in ("seats", "opponents", "points", "returns"):
        assert (getattr(one, part) == getattr(two, part)).all()


def test_sees_decides_whether_seats_share_a_table():
    match = RirRPS(repetitions=3, recall=1)
    assert seat_views(batched(match, episodes=1, seed=1)).num_observations == 10
    apart = seat_views(batched(match, episodes=1, seed=1), shared=False)
    assert (apart.num_observations, apart.form) == (20, None)
    for sees in (Sees.TIMED, Sees.HISTORY):
        views = seat_views(batched(match, episodes=1, seed=1, sees=sees))
        assert views.form is None
        assert views.first_seen(views.num_observations - 1)[0] == 1


def test_seats_that_are_paid_otherwise_do_not_share_a_table():
    """A common interest leaves all leads at 0, but what is best differs by seat."""
    both = [[1, 2], [3, 4]]
    common = RepeatedGame(NormalFormGame.bimatrix(both, both), rounds=2)
    views = seat_views(batched(common, episodes=1, seed=1))
    assert views.form is None
    assert views.num_observations == sum(batched(common, episodes=1, seed=1).num_observations)


def test_frozen_tables_are_what_policies_say():
    play, _ = live_play(batched(kuhn_poker(), episodes=2, seed=1))

    class Asked:
        def policies(self):
            return ({(n,): [(n % 2, Fraction(1))] for n in range(play.num_observations[0])},)

    table = frozen(Asked(), play)
    assert table.argmax(axis=1).tolist() == [n % 2 for n in range(play.num_observations[0])]


def test_opponents_need_tables_of_the_game():
    opponents = Opponents((4, 2), lanes=2)
    with pytest.raises(InvalidArgument, match=r"tables of shape \(4, 2\), but got one of shape"):
        opponents.put(1, np.full((3, 2), 0.5))
    assert isinstance(live_play(batched(kuhn_poker(), episodes=1, seed=1))[0], LivePlay)
