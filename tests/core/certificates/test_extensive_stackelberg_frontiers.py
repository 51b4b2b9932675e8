"""Frontier certificates: what leaves out a pair of payoffs, anywhere, is rejected."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import certificates
from gametheory_core.certificates.extensive_stackelberg_frontiers import _has_averages, is_covered
from gametheory_core.testing import extensive_form_games
from solvers import perfect_information_commitment

open_trees = extensive_form_games(
    num_players=(2, 2), perfect_information=True, has_chance=False, max_depth=4, max_moves=8
)


def segment_of(rng):
    """Two pairs of payoffs, the follower's smaller one first; upright ones too."""
    numbers = [Fraction(int(n), int(rng.choice([1, 2, 3, 9]))) for n in rng.integers(-4, 5, 4)]
    ends = [tuple(numbers[:2]), (numbers[2 if rng.random() < 0.7 else 0], numbers[3])]
    return certificates.PayoffSegment(*sorted(ends, key=lambda pair: pair[0]))


def leader_on(segment, follower):
    """The leader's largest payoff on a segment where the follower gets so much; None if never."""
    (low, first), (high, second) = segment.low, segment.high
    if not low <= follower <= high:
        return None
    if low == high:
        return max(first, second)
    return first + (second - first) * (follower - low) / (high - low)


def is_as_good(segment, follower, leader):
    """Whether some pair of a segment is as good for both: an end, or the one at the follower's."""
    pairs = [segment.low, segment.high, (follower, leader_on(segment, follower))]
    return any(own is not None and other >= follower and own >= leader for other, own in pairs)


def crossings(segment, frontier):
    """Where the follower's payoff is that of an end, or the leader's that of a segment or end."""
    start, stop = segment.low[0], segment.high[0]
    cuts = {start, stop}
    for other in frontier:
        cuts |= {other.low[0], other.high[0]}
        corners = (
            other,
            *(
                certificates.PayoffSegment((start, end[1]), (stop, end[1]))
                for end in (other.low, other.high)
            ),
        )
        for line in corners if start < stop else ():
            if line.low[0] == line.high[0]:
                continue
            slopes = [(s.high[1] - s.low[1]) / (s.high[0] - s.low[0]) for s in (segment, line)]
            if slopes[0] != slopes[1]:
                ahead = line.low[1] - segment.low[1] + slopes[1] * (start - line.low[0])
                cuts.add(start + ahead / (slopes[0] - slopes[1]))
    return sorted(cut for cut in cuts if start <= cut <= stop)


def test_what_is_covered_has_a_pair_as_good_at_every_crossing_and_between():
    """Between crossings nothing changes, so their ends and middles show all."""
    rng, counts = np.random.default_rng(8), Counter()
    for _ in range(400):
        frontier = [segment_of(rng) for _ in range(rng.integers(1, 5))]
        own = segment_of(rng) if rng.random() < 0.5 else frontier[0]
        segment = lowered(own, Fraction(int(rng.integers(-1, 4)), 3))
        cuts = crossings(segment, frontier)
        looked_at = [*cuts, *((a + b) / 2 for a, b in pairwise(cuts))]
        expected = all(
            any(is_as_good(other, at, leader_on(segment, at)) for other in frontier)
            for at in looked_at
        )
        assert is_covered(segment, frontier) == expected
        counts[expected, segment.low[0] < segment.high[0]] += 1
    assert min(counts[kind] for kind in product([True, False], repeat=2)) > 20


def test_averages_are_had_exactly_where_segments_between_all_ends_are_covered():
    rng, counts = np.random.default_rng(5), Counter()
    for _ in range(150):
        children = [[segment_of(rng)] for _ in range(2)]
        ends = sorted({pair for own in children for s in own for pair in (s.low, s.high)})
        between = [
            certificates.PayoffSegment(v, w) for v, w in combinations_with_replacement(ends, 2)
        ]
        frontier = [s for s in between if rng.random() < 0.6]
        frontier += [lowered(s, Fraction(-1, 2)) for s in between if rng.random() < 0.1]
        expected = all(is_covered(s, frontier) for s in between)
        assert _has_averages(children, frontier) == expected
        counts[expected] += 1
    assert min(counts[True], counts[False]) > 30


def trust():
    reward = gt.Decision(0, "trusted", {"keep": gt.Terminal([3, -1]), "share": gt.Terminal([1, 1])})
    return gt.from_sketch(
        gt.Decision(1, "", {"no": gt.Terminal([0, 0]), "yes": reward}), players=("A", "B")
    )


def solved(commitment=certificates.CommitmentKind.BEHAVIORAL):
    return perfect_information_commitment(trust(), commitment=commitment).certificate


def lowered(segment, by):
    return certificates.PayoffSegment(
        (segment.low[0], segment.low[1] - by), (segment.high[0], segment.high[1] - by)
    )


@given(open_trees, st.sampled_from([0, 1]), st.sampled_from(certificates.CommitmentKind), st.data())
def test_lowering_the_root_or_an_end_is_noticed(game, leader, kind, data):
    found = perfect_information_commitment(game, leader=leader, commitment=kind).certificate
    ends = game.terminals.tolist()
    node = data.draw(st.sampled_from([0, *ends]))
    frontiers = list(found.frontiers)
    frontiers[node] = tuple(lowered(s, Fraction(1, 7)) for s in frontiers[node])
    with pytest.raises(gt.CertificateRejected, match="leaves out payoffs|claims upper bound"):
        replace(found, frontiers=tuple(frontiers)).verify()


def test_pure_frontiers_do_not_prove_mixed_commitments():
    pure = solved(certificates.CommitmentKind.PURE)
    assert pure.upper_bound == 1
    with pytest.raises(gt.CertificateRejected, match="leaves out payoffs"):
        replace(pure, commitment=certificates.CommitmentKind.BEHAVIORAL).verify()


def test_mixed_commitments_are_not_pure_ones():
    with pytest.raises(gt.CertificateRejected, match="needs a pure commitment"):
        replace(solved(), commitment=certificates.CommitmentKind.PURE).verify()


def test_a_gap_inside_a_segment_is_noticed():
    """Two parts that leave out a pair between them do not cover a segment."""
    found = solved()
    node = next(
        v
        for v, frontier in enumerate(found.frontiers)
        if any(s.low[0] < s.high[0] for s in frontier) and v
    )
    (whole,) = [s for s in found.frontiers[node] if s.low[0] < s.high[0]]

    def at(share):
        return tuple(a + share * (b - a) for a, b in zip(whole.low, whole.high, strict=True))

    def covered_by(*parts):
        frontiers = list(found.frontiers)
        frontiers[node] = parts
        return replace(found, frontiers=tuple(frontiers))

    third, half = Fraction(1, 3), Fraction(1, 2)
    covered_by(
        certificates.PayoffSegment(whole.low, at(half)),
        certificates.PayoffSegment(at(half), whole.high),
    ).verify()
    with pytest.raises(gt.CertificateRejected, match="leaves out payoffs"):
        covered_by(
            certificates.PayoffSegment(whole.low, at(third)),
            certificates.PayoffSegment(at(half), whole.high),
        ).verify()


@pytest.mark.parametrize(
    ("ends", "claimed"),
    [
        ([(3, 3), (1, 1)], [((3, 2), (3, 2))]),  # of one best end
        ([(9, 0), (5, 5), (0, 9)], [((0, 9), (9, 0))]),  # of an end above the line of two others
        ([(9, 0), (5, 5), (0, 9)], [((0, 9), (5, 5))]),  # of what lies beyond the last segment
        (
            [(9, 0), (5, 5), (0, 9)],
            [((0, 9), (5, 5)), ((7, "5/2"), (9, 0))],
        ),  # of what lies between
    ],
)
def test_what_a_leader_can_mix_has_to_be_covered(ends, claimed):
    """Pairs pay the follower first; the frontier above is as it should be."""
    below = {str(i): gt.Terminal([own, other]) for i, (other, own) in enumerate(ends)}
    root = gt.Decision(1, "", {"no": gt.Terminal([0, 0]), "yes": gt.Decision(0, "asked", below)})
    found = perfect_information_commitment(gt.from_sketch(root, players=("A", "B"))).certificate
    node = found.game.node_player.tolist().index(0)
    frontiers = list(found.frontiers)
    frontiers[node] = tuple(
        certificates.PayoffSegment(*(tuple(map(Fraction, pair)) for pair in pairs))
        for pairs in claimed
    )
    with pytest.raises(gt.CertificateRejected, match=f"frontier of node {node} leaves out payoffs"):
        replace(found, frontiers=tuple(frontiers)).verify()


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"leader": 1}, "best response|leaves out|claims"),
        ({"frontiers": ()}, "needs a frontier for each of 5 nodes"),
    ],
)
def test_claims_that_differ_are_rejected(change, match):
    with pytest.raises(gt.CertificateRejected, match=match):
        replace(solved(), **change).verify()


def test_segments_run_upwards():
    found = solved()
    turned = [certificates.PayoffSegment(s.high, s.low) for s in found.frontiers[0]]
    turned.append(
        certificates.PayoffSegment((Fraction(2), Fraction(0)), (Fraction(1), Fraction(0)))
    )
    with pytest.raises(gt.CertificateRejected, match="from low to high"):
        replace(found, frontiers=(tuple(turned), *found.frontiers[1:])).verify()


def test_other_games_are_rejected():
    lots = gt.Chance({"h": ("1/2", gt.Terminal([1, 0])), "t": ("1/2", gt.Terminal([0, 1]))})
    pennies = {a: gt.Decision(1, "b", {b: gt.Terminal([0, 0]) for b in "lr"}) for a in "lr"}
    for sketch, match in ((lots, "chance move"), (gt.Decision(0, "a", pennies), "cannot tell")):
        game = gt.from_sketch(sketch, players=("A", "B"))
        with pytest.raises(gt.CertificateRejected, match=match):
            certificates.certify_perfect_information_commitment(
                game,
                gt.uniform_behavior(game),
                leader=0,
                commitment=certificates.CommitmentKind.PURE,
                frontiers=(),
            )


def test_response_must_be_best():
    profile = gt.BehavioralProfile(([0, 1], [1, 0]))
    with pytest.raises(gt.CertificateRejected, match="needs a best response"):
        replace(solved(), profile=profile).verify()
