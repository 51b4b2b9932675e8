"""What two bots with finitely many states earn from each other in a match, with a proof.

Pairs of states are a Markov chain. Its values are computed in floats and proved as those of best
replies are: what a potential misses of the equation of values, exactly, bounds how far it is off.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_instance, require_integer
from gametheory_core.arrays import freeze
from gametheory_core.errors import CertificateRejected
from gametheory_core.memory import require_memory
from learners.roshambo.bots.automata import Automaton
from learners.roshambo.exact.best_replies import (
    MOST_THROWS,
    PAYOFFS,
    UNIT,
    action_values,
    check_potential,
    integer_shares,
    require_proved,
)


@dataclass(frozen=True, eq=False)
class MatchValue:
    """The claim that one automaton earns ``lower`` to ``upper`` from another in a match.

    Attributes:
        first, second: The automata.
        throws: Of a match.
        potential (throws + 1, pairs): About ``UNIT`` times what the first still earns, for the
            pairs of states that are reached, in the order of ``reached_pairs``; int64.
        lower, upper: Bounds of what the first earns on average; wins less losses.
    """

    first: Automaton
    second: Automaton
    throws: int
    potential: NDArray[np.int64]
    lower: Fraction
    upper: Fraction

    def verify(self) -> None:
        """Check both bounds in integers.

        Raises:
            CertificateRejected: If one of them is not what the potential proves.
        """
        if len(self.potential) != self.throws + 1:
            raise CertificateRejected(
                needs=f"a potential for 0 to {self.throws} throws",
                found=f"it has {len(self.potential)} rows",
            )
        found = value_bounds(self.first, self.second, self.potential)
        require_proved(self, found)


def reached_pairs(first: Automaton, second: Automaton) -> tuple[NDArray[np.int64], Automaton]:
    """Return the pairs of states that can be reached, and the second automaton over them.

    Returns:
        Pairs (pairs, 2), the first one begins; and an automaton with a state for each, which throws
        as the second one does.

    >>> from learners.roshambo.bots import from_recall, point
    >>> rock = from_recall(0, lambda own, other: point(0))
    >>> mirror = from_recall(1, lambda own, other: point(other[0] if other else 2), own=False)
    >>> reached_pairs(rock, mirror)[0].tolist()
    [[0, 0], [0, 1]]
    """
    possible = [
        [[throw for throw in range(3) if row[throw]] for row in own.strategies.tolist()]
        for own in (first, second)
    ]
    number = {(0, 0): 0}
    pairs = [(0, 0)]
    after: list[list[list[int]]] = []
    for one, two in pairs:  # grows
        rows = [[0] * 3 for _ in range(3)]
        for mine in possible[0][one]:
            for theirs in possible[1][two]:
                pair = (
                    int(first.successors[one, mine, theirs]),
                    int(second.successors[two, theirs, mine]),
                )
                if pair not in number:
                    number[pair] = len(pairs)
                    pairs.append(pair)
                rows[theirs][mine] = number[pair]
        after.append(rows)
    found = np.array(pairs, dtype=np.int64)
    return found, Automaton(second.strategies[found[:, 1]], np.array(after))


def match_value(first: Automaton, second: Automaton, *, throws: int = 1000) -> MatchValue:
    """Find what one automaton earns from another on average in a match.

    Raises:
        InvalidArgument: If they are no automata, or ``throws`` is not from 1 to 65,535.
        UnsupportedGame: If pairs of states would take more memory than there is.

    >>> from learners.roshambo.bots import from_recall, point
    >>> rock = from_recall(0, lambda own, other: point(0))
    >>> mirror = from_recall(1, lambda own, other: point(other[0] if other else 2))
    >>> value = match_value(rock, mirror, throws=10)
    >>> value.verify()
    >>> str(value.lower), str(value.upper)
    ('1', '1')
    """
    for name, own in (("first", first), ("second", second)):
        require_instance(own, Automaton, name=name, remedy="Use automaton(bot), ...")
    require_integer(throws, name="throws", low=1, high=MOST_THROWS)
    pairs, joint = reached_pairs(first, second)
    require_memory(throws * len(pairs) * 8, what=f"{throws} throws in {len(pairs)} pairs of states")
    own = first.strategies[pairs[:, 0]].astype(np.float64)
    chances = joint.strategies.astype(np.float64)
    potential = np.zeros((throws + 1, len(pairs)), dtype=np.int64)
    ahead = np.zeros(len(pairs))
    for t in reversed(range(throws)):
        ahead = np.einsum("sa,sb,sba->s", own, chances, ahead[joint.successors] + PAYOFFS.T)
        potential[t] = np.rint(ahead * UNIT)
    lower, upper = value_bounds(first, second, potential)
    return MatchValue(first, second, throws, freeze(potential), lower, upper)


def value_bounds(
    first: Automaton, second: Automaton, potential: NDArray[np.int64]
) -> tuple[Fraction, Fraction]:
    """Prove bounds on what the first automaton earns; exact.

    Args:
        potential (throws + 1, pairs): Any integers; zero after the last throw.

    Raises:
        CertificateRejected: If the shape does not fit, or the last row is not 0.

    >>> from learners.roshambo.bots import from_recall, point
    >>> rock, paper = (from_recall(0, lambda own, other, a=a: point(a)) for a in (0, 1))
    >>> [str(b) for b in value_bounds(rock, paper, np.array([[0], [0]]))]
    ['-1', '-1']
    """
    pairs, joint = reached_pairs(first, second)
    if potential.shape[1:] != (len(pairs),) or potential.dtype.kind != "i":
        raise CertificateRejected(
            needs=f"integers for {len(pairs)} pairs",
            found=f"got {potential.dtype} {potential.shape}",
        )
    check_potential(potential)
    own_whole, own = integer_shares(first, times=integer_shares(second)[0])
    other_whole, other = integer_shares(joint)
    if object in (own.dtype, other.dtype):
        own, other = own.astype(object), other.astype(object)
    whole = own_whole * other_whole
    low = high = whole * int(potential[0, 0])
    for t in range(len(potential) - 1):
        worth = action_values(joint.successors, other, potential[t + 1])
        missed = (own[pairs[:, 0]] * worth).sum(axis=1)
        missed = missed - whole * potential[t].astype(other.dtype)
        low += int(missed.min())
        high += int(missed.max())
    return Fraction(low, whole * UNIT), Fraction(high, whole * UNIT)
