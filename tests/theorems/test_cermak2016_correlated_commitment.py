"""Cermak et al. 2016: in trees, recommending moves to the follower is worth at least committing.

A commitment with its best reply is a lottery that the follower obeys, so that correlated commitment
earns at least as much. Unlike in bimatrix games (Conitzer and Korzhyk 2011), it may earn strictly
more: what is told early leaves open what comes later. Checked in rationals on generated trees.

Why it matters (commitment): A leader of a tree who may also advise gains from advising, which in
matrix games is not so: a reason for a solver of its own.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import CertificateRejected, Decision, Terminal, from_sketch, pure_behavior
from gametheory_core.catalog import random_tree
from gametheory_core.certificates import certify_extensive_correlated_commitment
from gametheory_core.strategies import behavioral_mixture
from gametheory_core.testing import extensive_form_games, normal_form_games
from solvers import (
    correlated_commitment,
    extensive_correlated_commitment,
    extensive_stackelberg,
    strong_stackelberg,
)

SOURCE = "Cermak, Bosansky, Durkota, Lisy and Kiekintveld 2016"
more = pytest.mark.theorem(
    source=SOURCE, statement="Correlated commitment in a tree is worth at least plain commitment."
)
at_once = pytest.mark.theorem(
    source=SOURCE,
    statement="Where each player moves once, and at once, recommendations are worth nothing.",
)


def values(game, leader):
    solvers = (extensive_stackelberg, extensive_correlated_commitment)
    solutions = [solver(game, leader=leader) for solver in solvers]
    for solution in solutions:
        solution.certificate.verify()
        assert solution.certificate.epsilon == 0
    return tuple(solution.payoffs[leader] for solution in solutions)


@more
@given(
    extensive_form_games(num_players=(2, 2), max_depth=5, max_moves=12, has_chance=False),
    st.sampled_from([0, 1]),
)
def test_correlated_commitment_is_worth_at_least_plain_commitment(game, leader):
    plain, correlated = values(game, leader)
    assert correlated >= plain


@more
def test_a_commitment_with_its_reply_is_obeyed():
    game = random_tree(rng=np.random.default_rng(9), depth=5)
    mixture = behavioral_mixture([extensive_stackelberg(game).profile])
    found = certify_extensive_correlated_commitment(
        game, mixture, leader=0, deviations=(), transfers=()
    )
    assert found.leader_payoff == Fraction(16, 15)


@more
def test_disobedient_follower_twin():
    """A reply that is not best is no lottery that is obeyed, whatever it pays the leader."""
    game = from_sketch(
        Decision(1, "", {"l": Terminal([9, 0]), "r": Terminal([0, 1])}), players=("Ann", "Bob")
    )
    with pytest.raises(CertificateRejected, match="a deviation gains 1"):
        certify_extensive_correlated_commitment(
            game,
            behavioral_mixture([pure_behavior(game, (0,))]),
            leader=0,
            deviations=(),
            transfers=(),
        )


def at_once_tree(game):
    rows = {
        str(a): Decision(
            1,
            "",
            {
                str(b): Terminal(game.exact_payoffs[:, a, b].tolist())
                for b in range(game.num_actions[1])
            },
        )
        for a in range(game.num_actions[0])
    }
    return from_sketch(Decision(0, "", rows), players=("Ann", "Bob"))


@at_once
@given(normal_form_games(num_players=(2, 2)), st.sampled_from([0, 1]))
def test_both_kinds_agree_where_all_move_at_once(game, leader):
    plain, correlated = values(at_once_tree(game), leader)
    assert plain == correlated == strong_stackelberg(game, leader=leader).payoffs[leader]
    assert correlated == correlated_commitment(game, leader=leader).payoffs[leader]


@at_once
def test_several_moves_twin():
    assert values(random_tree(rng=np.random.default_rng(9), depth=5), 0) == (
        Fraction(16, 15),
        Fraction(92, 75),
    )
