"""Checkpoints: a snapshot of a learner as one file, bit for bit, that runs no code when read.

The file is a zip archive: ``snapshot.json`` says how the values nest, and each array is a ``.npy``
member of its own, so that other programs can look inside. Writing is all or nothing.
"""

import io
import json
import os
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import shown
from gametheory_core.errors import InvalidArgument, MalformedFile
from gametheory_core.formats.checked_json import Checked, parse_json
from gametheory_core.formats.files import write_bytes

SNAPSHOT_SCHEMA = "gametheory-core/snapshot/1"
_SKELETON = "snapshot.json"
_MOST_PLAIN = 2**53  # readers in other languages hold larger integers as floats
_NUMERIC = "biufc"  # kinds of dtype: booleans, integers, floats, complex numbers
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    ValueError,
    LookupError,
    RuntimeError,  # encrypted
    OverflowError,
    MemoryError,  # a header that claims more than there is
    TypeError,
    SyntaxError,  # numpy reads headers as literals
    OSError,
)


def save_snapshot(path: str | os.PathLike[str], snapshot: Mapping[str, Any]) -> None:
    """Write a snapshot to one file, replacing what was there.

    Args:
        snapshot: Nested dictionaries, lists and tuples of arrays (any numeric dtype), numbers of
            Python or numpy, strings, booleans and None.

    Raises:
        InvalidArgument: If a value is of another type, named by its path; or if the file cannot be
            written. The old file is then untouched.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_snapshot(f"{folder}/learner.zip", {"step": 3, "values": np.zeros(2)})
    ...     load_snapshot(f"{folder}/learner.zip")
    {'step': 3, 'values': array([0., 0.])}
    """
    arrays: list[NDArray[Any]] = []
    try:
        skeleton = _skeleton(snapshot, "snapshot", arrays)
        text = json.dumps({"schema": SNAPSHOT_SCHEMA, "snapshot": skeleton})
    except RecursionError:
        raise InvalidArgument(
            needs="values nested less deeply",
            found="one contains itself or runs over a thousand levels deep",
            remedy="Save plain records.",
        ) from None
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as members:
        members.writestr(_dated(_SKELETON), text)
        for number, array in enumerate(arrays):
            members.writestr(_dated(_member(number)), _npy(array))
    write_bytes(archive.getvalue(), path)


def load_snapshot(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a snapshot that ``save_snapshot`` wrote.

    Returns:
        Equal to what was saved, types and bits included; other mappings have become dictionaries.

    Raises:
        InvalidArgument: If there is no such file or it cannot be read.
        MalformedFile: If it is no snapshot, is damaged, or is of a later version.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_snapshot(f"{folder}/counter.zip", {"count": 2**70})
    ...     load_snapshot(f"{folder}/counter.zip")["count"] == 2**70
    True
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InvalidArgument(
            needs=f"a file that can be read, but: {error.strerror}", where=path
        ) from None
    members = _members(data, name=str(path))
    record = parse_json(members.pop(_SKELETON).decode("ascii", "replace"), name=str(path))
    record["schema"].one_of(SNAPSHOT_SCHEMA)
    found = _value(record["snapshot"], members)
    if members:
        record["snapshot"].fail("to be told of every array", found=f"no word of {min(members)}")
    if not isinstance(found, dict):
        record["snapshot"].fail("a dictionary")
    return cast("dict[str, Any]", found)


def _skeleton(value: Any, path: str, arrays: list[NDArray[Any]]) -> object:
    """Return what JSON can hold of a value; arrays are put aside."""
    if value is None or type(value) in {bool, str}:
        return value
    if type(value) is int:
        return value if abs(value) < _MOST_PLAIN else {"int": hex(value)}
    if type(value) is float:
        return value if np.isfinite(value) else {"float": struct.pack(">d", value).hex()}
    if isinstance(value, np.ndarray | np.generic):
        is_special = isinstance(value, np.ndarray) and type(value) is not np.ndarray
        if is_special or value.dtype.kind not in _NUMERIC:  # a mask, for one, would be lost
            raise _refusal(value, path)
        arrays.append(np.asarray(value))
        return {"array" if isinstance(value, np.ndarray) else "scalar": len(arrays) - 1}
    if isinstance(value, Mapping):
        entries = cast("Mapping[Any, Any]", value).items()
        return {
            "dict": [
                [_key(key, path), _skeleton(entry, f"{path}[{key!r}]", arrays)]
                for key, entry in entries
            ]
        }
    if type(value) in {list, tuple}:
        entries = [_skeleton(entry, f"{path}[{i}]", arrays) for i, entry in enumerate(value)]
        return {type(value).__name__: entries}
    raise _refusal(value, path)


def _key(key: object, path: str) -> object:
    """Return a key of a dictionary: a string or an integer."""
    if type(key) not in {str, int}:
        raise InvalidArgument(
            needs="keys that are strings or integers",
            found=f"{path} has {shown(key)} (type {type(key).__name__})",
            remedy="Number the entries, or write the key as text.",
        )
    return _skeleton(key, path, [])


def _refusal(value: object, path: str) -> InvalidArgument:
    return InvalidArgument(
        needs="numeric arrays, numbers, strings, booleans, None, and dictionaries, lists and "
        "tuples "
        "of them",
        found=f"{path} is {shown(value)} (type {type(value).__name__})",
        remedy="Save plain records of it.",
    )


def _value(checked: Checked, members: dict[str, bytes]) -> Any:
    """Undo ``_skeleton``; each member is taken out once, so nothing grows beyond the file."""
    if not isinstance(checked.value, dict):
        if isinstance(checked.value, list):
            checked.fail("a value or a tagged value")
        return checked.value
    tag = ", ".join(cast("dict[str, Any]", checked.value))
    if tag == "dict":
        return _dictionary(checked[tag], members)
    if tag == "list":
        return [_value(entry, members) for entry in checked[tag].items()]
    if tag == "tuple":
        return tuple(_value(entry, members) for entry in checked[tag].items())
    if tag in {"array", "scalar"}:
        array = _array(checked[tag], members)
        if tag == "scalar" and array.shape:
            checked.fail("a scalar", found=f"an array of shape {array.shape}")
        return array if tag == "array" else array[()]
    return _number(checked, tag)


def _number(checked: Checked, tag: str) -> int | float:
    """Read a number that JSON cannot hold exactly."""
    if tag not in {"int", "float"}:
        checked.fail("a tag: dict, list, tuple, int, float, array or scalar", found=repr(tag))
    text = checked[tag].text()
    try:
        return int(text, 16) if tag == "int" else struct.unpack(">d", bytes.fromhex(text))[0]
    except (ValueError, struct.error):
        checked[tag].fail("an integer in hexadecimal, or the 16 hexadecimal digits of a float")


def _dictionary(pairs: Checked, members: dict[str, bytes]) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for pair in pairs.items():
        key, value = _entry(pair, members)
        if key in found:
            pair.fail("each key once", found=f"{shown(key)} again")
        found[key] = value
    return found


def _entry(pair: Checked, members: dict[str, bytes]) -> tuple[Any, Any]:
    parts = list(pair.items())
    if len(parts) != 2:
        pair.fail("a key and a value")
    key = _value(parts[0], members)
    if type(key) not in {str, int}:
        parts[0].fail("a string or an integer")
    return key, _value(parts[1], members)


def _array(checked: Checked, members: dict[str, bytes]) -> NDArray[Any]:
    name = _member(checked.integer())
    if name not in members:
        checked.fail("the number of an array in the file, each once")
    try:
        file = io.BytesIO(members.pop(name))
        array = np.lib.format.read_array(file, allow_pickle=False)
    except _DAMAGE as error:
        checked.fail("an array", found=f"a damaged one ({error})")
    if array.dtype.kind not in _NUMERIC or file.read(1):
        checked.fail("a numeric array", found=f"{name} of type {array.dtype}, or with a rest")
    return array


def _members(data: bytes, *, name: str) -> dict[str, bytes]:
    """Unpack the archive; its check sums find damage."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            _refuse_packed(archive, size=len(data))
            members = {member: archive.read(member) for member in archive.namelist()}
    except _DAMAGE as error:
        raise MalformedFile(
            f"{name}: expected a snapshot, but found a damaged file, or one of another kind "
            f"({error}). Give another."
        ) from None
    if _SKELETON not in members:
        raise MalformedFile(
            f"{name}: expected a snapshot, but found an archive of another kind, without "
            f"{_SKELETON}. Give a file that save_snapshot wrote."
        )
    return members


def _refuse_packed(archive: zipfile.ZipFile, *, size: int) -> None:
    """Refuse what would take more memory than the file is long; ``save_snapshot`` packs nothing."""
    entries = archive.infolist()
    if any(entry.compress_type != zipfile.ZIP_STORED for entry in entries):
        raise ValueError("its members are packed, but a snapshot's are not")  # _members words it
    if sum(entry.file_size for entry in entries) > size:
        raise ValueError("its members claim to be longer than the file")


def _member(number: int) -> str:
    return f"{number}.npy"


def _npy(array: NDArray[Any]) -> bytes:
    file = io.BytesIO()
    np.lib.format.write_array(file, array, allow_pickle=False)
    return file.getvalue()


def _dated(name: str) -> zipfile.ZipInfo:
    """Name a member with a fixed date, so that equal snapshots make equal files."""
    return zipfile.ZipInfo(name)
