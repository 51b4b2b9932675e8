"""OpenSpiel's games as trees, information sets being OpenSpiel's information states.

The same rules are laid out (``open_spiel_tree``) or sampled (``open_spiel_tree_rules``).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from gametheory_core.adapters.open_spiel_states import (
    SpielGame,
    SpielState,
    chance_law,
    child_state,
    has_information_states,
    labelled_actions,
    movers,
    pays_on_the_way,
    player_labels,
    recovered_number,
    recovered_payments,
    spiel_game,
)
from gametheory_core.arguments import require_integer
from gametheory_core.errors import UnsupportedGame, named
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.tree_layout import TreeSize, lay_out_at_most
from gametheory_core.games.tree_rules import Chance, Decision, Node, Terminal
from gametheory_core.games.tree_table import CHANCE

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
            label: (
                weight,
                OpenSpielPosition((*events, action), (), state.child(action), memories),
            )
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
