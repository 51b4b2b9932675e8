# %% [markdown]
# # Commitment: what it is worth to be seen
#
# A leader commits to a strategy, the follower sees it and answers. In this game the only
# equilibrium pays the leader 2.

# %%
from gametheory_core import load_game
from solvers import strong_stackelberg, vertex_enumeration, weak_stackelberg

game = load_game("commitment_example")
game

# %%
(equilibrium,) = vertex_enumeration(game).equilibria
strong = strong_stackelberg(game)
strong.certificate.verify()
print("equilibrium:", equilibrium.payoffs[0], "  commitment:", strong.payoffs[0])
strong

# %% [markdown]
# The certificate bounds what *any* commitment can earn. Ties of the follower break for the leader
# here; against the leader the value is a supremum, and the certificate says whether it is
# attained.

# %%
weak = weak_stackelberg(game)
print(weak.payoffs[0], "attained" if weak.certificate.is_attained else "only approached")

# %% [markdown]
# The picture draws what the leader gets from each mixed commitment over two actions. It jumps
# where the follower changes.

# %%
import matplotlib.pyplot as plt
import numpy as np

row, column = game.payoffs
shares = np.linspace(0, 1, 401)
commitments = np.stack([shares, 1 - shares], axis=1)
answers = (commitments @ column).argmax(axis=1)
earned = (commitments @ row)[np.arange(len(shares)), answers]
figure, axes = plt.subplots(figsize=(5, 3), layout="constrained")
axes.plot(shares, earned, ".", markersize=2)
axes.set(xlabel="probability of the first action", ylabel="leader's payoff")
axes.axhline(float(strong.payoffs[0]), linestyle=":")
# %% [markdown]
# ## Guards and attackers
#
# Commitment is how patrols are planned: the attacker watches first. `security_stackelberg` finds
# how often each target should be covered.

# %%
from solvers import security_stackelberg

gates = load_game("guarded_targets:targets=6,resources=2")
patrol = security_stackelberg(gates)
patrol.certificate.verify()
print(patrol.certificate.statement)
