"""Tables of POSGs and AEC games in files: the same back, or a refusal that names the place."""

import json
import pickle
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import conversions, formats
from gametheory_core.catalog import load
from gametheory_core.conversions.simpler_forms import plain_texts
from gametheory_core.evaluation import aec_trajectories
from gametheory_core.games import IDLE, NULL
from tests.sample_sizes import examples

POSG_NAMES = (
    "repeated_prisoners_dilemma",
    "tiger",
    "cleanup_random_order",
    "public_coin",
    "steady_pay",
    "listen_wait_guess",
)
AEC_NAMES = ("random_order_team", "reversing_order", "pursuit_paid_after:side=2", "fair_payment")


def posg(name):
    return conversions.label_by_text(conversions.posg_to_tabular(load(name)).target).target


def aec(name):
    return conversions.label_by_text(conversions.aec_to_tabular(load(name)).target).target


def tables():
    """A table for each game, and for each game it was converted to."""
    for name in POSG_NAMES:
        yield posg(name)
        yield conversions.label_by_text(conversions.posg_to_aec(posg(name)).target).target
    for name in AEC_NAMES:
        yield aec(name)
        yield conversions.label_by_text(
            conversions.posg_to_tabular(conversions.aec_to_posg(load(name)).target).target
        ).target


def checked(record):
    """The record after a trip through text."""
    return formats.parse_json(json.dumps(record), name="record")


@pytest.mark.parametrize("table", list(tables()), ids=repr)
def test_table_reads_back_from_its_file_and_its_pickle(tmp_path, table):
    path = tmp_path / "game.json"
    gt.write_game(table, path)
    back = gt.read_game(path)
    assert (type(back), back.digest, back.title) == (type(table), table.digest, table.title)
    assert (back.states, back.actions, back.observations) == (
        table.states,
        table.actions,
        table.observations,
    )
    copy = pickle.loads(pickle.dumps(back))
    assert copy == table
    assert copy.digest == table.digest


LABELS = st.recursive(
    st.one_of(
        st.text(st.characters(exclude_categories=["Cs"]), max_size=4),
        st.integers(-(2**70), 2**70),
        st.booleans(),
        st.none(),
        st.fractions(),
        st.sampled_from([NULL, IDLE]),
    ),
    lambda inner: st.lists(inner, max_size=3).map(tuple),
    max_leaves=8,
)


@given(LABELS)
def test_labels_read_back_as_they_are(label):
    back = formats.label_from(checked(formats.label_record(label, kind="state")))
    assert back == label
    assert repr(back) == repr(label)  # True is no 1, and no Fraction(1, 1)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("cleanup_random_order", r"a state has Corridor\(.*label_by_text\(game\)"),
        ("pursuit_paid_before:side=2", r"a state has Grid\(.*\(Grid\)"),
    ],
)
def test_label_that_would_not_read_back_is_refused_and_nothing_written(tmp_path, name, shown):
    path = tmp_path / "game.json"
    game = load(name)
    convert = (
        conversions.aec_to_tabular if hasattr(game, "next_player") else conversions.posg_to_tabular
    )
    with pytest.raises(gt.UnsupportedGame, match=shown):
        gt.write_game(convert(game).target, path)
    assert not list(tmp_path.iterdir())


def deep(label, times):
    for _ in range(times):
        label = (label,)
    return label


def test_label_nested_too_deep_is_refused_both_ways():
    assert formats.label_from(checked(formats.label_record(deep("x", 100), kind="state"))) == deep(
        "x", 100
    )
    with pytest.raises(gt.UnsupportedGame, match="nested at most 100 deep"):
        formats.label_record(deep("x", 101), kind="state")
    record = "x"
    for _ in range(101):
        record = [record]
    with pytest.raises(gt.MalformedFile, match="needs labels nested at most 100 deep"):
        formats.label_from(checked(record))


@pytest.mark.parametrize(
    ("record", "complaint"),
    [
        (0.5, "needs a label: text, an integer"),
        ({"fraction": "1/0"}, "at fraction: needs a rational"),
        ({"blank": "nothing"}, "at blank: needs one of 'null', 'idle'"),
        ({}, r'needs \{"fraction": "p/q"\}'),
        ({"fraction": "1", "blank": "null"}, r'needs \{"fraction": "p/q"\}'),
    ],
)
def test_malformed_label_is_refused(record, complaint):
    with pytest.raises(gt.MalformedFile, match=complaint):
        formats.label_from(checked(record))


@pytest.mark.parametrize("suffix", [".nfg", ".efg"])
def test_formats_of_other_games_refuse_tables(tmp_path, suffix):
    with pytest.raises(gt.UnsupportedGame, match=r"got TabularPOSG\(.*Use the suffix .json"):
        gt.write_game(posg("tiger"), tmp_path / f"game{suffix}")


def test_rules_that_are_no_table_are_refused_with_the_mend(tmp_path):
    with pytest.raises(gt.UnsupportedGame, match=r"got Tiger\(.*posg_to_tabular"):
        gt.write_game(load("tiger"), tmp_path / "game.json")


@pytest.mark.parametrize("kind", ["posgg", "", 7])
def test_unknown_kind_in_a_file_is_refused_with_all_kinds(tmp_path, kind):
    path = tmp_path / "game.json"
    path.write_text(
        json.dumps({**formats.rules_record(posg("tiger")), "kind": kind}), encoding="utf-8"
    )
    kinds = "one of 'normal-form', 'extensive-form', .*'posg', 'aec', 'mediated', .*but found"
    with pytest.raises(gt.MalformedFile, match=kinds if kind != 7 else "a string of Unicode"):
        gt.read_game(path)


def test_json_file_that_holds_no_game_is_refused_by_its_schema(tmp_path):
    path = tmp_path / "game.json"
    path.write_text('{"schema": "gametheory-core/solution/1"}', encoding="utf-8")
    with pytest.raises(gt.MalformedFile, match="at schema: needs one of 'gametheory-core/game/1'"):
        gt.read_game(path)


def change(record, path, value):
    *way, last = path
    for key in way:
        record = record[key]
    record[last] = value


@pytest.mark.parametrize(
    ("path", "value", "complaint"),
    [
        (("kind",), "tree", "at kind: needs one of 'posg', 'aec'"),
        (("players",), [], "at players: needs at least one player"),
        (("players",), ["1"], "at actions: needs 1 entries, one a player, but found 2"),
        (("states", 1), {"blank": 1}, r"at states\[1\].blank: needs a string"),
        (("states", 1), "left", "needs different states, but 'left' stands at positions 1 and 2"),
        (("discount",), "3/2", r"discount: needs a number in \[0, 1\], but is 3/2"),
        (("discount",), 1, "at discount: needs a rational as text"),
        (("horizon",), -1, "at horizon: needs null or an integer of at least 0"),
        (("horizon",), "3", "at horizon: needs an integer"),
        (("reward_vectors", 0), ["1"], r"at reward_vectors\[0\]: needs 2 entries"),
        (("signals", 0), [0, 9], r"needs signals in 0\.\..*but entry 0 has 9"),
        (("legal", 0, 0), [], "at least one, for '1' after NULL, but has"),
        (("terminal",), [False], "needs 2 entries in terminal, but has 1"),
        (("initial_kernel", "weight", 0), "1/3", "at initial_kernel: Kernel: needs rows that sum"),
        (
            ("initial_kernel", "start"),
            [0, 0, 2],
            "at initial_kernel: Kernel: needs rows of at least",
        ),
        (
            ("initial_kernel",),
            {"start": [0, 1, 2], "outcome": [0, 1], "weight": ["1", "1"]},
            "needs one row in initial_kernel, but has 2",
        ),
        (("entry_reward", 0), 2**31, r"at entry_reward: needs integers below 2\^31"),
        (("entry_signal_row", 0), -1, "needs -1 in entry_signal_row for entries into terminal"),
        (("entry_signal_row", 1), 0, "needs one law of observations for each action and state"),
        (("initial_signal_row", 0), -1, "needs initial_signal_row for each first state that"),
        (("row_key", 0), 2**62, r"at row_key: needs integers below 2\^62"),
        (("row_key",), list(range(1, 19)), "is not possible in state|needs row_key in"),
        (("transition_kernel", "outcome", 0), 7, "needs transition_kernel in 0..1, but entry 0"),
    ],
)
def test_wrong_value_of_a_posg_is_refused_with_its_place(path, value, complaint):
    record = formats.rules_record(posg("tiger"))
    change(record, path, value)
    with pytest.raises(gt.MalformedFile, match=complaint):
        formats.rules_from(checked(record))


@pytest.mark.parametrize(
    ("path", "value", "complaint"),
    [
        (("observation_kernel", "outcome", 5), 7, r"needs observation_kernel in 0\.\.0, but entry"),
        (("actions", 1), ["A"], r"needs actions in row_key in 0\.\.0|different actions in 0\.\.0"),
        (("initial_index",), 5, r"needs initial_index in 0\.\.4, but entry 0 has 5"),
        (("initial_index",), 2**80, "needs initial_index in"),
        (("entry_turn_row", 0), -1, "needs -1 in entry_turn_row for entries into terminal"),
        (("turn_kernel", "outcome", 0), 7, r"needs turn_kernel in -1\.\.1"),
        (("reward_kernel", "weight", 0), "2", "at reward_kernel: Kernel: needs rows that sum"),
        (("observation_key",), [], "needs 6 entries in observation_key, but has 0"),
        (("row_key", 0), 0.5, r"at row_key\[0\]: needs an integer"),
    ],
)
def test_wrong_value_of_an_aec_game_is_refused_with_its_place(path, value, complaint):
    record = formats.rules_record(aec("random_order_team"))
    change(record, path, value)
    with pytest.raises(gt.MalformedFile, match=complaint):
        formats.rules_from(checked(record))


def test_row_that_play_needs_must_be_there():
    record = formats.rules_record(aec("random_order_team"))
    removed = record["row_key"].pop()
    kernel = record["transition_kernel"]
    for name in ("outcome", "weight"):
        kernel[name].pop()
    kernel["start"].pop()
    record["entry_reward_row"].pop()
    record["entry_turn_row"].pop()
    with pytest.raises(gt.MalformedFile, match="cannot do .* in state"):
        formats.rules_from(checked(record))
    assert removed > 0


def test_row_that_play_needs_must_be_there_for_a_posg():
    record = formats.rules_record(posg("repeated_prisoners_dilemma"))
    kernel = record["transition_kernel"]
    record["row_key"].pop()
    kernel["start"].pop()
    for column in (kernel["outcome"], kernel["weight"]):
        del column[kernel["start"][-1] :]
    for name in ("entry_reward", "entry_signal_row"):
        del record[name][kernel["start"][-1] :]
    with pytest.raises(gt.MalformedFile, match="record: TabularPOSG: .* is not possible in state"):
        formats.rules_from(checked(record))


RECORDS = [formats.rules_record(posg("tiger")), formats.rules_record(aec("random_order_team"))]


def places_of(value):
    """Every place below the top of a JSON value, as a path of keys."""
    found, pending = [], [((), value)]
    while pending:
        path, inner = pending.pop()
        found.append(path)
        if isinstance(inner, dict):
            pending.extend(((*path, key), item) for key, item in inner.items())
        elif isinstance(inner, list):
            pending.extend(((*path, key), item) for key, item in enumerate(inner))
    return found[1:]


@examples(300)
@given(st.data())
def test_damaged_record_is_another_game_or_refused(data):
    """One value replaced or removed anywhere: never any other exception, and play finds answers."""
    record = json.loads(json.dumps(data.draw(st.sampled_from(RECORDS))))
    *path, last = data.draw(st.sampled_from(places_of(record)))
    holder = record
    for key in path:
        holder = holder[key]
    worst = [None, True, 0, -1, 7, 2**80, 0.5, "", "x", "1/0", "-1/2", "2", [], {}, [[]], [0, 0]]
    if data.draw(st.booleans()):
        del holder[last]
    else:
        holder[last] = data.draw(st.sampled_from(worst))
    try:
        game = formats.rules_from(formats.Checked(record, "", "record"))
    except gt.GameTheoryError as error:
        assert str(error).startswith("record")  # noqa: PT017
    else:
        assert formats.rules_from(checked(formats.rules_record(game))) == game


def test_texts_for_labels_keep_returns_and_carry_policies_and_plays_back():
    table = conversions.aec_to_tabular(load("pursuit_paid_after:side=2")).target
    conversion = conversions.label_by_text(table)
    named, back = conversion.target, conversion.correspondence
    assert all(isinstance(label, str) for own in named.observations for label in own)
    assert all(isinstance(state, str) for state in named.states)
    assert named.actions == table.actions
    uniform = gt.uniform_policies(named)
    returns = gt.expected_returns(named, uniform).tolist()
    assert gt.expected_returns(table, back.to_source(uniform)).tolist() == returns
    assert (
        gt.expected_returns(named, back.to_target(gt.uniform_policies(table))).tolist() == returns
    )
    law = {}
    for play, weight in aec_trajectories(named, uniform):
        for origin, share in back.outcome_to_source(play):
            law[origin] = law.get(origin, Fraction(0)) + weight * share
    assert law == dict(aec_trajectories(table, back.to_source(uniform)))


def test_texts_that_collide_are_numbered():
    labels = (("H", 0.5), "(H, 0.5)", frozenset({"b", "a"}), "{a, b}", NULL)
    table = replace(posg("tiger"), states=labels[:2])
    assert conversions.label_by_text(table).target.states == ("(H, 0.5)", "(H, 0.5) #2")
    assert plain_texts(labels)[2:] == ("{a, b}", "{a, b} #2", "null")


def test_number_of_a_collision_avoids_texts_that_are_there():
    assert plain_texts(("x #2", 0.5, "0.5", "x", ("x",), "(x)", "x")) == (
        "x #2",
        "0.5",
        "0.5 #2",
        "x",
        "(x)",
        "(x) #2",
        "x #3",
    )
