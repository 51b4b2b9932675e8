"""POSGs with naive followers as mediated games: the same play, or a refusal with its witness."""

from dataclasses import fields, replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import mediation
from gametheory_core.catalog import RepeatedGame, Tiger
from gametheory_core.conversions import Preserved
from gametheory_core.distributions import Distribution, point_mass
from gametheory_core.errors import LawBroken
from gametheory_core.games import list_posg, stop_posg
from gametheory_core.testing import check_conversion
from tests.core.conversions.markov_rules import equilibria, markov_rules

FALL_IN = {"straight": "swerve", "swerve": "straight", "brake": "brake"}


def repeated(stage, rounds=4):
    """The stage game again and again, with nothing to see but that."""
    return RepeatedGame(stage, rounds=rounds, recall=0)


def same(others):
    """All others do as the leader does."""
    return lambda _state, _leader, action: (action,) * others


def renamed(game):
    """The game with the catalogue's name of its one state."""
    return replace(game, states=("round",))


def fall_in(others):
    return lambda _state, _leader, action: (FALL_IN[action],) * others


@pytest.mark.parametrize("players", [2, 4, 5])
def test_chicken_of_the_catalogue_is_that_of_matrices(players):
    game = repeated(mediation.chicken_with_brakes(players=players))
    found = mediation.mediate(game, responses=fall_in(players - 1))
    assert renamed(found.target) == mediation.mediated_chicken(players=players)


def test_chicken_of_three_is_none_of_matrices_as_a_second_one_would_go_straight():
    """What the two straight ones then get is what they get when the third one leads and swerves."""
    message = "'Player 1' leads with 'straight' .* gets 2 by the response 'swerve' and would get 7"
    with pytest.raises(gt.UnsupportedGame, match=message):
        mediation.mediate(repeated(mediation.chicken_with_brakes(players=3)), responses=fall_in(2))


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize(
    ("catalogued", "colors"),
    [
        (mediation.resource_collection_one_color, {"red", "green"}),
        (mediation.resource_collection_two_colors, {"red", "blue", "green"}),
    ],
)
def test_resources_of_the_catalogue_are_those_of_matrices(players, catalogued, colors):
    def follow(_, leader, resource):
        can_lead = resource in colors & {mediation.preferred_color(leader), "green"}
        return (resource,) * (players - 1) if can_lead else None

    game = repeated(mediation.resource_agreement(players=players), rounds=2)
    assert renamed(mediation.mediate(game, responses=follow).target) == catalogued(players=players)


def test_battle_of_the_sexes_pays_the_preferred_place():
    stage = RepeatedGame.of("battle_of_the_sexes", rounds=1, recall=0)
    target = mediation.mediate(stage, responses=mediation.naive_responses(stage)).target
    assert target.rewards.tolist() == [[3, 2], [2, 3], [3, 2], [2, 3]]
    ranks = [
        [x > y for x, y in [row]]
        for row in mediation.mediated_battle_of_the_sexes().rewards.tolist()
    ]
    assert ranks == [[x > y for x, y in [row]] for row in target.rewards.tolist()]


def test_dilemma_of_the_catalogue_pays_by_role_as_no_matrix_does():
    target = mediation.mediated_prisoners_dilemma()
    both = [target.rewards[target.row(0, leader, 0)].tolist() for leader in range(2)]
    assert both == [[2, 1], [1, 2]]  # the same joint action, but for who led
    dilemma = RepeatedGame.of("prisoners_dilemma", recall=0)
    message = (
        r"'Player 1' leads with 'cooperate' in state \(\) player 'Player 2' gets 3 by the response "
        r"'cooperate' and would get 5 by 'defect'"
    )
    with pytest.raises(gt.UnsupportedGame, match=message.replace("Player ", "")):
        mediation.mediate(dilemma, responses=same(1))


def test_mapping_and_function_give_the_same_game():
    game = repeated(mediation.chicken_with_brakes())
    table = {((), i, a): (b,) for i in range(2) for a, b in FALL_IN.items()}
    by_table = mediation.mediate(game, responses=table)
    assert (
        by_table.target == mediation.mediate(game, responses=mediation.naive_responses(game)).target
    )
    assert by_table.preserves == {Preserved.PAYOFFS_TO_SOURCE, Preserved.OUTCOMES_TO_SOURCE}


def test_horizon_stops_a_game_without_one():
    endless = RepeatedGame(
        mediation.chicken_with_brakes(), rounds=None, recall=0, discount=Fraction(1, 2)
    )
    responses = mediation.naive_responses(endless, horizon=3)
    game = mediation.mediate(endless, responses=responses, horizon=3).target
    assert (game.horizon, game.discount) == (3, Fraction(1, 2))
    with pytest.raises(gt.UnsupportedGame, match="known number of steps, .* has horizon None"):
        mediation.mediate(endless, responses=responses)
    with pytest.raises(gt.UnsupportedGame, match="has horizon 0"):
        mediation.mediate(stop_posg(endless, steps=0), responses=responses)


def test_plays_that_are_over_before_their_first_step_go_back():
    perhaps = list_posg(
        players=["Ann"],
        actions=["ab"],
        initial={"here": "1/3", "over": "2/3"},
        initial_observations={"here": {("here",): 1}},
        transitions={("here", (a,)): {"over": 1} for a in "ab"},
        rewards={("here", ("b",), "over"): (1,)},
        terminal=["over"],
        horizon=1,
    )
    conversion = mediation.mediate(perhaps, responses=mediation.naive_responses(perhaps))
    check_conversion(conversion, rng=np.random.default_rng(0))


def test_game_that_is_over_before_its_first_step_is_refused():
    over = list_posg(
        players=["Ann"],
        actions=["a"],
        initial={"end": 1},
        transitions={},
        terminal=["end"],
        horizon=1,
    )
    for function in (mediation.naive_responses, lambda game: mediation.mediate(game, responses={})):
        with pytest.raises(gt.UnsupportedGame, match="in which somebody moves, .* in state 'end'"):
            function(over)


@pytest.mark.parametrize(
    ("responses", "error", "message"),
    [
        (5, gt.InvalidArgument, "responses to be a function, but got 5"),
        (lambda *_: "swerve", gt.InvalidArgument, r"legal actions of the 1 others, .* is 'swerve'"),
        (lambda *_: ("fly",), gt.InvalidArgument, r"is \('fly',\). Legal are \(\('straight'"),
        (lambda *_: ("brake",) * 2, gt.InvalidArgument, r"is \('brake', 'brake'\)"),
        (lambda *_: None, gt.UnsupportedGame, r"somebody who can lead .* in state \(\)"),
        ({}, gt.UnsupportedGame, "there is no response to anybody's action"),
        (
            lambda _s, i, a: (FALL_IN[a],) if i else None,
            gt.InvalidGame,
            "at least one action of 'Player 1', but has none",
        ),
        (
            lambda _s, _i, _a: ("brake",),
            gt.UnsupportedGame,
            "'Player 2' gets 0 by the response 'brake' and would get 2 by 'swerve'",
        ),
        (
            {
                **{((), i, a): (b,) for i in range(2) for a, b in FALL_IN.items()},
                ((), 0, "fly"): ("brake",),
            },
            gt.InvalidArgument,
            r"play can reach, but there is one to \(\(\), 0, 'fly'\)",
        ),
    ],
)
def test_what_is_no_naive_response_is_refused_with_the_step(responses, error, message):
    with pytest.raises(error, match=message):
        mediation.mediate(repeated(mediation.chicken_with_brakes()), responses=responses)


def test_response_that_changes_is_refused():
    answers = iter([("swerve",), ("straight",)])
    with pytest.raises(gt.InvalidArgument, match=r"gives \('swerve',\) and then \('straight',\)"):
        mediation.mediate(
            repeated(mediation.chicken_with_brakes()), responses=lambda *_: next(answers)
        )


def test_control_in_words_is_refused():
    with pytest.raises(gt.InvalidArgument, match="member of StateControl as control"):
        mediation.mediate(repeated(mediation.chicken_with_brakes()), responses={}, control="leader")


def test_player_who_does_not_see_the_state_is_refused():
    with pytest.raises(gt.UnsupportedGame, match=r"^mediate: needs .* each player sees the state"):
        mediation.mediate(Tiger(), responses=same(1))


def moving(moves):
    """Two players, two actions, no rewards; ``moves`` says which joint actions lead to 'there'."""
    joints = list(product("ab", repeat=2))
    return list_posg(
        players=["Ann", "Bob"],
        actions=["ab", "ab"],
        initial={"here": 1},
        transitions={
            (s, joint): {"there" if joint in moves else "here": 1}
            for s in ("here", "there")
            for joint in joints
        },
        observations={(joint, s): {(s, s): 1} for s in ("here", "there") for joint in joints},
        initial_observations={"here": {("here", "here"): 1}},
        horizon=2,
    )


def test_follower_who_moves_the_state_is_refused_unless_told_otherwise():
    game = moving([("a", "b")])
    message = r"'Ann' leads with 'a' in state 'here' they are \{'here': 1\} after \('a', 'a'\) and "
    with pytest.raises(gt.UnsupportedGame, match=message + r"\{'there': 1\} after \('a', 'b'\)"):
        mediation.mediate(game, responses=same(1))
    target = mediation.mediate(
        game, responses=same(1), control=mediation.StateControl.EVERYBODY
    ).target
    assert target.states == ("here",)


def test_leader_who_alone_moves_the_state_is_refused_as_another_may_lead():
    with pytest.raises(gt.UnsupportedGame, match="'Bob' leads with 'a' in state 'here'"):
        mediation.mediate(moving([("a", "a"), ("a", "b")]), responses=same(1))


@st.composite
def mediated_rules(draw, **options):
    """Rules with a published map of naive responses, the first found, and the conversion."""
    game = draw(markov_rules(**options))
    table = {}
    for state in ("s", "t"):
        for leader, action in [(i, a) for i, own in enumerate(game.actions) for a in own]:
            found = equilibria(game, state, leader, action)
            table[state, leader, action] = draw(st.sampled_from(found)) if found else None
    assume(None not in table.values())
    control = mediation.StateControl.EVERYBODY
    return mediation.mediate(game, responses=lambda *key: table[key], control=control)


@given(
    st.booleans().flatmap(lambda noisy: mediated_rules(controlled=True, noisy=noisy)),
    st.integers(0, 2**32),
)
def test_profiles_go_back_with_their_plays_and_returns(conversion, seed):
    check_conversion(conversion, rng=np.random.default_rng(seed), num_profiles=1)


@pytest.mark.parametrize("claim", [Preserved.PAYOFFS_TO_SOURCE, Preserved.OUTCOMES_TO_SOURCE])
def test_profiles_that_go_back_to_something_else_break_the_law(claim):
    game = repeated(mediation.chicken_with_brakes(), rounds=2)
    honest = mediation.mediate(game, responses=mediation.naive_responses(game))

    class Braking(type(honest.correspondence)):
        def to_source(self, profile):
            _, *others = super().to_source(profile)
            return (gt.policy_from(lambda _: point_mass("brake")), *others)

    ways = Braking(**{f.name: getattr(honest.correspondence, f.name) for f in fields(Braking)})
    wrong = replace(honest, correspondence=ways, preserves=frozenset({claim}))
    with pytest.raises(LawBroken, match=claim.value):
        check_conversion(wrong, rng=np.random.default_rng(0))


def test_profile_of_the_posg_has_no_image():
    game = repeated(mediation.chicken_with_brakes())
    conversion = mediation.mediate(game, responses=mediation.naive_responses(game))
    with pytest.raises(gt.InvalidStrategy, match="does not say who leads"):
        conversion.correspondence.to_target(gt.uniform_policies(game))


def test_policy_asked_where_the_profile_never_leads_says_so():
    game = moving([("a", "b")])
    ways = mediation.mediate(
        game, responses=same(1), control=mediation.StateControl.EVERYBODY
    ).correspondence
    profile = mediation.MediatedProfile((((0, 0),),) * 2, ((0,), (0,)))
    policy = ways.to_source(profile)[1]
    assert policy["here", "a", "here"] == Distribution((("a", Fraction(1)),))
    with pytest.raises(gt.InvalidStrategy, match="'there' is none. Somebody has not done as the"):
        policy["here", "b", "there"]
