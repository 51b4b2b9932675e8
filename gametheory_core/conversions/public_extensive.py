"""The tree of a public-state game, for small sizes: one chance node deals both hands.

Information sets are labeled by the hand and the labels of all that was seen.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias, cast

from gametheory_core.arrays import object_array
from gametheory_core.errors import InvalidStrategy
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.public_layout import public_layout
from gametheory_core.games.public_states import End, Paid, PayoffTable, PublicStateGame, Showdown
from gametheory_core.games.tree_draft import Chance, Decision, Node, Terminal
from gametheory_core.games.tree_layout import lay_out_rules
from gametheory_core.games.tree_table import CHANCE
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.public_plans import move_block

Spot: TypeAlias = tuple[int, int, int, tuple[str, ...]]  # situation, hands, what was seen


@dataclass(frozen=True)
class PublicTreeRules:
    """The rules of the tree of a public-state game.

    Attributes:
        game: Where chance does not move between two hands, it is left out that it might.

    >>> from gametheory_core.catalog import kuhn_poker_ranges
    >>> lay_out_rules(PublicTreeRules(kuhn_poker_ranges(cards=3))).num_nodes
    55
    """

    game: PublicStateGame

    @property
    def title(self) -> str:
        """That of the game."""
        return self.game.title

    @property
    def players(self) -> tuple[str, ...]:
        """Those of the game."""
        return self.game.players

    @property
    def root(self) -> Spot:
        """Before the deal."""
        return (-1, 0, 0, ())

    def expand(self, position: Spot) -> Node[Spot]:
        """Deal hands, move on, or pay."""
        situation, first, second, seen = position
        if situation < 0:
            return self._dealt()
        one = self.game.situations[situation]
        if one.end is not None:
            paid = end_payoff(one.end, first, second)
            return Terminal([paid, -paid])
        after = {
            label: (child, first, second, (*seen, label))
            for label, child in zip(one.labels, one.children, strict=True)
        }
        if one.mover != CHANCE:
            hand = self.game.hands[one.mover][(first, second)[one.mover]]
            return Decision(one.mover, infoset_label(hand, seen), after)
        before = self._weight(one.deal, first, second)
        odds = {
            label: Fraction(self._weight(self.game.situations[spot[0]].deal, first, second), before)
            for label, spot in after.items()
        }
        return Chance({label: (odds[label], after[label]) for label in after if odds[label]})

    def _weight(self, deal: int, first: int, second: int) -> int:
        return int(self.game.deals[deal].rows(first, first + 1)[0, second])

    def _dealt(self) -> Chance[Spot]:
        deal, total = self.game.deals[0], self.game.deals[0].total
        children: dict[str, tuple[object, Spot]] = {}
        for first, hand in enumerate(self.game.hands[0]):
            weights = deal.rows(first, first + 1)[0].tolist()
            for second, (other, weight) in enumerate(zip(self.game.hands[1], weights, strict=True)):
                if weight:
                    label = f"{hand} | {other}"
                    children[label] = Fraction(weight, total), (0, first, second, ())
        return Chance(children)


def end_payoff(end: End, first: int, second: int) -> Fraction:
    """Return what player 0 gets where play ends with two hands."""
    match end:
        case Paid():
            paid = end.payoff
        case Showdown():
            own, other = end.strengths[0][first], end.strengths[1][second]
            paid = end.above if own > other else end.equal if own == other else end.below
        case PayoffTable():
            paid = end.payoffs[first][second]
    return cast("Fraction", paid)


def infoset_label(hand: str, seen: tuple[str, ...]) -> str:
    """Return the label of the information set of a hand after a history."""
    return " / ".join((hand, *seen))


def public_to_extensive(game: PublicStateGame) -> ExtensiveFormGame:
    """Lay out the tree of a public-state game.

    Raises:
        UnsupportedGame: If the tree is too large; says how large.

    >>> from gametheory_core.catalog import leduc_poker_ranges
    >>> public_to_extensive(leduc_poker_ranges()).num_nodes
    9451
    """
    return lay_out_rules(PublicTreeRules(game))


def plans_to_profile(
    game: PublicStateGame, tree: ExtensiveFormGame, plans: tuple[Any, Any]
) -> BehavioralProfile:
    """Return the behavioral strategies of plans in the tree; uniform where a hand never comes.

    Args:
        tree: From ``public_to_extensive``.
        plans: Realization plans of both players.

    Raises:
        InvalidStrategy: If an information set of the tree is none of the game.
    """
    layout = public_layout(game)
    seen: list[tuple[str, ...]] = [()] * len(layout.situation)
    for history, (situation, first) in enumerate(
        zip(layout.situation.tolist(), layout.first_child.tolist(), strict=True)
    ):
        for k, label in enumerate(game.situations[situation].labels):
            seen[first + k] = (*seen[history], label)
    behavior: dict[tuple[int, str], list[Fraction]] = {}
    for player, plan in enumerate(plans):
        moves, hands = layout.moves[player], game.hands[player]
        for move, history in enumerate(moves.history.tolist()):
            actions = int(moves.actions[move])
            block = move_block(moves, [move], hands=len(hands), actions=actions)
            arriving, going = plan[block.parents[0]].tolist(), plan[block.sequences[0]].tolist()
            for hand, whole, parts in zip(hands, arriving, going, strict=True):
                shares = [Fraction(part, whole or actions) for part in parts]
                if not whole:
                    shares = [Fraction(1, actions)] * actions
                behavior[player, infoset_label(hand, seen[history])] = shares
    vectors: list[Any] = []
    for infoset in tree.infosets[: tree.num_decision_infosets]:
        own = behavior.get((infoset.player, infoset.label))
        if own is None or len(own) != len(infoset.actions):
            raise InvalidStrategy(needs=f"the tree of {game!r}", found=f"it has {infoset.label!r}")
        vectors.append(object_array(own))
    return BehavioralProfile(tuple(vectors))
