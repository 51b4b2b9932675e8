"""Count how many small wrong changes of the packages the tests notice.

    python tools/mutants.py sample               draw tools/mutants.json anew
    python tools/mutants.py run RESULTS MAP ...  run the tests that reach each mutant

A mutant is one changed node of one statement: known by its package, its function's qualified name,
the statement as ``ast`` prints it, and which of its changes it is, so that it is found again after
functions have moved or words have changed. What only words an error, or chooses the quicker of two
ways by a size, is left as it is. ``run`` changes one file at a time in a copy of the tree; of the
tests that reach the changed block (``entered_blocks.py`` makes the maps), the quickest that enter
the fewest blocks run in a fork, until one fails or ``TESTS`` and ``SECONDS`` are spent, then others
for ``MORE``: a survivor may still be noticed by a test that costs more. Compiled loops are judged
as Python, by maps that were made with ``--interpreted``. ``mutate.py`` does all that for the rooms
it is given.
"""

import argparse
import ast
import compileall
import importlib
import importlib.util
import json
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

from entered_blocks import OPTIONS, PACKAGES, plain_hypothesis

SAMPLE = Path(__file__).with_suffix(".json")
SWAPS = """Lt LtE Gt; LtE Lt GtE; Gt GtE Lt; GtE Gt LtE; Eq NotEq; NotEq Eq; In NotIn; NotIn In;
Is IsNot; IsNot Is; Add Sub; Sub Add; Mult Div; Div Mult; FloorDiv Mult; Mod Mult; And Or; Or And"""
SWAPPED = {
    getattr(ast, old): [getattr(ast, name) for name in new]
    for old, *new in map(str.split, SWAPS.split(";"))
}
SECONDS, TESTS = 5.0, 60  # of CPU, and tests, for one mutant
MORE = 10.0  # seconds for what survives them
SHARED = "flint highspy hypothesis matplotlib networkx numba pytest rich scipy.optimize torch"
KEYS = ("package", "function", "before", "occurrence", "index", "operator")
WORDS = {"needs", "found", "remedy", "where"}  # arguments that word an error
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


# --- statements and their changes --------------------------------------------------------------


def heads(statement):
    """Expressions of a statement itself, without annotations and the statements inside it."""
    match statement:
        case ast.FunctionDef() | ast.ClassDef() | ast.Import() | ast.ImportFrom() | ast.Raise():
            return []
        case ast.AnnAssign():
            return [statement.value] if statement.value else []
        case ast.Expr(value=ast.Constant()):
            return []
    found = [value for name, value in ast.iter_fields(statement) if name not in BLOCKS]
    flat = [item for value in found for item in (value if isinstance(value, list) else [value])]
    return [item for item in flat if isinstance(item, (ast.expr, ast.withitem))]


def nodes(root):
    """The nodes of an expression but for those inside f-strings, which are messages."""
    yield root
    if not isinstance(root, ast.JoinedStr):
        for child in ast.iter_child_nodes(root):
            yield from nodes(child)


def wording(statement):
    """The nodes that only word an error, by identity."""
    calls = (n for n in ast.walk(statement) if isinstance(n, ast.Call))
    worded = (k.value for call in calls for k in call.keywords if k.arg in WORDS)
    return {id(node) for value in worded for node in ast.walk(value)}


def thresholds(statement):
    """The nodes that only choose between quick ways, by size against a constant, by identity."""
    found = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.If | ast.IfExp) and not any(
            isinstance(inner, ast.Raise) for inner in ast.walk(node)
        ):
            for part in (node.test, *getattr(node.test, "values", ())):
                if isinstance(part, ast.Compare) and is_size(part):
                    found |= {id(inner) for inner in ast.walk(part) if isinstance(inner, ast.expr)}
    return found


def is_size(compare):
    """Whether something is compared by order with constants of the module."""
    order = isinstance(compare.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE)
    for side in (compare.left, *compare.comparators):
        names = {node.id for node in ast.walk(side) if isinstance(node, ast.Name)} - {"ZERO", "ONE"}
        if order and names and all(map(str.isupper, names)):
            return True
    return False


def changes(statement):
    """(node, operator, replacement text) for each change of one node of a statement."""
    if isinstance(statement, ast.Raise):
        yield statement, "drop raise", "pass"
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        yield statement, "drop call", "pass"
    if isinstance(statement, (ast.If, ast.While)):
        yield statement.test, "negate", f"(not ({ast.unparse(statement.test)}))"
    if isinstance(statement, ast.AugAssign) and type(statement.op) in SWAPPED:
        other = SWAPPED[type(statement.op)][0]()
        changed = ast.AugAssign(statement.target, other, statement.value)
        yield statement, "arithmetic", ast.unparse(changed)
    for head in heads(statement):
        for node in nodes(head):
            match node:
                case ast.Compare(ops=[op]):
                    for other in SWAPPED[type(op)]:
                        changed = ast.Compare(node.left, [other()], node.comparators)
                        yield node, "compare", f"({ast.unparse(changed)})"
                case ast.BinOp(op=op) if type(op) in SWAPPED:
                    changed = ast.BinOp(node.left, SWAPPED[type(op)][0](), node.right)
                    yield node, "arithmetic", f"({ast.unparse(changed)})"
                case ast.BoolOp(op=op):
                    changed = ast.BoolOp(SWAPPED[type(op)][0](), node.values)
                    yield node, "and/or", f"({ast.unparse(changed)})"
                case ast.UnaryOp(op=ast.Not()):
                    yield node, "drop not", f"({ast.unparse(node.operand)})"
                case ast.IfExp():
                    yield node.test, "negate", f"(not ({ast.unparse(node.test)}))"
                case ast.Constant(value=value) if type(value) in {int, float}:
                    yield node, "constant", repr(value + 1)
                    yield node, "constant", f"({value - 1!r})"
    yield from later_changes(statement)


def later_changes(statement):
    """Changes that came later: they are last, so that the others keep their numbers."""
    if isinstance(statement, (ast.AugAssign, ast.Continue, ast.Break)):
        yield statement, "drop statement", "pass"
    if isinstance(statement, ast.If) and not statement.orelse:
        yield statement.test, "drop guard", f"(False and ({ast.unparse(statement.test)}))"
    for head in heads(statement):
        strict = [n.value for n in nodes(head) if isinstance(n, ast.keyword) and n.arg == "strict"]
        for node in nodes(head):
            match node:
                case ast.UnaryOp(op=ast.USub(), operand=ast.expr() as operand):
                    yield node, "sign", f"({ast.unparse(operand)})"
                case ast.Call(func=ast.Name(id="min" | "max" as name)):
                    yield node.func, "min/max", "max" if name == "min" else "min"
                case ast.Attribute(attr="min" | "max" | "argmin" | "argmax" as name):
                    other = name.replace("min", "MAX").replace("max", "min").lower()
                    yield node, "min/max", f"{ast.unparse(node.value)}.{other}"
                case ast.Constant(value=bool() as value) if node not in strict:
                    yield node, "flag", repr(not value)


def head_text(statement):
    """A statement in normal form, without the statements inside it."""
    if isinstance(statement, ast.Raise):
        return f"raise {re.split(r'[(]', ast.unparse(statement.exc))[0] if statement.exc else ''}"
    if isinstance(statement, (ast.If, ast.While, ast.For, ast.With, ast.Match)):
        return f"{type(statement).__name__} " + ", ".join(map(ast.unparse, heads(statement)))
    return re.sub(r"(, )?function=('[^']*'|[\w.]+)", "", ast.unparse(statement))


def statements(tree, path=(), block=None):
    """(qualified function name, first line of the block, statement) of all inside functions."""
    for name in BLOCKS:
        body = getattr(tree, name, None) or []
        body = body if isinstance(body, list) else []
        first = body[0].lineno if body and isinstance(body[0], ast.stmt) else block
        for child in body:
            if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
                inside = isinstance(child, ast.FunctionDef)
                yield from statements(child, (*path, child.name), first if inside else None)
            elif isinstance(child, (ast.excepthandler, ast.match_case)):
                yield from statements(child, path, first)
            else:
                if block is not None or isinstance(tree, ast.FunctionDef):
                    yield ".".join(path), first, child
                yield from statements(child, path, first if block or path else None)


def candidates(root):
    """Every mutant of a tree: (record, file, first line of its block, node, new text)."""
    seen = Counter()
    for package in PACKAGES:
        for file in sorted((root / package).rglob("*.py")):
            name = str(file.relative_to(root))
            for function, block, statement in statements(ast.parse(file.read_text())):
                before = head_text(statement)
                occurrence = seen[package, function, before]
                seen[package, function, before] += 1
                left = wording(statement) | thresholds(statement)
                for index, (node, operator, text) in enumerate(changes(statement)):
                    if id(node) in left:
                        continue
                    values = package, function, before, occurrence, index, operator, text
                    record = dict(zip((*KEYS, "after"), values, strict=True))
                    yield record, name, block, node, text


def sample(root, size=440, least=4, seed=15):
    """Draw mutants, of each room by its lines, as random in order as in kind."""
    draw = random.Random(seed)  # noqa: S311
    rooms, lines = defaultdict(list), Counter()
    for found in candidates(root):
        rooms[Path(found[1]).parent].append(found)
    for room in rooms:
        lines[room] = sum(len(file.read_text().splitlines()) for file in (root / room).glob("*.py"))
    chosen = []
    for room, found in rooms.items():
        by_statement = defaultdict(list)
        for entry in found:
            by_statement[entry[0]["function"], entry[0]["before"]].append(entry[0])
        count = max(least, round(size * lines[room] / lines.total()))
        keys = draw.sample(sorted(by_statement), min(count, len(by_statement)))
        chosen += [draw.choice(by_statement[key]) | {"room": str(room)} for key in keys]
    draw.shuffle(chosen)
    SAMPLE.write_text("[\n" + ",\n".join(map(json.dumps, chosen)) + "\n]\n")
    return len(chosen)


# --- running them -------------------------------------------------------------------------------


def spliced(source, node, text):
    """The source with one node replaced."""
    rows = source.encode().splitlines(keepends=True)
    start = sum(map(len, rows[: node.lineno - 1])) + node.col_offset
    stop = sum(map(len, rows[: node.end_lineno - 1])) + node.end_col_offset
    return (source.encode()[:start] + text.encode() + source.encode()[stop:]).decode()


def tests_of_blocks(maps):
    """(blocks entered, seconds, test) by block, of all maps, of the tests that pass in time."""
    found = defaultdict(list)
    for file in maps:
        found_here = json.loads(Path(file).read_text())
        for name, test in found_here["tests"].items():
            for number in test["marks"] if test["passes"] and not test["cut"] else ():
                entry = len(test["marks"]), test["seconds"], name
                found[found_here["blocks"][number]].append(entry)
    return found


def views(record):
    """Names of a mutant, from the exact one to those that outlast moves and new words."""
    package, function, before, occurrence, *change = (record[key] for key in KEYS)
    own, shape = function.rpartition(".")[2], re.sub(r"[^\W\d]\w*", "x", before)
    yield package, function, before, occurrence, *change
    yield package, own, before, *change
    yield package, before, *change
    yield package, own, shape, *change


def finder(root):
    """Return what finds a mutant of the sample in a tree: (file, block, node, text) or None."""
    here = defaultdict(list)
    for record, *place in candidates(root):
        for level, name in enumerate(views(record)):
            here[level, name].append(place)

    def find(record):
        found = (here[level, name] for level, name in enumerate(views(record)))
        return next((places[0] for places in found if len(places) == 1), None)

    return find


def verdict_of(copy, tests, seconds, interpreted):
    """Run tests in a fork inside a tree: 'killed', 'survived' or 'timeout'."""
    child = os.fork()
    if not child:
        import numba
        import pytest

        numba.config.DISABLE_JIT = int(interpreted)
        os.chdir(copy)
        quiet = os.open("last_run.txt", os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
        os.dup2(quiet, 1), os.dup2(quiet, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 2))
        sys.path.insert(0, str(copy))
        os.environ["PYTHONPATH"] = str(copy)
        os._exit(min(100, pytest.main([*OPTIONS, "-x", *tests])))
    for _ in range(int(seconds * 100)):  # by the wall clock only where a test sleeps
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            code = os.waitstatus_to_exitcode(status)
            return "survived" if code == 0 else "timeout" if -code == signal.SIGXCPU else "killed"
        time.sleep(0.1)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "timeout"


def batches(reaching):
    """(seconds, tests) to run, twice: those that enter few blocks and take little time first."""
    tests = sorted(reaching, key=lambda test: test[0] + 1000 * test[1])
    for most, seconds in ((TESTS, SECONDS), (len(tests), MORE)):
        total, chosen, rest = 0.0, [], []
        for test in tests:
            takes = len(chosen) < most and (not chosen or total + test[1] <= seconds)
            (chosen if takes else rest).append(test)
            total += test[1] * takes
        if chosen:
            yield total, [name for _, _, name in chosen]
        tests = rest


def run(results, sample_file, maps, kernel_maps, limit):
    for name in SHARED.split():  # loaded once, for all forks
        if importlib.util.find_spec(name.partition(".")[0]):
            importlib.import_module(name)
    sys.dont_write_bytecode = True
    plain_hypothesis()
    root = Path.cwd()
    find = finder(root)
    tests = {False: tests_of_blocks(maps), True: tests_of_blocks(kernel_maps)}
    done = json.loads(Path(results).read_text()) if Path(results).exists() else []
    copy = Path(tempfile.mkdtemp(prefix="mutants-")) / "tree"
    shutil.copytree(root, copy, symlinks=True, ignore=shutil.ignore_patterns(".git", ".venv"))
    compileall.compile_dir(copy, quiet=2)
    for mutant in json.loads(Path(sample_file).read_text())[len(done) : limit]:
        found, reaching, start = find(mutant), [], time.time()
        if found:
            file, block, node, text = found
            kernel = "_kernels" in file
            reaching = tests[kernel][f"{file}:{block}"]
        verdict, count = "not found" if not found else "not reached", 0
        for total, chosen in batches(reaching):
            source = (root / file).read_text()
            (copy / file).write_text(spliced(source, node, text))
            verdict = verdict_of(copy, chosen, 3 * total + 20, kernel)
            shutil.copy2(root / file, copy / file)
            count += len(chosen)
            if verdict != "survived":
                break
        done.append(mutant | {
            "verdict": verdict, "tests": count, "wall": round(time.time() - start, 1)
        })  # fmt: skip
        Path(results).write_text("[\n" + ",\n".join(map(json.dumps, done)) + "\n]\n")
        print(len(done), verdict, count, mutant["room"], mutant["function"], flush=True)
    shutil.rmtree(copy.parent)
    print(Counter(mutant["verdict"] for mutant in done))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", choices=["sample", "run"])
    parser.add_argument("files", nargs="*", help="of run: RESULTS MAP ...")
    parser.add_argument("--sample", default=SAMPLE, help="the mutants to run")
    parser.add_argument("--limit", type=int, help="stop after so many mutants of the sample")
    parser.add_argument("--kernel-maps", nargs="*", default=[], help="those of --interpreted")
    options = parser.parse_args()
    if options.command == "sample":
        print(sample(Path.cwd()), "mutants")
    else:
        results, *maps = options.files
        run(results, options.sample, maps, options.kernel_maps, options.limit)


if __name__ == "__main__":
    main()
