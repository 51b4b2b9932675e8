"""Take-away: who wins is known, so that plays of thousands of moves can be checked."""

import time
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument
from gametheory_core.catalog import TakeAway, winning_takings
from gametheory_core.distributions import point_mass
from gametheory_core.games import CHANCE


def play(game, choose):
    """Step a game to its end; return the number of moves, the last rewards and the players."""
    ((state, _),) = game.chance(game.initial_state)
    mover, rewards, count = 0, None, 0
    while not game.is_terminal(state):
        ((seen, _),) = game.observation(mover, state)
        action = choose(mover, seen)
        after = game.move(mover, state, action)
        ((rewards, _),) = game.reward(state, mover, action, after)
        count += 1
        if not game.is_terminal(after):
            assert rewards == (0, 0)
            ((mover, _),) = game.next_player(state, mover, action, after)
        state = after
    return count, rewards


def expert(game, player, rng):
    """A chooser whose one player never errs, while the other takes at random."""

    def choose(mover, piles):
        legal = game.legal_actions(mover, piles)
        good = winning_takings(piles, most=game.most) if mover == player else ()
        return (good or legal)[int(rng.integers(len(good or legal)))]

    return choose


@given(st.lists(st.integers(0, 4), min_size=1, max_size=3), st.integers(1, 3))
def test_winning_moves_are_those_of_backward_induction(piles, most):
    game = TakeAway(piles=1, tokens=1, most=most)

    @cache
    def wins(state):
        return any(not wins(game.move(0, state, a)) for a in game.legal_actions(0, state))

    start = tuple(piles)
    good = [a for a in game.legal_actions(0, start) if not wins(game.move(0, start, a))]
    assert list(winning_takings(start, most=most)) == good


@pytest.mark.parametrize("player", [0, 1])
def test_who_never_errs_wins_hundreds_of_moves_later(player):
    """Equal piles are lost for who begins if even in number, else won (101 is no multiple of 4)."""
    game = TakeAway(piles=8 if player else 7, tokens=101)
    count, rewards = play(game, expert(game, player, np.random.default_rng(2026)))
    assert count > 300
    assert rewards[player] == 1


@pytest.mark.parametrize("tokens", [10_000, 10_001])
def test_thousands_of_single_tokens_are_stepped_quickly(tokens):
    game = TakeAway(piles=2, tokens=tokens, most=1)
    start = time.perf_counter()
    count, rewards = play(game, lambda _, piles: (0, 1) if piles[0] else (1, 1))
    assert count == 2 * tokens
    assert rewards == (-1, 1)
    assert time.perf_counter() - start < 10


@given(st.data())
def test_a_move_takes_legal_tokens_from_one_pile(data):
    game = TakeAway(piles=3, tokens=5, most=3)
    state = tuple(data.draw(st.lists(st.integers(0, 5), min_size=3, max_size=3)))
    legal = game.legal_actions(0, state)
    assert len(legal) == sum(min(left, 3) for left in state)
    assert game.is_terminal(state) == (not legal)
    for action in legal:
        after = game.move(0, state, action)
        assert sum(state) - sum(after) == action[1]
        assert [k for k in range(3) if after[k] != state[k]] == [action[0]]
        assert min(after) >= 0


def test_players_alternate_and_player_1_begins():
    game = TakeAway()
    assert game.next_player((1,), CHANCE, None, (1,)) == point_mass(0)
    assert game.next_player((2,), 0, (0, 1), (1,)) == point_mass(1)
    assert game.next_player((2,), 1, (0, 1), (1,)) == point_mass(0)


@pytest.mark.parametrize("name", ["piles", "tokens", "most"])
@pytest.mark.parametrize("value", [0, 10**7, 1.0])
def test_bad_sizes_are_refused(name, value):
    with pytest.raises(
        InvalidArgument, match=rf"TakeAway: needs {name} to be an integer from 1 to "
    ):
        TakeAway(**{name: value})
