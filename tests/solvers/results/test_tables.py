"""Answers of every kind as tables: who, what, how often, by the names of the game."""

from fractions import Fraction

import gametheory_core as gt
from gametheory_core.catalog import chicken, load
from gametheory_core.certificates import certify_nash_components
from gametheory_core.evaluation import ExtensiveCorrelation
from gametheory_core.strategies import CoverageLottery
from gametheory_core.strategies.labels import seats
from solvers import extensive_form_correlated_equilibrium, sequential_equilibrium, solve
from solvers.results.tables import answer_table, proof_table

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def test_matrix_profiles_have_no_information_set():
    game = gt.NormalFormGame.from_payoffs(
        [[[1, 2, 3], [4, 5, 6]], [[1, 2, 3], [4, 5, 6]]],
        players=("Ann", "2"),
        actions=(("up", ""), ("a", "b", "")),
    )
    found = answer_table(game, gt.MixedProfile(([THIRD, 2 * THIRD], [HALF, 0, HALF])))
    assert found.columns == ("player", "action", "probability")
    assert found.rows == (
        ("Ann", "up", THIRD),
        ("Ann", "#2", 2 * THIRD),
        ("player 2", "a", HALF),
        ("player 2", "b", 0),
        ("player 2", "#3", HALF),
    )


def test_float_profiles_are_shown_exactly():
    game = load("matching_pennies")
    rows = answer_table(game, gt.uniform_profile(game).to_float()).rows
    assert [row[-1] for row in rows] == [HALF] * 4
    assert all(isinstance(row[-1], Fraction) for row in rows)


def test_trees_name_information_sets_or_number_them():
    """Chance has no rows; an unnamed information set goes by the number its file gives it."""
    ends = {"stop": gt.Terminal([0, 0]), "go": gt.Terminal([1, 1])}
    tree = gt.from_sketch(
        gt.Chance(
            {
                "rain": (HALF, gt.Decision(1, "wet", ends)),
                "sun": (
                    HALF,
                    gt.Decision(1, "", {"": gt.Terminal([2, 0]), "on": gt.Terminal([0, 2])}),
                ),
            }
        ),
        players=("1", "Bob"),
    )
    (wet, dry) = (s for s in tree.infosets if s.player == 1)
    assert (wet.label, dry.label) == ("wet", "")
    assert answer_table(tree, gt.BehavioralProfile(([1, 0], [THIRD, 2 * THIRD]))).rows == (
        ("Bob", "wet", "stop", 1),
        ("Bob", "wet", "go", 0),
        ("Bob", "#2", "#1", THIRD),
        ("Bob", "#2", "on", 2 * THIRD),
    )


def test_rows_of_both_movers_keep_the_order_of_the_tree():
    tree = load("kuhn_poker")
    (solution,) = solve(tree, "minimax").solutions
    rows = answer_table(tree, solution.profile).rows
    decisions = tree.infosets[: tree.num_decision_infosets]
    assert len(rows) == sum(len(s.actions) for s in decisions)
    assert [row[1] for row in rows[::2]] == [s.label for s in decisions]
    assert [row[0] for row in rows[::2]] == [tree.players[s.player] for s in decisions]


def test_types_of_a_follower_have_seats_of_their_own():
    game = gt.BayesianGame.from_payoffs(
        [[[1], [2]], [[3], [4]]], [[[0], [0]], [[0], [0]]], prior=[HALF, HALF], types=["rich", ""]
    )
    assert seats(game) == ("Leader", "Follower, type rich", "Follower, type #2")
    profile = gt.MixedProfile(([HALF, HALF], [1], [1]))
    assert answer_table(game, profile).rows[2:] == (
        ("Follower, type rich", "1", 1),
        ("Follower, type #2", "1", 1),
    )


def test_correlated_distributions_list_joint_actions():
    found = answer_table(chicken(), gt.correlated_distribution([[THIRD, THIRD], [THIRD, 0]]))
    assert found.columns == ("player 1", "player 2", "probability")
    assert found.rows == (
        ("swerve", "swerve", THIRD),
        ("swerve", "straight", THIRD),
        ("straight", "swerve", THIRD),
    )


def test_coverages_name_their_targets():
    game = load("guarded_targets")
    found = answer_table(game, CoverageLottery(((), (0, 2)), (1, 3)))
    first, _, third, *_ = game.targets
    assert found.rows == (("none", Fraction(1, 4)), (f"{first}, {third}", Fraction(3, 4)))


def test_surviving_actions_are_listed_by_player():
    assert answer_table(load("prisoners_dilemma"), ((1,), (0, 1))).rows == (
        ("player 1", "defect"),
        ("player 2", "cooperate"),
        ("player 2", "defect"),
    )


def test_components_list_extreme_strategies_of_each_subset():
    """Any mixture of both actions of the second player is an equilibrium with the first row."""
    game = gt.NormalFormGame.bimatrix([[1, 1], [0, 0]], [[1, 1], [0, 0]], players=("A", "B"))
    found = answer_table(game, certify_nash_components(game).components)
    assert found.columns == ("component", "subset", "player", "extreme strategy")
    assert sorted(found.rows) == [("1", "1", "A", "1"), ("1", "1", "B", "1"), ("1", "1", "B", "2")]
    mixed = answer_table(
        load("matching_pennies"), certify_nash_components(load("matching_pennies")).components
    )
    assert mixed.rows[0][-1] == "heads (1/2), tails (1/2)"


def test_corners_of_payoffs_are_a_table_of_numbers():
    game = load("chicken")
    (solution,) = solve(game, "correlated-payoffs").solutions
    found = answer_table(game, solution.profile)
    assert found.columns == ("payoff of player 1", "payoff of player 2")
    assert (Fraction(1), Fraction(-1)) in found.rows


def test_eliminations_are_shown_in_order_with_what_dominates():
    game = gt.NormalFormGame.bimatrix(
        [[3, 0], [0, 3], [1, 1]], [[0, 1], [0, 1], [9, 0]], actions=[["t", "m", "b"], ["l", "r"]]
    )
    (solution,) = solve(game, "dominance").solutions
    proof = proof_table(solution.certificate)
    assert proof.columns[0] == "round"
    assert [row[:3] for row in proof.rows] == [
        ("1", "player 1", "b"),
        ("2", "player 2", "l"),
        ("3", "player 1", "t"),
    ]
    assert proof.rows[0][3].count("(") == 2  # only a mixture of t and m dominates b
    assert proof.rows[2][3] == "m"
    assert proof_table(solve(game, "nash").solutions[0].certificate) is None


def test_mixtures_over_trees_list_what_each_draw_plays():
    game = gt.load_game("centipede:rounds=2")
    solution = extensive_form_correlated_equilibrium(
        game, kind=ExtensiveCorrelation.NORMAL_FORM_COARSE
    )
    table = answer_table(game, solution.profile)
    assert table.columns == ("draw", "weight", "player", "information set", "action", "probability")
    assert {row[0] for row in table.rows} == {
        str(number) for number in range(1, len(solution.profile.profiles) + 1)
    }
    weights = {row[0]: row[1] for row in table.rows}
    assert tuple(weights.values()) == solution.profile.weights
    assert all(row[-1] == 1 for row in table.rows)  # pure, so that the others are left out
    assert len(table.rows) == 2 * len(weights)


def test_beliefs_stand_at_information_sets_of_several_nodes():
    solution = sequential_equilibrium(gt.load_game("guess_the_ace:cards=4"))
    table = proof_table(solution.certificate)
    assert table.columns == ("player", "information set", "after", "belief")
    assert table.rows == (
        ("Player 2", "asked", "ask, ace", Fraction(1, 4)),
        ("Player 2", "asked", "ask, other", Fraction(3, 4)),
    )
    open_game = sequential_equilibrium(gt.load_game("centipede:rounds=2"))
    assert proof_table(open_game.certificate) is None
