"""Tables of means: rankings, dominance, and files that read as they were written."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gametheory_core import InvalidArgument, MalformedFile
from learners.roshambo import PayoffTable, PopulationScores, largest_mean_bias
from tests.sample_sizes import examples

NAME = st.text(min_size=1, max_size=5).filter(str.isprintable)
NAMES = st.lists(NAME, min_size=1, max_size=4, unique=True)


@st.composite
def returns(draw, fewest=1):
    agents, bots = tuple(draw(NAMES)), tuple(draw(NAMES))
    shape = (len(agents), len(bots), draw(st.integers(fewest, 5)))
    paid = draw(arrays(np.int64, shape, elements=st.integers(-1000, 1000)))
    return agents, bots, paid


def same(one, other):
    for name in ("agents", "bots", "matches"):
        assert getattr(one, name) == getattr(other, name)
    for name in ("means", "standard_errors", "halves"):
        assert np.array_equal(getattr(one, name), getattr(other, name))


@examples(40)
@given(returns())
def test_files_read_as_they_were_written(drawn):
    table = PayoffTable.from_returns(*drawn)
    if table.matches == 1:
        assert table.standard_errors is table.halves is None
        assert PayoffTable.from_json(table.to_json()).halves is None
    else:
        same(PayoffTable.from_json(table.to_json()), table)
    text = table.to_csv()
    again = PayoffTable.from_csv(text, matches=table.matches)
    assert (again.agents, again.bots) == (table.agents, table.bots)
    assert (again.means == table.means).all()
    assert again.to_csv() == text


@examples(40)
@given(returns(fewest=2))
def test_a_row_is_what_the_scores_of_one_agent_say(drawn):
    agents, bots, paid = drawn
    table = PayoffTable.from_returns(*drawn)
    for agent, own in zip(agents, paid, strict=True):
        found, scores = table.standing(agent), PopulationScores(bots, own)
        assert found.population_return == pytest.approx(scores.population_return, abs=1e-9)
        assert found.standard_error == pytest.approx(scores.population_return_error, abs=1e-9)
        assert found.exploitability == scores.within_population_exploitability
        assert found.cross_fitted == scores.cross_fitted_exploitability
        assert found.aggregate_score == pytest.approx(scores.aggregate_score, abs=1e-9)
        assert found.nemesis == scores.nemesis
        assert list(table.means_of(agent)) == list(bots)


def test_agents_are_ranked_by_aggregate_scores():
    table = PayoffTable(("low", "high", "mid"), ("a", "b"), [[0, -9], [5, 5], [30, -9]], 50)
    assert [own.agent for own in table.ranking()] == ["high", "mid", "low"]
    best = table.ranking()[0]
    assert (best.aggregate_score, best.exploitability) == (10, -5)
    assert best.standard_error is best.cross_fitted is best.bias is None


@examples(40)
@given(returns(fewest=2))
def test_dominance_is_by_every_bot_and_surely_is_rarer(drawn):
    table = PayoffTable.from_returns(*drawn)
    for agent, row in zip(table.agents, table.means, strict=True):
        found = table.dominated(agent)
        expected = [
            own for own, means in zip(table.agents, table.means, strict=True) if (row > means).all()
        ]
        assert list(found) == expected
        assert agent not in found
        rare, often = (set(table.dominated(agent, error=error)) for error in (0.001, 0.4))
        assert rare <= often <= set(found)


def test_dominance_at_an_error_rate_is_the_welch_test():
    from scipy.stats import ttest_ind

    rng = np.random.default_rng(2)
    paid = np.rint(rng.normal([[[3.0]], [[0.0]]], [[[4.0]], [[9.0]]], size=(2, 1, 12)))
    table = PayoffTable.from_returns(("a", "b"), ("x",), paid)
    exact = ttest_ind(paid[0, 0], paid[1, 0], equal_var=False, alternative="greater").pvalue
    assert 0.01 < exact < 0.4
    assert table.dominated("a", error=exact * 1.001) == ("b",)
    assert table.dominated("a", error=exact * 0.999) == ()


def test_equals_are_claimed_to_be_dominated_no_more_often_than_stated():
    """With one bot the rate is met; with more it is lower."""
    rng = np.random.default_rng(7)
    claims = {1: 0, 3: 0}
    for bots in claims:
        names = tuple(map(str, range(bots)))
        for _ in range(1000):
            paid = rng.normal(0, 26, size=(2, bots, 10))
            table = PayoffTable.from_returns(("a", "b"), names, paid)
            claims[bots] += bool(table.dominated("a", error=0.1))
    assert abs(claims[1] - 100) < 5 * math.sqrt(90)
    assert claims[3] < 10


def test_sure_means_dominate_surely():
    table = PayoffTable.from_returns(("a", "b"), ("x",), [[[5, 5]], [[4, 4]]])
    assert table.dominated("a", error=0.001) == ("b",)


def test_what_is_no_table_is_refused():
    with pytest.raises(InvalidArgument, match="'a' stands twice"):
        PayoffTable(("a", "a"), ("x",), [[1], [2]], 1)
    with pytest.raises(InvalidArgument, match="somebody in agents"):
        PayoffTable((), ("x",), np.zeros((0, 1)), 1)
    with pytest.raises(InvalidArgument, match=r"each on a line, but there is 'a\\r'"):
        PayoffTable(("a\r",), ("x",), [[1]], 1)
    with pytest.raises(InvalidArgument, match=r"finite means of shape \(1, 1\)"):
        PayoffTable(("a",), ("x",), [[math.nan]], 1)
    with pytest.raises(InvalidArgument, match="halves of shape"):
        PayoffTable(("a",), ("x",), [[1]], 2, halves=[[1]])
    with pytest.raises(InvalidArgument, match="matches"):
        PayoffTable(("a",), ("x",), [[1]], 0)
    with pytest.raises(InvalidArgument, match="returns of shape"):
        PayoffTable.from_returns(("a",), ("x",), [[1]])
    table = PayoffTable(("a",), ("x",), [[1]], 1)
    with pytest.raises(InvalidArgument, match="an agent of the table, but got 'b'"):
        table.standing("b")
    with pytest.raises(InvalidArgument, match="with standard errors"):
        table.dominated("a", error=0.05)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "a line of bots"),
        ("row_bot,x\n", "it has 1 lines"),
        ("row_bot,x\na,1,2\n", "1 numbers, but the line of 'a' is '1,2'"),
        ("row_bot,x\na,one\n", "the line of 'a' is 'one'"),
        ("row_bot,x\na,1\na,2\n", "'a' stands twice"),
        ("row_bot,x\na,nan\n", "finite means"),
    ],
)
def test_files_that_are_no_tables_say_where(text, words):
    with pytest.raises(MalformedFile, match=f"pairs.csv: .*{words}"):
        PayoffTable.from_csv(text, matches=1, name="pairs.csv")


def test_records_that_are_no_tables_say_where():
    text = PayoffTable(("a",), ("x",), [[1]], 3).to_json()
    for old, new, words in (
        ("payoff-table/1", "payoff-table/9", "payoff-table/1"),
        ('"matches": 3', '"matches": "3"', "an integer"),
        ("1.0", '"one"', "a finite number"),
        ('"a"', '"a", "b"', "finite means of shape"),
    ):
        assert old in text
        with pytest.raises(MalformedFile, match=words):
            PayoffTable.from_json(text.replace(old, new))


def test_the_bias_of_the_largest_mean_has_known_values():
    assert largest_mean_bias([4], [3]) == pytest.approx(0, abs=1e-9)
    assert largest_mean_bias([1, 1], [0, 0]) == 0
    # of two: the root of (a + b) / 2 pi, with variances a and b; of three: 3 s over 2 roots of pi
    assert largest_mean_bias([5, 5], [1, 2]) == pytest.approx(math.sqrt(5 / (2 * math.pi)))
    assert largest_mean_bias([0] * 3, [2] * 3) == pytest.approx(3 / math.sqrt(math.pi))
    assert largest_mean_bias([0, 0], [1, 0]) == pytest.approx(1 / math.sqrt(2 * math.pi))
    assert largest_mean_bias([0, 50], [1, 1]) == pytest.approx(0, abs=1e-9)


@examples(60)
@given(st.floats(-6, 6), st.floats(-6, 6), st.floats(0, 5), st.booleans())
def test_the_bias_of_two_is_what_clark_found_in_1961_at_any_scales(one, two, apart, turned):
    errors = [10.0**one, 10.0**two]
    both = math.hypot(*errors)
    density = math.exp(-(apart**2) / 2) / math.sqrt(2 * math.pi)
    exact = both * (density - apart * math.erfc(apart / math.sqrt(2)) / 2)
    found = largest_mean_bias([7, 7 - apart * both], errors[:: -1 if turned else 1])
    assert found == pytest.approx(exact, rel=1e-6)


def test_the_bias_of_many_is_that_of_drawn_means():
    rng = np.random.default_rng(4)
    for means, errors in (([0, -3, 5], [2, 0, 4]), ([0, -1, -900], [1, 1e-3, 1e3])):
        drawn = (rng.normal(size=(200_000, 3)) * errors + means).max(axis=1) - max(means)
        error = drawn.std() / math.sqrt(len(drawn))
        assert largest_mean_bias(means, errors) == pytest.approx(drawn.mean(), abs=4 * error)


@pytest.mark.parametrize(
    ("means", "errors", "needs"),
    [
        (["a"], [1], "needs finite means, but got"),
        ([[1], [1, 2]], [1], "needs finite means, but got"),
        ([0], [1j], "needs finite standard errors, but got"),
        ([0], [math.nan], "needs finite standard errors, but got"),
        ([0], [-1], "standard errors of at least 0, but one is -1"),
        ([], [], "a mean and a standard error for each bot"),
        (3, 4, "a mean and a standard error for each bot"),
    ],
)
def test_what_has_no_bias_is_refused(means, errors, needs):
    with pytest.raises(InvalidArgument, match=needs):
        largest_mean_bias(means, errors)


@pytest.mark.parametrize("wrong", [[[[1j, 2]]], [[["x", "y"]]], [[[1, 2], [1]]], [[[math.nan, 1]]]])
def test_returns_that_are_no_numbers_are_refused(wrong):
    with pytest.raises(InvalidArgument, match="finite returns of shape"):
        PayoffTable.from_returns(("a",), ("b",), wrong)


def test_a_table_does_not_contradict_itself():
    with pytest.raises(InvalidArgument, match="standard_errors of at least 0, but one is -1"):
        PayoffTable(("a",), ("b",), [[1.0]], 2, [[-1.0]])
    for matches, halves in ((2, (0.0, 2.0)), (3, (0.5, 2.0)), (3, (1.0, 1.0))):
        PayoffTable(("a",), ("b",), [[1.0]], matches, None, np.reshape(halves, (2, 1, 1)))
        wrong = np.reshape(halves[::-1], (2, 1, 1)) + 1e-6
        with pytest.raises(InvalidArgument, match="halves whose mean .* 'a' against 'b' it is"):
            PayoffTable(("a",), ("b",), [[1.0]], matches, None, wrong)
    text = PayoffTable.from_returns(("a",), ("b",), [[[1, 3]]]).to_json()
    for old, new in ((" 1.0", " -1.0"), (" 3.0", " 4.0")):
        with pytest.raises(MalformedFile, match="my.json: needs|my.json: PayoffTable: needs"):
            PayoffTable.from_json(new.join(text.rsplit(old, 1)), name="my.json")
    for names in ((1,), ("",), "a"):
        with pytest.raises(InvalidArgument, match="agents"):
            PayoffTable(names, ("b",), [[1.0]], 2)


@examples(30)
@given(st.lists(st.tuples(st.floats(-50, 50), st.floats(0, 20)), min_size=1, max_size=6))
def test_the_bias_is_positive_and_largest_at_equal_means(drawn):
    means, errors = map(list, zip(*drawn, strict=True))
    bias, most = largest_mean_bias(means, errors), largest_mean_bias([0] * len(errors), errors)
    assert -1e-6 <= bias <= most + 1e-3


def test_the_bias_of_what_has_no_errors_is_refused():
    with pytest.raises(InvalidArgument, match="a mean and a standard error for each"):
        largest_mean_bias([1, 2], [1])
    with pytest.raises(InvalidArgument, match="at least 0"):
        largest_mean_bias([1], [-1])
