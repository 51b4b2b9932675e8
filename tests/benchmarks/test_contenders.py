"""On small games the contenders of each suite find the same. Nothing is timed."""

import contextlib
from fractions import Fraction

import numpy as np
import pytest

import gametheory_core as gt
import solvers
from gametheory_core import leaders, nash_conv
from gametheory_core.adapters import open_spiel_tree, parallel_env
from gametheory_core.catalog import RepeatedGame
from gametheory_core.strategies import sequence_form
from learners import train
from solvers.counterfactual import Sampling, laid_out_average
from solvers.leaders import markov_stackelberg
from solvers.markov import stage_nash_induction
from tests.benchmarks import (
    bayesian,
    bimatrix,
    correlated,
    dominance,
    enumeration,
    environments,
    extensive_correlated,
    extensive_stackelberg,
    many_players,
    markov_games,
    max_entropy,
    mediated,
    meta_learning,
    monte_carlo,
    policy_gradients,
    refinements,
    regret_minimizers,
    roshambo_bots,
    security,
    stackelberg,
    stochastic_commitment,
    stochastic_stackelberg,
    tree_evaluation,
    tree_layout,
)
from tests.benchmarks import counterfactual_regret as regret
from tests.benchmarks import markov_stackelberg as markov
from tests.benchmarks import sequence_form_lcp as lcp
from tests.missing_packages import quantecon
from tests.solvers.zero_sum.evaluation_matrices import FAMILIES

pytestmark = [pytest.mark.peer, pytest.mark.filterwarnings("ignore")]  # the peers' own
near = pytest.approx


def needs(*peers):
    for peer in peers:
        if peer == "quantecon":
            quantecon()
        else:
            pytest.importorskip(peer, exc_type=ImportError)


def test_bayesian_commitment():
    needs("pyspiel", "cvxpy")
    game = bayesian.random_game(2, 3)
    expected = bayesian.by_dobss(game)
    assert bayesian.by_multiple_programs(game) == bayesian.by_harsanyi(game) == expected
    assert bayesian.by_open_spiel(bayesian.peer_game(game)) == near(expected, abs=1e-4)


@pytest.mark.parametrize("size", [5, 20])
def test_paths_of_bimatrix_games(size):
    needs("quantecon")
    batch = bimatrix.payoffs_of(size, 5)
    theirs = bimatrix.by_quantecon(bimatrix.peer_games(batch))
    for ours in (bimatrix.certified(batch), bimatrix.exact(batch)):
        assert np.allclose(ours, theirs, atol=1e-9)
    assert min(bimatrix.by_kernel(batch)) > 0


def test_welfare_of_bimatrix_games():
    batch = bimatrix.payoffs_of(5, 3)
    assert bimatrix.best_welfare(batch) == near(bimatrix.by_highs(batch), abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("kind", list(gt.certificates.CorrelatedKind))
def test_correlated_equilibria(kind):
    needs("open_spiel.python.algorithms.jpsro")
    for shape, seed in (((5, 5), 0), ((5, 5), 1), ((2, 3, 3), 0), ((2, 3, 3), 1)):
        payoffs = correlated.payoffs_of(shape, seed=seed)
        welfare = correlated.ours(payoffs, kind)
        assert welfare == near(correlated.by_open_spiel(payoffs, kind), abs=1e-3)
        assert correlated.ours(payoffs, kind, tolerance=1e-6) == near(welfare, abs=1e-6)
    payoffs = correlated.payoffs_of((4, 4), seed=5)
    peer = correlated.even_by_open_spiel(payoffs, kind)
    assert correlated.ours_even(payoffs, kind) == near(peer, abs=1e-4)


GOOFSPIEL = "goofspiel(num_cards=3,imp_info=True,points_order=descending,players=2)"


@pytest.mark.parametrize(("name", "steps"), [("kuhn_poker", 20), (GOOFSPIEL, 5)])
def test_averages_of_regret_minimizers(name, steps):
    pyspiel = pytest.importorskip("pyspiel")
    game = regret.peer_game(name)
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(steps):
        solver.evaluate_and_update_policy()
    run = solvers.counterfactual_regret(regret.tree_of(name), steps=steps)
    assert float(run.epsilon) == near(pyspiel.nash_conv(game, solver.average_policy()), abs=1e-9)


def test_the_floor_of_regret_minimization_counts_each_number_once():
    needs("pyspiel")
    engine = regret.engine_of(regret.tree_of("kuhn_poker"))
    assert regret.bytes_moved(engine) == 2 * 30 * 12 + 2 * 13 * (4 + 80) + 2 * 6 * 8


@pytest.mark.slow
@pytest.mark.parametrize("sampling", list(Sampling))
def test_sampled_regret_comes_near_equilibrium(sampling):
    """After 5,000 iterations all leave less than a fifth of what uniform play leaves, 11/12."""
    pyspiel = pytest.importorskip("pyspiel")
    solver = monte_carlo.open_spiel_solver("kuhn_poker", sampling)
    for _ in range(5_000):
        solver.run_iteration()
    gains = [pyspiel.nash_conv(regret.peer_game("kuhn_poker"), solver.average_policy())]
    for source in (regret.tree_of("kuhn_poker"), monte_carlo.RULES["Kuhn poker"]):
        average = laid_out_average(monte_carlo.ours(source, sampling, 5_000))
        gains.append(nash_conv(average.game, average.profile))
    assert max(gains) < 0.18


@pytest.mark.parametrize("name", ["kuhn_poker", "kuhn_poker(players=3)"])
def test_gains_in_trees(name):
    pyspiel = pytest.importorskip("pyspiel")
    tree = regret.tree_of(name)
    profile = tree_evaluation.random_profile(tree)
    policy = tree_evaluation.open_spiel_policy(name, tree, profile)
    theirs = pyspiel.nash_conv(regret.peer_game(name), policy)
    assert nash_conv(tree, profile) == near(theirs, abs=1e-9)
    assert gt.nash_conv(tree, profile) == near(theirs, abs=1e-9)


def test_lite_efg_plays_and_evaluates_where_it_is_installed(tmp_path):
    needs("LiteEFG")
    tree = regret.tree_of("kuhn_poker")
    with contextlib.chdir(tmp_path):
        step = regret.lite_efg_step("kuhn_poker")
        assert [step() for _ in range(3)] == [None] * 3
        theirs = sum(tree_evaluation.lite_efg_evaluation("kuhn_poker")())
    assert nash_conv(tree, gt.uniform_behavior(tree)) == near(theirs, abs=1e-9)


@pytest.mark.slow
def test_learners_with_networks_make_the_steps_they_are_asked_for():
    needs("stable_baselines3")
    from tests.benchmarks.stable_baselines import CONTENDERS, STEPS

    for algorithm in STEPS:
        for play in CONTENDERS.values():
            ends = play(algorithm, seed=1, steps=512)
            assert 300 < ends[-1][0] <= 512 + 40  # rollouts are made whole


@pytest.mark.parametrize("kind", dominance.KINDS)
def test_dominated_actions(kind):
    needs("quantecon", "pygambit")
    payoffs = dominance.payoffs_of(kind, 6)
    assert dominance.ours(payoffs) == dominance.by_quantecon(payoffs)
    assert dominance.ours(payoffs, by=gt.certificates.DominatedBy.PURE) == dominance.by_gambit(
        payoffs
    )
    assert kind != "mixtures" or sum(dominance.ours(payoffs)) >= 4


def test_numbers_of_equilibria():
    needs("quantecon")
    batch = enumeration.payoffs_of(3, 5)
    assert enumeration.ours(batch) == enumeration.by_quantecon(batch)


def test_environments_pay_the_same_for_the_same_actions():
    needs("pygame", "pyspiel")
    from learners import batched, mean_returns
    from learners.batches import rollouts

    steps, bench = 40, environments
    actions = np.random.default_rng(bench.SEED).integers(3, size=(steps, 2))
    play = batched(bench.GAME, episodes=1, seed=bench.SEED)
    play.reset()
    ours = sum(play.step(joint[None]).rewards[0, 0] for joint in actions)
    from pettingzoo.classic import rps_v2

    assert ours != 0
    assert bench.open_spiel_steps(bench.open_spiel_env(), steps) == ours
    for environment in (rps_v2.parallel_env(max_cycles=bench.ROUNDS), parallel_env(bench.GAME)):
        assert bench.parallel_steps(environment, steps) == ours
    play = batched(bench.GAME, episodes=1, seed=bench.SEED)
    tables = bench.lottery_tables(play)
    found = mean_returns(play, tables, episodes=3, seed=bench.SEED)
    kept = rollouts(play, tables, episodes=3, seed=bench.SEED)
    assert np.array_equal(kept.returns.mean(axis=0), found.means)
    assert found.steps == 3 * bench.ROUNDS


def test_correlation_in_trees():
    pyspiel = pytest.importorskip("pyspiel")
    bench = extensive_correlated
    tree = bench.half_seen_tree(3)
    assert bench.over_plans(tree) == bench.over_normal_form(tree) >= bench.extensive_form(tree)
    tree, game = open_spiel_tree("kuhn_poker"), pyspiel.load_game("kuhn_poker")
    mixture = bench.random_mixture(tree)
    theirs = bench.by_open_spiel(game, bench.peer_device(game, tree, mixture))
    assert bench.coarse_distance(tree, mixture) == near(theirs, abs=1e-9)


def test_commitment_where_interests_are_opposed():
    bench = extensive_stackelberg
    game = gt.load_game("kuhn_poker")
    assert bench.ours(game) == bench.by_a_mediator(game) == float(Fraction(-1, 18))


def test_commitment_in_trees():
    needs("pyspiel", "cvxpy")
    bench = extensive_stackelberg
    game = bench.tree_of(4, 13)
    assert (
        bench.ours(game) == bench.by_normal_form(game) == near(bench.by_open_spiel(game), abs=1e-4)
    )


@pytest.mark.slow
@pytest.mark.parametrize("exact", [False, True])
def test_games_of_several_players(exact):
    needs("pygambit")
    bench = many_players
    for game in bench.games_of((2, 2, 2), 5, exact=exact):
        peer = bench.peer_game(game)
        assert bench.number_of_pure(game) == bench.by_gambit("enumpure", peer)
        assert bench.all_equilibria(game) >= bench.by_gambit("enumpoly", peer) >= 1
        assert bench.by_gambit("logit", peer) == bench.by_gambit("ipa", peer) == 1
        span = max(table.max() - table.min() for table in game.payoffs)
        assert max(bench.compiled(game), bench.uncompiled(game)) <= 1e-12 * span
        assert solvers.logit_homotopy(game).solution.certificate.epsilon <= 1e-12 * span


def test_values_of_markov_games():
    view = markov_games.soccer_view(2, 4)
    tables = markov_games.float_tables(view)
    ours = np.array(solvers.shapley_value_iteration(view).certificate.values, dtype=float)
    assert np.abs(markov_games.plain_value_iteration(tables, view, 3.0) - ours).max() <= 3.0
    peer = markov_games.plain_induction(tables, view, 2)
    stopped = stage_nash_induction(markov_games.soccer_view(2, 4, horizon=2)).certificate
    for state, _ in view.initial:
        assert peer[state] == near(float(stopped.values[0][state][0]), abs=1e-9)


def test_leaders_of_markov_games():
    games = markov.iterated_games()[-3:]
    assert markov.solve_all(games) == markov.enumerate_all(
        [leaders.leader_view(game) for game in games]
    )
    game = markov.random_game(states=7, observations=6, actions=3, horizon=3)
    view = leaders.leader_view(game)
    count = leaders.num_leader_policies(view)
    convention = (leaders.FollowerClass.TIME_AWARE, leaders.FollowerTies.STRONG)
    value = markov.enumerate_leaders(view, *convention, count=count)
    assert markov_stackelberg(game).certificate.leader_value == value
    view = leaders.leader_view(markov.random_game(states=5, observations=4, actions=3, horizon=2))
    tried = markov.all_leaders(view, leaders.num_leader_policies(view)).tolist()
    assert tried == [list(policy.actions) for policy in leaders.leader_policies(view)]
    assert leaders.num_leader_policies(leaders.leader_view(markov.remembering("chicken"))) == 2**21


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_most_entropic_strategies(family):
    needs("pyspiel", "cvxpy")
    bench, payoffs = max_entropy, max_entropy.payoffs_of(family, 5)
    assert np.abs(bench.ours(payoffs) - bench.by_open_spiel(bench.peer_game(payoffs))).max() < 5e-3
    payoffs = bench.payoffs_of(family, 8)
    assert bench.growing(payoffs, warm=True) == near(bench.growing(payoffs, warm=False), abs=1e-9)


def test_fairness_of_mediated_games():
    games = mediated.eight_games(players=(2,))
    assert mediated.ours(games) == mediated.by_recursion(games) == [6, 24, 8, 8]
    mediated.ours_verified(games)


@pytest.mark.parametrize("name", ["prisoners_dilemma", "chicken"])
def test_contextual_learning_agrees_bit_for_bit(name):
    view = meta_learning.view_of(name)
    compiled = meta_learning.compiled_contextual_q(view, episodes=400, seed=3).snapshot()["values"]
    plain = meta_learning.plain_contextual_q(view, episodes=400, seed=3)
    assert np.array_equal(compiled, np.array(plain).reshape(compiled.shape))
    assert np.abs(compiled).max() > 1


def test_both_kinds_of_leader_episodes_pay_the_same_on_average():
    """Within 5.5 standard errors, as both draw at random; fails once in 26 million seeds."""
    needs("gymnasium")
    view = meta_learning.view_of("prisoners_dilemma")
    ours = meta_learning.leader_episodes(view, 4000)().returns[:, 0]
    theirs = np.array(meta_learning.gymnasium_episodes(view, 400)())
    error = np.sqrt(ours.var() / len(ours) + theirs.var() / len(theirs))
    assert abs(ours.mean() - theirs.mean()) < 5.5 * error


@pytest.mark.parametrize("steps", [2, 10])
def test_policy_gradients(steps):
    exact = np.array(policy_gradients.rational(steps)(), dtype=float)
    assert policy_gradients.compiled(steps)() == near(exact, abs=1e-12)
    assert policy_gradients.vectorised(steps)() == near(exact, abs=1e-12)


@pytest.mark.slow
def test_policy_optimization_plays_the_same_game_and_learns_to_defect():
    """A defection pays 3 on average against one who plays evenly: 30 in ten rounds, exactly."""
    needs("stable_baselines3")
    from tests.benchmarks import policy_optimization as bench

    game = bench.our_game()
    actions = RepeatedGame.of("prisoners_dilemma").legal_actions(0, ())
    for (own, other), paid in bench.PAYOFFS.items():
        joint = (actions[own], actions[other])
        (start, _), *_ = game.initial().items
        (after, _), *_ = game.transition(start, joint).items
        assert float(game.reward(start, joint, after)[0]) == paid
    environment = bench.EvenDilemma()
    environment.reset(seed=1)
    cut = [environment.step(1)[2] for _ in range(game.horizon)]
    assert cut == [False] * (game.horizon - 1) + [True]
    game = RepeatedGame.of("prisoners_dilemma", rounds=2)
    assert gt.evaluation.best_response_returns(game, gt.uniform_policies(game))[0] == 6
    ours, peer = bench.our_learner(64), bench.peer_learner(64)
    for _ in range(12):
        metrics = ours.improve()
    peer.learn(12 * 2048)
    assert metrics["return/player 1"] > 27
    for seen in range(5):
        observed = peer.policy.obs_to_tensor(np.array([seen]))[0]
        lottery = peer.policy.get_distribution(observed).distribution.probs
        assert lottery[0, 1].item() > 0.6


@pytest.mark.slow
def test_dynamics_and_rankings_of_populations():
    needs("pyspiel", "quantecon")
    from tests.benchmarks import populations as bench

    payoffs = bench.payoffs_of(3)
    ranked = bench.ours_ranked(payoffs).distribution
    assert ranked == near(bench.spiel_ranked(payoffs), abs=1e-8)
    assert bench.ours_limit(payoffs) == near(bench.spiel_limit(payoffs), abs=1e-3)
    ours, theirs = bench.ours_projected(payoffs, 30), bench.spiel_projected(payoffs, 30)
    for own, peer in zip(ours.average.strategies, theirs, strict=True):
        assert own.astype(float) == near(peer, abs=1e-2)
    payoffs = bench.payoffs_of(3, zero_sum=True)
    found = [
        *bench.ours_matching(payoffs, 3000).average.to_float().strategies,
        *bench.ours_fictitious(payoffs, 3000).average.to_float().strategies,
        *bench.spiel_matching(payoffs, 3000),
        *bench.quantecon_fictitious(payoffs, 3000),
    ]
    values = [float(x @ payoffs[0] @ y) for x, y in zip(found[::2], found[1::2], strict=True)]
    assert np.ptp(values) < 0.5


def test_win_rates_and_leading_submatrices():
    from gametheory_core.catalog import RirRPS
    from learners.matches import win_rates
    from solvers.populations import leading_nash_averages
    from tests.benchmarks import matches as bench

    game = RirRPS(repetitions=4, recall=2)
    tables = bench.tables_of(3, game)
    assert win_rates(game, list(tables)) == near(bench.plain_rates(game, tables), abs=1e-12)
    evaluation = bench.improvers(12)
    last = leading_nash_averages(evaluation).mixture(12).astype(float)
    assert last == near(bench.solved_from_before(evaluation).astype(float), abs=1e-9)


@pytest.mark.parametrize("name", ["kuhn_poker", "liars_dice:sides=2", "one_card_poker"])
def test_values_of_quasi_perfect_play(name):
    game = refinements.tree_of(name)
    exact, plain = refinements.ours(game), refinements.by_highs(game, epsilon=0).value
    scale = exact / plain if exact else 1  # in units of the program
    assert refinements.by_highs(game, epsilon=1e-6).value * scale == near(exact, abs=1e-4)


def test_no_epsilon_is_lost_where_floats_are_good_enough():
    assert refinements.losses(refinements.tree_of("guess_the_ace"), epsilon=1e-2) == [0, 0]
    assert max(refinements.losses(refinements.tree_of("kuhn_poker"), epsilon=1e-3)) < 1e-9


@pytest.mark.parametrize("name", ["regret matching", "regret matching+", "Hedge"])
def test_regret_minimizers(name):
    given = regret_minimizers.utilities(50, 30)
    ours = regret_minimizers.ours(name, given)
    assert ours == near(regret_minimizers.in_numpy(name, given), abs=1e-9)


def test_the_peer_of_regret_minimizers_comes_near_equilibrium():
    needs("open_spiel.python.algorithms.regret_matching")
    assert regret_minimizers.open_spiel(300)[0] == near([1 / 3] * 3, abs=0.05)


def test_bots_of_one_match():
    needs("pyspiel")
    own, theirs = roshambo_bots.PAIRS["a reply to the last throw, and a cycle"]
    played = roshambo_bots.ours(own, 1000)()
    assert played == roshambo_bots.by_loop(theirs, 1000) == roshambo_bots.by_adapter(theirs, 1000)()
    assert played in {-1, 0, 1}


@pytest.mark.parametrize(("targets", "resources"), [(5, 2), (6, 1), (4, 0)])
def test_covers_of_security_games(targets, resources):
    game = security.random_security(targets, resources)
    assert security.ours(game) == security.expanded(game)
    assert security.by_target(game) == near(security.ours(game), abs=1e-6)


def test_correlated_commitment():
    game = security.random_form(3)
    assert security.dense_correlated(game) == near(security.correlated(game), abs=1e-6)


def test_values_of_trees():
    needs("pyspiel", "pygambit", "cvxpy")
    from solvers.trees.sequence_program import sequence_program
    from tests.benchmarks.sequence_form import by_highs, ours, small_contenders

    found = small_contenders()
    assert len(found) == 3
    for name, (tree, peers) in found.items():
        assert peers
        for peer in peers.values():
            assert peer() == near(ours(tree), abs=1e-8), name
    tree = found["Leduc poker"][0]
    program = sequence_program(sequence_form(tree))
    payoff = 13 / 120  # the largest bet, and the chance of the deal
    assert by_highs(program.floats) * payoff == near(ours(tree), abs=1e-8)


def test_general_sum_trees():
    needs("pygambit")
    for name, game in lcp.trees().items():
        assert gt.games.has_perfect_recall(game)
        assert bool(gt.games.is_constant_sum(game)) == (name == "Kuhn poker")
    game = lcp.trees()["Kuhn poker"]
    theirs = lcp.peer_tree(game)
    (found,) = lcp.by_gambit(theirs, rational=True)
    value = str(found.payoff(next(iter(theirs.players))))
    assert str(solvers.sequence_form_lcp(game).payoffs[0]) == value == "-1/18"
    game = lcp.general_sum_tree(3, 2)
    assert solvers.sequence_form_lcp(game).certificate.epsilon == 0
    assert len(lcp.by_gambit(lcp.peer_tree(game), rational=True)) == 1


@pytest.mark.parametrize("kind", ["integers", "normal", "opposed"])
def test_commitment_in_matrices(kind):
    needs("pyspiel", "cvxpy")
    payoffs = stackelberg.payoffs_of(kind, 4)
    theirs = stackelberg.by_open_spiel(stackelberg.peer_game(payoffs))
    assert stackelberg.ours(payoffs) == near(theirs, abs=1e-4)


def test_bounds_on_commitment():
    bench = stochastic_commitment
    assert bench.ours("prisoners_dilemma", 3) == near(bench.by_histories("prisoners_dilemma", 3))
    assert bench.ours("prisoners_dilemma", 3) == -3


def test_best_mixed_actions_on_a_grid():
    """The grid may miss them, but finds none that are better."""
    bench = stochastic_stackelberg
    view = bench.random_game("seen", 0)
    certificate = bench.proved(view)
    assert certificate.epsilon <= bench.CLOSED * bench.span_of(view)
    on_the_grid = bench.on_a_grid(view)
    assert on_the_grid <= float(certificate.upper_bound) + 1e-9
    assert on_the_grid == near(float(certificate.leader_payoff), abs=0.5)


@pytest.mark.slow
def test_tabular_learners_beat_uniform_play():
    """Both first players learn against uniform ones, and come near the best response's 1/2."""
    needs("pyspiel")
    from open_spiel.python.algorithms import random_agent

    from tests.benchmarks.tabular_learners import Peer, ours

    learner = ours("kuhn_poker", episodes=10, steps=100, learns=(0,))
    train(learner, iterations=20)
    rules = gt.conversions.extensive_to_aec(regret.tree_of("kuhn_poker")).target
    assert float(gt.expected_returns(rules, learner.policies())[0]) > 0.4
    peer = Peer("kuhn_poker")
    agents = [peer.agents[0], random_agent.RandomAgent(player_id=1, num_actions=2)]
    np.random.seed(3)  # noqa: NPY002 what the peer draws from
    for _ in range(3_000):
        peer.play(agents)
    assert np.mean([peer.play(agents, is_evaluation=True)[0] for _ in range(2_000)]) > 0.3


@pytest.mark.parametrize("task", tree_layout.SMALL)
def test_sizes_of_laid_out_trees(task):
    needs("pyspiel", "pygambit")
    rules, name = tree_layout.SMALL[task]
    contenders = tree_layout.contenders(rules, name, with_gambit=True)
    sizes = {peer: way() for peer, way in contenders.items()}
    leaves = sizes.pop("OpenSpiel's `InfostateTree`s, C++")
    assert len(set(sizes.values())) == 1
    assert 0 < leaves < sizes["ours"]


def test_values_of_matrices():
    needs("quantecon", "nashpy")
    from tests.benchmarks.zero_sum import certified, peers, random_payoffs

    payoffs = random_payoffs(40)
    for name, peer in peers(payoffs).items():
        assert peer() == near(certified(payoffs), abs=1e-6), name
