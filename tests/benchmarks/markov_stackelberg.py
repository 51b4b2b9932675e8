"""The best deterministic leader: branch and bound beside plain enumeration, in one run.

Ours includes the table of the game, the exact solution and its certificate; enumeration
evaluates all leaders at once in integers, from a table made beforehand, and proves nothing. Where
there are too many leaders to try them all, a sample is tried and its time multiplied.
"""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from gametheory_core import POSG
from gametheory_core.catalog import iterated
from gametheory_core.conversions import posg_from_tables
from gametheory_core.leaders import (
    FollowerClass,
    FollowerTies,
    LeaderView,
    leader_view,
    num_leader_policies,
    response_returns,
)
from learners.studies.oracles_followers.settings import stage_games
from solvers.leaders import markov_stackelberg
from tests.benchmarks.measure import Row, interleaved

PEER = "plain enumeration, no proof"
SAMPLE = 1 << 12
SEED = 11
NAMES = stage_games()
CONVENTIONS = list(product(FollowerClass, FollowerTies))


def iterated_games() -> list[POSG]:
    """Return the 12 iterated games of ten rounds."""
    return [getattr(iterated, f"iterated_{name}")() for name in NAMES]


def remembering(name: str) -> POSG:
    """Return an iterated game in which the last two rounds are seen: 21 observations."""
    return replace(getattr(iterated, f"iterated_{name}")(), recall=2)


def random_game(*, states: int, observations: int, actions: int, horizon: int) -> POSG:
    """Draw a game in which each pair of actions leads on to one of two states, by 1/3 and 2/3."""
    rng = np.random.default_rng(SEED)
    seen = [*range(observations), *rng.integers(observations, size=states - observations).tolist()]
    pairs = list(product(range(states), product(range(actions), repeat=2)))
    after = {pair: rng.choice(states, 2, replace=False).tolist() for pair in pairs}
    paid = {pair: tuple(rng.integers(-5, 6, 2).tolist()) for pair in pairs}
    shown = {s: {(o, 0): 1} for s, o in enumerate(seen)}
    return posg_from_tables(
        players=("leader", "follower"),
        actions=[range(actions)] * 2,
        initial=dict.fromkeys(range(states), Fraction(1, states)),
        initial_observations=shown,
        transitions={pair: {s: "1/3", r: "2/3"} for pair, (s, r) in after.items()},
        rewards={(*pair, s): paid[pair] for pair in pairs for s in after[pair]},
        observations={(pair[1], s): shown[s] for pair in pairs for s in after[pair]},
        horizon=horizon,
    )


def all_leaders(view: LeaderView, count: int) -> Any:
    """Return the first leaders, one a row, as numbers written in the digits that are legal."""
    legal = [view.leader_actions(o) or (-1,) for o in range(len(view.game.observations[0]))]
    codes, columns = np.arange(count), list[Any]()
    for own in reversed(legal):
        columns.append(np.array(own)[codes % len(own)])
        codes = codes // len(own)
    return np.stack(columns[::-1], axis=1)


def enumerate_leaders(
    view: LeaderView, follower_class: FollowerClass, ties: FollowerTies, *, count: int
) -> Fraction:
    """Return the most that one of the first leaders earns."""
    leaders = all_leaders(view, count)
    found = response_returns(view, leaders, follower_class=follower_class, ties=ties)
    return Fraction(int(found.numerators[:, 0].max()), found.denominator)


def solve_all(games: list[POSG]) -> list[Fraction]:
    """Return the leader's value of each game, for both follower classes and ties."""
    return [
        markov_stackelberg(game, follower_class=c, ties=t).certificate.leader_value
        for game in games
        for c, t in CONVENTIONS
    ]


def enumerate_all(views: list[LeaderView]) -> list[Fraction]:
    """Return the same by plain enumeration."""
    return [
        enumerate_leaders(view, c, t, count=num_leader_policies(view))
        for view in views
        for c, t in CONVENTIONS
    ]


def large_games() -> dict[str, POSG]:
    """Return games of 16 thousand to 43 million leaders."""
    return {
        "prisoner's dilemma, two rounds seen": remembering("prisoners_dilemma"),
        "random, 14 observations, 2 actions": random_game(
            states=16, observations=14, actions=2, horizon=5
        ),
        "random, 12 observations, 3 actions": random_game(
            states=14, observations=12, actions=3, horizon=5
        ),
        "random, 16 observations, 3 actions": random_game(
            states=18, observations=16, actions=3, horizon=5
        ),
    }


def rows(*, rounds: int = 3, large: bool = True) -> list[Row]:
    """Measure the iterated games together, then large ones one by one."""
    games = iterated_games()
    views = [leader_view(game) for game in games]
    proofs = [
        markov_stackelberg(game, follower_class=c, ties=t).certificate
        for game in games
        for c, t in CONVENTIONS
    ]
    best = interleaved(
        {
            "solve": lambda: solve_all(games),
            "verify": lambda: [proof.verify() for proof in proofs],
            PEER: lambda: enumerate_all(views),
        },
        rounds=rounds,
    )
    what = "12 iterated games x 2 followers x 2 ties"
    found = [
        Row(f"{what}, solved and certified", best["solve"], PEER, best[PEER]),
        Row(f"{what}, verified again", best["verify"], PEER, best[PEER]),
    ]
    for name, game in large_games().items() if large else ():
        found += _large_rows(name, game, rounds)
    return found


def _large_rows(name: str, game: POSG, rounds: int) -> list[Row]:
    view = leader_view(game)
    policies = num_leader_policies(view)
    solution = markov_stackelberg(game)
    count = min(SAMPLE, policies)
    convention = (FollowerClass.TIME_AWARE, FollowerTies.STRONG)
    best = interleaved(
        {
            "solve": lambda: markov_stackelberg(game),
            "verify": solution.certificate.verify,
            PEER: lambda: enumerate_leaders(view, *convention, count=count),
        },
        rounds=rounds,
    )
    peer = best[PEER] * policies / count
    what = f"{name}: {policies:,} leaders, {len(solution.certificate.nodes):,} nodes"
    return [
        Row(f"{what}, solved and certified", best["solve"], PEER, peer),
        Row(f"{what}, verified again", best["verify"], PEER, peer),
    ]
