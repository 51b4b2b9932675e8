"""What a game can be solved for."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class Concept(StrEnum):
    """What is asked for; each is also its word, ``Concept.NASH == "nash"``.

    A solver may answer to a word that is not listed here.
    """

    NASH = "nash"
    ALL_NASH = "all-nash"
    PURE_NASH = "pure-nash"
    BEST_NASH = "best-nash"
    NASH_COMPONENTS = "nash-components"
    MINIMAX = "minimax"
    MAX_ENTROPY = "max-entropy"
    DOMINANCE = "dominance"
    WEAK_DOMINANCE = "weak-dominance"
    CORRELATED = "correlated"
    COARSE_CORRELATED = "coarse-correlated"
    CORRELATED_PAYOFFS = "correlated-payoffs"
    QUANTAL_RESPONSE = "quantal-response"
    STACKELBERG = "stackelberg"
    CORRELATED_COMMITMENT = "correlated-commitment"
    SUBGAME_PERFECT = "subgame-perfect"
    SEQUENTIAL = "sequential"
    QUASI_PERFECT = "quasi-perfect"
    EXTENSIVE_CORRELATED = "extensive-form-correlated"
    EXTENSIVE_COARSE_CORRELATED = "extensive-form-coarse-correlated"
    ALPHA_RANK = "alpha-rank"
    MARKOV_STACKELBERG = "markov-stackelberg"
    MARKOV_COMMITMENT = "markov-commitment"
    MARKOV_PERFECT = "markov-perfect"
    MARKOV_CORRELATED = "markov-correlated"
    STAGE_STACKELBERG = "stage-stackelberg"
    MEDIATED = "mediated"


WEAKER: Mapping[str, Concept] = MappingProxyType(
    {
        Concept.MAX_ENTROPY: Concept.MINIMAX,
        Concept.MINIMAX: Concept.NASH,
        Concept.QUASI_PERFECT: Concept.SEQUENTIAL,
        Concept.SEQUENTIAL: Concept.SUBGAME_PERFECT,
        Concept.SUBGAME_PERFECT: Concept.NASH,
        Concept.BEST_NASH: Concept.ALL_NASH,
        Concept.NASH_COMPONENTS: Concept.ALL_NASH,
        Concept.STACKELBERG: Concept.CORRELATED_COMMITMENT,
        Concept.EXTENSIVE_CORRELATED: Concept.EXTENSIVE_COARSE_CORRELATED,
        Concept.EXTENSIVE_COARSE_CORRELATED: Concept.COARSE_CORRELATED,
    }
)  # what may be asked instead, where nothing answers
