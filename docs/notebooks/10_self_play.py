# %% [markdown]
# # Self-play, and what an opponent who knows you would win
#
# One policy learns repeated rock-paper-scissors against copies of its past selves. Win rates
# between snapshots, the Nash of the snapshots, and the best reply to the last one are all computed
# exactly.

# %%
import matplotlib.pyplot as plt
import numpy as np

from gametheory_core.catalog import RirRPS
from learners import batched, train
from learners.matches import match_reply, win_rates
from learners.self_play import SelfPlay, fictitious, naive

game = RirRPS(repetitions=4, recall=1)


def trained(scheme):
    learner = SelfPlay(
        batched(game, episodes=64, seed=1),
        scheme=scheme,
        live={"name": "TabularReinforce", "step_size": 0.5},
        rng=np.random.default_rng(1),
    )
    train(learner, iterations=30)
    return learner


learner = trained(fictitious())
rates = win_rates(game, learner.menagerie.snapshots)
figure, axes = plt.subplots(figsize=(4, 3.4), layout="constrained")
shown = axes.imshow(np.array(rates, dtype=float), vmin=0, vmax=1, cmap="coolwarm")
axes.set(xlabel="opponent", ylabel="snapshot", title="exact win rates")
figure.colorbar(shown)
# %% [markdown]
# Which snapshots would a player of the meta-game choose? The max-entropy Nash, certified.

# %%
from solvers.populations import nash_averaging

average = nash_averaging(rates - 0.5)
average.certificate.verify()
print("support:", [k for k, share in enumerate(average.agent_mixture) if share > 1e-6])

# %% [markdown]
# An opponent who knows the last policy wins this share; 1/2 would be optimal play.

# %%
for name, scheme in (("past selves", fictitious()), ("itself only", naive())):
    last = trained(scheme).menagerie[-1]
    print(f"{name}: {float(match_reply(game, last).win_rate):.3f}")
