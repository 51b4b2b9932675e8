"""Record what compiled loops are called with while tests run, for ``gametheory warm-up``.

    python -m pytest -p tools.record_loops -n 0 tests/architecture/test_documentation.py tests/...

adds to ``learners/loops.json`` what is called from Python for the first time, and drops loops that
are gone. Loops are compiled in a folder of their own, so this takes some minutes.
"""

import json
import os
import shutil
import tempfile
from typing import Any

os.environ["NUMBA_CACHE_DIR"] = tempfile.mkdtemp(prefix="loops-")  # before numba is loaded

from numba.core import event

from learners.loop_arguments import told
from learners.warm_up import LIST, declared_loops, listed

CALLS: dict[str, list[Any]] = {}


class Recorder(event.Listener):
    """Notes what is compiled since Python called it, and not since another loop calls it."""

    depth = 0

    def on_start(self, event: Any) -> None:
        """Note a loop and the types of its arguments."""
        self.depth += 1
        function = event.data["dispatcher"].py_func
        is_inner = function.__name__.startswith("_") or "Placed(" in str(event.data["args"])
        if self.depth == 1 and not is_inner:  # what is placed is called by its address
            name = f"{function.__module__}.{function.__qualname__}"
            CALLS.setdefault(name, []).append(event.data["args"])

    def on_end(self, event: Any) -> None:  # noqa: ARG002
        """Note that it is compiled."""
        self.depth -= 1


def pytest_configure() -> None:
    """Begin."""
    event.register("numba:compile", Recorder())


def pytest_sessionfinish() -> None:
    """Write the list."""
    loops, known = declared_loops(), listed() if LIST.exists() else {}
    found = {name: list(known.get(name, [])) for name in sorted(loops)}
    for name in CALLS.keys() & loops.keys():
        for arguments in CALLS[name]:
            types = [told(kind) for kind in arguments]
            if types not in found[name]:
                found[name].append(types)
    kept = {name: calls for name, calls in found.items() if calls}
    lines = [
        f"{json.dumps(name)}: [\n" + ",\n".join(f"  {json.dumps(call)}" for call in calls) + "\n]"
        for name, calls in kept.items()
    ]
    shutil.rmtree(os.environ["NUMBA_CACHE_DIR"])
    LIST.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
