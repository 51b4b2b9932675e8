"""The rules of a JAX environment: states are bytes, and chance draws a key for each step.

The law of a reset, and of each step, is that of finitely many keys, drawn evenly: exact for an
environment that ignores its keys, and a sample of the environment's own law for others.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.adapters.jax_steps import Layout, Steps, loaded_jax
from gametheory_core.adapters.views import View, label_of
from gametheory_core.arrays import ONE, ZERO, to_fraction
from gametheory_core.distributions import Distribution, point_mass, uniform
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.games.rules import IDLE, NULL, JointAction, JointObservation, Rewards

TRIED = (0, 1, 2, 3)  # keys under which an environment that draws nothing is made to do the same
_TOGETHER = 64  # joint actions stepped at once, at most
_ROWS = 4096  # rows made at once, at most, unless there are more keys
_KEPT = 4096  # answers of the environment, each for so many joint actions of a state


@dataclass(frozen=True, repr=False)
class JaxState:
    """Where play stands: equal to another if all arrays are, of the state and of what is shown.

    Attributes:
        content: The bytes of the arrays; none once play is over.
        shown: What each player sees: a ``View``, or ``NULL`` if it is done.
    """

    content: bytes
    shown: JointObservation = field(compare=False)
    layout: Layout = field(compare=False)

    def tree(self) -> Any:
        """Return the environment's own state, of numpy's arrays.

        Raises:
            InvalidArgument: If play is over: what is then left is not kept.
        """
        if not self.content:
            raise InvalidArgument(needs="a state in which play continues", found="it is over")
        return self.layout.tree(self.content)

    def __repr__(self) -> str:
        if not self.content:
            return "JaxState(over)"
        return f"JaxState({self.layout.text(self.content)})"


@dataclass(frozen=True)
class _Effect:
    """Where a joint action leads, and what it pays on the way to each state."""

    law: Distribution[JaxState]
    rewards: dict[JaxState, Rewards]


class JaxRules:
    """A JAX environment as a POSG; see ``posg_from_jax``.

    Attributes:
        players: The environment's names of its agents.
        keys: Those that chance draws; None if the environment has been seen to ignore them.
    """

    discount = ONE
    horizon = None

    def __init__(
        self,
        title: str,
        steps: Steps,
        *,
        players: tuple[str, ...],
        actions: tuple[range, ...],
        keys: tuple[int, ...] | None,
        draws_once: bool,
    ) -> None:
        self.title, self.players, self.keys = title, players, keys
        self._steps, self._actions = steps, actions
        self._reset_keys = TRIED if keys is None else keys
        self._step_keys = (0,) if draws_once else self._reset_keys
        most = max(1, min(_TOGETHER, _ROWS // len(self._step_keys)))
        self._together = min(most, prod(map(len, actions)))
        self._over = JaxState(b"", (NULL,) * len(players), steps.layouts[0])
        self._effects = lru_cache(_KEPT)(self._effects_of)
        self._outcome = lru_cache(_KEPT)(self._outcome_of)
        self._sight = lru_cache(_KEPT)(self._seen)

    def initial(self) -> Distribution[JaxState]:
        """Reset the environment with each of the keys."""
        rows = self._steps.resets(self._reset_keys)
        law = uniform(self._state(row.tobytes()) for row in rows)
        if self.keys is None:
            unpaid = {state: [((), 1)] for state, _ in law}
            self._require_one(unpaid, lambda: "after reset")
        return law

    def initial_observation(self, state: JaxState) -> Distribution[JointObservation]:
        """Show what the environment shows."""
        return point_mass(state.shown)

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]:
        """Return what is available, which is part of what is seen; who is done can only wait."""
        del player
        return _legal(observation)

    def is_terminal(self, state: JaxState) -> bool:
        """Tell whether all agents are done."""
        return not state.content

    def transition(self, state: JaxState, joint_action: JointAction) -> Distribution[JaxState]:
        """Step the environment with each of the keys."""
        return self._effect(state, joint_action).law

    def observation(
        self, joint_action: JointAction, state: JaxState
    ) -> Distribution[JointObservation]:
        """Show what the environment shows."""
        del joint_action
        return point_mass(state.shown)

    def reward(self, state: JaxState, joint_action: JointAction, next_state: JaxState) -> Rewards:
        """Pay what the environment pays, on average over the keys that lead to the next state."""
        return self._effect(state, joint_action).rewards[next_state]

    def _effect(self, state: JaxState, joint_action: JointAction) -> _Effect:
        number = 0
        for seen, action in zip(state.shown, joint_action, strict=True):
            legal = _legal(seen)
            if action not in legal:
                raise InvalidArgument(
                    needs=f"legal actions in {state!r}, one of {legal!r}", found=f"got {action!r}"
                )
            number = number * len(legal) + legal.index(action)
        together, place = divmod(number, self._together)
        return self._effects(state, together)[place]

    def _effects_of(self, state: JaxState, together: int) -> list[_Effect]:
        """Return the effects of joint actions that are stepped together, in product order."""
        legal = [_legal(seen) for seen in state.shown]
        sizes = tuple(map(len, legal))
        # Calls are of one shape, so that nothing is compiled, or rounded, in two ways.
        numbers = np.arange(self._together) + together * self._together
        places = np.unravel_index(np.minimum(numbers, prod(sizes) - 1), sizes)
        chosen = [[own[k] for k in place] for own, place in zip(legal, places, strict=True)]
        joint = list(zip(*chosen, strict=True))
        given = [[0 if a is IDLE else a for a in actions] for actions in joint]
        rows = self._steps.steps(state.content, np.array(given, dtype=np.int32), self._step_keys)
        asked = zip(joint, rows, strict=True)
        return [self._effect_of(own, actions, state) for actions, own in asked]

    def _effect_of(self, rows: NDArray[np.uint8], actions: JointAction, state: JaxState) -> _Effect:
        """Return the law of the next state, and mean rewards on the way to each."""
        paid: dict[JaxState, list[tuple[Rewards, int]]] = {}
        for row, count in Counter(row.tobytes() for row in rows).items():
            reached, rewards = self._outcome(row)
            paid.setdefault(reached, []).append((rewards, count))
        if self.keys is None:
            self._require_one(paid, lambda: f"after actions {actions!r} in {state!r}")
        weights = {reached: sum(n for _, n in listed) for reached, listed in paid.items()}
        return _Effect(
            Distribution(tuple((s, Fraction(n, len(rows))) for s, n in weights.items())),
            {reached: _mean(listed, weights[reached]) for reached, listed in paid.items()},
        )

    def _require_one(self, outcomes: dict[JaxState, Any], when: Callable[[], str]) -> None:
        """Refuse that more than one thing can happen, where no keys are given."""
        listed = [(state, paid) for state, own in outcomes.items() for paid, _ in own]
        if len(set(listed)) > 1:
            raise UnsupportedGame(
                needs="keys, since the environment draws",
                found=f"{when()} there may be {listed[0]!r} and {listed[1]!r}",
                remedy="Give keys=range(100): chance then draws one of these.",
                argument="keys",
                where=self.title,
            )

    def _outcome_of(self, row: bytes) -> tuple[JaxState, Rewards]:
        """Return the state that a row holds, and what the step to it paid."""
        end = self._steps.starts[-1]
        paid, is_over = self._steps.paid.tree(row[end:])
        where = f"{self.title}: reward"
        rewards = tuple(to_fraction(reward, where=where) for reward in paid)
        return self._over if is_over else self._state(row[:end]), rewards

    def _state(self, row: bytes) -> JaxState:
        starts = self._steps.starts
        shown = tuple(
            self._sight(i, row[starts[i + 1] : starts[i + 2]]) for i in range(len(self.players))
        )
        return JaxState(row, shown, self._steps.layouts[0])

    def _seen(self, player: int, content: bytes) -> Any:
        observation, mask, is_done = self._steps.layouts[player + 1].tree(content)
        return _sight_of(observation, mask, self._actions[player], is_done=bool(is_done))


def _mean(paid: list[tuple[Rewards, int]], total: int) -> Rewards:
    """Return mean rewards, each being paid so many times of a total."""
    if len(paid) == 1:
        return paid[0][0]
    counts = [count for _, count in paid]
    own = zip(*(rewards for rewards, _ in paid), strict=True)
    return tuple(
        sum((Fraction(r) * n for r, n in zip(rewards, counts, strict=True)), ZERO) / total
        for rewards in own
    )


def _sight_of(observation: Any, mask: Any, actions: range, *, is_done: bool) -> Any:
    """Return what a player sees: who is done sees nothing, and can only wait."""
    if is_done:
        return NULL
    legal = tuple(actions) if mask is None else tuple(a for a in actions if mask[a])
    numbers = loaded_jax().tree_util.tree_map(_number_or_array, observation)
    return View(label_of(numbers), legal)


def _number_or_array(array: NDArray[Any]) -> Any:
    return array[()]


def _legal(seen: Any) -> tuple[Any, ...]:
    return (IDLE,) if seen is NULL else seen.legal
