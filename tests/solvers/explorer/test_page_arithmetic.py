"""What the page computes is what the core computes: exactly where it says so, else to rounding."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gametheory_core import deviation_gains, expected_payoffs, load_game, uniform_behavior
from gametheory_core.evaluation import (
    action_payoffs,
    counterfactual_reach,
    counterfactual_values,
    reach_probabilities,
)
from gametheory_core.formats import game_record, profile_record
from gametheory_core.games.properties import has_perfect_recall
from gametheory_core.testing.generators import (
    behavioral_profiles,
    extensive_form_games,
    forgetful_games,
    mixed_profiles,
    normal_form_games,
    rationals,
)
from tests.page_scripts import run_scripts

SCRIPTS = ["arithmetic", "matrix_game", "tree_game", "profiles"]
FEW = settings(max_examples=15)
NUMBERS = st.fractions() | rationals() | st.just(Fraction(10**60 + 1, 3**70))


def run(script, given_value):
    return run_scripts("solvers.explorer", SCRIPTS, script, given_value)


def evaluated(game, profile, *, remembers=True):
    """What the page says of a profile, numbers as texts; None where it says nothing."""
    script = """(() => {
        const record = given.game;
        const game = record.kind === "normal-form" ? matrixGame(record) : treeGame(record);
        game.remembers = given.remembers;
        const found = game.evaluate(profileOf(game, given.profile));
        const text = (own) => (own === null || own === undefined ? null
            : Array.isArray(own) ? own.map(text) : game.arithmetic.text(own));
        return { arithmetic: game.arithmetic.name,
                 ...Object.fromEntries(Object.entries(found).map(([k, own]) => [k, text(own)])) };
    })()"""
    told = {
        "game": game_record(game),
        "profile": profile_record(game, profile),
        "remembers": remembers,
    }
    return run(script, told)


def fractions(texts):
    return tuple(map(Fraction, texts))


@FEW
@given(a=NUMBERS, b=NUMBERS)
def test_fractions_are_those_of_python(a, b):
    script = """(() => {
        const [a, b] = given.map(readFraction), t = EXACT.text;
        return [t(EXACT.add(a, b)), t(EXACT.subtract(a, b)), t(EXACT.multiply(a, b)),
                b.n === 0n ? "0" : t(EXACT.divide(a, b)), `${EXACT.compare(a, b)}`,
                `${EXACT.number(a)}`];
    })()"""
    *exact, sign, number = run(script, [str(a), str(b)])
    assert fractions(exact) == (a + b, a - b, a * b, a / b if b else 0)
    assert int(sign) == (a > b) - (a < b)
    assert float(number) == pytest.approx(float(a), rel=1e-15)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1/3", "1/3"),
        (" 2 / 6 ", "1/3"),
        ("0.1", "1/10"),
        (".5", "1/2"),
        ("1.", "1"),
        ("−1", "-1"),
        ("-0.25", "-1/4"),
        ("2e-3", "1/500"),
        ("3E2", "300"),
    ],
)
def test_what_is_typed_is_read_exactly(text, value):
    assert run("EXACT.text(readFraction(given))", text) == value


@pytest.mark.parametrize(
    "text", ["", ".", "1/0", "a", "1/", "1//2", "1/-2", "0x1", "1 2", "e5", "NaN"]
)
def test_what_is_no_number_is_not_read(text):
    assert run("readFraction(given)", text) is None


def test_numbers_are_shown_exactly_where_that_is_short():
    told = ["1/3", "-1/3", "123456789", "-1/12345678901", "-1e999", "20000001/10000000"]
    shown = run("given.map((own) => shown(EXACT, readFraction(own)))", told)
    assert shown == ["1/3", "−1/3", "123456789", "≈−8.1e−11", "≈−1e999", "≈2"]


@FEW
@given(data=st.data())
def test_normal_forms_are_evaluated_as_the_core_does(data):
    game = data.draw(normal_form_games())
    profile = data.draw(mixed_profiles(game))
    found = evaluated(game, profile)
    assert found["arithmetic"] == "exact"
    assert fractions(found["payoffs"]) == tuple(expected_payoffs(game, profile))
    assert fractions(found["gains"]) == tuple(deviation_gains(game, profile))
    for player, values in enumerate(found["values"]):
        assert fractions(values) == tuple(action_payoffs(game, profile, player=player))


@FEW
@given(data=st.data())
def test_trees_are_evaluated_as_the_core_does(data):
    game = data.draw(extensive_form_games())
    profile = data.draw(behavioral_profiles(game))
    found = evaluated(game, profile)
    assert found["arithmetic"] == "exact"
    assert fractions(found["payoffs"]) == tuple(expected_payoffs(game, profile))
    assert fractions(found["gains"]) == tuple(deviation_gains(game, profile))
    assert fractions(found["total"]) == tuple(reach_probabilities(game, profile))


@FEW
@given(data=st.data())
def test_actions_at_information_sets_pay_their_counterfactual_values(data):
    """Of a set that the others let play come to: what an action pays on average there."""
    game = data.draw(extensive_form_games())
    profile = data.draw(behavioral_profiles(game))
    found = evaluated(game, profile)
    for player in range(game.num_players):
        values = counterfactual_values(game, profile, player=player)
        for s, by_action in zip(values.infosets, values.action_values, strict=True):
            own = [value for value in found["values"][s] if value is not None]
            weight = _weight(game, profile, player, s)
            expected = [value / weight for value in by_action] if weight else []
            assert fractions(own) == tuple(expected)


def _weight(game, profile, player, s):
    reach = counterfactual_reach(game, profile, player=player)
    return sum(reach[v] for v in range(game.num_nodes) if game.node_infoset[v] == s)


@FEW
@given(data=st.data())
def test_trees_of_players_who_forget_have_payoffs_and_no_best_responses(data):
    game = data.draw(forgetful_games())
    profile = data.draw(behavioral_profiles(game))
    found = evaluated(game, profile, remembers=bool(has_perfect_recall(game)))
    assert fractions(found["payoffs"]) == tuple(expected_payoffs(game, profile))
    assert (found["gains"] is None) == (not has_perfect_recall(game))


def test_large_games_are_evaluated_in_floats():
    game = load_game("leduc_poker")
    profile = uniform_behavior(game)
    found = evaluated(game, profile)
    assert found["arithmetic"] == "float"
    for name, expected in (
        ("payoffs", expected_payoffs(game, profile)),
        ("gains", deviation_gains(game, profile)),
    ):
        assert [float(own) for own in found[name]] == pytest.approx(list(map(float, expected)))


def test_deep_trees_do_not_exhaust_the_stack():
    game = load_game("centipede:rounds=900")
    profile = uniform_behavior(game)
    found = evaluated(game, profile)
    assert fractions(found["gains"]) == tuple(deviation_gains(game, profile))


@FEW
@given(data=st.data())
def test_probabilities_stay_a_distribution_when_one_changes(data):
    game = data.draw(normal_form_games())
    vector = [str(share) for share in data.draw(mixed_profiles(game)).strategies[0]]
    action = data.draw(st.integers(0, len(vector) - 1))
    share = data.draw(st.fractions(0, 1))
    if len(vector) == 1:
        return
    script = """(() => {
        const vector = given.vector.map(readFraction);
        const typed = withShare(EXACT, vector, given.action, readFraction(given.share));
        const slid = withSlider(EXACT, vector, given.action, given.steps);
        return [typed, slid].map((own) => own.map(EXACT.text));
    })()"""
    steps = int(share * 100)
    typed, slid = run(
        script, {"vector": vector, "action": action, "share": str(share), "steps": steps}
    )
    assert fractions(typed)[action] == share
    assert fractions(slid)[action] == Fraction(steps, 100)
    others = [Fraction(own) for k, own in enumerate(vector) if k != action]
    left = [own for k, own in enumerate(fractions(typed)) if k != action]
    for new in (typed, slid):
        assert sum(fractions(new)) == 1
        assert min(fractions(new)) >= 0
    if sum(others):
        assert [own * sum(others) for own in left] == [own * (1 - share) for own in others]


def test_uniform_play_is_where_a_page_without_answers_begins():
    game = load_game("rock_paper_scissors")
    script = "uniformProfile(matrixGame(given)).map((row) => row.map(EXACT.text))"
    assert run(script, game_record(game)) == [["1/3"] * 3] * 2
