"""An agent's values as the leader: rewards until it is picked again, then its best value there.

For a mediator and other leaders that depend on the state alone, and a discount below 1, this
operator (equation 2 of Dodwadmath and Maghsudi 2025) is a contraction by the discount, and its
fixed point is what the agent could get at best in the decision problem in which it acts where it is
picked. Exact: linear systems in rationals, and all plans tried.

Why it matters (mediation): What a leader expects until being picked again is the quantity that the
paper's agents learn; this says that it exists and what it means.
"""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core.mediation import mediated_game, mediated_games
from gametheory_core.testing import rationals
from tests.theorems.mediated_operators import (
    agent_operator,
    best_values,
    distance,
    live_states,
    lookahead,
)

SOURCE = "Dodwadmath and Maghsudi 2025"
contraction = pytest.mark.theorem(
    source=SOURCE, statement="A leader's values until it leads again are a contraction's."
)
optimum = pytest.mark.theorem(
    source=SOURCE, statement="The values of a leader are those of the best plan where it is picked."
)
BELOW_ONE = (Fraction(1, 2), Fraction(9, 10), Fraction(0))


@st.composite
def cases(draw):
    """A game, an agent, whom the mediator picks in each state and what each leader does there."""
    game = draw(mediated_games(discounts=BELOW_ONE))
    players = range(game.num_players)
    states = live_states(game)
    leaders = {s: draw(st.sampled_from(players)) for s in states}
    actions = {s: [draw(st.sampled_from(game.legal(s, i))) for i in players] for s in states}
    return game, draw(st.sampled_from(players)), leaders, actions


def drawn_values(data, game, agent):
    return {s: {a: data.draw(rationals()) for a in game.legal(s, agent)} for s in live_states(game)}


@contraction
@given(cases(), st.data())
def test_images_are_closer_by_the_discount(case, data):
    game, agent, *_ = case
    pair = [drawn_values(data, game, agent) for _ in range(2)]
    images = [agent_operator(*case, values) for values in pair]
    assert distance(*images) <= game.discount * distance(*pair)


@contraction
def test_without_a_discount_images_need_not_be_closer():
    game = endless(pays=(0,))
    values = [{0: {0: Fraction(v)}} for v in (0, 1)]
    images = [agent_operator(game, 0, {0: 0}, {0: [0]}, v) for v in values]
    assert distance(*images) == distance(*values) == 1


def endless(pays):
    """One player and state, an action for each of these rewards, no discount."""
    return mediated_game(
        players=["Ann"],
        horizon=1,
        initial={"here": 1},
        actions=[range(len(pays))],
        play=lambda _state, _leader, action: ((pays[action],), {"here": 1}),
    )


@optimum
@given(cases())
def test_fixed_point_is_the_best_plan_where_the_agent_is_picked(case):
    game, agent, leaders, _ = case
    best = best_values(*case)
    values = {
        s: {a: lookahead(game, agent, game.row(s, agent, a), best) for a in game.legal(s, agent)}
        for s in live_states(game)
    }
    assert agent_operator(*case, values) == values
    picked = [s for s in live_states(game) if leaders[s] == agent]
    assert [max(values[s].values()) for s in picked] == [best[s] for s in picked]


@optimum
@given(cases(), st.data())
def test_iteration_from_anywhere_comes_as_close_as_the_discount_says(case, data):
    game, agent, *_ = case
    best = best_values(*case)
    goal = {
        s: {a: lookahead(game, agent, game.row(s, agent, a), best) for a in game.legal(s, agent)}
        for s in live_states(game)
    }
    values = drawn_values(data, game, agent)
    bound = distance(values, goal)
    for _ in range(6):
        values = agent_operator(*case, values)
        bound *= game.discount
        assert distance(values, goal) <= bound


@optimum
def test_agent_that_never_leads_again_looks_no_further_than_the_end():
    """Bob leads for ever after Ann's step; the sum of rewards has no best value at its end."""
    game = mediated_game(
        players=["Ann", "Bob"],
        horizon=3,
        initial={"first": 1},
        actions=[["go"], ["go"]],
        play=lambda *_: ((1, 0), {"later": 1}),
        discount="1/2",
    )
    values = {s: {0: Fraction(99)} for s in range(2)}
    after = agent_operator(game, 0, {0: 0, 1: 1}, {0: [0, 0], 1: [0, 0]}, values)
    assert after[0][0] == 2


@optimum
def test_without_all_plans_of_the_others_fixed_the_best_plan_differs():
    """What Ann gets while Bob leads depends on Bob, so other actions of Bob's give other values."""
    game = mediated_game(
        players=["Ann", "Bob"],
        horizon=2,
        initial={"hers": 1},
        actions=[["go"], ["give", "keep"]],
        play=lambda state, _leader, action: (
            (int(action == "give"), 0),
            {"his" if state == "hers" else "hers": 1},
        ),
        discount="1/2",
    )
    best = [best_values(game, 0, {0: 0, 1: 1}, {0: [0, 0], 1: [0, b]})[0] for b in range(2)]
    assert best == [Fraction(2, 3), 0]
