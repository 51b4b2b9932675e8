"""What a mediated game is worth at every node, by the definitions.

With ``h`` the returns so far, the mediator's *full* value of letting ``j`` lead is what everybody
will have in the end, and its *truncated* value is what is still to come::

    Q(t, s, h, j)    = h + discount^t * Qhat(t, s, h, j)
    Qhat(t, s, h, j) = E[ r + discount * Qhat(t + 1, s', h', j') ],   j' the next leader

so that a mediator that learns ``Qhat`` acts by the fairness of ``h + discount^t * Qhat``. Without
the power of the discount it would weigh past and future anew at each step.

The plays of a profile, each with its exact probability, pay on average what the recursion says.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import ZERO
from gametheory_core.distributions import Distribution
from gametheory_core.errors import InvalidArgument, LawBroken, UnsupportedGame
from gametheory_core.mediation.fairness import Fairness, Vector, fairness_value
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.histories import (
    MediatedPlay,
    MediatedStep,
    Memory,
    mediated_histories,
)
from gametheory_core.mediation.policies import (
    MediatedProfile,
    MediatedWalk,
    random_mediated_profile,
)
from gametheory_core.mediation.recursion import (
    LeaderValues,
    MediatorIncentives,
    leader_values,
    profile_nodes,
    profile_values,
    start_values,
    transfers_of,
    with_past,
)


def truncated_values(game: MediatedGame, profile: MediatedProfile) -> LeaderValues:
    """Return what each player will still get for each leader picked, at each mediator's node.

    Args:
        profile: Agents' actions, and who leads later on.

    Returns:
        ``[step][node][leader]``, a tuple with a value for each player, in rewards of that step.

    Raises:
        InvalidStrategy: If the profile does not fit the game.

    >>> from gametheory_core.mediation.catalog import mediated_chicken
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

    >>> from gametheory_core.mediation.catalog import mediated_chicken
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
            needs="a mediator that remembers returns",
            found="it knows the step alone",
            remedy="Use truncated_values.",
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

    >>> from gametheory_core.mediation.catalog import mediated_chicken
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

    >>> from gametheory_core.mediation.catalog import mediated_chicken
    >>> from gametheory_core.mediation.fairness import MINIMUM
    >>> all_brake = MediatedProfile(actions=(((2, 2),),), leaders=((0,),))
    >>> str(mediated_fairness(mediated_chicken(rounds=1), all_brake, MINIMUM))
    '6'
    """
    nodes = profile_nodes(game, profile)
    starts = start_values(nodes, profile_values(nodes, transfers_of(nodes, None)))
    return sum((weight * fairness_value(fairness, returns) for weight, returns in starts), ZERO)


MAX_PLAYS = 200_000


class _Branch(NamedTuple):
    weight: Fraction
    state: int
    node: int
    steps: tuple[MediatedStep, ...]


def mediated_trajectories(
    game: MediatedGame, profile: MediatedProfile, *, max_plays: int = MAX_PLAYS
) -> Distribution[MediatedPlay]:
    """Return the law of plays: states, leaders, actions and rewards, by labels.

    Args:
        max_plays: The largest number of different plays to follow.

    Raises:
        InvalidStrategy: If the profile does not fit the game.
        UnsupportedGame: If there are more than ``max_plays`` plays.

    >>> from gametheory_core.mediation.catalog import mediated_chicken
    >>> brakes = MediatedProfile(actions=(((2, 2),),), leaders=((1,),))
    >>> [(play, _)] = mediated_trajectories(mediated_chicken(rounds=1), brakes)
    >>> play.steps[0].leader, play.steps[0].action
    (1, 'brake')
    """
    require_integer(max_plays, name="max_plays", low=1)
    walk = MediatedWalk(game, profile)
    first = zip(game.initial_kernel.outcome.tolist(), walk.histories.start, strict=True)
    weights = game.initial_kernel.weight.tolist()
    branches = [
        _Branch(weight, state, node, ())
        for (state, node), weight in zip(first, weights, strict=True)
    ]
    for t in range(game.horizon):
        branches = [after for branch in branches for after in _followed(walk, t, branch)]
        if len(branches) > max_plays:
            raise UnsupportedGame(
                needs=f"at most max_plays = {max_plays:,} plays",
                found=f"there are {len(branches):,} after {t + 1} steps",
                remedy="Shorten the horizon, or raise it.",
            )
    return Distribution(
        tuple((MediatedPlay(b.steps, game.states[b.state]), b.weight) for b in branches)
    )


def _followed(walk: MediatedWalk, step: int, branch: _Branch) -> Iterator[_Branch]:
    if branch.node < 0:
        yield branch
        return
    game = walk.histories.game
    leader, action = walk.choice(step, branch.node)
    row = game.row(branch.state, leader, action)
    taken = MediatedStep(
        game.states[branch.state],
        leader,
        game.actions[leader][action],
        tuple(game.rewards[row].tolist()),
    )
    entries = game.transition_kernel.row(row)
    after = game.transition_kernel.outcome[entries].tolist()
    weights = game.transition_kernel.weight[entries].tolist()
    for position, (state, weight) in enumerate(zip(after, weights, strict=True)):
        node = walk.next_node(step, branch.node, position)
        yield _Branch(branch.weight * weight, state, node, (*branch.steps, taken))


def check_mediated(game: MediatedGame, *, rng: np.random.Generator, num_profiles: int = 3) -> None:
    """Check exactly, on random profiles, that returns of plays are those of the recursion.

    Raises:
        LawBroken: With the profile and both returns.
        UnsupportedGame: If the game has too many nodes or plays to list.

    >>> from gametheory_core.mediation.catalog import mediated_chicken
    >>> check_mediated(mediated_chicken(rounds=2), rng=np.random.default_rng(0))
    """
    for _ in range(num_profiles):
        profile = random_mediated_profile(game, rng=rng)
        paid, values = _returns_of_plays(game, profile), mediated_returns(game, profile)
        if paid != values:
            raise LawBroken(
                f"check_mediated: {game!r} must pay what its values say, but plays pay "
                f"({', '.join(map(str, paid))}) and values are ({', '.join(map(str, values))}). "
                f"The profile is {profile!r}."
            )


def _returns_of_plays(game: MediatedGame, profile: MediatedProfile) -> tuple[Fraction, ...]:
    totals = [ZERO] * game.num_players
    for play, weight in mediated_trajectories(game, profile):
        for t, step in enumerate(play.steps):
            share = weight * game.discount**t
            totals = [u + share * r for u, r in zip(totals, step.rewards, strict=True)]
    return tuple(totals)
