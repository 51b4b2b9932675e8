"""Depth is no limit: a chain of 5,000 decisions is evaluated, exactly, without recursion."""

from fractions import Fraction

import pytest

import gametheory_core as gt
from gametheory_core.evaluation import counterfactual_values, reach_probabilities
from gametheory_core.games import has_perfect_recall, is_absent_minded, lay_out

LENGTH = 5_000
STOP, GO = 0, 1


@pytest.fixture(scope="module")
def chain():
    """Ann and Bob move in turn; who stops at step k ends the game with payoffs (k, -k)."""

    def expand(step):
        if step == LENGTH or isinstance(step, tuple):
            paid = step[0] if isinstance(step, tuple) else LENGTH
            return gt.Terminal([paid, -paid])
        return gt.Decision(step % 2, step, {"stop": (step,), "go": step + 1})

    return lay_out(0, expand=expand, players=("Ann", "Bob"))


def test_the_chain_is_as_deep_as_it_says(chain):
    assert len(chain.level_offset) == LENGTH + 2
    assert has_perfect_recall(chain)
    assert not is_absent_minded(chain)


def test_tossing_coins_stops_early(chain):
    fair = gt.uniform_behavior(chain)
    mean = 1 - Fraction(1, 2**LENGTH)  # the number of heads in a row, at most LENGTH
    assert gt.expected_payoffs(chain, fair).tolist() == [mean, -mean]
    assert min(reach_probabilities(chain, fair)) == Fraction(1, 2**LENGTH)


def test_going_on_for_ever_is_no_equilibrium(chain):
    certificate = gt.certify_nash(chain, gt.pure_behavior(chain, [GO] * LENGTH))
    assert certificate.payoffs == (LENGTH, -LENGTH)
    assert certificate.deviation_gains == (0, LENGTH - 1)  # Bob stops at step 1
    response = gt.best_response(chain, certificate.profile, player=1)
    assert response.value == -1
    assert response.actions[0] == STOP


def test_counterfactual_values_reach_the_bottom(chain):
    found = counterfactual_values(chain, gt.pure_behavior(chain, [GO] * LENGTH), player=0)
    assert found.values.tolist() == [LENGTH] * (LENGTH // 2)
    assert found.action_values[-1].tolist() == [LENGTH - 2, LENGTH]
