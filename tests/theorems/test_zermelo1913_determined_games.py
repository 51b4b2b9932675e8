"""Zermelo 1913: a finite game of perfect information without chance is determined.

With the outcomes win, draw and loss, exactly one holds: the first player can force a win, the
second can, or both can force a draw. Forcing is checked against every way the other may play.
Twins: with a chance move, and with a hidden move, nobody can force anything.

Why it matters (trees): Chess has a value, of one of three kinds; hidden moves and dice take that
away.
"""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import Chance, Decision, Terminal, expected_payoffs, from_sketch, pure_behavior
from solvers import subgame_perfect

theorem = pytest.mark.theorem(
    source="Zermelo 1913",
    statement="In a finite game of perfect information one player can force a win, or both a draw.",
)

WIN, DRAW, LOSS = Terminal([1, -1]), Terminal([0, 0]), Terminal([-1, 1])


@st.composite
def board_games(draw, max_depth=4):
    """Two players in any order of moves, one to three moves at a time, no chance."""
    counter = iter(range(10_000))

    def position(depth):
        if depth == 0 or (depth < max_depth and draw(st.integers(0, 3)) == 0):
            return draw(st.sampled_from([WIN, DRAW, LOSS]))
        moves = "abc"[: draw(st.integers(1, 3))]
        mover, name = draw(st.integers(0, 1)), next(counter)
        return Decision(mover, name, {move: position(depth - 1) for move in moves})

    return from_sketch(position(max_depth), players=("First", "Second"))


def least_forced(game, profile, player):
    """Return the least that a player's part of a pure profile gets, whatever the other does."""
    chosen = [v.tolist().index(1) for v in profile.probabilities]
    paid = dict(zip(game.terminals.tolist(), game.exact_terminal_payoffs[:, player], strict=True))

    def least(node):
        infoset = game.node_infoset[node]
        if infoset < 0:
            return paid[node]
        first = game.first_child[node]
        if game.node_player[node] == player:
            return least(first + chosen[infoset])
        return min(least(first + a) for a in range(game.num_children[node]))

    return least(0)


def pure_profiles(game):
    counts = [range(len(s.actions)) for s in game.infosets[: game.num_decision_infosets]]
    return [pure_behavior(game, actions) for actions in product(*counts)]


def can_force(game, player, payoff):
    return any(least_forced(game, profile, player) >= payoff for profile in pure_profiles(game))


@theorem
@given(board_games())
def test_each_player_can_force_the_value(game):
    """What one can force, the other can hold the first to: the three cases exclude each other."""
    solution = subgame_perfect(game)
    solution.certificate.verify()
    value = solution.payoffs[0]
    assert value in {-1, 0, 1}
    assert least_forced(game, solution.profile, 0) == value
    assert least_forced(game, solution.profile, 1) == -value


@theorem
@given(board_games(max_depth=2))
def test_exactly_one_of_the_three_cases_holds(game):
    """By trying every pure strategy, without any solver."""
    first_wins, second_wins = can_force(game, 0, 1), can_force(game, 1, 1)
    draw = can_force(game, 0, 0) and can_force(game, 1, 0) and not first_wins and not second_wins
    assert [first_wins, second_wins, draw].count(True) == 1


@theorem
def test_with_chance_nobody_can_force_anything():
    """Twin: a coin decides."""
    coin = Chance({"heads": ("1/2", WIN), "tails": ("1/2", LOSS)})
    again = Chance({"heads": ("1/2", LOSS), "tails": ("1/2", WIN)})
    game = from_sketch(Decision(0, "start", {"a": coin, "b": again}), players=("First", "Second"))
    for profile in pure_profiles(game):
        ends = [expected_payoffs(game, profile)[i] for i in range(2)]
        assert ends == [0, 0]  # a draw on average, but never a draw
    for player in range(2):
        assert not can_force(game, player, 0)


@theorem
def test_with_a_hidden_move_nobody_can_force_anything():
    """Twin: Matching pennies: against each pure strategy of the one, the other wins."""
    blind = {a: Decision(1, "unseen", {b: WIN if a == b else LOSS for b in "HT"}) for a in "HT"}
    game = from_sketch(Decision(0, "start", blind), players=("First", "Second"))
    for player in range(2):
        own = {profile.probabilities[player].tolist().index(1) for profile in pure_profiles(game)}
        for action in own:
            replies = [
                expected_payoffs(game, profile)[player]
                for profile in pure_profiles(game)
                if profile.probabilities[player].tolist().index(1) == action
            ]
            assert min(replies) == -1
