"""OpenSpiel's games as AEC games.

A history of OpenSpiel is a state, its text of what the mover knows an observation, and its words
for actions are actions. Where OpenSpiel lets all act at once, players of the AEC game act in turn,
none sees what the others chose, and the last choice completes the joint action.

Simultaneous-move games are POSGs as well: their states are the histories at which all act.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from gametheory_core.adapters.open_spiel_states import (
    SpielState,
    acts_at_once,
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
from gametheory_core.distributions import Distribution, point_mass
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.rules import NULL, JointAction, JointObservation, Rewards
from gametheory_core.games.tree_table import CHANCE


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
        return point_mass(observed(self._reached(state), player))

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
        """Return the distribution of the history one chance outcome longer."""
        reached = self._reached(state)
        if not reached.is_chance_node():
            return point_mass(state)  # the first move is chance's even if OpenSpiel has none
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
            return point_mass((ZERO,) * reached.num_players())
        return point_mass(payments(reached))

    def next_player(
        self, state: OpenSpielState, mover: int, action: Any, next_state: OpenSpielState
    ) -> Distribution[int]:
        """Return who moves in the next state, surely."""
        del state, mover, action
        reached = self._reached(next_state)
        if reached.is_chance_node():
            return point_mass(CHANCE)
        return point_mass(movers(reached)[len(next_state.queued)])

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


Events: TypeAlias = tuple[int, ...]  # OpenSpiel's history


@dataclass(frozen=True)
class OpenSpielPOSG:
    """A simultaneous-move game of OpenSpiel as a POSG; see ``open_spiel_posg``."""

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

    def initial(self) -> Distribution[Events]:
        """Return the distribution of the first history at which all act."""
        law = self._settled(())
        for state, _ in law:
            if any(any(paid) for paid in self._paid((), state)):
                raise UnsupportedGame(
                    needs="no payment before the first action",
                    found=f"{self.name} pays on the way to {state}",
                    remedy="Use open_spiel_rules.",
                )
        return law

    def initial_observation(self, state: Events) -> Distribution[JointObservation]:
        """Return what OpenSpiel tells each player before the first action."""
        return self._observed_by_all(state)

    def legal_actions(self, player: int, observation: Any) -> tuple[str, ...]:
        """Return the actions listed in the observation."""
        del player
        return () if observation is NULL else observation.actions

    def is_terminal(self, state: Events) -> bool:
        """Tell whether play has ended."""
        return state_after(self.name, state).is_terminal()

    def transition(self, state: Events, joint_action: JointAction) -> Distribution[Events]:
        """Return the distribution of the next history at which all act, or play ends."""
        reached = state_after(self.name, state)
        numbers = tuple(
            labelled_actions(reached, player)[action] for player, action in enumerate(joint_action)
        )
        return self._settled((*state, *numbers))

    def observation(
        self, joint_action: JointAction, state: Events
    ) -> Distribution[JointObservation]:
        """Return what OpenSpiel tells each player; ``NULL`` at the end."""
        del joint_action
        return self._observed_by_all(state)

    def reward(self, state: Events, joint_action: JointAction, next_state: Events) -> Rewards:
        """Return what OpenSpiel pays on the way to the next history."""
        del joint_action
        paid = self._paid(state, next_state)
        return tuple(sum(column, ZERO) for column in zip(*paid, strict=True))

    def _observed_by_all(self, state: Events) -> Distribution[JointObservation]:
        reached = state_after(self.name, state)
        if reached.is_terminal():
            return point_mass((NULL,) * reached.num_players())
        return point_mass(tuple(observed(reached, player) for player in movers(reached)))

    def _settled(self, events: Events) -> Distribution[Events]:
        """Return the distribution of the first histories from here on without a move of chance."""
        settled: list[tuple[Events, Fraction]] = []
        unsettled = [(events, ONE)]
        while unsettled:
            history, weight = unsettled.pop()
            reached = state_after(self.name, history)
            if reached.is_chance_node():
                outcomes = reversed(chance_law(reached))
                unsettled += [((*history, action), weight * w) for _, action, w in outcomes]
            elif reached.is_terminal() or reached.is_simultaneous_node():
                settled.append((history, weight))
            else:
                raise UnsupportedGame(
                    needs="all players to act at once",
                    found=f"in {self.name} player {reached.current_player() + 1} moves alone after "
                    f"{history}",
                    remedy="Use open_spiel_rules.",
                )
        return Distribution(tuple(settled))

    def _paid(self, before: Events, after: Events) -> list[Rewards]:
        """Return the payments at each history after ``before``, up to ``after``."""
        first = len(before) + 1
        if state_after(self.name, before).is_simultaneous_node():
            first = len(before) + game_named(self.name).num_players()  # one event for each player
        return [
            payments(state_after(self.name, after[:length]))
            for length in range(first, len(after) + 1)
        ]


def open_spiel_posg(game_or_name: object) -> OpenSpielPOSG:
    """Return a simultaneous-move game of OpenSpiel as a POSG.

    A step is one joint action with the chance outcomes that follow. Players observe OpenSpiel's
    information state string (its observation string where it has none) and their legal actions,
    and ``NULL`` at terminal histories.

    Args:
        game_or_name (pyspiel.Game or str): A name has parameters as OpenSpiel writes them, such as
            ``"matrix_rps"``.

    Raises:
        InvalidArgument: If OpenSpiel has no such game, or refuses its parameters.
        UnsupportedGame: If players move in turn, chance is only sampled, or OpenSpiel cannot load
            the game by name again. A player who moves alone in the midst of play is refused on
            getting there.
        MissingDependency: On import, if open_spiel is not installed.

    >>> rules = open_spiel_posg("matrix_rps")
    >>> start = rules.initial().items[0][0]
    >>> after = rules.transition(start, ("Paper", "Rock")).items[0][0]
    >>> [str(reward) for reward in rules.reward(start, ("Paper", "Rock"), after)]
    ['1', '-1']
    """
    name = named_game(game_or_name, owner="open_spiel_posg")
    game = game_named(name)
    if not acts_at_once(game):
        raise UnsupportedGame(
            needs="all players to act at once",
            found=f"in {name} they move in turn",
            remedy="Use open_spiel_rules.",
        )
    return OpenSpielPOSG(name)
