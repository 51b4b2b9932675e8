"""Following play from its start, place by place, until nothing new is met or it is too much."""

from collections.abc import Callable, Iterable
from typing import Any

from gametheory_core.errors import UnsupportedGame


def explore(
    start: Iterable[Any],
    expand: Callable[[Any], Iterable[Any]],
    *,
    horizon: int | None,
    most: int,
    needs: str,
    unit: str,
    stop: str,
    on_iteration: Callable[[int], None] | None = None,
) -> None:
    """Expand every place that play can reach within the horizon, once.

    Args:
        start: Where play starts.
        expand: Stores a place and returns those it leads to.
        horizon: Places met after so many steps are not expanded.
        most: The largest number of places to expand.
        needs: How a refusal starts, up to the number found.
        unit, stop: What depth counts, and which function makes a shorter game.
        on_iteration: Called with the number of places met so far, after each step.

    Raises:
        UnsupportedGame: If there are more places; says how many were found, and within how many
            steps.
    """
    frontier = list(dict.fromkeys(start))
    seen: dict[Any, None] = {}
    depth = 0
    while frontier and (horizon is None or depth < horizon):
        seen.update(dict.fromkeys(frontier))
        depth += 1
        expands_more = horizon is None or depth < horizon
        following: dict[Any, None] = {}
        for place in frontier:
            following.update((p, None) for p in expand(place) if p not in seen)
            if len(seen) + len(following) * expands_more > most:
                raise UnsupportedGame(
                    f"{needs} more than {most:,} within {depth} {unit}. Give a shorter horizon "
                    f"({stop}), or raise max_states."
                )
        frontier = list(following)
        if on_iteration is not None:
            on_iteration(len(seen) + len(frontier))
