"""First-mover advantage where agents and mediator have come to rest.

By rewards the prisoner's dilemma has it; chicken and resource collection have not. By values, at
the profiles to which the rounds lead, all of them have it, except that in the prisoner's dilemma it
depends on where the rounds start. In one step, advantage by rewards gives that by values.

Why it matters (mediation): Whether leading pays is what makes the choice of the leader a matter of
fairness.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import mediation
from solvers.mediation import InitialPolicies, jam_value_iteration

REWARDS, VALUES = mediation.FirstMoverAdvantage.REWARDS, mediation.FirstMoverAdvantage.VALUES
theorem = pytest.mark.theorem(
    source="Dodwadmath and Maghsudi 2025",
    statement="Leading pays more at each step in the dilemma, but not always from there on.",
)


def at_rest(game, initial):
    """Whether leading is better by values where the rounds come to rest."""
    profile = jam_value_iteration(game, initial=initial).profile
    return mediation.is_first_mover_advantage(game, kind=VALUES, profile=profile)


@theorem
@pytest.mark.parametrize("initial", [InitialPolicies.SELFISH, InitialPolicies.FAIR])
@pytest.mark.parametrize(
    "game",
    [
        mediation.mediated_chicken(),
        mediation.resource_collection_two_colors(),
        mediation.mediated_prisoners_dilemma(players=4, rounds=3),
    ],
    ids=repr,
)
def test_leading_is_never_worse_from_there_on(game, initial):
    assert at_rest(game, initial)


@theorem
def test_in_the_dilemma_it_depends_on_the_start():
    game = mediation.mediated_prisoners_dilemma()
    assert mediation.is_first_mover_advantage(game, kind=REWARDS)
    assert at_rest(game, InitialPolicies.SELFISH)
    verdict = at_rest(game, InitialPolicies.FAIR)
    assert not verdict
    assert "gets 1 from there on by leading and 3 where" in verdict.reason


@st.composite
def dilemmas(draw):
    """Games of one state in which the worst of leading pays more than the best of following."""
    count = draw(st.integers(1, 2))
    following = [draw(st.integers(-4, 2)) for _ in range(count)]
    leading = [max(following) + draw(st.integers(1, 4)) for _ in range(count)]
    players = draw(st.integers(2, 3))
    return mediation.mediated_game(
        players=["Ann", "Bob", "Cleo"][:players],
        horizon=1,
        initial={"round": 1},
        actions=[range(count)] * players,
        play=lambda _state, leader, a: (
            tuple(Fraction(leading[a] if i == leader else following[a]) for i in range(players)),
            {"round": 1},
        ),
    )


@theorem
@given(dilemmas(), st.integers(0, 2**32))
def test_advantage_by_rewards_is_one_by_values_in_the_last_step(game, seed):
    assert mediation.is_first_mover_advantage(game, kind=REWARDS)
    profile = mediation.random_mediated_profile(game, rng=np.random.default_rng(seed))
    assert mediation.is_first_mover_advantage(game, kind=VALUES, profile=profile)


@theorem
def test_without_the_last_step_it_need_not_be():
    game = mediation.mediated_prisoners_dilemma(rounds=2)
    found = [
        mediation.is_first_mover_advantage(
            game,
            kind=VALUES,
            profile=mediation.random_mediated_profile(game, rng=np.random.default_rng(seed)),
        ).holds
        for seed in range(30)
    ]
    assert set(found) == {True, False}
