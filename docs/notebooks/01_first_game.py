# %% [markdown]
# # Your first game
#
# Two people want to meet: she prefers the ballet, he the fight. The catalogue has this game; a
# small matrix game shows itself with best responses underlined and pure equilibria framed.

# %%
from gametheory_core import NormalFormGame, load_game

battle = load_game("battle_of_the_sexes")
battle

# %% [markdown]
# Your own game is two matrices and labels. Numbers may be integers, fractions, or texts such as
# `"1/3"`: they stay what they are.

# %%
meeting = NormalFormGame.bimatrix(
    [["5/2", 0], [0, 1]],
    [[1, 0], [0, 2]],
    players=("She", "He"),
    actions=(("ballet", "fight"), ("ballet", "fight")),
)
meeting

# %% [markdown]
# `solve` picks a solver and says which. An answer shows what is played, exactly and as decimals.

# %%
from solvers import solve

answer = solve(meeting, "all-nash")
print(answer.reason)
answer

# %% [markdown]
# Profiles know the names of their game, and every solution carries a certificate: `verify()`
# computes the claim anew, in fractions, and raises if it is false.

# %%
mixed = next(found for found in answer.solutions if len(found.profile["She"].support) == 2)
mixed.certificate.verify()
mixed.profile["She"]["ballet"], mixed.certificate.statement

# %% [markdown]
# The picture: each player's best response to what the other does, and the three points where they
# meet.

# %%
from gametheory_core.figures import draw_best_responses

axes = draw_best_responses(meeting, equilibria=answer)
