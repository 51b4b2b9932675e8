"""What a mediated game is worth at every node, by the definitions.

With ``h`` the returns so far, the mediator's *full* value of letting ``j`` lead is what everybody
will have in the end, and its *truncated* value is what is still to come::

    Q(t, s, h, j)    = h + discount^t * Qhat(t, s, h, j)
    Qhat(t, s, h, j) = E[ r + discount * Qhat(t + 1, s', h', j') ],   j' the next leader

so that a mediator that learns ``Qhat`` acts by the fairness of ``h + discount^t * Qhat``. Without
the power of the discount it would weigh past and future anew at each step.
"""

from fractions import Fraction

from gametheory_core.arrays import ZERO
from gametheory_core.errors import InvalidArgument
from gametheory_core.evaluation.end_transfers import Vector
from gametheory_core.evaluation.fairness import Fairness, fairness_value
from gametheory_core.evaluation.mediated_recursion import (
    LeaderValues,
    MediatorIncentives,
    leader_values,
    profile_nodes,
    profile_values,
    start_values,
    transfers_of,
    with_past,
)
from gametheory_core.games.mediated import MediatedGame
from gametheory_core.games.mediated_histories import Memory, mediated_histories
from gametheory_core.strategies.mediated_policies import MediatedProfile


def truncated_values(game: MediatedGame, profile: MediatedProfile) -> LeaderValues:
    """Return what each player will still get for each leader picked, at each mediator's node.

    Args:
        profile: Agents' actions, and who leads later on.

    Returns:
        ``[step][node][leader]``, a tuple with a value for each player, in rewards of that step.

    Raises:
        InvalidStrategy: If the profile does not fit the game.

    >>> from gametheory_core.catalog.mediated import mediated_chicken
    >>> all_straight = MediatedProfile(actions=(((0, 0),),), leaders=((0,),))
    >>> by_leader = truncated_values(mediated_chicken(rounds=1), all_straight)[0][0]
    >>> [tuple(map(str, values)) for values in by_leader]
    [('7', '2'), ('2', '7')]
    """
    nodes = profile_nodes(game, profile)
    return leader_values(nodes, transfers_of(nodes, None))


def full_values(game: MediatedGame, profile: MediatedProfile) -> LeaderValues:
    """Return what each player will have in the end for each leader picked, at each node.

    Args:
        profile: With a mediator that remembers returns.

    Returns:
        ``[step][node][leader]``, a tuple with a value for each player, discounted to step 0.

    Raises:
        InvalidArgument: If the mediator does not know the returns so far.
        InvalidStrategy: If the profile does not fit the game.

    >>> from gametheory_core.catalog.mediated import mediated_chicken
    >>> swerve_then_brake = MediatedProfile(
    ...     actions=(((1, 1),), ((2, 2),) * 3), leaders=((0,), (0, 0, 0))
    ... )
    >>> by_leader = full_values(mediated_chicken(rounds=2), swerve_then_brake)[1][0]
    >>> [tuple(map(str, values)) for values in by_leader]  # after returns (2, 7)
    [('8', '13'), ('8', '13')]
    """
    truncated = truncated_values(game, profile)
    if profile.mediator is not Memory.HISTORY:
        raise InvalidArgument(
            "full_values: needs a mediator that remembers returns, but it knows the step alone. "
            "Use truncated_values."
        )
    histories = mediated_histories(game)
    return tuple(
        tuple(
            tuple(
                with_past(histories.returns(step, node), game.discount**step, later)
                for later in leaders
            )
            for node, leaders in enumerate(layer)
        )
        for step, layer in enumerate(truncated)
    )


def mediated_returns(
    game: MediatedGame, profile: MediatedProfile, *, incentives: MediatorIncentives | None = None
) -> Vector:
    """Return what each player expects from the start.

    Args:
        incentives: Whose transfers to count as well. Default: the game's own rewards alone.

    Raises:
        InvalidStrategy: If the profile does not fit the game.

    >>> from gametheory_core.catalog.mediated import mediated_chicken
    >>> all_straight = MediatedProfile(actions=(((0, 0),),), leaders=((0,),))
    >>> game = mediated_chicken(rounds=1)
    >>> [str(paid) for paid in mediated_returns(game, all_straight)]
    ['7', '2']
    >>> fined = mediated_returns(game, all_straight, incentives=MediatorIncentives())
    >>> [str(paid) for paid in fined]
    ['2', '7']
    """
    nodes = profile_nodes(game, profile)
    starts = start_values(nodes, profile_values(nodes, transfers_of(nodes, incentives)))
    return tuple(
        sum((weight * returns[i] for weight, returns in starts), ZERO)
        for i in range(game.num_players)
    )


def mediated_fairness(game: MediatedGame, profile: MediatedProfile, fairness: Fairness) -> Fraction:
    """Return how fair the returns of a profile are, expected over the first states.

    Raises:
        InvalidArgument: If the measure cannot judge the returns.
        InvalidStrategy: If the profile does not fit the game.

    Where next states are drawn, this is the fairness of expected returns from each first state: a
    law that treats everybody equally may treat nobody so.

    >>> from gametheory_core.catalog.mediated import mediated_chicken
    >>> from gametheory_core.evaluation.fairness import MINIMUM
    >>> all_brake = MediatedProfile(actions=(((2, 2),),), leaders=((0,),))
    >>> str(mediated_fairness(mediated_chicken(rounds=1), all_brake, MINIMUM))
    '6'
    """
    nodes = profile_nodes(game, profile)
    starts = start_values(nodes, profile_values(nodes, transfers_of(nodes, None)))
    return sum((weight * fairness_value(fairness, returns) for weight, returns in starts), ZERO)
