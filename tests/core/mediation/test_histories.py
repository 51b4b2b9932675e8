"""Layers list every node that play reaches, once, in order, and where each step leads."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given

from gametheory_core import InvalidArgument, UnsupportedGame, mediation
from gametheory_core.mediation.histories import node_map
from tests.sample_sizes import examples


def reached(game):
    """Nodes by step, followed from the start one play at a time."""
    nothing = (Fraction(0),) * game.num_players
    here = {(s, nothing) for s in game.initial_kernel.outcome.tolist() if not game.is_terminal(s)}
    layers = []
    for step in range(game.horizon):
        if not here:
            break
        layers.append(sorted(here))
        here = {
            after
            for node in here
            for leader in range(game.num_players)
            for action in game.legal(node[0], leader)
            for after in outcomes(game, step, node, leader, action)
            if not game.is_terminal(after[0])
        }
    return layers


def outcomes(game, step, node, leader, action):
    state, past = node
    row = game.row(state, leader, action)
    rewards = game.rewards[row].tolist()
    total = tuple(h + game.discount**step * r for h, r in zip(past, rewards, strict=True))
    entries = game.transition_kernel.row(row)
    return [(after, total) for after in game.transition_kernel.outcome[entries].tolist()]


def listed(histories):
    return [
        [(int(state), histories.returns(t, node)) for node, state in enumerate(layer.states)]
        for t, layer in enumerate(histories.layers)
    ]


@given(mediation.mediated_games(max_states=3, max_horizon=3))
def test_layers_are_what_plays_reach(game):
    histories = mediation.mediated_histories(game)
    nodes = listed(histories)
    assert nodes == reached(game)
    assert histories.num_nodes == sum(map(len, nodes))
    for t, layer in enumerate(histories.layers):
        for node, place in enumerate(nodes[t]):
            for leader in range(game.num_players):
                for action in range(game.max_actions):
                    row = int(layer.row[node, leader, action])
                    children = layer.child[node, leader, action].tolist()
                    if action not in game.legal(place[0], leader):
                        assert (row, set(children)) == (-1, {-1})
                        continue
                    assert row == game.row(place[0], leader, action)
                    after = outcomes(game, t, place, leader, action)
                    for child, expected in zip(children[: len(after)], after, strict=True):
                        goes_on = t + 1 < game.horizon and not game.is_terminal(expected[0])
                        assert (child >= 0) is goes_on
                        assert child < 0 or nodes[t + 1][child] == expected
                    assert set(children[len(after) :]) <= {-1}


@examples(20)
@given(mediation.mediated_games(max_states=3, max_horizon=3))
def test_steps_are_histories_without_returns(game):
    histories, steps = (
        mediation.mediated_histories(game),
        mediation.mediated_histories(game, memory=mediation.Memory.STEP),
    )
    fine, coarse = listed(histories), listed(steps)
    nothing = (Fraction(0),) * game.num_players
    assert [{state for state, _ in layer} for layer in fine] == [
        {state for state, _ in layer} for layer in coarse
    ]
    assert all(past == nothing for layer in coarse for _, past in layer)
    for t, where in enumerate(node_map(histories, mediation.Memory.STEP)):
        assert [coarse[t][k][0] for k in where] == [state for state, _ in fine[t]]
    for same, layer in zip(node_map(histories, mediation.Memory.HISTORY), fine, strict=True):
        assert same.tolist() == list(range(len(layer)))


def test_returns_of_any_size_are_kept_exactly():
    small = mediation.mediated_chicken(rounds=3)
    large = replace(small, rewards=small.rewards * Fraction(10**30, 7))
    pairs = zip(
        listed(mediation.mediated_histories(small)),
        listed(mediation.mediated_histories(large)),
        strict=True,
    )
    for few, many in pairs:
        assert [(s, tuple(h * Fraction(10**30, 7) for h in past)) for s, past in few] == many
    for a, b in zip(
        mediation.mediated_histories(small).layers,
        mediation.mediated_histories(large).layers,
        strict=True,
    ):
        assert a.child.tolist() == b.child.tolist()


def test_numbers_of_nodes_of_known_games():
    sizes = {
        game.title: [layer.num_nodes for layer in mediation.mediated_histories(game).layers]
        for game in (
            mediation.mediated_prisoners_dilemma(),
            mediation.mediated_chicken(players=4),
            mediation.resource_collection_two_colors(players=4),
        )
    }
    assert list(sizes.values()) == [[1, 4, 10, 20], [1, 9, 42, 138], [1, 3]]


def test_a_future_that_counts_for_nothing_leaves_only_the_first_rewards():
    game = replace(mediation.mediated_prisoners_dilemma(rounds=3), discount=Fraction(0))
    assert [layer.num_nodes for layer in mediation.mediated_histories(game).layers] == [1, 4, 4]


def test_arrays_are_read_only():
    layer = mediation.mediated_histories(mediation.mediated_chicken()).layers[1]
    for array in (layer.states, layer.returns, layer.row, layer.child):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_names_say_where_a_node_is():
    game = mediation.mediated_prisoners_dilemma()
    assert (
        mediation.mediated_histories(game).name(1, 3)
        == "step 1 in state 'round' after returns (3, -2)"
    )
    assert (
        mediation.mediated_histories(game, memory=mediation.Memory.STEP).name(2, 0)
        == "step 2 in state 'round'"
    )
    assert repr(mediation.mediated_histories(game)) == (
        'MediatedHistories("Prisoner\'s dilemma with a mediator, 4 rounds", 35 nodes in 4 layers, '
        "told apart by step, state and returns so far)"
    )


def test_too_many_nodes_are_refused_before_they_are_listed():
    game = mediation.mediated_prisoners_dilemma(rounds=200)
    with pytest.raises(UnsupportedGame, match=r"layers 0 to 5 have 1, 4, 10, 20, 35, 56 nodes"):
        mediation.mediated_histories(game, most_nodes=200)
    assert (
        mediation.mediated_histories(game, memory=mediation.Memory.STEP, most_nodes=200).num_nodes
        == 200
    )


@pytest.mark.parametrize(
    ("game", "options", "complaint"),
    [
        ("game", {}, "needs game to be of type MediatedGame"),
        (mediation.mediated_chicken(), {"memory": "step"}, "needs a member of Memory"),
        (
            mediation.mediated_chicken(),
            {"most_nodes": 0},
            "needs most_nodes to be an integer of at least 1",
        ),
    ],
)
def test_other_arguments_are_refused(game, options, complaint):
    with pytest.raises(InvalidArgument, match=complaint):
        mediation.mediated_histories(game, **options)
