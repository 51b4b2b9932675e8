"""A package of somebody else's: a new kind of game, and solvers for it and for games of ours."""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import ClassVar

import gametheory_core as gt
from gametheory_core.games import Verdict
from solvers import UNLIMITED, Budget, Concept, Solution
from solvers.requirements import Kind, Requirement, a_normal_form, two_players
from solvers.solution import OnIteration
from solvers.solver import Answers, open_meter, solver


@dataclass(frozen=True)
class Cake:
    """Slices in a row, and what each player would give for each."""

    worth: tuple[tuple[int, ...], ...]
    players: tuple[str, ...] = ("Ann", "Bob")
    title: str = "A cake"

    @property
    def num_players(self) -> int:
        return len(self.players)


@dataclass(frozen=True)
class NobodyEnvies:
    """The claim that with this cut each player likes their own piece at least as much."""

    kind: ClassVar[str] = "nobody-envies"
    game: Cake
    profile: int
    left: int

    @property
    def statement(self) -> str:
        return f"cut after slice {self.profile}, nobody envies"

    def verify(self) -> None:
        for player, worth in enumerate(self.game.worth):
            pieces = sum(worth[: self.profile]), sum(worth[self.profile :])
            own = pieces[0] if player == self.left else pieces[1]
            if 2 * own < sum(pieces):
                raise gt.CertificateRejected(f"{self.game.players[player]} envies")


def _has_a_fair_cut(cake: Cake) -> Verdict:
    cuts = range(len(cake.worth[0]) + 1)
    fair = any(2 * sum(cake.worth[0][:cut]) == sum(cake.worth[0]) for cut in cuts)
    return Verdict(fair, f"{cake.players[0]} cannot halve it")


a_cake = Kind("a cake", lambda game: isinstance(game, Cake))
a_fair_cut = Requirement("a cut that the first player calls fair", _has_a_fair_cut)


@solver(
    Answers("envy-free", rank=10),
    takes=(a_cake, two_players, a_fair_cut),
    unit="cuts",
    because="two players: one cuts, the other chooses",
)
def cut_and_choose(
    game: Cake, *, budget: Budget = UNLIMITED, on_iteration: OnIteration | None = None
) -> Solution[int, NobodyEnvies]:
    """Let the first player halve a cake, and the second choose."""
    meter = open_meter(budget, on_iteration)
    own, others = game.worth
    cut = 0
    while 2 * sum(own[:cut]) != sum(own):
        cut += 1
        meter.step()
    left = int(2 * sum(others[:cut]) >= sum(others))
    proof = NobodyEnvies(game, cut, left)
    payoffs = (Fraction(sum(own), 2), Fraction(max(sum(others[:cut]), sum(others[cut:]))))
    return Solution(cut, payoffs, proof, meter.record())


class Corner(Enum):
    """Which actions are guessed."""

    FIRST = 0
    LAST = -1


@solver(
    Answers(Concept.NASH, rank=1000),
    takes=(a_normal_form, two_players),
    unit="guesses",
    because="two players: a guess, certified for what it is worth",
)
def guessed_corner(
    game: gt.NormalFormGame,
    *,
    corner: Corner = Corner.FIRST,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[gt.MixedProfile, gt.NashCertificate]:
    """Guess a corner of a matrix, and certify it.

    Args:
        corner: Which one is guessed.
    """
    meter = open_meter(budget, on_iteration)
    actions = [0 if corner is Corner.FIRST else count - 1 for count in game.num_actions]
    meter.step()
    certificate = gt.certify_nash(game, gt.pure_profile(game, actions))
    return Solution(certificate.profile, certificate.payoffs, certificate, meter.record())
