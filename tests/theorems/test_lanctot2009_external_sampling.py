"""Lanctot, Waugh, Zinkevich and Bowling 2009, theorem 5: external sampling learns as 1/sqrt(T).

Two statements. First, what the proof rests on, on generated trees of one to three players and in
floats (tolerance 1e-9 of the span): after ``T`` iterations the largest sampled regret at an
information set is at most the player's payoff span times sqrt(actions times T), whatever is drawn.
Second, its consequence in a two-player zero-sum game, a statistical test: on Kuhn poker, 16 times
the iterations divide the exploitability of the average by 4 in expectation. The test asks for 2 in
the mean of 10 seeded runs; of 20 fresh such means, the worst divided by 2.6 and the standard
deviation of the inverse is 0.045 at 0.25, so that fresh seeds would fail less than once in 10,000
runs. Twins: outcome sampling breaks the first bound, for its regrets are divided by probabilities;
Shapley's game, which is not zero-sum, stays away from equilibrium.

Why it matters (counterfactual): Regret can be minimized from samples, so that the tree need not be
built, at a known rate.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import Decision, Terminal, from_sketch, load_game
from gametheory_core.testing import PayoffKind, extensive_form_games
from solvers import counterfactual, monte_carlo_counterfactual_regret

theorem = pytest.mark.theorem(
    source="Lanctot, Waugh, Zinkevich and Bowling 2009, theorem 5",
    statement="External sampling with regret matching has sampled regrets of at most span "
    "sqrt(actions T), and averages that approach equilibrium of zero-sum games as 1 / sqrt(T).",
)
KINDS = (PayoffKind.DEGENERATE, PayoffKind.GENERIC)


def sampled(game, iterations, seed, sampling=counterfactual.Sampling.EXTERNAL):
    return monte_carlo_counterfactual_regret(
        game, iterations=iterations, sampling=sampling, rng=np.random.default_rng(seed)
    )


def largest_shares(game, play):
    """Return the largest sampled regret at each information set, as a share of the bound."""
    payoffs = game.terminal_payoffs
    for k, infoset in enumerate(game.infosets[: game.num_decision_infosets]):
        span = float(np.ptp(payoffs[:, infoset.player]))
        own = play.state.regrets[play.state.offset[k] : play.state.offset[k + 1]]
        bound = span * np.sqrt(len(own) * play.state.iterations)
        yield (own.max() - 1e-9 * span) / bound if span else own.max()


@theorem
@given(
    game=extensive_form_games(kinds=KINDS),
    iterations=st.sampled_from([1, 10, 100]),
    seed=st.integers(0, 10**6),
)
def test_sampled_regrets_are_bounded(game, iterations, seed):
    play = sampled(game, iterations, seed)
    assert all(share <= 1.0 for share in largest_shares(game, play))


def errands(count):
    """Go on so many times in a row for a payoff of one, or stop for nothing."""
    node = Terminal([1])
    for step in range(count):
        node = Decision(0, f"{step} to go", {"on": node, "stop": Terminal([0])})
    return from_sketch(node, players=("A",))


@theorem
def test_outcome_sampling_breaks_this_bound():
    play = sampled(errands(8), 200, 1, counterfactual.Sampling.OUTCOME)
    assert max(largest_shares(errands(8), play)) > 1.0


@theorem
def test_sixteen_times_the_iterations_halve_exploitability_at_least():
    kuhn = load_game("kuhn_poker")
    tables = counterfactual.evaluation_tables(kuhn)
    means = [
        np.mean(
            [
                counterfactual.float_exploitability(tables, average(kuhn, count, seed))
                for seed in range(10)
            ]
        )
        for count in (600, 9600)
    ]
    assert means[1] <= means[0] / 2


def average(game, iterations, seed):
    return counterfactual.laid_out_average(sampled(game, iterations, seed)).profile


def shapley_tree():
    """Shapley's game: both gain where they meet in a cycle, each in other cells."""
    cells = {
        row: {
            column: Terminal([int(row == column), int((row + 1) % 3 == column)])
            for column in range(3)
        }
        for row in range(3)
    }
    second = {
        str(row): Decision(1, "column", {str(c): end for c, end in ends.items()})
        for row, ends in cells.items()
    }
    return from_sketch(Decision(0, "row", second), players=("Row", "Column"))


@theorem
def test_without_a_zero_sum_averages_stay_away_from_equilibrium():
    game = shapley_tree()
    tables = counterfactual.evaluation_tables(game)
    for seed in range(3):
        gains = counterfactual.float_deviation_gains(tables, average(game, 20_000, seed))
        assert max(gains) > 0.1
