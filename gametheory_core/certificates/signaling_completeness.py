"""Signaling completeness certificates: these are all extreme sequential equilibria.

In a signaling tree (``strategies/signaling``) let ``x`` be the sender's behavior, a point of a
product of simplices, and ``y`` the receiver's. What an action earns is linear in the other's
behavior, so that each player's best replies part the other's product of simplices into polytopes. A
pair ``(x, y)`` is a sequential equilibrium if and only if

- each action played with ``x`` is a best reply to ``y``;
- where ``x`` lets play come, each action played with ``y`` is a best reply to ``x``;
- at every other signal some weights on the sequences that lead there make all actions played with
  ``y`` best replies: mistakes in this proportion explain them.

It is *extreme* if ``x`` and ``y`` are vertices of these partitions. The vertices of the smallest
faces around an equilibrium's ``x`` and ``y`` make extreme ones, in all pairs, so that every
sequential equilibrium is a mixture of extreme ones, player by player. The vertices are listed by
the double description method, from the pure strategies on.

An extreme equilibrium is *isolated* if no mixture of it with another one, that differs for one
player only, is a sequential equilibrium: then none is near it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from math import gcd
from typing import ClassVar, TypeAlias

from gametheory_core.arguments import number_of
from gametheory_core.arrays import NumberArray, object_array, scaled_integers
from gametheory_core.certificates.claim import claim, claimed, not_the_same_set, verify_claim
from gametheory_core.certificates.extreme_equilibria import Ray, Vector, cut
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import require_tree
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.sequences import PlayerSequences
from gametheory_core.strategies.signaling import SignalingForm, signaling_form
from gametheory_core.strategies.trembles import require_possible_infosets

Block: TypeAlias = range  # the actions of one information set, among all of a player's
Rows: TypeAlias = list[Vector]  # what each reply at an information set earns, by own action


def certify_signaling_completeness(game: ExtensiveFormGame) -> "SignalingCompletenessCertificate":
    """List all extreme sequential equilibria of a signaling game and state that these are all.

    Raises:
        UnsupportedGame: If the tree is no signaling game, or chance excludes an information set.

    Meant for checking: simple, not fast. Time grows exponentially with the number of types and of
    signals.

    >>> from gametheory_core import load_game
    >>> complete = certify_signaling_completeness(load_game("beer_quiche"))
    >>> len(complete.profiles), len(complete.isolated)
    (4, 0)
    """
    require_tree(game)
    signaling = signaling_form(game)
    require_possible_infosets(game)
    sides = _sides(signaling)
    supported = _supported(signaling, sides)
    pairs = product(sides[0].points(), sides[1].points())
    found = [(x, y) for x, y in pairs if supported.holds(x, y)]
    isolated = [
        (x, y)
        for x, y in found
        if not any((x is v) != (y is w) and supported.joins(y, w) for v, w in found)
    ]
    return SignalingCompletenessCertificate(
        game,
        tuple(_profile(signaling, x, y) for x, y in found),
        tuple(_profile(signaling, x, y) for x, y in isolated),
    )


@claim(
    "signaling-completeness", measure=certify_signaling_completeness, completes=("all-sequential",)
)
class SignalingCompletenessCertificate:
    """The claim that ``profiles`` are all extreme sequential equilibria of a signaling game.

    Attributes:
        game: A signaling game; chance excludes no information set.
        profiles: Rational and different, in any order.
        isolated: Those of them near which there is no other sequential equilibrium.
    """

    kind: ClassVar[str]
    game: ExtensiveFormGame
    profiles: tuple[BehavioralProfile, ...] = claimed(fault=not_the_same_set)
    isolated: tuple[BehavioralProfile, ...] = claimed(fault=not_the_same_set)
    verify = verify_claim
    answer = None
    payoffs = ()
    epsilon = None

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        count = number_of(len(self.profiles), "profile")
        return (
            f"complete: {count}, {len(self.isolated)} of them isolated, and every sequential "
            "equilibrium of the signaling game is a mixture of these, player by player"
        )


@dataclass(frozen=True, eq=False)
class _Point:
    """A vertex: one player's behavior, and the other's best replies to it.

    Attributes:
        weights: Of each own action, up to a positive factor.
        played: The own actions that have some.
        best: The other's actions that earn most at their information set.
    """

    weights: Vector
    played: frozenset[int]
    best: frozenset[int]


@dataclass(frozen=True, eq=False)
class _Side:
    """One player's information sets, and what the other's actions earn, information set by set."""

    blocks: tuple[Block, ...]
    replies: tuple[Rows, ...]

    def points(self) -> list[_Point]:
        """List the vertices of the partition into what is best for the other."""
        size = self.blocks[-1].stop
        choices = product(*self.blocks)
        starts = [tuple(int(a in chosen) for a in range(size)) for chosen in choices]
        rays = [(ray, sum(1 << a for a in range(size) if not ray[a])) for ray in starts]
        dimension = size - len(self.blocks) + 1
        found = dict.fromkeys(_vertices(rays, self.replies, dimension, size))
        return [_Point(ray, _played(ray), self._best(ray)) for ray in found]

    def _best(self, weights: Vector) -> frozenset[int]:
        best: set[int] = set()
        first = 0
        for rows in self.replies:
            earned = [sum(a * b for a, b in zip(row, weights, strict=True)) for row in rows]
            best |= {first + b for b, value in enumerate(earned) if value == max(earned)}
            first += len(rows)
        return frozenset(best)


def _vertices(
    rays: list[Ray], replies: Sequence[Rows], dimension: int, bit: int
) -> Iterator[Vector]:
    """Cut a cone by which reply is best at each information set, and list the rays of all parts."""
    if not replies:
        for ray, _ in rays:
            divisor = gcd(*ray)
            yield tuple(value // divisor for value in ray)
        return
    rows, *rest = replies
    for best in rows:
        part, next_bit = rays, bit
        for row in rows:
            if row is not best:
                normal = [a - b for a, b in zip(best, row, strict=True)]
                part = cut(part, normal, 1 << next_bit, dimension)
                next_bit += 1
        if part:
            yield from _vertices(part, rest, dimension, next_bit)


def _played(weights: Vector) -> frozenset[int]:
    return frozenset(action for action, weight in enumerate(weights) if weight)


@dataclass(frozen=True, eq=False)
class _Supported:
    """Which behavior of the receiver some weights on the sequences of a signal explain.

    Attributes:
        signals: For each information set of the receiver, its own actions, the sender's that lead
            there, and the receiver's best replies to each vertex of the weights on these.
    """

    signals: tuple[tuple[Block, frozenset[int], tuple[frozenset[int], ...]], ...]

    def holds(self, x: _Point, y: _Point) -> bool:
        """Tell whether two vertices are a sequential equilibrium."""
        return x.played <= y.best and all(
            y.played.intersection(own) <= x.best
            if x.played & ways
            else any(y.played.intersection(own) <= best for best in explained)
            for own, ways, explained in self.signals
        )

    def joins(self, y: _Point, w: _Point) -> bool:
        """Tell whether beliefs explain all that either of two behaviors does, at each signal."""
        played = y.played | w.played
        return all(
            any(played.intersection(own) <= best for best in explained)
            for own, _, explained in self.signals
        )


def _supported(signaling: SignalingForm, sides: tuple[_Side, _Side]) -> _Supported:
    signals: list[tuple[Block, frozenset[int], tuple[frozenset[int], ...]]] = []
    for own, rows, sequences in zip(
        sides[1].blocks, sides[0].replies, signaling.signals, strict=True
    ):
        ways = [sequence - 1 for sequence in sequences]
        local = _Side((range(len(ways)),), ([tuple(row[a] for a in ways) for row in rows],))
        explained = tuple(frozenset(own.start + b for b in point.best) for point in local.points())
        signals.append((own, frozenset(ways), explained))
    return _Supported(tuple(signals))


def _sides(signaling: SignalingForm) -> tuple[_Side, _Side]:
    """Return the sender's side and the receiver's, payoffs as integers."""
    sender, receiver = (signaling.form.players[i] for i in (signaling.sender, signaling.receiver))
    blocks = _blocks(sender), _blocks(receiver)
    return (
        _Side(blocks[0], _replies(signaling, receiver, sender, blocks)),
        _Side(blocks[1], _replies(signaling, sender, receiver, (blocks[1], blocks[0]))),
    )


def _blocks(own: PlayerSequences) -> tuple[Block, ...]:
    first = [int(start) - 1 for start in own.first_sequence]
    return tuple(range(a, b) for a, b in pairwise(first))


def _replies(
    signaling: SignalingForm,
    replying: PlayerSequences,
    facing: PlayerSequences,
    blocks: tuple[tuple[Block, ...], tuple[Block, ...]],
) -> tuple[Rows, ...]:
    """Return what the replying player's actions earn, by the facing player's actions.

    What is earned whatever the facing player does is earned with each action of the first
    information set.
    """
    form = signaling.form
    table = [[Fraction(0)] * facing.num_sequences for _ in range(replying.num_sequences)]
    paid = form.game.exact_terminal_payoffs[:, replying.player] * form.chance_weight
    ends = form.terminal_sequences[[replying.player, facing.player]].T.tolist()
    for (own, other), amount in zip(ends, paid.tolist(), strict=True):
        table[own][other] += amount
    for row in table:
        for action in blocks[0][0]:
            row[action + 1] += row[0]
    whole = scaled_integers(object_array([value for row in table for value in row])).numerators
    width = facing.num_sequences
    rows = [tuple(whole[s * width + 1 : (s + 1) * width].tolist()) for s in range(len(table))]
    return tuple([rows[a + 1] for a in block] for block in blocks[1])


def _profile(signaling: SignalingForm, x: _Point, y: _Point) -> BehavioralProfile:
    points = (x, y) if signaling.sender == 0 else (y, x)
    vectors: list[NumberArray] = []
    for own, point in zip(signaling.form.players, points, strict=True):
        for block in _blocks(own):
            weights = [point.weights[a] for a in block]
            vectors.append(object_array([Fraction(w, sum(weights)) for w in weights]))
    return BehavioralProfile(tuple(vectors))
