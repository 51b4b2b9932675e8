"""Compare what a leader earns at equilibrium and by committing first, on random games.

Payoffs are -1, 0 and 1, so that ties abound and it matters how the follower breaks them.
"""

import numpy as np

from gametheory_core.catalog import random_degenerate_game
from solvers import strong_stackelberg, vertex_enumeration, weak_stackelberg

rng = np.random.default_rng(7)
print("best equilibrium   weak commitment   strong commitment")
for _ in range(8):
    game = random_degenerate_game((4, 4), rng=rng)
    best = max(equilibrium.payoffs[0] for equilibrium in vertex_enumeration(game).equilibria)
    weak = weak_stackelberg(game).certificate.leader_payoff
    strong = strong_stackelberg(game).certificate.leader_payoff
    if not best <= strong or not weak <= strong:
        raise SystemExit("impossible: a leader can commit to any equilibrium strategy")
    print(f"{float(best):16.4f}   {float(weak):15.4f}   {float(strong):17.4f}")
