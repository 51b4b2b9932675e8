"""First-mover advantage: decided by brute force over actions, and by values of plays."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, InvalidStrategy, mediation

REWARDS, VALUES = mediation.FirstMoverAdvantage.REWARDS, mediation.FirstMoverAdvantage.VALUES


@pytest.mark.parametrize(
    ("game", "holds"),
    [
        (mediation.mediated_prisoners_dilemma(), True),
        (mediation.mediated_prisoners_dilemma(players=4), True),
        (mediation.paid_leadership(players=3), True),
        (mediation.mediated_chicken(), False),
        (mediation.mediated_chicken(players=4), False),
        (mediation.mediated_battle_of_the_sexes(), False),
        (mediation.resource_collection_one_color(), False),
        (mediation.resource_collection_two_colors(players=4), False),
    ],
    ids=repr,
)
def test_advantage_by_rewards_in_the_catalogue(game, holds):
    assert mediation.is_first_mover_advantage(game, kind=REWARDS).holds is holds


def test_witness_names_the_rows():
    verdict = mediation.is_first_mover_advantage(
        mediation.resource_collection_two_colors(), kind=REWARDS
    )
    assert verdict.witness == (1, 3)
    assert verdict.reason == (
        "in state 'round', 'Player 1' gets 4 by leading with 'green' and 4 where 'Player 2' leads "
        "with 'green'"
    )


@given(mediation.mediated_games())
def test_advantage_by_rewards_is_what_all_pairs_of_rows_say(game):
    rows = range(len(game.row_key))
    pairs = [
        (a, b)
        for a in rows
        for b in rows
        if game.row_state[a] == game.row_state[b] and game.row_leader[a] != game.row_leader[b]
    ]
    gaps = {(a, b): game.rewards[a] - game.rewards[b] for a, b in pairs}
    holds = all(gap[game.row_leader[a]] > 0 for (a, _), gap in gaps.items())
    verdict = mediation.is_first_mover_advantage(game, kind=REWARDS)
    assert verdict.holds is holds
    if not holds:
        leading, following = verdict.witness
        assert gaps[leading, following][game.row_leader[leading]] <= 0


@given(mediation.mediated_games(max_horizon=1), st.integers(0, 2**32))
def test_advantage_by_rewards_gives_that_by_values_in_one_step(game, seed):
    profile = mediation.random_mediated_profile(game, rng=np.random.default_rng(seed))
    if mediation.is_first_mover_advantage(game, kind=REWARDS):
        assert mediation.is_first_mover_advantage(game, kind=VALUES, profile=profile)
    verdict = mediation.is_first_mover_advantage(game, kind=VALUES, profile=profile)
    states = np.unique(game.row_state)
    first = [s for s in states.tolist() if s in game.initial_kernel.outcome.tolist()]
    better = [
        (node, i, j)
        for node, s in enumerate(first)
        for i in range(game.num_players)
        for j in range(game.num_players)
        if game.rewards[game.row(s, j, profile.actions[0][node][j])][i]
        > game.rewards[game.row(s, i, profile.actions[0][node][i])][i]
    ]
    assert verdict.holds is (not better)
    if better:
        assert verdict.witness[1:] in better


def test_leading_later_may_be_worth_more_than_leading_now():
    """Bob defects for ever if Ann does at once, though each leadership pays more by itself."""
    game = mediation.mediated_prisoners_dilemma(rounds=2)
    after = {(-2, 3): (0, 1), (1, 2): (1, 1), (2, 1): (1, 0), (3, -2): (1, 1)}
    order = sorted(after)
    profile = mediation.MediatedProfile(
        actions=(((0, 0),), tuple(after[h] for h in order)),
        leaders=((0,), tuple(int(h == (2, 1)) for h in order)),
    )
    assert mediation.is_first_mover_advantage(game, kind=REWARDS)
    verdict = mediation.is_first_mover_advantage(game, kind=VALUES, profile=profile)
    assert verdict.witness == (0, 0, 0, 1)
    assert "'Player 1' gets 3 from there on by leading and 4 where 'Player 2' leads" in (
        verdict.reason
    )


def test_small_difference_counts():
    game = mediation.mediated_game(
        players=["Ann", "Bob"],
        horizon=1,
        initial={"round": 1},
        actions=[["act"], ["act"]],
        play=lambda _state, leader, _action: ((0, "1/2") if leader else ("1/3", 1), {"round": 1}),
    )
    profile = mediation.MediatedProfile((((0, 0),),), ((0,),))
    verdict = mediation.is_first_mover_advantage(game, kind=VALUES, profile=profile)
    assert verdict.witness == (0, 0, 1, 0)
    assert "'Bob' gets 1/2 from there on by leading and 1 where 'Ann' leads" in verdict.reason


def test_transfers_count_if_asked_for():
    game = mediation.paid_leadership(rounds=1)
    profile = mediation.MediatedProfile((((0, 0),),), ((0,),))
    shared = mediation.MediatorIncentives(
        stage=mediation.MediatorStage.FULL, end_rule=mediation.EndRule.EQUALIZE_CUMULATIVE
    )
    assert mediation.is_first_mover_advantage(game, kind=VALUES, profile=profile)
    assert mediation.is_first_mover_advantage(game, kind=VALUES, profile=profile, incentives=shared)
    chicken = mediation.mediated_chicken(rounds=1)
    straight = mediation.MediatedProfile((((0, 1),),), ((0,),))
    assert mediation.is_first_mover_advantage(chicken, kind=VALUES, profile=straight)
    assert not mediation.is_first_mover_advantage(
        chicken, kind=VALUES, profile=straight, incentives=mediation.MediatorIncentives()
    )


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"kind": "rewards"}, InvalidArgument, "member of FirstMoverAdvantage as kind"),
        ({"kind": VALUES}, InvalidArgument, "needs a profile for .*VALUES"),
        (
            {"kind": REWARDS, "profile": mediation.MediatedProfile((), ())},
            InvalidArgument,
            "needs no profile for .*REWARDS",
        ),
        (
            {"kind": VALUES, "profile": mediation.MediatedProfile((), ())},
            InvalidStrategy,
            "needs actions for each of 4 steps",
        ),
    ],
)
def test_wrong_question_is_refused(options, error, message):
    with pytest.raises(error, match=message):
        mediation.is_first_mover_advantage(mediation.mediated_chicken(), **options)


def test_another_game_is_refused():
    with pytest.raises(InvalidArgument, match="game to be of type MediatedGame"):
        mediation.is_first_mover_advantage("chicken", kind=REWARDS)
