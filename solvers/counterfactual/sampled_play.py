"""What sampling has learned: an average policy that is labelled as not certified, until it is.

Sampling visits a part of the tree, at random. What it learns is proved nothing about by that; the
proof is a certificate of the average in the tree itself, where that can be laid out.

For that the tree of the rules is laid out once, if it is small enough; its information sets are
those that sampling met, found by player and key, and others where play is even.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

from gametheory_core import BehavioralProfile, MinimaxCertificate, UnsupportedGame, certify_minimax
from gametheory_core.arguments import distinct_texts
from gametheory_core.arrays import FloatArray, freeze
from gametheory_core.certificates import NashCertificate, certify_nash
from gametheory_core.games import ExtensiveFormGame, is_constant_sum, lay_out_rules, player_infosets
from gametheory_core.games.tree_draft import Decision, Node, Terminal, TreeRules
from solvers.counterfactual.sampled_positions import InfosetKey
from solvers.requirements import require_instance, require_integer
from solvers.rounding import rational_distribution
from solvers.solution import RunRecord, Solution

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
        return totals / whole if whole > 0 else _even(len(totals))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by the constructor, without what is only remembered."""
        return (SampledPlay, (self.state, self.run))

    def __repr__(self) -> str:
        return f"SampledPlay({self.source.title!r}, {self.statement})"


MOST_NODES = 1_000_000

CertifiedAverage: TypeAlias = Solution[BehavioralProfile, MinimaxCertificate | NashCertificate]


@dataclass(frozen=True)
class LaidOutAverage:
    """A sampled average in the whole tree. Not certified.

    Attributes:
        game: The tree of the rules.
        profile: In floats; even where sampling never came.
        num_unmet: Number of information sets where it never came.
    """

    game: ExtensiveFormGame
    profile: BehavioralProfile
    num_unmet: int


def laid_out_average(play: SampledPlay, *, max_nodes: int = MOST_NODES) -> LaidOutAverage:
    """Lay out the tree that was sampled, and the average on it.

    Args:
        max_nodes: Refuse larger trees, as soon as they are seen to be larger.

    Raises:
        UnsupportedGame: If the tree has more nodes.
        InvalidGame: If the rules contradict themselves.

    >>> import numpy as np
    >>> from gametheory_core.catalog import KuhnRules
    >>> from solvers import monte_carlo_counterfactual_regret
    >>> rng = np.random.default_rng(7)
    >>> play = monte_carlo_counterfactual_regret(KuhnRules(), iterations=100, rng=rng)
    >>> average = laid_out_average(play)
    >>> average.game.num_nodes, average.num_unmet
    (55, 0)
    """
    require_instance(play, SampledPlay, name="play")
    require_integer(max_nodes, name="max_nodes", low=1)
    if isinstance(play.source, ExtensiveFormGame):
        vectors = [play.average(k) for k in range(len(play.state.infosets))]
        return LaidOutAverage(play.source, BehavioralProfile(tuple(vectors)), 0)
    keyed = _KeyedRules(play.source, max_nodes)
    laid_out = lay_out_rules(keyed)
    decisions = laid_out.infosets[: laid_out.num_decision_infosets]
    met = [play.index.get((own.player, keyed.keys[int(own.label)])) for own in decisions]
    vectors = [
        _even(len(own.actions)) if known is None else play.average(known)
        for own, known in zip(decisions, met, strict=True)
    ]
    profile = BehavioralProfile(tuple(vectors))
    return LaidOutAverage(_named(laid_out, keyed), profile, met.count(None))


def certified_average(play: SampledPlay, *, max_nodes: int = MOST_NODES) -> CertifiedAverage:
    """Prove what the average of a sampled play leaves to gain, in the whole tree.

    Arguments and errors as in ``laid_out_average``; players need perfect recall.

    Returns:
        The profile is the average as rationals. For two-player constant-sum trees the certificate
        bounds the value of the game from both sides; for others it states each player's gain. The
        laid-out tree is ``solution.certificate.game``.

    >>> import numpy as np
    >>> from gametheory_core.catalog import KuhnRules
    >>> from solvers import monte_carlo_counterfactual_regret
    >>> rng = np.random.default_rng(7)
    >>> play = monte_carlo_counterfactual_regret(KuhnRules(), iterations=3000, rng=rng)
    >>> solution = certified_average(play)
    >>> solution.certificate.verify()
    >>> float(solution.certificate.epsilon) < 0.1
    True
    """
    require_instance(play, SampledPlay, name="play")
    average = laid_out_average(play, max_nodes=max_nodes)
    game = average.game
    profile = BehavioralProfile(tuple(map(rational_distribution, average.profile.probabilities)))
    meets_two = game.num_players == 2 and is_constant_sum(game)
    certificate = (certify_minimax if meets_two else certify_nash)(game, profile)
    return Solution(profile, certificate.payoffs, certificate, play.run)


@dataclass
class _KeyedRules:
    """Rules whose information sets are numbered, so that no two labels can collide.

    ``keys`` are the information sets behind the numbers; grows while the tree is laid out.
    """

    rules: TreeRules[Any]
    max_nodes: int
    keys: list[Hashable] = field(default_factory=list[Hashable])

    def __post_init__(self) -> None:
        self.title, self.players, self.root = self.rules.title, self.rules.players, self.rules.root
        self._number: dict[tuple[int, Hashable], int] = {}
        self._known_nodes = 1

    def expand(self, position: object) -> Node[Any]:
        """Return what happens at a position, the information set replaced by its number."""
        node = self.rules.expand(position)
        if isinstance(node, Terminal):
            return node
        self._known_nodes += len(node.children)
        if self._known_nodes > self.max_nodes:
            raise UnsupportedGame(
                needs=f"at most max_nodes = {self.max_nodes:,} nodes",
                found=f"{self.title or 'the tree'} has more",
                remedy="Raise max_nodes, or keep to the sampled policy, of which nothing is "
                "proved.",
            )
        if not isinstance(node, Decision):
            return node
        key = node.player, node.infoset
        number = self._number.setdefault(key, len(self.keys))
        if number == len(self.keys):
            self.keys.append(node.infoset)
        return replace(node, infoset=number)


def _named(game: ExtensiveFormGame, keyed: _KeyedRules) -> ExtensiveFormGame:
    """Name information sets as the rules do; apart, where two of a player have one name."""
    infosets = list(game.infosets)
    for player in range(game.num_players):
        own = player_infosets(game, player)
        keys = [keyed.keys[int(infosets[k].label)] for k in own]
        names = tuple(map(str, keys))
        if len(set(names)) < len(names):
            names = distinct_texts(keys)
        for k, name in zip(own, names, strict=True):
            infosets[k] = replace(infosets[k], label=name)
    return ExtensiveFormGame(
        game.players,
        tuple(infosets),
        game.node_infoset,
        game.outcomes,
        game.node_outcome,
        title=game.title,
    )


def _even(count: int) -> FloatArray:
    return np.full(count, 1.0 / count)
