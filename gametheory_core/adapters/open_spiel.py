"""OpenSpiel's games as AEC games, as POSGs, and as trees.

A history of OpenSpiel is a state, its text of what the mover knows an observation, and its words
for actions are actions. Where OpenSpiel lets all act at once, players of the AEC game act in turn,
none sees what the others chose, and the last choice completes the joint action.

Simultaneous-move games are POSGs as well: their states are the histories at which all act.

OpenSpiel's games as trees, information sets being OpenSpiel's information states.

The same rules are laid out (``open_spiel_tree``) or sampled (``open_spiel_tree_rules``).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import blake2b
from typing import Any, TypeAlias

from gametheory_core.adapters.open_spiel_states import (
    SpielGame,
    SpielState,
    acts_at_once,
    apply_choice,
    apply_choices,
    chance_law,
    earned,
    game_named,
    has_information_states,
    initial_state,
    knowledge,
    known_text,
    labelled_actions,
    movers,
    named_game,
    num_choices,
    payments,
    pays_on_the_way,
    player_labels,
    seen_text,
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

    def _paid(self, state: SpielState, since: SpielState | None) -> Rewards:
        if pays_on_the_way(game_named(self.name)):
            return payments(state, () if since is None else earned(since))
        return payments(state) if state.is_terminal() else (ZERO,) * len(self.players)


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
        del action
        begins = mover == CHANCE and not state.events
        if next_state.events == state.events and not begins:
            return point_mass((ZERO,) * len(self.players))
        since = None if begins else self._reached(state)
        return point_mass(self._paid(self._reached(next_state), since))

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
    for; see ``recovered_number``.

    Args:
        game_or_name (pyspiel.Game or str): A name has parameters as OpenSpiel writes them, such as
            ``"goofspiel(num_cards=3,imp_info=True)"``. Games that OpenSpiel cannot load by name
            again have no rules here; ``open_spiel_tree`` takes them.

    Raises:
        InvalidArgument: If OpenSpiel has no such game, or refuses its parameters.
        UnsupportedGame: If its chance is only sampled, it is a mean-field game, or has no name.
        MissingDependency: On import, if open_spiel is not installed.

    Where OpenSpiel pays at every step, payments are what its returns grow by, else its returns at
    the end. Recent states are kept, so that asking again for one is a look-up.

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
            if any(self._paid(state_after(self.name, state), None)):
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
        return self._paid(state_after(self.name, next_state), state_after(self.name, state))

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
KEPT = 64  # moves: of longer plays, whose states are large, only every so many states are kept
LONGEST_MEMORY = 400  # characters of a text; longer ones are told apart by a digest


@dataclass(frozen=True, slots=True, eq=False)
class OpenSpielPosition:
    """Where play stands; equal to another position of the same game after the same events.

    States are made when it is asked what may follow, so that positions that wait for that take
    little memory; in long plays most states are made from one a few moves ago.

    Attributes:
        state: A state on the way; never change it.
        chosen: What was chosen since then, by players 0, 1, ... in order where all act at once.
        memories: What each player saw and did, only where OpenSpiel does not say itself what
            players know.
    """

    state: SpielState = field(repr=False)
    chosen: tuple[int, ...] = ()
    memories: tuple[str, ...] = field(default=(), repr=False)

    @property
    def events(self) -> tuple[int, ...]:
        """OpenSpiel's numbers of the actions so far, chance's included."""
        return (*self.state.history(), *self.chosen)

    def after(self, action: int, memories: tuple[str, ...]) -> "OpenSpielPosition":
        """Return the position one choice later."""
        return OpenSpielPosition(self.state, (*self.chosen, action), memories)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpenSpielPosition) and self.events == other.events

    def __hash__(self) -> int:
        return hash(self.events)


@dataclass(frozen=True)
class OpenSpielTreeRules:
    """A game of OpenSpiel as rules of a tree; see ``open_spiel_tree_rules``."""

    name: str
    game: SpielGame = field(compare=False, repr=False)
    has_texts: bool = field(init=False, compare=False, repr=False)
    pays_early: bool = field(init=False, compare=False, repr=False)
    acts_at_once: bool = field(init=False, compare=False, repr=False)
    start: SpielState = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "has_texts", has_information_states(self.game))
        object.__setattr__(self, "pays_early", pays_on_the_way(self.game))
        object.__setattr__(self, "acts_at_once", acts_at_once(self.game))
        # kept, because copies may point into it: those of morpion_solitaire do
        object.__setattr__(self, "start", initial_state(self.game))

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
        """Where nothing has happened."""
        memories = () if self.has_texts else ("",) * len(self.players)
        return OpenSpielPosition(self.start, (), memories)

    def expand(self, position: OpenSpielPosition) -> Node[OpenSpielPosition]:
        """Ask OpenSpiel what may follow."""
        state, queued, before = position.state, position.chosen, ()
        while queued and len(queued) >= (count := num_choices(state) if self.acts_at_once else 1):
            state = state.clone() if state is position.state else state
            before = earned(state) if self.pays_early else ()
            if self.acts_at_once:
                apply_choices(state, queued[:count])
            else:
                apply_choice(state, queued[0])
            queued = queued[count:]
        if state.is_terminal():
            return Terminal(payments(state, before))
        paid: Sequence[object] = ()
        if self.pays_early and not queued:
            amounts = payments(state, before)
            paid = amounts if any(amounts) else ()
        here = position
        if state.move_number() < KEPT or not state.move_number() % KEPT:
            here = OpenSpielPosition(state, queued, position.memories)
        if state.current_player() == CHANCE:
            draws = chance_law(state)
            return Chance({x: (w, here.after(a, here.memories)) for x, a, w in draws}, paid)
        return self._decision(here, state, movers(state)[len(queued)], paid)

    def _decision(
        self, here: OpenSpielPosition, state: SpielState, player: int, paid: Sequence[object]
    ) -> Decision[OpenSpielPosition]:
        actions, memories = labelled_actions(state, player), here.memories
        if self.has_texts:
            children = {label: here.after(action, ()) for label, action in actions.items()}
            return Decision(player, known_text(state, player), children, paid)
        infoset = f"{memories[player]}{seen_text(state, player)!r}"
        children: dict[str, OpenSpielPosition] = {}
        for label, action in actions.items():
            memory = _shortened(f"{infoset}, {label!r}, ")
            children[label] = here.after(
                action, (*memories[:player], memory, *memories[player + 1 :])
            )
        return Decision(player, infoset, children, paid)


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
        UnsupportedGame: If the tree is larger than ``max_nodes`` or the cap on memory, chance is
            only sampled, probabilities are no fractions that sum to one, or OpenSpiel fails;
            carries the witness.
        InvalidGame: If nodes of one information state differ in their actions.
        MissingDependency: On import, if open_spiel is not installed.

    Probabilities and payments become the fractions that the floats stand for; see
    ``recovered_number``. Time is linear in the number of nodes; only the states on one path are
    kept, in long plays few of them.

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


def _shortened(memory: str) -> str:
    if len(memory) <= LONGEST_MEMORY:
        return memory
    return f"#{blake2b(memory.encode(), digest_size=16).hexdigest()}, "
