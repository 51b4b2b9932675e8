"""Counterfactual regret minimization: the steps are the papers', and the promises are kept."""

import math
import pickle
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.catalog import random_tree, selten_horse
from gametheory_core.certificates import ExtensiveCorrelatedCertificate
from gametheory_core.evaluation import ExtensiveCorrelation
from gametheory_core.testing import PayoffKind, extensive_form_games
from solvers import Budget, counterfactual, counterfactual_regret
from solvers._kernels import treeplex_regret
from solvers.counterfactual import full_width
from solvers.counterfactual.regret_engine import RegretEngine
from solvers.counterfactual.regret_rules import RegretSettings
from solvers.counterfactual.sequence_tables import (
    behavior_of_totals,
    rational_profile,
    sequence_tables,
)
from solvers.local_rules import Hedge, RegretMatching, RegretMatchingPlus
from solvers.rounding import GRAIN
from tests.sample_sizes import examples
from tests.solvers.counterfactual.regret_reference import Reference

RULES = [
    RegretMatching(),
    RegretMatchingPlus(),
    counterfactual.DiscountedRegretMatching(1, 1),
    counterfactual.DiscountedRegretMatching(1.5, -2),
    counterfactual.DiscountedRegretMatching(math.inf, -math.inf),
    counterfactual.PredictiveRegretMatchingPlus(),
    Hedge(0.7),
    Hedge(0.1, decay=0.0),
]
SMALL_KINDS = (PayoffKind.DEGENERATE, PayoffKind.RATIONAL)
names = [str(rule) for rule in RULES]


def vectors(tables, per_infoset):
    """Lay vectors of information sets out over all players' sequences."""
    flat = np.ones(tables.num_sequences)
    infosets = iter(per_infoset)
    for player, treeplex in enumerate(tables.treeplexes):
        own = tables.own(flat, player)
        for start, stop in zip(
            treeplex.first_sequence[:-1], treeplex.first_sequence[1:], strict=True
        ):
            own[start:stop] = next(infosets).astype(np.float64)
    return flat


def engine_of(tree, rule, updates, power=1.0):
    tables = sequence_tables(tree)
    return RegretEngine(tables, RegretSettings(rule, updates, power), records=False)


# Steps


@pytest.mark.parametrize("updates", counterfactual.UpdateOrder)
@pytest.mark.parametrize("rule", RULES, ids=names)
@examples(8)
@given(tree=extensive_form_games(kinds=SMALL_KINDS, max_moves=7))
def test_steps_are_those_of_the_node_by_node_reference(rule, updates, tree):
    reference = Reference(tree, rule, updates, power=1)
    engine = engine_of(tree, rule, updates)
    work = engine.start(None)
    actions = np.delete(np.arange(engine.tables.num_sequences), engine.tables.offsets[:-1])
    for _ in range(4):
        reference.step()
        engine.advance(work, 1)
        totals = np.concatenate(reference.totals).astype(np.float64)
        assert work.arrays.totals == pytest.approx(totals, rel=1e-12, abs=1e-12)
        memory = vectors(engine.tables, reference.memory)[actions]
        assert work.arrays.memory[actions] * engine.unit == pytest.approx(memory, abs=1e-11)
        played = pytest.approx(vectors(engine.tables, reference.strategies), rel=1e-12, abs=1e-12)
        if work.arrays.behavior != played and any(abs(m) < 1e-9 for m in reference.margins):
            return  # from a regret of zero floats may go on otherwise
        assert work.arrays.behavior == played


@pytest.mark.parametrize("updates", counterfactual.UpdateOrder)
@pytest.mark.parametrize("rule", RULES, ids=names)
def test_steps_are_those_of_the_reference_on_deep_trees(rule, updates):
    """Players move again and again here, so that values travel far up."""
    tree = random_tree(rng=np.random.default_rng(2), depth=7, payoff_range=(-1000, 1000))
    assert np.max(sequence_tables(tree).treeplexes[0].parent_sequence) > 10
    reference = Reference(tree, rule, updates, power=2, floats=True)
    engine = engine_of(tree, rule, updates, power=2.0)
    work = engine.start(None)
    for _ in range(6):
        reference.step()
        engine.advance(work, 1)
    played = vectors(engine.tables, reference.strategies)
    assert work.arrays.behavior == pytest.approx(played, rel=1e-9, abs=1e-9)
    totals = np.concatenate(reference.totals)
    assert work.arrays.totals == pytest.approx(totals, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("num_players", [2, 3])
@pytest.mark.parametrize("rule", RULES, ids=names)
def test_compiled_steps_are_the_plain_ones(rule, num_players, monkeypatch):
    tree = gt.load_game("kuhn_poker") if num_players == 2 else selten_horse()
    engine = engine_of(tree, rule, counterfactual.UpdateOrder.SIMULTANEOUS)
    plain, compiled = engine.start(None), engine.start(None)
    engine.advance(plain, 20)
    monkeypatch.setattr("solvers.counterfactual.regret_engine.MOST_PLAIN", 0)
    other = engine_of(tree, rule, counterfactual.UpdateOrder.SIMULTANEOUS)
    assert engine.plain_steps > 20
    assert other.plain_steps == 0
    other.advance(compiled, 20)
    for ours, theirs in zip(plain.arrays[:4], compiled.arrays[:4], strict=True):
        assert ours == pytest.approx(theirs, rel=1e-12, abs=1e-12)


# Going on


@pytest.mark.parametrize("game", ["kuhn_poker", "selten_horse"])
@pytest.mark.parametrize("rule", RULES, ids=names)
def test_going_on_from_a_stored_state_is_the_uninterrupted_run(rule, game):
    tree = gt.load_game(game)
    whole = counterfactual_regret(tree, rule=rule, steps=70)
    first = counterfactual_regret(tree, rule=rule, steps=33)
    stored = pickle.loads(pickle.dumps(first.state))
    assert not stored.totals.flags.writeable
    second = counterfactual_regret(tree, rule=rule, steps=37, start=stored)
    same_states(second.state, whole.state)
    assert second.certificate == whole.certificate


def same_states(one, other):
    for name in ("memory", "behavior", "totals", "iterates", "iterate_steps"):
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes()
    for name in ("steps", "settings", "game_digest"):
        assert getattr(one, name) == getattr(other, name)


def goes_on(tree, state):
    """From a state on, a hundred steps are those of a run that was never stopped."""
    rest = counterfactual_regret(tree, steps=100 - state.steps, start=state)
    same_states(rest.state, counterfactual_regret(tree, steps=100).state)


def test_going_on_is_the_same_where_compiled_loops_take_over(monkeypatch):
    monkeypatch.setattr("solvers.counterfactual.regret_engine.PLAIN_WORK", 86 * 40)
    tree = gt.load_game("kuhn_poker")
    engine = engine_of(tree, RegretMatchingPlus(), counterfactual.UpdateOrder.ALTERNATING)
    assert 0 < engine.plain_steps < 50
    first = counterfactual_regret(tree, steps=20)
    goes_on(tree, counterfactual_regret(tree, steps=30, start=first.state).state)


def test_compiled_loops_take_over_at_the_same_step_however_a_run_is_cut(monkeypatch):
    monkeypatch.setattr("solvers.counterfactual.regret_engine.PLAIN_WORK", 86 * 40)
    engine = engine_of(
        gt.load_game("kuhn_poker"), RegretMatchingPlus(), counterfactual.UpdateOrder.ALTERNATING
    )
    plain, played = treeplex_regret.advance, []

    def counted(tree, arrays, rule, steps, count):
        played.extend(range(steps + 1, steps + count + 1))
        plain(tree, arrays, rule, steps, count)

    monkeypatch.setattr(treeplex_regret, "advance", counted)
    work = engine.start(None)
    engine.advance(work, engine.plain_steps - 3)
    engine.advance(work, 20)
    assert work.steps == engine.plain_steps + 17
    assert played == list(range(1, engine.plain_steps + 1))


@pytest.mark.parametrize("stop", [KeyboardInterrupt, ZeroDivisionError])
def test_an_interrupted_run_leaves_its_state_in_the_exception(stop):
    tree = gt.load_game("kuhn_poker")

    def interrupt(progress):
        assert progress.state.steps == progress.done
        if progress.done > 20:
            raise stop("enough")

    with pytest.raises(stop, match="enough") as caught:
        counterfactual_regret(tree, steps=100, on_iteration=interrupt)
    assert 20 < caught.value.state.steps < 100
    goes_on(tree, caught.value.state)


def test_an_interrupt_within_a_step_leaves_the_state_before_it(monkeypatch):
    tree = gt.load_game("kuhn_poker")
    advance = RegretEngine.advance

    def interrupted(self, work, count):
        advance(self, work, count)
        if work.steps > 10:
            work.arrays.memory[:] = np.nan  # as if half written
            raise KeyboardInterrupt("half way")

    with monkeypatch.context() as patch:
        patch.setattr(RegretEngine, "advance", interrupted)
        with pytest.raises(KeyboardInterrupt, match="half way") as caught:
            counterfactual_regret(tree, steps=100)
    goes_on(tree, caught.value.state)


def test_reports_carry_states_to_go_on_from():
    tree = gt.load_game("kuhn_poker")
    reports = []
    counterfactual_regret(tree, steps=100, on_iteration=reports.append)
    assert [report.done for report in reports] == sorted({report.done for report in reports})
    assert (reports[-1].done, reports[-1].total, reports[-1].unit) == (100, 100, "steps")
    goes_on(tree, reports[2].state)


@pytest.mark.parametrize(
    ("name", "proof"),
    [("kuhn_poker", "certify_minimax"), ("beer_quiche", "certify_extensive_correlated")],
)
def test_state_survives_an_interrupted_proof(monkeypatch, name, proof):
    game = gt.load_game(name)

    def interrupted(*_arguments, **_options):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(full_width, proof, interrupted)
        with pytest.raises(KeyboardInterrupt, match=r"^$") as caught:
            counterfactual_regret(game, steps=40)
    assert caught.value.state.steps == 40
    goes_on(game, caught.value.state)


def restless():
    """Return a general-sum tree whose play never settles: Shapley's cycle."""
    pays = {(0, 0): (2, 0), (0, 1): (0, 1), (1, 1): (1, 0), (1, 2): (0, 1), (2, 2): (1, 0)}
    pays[2, 0] = (0, 2)  # uneven, so that play does not start at rest
    second = [
        gt.Decision(1, "unseen", {str(b): gt.Terminal(pays.get((a, b), (0, 0))) for b in range(3)})
        for a in range(3)
    ]
    first = gt.Decision(0, "first", {str(a): second[a] for a in range(3)})
    return gt.from_sketch(first, players=("Row", "Column"))


def test_each_recorded_step_is_what_was_played_then():
    tree = restless()
    options = {"rule": Hedge(0.3), "updates": counterfactual.UpdateOrder.SIMULTANEOUS}
    run = counterfactual_regret(tree, steps=1_000, **options)
    steps = run.state.iterate_steps
    stride = steps[0]
    assert stride > 1  # some have been dropped
    assert set(np.diff(steps)) == {stride}
    played = [recorded.tobytes() for recorded in run.state.iterates]
    assert len(set(played)) > len(played) // 2
    for index in (1, 2, 5, 40, len(steps) - 1):
        before = counterfactual_regret(tree, steps=int(steps[index]) - 1, **options)
        assert before.state.behavior.tobytes() == played[index]


def test_recorded_steps_are_few_and_reach_the_end():
    run = counterfactual_regret(gt.load_game("selten_horse"), steps=1_000)
    steps = run.state.iterate_steps
    assert 128 <= len(steps) <= 256
    assert steps[-1] + steps[0] > 1_000


# Promises


@pytest.mark.parametrize(
    "rule", [*RULES[:4], counterfactual.PredictiveRegretMatchingPlus()], ids=str
)
def test_a_tolerance_is_met_and_certified(rule):
    run = counterfactual_regret(gt.load_game("kuhn_poker"), rule=rule, tolerance=0.05)
    run.certificate.verify()
    assert isinstance(run.certificate, gt.MinimaxCertificate)
    assert run.epsilon == run.certificate.epsilon <= Fraction(0.05)
    assert run.profile == run.average == run.certificate.profile
    assert run.state.steps == run.run.iterations < 2_000
    assert abs(run.certificate.game_value + Fraction(1, 18)) <= run.epsilon


def test_what_floats_saw_is_what_was_certified():
    run = counterfactual_regret(gt.load_game("leduc_poker"), tolerance=0.2)
    assert run.checked_epsilons[-1] == pytest.approx(float(run.epsilon), abs=1e-9)
    assert np.all(np.diff(run.checked_steps) > 0)
    assert np.all(run.checked_epsilons[:-1] > 0.2)
    assert run.checked_steps[-1] == run.state.steps


@pytest.mark.parametrize("name", ["kuhn_poker", "beer_quiche"])
def test_a_number_of_steps_records_a_curve(name):
    game = gt.load_game(name)
    run = counterfactual_regret(game, steps=300)
    steps, epsilons = zip(*run.curve, strict=True)
    assert steps[-1] == 300
    assert len(steps) > 5
    assert epsilons[-1] == pytest.approx(float(run.epsilon), abs=1e-9)
    for at, epsilon in run.curve[:3]:
        shorter = counterfactual_regret(game, steps=at)
        assert epsilon == pytest.approx(float(shorter.epsilon), abs=1e-9)
    assert min(epsilons) >= 0


def test_steps_that_do_not_suffice_are_told_and_kept():
    tree = gt.load_game("kuhn_poker")
    with pytest.raises(gt.NotConverged, match="after 50 steps it is 0.0") as caught:
        counterfactual_regret(tree, tolerance=1e-6, steps=50)
    best = caught.value.best
    assert "Give more steps or a larger budget; start=error.best.state goes on" in str(caught.value)
    best.certificate.verify()
    assert 1e-6 < best.epsilon < 0.1
    assert counterfactual_regret(tree, tolerance=0.01, start=best.state).epsilon <= 0.01


def test_steps_are_many_more_where_a_tolerance_ends_them():
    tree = gt.load_game("kuhn_poker")
    reports = []
    assert counterfactual_regret(tree).state.steps == 10_000
    run = counterfactual_regret(tree, tolerance=1e-5, on_iteration=reports.append)
    assert run.epsilon <= Fraction(1e-5)
    assert run.state.steps > 10_000
    assert reports[-1].total == 1_000_000


def test_the_end_of_the_budget_is_told_and_kept():
    tree = gt.load_game("kuhn_poker")
    with pytest.raises(gt.NotConverged, match="needs 100 steps, but the budget ended 63 before"):
        counterfactual_regret(tree, steps=100, budget=Budget(iterations=37))
    with pytest.raises(gt.NotConverged, match="the budget ended 100 before") as caught:
        counterfactual_regret(tree, steps=100, budget=Budget(seconds=0))
    assert caught.value.best.state.steps == 0
    caught.value.best.certificate.verify()
    assert caught.value.best.profile == gt.uniform_behavior(tree)


def test_floats_that_lie_end_no_run(monkeypatch):
    tree = gt.load_game("kuhn_poker")
    lies = np.array([0.0, 0.0])
    monkeypatch.setattr(RegretEngine, "responses", lambda *_: lies)
    run = counterfactual_regret(tree, tolerance=0.05)
    assert run.checked_epsilons[0] == 0.0
    assert run.epsilon <= Fraction(0.05)
    assert len(run.checked_steps) > 1


def test_large_rates_of_hedge_overflow_nowhere():
    run = counterfactual_regret(gt.load_game("kuhn_poker"), rule=Hedge(1e6), steps=50)
    assert np.all(np.isfinite(run.state.behavior))
    assert run.epsilon < 1


def test_what_rounding_leaves_over_makes_no_probability_negative():
    actions = {a: gt.Terminal([0, 0]) for a in "abcd"}
    tables = sequence_tables(gt.from_sketch(gt.Decision(0, "", actions), players=("A", "B")))
    grains = np.array([0.0, 1.5, 1.5, GRAIN - 3.0])
    behavior = np.concatenate([[1.0], grains / GRAIN, [1.0]])
    rounded = rational_profile(tables, behavior).probabilities[0] * GRAIN
    assert rounded.tolist() == [0, 2, 2, GRAIN - 4]


def test_the_last_iterate_answers_if_asked_for():
    tree = gt.load_game("kuhn_poker")
    run = counterfactual_regret(tree, steps=60, iterate=counterfactual.Iterate.LAST)
    assert run.profile == run.last == counterfactual.current_profile(tree, run.state) != run.average
    assert run.certificate.profile == run.profile
    assert run.average == counterfactual.average_profile(tree, run.state)
    found = counterfactual_regret(
        tree,
        rule=counterfactual.PredictiveRegretMatchingPlus(),
        iterate=counterfactual.Iterate.LAST,
        tolerance=1e-3,
    )
    assert found.epsilon <= Fraction(1e-3)


@pytest.mark.parametrize("name", ["selten_horse", "centipede"])
def test_other_games_get_a_coarse_correlated_certificate_and_no_more(name):
    tree = gt.load_game(name)
    run = counterfactual_regret(tree, tolerance=0.05)
    run.certificate.verify()
    assert isinstance(run.certificate, ExtensiveCorrelatedCertificate)
    assert run.certificate.correlation is ExtensiveCorrelation.NORMAL_FORM_COARSE
    assert run.epsilon <= Fraction(0.05)
    assert run.payoffs == run.certificate.payoffs
    assert len(run.certificate.mixture.profiles) <= len(run.state.iterate_steps) <= 256
    assert run.nash.profile == run.profile
    run.nash.verify()
    assert run.checked_epsilons[-1] == pytest.approx(float(run.epsilon), abs=1e-9)


def test_recorded_steps_weigh_what_they_weigh_in_the_average():
    tree = gt.load_game("centipede")
    run = counterfactual_regret(
        tree, rule=RegretMatching(), steps=4, average=counterfactual.Averaging.LINEAR
    )
    weights = [Fraction(k, 10) for k in (1, 2, 3, 4)]
    assert len(set(run.certificate.mixture.profiles)) == 4
    found = sorted(run.certificate.mixture.weights)
    assert found == pytest.approx([float(weight) for weight in weights], abs=1e-12)


def test_the_last_iterate_of_other_games_is_measured_alone():
    run = counterfactual_regret(
        gt.load_game("centipede"), steps=50, iterate=counterfactual.Iterate.LAST
    )
    assert run.certificate.mixture.profiles == (run.profile,)
    assert run.epsilon == run.nash.epsilon


# Trees of all kinds


@given(
    extensive_form_games(kinds=tuple(PayoffKind)),
    st.sampled_from(RULES[:4]),
    st.sampled_from(counterfactual.UpdateOrder),
)
def test_any_tree_is_played_and_measured(tree, rule, updates):
    run = counterfactual_regret(tree, rule=rule, updates=updates, steps=20)
    run.certificate.verify()
    assert np.all(np.isfinite(run.state.memory))
    assert run.epsilon >= 0


@given(extensive_form_games(zero_sum=True, kinds=SMALL_KINDS))
def test_zero_sum_trees_are_solved(tree):
    span = float(np.ptp(tree.terminal_payoffs)) or 1.0
    run = counterfactual_regret(tree, tolerance=0.02 * span, steps=2_000)
    run.certificate.verify()
    assert run.epsilon <= Fraction(0.02 * span)


def pennies(unit):
    """Matching pennies in which heads pay three times as much."""
    paid = {("H", "H"): 3 * unit, ("T", "T"): unit}
    children = {
        a: gt.Decision(
            1, "", {b: gt.Terminal([won := paid.get((a, b), -unit), -won]) for b in "HT"}
        )
        for a in "HT"
    }
    return gt.from_sketch(gt.Decision(0, "", children), players=("A", "B"))


@pytest.mark.parametrize("scale", [2.0**1020, 2.0**-1000, 5e-324])
@pytest.mark.parametrize("rule", RULES[:6], ids=names[:6])
def test_units_of_payoffs_do_not_matter(rule, scale):
    run = counterfactual_regret(pennies(scale), rule=rule, steps=50)
    small = counterfactual_regret(pennies(1), rule=rule, steps=50)
    assert run.profile == small.profile
    assert small.profile.probabilities[0][0] != Fraction(1, 2)
    assert run.epsilon == small.epsilon * Fraction(scale)


def chain(length, payoffs):
    """Let two players, in turn, end play or hand it on."""
    node = gt.Terminal(payoffs(length))
    for move in range(length - 1, -1, -1):
        node = gt.Decision(move % 2, str(move), {"end": gt.Terminal(payoffs(move)), "on": node})
    return gt.from_sketch(node, players=("A", "B"))


@pytest.mark.parametrize("length", [2_150, pytest.param(2_500, marks=pytest.mark.slow)])
@pytest.mark.parametrize("rule", RULES[:7], ids=names[:7])
def test_reach_below_the_range_of_floats_harms_nothing(rule, length):
    """Even play ends 1,075 own moves deep with a probability that no float holds."""
    tree = chain(length, lambda move: [move % 3, -(move % 3)])
    run = counterfactual_regret(tree, rule=rule, steps=40)
    run.certificate.verify()
    for vector in (run.state.memory, run.state.behavior, run.state.totals):
        assert np.all(np.isfinite(vector))
    assert run.epsilon < Fraction(1, 2)


def test_recorded_play_of_deep_trees_is_measured_too():
    tree = chain(2_200, lambda move: [move % 5, move % 3])
    run = counterfactual_regret(tree, steps=5)
    run.certificate.verify()
    assert all(np.all(vector >= 0) for vector in run.profile.probabilities)


def test_trees_too_deep_for_floats_are_named_where_a_tolerance_fails():
    def payoffs(move):
        return [move % 3, -(move % 3)]

    with pytest.raises(gt.NotConverged, match="so many own moves deep .* take sequence_form_lp"):
        counterfactual_regret(chain(2_150, payoffs), steps=8, tolerance=1e-9)
    with pytest.raises(gt.NotConverged, match="Give more steps or a larger budget"):
        counterfactual_regret(chain(1_900, payoffs), steps=8, tolerance=1e-9)


def test_where_averages_underflow_the_last_behavior_answers():
    actions = {a: gt.Terminal([0, 0]) for a in "ab"}
    tables = sequence_tables(gt.from_sketch(gt.Decision(0, "", actions), players=("A", "B")))
    last = np.array([1.0, 0.75, 0.25, 1.0])
    for totals, expected in [
        ([4.0, 1.0, 3.0, 4.0], [0.25, 0.75]),
        ([4.0, 5e-324, 1e-323, 4.0], [0.75, 0.25]),
        ([4.0, 0.0, 0.0, 4.0], [0.75, 0.25]),
    ]:
        assert behavior_of_totals(tables, np.array(totals), last)[1:3].tolist() == expected
    assert last.tolist() == [1.0, 0.75, 0.25, 1.0]


@pytest.mark.parametrize("total", [0.0, 5e-324, 2.0**-1024, 2.0**-1022])
def test_weights_too_small_to_divide_by_are_played_evenly(total):
    behavior = np.array([total / 2, total / 2])
    treeplex_regret.normalize(behavior, 0, 2, total)
    assert behavior.tolist() == [0.5, 0.5]


def test_a_tree_of_one_node_is_solved_at_once():
    run = counterfactual_regret(
        gt.from_sketch(gt.Terminal([3, -3]), players=("A", "B")), tolerance=0.1
    )
    assert (run.epsilon, run.payoffs) == (0, (3, -3))


def test_constant_sums_other_than_zero_are_minimax():
    paid = {True: [1, 0], False: [0, 1]}
    children = {
        a: gt.Decision(1, "", {b: gt.Terminal(paid[a == b]) for b in "HT"}) for a in ("H", "T", "X")
    }
    tree = gt.from_sketch(gt.Decision(0, "", children), players=("A", "B"))
    run = counterfactual_regret(tree, tolerance=0.01)
    assert isinstance(run.certificate, gt.MinimaxCertificate)
    assert abs(run.certificate.game_value - Fraction(1, 2)) <= run.epsilon <= Fraction(0.01)


# Refusals


def test_states_of_other_runs_are_refused():
    tree = gt.load_game("kuhn_poker")
    state = counterfactual_regret(tree, steps=3).state
    with pytest.raises(gt.InvalidArgument, match="it is of a game with digest"):
        counterfactual_regret(gt.load_game("one_card_poker"), start=state)
    with pytest.raises(gt.InvalidArgument, match="needs a start from a run with RegretMatching"):
        counterfactual_regret(tree, rule=RegretMatching(), start=state)
    with pytest.raises(gt.InvalidArgument, match=r"weights t\*\*0.0, but it is from one with"):
        counterfactual_regret(tree, average=counterfactual.Averaging.UNIFORM, start=state)
    with pytest.raises(gt.InvalidArgument, match="it is of a game with digest"):
        counterfactual.average_profile(gt.load_game("one_card_poker"), state)


def test_states_whose_arrays_do_not_fit_are_refused():
    tree = gt.load_game("kuhn_poker")
    state = counterfactual_regret(tree, steps=3).state
    broken = replace(state, memory=state.memory[:-1])
    with pytest.raises(gt.InvalidArgument, match="needs a start with vectors of 26 entries"):
        counterfactual_regret(tree, start=broken)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rule": Hedge(-1.0)}, "needs rate of Hedge to be a finite number"),
        ({"rule": Hedge(1.0, decay=-1)}, "needs decay of Hedge to be a finite number"),
        (
            {"rule": counterfactual.DiscountedRegretMatching("x")},
            "needs positive of DiscountedRegretMatching",
        ),
        (
            {"rule": counterfactual.DiscountedRegretMatching(1, math.nan)},
            "needs negative of Discounted",
        ),
    ],
)
def test_rules_without_meaning_are_refused(options, message):
    with pytest.raises(gt.InvalidArgument, match=message):
        counterfactual_regret(gt.load_game("kuhn_poker"), **options)
