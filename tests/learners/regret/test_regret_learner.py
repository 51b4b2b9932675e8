"""Regret learners: play, exact resume, policies of repeated games, and what is refused."""

from fractions import Fraction

import numpy as np
import pytest

import gametheory_core as gt
from gametheory_core.arguments import shown_players
from gametheory_core.catalog import RepeatedGame
from gametheory_core.evaluation import policy_nash_conv
from learners import Exp3, RegretLearner, regret
from solvers import regret_matching
from solvers.local_rules import Hedge, RegretMatching, RegretMatchingPlus
from tests.learners.continuing import assert_continues

GAME = gt.load_game("rock_paper_scissors")
CHICKEN = gt.load_game("chicken")
DRAWN = {"feedback": regret.Feedback.DRAWN}
CASES = [
    (RegretMatching(), {}),
    (RegretMatchingPlus(), {**DRAWN, "recall": 1, "plays": 3}),
    (Hedge(rate=1.0), {**DRAWN, "recall": 2}),
    (regret.BlumMansour(), {"plays": 2}),
    (regret.StronglyAdaptive(low=-1, high=1, levels=6), {**DRAWN, "recall": 1}),
    (Exp3(exploration=0.2, low=-1, high=1), {**DRAWN, "plays": 4}),
    ([RegretMatching(), Exp3(exploration=0.1, low=-1, high=1)], DRAWN),
]


def learner(minimizer, *, game=GAME, seed=3, steps=7, **options):
    rng = np.random.default_rng(seed)
    return RegretLearner(game, minimizer=minimizer, rng=rng, steps=steps, **options)


@pytest.mark.parametrize(("minimizer", "options"), CASES)
def test_resumes_bit_for_bit(minimizer, options, tmp_path):
    assert_continues(lambda: learner(minimizer, **options), tmp_path)


def test_metrics_are_those_documented():
    assert learner(RegretMatching(), **DRAWN).improve().keys() == {
        f"{what}/{label}"
        for what in ("payoff", "regret", "entropy")
        for label in shown_players(GAME.players)
    }


def test_expected_feedback_is_the_dynamics_of_the_solvers():
    """Regret matching by the solvers' compiled loop, step for step."""
    game = gt.NormalFormGame.from_payoffs(np.random.default_rng(1).integers(-4, 5, (3, 2, 3, 2)))
    own = learner(RegretMatching(), game=game, steps=200)
    own.improve()
    theirs = regret_matching(game, steps=200)
    ours = own.coarse_correlated()
    assert [float(r) for r in ours.regrets] == pytest.approx(
        [float(r) for r in theirs.coarse_correlated.regrets], abs=1e-9
    )


def test_averages_and_last_strategies_are_policies():
    """Of a repeated game without recall, judged by the core."""
    game = gt.NormalFormGame.bimatrix([[2, -1], [-1, 1]], [[-2, 1], [1, -1]])  # 2 times in 5
    rules = RepeatedGame(game, rounds=1, recall=0)
    own = learner([RegretMatchingPlus(), RegretMatching()], game=game, steps=2000)
    assert policy_nash_conv(rules, own.policies()) > Fraction(1, 4)
    own.improve()
    assert policy_nash_conv(rules, own.policies()) < Fraction(1, 20)
    start = {}
    for output in regret.Output:
        other = learner(RegretMatching(), game=CHICKEN, output=output, steps=50)
        other.improve()
        start[output] = other.policies()[0][((),)]
    assert start[regret.Output.AVERAGE] != start[regret.Output.LAST]


def test_recall_makes_policies_of_the_last_rounds():
    """After regrets in different contexts policies differ by what was seen."""
    rules = RepeatedGame(CHICKEN, rounds=3, recall=1)
    own = learner(RegretMatching(), game=CHICKEN, recall=1, steps=300, **DRAWN)
    own.improve()
    row, _ = own.policies()
    assert gt.expected_returns(rules, own.policies()).shape == (2,)
    ends = [(("swerve", other),) for other in ("swerve", "straight")]
    assert row[(), "swerve", ends[0]] != row[(), "swerve", ends[1]]
    assert row[(), "swerve", ends[0]] == row[(), "swerve", ends[1], "swerve", ends[0]]


def test_bandits_approach_the_dominant_action():
    game = gt.load_game("prisoners_dilemma")
    own = learner(regret.exp3_for(4000, 2, low=0, high=5), game=game, steps=4000, **DRAWN)
    own.improve()
    assert float(own.empirical_play().marginals.strategies[0][1]) > 0.85


def test_many_plays_differ_and_are_reproducible():
    shares = [learner(RegretMatching(), plays=3, steps=30, **DRAWN) for _ in range(2)]
    for own in shares:
        own.improve()
    first, second = ([own.empirical_play(k) for k in range(3)] for own in shares)
    assert first == second
    assert first[0] != first[1]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"minimizer": Exp3(exploration=0.1)}, "needs actions to be drawn, since a minimizer is"),
        ({"recall": 1}, "needs actions to be drawn, since recall is 1"),
        ({"minimizer": [RegretMatching()] * 3}, "a minimizer for each of 2 players.*but got 3"),
        ({"plays": 0}, "needs plays to be an integer of at least 1"),
        ({"steps": 0}, "needs steps to be an integer of at least 1"),
        ({"recall": -1}, "needs recall to be an integer of at least 0"),
        ({"feedback": "drawn"}, "needs a member of Feedback"),
        ({"output": "last"}, "needs a member of Output"),
    ],
)
def test_senseless_options_are_refused(options, words):
    with pytest.raises(gt.InvalidArgument, match=words):
        learner(**{"minimizer": RegretMatching(), **options})


def test_games_that_are_none_are_refused():
    with pytest.raises(gt.InvalidArgument, match="RegretLearner: needs game to be of type Normal"):
        learner(RegretMatching(), game=[[1]])


def test_nothing_played_has_no_empirical_play():
    with pytest.raises(gt.InvalidArgument, match="needs steps played, but has none"):
        learner(regret.LocalMinimizer(RegretMatching())).empirical_play()


@pytest.mark.parametrize("feedback", regret.Feedback)
@pytest.mark.parametrize("minimizer", [RegretMatching(), RegretMatchingPlus()])
def test_payoffs_whose_sums_are_no_floats_are_refused(feedback, minimizer):
    huge = gt.NormalFormGame.bimatrix([[10**307, -(10**307)]] * 2, [[-(10**307), 10**307]] * 2)
    with pytest.raises(gt.UnsupportedGame, match=r"payoffs below 2\^1000, .* largest is 1e\+307"):
        learner(minimizer, game=huge, feedback=feedback)
    large = gt.NormalFormGame.bimatrix([[10**300, -(10**300)]] * 2, [[-(10**300), 10**300]] * 2)
    played = learner(minimizer, game=large, feedback=feedback)
    assert np.isfinite(list(played.improve().values())).all()
