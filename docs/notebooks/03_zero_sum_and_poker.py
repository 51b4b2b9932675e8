# %% [markdown]
# # Zero-sum games and poker
#
# Kuhn's poker: three cards, one bet. The tree has 55 nodes; dashed lines link what a player cannot
# tell apart.

# %%
from gametheory_core import load_game

kuhn = load_game("kuhn_poker")
kuhn

# %% [markdown]
# `sequence_form_lp` solves it exactly. The value is -1/18 to the first player: the certificate
# proves it from both sides.

# %%
from solvers import sequence_form_lp

solution = sequence_form_lp(kuhn)
solution.certificate.verify()
print(solution.certificate.statement)
solution

# %% [markdown]
# In this solution the first player never bets first, and the second bluffs: with the jack, after a
# check, a third of the time.

# %%
from gametheory_core.figures import draw_tree

axes = draw_tree(kuhn, profile=solution.profile)

# %% [markdown]
# ## Larger: Leduc poker
#
# 9,457 nodes, solved exactly in a fraction of a second; and approximately by CFR+, whose average
# is certified afterwards. The exact value lies in the interval that CFR+ proves.

# %%
from solvers import counterfactual_regret

leduc = load_game("leduc_poker")
exact = sequence_form_lp(leduc)
run = counterfactual_regret(leduc, tolerance=0.01)
low, high = run.certificate.lower, run.certificate.upper
assert low <= exact.certificate.game_value <= high
print(f"exact {float(exact.certificate.game_value):.6f}")
print(f"proved by CFR+: [{float(low):.4f}, {float(high):.4f}]")

# %%
from gametheory_core.figures import draw_convergence

axes = draw_convergence({"CFR+": run}, measure="epsilon", title="Leduc poker")
