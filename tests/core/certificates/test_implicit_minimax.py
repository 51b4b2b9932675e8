"""Best responses over all actions of large games, and the certificates that they make."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.certificates import certify_implicit_minimax, implicit_best_response
from gametheory_core.certificates import implicit_minimax as module
from gametheory_core.distributions import distribution, point_mass, uniform
from gametheory_core.games import ImplicitGame, OracleGame
from gametheory_core.testing import PayoffKind, zero_sum_games

ONLY = (point_mass(0), point_mass(0))


def in_a_function(game):
    table = game.given_payoffs[0]
    return ImplicitGame(lambda rows, columns: table[rows, columns], game.num_actions)


def mixture_of(data, count):
    parts = data.draw(st.lists(st.integers(0, 5), min_size=count, max_size=count).filter(any))
    return distribution({i: Fraction(part, sum(parts)) for i, part in enumerate(parts)})


def vector_of(mixture, count):
    return [mixture[action] for action in range(count)]


@pytest.fixture(params=[(1, 64), (2**20, 64), (2**20, 0)])
def block(request, monkeypatch):
    """Blocks of one row or of all; rows that are near the best are compared by kind, or each."""
    entries, kinds = request.param
    monkeypatch.setattr(module, "BLOCK_ENTRIES", entries)
    monkeypatch.setattr(module, "MOST_KINDS", kinds)


@pytest.mark.usefixtures("block")
@given(game=zero_sum_games(max_actions=6, kinds=tuple(PayoffKind)), data=st.data())
def test_bounds_are_those_of_the_table_in_blocks_of_any_size(game, data):
    profile = tuple(mixture_of(data, count) for count in game.num_actions)
    vectors = tuple(map(vector_of, profile, game.num_actions))
    expected = gt.certify_minimax(game, gt.MixedProfile(vectors))
    found = certify_implicit_minimax(in_a_function(game), profile)
    found.verify()
    assert (found.lower, found.upper) == (expected.lower, expected.upper)
    assert found.payoffs == tuple(gt.expected_payoffs(game, gt.MixedProfile(vectors)))


@pytest.mark.parametrize(
    ("payoffs", "size", "action"),
    [
        (lambda i, j: i**4 + j, 10**6, (999_999, 0)),
        (lambda i, j: (i - j) ** 8 % 1000, 10**6, (0, 999_999)),
        (lambda i, j: (i == 500) * i * 2**61 + 0 * j, 1000, (500, 0)),  # in the support
    ],
)
def test_payoffs_that_wrap_around_are_refused_with_the_actions(payoffs, size, action):
    game = ImplicitGame(payoffs, (size, size))
    with pytest.raises(gt.InvalidGame, match=r"within 64-bit integers, but row .*rows.astype") as e:
        certify_implicit_minimax(game, (point_mass(action[0]), point_mass(0)))
    row, column = e.value.witness
    assert payoffs(row, column) != payoffs(np.int64([row]), np.int64([column]))[0]
    wrong = module.ImplicitMinimaxCertificate(
        game, (point_mass(action[0]), point_mass(0)), Fraction(0), Fraction(0)
    )
    with pytest.raises(gt.CertificateRejected, match="within 64-bit integers"):
        wrong.verify()


@pytest.mark.parametrize(
    "payoffs",
    [
        lambda i, j: (i.astype(object) - j) ** 8,
        lambda i, j: (i - j).astype(float) ** 8,
        lambda i, j: np.array([[2**62, 0], [1, 3]])[i % 2, j % 2],  # takes no objects
        lambda i, j: np.bitwise_count(i ^ j).astype(np.int64),  # nor does this
        lambda i, j: (i.astype(np.uint64) ** np.uint64(9) + j.astype(np.uint64)) % np.uint64(7),
    ],
)
def test_functions_that_do_not_wrap_or_take_no_python_integers_work(payoffs):
    certify_implicit_minimax(ImplicitGame(payoffs, (1000, 1000)), ONLY).verify()


@pytest.mark.usefixtures("block")
def test_differences_that_floats_cannot_see_decide():
    huge = 2**60
    rows = np.array([huge, huge + 1, huge, huge + 1])
    game = ImplicitGame(lambda i, j: rows[i] + 0 * j, (4, 2))
    reply = implicit_best_response(game, uniform((0, 1)), player=0)
    assert (reply.action, reply.value) == (1, huge + 1)
    game = ImplicitGame(lambda i, j: -rows[j] + 0 * i, (2, 4))
    reply = implicit_best_response(game, distribution({0: "1/3", 1: "2/3"}), player=1)
    assert (reply.action, reply.value) == (1, -huge - 1)


def test_thirds_are_not_rounded():
    game = ImplicitGame(lambda i, j: np.where(i == 7, 10 * j, 10 * j - (j == 2)), (9, 3))
    reply = implicit_best_response(game, uniform((0, 1, 2)), player=0)
    assert (reply.action, reply.value) == (7, 10)


def test_payoffs_below_the_least_float_decide():
    """A quarter of the least float is 0 in floats, three quarters of it are as much as it."""
    table = np.array([[3, 0, 0, 0], [1, 1, 1, 1]]) * 2.0**-1074
    game = ImplicitGame(lambda i, j: table[i, j], (2, 4))
    reply = implicit_best_response(game, uniform(range(4)), player=0)
    assert (reply.action, reply.value) == (1, Fraction(1, 2**1074))


@pytest.mark.usefixtures("block")
def test_payoffs_beyond_floats_decide():
    table = np.array([[10**400, 0], [0, 1]], dtype=object)
    game = ImplicitGame(lambda i, j: table[i, j], (2, 2))
    reply = implicit_best_response(game, uniform((0, 1)), player=0)
    assert (reply.action, reply.value) == (0, 10**400 // 2)


def test_sums_beyond_floats_decide():
    """Of the second row floats make infinity, since weights add up to more than one."""
    most = np.finfo(float).max
    table = np.full((2, 3), most)
    table[0, 2] = table[1, 1] = np.nextafter(most, 0)
    game = ImplicitGame(lambda i, j: table[i, j], (2, 3))
    mixture = distribution({0: "7/29", 1: "15/29", 2: "7/29"})
    assert implicit_best_response(game, mixture, player=0).action == 0


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"game": gt.load_game("matching_pennies")}, "game to be of type ImplicitGame"),
        ({"player": 2}, "player to be an integer from 0 to 1"),
        ({"player": -1}, "player to be an integer from 0 to 1"),
        ({"mixture": [(0, 0.5), (1, 0.7)]}, "mixture to be of type Distribution"),
        ({"mixture": None}, "mixture to be of type Distribution"),
    ],
)
def test_best_responses_to_nothing_are_refused(changed, said):
    given = {"game": ImplicitGame(lambda i, j: i + j, (2, 2)), "mixture": ONLY[0], "player": 0}
    game, mixture, player = (given | changed).values()
    with pytest.raises(gt.InvalidArgument, match=said):
        implicit_best_response(game, mixture, player=player)


def changed_afterwards():
    half = point_mass(0)
    object.__setattr__(half, "items", ((0, Fraction(1, 2)),))
    return half


@pytest.mark.parametrize(
    "profile",
    [None, (1, 2), ONLY[:1], ONLY * 2, list(ONLY), ([1, 0], [1, 0]), (changed_afterwards(),) * 2],
)
def test_what_is_no_profile_is_rejected(profile):
    certificate = certify_implicit_minimax(ImplicitGame(lambda i, j: i + j, (2, 2)), ONLY)
    with pytest.raises(gt.CertificateRejected, match="implicit-minimax certificate: .* needs"):
        replace(certificate, profile=profile).verify()
    with pytest.raises(gt.CertificateRejected, match="game to be of type ImplicitGame"):
        replace(certificate, game=None).verify()


@pytest.mark.parametrize(
    "changed", [{"lower": Fraction(1)}, {"upper": Fraction(0)}, {"upper": 0.5}]
)
def test_changed_bounds_are_rejected(changed):
    game = ImplicitGame(lambda i, j: (i == j) * 1, (2, 2))
    certificate = certify_implicit_minimax(game, (uniform((0, 1)),) * 2)
    certificate.verify()
    assert certificate.statement == "minimax strategies: the value of the game is 1/2, exactly"
    with pytest.raises(gt.CertificateRejected, match=f"claims {next(iter(changed))}"):
        replace(certificate, **changed).verify()
    with pytest.raises(gt.CertificateRejected, match="claims lower 1/2, but the exact value is 0"):
        replace(certificate, profile=(point_mass(0), uniform((0, 1)))).verify()


@pytest.mark.parametrize(
    ("payoffs", "said"),
    [
        (lambda i, j: np.zeros(7), r"needs payoffs of shape .* returns shape \(7,\)"),
        (lambda i, j: np.where(i == 2, np.nan, 1.0 * j), "row 2 against column 0 pays nan"),
        (lambda i, j: np.where(i == 1, np.inf, 1.0 * j), "row 1 against column 0 pays inf"),
        (lambda i, j: np.full((3, 1), "x"), "payoffs of ImplicitGame"),
        (lambda i, j: None, "payoffs of ImplicitGame"),
        (lambda i, j: [[1, 2], [3]], r"returns \[\[1, 2\], \[3\]\]"),
    ],
)
def test_payoffs_that_are_none_are_refused_by_name(payoffs, said):
    with pytest.raises(gt.InvalidGame, match=said):
        certify_implicit_minimax(ImplicitGame(payoffs, (3, 4)), ONLY)


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ((3,), "of two players"),
        ((0, 1), "at least 1|from 1"),
        ((1, 2.5), "integer"),
        (5, "num_act"),
    ],
)
def test_numbers_of_actions_are_checked(counts, said):
    with pytest.raises(gt.GameTheoryError, match=said):
        ImplicitGame(lambda i, j: i + j, counts)


def test_other_bad_games_are_refused():
    with pytest.raises(gt.GameTheoryError, match="payoffs to be a function"):
        ImplicitGame([[1]], (1, 1))
    with pytest.raises(gt.GameTheoryError, match="labels of two players"):
        ImplicitGame(lambda i, j: i, (1, 1), players=("A",))
    with pytest.raises(gt.GameTheoryError, match="best_row to be a function"):
        OracleGame(min, None, min, (0, 0))
    with pytest.raises(gt.GameTheoryError, match="that can be hashed"):
        OracleGame(min, min, min, ([], 0))


@pytest.mark.parametrize("action", [2, -1, "a"])
def test_mixtures_of_no_actions_are_refused(action):
    game = ImplicitGame(lambda i, j: i + j, (2, 2))
    with pytest.raises(gt.InvalidStrategy, match="actions from 0 to 1 of player 'Column'"):
        implicit_best_response(game, point_mass(action), player=0)


def oracles(best_row, best_column=lambda mixture: ("c", 1)):
    return OracleGame(lambda row, column: {"a": 1, "b": 2}[row], best_row, best_column, ("a", "c"))


@pytest.mark.parametrize(
    ("best_row", "said"),
    [
        (lambda mixture: ("a", 3), "it says that 'a' pays 3, which pays 1"),
        (lambda mixture: "a", "needs best_row to return an action that can be hashed"),
        (lambda mixture: ([], 1), "needs best_row to return an action that can be hashed"),
        (lambda mixture: ("a", None), "payoff that best_row names"),
    ],
)
def test_oracles_that_do_not_fit_the_payoffs_are_refused(best_row, said):
    with pytest.raises(gt.InvalidGame, match=said):
        implicit_best_response(oracles(best_row), point_mass("c"), player=0)


def test_an_oracle_that_is_worse_than_the_profile_is_refused_with_the_action():
    game = oracles(lambda mixture: ("a", 1), lambda mixture: ("c", 2))
    with pytest.raises(
        gt.InvalidGame, match=r"returns 'a', which .* 1, while 'b' pays 2"
    ) as caught:
        certify_implicit_minimax(game, (point_mass("b"), point_mass("c")))
    assert caught.value.witness == ("b", point_mass("c"))


def test_a_column_that_is_better_than_the_oracles_is_refused_too():
    game = OracleGame(
        lambda row, column: {"c": 1, "d": 0}[column],
        lambda mixture: ("a", mixture["c"]),
        lambda mixture: ("c", 1),
        ("a", "c"),
    )
    with pytest.raises(gt.InvalidGame, match="best_column to return a best response") as caught:
        certify_implicit_minimax(game, (point_mass("a"), point_mass("d")))
    assert caught.value.witness == ("d", point_mass("a"))


def test_what_rests_on_oracles_says_so():
    game = oracles(lambda mixture: ("b", 2), lambda mixture: ("c", 2))
    certificate = certify_implicit_minimax(game, (point_mass("b"), point_mass("c")))
    certificate.verify()
    assert certificate.statement.endswith("overlook no better action")
    assert not certify_implicit_minimax(ImplicitGame(lambda i, j: i + j, (1, 1)), ONLY).rests_on
