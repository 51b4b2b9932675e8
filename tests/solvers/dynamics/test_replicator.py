"""Replicator dynamics: known paths, order of accuracy, faces, mutation, projection."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import MixedProfile, NormalFormGame, load_game
from gametheory_core.testing import normal_form_games
from solvers.dynamics import projected_replicator, replicator
from solvers.dynamics.replicators import DEFAULT_STEP, project_to_floor
from tests.sample_sizes import examples


def point(*strategies):
    return MixedProfile(tuple(np.array(own, dtype=float) for own in strategies))


def test_path_of_a_dominant_action_is_the_logistic_curve():
    """One action earns one more, whatever the others do: log odds grow at rate one."""
    game = NormalFormGame.bimatrix(np.array([[1.0], [0.0]]), np.zeros((2, 1)))
    play = replicator(game, initial=point([0.1, 0.9], [1.0]), step_size=0.01, steps=300, samples=3)
    odds = play.trajectories[0][:, 0] / play.trajectories[0][:, 1]
    assert np.log(odds) - np.log(1 / 9) == pytest.approx([0, 1, 2, 3], abs=1e-9)


@pytest.mark.parametrize(("mutation", "order"), [(0.0, 4), (0.5, 2)])
def test_error_falls_with_the_promised_power_of_the_step(mutation, order):
    game = load_game("shapley_cycle")
    start = point([0.5, 0.3, 0.2], [0.2, 0.2, 0.6])

    def end(steps):
        play = replicator(
            game, initial=start, mutation=mutation, step_size=8.0 / steps, steps=steps
        )
        return np.concatenate([own[-1] for own in play.trajectories])

    exact = end(2048)
    coarse, fine = (np.abs(end(steps) - exact).max() for steps in (32, 64))
    assert 0.7 * 2**order < coarse / fine < 1.5 * 2**order


def test_actions_that_start_at_zero_stay_there_without_mutation():
    game = load_game("rock_paper_scissors")
    start = point([0.5, 0.5, 0.0], [0.2, 0.2, 0.6])
    assert replicator(game, initial=start, steps=50).last.strategies[0][2] == 0
    mutant = replicator(game, initial=start, mutation=0.1, steps=50)
    assert mutant.last.strategies[0][2] > 0


def test_shares_never_leave_the_simplex_however_strong_selection_is():
    game = NormalFormGame.symmetric([[0, 1e6], [1e6 + 1, 0]])
    play = replicator(game, initial=point([0.9, 0.1], [0.2, 0.8]), step_size=1.0, steps=20)
    for own in play.trajectories:
        assert own.min() >= 0
        assert np.isfinite(own).all()
        assert np.allclose(own.sum(axis=1), 1)


def test_mutation_alone_forgets_at_its_rate():
    game = load_game("indifference")
    start = point([0.9, 0.1], [0.5, 0.5])
    play = replicator(game, initial=start, mutation=0.5, step_size=0.1, steps=20)
    assert float(play.last.strategies[0][0]) == pytest.approx(0.5 + 0.4 * np.exp(-1.0))


def test_mutation_turns_the_center_of_rock_paper_scissors_into_an_attractor():
    game = load_game("rock_paper_scissors")
    start = point([0.5, 0.3, 0.2], [0.2, 0.2, 0.6])
    play = replicator(game, initial=start, mutation=0.1, steps=3_000)
    assert play.last.strategies[0].astype(float) == pytest.approx(1 / 3, abs=1e-4)


@given(st.lists(st.floats(-3, 3), min_size=1, max_size=5), st.floats(0, 1))
def test_projection_is_the_nearest_point_above_the_floor(values, share):
    own = np.array(values)
    floor = share / len(own)
    nearest = project_to_floor(own, floor)
    assert nearest.sum() == pytest.approx(1)
    assert nearest.min() >= floor - 1e-12
    # first-order optimality against every corner of the feasible set
    for corner in range(len(own)):
        other = np.full(len(own), floor)
        other[corner] += 1 - floor * len(own)
        assert (own - nearest) @ (other - nearest) <= 1e-9


@examples(20)
@given(game=normal_form_games(), exploration=st.sampled_from([0.0, 0.1, 1.0]))
def test_floor_is_kept_along_the_path(game, exploration):
    play = projected_replicator(game, exploration=exploration, steps=30)
    for own, count in zip(play.trajectories, game.num_actions, strict=True):
        assert own.min() >= exploration / count - 1e-12


def test_projection_without_a_floor_follows_the_replicator():
    game = load_game("shapley_cycle")
    start = point([0.5, 0.3, 0.2], [0.2, 0.2, 0.6])
    options = {"initial": start, "step_size": 1e-3, "steps": 2_000}
    projected = projected_replicator(game, exploration=0.0, **options)
    free = replicator(game, **options)
    for ours, theirs in zip(projected.trajectories, free.trajectories, strict=True):
        assert np.abs(ours - theirs).max() < 2e-3


@pytest.mark.parametrize("stakes", [(1, 1), (1, 1000), (1000, 1)])
def test_the_default_step_fits_the_player_with_most_at_stake(stakes):
    game = load_game("shapley_cycle")
    spans = [own.max() - own.min() for own in game.exact_payoffs]
    payoffs = [
        own * k / span for own, k, span in zip(game.exact_payoffs, stakes, spans, strict=True)
    ]
    scaled = NormalFormGame.from_payoffs(np.array(payoffs, dtype=object))
    start = point([0.5, 0.3, 0.2], [0.2, 0.2, 0.6])
    default = replicator(scaled, steps=5, initial=start)
    asked = replicator(scaled, steps=5, initial=start, step_size=DEFAULT_STEP / max(stakes))
    assert default.state.strategies == pytest.approx(asked.state.strategies)
