"""Laws that every game, conversion and certificate obeys, checked in rational arithmetic.

Each check raises ``LawBroken`` with the witness. They run on random exact profiles, so that a game
of one's own can be checked in a test with a line.
"""

import pickle
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias, cast

import numpy as np

from gametheory_core.arrays import ONE, ZERO
from gametheory_core.certificates.claim import Certificate
from gametheory_core.errors import CertificateRejected, LawBroken
from gametheory_core.evaluation.deviations import deviation_gains
from gametheory_core.evaluation.payoffs import (
    expected_payoffs,
    outcome_distribution,
    reach_probabilities,
)
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import has_perfect_recall
from gametheory_core.testing.conversion_laws import check_conversion, outcome_law
from gametheory_core.testing.profiles import random_profile
from gametheory_core.testing.rule_laws import check_aec, check_posg

Game: TypeAlias = NormalFormGame | ExtensiveFormGame

__all__ = [
    "check_aec",
    "check_certificate",
    "check_conversion",
    "check_normal_form",
    "check_posg",
    "check_tree",
    "random_profile",
]


def check_normal_form(
    game: NormalFormGame, *, rng: np.random.Generator, num_profiles: int = 5
) -> None:
    """Check a normal form: read-only, pickled whole, payoffs as defined, no negative gain.

    Raises:
        LawBroken: With the law and the profile.
    """
    _require_common(game, (game.given_payoffs, game.exact_payoffs, game.payoffs))
    for _ in range(num_profiles):
        profile = random_profile(game, rng=rng)
        expected = [ZERO] * game.num_players
        for joint, weight in outcome_law(game, profile).items():
            for i in range(game.num_players):
                expected[i] += weight * game.exact_payoffs[(i, *joint)]
        _require_equal(
            "payoffs are averages over joint actions",
            game,
            profile,
            expected,
            expected_payoffs(game, profile).tolist(),
        )
        _require_no_loss(game, profile)


def check_tree(game: ExtensiveFormGame, *, rng: np.random.Generator, num_profiles: int = 5) -> None:
    """Check a tree: array shapes, read-only, pickled whole, probability conserved, payoffs.

    Raises:
        LawBroken: With the law and the profile.
    """
    _require_common(game, (game.node_infoset, game.exact_terminal_payoffs, game.parent))
    for _ in range(num_profiles):
        profile = random_profile(game, rng=rng)
        reach = reach_probabilities(game, profile)
        below = np.full(game.num_nodes, ZERO, dtype=object)
        np.add.at(below, game.parent[1:], reach[1:])
        inner = np.flatnonzero(game.node_infoset >= 0)
        _require_equal(
            "children share their parent's reach",
            game,
            profile,
            reach[inner].tolist(),
            below[inner].tolist(),
        )
        law = outcome_distribution(game, profile)
        _require_equal("ends of play sum to one", game, profile, ONE, sum(law.tolist()))
        _require_equal(
            "payoffs are averages over ends of play",
            game,
            profile,
            (law @ game.exact_terminal_payoffs).tolist(),
            expected_payoffs(game, profile).tolist(),
        )
        if has_perfect_recall(game):
            _require_no_loss(game, profile)


def check_certificate(certificate: Certificate) -> None:
    """Check that a certificate verifies, and that it is rejected with any number changed.

    Raises:
        LawBroken: With the name of the field whose change went unnoticed.
        CertificateRejected: If the certificate itself is wrong.
    """
    certificate.verify()
    if not is_dataclass(certificate):
        return
    for field in fields(certificate):
        value = getattr(certificate, field.name)
        for changed in _changed(value):
            tampered = cast("Certificate", replace(certificate, **{field.name: changed}))
            try:
                tampered.verify()
            except CertificateRejected:
                continue
            raise LawBroken(
                f"check_certificate: a changed claim must be rejected, but {field.name} = "
                f"{changed} passes instead of {value} in a {certificate.kind} certificate."
            )


def _require_common(game: Game, arrays: tuple[Any, ...]) -> None:
    if any(array.flags.writeable for array in arrays):
        raise LawBroken(f"{game!r}: arrays must be read-only, but one can be written.")
    copy = pickle.loads(pickle.dumps(game))  # noqa: S301  (our own bytes)
    if copy != game or hash(copy) != hash(game) or copy.digest != game.digest:
        raise LawBroken(f"{game!r}: must equal its pickled copy, but does not.")


def _require_equal(law: str, game: Game, profile: object, wanted: object, found: object) -> None:
    if wanted != found:
        raise LawBroken(f"{game!r}: {law}, but {found} is not {wanted} for {profile}.")


def _require_no_loss(game: Game, profile: Any) -> None:
    gains = deviation_gains(game, profile).tolist()
    if min(gains) < 0:
        raise LawBroken(f"{game!r}: best responses lose nothing, but gains are {gains}: {profile}.")


def _changed(value: object) -> list[object]:
    if isinstance(value, Fraction):
        return [value + 1, value - Fraction(1, 10**9)]
    if isinstance(value, tuple):
        entries = cast("tuple[object, ...]", value)
        if entries and all(isinstance(entry, Fraction) for entry in entries):
            exact = cast("tuple[Fraction, ...]", entries)
            return [(*exact[:i], exact[i] + 1, *exact[i + 1 :]) for i in range(len(exact))]
    return []
