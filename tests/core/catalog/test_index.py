"""The catalogue's list: every game builds, says where it is from, and bad requests are refused."""

from pathlib import Path

import pytest

from gametheory_core import InvalidArgument, UnsupportedGame, catalog

PAGE = Path(__file__).parents[3] / "docs" / "catalog.md"
FOLK = {"indifference", "degenerate", "forgetful_bit", "reversing_order"}
FOLK |= {"listen_wait_guess", "seen_choice", "public_coin", "private_coins"}
FOLK |= {"fair_payment", "sure_payment", "steady_pay", "paid_leadership"}


@pytest.mark.parametrize("name", catalog.catalog())
def test_page_has_the_game(name):
    page = PAGE.read_text(encoding="utf-8")
    is_there = f"`{name}`" in page or f"`{name}:" in page
    assert is_there, f"name {name} in a table of docs/catalog.md, with what it shows"


@pytest.mark.parametrize("name", catalog.catalog())
def test_game_builds_with_title_summary_and_source(name):
    entry = catalog.catalog()[name]
    game = catalog.load(name)
    assert entry.name == name
    assert game.title
    assert 20 < len(entry.summary) <= 100
    assert bool(entry.source) == (name not in FOLK)


@pytest.mark.parametrize("name", catalog.catalog())
def test_defaults_written_out_give_the_same_game(name):
    parameters = catalog.catalog()[name].parameters
    if parameters:
        settings = ",".join(f"{key}={value}" for key, value in parameters.items())
        assert catalog.load(f"{name}:{settings}") == catalog.load(name)
    else:
        with pytest.raises(InvalidArgument, match=r"needs parameters KEY=VALUE \(none\)"):
            catalog.load(f"{name}:size=2")


def test_parameter_changes_the_game():
    assert catalog.load("kuhn_poker:cards=4") != catalog.load("kuhn_poker")
    assert catalog.load("coordination: size = 2").num_actions == (2, 2)


@pytest.mark.parametrize(
    ("specification", "message"),
    [
        ("khun_poker", "kuhn_poker"),
        ("zzz", "gametheory list"),
        ("", "gametheory list"),
        ("kuhn_poker:", "KEY=VALUE"),
        ("kuhn_poker:card=3", r"cards=3.*'card=3'"),
        ("kuhn_poker:cards", "'cards'"),
        ("kuhn_poker:cards=two", "integer for cards, but got 'two'"),
        ("kuhn_poker:cards=1/2", "integer for cards, but got '1/2'"),
        ("kuhn_poker:cards=3,cards=4", "given twice"),
        ("kuhn_poker:cards=1", "got 1"),
        ("kuhn_poker:cards=3,players=4", "got 3"),
        ("kuhn_poker:players=1", "got 1"),
        ("kuhn_poker:cards=317", "at most 100,000 deals, but 317 cards .* make 100,172"),
        ("kuhn_poker:cards=1000", "make 999,000. Choose fewer cards"),
        ("leduc_poker:ranks=1", "ranks \\* suits"),
        ("leduc_poker:raises=-1", "got -1"),
        ("liars_dice:sides=0", "got 0"),
        ("liars_dice:dice=0", "got 0"),
        ("goofspiel:cards=0", "got 0"),
        ("goofspiel:cards=101", "got 101"),
        ("oshi_zumo:coins=0", "got 0"),
        ("oshi_zumo:horizon=0", "got 0"),
        ("phantom_tic_tac_toe:in_a_row=-1", "got -1"),
        ("centipede:rounds=0", "got 0"),
        ("coordination:size=0", "got 0"),
        ("indifference:size=-1", "got -1"),
        ("von_stengel:size=5", "got 5"),
        ("repeated_matching_pennies:rounds=0", "got 0"),
        ("repeated_prisoners_dilemma:recall=-1", "got -1"),
        ("rir_rps:repetitions=0", "got 0"),
        ("tiger:horizon=0", "got 0"),
        ("cleanup_fixed_order:agents=4", "got 4"),
        ("reversing_order:seats=5", "got 5"),
        ("pursuit_paid_after:side=1", "got 1"),
        ("take_away:most=0", "got 0"),
        ("mediated_prisoners_dilemma:players=1", "got 1"),
        ("mediated_chicken:players=17", "2 to 16, but got 17"),
        ("mediated_battle_of_the_sexes:rounds=0", "got 0"),
        ("resource_collection_one_color:players=1", "got 1"),
        ("resource_collection_two_colors:rounds=1001", "got 1001"),
        ("resource_collection_grid:colors=3", "1 to 2, but got 3"),
        ("resource_collection_grid:players=10,size=3", "got 3"),
        ("paid_leadership:rounds=0", "got 0"),
        ("chicken_with_brakes:players=9", "got 9"),
        ("resource_agreement:players=1", "got 1"),
        ("seen_choice:coins=1", "none"),
    ],
)
def test_bad_request_is_refused_with_the_reason(specification, message):
    with pytest.raises(InvalidArgument, match=message):
        catalog.load(specification)


@pytest.mark.parametrize("game", ["liars_dice{}:sides=10", "leduc_poker_by_ranks{}:ranks=400"])
def test_trees_that_are_too_large_are_offered_without_a_tree(game):
    unbuilt = game.format("_ranges")
    with pytest.raises(UnsupportedGame, match=f"Ask for {unbuilt}, which is played") as caught:
        catalog.load(game.format(""))
    assert "tree. Or choose smaller parameters" in caught.value.remedy
    assert catalog.load(unbuilt).num_nodes > 10**7


def test_parameters_reach_the_rules():
    assert catalog.load(
        "repeated_rock_paper_scissors:rounds=7,recall=2"
    ) == catalog.RepeatedGame.of("rock_paper_scissors", rounds=7, recall=2)
    assert catalog.load("rir_rps:repetitions=3,recall=1") == catalog.RirRPS(repetitions=3, recall=1)
    assert catalog.load("tiger:horizon=5") == catalog.Tiger(horizon=5)
    assert catalog.load("cleanup_random_order:agents=3,horizon=4") == catalog.Cleanup(
        catalog.Resolution.RANDOM, agents=3, horizon=4
    )
    assert catalog.load("reversing_order:seats=4") == catalog.ReversingOrder(seats=4)
    assert catalog.load("pursuit_paid_after:side=4,cycles=3") == catalog.Pursuit(
        catalog.RewardTime.AFTER_EVADER, side=4, cycles=3
    )
    assert catalog.load("take_away:piles=3,tokens=9,most=2") == catalog.TakeAway(
        piles=3, tokens=9, most=2
    )


@pytest.mark.parametrize(
    ("name", "resolution"),
    [
        ("cleanup_fixed_order", catalog.Resolution.FIXED),
        ("cleanup_random_order", catalog.Resolution.RANDOM),
        ("cleanup_simultaneous", catalog.Resolution.SIMULTANEOUS),
    ],
)
def test_cleanup_names_say_how_beams_are_resolved(name, resolution):
    assert catalog.load(name).resolution is resolution


def test_pursuit_names_say_when_rewards_are_paid():
    assert catalog.load("pursuit_paid_before").reward_time is catalog.RewardTime.BEFORE_EVADER
    assert catalog.load("pursuit_paid_after").reward_time is catalog.RewardTime.AFTER_EVADER


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("coordination:sice=3", r"Did you mean size\?$"),
        ("repeated_matching_pennies:rund=3", r"Did you mean rounds\?$"),
        ("coordination:zebra=3", "is not one of them[.]$"),
        ("coordination:size=3,size=4", "is given twice[.]$"),
    ],
)
def test_misspelt_parameters_are_refused_with_the_nearest(name, hint):
    with pytest.raises(InvalidArgument, match=hint):
        catalog.load(name)
