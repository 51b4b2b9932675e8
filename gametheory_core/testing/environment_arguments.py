"""What ``check_environment`` is given: options, a model, and a function that makes environments."""

import math
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from gametheory_core.conversions.posg_aec import posg_to_aec
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.rules import AEC, POSG
from gametheory_core.testing.environment_forecast import JointMoments, TurnMoments
from gametheory_core.testing.environment_laws import EnvironmentLaw, broken
from gametheory_core.testing.environment_look import Table
from gametheory_core.testing.environment_play import is_turn_based, table_of
from gametheory_core.testing.environment_thoughts import KeptMoments


def check_options(
    rng: Any, episodes: int, replays: int, max_moves: int, level: float, reward_tolerance: float
) -> None:
    """Refuse options with values that they cannot have."""
    if not isinstance(rng, np.random.Generator):
        raise InvalidArgument(
            needs="a numpy Generator as rng",
            found=f"got {rng!r}",
            remedy="Give numpy.random.default_rng(0).",
        )
    for name, count, least in (
        ("episodes", episodes, 1),
        ("replays", replays, 0),
        ("max_moves", max_moves, 1),
    ):
        if isinstance(count, bool) or not isinstance(count, int) or count < least:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidArgument(
                needs=f"{name} to be a whole number of at least {least}", found=f"got {count!r}"
            )
    if not 0 < level < 1:
        raise InvalidArgument(needs="a level between 0 and 1", found=f"got {level!r}")
    if not 0 <= reward_tolerance < math.inf:
        raise InvalidArgument(
            needs="a finite reward_tolerance of at least 0", found=f"got {reward_tolerance!r}"
        )


def check_model(model: Any) -> None:
    """Refuse what is not the rules of a game."""
    is_rules = hasattr(model, "transition") or hasattr(model, "next_player")
    if is_rules and not isinstance(model, type):
        return
    shown = f"the class {model.__name__}" if isinstance(model, type) else type(model).__name__
    mend = "Give an object with the methods of one."
    if isinstance(model, ExtensiveFormGame):
        mend = "Give extensive_to_aec(game).target."
    elif isinstance(model, NormalFormGame):
        mend = "Give normal_to_posg(game).target."
    raise InvalidArgument(
        needs="the rules of a POSG or an AEC game as model", found=f"got {shown}", remedy=mend
    )


def checked_table(make_env: Callable[[], Any], model: POSG | AEC | None) -> Table:
    """Return an environment ready to be played, with one agent for each player."""
    if not callable(make_env):
        raise InvalidArgument(
            needs="a function that makes fresh environments",
            found=f"got {type(make_env).__name__}",
            remedy="Pass the class, or lambda: YourEnv(...).",
        )
    env = make_env()
    if not (hasattr(env, "possible_agents") or hasattr(env, "observation_space")):
        raise InvalidArgument(
            needs="a PettingZoo environment with possible_agents, or one of Gymnasium",
            found=f"make_env gives {type(env).__name__}",
        )
    _check_is_fresh(make_env, env)
    table = table_of(env)
    if model is not None and len(table.agents) != len(model.players):
        broken(
            EnvironmentLaw.AGENTS,
            "possible_agents",
            f"needs one for each of the players {model.players}, but found {table.agents}.",
        )
    return table


def _check_is_fresh(make_env: Callable[[], Any], env: Any) -> None:
    """Refuse one and the same environment twice: its episodes would be compared with themselves."""
    another = make_env()
    if getattr(another, "unwrapped", another) is getattr(env, "unwrapped", env):
        raise InvalidArgument(
            needs="a fresh environment from each call of make_env",
            found=f"two calls give one and the same {type(env).__name__}",
            remedy="Write lambda: YourEnv(...).",
        )
    if hasattr(another, "close"):
        another.close()


def moments_of(model: POSG | AEC, env: Any, *, shows_last: bool) -> KeptMoments:
    """Return a model as an environment of its kind shows it."""
    is_aec = hasattr(model, "next_player")
    if is_turn_based(env):
        game = cast("AEC", model) if is_aec else posg_to_aec(cast("POSG", model)).target
        return KeptMoments(TurnMoments(game, tells_absent=is_aec))
    if is_aec:
        raise InvalidArgument(
            needs="a POSG to compare a ParallelEnv or a Gymnasium environment with",
            found=f"{model.title!r} is an AEC game",
            remedy="Give its POSG, or the environment as an AECEnv.",
        )
    return KeptMoments(JointMoments(cast("POSG", model), shows_last))
