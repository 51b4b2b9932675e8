"""Zero-sum trees by their subgames: the value of the whole, whatever falls apart and is alike."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.catalog import (
    Bids,
    GoofspielRules,
    OshiZumoRules,
    Payment,
    Prizes,
    goofspiel,
    kuhn_poker,
)
from gametheory_core.certificates import certify_subgame_perfect
from gametheory_core.games import lay_out_rules, subgame_roots
from gametheory_core.testing import PayoffKind, extensive_form_games
from solvers import Budget, sequence_form_lp
from solvers.solution import UNLIMITED, Meter
from solvers.trees import like_pieces, linear_program
from solvers.trees.like_pieces import subgame_search
from solvers.trees.pieces import pieces_of
from tests.solvers.trees.trees import with_payoffs

TREES = extensive_form_games(max_depth=6, max_moves=14, zero_sum=True, kinds=tuple(PayoffKind))


def in_one(game):
    return linear_program._as_one_program(game, None, Meter(UNLIMITED, "pivots"))


def by_subgames(game, tolerance=None, budget=UNLIMITED):
    pieces = pieces_of(game, subgame_roots(game))
    return linear_program._by_subgames(game, pieces, tolerance, Meter(budget, "pivots"))


def open_goofspiel(cards, payment=Payment.WIN):
    return lay_out_rules(GoofspielRules(cards, Prizes.RANDOM, Bids.OPEN, payment))


@given(TREES)
def test_any_tree_has_the_value_of_one_program(game):
    solution = by_subgames(game)
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0
    assert solution.certificate.game_value == in_one(game).certificate.game_value


@given(TREES)
def test_strategies_are_optimal_in_every_subgame(game):
    certify_subgame_perfect(game, by_subgames(game).profile)  # refuses any gain


@given(TREES, st.sampled_from([0, 1, Fraction(1, 7), 1e-9, 1e-30, 1e300]))
def test_tolerance_is_kept(game, tolerance):
    assert by_subgames(game, tolerance).certificate.epsilon <= tolerance


def test_worths_are_short_where_there_is_a_tolerance():
    """Payoffs of no pattern make exact probabilities of the first round twice as long."""
    game = open_goofspiel(3)
    rng = np.random.default_rng(0)
    game = with_payoffs(game, [(x, -x) for x in rng.normal(size=len(game.terminals)).tolist()])
    exact, near = by_subgames(game).certificate, by_subgames(game, tolerance=1e-6).certificate
    assert 0 < near.epsilon <= 1e-6
    bits = [max(p.denominator for p in own.profile.flat).bit_length() for own in (exact, near)]
    assert 2 * bits[1] < bits[0]


MATRIX = [[2, -1, 0], [-3, 1, 5]]  # the last column is dominated


@pytest.mark.parametrize("mover", [0, 1])
def test_matrices_are_read_from_both_sides(mover):
    """The row player may be either; rows are chosen first."""

    def paid(a, b):
        amount = MATRIX[a][b]
        return gt.Terminal([amount, -amount] if mover == 0 else [-amount, amount])

    tree = gt.Decision(
        mover,
        "rows",
        {
            str(a): gt.Decision(1 - mover, "columns", {str(b): paid(a, b) for b in range(3)})
            for a in range(2)
        },
    )
    certificate = by_subgames(gt.from_sketch(tree, players=("Ann", "Bob"))).certificate
    assert certificate.lower == certificate.upper == Fraction(-1 if mover == 0 else 1, 7)


def coins(name, scale):
    """Both guess a coin that neither sees; a piece that is no matrix."""

    def guess(coin, a):
        paid = {b: scale * ((a == coin) - (b == coin)) for b in "HT"}
        ends = {b: gt.Terminal([amount, -amount]) for b, amount in paid.items()}
        return gt.Decision(1, (name, 1), ends)

    return gt.Chance(
        {c: ("1/2", gt.Decision(0, (name, 0), {a: guess(c, a) for a in "HT"})) for c in "HT"}
    )


def test_tolerance_of_a_piece_is_in_its_own_units():
    """A like piece with larger payoffs is solved again, more closely."""
    tree = gt.Chance({"1": ("1/2", coins("small", 1)), "2": ("1/2", coins("large", 1000))})
    game = gt.from_sketch(tree, players=("Ann", "Bob"))
    tolerances = []

    def solve(piece, tolerance, meter):
        tolerances.append(tolerance)
        return linear_program._as_one_program(piece, tolerance, meter)

    subgame_search(
        game,
        pieces_of(game, subgame_roots(game)),
        tolerance=1e-3,
        meter=Meter(UNLIMITED, "pivots"),
        solve=solve,
    ).run()
    assert sorted(tolerances) == pytest.approx([1e-3 / 4 / 1000, 1e-3 / 4])


def two_pennies(first, second):
    """Chance chooses which of two 2 x 2 games is played."""

    def pennies(name, paid):
        return gt.Decision(
            0,
            (name, 0),
            {
                a: gt.Decision(
                    1, (name, 1), {b: gt.Terminal([paid(a, b), -paid(a, b)]) for b in "HT"}
                )
                for a in "HT"
            },
        )

    game = gt.Chance({"1": ("1/2", pennies("one", first)), "2": ("1/2", pennies("two", second))})
    return gt.from_sketch(game, players=("Even", "Odd"))


@pytest.mark.parametrize(
    ("second", "games"),
    [
        (lambda a, b: 3 * (a + b == "HH") + 5, 1),  # scale and shift
        (lambda a, b: -(a + b == "HH"), 2),  # a negative scale is another game
        (lambda a, b: a + b == "HT", 2),
    ],
)
def test_likes_are_solved_once(monkeypatch, second, games):
    calls = []
    solve = like_pieces.minimax
    monkeypatch.setattr(
        like_pieces, "minimax", lambda game, **options: calls.append(game) or solve(game, **options)
    )
    game = two_pennies(lambda a, b: int(a + b == "HH"), second)
    value = by_subgames(game).certificate.game_value
    assert value == in_one(game).certificate.game_value
    assert len(calls) == games


@pytest.mark.parametrize("first", ["useful", "useless"])
def test_pieces_of_one_shape_with_other_information_sets_are_no_likes(first):
    """Bob hears which half a number of 1 to 4 is in, or whether it is odd, and guesses the half."""

    def guess(name, heard):
        def node(number):
            ends = {b: gt.Terminal([1, -1] if b != number // 3 else [0, 0]) for b in (0, 1)}
            labels = {str(b): end for b, end in ends.items()}
            return gt.Decision(1, (name, heard(number)), labels)

        return gt.Chance({str(n): ("1/4", node(n)) for n in (1, 2, 3, 4)})

    heard = {"useful": lambda number: number // 3, "useless": lambda number: number % 2}
    names = sorted(heard, key=lambda name: name != first)
    tree = gt.Decision(0, "pick", {name: guess(name, heard[name]) for name in names})
    game = gt.from_sketch(tree, players=("Ann", "Bob"))
    certificate = by_subgames(game).certificate
    assert certificate.lower == certificate.upper == Fraction(1, 2)


def biased(name, heads):
    """Chance alone; then a guess at a biased coin that nobody sees."""
    odds = {"H": heads, "T": 1 - heads}
    ends = {"H": gt.Terminal([1, -1]), "T": gt.Terminal([0, 0])}
    open_coin = gt.Chance({c: (odds[c], ends[c]) for c in "HT"})
    guesses = {
        c: (odds[c], gt.Decision(1, name, {b: ends["H" if b == c else "T"] for b in "HT"}))
        for c in "HT"
    }
    return open_coin, gt.Chance(guesses)


@pytest.mark.parametrize(("kind", "worth"), [(0, Fraction(2, 3)), (1, Fraction(1, 3))])
def test_chance_of_other_odds_is_no_like(kind, worth):
    """Ann picks the coin that pays her 2/3, not 1/3; guessed at, each pays 1/3."""
    low, high = (biased(name, Fraction(own, 3))[kind] for name, own in (("low", 1), ("high", 2)))
    game = gt.from_sketch(gt.Decision(0, "pick", {"1": low, "2": high}), players=("Ann", "Bob"))
    certificate = by_subgames(game).certificate
    assert certificate.lower == certificate.upper == worth


def hidden_piece(player):
    """One player alone chooses, and does not see what chance did before."""

    def paid(side, guess):
        amount = 2 * (guess == "H") - (side == "1")
        return gt.Terminal([amount, -amount] if player == 0 else [-amount, amount])

    moves = {
        side: ("1/2", gt.Decision(player, "blind", {b: paid(side, b) for b in "HT"}))
        for side in "12"
    }
    return gt.from_sketch(gt.Chance(moves), players=("Ann", "Bob"))


@pytest.mark.parametrize("player", [0, 1])
def test_one_player_alone_with_hidden_chance(player):
    game = hidden_piece(player)
    assert by_subgames(game).certificate.game_value == in_one(game).certificate.game_value
    assert by_subgames(game).certificate.epsilon == 0


def test_a_single_end_is_worth_what_it_pays():
    game = gt.from_sketch(gt.Terminal(["1/3", "-1/3"]), players=("Ann", "Bob"))
    assert by_subgames(game).certificate.game_value == Fraction(1, 3)


@pytest.mark.parametrize("payment", Payment)
def test_goofspiel_with_open_bids_is_solved_without_a_program(payment, monkeypatch):
    """By symmetry the value is 0; 5,445 pieces are fewer than 1,600 games."""
    monkeypatch.setattr(linear_program, "_as_one_program", None)  # would fail if called
    solution = sequence_form_lp(open_goofspiel(4, payment))
    solution.certificate.verify()
    assert solution.certificate.lower == solution.certificate.upper == 0


def test_oshi_zumo_is_as_many_games_as_there_are_states():
    game = lay_out_rules(OshiZumoRules(coins=7))
    pieces = pieces_of(game, subgame_roots(game))
    search = subgame_search(
        game, pieces, tolerance=None, meter=Meter(UNLIMITED, "pivots"), solve=None
    )
    search.run()
    assert len(search._known) < 8 * 8 * 3 < len(pieces) / 20
    assert gt.certify_minimax(game, search.profile).epsilon == 0


@pytest.mark.parametrize(
    ("game", "budget"),
    [
        (kuhn_poker(), UNLIMITED),
        (goofspiel(cards=5), UNLIMITED),
        (open_goofspiel(4), Budget(iterations=10**9)),
    ],
)
def test_small_trees_large_pieces_and_counted_pivots_take_one_program(game, budget, monkeypatch):
    monkeypatch.setattr(linear_program, "_by_subgames", None)  # would fail if called
    assert sequence_form_lp(game, budget=budget).certificate.epsilon == 0


def test_time_that_ends_leaves_even_play_where_nothing_is_solved():
    game = open_goofspiel(4)
    with pytest.raises(gt.NotConverged, match="needs solutions of all subgames") as caught:
        by_subgames(game, budget=Budget(seconds=0))
    best = caught.value.best
    assert best.profile == gt.uniform_behavior(game)
    best.certificate.verify()
