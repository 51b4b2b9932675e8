"""Compiled best responses and gains: the core's exact evaluation, up to rounding."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as core
from gametheory_core.errors import InvalidArgument, InvalidStrategy, UnsupportedGame
from gametheory_core.games.extensive_form import player_infosets
from gametheory_core.games.properties import has_perfect_recall
from gametheory_core.games.tree_draft import Chance, Decision, Terminal, from_sketch
from gametheory_core.testing.generators import (
    PayoffKind,
    behavioral_profiles,
    extensive_form_games,
    forgetful_games,
)
from solvers.counterfactual.best_response import (
    float_best_response,
    float_deviation_gains,
    float_exploitability,
    float_nash_conv,
)
from solvers.counterfactual.reply_tables import evaluation_tables

ROUNDING = 1e-12  # times the payoff span
KINDS = (PayoffKind.DEGENERATE, PayoffKind.RATIONAL, PayoffKind.GENERIC)


def span_of(game):
    payoffs = game.exact_terminal_payoffs
    return float(np.max(payoffs.max(axis=0) - payoffs.min(axis=0)))


@given(data=st.data())
def test_gains_are_the_cores(data):
    game = data.draw(extensive_form_games(num_players=(1, 4), kinds=KINDS))
    profile = data.draw(behavioral_profiles(game))
    exact = core.deviation_gains(game, profile)
    tolerance = ROUNDING * span_of(game)
    tables = evaluation_tables(game)
    for given_as in (profile, profile.to_float()):
        found = float_deviation_gains(tables, given_as)
        assert found == pytest.approx(exact.astype(float), abs=tolerance)
    total = float_nash_conv(tables, profile)
    assert total == pytest.approx(float(sum(exact)), abs=game.num_players * tolerance)


@given(data=st.data())
def test_responses_earn_what_the_cores_earn_even_against_players_who_forget(data):
    games = st.one_of(extensive_form_games(kinds=KINDS), forgetful_games(kinds=KINDS))
    game = data.draw(games)
    profile = data.draw(behavioral_profiles(game))
    tables = evaluation_tables(game)
    tolerance = ROUNDING * float(np.abs(game.exact_terminal_payoffs).max())
    for player in range(game.num_players):
        if not has_perfect_recall(game, player=player):
            with pytest.raises(UnsupportedGame, match="perfect recall of the responding player"):
                float_best_response(tables, profile, player=player)
            continue
        found = float_best_response(tables, profile, player=player)
        exact = core.best_response(game, profile, player=player)
        assert found.value == pytest.approx(float(exact.value), abs=tolerance)
        assert earned(game, profile, found) == pytest.approx(float(exact.value), abs=tolerance)


def earned(game, profile, response):
    """Evaluate the response's actions in the core."""
    own = player_infosets(game, response.player)
    vectors = list(profile.probabilities)
    for infoset, action in zip(own, response.actions, strict=True):
        pure = np.full(len(vectors[infoset]), Fraction(0))
        pure[action] = Fraction(1)
        vectors[infoset] = pure
    payoffs = core.expected_payoffs(game, core.BehavioralProfile(tuple(vectors)))
    return float(payoffs[response.player])


@given(data=st.data())
def test_exploitability_is_the_cores(data):
    game = data.draw(extensive_form_games(zero_sum=True, kinds=KINDS))
    profile = data.draw(behavioral_profiles(game))
    exact = core.exploitability(game, profile)
    assert float_exploitability(game, profile) == pytest.approx(
        float(exact), abs=ROUNDING * span_of(game)
    )


@pytest.mark.parametrize("scale", [Fraction(1, 10**200), Fraction(1), Fraction(10**200)])
def test_gains_scale_with_payoffs(scale):
    game = two_guesses(scale, Fraction(0))
    gains = float_deviation_gains(game, core.uniform_behavior(game))
    assert gains / float(scale) == pytest.approx([0.0, 1 / 3])


def test_gains_are_accurate_however_far_payoffs_are_from_zero():
    far = Fraction(10**14)
    game = two_guesses(Fraction(1), far)
    profile = core.uniform_behavior(game)
    assert float_deviation_gains(game, profile) == pytest.approx([0.0, 1 / 3], abs=1e-12)
    assert float_best_response(game, profile, player=0).value == pytest.approx(1e14)


def two_guesses(scale, shift):
    """Guess a coin that shows heads twice as often as tails: heads gains 1/6 of the stake of 2."""

    def ends(shown):
        paid = {guess: shift + 2 * scale * (guess == shown) for guess in ("heads", "tails")}
        return Decision(1, "guess", {guess: Terminal([shift, won]) for guess, won in paid.items()})

    coin = {"heads": (Fraction(2, 3), ends("heads")), "tails": (Fraction(1, 3), ends("tails"))}
    return from_sketch(Chance(coin), players=("Idle", "Guesser"))


def test_a_single_node_has_nothing_to_gain():
    game = from_sketch(Terminal([3, -3]), players=("A", "B"))
    nobody = core.BehavioralProfile(())
    assert float_deviation_gains(game, nobody).tolist() == [0.0, 0.0]
    assert float_best_response(game, nobody, player=0) == core.evaluation.BestResponse(0, 3.0, ())


def test_players_who_never_move_gain_nothing():
    game = from_sketch(
        Decision(1, "only", {"left": Terminal([0, 1, 5]), "right": Terminal([2, 0, 5])}),
        players=("A", "B", "C"),
    )
    assert float_deviation_gains(game, core.uniform_behavior(game)).tolist() == [0.0, 0.5, 0.0]


def test_exploitability_refuses_games_that_have_none():
    three = core.load_game("kuhn_poker:players=3")
    with pytest.raises(UnsupportedGame, match="two players, but .* has 3"):
        float_exploitability(three, core.uniform_behavior(three))
    general = core.load_game("centipede")
    with pytest.raises(UnsupportedGame, match="needs a constant-sum game, but payoffs"):
        float_exploitability(general, core.uniform_behavior(general))


def test_refuses_what_does_not_fit():
    kuhn, pennies = core.load_game("kuhn_poker"), core.load_game("matching_pennies")
    uniform = core.uniform_behavior(kuhn)
    with pytest.raises(UnsupportedGame, match="evaluation_tables: needs"):
        evaluation_tables(pennies)
    with pytest.raises(InvalidArgument, match="player"):
        float_best_response(kuhn, uniform, player=2)
    with pytest.raises(InvalidStrategy, match="needs probabilities at each of 12"):
        float_nash_conv(kuhn, core.BehavioralProfile(uniform.probabilities[:-1]))
    with pytest.raises(InvalidStrategy, match="BehavioralProfile for a tree, but got Mixed"):
        float_nash_conv(kuhn, core.uniform_profile(pennies))
    with pytest.raises(UnsupportedGame, match="forgets at"):
        float_deviation_gains(
            core.load_game("forgetful_bit"),
            core.uniform_behavior(core.load_game("forgetful_bit")),
        )


def test_shows_sizes():
    tables = evaluation_tables(core.load_game("kuhn_poker"))
    assert repr(tables).endswith("26 histories, 30 classes of plays)")
    assert tables.num_bytes > 0


def test_histories_of_players_who_forget_are_numbered_once():
    def later():
        return Decision(0, "later", {"c": Terminal([1]), "d": Terminal([0])})

    first = {side: Decision(0, "first", {"a": later(), "b": later()}) for side in ("h", "t")}
    game = from_sketch(
        Chance({side: ("1/2", node) for side, node in first.items()}), players=("A",)
    )
    # nothing, a, b, and each of these with c or d
    assert evaluation_tables(game).num_histories == 7


@pytest.mark.parametrize("respond", [float_best_response, core.best_response])
def test_ties_go_to_the_first_action(respond):
    later = {
        label: Decision(0, f"after {label}", {a: Terminal([1, 0]) for a in "abc"}) for label in "lr"
    }
    game = from_sketch(Decision(0, "start", later), players="AB")
    found = respond(game, core.uniform_behavior(game).to_float(), player=0)
    assert found.value == 1
    assert found.actions == (0, 0, 0)
