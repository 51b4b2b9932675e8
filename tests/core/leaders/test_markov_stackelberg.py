"""Certificates of leaders in Markov games: true ones pass, and no forged one does."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gametheory_core import CertificateRejected, catalog
from gametheory_core.conversions import posg_from_tables
from gametheory_core.leaders import (
    DeterministicLeader,
    FollowerClass,
    FollowerTies,
    LeaderCommitment,
    MarkovStackelbergCertificate,
    StationaryFollower,
    TimedFollower,
    certify_markov_stackelberg,
    follower_response,
    leader_games,
    leader_policies,
    leader_returns,
    leader_view,
    num_leader_policies,
    num_stationary_followers,
    response_returns,
)
from gametheory_core.leaders.markov_stackelberg_bounds import (
    OPEN,
    BoundTask,
    Leaves,
    leaf_bounds,
    open_policy,
)
from gametheory_core.leaders.markov_stackelberg_optima import OptimalPattern
from solvers.leaders import markov_stackelberg, markov_stackelberg_optima
from tests.sample_sizes import examples

TIMED, STATIONARY = FollowerClass
STRONG, WEAK = FollowerTies
CONVENTIONS = list(product(FollowerClass, FollowerTies))
NAMED = pytest.mark.parametrize(
    "convention", CONVENTIONS, ids=lambda c: f"{c[0].value}-{c[1].value}"
)
DILEMMA = catalog.iterated_prisoners_dilemma()
DILEMMA_VIEW = leader_view(DILEMMA)


@cache
def solved(convention, game=DILEMMA):
    follower_class, ties = convention
    return markov_stackelberg(game, follower_class=follower_class, ties=ties).certificate


def certified_anew(convention, **changes):
    """Certify the solution of the dilemma by other means."""
    own = solved(convention)
    kept = ("multipliers", "witnesses", "nodes", "response_nodes")
    return certify_markov_stackelberg(
        DILEMMA_VIEW.game,
        own.commitment,
        leader=0,
        follower_class=convention[0],
        ties=convention[1],
        **({name: getattr(own, name) for name in kept} | changes),
    )


def few_enough(view):
    return num_leader_policies(view) * num_stationary_followers(view) <= 2_000


def all_followers(view):
    seen = range(len(view.game.observations[view.follower]))
    legal = [view.follower_actions(o) or (-1,) for o in seen]
    return [StationaryFollower(actions) for actions in product(*legal)]


@st.composite
def tasks(draw):
    """Draw a game, what to bound in it, and a partial policy of the leader."""
    view = draw(leader_games(max_states=4, max_observations=3).filter(few_enough))
    follower_class, ties = draw(st.sampled_from(CONVENTIONS))
    witnesses = ()
    if follower_class is STATIONARY:
        known = all_followers(view)
        witnesses = tuple(draw(st.lists(st.sampled_from(known), max_size=3, unique=True)))
    steps = draw(st.lists(st.integers(1, 12), max_size=3, unique=True))
    multipliers = (Fraction(0), *(Fraction(step, 4) for step in sorted(steps)))
    task = BoundTask(view, follower_class, ties, multipliers, witnesses, draw(st.booleans()))
    leaders = np.array([policy.actions for policy in leader_policies(view)], dtype=np.int32)
    pattern = leaders[draw(st.integers(0, len(leaders) - 1))].copy()
    for o in range(len(pattern)):
        if pattern[o] >= 0 and draw(st.booleans()):
            pattern[o] = OPEN
    return task, leaders, pattern


def completions(task, leaders, pattern):
    """Return what is bounded, and the follower's return, for all leaders of a pattern."""
    own = leaders[((pattern == OPEN) | (pattern == leaders)).all(axis=1)]
    found = response_returns(task.view, own, follower_class=task.follower_class, ties=task.ties)
    sign = -1 if task.is_negated else 1
    pairs = found.numerators.tolist()
    return [
        (Fraction(sign * a, found.denominator), Fraction(b, found.denominator)) for a, b in pairs
    ]


def bound_of(task, leader, follower):
    leaves = Leaves(np.array([leader], dtype=np.int32), np.array([follower], dtype=np.int32))
    return leaf_bounds(task, leaves)[0]


@examples(100)
@given(tasks())
def test_bounds_hold_for_every_completion(drawn):
    """The heart of the proof, against enumeration, for both classes, ties and signs."""
    task, leaders, pattern = drawn
    bound = bound_of(task, pattern, open_policy(task.view, task.view.follower))
    paid = completions(task, leaders, pattern)
    assert bound.upper is not None
    assert bound.upper >= max(own for own, _ in paid)
    assert bound.follower_upper >= max(other for _, other in paid)


@given(tasks())
def test_bounds_are_exact_without_open_observations(drawn):
    task, leaders, pattern = drawn
    leader = leaders[((pattern == OPEN) | (pattern == leaders)).all(axis=1)][0]
    (exact,) = completions(task, leaders, leader)
    if task.follower_class is TIMED:
        found = bound_of(task, leader, open_policy(task.view, task.view.follower))
        assert (found.upper, found.follower_upper) == exact
    else:
        followers = all_followers(task.view)
        full = replace(task, witnesses=tuple(followers))
        bounds = [bound_of(full, leader, policy.actions).upper for policy in followers]
        assert max(upper for upper in bounds if upper is not None) == exact[0]


def test_an_answer_that_may_be_best_is_not_surely_best():
    """The follower stays out if the leader, whose answer is open, would hurt her inside."""
    out, inside, end = "out", "inside", "end"
    pays = {("start", (0, 0)): (inside, 0, 0), ("start", (0, 1)): (end, 10, 1)}
    pays |= {(inside, (a, 0)): (end, 0, 2 - 2 * a) for a in (0, 1)}
    shown = {inside: {(inside, inside): 1}, end: {(out, out): 1}}
    game = posg_from_tables(
        players=("leader", "follower"),
        actions=[(0, 1), (0, 1)],
        initial={"start": 1},
        initial_observations={"start": {(out, out): 1}},
        transitions={key: {after: 1} for key, (after, _, _) in pays.items()},
        rewards={(*key, after): tuple(paid) for key, (after, *paid) in pays.items()},
        observations={(joint, after): shown[after] for (_, joint), (after, _, _) in pays.items()},
        legal_actions={(0, out): (0,), (1, inside): (0,)},
        terminal=[end],
        horizon=2,
    )
    view = leader_view(game)
    for ties in FollowerTies:
        task = BoundTask(view, TIMED, ties, (Fraction(0),))
        bound = bound_of(task, open_policy(view, 0), open_policy(view, 1))
        assert bound.upper == 10


@NAMED
def test_true_certificates_pass_and_say_what_they_claim(convention):
    certificate = solved(convention)
    certificate.verify()
    follower_class, ties = convention
    text = certificate.statement
    assert follower_class.value in text
    assert f"breaks ties {'for' if ties is STRONG else 'against'} the leader" in text
    assert "no deterministic memoryless leader gets more" in text
    assert str(certificate.leader_value) in text


@NAMED
def test_trees_that_leave_leaders_out_are_rejected(convention):
    certificate = solved(convention)
    nodes = certificate.nodes
    with pytest.raises(CertificateRejected, match="branches have no end"):
        replace(certificate, nodes=nodes[:-1]).verify()
    with pytest.raises(CertificateRejected, match="branches have no end"):
        replace(certificate, nodes=()).verify()
    with pytest.raises(CertificateRejected, match="go on after the end"):
        replace(certificate, nodes=(*nodes, -1)).verify()
    for wrong in (-2, 99, 10, nodes[0]):  # the last is fixed already, below the root
        with pytest.raises(CertificateRejected, match="still open|have no end"):
            replace(certificate, nodes=(nodes[0], wrong, -1, -1, -1)).verify()


@NAMED
def test_trees_that_prove_less_do_not_prove_the_bound(convention):
    certificate = solved(convention)
    with pytest.raises(CertificateRejected, match="claims upper bound"):
        replace(certificate, nodes=(-1,)).verify()
    loose = certified_anew(convention, nodes=(-1,))
    assert loose.epsilon > 0
    assert "and no deterministic memoryless leader gets more than" in loose.statement


@pytest.mark.parametrize(
    "multipliers", [(), (Fraction(1),), (0, -1), (0, 1, 1), (0, 2, 1), (-1, 0, 1)]
)
def test_multipliers_must_ascend_from_zero(multipliers):
    certificate = solved((TIMED, STRONG))
    forged = replace(certificate, multipliers=tuple(map(Fraction, multipliers)))
    with pytest.raises(CertificateRejected, match="multipliers that ascend from 0"):
        forged.verify()


@examples(30)
@given(st.lists(st.integers(1, 40), max_size=4, unique=True), st.sampled_from(CONVENTIONS))
def test_other_multipliers_never_prove_too_much(steps, convention):
    """Any ascending ones give true bounds; with them the claim holds or is refused."""
    multipliers = (Fraction(0), *(Fraction(step, 8) for step in sorted(steps)))
    try:
        replace(solved(convention), multipliers=multipliers).verify()
    except CertificateRejected as error:
        assert "upper bound" in str(error)  # noqa: PT017


def test_the_other_class_is_rejected():
    timed, fixed = solved((TIMED, STRONG)), solved((STATIONARY, STRONG))
    with pytest.raises(CertificateRejected, match="StationaryFollower"):
        replace(timed, follower_class=STATIONARY).verify()
    with pytest.raises(CertificateRejected, match="witnesses for stationary followers only"):
        replace(fixed, follower_class=TIMED).verify()
    with pytest.raises(CertificateRejected, match="TimedFollower"):
        replace(fixed, follower_class=TIMED, witnesses=()).verify()
    at_all_times = LeaderCommitment(
        fixed.commitment.leader_policy,
        TimedFollower((fixed.commitment.follower_policy.actions,) * 10),
    )
    with pytest.raises(CertificateRejected, match="still open|needs a best response"):
        replace(
            fixed, follower_class=TIMED, witnesses=(), commitment=at_all_times, response_nodes=(-1,)
        ).verify()


def test_the_other_ties_are_rejected_where_they_differ():
    game = catalog.iterated_hero(rounds=3)
    leader = DeterministicLeader((1, 0, 1, 1, 0))
    view = leader_view(game)
    for follower_class in FollowerClass:
        strong, weak = (
            follower_response(view, leader, follower_class=follower_class, ties=ties)
            for ties in FollowerTies
        )
        assert strong.returns[0] > weak.returns[0]
        certificate = markov_stackelberg(game, follower_class=follower_class).certificate
        assert certificate.leader_value == strong.returns[0]
        forged = replace(
            certificate,
            ties=WEAK,
            commitment=LeaderCommitment(leader, strong.policy),
            follower_value=strong.returns[1],
        )
        with pytest.raises(CertificateRejected, match="ties broken"):
            forged.verify()


@NAMED
def test_every_other_answer_of_the_follower_is_rejected_unless_as_good(convention):
    """All 32 stationary answers, and all single changes of a timed one."""
    certificate = solved(convention)
    own = certificate.commitment
    returns = (certificate.leader_value, certificate.follower_value)
    if convention[0] is STATIONARY:
        others = all_followers(DILEMMA_VIEW)
    else:
        table = np.array(own.follower_policy.actions)
        others = []
        for place in np.argwhere(table >= 0):
            changed = table.copy()
            changed[tuple(place)] = 1 - changed[tuple(place)]
            others.append(TimedFollower(tuple(map(tuple, changed.tolist()))))
    rejected = 0
    for other in others:
        forged = replace(certificate, commitment=LeaderCommitment(own.leader_policy, other))
        if leader_returns(DILEMMA_VIEW, own.leader_policy, other) == returns:
            continue
        rejected += 1
        with pytest.raises(CertificateRejected, match="needs a best response|claims"):
            forged.verify()
    assert rejected >= 5


@NAMED
def test_no_worse_leader_passes_with_an_honest_response(convention):
    follower_class, ties = convention
    certificate = solved(convention)
    for policy in leader_policies(DILEMMA_VIEW):
        found = follower_response(DILEMMA_VIEW, policy, follower_class=follower_class, ties=ties)
        if found.returns[0] == certificate.leader_value:
            continue
        forged = replace(
            certificate,
            commitment=LeaderCommitment(policy, found.policy),
            leader_value=certificate.leader_value,
            follower_value=found.returns[1],
        )
        with pytest.raises(CertificateRejected, match="markov-stackelberg certificate"):
            forged.verify()


@examples(100)
@given(st.sampled_from(CONVENTIONS), st.data())
def test_no_tree_proves_less_than_a_leader_earns(convention, data):
    """Trees, witnesses and multipliers at random: what they prove holds, or they are rejected."""
    certificate = solved(convention)
    known = all_followers(DILEMMA_VIEW) if convention[0] is STATIONARY else []
    nodes = list(certificate.nodes)
    for _ in range(data.draw(st.integers(0, 3))):
        place = data.draw(st.integers(0, len(nodes) - 1))
        nodes[place] = data.draw(st.integers(-1, 9))
    witnesses = tuple(data.draw(st.lists(st.sampled_from(known), max_size=4))) if known else ()
    try:
        found = certified_anew(
            convention,
            multipliers=certificate.multipliers[: data.draw(st.integers(1, 4))],
            witnesses=witnesses,
            nodes=tuple(nodes),
        )
    except CertificateRejected:
        return
    assert found.upper_bound >= certificate.leader_value


def test_policies_that_do_not_fit_are_rejected():
    certificate = solved((STATIONARY, STRONG))
    own = certificate.commitment
    for leader in ((1, 0, 1, 0), (1, 0, 1, 0, 2), (1, 0, 1, 0, -2)):
        forged = replace(own, leader_policy=DeterministicLeader(leader))
        with pytest.raises(CertificateRejected, match="needs (a tuple of 5|one of the) actions"):
            replace(certificate, commitment=forged).verify()
    with pytest.raises(CertificateRejected, match="needs one of the actions"):
        replace(certificate, witnesses=(StationaryFollower((0, 0, 0, 0, 7)),)).verify()
    with pytest.raises(CertificateRejected, match="leader from 0 to 1"):
        replace(certificate, leader=2).verify()


def test_response_trees_must_be_whole():
    certificate = solved((STATIONARY, WEAK))
    with pytest.raises(CertificateRejected, match="branches have no end"):
        replace(certificate, response_nodes=()).verify()
    with pytest.raises(CertificateRejected, match="single leaf"):
        replace(solved((TIMED, WEAK)), response_nodes=(-1, -1)).verify()


# All optima


def optima(convention, game=DILEMMA):
    follower_class, ties = convention
    found = markov_stackelberg_optima(game, follower_class=follower_class, ties=ties)
    return found.certificate


@NAMED
@pytest.mark.parametrize(
    "stage", [catalog.iterated_stag_hunt, catalog.iterated_hero, catalog.iterated_battle]
)
def test_lists_that_lack_an_optimum_or_hold_another_are_rejected(convention, stage):
    certificate = optima(convention, stage(rounds=4))
    certificate.verify()
    first, *rest = certificate.patterns
    closed = tuple(1 if a == OPEN else a for a in first.actions)
    narrower = (OptimalPattern(closed, first.nodes), *rest)
    o = next(k for k, a in enumerate(first.actions) if a != OPEN)
    flipped = (*first.actions[:o], 1 - first.actions[o], *first.actions[o + 1 :])
    free = 2 ** first.actions.count(OPEN)
    total = certificate.num_optimal
    forgeries = [
        replace(certificate, patterns=tuple(rest), num_optimal=total - free),
        replace(certificate, patterns=(OptimalPattern(flipped, first.nodes), *rest)),
        replace(certificate, num_optimal=total + 1),
        replace(certificate, leader_value=certificate.leader_value - 1),
        replace(certificate, leader_value=certificate.leader_value + 1),
        replace(certificate, patterns=(first, first, *rest), num_optimal=total + free),
        replace(certificate, nodes=(-1,)),
        replace(certificate, patterns=(replace(first, nodes=()), *rest)),
        replace(certificate, patterns=(replace(first, actions=first.actions[1:]), *rest)),
    ]
    if closed != first.actions:
        forgeries.append(replace(certificate, patterns=narrower, num_optimal=total - free + 1))
    for forged in forgeries:
        with pytest.raises(CertificateRejected, match="certificate"):
            forged.verify()


def test_a_value_that_all_listed_leaders_exceed_is_rejected():
    """All leaders earn at least so much, but some earn more."""
    certificate = optima((TIMED, STRONG))
    task = BoundTask(DILEMMA_VIEW, TIMED, STRONG, certificate.multipliers, is_negated=True)
    root = open_policy(DILEMMA_VIEW, 0)
    least = bound_of(task, root, open_policy(DILEMMA_VIEW, 1)).upper
    forged = replace(
        certificate, leader_value=-least, patterns=(OptimalPattern(root, (-1,)),), num_optimal=32
    )
    with pytest.raises(CertificateRejected, match="leaves room"):
        forged.verify()


def test_optima_say_how_many():
    text = optima((TIMED, STRONG), catalog.iterated_chicken()).statement
    assert "exactly 4 of the deterministic memoryless policies" in text
    assert "every other one gets less" in text


@given(leader_games(max_states=4, max_observations=3).filter(few_enough), st.data())
def test_no_list_passes_that_is_wrong(view, data):
    """Patterns at random, with any value and a tree that fixes everything."""
    ties = data.draw(st.sampled_from(list(FollowerTies)))
    leaders = [policy.actions for policy in leader_policies(view)]
    found = response_returns(view, leaders, ties=ties)
    paid = [Fraction(int(x), found.denominator) for x in found.numerators[:, 0]]
    true = {own for own, value in zip(leaders, paid, strict=True) if value == max(paid)}
    listed = data.draw(st.sets(st.sampled_from(leaders), min_size=1, max_size=4))
    assume(listed != true)
    certificate = markov_stackelberg_optima(view, leader=view.leader, ties=ties).certificate
    forged = replace(
        certificate,
        patterns=tuple(OptimalPattern(own, (-1,)) for own in sorted(listed)),
        num_optimal=len(listed),
        leader_value=data.draw(st.sampled_from(paid)),
        nodes=full_tree(view),
    )
    with pytest.raises(CertificateRejected, match="markov-stackelberg-optima"):
        forged.verify()


def full_tree(view):
    """Return the tree that splits on every observation with a choice."""
    tree = (-1,)
    for o in reversed(range(len(view.game.observations[view.leader]))):
        count = len(view.leader_actions(o))
        if count > 1:
            tree = (o, *(tree * count))
    return tree


def test_certificates_are_of_their_own_kind():
    assert MarkovStackelbergCertificate.kind == "markov-stackelberg"
