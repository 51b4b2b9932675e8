"""Mediated certificates accept equilibria, and nothing that somebody gains by leaving."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import CertificateRejected, mediation
from solvers.mediation import jam_value_iteration
from tests.sample_sizes import examples
from tests.solvers.mediation.mediated_cases import mediated_cases, options_of

STRAIGHT, SWERVE, BRAKE = range(3)
CHICKEN = mediation.mediated_chicken(rounds=1)
BOTH_BRAKE = mediation.MediatedProfile((((BRAKE, BRAKE),),), ((0,),))
FULL = mediation.MediatorIncentives()
PLAIN = mediation.MediatorIncentives(stage=mediation.MediatorStage.PRE_FINAL)


def test_braking_is_an_equilibrium_under_threats():
    certificate = mediation.certify_mediated(CHICKEN, BOTH_BRAKE, incentives=FULL)
    certificate.verify()
    assert (certificate.returns, certificate.fairness) == ((6, 6), 6)
    assert certificate.is_subgame_perfect
    assert certificate.statement == (
        "no agent gains by leading otherwise at any node, and no other plan of the mediator is "
        "fairer at any node: fairness 6 (minimum)"
    )


def test_braking_is_none_without_threats():
    with pytest.raises(
        CertificateRejected,
        match=r"at step 0 in state 'round' after returns \(0, 0\) 'Player 1' gets 7 by 'straight' "
        r"and by its own action 6",
    ):
        mediation.certify_mediated(CHICKEN, BOTH_BRAKE, incentives=PLAIN)


def test_an_agent_that_is_never_picked_must_lead_well_too():
    lazy = mediation.MediatedProfile((((BRAKE, SWERVE),),), ((0,),))
    with pytest.raises(
        CertificateRejected, match="'Player 2' gets 2 by 'straight' and by its own action -3"
    ):
        mediation.certify_mediated(CHICKEN, lazy, incentives=FULL)


def test_an_unfair_pick_is_rejected():
    game = mediation.mediated_prisoners_dilemma(rounds=2)
    found = jam_value_iteration(game)
    leaders = found.profile.leaders
    last = mediation.mediated_histories(game).layers[1].returns.tolist().index([1, 2])
    assert leaders[1][last] == 0
    swapped = tuple(int(i == last) or x for i, x in enumerate(leaders[1]))
    with pytest.raises(CertificateRejected, match=r"needs the fairest leaders, but at step 1"):
        mediation.certify_mediated(
            game, replace(found.profile, leaders=(leaders[0], swapped)), incentives=FULL
        )


@examples(25)
@given(mediated_cases(horizons=(1, 3), max_states=2), st.data())
def test_no_claim_of_other_numbers_passes(case, data):
    game, incentives = case
    honest = jam_value_iteration(game, **options_of(incentives)).solution.certificate
    honest.verify()
    shift = data.draw(st.sampled_from([Fraction(1), Fraction(-1, 7)]))
    player = data.draw(st.integers(0, game.num_players - 1))
    returns = tuple(r + shift * (i == player) for i, r in enumerate(honest.returns))
    for forged in (
        replace(honest, fairness=honest.fairness + shift),
        replace(honest, returns=returns),
        replace(honest, returns=honest.returns[:-1]),
    ):
        with pytest.raises(CertificateRejected, match=r"claims (fairness|returns)"):
            forged.verify()


def test_plans_for_steps_are_judged_from_the_start():
    game = mediation.mediated_chicken(rounds=2)
    found = jam_value_iteration(game, memory=mediation.Memory.STEP)
    certificate = found.solution.certificate
    certificate.verify()
    assert not certificate.is_subgame_perfect
    assert "from the start by another plan" in certificate.statement
    selfish = replace(certificate.profile, actions=(((SWERVE, SWERVE),),) * 2)
    with pytest.raises(CertificateRejected, match="needs best plans of all agents, but 'Player"):
        mediation.certify_mediated(game, selfish, incentives=FULL)


def test_the_smallest_gain_by_another_plan_is_one():
    game = mediation.mediated_chicken(rounds=2)
    small = replace(game, rewards=game.rewards * Fraction(1, 1000))
    profile = jam_value_iteration(game, memory=mediation.Memory.STEP).profile
    mediation.certify_mediated(small, profile, incentives=FULL)
    selfish = replace(profile, actions=(((SWERVE, SWERVE),),) * 2)
    with pytest.raises(CertificateRejected, match="needs best plans of all agents, but 'Player"):
        mediation.certify_mediated(small, selfish, incentives=FULL)


def test_returns_to_come_count_as_much_as_they_are_discounted():
    """A has 2. One half of (0, 4) is as fair as can be; undiscounted, (2, 3) would look fairer."""
    game = mediation.mediated_game(
        players=["A", "B"],
        horizon=2,
        initial={"first": 1},
        actions=[["lead"], ["lead"]],
        play=lambda state, leader, _action: (
            (2, 0) if state == "first" else [(0, 4), (2, 3)][leader],
            {"second": 1},
        ),
        discount=Fraction(1, 2),
    )
    fair = mediation.MediatedProfile((((0, 0),), ((0, 0),)), ((0,), (0,)))
    assert mediation.certify_mediated(game, fair, incentives=PLAIN).fairness == 2
    with pytest.raises(CertificateRejected, match="the returns with 'A' are worth 2 and"):
        mediation.certify_mediated(game, replace(fair, leaders=((0,), (1,))), incentives=PLAIN)


def drawn_states():
    return mediation.mediated_game(
        players=["A", "B"],
        horizon=2,
        initial={"s": 1},
        actions=[["x"], ["x"]],
        play=lambda state, leader, _action: (
            (2, 0) if (state == "t") == leader else (0, 2),
            {"s": "1/2", "t": "1/2"},
        ),
    )


def test_where_states_are_drawn_fairness_is_that_of_expected_returns():
    certificate = jam_value_iteration(drawn_states()).solution.certificate
    certificate.verify()
    assert not certificate.has_fairest_plan
    assert (
        "and no single other pick of the mediator makes expected returns fairer at any node, later "
        "picks being as they are: fairness of expected returns"
    ) in certificate.statement


def test_plans_for_steps_have_no_certificate_where_states_are_drawn():
    profile = mediation.MediatedProfile(
        (((0, 0),), ((0, 0), (0, 0))), ((0,), (0,) * 4), agents=mediation.Memory.STEP
    )
    with pytest.raises(CertificateRejected, match="a game in which nothing is drawn"):
        mediation.certify_mediated(drawn_states(), profile, incentives=PLAIN)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        (
            {"incentives": replace(FULL, stage=mediation.MediatorStage.NAIVE)},
            "remembers returns unless",
        ),
        (
            {
                "profile": replace(
                    BOTH_BRAKE, agents=mediation.Memory.STEP, mediator=mediation.Memory.STEP
                )
            },
            "remembers returns unless its stage is NAIVE",
        ),
        (
            {
                "incentives": mediation.MediatorIncentives(
                    mediation.Fairness(mediation.FairnessKind.GINI, (Fraction(1),))
                )
            },
            "weights for each of 2 players",
        ),
        ({"profile": mediation.MediatedProfile((((BRAKE, 3),),), ((0,),))}, "needs legal actions"),
        ({"game": mediation.mediated_prisoners_dilemma(rounds=1)}, "needs legal actions"),
        ({"fairness": 6}, "as fairness, but it is of type int"),
        ({"incentives": "full"}, "as incentives, but it is of type str"),
    ],
)
def test_forged_fields_are_rejected(changes, complaint):
    honest = mediation.MediatedCertificate(
        CHICKEN, BOTH_BRAKE, FULL, (Fraction(6),) * 2, Fraction(6)
    )
    honest.verify()
    with pytest.raises(CertificateRejected, match=complaint):
        replace(honest, **changes).verify()


def test_a_measure_that_is_none_is_rejected_even_if_it_was_smuggled_in():
    measure = mediation.Fairness(mediation.FairnessKind.GINI, weights=(Fraction(1, 2),) * 2)
    object.__setattr__(measure, "weights", (Fraction(0), Fraction(1)))
    with pytest.raises(CertificateRejected, match="weights that do not increase"):
        mediation.certify_mediated(
            CHICKEN, BOTH_BRAKE, incentives=mediation.MediatorIncentives(measure)
        )


def test_losses_cannot_be_multiplied():
    nash = mediation.MediatorIncentives(
        mediation.Fairness(mediation.FairnessKind.NASH), mediation.MediatorStage.PRE_FINAL
    )
    game = mediation.mediated_prisoners_dilemma(rounds=1)
    defect = mediation.MediatedProfile((((1, 1),),), ((0,),))
    with pytest.raises(CertificateRejected, match="disagreement for the Nash measure"):
        mediation.certify_mediated(game, defect, incentives=nash)


def test_rules_are_part_of_the_claim():
    game = mediation.mediated_prisoners_dilemma(players=4)
    by_rule = {
        rule: jam_value_iteration(game, end_rule=rule).solution.certificate
        for rule in mediation.EndRule
    }
    with pytest.raises(CertificateRejected, match="mediated certificate: needs"):
        replace(
            by_rule[mediation.EndRule.EQUALIZE_CUMULATIVE],
            incentives=mediation.MediatorIncentives(
                mediation.MINIMUM, end_rule=mediation.EndRule.STEP_IDEAL
            ),
        ).verify()
