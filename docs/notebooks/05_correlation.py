# %% [markdown]
# # Correlated equilibria: what a mediator adds
#
# In chicken, a traffic light pays both more than any mixture of Nash equilibria. The best
# correlated equilibrium is one linear program, solved exactly; prices on deviations prove that
# none is better.

# %%
from gametheory_core import load_game
from solvers import correlated_equilibrium, solve, vertex_enumeration

chicken = load_game("chicken")
best = correlated_equilibrium(chicken)
best.certificate.verify()
best

# %% [markdown]
# What equilibria of each kind pay: the polygon holds the payoffs of all correlated equilibria, the
# crosses are Nash.

# %%
import matplotlib.pyplot as plt

corners = solve(chicken, "correlated-payoffs").solutions[0]
corners.certificate.verify()
print(corners.certificate.statement)

# %%
points = [tuple(map(float, corner)) for corner in corners.certificate.vertices]
nash = [tuple(map(float, found.payoffs)) for found in vertex_enumeration(chicken).equilibria]
figure, axes = plt.subplots(figsize=(4, 4), layout="constrained")
axes.fill(*zip(*points, strict=True), alpha=0.3, label="correlated")
axes.plot(*zip(*nash, strict=True), "kx", label="Nash")
axes.set(xlabel=chicken.players[0], ylabel=chicken.players[1])
axes.legend()
# %% [markdown]
# ## Learning leads there
#
# Players without swap regret play, together, a correlated equilibrium; with little external
# regret, a coarse one. Epsilon is exactly the largest average regret.

# %%
from solvers import regret_matching

play = regret_matching(chicken, steps=2000)
play.coarse_correlated.verify()
print(play.coarse_correlated.statement)
