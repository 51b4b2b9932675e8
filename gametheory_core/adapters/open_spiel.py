"""OpenSpiel's games as AEC games.

A history of OpenSpiel is a state, its text of what the mover knows an observation, and its words
for actions are actions. Where OpenSpiel lets all act at once, players of the AEC game act in turn,
none sees what the others chose, and the last choice completes the joint action.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from gametheory_core.adapters.open_spiel_states import (
    SpielState,
    chance_law,
    game_named,
    knowledge,
    labelled_actions,
    movers,
    named_game,
    payments,
    player_labels,
    state_after,
)
from gametheory_core.arrays import ONE, ZERO
from gametheory_core.distributions import Distribution, surely
from gametheory_core.games.information_sets import CHANCE
from gametheory_core.games.posg import Rewards


@dataclass(frozen=True)
class OpenSpielState:
    """Where play stands.

    Attributes:
        events: OpenSpiel's history: numbers of actions, chance's included.
        queued: Actions of players 0, 1, ... who have chosen already where all act at once.
    """

    events: tuple[int, ...] = ()
    queued: tuple[int, ...] = ()


@dataclass(frozen=True)
class OpenSpielObservation:
    """What the mover is told: OpenSpiel's text, and the actions it may choose from."""

    text: str
    actions: tuple[str, ...]

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class OpenSpielRules:
    """A game of OpenSpiel as an AEC game; see ``open_spiel_rules``."""

    name: str
    discount: Fraction = ONE
    horizon: int | None = None

    @property
    def title(self) -> str:
        """For people."""
        return f"OpenSpiel's {self.name}"

    @property
    def players(self) -> tuple[str, ...]:
        """Labels of the players."""
        return player_labels(game_named(self.name))

    @property
    def initial_state(self) -> OpenSpielState:
        """The empty history; chance's first move leaves it as it is where a player starts."""
        return OpenSpielState()

    def observation(self, player: int, state: OpenSpielState) -> Distribution[OpenSpielObservation]:
        """Return what OpenSpiel tells the mover, which says nothing of queued actions."""
        return surely(observed(self._reached(state), player))

    def legal_actions(self, player: int, observation: OpenSpielObservation) -> tuple[str, ...]:
        """Return the actions listed in the observation."""
        del player
        return observation.actions

    def is_terminal(self, state: OpenSpielState) -> bool:
        """Tell whether play has ended."""
        return self._reached(state).is_terminal()

    def move(self, player: int, state: OpenSpielState, action: str) -> OpenSpielState:
        """Queue an action, or complete the joint action with it."""
        reached = self._reached(state)
        queued = (*state.queued, labelled_actions(reached, player)[action])
        if len(queued) < len(movers(reached)):
            return OpenSpielState(state.events, queued)
        return OpenSpielState((*state.events, *queued))

    def chance(self, state: OpenSpielState) -> Distribution[OpenSpielState]:
        """Return the law of the history one chance outcome longer."""
        reached = self._reached(state)
        if not reached.is_chance_node():
            return surely(state)  # the first move is chance's even if OpenSpiel has none
        return Distribution(
            tuple(
                (OpenSpielState((*state.events, action)), weight)
                for _, action, weight in chance_law(reached)
            )
        )

    def reward(
        self, state: OpenSpielState, mover: int, action: Any, next_state: OpenSpielState
    ) -> Distribution[Rewards]:
        """Return what OpenSpiel pays on reaching the next history."""
        del mover, action
        reached = self._reached(next_state)
        if next_state.events == state.events:
            return surely((ZERO,) * reached.num_players())
        return surely(payments(reached))

    def next_player(
        self, state: OpenSpielState, mover: int, action: Any, next_state: OpenSpielState
    ) -> Distribution[int]:
        """Return who moves in the next state, surely."""
        del state, mover, action
        reached = self._reached(next_state)
        if reached.is_chance_node():
            return surely(CHANCE)
        return surely(movers(reached)[len(next_state.queued)])

    def _reached(self, state: OpenSpielState) -> SpielState:
        return state_after(self.name, state.events)


def open_spiel_rules(game_or_name: object) -> OpenSpielRules:
    """Return a game of OpenSpiel as an AEC game.

    States are histories. A mover observes OpenSpiel's information state string (its observation
    string where it has none) and the actions to choose from, so our information states are never
    coarser than OpenSpiel's, and the same where its players forget nothing. Where all act at once
    players choose in turn, and nobody sees what is queued. Floats become the fractions they stand
    for; see ``recovered_numbers``.

    Args:
        game_or_name (pyspiel.Game or str): A name has parameters as OpenSpiel writes them, such as
            ``"goofspiel(num_cards=3,imp_info=True)"``. Games that OpenSpiel cannot load by name
            again have no rules here; ``open_spiel_tree`` takes them.

    Raises:
        InvalidArgument: If OpenSpiel has no such game, or refuses its parameters.
        UnsupportedGame: If its chance is only sampled, it is a mean-field game, or has no name.
        MissingDependency: On import, if open_spiel is not installed.

    Payments are OpenSpiel's rewards where it gives them at every step, else its returns at the end.
    Recent states are kept, so that asking again for one is a look-up.

    Source: M. Lanctot et al., "OpenSpiel: A framework for reinforcement learning in games", 2019.

    >>> rules = open_spiel_rules("kuhn_poker")
    >>> rules.players, len(rules.chance(rules.initial_state))
    (('Player 1', 'Player 2'), 3)
    """
    return OpenSpielRules(named_game(game_or_name, owner="open_spiel_rules"))


def observed(state: SpielState, player: int) -> OpenSpielObservation:
    """Return what a player is told in one of OpenSpiel's states."""
    return OpenSpielObservation(knowledge(state, player), tuple(labelled_actions(state, player)))
