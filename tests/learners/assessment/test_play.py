"""What an appraisal says of policies is what the core says by other ways, and is proved."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import gametheory_core as gt
from gametheory_core.arguments import shown_players
from gametheory_core.catalog import RepeatedGame
from gametheory_core.conversions import extensive_to_aec, normal_to_posg, posg_from_tables
from gametheory_core.distributions import Distribution, point_mass, uniform
from gametheory_core.evaluation import return_gains
from gametheory_core.formats import parse_json
from gametheory_core.formats.certificate_records import certificate_from
from gametheory_core.strategies import reactive
from learners import ActsOn, Appraisal, Standing, assess
from learners.findings import Finding, appraisal_record, findings_from, findings_of
from learners.policies import mixed_action


def random_reactive(game, rng):
    """Return policies of the last observation with random dyadic mixed actions."""
    tables = [{} for _ in game.players]

    def policy(player):
        def act(seen):
            legal = game.legal_actions(player, seen[-1])
            key = seen[-1]
            if key not in tables[player]:
                tables[player][key] = mixed_action(legal, rng.dirichlet(np.ones(len(legal))))
            return tables[player][key]

        return gt.policy_from(act)

    return tuple(policy(player) for player in range(len(game.players)))


def numbers(found, what, game):
    return [found[f"{what}/{player}"] for player in shown_players(game.players)]


GAMES = [
    RepeatedGame.of("prisoners_dilemma", rounds=2),
    RepeatedGame.of("rock_paper_scissors", rounds=2, recall=1),
    gt.load_game("tiger:horizon=2"),
    gt.load_game("random_order_team"),
    gt.load_game("take_away:piles=2,tokens=3"),
]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.title)
@pytest.mark.parametrize("seed", range(2))
def test_numbers_are_those_of_the_rules(game, seed):
    policies = random_reactive(game, np.random.default_rng(seed))
    found = assess(game, policies)
    found.verify()
    assert numbers(found, "return", game) == gt.expected_returns(game, policies).tolist()
    assert numbers(found, "gain", game) == return_gains(game, policies).tolist()
    assert found["nash_conv"] == sum(return_gains(game, policies).tolist())
    assert all(finding.standing is Standing.PROVED for finding in found.findings)


def test_exploitability_and_value_are_told_of_zero_sum_games():
    game = RepeatedGame.of("matching_pennies", rounds=1)
    found = assess(game, gt.uniform_policies(game))
    assert (found["exploitability"], found["game_value/at_least"]) == (0, 0)
    assert [certificate.kind for certificate in found.certificates] == ["nash", "minimax"]


def test_exploitability_is_not_told_of_other_games():
    game = RepeatedGame.of("prisoners_dilemma", rounds=1)
    found = assess(game, gt.uniform_policies(game))
    with pytest.raises(gt.InvalidArgument, match="'exploitability' is none"):
        found["exploitability"]


def test_normal_form_is_judged_as_itself():
    game = gt.load_game("chicken")
    found = assess(game, normal_to_posg(game).correspondence.to_target(gt.uniform_profile(game)))
    assert found.certificates[0] == gt.certify_nash(game, gt.uniform_profile(game))


def test_tree_is_judged_as_itself():
    game = gt.load_game("kuhn_poker")
    behavior = gt.uniform_behavior(game)
    found = assess(game, extensive_to_aec(game).correspondence.to_target(behavior))
    assert found.certificates[0] == gt.certify_nash(game, behavior)
    assert found["exploitability"] == Fraction(11, 24)


@pytest.mark.parametrize("seed", range(4))
def test_reading_policies_by_state_gives_the_numbers_of_the_whole_tree(seed):
    game = RepeatedGame.of("chicken", rounds=3)
    policies = random_reactive(game, np.random.default_rng(seed))
    read, whole = assess(game, policies, acts_on=ActsOn.LAST_OBSERVATION), assess(game, policies)
    read.verify()
    for what in ("return", "gain"):
        assert numbers(read, what, game) == numbers(whole, what, game)


@pytest.mark.parametrize("seed", range(3))
def test_first_states_count_by_their_chances(seed):
    sides = ("left", "right")
    game = posg_from_tables(
        players=["Ann", "Bob"],
        actions=[sides, sides],
        initial={"sun": "1/3", "rain": "2/3"},
        transitions={(s, (a, b)): {s: 1} for s in ("sun", "rain") for a in sides for b in sides},
        rewards={
            (s, (a, b), s): (k + (a == b), -k - 2 * (a == "left"))
            for k, s in enumerate(("sun", "rain"))
            for a in sides
            for b in sides
        },
        initial_observations={s: {(s, s): 1} for s in ("sun", "rain")},
        observations={
            ((a, b), s): {(s, s): 1} for s in ("sun", "rain") for a in sides for b in sides
        },
        horizon=2,
    )
    policies = random_reactive(game, np.random.default_rng(seed))
    read, whole = assess(game, policies, acts_on=ActsOn.LAST_OBSERVATION), assess(game, policies)
    for what in ("return", "gain"):
        assert numbers(read, what, game) == numbers(whole, what, game)


def test_long_games_are_judged_by_state_only():
    game = RepeatedGame.of("prisoners_dilemma", rounds=40)
    defect = (gt.policy_from(lambda seen: point_mass("defect")),) * 2
    with pytest.raises(gt.UnsupportedGame, match="max_nodes"):
        assess(game, defect)
    found = assess(game, defect, acts_on=ActsOn.LAST_OBSERVATION)
    assert (found["nash_conv"], found["return/player 1"]) == (0, 40)


def test_endless_game_with_a_discount_is_judged_by_state():
    game = RepeatedGame.of("prisoners_dilemma", rounds=None, discount=Fraction(1, 2))
    found = assess(game, gt.uniform_policies(game), acts_on=ActsOn.LAST_OBSERVATION)
    found.verify()
    assert found["return/player 1"] == Fraction(9, 4) * 2
    assert found["nash_conv"] > 0


def test_horizon_stops_the_game():
    game = RepeatedGame.of("prisoners_dilemma", rounds=None)
    found = assess(game, gt.uniform_policies(game), horizon=2)
    assert found["return/player 1"] == Fraction(9, 2)


def test_policy_with_two_lotteries_in_one_state_is_refused():
    game = posg_from_tables(
        players=["Ann"],
        actions=[["left", "right"]],
        initial={"here": 1},
        transitions={("here", (a,)): {"here": 1} for a in ("left", "right")},
        rewards={("here", ("left",), "here"): (1,)},
        initial_observations={"here": {("sun",): "1/2", ("rain",): "1/2"}},
        observations={((a,), "here"): {("sun",): 1} for a in ("left", "right")},
        horizon=2,
    )
    by_weather = reactive({"sun": point_mass("left"), "rain": point_mass("right")})
    with pytest.raises(
        gt.UnsupportedGame, match="needs one mixed action for each state.*in state 'here'"
    ):
        assess(game, (by_weather,), acts_on=ActsOn.LAST_OBSERVATION)
    assert assess(game, (by_weather,))["return/Ann"] == Fraction(3, 2)


def test_turn_taking_game_is_refused_by_state():
    with pytest.raises(
        gt.UnsupportedGame, match="needs a POSG for policies of the last observation"
    ):
        assess(GAMES[3], gt.uniform_policies(GAMES[3]), acts_on=ActsOn.LAST_OBSERVATION)


@pytest.mark.parametrize("game", [*GAMES, gt.load_game("chicken"), gt.load_game("one_card_poker")])
def test_missing_policy_is_refused(game):
    with pytest.raises(gt.InvalidStrategy, match="needs a policy for each of"):
        assess(game, ())


@pytest.mark.parametrize(
    ("option", "message"), [({"acts_on": "history"}, "acts_on"), ({"max_nodes": 0}, "max_nodes")]
)
def test_wrong_options_are_refused(option, message):
    with pytest.raises(gt.InvalidArgument, match=message):
        assess(GAMES[0], gt.uniform_policies(GAMES[0]), **option)


def appraisals():
    dilemma = RepeatedGame.of("prisoners_dilemma", rounds=2)
    endless = RepeatedGame.of("chicken", rounds=None, discount=Fraction(9, 10))
    return [
        assess(dilemma, gt.uniform_policies(dilemma)),
        assess(dilemma, gt.uniform_policies(dilemma), acts_on=ActsOn.LAST_OBSERVATION),
        assess(endless, gt.uniform_policies(endless), acts_on=ActsOn.LAST_OBSERVATION),
        assess(
            gt.load_game("take_away:piles=2,tokens=3"),
            gt.uniform_policies(gt.load_game("take_away:piles=2,tokens=3")),
        ),
    ]


def from_file(found):
    """What a file of an appraisal says."""
    record = parse_json(json.dumps(appraisal_record(found)), name="file")
    certificates = tuple(map(certificate_from, record["certificates"].items()))
    return Appraisal(
        record["game"].text(), record["method"].text(), findings_from(record), certificates
    )


@pytest.mark.parametrize("found", appraisals(), ids=lambda found: found.certificates[0].kind)
def test_appraisal_comes_back_from_its_record_and_verifies(found):
    back = from_file(found)
    back.verify()
    assert back.findings == found.findings
    assert [c.statement for c in back.certificates] == [c.statement for c in found.certificates]


def test_finding_that_its_certificate_does_not_prove_is_rejected():
    found = appraisals()[0]
    raised = replace(found.findings[0], value=found.findings[0].value + 1)
    with pytest.raises(gt.CertificateRejected, match=r"'return/player 1' is 11/2 without one"):
        replace(found, findings=(raised, *found.findings[1:])).verify()


def test_estimates_are_named_so():
    estimate = Finding("return/player 1", 1.5, Standing.SAMPLED, 0.25)
    found = Appraisal("a game", "sampled", (estimate,))
    assert "about 1.5 +- 0.25 (sampled, standard error)" in found.text
    back = from_file(found)
    assert back == found


def test_text_says_what_is_proved():
    found = appraisals()[0]
    assert "return/player 1 4.5 = 9/2 (proved)" in found.text
    assert "certified: an epsilon-Nash equilibrium" in found.text
    assert found.rows()[0]["value"] == Fraction(9, 2)


def test_appraisal_shows_itself_in_a_line_a_finding():
    found = appraisals()[0]
    title, *lines = repr(found).splitlines()
    assert title == f"{found.game}: {found.method}"
    for line, finding in zip(lines, found.findings, strict=True):
        assert line.startswith(f"  {finding.name} ")


def test_foreign_certificates_prove_nothing_here():
    with pytest.raises(gt.InvalidArgument, match="needs a certificate of NashCertificate"):
        findings_of(Distribution(uniform([1]).items))


@pytest.mark.parametrize("name", ["prisoners_dilemma", "kuhn_poker", "repeated_prisoners_dilemma"])
@pytest.mark.parametrize("wrong", [(1, 2), 5, ([1, 0], [0, 1]), (None, None)])
def test_what_are_no_policies_is_refused(name, wrong):
    with pytest.raises(gt.InvalidStrategy, match=r"needs policies, one a player, .* but got"):
        assess(gt.load_game(name), wrong)


def test_what_is_no_game_is_refused():
    with pytest.raises(gt.UnsupportedGame, match="assess: needs a POSG or an AEC game, but got 3"):
        assess(3, ())
