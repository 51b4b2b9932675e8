# %% [markdown]
# # Learning dynamics: where they lead, and where they do not
#
# Regret matching in rock-paper-scissors: the last strategies circle, the averages approach
# equilibrium.

# %%
import numpy as np

from gametheory_core import MixedProfile, load_game
from gametheory_core.figures import draw_simplex
from solvers import fictitious_play, regret_matching

throws = load_game("rock_paper_scissors")
start = MixedProfile((np.array([0.6, 0.3, 0.1]), np.array([0.2, 0.5, 0.3])))
play = regret_matching(throws, initial=start, steps=5000)
print(play.nash.statement)

# %% [markdown]
# In the picture: replicator dynamics keep their distance from the equilibrium for ever.

# %%
strategy, path = np.array([0.6, 0.3, 0.1]), []
for _ in range(900):
    path.append(strategy)
    earned = throws.payoffs[0] @ strategy
    strategy = strategy * (1 + 0.01 * (earned - strategy @ earned))
axes = draw_simplex([path], points=[[1 / 3] * 3], actions=throws.actions[0])

# %% [markdown]
# ## Shapley's game
#
# No player has regret in the long run, and still the averages are no equilibrium. Both are
# certified numbers: the regret is exactly the epsilon of coarse correlated play.

# %%
shapley = load_game("shapley_cycle")
start = MixedProfile((np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.2, 0.6])))
cycling = regret_matching(shapley, initial=start, steps=20_000)
assert cycling.coarse_correlated.epsilon < 0.001
assert cycling.nash.epsilon > 0.1
print("regret:", float(cycling.coarse_correlated.epsilon))
print("gain against the averages:", float(cycling.nash.epsilon))

# %% [markdown]
# ## Fictitious play
#
# Averages converge in zero-sum games (Robinson 1951), slowly.

# %%
for steps in (100, 1000, 10_000):
    found = fictitious_play(throws, steps=steps)
    print(f"{steps:6d} steps: epsilon = {float(found.nash.epsilon):.5f}, certified")
