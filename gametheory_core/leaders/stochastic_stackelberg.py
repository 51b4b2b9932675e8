"""Commitment in Markov games: what mixed actions earn, and that no others earn more than a bound.

The leader draws afresh at each use, by their own observation alone; the follower knows step and
state, and best responds. A tree splits the leader's mixed actions, and now and then the follower's
answer at one step and state, into cells that cover them all; rates bound each
(``commitment_cells``), so that the largest of these bounds holds for all. Prices on deviations, if
there are any, bound them all at once (``deviation_prices``).
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NoReturn, TypeAlias

from gametheory_core.certificates.claim import (
    Checkable,
    claim,
    claimed,
    commitment_gap,
    payoffs_in_order,
)
from gametheory_core.certificates.declared_types import require_declared_arguments
from gametheory_core.certificates.wording import at_most, exactly, rejecting, written
from gametheory_core.errors import CertificateRejected
from gametheory_core.games.tables import TabularPOSG
from gametheory_core.leaders.commitment_cells import (
    AnswerRate,
    Cell,
    CellGame,
    cell_bound,
    split_at,
)
from gametheory_core.leaders.deviation_prices import DeviationPrices, price_bound
from gametheory_core.leaders.follower_responses import FollowerTies, follower_response
from gametheory_core.leaders.policies import StochasticLeader
from gametheory_core.leaders.view import LeaderView, view_of

STACKELBERG = "stochastic-stackelberg"
NO_PRICES = DeviationPrices((), ())
_TIES = {FollowerTies.STRONG: "for", FollowerTies.WEAK: "against"}


@dataclass(frozen=True)
class BoundedCell:
    """A leaf: a cell that is bounded by rates."""

    rates: tuple[AnswerRate, ...] = ()


@dataclass(frozen=True)
class MixtureSplit:
    """A cell split at a mixed action; a child for each corner that it replaces.

    Attributes:
        observation: After which the leader mixes so.
        weights: Of the corners, in their order; corners of weight 0 stay in all children.
    """

    observation: int
    weights: tuple[Fraction, ...]


@dataclass(frozen=True)
class AnswerSplit:
    """A cell split by what the follower answers; a child for each legal action, ascending."""

    time: int
    state: int


CellNode: TypeAlias = BoundedCell | MixtureSplit | AnswerSplit


def tree_bound(game: CellGame, nodes: tuple[CellNode, ...]) -> Fraction:
    """Return what a tree of cells proves that no mixed actions exceed.

    Args:
        nodes: Each before its children; the first one is the cell of all mixed actions.

    Raises:
        CertificateRejected: If the tree is not whole, or something in it does not fit the game.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import leader_view
    >>> view = leader_view(RepeatedGame.of("prisoners_dilemma", rounds=2))
    >>> tree_bound(CellGame(view), (BoundedCell(),))
    Fraction(6, 1)
    """
    open_cells = [game.whole]
    bounds: list[Fraction] = []
    for node in nodes:
        if not open_cells:
            _reject("a tree that ends with its last cell", "there are nodes after it")
        cell = open_cells.pop()
        if isinstance(node, BoundedCell):
            _check_rates(game, node.rates)
            bound = cell_bound(game, cell, node.rates)
            bounds += [] if bound is None else [bound]
        else:
            split = _mixtures if isinstance(node, MixtureSplit) else _answers
            open_cells += reversed(split(game, cell, node))  # pyright: ignore[reportArgumentType]
    if open_cells or not bounds:
        _reject("a tree whose cells cover all mixed actions", f"{len(open_cells)} are missing")
    return max(bounds)


def _reject(needs: str, found: str) -> NoReturn:
    raise CertificateRejected(needs=needs, found=found, where=f"{STACKELBERG} certificate")


def _mixtures(game: CellGame, cell: Cell, node: MixtureSplit) -> list[Cell]:
    if node.observation not in game.observations:
        _reject("splits after what the leader may see", f"has observation {node.observation}")
    place = game.observations.index(node.observation)
    before, after = cell.simplices[:place], cell.simplices[place + 1 :]
    simplex, weights = cell.simplices[place], node.weights
    if len(weights) != len(simplex) or min(weights) < 0 or sum(weights) != 1:
        _reject(
            f"a weight of at least 0 for each of {len(simplex)} corners, and 1 in all",
            f"has {written(weights)}",
        )
    return [replace(cell, simplices=(*before, part, *after)) for part in split_at(simplex, weights)]


def _answers(game: CellGame, cell: Cell, node: AnswerSplit) -> list[Cell]:
    place = (node.time, node.state)
    _check_place(game, *place)
    if place in cell.answers:
        _reject("one split by answers at a step and state", f"there are two at {written(place)}")
    return [replace(cell, answers={**cell.answers, place: b}) for b in game.answers(node.state)]


def _check_place(game: CellGame, time: int, state: int) -> None:
    if not 0 <= time < game.view.horizon or state not in game.states[time]:
        _reject("steps and states where somebody may act", f"has step {time} in state {state}")


def _check_rates(game: CellGame, rates: tuple[AnswerRate, ...]) -> None:
    for rate in rates:
        _check_place(game, rate.time, rate.state)
        if not {rate.answer, rate.deviation} <= set(game.answers(rate.state)) or rate.rate < 0:
            _reject(
                "rates of at least 0 on legal actions",
                f"at step {rate.time} in state {rate.state} {rate.answer} against "
                f"{rate.deviation} has {written(rate.rate)}",
            )


def _measure(game: TabularPOSG, leader: int, **given: Any) -> "StochasticStackelbergCertificate":
    return certify_stochastic_stackelberg(view_of(game, leader, STACKELBERG), **given)


@claim(STACKELBERG, measure=_measure, answer="policy", proves=("markov-commitment",))
class StochasticStackelbergCertificate(Checkable):
    """The claim that mixed actions earn ``leader_payoff``, and none more than ``upper_bound``.

    Both are about leaders who draw afresh at each use, by what they observe alone, and a follower
    who knows step and state. Leaders who remember, or who mix by step and state where they do not
    see these, may earn more.

    Attributes:
        game: As for ``LeaderView``.
        policy: A distribution over actions for each of the leader's observations.
        leader_payoff, follower_payoff: Expected returns when the follower best responds, each in
            that player's payoff units.
        upper_bound: No such mixed actions get more, however ties are broken.
        nodes: The proof, as for ``tree_bound``.
        prices: Another one, of a bound that may be smaller; without nodes if it is not.
    """

    game: TabularPOSG
    leader: int
    policy: StochasticLeader
    ties: FollowerTies
    leader_payoff: Fraction = claimed()
    follower_payoff: Fraction = claimed()
    upper_bound: Fraction = claimed()
    nodes: tuple[CellNode, ...]
    prices: DeviationPrices
    epsilon = commitment_gap
    payoffs = payoffs_in_order

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        name = self.game.players[self.leader]
        more = f"more than {at_most(self.upper_bound)}" if self.epsilon else "more"
        return (
            f"player {name!r} mixes actions by their own observation and gets "
            f"{exactly(self.leader_payoff)} from a time-aware follower whose ties break "
            f"{_TIES[self.ties]} the leader; no such mixed actions get {more}"
        )


def certify_stochastic_stackelberg(
    view: LeaderView,
    policy: StochasticLeader,
    *,
    ties: FollowerTies = FollowerTies.STRONG,
    nodes: tuple[CellNode, ...],
    prices: DeviationPrices = NO_PRICES,
) -> StochasticStackelbergCertificate:
    """Measure a stochastic leader and the bound that cells or prices prove, and state both.

    Raises:
        CertificateRejected: If the policy or the tree does not fit the game.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import leader_view
    >>> view = leader_view(RepeatedGame.of("chicken"))
    >>> half, none = (Fraction(1, 2),) * 2, ()
    >>> policy = StochasticLeader((half, none, none, none, none))
    >>> found = certify_stochastic_stackelberg(view, policy, nodes=(BoundedCell(),))
    >>> found.leader_payoff, found.upper_bound
    (Fraction(1, 2), Fraction(1, 1))
    """
    require_declared_arguments(StochasticStackelbergCertificate, **locals())
    with rejecting(STACKELBERG):
        bound = tree_bound(CellGame(view), nodes)
        if prices.nodes:
            bound = min(bound, price_bound(view, prices, kind=STACKELBERG))
        response = follower_response(view, policy, ties=ties)
    leader_payoff, follower_payoff = response.returns
    return StochasticStackelbergCertificate(
        view.game, view.leader, policy, ties, leader_payoff, follower_payoff, bound, nodes, prices
    )
