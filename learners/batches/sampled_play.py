"""Whole plays of fixed policies, compiled: recorded step by step, or only their mean returns."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import as_tuple, require_integer
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from learners.batches.game import BatchedGame, Playable, batched, stream_key
from learners.batches.policy_tables import TableOrPolicy, policy_cuts
from learners.batches.sight import Sees

MOST_STEPS = 1_000_000
_SAFE_EXPONENT = 400  # squares of numbers below 2^400 add up to floats
_BLOCK = 8192  # episodes between two looks at interrupts


@dataclass(frozen=True, eq=False)
class Rollouts:
    """Plays of ``E`` episodes of ``N`` players, the longest of ``T`` steps.

    Attributes:
        game: Its labels say what the numbers stand for.
        states (E, T + 1): The true states in which players acted, numbers into ``game.states``, and
            where the episode ended; -1 after that.
        observations (E, T, N): The number of what each player saw last; -1 after the end.
        actions (E, T, N): -1 where a player did not act, and after the end.
        rewards (E, T, N): What each step paid; zero after the end.
        lengths (E,): Steps made.
        is_terminal (E,): Whether the rules ended the episode, not the horizon.
    """

    game: BatchedGame
    states: NDArray[np.int32]
    observations: NDArray[np.int32]
    actions: NDArray[np.int32]
    rewards: NDArray[np.float64]
    lengths: NDArray[np.int64]
    is_terminal: NDArray[np.bool_]

    @property
    def returns(self) -> NDArray[np.float64]:
        """What each episode paid each player, discounted, shape (E, N)."""
        weights = self.game.discount ** np.arange(self.rewards.shape[1])
        return np.einsum("etn,t->en", self.rewards, weights)

    def __repr__(self) -> str:
        return (
            f"Rollouts({len(self.lengths)} episodes of {len(self.game.players)} players, "
            f"{int(self.lengths.sum())} steps)"
        )


@dataclass(frozen=True, eq=False)
class MeanReturns:
    """What policies earned on average over sampled plays.

    Attributes:
        means (N,): Mean discounted return of each player.
        standard_errors (N,): Of the means; infinite for a single episode.
        steps: In all episodes together.
    """

    means: NDArray[np.float64]
    standard_errors: NDArray[np.float64]
    episodes: int
    steps: int


def rollouts(
    game: Playable | BatchedGame,
    policies: Sequence[TableOrPolicy],
    *,
    episodes: int,
    seed: int,
    sees: Sees | None = None,
    horizon: int | None = None,
    threads: int = 1,
) -> Rollouts:
    """Play policies from beginning to end, and record every step.

    Args:
        policies: For each player probabilities (observations, actions) over numbered observations,
            or a ``Policy``.
        episodes: The episodes 0, 1, ... of the seed: those that a ``BatchedGame`` of the seed would
            play, were it given the same actions.
        sees: What observations are numbered by, where ``game`` is not yet a ``BatchedGame``; by
            default whole information states if a ``Policy`` is given, else last observations.
        horizon: Likewise; play is cut after so many steps.
        threads: Changes nothing but the time.

    Raises:
        InvalidArgument: If an option makes no sense.
        InvalidStrategy: If a policy is none.
        UnsupportedGame: If the game is too large, or a play does not end within a million steps.

    Probabilities given as floats are drawn to 2^-52, exact policies to 2^-63.

    >>> from gametheory_core import uniform_policies
    >>> from gametheory_core.catalog import RepeatedGame
    >>> game = RepeatedGame.of("matching_pennies", rounds=3)
    >>> plays = rollouts(game, uniform_policies(game), episodes=10, seed=1)
    >>> plays.actions.shape, plays.lengths.tolist() == [3] * 10
    ((10, 3, 2), True)
    """
    play = plays_of(game, policies, seed=seed, sees=sees, horizon=horizon)
    _, lengths = play.returns(episodes, threads)
    players, longest = len(play.game.players), int(lengths.max())
    shape = (episodes, longest, players)
    places = np.full((episodes, longest + 1), -1, dtype=np.int32)
    observations = np.full(shape, -1, dtype=np.int32)
    actions = np.full(shape, -1, dtype=np.int32)
    rewards = np.zeros(shape, dtype=np.float64)
    is_terminal = np.zeros(episodes, dtype=np.bool_)
    play.record(places, observations, actions, rewards, is_terminal, threads=threads)
    states = np.where(places < 0, -1, play.game.table.place_state[places])
    return Rollouts(
        play.game, states.astype(np.int32), observations, actions, rewards, lengths, is_terminal
    )


def mean_returns(
    game: Playable | BatchedGame,
    policies: Sequence[TableOrPolicy],
    *,
    episodes: int,
    seed: int,
    sees: Sees | None = None,
    horizon: int | None = None,
    threads: int = 1,
) -> MeanReturns:
    """Estimate what policies earn by playing them; nothing but returns is kept.

    Args:
        game, policies, episodes, seed, sees, horizon, threads: As for ``rollouts``.

    Raises:
        InvalidArgument, InvalidStrategy, UnsupportedGame: As for ``rollouts``; also if a return is
            larger than any float.

    >>> from gametheory_core import uniform_policies
    >>> from gametheory_core.catalog import RepeatedGame
    >>> game = RepeatedGame.of("matching_pennies", rounds=3)
    >>> found = mean_returns(game, uniform_policies(game), episodes=1000, seed=1)
    >>> bool((abs(found.means) < 5 * found.standard_errors).all())
    True
    """
    play = plays_of(game, policies, seed=seed, sees=sees, horizon=horizon)
    earned, lengths = play.returns(episodes, threads)
    require_finite(earned)
    means, errors = _means(earned)
    return MeanReturns(means, errors, episodes, int(lengths.sum()))


def require_finite(earned: NDArray[np.float64]) -> None:
    """Refuse returns that are too large for floats.

    Raises:
        UnsupportedGame: Says how to rescale them.
    """
    if not np.isfinite(earned).all():
        raise UnsupportedGame(
            needs="returns that floats can hold",
            found=f"rewards of some plays add up to more ({np.finfo(np.float64).max:.2g})",
            remedy="Rescale them: rescale_rewards.",
        )


def _means(earned: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return means and their standard errors; large numbers are halved until sums are floats."""
    exponent = max(0, int(np.frexp(abs(earned).max())[1]) - _SAFE_EXPONENT)
    halved = np.ldexp(earned, -exponent)
    episodes, players = earned.shape
    spread = halved.std(axis=0, ddof=1) if episodes > 1 else np.full(players, np.inf)
    means, errors = halved.mean(axis=0), spread / np.sqrt(episodes)
    return np.ldexp(means, exponent), np.ldexp(errors, exponent)


def plays_of(
    game: Playable | BatchedGame,
    policies: Sequence[TableOrPolicy],
    *,
    seed: int,
    sees: Sees | None = None,
    horizon: int | None = None,
) -> "Plays":
    """Make ready to play policies; the arguments are those of ``rollouts``."""
    require_integer(seed, name="seed", low=0)
    given = as_tuple(policies, name="policies", remedy="Give one a player.")
    if isinstance(game, BatchedGame):
        if sees is not None or horizon is not None:
            raise InvalidArgument(
                needs="sees and horizon where the batch is made",
                found="got them with a BatchedGame",
                remedy="Give them to batched(...).",
            )
    else:
        has_tables = all(isinstance(policy, np.ndarray) for policy in given)
        way = sees or (Sees.LAST if has_tables else Sees.HISTORY)
        game = batched(game, episodes=1, seed=seed, sees=way, horizon=horizon)
    return Plays(game, stream_key(seed), policy_cuts(game, given))


@dataclass(frozen=True, eq=False)
class Plays:
    """A game with policies, ready to be played in blocks of episodes.

    Attributes:
        game: What is played.
        key: Of the random numbers.
        policies: As ``policy_cuts`` makes them.
    """

    game: BatchedGame
    key: np.uint64
    policies: tuple[NDArray[np.uint64], NDArray[np.int64]]

    def returns(
        self, episodes: int, threads: int, *, start: int = 0
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return what each episode paid, and its length; the first has the number ``start``."""
        from learners._kernels import rollouts as kernel  # noqa: PLC0415 loads numba

        require_integer(episodes, name="episodes", low=1)
        require_integer(threads, name="threads", low=1)
        earned = np.empty((episodes, len(self.game.players)), dtype=np.float64)
        lengths = np.empty(episodes, dtype=np.int64)
        most = MOST_STEPS if self.game.horizon is None else self.game.horizon

        def play(first: int, last: int) -> None:
            kernel.returns(
                self.game.table.rules,
                self.game.sight.arrays,
                *self.policies,
                self.game.discount,
                self.key,
                start + first,
                most,
                earned[first:last],
                lengths[first:last],
            )

        _in_blocks(play, episodes, threads)
        endless = np.flatnonzero(lengths < 0)
        if endless.size:
            raise UnsupportedGame(
                needs="plays that end",
                found=f"episode {endless[0]} goes on after {most:,} steps",
                remedy="Give a horizon.",
            )
        return earned, lengths

    def record(
        self,
        places: NDArray[np.int32],
        observations: NDArray[np.int32],
        actions: NDArray[np.int32],
        rewards: NDArray[np.float64],
        is_terminal: NDArray[np.bool_],
        *,
        threads: int,
    ) -> None:
        """Write all turns of all episodes into the arrays."""
        from learners._kernels import rollouts as kernel  # noqa: PLC0415 loads numba

        def play(first: int, last: int) -> None:
            kernel.record(
                self.game.table.rules,
                self.game.sight.arrays,
                *self.policies,
                self.key,
                first,
                places[first:last],
                observations[first:last],
                actions[first:last],
                rewards[first:last],
                is_terminal[first:last],
            )

        _in_blocks(play, len(places), threads)


def _in_blocks(play: Callable[[int, int], None], episodes: int, threads: int) -> None:
    """Play blocks of episodes, in threads: compiled code lets go of Python's lock."""
    blocks = [(first, min(first + _BLOCK, episodes)) for first in range(0, episodes, _BLOCK)]
    if threads == 1 or len(blocks) == 1:
        for first, last in blocks:
            play(first, last)
        return
    with ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(play, first, last) for first, last in blocks]:
            done.result()
