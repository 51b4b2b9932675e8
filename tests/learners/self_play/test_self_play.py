"""Self-play meets whom its scheme says, keeps whom its gate says, and knows how they did."""

from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest

from gametheory_core import GameTheoryError, InvalidArgument
from gametheory_core.catalog import RepeatedGame, RirRPS, fish_war, kuhn_poker, leduc_poker
from gametheory_core.distributions import point_mass
from gametheory_core.testing import binomial_tail
from learners import batched
from learners.batch import features
from learners.matches import win_rates
from learners.self_play import (
    Append,
    BinomialTest,
    CoarseCorrelated,
    DeltaLimitUniform,
    DeltaUniform,
    EloKernel,
    KeepLatest,
    Menagerie,
    MetaGame,
    MetaStrategy,
    Naive,
    PastUniform,
    PresentAndPast,
    Prioritized,
    Priority,
    RollingWindow,
    SampledWins,
    SelfPlay,
    SelfPlayScheme,
    delta_uniform,
    fictitious,
    naive,
    psro,
)
from learners.self_play.evaluation import snapshot_policies
from learners.self_play.opponents import LIVE
from tests.learners.self_play.recorded_play import Recorder
from tests.learners.self_play.scripted import Scripted, noted

THROWS = 3
NEVER = RollingWindow(1, 10**6)


def match(*, episodes=8, repetitions=1, recall=0):
    return batched(RirRPS(repetitions, recall), episodes=episodes, seed=3)


def made(scheme, *, environment=None, live=None, seed=1, **options):
    return SelfPlay(
        match() if environment is None else environment,
        scheme=scheme,
        live=live or Scripted,
        rng=np.random.default_rng(seed),
        **options,
    )


def grown_to(sampling, size, **options):
    """Return a run whose menagerie has a size and stays so."""
    learner = made(SelfPlayScheme(sampling, Append()), **options)
    for _ in range(size - 1):
        learner.improve()
    assert len(learner.menagerie) == size
    learner._every = 10**9
    return learner


@pytest.mark.parametrize(
    "sampling",
    [
        Naive(), DeltaUniform(), DeltaUniform("1/2"), DeltaLimitUniform(), PastUniform(),
        PresentAndPast(), MetaGame(), MetaGame(MetaStrategy.UNIFORM), Prioritized(),
        Prioritized(Priority.EVEN), EloKernel(),
    ],
    ids=repr,
)  # fmt: skip
def test_opponents_are_drawn_by_the_law(sampling):
    """Of 20,000 draws each count errs once in 10^6 runs of the right code."""
    learner = grown_to(sampling, 5)
    learner._weigh()
    total = 20_000
    places = learner._draws.places(total)
    assert places.shape == (total, 1)
    counts = Counter(places[:, 0].tolist())
    weights = sampling.weights(learner.menagerie)
    for candidate, weight in enumerate(weights):
        place = LIVE if candidate == len(learner.menagerie) else candidate + 1
        assert binomial_tail(counts.pop(place, 0), total, float(weight)) > 1e-6
    assert not counts


@pytest.mark.parametrize("sampling", [DeltaUniform(), PastUniform(), PresentAndPast()], ids=repr)
def test_opponents_met_in_play_follow_the_law_in_every_seat(sampling):
    learner = grown_to(sampling, 3, environment=match(episodes=500))
    learner.improve()  # whoever was drawn before
    taken = noted(learner)
    for _ in range(5):
        learner.improve()
    met = np.concatenate([results.opponents[:, 0] for results in taken])
    seats = np.concatenate([results.seats for results in taken])
    total = len(met)
    assert total == 5 * 4 * 500
    weights = sampling.weights(learner.menagerie)
    for seat, (candidate, weight) in product((0, 1), enumerate(weights)):
        place = LIVE if candidate == 3 else candidate + 1
        count = int(((met == place) & (seats == seat)).sum())
        assert binomial_tail(count, total, float(weight) / 2) > 1e-6


class OneOfOnesOwn(Naive):
    """A sampling whose weights are what it is given."""

    def __init__(self, weights):
        object.__setattr__(self, "given", weights)

    def _weights(self, menagerie):
        return self.given(len(menagerie))


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (lambda m: (1,) * (m + 1), "weights that sum to exactly 1, but they sum to 2"),
        (lambda m: (2, *[0] * (m - 1), -1), "weights of at least 0, but '1' has -1"),
        (lambda m: (1, *[0] * (m + 5_000_000)), "a tuple of 2 weights, the live policy's last"),
        (lambda m: (1,) * m, "a tuple of 2 weights"),
        (lambda m: None, "_weights returned None"),
        (lambda m: "10", "_weights returned '10'"),
        (lambda m: (float("nan"), 1), "weight of 0"),
    ],
)
def test_weights_that_are_no_law_are_refused_before_play(weights, message):
    sampling = OneOfOnesOwn(weights)
    for call in (
        lambda: made(SelfPlayScheme(sampling, Append())),
        lambda: sampling.weights(Menagerie(("a",))),
        lambda: sampling.law(Menagerie(("a",))),
    ):
        with pytest.raises(GameTheoryError, match=message):
            call()


@pytest.mark.parametrize(
    ("who", "message"),
    [((0, 0), "a law over tuples of 1 opponent"), ((2,), "number to be an integer from 0 to 1")],
)
def test_laws_over_what_is_no_candidate_are_refused(who, message):
    class Odd(CoarseCorrelated):
        def law(self, menagerie, opponents=1):
            return point_mass(who)

    with pytest.raises(InvalidArgument, match=message):
        made(SelfPlayScheme(Odd(), Append()))


class Reordering(Append):
    """A gate that keeps the live policy first."""

    def law(self, menagerie, live, *, outcomes=(), seen=0):
        return point_mass(Menagerie((live, *menagerie)))


def test_gates_that_reorder_snapshots_are_followed():
    rock, paper, scissors = (np.tile(row, (1, 1)) for row in np.eye(3))
    begins_with = Menagerie((rock, paper, scissors))
    learner = made(SelfPlayScheme(MetaGame(), Reordering()), begins_with=begins_with)
    before = learner.menagerie
    learner.improve()
    menagerie = learner.menagerie
    assert [own is old for own, old in zip(menagerie[1:], before, strict=True)] == [True] * 3
    expected = win_rates(RirRPS(1, 0), menagerie.snapshots)
    assert np.array_equal(menagerie.win_rates, expected)
    learner._weigh()
    stacked = learner._opponents.tables  # a place is a number and one
    for number, table in enumerate(menagerie):
        assert np.array_equal(stacked[number + 1], table)


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (None, "gate's law returns to be of type Distribution"),
        (Menagerie(("a",)), "gate's law returns to be of type Distribution"),
        (point_mass(("a", "b")), "law is over to be of type Menagerie"),
    ],
)
def test_gates_that_return_no_law_are_refused(returned, message):
    class Odd(Append):
        def law(self, menagerie, live, *, outcomes=(), seen=0):
            return returned

    with pytest.raises(InvalidArgument, match=message):
        made(SelfPlayScheme(Naive(), Odd())).improve()


def test_three_players_are_met_independently():
    environment = batched(fish_war(rounds=1), episodes=8, seed=1)
    learner = grown_to(DeltaUniform(), 2, environment=environment)
    drawn = Counter(map(tuple, learner._draws.places(18_000).tolist()))
    assert len(drawn) == 9
    for count in drawn.values():
        assert binomial_tail(count, 18_000, 1 / 9) > 1e-6


def opponents_actions(recorder, first, learner):
    """Return what others did in the steps after the first, where all act at once."""
    return {
        int(action)
        for joint in recorder.joint[first:]
        for action in np.delete(joint, learner, axis=1).ravel()
    }


def test_the_live_opponent_is_frozen_as_it_is_now_and_snapshots_as_they_were():
    for scheme, expected in (
        (naive(), lambda k: {k % THROWS}),
        (delta_uniform(), lambda k: {j % THROWS for j in range(k + 1)}),
        (fictitious(), lambda k: {j % THROWS for j in range(k + 1)}),
    ):
        recorder = Recorder(match(episodes=64))
        learner = made(scheme, environment=recorder, seat=0)
        for k in range(4):
            first = len(recorder.joint)
            learner.improve()
            # whoever was drawn for an episode that had begun is there for one step more
            assert opponents_actions(recorder, first + 1, 0) == expected(k)


def test_every_copy_stands_before_the_gate_after_its_iteration():
    learner = made(delta_uniform(), every=2)
    sizes = [learner.improve()["menagerie"] for _ in range(5)]
    assert sizes == [1, 2, 2, 3, 3]
    actions = [int(own[0].argmax()) for own in learner.menagerie]
    assert actions == [0, 2, 4 % THROWS]
    kept = made(delta_uniform(), every=2)
    assert [kept.improve()["kept"] for _ in range(4)] == [0, 1, 0, 1]


def test_naive_keeps_the_latest_alone():
    learner = made(naive())
    for k in range(1, 5):
        metrics = learner.improve()
        assert (metrics["menagerie"], metrics["kept"], metrics["made"]) == (1, 1, k)
        (only,) = learner.menagerie
        assert int(only[0].argmax()) == k % THROWS


def test_metrics_count_episodes_and_points():
    learner = made(fictitious(), environment=match(episodes=6))
    taken = noted(learner)
    for k in range(1, 4):
        metrics = learner.improve()
        assert metrics["episodes"] == k * 4 * 6
        assert metrics["points"] == taken[-1].points.mean()


@pytest.mark.parametrize(
    "gate", [RollingWindow("2/3", 6), BinomialTest("9/10", 2, "1/10")], ids=repr
)
def test_gates_open_as_all_results_since_say_and_forget_them_then(gate):
    scheme = SelfPlayScheme(PastUniform(), gate)
    learner = made(scheme, environment=match(episodes=3), live=partial(Scripted, steps=1))
    taken = noted(learner)
    since, opened = [], 0
    for _ in range(60):
        kept = learner.improve()["kept"]
        since += [float(own[0]) for own in taken[-1].points]
        assert kept == gate.opens(since)
        if kept:
            since, opened = [], opened + 1
        assert len(learner.menagerie) == 1 + opened
    assert 2 < opened < 60


def test_wins_over_all_others_open_gates_of_three_players():
    environment = batched(fish_war(rounds=1), episodes=4, seed=1)
    learner = made(SelfPlayScheme(PastUniform(), RollingWindow(1, 2)), environment=environment)
    taken = noted(learner)
    since = []
    for _ in range(12):
        kept = learner.improve()["kept"]
        since += [1 if (own == 1).all() else 0 for own in taken[-1].points]
        assert kept == RollingWindow(1, 2).opens(since)
        since = [] if kept else since


def test_win_rates_of_snapshots_are_those_of_their_tables():
    for solver in (MetaStrategy.MAX_ENTROPY, MetaStrategy.UNIFORM):
        scheme = psro(RollingWindow("1/4", 4), MetaGame(solver))
        environment = match(repetitions=2, recall=1)
        live = {"name": "TabularReinforce", "step_size": 5.0}
        learner = made(scheme, environment=environment, live=live)
        for _ in range(8):
            learner.improve()
        kept = learner.menagerie
        assert len(kept) > 3
        expected = win_rates(environment.game, list(kept))
        assert np.asarray(kept.win_rates, dtype=float) == pytest.approx(expected.astype(float))
        weights = scheme.sampling.weights(kept)
        assert learner._draws._cumulative == pytest.approx(np.cumsum([float(w) for w in weights]))


def test_records_count_matches_and_old_ones_fade():
    environment = match(episodes=5)
    whole = grown_to(PastUniform(), 3, environment=environment, remembers=10**6)
    taken = noted(whole)
    points = [float(record.points) for record in whole.menagerie.records]
    matches = [record.matches for record in whole.menagerie.records]
    for _ in range(6):
        whole.improve()
        for place, own in zip(taken[-1].opponents[:, 0], taken[-1].points[:, 0], strict=True):
            points[place - 1] += own
            matches[place - 1] += 1
    assert [float(r.points) for r in whole.menagerie.records] == points
    assert [r.matches for r in whole.menagerie.records] == matches
    short = grown_to(PastUniform(), 3, environment=match(episodes=50), remembers=7)
    for _ in range(4):
        short.improve()
        for record in short.menagerie.records:
            assert record.matches == 7
            assert 0 <= record.points <= 7
            assert 0 < record.win_rate < 1


def test_records_fade_to_what_they_remember_and_keep_their_rate():
    """A first hundred matches and then many: the older ones count less."""
    learner = made(SelfPlayScheme(Naive(), Append()), live=partial(Scripted, steps=1), remembers=10)
    results = learner.play.results()
    learner._note(
        type(results)(
            seats=np.zeros(40, dtype=np.int64),
            opponents=np.ones((40, 1), dtype=np.int64),
            points=np.repeat([1.0, 0.0], 20)[:, None],
            returns=np.zeros(40),
        )
    )
    ((record,), (live, _)) = learner.menagerie.records, learner.menagerie.ratings
    assert (record.points, record.matches) == (5, 10)
    assert live == 1500.0


def test_prioritized_schemes_look_before_each_iteration():
    learner = grown_to(Prioritized(), 3, environment=match(episodes=40))
    for _ in range(3):
        before = Prioritized().weights(learner.menagerie)
        learner.improve()
        assert learner._draws._cumulative == pytest.approx(np.cumsum([float(w) for w in before]))


def test_elo_ratings_move_by_results_and_keep_their_sum():
    learner = made(SelfPlayScheme(EloKernel(), Append()), every=3, environment=match(episodes=4))
    taken = noted(learner)
    ratings = [1500.0, 1500.0]
    for k in range(1, 10):
        total = sum(learner.menagerie.ratings)
        learner.improve()
        for place, own in zip(taken[-1].opponents[:, 0], taken[-1].points[:, 0], strict=True):
            if place == LIVE:
                continue
            expected = 1 / (1 + 10 ** ((ratings[place - 1] - ratings[-1]) / 400))
            step = 32 * (own - expected)
            ratings[-1] += step
            ratings[place - 1] -= step
        if k % 3 == 0:
            ratings.append(ratings[-1])
            total += ratings[-1]
        assert learner.menagerie.ratings == pytest.approx(ratings)
        assert sum(learner.menagerie.ratings) == pytest.approx(total)
    assert len(ratings) == 5
    assert len({round(r, 6) for r in ratings}) > 2


def test_others_keep_their_first_ratings():
    learner = grown_to(PastUniform(), 3)
    assert learner.menagerie.ratings == (1500.0,) * 4


def test_snapshots_do_not_change_while_the_learner_goes_on():
    live = {"name": "TabularReinforce"}
    learner = made(delta_uniform(), live=live, environment=match(repetitions=2, recall=1))
    learner.improve()
    before = [own.tobytes() for own in learner.menagerie]
    for _ in range(3):
        learner.improve()
    after = [own.tobytes() for own in learner.menagerie]
    assert after[: len(before)] == before
    assert len(set(after)) > 3


@pytest.mark.parametrize(
    ("game", "live"),
    [
        (fish_war, {"name": "TabularReinforce"}),
        (lambda: RirRPS(2, 1), {"name": "TabularReinforce"}),
        (kuhn_poker, {"name": "TabularReinforce"}),
        (kuhn_poker, {"name": "QLearning"}),
        (kuhn_poker, {"name": "WolfPHC"}),
        (kuhn_poker, {"name": "PPO", "steps": 4, "network": {"hidden": [4]}}),
        (kuhn_poker, {"name": "DQN", "values": {"shape": {"hidden": [4]}}}),
    ],
)
def test_policies_say_in_each_seat_what_the_live_table_says(game, live):
    environment = batched(game(), episodes=4, seed=1)
    learner = made(delta_uniform(), environment=environment, live=live)
    learner.improve()
    table = learner._frozen()
    of_snapshot = learner.policies_of(1)
    for seat, policy in enumerate(learner.policies()):
        numbers, labels = learner.views.numbers[seat], environment.action_labels[seat]
        for number, state in environment.information_states[seat].items():
            row = table[numbers[number]]
            said = {action: float(w) for action, w in policy[state]}
            found = [said.get(a, 0.0) for a in labels]
            assert found == pytest.approx(row[: len(labels)], abs=1e-6)
            kept = {action: float(w) for action, w in of_snapshot[seat][state]}
            row = learner.menagerie[1][numbers[number]]
            found = [kept.get(a, 0.0) for a in labels]
            assert found == pytest.approx(row[: len(labels)], abs=1e-6)
    exact = snapshot_policies(environment, learner.views, learner.menagerie[0])
    assert len(exact) == len(environment.players)


def test_policies_of_features_say_what_the_network_says():
    inner = batched(kuhn_poker(), episodes=64, seed=1)  # enough to learn what is legal where
    live = {"name": "PPO", "steps": 16, "network": {"hidden": [4]}}
    learner = made(delta_uniform(), environment=features(inner), live=live)
    learner.improve()
    network = learner._frozen()
    for seat, policy in enumerate(learner.policies()):
        for number, state in inner.information_states[seat].items():
            seen = inner.observe(seat, state)
            assert seen[-1] == number
            row = np.zeros((1, learner.play.num_features[0]), dtype=np.float32)
            row[0, number] = row[0, -2 + seat] = 1.0
            legal = inner.legal[seat][[number]]
            padded = np.zeros((1, learner.play.num_actions[0]), dtype=bool)
            padded[:, : legal.shape[1]] = legal
            shares, _ = network.shares(
                row, np.array([-1]), padded, np.zeros((1, 0), dtype=np.float32)
            )
            said = {action: float(w) for action, w in policy[state]}
            expected = shares[0][: legal.shape[1]]
            found = [said.get(a, 0.0) for a in inner.action_labels[seat]]
            assert found == pytest.approx(expected, abs=1e-6)


def test_policies_that_remember_know_their_own_actions():
    """The network is asked turn by turn, as when it sits among the opponents."""
    environment = batched(leduc_poker(ranks=2, raises=1), episodes=16, seed=1)
    network = {"hidden": [4], "recurrence": "gru", "memory_size": 3}
    live = {"name": "PPO", "steps": 4, "network": network, "step_size": 0.05}
    learner = made(delta_uniform(), environment=environment, live=live)
    learner.improve()
    frozen, longer = learner._frozen(), 0
    for seat, policy in enumerate(learner.policies()):
        numbers, labels = learner.views.numbers[seat], environment.action_labels[seat]
        for state in environment.information_states[seat].values():
            memory, previous = np.zeros((1, frozen.memory_width), dtype=np.float32), -1
            seen = environment.observe(seat, state)
            for turn, number in enumerate(seen):
                legal = np.zeros((1, learner.play.num_actions[0]), dtype=bool)
                legal[0, : len(labels)] = environment.legal[seat][number]
                shares, memory = frozen.shares(
                    numbers[[number]], np.array([previous]), legal, memory
                )
                if turn + 1 < len(seen):
                    previous = labels.index(state[2 * turn + 1])
            said = {action: float(w) for action, w in policy[state]}
            found = [said.get(a, 0.0) for a in labels]
            assert found == pytest.approx(shares[0, : len(labels)], abs=1e-6)
            longer += len(seen) > 1
    assert longer


def test_a_frozen_table_wins_as_often_as_exact_tables_say_from_both_seats():
    """A table against another, 20,000 matches in each seat; errs once in 10^6 runs."""
    game = RirRPS(repetitions=3, recall=2)
    environment = batched(game, episodes=2000, seed=4)
    rng = np.random.default_rng(6)
    one, other = rng.dirichlet(np.full(3, 0.5), (2, 91))
    rate = float(win_rates(game, [one, other])[0, 1])

    class Fixed(Scripted):
        def frozen(self):
            return other

        def improve(self):
            turn = self.play.reset()
            for _ in range(3 * 10):
                cuts = one[turn.observations[:, 0]].cumsum(axis=1)[:, :2]
                action = (rng.random((len(cuts), 1)) >= cuts).sum(axis=1)
                turn = self.play.step(action[:, None])
            return {}

    for seat in (0, 1):
        learner = made(naive(), environment=environment, live=Fixed, seat=seat)
        taken = noted(learner)
        learner.improve()
        points = taken[-1].points
        assert len(points) == 20_000
        assert set(points.ravel().tolist()) == {0.0, 1.0}  # a coin decides ties
        assert binomial_tail(int(points.sum()), 20_000, rate) > 1e-6


def test_tables_on_disk_play_as_those_in_memory():
    live = {"name": "QLearning"}
    both = [
        made(delta_uniform(), live=live, environment=match(repetitions=2, recall=1), **options)
        for options in ({}, {"most_bytes": 1})
    ]
    for _ in range(4):
        in_memory, on_disk = (dict(learner.improve()) for learner in both)
        assert in_memory == on_disk
    assert [learner._opponents.lies_on_disk for learner in both] == [False, True]
    assert repr(both[0].snapshot()) == repr(both[1].snapshot())


def test_sampled_win_rates_are_of_the_seed():
    environment = batched(RepeatedGame.of("battle_of_the_sexes", rounds=2), episodes=8, seed=2)

    def rates(seed):
        scheme = psro(RollingWindow("1/8", 4))
        learner = made(
            scheme, environment=environment, live={"name": "TabularReinforce"}, seed=seed,
            evaluation=SampledWins(matches=200),
        )  # fmt: skip
        for _ in range(3):
            learner.improve()
        return learner.menagerie.win_rates.tolist()

    assert len(rates(1)) > 1
    assert rates(1) == rates(1) != rates(2)


def test_runs_begin_with_whom_they_are_told_to():
    first = made(delta_uniform())
    for _ in range(2):
        first.improve()
    rates = np.full((3, 3), Fraction(1, 2), dtype=object)
    told = Menagerie(first.menagerie.snapshots, win_rates=rates, ratings=(1.0, 2.0, 3.0, 4.0))
    second = made(fictitious(), begins_with=told)
    assert [own.tobytes() for own in second.menagerie] == [own.tobytes() for own in told]
    assert second.menagerie.ratings == told.ratings
    second.restore(second.snapshot())
    assert second.menagerie.win_rates.tolist() == [[0.5] * 3] * 3
    known = made(psro(), begins_with=Menagerie(told.snapshots)).menagerie
    assert known.win_rates == pytest.approx(win_rates(match().game, list(told)).astype(float))
    taken = noted(second)
    second.improve()
    assert set(taken[-1].opponents.ravel().tolist()) <= {1, 2, 3}


def test_who_is_gone_when_an_episode_ends_is_not_counted():
    first = made(delta_uniform())
    for _ in range(3):
        first.improve()
    environment = match(repetitions=3, recall=0)
    scheme = SelfPlayScheme(PastUniform(), KeepLatest())
    learner = made(
        scheme, environment=environment, begins_with=first.menagerie,
        live=partial(Scripted, steps=1),
    )  # fmt: skip
    taken = noted(learner)
    for _ in range(4):
        learner.improve()
    assert len(learner.menagerie) == 1
    assert taken[2].opponents.max() > 1
    assert sum(r.matches for r in learner.menagerie.records) == 0


def test_menageries_tell_what_is_known():
    learner = made(delta_uniform())
    assert isinstance(learner.menagerie, Menagerie)
    assert learner.menagerie.records[0].win_rate == Fraction(1, 2)
    learner.improve()
    assert learner.menagerie.win_rates is None
    assert made(psro()).menagerie.win_rates.tolist() == [[0.5]]
