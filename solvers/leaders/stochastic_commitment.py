"""Stochastic commitment in Markov games: a mixed action at each observation, drawn at every use.

Finding the best such leader is a hard problem of polynomial optimization, with jumps where the
follower is indifferent. A local search from several starts proposes rational mixed actions; what
they earn is certified exactly, together with a bound on all of them, and on every commitment if the
follower remembers.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import count

import numpy as np

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import ONE, ZERO
from gametheory_core.certificates.wording import at_most_roughly
from gametheory_core.errors import InvalidArgument, NotConverged, UnsupportedGame
from gametheory_core.games.rules import POSG
from gametheory_core.leaders.deviation_prices import DeviationPrices, price_bound
from gametheory_core.leaders.follower_responses import (
    FollowerClass,
    FollowerTies,
    follower_response,
    response_returns,
)
from gametheory_core.leaders.policies import StochasticLeader, leader_policies, num_leader_policies
from gametheory_core.leaders.stochastic_commitment import (
    STOCHASTIC,
    StochasticCommitmentCertificate,
    certify_stochastic_commitment,
)
from gametheory_core.leaders.view import LeaderView
from solvers.concepts import Concept
from solvers.leaders.commitment_bound import no_prices, promise_prices, single_price
from solvers.leaders.layers import Layers, problem_size, refuse_long_sums, view_led_by
from solvers.leaders.lottery_search import Found, Search, climb, float_leaders
from solvers.requirements import a_horizon, a_posg, two_players
from solvers.solution import UNLIMITED, Budget, BudgetOver, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver

MOST_LISTED = 4096  # deterministic leaders that are all tried as starts
MOST_WORK_LISTING = 200_000_000  # multiplications of numbers of 64 bits to try them all
MOST_PROGRAMS = 20_000  # for the bound by promises
GRAIN = 8  # random starts have weights in eighths of the actions' number


@solver(
    Answers(Concept.MARKOV_COMMITMENT, rank=10, takes=(a_horizon, two_players)),
    takes=(a_posg,),
    unit="leaders",
    because="two players and a horizon: local search over mixed actions, with a bound on all such",
    page="leaders",
)
def stochastic_markov_commitment(
    game: POSG | LeaderView,
    *,
    leader: int | None = None,
    ties: FollowerTies = FollowerTies.STRONG,
    follower_class: FollowerClass = FollowerClass.TIME_AWARE,
    starts: int = 8,
    random_starts: int = 0,
    rng: np.random.Generator | None = None,
    tolerance: float | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[StochasticLeader, StochasticCommitmentCertificate]:
    """Find good mixed actions for a leader to commit to, and bound what any earn.

    A local search; only ``certificate.epsilon == 0`` says that the mixed actions are optimal.
    Against a follower who remembers all that she saw and did they are so among all commitments
    then.

    Args:
        game: Two players and a horizon; observations are functions of the state.
        leader: Who commits. Default: the view's leader, else player 0.
        ties: With WEAK ties the best value is often approached only, by mixed actions near a tie.
        follower_class: STATIONARY followers are no full best responders; the bound is weak for
            them.
        starts: Number of deterministic leaders to start from, the best ones; the uniform one comes
            first.
        random_starts: Number of random mixed actions to start from, besides.
        rng: Needed for random starts.
        tolerance: How far below the bound the value may be, in payoff units. Default: no promise.
        budget: Iterations are leaders tried in floats. Half of the time at most goes to the bound.
        on_iteration: Called after each batch of leaders.

    Returns:
        ``payoffs`` in the order of players.

    Raises:
        InvalidArgument: If an option makes no sense.
        UnsupportedGame: If the game does not fit ``LeaderView``, a bound would take too long, or
            there are too many stationary followers.
        NotConverged: If the budget ends before the search does, or the tolerance is not met;
            ``best`` is the best commitment found.

    Sources:
        :cite:`gerstgrasser2023oracles`, section 3.
        :cite:`letchford2012stochastic`.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> game = RepeatedGame.of("prisoners_dilemma", rounds=2)
    >>> solution = stochastic_markov_commitment(game)
    >>> solution.payoffs[0], solution.certificate.epsilon
    (Fraction(23, 4), Fraction(0, 1))
    """
    view = view_led_by(game, leader)
    require_integer(starts, name="starts", low=0)
    require_integer(random_starts, name="random_starts", low=0)
    if random_starts and rng is None:
        raise InvalidArgument(
            needs=f"an rng for random_starts = {random_starts}",
            found="got none",
            remedy="Give numpy.random.default_rng(seed).",
        )
    meter = open_meter(budget, on_iteration)
    refuse_long_sums(view)
    prices, bound = provable_prices(view, follower_class, meter)
    search = Search(
        game=float_leaders(view, follower_class=follower_class, ties=ties),
        evaluate=partial(leader_value, view, follower_class, ties),
        spend=partial(_spend, meter),
        enough=bound,
    )
    listed = best_deterministic(view, starts, follower_class, ties)
    uniform = weighted_leader(view, lambda legal: [1] * len(legal))
    best = Found(first := listed[0] if listed else uniform, search.evaluate(first))
    for policy in (*listed, uniform, *_random(view, random_starts, rng)):
        if best.value < search.enough and not meter.is_exhausted:
            found = climb(search, Found(policy, search.evaluate(policy)))
            best = max(best, found, key=lambda one: one.value)
    certificate = certify_stochastic_commitment(
        view, best.policy, follower_class=follower_class, ties=ties, prices=prices
    )
    return _answer(certificate, meter, tolerance)


def provable_prices(
    view: LeaderView, follower_class: FollowerClass, meter: Meter
) -> tuple[DeviationPrices, Fraction]:
    """Prove the best bound that there is time for."""
    layers = Layers(view)
    is_timed = follower_class is FollowerClass.TIME_AWARE
    until = None if meter.seconds_left is None else meter.seconds + meter.seconds_left / 2
    programs = count()

    def watch() -> None:
        if until is not None and meter.seconds > until:
            raise BudgetOver

    def tick() -> None:
        watch()
        if next(programs) >= MOST_PROGRAMS:
            raise BudgetOver

    for prove in (promise_prices, single_price) if is_timed else ():
        try:
            prices = prove(layers, tick)
            return prices, price_bound(view, prices, kind=STOCHASTIC, on_entry=watch)
        except (BudgetOver, UnsupportedGame):
            programs = count()
    prices = no_prices(layers)
    return prices, price_bound(view, prices, kind=STOCHASTIC)


def leader_value(
    view: LeaderView, follower_class: FollowerClass, ties: FollowerTies, policy: StochasticLeader
) -> Fraction:
    """Return what mixed actions earn, exactly."""
    response = follower_response(view, policy, follower_class=follower_class, ties=ties)
    return response.returns[0]


def _spend(meter: Meter, number: int) -> bool:
    if meter.is_exhausted:
        return False
    meter.step(number)
    return True


def best_deterministic(
    view: LeaderView, number: int, follower_class: FollowerClass, ties: FollowerTies
) -> list[StochasticLeader]:
    """Return the best deterministic leaders, one of each value first, if all can be listed."""
    listed = num_leader_policies(view)
    cells, words = problem_size(view)
    if not number or listed > MOST_LISTED or listed * cells * words > MOST_WORK_LISTING:
        return []
    rows = [policy.actions for policy in leader_policies(view)]
    returns = response_returns(view, rows, follower_class=follower_class, ties=ties)
    values = returns.numerators[:, 0].tolist()
    firsts = {value: k for k, value in reversed(list(enumerate(values)))}.values()
    order = sorted(range(len(rows)), key=lambda k: (k not in firsts, -values[k], k))
    size = len(view.game.actions[view.leader])
    return [
        StochasticLeader(
            tuple(
                tuple(ONE if a == own else ZERO for a in range(size)) if own >= 0 else ()
                for own in rows[k]
            )
        )
        for k in order[:number]
    ]


def _random(
    view: LeaderView, number: int, rng: np.random.Generator | None
) -> Iterator[StochasticLeader]:
    if rng is not None:
        for _ in range(number):
            yield weighted_leader(
                view,
                lambda legal: rng.multinomial(GRAIN, rng.dirichlet([1.0] * len(legal))).tolist(),
            )


def weighted_leader(
    view: LeaderView, weigh: Callable[[tuple[int, ...]], list[int]]
) -> StochasticLeader:
    """Return the leader with integer weights of the legal actions after each observation."""
    lotteries: list[tuple[Fraction, ...]] = []
    for observation in range(len(view.game.observations[view.leader])):
        legal = view.leader_actions(observation)
        lottery = [ZERO] * len(view.game.actions[view.leader])
        weights = weigh(legal) if legal else []
        for action, weight in zip(legal, weights, strict=True):
            lottery[action] = Fraction(weight, sum(weights))
        lotteries.append(tuple(lottery) if legal else ())
    return StochasticLeader(tuple(lotteries))


def _answer(
    certificate: StochasticCommitmentCertificate, meter: Meter, tolerance: float | None
) -> Solution[StochasticLeader, StochasticCommitmentCertificate]:
    returns = (certificate.leader_payoff, certificate.follower_payoff)
    solution = Solution(
        profile=certificate.policy,
        payoffs=returns if certificate.leader == 0 else returns[::-1],
        certificate=certificate,
        run=meter.record(),
    )
    gap = certificate.epsilon
    if tolerance is not None and gap > Fraction(tolerance):
        raise NotConverged(
            needs=f"a commitment within {tolerance} of what mixed actions may earn",
            found=f"the best one found may be {at_most_roughly(gap)} below",
            remedy="Give more starts, or no tolerance; the bound itself may be out of reach.",
            best=solution,
        )
    if gap and meter.is_exhausted:
        raise NotConverged(
            needs="a larger budget to finish the search",
            found=f"it ended with a commitment that may be {at_most_roughly(gap)} below the best",
            remedy="Raise it, or use best.",
            best=solution,
        )
    return solution
