"""Turn orders: the team without a clock, and cards that pass over players and turn around."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument
from gametheory_core.catalog import HANDS, RandomOrderTeam, ReversingOrder, Table
from gametheory_core.catalog.turn_orders import PLAIN, REVERSE, SKIP
from gametheory_core.distributions import distribution, point_mass, uniform
from gametheory_core.games import CHANCE, NULL
from tests.core.catalog.walks import aec_returns, aec_steps


@given(st.lists(st.fractions(0, 1, max_denominator=6), min_size=2, max_size=2))
def test_team_without_a_clock_gets_half_of_what_differs(chances):
    """With A played with probabilities p and q the team gets (p(1-q) + q(1-p)) / 2 <= 1/2."""
    policies = [lambda seen, p=p: distribution({"A": p, "B": 1 - p}) for p in chances]
    p, q = chances
    expected = (p * (1 - q) + q * (1 - p)) / 2
    assert aec_returns(RandomOrderTeam(), policies) == (expected, expected)
    assert expected <= Fraction(1, 2)


def test_best_of_the_team_is_one_half():
    pairs = product("AB", repeat=2)
    returns = [
        aec_returns(RandomOrderTeam(), [lambda _, a=a: point_mass(a) for a in p]) for p in pairs
    ]
    assert max(returns) == (Fraction(1, 2), Fraction(1, 2))


def test_team_is_paid_for_a_first_and_b_second():
    paid = {(s.state, s.action, s.rewards) for s in aec_steps(RandomOrderTeam()) if s.state in "AB"}
    rewards = {("A", "A"): 0, ("A", "B"): 1, ("B", "A"): 0, ("B", "B"): 0}
    assert paid == {(first, second, (r, r)) for (first, second), r in rewards.items()}


def test_team_sees_the_same_whoever_moves_first():
    steps = aec_steps(RandomOrderTeam())
    assert {step.seen for step in steps} == {NULL}
    turns = {(step.mover, step.state) for step in steps if step.mover != CHANCE}
    assert turns == set(product((0, 1), ("ready", "A", "B")))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_deal_gives_everyone_two_different_cards(seats):
    game = ReversingOrder(seats)
    law = game.chance(game.initial_state)
    assert len(law) == 3**seats
    assert {weight for _, weight in law} == {Fraction(1, 3**seats)}
    assert all(len(set(hand)) == 2 for table, _ in law for hand in table.hands)


@pytest.mark.parametrize(("seats", "seat", "direction"), list(product((2, 3, 4), (0, 1), (1, -1))))
def test_cards_pass_the_turn_as_they_say(seats, seat, direction):
    game = ReversingOrder(seats)
    table = Table(((PLAIN, SKIP),) * seats, direction)

    def following(card, hand):
        held = Table((hand,) * seats, direction)
        return game.next_player(held, seat, card, game.move(seat, held, card))

    ahead = (seat + direction) % seats
    beyond = (ahead + direction) % seats
    assert following(SKIP, HANDS[0]) == point_mass(beyond)
    assert following(PLAIN, HANDS[0]) == distribution({ahead: "3/4", beyond: "1/4"})
    assert following(REVERSE, HANDS[1]) == point_mass((seat - direction) % seats)
    assert game.next_player(game.initial_state, CHANCE, NULL, table) == point_mass(0)


@pytest.mark.parametrize("seats", [2, 3])
def test_cards_are_used_up_one_a_move(seats):
    game = ReversingOrder(seats)
    for step in aec_steps(game):
        if step.mover == CHANCE:
            continue
        before = Counter(c for hand in step.state.hands for c in hand)
        after = Counter(c for hand in step.next_state.hands for c in hand)
        assert before - after == Counter([step.action])
        turned = step.state.direction != step.next_state.direction
        assert turned == (step.action == REVERSE)


@pytest.mark.parametrize("seats", [2, 3])
def test_winner_takes_one_from_everybody(seats):
    game = ReversingOrder(seats)
    ends = [step for step in aec_steps(game) if game.is_terminal(step.next_state)]
    assert {step.mover for step in ends} == set(range(seats))
    for step in ends:
        assert step.next_state.hands[step.mover] == ()
        assert step.rewards[step.mover] == seats - 1
        assert sum(step.rewards) == 0


def test_a_player_sees_the_own_cards_only():
    game = ReversingOrder(3)
    tables = [Table((HANDS[0], a, b), -1) for a, b in product(HANDS, repeat=2)]
    assert {game.observation(0, table) for table in tables} == {
        point_mass((HANDS[0], (2, 2, 2), -1))
    }


def test_order_of_seats_does_not_matter_beyond_who_begins():
    """Renaming the seats around the table moves all that follows with it."""
    game = ReversingOrder(4)
    for step in aec_steps(game):
        if step.mover == CHANCE or game.is_terminal(step.next_state):
            continue

        def turn(table):
            return Table((table.hands[-1], *table.hands[:-1]), table.direction)

        seat = (step.mover + 1) % 4
        turned = game.move(seat, turn(step.state), step.action)
        assert turned == turn(step.next_state)
        law = game.next_player(step.state, step.mover, step.action, step.next_state)
        expected = {(player + 1) % 4: weight for player, weight in law}
        assert dict(game.next_player(turn(step.state), seat, step.action, turned)) == expected


def test_uniform_play_shares_what_there_is():
    game = ReversingOrder(2)
    returns = aec_returns(game, [lambda seen: uniform(seen[-1][0])] * 2)
    assert sum(returns) == 0
    assert returns[0] > 0


@pytest.mark.parametrize("seats", [1, 5, 2.0, None])
def test_bad_number_of_seats_is_refused(seats):
    with pytest.raises(
        InvalidArgument, match=r"ReversingOrder: needs seats to be an integer from 2"
    ):
        ReversingOrder(seats)
