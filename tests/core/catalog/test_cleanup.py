"""Toy Cleanup: orders matter as published, and renaming agents shows the race condition."""

from itertools import permutations, product

import pytest

from gametheory_core import InvalidArgument, catalog
from gametheory_core.catalog.cleanup import CLEAN, WAIT
from gametheory_core.distributions import distribution, point_mass, push_forward, uniform
from tests.core.catalog.walks import posg_steps

START = catalog.Corridor((0, 1), frozenset({3, 6}), (0, 0))
BOTH = (CLEAN, CLEAN)


def permuted(permutation, entries):
    """Entry i becomes entry permutation[i]."""
    moved = dict(zip(permutation, entries, strict=True))
    return tuple(moved[i] for i in range(len(moved)))


def witnesses(game):
    """Where renaming the agents changes the law of what comes next: (state, action, names)."""
    found = []
    for step in posg_steps(game):
        law = game.transition(step.state, step.action)
        for names in permutations(range(game.agents)):
            renamed = game.transition(
                catalog.relabel(names, step.state), permuted(names, step.action)
            )
            expected = push_forward(law, lambda state, names=names: catalog.relabel(names, state))
            if dict(renamed) != dict(expected):
                found.append((step.state, step.action, names))
    return found


def is_confluent(agents):
    """Whether every order of resolution gives the same, wherever play can lead."""
    steps = posg_steps(catalog.Cleanup(catalog.Resolution.RANDOM, agents))
    return all(
        len({catalog.clean_in_order(s.state, s.action, o) for o in permutations(range(agents))})
        == 1
        for s in steps
    )


@pytest.mark.parametrize(("order", "dirty"), [((0, 1), set()), ((1, 0), {6})])
def test_orders_leave_what_the_paper_shows(order, dirty):
    assert catalog.clean_in_order(START, BOTH, order).dirty == dirty


def test_beams_fired_at_once_meet_at_the_first_dirty_tile():
    assert catalog.clean_at_once(START, BOTH) == catalog.Corridor((0, 1), frozenset({6}), (1, 1))


@pytest.mark.parametrize("agents", [2, 3])
@pytest.mark.parametrize("resolution", [catalog.Resolution.RANDOM, catalog.Resolution.SIMULTANEOUS])
def test_renaming_agents_changes_nothing(resolution, agents):
    assert witnesses(catalog.Cleanup(resolution, agents)) == []


@pytest.mark.parametrize("agents", [2, 3])
def test_fixed_order_knows_agents_by_name(agents):
    found = witnesses(catalog.Cleanup(catalog.Resolution.FIXED, agents))
    assert found
    assert agents > 2 or (START, BOTH, (1, 0)) in found


@pytest.mark.parametrize("agents", [2, 3])
def test_orders_disagree_somewhere(agents):
    assert not is_confluent(agents)


def test_one_agent_has_no_race():
    assert is_confluent(1)
    laws = [
        catalog.Cleanup(r, agents=1).transition(catalog.Corridor((0,), START.dirty, (0,)), (CLEAN,))
        for r in catalog.Resolution
    ]
    assert len(set(laws)) == 1


def test_random_order_mixes_both_orders():
    law = catalog.Cleanup(catalog.Resolution.RANDOM).transition(START, BOTH)
    first, second = (catalog.clean_in_order(START, BOTH, order) for order in ((0, 1), (1, 0)))
    assert dict(law) == dict(distribution({first: "1/2", second: "1/2"}))


@pytest.mark.parametrize("resolution", catalog.Resolution)
def test_observations_follow_the_agents_when_renamed(resolution):
    game = catalog.Cleanup(resolution, agents=3)
    for step in posg_steps(game):
        ((seen, _),) = game.observation(step.action, step.next_state)
        for names in permutations(range(3)):
            moved = game.observation(
                permuted(names, step.action), catalog.relabel(names, step.next_state)
            )
            assert moved == point_mass(permuted(names, seen))


@pytest.mark.parametrize("resolution", catalog.Resolution)
def test_rewards_count_the_tiles_that_become_clean(resolution):
    """Together at least the tiles cleaned; exactly them if beams come one after the other."""
    for step in posg_steps(catalog.Cleanup(resolution, agents=3)):
        became_clean = len(step.state.dirty) - len(step.next_state.dirty)
        fired = sum(action == CLEAN for action in step.action)
        assert became_clean <= sum(step.rewards) <= fired
        assert resolution is catalog.Resolution.SIMULTANEOUS or sum(step.rewards) == became_clean
        assert all(
            action == CLEAN or reward == 0
            for action, reward in zip(step.action, step.rewards, strict=True)
        )


@pytest.mark.parametrize(("position", "hit"), [(0, {3}), (1, {3}), (2, {3})])
def test_beam_stops_at_the_first_dirty_tile(position, hit):
    state = catalog.Corridor((position,), frozenset({3, 6}), (0,))
    assert state.dirty - catalog.clean_in_order(state, (CLEAN,), (0,)).dirty == hit


@pytest.mark.parametrize(("position", "reaches"), [(0, False), (1, True), (2, True)])
def test_beam_reaches_five_tiles_past_clean_ones(position, reaches):
    state = catalog.Corridor((position,), frozenset({6}), (0,))
    assert (catalog.clean_in_order(state, (CLEAN,), (0,)).dirty == set()) == reaches


@pytest.mark.parametrize("agents", [1, 2, 3])
def test_who_stands_where_is_drawn_evenly(agents):
    law = catalog.Cleanup(catalog.Resolution.FIXED, agents).initial()
    places = push_forward(law, lambda state: state.positions)
    assert dict(places) == dict(uniform(permutations(range(agents))))
    assert {state.dirty for state, _ in law} == {frozenset({3, 6})}


def test_waiting_cleans_nothing():
    for order in permutations((0, 1)):
        assert catalog.clean_in_order(START, (WAIT, WAIT), order) == START


@pytest.mark.parametrize(("first", "second"), list(product(permutations(range(3)), repeat=2)))
def test_renaming_twice_is_renaming_once_by_the_product(first, second):
    state = catalog.Corridor((0, 1, 2), frozenset({6}), (1, 0, 0))
    both = tuple(second[first[i]] for i in range(3))
    assert catalog.relabel(second, catalog.relabel(first, state)) == catalog.relabel(both, state)


def test_play_ends_when_all_is_clean():
    game = catalog.Cleanup(catalog.Resolution.FIXED)
    assert game.is_terminal(catalog.clean_in_order(START, BOTH, (0, 1)))
    assert not game.is_terminal(START)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"resolution": "fixed"}, "member of Resolution, but got 'fixed'"),
        (
            {"resolution": catalog.Resolution.FIXED, "agents": 4},
            "agents to be an integer from 1 to 3",
        ),
        (
            {"resolution": catalog.Resolution.FIXED, "horizon": 0},
            "horizon to be an integer from 1 to 1000",
        ),
    ],
)
def test_bad_parameters_are_refused(options, message):
    with pytest.raises(InvalidArgument, match=message):
        catalog.Cleanup(**options)
