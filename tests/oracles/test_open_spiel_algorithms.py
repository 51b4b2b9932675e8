"""OpenSpiel's algorithms on games of ours: they find what we find, and what they find verifies."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import adapters
from gametheory_core.catalog import RandomOrderTeam, RepeatedGame, Tiger, forgetful_bit, load
from gametheory_core.errors import InvalidArgument
from gametheory_core.evaluation import policy_nash_conv
from gametheory_core.games.rules import is_posg
from gametheory_core.testing import aecs, behavioral_profiles, extensive_form_games, posgs
from solvers import counterfactual_regret, sequence_form_lp
from solvers.counterfactual import UpdateOrder
from solvers.local_rules import RegretMatching

pytestmark = pytest.mark.peer
pyspiel = pytest.importorskip("pyspiel")
TREES = ["kuhn_poker", "leduc_poker", "liars_dice:sides=3"]


def made(game):
    from gametheory_core.adapters import to_open_spiel

    return to_open_spiel(game)


def in_turn(game):
    """Return the game, players who act at once put in turn by OpenSpiel."""
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        return pyspiel.convert_to_turn_based(game)
    return game


def tree_of(rules):
    return (gt.posg_to_extensive if is_posg(rules) else gt.aec_to_extensive)(rules).target


def moves(tree):
    """Tell whether somebody moves where play can come."""
    from gametheory_core.strategies.sequences import chance_reach

    return bool((tree.node_player[np.flatnonzero(chance_reach(tree))] >= 0).any())


def table_of(game, profile):
    """Return a profile of a tree as OpenSpiel's policy, in Python."""
    from open_spiel.python.policy import TabularPolicy

    table = TabularPolicy(game)
    tree = game.walk.game
    for player, own in enumerate(game.facts.sights):
        for seen in own:
            text = game.encoder.text(player, (seen,), recall=True)
            probabilities = table.policy_for_key(text)
            probabilities[: len(tree.infosets[seen].actions)] = profile.probabilities[seen]
    return table


def span(tree):
    payoffs = tree.terminal_payoffs
    return max(1.0, float(payoffs.max() - payoffs.min()))


@st.composite
def trees_and_profiles(draw, **options):
    tree = draw(extensive_form_games(**options).filter(moves))
    return tree, draw(behavioral_profiles(tree))


@given(trees_and_profiles())
def test_expected_scores_are_expected_payoffs(drawn):
    from open_spiel.python.algorithms.expected_game_score import policy_value

    tree, profile = drawn
    game = made(tree)
    value = policy_value(game.new_initial_state(), [table_of(game, profile)] * tree.num_players)
    ours = gt.expected_payoffs(tree, profile).astype(float)
    assert list(value) == pytest.approx(ours.tolist(), abs=1e-12 * span(tree))


@given(trees_and_profiles())
def test_best_responses_are_worth_the_same(drawn):
    from open_spiel.python.algorithms.best_response import BestResponsePolicy

    tree, profile = drawn
    game = made(tree)
    table, start = table_of(game, profile), game.new_initial_state()
    for player in range(tree.num_players):
        ours = float(gt.best_response(tree, profile, player=player).value)
        theirs = BestResponsePolicy(game, player, table).value(start)
        assert theirs == pytest.approx(ours, abs=1e-12 * span(tree))


@given(trees_and_profiles(num_players=(2, 3)))
def test_nash_conv_is_the_same_in_python_and_in_c(drawn):
    from open_spiel.python.algorithms import exploitability
    from open_spiel.python.policy import python_policy_to_pyspiel_policy

    tree, profile = drawn
    game = made(tree)
    table = table_of(game, profile)
    ours = float(gt.nash_conv(tree, profile))
    assert exploitability.nash_conv(game, table) == pytest.approx(ours, abs=1e-11 * span(tree))
    in_c = pyspiel.nash_conv(game, python_policy_to_pyspiel_policy(table), True)
    assert in_c == pytest.approx(ours, abs=1e-11 * span(tree))


@given(trees_and_profiles())
def test_profiles_come_back_from_tables(drawn):
    from gametheory_core.adapters import profile_from_open_spiel

    tree, profile = drawn
    game = made(tree)
    back = profile_from_open_spiel(game, table_of(game, profile).to_dict())
    for own in game.facts.sights:
        for seen in own:
            expected = profile.probabilities[seen].astype(float).tolist()
            assert back.probabilities[seen].tolist() == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("name", TREES)
@pytest.mark.parametrize("in_c", [True, False])
def test_averages_of_regret_minimization_are_ours(name, in_c):
    from open_spiel.python.algorithms.cfr import CFRSolver

    from gametheory_core.adapters import profile_from_open_spiel

    tree = load(name)
    game = made(tree)
    solver = (pyspiel.CFRSolver if in_c else CFRSolver)(game)
    steps = 5 if in_c or name == "kuhn_poker" else 1
    for _ in range(steps):
        solver.evaluate_and_update_policy()
    average = (
        solver.tabular_average_policy().policy_table()
        if in_c
        else solver.average_policy().to_dict()
    )
    run = counterfactual_regret(
        tree, rule=RegretMatching(), steps=steps, updates=UpdateOrder.ALTERNATING
    )
    theirs, ours = profile_from_open_spiel(game, average), run.average
    assert np.abs(theirs.flat - ours.flat.astype(float)).max() < 1e-12


@pytest.mark.parametrize("solver_name", ["CFRPlusSolver", "CFRSolver"])
def test_what_regret_minimization_finds_is_certified(solver_name):
    """Our exact exploitability of OpenSpiel's average is what OpenSpiel says."""
    from gametheory_core.adapters import profile_from_open_spiel

    kuhn = load("kuhn_poker")
    game = made(kuhn)
    solver = getattr(pyspiel, solver_name)(game)
    for _ in range(200):
        solver.evaluate_and_update_policy()
    average = solver.tabular_average_policy()
    profile = profile_from_open_spiel(game, average.policy_table())
    certificate = gt.certify_minimax(kuhn, profile)
    certificate.verify()
    assert certificate.lower <= Fraction(-1, 18) <= certificate.upper
    assert certificate.epsilon < 0.02
    theirs = pyspiel.exploitability(game, average)
    assert float(gt.exploitability(kuhn, profile)) == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("in_c", [True, False])
def test_what_sampling_finds_is_measured_alike(in_c):
    from open_spiel.python.algorithms import exploitability
    from open_spiel.python.algorithms.external_sampling_mccfr import ExternalSamplingSolver

    from gametheory_core.adapters import profile_from_open_spiel

    kuhn = load("kuhn_poker")
    game = made(kuhn)
    solver = (pyspiel.ExternalSamplingMCCFRSolver if in_c else ExternalSamplingSolver)(game)
    for _ in range(300):
        solver.run_iteration() if in_c else solver.iteration()
    average = solver.average_policy()
    theirs = (pyspiel if in_c else exploitability).nash_conv(game, average)
    table = {
        state.information_state_string(): average.action_probabilities(state).items()
        for state in decisions(game)
    }
    ours = float(gt.nash_conv(kuhn, profile_from_open_spiel(game, table)))
    assert ours == pytest.approx(theirs, abs=1e-9)
    assert ours < 0.5


def decisions(game):
    found, waiting = [], [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        found += [state] * state.is_player_node()
        waiting += [] if state.is_terminal() else map(state.child, state.legal_actions())
    return found


@pytest.fixture
def programs_by_highs(monkeypatch):
    """Let OpenSpiel's programs, which ask for a solver that few have, be solved by HiGHS."""
    cvxpy = pytest.importorskip("cvxpy")
    solve = cvxpy.Problem.solve
    monkeypatch.setattr(
        cvxpy.Problem, "solve", lambda problem, *_, **__: solve(problem, solver="HIGHS")
    )


@pytest.mark.parametrize("name", TREES)
def test_values_by_linear_programs_are_ours(name, programs_by_highs):
    from open_spiel.python.algorithms.sequence_form_lp import solve_zero_sum_game

    tree = load(name)
    value = float(sequence_form_lp(tree).certificate.game_value)
    assert solve_zero_sum_game(made(tree))[0] == pytest.approx(value, abs=1e-8 * span(tree))


def test_linear_programs_promise_a_forgetful_player_too_much(programs_by_highs):
    """Without perfect recall OpenSpiel's algorithms run all the same; the value is 1/2."""
    from open_spiel.python.algorithms.sequence_form_lp import solve_zero_sum_game

    assert solve_zero_sum_game(made(forgetful_bit()))[0] == pytest.approx(1.0, abs=1e-8)


def test_values_of_matrix_games_are_ours(programs_by_highs):
    from open_spiel.python.algorithms.lp_solver import solve_zero_sum_matrix_game

    game = gt.NormalFormGame.zero_sum([[0, 2, -1], [-2, 0, 1], [1, -1, "1/3"]])
    ours = float(gt.certify_minimax(game, gt.uniform_profile(game)).lower)
    row, _, value, _ = solve_zero_sum_matrix_game(made(game))
    assert value > ours
    exact = sequence_form_lp(gt.normal_to_extensive(game).target).certificate.game_value
    assert value == pytest.approx(float(exact), abs=1e-8)
    assert sum(np.ravel(row)) == pytest.approx(1)


@given(
    extensive_form_games(perfect_information=True, zero_sum=True, has_chance=False).filter(moves)
)
def test_minimax_finds_the_value(tree):
    from open_spiel.python.algorithms.minimax import expectiminimax

    value, _ = expectiminimax(
        made(tree).new_initial_state(), 99, lambda state: state.returns()[0], 0
    )
    ours = float(sequence_form_lp(tree).certificate.game_value)
    assert value == pytest.approx(ours, abs=1e-12 * span(tree))


@settings(max_examples=20)
@given(extensive_form_games(perfect_information=True, zero_sum=True).filter(moves))
def test_value_iteration_finds_the_value(tree):
    from open_spiel.python.algorithms.value_iteration import value_iteration

    game = made(tree)
    values = value_iteration(game, depth_limit=-1, threshold=1e-12)

    def value(state):
        if state.is_chance_node():  # it lists states of players only
            return sum(w * value(state.child(a)) for a, w in state.chance_outcomes())
        return state.returns()[0] if state.is_terminal() else values[str(state)]

    ours = float(sequence_form_lp(tree).certificate.game_value)
    assert value(game.new_initial_state()) == pytest.approx(ours, abs=1e-9 * span(tree))


@given(rules=st.one_of(aecs(), posgs()).filter(lambda rules: moves(tree_of(rules))))
def test_uniform_play_of_rules_is_worth_the_same(rules):
    game = in_turn(made(rules))
    theirs = pyspiel.expected_returns(
        game.new_initial_state(), pyspiel.UniformRandomPolicy(game), -1, True
    )
    ours = gt.expected_returns(rules, gt.uniform_policies(rules))
    assert theirs == pytest.approx(list(map(float, ours)), abs=1e-11 * span(tree_of(rules)))


@pytest.mark.parametrize(
    "rules",
    [
        RepeatedGame.of("matching_pennies", rounds=2),
        RepeatedGame.of("prisoners_dilemma", rounds=2),
        load("take_away:piles=1,tokens=4"),
        RandomOrderTeam(),
        Tiger(horizon=2),
    ],
    ids=lambda rules: rules.title,
)
def test_policies_for_rules_come_back_and_are_measured_alike(rules):
    from open_spiel.python.algorithms import cfr, exploitability

    from gametheory_core.adapters import policies_from_open_spiel

    game = made(rules)
    turns = in_turn(game)
    solver = cfr.CFRSolver(turns)
    for _ in range(3):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    policies = policies_from_open_spiel(game, average.to_dict())
    theirs = exploitability.nash_conv(turns, average)
    assert float(policy_nash_conv(rules, policies)) == pytest.approx(theirs, abs=1e-9)


def test_tables_of_other_games_are_refused():
    from gametheory_core.adapters import policies_from_open_spiel, profile_from_open_spiel

    kuhn, tiger = made(load("kuhn_poker")), made(Tiger(horizon=2))
    with pytest.raises(InvalidArgument, match="\"p0: 'A'\" is none of Kuhn poker's"):
        profile_from_open_spiel(kuhn, {"p0: 'A'": [(0, 1.0)]})
    with pytest.raises(InvalidArgument, match="from a tree, but .* See policies_from_open_spiel"):
        profile_from_open_spiel(tiger, {})
    with pytest.raises(InvalidArgument, match="from rules of .* See profile_from_open_spiel"):
        policies_from_open_spiel(kuhn, {})
    with pytest.raises(InvalidArgument, match="needs a game that to_open_spiel made from a tree"):
        profile_from_open_spiel(pyspiel.load_game("kuhn_poker"), {})


@pytest.mark.parametrize(
    "pairs",
    [
        [(0, 0.0), (1, 0.0)],
        [(0, -1.0), (1, 2.0)],
        [(0, math.nan), (1, 1.0)],
        [(0, 0.5), (1, 0.5001)],
        [(0, "a"), (1, 0.5)],
        [(0.0, 1.0)],
        [0.5, 0.5],
        None,
    ],
)
@pytest.mark.parametrize("back", ["profile_from_open_spiel", "policies_from_open_spiel"])
def test_tables_without_probabilities_are_refused(back, pairs):
    game = load("kuhn_poker") if back == "profile_from_open_spiel" else Tiger(horizon=2)
    message = rf"^{back}: needs .* sum to 1 up to 1e-06, but table has .* for \"p0: 'J'\"\. Give"
    with pytest.raises(InvalidArgument, match=message):
        getattr(adapters, back)(made(game), {"p0: 'J'": pairs})


def test_rounded_probabilities_are_divided_by_their_sum():
    table = {"p0: 'J'": [(0, 0.25), (1, 0.7500005), (7, 0.0)]}
    profile = adapters.profile_from_open_spiel(made(load("kuhn_poker")), table)
    assert profile.probabilities[0].sum() == pytest.approx(1, abs=1e-15)
    assert profile.probabilities[0][0] == pytest.approx(0.25, abs=1e-6)


def test_probabilities_of_actions_that_are_not_legal_are_refused():
    with pytest.raises(InvalidArgument, match=r"which are 2 actions here, but table gives 0.5 to "):
        adapters.profile_from_open_spiel(
            made(load("kuhn_poker")), {"p0: 'J'": [(0, 0.5), (2, 0.5)]}
        )


@pytest.mark.parametrize("table", [None, [("p0: 'J'", [(0, 1.0)])]])
def test_what_is_no_table_is_refused(table):
    with pytest.raises(InvalidArgument, match="^profile_from_open_spiel: needs table to be of typ"):
        adapters.profile_from_open_spiel(made(load("kuhn_poker")), table)


def test_policies_are_uniform_where_tables_say_nothing():
    from gametheory_core.adapters import policies_from_open_spiel

    rules = Tiger(horizon=2)
    first, _ = policies_from_open_spiel(made(rules), {})
    assert [weight for _, weight in first["never", "listen", "seen"]] == [Fraction(1, 3)] * 3


@pytest.mark.parametrize("rules", [Tiger(horizon=2), RandomOrderTeam(), load("kuhn_poker")])
def test_rewards_of_open_spiels_environment_add_up_to_returns(rules):
    from open_spiel.python.rl_environment import Environment

    environment = Environment(made(rules))
    environment.seed(3)
    for _ in range(10):
        step, earned = environment.reset(), 0
        while not step.last():
            legal = step.observations["legal_actions"]
            step = environment.step([own[-1] for own in legal if own])
            earned = earned + np.array(step.rewards)
        assert earned.tolist() == pytest.approx(environment.get_state.returns(), abs=1e-12)
