"""The sequence form: a player's strategies as weights on sequences of own actions.

With perfect recall, a player's way to an information set ``I`` is one *sequence* ``parent(I)``, and
a strategy is a vector ``x >= 0`` over sequences with

    x[empty] = 1,     sum over actions a at I of x[I a] = x[parent(I)]   for every own I.

Sequence 0 is the empty one; then come the actions of the player's information sets in their order
of first visit, so that ``parent(I) < I a`` always. The chance-weighted payoffs of player ``i`` are
multilinear in the players' vectors.

A *realization plan* gives each sequence the product of the player's own probabilities along it
(Kuhn 1953; von Stengel 1996). Behavior at information sets the plan never reaches is not
determined; it is filled in uniformly.

Strategies with equal plans are *equivalent*: nobody can tell them apart by where play goes.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

import numpy as np

from gametheory_core.arguments import as_tuple, require_instance
from gametheory_core.arrays import (
    ONE,
    ZERO,
    ExactArray,
    IntArray,
    NumberArray,
    freeze,
    is_exact,
    number_array,
    object_array,
    scaled_integers,
)
from gametheory_core.errors import InvalidStrategy
from gametheory_core.games import CHANCE, ExtensiveFormGame, player_infosets
from gametheory_core.games.kept import kept_with_game
from gametheory_core.games.properties import last_own_actions, require_perfect_recall
from gametheory_core.probabilities import ROUNDING
from gametheory_core.strategies.behavioral import BehavioralProfile, check_behavioral_profile


@dataclass(frozen=True, eq=False)
class PlayerSequences:
    """One player's sequences.

    Attributes:
        infosets: Indices of the player's information sets in the game.
        first_sequence (num_own_infosets + 1,): ``first_sequence[k] .. first_sequence[k + 1]`` are
            the sequences ending at the k-th own information set, one an action; entry 0 is 1, the
            last entry the number of sequences.
        parent_sequence (num_own_infosets,): The sequence that leads to each own information set.
        node_sequence (num_nodes,): The player's sequence at each node of the game.
    """

    player: int
    infosets: range
    first_sequence: IntArray
    parent_sequence: IntArray
    node_sequence: IntArray

    @property
    def num_sequences(self) -> int:
        """Number of sequences, the empty one included."""
        return int(self.first_sequence[-1])


@dataclass(frozen=True, eq=False)
class SequenceForm:
    """The sequence form of a game with perfect recall."""

    game: ExtensiveFormGame
    players: tuple[PlayerSequences, ...]

    @cached_property
    def terminal_sequences(self) -> IntArray:
        """Each player's sequence at each terminal node, shape (num_players, num_terminals)."""
        terminals = self.game.terminals
        rows = [own.node_sequence[terminals] for own in self.players]
        return freeze(np.array(rows, dtype=np.int32))

    @cached_property
    def chance_weight(self) -> ExactArray:
        """Product of chance's probabilities on the way to each terminal node, exact."""
        return freeze(chance_reach(self.game)[self.game.terminals])


def sequence_form(game: ExtensiveFormGame) -> SequenceForm:
    """Build the sequence form.

    Raises:
        UnsupportedGame: If a player lacks perfect recall; the message has the pair of histories.

    >>> from gametheory_core import load_game
    >>> [own.num_sequences for own in sequence_form(load_game("kuhn_poker")).players]
    [13, 13]
    """
    require_perfect_recall(game, remedy="Solve extensive_to_normal(game).target instead.")
    return SequenceForm(game, tuple(player_sequences(game, i) for i in range(game.num_players)))


@kept_with_game
def player_sequences(game: ExtensiveFormGame, player: int) -> PlayerSequences:
    """Number one player's sequences; only this player needs perfect recall (trusted).

    >>> from gametheory_core import load_game
    >>> player_sequences(load_game("kuhn_poker"), 0).parent_sequence.tolist()
    [0, 0, 0, 1, 3, 5]
    """
    infosets = player_infosets(game, player)
    shift = int(game.action_offset[infosets.start]) - 1  # flat own action -> sequence
    sequence = last_own_actions(game, player) - shift
    sequence[sequence < 1] = 0
    nodes = np.flatnonzero(game.node_player == player)
    parent = np.zeros(len(infosets), dtype=np.int32)
    parent[game.node_infoset[nodes] - infosets.start] = sequence[nodes]
    first = game.action_offset[infosets.start : infosets.stop + 1] - shift
    return PlayerSequences(
        player=player,
        infosets=infosets,
        first_sequence=freeze(first),
        parent_sequence=freeze(parent),
        node_sequence=freeze(sequence),
    )


def chance_reach(game: ExtensiveFormGame) -> ExactArray:
    """Return the product of chance's probabilities on the way to each node, exact."""
    reach = np.empty(game.num_nodes, dtype=object)
    reach[:] = ONE
    by_chance = game.node_player == CHANCE
    for start, stop in zip(game.level_offset[1:-1], game.level_offset[2:], strict=True):
        parent = game.parent[start:stop]
        reach[start:stop] = reach[parent]
        moved = start + np.flatnonzero(by_chance[parent])
        reach[moved] *= game.exact_chance_probabilities[game.node_action[moved]]
    return freeze(reach)


@dataclass(frozen=True, eq=False)
class RealizationPlan:
    """One player's weights on sequences.

    Attributes:
        player: Whose plan.
        weights (num_sequences,): float64 or exact; weight 0 is the empty sequence's, one.
            Read-only.
    """

    player: int
    weights: NumberArray

    def __post_init__(self) -> None:
        weights = number_array(self.weights, where=f"realization plan of player {self.player + 1}")
        object.__setattr__(self, "weights", weights)


def realization_plan(
    form: SequenceForm, profile: BehavioralProfile, *, player: int
) -> RealizationPlan:
    """Multiply a player's probabilities along each of the player's sequences.

    >>> from gametheory_core import load_game, uniform_behavior
    >>> from gametheory_core.strategies import sequence_form
    >>> poker = load_game("one_card_poker")
    >>> plan = realization_plan(sequence_form(poker), uniform_behavior(poker), player=1)
    >>> [str(weight) for weight in plan.weights]
    ['1', '1/2', '1/2']
    """
    check_behavioral_profile(form.game, profile)
    own = form.players[player]
    weights = np.empty(own.num_sequences, dtype=object if profile.is_exact else np.float64)
    weights[0] = ONE if profile.is_exact else 1.0
    for k, infoset in enumerate(own.infosets):
        start, stop = own.first_sequence[k], own.first_sequence[k + 1]
        weights[start:stop] = weights[own.parent_sequence[k]] * profile.probabilities[infoset]
    return RealizationPlan(player, freeze(weights))


def behavioral_profile(form: SequenceForm, plans: tuple[RealizationPlan, ...]) -> BehavioralProfile:
    """Divide each sequence's weight by its parent's; uniform where the parent's weight is zero.

    Args:
        plans: One for each player, in order.

    Raises:
        InvalidStrategy: If a plan breaks a constraint of the sequence form; names the information
            set.

    >>> from gametheory_core import load_game, uniform_behavior
    >>> from gametheory_core.strategies import sequence_form
    >>> poker = load_game("one_card_poker")
    >>> form, uniform = sequence_form(poker), uniform_behavior(poker)
    >>> plans = tuple(realization_plan(form, uniform, player=i) for i in range(2))
    >>> behavioral_profile(form, plans) == uniform
    True
    """
    require_instance(
        form,
        SequenceForm,
        name="form",
        remedy="Give sequence_form(game). Probabilities at information sets make a profile by "
        "BehavioralProfile(probabilities).",
    )
    given = as_tuple(plans, name="plans", remedy="Give one for each player: realization_plan(...).")
    if len(given) != len(form.players):
        raise InvalidStrategy(
            needs=f"a realization plan for each of {len(form.players)} players",
            found=f"got {len(given)}",
        )
    vectors: list[NumberArray] = []
    for own, plan in zip(form.players, given, strict=True):
        require_instance(plan, RealizationPlan, name="each plan")
        check_realization_plan(form, plan)
        weights = scaled_integers(plan.weights).numerators if is_exact(plan.weights) else None
        vectors += own_behavior(own, plan.weights if weights is None else weights)
    return BehavioralProfile(tuple(vectors))


def own_behavior(own: PlayerSequences, weights: NumberArray) -> list[NumberArray]:
    """Divide at each own information set; equal uniform and pure vectors are one object.

    Args:
        weights (num_sequences,): Of a plan: floats, or integers up to a common factor, trusted.
    """
    bounds = own.first_sequence.tolist()
    if weights.dtype != object:
        return [local_probabilities(weights[start:stop]) for start, stop in pairwise(bounds)]
    known: dict[tuple[int, int], NumberArray] = {}
    parts = weights.tolist()
    vectors: list[NumberArray] = []
    for start, stop in pairwise(bounds):
        local = parts[start:stop]
        most, total = max(local), sum(local)
        if most < total:
            vectors.append(freeze(object_array([Fraction(part, total) for part in local])))
            continue
        place = local.index(most) if total else -1
        key = (stop - start, place)
        if key not in known:
            known[key] = _even_or_pure(*key)
        vectors.append(known[key])
    return vectors


def _even_or_pure(size: int, place: int) -> NumberArray:
    """Return all weight on one place, or even weights if the place is -1."""
    shares = [ZERO] * size if place >= 0 else [ONE / size] * size
    if place >= 0:
        shares[place] = ONE
    return freeze(object_array(shares))


def check_realization_plan(form: SequenceForm, plan: RealizationPlan) -> None:
    """Refuse a plan with a negative weight or a broken constraint (floats: within 1e-9).

    >>> from gametheory_core import load_game, uniform_behavior
    >>> form = sequence_form(load_game("kuhn_poker"))
    >>> plan = realization_plan(form, uniform_behavior(form.game), player=0)
    >>> check_realization_plan(form, plan)
    """
    own, weights = form.players[plan.player], plan.weights
    if is_exact(weights):  # whole numbers are quicker to compare and to add
        scaled = scaled_integers(weights)
        parts, whole = scaled.numerators, scaled.denominator
    else:
        parts, whole = weights, 1
    owner = f"realization plan of player {form.game.players[plan.player]!r}"
    slack = 0 if is_exact(weights) else ROUNDING
    if len(weights) != own.num_sequences:
        raise InvalidStrategy(
            needs=f"{own.num_sequences} weights", found=f"has {len(weights)}", where=owner
        )
    if abs(parts[0] - whole) > slack or min(parts.tolist()) < 0:
        raise InvalidStrategy(
            needs="weight 1 on the empty sequence and none below 0",
            found=f"the empty sequence has {weights[0]} and the least weight is {min(weights)}",
            where=owner,
        )
    if not len(own.infosets):
        return
    totals = np.add.reduceat(parts, own.first_sequence[:-1])
    bad = np.flatnonzero(np.abs(totals - parts[own.parent_sequence]) > slack)
    if bad.size:
        infoset = form.game.infosets[own.infosets[bad[0]]]
        start, stop = own.first_sequence[bad[0]], own.first_sequence[bad[0] + 1]
        above = weights[own.parent_sequence[bad[0]]]
        raise InvalidStrategy(
            found=f"weights at information set number {infoset.number} {infoset.label!r} sum to "
            f"{weights[start:stop].sum()}, but its sequence has {above}",
            where=owner,
        )


def local_probabilities(weights: NumberArray) -> NumberArray:
    """Divide the weights of one information set by their sum; uniform if all are zero."""
    total = weights.sum()
    if total == 0:
        share = ONE / len(weights) if is_exact(weights) else 1.0 / len(weights)
        uniform = np.empty(len(weights), dtype=weights.dtype)
        uniform[:] = share
        return freeze(uniform)
    return freeze(weights / total)


FLOAT_TOLERANCE = 1e-9


def are_realization_equivalent(
    game: ExtensiveFormGame, profile: BehavioralProfile, other: BehavioralProfile
) -> bool:
    """Tell whether each player's strategies lead to the same ends against every opponent.

    They do when they give every sequence of own actions the same probability: behavior at
    information sets that the strategy itself rules out does not matter. Floats may differ by 1e-9.

    Raises:
        InvalidStrategy: If a profile does not fit the game.
        UnsupportedGame: If a player lacks perfect recall.

    A sequence all of whose ends chance never reaches is compared too, which makes the test finer
    than outcomes there.

    >>> from gametheory_core import load_game, pure_behavior, uniform_behavior
    >>> poker = load_game("kuhn_poker")
    >>> are_realization_equivalent(poker, uniform_behavior(poker), uniform_behavior(poker))
    True
    """
    form = sequence_form(game)
    for player in range(game.num_players):
        first = realization_plan(form, profile, player=player).weights
        second = realization_plan(form, other, player=player).weights
        exact = is_exact(first) and is_exact(second)
        if max(abs(first - second)) > (0 if exact else FLOAT_TOLERANCE):
            return False
    return True
