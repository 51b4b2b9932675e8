"""AEC games to trees: where nodes stand, what they are called, and which games are refused."""

from fractions import Fraction
from math import isqrt

import pytest

import gametheory_core as gt
from gametheory_core.catalog import RandomOrderTeam
from gametheory_core.conversions import Preserved, aec_situations, aec_spots, count_aec_nodes
from gametheory_core.distributions import point_mass, uniform
from gametheory_core.evaluation import aec_trajectories, outcome_distribution
from gametheory_core.games import CHANCE, stop_aec
from tests.core.conversions.changed_rules import changed
from tests.theorems.random_rules import RandomAEC, seeded_policies

WALK = changed(
    RandomAEC(1, 1),
    chance=lambda state: point_mass(0),
    move=lambda player, state, action: state,
    observation=lambda player, state: point_mass("x"),
    reward=lambda *_: point_mass((1,)),
    next_player=lambda *_: point_mass(0),
)


@pytest.mark.parametrize("seed", range(5))
def test_nodes_are_counted_right_before_they_are_made(seed):
    game = stop_aec(RandomAEC(seed, 1 + seed % 3), moves=4)
    assert count_aec_nodes(game) == gt.aec_to_extensive(game).target.num_nodes


@pytest.mark.parametrize("seed", range(4))
def test_counts_go_on_above_the_limit_while_that_is_cheap(seed, monkeypatch):
    """Up to its square, so that refusals tell the size; not where there are many positions."""
    game = stop_aec(RandomAEC(seed), moves=3)
    size = count_aec_nodes(game)
    limits = (1, 2, 5, isqrt(size), isqrt(size) + 1, size - 1, size)
    for limit in limits:
        counted = count_aec_nodes(game, max_nodes=limit)
        assert counted == size if size <= limit**2 else limit**2 < counted <= size
    monkeypatch.setattr(aec_spots, "MAX_POSITIONS", 0)
    for limit in limits[:-1]:
        assert limit < count_aec_nodes(game, max_nodes=limit) <= size
    assert count_aec_nodes(game, max_nodes=2) < size
    assert count_aec_nodes(game, max_nodes=size) == size


def test_horizon_stops_the_source_too():
    conversion = gt.aec_to_extensive(RandomAEC(1), horizon=3)
    assert conversion.source == stop_aec(RandomAEC(1), moves=3)
    assert conversion.preserves == frozenset(Preserved)
    assert gt.aec_to_extensive(stop_aec(RandomAEC(1), moves=2), horizon=5).source.horizon == 2
    with pytest.raises(gt.InvalidArgument, match="stop_aec: needs a whole number"):
        gt.aec_to_extensive(RandomAEC(1), horizon=-1)


@pytest.mark.parametrize("seed", range(4))
def test_each_play_ends_once_with_its_probability(seed):
    game = stop_aec(RandomAEC(seed, 2), moves=3)
    conversion = gt.aec_to_extensive(game)
    profile = gt.uniform_policies(game)
    ends = outcome_distribution(conversion.target, conversion.correspondence.to_target(profile))
    law = {}
    for node, weight in zip(conversion.target.terminals.tolist(), ends.tolist(), strict=True):
        ((play, _),) = conversion.correspondence.outcome_to_source(node)
        assert play not in law  # nobody sees or moves after the last move: nothing is drawn there
        law[play] = weight
    assert law == dict(aec_trajectories(game, profile))


def test_nothing_random_makes_no_chance_node():
    tree = gt.aec_to_extensive(WALK, horizon=3).target
    assert tree.num_nodes == 7  # two moves with two actions each, after chance's sure one
    assert CHANCE not in tree.node_player[: tree.num_nodes - len(tree.terminals)]
    labels = [infoset.label for infoset in tree.infosets]
    assert labels == ["x", "x a x", "x b x"]
    assert set(map(tuple, tree.exact_terminal_payoffs.tolist())) == {(3,)}


def test_what_chance_pays_first_is_paid_at_the_root():
    assert gt.aec_to_extensive(WALK, horizon=1).target.num_nodes == 1
    paid = gt.expected_payoffs(*tree_and_behavior(stop_aec(WALK, moves=1)))
    assert paid.tolist() == [1]


def tree_and_behavior(game):
    conversion = gt.aec_to_extensive(game)
    return conversion.target, conversion.correspondence.to_target(gt.uniform_policies(game))


def test_chance_may_move_again_and_again():
    """Sure moves between draws, on the way to a draw, and at the end, with pay and discount."""
    game = changed(
        RandomAEC(1, 1, Fraction(1, 2)),
        chance=lambda state: (
            uniform((state + 1, state + 2)) if state % 2 else point_mass(state + 1)
        ),
        is_terminal=lambda state: state > 8,
        move=lambda player, state, action: state + (3 if action == "a" else 4),
        observation=lambda player, state: point_mass(state),
        reward=lambda state, mover, action, after: point_mass((after * after,)),
        next_player=lambda state, mover, action, after: point_mass(0 if after == 4 else CHANCE),
    )
    conversion = gt.aec_to_extensive(game)
    profile = seeded_policies(game, seed=1)
    behavior = conversion.correspondence.to_target(profile)
    paid = gt.expected_payoffs(conversion.target, behavior).tolist()
    assert paid == gt.expected_returns(game, profile).tolist()
    tree = conversion.target
    drawn = tree.node_player == CHANCE
    assert (drawn & drawn[tree.parent] & (tree.parent >= 0)).any()  # a draw right after a draw
    assert tree.num_nodes == count_aec_nodes(game)


def test_names_that_read_alike_are_told_apart():
    """The number 1 and the text '1' are two observations, hence two information sets."""
    game = changed(
        WALK,
        chance=lambda state: uniform((0, 1)),
        observation=lambda player, state: point_mass(("1", 1)[state]),
        horizon=2,
    )
    tree = gt.aec_to_extensive(game).target
    assert [infoset.label for infoset in tree.infosets[:2]] == ["1", "(1,)"]


def test_policies_must_answer_everywhere_with_legal_actions():
    conversion = gt.aec_to_extensive(RandomOrderTeam())
    with pytest.raises(gt.InvalidStrategy, match=r"'1': needs a distribution at information state"):
        conversion.correspondence.to_target(({}, {}))
    outside = {known: point_mass("C") for _, known in conversion.correspondence.policies.keys}
    with pytest.raises(gt.InvalidStrategy, match=r"needs legal actions \('A', 'B'\).*plays 'C'"):
        conversion.correspondence.to_target((outside, outside))


def test_trees_that_are_too_large_are_refused_with_their_size():
    game = stop_aec(RandomAEC(1), moves=4)
    size = count_aec_nodes(game)
    with pytest.raises(
        gt.UnsupportedGame,
        match=rf"aec_to_extensive: needs at most max_nodes = {size - 1:,} nodes, but "
        rf"'random AEC game' has {size:,} or more",
    ):
        gt.aec_to_extensive(game, max_nodes=size - 1)
    assert gt.aec_to_extensive(game, max_nodes=size).target.num_nodes == size


def test_counting_stops_before_most_positions_are_made():
    """Chance draws two numbers of 1,000 one after the other, a million pairs."""
    made = []

    def chance(state):
        made.append(state)
        return uniform((*state, number) for number in range(1_000))

    game = changed(
        RandomAEC(1, 1),
        initial_state=(),
        chance=chance,
        is_terminal=lambda state: len(state) == 2,
        reward=lambda *_: point_mass((0,)),
        next_player=lambda *_: point_mass(CHANCE),
    )
    with pytest.raises(gt.UnsupportedGame, match="max_nodes = 500 nodes"):
        gt.aec_to_extensive(game, max_nodes=500)
    assert len(made) < 5


def test_growth_without_end_is_refused():
    with pytest.raises(gt.UnsupportedGame, match=r"max_nodes = 100 nodes, but .* or more"):
        gt.aec_to_extensive(RandomAEC(1), max_nodes=100)


@pytest.mark.parametrize(
    "answers",
    [{"next_player": lambda *_: point_mass(CHANCE)}, {"legal_actions": lambda *_: ("a",)}],
)
def test_plays_without_end_are_refused(answers, monkeypatch):
    """Chance alone, and one player who has no choice: neither makes the tree grow much."""
    monkeypatch.setattr(aec_situations, "MAX_DEPTH", 300)
    with pytest.raises(gt.UnsupportedGame, match="needs plays that end, but one has 301 moves"):
        gt.aec_to_extensive(changed(WALK, **answers))


def test_a_game_that_is_over_at_once_is_one_node():
    tree = gt.aec_to_extensive(changed(RandomAEC(1), horizon=0)).target
    assert (tree.num_nodes, tree.exact_terminal_payoffs.tolist()) == (1, [[0, 0]])


def test_progress_is_told_for_large_trees():
    told = []
    size = gt.aec_to_extensive(WALK, horizon=14, on_iteration=told.append).target.num_nodes
    assert size == 2**14 - 1
    assert told
    assert told == sorted(told)
    assert told[-1] <= size
