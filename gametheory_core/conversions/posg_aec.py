"""POSGs as AEC games: players queue their actions in turn, then the environment resolves them.

The state of the AEC game is ``("init",)`` until chance has drawn the first state, and then
``(s, o, a)``: the POSG's state, the joint observation on which players act next, and the actions
queued so far, ``EMPTY`` where none is. A cycle is ``N`` moves and one chance move. The two games
are equivalent: the joint distribution of states, observations, actions and rewards is the same
under every profile of policies, and a player's information states are the same things in both.

Tables of a POSG give the tables of its AEC game by array operations.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from gametheory_core.arrays import ONE, ZERO
from gametheory_core.conversions.conversion import Conversion, Identity, Preserved
from gametheory_core.conversions.unrolling import END, Draw, draws_of
from gametheory_core.distributions import Distribution, point_mass
from gametheory_core.games import AEC, CHANCE, POSG, AecPlay, Kernel, PosgPlay, Step
from gametheory_core.games.checked_rules import checked_posg
from gametheory_core.games.rules import EMPTY, Rewards, from_inner, written_as
from gametheory_core.games.table_content import permuted_rows, spread
from gametheory_core.games.tables import TabularAEC, TabularPOSG
from gametheory_core.strategies.policies import PolicyProfile


class _Level(NamedTuple):
    """The AEC states in which as many actions are queued as the level says.

    Attributes:
        pair (int array): Which (state, joint observation) pair of the POSG.
        code (int array): Joint action code of the queue, with zeros for what is not queued.
        first: Number of the level's first state.
        source (int array): Position in the level before of the state that led here.
        action (int array): What was queued there.
    """

    pair: Any
    code: Any
    first: int
    source: Any
    action: Any


@dataclass(frozen=True)
class _Pairs:
    """What a cycle starts from: pairs of state and joint observation, and terminal states.

    Attributes:
        key (int64 array): ``state * num_signals + signal`` of each pair, ascending.
        terminal (int array): Terminal states, ascending; their AEC states follow those of the
            pairs.
    """

    game: TabularPOSG
    key: Any
    terminal: Any

    def starts(self, draw: Draw) -> Kernel:
        """Return a draw of the POSG's chance as one of AEC states."""
        state = draw.kernel.outcome.astype(np.int64)
        as_pair = 1 + np.searchsorted(self.key, state * len(self.game.signals) + draw.signal)
        as_end = 1 + len(self.key) + np.searchsorted(self.terminal, state)
        after = np.where(draw.signal == END, as_end, as_pair)
        return Kernel(draw.kernel.start, after, draw.kernel.weight)


def queued_tables(game: TabularPOSG) -> TabularAEC:
    """Return the tables of ``posg_to_aec``'s game: states ``("init",)`` and ``(s, o, a)``."""
    pairs = _pairs(game)
    levels = _levels(game, pairs)
    count = len(game.players)
    most = max(1, *(len(own) for own in game.actions))
    keys, kernels, rewards, turns = _chance_rows(game, pairs, levels, most)
    for player in range(count):
        here, after = levels[player], levels[player + 1]
        state = here.first + after.source
        keys.append((state * (count + 1) + player + 1) * most + after.action)
        size = len(state)
        kernels.append(_certain(after.first + np.arange(size)))
        rewards.append(np.zeros(size, dtype=np.int64))
        turns.append(np.full(size, player + 1))
    key = np.concatenate(keys)
    order = np.argsort(key, kind="stable")
    kernel, entry = permuted_rows(_joined(kernels), order)
    views = [
        ((level.first + np.arange(len(level.pair))) * count + player, level)
        for player, level in enumerate(levels[:-1])
    ]
    view_key = np.concatenate([k for k, _ in views])
    seen = np.concatenate(
        [game.signals[pairs.key[v.pair] % len(game.signals), i] for i, (_, v) in enumerate(views)]
    )
    view_order = np.argsort(view_key, kind="stable")
    zero = np.full((1, count), ZERO, dtype=object)
    terminal = np.zeros(levels[-1].first + len(levels[-1].pair), dtype=bool)
    terminal[1 + len(pairs.key) : 1 + len(pairs.key) + len(pairs.terminal)] = True
    return TabularAEC(
        players=game.players,
        states=_labels(game, pairs, levels),
        actions=game.actions,
        observations=game.observations,
        legal=game.legal,
        terminal=terminal,
        initial_index=0,
        observation_key=view_key[view_order],
        observation_kernel=_certain(seen[view_order]),
        row_key=key[order],
        transition_kernel=kernel,
        entry_reward_row=np.concatenate(rewards)[entry],
        entry_turn_row=np.concatenate(turns)[entry],
        reward_kernel=_certain(np.arange(len(game.reward_vectors) + 1)),
        turn_kernel=_certain(np.array([*range(count), CHANCE])),
        reward_vectors=np.concatenate([zero, game.reward_vectors]),
        discount=game.discount,
        horizon=cycle_moves(count, game.horizon),
        title=game.title,
    )


def _pairs(game: TabularPOSG) -> _Pairs:
    first = game.initial_kernel.outcome
    outcome = np.concatenate([first, game.transition_kernel.outcome]).astype(np.int64)
    row = np.concatenate([game.initial_signal_row[first], game.entry_signal_row])
    live = ~game.terminal[outcome]
    which, position = spread(np.where(live, game.signal_kernel.sizes[row], 0))
    signal = game.signal_kernel.outcome[game.signal_kernel.start[row[which]] + position]
    key = np.unique(outcome[which] * len(game.signals) + signal)
    return _Pairs(game, key, np.unique(outcome[~live]))


def _levels(game: TabularPOSG, pairs: _Pairs) -> list[_Level]:
    """Queue one player's action after the other, for all pairs at once."""
    pair = np.arange(len(pairs.key))
    code = np.zeros(len(pair), dtype=np.int64)
    levels = [_Level(pair, code, 1, pair, code)]
    first = 1 + len(pair) + len(pairs.terminal)
    signal = pairs.key % len(game.signals)
    state = pairs.key // len(game.signals)
    live = _goes_on(game, state, signal)
    for player, stride in enumerate(game.strides):
        before = levels[-1]
        going = np.flatnonzero(live[before.pair])
        own = game.signals[signal[before.pair[going]], player]
        source, action = game.spread_actions(player, own)
        source = going[source]
        code = before.code[source] + action * stride
        levels.append(_Level(before.pair[source], code, first, source, action))
        first += len(source)
    return levels


def _goes_on(game: TabularPOSG, state: Any, signal: Any) -> Any:
    """Tell which pairs have rows for all legal joint actions; seen at the horizon's end none need.

    Another pair of the same state may have some of these rows.
    """
    pair = np.arange(len(state))
    code = np.zeros(len(state), dtype=np.int64)
    for player, stride in enumerate(game.strides):
        source, action = game.spread_actions(player, game.signals[signal[pair], player])
        pair, code = pair[source], code[source] + action * stride
    lacks = pair[game.find_transitions(state[pair], code) < 0]
    return np.bincount(lacks, minlength=len(state)) == 0


def _chance_rows(
    game: TabularPOSG, pairs: _Pairs, levels: list[_Level], most: int
) -> tuple[list[Any], list[Kernel], list[Any], list[Any]]:
    """Return keys, distributions, reward and turn rows of chance's moves, the first move first."""
    count = len(game.players)
    opening, whole, _ = draws_of(game, has_steps=True)
    last = levels[-1]
    state = pairs.key[last.pair] // len(game.signals)
    row = game.find_transitions(state, last.code)
    resolved, entry = permuted_rows(pairs.starts(whole), row)
    number = last.first + np.arange(len(row))
    return (
        [np.zeros(1, dtype=np.int64), number * (count + 1) * most],
        [pairs.starts(opening), resolved],
        [1 + opening.reward, 1 + whole.reward[entry].astype(np.int64)],
        [np.where(signal == END, -1, 0) for signal in (opening.signal, whole.signal[entry])],
    )


def _certain(outcome: Any) -> Kernel:
    weight = np.full(len(outcome), ONE, dtype=object)
    return Kernel(np.arange(len(outcome) + 1, dtype=np.int32), outcome, weight)


def _joined(kernels: list[Kernel]) -> Kernel:
    sizes = np.concatenate([k.sizes for k in kernels])
    return Kernel(
        np.concatenate([[0], np.cumsum(sizes)]),
        np.concatenate([k.outcome for k in kernels]),
        np.concatenate([k.weight for k in kernels]),
    )


def _labels(game: TabularPOSG, pairs: _Pairs, levels: list[_Level]) -> tuple[Any, ...]:
    count = len(game.players)
    empty = (EMPTY,) * count
    seen = [game.joint_observation(signal) for signal in range(len(game.signals))]
    bases = [
        (game.states[s], seen[o]) for s, o in (divmod(key, len(seen)) for key in pairs.key.tolist())
    ]
    labels: list[Any] = [INIT, *((*base, empty) for base in bases)]
    labels.extend((game.states[s], empty, empty) for s in pairs.terminal.tolist())
    for queued, level in enumerate(levels[1:], start=1):
        known = {
            code: (*game.joint_action(code)[:queued], *empty[queued:])
            for code in np.unique(level.code).tolist()
        }
        codes = zip(level.pair.tolist(), level.code.tolist(), strict=True)
        labels.extend((*bases[pair], known[code]) for pair, code in codes)
    return tuple(labels)


PosgToAec: TypeAlias = Conversion[POSG, AEC, PolicyProfile, PolicyProfile]
INIT = ("init",)


def posg_to_aec(game: POSG) -> PosgToAec:
    """Carry a POSG to the AEC game in which actions are queued and then resolved at once.

    Args:
        game: Rules give rules, ``QueuedActions``; a ``TabularPOSG`` gives a ``TabularAEC``.

    Returns:
        Preserves everything. Policies pass unchanged; a horizon of ``T`` steps becomes one of
        ``1 + T (N + 1)`` moves.

    This is Theorem 1 of the paper with its gaps closed: joint observations, a distribution of the
    first state and of what is seen before the first action, queued actions that stay hidden, and
    discounting by cycles.

    Source: :cite:`terry2021pettingzoo`, appendix D.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> posg_to_aec(RepeatedGame.of("matching_pennies", rounds=2)).target.horizon
    7
    """
    _ = checked_posg(game, "posg_to_aec")  # refuses what is no POSG
    target: AEC = queued_tables(game) if isinstance(game, TabularPOSG) else QueuedActions(game)
    return Conversion(game, target, Identity(cycles), frozenset(Preserved))


@dataclass(frozen=True)
class QueuedActions:
    """The AEC game of a POSG."""

    game: POSG
    __repr__ = written_as("posg_to_aec({0.game!r}).target")
    title = from_inner("title")
    players = from_inner("players")
    discount = from_inner("discount")
    initial_state = INIT  # before the first state of the POSG is drawn

    @cached_property
    def rules(self) -> POSG:
        """The POSG with its answers checked."""
        return checked_posg(self.game, "posg_to_aec")

    @property
    def horizon(self) -> int | None:
        """Number of moves after which play stops."""
        return cycle_moves(len(self.players), self.game.horizon)

    def observation(self, player: int, state: Any) -> Distribution[Any]:
        """Return the player's entry of the pending joint observation."""
        return point_mass(state[1][player])

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]:
        """Return what a player may do."""
        return self.rules.legal_actions(player, observation)

    def is_terminal(self, state: Any) -> bool:
        """Tell whether the POSG's state is terminal."""
        return state != INIT and self.rules.is_terminal(state[0])

    def move(self, player: int, state: Any, action: Any) -> Any:
        """Queue the action."""
        *known, queued = state
        return (*known, (*queued[:player], action, *queued[player + 1 :]))

    def chance(self, state: Any) -> Distribution[Any]:
        """Draw the next state of the POSG, and what is seen there; empty the queue."""
        empty = (EMPTY,) * len(self.players)
        law: list[tuple[Any, Fraction]] = []
        first = state == INIT
        following = self.rules.initial() if first else self.rules.transition(state[0], state[2])
        for inner, weight in following:
            if self.rules.is_terminal(inner):
                law.append(((inner, empty, empty), weight))
                continue
            seen = (
                self.rules.initial_observation(inner)
                if first
                else self.rules.observation(state[2], inner)
            )
            law.extend(((inner, o, empty), weight * share) for o, share in seen)
        return Distribution(tuple(law))

    def reward(self, state: Any, mover: int, action: Any, next_state: Any) -> Distribution[Rewards]:
        """Pay when the queue is resolved."""
        if mover != CHANCE or state == INIT:
            return point_mass((ZERO,) * len(self.players))
        return point_mass(tuple(self.rules.reward(state[0], state[-1], next_state[0])))

    def next_player(
        self, state: Any, mover: int, action: Any, next_state: Any
    ) -> Distribution[int]:
        """Let players queue in order, then chance resolve."""
        last = len(self.players) - 1
        return point_mass(CHANCE if mover == last else mover + 1)


def cycle_moves(num_players: int, horizon: int | None) -> int | None:
    """Return how many moves of the AEC game ``horizon`` steps of the POSG take."""
    return None if horizon is None else 1 + horizon * (num_players + 1)


def cycles(play: AecPlay) -> PosgPlay:
    """Collect the moves of each cycle into a step: observations, actions, and summed rewards."""
    steps: list[Step] = []
    open_moves: list[Any] = []
    for move in play.moves[1:]:
        if move.mover != CHANCE:
            open_moves.append(move)
            continue
        rewards = [
            sum(paid, ZERO) for paid in zip(*(m.rewards for m in [*open_moves, move]), strict=True)
        ]
        steps.append(
            Step(
                move.state[0],
                tuple(m.observation for m in open_moves),
                tuple(m.action for m in open_moves),
                tuple(rewards),
            )
        )
        open_moves = []
    return PosgPlay(tuple(steps), play.final_state[0])
