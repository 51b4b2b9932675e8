"""JAM-Q-learning: agents learn to lead and a mediator learns whom to let lead, by playing.

An agent learns what it will get if it leads at a node and does what: everything it is paid from
there until it leads again, and then what it expects there. The mediator learns what everybody is
still to get if it lets this or that player lead, and picks whoever makes the returns fairest.
"""

from enum import Enum

import numpy as np
from numpy.typing import NDArray

from gametheory_core.mediation.fairness import MINIMUM, EndRule, Fairness, MediatorStage
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.histories import Memory
from gametheory_core.mediation.policies import MediatedProfile
from gametheory_core.mediation.values import MediatorIncentives
from gametheory_core.strategies.policies import PolicyProfile
from learners.mediation.led_batch import ANNEALED
from learners.mediation.turns import BY_FAIRNESS, profile_policies
from learners.options import Count, PositiveShare, checked
from learners.protocol import Plays, learner
from learners.schedules import Schedule, as_schedule
from learners.snapshots import Kept
from solvers.requirements import require_instance


class Updates(Enum):
    """When learners learn."""

    SEQUENTIAL = "one learner an iteration, in turn"
    SIMULTANEOUS = "everybody, all the time"


class Explorers(Enum):
    """Who tries something else now and then, where updates are sequential."""

    EVERYBODY = "everybody"
    LEARNING = "whoever learns now"


@learner(plays=Plays.RULES, judge=BY_FAIRNESS)
@checked
class JamQLearning(Kept):
    """Agents and a mediator that learn from episodes of a mediated game.

    Args:
        fairness: What the mediator is after.
        stage: ``NAIVE``: fair returns to come, everybody knowing the step and state alone.
            ``PRE_FINAL``: the returns so far count as well. ``FULL``: and payoffs move among the
            agents at the end.
        end_rule: Which transfers, at stage ``FULL``.
        memory: What agents know at the stages other than ``NAIVE``.
        step_size: In (0, 1].
        exploration: Rate of random choices, by the number of episodes played.
        block: Episodes of an iteration, in which one learner (or everybody) learns.

    Raises:
        InvalidArgument: If an option makes no sense.
        UnsupportedGame: If the nodes are too many, or transfers are wanted and nobody knows which
            step is the last.

    Metrics, means over the block and with exploration: ``return/<player>`` (discounted as the game
    says, without transfers), ``fairness`` of single episodes, ``length``, ``transfers`` (sum of
    absolute payments), ``exploration`` (last rate), ``error/agents`` and ``error/picks`` (mean
    absolute temporal difference, of agents and mediator; only where one was learned from).

    Source: :cite:`dodwadmath2025fair`, section 4.1 and equation (12).

    >>> from gametheory_core.mediation import mediated_chicken, mediated_fairness
    >>> from learners import train
    >>> learner = JamQLearning(mediated_chicken(), rng=np.random.default_rng(1))
    >>> learned = train(learner, iterations=200)
    >>> str(mediated_fairness(learner.game, learner.profile(), MINIMUM))
    '24'
    """

    KEPT = ("_iterations", "_play")

    def __init__(
        self,
        game: MediatedGame,
        *,
        fairness: Fairness = MINIMUM,
        stage: MediatorStage = MediatorStage.FULL,
        end_rule: EndRule = EndRule.HISTORY_IDEAL,
        memory: Memory = Memory.HISTORY,
        updates: Updates = Updates.SEQUENTIAL,
        explorers: Explorers = Explorers.EVERYBODY,
        step_size: PositiveShare = 0.2,
        exploration: float | Schedule = ANNEALED,
        block: Count = 100,
        rng: np.random.Generator,
    ) -> None:
        from learners._kernels.jam import MEDIATOR  # noqa: PLC0415 - compiled, loads when needed
        from learners.mediation.led_play import LedPlay, led_game  # noqa: PLC0415 loads numba

        require_instance(fairness, Fairness, name="fairness")
        require_instance(game, MediatedGame, name="game")
        self.game = game
        self.incentives = MediatorIncentives(fairness, stage, end_rule)
        self._updates = updates
        self._block = block
        self._iterations = 0
        self._play = LedPlay(
            led_game(game, self.incentives, memory=memory),
            picker=MEDIATOR,
            order=(0,),
            step_size=float(step_size),
            exploration=as_schedule(exploration, name="exploration", low=0, high=1),
            all_explore=explorers is Explorers.EVERYBODY,
            rng=rng,
        )

    name = "JamQLearning"

    @property
    def episodes(self) -> int:
        """Episodes played so far."""
        return self._play.episodes

    def improve(self) -> dict[str, float]:
        """Play a block of episodes, in which the learner whose turn it is learns."""
        learner = self._iterations % (self.game.num_players + 1)
        learning = learner if self._updates is Updates.SEQUENTIAL else -1
        metrics = self._play.play(self._block, learning)
        self._iterations += 1
        return metrics

    def profile(self) -> MediatedProfile:
        """Return what agents and mediator do without exploring, for the core to judge."""
        return self._play.profile()

    def policies(self) -> PolicyProfile:
        """Return the same as policies of ``MediatedTurns(game)``, the mediator's last."""
        return profile_policies(self.game, self.profile())

    def agent_values(self) -> NDArray[np.float64]:
        """Return what agents expect as leaders, by node of theirs, agent and action; a copy."""
        return self._play.agent_values()

    def mediator_values(self) -> NDArray[np.float64]:
        """Return what everybody is still to get, by node, leader and player; a copy."""
        return self._play.mediator_values()
