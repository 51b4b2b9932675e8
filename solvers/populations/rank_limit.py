"""Alpha-rank of infinitely strong selection: exact, with a certificate.

Gains spread at rate ``1 - noise``, ties at rate 1/2, losses at rate ``noise``. Without noise, sets
of states that moves without a loss do not leave are *closed*. With one closed class its stationary
distribution is the ranking. With several, the limit of vanishing noise says how they are weighed.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from gametheory_core.arrays import ONE, ZERO
from gametheory_core.certificates.alpha_rank import (
    AlphaRankCertificate,
    Populations,
    certify_alpha_rank,
)
from gametheory_core.errors import NotConverged, UnsupportedGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.correlated import (
    CorrelatedDistribution,
    JointAction,
    correlated_payoffs,
)
from solvers._programs.markov_chains import (
    Moves,
    absorption_shares,
    exact_stationary,
    limit_stationary,
)
from solvers.concepts import Concept
from solvers.populations.rank import ResponseGraph, response_graph
from solvers.requirements import a_normal_form, require_number
from solvers.solution import UNLIMITED, Budget, BudgetOver, Meter, OnIteration, RunRecord, Solution
from solvers.solver import Answers, open_meter, solver

HALF = Fraction(1, 2)
MOST_STATES = 1_000  # of one exact linear system: about ten seconds, which no budget can cut
MOST_ELIMINATED = 400  # of several closed classes: the certificate takes minutes


@dataclass(frozen=True)
class AlphaRankLimit:
    """A ranking by infinitely strong selection, exact and certified.

    Attributes:
        distribution: How long each joint action prevails.
        closed_classes: Sets of states that lead to each other by moves that do not lose, and
            nowhere else.
        certificate: That the distribution is stationary, and the limit.
        run: How it was got.
    """

    distribution: CorrelatedDistribution
    closed_classes: tuple[tuple[JointAction, ...], ...]
    certificate: AlphaRankCertificate
    run: RunRecord

    @property
    def solution(self) -> Solution[CorrelatedDistribution, AlphaRankCertificate]:
        """How long each joint action prevails, and what that pays."""
        payoffs = correlated_payoffs(self.certificate.game, self.distribution)
        return Solution(self.distribution, payoffs, self.certificate, self.run)


@solver(
    Answers(Concept.ALPHA_RANK, rank=10),
    takes=(a_normal_form,),
    unit="states",
    because="populations under infinitely strong selection: the stationary law of takeovers",
    page="populations",
)
def alpha_rank_limit(
    game: NormalFormGame,
    *,
    noise: Fraction = ZERO,
    populations: Populations = Populations.ONE_EACH,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> AlphaRankLimit:
    """Rank joint actions by infinitely strong selection, exactly.

    Gains spread at rate ``1 - noise``, ties at rate 1/2, losses at rate ``noise``.

    Args:
        game: Any number of players; symmetric with two for one population.
        noise: From 0 to below 1. The default 0 means the limit of vanishing noise.
        populations: One population for each player, or one for all.
        budget: Iterations are closed classes solved, and states eliminated. Time counts for the
            certificate too.
        on_iteration: Called before each of them.

    Returns:
        Rational, with a certificate.

    Raises:
        UnsupportedGame: If the game is a tree, or not symmetric for one population; or if it is too
            large: more than 1,000 states in one closed class, or in all with noise; or more than
            400 states in all, and several closed classes.
        InvalidArgument: If the noise is out of range.
        NotConverged: If the budget ends first; ``best`` is None.

    With one closed class, the limit is its stationary distribution: one exact linear system of its
    size. With several, where single mistakes lead from each of them decides: one more system, of
    the states outside. Only where that leaves a choice, polynomials in the noise are eliminated:
    seconds for 64 states, and growing fast. The certificate of several classes eliminates leading
    terms of all states: half a minute for 225.

    Sources:
        :cite:`omidshafiei2019alpha`, section 3.4.
        :cite:`young1993evolution`: limits of perturbed chains.

    >>> from gametheory_core import load_game
    >>> ranked = alpha_rank_limit(load_game("battle_of_the_sexes"))
    >>> ranked.distribution.joint_actions
    ((0, 0), (1, 1))
    """
    require_number(noise, name="noise", low=0, below=1)
    noise = Fraction(noise)
    meter = open_meter(budget, on_iteration)
    graph = response_graph(game, populations)
    classes = _closed_classes(graph)
    _require_size(game, graph, classes, noise)

    try:
        weights = _exact_weights(graph, classes, noise, meter)
        ranked = {s: w for s, w in zip(graph.states, weights, strict=True) if w}
        chances = tuple(ranked.values())
        distribution = CorrelatedDistribution(game.num_actions, tuple(ranked), chances)
        certificate = certify_alpha_rank(
            game, distribution, populations=populations, noise=noise, tick=meter.require_time
        )
    except BudgetOver:
        raise NotConverged(
            needs=f"{len(classes)} closed classes weighed",
            found=f"the budget ended after {meter.iterations} steps",
            remedy="Give a larger budget, or a noise above 0.",
        ) from None
    return AlphaRankLimit(
        distribution=distribution,
        closed_classes=tuple(tuple(graph.states[i] for i in states) for states in classes),
        certificate=certificate,
        run=meter.record(),
    )


def _require_size(
    game: NormalFormGame, graph: ResponseGraph, classes: list[list[int]], noise: Fraction
) -> None:
    """Refuse what exact arithmetic takes too long for, in steps that no budget can cut."""
    states = len(graph.states)
    if noise:
        found, most, what = states, MOST_STATES, "states with noise"
    elif len(classes) == 1:
        found, most, what = len(classes[0]), MOST_STATES, "states in its one closed class"
    else:
        found, most, what = states, MOST_ELIMINATED, f"states with {len(classes)} closed classes"
    if found > most:
        raise UnsupportedGame(
            needs=f"at most {most:,} {what} to be exact",
            found=f"{game!r} has {found:,}",
            remedy="Use alpha_rank with a large alpha, or remove dominated actions.",
        )


def _closed_classes(graph: ResponseGraph) -> list[list[int]]:
    """Return the strongly connected sets of states that no move leaves without a loss."""
    stays = graph.signs >= 0
    links = zip(
        graph.moves.sources[stays].tolist(), graph.moves.targets[stays].tolist(), strict=True
    )
    return _closed_sets(len(graph.states), links)


def _closed_sets(num_nodes: int, links: Iterable[tuple[int, int]]) -> list[list[int]]:
    import networkx as nx  # noqa: PLC0415 takes time to load

    graph = nx.DiGraph()
    graph.add_nodes_from(range(num_nodes))
    graph.add_edges_from(links)
    components = nx.condensation(graph)
    return sorted(
        sorted(components.nodes[node]["members"])
        for node in components.nodes
        if components.out_degree(node) == 0
    )


def _exact_weights(
    graph: ResponseGraph, classes: list[list[int]], noise: Fraction, meter: Meter
) -> list[Fraction]:
    signs = graph.signs.tolist()
    meter.require_more()
    if noise:
        by_sign = {1: ONE - noise, 0: HALF, -1: noise}
        return exact_stationary(graph.moves, [by_sign[sign] for sign in signs])

    constants = [{1: ONE, 0: HALF, -1: ZERO}[sign] for sign in signs]
    weights = _by_single_mistakes(graph, classes, constants, meter.tick)
    if weights is not None:
        return weights
    return limit_stationary(graph.moves, constants, [Fraction(-sign) for sign in signs], meter.tick)


def _by_single_mistakes(
    graph: ResponseGraph,
    classes: list[list[int]],
    constants: list[Fraction],
    tick: Callable[[], None],
) -> list[Fraction] | None:
    """Return the limit if single mistakes lead from any class to one set of classes, else None.

    A closed class is left by a loss, at a rate in proportion to the noise; after that, moves
    without a loss lead to some class. These moves among classes form a chain of their own, which
    weighs the classes if it has one closed set.
    """
    within: list[dict[int, Fraction]] = []
    for members in classes:
        tick()
        within.append(_weights_within(graph, members))
    if len(classes) == 1:
        return [within[0].get(state, ZERO) for state in range(len(graph.states))]
    tick()
    shares = absorption_shares(graph.moves, constants, classes)
    home = {state: k for k, members in enumerate(classes) for state in members}
    flows: dict[tuple[int, int], Fraction] = {}
    moves = zip(
        graph.moves.sources.tolist(),
        graph.moves.targets.tolist(),
        graph.signs.tolist(),
        strict=True,
    )
    for source, target, sign in moves:
        first = home.get(source)
        if first is None or sign >= 0:
            continue
        for second, share in enumerate(shares[target]):
            if second != first and share:
                flow = within[first][source] * share
                flows[first, second] = flows.get((first, second), ZERO) + flow
    closed = _closed_sets(len(classes), flows)
    if len(closed) > 1:
        return None
    (lasting,) = closed
    kept = {pair: flow for pair, flow in flows.items() if set(pair) <= set(lasting)}
    chain = Moves(
        len(lasting),
        np.array([lasting.index(first) for first, _ in kept], dtype=np.int32),
        np.array([lasting.index(second) for _, second in kept], dtype=np.int32),
    )
    weights = [ZERO] * len(graph.states)
    for k, weight in zip(lasting, exact_stationary(chain, list(kept.values())), strict=True):
        for state, share in within[k].items():
            weights[state] = weight * share
    return weights


def _weights_within(graph: ResponseGraph, members: list[int]) -> dict[int, Fraction]:
    """Return the stationary weights of a closed class on its own."""
    places = np.full(len(graph.states), -1, dtype=np.int32)
    places[members] = np.arange(len(members))
    signs = graph.signs
    sources, targets = places[graph.moves.sources], places[graph.moves.targets]
    kept = (sources >= 0) & (targets >= 0) & (signs >= 0)
    moves = Moves(len(members), sources[kept], targets[kept])
    rates = [ONE if sign else HALF for sign in signs[kept].tolist()]
    return dict(zip(members, exact_stationary(moves, rates), strict=True))
