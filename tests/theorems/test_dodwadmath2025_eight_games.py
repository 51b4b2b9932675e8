"""Dodwadmath and Maghsudi 2025, figures 3 to 5: how fair the eight games turn out, exactly.

For prisoner's dilemma, Chicken and the two abstract resource games, for 2 and 4 players: the
optimum, leaders in a fixed order or by vote, and rounds of agents and mediator by stage and end
rule. The paper's order naive < pre-final < full, and full at (or near) the optimum, hold with exact
best responses for 2 players. For 4 players they do not: by the rule that reproduces the paper's own
experiment the dilemma ends at -1 of 5 and Chicken at 16 or 21 of 24. Only the stronger rule that
equalizes returns reaches the optimum in all eight games.

Why it matters (mediation): The paper's figures are claims about eight games: exact values say which
of them hold, and for how many players.
"""

from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import mediation
from solvers.mediation import (
    AgentTies,
    InitialPolicies,
    MediatorTies,
    fair_optimum,
    jam_value_iteration,
    ordered_leaders,
    voted_leaders,
)
from tests.theorems.led_games import leader_sequences, play_out

SOURCE = "Dodwadmath and Maghsudi 2025"
table = pytest.mark.theorem(
    source=SOURCE,
    statement="Full rounds reach the optimum for 2 players; for 4, with returns equalized only.",
)
formula = pytest.mark.theorem(
    source=SOURCE,
    statement="The fairest returns are 6 a round in Chicken, 1 a round and leadership in the "
    "dilemma, and 4 a collection.",
)

DILEMMA, CHICKEN = mediation.mediated_prisoners_dilemma, mediation.mediated_chicken
ONE_COLOR, TWO_COLORS = (
    mediation.resource_collection_one_color,
    mediation.resource_collection_two_colors,
)

ORDERS = {  # optimum, fixed leaders, alternating, vote: mean fairness, and fairness of the mean
    (DILEMMA, 2): (6, {-8}, 2, Fraction(-7, 4), 2),
    (CHICKEN, 2): (24, {8}, 18, Fraction(57, 4), 18),
    (ONE_COLOR, 2): (8, {2, 8}, 5, 5, 5),
    (TWO_COLORS, 2): (8, {2}, 6, 4, 6),
    (DILEMMA, 4): (5, {-8}, -3, Fraction(-241, 32), -3),
    (CHICKEN, 4): (24, {8}, 13, Fraction(271, 32), 13),
    (ONE_COLOR, 4): (8, {2, 8}, 5, 5, 5),
    (TWO_COLORS, 4): (8, {2}, 6, 4, 6),
}
ROUNDS = {  # naive, pre-final, then full by step, by history, and equalized; from selfish starts
    (DILEMMA, 2): (2, 4, 4, 6, 6),
    (CHICKEN, 2): (18, 21, 21, 24, 24),
    (ONE_COLOR, 2): (8, 8, 8, 8, 8),
    (TWO_COLORS, 2): (6, 6, 5, 8, 8),
    (DILEMMA, 4): (-8, -3, -4, -1, 5),
    (CHICKEN, 4): (8, 17, 21, 16, 24),
    (ONE_COLOR, 4): (8, 8, 8, 8, 8),
    (TWO_COLORS, 4): (6, 6, 5, 8, 8),
}
FROM_FAIR_STARTS = {
    ((DILEMMA, 2), mediation.EndRule.STEP_IDEAL): 6
}  # all others as from selfish ones
VARIANTS = (
    {"stage": mediation.MediatorStage.NAIVE},
    {"stage": mediation.MediatorStage.PRE_FINAL},
    {"end_rule": mediation.EndRule.STEP_IDEAL},
    {"end_rule": mediation.EndRule.HISTORY_IDEAL},
    {"end_rule": mediation.EndRule.EQUALIZE_CUMULATIVE},
)


def name_of(case):
    return f"{case[0].__name__}-{case[1]}"


@table
@pytest.mark.parametrize("case", ORDERS, ids=name_of)
def test_optimum_and_orders_of_leaders(case):
    make, players = case
    game = make(players=players)
    voted = voted_leaders(game)
    everybody = range(players)
    assert ORDERS[case] == (
        fair_optimum(game).fairness,
        {ordered_leaders(game, order=(leader,)).fairness for leader in everybody},
        ordered_leaders(game, order=everybody).fairness,
        voted.expected_fairness,
        voted.fairness_of_expected,
    )


@table
@pytest.mark.parametrize("case", ROUNDS, ids=name_of)
def test_rounds_from_selfish_and_fair_starts(case):
    make, players = case
    game = make(players=players)
    for options, expected in zip(VARIANTS, ROUNDS[case], strict=True):
        from_fair = FROM_FAIR_STARTS.get((case, options.get("end_rule")), expected)
        for initial, value in (
            (InitialPolicies.SELFISH, expected),
            (InitialPolicies.FAIR, from_fair),
        ):
            found = jam_value_iteration(game, initial=initial, **options)
            assert found.fairness == found.solution.certificate.fairness == value


@table
@pytest.mark.parametrize(
    ("make", "players", "values", "seeds"),
    [
        (DILEMMA, 2, {5, 6}, (0, 1, 71)),
        (CHICKEN, 2, {24}, range(15)),
        (TWO_COLORS, 2, {8}, range(15)),
        (CHICKEN, 4, {16, 21}, (0, 1, 2)),
    ],
)
def test_rounds_from_drawn_starts(make, players, values, seeds):
    game = make(players=players)
    assert values == {
        jam_value_iteration(
            game, initial=InitialPolicies.RANDOM, rng=np.random.default_rng(seed)
        ).fairness
        for seed in seeds
    }


@table
@pytest.mark.parametrize("players", [2, 4])
def test_only_equalized_returns_are_optimal_everywhere_twin(players):
    """The paper's order and optimum hold for 2 players; for 4 the stronger rule is needed."""
    reached = {
        rule: all(ROUNDS[case][2 + k] == ORDERS[case][0] for case in ROUNDS if case[1] == players)
        for k, rule in enumerate(mediation.EndRule)
    }
    assert reached == {
        mediation.EndRule.STEP_IDEAL: False,
        mediation.EndRule.HISTORY_IDEAL: players == 2,
        mediation.EndRule.EQUALIZE_CUMULATIVE: True,
    }


def optima(make, players, rounds):
    return [fair_optimum(make(players=players, rounds=t)).fairness for t in rounds]


@formula
@pytest.mark.parametrize("players", [2, 3, 4])
def test_fairest_returns_by_formula(players):
    rounds = range(1, 6)
    assert optima(CHICKEN, players, rounds) == [6 * t for t in rounds]
    assert optima(DILEMMA, players, rounds) == [t + t // players for t in rounds]
    for make in (ONE_COLOR, TWO_COLORS):
        assert optima(make, players, rounds) == [4 * t for t in rounds]


@formula
@pytest.mark.parametrize("make", [DILEMMA, CHICKEN, ONE_COLOR, TWO_COLORS])
def test_fairest_returns_are_the_best_of_all_plays(make):
    """Every sequence of leaders and, for each, of actions."""
    game = make(players=2, rounds=3)
    plans = [
        (leaders, actions)
        for leaders in leader_sequences(game)
        for actions in action_sequences(game, leaders)
    ]
    best = max(
        mediation.fairness_value(
            mediation.MINIMUM, play_out(game, leaders, lambda t, *_, a=actions: a[t])
        )
        for leaders, actions in plans
    )
    assert fair_optimum(game).fairness == best


def action_sequences(game, leaders):
    sequences = [()]
    for leader in leaders:
        sequences = [(*s, a) for s in sequences for a in game.legal(0, leader)]
    return sequences


@formula
def test_full_rounds_by_horizon():
    """At the optimum of 2 players in three of the games, by these ties."""
    rounds = range(1, 7)
    full = {
        make: [jam_value_iteration(make(rounds=t)).fairness for t in rounds]
        for make in (CHICKEN, TWO_COLORS, DILEMMA)
    }
    assert full[CHICKEN] == [6 * t for t in rounds]
    assert full[TWO_COLORS] == [4 * t for t in rounds]
    assert full[DILEMMA] == optima(DILEMMA, 2, rounds) == [1, 3, 4, 6, 7, 9]


@formula
def test_without_threats_the_last_round_is_lost_twin():
    rounds = range(2, 7)
    lost = {
        make: [
            best
            - jam_value_iteration(make(rounds=t), stage=mediation.MediatorStage.PRE_FINAL).fairness
            for t, best in zip(rounds, optima(make, 2, rounds), strict=True)
        ]
        for make in (CHICKEN, DILEMMA)
    }
    assert lost == {CHICKEN: [3] * 5, DILEMMA: [2] * 5}


@formula
def test_drawn_ties_may_cost_the_dilemma_one():
    """So ties are a part of the result: for 5 rounds as for 4 and 6."""
    found = {
        (rounds, seed): jam_value_iteration(
            DILEMMA(rounds=rounds),
            agent_ties=AgentTies.RANDOM,
            mediator_ties=MediatorTies.RANDOM,
            initial=InitialPolicies.RANDOM,
            rng=np.random.default_rng(seed),
        ).fairness
        for rounds, seed in ((4, 0), (4, 60), (5, 0), (5, 15), (6, 0), (6, 126))
    }
    assert list(found.values()) == [6, 5, 7, 6, 9, 8]
