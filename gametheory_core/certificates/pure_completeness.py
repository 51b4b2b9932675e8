"""Pure completeness certificates: these are exactly the pure equilibria of a normal-form game."""

from itertools import product
from typing import ClassVar

from gametheory_core.certificates.claim import (
    claim,
    claimed,
    not_the_same_set,
    verify_claim,
)
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile, pure_profile


def certify_pure_completeness(game: NormalFormGame) -> "PureCompletenessCertificate":
    """List all pure equilibria of a game, by trying every change of one player's action.

    >>> pennies = NormalFormGame.zero_sum([[1, -1], [-1, 1]])
    >>> certify_pure_completeness(pennies).profiles
    ()
    """
    payoffs = game.exact_payoffs
    found = [
        joint_action
        for joint_action in product(*map(range, game.num_actions))
        if all(
            payoffs[player, *joint_action[:player], other, *joint_action[player + 1 :]]
            <= payoffs[player, *joint_action]
            for player, count in enumerate(game.num_actions)
            for other in range(count)
        )
    ]
    return PureCompletenessCertificate(game, tuple(pure_profile(game, each) for each in found))


def _has_rivals(certificate: "PureCompletenessCertificate") -> str:
    """Say that a list of pure equilibria is not complete, but for a single player."""
    return "only completeness proves a list of all equilibria" * (len(certificate.game.players) > 1)


@claim(
    "pure-completeness",
    measure=certify_pure_completeness,
    completes=("pure-nash",),
    completes_if={"all-nash": _has_rivals},
)
class PureCompletenessCertificate:
    """The claim that ``profiles`` are all pure equilibria of the game, and nothing else.

    Attributes:
        game: Any number of players.
        profiles: Rational and pure, in any order.
    """

    kind: ClassVar[str]
    game: NormalFormGame
    profiles: tuple[MixedProfile, ...] = claimed(fault=not_the_same_set)
    verify = verify_claim
    answer = None
    payoffs = ()
    epsilon = None

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        if not self.profiles:
            return "complete: the game has no pure equilibrium"
        if len(self.profiles) == 1:
            return "complete: the profile is the only pure equilibrium of the game"
        return f"complete: the {len(self.profiles)} profiles are all pure equilibria of the game"
