"""Induction over stage games: certified at every stage, and the same as other roads give."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, NotConverged, UnsupportedGame
from gametheory_core.catalog import FishWar, RepeatedGame, Soccer, fish_war, load
from gametheory_core.certificates import LinearObjective
from gametheory_core.conversions import markov_view, posg_from_tables
from gametheory_core.games import stop_posg
from gametheory_core.games.listings import list_posg
from gametheory_core.leaders import leader_view
from gametheory_core.testing import markov_games
from solvers import Budget, markov
from solvers.markov import stage_games
from solvers.markov import stage_induction as module

OBJECTIVES = [
    LinearObjective((Fraction(1), Fraction(0))),
    LinearObjective((Fraction(0), Fraction(1))),
]
ALL = (
    markov.stage_nash_induction,
    markov.stage_stackelberg_induction,
    markov.stage_correlated_induction,
)


def odd_one_out():
    """Three players name sides, once: matching player 1 pays 2 and not 3, who pay each other."""
    acts = [("H", "T")] * 3
    joint = [(a, b, c) for a in "HT" for b in "HT" for c in "HT"]
    paid = {j: (int(j[0] == j[1]), int(j[1] == j[2]), int(j[2] != j[0])) for j in joint}
    return posg_from_tables(
        players=("1", "2", "3"),
        actions=acts,
        initial={"s": 1},
        transitions={("s", j): {"end": 1} for j in joint},
        rewards={("s", j, "end"): paid[j] for j in joint},
        terminal=["end"],
        horizon=1,
    )


@given(markov_games(num_players=(1, 2), max_actions=3))
def test_answers_are_exact_at_every_stage(view):
    for solver in ALL:
        if solver is markov.stage_stackelberg_induction and view.num_players != 2:
            continue
        solution = solver(view)
        solution.certificate.verify()
        assert solution.certificate.epsilon == 0
        assert solution.payoffs == solution.certificate.payoffs
        assert solution.run.iterations == view.num_stages


@given(markov_games(num_players=(2, 2), max_actions=3), st.sampled_from([1e-3, 1e-12]))
def test_a_tolerance_is_kept(view, tolerance):
    certificate = markov.stage_nash_induction(view, tolerance=tolerance).certificate
    certificate.verify()
    assert certificate.epsilon <= Fraction(tolerance)


@given(markov_games(num_players=(2, 2), max_horizon=1), st.sampled_from([0, 1]))
def test_in_one_stage_commitment_is_worth_at_least_equilibrium_and_correlation(view, leader):
    committed = markov.stage_stackelberg_induction(view, leader=leader).payoffs[leader]
    best = markov.stage_correlated_induction(view, objective=OBJECTIVES[leader])
    assert committed >= best.payoffs[leader] >= markov.stage_nash_induction(view).payoffs[leader]


def test_several_players_share_a_stock():
    solution = markov.stage_nash_induction(fish_war(fishers=3, stock=9, rounds=3))
    solution.certificate.verify()
    assert min(solution.payoffs) >= 3  # each can take its share at once
    last = solution.profile.lotteries[2]
    full = solution.certificate.game.state_index[9]
    assert [own[3] for own in last[full]] == [1, 1, 1]  # in the end everybody takes the share


def test_a_stage_of_three_without_pure_equilibrium_is_refused_but_can_be_correlated():
    with pytest.raises(UnsupportedGame, match=r"in state 's' there is none\. stage_correlated"):
        markov.stage_nash_induction(odd_one_out())
    solution = markov.stage_correlated_induction(odd_one_out())
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0


def test_zero_sum_stages_give_the_value_of_soccer_soon():
    game = stop_posg(Soccer(rows=2, columns=4), steps=4)
    exact = markov.stage_nash_induction(game)
    assert exact.payoffs == (0, 0)
    near = markov.stage_nash_induction(game, tolerance=1e-9)
    near.certificate.verify()
    assert abs(near.payoffs[0]) <= Fraction(1, 10**9)


def test_games_that_always_end_need_no_horizon():
    game = odd_one_out()
    endless = replace(game, horizon=None)
    assert (
        markov.stage_correlated_induction(endless).payoffs
        == markov.stage_correlated_induction(game).payoffs
    )
    assert markov.stage_correlated_induction(endless).certificate.game == game


@pytest.mark.parametrize("budget", [Budget(), Budget(seconds=0.0), Budget(iterations=0)], ids=repr)
@pytest.mark.parametrize("legal", [["a"], ["a", "b"]])
def test_a_game_that_has_ended_at_the_start_needs_no_budget(budget, legal):
    ended = list_posg(
        players=("Ann", "Bob"),
        actions=(legal, legal),
        initial={"over": 1},
        transitions={},
        terminal=["over"],
        horizon=2,
    )
    for solve in (markov.stage_nash_induction, markov.stage_correlated_induction):
        assert solve(ended, budget=budget).payoffs == (0, 0)


def test_a_budget_that_ends_leaves_a_measured_profile():
    game = RepeatedGame.of("prisoners_dilemma", rounds=3)
    seen = []
    with pytest.raises(NotConverged, match="all 9 stages, but the budget ended after 5") as caught:
        markov.stage_nash_induction(game, budget=Budget(iterations=5), on_iteration=seen.append)
    assert [p.total for p in seen] == [9] * 5
    best = caught.value.best
    best.certificate.verify()
    assert best.certificate.epsilon > 0


@pytest.mark.parametrize("solver", ALL[1:])
def test_other_inductions_stop_in_time_too(solver):
    with pytest.raises(NotConverged, match="Give a larger budget"):
        solver(RepeatedGame.of("chicken", rounds=3), budget=Budget(iterations=2))


@pytest.mark.parametrize("solver", ALL)
def test_endless_and_very_long_games_are_refused(solver):
    with pytest.raises(UnsupportedGame, match="needs a horizon, or play that always ends"):
        solver(RepeatedGame.of("chicken", rounds=None))
    with pytest.raises(UnsupportedGame, match="needs at most 200,000 stages"):
        solver(RepeatedGame.of("chicken", rounds=300_000, recall=0))


def test_commitment_needs_a_leader_and_a_follower():
    with pytest.raises(UnsupportedGame, match="needs two players, a leader and a follower"):
        markov.stage_stackelberg_induction(FishWar())
    with pytest.raises(InvalidArgument, match="leader"):
        markov.stage_stackelberg_induction(RepeatedGame.of("chicken"), leader=2)


def test_numbers_that_grow_too_long_are_refused(monkeypatch):
    monkeypatch.setattr(module, "MOST_BITS", 3)
    game = markov_view(RepeatedGame.of("battle_of_the_sexes", rounds=3, discount=Fraction(1, 10)))
    with pytest.raises(UnsupportedGame, match=r"Give a tolerance \(stage_nash_induction\)"):
        markov.stage_nash_induction(game)
    assert markov.stage_nash_induction(game, tolerance=1e-6).certificate.epsilon <= Fraction(
        1, 10**6
    )


@pytest.mark.parametrize("leader", [0, 1])
def test_a_view_keeps_its_own_leader(leader):
    view = leader_view(load("iterated_chicken:rounds=2"), leader=leader)
    found = markov.stage_stackelberg_induction(view)
    assert found.certificate.leader == leader
    assert found.payoffs[leader] == 0


@pytest.mark.parametrize("position", [0, 1])
def test_the_longest_number_of_a_stage_counts(position, monkeypatch):
    monkeypatch.setattr(module, "MOST_BITS", 3)
    rewards = [Fraction(1, 2), Fraction(1, 2)]
    rewards[position] = Fraction(1, 1000)
    game = posg_from_tables(
        players=("1", "2"),
        actions=[("a",), ("a",)],
        initial={"s": 1},
        transitions={("s", ("a", "a")): {"s": 1}},
        rewards={("s", ("a", "a"), "s"): tuple(rewards)},
        terminal=[],
        horizon=2,
    )
    with pytest.raises(UnsupportedGame, match="values of at most 3 bits .* one has 10 after"):
        markov.stage_nash_induction(game)


@given(st.fractions(Fraction(1, 10**12), 100), st.integers(1, 40))
def test_the_grid_is_as_fine_as_the_tolerance_over_all_times(tolerance, rounds):
    view = markov_view(RepeatedGame.of("chicken", rounds=rounds, recall=0))
    grid = stage_games._grid(view, tolerance)
    assert 4 * len(view.layers) <= tolerance * grid
    assert grid == 1 or tolerance * grid <= 64 * len(view.layers)


def test_time_that_ends_within_a_stage_ends_the_induction(monkeypatch):
    solve, calls = stage_games.stage_equilibrium, []

    def until_the_third(stage, **options):
        calls.append(stage)
        if len(calls) > 2:
            raise NotConverged("the time ended")
        return solve(stage, **options)

    monkeypatch.setattr(stage_games, "stage_equilibrium", until_the_third)
    game = RepeatedGame.of("prisoners_dilemma", rounds=3)
    with pytest.raises(NotConverged, match="all 9 stages") as caught:
        markov.stage_nash_induction(game)
    caught.value.best.certificate.verify()
