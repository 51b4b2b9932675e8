# %% [markdown]
# # Trees, threats and refinements
#
# A newcomer enters a market or stays out; the incumbent fights or shares. Write the tree as it is
# told.

# %%
from gametheory_core import Decision, Terminal, from_sketch, load_game

answer = Decision(1, "entered", {"fight": Terminal([-1, -1]), "share": Terminal([1, 1])})
entry = from_sketch(
    Decision(0, "start", {"out": Terminal([0, 2]), "enter": answer}),
    players=("Newcomer", "Incumbent"),
    title="Market entry",
)
entry

# %% [markdown]
# Nash equilibria include a threat that nobody would carry out. Backward induction leaves one.

# %%
from solvers import backward_induction, solve

print(len(solve(entry, "all-nash").solutions), "extreme Nash equilibria")
backward_induction(entry)

# %% [markdown]
# ## Where subgames do not help
#
# Selten's horse has no proper subgame, and yet an equilibrium that beliefs rule out. A sequential
# equilibrium comes with its beliefs, and the certificate holds the trembles that explain them.

# %%
from solvers import sequential_equilibrium

horse = load_game("selten_horse")
sequential = sequential_equilibrium(horse)
sequential.certificate.verify()
print(sequential.certificate.statement)
sequential

# %% [markdown]
# ## All of them, in a signaling game
#
# Beer or quiche: all extreme sequential equilibria, with a proof that the list is complete.

# %%
from solvers.trees import signaling_equilibria

found = signaling_equilibria(load_game("beer_quiche"))
found.completeness.verify()
for equilibrium in found.equilibria:
    print("pays", *map(str, equilibrium.payoffs))
found.equilibria[0]

# %% [markdown]
# Quasi-perfect equilibria play well even after own mistakes; the mistakes are polynomials in a
# symbol, no small number.

# %%
from solvers import quasi_perfect

careful = quasi_perfect(entry)
careful.certificate.verify()
careful
