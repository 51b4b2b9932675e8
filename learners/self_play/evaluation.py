"""How snapshots do against each other: exactly in matches and small games, else by playing."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias, cast

import numpy as np

from gametheory_core.arguments import shown
from gametheory_core.arrays import FloatArray, as_float
from gametheory_core.conversions.aec_extensive import aec_to_extensive
from gametheory_core.conversions.posg_extensive import posg_to_extensive
from gametheory_core.conversions.static_games import extensive_to_aec
from gametheory_core.errors import GameTheoryError, InvalidArgument, UnsupportedGame
from gametheory_core.evaluation.payoffs import expected_payoffs
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.properties import is_zero_sum
from gametheory_core.games.rules import is_posg
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.policies import PolicyProfile
from learners.batches.game import BatchedGame
from learners.frozen import FrozenPolicy, Table
from learners.matches.exact_outcomes import win_rates
from learners.matches.sampled_rates import sampled_win_rates
from learners.options import Count, checked
from learners.policies import table_policy
from learners.self_play.menagerie import Menagerie, grown
from learners.self_play.meta_payoffs import grown_payoffs
from learners.self_play.views import SeatViews

MAX_NODES = 200_000


@dataclass(frozen=True)
class ExactWins:
    """How often each wins a match of players who recall a window, by following all play."""


@dataclass(frozen=True)
@checked
class ExactReturns:
    """What each is paid on average in the tree of a zero-sum game, seats taken in turn.

    Returns are scaled so that the largest payoff there is counts as a win for certain: of mean
    return ``r`` the win rate is ``(1 + r / largest) / 2``.

    Attributes:
        max_nodes: The largest tree to look at.
    """

    max_nodes: Count = MAX_NODES


@dataclass(frozen=True)
@checked
class SampledWins:
    """How often each is paid more, in so many matches, half of them in each seat.

    Attributes:
        matches: Of each pair.
    """

    matches: Count = 1000


Evaluation: TypeAlias = ExactWins | ExactReturns | SampledWins


class Evaluator:
    """Win rates between frozen policies of a game.

    Args:
        environment: Of two players.
        evaluation: How; None for the most exact way that the game allows.
        seed: Of matches that are sampled.
        pairs: Whether win rates are asked for, or payoffs of all players.

    Raises:
        UnsupportedGame: If the game has not two players, or cannot be evaluated in this way.
    """

    def __init__(
        self,
        environment: BatchedGame,
        views: SeatViews,
        evaluation: Evaluation | None = None,
        *,
        seed: int = 0,
        pairs: bool = True,
    ) -> None:
        if not pairs and not isinstance(evaluation, SampledWins | None):
            raise InvalidArgument(
                needs="SampledWins() to find what each earns among which others",
                found=f"got {shown(evaluation)}",
                remedy="Leave evaluation out, or say how many matches.",
                where="evaluation",
            )
        if pairs and len(environment.players) != 2:  # a match
            raise UnsupportedGame(
                needs="two players for win rates",
                found=f"the game has {len(environment.players)}",
                remedy="Take a scheme that needs none, such as DeltaUniform.",
            )
        self._environment = environment
        self._views = views
        self._seed = seed
        self._tree: Any = None
        self._profiles: dict[int, tuple[FrozenPolicy, BehavioralProfile]] = {}
        self._pairs = pairs
        self.evaluation = self._chosen(evaluation) if pairs else evaluation or SampledWins()

    def completed(self, menagerie: Menagerie) -> Menagerie:
        """Return a menagerie with what is to be known of all its snapshots."""
        for snapshot in menagerie:
            require_table(snapshot)
        known = menagerie.win_rates if self._pairs else menagerie.payoffs
        if known is not None:
            return menagerie
        first = Menagerie(menagerie.snapshots[:1])
        if self._pairs:
            first = replace(first, win_rates=np.array([[0.5]]))
        else:
            first = replace(first, payoffs=self._payoffs(None, first))
        for snapshot in menagerie.snapshots[1:]:
            first = self.grown(first, first.appended(snapshot))
        return first

    def grown(self, before: Menagerie, after: Menagerie) -> Menagerie:
        """Return a menagerie with what is to be known, by what was before its last one came."""
        if not self._pairs:
            return replace(after, payoffs=self._payoffs(before.payoffs, after))
        row = self.row(after[-1], before.snapshots)
        return replace(after, win_rates=grown(before.win_rates, row))

    def _payoffs(self, known: FloatArray | None, menagerie: Menagerie) -> FloatArray:
        tables = [self.tables(require_table(own)) for own in menagerie]
        matches = cast("SampledWins", self.evaluation).matches
        return grown_payoffs(self._environment, known, tables, matches=matches, seed=self._seed)

    def _chosen(self, asked: Evaluation | None) -> Evaluation:
        if asked is None and self._views.form is not None:
            return ExactWins()
        if isinstance(asked, ExactWins) and self._views.form is None:
            raise UnsupportedGame(
                needs="a match that is the same from both seats",
                found=f"got {self._environment.game!r}",
                remedy="Use ExactReturns() or SampledWins().",
            )
        if isinstance(asked, ExactReturns | None):
            try:
                self._tree = _tree_of(self._environment, asked or ExactReturns())
            except GameTheoryError:
                if asked is not None:
                    raise
                return SampledWins()
            return asked or ExactReturns()
        return asked

    def row(self, newcomer: FrozenPolicy, others: tuple[FrozenPolicy, ...]) -> FloatArray:
        """Return how often a newcomer beats each of others, (M,)."""
        for policy in (newcomer, *others):
            require_table(policy)
        if not others:
            return np.zeros(0)
        if isinstance(self.evaluation, ExactWins):
            form: Any = self._views.form
            both = win_rates(form.game, [newcomer, *others])  # type: ignore[list-item]
            return as_float(both[0, 1:])
        if isinstance(self.evaluation, SampledWins):
            matches = self.evaluation.matches
            tables = [self.tables(require_table(own)) for own in (*others, newcomer)]
            return np.array([self._sampled(tables, k, matches) for k in range(len(others))])
        return np.array([self._returned(newcomer, own) for own in others])

    def _sampled(self, tables: list[list[Table]], number: int, matches: int) -> float:
        """Return how often the last of some beats another; each pair of places plays anew."""
        key = np.random.SeedSequence((self._seed, number, len(tables) - 1)).generate_state(1)
        agents = [tables[-1], tables[number]]
        found = sampled_win_rates(self._environment, agents, matches=matches, seed=int(key[0]))
        return float(found.win_rates[0, 1])

    def tables(self, policy: Table) -> list[Table]:
        """Return how a policy plays in each seat, (O_seat, A_seat)."""
        counts = self._environment.num_actions
        return [
            np.ascontiguousarray(policy[numbers][:, :count])
            for numbers, count in zip(self._views.numbers, counts, strict=True)
        ]

    def _returned(self, newcomer: Any, other: Any) -> float:
        game, largest, _ = self._tree
        one, two = self._profile(newcomer), self._profile(other)
        first = [infoset.player == 0 for infoset in game.infosets[: game.num_decision_infosets]]
        means = expected_payoffs(game, _mixed(one, two, first))
        mean = (means[0] - expected_payoffs(game, _mixed(two, one, first))[0]) / 2
        return float((1 + mean / largest) / 2) if largest else 0.5

    def _profile(self, policy: Any) -> BehavioralProfile:
        known = self._profiles.get(id(policy))
        if known is not None and known[0] is policy:
            return known[1]
        profile = self._tree[2](snapshot_policies(self._environment, self._views, policy))
        self._profiles[id(policy)] = (policy, profile.to_float())
        return self._profiles[id(policy)][1]


def _mixed(
    one: BehavioralProfile, two: BehavioralProfile, is_first: list[bool]
) -> BehavioralProfile:
    """Return the profile in which the first player acts as in one, the second as in two."""
    both = zip(is_first, one.probabilities, two.probabilities, strict=True)
    return BehavioralProfile(tuple(a if first else b for first, a, b in both))


def require_table(policy: FrozenPolicy) -> Table:
    """Refuse a policy that remembers."""
    if isinstance(policy, np.ndarray):
        return policy
    raise UnsupportedGame(
        needs="policies of the last observation",
        found="got one that remembers",
        remedy="Take a scheme that needs no meta-game, or a network without memory.",
    )


def _tree_of(environment: BatchedGame, how: ExactReturns) -> tuple[ExtensiveFormGame, Any, Any]:
    """Return a game's tree, its largest payoff, and what carries policies to it."""
    given: Any = environment.game
    if isinstance(given, ExtensiveFormGame):
        if given.num_nodes > how.max_nodes:
            raise UnsupportedGame(
                needs=f"at most max_nodes = {how.max_nodes:,} nodes",
                found=f"{given.title or 'the tree'} has {given.num_nodes:,}",
                remedy="Raise max_nodes, or use SampledWins().",
            )
        walk = extensive_to_aec(given)
        tree, carry = given, walk.correspondence.to_source
    else:
        convert: Any = posg_to_extensive if is_posg(given) else aec_to_extensive
        found = convert(given, horizon=environment.horizon, max_nodes=how.max_nodes)
        tree, carry = found.target, found.correspondence.to_target
    if not is_zero_sum(tree):
        raise UnsupportedGame(
            needs="a zero-sum game", found=f"{tree.title} is none", remedy="Use SampledWins()."
        )
    return tree, Fraction(abs(tree.exact_terminal_payoffs).max()), carry


def snapshot_policies(
    environment: BatchedGame, views: SeatViews, snapshot: FrozenPolicy
) -> PolicyProfile:
    """Return a frozen policy as exact policies of the game, one for each seat.

    Raises:
        InvalidArgument: If it is no table.
    """
    if not isinstance(snapshot, np.ndarray):
        raise InvalidArgument(
            needs="a table", found="got a policy that remembers", where="snapshot_policies"
        )
    return tuple(
        table_policy(
            cast("Any", environment), seat, snapshot[numbers][:, : environment.num_actions[seat]]
        )
        for seat, numbers in enumerate(views.numbers)
    )
