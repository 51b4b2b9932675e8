"""What checks print as a counterexample is code: with public names only, it runs and shows it."""

import ast
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import conversions, testing
from gametheory_core.conversions import Preserved
from gametheory_core.errors import LawBroken
from gametheory_core.games import list_aec, list_posg, stop_aec, stop_posg
from gametheory_core.testing.laws import outcome_law
from tests.laws.changed_rules import Changed
from tests.sample_sizes import examples

PUBLIC = (
    "gametheory_core",
    "gametheory_core.catalog",
    "gametheory_core.conversions",
    "gametheory_core.distributions",
    "gametheory_core.games",
    "gametheory_core.testing",
)
SEEDS = st.integers(0, 2**16)


def seeded(seed=0):
    return np.random.default_rng(seed)


def run(printed, **names):
    """Evaluate what was printed, as somebody does who has imported all public names."""
    scope = {"Fraction": Fraction, "array": np.array}
    for room in PUBLIC:
        exec(f"from {room} import *", scope)  # noqa: S102  (public names are what is tested)
    return eval(printed, {**scope, **names})  # noqa: S307  (our own output)


def code_at(text, start):
    """The code that begins there: up to the last bracket with which it can be read."""
    for match in reversed([*re.finditer(r"\)", text[start:])]):
        try:
            ast.parse(text[start : start + match.end()], mode="eval")
        except SyntaxError:
            continue
        return text[start : start + match.end()]
    raise AssertionError(text)


def made_of_posgs(game):
    yield game
    yield stop_posg(game, steps=1)
    yield conversions.posg_to_aec(game).target


def made_of_aec_games(game):
    yield game
    yield stop_aec(game, moves=2)
    yield conversions.aec_to_posg(game).target


@examples(20)
@given(testing.posgs(), testing.aecs(), SEEDS)
def test_drawn_games_their_forms_plays_and_profiles_are_code(posg, aec, seed):
    for game in (*made_of_posgs(posg), *made_of_aec_games(aec)):
        assert run(repr(game)) == game
        for profile in (
            testing.random_profile(game, rng=seeded(seed)),
            testing.balanced_profile(game),
            *testing.pure_profiles(game, rng=seeded(seed), most=1),
        ):
            law = outcome_law(game, profile)
            assert outcome_law(game, run(repr(profile), game=game)) == law
            assert {run(repr(play)): weight for play, weight in law.items()} == law


@pytest.mark.parametrize(
    "game", [gt.load_game("tiger"), gt.load_game("random_order_team"), gt.load_game("seen_choice")]
)
def test_dispatched_and_stopped_games_of_the_catalogue_are_code(game):
    forms = [game]
    if hasattr(game, "next_player"):
        forms += [stop_aec(game, moves=2), conversions.add_dispatch(game).target]
    else:
        forms += [stop_posg(game, steps=2)]
    for form in forms:
        assert run(repr(form)) == form


def test_profiles_of_matrices_and_trees_are_code():
    for game in (gt.load_game("chicken"), gt.load_game("one_card_poker")):
        profile = testing.random_profile(game, rng=seeded())
        assert run(repr(profile)) == profile


LAWLESS = {
    "POSG": list_posg(
        players=["Ann"],
        actions=[["a", "b"]],
        initial={"s": 1},
        transitions={("s", ("a",)): {"s": "1/2", "t": "1/2"}},
        horizon=2,
    ),
    "AEC": list_aec(
        players=["Ann"],
        actions=[["a"]],
        initial_state="s",
        chances={"s": {"s": "1/3", "t": "2/3"}},
        moves={},
        turns={("s", -1, gt.games.NULL, "s"): {-1: 1}},
        terminal=["over"],
    ),
}


@pytest.mark.parametrize("kind", LAWLESS)
def test_the_game_that_a_check_of_rules_prints_breaks_the_law_again(kind):
    check = testing.check_posg if kind == "POSG" else testing.check_aec
    with pytest.raises(LawBroken, match="needs") as broken:
        check(LAWLESS[kind], rng=seeded())
    game = run(code_at(str(broken.value), 0))
    assert game == LAWLESS[kind]
    with pytest.raises(LawBroken, match=re.escape(str(broken.value))):
        check(game, rng=seeded())


PENNIES = list_posg(
    players=["Ann", "Bob"],
    actions=[["H", "T"], ["H", "T"]],
    initial={"start": 1},
    transitions={("start", (a, b)): {"end": 1} for a in "HT" for b in "HT"},
    rewards={("start", ("H", "H"), "end"): (1, -1)},
    terminal=["end"],
    horizon=1,
)


@pytest.mark.parametrize("claim", Preserved)
def test_the_game_and_the_profile_that_the_check_of_conversions_prints_show_it(claim):
    def other(state, joint_action, next_state):
        return (Fraction(joint_action == ("T", "T")), Fraction(2))

    honest = conversions.posg_to_aec(PENNIES)
    target = conversions.posg_to_aec(Changed(PENNIES, reward=other)).target
    wrong = conversions.Conversion(PENNIES, target, honest.correspondence, frozenset({claim}))
    with pytest.raises(LawBroken, match=re.escape(claim.value)) as broken:
        testing.check_conversion(wrong, rng=seeded())
    text = str(broken.value)
    source = run(code_at(text, text.index("list_posg(")))
    assert source == PENNIES
    shown = re.search(r"The profile of the (source|target) is ", text)
    game = source if shown[1] == "source" else target
    profile = run(code_at(text, shown.end()), game=game)
    assert outcome_law(game, profile) == outcome_law(game, broken.value.witness)
