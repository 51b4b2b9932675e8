"""Minimax strategies of games too large for a table, proved by best responses over all actions.

The row player's mixture ``x`` guarantees ``lower = min over all columns b of x'A[:, b]``, and the
column player's ``y`` concedes ``upper = max over all rows a of A[a, :]y``. The value of the game
lies between the two. In an implicit game both are found by looking at every action, block by block,
with memory for one block. In a game of oracles they are what the oracles say: such a certificate
rests on them, and says so.

A block is first multiplied in floats. Let ``M`` be its largest entry and ``k`` the size of the
support: the error is below ``(k + 4) (M 2**-52 + 2**-1074)``, so that only actions within twice
that of the best are computed exactly, equal ones once.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, TypeAlias, cast

import numpy as np

from gametheory_core.arguments import require_instance, require_integer, shown
from gametheory_core.arrays import ZERO, NumberArray, to_fraction
from gametheory_core.certificates.claim import (
    bounds_middle,
    bounds_statement,
    bounds_width,
    compare_bounds,
)
from gametheory_core.certificates.wording import rejecting
from gametheory_core.distributions import Distribution
from gametheory_core.errors import InvalidGame, InvalidStrategy
from gametheory_core.games.implicit import (
    ImplicitGame,
    Mixture,
    OracleGame,
    implicit_payoffs,
    oracle_payoff,
    require_no_wrapping,
)

LargeGame: TypeAlias = ImplicitGame | OracleGame
Mixtures: TypeAlias = tuple[Mixture, Mixture]

BLOCK_ENTRIES = 2**20  # payoffs that are computed at once
ROUNDING = 2.0**-52
LEAST_FLOAT = 2.0**-1074
MOST_KINDS = 64  # of rows that are near the best, before each is looked at
ORACLES = ("best_row", "best_column")


@dataclass(frozen=True)
class ImplicitReply:
    """A best response to a mixture, and what the row player then gets.

    Attributes:
        action: Of several in an implicit game, the one of the lowest number.
        value: The expected payoff of the row player, exactly.
    """

    action: Any
    value: Fraction


def implicit_best_response(game: LargeGame, mixture: Mixture, *, player: int) -> ImplicitReply:
    """Find the best of all actions against the other player's mixture.

    Args:
        mixture: Of the other player.
        player: Who responds: 0 maximises the row player's payoff, 1 minimises it.

    Raises:
        InvalidArgument: If the game, the mixture or the player is none.
        InvalidGame: If payoffs are none, or an oracle names a payoff that its action does not get.
        InvalidStrategy: If the mixture holds what is no action.

    >>> from gametheory_core.distributions import uniform
    >>> game = ImplicitGame(lambda row, column: abs(row - column), (1000, 1000))
    >>> reply = implicit_best_response(game, uniform((0, 999)), player=0)
    >>> reply.action, str(reply.value)
    (0, '999/2')
    """
    require_instance(game, (ImplicitGame, OracleGame), name="game")
    require_integer(player, name="player", low=0, high=1)
    require_instance(mixture, Distribution, name="mixture", remedy="Use distribution(...).")
    mixture = Distribution(mixture.items)  # refuses what was changed past the constructor
    if isinstance(game, OracleGame):
        return _from_oracle(game, mixture, player)
    others = game.num_actions[1 - player]
    for action, _ in mixture:
        if not isinstance(action, int | np.integer) or not 0 <= action < others:
            raise InvalidStrategy(
                needs=f"actions from 0 to {others - 1} of player {game.players[1 - player]!r}",
                found=f"the mixture has {shown(action)}",
            )
    return _by_looking_at_all(game, mixture, player)


def supports(profile: tuple[Mixture, ...]) -> tuple[list[int], ...]:
    """Return the numbers of the actions that are mixed, of each player."""
    return tuple([int(action) for action, _ in mixture] for mixture in profile)


def _by_looking_at_all(game: ImplicitGame, mixture: Mixture, player: int) -> ImplicitReply:
    (support,) = supports((mixture,))
    weights = [weight for _, weight in mixture]
    floats = np.array([float(weight) for weight in weights])
    sign = 1 if player == 0 else -1
    best: ImplicitReply | None = None
    size = max(1, BLOCK_ENTRIES // len(support))
    for start in range(0, game.num_actions[player], size):
        own = range(start, min(start + size, game.num_actions[player]))
        block = _block(game, np.arange(own.start, own.stop), support, player)
        for i in _promising(block, floats, sign, best and best.value):
            value = _exactly(block[i].tolist(), weights)
            if best is None or sign * value > sign * best.value:
                best = ImplicitReply(own[i], value)
    return cast("ImplicitReply", best)


def _block(game: ImplicitGame, own: Any, support: list[int], player: int) -> NumberArray:
    """Return payoffs of the row player: a row for each own action, a column for each other one."""
    if player == 0:
        return implicit_payoffs(game, own, support)
    return implicit_payoffs(game, support, own).T


def _promising(block: NumberArray, weights: Any, sign: int, best: Fraction | None) -> list[int]:
    """Return one row of each kind that may be the best; none if what is known is surely better."""
    try:
        rough = block.astype(np.float64)
        known = -np.inf if best is None else sign * float(best)
    except OverflowError:
        return list(range(len(block)))
    with np.errstate(over="ignore"):
        values = sign * (rough @ weights)
    if not np.isfinite(values).all():
        return list(range(len(block)))
    error = (len(weights) + 4) * (float(np.abs(rough).max()) * ROUNDING + LEAST_FLOAT)
    least = max(values.max(), known) - 2 * error
    near = np.flatnonzero(values >= least)
    kinds: list[int] = []
    while near.size and len(kinds) < MOST_KINDS:
        kinds.append(int(near[0]))
        near = near[(block[near] != block[near[0]]).any(axis=1)]
    return sorted(kinds + near.tolist())


def _exactly(payoffs: list[Any], weights: list[Fraction]) -> Fraction:
    return sum((Fraction(p) * w for p, w in zip(payoffs, weights, strict=True)), ZERO)


def _from_oracle(game: OracleGame, mixture: Mixture, player: int) -> ImplicitReply:
    """Ask an oracle, and refuse it where its action does not get what it says."""
    name = ORACLES[player]
    answer = getattr(game, name)(mixture)
    if not (isinstance(answer, tuple) and len(answer) == 2 and isinstance(answer[0], Hashable)):
        raise InvalidGame(
            needs=f"{name} to return an action that can be hashed, and its expected payoff",
            found=f"it returns {shown(answer)}",
        )
    action, said = answer[0], to_fraction(answer[1], where=f"payoff that {name} names")
    value = implicit_expected_payoff(game, action, mixture, player=player)
    if said != value:
        raise InvalidGame(
            needs=f"{name} to name the payoff of its action",
            found=f"it says that {shown(action)} pays {said}, which pays {value} against "
            f"{shown(mixture)}",
            remedy="Return the exact expected payoff of the row player.",
            witness=(action, mixture),
        )
    return ImplicitReply(action, value)


def implicit_expected_payoff(
    game: LargeGame, action: Any, mixture: Mixture, *, player: int
) -> Fraction:
    """Return what the row player gets where one player plays an action and the other a mixture."""
    if isinstance(game, ImplicitGame):
        support = [int(other) for other, _ in mixture]
        (payoffs,) = _block(game, [action], support, player).tolist()
    else:
        pairs = [(action, other) if player == 0 else (other, action) for other, _ in mixture]
        payoffs = [oracle_payoff(game, *pair) for pair in pairs]
    return _exactly(payoffs, [weight for _, weight in mixture])


def certify_implicit_minimax(game: LargeGame, profile: Mixtures) -> "ImplicitMinimaxCertificate":
    """Measure what both mixtures guarantee, against all actions, and state it as a certificate.

    Args:
        profile: Of the row player and of the column player.

    Raises:
        InvalidArgument, InvalidGame, InvalidStrategy: As ``implicit_best_response``; also if there
            are not two mixtures, or an oracle's answer is worse than an action that its player
            mixes.

    >>> from gametheory_core.distributions import distribution, point_mass
    >>> game = ImplicitGame(lambda row, column: (row - column) ** 2, (10**6 + 1, 10**6 + 1))
    >>> ends = distribution({0: "1/2", 10**6: "1/2"})
    >>> certificate = certify_implicit_minimax(game, (ends, point_mass(500_000)))
    >>> str(certificate.lower), str(certificate.upper)
    ('250000000000', '250000000000')
    """
    require_instance(profile, tuple, name="profile", remedy="Give (of rows, of columns).")
    if len(profile) != 2:  # one of each player
        raise InvalidStrategy(needs="mixtures of two players", found=f"got {len(profile)}")
    conceded, taken = (
        implicit_best_response(game, profile[1 - player], player=player) for player in (0, 1)
    )
    if isinstance(game, OracleGame):
        for player, reply in enumerate((conceded, taken)):
            _require_best(game, profile, player, reply)
    else:
        require_no_wrapping(game, *supports(profile))
    return ImplicitMinimaxCertificate(game, profile, taken.value, conceded.value)


def _require_best(game: OracleGame, profile: Mixtures, player: int, reply: ImplicitReply) -> None:
    """Refuse an oracle whose player does better by an action of the profile."""
    other = profile[1 - player]
    for action, _ in profile[player]:
        value = implicit_expected_payoff(game, action, other, player=player)
        require_no_better(player, reply, ImplicitReply(action, value), other)


def require_no_better(
    player: int, reply: ImplicitReply, known: ImplicitReply, mixture: Mixture
) -> None:
    """Refuse what an oracle answers to a mixture if a known action does better.

    Raises:
        InvalidGame: Has the action and the mixture as its witness.
    """
    if known.value <= reply.value if player == 0 else known.value >= reply.value:
        return
    raise InvalidGame(
        needs=f"{ORACLES[player]} to return a best response",
        found=f"against {shown(mixture)} it returns {shown(reply.action)}, which pays the row "
        f"player {reply.value}, while {shown(known.action)} pays {known.value}",
        remedy="best_row maximises the row player's payoff, best_column minimises it.",
        witness=(known.action, mixture),
    )


@dataclass(frozen=True)
class ImplicitMinimaxCertificate:
    """The claim that the value of a large game lies in ``[lower, upper]``.

    In an implicit game ``verify`` looks at every action of both players. In a game of oracles it
    asks the oracles again: ``rests_on`` says so.

    Attributes:
        game: Implicit, or of oracles. It is a program, so that no file holds the certificate.
        profile: Mixtures of the row player and of the column player.
        lower, upper: What the row player's mixture guarantees, and what the column player's
            concedes.
    """

    kind: ClassVar[str] = "implicit-minimax"
    game: LargeGame
    profile: Mixtures
    lower: Fraction
    upper: Fraction
    epsilon = bounds_width
    game_value = bounds_middle

    @property
    def answer(self) -> Mixtures:
        """The mixtures."""
        return self.profile

    @property
    def payoffs(self) -> tuple[Fraction, ...]:
        """What the mixtures pay against each other, exactly."""
        row, column = self.profile
        paid = (
            share * implicit_expected_payoff(self.game, action, column, player=0)
            for action, share in row
        )
        first = sum(paid, ZERO)
        return first, -first

    @property
    def rests_on(self) -> str:
        """What is believed and not checked; "" if nothing is but that payoffs are a function."""
        if isinstance(self.game, ImplicitGame):
            return ""
        return "that best_row and best_column, which were asked, overlook no better action"

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        bounds: str = bounds_statement.__get__(self)
        return f"{bounds}, provided {self.rests_on}" if self.rests_on else bounds

    def verify(self) -> None:
        """Compute the best responses anew, and compare.

        Raises:
            CertificateRejected: If a bound is not what the mixtures prove.
        """
        with rejecting(self.kind):
            found = certify_implicit_minimax(self.game, self.profile)
        compare_bounds(self, found)
