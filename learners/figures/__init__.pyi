from learners.figures.learning_curves import Curve as Curve
from learners.figures.learning_curves import Scale as Scale
from learners.figures.learning_curves import draw_learning_curves as draw_learning_curves
from learners.figures.payoff_tables import draw_payoff_table as draw_payoff_table
from learners.figures.payoff_tables import payoff_table_png as payoff_table_png
