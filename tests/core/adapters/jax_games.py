"""Small environments with JaxMARL's step functions, of which the values are known."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp


class Discrete(NamedTuple):
    n: int
    shape: tuple[int, ...] = ()


TWO = Discrete(2)


@dataclass(frozen=True)
class Scripted:
    """An environment made of its two functions."""

    reset: Callable[[Any], Any]
    step: Callable[[Any, Any, dict[str, Any]], Any]
    actions: Any = TWO
    name: str = "scripted"
    agents: tuple[str, ...] = ("row", "column")

    def action_space(self, agent):
        return self.actions


def result(env_agents, seen, state, rewards, *, over, done=()):
    """What a step returns, of one observation and the rewards of all agents."""
    dones = {a: jnp.asarray(a in done) | over for a in env_agents} | {"__all__": over}
    paid = dict(zip(env_agents, rewards, strict=True))
    return dict.fromkeys(env_agents, seen), state, paid, dones, {}


def repeated(matrix, *, rounds):
    """A zero-sum matrix played again and again; players see what was played last."""
    payoffs, agents = jnp.array(matrix, jnp.float32), Scripted.agents

    def reset(_):
        state = {"last": jnp.full(2, -1, jnp.int32), "round": jnp.int32(0)}
        return dict.fromkeys(agents, state["last"]), state

    def step(_, state, actions):
        joint = jnp.stack([actions[a] for a in agents])
        after = {"last": joint, "round": state["round"] + 1}
        paid = payoffs[joint[0], joint[1]]
        return result(agents, joint, after, (paid, -paid), over=after["round"] == rounds)

    return Scripted(reset, step, name="repeated")


def pursuit(*, steps):
    """A pursuer and an evader on a ring of three cells, who stay or move either way at once.

    Each can go anywhere, so whoever moves evenly is met, and meets, with probability 1/3: the
    pursuer wins 1 with probability ``1 - (2/3)**steps``.
    """
    agents = ("pursuer", "evader")

    def reset(_):
        cells = jnp.array([0, 1], jnp.int8)
        return dict.fromkeys(agents, cells), (cells, jnp.int16(0))

    def step(_, state, actions):
        moves = jnp.stack([actions[a] for a in agents]) - 1
        cells = ((state[0] + moves) % 3).astype(jnp.int8)
        met = cells[0] == cells[1]
        over = met | (state[1] + 1 == steps)
        paid = met.astype(jnp.float32)
        return result(agents, cells, (cells, state[1] + 1), (paid, -paid), over=over)

    return Scripted(reset, step, Discrete(3), "pursuit", agents)


def gamble(*, rounds=2):
    """Each round a fair die of four sides is thrown, seen by all, and pays the row player."""
    agents = Scripted.agents

    def reset(key):
        die = jax.random.randint(key, (), 0, 4)
        return dict.fromkeys(agents, die), (die, jnp.int32(0))

    def step(key, state, actions):
        die = jax.random.randint(key, (), 0, 4)
        paid = die * actions["row"] * 0.5
        after = (die, state[1] + 1)
        return result(agents, die, after, (paid, -paid), over=after[1] == rounds)

    return Scripted(reset, step, name="gamble")
