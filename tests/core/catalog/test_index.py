"""The catalogue's list: every game builds, says where it is from, and bad requests are refused."""

import pytest

from gametheory_core.catalog.index import CATALOG, load
from gametheory_core.errors import InvalidArgument

FOLK = {"indifference", "degenerate", "forgetful_bit"}


@pytest.mark.parametrize("name", CATALOG)
def test_game_builds_with_title_summary_and_source(name):
    entry = CATALOG[name]
    game = load(name)
    assert entry.name == name
    assert game.title
    assert 20 < len(entry.summary) <= 100
    assert bool(entry.source) == (name not in FOLK)


@pytest.mark.parametrize("name", CATALOG)
def test_defaults_written_out_give_the_same_game(name):
    parameters = CATALOG[name].parameters
    if parameters:
        settings = ",".join(f"{key}={value}" for key, value in parameters.items())
        assert load(f"{name}:{settings}") == load(name)
    else:
        with pytest.raises(InvalidArgument, match=r"takes parameters KEY=VALUE \(none\)"):
            load(f"{name}:size=2")


def test_parameter_changes_the_game():
    assert load("kuhn_poker:cards=4") != load("kuhn_poker")
    assert load("coordination: size = 2").num_actions == (2, 2)


@pytest.mark.parametrize(
    ("specification", "message"),
    [
        ("khun_poker", "kuhn_poker"),
        ("zzz", "gametheory_core list"),
        ("", "gametheory_core list"),
        ("kuhn_poker:", "KEY=VALUE"),
        ("kuhn_poker:card=3", r"cards=3.*'card=3'"),
        ("kuhn_poker:cards", "'cards'"),
        ("kuhn_poker:cards=two", "integer for cards, but got 'two'"),
        ("kuhn_poker:cards=1/2", "integer for cards, but got '1/2'"),
        ("kuhn_poker:cards=3,cards=4", "given twice"),
        ("kuhn_poker:cards=1", "got 1"),
        ("kuhn_poker:cards=13", "got 13"),
        ("leduc_poker:ranks=1", "ranks \\* suits"),
        ("leduc_poker:raises=-1", "got -1"),
        ("liars_dice:sides=0", "got 0"),
        ("liars_dice:sides=8", "got 8"),
        ("goofspiel:cards=0", "got 0"),
        ("goofspiel:cards=7", "got 7"),
        ("centipede:rounds=0", "got 0"),
        ("coordination:size=0", "got 0"),
        ("indifference:size=-1", "got -1"),
        ("von_stengel:size=5", "got 5"),
    ],
)
def test_bad_request_is_refused_with_the_reason(specification, message):
    with pytest.raises(InvalidArgument, match=message):
        load(specification)
