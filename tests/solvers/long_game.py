"""A game whose numbers grow with its length: states are drawn, and discounted by tenths."""

from fractions import Fraction
from itertools import product

from gametheory_core.conversions import posg_from_tables

GUARD, THIEF = ("rest", "patrol"), ("wait", "sneak", "rush")


def watched_house(steps):
    """A guard and a thief, in calm and alarm until the thief is caught; everybody sees which."""
    states, joint_actions = ("calm", "alarm"), tuple(product(GUARD, THIEF))
    gains = {"wait": 0, "sneak": 1, "rush": 2}
    watched = {"caught": "1/3", "alarm": "2/5", "calm": "4/15"}
    unwatched = {"caught": "1/30", "alarm": "2/5", "calm": "17/30"}
    transitions = {
        (state, joint): watched if joint[0] == "patrol" and joint[1] != "wait" else unwatched
        for state in states
        for joint in joint_actions
    }
    rewards = {
        (state, joint, after): (
            Fraction(1 if joint[0] == "rest" else 0) - gains[joint[1]],
            gains[joint[1]] - (2 if after == "caught" else 0),
        )
        for state, joint in transitions
        for after in transitions[state, joint]
    }
    places = (*states, "caught")
    return posg_from_tables(
        players=("guard", "thief"),
        actions=(GUARD, THIEF),
        initial={"calm": 1},
        transitions=transitions,
        rewards=rewards,
        observations={
            (joint, state): {(state, state): 1} for joint in joint_actions for state in places
        },
        initial_observations={"calm": {("calm", "calm"): 1}},
        terminal=["caught"],
        discount=Fraction(9, 10),
        horizon=steps,
    )
