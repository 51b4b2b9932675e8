"""The declaration of the study: which figures and tables it has."""

from learners.studies.registry import Kind, Piece, Study
from learners.studies.rrps import bot_tables, exploiters, forecasts, population_learners, record
from learners.studies.rrps.agent_tables import table_maker
from learners.studies.rrps.settings import settings

STUDY = Study(
    name="rrps",
    title="Evaluation by a population in repeated rock-paper-scissors",
    source="M. Lanctot et al., Population-based evaluation in repeated rock-paper-scissors, 2023",
    takes="about two hours on one core",
    pieces=(
        Piece(Kind.TABLE, 6, "the bots, ranked, and whom each dominates", bot_tables.make_table_6),
        Piece(Kind.FIGURE, 2, "what bots are paid by each other", bot_tables.make_figure_2),
        Piece(
            Kind.FIGURE, 3, "returns of the bots, and exploitabilities", exploiters.make_figure_3
        ),
        Piece(Kind.TABLE, 3, "fixed and independently learning agents", table_maker(3)),
        Piece(
            Kind.TABLE,
            4,
            "independent learners that see long pasts",
            population_learners.make_table_4,
        ),
        Piece(Kind.TABLE, 5, "regret minimizers, in contexts and over experts", table_maker(5)),
        Piece(Kind.TABLE, 7, "language models, and n-grams in their place", table_maker(7)),
        Piece(Kind.FIGURE, 5, "PopRL by its options", population_learners.make_figure_5),
        Piece(
            Kind.FIGURE,
            6,
            "exploiters of some bots, judged by the others",
            population_learners.make_figure_6,
        ),
        Piece(
            Kind.FIGURE,
            7,
            "the best PopRL beside a bot, bot by bot",
            population_learners.make_figure_7,
        ),
        Piece(Kind.TABLE, 8, "beyond the paper: context mixing by bot", record.make_table),
        Piece(Kind.FIGURE, 9, "beyond the paper: context mixing beside a bot", record.make_figure),
        Piece(Kind.TABLE, 2, "forecasts of bots not learned from", forecasts.make_table_2),
        Piece(Kind.FIGURE, 4, "forecasts by a network for each bot", forecasts.make_figure_4),
        Piece(Kind.FIGURE, 8, "forecasts by one network for all bots", forecasts.make_figure_8),
        Piece(Kind.TABLE, 1, "the best bots, and the best of each class", bot_tables.make_table_1),
    ),
    absent=settings().absent,
    reads_models=True,
)
