"""RirRPS: its sizes, its fair coin, and exact best responses to players who forget.

Numbers from an exhaustive computation made before this package; they are probabilities of winning
the match, a score tie counted as half a win (the value of a match is twice that, minus 1).
"""

from fractions import Fraction
from functools import cache

import pytest

from gametheory_core import InvalidArgument
from gametheory_core.catalog import POINTS, THROWS, Decided, Match, RirRPS
from gametheory_core.distributions import point_mass, push_forward, uniform
from tests.core.catalog.walks import posg_returns

ROCK_LOVER = uniform(("rock",) * 4 + ("paper", "scissors"))
GAME = RirRPS()


@cache
def matches_by_repetition():
    """The matches that play can reach, in order of repetitions played."""
    layers = [{state for state, _ in GAME.initial()}]
    while not any(map(GAME.is_terminal, layers[-1])):
        layers.append(
            {
                after
                for s in layers[-1]
                for joint in POINTS
                for after, _ in GAME.transition(s, joint)
            }
        )
    return layers


def win_probability(policy):
    """Best chance of player 2, who sees everything, against a policy of windows for player 1."""
    *going_on, ended = matches_by_repetition()
    worth = {state: Fraction(int(state.winner == 1)) for state in ended}
    for layer in reversed(going_on):
        worth.update({state: _best(state, policy(state.window), worth) for state in layer})
    return worth[Match(0, (), 0)]


def _best(state, law, worth):
    options = []
    for own in THROWS:
        total = Fraction(0)
        for other, weight in law:
            after = GAME.transition(state, (other, own)).items
            total += weight * sum(worth[s] for s, _ in after) / len(after)
        options.append(total)
    return max(options)


def test_points_are_those_of_rock_paper_scissors():
    assert [pair for pair, points in POINTS.items() if points == 1] == [
        ("rock", "scissors"),
        ("paper", "rock"),
        ("scissors", "paper"),
    ]
    assert all(POINTS[a, b] == -POINTS[b, a] for a, b in POINTS)


def test_there_are_820_observations():
    seen = {o for layer in matches_by_repetition()[:-1] for s in layer for o in _shown(s)}
    assert len(seen) == 1 + 9 + 81 + 729 == 820
    assert {o for s in matches_by_repetition()[-1] for o in _shown(s)} <= seen


def _shown(state):
    ((pair, _),) = GAME.observation(("rock", "rock"), state)
    assert pair[0] == pair[1]
    return pair


def test_there_are_5194_observations_with_a_clock():
    going_on = matches_by_repetition()[:-1]
    assert len({(s.played, s.window) for layer in going_on for s in layer}) == 5194


def test_there_are_35812_matches_going_on():
    assert sum(map(len, matches_by_repetition()[:-1])) == 35812


@pytest.mark.parametrize("own", THROWS)
def test_uniform_play_ties_as_often_against_anybody(own):
    """Whatever the other does, each throw scores 1, 0 or -1 with probability 1/3."""
    law = {0: Fraction(1)}
    for _ in range(10):
        following = {}
        for lead, weight in law.items():
            for other in THROWS:
                key = lead + POINTS[other, own]
                following[key] = following.get(key, Fraction(0)) + weight / 3
        law = following
    assert law[0] == Fraction(8953, 59049)
    assert sum(w for lead, w in law.items() if lead > 0) == Fraction(25048, 59049)
    assert sum(w for lead, w in law.items() if lead < 0) == Fraction(25048, 59049)


@pytest.mark.parametrize(
    ("policy", "probability"),
    [
        pytest.param(lambda window: uniform(THROWS), Fraction(1, 2), marks=pytest.mark.slow),
        (lambda window: point_mass("rock"), 1),
        pytest.param(
            lambda window: ROCK_LOVER, Fraction(39161779, 40310784), marks=pytest.mark.slow
        ),
        pytest.param(
            lambda window: point_mass(window[-1][1]) if window else uniform(THROWS),
            1,
            marks=pytest.mark.slow,
        ),
    ],
    ids=["uniform", "always rock", "rock four times in six", "copies the last throw"],
)
def test_best_response_wins_as_computed(policy, probability):
    assert win_probability(policy) == probability


def test_match_goes_to_the_higher_score():
    ahead, behind = Match(9, (), 1), Match(9, (), -1)
    assert GAME.transition(ahead, ("rock", "rock")) == point_mass(Decided((("rock", "rock"),), 0))
    assert GAME.transition(behind, ("rock", "rock")) == point_mass(Decided((("rock", "rock"),), 1))


def test_fair_coin_decides_equal_scores_and_always_pays():
    law = GAME.transition(Match(9, (), 1), ("rock", "paper"))
    assert push_forward(law, lambda state: state.winner) == uniform((0, 1))
    paid = push_forward(law, lambda state: GAME.reward(Match(9, (), 1), ("rock", "paper"), state))
    assert paid == uniform(((1, -1), (-1, 1)))


def test_nothing_is_paid_or_played_outside_the_last_repetition():
    early = Match(0, (), 0)
    ((later, _),) = GAME.transition(early, ("rock", "paper"))
    assert GAME.reward(early, ("rock", "paper"), later) == (0, 0)
    over = Decided((), 0)
    assert GAME.transition(over, ("rock", "rock")) == point_mass(over)
    assert GAME.reward(over, ("rock", "rock"), over) == (0, 0)


def test_short_match_is_worth_what_its_throws_are():
    game = RirRPS(repetitions=2, recall=1)
    assert posg_returns(
        game, [lambda seen: point_mass("rock"), lambda seen: point_mass("paper")]
    ) == (-1, 1)
    assert posg_returns(game, [lambda seen: uniform(THROWS), lambda seen: point_mass("paper")]) == (
        0,
        0,
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"repetitions": 0}, "repetitions to be an integer from 1 to 1000, but got 0"),
        ({"recall": -1}, "recall to be an integer from 0 to 100, but got -1"),
        ({"recall": 1.5}, "recall .* got 1.5"),
    ],
)
def test_bad_parameters_are_refused(options, message):
    with pytest.raises(InvalidArgument, match=message):
        RirRPS(**options)
