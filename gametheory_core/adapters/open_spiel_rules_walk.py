"""Rules of POSGs and AEC games walked fork by fork.

An AEC game is unfolded as in ``aec_to_extensive``, and a POSG as its AEC game, in which the queued
actions of one step are taken for one joint action.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from gametheory_core.adapters.open_spiel_walks import ALL, END, Fork, Known, acting
from gametheory_core.arguments import distinct_texts
from gametheory_core.arrays import ZERO
from gametheory_core.conversions.aec_situations import Situation, child_at, is_over, root
from gametheory_core.games.rules import AEC, from_inner
from gametheory_core.games.tree_table import CHANCE


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
    players = from_inner("players")

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
            place = choices[0]
            if self.at_once:
                place = list(self._drawn(here).values())[place][0]
            return child_at(self.game, here, place)
        for choice in choices:
            here = child_at(self.game, here, choice)
        return self._settled(here)

    def paid(self, here: Situation) -> tuple[Fraction, ...]:
        """Return the discounted rewards since the last fork."""
        return here.paid

    def key(self, here: Situation) -> Hashable:
        """Return where play stands, and how far it is where that matters."""
        moves = here.events if self.game.horizon is not None else None
        cycles = here.cycles if self.game.discount != 1 else None
        return *_standing(here), moves, cycles

    def recurring(self, here: Situation) -> Hashable:
        """Return where play stands, if no horizon ends it."""
        return None if self.game.horizon is not None else _standing(here)

    def seen(self, here: Situation, player: int) -> Any:
        """Return the observation on which a player acts."""
        if player == here.mover:
            return here.seen
        return self.game.observation(player, here.state).items[0][0]

    def known(self, here: Situation, player: int) -> Known:
        """Return the information state, or what comes before the next sight."""
        known = self.numbered(player, here.pasts[player])
        acts = (self.at_once or here.mover == player) and not here.lottery
        if acts and not is_over(self.game, here):
            return (*known, self.seen(here, player))
        return known

    def numbered(self, player: int, past: Sequence[Any]) -> Known:
        """Return what a player saw and did, in turn, actions as numbers among the legal ones."""
        return tuple(
            self.game.legal_actions(player, past[k - 1]).index(entry) if k % 2 else entry
            for k, entry in enumerate(past)
        )

    def actions(self, player: int, seen: Any) -> tuple[str, ...]:
        """Return words for the legal actions after an observation."""
        return distinct_texts(self.game.legal_actions(player, seen))

    def sight_texts(self, player: int, sights: Sequence[Any]) -> tuple[str, ...]:
        """Return observations as people read them, quoted."""
        del player
        return tuple(map(repr, distinct_texts(sights)))


def _standing(here: Situation) -> tuple[Hashable, ...]:
    """Return state, mover and sight, and what chance draws."""
    drawn = tuple((label, odds) for label, odds, _ in here.lottery)
    return here.state, here.mover, here.seen, drawn
