"""Bounds on commitments in Markov games: valid, and exact for leaders who announce things."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from gametheory_core import InvalidArgument, NormalFormGame, NotConverged, catalog
from gametheory_core.conversions import posg_from_tables
from gametheory_core.leaders import follower_response, leader_games, leader_view, stochastic_leaders
from solvers import Budget
from solvers.leaders import BoundMethod, commitment_upper_bound
from solvers.leaders import promises as frontiers_room
from solvers.leaders.layers import LONG
from tests.sample_sizes import examples
from tests.solvers.leaders.announced_commitment import (
    announced_value,
    answers,
    held_down,
    naive_minmax,
)

SMALL = {"max_states": 3, "max_horizon": 3}


def bound_of(game, method=BoundMethod.PROMISES):
    found = commitment_upper_bound(game, method=method)
    found.verify()
    return found.upper_bound


@examples(20)
@given(leader_games(**SMALL))
def test_bound_is_what_a_leader_earns_who_announces(view):
    bound = bound_of(view)
    assert float(bound) == pytest.approx(announced_value(view), abs=1e-6)
    assert bound <= bound_of(view, BoundMethod.SINGLE_PRICE)


@given(st.data())
def test_no_stochastic_leader_exceeds_the_bound(data):
    view = data.draw(leader_games())
    policy = data.draw(stochastic_leaders(view))
    assert follower_response(view, policy).returns[0] <= bound_of(view)


@examples(15)
@given(st.data())
def test_single_price_is_no_worse_than_the_stage_game_bound(data):
    """Rounds times the most for the leader in a round that pays the follower her minmax."""
    payoff = st.integers(-5, 5)
    own, other = data.draw(st.tuples(*(st.lists(payoff, min_size=4, max_size=4),) * 2))
    rounds = data.draw(st.integers(1, 6))
    game = repeated([own[:2], own[2:]], [other[:2], other[2:]], rounds)
    level = held_down([other[:2], other[2:]])
    expected = rounds * best_above(np.array(own), np.array(other), level)
    assert float(bound_of(game, BoundMethod.SINGLE_PRICE)) <= expected + 1e-6


@examples(15)
@given(leader_games(**SMALL))
def test_single_price_is_the_best_one(view):
    """No price bounds joint play with her minmax, paid for at that price, any better."""
    bound = float(bound_of(view, BoundMethod.SINGLE_PRICE))
    level = mean_at_start(view, naive_minmax(view))
    for price in (0, 0.05, 0.2, 0.5, 0.8, 1, 1.5, 2, 4, 16):
        assert bound <= mean_at_start(view, together(view, price)) - price * level + 1e-6


def mean_at_start(view, value):
    return sum(float(weight) * value(0, state) for state, weight in view.initial)


def together(view, price):
    """Return the most of the leader's payoff plus a price times the follower's, from a state on."""

    def value(time, state):
        seen = int(view.leader_observation[state])
        if time == view.horizon or seen < 0:
            return 0.0
        steps = [
            view.step(state, a, b) for a in view.leader_actions(seen) for b in answers(view, state)
        ]
        return max(
            float(step.rewards[0])
            + price * float(step.rewards[1])
            + float(view.discount) * sum(float(w) * value(time + 1, s) for s, w in step.next)
            for step in steps
        )

    return value


def test_numbers_stay_short_over_many_steps():
    """Exact lotteries of the follower's would have tens of thousands of bits."""
    certificate = commitment_upper_bound(dense_view())
    certificate.verify()
    shares = [w for entry in certificate.prices.guarantees for w in entry.lottery]
    assert len(shares) > 3
    assert max(share.denominator.bit_length() for share in shares) <= LONG


def dense_view():
    """Four states, 3 x 3 actions, two next states each, seven steps."""
    rng = np.random.default_rng(1)
    joint = [(a, b) for a in "abc" for b in "xyz"]
    transitions, rewards = {}, {}
    for state in range(4):
        for pair in joint:
            first, second = rng.choice(4, size=2, replace=False).tolist()
            share = Fraction(int(rng.integers(1, 4)), 4)
            transitions[state, pair] = {first: share, second: 1 - share}
            for after in (first, second):
                rewards[state, pair, after] = tuple(rng.integers(-5, 6, 2).tolist())
    game = posg_from_tables(
        players=("leader", "follower"),
        actions=(tuple("abc"), tuple("xyz")),
        initial={0: 1},
        transitions=transitions,
        rewards=rewards,
        observations={
            (pair, s): {(s, s): 1} for (_, pair), law in transitions.items() for s in law
        },
        initial_observations={0: {(0, 0): 1}},
        legal_actions={(i, s): own for i, own in enumerate(("abc", "xyz")) for s in range(4)},
        discount=Fraction(1),
    )
    return leader_view(game, horizon=7)


def repeated(own, other, rounds):
    actions = ("abc"[: len(own)], "xyz"[: len(own[0])])
    stage = NormalFormGame.bimatrix(own, other, actions=tuple(map(tuple, actions)))
    return catalog.RepeatedGame(stage, rounds=rounds)


def best_above(own, other, level):
    solved = linprog(-own, A_ub=[-other], b_ub=[-level + 1e-12], A_eq=[np.ones(4)], b_eq=[1])
    return -solved.fun


@pytest.mark.parametrize("rounds", [1, 2, 3, 10])
def test_dilemma_bounds(rounds):
    game = catalog.iterated_prisoners_dilemma(rounds=rounds)
    assert bound_of(game) == -Fraction(rounds + 3, 2)
    assert bound_of(game, BoundMethod.SINGLE_PRICE) == -Fraction(rounds, 2)


@pytest.mark.parametrize("discount", [Fraction(1, 2), Fraction(9, 10)])
def test_discounted_dilemma_is_bounded_as_over_histories(discount):
    stage = catalog.ORDINAL_GAMES["prisoners_dilemma"]()
    view = leader_view(catalog.iterated_game(stage, rounds=3, discount=discount))
    assert float(bound_of(view)) == pytest.approx(announced_value(view))


def test_memory_does_not_move_the_bound():
    """Histories are no news to a bound on leaders and followers who remember everything."""
    for name in ("prisoners_dilemma", "battle_of_the_sexes", "chicken"):
        bounds = {
            bound_of(catalog.RepeatedGame.of(name, rounds=3, recall=recall)) for recall in (0, 1, 2)
        }
        assert len(bounds) == 1


def test_view_keeps_its_leader():
    """The second player of this game earns something only as the leader."""
    game = repeated([[0, 0], [0, 0]], [[0, 0], [0, 1]], 1)
    assert bound_of(leader_view(game, leader=1)) == 1
    assert commitment_upper_bound(leader_view(game, leader=1), leader=0).upper_bound == 0


def test_left_out_corners_loosen_the_bound_only(monkeypatch):
    own, other = [[3, -5, -4], [-3, -4, 3], [4, 1, -5]], [[-4, -2, -1], [1, 0, -3], [-4, 2, 3]]
    view = leader_view(repeated(own, other, 3))
    assert bound_of(view) == Fraction(59, 12)
    assert announced_value(view) == pytest.approx(59 / 12)
    monkeypatch.setattr(frontiers_room, "MAX_CORNERS", 2)
    assert bound_of(view) == Fraction(81, 8)


def test_budget_ends_with_a_bound():
    game = catalog.iterated_prisoners_dilemma(rounds=10)
    with pytest.raises(
        NotConverged, match=r"needs .* to price promises, but it ended after \d+ programs"
    ) as caught:
        commitment_upper_bound(game, budget=Budget(iterations=5))
    caught.value.best.verify()
    assert caught.value.best.upper_bound == 0


def test_steps_are_reported():
    seen = []
    commitment_upper_bound(catalog.iterated_prisoners_dilemma(rounds=3), on_iteration=seen.append)
    assert [progress.done for progress in seen] == list(range(1, len(seen) + 1))


def test_method_is_a_method():
    with pytest.raises(InvalidArgument, match="needs a member of BoundMethod as method"):
        commitment_upper_bound(catalog.iterated_prisoners_dilemma(rounds=3), method="promises")


@pytest.mark.parametrize("name", sorted(catalog.ORDINAL_GAMES))
def test_bounds_of_all_iterated_games_verify(name):
    game = catalog.iterated_game(catalog.ORDINAL_GAMES[name](), rounds=10)
    assert bound_of(game) <= bound_of(game, BoundMethod.SINGLE_PRICE)
