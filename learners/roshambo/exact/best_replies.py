"""The best reply to a bot with finitely many states, over a whole match, with a proof.

Who plays an automaton knows its state from the throws of both, so the best reply is a choice for
each number of throws made and each state:

    V(K, s) = 0,   V(t, s) = max_a sum_b y(s, b) [u(a, b) + V(t + 1, next(s, b, a))].

That is computed in floats. The proof takes any integers ``W(t, s)``, here those near ``2^32 V``,
and looks, exactly, at how far they miss the equation: along every way to play, what is missed adds
up over throws, so that

    V(0, 0) <= W(0, 0) + sum_t max over s and a of [Q_W(t, s, a) - W(t, s)],

and the choices earn at least ``W(0, 0) + sum_t min over s of [Q_W(t, s, choice) - W(t, s)]``, with
``Q_W`` the right-hand side of the equation for ``W``. Where the bot draws nothing, both are equal.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_instance, require_integer
from gametheory_core.arrays import freeze
from gametheory_core.errors import CertificateRejected
from gametheory_core.memory import require_memory
from learners.roshambo.bots.automata import Automaton
from learners.roshambo.matches.matches import Throws

UNIT = 2**32  # of potentials: the match is so many times finer than a throw
WORD_BITS = 62
MOST_THROWS = 2**16 - 1  # of a match: potentials lie below 2^48
PAYOFFS = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])  # own throw, the other's


@dataclass(frozen=True, eq=False)
class BestReply:
    """The claim that the best reply to an automaton earns ``lower`` to ``upper`` in a match.

    Attributes:
        opponent: The automaton.
        throws: Of a match.
        actions (throws, states): What is thrown, by throws made and state; earns ``lower`` or more.
        potential (throws + 1, states): About ``UNIT`` times what is still earned; int64.
        lower, upper: Bounds of the most that any bot earns on average; wins less losses.
    """

    opponent: Automaton
    throws: int
    actions: NDArray[np.int8]
    potential: NDArray[np.int64]
    lower: Fraction
    upper: Fraction

    def verify(self) -> None:
        """Check both bounds in integers.

        Raises:
            CertificateRejected: If one of them is not what the potential proves.
        """
        found = reply_bounds(self.opponent, self.actions, self.potential)
        if len(self.actions) != self.throws:
            raise CertificateRejected(
                needs=f"choices for {self.throws} throws", found=f"got {len(self.actions)}"
            )
        require_proved(self, found)

    def bot(self) -> "ReplyBot":
        """Return a bot that plays the reply; against others than the opponent it is any bot."""
        return ReplyBot(self)


def require_proved(claim: Any, bounds: tuple[Fraction, Fraction]) -> None:
    """Reject a claim whose ``lower`` and ``upper`` are not these."""
    for name, proved in zip(("lower", "upper"), bounds, strict=True):
        if getattr(claim, name) != proved:
            raise CertificateRejected(
                found=f"claims {name} {getattr(claim, name)}, but what is proved is {proved}"
            )


class ReplyBot:
    """Plays a best reply: it follows the automaton from state to state.

    >>> from learners.roshambo import play_match
    >>> from learners.roshambo.bots import automaton, embedded_bot
    >>> rotation = embedded_bot("cycle_up")
    >>> reply = best_reply(automaton(rotation), throws=9)
    >>> play_match(reply.bot(), rotation, throws=9, seeds=(1, 2)).returns
    (9, -9)
    """

    def __init__(self, reply: BestReply) -> None:
        self._reply = reply
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Begin a match; nothing is random."""
        del seed
        self._state, self._made = 0, 0

    def throw(self, own: Throws, other: Throws) -> int:
        """Return the next throw; all is known from the histories."""
        if len(own) < self._made:
            self._state, self._made = 0, 0
        for t in range(self._made, len(own)):
            self._state = int(self._reply.opponent.successors[self._state, other[t], own[t]])
        self._made = len(own)
        at = min(self._made, self._reply.throws - 1)
        return int(self._reply.actions[at, self._state])


def best_reply(opponent: Automaton, *, throws: int = 1000) -> BestReply:
    """Find the most that any bot can earn from an automaton in a match, and how.

    Args:
        opponent: For example ``automaton(bot)`` of an embedded bot; or a recall-bounded policy as
            ``from_recall`` makes it, whose exploitability this is.
        throws: Of a match.

    Raises:
        InvalidArgument: If it is no automaton, or ``throws`` is not from 1 to 65,535.
        UnsupportedGame: If the choices would take more memory than there is.

    The bounds are about ``1e-7`` apart for 1,000 throws if the opponent draws, else equal.

    >>> from learners.roshambo.bots import from_recall, point
    >>> mirror = from_recall(1, lambda own, other: point(other[0] if other else 0))
    >>> reply = best_reply(mirror, throws=10)
    >>> reply.verify()
    >>> reply.lower == reply.upper == 10
    True
    """
    require_instance(opponent, Automaton, name="opponent", remedy="Use automaton(bot), ...")
    require_integer(throws, name="throws", low=1, high=MOST_THROWS)
    states = opponent.num_states
    require_memory(throws * states * 9, what=f"choices of {throws} throws in {states} states")
    chances = opponent.strategies.astype(np.float64)
    actions = np.empty((throws, states), dtype=np.int8)
    potential = np.zeros((throws + 1, states), dtype=np.int64)
    ahead = np.zeros(states)
    for t in reversed(range(throws)):
        worth = np.einsum("sb,sba->sa", chances, ahead[opponent.successors] + PAYOFFS.T)
        actions[t], ahead = worth.argmax(axis=1), worth.max(axis=1)
        potential[t] = np.rint(ahead * UNIT)
    lower, upper = reply_bounds(opponent, actions, potential)
    return BestReply(opponent, throws, freeze(actions), freeze(potential), lower, upper)


def reply_bounds(
    opponent: Automaton, actions: NDArray[np.int8], potential: NDArray[np.int64]
) -> tuple[Fraction, Fraction]:
    """Prove what some choices earn at least, and what any choices earn at most; exact.

    Args:
        actions (throws, states): The choices.
        potential (throws + 1, states): Any integers; zero after the last throw.

    Raises:
        CertificateRejected: If shapes do not fit, a choice is no throw, or the last row is not 0.

    >>> from learners.roshambo.bots import from_recall, point
    >>> rock = from_recall(0, lambda own, other: point(0))
    >>> [str(b) for b in reply_bounds(rock, np.array([[1]]), np.array([[0], [0]]))]
    ['1', '1']
    """
    _check_shapes(opponent, actions, potential)
    whole, shares = integer_shares(opponent)
    low = high = whole * int(potential[0, 0])
    everywhere = np.arange(opponent.num_states)
    for t, chosen in enumerate(actions):
        worth = action_values(opponent.successors, shares, potential[t + 1])
        missed = worth - whole * potential[t].astype(shares.dtype)[:, None]
        low += int(missed[everywhere, chosen].min())
        high += int(missed.max())
    return Fraction(low, whole * UNIT), Fraction(high, whole * UNIT)


def integer_shares(opponent: Automaton, *, times: int = 1) -> tuple[int, NDArray[Any]]:
    """Return chances over one denominator: words where products with potentials fit.

    Args:
        times: Products are multiplied by up to so much more.
    """
    flat = cast("list[Fraction]", opponent.strategies.ravel().tolist())
    whole = math.lcm(*(chance.denominator for chance in flat))
    fits = (whole * times).bit_length() <= WORD_BITS - 50
    shares = np.empty(len(flat), dtype=np.int64 if fits else object)
    shares[:] = [int(chance * whole) for chance in flat]
    return whole, shares.reshape(opponent.strategies.shape)


def action_values(
    successors: NDArray[np.int64], shares: NDArray[Any], potential: NDArray[np.int64]
) -> NDArray[Any]:
    """Return what each throw is worth in each state, (states, 3), in units of shares and potential.

    Args:
        successors (states, 3, 3): By the opponent's throw and the own one.
        shares (states, 3): Of the opponent's throws.
        potential (states,): What is earned from a state on, after this throw.
    """
    later = potential.astype(shares.dtype)[successors] + PAYOFFS.T * UNIT
    return (shares[:, :, None] * later).sum(axis=1)


def _check_shapes(
    opponent: Automaton, actions: NDArray[np.int8], potential: NDArray[np.int64]
) -> None:
    throws = len(actions)
    wanted = {
        "actions": (throws, opponent.num_states),
        "potential": (throws + 1, opponent.num_states),
    }
    for name, own in (("actions", actions), ("potential", potential)):
        if own.shape != wanted[name] or own.dtype.kind != "i":
            raise CertificateRejected(
                needs=f"integer {name} of shape {wanted[name]}",
                found=f"got {own.dtype} {own.shape}",
            )
    if throws == 0 or actions.min() < 0 or actions.max() > 2:
        raise CertificateRejected(needs="throws of 0, 1 and 2", found="there are others, or none")
    check_potential(potential)


def check_potential(potential: NDArray[np.int64]) -> None:
    """Reject integers with which sums might leave their words, or that promise more in the end."""
    most = max(int(potential.max()), -int(potential.min()))  # abs(-2^63) is negative in words
    if potential[-1].any() or most >= 2**48:
        raise CertificateRejected(
            needs="a potential below 2^48 that is 0 after the last throw", found="it is not"
        )
