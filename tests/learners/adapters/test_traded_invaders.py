"""One seat of bilateral trade in Space Invaders: offers, payments, shots, and what is shown."""

from dataclasses import replace

import numpy as np
import pytest

from gametheory_core import InvalidArgument
from gametheory_core.catalog import BilateralTrade, Buying
from learners.adapters.space_invaders import MOVES
from learners.adapters.traded_invaders import (
    BUYER,
    SELLER,
    Account,
    AnyAnswer,
    Gunner,
    InvadersOptions,
    Seat,
    invaders_trade,
)
from tests.learners.adapters.toy_console import ToyConsole

GAME = BilateralTrade(Buying.HIGHEST_PRICE, bullets=3, hits=100, seller=10, buyer=80)
SHOOT, QUARTER, HALF, DEAR = 0, 2, 3, 5  # of the seller; the buyer's are one less
PLAY = InvadersOptions(least_gap=60, most_gap=70, tail=60)


class Always:
    moves = False

    def __init__(self, action):
        self.action = action
        self.seen = []

    def choose(self, observation, legal, rng):
        assert legal[self.action]
        self.seen.append(observation)
        return self.action


def seat(player=SELLER, *, leader=SELLER, other=None, game=GAME, play=PLAY):
    return Seat(game, player, leader, other or AnyAnswer(), play, Account())


def batch(own, *, episodes=1, seed=1, console=ToyConsole):
    return invaders_trade(own, episodes=episodes, seed=seed, console=console)


def episode(own, action, **options):
    """Play an episode, the seat always doing the same; rewards a step, and the last turn."""
    play = batch(own, **options)
    turn, rewards = play.reset(), []
    while not turn.is_over[0]:
        turn = play.step(np.array([[action]]))
        rewards.append(float(turn.rewards[0, 0]))
    return rewards, turn


@pytest.mark.parametrize(
    ("named", "highest", "returns", "rate"),
    [
        (QUARTER, 2, (3 * 0.25, 3 * 0.55), 1),  # at his price
        (HALF, 2, (3 * 0.5, 3 * 0.3), 1),
        (DEAR, 2, (3 * 0.1, 0), 0),  # turned down: he shoots himself
        (SHOOT, 4, (3 * 0.1, 0), 0),
    ],
)
@pytest.mark.parametrize("leader", [SELLER, BUYER])
def test_a_trade_pays_the_price_and_moves_the_bullet(named, highest, returns, rate, leader):
    for player, action, other in ((SELLER, named, highest), (BUYER, highest, named)):
        own = seat(player, leader=leader, other=Always(other))
        rewards, turn = episode(own, action)
        assert sum(rewards) == pytest.approx(returns[player])
        assert own.account.episodes == [pytest.approx(returns)]
        assert own.account.metrics()["trade rate"] == rate
        assert turn.is_terminal[0]
        assert len(rewards) == 3  # one decision a bullet


def test_the_account_knows_who_shot_and_what_was_paid():
    own = seat(other=Always(2))
    episode(own, QUARTER)
    assert own.account.metrics() == {
        "return/seller": 0.75,
        "return/buyer": pytest.approx(1.65),
        "trade rate": 1,
        "price": 0.25,
        "hit rate/buyer": 1,
    }
    assert own.account.shots == [0, 3]
    own.account.clear()
    assert own.account.metrics() == {}


def test_a_buyer_who_sees_no_price_buys_or_passes():
    game = replace(GAME, buying=Buying.YES_OR_NO)
    for answer, returns in ((0, (3.0, -0.6)), (1, (0.3, 0.0))):  # buy, pass
        own = seat(other=Always(answer), game=game)
        episode(own, DEAR)
        assert own.account.episodes == [pytest.approx(returns)]


@pytest.mark.parametrize("leader", [SELLER, BUYER])
def test_the_follower_sees_what_the_leader_said(leader):
    follower = Always(2)
    own = seat(leader, leader=leader, other=follower)
    play = batch(own)
    shown = play.reset().observations
    for action in (3, 1, 2):
        shown = play.step(np.array([[action]])).observations
    assert follower.seen == [3, 1, 2]
    assert shown.tolist() == [[0]]  # the leader sees nothing
    assert play.num_observations == (1,)
    led = batch(seat(1 - leader, leader=leader, other=Always(4)))
    assert led.reset().observations.tolist() == [[4]]
    assert led.num_observations == ((6, 5)[leader],)


def test_bullets_that_come_fast_are_all_fired():
    """Also while a shot is under way, when fire is pressed in vain."""
    own = seat(other=Always(2), play=replace(PLAY, least_gap=5, most_gap=5))
    _, turn = episode(own, QUARTER)
    assert (own.account.shots, turn.is_terminal[0]) == ([0, 3], True)


def test_shots_that_go_astray_are_as_rare_as_the_game_says():
    game = replace(GAME, hits=0)
    own = seat(other=Always(4), game=game)
    episode(own, QUARTER)
    assert own.account.shots == [0, 3]
    assert own.account.hits[BUYER] < 3  # where a ship stands by chance, it may hit


def test_episodes_follow_from_their_seeds():
    def returns(seed):
        own = seat(game=replace(GAME, hits=60))
        for _ in range(3):
            episode(own, HALF, seed=seed)
        assert len(set(own.account.episodes)) == 1
        return own.account.episodes[0]

    assert len({returns(seed) for seed in range(12)}) > 2


@pytest.mark.parametrize("gunner", Gunner)
def test_a_snapshot_goes_on_bit_for_bit(gunner):
    play = replace(PLAY, gunner=gunner)
    rng = np.random.default_rng(3)

    def step(batches):
        legal = turns[0].legal[:, 0]
        actions = np.array([[rng.choice(np.flatnonzero(row))] for row in legal])
        return [one.step(actions) for one in batches]

    first = batch(seat(play=play), episodes=2)
    turns = [first.reset()]
    for _ in range(30):
        turns = step([first])
    second = batch(seat(play=play), episodes=2)
    second.restore(first.snapshot())
    for _ in range(40):
        turns = step([first, second])
        for name in ("observations", "legal", "rewards", "is_terminal"):
            assert np.array_equal(*(getattr(turn, name) for turn in turns)), name


def test_who_learns_to_shoot_moves_between_offers_and_sees_the_memory():
    own = seat(BUYER, play=replace(PLAY, gunner=Gunner.LEARNED), other=Always(len(MOVES) + 2))
    machine = ToyConsole()
    play = batch(own, console=lambda: machine)
    turn = play.reset()
    assert play.num_features == (2 + 6 + 128,)
    moves = answers = 0
    while not turn.is_over[0]:
        legal = turn.legal[0, 0]
        bullets, is_offered, *named = turn.observations[0, 0][:8]
        if legal[0]:
            assert (legal.sum(), is_offered, sum(named)) == (len(MOVES), 0, 0)
            moves += 1
            turn = play.step(np.array([[0]]))
        else:
            assert (legal.sum(), is_offered, named.index(1)) == (5, 1, 2)
            answers += 1
            frames = machine.frames
            turn = play.step(np.array([[len(MOVES) + 4]]))  # at most 1: she buys
            assert machine.frames == frames  # nothing moves while they trade
    assert answers == 3
    assert moves > 20
    assert bullets == 1  # she never fires
    assert own.account.shots == [0, 0]
    assert len(own.account.prices) == 3
    assert turn.is_truncated[0]  # after most_frames


def test_a_game_that_is_over_ends_the_episode():
    own = seat()
    play = batch(own, console=lambda: ToyConsole(over_after=220))
    play.reset()
    turn = play.step(np.array([[SHOOT]]))
    assert turn.is_terminal[0]
    assert own.account.offers == 1


def test_gaps_in_the_wrong_order_are_refused():
    with pytest.raises(InvalidArgument, match="least_gap of at most most_gap, but got 9 and 8"):
        InvadersOptions(least_gap=9, most_gap=8)
