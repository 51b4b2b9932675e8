"""Bayesian games of a leader and a follower of unknown type, and security games, which are such.

Each type is a bimatrix game: the leader's actions, the actions of that type, and what both get.
The follower learns its type before it answers; the leader never does.

Security games: a defender covers some of many targets, an attacker picks one of them.

The attacker's choice and whether that target is covered decide all payoffs. A defender with ``m``
resources covers at most ``m`` targets, so pure strategies are far too many to list; how often each
target is covered says all that matters.
"""

import hashlib
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, cast

import numpy as np

from gametheory_core.arguments import (
    check_labels,
    label_or_number,
    numbered_labels,
    require_instance,
)
from gametheory_core.array_likes import axes_of, places_of, plain
from gametheory_core.arrays import (
    ONE,
    ExactArray,
    NumberArray,
    as_exact,
    freeze,
    hexadecimal,
    is_exact,
    number_array,
    reading_floats,
)
from gametheory_core.errors import InvalidGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.table_content import by_constructor, hash_of_content, keep, same_content
from gametheory_core.probabilities import normalized, wrong_sum


@dataclass(frozen=True, eq=False, repr=False)
class BayesianGame:
    """A leader, and a follower of one of several types, each with actions and payoffs of its own.

    Attributes:
        types: Labels of the follower's types.
        prior: How likely each type is: positive, summing to 1.
        games: What is played with each type: two players, the leader first. Players and the
            leader's actions are the same in all of them; the follower's actions may differ.
        title: For people; no part of the game's identity.
    """

    types: tuple[str, ...]
    prior: tuple[Fraction, ...]
    games: tuple[NormalFormGame, ...]
    title: str = ""
    num_players = 2

    def __post_init__(self) -> None:
        games = tuple(self.games)
        _check_games(games)
        types = check_labels(self.types, kind="type")
        prior = exact_prior(self.prior)
        for name, found in (("labels of types", types), ("prior probabilities", prior)):
            if len(found) != len(games):
                raise InvalidGame(
                    needs="one game for each type",
                    found=f"there are {len(games)} games and {len(found)} {name}",
                )
        keep(self, games=games, types=types, prior=prior)

    @staticmethod
    def from_payoffs(
        leader_payoffs: Sequence[object],
        follower_payoffs: Sequence[object],
        *,
        prior: object,
        players: Sequence[str] = ("Leader", "Follower"),
        types: Sequence[str] | None = None,
        leader_actions: Sequence[str] | None = None,
        follower_actions: Sequence[Sequence[str]] | None = None,
        title: str = "",
        decimals: bool = False,
    ) -> "BayesianGame":
        """Build a game from a payoff matrix of each player for each type.

        Args:
            leader_payoffs, follower_payoffs: For each type, shape (leader's actions, actions of
                that type): what ``NormalFormGame.bimatrix`` takes, data frames included.
            prior (sequence of numbers): One for each type. Floats that miss a sum of 1 only by
                rounding are divided by their exact sum. The labels of a series are those of types.
            players: Leader and follower.
            types, leader_actions: Default those of the series and the frames, else "1", "2", ...
            follower_actions: For each type. Default the same.
            decimals: Whether a float means the shortest decimal that is read as it (0.1 as 1/10).

        Raises:
            InvalidGame: If a matrix is malformed, or numbers and labels do not fit each other.

        >>> game = BayesianGame.from_payoffs(
        ...     [[[2, 4], [1, 3]], [[0], [1]]], [[[1, 0], [0, 1]], [[0], [0]]], prior=["1/3", "2/3"]
        ... )
        >>> game.num_actions
        (2, 2, 1)
        """
        for option, given in (
            ("leader_payoffs", leader_payoffs),
            ("follower_payoffs", follower_payoffs),
            ("follower_actions", () if follower_actions is None else follower_actions),
        ):
            remedy = "Give one entry for each type."
            require_instance(given, (Sequence, np.ndarray), name=option, remedy=remedy)
        if len(leader_payoffs) != len(follower_payoffs):
            raise InvalidGame(
                needs="a matrix of the leader and one of the follower for each type",
                found=f"got {len(leader_payoffs)} and {len(follower_payoffs)}",
            )
        if follower_actions is not None and len(follower_actions) != len(leader_payoffs):
            raise InvalidGame(
                needs="action labels for each type",
                found=f"got them for {len(follower_actions)} of {len(leader_payoffs)}",
            )
        games: list[NormalFormGame] = []
        for t, (own, others) in enumerate(zip(leader_payoffs, follower_payoffs, strict=True)):
            first = games[0].actions[0] if games and axes_of(own) else None
            second = None if follower_actions is None else follower_actions[t]
            wanted = (first if leader_actions is None else leader_actions, second)
            with refusing_type(t + 1):
                games.append(_game_with(own, others, players, wanted, decimals=decimals))
        with reading_floats(decimals=decimals):
            named, shares = labelled_prior(prior, types, count=len(games))
        return BayesianGame(named, shares, tuple(games), title)

    @property
    def players(self) -> tuple[str, ...]:
        """Labels of leader and follower."""
        return self.games[0].players

    @property
    def num_types(self) -> int:
        """Number of the follower's types."""
        return len(self.types)

    @property
    def leader_actions(self) -> tuple[str, ...]:
        """Labels of the leader's actions."""
        return self.games[0].actions[0]

    @property
    def follower_actions(self) -> tuple[tuple[str, ...], ...]:
        """Labels of each type's actions."""
        return tuple(game.actions[1] for game in self.games)

    @property
    def num_actions(self) -> tuple[int, ...]:
        """Number of actions of the leader, then of each type, as in a profile of this game."""
        return (len(self.leader_actions), *map(len, self.follower_actions))

    @cached_property
    def digest(self) -> str:
        """Content identity: SHA-256 over types, prior and the digests of the games."""
        content = hashlib.sha256(b"gametheory-core/bayesian/1\n")
        content.update(repr(self.types).encode())
        content.update(" ".join(map(hexadecimal, self.prior)).encode())
        content.update(" ".join(game.digest for game in self.games).encode())
        return content.hexdigest()

    __reduce__, __eq__, __hash__ = by_constructor, same_content, hash_of_content

    def __repr__(self) -> str:
        first, *others = self.num_actions
        sizes = " or ".join(map(str, sorted(set(others))))
        return (
            f"BayesianGame({self.title!r}, {self.num_types} types, {first} x {sizes} actions each)"
        )


def _game_with(
    own: object,
    others: object,
    players: Sequence[str],
    actions: tuple[Sequence[str] | None, Sequence[str] | None],
    *,
    decimals: bool,
) -> NormalFormGame:
    """Return what is played with a type, with actions as given, else as frames label them."""
    plain = NormalFormGame.bimatrix(own, others, players=players, decimals=decimals)
    pairs = zip(actions, plain.actions, strict=True)
    wanted: Any = tuple(given if given is not None else found for given, found in pairs)
    if not (axes_of(own) or axes_of(others)):
        return replace(plain, actions=wanted)
    return NormalFormGame.bimatrix(own, others, players=players, actions=wanted, decimals=decimals)


@contextmanager
def refusing_type(number: int) -> Generator[None]:
    """Let refusals of a game name the type with which it is played."""
    try:
        yield
    except InvalidGame as error:
        raise error.changed(where=f"type {number}: {error.where}") from None


def _check_games(games: tuple[object, ...]) -> None:
    if not games:
        raise InvalidGame(needs="at least one type of follower", found="got none")
    first = games[0]
    for t, game in enumerate(games):
        if not isinstance(game, NormalFormGame) or game.num_players != 2:
            raise InvalidGame(
                needs="a two-player normal form for each type",
                found=f"type {t + 1} has {game!r}",
                remedy="Use NormalFormGame.bimatrix(leader's, follower's payoffs).",
            )
        reference = cast("NormalFormGame", first)
        for name, own, given in (
            ("players", reference.players, game.players),
            ("actions of the leader", reference.actions[0], game.actions[0]),
        ):
            if own != given:
                raise InvalidGame(
                    needs=f"the same {name} with all types",
                    found=f"type 1 has {own} and type {t + 1} has {given}",
                )


def exact_prior(prior: object) -> tuple[Fraction, ...]:
    """Read the probabilities of types exactly; floats may miss a sum of 1 by their rounding."""
    given = plain(prior, where="prior")
    numbers = number_array(given, where="prior")
    if numbers.ndim != 1:
        raise InvalidGame(
            needs="one prior probability for each type",
            found=f"the prior's shape is {numbers.shape}",
        )
    exact = cast("list[Fraction]", as_exact(numbers).tolist())
    for t, probability in enumerate(exact):
        if probability <= 0:
            raise InvalidGame(
                needs="a probability above 0 for each type",
                found=f"{label_or_number('', t + 1)} has {probability}",
                remedy="Leave the type out.",
            )
    found = normalized(exact, given=given)
    if found is None:
        needs = "prior probabilities that sum to 1"
        raise wrong_sum(exact, given=given, kind=InvalidGame, owner=None, needs=needs)
    return found


def labelled_prior(
    prior: object, types: Sequence[str] | None, *, count: int
) -> tuple[tuple[str, ...], tuple[Fraction, ...]]:
    """Return labels of types, and the probability of each in their order; a series is matched."""
    shares = exact_prior(prior)
    own = next((axis.labels for axis in axes_of(prior)), None)
    if own is None or types is None:
        labels = types if types is not None else own or numbered_labels(count)
        return cast("tuple[str, ...]", labels), shares
    places = places_of(tuple(map(str, types)), own, kind="type", where="prior")
    return tuple(types), tuple(shares[place] for place in places)


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
    players = ("Defender", "Attacker")
    num_players = 2

    def __post_init__(self) -> None:
        given = number_array(self.given_payoffs, where="payoffs")
        targets = check_labels(self.targets, kind="target")
        types = check_labels(self.types, kind="type")
        prior = exact_prior(self.prior)
        if (
            not targets
            or given.shape != (len(types), 2, 2, len(targets))
            or len(prior) != len(types)
        ):
            raise InvalidGame(
                needs="targets, payoffs of shape (types, 2, 2, targets) and a prior probability "
                "for each type",
                found=f"there are {len(targets)} targets, {len(types)} types, {len(prior)} "
                f"probabilities, and payoffs of shape {given.shape}",
            )
        if type(self.resources) is not int or not 0 <= self.resources <= len(targets):
            raise InvalidGame(
                needs=f"resources to be an integer from 0 to the number of targets, {len(targets)}",
                found=f"got {self.resources!r}",
            )
        _check_order(given, targets)
        keep(self, given_payoffs=given, targets=targets, types=types, prior=prior)

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
        decimals: bool = False,
    ) -> "SecurityGame":
        """Build a game from four tables of payoffs, one number for each target.

        Args:
            resources: How many targets can be covered at once.
            defender_covered, defender_uncovered, attacker_covered, attacker_uncovered (sequences):
                What each gets when the target is attacked. With several types of attacker, a row
                for each type; a single row holds for all types. Arrays of floats are kept as
                floats. The labels of series, and of columns of frames, are those of targets, and
                they are matched by label; the index of a frame has those of types.
            targets, types: Default those of series and frames, else "1", "2", ...
            prior: One for each type, as for ``BayesianGame.from_payoffs``. Default: all types are
                equally likely.
            decimals: Whether a float means the shortest decimal that is read as it (0.1 as 1/10).

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
        with reading_floats(decimals=decimals):
            return _security_game(resources, given, targets, types, prior, title)

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

    __reduce__, __eq__, __hash__ = by_constructor, same_content, hash_of_content

    def __repr__(self) -> str:
        return (
            f"SecurityGame({self.title!r}, {self.num_targets} targets, {self.resources} resources, "
            f"{self.num_types} types)"
        )


def _security_game(
    resources: int,
    given: dict[str, object],
    targets: Sequence[str] | None,
    types: Sequence[str] | None,
    prior: object | None,
    title: str,
) -> SecurityGame:
    """Build a game from tables by name, uncovered before covered and the defender's first."""
    rows = {name: _rows(values, name) for name, values in given.items()}
    targets = _labels_of(rows, given, targets, axis=-1, kind="target")
    types = _labels_of(rows, given, types, axis=0, kind="type")
    tables = list(rows.values())
    num_types = max(map(len, tables))
    width = rows["defender_covered"].shape[1]
    for name, table in rows.items():
        if table.shape[1] != width or len(table) not in (1, num_types):
            raise InvalidGame(
                needs=f"{width} numbers in {name}, in one row or in {num_types} rows, one for "
                "each type",
                found=f"its shape is {table.shape}",
            )
    full = [np.broadcast_to(table, (num_types, width)) for table in tables]
    if any(is_exact(table) for table in full):
        full = [as_exact(table) for table in full]
    equal = [Fraction(1, num_types)] * num_types
    named, shares = labelled_prior(equal if prior is None else prior, types, count=num_types)
    return SecurityGame(
        targets=cast("Any", numbered_labels(width) if targets is None else targets),
        resources=resources,
        given_payoffs=freeze(np.stack(full, axis=1).reshape(num_types, 2, 2, width)),
        types=named,
        prior=shares,
        title=title,
    )


def _labels_of(
    rows: dict[str, NumberArray],
    given: dict[str, object],
    wanted: Sequence[str] | None,
    *,
    axis: int,
    kind: str,
) -> Sequence[str] | None:
    """Return the labels of targets or types, after bringing all tables into their order.

    Args:
        rows: Tables by name, (types, targets) each; changed in place.
        given: What they were read from.
        axis: -1 for targets, 0 for types, which only frames name.
    """
    found = {
        name: axes[axis].labels
        for name, values in given.items()
        if (axes := axes_of(values)) and (axis == -1 or len(axes) == 2)
    }
    ordered = (found.get("defender_covered"), *found.values())  # the first that is asked for
    first = next(filter(None, ordered), None)
    labels = first if wanted is None else tuple(map(str, wanted))
    for name, own in found.items():
        if own is not None and labels is not None:
            places = places_of(labels, own, kind=kind, where=name)
            rows[name] = np.take(rows[name], places, axis=axis)
    return labels if first is not None else wanted


def _rows(values: object, name: str) -> NumberArray:
    table = number_array(values, where=name)
    if table.ndim not in (1, 2) or not table.size:
        raise InvalidGame(
            needs=f"a number for each target in {name}, in one row or one for each type",
            found=f"its shape is {table.shape}",
        )
    return table.reshape(1, -1) if table.ndim == 1 else table


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
