"""Another package in one file: a kind of game, a claim, a solver, a table and a catalogue entry."""

from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from typing import ClassVar

from gametheory_core import CertificateRejected, InvalidGame
from gametheory_core.certificates.claim import claim, claimed
from gametheory_core.errors import LawBroken
from gametheory_core.extensions import GameKind, add_game_kind, add_to_catalog
from solvers import UNLIMITED, Solution
from solvers.requirements import Kind
from solvers.results.tables import table_of
from solvers.solver import Answers, open_meter, solver


@dataclass(frozen=True)
class Auction:
    """One item, and what it is worth to each player."""

    players: tuple[str, ...]
    values: tuple[Fraction, ...]
    title: str = ""

    def __post_init__(self):
        if len(self.values) != len(self.players) or not self.players:
            raise InvalidGame(
                needs="a value of each player",
                found=f"{len(self.players)} players have {len(self.values)}",
                remedy="Give as many.",
            )

    @property
    def num_players(self):
        return len(self.players)

    @property
    def digest(self):
        return sha256(repr((self.players, self.values)).encode()).hexdigest()


@dataclass(frozen=True)
class Award:
    """Who gets the item."""

    winner: int


def small_auction(*, players: int = 3) -> Auction:
    """Small auction: the item is worth 1, 2, ... to the players.

    Args:
        players: At least 1.
    """
    values = tuple(Fraction(k + 1) for k in range(players))
    return Auction(tuple(f"P{k}" for k in range(players)), values, "Small auction")


def certify_efficient(game: Auction, award: Award) -> "EfficientCertificate":
    """Check that nobody values the item more than who gets it."""
    if not 0 <= award.winner < game.num_players:
        raise CertificateRejected(needs="a winner who plays", found=f"it is {award.winner}")
    welfare = game.values[award.winner]
    if welfare < max(game.values):
        raise CertificateRejected(
            needs="the highest value", found=f"it is {welfare}", remedy="Do not use this answer."
        )
    return EfficientCertificate(game, award, welfare)


@claim("efficient", measure=certify_efficient, answer="award", proves=("efficient",))
class EfficientCertificate:
    """The claim that an award is efficient."""

    kind: ClassVar[str]
    game: Auction
    award: Award
    welfare: Fraction = claimed()


an_auction = Kind("an auction", lambda game: isinstance(game, Auction))


@solver(
    Answers("efficient", rank=10), takes=(an_auction,), unit="players", because="one look at each"
)
def highest_value(game: Auction, *, budget=UNLIMITED, on_iteration=None):
    """Give the item to a player who values it most."""
    meter = open_meter(budget, on_iteration)
    award = Award(game.values.index(max(game.values)))
    certificate = certify_efficient(game, award)
    return Solution(award, (), certificate, meter.record())


@table_of(Award, columns=("winner",))
def _award(game, answer, _leader):
    yield (game.players[answer.winner],)


def _positive(game):
    def check(_rng):
        if min(game.values) < 0:
            raise LawBroken(needs="values of at least 0", found=f"{game!r} has {min(game.values)}")

    yield "values are not negative", check


add_game_kind(
    GameKind(
        name="auction",
        type=Auction,
        words="auction (one item)",
        fields=lambda game: {"values": [str(value) for value in game.values]},
        read=lambda record: Auction(
            tuple(player.text() for player in record["players"].items()),
            tuple(value.rational() for value in record["values"].items()),
            record["title"].text(),
        ),
        sizes=lambda game: [("bidders", game.num_players, str(game.num_players))],
        laws=_positive,
    )
)
add_to_catalog(small_auction)
