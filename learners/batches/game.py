"""Games in batches: any POSG, AEC game or tree, tabulated, and played many times at once."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import as_tuple, require_integer, require_member, shown
from gametheory_core.conversions.static_games import extensive_to_aec
from gametheory_core.conversions.tabular import MAX_STATES, aec_to_tabular, posg_to_tabular
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.rules import (
    AEC,
    POSG,
    InformationState,
    Rules,
    is_posg,
    stop_aec,
    stop_posg,
)
from learners._kernels.arrays import (
    COMMON,
    EPISODE,
    OWN,
    SEEN,
    PlayState,
    RuleArrays,
    SightArrays,
    TurnArrays,
)
from learners.batch import BatchTurn, Snapshot, as_actions
from learners.batches.play_table import PlayTable, table_of_aec, table_of_posg
from learners.batches.sight import Numbers, Sees, Sight, fingerprint_of, followed_pasts, sight_of

Playable: TypeAlias = POSG | AEC | ExtensiveFormGame


def batched(
    game: Playable,
    *,
    episodes: int,
    seed: int,
    sees: Sees = Sees.LAST,
    horizon: int | None = None,
    max_states: int = MAX_STATES,
) -> "BatchedGame":
    """Play a game many times at once, as arrays, in compiled code.

    Args:
        game: Trees need perfect recall.
        episodes: Played at once.
        seed: Episode ``k`` of a seed is a function of the actions alone, whatever the batch.
        sees: What numbers stand for: last observations, these with the time, or information states.
        horizon: Cut play after so many steps (of AEC games and trees: moves, chance's counted), if
            the game does not end it earlier.
        max_states: The largest table, and the largest number of pasts to follow for
            ``Sees.HISTORY``.

    Returns:
        Satisfies ``BatchedEnvironment``; the first ``reset()`` begins episodes 0, 1, ...

    Raises:
        InvalidArgument: If an option makes no sense.
        UnsupportedGame: If the game is too large to tabulate, or its information states to number;
            says how many. If a reward is larger than any float.

    Slot ``e`` of a batch of ``E`` plays the episodes ``e, e + E, e + 2E, ...``. Lotteries of the
    rules are drawn by 63-bit numbers from exact cuts: each probability is right to 2^-63.

    In AEC games and trees, chance's moves are part of the step before. What it pays before anyone
    acts is paid with the first step. A play that ends before anyone acts shows one turn in which
    nobody acts. Rewards of AEC games are paid discounted, since they discount by cycles of moves,
    and ``discount`` is 1. A player who is not to act is shown what was seen last, 0 before that.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> play = batched(RepeatedGame.of("matching_pennies", rounds=3), episodes=2, seed=1)
    >>> play.reset().observations.tolist()
    [[0, 0], [0, 0]]
    >>> play.step(np.array([[0, 0], [0, 1]])).rewards.tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    require_integer(episodes, name="episodes", low=1)
    require_integer(seed, name="seed", low=0)
    require_integer(max_states, name="max_states", low=1)
    require_member(sees, Sees, name="sees")
    if horizon is not None:
        require_integer(horizon, name="horizon", low=0)
    rules = playable_rules(game)
    if is_posg(rules):
        stopped = rules if horizon is None else stop_posg(rules, steps=horizon)
        table = table_of_posg(posg_to_tabular(stopped, max_states=max_states).target)
    else:
        turns = cast("AEC", rules)
        moves = turns if horizon is None else stop_aec(turns, moves=horizon)
        table = table_of_aec(aec_to_tabular(moves, max_states=max_states).target)
    title = str(rules.title or shown(game))
    sight = sight_of(table, sees, max_states=max_states, title=title)
    return BatchedGame(
        game, rules, table, sight, episodes=episodes, seed=seed, max_states=max_states, title=title
    )


def playable_rules(game: Playable) -> Rules:
    """Return the rules by which a game is played: its own, or those of walking its tree.

    Raises:
        InvalidArgument: If it is no game that can be played.
    """
    if isinstance(game, ExtensiveFormGame):
        return extensive_to_aec(game).target
    if hasattr(game, "legal_actions") and (
        hasattr(game, "transition") or hasattr(game, "next_player")
    ):
        return game
    raise InvalidArgument(
        needs="a POSG, an AEC game or a tree",
        found=f"got {shown(game)} (type {type(game).__name__})",
        remedy="RepeatedGame(game, rounds=...) plays a normal form.",
    )


class BatchedGame:
    """A game being played many times at once; see ``batched``. Satisfies ``BatchedEnvironment``.

    Attributes:
        game: As it was given.
        rules: Whose information states key policies: the game's, or its tree walk's.
        seed: What all chance in the episodes comes from.
        observation_labels: What each player's observations stand for.
        states: What the numbers of true states stand for.
    """

    def __init__(
        self,
        game: Playable,
        rules: Rules,
        table: PlayTable,
        sight: Sight,
        *,
        episodes: int,
        seed: int,
        max_states: int,
        title: str,
    ) -> None:
        self._max_states = max_states
        self._title = title
        self.game = game
        self.rules = rules
        self.players = table.players
        self.seed = seed
        self.num_episodes = episodes
        self.num_observations = tuple(map(len, sight.labels))
        self.num_features = (0,) * len(table.players)
        self.num_actions = tuple(map(len, table.actions))
        self.action_labels = table.actions
        self.observation_labels = sight.labels
        self.states = table.states
        self.discount = float(table.discount)
        self.horizon = table.horizon
        self.table = table
        self.sight = sight
        self._key = stream_key(seed)
        self._state = new_state(episodes, len(table.players))

    def anew(self, *, episodes: int, seed: int) -> "BatchedGame":
        """Return the same game with episodes of its own; what is numbered is shared."""
        return BatchedGame(
            self.game,
            self.rules,
            self.table,
            self.sight,
            episodes=episodes,
            seed=seed,
            max_states=self._max_states,
            title=self._title,
        )

    # What is played

    @property
    def legal(self) -> tuple[NDArray[np.bool_], ...]:
        """What each player may do after each observation, (observations, actions) a player."""
        return self._legal  # checkers of types take no cached one for what a protocol asks

    @cached_property
    def _legal(self) -> tuple[NDArray[np.bool_], ...]:
        return tuple(
            own[last] for own, last in zip(self.table.legal, self.sight.last_seen, strict=True)
        )

    @cached_property
    def information_states(self) -> tuple[Mapping[int, InformationState], ...]:
        """For each player, an information state for every number that play can reach.

        With ``Sees.HISTORY`` there is only one for each; else it is the first that was met.
        """
        kind = self.sight.arrays.kind
        met = followed_pasts(self.table, kind, max_states=self._max_states, title=self._title)
        return tuple(met.labels)

    # Play

    def reset(self) -> BatchTurn:
        """Begin new episodes, the next of the seed."""
        from learners._kernels import play  # noqa: PLC0415 loads numba

        rules, state = self.table.rules, self._state
        turn = self.new_turn()
        everywhere = np.ones(self.num_episodes, dtype=np.bool_)
        play.begin(rules, self.sight.arrays, state, self._key, everywhere)
        play.show(rules, state, turn)
        turn.rewards[...] = 0.0
        turn.is_terminal[...] = False
        turn.is_truncated[...] = False
        return BatchTurn(*turn._replace(final_observations=turn.observations))

    def step(self, actions: NDArray[np.int64]) -> BatchTurn:
        """Let all act; ``actions`` is (E, N), ignored where a player does not act.

        Raises:
            InvalidArgument: If there was no reset, the shape is wrong, or an action is not legal.
        """
        from learners._kernels import play  # noqa: PLC0415 loads numba

        rules, state = self.table.rules, self._state
        chosen = as_actions(
            actions,
            shape=(self.num_episodes, len(self.players)),
            is_begun=state.whole[0, EPISODE] >= 0,
        )
        bad = play.first_illegal(rules, state, chosen)
        if bad >= 0:
            episode, player = divmod(bad, len(self.players))
            self._refuse(episode, player, chosen)
        turn = self.new_turn()
        play.advance(rules, self.sight.arrays, state, self._key, chosen, turn)
        return BatchTurn(*turn)

    def _refuse(self, episode: int, player: int, actions: NDArray[np.int64]) -> None:
        seen = max(0, int(self._state.whole[episode, COMMON + OWN * player + SEEN]))
        labels = self.table.actions[player]
        legal = [labels[a] for a in np.flatnonzero(self.table.legal[player][seen])]
        number = int(actions[episode, player])
        named = f", which is {labels[number]!r}" if 0 <= number < len(labels) else ""
        raise InvalidArgument(
            needs="legal actions",
            found=f"{self.players[player]!r} in row {episode} gives {number}{named}",
            remedy=f"Legal after {self.table.observations[player][seen]!r} are {legal}; see the "
            "turn's legal.",
        )

    @property
    def arrays(self) -> tuple[RuleArrays, SightArrays, PlayState, np.uint64]:
        """What compiled loops play with: rules, sight, where episodes stand, key of chance."""
        return self.table.rules, self.sight.arrays, self._state, self._key

    def new_turn(self) -> TurnArrays:
        """Return a turn to be written."""
        shape = (self.num_episodes, len(self.players))
        most = max(self.num_actions)
        return TurnArrays(
            observations=np.empty(shape, dtype=np.int64),
            legal=np.empty((*shape, most), dtype=np.bool_),
            acts=np.empty(shape, dtype=np.bool_),
            rewards=np.empty(shape, dtype=np.float64),
            is_terminal=np.empty(shape[0], dtype=np.bool_),
            is_truncated=np.empty(shape[0], dtype=np.bool_),
            final_observations=np.empty(shape, dtype=np.int64),
        )

    # Information states

    def observe(self, player: int, information_state: InformationState) -> NDArray[np.int64]:
        """Return the number shown at each observation of an information state, in order.

        Raises:
            InvalidArgument: If there is no such player, or play within the horizon cannot come
                there.
        """
        require_integer(player, name="player", low=0, high=len(self.players) - 1)
        return self._numbers[player].of(as_tuple(information_state, name="information_state"))

    @cached_property
    def _numbers(self) -> tuple[Numbers, ...]:
        return tuple(Numbers(self.table, self.sight, i) for i in range(len(self.players)))

    # Going on later

    def snapshot(self) -> Snapshot:
        """Return where all episodes stand; random numbers are a function of that and the seed."""
        return {
            "seed": self.seed,
            "game": self._fingerprint,
            "whole": self._state.whole.copy(),
            "paid": self._state.paid.copy(),
        }

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of the same game, batch and seed.

        Raises:
            InvalidArgument: If it is of another game, number of episodes, seed, horizon, or way of
                seeing.
        """
        shape, wanted = _shape_in(snapshot), self._state.whole.shape
        seed = snapshot.get("seed") if shape else None
        if shape != wanted or seed != self.seed:
            raise InvalidArgument(
                needs=f"a snapshot of {self.num_episodes} episodes of {len(self.players)} players "
                "with "
                f"seed {self.seed} (an array of shape {wanted})",
                found=f"got one of shape {shape} with seed {seed!r}",
                remedy="Make the batch with the options it had.",
            )
        if snapshot.get("game") != self._fingerprint:
            raise InvalidArgument(
                needs=f"a snapshot of a batch of {self._title} with horizon {self.horizon} and the "
                "same sees",
                found="got one of other rules, horizon or sees",
                remedy="Make the batch with the options it had.",
            )
        self._state.whole[...] = snapshot["whole"]
        self._state.paid[...] = snapshot["paid"]

    @cached_property
    def _fingerprint(self) -> str:
        return fingerprint_of(self.table, self.sight)


def _shape_in(snapshot: Any) -> tuple[int, ...]:
    """Return the shape of what a snapshot says of episodes; () if it is none of a batch."""
    if not isinstance(snapshot, Mapping) or not {"whole", "paid"} <= snapshot.keys():
        return ()
    known = cast("Mapping[str, Any]", snapshot)
    whole, paid = np.asarray(known["whole"]), np.asarray(known["paid"])
    is_whole = whole.dtype.kind == "i" and paid.dtype.kind == "f"
    own = (whole.shape[1] - COMMON) // OWN if whole.ndim == 2 else -1  # a table
    return whole.shape if is_whole and paid.shape == (len(whole), 1 + own) else ()


def stream_key(seed: int) -> np.uint64:
    """Return the key of a seed's random numbers."""
    return np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]


def new_state(episodes: int, players: int) -> PlayState:
    """Return a batch that has not begun."""
    whole = np.zeros((episodes, COMMON + OWN * players), dtype=np.int64)
    whole[:, EPISODE] = np.arange(episodes) - episodes
    return PlayState(whole=whole, paid=np.zeros((episodes, 1 + players), dtype=np.float64))
