"""Bilateral trade: a seller who finds bullets, and a buyer who shoots better.

Up to ``n`` bullets come to the seller, one at a step at most. He shoots each himself, worth ``s``
on average, or offers it at a price ``p`` in {0, 1/k, ..., 1}; the buyer's shot is worth ``v`` on
average. A trade pays ``(p, v - p)``, no trade ``(s, 0)``. In ``h`` steps, in each of which a bullet
comes with probability ``a``, ``E min(n, Binomial(h, a))`` are used in expectation, whatever is
done: all that can be earned is this number times what a bullet earns.
"""

from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import TypeAlias

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import ONE, ZERO
from gametheory_core.distributions import Distribution, distribution, point_mass
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.rules import JointAction, JointObservation, Rewards

SHOOT, WAIT = "shoot", "wait"
BUY, PASS = "buy", "pass"
MAX_BULLETS = 20
MAX_STEPS = 1000
MAX_PRICES = 100
PERCENT = 100


class Buying(Enum):
    """What the buyer says while the seller names a price."""

    HIGHEST_PRICE = "the highest price that she pays"
    YES_OR_NO = "whether she buys, at a price unseen"


Market: TypeAlias = tuple[int, bool]  # how many bullets may still come; is one there now?


@dataclass(frozen=True)
class BilateralTrade:
    """Trade of bullets at a price, as a POSG; both players see the state and act at once.

    The seller is player 0. Which of the two leads is for ``leader_view`` to say.

    Attributes:
        buying: What the buyer says.
        bullets: Most bullets that come, 1 to 20.
        steps: Steps of play, 1 to 1000.
        prices: The prices are 0, 1/prices, ..., 1; from 1 to 100.
        arrival: Percent; the chance that a bullet comes at a step.
        hits: Percent of shots that hit.
        seller, buyer: Percent; what a hit pays the player who shot, at most 100.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers: Stackelberg equilibria in deep
        multi-agent reinforcement learning", ICML 2023, section 4.1 and appendix G.

    >>> game = BilateralTrade(Buying.HIGHEST_PRICE)
    >>> game.worths
    (Fraction(9, 100), Fraction(9, 10))
    >>> game.reward((2, True), ("3/4", "1"), (2, False))
    (Fraction(3, 4), Fraction(3, 20))
    """

    buying: Buying
    bullets: int = 2
    steps: int = 5
    prices: int = 4
    arrival: int = 50
    hits: int = 90
    seller: int = 10
    buyer: int = 100
    discount: Fraction = field(default=ONE, init=False, repr=False)
    title: str = field(default="Bilateral trade", init=False, repr=False)
    players: tuple[str, ...] = field(default=("seller", "buyer"), init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.buying, Buying):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidArgument(needs="a member of Buying", found=f"got {self.buying!r}")
        where = "BilateralTrade"
        require_integer(self.bullets, name="bullets", low=1, high=MAX_BULLETS, where=where)
        require_integer(self.steps, name="steps", low=1, high=MAX_STEPS, where=where)
        require_integer(self.prices, name="prices", low=1, high=MAX_PRICES, where=where)
        for name in ("arrival", "hits", "seller", "buyer"):
            require_integer(getattr(self, name), name=name, low=0, high=PERCENT, where=where)

    @property
    def horizon(self) -> int:
        """Steps of play."""
        return self.steps

    @property
    def worths(self) -> tuple[Fraction, Fraction]:
        """What a bullet earns the seller and the buyer who shoots it, on average: ``(s, v)``."""
        hits = Fraction(self.hits, PERCENT)
        return hits * Fraction(self.seller, PERCENT), hits * Fraction(self.buyer, PERCENT)

    @property
    def price_list(self) -> tuple[str, ...]:
        """The prices, as both players name them."""
        return tuple(str(Fraction(step, self.prices)) for step in range(self.prices + 1))

    def initial(self) -> Distribution[Market]:
        """Draw whether a bullet comes at the first step."""
        return self._arrivals(self.bullets)

    def initial_observation(self, state: Market) -> Distribution[JointObservation]:
        """Show the state."""
        return point_mass((state, state))

    def observation(
        self, joint_action: JointAction, state: Market
    ) -> Distribution[JointObservation]:
        """Show the state."""
        return point_mass((state, state))

    def legal_actions(self, player: int, observation: Market) -> tuple[str, ...]:
        """Shoot or name a price; name the highest price, or buy or pass; wait without a bullet."""
        if not observation[1]:
            return (WAIT,)
        if player == 0:
            return (SHOOT, *self.price_list)
        return self.price_list if self.buying is Buying.HIGHEST_PRICE else (BUY, PASS)

    def is_terminal(self, state: Market) -> bool:
        """End when no bullet is there and none can come."""
        return state == (0, False)

    def transition(self, state: Market, joint_action: JointAction) -> Distribution[Market]:
        """Use up the bullet, if there is one, and draw whether the next one comes."""
        return self._arrivals(state[0])

    def reward(self, state: Market, joint_action: JointAction, next_state: Market) -> Rewards:
        """Pay the price and what the shot is worth on average."""
        if not state[1]:
            return (ZERO, ZERO)
        seller, buyer = self.worths
        named, answer = joint_action
        if not is_trade(named, answer):
            return (seller, ZERO)
        return (Fraction(named), buyer - Fraction(named))

    def _arrivals(self, to_come: int) -> Distribution[Market]:
        chance = Fraction(self.arrival, PERCENT) if to_come else ZERO
        after = {(to_come - 1, True): chance, (to_come, False): 1 - chance}
        return distribution({state: weight for state, weight in after.items() if weight})


def is_trade(named: str, answer: str) -> bool:
    """Tell whether what the seller named and what the buyer said make a trade.

    >>> is_trade("3/4", "1"), is_trade("1", "3/4"), is_trade("1", "buy"), is_trade("shoot", "buy")
    (True, False, True, False)
    """
    if named == SHOOT or answer == PASS:
        return False
    return answer == BUY or Fraction(named) <= Fraction(answer)


def bilateral_trade(
    *,
    bullets: int = 2,
    steps: int = 5,
    prices: int = 4,
    arrival: int = 50,
    hits: int = 90,
    seller: int = 10,
    buyer: int = 100,
) -> BilateralTrade:
    """A seller of bullets names a price and the buyer the highest one that she pays.

    Args:
        bullets, steps, prices: Most bullets that come; steps of play; steps of the price from 0 to
            1.
        arrival, hits, seller, buyer: In percent: the chance that a bullet comes at a step, that a
            shot hits, and what a hit pays the seller and the buyer.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers: Stackelberg equilibria in deep
        multi-agent reinforcement learning", ICML 2023, section 4.1 and appendix G.
    """
    return BilateralTrade(
        Buying.HIGHEST_PRICE, bullets, steps, prices, arrival, hits, seller, buyer
    )


def bilateral_trade_unseen(
    *,
    bullets: int = 2,
    steps: int = 5,
    prices: int = 4,
    arrival: int = 50,
    hits: int = 90,
    seller: int = 10,
    buyer: int = 100,
) -> BilateralTrade:
    """Bilateral trade whose buyer sees no price: without commitment nothing is traded.

    Args:
        bullets, steps, prices: As in ``bilateral_trade``.
        arrival, hits, seller, buyer: As in ``bilateral_trade``.

    Source: after M. Gerstgrasser and D. C. Parkes, "Oracles & Followers: Stackelberg equilibria in
        deep multi-agent reinforcement learning", ICML 2023, section 4.1.
    """
    return BilateralTrade(Buying.YES_OR_NO, bullets, steps, prices, arrival, hits, seller, buyer)
