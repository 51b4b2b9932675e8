"""Bad input is refused in our own words, by what solvers declare: with a witness and a way out.

No error of Python or numpy comes out of a solver.
"""

import inspect
import math
import re
from fractions import Fraction

import numpy as np
import pytest

import gametheory_core as gt
import solvers
import solvers.leaders
import solvers.mediation
from gametheory_core import mediation
from gametheory_core.catalog import KuhnRules
from gametheory_core.certificates import Label
from gametheory_core.distributions import uniform
from gametheory_core.evaluation import one_shot_deviations
from gametheory_core.games import lay_out_rules
from gametheory_core.leaders import leader_policy, leader_view
from solvers import Concept, solve
from solvers.requirements import Kind, a_normal_form, a_tree
from solvers.solver import declarations, routes
from tests.public_rooms import public_rooms
from tests.solvers.sample_games import FIRST, WIN_RATES, WINS, ZERO_SUM, call_of, first_lack, games
from tests.solvers.sample_games import TWO_BY_TWO as GAME

KUHN = gt.load_game("kuhn_poker")
EVEN = gt.uniform_behavior(KUHN)
ROOMS = public_rooms("solvers")
RUN = solvers.counterfactual_regret(KUHN, steps=1)
SAMPLED = solvers.monte_carlo_counterfactual_regret(
    KUHN, iterations=1, rng=np.random.default_rng(0)
)

LED = leader_view(gt.load_game("iterated_prisoners_dilemma:rounds=2"))
HALVES = leader_policy(LED, {seen: uniform(("C", "D")) for seen in LED.game.observations[0]})
LED_IN_TURN = gt.load_game("mediated_chicken")
TAKING_TURNS = mediation.random_mediated_profile(LED_IN_TURN, rng=np.random.default_rng(0))
FAIR = mediation.MediatorIncentives(
    mediation.MINIMUM, mediation.MediatorStage.FULL, mediation.EndRule.HISTORY_IDEAL
)

OTHERS = {  # public functions that declare nothing, and what they are called with
    "adaptive_queries": ((LED,), {}),
    "average_profile": ((KUHN, RUN.state), {}),
    "float_best_response": ((KUHN, EVEN), {"player": 0}),
    "bipartite_meta_game": ((WIN_RATES,), {}),
    "certified_average": ((SAMPLED,), {}),
    "contextual_queries": ((LED,), {}),
    "current_profile": ((KUHN, RUN.state), {}),
    "deceiving_leader": ((LED,), {}),
    "float_deviation_gains": ((KUHN, EVEN), {}),
    "estimate_rationality": ((GAME, [[5, 4], [4, 5]]), {}),
    "evaluation_matrix": ((WIN_RATES,), {}),
    "evaluation_tables": ((KUHN,), {}),
    "float_exploitability": ((KUHN, EVEN), {}),
    "fair_optimum": ((LED_IN_TURN,), {}),
    "is_strictly_dominated": ((GAME,), {"player": 0, "action": 0}),
    "is_weakly_dominated": ((GAME,), {"player": 0, "action": 0}),
    "laid_out_average": ((SAMPLED,), {}),
    "leading_response": ((LED_IN_TURN, TAKING_TURNS), {"agent": 0, "incentives": FAIR}),
    "mediator_response": ((LED_IN_TURN, TAKING_TURNS), {"incentives": FAIR}),
    "meta_game": ((WIN_RATES,), {}),
    "multiplicative_weights_queries": ((LED,), {"rounds": 2}),
    "float_nash_conv": ((KUHN, EVEN), {}),
    "online_elo": (([solvers.populations.Match(0, 1, 1.0)],), {"num_agents": 2}),
    "ordered_leaders": ((LED_IN_TURN,), {"order": (0, 1, 0, 1)}),
    "reduce_game": ((GAME,), {}),
    "q_learning_queries": ((LED,), {"episodes": 2, "rate": Fraction(1, 2)}),
    "voted_leaders": ((LED_IN_TURN,), {}),
    "win_rates_from_wins": ((WINS,), {}),
}
TABLES = (  # functions whose first argument is a table of numbers
    "batch_elo",
    "bipartite_meta_game",
    "evaluation_matrix",
    "leading_nash_averages",
    "meta_game",
    "nash_averaging",
    "nash_averaging_against_tasks",
    "nash_bootstrap",
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
    "observed": (None, 3, "ab", [[1, 2]], [[0, 0], [0, 0]], [[1, -1], [1, 1]], [[1, 2, 3], [1, 2]]),
    "budget": (5, None, "x", 2.5),
    "engine": (5, "x"),
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
    "initial": (*NO_RECORDS, math.nan, gt.MixedProfile((np.array([1.0]),))),
    "steps": (*NO_INTEGERS[:-1], None, 0),
    "jobs": (*(own for own in NO_INTEGERS[:-1] if own != -1), -2, None, 0),
    "streams": (*NO_INTEGERS[:-1], None, 0),
    "dynamics": (5, "x", None, solvers.minimax),
    "resamples": (*NO_INTEGERS[:-1], None, 0),
    "draws": (5, "x", [[0]], [[0, 1], [2, 0]], [[0, -1], [-1, 0]]),
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
    "start": (*NO_RECORDS, gt.uniform_profile(GAME)),
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
    "prior": (*NO_RECORDS, gt.uniform_profile(GAME)),
    "profile": (*NO_RECORDS, None, gt.uniform_profile(GAME)),
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
NO_MATCHES = (
    None,
    5,
    "x",
    [(0, 1, 1.0)],
    [solvers.populations.Match(0, 5, 1.0)],
    [solvers.populations.Match("a", 1, 1.0)],
)

# values that are right after all for some functions
ALLOWED = {
    **{
        (own.name, "jobs"): (None,)  # as joblib is configured
        for own in declarations()
        if own.name != "vertex_enumeration"
    },
    ("counterfactual_regret", "steps"): (None,),
    ("range_counterfactual_regret", "steps"): (None,),
    ("vertex_enumeration", "state"): (None,),
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


DECLARED = {declared.name: declared for declared in declarations()}


def arguments_of(name):
    return call_of(DECLARED[name]) if name in DECLARED else OTHERS[name]


def test_every_public_function_is_called():
    names = [name for room in ROOMS for name in room.__all__]
    functions = {name for name in names if inspect.isfunction(solver(name))}
    assert functions == {*DECLARED, *OTHERS, "solve", "solve_many", "explore"}  # with own tests


def parameters_of(name):
    return [*inspect.signature(solver(name)).parameters][1:]


@pytest.mark.parametrize("name", [*DECLARED, *OTHERS])
def test_wrong_options_are_refused(name):
    function, (arguments, options) = solver(name), arguments_of(name)
    assert function(*arguments, **options) is not None
    for parameter in parameters_of(name):
        for value in WRONG[parameter]:
            if value in ALLOWED.get((name, parameter), ()):
                continue
            given = inspect.signature(function).bind(*arguments, **options)
            given.arguments[parameter] = value
            with pytest.raises(gt.GameTheoryError, match=rf"{name}|{parameter}|labels"):
                function(*given.args, **given.kwargs)


@pytest.mark.parametrize("name", [*DECLARED, *OTHERS])
def test_wrong_first_arguments_are_refused(name):
    function, (arguments, options) = solver(name), arguments_of(name)
    is_table = name in TABLES
    for value in NO_TABLES if is_table else NO_MATCHES if name == "online_elo" else NO_GAMES:
        with pytest.raises(gt.GameTheoryError, match=name):
            function(value, *arguments[1:], **options)


@pytest.mark.parametrize("name", DECLARED)
def test_each_requirement_is_refused_with_a_way_out_that_is_open(name):
    """For each requirement there is a game that has what is looked at before, but lacks it."""
    declared = DECLARED[name]
    arguments, options = arguments_of(name)
    for requirement in declared.takes:
        lacking = [game for game in games() if first_lack(declared.takes, game) is requirement]
        assert lacking
        for game in lacking:
            refused = gt.GameTheoryError if isinstance(requirement, Kind) else gt.UnsupportedGame
            with pytest.raises(refused, match=f"^{name}: needs ") as caught:
                declared.function(game, *arguments[1:], **options)
            if not isinstance(requirement, Kind):
                said = str(caught.value)
                assert said.startswith(f"{name}: needs {requirement.needs}, but ")
                check_ways_out(game, said, declared)


def check_ways_out(game, said, declared):
    """Try what a refusal names: solvers take the game, or what it can be converted to."""
    remedy = said.rpartition("Try ")[2] if "Try " in said else ""
    for named in (DECLARED[word] for word in re.findall(r"\w+", remedy) if word in DECLARED):
        way = gt.extensive_to_normal(game).target if "extensive_to_normal" in remedy else game
        named.refuse(way)
    if "No solver takes" in said:
        gt.expected_payoffs(game, gt.uniform_behavior(game))
        one_shot_deviations(game, gt.uniform_behavior(game))
        assert not any(route.lack(game) is None for route in routes())
    elif "no obstacle in the normal form" in said:
        assert gt.extensive_to_normal(game).target
    elif declared.answers and declared.answers[0].concept != "pure-nash":
        assert remedy or "security_to_bayesian" in said, said


@pytest.mark.parametrize("route", routes(), ids=lambda r: f"{r.answers.concept}-{r.name}")
def test_solve_names_what_each_route_lacks(route):
    concept = route.answers.concept
    for game in games():
        lacks = [own.lack(game) for own in routes(concept) if own.name == route.name]
        if all(lacks):
            with pytest.raises(gt.UnsupportedGame, match="^solve: .*needs ") as caught:
                solvers.solve(game, concept, algorithm=route.name)
            assert any(lack.needs in str(caught.value) for lack in lacks)


OTHER_KINDS = {
    "kuhn_poker": "extensive_to_normal",
    "house_patrol": "harsanyi_transform",
    "guarded_targets": "security_to_normal",
    "tiger": "posg_to_extensive",
}


@pytest.mark.parametrize("name", [n for n, d in DECLARED.items() if a_normal_form in d.takes])
def test_other_kinds_of_games_are_refused_with_the_conversion(name):
    arguments, options = arguments_of(name)
    for kind, remedy in OTHER_KINDS.items():
        wanted = f"{name}: needs a normal-form game, .*{remedy}"
        with pytest.raises(gt.UnsupportedGame, match=wanted):
            solver(name)(gt.load_game(kind), *arguments[1:], **options)


def test_rules_of_trees_are_to_be_laid_out():
    rules = KuhnRules()
    for declared in declarations():
        if a_tree in declared.takes and declared.name not in FIRST:
            with pytest.raises(gt.UnsupportedGame, match=r"rules of a tree, .* Use lay_out_rules"):
                declared.function(rules)
    with pytest.raises(
        gt.UnsupportedGame, match=r"Use lay_out_rules\(rules\), and then extensive_to"
    ):
        solvers.lemke_howson(rules)
    with pytest.raises(gt.UnsupportedGame, match=r"Lay it out with lay_out_rules\(rules\)"):
        solvers.solve(rules, "nash")
    assert solvers.solve(lay_out_rules(rules), "nash").solutions


PLAYS = [
    solvers.fictitious_play,
    solvers.dynamics.hedge,
    solvers.dynamics.projected_replicator,
    solvers.regret_matching,
    solvers.dynamics.regret_matching_plus,
    solvers.dynamics.replicator,
    solvers.dynamics.smoothed_fictitious_play,
]


@pytest.mark.parametrize("play", PLAYS)
def test_plays_are_no_starts_but_their_states_are(play):
    options = arguments_of(play.__name__)[1]
    first = play(GAME, **options)
    assert play(GAME, start=first.state, **options).state.steps == 6
    with pytest.raises(gt.InvalidArgument, match="start=play.state"):
        play(GAME, start=first, **options)
    with pytest.raises(gt.InvalidArgument, match=f"{play.__name__}: needs a start from a play of"):
        play(ZERO_SUM, start=first.state, **options)


@pytest.mark.parametrize("play", PLAYS)
def test_a_start_leaves_no_room_for_first_strategies(play):
    options = arguments_of(play.__name__)[1]
    state = play(GAME, **options).state
    name = "first_actions" if play is solvers.fictitious_play else "initial"
    first = (0, 0) if name == "first_actions" else gt.uniform_profile(GAME)
    with pytest.raises(gt.InvalidArgument, match=f"needs either start or {name}, but got both"):
        play(GAME, start=state, **{name: first}, **options)


@pytest.mark.parametrize("play", [play for play in PLAYS if "rng" in parameters_of(play.__name__)])
def test_plays_go_on_with_chance_as_they_began(play):
    options = arguments_of(play.__name__)[1]
    rng = np.random.default_rng(0)
    calm, drawn = play(GAME, **options).state, play(GAME, rng=rng, **options).state
    assert play(GAME, start=drawn, rng=rng, **options).state.steps == 6
    with pytest.raises(gt.InvalidArgument, match="with rng, as is asked for, but it was played w"):
        play(GAME, start=calm, rng=rng, **options)
    with pytest.raises(
        gt.InvalidArgument, match="without rng, as is asked for, but it was played w"
    ):
        play(GAME, start=drawn, **options)


FLOAT_RATES = [[0.5, 0.7, 0.2], [0.3, 0.5, 0.9], [0.8, 0.1, 0.5]]


def test_lists_of_floats_are_measured_like_arrays():
    listed = solvers.populations.evaluation_matrix(FLOAT_RATES)
    assert np.array_equal(listed, solvers.populations.evaluation_matrix(np.array(FLOAT_RATES)))
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
    with pytest.raises(gt.InvalidGame, match=r"A\[0, 1\] is 0\.2 and A\[1, 0\] is -0\.3.*\"0\.7\""):
        solvers.nash_averaging([[0.0, 0.2], [-0.3, 0.0]])
    with pytest.raises(
        gt.InvalidGame, match=r"W\[0, 1\] is 0\.7 and W\[1, 0\] is 0\.4.*_from_wins"
    ):
        solvers.populations.evaluation_matrix([[0.5, 0.7], [0.4, 0.5]])
    with pytest.raises(gt.InvalidGame, match=r"A\[0, 1\] is 1/5"):
        solvers.nash_averaging([[0, "0.2"], ["-0.3", 0]])


def without_decisions(count):
    """Return trees in which nothing, or chance alone, is decided."""
    ends = [gt.Terminal([k * pay for k in range(count)]) for pay in (1, 2)]
    drawn = gt.Chance({side: ("1/2", end) for side, end in zip("HT", ends, strict=True)})
    players = [f"Player {k}" for k in range(count)]
    return [gt.from_sketch(root, players=players) for root in (ends[0], drawn)]


@pytest.mark.parametrize("concept", list(Concept), ids=str)
@pytest.mark.parametrize("count", [1, 2, 3])
def test_trees_without_decisions_are_solved_or_refused_in_our_words(concept, count):
    for game in without_decisions(count):
        try:
            answer = solve(game, concept)
        except gt.GameTheoryError as error:
            assert error.needs  # noqa: PT017 either is fine, but for other errors
            continue
        for found in answer.solutions:
            found.certificate.verify()
