"""The tree of a public-state game, for small sizes: one chance node deals both hands.

Information sets are labeled by the hand and the labels of all that was seen.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias, cast

from gametheory_core.arguments import require_instance, require_integer
from gametheory_core.arrays import object_array
from gametheory_core.errors import InvalidGame, UnsupportedGame, named
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import require_public_state
from gametheory_core.games.public_histories import public_layout
from gametheory_core.games.public_states import End, Paid, PayoffTable, PublicStateGame, Showdown
from gametheory_core.games.rules import from_inner
from gametheory_core.games.tree_draft import Chance, Decision, Node, Terminal
from gametheory_core.games.tree_layout import MAX_NODES, lay_out_rules
from gametheory_core.games.tree_table import CHANCE
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.public_plans import PublicProfile, require_plan

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
    title = from_inner("title")
    players = from_inner("players")

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


def public_to_extensive(game: PublicStateGame, *, max_nodes: int = MAX_NODES) -> ExtensiveFormGame:
    """Lay out the tree of a public-state game.

    Args:
        max_nodes: Refuse larger trees; how large they are is known before anything is built.

    Raises:
        UnsupportedGame: If the tree is too large; says how large.

    >>> from gametheory_core.catalog import leduc_poker_ranges
    >>> public_to_extensive(leduc_poker_ranges()).num_nodes
    9451
    """
    require_public_state(game)
    require_integer(max_nodes, name="max_nodes", low=1)
    if game.num_nodes > max_nodes:
        raise UnsupportedGame(
            needs=f"at most {named('max_nodes')} = {max_nodes:,} nodes",
            found=f"the tree of {game!r} has more",
            remedy="Solve the game over ranges: solve(game, Concept.MINIMAX).",
        )
    return lay_out_rules(PublicTreeRules(game), max_nodes=max_nodes)


class InfosetPlace(NamedTuple):
    """Where an information set of the tree stands among a player's sequences.

    Attributes:
        parent: The sequence that leads there.
        first: The sequence of the first action; those of the others follow.
    """

    player: int
    parent: int
    first: int


def places_in_tree(game: PublicStateGame, tree: ExtensiveFormGame) -> tuple[InfosetPlace, ...]:
    """Find the information sets of a game's tree among the sequences of the game.

    Args:
        tree: From ``public_to_extensive``.

    Raises:
        InvalidGame: If an information set of the tree is none of the game.
    """
    layout = public_layout(game)
    seen: list[tuple[str, ...]] = [()] * len(layout.situation)
    for history, (situation, first) in enumerate(
        zip(layout.situation.tolist(), layout.first_child.tolist(), strict=True)
    ):
        for k, label in enumerate(game.situations[situation].labels):
            seen[first + k] = (*seen[history], label)
    known: dict[tuple[int, str, int], InfosetPlace] = {}
    for player, moves in enumerate(layout.moves):
        for move, history in enumerate(moves.history.tolist()):
            for hand, label in enumerate(game.hands[player]):
                actions = int(moves.actions[move])
                key = player, infoset_label(label, seen[history]), actions
                parent = moves.start[move] + hand * moves.stride[move]
                place = InfosetPlace(player, int(parent), int(moves.base[move] + hand * actions))
                known[key] = place
    wanted = tree.infosets[: tree.num_decision_infosets]
    keys = [(own.player, own.label, len(own.actions)) for own in wanted]
    for key in keys:
        if key not in known:
            raise InvalidGame(
                needs=f"the tree of {game!r}",
                found=f"it has an information set {key[1]!r} of player {key[0]} with {key[2]} "
                "actions",
            )
    return tuple(known[key] for key in keys)


def plans_to_profile(
    game: PublicStateGame, tree: ExtensiveFormGame, profile: PublicProfile
) -> BehavioralProfile:
    """Return the behavioral strategies of plans in the tree; uniform where a hand never comes.

    Args:
        tree: From ``public_to_extensive``.
        profile: Realization plans of both players.

    Raises:
        InvalidGame: If an information set of the tree is none of the game.
        InvalidStrategy: If a plan is none.

    >>> import numpy as np
    >>> from gametheory_core.catalog import kuhn_poker_ranges
    >>> game = kuhn_poker_ranges(cards=3)
    >>> always_first = np.array([1, *[1, 0] * 6])
    >>> plans = PublicProfile((always_first, always_first))
    >>> profile = plans_to_profile(game, public_to_extensive(game), plans)
    >>> profile.probabilities[0].tolist()
    [Fraction(1, 1), Fraction(0, 1)]
    """
    require_instance(tree, ExtensiveFormGame, name="tree")
    layout = public_layout(game)
    require_instance(profile, PublicProfile, name="profile")
    for player, plan in enumerate(profile.plans):
        require_plan(layout, plan, hands=game.num_hands[player], player=player)
    vectors: list[Any] = []
    infosets = tree.infosets[: tree.num_decision_infosets]
    for place, infoset in zip(places_in_tree(game, tree), infosets, strict=True):
        plan, count = profile.plans[place.player], len(infoset.actions)
        whole = int(plan[place.parent])
        parts = plan[place.first : place.first + count].tolist() if whole else [1] * count
        vectors.append(object_array([Fraction(part, whole or count) for part in parts]))
    return BehavioralProfile(tuple(vectors))
