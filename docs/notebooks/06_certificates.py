# %% [markdown]
# # Certificates: check it yourself
#
# No answer needs to be believed. A certificate holds a game, a profile and a claim in exact
# numbers; `verify` recomputes the claim, with code that knows nothing of the solver.

# %%
from gametheory_core import CertificateRejected, load_game
from solvers import sequence_form_lp

solution = sequence_form_lp(load_game("kuhn_poker"))
solution.certificate.verify()
print(solution.certificate.statement)

# %% [markdown]
# A claim that is off by the smallest fraction is rejected, with the number that is wrong.

# %%
from dataclasses import replace
from fractions import Fraction

forged = replace(solution.certificate, lower=solution.certificate.lower + Fraction(1, 10**30))
try:
    forged.verify()
except CertificateRejected as refusal:
    print(refusal)

# %% [markdown]
# ## Without this library
#
# A file of an answer holds the game and every number as a fraction. Here is a whole checker for
# matrix games of two players, in plain Python, which reads nothing but JSON.

# %%
import json

from solvers import solve

file = solve(load_game("battle_of_the_sexes"), "all-nash").to_json()


def gains(record, strategies):
    """Return what each player could still gain, from a file's text alone."""
    rows, columns = (range(len(labels)) for labels in record["actions"])
    numbers = [Fraction(text) for text in record["payoffs"]]  # by player, row and column
    pays = lambda k, i, j: numbers[(k * len(rows) + i) * len(columns) + j]  # noqa: E731
    x, y = ([Fraction(text) for text in own] for own in strategies)
    by_row = [sum(y[j] * pays(0, i, j) for j in columns) for i in rows]
    by_column = [sum(x[i] * pays(1, i, j) for i in rows) for j in columns]
    return [
        max(values) - sum(p * value for p, value in zip(own, values, strict=True))
        for own, values in ((x, by_row), (y, by_column))
    ]


answer = json.loads(file)
for found in answer["solutions"]:
    strategies = found["profile"]["strategies"]
    left = gains(answer["game"]["record"], strategies)
    assert left == [0, 0]
    print(strategies, "gains", *left)

# %% [markdown]
# What each kind of certificate claims, and how it is checked, is on the page
# [certificates](../certificates.md).
