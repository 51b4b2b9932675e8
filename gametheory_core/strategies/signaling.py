"""Signaling games: one player moves once, then another who sees a signal of it moves once.

In a *signaling tree* each of two players moves at most once in every play, the *sender* first. What
the sender knows, such as a type drawn by chance, and the action chosen make a sequence; each
sequence leads to one information set of the *receiver* at most, its *signal*, or past the receiver.
A tree in which two players choose at once is one too: all actions have the same signal.

Here consistency asks for Bayes' rule alone: where no sequence of a signal is played, vanishing
mistakes in any proportion explain any weights on its sequences, whatever they are elsewhere.
"""

from dataclasses import dataclass

import numpy as np

from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.properties import HOLDS, Verdict, has_perfect_recall
from gametheory_core.games.tree_table import describe_infoset
from gametheory_core.strategies.sequences import PlayerSequences, SequenceForm, sequence_form


@dataclass(frozen=True, eq=False)
class SignalingForm:
    """Who sends, and what leads to each signal.

    Attributes:
        form: Of two players; no parent of an information set but the empty sequence.
        sender: Who moves first; the other one is the receiver.
        signals: For each information set of the receiver, the sender's sequences that lead there.
    """

    form: SequenceForm
    sender: int
    signals: tuple[tuple[int, ...], ...]

    @property
    def receiver(self) -> int:
        """Who moves second."""
        return 1 - self.sender


def is_signaling(game: ExtensiveFormGame) -> Verdict:
    """Decide whether a tree is a signaling game; if not, say what is against it.

    >>> from gametheory_core import load_game
    >>> bool(is_signaling(load_game("beer_quiche")))
    True
    >>> is_signaling(load_game("kuhn_poker")).reason
    "player 'Player 1' moves twice in a play: at information set 'J' of player 1 and later"
    """
    if game.num_players != 2:
        return Verdict(False, f"{game!r} has {game.num_players} players")
    recall = has_perfect_recall(game)
    if not recall:
        return recall
    form = sequence_form(game)
    for own in form.players:
        if not len(own.infosets):
            return Verdict(False, f"player {game.players[own.player]!r} never moves")
        later = np.flatnonzero(own.parent_sequence)
        if later.size:
            parent = int(own.parent_sequence[later[0]])
            k = int(np.searchsorted(own.first_sequence, parent, side="right")) - 1
            where = describe_infoset(game.infosets[own.infosets[k]])
            name = game.players[own.player]
            return Verdict(False, f"player {name!r} moves twice in a play: at {where} and later")
    reasons = [_against(form.players[i], form.players[1 - i], game) for i in range(2)]
    return HOLDS if "" in reasons else Verdict(False, reasons[0])


def signaling_form(game: ExtensiveFormGame) -> SignalingForm:
    """Return who sends, and what leads to each signal; the first player sends where both might.

    Raises:
        UnsupportedGame: If it is no signaling game; says why.

    >>> from gametheory_core import load_game
    >>> signaling_form(load_game("beer_quiche")).signals  # beer and quiche of either type
    ((1, 3), (2, 4))
    """
    verdict = is_signaling(game)
    if not verdict:
        raise UnsupportedGame(needs="a signaling game", found=verdict.reason)
    form = sequence_form(game)
    sender = next(i for i in range(2) if not _against(form.players[i], form.players[1 - i], game))
    return SignalingForm(
        form, sender, _signals(form.players[sender], form.players[1 - sender], game)
    )


def _signals(
    sender: PlayerSequences, receiver: PlayerSequences, game: ExtensiveFormGame
) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(sorted({int(s) for s in sender.node_sequence[game.node_infoset == infoset]}))
        for infoset in receiver.infosets
    )


def _against(sender: PlayerSequences, receiver: PlayerSequences, game: ExtensiveFormGame) -> str:
    """Say why a player is no sender, or return ""."""
    names = game.players[sender.player], game.players[receiver.player]
    signal_of: dict[int, int] = {}
    for infoset, sequences in zip(receiver.infosets, _signals(sender, receiver, game), strict=True):
        where = describe_infoset(game.infosets[infoset])
        if 0 in sequences:
            return f"at {where} player {names[0]!r} has not moved"
        for sequence in sequences:
            other = signal_of.setdefault(sequence, infoset)
            if other != infoset:
                return (
                    f"the same action of player {names[0]!r} leads to {where} and to "
                    f"{describe_infoset(game.infosets[other])}"
                )
    return ""
