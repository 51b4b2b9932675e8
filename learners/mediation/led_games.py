"""Which games are played in batches under a mediator, who leads in its place, and who judges.

Without a mediator leaders follow a rule: always the first agent, all in turn, or by the lot of a
vote. Selfish voters vote for themselves where leading pays, so that every agent is as likely.
"""

from dataclasses import replace
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.distributions import Distribution, point_mass, uniform
from gametheory_core.games.rules import InformationState
from gametheory_core.mediation.catalog import ResourceGridRules
from gametheory_core.mediation.fairness import MediatorStage
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.strategies.policies import PolicyProfile, policy_from
from learners.findings import Appraisal, Finding, Standing
from learners.mediation.led_batch import (
    Deciding,
    LedBatch,
    LedTurn,
    MediatedBatch,
    fairness_of_floats,
)
from learners.mediation.resource_grid import Colors, ResourceGrid
from learners.mediation.turns import assess_mediated
from learners.protocol import Judge
from learners.snapshots import Kept
from learners.streams import named_stream


class Leaders(Enum):
    """Who leads; the value says it in words."""

    MEDIATED = "whom the mediator picks"
    FIXED = "the first agent, always"
    IN_TURN = "all agents in turn"
    VOTED = "by lot, as where every agent votes for itself"


def led_batch(
    game: MediatedGame | ResourceGridRules, *, episodes: int, rng: np.random.Generator
) -> LedBatch:
    """Return episodes of a mediated game, or of the grid of resources.

    Raises:
        InvalidArgument: If it is neither.
        UnsupportedGame: If it has too many nodes.

    >>> rules = ResourceGridRules(num_agents=4, has_both_colors=False)
    >>> led_batch(rules, episodes=2, rng=np.random.default_rng(0)).num_features
    (55, 23)
    """
    if isinstance(game, ResourceGridRules):
        return ResourceGrid(
            colors=Colors.BOTH if game.has_both_colors else Colors.ONE,
            players=game.num_agents,
            size=game.size,
            steps=game.steps,
            collections=game.collections,
            episodes=episodes,
            rng=rng,
        )
    return MediatedBatch(game, episodes=episodes, rng=rng)


class GivenLeaders(Kept):
    """Episodes in which a rule picks all leaders, and nobody is asked; a ``LedBatch``.

    Args:
        batch: To be played.
        leaders: A rule other than ``MEDIATED``.
        rng: Draws the lots.

    >>> from gametheory_core.mediation import mediated_chicken
    >>> rng = np.random.default_rng(0)
    >>> batch = led_batch(mediated_chicken(), episodes=2, rng=rng)
    >>> batch = GivenLeaders(batch, Leaders.IN_TURN, rng=rng)
    >>> batch.reset().leader.tolist(), batch.step(np.zeros((2, 2), dtype=np.int64)).leader.tolist()
    ([0, 0], [1, 1])
    """

    KEPT = ("_batch", "_picked", "_rng")

    def __init__(self, batch: LedBatch, leaders: Leaders, *, rng: np.random.Generator) -> None:
        self._batch = batch
        self._leaders = leaders
        self._rng = rng
        self._picked = np.zeros(batch.num_episodes, dtype=np.int64)
        self.players, self.incentives = batch.players, batch.incentives
        self.num_episodes, self.num_actions = batch.num_episodes, batch.num_actions
        self.num_features = batch.num_features

    def reset(self, *, astray: float = 0.0) -> LedTurn:
        """Begin all episodes anew, with their first leaders."""
        self._picked[:] = 0
        return self._led(self._batch.reset(astray=astray))

    def pick(self, leaders: NDArray[np.int64]) -> LedTurn:
        """Pick nobody, since no pick is ever due."""
        return self._batch.pick(leaders)

    def step(self, actions: NDArray[np.int64]) -> LedTurn:
        """Let agents act, and the next leaders come."""
        return self._led(self._batch.step(actions))

    def _led(self, turn: LedTurn) -> LedTurn:
        due = np.flatnonzero(turn.picks)
        if not len(due):
            return turn
        players = len(self.players)
        chosen = np.full(self.num_episodes, -1, dtype=np.int64)
        if self._leaders is Leaders.VOTED:
            chosen[due] = self._rng.integers(players, size=len(due))
        else:
            chosen[due] = self._picked[due] % players if self._leaders is Leaders.IN_TURN else 0
        self._picked[due] += 1
        return replace(
            self._batch.pick(chosen),
            rewards=turn.rewards,
            transfers=turn.transfers,
            bonus=turn.bonus,
        )

    def policies(self, deciding: Deciding) -> PolicyProfile:
        """Return what agents do as policies of the rules, and at last the rule of leading."""
        *agents, asked = self._batch.policies(deciding)

        def pick(information_state: InformationState) -> Distribution[Any]:
            wanted = asked[information_state]
            if not set(self.players).issuperset(label for label, _ in wanted):
                return wanted  # no leader is due
            if self._leaders is Leaders.VOTED:
                return uniform(self.players)
            picked = sum(own in self.players for own in information_state[1::2])
            in_turn = self._leaders is Leaders.IN_TURN
            return point_mass(self.players[picked % len(self.players) if in_turn else 0])

        return (*agents, policy_from(pick))

    def anew(
        self,
        *,
        episodes: int | None = None,
        stage: MediatorStage | None = None,
        rng: np.random.Generator | None = None,
    ) -> "GivenLeaders":
        """Return other episodes with leaders by the same rule."""
        other = self._batch.anew(episodes=episodes, stage=stage, rng=rng)
        return GivenLeaders(other, self._leaders, rng=rng or self._rng)


def appraised(learner: Any, judging: Any) -> Appraisal:
    """Judge a learner by its batch: exactly what can be listed, the grid by playing it.

    Args:
        judging: How many ``episodes`` are played.
    """
    batch: LedBatch = learner.batch
    if isinstance(batch, MediatedBatch):
        return assess_mediated(batch.game, batch.profile(learner), incentives=batch.incentives)
    episodes = max(2, judging.episodes)
    returns = learner.greedy_returns(episodes=episodes, rng=named_stream(0, "appraisal"))
    fairness = fairness_of_floats(batch.incentives.fairness, returns)
    named = dict(zip((f"return/{name}" for name in batch.players), returns.T, strict=True))
    findings = (
        Finding(
            name,
            float(own.mean()),
            Standing.SAMPLED,
            standard_error=float(own.std(ddof=1) / episodes**0.5),
        )
        for name, own in (named | {"fairness": fairness}).items()
    )
    return Appraisal(
        "a game under a mediator",
        f"SAMPLED, an estimate from {episodes:,} episodes without exploring; fairness is the mean "
        "of how fair single episodes are; nothing is proved",
        tuple(findings),
    )


BY_PLAY = Judge(reads=("episodes",), appraise=appraised)
