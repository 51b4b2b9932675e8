"""Games that may be over before anyone acts: PettingZoo has no plays that are over at reset."""

from typing import Any

from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.rules import AEC, NULL, POSG
from gametheory_core.games.tree_table import CHANCE

MAX_CHANCE_MOVES = 100_000  # in a row; more are taken for a loop in which nobody ever acts


def check_somebody_steps(game: POSG) -> None:
    """Refuse a POSG that may be over at its start."""
    over = [state for state, _ in game.initial() if game.is_terminal(state)]
    if over or game.horizon == 0:
        found = f"initial state {over[0]!r} is terminal" if over else "the horizon is 0"
        raise UnsupportedGame(
            needs="a step in every play",
            found=found,
            remedy="PettingZoo has no plays that are over at reset.",
        )


def check_somebody_has_a_turn(game: AEC) -> None:
    """Follow chance alone, as far as states are new, and refuse if play may end so."""
    seen: set[Any] = set()
    frontier: list[Any] = [game.initial_state]
    moves = 0
    while frontier and len(seen) < MAX_CHANCE_MOVES:
        for state in frontier:
            if game.is_terminal(state) or moves == game.horizon:
                refuse_without_a_turn(state)
        seen.update(frontier)
        following = {
            after: None
            for state in frontier
            for after, _ in game.chance(state)
            if after not in seen
            and (
                game.is_terminal(after)
                or moves + 1 == game.horizon
                or game.next_player(state, CHANCE, NULL, after)[CHANCE]
            )
        }
        frontier, moves = list(following), moves + 1


def refuse_without_a_turn(state: Any) -> None:
    """Say that play may be over in a state before anyone acts."""
    raise UnsupportedGame(
        needs="a turn in every play",
        found=f"play may be over in state {state!r} before anyone acts",
        remedy="PettingZoo has no plays that are over at reset.",
    )
