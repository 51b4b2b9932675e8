"""Conversions compose: what each step of a way from game to game keeps, the whole way keeps.

The models are matrices, Bayesian games, trees, POSGs, AEC games, tables of both, mediated games and
files of them; the arrows of ``conversion_graph`` are all conversions that the library declares.
Along every path of up to four arrows, on generated games with branches to which chance never leads,
with players who forget and with clocks that leak, what all steps claim holds of the composition: a
carried profile pays the same and has the same outcomes, to the target and to the source, and gains
the same by deviating. Where outcomes are kept both ways, a strategy that goes there and back does
the same as before against every opponent. In rationals. Twins: through a step that keeps one
direction only the other one fails, and is not claimed; and one wrong step anywhere is noticed.

Why it matters (models): An answer found in one form of a game is an answer in every other form to
which conversions lead.
"""

import ast
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import conversions, testing
from gametheory_core.catalog import RepeatedGame
from gametheory_core.conversions import Conversion, Preserved
from gametheory_core.distributions import point_mass
from gametheory_core.errors import LawBroken
from gametheory_core.games import CHANCE, NULL, list_aec, list_posg
from gametheory_core.leaders import StationaryFollower, leader_problem, leader_view
from gametheory_core.mediation import MediatedGame
from gametheory_core.testing.laws import outcome_law
from tests.core.leaders.scripted_oracle import Scripted
from tests.laws.impossible_branch import IMPOSSIBLE
from tests.sample_sizes import examples
from tests.solvers.stackelberg.leader_games import bayesian_games
from tests.theorems.conversion_graph import ARROWS, SILENT, arrows_from, meeting, paths, taken

theorem = pytest.mark.theorem(
    source="Kuhn 1953, and Terry et al. 2021, appendix D",
    statement="What each conversion on a way from game to game keeps, the whole way keeps.",
)
LONGEST = 4
PLAY = frozenset(Preserved) - {Preserved.BEST_RESPONSES, Preserved.NASH}
GAINS = PLAY | {Preserved.BEST_RESPONSES}  # which are zero at both ends or at none, as NASH says
BOTH_WAYS = {Preserved.OUTCOMES_TO_TARGET, Preserved.OUTCOMES_TO_SOURCE}
SEEDS = st.integers(0, 2**16)
ONE_OR_TWO = (1, 2)


class Label(NamedTuple):
    """A label that files cannot hold: it would read back as a tuple."""

    name: Any


def relabeled(table):
    """The table with such labels."""

    def written(labels):
        return tuple(map(Label, labels))

    return replace(
        table,
        states=written(table.states),
        actions=tuple(map(written, table.actions)),
        observations=tuple(map(written, table.observations)),
    )


GENERATED = {
    "matrices": testing.normal_form_games(max_actions=2),
    "Bayesian games": bayesian_games(most_types=2, largest=2),
    "trees": testing.extensive_form_games(num_players=ONE_OR_TWO, max_moves=4, max_depth=3),
    "forgetful trees": testing.forgetful_games(num_players=ONE_OR_TWO, max_moves=4, max_depth=3),
    "POSGs": testing.posgs(num_players=ONE_OR_TWO, max_horizon=1),
    "POSGs with independent views": testing.posgs(num_players=ONE_OR_TWO, factored=True),
    "AEC games": testing.aecs(num_players=ONE_OR_TWO),
    "Markov games": testing.markov_games(num_players=ONE_OR_TWO, max_states=2, max_horizon=1).map(
        lambda view: view.game
    ),
    "tables with other labels": st.one_of(
        testing.posgs(num_players=ONE_OR_TWO, max_horizon=1).map(conversions.posg_to_tabular),
        testing.aecs(num_players=ONE_OR_TWO).map(conversions.aec_to_tabular),
    ).map(lambda conversion: relabeled(conversion.target)),
}


def own_strategy(game, player, own, others):
    """The profile in which a player does as in the first profile, and others as in the second."""
    if isinstance(own, gt.BehavioralProfile):
        movers = [infoset.player for infoset in game.infosets[: game.num_decision_infosets]]
        both = zip(movers, own.probabilities, others.probabilities, strict=True)
        return gt.BehavioralProfile(tuple(a if mover == player else b for mover, a, b in both))
    if isinstance(own, gt.MixedProfile):
        return gt.MixedProfile(own_strategy(game, player, own.strategies, others.strategies))
    return (*others[:player], own[player], *others[player + 1 :])


def require_same_back(conversion, rng):
    """Each player's strategy does the same after it has been there and back.

    Against others who do everything now and then, two strategies have the same outcomes if and only
    if they are realization-equivalent.
    """
    game = conversion.source
    gone, others = testing.random_profile(game, rng=rng), testing.balanced_profile(game)
    back = conversion.correspondence.to_source(conversion.correspondence.to_target(gone))
    count = len(gone.strategies) if isinstance(gone, gt.MixedProfile) else len(game.players)
    for player in range(count):
        before, after = (
            outcome_law(game, own_strategy(game, player, own, others)) for own in (gone, back)
        )
        assert before == after, f"player {player} of {game!r}: {gone!r} comes back as {back!r}"


def require_laws(conversion, seed, claims=PLAY):
    rng = np.random.default_rng(seed)
    tested = replace(conversion, preserves=conversion.preserves & claims)
    testing.check_conversion(tested, rng=rng, num_profiles=1)
    has_own_strategies = not isinstance(conversion.source, MediatedGame)
    if conversion.preserves >= BOTH_WAYS and has_own_strategies:
        require_same_back(conversion, rng)


def on_generated(games, keep, how_many):
    """Try a property on generated games, and on a branch to which chance never leads."""
    tried = how_many(given(GENERATED[games], SEEDS)(keep))
    (example(IMPOSSIBLE, 0)(tried) if games == "trees" else tried)()


@theorem
@pytest.mark.parametrize("games", GENERATED)
def test_paths_of_two_arrows_keep_what_both_keep(games):
    def keep(game, seed):
        for _, composed in paths(game, longest=2):
            require_laws(composed, seed)

    on_generated(games, keep, examples(20))


@theorem
@pytest.mark.parametrize("games", GENERATED)
def test_drawn_paths_keep_what_all_arrows_keep(games):
    @examples(120)
    @given(GENERATED[games], st.data(), SEEDS)
    def keep(game, data, seed):
        composed = None
        for _ in range(LONGEST):
            here = composed.target if composed else game
            step = taken(data.draw(st.sampled_from(arrows_from(here))), here)
            if step is None:
                break
            composed = composed.then(step) if composed else step
        if composed:
            require_laws(composed, seed)

    keep()


@theorem
@pytest.mark.slow
@pytest.mark.parametrize("games", GENERATED)
def test_all_paths_keep_what_all_arrows_keep(games):
    def keep(game, seed):
        for _, composed in paths(game, longest=LONGEST):
            require_laws(composed, seed, GAINS)

    on_generated(games, keep, settings(max_examples=4))  # a game has up to a thousand paths


COIN = list_posg(
    players=["Ann", "Bob"],
    actions=[["H", "T"], ["H", "T"]],
    initial={"start": 1},
    transitions={("start", (a, b)): {"end": 1} for a in "HT" for b in "HT"},
    rewards={("start", ("H", "H"), "end"): (1, 0)},
    terminal=["end"],
)
ALONE = list_aec(
    players=["Ann"],
    actions=[["stay", "go"]],
    initial_state="start",
    chances={"start": {"ready": 1}},
    moves={(0, "ready", "stay"): "home", (0, "ready", "go"): "away"},
    turns={("start", CHANCE, NULL, "ready"): {0: 1}},
    rewards={("ready", 0, "go", "away"): (1,)},
    observations={(0, "ready"): {"set": 1}},
    terminal=["home", "away"],
    horizon=2,
)
TEAM = gt.load_game("random_order_team")
SEXES = RepeatedGame.of("battle_of_the_sexes", rounds=1, recall=0)
EXAMPLES = (
    gt.load_game("chicken"),
    gt.load_game("house_patrol:houses=2,length=1,types=2"),
    gt.load_game("mediated_chicken:rounds=1"),
    gt.load_game("one_card_poker"),
    IMPOSSIBLE,
    COIN,
    conversions.posg_to_tabular(COIN).target,
    SEXES,
    conversions.posg_to_tabular(SEXES).target,
    TEAM,
    conversions.aec_to_tabular(TEAM).target,
    ALONE,
)


@theorem
def test_all_arrows_whose_ends_meet_are_composed_in_examples():
    """So no arrow, and no pair of them, is in the graph only by name."""
    composed = set()
    for game in EXAMPLES:
        for path, conversion in paths(game, longest=2):
            require_laws(conversion, 0)
            composed.add(path)
    assert {arrow.name for arrow in ARROWS} <= {name for path in composed for name in path}
    assert meeting() <= composed


CORE = Path(gt.__file__).parent


def test_every_function_that_makes_a_conversion_declares_it_and_is_an_arrow():
    makers = {
        function.name
        for file in CORE.rglob("*.py")
        for function in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == Conversion.__name__
    }
    assert len(makers) > 15
    assert makers <= {arrow.name for arrow in ARROWS} | SILENT


def test_what_is_left_out_of_the_graph_claims_nothing():
    view = leader_view(RepeatedGame.of("chicken"))
    answers = {
        a: StationaryFollower((k, -1, -1, -1, -1)) for k, a in enumerate(view.game.actions[1])
    }
    oracle = Scripted({"start": ()}, {("start", a): point_mass(a) for a in answers}, answers)
    assert {leader_problem.__name__} == SILENT
    assert not leader_problem(view, oracle).preserves


# Twins: steps that keep one direction only, and wrong ones


@theorem
@pytest.mark.parametrize(
    ("first", "second", "kept", "lost"),
    [
        (
            conversions.canonical_tree(gt.load_game("forgetful_bit")),
            gt.extensive_to_normal,
            Preserved.OUTCOMES_TO_TARGET,
            Preserved.OUTCOMES_TO_SOURCE,
        ),
        (
            conversions.aec_to_posg(TEAM),
            conversions.posg_to_tabular,
            Preserved.OUTCOMES_TO_TARGET,
            Preserved.OUTCOMES_TO_SOURCE,
        ),
        (
            conversions.restrict_actions(gt.load_game("chicken"), [(0,), (0, 1)]),
            gt.normal_to_extensive,
            Preserved.OUTCOMES_TO_SOURCE,
            Preserved.OUTCOMES_TO_TARGET,
        ),
    ],
    ids=["without recall", "with a clock that leaks", "without an action"],
)
def test_without_a_direction_in_one_step_it_fails_on_the_whole_way(first, second, kept, lost):
    composed = first.then(second(first.target))
    assert kept in composed.preserves
    assert lost not in composed.preserves
    require_laws(composed, 0)
    with pytest.raises(LawBroken, match=lost.value):
        require_laws(replace(composed, preserves=frozenset({lost})), 0)


class Forgetting:
    """The ways of a step, but for one that leads to the same whatever it is given."""

    def __init__(self, step, fault):
        honest, balanced = step.correspondence, testing.balanced_profile(step.source)
        first = []

        def the_first_origin(outcome):
            first.append(honest.outcome_to_source(outcome))
            return first[0]

        self.to_target, self.to_source = honest.to_target, honest.to_source
        self.outcome_to_source = honest.outcome_to_source
        faults = {
            "to_target": lambda _: honest.to_target(balanced),
            "to_source": lambda _: balanced,
            "outcome_to_source": the_first_origin,
        }
        setattr(self, fault, faults[fault])


WAY = (
    conversions.normal_to_posg,
    conversions.posg_to_aec,
    gt.aec_to_extensive,
    conversions.extensive_to_aec,
)


@theorem
@pytest.mark.parametrize("fault", ["to_target", "to_source", "outcome_to_source"])
@pytest.mark.parametrize("place", range(len(WAY)))
def test_unless_every_step_is_right_the_whole_way_is_wrong(place, fault):
    composed, here = None, gt.load_game("chicken")
    for k, convert in enumerate(WAY):
        step = convert(here)
        if k == place:
            step = replace(step, correspondence=Forgetting(step, fault))
        composed, here = composed.then(step) if composed else step, step.target
    with pytest.raises(LawBroken, match="the source"):
        require_laws(composed, 0)
