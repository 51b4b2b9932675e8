"""Counts of chances are judged one by one, and corrected for how many are judged."""

from collections import Counter
from fractions import Fraction

import pytest

from gametheory_core import testing
from gametheory_core.errors import LawBroken
from gametheory_core.games import IDLE

HALF = Fraction(1, 2)


def coin(heads, tails):
    return testing.Group({"heads": HALF, "tails": HALF}, "reset", Counter(heads=heads, tails=tails))


def counted(*groups, move=0):
    named = {k: (f"coin {k}", group) for k, group in enumerate(groups)}
    return testing.ChanceCounts(("a", "b"), {move: named})


def test_one_uneven_coin_among_many_is_no_wonder():
    """16 of 20 has probability 1.2 %, which 40 even coins give somewhere four times in ten."""
    assert testing.check_chances(counted(*[coin(10, 10)] * 39, coin(16, 4)), level=0.05)[0] == 40
    with pytest.raises(LawBroken, match="'tails' came 4 times in 20 episodes: a share of 0.2"):
        testing.check_chances(counted(coin(16, 4)), level=0.05)


def test_later_moves_are_judged_at_smaller_levels():
    assert testing.check_chances(counted(coin(16, 4), move=1), level=0.05)[1] < 0.0119
    with pytest.raises(LawBroken, match="after 1 moves"):
        testing.check_chances(counted(coin(17, 3), move=1), level=0.05)


def test_few_draws_are_not_judged():
    assert testing.check_chances(counted(coin(19, 0)), level=0.5) == (0, 1.0)


def forecast(*labels):
    """One agent on turn sees one of some labels, equally likely."""
    moments = [
        testing.Moment((1,), (label,), (Fraction(0),) * 2, testing.End.RUNNING) for label in labels
    ]
    weight = Fraction(1, len(labels))
    return testing.Forecast(
        dict.fromkeys(moments, weight), {m: testing.Belief(k, ()) for k, m in enumerate(moments)}
    )


def test_situations_are_told_apart_and_added_up():
    counts = testing.ChanceCounts(("a", "b"))
    for situation, labels in enumerate([("Kh", "Kt"), ("Qh", "Qt")]):
        law = forecast(*labels)
        heads = next(iter(law.law))
        for _ in range(15):
            counts.add(2, situation, law, heads, "here")
    totals = sorted(group.counts.total() for _, group in counts.groups[2].values())
    assert totals == [15, 15, 15, 15, 30, 30]  # by situation, by law; by weights, both parts
    with pytest.raises(LawBroken, match="outcomes ordered by weight after 2 moves, such as: here"):
        testing.check_chances(counts, level=1e-4)


def test_agents_not_on_turn_see_nothing_by_chance():
    counts = testing.ChanceCounts(("a", "b"))
    law = forecast("x", "y")
    counts.add(0, (), law, next(iter(law.law)), "here")
    names = {name for name, _ in counts.groups[0].values()}
    assert not any("observation of a" in name for name in names)
    assert all(IDLE not in group.law for _, group in counts.groups[0].values())


def test_what_is_certain_is_not_counted():
    counts = testing.ChanceCounts(("a", "b"))
    law = forecast("x")
    counts.add(0, (), law, next(iter(law.law)), "here")
    assert counts.groups == {}
