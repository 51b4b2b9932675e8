"""Alpha-rank certificates: true ones verify and read back, forged ones do not pass."""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.certificates import AlphaRankCertificate, Populations, certify_alpha_rank
from gametheory_core.certificates.alpha_rank import ranked_states
from gametheory_core.formats import certificate_from, certificate_record, parse_json
from gametheory_core.testing import PayoffKind, normal_form_games, symmetric_games
from solvers.populations import alpha_rank_limit
from tests.sample_sizes import examples

GAMES = normal_form_games(num_players=(1, 3), kinds=(PayoffKind.DEGENERATE,))


def arborescence_limit(game, *, noise_powers):
    """Rank by the Markov chain tree theorem: sum the products of all trees into each state.

    By hand from the definition: a tree chooses for each other state one move, so that following
    moves leads to the root. Its weight is the product of rates, a power of the noise times a
    coefficient; only the lowest power counts.
    """
    states = ranked_states(game, Populations.ONE_EACH)
    payoffs = game.exact_payoffs

    def moves(state):
        for player, count in enumerate(game.num_actions):
            for action in range(count):
                other = (*state[:player], action, *state[player + 1 :])
                if other != state:
                    gain = payoffs[player][other] - payoffs[player][state]
                    yield other, noise_powers[(gain > 0) - (gain < 0)]

    totals = {}
    for root in states:
        others = [state for state in states if state != root]
        best = None
        for choice in product(*(list(moves(state)) for state in others)):
            target = {s: t for s, (t, _) in zip(others, choice, strict=True)}
            if all(_leads_home(s, target, root) for s in others):
                power = sum(p for _, (p, _) in choice)
                weight = Fraction(1)
                for _, (_, coefficient) in choice:
                    weight *= coefficient
                if best is None or power < best[0]:
                    best = (power, weight)
                elif power == best[0]:
                    best = (power, best[1] + weight)
        totals[root] = best
    least = min(power for power, _ in totals.values())
    leading = {s: w if p == least else Fraction(0) for s, (p, w) in totals.items()}
    whole = sum(leading.values())
    return {state: weight / whole for state, weight in leading.items()}


def _leads_home(state, target, root):
    seen = set()
    while state != root and state not in seen:
        seen.add(state)
        state = target[state]
    return state == root


@examples(25)
@given(game=normal_form_games(num_players=(1, 3), max_actions=2))
def test_limit_is_what_the_tree_theorem_says(game):
    by_sign = {1: (0, Fraction(1)), 0: (0, Fraction(1, 2)), -1: (1, Fraction(1))}
    found = alpha_rank_limit(game)
    found.certificate.verify()
    tensor = found.distribution.tensor
    assert {s: tensor[s] for s in ranked_states(game, Populations.ONE_EACH)} == arborescence_limit(
        game, noise_powers=by_sign
    )


def threshold_game(num_players, threshold):
    """Playing 1 pays if at least ``threshold`` others do, else playing 0 does; never a tie."""
    payoffs = np.zeros((num_players, *(2,) * num_players), dtype=int)
    for joint in product(range(2), repeat=num_players):
        for player, action in enumerate(joint):
            others = sum(joint) - action
            payoffs[(player, *joint)] = (others >= threshold) == (action == 1)
    return gt.NormalFormGame.from_payoffs(payoffs)


def test_basin_that_takes_fewer_mistakes_to_leave_has_no_weight():
    """All-1 is left after one mistake, all-0 after two."""
    found = alpha_rank_limit(threshold_game(3, 2))
    assert found.closed_classes == (((0, 0, 0),), ((1, 1, 1),))
    assert found.distribution.joint_actions == ((0, 0, 0),)
    found.certificate.verify()


def test_basins_that_one_mistake_cannot_leave_are_weighed_at_second_order():
    """Exchanging the actions maps the game to itself, so both basins weigh the same."""
    found = alpha_rank_limit(threshold_game(4, 2))
    zeros, ones = (0,) * 4, (1,) * 4
    assert found.closed_classes == ((zeros,), (ones,))
    assert found.distribution.joint_actions == (zeros, ones)
    assert found.distribution.probabilities == (Fraction(1, 2), Fraction(1, 2))
    forged = np.array([Fraction(2, 3), *[0] * 14, Fraction(1, 3)]).reshape((2,) * 4)
    with pytest.raises(gt.CertificateRejected, match=r"claims probability 2/3 .* the limit is 1/2"):
        replace(found.certificate, distribution=gt.correlated_distribution(forged)).verify()


@examples(20)
@given(game=GAMES, noise=st.sampled_from([Fraction(0), Fraction(1, 7), Fraction(9, 10)]))
def test_certificates_read_back(game, noise):
    certificate = alpha_rank_limit(game, noise=noise).certificate
    text = json.dumps(certificate_record(certificate))
    read = certificate_from(parse_json(text, name="answer.json"))
    assert read == certificate
    read.verify()


@examples(30)
@given(game=GAMES, data=st.data(), noise=st.sampled_from([Fraction(0), Fraction(1, 3)]))
def test_any_other_distribution_is_rejected(game, data, noise):
    certificate = alpha_rank_limit(game, noise=noise).certificate
    size = int(np.prod(game.num_actions))
    weights = data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))
    assume(sum(weights))
    other = gt.correlated_distribution(
        np.array([Fraction(w, sum(weights)) for w in weights]).reshape(game.num_actions)
    )
    assume(other != certificate.distribution)
    with pytest.raises(gt.CertificateRejected, match="net flow|the limit is"):
        replace(certificate, distribution=other).verify()


def test_the_other_noise_is_rejected():
    game = gt.load_game("stag_hunt")
    certificate = alpha_rank_limit(game, noise=Fraction(1, 5)).certificate
    with pytest.raises(gt.CertificateRejected, match="net flow into"):
        replace(certificate, noise=Fraction(1, 6)).verify()
    with pytest.raises(gt.CertificateRejected, match="needs a noise from 0 to below 1, but got 1"):
        replace(certificate, noise=Fraction(1)).verify()


def test_one_closed_class_of_several_is_not_the_limit():
    """Each pure equilibrium of a coordination game balances alone; the limit holds both."""
    game = gt.load_game("battle_of_the_sexes")
    with pytest.raises(
        gt.CertificateRejected, match=r"claims probability 1 for \(0, 0\), but the li"
    ):
        certify_alpha_rank(game, gt.correlated_distribution([[1, 0], [0, 0]]))


def test_distribution_of_another_game_is_rejected():
    certificate = AlphaRankCertificate(
        gt.load_game("shapley_cycle"),
        Populations.ONE_EACH,
        Fraction(0),
        gt.correlated_distribution([[1, 0], [0, 0]]),
    )
    with pytest.raises(gt.CertificateRejected, match=r"needs joint actions of shape \(3, 3\)"):
        certificate.verify()


@examples(15)
@given(symmetric_games(max_actions=4, kinds=(PayoffKind.DEGENERATE,)))
def test_one_population_ranks_joint_actions_of_equals(game):
    found = alpha_rank_limit(game, populations=Populations.ONE)
    found.certificate.verify()
    assert all(first == second for first, second in found.distribution.joint_actions)


def test_one_population_refuses_mixed_pairs_and_asymmetric_games():
    game = gt.load_game("stag_hunt")
    with pytest.raises(
        gt.CertificateRejected, match=r"ranks joint actions of equals, but \(0, 1\)"
    ):
        certify_alpha_rank(
            game, gt.correlated_distribution([[0, 1], [0, 0]]), populations=Populations.ONE
        )
    with pytest.raises(
        gt.UnsupportedGame, match="needs a symmetric game for one population, but pl"
    ):
        alpha_rank_limit(gt.load_game("shapley_cycle"), populations=Populations.ONE)
    with pytest.raises(gt.UnsupportedGame, match="needs two players for one population"):
        alpha_rank_limit(threshold_game(3, 2), populations=Populations.ONE)
    wide = gt.NormalFormGame.zero_sum([[1, 2]])
    with pytest.raises(gt.UnsupportedGame, match=r"but the players have \(1, 2\) actions"):
        alpha_rank_limit(wide, populations=Populations.ONE)


def test_statement_names_noise_and_populations():
    certificate = alpha_rank_limit(
        gt.load_game("stag_hunt"), populations=Populations.ONE
    ).certificate
    assert "limit of vanishing noise, for one population" in certificate.statement
    assert "noise 1/4" in replace(certificate, noise=Fraction(1, 4)).statement


def test_unequal_closed_classes_are_weighed_alike_by_solver_and_core():
    """Common interests: several strict equilibria, of which most weigh differently."""
    uneven = 0
    for seed in range(20):
        common = np.random.default_rng(seed).integers(-9, 10, (4, 4))
        found = alpha_rank_limit(gt.NormalFormGame.bimatrix(common, common))
        found.certificate.verify()
        tensor = found.distribution.tensor
        weights = {sum(tensor[state] for state in members) for members in found.closed_classes}
        uneven += len(weights) > 1
    assert uneven >= 10
