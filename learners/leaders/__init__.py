"""Stackelberg learning: leaders who learn against followers that respond to what they answer."""

from gametheory_core.extensions import lazily
from learners.protocol import declare_findings, declare_learners

__getattr__, __dir__, __all__ = lazily(__name__, __file__)

declare_learners(
    __name__, {"MetaStackelberg": "meta_stackelberg", "InvadersTrade": "invaders_leader"}
)
declare_findings(__name__, {"MarkovStackelbergCertificate": "commitments:leader_findings"})
