"""Terry et al. 2021, theorems 2 and 3, repaired: a POSG simulates every AEC game.

In the POSG where everyone but the mover is idle and sees nothing, policies that ignore idle steps
give the law of plays of the AEC game. If no clock leaks, the two games are equivalent: every policy
of the POSG has a counterpart, and best responses are equal. Random AEC games with random next
movers and random joint rewards that see the new state, discounted or not; and round trips of random
POSGs. Twins: a clock that leaks; observations of those who wait.

Why it matters (models): Games by turns can be played by software for simultaneous moves, without
giving anybody information.
"""

from fractions import Fraction

import pytest

from gametheory_core import UnsupportedGame, aec_to_extensive, expected_returns, posg_to_extensive
from gametheory_core.catalog import RandomOrderTeam, SeenChoice
from gametheory_core.conversions import Preserved, aec_to_posg, clock_leak, posg_to_aec
from gametheory_core.conversions.aec_posg import IdlePOSG
from gametheory_core.conversions.posg_aec import cycles
from gametheory_core.distributions import push_forward
from gametheory_core.evaluation import aec_trajectories, best_response_returns, posg_trajectories
from gametheory_core.games import NULL, stop_aec, stop_posg
from tests.theorems.printed_constructions import EverybodyObserves, best_common_payoff, game_value
from tests.theorems.random_rules import ClockInSight, RandomAEC, RandomPOSG, seeded_policies

theorem = pytest.mark.theorem(
    source="Terry et al. 2021, theorems 2 and 3, corrected",
    statement="The POSG of an AEC game simulates it, and is equivalent if no clock leaks.",
)


def random_games(seeds, *, moves=4):
    return [
        stop_aec(RandomAEC(seed, players, discount), moves=moves)
        for seed in range(seeds)
        for players, discount in [(1, Fraction(9, 10)), (2, Fraction(1))]
    ]


def moves_of(conversion, law):
    back = conversion.correspondence.outcome_to_source
    return dict(push_forward(law, lambda play: next(iter(back(play)))[0]))


@theorem
@pytest.mark.parametrize("moves", [3, pytest.param(4, marks=pytest.mark.slow)])
def test_lifted_policies_give_the_same_plays_and_returns(moves):
    tried = 0
    for game in random_games(7, moves=moves):
        conversion = aec_to_posg(game)
        profile = seeded_policies(game, seed=game.game.seed)
        lifted = conversion.correspondence.to_target(profile)
        law = dict(aec_trajectories(game, profile))
        assert moves_of(conversion, posg_trajectories(conversion.target, lifted)) == law
        assert expected_returns(conversion.target, lifted).tolist() == (
            expected_returns(game, profile).tolist()
        )
        tried += len(law) > 1
    assert tried > 10


@theorem
def test_posgs_survive_the_round_trip():
    """POSG to AEC game to POSG: cycles have the first law, and no clock leaks on the way."""
    for seed in range(8):
        for players, steps in [(1, 3), (2, 2)]:
            game = stop_posg(RandomPOSG(seed, players), steps=steps)
            turns = posg_to_aec(game)
            conversion = aec_to_posg(turns.target)
            assert conversion.preserves == frozenset(Preserved)
            profile = seeded_policies(game, seed=seed)
            lifted = conversion.correspondence.to_target(profile)
            law = posg_trajectories(conversion.target, lifted)
            back = conversion.correspondence.outcome_to_source
            by_cycles = push_forward(law, lambda play, back=back: cycles(next(iter(back(play)))[0]))
            assert dict(by_cycles) == dict(posg_trajectories(game, profile))
            again = conversion.correspondence.to_source(lifted)
            assert dict(aec_trajectories(turns.target, again)) == dict(
                aec_trajectories(turns.target, profile)
            )


@theorem
def test_without_a_leak_best_responses_are_equal_and_policies_return():
    tried = 0
    for seed in range(8):
        game = stop_aec(ClockInSight(RandomAEC(seed, 1 + seed % 2)), moves=3)
        conversion = aec_to_posg(game)
        assert conversion.preserves == frozenset(Preserved)
        profile = seeded_policies(game, seed=seed)
        lifted = conversion.correspondence.to_target(profile)
        assert best_response_returns(conversion.target, lifted).tolist() == (
            best_response_returns(game, profile).tolist()
        )
        timed = seeded_policies(conversion.target, seed=seed)  # may look at idle steps
        restricted = conversion.correspondence.to_source(timed)
        assert moves_of(conversion, posg_trajectories(conversion.target, timed)) == dict(
            aec_trajectories(game, restricted)
        )
        tried += len(posg_trajectories(conversion.target, timed)) > 1
    assert tried >= 5


@theorem
def test_a_clock_leaks_exactly_when_an_own_history_comes_about_at_two_times():
    """The search over pairs of plays agrees with the definition, checked on all plays."""
    verdicts = set()
    for seed in range(60):
        game = RandomAEC(seed, 1 + seed % 2, sure_turns=seed % 5 > 0)
        for moves in (2, 3, 4, 6):
            stopped = stop_aec(game, moves=moves)
            found = bool(clock_leak(stopped))
            assert found == leaks_by_definition(stopped)
            verdicts.add((found, moves))
    assert verdicts >= {(True, 3), (False, 3), (True, 6), (False, 6)}


def leaks_by_definition(game):
    """Walk all plays; compare the moves at which each own history's turns came."""
    times = {}
    branches = [(game.initial_state, -1, ((),) * len(game.players), ((),) * len(game.players))]
    for event in range(game.horizon):
        following = []
        for state, mover, pasts, turns in branches:
            if mover == -1:
                options = [(after, pasts, turns, NULL) for after, _ in game.chance(state)]
            else:
                options = []
                for seen, _ in game.observation(mover, state):
                    known = (*pasts[mover], seen)
                    when = (*turns[mover], event)
                    times.setdefault((mover, known), set()).add(when)
                    for action in game.legal_actions(mover, seen):
                        own = (*pasts[:mover], (*known, action), *pasts[mover + 1 :])
                        met = (*turns[:mover], when, *turns[mover + 1 :])
                        options.append((game.move(mover, state, action), own, met, action))
            for after, own, met, action in options:
                if not game.is_terminal(after):
                    for turn, _ in game.next_player(state, mover, action, after):
                        following.append((after, turn, own, met))
        branches = list(dict.fromkeys(following))
    return any(len(found) > 1 for found in times.values())


@theorem
def test_round_robins_have_no_clock_to_leak():
    for seed in range(6):
        for players in (1, 2, 3):
            assert not clock_leak(posg_to_aec(RandomPOSG(seed, players)).target)


@theorem
def test_unless_a_clock_leaks():
    """A team in random order gets 1/2; told the time, it gets 1."""
    game = RandomOrderTeam()
    conversion = aec_to_posg(game)
    assert clock_leak(game)
    assert Preserved.BEST_RESPONSES not in conversion.preserves
    assert best_common_payoff(aec_to_extensive(game).target) == Fraction(1, 2)
    as_posg = posg_to_extensive(conversion.target, horizon=3).target
    assert best_common_payoff(as_posg) == 1
    with pytest.raises(UnsupportedGame, match="idle steps say nothing, but player '1' reaches"):
        conversion.correspondence.to_source(seeded_policies(conversion.target, seed=0))


@theorem
def test_unless_those_who_wait_observe():
    """Player 1's choice would be seen while only player 1 may move: 0 falls to -1."""
    game = SeenChoice()
    masked = posg_to_extensive(IdlePOSG(game), horizon=4).target
    printed = posg_to_extensive(EverybodyObserves(game), horizon=4).target
    assert game_value(aec_to_extensive(game).target) == 0
    assert game_value(masked) == 0
    assert game_value(printed) == -1
