"""Small games with what bridges get wrong: changing actions, random rewards, early ends."""

from dataclasses import dataclass
from fractions import Fraction

from gametheory_core.distributions import distribution, point_mass, uniform
from gametheory_core.games import CHANCE, NULL


@dataclass(frozen=True)
class Corridor:
    """A POSG: two walk a corridor of three cells from a random cell, and leave at its right end.

    In cell 0 nobody can go left. They move right together if both want to, and slip back with
    probability 1/3. Only the first player sees the cell.
    """

    title: str = "Corridor"
    players: tuple = ("guide", "guest")
    discount: Fraction = Fraction(9, 10)
    horizon: int | None = 2

    def initial(self):
        return distribution({0: "1/4", 1: "3/4"})

    def initial_observation(self, state):
        return point_mass((state, NULL))

    def legal_actions(self, player, observation):
        return ("right",) if observation == 0 else ("left", "right")

    def is_terminal(self, state):
        return state == 2

    def transition(self, state, joint_action):
        if joint_action == ("right", "right"):
            return distribution({state + 1: "2/3", max(0, state - 1): "1/3"})
        return point_mass(max(0, state - 1))

    def observation(self, joint_action, state):
        if state == 2:
            raise AssertionError("nobody looks where play is over")
        return uniform(((state, "dim"), (state, "bright")))

    def reward(self, state, joint_action, next_state):
        return (Fraction(1, 4) if next_state == 2 else -1, int(state == 1))


@dataclass(frozen=True)
class Wheel:
    """An AEC game with three seats: who is drawn bets or passes; bets of 1 are doubled or lost.

    Chance pays an entry prize before anyone acts, and again after every bet. The last seat has no
    turn before somebody has passed. Play ends with the second pass. After a bet, seat one is
    likelier to go on.
    """

    title: str = "Wheel"
    players: tuple = ("one", "two", "three")
    discount: Fraction = Fraction(1)
    horizon: int | None = None
    initial_state: tuple = ("deal", 0)

    def observation(self, player, state):
        return uniform((("dull", state[1]), ("shiny", state[1])))

    def legal_actions(self, player, observation):
        return ("pass",) if observation[0] == "dull" else ("pass", "bet")

    def is_terminal(self, state):
        return state == ("turn", 2)

    def move(self, player, state, action):
        return ("spin", state[1], player) if action == "bet" else ("turn", state[1] + 1)

    def chance(self, state):
        return point_mass(("turn", state[1]))

    def reward(self, state, mover, action, next_state):
        if mover != CHANCE:
            return point_mass((0, 0, Fraction(1, 2) if action == "pass" else 0))
        if state[0] == "deal":
            return uniform(((1, 0, 0), (0, 1, 0)))
        won = tuple(int(seat == state[2]) for seat in range(3))
        return distribution({won: "1/3", tuple(-w for w in won): "2/3"})

    def next_player(self, state, mover, action, next_state):
        if next_state[0] == "spin":
            return point_mass(CHANCE)
        if next_state[1]:
            return point_mass(2)
        return uniform((0, 1)) if state[0] == "deal" else distribution({0: "3/4", 1: "1/4"})


@dataclass(frozen=True)
class OverAtOnce(Corridor):
    """A corridor that may be left before the first step."""

    def initial(self):
        return distribution({0: "1/2", 2: "1/2"})


@dataclass(frozen=True)
class WheelOverAtOnce(Wheel):
    """A wheel that stands still: play is over after the deal."""

    def is_terminal(self, state):
        return state[0] == "turn"


@dataclass(frozen=True)
class WheelSpunFirst(Wheel):
    """A wheel that may spin up to three times before anyone's turn."""

    initial_state: tuple = ("warm up", 0)

    def chance(self, state):
        if state[0] != "warm up":
            return point_mass(("turn", state[1]))
        return point_mass(("warm up", state[1] + 1) if state[1] < 2 else ("turn", 0))

    def reward(self, state, mover, action, next_state):
        return point_mass((0, 0, 0))

    def next_player(self, state, mover, action, next_state):
        if next_state[0] == "warm up":
            return distribution({0: "1/3", CHANCE: "2/3"})
        return point_mass(mover if mover != CHANCE else 0)

    def move(self, player, state, action):
        return ("turn", min(state[1], 1) + 1)


@dataclass(frozen=True)
class WheelForever(Wheel):
    """A wheel that spins for ever: nobody has a turn."""

    def is_terminal(self, state):
        return False

    def reward(self, state, mover, action, next_state):
        return point_mass((0, 0, 0))

    def next_player(self, state, mover, action, next_state):
        return point_mass(CHANCE)
