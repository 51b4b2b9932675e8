"""Upper bounds on what any commitment in a Markov game can earn, with a proof.

The leader may mix plans in secret, remember and observe everything, and announce things; the
follower sees the state at each step, remembers all that she saw and did, and best responds. The
bounds are proved by prices on deviations (``gametheory_core.leaders.deviation_prices``), which
also says which leaders they hold for if she forgets.
"""

from collections.abc import Callable
from enum import Enum
from fractions import Fraction

from gametheory_core.arrays import ONE, ZERO
from gametheory_core.errors import NotConverged
from gametheory_core.games.rules import POSG
from gametheory_core.leaders.deviation_prices import (
    DeviationPrices,
    DeviationRate,
    PriceNode,
    price_bound,
)
from gametheory_core.leaders.stochastic_commitment import BOUND, CommitmentBoundCertificate
from gametheory_core.leaders.view import LeaderView
from solvers.leaders.layers import Layers, Pair, refuse_long_sums, view_led_by
from solvers.leaders.promises import (
    Guarantees,
    best_at,
    follower_guarantees,
    promise_frontiers,
    rates_of,
)
from solvers.requirements import a_posg
from solvers.solution import UNLIMITED, Budget, BudgetOver, OnIteration
from solvers.solver import open_meter, solver


class BoundMethod(Enum):
    """Which promises to the follower are priced.

    PROMISES prices them at every step, which bounds best; SINGLE_PRICE at the first step only, one
    price for all, which takes one dynamic program for each price tried. In an iterated game the
    latter is at most the number of rounds times what the leader gets at most in one round that pays
    the follower her minmax.
    """

    PROMISES = "promises"
    SINGLE_PRICE = "single-price"


@solver(takes=(a_posg,), unit="programs", page="leaders")
def commitment_upper_bound(
    game: POSG | LeaderView,
    *,
    leader: int | None = None,
    method: BoundMethod = BoundMethod.PROMISES,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> CommitmentBoundCertificate:
    """Bound what any commitment earns against a follower who sees states and remembers, exactly.

    Args:
        game: Two players and a horizon; observations are functions of the state.
        leader: Who commits. Default: the view's leader, else player 0.
        budget: Iterations are stage games of the follower's guarantee, then linear programs of
            promises, or dynamic programs of single prices.
        on_iteration: Called after each of these.

    Returns:
        With ``upper_bound`` and its proof.

    Raises:
        UnsupportedGame: If the game does not fit ``LeaderView``, or a bound would take too long;
            names the size.
        NotConverged: If the budget ends first; ``best`` proves what both could reach together.

    By PROMISES the bound is what a leader earns who may announce things, sees what the follower
    does, and punishes deviations by her minmax, if she breaks ties in his favor: for such leaders
    it is exact, unless what commitments can give has so many corners that some are left out, or
    numbers so long that they are rounded up. One small linear program for each corner, from each
    step and state on.

    A follower who acts by step and state alone holds leaders to the bound who remember nothing and
    draw afresh at each use, or who tell her before play which such policy they have drawn. Leaders
    who remember, or keep secret what they have drawn, may exceed it.

    Source: :cite:`letchford2012stochastic`.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> game = RepeatedGame.of("prisoners_dilemma", rounds=2)
    >>> for method in BoundMethod:
    ...     print(commitment_upper_bound(game, method=method).upper_bound)
    23/4
    26/3
    """
    view = view_led_by(game, leader)
    meter = open_meter(budget, on_iteration)
    refuse_long_sums(view)
    prove = promise_prices if method is BoundMethod.PROMISES else single_price
    try:
        return _certificate(view, prove(Layers(view), meter.tick), meter.require_time)
    except BudgetOver:
        raise NotConverged(
            needs="a larger budget to price promises",
            found=f"it ended after {meter.iterations} {meter.unit}",
            remedy="Raise it, or use the bound in best.",
            best=_certificate(view, no_prices(Layers(view)), None),
        ) from None


def _certificate(
    view: LeaderView, prices: DeviationPrices, on_entry: Callable[[], None] | None
) -> CommitmentBoundCertificate:
    bound = price_bound(view, prices, kind=BOUND, on_entry=on_entry)
    return CommitmentBoundCertificate(view.game, view.leader, bound, prices)


def promise_prices(layers: Layers, tick: Callable[[], None]) -> DeviationPrices:
    """Price promises at every step by the frontiers of what commitments can give."""
    guarantees = follower_guarantees(layers, tick=tick)
    frontiers = promise_frontiers(layers, guarantees, tick=tick)

    def rates(time: int, state: int, price: Fraction) -> tuple[DeviationRate, ...]:
        options = frontiers.options(time, state)
        best = best_at(options, Pair(ONE, price), tick)
        return rates_of(best, price, layers.follower_actions[state])

    return DeviationPrices(guarantees.lotteries, _nodes(layers, rates))


def single_price(layers: Layers, tick: Callable[[], None]) -> DeviationPrices:
    """Price only that the follower gets her guarantee from the start on.

    The least bound over prices ``p`` is that of a convex function, ``max (R_L + p R_F) - p v``
    over ways to play, of which each adds a line; the search cuts the lines of least and of largest
    slope so far until nothing lies above their crossing.
    """
    guarantees = follower_guarantees(layers, tick=tick)
    price = _best_price(layers, guarantees, tick)
    secure = {
        entry.state: entry.lottery for entry in guarantees.lotteries if entry.time == 0 and price
    }

    def rates(time: int, state: int, _: Fraction) -> tuple[DeviationRate, ...]:
        if time or not price:
            return ()
        return tuple(
            DeviationRate(b, c, price * weight)
            for b in layers.follower_actions[state]
            for c, weight in enumerate(secure[state])
            if weight
        )

    return DeviationPrices(guarantees.lotteries if price else (), _nodes(layers, rates))


def no_prices(layers: Layers) -> DeviationPrices:
    """Bound commitments by what both players could reach together for the leader."""
    return DeviationPrices((), _nodes(layers, _no_rates))


def _no_rates(_time: int, _state: int, _price: Fraction) -> tuple[DeviationRate, ...]:
    return ()


def _nodes(
    layers: Layers, rates: Callable[[int, int, Fraction], tuple[DeviationRate, ...]]
) -> tuple[PriceNode, ...]:
    """Follow prices from the start on."""
    level = {(state, ZERO) for state, _ in layers.view.initial if state in layers.leader_actions}
    nodes: list[PriceNode] = []
    for time in range(layers.view.horizon):
        after: set[tuple[int, Fraction]] = set()
        for state, price in sorted(level):
            found = rates(time, state, price)
            nodes.append(PriceNode(time, state, price, found))
            for b in layers.follower_actions[state]:
                later = price + sum((rate.rate for rate in found if rate.answer == b), ZERO)
                after.update((s, later) for s in layers.following(state, b))
        level = after
    return tuple(nodes)


def _best_price(layers: Layers, guarantees: Guarantees, tick: Callable[[], None]) -> Fraction:
    target = layers.mean(layers.view.initial, 0, lambda s: guarantees.values[0, s])
    steep, flat = (_joint_optimum(layers, w, tick) for w in (Pair(ONE, ZERO), Pair(ZERO, ONE)))
    if steep.follower >= target:
        return ZERO
    while True:
        price = (steep.leader - flat.leader) / (flat.follower - steep.follower)
        found = _joint_optimum(layers, Pair(ONE, price), tick)
        if found.leader + price * found.follower <= steep.leader + price * steep.follower:
            return price
        if found.follower < target:
            steep = found
        else:
            flat = found


def _joint_optimum(layers: Layers, weights: Pair, tick: Callable[[], None]) -> Pair:
    """Return what both get where they maximize a weighted sum together; ties for both."""
    tick()
    view = layers.view
    after: dict[int, Pair] = {}
    for time in reversed(range(view.horizon)):
        now: dict[int, Pair] = {}
        for state in layers.states[time]:
            now[state] = max(
                (
                    layers.played(after, time, (state, a, b))
                    for a in layers.leader_actions[state]
                    for b in layers.follower_actions[state]
                ),
                key=lambda p: (
                    weights.leader * p.leader + weights.follower * p.follower,
                    p.leader + p.follower,
                ),
            )
        after = now
    return layers.at_start(after)
