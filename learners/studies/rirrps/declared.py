"""The declaration of the study: which figures and tables it has."""

from learners.studies.registry import Kind, Piece, Study
from learners.studies.rirrps import hyperparameters, sample_rates

STUDY = Study(
    name="rirrps",
    title="Self-play in RirRPS: six schemes",
    source="D. Hernandez et al., A generalized framework for self-play training, 2019",
    takes="about half an hour on two cores",
    pieces=(
        Piece(
            Kind.FIGURE, 1, "how often each policy is met, and expected", sample_rates.make_figure
        ),
        Piece(Kind.TABLE, 1, "hyper-parameters, the paper's and ours", hyperparameters.make_table),
    ),
)
