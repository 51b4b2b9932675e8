"""The games that are tried: each follows from a seed and a number.

The strategies are those that the tests of properties use; Hypothesis reads its choices from the
random bytes of a case (``fuzz_one_input``), so nothing is kept between cases, and any of them can
be made again alone. A case that cannot be drawn from its bytes is drawn from the next ones.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import compact, testing
from tests.core.naive_trees import written
from tests.fuzz.wild_games import NUMBERS, wild_games
from tests.public_games import random_public_game
from tests.solvers.mediation.mediated_cases import mediated_cases
from tests.solvers.stackelberg.leader_games import bayesian_games, security_games

SMALL = {"max_depth": 4, "max_moves": 8}


@st.composite
def wild_trees(draw, trees):
    """Trees whose payoffs are exchanged, each value for one other, or all made larger or less."""
    game = draw(trees)
    number = NUMBERS[draw(st.sampled_from(sorted(NUMBERS)))]
    factor = draw(st.sampled_from([None, None, 1, 10**20, gt.arrays.to_fraction("1e-20")]))
    if factor == 1:
        return game
    other = {}

    def exchanged(value):
        if factor is not None:
            return value * factor
        if value not in other:
            other[value] = draw(number)
        return other[value]

    return gt.from_sketch(with_payoffs(written(game), exchanged), players=game.players)


def with_payoffs(node, changed):
    """Return a nested tree with each payoff changed."""
    paid = [changed(value) for value in node.payoffs]
    match node:
        case gt.Terminal():
            return gt.Terminal(paid)
        case gt.Decision():
            below = {a: with_payoffs(child, changed) for a, child in node.children.items()}
            return gt.Decision(node.player, node.infoset, below, paid)
    below = {
        a: (share, with_payoffs(child, changed)) for a, (share, child) in node.children.items()
    }
    return gt.Chance(below, paid)


trees = testing.extensive_form_games
STRATEGIES = {
    "small normal form": wild_games(max_actions=3, most_cells=16),
    "two players": wild_games(num_players=(2, 2), most_cells=25),
    "normal form": wild_games(),
    "large two players": wild_games(num_players=(2, 2), max_actions=12, most_cells=144),
    "many players": wild_games(num_players=(3, 6), max_actions=2, most_cells=64),
    "potential": testing.potential_games(),
    "tree": wild_trees(trees(**SMALL)),
    "two-player tree": wild_trees(trees(**SMALL, num_players=(2, 2))),
    "zero-sum tree": trees(**SMALL, zero_sum=True, kinds=tuple(testing.PayoffKind)),
    "open tree": wild_trees(trees(**SMALL, perfect_information=True)),
    "deep tree": wild_trees(trees(max_depth=7, max_moves=16, num_players=(1, 2))),
    "deep zero-sum tree": trees(
        max_depth=7, max_moves=16, zero_sum=True, kinds=tuple(testing.PayoffKind)
    ),
    "forgetful tree": wild_trees(testing.forgetful_games(**SMALL)),
    "Bayesian": bayesian_games(),
    "security": security_games(),
    "POSG": testing.posgs(),
    "zero-sum POSG": testing.posgs(zero_sum=True),
    "AEC": testing.aecs(),
    "Markov": testing.markov_games().map(lambda view: view.game),
    "zero-sum Markov": testing.markov_games(zero_sum=True).map(lambda view: view.game),
    "endless Markov": testing.markov_games(zero_sum=True, max_horizon=None).map(
        lambda view: view.game
    ),
    "mediated": mediated_cases(horizons=(1, 3)).map(lambda case: case[0]),
    "polymatrix": compact.polymatrix_games(kinds=tuple(testing.PayoffKind)),
    "zero-sum polymatrix": compact.zero_sum_polymatrix_games(),
    "graphical": compact.graphical_games(kinds=tuple(testing.PayoffKind)),
    "congestion": compact.congestion_games(),
    "anonymous": compact.anonymous_games(),
    "public-state": st.integers(0, 2**32).map(random_public_game),
}
MOST_BYTES, MOST_TRIES = 8_000, 50


@dataclass(frozen=True)
class Case:
    """A game, and how it is made again."""

    seed: int
    index: int
    kind: str
    game: Any


def case(seed, index, kinds=tuple(STRATEGIES)):
    """Return the game of a seed and a number, of one of the kinds."""
    rng = np.random.default_rng([seed, index])
    kind = kinds[int(rng.integers(len(kinds)))]
    for _ in range(MOST_TRIES):
        found = drawn(STRATEGIES[kind], rng.bytes(MOST_BYTES))
        if found is not None:
            return Case(seed, index, kind, found)
    raise RuntimeError(f"{kind}: no game in {MOST_TRIES} tries")


def drawn(strategy, data):
    """Return what a strategy makes of bytes; None if they are too few, or no example."""
    found = []

    @settings(database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(strategy)
    def keep(value):
        found.append(value)

    keep.hypothesis.fuzz_one_input(data)
    return found[-1] if found else None
