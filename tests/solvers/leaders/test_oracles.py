"""Oracles: who asks what, and what they make of the answers, by other means."""

from fractions import Fraction
from itertools import product
from math import prod

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, InvalidGame, UnsupportedGame, leaders
from gametheory_core.catalog import RepeatedGame, iterated_prisoners_dilemma
from gametheory_core.conversions import posg_from_tables
from solvers.leaders import (
    DeployedPolicy,
    GreedyTies,
    TreeQueries,
    adaptive_queries,
    contextual_queries,
    multiplicative_weights_queries,
    q_learning_queries,
)
from solvers.leaders.query_oracles import acting_observations, ask
from tests.solvers.long_game import watched_house

DILEMMA = leaders.leader_view(iterated_prisoners_dilemma(rounds=3))
CHICKEN = leaders.leader_view(RepeatedGame.of("chicken"))


def answered_by(view, policy):
    """Answers of a deterministic leader, by labels."""
    seen, labels = view.game.observations[view.leader], view.game.actions[view.leader]
    return lambda asked: labels[policy.actions[seen.index(asked)]]


def queries_of(oracle, answer):
    """What an oracle without chance asks, in order."""
    ((state, _),) = oracle.start()
    asked = []
    while (query := oracle.query(state)) is not leaders.HALT:
        asked.append(query)
        ((state, _),) = oracle.answer(state, answer(query))
    return asked


def observations_met(view, policy):
    """What the leader may see at some step, whatever the follower does; by plays, step by step."""
    met = set()
    states = {s for s, _ in view.initial}
    for _ in range(view.horizon):
        following = set()
        for s in states:
            o = int(view.leader_observation[s])
            if o < 0:
                continue
            met.add(o)
            for b in view.follower_actions(int(view.follower_observation[s])):
                following.update(after for after, _ in view.step(s, policy.actions[o], b).next)
        states = following
    return {view.game.observations[view.leader][o] for o in met}


@given(st.data(), leaders.leader_games())
def test_contextual_oracle_asks_everything_once_in_order(data, view):
    order = data.draw(st.permutations(acting_observations(view)))
    oracle = contextual_queries(view, order=order)
    policy = data.draw(leaders.deterministic_leaders(view))
    assert queries_of(oracle, answered_by(view, policy)) == list(order)


@given(st.data(), leaders.leader_games())
def test_adaptive_oracle_asks_what_play_may_show_and_no_more(data, view):
    oracle = adaptive_queries(view)
    policy = data.draw(leaders.deterministic_leaders(view))
    asked = queries_of(oracle, answered_by(view, policy))
    assert len(asked) == len(set(asked))
    assert set(asked) == observations_met(view, policy)


@given(
    st.data(),
    leaders.leader_games(),
    st.sampled_from(leaders.FollowerClass),
    st.sampled_from(leaders.FollowerTies),
    st.sampled_from([contextual_queries, adaptive_queries]),
)
def test_exact_oracles_respond_best(data, view, follower_class, ties, make):
    policy = data.draw(leaders.deterministic_leaders(view))
    oracle = make(view, follower_class=follower_class, ties=ties)
    response = leaders.follower_response(view, policy, follower_class=follower_class, ties=ties)
    assert leaders.oracle_returns(view, oracle, policy) == response.returns


def test_adaptive_oracle_asks_some_leaders_less():
    counts = {
        len(queries_of(adaptive_queries(DILEMMA), answered_by(DILEMMA, pi)))
        for pi in leaders.leader_policies(DILEMMA)
    }
    assert counts == {3, 5}  # the start and what follows either action, or all


def learned_table(view, policy, *, episodes, rate, discount, explore_every, last):
    """Q-learning of a game without chance, written out; two actions a player."""
    table = {}
    states, labels = view.game.states, view.game.actions
    steps = 0
    for _ in range(episodes):
        ((state, _),) = view.initial
        for time in range(view.horizon):
            o, seen = (int(x[state]) for x in (view.leader_observation, view.follower_observation))
            row = table.setdefault(seen, [Fraction(0), Fraction(0)])
            greedy = int(row[1] >= row[0] if last else row[1] > row[0])
            steps += 1
            b = 1 - greedy if explore_every and steps % explore_every == 0 else greedy
            joint = (labels[0][policy.actions[o]], labels[1][b])
            ((after, _),) = view.game.transition(states[state], joint)
            reward = view.game.reward(states[state], joint, after)[1]
            state = states.index(after)
            best = 0
            if time + 1 < view.horizon:
                best = max(table.get(int(view.follower_observation[state]), [Fraction(0)]))
            row[b] += rate * (reward + discount * best - row[b])
    return table


@given(
    st.sampled_from(list(leaders.leader_policies(DILEMMA))),
    st.integers(0, 6),
    st.sampled_from([Fraction(1, 2), Fraction(1, 10), Fraction(1)]),
    st.sampled_from([None, Fraction(9, 10), Fraction(0)]),
    st.integers(0, 4),
    st.booleans(),
)
def test_q_learning_learns_the_table_written_out(
    policy, episodes, rate, discount, explore_every, last
):
    oracle = q_learning_queries(
        DILEMMA,
        episodes=episodes,
        rate=rate,
        discount=discount,
        explore_every=explore_every,
        ties=GreedyTies.LAST if last else GreedyTies.FIRST,
    )
    ((state, _),) = leaders.halting_states(oracle, answered_by(DILEMMA, policy))
    expected = learned_table(
        DILEMMA,
        policy,
        episodes=episodes,
        rate=rate,
        discount=DILEMMA.discount if discount is None else discount,
        explore_every=explore_every,
        last=last,
    )
    for seen, row in enumerate(state.table):
        assert list(row) == expected.get(seen, [0, 0])
    ((follower, _),) = leaders.oracle_response(DILEMMA, oracle, policy)
    for seen, row in expected.items():
        best = max(row)
        assert row[follower.actions[seen]] == best
        assert follower.actions[seen] == (1 if row[1] == best and (last or row[0] < best) else 0)


def test_exploration_goes_through_all_other_actions_in_turn():
    view = leaders.leader_view(RepeatedGame.of("rock_paper_scissors"))
    oracle = q_learning_queries(view, episodes=6, rate=1, explore_every=2)
    ((state, _),) = oracle.start()
    tried = []
    while oracle.query(state) is not leaders.HALT:
        before = state.table[0]
        ((state, _),) = oracle.answer(state, "rock")
        tried.append([b for b in range(3) if state.table[0][b] != before[b]])
    assert tried == [[], [1], [], [2], [], []]  # paper wins once and for all


@given(leaders.leader_games(max_states=3, max_horizon=2, max_actions=2))
def test_q_learning_keeps_the_odds_of_the_game(view):
    assume(all(view.leader_observation[s] >= 0 for s, _ in view.initial))
    oracle = q_learning_queries(view, episodes=1, rate="1/3")
    assert {state.place: weight for state, weight in oracle.start()} == dict(view.initial)
    for state, _ in oracle.start():
        answers = view.leader_actions(int(view.leader_observation[state.place]))
        for a in answers:
            law = oracle.answer(state, view.game.actions[view.leader][a])
            assert sum(share for _, share in law) == 1
            paid = oracle.paid(state, view.game.actions[view.leader][a])
            choices = view.follower_actions(int(view.follower_observation[state.place]))
            assert paid in {view.step(state.place, a, b).rewards[0] for b in choices}


@given(
    st.data(),
    leaders.leader_games(max_states=3, max_horizon=2, max_actions=2, max_observations=2),
    st.integers(0, 3),
)
def test_weights_are_products_of_scaled_gains(data, view, rounds):
    policy = data.draw(leaders.deterministic_leaders(view))
    rate = Fraction(1, 2)
    oracle = multiplicative_weights_queries(
        view, rounds=rounds, rate=rate, deployment=DeployedPolicy.DRAW
    )
    paid = [0, *(r[view.follower] for r in view.game.reward_vectors)]
    steps = sum(view.discount**t for t in range(view.horizon))
    span = (max(paid) - min(paid)) * steps or 1
    seen = view.game.observations[view.follower]
    choices = [view.follower_actions(o) or (-1,) for o in range(len(seen))]
    factor = {}
    for actions in product(*choices):
        expert = leaders.StationaryFollower(actions)
        gain = (leaders.leader_returns(view, policy, expert)[1] - min(paid) * steps) / span
        assert 0 <= gain <= 1
        factor[expert] = (1 + rate * gain) ** rounds
    total = sum(factor.values())
    found = leaders.oracle_response(view, oracle, policy)
    assert dict(found) == {expert: weight / total for expert, weight in factor.items()}
    assert len(found) == prod(map(len, choices))


def test_tree_follows_answers():
    leaves = [leaders.StationaryFollower((b, -1, -1, -1, -1)) for b in (0, 1)]
    swerve, straight = CHICKEN.game.actions[0]
    oracle = TreeQueries(ask((), {swerve: leaves[1], straight: ask((), {straight: leaves[0]})}))
    firm = leaders.DeterministicLeader((1, -1, -1, -1, -1))
    assert queries_of(oracle, answered_by(CHICKEN, firm)) == [(), ()]
    assert dict(leaders.oracle_response(CHICKEN, oracle, firm)) == {leaves[0]: 1}
    with pytest.raises(InvalidArgument, match="has none for 'swerve'. Branches are .'straight'"):
        oracle.answer(oracle.root.after[1][1], swerve)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: contextual_queries(CHICKEN, order=[]), InvalidArgument, r"once, \(\), but"),
        (lambda: contextual_queries(DILEMMA, order=[()] * 5), InvalidArgument, "but the order is"),
        (lambda: contextual_queries(CHICKEN, ties="weak"), InvalidArgument, "FollowerTies"),
        (lambda: adaptive_queries("chicken"), InvalidArgument, r"Call leader_view\(game\)"),
        (lambda: adaptive_queries(CHICKEN, follower_class=1), InvalidArgument, "FollowerClass"),
        (lambda: ask("o", {"a": "leaf"}), InvalidArgument, "but 'leaf' follows 'a'"),
        (
            lambda: q_learning_queries(CHICKEN, episodes=-1, rate=1),
            InvalidArgument,
            "episodes to be an integer of at least 0",
        ),
        (
            lambda: q_learning_queries(CHICKEN, episodes=1, rate=0),
            InvalidArgument,
            "rate above 0 and at most 1 and a discount from 0 to 1, but got 0 and 1",
        ),
        (lambda: q_learning_queries(CHICKEN, episodes=1, rate="x"), InvalidGame, "finite number"),
        (
            lambda: q_learning_queries(CHICKEN, episodes=1, rate=1, initial=((0, 0),)),
            InvalidArgument,
            "row of 2 values for each of 5 follower observations",
        ),
        (
            lambda: q_learning_queries(CHICKEN, episodes=1, rate=1, ties=leaders.FollowerTies.WEAK),
            InvalidArgument,
            "GreedyTies",
        ),
        (
            lambda: multiplicative_weights_queries(CHICKEN, rounds=1, rate=0),
            InvalidArgument,
            "rate above 0, but got 0",
        ),
        (
            lambda: multiplicative_weights_queries(
                leaders.leader_view(RepeatedGame.of("rock_paper_scissors", rounds=9)), rounds=1
            ),
            UnsupportedGame,
            "at most 1,000 stationary policies, but there are 59,049",
        ),
        (
            lambda: multiplicative_weights_queries(CHICKEN, rounds=1, deployment="draw"),
            InvalidArgument,
            "DeployedPolicy",
        ),
    ],
)
def test_bad_option_is_refused(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_weights_are_learned_only_where_there_is_something_to_ask_about():
    over = posg_from_tables(
        players=("leader", "follower"),
        actions=[("a", "b")] * 2,
        initial={"over": 1},
        transitions={},
        terminal=["over"],
        horizon=2,
    )
    view = leaders.leader_view(over)
    with pytest.raises(UnsupportedGame, match="play is over at its start, in 'over'"):
        multiplicative_weights_queries(view, rounds=1)
    assert leaders.oracle_returns(
        view, multiplicative_weights_queries(view, rounds=0), next(leaders.leader_policies(view))
    ) == (0, 0)


def test_learning_whose_states_multiply_is_refused():
    view = leaders.leader_view(watched_house(2))
    policy = next(leaders.leader_policies(view))
    for episodes in (1, 2):
        oracle = q_learning_queries(view, episodes=episodes, rate="1/2", explore_every=2)
        leaders.oracle_returns(view, oracle, policy, max_states=200)
    oracle = q_learning_queries(view, episodes=1000, rate="1/2", explore_every=2)
    with pytest.raises(UnsupportedGame, match=r"max_states = 200 states, .* by fewer episodes"):
        leaders.oracle_returns(view, oracle, policy, max_states=200)
    with pytest.raises(UnsupportedGame, match=r"max_states = 200 states"):
        leaders.oracle_response(view, oracle, policy, max_states=200)


def test_no_episode_leaves_the_greedy_policy_of_the_first_table():
    policy = leaders.DeterministicLeader((0, *(-1,) * 4))
    oracle = q_learning_queries(CHICKEN, episodes=0, rate=1, initial=((0, 1), *((0, 0),) * 4))
    assert queries_of(oracle, answered_by(CHICKEN, policy)) == []
    ((response, chance),) = leaders.oracle_response(CHICKEN, oracle, policy)
    assert (response.actions[0], chance) == (1, 1)
