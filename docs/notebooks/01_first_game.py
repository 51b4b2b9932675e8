# %% [markdown]
# # Your first game
# %%
from gametheory_core import load_game

load_game("battle_of_the_sexes")
