"""Many games at once are solved as one by one, to the last bit; nothing overflows."""

import os
import pickle
import subprocess
import sys
import time
import tracemalloc
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import solvers
from gametheory_core import NormalFormGame
from gametheory_core.errors import (
    CertificateRejected,
    InvalidArgument,
    InvalidGame,
    NotConverged,
    UnsupportedGame,
)
from gametheory_core.memory import memory_limit
from solvers import Budget, solve_many
from solvers.many_games import parts
from solvers.many_games.answers import solutions_in
from solvers.many_games.batch import read_batch
from solvers.many_games.roads import ROADS
from tests.sample_sizes import examples

TWO_PLAYERS = sorted(ROADS)
REAL = ("nash", "all-nash", "minimax", "stackelberg", "correlated", "dominance")

ENTRIES = {
    "bits": lambda rng, shape: rng.integers(0, 2, shape),
    "ties": lambda rng, shape: rng.integers(-2, 3, shape),
    "integers": lambda rng, shape: rng.integers(-100, 101, shape),
    "ordinal": lambda rng, shape: rng.permuted(
        np.broadcast_to(np.arange(np.prod(shape[2:])), (*shape[:2], np.prod(shape[2:]))), axis=2
    ).reshape(shape),
    "uniform": lambda rng, shape: rng.random(shape),
    "normal": lambda rng, shape: rng.standard_normal(shape),
    "tenths": lambda rng, shape: rng.integers(-9, 10, shape) / 10,
    "halves": lambda rng, shape: rng.integers(-9, 10, shape) / 2,
    "long integers": lambda rng, shape: rng.integers(-(2**63), 2**63 - 1, shape),
    "powers of two": lambda rng, shape: 2.0 ** rng.integers(-70, 70, shape),
    "many sizes": lambda rng, shape: 10.0 ** rng.uniform(-12, 3, shape),
    "denormal": lambda rng, shape: rng.integers(0, 5, shape) * 5e-324,
    "huge": lambda rng, shape: rng.uniform(-1, 1, shape) * 1e308,
    "constant": lambda rng, shape: np.full(shape, 3),
}


@st.composite
def batches(draw, most_actions=4, most_games=5):
    kind = draw(st.sampled_from(sorted(ENTRIES)))
    shape = (draw(st.integers(1, most_games)), 2)
    shape += (draw(st.integers(1, most_actions)), draw(st.integers(1, most_actions)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return ENTRIES[kind](rng, shape)


def zero_sum(payoffs):
    """Of each game the zero-sum one with the row player's payoffs, where minus them is a number."""
    own = np.where(payoffs[:, 0] == np.iinfo(np.int64).min, 0, payoffs[:, 0])
    return np.stack([own, -own], axis=1)


def one_by_one(concept, game):
    return getattr(solvers, ROADS[concept].solver)(game)


def profiles_of(found):
    return [own.profile for own in solutions_in(found)]


@pytest.mark.parametrize("concept", TWO_PLAYERS)
@examples(60)
@given(payoffs=batches())
def test_answers_are_those_of_single_solvers_bit_for_bit(concept, payoffs):
    if concept == "minimax":
        payoffs = zero_sum(payoffs)
    answers = solve_many(payoffs, concept)
    assert len(answers) == len(payoffs) == len(answers.counts)
    for index, found in enumerate(answers):
        single = one_by_one(concept, answers.game(index))
        assert profiles_of(found) == profiles_of(single) == answers.exact(index)
        assert [own.payoffs for own in solutions_in(found)] == [
            own.payoffs for own in solutions_in(single)
        ]
        assert answers.counts[index] == len(profiles_of(single))
    answers.verify()


@pytest.mark.parametrize("concept", TWO_PLAYERS)
@examples(20)
@given(payoffs=batches(most_games=9), data=st.data())
def test_answers_depend_on_no_other_game_and_on_no_thread(concept, payoffs, data):
    if concept == "minimax":
        payoffs = zero_sum(payoffs)
    whole = solve_many(payoffs, concept)
    workers = data.draw(st.sampled_from([1, 2, 7]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("solvers.many_games.solving.AT_ONCE", data.draw(st.integers(1, 4)))
        budget = data.draw(st.sampled_from([Budget(), Budget(seconds=1e6)]))
        other = solve_many(payoffs, concept, workers=workers, budget=budget)
    for name in ("counts", "games", "expected_payoffs", "found_apart"):
        assert np.array_equal(getattr(whole, name), getattr(other, name)), name
    for mine, theirs in zip(whole.strategies, other.strategies, strict=True):
        assert np.array_equal(mine, theirs)
    for mine, theirs in zip(whole.weights, other.weights, strict=True):
        assert np.array_equal(mine, theirs)
    index = data.draw(st.integers(0, len(payoffs) - 1))
    alone = solve_many(payoffs[index : index + 1], concept)
    assert alone.exact(0) == whole.exact(index)


@examples(40)
@given(payoffs=batches(most_actions=8, most_games=2), label=st.integers(0, 15))
def test_any_label_may_be_dropped_first(payoffs, label):
    label %= sum(payoffs.shape[2:])
    answers = solve_many(payoffs, initial_label=label)
    for index, found in enumerate(answers):
        single = solvers.lemke_howson(answers.game(index), initial_label=label)
        assert found.profile == single.profile


@examples(40)
@given(payoffs=batches(most_games=3))
def test_either_player_may_lead(payoffs):
    answers = solve_many(payoffs, "stackelberg", leader=1)
    for index, found in enumerate(answers):
        single = solvers.strong_stackelberg(answers.game(index), leader=1)
        assert answers.exact(index) == [single.profile]
        assert found.payoffs == single.payoffs
        assert np.allclose(answers.expected_payoffs[index], list(map(float, single.payoffs)))


@examples(30)
@given(payoffs=batches(most_actions=6, most_games=3))
def test_a_matrix_is_a_zero_sum_game(payoffs):
    own = zero_sum(payoffs)[:, 0]
    answers = solve_many(own, "minimax")
    for index, found in enumerate(answers):
        single = solvers.minimax(NormalFormGame.zero_sum(own[index]))
        assert found.profile == single.profile
        assert found.certificate.game_value == single.certificate.game_value
        assert answers.expected_payoffs[index, 0] == -answers.expected_payoffs[index, 1]
    answers.verify()


def test_pure_equilibria_of_three_players():
    payoffs = np.random.default_rng(3).integers(0, 4, (50, 3, 2, 3, 2))
    answers = solve_many(payoffs, "pure-nash")
    for index, found in enumerate(answers):
        single = solvers.pure(answers.game(index))
        assert found.equilibria == single.equilibria or profiles_of(found) == profiles_of(single)
        assert answers.exact(index) == profiles_of(single)
    answers.verify()


def traced_peak(call):
    """Return how many bytes a call took at most, besides what there was."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_payoffs_of_a_large_game_are_not_copied_for_each_equilibrium():
    payoffs = np.random.default_rng(0).integers(0, 2, (1, 12, *[2] * 12)) // 2
    payoffs[0, 3] = 7
    answers = solve_many(payoffs, "pure-nash")
    assert answers.counts.tolist() == [2**12]
    assert (answers.expected_payoffs == [0, 0, 0, 7, *[0] * 8]).all()
    assert traced_peak(lambda: solve_many(payoffs, "pure-nash")) < 40 * payoffs.nbytes


@pytest.mark.parametrize("concept", TWO_PLAYERS)
def test_what_answers_pay_is_found_a_few_at_a_time(monkeypatch, concept):
    payoffs = zero_sum(np.random.default_rng(0).integers(0, 3, (40, 2, 3, 3)))
    whole = solve_many(payoffs, concept).expected_payoffs
    monkeypatch.setattr(parts, "PAID_AT_ONCE", 1_000)
    assert np.array_equal(solve_many(payoffs, concept).expected_payoffs, whole)


def test_more_pure_equilibria_than_fit_into_memory_are_refused():
    payoffs = np.zeros((1, 12, *[2] * 12))
    with (
        memory_limit(2**21),
        pytest.raises(UnsupportedGame, match=r"4,096 pure equilibria of 12 players.*smaller ones"),
    ):
        solve_many(payoffs, "pure-nash")


def test_rationals_are_solved_one_by_one():
    thirds = [[[[Fraction(1, 3), 0], [0, 1]]] * 2, [[["1/7", 2], [3, 0.5]]] * 2]
    answers = solve_many(thirds)
    assert answers.found_apart.all()
    assert answers[0].payoffs == solvers.lemke_howson(answers.game(0)).payoffs
    assert answers[1].profile == solvers.lemke_howson(answers.game(1)).profile
    answers.verify()


def test_one_rational_sends_no_other_game_apart():
    payoffs = np.random.default_rng(0).integers(-9, 10, (30, 2, 3, 3)).astype(object)
    payoffs[7, 0, 0, 0] = Fraction(1, 3)
    payoffs[8, 1, 0, 0] = 2**63
    answers = solve_many(payoffs, "all-nash")
    assert np.flatnonzero(answers.found_apart).tolist() == [7, 8]
    for index in (6, 7, 8):
        assert profiles_of(answers[index]) == profiles_of(
            one_by_one("all-nash", answers.game(index))
        )
    answers.verify()


def test_payoffs_beyond_floats_are_solved_exactly():
    answers = solve_many([[[[10**400, 0], [0, 1]], [[1, 0], [0, 1]]]])
    assert answers[0].payoffs == solvers.lemke_howson(answers.game(0)).payoffs
    assert answers.expected_payoffs[0].tolist() == [np.inf, 1]
    answers.verify()


def test_pure_choices_of_one_player():
    answers = solve_many(np.array([[[1, 2, 2]], [[3, 0, 1]]]), "pure-nash")
    assert answers.counts.tolist() == [2, 1]
    assert profiles_of(answers[0]) == profiles_of(solvers.pure(answers.game(0)))
    answers.verify()


def test_lists_of_large_games_are_those_of_vertex_enumeration():
    payoffs = np.random.default_rng(0).random((1, 2, 10, 10))
    answers = solve_many(payoffs, "all-nash")
    assert answers.found_apart.all()
    assert profiles_of(answers[0]) == profiles_of(solvers.vertex_enumeration(answers.game(0)))


def test_lists_of_whole_numbers_are_no_objects():
    answers = solve_many([[[[1, 0], [0, 1]]] * 2])
    assert answers.payoffs.dtype == np.int64
    assert not answers.found_apart.any()


@pytest.mark.parametrize("size", [(9, 9), (40, 2)])
def test_sizes_beyond_the_loops_are_solved_one_by_one(size):
    payoffs = np.random.default_rng(5).integers(-9, 10, (2, 2, *size))
    answers = solve_many(payoffs)
    assert answers.found_apart.all()
    assert answers[1].profile == solvers.lemke_howson(answers.game(1)).profile


def test_numbers_that_need_too_many_words_are_told_and_solved_apart():
    payoffs = np.random.default_rng(0).random((3, 2, 3, 3))
    payoffs[1, 0, 0, 0] = 1e-300
    answers = solve_many(payoffs)
    assert answers.found_apart.tolist() == [False, True, False]
    assert answers[1].profile == solvers.lemke_howson(answers.game(1)).profile
    assert not answers.weights[0][1].any()
    answers.verify()


@pytest.mark.parametrize("concept", TWO_PLAYERS)
def test_no_games_at_all(concept):
    answers = solve_many(np.zeros((0, 2, 3, 3)), concept)
    assert len(answers) == 0 == len(answers.games)
    assert list(answers) == []
    answers.verify()


def test_negative_numbers_count_from_the_end():
    answers = solve_many(np.random.default_rng(1).integers(0, 9, (4, 2, 2, 2)))
    assert answers[-1].profile == answers[3].profile
    for index in (4, -5, 1.0, True, None, "1", slice(2)):
        with pytest.raises(InvalidArgument, match=r"index .*-4 to 3.*got .*from the end"):
            answers[index]


@pytest.mark.parametrize("concept", TWO_PLAYERS)
def test_answers_can_be_pickled(concept):
    payoffs = zero_sum(np.random.default_rng(1).integers(0, 3, (20, 2, 2, 2)))
    answers = solve_many(payoffs, concept)
    again = pickle.loads(pickle.dumps(answers))
    assert [again.exact(i) for i in range(20)] == [answers.exact(i) for i in range(20)]
    again.verify()


def test_its_repr_is_one_line():
    answers = solve_many(np.random.default_rng(1).integers(0, 9, (1_000, 2, 2, 2)), "all-nash")
    assert "1,000 games of 2 x 2 actions" in repr(answers)
    assert len(repr(answers)) < 200


def forged(answers, array, change):
    new = [own.copy() for own in getattr(answers, array)]
    change(new)
    return replace(answers, **{array: tuple(new)})


@pytest.mark.parametrize("concept", ["nash", "all-nash", "minimax"])
def test_forged_weights_are_rejected(concept):
    payoffs = np.random.default_rng(2).integers(-50, 51, (20, 2, 3, 3))
    payoffs = zero_sum(payoffs) if concept == "minimax" else payoffs
    answers = solve_many(payoffs, concept)
    mixed = int(np.argmax((answers.strategies[0] > 0).sum(axis=1) > 1))

    def more(weights):
        weights[0][mixed, np.argmax(weights[0][mixed, :, 0] > 0), 0] += 1

    game = answers.games[mixed]
    with pytest.raises(CertificateRejected, match=f"game {game}"):
        forged(answers, "weights", more).verify()

    def nothing(weights):
        weights[1][mixed] = 0

    with pytest.raises(CertificateRejected, match=f"game {game}.*no strategy"):
        forged(answers, "weights", nothing).verify()

    def other(strategies):
        strategies[0][mixed] = strategies[0][mixed] * (1 + 1e-12)

    with pytest.raises(CertificateRejected, match="floats next to"):
        forged(answers, "strategies", other).verify()


SOLVED = np.random.default_rng(12).integers(-50, 51, (12, 2, 3, 3))


def zero_sum_of_any(payoffs):
    return np.stack([payoffs[:, 0], -payoffs[:, 0]], axis=1)


@pytest.mark.parametrize("payoffs", [SOLVED, np.array(SOLVED, dtype=object) * 10**25])
@pytest.mark.parametrize("concept", TWO_PLAYERS)
def test_arrays_that_do_not_belong_together_are_rejected(concept, payoffs):
    payoffs = zero_sum_of_any(payoffs) if concept == "minimax" else payoffs
    answers = solve_many(payoffs, concept)
    answers.verify()
    last = len(answers.games) - 1
    names = ("strategies", "weights")
    shorter = {name: tuple(own[:last] for own in getattr(answers, name)) for name in names}
    apart, paid = ~answers.found_apart, answers.expected_payoffs
    other = paid.copy()
    other[last:] += np.abs(answers.payoffs.astype(float)).max()
    worse = [own.copy() for own in answers.strategies]
    worse[0][last] = np.nan
    changes = [
        {"games": answers.games[:last], "expected_payoffs": paid[:last], **shorter},
        {"counts": answers.counts + 1},
        {"games": answers.games[::-1]},
        {"found_apart": apart},
        {"strategies": tuple(worse)},
        {"payoffs": np.zeros_like(answers.payoffs)},
        {"games": answers.games + len(answers)},
    ]
    if concept not in ("all-nash", "pure-nash"):
        fewer = answers.counts - (np.arange(len(answers)) == answers.games[last])
        changes.append({"counts": fewer, **changes[0]})
    if concept != "dominance":
        changes.append({"expected_payoffs": other})
    if not answers.found_apart.any():
        changes.append({"weights": tuple(np.zeros_like(own) for own in answers.weights)})
    for change in changes:
        with pytest.raises(CertificateRejected, match="Do not use th"):
            replace(answers, **change).verify()


@pytest.mark.parametrize("concept", ["all-nash", "pure-nash"])
def test_lists_that_miss_one_are_rejected(concept):
    payoffs = np.array([[[[2, 0], [0, 1]]] * 2] * 3)
    answers = solve_many(payoffs, concept)
    kept = np.arange(len(answers.games)) != 1
    short = replace(
        answers,
        games=answers.games[kept],
        counts=np.bincount(answers.games[kept], minlength=len(answers)),
        expected_payoffs=answers.expected_payoffs[kept],
        strategies=tuple(own[kept] for own in answers.strategies),
        weights=tuple(own[kept] for own in answers.weights),
    )
    with pytest.raises(CertificateRejected, match="missing|another in the arrays|complete"):
        short.verify()


@pytest.mark.parametrize("concept", ["stackelberg", "correlated", "dominance"])
def test_worse_answers_are_rejected(concept):
    payoffs = np.random.default_rng(4).integers(-50, 51, (5, 2, 3, 3))
    answers = solve_many(payoffs, concept)

    def changed(weights):
        weights[0][2] = np.roll(weights[0][2], 1, axis=0)

    with pytest.raises(CertificateRejected, match="game 2"):
        forged(answers, "weights", changed).verify()


@pytest.mark.parametrize(
    ("payoffs", "concept", "message"),
    [
        (np.zeros((3, 2, 2)), "nash", r"games, players, actions.*\(3, 2, 2\)"),
        (np.zeros((3, 3, 2, 2, 2)), "nash", "two players.*3 players"),
        (np.zeros((3, 1, 2)), "nash", "two players.*1 player"),
        (np.zeros((3, 2, 0, 2)), "nash", "no player without actions"),
        (np.zeros((3, 3, 2, 2)), "minimax", r"\(3, 3, 2, 2\)"),
        (np.zeros(4), "pure-nash", r"\(4,\)"),
        (3, "nash", r"\(\)"),
        ([[[[1, 2], [3]]] * 2], "nash", "row|length"),
        ([[[["x", 2], [3, 4]]] * 2], "nash", "'x'"),
    ],
)
def test_other_shapes_are_refused(payoffs, concept, message):
    with pytest.raises((InvalidGame, InvalidArgument), match=message):
        solve_many(payoffs, concept)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_not_finite_is_refused_with_its_game(bad):
    payoffs = np.zeros((5, 2, 2, 2))
    payoffs[3, 1, 0, 1] = bad
    with pytest.raises(InvalidGame, match=r"\(3, 1, 0, 1\).*in game 3"):
        solve_many(payoffs)


def test_a_game_that_is_not_zero_sum_is_named():
    payoffs = zero_sum(np.random.default_rng(0).integers(-9, 10, (4, 2, 2, 2)))
    payoffs[2, 1, 0, 0] += 1
    with pytest.raises(UnsupportedGame, match="game 2"):
        solve_many(payoffs, "minimax")


def test_the_sum_of_least_integers_does_not_wrap_to_zero():
    payoffs = np.full((1, 2, 1, 2), np.iinfo(np.int64).min)
    payoffs[0, :, 0, 1] = [5, -5]
    with pytest.raises(UnsupportedGame, match="game 0"):
        solve_many(payoffs, "minimax")


def test_constant_sum_games_are_solved_apart():
    payoffs = zero_sum(np.random.default_rng(0).integers(-9, 10, (4, 2, 2, 2)))
    payoffs[2, 1] += 7
    answers = solve_many(payoffs, "minimax")
    assert answers.found_apart.tolist() == [False, False, True, False]
    assert answers[2].payoffs == solvers.minimax(answers.game(2)).payoffs
    answers.verify()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"concept": "sequential"}, "nash, all-nash"),
        ({"concept": 3}, "concept"),
        ({"leader": 2, "concept": "stackelberg"}, "leader"),
        ({"leader": True}, "leader"),
        ({"leader": 1}, "leader is 1"),
        ({"initial_label": 1, "concept": "all-nash"}, "initial_label is 1"),
        ({"initial_label": 4}, "initial_label"),
        ({"initial_label": 1.0}, "initial_label"),
        ({"workers": 0}, "workers"),
        ({"workers": True}, "workers"),
        ({"budget": 3}, "Budget"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(InvalidArgument, match=message):
        solve_many(np.zeros((2, 2, 2, 2)), **options)


@pytest.mark.parametrize("workers", [1, 3])
def test_the_answers_so_far_are_kept_where_the_budget_ends(monkeypatch, workers):
    monkeypatch.setattr("solvers.many_games.solving.AT_ONCE", 10)
    payoffs = np.random.default_rng(0).integers(-9, 10, (95, 2, 2, 2))
    with pytest.raises(NotConverged, match="95 games.*25") as caught:
        solve_many(payoffs, budget=Budget(iterations=25), workers=workers)
    best = caught.value.best
    assert len(best) == 25
    best.verify()
    assert np.array_equal(best.strategies[0], solve_many(payoffs[:25]).strategies[0])


def test_no_game_is_solved_where_the_budget_has_none():
    with pytest.raises(NotConverged, match="after 0") as caught:
        solve_many(np.zeros((5, 2, 2, 2)), budget=Budget(iterations=0))
    assert len(caught.value.best) == 0


@pytest.mark.parametrize("workers", [1, 2])
def test_a_limit_on_time_is_kept_within_the_time_of_a_few_games(monkeypatch, workers):
    """Each game takes 20 ms: after the first one, so do five of them at once."""
    solved = []

    def slowly(task, place):
        time.sleep(0.02 * len(place))
        solved.append(len(place))
        return parts.solve_part(task, place)

    monkeypatch.setattr("solvers.many_games.solving.solve_part", slowly)
    began = time.perf_counter()
    with pytest.raises(NotConverged, match="the budget ended"):
        solve_many(np.zeros((2_000, 2, 2, 2)), budget=Budget(seconds=0.5), workers=workers)
    assert time.perf_counter() - began < 2
    assert solved[0] == 1
    assert 1 < max(solved) <= 5


@pytest.mark.parametrize("workers", [1, 1_000])
def test_quick_games_are_soon_solved_by_thousands(workers):
    seen = []
    payoffs = np.random.default_rng(0).integers(-9, 10, (9_000, 3, 3))
    budget = Budget(seconds=1e6)
    solve_many(payoffs, "minimax", workers=workers, budget=budget, on_iteration=seen.append)
    counts = np.diff([0, *(own.done for own in seen)])
    assert counts.sum() == 9_000
    assert len(seen) < 30 * min(workers, os.cpu_count() or 1)


def test_progress_counts_games(monkeypatch):
    monkeypatch.setattr("solvers.many_games.solving.AT_ONCE", 10)
    seen = []
    solve_many(np.zeros((25, 2, 2, 2)), on_iteration=seen.append)
    assert [(own.done, own.total, own.unit) for own in seen] == [
        (10, 25, "games"),
        (20, 25, "games"),
        (25, 25, "games"),
    ]


def test_more_than_the_memory_is_refused_before_it_starts():
    payoffs = np.broadcast_to(np.zeros((2, 2, 2)), (10_000, 2, 2, 2))
    with (
        memory_limit(2**20),
        pytest.raises(UnsupportedGame, match=r"10,000 games of 2 x 2 actions.*several calls"),
    ):
        solve_many(payoffs)


def test_a_view_of_one_number_is_refused_before_it_is_copied():
    payoffs = np.broadcast_to(np.zeros(1), (10**12, 2, 3, 3))
    with pytest.raises(
        UnsupportedGame, match=r"a copy of payoffs of shape \(10+, 2.*several calls"
    ):
        solve_many(payoffs)


def test_the_limit_of_the_budget_is_that_of_the_estimate():
    payoffs = np.zeros((20_000, 2, 3, 3), dtype=int)
    with pytest.raises(UnsupportedGame, match=r"20,000 games of 3 x 3.*at most 4 MiB"):
        solve_many(payoffs, budget=Budget(memory=2**22))


@pytest.mark.parametrize("workers", [1, 2])
def test_what_is_joined_fits_into_the_memory_that_may_be_taken(monkeypatch, workers):
    """Each game has 36 equilibria: more than any estimate from the sizes."""
    for module in ("many_games.solving", "solution"):
        monkeypatch.setattr(
            f"solvers.{module}.resident_memory", lambda: tracemalloc.get_traced_memory()[0]
        )
    payoffs, limit = np.zeros((40_000, 2, 6, 6)), 2**27
    solve_many(payoffs[:1], "all-nash")
    caught = []

    def solve():
        with pytest.raises(NotConverged, match=r"40,000.*memory ended after.*128 MiB") as error:
            solve_many(payoffs, "all-nash", workers=workers, budget=Budget(memory=limit))
        caught.append(error.value)

    assert limit / 2 < traced_peak(solve) < limit
    assert "several calls" in str(caught[0])
    best = caught[0].best
    assert 0 < len(best) < 40_000
    assert (best.counts == 36).all()
    best[len(best) - 1].equilibria[0].certificate.verify()


def test_the_first_call_of_a_process_has_as_much_memory_as_others():
    """Code of compiled loops, some 130 MB, is not counted."""
    script = (
        "import numpy as np; from solvers import Budget, solve_many; "
        "print(solve_many(np.zeros((5_000, 2, 3, 3)), budget=Budget(memory=2**26)))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script], check=False, capture_output=True, text=True
    )
    assert "5,000 answers" in ended.stdout, ended.stderr


def test_payoffs_are_copied_once():
    payoffs = np.random.default_rng(0).random((50_000, 3, 3))
    read = traced_peak(lambda: read_batch(payoffs, is_zero_sum=True))
    assert payoffs.nbytes <= read < 1.3 * payoffs.nbytes


@pytest.mark.parametrize("concept", ["stackelberg", "correlated"])
def test_where_several_answers_are_as_good_the_single_solver_chooses(concept):
    """The row player earns the same whatever is played."""
    rng = np.random.default_rng(6)
    payoffs = np.stack([np.full((30, 3, 3), 4), rng.integers(-9, 10, (30, 3, 3))], axis=1)
    if concept == "correlated":
        payoffs[:, 1] = -payoffs[:, 0]
    answers = solve_many(payoffs, concept)
    assert answers.found_apart.all()
    assert answers.exact(7) == profiles_of(one_by_one(concept, answers.game(7)))


def test_what_a_mixture_matches_exactly_is_not_strictly_dominated():
    own = [[4, 0], [0, 4], [2, 2], [1, 2]]
    answers = solve_many([[own, [[0, 1], [1, 0], [0, 1], [1, 0]]]], "dominance")
    assert answers.exact(0) == profiles_of(one_by_one("dominance", answers.game(0)))
    assert answers.exact(0)[0][0] == (0, 1, 2)
    assert not answers.found_apart.any()


@pytest.mark.parametrize("concept", REAL)
@examples(15)
@given(seed=st.integers(0, 2**32 - 1), exponent=st.integers(-200, 200))
def test_the_players_may_count_in_units_of_any_size(concept, seed, exponent):
    rng = np.random.default_rng(seed)
    payoffs = rng.integers(-9, 10, (3, 2, 3, 3)).astype(float)
    payoffs[:, 1] *= 2.0**exponent
    if concept == "minimax":
        payoffs = zero_sum(payoffs[:, ::-1])
    answers = solve_many(payoffs, concept)
    for index in range(len(answers)):
        assert answers.exact(index) == profiles_of(one_by_one(concept, answers.game(index)))
