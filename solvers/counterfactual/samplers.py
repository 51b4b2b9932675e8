"""Iterations of sampled traversals: on rules in Python, on a built tree in compiled code.

Both take the same steps with the same draws, so that which of them runs changes no bit.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Protocol

import numpy as np

from gametheory_core.arrays import FloatArray, as_float, exact_array
from gametheory_core.games.extensive_form import ExtensiveFormGame
from solvers.counterfactual.sampled_play import Sampling, SamplingState, Source
from solvers.counterfactual.sampled_positions import (
    InfosetKey,
    Positions,
    TreeAsRules,
    action_labels,
    running_sums,
)
from solvers.counterfactual.sampled_traversals import (
    GeneratorDraws,
    Memories,
    averaging_walk,
    external_traversal,
    outcome_traversal,
)
from solvers.solution import BudgetOver

if TYPE_CHECKING:
    from solvers._kernels.sampled_traversals import SampledTree

COMPILED_FROM = 500  # iterations; fewer take less time than loading compiled code


@dataclass(frozen=True)
class SamplerRequest:
    """What is asked of sampling, whatever is played."""

    sampling: Sampling
    exploration: float
    max_infosets: int


class Sampler(Protocol):
    """Learns from sampled traversals; changes as it does. Lives inside one call."""

    @property
    def num_infosets(self) -> int:
        """Number of information sets met so far."""
        ...

    @property
    def done(self) -> int:
        """Number of iterations done here."""
        ...

    def advance(
        self, generator: np.random.Generator, count: int, is_over: Callable[[], bool] = bool, /
    ) -> None:
        """Do so many iterations; none, if ``is_over`` says within one that time has run out.

        Whatever exception ends this, nothing is left half done.
        """
        ...

    def state(self, generator: np.random.Generator) -> SamplingState:
        """Return where this stands."""
        ...


def new_sampler(
    source: Source, request: SamplerRequest, start: SamplingState | None, *, iterations: int
) -> Sampler:
    """Return a sampler that begins, or goes on from ``start``."""
    if isinstance(source, ExtensiveFormGame) and iterations >= COMPILED_FROM:
        return TreeSampler(source, request, start)
    return RulesSampler(source, request, start)


class RulesSampler:
    """Samples rules, in Python."""

    def __init__(
        self, source: Source, request: SamplerRequest, start: SamplingState | None
    ) -> None:
        self.source, self.request = source, request
        rules = TreeAsRules(source) if isinstance(source, ExtensiveFormGame) else source
        keys, actions = known_infosets(source) if start is None else (start.infosets, start.actions)
        positions = Positions(rules, keys=list(keys), actions=list(actions))
        counts = list(map(len, actions))
        regrets, totals = (_split(vector, counts) for vector in _vectors(start, sum(counts)))
        self.memories = Memories(positions, regrets, totals)
        self.started, self.done = start.iterations if start else 0, 0

    @property
    def num_infosets(self) -> int:
        """Number of information sets met so far."""
        return len(self.memories.regrets)

    def advance(
        self, generator: np.random.Generator, count: int, is_over: Callable[[], bool] = bool, /
    ) -> None:
        """Do so many iterations; none, if ``is_over`` says within one that time has run out.

        Fewer, if one meets more information sets than may be remembered.
        """
        self.memories.is_over = is_over
        self.memories.keep()
        bits, done = generator.bit_generator.state, self.done
        draws = GeneratorDraws(generator.random)
        try:
            for _ in range(count):
                self._iterate(draws)
                self.done += 1
                if self.num_infosets > self.request.max_infosets:
                    break
        except BaseException as error:
            self.memories.undo()
            generator.bit_generator.state, self.done = bits, done
            if not isinstance(error, BudgetOver):
                raise

    def _iterate(self, draws: GeneratorDraws) -> None:
        memories = self.memories
        players = memories.positions.num_players
        is_external = self.request.sampling is Sampling.EXTERNAL
        is_averaging = is_external and players == 2
        for player in range(players):
            if not is_averaging:
                averaging_walk(memories, player, draws)
            if is_external:
                external_traversal(memories, player, draws, is_averaging=is_averaging)
            else:
                outcome_traversal(memories, player, draws, self.request.exploration)

    def state(self, generator: np.random.Generator) -> SamplingState:
        """Return where this stands."""
        return SamplingState(
            source=self.source,
            sampling=self.request.sampling,
            exploration=self.request.exploration,
            iterations=self.started + self.done,
            infosets=tuple(self.memories.positions.keys),
            actions=tuple(self.memories.positions.actions),
            regrets=np.fromiter(chain(*self.memories.regrets), dtype=np.float64),
            totals=np.fromiter(chain(*self.memories.totals), dtype=np.float64),
            generator=generator.bit_generator.state,
        )


class TreeSampler:
    """Samples a built tree, in compiled code."""

    def __init__(
        self, game: ExtensiveFormGame, request: SamplerRequest, start: SamplingState | None
    ) -> None:
        from solvers._kernels.sampled_traversals import (  # noqa: PLC0415 loads numba
            SampledMemories,
            SampledScratch,
            match_regrets,
        )

        self.game, self.request = game, request
        self.keys, self.actions = known_infosets(game)
        size = int(game.action_offset[game.num_decision_infosets])
        regrets, totals = _vectors(start, size)
        count = np.zeros(1, dtype=np.int64)
        self.memories: SampledMemories = SampledMemories(regrets, np.empty(size), totals, count)
        self.started = start.iterations if start else 0
        match_regrets(game.action_offset[: game.num_decision_infosets + 1], self.memories)
        self.tree: SampledTree = _sampled_tree(game)
        most = max((len(infoset.actions) for infoset in game.infosets), default=1)
        self.scratch: SampledScratch = SampledScratch(
            visits=np.empty(game.num_nodes, dtype=np.int32),
            first=np.empty(game.num_nodes, dtype=np.int32),
            own=np.empty(game.num_nodes, dtype=np.int32),
            values=np.empty(game.num_nodes),
            mixed=np.empty(most),
        )

    @property
    def num_infosets(self) -> int:
        """Number of information sets; all are known."""
        return len(self.keys)

    @property
    def done(self) -> int:
        """Number of iterations done here."""
        return int(self.memories.done[0])

    def advance(
        self, generator: np.random.Generator, count: int, _is_over: Callable[[], bool] = bool, /
    ) -> None:
        """Do so many iterations; compiled code visits a built tree too fast to look at the time."""
        from solvers._kernels.sampled_traversals import EXTERNAL, OUTCOME, sample  # noqa: PLC0415 loads numba

        kind = EXTERNAL if self.request.sampling is Sampling.EXTERNAL else OUTCOME
        exploration = float(self.request.exploration)
        sample(self.tree, self.memories, self.scratch, generator, kind, exploration, count)

    def state(self, generator: np.random.Generator) -> SamplingState:
        """Return where this stands."""
        return SamplingState(
            source=self.game,
            sampling=self.request.sampling,
            exploration=self.request.exploration,
            iterations=self.started + self.done,
            infosets=self.keys,
            actions=self.actions,
            regrets=self.memories.regrets,
            totals=self.memories.totals,
            generator=generator.bit_generator.state,
        )


def known_infosets(source: Source) -> tuple[tuple[InfosetKey, ...], tuple[tuple[str, ...], ...]]:
    """Return what is known of information sets beforehand: of a tree all, of rules none."""
    if not isinstance(source, ExtensiveFormGame):
        return (), ()
    infosets = source.infosets[: source.num_decision_infosets]
    keys = tuple((infoset.player, index) for index, infoset in enumerate(infosets))
    return keys, tuple(map(action_labels, infosets))


def _sampled_tree(game: ExtensiveFormGame) -> "SampledTree":
    from solvers._kernels.sampled_traversals import SampledTree  # noqa: PLC0415 loads numba

    nothing = [0] * game.num_players
    payoffs = exact_array([*(outcome.payoffs for outcome in game.outcomes), nothing])
    infoset = np.maximum(game.node_infoset, 0)
    cumulative = np.zeros(int(game.action_offset[-1]))
    for index in range(game.num_decision_infosets, len(game.infosets)):
        start, stop = game.action_offset[index], game.action_offset[index + 1]
        cumulative[start:stop] = running_sums(
            game.infosets[index].probabilities or (), number=float
        )
    columns = (
        game.node_player,
        game.first_child,
        game.action_offset[infoset],
        game.action_offset[np.minimum(infoset + 1, len(game.infosets))],
        np.where(game.node_outcome < 0, len(game.outcomes), game.node_outcome),
    )
    return SampledTree(
        nodes=np.stack(columns, axis=1).astype(np.int32),
        payoffs=as_float(payoffs).reshape(-1, game.num_players),
        cumulative=cumulative,
    )


def _vectors(start: SamplingState | None, size: int) -> tuple[FloatArray, FloatArray]:
    if start is None:
        return np.zeros(size), np.zeros(size)
    return start.regrets.copy(), start.totals.copy()


def _split(vector: FloatArray, counts: list[int]) -> list[list[float]]:
    parts = np.split(vector, np.cumsum(counts)[:-1]) if counts else []
    return [part.tolist() for part in parts]
