"""Studies: the figures and tables of papers, made again by one command each."""

from gametheory_core.extensions import lazily
from learners.studies.registry import declare_studies

__getattr__, __dir__, __all__ = lazily(__name__, __file__)

STUDIES = ("fair_leaders", "oracles_followers", "pettingzoo", "rirrps", "rrps")

declare_studies(__name__, {name: f"{name}.declared:STUDY" for name in STUDIES})
