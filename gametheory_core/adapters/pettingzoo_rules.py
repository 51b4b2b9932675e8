"""PettingZoo environments as AEC rules, after some of their plays were seen to repeat."""

from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from gymnasium.spaces import Discrete
from gymnasium.utils.seeding import np_random
from pettingzoo import AECEnv

from gametheory_core.adapters.environment_snapshots import Snapshots
from gametheory_core.adapters.pettingzoo_spaces import shown_rewards
from gametheory_core.adapters.pettingzoo_walk import Position, Walker, acting, begin, proceed
from gametheory_core.arguments import require_integer
from gametheory_core.arrays import ONE
from gametheory_core.distributions import Distribution, integer_below, point_mass, uniform
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.games.rules import AWAY, IDLE, Rewards

START = "start"  # the state before the reset


class EnvironmentRules:
    """A PettingZoo environment as an AEC game, equal to itself alone: ``rules_from_pettingzoo``.

    Attributes:
        players: The environment's names of its agents.
        seeds: Chance draws one of them, evenly, for the reset.
    """

    discount = ONE
    horizon = None
    initial_state = START

    def __init__(self, env: AECEnv[Any, Any, Any], seeds: Iterable[int], walker: Walker) -> None:
        self.title, self.walker = str(env), walker
        self.players = tuple(map(str, env.possible_agents))
        self.seeds = tuple(seeds)

    def __repr__(self) -> str:
        what = f"title={self.title!r}, players={self.players!r}, seeds={self.seeds!r}"
        return f"EnvironmentRules({what})"

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
    _check_options(seeds, plays, max_turns)
    snapshots: Snapshots | None = Snapshots()
    for seed in seeds:
        for play in range(plays):
            seen = _sample_play(env, seed, play, max_turns)
            _check_replay(env, seen)
            if snapshots is not None and not _goes_on_alike(env, seen, snapshots):
                snapshots = None
    return EnvironmentRules(env, seeds, Walker(env, snapshots=snapshots))


def _check_options(seeds: Any, plays: Any, max_turns: Any) -> None:
    require_integer(plays, name="plays", low=1)
    require_integer(max_turns, name="max_turns", low=1)
    listed = list(seeds) if isinstance(seeds, Iterable) else []
    for seed in listed:
        require_integer(seed, name="each of seeds", low=0)
    if not listed or len(set(listed)) != len(listed):
        raise InvalidArgument(
            needs="seeds to be different whole numbers, at least one",
            found=f"got {seeds!r}",
            remedy="Give seeds=range(100), for one.",
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
    while (view := acting(seen[-1]).view) is not None and len(seen) <= max_turns:
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
