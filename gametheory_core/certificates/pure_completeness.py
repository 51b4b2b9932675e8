"""Pure completeness certificates: these are exactly the pure equilibria of a normal-form game."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import ClassVar, TypeAlias

from gametheory_core.certificates.certificate import require_exact_profile
from gametheory_core.certificates.declared_types import require_declared_types
from gametheory_core.errors import CertificateRejected
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile, supports

JointAction: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class PureCompletenessCertificate:
    """The claim that ``profiles`` are all pure equilibria of the game, and nothing else.

    Attributes:
        game: Any number of players.
        profiles: Rational and pure, in any order.
    """

    kind: ClassVar[str] = "pure-completeness"
    game: NormalFormGame
    profiles: tuple[MixedProfile, ...]

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        if not self.profiles:
            return "complete: the game has no pure equilibrium"
        if len(self.profiles) == 1:
            return "complete: the profile is the only pure equilibrium of the game"
        return f"complete: the {len(self.profiles)} profiles are all pure equilibria of the game"

    def verify(self) -> None:
        """Try every joint action and every change of one player's action, exactly.

        Raises:
            CertificateRejected: If a profile is missing, listed twice, mixed, or no equilibrium;
                names it.
        """
        require_declared_types(self)
        claimed = [self._joint_action(profile) for profile in self.profiles]
        found = set(_pure_equilibria(self.game))
        for position, joint_action in enumerate(claimed):
            if joint_action in claimed[:position]:
                self._reject(joint_action, "is listed twice")
            if joint_action not in found:
                self._reject(joint_action, "is no equilibrium")
        for joint_action in sorted(found - set(claimed)):
            self._reject(joint_action, "is an equilibrium, but is not listed")

    def _joint_action(self, profile: MixedProfile) -> JointAction:
        require_exact_profile(self.game, profile, kind=self.kind)
        played = supports(profile)
        if any(len(own) != 1 for own in played):
            raise CertificateRejected(
                f"{self.kind} certificate: needs pure profiles, but one mixes: supports {played}."
            )
        return tuple(own[0] for own in played)

    def _reject(self, joint_action: JointAction, problem: str) -> None:
        labels = tuple(own[a] for own, a in zip(self.game.actions, joint_action, strict=True))
        raise CertificateRejected(
            f"{self.kind} certificate: the joint action {labels} {problem}. Do not use this answer."
        )


def _pure_equilibria(game: NormalFormGame) -> Iterator[JointAction]:
    payoffs = game.exact_payoffs
    for joint_action in product(*map(range, game.num_actions)):
        if all(
            payoffs[player, *joint_action[:player], other, *joint_action[player + 1 :]]
            <= payoffs[player, *joint_action]
            for player, count in enumerate(game.num_actions)
            for other in range(count)
        ):
            yield joint_action
