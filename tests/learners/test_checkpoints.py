"""A snapshot comes back from its file bit for bit, and no other file is taken for one."""

import copy
import io
import json
import os
import struct
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

from gametheory_core import InvalidArgument, MalformedFile
from learners import load_snapshot, save_snapshot
from learners import snapshots as checkpoints
from learners.snapshots import SNAPSHOT_SCHEMA
from learners.streams import generator_state

DTYPES = st.one_of(
    arrays_of.boolean_dtypes(),
    arrays_of.integer_dtypes(endianness="?"),
    arrays_of.unsigned_integer_dtypes(endianness="?"),
    arrays_of.floating_dtypes(endianness="?"),
    arrays_of.complex_number_dtypes(endianness="?"),
)
ARRAYS = arrays_of.arrays(
    DTYPES, arrays_of.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)
)
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(min_value=-(2**200), max_value=2**200),
    st.floats(allow_nan=True, allow_infinity=True),
    st.text(st.characters(exclude_categories=[])),
    ARRAYS,
    ARRAYS.filter(lambda array: array.ndim == 0).map(lambda array: array[()]),
)
KEYS = st.text() | st.integers()
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(KEYS, inner),
    max_leaves=12,
)
SNAPSHOTS = st.dictionaries(st.text(), VALUES)


def bits(value):
    """Describe a value so that two are equal only if types and bits are."""
    if isinstance(value, np.ndarray | np.generic):
        array = np.asarray(value)
        return type(value), array.dtype.str, array.shape, array.tobytes()
    if isinstance(value, float):
        return float, struct.pack(">d", value)
    if isinstance(value, dict):
        return dict, [(bits(key), bits(entry)) for key, entry in value.items()]
    if isinstance(value, list | tuple):
        return type(value), [bits(entry) for entry in value]
    return type(value), value


@given(snapshot=SNAPSHOTS)
def test_snapshot_comes_back_bit_for_bit(tmp_path_factory, snapshot):
    path = tmp_path_factory.getbasetemp() / "snapshot.zip"
    save_snapshot(path, snapshot)
    assert bits(load_snapshot(path)) == bits(snapshot)


@pytest.mark.parametrize(
    "digits",
    [
        "8000000000000000",
        "7ff0000000000000",
        "fff0000000000000",
        "fff8000000000000",
        "7ff8000000000123",
        "0000000000000001",
    ],
)
def test_every_bit_of_special_floats_comes_back(tmp_path, digits):
    value = struct.unpack(">d", bytes.fromhex(digits))[0]
    save_snapshot(tmp_path / "s.zip", {"value": value})
    assert struct.pack(">d", load_snapshot(tmp_path / "s.zip")["value"]).hex() == digits


def test_state_of_a_generator_goes_on_where_it_was(tmp_path):
    rng = np.random.default_rng(5)
    rng.integers(10, size=3, dtype=np.uint32)  # leaves half a word in the generator
    save_snapshot(tmp_path / "rng.zip", {"rng": generator_state(rng)})
    other = np.random.default_rng(6)
    other.bit_generator.state = load_snapshot(tmp_path / "rng.zip")["rng"]
    assert other.random(5).tolist() == rng.random(5).tolist()


def test_saved_arrays_are_copies(tmp_path):
    values = np.zeros(3)
    save_snapshot(tmp_path / "s.zip", {"values": values})
    values[:] = 7
    assert load_snapshot(tmp_path / "s.zip")["values"].tolist() == [0, 0, 0]


def test_equal_snapshots_make_equal_files(tmp_path):
    for name in ("a.zip", "b.zip"):
        save_snapshot(tmp_path / name, {"values": np.arange(4), "step": 1})
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


@pytest.mark.parametrize(
    ("value", "where"),
    [
        ({"a": {1, 2}}, r"snapshot\['a'\] is \{1, 2\} \(type set\)"),
        ({"a": [1, object]}, r"snapshot\['a'\]\[1\] is <class 'object'>"),
        ({"a": np.array([None])}, r"snapshot\['a'\] is array\(\[None\]"),
        ({"a": np.ma.array([1, 2], mask=[0, 1])}, r"snapshot\['a'\] is masked_array"),
        ({"a": np.array(["x"])}, r"snapshot\['a'\]"),
        ({(1, 2): 3}, r"keys that are strings or integers, but snapshot has \(1, 2\)"),
        ({"a": os.stat_result(range(10))}, r"type stat_result"),
    ],
)
def test_other_values_are_refused_with_their_path(tmp_path, value, where):
    with pytest.raises(InvalidArgument, match=where):
        save_snapshot(tmp_path / "s.zip", value)
    assert not list(tmp_path.iterdir())


def test_value_that_contains_itself_is_refused(tmp_path):
    loop = []
    loop.append(loop)
    with pytest.raises(InvalidArgument, match="contains itself"):
        save_snapshot(tmp_path / "s.zip", {"loop": loop})


def test_interrupted_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "s.zip"
    save_snapshot(path, {"step": 1})

    def interrupted(self, target):
        raise KeyboardInterrupt("while writing")

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt, match="while writing"):
        save_snapshot(path, {"step": 2})
    assert load_snapshot(path) == {"step": 1}
    assert [entry.name for entry in tmp_path.iterdir()] == ["s.zip"]


def test_every_damaged_byte_is_noticed_or_harmless(tmp_path):
    path = tmp_path / "s.zip"
    snapshot = {"step": 3, "values": np.arange(5.0), "name": "x"}
    save_snapshot(path, snapshot)
    whole = path.read_bytes()
    noticed = 0
    for place in range(len(whole)):
        for bit in (1, 128):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ bit]) + whole[place + 1 :])
            try:
                found = load_snapshot(path)
            except MalformedFile:
                noticed += 1
            else:
                assert bits(found) == bits(snapshot), place
    assert noticed > len(whole)


def test_every_shortened_file_is_refused(tmp_path):
    path = tmp_path / "s.zip"
    save_snapshot(path, {"step": 3, "values": np.arange(5.0)})
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(MalformedFile, match=r"s\.zip: needs"):
            load_snapshot(path)


def written(path, text, **members):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("snapshot.json", text)
        for name, data in members.items():
            archive.writestr(f"{name.strip('_')}.npy", data)


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"schema": "gametheory-core/snapshot/2", "snapshot": {"dict": []}}, "at schema: needs"),
        ({"schema": SNAPSHOT_SCHEMA}, "needs the key 'snapshot'"),
        ({"schema": SNAPSHOT_SCHEMA, "snapshot": {"list": []}}, "needs a dictionary"),
        ({"schema": SNAPSHOT_SCHEMA, "snapshot": {"set": []}}, "needs a tag"),
        ({"schema": SNAPSHOT_SCHEMA, "snapshot": {"dict": [[1]]}}, "needs a key and a value"),
        ({"schema": SNAPSHOT_SCHEMA, "snapshot": {"dict": [["a", {"array": 0}]]}}, "the number of"),
        ({"schema": SNAPSHOT_SCHEMA, "snapshot": {"dict": [["a", {"int": "z"}]]}}, "an integer"),
        ({"schema": SNAPSHOT_SCHEMA, "snapshot": {"dict": [["a", {"float": "0"}]]}}, "16 hexa"),
        ({"schema": SNAPSHOT_SCHEMA, "snapshot": {"dict": [[None, 1]]}}, "a string or an integer"),
        ({"schema": SNAPSHOT_SCHEMA, "snapshot": {"dict": [["a", [1]]]}}, "tagged value"),
    ],
)
def test_foreign_records_are_refused(tmp_path, record, message):
    written(tmp_path / "s.zip", json.dumps(record))
    with pytest.raises(MalformedFile, match=message):
        load_snapshot(tmp_path / "s.zip")


def test_pickled_array_is_refused_without_running_it(tmp_path):
    np.save(tmp_path / "evil.npy", np.array([print], dtype=object), allow_pickle=True)
    record = {"schema": SNAPSHOT_SCHEMA, "snapshot": {"dict": [["a", {"array": 0}]]}}
    written(tmp_path / "s.zip", json.dumps(record), _0_=(tmp_path / "evil.npy").read_bytes())
    with pytest.raises(MalformedFile, match="damaged one"):
        load_snapshot(tmp_path / "s.zip")


def test_array_that_claims_to_be_huge_is_refused(tmp_path):
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (9000000000000000,), }\n"
    data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header
    record = {"schema": SNAPSHOT_SCHEMA, "snapshot": {"dict": [["a", {"array": 0}]]}}
    written(tmp_path / "s.zip", json.dumps(record), _0_=data)
    with pytest.raises(MalformedFile, match="damaged one"):
        load_snapshot(tmp_path / "s.zip")


def test_packed_members_are_refused_unread(tmp_path):
    path = tmp_path / "s.zip"
    record = {"schema": SNAPSHOT_SCHEMA, "snapshot": {"dict": []}}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("snapshot.json", json.dumps(record))
        with archive.open("0.npy", "w") as member:
            for _ in range(300):
                member.write(bytes(10**6))
    tracemalloc.start()
    try:
        with pytest.raises(MalformedFile, match="its members are packed"):
            load_snapshot(path)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 10**7


def test_members_that_lie_in_one_place_are_refused(tmp_path):
    path = tmp_path / "s.zip"
    written(path, "{}", _0_=bytes(1000))
    with zipfile.ZipFile(path, "a") as archive:
        again = copy.copy(archive.infolist()[1])
        again.filename = "1.npy"
        archive.filelist.append(again)
        archive.writestr("2.npy", b"")  # so that the list of members is written anew
    with pytest.raises(MalformedFile, match="claim to be longer than the file"):
        load_snapshot(path)


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([], r"no word of 0\.npy"),
        ([["a", {"array": 0}], ["a", 1]], "needs each key once, but found 'a' again"),
        ([["a", {"scalar": 0}]], r"needs a scalar, but found an array of shape \(3,\)"),
        ([["a", {"array": 0}], ["b", {"array": 0}]], "the number of an array in the file, each on"),
    ],
)
def test_arrays_and_keys_are_told_of_once(tmp_path, entries, message):
    array = io.BytesIO()
    np.save(array, np.zeros(3))
    record = {"schema": SNAPSHOT_SCHEMA, "snapshot": {"dict": entries}}
    written(tmp_path / "s.zip", json.dumps(record), _0_=array.getvalue())
    with pytest.raises(MalformedFile, match=message):
        load_snapshot(tmp_path / "s.zip")


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\x05\x06" + bytes(18)])
def test_foreign_files_are_refused(tmp_path, content):
    (tmp_path / "s.zip").write_bytes(content)
    with pytest.raises(MalformedFile, match="needs a snapshot, but it is"):
        load_snapshot(tmp_path / "s.zip")


def test_missing_file_and_folder_are_refused(tmp_path):
    with pytest.raises(InvalidArgument, match="needs a file that can be read"):
        load_snapshot(tmp_path / "none.zip")
    with pytest.raises(InvalidArgument, match="needs a file that can be written"):
        save_snapshot(tmp_path / "none" / "s.zip", {})


def test_module_needs_no_pickle():
    assert "pickle" not in Path(checkpoints.__file__).read_text().replace("allow_pickle=False", "")
