"""Dodwadmath and Maghsudi 2025, sections 2.2 and 4: agents that know state and step alone.

The paper's leaders see the state and the step, not what has been paid. Such agents sustain less
fairness, and may have no equilibrium at all: in the dilemma of 4 steps none of 256 pairs of plans
is one if the mediator picks the poorest of equally fair leaders and makes no threats, and with
threats none is fairer than 4, the optimum being 6. By exhaustion over all pairs of plans, with the
mediator's exact picks at every node.

Why it matters (mediation): How much fairness can be had depends on what the agents can see: with
clocks alone there may be no equilibrium at all.
"""

import pytest

from gametheory_core import CertificateRejected, mediation
from solvers.mediation import InitialPolicies, fair_optimum, jam_value_iteration, mediator_response
from tests.theorems.step_plans import equilibria

SOURCE = "Dodwadmath and Maghsudi 2025"
exhaustive = pytest.mark.theorem(
    source=SOURCE,
    statement="Agents that plan for steps sustain at most 4 of 6 in the dilemma, and may have no "
    "equilibrium.",
)
DILEMMA = [[(2, 1), (3, -2)], [(1, 2), (-2, 3)]]
CHICKEN = [[(7, 2), (2, 7), (6, 6)], [(2, 7), (7, 2), (6, 6)]]
TWO_COLORS = [[(5, 1), (4, 4)], [(1, 5), (4, 4)]]


@exhaustive
@pytest.mark.parametrize(
    ("rewards", "rounds", "rule", "ties", "number", "pairs", "values"),
    [
        (DILEMMA, 4, None, "first", 1, 256, {3}),
        (DILEMMA, 4, None, "last", 1, 256, {3}),
        (DILEMMA, 4, None, "poorest", 0, 256, set()),
        (DILEMMA, 4, "step", "first", 9, 256, {1, 4}),
        (DILEMMA, 4, "step", "poorest", 8, 256, {4}),
        (DILEMMA, 4, "history", "first", 9, 256, {4}),
        (DILEMMA, 4, "history", "poorest", 8, 256, {4}),
        (DILEMMA, 2, "history", "first", 2, 16, {2}),
        (CHICKEN, 4, None, "first", 18, 6561, {8, 13, 17, 18, 20, 21}),
        (CHICKEN, 4, "history", "first", 123, 6561, {12, 17, 20, 21, 24}),
        (TWO_COLORS, 2, None, "first", 2, 16, {5, 6}),
        (TWO_COLORS, 2, "step", "first", 1, 16, {5}),
        (TWO_COLORS, 2, "history", "first", 4, 16, {5, 8}),
        (TWO_COLORS, 2, "history", "poorest", 3, 16, {8}),
    ],
)
def test_all_equilibria_in_plans_for_steps(rewards, rounds, rule, ties, number, pairs, values):
    found, count = equilibria(rewards, rounds, rule=rule, ties=ties)
    assert (len(found), count) == (number, pairs)
    assert {value for _, value in found} == values


@exhaustive
@pytest.mark.parametrize(
    ("game", "best"),
    [
        (mediation.mediated_prisoners_dilemma(), (4, 6)),
        (mediation.mediated_chicken(), (24, 24)),
        (mediation.resource_collection_two_colors(), (8, 8)),
    ],
)
def test_policies_on_histories_twin_reach_the_optimum(game, best):
    """Rounds on steps, where they come to rest at all, are at most as fair as ``best[0]``."""
    on_steps = [
        jam_value_iteration(game, memory=mediation.Memory.STEP, initial=initial)
        for initial in (InitialPolicies.SELFISH, InitialPolicies.FAIR)
    ]
    settled = [run.solution.certificate.fairness for run in on_steps if run.solution]
    assert max(settled, default=best[0]) <= best[0]
    assert jam_value_iteration(game).fairness == fair_optimum(game).fairness == best[1]


@exhaustive
@pytest.mark.parametrize(
    ("rewards", "game"),
    [
        (DILEMMA, mediation.mediated_prisoners_dilemma(rounds=2)),
        (TWO_COLORS, mediation.resource_collection_two_colors()),
    ],
)
@pytest.mark.parametrize("rule", [None, "step", "history"])
def test_certificates_know_the_equilibria_from_all_other_pairs(rewards, game, rule):
    stage = mediation.MediatorStage.FULL if rule else mediation.MediatorStage.PRE_FINAL
    end_rule = mediation.EndRule.STEP_IDEAL if rule == "step" else mediation.EndRule.HISTORY_IDEAL
    incentives = mediation.MediatorIncentives(mediation.MINIMUM, stage, end_rule)
    found = dict(equilibria(rewards, 2, rule=rule, ties="first")[0])
    sizes = [layer.num_nodes for layer in mediation.mediated_histories(game).layers]
    nobody = tuple((0,) * size for size in sizes)
    accepted = {}
    plans = [(a, b) for a in range(2) for b in range(2)]
    for pair in ((x, y) for x in plans for y in plans):
        actions = tuple(((own, other),) for own, other in zip(*pair, strict=True))
        profile = mediator_response(
            game,
            mediation.MediatedProfile(actions, nobody, agents=mediation.Memory.STEP),
            incentives=incentives,
        )
        if pair in found:
            accepted[pair] = mediation.certify_mediated(
                game, profile, incentives=incentives
            ).fairness
            continue
        with pytest.raises(CertificateRejected, match="needs best plans of all agents"):
            mediation.certify_mediated(game, profile, incentives=incentives)
    assert accepted == found
