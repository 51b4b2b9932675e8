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
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product, zip_longest
from typing import TypeAlias

from gametheory_core import ExtensiveFormGame, NotConverged
from gametheory_core.arrays import ONE, ZERO
from gametheory_core.certificates.refinements import SequentialCertificate, certify_sequential
from gametheory_core.certificates.signaling_completeness import SignalingCompletenessCertificate
from gametheory_core.strategies import BehavioralProfile, TremblingProfile, trembling_profile
from gametheory_core.strategies.signaling import SignalingForm, is_signaling, signaling_form
from gametheory_core.strategies.trembles import require_possible_infosets
from solvers._programs.reply_vertices import Linear, Replies, Side, Vertex, vertices
from solvers.concepts import Concept
from solvers.requirements import Requirement, a_tree, perfect_recall, two_players
from solvers.solution import UNLIMITED, Budget, BudgetOver, OnIteration, Solution, SolutionSet
from solvers.solver import Answers, open_meter, solver
from solvers.trees.lemke_tableau import payoff_table

Pair: TypeAlias = tuple["Vertex", "Vertex"]  # of the sender, of the receiver

a_signaling_game = Requirement(
    "a signaling game: one player moves once, then another who sees a signal of it moves once",
    is_signaling,
)


@solver(
    Answers(Concept.ALL_SEQUENTIAL, rank=10, lists=True),
    takes=(a_tree, two_players, perfect_recall, a_signaling_game),
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
