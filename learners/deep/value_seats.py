"""A player who learns action values: how it chooses, what it keeps, and when it updates."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from learners.deep.action_values import ActionValues
from learners.deep.decision_steps import DecisionSteps
from learners.deep.legality import LegalActions
from learners.deep.replay import Replay
from learners.deep.roles import Lanes, Role, draw_actions
from learners.horizon import AtHorizon


class ValueSeat:
    """One player who learns: values, replay, and transitions not yet completed."""

    def __init__(
        self, role: Role, *, values: ActionValues, replay: Replay, decisions: DecisionSteps
    ) -> None:
        self.role = role
        self.player = role.players[0]
        self.values = values
        self.replay = replay
        self._decisions = decisions

    def act(self, lanes: Lanes, exploration: float, rng: np.random.Generator) -> NDArray[np.int64]:
        """Choose in all lanes, and open the transitions of those that act."""
        shares = exploring_shares(self.values.values(lanes.observations), lanes.legal, exploration)
        actions = draw_actions(shares, rng)
        self.replay.add(
            self._decisions.decide(
                observations=lanes.observations,
                legal=lanes.legal,
                actions=actions,
                acts=lanes.acts,
            )
        )
        return actions

    def see(self, lanes: Lanes, legality: LegalActions, at_horizon: AtHorizon) -> None:
        """Add what a step paid, and keep what the ends of episodes complete."""
        ends = lanes.is_terminal | lanes.is_truncated
        is_worthless = ends if at_horizon is AtHorizon.ENDS else lanes.is_terminal
        legal = np.ones_like(lanes.legal)
        for lane in np.flatnonzero(ends & ~is_worthless):
            legal[lane] = legality.after(self.player, lanes.final_observations[lane])
        self.replay.add(
            self._decisions.pay(
                rewards=lanes.rewards,
                ends=ends,
                is_worthless=is_worthless,
                final_observations=lanes.final_observations,
                final_legal=legal,
            )
        )

    def learn(self, updates: int, batch_size: int) -> dict[str, float]:
        """Make updates; return the means of what they report."""
        seen = [self.values.update(self.replay.sample(batch_size)) for _ in range(updates)]
        return {name: float(np.mean([each[name] for each in seen])) for name in seen[0]}

    def snapshot(self) -> dict[str, Any]:
        """Return all that is held."""
        return {
            "values": self.values.snapshot(),
            "replay": self.replay.snapshot(),
            "decisions": self._decisions.snapshot(),
        }

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Go back to a snapshot."""
        self.values.restore(snapshot["values"])
        self.replay.restore(snapshot["replay"])
        self._decisions.restore(snapshot["decisions"])


def exploring_shares(
    values: NDArray[np.float64], legal: NDArray[np.bool_], exploration: float
) -> NDArray[np.float64]:
    """Return probabilities (R, A) of a greedy action that is replaced by an even draw now and then.

    The first of equal actions counts as greedy. Actions that are not legal have probability 0.
    """
    shares = exploration * legal / legal.sum(axis=-1, keepdims=True)
    above_illegal = np.maximum(values, np.finfo(np.float64).min)  # even where values are -inf
    best = np.where(legal, above_illegal, -np.inf).argmax(axis=-1)
    shares[np.arange(len(best)), best] += 1 - exploration
    return shares


def greedy_choice(outputs: torch.Tensor, legal: torch.Tensor) -> NDArray[np.float64]:
    """Play the first of the best legal actions; how the outputs of a value network are read."""
    values = outputs.double().cpu().numpy()
    return exploring_shares(values[None], legal.cpu().numpy()[None], 0.0)[0]
