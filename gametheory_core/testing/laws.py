"""Laws that every game, conversion and certificate obeys, checked in rational arithmetic.

Each check raises ``LawBroken`` with the witness. They run on random exact profiles, so that a game
of one's own can be checked in a test with a line.

The law of conversions: what one claims to preserve is preserved, profile by profile.

That of Bayesian games: the Harsanyi transform pays what the game pays, both ways.
"""

import pickle
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod
from operator import mul
from typing import Any, cast

import numpy as np

from gametheory_core.arguments import described, require_instance
from gametheory_core.arrays import ONE, ZERO
from gametheory_core.certificates.claim import Certificate
from gametheory_core.conversions.bayesian_normal import harsanyi_transform
from gametheory_core.conversions.conversion import Conversion, Preserved
from gametheory_core.errors import (
    CertificateRejected,
    GameTheoryError,
    InvalidArgument,
    InvalidStrategy,
    LawBroken,
    UnsupportedGame,
    refusing_as,
)
from gametheory_core.evaluation.deviations import deviation_gains
from gametheory_core.evaluation.payoffs import (
    bayesian_payoffs,
    expected_payoffs,
    outcome_distribution,
    reach_probabilities,
)
from gametheory_core.evaluation.returns import expected_returns, return_gains
from gametheory_core.evaluation.trajectories import aec_trajectories, posg_trajectories
from gametheory_core.extensions import Play, kind_of_game
from gametheory_core.games.bayesian import BayesianGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import require_normal_form, require_tree
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import has_perfect_recall
from gametheory_core.games.rules import is_posg
from gametheory_core.strategies.mixed import MixedProfile
from gametheory_core.testing.profiles import balanced_profile, pure_profiles, random_profile
from gametheory_core.testing.rule_laws import check_aec, check_posg
from gametheory_core.testing.rule_walk import aec_situations, posg_situations, recurring_situation

AnyConversion = Conversion[Any, Any, Any, Any]

MAX_PURE_PROFILES = 200  # of a normal form
MAX_PURE_POLICIES = 16  # of trees and rules, whose gains take longer

_LISTED = NormalFormGame | BayesianGame | ExtensiveFormGame  # play of these ends
_OUTCOMES = (Preserved.OUTCOMES_TO_TARGET, Preserved.OUTCOMES_TO_SOURCE)
_BOTH_WAYS = frozenset({Preserved.BEST_RESPONSES, Preserved.NASH})
_TO_TARGET = _BOTH_WAYS | {Preserved.PAYOFFS_TO_TARGET, Preserved.OUTCOMES_TO_TARGET}
_TO_SOURCE = _BOTH_WAYS | {Preserved.PAYOFFS_TO_SOURCE, Preserved.OUTCOMES_TO_SOURCE}


def check_conversion(
    conversion: AnyConversion, *, rng: np.random.Generator, num_profiles: int = 5
) -> None:
    """Check exactly what a conversion claims to preserve, on random exact profiles.

    Source and target may be normal forms, Bayesian games, trees, POSGs and AEC games, as rules or
    as tables, and games of kinds that a room has registered with a ``Play``. Policies of POSGs and
    AEC games depend on all that a player has seen and done; one profile is a pure one, whose tables
    say nothing where play cannot get. Where equilibria are claimed, they are also compared at the
    uniform profile and at pure ones of both games: all, if these are few. The distribution over
    terminal histories is compared as ``conversion.correspondence.outcome_to_source`` pulls it back.

    Args:
        num_profiles: Random profiles of each game.

    Raises:
        LawBroken: With the claim and the profile; also if a profile cannot be carried in a
            direction about which something is claimed.
        UnsupportedGame: If the source is a POSG or an AEC game in which play can continue forever:
            its plays cannot be listed. Stop it before converting. Also if a game is of a kind that
            nobody has said how to play.

    >>> from gametheory_core import load_game
    >>> from gametheory_core.conversions import aec_to_posg, posg_to_aec
    >>> rng = np.random.default_rng(0)
    >>> check_conversion(posg_to_aec(load_game("public_coin")), rng=rng)
    >>> check_conversion(aec_to_posg(load_game("random_order_team")), rng=rng)
    """
    require_instance(
        conversion,
        Conversion,
        name="conversion",
        remedy="Give what a conversion returns, such as posg_to_aec(game).",
        where="check_conversion",
    )
    _require_end(conversion.source)
    for to_target, claims in ((True, _TO_TARGET), (False, _TO_SOURCE)):
        if not conversion.preserves & claims:
            continue
        for profile in _profiles(conversion, rng, num_profiles, to_target=to_target):
            _check_profile(conversion, profile, to_target=to_target)


def _profiles(
    conversion: AnyConversion, rng: np.random.Generator, num_profiles: int, *, to_target: bool
) -> list[Any]:
    game = conversion.source if to_target else conversion.target
    play = _registered_play(game)
    if play is not None:
        return [play.draw(game, rng) for _ in range(num_profiles)]
    profiles = [random_profile(game, rng=rng) for _ in range(num_profiles)]
    most = 1  # which is a table, where the random profiles of rules are functions
    if Preserved.NASH in conversion.preserves:
        most = MAX_PURE_PROFILES if isinstance(game, NormalFormGame) else MAX_PURE_POLICIES
        profiles.append(balanced_profile(game))
    return [*profiles, *pure_profiles(game, rng=rng, most=most)]


def _check_profile(conversion: AnyConversion, given: Any, *, to_target: bool) -> None:
    image = _carried(conversion, given, to_target=to_target)
    before, after = (given, image) if to_target else (image, given)
    broken = partial(_broken, conversion, given, to_target=to_target)

    def require(claim: Preserved, measure: Callable[[Any, Any], object]) -> None:
        if claim not in conversion.preserves:
            return
        try:
            first, second = measure(conversion.source, before), measure(conversion.target, after)
            if claim in _OUTCOMES:
                second = _pulled_back(conversion, cast("dict[Any, Fraction]", second))
        except InvalidStrategy as error:
            raise broken(claim, f"the image does not fit: {error}") from error
        if first != second:
            raise broken(claim, _difference(first, second))

    payoffs, outcomes = (
        (Preserved.PAYOFFS_TO_TARGET, Preserved.OUTCOMES_TO_TARGET)
        if to_target
        else (Preserved.PAYOFFS_TO_SOURCE, Preserved.OUTCOMES_TO_SOURCE)
    )
    require(payoffs, _payoffs)
    require(outcomes, outcome_law)
    require(Preserved.BEST_RESPONSES, _gains)
    require(Preserved.NASH, lambda game, profile: max(_gains(game, profile)) == 0)


def _carried(conversion: AnyConversion, profile: Any, *, to_target: bool) -> Any:
    ways = conversion.correspondence
    try:
        return ways.to_target(profile) if to_target else ways.to_source(profile)
    except GameTheoryError as error:
        claims = conversion.preserves & (_TO_TARGET if to_target else _TO_SOURCE)
        claim = min(claims, key=lambda claim: claim.name)
        what = f"it has no image: {error}"
        raise _broken(conversion, profile, claim, what, to_target=to_target) from error


def _broken(
    conversion: AnyConversion, profile: Any, claim: Preserved, what: str, *, to_target: bool
) -> LawBroken:
    game = "source" if to_target else "target"
    return LawBroken(
        f"check_conversion: {claim.value}, but from {conversion.source!r} to "
        f"{conversion.target!r}, {what} The profile of the {game} is {profile!r}.",
        witness=profile,
    )


def _difference(first: Any, second: Any) -> str:
    """Say what differs; of distributions over them the first end that does."""
    if not isinstance(first, dict):
        return f"the source has {_shown(first)} and the target {_shown(second)}."
    ends = {**first, **second}
    end = next(e for e in ends if first.get(e, ZERO) != second.get(e, ZERO))
    odds = first.get(end, ZERO), second.get(end, ZERO)
    return f"the source ends in {end!r} with probability {odds[0]} and the target with {odds[1]}."


def _shown(value: object) -> str:
    return str([str(x) for x in value]) if isinstance(value, list) else str(value)


def _registered_play(game: object) -> Play | None:
    """Return how games of a kind that a room has registered are played; None for other games."""
    if isinstance(game, _LISTED) or hasattr(game, "legal_actions"):
        return None
    kind = kind_of_game(game)
    if kind is None or kind.play is None:
        raise UnsupportedGame(
            needs="a game of a kind that is said how to play",
            found=f"got {described(game)}",
            remedy="Register a GameKind with play=Play(...).",
            where="check_conversion",
        )
    return kind.play


def _payoffs(game: Any, profile: Any) -> list[Fraction]:
    if play := _registered_play(game):
        return list(play.payoffs(game, profile))
    if isinstance(game, BayesianGame):
        leader, *types = bayesian_payoffs(game, profile)
        return [leader, sum(map(mul, game.prior, types), ZERO)]
    if isinstance(game, NormalFormGame | ExtensiveFormGame):
        return expected_payoffs(game, profile).tolist()
    return expected_returns(game, profile).tolist()


def _gains(game: Any, profile: Any) -> list[Fraction]:
    if isinstance(game, NormalFormGame | ExtensiveFormGame):
        return deviation_gains(game, profile).tolist()
    if not hasattr(game, "legal_actions"):
        raise UnsupportedGame(
            needs="matrices, trees or rules where best responses are claimed to be preserved",
            found=f"got {described(game)}",
            where="check_conversion",
        )
    return return_gains(game, profile).tolist()


def outcome_law(game: Any, profile: Any) -> dict[Any, Fraction]:
    """Return the law of joint actions, terminal nodes or plays, without those of weight zero.

    Of a Bayesian game, that of the type with the actions of the leader and of that type.
    """
    if play := _registered_play(game):
        return dict(play.outcomes(game, profile))
    if isinstance(game, NormalFormGame):
        return _joint_law(game, profile)
    if isinstance(game, BayesianGame):
        return _typed_law(game, profile)
    if isinstance(game, ExtensiveFormGame):
        ends = outcome_distribution(game, profile).tolist()
        return {n: w for n, w in zip(game.terminals.tolist(), ends, strict=True) if w}
    follow: Any = posg_trajectories if is_posg(game) else aec_trajectories
    return dict(follow(game, profile).items)


def _joint_law(game: NormalFormGame, profile: Any) -> dict[Any, Fraction]:
    law: dict[Any, Fraction] = {}
    for joint in product(*map(range, game.num_actions)):
        chosen = zip(profile.strategies, joint, strict=True)
        weight = prod((strategy[a] for strategy, a in chosen), start=ONE)
        if weight:
            law[joint] = weight
    return law


def _typed_law(game: BayesianGame, profile: MixedProfile) -> dict[Any, Fraction]:
    leader, *types = (strategy.tolist() for strategy in profile.strategies)
    law: dict[Any, Fraction] = {}
    for t, (prior, own) in enumerate(zip(game.prior, types, strict=True)):
        for (row, x), (action, y) in product(enumerate(leader), enumerate(own)):
            if prior * x * y:
                law[t, row, action] = prior * x * y
    return law


def _pulled_back(conversion: AnyConversion, law: dict[Any, Fraction]) -> dict[Any, Fraction]:
    out: dict[Any, Fraction] = {}
    for outcome, share in law.items():
        for origin, weight in conversion.correspondence.outcome_to_source(outcome):
            out[origin] = out.get(origin, ZERO) + share * weight
    return out


def _require_end(game: Any) -> None:
    """Refuse rules in which play can come back to where it was, and so continue forever."""
    if isinstance(game, _LISTED) or _registered_play(game) or game.horizon is not None:
        return
    graph = posg_situations(game) if is_posg(game) else aec_situations(game)
    again = recurring_situation(graph)
    if again is not None:
        stop = "stop_posg(game, steps=...)" if is_posg(game) else "stop_aec(game, moves=...)"
        raise UnsupportedGame(
            needs="plays that end",
            found=f"{game.title or game!r} has no horizon and can come back to state {again[0]!r}",
            remedy=f"Stop the game before converting it: {stop}.",
        )


def check_bayesian(
    game: BayesianGame,
    *,
    rng: np.random.Generator,
    num_profiles: int = 5,
    max_profiles: int = 20_000,
) -> None:
    """Check on random exact profiles that a Bayesian game and its Harsanyi transform pay the same.

    The follower of the normal form gets what the types get, averaged over the prior.

    Args:
        num_profiles: Random profiles of each of the two games.
        max_profiles: The largest normal form to build, in joint actions.

    Raises:
        LawBroken: As ``check_conversion``.
        UnsupportedGame: If the normal form would be too large.
    """
    with refusing_as("check_bayesian"):
        conversion = harsanyi_transform(game, max_profiles=max_profiles)
    check_conversion(conversion, rng=rng, num_profiles=num_profiles)


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
    with refusing_as("check_normal_form"):
        require_normal_form(game)
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
    with refusing_as("check_tree"):
        require_tree(game)
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
        _require_equal("terminal histories sum to one", game, profile, ONE, sum(law.tolist()))
        _require_equal(
            "payoffs are averages over terminal histories",
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
    if isinstance(certificate, type) or not hasattr(certificate, "verify"):
        raise InvalidArgument(
            needs="a certificate",
            found=f"got {described(certificate)}",
            remedy="Give what certify_nash returns, or the certificate of a solution.",
            where="check_certificate",
        )
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
                found=f"a changed claim must be rejected, but {field.name} = {changed} passes "
                f"instead of {value} in a {certificate.kind} certificate",
                where="check_certificate",
            )


def _require_common(game: NormalFormGame | ExtensiveFormGame, arrays: tuple[Any, ...]) -> None:
    if any(array.flags.writeable for array in arrays):
        raise LawBroken(found="arrays must be read-only, but one can be written", where=repr(game))
    copy = pickle.loads(pickle.dumps(game))  # noqa: S301  (our own bytes)
    if copy != game or hash(copy) != hash(game) or copy.digest != game.digest:
        raise LawBroken(found="must equal its pickled copy, but does not", where=repr(game))


def _require_equal(
    law: str,
    game: NormalFormGame | ExtensiveFormGame,
    profile: object,
    wanted: object,
    found: object,
) -> None:
    if wanted != found:
        raise LawBroken(found=f"{law}, but {found} is not {wanted} for {profile}", where=repr(game))


def _require_no_loss(game: NormalFormGame | ExtensiveFormGame, profile: Any) -> None:
    gains = deviation_gains(game, profile).tolist()
    if min(gains) < 0:
        raise LawBroken(
            found=f"best responses lose nothing, but gains are {gains}: {profile}", where=repr(game)
        )


def _changed(value: object) -> list[object]:
    if isinstance(value, Fraction):
        return [value + 1, value - Fraction(1, 10**9)]
    if isinstance(value, tuple):
        entries = cast("tuple[object, ...]", value)
        if entries and all(isinstance(entry, Fraction) for entry in entries):
            exact = cast("tuple[Fraction, ...]", entries)
            return [(*exact[:i], exact[i] + 1, *exact[i + 1 :]) for i in range(len(exact))]
    return []
