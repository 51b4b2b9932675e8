"""Generators of chance, read by loops without a line of Python.

numba reads the addresses that it needs through ``ctypes.cast``, which is Python: a signal that
comes meanwhile leaves it with nothing, which it reads all the same, and the process dies. numpy
keeps the same addresses in a capsule, for C; reading that takes half the time, too.
"""

from importlib import import_module
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils, event
from numba.core.pythonapi import NativeValue, _unboxers  # pyright: ignore[reportPrivateUsage]

# numpy's C structure `bitgen_t`: the state, then functions of it
PLACES = {"state": 0, "fnptr_next_uint64": 1, "fnptr_next_uint32": 2, "fnptr_next_double": 3}


class ReadByCapsules(event.Listener):
    """Lets numba read generators so, from the first loop that is compiled and not loaded."""

    def on_start(self, event: Any) -> None:  # noqa: ARG002 the same for every loop
        """Replace numba's way, which it defines late."""
        import_module("numba.core.boxing")  # takes 30 ms; loaded loops do without
        _unboxers.functions[types.NumPyRandomBitGeneratorType] = _read

    def on_end(self, event: Any) -> None:
        """Do nothing."""


def _read(kind: Any, bits: Any, reader: Any) -> Any:
    """Read what draws the bits: every generator of numpy has its capsule, or was never made."""
    builder, api = reader.builder, reader.pyapi
    capsule = api.object_getattr_string(bits, "capsule")
    signature = ir.FunctionType(cgutils.voidptr_t, [api.pyobj, cgutils.voidptr_t])
    place_of = cgutils.get_or_insert_function(builder.module, signature, "PyCapsule_GetPointer")
    name = reader.context.insert_const_string(builder.module, "BitGenerator")
    word = reader.context.get_value_type(types.uintp)
    words = builder.bitcast(builder.call(place_of, [capsule, name]), word.as_pointer())
    found = cgutils.create_struct_proxy(kind)(reader.context, builder)
    found.parent = bits
    for field, place in PLACES.items():
        setattr(found, field, builder.load(builder.gep(words, [ir.IntType(32)(place)])))
    found.state_address = found.state
    api.decref(capsule)
    return NativeValue(found._getvalue())  # noqa: SLF001 numba's own name for it
