"""Laws that every game, conversion and certificate obeys, checked in rational arithmetic.

Each check raises ``LawBroken`` with the witness. They run on random exact profiles, so that a game
of one's own can be checked in a test with a line.
"""

import math
import pickle
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any, cast

import numpy as np

from gametheory_core.arrays import ONE, ZERO, ExactArray
from gametheory_core.certificates.certificate import Certificate
from gametheory_core.conversions.conversion import Conversion, Preserved
from gametheory_core.errors import CertificateRejected, LawBroken
from gametheory_core.evaluation.deviations import deviation_gains
from gametheory_core.evaluation.outcomes import outcome_distribution, reach_probabilities
from gametheory_core.evaluation.payoffs import expected_payoffs
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import has_perfect_recall
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.mixed import MixedProfile, pure_profile

Game = NormalFormGame | ExtensiveFormGame
AnyConversion = Conversion[Any, Any, Any, Any]

MAX_PURE_PROFILES = 200


def random_profile(game: Game, *, rng: np.random.Generator) -> Any:
    """Draw an exact profile with small denominators; zeros are likely."""
    if isinstance(game, NormalFormGame):
        return MixedProfile(tuple(_lottery(n, rng) for n in game.num_actions))
    infosets = game.infosets[: game.num_decision_infosets]
    return BehavioralProfile(tuple(_lottery(len(s.actions), rng) for s in infosets))


def check_normal_form(
    game: NormalFormGame, *, rng: np.random.Generator, num_profiles: int = 5
) -> None:
    """Check a normal form: read-only, pickled whole, payoffs as defined, no negative gain.

    Raises
    ------
    LawBroken
        With the law and the profile.
    """
    _require_common(game, (game.given_payoffs, game.exact_payoffs, game.payoffs))
    for _ in range(num_profiles):
        profile = random_profile(game, rng=rng)
        expected = [ZERO] * game.num_players
        for joint, weight in _joint_law(game, profile).items():
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

    Raises
    ------
    LawBroken
        With the law and the profile.
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


def check_conversion(
    conversion: AnyConversion, *, rng: np.random.Generator, num_profiles: int = 5
) -> None:
    """Check exactly what a conversion claims to preserve, on random exact profiles.

    Equilibria are also compared at all pure target profiles, where these are few.

    Raises
    ------
    LawBroken
        With the claim and the profile.
    """
    claims = conversion.preserves
    to_target, to_source = conversion.correspondence.to_target, conversion.correspondence.to_source
    for _ in range(num_profiles):
        profile = random_profile(conversion.source, rng=rng)
        _require_claims(conversion, profile, to_target(profile), to_target=True)
        if claims & _CLAIMS_BACK:
            image = random_profile(conversion.target, rng=rng)
            _require_claims(conversion, to_source(image), image, to_target=False)
    target = conversion.target
    if Preserved.NASH in claims and isinstance(target, NormalFormGame):
        if math.prod(target.num_actions) > MAX_PURE_PROFILES:
            return
        for joint in product(*map(range, target.num_actions)):
            image = pure_profile(target, joint)
            _require_claims(conversion, to_source(image), image, to_target=False)


def check_certificate(certificate: Certificate) -> None:
    """Check that a certificate verifies, and that it is rejected with any number changed.

    Raises
    ------
    LawBroken
        With the name of the field whose change went unnoticed.
    CertificateRejected
        If the certificate itself is wrong.
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


_CLAIMS_BACK = {
    Preserved.PAYOFFS_TO_SOURCE,
    Preserved.OUTCOMES_TO_SOURCE,
    Preserved.BEST_RESPONSES,
    Preserved.NASH,
}


def _require_claims(conversion: AnyConversion, before: Any, after: Any, *, to_target: bool) -> None:
    source, target, claims = conversion.source, conversion.target, conversion.preserves
    given, image = (before, after) if to_target else (after, before)

    def require(claim: Preserved, measure: Callable[[Any, Any], object]) -> None:
        if claim in claims:
            first, second = measure(source, before), measure(target, after)
            if first != second:
                raise LawBroken(
                    f"check_conversion: {claim.value}, but {source!r} has {first} and {target!r} "
                    f"has {second}, for {given} and its image {image}."
                )

    def law(game: Game, profile: Any) -> dict[Any, Fraction]:
        own = _joint_law(game, profile)
        return own if game is source else _pulled_back(conversion, own)

    payoffs, outcomes = (
        (Preserved.PAYOFFS_TO_TARGET, Preserved.OUTCOMES_TO_TARGET)
        if to_target
        else (Preserved.PAYOFFS_TO_SOURCE, Preserved.OUTCOMES_TO_SOURCE)
    )
    require(payoffs, lambda game, profile: expected_payoffs(game, profile).tolist())
    require(outcomes, law)
    require(Preserved.BEST_RESPONSES, lambda game, p: deviation_gains(game, p).tolist())
    require(Preserved.NASH, lambda game, p: max(deviation_gains(game, p)) == 0)


def _pulled_back(conversion: AnyConversion, law: dict[Any, Fraction]) -> dict[Any, Fraction]:
    out: dict[Any, Fraction] = {}
    for outcome, share in law.items():
        for origin, weight in conversion.correspondence.outcome_to_source(outcome):
            out[origin] = out.get(origin, ZERO) + share * weight
    return out


def _joint_law(game: Game, profile: Any) -> dict[Any, Fraction]:
    """Return the law of joint actions, or of terminal nodes, without those of weight zero."""
    if isinstance(game, ExtensiveFormGame):
        ends = outcome_distribution(game, profile).tolist()
        return {n: w for n, w in zip(game.terminals.tolist(), ends, strict=True) if w}
    law: dict[Any, Fraction] = {}
    for joint in product(*map(range, game.num_actions)):
        chosen = zip(profile.strategies, joint, strict=True)
        weight = math.prod((strategy[a] for strategy, a in chosen), start=ONE)
        if weight:
            law[joint] = weight
    return law


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


def _lottery(count: int, rng: np.random.Generator) -> ExactArray:
    weights = [int(w) for w in rng.integers(0, 3, size=count)]
    weights[int(rng.integers(count))] += 1  # so the sum is positive
    vector = np.empty(count, dtype=object)
    vector[:] = [Fraction(w, sum(weights)) for w in weights]
    return vector
