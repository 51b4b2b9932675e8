"""JAX environments, with the step functions of JaxMARL, as POSGs."""

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

import numpy as np

from gametheory_core.adapters.jax_rules import JaxRules, JaxState
from gametheory_core.adapters.jax_steps import Functions, Steps, carrying_keys, loaded_jax
from gametheory_core.arguments import as_tuple, require_integer, require_member
from gametheory_core.errors import InvalidArgument, UnsupportedGame

__all__ = ["JaxRules", "JaxState", "KeyDraws", "posg_from_jax"]


class KeyDraws(Enum):
    """When keys are drawn; the value says it in words."""

    EVERY_STEP = "the reset and each step draw a key, whatever was drawn before"
    ONCE = "one key is drawn before the reset, and all others follow from it"


def posg_from_jax(
    env: Any,
    *,
    keys: Sequence[int] | None = None,
    draws: KeyDraws = KeyDraws.EVERY_STEP,
    available: Callable[[Any], Any] | None = None,
) -> JaxRules:
    """Read a JAX environment that follows JaxMARL as a POSG.

    States are labels of pytrees: those of equal arrays are one. JAX is needed, JaxMARL is not.

    Args:
        env: With ``agents``, ``reset(key)``, ``step(key, state, actions)`` and
            ``action_space(agent)``, which has a number ``n`` of actions. ``step_env`` is called
            instead of ``step`` where there is one, for ``step`` begins anew after the end.
        keys: Seeds of keys, of which chance draws one evenly. By default none is drawn: whatever
            the key, the environment must do the same, which is tried with four in each state.
        draws: When keys are drawn.
        available: ``available(state)[agent]`` says which actions are legal, by a mask; by default
            ``env.get_avail_actions``, and all actions where it is not implemented.

    Returns:
        A POSG without a discount and a horizon (``stop_posg`` sets one). Observations are ``View``;
        an agent that is done sees ``NULL``, and has the one action ``IDLE``, for which the
        environment gets 0. Rewards are floats, mostly of 32 bits, taken as the rationals they are.

    Raises:
        InvalidArgument: If ``env`` or an option is not as above.
        UnsupportedGame: If actions are not discrete, states are not arrays of numbers, the
            environment draws although no keys are given, or fails. Also while the rules are asked.
        MissingDependency: If JAX is not installed.

    With keys, probabilities are shares of keys, the same keys in each state: a sample of the
    environment's law, of which a probability ``p`` has the standard error ``sqrt(p (1 - p) / n)``
    with ``n`` keys. ``KeyDraws.ONCE`` makes fewer plays, as many as keys for each course of
    actions; but who has seen enough to tell the key knows all that is to come.

    Up to 64 joint actions of a state are stepped in one call, and the last 4096 calls are kept.

    Source: A. Rutherford et al., "JaxMARL: Multi-agent RL environments and algorithms in JAX",
    2024.

    >>> posg_from_jax("coin_game")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    gametheory_core.errors.InvalidArgument: posg_from_jax: needs an environment, but ...
    """
    for name in ("agents", "reset", "step", "action_space"):
        if not hasattr(env, name):
            raise InvalidArgument(
                needs="an environment",
                found=f"{env!r} has no {name}",
                remedy="Give one with agents, reset, step and action_space.",
            )
    require_member(draws, KeyDraws, name="draws")
    seeds = None if keys is None else as_tuple(keys, name="keys", remedy="Give range(100).")
    if seeds is not None and (not seeds or len(set(seeds)) != len(seeds)):
        raise InvalidArgument(needs="different keys, at least one", found=f"got {seeds!r}")
    for seed in seeds or ():
        require_integer(seed, name="keys", low=0, high=2**32 - 1)
    title = str(getattr(env, "name", type(env).__name__))
    actions = tuple(_actions(env, title, agent) for agent in env.agents)
    functions = Functions(
        env.reset, getattr(env, "step_env", env.step), available or _masks_of(env)
    )
    draws_once = seeds is not None and draws is KeyDraws.ONCE
    if draws_once:
        functions = carrying_keys(functions)
    return JaxRules(
        title,
        Steps(title, env.agents, functions),
        players=tuple(map(str, env.agents)),
        actions=actions,
        keys=seeds,
        draws_once=draws_once,
    )


def _actions(env: Any, title: str, agent: Any) -> range:
    space = env.action_space(agent)
    count = getattr(space, "n", None)
    if not isinstance(count, int | np.integer) or getattr(space, "shape", ()) != ():
        raise UnsupportedGame(
            needs="Discrete actions, with a number n of them",
            found=f"those of {agent!r} in {title} are a {type(space).__name__}",
            remedy="Wrap the environment so that finitely many are left.",
        )
    return range(int(count))


def _masks_of(env: Any) -> Callable[[Any], Any] | None:
    """Return the environment's own masks, if it has any."""
    masks = getattr(env, "get_avail_actions", None)
    if masks is None:
        return None
    _, state = env.reset(loaded_jax().random.PRNGKey(0))
    try:
        masks(state)
    except NotImplementedError:
        return None
    return masks
