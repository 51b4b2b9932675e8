"""OpenSpiel's simultaneous-move games as POSGs: histories at which all act are the states."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from gametheory_core.adapters.open_spiel import observed
from gametheory_core.adapters.open_spiel_states import (
    acts_at_once,
    chance_law,
    game_named,
    labelled_actions,
    movers,
    named_game,
    payments,
    player_labels,
    state_after,
)
from gametheory_core.arrays import ONE, ZERO
from gametheory_core.distributions import Distribution, surely
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.information_states import NULL
from gametheory_core.games.posg import JointAction, JointObservation, Rewards

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
        """Return the law of the first history at which all act."""
        law = self._settled(())
        for state, _ in law:
            if any(any(paid) for paid in self._paid((), state)):
                raise UnsupportedGame(
                    f"open_spiel_posg: needs no payment before the first action, but {self.name} "
                    f"pays on the way to {state}. Use open_spiel_rules."
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
        """Return the law of the next history at which all act, or play ends."""
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
            return surely((NULL,) * reached.num_players())
        return surely(tuple(observed(reached, player) for player in movers(reached)))

    def _settled(self, events: Events) -> Distribution[Events]:
        """Return the law of the first histories from here on at which chance does not move."""
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
                    f"open_spiel_posg: needs all players to act at once, but in {self.name} player "
                    f"{reached.current_player() + 1} moves alone after {history}. "
                    "Use open_spiel_rules."
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
    and ``NULL`` at the end of play.

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
            f"open_spiel_posg: needs all players to act at once, but in {name} they move in turn. "
            "Use open_spiel_rules."
        )
    return OpenSpielPOSG(name)
