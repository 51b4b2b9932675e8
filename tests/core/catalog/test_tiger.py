"""The two-player tiger: private ears, a common interest, and the known returns of listening."""

from fractions import Fraction
from itertools import product

import pytest

from gametheory_core import InvalidArgument, InvalidGame, policy_from
from gametheory_core.catalog import Tiger
from gametheory_core.catalog.markov import LISTEN, OPEN_LEFT, OPEN_RIGHT, SIDES
from gametheory_core.distributions import point_mass, push_forward, uniform
from gametheory_core.evaluation import return_gains
from tests.core.catalog.walks import posg_returns

ACTIONS = (LISTEN, OPEN_LEFT, OPEN_RIGHT)
MIRROR = {"left": "right", "right": "left", LISTEN: LISTEN}
MIRROR |= {OPEN_LEFT: OPEN_RIGHT, OPEN_RIGHT: OPEN_LEFT}


@pytest.mark.parametrize(("state", "actions"), list(product(SIDES, product(ACTIONS, ACTIONS))))
def test_reward_is_common_and_names_do_not_matter(state, actions):
    game = Tiger()
    first, second = game.reward(state, actions, state)
    assert first == second
    assert game.reward(state, actions[::-1], state) == (first, second)
    mirrored = tuple(MIRROR[action] for action in actions)
    assert game.reward(MIRROR[state], mirrored, state) == (first, second)


@pytest.mark.parametrize("state", SIDES)
def test_ears_are_right_17_times_in_20_and_independent(state):
    law = Tiger().observation((LISTEN, LISTEN), state)
    ears = [push_forward(law, lambda pair, i=i: pair[i]) for i in (0, 1)]
    assert ears[0][state] == ears[1][state] == Fraction(17, 20)
    assert all(law[pair] == ears[0][pair[0]] * ears[1][pair[1]] for pair in product(SIDES, SIDES))


@pytest.mark.parametrize("actions", [(LISTEN, OPEN_LEFT), (OPEN_RIGHT, LISTEN), (OPEN_LEFT,) * 2])
@pytest.mark.parametrize("state", SIDES)
def test_opened_door_moves_the_tiger_and_drowns_the_sound(actions, state):
    game = Tiger()
    assert game.transition(state, actions) == uniform(SIDES)
    assert game.observation(actions, state) == uniform(product(SIDES, SIDES))


def test_tiger_stays_while_both_listen():
    assert Tiger().transition("left", (LISTEN, LISTEN)) == point_mass("left")


def test_one_wants_to_be_together():
    """Opening the same door beats opening different ones, whatever is behind."""
    game = Tiger()
    for state in SIDES:
        together = game.reward(state, (OPEN_LEFT, OPEN_LEFT), state)[0]
        assert together > game.reward(state, (OPEN_LEFT, OPEN_RIGHT), state)[0]


def all_policies(length):
    """Deterministic policies by what was heard so far."""
    heard = [past for n in range(length) for past in product(SIDES, repeat=n)]
    for actions in product(ACTIONS, repeat=len(heard)):
        table = dict(zip(heard, actions, strict=True))
        yield lambda seen, table=table: point_mass(table[seen[2::2]])


def test_two_steps_are_worth_minus_four():
    """The best of 27 times 27 pairs of policies is to listen twice [Nair et al. 2003]."""
    game = Tiger(horizon=2)
    best = max(posg_returns(game, pair)[0] for pair in product(list(all_policies(2)), repeat=2))
    assert best == -4


def open_after_two_equal_sounds(seen):
    """Listen twice, then open the door away from a tiger heard twice."""
    heard = seen[2::2]
    if len(heard) < 2 or heard[0] != heard[1]:
        return point_mass(LISTEN)
    return point_mass(OPEN_RIGHT if heard[0] == "left" else OPEN_LEFT)


def test_three_steps_are_worth_opening_after_two_equal_sounds():
    """83053/16000 = 5.1908125, the 5.19 of the literature [Nair et al. 2003]."""
    returns = posg_returns(Tiger(horizon=3), [open_after_two_equal_sounds] * 2)
    assert returns == (Fraction(83053, 16000), Fraction(83053, 16000))


def test_nobody_gains_alone_on_opening_after_two_equal_sounds():
    policy = policy_from(open_after_two_equal_sounds)
    assert list(return_gains(Tiger(horizon=3), (policy, policy))) == [0, 0]


@pytest.mark.parametrize("horizon", [0, -1, 2.0, None, 1001])
def test_bad_horizon_is_refused(horizon):
    with pytest.raises(
        InvalidArgument, match=r"Tiger: needs horizon to be an integer from 1 to 1000"
    ):
        Tiger(horizon=horizon)


def test_bad_discount_is_refused():
    with pytest.raises(InvalidGame, match=r"discount: needs a number in \[0, 1\], but is 3/2"):
        Tiger(discount=Fraction(3, 2))
