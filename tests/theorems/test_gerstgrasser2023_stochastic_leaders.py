"""Gerstgrasser and Parkes 2023, section 4: invariance fails for lotteries that are drawn afresh.

The paper takes memoryless leaders to be invariant: to answer queries as they play. That is true of
deterministic ones, and of leaders who draw a deterministic policy once and hold it; the latter earn
what their plans earn on average, hence no more than the best deterministic leader. It is false of
lotteries drawn at every use: where answers and play are drawn apart, a leader may earn more than
any commitment whatsoever, because the follower responds to what is never done. So do leaders who
answer by one policy and play by another (appendix C.2).

Why it matters (followers): The paper's leaders draw their actions, and its key property fails for
such leaders, so that "optimal" values above every commitment can be reported.
"""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame, catalog, leaders
from solvers.leaders import commitment_upper_bound, deceiving_leader, stochastic_markov_commitment
from solvers.leaders.deception import LeaderPlay

SOURCE = "Gerstgrasser and Parkes 2023"
memoized = pytest.mark.theorem(
    source=SOURCE, statement="A leader who draws a policy once earns no more than the best one."
)
sampled = pytest.mark.theorem(
    source=SOURCE, statement="Memoryless leaders are invariant only if they never draw."
)
deceiving = pytest.mark.theorem(
    source=SOURCE, statement="Leaders who do not play as they answer may exceed every commitment."
)
HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
TIME_AWARE, STATIONARY = leaders.FollowerClass


def best_deterministic(view, **options):
    return max(
        leaders.follower_response(view, plan, **options).returns[0]
        for plan in leaders.leader_policies(view)
    )


def defecting(*chances):
    return leaders.StochasticLeader(tuple((1 - Fraction(x), Fraction(x)) for x in chances))


@memoized
@given(st.data(), st.sampled_from(leaders.FollowerTies), st.sampled_from(leaders.FollowerClass))
def test_memoized_leaders_earn_the_average_of_their_plans(data, ties, follower_class):
    view = data.draw(leaders.leader_games(max_states=3, max_horizon=3))
    policy = data.draw(leaders.memoized_leaders(view))
    options = {"ties": ties, "follower_class": follower_class}
    earned = leaders.follower_response(view, policy, **options).returns[0]
    alone = [leaders.follower_response(view, plan, **options).returns[0] for plan in policy.plans]
    assert earned == sum(w * own for w, own in zip(policy.weights, alone, strict=True))
    assert earned <= best_deterministic(view, **options)


@memoized
def test_unless_the_follower_cannot_see_what_was_drawn():
    """Lotteries at each use that she knows, but whose draws she does not, may earn more."""
    view = leaders.leader_view(catalog.iterated_prisoners_dilemma(rounds=10))
    solution = stochastic_markov_commitment(view)
    assert solution.payoffs[0] == Fraction(-13, 2) > best_deterministic(view) == -11


@sampled
@given(st.data())
def test_lotteries_at_one_use_of_each_kind_differ_from_commitment(data):
    """In one round the value of separate draws is a mean over responses to pure answers."""
    view = data.draw(leaders.leader_games(max_states=2, max_horizon=1, terminal=False))
    plan = data.draw(st.sampled_from(list(leaders.leader_policies(view))))
    count = len(view.game.actions[view.leader])
    certain = leaders.StochasticLeader(
        tuple(tuple(Fraction(a == o) for a in range(count)) if o >= 0 else () for o in plan.actions)
    )
    assert (
        leaders.sampled_query_returns(view, certain)
        == leaders.follower_response(view, plan).returns
    )


@sampled
def test_smallest_counterexample():
    """Deterministic leaders earn 0, lotteries 1/10, and separate draws 1/4."""
    stage = NormalFormGame.bimatrix([[0, 0], [1, 0]], [[1, 0], [0, 9]], actions=("ab", "xy"))
    view = leaders.leader_view(catalog.RepeatedGame(stage, rounds=1))
    none = ((),) * 4
    assert best_deterministic(view) == 0
    assert stochastic_markov_commitment(view).payoffs[0] == Fraction(1, 10)
    assert commitment_upper_bound(view).upper_bound == Fraction(1, 10)
    values = {
        k: leaders.sampled_query_returns(view, leaders.StochasticLeader(((1 - p, p), *none)))[0]
        for k in range(21)
        for p in [Fraction(k, 20)]
    }
    assert max(values.values()) == values[10] == Fraction(1, 4)


@sampled
@pytest.mark.parametrize("unused", [0, Fraction(1, 3), 1])
def test_separate_draws_exceed_every_commitment(unused):
    """To a follower who remembers, that is; she would answer what she is told just as well."""
    view = leaders.leader_view(catalog.iterated_prisoners_delight(rounds=10))
    earned, _ = leaders.sampled_query_returns(view, defecting(1, unused, 1, HALF, 1))
    bound = commitment_upper_bound(view)
    bound.verify()
    assert earned == Fraction(-35, 4) > bound.upper_bound == -10


@sampled
@pytest.mark.parametrize(
    ("game", "policy", "kind", "stackelberg"),
    [
        (catalog.iterated_prisoners_dilemma, (1, Fraction(162, 1000), 1, 0, 1), TIME_AWARE, -11),
        (catalog.iterated_prisoners_dilemma, (QUARTER, QUARTER, 3 * QUARTER, 1, 1), STATIONARY, -9),
        (catalog.iterated_deadlock, (1, 0, HALF, Fraction(7, 8), 1), TIME_AWARE, -10),
        (catalog.iterated_deadlock, (HALF, 1, HALF, 1, 1), STATIONARY, -10),
        (catalog.iterated_prisoners_delight, (HALF, 1, QUARTER, 1, 1), STATIONARY, -10),
    ],
)
def test_separate_draws_exceed_the_stackelberg_value(game, policy, kind, stackelberg):
    view = leaders.leader_view(game(rounds=10))
    earned, _ = leaders.sampled_query_returns(view, defecting(*policy), follower_class=kind)
    assert earned > best_deterministic(view, follower_class=kind) == stackelberg


@sampled
@pytest.mark.parametrize("name", sorted(catalog.ORDINAL_GAMES))
def test_value_of_zero_leaves_nothing_to_gain(name):
    """Where deterministic leaders attain the largest payoff in each round, nothing exceeds it."""
    view = leaders.leader_view(catalog.iterated_game(catalog.ORDINAL_GAMES[name](), rounds=10))
    gains = name in ("prisoners_dilemma", "deadlock", "prisoners_delight")
    assert (best_deterministic(view) < 0) == gains


DECEPTIONS = {
    ("prisoners_dilemma", TIME_AWARE): (-11, -2),
    ("deadlock", TIME_AWARE): (-10, -6),
    ("prisoners_delight", TIME_AWARE): (-10, -5),
    ("prisoners_dilemma", STATIONARY): (-9, 0),
    ("deadlock", STATIONARY): (-10, -1),
    ("prisoners_delight", STATIONARY): (-10, -1),
}


@deceiving
@pytest.mark.parametrize("name", sorted(catalog.ORDINAL_GAMES))
@pytest.mark.parametrize("kind", leaders.FollowerClass)
@pytest.mark.parametrize("play", LeaderPlay)
def test_deception_in_iterated_games(name, kind, play):
    game = catalog.iterated_game(catalog.ORDINAL_GAMES[name](), rounds=10)
    found = deceiving_leader(game, follower_class=kind, play=play)
    assert (found.honest_value, found.returns[0]) == DECEPTIONS.get((name, kind), (0, 0))


@deceiving
def test_modified_dilemma_leaves_nothing_to_gain_from_deception():
    for kind in leaders.FollowerClass:
        assert (
            deceiving_leader(
                catalog.iterated_modified_prisoners_dilemma(), follower_class=kind
            ).gain
            == 0
        )


@deceiving
def test_deception_does_not_hang_on_ties():
    """All four best responses to 10101 let the leader defect throughout for 0."""
    view = leaders.leader_view(catalog.iterated_prisoners_dilemma(rounds=10))
    always_defect = leaders.DeterministicLeader((1,) * 5)
    followers = responses_to(view, "10101")
    assert [leaders.leader_returns(view, always_defect, one)[0] for one in followers] == [0] * 4


@deceiving
def test_unless_the_leader_claims_to_play_plain_tit_for_tat():
    view = leaders.leader_view(catalog.iterated_prisoners_dilemma(rounds=10))
    earned = {
        max(leaders.leader_returns(view, play, one)[0] for play in leaders.leader_policies(view))
        for one in responses_to(view, "00101")
    }
    assert earned == {0, -9, -10}


def responses_to(view, answers):
    """Return all stationary best responses to the answers."""
    told = leaders.leader_from_text(view, answers)
    followers = [
        leaders.StationaryFollower(tuple((k >> o) & 1 for o in range(5))) for k in range(32)
    ]
    best = max(leaders.leader_returns(view, told, one)[1] for one in followers)
    return [one for one in followers if leaders.leader_returns(view, told, one)[1] == best]


@deceiving
@pytest.mark.parametrize("ties", leaders.FollowerTies)
@pytest.mark.parametrize(("kind", "honest", "sly"), [(TIME_AWARE, -6, -2), (STATIONARY, -4, 0)])
def test_deception_of_who_sees_the_others_action_only(ties, kind, honest, sly):
    game = catalog.iterated_game(
        catalog.ORDINAL_GAMES["prisoners_dilemma"](), rounds=5, memory=catalog.Shown.OTHERS
    )
    found = deceiving_leader(game, follower_class=kind, ties=ties)
    assert (found.honest_value, found.returns[0]) == (honest, sly)
    assert leaders.leader_to_text(leaders.leader_view(game), found.answers) == "001"
