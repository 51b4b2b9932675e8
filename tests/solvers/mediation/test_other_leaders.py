"""Leaders in order, by vote, the fairest play and single responses, beside all plays."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, UnsupportedGame, mediation
from gametheory_core.mediation.certificate import best_leading_value, mediator_deviation
from gametheory_core.mediation.fairness import fairness_value
from solvers.mediation import (
    fair_optimum,
    leading_response,
    mediator_response,
    ordered_leaders,
    voted_leaders,
)
from solvers.mediation.tables import fairness_scores, largest_score
from tests.sample_sizes import examples
from tests.solvers.mediation.mediated_cases import mediated_cases
from tests.theorems.led_games import leader_sequences, play_out

SELFISH = mediation.MediatorIncentives(mediation.MINIMUM, mediation.MediatorStage.NAIVE)


def all_plays(game):
    """Every sequence of leaders and legal actions, with its returns."""

    def extend(played):
        choices = product(range(game.num_players), range(game.max_actions))
        return [(*played, choice) for choice in choices]

    plays = [()]
    for _ in range(game.horizon):
        plays = [longer for played in plays for longer in extend(played)]
    for played in plays:
        leaders = [leader for leader, _ in played]
        try:
            yield play_out(game, leaders, lambda t, *_, own=played: own[t][1])
        except InvalidArgument:  # not legal
            continue


@given(mediated_cases(deterministic=True, horizons=(1, 3), max_states=2, max_actions=2))
def test_no_play_is_fairer_than_the_fairest(case):
    game, incentives = case
    found = fair_optimum(game, fairness=incentives.fairness)
    actions = iter(found.actions)
    assert found.returns == play_out(game, found.leaders, lambda *_: next(actions))
    assert found.fairness == fairness_value(incentives.fairness, found.returns)
    assert found.fairness == max(
        fairness_value(incentives.fairness, returns) for returns in all_plays(game)
    )


@given(mediated_cases(horizons=(1, 3), max_states=2), st.integers(0, 99))
def test_nobody_gains_under_an_order_of_leaders(case, seed):
    game, incentives = case
    rng = np.random.default_rng(seed)
    order = rng.integers(game.num_players, size=3).tolist()
    found = ordered_leaders(game, order=order, fairness=incentives.fairness)
    for agent in range(game.num_players):
        assert best_leading_value(game, found.profile, agent, SELFISH) == found.returns[agent]
    for t, layer in enumerate(found.profile.leaders):
        assert set(layer) == {order[t % 3]}


@given(st.integers(1, 4), st.integers(2, 3))
def test_votes_are_the_mean_over_all_sequences_of_leaders(rounds, players):
    """In games of one state the selfish action is the best one, whoever leads later."""
    for make, action in (
        (mediation.mediated_prisoners_dilemma, 1),
        (mediation.mediated_chicken, 0),
    ):
        game = make(players=players, rounds=rounds)
        ends = Counter(
            play_out(game, leaders, lambda *_, a=action: a) for leaders in leader_sequences(game)
        )
        found, number = voted_leaders(game), players**rounds
        assert found.expected_fairness == Fraction(
            sum(count * min(returns) for returns, count in ends.items()), number
        )
        assert found.returns == tuple(
            Fraction(sum(count * returns[i] for returns, count in ends.items()), number)
            for i in range(players)
        )
        assert found.fairness_of_expected == min(found.returns)


def returns_under_lots(game, state, step):
    """What all get from a step on if leaders are drawn and do what is best for themselves."""
    if step == game.horizon or game.is_terminal(state):
        return np.array([Fraction(0)] * game.num_players)
    best = []
    for leader in range(game.num_players):
        options = []
        for action in game.legal(state, leader):
            row = game.row(state, leader, action)
            after = int(game.transition_kernel.outcome[game.transition_kernel.start[row]])
            later = returns_under_lots(game, after, step + 1)
            options.append(game.rewards[row] + game.discount * later)
        best.append(max(options, key=lambda option, own=leader: option[own]))
    return sum(best) / Fraction(game.num_players)


@examples(40)
@given(mediated_cases(deterministic=True, horizons=(1, 3), max_states=3, max_actions=2))
def test_votes_lead_to_what_drawn_leaders_do_who_look_ahead(case):
    game, incentives = case
    found = voted_leaders(game, fairness=incentives.fairness)
    (first,) = game.initial_kernel.outcome.tolist()
    assert found.returns == tuple(returns_under_lots(game, first, 0))


def investment(paid=4):
    """A first step that pays only if one leads again, with another reward for not waiting."""
    pays = {"start": {"now": (1, 0), "wait": (0, 0)}, "ready": {"now": (paid, 0), "wait": (0, 0)}}
    return mediation.mediated_game(
        players=["A", "B"],
        horizon=2,
        initial={"start": 1},
        actions=[["now", "wait"], ["now", "wait"]],
        play=lambda state, leader, action: (
            tuple(pays[state][action][i != leader] for i in range(2)),
            {"ready" if action == "wait" else state: 1},
        ),
    )


def test_votes_weigh_what_may_be_led_to_later():
    """Waiting is worth 4 in one half of the cases, more than 1 now and 1 in one half of them."""
    found = voted_leaders(investment())
    assert found.returns == (2, 2)
    assert found.expected_fairness == 0


def test_what_may_never_be_led_to_weighs_less_in_votes():
    """Waiting for 2 in one half of the cases is worth less than 1 now and 1 in one half of them."""
    found = voted_leaders(investment(paid=2))
    assert found.returns == (1, 1)
    assert found.expected_fairness == Fraction(1, 2)
    assert ordered_leaders(investment(paid=3), order=(0,)).returns == (3, 0)


def test_leading_on_ones_own_is_planned_ahead():
    found = ordered_leaders(investment(), order=(0,))
    assert found.returns == (4, 0)


@given(
    mediated_cases(horizons=(1, 3), max_states=2, stages=(mediation.MediatorStage.PRE_FINAL,)),
    st.integers(0, 99),
)
def test_single_responses_are_best(case, seed):
    game, incentives = case
    start = mediation.random_mediated_profile(game, rng=np.random.default_rng(seed))
    best = best_leading_value(game, start, 0, incentives)
    found = leading_response(game, start, agent=0, incentives=incentives)
    assert mediation.mediated_returns(game, found, incentives=incentives)[0] == best
    assert found.leaders == start.leaders
    assert [[own[1:] for own in layer] for layer in found.actions] == [
        [own[1:] for own in layer] for layer in start.actions
    ]
    picked = mediator_response(game, start, incentives=incentives)
    assert mediator_deviation(game, picked, incentives.fairness) is None
    assert picked.actions == start.actions


def drawn_states():
    return mediation.mediated_game(
        players=["A", "B"],
        horizon=2,
        initial={"s": 1},
        actions=[["x"], ["x"]],
        play=lambda _state, leader, _action: ((leader, 1), {"s": "1/2", "t": "1/2"}),
    )


@pytest.mark.parametrize("function", [fair_optimum, voted_leaders])
def test_whole_plays_need_games_in_which_nothing_is_drawn(function):
    with pytest.raises(UnsupportedGame, match=f"{function.__name__}: needs a game in which noth"):
        function(drawn_states())
    with pytest.raises(InvalidArgument, match="game to be of type MediatedGame"):
        function("chicken")
    with pytest.raises(InvalidArgument, match="needs fairness to be of type Fairness"):
        function(mediation.mediated_chicken(), fairness="minimum")
    with pytest.raises(InvalidArgument, match="Nash measure"):
        function(
            mediation.mediated_prisoners_dilemma(),
            fairness=mediation.Fairness(mediation.FairnessKind.NASH),
        )


@pytest.mark.parametrize("other", ["chicken", None, mediation.MINIMUM])
def test_other_things_than_mediated_games_are_refused(other):
    for call in (
        partial(ordered_leaders, order=(0,)),
        fair_optimum,
        voted_leaders,
        lambda game: mediator_response(game, None, incentives=SELFISH),
        lambda game: leading_response(game, None, agent=0, incentives=SELFISH),
    ):
        with pytest.raises(InvalidArgument, match="game to be of type MediatedGame"):
            call(other)


@given(
    mediation.generators.fairness_measures(num_players=3, nash=True),
    st.lists(st.lists(st.integers(0, 30), min_size=3, max_size=3), min_size=1),
    st.integers(1, 4),
)
def test_scores_are_in_the_order_of_values_and_none_is_above_the_largest(
    fairness, vectors, denominator
):
    returns = np.array(vectors, dtype=object)
    if fairness.disagreement:  # no losses to the Nash measure
        returns += 30 * denominator
    scores = fairness_scores(fairness, returns, denominator=denominator)
    most = largest_score(fairness, int(returns.max()), players=3, denominator=denominator)
    assert max(map(abs, scores.tolist())) <= most
    shares = returns / Fraction(denominator)
    values = [fairness_value(fairness, tuple(own)) for own in shares.tolist()]
    for a, b in combinations(range(len(values)), 2):
        assert (scores[a] < scores[b]) == (values[a] < values[b])


@pytest.mark.parametrize(
    ("order", "complaint"),
    [
        ((), "the length of order to be an integer of at least 1"),
        ((2,), "leaders in order to be an integer from 0 to 1"),
        ((0, "B"), "leaders in order to be an integer"),
        (1, "needs order to be a sequence"),
    ],
)
def test_orders_of_nobody_are_refused(order, complaint):
    with pytest.raises(InvalidArgument, match=complaint):
        ordered_leaders(mediation.mediated_chicken(), order=order)


def test_responses_need_a_stage_that_fits_the_memory():
    game = mediation.mediated_chicken(rounds=1)
    start = mediation.random_mediated_profile(game, rng=np.random.default_rng(0))
    with pytest.raises(InvalidArgument, match="needs stage NAIVE for a mediator that knows"):
        mediator_response(game, start, incentives=SELFISH)
    forgetful = replace(start, agents=mediation.Memory.STEP, mediator=mediation.Memory.STEP)
    with pytest.raises(InvalidArgument, match="leading_response: needs stage NAIVE"):
        leading_response(game, forgetful, agent=0, incentives=mediation.MediatorIncentives())
    with pytest.raises(InvalidArgument, match="needs agent to be an integer from 0 to 1"):
        leading_response(game, start, agent=2, incentives=mediation.MediatorIncentives())
    with pytest.raises(InvalidArgument, match="needs incentives to be of type"):
        mediator_response(game, start, incentives="full")
