"""Commitment under perfect information: what it earns, and node by node that none earns more.

Without chance moves, what a commitment makes of a subtree is a pair (follower's payoff, leader's
payoff). A node's *frontier* is a list of segments of such pairs; it claims that every pair that a
commitment can make of the subtree has, on some segment, a pair at least as good for both. Claims
are checked from the end of play, each by those of the children:

- *the end of play*: the frontier is the pair that is paid;
- *a node of the follower*: the leader threatens to hold the follower down elsewhere, so that a
  child may be picked with the pairs that give the follower at least the largest of what the
  children give however the leader plays;
- *a node of the leader*: each child's pairs; and if the leader may mix, any average over children
  has a better one on a segment between ends of segments of two different children.

So the largest payoff of the leader on the frontier of the root bounds every commitment (Letchford
and Conitzer 2010; Bosansky et al. 2017).

Segments of pairs of payoffs, and whether one is covered by others that are as good for both.
"""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import combinations, pairwise
from typing import TypeAlias

from gametheory_core.certificates.claim import (
    Checkable,
    answer_payoffs,
    claim,
    claimed,
    commitment_gap,
    rivals_bound,
)
from gametheory_core.certificates.declared_types import require_declared_arguments
from gametheory_core.certificates.extensive_stackelberg import (
    require_favorite_reply,
    require_two_player_recall,
)
from gametheory_core.certificates.wording import exactly, rationals, require_exact_profile
from gametheory_core.errors import CertificateRejected
from gametheory_core.evaluation.payoffs import expected_payoffs
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.properties import has_perfect_information
from gametheory_core.games.tree_table import CHANCE
from gametheory_core.strategies.behavioral import BehavioralProfile


@dataclass(frozen=True)
class PayoffSegment:
    """The pairs of payoffs between two pairs.

    Attributes:
        low, high: What follower and leader get at the ends; the follower no less at ``high``.
    """

    low: tuple[Fraction, Fraction]
    high: tuple[Fraction, Fraction]


Frontier: TypeAlias = tuple[PayoffSegment, ...]


def leader_at(segment: PayoffSegment, follower: Fraction) -> Fraction:
    """Return the leader's payoff where the follower gets so much, on a segment that is not flat."""
    (low, first), (high, second) = segment.low, segment.high
    return first + (second - first) * (follower - low) / (high - low)


def is_covered(segment: PayoffSegment, frontier: Frontier) -> bool:
    """Tell whether each pair of a segment has one on the frontier that is as good for both."""
    if segment.low[0] == segment.high[0]:
        best = max(segment.low, segment.high)
        return any(_value(other, best[0]) >= best[1] for other in frontier if _has(other, best[0]))
    parts = sorted(part for other in frontier for part in _covered_parts(segment, other))
    reached = segment.low[0]
    for start, stop in parts:
        if start > reached:
            return False
        reached = max(reached, stop)
    return reached >= segment.high[0]


def _has(segment: PayoffSegment, follower: Fraction) -> bool:
    return segment.high[0] >= follower


def _value(segment: PayoffSegment, follower: Fraction) -> Fraction:
    """Return the leader's largest payoff where the follower gets at least so much."""
    (low, first), (_, second) = segment.low, segment.high
    if second >= first or follower <= low:
        return max(first, second)
    return leader_at(segment, follower)


def _covered_parts(segment: PayoffSegment, other: PayoffSegment) -> list[tuple[Fraction, Fraction]]:
    """Return where on a segment, by the follower's payoff, another one is as good for both."""
    start, stop = segment.low[0], min(segment.high[0], other.high[0])
    if start > stop:
        return []
    cuts = [start, stop]
    if start < other.low[0] < stop:
        cuts.insert(1, other.low[0])  # the other one is flat before, and straight after
    parts: list[tuple[Fraction, Fraction]] = []
    for left, right in pairwise(cuts):
        part = _better_part(segment, other, left, right)
        if part is not None:
            parts.append(part)
    return parts


def _better_part(
    segment: PayoffSegment, other: PayoffSegment, left: Fraction, right: Fraction
) -> tuple[Fraction, Fraction] | None:
    """Compare where both are straight."""
    margins = [_value(other, at) - leader_at(segment, at) for at in (left, right)]
    if min(margins) >= 0:
        return left, right
    if max(margins) < 0:
        return None
    crossing = left + (right - left) * margins[0] / (margins[0] - margins[1])
    return (left, crossing) if margins[0] >= 0 else (crossing, right)


KIND = "perfect-information-commitment"


class CommitmentKind(Enum):
    """What the leader may commit to; the value says it in words."""

    PURE = "an action at each node"
    BEHAVIORAL = "a lottery over actions at each node"


def certify_perfect_information_commitment(
    game: ExtensiveFormGame,
    profile: BehavioralProfile,
    *,
    leader: int,
    commitment: CommitmentKind,
    frontiers: tuple[tuple[PayoffSegment, ...], ...],
) -> "PerfectInformationCommitmentCertificate":
    """Measure a commitment and the bound that frontiers prove, and state both.

    Args:
        game: Two players, perfect information, no chance moves.
        profile: Rational: commitment and response.
        leader: 0 or 1.
        frontiers: For each node.

    Raises:
        CertificateRejected: If the response is not the leader's favorite among the best ones, a
            frontier leaves something out, or something does not fit the game.

    >>> from gametheory_core import Decision, Terminal, from_sketch, pure_behavior
    >>> tree = Decision(0, "", {"l": Terminal([1, 0]), "r": Terminal([3, 0])})
    >>> game = from_sketch(tree, players=("Ann", "Bob"))
    >>> pairs = [(Fraction(0), Fraction(3)), (Fraction(0), Fraction(1)), (Fraction(0), Fraction(3))]
    >>> certify_perfect_information_commitment(
    ...     game,
    ...     pure_behavior(game, (1,)),
    ...     leader=0,
    ...     commitment=CommitmentKind.PURE,
    ...     frontiers=tuple((PayoffSegment(pair, pair),) for pair in pairs),
    ... ).epsilon
    Fraction(0, 1)
    """
    require_declared_arguments(PerfectInformationCommitmentCertificate, **locals())
    require_two_player_recall(game, leader)
    _require_open_tree(game)
    require_exact_profile(game, profile, kind=KIND)
    payoffs = rationals(expected_payoffs(game, profile))
    require_favorite_reply(game, profile, leader, payoffs)
    if commitment is CommitmentKind.PURE:
        _require_pure(game, profile, leader)
    _require_frontiers(game, leader, commitment, frontiers)
    bound = max(pair[1] for segment in frontiers[0] for pair in (segment.low, segment.high))
    return PerfectInformationCommitmentCertificate(
        game, leader, commitment, profile, payoffs[leader], bound, frontiers
    )


def _not_any(certificate: "PerfectInformationCommitmentCertificate") -> str:
    is_pure = certificate.commitment is CommitmentKind.PURE
    return "this is about pure commitments only" if is_pure else ""


@claim(KIND, measure=certify_perfect_information_commitment, proves_if={"stackelberg": _not_any})
class PerfectInformationCommitmentCertificate(Checkable):
    """The claim that a commitment earns ``leader_payoff``, and none of its kind more than a bound.

    Ties of the follower break for the leader.

    Attributes:
        game: Two players, perfect information, no chance moves.
        leader: Who commits: 0 or 1.
        commitment: What the leader may commit to.
        profile: Rational: the commitment, and the follower's best response to it.
        leader_payoff: What the leader gets; payoff units.
        upper_bound: No commitment of the kind gets more.
        frontiers: For each node; those at the end of play are a single pair.
    """

    game: ExtensiveFormGame
    leader: int
    commitment: CommitmentKind
    profile: BehavioralProfile
    leader_payoff: Fraction = claimed()
    upper_bound: Fraction = claimed()
    frontiers: tuple[tuple[PayoffSegment, ...], ...]
    payoffs = answer_payoffs
    epsilon = commitment_gap

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        name = self.game.players[self.leader]
        earned = (
            f"player {name!r} commits to {self.commitment.value} and gets "
            f"{exactly(self.leader_payoff)}"
        )
        return f"{earned}; {rivals_bound(self, 'no such commitment')}"


def _require_open_tree(game: ExtensiveFormGame) -> None:
    verdict = has_perfect_information(game)
    if not verdict or CHANCE in game.node_player:
        reason = verdict.reason or "there is a chance move"
        raise CertificateRejected(needs="perfect information and no chance moves", found=reason)


def _require_pure(game: ExtensiveFormGame, profile: BehavioralProfile, leader: int) -> None:
    infosets = game.infosets[: game.num_decision_infosets]
    for infoset, lottery in zip(infosets, profile.probabilities, strict=True):
        if infoset.player == leader and max(lottery) != 1:
            raise CertificateRejected(
                needs="a pure commitment", found=f"the leader mixes at {infoset.label!r}"
            )


def _require_frontiers(
    game: ExtensiveFormGame,
    leader: int,
    commitment: CommitmentKind,
    frontiers: tuple[tuple[PayoffSegment, ...], ...],
) -> None:
    if len(frontiers) != game.num_nodes or not all(frontiers):
        raise CertificateRejected(
            needs=f"a frontier for each of {game.num_nodes} nodes, of one segment or more",
            found=f"has {sum(map(bool, frontiers))}",
        )
    for node, frontier in enumerate(frontiers):
        if any(segment.low[0] > segment.high[0] for segment in frontier):
            raise CertificateRejected(
                needs="segments from low to high payoffs of the follower",
                found=f"node {node} has another",
            )
    paid = dict(zip(game.terminals.tolist(), game.exact_terminal_payoffs.tolist(), strict=True))
    held = _held_down(game, leader)
    for node, frontier in enumerate(frontiers):
        if node in paid:
            pair = (paid[node][1 - leader], paid[node][leader])
            needed = [PayoffSegment(pair, pair)]
        elif game.node_player[node] == leader:
            below = [frontiers[child] for child in _children(game, node)]
            if commitment is CommitmentKind.BEHAVIORAL and _has_averages(below, frontier):
                continue
            needed = _mixed(below) if commitment is CommitmentKind.BEHAVIORAL else _joined(below)
        else:
            needed = _picked(game, node, frontiers, held)
        listed = set(frontier)
        for segment in needed:
            if segment not in listed and not is_covered(segment, frontier):
                raise CertificateRejected(
                    found=f"the frontier of node {node} leaves out payoffs that a commitment "
                    "can get there"
                )


def _children(game: ExtensiveFormGame, node: int) -> range:
    first = int(game.first_child[node])
    return range(first, first + int(game.num_children[node]))


def _held_down(game: ExtensiveFormGame, leader: int) -> list[Fraction]:
    """Return what the follower gets from each node on if the leader does nothing but harm."""
    values: list[Fraction] = [Fraction(0)] * game.num_nodes
    paid = dict(zip(game.terminals.tolist(), game.exact_terminal_payoffs.tolist(), strict=True))
    for node in reversed(range(game.num_nodes)):
        if node in paid:
            values[node] = paid[node][1 - leader]
        else:
            choose = min if game.node_player[node] == leader else max
            values[node] = choose(values[child] for child in _children(game, node))
    return values


def _joined(frontiers: list[Frontier]) -> list[PayoffSegment]:
    return [segment for frontier in frontiers for segment in frontier]


def _mixed(frontiers: list[Frontier]) -> list[PayoffSegment]:
    """Return the children's segments, and those between ends of different children's."""
    ends = [{pair for s in frontier for pair in (s.low, s.high)} for frontier in frontiers]
    between = [
        PayoffSegment(min(v, w), max(v, w))
        for one, other in combinations(ends, 2)
        for v in one
        for w in other
    ]
    return _joined(frontiers) + between


def _has_averages(frontiers: list[Frontier], frontier: Frontier) -> bool:
    """Tell whether a frontier covers all averages of ends, also of those of one child.

    That is more than is needed, and where it holds spares looking at all pairs: averages lie below
    the line through the best ends.
    """
    best: list[tuple[Fraction, Fraction]] = []
    ends = {pair for below in frontiers for s in below for pair in (s.low, s.high)}
    for end in sorted(ends, reverse=True):
        if best and end[1] <= best[-1][1]:
            continue
        while len(best) > 1 and _is_average(best[-2], best[-1], end):
            best.pop()
        best.append(end)
    edges = [PayoffSegment(low, high) for high, low in pairwise(best)]
    listed = set(frontier)
    return all(
        edge in listed or is_covered(edge, frontier)
        for edge in edges or [PayoffSegment(best[0], best[0])]
    )


def _is_average(
    high: tuple[Fraction, Fraction],
    middle: tuple[Fraction, Fraction],
    low: tuple[Fraction, Fraction],
) -> bool:
    """Tell whether the middle pair is no better than an average of the others."""
    share = (middle[0] - low[0]) / (high[0] - low[0])
    return middle[1] <= low[1] + share * (high[1] - low[1])


def _picked(
    game: ExtensiveFormGame, node: int, frontiers: tuple[Frontier, ...], held: list[Fraction]
) -> list[PayoffSegment]:
    """Return the parts of the children's segments that the follower would not leave.

    A child gives the follower no less than what it is held down to there.
    """
    found: list[PayoffSegment] = []
    least = held[node]
    for child in _children(game, node):
        for segment in frontiers[child]:
            if segment.low[0] >= least:
                found.append(segment)
            elif segment.high[0] >= least:
                found.append(PayoffSegment((least, leader_at(segment, least)), segment.high))
    return found
