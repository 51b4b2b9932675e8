"""Zero-sum Markov certificates: what stationary strategies guarantee, from both sides.

With ``Q`` what player 0 gets in a stage if values ``v`` come after, and ``c < 1`` what a step
leaves to what comes after, the operator of stage values is a contraction by ``c`` in the largest
difference. So if player 0's lottery in each state guarantees ``v - d`` in the stage, it guarantees
``v - d / (1 - c)`` in the game: against it the other player faces a Markov decision problem, whose
operator takes values of at least ``v - e`` to at least ``v - d - c e``. Likewise from above for
player 1. The value of the game lies between, whatever ``v`` is; ``d = 0`` on both sides proves
``v`` exact.
"""

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from gametheory_core.arrays import ZERO, ExactArray
from gametheory_core.certificates.claim import Checkable, bounds_middle, claim, claimed
from gametheory_core.certificates.declared_types import require_declared_arguments
from gametheory_core.certificates.wording import at_least, at_most
from gametheory_core.conversions.tabular import markov_view
from gametheory_core.errors import CertificateRejected, UnsupportedGame
from gametheory_core.evaluation.markov import require_endless_values
from gametheory_core.evaluation.stages import action_payoffs, stage_payoffs
from gametheory_core.games.markov_view import MarkovView
from gametheory_core.games.rules import POSG
from gametheory_core.games.tables import TabularPOSG
from gametheory_core.strategies.markov import MarkovProfile, check_markov_profile

TWO = 2


class Guarantees(NamedTuple):
    """How far the stages' guarantees are from values, at most over all states; at least 0."""

    below: Fraction
    above: Fraction


def require_zero_sum_markov(view: MarkovView) -> None:
    """Refuse games but those of two players, without a horizon, with rewards that sum to 0.

    Raises:
        UnsupportedGame: Names the players, or a state and a joint action; and a way out.
    """
    game = view.game
    if view.num_players != TWO:
        raise UnsupportedGame(
            needs="two players",
            found=f"{game!r} has {view.num_players}: {', '.join(map(repr, game.players))}. "
            "certify_markov_perfect takes any number",
        )
    paying = view.rows[view.rewards.numerators[view.rows].sum(axis=1) != 0]
    if paying.size:
        row = int(paying[0])
        paid = [Fraction(x, view.rewards.denominator) for x in view.rewards.numerators[row]]
        label = game.joint_action(int(game.row_key[row]) % game.num_joint_actions)
        raise UnsupportedGame(
            needs="rewards that sum to 0",
            found=f"in state {game.states[game.row_state[row]]!r} {label!r} pays ({paid[0]}, "
            f"{paid[1]})",
            remedy="With a horizon, stage_nash_induction takes any rewards.",
        )
    if game.horizon is not None:
        raise UnsupportedGame(
            needs="a game without a horizon",
            found=f"{game!r} stops after {game.horizon} steps. stage_nash_induction solves such "
            "games",
        )
    require_endless_values(view)


def stage_guarantees(
    view: MarkovView, profile: MarkovProfile, values: tuple[Fraction, ...]
) -> Guarantees:
    """Return how far below and above ``values`` the two strategies' stage guarantees may be."""
    own: ExactArray = np.full((view.num_states, TWO), ZERO, dtype=object)
    own[:, 0] = values
    own[:, 1] = [-value for value in values]
    paid: Any = stage_payoffs(view, own)
    below, above = ZERO, ZERO
    row = profile.at(0)
    for state in view.acting.tolist():
        conceded = max(action_payoffs(view, state, 0, row[state], paid[0]).each)
        taken = max(action_payoffs(view, state, 1, row[state], paid[1]).each)
        below = max(below, values[state] + taken)
        above = max(above, conceded - values[state])
    return Guarantees(below, above)


def certify_zero_sum_markov(
    game: POSG | MarkovView, profile: MarkovProfile, *, values: tuple[Fraction, ...]
) -> "ZeroSumMarkovCertificate":
    """Measure what stationary strategies guarantee, and state it as a certificate.

    Args:
        game: Two players, zero-sum, no horizon; a discount below 1, or a chance that play ends at
            each step.
        profile: Stationary.
        values: About what each state is worth to player 0, as a witness; 0 where nobody acts.

    Raises:
        UnsupportedGame: If the game is not of this kind.
        InvalidStrategy: If the profile does not fit the game.
        CertificateRejected: If the profile is not stationary, or the witness does not fit the game,
            or is not exact.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.strategies import uniform_markov_profile
    >>> game = RepeatedGame.of("matching_pennies", rounds=None, discount=Fraction(1, 2))
    >>> view = markov_view(game)
    >>> values = (Fraction(0),) * view.num_states
    >>> certificate = certify_zero_sum_markov(view, uniform_markov_profile(view), values=values)
    >>> certificate.statement
    'optimal stationary strategies: the value of the game is 0, exactly'
    """
    view = markov_view(game)
    require_zero_sum_markov(view)
    require_declared_arguments(ZeroSumMarkovCertificate, profile=profile, values=values)
    if not profile.is_stationary:
        raise CertificateRejected(
            needs="a stationary profile",
            found=f"it has a row for each of {len(profile.lotteries)} times",
        )
    check_markov_profile(view, profile)
    acts = np.zeros(view.num_states, dtype=bool)
    acts[view.acting] = True
    if len(values) != view.num_states or any(
        value and not acting for value, acting in zip(values, acts.tolist(), strict=True)
    ):
        raise CertificateRejected(
            needs=f"a value for each of {view.num_states} states, 0 where nobody acts",
            found=f"has {len(values)}, or others",
        )
    found = stage_guarantees(view, profile, values)
    whole = 1 / (1 - view.contraction)
    below, above = found.below * whole, found.above * whole
    begun = sum((weight * values[state] for state, weight in view.initial), ZERO)
    share = sum((weight for state, weight in view.initial if acts[state]), ZERO)
    return ZeroSumMarkovCertificate(
        game=view.game,
        profile=profile,
        lower=begun - share * below,
        upper=begun + share * above,
        error_below=below,
        error_above=above,
        values=values,
    )


@claim("zero-sum-markov", measure=certify_zero_sum_markov, proves=("minimax",))
class ZeroSumMarkovCertificate(Checkable):
    """The claim that the value of a discounted zero-sum Markov game lies in ``[lower, upper]``.

    Attributes:
        game: Two players who both see the state and whose expected rewards sum to 0; no horizon.
        profile: Stationary; player 0's strategy guarantees ``lower``, player 1's concedes ``upper``
            at most.
        lower, upper: Player 0's return, expected over the first state.
        error_below, error_above: The value of the game begun in a state lies between its witness
            minus the one and plus the other; payoff units.
        values: Witness: about the value of each state to player 0; 0 where nobody acts.
    """

    game: TabularPOSG
    profile: MarkovProfile
    lower: Fraction = claimed()
    upper: Fraction = claimed()
    error_below: Fraction = claimed()
    error_above: Fraction = claimed()
    values: tuple[Fraction, ...]
    game_value = bounds_middle

    @property
    def epsilon(self) -> Fraction:
        """Width of the interval; no strategy gains more against the profile. 0 if exact."""
        return self.error_below + self.error_above

    @property
    def payoff_sum(self) -> Fraction:
        """What the two returns add up to."""
        return ZERO

    @property
    def payoffs(self) -> tuple[Fraction, ...]:
        """The value to each player."""
        return (self.game_value, -self.game_value)

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        low, high = at_least(self.lower), at_most(self.upper)
        if low == high:
            return f"optimal stationary strategies: the value of the game is {low}, exactly"
        return (
            f"the value of the game lies between {low} and {high}, and stationary strategies "
            "guarantee as much to both sides"
        )
