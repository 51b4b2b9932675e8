"""Clocks: witnesses, horizons, and the own turns of an information state."""

from collections import Counter, defaultdict

import pytest

from gametheory_core import InvalidStrategy, UnsupportedGame
from gametheory_core.catalog import RandomOrderTeam, ReversingOrder
from gametheory_core.conversions import clock_leak, posg_to_aec
from gametheory_core.conversions.dispatch import choices, followers, own_turns
from gametheory_core.distributions import point_mass, uniform
from gametheory_core.games import CHANCE, IDLE, NULL, stop_aec
from tests.core.conversions.changed_rules import changed, counting
from tests.theorems.random_rules import ENDED, RandomAEC, RandomPOSG

TEAM = RandomOrderTeam()


def test_witness_names_player_and_moves():
    leak = clock_leak(TEAM)
    assert leak
    assert leak.reason == (
        "player '1' reaches information state (NULL,) after 1 move and also after 2 moves"
    )
    assert leak.witness == (0, 1, 2)


def test_witness_holds_what_was_seen_and_done_before():
    """Player 1 moves at once, and then after one or two moves of chance."""

    def next_player(state, mover, action, after):
        if mover == CHANCE and state == 0:
            return point_mass(0)
        return uniform((0, CHANCE)) if mover == CHANCE else point_mass(CHANCE)

    game = changed(
        RandomAEC(0, 1),
        observation=lambda player, state: point_mass(f"state {state}"),
        is_terminal=lambda state: state == ENDED,
        chance=lambda state: point_mass(min(state + 1, 3)),
        move=lambda player, state, action: 2 if state == 1 else ENDED,
        next_player=next_player,
    )
    leak = clock_leak(game)
    assert leak.reason == (
        "player 'player 1' reaches information state ('state 1', 'a', 'state 3') after 3 moves and "
        "also after 4 moves"
    )
    assert leak.witness == (0, 3, 4)


def test_what_lies_beyond_the_horizon_does_not_leak():
    assert not clock_leak(stop_aec(TEAM, moves=2))
    assert clock_leak(stop_aec(TEAM, moves=3))
    assert not clock_leak(stop_aec(TEAM, moves=0))


def test_a_clock_that_shows_does_not_leak():
    """Who sees whether the other has moved knows the time anyway."""
    told = changed(TEAM, observation=lambda player, state: point_mass(state))
    assert not clock_leak(told)


def test_sure_turns_and_counted_cards_do_not_leak():
    assert not clock_leak(
        changed(TEAM, next_player=lambda s, j, a, t: point_mass(0 if j < 0 else 1))
    )
    assert not clock_leak(ReversingOrder(seats=3))  # everybody sees how many cards are left


def test_games_that_never_end_are_decided():
    assert not clock_leak(posg_to_aec(RandomPOSG(0)).target)
    assert clock_leak(RandomAEC(0))


def test_a_game_that_is_over_at_once_has_no_clock():
    assert not clock_leak(changed(TEAM, initial_state="over"))


def test_too_many_positions_are_refused_with_their_number():
    line = counting()
    with pytest.raises(UnsupportedGame, match=r"max_states = 50 .*has more than 51\. .*stop_aec"):
        clock_leak(line, max_states=50)
    line.horizon = 50
    assert not clock_leak(line, max_states=50)


def times_of_turns(game):
    """After how many moves each player has a turn at each information state, by all plays."""
    found = {player: defaultdict(set) for player in range(len(game.players))}
    waiting = [((game.initial_state, CHANCE), ((),) * len(game.players), 0)]
    while waiting:
        (state, mover), pasts, moves = waiting.pop()
        if moves == game.horizon or game.is_terminal(state):
            continue
        views = [NULL] if mover == CHANCE else [o for o, _ in game.observation(mover, state)]
        for seen in views:
            for action in choices(game, state, mover):
                after = list(pasts)
                if mover != CHANCE:
                    found[mover][(*pasts[mover], seen)].add(moves)
                    after[mover] = (*pasts[mover], seen, action)
                for position in followers(game, state, mover, action):
                    waiting.append((position, tuple(after), moves + 1))
    return found


def test_leaks_are_turns_at_one_information_state_at_two_times():
    """Both times of a witness come about, and there is one wherever two times do."""
    leaks = Counter()
    for seed in range(150):
        rules = RandomAEC(seed, 1 + seed % 3, sure_turns=seed % 2 == 0)
        game = stop_aec(rules, moves=2 + seed % 4)
        times = times_of_turns(game)
        leak = clock_leak(game)
        assert bool(leak) == any(len(own) > 1 for at in times.values() for own in at.values())
        if leak:
            player, early, late = leak.witness
            assert any({early, late} <= own for own in times[player].values())
            assert early < late
        leaks[late - early if leak else 0] += 1
    assert min(leaks[0], leaks[1], leaks[2]) > 10


def test_own_turns_put_idle_steps_back():
    game = posg_to_aec(RandomPOSG(0)).target
    seen = ("x", "a", "y")
    assert own_turns(game, 0, ("x",)) == (IDLE, IDLE, "x")
    assert own_turns(game, 1, ("x",)) == (IDLE, IDLE, IDLE, IDLE, "x")
    expected = (IDLE, IDLE, "x", "a", IDLE, IDLE, IDLE, IDLE, "y")
    assert own_turns(game, 0, seen) == expected


def test_own_turns_come_when_the_own_action_lets_them():
    """After a it is the own turn at once; after b, chance moves first."""
    game = changed(
        RandomAEC(0, 1),
        chance=lambda state: point_mass("ready"),
        move=lambda player, state, action: action,
        observation=lambda player, state: point_mass("x"),
        next_player=lambda state, mover, action, after: point_mass(CHANCE if after == "b" else 0),
    )
    assert not clock_leak(game)
    assert own_turns(game, 0, ("x", "a", "x")) == (IDLE, IDLE, "x", "a", "x")
    assert own_turns(game, 0, ("x", "b", "x")) == (IDLE, IDLE, "x", "b", IDLE, IDLE, "x")


def test_own_turns_of_what_cannot_be_reached_are_refused():
    game = posg_to_aec(RandomPOSG(0)).target
    message = r"policy of 'player 2': needs information states that play can reach, but .*'blue'"
    with pytest.raises(InvalidStrategy, match=message):
        own_turns(game, 1, ("blue",))
    with pytest.raises(InvalidStrategy, match=message):
        own_turns(game, 1, ("x", "a", "blue"))
    line = counting(horizon=5)
    with pytest.raises(InvalidStrategy, match="but was asked for"):
        own_turns(line, 0, (NULL,))
