"""Random POSGs in which everybody sees the state, with or without noise beside it."""

from itertools import product

from hypothesis import strategies as st

from gametheory_core.games import list_posg
from gametheory_core.testing.rule_generators import CERTAIN, WEIGHTS

LAWS = st.sampled_from(WEIGHTS)


@st.composite
def markov_rules(draw, *, num_players=(2, 3), controlled=False, noisy=False, low=-2, high=2):
    """Draw a POSG of 1 to 3 states and 1 to 3 steps; ``controlled``: actions move the state."""
    count = draw(st.integers(*num_players))
    actions = ["ab"[: draw(st.integers(1, 2))] for _ in range(count)]
    states = ["s", "t", "end"][: draw(st.integers(1, 3))]
    ends = [state for state in states if state == "end"]
    pay = st.integers(low, high)

    def law():
        weights = draw(LAWS) if len(states) > 1 else CERTAIN[0]
        return dict(zip(draw(st.permutations(states)), weights, strict=False))

    def signals(state):
        seen = {(state,) * count: 1}
        if not noisy:
            return seen
        return {((state, "x"),) * count: "1/3", ((state, "y"),) * count: "2/3"}

    transitions, rewards, observations = {}, {}, {}
    for state in states[: len(states) - len(ends)]:
        usual = law()
        for joint in product(*actions):
            transitions[state, joint] = law() if controlled else usual
            for after in transitions[state, joint]:
                rewards[state, joint, after] = tuple(draw(pay) for _ in range(count))
                observations[joint, after] = signals(after)
    return list_posg(
        players=["Ann", "Bob", "Cleo"][:count],
        actions=actions,
        initial={"s": 1},
        transitions=transitions,
        rewards=rewards,
        observations=observations,
        initial_observations={state: signals(state) for state in states},
        terminal=ends,
        discount=draw(st.sampled_from(["1", "1/2"])),
        horizon=draw(st.integers(1, 3)),
    )


def equilibria(game, state, leader, action):
    """What followers may answer, by brute force over the rules."""
    if (state, tuple(own[0] for own in game.actions)) not in list(game.transitions):
        return [tuple(own[0] for i, own in enumerate(game.actions) if i != leader)]

    def paid(joint, player):
        law = game.transition(state, joint)
        return sum(w * game.reward(state, joint, after)[player] for after, w in law)

    found = []
    others = [own if i != leader else action for i, own in enumerate(game.actions)]
    for joint in product(*others):
        if all(
            paid((*joint[:j], other, *joint[j + 1 :]), j) <= paid(joint, j)
            for j in range(len(joint))
            if j != leader
            for other in game.actions[j]
        ):
            found.append(joint[:leader] + joint[leader + 1 :])
    return found
