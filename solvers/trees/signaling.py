"""All extreme sequential equilibria of a signaling game, by supports.

In a signaling tree what an action earns is linear in the other player's behavior. A behavior is a
*vertex* if the actions that it plays, and the other's best replies that tie, determine it; every
sequential equilibrium is a mixture of pairs of vertices that are ones too. So each player's
supports are listed, and for each the ties among the other's replies that leave one solution of the
linear equations. A pair of vertices is an equilibrium if both play best replies, at signals that
are never sent to some weights on the ways to send them. Sending them by mistakes in this proportion
is what makes the belief consistent.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product, zip_longest
from typing import TypeAlias

from gametheory_core import ExtensiveFormGame, NotConverged
from gametheory_core.arrays import ONE, ZERO
from gametheory_core.certificates.refinements import SequentialCertificate, certify_sequential
from gametheory_core.certificates.signaling_completeness import SignalingCompletenessCertificate
from gametheory_core.strategies import BehavioralProfile, TremblingProfile, trembling_profile
from gametheory_core.strategies.signaling import SignalingForm, is_signaling, signaling_form
from gametheory_core.strategies.trembles import require_possible_infosets
from solvers.concepts import Concept
from solvers.requirements import Requirement, a_tree
from solvers.solution import UNLIMITED, Budget, BudgetOver, OnIteration, Solution, SolutionSet
from solvers.solver import Answers, open_meter, solver
from solvers.trees.lemke_tableau import payoff_table

Linear: TypeAlias = dict[int, Fraction]  # sequence -> coefficient
Replies: TypeAlias = dict[int, Linear]  # of one information set: sequence -> what it earns
Solved: TypeAlias = dict[int, tuple[Linear, Fraction]]  # variable = constant - linear form
Pair: TypeAlias = tuple["Vertex", "Vertex"]  # of the sender, of the receiver

a_signaling_game = Requirement(
    "a signaling game: one player moves once, then another who sees a signal of it moves once",
    is_signaling,
)


@solver(
    Answers(Concept.ALL_SEQUENTIAL, rank=10, lists=True),
    takes=(a_tree, a_signaling_game),
    unit="supports",
    because="one player answers another's signal: each pair of supports gives linear equations",
    page="refinements",
)
def signaling_equilibria(
    game: ExtensiveFormGame, *, budget: Budget = UNLIMITED, on_iteration: OnIteration | None = None
) -> SolutionSet[BehavioralProfile, SequentialCertificate]:
    """Find all extreme sequential equilibria of a signaling game, exactly.

    Args:
        game: Two players; one moves once in a play, and what is done leads to one information set
            of the other, who then moves once. Chance excludes no information set.
        budget: Iterations are supports, of both players.

    Returns:
        Complete: every sequential equilibrium is a mixture of these, player by player.
        ``completeness.isolated`` are the ones near which there are no others.

    Raises:
        NotConverged: If the budget ends first; ``best`` holds those found.

    Mixtures need not be equilibria. Where a signal is never sent, other beliefs may do as well;
    each certificate shows one. The number of supports is exponential in the number of types and
    signals.

    Source: :cite:`kreps1982sequential`.

    >>> from gametheory_core import load_game
    >>> found = signaling_equilibria(load_game("beer_quiche"))
    >>> sorted({str(solution.payoffs[0]) for solution in found.equilibria})  # pooling on either
    ['21/10', '29/10']
    """
    meter = open_meter(budget, on_iteration)
    signaling = signaling_form(game)
    require_possible_infosets(game)
    search = _search(signaling)
    points: tuple[list[Vertex], list[Vertex]] = ([], [])
    is_complete = True
    try:
        for side, own in zip(search.sides, points, strict=True):
            for vertex in vertices(side, meter.tick):
                own.append(vertex)
    except BudgetOver:
        is_complete = False
    trembles = {
        (x, y): found for x, y in product(*points) if (found := _trembles(search, x, y)) is not None
    }
    certificates = [certify_sequential(game, found) for found in trembles.values()]
    completeness, evidence = None, f"the budget ended after {meter.iterations:,} supports"
    if is_complete:
        profiles = tuple(c.profile for c in certificates)
        is_alone = _isolated(search, list(trembles))
        isolated = tuple(p for p, alone in zip(profiles, is_alone, strict=True) if alone)
        completeness = SignalingCompletenessCertificate(game, profiles, isolated)
        evidence = (
            f"all extreme sequential equilibria, {len(isolated)} of them isolated: all "
            f"{meter.iterations:,} supports gave {len(points[0])} and {len(points[1])} vertices"
        )
    run = meter.record()
    solutions = tuple(Solution(c.profile, c.payoffs, c, run) for c in certificates)
    found = SolutionSet(game, solutions, is_complete, evidence, completeness, run)
    if not is_complete:
        raise NotConverged(
            needs="all supports of both players",
            found=evidence,
            remedy="Give a larger budget, or use the exception's best.",
            best=found,
        )
    return found


@dataclass(frozen=True)
class Side:
    """A player's sequences by information set, and what the other's replies earn there."""

    blocks: tuple[tuple[int, ...], ...]
    replies: tuple[Replies, ...]


@dataclass(frozen=True, eq=False)
class Vertex:
    """A behavior: shares of the sequences played, and the other's best replies to it."""

    shares: Linear
    best: frozenset[int]

    @property
    def played(self) -> frozenset[int]:
        """The sequences that are played."""
        return frozenset(self.shares)


@dataclass(frozen=True, eq=False)
class _Search:
    """A game in linear forms.

    Attributes:
        sides: The sender's, then the receiver's.
        signals: The sender's sequences that lead to each, the receiver's there, and the vertices of
            weights on the former.
    """

    signaling: SignalingForm
    sides: tuple[Side, Side]
    signals: list[tuple[tuple[int, ...], tuple[int, ...], list[Vertex]]]


def _search(signaling: SignalingForm) -> _Search:
    sender, receiver = signaling.sender, signaling.receiver
    sides = _side(signaling, sender, receiver), _side(signaling, receiver, sender)
    explained = _explained(signaling, sides[0])
    signals = list(zip(signaling.signals, sides[1].blocks, explained, strict=True))
    return _Search(signaling, sides, signals)


def _side(signaling: SignalingForm, player: int, other: int) -> Side:
    """Return a player's side; what is earned in any case is earned at the first information set."""
    form = signaling.form
    table = payoff_table(form, other)
    blocks, others = (
        [
            tuple(range(own.first_sequence[k], own.first_sequence[k + 1]))
            for k in range(len(own.infosets))
        ]
        for own in (form.players[player], form.players[other])
    )

    def earned(reply: int) -> Linear:
        row = table[reply]
        sure = row.get(0, 0)
        sums = {s: row.get(s, 0) + sure * (s in blocks[0]) for block in blocks for s in block}
        return {s: Fraction(value) for s, value in sums.items() if value}

    replies = tuple({reply: earned(reply) for reply in block} for block in others)
    return Side(tuple(blocks), replies)


def _nothing() -> None:
    """Count nothing."""


def vertices(side: Side, tick: Callable[[], None] = _nothing) -> Iterator[Vertex]:
    """List the behaviors that their supports, and best replies that tie, determine."""
    seen: set[tuple[tuple[int, Fraction], ...]] = set()
    for supports in product(*map(_subsets, side.blocks)):
        tick()
        solved = {own[0]: (dict.fromkeys(own[1:], ONE), ONE) for own in supports}
        played = {s for own in supports for s in own}
        groups = [
            {reply: {s: v for s, v in row.items() if s in played} for reply, row in group.items()}
            for group in side.replies
        ]
        for shares, ties in _determined(solved, groups, len(played)):
            key = tuple(sorted(shares.items()))
            best = _best_replies(groups, shares)
            if key not in seen and all(best.issuperset(tie) for tie in ties):
                seen.add(key)
                yield Vertex(shares, best)


def _subsets(members: Sequence[int], least: int = 1) -> list[tuple[int, ...]]:
    """List the subsets with at least so many members."""
    sizes = range(least, len(members) + 1)
    return [subset for size in sizes for subset in combinations(members, size)]


def _best_replies(groups: Iterable[Replies], shares: Linear) -> frozenset[int]:
    best: list[int] = []
    for group in groups:
        earned = {
            reply: sum((value * shares[s] for s, value in row.items()), ZERO)
            for reply, row in group.items()
        }
        most = max(earned.values())
        best += [reply for reply, value in earned.items() if value == most]
    return frozenset(best)


def _determined(
    solved: Solved, groups: Sequence[Replies], count: int
) -> Iterator[tuple[Linear, list[tuple[int, ...]]]]:
    """Let replies tie until one positive solution is left; return it, and which replies tie."""
    if len(solved) == count:
        yield {s: constant for s, (_, constant) in solved.items()}, []
        return
    if len(solved) + sum(len(group) - 1 for group in groups) < count:
        return
    group, *rest = groups
    yield from _determined(solved, rest, count)
    for tie in _subsets(tuple(group), least=2):
        first, *others = (group[reply] for reply in tie)
        more: Solved | None = solved
        for row in others:
            gap = {s: row.get(s, ZERO) - first.get(s, ZERO) for s in {**row, **first}}
            more = None if more is None else _with(more, gap)
        if more is not None and len(more) > len(solved):
            for shares, ties in _determined(more, rest, count):
                yield shares, [tie, *ties]


def _with(solved: Solved, form: Linear) -> Solved | None:
    """Let a linear form be 0 too; None if no positive solution is left, as far as signs tell."""
    left: Linear = {}
    constant = ZERO  # form = left - constant
    for s, value in form.items():
        inner, known = solved.get(s, ({s: -ONE}, ZERO))
        constant -= value * known
        for v, factor in inner.items():
            left[v] = left.get(v, ZERO) - value * factor
    left = {v: value for v, value in left.items() if value}
    if not left:
        return None if constant else solved
    pivot, scale = next(iter(left.items()))
    rest = {v: value / scale for v, value in left.items() if v != pivot}
    constant /= scale
    more: Solved = {pivot: (rest, constant)}
    for s, (inner, known) in solved.items():
        factor = inner.get(pivot, ZERO)
        changed = dict(inner)
        if factor:
            del changed[pivot]
            for v, value in rest.items():
                changed[v] = changed.get(v, ZERO) - factor * value
            changed = {v: value for v, value in changed.items() if value}
        more[s] = changed, known - factor * constant
    if any(known <= 0 and min(inner.values(), default=ZERO) >= 0 for inner, known in more.values()):
        return None
    return more


def _explained(signaling: SignalingForm, sender: Side) -> list[list[Vertex]]:
    """List, for each signal, the vertices of the weights on the sequences that lead there."""
    return [
        list(vertices(Side((ways,), (_only(group, ways),))))
        for ways, group in zip(signaling.signals, sender.replies, strict=True)
    ]


def _only(group: Replies, ways: Sequence[int]) -> Replies:
    return {r: {s: v for s, v in row.items() if s in ways} for r, row in group.items()}


def _explanation(explained: Iterable[Vertex], played: frozenset[int]) -> Vertex | None:
    """Return weights to which all that is played is a best reply; None if there are none."""
    return next((weights for weights in explained if played <= weights.best), None)


def _trembles(search: _Search, x: Vertex, y: Vertex) -> TremblingProfile | None:
    """Return mistakes that explain two vertices as an equilibrium; None if they are none.

    Where a signal is never sent, the mistakes that its weights ask for are of order epsilon, and
    others that send it of order epsilon squared.
    """
    if not x.played <= y.best:
        return None
    slips: dict[int, list[Fraction]] = {}
    for ways, own, explained in search.signals:
        played = y.played.intersection(own)
        if x.played.intersection(ways):
            if not played <= x.best:
                return None
            continue
        weights = _explanation(explained, played)
        if weights is None:
            return None
        for s in ways:
            slips[s] = [ZERO, weights.shares[s]] if s in weights.played else [ZERO, ZERO, ONE]
    sender, receiver = search.sides
    behavior = (
        [trembling(block, x.shares, slips) for block in sender.blocks],
        [trembling(block, y.shares, {}) for block in receiver.blocks],
    )
    first = search.signaling.sender
    return trembling_profile(search.signaling.form.game, behavior[first] + behavior[1 - first])


def trembling(
    block: Sequence[int], shares: Linear, slips: Mapping[int, list[Fraction]]
) -> list[list[Fraction]]:
    """Give actions that are not played their slips, or epsilon, and take that from the others.

    Args:
        block: All actions.
        shares: Of those that are played.
        slips: Coefficients from the constant on, which is 0.
    """
    found = {s: slips.get(s, [ZERO, ONE]) for s in block if s not in shares}
    total = [sum(terms, ZERO) for terms in zip_longest(*found.values(), fillvalue=ZERO)]
    return [
        found[s] if s in found else [shares[s], *(-shares[s] * slip for slip in total[1:])]
        for s in block
    ]


def _isolated(search: _Search, pairs: Sequence[Pair]) -> list[bool]:
    """Tell of each equilibrium whether none of its mixtures with another one is an equilibrium too.

    Where only the sender's behavior differs, all mixtures are; where only the receiver's does, they
    are if beliefs explain at every signal what either of them does.
    """
    partners: dict[Vertex, list[Vertex]] = {}
    for x, y in pairs:
        partners.setdefault(x, []).append(y)
    senders = Counter(y for _, y in pairs)

    def joined(y: Vertex, other: Vertex) -> bool:
        played = y.played | other.played
        return all(
            _explanation(explained, played.intersection(own)) is not None
            for _, own, explained in search.signals
        )

    return [
        senders[y] == 1 and not any(joined(y, other) for other in partners[x] if other is not y)
        for x, y in pairs
    ]
