"""The declaration of the study: which figures and tables it has."""

from learners.studies.fair_leaders import end_of_play, grids, matrix_games
from learners.studies.registry import Kind, Piece, Study

STUDY = Study(
    name="fair_leaders",
    title="Fair leaders: agents learn to lead, and a mediator whom to let lead",
    source="A. Dodwadmath and S. Maghsudi, Emergence of fair leaders via mediators, 2025",
    takes="five minutes on one core, and figure 5 an hour (extra deep)",
    pieces=(
        Piece(Kind.TABLE, 2, "the dilemma, one leader a round", matrix_games.make_table_2),
        Piece(Kind.TABLE, 3, "Chicken, one leader a round", matrix_games.make_table_3),
        Piece(Kind.FIGURE, 3, "how fair leaders are in the end", matrix_games.make_figure_3),
        Piece(Kind.FIGURE, 4, "how fair leaders become", matrix_games.make_figure_4),
        Piece(Kind.FIGURE, 5, "fair leaders on the grid of resources", grids.make_figure_5),
        Piece(Kind.FIGURE, 6, "learning in turn, or all at once", matrix_games.make_figure_6),
        Piece(Kind.FIGURE, 7, "threats after the last step", end_of_play.make_figure),
    ),
    absent={
        "figure 1": "a drawing of who decides what; no numbers",
        "figure 2": "a drawing of the method; no numbers",
    },
)
