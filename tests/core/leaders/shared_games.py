"""Random games of a leader and several followers, and policies for them."""

from fractions import Fraction
from itertools import product

from gametheory_core.games import list_posg
from gametheory_core.leaders import DeterministicLeader, StationaryFollower

PLAYERS = ("Lea", "Ann", "Bob")
STATES = ("s", "t")
ACTIONS = (("l", "r"), ("a", "b"), ("x", "y", "z"))


def random_tables(rng, *, apart=False):
    """What each joint action pays and where it leads, by state and joint action.

    Args:
        apart: Whether a follower's reward depends on the leader's action and her own alone, the
            leader is paid a sum over followers, and where play goes is the leader's doing.
    """
    alone = {
        (s, i, joint): int(rng.integers(-3, 4))
        for s, i in product(STATES, (1, 2))
        for joint in product(ACTIONS[0], ACTIONS[i])
    }
    led = {
        (s, i, joint): int(rng.integers(-3, 4))
        for s, i in product(STATES, (1, 2))
        for joint in product(ACTIONS[0], ACTIONS[i])
    }
    steps = {(s, a): int(rng.integers(0, 4)) for s, a in product(STATES, ACTIONS[0])}
    paid, chances = {}, {}
    for s, joint in product(STATES, product(*ACTIONS)):
        pairs = [(s, i, (joint[0], joint[i])) for i in (1, 2)]
        own = [alone[pair] for pair in pairs]
        mine = sum(led[pair] for pair in pairs)
        share = Fraction(steps[s, joint[0]], 3)
        if not apart:
            own = [value + int(rng.integers(-2, 3)) for value in own]
            share = Fraction(int(rng.integers(0, 4)), 3)
        paid[s, joint] = (mine, *own)
        chances[s, joint] = share
    return paid, chances, alone, led


def to_game(paid, chances, *, leader=0, horizon=3, discount=Fraction(9, 10), blind=()):
    """The game of tables, the leader sitting somewhere among the players; who is blind sees one."""
    seats = [1, 2]
    seats.insert(leader, 0)
    transitions, rewards = {}, {}
    for (s, joint), own in paid.items():
        seated = tuple(joint[i] for i in seats)
        share = chances[s, joint]
        law = {"s": share, "t": 1 - share}
        transitions[s, seated] = {state: weight for state, weight in law.items() if weight}
        for state in transitions[s, seated]:
            rewards[s, seated, state] = tuple(own[i] for i in seats)
    return list_posg(
        players=[PLAYERS[i] for i in seats],
        actions=[ACTIONS[i] for i in seats],
        initial={"s": "1/2", "t": "1/2"},
        **_seen(transitions, seats, blind),
        transitions=transitions,
        rewards=rewards,
        horizon=horizon,
        discount=discount,
    )


def to_pair(chances, alone, led, follower, *, horizon=3, discount=Fraction(9, 10)):
    """The game of the leader and one follower of those who are apart, the other one left out.

    The leader is paid what he gets for her.
    """
    transitions, rewards = {}, {}
    shares = {(s, joint[0]): share for (s, joint), share in chances.items()}
    for s, joint in product(STATES, product(ACTIONS[0], ACTIONS[follower])):
        law = {"s": shares[s, joint[0]], "t": 1 - shares[s, joint[0]]}
        transitions[s, joint] = {state: weight for state, weight in law.items() if weight}
        for state in transitions[s, joint]:
            rewards[s, joint, state] = (led[s, follower, joint], alone[s, follower, joint])
    return list_posg(
        players=[PLAYERS[0], PLAYERS[follower]],
        actions=[ACTIONS[0], ACTIONS[follower]],
        initial={"s": "1/2", "t": "1/2"},
        **_seen(transitions, (0, follower), ()),
        transitions=transitions,
        rewards=rewards,
        horizon=horizon,
        discount=discount,
    )


def _seen(transitions, seats, blind):
    """What players see: the state, each in words of its own; and always the same who is blind."""
    shown = {s: tuple((i, "?" if i in blind else s) for i in seats) for s in STATES}
    rows = {
        (joint, state): {shown[state]: 1}
        for (_, joint), law in transitions.items()
        for state in law
    }
    return {
        "initial_observations": {state: {own: 1} for state, own in shown.items()},
        "observations": rows,
    }


def drawn_leader(view, rng):
    """A leader of a merged view."""
    seen = range(len(view.game.observations[view.leader]))
    return DeterministicLeader(tuple(_any(view.leader_actions(o), rng) for o in seen))


def drawn_followers(view, rng):
    """A policy for each follower of a view of several."""
    return tuple(
        StationaryFollower(
            tuple(_any(view.actions(i, o), rng) for o in range(len(view.game.observations[i])))
        )
        for i in view.followers
    )


def _any(actions, rng):
    return int(rng.choice(actions)) if actions else -1
