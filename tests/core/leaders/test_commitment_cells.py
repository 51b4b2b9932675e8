"""Cells of mixed actions: bounds hold in them whatever the rates, and trees must cover them all."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import CertificateRejected, NormalFormGame, UnsupportedGame, leaders
from gametheory_core.catalog import RepeatedGame, iterated_prisoners_dilemma
from gametheory_core.conversions import posg_from_tables
from gametheory_core.leaders.commitment_cells import (
    AnswerRate,
    Cell,
    CellGame,
    cell_bound,
    split_at,
)
from gametheory_core.leaders.deviation_prices import DeviationPrices, PriceNode
from gametheory_core.leaders.stochastic_stackelberg import (
    AnswerSplit,
    BoundedCell,
    MixtureSplit,
    certify_stochastic_stackelberg,
    tree_bound,
)

ONE, ZERO, HALF = Fraction(1), Fraction(0), Fraction(1, 2)
DEFECT = (ZERO, ONE)
SMALL = {"max_states": 3, "max_horizon": 3}


def dilemma(rounds=2):
    return leaders.leader_view(RepeatedGame.of("prisoners_dilemma", rounds=rounds))


@st.composite
def weights(draw, count):
    parts = draw(st.lists(st.integers(0, 4), min_size=count, max_size=count).filter(any))
    return tuple(Fraction(part, sum(parts)) for part in parts)


@st.composite
def points(draw, game):
    """Draw a cell by splits, and a stochastic leader inside it."""
    simplices = list(game.whole.simplices)
    for _ in range(draw(st.integers(0, 4))):
        axis = draw(st.integers(0, len(simplices) - 1))
        simplices[axis] = draw(
            st.sampled_from(split_at(simplices[axis], draw(weights(len(simplices[axis])))))
        )
    lotteries = [()] * len(game.view.game.observations[game.view.leader])
    for o, simplex in zip(game.observations, simplices, strict=True):
        own = draw(weights(len(simplex)))
        lottery = [ZERO] * len(game.view.game.actions[game.view.leader])
        for weight, corner in zip(own, simplex, strict=True):
            for a, share in zip(game.view.leader_actions(o), corner, strict=True):
                lottery[a] += weight * share
        lotteries[o] = tuple(lottery)
    return tuple(simplices), leaders.StochasticLeader(tuple(lotteries))


@st.composite
def rates(draw, game):
    found = []
    for _ in range(draw(st.integers(0, 6))):
        time = draw(st.integers(0, game.view.horizon - 1))
        if game.states[time]:
            state = draw(st.sampled_from(game.states[time]))
            answer, other = (draw(st.sampled_from(game.answers(state))) for _ in range(2))
            rate = Fraction(draw(st.integers(0, 6)), draw(st.integers(1, 3)))
            found.append(AnswerRate(time, state, answer, other, rate))
    return tuple(found)


@given(st.data(), st.sampled_from(leaders.FollowerTies))
def test_no_leader_in_a_cell_earns_more_than_its_bound(data, ties):
    game = CellGame(data.draw(leaders.leader_games(**SMALL)))
    simplices, policy = data.draw(points(game))
    response = leaders.follower_response(game.view, policy, ties=ties)
    places = [(t, s) for t in range(game.view.horizon) for s in game.states[t]]
    fixed = data.draw(st.sets(st.sampled_from(places), max_size=3))
    answers = {(t, s): response.policy.actions[t][s] for t, s in fixed}
    bound = cell_bound(game, Cell(simplices, answers), data.draw(rates(game)))
    assert bound is not None
    assert response.returns[0] <= bound


@given(st.data())
def test_one_leader_alone_is_bounded_by_what_it_earns(data):
    game = CellGame(data.draw(leaders.leader_games(**SMALL)))
    policy = data.draw(leaders.stochastic_leaders(game.view))
    corners = [
        tuple(policy.lotteries[o][a] for a in game.view.leader_actions(o))
        for o in game.observations
    ]
    cell = Cell(tuple((corner,) * len(corner) for corner in corners), {})
    earned = leaders.follower_response(game.view, policy).returns[0]
    assert cell_bound(game, cell, ()) == earned


def switching():
    """One round: the leader earns most at 1/10 of b, where the follower prefers to switch."""
    stage = NormalFormGame.bimatrix([[0, 0], [1, 0]], [[1, 0], [0, 9]], actions=("ab", "xy"))
    return CellGame(leaders.leader_view(RepeatedGame(stage, rounds=1)))


def test_cells_without_the_best_leader_may_have_lower_bounds():
    """So a tree which leaves one out would prove too much, and is rejected."""
    game = switching()
    often, _ = split_at(game.whole.simplices[0], (HALF, HALF))
    assert cell_bound(game, Cell((often,), {}), ()) == 0 < Fraction(1, 10)
    hidden = (MixtureSplit(0, (HALF, HALF)), BoundedCell())
    with pytest.raises(CertificateRejected, match="1 are missing"):
        tree_bound(game, hidden)


def test_answers_that_are_never_given_leave_nobody():
    game = CellGame(dilemma())
    assert cell_bound(game, Cell(game.whole.simplices, {(1, 1): 0}), ()) is None
    assert cell_bound(game, Cell(game.whole.simplices, {(1, 1): 1}), ()) == 6


def test_answers_that_may_lead_to_more_are_kept():
    """By what she is sure of later she would never go on; where the leader plays a, she does."""
    joint = [(a, b) for a in "ab" for b in "xyz"]
    later = {"x": {"a": 20, "b": 0}, "y": {"a": 0, "b": 20}, "z": {"a": 11, "b": 11}}
    table = posg_from_tables(
        players=("leader", "follower"),
        actions=(tuple("ab"), tuple("xyz")),
        initial={0: 1},
        transitions={
            (s, (a, b)): {1 if s == 0 and b == "x" else 2: 1} for s in (0, 1) for a, b in joint
        },
        rewards={
            **{
                (0, (a, b), 1 if b == "x" else 2): (5, 0) if b == "x" else (0, 16) for a, b in joint
            },
            **{(1, (a, b), 2): (0, later[b][a]) for a, b in joint},
        },
        observations={((a, "x"), 1): {(1, 1): 1} for a in "ab"},
        initial_observations={0: {(0, 0): 1}},
        legal_actions={(i, s): own for i, own in enumerate(("ab", "xyz")) for s in (0, 1)},
        terminal=[2],
        discount=ONE,
    )
    game = CellGame(leaders.leader_view(table, horizon=2))
    best = leaders.StochasticLeader(((ONE, ZERO), (ONE, ZERO)))
    assert leaders.follower_response(game.view, best).returns == (5, 20)
    assert cell_bound(game, game.whole, ()) == 5


def test_rates_make_the_bound_of_one_round_exact():
    game = switching()
    assert cell_bound(game, game.whole, ()) == 1
    rate = AnswerRate(0, 0, 0, 1, Fraction(1, 10))
    assert cell_bound(game, game.whole, (rate,)) == Fraction(1, 10)


def tree():
    split = MixtureSplit(1, (HALF, HALF))
    return (split, BoundedCell(), AnswerSplit(0, 0), BoundedCell(), BoundedCell())


def test_trees_bound_by_their_worst_cell():
    game = CellGame(dilemma())
    assert tree_bound(game, tree()) <= tree_bound(game, (BoundedCell(),)) == 6


MISFITS = {
    "a cell is left out": (tree()[:-1], "1 are missing"),
    "nothing is covered": ((), "1 are missing"),
    "there is more": ((*tree(), BoundedCell()), "there are nodes after it"),
    "weights sum to less": ((MixtureSplit(1, (HALF, ZERO)),), "a weight of at least 0"),
    "a weight is negative": ((MixtureSplit(1, (2 * ONE, -ONE)),), "a weight of at least 0"),
    "weights of too few": ((MixtureSplit(1, (ONE,)),), "a weight of at least 0"),
    "nothing is seen so": ((MixtureSplit(7, (HALF, HALF)),), "has observation 7"),
    "after the end": ((AnswerSplit(2, 0),), "has step 2"),
    "nowhere": ((AnswerSplit(1, 0),), "has step 1 in state 0"),
    "twice": ((AnswerSplit(0, 0), AnswerSplit(0, 0)), "there are two at"),
    "a rate is negative": ((BoundedCell((AnswerRate(0, 0, 0, 1, -ONE),)),), "rates of at least 0"),
    "illegal": ((BoundedCell((AnswerRate(0, 0, 0, 2, ONE),)),), "rates of at least 0"),
    "a rate is nowhere": ((BoundedCell((AnswerRate(1, 0, 0, 1, ONE),)),), "has step 1 in state 0"),
}


@pytest.mark.parametrize("fault", MISFITS)
def test_trees_that_prove_nothing_are_rejected(fault):
    nodes, match = MISFITS[fault]
    with pytest.raises(CertificateRejected, match=match):
        tree_bound(CellGame(dilemma()), nodes)


def test_cells_where_nobody_is_prove_no_bound_for_others():
    """A fixed answer never given leaves nobody in that cell, but its sibling counts."""
    game = CellGame(dilemma())
    nodes = (AnswerSplit(1, 1), BoundedCell(), BoundedCell())
    assert tree_bound(game, nodes) == 6


def policy():
    return leaders.StochasticLeader((DEFECT, (HALF, HALF), DEFECT, DEFECT, DEFECT))


def test_certificates_say_what_was_measured():
    view, none = switching().view, ((),) * 4
    best = leaders.StochasticLeader(((Fraction(9, 10), Fraction(1, 10)), *none))
    rate = AnswerRate(0, 0, 0, 1, Fraction(1, 10))
    found = certify_stochastic_stackelberg(view, best, nodes=(BoundedCell((rate,)),))
    found.verify()
    assert found.payoffs == (Fraction(1, 10), Fraction(9, 10))
    assert found.statement.endswith("for the leader; no such mixed actions get more")
    for other in ((), (replace(rate, rate=ONE),)):
        with pytest.raises(CertificateRejected, match="claims upper bound 1/10, but"):
            replace(found, nodes=(BoundedCell(other),)).verify()
    with pytest.raises(CertificateRejected, match="are missing"):
        replace(found, nodes=(MixtureSplit(0, (HALF, HALF)), BoundedCell((rate,)))).verify()
    loose = certify_stochastic_stackelberg(view, best, nodes=(BoundedCell(),))
    assert loose.statement.endswith("no such mixed actions get more than 1")


def test_prices_count_where_they_bound_better():
    view = dilemma()
    loose = DeviationPrices((), tuple(PriceNode(t, s, ZERO) for t, s in places()))
    found = certify_stochastic_stackelberg(view, policy(), nodes=tree(), prices=loose)
    assert found.upper_bound == tree_bound(CellGame(view), tree()) < 10


def places():
    return [(0, 0), *((1, s) for s in range(1, 5))]


def test_long_games_are_refused_with_what_bounds_them():
    view = leaders.leader_view(iterated_prisoners_dilemma(rounds=12))
    with pytest.raises(UnsupportedGame, match="commitment_upper_bound bounds its leaders"):
        CellGame(view)


def test_steps_without_number_are_refused():
    game = leaders.leader_view(RepeatedGame.of("prisoners_dilemma", rounds=3)).game
    with pytest.raises(UnsupportedGame, match=r"at most 20,000 steps.* has over 2\^99"):
        CellGame(leaders.leader_view(replace(game, horizon=10**30)))
