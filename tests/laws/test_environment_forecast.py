"""The Bayes filter gives exact laws of what a model shows next."""

from fractions import Fraction
from itertools import product

import pytest

pytest.importorskip("pettingzoo")

from gametheory_core import UnsupportedGame
from gametheory_core.distributions import ONE, point_mass
from gametheory_core.games import CHANCE, stop_posg
from gametheory_core.testing import End, Forecaster, JointMoments, Moment, TurnMoments
from tests.laws.planted_bugs import HiddenCards, WhisperedPennies


def paths(forecaster, actions):
    """All sequences of moments under fixed actions, with their probabilities by the chain rule."""
    found = []
    waiting = [((), forecaster.first(), ONE)]
    while waiting:
        past, forecast, weight = waiting.pop()
        for moment, share in forecast.law.items():
            shown = (*past, moment)
            if moment.end is not End.RUNNING:
                found.append((shown, weight * share))
                continue
            following = forecaster.after(forecast.beliefs[moment], actions[len(past)])
            waiting.append((shown, following, weight * share))
    return found


def test_second_card_is_one_of_the_other_two():
    forecaster = Forecaster(TurnMoments(HiddenCards()))
    first = forecaster.first()
    assert set(first.law.values()) == {Fraction(1, 3)}
    jack = Moment((0,), ((1, 0, 0, 2),), (0, 0), End.RUNNING)
    second = forecaster.after(first.beliefs[jack], (1,))
    assert {m.observations[0][1]: w for m, w in second.law.items()} == {
        1: Fraction(1, 2),
        2: Fraction(1, 2),
    }


def test_belief_follows_bayes_after_a_showdown():
    """Who holds a queen and wins knows that the other holds the jack."""
    forecaster = Forecaster(TurnMoments(HiddenCards()))
    forecast = forecaster.first()
    queen = Moment((0,), ((1, 1, 0, 2),), (0, 0), End.RUNNING)
    forecast = forecaster.after(forecast.beliefs[queen], (0,))
    called = next(iter(forecast.law))
    forecast = forecaster.after(forecast.beliefs[called], (1,))
    ((moment, weight),) = forecast.law.items()
    assert weight == 1
    other = called.observations[0][1]
    assert moment.rewards == ((1, -1) if other == 0 else (-1, 1))
    assert [hidden[0][1] for hidden, _ in forecast.beliefs[moment].law] == [(1, other)]


@pytest.mark.parametrize("actions", list(product([0, 1], repeat=6)))
def test_paths_of_turns_are_deals_times_coins_shown(actions):
    """The last coin shows in the rewards alone, if the guesses differ."""
    found = paths(Forecaster(TurnMoments(HiddenCards())), [(a,) for a in actions])
    assert sum(weight for _, weight in found) == 1
    assert len(found) == 6 * 2 * (1 if actions[4] == actions[5] else 2)


def test_paths_of_joint_steps_multiply_the_whispers():
    game = stop_posg(WhisperedPennies(), steps=2)
    found = paths(Forecaster(JointMoments(game)), [(0, 1), (1, 1)])
    assert sum(weight for _, weight in found) == 1
    assert len(found) == 4 * 4  # the last step's whispers come with the end, and are not shown
    for shown, weight in found:
        right = [o[1] == a for o, a in zip(shown[1].observations, (1, 0), strict=True)]
        expected = Fraction(1, 4)
        for heard in right:
            expected *= Fraction(3, 4) if heard else Fraction(1, 4)
        assert weight == expected
        assert shown[-1].end is End.TRUNCATED
        assert [moment.rewards for moment in shown] == [(0, 0), (-1, 1), (1, -1)]


def test_horizon_zero_is_truncated_at_once():
    game = stop_posg(WhisperedPennies(), steps=0)
    assert list(Forecaster(JointMoments(game)).first().law) == [
        Moment((), (), (0, 0), End.TRUNCATED)
    ]


def test_endless_chance_is_refused():
    class Waiting(HiddenCards):
        def chance(self, state):
            return point_mass(state)

        def next_player(self, state, mover, action, next_state):
            return point_mass(CHANCE)

    with pytest.raises(UnsupportedGame, match="at most 1000 moves in a row"):
        Forecaster(TurnMoments(Waiting())).first()
