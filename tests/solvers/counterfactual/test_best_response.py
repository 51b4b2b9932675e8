"""Compiled best responses and gains: the core's exact evaluation, up to rounding."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as core
import gametheory_core as gt
from gametheory_core import testing
from gametheory_core.games import has_perfect_recall, player_infosets
from solvers import counterfactual

ROUNDING = 1e-12  # times the payoff span
KINDS = (testing.PayoffKind.DEGENERATE, testing.PayoffKind.RATIONAL, testing.PayoffKind.GENERIC)


def span_of(game):
    payoffs = game.exact_terminal_payoffs
    return float(np.max(payoffs.max(axis=0) - payoffs.min(axis=0)))


@given(data=st.data())
def test_gains_are_the_cores(data):
    game = data.draw(testing.extensive_form_games(num_players=(1, 4), kinds=KINDS))
    profile = data.draw(testing.behavioral_profiles(game))
    exact = core.deviation_gains(game, profile)
    tolerance = ROUNDING * span_of(game)
    tables = counterfactual.evaluation_tables(game)
    for given_as in (profile, profile.to_float()):
        found = counterfactual.float_deviation_gains(tables, given_as)
        assert found == pytest.approx(exact.astype(float), abs=tolerance)
    total = counterfactual.float_nash_conv(tables, profile)
    assert total == pytest.approx(float(sum(exact)), abs=game.num_players * tolerance)


@given(data=st.data())
def test_responses_earn_what_the_cores_earn_even_against_players_who_forget(data):
    games = st.one_of(
        testing.extensive_form_games(kinds=KINDS), testing.forgetful_games(kinds=KINDS)
    )
    game = data.draw(games)
    profile = data.draw(testing.behavioral_profiles(game))
    tables = counterfactual.evaluation_tables(game)
    tolerance = ROUNDING * float(np.abs(game.exact_terminal_payoffs).max())
    for player in range(game.num_players):
        if not has_perfect_recall(game, player=player):
            with pytest.raises(gt.UnsupportedGame, match="perfect recall of the responding player"):
                counterfactual.float_best_response(tables, profile, player=player)
            continue
        found = counterfactual.float_best_response(tables, profile, player=player)
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
    game = data.draw(testing.extensive_form_games(zero_sum=True, kinds=KINDS))
    profile = data.draw(testing.behavioral_profiles(game))
    exact = core.exploitability(game, profile)
    assert counterfactual.float_exploitability(game, profile) == pytest.approx(
        float(exact), abs=ROUNDING * span_of(game)
    )


@pytest.mark.parametrize(
    ("scale", "shift"), [(Fraction(1, 10**200), 0), (1, 0), (Fraction(10**200), 0), (1, 10**14)]
)
def test_gains_scale_with_payoffs_however_far_these_are_from_zero(scale, shift):
    game = two_guesses(scale, Fraction(shift))
    profile = core.uniform_behavior(game)
    gains = counterfactual.float_deviation_gains(game, profile)
    assert gains / float(scale) == pytest.approx([0.0, 1 / 3], abs=1e-12)
    assert counterfactual.float_best_response(game, profile, player=0).value == float(shift)


def two_guesses(scale, shift):
    """Guess a coin that shows heads twice as often as tails: heads gains 1/6 of the stake of 2."""

    def ends(shown):
        paid = {guess: shift + 2 * scale * (guess == shown) for guess in ("heads", "tails")}
        return gt.Decision(
            1, "guess", {guess: gt.Terminal([shift, won]) for guess, won in paid.items()}
        )

    coin = {"heads": (Fraction(2, 3), ends("heads")), "tails": (Fraction(1, 3), ends("tails"))}
    return gt.from_sketch(gt.Chance(coin), players=("Idle", "Guesser"))


def test_a_single_node_has_nothing_to_gain():
    game = gt.from_sketch(gt.Terminal([3, -3]), players=("A", "B"))
    nobody = core.BehavioralProfile(())
    assert counterfactual.float_deviation_gains(game, nobody).tolist() == [0.0, 0.0]
    assert counterfactual.float_best_response(
        game, nobody, player=0
    ) == core.evaluation.BestResponse(0, 3.0, ())


def test_exploitability_refuses_games_that_have_none():
    three = core.load_game("kuhn_poker:players=3")
    with pytest.raises(gt.UnsupportedGame, match="two players, but .* has 3"):
        counterfactual.float_exploitability(three, core.uniform_behavior(three))
    general = core.load_game("centipede")
    with pytest.raises(gt.UnsupportedGame, match="needs a constant-sum game, but payoffs"):
        counterfactual.float_exploitability(general, core.uniform_behavior(general))


def test_shows_sizes():
    tables = counterfactual.evaluation_tables(core.load_game("kuhn_poker"))
    assert repr(tables).endswith("26 histories, 30 classes of plays)")
    assert tables.num_bytes > 0


def test_histories_of_players_who_forget_are_numbered_once():
    def later():
        return gt.Decision(0, "later", {"c": gt.Terminal([1]), "d": gt.Terminal([0])})

    first = {side: gt.Decision(0, "first", {"a": later(), "b": later()}) for side in ("h", "t")}
    game = gt.from_sketch(
        gt.Chance({side: ("1/2", node) for side, node in first.items()}), players=("A",)
    )
    # nothing, a, b, and each of these with c or d
    assert counterfactual.evaluation_tables(game).num_histories == 7


@pytest.mark.parametrize("respond", [counterfactual.float_best_response, core.best_response])
def test_ties_go_to_the_first_action(respond):
    later = {
        label: gt.Decision(0, f"after {label}", {a: gt.Terminal([1, 0]) for a in "abc"})
        for label in "lr"
    }
    game = gt.from_sketch(gt.Decision(0, "start", later), players=("A", "B"))
    found = respond(game, core.uniform_behavior(game).to_float(), player=0)
    assert found.value == 1
    assert found.actions == (0, 0, 0)
