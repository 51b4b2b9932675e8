"""The truel's values are Mosteller's, and gifts between generations unravel from the last one."""

from fractions import Fraction

import numpy as np

from gametheory_core import expected_returns, policy_from, posg_to_extensive
from gametheory_core.catalog import OverlappingGenerations, Truel, load
from gametheory_core.conversions import aec_to_tabular
from gametheory_core.distributions import point_mass
from gametheory_core.games import AWAY, IDLE
from gametheory_core.games.presence import late_players
from gametheory_core.testing import check_aec, check_posg
from solvers import subgame_perfect

MOSTELLER = [Fraction(99, 260), Fraction(7, 26), Fraction(7, 20)]
DUEL = [Fraction(6, 13), Fraction(7, 13), 0]  # of Ann, who begins, and Bob


def shooting(*first_targets):
    """Policies: a target while all live, then the only other one."""

    def policy(player):
        def act(seen):
            if seen[-1] is AWAY:
                return point_mass(IDLE)
            if len(seen[-1]) == 3:
                return point_mass(first_targets[player])
            return point_mass(next(x for x in seen[-1] if x != NAMES[player]))

        return policy_from(act)

    return tuple(map(policy, range(3)))


NAMES = Truel().players


def values(profile):
    """What players get without an end: after two rounds only Ann and Bob may go on, Ann first."""
    table = aec_to_tabular(load("truel")).target
    decided = expected_returns(table, profile).tolist()
    left = 1 - sum(decided)
    return [own + left * duel for own, duel in zip(decided, DUEL, strict=True)]


def test_worst_of_three_wins_most_if_she_shoots_into_the_air():
    assert values(shooting("air", "Cyd", "Bob")) == MOSTELLER


def test_nobody_does_better_by_shooting_at_the_weaker_one_who_may_shoot_back():
    assert values(shooting("Bob", "Cyd", "Bob"))[0] < MOSTELLER[0]
    assert values(shooting("Cyd", "Cyd", "Bob"))[0] < MOSTELLER[0]
    assert values(shooting("air", "Cyd", "Ann"))[2] < MOSTELLER[2]


def test_truel_obeys_the_laws_and_nobody_joins_late():
    game = load("truel:rounds=1")
    check_aec(game, rng=np.random.default_rng(0), num_profiles=1)
    assert late_players(game) == frozenset()


def test_no_generation_gives_as_the_last_one_never_will():
    game = load("overlapping_generations")
    check_posg(game, rng=np.random.default_rng(0), num_profiles=1)
    assert late_players(game) == {2, 3}
    conversion = posg_to_extensive(game)
    solution = subgame_perfect(conversion.target)
    profile = conversion.correspondence.to_source(solution.profile)
    assert expected_returns(game, profile).tolist() == [0, 0, 0, 0]


def test_all_gain_if_all_give_but_the_last():
    game = OverlappingGenerations(generations=4)

    def give(seen):
        legal = game.legal_actions(0, seen[-1])
        return point_mass("give" if "give" in legal else legal[0])

    assert expected_returns(game, (policy_from(give),) * 4).tolist() == [2, 1, 1, -1]
