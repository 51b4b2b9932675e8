from gametheory_core.figures.cycle import draw_cycle as draw_cycle
from gametheory_core.figures.matrix import draw_best_responses as draw_best_responses
from gametheory_core.figures.matrix import draw_payoffs as draw_payoffs
from gametheory_core.figures.runs import draw_convergence as draw_convergence
from gametheory_core.figures.runs import draw_simplex as draw_simplex
from gametheory_core.figures.tree import draw_tree as draw_tree
