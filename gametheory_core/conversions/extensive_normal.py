"""Trees to normal form over pure plans, and Kuhn's way back to behavioral strategies.

A *reduced plan* names an action at every own information set that the plan itself does not rule
out; the others show as ``*``. A player who forgets gets full plans, an action everywhere: the
payoffs are the same, and products of behavioral probabilities are still mixed strategies, but a
mixed strategy need not have a behavioral form (Kuhn 1953).

A player's pure plans: reduced ones where the player never forgets, full ones otherwise.

The payoff of a joint plan is the sum, over terminal histories that all plans allow, of chance's
weight times what is paid there. Over a common denominator these are integers; cut into digits small
enough that no sum of them reaches 2**53, they are multiplied as floats without any rounding.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import (
    ONE,
    ExactArray,
    IntArray,
    NumberArray,
    freeze,
    object_array,
    scaled_integers,
)
from gametheory_core.conversions.conversion import Conversion, Preserved
from gametheory_core.distributions import Distribution
from gametheory_core.errors import InvalidArgument, UnsupportedGame, named
from gametheory_core.games import has_perfect_information, has_perfect_recall, is_absent_minded
from gametheory_core.games.extensive_form import ExtensiveFormGame, player_infosets
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import require_perfect_recall
from gametheory_core.memory import in_units, memory_cap
from gametheory_core.strategies.behavioral import BehavioralProfile, check_behavioral_profile
from gametheory_core.strategies.mixed import MixedProfile, check_mixed_profile
from gametheory_core.strategies.sequences import chance_reach, local_probabilities, player_sequences

NOT_REACHED = -1


@dataclass(frozen=True, eq=False)
class PlayerPlans:
    """All plans of one player.

    Attributes:
        infosets: Indices of the player's information sets in the game.
        actions (num_plans, num_own_infosets): The action at each own information set;
            ``NOT_REACHED`` where the plan itself rules the set out. In lexicographic order.
    """

    player: int
    infosets: range
    actions: IntArray


def count_plans(game: ExtensiveFormGame, player: int) -> int:
    """Count a player's plans without building them.

    With ``n(s)`` the number of ways to continue after sequence ``s``, ``n(s)`` is the product over
    own information sets ``I`` that follow ``s`` of the sum over actions ``a`` of ``n(I a)``.

    >>> from gametheory_core import load_game
    >>> count_plans(load_game("kuhn_poker"), 0)
    27
    """
    infosets = player_infosets(game, player)
    if not has_perfect_recall(game, player=player):
        return math.prod(len(game.infosets[s].actions) for s in infosets)
    own = player_sequences(game, player)
    ways = [1] * own.num_sequences
    for k in reversed(range(len(infosets))):
        start, stop = int(own.first_sequence[k]), int(own.first_sequence[k + 1])
        ways[int(own.parent_sequence[k])] *= sum(ways[start:stop])
    return ways[0]


def player_plans(game: ExtensiveFormGame, player: int) -> PlayerPlans:
    """List a player's plans, one information set at a time in order of first visit.

    >>> from gametheory_core import load_game
    >>> player_plans(load_game("one_card_poker"), 0).actions.tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    infosets = player_infosets(game, player)
    forgets = not has_perfect_recall(game, player=player)
    parents = (
        np.zeros(len(infosets), dtype=np.int32)
        if forgets
        else player_sequences(game, player).parent_sequence
    ).tolist()
    table = np.zeros((1, 0), dtype=np.int32)
    is_chosen = np.ones((1, 1), dtype=bool)  # (plans, sequences so far); sequence 0 is empty
    for k, infoset in enumerate(infosets):
        count = len(game.infosets[infoset].actions)
        reached = is_chosen[:, parents[k]]
        copies = np.where(reached, count, 1)
        first = np.repeat(np.cumsum(copies) - copies, copies)
        action = np.arange(len(first)) - first
        column = np.where(np.repeat(reached, copies), action, NOT_REACHED).astype(np.int32)
        table = np.column_stack([np.repeat(table, copies, axis=0), column])
        chosen_here = column[:, None] == np.arange(count)
        is_chosen = np.concatenate([np.repeat(is_chosen, copies, axis=0), chosen_here], axis=1)
    return PlayerPlans(player, infosets, freeze(table.astype(np.int32)))


def plan_labels(game: ExtensiveFormGame, own: PlayerPlans) -> tuple[str, ...]:
    """Name plans by their actions, ``*`` where not reached; by numbers if names would collide."""
    if not own.infosets:
        return ("-",)
    tokens = [game.infosets[s].actions for s in own.infosets]
    named = [tuple(label or f"#{a + 1}" for a, label in enumerate(labels)) for labels in tokens]
    labels = _joined(own, named)
    if len(set(labels)) == len(labels):
        return labels
    return _joined(own, [tuple(f"#{a + 1}" for a in range(len(row))) for row in tokens])


def compatible_terminals(game: ExtensiveFormGame, own: PlayerPlans) -> NDArray[np.bool_]:
    """Tell which terminal histories each plan allows, shape (num_plans, num_terminals)."""
    allows = np.ones((game.num_nodes, len(own.actions)), dtype=bool)
    choices = own.actions.T
    moves = game.node_player == own.player
    for start, stop in zip(game.level_offset[1:-1], game.level_offset[2:], strict=True):
        parent = game.parent[start:stop]
        allows[start:stop] = allows[parent]
        moved = start + np.flatnonzero(moves[parent])
        above = game.parent[moved]
        position = moved - game.first_child[above]
        allows[moved] &= choices[game.node_infoset[above] - own.infosets.start] == position[:, None]
    return freeze(np.ascontiguousarray(allows[game.terminals].T))


def _joined(own: PlayerPlans, tokens: list[tuple[str, ...]]) -> tuple[str, ...]:
    separator = "" if all(len(t) == 1 and t != "*" for row in tokens for t in row) else " / "
    return tuple(
        separator.join("*" if a < 0 else row[a] for row, a in zip(tokens, plan, strict=True))
        for plan in own.actions.tolist()
    )


FLOAT_BITS = 53


def plan_payoffs(
    game: ExtensiveFormGame,
    plans: tuple[PlayerPlans, ...],
    *,
    on_iteration: Callable[[int], None] | None = None,
) -> ExactArray:
    """Return payoffs of all joint plans, exact, shape (num_players, *num_plans).

    ``on_iteration`` is called after each matrix product with their number so far, and may raise.
    """
    products = 0
    weights = chance_reach(game)[game.terminals]
    allowed = [compatible_terminals(game, own).astype(np.float64) for own in plans]
    shape = tuple(len(own.actions) for own in plans)
    out = np.empty((game.num_players, *shape), dtype=object)
    for player in range(game.num_players):
        scaled = scaled_integers(weights * game.exact_terminal_payoffs[:, player])
        total = np.zeros(shape, dtype=object)
        base = 1 << (FLOAT_BITS - 1 - len(weights).bit_length())
        place = 1
        for digit in _digits(scaled.numerators.tolist(), base):
            total += _contracted(allowed, digit).astype(np.int64).astype(object) * place
            place *= base
            products += 1
            if on_iteration is not None:
                on_iteration(products)
        fractions = {n: Fraction(n, scaled.denominator) for n in set(total.ravel().tolist())}
        out[player] = object_array([fractions[n] for n in total.ravel().tolist()]).reshape(shape)
    return out


def _digits(values: list[int], base: int) -> list[NDArray[np.float64]]:
    """Cut integers into digits of absolute value below ``base``, lowest first."""
    digits: list[NDArray[np.float64]] = []
    signs = [-1 if value < 0 else 1 for value in values]
    rest = [abs(value) for value in values]
    while any(rest):
        low = [s * (value % base) for s, value in zip(signs, rest, strict=True)]
        digits.append(np.array(low, dtype=np.float64))
        rest = [value // base for value in rest]
    return digits


def _contracted(allowed: list[NDArray[np.float64]], digit: NDArray[Any]) -> NDArray[np.float64]:
    """Sum ``digit`` over the ends that each joint plan allows, by matrix products."""
    if len(allowed) == 1:
        return allowed[0] @ digit
    leading, (rows, columns) = allowed[:-2], allowed[-2:]
    shape = tuple(len(matrix) for matrix in allowed)
    out = np.empty(shape)
    for joint in product(*(range(len(matrix)) for matrix in leading)):
        live = digit != 0
        for matrix, plan in zip(leading, joint, strict=True):
            live = live & (matrix[plan] > 0)
        ends = np.flatnonzero(live)
        out[joint] = (rows[:, ends] * digit[ends]) @ columns[:, ends].T
    return out


MAX_PROFILES = 1_000_000
BYTES_OF_A_FLOAT = 8

ExtensiveToNormal: TypeAlias = Conversion[
    ExtensiveFormGame, NormalFormGame, BehavioralProfile, MixedProfile
]


@dataclass(frozen=True, eq=False)
class PlanCorrespondence:
    """Behavioral strategies as distributions over plans, and back.

    Attributes:
        game: The tree.
        target: Its normal form; action ``p`` of player ``i`` is row ``p`` of ``plans[i].actions``.
        plans: One for each player.
    """

    game: ExtensiveFormGame
    target: NormalFormGame
    plans: tuple[PlayerPlans, ...]

    def to_target(self, profile: BehavioralProfile) -> MixedProfile:
        """Give each plan the product of its actions' probabilities; exact on exact profiles."""
        check_behavioral_profile(self.game, profile)
        return MixedProfile(tuple(_plan_probabilities(own, profile) for own in self.plans))

    def to_source(self, profile: MixedProfile) -> BehavioralProfile:
        """Play each action as often as the plans that choose it; uniform where none gets.

        Raises:
            InvalidStrategy: If the profile does not fit the normal form.
            UnsupportedGame: If a player forgets; the message has the witness.
        """
        check_mixed_profile(self.target, profile)
        require_perfect_recall(
            self.game,
            remedy="A mixed strategy of a player who forgets may have no behavioral form.",
        )
        vectors: list[NumberArray] = []
        for own, strategy in zip(self.plans, profile.strategies, strict=True):
            for k, infoset in enumerate(own.infosets):
                weights = np.zeros(len(self.game.infosets[infoset].actions), dtype=strategy.dtype)
                reached = np.flatnonzero(own.actions[:, k] >= 0)
                np.add.at(weights, own.actions[reached, k], strategy[reached])
                vectors.append(local_probabilities(weights))
        return BehavioralProfile(tuple(vectors))

    def outcome_to_source(self, outcome: Any) -> Distribution[Any]:
        """Return the distribution of terminal nodes under a joint plan, a tuple of positions."""
        counts = self.target.num_actions
        fits = len(outcome) == len(counts)
        if not fits or any(not 0 <= p < n for p, n in zip(outcome, counts, strict=True)):
            raise InvalidArgument(needs=f"one plan each of {counts}", found=f"got {outcome!r}")
        live = np.ones(len(self.game.terminals), dtype=bool)
        for own, plan in zip(self.plans, outcome, strict=True):
            live &= compatible_terminals(self.game, own)[plan]
        weights = chance_reach(self.game)[self.game.terminals]
        ends = np.flatnonzero(live & (weights > 0))
        return Distribution(tuple((int(self.game.terminals[t]), weights[t]) for t in ends))


def extensive_to_normal(
    game: ExtensiveFormGame,
    *,
    max_profiles: int = MAX_PROFILES,
    on_iteration: Callable[[int], None] | None = None,
) -> ExtensiveToNormal:
    """Carry a tree to its reduced normal form, with exact payoffs.

    Args:
        game: Any number of players, with chance. Players who forget get full plans.
        max_profiles: The largest number of joint plans to build; they are counted first.
        on_iteration: Called with the number of matrix products so far, after each; may raise to
            stop.

    Returns:
        With perfect recall it preserves payoffs, outcomes, best responses and equilibria both ways;
        without, payoffs and outcomes of behavioral profiles.

    Raises:
        UnsupportedGame: If some player is absent-minded, there are more joint plans than
            ``max_profiles``, or the tables of plans and terminal histories would take more memory
            than the cap (``memory_limit``).

    Plans are exponentially many in the number of information sets. Time is the number of joint
    plans times that of terminal nodes.

    Source: :cite:`kuhn1953extensive`.

    >>> from gametheory_core import Decision, Terminal, from_sketch
    >>> entry = Decision(0, "", {"out": Terminal([0, 2]), "in": Decision(1, "", {
    ...     "fight": Terminal([-1, -1]), "share": Terminal([1, 1])})})
    >>> tree = from_sketch(entry, players=("Entrant", "Incumbent"))
    >>> extensive_to_normal(tree).target.actions
    (('out', 'in'), ('fight', 'share'))
    """
    absent = is_absent_minded(game)
    if absent:
        raise UnsupportedGame(
            needs="players who know whether they have moved",
            found=absent.reason,
            remedy="A behavioral strategy there is no lottery over plans.",
        )
    if missing := too_many_plans(game, max_profiles=max_profiles):
        raise UnsupportedGame(needs=missing, remedy=_without_plans(game))
    plans = tuple(player_plans(game, i) for i in range(game.num_players))
    target = NormalFormGame.from_payoffs(
        plan_payoffs(game, plans, on_iteration=on_iteration),
        players=game.players,
        actions=[plan_labels(game, own) for own in plans],
        title=game.title,
    )
    kept = {Preserved.PAYOFFS_TO_TARGET, Preserved.OUTCOMES_TO_TARGET}
    preserves = frozenset(Preserved if has_perfect_recall(game) else kept)
    return Conversion(game, target, PlanCorrespondence(game, target, plans), preserves)


def too_many_plans(game: ExtensiveFormGame, *, max_profiles: int = MAX_PROFILES) -> str:
    """Say what a normal form would need and a tree has; "" if the tree is small enough."""
    counts = [count_plans(game, i) for i in range(game.num_players)]
    if math.prod(counts) > max_profiles:
        shown = " x ".join(f"{n:,}" if n < 10**12 else f"1e{int(math.log10(n))}" for n in counts)
        most = f"{named('max_profiles = ')}{max_profiles:,}"
        return f"at most {most} joint plans, but {game!r} has {shown}"
    memory = sum(counts) * (game.num_nodes + BYTES_OF_A_FLOAT * len(game.terminals))
    if memory > memory_cap():
        return (
            f"tables of plans and terminal histories within {in_units(memory_cap())}, but those "
            f"of {game!r} would take {in_units(memory)}"
        )
    return ""


def _without_plans(game: ExtensiveFormGame) -> str:
    """Name what takes large trees of this kind."""
    if not has_perfect_recall(game):
        return f"Solve a smaller tree{named(', or raise max_profiles')}."
    if game.num_players == 1 or has_perfect_information(game):
        return f"Use subgame_perfect, which needs no plans{named(', or raise max_profiles')}."
    if game.num_players == 2:
        return f"Use sequence_form_lcp, which needs no plans{named(', or raise max_profiles')}."
    return (
        "Try regret_equilibrium, which finds equilibria of some trees with three players and more; "
        "counterfactual_regret gives a certified coarse correlated equilibrium (on the command "
        "line: --concept coarse-correlated)."
    )


def _plan_probabilities(own: PlayerPlans, profile: BehavioralProfile) -> NumberArray:
    share = np.empty(len(own.actions), dtype=object if profile.is_exact else np.float64)
    share[:] = ONE if profile.is_exact else 1.0
    for k, infoset in enumerate(own.infosets):
        reached = np.flatnonzero(own.actions[:, k] >= 0)
        share[reached] *= profile.probabilities[infoset][own.actions[reached, k]]
    return freeze(share)
