"""Meta-games of several players: payoffs by playing, and opponents drawn together."""

from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest

from gametheory_core import InvalidArgument, NormalFormGame, UnsupportedGame
from gametheory_core.catalog import RepeatedGame
from gametheory_core.certificates import certify_coarse_correlated
from learners import batched
from learners.self_play import (
    Append,
    CoarseCorrelated,
    Evaluator,
    Menagerie,
    RollingWindow,
    SelfPlay,
    SelfPlayScheme,
)
from learners.self_play.meta_payoffs import MOST_PLAYERS, grown_payoffs
from learners.self_play.meta_strategies import coarse_correlated, others_law
from learners.self_play.views import seat_views

PAYOFFS = np.random.default_rng(3).integers(-2, 3, size=(3, 2, 2, 2))
GAME = RepeatedGame(NormalFormGame.from_payoffs(PAYOFFS), rounds=1)


def tables_of(environment, plan):
    """Return how a plan, an action for each seat, plays, as tables over all observations."""
    counts = environment.num_observations
    return [
        np.tile(np.eye(2)[action], (count, 1)) for action, count in zip(plan, counts, strict=True)
    ]


def brute_force(agents):
    """Return what the first earns among the others over all orders of seats, exactly."""
    total = Fraction(0)
    orders = list(permutations(range(3)))
    for order in orders:  # order[seat] is who sits there
        joint = tuple(agents[order[seat]][seat] for seat in range(3))
        total += Fraction(int(PAYOFFS[order.index(0)][joint]))
    return total / len(orders)


def test_payoffs_are_those_of_all_orders_of_seats():
    environment = batched(GAME, episodes=1, seed=1)
    plans = [(0, 0, 1), (1, 0, 0), (1, 1, 1)]
    payoffs = None
    for count in range(1, 4):
        tables = [tables_of(environment, plan) for plan in plans[:count]]
        payoffs = grown_payoffs(environment, payoffs, tables, matches=6, seed=5)
    for who in product(range(3), repeat=3):
        agents = [plans[k] for k in who]
        same = [place for place in range(3) if who[place] == who[0]]
        expected = (
            sum(  # agents of one name are one: what they earn is shared
                brute_force([agents[place], *agents[:place], *agents[place + 1 :]])
                for place in same
            )
            / len(same)
        )
        assert payoffs[who] == pytest.approx(float(expected))
        assert payoffs[who] == payoffs[who[0], who[2], who[1]]


def test_what_is_known_is_not_sampled_again():
    environment = batched(GAME, episodes=1, seed=1)
    tables = [tables_of(environment, plan) for plan in [(0, 0, 0), (1, 1, 1)]]
    known = np.full((1, 1, 1), 7.0)
    assert grown_payoffs(environment, known, tables, matches=6, seed=5)[0, 0, 0] == 7.0


def test_too_many_players_are_refused():
    players = MOST_PLAYERS + 1
    game = RepeatedGame(NormalFormGame.from_payoffs(np.zeros((players, *(2,) * players))), rounds=1)
    environment = batched(game, episodes=1, seed=1)
    with pytest.raises(UnsupportedGame, match="at most 5 players"):
        grown_payoffs(environment, None, [[]], matches=1, seed=1)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("players", [2, 3])
def test_opponents_are_drawn_as_a_certified_equilibrium_draws_them(seed, players):
    rng = np.random.default_rng(seed)
    base = rng.integers(-3, 4, size=(3,) * players).astype(float)
    others = range(1, players)
    payoffs = sum(base.transpose(0, *order) for order in permutations(others)) / len(
        list(permutations(others))
    )
    joint = coarse_correlated(payoffs)
    tensor = np.stack([np.moveaxis(payoffs, 0, player) for player in range(players)])
    game = NormalFormGame.from_payoffs(tensor)
    assert certify_coarse_correlated(game, joint).epsilon <= Fraction(1, 10**8)
    law = CoarseCorrelated().law(Menagerie(tuple("abc"), payoffs=payoffs), players - 1)
    assert law == others_law(joint)
    assert sum(weight for _, weight in law) == 1
    for who, weight in law:
        for order in permutations(who):
            assert law[order] == weight  # seats are alike
    leaving_one = (
        sum(joint.tensor.sum(axis=player).astype(float) for player in range(players)) / players
    )
    for who, weight in law:
        orders = {tuple(order) for order in permutations(who)}
        mean = np.mean([leaving_one[order] for order in orders])
        assert float(weight) == pytest.approx(mean)


def test_a_single_snapshot_is_met_by_everybody():
    assert CoarseCorrelated().law(Menagerie(("only",)), 3).items == (((0, 0, 0), 1),)


@pytest.mark.parametrize(
    ("menagerie", "message"),
    [
        (Menagerie(("a", "b")), "payoffs of 3 players, but it has none"),
        (Menagerie(("a", "b"), payoffs=np.zeros((2, 2))), "but they have 2 axes"),
        ([], "empty"),
    ],
)
def test_payoffs_are_needed(menagerie, message):
    with pytest.raises(InvalidArgument, match=message):
        CoarseCorrelated().law(menagerie, 2)


def test_three_players_train_against_the_equilibrium_and_go_on_bit_for_bit():
    def made():
        return SelfPlay(
            batched(GAME, episodes=16, seed=1),
            scheme=SelfPlayScheme(CoarseCorrelated(), RollingWindow("1/10", 10)),
            live={"name": "TabularReinforce"},
            rng=np.random.default_rng(1),
        )

    learner = made()
    for _ in range(4):
        learner.improve()
    assert learner.menagerie.payoffs.shape == (len(learner.menagerie),) * 3
    kept = learner.snapshot()
    expected = [learner.improve() for _ in range(2)]
    again = made()
    again.restore(kept)
    assert [again.improve() for _ in range(2)] == expected


def test_evaluators_complete_menageries_as_they_grow():
    environment = batched(GAME, episodes=1, seed=1)
    views = seat_views(environment)
    evaluator = Evaluator(environment, views, pairs=False, seed=4)
    rng = np.random.default_rng(0)
    snapshots = [rng.dirichlet(np.ones(2), views.num_observations) for _ in range(3)]
    whole = evaluator.completed(Menagerie(tuple(snapshots)))
    grown = evaluator.completed(Menagerie(tuple(snapshots[:1])))
    for snapshot in snapshots[1:]:
        after = Append().law(grown, snapshot).items[0][0]
        grown = evaluator.grown(grown, after)
    assert np.array_equal(whole.payoffs, grown.payoffs)
