"""Win rates of snapshots are those of the exact tables, of brute force, or within their bounds."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import Decision, Terminal, UnsupportedGame, from_sketch, load_game
from gametheory_core.catalog import RepeatedGame, RirRPS, fish_war, kuhn_poker, random_tree, tiger
from gametheory_core.conversions import extensive_to_aec, posg_from_tables, posg_to_aec
from gametheory_core.evaluation import aec_trajectories, posg_trajectories
from gametheory_core.games.rules import is_posg
from gametheory_core.testing import binomial_tail
from learners import Sees, batched
from learners.matches import win_rates
from learners.self_play import ExactReturns, ExactWins, SampledWins
from learners.self_play.evaluation import Evaluator, snapshot_policies
from learners.self_play.views import seat_views
from tests.sample_sizes import examples

HALF = Fraction(1, 2)


def evaluator(game, evaluation=None, *, seed=0, sees=Sees.LAST, **options):
    environment = batched(game, episodes=1, seed=1, sees=sees, **options)
    return Evaluator(environment, seat_views(environment), evaluation, seed=seed)


def random_tables(found, count, *, seed):
    """Return tables of the evaluator's game that do what is legal, with rational shares."""
    views, environment = found._views, found._environment
    rng = np.random.default_rng(seed)
    tables = rng.integers(1, 4, (count, views.num_observations, max(environment.num_actions)))
    for numbers, legal in zip(views.numbers, environment.legal, strict=True):
        tables[:, numbers, legal.shape[1] :] = 0
        tables[:, numbers, : legal.shape[1]] *= legal
    return list(tables / np.maximum(1, tables.sum(axis=2, keepdims=True)))


def random_posg(seed):
    """Return a zero-sum game of two steps, two states, hidden signals and small rewards."""
    rng = np.random.default_rng(seed)
    states, actions = ["a", "b"], ["x", "y"]
    joint = [(p, q) for p in actions for q in actions]
    live = [(step, s) for step in range(2) for s in states]
    entered = {state: [(state[0] + 1, s) for s in states] for state in live}
    shares = {}
    rewards = {}
    for state in live:
        for both in joint:
            weight = Fraction(int(rng.integers(1, 4)), 4)
            shares[state, both] = dict(zip(entered[state], (weight, 1 - weight), strict=True))
            for after in entered[state]:
                paid = int(rng.integers(-3, 4))
                rewards[state, both, after] = (paid, -paid)
    seen = {s: tuple(str(rng.integers(2)) for _ in range(2)) for s in [*live, *entered[1, "a"]]}
    return posg_from_tables(
        players=["one", "two"],
        actions=[actions, actions],
        initial={(0, "a"): "1/3", (0, "b"): "2/3"},
        initial_observations={s: {seen[s]: 1} for s in live[:2]},
        observations={
            (both, s): {seen[s]: 1} for both in joint for s in [*live[2:], *entered[1, "a"]]
        },
        transitions=shares,
        rewards=rewards,
        terminal=entered[1, "a"],
        title="Small zero-sum game",
    )


def brute_return(game, profile):
    """Return what the first player is paid on average, play by play."""
    if is_posg(game):
        return sum(
            weight * sum(step.rewards[0] for step in play.steps)
            for play, weight in posg_trajectories(game, profile)
        )
    return sum(
        weight * sum(move.rewards[0] for move in play.moves)
        for play, weight in aec_trajectories(game, profile)
    )


def largest_payoff(game, found):
    return abs(found._tree[0].exact_terminal_payoffs).max()


def assert_rows_are_brute_force(game, seed, *, sees=Sees.LAST):
    found = evaluator(game, ExactReturns(), sees=sees)
    first, second, third = random_tables(found, 3, seed=seed)
    rules = found._environment.rules
    row = found.row(first, (second, third))
    most = largest_payoff(game, found)
    for rate, other in zip(row, (second, third), strict=True):
        own, theirs = (
            snapshot_policies(found._environment, found._views, t) for t in (first, other)
        )
        ahead = brute_return(rules, (own[0], theirs[1]))
        behind = brute_return(rules, (theirs[0], own[1]))
        expected = (1 + (ahead - behind) / 2 / most) / 2 if most else HALF
        assert rate == pytest.approx(float(expected), abs=1e-9)
        assert found.row(other, (first,))[0] == pytest.approx(1 - rate, abs=1e-12)
    assert found.row(first, (first, first.copy())) == pytest.approx([0.5, 0.5], abs=1e-12)
    assert found.row(first, ()).shape == (0,)


@examples(12)
@given(st.integers(0, 2**32))
def test_returns_in_random_games_of_steps_are_brute_force(seed):
    assert_rows_are_brute_force(random_posg(seed), seed)
    assert_rows_are_brute_force(random_posg(seed), seed, sees=Sees.HISTORY)


@examples(6)
@given(st.integers(0, 2**32))
def test_returns_in_random_games_by_turns_are_brute_force(seed):
    assert_rows_are_brute_force(posg_to_aec(random_posg(seed)).target, seed)


@examples(12)
@given(st.integers(0, 2**32))
def test_returns_in_random_trees_are_brute_force(seed):
    tree = random_tree(rng=np.random.default_rng(seed), depth=3, zero_sum=True)
    assert_rows_are_brute_force(tree, seed)
    assert_rows_are_brute_force(extensive_to_aec(tree).target, seed)


def test_returns_of_kuhn_poker_are_brute_force():
    assert_rows_are_brute_force(kuhn_poker(), 3)


@examples(8)
@given(st.integers(0, 2**32))
def test_wins_of_matches_are_the_exact_table(seed):
    game = RirRPS(repetitions=3, recall=1)
    found = evaluator(game)
    assert found.evaluation == ExactWins()
    tables = random_tables(found, 4, seed=seed)
    rates = win_rates(game, tables)
    assert found.row(tables[0], tuple(tables[1:])) == pytest.approx(rates[0, 1:], abs=1e-12)
    assert found.row(tables[3], tuple(tables[:3])) == pytest.approx(rates[3, :3], abs=1e-12)


@pytest.mark.parametrize("seed", [0, 1])
def test_sampled_wins_are_within_their_bounds(seed):
    """Each count errs once in 10^6 runs of the right code; ties count half, so wins are doubled."""
    game = RirRPS(repetitions=2, recall=1)
    exact, sampled = evaluator(game), evaluator(game, SampledWins(matches=4000), seed=seed)
    tables = random_tables(exact, 3, seed=seed)
    rates = exact.row(tables[0], tuple(tables[1:]))
    found = sampled.row(tables[0], tuple(tables[1:]))
    for rate, share in zip(rates, found, strict=True):  # the rules draw ties by a coin
        assert binomial_tail(round(share * 4000), 4000, float(rate)) > 1e-6
    assert found.tolist() == sampled.row(tables[0], tuple(tables[1:])).tolist()
    assert len(set(evaluator(game, SampledWins(4000), seed=9).row(tables[0], tables[1:]))) == 2


def test_sampled_wins_of_opponents_are_independent():
    game = RirRPS(repetitions=2, recall=1)
    sampled = evaluator(game, SampledWins(matches=500))
    one, other = random_tables(sampled, 2, seed=1)
    first, second = sampled.row(one, (other, other.copy()))
    assert first != second


def test_ties_of_sampled_matches_count_half_in_sums_of_floats():
    """Both are paid 1/10, 2/10 and 3/10, in another order: floats alone would see a winner."""
    steps = {"1/10": "3/10", "2/10": "2/10", "3/10": "1/10"}
    game = posg_from_tables(
        players=["one", "two"],
        actions=[["go"], ["go"]],
        initial={0: 1},
        initial_observations={0: {("s", "s"): 1}},
        observations={(("go", "go"), k): {("s", "s"): 1} for k in (1, 2, 3)},
        transitions={(k, ("go", "go")): {k + 1: 1} for k in range(3)},
        rewards={(k, ("go", "go"), k + 1): pair for k, pair in enumerate(steps.items())},
        terminal=[3],
    )
    found = evaluator(game)
    assert found.evaluation == SampledWins()
    only = np.ones((2, 1))
    assert found.row(only, (only,)).tolist() == [0.5]


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        (lambda: RirRPS(repetitions=2, recall=1), ExactWins()),
        (lambda: RepeatedGame.of("prisoners_dilemma", rounds=2), ExactWins()),
        (lambda: RepeatedGame.of("matching_pennies", rounds=2), ExactReturns()),
        (kuhn_poker, ExactReturns()),
        (lambda: RepeatedGame.of("battle_of_the_sexes", rounds=2), SampledWins()),
        (lambda: tiger(horizon=2), SampledWins()),
    ],
)
def test_the_most_exact_way_is_taken(game, expected):
    assert evaluator(game()).evaluation == expected


def test_ways_that_do_not_fit_are_refused_with_what_does():
    with pytest.raises(UnsupportedGame, match="match that is the same from both seats, but got"):
        evaluator(kuhn_poker(), ExactWins())
    with pytest.raises(UnsupportedGame, match="zero-sum game, but .* is none. Use SampledWins"):
        evaluator(RepeatedGame.of("battle_of_the_sexes", rounds=2), ExactReturns())
    with pytest.raises(UnsupportedGame, match="max_nodes|nodes"):
        evaluator(RepeatedGame.of("matching_pennies", rounds=2), ExactReturns(max_nodes=5))
    tree = load_game("kuhn_poker")
    with pytest.raises(UnsupportedGame, match="max_nodes = 54 nodes, but Kuhn poker has 55. Raise"):
        evaluator(tree, ExactReturns(max_nodes=54))
    assert evaluator(tree, ExactReturns(max_nodes=55)).evaluation == ExactReturns(max_nodes=55)
    with pytest.raises(UnsupportedGame, match="two players for win rates, but the game has 3"):
        evaluator(fish_war())

    class Remembering:
        memory_width = 1

    with pytest.raises(UnsupportedGame, match="policies of the last observation, but got one that"):
        evaluator(kuhn_poker()).row(Remembering(), ())


def test_a_tree_that_pays_nothing_is_even():
    tree = from_sketch(
        Decision(0, "only", {"go": Terminal([0, 0]), "stay": Terminal([0, 0])}), players=["A", "B"]
    )
    found = evaluator(tree, ExactReturns())
    left, right = np.eye(2)
    shape = (found._views.num_observations, 1)
    assert found.row(np.tile(left, shape), (np.tile(right, shape),)).tolist() == [0.5]


def test_tables_of_seats_are_rows_of_the_whole():
    found = evaluator(kuhn_poker())
    (table,) = random_tables(found, 1, seed=2)
    first, second = found.tables(table)
    count = found._environment.num_observations[0]
    assert (first == table[:count]).all()
    assert (second == table[count:]).all()


def test_sampled_rates_of_equal_policies_at_other_places_are_not_the_same_draws():
    found = evaluator(RirRPS(2, 1), SampledWins(matches=1000), seed=3)
    first, newcomer = random_tables(found, 2, seed=1)
    once, again = found.row(newcomer, (first,))[0], found.row(newcomer, (first, newcomer))[0]
    assert once != again
    assert abs(once - again) < 0.1
    assert found.row(newcomer, (first,))[0] == once
