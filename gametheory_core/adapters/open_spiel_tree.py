"""OpenSpiel's games as trees, information sets being OpenSpiel's information states."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from gametheory_core.adapters.open_spiel_states import (
    SpielState,
    chance_law,
    child_state,
    has_information_states,
    knowledge,
    labelled_actions,
    movers,
    payments,
    player_labels,
    spiel_game,
)
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.sketch import Chance, Decision, Node, Terminal, lay_out

MAX_NODES = 1_000_000
Memories: TypeAlias = tuple[tuple[str, ...], ...]  # observation, action, observation, ... of each


@dataclass(frozen=True)
class _Position:
    """A state of OpenSpiel, the actions already chosen where all act at once, and memories.

    Memories are kept only where OpenSpiel does not say itself what players know.
    """

    state: SpielState
    queued: tuple[int, ...] = ()
    memories: Memories = ()


def open_spiel_tree(
    game_or_name: object,
    *,
    max_nodes: int = MAX_NODES,
    on_iteration: Callable[[int], None] | None = None,
) -> ExtensiveFormGame:
    """Unfold a game of OpenSpiel into a tree, breadth first.

    Nodes are in one information set where OpenSpiel's information state strings are equal, also
    where its players forget. Where it has none, players know their own observations and actions.
    Players who act at once move in order of their numbers and do not see each other's choices.

    Parameters
    ----------
    game_or_name : pyspiel.Game or str
        A name has parameters as OpenSpiel writes them, such as ``"liars_dice(dice_sides=3)"``.
    max_nodes : int
        Refuse larger trees.
    on_iteration : function, optional
        Called with the number of nodes laid out, every 10,000 nodes.

    Raises
    ------
    InvalidArgument
        If OpenSpiel has no such game, or refuses its parameters.
    UnsupportedGame
        If the tree is larger than ``max_nodes``, chance is only sampled, or probabilities are no
        fractions that sum to one; carries the witness.
    InvalidGame
        If nodes of one information state differ in their actions.
    MissingDependency
        On import, if open_spiel is not installed.

    Notes
    -----
    Probabilities and payments become the fractions that the floats stand for; see
    ``recovered_numbers``. Time is linear in the number of nodes.

    Examples
    --------
    >>> open_spiel_tree("kuhn_poker")
    ExtensiveFormGame("OpenSpiel's kuhn_poker()", 2 players, 58 nodes, 12 information sets)
    """
    game = spiel_game(game_or_name, owner="open_spiel_tree")
    players = player_labels(game)
    known = 1

    def expand(position: _Position) -> Node[_Position]:
        nonlocal known
        node = _node(position)
        known += 0 if isinstance(node, Terminal) else len(node.children)
        if known > max_nodes:
            raise UnsupportedGame(
                f"open_spiel_tree: needs at most max_nodes = {max_nodes:,} nodes, but {game} has "
                f"at least {known:,}, counted up to move {position.state.move_number() + 1} of at "
                f"most {game.max_game_length():,}. Raise max_nodes, or choose smaller parameters."
            )
        return node

    memories = () if has_information_states(game) else ((),) * len(players)
    root = _Position(game.new_initial_state(), memories=memories)
    return lay_out(
        root,
        expand=expand,
        players=players,
        title=f"OpenSpiel's {game}",
        on_iteration=on_iteration,
    )


def _node(position: _Position) -> Node[_Position]:
    state = position.state
    if state.is_terminal():
        return Terminal(payments(state))
    if state.is_chance_node():
        return Chance(
            {
                label: (weight, _Position(child_state(state, (action,)), (), position.memories))
                for label, action, weight in chance_law(state)
            },
            _if_any(payments(state)),
        )
    return _decision(position)


def _decision(position: _Position) -> Decision[_Position]:
    state, queued, memories = position.state, position.queued, position.memories
    movers_here = movers(state)
    player = movers_here[len(queued)]
    text = knowledge(state, player)
    infoset = (*memories[player], text) if memories else text
    children: dict[str, _Position] = {}
    for label, action in labelled_actions(state, player).items():
        chosen = (*queued, action)
        after = _remembering(memories, player, (text, label))
        if len(chosen) < len(movers_here):
            children[label] = _Position(state, chosen, after)
        else:
            children[label] = _Position(child_state(state, chosen), (), after)
    return Decision(player, infoset, children, () if queued else _if_any(payments(state)))


def _remembering(memories: Memories, player: int, seen: tuple[str, str]) -> Memories:
    if not memories:
        return ()
    return (*memories[:player], memories[player] + seen, *memories[player + 1 :])


def _if_any(paid: Sequence[Fraction]) -> Sequence[Fraction]:
    return paid if any(paid) else ()
