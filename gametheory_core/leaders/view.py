"""Leader views: a two-player POSG of finite horizon, seen as a Markov game with a leader.

``M = (S, A_L, A_F, T, r_L, r_F, O_L, O_F, mu, h, gamma)``: both players observe a function of the
state, ``O_L`` and ``O_F``, play lasts at most ``h`` steps ``t = 0, ..., h - 1``, and a pair of
policies returns ``R_i = E sum_t gamma^t r_i(s_t, a_t, b_t)``. A view is also laid out as dense
integer arrays, for dynamic programs over many leaders at once.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np

from gametheory_core.arguments import require_instance, shown
from gametheory_core.arrays import ZERO, IntArray, exact_array, freeze, scaled_integers
from gametheory_core.certificates.wording import rejecting
from gametheory_core.conversions.tabular import posg_to_tabular
from gametheory_core.errors import InvalidArgument, UnsupportedGame, refusing_as
from gametheory_core.games.checked_rules import checked_posg
from gametheory_core.games.rules import POSG, stop_posg
from gametheory_core.games.table_content import spread
from gametheory_core.games.tables import TabularPOSG

MAX_CELLS = 10_000_000  # 28 bytes each at most
SAFE_BITS = 62


@dataclass(frozen=True, eq=False)
class LeaderTables:
    """Integers over common denominators, indexed [state, leader action, follower action].

    With ``S`` states, ``A`` and ``B`` actions, and ``K`` the largest number of next states; where
    nobody acts, or an action is illegal, rewards and weights are zero. Integer arrays are int64
    where all entries fit, else of Python integers.

    Attributes:
        rewards (S, A, B, 2): Expected over the next state, the leader's first; divide by
            ``reward_denominator``.
        successor (S, A, B, K): Next states; rows with fewer than ``K`` end in state 0 with weight
            0.
        weight (S, A, B, K): Probabilities; divide by ``weight_denominator``.
        leader_legal (S, A)
        follower_legal (S, B): All False where nobody acts.
        initial_weight (S,): Divide by ``initial_denominator``.
    """

    rewards: Any
    successor: IntArray
    weight: Any
    leader_legal: Any
    follower_legal: Any
    initial_weight: Any
    reward_denominator: int
    weight_denominator: int
    initial_denominator: int


def leader_tables(game: TabularPOSG, leader: int, acting: Any) -> LeaderTables:
    """Lay out a two-player table for one leader; ``acting`` tells where somebody acts.

    Raises:
        UnsupportedGame: If the arrays would have more than ``MAX_CELLS`` entries.
    """
    follower = 1 - leader
    kernel = game.transition_kernel
    shape = (len(game.states), len(game.actions[leader]), len(game.actions[follower]))
    most = max(2, int(kernel.sizes.max(initial=1)))
    if (cells := shape[0] * shape[1] * shape[2] * most) > MAX_CELLS:
        raise UnsupportedGame(
            needs=f"at most {MAX_CELLS:,} cells of state, joint action, legal or not, and next "
            "state",
            found=f"{game!r} has {cells:,}, for {len(game.row_key):,} legal joint actions in all "
            "states",
            remedy="Number the legal actions of each state from 0 on, so that states share them, "
            "or "
            "use LeaderView.step.",
        )
    state = game.row_state
    joint = game.row_key % game.num_joint_actions
    actions = [joint // game.strides[i] % len(game.actions[i]) for i in (leader, follower)]
    cell = (state, *actions)
    which, position = spread(kernel.sizes)
    weight = scaled_integers(kernel.weight)
    paid = game.reward_vectors[game.entry_reward][:, [leader, follower]] * kernel.weight[:, None]
    expected = np.zeros((len(state), 2), dtype=object)
    np.add.at(expected, which, paid)
    rewards = scaled_integers(exact_array(expected))
    weight_kind, reward_kind = (_kind(own.numerators) for own in (weight, rewards))
    successor = np.zeros((*shape, most), dtype=np.int32)
    weights = np.zeros((*shape, most), dtype=weight_kind)
    each = tuple(index[which] for index in cell)
    successor[(*each, position)] = kernel.outcome
    weights[(*each, position)] = weight.numerators
    table = np.zeros((*shape, 2), dtype=reward_kind)
    table[cell] = rewards.numerators
    legal = [np.zeros((shape[0], size), dtype=bool) for size in shape[1:]]
    for own, action in zip(legal, actions, strict=True):
        own[state, action] = True
        own[~acting] = False
    table[~acting], weights[~acting] = 0, 0
    first = scaled_integers(game.initial_kernel.weight)
    start = np.zeros(shape[0], dtype=_kind(first.numerators))
    start[game.initial_kernel.outcome] = first.numerators
    return LeaderTables(
        rewards=freeze(table),
        successor=freeze(successor),
        weight=freeze(weights),
        leader_legal=freeze(legal[0]),
        follower_legal=freeze(legal[1]),
        initial_weight=freeze(start),
        reward_denominator=rewards.denominator,
        weight_denominator=weight.denominator,
        initial_denominator=first.denominator,
    )


def _kind(integers: Any) -> type:
    """Return int64 if all entries have at most 62 bits, else object, for Python integers."""
    most = max((abs(x) for x in integers.ravel().tolist()), default=0)
    return np.int64 if most.bit_length() <= SAFE_BITS else object


_OWNER = "LeaderView"


class Step(NamedTuple):
    """What one joint action does.

    Attributes:
        rewards: The leader's and the follower's, expected over the next state.
        next: The next states with their probabilities.
    """

    rewards: tuple[Fraction, Fraction]
    next: tuple[tuple[int, Fraction], ...]


@dataclass(frozen=True)
class LeaderView:
    """A two-player POSG with a horizon, in which one player commits first.

    A state in which nobody can act any more, because play has ended there or is over as soon as it
    is reached, has observation -1. An observation is one of ``game.observations[player]``, by its
    number; actions are numbers into ``game.actions[player]``.

    Attributes:
        game: Two players, a horizon, and observations that are functions of the state.
        leader: 0 or 1.

    Raises:
        UnsupportedGame: If there are not two players, no horizon, or an observation is no function
            of the state.

    Source: :cite:`gerstgrasser2023oracles`, section 3.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.conversions import posg_to_tabular
    >>> game = posg_to_tabular(RepeatedGame.of("prisoners_dilemma", rounds=3)).target
    >>> view = LeaderView(game)
    >>> view.horizon, view.leader_observation.tolist()
    (3, [0, 1, 2, 3, 4])
    >>> view.step(0, 1, 0).rewards
    (Fraction(5, 1), Fraction(0, 1))
    """

    game: TabularPOSG
    leader: int = 0

    def __post_init__(self) -> None:
        require_instance(
            self.game,
            TabularPOSG,
            name="game",
            remedy="Call leader_view(game), which makes the table.",
        )
        players = self.game.players
        if len(players) != 2:  # a leader and a follower
            raise UnsupportedGame(
                needs="two players, a leader and a follower",
                found=f"{self.game!r} has {len(players)}: {', '.join(map(repr, players))}",
                remedy="Take followers_view(game), for several followers.",
            )
        if type(self.leader) is not int or self.leader not in (0, 1):
            raise InvalidArgument(
                needs=f"leader to be 0 ({players[0]!r}) or 1 ({players[1]!r})",
                found=f"got {shown(self.leader)}",
            )
        if self.game.horizon is None:
            raise UnsupportedGame(
                needs="a game with a horizon",
                found=f"{self.game!r} has none",
                remedy="Call leader_view(game, horizon=...), which stops it.",
            )
        self._refuse_missing_rows()
        self._refuse_hidden_draws()

    # What is read off the game

    @property
    def follower(self) -> int:
        """The other player."""
        return 1 - self.leader

    @property
    def horizon(self) -> int:
        """Number of steps, ``h``."""
        return cast("int", self.game.horizon)

    @property
    def discount(self) -> Fraction:
        """The factor ``gamma``."""
        return self.game.discount

    @property
    def num_states(self) -> int:
        """Number of states."""
        return len(self.game.states)

    @cached_property
    def initial(self) -> tuple[tuple[int, Fraction], ...]:
        """The first states with their probabilities."""
        kernel = self.game.initial_kernel
        return tuple(zip(kernel.outcome.tolist(), kernel.weight.tolist(), strict=True))

    @cached_property
    def leader_observation(self) -> IntArray:
        """What the leader sees in each state, shape (S,); -1 where nobody acts."""
        return self._observation(self.leader)

    @cached_property
    def follower_observation(self) -> IntArray:
        """What the follower sees in each state, shape (S,); -1 where nobody acts."""
        return self._observation(self.follower)

    def leader_actions(self, observation: int) -> tuple[int, ...]:
        """Return what the leader may do; nothing where he never acts on what he sees."""
        return self._actions(self.leader, self.leader_observation, observation)

    def follower_actions(self, observation: int) -> tuple[int, ...]:
        """Return what the follower may do; nothing where she never acts on what she sees."""
        return self._actions(self.follower, self.follower_observation, observation)

    def _actions(self, player: int, seen: IntArray, observation: int) -> tuple[int, ...]:
        return self.game.legal[player][observation] if np.any(seen == observation) else ()

    def step(self, state: int, leader_action: int, follower_action: int) -> Step:
        """Return expected rewards and the distribution of the next state.

        Raises:
            InvalidArgument: If the joint action is not legal in the state, or nobody acts there.
        """
        strides = self.game.strides
        joint = leader_action * strides[self.leader] + follower_action * strides[self.follower]
        row = int(self.game.find_transitions(state, joint))
        legal = self.leader_observation[state] >= 0 and (
            leader_action in self.leader_actions(int(self.leader_observation[state]))
            and follower_action in self.follower_actions(int(self.follower_observation[state]))
        )
        if row < 0 or not legal:
            raise InvalidArgument(
                needs="legal actions in a state where play continues",
                found=f"got the leader's {leader_action} and the follower's {follower_action} in "
                f"state {state}, {self.game.states[state]!r}",
                where=f"{_OWNER}.step",
            )
        entries = self.game.transition_kernel.row(row)
        following = self.game.transition_kernel.outcome[entries].tolist()
        weights = self.game.transition_kernel.weight[entries].tolist()
        paid = self.game.reward_vectors[self.game.entry_reward[entries]]
        own, other = (
            sum((w * r for w, r in zip(weights, paid[:, i].tolist(), strict=True)), ZERO)
            for i in (self.leader, self.follower)
        )
        return Step((own, other), tuple(zip(following, weights, strict=True)))

    @cached_property
    def tables(self) -> LeaderTables:
        """The same as dense integer arrays; made when first asked for."""
        return leader_tables(self.game, self.leader, self.leader_observation >= 0)

    @cached_property
    def first_step(self) -> IntArray:
        """Earliest step at which play can be in each state, shape (S,)."""
        first = np.full(self.num_states, -1, dtype=np.int32)
        level = np.unique(self.game.initial_kernel.outcome)
        step = 0
        while level.size:
            first[level] = step
            step += 1
            fresh = np.unique(self._successors(level))
            level = fresh[first[fresh] < 0]
        return freeze(first)

    def reachable(self, step: int) -> "np.ndarray[Any, np.dtype[np.bool_]]":
        """Return where play can be after ``step`` steps and still go on, shape (S,)."""
        level = np.unique(self.game.initial_kernel.outcome)
        for _ in range(step):
            level = np.unique(self._successors(level))
        reached = np.zeros(self.num_states, dtype=bool)
        reached[level] = True
        return freeze(reached & (self.leader_observation >= 0) & (step < self.horizon))

    def _successors(self, states: Any) -> Any:
        game = self.game
        start = np.searchsorted(game.row_state, states, side="left")
        which, position = spread(np.searchsorted(game.row_state, states, side="right") - start)
        rows = start[which] + position
        which, position = spread(game.transition_kernel.sizes[rows])
        return game.transition_kernel.outcome[game.transition_kernel.start[rows][which] + position]

    # Checks

    @cached_property
    def _acting(self) -> Any:
        return freeze((self.first_step < self.horizon) & ~self.game.terminal)

    @cached_property
    def _arrivals(self) -> tuple[Any, Any]:
        """States and signal rows of all arrivals at which somebody acts on what is seen."""
        game = self.game
        first = game.initial_kernel.outcome
        row, _ = spread(game.transition_kernel.sizes)
        in_time = self.first_step[game.row_state[row]] + 1 < self.horizon
        state = np.concatenate([first, game.transition_kernel.outcome[in_time]])
        signal = np.concatenate([game.initial_signal_row[first], game.entry_signal_row[in_time]])
        keep = self._acting[state]
        return state[keep], signal[keep]

    def _observation(self, player: int) -> IntArray:
        seen = np.full(self.num_states, -1, dtype=np.int32)
        state, row = self._arrivals
        kernel = self.game.signal_kernel
        seen[state] = self.game.signals[kernel.outcome[kernel.start[row]], player]
        return freeze(seen)

    def _refuse_hidden_draws(self) -> None:
        """Refuse an observation that differs between two arrivals in the same state."""
        game = self.game
        state, row = self._arrivals
        which, position = spread(game.signal_kernel.sizes[row])
        signal = game.signal_kernel.outcome[game.signal_kernel.start[row][which] + position]
        for player in (self.leader, self.follower):
            usual = self._observation(player)[state[which]]
            other = game.signals[signal, player]
            bad = np.flatnonzero(usual != other)
            if bad.size:
                place = int(bad[0])
                labels = game.observations[player]
                raise UnsupportedGame(
                    needs="observations that are functions of the state",
                    found=f"player {game.players[player]!r} may see {labels[usual[place]]!r} or "
                    f"{labels[other[place]]!r} in state {game.states[state[which][place]]!r}",
                    remedy="Put what is drawn or remembered into the state.",
                )

    def _refuse_missing_rows(self) -> None:
        """Refuse rows that are not one for each legal joint action; files may have such."""
        game = self.game
        state, row = self._arrivals
        seen = game.signals[game.signal_kernel.outcome[game.signal_kernel.start[row]]]
        count = np.bincount(game.row_state, minlength=self.num_states)
        for at, own in dict(zip(state.tolist(), map(tuple, seen.tolist()), strict=True)).items():
            firsts, seconds = (np.array(game.legal[i][o]) for i, o in enumerate(own))
            codes = firsts[:, None] * game.strides[0] + seconds * game.strides[1]
            missing = np.argwhere(game.find_transitions(at, codes) < 0)
            if missing.size or count[at] != codes.size:
                witness = (
                    f"{game.joint_action(int(codes[tuple(missing[0])]))!r} has none"
                    if missing.size
                    else "an illegal one has a row"
                )
                raise UnsupportedGame(
                    needs="one row for each legal joint action before the horizon",
                    found=f"{witness} in state {game.states[at]!r}",
                    remedy="Make the table by posg_to_tabular.",
                )

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by the constructor, so that arrays are read-only again on the other side."""
        return (LeaderView, (self.game, self.leader))


def leader_view(
    game: POSG | LeaderView, *, leader: int = 0, horizon: int | None = None
) -> LeaderView:
    """View a two-player POSG as a Markov game with a leader and a follower.

    Args:
        game: Two players, each of whom observes a function of the state.
        leader: Who commits first.
        horizon: Stop after so many steps; needed if the game does not stop by itself.

    Raises:
        UnsupportedGame: If the game does not fit, or is too large for a table; names a state and
            what is seen there.
        InvalidArgument: If there is no such leader or horizon.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> view = leader_view(RepeatedGame.of("prisoners_dilemma", rounds=None), horizon=10)
    >>> view.horizon, [view.game.observations[0][o] for o in view.leader_observation[:2]]
    (10, [(), (('cooperate', 'cooperate'),)])
    """
    if isinstance(game, LeaderView):
        if horizon is None and leader == game.leader:
            return game
        game = game.game
    if isinstance(game, TabularPOSG) and horizon is None:
        return _viewed(game, leader)
    rules = checked_posg(game, "leader_view")
    with refusing_as("leader_view"):
        stopped = rules if horizon is None else stop_posg(rules, steps=horizon)
    return _viewed(posg_to_tabular(stopped).target, leader)


def _viewed(game: TabularPOSG, leader: int) -> LeaderView:
    with refusing_as("leader_view"):
        return LeaderView(game, leader)


def view_of(game: TabularPOSG, leader: int, kind: str) -> LeaderView:
    """View a game as a certificate gives it; what is refused rejects one of that kind."""
    with rejecting(kind):
        return LeaderView(game, leader)
