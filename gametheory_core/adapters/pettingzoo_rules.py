"""PettingZoo environments as AEC rules: a state is what the environment holds.

Positions are walked to by snapshots, or by histories where no snapshot can be taken.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from hashlib import blake2b
from typing import Any, NoReturn

import numpy as np

from gametheory_core.adapters.pettingzoo_spaces import shown_rewards
from gametheory_core.adapters.views import Actions, View, label_of
from gametheory_core.arrays import ONE, ZERO, to_fraction
from gametheory_core.distributions import Distribution, integer_below, point_mass, uniform
from gametheory_core.errors import InvalidArgument, MissingDependency, UnsupportedGame
from gametheory_core.games.rules import AWAY, IDLE, Rewards
from gametheory_core.games.tree_table import CHANCE

try:
    from gymnasium.spaces import Discrete
    from gymnasium.utils.seeding import np_random
    from pettingzoo import AECEnv

    from gametheory_core.adapters.environment_snapshots import Snapshots
except ImportError as error:  # pragma: no cover - the test suite has it
    message = "adapters.pettingzoo: needs pettingzoo. Run: pip install 'gametheory-core[interop]'"
    raise MissingDependency(message) from error

_KEPT_BYTES = 2**27  # of snapshots kept at once; positions beyond are replayed


class Ending(Enum):
    """How a play ended."""

    TERMINATED = "terminated"
    TRUNCATED = "truncated"

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Position:
    """Where a play of an environment stands, and what the last action led to.

    Positions are equal if play goes on alike after them, where that can be told.

    Attributes:
        key: Of what the environment holds; else ``(seed, history)``.
        seed: Of a reset that leads here.
        history: The actions of live agents since then.
        mover: The player whose turn it is; ``CHANCE`` if play is over.
        view: What the mover has before it; ``AWAY`` if it has left with the last action, or was not
            there at the reset; None if play is over.
        rewards: What the last action paid.
        ending: None while play continues.
        then: Where play stands when a mover who is away has had its turn; else None.
    """

    key: Hashable = field(repr=False)
    seed: int = field(compare=False)
    history: Actions = field(compare=False)
    mover: int
    view: Any
    rewards: tuple[Fraction, ...]
    ending: Ending | None
    then: "Position | None" = None


class Walker:
    """Walks an environment to any position: by snapshots if they can be taken, else by replaying.

    Attributes:
        snapshots: None if positions are replayed.
    """

    def __init__(self, env: Any, *, snapshots: Snapshots | None) -> None:
        self.snapshots = snapshots
        self._env = env
        self._new = b"" if snapshots is None else snapshots.take(env)
        self._kept: dict[Hashable, bytes] = {}
        self._bytes_kept = 0

    def start(self, seed: int) -> Position:
        """Return where play stands after a reset."""
        env = self._fresh()
        return self._named(begin(env, seed), env)

    def step(self, here: Position, action: int) -> Position:
        """Return where play stands after an action."""
        env = self._standing(here)
        return self._named(proceed(env, here.seed, (*here.history, action)), env)

    def _fresh(self) -> Any:
        return self._env if self.snapshots is None else self.snapshots.restore(self._new)

    def _standing(self, here: Position) -> Any:
        """Return an environment that stands at a position, for the caller to step."""
        snapshot = self._kept.get(here.key)
        if self.snapshots is not None and snapshot is not None:
            return self.snapshots.restore(snapshot)
        env = self._fresh()
        begin(env, here.seed)
        for length in range(1, len(here.history) + 1):
            proceed(env, here.seed, here.history[:length])
        return env

    def _named(self, reached: Position, env: Any) -> Position:
        """Name a position by what the environment holds there, and keep that."""
        if self.snapshots is None:
            return reached
        if reached.ending is not None:
            return replace(reached, key=())  # nothing follows
        snapshot = self.snapshots.take(env)
        key = blake2b(snapshot, digest_size=16).digest()
        if key not in self._kept:
            self._kept[key] = snapshot
            self._bytes_kept += len(snapshot)
            while self._bytes_kept > _KEPT_BYTES:
                self._bytes_kept -= len(self._kept.pop(next(iter(self._kept))))
        return _keyed(reached, key)


def _keyed(reached: Position, key: bytes) -> Position:
    then = None if reached.then is None else _keyed(reached.then, key)
    return replace(reached, key=key, then=then)


def begin(env: Any, seed: int) -> Position:
    """Reset an environment, and return where it stands."""
    env.reset(seed=seed)
    absent = [agent for agent in env.possible_agents if agent not in env.agents]
    return _bury(env, seed, (), {}, absent)


def proceed(env: Any, seed: int, history: Actions) -> Position:
    """Take the last action of a history, and return where the environment stands."""
    env.step(history[-1])
    return _bury(env, seed, history, _rewards(env, {}), [])


def _bury(
    env: Any, seed: int, history: Actions, paid: dict[Any, Fraction], away: list[Any]
) -> Position:
    """Let dead agents leave, each with a turn in which it is away; return where play stands.

    If nobody is left, play was cut off if that is what any of the last agents met.
    """
    ending = Ending.TERMINATED if all(env.terminations.values()) else Ending.TRUNCATED
    while env.agents and _is_dead(env, env.agent_selection):
        away.append(env.agent_selection)
        env.step(None)
        paid = _rewards(env, paid)
    agents = list(env.possible_agents)
    rewards = tuple(paid.get(agent, ZERO) for agent in agents)
    if not env.agents:
        return Position((seed, history), seed, history, CHANCE, None, rewards, ending)
    if not away:
        return _look(env, seed, history, rewards)
    stands = _look(env, seed, history, (ZERO,) * len(agents))
    for agent in reversed(away):
        mover = agents.index(agent)
        stands = replace(stands, mover=mover, view=AWAY, then=stands)
    return replace(stands, rewards=rewards)


def _look(env: Any, seed: int, history: Actions, rewards: tuple[Fraction, ...]) -> Position:
    """Return where an environment stands in which somebody acts."""
    agents = list(env.possible_agents)
    agent = env.agent_selection
    if agent not in agents:
        raise UnsupportedGame(
            needs=f"agents among possible_agents, {agents!r}",
            found=f"after actions {history!r} it is the turn of {agent!r}",
        )
    observation = env.observe(agent)
    legal = _legal(env, agent, observation, history)
    view = View(label_of(_without_mask(observation)), legal)
    mover = agents.index(agent)
    return Position((seed, history), seed, history, mover, view, rewards, None)


def _acting(position: Position) -> Position:
    """Return where play stands when those who are away have had their turns."""
    while position.then is not None:
        position = position.then
    return position


def _is_dead(env: Any, agent: Any) -> bool:
    return bool(env.terminations[agent] or env.truncations[agent])


def _rewards(env: Any, before: Mapping[Any, Fraction]) -> dict[Any, Fraction]:
    paid = dict(before)
    for agent, reward in env.rewards.items():
        exact = to_fraction(reward, where=f"rules_from_pettingzoo: reward of {agent!r}")
        paid[agent] = paid.get(agent, ZERO) + exact
    return paid


def _without_mask(observation: Any) -> Any:
    if isinstance(observation, Mapping) and set(observation) == {"observation", "action_mask"}:
        return observation["observation"]
    return observation


def _legal(env: Any, agent: Any, observation: Any, history: Actions) -> Actions:
    space = env.action_space(agent)
    start, count = int(space.start), int(space.n)
    mask = observation.get("action_mask") if isinstance(observation, Mapping) else None
    if mask is None:
        mask = env.infos[agent].get("action_mask")
    if mask is None:
        return tuple(range(start, start + count))
    legal = tuple(start + int(k) for k in np.flatnonzero(mask))
    if not legal or len(mask) != count:
        raise UnsupportedGame(
            needs=f"a mask of {count} actions of which some are legal",
            found=f"after actions {history!r} that of {agent!r} is {np.asarray(mask).tolist()!r}",
        )
    return legal


START = "start"  # the state before the reset


@dataclass(frozen=True, eq=False)
class EnvironmentRules:
    """A PettingZoo environment as an AEC game; see ``rules_from_pettingzoo``.

    Attributes:
        players: The environment's names of its agents.
        seeds: Chance draws one of them, evenly, for the reset.
    """

    title: str
    players: tuple[str, ...]
    seeds: tuple[int, ...]
    walker: Walker = field(repr=False)
    discount: Fraction = field(default=ONE, init=False, repr=False)
    horizon: int | None = field(default=None, init=False, repr=False)
    initial_state: str = field(default=START, init=False, repr=False)

    def observation(self, player: int, state: Position) -> Distribution[Any]:
        """Show the mover what the environment shows, and the actions that the mask allows."""
        if state.view is None or state.mover != player:
            raise InvalidArgument(
                needs=f"the player whose turn it is in {state!r}", found=f"got {player}"
            )
        return point_mass(state.view)

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]:
        """Return what the mask allows, which is part of the observation, or ``IDLE`` if away."""
        del player
        return (IDLE,) if observation is AWAY else observation.legal

    def is_terminal(self, state: Position | str) -> bool:
        """Tell whether all agents have terminated or been truncated."""
        return isinstance(state, Position) and state.ending is not None

    def move(self, player: int, state: Position, action: Any) -> Position:
        """Take a step of the environment, unless the mover is away."""
        del player
        if state.then is not None:
            return state.then
        return self.walker.step(state, int(action))

    def chance(self, state: str) -> Distribution[Position]:
        """Reset the environment with one of the seeds."""
        del state
        return uniform(map(self.walker.start, self.seeds))

    def reward(
        self, state: Any, mover: int, action: Any, next_state: Position
    ) -> Distribution[Rewards]:
        """Pay what the environment paid for its last step."""
        del state, mover, action
        return point_mass(next_state.rewards)

    def next_player(
        self, state: Any, mover: int, action: Any, next_state: Position
    ) -> Distribution[int]:
        """Follow the environment's selection of agents."""
        del state, mover, action
        return point_mass(next_state.mover)


def rules_from_pettingzoo(
    env: AECEnv[Any, Any, Any],
    *,
    seeds: Sequence[int] = (0,),
    plays: int = 4,
    max_turns: int = 1000,
) -> EnvironmentRules:
    """Read a PettingZoo AEC environment as AEC rules, exactly, for given seeds.

    States are what the environment holds, by a snapshot, where one continues as the environment
    does: plays that lead to the same are then one state. Else states are the actions since
    ``reset(seed)``, each is reached by replaying them, and ``env`` must not be used elsewhere.

    Args:
        env: With ``possible_agents`` and ``Discrete`` actions; masks may be in observations or
            infos. Of a parallel environment, take PettingZoo's ``parallel_to_aec``.
        seeds: Chance draws one, evenly. An environment that draws random numbers is a different
            game for each: the rules are then its distribution over these seeds only, and players
            who know them know all.
        plays: How many plays of each seed are replayed, to see that they go alike; at least 1.
        max_turns: The largest number of turns in each of these plays.

    Returns:
        An AEC game. Observations are ``View``; terminal states say whether play was terminated or
        truncated. Rewards are floats, taken as the rationals they are. An agent that leaves while
        others play on has a last turn, in which it sees ``AWAY``, and so has at the start one that
        joins later.

    Raises:
        InvalidArgument: If ``env`` is no AEC environment, or an option has a value it cannot have.
        UnsupportedGame: If a play goes otherwise when it is replayed (the message shows where), if
            actions are not ``Discrete``, or if observations cannot be made hashable.

    A move costs one step and one snapshot, or as many steps as the history is long. That plays
    repeat is seen on samples, and proves nothing about plays that were not seen; tabulating the
    rules (``aec_to_tabular``) asks for each move twice, and so repeats them all.

    >>> from gametheory_core.adapters import aec_env
    >>> from gametheory_core.catalog import RandomOrderTeam
    >>> rules = rules_from_pettingzoo(aec_env(RandomOrderTeam()))
    >>> rules.players
    ('player_0', 'player_1')
    """
    _check_environment(env)
    if not seeds or len(set(seeds)) != len(seeds) or plays < 1 or max_turns < 1:
        raise InvalidArgument(
            needs="different seeds, at least one, and plays and max_turns of at least 1",
            found=f"got {seeds!r}, {plays!r} and {max_turns!r}",
        )
    snapshots: Snapshots | None = Snapshots()
    for seed in seeds:
        for play in range(plays):
            seen = _sample_play(env, seed, play, max_turns)
            _check_replay(env, seen)
            if snapshots is not None and not _goes_on_alike(env, seen, snapshots):
                snapshots = None
    return EnvironmentRules(
        title=str(env),
        players=tuple(map(str, env.possible_agents)),
        seeds=tuple(seeds),
        walker=Walker(env, snapshots=snapshots),
    )


def _check_environment(env: Any) -> None:
    if not isinstance(env, AECEnv):
        raise InvalidArgument(
            needs="an AECEnv",
            found=f"got {type(env).__name__}",
            remedy="Use pettingzoo.utils.conversions.parallel_to_aec for parallel environments.",
        )
    environment: Any = env
    if not getattr(environment, "possible_agents", None):
        raise UnsupportedGame(
            needs="possible_agents",
            found=f"{environment} lists none: agents that are made during play cannot be players "
            "of "
            "a game",
        )
    for agent in environment.possible_agents:
        space = environment.action_space(agent)
        if not isinstance(space, Discrete):
            raise UnsupportedGame(
                needs="Discrete actions",
                found=f"those of {agent!r} are {space}",
                remedy="Wrap the environment so that finitely many are left.",
            )


def _sample_play(env: Any, seed: int, play: int, max_turns: int) -> list[Position]:
    """Return the positions of one play, its actions drawn evenly and the same each time."""
    rng, _ = np_random(play)
    seen = [begin(env, seed)]
    while (view := _acting(seen[-1]).view) is not None and len(seen) <= max_turns:
        action = view.legal[integer_below(len(view.legal), rng)]
        seen.append(proceed(env, seed, (*seen[-1].history, action)))
    return seen


def _check_replay(env: Any, seen: Sequence[Position]) -> None:
    for first in seen:
        again = proceed(env, first.seed, first.history) if first.history else begin(env, first.seed)
        if again != first:
            _refuse(env, first, again)


def _refuse(env: Any, first: Position, again: Position) -> NoReturn:
    names = [*map(str, env.possible_agents), "nobody"]
    if first.mover != again.mover:
        what = f"it is the turn of {names[first.mover]}, then of {names[again.mover]}"
    elif first.rewards != again.rewards:
        what = f"rewards are {shown_rewards(first.rewards)}, then {shown_rewards(again.rewards)}"
    elif first.ending != again.ending:
        what = f"play is {first.ending!r}, then {again.ending!r}"
    elif first.then is not None and again.then is not None:
        _refuse(env, first.then, again.then)
    else:
        what = f"{names[first.mover]} has {first.view!r}, then {again.view!r}"
    raise UnsupportedGame(
        needs="plays that depend on the seed and the actions only",
        found=f"after reset(seed={first.seed}) and actions {first.history!r} {what}",
        remedy="Let the environment draw from a generator that reset(seed) makes, and forget what "
        "happened before.",
    )


def _goes_on_alike(env: Any, seen: Sequence[Position], snapshots: Snapshots) -> bool:
    """Tell whether a copy made halfway continues as the environment does, and leaves it alone."""
    half = len(seen) // 2
    seed = seen[0].seed
    begin(env, seed)
    for position in seen[1:half]:
        proceed(env, seed, position.history)
    rest = seen[max(half, 1) :]
    try:
        other = snapshots.restore(snapshots.take(env))
        there = [proceed(other, seed, position.history) for position in rest]
        here = [proceed(env, seed, position.history) for position in rest]
    except Exception:  # noqa: BLE001  (what a broken copy raises is the environment's affair)
        return False
    return there == rest == here
