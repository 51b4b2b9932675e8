"""JAX environments stepped by rows of bytes: many joint actions and keys in one compiled call.

A row is where a reset or a step leads: the bytes of the arrays of the state, then for each agent
those of what it is shown, of which actions are available to it, and of whether it is done. After a
step, what it paid and whether play is over come last.
"""

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import accumulate
from math import prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.adapters.views import label_of
from gametheory_core.arguments import shortened_text
from gametheory_core.errors import GameTheoryError, UnsupportedGame, not_installed

Tree: TypeAlias = Any  # of arrays


@cache
def loaded_jax() -> Any:
    """Import JAX, once it is needed.

    Raises:
        MissingDependency: If it is not installed.
    """
    try:
        return importlib.import_module("jax")
    except ImportError as error:
        raise not_installed("posg_from_jax", "jax", extra="jax") from error


@dataclass(frozen=True)
class Layout:
    """How the arrays of a pytree lie in a row of bytes, one after another.

    Attributes:
        names: Of the leaves, as JAX writes their paths.
    """

    names: tuple[str, ...]
    shapes: tuple[tuple[int, ...], ...]
    dtypes: tuple[np.dtype[Any], ...]
    treedef: Any

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """Where the bytes of each leaf end; the first entry is 0."""
        widths = (prod(s) * d.itemsize for s, d in zip(self.shapes, self.dtypes, strict=True))
        return tuple(accumulate(widths, initial=0))

    def leaves(self, content: bytes) -> list[NDArray[Any]]:
        """Return the arrays that bytes hold, read-only."""
        spans = zip(self.shapes, self.dtypes, self.ends[:-1], strict=True)
        return [np.frombuffer(content, d, prod(s), start).reshape(s) for s, d, start in spans]

    def text(self, content: bytes) -> str:
        """Return what bytes hold as people read it."""
        arrays = zip(self.names, self.leaves(content), strict=True)
        return ", ".join(f"{name.lstrip('.')}={label_of(a[()])!r}" for name, a in arrays)

    def tree(self, content: bytes) -> Tree:
        """Return the pytree that bytes hold."""
        return loaded_jax().tree_util.tree_unflatten(self.treedef, self.leaves(content))

    def traced_tree(self, row: Any) -> Tree:
        """Return the pytree that a row holds, in a function that JAX compiles."""
        jax, leaves, ends = loaded_jax(), list[Any](), self.ends
        for k, (shape, dtype) in enumerate(zip(self.shapes, self.dtypes, strict=True)):
            single = dtype.itemsize == 1
            bits = row[ends[k] : ends[k + 1]].reshape(shape if single else (*shape, dtype.itemsize))
            is_bool = dtype.kind == "b"
            leaves.append(bits != 0 if is_bool else jax.lax.bitcast_convert_type(bits, dtype))
        return jax.tree_util.tree_unflatten(self.treedef, leaves)


def layout_of(tree: Tree, *, whose: str) -> Layout:
    """Return the layout of a pytree.

    Raises:
        UnsupportedGame: If a leaf is no array of numbers.
    """
    jax = loaded_jax()
    found, treedef = jax.tree_util.tree_flatten_with_path(tree)
    names = tuple(jax.tree_util.keystr(path) for path, _ in found)
    arrays: list[Any] = []
    for name, (_, leaf) in zip(names, found, strict=True):
        try:
            array = jax.numpy.asarray(leaf)
        except TypeError:
            array = None
        if array is None or getattr(array.dtype, "kind", "") not in set("biuf"):
            raise UnsupportedGame(
                needs="states and observations of arrays of numbers",
                found=f"{whose}{name} is {leaf!r} (type {type(leaf).__name__})",
                remedy="Keep what does not change in the environment, and jax.random.key_data of "
                "a key.",
            )
        arrays.append(array)
    dtypes = tuple(np.dtype(array.dtype) for array in arrays)
    return Layout(names, tuple(tuple(array.shape) for array in arrays), dtypes, treedef)


def _traced_row(tree: Tree) -> Any:
    """Return the bytes of all arrays, in a function that JAX compiles."""
    jax = loaded_jax()
    jnp = jax.numpy
    parts = [jnp.zeros(0, jnp.uint8)]
    for leaf in map(jnp.asarray, jax.tree_util.tree_leaves(tree)):
        is_bool = leaf.dtype == bool
        bits = leaf.astype(jnp.uint8) if is_bool else jax.lax.bitcast_convert_type(leaf, jnp.uint8)
        parts.append(bits.ravel())
    return jnp.concatenate(parts)


def _keys(seeds: tuple[int, ...]) -> NDArray[Any]:
    return np.array([loaded_jax().random.PRNGKey(seed) for seed in seeds])


class Functions(NamedTuple):
    """What an environment does: ``available`` is None if all actions always are."""

    reset: Callable[[Any], Any]
    step: Callable[[Any, Tree, dict[Any, Any]], Any]
    available: Callable[[Tree], Any] | None


def carrying_keys(functions: Functions) -> Functions:
    """Let states carry the key that all later ones are split from; steps ignore theirs."""
    split = loaded_jax().random.split

    def reset(key: Any) -> Any:
        now, later = split(key)
        seen, state = functions.reset(now)
        return seen, (state, later)

    def step(_: Any, carried: Any, actions: dict[Any, Any]) -> Any:
        now, later = split(carried[1])
        seen, state, *rest = functions.step(now, carried[0], actions)
        return seen, (state, later), *rest

    def available(carried: Any) -> Any:
        return functions.available and functions.available(carried[0])

    return Functions(reset, step, functions.available and available)


class Steps:
    """The functions of an environment, compiled to go from rows to rows.

    Attributes:
        layouts: Of the state, and of what a row holds for each agent, in turn.
        starts: Where each of them begins in a row; the last entry is where they end.
        paid: The layout of what comes last: the rewards of all agents, and whether play is over.
    """

    def __init__(self, title: str, agents: Sequence[Any], functions: Functions) -> None:
        self._title, self._agents, self._functions = title, tuple(agents), functions
        jax = loaded_jax()
        _, self.layouts = self._tried(lambda: "reset", lambda: self._reset(jax.random.PRNGKey(0)))
        self.starts = tuple(accumulate((part.ends[-1] for part in self.layouts), initial=0))
        self._keys = lru_cache(_keys)
        self._resets = jax.jit(jax.vmap(self._reset_row))
        self.paid = Layout((), (), (), None)  # known once a step is compiled
        by_key = jax.vmap(self._step, in_axes=(None, None, 0))
        self._steps = jax.jit(jax.vmap(by_key, in_axes=(None, 0, None)))

    def resets(self, seeds: tuple[int, ...]) -> NDArray[np.uint8]:
        """Return the rows that resets lead to, one for each seed."""
        keys = self._keys(seeds)
        return np.asarray(self._tried(lambda: "reset", lambda: self._resets(keys)))

    def steps(
        self, row: bytes, joint_actions: NDArray[np.int32], seeds: tuple[int, ...]
    ) -> NDArray[np.uint8]:
        """Return the rows (joint actions x seeds x bytes) to which joint actions lead."""
        keys, array = self._keys(seeds), np.frombuffer(row, np.uint8)
        return np.asarray(
            self._tried(
                lambda: f"step in the state {self.layouts[0].text(row)}",
                lambda: self._steps(array, joint_actions, keys),
            )
        )

    def _tried(self, what: Callable[[], str], call: Callable[[], Any]) -> Any:
        try:
            return call()
        except GameTheoryError:
            raise
        except Exception as error:  # what fails in an environment is its own affair
            told = shortened_text(f"{type(error).__name__}: {error}", most=300)
            raise UnsupportedGame(
                needs="reset, step and masks that JAX can compile, with an entry for each agent",
                found=f"it fails at {what()}: {told}",
                remedy="Give an environment that follows JaxMARL, without wrappers.",
                where=self._title,
            ) from error

    def _reset(self, key: Any) -> tuple[Any, tuple[Layout, ...]]:
        shown, state = self._functions.reset(key)
        return self._look(shown, state, dict.fromkeys(self._agents, loaded_jax().numpy.bool_(0)))

    def _reset_row(self, key: Any) -> Any:
        return self._reset(key)[0]

    def _step(self, row: Any, actions: Any, key: Any) -> Any:
        jnp = loaded_jax().numpy
        chosen = {agent: actions[i] for i, agent in enumerate(self._agents)}
        state = self.layouts[0].traced_tree(row)
        shown, after, rewards, dones, *_ = self._functions.step(key, state, chosen)
        reached, layouts = self._look(shown, after, dones)
        if layouts != self.layouts:
            self._refuse_change(layouts)
        paid = tuple(jnp.reshape(rewards[agent], ()) for agent in self._agents)
        last = (paid, jnp.reshape(dones["__all__"], ()).astype(bool))
        self.paid = layout_of(last, whose="rewards")
        return jnp.concatenate([reached, _traced_row(last)])

    def _look(self, shown: Any, state: Tree, dones: Any) -> tuple[Any, tuple[Layout, ...]]:
        jnp = loaded_jax().numpy
        masks = self._functions.available and self._functions.available(state)
        seen = [
            (
                shown[agent],
                masks and jnp.ravel(masks[agent]).astype(bool),
                jnp.reshape(dones[agent], ()).astype(bool),
            )
            for agent in self._agents
        ]
        names = ("state", *(f"what {agent!r} sees" for agent in self._agents))
        trees = [state, *seen]
        layouts = tuple(layout_of(t, whose=w) for t, w in zip(trees, names, strict=True))
        return _traced_row(trees), layouts

    def _refuse_change(self, layouts: tuple[Layout, ...]) -> None:
        def text(parts: tuple[Layout, ...]) -> set[str]:
            return {
                f"{name or 'the state'} {dtype}{list(shape)}"
                for part in parts
                for name, shape, dtype in zip(part.names, part.shapes, part.dtypes, strict=True)
            }

        before, after = text(self.layouts), text(layouts)
        raise UnsupportedGame(
            needs="arrays of the same names, shapes and types after a reset and after each step",
            found=f"it has {sorted(before - after)} after a reset, and "
            f"{sorted(after - before)} after a step",
            remedy="Let reset make them as step does.",
            where=self._title,
        )
