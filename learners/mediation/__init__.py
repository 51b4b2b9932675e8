"""Mediators that learn whom to let lead, and agents that learn to lead, by playing."""

from gametheory_core.extensions import lazily
from learners.protocol import declare_findings, declare_learners

__getattr__, __dir__, __all__ = lazily(__name__, __file__)

declare_learners(
    __name__,
    {
        "JamQLearning": "jam_q_learning",
        "DeepJamQLearning": "jam_networks",
        "SelfishLeaders": "selfish_leaders",
    },
)
declare_findings(__name__, {"MediatedCertificate": "turns:mediation_findings"})
