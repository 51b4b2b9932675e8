"""Learners: strategies by sampling, judged by the same certificates as the solvers.

Networks are in ``learners.deep`` (they need torch), leaders with query oracles in
``learners.leaders``, mediated games in ``learners.mediation``, experiments from files in
``learners.experiments``, environments of other libraries in ``learners.adapters``.
"""

from gametheory_core.extensions import lazily

__getattr__, __dir__, __all__ = lazily(
    __name__, __file__, needs="solvers", optional={"deep": "torch"}
)

ROOMS = (
    "tabular",
    "gradients",
    "regret",
    "deep",
    "leaders",
    "mediation",
    "self_play",
)  # that declare learners
