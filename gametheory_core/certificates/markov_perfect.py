"""Markov games: certificates that nobody gains by deviating, alone or from a mediator's advice.

Against others who look at time and state alone, a player faces a Markov decision problem. So values
``v`` of a profile, by time and state, prove all at once (the one-shot deviation principle): if no
single action pays more than ``v``, with ``v`` of the next state as what comes after, then no plan
does, however it uses the past.

Values are *witnesses*: whatever they are, they bound. With ``Q`` what a stage pays if ``v`` comes
after, own play pays at least ``v - l_t`` and any plan at most ``v + u_t`` from time ``t`` on, where

    l_t = max (v - Q(own play)) + c l_{t+1},      u_t = max (Q(best action) - v) + c u_{t+1},

``c`` is what a step leaves to what comes after (discount times chance to go on), and without a
horizon both sums are geometric. For exact values of an equilibrium both are 0.

Correlated Markov certificates: a mediator who sees the state, and whom to disobey never pays.

At each time the mediator draws a joint action by time and state alone and tells each player the own
part. A player who considers disobeying, once or often, faces a Markov decision problem whose state
is what play is in and what the player was just told; backwards, its values bound every plan.
"""

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from gametheory_core.arguments import counted
from gametheory_core.arrays import ZERO, ExactArray
from gametheory_core.certificates.claim import Checkable, claim, claimed
from gametheory_core.certificates.declared_types import require_declared_arguments
from gametheory_core.certificates.wording import (
    at_least,
    at_most,
    exactly,
    require_gain_tolerance,
    written,
)
from gametheory_core.conversions.tabular import markov_view
from gametheory_core.errors import CertificateRejected
from gametheory_core.evaluation.markov import (
    Values,
    best_values,
    dense_values,
    has_one_round,
    markov_values,
    require_endless_values,
)
from gametheory_core.evaluation.stages import (
    ActionPayoffs,
    action_payoffs,
    obedience,
    stage_payoffs,
)
from gametheory_core.games.markov_view import MarkovView
from gametheory_core.games.rules import POSG
from gametheory_core.games.tables import TabularPOSG
from gametheory_core.strategies.markov import (
    MarkovCorrelation,
    MarkovProfile,
    check_markov_correlation,
    check_markov_profile,
)

NEGLIGIBLE = Fraction(1, 2**200)  # gains that may be those of an equilibrium, in payoff units


def _measure(
    game: TabularPOSG, profile: MarkovProfile, values: Values, best_values: Values
) -> "MarkovPerfectCertificate":
    view = MarkovView(game)
    check_markov_profile(view, profile)
    require_endless_values(view)
    for each in (values, best_values) if best_values else (values,):
        check_values(view, profile, each)
    found = measure(view, profile, values, best_values)
    return MarkovPerfectCertificate(
        game, profile, found.payoffs, found.error, found.epsilon, values, best_values
    )


@claim("markov-perfect", measure=_measure, proves=("markov-perfect",))
class MarkovPerfectCertificate(Checkable):
    """The claim that from no time and state on a player gains more than epsilon by deviating.

    Times and states are those that play can reach, whatever the players do.

    Attributes:
        game: Any number of players, all of whom see the state.
        profile: Stationary, or one row for each time before the horizon.
        payoffs: Expected return of each player, within ``payoff_error``.
        payoff_error: 0 where the returns are exact.
        epsilon: No deviation gains more; exact if the witnesses are. Payoff units.
        values: Witness: what the profile pays from each time and state on, for each player.
        best_values: Witness: what a best response gets at most; empty if ``values`` serve as these
            too.
    """

    game: TabularPOSG
    profile: MarkovProfile
    payoffs: tuple[Fraction, ...] = claimed()
    payoff_error: Fraction = claimed()
    epsilon: Fraction = claimed()
    values: Values
    best_values: Values = ()

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        paid = ", ".join(map(at_least, self.payoffs))
        near = f" (within {at_most(self.payoff_error)})" if self.payoff_error else ""
        if not self.epsilon:
            return (
                f"a Markov-perfect equilibrium that pays ({paid}){near}: from no time and state on "
                "does a player gain anything by deviating"
            )
        return (
            f"a Markov profile that pays ({paid}){near}: from no time and state on does a player "
            f"gain more than epsilon = {at_most(self.epsilon)} by deviating"
        )


class Measured(NamedTuple):
    """What witnesses prove.

    Attributes:
        payoffs: By the values of the first states.
        error: How far these may be from the returns.
        where: Who gains most by a single action, and where; empty if nobody does.
    """

    payoffs: tuple[Fraction, ...]
    error: Fraction
    epsilon: Fraction
    where: str


class _Slack(NamedTuple):
    """Largest differences at one time, for each player, and where an action gains most."""

    below: list[Fraction]  # v - Q(own play)
    above: list[Fraction]  # Q(own play) - v
    gain: list[Fraction]  # Q(best action) - best value
    apart: list[Fraction]  # best value - v
    where: tuple[Fraction, str]


def check_values(view: MarkovView, profile: MarkovProfile, values: Values) -> None:
    """Refuse witnesses but one number for each player wherever somebody acts, and there only.

    Raises:
        CertificateRejected: Names the time and the state.
    """
    is_stationary = has_one_round(view, profile)
    num_times = 1 if is_stationary else view.num_times
    if len(values) != num_times:  # before the layers of a long game are made
        raise CertificateRejected(
            needs=f"values for {counted(num_times)} times", found=f"has {len(values)}"
        )
    layers = [view.acting] if is_stationary else view.layers
    for time, (row, acting) in enumerate(zip(values, layers, strict=True)):
        needed = dict.fromkeys(acting.tolist(), view.num_players)
        if len(row) != view.num_states:
            raise CertificateRejected(
                needs=f"values for {view.num_states} states at time {time}", found=f"has {len(row)}"
            )
        for state, own in enumerate(row):
            if len(own) != needed.get(state, 0):
                raise CertificateRejected(
                    needs=f"{needed.get(state, 0)} values at time {time} in state "
                    f"{view.game.states[state]!r}",
                    found=f"has {len(own)}",
                )


def measure(view: MarkovView, profile: MarkovProfile, values: Values, best: Values) -> Measured:
    """Return what the witnesses prove; all arguments fit the game."""
    best = best or values
    nothing = [ZERO] * view.num_players
    if has_one_round(view, profile):
        slack = _slack(view, profile, 0, (values[0], values[0]), (best[0], best[0]))
        whole = 1 / (1 - view.contraction)
        below, above, gain = ([x * whole for x in own] for own in slack[:3])
        epsilon = _largest(slack.apart, below, gain)
        where = slack.where[1]
    else:
        below, above, gain, epsilon = nothing, nothing, nothing, ZERO
        most, where = ZERO, ""
        no_row: tuple[tuple[Fraction, ...], ...] = ((),) * view.num_states
        for time in reversed(range(len(values))):
            after = time + 1
            slack = _slack(
                view,
                profile,
                time,
                (values[time], values[after] if after < len(values) else no_row),
                (best[time], best[after] if after < len(best) else no_row),
            )
            below, above, gain = (
                [x + view.contraction * y for x, y in zip(now, later, strict=True)]
                for now, later in zip(slack[:3], (below, above, gain), strict=True)
            )
            epsilon = max(epsilon, _largest(slack.apart, below, gain))
            if slack.where[0] > most:
                most, where = slack.where
    payoffs = list(nothing)
    for state, weight in view.initial:
        if values and values[0][state]:
            payoffs = [x + weight * y for x, y in zip(payoffs, values[0][state], strict=True)]
    return Measured(tuple(payoffs), max(ZERO, *below, *above), epsilon, where)


def _largest(apart: list[Fraction], below: list[Fraction], gain: list[Fraction]) -> Fraction:
    return max(ZERO, *(sum(own, ZERO) for own in zip(apart, below, gain, strict=True)))


def _slack(
    view: MarkovView,
    profile: MarkovProfile,
    time: int,
    values: tuple[tuple[tuple[Fraction, ...], ...], tuple[tuple[Fraction, ...], ...]],
    best: tuple[tuple[tuple[Fraction, ...], ...], tuple[tuple[Fraction, ...], ...]],
) -> _Slack:
    """Compare one time's values with what its stages pay; a pair is (now, after)."""
    players = range(view.num_players)
    below, above, gain, apart = ([ZERO] * len(players) for _ in range(4))
    paid = stage_payoffs(view, dense_values(view, values[1]))
    same = best is values or best == values
    paid_best = paid if same else stage_payoffs(view, dense_values(view, best[1]))
    where = (ZERO, "")
    row = profile.at(time)
    for state in (s for s, own in enumerate(values[0]) if own):
        for i in players:
            here, top = values[0][state][i], best[0][state][i]
            found = action_payoffs(view, state, i, row[state], paid[i])
            each = (
                found.each
                if same
                else action_payoffs(view, state, i, row[state], paid_best[i]).each
            )
            below[i] = max(below[i], here - found.own)
            above[i] = max(above[i], found.own - here)
            gain[i] = max(gain[i], max(each) - top)
            apart[i] = max(apart[i], top - here)
            if max(found.each) - found.own > where[0]:
                where = (max(found.each) - found.own, _words(view, profile, time, state, i, found))
    return _Slack(below, above, gain, apart, where)


def _words(
    view: MarkovView,
    profile: MarkovProfile,
    time: int,
    state: int,
    player: int,
    found: ActionPayoffs,
) -> str:
    each, own = found
    action = view.legal[state][player][each.index(max(each))]
    when = "" if has_one_round(view, profile) else f"at time {time} "
    return (
        f"{when}in state {view.game.states[state]!r} player {view.game.players[player]!r} gets "
        f"{written(max(each))} by {view.game.actions[player][action]!r}, then as before, instead "
        f"of {written(own)}"
    )


def certify_markov_perfect(
    game: POSG | MarkovView,
    profile: MarkovProfile,
    *,
    tolerance: Fraction | None = ZERO,
    values: Values | None = None,
) -> MarkovPerfectCertificate:
    """Check a Markov profile at every time and state, and state what it pays as a certificate.

    Args:
        game: Any number of players, all of whom see the state. With a horizon; or, for stationary
            profiles, with a discount below 1, or a chance that play ends at each step.
        profile: Stationary, or by time and state.
        tolerance: Largest gain accepted, in payoff units; None accepts any. Default: 0.
        values: What the profile pays from each time and state on, for each player, as a witness;
            need not be exact. Default: computed.

    Raises:
        CertificateRejected: If a deviation may gain more; names who, when and where. If the profile
            or a witness is of another type.
        UnsupportedGame: If a player cannot tell two states apart, or play need not end and nothing
            is discounted.
        InvalidStrategy: If the profile does not fit the game.

    Time is linear in the number of rows of the table, for each time and player; without a horizon a
    system of linear equations is solved first.

    Source: :cite:`maskin2001markov`.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.distributions import point_mass
    >>> view = markov_view(RepeatedGame.of("prisoners_dilemma", rounds=2, recall=0))
    >>> from gametheory_core.strategies import markov_profile
    >>> defect = markov_profile(view, [{(): point_mass("defect")}] * 2)
    >>> certify_markov_perfect(view, defect).payoffs
    (Fraction(2, 1), Fraction(2, 1))
    """
    require_gain_tolerance(tolerance)
    view = markov_view(game)
    require_declared_arguments(MarkovPerfectCertificate, profile=profile, values=values or ())
    require_endless_values(view)
    check_markov_profile(view, profile)
    given = markov_values(view, profile) if values is None else values
    check_values(view, profile, given)
    found = measure(view, profile, given, ())
    best: Values = ()
    if found.epsilon > NEGLIGIBLE and (tolerance is None or found.epsilon > tolerance):
        best = best_values(view, profile, given)
        found = measure(view, profile, given, best)
    if tolerance is not None and found.epsilon > tolerance:
        raise CertificateRejected(
            needs=f"no gain above {written(tolerance)} from any time and state on",
            found=f"a deviation may gain {exactly(found.epsilon)}: {found.where}",
        )
    return MarkovPerfectCertificate(
        view.game, profile, found.payoffs, found.error, found.epsilon, given, best
    )


def _measure_correlated(
    game: TabularPOSG, profile: MarkovCorrelation
) -> "MarkovCorrelatedCertificate":
    return certify_markov_correlated(game, profile, tolerance=None)


@claim("markov-correlated", measure=_measure_correlated, proves=("markov-correlated",))
class MarkovCorrelatedCertificate(Checkable):
    """The claim that from no time and state on a player gains more than epsilon by disobeying.

    Attributes:
        game: Any number of players, all of whom see the state; with a horizon.
        profile: What the mediator draws, by time and state.
        payoffs: Expected return of each obedient player.
        epsilon: The largest gain of any plan of disobedience; payoff units.
    """

    game: TabularPOSG
    profile: MarkovCorrelation
    payoffs: tuple[Fraction, ...] = claimed()
    epsilon: Fraction = claimed()

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        returns = ", ".join(map(at_least, self.payoffs))
        paid = f"a mediator who looks at time and state pays ({returns})"
        if not self.epsilon:
            return f"{paid}: from no time and state on does a player gain anything by disobeying"
        return (
            f"{paid}: from no time and state on does a player gain more than epsilon = "
            f"{at_most(self.epsilon)} by disobeying"
        )


def certify_markov_correlated(
    game: POSG | MarkovView, profile: MarkovCorrelation, *, tolerance: Fraction | None = ZERO
) -> MarkovCorrelatedCertificate:
    """Check a mediator who looks at time and state, and state the result as a certificate.

    Args:
        game: Any number of players, all of whom see the state; with a horizon.
        tolerance: Largest gain accepted, in payoff units; None accepts any. Default: 0.

    Raises:
        CertificateRejected: If disobeying gains more; names who, when and where.
        UnsupportedGame: If a player cannot tell two states apart, or there is no horizon.
        InvalidStrategy: If the correlation does not fit the game.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core import correlated_distribution
    >>> view = markov_view(RepeatedGame.of("battle_of_the_sexes", rounds=2, recall=0))
    >>> coin = correlated_distribution([["1/2", 0], [0, "1/2"]])
    >>> certify_markov_correlated(view, MarkovCorrelation(((coin,), (coin,)))).epsilon
    Fraction(0, 1)
    """
    view = markov_view(game)
    require_declared_arguments(MarkovCorrelatedCertificate, profile=profile)
    require_gain_tolerance(tolerance)
    check_markov_correlation(view, profile)
    shape = (view.num_states, view.num_players)
    own: ExactArray = np.full(shape, ZERO, dtype=object)
    best: ExactArray = np.full(shape, ZERO, dtype=object)
    most, where = ZERO, ""
    for time in reversed(range(len(view.layers))):
        paid, paid_best = stage_payoffs(view, own), stage_payoffs(view, best)
        own, best = np.full(shape, ZERO, dtype=object), np.full(shape, ZERO, dtype=object)
        for state, law in enumerate(profile.distributions[time]):
            if law is None:
                continue
            for player in range(view.num_players):
                here = obedience(view, state, player, law, paid[player])
                own[state, player] = here.own
                best[state, player] = obedience(view, state, player, law, paid_best[player]).best
                gain = best[state, player] - here.own
                if gain > most:
                    most = gain
                    where = (
                        f"from time {time} in state {view.game.states[state]!r} on player "
                        f"{view.game.players[player]!r}"
                    )
    if tolerance is not None and most > tolerance:
        raise CertificateRejected(
            needs=f"no gain above {written(tolerance)} by disobeying",
            found=f"{where} gains {exactly(most)}",
        )
    payoffs = tuple(
        sum((weight * own[state, player] for state, weight in view.initial), ZERO)
        for player in range(view.num_players)
    )
    return MarkovCorrelatedCertificate(view.game, profile, payoffs, most)
