"""What mediators are compared with: leaders in a fixed order, by lot, or by vote.

Agents learn as under a mediator, for themselves: they know the step and the state, nobody counts
what they were paid before, and nothing moves at the end.
"""

from collections.abc import Sequence
from enum import Enum
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ONE, ZERO
from gametheory_core.distributions import Distribution, distribution
from gametheory_core.errors import UnsupportedGame
from gametheory_core.mediation.fairness import MINIMUM, Fairness, MediatorStage
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.histories import Memory
from gametheory_core.mediation.recursion import MediatorIncentives
from gametheory_core.strategies.policies import PolicyProfile
from learners.batch import Snapshot
from learners.mediation.drawn_play import Chances, DrawnPlay, drawn_play
from learners.mediation.options import ANNEALED, require_learning_options
from learners.mediation.turns import turn_policies
from learners.schedules import Schedule, as_schedule
from solvers.requirements import as_tuple, require_instance, require_integer, require_member

NAME = "SelfishLeaders"


class Selection(Enum):
    """Who picks leaders."""

    ORDER = "a fixed order"
    LOTS = "lots"
    VOTES = "votes, which are learned, and lots among the first"


class SelfishLeaders:
    """Agents that learn to lead for themselves, where no mediator picks them.

    Args:
        game: In which nothing is drawn.
        selection: ``LOTS`` is also what becomes of votes if everybody votes for itself.
        order: For ``Selection.ORDER``: who leads, again and again; ``(0,)`` for a fixed leader.
        fairness: Of which the metrics tell; nobody pursues it.
        step_size, exploration, block, rng: As for ``JamQLearning``; all learn at once.

    Raises:
        InvalidArgument: If an option makes no sense.
        UnsupportedGame: If the game draws states, or its histories are too many to list.

    Metrics are those of ``JamQLearning``. A voter learns, at each step and state, what it will get
    if it votes for a player: what the step pays, and what its best vote is worth after it.

    Source: :cite:`dodwadmath2025fair`, sections 5.3 and 13.4.

    >>> from gametheory_core.mediation.catalog import mediated_chicken
    >>> from learners.training import train
    >>> turns = SelfishLeaders(mediated_chicken(), order=(0, 1), rng=np.random.default_rng(1))
    >>> learned = train(turns, iterations=200)
    >>> str(turns.play().expected_fairness)
    '18'
    """

    def __init__(
        self,
        game: MediatedGame,
        *,
        selection: Selection = Selection.ORDER,
        order: Sequence[int] = (0,),
        fairness: Fairness = MINIMUM,
        step_size: float = 0.2,
        exploration: float | Schedule = ANNEALED,
        block: int = 100,
        rng: np.random.Generator,
    ) -> None:
        from learners._kernels import jam  # noqa: PLC0415 loads numba
        from learners.mediation.led_play import LedPlay  # noqa: PLC0415 loads numba
        from learners.mediation.led_tables import led_game  # noqa: PLC0415 loads numba

        require_member(selection, Selection, name="selection")
        require_instance(fairness, Fairness, name="fairness")
        require_learning_options(game, step_size, block, rng)
        turns = as_tuple(order, name="order", remedy="Give players, (0, 1) or so.")
        require_integer(len(turns), name="the length of order", low=1)
        for leader in turns:
            require_integer(leader, name="leaders in order", low=0, high=game.num_players - 1)
        if not game.is_deterministic:
            raise UnsupportedGame(
                needs="a game in which nothing is drawn",
                found=f"{game!r} draws states",
                remedy="Use JamQLearning.",
            )
        self.game = game
        self.selection = selection
        self._block = block
        self._fairness = fairness
        codes = {
            Selection.ORDER: jam.ORDER,
            Selection.LOTS: jam.LOTS,
            Selection.VOTES: jam.VOTES,
        }
        incentives = MediatorIncentives(fairness, MediatorStage.NAIVE)
        self._play = LedPlay(
            led_game(game, incentives, memory=Memory.STEP),
            picker=codes[selection],
            order=tuple(map(int, turns)),
            step_size=float(step_size),
            exploration=as_schedule(exploration, name="exploration", low=0, high=1),
            all_explore=True,
            rng=rng,
        )

    @property
    def name(self) -> str:
        """Name of the algorithm, for records."""
        return NAME

    def improve(self) -> dict[str, float]:
        """Play a block of episodes, from which all learn."""
        return self._play.play(self._block, -1)

    def policies(self) -> PolicyProfile:
        """Return what agents do and how leaders come about, as of ``MediatedTurns(game)``."""
        chances = self._chances()

        def picked(step: int, node: int) -> Distribution[str]:
            return distribution(dict(zip(self.game.players, chances[step][node], strict=True)))

        return turn_policies(
            self.game, self._play.actions(), picked, agents=Memory.STEP, mediator=Memory.STEP
        )

    def play(self) -> DrawnPlay:
        """Return what comes of it without exploring, exactly."""
        return drawn_play(self.game, self._play.actions(), self._chances(), fairness=self._fairness)

    def vote_values(self) -> NDArray[np.float64]:
        """Return what voters expect, by step and state, voter and candidate; a copy."""
        return self._play.vote_values()

    def _chances(self) -> Chances:
        """Return how likely each player is to lead, at each step and state."""
        players = self.game.num_players
        sizes = np.diff(self._play.led.first).tolist()
        if self.selection is Selection.LOTS:
            even = (ONE / players,) * players
            return tuple((even,) * size for size in sizes)
        if self.selection is Selection.ORDER:
            return tuple(
                tuple(_shared([leader], players) for leader in layer)
                for layer in self._play.leaders()
            )
        ballots = self._play.vote_values().argmax(axis=2)
        found = [_elected(own, players) for own in ballots.tolist()]
        first = self._play.led.first
        return tuple(tuple(found[a:b]) for a, b in pairwise(first))

    def snapshot(self) -> dict[str, Any]:
        """Return all that is needed to go on exactly from here."""
        return {"play": self._play.snapshot()}

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of a learner made with the same options.

        Raises:
            InvalidArgument: If it is of another game.
        """
        self._play.restore(snapshot["play"])


def _elected(ballots: list[int], players: int) -> tuple[Fraction, ...]:
    """Return the chances of candidates with the most ballots."""
    counts = [ballots.count(player) for player in range(players)]
    return _shared([player for player in range(players) if counts[player] == max(counts)], players)


def _shared(winners: list[int], players: int) -> tuple[Fraction, ...]:
    return tuple(ONE / len(winners) if player in winners else ZERO for player in range(players))
