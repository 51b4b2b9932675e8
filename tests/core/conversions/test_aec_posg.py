"""The POSG in which all but the mover are idle: lifting, restricting, and what is refused."""

from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import (
    InvalidStrategy,
    UnsupportedGame,
    expected_returns,
    posg_to_extensive,
    uniform_policies,
)
from gametheory_core.catalog import RandomOrderTeam
from gametheory_core.conversions import (
    Preserved,
    aec_to_posg,
    aec_to_tabular,
    posg_to_aec,
    posg_to_tabular,
)
from gametheory_core.conversions.aec_posg import SIMULATION, drop_idle
from gametheory_core.distributions import point_mass
from gametheory_core.evaluation import posg_trajectories
from gametheory_core.games import CHANCE, IDLE, NULL, list_aec, stop_aec
from gametheory_core.testing import check_conversion
from tests.core.conversions.changed_rules import counting
from tests.theorems.random_rules import ClockInSight, RandomAEC, RandomPOSG, seeded_policies


def test_idle_steps_are_dropped_and_the_rest_stays_in_order():
    assert drop_idle((IDLE, IDLE, "o1", "a1", IDLE, IDLE, IDLE, IDLE, "o2")) == ("o1", "a1", "o2")
    assert drop_idle(("o1", "a1", "o2")) == ("o1", "a1", "o2")
    assert drop_idle((IDLE, IDLE, NULL)) == (NULL,)


def test_only_the_mover_sees_and_acts():
    game = RandomAEC(4)
    target = aec_to_posg(game).target
    ((start, _),) = target.initial()
    assert target.initial_observation(start).items == (((IDLE, IDLE), 1),)
    assert target.legal_actions(0, IDLE) == (IDLE,)
    met = set()
    for state, _ in target.transition(start, (IDLE, IDLE)):
        for seen, _ in target.observation((IDLE, IDLE), state):
            awake = {i for i, o in enumerate(seen) if o is not IDLE}
            assert awake == ({state.mover} if state.mover >= 0 else set())
            met.add(state.mover)
    assert met == {-1, 0, 1}


def test_simulations_carry_policies_one_way_only():
    conversion = aec_to_posg(RandomOrderTeam())
    assert conversion.preserves == SIMULATION
    assert Preserved.PAYOFFS_TO_SOURCE not in SIMULATION
    assert aec_to_posg(stop_aec(RandomOrderTeam(), moves=2)).preserves == frozenset(Preserved)


def test_rewards_are_paid_discounted_by_cycles():
    game = stop_aec(RandomAEC(1, discount=Fraction(1, 3)), moves=4)
    conversion = aec_to_posg(game)
    profile = seeded_policies(game, seed=2)
    paid = expected_returns(conversion.target, conversion.correspondence.to_target(profile))
    assert paid.tolist() == expected_returns(game, profile).tolist()
    assert paid.tolist() != expected_returns(stop_aec(RandomAEC(1), moves=4), profile).tolist()


CARD = list_aec(
    players=["Ann"],
    actions=[["call"]],
    initial_state="deck",
    chances={"deck": {"low": "1/3", "high": "2/3"}},
    moves={(0, card, "call"): "deck" for card in ("low", "high")},
    turns={("deck", CHANCE, NULL, card): {0: 1} for card in ("low", "high")}
    | {(card, 0, "call", "deck"): {CHANCE: 1} for card in ("low", "high")},
    observations={(0, "low"): {"L": 1}, (0, "high"): {"H": 1}},
)


@pytest.mark.parametrize("moves", range(5))
def test_nothing_is_seen_where_the_horizon_lets_nobody_move(moves):
    """Tables of AEC games say what is seen only where somebody moves within the horizon."""
    first = aec_to_tabular(stop_aec(CARD, moves=moves))
    idle = first.then(aec_to_posg(first.target))
    for convert in (posg_to_tabular, posg_to_aec, posg_to_extensive):
        check_conversion(idle.then(convert(idle.target)), rng=np.random.default_rng(0))


def test_tables_of_idle_games_are_finite_without_a_discount():
    """The states count cycles only where they are needed for discounting."""
    table = posg_to_tabular(aec_to_posg(RandomAEC(2)).target, max_states=2_000).target
    assert table.horizon is None
    with pytest.raises(UnsupportedGame, match="max_states = 2,000"):
        posg_to_tabular(aec_to_posg(RandomAEC(2, 2, Fraction(1, 2))).target, max_states=2_000)


def test_restricted_policies_are_asked_for_reachable_information_states_only():
    game = stop_aec(ClockInSight(RandomAEC(0, 1)), moves=3)
    conversion = aec_to_posg(game)
    (policy,) = conversion.correspondence.to_source(uniform_policies(conversion.target))
    with pytest.raises(InvalidStrategy, match=r"needs information states that play can reach"):
        policy["never seen",]


def test_illegal_idling_is_refused():
    conversion = aec_to_posg(stop_aec(RandomAEC(1), moves=3))
    working = tuple({(IDLE,): point_mass("a")} for _ in range(2))
    with pytest.raises(InvalidStrategy, match=r"legal actions \(IDLE,\).*plays 'a'"):
        posg_trajectories(conversion.target, working)


def test_games_made_from_aec_games_are_refused():
    twice = posg_to_aec(aec_to_posg(stop_aec(RandomAEC(1), moves=2)).target).target
    with pytest.raises(
        UnsupportedGame, match=r"other than IDLE, but 'player 1' sees it.*convert that"
    ):
        aec_to_posg(twice)


def test_games_too_large_to_decide_are_refused():
    line = counting()
    with pytest.raises(UnsupportedGame, match="needs at most max_states = 50 pairs"):
        aec_to_posg(line, max_states=50)


def test_queued_games_come_back_as_equivalent_games():
    assert aec_to_posg(posg_to_aec(RandomPOSG(0)).target).preserves == frozenset(Preserved)
