# %% [markdown]
# # Repeated rock-paper-scissors against bots
#
# Always throwing at random cannot lose, and wins nothing. Against bots with habits more can be
# won. A bot is anything that has `reset` and `throw`.

# %%
import matplotlib.pyplot as plt

from learners.adapters import open_spiel_population
from learners.roshambo import ContextMixing, evaluate_bot

everybody = open_spiel_population()
some = {name: everybody[name] for name in ("rockbot", "rotatebot", "switchbot", "driftbot")}


class BeatsTheLast:
    """Throws what beats the other's last throw."""

    def reset(self, seed):
        pass

    def throw(self, own, other):
        return (int(other[-1]) + 1) % 3 if len(other) else 0


scores = evaluate_bot(BeatsTheLast, some, matches=2, seed=1)
for name, mean in zip(some, scores.means, strict=True):
    print(f"{name:10} {mean:8.1f} of 1000")

# %% [markdown]
# `ContextMixing` weighs hundreds of forecasters of the next throw, and learns within the match
# only.

# %%
strong = evaluate_bot(ContextMixing, some, matches=2, seed=1)
figure, axes = plt.subplots(figsize=(5, 3), layout="constrained")
places = range(len(some))
axes.bar([place - 0.2 for place in places], scores.means, 0.4, label="beats the last throw")
axes.bar([place + 0.2 for place in places], strong.means, 0.4, label="ContextMixing")
axes.set_xticks(list(places), list(some))
axes.set_ylabel("return of a match")
axes.legend()
print("population return", round(strong.population_return, 1))

# %% [markdown]
# The largest of many noisy means is biased: what an agent *loses* at most to anybody has to be
# estimated from other matches than those that picked the bot. That is
# `cross_fitted_exploitability`; the whole benchmark is on [its page](../roshambo.md).
