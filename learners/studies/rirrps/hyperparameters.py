"""Table I: the hyper-parameters of proximal policy optimization, the paper's and ours."""

from learners.studies.files import csv_bytes
from learners.studies.registry import Files, Request
from learners.studies.rirrps.settings import settings

COLUMNS = ("hyperparameter", "paper, qualitative study", "paper, quantitative study", "here")


def ours() -> dict[str, str]:
    """Return what is trained with here, by the paper's words.

    >>> ours()["Horizon (T)"]
    '1280'
    """
    training = settings().training
    live = training.live
    decisions = training.episodes * live["steps"]
    return {
        "Horizon (T)": str(decisions),
        "Adam stepsize": f"{live['step_size']:g}",
        "Num. epochs": str(live["epochs"]),
        "Minibatch size": str(decisions // live["minibatches"]),
        "Discount": str(live["discount"]),
        "GAE parameter": str(live["trace"]),
        "Entropy coeff.": str(live["entropy_weight"]),
        "Clipping parameter": str(live["clip"]),
    }


def make_table(request: Request) -> Files:
    """Make table I."""
    request.on_progress("table 1", 0, 1)
    here = ours()
    rows = [
        (own.name, own.qualitative, own.quantitative, here[own.name])
        for own in settings().paper.hyperparameters
    ]
    return {"table-1.csv": csv_bytes(COLUMNS, rows)}
