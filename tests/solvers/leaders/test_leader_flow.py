"""Flows follow the gradient, say why they end, and refuse what they cannot follow."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import leaders
from gametheory_core.catalog import RepeatedGame, iterated_modified_prisoners_dilemma
from gametheory_core.conversions import normal_to_posg
from gametheory_core.leaders.policies import check_leader_policy
from solvers import Budget
from solvers.leaders import FlowEnd, Parametrization, hidden_query_flow, leader_flow, queried_flow
from solvers.leaders.leader_flow import nearest_lotteries

BOTH = pytest.mark.parametrize("flow", [hidden_query_flow, queried_flow])
WAYS = st.sampled_from(Parametrization)


def uniform(view):
    rows = []
    for o in range(len(view.game.observations[view.leader])):
        legal = view.leader_actions(o)
        share = Fraction(1, max(1, len(legal)))
        actions = range(len(view.game.actions[view.leader]))
        rows.append(tuple(share if a in legal else Fraction(0) for a in actions) if legal else ())
    return leaders.StochasticLeader(tuple(rows))


def dilemma(rounds=5):
    view = leaders.leader_view(iterated_modified_prisoners_dilemma(rounds=rounds))
    return view, uniform(view)


@given(
    leaders.leader_games(max_observations=2, max_horizon=3),
    WAYS,
    st.sampled_from(leaders.FollowerClass),
)
def test_returns_rise_with_queries_in_play(view, way, kind):
    """They end where no direction that is left rises much, as the exact gradient says."""
    flow = queried_flow(
        view, uniform(view), parametrization=way, follower_class=kind, steps=400, rest=1e-4
    )
    check_leader_policy(view, flow.last)
    assert (np.diff(flow.returns) > -1e-6).all()
    exact = leaders.queried_gradient(
        view,
        flow.last,
        lambda plan: leaders.follower_response(view, plan, follower_class=kind).policy,
    )
    assert float(exact.value) == pytest.approx(flow.returns[-1], abs=1e-6)
    if flow.end is FlowEnd.REST and way is Parametrization.SOFTMAX:
        assert sum(float(x) ** 2 for own in exact.logits for x in own) < 2e-4


@given(leaders.leader_games(max_observations=2, max_horizon=3), WAYS)
def test_first_step_is_along_the_gradient(view, way):
    """A short flow without queries moves by time times the projected gradient."""
    start = uniform(view)
    flow = hidden_query_flow(view, start, parametrization=way, until=1e-4, rest=0.0)
    follower = leaders.follower_response(view, start).policy
    exact = leaders.leader_gradient(view, start, follower)
    assume(leaders.follower_response(view, flow.last).policy == follower)  # no jump in between
    assert flow.returns[0] == pytest.approx(float(exact.value), abs=1e-9)
    for o, own in enumerate(start.lotteries):
        legal = view.leader_actions(o)
        mean = sum(exact.partials[o][a] for a in legal) / max(1, len(legal))
        slopes = [float(exact.partials[o][a] - mean) if a in legal else 0 for a in range(len(own))]
        if way is Parametrization.SOFTMAX:
            slopes = [s / len(legal) ** 2 for s in slopes]
        moved = flow.lotteries[-1, o, : len(own)] - flow.lotteries[0, o, : len(own)]
        assert moved == pytest.approx(flow.times[-1] * np.array(slopes), abs=1e-5)


@BOTH
def test_trajectories_are_lotteries_from_start_to_last(flow):
    view, start = dilemma()
    found = flow(view, start)
    assert found.end is FlowEnd.REST
    assert found.lotteries.shape == (len(found.times), 3, 2)
    assert abs(found.lotteries.sum(axis=2) - 1).max() < 1e-12
    assert found.lotteries.min() >= 0
    assert found.lotteries[0].tolist() == [[0.5, 0.5]] * 3
    assert (np.diff(found.times) > 0).all()
    assert found.run.iterations == len(found.times) - 1
    check_leader_policy(view, found.last)
    last = [[float(p) for p in own] for own in found.last.lotteries]
    assert np.allclose(found.lotteries[-1], last, atol=1e-12)
    with pytest.raises(ValueError, match="read-only"):
        found.times[0] = 1.0
    assert f"{len(found.times)} points" in repr(found)
    assert "REST" in repr(found)


def test_one_shot_optimum_beyond_commitment_is_found():
    """Answers and play are drawn apart, so that half and half is worth more than any commitment."""
    game = gt.NormalFormGame.bimatrix([[0, 0], [1, 0]], [[1, 0], [0, 9]])
    view = leaders.leader_view(normal_to_posg(game).target)
    start = leaders.StochasticLeader(((Fraction(9, 10), Fraction(1, 10)),))
    for way in Parametrization:
        flow = queried_flow(view, start, parametrization=way, rest=1e-10)
        assert flow.end is FlowEnd.REST  # steps do not dance around the optimum
        assert flow.returns[-1] == pytest.approx(0.25, abs=1e-9)


@BOTH
def test_limits_end_a_flow(flow):
    view, start = dilemma()
    assert flow(view, start, steps=3).end is FlowEnd.STEPS
    assert len(flow(view, start, steps=3).times) == 4
    short = flow(view, start, until=0.01)
    assert (short.end, short.times[-1]) == (FlowEnd.TIME, pytest.approx(0.01))
    assert len(flow(view, start, until=0).times) == 1
    assert flow(view, start, rest=1e9).end is FlowEnd.REST


@BOTH
def test_budget_raises_with_the_flow_so_far(flow):
    view, start = dilemma()
    seen = []
    with pytest.raises(gt.NotConverged, match="the budget ended at time") as caught:
        flow(view, start, budget=Budget(iterations=2), on_iteration=seen.append)
    assert len(caught.value.best.times) == 3
    assert [progress.done for progress in seen] == [1, 2]
    assert seen[0].unit == "steps"


def test_jumps_are_crossed():
    """The slope jumps from 1 to 10 where the follower's reply does."""
    game = gt.NormalFormGame.bimatrix([[0, 0], [1, 10]], [[1, 0], [0, 1]])
    view = leaders.leader_view(normal_to_posg(game).target)
    start = leaders.StochasticLeader(((Fraction(9, 10), Fraction(1, 10)),))
    flow = hidden_query_flow(view, start)
    assert flow.end is FlowEnd.REST
    assert flow.last.lotteries == ((0, 1),)
    assert flow.run.iterations < 100


@BOTH
def test_sliding_along_a_jump_ends(flow):
    """Where the follower's reply jumps against the gradient on both sides, steps run out."""
    view = leaders.leader_view(
        normal_to_posg(gt.NormalFormGame.bimatrix([[1, 0], [0, 1]], [[0, 1], [1, 0]])).target
    )
    start = leaders.StochasticLeader(((Fraction(1, 3), Fraction(2, 3)),))
    found = flow(view, start, steps=200)
    if flow is hidden_query_flow:
        assert found.end is FlowEnd.STEPS
        assert abs(found.lotteries[-1, 0, 0] - 0.5) < 1e-3
    else:
        assert found.end is FlowEnd.REST


@BOTH
def test_what_cannot_be_followed_is_refused(flow):
    view, start = dilemma()
    corner = leaders.StochasticLeader(((Fraction(1), Fraction(0)), *start.lotteries[1:]))
    with pytest.raises(
        gt.InvalidStrategy, match="needs a positive probability for each legal action"
    ):
        flow(view, corner, parametrization=Parametrization.SOFTMAX)
    assert flow(view, corner).end is FlowEnd.REST
    with pytest.raises(gt.InvalidArgument, match="needs a member of Parametrization"):
        flow(view, start, parametrization="direct")
    with pytest.raises(gt.InvalidArgument, match="needs steps"):
        flow(view, start, steps=-1)
    with pytest.raises(gt.InvalidArgument, match="needs a finite until"):
        flow(view, start, until=float("nan"))
    with pytest.raises(gt.InvalidStrategy, match="needs a tuple of 3 mixed actions"):
        flow(view, leaders.StochasticLeader(start.lotteries[:2]))
    with pytest.raises(gt.InvalidArgument, match="mixed actions of 0 and 1"):
        flow(view, leaders.DeterministicLeader((0, 0, 1)))
    with pytest.raises(gt.InvalidArgument, match="leader_view"):
        flow(view.game, start)


def test_too_many_answers_are_refused(monkeypatch):
    monkeypatch.setattr(leader_flow, "MAX_PLANS", 31)
    view = leaders.leader_view(RepeatedGame.of("prisoners_dilemma", rounds=2))
    with pytest.raises(gt.UnsupportedGame, match="at most 31 answers .* has 32"):
        queried_flow(view, uniform(view))


@given(
    st.lists(st.lists(st.floats(-3, 3), min_size=3, max_size=3), min_size=1, max_size=3),
    st.lists(st.lists(st.booleans(), min_size=3, max_size=3), min_size=3, max_size=3),
    st.lists(st.integers(1, 5), min_size=3, max_size=3),
)
def test_nearest_lottery_is_nearest(points, legal, parts):
    """The angle to any other lottery is at least a right one."""
    points, legal = np.array(points), np.array(legal[: len(points)])
    found = nearest_lotteries(points, legal)
    for point, allowed, nearest in zip(points, legal, found, strict=True):
        if not allowed.any():
            assert not nearest.any()
            continue
        assert nearest.sum() == pytest.approx(1)
        assert not nearest[~allowed].any()
        other = np.array(parts) * allowed / (np.array(parts) * allowed).sum()
        assert (other - nearest) @ (np.where(allowed, point, 0.0) - nearest) <= 1e-9
