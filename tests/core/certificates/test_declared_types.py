"""Look-alikes of declared types are rejected in every field of every kind of certificate."""

import copy
import time
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import gametheory_core as gt
from gametheory_core import certificates
from gametheory_core.catalog import RepeatedGame
from gametheory_core.certificates.declared_types import (
    require_declared_arguments,
    require_declared_types,
)
from gametheory_core.conversions import markov_view
from gametheory_core.distributions import ZERO
from gametheory_core.strategies import CoverageLottery, MarkovCorrelation, product_distribution


def past_the_constructor(record: Any, name: str, value: object) -> Any:
    """Return a copy with one field changed without asking the constructor."""
    changed = copy.copy(record)
    object.__setattr__(changed, name, value)
    return changed


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("probabilities", (Fraction(50), Fraction(50)), "sum to 1, but they sum to 100"),
        ("probabilities", (Fraction(3, 2), Fraction(-1, 2)), "needs positive Fractions"),
        ("probabilities", (Fraction(1),), "one probability for each of 2, but has 1"),
        ("joint_actions", ((0, 0), (1, 10**40)), "needs joint actions with an index below"),
        ("joint_actions", ((0, 0), ()), "needs joint actions with an index below"),
        ("num_actions", (), "needs at least one action for each player"),
    ],
)
@pytest.mark.parametrize("kind", ["correlated", "coarse", "markov"])
def test_lotteries_changed_past_their_constructor_are_rejected(kind, field, value, problem):
    coin = gt.CorrelatedDistribution((2, 2), ((0, 0), (1, 1)), (Fraction(1, 2),) * 2)
    forged_coin = past_the_constructor(coin, field, value)
    game = gt.load_game("battle_of_the_sexes")
    if kind == "markov":
        view = markov_view(RepeatedGame.of("battle_of_the_sexes", recall=0))
        honest = certificates.certify_markov_correlated(view, MarkovCorrelation(((coin,),)))
        forged = replace(honest, profile=MarkovCorrelation(((forged_coin,),)))
    else:
        certify = (
            gt.certify_correlated
            if kind == "correlated"
            else certificates.certify_coarse_correlated
        )
        honest = certify(game, coin)
        forged = replace(honest, distribution=forged_coin)
    honest.verify()
    with pytest.raises(
        gt.CertificateRejected, match=f"a sound CorrelatedDistribution as .*{problem}"
    ):
        forged.verify()


COORDINATION = gt.NormalFormGame.symmetric([[3, 0, 0], [0, 2, 0], [0, 0, 2]])


def test_a_noise_that_is_a_float_proves_no_limit():
    shares = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
    diagonal = gt.CorrelatedDistribution((3, 3), ((0, 0), (1, 1), (2, 2)), shares)
    forged: Any = certificates.AlphaRankCertificate(
        COORDINATION, certificates.Populations.ONE_EACH, 5e-324, diagonal
    )
    with pytest.raises(gt.CertificateRejected, match="as noise, but it is of type float"):
        forged.verify()


@pytest.mark.parametrize("price", [1e20, float("nan")])
def test_a_price_that_is_a_float_proves_no_bound(price):
    game = gt.NormalFormGame.bimatrix([[Fraction(1, 3)]], [[5]])
    only = gt.CorrelatedDistribution((1, 1), ((0, 0),), (Fraction(1),))
    objective = certificates.LinearObjective((Fraction(0), Fraction(1)))
    honest = gt.certify_correlated(
        game, only, objective=objective, floors=(certificates.PayoffFloor(0, Fraction(1, 3)),)
    )
    honest.verify()
    forged = replace(honest, floors=(certificates.PayoffFloor(0, Fraction(1, 3), price),))
    with pytest.raises(
        gt.CertificateRejected, match=r"as floors\[0\].price, but it is of type float"
    ):
        forged.verify()


@pytest.mark.parametrize("value", [float("nan"), 1e17, np.int64(2)])
def test_an_attackers_value_must_be_rational(value):
    lottery = CoverageLottery(((0,),), (1,))
    game = gt.load_game("guarded_targets")
    with pytest.raises(gt.CertificateRejected, match="as attacker_value, but it is of type"):
        certificates.certify_security(game, lottery, target=0, attacker_value=value)


@pytest.mark.parametrize(
    ("multipliers", "field"),
    [
        (((0.0, 0.0), (0.0, 0.0)), r"multipliers\[0\]\[0\]"),
        ([[ZERO, ZERO], [ZERO, ZERO]], "multipliers"),
        (None, "multipliers"),
    ],
)
def test_arguments_of_another_type_build_no_certificate(multipliers, field):
    game = gt.load_game("matching_pennies")
    with pytest.raises(
        gt.CertificateRejected, match=f"^stackelberg certificate: .* as {field}, but"
    ):
        certificates.certify_stackelberg(
            game, gt.pure_profile(game, (0, 1)), leader=0, multipliers=multipliers
        )


def test_a_subclass_of_a_certified_type_is_rejected():
    class Lie(Fraction):
        def __eq__(self, other):
            return True

        __hash__ = Fraction.__hash__

    game = gt.load_game("matching_pennies")
    forged = replace(gt.certify_nash(game, gt.uniform_profile(game)), payoffs=(Lie(1), Lie(1)))
    with pytest.raises(gt.CertificateRejected, match=r"as payoffs\[0\]"):
        forged.verify()


def test_arguments_are_checked_as_the_fields_they_become():
    kind = certificates.CorrelatedPayoffsCertificate
    require_declared_arguments(kind, players=(0, 1))
    with pytest.raises(
        gt.CertificateRejected, match=r"needs an integer as players\[1\], but it is"
    ):
        require_declared_arguments(kind, players=(0, True))
    with pytest.raises(
        gt.CertificateRejected, match="a tuple of 2 entries as players, but it has 3"
    ):
        require_declared_arguments(kind, players=(0, 1, 2))


def test_large_certificates_are_walked_quickly():
    size = 30
    game = gt.NormalFormGame.zero_sum(
        [[(7 * i * j) % 11 for j in range(size)] for i in range(size)]
    )
    rows = ((Fraction(1, 3),) * size,) * size
    profile = gt.uniform_profile(game)
    prices = tuple(
        certificates.IncentivePrice(player, a, b, Fraction(1, 7))
        for player in range(2)
        for a in range(size)
        for b in range(size)
        if a != b
    )
    started = time.process_time()
    require_declared_arguments(certificates.StackelbergCertificate, multipliers=rows)
    require_declared_arguments(certificates.CorrelatedCommitmentCertificate, prices=prices)
    require_declared_types(
        certificates.certify_coarse_correlated(game, product_distribution(profile))
    )
    assert time.process_time() - started < 5  # seconds; 1740 prices take milliseconds
