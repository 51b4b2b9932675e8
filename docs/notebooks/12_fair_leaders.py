# %% [markdown]
# # Fair leaders, picked by a mediator
#
# In each step a mediator picks who leads; the leader acts and the others respond. The mediator
# wants fair returns, agents want their own. Agents and mediator answer each other exactly until a
# round changes nothing.

# %%
from gametheory_core.mediation import (
    MediatorStage,
    mediated_chicken,
    mediated_plan,
    mediated_prisoners_dilemma,
)
from solvers.mediation import fair_optimum, jam_value_iteration, ordered_leaders, voted_leaders

found = jam_value_iteration(mediated_chicken())
found.solution.certificate.verify()
print(
    found.status.name,
    [str(value) for value in found.values],
    "optimum",
    fair_optimum(mediated_chicken()).fairness,
)

# %% [markdown]
# Ways of choosing leaders in the prisoner's dilemma of two players and four steps, by the lower of
# both returns.

# %%
import matplotlib.pyplot as plt

game = mediated_prisoners_dilemma()
ways = {
    "fixed leader": ordered_leaders(game, order=(0,)).fairness,
    "vote": voted_leaders(game).expected_fairness,
    "in turn": ordered_leaders(game, order=(0, 1)).fairness,
    "mediator, naive": jam_value_iteration(game, stage=MediatorStage.NAIVE).fairness,
    "... counts the past": jam_value_iteration(game, stage=MediatorStage.PRE_FINAL).fairness,
    "... and moves payoffs": jam_value_iteration(game).fairness,
}
figure, axes = plt.subplots(figsize=(6, 2.6), layout="constrained")
axes.barh(list(ways), [float(value) for value in ways.values()])
axes.axvline(float(fair_optimum(game).fairness), linestyle=":")
axes.set(xlabel="fairness (minimum of returns)")
axes.invert_yaxis()

# %% [markdown]
# With four players it fails: nobody can be punished later, and the rounds end where somebody
# defects.

# %%
four = mediated_prisoners_dilemma(players=4)
rounds = jam_value_iteration(four)
print("fairness", rounds.fairness, "of", fair_optimum(four).fairness)
for step in mediated_plan(four, rounds.profile):
    print(step)
