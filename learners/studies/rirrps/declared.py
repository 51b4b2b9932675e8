"""The declaration of the study: which figures and tables it has."""

from learners.studies.registry import Kind, Piece, Study
from learners.studies.rirrps import (
    exploitation,
    gate_sweep,
    hyperparameters,
    matrices,
    performance,
    sample_rates,
    trajectories,
)

STUDY = Study(
    name="rirrps",
    title="Self-play in RirRPS: six schemes",
    source="D. Hernandez et al., A generalized framework for self-play training, 2019",
    takes="about half an hour on one core",
    pieces=(
        Piece(Kind.FIGURE, 1, "how often policies are met, and expected", sample_rates.make_figure),
        Piece(Kind.TABLE, 1, "hyper-parameters, the paper's and ours", hyperparameters.make_table),
        Piece(Kind.FIGURE, 3, "exact win rates and Nash supports", matrices.make_figure),
        Piece(Kind.FIGURE, 4, "relative population performance", performance.make_figure),
        Piece(
            Kind.FIGURE,
            5,
            "beyond the paper: exploitability, cycles, forgetting",
            exploitation.make_figure,
        ),
        Piece(Kind.FIGURE, 2, "matches laid out by t-SNE", trajectories.make_figure),
        Piece(Kind.TABLE, 2, "PSRO's gate: sizes of menageries", gate_sweep.make_table),
    ),
)
