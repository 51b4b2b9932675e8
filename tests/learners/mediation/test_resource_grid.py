"""The grid of resources: its dynamics, against explicit rules and one by one."""

import math

import numpy as np
import pytest

from gametheory_core import InvalidArgument, mediation
from gametheory_core.mediation.catalog import KINDS, NOBODY, WAIT, GridState
from learners.mediation import ResourceGrid
from learners.mediation.resource_grid import ACTIONS, Colors

NORTH, EAST, SOUTH, WEST = range(4)
AHEAD, BACK, LEFT, RIGHT, GATHER = range(5)
PRE_FINAL = mediation.MediatorIncentives(mediation.MINIMUM, mediation.MediatorStage.PRE_FINAL)


def grid(*, episodes=1, seed=0, **options):
    return ResourceGrid(episodes=episodes, rng=np.random.default_rng(seed), **options)


def standing(agents, resources, *, leader=0, collected=0, returns=None, steps=0, **options):
    """One episode that stands as told: agents as (row, column, heading), resources as cells."""
    made = grid(players=len(agents), **options)
    made.reset()
    size = made._size
    made.restore(
        {
            "cells": np.array([[row * size + column for row, column, _ in agents]]),
            "headings": np.array([[heading for _, _, heading in agents]]),
            "resources": np.array([[-1 if c is None else c[0] * size + c[1] for c in resources]]),
            "leader": np.array([leader]),
            "steps": np.array([steps]),
            "collected": np.array([collected]),
            "returns": np.array([returns or [0.0] * len(agents)]),
            "is_over": np.array([False]),
        }
    )
    return made


def collecting(leader, kind, **options):
    """The leader is about to collect what lies under it, with help; and the actions that do."""
    resources = [(5, 5), (5, 4), (5, 3)]
    resources[kind] = (2, 2)
    agents = [(2, 2, NORTH), (2, 3, NORTH)]
    actions = np.full((1, 2), LEFT)
    actions[0, leader] = GATHER
    made = standing(agents if leader == 0 else agents[::-1], resources, leader=leader, **options)
    return made, actions


def places(made):
    return [divmod(cell, made._size) for cell in made.positions()["cells"][0].tolist()]


FAR = ((5, 5), (5, 4), (5, 3))  # resources out of the way


# Moves


@pytest.mark.parametrize(
    ("heading", "action", "cell"),
    [
        (NORTH, AHEAD, (1, 2)), (SOUTH, AHEAD, (3, 2)), (EAST, AHEAD, (2, 3)),
        (WEST, AHEAD, (2, 1)),
        (NORTH, BACK, (3, 2)), (EAST, BACK, (2, 1)),
    ],
)  # fmt: skip
def test_agents_go_where_they_face_or_back(heading, action, cell):
    made = standing([(2, 2, heading), (0, 0, NORTH)], FAR)
    made.step(np.array([[action, LEFT]]))
    assert places(made)[0] == cell


def test_turning_changes_the_heading_alone():
    made = standing([(2, 2, NORTH), (0, 0, NORTH)], FAR)
    made.step(np.array([[LEFT, RIGHT]]))
    assert made.positions()["headings"].tolist() == [[WEST, EAST]]
    assert places(made) == [(2, 2), (0, 0)]


@pytest.mark.parametrize(
    ("place", "heading"), [((0, 3), NORTH), ((5, 3), SOUTH), ((3, 0), WEST), ((3, 5), EAST)]
)
def test_walls_stop(place, heading):
    made = standing([(*place, heading), (2, 2, NORTH)], ((4, 4), (4, 3), (4, 2)))
    made.step(np.array([[AHEAD, LEFT]]))
    assert places(made)[0] == place


def test_leader_moves_first_then_the_others_by_number():
    """All three want the same cell; then the one who leads has it, and no one swaps."""
    agents = [(2, 1, EAST), (1, 2, SOUTH), (2, 3, WEST)]
    for leader, winner in ((0, 0), (1, 1), (2, 2)):
        made = standing(agents, FAR, leader=leader)
        made.step(np.full((1, 3), AHEAD))
        assert [cell == (2, 2) for cell in places(made)] == [i == winner for i in range(3)]
    made = standing([(2, 1, EAST), (2, 2, WEST)], FAR)
    made.step(np.full((1, 2), AHEAD))
    assert places(made) == [(2, 1), (2, 2)]  # neighbors face to face stay


def test_follower_may_enter_the_cell_that_the_leader_leaves():
    made = standing([(2, 2, EAST), (2, 1, EAST)], FAR, leader=0)
    made.step(np.full((1, 2), AHEAD))
    assert places(made) == [(2, 3), (2, 2)]
    made = standing([(2, 2, EAST), (2, 1, EAST)], FAR, leader=1)
    made.step(np.full((1, 2), AHEAD))
    assert places(made) == [(2, 3), (2, 1)]  # the follower was still there


# Collecting


@pytest.mark.parametrize(
    ("leader", "kind", "paid"),
    [
        (0, 0, [5, 1]),
        (1, 1, [1, 5]),
        (0, 2, [4, 4]),
        (1, 2, [4, 4]),
        (0, 1, [0, 0]),
        (1, 0, [0, 0]),
    ],
)
def test_leaders_collect_their_color_and_green(leader, kind, paid):
    made, actions = collecting(leader, kind)
    turn = made.step(actions)
    assert turn.rewards.tolist() == [paid]
    assert turn.past.tolist() == [paid]
    assert turn.picks.tolist() == [any(paid)]


def test_with_four_players_all_agents_of_the_color_are_paid():
    agents = [(2, 2, 0), (2, 3, 0), (0, 0, 0), (0, 1, 0)]
    made = standing(agents, [(2, 2), (5, 4), (5, 3)])
    assert made.step(np.array([[GATHER, LEFT, LEFT, LEFT]])).rewards.tolist() == [[5, 1, 5, 1]]


@pytest.mark.parametrize(
    ("helper", "works"), [((2, 3), True), ((1, 2), True), ((3, 3), False), ((2, 4), False)]
)
def test_a_helper_must_be_at_most_one_step_away(helper, works):
    made = standing([(2, 2, NORTH), (*helper, NORTH)], [(5, 5), (5, 4), (2, 2)])
    turn = made.step(np.array([[GATHER, LEFT]]))
    assert (turn.rewards.tolist() == [[4, 4]]) is works
    assert places(made)[0] == (2, 2)


def test_help_counts_where_it_stands_before_it_moves():
    made = standing([(2, 2, NORTH), (2, 3, EAST)], [(5, 5), (5, 4), (2, 2)])
    turn = made.step(np.array([[GATHER, AHEAD]]))
    assert turn.rewards.tolist() == [[4, 4]]
    assert turn.bonus.tolist() == [[0, 3]]  # but the helper has gone
    made = standing([(2, 2, NORTH), (2, 4, WEST)], [(5, 5), (5, 4), (2, 2)])
    turn = made.step(np.array([[GATHER, AHEAD]]))
    assert turn.rewards.tolist() == [[0, 0]]
    assert turn.bonus.tolist() == [[0, 0.1]]


def test_collecting_elsewhere_and_by_followers_does_nothing():
    made = standing([(2, 2, NORTH), (2, 3, NORTH)], [(5, 5), (5, 4), (2, 3)])
    turn = made.step(np.array([[GATHER, GATHER]]))
    assert turn.rewards.tolist() == [[0, 0]]
    assert places(made) == [(2, 2), (2, 3)]


# Leaders, ends, respawning


def test_leaders_are_picked_at_the_start_and_after_each_collection_alone():
    made = grid(episodes=200, seed=1, size=3)
    turn = made.reset()
    assert turn.picks.all()
    rng = np.random.default_rng(2)
    collections = np.zeros(200)
    while not turn.is_over.all():
        due = turn.picks
        turn = made.pick(rng.integers(2, size=200))
        assert (turn.leader[~turn.is_over] >= 0).all()
        assert not turn.picks.any()
        assert due.sum() == 200 or (due <= (collections > 0)).all()
        turn = made.step(rng.integers(5, size=(200, 2)))
        paid = turn.rewards.any(axis=1)
        collections += paid
        assert np.array_equal(turn.picks, paid & ~turn.is_over)
    assert collections.sum() > 20  # by chance alone
    assert collections.max() <= 2
    counts = made.positions()
    assert np.array_equal(counts["collected"], collections)
    assert ((counts["steps"] == 60) | (collections == 2)).all()


def test_play_ends_after_the_last_step_and_after_two_collections():
    made = standing([(2, 2, NORTH), (0, 0, NORTH)], FAR, steps=59)
    assert made.step(np.array([[LEFT, LEFT]])).is_over.tolist() == [True]
    made = standing([(2, 2, NORTH), (2, 3, NORTH)], [(5, 5), (5, 4), (2, 2)], collected=1)
    turn = made.step(np.array([[GATHER, LEFT]]))
    assert turn.is_over.tolist() == [True]
    assert not turn.legal.any()
    before = made.positions()
    later = made.step(np.array([[AHEAD, AHEAD]]))
    assert not later.rewards.any()
    assert all(np.array_equal(before[name], own) for name, own in made.positions().items())


def chi_square_limit(freedom):
    """What a chi-square variable exceeds with probability below 1e-6, by Wilson and Hilferty."""
    return freedom * (1 - 2 / (9 * freedom) + 4.76 * math.sqrt(2 / (9 * freedom))) ** 3


def test_resources_come_back_on_free_cells_evenly():
    """5,000 respawns over the free cells: a correct simulator fails with chance below 1e-6."""
    made = standing([(2, 2, NORTH), (2, 3, NORTH)], [(0, 0), (5, 4), (2, 2)])
    kept = made.positions()
    counts = np.zeros(36, dtype=int)
    for _ in range(5000):
        made.restore(kept)
        made.step(np.array([[GATHER, BACK]]))
        counts[made.positions()["resources"][0, 2]] += 1
    taken = [0, 5 * 6 + 4, 2 * 6 + 2, 3 * 6 + 3]  # red, blue, the leader, the helper after its move
    assert counts[taken].sum() == 0
    free = np.delete(counts, taken)
    expected = 5000 / 32
    assert ((free - expected) ** 2 / expected).sum() < chi_square_limit(31)


def test_agents_and_resources_begin_on_different_cells_evenly():
    """20,000 episodes: cells and headings; a correct simulator fails with chance below 1e-5."""
    made = grid(episodes=20_000, players=4, seed=3)
    made.reset()
    found = made.positions()
    both = np.concatenate([found["cells"], found["resources"]], axis=1)
    ordered = np.sort(both, axis=1)
    assert (ordered[:, 1:] > ordered[:, :-1]).all()
    for column in range(7):
        counts = np.bincount(both[:, column], minlength=36)
        expected = 20_000 / 36
        assert ((counts - expected) ** 2 / expected).sum() < chi_square_limit(35)
    turned = np.bincount(found["headings"][:, 3], minlength=4)
    assert ((turned - 5000) ** 2 / 5000).sum() < chi_square_limit(3)


def test_one_color_is_drawn_for_each_episode():
    """A fair coin, 4,000 times: outside 5 standard deviations with chance below 1e-6."""
    made = grid(episodes=4000, colors=Colors.ONE)
    made.reset()
    red, blue, green = (made.positions()["resources"] >= 0).T
    assert (red ^ blue).all()
    assert green.all()
    assert abs(red.sum() - 2000) < 5 * math.sqrt(1000)


# Transfers


@pytest.mark.parametrize(
    ("returns", "leader", "kind", "moved"),
    [
        ([4.0, 4.0], 0, 0, [-4, 4]),  # red after green: fined
        ([4.0, 4.0], 0, 2, [0, 0]),
        ([5.0, 1.0], 1, 1, [0, 0]),  # blue makes up for red
        ([5.0, 1.0], 0, 0, [-4, 4]),
        ([1.0, 5.0], 0, 2, [0, 0]),  # green: (5, 9), lower than red: (6, 6), but nobody gains
    ],
)
def test_the_last_collection_moves_what_the_core_says(returns, leader, kind, moved):
    made, actions = collecting(leader, kind, collected=1, returns=returns)
    assert made.step(actions).transfers.tolist() == [moved]
    made, _ = collecting(leader, kind, collected=1, returns=returns, incentives=PRE_FINAL)
    assert not made.step(actions).transfers.any()
    made, _ = collecting(leader, kind, returns=returns)
    assert not made.step(actions).transfers.any()  # not the last one


def test_transfers_that_equalize_returns_do():
    rule = mediation.MediatorIncentives(end_rule=mediation.EndRule.EQUALIZE_CUMULATIVE)
    made = standing(
        [(2, 2, 0), (2, 3, 0)], [(2, 2), *FAR[1:]], collected=1, returns=[1.0, 5.0], incentives=rule
    )
    turn = made.step(np.array([[GATHER, LEFT]]))
    assert (turn.past + turn.transfers).tolist() == [[6, 6]]


# Against the explicit rules


def as_state(found, episode, size, kinds):
    cells, headings = found["cells"][episode].tolist(), found["headings"][episode].tolist()
    spots = [cell for cell in found["resources"][episode].tolist() if cell >= 0]
    return GridState(
        kinds=kinds,
        agents=tuple((divmod(c, size), h) for c, h in zip(cells, headings, strict=True)),
        resources=tuple(divmod(cell, size) for cell in spots),
        leader=int(found["leader"][episode]),
        steps=int(found["steps"][episode]),
        collected=int(found["collected"][episode]),
    )


@pytest.mark.parametrize(("players", "size"), [(2, 3), (3, 3), (4, 4)])
@pytest.mark.parametrize("colors", Colors, ids=lambda own: own.name.lower())
def test_simulator_follows_the_explicit_rules(players, size, colors):
    """Random plays, crowded grids: each next state is one that the rules allow, equally paid."""
    rules = mediation.ResourceGridRules(
        num_agents=players, size=size, steps=25, has_both_colors=colors is Colors.BOTH
    )
    made = grid(episodes=6, players=players, size=size, steps=25, colors=colors, seed=players)
    rng = np.random.default_rng(size)
    collections = 0
    for _ in range(8):
        turn = made.reset()
        present = made.positions()["resources"] >= 0
        kinds = [tuple(k for k, p in zip(KINDS, row, strict=True) if p) for row in present]
        while not turn.is_over.all():
            turn = made.pick(rng.integers(players, size=6))
            before = made.positions()
            drawn = rng.integers(4, size=(6, players))
            actions = np.where(rng.random((6, players)) < 0.4, GATHER, drawn)
            turn = made.step(actions)
            after = made.positions()
            for e in np.flatnonzero(~before["is_over"]).tolist():
                state = as_state(before, e, size, kinds[e])
                joint = (*(ACTIONS[a] for a in actions[e].tolist()), WAIT)
                law = rules.transition(state, joint)
                reached = as_state(after, e, size, kinds[e])
                assert law[reached] > 0
                paid = rules.reward(state, joint, reached)
                assert turn.rewards[e].tolist() == list(paid[:-1])
                assert bool(turn.is_over[e]) is rules.is_terminal(reached)
                collections += any(paid)
                for i in range(players):
                    may = (
                        set()
                        if rules.is_terminal(reached) or reached.leader == NOBODY
                        else {ACTIONS.index(a) for a in rules.legal_actions(i, reached)}
                    )
                    assert set(np.flatnonzero(turn.legal[e, i]).tolist()) == may
    assert collections > 1


def test_every_resource_is_reached_with_help_within_30_steps():
    """Breadth-first over cells and headings of both, from drawn starts on 6 by 6 cells.

    Collisions counted, for one start.
    """
    rules = mediation.ResourceGridRules()
    made = grid(episodes=1, seed=9)
    made.reset()
    made.pick(np.zeros(1, dtype=np.int64))
    state = as_state(made.positions(), 0, 6, KINDS)
    assert steps_to_collect(rules, state, state.resources[2]) <= 30


def steps_to_collect(rules, state, goal):
    """Fewest steps until the leader stands on the goal with the helper at most one step away."""
    seen = {state.agents}
    front = [state]
    moves = ("forward", "backward", "left", "right")
    for steps in range(40):
        for now in front:
            (own, other) = now.cells
            if own == goal and abs(own[0] - other[0]) + abs(own[1] - other[1]) <= 1:
                return steps + 1
        later = []
        for now in front:
            for first in moves:
                for second in moves:
                    after = rules.transition(now, (first, second, WAIT)).items[0][0]
                    if after.agents not in seen:
                        seen.add(after.agents)
                        later.append(after)
        front = later
    return 99


# What is seen, and checkpoints


def test_features_are_seen_from_where_one_looks():
    """Turning the whole grid changes only the compass and the place in it."""
    made = standing([(2, 2, NORTH), (1, 3, EAST)], [(0, 2), (2, 2), (4, 1)], returns=[5.0, 1.0])
    first = made._turn().agents[0, 0]
    turned = standing([(2, 3, EAST), (3, 4, SOUTH)], [(2, 5), (2, 3), (1, 1)], returns=[5.0, 1.0])
    second = turned._turn().agents[0, 0]
    assert first[7:].tolist() == second[7:].tolist()
    assert first[9:11].tolist() == [0.2, 0.2]  # one ahead, one to the right, of 5
    assert first[11:15].tolist() == [0, 1, 0, 0]  # faces right of me
    assert first[18:21].tolist() == [1, 0.4, 0]  # red: two ahead
    assert first[25] == 1  # blue underfoot
    assert first[26:29].tolist() == [1, -0.4, -0.2]  # green: two behind, one to the left
    assert first[-2:].tolist() == [1, 0.2]  # returns, own first


def test_own_color_comes_first():
    """Leaders in each other's place see the same if red and blue are exchanged, too."""
    here, there = (2, 2, NORTH), (5, 0, EAST)
    own, other, green = (0, 2), (2, 4), (4, 1)
    first = standing([here, there], [own, other, green], leader=0)._turn().agents[0, 0]
    second = standing([there, here], [other, own, green], leader=1)._turn().agents[0, 1]
    assert first.tolist() == second.tolist()
    assert first[18:21].tolist() == [1, 0.4, 0]  # two ahead


def test_agents_see_whose_way_is_taken():
    """A wall ahead of the first, the second behind it; it is in the way of the second, who goes."""
    made = standing([(0, 2, NORTH), (1, 2, NORTH)], [None, None, (4, 4)], returns=[0.0, 0.0])
    first, second = made._turn().agents[0]
    assert first[7:9].tolist() == [1, 1]
    assert second[7:9].tolist() == [1, 0]
    assert first[16:18].tolist() == [1, 0]  # ahead of the second
    assert second[16:18].tolist() == [0, 1]  # behind the first


def test_episodes_that_go_astray_have_green_alone_or_none():
    made = grid(episodes=2000, seed=3)
    made.reset(astray=0.1)
    there = made.positions()["resources"] >= 0
    assert (there[:, 0] == there[:, 1]).all()
    assert (there[:, 0] | there[:, 2]).all()
    assert 140 <= (~there[:, 0]).sum() <= 260  # 200 expected, of standard deviation 13
    assert 60 <= (~there[:, 2]).sum() <= 140  # 100, of 10
    made.reset()
    assert (made.positions()["resources"] >= 0).all()


def test_all_followers_are_paid_when_their_leader_collects():
    made, _ = collecting(0, 2)
    near = made.step(np.array([[GATHER, LEFT]]))
    assert near.bonus.tolist() == [[0, 0.1 + 3]]
    made, _ = collecting(0, 2)
    assert made.step(np.array([[LEFT, LEFT]])).bonus.tolist() == [[0, 0.1]]


def test_mediator_sees_cells_and_returns():
    made = standing([(5, 0, 0), (0, 5, 0)], [(5, 5), None, (0, 0)], returns=[4.0, 4.0], collected=1)
    seen = made._turn().mediator[0]
    assert seen.tolist() == [1, 0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 0.5, 1, 0.8, 0.8]


def test_restored_grid_goes_on_bit_for_bit():
    whole, again = grid(episodes=5, seed=1), grid(episodes=5, seed=2)
    whole.reset()
    whole.pick(np.zeros(5, dtype=np.int64))
    kept = whole.snapshot()
    actions = np.random.default_rng(0).integers(5, size=(40, 5, 2))

    def go(made):
        return [made.step(own).agents for own in actions], made.reset().agents

    first = go(whole)
    again.restore(kept)
    second = go(again)
    assert all(np.array_equal(a, b) for a, b in zip(first[0], second[0], strict=True))
    assert np.array_equal(first[1], second[1])
    with pytest.raises(InvalidArgument, match="a snapshot of 6 episodes"):
        grid(episodes=6).restore(kept)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"colors": "red"}, "a member of Colors"),
        ({"players": 1}, "players to be an integer of at least 2"),
        ({"size": 2}, "a free cell besides agents and resources"),
        ({"steps": 0}, "steps to be an integer of at least 1"),
        ({"bonus": -1}, "bonus of at least 0"),
        ({"episodes": 0}, "episodes to be an integer from 1 to 1000000"),
    ],
)
def test_bad_options_are_refused_by_name(options, message):
    with pytest.raises(InvalidArgument, match=message):
        ResourceGrid(**{"episodes": 1, "rng": np.random.default_rng(0), **options})


def test_naive_mediators_and_their_agents_are_shown_no_returns():
    """The same places after different returns look alike, and do not at other stages."""
    for stage, hides in (
        (mediation.MediatorStage.NAIVE, True),
        (mediation.MediatorStage.PRE_FINAL, False),
    ):
        incentives = mediation.MediatorIncentives(mediation.MINIMUM, stage)
        after = [
            standing(
                [(2, 2, 0), (2, 3, 0)], FAR, collected=1, returns=own, incentives=incentives
            ).look()
            for own in ([5.0, 1.0], [4.0, 4.0])
        ]
        assert np.array_equal(after[0].agents, after[1].agents) is hides
        assert np.array_equal(after[0].mediator, after[1].mediator) is hides
        assert after[0].past.tolist() == [[5, 1]]
