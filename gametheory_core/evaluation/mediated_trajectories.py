"""The exact law of whole plays of a mediated game under a profile."""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from gametheory_core.arguments import require_integer
from gametheory_core.distributions import Distribution
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.mediated import MediatedGame
from gametheory_core.games.mediated_plays import MediatedPlay, MediatedStep
from gametheory_core.strategies.mediated_policies import MediatedProfile
from gametheory_core.strategies.mediated_walk import MediatedWalk

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

    >>> from gametheory_core.catalog.mediated import mediated_chicken
    >>> brakes = MediatedProfile(actions=(((2, 2),),), leaders=((1,),))
    >>> [(play, _)] = mediated_trajectories(mediated_chicken(rounds=1), brakes)
    >>> play.steps[0].leader, play.steps[0].action
    (1, 'brake')
    """
    require_integer(max_plays, function="mediated_trajectories", name="max_plays", low=1)
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
                f"mediated_trajectories: needs at most max_plays = {max_plays:,} plays, but there "
                f"are {len(branches):,} after {t + 1} steps. Shorten the horizon, or raise it."
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
