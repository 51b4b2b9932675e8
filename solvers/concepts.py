"""What a game can be solved for, and which of all answers is preferred."""

from collections.abc import Mapping
from enum import Enum, StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from gametheory_core.errors import InvalidArgument


class Concept(StrEnum):
    """What is asked for; each is also its word, ``Concept.NASH == "nash"``.

    A solver may answer to a word that is not listed here.
    """

    NASH = "nash"
    ALL_NASH = "all-nash"
    PURE_NASH = "pure-nash"
    BEST_NASH = "best-nash"
    SYMMETRIC_NASH = "symmetric-nash"
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
    ALL_SEQUENTIAL = "all-sequential"
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
    PRICE_OF_ANARCHY = "price-of-anarchy"


WEAKER: Mapping[str, Concept] = MappingProxyType(
    {
        Concept.MAX_ENTROPY: Concept.MINIMAX,
        Concept.MINIMAX: Concept.NASH,
        Concept.QUASI_PERFECT: Concept.SEQUENTIAL,
        Concept.ALL_SEQUENTIAL: Concept.SEQUENTIAL,
        Concept.SEQUENTIAL: Concept.SUBGAME_PERFECT,
        Concept.SUBGAME_PERFECT: Concept.NASH,
        Concept.BEST_NASH: Concept.ALL_NASH,
        Concept.SYMMETRIC_NASH: Concept.NASH,
        Concept.NASH_COMPONENTS: Concept.ALL_NASH,
        Concept.STACKELBERG: Concept.CORRELATED_COMMITMENT,
        Concept.EXTENSIVE_CORRELATED: Concept.EXTENSIVE_COARSE_CORRELATED,
        Concept.EXTENSIVE_COARSE_CORRELATED: Concept.COARSE_CORRELATED,
    }
)  # what may be asked instead, where nothing answers


class Objective(Enum):
    """What is to be as large, or as small, as possible."""

    LARGEST_WELFARE = "largest-welfare"
    LEAST_WELFARE = "least-welfare"
    LARGEST_PAYOFF = "largest-payoff"
    LEAST_PAYOFF = "least-payoff"


def payoff_weights(
    objective: Objective, player: int | None, *, num_players: int
) -> tuple[Fraction, ...]:
    """Write an objective as a weight for each player's payoff.

    Args:
        player: Whose payoff it is about. Default: the first player's.

    Raises:
        InvalidArgument: If a player is given to an objective about all.

    >>> payoff_weights(Objective.LEAST_PAYOFF, 1, num_players=2)
    (Fraction(0, 1), Fraction(-1, 1))
    """
    sign = Fraction(-1 if objective.value.startswith("least") else 1)
    chosen = chosen_player(objective, player)
    counted = range(num_players) if chosen is None else (chosen,)
    return tuple(sign if i in counted else Fraction(0) for i in range(num_players))


def chosen_player(objective: Enum, player: int | None) -> int | None:
    """Return whose payoff an objective is about; None if it is about all.

    Raises:
        InvalidArgument: If a player is given to an objective about all.
    """
    if str(objective.value).endswith("payoff"):
        return player or 0
    if player is None:
        return None
    raise InvalidArgument(
        needs="an objective about one player's payoff",
        found=f"the objective is {objective.value!r}",
        remedy="Choose largest-payoff or least-payoff, or leave the player out.",
        where="player",
    )


def objective_for(kind: Any, objective: Any, player: int | None, *, num_players: int) -> Any:
    """Return an objective of a kind that has weights for payoffs, as it is or from words.

    Raises:
        InvalidArgument: If a player is given to an objective that names none.
    """
    if isinstance(objective, str):
        words = [str(member) for member in Objective]
        raise InvalidArgument(
            needs=f"a member of Objective, or a {kind.__name__}",
            found=f"got {objective!r}",
            remedy=f"Give {words[0]} or another one: {', '.join(words[1:])}.",
            where="objective",
        )
    if isinstance(objective, Objective):
        return kind(payoff_weights(objective, player, num_players=num_players))
    if player is not None:
        raise InvalidArgument(
            needs=f"an objective in words, such as {Objective.LARGEST_PAYOFF}",
            found="the objective has weights of its own",
            remedy="Leave the player out.",
            where="player",
        )
    return objective
