"""What sampling has learned: an average policy that is labelled as not certified, until it is."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, fields
from enum import Enum
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.arguments import require_instance
from gametheory_core.arrays import FloatArray, freeze
from gametheory_core.games import ExtensiveFormGame
from gametheory_core.games.tree_draft import TreeRules
from solvers.counterfactual.sampled_positions import InfosetKey
from solvers.solution import RunRecord

Source: TypeAlias = TreeRules[Any] | ExtensiveFormGame


class Sampling(Enum):
    """What one traversal draws and what it follows through."""

    EXTERNAL = "all own actions are followed; chance and the others are drawn"
    OUTCOME = "one play is drawn"


@dataclass(frozen=True, eq=False, repr=False)
class SamplingState:
    """Where sampling stands: all that is needed to go on with it, to the last bit.

    Attributes:
        source: What is played.
        exploration: Share of even draws among own actions; for ``Sampling.OUTCOME``.
        iterations: Iterations done, of one traversal for each player.
        infosets: Player and information set, in the order of the vectors below: as met, or of a
            tree as numbered there.
        actions: Labels of the actions at each.
        regrets, totals (all actions,): Summed sampled regrets, and summed strategies; information
            sets one after another.
        generator: State of the random numbers, as numpy writes it.
    """

    source: Source
    sampling: Sampling
    exploration: float
    iterations: int
    infosets: tuple[InfosetKey, ...]
    actions: tuple[tuple[str, ...], ...]
    regrets: FloatArray
    totals: FloatArray
    generator: Mapping[str, Any]

    def __post_init__(self) -> None:
        for name in ("regrets", "totals"):
            require_instance(getattr(self, name), np.ndarray, name=name)
            object.__setattr__(self, name, freeze(getattr(self, name).copy()))

    @cached_property
    def offset(self) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
        """Where each information set's actions start in the vectors, then their length."""
        return np.cumsum([0, *map(len, self.actions)], dtype=np.int64)

    @property
    def num_bytes(self) -> int:
        """Bytes of the numbers remembered, in the compiled form; Python's take some times more."""
        return self.regrets.nbytes + self.totals.nbytes

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by the constructor, so that arrays are read-only again on the other side."""
        return (SamplingState, tuple(getattr(self, item.name) for item in fields(self)))

    def __repr__(self) -> str:
        return (
            f"SamplingState({self.source.title!r}, {self.sampling.name}, "
            f"{self.iterations} iterations, {len(self.infosets)} information sets)"
        )


@dataclass(frozen=True, eq=False, repr=False)
class SampledPlay:
    """An average policy that was learned by sampling. Not certified: nothing is proved about it.

    Attributes:
        state: Give it as ``start`` to go on.
        run: How it was got.
    """

    state: SamplingState
    run: RunRecord

    @property
    def source(self) -> Source:
        """What was played."""
        return self.state.source

    @property
    def statement(self) -> str:
        """What this is, in one sentence."""
        return (
            f"sampled, not certified: the average of {self.state.iterations:,} iterations of "
            f"{self.state.sampling.name.lower()} sampling, at {len(self.state.infosets):,} "
            "information sets; nothing is proved about what it leaves to gain"
        )

    @cached_property
    def policy(self) -> Mapping[InfosetKey, Mapping[str, float]]:
        """The average: (player, information set) -> action label -> probability.

        Even where play never came, or no action has weight. The information sets of a tree are
        those of ``game.infosets``, by index.
        """
        return MappingProxyType(
            {
                key: dict(zip(actions, self.average(index).tolist(), strict=True))
                for index, (key, actions) in enumerate(
                    zip(self.state.infosets, self.state.actions, strict=True)
                )
            }
        )

    @cached_property
    def index(self) -> Mapping[tuple[int, Hashable], int]:
        """Number of each information set that was met."""
        return MappingProxyType({key: k for k, key in enumerate(self.state.infosets)})

    def average(self, index: int) -> FloatArray:
        """Return the average strategy at an information set, by number; even if never played."""
        totals = self.state.totals[self.state.offset[index] : self.state.offset[index + 1]]
        whole = totals.sum()
        return totals / whole if whole > 0 else even(len(totals))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by the constructor, without what is only remembered."""
        return (SampledPlay, (self.state, self.run))

    def __repr__(self) -> str:
        return f"SampledPlay({self.source.title!r}, {self.statement})"


@dataclass(frozen=True, eq=False, repr=False)
class SampledStreams:
    """Averages learned from independent streams of samples. Not certified.

    Attributes:
        states: Where each stream stands. Give them as ``start`` to go on.
        run: How it was got.
    """

    states: tuple[SamplingState, ...]
    run: RunRecord

    @property
    def source(self) -> Source:
        """What was played."""
        return self.states[0].source

    @property
    def plays(self) -> tuple[SampledPlay, ...]:
        """What each stream has learned by itself."""
        return tuple(SampledPlay(state, self.run) for state in self.states)

    @cached_property
    def pooled(self) -> SampledPlay:
        """One play with the sums of all streams, added in their order.

        Its average weighs each stream at an information set by how often it sampled that; it needs
        no tree. Nothing goes on from it.
        """
        first = self.states[0]
        actions: dict[InfosetKey, tuple[str, ...]] = {}
        for state in self.states:
            actions.update(zip(state.infosets, state.actions, strict=True))
        ends = np.cumsum([0, *map(len, actions.values())]).tolist()
        start = dict(zip(actions, ends[:-1], strict=True))
        sums = np.zeros((2, ends[-1]))
        for state in self.states:
            places = [
                start[key] + k
                for key, own in zip(state.infosets, state.actions, strict=True)
                for k in range(len(own))
            ]
            sums[:, places] += state.regrets, state.totals
        pooled = SamplingState(
            source=first.source,
            sampling=first.sampling,
            exploration=first.exploration,
            iterations=sum(state.iterations for state in self.states),
            infosets=tuple(actions),
            actions=tuple(actions.values()),
            regrets=sums[0],
            totals=sums[1],
            generator={},
        )
        return SampledPlay(pooled, self.run)

    @property
    def index(self) -> Mapping[tuple[int, Hashable], int]:
        """Number of each information set that any stream met."""
        return self.pooled.index

    @property
    def statement(self) -> str:
        """What this is, in one sentence."""
        return f"{self.pooled.statement}; {len(self.states)} independent streams"

    def __repr__(self) -> str:
        return f"SampledStreams({self.source.title!r}, {self.statement})"


def even(count: int) -> FloatArray:
    """Return the uniform strategy on so many actions."""
    return np.full(count, 1.0 / count)
