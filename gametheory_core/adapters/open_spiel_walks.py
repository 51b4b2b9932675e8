"""Games walked fork by fork: who chooses among what, what is paid, what each player knows.

A tree is walked node by node. An AEC game is unfolded as in ``aec_to_extensive``, and a POSG as its
AEC game, in which the queued actions of one step are taken for one joint action.

Actions and outcomes of chance are numbers: places among those of their fork. Outcomes of
probability zero have none.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from gametheory_core.arguments import distinct_texts, label_or_number
from gametheory_core.arrays import ZERO
from gametheory_core.conversions.aec_situations import Situation, child_at, is_over, root
from gametheory_core.games.extensive_form import TERMINAL, ExtensiveFormGame
from gametheory_core.games.rules import AEC
from gametheory_core.games.tree_table import CHANCE
from gametheory_core.strategies.sequences import chance_reach

ALL = -3  # who moves where all act at once

Position: TypeAlias = Any  # a node of a tree, or a situation of rules
Known: TypeAlias = tuple[Any, ...]  # sights, and numbers of actions between them


class Fork(NamedTuple):
    """What happens at a position.

    Attributes:
        mover: A player, ``CHANCE``, ``ALL``, or ``TERMINAL`` where play has ended.
        labels: Words for the actions of each who acts: of one, or of all players.
        weights: Of chance's outcomes; empty where players act.
    """

    mover: int
    labels: tuple[tuple[str, ...], ...] = ()
    weights: tuple[Fraction, ...] = ()


END = Fork(TERMINAL)


class Walk(Protocol):
    """A game walked fork by fork."""

    @property
    def players(self) -> tuple[str, ...]:
        """Labels of the players."""
        ...

    @property
    def start(self) -> Position:
        """Where play starts."""
        ...

    @property
    def outline(self) -> Position:
        """Where play starts, for those who only look at what may follow."""
        ...

    def fork(self, here: Position) -> Fork:
        """Return what happens at a position."""
        ...

    def after(self, here: Position, choices: Sequence[int]) -> Position:
        """Return where choices lead, one of each who acts."""
        ...

    def paid(self, here: Position) -> tuple[Fraction, ...]:
        """Return what each player is paid on reaching a position."""
        ...

    def key(self, here: Position) -> Hashable:
        """Return what decides all that may follow."""
        ...

    def seen(self, here: Position, player: int) -> Any:
        """Return what a player who acts sees."""
        ...

    def known(self, here: Position, player: int) -> Known:
        """Return what a player has seen and done: sight, action, ..., a sight last if they act."""
        ...

    def actions(self, player: int, seen: Any) -> tuple[str, ...]:
        """Return words for what a player can do after a sight."""
        ...

    def sight_texts(self, player: int, sights: Sequence[Any]) -> tuple[str, ...]:
        """Return a text of each sight, all different."""
        ...

    @property
    def has_singletons(self) -> bool:
        """Tell whether no sight of a tree stands for two nodes that play can reach."""
        ...

    @property
    def at_once(self) -> bool:
        """Tell whether all players act at once."""
        ...

    @property
    def has_only_infosets(self) -> bool:
        """Tell whether sights are information sets, which say all that a player knows."""
        ...


def acting(mover: int, num_players: int) -> tuple[int, ...]:
    """Return who acts at a fork."""
    if mover == ALL:
        return tuple(range(num_players))
    return (mover,) if mover >= 0 else ()


@dataclass(frozen=True)
class TreeWalk:
    """A tree walked node by node; sights are information sets."""

    game: ExtensiveFormGame
    start = outline = 0
    at_once = False
    has_only_infosets = True

    @property
    def players(self) -> tuple[str, ...]:
        """Labels of the players."""
        return self.game.players

    def fork(self, here: int) -> Fork:
        """Return what happens at a node."""
        return self._forks[self._infosets[here]]

    def after(self, here: int, choices: Sequence[int]) -> int:
        """Return a child."""
        return self._first_child[here] + self._places[self._infosets[here]][choices[0]]

    def paid(self, here: int) -> tuple[Fraction, ...]:
        """Return the outcome on a node."""
        return self._paid[self._outcomes[here]]

    def key(self, here: int) -> int:
        """Return the node."""
        return here

    def seen(self, here: int, player: int) -> int:
        """Return the information set."""
        del player
        return self._infosets[here]

    def known(self, here: int, player: int) -> Known:
        """Return the information set, or where the player waits the last one and the action there.

        A tree says what players know only when they move.
        """
        if self.fork(here).mover == player:
            return (self._infosets[here],)
        while here > 0:
            parent = int(self.game.parent[here])
            if self.fork(parent).mover == player:
                return self._infosets[parent], here - self._first_child[parent]
            here = parent
        return ()

    def actions(self, player: int, seen: int) -> tuple[str, ...]:
        """Return the actions of an information set."""
        del player
        return self._forks[seen].labels[0]

    def sight_texts(self, player: int, sights: Sequence[int]) -> tuple[str, ...]:
        """Return labels of information sets, quoted, or their numbers among the player's."""
        del player
        infosets = (self.game.infosets[seen] for seen in sights)
        return tuple(label_or_number(infoset.label, infoset.number) for infoset in infosets)

    @property
    def has_singletons(self) -> bool:
        """Tell whether no player's information set has two nodes that play can reach."""
        met = (chance_reach(self.game) > 0) & (self.game.node_player >= 0)
        return bool(np.bincount(self.game.node_infoset[met], minlength=1).max() <= 1)

    @cached_property
    def _infosets(self) -> list[int]:
        return self.game.node_infoset.tolist()

    @cached_property
    def _outcomes(self) -> list[int]:
        return self.game.node_outcome.tolist()

    @cached_property
    def _first_child(self) -> list[int]:
        return self.game.first_child.tolist()

    @cached_property
    def _paid(self) -> list[tuple[Fraction, ...]]:
        nothing = (ZERO,) * self.game.num_players  # in the last place: NO_OUTCOME is -1
        return [*(outcome.payoffs for outcome in self.game.outcomes), nothing]

    @cached_property
    def _places(self) -> list[list[int]]:
        """Return, for each information set, the children that stand for its actions."""
        return [
            [k for k, w in enumerate(s.probabilities or (1,) * len(s.actions)) if w]
            for s in self.game.infosets
        ]

    @cached_property
    def _forks(self) -> list[Fork]:
        forks: list[Fork] = []
        for infoset, places in zip(self.game.infosets, self._places, strict=True):
            words, weights = infoset.actions, infoset.probabilities or ()
            if "" in words:
                words = tuple(label_or_number(word, k + 1) for k, word in enumerate(words))
            labels = tuple(words[k] for k in places)
            drawn = tuple(weights[k] for k in places) if weights else ()
            forks.append(Fork(infoset.player, (labels,), drawn))
        return [*forks, END]  # the last place is that of terminal nodes, whose index is -1


@dataclass(frozen=True)
class RulesWalk:
    """An AEC game unfolded; sights are observations.

    Attributes:
        game: Its answers are checked.
        at_once: Whether players 0, 1, ... queue the actions of one joint action.
    """

    game: AEC
    at_once: bool
    has_singletons = True
    has_only_infosets = False

    @property
    def players(self) -> tuple[str, ...]:
        """Labels of the players."""
        return self.game.players

    @property
    def start(self) -> Situation:
        """Where chance has begun."""
        return self._settled(root(self.game, remember=True))

    @property
    def outline(self) -> Situation:
        """Where chance has begun; what players did is forgotten."""
        return self._settled(root(self.game, remember=False))

    def fork(self, here: Situation) -> Fork:
        """Return what happens in a situation."""
        if here.lottery:
            drawn = self._drawn(here)
            weights = tuple(sum((here.lottery[k][1] for k in own), ZERO) for own in drawn.values())
            return Fork(CHANCE, (distinct_texts(tuple(drawn)),), weights)
        if is_over(self.game, here):
            return END
        mover = ALL if self.at_once else here.mover
        movers = acting(mover, len(self.players))
        return Fork(mover, tuple(self.actions(i, self.seen(here, i)) for i in movers))

    def _drawn(self, here: Situation) -> dict[Any, list[int]]:
        """Return what chance draws, and which outcomes of the lottery that is.

        Of a POSG that is a state and what players see in it, which they do not where play ends.
        """
        drawn: dict[Any, list[int]] = {}
        for k, (label, _, there) in enumerate(here.lottery):
            drawn.setdefault(self._shown(label, there), []).append(k)
        return drawn

    def _shown(self, label: tuple[Any, ...], there: Situation) -> tuple[Any, ...]:
        if not self.at_once:
            return label
        state, seen, _ = label[0]
        return (state,) if is_over(self.game, there) else (state, *seen)

    def _settled(self, here: Situation) -> Situation:
        """Go on where all that chance draws comes to the same."""
        if self.at_once and here.lottery and len(self._drawn(here)) == 1:
            return child_at(self.game, here, 0)
        return here

    def after(self, here: Situation, choices: Sequence[int]) -> Situation:
        """Return the situation to which choices lead."""
        if here.lottery:
            return child_at(self.game, here, list(self._drawn(here).values())[choices[0]][0])
        for choice in choices:
            here = child_at(self.game, here, choice)
        return self._settled(here)

    def paid(self, here: Situation) -> tuple[Fraction, ...]:
        """Return the discounted rewards since the last fork."""
        return here.paid

    def key(self, here: Situation) -> Hashable:
        """Return state, mover and sight, how far play is, and what chance draws."""
        drawn = tuple((label, odds) for label, odds, _ in here.lottery)
        return here.state, here.mover, here.seen, here.events, here.cycles, drawn

    def seen(self, here: Situation, player: int) -> Any:
        """Return the observation on which a player acts."""
        if player == here.mover:
            return here.seen
        return self.game.observation(player, here.state).items[0][0]

    def known(self, here: Situation, player: int) -> Known:
        """Return the information state, or what comes before the next sight."""
        past = here.pasts[player]
        own = [
            entry if k % 2 == 0 else self.game.legal_actions(player, past[k - 1]).index(entry)
            for k, entry in enumerate(past)
        ]
        if player in acting(self.fork(here).mover, len(self.players)):
            own.append(self.seen(here, player))
        return tuple(own)

    def actions(self, player: int, seen: Any) -> tuple[str, ...]:
        """Return words for the legal actions after an observation."""
        return distinct_texts(self.game.legal_actions(player, seen))

    def sight_texts(self, player: int, sights: Sequence[Any]) -> tuple[str, ...]:
        """Return observations as people read them, quoted."""
        del player
        return tuple(map(repr, distinct_texts(sights)))
