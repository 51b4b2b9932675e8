"""Mixed profiles from what people hold: mappings, series, and vectors, matched by label.

A player's strategy with labels is read by them, in whatever order they stand; actions that it does
not name are not played. A vector without labels is read by position.
"""

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, cast

from gametheory_core.arguments import check_labels, described
from gametheory_core.array_likes import Labels, axes_of, listed, plain
from gametheory_core.arrays import as_exact, is_exact
from gametheory_core.errors import InvalidGame, InvalidStrategy
from gametheory_core.games.kinds import require_mixed
from gametheory_core.strategies.labels import actions_of_seats, key_of, seats
from gametheory_core.strategies.mixed import (
    MixedGame,
    MixedProfile,
    check_mixed_profile,
    probability_vector,
)


def mixed_profile(
    game: MixedGame, strategies: Mapping[str, object] | Sequence[object]
) -> MixedProfile:
    """Build a mixed profile of a game from one strategy for each player.

    Args:
        strategies: By name of a player, or in their order. Each a vector of probabilities in the
            order of the actions; or a mapping or a series (pandas), whose labels are those of
            actions. Floats may miss a sum of 1 by their rounding.

    Returns:
        All exact, unless each strategy is an array of floats.

    Raises:
        InvalidStrategy: If a label is none of the game's or stands twice, a player has no strategy,
            or one is no probability vector; names player and label.

    >>> from gametheory_core import load_game
    >>> chicken = load_game("chicken")
    >>> profile = mixed_profile(chicken, [{"straight": "1/3", "swerve": "2/3"}, [1, 0]])
    >>> [str(chance) for chance in profile.strategies[0]], profile.support["player 2"]
    (['2/3', '1/3'], ('swerve',))
    """
    require_mixed(game)
    players, actions = seats(game), actions_of_seats(game)
    vectors = [
        probability_vector(_by_position(given, own, player), owner=f"mixed strategy of {player}")
        for given, own, player in zip(_in_order(strategies, game), actions, players, strict=True)
    ]
    if len(set(map(is_exact, vectors))) > 1:
        vectors = [as_exact(vector) / as_exact(vector).sum() for vector in vectors]
    profile = MixedProfile(tuple(vectors))
    check_mixed_profile(game, profile)
    return profile.known_to_be_of(game)


@contextmanager
def refusing_strategy() -> Generator[None]:
    """Let what is refused inside be a fault of a strategy, and of no game."""
    try:
        yield
    except InvalidGame as error:
        raise error.changed(InvalidStrategy) from None


def _in_order(strategies: Any, game: MixedGame) -> list[object]:
    """Return the strategies in the order of those who choose."""
    players, labels = seats(game), game.players
    if isinstance(strategies, Mapping):
        given = cast("Mapping[str, object]", strategies)
        found: dict[str, object] = {}
        for key, own in given.items():
            is_label = key not in players and len(labels) == len(players) and key in labels
            found[players[labels.index(key)] if is_label else key_of(key, players, "players")] = own
        missing = [player for player in players if player not in found]
        if missing or len(found) != len(given):
            problem = f"there is none of {missing[0]}" if missing else "one player has two"
            raise InvalidStrategy(needs=f"a strategy of {listed(players)} each", found=problem)
        return [found[player] for player in players]
    if not isinstance(strategies, Iterable) or isinstance(strategies, str):
        raise InvalidStrategy(
            needs="a strategy for each player",
            found=f"got {described(strategies)}",
            remedy="Give a list, or a mapping by name of a player.",
        )
    rows = list(cast("Iterable[object]", strategies))
    if len(rows) != len(players):
        raise InvalidStrategy(
            needs=f"a strategy for each of {len(players)}: {listed(players)}",
            found=f"got {len(rows)}",
        )
    return rows


def _by_position(given: object, actions: Labels, player: str) -> object:
    """Return the probabilities in the order of the actions."""
    if isinstance(given, Mapping):
        pairs = cast("Mapping[object, object]", given)
        labels, numbers = tuple(map(str, pairs)), list(pairs.values())
    elif (axes := axes_of(given)) and axes[0].labels is not None and len(axes) == 1:
        labels, numbers = axes[0].labels, list(cast("Any", plain(given, where=player)))
    else:
        return given
    with refusing_strategy():
        check_labels(labels, kind="action", owner=f"mixed strategy of {player}")
    unknown = [label for label in labels if label not in actions]
    if unknown:
        raise InvalidStrategy(
            needs=f"actions of {player}: {listed(actions)}",
            found=f"the strategy has {listed(unknown)}",
        )
    by_label = dict(zip(labels, numbers, strict=True))
    return [by_label.get(action, 0) for action in actions]
