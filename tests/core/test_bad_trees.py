"""Bad input about trees is refused in our own words: profiles, sketches, rules."""

import re
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest

import gametheory_core as gt
from gametheory_core import evaluation
from gametheory_core.catalog import KuhnRules
from gametheory_core.games import count_nodes, lay_out, lay_out_rules, probe_nodes, stop_posg
from gametheory_core.leaders import leader_view
from gametheory_core.strategies import behavioral_mixture
from tests.core.naive_trees import nested

KUHN = gt.load_game("kuhn_poker")
MATRIX = gt.load_game("matching_pennies")
UNIFORM = gt.uniform_behavior(KUHN)
EVALUATIONS = (
    evaluation.infoset_deviations,
    evaluation.one_shot_deviations,
    evaluation.subgame_deviations,
    evaluation.unreached_infosets,
)
END = gt.Terminal([1, -1])
PAIR = ("Ann", "Bob")


@dataclass(frozen=True)
class Answer:
    """Holds a profile, as a solver's answer does."""

    profile: gt.BehavioralProfile


def draw_tree(game, profile):
    pytest.importorskip("matplotlib")
    from gametheory_core.figures import draw_tree as draw

    return draw(game, profile=profile)


def tree_graph(game):
    pytest.importorskip("networkx")
    from gametheory_core.adapters import tree_graph as graph

    return graph(game)


@pytest.mark.parametrize("function", [*EVALUATIONS, draw_tree])
@pytest.mark.parametrize("profile", ["uniform", 5, gt.uniform_profile(MATRIX), KUHN])
def test_what_is_no_behavioral_profile_is_refused(function, profile):
    complaint = rf"profile: needs a .*BehavioralProfile.*but got .*{type(profile).__name__}"
    with pytest.raises(gt.GameTheoryError, match=complaint):
        function(KUHN, profile)


@pytest.mark.parametrize(
    ("game", "profile"), [(MATRIX, UNIFORM), (KUHN, gt.uniform_profile(MATRIX))]
)
@pytest.mark.parametrize(
    "function",
    [
        gt.expected_payoffs,
        gt.deviation_gains,
        gt.certify_nash,
        gt.certify_minimax,
        lambda game, profile: gt.best_response(game, profile, player=0),
    ],
)
def test_profile_of_the_wrong_kind_is_refused(function, game, profile):
    with pytest.raises(gt.InvalidStrategy, match="needs a MixedProfile for a normal form or a"):
        function(game, profile)


@pytest.mark.parametrize("function", EVALUATIONS)
def test_no_profile_is_refused(function):
    with pytest.raises(gt.GameTheoryError, match=r"profile: needs a .*NoneType.*Give "):
        function(KUHN, None)


@pytest.mark.parametrize("function", EVALUATIONS)
def test_an_answer_is_refused_with_where_its_profile_is(function):
    with pytest.raises(gt.GameTheoryError, match=r"but got .*Answer.* Give solution\.profile\."):
        function(KUHN, Answer(UNIFORM))


@pytest.mark.parametrize(
    ("function", "others"),
    [
        *((function, (UNIFORM,)) for function in EVALUATIONS),
        (gt.uniform_behavior, ()),
        (gt.pure_behavior, ([0],)),
        (tree_graph, ()),
    ],
)
def test_what_is_no_tree_is_refused(function, others):
    name = function.__name__
    with pytest.raises(
        gt.UnsupportedGame, match=f"{name}: needs an extensive-form game, but got Nor"
    ):
        function(MATRIX, *others)
    with pytest.raises(gt.InvalidArgument, match=f"{name}: needs a.* but got None"):
        function(None, *others)


@pytest.mark.parametrize(
    ("actions", "complaint"),
    [
        (None, "needs actions to be a sequence, but got None"),
        ("check", "needs actions to be a sequence, but got 'check'"),
        (["check"] * 12, "needs each action to be an integer, but got 'check'. Give one"),
        ([0.5] * 12, "needs each action to be an integer, but got 0.5"),
        ([True] * 12, "needs each action to be an integer, but got True"),
    ],
)
def test_pure_behavior_takes_numbers_of_actions(actions, complaint):
    with pytest.raises(gt.InvalidArgument, match=f"pure_behavior: {complaint}"):
        gt.pure_behavior(KUHN, actions)


@pytest.mark.parametrize("player", [5, 2, -1, "Player 1", 1.0, True, None])
@pytest.mark.parametrize(
    ("game", "profile"), [(KUHN, UNIFORM), (MATRIX, gt.uniform_profile(MATRIX))]
)
def test_best_response_takes_the_number_of_a_player(game, profile, player):
    complaint = f"best_response: needs player to be an integer from 0 to 1, but got {player!r}"
    with pytest.raises(gt.InvalidArgument, match=complaint):
        gt.best_response(game, profile, player=player)


@pytest.mark.parametrize("options", [{}, {"weights": []}])
def test_a_mixture_of_nothing_is_refused(options):
    with pytest.raises(gt.InvalidStrategy, match="behavioral_mixture: needs one or more profiles"):
        behavioral_mixture([], **options)


PAYOFFS = [
    (0, "payoffs 0 .type int.: need to be a sequence of numbers, one for each of 2"),
    (5, "payoffs 5 .type int.: need to be a sequence"),
    (None, "payoffs None .type NoneType.: need to be a sequence"),
    (False, "payoffs False .type bool.: need to be a sequence"),
    ("11", "payoffs '11' .type str.: need to be a sequence"),
    ({0: 1, 1: 2}, "payoffs .0: 1, 1: 2. .type dict.: need to be a sequence"),
    ({1, 2}, "type set.: need to be a sequence"),
    ([[1], [2]], "type list.: need to be a sequence"),
]
SKETCHES = [
    *((gt.Terminal(payoffs), complaint) for payoffs, complaint in PAYOFFS),
    *(
        (gt.Decision(0, "", {"a": END}, payoffs=payoffs), complaint)
        for payoffs, complaint in PAYOFFS
    ),
    (
        gt.Decision("Ann", "x", {"a": END}),
        r"'x': needs a player in 0..1, but has 'Ann'. Give the pla",
    ),
    (gt.Decision(None, "x", {"a": END}), r"'x': needs a player in 0..1, but has None"),
    (gt.Decision(1.0, "x", {"a": END}), r"'x': needs a player in 0..1, but has 1.0"),
    (gt.Decision(True, "x", {"a": END}), r"'x': needs a player in 0..1, but has True"),
    (
        gt.Decision([0], "x", {"a": END}),
        r"'x' of player \[0\]: needs a label and a player that are h",
    ),
    (
        gt.Decision(0, ["x"], {"a": END}),
        r"\['x'\] of player 0: needs a label and a player that are h",
    ),
    (
        gt.Decision(0, "x", [END, END]),
        r"'x': needs children {action: position}, but got \[Terminal",
    ),
    (gt.Decision(0, "x", None), "'x': needs children {action: position}, but got None"),
    (
        gt.Decision(0, "x", {"a": gt.Decision(0, "x", ["a"])}),
        r"'x': needs children {action: position}, but got \['a'\]",
    ),
    (
        gt.Chance({"a": END}),
        r"Chance: needs children {label: \(probability, position\)}, but got {",
    ),
    (gt.Chance({"a": (1, END, 3)}), r"Chance: needs children {label: \(probability, position\)}"),
    (gt.Chance([END]), r"Chance: needs children .* but got \[Terminal"),
    (gt.Chance(None), r"Chance: needs children .* but got None"),
    (gt.Chance({"a": ([1], END)}), r"Chance: needs children .*Give each label a pair of a number"),
    (gt.Decision(2, "here", {"a": END}), r"'here': needs a player in 0\.\.1, but has 2"),
    (gt.Decision(-1, "here", {"a": END}), r"'here': needs a player in 0\.\.1, but has -1"),
    (gt.Decision(0, "here", {}), "'here' of player 1: needs at least one action"),
    (gt.Chance({}), "of chance: needs at least one action"),
    (gt.Terminal([1]), r"payoffs \(1,\): needs one number for each of 2 players"),
    (gt.Decision(0, "", {"a": END}, payoffs=[1, 2, 3]), "but there are 3"),
    (gt.Terminal([1, "x"]), r"payoffs \(1, 'x'\): needs a finite number"),
    (gt.Chance({"a": ("1/2", END), "b": (0.3, END)}), "sum to exactly 1"),
    (
        gt.Chance({"a": (None, END)}),
        r"probabilities of \('a',\): weight of 'a': needs a finite number",
    ),
    (
        gt.Chance({x: ("1/2", gt.Decision(1, "x", {x: END})) for x in "lr"}),
        r"'x' of player 2: needs the same actions .* \('l',\) and another \('r',\)",
    ),
    (
        gt.Chance({f"{x!r}": ("1/2", gt.Decision(1, x, {"l": END})) for x in (1, "1")}),
        "'1' names both number 1 and number 2",
    ),
]


@pytest.mark.parametrize(("root", "complaint"), SKETCHES)
def test_malformed_records_are_named(root, complaint):
    with pytest.raises(gt.InvalidGame, match=complaint):
        gt.from_sketch(root, players=PAIR)
    with pytest.raises(gt.InvalidGame, match=complaint):
        lay_out_rules(nested(root))


@pytest.mark.parametrize("payoffs", [(), [], (0, 0), np.array([0, 0])])
def test_payoffs_of_nothing_may_be_left_out(payoffs):
    for game in (
        gt.from_sketch(gt.Terminal(payoffs), players=PAIR),
        lay_out_rules(nested(gt.Terminal(payoffs))),
    ):
        assert game.exact_terminal_payoffs.tolist() == [[0, 0]]


@pytest.mark.parametrize("players", [2, None])
def test_players_are_given_by_their_labels(players):
    complaint = f"needs the labels of the players, but got {players}. Give them as players="
    with pytest.raises(gt.InvalidArgument, match=f"from_sketch: {complaint}"):
        gt.from_sketch(END, players=players)
    with pytest.raises(gt.InvalidArgument, match=f"lay_out: {complaint}"):
        lay_out(END, expand=lambda node: node, players=players)


def probe(rules):
    return probe_nodes(rules, probes=2, rng=np.random.default_rng(1))


OF_RULES = {"lay_out_rules": lay_out_rules, "count_nodes": count_nodes, "probe_nodes": probe}


def rules_but(**changes):
    given = {"title": "r", "players": PAIR, "root": (), "expand": lambda _: END} | changes
    return SimpleNamespace(**{name: value for name, value in given.items() if value is not ...})


@pytest.mark.parametrize("name", OF_RULES)
@pytest.mark.parametrize(
    ("rules", "complaint"),
    [
        (None, "but got None .type NoneType., without title and players and root and expand"),
        ("kuhn_poker", "but got 'kuhn_poker' .type str., without players and root and expand"),
        (KUHN, "type ExtensiveFormGame., without root and expand"),
        (KuhnRules, "a class, not its instance"),
        *((rules_but(**{name: ...}), f"without {name}") for name in ("title", "players", "root")),
        (rules_but(expand=...), "without expand"),
        (rules_but(title=5), "whose title is 5"),
        (rules_but(players=2), "whose players are 2"),
        (rules_but(expand=5), "whose expand is 5"),
    ],
)
def test_what_is_no_rules_is_refused(name, rules, complaint):
    with pytest.raises(
        gt.InvalidArgument, match=f"{name}: needs rules with title.*{complaint}.*Give"
    ):
        OF_RULES[name](rules)


def test_a_missing_title_is_noticed_before_anything_is_expanded():
    expanded = []
    with pytest.raises(gt.InvalidArgument, match="without title"):
        lay_out_rules(rules_but(title=..., expand=expanded.append))
    assert not expanded


@pytest.mark.parametrize("name", OF_RULES)
@pytest.mark.parametrize("node", [None, 5, "end", (1, -1)])
def test_expand_returns_one_of_three_records(name, node):
    complaint = (
        f"expand: needs to return a Decision.* for 'start' it returned {re.escape(repr(node))}"
    )
    with pytest.raises(gt.InvalidGame, match=complaint):
        OF_RULES[name](rules_but(root="start", expand=lambda _: node))


def test_lay_out_too_names_what_expand_returned():
    with pytest.raises(gt.InvalidGame, match="for 'start' it returned None"):
        lay_out("start", expand=lambda _: None, players=PAIR)


@pytest.mark.parametrize("count", [count_nodes, probe])
@pytest.mark.parametrize(
    "root", [gt.Decision(0, "x", [END]), gt.Chance({"a": END}), gt.Chance(None)]
)
def test_children_are_checked_where_nodes_are_counted(count, root):
    with pytest.raises(gt.InvalidGame, match="needs children {"):
        count(rules_but(expand=lambda _: root))


def test_positions_that_are_counted_are_hashable():
    rules = rules_but(expand=lambda _: gt.Decision(0, "x", {"a": [1]}))
    with pytest.raises(gt.InvalidGame, match=r"count_nodes: needs positions .* hashable, .*\[1\]"):
        count_nodes(rules)


def test_plays_are_drawn_by_a_generator():
    with pytest.raises(gt.InvalidArgument, match="probe_nodes: needs rng to be of type Generator"):
        probe_nodes(KuhnRules(), rng=7)


@pytest.mark.parametrize(
    "root", [gt.Terminal([]), gt.Chance({side: ("1/2", gt.Terminal([])) for side in "HT"})]
)
def test_nobody_plays_no_tree(root):
    """As in rules, tables and files; solvers of trees need not ask."""
    with pytest.raises(gt.InvalidGame, match="needs at least one player, but has none"):
        gt.from_sketch(root, players=())


def test_a_sketch_is_refused_under_the_name_that_was_called():
    with pytest.raises(gt.InvalidGame, match="^from_sketch: needs Decision, Chance and Terminal"):
        gt.from_sketch(5, players=PAIR)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (gt.posg_to_extensive, "posg_to_extensive"),
        (leader_view, "leader_view"),
        (lambda game, horizon: stop_posg(game, steps=horizon), "stop_posg"),
    ],
)
def test_a_horizon_is_refused_under_the_name_that_was_called(call, name):
    with pytest.raises(gt.InvalidArgument, match=f"^{name}: needs a whole number of steps"):
        call(gt.load_game("iterated_prisoners_dilemma"), horizon=-1)
