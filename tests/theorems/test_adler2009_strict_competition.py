"""Adler, Daskalakis and Papadimitriou 2009: strictly competitive games are zero-sum in effect.

Where one player's payoff is a constant less a positive multiple of the other's, nothing is gained
by committing, with or without recommendations, or by a mediator: all get their minimax payoffs. On
generated trees with chance and hidden moves, in rationals, against the solvers for general sums.
Twins: with general sums a commitment earns more than any equilibrium, and equilibria of mediators
differ; where both gain at once, so does minimax play for one's own payoff fall short.

Why it matters (commitment): It tells which games a solver for general sums need not be asked about:
where interests are strictly opposed, minimax play answers every question about power and advice.
"""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.certificates import BoundProof, LinearObjective
from gametheory_core.conversions import count_plans
from gametheory_core.evaluation import ExtensiveCorrelation
from gametheory_core.games import is_strictly_competitive
from gametheory_core.testing import extensive_form_games
from solvers import (
    extensive_correlated_commitment,
    extensive_form_correlated_equilibrium,
    extensive_stackelberg,
    minimax,
)
from solvers.correlated import extensive_form
from solvers.stackelberg import extensive_commitment
from tests.sample_sizes import examples
from tests.solvers.trees.trees import with_payoffs

theorem = pytest.mark.theorem(
    source="Adler, Daskalakis and Papadimitriou 2009",
    statement="In strictly competitive trees commitment and mediators give minimax payoffs.",
)
KINDS = [kind for kind in ExtensiveCorrelation if kind is not ExtensiveCorrelation.NORMAL_FORM]
NUMBERS = st.fractions(-3, 3, max_denominator=3)
LEADERS = st.sampled_from([0, 1])


@st.composite
def opposed_trees(draw, max_moves=9):
    """Trees in which player 1 gets a constant less a positive multiple of what player 0 gets."""
    tree = draw(extensive_form_games(num_players=(2, 2), max_moves=max_moves))
    rate, constant = (
        draw(st.sampled_from([Fraction(1), Fraction(3), Fraction(2, 5)])),
        draw(NUMBERS),
    )
    own = tree.exact_terminal_payoffs[:, 0].tolist()
    return with_payoffs(tree, [(u, constant - rate * u) for u in own])


def num_plans(tree):
    """How many pairs of reduced plans there are."""
    return count_plans(tree, 0) * count_plans(tree, 1)


def minimax_payoffs(tree):
    """What both guarantee, from the reduced normal form with the second player's loss as payoff."""
    normal = gt.extensive_to_normal(tree).target
    return tuple(
        minimax(gt.NormalFormGame.zero_sum(own)).certificate.game_value
        for own in (normal.exact_payoffs[0], normal.exact_payoffs[1].T)
    )


def in_general(monkeypatch):
    """Make the solvers blind to competition."""
    for module in (extensive_commitment, extensive_form):
        monkeypatch.setattr(module, "is_strictly_competitive", lambda _game: False)


@theorem
@given(opposed_trees(), LEADERS)
def test_commitments_earn_the_minimax_payoff(tree, leader):
    assume(num_plans(tree) <= 400)
    for solver in (extensive_stackelberg, extensive_correlated_commitment):
        solution = solver(tree, leader=leader)
        solution.certificate.verify()
        assert solution.certificate.epsilon == 0
        assert solution.payoffs == minimax_payoffs(tree)


@theorem
@examples(40)
@given(opposed_trees(), LEADERS)
def test_the_search_over_commitments_finds_no_more(tree, leader):
    with pytest.MonkeyPatch.context() as patch:
        in_general(patch)
        general = extensive_stackelberg(tree, leader=leader).certificate
    general.verify()
    assert general.cases
    assert not general.epsilon
    found = extensive_stackelberg(tree, leader=leader).certificate
    assert not found.cases
    assert found.leader_payoff == general.leader_payoff


@theorem
@examples(40)
@given(
    opposed_trees(max_moves=7), st.sampled_from(KINDS), st.lists(NUMBERS, min_size=2, max_size=2)
)
def test_all_equilibria_of_mediators_pay_the_minimax_payoffs(tree, kind, weights):
    """Whatever is preferred, and as the program over correlation plans finds it too."""
    objective = LinearObjective(tuple(weights))
    assume(num_plans(tree) <= 60)
    found = extensive_form_correlated_equilibrium(tree, kind=kind, objective=objective)
    found.certificate.verify()
    assert found.certificate.epsilon == found.certificate.optimality_gap == 0
    assert found.certificate.optimality.proof is BoundProof.COMPETITION
    assert found.payoffs == minimax_payoffs(tree)
    with pytest.MonkeyPatch.context() as patch:
        in_general(patch)
        general = extensive_form_correlated_equilibrium(tree, kind=kind, objective=objective)
    general.certificate.verify()
    assert general.certificate.optimality.proof is not BoundProof.COMPETITION
    assert general.payoffs == found.payoffs


def entry():
    """The incumbent fights an entrant or shares; a fight is worse for both."""
    answer = gt.Decision(
        0, "entered", {"fight": gt.Terminal([0, -1]), "share": gt.Terminal([2, 1])}
    )
    start = gt.Decision(1, "start", {"out": gt.Terminal([4, 0]), "in": answer})
    return gt.from_sketch(start, players=("Incumbent", "Entrant"))


@theorem
def test_with_general_sums_commitment_earns_more_twin():
    game = entry()
    assert not is_strictly_competitive(game)
    solution = extensive_stackelberg(game)
    solution.certificate.verify()
    assert solution.payoffs[0] == 4 > minimax_payoffs(game)[0] == 2


@theorem
def test_with_general_sums_equilibria_of_mediators_differ_twin():
    game = entry()
    most, least = (
        extensive_form_correlated_equilibrium(game, objective=objective(game, player=0))
        for objective in (LinearObjective.payoff, LinearObjective.least_payoff)
    )
    for found in (most, least):
        found.certificate.verify()
        assert found.certificate.optimality_gap == 0
    assert (most.payoffs[0], least.payoffs[0]) == (4, 2)


@theorem
def test_a_constant_ratio_is_not_enough_twin():
    """Where both gain at once, at a fixed rate, there is no competition and commitment pays."""
    tree = with_payoffs(entry(), [(4, 8), (0, 0), (2, 4)])
    assert not is_strictly_competitive(tree)
    assert extensive_stackelberg(tree).payoffs[0] == 4 > minimax_payoffs(tree)[0]
