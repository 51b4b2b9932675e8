"""Dynamics and rankings: the same numbers as OpenSpiel and QuantEcon compute in floats."""

import numpy as np
import pytest

from gametheory_core import MixedProfile, NormalFormGame, load_game
from gametheory_core.catalog import random_game, random_symmetric_game
from gametheory_core.certificates import Populations
from solvers import alpha_rank, fictitious_play, nash_averaging
from solvers.dynamics import projected_replicator, replicator
from solvers.populations import alpha_rank_limit, nash_averaging_against_tasks
from tests.missing_packages import quantecon

pytestmark = pytest.mark.peer

SMALL = (-5, 5)


def game_of(seed, shape=(3, 4)):
    return random_game(shape, rng=np.random.default_rng(seed), payoff_range=SMALL)


@pytest.mark.parametrize("alpha", [0.05, 0.5])
@pytest.mark.parametrize("seed", range(5))
def test_alpha_rank_of_two_populations(seed, alpha):
    peer = pytest.importorskip("open_spiel.python.egt.alpharank", exc_type=ImportError)
    game = game_of(seed)
    theirs = peer.compute(list(game.payoffs), m=20, alpha=alpha)[2]
    ours = alpha_rank(game, alpha=alpha, population_size=20)
    assert ours.distribution == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_alpha_rank_transition_matrix(seed):
    peer = pytest.importorskip("open_spiel.python.egt.alpharank", exc_type=ImportError)
    game = game_of(seed)
    theirs = peer._get_multipop_transition_matrix(list(game.payoffs), False, 10, 0.3)[0]
    ours = alpha_rank(game, alpha=0.3, population_size=10).transition_matrix
    assert ours == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_alpha_rank_of_one_population(seed):
    peer = pytest.importorskip("open_spiel.python.egt.alpharank", exc_type=ImportError)
    game = random_symmetric_game(5, rng=np.random.default_rng(seed), payoff_range=SMALL)
    theirs = peer.compute([game.payoffs[0]], m=20, alpha=0.3)[2]
    ours = alpha_rank(game, alpha=0.3, population_size=20, populations=Populations.ONE)
    assert ours.distribution == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("noise", ["1/100", "1/5"])
@pytest.mark.parametrize("seed", range(5))
def test_infinite_alpha_at_a_given_noise(seed, noise):
    from fractions import Fraction

    peer = pytest.importorskip("open_spiel.python.egt.alpharank", exc_type=ImportError)
    game = game_of(seed)
    theirs = peer.compute(
        list(game.payoffs), m=20, alpha=1, use_inf_alpha=True, inf_alpha_eps=float(Fraction(noise))
    )[2]
    ours = alpha_rank_limit(game, noise=Fraction(noise)).distribution.tensor
    assert [float(p) for p in ours.ravel()] == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_projected_replicator_steps(seed):
    peer = pytest.importorskip(
        "open_spiel.python.algorithms.projected_replicator_dynamics", exc_type=ImportError
    )
    game = game_of(seed, (3, 3, 3))
    exploration = 0.3  # the peer's floor is an absolute probability, ours a share
    for steps in (1, 5, 50):
        theirs = peer.projected_replicator_dynamics(
            list(game.payoffs),
            prd_iterations=steps,
            prd_dt=0.01,
            prd_gamma=exploration / 3,
            average_over_last_n_strategies=1,
        )
        ours = projected_replicator(game, exploration=exploration, step_size=0.01, steps=steps)
        for own, peers in zip(ours.last.strategies, theirs, strict=True):
            assert own.astype(float) == pytest.approx(peers, abs=1e-9)


@pytest.mark.parametrize("name", ["shapley_cycle", "rock_paper_scissors"])
def test_replicator_path_is_the_peers_by_small_steps(name):
    pytest.importorskip("pyspiel")
    from open_spiel.python.egt import dynamics as peer

    game = load_game(name)
    start = MixedProfile((np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.2, 0.6])))
    # the peer's tensor is indexed by the own action first, for either player
    tables = np.stack([game.payoffs[0], game.payoffs[1]])
    slope = peer.MultiPopulationDynamics(tables, [peer.replicator] * 2)
    point, size = np.concatenate([start.strategies[0], start.strategies[1]]), 1e-3
    for _ in range(1000):
        first = slope(point)
        point = point + size * slope(point + size / 2 * first)
    ours = replicator(game, initial=start, step_size=0.05, steps=20)
    found = np.concatenate([own[-1] for own in ours.trajectories])
    assert found == pytest.approx(point, abs=1e-5)


@pytest.mark.parametrize("seed", range(4))
def test_nash_averages_of_agents(seed):
    peer = pytest.importorskip("open_spiel.python.algorithms.nash_averaging", exc_type=ImportError)
    import pyspiel

    rng = np.random.default_rng(seed)
    upper = np.triu(rng.integers(-9, 10, (6, 6)), 1).astype(float)
    table = upper - upper.T
    mixture, skills = peer.nash_averaging(
        pyspiel.create_matrix_game(table.tolist(), (-table).tolist())
    )
    ours = nash_averaging(table)
    assert ours.agent_mixture.astype(float) == pytest.approx(mixture.ravel(), abs=1e-3)
    assert [float(s) for s in ours.skills] == pytest.approx(skills.ravel(), abs=1e-2)


@pytest.mark.filterwarnings("ignore:Solution may be inaccurate:UserWarning")
def test_nash_averages_of_agents_and_tasks():
    peer = pytest.importorskip("open_spiel.python.algorithms.nash_averaging", exc_type=ImportError)
    scores = np.random.default_rng(5).random((4, 6))
    scores -= scores.min(axis=0)
    scores /= scores.max(axis=0)  # the peer brings each task to this scale itself
    (agents, tasks), (skills, _) = peer.nash_averaging_avt_matrix(scores)
    ours = nash_averaging_against_tasks(scores)
    assert ours.agent_mixture.astype(float) == pytest.approx(agents.ravel(), abs=1e-3)
    assert ours.task_mixture.astype(float) == pytest.approx(tasks.ravel(), abs=1e-3)
    assert [float(s) for s in ours.skills] == pytest.approx(skills.ravel(), abs=1e-3)


@pytest.mark.parametrize("seed", range(4))
def test_fictitious_play_of_quantecon_gets_as_near(seed):
    """The peer breaks ties and counts its first step otherwise, so only the outcome compares."""
    theory = quantecon().game_theory
    payoffs = np.random.default_rng(seed).integers(-9, 10, (4, 4)).astype(float)
    peer = theory.FictitiousPlay(
        theory.NormalFormGame([theory.Player(payoffs), theory.Player(-payoffs.T)])
    )
    profile = peer.play(num_reps=3000, init_actions=(0, 0))
    row, column = (np.asarray(own) for own in profile)
    theirs = (payoffs @ column).max() - (row @ payoffs).min()
    ours = fictitious_play(NormalFormGame.zero_sum(payoffs), steps=3000)
    assert float(sum(ours.nash.deviation_gains)) == pytest.approx(theirs, abs=0.5)
