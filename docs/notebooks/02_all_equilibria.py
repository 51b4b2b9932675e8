# %% [markdown]
# # All equilibria, with a proof that there are no others
#
# `vertex_enumeration` lists the *extreme* equilibria of a two-player game. In a generic game these
# are all; their number is then odd.

# %%
from gametheory_core import load_game
from solvers import nash_components, vertex_enumeration

generic = vertex_enumeration(load_game("shapley_lemke_howson"))
assert len(generic.equilibria) % 2 == 1
print(generic.is_complete, "-", generic.evidence)
generic

# %% [markdown]
# The claim that a list is complete is a certificate of its own. Its check lists the vertices
# again, by another method.

# %%
generic.completeness.verify()
print(generic.completeness.statement)

# %% [markdown]
# ## A degenerate game has infinitely many
#
# Then equilibria form polytopes. `nash_components` says of which extreme ones each consists, and
# which of them hang together.

# %%
degenerate = load_game("degenerate")
parts = nash_components(degenerate)
parts.certificate.verify()
print(parts.certificate.statement)

# %% [markdown]
# ## Three players
#
# With three players and more, probabilities may be irrational. Each equilibrium is then enclosed
# in a box of rationals that provably holds exactly one.

# %%
from solvers import solve

nine = solve(load_game("nine_equilibria"), "all-nash")
print(len(nine.solutions), "equilibria by", nine.algorithm)
nine.solutions[-1]

# %%
irrational = solve(load_game("irrational_equilibrium"), "all-nash")
print(irrational.solutions[0].certificate.statement)
irrational.solutions[0]
