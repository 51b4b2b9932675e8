"""Games with a mediator: payoffs as printed, for any number of players, and how fair they are."""

from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest

from gametheory_core import mediation


def rows(game):
    """What each leader and action pays, by labels."""
    return {
        (leader, game.actions[leader][action]): game.rewards[row].tolist()
        for row, (leader, action) in enumerate(
            zip(game.row_leader.tolist(), game.row_action.tolist(), strict=True)
        )
    }


def test_dilemma_pays_by_role():
    pays = rows(mediation.mediated_prisoners_dilemma(players=3))
    assert pays[0, "cooperate"] == [2, 1, 1]
    assert pays[2, "defect"] == [-2, -2, 3]
    assert len(pays) == 6


def test_chicken_pays_by_role_and_all_brake():
    pays = rows(mediation.mediated_chicken(players=4))
    assert pays[1, "straight"] == [2, 7, 2, 2]
    assert pays[1, "swerve"] == [7, 2, 7, 7]
    assert pays[3, "brake"] == [6, 6, 6, 6]


def test_battle_of_the_sexes_pays_by_place():
    pays = rows(mediation.mediated_battle_of_the_sexes())
    assert pays[0, "movie"] == pays[1, "movie"] == [2, 1]
    assert pays[0, "ballet"] == pays[1, "ballet"] == [1, 2]


def test_one_color_leaves_every_second_player_with_green():
    assert rows(mediation.resource_collection_one_color(players=4)) == {
        (0, "red"): [5, 1, 5, 1],
        (0, "green"): [4, 4, 4, 4],
        (1, "green"): [4, 4, 4, 4],
        (2, "red"): [5, 1, 5, 1],
        (2, "green"): [4, 4, 4, 4],
        (3, "green"): [4, 4, 4, 4],
    }


def test_two_colors_add_blue():
    pays = rows(mediation.resource_collection_two_colors(players=4))
    assert pays[3, "blue"] == [1, 5, 1, 5]
    assert len(pays) == 8
    assert (3, "red") not in pays


def test_leaders_alone_are_paid():
    game = mediation.paid_leadership(players=3)
    assert rows(game) == {(i, "lead"): [int(i == j) for j in range(3)] for i in range(3)}
    assert game.discount == Fraction(9, 10)


@pytest.mark.parametrize(
    ("build", "rounds"),
    [
        (mediation.mediated_prisoners_dilemma, 4),
        (mediation.mediated_chicken, 4),
        (mediation.mediated_battle_of_the_sexes, 1),
        (mediation.resource_collection_one_color, 2),
        (mediation.resource_collection_two_colors, 2),
        (mediation.paid_leadership, 10),
    ],
)
def test_default_length_is_as_said_and_nothing_is_drawn(build, rounds):
    assert build().horizon == rounds
    assert build(rounds=3).horizon == 3
    assert build().is_deterministic
    assert build().title.endswith(f"mediator, {rounds} round{'s' * (rounds > 1)}")


@pytest.mark.parametrize("rounds", [1, 2, 3, 4])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(
    ("build", "best"),
    [
        (mediation.mediated_prisoners_dilemma, lambda players, rounds: rounds + rounds // players),
        (mediation.mediated_chicken, lambda _, rounds: 6 * rounds),
        (mediation.resource_collection_one_color, lambda _, rounds: 4 * rounds),
        (mediation.resource_collection_two_colors, lambda _, rounds: 4 * rounds),
    ],
)
def test_fairest_minimum_has_a_formula(build, best, players, rounds):
    kinds = {tuple(row) for row in build(players=players).rewards.astype(int).tolist()}
    plays = combinations_with_replacement(sorted(kinds), rounds)
    assert max(np.sum(play, axis=0).min() for play in plays) == best(players, rounds)


@pytest.mark.parametrize(
    ("joint", "payoffs"),
    [
        (("straight", "swerve"), [7, 2]),
        (("swerve", "straight"), [2, 7]),
        (("brake", "brake"), [6, 6]),
        (("straight", "straight"), [0, 0]),
        (("swerve", "swerve"), [0, 0]),
        (("brake", "swerve"), [0, 0]),
        (("swerve", "straight", "swerve", "swerve"), [2, 7, 2, 2]),
        (("straight", "straight", "swerve", "straight"), [7, 7, 2, 7]),
        (("straight", "straight", "swerve", "swerve"), [0, 0, 0, 0]),
        (("brake", "brake", "brake"), [6, 6, 6]),
        (("brake", "brake", "straight"), [0, 0, 0]),
    ],
)
def test_chicken_as_a_matrix(joint, payoffs):
    game = mediation.chicken_with_brakes(players=len(joint))
    cell = tuple(own.index(a) for own, a in zip(game.actions, joint, strict=True))
    assert game.exact_payoffs[(slice(None), *cell)].tolist() == payoffs


def test_resources_as_a_matrix_need_agreement():
    game = mediation.resource_agreement(players=3)
    assert game.actions[0] == ("red", "blue", "green")
    assert game.exact_payoffs[:, 0, 0, 0].tolist() == [5, 1, 5]
    assert game.exact_payoffs[:, 1, 1, 1].tolist() == [1, 5, 1]
    assert game.exact_payoffs[:, 2, 2, 2].tolist() == [4, 4, 4]
    assert not game.exact_payoffs[:, 2, 2, 1].any()
    assert np.count_nonzero(game.exact_payoffs) == 9
