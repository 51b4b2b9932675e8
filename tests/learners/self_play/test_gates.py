"""Gates keep whom they say, and open as their definition says, match by match."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument
from learners.self_play import (
    Append,
    BinomialTest,
    CoarseCorrelated,
    DeltaUniform,
    KeepLatest,
    Menagerie,
    MetaGame,
    Naive,
    Record,
    RollingWindow,
    SelfPlayScheme,
    delta_limit_uniform,
    delta_uniform,
    fictitious,
    naive,
    present_and_past,
    prioritized,
    psro,
)
from learners.self_play.gates import binomial_tail
from learners.self_play.menagerie import grown

OUTCOMES = st.lists(st.sampled_from([0, Fraction(1, 2), 1]), max_size=40)
WINS = [1, 1, 1, 1]


def only(law):
    """Return the one menagerie that follows."""
    ((menagerie, weight),) = law.items
    assert weight == 1
    return menagerie


def opens_by_definition(outcomes, *, needed, matches):
    """Look after each match at the last ones; who has not played yet has lost."""
    for played in range(1, len(outcomes) + 1):
        window = outcomes[max(0, played - matches) : played]
        if sum(outcome == 1 for outcome in window) >= needed:
            return True
    return False


def test_windows_of_any_length_take_no_memory():
    gate = RollingWindow("1/2", 10**18)
    assert not gate.opens([1] * 50)
    assert RollingWindow(Fraction(1, 10**17), 10**18).opens([1] * 10)
    with pytest.raises(InvalidArgument, match="matches to be an integer from 1 to 20000"):
        gate.chance()


def test_blocks_too_large_for_exact_sums_are_refused():
    assert BinomialTest(matches=20_000).wins(1) == 10_134
    with pytest.raises(InvalidArgument, match="from 1 to 20000, but got 20001. .* smaller ones"):
        BinomialTest(matches=20_001)


@given(OUTCOMES, st.integers(1, 12), st.integers(1, 12))
def test_a_rolling_window_opens_as_defined(outcomes, share, matches):
    gate = RollingWindow(Fraction(share, 12), matches)
    needed = next(w for w in range(1, matches + 1) if Fraction(w, matches) >= Fraction(share, 12))
    assert gate.wins == needed
    expected = opens_by_definition(outcomes, needed=needed, matches=matches)
    assert gate.opens(outcomes) == expected
    assert gate.opens(np.array(outcomes, dtype=float)) == expected


@given(OUTCOMES, st.integers(2, 6), st.lists(st.integers(0, 40), max_size=4))
def test_results_looked_at_before_need_not_be_looked_at_again(outcomes, matches, cuts):
    ends = sorted({0, *(min(cut, len(outcomes)) for cut in cuts), len(outcomes)})
    for gate in (RollingWindow("2/3", matches), BinomialTest(error="9/10", matches=matches)):
        found = any(gate.opens(outcomes[:b], seen=a) for a, b in pairwise(ends))
        assert found == gate.opens(outcomes)


def test_what_was_seen_is_not_looked_at_again():
    assert RollingWindow("3/4", 4).opens([1] * 20 + [0] * 4)
    assert not RollingWindow("3/4", 4).opens([1] * 20 + [0] * 4, seen=22)
    test = BinomialTest(error="1/2", matches=4)
    assert test.opens([1] * 20 + [0] * 4)
    assert not test.opens([1] * 20 + [0] * 4, seen=23)


@pytest.mark.parametrize("gate", [RollingWindow(0.5, 3), BinomialTest(0.5, 3)], ids=repr)
@pytest.mark.parametrize(
    ("given", "match"),
    [
        *(
            ({"outcomes": outcomes}, "opens: needs outcomes to be a sequence of results, 1 for a w")
            for outcomes in (None, 3, "111", b"1", {1: 1}, [[1], [1, 0]], np.zeros((2, 2)))
        ),
        *(
            ({"outcomes": outcomes}, "^outcomes: .*needs (a )?finite number")
            for outcomes in ([None], ["won"], [True], [1, np.nan, 1], np.array([np.inf]))
        ),
        ({"outcomes": [1, 2]}, "needs outcomes from 0 to 1, but one is 2"),
        ({"outcomes": np.array([0.5, -1.0])}, "needs outcomes from 0 to 1, but one is -1"),
        *(
            ({"outcomes": [1, 1], "seen": seen}, "needs seen to be an integer from 0 to 2, but got")
            for seen in (None, "x", np.inf, np.nan, 1.5, -1, 3, True)
        ),
    ],
)
def test_what_are_no_results_is_refused(gate, given, match):
    with pytest.raises(InvalidArgument, match=match):
        gate.law(("old",), "new", **given)


def test_missing_matches_are_lost():
    gate = RollingWindow("3/4", 4)
    assert not gate.opens([1, 1])
    assert gate.opens([1, 1, 1])
    assert not gate.opens([1, 0, 0, 0, 1, 1])
    assert gate.opens([1, 0, 1, 1, 0, 0, 0])
    assert not gate.opens([Fraction(1, 2)] * 9)
    assert not gate.opens([])


@given(OUTCOMES, st.integers(2, 6))
def test_a_test_opens_in_the_first_block_with_enough_wins(outcomes, matches):
    gate = BinomialTest(error="9/10", matches=matches)
    expected = False
    for block in range(len(outcomes) // matches):
        bound = 0.9 * 6 / (np.pi * (block + 1)) ** 2
        won = sum(outcome == 1 for outcome in outcomes[block * matches : (block + 1) * matches])
        expected |= binomial_tail(won, matches, Fraction(1, 2)) <= bound
    assert gate.opens(outcomes) == expected


def test_wins_that_prove_something():
    gate = BinomialTest(error=0.05, matches=50)
    assert [gate.wins(block) for block in (1, 2, 3)] == [33, 35, 35]
    short = BinomialTest(error=0.3, matches=3)
    assert short.wins(1) == 3
    assert short.wins(2) is None  # not even three of three
    assert not short.opens([0, 0, 0, 1, 1, 1])
    assert not short.opens([0, 0, 0, 1, 1, 1], seen=3)  # it is the second block even so
    assert BinomialTest(error=0.3, matches=3, rate="1/10").wins(1) == 2


def test_tails_are_exact():
    assert [binomial_tail(k, 3, Fraction(1, 3)) for k in range(-1, 5)] == [
        1, 1, Fraction(19, 27), Fraction(7, 27), Fraction(1, 27), 0,
    ]  # fmt: skip


def test_gates_keep_whom_they_say():
    old = Menagerie(("a", "b"), records=(Record(), Record(Fraction(1), 2)), ratings=(1.0, 2.0, 3.0))
    assert only(KeepLatest().law(old, "new")).snapshots == ("new",)
    kept = only(Append().law(old, "new"))
    assert kept.snapshots == ("a", "b", "new")
    assert kept.records == (*old.records, Record())
    assert kept.ratings == (1.0, 2.0, 3.0, 3.0)
    assert kept.win_rates is None
    for gate in (RollingWindow("3/4", 4), BinomialTest(error="1/2", matches=4)):
        assert only(gate.law(old, "new")) is old
        assert only(gate.law(old, "new", outcomes=[0] * 9)) is old
        assert only(gate.law(old, "new", outcomes=WINS)).snapshots == ("a", "b", "new")
        assert only(gate.law(["a"], "new", outcomes=WINS)).snapshots == ("a", "new")


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: RollingWindow(0), "RollingWindow: needs a share above 0, .* Use Append"),
        (lambda: RollingWindow("2"), "share from 0 to 1"),
        (lambda: RollingWindow("nan"), "share from 0 to 1"),
        (lambda: RollingWindow(matches=0), "matches"),
        (lambda: RollingWindow(matches=2.5), "matches"),
        (lambda: BinomialTest(error=0), "BinomialTest: needs error above 0 and below 1"),
        (lambda: BinomialTest(error=1), "BinomialTest: needs error above 0 and below 1"),
        (lambda: BinomialTest(rate="1"), "BinomialTest: needs rate above 0 and below 1"),
        (lambda: BinomialTest(matches=0), "matches"),
        (lambda: BinomialTest(error=0.05, matches=5), "needs a gate that can open, but 5 matches"),
        (lambda: BinomialTest(rate="99/100"), "needs a gate that can open"),
        (lambda: RollingWindow().chance(2), "needs a finite rate of at least 0 and at most 1"),
        (lambda: BinomialTest().wins(0), "BinomialTest.wins: needs block .* of at least 1, but go"),
        (lambda: BinomialTest().wins("a"), "BinomialTest.wins: needs block to be an integer"),
    ],
)
def test_gates_that_are_always_open_or_never_are_refused(make, match):
    with pytest.raises(InvalidArgument, match=match):
        make()


@pytest.mark.parametrize(
    "gate", [KeepLatest(), Append(), RollingWindow(), BinomialTest()], ids=repr
)
def test_gates_look_at_menageries(gate):
    with pytest.raises(InvalidArgument, match="needs a menagerie, but got"):
        gate.law("old", "new")
    with pytest.raises(InvalidArgument, match="needs at least one snapshot"):
        gate.law((), "new")


def test_schemes_are_pairs():
    assert naive() == SelfPlayScheme(Naive(), KeepLatest())
    assert delta_uniform(0.5) == SelfPlayScheme(DeltaUniform("1/2"), Append())
    assert psro().gate == RollingWindow("18/25", 50)
    assert psro(BinomialTest()).gate == BinomialTest()
    assert psro(sampling=Naive()).sampling == Naive()
    assert present_and_past("1/3").sampling.present == Fraction(1, 3)
    for scheme in (delta_limit_uniform(), fictitious(), prioritized(), present_and_past()):
        assert scheme.gate == Append()


@pytest.mark.parametrize(
    ("sampling", "gate", "match"),
    [
        (Naive, Append(), "SelfPlayScheme: needs sampling to be a policy sampling distribution"),
        ("naive", Append(), "SelfPlayScheme: needs sampling"),
        (Append(), Naive(), "SelfPlayScheme: needs sampling"),
        (Naive(), Append, "SelfPlayScheme: needs gate to be a gate, such as"),
        (Naive(), None, "SelfPlayScheme: needs gate"),
        (Naive(), Naive(), "SelfPlayScheme: needs gate to be a gate, .* KeepLatest, Append"),
        (Naive(), "", "SelfPlayScheme: needs gate"),
        ([], Append(), "SelfPlayScheme: needs sampling"),
    ],
)
@pytest.mark.parametrize("make", [SelfPlayScheme, lambda sampling, gate: psro(gate, sampling)])
def test_schemes_of_other_things_are_refused(make, sampling, gate, match):
    if make is not SelfPlayScheme and gate is None:
        return  # the gate of PSRO
    with pytest.raises(InvalidArgument, match=match):
        make(sampling, gate)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"snapshots": ()}, "Menagerie: needs at least one snapshot"),
        ({"snapshots": 5}, "snapshots"),
        ({"win_rates": [[0.5]]}, r"Menagerie: needs win_rates of shape \(2, 2\) for 2 snapshots"),
        ({"win_rates": [["x", 1], [0, 1]]}, "Menagerie: win_rates"),
        ({"win_rates": [[0.5, 2], [-1, 0.5]]}, "Menagerie: win_rates: needs win rates from 0 to 1"),
        ({"win_rates": [[0.5, 0.7], [0.4, 0.5]]}, r"Menagerie: win_rates: needs pairs with W\[i"),
        ({"win_rates": [["2/3", 0], [1, "1/2"]]}, "Menagerie: win_rates: needs 1/2 on the diag"),
        ({"payoffs": [[0.0]]}, "Menagerie: needs payoffs of 2 entries an axis for 2 snapshots"),
        ({"payoffs": [["x", 1], [0, 1]]}, "Menagerie: payoffs"),
        ({"payoffs": np.full((2, 2), np.nan)}, "Menagerie: payoffs"),
        ({"ratings": (1500.0, "strong", 1500.0)}, r"Menagerie: needs a finite ratings\[1\]"),
        ({"ratings": (1500.0, 1500.0, np.nan)}, r"Menagerie: needs a finite ratings\[2\]"),
        ({"records": (Record(),)}, "Menagerie: needs records of 2 entries, or none"),
        ({"records": (1, 2)}, r"records\[0\]"),
        ({"ratings": (1500.0, 1500.0)}, "Menagerie: needs ratings of 3 entries, or none"),
    ],
)
def test_menageries_that_do_not_fit_together_are_refused(options, match):
    with pytest.raises(InvalidArgument, match=match):
        Menagerie(**{"snapshots": ("a", "b"), **options})


@pytest.mark.parametrize(
    ("points", "matches", "match"),
    [
        (-5, 2, "Record: needs a finite points of at least 0 and at most 2, but got -5"),
        (3, 2, "Record: needs a finite points .* at most 2, but got 3"),
        (np.nan, 2, "Record: needs a finite points"),
        ("1", 2, "Record: needs a finite points"),
        (0, -1, "Record: needs matches to be an integer of at least 0"),
        (0, 1.5, "Record: needs matches"),
    ],
)
def test_records_of_no_matches_are_refused(points, matches, match):
    with pytest.raises(InvalidArgument, match=match):
        Record(points, matches)


def test_float_win_rates_may_miss_one_by_rounding():
    assert Fraction(0.7) + Fraction(0.3) != 0.7 + 0.3
    kept = Menagerie(("a", "b"), win_rates=[[0.5, 0.7], [0.3, 0.5]])
    assert MetaGame().weights(kept) == (1, 0, 0)


def test_payoffs_may_be_lists():
    kept = Menagerie(("a", "b"), payoffs=[[0, 3], [1, 0]])
    assert len(CoarseCorrelated().law(kept)) == 2
    assert not kept.payoffs.flags.writeable


def test_menageries_are_sequences_that_nothing_changes():
    rates = np.array([[0.5, 1.0], [0.0, 0.5]])
    menagerie = Menagerie(["a", "b"], win_rates=rates)
    rates[0, 1] = 0.0
    assert menagerie.win_rates[0, 1] == 1.0
    assert not menagerie.win_rates.flags.writeable
    assert (menagerie[0], menagerie[-1], menagerie[1:]) == ("a", "b", ("b",))
    assert [*menagerie] == ["a", "b"]
    assert (len(menagerie), menagerie.live) == (2, 2)
    assert repr(menagerie) == "Menagerie(2 snapshots; win_rates)"


def test_newcomers_grow_win_rates_by_a_row_and_its_mirror():
    exact = np.array([Fraction(1, 4), Fraction(1, 3)], dtype=object)
    two = grown(grown(None, exact[:0]), exact[:1])
    assert two.tolist() == [[Fraction(1, 2), Fraction(3, 4)], [Fraction(1, 4), Fraction(1, 2)]]
    three = grown(two, exact)
    assert (three == 1 - three.T).all()
    assert three[2].tolist() == [*exact, Fraction(1, 2)]
    assert (three[:2, :2] == two).all()
