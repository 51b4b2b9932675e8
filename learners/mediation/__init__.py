"""Mediators that learn whom to let lead, and agents that learn to lead, by playing."""

from learners.learner import declare_findings, declare_learners
from learners.loading import offered

__all__, __getattr__ = offered(__name__, __file__)  # pyright: ignore[reportUnsupportedDunderAll]

declare_learners(
    __name__,
    {
        "JamQLearning": "jam_q_learning",
        "DeepJamQLearning": "jam_networks",
        "SelfishLeaders": "selfish_leaders",
    },
)
declare_findings(__name__, {"MediatedCertificate": "assessment:mediation_findings"})
