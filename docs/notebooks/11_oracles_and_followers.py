# %% [markdown]
# # Leaders of followers who ask first
#
# A leader commits to a policy in a Markov game. The follower gets to know it by asking what the
# leader would do, and then responds best. Here: the iterated prisoner's dilemma over ten rounds,
# of which the last is seen.

# %%
from gametheory_core import load_game
from gametheory_core.leaders import leader_from_text, leader_problem, leader_view, oracle_returns
from solvers.leaders import contextual_queries, markov_stackelberg

game = load_game("iterated_prisoners_dilemma:rounds=10")
view = leader_view(game)
best = markov_stackelberg(game)
best.certificate.verify()
print(best.certificate.statement)

# %% [markdown]
# All 32 deterministic leaders, and what each returns. Written as digits by what was seen last
# (start, CC, CD, DC, DD; 1 is to defect).

# %%
from gametheory_core.leaders import draw_leader_policies

axes = draw_leader_policies(view)

# %% [markdown]
# ## The leader's own problem
#
# Against a follower who asks five questions and then responds best, the leader faces a one-player
# POSG. It pays each deterministic leader what the commitment pays, so that any learner for one
# player can be put on it.

# %%
oracle = contextual_queries(view)
problem = leader_problem(view, oracle)
leader = leader_from_text(view, "10101")  # defect first, then do what the other did
print("players:", problem.target.players, "- steps:", problem.target.horizon)
print("returns of leader and follower:", *map(str, oracle_returns(view, oracle, leader)))

# %% [markdown]
# Which claims of Gerstgrasser and Parkes hold, and which do not, is on the page [Oracles &
# Followers](../oracles-and-followers.md).
