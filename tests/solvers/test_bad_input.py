"""Bad input is refused in our own words: no error of Python or numpy comes out of a solver."""

import inspect
import math
from fractions import Fraction

import numpy as np
import pytest

import solvers
import solvers.leaders
import solvers.mediation
from gametheory_core import evenly, load_game
from gametheory_core.certificates.equilibrium_bounds import Label
from gametheory_core.errors import (
    GameTheoryError,
    InvalidArgument,
    InvalidGame,
    UnsupportedGame,
)
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.leaders import leader_policy, leader_view
from gametheory_core.mediation import (
    MINIMUM,
    EndRule,
    MediatorIncentives,
    MediatorStage,
    random_mediated_profile,
)
from gametheory_core.strategies.behavioral import uniform_behavior
from gametheory_core.strategies.mixed import MixedProfile, uniform_profile

GAME = NormalFormGame.bimatrix([[3, 0], [0, 2]], [[2, 0], [0, 3]])
ZERO_SUM = NormalFormGame.zero_sum([[2, -1], [-1, 1]])
WIN_RATES = [["1/2", "3/4"], ["1/4", "1/2"]]
WINS = [[0, 3], [1, 0]]

KUHN, SIGNALS = load_game("kuhn_poker"), load_game("beer_quiche")
EVEN = uniform_behavior(KUHN)
ROOMS = (solvers, solvers.leaders, solvers.mediation)
RUN = solvers.counterfactual_regret(KUHN, steps=1)
SAMPLED = solvers.monte_carlo_counterfactual_regret(
    KUHN, iterations=1, rng=np.random.default_rng(0)
)

LED = leader_view(load_game("iterated_prisoners_dilemma:rounds=2"))
HALVES = leader_policy(LED, {seen: evenly(("C", "D")) for seen in LED.game.observations[0]})
LED_IN_TURN = load_game("mediated_chicken")
TAKING_TURNS = random_mediated_profile(LED_IN_TURN, rng=np.random.default_rng(0))
FAIR = MediatorIncentives(MINIMUM, MediatorStage.FULL, EndRule.HISTORY_IDEAL)

# what each function is called with when all is well
CALLS = {
    "all_through_normal_form": ((SIGNALS, solvers.vertex_enumeration), {}),
    "average_profile": ((KUHN, RUN.state), {}),
    "best_response": ((KUHN, EVEN), {"player": 0}),
    "certified_average": ((SAMPLED,), {}),
    "counterfactual_regret": ((KUHN,), {"steps": 3}),
    "current_profile": ((KUHN, RUN.state), {}),
    "deviation_gains": ((KUHN, EVEN), {}),
    "evaluation_tables": ((KUHN,), {}),
    "exploitability": ((KUHN, EVEN), {}),
    "extensive_correlated_commitment": ((SIGNALS,), {}),
    "extensive_form_coarse_correlated_equilibrium": ((SIGNALS,), {}),
    "extensive_form_correlated_equilibrium": ((SIGNALS,), {}),
    "extensive_stackelberg": ((SIGNALS,), {}),
    "laid_out_average": ((SAMPLED,), {}),
    "monte_carlo_counterfactual_regret": (
        (KUHN,),
        {"iterations": 3, "rng": np.random.default_rng(0)},
    ),
    "nash_conv": ((KUHN, EVEN), {}),
    "normal_form_coarse_correlated_equilibrium": ((SIGNALS,), {}),
    "one_through_normal_form": ((SIGNALS, solvers.lemke_howson), {}),
    "perfect_information_commitment": ((load_game("centipede"),), {}),
    "quasi_perfect": ((KUHN,), {}),
    "sequence_form_lcp": ((SIGNALS,), {}),
    "sequential_equilibrium": ((KUHN,), {}),
    "subgame_perfect": ((SIGNALS,), {}),
    "alpha_rank": ((GAME,), {"alpha": 1.0}),
    "alpha_rank_limit": ((GAME,), {}),
    "backward_induction": ((load_game("centipede"),), {}),
    "batch_elo": ((WINS,), {}),
    "bayesian_stackelberg": ((load_game("house_patrol"),), {}),
    "bipartite_meta_game": ((WIN_RATES,), {}),
    "coarse_correlated_equilibrium": ((GAME,), {}),
    "correlated_commitment": ((GAME,), {}),
    "correlated_equilibrium": ((GAME,), {}),
    "correlated_payoff_vertices": ((GAME,), {}),
    "evaluation_matrix": ((WIN_RATES,), {}),
    "fictitious_play": ((GAME,), {"steps": 3}),
    "hedge": ((GAME,), {"steps": 3}),
    "is_strictly_dominated": ((GAME,), {"player": 0, "action": 0}),
    "is_weakly_dominated": ((GAME,), {"player": 0, "action": 0}),
    "iterated_dominance": ((GAME,), {}),
    "lemke_howson": ((GAME,), {}),
    "logit_homotopy": ((GAME,), {}),
    "max_entropy": ((ZERO_SUM,), {}),
    "max_entropy_correlated_equilibrium": ((GAME,), {}),
    "max_gini_correlated_equilibrium": ((GAME,), {}),
    "meta_game": ((WIN_RATES,), {}),
    "minimax": ((ZERO_SUM,), {}),
    "mixed_integer": ((GAME,), {}),
    "nash_averaging": (([[0, 1], [-1, 0]],), {}),
    "nash_averaging_against_tasks": (([[0, 1], [1, 0]],), {}),
    "nash_components": ((GAME,), {}),
    "online_elo": (([solvers.Match(0, 1, 1.0)],), {"num_agents": 2}),
    "polynomial_support_enumeration": ((GAME,), {}),
    "projected_replicator": ((GAME,), {"steps": 3, "exploration": 0.1}),
    "pure": ((GAME,), {}),
    "pure_followers_stackelberg": ((GAME,), {}),
    "quantal_response": ((GAME,), {"rationality": 1.0}),
    "regret_matching": ((GAME,), {"steps": 3}),
    "regret_matching_plus": ((GAME,), {"steps": 3}),
    "relative_performance_curve": ((WIN_RATES,), {}),
    "relative_population_performance": ((WIN_RATES,), {}),
    "replicator": ((GAME,), {"steps": 3}),
    "security_stackelberg": ((load_game("guarded_targets"),), {}),
    "sequence_form_lp": ((load_game("kuhn_poker"),), {}),
    "smoothed_fictitious_play": ((GAME,), {"steps": 3, "temperature": 0.5}),
    "solve": ((GAME, "nash"), {}),
    "strong_stackelberg": ((GAME,), {}),
    "support_enumeration": ((GAME,), {}),
    "vertex_enumeration": ((GAME,), {}),
    "weak_stackelberg": ((GAME,), {}),
    "win_rates_from_wins": ((WINS,), {}),
    "adaptive_queries": ((LED,), {}),
    "commitment_upper_bound": ((LED,), {}),
    "contextual_queries": ((LED,), {}),
    "deceiving_leader": ((LED,), {}),
    "fair_optimum": ((LED_IN_TURN,), {}),
    "hidden_query_flow": ((LED, HALVES), {"steps": 3}),
    "jam_value_iteration": ((LED_IN_TURN,), {}),
    "leading_response": ((LED_IN_TURN, TAKING_TURNS), {"agent": 0, "incentives": FAIR}),
    "markov_stackelberg": ((LED,), {}),
    "markov_stackelberg_optima": ((LED,), {}),
    "mediator_response": ((LED_IN_TURN, TAKING_TURNS), {"incentives": FAIR}),
    "multiplicative_weights_queries": ((LED,), {"rounds": 2}),
    "ordered_leaders": ((LED_IN_TURN,), {"order": (0, 1, 0, 1)}),
    "q_learning_queries": ((LED,), {"episodes": 2, "rate": Fraction(1, 2)}),
    "queried_flow": ((LED, HALVES), {"steps": 3}),
    "shapley_value_iteration": ((load_game("stopping_pennies"),), {}),
    "stage_correlated_induction": ((LED,), {}),
    "stage_nash_induction": ((LED,), {}),
    "stage_stackelberg_induction": ((LED,), {}),
    "stochastic_markov_commitment": ((LED,), {}),
    "voted_leaders": ((LED_IN_TURN,), {}),
}
TABLES = (  # functions whose first argument is a table of numbers
    "batch_elo",
    "bipartite_meta_game",
    "evaluation_matrix",
    "meta_game",
    "nash_averaging",
    "nash_averaging_against_tasks",
    "relative_performance_curve",
    "relative_population_performance",
    "win_rates_from_wins",
)

NO_NUMBERS = ("x", "1/1000", math.nan, math.inf, True, [1], object())
NO_INTEGERS = ("x", 2.5, 1.0, -1, True, [1], math.nan, 10**30)
NO_RECORDS = (5, "x", True, [[0.5, 0.5], [0.5, 0.5]], object())
NO_MEMBERS = ("x", "one", 5, None, True)

# wrong values of each option; some functions take more
WRONG = {
    "budget": (5, None, "x", 2.5),
    "on_iteration": (5, "x"),
    "tolerance": (*NO_NUMBERS, 0, -1.0),
    "entropy_tolerance": (*NO_NUMBERS, None, 0, -1.0),
    "alpha": (*NO_NUMBERS, None, -1.0),
    "noise": (*NO_NUMBERS, None, -1, 1, 2.0),
    "rationality": (*NO_NUMBERS, -1.0),
    "temperature": (*NO_NUMBERS, None, 0, -1.0),
    "rate": (*NO_NUMBERS, 0, -1.0),
    "exploration": (*NO_NUMBERS, None, -1.0, 2),
    "mutation": (*NO_NUMBERS, None, -1.0),
    "step_size": (*NO_NUMBERS, 0, -1.0),
    "gain": (*NO_NUMBERS, None, 0, -1.0),
    "initial": (*NO_RECORDS, math.nan, MixedProfile((np.array([1.0]),))),
    "steps": (*NO_INTEGERS[:-1], None, 0),
    "samples": (*NO_INTEGERS[:-1], None, 0),
    "population_size": (*NO_INTEGERS[:-1], None, 0, 1),
    "cells_per_support": (*NO_INTEGERS[:-1], None, 0),
    "num_agents": (*NO_INTEGERS[:-1], None, 0),
    "initial_label": (*NO_INTEGERS, None),
    "leader": NO_INTEGERS,
    "player": NO_INTEGERS,
    "action": (*NO_INTEGERS, None),
    "sizes": (5, "x", (2.5,), (True,), ("1",), (0,), (9,), [None]),
    "players": (None, 5, "x", (0,), (0, 0), (0, 7), (0, True), (0.0, 1), ("a", "b"), ([0], 1)),
    "order": (5, "x", (0,), (0, 0), ("a", "b"), (0, True), ([], 1)),
    "ties": NO_MEMBERS,
    "populations": NO_MEMBERS,
    "kind": NO_MEMBERS,
    "method": NO_MEMBERS,
    "objective": ("x", 5, True),
    "pace": NO_MEMBERS,
    "dominance": NO_MEMBERS,
    "dominated_by": NO_MEMBERS,
    "concept": ("x", 5, None, True, []),
    "algorithm": ("x", 5, True, []),
    "rng": (5, "x", True, np.random.RandomState(0)),
    "start": (*NO_RECORDS, uniform_profile(GAME)),
    "unplayed": (5, "x", ((0, 0),), (Label(5, 0),), (Label("a", 0),), (Label(0, 1.5),), None),
    "payoff_floors": (5, "x", [1, 2], {5: 1}, {"a": 1}, {True: 1}, {0: "x"}, {0: math.nan}),
    "first_actions": (5, "x", (0,), (0, 9), (0, "a"), (0, True), (0, 1.5)),
    "agents": (5, ("a",), ("a", "a"), (1, 2), [None, None]),
    "title": (5, None, []),
    "rule": (5, "x", True, object()),
    "updates": ("x", 5, True),
    "average": ("x", True, math.nan, -1.0, object()),
    "iterate": NO_MEMBERS,
    "sampling": NO_MEMBERS,
    "commitment": NO_MEMBERS,
    "iterations": (*NO_INTEGERS[:-1], None, 0),
    "max_infosets": (*NO_INTEGERS[:-1], None, 0),
    "max_nodes": (*NO_INTEGERS[:-1], None, 0),
    "prior": (*NO_RECORDS, uniform_profile(GAME)),
    "profile": (*NO_RECORDS, None, uniform_profile(GAME)),
    "state": (*NO_RECORDS, None, EVEN),
    "solver": (5, "x", None),
    "follower_class": NO_MEMBERS,
    "parametrization": NO_MEMBERS,
    "deployment": NO_MEMBERS,
    "play": NO_MEMBERS,
    "stage": NO_MEMBERS,
    "end_rule": NO_MEMBERS,
    "memory": NO_MEMBERS,
    "agent_ties": NO_MEMBERS,
    "mediator_ties": NO_MEMBERS,
    "agent": (*NO_INTEGERS, None),
    "incentives": (*NO_RECORDS, None),
    "freeze_unselected": (5, "x", None),
    "fairness": (*NO_RECORDS, None),
    "until": (*NO_NUMBERS, None, 0, -1.0),
    "rest": (*NO_NUMBERS, None, -1.0),
    "rounds": (*NO_INTEGERS[:-1], None),
    "episodes": (*NO_INTEGERS[:-1], None),
    "explore_every": (*NO_INTEGERS[:-1], None),
    "starts": (*NO_INTEGERS[:-1], None),
    "random_starts": (*NO_INTEGERS[:-1], None),
    "discount": (*NO_NUMBERS, -1, 2),
    "followers": ("x", 5, True),
}
NO_GAMES = (None, "x", 5, True, [[1, 2], [3, 4]], {}, object(), math.nan)
NO_TABLES = (None, "x", 5, {}, [], [1, 2], [[1], [1, 2]], [["a"]], [[math.nan]], [[None]], object())
NO_MATCHES = (None, 5, "x", [(0, 1, 1.0)], [solvers.Match(0, 5, 1.0)], [solvers.Match("a", 1, 1.0)])

# values that are right after all for some functions
ALLOWED = {
    ("counterfactual_regret", "steps"): (None,),
    ("alpha_rank_limit", "noise"): (),
    ("batch_elo", "initial"): (5,),
    ("online_elo", "initial"): (5,),
    ("lemke_howson", "initial_label"): (),
    ("solve", "leader"): (),
    ("solve", "ties"): (None,),
    ("solve", "end_rule"): (None,),
    ("solve", "stage"): (None,),
    ("hidden_query_flow", "steps"): (0,),
    ("hidden_query_flow", "until"): (0,),
    ("queried_flow", "steps"): (0,),
    ("queried_flow", "until"): (0,),
    ("multiplicative_weights_queries", "rate"): ("1/1000",),
    ("q_learning_queries", "rate"): ("1/1000",),
    ("q_learning_queries", "discount"): ("1/1000",),
    ("ordered_leaders", "order"): ((0,), (0, 0)),
}


def solver(name):
    return next(getattr(room, name) for room in ROOMS if name in room.__all__)


def parameters_of(name):
    code = solver(name).__code__
    return code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]


def wrong_options():
    for name, (_, options) in CALLS.items():
        for parameter in parameters_of(name):
            for value in WRONG[parameter]:
                if value not in ALLOWED.get((name, parameter), ()):
                    yield name, parameter, value, options


def words(value):
    return f"{type(value).__name__}-{value!r:.20}"


WRONG_OPTIONS = [
    pytest.param(*case, id=f"{case[0]}-{case[1]}-{words(case[2])}") for case in wrong_options()
]
WRONG_FIRST = [
    pytest.param(name, value, options, id=f"{name}-{words(value)}")
    for name, (_, options) in CALLS.items()
    for value in (NO_TABLES if name in TABLES else NO_MATCHES if name == "online_elo" else NO_GAMES)
]


def test_every_function_is_called():
    names = [name for room in ROOMS for name in room.__all__]
    functions = {name for name in names if inspect.isfunction(solver(name))}
    assert functions == set(CALLS)


@pytest.mark.parametrize("name", CALLS)
def test_calls_are_right_but_for_what_is_changed(name):
    arguments, options = CALLS[name]
    assert solver(name)(*arguments, **options) is not None


@pytest.mark.parametrize(("name", "parameter", "value", "options"), WRONG_OPTIONS)
def test_wrong_options_are_refused(name, parameter, value, options):
    function = solver(name)
    given = inspect.signature(function).bind(*CALLS[name][0], **options)
    given.arguments[parameter] = value
    who = rf"{name}|{parameter}|labels"
    with pytest.raises(GameTheoryError, match=who):
        function(*given.args, **given.kwargs)


@pytest.mark.parametrize(("name", "value", "options"), WRONG_FIRST)
def test_wrong_first_arguments_are_refused(name, value, options):
    with pytest.raises(GameTheoryError, match=name):
        solver(name)(value, *CALLS[name][0][1:], **options)


PLAYS = [
    solvers.fictitious_play,
    solvers.hedge,
    solvers.projected_replicator,
    solvers.regret_matching,
    solvers.regret_matching_plus,
    solvers.replicator,
    solvers.smoothed_fictitious_play,
]


@pytest.mark.parametrize("play", PLAYS)
def test_plays_are_no_starts_but_their_states_are(play):
    options = CALLS[play.__name__][1]
    first = play(GAME, **options)
    assert play(GAME, start=first.state, **options).state.steps == 6
    with pytest.raises(InvalidArgument, match="start=play.state"):
        play(GAME, start=first, **options)
    with pytest.raises(InvalidArgument, match=f"{play.__name__}: needs a start from a play of"):
        play(ZERO_SUM, start=first.state, **options)


@pytest.mark.parametrize("play", PLAYS)
def test_a_start_leaves_no_room_for_first_strategies(play):
    options = CALLS[play.__name__][1]
    state = play(GAME, **options).state
    name = "first_actions" if play is solvers.fictitious_play else "initial"
    first = (0, 0) if name == "first_actions" else uniform_profile(GAME)
    with pytest.raises(InvalidArgument, match=f"needs either start or {name}, but got both"):
        play(GAME, start=state, **{name: first}, **options)


@pytest.mark.parametrize("play", [play for play in PLAYS if "rng" in parameters_of(play.__name__)])
def test_plays_go_on_with_chance_as_they_began(play):
    options = CALLS[play.__name__][1]
    rng = np.random.default_rng(0)
    calm, drawn = play(GAME, **options).state, play(GAME, rng=rng, **options).state
    assert play(GAME, start=drawn, rng=rng, **options).state.steps == 6
    with pytest.raises(InvalidArgument, match="with rng, as is asked for, but it was played w"):
        play(GAME, start=calm, rng=rng, **options)
    with pytest.raises(InvalidArgument, match="without rng, as is asked for, but it was played w"):
        play(GAME, start=drawn, **options)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("lemke_howson", "Try logit_homotopy"),
        ("support_enumeration", "Try polynomial_support_enumeration"),
        ("vertex_enumeration", "Try polynomial_support_enumeration"),
        ("nash_components", "Try polynomial_support_enumeration"),
        ("mixed_integer", "Try polynomial_support_enumeration"),
        ("strong_stackelberg", "pure_followers_stackelberg or correlated_commitment"),
        ("weak_stackelberg", "pure_followers_stackelberg or correlated_commitment"),
        ("minimax", "three players have no value.*coarse_correlated_equilibrium"),
        ("max_entropy", "three players have no value.*logit_homotopy"),
    ],
)
def test_three_players_are_sent_to_a_solver_that_takes_them(name, hint):
    game = load_game("nine_equilibria")
    with pytest.raises(UnsupportedGame, match=f"{name}: needs two players, but .*{hint}"):
        solver(name)(game)


@pytest.mark.parametrize("name", [name for name in CALLS if CALLS[name][0][0] in (GAME, ZERO_SUM)])
@pytest.mark.parametrize(
    ("kind", "remedy"),
    [
        ("kuhn_poker", "extensive_to_normal"),
        ("house_patrol", "harsanyi_transform"),
        ("guarded_targets", "security_to_normal"),
        ("tiger", "posg_to_extensive"),
    ],
)
def test_other_kinds_of_games_are_refused_with_the_conversion(name, kind, remedy):
    if name == "solve" and kind == "kuhn_poker":
        return
    more, options = CALLS[name][0][1:], CALLS[name][1]
    wanted = f"{name}: .*" if name == "solve" else f"{name}: needs a normal-form game, .*{remedy}"
    with pytest.raises(UnsupportedGame, match=wanted):
        solver(name)(load_game(kind), *more, **options)


FLOAT_RATES = [[0.5, 0.7, 0.2], [0.3, 0.5, 0.9], [0.8, 0.1, 0.5]]


def test_lists_of_floats_are_measured_like_arrays():
    listed = solvers.evaluation_matrix(FLOAT_RATES)
    assert np.array_equal(listed, solvers.evaluation_matrix(np.array(FLOAT_RATES)))
    assert np.array_equal(listed, -listed.T)


@pytest.mark.parametrize("rates", [FLOAT_RATES, [[0.5, 0.55], [0.45, 0.5]]])
def test_rounded_evaluations_are_made_antisymmetric(rates):
    evaluation = np.array(rates) - 0.5
    assert not np.array_equal(evaluation, -evaluation.T)
    average = solvers.nash_averaging(evaluation)
    payoffs = average.certificate.game.exact_payoffs[0]
    assert np.array_equal(payoffs, -payoffs.T)
    average.certificate.verify()


def test_more_than_rounding_is_refused_with_the_floats_as_given():
    with pytest.raises(InvalidGame, match=r"A\[0, 1\] is 0\.2 and A\[1, 0\] is -0\.3.*\"0\.7\""):
        solvers.nash_averaging([[0.0, 0.2], [-0.3, 0.0]])
    with pytest.raises(InvalidGame, match=r"W\[0, 1\] is 0\.7 and W\[1, 0\] is 0\.4.*_from_wins"):
        solvers.evaluation_matrix([[0.5, 0.7], [0.4, 0.5]])
    with pytest.raises(InvalidGame, match=r"A\[0, 1\] is 1/5"):
        solvers.nash_averaging([[0, "0.2"], ["-0.3", 0]])
