"""Repeated games pay their stage game round by round and show a window of the right length."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.catalog import STAGES, RepeatedGame, load, remember
from gametheory_core.distributions import point_mass, uniform
from gametheory_core.games import NULL
from tests.core.catalog.walks import posg_returns, posg_steps


@pytest.mark.parametrize("name", STAGES)
@pytest.mark.parametrize("player", [0, 1])
def test_one_round_pays_the_stage_game(name, player):
    game = RepeatedGame.of(name)
    stage = load(name)
    assert game.stage == stage
    policies = [lambda seen, own=own: uniform(own) for own in stage.actions]
    assert (
        posg_returns(game, policies)[player]
        == gt.expected_payoffs(stage, gt.uniform_profile(stage))[player]
    )


@given(
    st.lists(st.integers(0, 1), min_size=1, max_size=6),
    st.lists(st.integers(0, 1), min_size=6, max_size=6),
    st.fractions(0, 1, max_denominator=5),
)
def test_returns_are_discounted_round_by_round(row, column, discount):
    """Each player follows a fixed list of actions, by counting the own actions."""
    game = RepeatedGame.of("prisoners_dilemma", rounds=len(row), recall=0, discount=discount)
    payoffs = game.stage.exact_payoffs
    plans = [row, column]
    policies = [
        lambda seen, i=i: point_mass(game.stage.actions[i][plans[i][len(seen) // 2]])
        for i in (0, 1)
    ]
    expected = tuple(
        sum((discount**t * payoffs[i, row[t], column[t]] for t in range(len(row))), Fraction(0))
        for i in (0, 1)
    )
    assert posg_returns(game, policies) == expected


@pytest.mark.parametrize("recall", [0, 1, 2, 5])
def test_window_shows_the_last_joint_actions(recall):
    game = RepeatedGame.of("matching_pennies", rounds=4, recall=recall)
    played = [("heads", "tails"), ("tails", "tails"), ("heads", "heads"), ("tails", "heads")]
    ((state, _),) = game.initial()
    assert game.initial_observation(state) == point_mass((() if recall else NULL,) * 2)
    for t, joint in enumerate(played):
        ((state, _),) = game.transition(state, joint)
        expected = tuple(played[max(0, t + 1 - recall) : t + 1]) if recall else NULL
        assert game.observation(joint, state) == point_mass((expected, expected))


@pytest.mark.parametrize("recall", [0, 1, 2])
def test_number_of_windows_is_the_geometric_sum(recall):
    game = RepeatedGame.of("rock_paper_scissors", rounds=recall + 2, recall=recall)
    assert len({step.state for step in posg_steps(game)}) == sum(9**k for k in range(recall + 1))


def test_play_without_end_has_no_horizon_and_no_terminal_state():
    game = RepeatedGame.of("chicken", rounds=None, recall=1, discount=Fraction(9, 10))
    assert game.horizon is None
    steps = posg_steps(game)
    assert len({step.state for step in steps}) == 5
    assert not any(game.is_terminal(step.next_state) for step in steps)


def test_tit_for_tat_loses_once_to_constant_defection():
    game = RepeatedGame.of("prisoners_dilemma", rounds=10)

    def tit_for_tat(seen):
        return point_mass(seen[-1][0][1] if seen[-1] else "cooperate")

    assert posg_returns(game, [tit_for_tat, tit_for_tat]) == (30, 30)
    assert posg_returns(game, [tit_for_tat, lambda seen: point_mass("defect")]) == (9, 14)


def test_repeating_an_equilibrium_leaves_nothing_to_gain():
    game = RepeatedGame.of("matching_pennies", rounds=3, recall=2)
    stage = game.stage
    half = Fraction(1, 2)
    assert gt.expected_payoffs(stage, gt.MixedProfile(((half, half), (half, half))))[0] == 0

    def even_policy(seen):
        return uniform(stage.actions[0])

    def clever(seen):
        return point_mass(seen[-1][-1][0] if seen[-1] else "tails")

    assert posg_returns(game, [even_policy, clever]) == (0, 0)


def test_a_stage_of_three_players_is_repeated_too():
    stage = gt.NormalFormGame.from_payoffs([[[[i + 4 * a]] for a in (0, 1)] for i in (0, 1, 2)])
    game = RepeatedGame(stage, rounds=2, recall=1)
    assert game.players == ("1", "2", "3")
    assert game.reward((), ("2", "1", "1"), ()) == (4, 5, 6)


@given(st.lists(st.integers()), st.integers(), st.integers(0, 5))
def test_remembering_keeps_the_latest(earlier, latest, recall):
    window = remember(tuple(earlier), (latest,), recall=recall)
    assert window == ((*earlier, (latest,))[-recall:] if recall else ())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rounds": 0}, "rounds to be an integer from 1 to 1000000, but got 0"),
        ({"rounds": 2.0}, "rounds .* got 2.0"),
        ({"rounds": True}, "rounds .* got True"),
        ({"recall": -1}, "recall to be an integer from 0 to 1000, but got -1"),
        ({"recall": None}, "recall .* got None"),
        ({"discount": 2}, "discount: needs a number in \\[0, 1\\], but is 2"),
        ({"discount": "-1/3"}, "discount: needs a number in \\[0, 1\\], but is -1/3"),
        ({"discount": "soon"}, "discount: "),
    ],
)
def test_bad_parameters_are_refused(options, message):
    with pytest.raises(gt.GameTheoryError, match=message):
        RepeatedGame.of("matching_pennies", **options)


def test_discount_is_read_exactly():
    assert RepeatedGame.of("chicken", discount="9/10").discount == Fraction(9, 10)


def test_unknown_stage_is_refused_with_the_known_ones():
    with pytest.raises(
        gt.InvalidArgument, match=r"'poker' is not one. Known are: matching_pennies"
    ):
        RepeatedGame.of("poker")


def test_nameless_actions_are_refused():
    stage = gt.NormalFormGame.zero_sum([[1, 0]], actions=(("a",), ("", "")))
    with pytest.raises(gt.InvalidArgument, match=r"label for every action .*'2' has \('', ''\)"):
        RepeatedGame(stage)
