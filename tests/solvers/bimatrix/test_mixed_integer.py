"""The best equilibrium: as good as the best of all of them, and proved to be."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import CertificateRejected, InvalidArgument, NormalFormGame, NotConverged
from gametheory_core.catalog import coordination, degenerate, indifference
from gametheory_core.certificates import EquilibriumObjective, Label
from gametheory_core.certificates.optimal_equilibrium import scaled_scores, score_of
from gametheory_core.errors import InfeasibleProgram
from gametheory_core.strategies import supports
from gametheory_core.testing import PayoffKind, normal_form_games
from solvers import Budget, lemke_howson, mixed_integer, vertex_enumeration
from solvers.bimatrix import equilibrium_program as module
from solvers.bimatrix import equilibrium_search
from solvers.bimatrix.equilibrium_cases import sides_of
from solvers.bimatrix.equilibrium_program import propose
from solvers.bimatrix.equilibrium_relaxation import float_tables
from tests.solvers.useless_floats import USELESS, float_solves

BY = EquilibriumObjective
PAYOFF_OBJECTIVES = [BY.LARGEST_WELFARE, BY.LEAST_WELFARE, BY.LARGEST_PAYOFF, BY.LEAST_PAYOFF]
BATTLE = NormalFormGame.bimatrix([[3, 0], [0, 2]], [[2, 0], [0, 3]])


def bimatrix_games(max_actions=5):
    return normal_form_games(num_players=(2, 2), max_actions=max_actions, kinds=tuple(PayoffKind))


def best_extreme_score(game, objective, player):
    return max(
        score_of(game, solution.profile, objective=objective, player=player)
        for solution in vertex_enumeration(game).equilibria
    )


def maximal_nash_subsets(game):
    """Sets of extreme strategies all pairs of which are equilibria, by brute force."""
    pairs = {
        tuple(tuple(vector.tolist()) for vector in solution.profile.strategies)
        for solution in vertex_enumeration(game).equilibria
    }
    rows = {row for row, _ in pairs}
    for start in rows:
        partners = {column for row, column in pairs if row == start}
        for column_set in subsets(partners):
            together = {r for r in rows if all((r, c) in pairs for c in column_set)}
            yield together, column_set


def subsets(items):
    items = list(items)
    for bits in range(1, 1 << len(items)):
        yield [item for k, item in enumerate(items) if bits >> k & 1]


def widest_support(game):
    """Equilibria of one maximal Nash subset can be mixed: supports unite."""
    return max(
        sum(len({a for strategy in side for a, p in enumerate(strategy) if p}) for side in sides)
        for sides in maximal_nash_subsets(game)
    )


@given(bimatrix_games(), st.sampled_from(PAYOFF_OBJECTIVES), st.integers(0, 1))
def test_payoffs_are_those_of_the_best_extreme_equilibrium(game, objective, player):
    own = player if "payoff" in objective.value else None
    solution = mixed_integer(game, objective=objective, player=own)
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0
    assert solution.certificate.score == best_extreme_score(game, objective, player)


@given(bimatrix_games(max_actions=4))
def test_smallest_support_is_that_of_an_extreme_equilibrium(game):
    solution = mixed_integer(game, objective=BY.SMALLEST_SUPPORT)
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0
    assert solution.certificate.score == best_extreme_score(game, BY.SMALLEST_SUPPORT, 0)
    assert sum(map(len, supports(solution.profile))) == solution.certificate.value


@given(bimatrix_games(max_actions=4))
def test_largest_support_unites_equilibria_that_can_be_mixed(game):
    solution = mixed_integer(game, objective=BY.LARGEST_SUPPORT)
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0
    assert solution.certificate.value == widest_support(game)
    assert sum(map(len, supports(solution.profile))) == solution.certificate.value


@st.composite
def games_with_actions_ruled_out(draw):
    game = draw(bimatrix_games())
    labels = [Label(i, a) for i, count in enumerate(game.num_actions) for a in range(count)]
    return game, tuple(draw(st.lists(st.sampled_from(labels), max_size=3, unique=True)))


@given(games_with_actions_ruled_out(), st.sampled_from(PAYOFF_OBJECTIVES))
def test_actions_can_be_ruled_out(drawn, objective):
    """Equilibria that leave an action unplayed are mixtures of extreme ones that do."""
    game, unplayed = drawn
    allowed = [
        score_of(game, solution.profile, objective=objective, player=0)
        for solution in vertex_enumeration(game).equilibria
        if not any(label.action in supports(solution.profile)[label.player] for label in unplayed)
    ]
    if allowed:
        solution = mixed_integer(game, objective=objective, unplayed=unplayed)
        solution.certificate.verify()
        assert solution.certificate.epsilon == 0
        assert solution.certificate.score == max(allowed)
        return
    with pytest.raises(
        InfeasibleProgram, match="needs an equilibrium without .* there is none"
    ) as e:
        mixed_integer(game, objective=objective, unplayed=unplayed)
    e.value.witness.verify()


@pytest.mark.parametrize("objective", [BY.SMALLEST_SUPPORT, BY.LARGEST_SUPPORT])
def test_counts_respect_actions_ruled_out(objective):
    game = coordination(size=4)
    solution = mixed_integer(game, objective=objective, unplayed=(Label(0, 0), Label(1, 3)))
    solution.certificate.verify()
    assert solution.certificate.value == (2 if objective is BY.SMALLEST_SUPPORT else 4)


def test_actions_are_ruled_out_by_a_list_too():
    found = mixed_integer(BATTLE, unplayed=[Label(0, 0)])
    found.certificate.verify()
    assert found.payoffs == (2, 3)


def test_what_no_equilibrium_plays_is_not_played_instead():
    """Row 3 is dominated by row 1, so that without row 1 there is row 2 alone: no equilibrium."""
    game = NormalFormGame.bimatrix([[2, 2], [1, 1], [0, 1]], [[1, 0], [1, 0], [1, 0]])
    with pytest.raises(InfeasibleProgram, match="there is none") as caught:
        mixed_integer(game, unplayed=(Label(0, 0),))
    witness = caught.value.witness
    witness.verify()
    assert {each.action for each in witness.eliminations if each.player == 0} == {1, 2}
    with pytest.raises(CertificateRejected, match="nothing shows that there is no equilibrium"):
        replace(witness, eliminations=()).verify()


def test_budget_may_end_before_it_is_known_whether_one_avoids_an_action():
    game = NormalFormGame.bimatrix([[5, 0], [0, 1]], [[5, 0], [0, 1]])
    first = supports(lemke_howson(game).profile)
    ruled_out = (Label(0, first[0][0]),)
    assert mixed_integer(game, unplayed=ruled_out).certificate.epsilon == 0
    with pytest.raises(NotConverged, match="needs an equilibrium to start with"):
        mixed_integer(game, unplayed=ruled_out, budget=Budget(iterations=0))


@pytest.mark.parametrize("size", [6, pytest.param(9, marks=pytest.mark.slow)])
@pytest.mark.parametrize("objective", PAYOFF_OBJECTIVES)
def test_highs_branch_and_bound_finds_the_same_value(size, objective):
    """The mixed-integer program of 2005 itself, as an independent check."""
    payoffs = np.random.default_rng(size).random((2, size, size))
    game = NormalFormGame.from_payoffs(payoffs)
    scores = scaled_scores(game, objective=objective, player=1)
    tables = float_tables(game, scores, Fraction(0))
    sign = 1 if objective in {BY.LARGEST_WELFARE, BY.LARGEST_PAYOFF} else -1
    welfare = objective in {BY.LARGEST_WELFARE, BY.LEAST_WELFARE}
    weights = tuple(
        sign * float(unit) * (welfare or player == 1) for player, unit in enumerate(tables.units)
    )
    proposal = propose(tables.payoffs, payoff_weights=weights)
    least = [float(payoffs[player].min()) for player in range(2)]
    shift = sign * sum(least) if welfare else sign * least[1]
    solution = mixed_integer(game, objective=objective, player=None if welfare else 1)
    assert proposal.value + shift == pytest.approx(float(solution.certificate.score), abs=1e-6)


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
@pytest.mark.parametrize("objective", list(BY))
def test_scale_of_payoffs_does_not_matter(scale, objective):
    payoffs = np.random.default_rng(8).random((2, 6, 6))
    unit = mixed_integer(NormalFormGame.from_payoffs(payoffs), objective=objective)
    scaled = mixed_integer(NormalFormGame.from_payoffs(payoffs * scale), objective=objective)
    assert scaled.certificate.epsilon == 0
    for own, other in zip(unit.profile.strategies, scaled.profile.strategies, strict=True):
        assert own.astype(float) == pytest.approx(other.astype(float), abs=1e-9)


def test_equilibria_that_differ_by_less_than_rounding_are_told_apart():
    """Three equilibria on the diagonal; the middle one is better by one part in 2**60."""
    unit = 2**60
    rows = [[unit, 0, 0], [0, unit + 1, 0], [0, 0, unit]]
    game = NormalFormGame.bimatrix(rows, rows)
    assert supports(mixed_integer(game).profile) == ((1,), (1,))
    assert mixed_integer(game).certificate.value == 2 * unit + 2


def test_value_may_be_a_large_mixed_equilibrium():
    game = coordination(size=5)
    solution = mixed_integer(game, objective=BY.LEAST_WELFARE)
    assert solution.certificate.value * 5 == 2
    assert solution.run.iterations > 0


@pytest.mark.parametrize(
    ("game", "smallest", "largest"),
    [(indifference(size=4), 2, 8), (coordination(size=4), 2, 8), (degenerate(), 2, 6)],
    ids=["indifference", "coordination", "degenerate"],
)
def test_supports_of_known_games(game, smallest, largest):
    assert mixed_integer(game, objective=BY.SMALLEST_SUPPORT).certificate.value == smallest
    assert mixed_integer(game, objective=BY.LARGEST_SUPPORT).certificate.value == largest


@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (4, 1)])
@pytest.mark.parametrize("objective", list(BY))
def test_players_with_one_action(shape, objective):
    game = NormalFormGame.from_payoffs(np.random.default_rng(1).integers(-3, 4, (2, *shape)))
    solution = mixed_integer(game, objective=objective)
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0


@pytest.mark.parametrize(
    ("objective", "programs"), [*((objective, 0) for objective in BY), (BY.LARGEST_WELFARE, 3)]
)
def test_budget_leaves_an_equilibrium_and_a_proved_gap(objective, programs):
    payoffs = np.random.default_rng(1).integers(-100, 101, (2, 8, 8))
    game = NormalFormGame.from_payoffs(payoffs)
    proved = mixed_integer(game, objective=objective).certificate
    with pytest.raises(NotConverged, match="mixed_integer: needs the best equilibrium, but") as e:
        mixed_integer(game, objective=objective, budget=Budget(iterations=programs))
    certificate = e.value.best.certificate
    certificate.verify()
    assert certificate.score <= proved.score <= certificate.upper_bound
    assert certificate.epsilon > 0


def test_a_larger_budget_never_leaves_a_larger_gap():
    game = NormalFormGame.from_payoffs(np.random.default_rng(0).random((2, 12, 12)))
    gaps = []
    for programs in (0, 1, 2, 5, 12):
        with pytest.raises(NotConverged, match="that another may surpass by") as e:
            mixed_integer(game, objective=BY.LEAST_WELFARE, budget=Budget(iterations=programs))
        gaps.append(e.value.best.certificate.epsilon)
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[-1] < gaps[0]


def test_budget_may_end_before_the_first_equilibrium(monkeypatch):
    def too_late(game, *, budget):
        assert budget.seconds is not None
        raise NotConverged("late")

    monkeypatch.setattr(module, "lemke_howson", too_late)
    with pytest.raises(NotConverged, match="needs an equilibrium to start with") as e:
        mixed_integer(BATTLE, budget=Budget(seconds=0))
    assert e.value.best is None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"objective": "welfare"}, "a member of EquilibriumObjective"),
        ({"player": 2}, "player to be an integer from 0 to 1"),
        ({"unplayed": (Label(1, 2),)}, "unplayed actions of"),
    ],
)
def test_bad_options_are_refused(options, words):
    with pytest.raises(InvalidArgument, match=f"mixed_integer: .*{words}"):
        mixed_integer(BATTLE, **options)


@USELESS
@pytest.mark.parametrize("objective", EquilibriumObjective)
def test_the_best_equilibrium_does_not_rest_on_floats(objective, useless):
    for seed in range(3):
        rng = np.random.default_rng(seed)
        game = NormalFormGame.from_payoffs(rng.integers(0, 5, (2, 4, 4)))
        expected = mixed_integer(game, objective=objective).certificate.score
        with float_solves(useless):
            certificate = mixed_integer(game, objective=objective).certificate
        certificate.verify()
        assert (certificate.score, certificate.epsilon) == (expected, 0)


@pytest.mark.parametrize(
    ("objective", "programs"),
    [
        (BY.LARGEST_WELFARE, 9),
        (BY.LEAST_WELFARE, 31),
        (BY.LEAST_PAYOFF, 39),
        (BY.SMALLEST_SUPPORT, 34),
        (BY.LARGEST_SUPPORT, 80),
    ],
)
def test_few_programs_suffice(objective, programs):
    """The numbers are those of a family of drawn games, and a tenth."""
    found = [
        mixed_integer(
            NormalFormGame.from_payoffs(np.random.default_rng(seed).integers(-50, 51, (2, 6, 6))),
            objective=objective,
        )
        for seed in range(8)
    ]
    assert sum(solution.run.iterations for solution in found) <= programs * 11 // 10


@given(st.lists(st.lists(st.integers(0, 5), min_size=3, max_size=3), min_size=1, max_size=4))
def test_marginals_are_distributions_unless_nothing_is_played(rows):
    joint = np.array(rows, dtype=float)
    for k, own in enumerate(sides_of(joint)):
        assert own.sum() == pytest.approx(float(joint.any()))
        assert own * (joint.sum() or 1) == pytest.approx(joint.sum(axis=1 - k))


def test_time_ends_among_exact_pivots(monkeypatch):
    """Programs with long numbers may take many; the bound of the floats is what is left then."""

    def endless(_program, _basis, *, tick):
        while True:
            tick()

    monkeypatch.setattr(equilibrium_search, "solve_exactly", endless)
    with pytest.raises(NotConverged, match="that another may surpass by") as caught:
        mixed_integer(BATTLE, objective=BY.LEAST_WELFARE, budget=Budget(seconds=0.2))
    caught.value.best.certificate.verify()
