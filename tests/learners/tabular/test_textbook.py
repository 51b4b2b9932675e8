"""Every learner is the textbook's algorithm, written out in plain Python, on generated games.

With one episode at a time that is the textbook; with several, each updates in turn. Games are
POSGs, where all act at once, and AEC games, where a transition lasts from turn to turn.
"""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import learners
from gametheory_core.catalog import BigMatch, take_away
from gametheory_core.testing import aecs, posgs
from learners.tabular import Visits
from tests.learners.tabular import textbook
from tests.sample_sizes import examples

RATE, DISCOUNT, EPSILON = 0.3, 0.8, 0.4
GAMES = st.one_of(posgs(max_horizon=4, max_actions=3), aecs(max_horizon=6))
EPISODES = st.sampled_from([1, 1, 3])
many_games = examples(30)


def recorded(game, episodes, sees=learners.Sees.LAST):
    return textbook.Recorded(learners.batched(game, episodes=episodes, seed=5, sees=sees))


def learn(learner_kind, record, **options):
    options = {"step_size": RATE, "discount": DISCOUNT, "iteration": learners.Steps(40), **options}
    learner = learner_kind(record, rng=np.random.default_rng(3), **options)
    learner.improve()
    return learner


def zeros(record, player):
    return [[0.0] * record.num_actions[player] for _ in range(record.num_observations[player])]


def moves_of(record, player, learner):
    return textbook.moves_of(record, player, DISCOUNT, learner.snapshot()["actions"])


def seats(record, learner):
    """Return for each player the moves, a table of zeros, what is legal, and what is learned."""
    return [
        (moves_of(record, player, learner), zeros(record, player), legal, learner.values(player))
        for player, legal in enumerate(record.legal)
    ]


@many_games
@given(GAMES, EPISODES, st.sampled_from(learners.AtHorizon))
def test_q_learning(game, episodes, at_horizon):
    record = recorded(game, episodes)
    learner = learn(
        learners.QLearning,
        record,
        at_horizon=at_horizon,
        exploration=learners.EpsilonGreedy(EPSILON),
    )
    at_end = at_horizon is learners.AtHorizon.CONTINUES
    for made, values, legal, learned in seats(record, learner):
        textbook.q_learning(made, values, legal, RATE, at_end=at_end)
        assert learned.tolist() == values


@many_games
@given(GAMES, EPISODES)
def test_sarsa(game, episodes):
    record = recorded(game, episodes)
    learner = learn(learners.Sarsa, record, exploration=learners.EpsilonGreedy(EPSILON))
    for made, values, _, learned in seats(record, learner):
        textbook.sarsa(made, values, RATE)
        assert learned.tolist() == values


@many_games
@given(GAMES, EPISODES, st.sampled_from(learners.AtHorizon))
def test_expected_sarsa(game, episodes, at_horizon):
    record = recorded(game, episodes)
    learner = learn(
        learners.Sarsa,
        record,
        expected=True,
        exploration=learners.EpsilonGreedy(EPSILON),
        at_horizon=at_horizon,
    )
    at_end = at_horizon is learners.AtHorizon.CONTINUES
    for made, values, legal, learned in seats(record, learner):
        textbook.expected_sarsa(made, values, legal, RATE, EPSILON, at_end=at_end)
        assert np.allclose(learned, values, rtol=1e-12, atol=1e-12)


@many_games
@given(
    posgs(num_players=(1, 1), max_horizon=4, max_actions=3, max_states=3),
    EPISODES,
    st.sampled_from([0.0, EPSILON]),
)
def test_double_q_learning(game, episodes, epsilon):
    """Without exploration the action is the first best by the sum of both tables."""
    record = recorded(game, episodes)
    learner = learn(learners.DoubleQLearning, record, exploration=learners.EpsilonGreedy(epsilon))
    rng, coins = np.random.default_rng(3), []
    rng.random(episodes)
    for _ in record.actions:
        coins.append(rng.integers(2, size=episodes).tolist())
        rng.random(episodes)
    made = moves_of(record, 0, learner)
    actions = [*record.actions, learner.snapshot()["actions"]]
    tables, legal = [zeros(record, 0), zeros(record, 0)], record.legal[0]
    for t, turn in enumerate(record.turns):
        if t:
            textbook.double_q_learning(made[t - 1 : t], tables, legal, RATE, coins[t - 1 : t])
        for e in np.flatnonzero(turn.acts[:, 0] & (epsilon == 0)):
            seen = turn.observations[e, 0]
            both = [x + y for x, y in zip(tables[0][seen], tables[1][seen], strict=True)]
            assert actions[t][e, 0] == textbook.argmax(both, legal[seen])
    assert learner.values(0).tolist() == np.mean(tables, axis=0).tolist()


@many_games
@given(GAMES, EPISODES, st.sampled_from(Visits))
def test_monte_carlo_control(game, episodes, visits):
    record = recorded(game, episodes)
    learner = learners.MonteCarloControl(
        record,
        rng=np.random.default_rng(3),
        visits=visits,
        discount=DISCOUNT,
        iteration=learners.Steps(40),
        exploration=learners.EpsilonGreedy(EPSILON),
    )
    learner.improve()
    for made, values, _, learned in seats(record, learner):
        textbook.monte_carlo(made, values, only_first=visits is Visits.FIRST)
        assert np.allclose(learned, values, rtol=1e-12, atol=1e-12)


@many_games
@given(GAMES, EPISODES)
def test_wolf(game, episodes):
    record = recorded(game, episodes)
    learner = learn(learners.WolfPHC, record, winning=0.05, losing=0.2, exploration=EPSILON)
    held = learner.snapshot()["rule"]["held"]
    for player in range(len(record.players)):
        values = zeros(record, player)
        policy, average, _ = textbook.hill_climbing(
            moves_of(record, player, learner), values, record.legal[player], RATE, 0.05, 0.2
        )
        assert np.allclose(held[player]["policy"], policy, rtol=1e-12, atol=1e-12)
        assert np.allclose(held[player]["average"], average, rtol=1e-12, atol=1e-12)


@many_games
@given(GAMES)
def test_greedy_play_is_the_first_best_action(game):
    """Without exploration the actions of the record are the textbook's too."""
    record = recorded(game, 1)
    learner = learn(learners.QLearning, record, exploration=learners.EpsilonGreedy(0.0))
    actions = [*record.actions, learner.snapshot()["actions"]]
    for player in range(len(record.players)):
        made, values = moves_of(record, player, learner), zeros(record, player)
        legal = record.legal[player]
        for t, turn in enumerate(record.turns):
            if t:
                textbook.q_learning(made[t - 1 : t], values, legal, RATE, at_end=False)
            if turn.acts[0, player]:
                seen = turn.observations[0, player]
                assert actions[t][0, player] == textbook.argmax(values[seen], legal[seen])


@many_games
@given(posgs(max_horizon=4, max_actions=3), st.floats(0, 1))
def test_noisy_policies_are_held_for_an_episode(game, flip):
    """What is played at an observation does not change before the episode ends."""
    record = recorded(game, 3)
    learner = learn(learners.QLearning, record, exploration=learners.ParameterNoise(flip))
    actions = [*record.actions, learner.snapshot()["actions"]]
    for player in range(len(record.players)):
        for e in range(3):
            held = {}
            for t, turn in enumerate(record.turns):
                held = {} if turn.is_over[e] else held
                if turn.acts[e, player]:
                    seen = int(turn.observations[e, player])
                    action = int(actions[t][e, player])
                    assert held.setdefault(seen, action) == action


def test_records_hold_moves_of_every_kind():
    """So that comparisons are not empty: ends by rules and by the horizon, and others' turns."""
    kinds, factors = set(), set()
    for game, horizon in ((BigMatch(), 3), (take_away(piles=2, tokens=3), None)):
        record = textbook.Recorded(learners.batched(game, episodes=3, seed=5, horizon=horizon))
        learner = learn(learners.QLearning, record, exploration=learners.EpsilonGreedy(1.0))
        for made in moves_of(record, 0, learner):
            kinds |= {move.ending for move in made}
            factors |= {round(move.factor, 6) for move in made}
    assert kinds == {"on", "terminal", "cut"}
    assert {0.8, 0.64} <= factors
