"""The numbers that the small games are there for, by brute force over deterministic policies."""

import itertools
from collections import Counter
from fractions import Fraction

import pytest

from gametheory_core import InvalidArgument, catalog
from gametheory_core.catalog.counterexamples import Payment
from gametheory_core.distributions import Distribution, point_mass, product, push_forward
from gametheory_core.games import NULL
from tests.core.catalog.walks import aec_returns, aec_steps, posg_returns


def best_return(game, signals):
    """Best of all deterministic plans of a first action and a reply to each signal."""
    actions = game.legal_actions(0, NULL)
    plans = itertools.product(actions, repeat=1 + len(signals))
    return max(
        posg_returns(
            game,
            [
                lambda seen, p=plan: point_mass(
                    p[0 if len(seen) == 1 else 1 + signals.index(seen[-1])]
                )
            ],
        )
        for plan in plans
    )


def test_listening_first_is_worth_one():
    assert best_return(catalog.ListenWaitGuess(), ["heads", "tails", "silence"]) == (1,)


@pytest.mark.parametrize("action", ["wait", *catalog.SIDES])
def test_only_listening_reveals_the_coin(action):
    game = catalog.ListenWaitGuess()
    assert {game.observation((action,), side) for side in catalog.SIDES} == {
        point_mass(("silence",))
    }


class DeafListenWaitGuess(catalog.ListenWaitGuess):
    """The same with signals that do not know the action."""

    def observation(self, joint_action, state):
        return super().observation(("wait",), state)


def test_listening_is_worth_nothing_if_signals_ignore_the_action():
    assert best_return(DeafListenWaitGuess(), ["silence"]) == (0,)


def test_seen_choice_is_worth_nothing_to_either():
    """The pure plans make the matrix of matching pennies."""
    matrix = [
        [
            aec_returns(
                catalog.SeenChoice(),
                [
                    lambda seen, a=a: point_mass(a if len(seen) == 1 else "confirm"),
                    lambda seen, b=b: point_mass(b),
                ],
            )
            for b in catalog.SIDES
        ]
        for a in catalog.SIDES
    ]
    assert matrix == [[(-1, 1), (1, -1)], [(1, -1), (-1, 1)]]


def test_choice_is_visible_only_where_player_2_does_not_move():
    game = catalog.SeenChoice()
    steps = aec_steps(game)
    assert {step.seen for step in steps if step.mover == 1} == {NULL}
    while_locked = {s.state for s in steps if s.mover == 0 and s.action == "confirm"}
    shown = {game.observation(1, state) for state in while_locked}
    assert shown == {point_mass(side) for side in catalog.SIDES}


@pytest.mark.parametrize(
    ("sight", "probability"),
    [(catalog.CoinSight.PUBLIC, 1), (catalog.CoinSight.PRIVATE, Fraction(1, 2))],
)
def test_players_who_name_what_they_see_agree(sight, probability):
    law = catalog.FairCoins(sight).initial_observation("tossed")
    assert sum(w for (a, b), w in law if a == b) == probability


@pytest.mark.parametrize("player", [0, 1])
def test_coins_look_alike_to_each_player(player):
    laws = [
        push_forward(catalog.FairCoins(sight).initial_observation("tossed"), lambda o: o[player])
        for sight in catalog.CoinSight
    ]
    assert dict(laws[0]) == dict(laws[1])


def marginals(law):
    return [push_forward(law, lambda rewards, i=i: rewards[i]) for i in (0, 1)]


def paid(game):
    return game.reward("open", 0, "pay", "over")


def test_fair_payment_adds_up_only_if_drawn_together():
    law = paid(Payment(catalog.FAIR))
    assert all(sum(rewards) == 0 for rewards, _ in law)
    apart = product(marginals(law))
    assert sum(w for rewards, w in apart if sum(rewards) != 0) == Fraction(1, 2)


def test_product_over_the_wrong_index_has_no_mass():
    law = paid(Payment(catalog.SURE))
    first, second = marginals(law)
    pairs = list(itertools.product((1, -1), repeat=2))
    assert sum(first[r] * second[s] for r, s in pairs) == 1
    assert sum(first[r] * second[r] for r, _ in pairs) == 0


@pytest.mark.parametrize(("law", "returns"), [(catalog.FAIR, (0, 0)), (catalog.SURE, (1, -1))])
def test_payment_is_made_once(law, returns):
    assert aec_returns(Payment(law), [lambda seen: point_mass("pay")] * 2) == returns
    assert Counter(step.mover for step in aec_steps(Payment(law)))[0] == len(law)


def test_payment_by_any_lottery():
    law = Distribution((((3, 1), Fraction(1, 3)), ((0, 4), Fraction(2, 3))))
    returns = aec_returns(Payment(law), [lambda seen: point_mass("pay")] * 2)
    assert returns == (1, 3)


def test_steady_pay_returns_three_halves():
    assert posg_returns(catalog.SteadyPay(), [lambda seen: point_mass("work")] * 2) == (
        Fraction(3, 2),
        Fraction(3, 2),
    )


def test_kind_of_coins_is_checked():
    with pytest.raises(InvalidArgument, match="member of CoinSight, but got 'public'"):
        catalog.FairCoins("public")
