"""Exact policy gradients in floats, judged by the core's rationals."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, InvalidStrategy, UnsupportedGame, leaders
from gametheory_core.catalog import ORDINAL_GAMES, RepeatedGame, iterated_game
from gametheory_core.conversions import posg_to_tabular
from gametheory_core.distributions import distribution
from gametheory_core.evaluation import memoryless_returns
from gametheory_core.games import TabularPOSG
from gametheory_core.testing import posgs
from learners import exact_gradient
from learners.gradients import place_table
from tests.sample_sizes import examples

SEEDS = st.integers(0, 10**6)
TINY = Fraction(1, 10**9)


def drawn_lotteries(game: TabularPOSG, seed):
    """Exact mixed actions with full support on legal actions: [player][observation][action]."""
    rng = np.random.default_rng(seed)
    out = []
    for seen, own in zip(game.legal, game.actions, strict=True):
        rows = []
        for legal in seen:
            weights = rng.integers(1, 9, size=len(legal)).tolist()
            row = [Fraction(0)] * len(own)
            for action, weight in zip(legal, weights, strict=True):
                row[action] = Fraction(weight, sum(weights))
            rows.append(row)
        out.append(rows)
    return out


def floats(probabilities):
    return [np.array(rows, dtype=float) for rows in probabilities]


def exact_return(game, probabilities, player):
    tables = [
        {
            label: distribution({a: x for a, x in zip(own, row, strict=True) if x})
            for label, row in zip(seen, rows, strict=True)
        }
        for seen, own, rows in zip(game.observations, game.actions, probabilities, strict=True)
    ]
    return memoryless_returns(game, tables)[player]


@given(posgs(max_states=3, max_actions=3, max_horizon=3), SEEDS, st.data())
def test_gradient_equals_rational_differences(rules, seed, data):
    """Moving probability from an action to another: central differences of exact returns."""
    game = posg_to_tabular(rules).target
    player = data.draw(st.integers(0, game.num_players - 1))
    choices = [(o, legal) for o, legal in enumerate(game.legal[player]) if len(legal) > 1]
    assume(choices and game.horizon)
    o, (a, b, *_) = data.draw(st.sampled_from(choices))
    probabilities = drawn_lotteries(game, seed)
    found = exact_gradient(place_table(game), floats(probabilities), player=player)
    own = probabilities[player][o]
    ends = []
    for sign in (1, -1):
        moved = list(own)
        moved[a], moved[b] = own[a] + sign * TINY, own[b] - sign * TINY
        probabilities[player][o] = moved
        ends.append(exact_return(game, probabilities, player))
    probabilities[player][o] = own
    scale = 1 + float(max((abs(r) for r in game.reward_vectors.ravel()), default=0))
    slope = float((ends[0] - ends[1]) / (2 * TINY))
    assert abs(found.partials[o, a] - found.partials[o, b] - slope) <= 1e-12 * scale
    assert abs(found.value - float(exact_return(game, probabilities, player))) <= 1e-12 * scale


@given(
    st.sampled_from(sorted(ORDINAL_GAMES)),
    st.integers(2, 10),
    st.sampled_from([Fraction(1), Fraction(9, 10)]),
    SEEDS,
    st.integers(0, 1),
)
def test_gradient_equals_that_of_the_core(name, rounds, discount, seed, leader):
    """On iterated games, logits included, against a pure memoryless follower."""
    view = leaders.leader_view(
        iterated_game(ORDINAL_GAMES[name](), rounds=rounds, discount=discount), leader=leader
    )
    rng = np.random.default_rng(seed)
    theta = [Fraction(k, 16) for k in rng.integers(1, 16, size=5).tolist()]
    replies = rng.integers(2, size=5).tolist()
    probabilities = tuple((1 - p, p) for p in theta)
    exact = leaders.leader_gradient(
        view, leaders.StochasticLeader(probabilities), leaders.StationaryFollower(tuple(replies))
    )
    pair = [np.eye(2)[replies], np.array(probabilities, dtype=float)]
    found = exact_gradient(place_table(view.game), pair if leader else pair[::-1], player=leader)
    assert found.value == pytest.approx(float(exact.value), abs=1e-12)
    assert found.partials == pytest.approx(np.array(exact.partials, dtype=float), abs=1e-12)
    assert found.logits == pytest.approx(np.array(exact.logits, dtype=float), abs=1e-12)


@examples(25)
@given(posgs(max_states=3, max_horizon=3), SEEDS)
def test_places_are_lotteries(rules, seed):
    """What follows a joint action is a mixed action, unless play may end there."""
    game = posg_to_tabular(rules).target
    table = place_table(game)
    assert table.first.sum() <= 1 + 1e-12
    sums = np.array(
        [
            table.edge_chance[table.edge_start[j] : table.edge_start[j + 1]].sum()
            for j in range(len(table.joint_actions))
        ]
    )
    assert (sums <= 1 + 1e-12).all()
    if not game.terminal.any():
        assert sums == pytest.approx(1.0)
        assert table.first.sum() == pytest.approx(1.0)


def test_games_without_horizon_are_refused():
    with pytest.raises(UnsupportedGame, match=r"place_table: needs a horizon.*stop_posg"):
        place_table(RepeatedGame.of("matching_pennies", rounds=None, recall=1))


def test_policies_that_do_not_fit_are_refused():
    table = place_table(RepeatedGame.of("matching_pennies", rounds=2, recall=0))
    chances = np.array([[0.5, 0.5]])
    with pytest.raises(InvalidStrategy, match=r"needs policies of the shapes .*\(1, 2\)"):
        exact_gradient(table, [chances, np.ones((1, 3))])
    with pytest.raises(InvalidArgument, match=r"needs a player from 0 to 1, but got 2"):
        exact_gradient(table, [chances, chances], player=2)
