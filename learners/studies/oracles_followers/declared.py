"""The declaration of the study: which figures and tables it has."""

from learners.studies.oracles_followers import (
    iterated_games,
    learning_followers,
    queries,
    tables,
    trade,
)
from learners.studies.registry import Kind, Piece, Study

STUDY = Study(
    name="oracles_followers",
    title="Oracles & Followers: learning to lead",
    source="M. Gerstgrasser and D. C. Parkes, Oracles & Followers, ICML 2023",
    takes="about 40 minutes on one core, of which table 6 takes 30",
    pieces=(
        Piece(Kind.TABLE, 1, "battle of the sexes, solved", tables.make_table_1),
        Piece(Kind.TABLE, 2, "approaches, and what stands for them here", tables.make_table_2),
        Piece(Kind.TABLE, 3, "payoffs of all games, solved", tables.make_table_3),
        Piece(Kind.TABLE, 4, "options of the paper, and defaults here", tables.make_table_4),
        Piece(Kind.FIGURE, 1, "leaders in twelve iterated games", iterated_games.make_figure_1),
        Piece(Kind.FIGURE, 2, "who leads a bilateral trade takes its gains", trade.make_figure),
        Piece(Kind.FIGURE, 3, "queries in play, and hidden ones", queries.make_figure_3),
        Piece(Kind.FIGURE, 4, "a leader who knows which are queries", queries.make_figure_4),
        Piece(
            Kind.FIGURE,
            5,
            "a leader who is paid while the follower learns",
            learning_followers.make_figure_5,
        ),
        Piece(
            Kind.FIGURE,
            6,
            "a follower who keeps what she learned",
            learning_followers.make_figure_6,
        ),
        Piece(Kind.FIGURE, 8, "figure 1, for ten times as long", iterated_games.make_figure_8),
        Piece(
            Kind.TABLE,
            5,
            "beyond the paper: whom leaders commit to in the end, judged exactly",
            iterated_games.make_table_5,
        ),
        Piece(
            Kind.TABLE,
            6,
            "where ES-MD ends after 1,280 million steps, as in the paper's figure 1",
            iterated_games.make_table_6,
        ),
    ),
    absent={"figure 7": "a drawing of the network that sees the screen and offers; no numbers"},
)
