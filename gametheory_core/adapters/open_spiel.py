"""OpenSpiel's games as AEC games, as POSGs, and as trees.

A history of OpenSpiel is a state, its text of what the mover knows an observation, and its words
for actions are actions. Where OpenSpiel lets all act at once, players of the AEC game act in turn,
none sees what the others chose, and the last choice completes the joint action.

Simultaneous-move games are POSGs as well: their states are the histories at which all act.

OpenSpiel's games as trees, information sets being OpenSpiel's information states.

The same rules are laid out (``open_spiel_tree``) or sampled (``open_spiel_tree_rules``).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

from gametheory_core.adapters.open_spiel_states import (
    SpielGame,
    SpielState,
    acts_at_once,
    chance_law,
    child_state,
    game_named,
    has_information_states,
    knowledge,
    labelled_actions,
    movers,
    named_game,
    payments,
    pays_on_the_way,
    player_labels,
    recovered_number,
    recovered_payments,
    spiel_game,
    state_after,
)
from gametheory_core.arguments import require_integer
from gametheory_core.arrays import ONE, ZERO
from gametheory_core.distributions import Distribution, point_mass
from gametheory_core.errors import UnsupportedGame, named
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.rules import NULL, JointAction, JointObservation, Rewards
from gametheory_core.games.tree_draft import Chance, Decision, Node, Terminal
from gametheory_core.games.tree_layout import TreeSize, lay_out_at_most
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
class _Named:
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


@dataclass(frozen=True)
class OpenSpielRules(_Named):
    """A game of OpenSpiel as an AEC game; see ``open_spiel_rules``."""

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
class OpenSpielPOSG(_Named):
    """A simultaneous-move game of OpenSpiel as a POSG; see ``open_spiel_posg``."""

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


MAX_NODES = 1_000_000
Memories: TypeAlias = tuple[tuple[str, ...], ...]  # observation, action, observation, ... of each


@dataclass(frozen=True, slots=True)
class OpenSpielPosition:
    """Where play stands; equal to another position of the same game after the same events.

    Attributes:
        events: OpenSpiel's numbers of the actions so far, chance's included, those queued not.
        queued: Actions of players 0, 1, ... who have chosen already where all act at once.
        state: Never change it.
        memories: What each player saw and did, only where OpenSpiel does not say itself what
            players know.
    """

    events: tuple[int, ...]
    queued: tuple[int, ...]
    state: SpielState = field(compare=False, repr=False)
    memories: Memories = field(compare=False, repr=False)


@dataclass(frozen=True)
class OpenSpielTreeRules:
    """A game of OpenSpiel as rules of a tree; see ``open_spiel_tree_rules``."""

    name: str
    game: SpielGame = field(compare=False, repr=False)
    has_texts: bool = field(init=False, compare=False, repr=False)
    pays_early: bool = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "has_texts", has_information_states(self.game))
        object.__setattr__(self, "pays_early", pays_on_the_way(self.game))

    @property
    def title(self) -> str:
        """OpenSpiel's name of the game."""
        return f"OpenSpiel's {self.name}"

    @property
    def players(self) -> tuple[str, ...]:
        """``Player 1``, ``Player 2``, ..., who have no names in OpenSpiel."""
        return player_labels(self.game)

    @property
    def root(self) -> OpenSpielPosition:
        """A new initial state."""
        memories = () if self.has_texts else ((),) * len(self.players)
        return OpenSpielPosition((), (), self.game.new_initial_state(), memories)

    def expand(self, position: OpenSpielPosition) -> Node[OpenSpielPosition]:
        """Ask OpenSpiel what may follow."""
        state = position.state
        player = state.current_player()
        if player >= 0:
            return self._decision(position, player, is_last=True)
        if player == CHANCE:
            return self._chance(position)
        if state.is_terminal():
            return Terminal(self._paid(state))
        together, turn = movers(state), len(position.queued)
        return self._decision(position, together[turn], is_last=turn + 1 == len(together))

    def _chance(self, position: OpenSpielPosition) -> Chance[OpenSpielPosition]:
        state, events, memories = position.state, position.events, position.memories
        children = {
            label: (weight, OpenSpielPosition((*events, action), (), state.child(action), memories))
            for label, action, weight in chance_law(state)
        }
        return Chance(children, self._paid_early(state))

    def _decision(
        self, position: OpenSpielPosition, player: int, *, is_last: bool
    ) -> Decision[OpenSpielPosition]:
        state, events, queued = position.state, position.events, position.queued
        text = (
            state.information_state_string(player)
            if self.has_texts
            else state.observation_string(player)
        )
        children: dict[str, OpenSpielPosition] = {}
        for label, action in labelled_actions(state, player).items():
            chosen = (*queued, action)
            after = _remembering(position.memories, player, (text, label))
            children[label] = (
                OpenSpielPosition((*events, *chosen), (), child_state(state, chosen), after)
                if is_last
                else OpenSpielPosition(events, chosen, state, after)
            )
        infoset = (*position.memories[player], text) if position.memories else text
        return Decision(player, infoset, children, () if queued else self._paid_early(state))

    def _paid_early(self, state: SpielState) -> Sequence[object]:
        paid = self._paid(state) if self.pays_early else ()
        return paid if any(paid) else ()

    def _paid(self, state: SpielState) -> tuple[object, ...]:
        amounts = tuple(state.rewards() if self.pays_early else state.returns())
        if all(map(math.isfinite, amounts)):
            return _simple_numbers(amounts)
        return recovered_payments(state, amounts)  # refuses them


def open_spiel_tree_rules(game_or_name: object) -> OpenSpielTreeRules:
    """Read a game of OpenSpiel as rules of a tree, to be sampled without being built.

    Args:
        game_or_name (pyspiel.Game or str): A name has parameters as OpenSpiel writes them.

    Returns:
        Its tree is that of ``open_spiel_tree``. Rules of games with the same full name are equal.

    Raises:
        InvalidArgument, UnsupportedGame, MissingDependency: As ``open_spiel_tree``.

    >>> rules = open_spiel_tree_rules("kuhn_poker")
    >>> deal = rules.expand(rules.root)
    >>> [str(weight) for weight, _ in deal.children.values()]
    ['1/3', '1/3', '1/3']
    """
    game = spiel_game(game_or_name, owner="open_spiel_tree_rules")
    return OpenSpielTreeRules(str(game), game)


def open_spiel_tree(
    game_or_name: object,
    *,
    max_nodes: int = MAX_NODES,
    on_iteration: Callable[[int], None] | None = None,
) -> ExtensiveFormGame:
    """Unfold a game of OpenSpiel into a tree.

    Nodes are in one information set where OpenSpiel's information state strings are equal, also
    where its players forget. Where it has none, players know their own observations and actions.
    Players who act at once move in order of their numbers and do not see each other's choices.

    Args:
        game_or_name (pyspiel.Game or str): A name has parameters as OpenSpiel writes them, such as
            ``"liars_dice(dice_sides=3)"``.
        max_nodes: Refuse larger trees.
        on_iteration: Called with the number of nodes laid out, every 10,000 nodes or a little
            later.

    Raises:
        InvalidArgument: If OpenSpiel has no such game, or refuses its parameters.
        UnsupportedGame: If the tree is larger than ``max_nodes``, chance is only sampled, or
            probabilities are no fractions that sum to one; carries the witness.
        InvalidGame: If nodes of one information state differ in their actions.
        MissingDependency: On import, if open_spiel is not installed.

    Probabilities and payments become the fractions that the floats stand for; see
    ``recovered_numbers``. Time is linear in the number of nodes; only the states beside one path
    are kept.

    >>> open_spiel_tree("kuhn_poker")
    ExtensiveFormGame("OpenSpiel's kuhn_poker()", 2 players, 58 nodes, 12 information sets)
    """
    require_integer(max_nodes, name="max_nodes", low=1)
    game = spiel_game(game_or_name, owner="open_spiel_tree")

    def refuse(size: TreeSize) -> UnsupportedGame:
        return UnsupportedGame(
            needs=f"at most {named('max_nodes')} = {max_nodes:,} nodes",
            found=f"{game} has {size}, and plays of up to {game.max_game_length():,} moves",
            remedy="Raise max_nodes, choose smaller parameters, or sample "
            "open_spiel_tree_rules(game) without a tree.",
        )

    rules = OpenSpielTreeRules(str(game), game)
    return lay_out_at_most(max_nodes, rules, refuse=refuse, on_iteration=on_iteration)


def _remembering(memories: Memories, player: int, seen: tuple[str, str]) -> Memories:
    if not memories:
        return ()
    return (*memories[:player], memories[player] + seen, *memories[player + 1 :])


@lru_cache(maxsize=4096)  # the same few payments stand at the end of most plays
def _simple_numbers(amounts: tuple[float, ...]) -> tuple[object, ...]:
    """Return the numbers that were meant, as integers where they are: quicker to look up."""
    exact = map(recovered_number, amounts)
    return tuple(int(amount) if amount.denominator == 1 else amount for amount in exact)
