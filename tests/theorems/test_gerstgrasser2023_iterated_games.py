"""Gerstgrasser and Parkes 2023, section 5: what deterministic leaders get in iterated 2 x 2 games.

The twelve games of table 3 over ten rounds, the last round being seen: 32 leader policies, all of
them tried against exact followers of two classes with ties broken for and against the leader. The
source gives pictures and does not say which follower; the numbers here were found independently.
In all but the prisoner's dilemma the follower's class does not matter. All in rationals.

Why it matters (followers): These are the paper's twelve test games: exact values give every learner
something to be measured against.
"""

from itertools import combinations

import numpy as np
import pytest

from gametheory_core import catalog, leaders, load_game
from solvers import strong_stackelberg

SOURCE = "Gerstgrasser and Parkes 2023"
matrices = pytest.mark.theorem(
    source=SOURCE,
    statement="The twelve ordinal games are symmetric, different, and rank all four outcomes.",
)
single = pytest.mark.theorem(
    source=SOURCE, statement="Mixing gains a leader nothing in one round of the games of table 3."
)
values = pytest.mark.theorem(
    source=SOURCE,
    statement="A deterministic leader's best return in ten rounds of each game of table 3.",
)
horizons = pytest.mark.theorem(
    source=SOURCE,
    statement="To defect first and then repeat is best in the prisoner's dilemma of ten rounds.",
)

TIME_AWARE, STATIONARY = leaders.FollowerClass
STRONG, WEAK = leaders.FollowerTies
COLUMNS = [(kind, ties) for kind in leaders.FollowerClass for ties in leaders.FollowerTies]
COOPERATE = frozenset(f"00{rest:03b}" for rest in range(8))
DELAY = frozenset({"10011", "10101", "10111", "11011", "11101", "11111"})
ALONE = frozenset({"10011", "10110", "10111", "11011", "11110", "11111"})
DARE = frozenset({"10011", "10111", "11011", "11111"})
TABLE = {
    "stag_hunt": (0, COOPERATE, 0),
    "assurance": (0, COOPERATE, 0),
    "coordination": (0, COOPERATE, 0),
    "mixedharmony": (0, COOPERATE, 0),
    "harmony": (0, COOPERATE, 0),
    "noconflict": (0, COOPERATE, 0),
    "deadlock": (-10, DELAY, -10),
    "prisoners_delight": (-10, DELAY, -10),
    "hero": (0, ALONE, -10),
    "battle": (0, ALONE, -10),
    "chicken": (0, DARE, -20),
}


def optimum(view, kind, ties):
    """Return the leader's best return, who attains it, and what the follower gets then."""
    policies = list(leaders.leader_policies(view))
    table = leaders.response_returns(
        view, np.array([p.actions for p in policies]), follower_class=kind, ties=ties
    )
    pairs = [table.pair(k) for k in range(len(policies))]
    best = max(own for own, _ in pairs)
    places = [k for k, (own, _) in enumerate(pairs) if own == best]
    texts = frozenset(leaders.leader_to_text(view, policies[k]) for k in places)
    return best, texts, {pairs[k][1] for k in places}


@matrices
def test_twelve_different_symmetric_games_rank_all_outcomes():
    games = [build() for build in catalog.ORDINAL_GAMES.values()]
    assert len(games) == 12
    for game in games:
        own, other = game.exact_payoffs
        assert (other == own.T).all()
        assert sorted(own.ravel().tolist()) == [-3, -2, -1, 0]
        assert game.actions == (("C", "D"), ("C", "D"))
    for one, other in combinations(games, 2):
        assert (one.exact_payoffs != other.exact_payoffs).any()


@matrices
def test_twelve_are_all_up_to_the_names_of_the_actions():
    """The 24 rankings of the outcomes fall into pairs that rename C and D."""
    found = {
        tuple(build().exact_payoffs[0].ravel().tolist()) for build in catalog.ORDINAL_GAMES.values()
    }
    renamed = {own[::-1] for own in found}
    assert not found & renamed
    assert len(found | renamed) == 24


@matrices
@pytest.mark.parametrize(
    "build", [catalog.small_battle_of_the_sexes, catalog.modified_prisoners_dilemma]
)
def test_twin_other_games_of_the_table_are_not_symmetric(build):
    own, other = build().exact_payoffs
    assert (other != own.T).any()


@single
@pytest.mark.parametrize(
    ("build", "value"),
    [
        *((catalog.ORDINAL_GAMES[name], best // 10) for name, (best, *_) in TABLE.items()),
        (catalog.ORDINAL_GAMES["prisoners_dilemma"], -2),
        (catalog.small_battle_of_the_sexes, 2),
        (catalog.modified_prisoners_dilemma, -2),
    ],
)
def test_one_round_is_worth_the_same_pure_and_mixed(build, value):
    game = build()
    own, other = game.exact_payoffs
    pure = max(max(own[a, b] for b in range(2) if other[a, b] == other[a].max()) for a in range(2))
    solution = strong_stackelberg(game)
    solution.certificate.verify()
    assert pure == solution.payoffs[0] == value
    view = leaders.leader_view(catalog.iterated_game(game, rounds=1))
    assert optimum(view, TIME_AWARE, STRONG)[0] == value


@single
def test_twin_mixing_gains_in_another_game():
    game = load_game("commitment_example")
    view = leaders.leader_view(catalog.iterated_game(game, rounds=1))
    assert optimum(view, TIME_AWARE, STRONG)[0] == 3
    assert strong_stackelberg(game).payoffs[0] > 3


@values
@pytest.mark.parametrize("name", TABLE)
@pytest.mark.parametrize(("kind", "ties"), COLUMNS)
def test_leader_gets(name, kind, ties):
    best, texts, follower = TABLE[name]
    if name == "hero" and ties is WEAK:
        texts = DARE
    view = leaders.leader_view(load_game(f"iterated_{name}"))
    assert optimum(view, kind, ties) == (best, texts, {follower})


@values
@pytest.mark.parametrize(("kind", "ties"), COLUMNS)
def test_leader_in_the_prisoners_dilemma_gets(kind, ties):
    own, follower = (-11, -11) if kind is TIME_AWARE else (-9, -12)
    view = leaders.leader_view(catalog.iterated_prisoners_dilemma())
    assert optimum(view, kind, ties) == (own, {"10101"}, {follower})


@values
def test_twin_ties_broken_against_the_leader_cost_two_policies_of_hero():
    view = leaders.leader_view(load_game("iterated_hero"))
    for text in ALONE - DARE:
        leader = leaders.leader_from_text(view, text)
        assert leaders.follower_response(view, leader).returns == (0, -10)
        own, other = leaders.follower_response(view, leader, ties=WEAK).returns
        assert (own < 0, other) == (True, -10)


@horizons
@pytest.mark.parametrize("rounds", range(1, 13))
def test_leader_in_the_prisoners_dilemma_by_number_of_rounds(rounds):
    view = leaders.leader_view(catalog.iterated_prisoners_dilemma(rounds=rounds))
    by_ties = {
        STRONG: [-2, -3, -3, -3, -4, -5, -6, -7, -8, -9],
        WEAK: [-2, -3, -4, -4, -4, -6, -6, -7, -8, -9],
    }
    for ties in leaders.FollowerTies:
        aware = -2 if rounds == 1 else -(rounds + 1)
        assert optimum(view, TIME_AWARE, ties)[0] == aware
        stationary = by_ties[ties][rounds - 1] if rounds <= 10 else 1 - rounds
        assert optimum(view, STATIONARY, ties)[0] == stationary


@horizons
@pytest.mark.parametrize("rounds", range(2, 13))
def test_defecting_first_is_worth_one_more_than_tit_for_tat(rounds):
    view = leaders.leader_view(catalog.iterated_prisoners_dilemma(rounds=rounds))
    first, plain = (leaders.leader_from_text(view, text) for text in ("10101", "00101"))
    for ties in leaders.FollowerTies:
        own, _ = leaders.follower_response(view, first, ties=ties).returns
        assert own == -(rounds + 1)
        assert leaders.follower_response(view, plain, ties=ties).returns[0] == own - 1


@horizons
def test_twin_in_one_round_everybody_defects():
    view = leaders.leader_view(catalog.iterated_prisoners_dilemma(rounds=1))
    assert leaders.follower_response(view, leaders.leader_from_text(view, "1----")).returns == (
        -2,
        -2,
    )
