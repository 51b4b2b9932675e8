"""Foster and Vohra 1997; Hart and Mas-Colell 2000: where play without regret leads.

If nobody's average external regret exceeds epsilon, empirical play is an epsilon-coarse correlated
equilibrium, in two-player zero-sum games the averages are within the sum of regrets of Nash; with
swap regret in place of external regret it is a correlated equilibrium. The core's certificates,
in rationals, on random games; bounds are those of the rules, so that epsilon is of order root of
1 / T. Without chance, but for one test that draws.

Why it matters (regret): Equilibria of the correlated kind are where plain learning leads, without a
mediator.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame, load_game
from gametheory_core.testing import PayoffKind, normal_form_games, zero_sum_games
from learners import RegretLearner
from learners.regret import BlumMansour, Feedback, StronglyAdaptive
from solvers.local_rules import BestReply, Hedge, RegretMatching, RegretMatchingPlus
from tests.sample_sizes import examples

coarse = pytest.mark.theorem(
    source="Hannan 1957; Hart and Mas-Colell 2000",
    statement="Empirical play is an epsilon-coarse correlated equilibrium, epsilon being the "
    "largest average external regret.",
)
correlated = pytest.mark.theorem(
    source="Foster and Vohra 1997",
    statement="Where nobody has swap regret, empirical play tends to the correlated equilibria.",
)
zero_sum = pytest.mark.theorem(
    source="Hannan 1957",
    statement="In two-player zero-sum games average strategies are within the sum of average "
    "regrets of equilibrium.",
)
GAMES = normal_form_games(num_players=(2, 3), max_actions=3, kinds=(PayoffKind.DEGENERATE,))
ROUNDING = 1e-9  # of shares, in payoff units: the learner adds floats


def spans(game):
    return [max(float(own.max() - own.min()), 1e-9) for own in game.payoffs]


def played(game, minimizer, *, steps=150, **options):
    learner = RegretLearner(
        game, minimizer=minimizer, rng=np.random.default_rng(5), steps=steps, **options
    )
    learner.improve()
    return learner


@coarse
@examples(15)
@given(GAMES, st.sampled_from([RegretMatching(), RegretMatchingPlus(), BlumMansour()]))
def test_empirical_play_is_nearly_coarse_correlated(game, minimizer):
    learner = played(game, minimizer)
    certificate = learner.coarse_correlated()
    certificate.verify()
    for player, span in enumerate(spans(game)):
        found = float(certificate.regrets[player])
        assert found == pytest.approx(learner.average_regrets(player)[0], abs=ROUNDING)
        # instantaneous regrets are at most the span; Blum and Mansour's copies share it
        count = game.num_actions[player]
        factor = count if isinstance(minimizer, BlumMansour) else 1
        assert found <= factor * span * math.sqrt(count / 150) + ROUNDING


@coarse
@examples(10)
@given(GAMES, st.integers(1, 5))
def test_anytime_hedge_is_nearly_coarse_correlated_in_all_plays(game, plays):
    """Rates fit payoffs of span 2: at most that of these games."""
    learner = played(game, Hedge(rate=math.sqrt(math.log(3))), plays=plays)
    for play in range(plays):
        certificate = learner.coarse_correlated(play)
        certificate.verify()
        assert float(certificate.epsilon) <= 2 * math.sqrt(math.log(3) / 150) + 2 / 150 + ROUNDING


@coarse
def test_twin_fictitious_play_stays_away():
    """Miscoordinated for ever: both follow the leader, and both pay for it at every step."""
    game = NormalFormGame.bimatrix([[0, 1], [1, 0]], [[0, 1], [1, 0]])
    assert played(game, BestReply()).coarse_correlated().epsilon > 0.4
    with_offset = [RegretMatching(), RegretMatchingPlus()]
    assert played(game, with_offset).coarse_correlated().epsilon < 0.1


@correlated
@examples(10)
@given(GAMES)
def test_without_swap_regret_play_is_nearly_correlated(game):
    learner = played(game, BlumMansour())
    certificate = learner.correlated()
    certificate.verify()
    for player, span in enumerate(spans(game)):
        count = game.num_actions[player]
        bound = count * span * math.sqrt(count / 150)
        assert float(certificate.regrets[player]) <= bound + ROUNDING


class Scripted:
    """Plays its actions in turn, each for a while, whatever they earn."""

    name = "Scripted"

    def __init__(self, phase):
        self.phase = phase

    def start(self, batch, actions):
        return {"steps": np.zeros(batch, dtype=np.int64), "none": np.zeros((batch, actions))}

    def strategies(self, state):
        actions = state["none"].shape[1]
        return np.eye(actions)[state["steps"] // self.phase % actions]

    def observe(self, state, utilities):
        return {"steps": state["steps"] + 1, "none": state["none"]}


@correlated
def test_twin_without_external_regret_alone_play_is_not_correlated():
    """Against phases, Hedge regrets no single action, yet what it played instead of another."""
    row = np.array([[1, 0, -1], [0, 1, -1], [1, -1, 1]])
    game = NormalFormGame.bimatrix(row, np.zeros((3, 3), dtype=int))
    hedge = played(game, [Hedge(rate=2.0), Scripted(300)], steps=900)
    assert float(hedge.coarse_correlated().epsilon) < 0.03
    assert float(hedge.correlated().epsilon) > 0.05
    copies = played(game, [BlumMansour(), Scripted(300)], steps=900)
    assert float(copies.correlated().epsilon) < 0.02


@zero_sum
@examples(10)
@given(
    zero_sum_games(kinds=(PayoffKind.DEGENERATE, PayoffKind.RATIONAL)),
    st.sampled_from([RegretMatching(), RegretMatchingPlus(), StronglyAdaptive(low=-20, high=20)]),
)
def test_averages_are_nearly_nash_in_zero_sum_games(game, minimizer):
    learner = played(game, minimizer, steps=200)
    certificate = learner.nash()
    certificate.verify()
    regrets = [float(learner.average_regrets(player)[0]) for player in (0, 1)]
    assert float(certificate.epsilon) <= sum(regrets) + ROUNDING * max(spans(game))


@zero_sum
def test_twin_averages_of_general_sum_games_need_not_be_nash():
    """Taking turns at both conventions, nobody regrets anything; the averages miscoordinate."""
    learner = played(load_game("battle_of_the_sexes"), Scripted(1), steps=100)
    assert max(float(learner.average_regrets(player)[0]) for player in (0, 1)) <= 0
    assert learner.coarse_correlated().epsilon == 0
    assert learner.nash().epsilon > 0.2


@coarse
def test_drawn_play_is_counted_exactly():
    """Regrets of the certificate are those of the actions drawn, in rationals."""
    game = load_game("chicken")
    learner = played(game, RegretMatching(), feedback=Feedback.DRAWN, steps=500)
    certificate = learner.coarse_correlated()
    certificate.verify()
    assert all(
        w.denominator in {1, 2, 4, 5, 10, 20, 25, 50, 100, 125, 250, 500}
        for w in learner.empirical_play().probabilities
    )
    for player in (0, 1):
        assert float(certificate.regrets[player]) == pytest.approx(
            learner.average_regrets(player)[0], abs=1e-12
        )
