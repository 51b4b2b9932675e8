"""Random POSGs with hidden states, correlated observations and a discount, by seed."""

from fractions import Fraction
from itertools import product

import numpy as np

from gametheory_core.conversions import posg_from_tables


def _law(rng, outcomes):
    weights = rng.integers(1, 5, size=len(outcomes)).tolist()
    return {x: Fraction(w, sum(weights)) for x, w in zip(outcomes, weights, strict=True)}


def hidden_state_game(seed, *, states=3, horizon=4, discount=Fraction(1, 2)):
    """Two players with 2 and 3 actions and two observations each; one state ends play."""
    rng = np.random.default_rng(seed)
    names = [f"s{k}" for k in range(states)]
    actions = [["a", "b"], ["x", "y", "z"]]
    joint = list(product(*actions))
    signals = list(product("lr", "uv"))
    places = [(s, j) for s in names for j in joint]
    after = [*names, "end"]
    return posg_from_tables(
        players=["Ann", "Bob"],
        actions=actions,
        initial=_law(rng, names),
        transitions={place: _law(rng, after) for place in places},
        rewards={
            (*place, x): tuple(rng.integers(-5, 6, size=2).tolist())
            for place in places
            for x in after
        },
        observations={(j, s): _law(rng, signals) for j in joint for s in names},
        initial_observations={s: _law(rng, signals) for s in names},
        legal_actions={(1, "u"): ["x", "z"]},
        terminal=["end"],
        discount=discount,
        horizon=horizon,
    )
