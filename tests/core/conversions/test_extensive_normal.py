"""Trees to normal form: plans, labels, sizes, exact numbers, refusals."""

from fractions import Fraction

import pytest

import gametheory_core as gt
from gametheory_core.catalog import load
from gametheory_core.conversions import Preserved
from gametheory_core.memory import memory_limit


def two_steps(first=("L", "R"), second=("l", "r")):
    """One player; only the second action leads to another choice."""
    then = gt.Decision(0, "then", {a: gt.Terminal([k + 1]) for k, a in enumerate(second)})
    return gt.from_sketch(
        gt.Decision(0, "now", {first[0]: gt.Terminal([0]), first[1]: then}), players=("A",)
    )


def test_reduced_plans_are_silent_where_they_do_not_go():
    game = gt.extensive_to_normal(two_steps()).target
    assert game.actions == (("L*", "Rl", "Rr"),)
    assert game.exact_payoffs.tolist() == [[0, 1, 2]]


def test_long_labels_are_kept_apart_and_collisions_numbered():
    game = gt.extensive_to_normal(two_steps(first=("leave", "stay"))).target
    assert game.actions == (("leave / *", "stay / l", "stay / r"),)
    # both read "L / a / *" by name
    odd = two_steps(first=("L / a", "L"), second=("a / *", "*"))
    names = gt.extensive_to_normal(odd).target.actions[0]
    assert names == ("#1 / *", "#2 / #1", "#2 / #2")


def test_players_without_a_move_have_one_plan():
    game = gt.from_sketch(gt.Terminal([3, "1/3"]), players=("A", "B"))
    conversion = gt.extensive_to_normal(game)
    assert conversion.target.actions == (("-",), ("-",))
    assert conversion.target.exact_payoffs.ravel().tolist() == [3, Fraction(1, 3)]


def test_payoffs_are_exact_far_beyond_floats():
    huge, tiny = 10**60 + 1, Fraction(1, 10**50)
    ends = {"a": gt.Terminal([huge, -huge]), "b": gt.Terminal([tiny, -1])}
    root = gt.Chance({"x": ("1/3", gt.Decision(0, "", ends)), "y": ("2/3", gt.Terminal([1, tiny]))})
    found = gt.extensive_to_normal(gt.from_sketch(root, players=("A", "B"))).target.exact_payoffs
    third = Fraction(1, 3)
    assert found[0].ravel().tolist() == [third * huge + 2 * third, third * tiny + 2 * third]
    assert found[1].ravel().tolist() == [
        -third * huge + 2 * third * tiny,
        -third + 2 * third * tiny,
    ]


def test_the_size_is_counted_before_anything_is_built():
    def expand(depth):
        if depth == 0:
            return gt.Terminal([0])
        return gt.Decision(0, object(), {"a": expand(depth - 1), "b": expand(depth - 1)})

    game = gt.from_sketch(expand(8), players=("A",))  # every node an information set
    ways = 1
    for _ in range(8):
        ways = 2 * ways
    assert len(gt.extensive_to_normal(game).target.actions[0]) == ways
    with pytest.raises(gt.UnsupportedGame, match=r"max_profiles = 255 joint plans, but .* has 256"):
        gt.extensive_to_normal(game, max_profiles=255)


def test_a_game_too_large_to_print_is_refused_by_its_magnitude():
    coin = {"a": gt.Terminal([0]), "b": gt.Terminal([1])}
    bits = {str(k): (Fraction(1, 60), gt.Decision(0, k, coin)) for k in range(60)}
    with pytest.raises(gt.UnsupportedGame, match=r"has 1e18\. Use subgame_perfect, which"):
        gt.extensive_to_normal(gt.from_sketch(gt.Chance(bits), players=("A",)))


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        (
            "kuhn_poker:cards=4",
            "Use sequence_form_lcp, which needs no plans, or raise max_profiles",
        ),
        (
            "kuhn_poker:cards=4,players=3",
            "Try regret_equilibrium, .* three players and more; counter",
        ),
        ("centipede:rounds=4", "Use subgame_perfect, which needs no plans, or raise max_profiles"),
        ("forgetful_bit", "Solve a smaller tree, or raise max_profiles"),
    ],
)
def test_advice_for_trees_too_large_fits_the_tree(name, advice):
    with pytest.raises(gt.UnsupportedGame, match=advice):
        gt.extensive_to_normal(load(name), max_profiles=1)


def test_what_is_claimed_without_recall_is_less():
    def second(first):
        return gt.Decision(0, "again", {b: gt.Terminal([int(first == b)]) for b in "ab"})

    game = gt.from_sketch(gt.Decision(0, "now", {a: second(a) for a in "ab"}), players=("A",))
    conversion = gt.extensive_to_normal(game)
    assert conversion.target.actions == (("aa", "ab", "ba", "bb"),)
    assert conversion.target.exact_payoffs.tolist() == [[1, 0, 0, 1]]
    assert conversion.preserves == {Preserved.PAYOFFS_TO_TARGET, Preserved.OUTCOMES_TO_TARGET}


def test_behavior_where_no_plan_goes_is_uniform():
    back = gt.extensive_to_normal(two_steps()).correspondence.to_source(
        gt.MixedProfile(([1, 0, 0],))
    )
    assert back.flat.tolist() == [1, 0, Fraction(1, 2), Fraction(1, 2)]


def test_float_profiles_stay_floats_both_ways():
    game = two_steps()
    correspondence = gt.extensive_to_normal(game).correspondence
    mixed = correspondence.to_target(gt.uniform_behavior(game).to_float())
    assert mixed.strategies[0].tolist() == [0.5, 0.25, 0.25]
    assert not mixed.is_exact
    assert correspondence.to_source(mixed).flat.tolist() == [0.5] * 4


@pytest.mark.parametrize("outcome", [(), (3,), (-1,), (0, 0)])
def test_outcomes_that_are_no_joint_plan_are_refused(outcome):
    correspondence = gt.extensive_to_normal(two_steps()).correspondence
    with pytest.raises(
        gt.InvalidArgument, match=r"outcome_to_source: needs one plan each of \(3,\)"
    ):
        correspondence.outcome_to_source(outcome)


def test_tables_of_plans_too_large_are_refused_with_the_estimate(monkeypatch):
    tree = gt.from_sketch(
        gt.Decision(0, "", {str(a): gt.Terminal([a]) for a in range(60)}), players=("Ann",)
    )
    needed = 60 * (61 + 8 * 60)  # more than the payoffs themselves take
    with memory_limit(needed):
        assert gt.extensive_to_normal(tree).target.num_actions == (60,)
    with (
        memory_limit(needed - 1),
        pytest.raises(gt.UnsupportedGame, match=r"tables of plans .* would take 31\.7 KiB"),
    ):
        gt.extensive_to_normal(tree)


def test_progress_counts_matrix_products_and_may_stop():
    tree = gt.from_sketch(
        gt.Decision(0, "", {a: gt.Terminal([int(a), 1]) for a in "123"}), players=("Ann", "Bob")
    )
    counts = []
    gt.extensive_to_normal(tree, on_iteration=counts.append)
    assert counts == [1, 2]  # one digit for each player

    def stop(_products):
        raise KeyboardInterrupt("stopped")

    with pytest.raises(KeyboardInterrupt, match="stopped"):
        gt.extensive_to_normal(tree, on_iteration=stop)
