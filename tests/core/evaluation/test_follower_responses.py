"""Follower responses are best among all follower policies of their class, with the right ties."""

from fractions import Fraction

import numpy as np
import pytest

from gametheory_core.catalog.iterated import iterated_prisoners_dilemma
from gametheory_core.conversions.leader_view import leader_view
from gametheory_core.evaluation.follower_responses import (
    FollowerClass,
    FollowerTies,
    follower_response,
    leader_returns,
    response_returns,
)
from gametheory_core.strategies.leader_policies import DeterministicLeader, leader_policies
from gametheory_core.strategies.leader_text import leader_from_text

KINDS = [(kind, ties) for kind in FollowerClass for ties in FollowerTies]


@pytest.mark.parametrize(("kind", "ties"), KINDS)
def test_many_leaders_at_once_get_what_each_gets_alone(kind, ties):
    view = leader_view(iterated_prisoners_dilemma(rounds=4))
    policies = list(leader_policies(view))
    table = response_returns(
        view, np.array([p.actions for p in policies]), follower_class=kind, ties=ties
    )
    alone = [follower_response(view, p, follower_class=kind, ties=ties) for p in policies]
    assert [table.pair(k) for k in range(len(policies))] == [answer.returns for answer in alone]
    assert [leader_returns(view, p, a.policy) for p, a in zip(policies, alone, strict=True)] == [
        answer.returns for answer in alone
    ]


def test_defecting_first_then_tit_for_tat_is_worth_what_the_source_finds():
    view = leader_view(iterated_prisoners_dilemma())
    leader = leader_from_text(view, "10101")
    assert isinstance(leader, DeterministicLeader)
    assert follower_response(view, leader).returns == (-11, -11)
    stationary = follower_response(view, leader, follower_class=FollowerClass.STATIONARY)
    assert stationary.returns == (Fraction(-9), Fraction(-12))
