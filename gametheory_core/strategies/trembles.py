"""Trembles and what they tend to: completely mixed strategies, profiles and assessments.

Each player has a realization plan whose weights are polynomials in a symbolic epsilon, positive
for all small ``epsilon > 0``:

    x[s](epsilon) > 0,     sum over actions a at I of x[I a] = x[parent(I)]   for every own I.

Behavior is the ratio ``x[I a] / x[parent(I)]``, and its limit is the ratio of leading terms. The
weight of the empty sequence may be any positive polynomial: plans count up to a common factor.

Polynomials are tuples of coefficients: ``(a, b, c)`` is ``a + b epsilon + c epsilon**2``. For all
small ``epsilon > 0`` the sign is that of the coefficient of lowest order that is not zero, so
polynomials are ordered as words are.

Assessments: a behavioral profile, and what movers believe where play should not have come.

A *belief* is a distribution over the nodes of an information set. An assessment is *consistent* if
it is the limit of completely mixed profiles and of the beliefs that Bayes' rule gives with them
(Kreps and Wilson 1982). Trembles give such a limit: reach probabilities are products of weights, so
only their leading terms matter.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import zip_longest
from typing import TypeAlias, cast

import numpy as np

from gametheory_core.arrays import ONE, ZERO, NumberArray, object_array, to_fraction
from gametheory_core.errors import InvalidStrategy, UnsupportedGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.properties import HOLDS, Verdict
from gametheory_core.games.tree_table import describe_infoset
from gametheory_core.strategies.behavioral import BehavioralProfile, check_behavioral_profile
from gametheory_core.strategies.sequences import (
    PlayerSequences,
    SequenceForm,
    chance_reach,
    sequence_form,
)

Polynomial: TypeAlias = tuple[Fraction, ...]

MOST_BITS = 160  # of a number that is written in full


@dataclass(frozen=True)
class LeadingTerm:
    """The term ``coefficient * epsilon**order`` that rules for small epsilon.

    Attributes:
        order: The lowest power that occurs.
        coefficient: Not zero.
    """

    order: int
    coefficient: Fraction

    def __mul__(self, other: "LeadingTerm") -> "LeadingTerm":
        return LeadingTerm(self.order + other.order, self.coefficient * other.coefficient)

    def __truediv__(self, other: "LeadingTerm") -> "LeadingTerm":
        return LeadingTerm(self.order - other.order, self.coefficient / other.coefficient)

    def __str__(self) -> str:
        return _term_text(self.coefficient, self.order)


def polynomial(coefficients: Iterable[object]) -> Polynomial:
    """Read coefficients, from the constant on; zeros at the end are dropped.

    >>> polynomial_text(polynomial([1, "-1/2", 0]))
    '1 - 1/2*epsilon'
    """
    return trimmed(to_fraction(value, where="coefficient of epsilon") for value in coefficients)


def trimmed(coefficients: Iterable[Fraction]) -> Polynomial:
    """Drop the zeros at the end."""
    kept = list(coefficients)
    while kept and not kept[-1]:
        kept.pop()
    return tuple(kept)


def plus(first: Polynomial, second: Polynomial) -> Polynomial:
    """Add two polynomials."""
    return trimmed(a + b for a, b in zip_longest(first, second, fillvalue=ZERO))


def times(first: Polynomial, second: Polynomial) -> Polynomial:
    """Multiply two polynomials."""
    product = [ZERO] * max(0, len(first) + len(second) - 1)
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            product[i + j] += a * b
    return trimmed(product)


def leading_term(value: Polynomial) -> LeadingTerm | None:
    """Return the term of lowest order; None for zero."""
    for order, coefficient in enumerate(value):
        if coefficient:
            return LeadingTerm(order, coefficient)
    return None


def is_positive(value: Polynomial) -> bool:
    """Tell whether a polynomial is positive for all small epsilon > 0."""
    term = leading_term(value)
    return term is not None and term.coefficient > 0


def value_at(value: Polynomial, epsilon: Fraction) -> Fraction:
    """Return the value of a polynomial at a number.

    >>> value_at((Fraction(1), Fraction(2)), Fraction(1, 10))  # of 1 + 2 epsilon
    Fraction(6, 5)
    """
    total = ZERO
    for coefficient in reversed(value):
        total = total * epsilon + coefficient
    return total


def polynomial_text(value: Polynomial) -> str:
    """Write a polynomial, lowest order first."""
    terms = [_term_text(c, order) for order, c in enumerate(value) if c]
    return " + ".join(terms).replace("+ -", "- ") or "0"


def _term_text(coefficient: Fraction, order: int) -> str:
    if not order:
        return _number_text(coefficient)
    power = "epsilon" if order == 1 else f"epsilon**{order}"
    if abs(coefficient) == ONE:
        return power if coefficient > 0 else f"-{power}"
    return f"{_number_text(coefficient)}*{power}"


def _number_text(value: Fraction) -> str:
    """Write a rational, or roughly how large it is where nobody would read it all."""
    above, below = value.numerator.bit_length(), value.denominator.bit_length()
    if max(above, below) <= MOST_BITS:
        return str(value)
    return f"{'-' if value < 0 else ''}(about 2**{above - below})"


UNIT: Polynomial = (ONE,)


@dataclass(frozen=True)
class TremblingProfile:
    """A completely mixed profile for every small epsilon > 0.

    Attributes:
        weights: ``weights[player][sequence]`` in the order of ``sequence_form(game)``; a polynomial
            is a tuple of its coefficients, each a ``Fraction``, from the constant on.
    """

    weights: tuple[tuple[Polynomial, ...], ...]


def nothing() -> None:
    """Go on: the tick of those who need not stop."""


def trembling_profile(
    game: ExtensiveFormGame,
    behavior: Sequence[Sequence[Iterable[object]]],
    *,
    tick: Callable[[], None] = nothing,
) -> TremblingProfile:
    """Multiply polynomial probabilities along each sequence.

    Args:
        game: Perfect recall.
        behavior: ``behavior[s][k]`` is the probability of action ``k`` at ``game.infosets[s]``:
            coefficients from the constant on, so ``[0, 1]`` is epsilon and ``[1, -1]`` is 1 -
            epsilon. Positive for small epsilon > 0, and adding up to 1 at each information set of
            players.
        tick: Called at each information set; may raise to stop.

    Raises:
        InvalidStrategy: If a polynomial is not positive, or a sum is not 1; names the information
            set.
        UnsupportedGame: If a player forgets.

    >>> from gametheory_core import load_game
    >>> horse = load_game("selten_horse")
    >>> rarely, mostly = [0, 1], [1, -1]
    >>> trembles = trembling_profile(horse, [[rarely, mostly], [rarely, mostly], [rarely, mostly]])
    >>> limit_profile(sequence_form(horse), trembles).probabilities[0].tolist()
    [Fraction(0, 1), Fraction(1, 1)]
    """
    form = sequence_form(game)
    local = [tuple(map(polynomial, probabilities)) for probabilities in behavior]
    _require_lotteries(game, local)
    return TremblingProfile(tuple(_plan(own, local, tick) for own in form.players))


def uniform_trembles(
    game: ExtensiveFormGame, profile: BehavioralProfile, *, tick: Callable[[], None] = nothing
) -> TremblingProfile:
    """Let all players tremble to every action alike: ``(1 - epsilon) profile + epsilon uniform``.

    Args:
        game: Perfect recall.
        tick: Called at each information set; may raise to stop.

    >>> from gametheory_core import load_game, pure_behavior
    >>> tree = load_game("centipede:rounds=2")
    >>> trembles = uniform_trembles(tree, pure_behavior(tree, (0, 0)))
    >>> [str(coefficient) for coefficient in trembles.weights[0][1]]  # of take: 1 - epsilon / 2
    ['1', '-1/2']
    """
    check_behavioral_profile(game, profile)
    behavior = [
        [(share, ONE / len(vector) - share) for share in vector.tolist()]
        for vector in profile.to_exact().probabilities
    ]
    return trembling_profile(game, behavior, tick=tick)


def check_trembles(form: SequenceForm, trembles: TremblingProfile) -> None:
    """Refuse weights that are no completely mixed plans for small epsilon > 0."""
    if len(trembles.weights) != len(form.players):
        raise InvalidStrategy(
            needs=f"a plan for each of {len(form.players)} players",
            found=f"has {len(trembles.weights)}",
            where="trembles",
        )
    for own, plan in zip(form.players, trembles.weights, strict=True):
        owner = f"trembles of player {form.game.players[own.player]!r}"
        if len(plan) != own.num_sequences:
            raise InvalidStrategy(
                needs=f"{own.num_sequences} weights", found=f"has {len(plan)}", where=owner
            )
        for sequence, weight in enumerate(plan):
            if not is_positive(weight):
                raise InvalidStrategy(
                    needs="weights that are positive for all small epsilon > 0",
                    found=f"sequence {sequence} has {polynomial_text(weight)}",
                    where=owner,
                )
        for k, infoset in enumerate(own.infosets):
            below = plan[own.first_sequence[k] : own.first_sequence[k + 1]]
            total = trimmed(reduce(plus, below))
            parent = trimmed(plan[own.parent_sequence[k]])
            if total != parent:
                where = describe_infoset(form.game.infosets[infoset])
                raise InvalidStrategy(
                    found=f"weights at {where} add up to {polynomial_text(total)}, but its "
                    f"sequence has {polynomial_text(parent)}",
                    where=owner,
                )


def leading_terms(trembles: TremblingProfile) -> tuple[tuple[LeadingTerm, ...], ...]:
    """Return the leading term of each weight; the weights are positive (trusted here)."""
    return tuple(
        tuple(cast("LeadingTerm", leading_term(weight)) for weight in plan)
        for plan in trembles.weights
    )


def limit_profile(form: SequenceForm, trembles: TremblingProfile) -> BehavioralProfile:
    """Return the profile that the trembles tend to as epsilon vanishes.

    Unlike that of a plan, behavior is determined at every information set.

    Raises:
        InvalidStrategy: If the weights are no completely mixed plans of the game.
    """
    check_trembles(form, trembles)
    vectors: list[NumberArray] = []
    for own, terms in zip(form.players, leading_terms(trembles), strict=True):
        for k in range(len(own.infosets)):
            parent = terms[own.parent_sequence[k]]
            shares = [
                term.coefficient / parent.coefficient if term.order == parent.order else ZERO
                for term in terms[own.first_sequence[k] : own.first_sequence[k + 1]]
            ]
            vectors.append(object_array(shares))
    return BehavioralProfile(tuple(vectors))


def _require_lotteries(game: ExtensiveFormGame, local: list[tuple[Polynomial, ...]]) -> None:
    infosets = game.infosets[: game.num_decision_infosets]
    if len(local) != len(infosets):
        raise InvalidStrategy(
            needs=f"probabilities at each of {len(infosets)} information sets",
            found=f"has them at {len(local)}",
        )
    for infoset, probabilities in zip(infosets, local, strict=True):
        where = f"trembling_profile: {describe_infoset(infoset)}"
        if len(probabilities) != len(infoset.actions):
            raise InvalidStrategy(
                needs=f"{len(infoset.actions)} probabilities",
                found=f"has {len(probabilities)}",
                where=where,
            )
        for action, value in zip(infoset.actions, probabilities, strict=True):
            if not is_positive(value):
                raise InvalidStrategy(
                    needs="probabilities that are positive for all small epsilon > 0",
                    found=f"action {action!r} has {polynomial_text(value)}",
                    where=where,
                )
        total = reduce(plus, probabilities)
        if total != UNIT:
            raise InvalidStrategy(
                needs="probabilities that add up to 1",
                found=f"they add up to {polynomial_text(total)}",
                where=where,
            )


def _plan(
    own: PlayerSequences, local: list[tuple[Polynomial, ...]], tick: Callable[[], None]
) -> tuple[Polynomial, ...]:
    weights = [UNIT]
    for k, infoset in enumerate(own.infosets):
        tick()
        parent = weights[own.parent_sequence[k]]
        weights += [times(parent, probability) for probability in local[infoset]]
    return tuple(weights)


@dataclass(frozen=True)
class Assessment:
    """A profile and beliefs.

    Attributes:
        profile: Rational.
        beliefs: ``beliefs[s]`` over the nodes ``infoset_nodes(game)[s]`` of each information set of
            players.
    """

    profile: BehavioralProfile
    beliefs: tuple[tuple[Fraction, ...], ...]


def infoset_nodes(game: ExtensiveFormGame) -> tuple[tuple[int, ...], ...]:
    """Return the nodes of each information set of players, in breadth-first order."""
    nodes: list[list[int]] = [[] for _ in range(game.num_decision_infosets)]
    for node in np.flatnonzero(game.node_player >= 0).tolist():
        nodes[game.node_infoset[node]].append(node)
    return tuple(map(tuple, nodes))


def chance_excludes_no_infoset(game: ExtensiveFormGame) -> Verdict:
    """Decide whether every information set of players has a node that chance lets play come to.

    The witness is the index of an information set that only chance moves of probability zero
    lead to: whatever players do, Bayes' rule says nothing there.

    >>> from gametheory_core import load_game
    >>> bool(chance_excludes_no_infoset(load_game("kuhn_poker")))
    True
    """
    possible = np.zeros(len(game.infosets) + 1, dtype=bool)
    possible[game.node_infoset[chance_reach(game) != 0]] = True
    excluded = np.flatnonzero(~possible[: game.num_decision_infosets])
    if not excluded.size:
        return HOLDS
    infoset = int(excluded[0])
    where = describe_infoset(game.infosets[infoset])
    return Verdict(False, f"only chance moves of probability 0 lead to {where}", (infoset,))


def require_possible_infosets(game: ExtensiveFormGame) -> None:
    """Refuse a game in which chance excludes an information set."""
    verdict = chance_excludes_no_infoset(game)
    if not verdict:
        raise UnsupportedGame(
            needs="information sets that chance does not exclude",
            found=verdict.reason,
            remedy="Leave out chance moves of probability 0.",
        )


def limit_assessment(form: SequenceForm, trembles: TremblingProfile) -> Assessment:
    """Return the profile and the beliefs that trembles tend to; consistent by construction.

    Raises:
        InvalidStrategy: If the weights are no completely mixed plans of the game.
        UnsupportedGame: If chance excludes an information set.

    >>> from gametheory_core import load_game, pure_behavior
    >>> from gametheory_core.strategies import sequence_form, uniform_trembles
    >>> horse = load_game("selten_horse")
    >>> trembles = uniform_trembles(horse, pure_behavior(horse, (1, 1, 0)))
    >>> beliefs = limit_assessment(sequence_form(horse), trembles).beliefs
    >>> [str(belief) for belief in beliefs[2]]  # player 1 or player 2 has trembled
    ['1/2', '1/2']
    """
    require_possible_infosets(form.game)
    profile = limit_profile(form, trembles)
    return Assessment(profile, tuple(map(_belief, others_reach(form, trembles))))


def others_reach(form: SequenceForm, trembles: TremblingProfile) -> list[list[LeadingTerm | None]]:
    """Return how small the reach of each node of each information set is, the mover left out.

    None stands for nodes that chance excludes. All nodes of an information set have the same own
    sequence, so that own weights would change all of them alike.
    """
    game, terms = form.game, leading_terms(trembles)
    reach = chance_reach(game)
    found: list[list[LeadingTerm | None]] = []
    for infoset, nodes in zip(
        game.infosets[: game.num_decision_infosets], infoset_nodes(game), strict=True
    ):
        others = [(own, terms[own.player]) for own in form.players if own.player != infoset.player]
        found.append([])
        for node in nodes:
            term = LeadingTerm(0, reach[node]) if reach[node] else None
            for own, weights in others:
                term = term and term * weights[own.node_sequence[node]]
            found[-1].append(term)
    return found


def total_reach(terms: list[LeadingTerm | None]) -> LeadingTerm:
    """Add up the terms of the lowest order; at least one is not one of chance's (trusted here)."""
    possible = [term for term in terms if term]
    order = min(term.order for term in possible)
    return LeadingTerm(order, sum((t.coefficient for t in possible if t.order == order), ZERO))


def _belief(terms: list[LeadingTerm | None]) -> tuple[Fraction, ...]:
    """Share belief among the nodes of the lowest order."""
    total = total_reach(terms)
    return tuple(
        term.coefficient / total.coefficient if term and term.order == total.order else ZERO
        for term in terms
    )
