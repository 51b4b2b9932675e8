"""Small Markov games: everybody sees the state, and rewards and what comes next depend on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

from gametheory_core.arrays import ONE
from gametheory_core.catalog.arguments import exact_discount, require_between
from gametheory_core.distributions import Distribution, surely
from gametheory_core.games.listed_posg import ListedPOSG, list_posg
from gametheory_core.games.posg import JointAction, JointObservation, Rewards

HALF = Fraction(1, 2)
MAX_FISHERS = 4
MAX_STOCK = 60
MAX_ROUNDS = 1000


def _all_see(
    actions: Mapping[str, Sequence[Sequence[str]]], states: Sequence[str], first: str
) -> dict[str, Any]:
    """List observations that show the state to everybody, and what is legal in each state."""
    count = len(actions[first])
    own = tuple(
        tuple(dict.fromkeys(a for joint in actions.values() for a in joint[i]))
        for i in range(count)
    )
    return {
        "players": tuple(str(i + 1) for i in range(count)),
        "actions": own,
        "initial": {first: 1},
        "initial_observations": {first: {(first,) * count: 1}},
        "observations": {
            (joint, state): {(state,) * count: 1} for joint in product(*own) for state in states
        },
        "legal_actions": {
            (i, state): tuple(joint[i]) for state, joint in actions.items() for i in range(count)
        },
    }


def big_match(*, discount_percent: int = 90) -> ListedPOSG:
    """The Big Match: until player 1 stops play for ever, being right pays 1 a round.

    Each round both name "left" or "right"; player 2's is a guess. Naming "left" stops play: in a
    state that pays 1 for ever if both said "left", 0 if not. Naming "right" pays 1 now if both did.
    With a discount ``g < 1`` the value is ``1 / (2 (1 - g))``.

    Parameters
    ----------
    discount_percent : int
        The factor on rewards for each step, 0 to 100 percent.

    References
    ----------
    .. [1] D. Gillette, "Stochastic games with zero stop probabilities", Contributions to the Theory
       of Games III, Annals of Mathematics Studies 39, 1957, 179-187.
    """
    require_between(discount_percent, 0, 100, game="big_match", name="discount_percent")
    both = ("left", "right")
    actions = {"open": (both, both), "won": (("left",), ("left",)), "lost": (("left",), ("left",))}
    pair = ("left", "left")
    after = {
        ("left", "left"): "won",
        ("left", "right"): "lost",
        ("right", "left"): "open",
        ("right", "right"): "open",
    }
    transitions: dict[Any, Any] = {("open", joint): {state: 1} for joint, state in after.items()}
    transitions |= {(state, pair): {state: 1} for state in ("won", "lost")}
    return list_posg(
        transitions=transitions,
        rewards={
            ("open", pair, "won"): (1, -1),
            ("open", ("right", "right"), "open"): (1, -1),
            ("won", pair, "won"): (1, -1),
        },
        discount=Fraction(discount_percent, 100),
        title="Big Match",
        **_all_see(actions, ("open", "won", "lost"), "open"),
    )


def stopping_pennies() -> ListedPOSG:
    """Matching pennies that goes on, half the time, after two heads: the value is irrational.

    A match pays player 1 one unit. Play ends but, with probability 1/2, after heads and heads. The
    value solves ``v^2 / 2 + 3 v / 2 = 1``: it is ``(sqrt(17) - 3) / 2``.

    References
    ----------
    .. [1] L. S. Shapley, "Stochastic games", PNAS 39, 1953: stop probabilities, and that the value
       need not lie in the field of the data.
    """
    both = ("heads", "tails")
    transitions: dict[Any, Any] = {("open", joint): {"over": 1} for joint in product(both, both)}
    transitions["open", ("heads", "heads")] = {"open": HALF, "over": HALF}
    return list_posg(
        transitions=transitions,
        rewards={
            ("open", ("heads", "heads"), "open"): (1, -1),
            ("open", ("heads", "heads"), "over"): (1, -1),
            ("open", ("tails", "tails"), "over"): (1, -1),
        },
        terminal=["over"],
        title="Stopping pennies",
        **_all_see({"open": (both, both)}, ("open",), "open"),
    )


@dataclass(frozen=True)
class FishWar:
    """Fishers share a stock; what they leave doubles, up to a limit. All see the stock.

    Each takes up to an equal share of the stock, at once, and is paid what it takes. Play ends when
    no fish is left, or after some rounds.

    Attributes
    ----------
    fishers : int
        Number of players, 2 to 4.
    stock : int
        Fish at the start, and most that there can be, from ``fishers`` to 60.
    rounds : int, or None
        At least 1; None if play goes on until the stock is empty.
    discount : Fraction
        In [0, 1].

    References
    ----------
    .. [1] D. Levhari and L. J. Mirman, "The great fish war: an example using a dynamic
       Cournot-Nash solution", Bell Journal of Economics 11, 1980, 322-334.

    Examples
    --------
    >>> FishWar(fishers=3, stock=7).legal_actions(0, 7)
    (0, 1, 2)
    >>> FishWar(fishers=3, stock=7).transition(7, (1, 1, 2)).items[0][0]
    6
    """

    fishers: int = 3
    stock: int = 6
    rounds: int | None = 3
    discount: Fraction = ONE

    def __post_init__(self) -> None:
        require_between(self.fishers, 2, MAX_FISHERS, game="FishWar", name="fishers")
        require_between(self.stock, self.fishers, MAX_STOCK, game="FishWar", name="stock")
        if self.rounds is not None:
            require_between(self.rounds, 1, MAX_ROUNDS, game="FishWar", name="rounds")
        object.__setattr__(self, "discount", exact_discount(self.discount, game="FishWar"))

    title: str = field(default="Fish war", init=False, repr=False)

    @property
    def players(self) -> tuple[str, ...]:
        """Numbered from 1."""
        return tuple(str(i + 1) for i in range(self.fishers))

    @property
    def horizon(self) -> int | None:
        """One step a round."""
        return self.rounds

    def initial(self) -> Distribution[int]:
        """Begin with a full stock."""
        return surely(self.stock)

    def initial_observation(self, state: int) -> Distribution[JointObservation]:
        """Show the stock."""
        return surely((state,) * self.fishers)

    def observation(self, joint_action: JointAction, state: int) -> Distribution[JointObservation]:
        """Show the stock."""
        return surely((state,) * self.fishers)

    def legal_actions(self, player: int, observation: int) -> tuple[int, ...]:
        """Take at most an equal share, rounded down."""
        return tuple(range(observation // self.fishers + 1))

    def is_terminal(self, state: int) -> bool:
        """End when there is no fish for each."""
        return state < self.fishers

    def transition(self, state: int, joint_action: JointAction) -> Distribution[int]:
        """Double what is left, up to the limit."""
        return surely(min(self.stock, 2 * (state - sum(joint_action))))

    def reward(self, state: int, joint_action: JointAction, next_state: int) -> Rewards:
        """Pay what each takes."""
        return tuple(joint_action)


def fish_war(*, fishers: int = 3, stock: int = 6, rounds: int = 3) -> FishWar:
    """Fishers who share a stock that doubles what is left: a Markov game of several players.

    Parameters
    ----------
    fishers, stock, rounds : int
        Players, 2 to 4; fish at the start and at most; rounds of play, at least 1.

    References
    ----------
    .. [1] D. Levhari and L. J. Mirman, "The great fish war: an example using a dynamic
       Cournot-Nash solution", Bell Journal of Economics 11, 1980, 322-334.
    """
    return FishWar(fishers, stock, rounds)
