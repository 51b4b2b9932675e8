"""Miltersen and Sorensen 2010: plans bounded below by powers of epsilon tend to quasi-perfection.

In a two-player tree with perfect recall let each plan satisfy ``x[s] >= epsilon**n``, with n the
number of own actions in s. Equilibria of the game so restricted tend to a quasi-perfect
equilibrium. On generated trees, exactly: the limit is a best reply from every information set on,
against the trembles at ``epsilon = 2**-200``, by brute force over pure ways of going on. Where
payoffs sum to zero, the trembles at ``2**-20`` have the value of the restricted game, found by
another program, in which the bounds are rows; where they do not, they are an equilibrium of the
restricted game. Twins: without bounds, with bounds all of one order, without recall.

Why it matters (trees): It computes sensible play at information sets that are never reached, by one
program with a symbol for the mistakes.
"""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import strategies
from gametheory_core.arrays import scaled_integers
from gametheory_core.catalog import forgetful_bit, guess_the_ace, load
from gametheory_core.certificates import certify_quasi_perfect
from gametheory_core.evaluation.deviations import sequence_payoffs
from gametheory_core.testing import PayoffKind, extensive_form_games
from solvers import UNLIMITED, quasi_perfect, sequence_form_lp
from solvers._programs.exact import solve_exactly
from solvers._programs.linear import LinearProgram
from solvers._programs.perturbed import UNBOUNDED, solve_perturbed
from solvers.solution import Meter
from solvers.trees import perturbed_path
from solvers.trees.perturbed_path import follow_perturbed_path
from solvers.trees.refinements import perturbed_program, sequence_lengths
from solvers.trees.sequence_program import plan_program
from tests.core.naive_refinements import profile_at, quasi_perfect_gains

theorem = pytest.mark.theorem(
    source="Miltersen and Sorensen 2010",
    statement="In a two-player tree with perfect recall, equilibria with plans bounded below by "
    "epsilon to the number of own actions tend to a quasi-perfect equilibrium.",
)

TINY, SMALL = Fraction(1, 2**200), Fraction(1, 2**20)
KINDS = (PayoffKind.DEGENERATE, PayoffKind.RATIONAL, PayoffKind.GENERIC)


def zero_sum_trees():
    return extensive_form_games(zero_sum=True, kinds=KINDS)


def trees_of_any_sum():
    return extensive_form_games(num_players=(2, 2), kinds=KINDS)


def integers(values):
    return np.array([*values, 0], dtype=object)[:-1]


def value_of_restricted_game(form, epsilon):
    """Player 0's value where plans are bounded below: bounds on player 0 as rows.

    Player 1's bounds m pay at once: against plan x, player 1 chooses what exceeds them.
    """
    base = plan_program(form)
    lengths = [sequence_lengths(own) for own in form.players]
    rows, columns, values = (list(part) for part in (base.rows, base.columns, base.values))
    bounds, is_equation = base.bounds.tolist(), base.is_equation.tolist()
    scale = epsilon.denominator ** max(map(max, lengths))
    bounds = [bound * scale for bound in bounds]
    for sequence, length in enumerate(lengths[0]):
        rows.append(base.num_rows + sequence)
        columns.append(sequence)
        values.append(-1)
        bounds.append(-int(epsilon**length * scale))
        is_equation.append(False)
    objective = [int(c) * scale for c in base.objective]
    for row, column, value in zip(base.rows, base.columns, base.values, strict=True):
        if row < len(lengths[1]):
            objective[column] -= int(epsilon ** lengths[1][row] * scale) * value
    program = LinearProgram(
        integers(objective),
        np.array(rows, dtype=np.int32),
        np.array(columns, dtype=np.int32),
        integers(values),
        integers(bounds),
        np.array(is_equation),
        base.is_free,
    )
    return solve_exactly(program, None).value / scale**2


def payoff_scale(form):
    """What ``plan_program`` multiplies payoffs of player 0 by."""
    chance = scaled_integers(form.chance_weight)
    payoffs = scaled_integers(form.game.exact_terminal_payoffs[:, 0])
    sums = {}
    own, opponent = form.terminal_sequences.tolist()
    paid = (chance.numerators * payoffs.numerators).tolist()
    for place in zip(own, opponent, paid, strict=True):
        sums[place[:2]] = sums.get(place[:2], 0) + place[2]
    divisor = int(np.gcd.reduce([*sums.values(), 0])) or 1
    return Fraction(chance.denominator * payoffs.denominator, divisor)


@theorem
@given(st.one_of(zero_sum_trees(), trees_of_any_sum()))
def test_the_limit_is_a_best_reply_from_everywhere_on(tree):
    assume(strategies.chance_excludes_no_infoset(tree))
    solution = quasi_perfect(tree)
    solution.certificate.verify()
    trembled = profile_at(tree, solution.certificate.trembles, TINY)
    assert not any(quasi_perfect_gains(tree, solution.profile, trembled))
    assert gt.certify_nash(tree, solution.profile).epsilon == 0


@theorem
@given(trees_of_any_sum())
def test_what_is_worse_has_its_bound_and_no_more(tree):
    """The trembles are an equilibrium of the restricted game, at every information set.

    That asks more than the limit does: an action whose continuation earns less has the least weight
    there may be.
    """
    assume(strategies.chance_excludes_no_infoset(tree))
    form = strategies.sequence_form(tree)
    floors = [sequence_lengths(own) for own in form.players]
    trembles = follow_perturbed_path(form, floors, meter=Meter(UNLIMITED, "pivots"))
    profile = profile_at(tree, trembles, TINY)
    for own, plan, lengths in zip(form.players, trembles.weights, floors, strict=True):
        values = [strategies.value_at(weight, TINY) for weight in plan]
        excess = [value - TINY**length for value, length in zip(values, lengths, strict=True)]
        assert min(excess) >= 0
        paid = restricted_values(tree, own, profile)
        for k in range(len(own.infosets)):
            sequences = range(own.first_sequence[k], own.first_sequence[k + 1])
            best = max(paid[s] for s in sequences)
            assert all(paid[s] == best for s in sequences if excess[s])


def restricted_values(tree, own, profile):
    """What each own sequence earns against a profile, with the best of what exceeds bounds later.

    Bounds are paid whatever is chosen, so that only the excess chooses.
    """
    paid = list(sequence_payoffs(tree, profile, player=own.player))
    for k in reversed(range(len(own.infosets))):
        paid[own.parent_sequence[k]] += max(paid[own.first_sequence[k] : own.first_sequence[k + 1]])
    return paid


@theorem
@given(zero_sum_trees())
def test_the_trembles_have_the_value_of_the_restricted_game(tree):
    assume(strategies.chance_excludes_no_infoset(tree))
    form = strategies.sequence_form(tree)
    trembles = quasi_perfect(tree).certificate.trembles
    for own, plan in zip(form.players, trembles.weights, strict=True):
        for weight, length in zip(plan, sequence_lengths(own), strict=True):
            assert sum((c * SMALL**d for d, c in enumerate(weight)), Fraction(0)) >= SMALL**length
    paid = gt.expected_payoffs(tree, profile_at(tree, trembles, SMALL))[0]
    assert paid * payoff_scale(form) == value_of_restricted_game(form, SMALL)


@theorem
def test_without_bounds_an_equilibrium_may_play_badly_where_nobody_comes():
    """Naming the ace is part of an equilibrium, but no best reply to any tremble of player 1."""
    ace = guess_the_ace()
    foolish = gt.pure_behavior(ace, (0, 0))
    assert gt.certify_minimax(ace, foolish).epsilon == 0
    with pytest.raises(
        gt.CertificateRejected, match="action 'other' gains about 12500/13 over 'ace'"
    ):
        certify_quasi_perfect(ace, strategies.uniform_trembles(ace, foolish))
    assert quasi_perfect(ace).profile == gt.pure_behavior(ace, (0, 1))


@theorem
def test_bounds_of_one_order_tend_to_senseless_play():
    """Where a first step is as rare as each second one, the worse second step is not rarer."""
    second = gt.Decision(0, "went on", {"good": gt.Terminal([-1, 1]), "bad": gt.Terminal([-2, 2])})
    tree = gt.from_sketch(
        gt.Decision(0, "start", {"stop": gt.Terminal([0, 0]), "go on": second}),
        players=("Ann", "Bob"),
    )
    form = strategies.sequence_form(tree)
    proper = perturbed_program(form)
    flat = replace(proper, primal_orders=tuple(min(order, 1) for order in proper.primal_orders))
    assert UNBOUNDED < 1 < max(proper.primal_orders)
    found = solve_perturbed(flat, None, tick=lambda _: None)
    count = form.players[0].num_sequences
    with pytest.raises(gt.CertificateRejected, match="'good' gains about 1 over 'bad'"):
        certify_quasi_perfect(
            tree, strategies.TremblingProfile((found.primal[:count], found.dual[:1]))
        )
    assert quasi_perfect(tree).profile == gt.pure_behavior(tree, (0, 0))


@theorem
def test_without_recall_there_are_no_such_plans():
    with pytest.raises(gt.UnsupportedGame, match="needs perfect recall"):
        quasi_perfect(forgetful_bit())


@theorem
def test_a_number_that_is_not_small_is_not_believed(monkeypatch):
    """At epsilon = 1/2, other plans are best; the check of all small epsilon asks for less."""
    followed = []
    monkeypatch.setattr(perturbed_path, "FIRST_BITS", 1)
    monkeypatch.setattr(
        perturbed_path,
        "bounded_below",
        lambda *given, below=perturbed_path.bounded_below: followed.append(given) or below(*given),
    )
    slip = gt.Decision(1, "Bob", {"careful": gt.Terminal([0, 0]), "slip": gt.Terminal([99, -9])})
    tree = gt.from_sketch(
        gt.Decision(0, "Ann", {"sure": gt.Terminal([1, 0]), "hope": slip}), players=("Ann", "Bob")
    )
    assert quasi_perfect(tree).profile == gt.pure_behavior(tree, (0, 0))
    assert len(followed) > 1


@theorem
def test_every_member_of_kuhns_family_is_quasi_perfect_for_some_trembles():
    """Bluff with share a, bet the king three times as often, call with the queen a + 1/3.

    The restricted game picks a = 1/3. Others need other trembles: opponents whose errors keep the
    ties of the family.
    """
    kuhn = load("kuhn_poker")
    found = quasi_perfect(kuhn)
    places = {(s.player, s.label): k for k, s in enumerate(kuhn.infosets)}
    assert found.profile.probabilities[places[0, "J"]][1] == Fraction(1, 3)
    for share in (Fraction(0), Fraction(1, 12), Fraction(1, 6), Fraction(1, 4), Fraction(1, 3)):
        certificate = certify_quasi_perfect(kuhn, kuhn_trembles(kuhn, share))
        certificate.verify()
        assert certificate.profile.probabilities[places[0, "J"]][1] == share
        assert certificate.payoffs == (Fraction(-1, 18), Fraction(1, 18))


def kuhn_trembles(kuhn, share):
    """Trembles to a member of the family that leave all who mix indifferent."""
    third = Fraction(1, 3)
    bluff = (share, Fraction(1, 6) - share)  # inside (0, 1/3) for small epsilon > 0
    second = {  # the share of the second action: bet or call
        "J": bluff,
        "Q": (0, 3),
        "K": tuple(3 * c for c in bluff),
        "J, check, bet": (0, 0, 1),
        "Q, check, bet": (third + bluff[0], bluff[1]),
        "K, check, bet": (1, -1),
        "J, check": (third, -1),
        "Q, check": (0, 3),
        "K, check": (1, -3),
        "J, bet": (0, 1),
        "Q, bet": (third, 1),
        "K, bet": (1, -1),
    }
    behavior = []
    for infoset in kuhn.infosets[: kuhn.num_decision_infosets]:
        constant, *slopes = second[infoset.label]
        rest = [-slope for slope in slopes]
        behavior.append([(1 - constant, *rest), (constant, *slopes)])
    return strategies.trembling_profile(kuhn, behavior)


@theorem
@given(zero_sum_trees())
def test_an_ordinary_solution_and_the_refined_one_have_one_value(tree):
    assume(strategies.chance_excludes_no_infoset(tree))
    assert quasi_perfect(tree).payoffs == sequence_form_lp(tree).payoffs
