"""Whether a snapshot is of something made like this: it nests as one's own, in equal shapes.

Loops in compiled code check no bounds, so what is given is compared before any of it is taken.

Checkpoints: a snapshot of a learner as one file, bit for bit, that runs no code when read.

The file is a zip archive: ``snapshot.json`` says how the values nest, and each array is a ``.npy``
member of its own, so that other programs can look inside. Writing is all or nothing.
"""

import io
import json
import os
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import shown
from gametheory_core.errors import InvalidArgument, MalformedFile
from gametheory_core.formats.checked_json import Checked, parse_json
from gametheory_core.formats.files import write_bytes
from gametheory_core.interrupts import interrupts_later
from learners.batch import BatchTurn, Snapshot
from learners.streams import generator_state, restore_generator


class Kept:
    """What can be stopped and continued exactly: its state is what ``KEPT`` names.

    That may be arrays, generators of random numbers, plain numbers, frozen records of them, named
    tuples of arrays (put back in place), whatever has ``snapshot`` and ``restore`` itself, and
    dictionaries, lists and tuples of all these.

    Attributes:
        KEPT: Names of attributes; in snapshots without an underscore before them.
        UNCHECKED: None if ``restore`` trusts what it is given; else the parts, at any depth, that
            need not be as they are now. All others must have the same shapes and types.
        EPISODES: Those of ``KEPT`` that belong to episodes under way, or to one's own chance, and
            not to what was learned; see ``with_own_episodes``.

    >>> class Counter(Kept):
    ...     KEPT = ("_made",)
    ...     _made = 3
    >>> Counter().snapshot()
    {'made': 3}
    """

    KEPT: ClassVar[tuple[str, ...]] = ()
    UNCHECKED: ClassVar[tuple[str, ...] | None] = None
    EPISODES: ClassVar[tuple[str, ...]] = ()

    def snapshot(self) -> dict[str, Any]:
        """Return all that is needed to continue exactly from here, as copies."""
        return {name.removeprefix("_"): _copied(getattr(self, name)) for name in self.KEPT}

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of what was made with the same options.

        Raises:
            InvalidArgument: If it was made with others.
        """
        if self.UNCHECKED is not None:
            require_fitting(snapshot, self.snapshot(), ignored=self.UNCHECKED)
        for name in self.KEPT:
            setattr(self, name, _put_back(getattr(self, name), snapshot[name.removeprefix("_")]))


def _copied(value: Any) -> Any:
    if hasattr(value, "snapshot"):
        return value.snapshot()
    if isinstance(value, np.random.Generator):
        return generator_state(value)
    if hasattr(value, "_asdict"):
        return _copied(value._asdict())
    if is_dataclass(value):
        return _copied(vars(value))
    if isinstance(value, Mapping):
        return {key: _copied(own) for key, own in cast("Mapping[Any, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_copied(own) for own in cast("Sequence[Any]", value)]
    return np.array(value) if isinstance(value, np.ndarray) else value


def _put_back(own: Any, value: Any) -> Any:
    """Return what an attribute is to be, given what it is now and what was kept of it."""
    if hasattr(own, "restore"):
        own.restore(value)
        return own
    if isinstance(own, np.random.Generator):
        restore_generator(own, dict(value))
        return own
    if hasattr(own, "_asdict"):  # arrays that compiled code holds
        for name, array in own._asdict().items():
            array[...] = value[name]
        return own
    if is_dataclass(own) and not isinstance(own, type):
        return replace(own, **{name: _put_back(vars(own)[name], value[name]) for name in value})
    if own is None and isinstance(value, Mapping):  # a moment of play that has not come yet
        return BatchTurn(**_copied(value))
    if isinstance(own, Mapping):
        parts = cast("Mapping[Any, Any]", own)
        return {key: _put_back(parts.get(key, 0), value[key]) for key in value}
    if isinstance(own, list | tuple):
        whole = cast("Sequence[Any]", own)
        if isinstance(own, list) and len(whole) != len(value):
            return _copied(value)
        return type(own)(_put_back(a, b) for a, b in zip(whole, value, strict=True))
    return np.array(value) if isinstance(own, np.ndarray) else value


def with_own_episodes(own: Any, given: Any) -> Any:
    """Return what another has learned, in one's own episodes: a snapshot of both.

    Args:
        own: A learner, or a part of one. What belongs to its episodes, it names in ``EPISODES``.
        given: The snapshot of another that was made like it.

    >>> class Counter(Kept):
    ...     KEPT, EPISODES = ("learned", "turn"), ("turn",)
    ...     learned, turn = 3, "mine"
    >>> with_own_episodes(Counter(), {"learned": 7, "turn": "yours"})
    {'learned': 7, 'turn': 'mine'}
    """
    if hasattr(own, "snapshot"):
        mine = own.snapshot()
        parts = {name.removeprefix("_"): getattr(own, name) for name in getattr(own, "KEPT", ())}
        kept = {name.removeprefix("_") for name in getattr(own, "EPISODES", ())}
        return {
            name: mine[name] if name in kept else with_own_episodes(parts.get(name), part)
            for name, part in given.items()
        }
    if isinstance(own, Mapping):
        return {key: with_own_episodes(own.get(key), part) for key, part in given.items()}
    if isinstance(own, list | tuple) and isinstance(given, list | tuple) and len(own) == len(given):
        return [with_own_episodes(a, b) for a, b in zip(own, given, strict=True)]
    return given


def require_fitting(snapshot: Snapshot, own: Snapshot, *, ignored: tuple[str, ...] = ()) -> None:
    """Refuse a snapshot that has other parts than one's own, or arrays of other shapes or types.

    Args:
        snapshot, own: What is to be taken, and one's own as it is now. Numbers, strings and None
            are not compared.
        ignored: Parts that must be there, but may hold anything, at any depth: who takes them
            checks them.

    Raises:
        InvalidArgument: If they differ; says where.

    >>> own = {"values": np.zeros((2, 3)), "steps": 4}
    >>> require_fitting({"values": np.ones((2, 3)), "steps": 9}, own)
    >>> require_fitting({"values": np.ones((3, 3)), "steps": 9}, own)
    Traceback (most recent call last):
        ...
    gametheory_core.errors.InvalidArgument: restore: needs a snapshot of what was made with the \
same options, but in the one given 'values' is of shape (3, 3), not (2, 3). Make it with the \
options it had.
    """
    found = _misfit(snapshot, own, "", ignored)
    if found is not None:
        raise InvalidArgument(
            needs="a snapshot of what was made with the same options",
            found=f"in the one given {found}",
            remedy="Make it with the options it had.",
            where="restore",
        )


def _misfit(given: Any, own: Any, place: str, ignored: tuple[str, ...]) -> str | None:
    """Return where and how a snapshot differs, if it does."""
    named = repr(place) if place else "everything"
    if isinstance(own, np.ndarray):
        return _array_misfit(given, cast("np.ndarray[Any, Any]", own), named)
    if isinstance(own, Mapping):
        if not isinstance(given, Mapping):
            return f"{named} is no mapping"
        parts, wanted = cast("Mapping[str, Any]", given), cast("Mapping[str, Any]", own)
        if parts.keys() != wanted.keys():
            return f"{named} has the parts {[*parts]}, not {[*wanted]}"
        pairs = [(k, parts[k], wanted[k]) for k in wanted if k not in ignored]
    elif isinstance(own, Sequence) and not isinstance(own, str):
        if not isinstance(given, Sequence) or isinstance(given, str):
            return f"{named} is no sequence"
        entries, own_entries = cast("Sequence[Any]", given), cast("Sequence[Any]", own)
        if len(entries) != len(own_entries):
            return f"{named} has {len(entries)} entries, not {len(own_entries)}"
        pairs = [(str(k), a, b) for k, (a, b) in enumerate(zip(entries, own_entries, strict=True))]
    else:
        return None
    found = (_misfit(a, b, f"{place}/{k}" if place else k, ignored) for k, a, b in pairs)
    return next((text for text in found if text is not None), None)


def _array_misfit(given: Any, own: "np.ndarray[Any, Any]", named: str) -> str | None:
    if not isinstance(given, np.ndarray):
        return f"{named} is no array"
    array = cast("np.ndarray[Any, Any]", given)
    if array.shape != own.shape:
        return f"{named} is of shape {array.shape}, not {own.shape}"
    return (
        None if array.dtype == own.dtype else f"{named} is of type {array.dtype}, not {own.dtype}"
    )


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
    with interrupts_later(), zipfile.ZipFile(archive, "w") as members:
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
            needs="a snapshot",
            found=f"it is a damaged file, or one of another kind ({error})",
            remedy="Give another.",
            where=name,
        ) from None
    if _SKELETON not in members:
        raise MalformedFile(
            needs="a snapshot",
            found=f"it is an archive of another kind, without {_SKELETON}",
            remedy="Give a file that save_snapshot wrote.",
            where=name,
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
