"""Sampling: what it returns, that it is reproducible and goes on exactly, and what it refuses."""

import pickle
import signal
import time
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.catalog import KuhnRules
from gametheory_core.games import lay_out_rules
from gametheory_core.testing import PayoffKind, extensive_form_games, forgetful_games
from solvers import Budget, monte_carlo_counterfactual_regret
from solvers.counterfactual import (
    Sampling,
    certified_average,
    laid_out_average,
    sampled_positions,
    samplers,
)
from solvers.counterfactual.sampled_traversals import Memories

KINDS = (PayoffKind.DEGENERATE, PayoffKind.RATIONAL, PayoffKind.GENERIC)
both = pytest.mark.parametrize("sampling", list(Sampling))


def seeded(seed=7):
    return np.random.default_rng(seed)


def run(rules, **options):
    if "start" not in options:
        options.setdefault("rng", seeded())
    return monte_carlo_counterfactual_regret(rules, **{"iterations": 50, **options})


@dataclass(frozen=True)
class NestedRules:
    """Rules given by a nested sketch; positions are paths, which are hashable."""

    tree: object
    players: tuple = ("A", "B")
    title: str = "a sketch"
    root: tuple = ()

    def expand(self, position):
        node = self.tree
        for label in position:
            child = node.children[label]
            node = child[1] if isinstance(node, gt.Chance) else child
        if isinstance(node, gt.Decision):
            below = {label: (*position, label) for label in node.children}
            return gt.Decision(node.player, node.infoset, below, node.payoffs)
        if isinstance(node, gt.Chance):
            below = {x: (p, (*position, x)) for x, (p, _) in node.children.items()}
            return gt.Chance(below, node.payoffs)
        return node

    def __hash__(self):
        return id(self.tree)


def same(first, second):
    return (
        np.array_equal(first.state.regrets, second.state.regrets)
        and np.array_equal(first.state.totals, second.state.totals)
        and str(first.state.generator) == str(second.state.generator)
    )


@given(
    game=st.one_of(
        extensive_form_games(num_players=(1, 4), kinds=KINDS), forgetful_games(kinds=KINDS)
    ),
    sampling=st.sampled_from(Sampling),
    seed=st.integers(0, 1000),
)
def test_compiled_and_plain_sampling_agree_to_the_last_bit(game, sampling, seed):
    request = samplers.SamplerRequest(sampling, 0.3, 10**6)
    plain = samplers.RulesSampler(game, request, None)
    compiled = samplers.TreeSampler(game, request, None)
    states = []
    for sampler in (plain, compiled):
        generator = seeded(seed)
        sampler.advance(generator, 20)
        assert sampler.done == 20
        states.append(sampler.state(generator))
    first, second = states
    assert np.array_equal(first.regrets, second.regrets)
    assert np.array_equal(first.totals, second.totals)
    assert first.generator == second.generator
    assert (first.infosets, first.actions) == (second.infosets, second.actions)


@both
def test_rules_and_their_tree_are_learned_alike(sampling):
    rules = KuhnRules(cards=4)
    tree = lay_out_rules(rules)
    sampled = run(rules, sampling=sampling, iterations=600)
    built = run(tree, sampling=sampling, iterations=600)
    assert sampled.state.generator == built.state.generator
    named = {
        (s.player, s.label): built.policy[s.player, k]
        for k, s in enumerate(tree.infosets[: tree.num_decision_infosets])
    }
    assert len(sampled.policy) == len(named)
    for key, probabilities in sampled.policy.items():
        assert probabilities == named[key]


@both
@pytest.mark.parametrize("built", [False, True])
def test_goes_on_as_if_it_had_never_stopped(sampling, built):
    source = lay_out_rules(KuhnRules()) if built else KuhnRules()
    whole = run(source, sampling=sampling, iterations=700)
    part = run(source, sampling=sampling, iterations=30)  # plain, and then compiled if built
    again = run(source, sampling=sampling, iterations=670, start=part.state)
    assert same(again, whole)
    assert again.state.iterations == whole.state.iterations == 700
    assert again.policy == whole.policy


def test_seeds_decide():
    rules = KuhnRules()
    assert same(run(rules, rng=seeded(1)), run(rules, rng=seeded(1)))
    assert not same(run(rules, rng=seeded(1)), run(rules, rng=seeded(2)))


def test_other_sources_of_bits_go_on_too():
    rules = KuhnRules()
    whole = run(rules, rng=np.random.Generator(np.random.Philox(3)), iterations=60)
    part = run(rules, rng=np.random.Generator(np.random.Philox(3)), iterations=20)
    assert same(run(rules, iterations=40, start=part.state), whole)


def test_plays_and_states_pickle():
    play = run(KuhnRules(), iterations=20)
    assert play.policy
    again = pickle.loads(pickle.dumps(play))
    assert again.policy == play.policy
    assert not again.state.regrets.flags.writeable
    assert same(run(KuhnRules(), iterations=30, start=again.state), run(KuhnRules()))


def test_says_that_it_is_not_certified():
    play = run(KuhnRules())
    assert play.statement.startswith("sampled, not certified: the average of 50 iterations")
    assert "not certified" in repr(play)
    assert not hasattr(play, "certificate")
    assert not hasattr(play, "epsilon")


def test_positions_need_not_be_remembered(monkeypatch):
    usual = run(KuhnRules())
    monkeypatch.setattr(sampled_positions, "MOST_REMEMBERED", 3)
    assert same(run(KuhnRules()), usual)


def test_average_is_certified_in_the_whole_tree():
    solution = certified_average(run(KuhnRules(), iterations=400))
    assert isinstance(solution.certificate, gt.MinimaxCertificate)
    solution.certificate.verify()
    assert solution.certificate.game == lay_out_rules(KuhnRules())
    assert solution.profile.is_exact
    assert 0 < solution.certificate.epsilon < 1


def test_average_of_three_players_is_certified_as_nash():
    solution = certified_average(run(KuhnRules(cards=4, num_players=3), iterations=100))
    assert isinstance(solution.certificate, gt.NashCertificate)
    solution.certificate.verify()
    assert len(solution.certificate.deviation_gains) == 3


def test_certified_average_refuses_large_trees_early():
    play = run(KuhnRules())
    with pytest.raises(gt.UnsupportedGame, match="needs at most max_nodes = 20 nodes, but Kuhn"):
        certified_average(play, max_nodes=20)


def test_information_sets_never_met_are_even_and_counted():
    rare = gt.Decision(
        0, "rare", {"a": gt.Terminal([1, 0]), "b": gt.Terminal([0, 0]), "c": gt.Terminal([0, 0])}
    )
    usual = gt.Decision(0, "usual", {"a": gt.Terminal([1, 0]), "b": gt.Terminal([0, 0])})
    tree = gt.Chance(
        {"rare": (Fraction(1, 10**12), rare), "usual": (1 - Fraction(1, 10**12), usual)}
    )
    play = run(NestedRules(tree))
    assert list(play.policy) == [(0, "usual")]
    average = laid_out_average(play)
    assert average.num_unmet == 1
    labels = [s.label for s in average.game.infosets[:2]]
    assert average.profile.probabilities[labels.index("rare")].tolist() == [1 / 3] * 3
    assert average.profile.probabilities[labels.index("usual")][0] > 0.9


def test_information_sets_of_one_name_stay_apart():
    first = gt.Decision(0, 1, {"a": gt.Terminal([1, 0]), "b": gt.Terminal([0, 0])})
    second = gt.Decision(0, "1", {"a": gt.Terminal([0, 0]), "b": gt.Terminal([1, 0])})
    play = run(NestedRules(gt.Chance({"x": ("1/2", first), "y": ("1/2", second)})), iterations=200)
    average = laid_out_average(play)
    a, b = average.profile.probabilities
    assert a[0] > 0.9
    assert b[1] > 0.9
    assert len({s.label for s in average.game.infosets[:2]}) == 2


@both
def test_inner_payoffs_count(sampling):
    paid = gt.Decision(0, "x", {"a": gt.Terminal([0, 0]), "b": gt.Terminal([0, 0])}, payoffs=[5, 0])
    tree = gt.Decision(0, "first", {"paid": paid, "unpaid": gt.Terminal([1, 0])})
    play = run(NestedRules(tree), sampling=sampling, iterations=300)
    assert play.policy[0, "first"]["paid"] > 0.95


@both
def test_trees_of_one_node_and_idle_players(sampling):
    single = run(NestedRules(gt.Terminal([1, 2])), sampling=sampling)
    assert single.policy == {}
    laid_out = laid_out_average(single).game
    assert laid_out.num_nodes == 1
    assert run(laid_out, sampling=sampling, iterations=600).policy == {}
    alone = gt.Decision(0, "x", {"a": gt.Terminal([1]), "b": gt.Terminal([2])})
    assert run(NestedRules(alone, ("A",)), sampling=sampling).policy[0, "x"]["b"] > 0.8
    third = gt.Decision(2, "x", {"a": gt.Terminal([1, 1, 1]), "b": gt.Terminal([2, 2, 2])})
    play = run(NestedRules(third, ("A", "B", "C")), sampling=sampling)
    assert play.policy[2, "x"]["b"] > 0.8


@dataclass(frozen=True)
class LongRules:
    """A walk of many single steps and one choice at its end."""

    players: tuple = ("A", "B")
    title: str = "a long walk"
    root: int = 0
    steps: int = 1500

    def expand(self, position):
        if position < self.steps:
            return gt.Decision(position % 2, position, {"on": position + 1})
        if position == self.steps:
            return gt.Decision(0, "end", {"a": position + 1, "b": position + 2})
        return gt.Terminal([position - self.steps, 0])


@both
def test_depth_is_no_limit(sampling):
    play = run(LongRules(), sampling=sampling, iterations=15)
    assert play.policy[0, "end"]["b"] > 0.5


def test_reports_progress_about_a_hundred_times():
    seen = []
    run(KuhnRules(), iterations=250, on_iteration=seen.append)
    assert 50 <= len(seen) <= 101
    assert (seen[-1].done, seen[-1].total, seen[-1].unit) == (250, 250, "iterations")


def test_budget_ends_a_run_that_can_go_on():
    with pytest.raises(gt.NotConverged, match="the budget ended 30 before that") as caught:
        run(KuhnRules(), iterations=50, budget=Budget(iterations=20))
    best = caught.value.best
    assert best.state.iterations == 20
    assert same(run(KuhnRules(), iterations=30, start=best.state), run(KuhnRules()))
    with pytest.raises(gt.NotConverged, match="the budget ended"):
        run(KuhnRules(), iterations=10**9, budget=Budget(seconds=0.1))


@both
@pytest.mark.parametrize("built", [False, True])
@pytest.mark.parametrize("stop", [KeyboardInterrupt, ZeroDivisionError])
def test_an_interrupted_run_leaves_its_state_in_the_exception(sampling, built, stop):
    source = lay_out_rules(KuhnRules()) if built else KuhnRules()

    def interrupt(progress):
        if progress.done > 300:
            raise stop("enough")

    with pytest.raises(stop, match="enough") as caught:
        run(source, sampling=sampling, iterations=900, on_iteration=interrupt)
    state = caught.value.state
    assert 300 < state.iterations < 400
    rest = run(source, sampling=sampling, iterations=900 - state.iterations, start=state)
    assert same(rest, run(source, sampling=sampling, iterations=900))


@both
@pytest.mark.parametrize("calls", [1, 20, 101, 350])
@pytest.mark.parametrize("half_way", ["refresh", "add_to_totals", "visit"])
def test_an_interrupt_within_a_traversal_leaves_the_state_before_it(
    half_way, calls, sampling, monkeypatch
):
    usual, left = getattr(Memories, half_way), [calls]

    def interrupted(self, *arguments):
        found = usual(self, *arguments)
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt("half way")
        return found

    rules = KuhnRules(cards=4)
    with monkeypatch.context() as patch:
        patch.setattr(Memories, half_way, interrupted)
        with pytest.raises(KeyboardInterrupt, match="half way") as caught:
            run(rules, sampling=sampling, iterations=200)
    state = caught.value.state
    assert state.iterations < 200
    assert len(state.infosets) == len(state.actions)
    assert len(state.regrets) == len(state.totals) == state.offset[-1]
    rest = run(rules, sampling=sampling, iterations=200 - state.iterations, start=state)
    whole = run(rules, sampling=sampling, iterations=200)
    assert same(rest, whole)
    assert rest.state.infosets == whole.state.infosets


def test_compiled_sampling_hears_a_signal_at_once():
    tree = lay_out_rules(KuhnRules())
    run(tree, iterations=1000)  # loads and compiles

    def interrupt(_number, _frame):
        raise KeyboardInterrupt("now")

    before = signal.signal(signal.SIGALRM, interrupt)
    started = time.perf_counter()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(KeyboardInterrupt, match="now") as caught:
            run(tree, iterations=10**10)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.perf_counter() - started < 3  # a hundredth of all iterations takes much longer
    state = caught.value.state
    again = run(tree, iterations=100, start=state)
    assert same(again, run(tree, iterations=state.iterations + 100))


@dataclass(frozen=True)
class DoublingRules:
    """One player decides again and again, and remembers all; the other guesses the first move."""

    depth: int
    players: tuple = ("A", "B")
    title: str = "many own moves"
    root: tuple = ()

    def expand(self, position):
        if len(position) == self.depth:
            return gt.Decision(1, "guess", {"0": (*position, 0), "1": (*position, 1)})
        if len(position) > self.depth:
            won = int(position[0] == position[-1]) + sum(position[1:-1])
            return gt.Terminal([won, -won])
        return gt.Decision(0, position, {"0": (*position, 0), "1": (*position, 1)})


def test_budget_ends_within_a_traversal():
    started = time.perf_counter()
    with pytest.raises(
        gt.NotConverged, match=r"Not one was finished: .*=Sampling\.OUTCOME"
    ) as caught:
        run(DoublingRules(40), iterations=1, budget=Budget(seconds=0.2))
    assert time.perf_counter() - started < 3
    state = caught.value.best.state
    assert (state.iterations, state.infosets, len(state.regrets)) == (0, (), 0)
    assert caught.value.best.policy == {}


@pytest.mark.parametrize("first", [0, 3])
@pytest.mark.parametrize("looks", [1, 2, 3, 4])  # two in a traversal, one of them while learning
def test_an_unfinished_traversal_leaves_nothing_half_done(first, looks):
    request = samplers.SamplerRequest(Sampling.EXTERNAL, 0.3, 10**6)
    whole, cut = (samplers.RulesSampler(DoublingRules(7), request, None) for _ in range(2))
    generator, other = seeded(), seeded()
    whole.advance(generator, 5)
    cut.advance(other, first)
    before = cut.state(other)
    answers = iter([False] * (looks - 1) + [True])
    cut.advance(other, 2, lambda: next(answers))
    assert next(answers, None) is None
    assert cut.done == first
    after = cut.state(other)
    assert np.array_equal(after.regrets, before.regrets)
    assert np.array_equal(after.totals, before.totals)
    assert (after.infosets, after.generator) == (before.infosets, before.generator)
    cut.advance(other, 5 - first)
    assert np.array_equal(cut.state(other).regrets, whole.state(generator).regrets)
    assert np.array_equal(cut.state(other).totals, whole.state(generator).totals)


@pytest.mark.parametrize("sampling", Sampling)
def test_memory_is_looked_at_after_each_iteration(sampling):
    options = {"sampling": sampling, "rng": seeded()}
    with pytest.raises(gt.NotConverged, match="needs at most max_infosets = 40, but met") as caught:
        run(KuhnRules(cards=12), max_infosets=40, iterations=100_000, **options)
    needed = caught.value.best.state.iterations
    before = run(KuhnRules(cards=12), iterations=needed - 1, **{**options, "rng": seeded()})
    assert len(before.state.infosets) <= 40 < len(caught.value.best.state.infosets)


def test_refuses_options_that_make_no_sense():
    rules = KuhnRules()
    for match, options in [
        ("either rng, to begin, or start", {"rng": None}),
        ("but got both", {"start": run(rules).state, "rng": seeded()}),
        ("exploration", {"exploration": 0}),
        ("but it is from", {"start": run(KuhnRules(cards=4)).state}),
        ("needs a start with", {"start": run(rules).state, "sampling": Sampling.OUTCOME}),
    ]:
        with pytest.raises(gt.InvalidArgument, match=match):
            run(rules, **options)


def test_refuses_rules_that_contradict_themselves_where_it_comes():
    ends = {"a": gt.Terminal([0, 0]), "b": gt.Terminal([1, 1])}
    more = {**ends, "c": gt.Terminal([0, 0])}
    trees = {
        "needs the same actions at all nodes": gt.Chance(
            {"x": ("1/2", gt.Decision(0, "s", ends)), "y": ("1/2", gt.Decision(0, "s", more))}
        ),
        "sum to": gt.Chance({"x": ("1/2", gt.Terminal([0, 0])), "y": ("1/3", gt.Terminal([0, 0]))}),
        "needs players in 0..1": gt.Decision(2, "s", ends),
        "needs an action at each decision": gt.Decision(0, "s", {}),
        "needs a payoff for each of 2 players": gt.Decision(0, "s", {"a": gt.Terminal([1])}),
        "is not a finite number": gt.Terminal([float("inf"), 0]),
        "that floats can hold": gt.Terminal([10**400, 0]),
        "Decision, Chance or Terminal": "nothing",
    }
    for match, tree in trees.items():
        with pytest.raises(gt.InvalidGame, match=match):
            run(NestedRules(tree))


def test_refuses_positions_that_cannot_be_remembered():
    @dataclass(frozen=True)
    class Unhashable:
        players = ("A",)
        title = ""
        root = ()

        def expand(self, position):
            return gt.Decision(0, "s", {"a": [1]}) if not position else gt.Terminal([0])

    with pytest.raises(gt.InvalidGame, match="needs hashable positions, but the rules have"):
        run(Unhashable())


@both
def test_refuses_payoffs_that_overflow(sampling):
    large = gt.Decision(0, "s", {"a": gt.Terminal([1e308, 0]), "b": gt.Terminal([-1e308, 0])})
    with pytest.raises(gt.UnsupportedGame, match="Rescale the payoffs"):
        run(NestedRules(large), sampling=sampling)
    with pytest.raises(gt.UnsupportedGame, match="Rescale the payoffs"):
        run(gt.from_sketch(large, players=("A", "B")), sampling=sampling, iterations=600)
