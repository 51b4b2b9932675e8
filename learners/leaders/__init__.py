"""Stackelberg learning: leaders who learn against followers that respond to what they answer."""

from learners.learner import declare_findings, declare_learners
from learners.loading import offered

__all__, __getattr__ = offered(__name__, __file__)  # pyright: ignore[reportUnsupportedDunderAll]

declare_learners(
    __name__,
    {
        "MetaStackelberg": "meta_stackelberg",
    },
)
declare_findings(__name__, {"MarkovStackelbergCertificate": "assessment:leader_findings"})
