"""Security games: a defender covers some of many targets, an attacker picks one of them.

The attacker's choice and whether that target is covered decide all payoffs. A defender with ``m``
resources covers at most ``m`` targets, so pure strategies are far too many to list; how often each
target is covered says all that matters.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, cast

import numpy as np

from gametheory_core.arrays import (
    ONE,
    ExactArray,
    NumberArray,
    as_exact,
    freeze,
    hexadecimal,
    is_exact,
    number_array,
)
from gametheory_core.errors import InvalidGame
from gametheory_core.games.bayesian import exact_prior
from gametheory_core.labels import check_labels, label_or_number, numbered_labels

DEFENDER, ATTACKER = 0, 1
UNCOVERED, COVERED = 0, 1


@dataclass(frozen=True, eq=False, repr=False)
class SecurityGame:
    """A defender, identical resources, targets, and an attacker of one or several types.

    Attributes:
        targets: Labels.
        resources: How many targets can be covered at once.
        given_payoffs (types, 2, 2, targets): ``[type, player, covered, target]``: what defender (0)
            and attacker (1) get when the target is attacked, uncovered (0) or covered (1). Float64
            or exact; read-only. Cover never hurts the defender and never helps the attacker.
        types: Labels of the attacker's types.
        prior: How likely each type is: positive, summing to 1.
        title: For people; no part of the game's identity.
    """

    targets: tuple[str, ...]
    resources: int
    given_payoffs: NumberArray
    types: tuple[str, ...] = ("1",)
    prior: tuple[Fraction, ...] = (ONE,)
    title: str = ""

    def __post_init__(self) -> None:
        given = number_array(self.given_payoffs, where="payoffs")
        targets = check_labels(self.targets, kind="target", owner="SecurityGame")
        types = check_labels(self.types, kind="type", owner="SecurityGame")
        prior = exact_prior(self.prior, owner="SecurityGame")
        if (
            not targets
            or given.shape != (len(types), 2, 2, len(targets))
            or len(prior) != len(types)
        ):
            raise InvalidGame(
                needs="targets, payoffs of shape (types, 2, 2, targets) and a prior probability "
                "for "
                "each type",
                found=f"there are {len(targets)} targets, {len(types)} types, {len(prior)} "
                f"probabilities, and payoffs of shape {given.shape}",
            )
        if type(self.resources) is not int or not 0 <= self.resources <= len(targets):
            raise InvalidGame(
                needs=f"resources to be an integer from 0 to the number of targets, {len(targets)}",
                found=f"got {self.resources!r}",
            )
        _check_order(given, targets)
        for name, value in (
            ("given_payoffs", given),
            ("targets", targets),
            ("types", types),
            ("prior", prior),
        ):
            object.__setattr__(self, name, value)

    @staticmethod
    def from_payoffs(
        *,
        resources: int,
        defender_covered: object,
        defender_uncovered: object,
        attacker_covered: object,
        attacker_uncovered: object,
        targets: Sequence[str] | None = None,
        types: Sequence[str] | None = None,
        prior: object | None = None,
        title: str = "",
    ) -> "SecurityGame":
        """Build a game from four tables of payoffs, one number for each target.

        Args:
            resources: How many targets can be covered at once.
            defender_covered, defender_uncovered, attacker_covered, attacker_uncovered (sequences):
                What each gets when the target is attacked. With several types of attacker, a row
                for each type; a single row holds for all types. Numpy arrays of floats are kept as
                floats.
            targets, types: Default "1", "2", ...
            prior: One for each type. Default: all types are equally likely.

        Raises:
            InvalidGame: If tables, labels and prior do not fit each other, cover hurts the
                defender, or cover helps the attacker.

        >>> game = SecurityGame.from_payoffs(
        ...     resources=1,
        ...     defender_covered=[0, 0],
        ...     defender_uncovered=[-5, -2],
        ...     attacker_covered=[-1, -1],
        ...     attacker_uncovered=[5, 2],
        ... )
        >>> game.num_targets, game.num_types
        (2, 1)
        """
        given = {
            "defender_uncovered": defender_uncovered,
            "defender_covered": defender_covered,
            "attacker_uncovered": attacker_uncovered,
            "attacker_covered": attacker_covered,
        }
        tables = {name: _rows(values, name) for name, values in given.items()}
        num_types = max(len(table) for table in tables.values())
        width = tables["defender_covered"].shape[1]
        for name, table in tables.items():
            if table.shape[1] != width or len(table) not in (1, num_types):
                raise InvalidGame(
                    needs=f"{width} numbers in {name}, in one row or in {num_types} rows, one for "
                    "each type",
                    found=f"its shape is {table.shape}",
                )
        full = [_repeated(table, num_types) for table in tables.values()]
        if any(is_exact(table) for table in full):
            full = [as_exact(table) for table in full]
        payoffs = np.stack(full, axis=1).reshape(num_types, 2, 2, width)
        return SecurityGame(
            targets=tuple(targets) if targets is not None else numbered_labels(width),
            resources=resources,
            given_payoffs=freeze(payoffs),
            types=tuple(types) if types is not None else numbered_labels(num_types),
            prior=cast("Any", [Fraction(1, num_types)] * num_types if prior is None else prior),
            title=title,
        )

    @property
    def players(self) -> tuple[str, ...]:
        """Labels of defender and attacker."""
        return ("Defender", "Attacker")

    @property
    def num_players(self) -> int:
        """Two: defender and attacker."""
        return 2

    @property
    def num_targets(self) -> int:
        """Number of targets."""
        return len(self.targets)

    @property
    def num_types(self) -> int:
        """Number of the attacker's types."""
        return len(self.types)

    @cached_property
    def exact_payoffs(self) -> ExactArray:
        """Payoffs as ``Fraction`` objects, shape (types, 2, 2, targets); read-only."""
        return as_exact(self.given_payoffs)

    @cached_property
    def digest(self) -> str:
        """Content identity: SHA-256 over labels, resources, prior and exact payoffs."""
        content = hashlib.sha256(b"gametheory-core/security/1\n")
        content.update(repr((self.targets, self.types, self.resources)).encode())
        content.update(" ".join(map(hexadecimal, self.prior)).encode())
        content.update(" ".join(map(hexadecimal, self.exact_payoffs.ravel())).encode())
        return content.hexdigest()

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by the constructor, so that arrays are read-only again on the other side."""
        fields = (self.targets, self.resources, self.given_payoffs, self.types, self.prior)
        return (SecurityGame, (*fields, self.title))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SecurityGame) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return (
            f"SecurityGame({self.title!r}, {self.num_targets} targets, {self.resources} resources, "
            f"{self.num_types} types)"
        )


def _rows(values: object, name: str) -> NumberArray:
    table = number_array(values, where=name)
    if table.ndim not in (1, 2) or not table.size:
        raise InvalidGame(
            needs=f"a number for each target in {name}, in one row or one for each type",
            found=f"its shape is {table.shape}",
        )
    return table.reshape(1, -1) if table.ndim == 1 else table


def _repeated(table: NumberArray, count: int) -> NumberArray:
    return table if len(table) == count else np.repeat(table, count, axis=0)


def _check_order(payoffs: NumberArray, targets: tuple[str, ...]) -> None:
    """Refuse targets where cover hurts the defender or helps the attacker."""
    gains = payoffs[:, :, COVERED] - payoffs[:, :, UNCOVERED]
    for player, wrong, name in (
        (DEFENDER, gains[:, DEFENDER] < 0, "the defender at least as much"),
        (ATTACKER, gains[:, ATTACKER] > 0, "the attacker at most as much"),
    ):
        for t, i in np.argwhere(wrong).tolist():
            raise InvalidGame(
                needs=f"cover to give {name} as no cover",
                found=f"target {label_or_number(targets[i], i + 1)} gives "
                f"{payoffs[t, player, COVERED, i]} covered and "
                f"{payoffs[t, player, UNCOVERED, i]} uncovered (type {t + 1})",
                remedy="Swap the two numbers, or write the game as a BayesianGame.",
            )
