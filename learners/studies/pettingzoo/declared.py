"""The declaration of the study: which figures it has."""

from learners.studies.pettingzoo import cycles, pursuit, races
from learners.studies.registry import Kind, Piece, Study

CODE = "a listing of code; docs/bridges.md has what runs here"
SCREEN = "a picture of a screen"

STUDY = Study(
    name="pettingzoo",
    title="PettingZoo: what can be computed",
    source="J. K. Terry et al., PettingZoo: gym for multi-agent reinforcement learning, 2021",
    takes="some three minutes on one core",
    pieces=(
        Piece(Kind.FIGURE, 5, "who moves after whom", cycles.make_figure),
        Piece(Kind.FIGURE, 9, "races of agents who clean at once", races.make_figure),
        Piece(Kind.FIGURE, 10, "pursuers, paid before and after", pursuit.make_figure),
    ),
    absent={
        "figure 1": CODE,
        "figure 2": CODE,
        "figure 3": CODE,
        "figure 4": SCREEN,
        "figure 6": CODE,
        "figure 7": "drawn together with figure 9",
        "figure 8": "drawn together with figure 9",
        "figure 11": SCREEN,
        "figure 12": "returns of PPO in games that are drawn on screens, which are not here",
    },
)
