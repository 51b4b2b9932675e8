"""Random decision problems of one player, and an environment that breaks, for tests of values."""

import numpy as np

from gametheory_core.conversions import posg_from_tables


def layered_problem(seed, *, layers=3, width=3, actions=3):
    """A decision problem of one player, drawn at random: ``layers`` moves, then the end.

    Each state of a layer is seen; what is legal differs from state to state; kernels are exact.
    """
    rng = np.random.default_rng(seed)
    states = [[f"{layer}{k}" for k in range(width)] for layer in range(layers)]
    labels = [f"a{k}" for k in range(actions)]
    transitions, rewards, legal = {}, {}, {}
    for layer, own in enumerate(states):
        following = states[layer + 1] if layer + 1 < layers else ["end"]
        for state in own:
            count = int(rng.integers(2, actions + 1))
            legal[0, state] = [labels[k] for k in sorted(rng.permutation(actions)[:count])]
            for label in legal[0, state]:
                weights = rng.integers(0, 4, size=len(following))
                weights[rng.integers(len(following))] += 1
                law = {
                    after: f"{weight}/{weights.sum()}"
                    for after, weight in zip(following, weights.tolist(), strict=True)
                    if weight
                }
                transitions[state, (label,)] = law
                paid = int(rng.integers(-5, 6))
                rewards |= {(state, (label,), after): (paid,) for after in law}
    reached = set(states[0])
    for (state, _), law in transitions.items():  # layer by layer
        reached |= set(law) if state in reached else set()
    transitions = {key: law for key, law in transitions.items() if key[0] in reached}
    return posg_from_tables(
        players=["player"],
        actions=[labels],
        initial=dict.fromkeys(states[0], f"1/{width}"),
        transitions=transitions,
        rewards={key: paid for key, paid in rewards.items() if key[0] in reached},
        observations={
            (joint, after): {(after,): 1}
            for (_, joint), law in transitions.items()
            for after in law
            if after != "end"
        },
        initial_observations={state: {(state,): 1} for state in states[0]},
        legal_actions={key: own for key, own in legal.items() if key[1] in reached},
        terminal=["end"],
        discount="9/10",
        title="Layered problem",
    )
