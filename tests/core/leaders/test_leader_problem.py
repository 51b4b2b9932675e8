"""Leader problems: plays, policies, sizes and forms; what oracles get wrong is refused."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import leaders
from gametheory_core.catalog import RepeatedGame, iterated_prisoners_dilemma
from gametheory_core.conversions import label_by_text, posg_to_tabular
from gametheory_core.distributions import point_mass, uniform
from gametheory_core.evaluation import posg_trajectories
from gametheory_core.strategies import reactive
from gametheory_core.testing import check_posg
from tests.core.leaders.scripted_oracle import Scripted
from tests.sample_sizes import examples
from tests.theorems.leader_problem_values import reactive_table

small_games = leaders.leader_games(max_states=3, max_horizon=2, max_actions=2, max_observations=2)
SHOWN = st.sampled_from(list(leaders.QueryDisplay))


def first_acting(view):
    """An observation after which the leader acts, with the answers allowed; or nothing."""
    seen = sorted(o for o in set(view.leader_observation.tolist()) if o >= 0)
    if not seen:
        return None
    labels = view.game.actions[view.leader]
    answers = [labels[a] for a in view.leader_actions(seen[0])]
    return view.game.observations[view.leader][seen[0]], answers


@st.composite
def asked_games(draw, games=small_games, followers=leaders.stationary_followers):
    """A game, and an oracle that asks once and tosses a coin before it asks once more."""
    view = draw(games)
    acting = first_acting(view)
    assume(acting is not None)
    seen, answers = acting
    after = {("start", a): uniform(["again", f"{a}"]) for a in answers}
    after |= {("again", a): point_mass(f"{a}{a}") for a in answers}
    ends = [f"{a}" for a in answers] + [f"{a}{a}" for a in answers]
    policies = {z: draw(followers(view)) for z in ends}
    if draw(st.booleans()):
        policies[ends[0]] = uniform([draw(followers(view)) for _ in range(2)])
    return view, Scripted({"start": seen, "again": seen}, after, policies)


def follower_law(view, oracle, policy):
    """The law of the follower policy after a deterministic leader's answers, by hand."""
    seen, _ = first_acting(view)
    o = view.game.observations[view.leader].index(seen)
    a = view.game.actions[view.leader][policy.actions[o]]
    law = {}
    for end in (a, a + a):
        given_policy = oracle.policies[end]
        parts = given_policy if hasattr(given_policy, "items") else point_mass(given_policy)
        for follower, weight in parts:
            law[follower] = law.get(follower, 0) + weight / 2
    return law


@given(st.data(), asked_games(), SHOWN)
def test_plays_come_back_as_plays_against_the_follower(data, asked, display):
    view, oracle = asked
    policy = data.draw(leaders.deterministic_leaders(view))
    problem = leaders.leader_problem(view, oracle, display=display)
    ways = problem.correspondence
    pulled = {}
    for play, weight in posg_trajectories(problem.target, ways.to_target(policy)):
        for source, share in ways.outcome_to_source(play):
            pulled[source] = pulled.get(source, 0) + weight * share
    expected = {}
    for follower, weight in follower_law(view, oracle, policy).items():
        pair = [leaders.to_policy(view, policy), leaders.to_policy(view, follower)]
        profile = tuple(pair if view.leader == 0 else pair[::-1])
        for play, share in posg_trajectories(view.game, profile):
            expected[play] = expected.get(play, 0) + weight * share
    assert pulled == expected


@given(st.data(), asked_games(followers=leaders.timed_followers), SHOWN)
def test_value_is_the_mean_over_follower_policies(data, asked, display):
    view, oracle = asked
    policy = data.draw(leaders.deterministic_leaders(view))
    problem = leaders.leader_problem(view, oracle, display=display)
    value = gt.expected_returns(problem.target, problem.correspondence.to_target(policy))[0]
    law = follower_law(view, oracle, policy)
    assert value == sum(w * leaders.leader_returns(view, policy, f)[0] for f, w in law.items())


@examples(25)
@given(asked_games(), SHOWN, st.booleans())
def test_rules_tables_and_trees_agree(asked, display, discount_queries):
    view, oracle = asked
    conversion = leaders.leader_problem(
        view, oracle, display=display, discount_queries=discount_queries
    )
    target = conversion.target
    check_posg(target, rng=np.random.default_rng(0))
    profile = gt.uniform_policies(target)
    value = gt.expected_returns(target, profile)[0]
    table = posg_to_tabular(target).target
    assert gt.expected_returns(table, profile)[0] == value
    tree = gt.posg_to_extensive(target)
    carried = tree.correspondence.to_target(profile)
    assert gt.expected_payoffs(tree.target, carried)[0] == value


@given(st.data(), asked_games(), SHOWN)
def test_leader_policies_go_there_and_back(data, asked, display):
    view, oracle = asked
    ways = leaders.leader_problem(view, oracle, display=display).correspondence
    for policies in (
        leaders.deterministic_leaders,
        leaders.stochastic_leaders,
        leaders.memoized_leaders,
    ):
        policy = data.draw(policies(view))
        assert ways.to_source(ways.to_target(policy)) == policy


@given(st.data(), asked_games())
def test_reactive_policies_are_read_where_they_act(data, asked):
    view, oracle = asked
    problem = leaders.leader_problem(view, oracle)
    policy = data.draw(
        st.one_of(leaders.deterministic_leaders(view), leaders.stochastic_leaders(view))
    )
    table = reactive_table(view, policy)
    read = problem.correspondence.to_source((reactive(table),))
    found = gt.expected_returns(problem.target, problem.correspondence.to_target(read))
    assert found.tolist() == gt.expected_returns(problem.target, (reactive(table),)).tolist()
    if isinstance(policy, leaders.DeterministicLeader):
        assert isinstance(read, leaders.DeterministicLeader)


def dilemma(rounds=2):
    view = leaders.leader_view(iterated_prisoners_dilemma(rounds=rounds))
    always = {
        a: leaders.StationaryFollower((k,) * len(view.game.observations[1]))
        for k, a in enumerate("CD")
    }
    return view, Scripted({"start": ()}, {("start", a): point_mass(a) for a in "CD"}, always)


def test_policy_with_memory_has_no_leader_policy():
    view, oracle = dilemma()
    ways = leaders.leader_problem(view, oracle).correspondence
    liar = gt.policy_from(lambda past: point_mass("C" if len(past) == 1 else "D"))
    with pytest.raises(
        gt.InvalidStrategy, match=r"without memory, but after \(\) it plays 'C' with 1"
    ):
        ways.to_source((liar,))


def test_policy_that_heeds_the_flag_has_no_leader_policy():
    view, oracle = dilemma()
    ways = leaders.leader_problem(view, oracle, display=leaders.QueryDisplay.FLAGGED).correspondence
    liar = gt.policy_from(lambda past: point_mass("C" if past[-1][0] else "D"))
    with pytest.raises(gt.InvalidStrategy, match="without memory"):
        ways.to_source((liar,))


def test_queries_pay_nothing_and_are_not_discounted():
    game = RepeatedGame.of("prisoners_dilemma", rounds=2, discount=Fraction(1, 2))
    view = leaders.leader_view(game)
    oracle = Scripted(
        {"start": ()},
        {("start", a): point_mass("end") for a in view.game.actions[0]},
        {"end": leaders.StationaryFollower((1, 1, 1, 1, 1))},
    )
    acting = [o for k, o in enumerate(view.game.observations[0]) if view.leader_actions(k)]
    defect = leaders.leader_policy(view, dict.fromkeys(acting, "defect"))
    for discount_queries, value in ((False, Fraction(3, 2)), (True, Fraction(3, 4))):
        problem = leaders.leader_problem(view, oracle, discount_queries=discount_queries)
        profile = problem.correspondence.to_target(defect)
        assert gt.expected_returns(problem.target, profile)[0] == value
        (play,) = (play for play, _ in posg_trajectories(problem.target, profile))
        assert play.steps[0].rewards == (0,)


def test_counter_counts_all_steps_of_an_episode():
    view, oracle = dilemma(rounds=3)
    problem = leaders.leader_problem(view, oracle, display=leaders.QueryDisplay.COUNTED)
    for play, _ in posg_trajectories(problem.target, gt.uniform_policies(problem.target)):
        assert [step.observations[0][0] for step in play.steps] == [0, 1, 2, 3]


def test_oracle_that_asks_nothing_starts_play():
    view, _ = dilemma()
    oracle = Scripted({}, {}, {"start": leaders.StationaryFollower((1, 1, 1, 1, 1))})
    problem = leaders.leader_problem(view, oracle).target
    assert [state[0] for state, _ in problem.initial()] == ["play"]
    assert problem.horizon == view.horizon


@given(asked_games())
def test_size_is_an_upper_bound_said_before(asked):
    view, oracle = asked
    table = posg_to_tabular(leaders.leader_problem(view, oracle).target).target
    acting = int(np.count_nonzero(~table.terminal))
    most = leaders.leader_problem(view, oracle, max_states=None).target
    assert most.horizon is None
    with pytest.raises(gt.UnsupportedGame, match="max_states = 1 states, but"):
        leaders.leader_problem(view, oracle, max_states=1)
    if acting > 1:
        with pytest.raises(gt.UnsupportedGame, match=f"max_states = {acting - 1}"):
            leaders.leader_problem(view, oracle, max_states=acting - 1)


def test_size_is_counted_before_states_are_made():
    view, oracle = dilemma(rounds=50)
    with pytest.raises(gt.UnsupportedGame, match=r"at least 198: 1 queries, and 197 pairs of time"):
        leaders.leader_problem(view, oracle, max_states=197)
    assert leaders.leader_problem(view, oracle, max_states=395).target.horizon == 51


def test_all_policies_of_a_lottery_are_counted():
    view, oracle = dilemma()
    both = Scripted({}, {}, {"start": uniform(oracle.policies.values())})
    with pytest.raises(
        gt.UnsupportedGame, match="at least 10: 0 queries, and 5 pairs .* each of 2"
    ):
        leaders.leader_problem(view, both, max_states=9)
    assert leaders.leader_problem(view, both, max_states=10).target.horizon == 2


def test_table_can_be_written_and_read(tmp_path):
    view, oracle = dilemma()
    table = label_by_text(
        posg_to_tabular(leaders.leader_problem(view, oracle).target).target
    ).target
    gt.write_game(table, tmp_path / "problem.json")
    assert gt.read_game(tmp_path / "problem.json") == table


@pytest.mark.parametrize(
    ("oracle", "error", "message"),
    [
        (
            Scripted({"start": "sky"}, {}),
            gt.InvalidGame,
            r"after which 'Leader' acts, but .* about 'sky'",
        ),
        (
            Scripted({}, {}, {"start": "defect"}),
            gt.InvalidStrategy,
            "but in state 'start' .*'defect'",
        ),
        (
            Scripted({}, {}, {"start": leaders.StationaryFollower((0,))}),
            gt.InvalidStrategy,
            "tuple of 5",
        ),
        (
            Scripted({}, {}, {"start": leaders.StationaryFollower((7,) * 5)}),
            gt.InvalidStrategy,
            "but has 7",
        ),
        (
            Scripted({"start": ()}, {("start", a): point_mass("start") for a in "CD"}),
            gt.UnsupportedGame,
            r"in state 'start' it asks about \(\) and may be back there after 1 query",
        ),
        (object(), gt.InvalidArgument, "leader_problem: needs a query oracle"),
    ],
)
def test_bad_oracle_is_refused(oracle, error, message):
    with pytest.raises(error, match=message):
        leaders.leader_problem(dilemma()[0], oracle)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"display": "flag"}, "needs a member of QueryDisplay as display"),
        ({"discount_queries": 1}, "discount_queries to be True or False, but got 1"),
        ({"max_states": 0}, "max_states to be an integer of at least 1"),
        ({"reward_queries": True}, r"needs an oracle with paid\(state, action\)"),
    ],
)
def test_bad_option_is_refused(options, message):
    view, oracle = dilemma()
    with pytest.raises(gt.InvalidArgument, match=message):
        leaders.leader_problem(view, oracle, **options)


def test_rules_are_taken_as_well_as_views():
    view, oracle = dilemma()
    by_rules = leaders.leader_problem(iterated_prisoners_dilemma(rounds=2), oracle)
    assert by_rules.target == leaders.leader_problem(view, oracle).target
    with pytest.raises(gt.UnsupportedGame, match="horizon"):
        leaders.leader_problem(RepeatedGame.of("chicken", rounds=None), oracle)


def test_other_player_may_lead():
    view = leaders.leader_view(iterated_prisoners_dilemma(rounds=1), leader=1)
    oracle = Scripted({}, {}, {"start": leaders.StationaryFollower((0,) + (-1,) * 4)})
    problem = leaders.leader_problem(iterated_prisoners_dilemma(rounds=1), oracle, leader=1)
    values = [
        gt.expected_returns(problem.target, problem.correspondence.to_target(pi))[0]
        for pi in leaders.leader_policies(view)
    ]
    assert values == [-1, 0]  # the follower cooperates
