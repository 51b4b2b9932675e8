"""Rewards of a cycle sum to the POSG's, and tell who earned them."""

from dataclasses import dataclass
from fractions import Fraction

import pytest

from gametheory_core.catalog import Cleanup, Resolution
from gametheory_core.catalog.cleanup import CLEAN, WAIT
from gametheory_core.conversions import posg_to_aec
from gametheory_core.distributions import distribution, point_mass, push_forward
from gametheory_core.errors import LawBroken
from gametheory_core.games import CHANCE
from gametheory_core.strategies import reactive
from gametheory_core.testing import check_reward_attribution
from tests.laws.test_races import fire

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Garden:
    """Two neighbors, two days: a day's rain pays both 3, the first's sprinkler pays the second 1.

    The second may mow, which costs the first 2. It rains with weight 1/4.
    """

    title = "garden"
    players = ("waters", "mows")
    horizon = 2
    discount = Fraction(1)

    def initial(self):
        return point_mass("dry")

    def initial_observation(self, state):
        return point_mass((state, state))

    def legal_actions(self, player, observation):
        return (0, 1)

    def is_terminal(self, state):
        return False

    def transition(self, state, joint_action):
        return distribution({"rain": "1/4", "dry": "3/4"})

    def observation(self, joint_action, state):
        return point_mass((state, state))

    def reward(self, state, joint_action, next_state):
        rain = 3 * (next_state == "rain")
        waters, mows = joint_action
        return (rain - 2 * mows, rain + waters)


@dataclass(frozen=True)
class GardenInTurns:
    """The same, paid when it happens; the state is the weather seen."""

    title = "garden"
    players = ("waters", "mows")
    horizon = 1 + 2 * 3
    discount = Fraction(1)
    initial_state = "before"
    pays_other: bool = False

    def observation(self, player, state):
        return point_mass(state)

    def legal_actions(self, player, observation):
        return (0, 1)

    def is_terminal(self, state):
        return False

    def move(self, player, state, action):
        return state

    def chance(self, state):
        if state == "before":
            return point_mass("dry")
        return distribution({"rain": "1/4", "dry": "3/4"})

    def reward(self, state, mover, action, next_state):
        if mover == CHANCE:
            rain = 3 * (next_state == "rain")
            return point_mass((rain, rain))
        paid = (0, action) if mover == 0 else (-2 * action, 0)
        return point_mass(paid[::-1] if self.pays_other else paid)

    def next_player(self, state, mover, action, next_state):
        return point_mass(CHANCE if mover == 1 else mover + 1)


def test_rewards_of_a_cycle_are_taken_apart():
    found = check_reward_attribution(GardenInTurns(), Garden())
    assert found.sources == (CHANCE, 0, 1)
    day = [[Fraction(3, 4), 0, -1], [Fraction(3, 4), HALF, 0]]
    assert found.shares.tolist() == [day, day]
    assert found.totals.tolist() == [[-Fraction(1, 4), Fraction(5, 4)]] * 2


def test_what_chance_pays_can_be_pruned():
    pruned = check_reward_attribution(GardenInTurns(), Garden()).without_chance()
    assert pruned.sources == (0, 1)
    assert pruned.totals.tolist() == [[-1, HALF]] * 2


def test_another_profile_gives_another_attribution():
    always = reactive({"dry": point_mass(1), "rain": point_mass(1)})
    never = reactive({"dry": point_mass(0), "rain": point_mass(0)})
    found = check_reward_attribution(GardenInTurns(), Garden(), profile=(always, never))
    assert found.without_chance().totals.tolist() == [[0, 1]] * 2


def test_reward_paid_to_the_other_breaks_the_law():
    with pytest.raises(LawBroken, match=r"the play \[actions .*\] has probability .* in the POSG"):
        check_reward_attribution(GardenInTurns(pays_other=True), Garden())


@pytest.mark.parametrize("resolution", Resolution)
def test_queued_actions_leave_all_to_chance(resolution):
    posg = Cleanup(resolution)
    found = check_reward_attribution(posg_to_aec(posg).target, posg)
    assert not found.without_chance().totals.any()
    assert found.totals.any()


@dataclass(frozen=True)
class CleanupInTurns:
    """Cleanup whose beams are resolved, and paid, in turn; all see the tiles of the cycle's start.

    A state is the corridor and the tiles seen, or None before the first cycle.
    """

    title = "cleanup in turns"
    players = ("1", "2")
    horizon = 1 + 3
    discount = Fraction(1)
    initial_state = None

    def observation(self, player, state):
        corridor, seen = state
        return point_mass((corridor.positions[player], tuple(sorted(seen))))

    def legal_actions(self, player, observation):
        return (CLEAN, WAIT)

    def is_terminal(self, state):
        return False

    def move(self, player, state, action):
        corridor, seen = state
        return (fire(player, corridor, action), seen)

    def chance(self, state):
        if state is None:
            start = Cleanup(Resolution.FIXED).initial()
            return push_forward(start, lambda corridor: (corridor, corridor.dirty))
        return point_mass((state[0], state[0].dirty))

    def reward(self, state, mover, action, next_state):
        if mover == CHANCE:
            return point_mass((0, 0))
        before, after = state[0].cleaned, next_state[0].cleaned
        return point_mass(tuple(b - a for a, b in zip(before, after, strict=True)))

    def next_player(self, state, mover, action, next_state):
        return point_mass(CHANCE if mover == 1 else mover + 1)


def test_cleaners_earn_their_own_rewards():
    found = check_reward_attribution(CleanupInTurns(), Cleanup(Resolution.FIXED, horizon=1))
    ((first, second),) = found.shares.tolist()
    assert (first[0], second[0]) == (0, 0)
    assert (first[2], second[1]) == (0, 0)
    assert first[1] == HALF  # the first beam always hits: from 0 or 1, tile 3 is near
    assert second[2] == HALF * HALF + HALF * HALF * HALF  # the second misses if 6 is too far


def test_turns_are_not_beams_fired_at_once():
    with pytest.raises(LawBroken, match="cycles that pay together what the POSG's steps pay"):
        check_reward_attribution(CleanupInTurns(), Cleanup(Resolution.SIMULTANEOUS, horizon=1))
