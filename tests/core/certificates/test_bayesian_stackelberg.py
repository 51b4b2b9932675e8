"""Bayesian Stackelberg certificates accept what is proved and reject every changed number."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import BayesianGame, CertificateRejected, MixedProfile
from gametheory_core.certificates import certify_bayesian_stackelberg
from gametheory_core.certificates.bayesian_stackelberg import LEAF, BoundNode, ResponseMultiplier
from gametheory_core.evaluation.payoffs import bayesian_payoffs
from tests.sample_sizes import examples
from tests.solvers.stackelberg.leader_games import bayesian_games

ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)
HAIR = Fraction(1, 10**30)
# The first type is the game of the textbook: mixing half and half earns 7/2 with its second column.
# The second type does not care, and pays the leader 1 or, if friendly, 3.
GAME = BayesianGame.from_payoffs(
    [[[2, 4], [1, 3]], [[1, 3], [1, 3]]],
    [[[1, 0], [0, 1]], [[0, 0], [0, 0]]],
    prior=["1/3", "2/3"],
    types=("keen", "idle"),
)
PROFILE = MixedProfile(([HALF, HALF], [ZERO, ONE], [ZERO, ONE]))
KEEN = (ResponseMultiplier(0, 1, 0, HALF),)
TREE = (BoundNode(0), BoundNode(LEAF), BoundNode(LEAF, KEEN))
VALUE = Fraction(7, 6) + 2
AFTER = "go on after the end"


def certificate():
    return certify_bayesian_stackelberg(GAME, PROFILE, nodes=TREE)


def leaf(*multipliers):
    return (BoundNode(0), BoundNode(LEAF), BoundNode(LEAF, multipliers))


def test_proved_optimum_is_accepted():
    claim = certificate()
    assert (claim.leader_payoff, claim.upper_bound, claim.epsilon) == (VALUE, VALUE, 0)
    assert "19/6" in claim.statement
    assert "no commitment gets more (" in claim.statement
    claim.verify()


def test_bound_that_is_not_tight_is_stated():
    claim = certify_bayesian_stackelberg(GAME, PROFILE, nodes=(BoundNode(LEAF),))
    assert claim.upper_bound == Fraction(4, 3) + 2
    assert "more than 10/3" in claim.statement
    claim.verify()


def test_tree_may_split_on_every_type():
    inner = (BoundNode(1), BoundNode(LEAF, KEEN), BoundNode(LEAF, KEEN))
    claim = certify_bayesian_stackelberg(
        GAME, PROFILE, nodes=(BoundNode(0), BoundNode(LEAF), *inner)
    )
    assert claim.epsilon == 0
    claim.verify()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"nodes": leaf(ResponseMultiplier(0, 1, 0, HALF + HAIR))}, "claims upper bound"),
        ({"nodes": leaf(ResponseMultiplier(0, 1, 0, HALF - HAIR))}, "claims upper bound"),
        ({"nodes": leaf(ResponseMultiplier(0, 1, 0, -HAIR))}, "at least 0, each once"),
        ({"nodes": leaf(*KEEN, *KEEN)}, "at least 0, each once"),
        ({"nodes": leaf(ResponseMultiplier(2, 0, 0, ONE))}, "type 2, actions 0 and 0"),
        ({"nodes": leaf(ResponseMultiplier(-1, 0, 0, ONE))}, "for type -1"),
        ({"nodes": leaf(ResponseMultiplier(0, 2, 0, ONE))}, "actions 2 and 0"),
        ({"nodes": leaf(ResponseMultiplier(0, 0, -1, ONE))}, "actions 0 and -1"),
        ({"nodes": (BoundNode(0), BoundNode(LEAF, KEEN))}, "1 branches have no end"),
        ({"nodes": ()}, "1 branches have no end"),
        ({"nodes": (*TREE, BoundNode(LEAF))}, AFTER),
        ({"nodes": (BoundNode(2), *TREE[1:])}, "branches on types 0 to 1"),
        ({"nodes": (BoundNode(-2), *TREE[1:])}, "branches on types 0 to 1"),
        ({"nodes": (BoundNode(0), BoundNode(0), *TREE[1:])}, "one is on 0"),
        (
            {"profile": MixedProfile(([HALF + HAIR, HALF - HAIR], [ZERO, ONE], [ZERO, ONE]))},
            "best responses to the commitment, but '2' of type 'keen'",
        ),
        (
            {"profile": MixedProfile(([HALF - HAIR, HALF + HAIR], [ZERO, ONE], [ZERO, ONE]))},
            "claims leader payoff",
        ),
        (
            {"profile": MixedProfile(([HALF, HALF], [ZERO, ONE], [HAIR, ONE - HAIR]))},
            "favorite among best responses, but '1' of type 'idle'",
        ),
        (
            {"profile": MixedProfile(([HALF, HALF], [ONE, ZERO], [ZERO, ONE]))},
            "favorite among best responses, but '1' of type 'keen'",
        ),
        ({"profile": PROFILE.to_float()}, "holds floats"),
        ({"profile": MixedProfile(([HALF, HALF], [ZERO, ONE]))}, "needs strategies over"),
        ({"game": replace(GAME, prior=(HALF, HALF))}, "claims leader payoff"),
    ],
)
def test_changed_certificate_is_rejected(change, message):
    with pytest.raises(CertificateRejected, match=message):
        replace(certificate(), **change).verify()


@examples(100)
@given(bayesian_games(), st.data())
def test_no_tree_of_any_multipliers_bounds_below_what_some_commitment_earns(game, data):
    """Soundness: whatever the tree says, every commitment stays below its bound."""
    nodes = random_tree(game, data.draw)
    weights = data.draw(
        st.lists(st.integers(0, 5), min_size=game.num_actions[0], max_size=game.num_actions[0])
    )
    weights[0] += not any(weights)
    profile = friendly(game, [Fraction(weight, sum(weights)) for weight in weights])
    claim = certify_bayesian_stackelberg(game, profile, nodes=nodes)
    claim.verify()
    assert claim.leader_payoff == bayesian_payoffs(game, profile)[0] <= claim.upper_bound


def random_tree(game, draw, fixed=()):
    left = [t for t in range(game.num_types) if t not in fixed]
    if left and draw(st.booleans()):
        t = draw(st.sampled_from(left))
        children = [random_tree(game, draw, (*fixed, t)) for _ in range(game.num_actions[1 + t])]
        return (BoundNode(t), *(node for child in children for node in child))
    places = [
        (t, b, c)
        for t in range(game.num_types)
        for b in range(game.num_actions[1 + t])
        for c in range(game.num_actions[1 + t])
    ]
    chosen = draw(st.lists(st.sampled_from(places), unique=True, max_size=4))
    share = st.fractions(0, 3, max_denominator=4)
    return (BoundNode(LEAF, tuple(ResponseMultiplier(*place, draw(share)) for place in chosen)),)


def friendly(game, strategy):
    """Answer a commitment with the leader's favorites among best responses."""
    leader = np.array(strategy, dtype=object)
    responses = []
    for one in game.games:
        own, others = leader @ one.exact_payoffs
        answer = max(range(len(own)), key=lambda b: (others[b], own[b]))
        responses.append([Fraction(int(b == answer)) for b in range(len(own))])
    return MixedProfile((leader, *(np.array(row, dtype=object) for row in responses)))
