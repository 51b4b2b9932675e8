# %% [markdown]
# # Learners, judged by certificates
#
# Two learners play Kuhn poker by sampling. What they have learned is then evaluated exactly: no
# test episodes, no error bars.

# %%
import numpy as np

from gametheory_core import load_game
from learners import Sees, Steps, TabularReinforce, WolfPHC, assess, batched, train

poker = load_game("kuhn_poker")


def play(seed):
    return batched(poker, episodes=64, sees=Sees.HISTORY, seed=seed)


wolf = WolfPHC(
    play(1), winning=0.0001, losing=0.0004, iteration=Steps(40), rng=np.random.default_rng(1)
)
curve = []
for _ in range(8):
    learned = train(wolf, iterations=50)
    curve.append(float(assess(poker, learned.policies)["exploitability"]))
print([round(value, 3) for value in curve])

# %% [markdown]
# Every number says how far it can be trusted: *proved* (a certificate says so), *exact*, or
# *sampled*.

# %%
appraisal = assess(poker, learned.policies)
appraisal.verify()
print(appraisal.text)

# %% [markdown]
# A policy gradient on the same game, seen beside it.

# %%
import matplotlib.pyplot as plt

reinforce = TabularReinforce(play(2), step_size=1.0, rng=np.random.default_rng(2))
other = [
    float(assess(poker, train(reinforce, iterations=25).policies)["exploitability"])
    for _ in range(8)
]
figure, axes = plt.subplots(figsize=(5, 3), layout="constrained")
axes.plot(range(1, 9), curve, "o-", label="WoLF-PHC")
axes.plot(range(1, 9), other, "s-", label="REINFORCE")
axes.set(xlabel="checkpoint", ylabel="exploitability, exact", ylim=(0, None))
axes.legend()

# %% [markdown]
# These are curves of one seed each: an anecdote. `python -m learners rates` counts successes over
# many seeds, with an interval: [training](../training.md).
