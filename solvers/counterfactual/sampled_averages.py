"""Sampled averages in the whole tree, and the proof of what they leave to gain there.

Sampling visits a part of the tree, at random. What it learns is proved nothing about by that; the
proof is a certificate of the average in the tree itself, where that can be laid out.

For that the tree of the rules is laid out once, if it is small enough; its information sets are
those that sampling met, found by player and key, and others where play is even.

Independent streams of samples are averaged by realization plans: a player draws one stream, and
plays its average throughout. By Kuhn's theorem some behavioral strategy does the same. In a
two-player zero-sum game gains are convex in realization plans, so the mixture leaves at most the
streams' average to gain. Averages taken at each information set alone may leave more.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from gametheory_core import BehavioralProfile, MinimaxCertificate, UnsupportedGame, certify_minimax
from gametheory_core.arguments import distinct_texts
from gametheory_core.certificates import NashCertificate, certify_nash
from gametheory_core.games import ExtensiveFormGame, is_constant_sum, lay_out_rules, player_infosets
from gametheory_core.games.tree_draft import Decision, Node, Terminal, TreeRules
from gametheory_core.strategies import (
    RealizationPlan,
    behavioral_profile,
    realization_plan,
    sequence_form,
)
from solvers.counterfactual.sampled_play import SampledPlay, SampledStreams, Source, even
from solvers.requirements import require_instance, require_integer
from solvers.rounding import rational_distribution
from solvers.solution import Solution

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


def laid_out_average(
    play: SampledPlay | SampledStreams, *, max_nodes: int = MOST_NODES
) -> LaidOutAverage:
    """Lay out the tree that was sampled, and the average on it.

    Args:
        play: Of streams the averages are mixed as realization plans, in proportion to iterations.
        max_nodes: Refuse larger trees, as soon as they are seen to be larger.

    Raises:
        UnsupportedGame: If the tree has more nodes, or there are streams and a player forgets.
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
    require_play(play)
    require_integer(max_nodes, name="max_nodes", low=1)
    layout = _laid_out(play.source, max_nodes)
    if isinstance(play, SampledPlay):
        profile = _placed(layout, play)
    else:
        weights = [state.iterations for state in play.states]
        profiles = [_placed(layout, own) for own in play.plays]
        profile = realization_mixture(layout.game, profiles, weights)
    unmet = 0 if layout.keys is None else sum(key not in play.index for key in layout.keys)
    return LaidOutAverage(layout.game, profile, unmet)


def certified_average(
    play: SampledPlay | SampledStreams, *, max_nodes: int = MOST_NODES
) -> CertifiedAverage:
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
    require_play(play)
    average = laid_out_average(play, max_nodes=max_nodes)
    game = average.game
    profile = BehavioralProfile(tuple(map(rational_distribution, average.profile.probabilities)))
    meets_two = game.num_players == 2 and is_constant_sum(game)
    certificate = (certify_minimax if meets_two else certify_nash)(game, profile)
    return Solution(profile, certificate.payoffs, certificate, play.run)


def require_play(play: object) -> None:
    """Refuse anything but what sampling returns."""
    if not isinstance(play, SampledStreams):
        require_instance(play, SampledPlay, name="play")


def realization_mixture(
    game: ExtensiveFormGame, profiles: Sequence[BehavioralProfile], weights: Sequence[int]
) -> BehavioralProfile:
    """Let each player draw one of several profiles and play it throughout; exact if these are.

    Args:
        weights: Of the profiles; even if all are zero.

    Raises:
        UnsupportedGame: If a player forgets.

    >>> from gametheory_core import load_game, pure_behavior
    >>> poker = load_game("one_card_poker")
    >>> twice = [pure_behavior(poker, plan) for plan in ((0, 1, 0), (0, 1, 1))]
    >>> [str(p) for p in realization_mixture(poker, twice, [1, 3]).probabilities[2]]
    ['1/4', '3/4']
    """
    whole = sum(weights) or len(profiles)
    shares = [Fraction(own if sum(weights) else 1, whole) for own in weights]
    form = sequence_form(game)
    plans: list[RealizationPlan] = []
    for player in range(game.num_players):
        drawn = [realization_plan(form, own, player=player).weights for own in profiles]
        number = Fraction if drawn[0].dtype == object else float
        total = sum(number(p) * plan for p, plan in zip(shares, drawn, strict=True))
        plans.append(RealizationPlan(player, np.asarray(total)))
    return behavioral_profile(form, tuple(plans))


@dataclass(frozen=True)
class _Layout:
    """A tree, and player and key of each of its decisions as sampling knows them; None: its own."""

    game: ExtensiveFormGame
    keys: tuple[tuple[int, Hashable], ...] | None


def _laid_out(source: Source, max_nodes: int) -> _Layout:
    if isinstance(source, ExtensiveFormGame):
        return _Layout(source, None)
    keyed = _KeyedRules(source, max_nodes)
    laid_out = lay_out_rules(keyed)
    decisions = laid_out.infosets[: laid_out.num_decision_infosets]
    keys = tuple((own.player, keyed.keys[int(own.label)]) for own in decisions)
    return _Layout(_named(laid_out, keyed), keys)


def _placed(layout: _Layout, play: SampledPlay) -> BehavioralProfile:
    """Return an average on a tree; even where sampling never came."""
    if layout.keys is None:
        vectors = [play.average(k) for k in range(len(play.state.infosets))]
        return BehavioralProfile(tuple(vectors))
    decisions = layout.game.infosets[: len(layout.keys)]
    met = [play.index.get(key) for key in layout.keys]
    vectors = [
        even(len(own.actions)) if known is None else play.average(known)
        for own, known in zip(decisions, met, strict=True)
    ]
    return BehavioralProfile(tuple(vectors))


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
    return replace(game, infosets=tuple(infosets), node_labels=())
