"""Other rewards for the same game: rescaled, or shaped by a potential."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import ONE, ZERO, to_fraction
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.checked_rules import checked_posg
from gametheory_core.games.rules import POSG, ChangedPOSG, JointAction, from_inner


@dataclass(frozen=True)
class _SameButRewards(ChangedPOSG):
    player: int
    horizon = from_inner("horizon")


@dataclass(frozen=True)
class RescaledRewards(_SameButRewards):
    """A POSG in which one player's rewards are ``factor * reward + constant``."""

    factor: Fraction
    constant: Fraction

    def reward(
        self, state: Any, joint_action: JointAction, next_state: Any
    ) -> tuple[Fraction | int, ...]:
        """Return the rewards, one of them rescaled."""
        paid = list(self.game.reward(state, joint_action, next_state))
        paid[self.player] = self.factor * paid[self.player] + self.constant
        return tuple(paid)


@dataclass(frozen=True)
class ShapedRewards(_SameButRewards):
    """A POSG in which one player is also paid what a potential gains in each step."""

    potential: Callable[[Any], Any]

    def reward(
        self, state: Any, joint_action: JointAction, next_state: Any
    ) -> tuple[Fraction | int, ...]:
        """Return the rewards, one of them with the discounted gain in potential."""
        paid = list(self.game.reward(state, joint_action, next_state))
        gain = self.discount * self._at(next_state) - self._at(state)
        paid[self.player] = paid[self.player] + gain
        return tuple(paid)

    def _at(self, state: Any) -> Fraction:
        if self.game.is_terminal(state):
            return ZERO
        return to_fraction(self.potential(state), where=f"shape_rewards: potential of {state!r}")


def rescale_rewards(
    game: POSG, *, player: int = 0, factor: object = ONE, constant: object = ZERO
) -> POSG:
    """Multiply one player's rewards by a positive factor, and add a constant to each.

    The best policies stay the best ones if the constant is 0, or all plays have equally many steps.

    Args:
        factor (number): Above 0; read exactly.
        constant (number): Added in each step.

    Raises:
        InvalidArgument: If there is no such player, or the factor is not positive.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> game = rescale_rewards(RepeatedGame.of("matching_pennies"), factor=3, constant="1/2")
    >>> [str(r) for r in game.reward((), ("heads", "heads"), (("heads", "heads"),))]
    ['7/2', '-1']
    """
    name = "rescale_rewards"
    rules = checked_posg(game, name)
    require_integer(player, name="player", low=0, high=len(rules.players) - 1)
    exact = to_fraction(factor, where=f"{name}: factor")
    if exact <= 0:
        raise InvalidArgument(
            needs="a factor above 0",
            found=f"got {exact}",
            remedy="Another one changes what is best.",
        )
    return RescaledRewards(game, player, exact, to_fraction(constant, where=f"{name}: constant"))


def shape_rewards(game: POSG, potential: Callable[[Any], Any], *, player: int = 0) -> POSG:
    """Pay one player also what a potential gains: ``discount * potential(s') - potential(s)``.

    Terminal states have potential 0. If all plays end in them, the player's return drops by the
    expected potential of the first state under every policy, so the best policies stay the best.
    A play that the horizon cuts off keeps its last potential, which may change what is best.

    Args:
        potential: State -> number, read exactly.

    Raises:
        InvalidArgument: If there is no such player, or the potential is no function.

    Source: A. Y. Ng, D. Harada and S. Russell, Policy invariance under reward transformations,
        1999.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> game = shape_rewards(RepeatedGame.of("matching_pennies"), len)
    >>> [str(r) for r in game.reward((), ("heads", "heads"), (("heads", "heads"),))]
    ['2', '-1']
    """
    name = "shape_rewards"
    rules = checked_posg(game, name)
    require_integer(player, name="player", low=0, high=len(rules.players) - 1)
    if not callable(potential):
        raise InvalidArgument(
            needs="the potential to be a function of the state", found=f"got {potential!r}"
        )
    return ShapedRewards(game, player, potential)
