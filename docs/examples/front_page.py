"""Draw the picture of the front page: a matrix game, its equilibria, and a tree with its solution.

``python docs/examples/front_page.py PICTURE`` writes it; without PICTURE it is only drawn.
"""

import sys

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt

from gametheory_core import load_game
from gametheory_core.figures import draw_best_responses, draw_payoffs, draw_tree
from solvers import quasi_perfect, vertex_enumeration

battle, poker = load_game("battle_of_the_sexes"), load_game("one_card_poker")
figure, (left, middle, right) = plt.subplots(
    1, 3, figsize=(14, 4.2), layout="constrained", width_ratios=(3, 3, 5)
)
draw_payoffs(battle, player=0, ax=left)
found = vertex_enumeration(battle).equilibria
draw_best_responses(battle, equilibria=[one.profile for one in found], ax=middle)
solution = quasi_perfect(poker)
draw_tree(poker, profile=solution.profile, ax=right)
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=90)
print(len(found), "equilibria; the tree pays", *map(str, solution.payoffs))
