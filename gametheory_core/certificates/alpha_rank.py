"""Alpha-rank certificates: the ranking of joint actions when selection is infinitely strong.

States are joint actions that whole populations have settled on. A single player's change of action
spreads at a rate that depends on what that player gains by it: ``1 - noise`` if positive, 1/2 if
zero, ``noise`` if negative. The ranking is the stationary distribution of this Markov chain; with
noise 0, it is the limit of the stationary distributions as the noise vanishes, which matters where
several sets of states cannot be left without noise.

The limit is checked by eliminating states one by one. All rates are positive, and elimination only
adds, multiplies and divides; so it can be done on *leading terms* ``c noise^k`` alone, exactly.
"""

from collections.abc import Callable, Iterator
from enum import Enum
from fractions import Fraction
from typing import TypeAlias, cast

from gametheory_core.arrays import ONE, ZERO
from gametheory_core.certificates.claim import Checkable, answer_payoffs, claim
from gametheory_core.certificates.declared_types import require_declared_arguments
from gametheory_core.certificates.wording import written
from gametheory_core.errors import CertificateRejected, UnsupportedGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.correlated import (
    CorrelatedDistribution,
    JointAction,
    check_correlated_distribution,
)

HALF = Fraction(1, 2)

State: TypeAlias = JointAction
Rates: TypeAlias = dict[State, dict[State, Fraction]]
Term: TypeAlias = tuple[int, Fraction]  # exponent of the noise, positive coefficient
Terms: TypeAlias = dict[State, dict[State, Term]]


class Populations(Enum):
    """Who evolves."""

    ONE_EACH = "one population for each player"
    ONE = "one population, whose members meet each other in a symmetric game"


def certify_alpha_rank(
    game: NormalFormGame,
    distribution: CorrelatedDistribution,
    *,
    populations: Populations = Populations.ONE_EACH,
    noise: Fraction = ZERO,
    tick: Callable[[], None] | None = None,
) -> "AlphaRankCertificate":
    """State that a distribution is an alpha-rank distribution, after checking it.

    Args:
        distribution: Over the joint actions of the game.
        populations: Who evolves.
        noise: From 0, for the limit, to below 1.
        tick: Called before each state that the check eliminates; may raise to stop.

    Raises:
        InvalidStrategy, UnsupportedGame: If the distribution or the game does not fit.
        CertificateRejected: If the distribution is not stationary, or is not the limit.

    Where several sets of states cannot be left without noise, time grows with the cube of the
    number of states: about half a minute for 225.

    >>> from gametheory_core import correlated_distribution, load_game, uniform_profile
    >>> game = load_game("prisoners_dilemma")
    >>> certify_alpha_rank(game, correlated_distribution([[0, 0], [0, 1]])).noise
    Fraction(0, 1)
    """
    require_declared_arguments(AlphaRankCertificate, **locals())
    check_correlated_distribution(game, distribution)
    states = ranked_states(game, populations)
    if not 0 <= noise < 1:
        raise CertificateRejected(needs="a noise from 0 to below 1", found=f"got {written(noise)}")
    shares = _weights(distribution, states)
    rates = _rates(game, populations, states, noise)
    _check_balance(shares, rates)
    # with noise every state can be reached; without, one closed class settles the matter
    if not noise and not _all_lead_to(distribution.joint_actions[0], rates):
        limit = _limit(game, populations, states, tick or _no_tick)
        for state in states:
            if shares[state] != limit[state]:
                raise CertificateRejected(
                    found=f"claims probability {written(shares[state])} for {state}, but the limit "
                    f"is {written(limit[state])}"
                )
    return AlphaRankCertificate(game, populations, noise, distribution)


@claim("alpha-rank", measure=certify_alpha_rank, answer="distribution", proves=("alpha-rank",))
class AlphaRankCertificate(Checkable):
    """The claim that ``distribution`` is the ranking at the given noise, or its limit.

    Attributes:
        game: Symmetric with two players, if there is one population.
        populations: Who evolves.
        noise: From 0, for the limit of vanishing noise, to below 1.
        distribution: How long each joint action prevails; one population holds joint actions of
            equals only.
    """

    game: NormalFormGame
    populations: Populations
    noise: Fraction
    distribution: CorrelatedDistribution
    payoffs = answer_payoffs
    epsilon = None

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        when = (
            f"with noise {written(self.noise)}" if self.noise else "in the limit of vanishing noise"
        )
        return (
            f"the alpha-rank distribution of infinitely strong selection, {when}, for "
            f"{self.populations.value}"
        )


def _no_tick() -> None:
    pass


def ranked_states(game: NormalFormGame, populations: Populations) -> tuple[State, ...]:
    """Return the joint actions that are ranked: all, or those of equals for one population.

    Raises:
        UnsupportedGame: If there is one population, but the game is not symmetric with two players.
    """
    if populations is Populations.ONE_EACH:
        return tuple(_joint_actions(game.num_actions))
    if game.num_players != 2:
        raise UnsupportedGame(
            needs="two players for one population",
            found=f"{game!r} has {game.num_players}",
            remedy="Use one population for each player.",
        )
    first, second = game.exact_payoffs
    if first.shape != second.T.shape:
        raise UnsupportedGame(
            needs="a symmetric game for one population",
            found=f"the players have {game.num_actions} actions",
            remedy="Use one population for each player.",
        )
    for place in _joint_actions(game.num_actions):
        if first[place] != second[place[::-1]]:
            raise UnsupportedGame(
                needs="a symmetric game for one population",
                found=f"player 1 gets {first[place]} at {place} and player 2 gets "
                f"{second[place[::-1]]} at {place[::-1]}",
                remedy="Use one population for each player.",
            )
    return tuple((action, action) for action in range(len(first)))


def _joint_actions(num_actions: tuple[int, ...]) -> Iterator[State]:
    if not num_actions:
        yield ()
        return
    for first in range(num_actions[0]):
        for rest in _joint_actions(num_actions[1:]):
            yield (first, *rest)


def _weights(
    distribution: CorrelatedDistribution, states: tuple[State, ...]
) -> dict[State, Fraction]:
    weights = dict.fromkeys(states, ZERO)
    for state, probability in zip(
        distribution.joint_actions, distribution.probabilities, strict=True
    ):
        if state not in weights:
            raise CertificateRejected(
                found=f"one population ranks joint actions of equals, but {state} has probability "
                f"{written(probability)}"
            )
        weights[state] = probability
    return weights


def _gains(
    game: NormalFormGame, populations: Populations, state: State
) -> Iterator[tuple[State, Fraction]]:
    """Yield each state one mutation away, and what the mutant gains."""
    payoffs = game.exact_payoffs
    if populations is Populations.ONE:
        resident = state[0]
        for mutant in range(game.num_actions[0]):
            if mutant != resident:
                gain = payoffs[0][mutant, resident] - payoffs[0][resident, mutant]
                yield (mutant, mutant), cast("Fraction", gain)
        return
    for player, count in enumerate(game.num_actions):
        for action in range(count):
            if action != state[player]:
                other = (*state[:player], action, *state[player + 1 :])
                yield other, cast("Fraction", payoffs[player][other] - payoffs[player][state])


def _rates(
    game: NormalFormGame, populations: Populations, states: tuple[State, ...], noise: Fraction
) -> Rates:
    by_sign = {1: ONE - noise, 0: HALF, -1: noise}
    return {
        state: {
            other: by_sign[_sign(gain)]
            for other, gain in _gains(game, populations, state)
            if by_sign[_sign(gain)]
        }
        for state in states
    }


def _sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)


def _check_balance(weights: dict[State, Fraction], rates: Rates) -> None:
    net = dict.fromkeys(weights, ZERO)
    for state, weight in weights.items():
        for other, rate in rates[state].items() if weight else ():
            net[state] -= weight * rate
            net[other] += weight * rate
    for state, flow in net.items():
        if flow:
            raise CertificateRejected(
                needs="flows that balance", found=f"the net flow into {state} is {written(flow)}"
            )


def _all_lead_to(goal: State, rates: Rates) -> bool:
    """Tell whether every state can reach the goal: then only one set of states is closed.

    The goal has positive probability where flows balance, so it belongs to a closed set; another
    closed set would not lead to it.
    """
    sources: dict[State, list[State]] = {state: [] for state in rates}
    for state, others in rates.items():
        for other in others:
            sources[other].append(state)
    found, waiting = {goal}, [goal]
    while waiting:
        for state in sources[waiting.pop()]:
            if state not in found:
                found.add(state)
                waiting.append(state)
    return len(found) == len(rates)


def _limit(
    game: NormalFormGame,
    populations: Populations,
    states: tuple[State, ...],
    tick: Callable[[], None],
) -> dict[State, Fraction]:
    """Return the limit distribution, by eliminating states on leading terms."""
    by_sign: dict[int, Term] = {1: (0, ONE), 0: (0, HALF), -1: (1, ONE)}
    terms: Terms = {
        state: {other: by_sign[_sign(gain)] for other, gain in _gains(game, populations, state)}
        for state in states
    }
    inflows: list[dict[State, Term]] = []
    for state in reversed(states[1:]):
        tick()
        inflows.append(_eliminate(state, terms))
    weights: dict[State, Term] = {states[0]: (0, ONE)}
    for state, inflow in zip(states[1:], reversed(inflows), strict=True):
        weight: Term | None = None
        for other, share in inflow.items():
            weight = _plus_product(weight, weights[other], share)
        weights[state] = cast("Term", weight)
    least = min(exponent for exponent, _ in weights.values())
    leading = {s: c if exponent == least else ZERO for s, (exponent, c) in weights.items()}
    total = sum(leading.values(), ZERO)
    return {state: weight / total for state, weight in leading.items()}


def _eliminate(state: State, terms: Terms) -> dict[State, Term]:
    """Send all flow through a state straight on; return the time there per time elsewhere."""
    outflows = terms.pop(state)
    total: Term | None = None
    for term in outflows.values():
        total = _plus(total, term)
    leaving = cast("Term", total)
    shares: dict[State, Term] = {}
    for other, flows in terms.items():
        into = flows.pop(state, None)
        if into is None:
            continue
        shares[other] = (into[0] - leaving[0], into[1] / leaving[1])
        for target, term in outflows.items():
            if target != other:
                flows[target] = _plus_product(flows.get(target), shares[other], term)
    return shares


def _plus(first: Term | None, second: Term) -> Term:
    if first is None or second[0] < first[0]:
        return second
    if first[0] < second[0]:
        return first
    return first[0], first[1] + second[1]


def _plus_product(first: Term | None, left: Term, right: Term) -> Term:
    """Add a product, which need not be worked out where it is of higher order."""
    exponent = left[0] + right[0]
    if first is not None and first[0] < exponent:
        return first
    return _plus(first, (exponent, left[1] * right[1]))
