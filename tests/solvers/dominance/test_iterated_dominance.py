"""Iterated dominance: every step proved, what is left undominated, however payoffs look."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, NormalFormGame, NotConverged, certify_nash
from gametheory_core.catalog import load, random_game
from gametheory_core.certificates import Dominance, DominatedBy
from gametheory_core.testing import PayoffKind, normal_form_games
from solvers import Budget, iterated_dominance, lemke_howson
from solvers.dominance import Pace, is_strictly_dominated, is_weakly_dominated
from solvers.dominance import programs as dominance_programs
from tests.solvers.dominance.reply_regions import (
    matrix_of,
    reduced_by_hand,
    undominated,
    undominated_by_pure,
)

KINDS = [(dominance, by) for dominance in Dominance for by in DominatedBy]
VERDICTS = {Dominance.STRICT: is_strictly_dominated, Dominance.WEAK: is_weakly_dominated}
ORACLES = {DominatedBy.PURE: undominated_by_pure, DominatedBy.MIXED: undominated}
GAMES = normal_form_games(max_actions=4, kinds=tuple(PayoffKind))


def reduced(game, dominance, by, **options):
    """Reduce a game, and check what must always hold."""
    reduction = iterated_dominance(game, dominance=dominance, dominated_by=by, **options)
    certificate = reduction.certificate
    certificate.verify()
    assert certificate.is_complete
    assert (certificate.dominance, certificate.dominated_by) == (dominance, by)
    gone = {(e.player, e.action) for e in reduction.eliminations}
    assert reduction.survivors == tuple(
        tuple(a for a in range(count) if (i, a) not in gone)
        for i, count in enumerate(game.num_actions)
    )
    assert reduction.reduced.num_actions == tuple(map(len, reduction.survivors))
    assert all(len(e.dominators) == 1 or by is DominatedBy.MIXED for e in reduction.eliminations)
    return reduction


@pytest.mark.parametrize(("dominance", "by"), KINDS)
@given(game=GAMES)
def test_all_at_once_leaves_what_polytopes_and_pairs_say(game, dominance, by):
    weakly = dominance is Dominance.WEAK
    expected = reduced_by_hand(game, weakly=weakly, stay=ORACLES[by])
    assert reduced(game, dominance, by).survivors == expected


@pytest.mark.parametrize(("dominance", "by"), KINDS)
@given(game=GAMES, data=st.data())
def test_verdicts_on_single_actions_are_those_of_polytopes_and_pairs(game, data, dominance, by):
    player = data.draw(st.integers(0, game.num_players - 1))
    action = data.draw(st.integers(0, game.num_actions[player] - 1))
    left = tuple(tuple(range(count)) for count in game.num_actions)
    matrix = matrix_of(game, left, player)
    stay = ORACLES[by](matrix, weakly=dominance is Dominance.WEAK)
    verdict = VERDICTS[dominance](game, player=player, action=action, dominated_by=by)
    verdict.certificate.verify()
    assert verdict.is_dominated == bool(verdict) == (action not in stay)
    assert len(verdict.certificate.eliminations) == int(bool(verdict))
    assert len(verdict.certificate.survivals) == int(not verdict)


@pytest.mark.parametrize("pace", list(Pace))
@pytest.mark.parametrize("dominance", list(Dominance))
@given(game=GAMES, data=st.data())
def test_nothing_is_left_to_eliminate_at_any_pace(game, data, dominance, pace):
    order = data.draw(st.permutations(range(game.num_players)))
    options = {} if pace is Pace.ALL_AT_ONCE else {"order": order}
    reduction = reduced(game, dominance, DominatedBy.MIXED, pace=pace, **options)
    for i, count in enumerate(reduction.reduced.num_actions):
        matrix = matrix_of(game, reduction.survivors, i)
        assert undominated(matrix, weakly=dominance is Dominance.WEAK) == list(range(count))
    rounds = [e.round_number for e in reduction.eliminations]
    if pace is Pace.ONE_BY_ONE:
        assert rounds == list(range(1, len(rounds) + 1))
    if pace is Pace.PLAYER_BY_PLAYER:
        movers = {e.round_number: e.player for e in reduction.eliminations}
        assert all(movers[e.round_number] == e.player for e in reduction.eliminations)


@pytest.mark.parametrize(
    ("third", "strictly", "weakly"),
    [
        ((2, 2, 0), False, False),  # half of each: as good everywhere, and belief 1/2, 1/2, 0 ties
        ((2, 2, -1), False, True),
        ((1, 1, -1), True, True),
        ((3, 1, 0), False, False),
        ((3, 1, -1), False, True),
        ((3, Fraction(9, 10), -1), True, True),
        ((4, 0, -1), False, True),  # below the first alone
        ((4, 0, 0), False, False),  # equal to the first
    ],
)
def test_ties_with_a_mixture_are_decided_exactly(third, strictly, weakly):
    game = NormalFormGame.bimatrix([[4, 0, 0], [0, 4, 0], third], np.zeros((3, 3), dtype=int))
    for judge, expected in ((is_strictly_dominated, strictly), (is_weakly_dominated, weakly)):
        verdict = judge(game, player=0, action=2)
        verdict.certificate.verify()
        assert verdict.is_dominated is expected


def test_belief_that_excludes_nothing_may_be_uneven():
    """Third is a third of first and two thirds of second; only belief 1/3, 2/3 makes it best."""
    game = NormalFormGame.bimatrix([[6, 0], [0, 3], [2, 2]], np.zeros((3, 2), dtype=int))
    verdict = is_weakly_dominated(game, player=0, action=2)
    verdict.certificate.verify()
    (survival,) = verdict.certificate.survivals
    assert survival.joint_actions == ((0,), (1,))
    assert survival.probabilities == (Fraction(1, 3), Fraction(2, 3))


def test_games_without_ties_need_no_exact_program(monkeypatch):
    """Rounded float solutions prove everything, also where columns are of different scales."""

    def unneeded(question):
        raise AssertionError(question)

    monkeypatch.setattr(dominance_programs, "_solved", unneeded)
    rng = np.random.default_rng(6)
    for size in (5, 20, 60):
        payoffs = rng.standard_normal((2, size, size)) * 10 ** rng.uniform(-9, 9, (2, 1, size))
        payoffs[1] = payoffs[1].T
        for dominance in Dominance:
            reduced(NormalFormGame.from_payoffs(payoffs), dominance, DominatedBy.MIXED)


def mixed_below(rng, size, *, gap):
    """A game in which most rows are mixtures of the first ones, less a gap; integers."""
    rows = rng.integers(-50, 51, (size, size)) * 6
    for k in range(4, size):
        a, b, c = rng.choice(4, 3, replace=False)
        rows[k] = rows[a] // 6 + rows[b] // 3 * 1 + rows[c] // 2
        rows[k, rng.integers(size)] -= gap
        if gap > 1:
            rows[k] -= gap
    return rows


@pytest.mark.parametrize(("gap", "dominance"), [(2, Dominance.STRICT), (1, Dominance.WEAK)])
def test_rows_below_mixtures_go_and_only_these(gap, dominance):
    rng = np.random.default_rng(8)
    rows = mixed_below(rng, 30, gap=gap)
    game = NormalFormGame.bimatrix(rows, np.zeros((30, 30), dtype=int))
    reduction = reduced(game, dominance, DominatedBy.MIXED)
    assert reduction.survivors == ((0, 1, 2, 3), tuple(range(30)))
    assert max(len(e.dominators) for e in reduction.eliminations) >= 3
    if dominance is Dominance.WEAK:
        assert reduced(game, Dominance.STRICT, DominatedBy.MIXED).eliminations == ()


@pytest.mark.parametrize("scale", [Fraction(1, 10**9), Fraction(10**9), Fraction(1, 3), 10**300])
def test_scale_of_payoffs_does_not_matter(scale):
    rng = np.random.default_rng(9)
    rows = mixed_below(rng, 12, gap=1).astype(object)
    game = NormalFormGame.bimatrix(
        (rows * scale).tolist(), (rng.integers(0, 9, (12, 12)).astype(object) * scale).tolist()
    )
    plain = NormalFormGame.from_payoffs([(table / scale).tolist() for table in game.exact_payoffs])
    for dominance, by in KINDS:
        assert reduced(game, dominance, by).survivors == reduced(plain, dominance, by).survivors


def test_columns_of_very_different_scales():
    """Each column is scaled alone: a mixture by a hair in small numbers beside large ones."""
    scales = np.array([Fraction(10) ** k for k in (-12, -6, 0, 6, 12)], dtype=object)
    rows = np.array([[4, 0, 4, 0, 4], [0, 4, 0, 4, 0], [1, 1, 1, 1, 1]], dtype=object) * scales
    for change, size in ((0, 2), (Fraction(3, 10**12), 3)):
        changed = rows.copy()
        changed[2, 0] += change
        changed[2, 1] += Fraction(3, 10**6) if change else 0
        game = NormalFormGame.bimatrix(changed.tolist(), (changed * 0).tolist())
        assert len(reduced(game, Dominance.STRICT, DominatedBy.MIXED).survivors[0]) == size


def test_difference_below_float_resolution_decides():
    """Half and half earns 2; so does the third row, but for 1e-40."""
    tiny = Fraction(1, 10**40)
    for change, dominated in ((-tiny, True), (0, False), (tiny, False)):
        third = 2 + Fraction(change)
        game = NormalFormGame.bimatrix([[4, 0], [0, 4], [third, third]], [[0, 0]] * 3)
        verdict = is_strictly_dominated(game, player=0, action=2)
        verdict.certificate.verify()
        assert bool(verdict) is dominated


def test_float_payoffs_are_the_dyadic_numbers_they_are():
    rows = np.array([[0.1 + 0.2, 0.1 + 0.2], [0.3, 0.3]])
    game = NormalFormGame.bimatrix(rows, np.zeros((2, 2)))
    assert is_strictly_dominated(game, player=0, action=1, dominated_by=DominatedBy.PURE)
    assert is_strictly_dominated(game, player=0, action=1)


def test_one_action_for_each_player_stays():
    game = NormalFormGame.from_payoffs([[[[5]]], [[[0]]], [[[-1]]]])
    for dominance, by in KINDS:
        reduction = reduced(game, dominance, by)
        assert reduction.is_solved
        assert reduction.eliminations == ()


def test_equal_actions_all_stay():
    game = load("indifference:size=3")
    for dominance, by in KINDS:
        assert reduced(game, dominance, by).eliminations == ()


def test_three_players_large():
    rng = np.random.default_rng(4)
    payoffs = rng.standard_normal((3, 6, 6, 6))
    payoffs[0] += 2 * rng.standard_normal((6, 1, 1))
    payoffs[2] += 2 * rng.standard_normal((1, 1, 6))
    game = NormalFormGame.from_payoffs(payoffs)
    for dominance in Dominance:
        by_mixed = reduced(game, dominance, DominatedBy.MIXED).survivors
        by_pure = reduced(game, dominance, DominatedBy.PURE).survivors
        assert by_pure != tuple(tuple(range(6)) for _ in range(3))
        assert all(set(a) <= set(b) for a, b in zip(by_mixed, by_pure, strict=True))


def test_equilibria_of_what_is_left_are_carried_back():
    rng = np.random.default_rng(12)
    payoffs = rng.integers(-9, 10, (2, 7, 7))
    payoffs[0, 4:] -= 12
    game = NormalFormGame.from_payoffs(payoffs)
    reduction = reduced(game, Dominance.STRICT, DominatedBy.MIXED)
    assert reduction.eliminations
    found = lemke_howson(reduction.reduced).profile
    back = reduction.restriction.correspondence.to_source(found)
    assert certify_nash(game, back).epsilon == 0


def test_beauty_contest_is_solved_step_by_step():
    """Guess a little less than half of what the other guesses: high ones go round by round."""
    guesses = range(9)
    rows = [[-abs(4 * a - 2 * b + 1) for b in guesses] for a in guesses]
    reduction = reduced(NormalFormGame.symmetric(rows), Dominance.STRICT, DominatedBy.PURE)
    assert reduction.is_solved
    assert reduction.survivors == ((0,), (0,))
    first = [e.action for e in reduction.eliminations if e.round_number == 1 and e.player == 0]
    assert first == [5, 6, 7, 8]


def test_order_is_the_order_of_players():
    game = load("prisoners_dilemma")
    for order in ((0, 1), (1, 0)):
        reduction = reduced(
            game, Dominance.STRICT, DominatedBy.PURE, pace=Pace.ONE_BY_ONE, order=order
        )
        assert tuple(e.player for e in reduction.eliminations) == order
        assert tuple(e.round_number for e in reduction.eliminations) == (1, 2)


@pytest.mark.parametrize(
    ("pace", "expected"),
    [
        (Pace.ALL_AT_ONCE, [(0, 2, 1), (2, 1, 1), (1, 1, 2), (0, 1, 3)]),
        (Pace.PLAYER_BY_PLAYER, [(0, 2, 1), (1, 1, 2), (2, 1, 3), (0, 1, 4)]),
        (Pace.ONE_BY_ONE, [(0, 2, 1), (1, 1, 2), (0, 1, 3), (2, 1, 4)]),
    ],
)
def test_pace_says_what_goes_when(pace, expected):
    """Bottom goes; so right does, and then middle. The third player's second action is bad."""
    first, second, third = np.zeros((3, 3, 2, 2), dtype=int)
    first += np.array([[1, 1], [0, 2], [-1, -1]])[:, :, None]
    second += np.array([[1, 0], [1, 0], [0, 1]])[:, :, None]
    third[:, :, 0] = 1
    game = NormalFormGame.from_payoffs(np.stack([first, second, third]))
    reduction = reduced(game, Dominance.STRICT, DominatedBy.PURE, pace=pace)
    assert [(e.player, e.action, e.round_number) for e in reduction.eliminations] == expected
    assert reduction.is_solved


@pytest.mark.parametrize(
    "order", [(0,), (0, 0), (1, 2), (), (0, "1"), (0, 1.0), (False, True), (None, 1)]
)
def test_incomplete_orders_are_refused(order):
    with pytest.raises(
        InvalidArgument, match="needs (an order that lists|each player of the order)"
    ):
        iterated_dominance(load("chicken"), pace=Pace.ONE_BY_ONE, order=order)


def test_order_without_a_pace_is_refused():
    with pytest.raises(InvalidArgument, match="a pace at which an order matters"):
        iterated_dominance(load("chicken"), order=(1, 0))


@pytest.mark.parametrize(
    ("player", "action"), [(2, 0), (-1, 0), (0, 2), (0, -1), (0, 0.5), ("1", 0)]
)
def test_actions_that_do_not_exist_are_refused(player, action):
    with pytest.raises(InvalidArgument, match="is_strictly_dominated: needs (player|action) to be"):
        is_strictly_dominated(load("chicken"), player=player, action=action)


@pytest.mark.parametrize("judged", [0, 1, 7, 20])
def test_budget_ends_with_what_is_proved_so_far(judged):
    rng = np.random.default_rng(8)
    game = NormalFormGame.bimatrix(
        mixed_below(rng, 30, gap=2), rng.integers(-9, 10, (30, 30)), title="Mixtures"
    )
    with pytest.raises(NotConverged, match=f"ended after {judged} judgements") as caught:
        iterated_dominance(game, budget=Budget(iterations=judged))
    best = caught.value.best
    best.certificate.verify()
    assert not best.certificate.is_complete
    assert len(best.eliminations) == max(0, judged - 4)
    assert best.reduced.num_actions == (30 - max(0, judged - 4), 30)


def test_beliefs_about_what_has_gone_are_dropped_when_the_budget_ends():
    """Top is best against middle only, which goes before the last column is judged."""
    game = NormalFormGame.bimatrix([[0, 5, 0], [1, 0, 1]], [[2, 1, 0], [2, 1, 0]])
    with pytest.raises(NotConverged, match="after 4 judgements, with 1 actions") as caught:
        iterated_dominance(game, budget=Budget(iterations=4))
    best = caught.value.best
    best.certificate.verify()
    assert best.survivors == ((0, 1), (0, 2))
    assert best.certificate.survivals == ()
    assert iterated_dominance(game).survivors == ((1,), (0,))


def test_time_ends_the_search():
    game = random_game((40, 40), rng=np.random.default_rng(5))
    with pytest.raises(NotConverged, match="needs to judge every action that is left") as caught:
        iterated_dominance(game, budget=Budget(seconds=0.0))
    assert caught.value.best.eliminations == ()


def test_weights_that_floats_cannot_tell_apart_are_found_without_programs():
    """In each of 98 rounds the highest claim goes, by lower ones of very different weights."""
    reduction = iterated_dominance(load("travelers_dilemma"))
    assert reduction.survivors == ((0,), (0,))
    assert len({e.round_number for e in reduction.eliminations}) == 98
    assert min(reduction.eliminations[0].weights) < 1e-15
    reduction.certificate.verify()
