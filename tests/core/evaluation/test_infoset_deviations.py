"""Deviations by information set: checked against the values of whole profiles."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import evaluation, testing
from tests.core.naive_trees import histories

KINDS = (testing.PayoffKind.DEGENERATE, testing.PayoffKind.RATIONAL, testing.PayoffKind.GENERIC)


@given(data=st.data())
def test_contributions_add_up_to_deviation_gains(data):
    game = data.draw(testing.extensive_form_games(kinds=KINDS))
    profile = data.draw(testing.behavioral_profiles(game))
    found = evaluation.infoset_deviations(game, profile)
    gains = gt.deviation_gains(game, profile).tolist()
    for player, gain in enumerate(gains):
        assert sum(d.contribution for d in found if d.player == player) == gain


@given(data=st.data())
def test_expected_gains_are_what_changed_profiles_earn(data):
    game = data.draw(testing.extensive_form_games(kinds=KINDS))
    profile = data.draw(testing.behavioral_profiles(game))
    payoffs = gt.expected_payoffs(game, profile)
    for deviation in evaluation.infoset_deviations(game, profile):
        changed = one_action(game, profile, deviation)
        gain = gt.expected_payoffs(game, changed)[deviation.player] - payoffs[deviation.player]
        assert deviation.expected_action_gain == gain
        assert deviation.expected_gain == best_from_here(game, profile, deviation)
        assert 0 <= deviation.counterfactual_action_gain <= deviation.counterfactual_gain


def one_action(game, profile, deviation):
    """Play the best action at one information set, and the profile elsewhere."""
    best = game.infosets[deviation.infoset].actions.index(deviation.best_action)
    return playing(profile, {deviation.infoset: best})


def playing(profile, actions):
    vectors = list(profile.probabilities)
    for s, action in actions.items():
        vectors[s] = [Fraction(int(a == action)) for a in range(len(vectors[s]))]
    return gt.BehavioralProfile(tuple(vectors))


def best_from_here(game, profile, deviation):
    """Try every pure plan at the information set and own ones below it."""
    player, here = deviation.player, deviation.infoset
    below = {here} | {
        h.infoset
        for h in histories(game)
        if h.infoset >= 0
        and game.infosets[h.infoset].player == player
        and here in {s for s, _ in h.steps}
    }
    plans = product(*(range(len(game.infosets[s].actions)) for s in below))
    ways = (playing(profile, dict(zip(below, plan, strict=True))) for plan in plans)
    earned = [gt.expected_payoffs(game, way)[player] for way in ways]
    return max(earned) - gt.expected_payoffs(game, profile)[player]


@given(data=st.data())
def test_reach_and_status_say_whether_play_comes(data):
    game = data.draw(testing.extensive_form_games(kinds=KINDS))
    profile = data.draw(testing.behavioral_profiles(game))
    reach = evaluation.reach_probabilities(game, profile)
    found = evaluation.infoset_deviations(game, profile)
    assert len(found) == game.num_decision_infosets
    for deviation in found:
        nodes = game.node_infoset == deviation.infoset
        assert deviation.reach == sum(reach[nodes])
        conditional = (
            deviation.value_if_reached,
            deviation.action_gain_if_reached,
            deviation.gain_if_reached,
        )
        if deviation.status is evaluation.ReachStatus.UNREACHED:
            assert deviation.others_reach == 0
            assert conditional == (None, None, None)
            assert deviation.counterfactual_gain == 0
        else:
            assert None not in conditional
            assert (deviation.status is evaluation.ReachStatus.PLAYED) == (deviation.reach > 0)


@given(data=st.data())
def test_floats_agree(data):
    game = data.draw(testing.extensive_form_games(kinds=(testing.PayoffKind.GENERIC,)))
    profile = data.draw(testing.behavioral_profiles(game))
    exact = by_infoset(evaluation.infoset_deviations(game, profile))
    floats = by_infoset(evaluation.infoset_deviations(game, profile.to_float()))
    assert exact.keys() == floats.keys()
    for index, deviation in exact.items():
        assert type(deviation.counterfactual_gain) is Fraction
        assert floats[index].counterfactual_gain == pytest.approx(
            float(deviation.counterfactual_gain), abs=1e-9
        )
        assert floats[index].status is deviation.status
    for player in range(game.num_players):  # ties may share a gain out in another way
        own = [[d.contribution for d in f.values() if d.player == player] for f in (exact, floats)]
        assert sum(own[1]) == pytest.approx(float(sum(own[0])), abs=1e-9)


def by_infoset(found):
    return {deviation.infoset: deviation for deviation in found}


def entry_game():
    """Chance deals; the first player stops or goes on; the second accepts or fights."""
    reply = gt.Decision(1, "reply", {"accept": gt.Terminal([4, 4]), "fight": gt.Terminal([-4, 0])})
    first = gt.Decision(0, "enter?", {"stop": gt.Terminal([0, 8]), "enter": reply})
    never = gt.Decision(0, "never", {"left": gt.Terminal([100, 0]), "right": gt.Terminal([0, 0])})
    return gt.from_sketch(
        gt.Chance({"usual": (1, first), "never": (0, never)}), players=("In", "Out")
    )


def by_label(game, actions):
    found = evaluation.infoset_deviations(game, gt.pure_behavior(game, actions))
    return {deviation.label: deviation for deviation in found}


def test_says_where_play_cannot_come_and_where_it_is_avoided():
    game = entry_game()
    found = by_label(game, (0, 0, 1))
    assert found["'enter?'"].status is evaluation.ReachStatus.PLAYED
    assert found["'reply'"].status is evaluation.ReachStatus.UNREACHED
    assert found["'never'"].status is evaluation.ReachStatus.UNREACHED
    assert found["'never'"].gain_if_reached is None
    entered = by_label(game, (1, 0, 1))
    assert entered["'reply'"].status is evaluation.ReachStatus.PLAYED
    assert (entered["'reply'"].best_action, entered["'reply'"].expected_gain) == ("accept", 4)
    assert entered["'enter?'"].best_action == "stop"


def test_avoided_by_the_mover_alone():
    later = gt.Decision(0, "later", {"bad": gt.Terminal([0]), "good": gt.Terminal([3])})
    game = gt.from_sketch(
        gt.Decision(0, "now", {"stop": gt.Terminal([1]), "go": later}), players=("A",)
    )
    found = by_label(game, (0, 0))
    later_on = found["'later'"]
    assert later_on.status is evaluation.ReachStatus.AVOIDED
    assert (later_on.reach, later_on.gain_if_reached, later_on.expected_gain) == (0, 3, 0)
    # going on costs 1 under the profile's own play later, and then gains 3
    assert (found["'now'"].contribution, later_on.contribution) == (-1, 3)
    assert (found["'now'"].counterfactual_action_gain, found["'now'"].counterfactual_gain) == (0, 2)


def test_largest_contribution_comes_first():
    kuhn = gt.load_game("kuhn_poker")
    contributions = [
        d.contribution for d in evaluation.infoset_deviations(kuhn, gt.uniform_behavior(kuhn))
    ]
    assert contributions == sorted(contributions, reverse=True)
    assert contributions[0] > 0


def test_players_who_forget_are_refused_with_the_witness():
    game = gt.load_game("forgetful_bit")
    profile = gt.uniform_behavior(game)
    with pytest.raises(
        gt.UnsupportedGame, match="perfect recall of players reported on, but player"
    ):
        evaluation.infoset_deviations(game, profile)


@given(data=st.data())
def test_players_who_recall_can_be_reported_on_alone(data):
    game = data.draw(testing.forgetful_games())
    profile = data.draw(testing.behavioral_profiles(game))
    for player in range(game.num_players):
        try:
            found = evaluation.infoset_deviations(game, profile, player=player)
        except gt.UnsupportedGame:
            continue
        assert {d.player for d in found} <= {player}
        assert sum(d.contribution for d in found) >= 0


def test_refuses_what_does_not_fit():
    kuhn = gt.load_game("kuhn_poker")
    with pytest.raises(gt.InvalidArgument, match="player"):
        evaluation.infoset_deviations(kuhn, gt.uniform_behavior(kuhn), player=2)
    with pytest.raises(gt.InvalidStrategy, match="needs probabilities"):
        evaluation.infoset_deviations(kuhn, gt.BehavioralProfile(()))


def test_rows_make_a_table():
    game = entry_game()
    rows = evaluation.deviation_rows(
        evaluation.infoset_deviations(game, gt.pure_behavior(game, (1, 0, 1)))
    )
    assert len({tuple(row) for row in rows}) == 1
    first = rows[0]
    assert (first["player"], first["information set"], first["gain if reached"]) == (
        "In",
        "'enter?'",
        4,
    )
    unreached = next(row for row in rows if row["information set"] == "'never'")
    assert unreached["value if reached"] is None
    assert unreached["status"] == "the others or chance never let play come here"
