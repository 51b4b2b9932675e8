"""RirRPS: a match of rock-paper-scissors with imperfect recall of its repetitions.

Both players see the last three joint actions, neither the clock nor the score. The higher score
after ten repetitions wins the match and 1 from the loser; a fair coin decides equal scores, so that
there are no draws.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

from gametheory_core.arrays import ONE
from gametheory_core.catalog.arguments import require_between
from gametheory_core.catalog.repeated import Window, remember, shown_window
from gametheory_core.distributions import Distribution, point_mass, uniform
from gametheory_core.games.rules import JointAction, JointObservation, Rewards

THROWS = ("rock", "paper", "scissors")  # each beats the one before it
MAX_REPETITIONS = 1000
MAX_RECALL = 100

POINTS = {
    (own, other): (0, 1, -1)[(i - j) % 3]
    for i, own in enumerate(THROWS)
    for j, other in enumerate(THROWS)
}


@dataclass(frozen=True)
class Match:
    """A match that goes on: repetitions played, what is seen, and the first player's lead."""

    played: int
    window: Window
    lead: int


@dataclass(frozen=True)
class Decided:
    """A match that is over: what is seen, and who won."""

    window: Window
    winner: int


MatchState: TypeAlias = Match | Decided


@dataclass(frozen=True)
class RirRPS:
    """A match of rock-paper-scissors between players who forget, as a POSG.

    The value is 0: throwing evenly ties the scores with probability 8953/59049 against anybody,
    and wins with 1/2. Repetitions that pay at once are ``RepeatedGame.of("rock_paper_scissors",
    rounds=10, recall=3)``.

    Attributes:
        repetitions: Throws in a match, at least 1.
        recall: Joint actions seen, at least 0.

    Source: D. Hernandez et al., "A generalized framework for self-play training", IEEE Conference
        on Games 2019.

    >>> RirRPS().transition(Match(9, (), 0), ("paper", "rock")).items[0][0].winner
    0
    """

    repetitions: int = 10
    recall: int = 3
    title: str = field(default="RirRPS", init=False, repr=False)
    players: tuple[str, ...] = field(default=("1", "2"), init=False, repr=False)
    discount: Fraction = field(default=ONE, init=False, repr=False)
    horizon: int | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        require_between(self.repetitions, 1, MAX_REPETITIONS, game="RirRPS", name="repetitions")
        require_between(self.recall, 0, MAX_RECALL, game="RirRPS", name="recall")

    def initial(self) -> Distribution[MatchState]:
        """Return a match in which nothing was played."""
        return point_mass(Match(0, (), 0))

    def initial_observation(self, state: MatchState) -> Distribution[JointObservation]:
        """Show the empty window."""
        return self._shown(state)

    def legal_actions(self, player: int, observation: Any) -> tuple[str, ...]:
        """Return the three throws."""
        return THROWS

    def is_terminal(self, state: MatchState) -> bool:
        """Tell whether the match is decided."""
        return isinstance(state, Decided)

    def transition(self, state: MatchState, joint_action: JointAction) -> Distribution[MatchState]:
        """Count the throw; after the last, the higher score wins, or a fair coin decides."""
        if isinstance(state, Decided):
            return point_mass(state)
        window = remember(state.window, joint_action, recall=self.recall)
        lead = state.lead + POINTS[joint_action]
        if state.played + 1 < self.repetitions:
            return point_mass(Match(state.played + 1, window, lead))
        winners = (0, 1) if lead == 0 else (0,) if lead > 0 else (1,)
        return uniform(Decided(window, winner) for winner in winners)

    def observation(
        self, joint_action: JointAction, state: MatchState
    ) -> Distribution[JointObservation]:
        """Show the window to both."""
        return self._shown(state)

    def reward(
        self, state: MatchState, joint_action: JointAction, next_state: MatchState
    ) -> Rewards:
        """Pay the winner 1 at the end of the match, at the loser's cost."""
        if isinstance(next_state, Match) or isinstance(state, Decided):
            return (0, 0)
        return (1, -1) if next_state.winner == 0 else (-1, 1)

    def _shown(self, state: MatchState) -> Distribution[JointObservation]:
        return point_mass((shown_window(state.window, recall=self.recall),) * 2)


def rir_rps(*, repetitions: int = 10, recall: int = 3) -> RirRPS:
    """A match of rock-paper-scissors; the players see the last throws, not the score or the clock.

    Args:
        repetitions, recall: At least 1, and at least 0.

    Source: D. Hernandez et al., "A generalized framework for self-play training", IEEE Conference
        on Games 2019.
    """
    return RirRPS(repetitions, recall)
