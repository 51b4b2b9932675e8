"""What an oracle makes of a policy: laws over follower policies, and what they pay."""

from fractions import Fraction

import pytest

from gametheory_core import InvalidArgument, InvalidGame, InvalidStrategy, leaders
from gametheory_core.catalog import RepeatedGame
from gametheory_core.distributions import distribution, point_mass, uniform
from tests.core.leaders.scripted_oracle import Scripted

VIEW = leaders.leader_view(
    RepeatedGame.of("prisoners_dilemma")
)  # cooperate, defect: 3 3, 0 5, 5 0, 1 1
REST = (-1,) * 4
GIVE, TAKE = (leaders.DeterministicLeader((a, *REST)) for a in (0, 1))
KIND, HARD = (leaders.StationaryFollower((b, *REST)) for b in (0, 1))
ORACLE = Scripted(
    {"start": ()},
    {("start", "cooperate"): uniform(["kind", "any"]), ("start", "defect"): point_mass("hard")},
    {"kind": KIND, "hard": HARD, "any": distribution({KIND: "1/4", HARD: "3/4"})},
)


def test_chance_of_the_oracle_and_of_the_follower_add_up():
    assert dict(leaders.oracle_response(VIEW, ORACLE, GIVE)) == {
        KIND: Fraction(5, 8),
        HARD: Fraction(3, 8),
    }
    assert leaders.oracle_returns(VIEW, ORACLE, GIVE) == (Fraction(15, 8), Fraction(15 + 15, 8))


def test_each_plan_is_answered_by_itself():
    policy = leaders.MemoizedLeader((GIVE, TAKE), (Fraction(1, 3), Fraction(2, 3)))
    expected = Fraction(1, 3) * Fraction(15, 8) + Fraction(2, 3)
    assert leaders.oracle_returns(VIEW, ORACLE, policy)[0] == expected


def test_policy_that_draws_afresh_is_refused():
    coin = leaders.StochasticLeader(((Fraction(1, 2),) * 2, (), (), (), ()))
    with pytest.raises(InvalidStrategy, match="draws afresh has no one answer"):
        leaders.oracle_returns(VIEW, ORACLE, coin)
    with pytest.raises(InvalidArgument, match="policy to be of type DeterministicLeader"):
        leaders.oracle_response(VIEW, ORACLE, coin)


def test_query_about_what_is_never_seen_is_refused():
    oracle = Scripted({"start": "sky"}, {})
    with pytest.raises(InvalidGame, match="the oracle asks about 'sky'. Those are ()"):
        leaders.oracle_response(VIEW, oracle, GIVE)


def test_rules_are_no_view():
    with pytest.raises(InvalidArgument, match=r"Call leader_view\(game\)"):
        leaders.oracle_response(RepeatedGame.of("chicken"), ORACLE, GIVE)
