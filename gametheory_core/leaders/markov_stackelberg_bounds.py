"""Trees that split the leaders of a Markov game, and upper bounds on what their leaves earn.

A *partial policy* fixes the leader's action at some observations and leaves others open. One
dynamic program bounds all its completions ``pi``: an open observation may be answered anew at every
``(t, s)``. With ``a`` for the actions that are left in ``s``, and ``F_t(s)``, ``L_t(s)`` for what
follower and leader get from ``(t, s)`` on if the follower responds best to ``pi``:

* ``low_t(s) <= F_t(s) <= high_t(s)`` for ``low_t(s) = min over a of D_t(s, a)``, where
  ``D_t(s, a) = max over b of r_F + gamma E low_{t+1}``, and ``high`` likewise with the maximum over
  ``a``. So ``b`` is no best answer to ``a`` if ``r_F + gamma E high_{t+1} < D_t(s, a)``.
* Let ``0 = x_0 < x_1 < ...`` be *multipliers*. Then ``L_t(s) + x_k F_t(s) <= U_t(s, k)`` for

      U_t(s, k) = max over a, b  min over j >= k  of
                  r_L + x_j r_F + gamma E U_{t+1}(., j) - (x_j - x_k) D_t(s, a),

  because ``L + x_k F = (L + x_j F) - (x_j - x_k) F`` and ``F_t(s) >= D_t(s, a)``. The bound is
  ``U`` at the start for ``k = 0``. For a follower who breaks ties against the leader, the maximum
  over ``b`` becomes a minimum over the ``b`` that surely are best (``r_F + gamma E low`` is at
  least ``r_F + gamma E high`` of every other), as any of them may be chosen.

A *stationary* follower does not respond best at every ``(t, s)``, but only from the start. Her
policies are split too, so that a leaf holds pairs of partial policies, and bounds the leaders whose
response agrees with the follower's part. Whatever the completion, she gets at least
``G = max over w of (min over relaxed pi of F(pi, w))`` for any *witnesses* ``w``. So
``L <= max (L + x F) - x G`` for each multiplier, over relaxed pairs; a leaf whose follower gets
less than ``G`` holds no response; and if her ties break against the leader and no policy of the
leaf gives her more than ``w`` surely does, then ``L <= max over relaxed pi of L(pi, w)``.

With all observations fixed these are equalities, or the leaf holds no response.

Trees that split the leaders of a Markov game, and a stationary follower's policies, into leaves.

A leaf is a pair of *partial policies*: each fixes the action at some observations and leaves it
open at others. A split has one child for each legal action, so that each pair of full policies
belongs to one leaf.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import lcm
from typing import Any

import numpy as np

from gametheory_core.arrays import IntArray
from gametheory_core.certificates.wording import rejecting, written
from gametheory_core.errors import CertificateRejected
from gametheory_core.leaders.follower_problems import require_short_work
from gametheory_core.leaders.follower_responses import FollowerClass, FollowerTies
from gametheory_core.leaders.policies import StationaryFollower
from gametheory_core.leaders.view import LeaderView

KIND = "markov-stackelberg"
LEAF = -1
OPEN = -2  # an observation at which the action is not fixed yet


@dataclass(frozen=True)
class BoundTask:
    """What is bounded, and with which multipliers and witnesses.

    Attributes:
        multipliers: Ascending, the first is 0; the leader's payoff units per unit of the
            follower's.
        witnesses: Policies that a stationary follower surely has; none for one who knows the time.
        is_negated: Bound minus the leader's return, so that the bounds are on how little leaders
            earn. Ties are still broken as ``ties`` says about the true return.
    """

    view: LeaderView
    follower_class: FollowerClass
    ties: FollowerTies
    multipliers: tuple[Fraction, ...]
    witnesses: tuple[StationaryFollower, ...] = ()
    is_negated: bool = False

    @property
    def is_adverse(self) -> bool:
        """Whether ties break against what is bounded."""
        return (self.ties is FollowerTies.WEAK) != self.is_negated


@dataclass(frozen=True)
class Leaves:
    """Pairs of partial policies, a row each.

    Attributes:
        leader (N, leader's observations): Action; ``OPEN`` where not fixed; -1 where the leader
            never acts.
        follower (N, follower's observations): The same for a stationary follower; all ``OPEN`` or
            -1 for one who knows the time.
    """

    leader: IntArray
    follower: IntArray


@dataclass(frozen=True)
class LeafBound:
    """What a leaf is proved to hold.

    Attributes:
        upper: No leader of the leaf earns more; None if the leaf holds no best response at all.
        follower_upper: No pair of the leaf gives the follower more.
    """

    upper: Fraction | None
    follower_upper: Fraction


def open_policy(view: LeaderView, player: int) -> tuple[int, ...]:
    """Return a player's policy of which only what is forced is fixed."""
    actions = view.leader_actions if player == view.leader else view.follower_actions
    legal = [actions(o) for o in range(len(view.game.observations[player]))]
    return tuple(own[0] if len(own) == 1 else OPEN if own else -1 for own in legal)


def tree_leaves(task: BoundTask, nodes: tuple[int, ...], *, root: tuple[int, ...]) -> Leaves:
    """Walk over a tree of splits and return its leaves.

    Args:
        nodes: In depth-first order: the observation that is split on, one child for each legal
            action, in order; a follower's observation stands after all of the leader's. -1 at a
            leaf.
        root: The leader's partial policy at the root.

    Raises:
        CertificateRejected: If nodes are missing or left over, or a split makes no sense.
    """
    view = task.view
    first = len(root)
    both = (*root, *open_policy(view, view.follower))
    legal = [view.leader_actions(o) for o in range(first)]
    if task.follower_class is FollowerClass.STATIONARY:
        legal += [view.follower_actions(o) for o in range(len(both) - first)]
    waiting, found = [both], list[tuple[int, ...]]()
    for node in nodes:
        if not waiting:
            raise CertificateRejected(
                needs="a tree", found=f"its {len(nodes)} nodes go on after the end"
            )
        fixed = waiting.pop()  # depth first: what the next node splits, or closes
        if node == LEAF:
            found.append(fixed)
        elif not 0 <= node < len(legal) or fixed[node] != OPEN:
            raise CertificateRejected(
                needs=f"splits on observations 0 to {len(legal) - 1} whose action is still open",
                found=f"one is on {written(node)}",
            )
        else:
            waiting += [(*fixed[:node], a, *fixed[node + 1 :]) for a in reversed(legal[node])]
    if waiting:
        raise CertificateRejected(
            needs="a whole tree",
            found=f"{len(waiting)} branches have no end: the leaders there are not bounded",
        )
    table = np.array(found, dtype=np.int32)
    return Leaves(table[:, :first], table[:, first:])


SAFE_BITS = 62
MOST_CELLS = 1 << 18  # of arrays that are worked on at once
MOST_LEAF_CELLS = 1 << 23  # of the largest array for a single leaf


def require_multipliers(multipliers: tuple[Fraction, ...]) -> None:
    """Reject multipliers that do not ascend from 0."""
    if not multipliers or multipliers[0] != 0 or any(x >= y for x, y in pairwise(multipliers)):
        raise CertificateRejected(
            needs="multipliers that ascend from 0", found=f"has {written(multipliers)}"
        )


def leaf_bounds(task: BoundTask, leaves: Leaves) -> list[LeafBound]:
    """Return what the dynamic programs of the module prove about each leaf, exactly.

    Raises:
        CertificateRejected: If a single leaf takes more memory or time than is allowed.
    """
    _refuse_large(task)
    numbers = _Numbers(task)
    bound = (
        _time_aware_bounds
        if task.follower_class is FollowerClass.TIME_AWARE
        else _stationary_bounds
    )
    found: list[LeafBound] = []
    for rows in _chunks(len(leaves.leader), numbers.cells_a_leaf):
        found += bound(numbers, leaves.leader[rows], leaves.follower[rows])
    return found


def _refuse_large(task: BoundTask) -> None:
    """Reject what even a single leaf is too large for; files of any size may ask for it."""
    with rejecting(KIND):
        size = task.view.tables.weight.size
        require_short_work(task.view, cells=size)
    cells = (len(task.multipliers) + len(task.witnesses) + 1) * size
    if cells > MOST_LEAF_CELLS:
        raise CertificateRejected(
            needs=f"at most {MOST_LEAF_CELLS:,} cells for a leaf",
            found=f"{len(task.multipliers):,} multipliers and {len(task.witnesses):,} witnesses, "
            "on "
            f"{size:,} cells of state, joint action and next state, take {cells:,}",
            remedy="Use fewer of them, which only sharpen bounds, or a game with fewer actions.",
        )


def _chunks(count: int, cells: int) -> Iterator[slice]:
    size = max(1, MOST_CELLS // cells)
    return (slice(start, start + size) for start in range(0, count, size))


@dataclass(frozen=True)
class _Numbers:
    """The game in integers: values with ``n`` steps to go are over a unit times ``scale ** n``.

    The unit is the denominator of rewards, times ``common`` where multipliers are part of a value.
    """

    task: BoundTask

    @cached_property
    def common(self) -> int:
        """Denominator of the multipliers."""
        return lcm(*(x.denominator for x in self.task.multipliers))

    @cached_property
    def steps(self) -> list[int]:
        """Numerators of the multipliers."""
        return [int(x * self.common) for x in self.task.multipliers]

    @cached_property
    def scale(self) -> int:
        """What a step multiplies denominators by."""
        return self.task.view.tables.weight_denominator * self.task.view.discount.denominator

    @cached_property
    def most(self) -> int:
        """A number above all that occur."""
        tables, view = self.task.view.tables, self.task.view
        largest = int(np.abs(tables.rewards).max(initial=0))
        return (
            4 * (largest + 1) * (view.horizon + 1) * (self.common + 2 * self.steps[-1])
        ) * self.scale**view.horizon

    @cached_property
    def kind(self) -> type:
        """int64 where all numbers fit, else Python integers."""
        return np.int64 if self.most.bit_length() <= SAFE_BITS else object

    @cached_property
    def rewards(self) -> tuple[Any, Any]:
        """What is bounded and what the follower gets, each (S, A, B)."""
        paid = self.task.view.tables.rewards.astype(self.kind)
        return (-paid[..., 0] if self.task.is_negated else paid[..., 0]), paid[..., 1]

    @cached_property
    def successors(self) -> tuple[Any, Any]:
        """Next states and their weights times the discount, without columns of zeros."""
        tables = self.task.view.tables
        used = 1 + max(np.flatnonzero((tables.weight != 0).any(axis=(0, 1, 2))), default=0)
        weight = tables.weight[..., :used].astype(self.kind) * self.task.view.discount.numerator
        return tables.successor[..., :used], weight

    @cached_property
    def cells_a_leaf(self) -> int:
        """Entries of the largest array for one leaf."""
        return (len(self.steps) + len(self.task.witnesses) + 1) * self.successors[1].size

    def ahead(self, values: Any) -> Any:
        """Return the discounted expectation after each joint action; (..., S) to (..., S, A, B)."""
        states, weight = self.successors
        return (values[..., states] * weight).sum(axis=-1)

    def at_start(self, values: Any) -> Any:
        """Return the expectation over the first state; (..., S) to (...)."""
        first = self.task.view.tables.initial_weight.astype(object)
        return (values.astype(object) * first).sum(axis=-1)

    @cached_property
    def unit(self) -> int:
        """Denominator of values at the start that no multiplier is part of."""
        tables = self.task.view.tables
        start = tables.reward_denominator * tables.initial_denominator
        return start * self.scale**self.task.view.horizon

    def allowed(self, policies: Any, player: int) -> Any:
        """Return which actions partial policies leave in each state; (N, S, actions)."""
        view = self.task.view
        is_leader = player == view.leader
        seen = view.leader_observation if is_leader else view.follower_observation
        legal = view.tables.leader_legal if is_leader else view.tables.follower_legal
        fixed = policies[:, seen][:, :, None]
        return legal & ((fixed == OPEN) | (fixed == np.arange(legal.shape[1])))

    def zeros(self, *shape: int) -> Any:
        """Return values after the last step."""
        return np.zeros((*shape, self.task.view.num_states), dtype=self.kind)


def _time_aware_bounds(numbers: _Numbers, leader: Any, _follower: Any) -> list[LeafBound]:
    task, view = numbers.task, numbers.task.view
    may = numbers.allowed(leader, view.leader)
    answers = view.tables.follower_legal[None, :, None, :]
    acting = may.any(axis=-1)
    steps = np.array(numbers.steps, dtype=numbers.kind)[None, :, None, None]
    own, other = numbers.rewards
    least, most = -numbers.most, numbers.most
    low, high = numbers.zeros(len(leader)), numbers.zeros(len(leader))
    bound = numbers.zeros(len(leader), len(numbers.steps))
    mixed = own * numbers.common + steps[..., None] * other
    for step in range(view.horizon):
        weight = numbers.scale ** (step + 1)  # of rewards, beside what follows
        # by answer: the least and the most that the follower may get from here on
        sure = other * weight + numbers.ahead(low)
        hoped = other * weight + numbers.ahead(high)
        forced = np.where(answers, sure, least).max(axis=-1)
        best = answers & (hoped >= forced[..., None])
        value = mixed * weight + numbers.ahead(bound)
        value = _over_answers(task, value, best, _surely_best(sure, hoped, answers, least), most)
        value = np.where(may[:, None], value, 0)
        # a larger multiplier bounds too, less the difference times what the follower surely gets
        kept = steps * np.where(may, forced, 0)[:, None]
        value = np.minimum.accumulate((value - kept)[:, ::-1], axis=1)[:, ::-1] + kept
        # the leader takes what is best for the sum; the follower may get least and most elsewhere
        bound = np.where(acting[:, None], np.where(may[:, None], value, least).max(axis=-1), 0)
        low = np.where(acting, np.where(may, forced, most).min(axis=-1), 0)
        hoped = np.where(answers, hoped, least).max(axis=-1)
        high = np.where(acting, np.where(may, hoped, least).max(axis=-1), 0)
    tops = numbers.at_start(bound[:, 0]).tolist()
    others = numbers.at_start(high).tolist()
    unit = numbers.unit
    return [
        LeafBound(Fraction(top, unit * numbers.common), Fraction(most_follower, unit))
        for top, most_follower in zip(tops, others, strict=True)
    ]


def _over_answers(task: BoundTask, value: Any, best: Any, surely: Any, most: int) -> Any:
    """Return the value of each of the leader's actions; (N, K, S, A, B) to (N, K, S, A)."""
    favorite = np.where(best[:, None], value, -most).max(axis=-1)
    if not task.is_adverse:
        return favorite
    worst = np.where(surely[:, None], value, most).min(axis=-1)
    return np.where(surely.any(axis=-1)[:, None], worst, favorite)


def _surely_best(sure: Any, hoped: Any, answers: Any, least: int) -> Any:
    """Return which answers are best whatever the completion; (N, S, A, B)."""
    hoped = np.where(answers, hoped, least)
    found = np.zeros(hoped.shape, dtype=bool)
    for b in range(hoped.shape[-1]):
        others = np.delete(hoped, b, axis=-1).max(axis=-1, initial=least)
        found[..., b] = sure[..., b] >= others
    return found & answers


def _stationary_bounds(numbers: _Numbers, leader: Any, follower: Any) -> list[LeafBound]:
    view = numbers.task.view
    may = numbers.allowed(leader, view.leader)
    answers = numbers.allowed(follower, view.follower)
    own, other = numbers.rewards
    steps = np.array(numbers.steps, dtype=numbers.kind)[:, None, None, None]
    pairs = (may[..., None] & answers[:, :, None, :])[:, None]
    mixed = (own * numbers.common + steps * other)[None]
    tops = _best_pairs(numbers, mixed, pairs, len(leader), len(numbers.steps))
    others = _best_pairs(numbers, other[None, None], pairs, len(leader), 1)[:, 0]
    forced, hoped = _witness_returns(numbers, may)
    found: list[LeafBound] = []
    for top, most_follower, sure, most in zip(
        tops.tolist(), others.tolist(), forced.tolist(), hoped.tolist(), strict=True
    ):
        upper = _stationary_bound(numbers, top, most_follower, (sure, most))
        found.append(LeafBound(upper, Fraction(most_follower, numbers.unit)))
    return found


def _stationary_bound(
    numbers: _Numbers, tops: list[int], most_follower: int, witnesses: tuple[list[int], list[int]]
) -> Fraction | None:
    """Return the bound of a leaf from its relaxed values; None if it holds no response."""
    sure, most = witnesses
    bounds = [tops[0]]
    if sure:
        if most_follower < max(sure):
            return None
        pairs = zip(numbers.steps, tops, strict=True)
        bounds = [top - step * max(sure) for step, top in pairs]
    if numbers.task.is_adverse:
        each = zip(sure, most, strict=True)
        bounds += [m * numbers.common for s, m in each if s >= most_follower]
    return Fraction(min(bounds), numbers.unit * numbers.common)


def _best_pairs(numbers: _Numbers, reward: Any, pairs: Any, count: int, rows: int) -> Any:
    """Return the largest relaxed value at the start; ``reward`` is (1, rows, S, A, B)."""
    acting = pairs.any(axis=(-1, -2))
    value = numbers.zeros(count, rows)
    for step in range(numbers.task.view.horizon):
        value = reward * numbers.scale ** (step + 1) + numbers.ahead(value)
        value = np.where(pairs, value, -numbers.most).max(axis=(-1, -2))
        value = np.where(acting, value, 0)
    return numbers.at_start(value)


def _witness_returns(numbers: _Numbers, may: Any) -> tuple[Any, Any]:
    """Return the least that each witness gives the follower, and the most it gives the leader.

    Both have shape (N, W).
    """
    task, view = numbers.task, numbers.task.view
    chosen = np.array([w.actions for w in task.witnesses], dtype=np.int64)
    if not task.witnesses:
        none = np.zeros((len(may), 0), dtype=object)
        return none, none
    chosen = np.maximum(chosen[:, view.follower_observation], 0)  # (W, S)
    states = np.arange(view.num_states)[None, :]
    following, weight = numbers.successors
    following, weight = (
        np.moveaxis(table, 2, 1)[states, chosen] for table in (following, weight)
    )  # (W, S, A, next)
    own, other = (np.moveaxis(r, 2, 1)[states, chosen] for r in numbers.rewards)
    each = np.arange(len(chosen))[:, None, None, None]
    may = may[:, None]
    acting = may.any(axis=-1)
    least, most = (numbers.zeros(len(may), len(chosen)) for _ in range(2))
    for step in range(view.horizon):
        scale = numbers.scale ** (step + 1)
        value = other * scale + (least[:, each, following] * weight).sum(axis=-1)
        least = np.where(acting, np.where(may, value, numbers.most).min(axis=-1), 0)
        if task.is_adverse:
            value = own * scale + (most[:, each, following] * weight).sum(axis=-1)
            most = np.where(acting, np.where(may, value, -numbers.most).max(axis=-1), 0)
    return numbers.at_start(least), numbers.at_start(most)
