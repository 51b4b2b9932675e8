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

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product

from gametheory_core.arguments import number_of
from gametheory_core.arrays import NumberArray, object_array, scaled_integers
from gametheory_core.certificates.claim import CheckableFact, claim, claimed, not_the_same_set
from gametheory_core.certificates.reply_partitions import Block, Point, Rows, Side
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import require_tree
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.sequences import PlayerSequences
from gametheory_core.strategies.signaling import SignalingForm, signaling_form
from gametheory_core.strategies.trembles import require_possible_infosets


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
class SignalingCompletenessCertificate(CheckableFact):
    """The claim that ``profiles`` are all extreme sequential equilibria of a signaling game.

    Attributes:
        game: A signaling game; chance excludes no information set.
        profiles: Rational and different, in any order.
        isolated: Those of them near which there is no other sequential equilibrium.
    """

    game: ExtensiveFormGame
    profiles: tuple[BehavioralProfile, ...] = claimed(fault=not_the_same_set)
    isolated: tuple[BehavioralProfile, ...] = claimed(fault=not_the_same_set)

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        count = number_of(len(self.profiles), "profile")
        return (
            f"complete: {count}, {len(self.isolated)} of them isolated, and every sequential "
            "equilibrium of the signaling game is a mixture of these, player by player"
        )


@dataclass(frozen=True, eq=False)
class _Supported:
    """Which behavior of the receiver some weights on the sequences of a signal explain.

    Attributes:
        signals: For each information set of the receiver, its own actions, the sender's that lead
            there, and the receiver's best replies to each vertex of the weights on these.
    """

    signals: tuple[tuple[Block, frozenset[int], tuple[frozenset[int], ...]], ...]

    def holds(self, x: Point, y: Point) -> bool:
        """Tell whether two vertices are a sequential equilibrium."""
        return x.played <= y.best and all(
            y.played.intersection(own) <= x.best
            if x.played & ways
            else any(y.played.intersection(own) <= best for best in explained)
            for own, ways, explained in self.signals
        )

    def joins(self, y: Point, w: Point) -> bool:
        """Tell whether beliefs explain all that either of two behaviors does, at each signal."""
        played = y.played | w.played
        return all(
            any(played.intersection(own) <= best for best in explained)
            for own, _, explained in self.signals
        )


def _supported(signaling: SignalingForm, sides: tuple[Side, Side]) -> _Supported:
    signals: list[tuple[Block, frozenset[int], tuple[frozenset[int], ...]]] = []
    for own, rows, sequences in zip(
        sides[1].blocks, sides[0].replies, signaling.signals, strict=True
    ):
        ways = [sequence - 1 for sequence in sequences]
        local = Side((range(len(ways)),), ([tuple(row[a] for a in ways) for row in rows],))
        explained = tuple(frozenset(own.start + b for b in point.best) for point in local.points())
        signals.append((own, frozenset(ways), explained))
    return _Supported(tuple(signals))


def _sides(signaling: SignalingForm) -> tuple[Side, Side]:
    """Return the sender's side and the receiver's, payoffs as integers."""
    sender, receiver = (signaling.form.players[i] for i in (signaling.sender, signaling.receiver))
    blocks = _blocks(sender), _blocks(receiver)
    return (
        Side(blocks[0], _replies(signaling, receiver, sender, blocks)),
        Side(blocks[1], _replies(signaling, sender, receiver, (blocks[1], blocks[0]))),
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


def _profile(signaling: SignalingForm, x: Point, y: Point) -> BehavioralProfile:
    points = (x, y) if signaling.sender == 0 else (y, x)
    vectors: list[NumberArray] = []
    for own, point in zip(signaling.form.players, points, strict=True):
        for block in _blocks(own):
            weights = [point.weights[a] for a in block]
            vectors.append(object_array([Fraction(w, sum(weights)) for w in weights]))
    return BehavioralProfile(tuple(vectors))
