"""Public-state games: two players, zero-sum, and all that is hidden is one hand of each player.

Chance deals a pair of hands ``(a, b)`` at the start; each player sees their own. Whatever follows,
moves and further chance, both see. What has been seen by both is a *history*, and the game tree is
the product of the histories with the pairs of hands that are possible there. It is never built: a
game holds the distinct *situations* that histories lead to, and from where to where.

A *deal* says how likely the pairs are in a situation, chance's moves so far included; all deals of
a game are integers of one unit. Where chance moves on, the deals of what follows sum to the one
before.
"""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, TypeAlias, cast

from gametheory_core.arguments import as_tuple, check_labels, require_instance, shown
from gametheory_core.arrays import integer_array, is_integer, to_fraction
from gametheory_core.errors import InvalidGame
from gametheory_core.games.extensive_form import TERMINAL
from gametheory_core.games.public_deals import BLOCK_ENTRIES, MOST_WEIGHT, Deal
from gametheory_core.games.table_content import (
    by_constructor,
    content_digest,
    hash_of_content,
    same_content,
)
from gametheory_core.games.tree_table import CHANCE


@dataclass(frozen=True)
class Paid:
    """The end of play with the same payoff for all hands; it is player 0's."""

    payoff: object


@dataclass(frozen=True)
class Showdown:
    """The end of play where hands are compared; payoffs are player 0's.

    Attributes:
        strengths: Integers by hand, of each player; they may be of different scales.
        above, equal, below: Paid if player 0's is larger, equal or smaller.
    """

    strengths: tuple[tuple[int, ...], tuple[int, ...]]
    above: object
    equal: object
    below: object


@dataclass(frozen=True)
class PayoffTable:
    """The end of play with a payoff of player 0 for each pair of hands.

    It costs time and memory for each pair: a showdown is cheaper.
    """

    payoffs: tuple[tuple[object, ...], ...]


End: TypeAlias = Paid | Showdown | PayoffTable


@dataclass(frozen=True)
class Situation:
    """What is the same in all histories that continue alike.

    Attributes:
        mover: Player, ``CHANCE`` or ``TERMINAL``.
        deal: Number of its deal.
        labels, children: Of what may follow: numbers of later situations.
        end: What is paid, at the end of play; payoffs are fractions.
    """

    mover: int
    deal: int
    labels: tuple[str, ...] = ()
    children: tuple[int, ...] = ()
    end: End | None = None


@dataclass(frozen=True, eq=False, repr=False)
class PublicStateGame:
    """A public-state game as its distinct situations.

    Attributes:
        players: Labels.
        hands: Labels, of each player.
        deals: The first is that of the start.
        situations: The first is the start; each leads to later ones only.
        title: For people.
    """

    players: tuple[str, ...]
    hands: tuple[tuple[str, ...], tuple[str, ...]]
    deals: tuple[Deal, ...]
    situations: tuple[Situation, ...]
    title: str = ""
    __reduce__, __eq__, __hash__ = by_constructor, same_content, hash_of_content

    def __post_init__(self) -> None:
        players = check_labels(self.players, kind="player")
        given = as_tuple(self.hands, name="hands", remedy="Give labels of each player's hands.")
        hands = tuple(check_labels(own, kind="hand") for own in given)
        for name, kind in (("deals", Deal), ("situations", Situation)):
            listed = as_tuple(getattr(self, name), name=name)
            for own in listed:
                require_instance(own, kind, name=f"each of the {name}")
            object.__setattr__(self, name, listed)
        named = all(own and all(own) for own in hands)
        if len(players) != 2 or len(hands) != 2 or not named or not self.situations:
            raise InvalidGame(
                needs="two players with hands that have names, and a situation",
                found=f"players are {shown(players)} with {[len(own) for own in hands]} hands",
            )
        object.__setattr__(self, "players", players)
        object.__setattr__(self, "hands", hands)
        _check_deals(self)
        situations = tuple(_checked(self, k) for k in range(len(self.situations)))
        object.__setattr__(self, "situations", situations)
        _check_draws(self)

    @property
    def num_players(self) -> int:
        """Two."""
        return len(self.players)

    @property
    def num_hands(self) -> tuple[int, int]:
        """Number of hands of each player."""
        return len(self.hands[0]), len(self.hands[1])

    @cached_property
    def num_paths(self) -> tuple[int, ...]:
        """Number of histories that lead to each situation."""
        paths = [1] + [0] * (len(self.situations) - 1)
        for k, situation in enumerate(self.situations):
            for child in situation.children:
                paths[child] += paths[k]
        return tuple(paths)

    @property
    def num_histories(self) -> int:
        """Number of histories, of what both see."""
        return sum(self.num_paths)

    @cached_property
    def num_nodes(self) -> int:
        """Number of nodes of the tree in which one chance node deals the pair of hands."""
        counts = zip(self.num_paths, self.situations, strict=True)
        return 1 + sum(paths * self.deals[one.deal].num_pairs for paths, one in counts)

    @cached_property
    def num_sequences(self) -> tuple[int, int]:
        """Number of sequences of each player, the empty one included."""
        moves = Counter[int]()
        for paths, one in zip(self.num_paths, self.situations, strict=True):
            moves[one.mover] += paths * len(one.children)
        return 1 + moves[0] * self.num_hands[0], 1 + moves[1] * self.num_hands[1]

    @cached_property
    def payoff_parts(self) -> int:
        """The least number of which all payoffs are multiples of one part."""
        return lcm(*(paid.denominator for one in self.situations for paid in end_payoffs(one.end)))

    @cached_property
    def digest(self) -> str:
        """Content identity: SHA-256 over all fields but the title."""
        deals = [own for deal in self.deals for own in (deal.first, deal.second, deal.same)]
        return content_digest("public", [self.players, self.hands, *deals, self.situations])

    def __repr__(self) -> str:
        return f"PublicStateGame({self.title!r}, {self.num_nodes:,} nodes)"


def end_payoffs(end: End | None) -> tuple[Fraction, ...]:
    """Return what a game's end pays player 0: if above, equal or below, or a table row by row."""
    match end:
        case Paid():
            found: tuple[object, ...] = (end.payoff,) * 3
        case Showdown():
            found = (end.above, end.equal, end.below)
        case PayoffTable():
            found = tuple(payoff for row in end.payoffs for payoff in row)
        case _:
            found = ()
    return cast("tuple[Fraction, ...]", found)


def _check_deals(game: PublicStateGame) -> None:
    for k, deal in enumerate(game.deals):
        if deal.shape != game.num_hands or deal.least() < 0 or deal.total == 0:
            raise InvalidGame(
                needs=f"deals over {game.num_hands} hands, none negative and not all zero",
                found=f"deal {k} is over {deal.shape} hands, its least weight is "
                f"{deal.least()} and its sum {deal.total}",
            )


def _checked(game: PublicStateGame, k: int) -> Situation:
    """Check a situation, and make its payoffs fractions."""
    one, where = game.situations[k], f"situation {k}"
    labels = check_labels(one.labels, kind="action", owner=where)
    children = as_tuple(one.children, name="children", where=where)
    fits = all(map(is_integer, (one.mover, one.deal, *children)))
    fits = fits and all(k < child < len(game.situations) for child in children)
    fits = fits and len(children) == len(labels) and one.deal in range(len(game.deals))
    is_end = fits and one.mover == TERMINAL
    fits = fits and all(labels) and is_end == (not children) == (one.end is not None)
    if not fits or one.mover not in (0, 1, CHANCE, TERMINAL) or (k == 0 and one.deal):
        raise InvalidGame(
            needs="a mover, later situations as children, a name for each and a known deal (the "
            "start has the first), or what is paid",
            found=f"it is {shown(one)}",
            where=where,
        )
    if one.mover in (0, 1) and any(game.situations[child].deal != one.deal for child in children):
        raise InvalidGame(
            needs="the deal to stay where a player moves",
            found="what follows has another one",
            remedy="Let chance move before it changes.",
            where=where,
        )
    return Situation(one.mover, one.deal, labels, children, _exact(game, one.end, where))


def _exact(game: PublicStateGame, end: End | None, where: str) -> End | None:
    match end:
        case Paid():
            return Paid(to_fraction(end.payoff, where=where))
        case Showdown():
            both = as_tuple(end.strengths, name="strengths", where=where)
            strengths = tuple(_integers(own, where=where) for own in both)
            most = max((max(map(abs, own), default=0) for own in strengths), default=0)
            if tuple(map(len, strengths)) != game.num_hands or most >= MOST_WEIGHT:
                raise InvalidGame(
                    needs=f"strengths of {game.num_hands} hands, below 2**62",
                    found=f"there are {tuple(map(len, strengths))}, of up to {most}",
                    where=where,
                )
            amounts = (to_fraction(p, where=where) for p in (end.above, end.equal, end.below))
            return Showdown(cast("Any", strengths), *amounts)
        case PayoffTable():
            rows = [
                as_tuple(row, name="a row of payoffs", where=where)
                for row in as_tuple(end.payoffs, name="payoffs", where=where)
            ]
            table = tuple(tuple(to_fraction(p, where=where) for p in row) for row in rows)
            if [len(row) for row in table] != [game.num_hands[1]] * game.num_hands[0]:
                raise InvalidGame(
                    needs=f"a table of {game.num_hands} payoffs",
                    found=f"rows have {[len(row) for row in table]}",
                    where=where,
                )
            return PayoffTable(table)
        case None:
            return None
        case _:
            require_instance(end, (Paid, Showdown, PayoffTable), name="end", where=where)
            return None


def _integers(given: Any, *, where: str) -> tuple[int, ...]:
    """Return a tuple of integers: the same one if it is one, since many ends share it."""
    is_one = type(given) is tuple and set(map(type, cast("Any", given))) <= {int}
    if is_one:
        return given
    return tuple(integer_array(given, ndim=1, what=f"strengths in {where}").tolist())


def _check_draws(game: PublicStateGame) -> None:
    """Refuse chance whose deals do not sum to the one before."""
    seen = set[object]()
    for k, one in enumerate(game.situations):
        drawn = Counter(game.situations[child].deal for child in one.children)
        key = (one.deal, tuple(sorted(drawn.items())))
        if one.mover != CHANCE or key in seen:
            continue
        seen.add(key)
        before = game.deals[one.deal]
        terms = [(game.deals[deal], count) for deal, count in drawn.items()]
        is_small = sum(deal.most * count for deal, count in terms) < MOST_WEIGHT
        hands, others = game.num_hands
        size = max(1, BLOCK_ENTRIES // others)
        for start in range(0, hands, size):
            stop = min(start + size, hands)
            found: Any = sum(deal.rows(start, stop) * count for deal, count in terms)
            if not is_small or (found != before.rows(start, stop)).any():
                raise InvalidGame(
                    needs="deals after a move of chance that sum to the deal before",
                    found=f"those of situation {k} do not",
                    remedy="Give all deals in one unit: the weight of a whole play.",
                    witness=k,
                )
