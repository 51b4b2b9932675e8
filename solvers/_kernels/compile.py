"""Compiled loops that are never stale: the one door to numba, for every room of loops.

numba keeps compiled code on disk, and takes it for fresh as long as the file that holds the loop
itself is unchanged. But a loop is made from all that it calls and every constant it reads, in
whatever file. So the directory that keeps the loops is named by a digest of everything they can be
made from: each source of the loop's own room and of this one, and the version of the package. The
digest is of contents: ages of files, which installers set as they like, decide nothing.

A room of loops imports numpy, the standard library and rooms of loops, and nothing else.
"""

import os
import shutil
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache, partial
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from inspect import Parameter, Signature, getfile
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, cast

from llvmlite import ir
from numba import cfunc, config, njit, typeof, types
from numba.core import cgutils, event
from numba.core.imputils import impl_ret_borrowed
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import (
    intrinsic,
    lower_getattr_generic,
    models,
    register_jitable,
    register_model,
)

from solvers._kernels.generators import ReadByCapsules

_numba: Any = config  # whose names numba makes when it is loaded
LOOPS: dict[str, Any] = {}  # all that are declared, by module and name
PACKAGES = ("solvers", "learners")
KEPT = 4  # digests whose loops stay on disk: those of the branches that one switches between


def compiled(function: Callable[..., Any], **options: Any) -> Any:
    """Compile a loop when it is first called, and keep it on disk for other processes.

    Where no directory can be written to, or the sources cannot be read, nothing is kept; a warning
    says so, once. Before the first loop is compiled, a line on the terminal says that.

    Args:
        function: The loop; may call compiled and inlined functions.
        options: What ``numba.njit`` takes, such as ``nogil``.
    """
    loop = _widened(_kept(function, partial(njit, **options)))
    if "<locals>" not in function.__qualname__:
        LOOPS[f"{function.__module__}.{function.__qualname__}"] = loop
    return loop


def compile_for(loop: Any, arguments: tuple[Any, ...]) -> bool:
    """Compile a loop for arguments like these, without calling it.

    Returns:
        Whether that was to be done: else it was kept on disk, or known to this process.
    """
    before = sum(loop.stats.cache_misses.values())
    loop.compile(tuple(map(typeof, arguments)))
    return sum(loop.stats.cache_misses.values()) > before


class Announcement(event.Listener):
    """Says on a terminal, once, that loops are being compiled: it may take many seconds.

    Attributes:
        is_due: Whether it is still to be said.
    """

    is_due = True

    def on_start(self, event: Any) -> None:
        """Speak, where a loop of ours is compiled and a person is watching."""
        package = event.data["dispatcher"].py_func.__module__.partition(".")[0]
        if self.is_due and package in PACKAGES and sys.stderr and sys.stderr.isatty():
            self.is_due = False
            sys.stderr.write(
                "compiling loops for their first use, once on this machine; "
                "`gametheory warm-up` compiles all at once\n"
            )

    def on_end(self, event: Any) -> None:
        """Do nothing."""


announcement = Announcement()
event.register("numba:compile", announcement)
event.register("numba:compile", ReadByCapsules())


def _widened(loop: Any) -> Any:
    """Let loops call it with constants as with any integers: numba would compile it for each."""
    if not hasattr(loop, "get_call_template"):  # numba is told to compile nothing
        return loop
    resolve = loop.get_call_template

    def widened(args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        wide = {name: types.unliteral(kind) for name, kind in named.items()}
        return resolve(tuple(map(types.unliteral, args)), wide)

    loop.get_call_template = widened
    return loop


class Placed(types.Type):
    """A named tuple that lies in memory: loops are given where, and read the fields they need."""

    def __init__(self, record: Any) -> None:
        self.record = record
        super().__init__(name=f"Placed({record})")


@register_model(Placed)
class _PlacedModel(models.OpaqueModel):
    pass


@infer_getattr
class _PlacedFields(AttributeTemplate):
    key = Placed

    def generic_resolve(self, value: Any, attr: str) -> Any:
        record = value.record
        return record[record.fields.index(attr)] if attr in record.fields else None


@lower_getattr_generic(Placed)
def _read_field(context: Any, builder: Any, kind: Any, place: Any, name: str) -> Any:
    record = kind.record
    number = record.fields.index(name)
    whole = builder.bitcast(place, context.get_value_type(record).as_pointer())
    field = builder.gep(whole, [ir.IntType(32)(0), ir.IntType(32)(number)], inbounds=True)
    read = builder.load(field)
    read.set_metadata("invariant.load", builder.module.add_metadata([]))
    return impl_ret_borrowed(context, builder, record[number], read)


def _placed(_typing: Any, record: Any) -> Any:
    """Put a named tuple of arrays into memory, for as long as the loop that calls this runs."""

    def generate(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        place = cgutils.alloca_once_value(builder, values[0])
        return builder.bitcast(place, cgutils.voidptr_t)

    return Placed(record)(record), generate


def _call_at(_typing: Any, address: Any, record: Any, number: Any) -> Any:  # noqa: ARG001
    """Call the loop at an address with what is ``placed`` and an integer; return its integer."""

    def generate(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        word = ir.IntType(64)
        pointer = ir.FunctionType(word, [cgutils.voidptr_t, word]).as_pointer()
        return builder.call(builder.inttoptr(values[0], pointer), values[1:])

    return types.int64(address, record, types.int64), generate


placed: Any = intrinsic(_placed)
call_at: Any = intrinsic(_call_at)


_MACHINE = {
    "int64": types.int64,
    "uint64": types.uint64,
    "two words": types.UniTuple(types.uint64, 2),
    "nothing": types.void,
    "words": types.Array(types.uint64, 1, "C"),
}


def machine_code(result: str, arguments: Mapping[Any, str], generate: Callable[..., Any]) -> Any:
    """Make a function for loops whose code for the machine is written as it is.

    Args:
        result: "int64", "uint64", "two words" or "nothing".
        arguments: Name -> "int64", "uint64" or "words", an array of uint64.
        generate: Called with ``llvmlite.ir``, its builder, and the values, a pointer to the data
            for an array; returns the value, or both words.
    """

    def typed(_typing: Any, *_kinds: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            given = [
                context.make_array(kind)(context, builder, value).data
                if isinstance(kind, types.Array)
                else value
                for kind, value in zip(signature.args, values, strict=True)
            ]
            found = generate(ir, builder, *given)
            if result == "two words":
                return context.make_tuple(builder, signature.return_type, found)
            return context.get_dummy_value() if result == "nothing" else found

        return _MACHINE[result](*(_MACHINE[kind] for kind in arguments.values())), code

    names = ("_typing", *arguments)
    seats = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in names]
    cast("Any", typed).__signature__ = Signature(seats)
    return intrinsic(typed)


def addressed(function: Callable[..., Any], record: Any) -> Any:
    """Compile a loop at once, for loops that are given its ``address`` and ``call_at`` it.

    So one loop can call any of many that are compiled each on its own, and later ones, too.

    Args:
        function: Takes a record and an integer, and returns an integer. It raises nothing and
            makes no arrays.
        record: A named tuple of arrays, like those that it will be given.
    """
    signature = types.int64(Placed(typeof(record)), types.int64)
    callback: Any = cfunc
    return _kept(function, partial(callback, signature, _nrt=False))


def _kept(function: Callable[..., Any], declare: Callable[..., Any]) -> Any:
    """Declare a loop, kept in the directory of its room if there is one."""
    source = Path(getfile(function))
    directory = _directory(source.parent) if source.is_file() else None  # else typed in
    if directory is None:
        if source.is_file():
            _warn_that_nothing_is_kept()
        return declare()(function)
    before = _numba.CACHE_DIR
    _numba.CACHE_DIR = str(directory)  # read once, while the loop is declared
    try:
        return declare(cache=True)(function)
    except RuntimeError:  # "no locator available": the directory was taken away, or is full
        _warn_that_nothing_is_kept()
        return declare()(function)
    finally:
        _numba.CACHE_DIR = before


@cache
def _warn_that_nothing_is_kept() -> None:
    tried = " or ".join(map(str, _bases(Path(__file__).parent)))
    warnings.warn(
        f"compiled loops are not kept, since nothing can be written to {tried}: each process "
        "compiles anew what it calls. Set NUMBA_CACHE_DIR to a folder that can be written to.",
        RuntimeWarning,
        stacklevel=2,
    )


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let compiled loops call a function that runs as plain Python for all others."""
    return register_jitable(function)


@cache
def _directory(room: Path) -> Path | None:
    """Make the directory for the loops of a room as its sources stand; None if none can be had."""
    digest = _digest(room)
    if not digest:
        return None
    kind = f"{room.parent.name}-loops-"
    for base in _bases(room):
        directory = base / (kind + digest)
        try:
            is_new = not directory.is_dir()
            directory.mkdir(parents=True, exist_ok=True)
            TemporaryFile(dir=directory).close()
            os.utime(directory)  # in use: older ones go first
        except OSError:
            continue
        if is_new:
            _forget_old(base, kind)
        return directory
    return None


def _bases(room: Path) -> Iterator[Path]:
    """List where loops may be kept, best first: as told, beside the sources, with the user."""
    if _numba.CACHE_DIR:
        yield Path(_numba.CACHE_DIR)
        return
    yield room / "__pycache__"
    told = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    with suppress(RuntimeError):  # a user without a home, as in containers
        yield Path(told or "~/.cache").expanduser() / "gametheory-core"


def _digest(room: Path) -> str:
    """Return a digest of all that the loops of a room are made from; empty if it is not on disk."""
    digest = blake2b(_package_version().encode(), digest_size=12)
    for part in sorted({room, Path(__file__).parent}):
        sources = sorted(part.glob("*.py"))
        if not sources:  # in an archive
            return ""
        for source in sources:
            content = source.read_bytes()
            digest.update(f"\0{part.parent.name}/{source.name} {len(content)}\0".encode())
            digest.update(content)
    return digest.hexdigest()


def _package_version() -> str:
    try:
        return version("gametheory-core")
    except PackageNotFoundError:  # run from a copy of the sources
        return ""


def _forget_old(base: Path, kind: str) -> None:
    """Remove the loops that were not used for longest, but for a few."""
    ages: list[tuple[float, Path]] = []
    for directory in base.glob(f"{kind}*"):
        try:
            ages.append((directory.stat().st_mtime, directory))
        except OSError:  # another process forgets, too
            continue
    for _, directory in sorted(ages)[:-KEPT]:
        shutil.rmtree(directory, ignore_errors=True)
