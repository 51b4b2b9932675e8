"""Where a run of counterfactual regret minimization stands: all that is needed to go on with it."""

from dataclasses import dataclass, fields

import numpy as np

from gametheory_core.arrays import FloatArray, freeze
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.extensive_form import ExtensiveFormGame
from solvers.counterfactual.regret_rules import RegretSettings
from solvers.requirements import require_instance


@dataclass(frozen=True, eq=False)
class RegretState:
    """Where a run stands. It can be pickled, and holds no game, only the digest of one.

    Vectors are over all players' sequences, player after player, as ``sequence_form(game)`` numbers
    them; the entries of empty sequences mean nothing but in ``totals``.

    Attributes:
        game_digest: ``game.digest`` of what is played.
        settings: Rule, updates and weights of the average.
        steps: Steps played.
        memory: What players remember of each action: regrets, as multiples of a power of two near
            the game's largest payoff; read-only.
        behavior: Probabilities of actions in the next step; read-only.
        totals: Realization plans of all steps, weighted and added up; read-only.
        iterate_steps (iterates,): Steps whose behavior was recorded: a bounded number of them,
            evenly spread. Recorded only where averages prove nothing: unless the game is two-player
            constant-sum.
        iterates (iterates, sequences): The behavior recorded; read-only.
    """

    game_digest: str
    settings: str
    steps: int
    memory: FloatArray
    behavior: FloatArray
    totals: FloatArray
    iterate_steps: "np.ndarray[tuple[int], np.dtype[np.int64]]"
    iterates: FloatArray

    def __post_init__(self) -> None:
        for name in ("memory", "behavior", "totals", "iterate_steps", "iterates"):
            object.__setattr__(self, name, freeze(getattr(self, name).copy()))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by the constructor, so that arrays are read-only again on the other side."""
        return (RegretState, tuple(getattr(self, own.name) for own in fields(self)))


def require_own_state(game: ExtensiveFormGame, state: RegretState, *, name: str) -> None:
    """Refuse what is no state, or the state of another game.

    Raises:
        InvalidArgument: Shows both digests.
    """
    remedy = f"Give the state of an earlier run: {name}=run.state."
    require_instance(state, RegretState, name=name, remedy=remedy)
    if state.game_digest != game.digest:
        raise InvalidArgument(
            needs=f"the state of a run on {game!r} with digest {game.digest[:12]}...",
            found=f"it is of a game with digest {state.game_digest[:12]}...",
            remedy="Begin a new run.",
        )


def check_start(
    game: ExtensiveFormGame, num_sequences: int, settings: RegretSettings, start: RegretState | None
) -> None:
    """Refuse a state of another game, of another run, or with arrays that do not fit.

    Raises:
        InvalidArgument: Says what the state belongs to.
    """
    if start is None:
        return
    require_own_state(game, start, name="start")
    if start.settings != settings.text:
        raise InvalidArgument(
            needs=f"a start from a run with {settings.text}",
            found=f"it is from one with {start.settings}",
            remedy="Give the same options, or leave start out.",
        )
    shapes = [start.memory.shape, start.behavior.shape, start.totals.shape]
    if shapes != [(num_sequences,)] * 3 or start.iterates.shape[1:] != (num_sequences,):
        raise InvalidArgument(
            needs=f"a start with vectors of {num_sequences} entries",
            found=f"their shapes are {shapes}",
            remedy="Leave start out to begin a new run.",
        )
