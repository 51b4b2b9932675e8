"""What no commitment in a Markov game can exceed: prices on the follower's deviations.

The leader may commit to anything: distributions over whole plans, drawn in secret or announced,
that remember and observe everything. The follower sees the state at each step, remembers all that
she saw and did, and best responds.

*Guarantee.* With mixed actions ``y[t, s]`` over her actions the follower gets at least ``v[t, s]``
from step ``t`` on, whatever the leader does, where ``v[h, s] = 0`` and

    v[t, s] = min over a of  sum_b y[t, s](b) (r_F(s, a, b) + gamma E v[t + 1, s']).

*Promise.* Take anything that the follower may know at ``(t, s)``. Given that, let the leader do
``a`` with chance ``x(a)``, let her answer ``b``, and let ``u_L(s')`` and ``u_F(s')`` be what both
expect afterwards. Knowing just that, she may do ``c`` instead and secure her guarantee ever after,
as she remembers that she deviated. Because she best responds wherever play comes,

    sum_a x(a) (r_F(s, a, b) + gamma E u_F(s') - d(a, c)) >= 0,
    d(a, c) = r_F(s, a, c) + gamma E v[t + 1, s'],       for all c, b itself included.

*Price.* Suppose ``u_L + p u_F <= W[t + 1, s', p]`` for all commitments, each ``s'``, whatever she
knows there, and some prices ``p >= 0``. Then with any rates ``m(b, c) >= 0`` and ``p(b) = p +
sum_c m(b, c)``, adding the promises at these rates, what both get from ``(t, s)`` on, whatever she
knows there, has ``u_L + p u_F <= W[t, s, p]`` with

    W[t, s, p] = max over b, a of  r_L(s, a, b) + p(b) r_F(s, a, b) - sum_c m(b, c) d(a, c)
                                   + gamma E W[t + 1, s', p(b)],

and ``W[h, s, p] = 0``. At the start, ``E W[0, s, 0]`` bounds what the leader gets. The claims are
linear in what is averaged over, so they hold whatever else the follower knows, and if she mixes.
Good rates are multipliers of linear programs; the check takes sums only.

*Followers who forget.* One who acts by step and state alone cannot deviate after one past and not
after another, so nothing is promised after each, and a leader who remembers, or keeps secret which
plan he has drawn, may exceed the bound. Leaders without memory who draw afresh at each use may not:
they leave her a Markov decision problem, in which what is best by step and state is best with
memory too. Nor may one who draws such a leader before play and tells her which.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from gametheory_core.arrays import ZERO
from gametheory_core.certificates.wording import written
from gametheory_core.errors import CertificateRejected
from gametheory_core.leaders.view import LeaderView, Step


@dataclass(frozen=True)
class GuaranteeLottery:
    """How the follower plays at one step in one state to be safe from the leader.

    Attributes:
        lottery: Over all of the follower's actions; 0 for illegal ones.
    """

    time: int
    state: int
    lottery: tuple[Fraction, ...]


@dataclass(frozen=True)
class DeviationRate:
    """How much it weighs that ``answer`` is at least as good as deviating to ``deviation``.

    Attributes:
        answer, deviation: Actions of the follower; equal ones stand for the guarantee after the
            answer.
        rate: At least 0; the leader's payoff units per unit of the follower's.
    """

    answer: int
    deviation: int
    rate: Fraction


@dataclass(frozen=True)
class PriceNode:
    """A bound on the leader's payoff plus ``price`` times the follower's, from a state on.

    Attributes:
        price: At least 0.
        rates: Those left out are 0.
    """

    time: int
    state: int
    price: Fraction
    rates: tuple[DeviationRate, ...] = ()


@dataclass(frozen=True)
class DeviationPrices:
    """A proof that commitments earn no more than some number from a follower who remembers.

    Attributes:
        guarantees: For each step and each state that play can be in then; none are needed without
            rates.
        nodes: Those of the start at price 0, and all that they lead to.
    """

    guarantees: tuple[GuaranteeLottery, ...]
    nodes: tuple[PriceNode, ...]


def price_bound(
    view: LeaderView,
    prices: DeviationPrices,
    *,
    kind: str,
    on_entry: Callable[[], None] | None = None,
) -> Fraction:
    """Return what deviation prices prove that no commitment exceeds if the follower remembers.

    Args:
        kind: Of the certificate, for messages.
        on_entry: Called before each mixed action and node; may raise to stop.

    Raises:
        CertificateRejected: If the prices do not fit the game, or something that they need is
            missing.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import leader_view
    >>> view = leader_view(RepeatedGame.of("prisoners_dilemma"))
    >>> prices = DeviationPrices((), (PriceNode(0, 0, Fraction(0)),))
    >>> price_bound(view, prices, kind="commitment-bound")
    Fraction(5, 1)
    """
    tables = _Tables(view, kind)
    for lottery in sorted(prices.guarantees, key=lambda entry: -entry.time):
        if on_entry is not None:
            on_entry()
        _add_guarantee(tables, lottery)
    for node in sorted(prices.nodes, key=lambda entry: -entry.time):
        if on_entry is not None:
            on_entry()
        _add_bound(tables, node)
    return tables.mean(view.initial, 0, lambda state: tables.bound(0, state, ZERO))


@dataclass
class _Tables:
    """What is known so far, from the last step on."""

    view: LeaderView
    kind: str
    steps: dict[tuple[int, int, int], Step] = field(default_factory=dict[Any, Step])
    guarantees: dict[tuple[int, int], Fraction] = field(default_factory=dict[Any, Fraction])
    bounds: dict[tuple[int, int, Fraction], Fraction] = field(default_factory=dict[Any, Fraction])

    def step(self, state: int, mine: int, theirs: int) -> Step:
        """Return what a joint action does, asked once."""
        key = (state, mine, theirs)
        found = self.steps.get(key)
        if found is None:
            found = self.steps[key] = self.view.step(*key)
        return found

    def mean(
        self, law: tuple[tuple[int, Fraction], ...], time: int, value: Callable[[int], Fraction]
    ) -> Fraction:
        """Return the expected value of states; 0 of those where nobody acts any more."""
        if time == self.view.horizon:
            return ZERO
        acting = self.view.leader_observation
        return sum((weight * value(state) for state, weight in law if acting[state] >= 0), ZERO)

    def secured(self, state: int, mine: int, theirs: int, time: int) -> Fraction:
        """Return what the follower gets by a joint action and her guarantee afterwards."""
        step = self.step(state, mine, theirs)
        later = self.mean(step.next, time + 1, lambda after: self.guarantee(time + 1, after))
        return step.rewards[1] + self.view.discount * later

    def guarantee(self, time: int, state: int) -> Fraction:
        """Return what the follower's mixed actions give her from a state on."""
        found = self.guarantees.get((time, state))
        if found is None:
            raise CertificateRejected(
                needs=f"a mixed action that guarantees the follower something at step {time} in "
                "state "
                f"{state}",
                found="there is none",
                where=f"{self.kind} certificate",
            )
        return found

    def bound(self, time: int, state: int, price: Fraction) -> Fraction:
        """Return what has been proved of a state at a price."""
        found = self.bounds.get((time, state, price))
        if found is None:
            raise CertificateRejected(
                needs=f"a bound at step {time} in state {state} at price {written(price)}",
                found="there is none",
                where=f"{self.kind} certificate",
            )
        return found

    def actions(self, time: int, state: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return both players' legal actions where somebody acts."""
        view = self.view
        fits = 0 <= time < view.horizon and 0 <= state < view.num_states
        if not fits or view.leader_observation[state] < 0:
            raise CertificateRejected(
                needs=f"steps 0 to {view.horizon - 1} and states where play continues",
                found=f"has step {time} in state {state}",
                where=f"{self.kind} certificate",
            )
        return (
            view.leader_actions(int(view.leader_observation[state])),
            view.follower_actions(int(view.follower_observation[state])),
        )


def _add_guarantee(tables: _Tables, entry: GuaranteeLottery) -> None:
    """Note what a mixed action guarantees; those of later steps are known."""
    mine, theirs = tables.actions(entry.time, entry.state)
    weights = entry.lottery
    fits = len(weights) == len(tables.view.game.actions[tables.view.follower])
    fits = fits and min(weights) >= 0 and sum(weights) == sum(weights[b] for b in theirs) == 1
    if not fits or (entry.time, entry.state) in tables.guarantees:
        raise CertificateRejected(
            needs="one distribution over the follower's legal actions for a step and state",
            found=f"at step {entry.time} in state {entry.state} it is not so",
            where=f"{tables.kind} certificate",
        )
    tables.guarantees[entry.time, entry.state] = min(
        sum(
            (
                weights[b] * tables.secured(entry.state, a, b, entry.time)
                for b in theirs
                if weights[b]
            ),
            ZERO,
        )
        for a in mine
    )


def _add_bound(tables: _Tables, node: PriceNode) -> None:
    """Note what a node's rates prove; those of later steps are known."""
    mine, theirs = tables.actions(node.time, node.state)
    key = (node.time, node.state, node.price)
    if node.price < 0 or key in tables.bounds:
        raise CertificateRejected(
            needs="prices of at least 0, each once in a state",
            found=f"{written(node.price)} at step {node.time} in state {node.state} is not so",
            where=f"{tables.kind} certificate",
        )
    rates: dict[int, list[DeviationRate]] = {b: [] for b in theirs}
    for rate in node.rates:
        if rate.answer not in theirs or rate.deviation not in theirs or rate.rate < 0:
            raise CertificateRejected(
                needs="rates of at least 0 on legal actions",
                found=f"at step {node.time} in state {node.state} {rate.answer} against "
                f"{rate.deviation} has {written(rate.rate)}",
                where=f"{tables.kind} certificate",
            )
        rates[rate.answer].append(rate)
    tables.bounds[key] = max(_answer_bound(tables, node, mine, b, rates[b]) for b in theirs)


def _answer_bound(
    tables: _Tables, node: PriceNode, mine: tuple[int, ...], answer: int, rates: list[DeviationRate]
) -> Fraction:
    """Bound what both get, at the node's price, where the follower gives one answer."""
    time, state = node.time, node.state
    price = node.price + sum((rate.rate for rate in rates), ZERO)

    def total(action: int) -> Fraction:
        step = tables.step(state, action, answer)
        later = tables.mean(step.next, time + 1, lambda s: tables.bound(time + 1, s, price))
        paid = step.rewards[0] + price * step.rewards[1] + tables.view.discount * later
        secured = (
            rate.rate * tables.secured(state, action, rate.deviation, time) for rate in rates
        )
        return paid - sum(secured, ZERO)

    return max(total(action) for action in mine)
