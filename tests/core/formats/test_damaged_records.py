"""Records with one place damaged: refused in our own words, by path, or read as what they say."""

import json
from copy import deepcopy
from itertools import islice
from pathlib import Path

import pytest

from gametheory_core import MalformedFile, load_game
from gametheory_core.formats import (
    certificate_from,
    certificate_record,
    game_from,
    game_record,
    parse_json,
)

GAMES = ("chicken", "beer_quiche", "house_patrol", "guarded_targets", "mediated_chicken")
OTHERS = (None, True, -1, 2**40, 0.5, "x", [], {}, ["x"])
FILES = sorted(Path(__file__).parent.glob("data_*/*.json"))


def places(value):
    """Each key or index that leads on, with what holds it, but for the ends of long lists."""
    if isinstance(value, dict):
        own = list(value)
    else:
        own = range(min(2, len(value))) if isinstance(value, list) else ()
    for key in own:
        yield value, key
        yield from places(value[key])


def damaged(record, step=1):
    """The record with one entry missing, doubled or another one, at one place after another."""
    for place in range(0, sum(1 for _ in places(record)), step):
        for change in range(3 + len(OTHERS)):
            other = deepcopy(record)
            holder, key = list(places(other))[place]
            if change == 0:
                del holder[key]
            elif change == 1 and isinstance(holder[key], list):
                holder[key] += holder[key][-1:]
            elif change == 2 and isinstance(holder[key], list):
                holder[key] = holder[key][:-1]
            elif change > 2:
                holder[key] = OTHERS[change - 3]
            yield other


def read(record, reader):
    return reader(parse_json(json.dumps(record), name="file"))


@pytest.mark.parametrize("name", GAMES)
def test_a_damaged_game_is_refused_or_is_the_one_that_is_written(name):
    refused = 0
    for record in damaged(json.loads(json.dumps(game_record(load_game(name))))):
        try:
            found = read(record, game_from)
        except MalformedFile:
            refused += 1
        else:
            assert json.loads(json.dumps(game_record(found))) == record
    assert refused > 100


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_damaged_certificate_is_refused_or_is_another_one(path):
    whole = json.loads(path.read_text("utf-8"))
    game = whole.pop("game")
    refused = 0
    for record in islice(damaged(whole, step=3), 40):
        try:
            found = read(record | {"game": game}, certificate_from)
        except MalformedFile:
            refused += 1
        else:
            assert read(certificate_record(found), certificate_from) == found
    assert refused > 10


def test_a_key_given_twice_is_refused():
    with pytest.raises(MalformedFile, match="the key 'a' stands twice in one object"):
        parse_json('{"a": 1, "b": 2, "a": 1}', name="file")
