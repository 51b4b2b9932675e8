"""Gymnasium: one player of a POSG as the agent of an environment, the others playing policies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

import numpy as np

from gametheory_core.arguments import as_tuple, require_integer, require_member
from gametheory_core.arrays import ZERO
from gametheory_core.conversions.tabular import MAX_STATES, posg_to_tabular
from gametheory_core.distributions import draw
from gametheory_core.errors import InvalidArgument, UnsupportedGame, not_installed
from gametheory_core.games.checked_rules import checked_posg
from gametheory_core.games.rules import AWAY, IDLE, NULL, POSG, InformationState
from gametheory_core.strategies.policies import Policy, action_lottery, require_policy

try:
    from gymnasium import Env
    from gymnasium.spaces import Discrete

    from gametheory_core.adapters.pettingzoo_spaces import IllegalActions, as_seed, whole_number
except ImportError as error:  # pragma: no cover - the test suite has it
    raise not_installed("adapters.gymnasium", "gymnasium", extra="interop") from error

__all__ = ["IllegalActions", "PlayerEnv", "Situation", "to_gymnasium"]

_OWNER = "to_gymnasium"
MOST_PLAYS = 1000  # in a row that pass without the agent


@dataclass(frozen=True)
class Situation:
    """Where a play stands, in the game's own words.

    Attributes:
        state (hashable): The true state, which the agent need not know.
        information_states: What each player has seen and done.
        rewards: What the last step paid each player, exact.
        steps: Steps made since the reset.
    """

    state: Any
    information_states: tuple[InformationState, ...]
    rewards: tuple[Fraction, ...]
    steps: int


def to_gymnasium(
    game: POSG,
    *,
    player: int = 0,
    others: Sequence[Policy] | Mapping[int, Policy] = (),
    illegal_actions: IllegalActions = IllegalActions.REFUSE,
    max_states: int = MAX_STATES,
) -> "PlayerEnv":
    """Make a Gymnasium environment of what one player faces, its distributions sampled exactly.

    Observations and actions are ``Discrete``: numbers into the labels that ``info`` shows. Terminal
    states terminate an episode, the horizon truncates it. Rewards are those of each step, not
    discounted, as floats. Draws are made with integers, so every play has exactly the probability
    that the game and the others' policies give it.

    An agent that leaves before the others terminates when it sees ``AWAY``. If it joins late, the
    episode begins then; plays that it does not join are none of its episodes, and are left out.

    Args:
        player: The agent.
        others: How the other players play, in their order, or by their numbers.
        illegal_actions: Gymnasium's ``check_env`` ignores masks: games in which legal actions
            change pass it with ``FIRST_LEGAL``.
        max_states: The largest number of pairs of state and joint observation to tabulate, for the
            labels.

    Returns:
        ``info`` has ``observation`` (the label), ``legal_actions`` (labels) and ``action_mask``;
        after a reset also ``observation_labels`` and ``action_labels``, what numbers stand for.

    Raises:
        InvalidArgument: If there is no such player, or not one policy for each of the others.
        UnsupportedGame: If play may be over before anyone acts, or the game is too large to
            tabulate.

    In a terminal state nothing is seen, so the agent gets the number of ``NULL``; after a
    truncation it gets what the game shows. Gymnasium's ``check_env`` takes a truncation after one
    step for a mistake, so that games of one step fail it; give it ``skip_render_check=True``, as
    there are no pictures.

    >>> from gametheory_core import uniform_policies
    >>> from gametheory_core.catalog import RepeatedGame
    >>> game = RepeatedGame.of("matching_pennies", rounds=2)
    >>> env = to_gymnasium(game, others=uniform_policies(game)[1:])
    >>> env.reset(seed=1)[1]["action_labels"]
    ('heads', 'tails')
    >>> abs(env.step(0)[1])
    1.0
    """
    rules = checked_posg(game, _OWNER)
    count = len(rules.players)
    require_integer(player, name="player", low=0, high=count - 1)
    require_member(illegal_actions, IllegalActions, name="illegal_actions")
    if isinstance(others, Mapping):
        others = _in_order(cast("Mapping[object, Policy]", others), player, rules.players)
    policies = as_tuple(others, name="others", remedy="Give a tuple of policies.")
    if len(policies) != count - 1:
        raise InvalidArgument(
            needs=f"a policy for each of the {count - 1} other players",
            found=f"others has {len(policies)}",
            remedy=f"Give them in the players' order, without {rules.players[player]!r}.",
        )
    for policy in policies:
        require_policy(policy, name="each of others")
    over = [state for state, _ in rules.initial() if rules.is_terminal(state)]
    if over or rules.horizon == 0:
        found = f"initial state {over[0]!r} is terminal" if over else "the horizon is 0"
        raise UnsupportedGame(
            needs="a step in every play",
            found=found,
            remedy="Gymnasium has no episodes that are over at reset.",
        )
    table = posg_to_tabular(game, max_states=max_states).target
    return PlayerEnv(
        rules,
        player,
        (*policies[:player], None, *policies[player:]),
        observations=tuple(dict.fromkeys((*table.observations[player], NULL))),
        actions=table.actions[player],
        illegal_actions=illegal_actions,
    )


def _in_order(
    others: Mapping[object, Policy], player: int, players: tuple[str, ...]
) -> tuple[Policy, ...]:
    """Return policies by number of player as a tuple; refuse all but one for each other player."""
    numbers = [i for i in range(len(players)) if i != player]
    if set(others) != set(numbers):
        raise InvalidArgument(
            needs=f"a policy for each of the other players, whose numbers are {numbers}",
            found=f"others has {list(others)}",
            remedy=f"The agent is {player}, {players[player]!r}: player= says who it is.",
            argument="others",
        )
    return tuple(others[i] for i in numbers)


class PlayerEnv(Env[Any, Any]):
    """What one player of a POSG faces, as a Gymnasium environment; see ``to_gymnasium``."""

    def __init__(
        self,
        game: POSG,
        player: int,
        policies: tuple[Policy | None, ...],
        *,
        observations: tuple[Any, ...],
        actions: tuple[Any, ...],
        illegal_actions: IllegalActions,
    ) -> None:
        self.game = game
        self.player = player
        self.observation_labels = observations
        self.action_labels = actions
        self.observation_space = Discrete(len(observations))
        self.action_space = Discrete(len(actions))
        self.metadata = {"render_modes": []}
        self._policies = policies
        self._numbers = {label: k for k, label in enumerate(observations)}
        self._illegal = illegal_actions
        self._situation: Situation | None = None
        self._is_over = True

    @property
    def situation(self) -> Situation:
        """Where the play stands."""
        if self._situation is None:
            raise InvalidArgument(needs="a play", found="has none", remedy="Call reset() first.")
        return self._situation

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin a play; without a seed, continue with the random numbers of the last one."""
        super().reset(seed=as_seed(seed), options=options)
        for _ in range(MOST_PLAYS):
            self._begin()
            while not self._is_over and self._is_away:
                self._go_on(IDLE)
            if not self._is_over:
                break
        else:
            raise UnsupportedGame(
                needs=f"plays that {self.game.players[self.player]!r} joins",
                found=f"{MOST_PLAYS:,} plays in a row ended without it",
                remedy="Take another player.",
            )
        number, info = self._shown()
        labels = {
            "observation_labels": self.observation_labels,
            "action_labels": self.action_labels,
        }
        return number, info | labels

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Let all players act; return observation, reward, termination, truncation, info.

        Raises:
            InvalidArgument: If play is over, or the action is no number of a legal one.
        """
        _ = self.situation
        if self._is_over:
            raise InvalidArgument(
                needs="a play that continues", found="it is over", remedy="Call reset()."
            )
        terminated, truncated = self._go_on(self._chosen(action))
        if self._is_away:
            self._is_over = terminated = True
            truncated = False
        number, info = self._shown()
        return number, float(self.situation.rewards[self.player]), terminated, truncated, info

    def _begin(self) -> None:
        """Begin a play."""
        state = draw(self.game.initial(), self.np_random)
        seen = draw(self.game.initial_observation(state), self.np_random)
        zeros = (ZERO,) * len(self.game.players)
        self._situation = Situation(state, tuple((o,) for o in seen), zeros, 0)
        self._is_over = False

    def _go_on(self, own: Any) -> tuple[bool, bool]:
        """Let all players act; return whether play is terminated, and whether it is truncated."""
        before = self.situation
        pasts = before.information_states
        joint = tuple(
            own
            if policy is None
            else draw(action_lottery(self.game, i, policy, past), self.np_random)
            for i, (policy, past) in enumerate(zip(self._policies, pasts, strict=True))
        )
        state = draw(self.game.transition(before.state, joint), self.np_random)
        rewards = cast("tuple[Fraction, ...]", self.game.reward(before.state, joint, state))
        terminated = self.game.is_terminal(state)
        truncated = not terminated and before.steps + 1 == self.game.horizon
        seen = (
            (NULL,) * len(joint)
            if terminated
            else draw(self.game.observation(joint, state), self.np_random)
        )
        known = tuple((*p, a, o) for p, a, o in zip(pasts, joint, seen, strict=True))
        self._situation = Situation(state, known, rewards, before.steps + 1)
        self._is_over = terminated or truncated
        return terminated, truncated

    @property
    def _is_away(self) -> bool:
        return self.situation.information_states[self.player][-1] is AWAY

    def _legal(self) -> tuple[Any, ...]:
        if self._is_over:
            return ()
        seen = self.situation.information_states[self.player][-1]
        return self.game.legal_actions(self.player, seen)

    def _shown(self) -> tuple[Any, dict[str, Any]]:
        seen = self.situation.information_states[self.player][-1]
        legal = self._legal()
        mask = np.array([a in legal for a in self.action_labels], dtype=np.int8)
        info = {"observation": seen, "legal_actions": legal, "action_mask": mask}
        return np.int64(self._numbers[seen]), info

    def _chosen(self, action: Any) -> Any:
        number = whole_number(action)
        if number is None or not 0 <= number < len(self.action_labels):
            raise InvalidArgument(
                needs=f"a whole number in 0..{len(self.action_labels) - 1}",
                found=f"got {action!r}",
                remedy=f"They stand for {self.action_labels!r}.",
            )
        label, legal = self.action_labels[number], self._legal()
        if label in legal:
            return label
        if self._illegal is IllegalActions.FIRST_LEGAL:
            return legal[0]
        raise InvalidArgument(
            needs=f"a legal action, one of {legal!r}",
            found=f"got {number}, which is {label!r}",
            remedy="Look at info['action_mask'], or ask for IllegalActions.FIRST_LEGAL.",
        )
