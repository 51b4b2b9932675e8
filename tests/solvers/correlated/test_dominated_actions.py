"""What strict dominance leaves out is in no correlated equilibrium, and priced so in the proof."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import (
    InvalidArgument,
    NormalFormGame,
    NotConverged,
    certify_correlated,
    load_game,
)
from gametheory_core.certificates import CorrelatedKind, LinearObjective
from gametheory_core.errors import InfeasibleProgram
from gametheory_core.testing import PayoffKind, normal_form_games
from solvers import Budget, correlated_equilibrium
from solvers.concepts import Objective
from solvers.correlated import correlated_payoff_vertices, dominated_actions
from tests.planted_games import with_dominated_and_copies
from tests.sample_sizes import examples

BASES = normal_form_games(num_players=(2, 3), max_actions=3, kinds=tuple(PayoffKind))


@pytest.fixture(autouse=True)
def of_any_size(monkeypatch):
    monkeypatch.setattr(dominated_actions, "LEAST", 0)
    monkeypatch.setattr(dominated_actions, "LARGEST_UNLESS_SEEN", 0)


def without_reductions(solve):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(dominated_actions, "LEAST", float("inf"))
        return solve()


def planted(base, seed, dominated=3):
    return with_dominated_and_copies(
        np.random.default_rng(seed), base, dominated=dominated, copies=0
    )


@examples(60)
@given(BASES, st.integers(0, 2**32 - 1), st.sampled_from(Objective))
def test_planted_actions_leave_the_optimum_and_are_priced(base, seed, objective):
    game, origins = planted(base, seed)
    best = correlated_equilibrium(game, objective=objective)
    best.certificate.verify()
    assert best.certificate.epsilon == best.certificate.optimality_gap == 0
    whole = without_reductions(lambda: correlated_equilibrium(game, objective=objective))
    assert best.certificate.optimality.value == whole.certificate.optimality.value
    for joint in best.profile.joint_actions:
        assert all(own[action] >= 0 for own, action in zip(origins, joint, strict=True))


@examples(40)
@given(BASES, st.integers(0, 2**32 - 1), st.data())
def test_any_objective_is_bounded_in_the_game_as_given(base, seed, data):
    game, _ = planted(base, seed)
    size = game.given_payoffs[0].size
    weights = data.draw(
        st.lists(st.fractions(-9, 9, max_denominator=9), min_size=size, max_size=size)
    )
    objective = LinearObjective.of_outcomes(game, np.array(weights).reshape(game.num_actions))
    best = correlated_equilibrium(game, objective=objective)
    best.certificate.verify()
    assert best.certificate.optimality_gap == 0
    whole = without_reductions(lambda: correlated_equilibrium(game, objective=objective))
    assert best.certificate.optimality.value == whole.certificate.optimality.value


@examples(40)
@given(BASES, st.integers(0, 2**32 - 1), st.fractions(-3, 3, max_denominator=4))
def test_floors_are_met_or_proved_to_be_out_of_reach_as_without_reductions(base, seed, above):
    game, _ = planted(base, seed)
    least = (
        sum(correlated_equilibrium(game, objective=Objective.LARGEST_PAYOFF).payoffs[:1]) + above
    )

    def solve():
        return correlated_equilibrium(game, payoff_floors={0: least})

    if above > 0:
        with pytest.raises(InfeasibleProgram, match="payoff floors") as caught:
            solve()
        witness = caught.value.witness
        witness.verify()
        assert witness.game is game
        return
    best = solve()
    best.certificate.verify()
    assert best.certificate.optimality_gap == best.certificate.shortfall == 0
    whole = without_reductions(solve)
    assert best.certificate.optimality.value == whole.certificate.optimality.value


@pytest.mark.parametrize("highest", [25, 100])
def test_travelers_are_told_to_claim_the_least(highest, monkeypatch):
    monkeypatch.undo()
    game = load_game(f"travelers_dilemma:highest={highest}")
    best = correlated_equilibrium(game)
    best.certificate.verify()
    assert best.profile.joint_actions == ((0, 0),)
    assert best.certificate.optimality_gap == 0
    assert correlated_payoff_vertices(game).vertices == ((Fraction(2), Fraction(2)),)


@pytest.mark.parametrize("least", [None, 10**9], ids=["small", "any size"])
def test_mixtures_that_dominate_by_a_hair_are_looked_for_where_exact_steps_are_many(
    least, monkeypatch
):
    """No action is weakly worse than another one, so that this is not looked for at first."""
    monkeypatch.undo()
    if least is not None:
        monkeypatch.setattr(dominated_actions, "LEAST", least)
    rng = np.random.default_rng(2)
    rows, columns = rng.integers(-20, 21, (2, 19, 20))
    hair = Fraction(1, 10**9)
    worse = [(int(a) + int(b)) * Fraction(1, 2) - hair for a, b in zip(*rows[:2], strict=True)]
    other = rng.integers(-20, 21, (2, 20))[1].tolist()
    game = NormalFormGame.bimatrix([*rows.tolist(), worse], [*columns.tolist(), other])
    best = correlated_equilibrium(game, budget=Budget(iterations=2_000))
    best.certificate.verify()
    assert best.certificate.optimality_gap == 0
    assert any(own.recommended == 19 for own in best.certificate.optimality.prices)


def test_a_budget_that_ends_leaves_an_answer_in_the_game_as_given():
    rng = np.random.default_rng(1)
    game, _ = planted(NormalFormGame.from_payoffs(rng.integers(-99, 100, (2, 12, 12))), 2)
    with pytest.raises(NotConverged, match="the budget ended") as caught:
        correlated_equilibrium(game, budget=Budget(iterations=1))
    best = caught.value.best.certificate
    best.verify()
    assert best.game is game
    assert best.optimality_gap > 0


def test_objectives_are_about_the_game_as_given():
    game, _ = planted(load_game("chicken"), 3)
    other = LinearObjective.of_outcomes(load_game("chicken"), [[1, 0], [0, 1]])
    with pytest.raises(InvalidArgument, match="outcome weights"):
        correlated_equilibrium(game, objective=other)


def test_weakly_dominated_twin_is_played():
    """Both get 1 by their first actions, else nothing: the second ones are an equilibrium too."""
    game = NormalFormGame.bimatrix([[1, 0], [0, 0]], [[1, 0], [0, 0]])
    worst = correlated_equilibrium(game, objective=LinearObjective((Fraction(-1), Fraction(-1))))
    assert worst.profile.joint_actions == ((1, 1),)
    assert certify_correlated(game, worst.profile).epsilon == 0


def test_coarse_twin_plays_a_strictly_dominated_action():
    """The third row loses 1 to the first; but half the time rows and columns agree on 1 each."""
    game = NormalFormGame.bimatrix([[0, 0], [1, -1], [-1, -1]], [[0, 0], [1, -1], [1, 1]])
    third = LinearObjective.of_outcomes(game, [[0, 0], [0, 0], [1, 1]])
    best = correlated_equilibrium(game, kind=CorrelatedKind.COARSE, objective=third)
    best.certificate.verify()
    assert best.certificate.optimality.value == Fraction(1, 2)
    assert correlated_equilibrium(game, objective=third).certificate.optimality.value == 0
