"""Repeated games: one stage game, round after round, and a memory of what was played.

Every player sees the last ``recall`` joint actions, which are also the state, or only the others'
part of them; near the start the window is shorter. The players' own memories are longer: a policy
sees all of its windows.

RirRPS: a match of rock-paper-scissors with imperfect recall of its repetitions.

Both players see the last three joint actions, neither the clock nor the score. The higher score
after ten repetitions wins the match and 1 from the loser; a fair coin decides equal scores, so that
there are no draws.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from types import MappingProxyType
from typing import Any, TypeAlias

from gametheory_core.arguments import require_integer, require_member
from gametheory_core.arrays import ONE
from gametheory_core.catalog import matrix
from gametheory_core.distributions import Distribution, point_mass, uniform
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.rules import NULL, JointAction, JointObservation, Rewards
from gametheory_core.games.table_content import check_discount

MAX_ROUNDS = 1_000_000
MAX_RECALL = 1000

Window: TypeAlias = tuple[JointAction, ...]


class Shown(Enum):
    """What the window shows of a round: all actions, or those of the other players."""

    ALL = "all"
    OTHERS = "others"


STAGES: Mapping[str, Callable[[], NormalFormGame]] = MappingProxyType(
    {
        build.__name__: build
        for build in (
            matrix.matching_pennies,
            matrix.rock_paper_scissors,
            matrix.prisoners_dilemma,
            matrix.battle_of_the_sexes,
            matrix.chicken,
            matrix.stag_hunt,
            matrix.coordination,
            matrix.indifference,
            matrix.shapley_cycle,
            matrix.shapley_lemke_howson,
            matrix.degenerate,
            matrix.commitment_example,
        )
    }
)


@dataclass(frozen=True)
class RepeatedGame:
    """A normal-form game played again and again, as a POSG.

    Attributes:
        stage: Played in each round; its exact payoffs are the rewards. Every action has a label.
        rounds: At least 1; None if play continues until it is stopped.
        recall: How many of the last joint actions the players see; at 0 they see ``NULL``.
        discount: The factor on payoffs for each round, in [0, 1].
        memory: Whether a player's window shows their own actions too.

    Source: G. J. Mailath and L. Samuelson, Repeated Games and Reputations, 2006, ch. 2.

    >>> RepeatedGame.of("prisoners_dilemma", rounds=10).legal_actions(0, ())
    ('cooperate', 'defect')
    """

    stage: NormalFormGame
    rounds: int | None = 1
    recall: int = 1
    discount: Fraction = ONE
    memory: Shown = Shown.ALL

    def __post_init__(self) -> None:
        require_member(self.memory, Shown, name="memory")
        if self.rounds is not None:
            require_integer(
                self.rounds, name="rounds", low=1, high=MAX_ROUNDS, where="RepeatedGame"
            )
        require_integer(self.recall, name="recall", low=0, high=MAX_RECALL, where="RepeatedGame")
        for label, actions in zip(self.stage.players, self.stage.actions, strict=True):
            if "" in actions:
                raise InvalidArgument(
                    needs="a label for every action of the stage game",
                    found=f"player {label!r} has {actions}",
                    remedy="Name them.",
                )
        object.__setattr__(self, "discount", check_discount(self.discount))

    @staticmethod
    def of(
        name: str, *, rounds: int | None = 1, recall: int = 1, discount: Fraction = ONE
    ) -> "RepeatedGame":
        """Repeat a matrix game of the catalogue.

        Args:
            name: One of ``STAGES``, such as ``"matching_pennies"``.
            rounds, recall, discount: As for the class.

        Raises:
            InvalidArgument: If there is no such matrix game, or a parameter is out of range.

        >>> RepeatedGame.of("matching_pennies", rounds=3).title
        'Matching pennies, 3 rounds'
        """
        if name not in STAGES:
            raise InvalidArgument(
                needs="the name of a matrix game",
                found=f"{name!r} is not one",
                remedy=f"Known are: {', '.join(STAGES)}.",
            )
        return RepeatedGame(STAGES[name](), rounds=rounds, recall=recall, discount=discount)

    @property
    def title(self) -> str:
        """For people."""
        length = "without end" if self.rounds is None else f"{self.rounds} rounds"
        return f"{self.stage.title or 'Repeated game'}, {'1 round' if self.rounds == 1 else length}"

    @property
    def players(self) -> tuple[str, ...]:
        """Labels of the stage game's players."""
        return self.stage.players

    @property
    def horizon(self) -> int | None:
        """One step a round."""
        return self.rounds

    def initial(self) -> Distribution[Window]:
        """Return the empty window."""
        return point_mass(())

    def initial_observation(self, state: Window) -> Distribution[JointObservation]:
        """Show the empty window."""
        return self._shown(state)

    def legal_actions(self, player: int, observation: Any) -> tuple[str, ...]:
        """Return the labels of the stage game's actions."""
        return self.stage.actions[player]

    def is_terminal(self, state: Window) -> bool:
        """Only the number of rounds ends play."""
        return False

    def transition(self, state: Window, joint_action: JointAction) -> Distribution[Window]:
        """Remember the round, forget what is older than the window."""
        return point_mass(remember(state, joint_action, recall=self.recall))

    def observation(
        self, joint_action: JointAction, state: Window
    ) -> Distribution[JointObservation]:
        """Show all players the window, or the others' part of it."""
        return self._shown(state)

    def reward(self, state: Window, joint_action: JointAction, next_state: Window) -> Rewards:
        """Pay the stage game."""
        places = tuple(
            own.index(action) for own, action in zip(self.stage.actions, joint_action, strict=True)
        )
        return tuple(self.stage.exact_payoffs[(i, *places)] for i in range(len(self.players)))

    def _shown(self, window: Window) -> Distribution[JointObservation]:
        if self.memory is Shown.ALL or not self.recall:
            return point_mass((shown_window(window, recall=self.recall),) * len(self.players))
        return point_mass(tuple(window_of_others(window, i) for i in range(len(self.players))))


def remember(window: Window, joint_action: JointAction, *, recall: int) -> Window:
    """Return the last ``recall`` joint actions, after one more.

    >>> remember((("H", "T"), ("T", "T")), ("H", "H"), recall=2)
    (('T', 'T'), ('H', 'H'))
    """
    longer = (*window, joint_action)
    return longer[max(0, len(longer) - recall) :]


def shown_window(window: Window, *, recall: int) -> Any:
    """Return what a player sees of a window: ``NULL`` if there is never anything in it."""
    return window if recall else NULL


def window_of_others(window: Window, player: int) -> Window:
    """Return a window without the player's own actions.

    >>> window_of_others((("H", "T"), ("T", "T")), 0)
    (('T',), ('T',))
    """
    return tuple((*joint[:player], *joint[player + 1 :]) for joint in window)


def repeated_matching_pennies(*, rounds: int = 1, recall: int = 1) -> RepeatedGame:
    """Matching pennies over rounds; the players see the last joint actions.

    Args:
        rounds, recall: At least 1, and at least 0.

    Source: J. von Neumann and O. Morgenstern, Theory of Games and Economic Behavior, 1944, 14.7.2.
    """
    return RepeatedGame.of("matching_pennies", rounds=rounds, recall=recall)


def repeated_rock_paper_scissors(*, rounds: int = 1, recall: int = 1) -> RepeatedGame:
    """Rock-paper-scissors over rounds, each paid at once; the players see the last joint actions.

    Args:
        rounds, recall: At least 1, and at least 0.

    Source: M. Lanctot et al., "Population-based evaluation in repeated rock-paper-scissors as a
        benchmark for multiagent reinforcement learning", TMLR 2023.
    """
    return RepeatedGame.of("rock_paper_scissors", rounds=rounds, recall=recall)


def repeated_prisoners_dilemma(*, rounds: int = 2, recall: int = 1) -> RepeatedGame:
    """The prisoner's dilemma over a known number of rounds: backward induction defects throughout.

    Args:
        rounds, recall: At least 1, and at least 0.

    Source: R. D. Luce and H. Raiffa, Games and Decisions, 1957, 5.5.
    """
    return RepeatedGame.of("prisoners_dilemma", rounds=rounds, recall=recall)


def repeated_battle_of_the_sexes(*, rounds: int = 2, recall: int = 1) -> RepeatedGame:
    """Battle of the sexes over rounds: who sees the past can take turns.

    Args:
        rounds, recall: At least 1, and at least 0.

    Source: R. D. Luce and H. Raiffa, Games and Decisions, 1957, 5.3.
    """
    return RepeatedGame.of("battle_of_the_sexes", rounds=rounds, recall=recall)


THROWS = ("rock", "paper", "scissors")  # each beats the one before it
MAX_REPETITIONS = 1000
MAX_REPETITION_RECALL = 100

POINTS = {
    (own, other): (0, 1, -1)[(i - j) % 3]
    for i, own in enumerate(THROWS)
    for j, other in enumerate(THROWS)
}


@dataclass(frozen=True)
class Match:
    """A match that continues: repetitions played, what is seen, and the first player's lead."""

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
        require_integer(
            self.repetitions, name="repetitions", low=1, high=MAX_REPETITIONS, where="RirRPS"
        )
        require_integer(
            self.recall, name="recall", low=0, high=MAX_REPETITION_RECALL, where="RirRPS"
        )

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
