"""Draw mutants of some rooms, run the tests that concern them, and show the survivors as diffs.

    python tools/mutate.py solvers/bimatrix --count 20 --seed 1 --workers 2

The tests are those in the folder that mirrors the room, its examples, and the test files elsewhere
that import it. They run once to see which blocks they enter (``entered_blocks.py``); then a copy of
the tree gets one mutant after the other, and the quickest tests that reach it (``mutants.py``). The
working tree is never changed. What survives may still be noticed by a test that costs more, or be
no fault at all.
"""

import argparse
import difflib
import json
import math
import os
import random
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from mutants import candidates, finder, spliced

HERE = Path(__file__).parent
ALIVE = ("survived", "not reached")


def drawn_from(root, room, count, seed):
    """Draw mutants of a room, all alike likely."""
    found = [record for record, file, *_ in candidates(root) if str(Path(file).parent) == room]
    drawn = random.Random(seed).sample(found, min(count, len(found)))  # noqa: S311
    return [record | {"room": room} for record in drawn]


def tests_of_room(root, room):
    """The tests that mirror a room, its examples, and the test files elsewhere that import it."""
    package, *inner = Path(room).parts
    first = "core" if package == "gametheory_core" else package
    mirror = Path("tests", first, *inner)
    while not (root / mirror).exists():
        mirror = mirror.parent
    above, own = map(re.escape, room.replace("/", ".").rsplit(".", 1))
    imports = re.compile(
        rf"(import|from) {above}\.{own}\b|from {above} import [(]?[\w\s,]*\b{own}\b"
    )
    others = (
        file.relative_to(root)
        for file in sorted((root / "tests").rglob("test_*.py"))
        if imports.search(file.read_text()) and not file.is_relative_to(root / mirror)
    )
    examples = Path("tests/architecture/test_docstrings.py")
    modules = (root / room).glob("*.py") if (root / examples).exists() else ()
    names = (".".join((*Path(room).parts, file.stem)) for file in sorted(modules))
    shown = (name for name in names if not name.endswith("__"))
    own = [f"{examples}::test_examples_are_true[{name}]" for name in shown]
    return [str(mirror), *own, *map(str, others)]


def wilson(killed, count, z=1.96):
    """The interval that holds a rate in 95 of 100 draws, by the score test."""
    center = killed + z * z / 2
    half = z * math.sqrt(killed * (count - killed) / max(1, count) + z * z / 4)
    return (center - half) / (count + z * z), (center + half) / (count + z * z)


def shown(root, find, record):
    """A mutant as a diff."""
    file, _, node, text = find(record)
    before = (root / file).read_text()
    after = spliced(before, node, text)
    lines = [source.splitlines(keepends=True) for source in (before, after)]
    return "".join(difflib.unified_diff(*lines, file, file, n=1))


def is_newest(file, root):
    """Tell whether a file was written after all sources and tests."""
    folders = ("gametheory_core", "solvers", "learners", "tests")
    sources = (source for folder in folders for source in (root / folder).rglob("*.py"))
    last = max(source.stat().st_mtime for source in sources)
    return file.exists() and file.stat().st_mtime > last


def judge_room(room, count, seed, workers, folder, also=()):
    """Draw mutants of a room, run its tests on them, and return the report."""
    root, name = Path.cwd(), room.replace("/", ".")
    folder.mkdir(parents=True, exist_ok=True)
    chosen = drawn_from(root, room, count, seed)
    tests, tests_map = [*tests_of_room(root, room), *also], folder / f"{name}-map.json"
    kernel = ["--interpreted"] if "_kernels" in room else []
    mapped = [sys.executable, HERE / "entered_blocks.py", tests_map, *kernel, "-m", "not slow"]
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(root)}
    log = (folder / f"{name}.log").open("w")
    if also or not is_newest(tests_map, root):
        subprocess.run([*mapped, *tests], env=environment, stdout=log, stderr=log, check=False)  # noqa: S603
    running, results = [], []
    for k in range(workers):
        part, result = (folder / f"{name}-{kind}{k}.json" for kind in ("sample", "result"))
        part.write_text(json.dumps(chosen[k::workers]))
        result.unlink(missing_ok=True)
        maps = ["--kernel-maps", tests_map] if kernel else [tests_map]
        command = [sys.executable, HERE / "mutants.py", "run", result, *maps, "--sample", part]
        if chosen[k::workers]:
            running.append(subprocess.Popen(command, env=environment, stdout=log, stderr=log))  # noqa: S603
            results.append(result)
    for process in running:
        process.wait()
    log.close()
    done = [record for result in results for record in json.loads(result.read_text())]
    return report(root, room, done)


def report(root, room, done):
    """The kill rate of a room, and its survivors as diffs."""
    counts, find = Counter(record["verdict"] for record in done), finder(root)
    killed = counts["killed"] + counts["timeout"]
    rest = ", ".join(f"{counts[verdict]} {verdict}" for verdict in ALIVE)
    low, high = wilson(killed, len(done))
    rate = f"{killed / max(1, len(done)):.0%}, interval {low:.0%} to {high:.0%}"
    lines = [f"{room}: {killed} of {len(done)} killed ({rate}); {rest}"]
    for record in done:
        if record["verdict"] in ALIVE:
            lines.append(f"\n{record['verdict']} ({record['operator']}), {record['function']}:")
            lines.append(shown(root, find, record))
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rooms", nargs="+", help="folders of the packages, such as solvers/trees")
    parser.add_argument("--count", type=int, default=20, help="mutants of each room")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--also", nargs="*", default=[], help="other tests that concern the rooms")
    parser.add_argument("--folder", type=Path, default=Path("build/mutants"))
    options = parser.parse_args()
    for room in (name.strip("/") for name in options.rooms):
        told = judge_room(
            room, options.count, options.seed, options.workers, options.folder, options.also
        )
        (options.folder / f"{room.replace('/', '.')}.txt").write_text(told + "\n")
        print(told, flush=True)


if __name__ == "__main__":
    main()
