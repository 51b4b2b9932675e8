"""Play over ranges is play in the tree, and what it promises is kept."""

import math
import pickle
import tracemalloc
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import (
    InvalidArgument,
    InvalidGame,
    InvalidStrategy,
    NotConverged,
    UnsupportedGame,
    certify_minimax,
    load_game,
)
from gametheory_core.catalog import kuhn_poker_ranges, leduc_poker_ranges, liars_dice_ranges
from gametheory_core.conversions.public_extensive import (
    places_in_tree,
    plans_to_profile,
    public_to_extensive,
)
from gametheory_core.evaluation import public_payoffs
from gametheory_core.games import Paid, public_layout
from gametheory_core.games.public_histories import BYTES_BESIDE, play_bytes
from gametheory_core.memory import memory_limit
from gametheory_core.strategies import public_plans
from gametheory_core.strategies.public_plans import require_plan
from solvers import Budget, counterfactual, counterfactual_regret
from solvers._kernels import public_regret, treeplex
from solvers.counterfactual import range_counterfactual_regret
from solvers.counterfactual.public_engine import PublicEngine
from solvers.counterfactual.public_ranges import part_bits
from solvers.counterfactual.regret_rules import RegretSettings
from solvers.local_rules import Hedge, RegretMatching, RegretMatchingPlus
from tests.public_games import random_public_game
from tests.sample_sizes import examples
from tests.solvers.counterfactual.regret_reference import Reference

RULES = [
    RegretMatching(),
    RegretMatchingPlus(),
    counterfactual.DiscountedRegretMatching(1.5, -2),
    counterfactual.PredictiveRegretMatchingPlus(),
    Hedge(0.7),
]
names = [str(rule) for rule in RULES]


def engine_of(game, rule=None, updates=counterfactual.UpdateOrder.ALTERNATING, power=1.0):
    settings = RegretSettings(rule or RegretMatchingPlus(), updates, power)
    return PublicEngine(game, public_layout(game), settings)


def plain(engine, monkeypatch):
    """Let an engine's loops run as they are: nothing is compiled."""

    def loop(_self, name):
        return getattr(public_regret, name, None) or getattr(treeplex, name)

    monkeypatch.setattr(PublicEngine, "loop", loop)
    return engine


# Steps


@pytest.mark.parametrize("updates", counterfactual.UpdateOrder)
@pytest.mark.parametrize("rule", RULES, ids=names)
@examples(6)
@given(seed=st.integers(0, 10**6))
def test_steps_are_those_of_the_reference_in_the_tree(rule, updates, seed):
    """Node by node, and exactly, where all is rational."""
    game = random_public_game(seed, depth=3)
    tree = public_to_extensive(game)
    places = places_in_tree(game, tree)
    reference = Reference(tree, rule, updates, power=1)
    engine = engine_of(game, rule, updates)
    work = engine.start(None)
    for _ in range(4):
        reference.step()
        engine.advance(work, 1)
        for place, played in zip(places, reference.strategies, strict=True):
            first = int(engine.forest.first_entry[place.player]) + place.first
            own = work.arrays.behavior[first : first + len(played)]
            expected = pytest.approx(played.astype(np.float64), rel=1e-10, abs=1e-10)
            if own != expected and any(abs(m) < 1e-9 for m in reference.margins):
                return  # from a regret of zero floats may go on otherwise
            assert own == expected


@pytest.mark.parametrize("rule", RULES, ids=names)
@pytest.mark.parametrize("seed", [9, 10, 13, 26])
def test_play_is_that_of_the_tree_where_nothing_ties(rule, seed):
    game = random_public_game(seed, is_generic=True)
    assert min(game.num_hands) > 1
    tree = public_to_extensive(game)
    ours = range_counterfactual_regret(game, rule=rule, steps=60)
    theirs = counterfactual_regret(tree, rule=rule, steps=60)
    offsets = (0, game.num_sequences[0])
    played = zip(places_in_tree(game, tree), theirs.last.probabilities, strict=True)
    for place, vector in played:
        first = offsets[place.player] + place.first
        own = ours.state.behavior[first : first + len(vector)]
        assert own == pytest.approx(vector.astype(np.float64), abs=1e-9)
    assert ours.curve[-1][1] == pytest.approx(float(theirs.epsilon), abs=1e-9)
    assert float(ours.epsilon) == pytest.approx(float(theirs.epsilon), abs=1e-5)


@pytest.mark.parametrize("rule", RULES, ids=names)
def test_compiled_steps_are_the_plain_ones(rule, monkeypatch):
    for seed in range(4):
        game = random_public_game(seed, depth=3)
        engine = engine_of(game, rule)
        compiled = engine.start(None)
        engine.advance(compiled, 5)
        with monkeypatch.context() as patch:
            other = plain(engine_of(game, rule), patch)
            work = other.start(None)
            other.advance(work, 5)
            assert other.width(work) == pytest.approx(engine.width(compiled), abs=1e-9)
        assert work.arrays.behavior == pytest.approx(compiled.arrays.behavior, rel=1e-9, abs=1e-9)
        assert work.arrays.totals == pytest.approx(compiled.arrays.totals, rel=1e-9, abs=1e-9)


# Certificates


@pytest.mark.parametrize(
    "game", [kuhn_poker_ranges(cards=5), leduc_poker_ranges(), liars_dice_ranges(sides=3)], ids=repr
)
def test_epsilon_is_exactly_the_tree_s(game):
    run = range_counterfactual_regret(game, steps=50)
    run.certificate.verify()
    tree = public_to_extensive(game)
    wanted = certify_minimax(tree, plans_to_profile(game, tree, run.certificate.profile))
    assert run.epsilon == wanted.epsilon > 0
    assert run.payoffs == wanted.payoffs
    assert run.curve[-1][0] == run.state.steps == 50
    assert run.curve[-1][1] == pytest.approx(float(run.epsilon), rel=1e-6)


def test_known_values_are_enclosed():
    run = range_counterfactual_regret(kuhn_poker_ranges(cards=3), tolerance=1e-3)
    assert run.certificate.lower <= Fraction(-1, 18) <= run.certificate.upper
    assert run.epsilon <= Fraction(1e-3)
    dice = range_counterfactual_regret(liars_dice_ranges(sides=4), tolerance=1e-3)
    assert dice.certificate.lower <= Fraction(1, 16) <= dice.certificate.upper


@examples(10)
@given(seed=st.integers(0, 10**6))
def test_plans_are_plans_and_as_fine_as_machine_integers_allow(seed):
    game = random_public_game(seed)
    layout = public_layout(game)
    run = range_counterfactual_regret(game, steps=5)
    for player, plan in enumerate(run.certificate.profile.plans):
        require_plan(layout, plan, hands=game.num_hands[player], player=player)
        assert int(plan[0]) == 1 << part_bits(game) >= 2**24


@pytest.mark.parametrize("cards", [3, 100, 10_000])
def test_rounding_to_parts_loses_little(cards):
    game = kuhn_poker_ranges(cards=cards)
    run = range_counterfactual_regret(game, steps=200)
    parts = int(run.certificate.profile.plans[0][0])
    assert public_payoffs.size_bound(game, parts) < 2**63  # machine integers prove it
    assert parts == 2**50 or public_payoffs.size_bound(game, 2 * parts) > 2**61  # and no fewer
    assert abs(run.curve[-1][1] - float(run.epsilon)) < 1e-8


def test_large_games_are_solved_without_a_tree():
    """A hundred million nodes: 10,000 cards."""
    game = kuhn_poker_ranges(cards=10_000)
    run = range_counterfactual_regret(game, tolerance=1e-3)
    run.certificate.verify()
    assert game.num_nodes > 8 * 10**8
    assert run.certificate.lower < Fraction(-1, 18) < run.certificate.upper + Fraction(1, 1000)


def test_the_proof_decides_and_not_what_floats_see(monkeypatch):
    monkeypatch.setattr(PublicEngine, "width", lambda _self, _work: 0.0)
    run = range_counterfactual_regret(kuhn_poker_ranges(cards=3), tolerance=0.01)
    assert run.epsilon <= 0.01
    assert run.state.steps > 16


# Going on


@pytest.mark.parametrize("rule", RULES, ids=names)
def test_a_run_that_was_stopped_goes_on_bit_for_bit(rule):
    game = leduc_poker_ranges(ranks=2)
    half = range_counterfactual_regret(game, rule=rule, steps=7)
    stored = pickle.loads(pickle.dumps(half.state))
    whole = range_counterfactual_regret(game, rule=rule, steps=6, start=stored)
    once = range_counterfactual_regret(game, rule=rule, steps=13)
    assert whole.state.steps == 13
    for name in ("memory", "behavior", "totals"):
        assert np.array_equal(getattr(whole.state, name), getattr(once.state, name))
    assert whole.epsilon == once.epsilon


def test_an_interrupt_has_the_state_and_loses_nothing():
    game = leduc_poker_ranges(ranks=2)

    def interrupt(report):
        if report.done >= 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match="^$") as caught:
        range_counterfactual_regret(game, steps=50, on_iteration=interrupt)
    state = caught.value.state
    rest = range_counterfactual_regret(game, steps=50 - state.steps, start=state)
    once = range_counterfactual_regret(game, steps=50)
    assert np.array_equal(rest.state.totals, once.state.totals)


def test_a_state_of_another_run_is_refused():
    run = range_counterfactual_regret(kuhn_poker_ranges(cards=3), steps=3)
    with pytest.raises(InvalidArgument, match="it is of a game with digest"):
        range_counterfactual_regret(kuhn_poker_ranges(cards=4), start=run.state)
    with pytest.raises(InvalidArgument, match="a start from a run with"):
        range_counterfactual_regret(
            kuhn_poker_ranges(cards=3), rule=RegretMatching(), start=run.state
        )
    with pytest.raises(InvalidArgument, match="it is of a game with digest"):
        counterfactual_regret(load_game("kuhn_poker"), start=run.state)


# Limits


def test_a_budget_that_ends_first_gives_what_there_is():
    game = kuhn_poker_ranges(cards=3)
    with pytest.raises(NotConverged, match="the budget ended 15 before that") as caught:
        range_counterfactual_regret(game, steps=20, budget=Budget(iterations=5))
    caught.value.best.certificate.verify()
    assert caught.value.best.state.steps == 5
    with pytest.raises(NotConverged, match="after 9 steps it is") as caught:
        range_counterfactual_regret(game, tolerance=1e-9, steps=9)
    caught.value.best.certificate.verify()
    with pytest.raises(NotConverged, match="the budget ended 1000 before") as caught:
        range_counterfactual_regret(game, budget=Budget(seconds=0))
    caught.value.best.certificate.verify()


def test_a_run_larger_than_memory_is_refused_before_it_starts():
    game = liars_dice_ranges(sides=20)  # whose histories could not even be listed
    with pytest.raises(UnsupportedGame, match=r"GiB of memory for play over ranges in the 2,19"):
        range_counterfactual_regret(game)
    small = leduc_poker_ranges()
    range_counterfactual_regret(small, steps=1)  # loads the loops, which no cap counts
    with (
        memory_limit(play_bytes(small) - 1),
        pytest.raises(UnsupportedGame, match="MiB of memory for play over ranges"),
    ):
        range_counterfactual_regret(small)
    with memory_limit(play_bytes(small)):
        range_counterfactual_regret(small, steps=1)


@pytest.mark.parametrize("rule", [None, counterfactual.PredictiveRegretMatchingPlus()])
def test_memory_is_reckoned_not_too_low_and_not_far_too_high(rule, monkeypatch):
    """Blocks and tables apart, which count more than a game this small."""
    game = liars_dice_ranges(sides=7)
    monkeypatch.setattr(public_plans, "BLOCK_ENTRIES", 2**10)
    monkeypatch.setattr(public_payoffs, "BLOCK_ENTRIES", 2**10)
    range_counterfactual_regret(game, rule=rule, steps=1)
    tracemalloc.start()
    range_counterfactual_regret(game, rule=rule, steps=1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    reckoned = play_bytes(game) - BYTES_BESIDE
    assert 0.5 * reckoned < peak < reckoned


def test_trees_are_refused_with_the_way_out_and_games_where_trees_are_needed():
    with pytest.raises(UnsupportedGame, match="counterfactual_regret for trees"):
        range_counterfactual_regret(load_game("kuhn_poker"))
    with pytest.raises(UnsupportedGame, match="Use range_counterfactual_regret"):
        counterfactual_regret(kuhn_poker_ranges(cards=3))


def test_what_hands_do_is_told_by_labels():
    run = range_counterfactual_regret(kuhn_poker_ranges(cards=3), tolerance=1e-4)
    after_bet = run.behavior(["bet"])
    assert list(after_bet) == ["J", "Q", "K"]
    assert after_bet["J"]["fold"] > Fraction(99, 100)
    assert after_bet["K"]["call"] > Fraction(99, 100)
    assert after_bet["Q"]["call"] == pytest.approx(1 / 3, abs=0.02)
    assert all(sum(own.values()) == 1 for own in run.behavior().values())
    assert run.solution.certificate is run.certificate
    with pytest.raises(InvalidStrategy, match="a history after which a player moves"):
        run.behavior(["bet", "fold"])
    with pytest.raises(InvalidArgument, match="a label of 'check', 'bet'"):
        run.behavior(["raise"])


def test_powers_of_the_average_and_orders_of_updates_are_options():
    game = kuhn_poker_ranges(cards=3)
    found = {
        range_counterfactual_regret(game, steps=20, **options).epsilon
        for options in (
            {},
            {"average": counterfactual.Averaging.UNIFORM},
            {"average": 3.5},
            {"updates": counterfactual.UpdateOrder.SIMULTANEOUS},
            {"rule": counterfactual.DiscountedRegretMatching(math.inf, -math.inf), "average": 2},
        )
    }
    assert len(found) == 5


def test_payoffs_too_large_for_floats_are_refused():
    kuhn = kuhn_poker_ranges(cards=3)
    huge = tuple(
        replace(one, end=Paid(10**400) if isinstance(one.end, Paid) else one.end)
        for one in kuhn.situations
    )
    with pytest.raises(InvalidGame, match="numbers below 1.8e308 where floats are used.*1e400"):
        range_counterfactual_regret(replace(kuhn, situations=huge), steps=5)
