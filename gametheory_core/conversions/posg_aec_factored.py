"""The paper's smaller AEC game of a POSG whose players observe independently.

States are ``S x A_1 x ... x A_N``, the POSG's state and each player's last or queued action. When
player ``i`` moves in ``(s, a)``, ``a_i`` is still their own *previous* action, since ``i`` has not
moved in this cycle; so the observation ``O_i(a_i, s)`` can be drawn when it is needed. This takes a
joint observation distribution that is a product: ``O(a, s) = O_1(a_1, s) x ... x O_N(a_N, s)``.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from gametheory_core.conversions.conversion import Conversion, Identity, Preserved
from gametheory_core.conversions.posg_aec import INIT, QueuedActions, cycles
from gametheory_core.conversions.tabular import MAX_STATES, posg_to_tabular
from gametheory_core.distributions import Distribution, product, push_forward
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.rules import AEC, EMPTY, POSG, written_as
from gametheory_core.games.table_content import spread
from gametheory_core.games.tables import TabularPOSG
from gametheory_core.strategies.policies import PolicyProfile

Factors: TypeAlias = dict[tuple[int, Any, Any], Distribution[Any]]  # player, own action, state


def posg_to_aec_factored(
    game: POSG, *, max_states: int = MAX_STATES
) -> Conversion[POSG, AEC, PolicyProfile, PolicyProfile]:
    """Carry a POSG with independent observations to the paper's AEC game.

    Args:
        max_states: The largest table to build; independence is decided on the table.

    Returns:
        Preserves everything.

    Raises:
        UnsupportedGame: If observations are correlated, or depend on the actions of others; the
            message has the state and the joint action. ``posg_to_aec`` takes every game.

    Source: :cite:`terry2021pettingzoo`, theorem 1, with the corrections of ``posg_to_aec``.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> posg_to_aec_factored(RepeatedGame.of("matching_pennies", recall=0)).target.horizon
    4
    """
    table = posg_to_tabular(game, max_states=max_states).target
    target = QueuedInPlace(table)
    _ = target.factors  # decides independence, with a witness
    return Conversion(game, target, Identity(cycles), frozenset(Preserved))


@dataclass(frozen=True)
class QueuedInPlace(QueuedActions):
    """The AEC game on states ``(s, last or queued actions)``."""

    game: TabularPOSG
    __repr__ = written_as("posg_to_aec_factored({0.game!r}).target")

    @cached_property
    def factors(self) -> Factors:
        """The observation distribution of each player, by own last action and state."""
        return _factors(self.game)

    def observation(self, player: int, state: Any) -> Distribution[Any]:
        """Draw what the player's own last action shows in the state."""
        inner, last = state
        return self.factors[player, last[player], inner]

    def chance(self, state: Any) -> Distribution[Any]:
        """Draw the next state of the POSG; actions stay."""
        first = state == INIT
        actions = (EMPTY,) * len(self.players) if first else state[-1]
        following = self.game.initial() if first else self.game.transition(*state)
        return push_forward(following, lambda inner: (inner, actions))


def _factors(game: TabularPOSG) -> Factors:
    """Split the observation distribution into one per player, or refuse with the witness."""
    factors: Factors = {}
    nothing = (EMPTY,) * len(game.players)
    for state, _ in game.initial():
        if not game.is_terminal(state):
            _split(game, factors, nothing, state, game.initial_observation(state))
    row, _ = spread(game.transition_kernel.sizes)
    codes = (game.row_key % game.num_joint_actions)[row].tolist()
    for code, after in set(zip(codes, game.transition_kernel.outcome.tolist(), strict=True)):
        if not game.terminal[after]:
            joint, state = game.joint_action(code), game.states[after]
            _split(game, factors, joint, state, game.observation(joint, state))
    return factors


def _split(
    game: TabularPOSG, factors: Factors, joint: tuple[Any, ...], state: Any, law: Distribution[Any]
) -> None:
    parts = [push_forward(law, lambda seen, i=i: seen[i]) for i in range(len(game.players))]
    if dict(product(parts)) != dict(law):
        raise UnsupportedGame(
            needs="players who observe independently",
            found=f"after {joint!r} in state {state!r} observations are correlated: {dict(law)!r}",
            remedy="Use posg_to_aec.",
        )
    for i, part in enumerate(parts):
        known = factors.setdefault((i, joint[i], state), part)
        if dict(known) != dict(part):
            raise UnsupportedGame(
                needs="observations that depend on their own action and the state",
                found=f"after {joint!r} in state {state!r} {game.players[i]!r} sees "
                f"{dict(part)!r}, and after another joint action with {joint[i]!r} {dict(known)!r}",
                remedy="Use posg_to_aec.",
            )
