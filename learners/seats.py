"""Who learns of an environment's players, checked alike for all learners."""

from collections.abc import Iterable

from gametheory_core.arguments import as_tuple, require_integer
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from learners.batch import BatchedEnvironment


def learning_players(
    environment: BatchedEnvironment, learns: Iterable[int] | None
) -> tuple[int, ...]:
    """Return the players who learn, in the order given; all, where nothing is.

    Raises:
        InvalidArgument: If it is nobody, or names somebody twice or who does not play.
    """
    players = environment.players
    chosen = as_tuple(range(len(players)) if learns is None else learns, name="learns")
    for player in chosen:
        require_integer(player, name="learns", low=0, high=len(players) - 1)
    if not chosen or len(set(chosen)) != len(chosen):
        raise InvalidArgument(
            needs="in learns the number of at least one player, each named once",
            found=f"got {chosen}",
            remedy=f"Players are {', '.join(map(repr, players))}.",
        )
    return chosen


def require_numbers(environment: BatchedEnvironment) -> None:
    """Refuse an environment whose observations are features.

    Raises:
        UnsupportedGame: Names the player.
    """
    for player, label in enumerate(environment.players):
        if not environment.num_observations[player]:
            raise UnsupportedGame(
                needs="numbered observations",
                found=f"those of player {label!r} are features",
                remedy="Take a learner of learners.deep.",
            )
