"""The best deterministic leader: equal to enumeration on random games, and to known values."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, NormalFormGame, NotConverged, UnsupportedGame
from gametheory_core.catalog import RepeatedGame, iterated
from gametheory_core.conversions import posg_from_tables
from gametheory_core.games import stop_posg
from gametheory_core.leaders import (
    FollowerClass,
    FollowerTies,
    follower_response,
    leader_games,
    leader_policies,
    leader_view,
    num_leader_policies,
    num_stationary_followers,
    response_returns,
)
from solvers import Budget
from solvers.leaders import layers as leader_sizes
from solvers.leaders import leader_search as leader_responses
from solvers.leaders import markov_stackelberg, markov_stackelberg_optima

CLASSES = list(FollowerClass)
TIES = list(FollowerTies)
CONVENTIONS = list(product(CLASSES, TIES))
TIMED, STATIONARY = CLASSES
STRONG, WEAK = TIES

COORDINATION = ["stag_hunt", "assurance", "coordination", "mixedharmony", "harmony", "noconflict"]
SIX = "10011 10101 10111 11011 11101 11111"
HERO = "10011 10110 10111 11011 11110 11111"
FOUR = "10011 10111 11011 11111"
START_TOGETHER = " ".join("00" + "".join(rest) for rest in product("01", repeat=3))


def enumerated(view, follower_class, ties):
    """Return the leader's value and all optimal leaders, by trying all."""
    leaders = [policy.actions for policy in leader_policies(view)]
    found = response_returns(view, leaders, follower_class=follower_class, ties=ties)
    earned = found.numerators[:, 0].tolist()
    best = max(earned)
    optimal = {own for own, paid in zip(leaders, earned, strict=True) if paid == best}
    return Fraction(best, found.denominator), optimal


def few_enough(view):
    return num_leader_policies(view) * num_stationary_followers(view) <= 10_000


def random_view(seed, *, states, observations, actions, horizon):
    """Draw a game of many leader observations, with certain transitions and small integers."""
    rng = np.random.default_rng(seed)
    seen = [*range(observations), *rng.integers(observations, size=states - observations)]
    pairs = list(product(range(states), product(range(actions), repeat=2)))
    after = {pair: int(rng.integers(states)) for pair in pairs}
    paid = {pair: tuple(rng.integers(-5, 6, 2).tolist()) for pair in pairs}
    shown = {s: {(int(o), 0): 1} for s, o in enumerate(seen)}
    game = posg_from_tables(
        players=("leader", "follower"),
        actions=[range(actions)] * 2,
        initial=dict.fromkeys(range(states), Fraction(1, states)),
        initial_observations=shown,
        transitions={pair: {s: 1} for pair, s in after.items()},
        rewards={(*pair, after[pair]): paid[pair] for pair in pairs},
        observations={(joint, after[s, joint]): shown[after[s, joint]] for s, joint in pairs},
        horizon=horizon,
    )
    return leader_view(game)


@given(
    leader_games(max_states=5, max_observations=4).filter(few_enough), st.sampled_from(CONVENTIONS)
)
def test_finds_what_enumeration_finds(view, convention):
    """One optimal leader, with a best response, and the list of all."""
    options = dict(zip(("follower_class", "ties"), convention, strict=True))
    solution = markov_stackelberg(view, leader=view.leader, **options)
    certificate = solution.certificate
    certificate.verify()
    value, optimal = enumerated(view, *convention)
    assert solution.profile.leader_policy.actions in optimal
    response = follower_response(view, solution.profile.leader_policy, **options)
    assert (certificate.leader_value, certificate.follower_value) == response.returns
    assert solution.payoffs[view.leader] == certificate.leader_value == value
    found = markov_stackelberg_optima(view, leader=view.leader, **options)
    found.certificate.verify()
    assert found.leader_value == value
    assert {policy.actions for policy in found.policies()} == optimal
    assert found.num_optimal == len(found.policies()) == len(optimal)


@given(leader_games(max_states=5, max_observations=3).filter(few_enough), st.sampled_from(TIES))
def test_needs_few_witnesses(view, ties):
    """Policies of the follower that are learned on the way are enough; ties included."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(leader_responses, "MOST_WITNESSES", 1)
        found = markov_stackelberg_optima(
            view, leader=view.leader, follower_class=STATIONARY, ties=ties
        )
    found.certificate.verify()
    value, optimal = enumerated(view, STATIONARY, ties)
    assert (found.leader_value, found.num_optimal) == (value, len(optimal))


def optimal_strings(name, convention):
    if name in COORDINATION:
        return START_TOGETHER
    if name in ("deadlock", "prisoners_delight"):
        return SIX
    if name == "chicken" or (name == "hero" and convention[1] is WEAK):
        return FOUR
    return "10101" if name == "prisoners_dilemma" else HERO


RETURNS = {"deadlock": (-10, -10), "prisoners_delight": (-10, -10), "chicken": (0, -20)}


def expected_returns(name, follower_class):
    if name == "prisoners_dilemma":
        return (-11, -11) if follower_class is TIMED else (-9, -12)
    return RETURNS.get(name, (0, 0) if name in COORDINATION else (0, -10))


@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda c: f"{c[0].value}-{c[1].value}")
@pytest.mark.parametrize("name", [*COORDINATION, *RETURNS, "prisoners_dilemma", "hero", "battle"])
def test_solves_iterated_games(name, convention):
    """Values, and all optimal policies; computed by enumeration, independently of this library."""
    follower_class, ties = convention
    game = getattr(iterated, f"iterated_{name}")()
    solution = markov_stackelberg(game, follower_class=follower_class, ties=ties)
    assert solution.payoffs == expected_returns(name, follower_class)
    found = markov_stackelberg_optima(game, follower_class=follower_class, ties=ties)
    written = {"".join(map(str, policy.actions)) for policy in found.policies()}
    assert written == set(optimal_strings(name, convention).split())


@pytest.mark.parametrize(
    ("convention", "values"),
    [
        ((TIMED, STRONG), [-2, -3, -4, -5, -6, -7, -8, -9, -10, -11]),
        ((TIMED, WEAK), [-2, -3, -4, -5, -6, -7, -8, -9, -10, -11]),
        ((STATIONARY, STRONG), [-2, -3, -3, -3, -4, -5, -6, -7, -8, -9]),
        ((STATIONARY, WEAK), [-2, -3, -4, -4, -4, -6, -6, -7, -8, -9]),
    ],
    ids=lambda x: f"{x[0].value}-{x[1].value}" if isinstance(x, tuple) else "",
)
def test_solves_prisoners_dilemma_at_every_horizon(convention, values):
    follower_class, ties = convention
    games = [iterated.iterated_prisoners_dilemma(rounds=h) for h in range(1, 11)]
    found = [markov_stackelberg(g, follower_class=follower_class, ties=ties) for g in games]
    assert [solution.payoffs[0] for solution in found] == values


@pytest.mark.parametrize("ties", TIES, ids=lambda t: t.value)
def test_solves_memory_of_two_rounds(ties):
    """-7 and -8: the best of all 2,097,152 policies, once enumerated by a program of its own."""
    game = replace(iterated.iterated_prisoners_dilemma(), recall=2)
    solution = markov_stackelberg(game, ties=ties)
    solution.certificate.verify()
    assert num_leader_policies(leader_view(game)) == 2**21
    assert solution.payoffs[0] == (-7 if ties is STRONG else -8)
    assert len(solution.certificate.nodes) < 5_000


@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda c: f"{c[0].value}-{c[1].value}")
def test_solves_games_of_many_policies(convention):
    follower_class, ties = convention
    view = random_view(5, states=14, observations=13, actions=2, horizon=4)
    assert num_leader_policies(view) == 2**13
    solution = markov_stackelberg(view, follower_class=follower_class, ties=ties)
    value, _ = enumerated(view, follower_class, ties)
    assert solution.payoffs[0] == value
    assert len(solution.certificate.nodes) < 1_000


def test_solves_games_of_three_actions():
    view = random_view(1, states=9, observations=8, actions=3, horizon=4)
    value, _ = enumerated(view, TIMED, STRONG)
    assert markov_stackelberg(view).payoffs[0] == value


def test_keeps_numbers_exact_that_floats_cannot_tell_apart():
    """Two policies differ by 10^-30, one way or the other."""
    tiny = Fraction(1, 10**30)
    for better in (0, 1):
        rewards = {("s", (a, 0), "s"): (1 + tiny * (a == better), 0) for a in (0, 1)}
        game = posg_from_tables(
            players=("leader", "follower"),
            actions=[(0, 1), (0,)],
            initial={"s": 1},
            transitions={("s", (a, 0)): {"s": 1} for a in (0, 1)},
            rewards=rewards,
            horizon=3,
        )
        for follower_class in CLASSES:
            found = markov_stackelberg(game, follower_class=follower_class)
            assert found.profile.leader_policy.actions == (better,)
            assert found.payoffs[0] == 3 + 3 * tiny


@pytest.mark.parametrize(
    ("own", "other"), [(400, 400), (-400, -400), (305, -320), (-400, 400), (0, 400), (400, 0)]
)
@pytest.mark.parametrize("follower_class", CLASSES, ids=lambda c: c.value)
def test_payoffs_of_any_size_are_only_units(own, other, follower_class):
    """Floats end near 10^308 and 10^-324; commitments do not depend on either player's unit."""
    units = Fraction(10) ** own, Fraction(10) ** other
    dilemma = {("c", "c"): (3, 3), ("c", "d"): (0, 5), ("d", "c"): (5, 0), ("d", "d"): (1, 1)}
    tables = [[[u * dilemma[a, b][i] for b in "cd"] for a in "cd"] for i, u in enumerate(units)]
    game = RepeatedGame(NormalFormGame.bimatrix(*tables, actions=["cd", "cd"]), rounds=3)
    usual = RepeatedGame.of("prisoners_dilemma", rounds=3)
    expected, found = (markov_stackelberg(g, follower_class=follower_class) for g in (usual, game))
    assert found.payoffs == tuple(x * u for x, u in zip(expected.payoffs, units, strict=True))
    expected, found = (
        markov_stackelberg_optima(g, follower_class=follower_class) for g in (usual, game)
    )
    assert found.patterns == expected.patterns


def test_keeps_near_ties_of_the_follower_exact():
    """She prefers one answer by 10^-30, to the leader's loss; floats see a tie."""
    tiny = Fraction(1, 10**30)
    game = posg_from_tables(
        players=("leader", "follower"),
        actions=[(0, 1), (0, 1)],
        initial={"s": 1},
        transitions={("s", pair): {"s": 1} for pair in product((0, 1), repeat=2)},
        rewards={
            ("s", (0, 0), "s"): (5, 1),
            ("s", (0, 1), "s"): (0, 1 + tiny),
            ("s", (1, 0), "s"): (2, 0),
            ("s", (1, 1), "s"): (2, 0),
        },
        horizon=1,
    )
    for follower_class, ties in CONVENTIONS:
        found = markov_stackelberg(game, follower_class=follower_class, ties=ties)
        assert found.payoffs[0] == 2
        found.certificate.verify()


def test_ends_of_play_do_not_borrow_an_action_of_the_follower():
    """The only action of the leader, though the follower has more, and her last view is forced."""
    answers = ("a", "b")
    after = {"s0": dict.fromkeys(answers, "s1"), "s1": dict.fromkeys(answers, "s2")}
    step = {(s, x): t for s, own in after.items() for x, t in own.items()} | {("s2", "b"): "end"}
    good = {("s0", "a"), ("s1", "b")}
    game = posg_from_tables(
        players=("leader", "follower"),
        actions=[("only",), answers],
        initial={"s0": 1},
        transitions={(s, ("only", x)): {t: 1} for (s, x), t in step.items()},
        rewards={(s, ("only", x), t): (0, int((s, x) in good)) for (s, x), t in step.items()},
        initial_observations={"s0": {("o", "v"): 1}},
        observations={
            (("only", x), t): {("o", "v" if t == "s1" else "z"): 1}
            for (_, x), t in step.items()
            if t != "end"
        },
        legal_actions={(0, "o"): ("only",), (1, "v"): answers, (1, "z"): ("b",)},
        terminal=["end"],
    )
    view = leader_view(game, horizon=3)
    found = markov_stackelberg(view, follower_class=STATIONARY)
    assert found.payoffs == (0, 1)
    assert markov_stackelberg_optima(view, follower_class=STATIONARY).num_optimal == 1


@pytest.mark.parametrize("follower_class", CLASSES, ids=lambda c: c.value)
def test_states_the_gap_when_the_budget_ends(follower_class):
    game = iterated.iterated_prisoners_dilemma()
    with pytest.raises(NotConverged, match="the budget ended after 0 splits") as caught:
        markov_stackelberg(game, follower_class=follower_class, budget=Budget(iterations=0))
    best = caught.value.best
    best.certificate.verify()
    value = -11 if follower_class is TIMED else -9
    assert best.payoffs[0] <= value <= best.certificate.upper_bound
    assert best.certificate.epsilon > 0


def test_optima_keep_one_solution_when_the_budget_ends():
    game = iterated.iterated_stag_hunt()
    with pytest.raises(NotConverged, match="needs all optimal leaders") as caught:
        markov_stackelberg_optima(game, budget=Budget(iterations=0))
    caught.value.best.certificate.verify()
    assert caught.value.best.payoffs[0] == 0


def test_reports_each_split():
    seen = []
    game = iterated.iterated_prisoners_dilemma()
    solution = markov_stackelberg(game, on_iteration=seen.append)
    assert [progress.done for progress in seen] == list(range(1, solution.run.iterations + 1))
    assert seen[0].unit == "splits"


def test_refuses_what_is_too_large_and_says_what_bounds_it():
    game = stop_posg(RepeatedGame.of("prisoners_dilemma", rounds=None), steps=2_000_000)
    with pytest.raises(
        UnsupportedGame, match=r"cells of state.*No leader gets more than 1[.]00e[+]7"
    ):
        markov_stackelberg(game)


def test_refuses_too_many_stationary_followers(monkeypatch):
    monkeypatch.setattr(leader_sizes, "MOST_FOLLOWERS", 31)
    with pytest.raises(UnsupportedGame, match="has 32 in .*No leader gets more than 50"):
        markov_stackelberg(
            RepeatedGame.of("prisoners_dilemma", rounds=10), follower_class=STATIONARY
        )


def test_refuses_games_without_a_leader_view():
    with pytest.raises(UnsupportedGame, match="needs a game with a horizon"):
        markov_stackelberg(RepeatedGame.of("prisoners_dilemma", rounds=None))
    with pytest.raises(UnsupportedGame, match="needs two players"):
        markov_stackelberg(
            posg_from_tables(
                players=("a", "b", "c"),
                actions=[(0,)] * 3,
                initial={"s": 1},
                transitions={("s", (0, 0, 0)): {"s": 1}},
                horizon=2,
            )
        )


def test_refuses_options_of_another_type():
    game = iterated.iterated_chicken(rounds=1)
    with pytest.raises(InvalidArgument, match="follower_class"):
        markov_stackelberg(game, follower_class="stationary")
    with pytest.raises(InvalidArgument, match="ties"):
        markov_stackelberg(game, ties="weak")
