"""Public-state games in files: every kind of deal and end comes back, and nonsense is refused."""

import json

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gametheory_core import MalformedFile, load_game
from gametheory_core.catalog import catalog
from gametheory_core.certificates import certify_public_minimax
from gametheory_core.formats import (
    certificate_from,
    certificate_record,
    game_from,
    game_record,
    parse_json,
    profile_from,
)
from gametheory_core.formats.checked_json import Checked, integers_text
from tests.public_games import random_plans, random_public_game
from tests.sample_sizes import examples

NAMES = [name for name in catalog() if name.endswith("_ranges")]


def written(record):
    return parse_json(json.dumps(record), name="file")


def test_the_catalog_has_a_game_over_ranges_for_each_tree_of_hidden_hands():
    assert {name.removesuffix("_ranges") for name in NAMES} < set(catalog())
    assert len(NAMES) == 4


@pytest.mark.parametrize("name", NAMES)
def test_games_of_the_catalog_come_back(name):
    game = load_game(name)
    again = game_from(written(game_record(game)))
    assert again == game
    assert (again.title, again.num_nodes) == (game.title, game.num_nodes)


@examples(40)
@given(seed=st.integers(0, 10**6))
def test_drawn_games_and_certificates_come_back(seed):
    game = random_public_game(seed)
    proof = certify_public_minimax(game, random_plans(game, seed))
    again = certificate_from(written(certificate_record(proof)))
    assert again == proof
    again.verify()


def test_strengths_stand_once():
    record = game_record(load_game("leduc_poker_ranges"))
    assert len(record["strengths"]) == len(set(record["strengths"])) == 3  # for each public rank


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: r["hands"].pop(), "the hands of two players"),
        (lambda r: r["deals"][0]["first"].append("1 2"), "rows of one length"),
        (lambda r: r["deals"][0]["first"].clear(), "rows of one length"),
        (lambda r: r["deals"][0].update(same="1.5 0 0"), "integers with a space between"),
        (lambda r: r["deals"][0].update(same="9" * 30 + " 0 0"), "integers in one axis"),
        (lambda r: r["situations"][0].update(children="1 99"), "later situations"),
        (lambda r: r["situations"][0].update(player=3), "needs a mover"),
        (lambda r: r["situations"][-1].update(strengths=[0, 1]), "two numbers from 0 to 0"),
        (lambda r: r["situations"][-1].update(strengths=[0, -1]), "two numbers from 0 to 0"),
        (lambda r: r["situations"][-1].update(strengths=[0]), "two numbers from 0 to 0"),
        (lambda r: r["situations"][-1].update(paid=["1", "2"]), "above, equal and below"),
        (lambda r: r.update(strengths=[f"{2**62} 0 1"]), r"strengths of \(3, 3\) hands, below"),
    ],
)
def test_what_makes_no_game_is_refused_by_its_path(change, message):
    record = game_record(load_game("kuhn_poker_ranges"))
    assert "strengths" in record["situations"][-1]
    change(record)
    with pytest.raises(MalformedFile, match=message):
        game_from(written(record))


def test_plans_are_no_profile_of_another_kind_of_game():
    plans = written({"kind": "plans", "plans": ["1 1", "1 1"]})
    with pytest.raises(MalformedFile, match="a profile of NormalFormGame.*found a plans one"):
        profile_from(plans, load_game("chicken"))
    mixed = written({"kind": "mixed", "strategies": [["1"], ["1"]]})
    with pytest.raises(MalformedFile, match="a profile of PublicStateGame.*found a mixed one"):
        profile_from(mixed, load_game("kuhn_poker_ranges"))


VECTORS = st.lists(st.integers(-(2**70), 2**70), max_size=9)


@example([2**63 - 1, -(2**63)])
@example([2**63, 0])
@example([-(2**63) - 1, 1])
@example([10**19 - 1])
@given(VECTORS)
def test_integers_of_any_size_come_back(values):
    text = integers_text(np.array(values, dtype=object))
    assert Checked(text, "", "file").integers().tolist() == values


@pytest.mark.parametrize(
    "text", [" 1", "1 ", "1  2", "1-2", "--1", "-", "1.0", "1e3", "1\n", "\u0663", 3]
)
def test_what_is_no_vector_of_integers_is_refused(text):
    with pytest.raises(MalformedFile, match=r"integers with a space|a string"):
        Checked(text, "", "file").integers()


def test_long_vectors_are_written_in_parts():
    values = np.arange(-70_000, 70_000)
    assert np.array_equal(Checked(integers_text(values), "", "file").integers(), values)
