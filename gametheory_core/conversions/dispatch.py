"""Dispatch steps: who moves next, made a function of the state before and the action alone.

The paper's ``nu(s, i, a, j)`` cannot tie the next mover to what chance has just drawn. Nothing is
lost: after each move of chance let chance move once more, trivially, from the state drawn; that
state then decides who is next. Contracting the trivial steps gives the game back.
"""

from dataclasses import dataclass
from typing import Any, TypeAlias

from gametheory_core.arrays import ZERO
from gametheory_core.conversions.conversion import Conversion, Preserved
from gametheory_core.distributions import Distribution, point_mass, push_forward
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.checked_rules import checked_aec
from gametheory_core.games.information_states import NULL
from gametheory_core.games.rules import AEC, AecPlay, Rewards, from_inner
from gametheory_core.games.tree_table import CHANCE
from gametheory_core.strategies.policies import PolicyProfile

AecToAec: TypeAlias = Conversion[AEC, AEC, PolicyProfile, PolicyProfile]
DISPATCH = "dispatch"


def add_dispatch(game: AEC) -> AecToAec:
    """Carry an AEC game to one whose next mover depends on state and action before the move only.

    Args:
        game: Without a discount and a horizon of its own: both count moves, and there are more now.

    Returns:
        Preserves everything; policies pass unchanged.

    Raises:
        UnsupportedGame: If the game has a discount other than 1, or a horizon.

    >>> from gametheory_core.catalog.turn_orders import RandomOrderTeam
    >>> add_dispatch(RandomOrderTeam()).target.initial_state
    ('play', 'start')
    """
    rules = checked_aec(game, "add_dispatch")
    if rules.discount != 1 or rules.horizon is not None:
        raise UnsupportedGame(
            needs="discount 1 and no horizon, because it adds moves of chance",
            found=f"{game.title or game!r} has discount {game.discount} and horizon {game.horizon}",
            remedy="Let states end the game, and rewards carry the discount.",
        )
    return Conversion(game, Dispatched(game), ContractDispatch(), frozenset(Preserved))


@dataclass(frozen=True)
class Dispatched:
    """The AEC game with a trivial chance move after each move of chance.

    States are ``("play", s)``, and ``("dispatch", s)`` where the trivial move is due.
    """

    game: AEC
    title = from_inner("title")
    players = from_inner("players")
    discount = from_inner("discount")

    @property
    def horizon(self) -> int | None:
        """None."""
        return None

    @property
    def initial_state(self) -> Any:
        """The game's first state."""
        return ("play", self.game.initial_state)

    def observation(self, player: int, state: Any) -> Distribution[Any]:
        """Return what the mover sees."""
        return self.game.observation(player, state[-1])

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]:
        """Return what a player may do."""
        return self.game.legal_actions(player, observation)

    def is_terminal(self, state: Any) -> bool:
        """Tell whether play has ended."""
        return self.game.is_terminal(state[-1])

    def move(self, player: int, state: Any, action: Any) -> Any:
        """Move."""
        return ("play", self.game.move(player, state[-1], action))

    def chance(self, state: Any) -> Distribution[Any]:
        """Draw, and remember from where; or, at a dispatch step, go on."""
        if state[0] == DISPATCH:
            return point_mass(("play", state[-1]))
        before = state[-1]
        return push_forward(self.game.chance(before), lambda after: (DISPATCH, before, after))

    def reward(self, state: Any, mover: int, action: Any, next_state: Any) -> Distribution[Rewards]:
        """Pay for the move; a dispatch step pays nothing."""
        if state[0] == DISPATCH:
            return point_mass((ZERO,) * len(self.players))
        return self.game.reward(state[-1], mover, action, next_state[-1])

    def next_player(
        self, state: Any, mover: int, action: Any, next_state: Any
    ) -> Distribution[int]:
        """Say who moves next without looking at ``next_state``."""
        if state[0] == DISPATCH:
            _, before, after = state
            return self.game.next_player(before, CHANCE, NULL, after)
        if mover == CHANCE:
            return point_mass(CHANCE)
        after = self.game.move(mover, state[-1], action)
        return self.game.next_player(state[-1], mover, action, after)


@dataclass(frozen=True)
class ContractDispatch:
    """Policies unchanged; plays without the dispatch steps."""

    def to_target(self, profile: PolicyProfile) -> PolicyProfile:
        """Return the profile."""
        return profile

    def to_source(self, profile: PolicyProfile) -> PolicyProfile:
        """Return the profile."""
        return profile

    def outcome_to_source(self, outcome: AecPlay) -> Distribution[AecPlay]:
        """Leave out the dispatch steps."""
        kept = (m for m in outcome.moves if m.state[0] != DISPATCH)
        moves = tuple(move._replace(state=move.state[-1]) for move in kept)
        return point_mass(AecPlay(moves, outcome.final_state[-1]))
